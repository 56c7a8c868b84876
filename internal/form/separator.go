package form

import "bytes"

// A separator ends a text that does not hold it: "ab" before "_" is 61 62 5f. One
// of several bytes must not arise, either, where the text's end meets it: before
// "__" the text "a_" would be 61 5f 5f 5f, and its end be found too early.

// EachByte has every byte 1: times 5f it is 5f 5f 5f 5f 5f 5f 5f 5f.
const EachByte = 0x0101010101010101

// ZeroBytes is not zero if a byte of x is: so eight bytes of a text, XOR a separator
// in each, are searched at once. Its lowest bit that is set tells which byte.
func ZeroBytes(x uint64) uint64 { return (x - EachByte) &^ x & (EachByte << 7) }

// Marks reports that a separator behind a form stands there only: it is not in
// the form, nor does the form's end together with it make another.
func Marks(form, mark []byte) bool {
	if len(mark) == 1 {
		for _, b := range form {
			if b == mark[0] {
				return false
			}
		}
		return true
	}
	for i := range form {
		if Overlaps(form[i:], mark) {
			return false
		}
	}
	return true
}

// Overlaps reports that rest+mark begins with mark, for a rest that is not empty.
func Overlaps(rest, mark []byte) bool {
	if len(rest) >= len(mark) {
		return string(rest[:len(mark)]) == string(mark)
	}
	return string(rest) == string(mark[:len(rest)]) && string(mark[len(rest):]) == string(mark[:len(mark)-len(rest)])
}

// Marked is ended by a separator, which stands behind the form and which form
// and separator together hold only at their end. Where one form begins another,
// the separator meets the bytes with which the other goes on; those differ from
// it somewhere, and if no possible byte lies beyond any of its own, it decides.
func (s Shape) Marked(sep []byte) Shape {
	s.Ends = EndMarked
	low, high := s.Bytes.Lowest(), s.Bytes.Highest()
	first, last := true, true
	for _, b := range sep {
		first = first && b <= low
		last = last && b >= high
	}
	switch {
	case first:
		s.Tail = ShortFirst
	case last:
		s.Tail = ShortLast
	default:
		s.Tail = ShortNowhere
	}
	return s
}

// Border reports that some proper beginning of b is also an end of it. A
// mark with a border can overlap itself.
func Border(b []byte) bool {
	for n := 1; n < len(b); n++ {
		if bytes.Equal(b[:n], b[len(b)-n:]) {
			return true
		}
	}
	return false
}
