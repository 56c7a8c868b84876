package form

// ByteSet is a set of byte values.
type ByteSet [256]bool

// AllBytes has every byte.
func AllBytes() (s ByteSet) {
	for i := range s {
		s[i] = true
	}
	return s
}

// BytesOf has the bytes of some forms.
func BytesOf[T string | []byte](forms ...T) (s ByteSet) {
	for _, f := range forms {
		for i := range len(f) {
			s[f[i]] = true
		}
	}
	return s
}

// Lowest and Highest are the limits of the set; 255 and 0 for the empty set,
// which makes every byte lie below and above all of nothing.
func (s *ByteSet) Lowest() byte {
	for i := range s {
		if s[i] {
			return byte(i)
		}
	}
	return 255
}

func (s *ByteSet) Highest() byte {
	for i := 255; i >= 0; i-- {
		if s[i] {
			return byte(i)
		}
	}
	return 0
}

// Inverted is the set of the bytes XOR ff.
func (s *ByteSet) Inverted() *ByteSet {
	var set ByteSet
	for i := range s {
		set[i] = s[255-i]
	}
	return &set
}

// Union has the bytes of both sets.
func (s ByteSet) Union(t ByteSet) ByteSet {
	for i := range s {
		s[i] = s[i] || t[i]
	}
	return s
}
