package form

import (
	"encoding/binary"
	"slices"
	"strings"
)

// A UUID's text is 32 lower-case hexadecimal digits with a dash after the 8th, 12th,
// 16th and 20th, as java.util.UUID.toString writes it. Its form is 16 bytes, each the
// value of two digits:
//
//	text   fb2b4e5e-1c7d-4f6a-9b1e-2f00c0ffee01
//	form   fb 2b 4e 5e 1c 7d 4f 6a 9b 1e 2f 00 c0 ff ee 01
//
// The bytes sort as the texts do. Upper case is refused, since the text that is read back
// has lower case.

const (
	UUIDText = 36 // characters of the text
	UUIDSize = 16 // bytes of the form
)

// UUIDWords is the form of a UUID's text as two words of 8 bytes, big-endian; false if
// the text is not a UUID.
func UUIDWords(text []byte) (high, low uint64, ok bool) {
	if len(text) != UUIDText || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return 0, 0, false
	}
	four := func(i int) uint64 { return uint64(binary.BigEndian.Uint32(text[i:])) }
	a, ok1 := unhex8(four(0)<<32 | four(4))
	b, ok2 := unhex8(four(9)<<32 | four(14))
	c, ok3 := unhex8(four(19)<<32 | four(24))
	d, ok4 := unhex8(four(28)<<32 | four(32))
	return uint64(a)<<32 | uint64(b), uint64(c)<<32 | uint64(d), ok1 && ok2 && ok3 && ok4
}

// PackUUID turns the text b into its 16 bytes, in place; false if b is not a UUID.
func PackUUID(b []byte) ([]byte, bool) {
	high, low, ok := UUIDWords(b)
	if !ok {
		return b, false
	}
	binary.BigEndian.PutUint64(b, high)
	binary.BigEndian.PutUint64(b[8:], low)
	return b[:UUIDSize], true
}

// UnpackUUID appends the text of a UUID, whose form may stand there already; false if the
// form has not UUIDSize bytes.
func UnpackUUID(dst, form []byte) ([]byte, bool) {
	if len(form) != UUIDSize {
		return dst, false
	}
	at := len(dst)
	dst = slices.Grow(dst, UUIDText)[:at+UUIDText]
	PutUUID((*[UUIDText]byte)(dst[at:]), form)
	return dst, true
}

// PutUUID writes the text of a form, which may stand in the same memory.
func PutUUID(text *[UUIDText]byte, form []byte) {
	high, low := binary.BigEndian.Uint64(form), binary.BigEndian.Uint64(form[8:])
	b, c := Hex8(uint32(high)), Hex8(uint32(low>>32))
	binary.BigEndian.PutUint64(text[0:], Hex8(uint32(high>>32)))
	binary.BigEndian.PutUint32(text[9:], uint32(b>>32))
	binary.BigEndian.PutUint32(text[14:], uint32(b))
	binary.BigEndian.PutUint32(text[19:], uint32(c>>32))
	binary.BigEndian.PutUint32(text[24:], uint32(c))
	binary.BigEndian.PutUint64(text[28:], Hex8(uint32(low)))
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
}

// UUIDFrom is the smallest UUID, as text, that is at least v, which may be any text: of
// "f" it is f0000000-0000-0000-0000-000000000000. False if v is above all UUIDs, as "g".
func UUIDFrom(v string) (string, bool) {
	text := []byte("00000000-0000-0000-0000-000000000000")
	for i := range min(len(v), UUIDText) {
		fits := HexLower // the bytes that may stand here, in order
		if text[i] == '-' {
			fits = "-"
		}
		at := 0
		for at < len(fits) && fits[at] < v[i] {
			at++
		}
		if at == len(fits) {
			return uuidAfter(text, i)
		}
		if text[i] = fits[at]; text[i] != v[i] {
			return string(text), true
		}
	}
	if len(v) > UUIDText {
		return uuidAfter(text, UUIDText)
	}
	return string(text), true
}

// uuidAfter is the smallest UUID above all UUIDs that begin with the first n bytes of text. After
// these text has zeros.
func uuidAfter(text []byte, n int) (string, bool) {
	for n--; n >= 0; n-- {
		switch text[n] {
		case '-':
		case 'f':
			text[n] = '0'
		default:
			text[n] = HexLower[strings.IndexByte(HexLower, text[n])+1]
			return string(text), true
		}
	}
	return "", false
}

// Packed is the shape after PackUUID; false if no form is as long as the text of a UUID.
func (s Shape) Packed() (Shape, bool) {
	if s.Min > UUIDText || s.Max >= 0 && s.Max < UUIDText {
		return s, false
	}
	return FixedShape(UUIDSize, s.Dir), true
}
