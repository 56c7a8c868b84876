package form

import (
	"bytes"
	"slices"
)

// A separator ends a text that does not hold it: "ab" with "_" is 61 62 5f. A separator
// of several bytes must also not arise from the end of the text and its own beginning:
// "a_" with "__" is 61 5f 5f 5f, and a reader would take "a" for the text. Such a text
// is refused.

// EachByte has the value 01 in each byte; EachByte·5f is 5f 5f 5f 5f 5f 5f 5f 5f.
const EachByte = 0x0101010101010101

// ZeroBytes is 0 if no byte of x is 00. Otherwise its lowest set bit lies in the lowest
// byte of x that is 00. To search eight bytes of a text for a separator byte, XOR them
// with EachByte·separator first.
func ZeroBytes(x uint64) uint64 { return (x - EachByte) &^ x & (EachByte << 7) }

// Held reports that a byte of x or y is 00, as of ZeroBytes. guard is 80 in each byte; if it is 0, any byte may stand there.
func Held(x, y, guard uint64) bool { return ((x-EachByte)&^x|(y-EachByte)&^y)&guard != 0 }

// Marks reports that a reader finds the separator mark only after the form: the form
// does not hold it, and the end of the form together with the first bytes of mark does
// not make another. Of "a_" and "__" it is false.
func Marks(form, mark []byte) bool {
	for n := 1; n < len(mark); n++ {
		if bytes.HasSuffix(form, mark[:n]) && bytes.HasPrefix(mark, mark[n:]) {
			return false
		}
	}
	return !bytes.Contains(form, mark)
}

// Marked is the shape of forms that a separator ends. If one form is a prefix of another,
// the separator is compared with the next bytes of the longer form. So the shorter form
// comes first if each byte of the separator is at most the lowest byte of any form, and
// last if each is at least the highest:
//
//	'_' (5f) after digits   31 5f ("1_") after 31 30 5f ("10_"): ShortLast
//	00 after a text         61 00 ("a") before 61 62 00 ("ab"): ShortFirst
func (s Shape) Marked(sep []byte) Shape {
	s.Ends, s.Tail = EndMarked, s.shorter(sep...)
	return s
}

// shorter is where a form sorts that ends with these bytes, beside longer forms that go on in their place.
func (s Shape) shorter(end ...byte) Shorter {
	switch {
	case slices.Max(end) <= s.Bytes.Lowest():
		return ShortFirst
	case slices.Min(end) >= s.Bytes.Highest():
		return ShortLast
	}
	return ShortNowhere
}

// EndsAsBegins reports that the last bytes of form are the first bytes of mark, but not all
// of mark. Form 61 3a and mark 3a 3a: true. A separator that ends as it begins itself, as "_-_"
// does, can overlap itself.
func EndsAsBegins(form, mark []byte) bool {
	for n := 1; n < len(mark); n++ {
		if bytes.HasSuffix(form, mark[:n]) {
			return true
		}
	}
	return false
}
