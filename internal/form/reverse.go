package form

import (
	"bytes"
	"unicode/utf8"
)

// Reversals change places and nothing else, so that each undoes itself:
//
//	Reverse         61 62 63         63 62 61
//	ReverseRunes    62 c3 a9         c3 a9 62
//	ReverseLabels   61 2e 62 2e 63   63 2e 62 2e 61   the separator being 2e

// Reverse puts the last byte first.
func Reverse(b []byte) {
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
}

// ReverseRunes puts the last character first: of valid UTF-8 what Java's
// StringBuilder.reverse makes.
func ReverseRunes(b []byte) {
	for i := 0; i < len(b); {
		_, n := utf8.DecodeRune(b[i:])
		Reverse(b[i : i+n])
		i += n
	}
	Reverse(b)
}

// ReverseLabels puts the last label first. The separator has no border, that is,
// it does not end as it begins: so it cannot arise where two labels meet.
func ReverseLabels(b, sep []byte) {
	for at := 0; ; {
		n := bytes.Index(b[at:], sep)
		if n < 0 {
			Reverse(b[at:])
			break
		}
		Reverse(b[at : at+n])
		Reverse(b[at+n : at+n+len(sep)])
		at += n + len(sep)
	}
	Reverse(b)
}

// Reversed is any change of the places of a form's bytes.
func (s Shape) Reversed() Shape {
	if s.Max < 0 || s.Max > 1 {
		s = s.Loosened()
		s.Dir = NoOrder
		if s.Ends == EndSelf { // prefix-free forms need not be suffix-free
			s.Ends = EndNone
		}
	}
	return s
}

// ReversedPart is a change of places in a part only; shorter forms are refused.
func (s Shape) ReversedPart(to int) Shape {
	s = s.Reversed()
	if s.Ends == EndNone {
		s.Min = max(s.Min, to)
		if s.Fixed() {
			s.Ends = EndWidth
		}
	}
	return s
}
