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

// BytesOf has each byte that stands in one of the forms: of "ab" and "b" 61 and 62.
func BytesOf[T string | []byte](forms ...T) (s ByteSet) {
	for _, f := range forms {
		for i := range len(f) {
			s[f[i]] = true
		}
	}
	return s
}

// Lowest and Highest are the limits of the set. Of the empty set they are 255 and 0:
// so a check such as pad <= Lowest holds for every pad, since nothing lies below it.
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

// Inverted is the set with each byte XOR ff: of 61 62 it is 9e 9d.
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

// Outside is where the first byte of v that is not in the set stands; −1 if all are in it. Of the
// set "ab" and "abc" it is 2.
func Outside[T string | []byte](s *ByteSet, v T) int {
	for i := range len(v) {
		if !s[v[i]] {
			return i
		}
	}
	return -1
}
