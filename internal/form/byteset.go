package form

import "math/bits"

// ByteSet is a set of byte values, a bit for each.
type ByteSet [4]uint64

// AllBytes has every byte.
func AllBytes() ByteSet { return ByteSet{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)} }

// BytesOf has each byte that stands in one of the forms: of "ab" and "b" 61 and 62.
func BytesOf[T string | []byte](forms ...T) (s ByteSet) {
	for _, f := range forms {
		for i := range len(f) {
			s.Add(f[i])
		}
	}
	return s
}

// Has reports that b is in the set.
func (s *ByteSet) Has(b byte) bool { return s[b>>6]>>(b&63)&1 != 0 }

// Add puts b into the set, and Drop takes it out.
func (s *ByteSet) Add(b byte) { s[b>>6] |= 1 << (b & 63) }

func (s *ByteSet) Drop(b byte) { s[b>>6] &^= 1 << (b & 63) }

// Listed is the bytes of the set in order.
func (s *ByteSet) Listed() (list []byte) {
	for b := range 256 {
		if s.Has(byte(b)) {
			list = append(list, byte(b))
		}
	}
	return list
}

// Lowest and Highest are the limits of the set. Of the empty set they are 255 and 0:
// so a check such as pad <= Lowest holds for every pad, since nothing lies below it.
func (s *ByteSet) Lowest() byte {
	for i, w := range s {
		if w != 0 {
			return byte(64*i + bits.TrailingZeros64(w))
		}
	}
	return 255
}

func (s *ByteSet) Highest() byte {
	for i := 3; i >= 0; i-- {
		if s[i] != 0 {
			return byte(64*i + 63 - bits.LeadingZeros64(s[i]))
		}
	}
	return 0
}

// Inverted is the set with each byte XOR ff: of 61 62 it is 9e 9d.
func (s *ByteSet) Inverted() *ByteSet {
	return &ByteSet{bits.Reverse64(s[3]), bits.Reverse64(s[2]), bits.Reverse64(s[1]), bits.Reverse64(s[0])}
}

// Union has the bytes of both sets.
func (s ByteSet) Union(t ByteSet) ByteSet {
	for i := range s {
		s[i] |= t[i]
	}
	return s
}

// Common has the bytes that are in both sets.
func (s ByteSet) Common(t ByteSet) ByteSet {
	for i := range s {
		s[i] &= t[i]
	}
	return s
}

// Outside is where the first byte of v that is not in the set stands; −1 if all are in it. Of the
// set "ab" and "abc" it is 2.
func Outside[T string | []byte](s *ByteSet, v T) int {
	for i := range len(v) {
		if !s.Has(v[i]) {
			return i
		}
	}
	return -1
}
