package rowkey

import (
	"bytes"
	"unicode/utf8"
)

// Reversals. They change places and nothing else, so that each undoes itself:
// what scatters a growing number over regions gives it back when read.

// reverse puts the last byte first.
func reverse(b []byte) {
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
}

// reverseRunes puts the last character first: of valid UTF-8 what Java's
// StringBuilder.reverse makes.
func reverseRunes(b []byte) {
	for i := 0; i < len(b); {
		_, n := utf8.DecodeRune(b[i:])
		reverse(b[i : i+n])
		i += n
	}
	reverse(b)
}

// reverseLabels puts the last label first: a.b.c becomes c.b.a. The separator
// has no border (Build sees to it), so it cannot arise where two labels meet.
func reverseLabels(b, sep []byte) {
	for at := 0; ; {
		n := bytes.Index(b[at:], sep)
		if n < 0 {
			reverse(b[at:])
			break
		}
		reverse(b[at : at+n])
		reverse(b[at+n : at+n+len(sep)])
		at += n + len(sep)
	}
	reverse(b)
}
