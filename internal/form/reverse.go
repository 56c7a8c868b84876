package form

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// A reversal only moves bytes. Done twice it gives the same bytes again:
//
//	Reverse         61 62 63         63 62 61
//	ReverseRunes    62 c3 a9         c3 a9 62
//	ReverseLabels   61 62 2e 63      63 2e 61 62      with the separator 2e

// Reverse reverses the order of the bytes.
func Reverse(b []byte) { ReverseTo(b, b) }

// ReverseTo writes the bytes of b in reverse order to dst, which has their length and may be b itself: the first and the
// last 8 at once, which may overlap.
func ReverseTo(dst, b []byte) {
	dst = dst[:len(b)]
	for len(b) >= 8 {
		n := len(b) - 8
		first, last := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[n:])
		binary.BigEndian.PutUint64(dst, last)
		binary.BigEndian.PutUint64(dst[n:], first)
		if n <= 8 {
			return
		}
		b, dst = b[8:n], dst[8:n]
	}
	for i, j := 0, len(b)-1; i <= j; i, j = i+1, j-1 {
		dst[i], dst[j] = b[j], b[i]
	}
}

// Rotate puts the second part of b, from byte mid on, first: (a)(b) becomes (b)(a) by three reversals.
func Rotate(b []byte, mid int) {
	Reverse(b[:mid])
	Reverse(b[mid:])
	Reverse(b)
}

// ReverseRunes reverses the order of the characters of UTF-8. For valid UTF-8 it does
// what Java's StringBuilder.reverse does.
func ReverseRunes(b []byte) {
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			i++
			continue
		}
		_, n := utf8.DecodeRune(b[i:])
		Reverse(b[i : i+n])
		i += n
	}
	Reverse(b)
}

// ReverseLabels reverses the order of the labels between separators. The separator must
// not have a Border; then no new separator can arise where a label and a separator meet.
func ReverseLabels(b, sep []byte) {
	at := 0
	for i := 0; i < len(b); { // one walk over the bytes: a search for each of the short labels costs more
		if b[i] != sep[0] || !bytes.HasPrefix(b[i:], sep) {
			i++
			continue
		}
		Reverse(b[at:i])
		at = i + len(sep)
		Reverse(b[i:at])
		i = at
	}
	Reverse(b[at:])
	Reverse(b)
}

// Reversed is the shape after any reversal. Forms of two bytes and more lose their order.
func (s Shape) Reversed() Shape {
	if s.Max < 0 || s.Max > 1 {
		s = s.Loosened()
		s.Dir = NoOrder
		if s.Ends == EndSelf { // no form was a prefix of another, but one may have been the end of another
			s.Ends = EndNone
		}
	}
	return s
}

// ReversedPart is the shape after a reversal of a part that ends at byte to. Forms
// shorter than to are refused.
func (s Shape) ReversedPart(to int) Shape {
	s = s.Reversed()
	if s.Ends == EndNone {
		s.Min = max(s.Min, to)
		s = s.Settled()
	}
	return s
}
