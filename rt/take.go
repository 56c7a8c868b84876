package rt

import (
	"bytes"

	"github.com/hbase-rowkey/rowkey/internal/form"
)

// ReadDigits reads decimal digits of 64 bits.
func ReadDigits(b []byte) (uint64, bool) { return form.ReadDigits(b) }

// ReadHexDigits reads hexadecimal digits in lower case.
func ReadHexDigits(b []byte) (uint64, bool) { return form.ReadHex(b) }

// ReadPlain reads decimal digits without zeros before them.
func ReadPlain(b []byte) (uint64, bool) {
	u, ok := form.ReadDigits(b)
	return u, ok && len(b) == form.DigitsLen(u)
}

// ReadSigned reads an int as decimal text.
func ReadSigned(b []byte) (uint64, bool) { return form.ReadSigned(b) }

// ReadDate reads the digits of a date where pattern has 0.
func ReadDate(b []byte, pattern string) (n uint64, ok bool) {
	if len(b) != len(pattern) {
		return 0, false
	}
	for i := range len(pattern) {
		switch {
		case pattern[i] != '0':
			if b[i] != pattern[i] {
				return 0, false
			}
		case b[i]-'0' > 9:
			return 0, false
		default:
			n = n*10 + uint64(b[i]-'0')
		}
	}
	return n, true
}

// DateSeconds undoes DateNumber; false for what no calendar has.
func DateSeconds(n uint64, elements uint8) (uint64, bool) { return form.DateSeconds(n, elements) }

// RawFloat undoes OrderFloat.
func RawFloat(v uint64, size int) uint64 { return form.RawFloat(v, size) }

// EscapedLen is the length of the escaped text at the beginning of b, −1 if there is none. flip
// is XORed with each byte.
func EscapedLen(b []byte, flip byte) int { return form.EscapedLen(b, flip) }

// LengthLen is the length of the text with its length before it at the beginning of b.
func LengthLen(b []byte, width int, flip byte) int { return form.LengthLen(b, width, flip) }

// Find is the first place of mark in b, −1 if there is none.
func Find(b []byte, mark string) int { return bytes.Index(b, Bytes(mark)) }

// Unescape appends the text of an escaped form to dst, inverted first if flip is ff.
func Unescape(dst, b []byte, flip byte) ([]byte, bool) {
	at := len(dst)
	dst = append(dst, b...)
	if flip != 0 {
		form.Invert(dst[at:])
	}
	n, ok := form.UndoEscape(dst[at:])
	return dst[:at+n], ok
}

// UnescapeOpen is Unescape of a form without the end 00 01.
func UnescapeOpen(dst, b []byte) ([]byte, bool) {
	at := len(dst)
	dst = append(append(dst, b...), 0, 1)
	n, ok := form.UndoEscape(dst[at:])
	return dst[:at+n], ok
}

// UnescapeTrimmed is Unescape of a form whose end 00 01 may be left off.
func UnescapeTrimmed(dst, b []byte) ([]byte, bool) {
	if bytes.HasSuffix(b, []byte{0, 1}) {
		return Unescape(dst, b, 0)
	}
	return UnescapeOpen(dst, b)
}

// NullEnd is the length of the form at the beginning of b of a field that may be null (optional), or
// whose end may be left off (trims). end is the length of a form that has its end, −1 if there is
// none; null is the form of a null. tail says that only fields that may be null come after it.
func NullEnd(b []byte, end int, null string, optional, tail, trims bool) int {
	switch {
	case len(b) == 0 && optional && tail:
		return 0
	case len(b) == 0:
		return -1
	case optional && null != "" && len(b) >= len(null) && string(b[:len(null)]) == null:
		if n := len(null); !tail || n < len(b) {
			return n
		}
		return -1
	case trims && end < 0:
		return len(b)
	case trims && end == len(b):
		return -1
	}
	return end
}

// DecimalEnd is the length of the Numeric at the beginning of b, whose bytes are XOR flip; −1 if there
// is none.
func DecimalEnd(b []byte, flip byte) int { return form.NumericLen(b, flip) }

// ReadDecimal appends the text of a form to dst. It is false for what AppendDecimal does not write.
func ReadDecimal(dst []byte, as Decimal, b []byte, digits, scale int) ([]byte, bool) {
	var room [64]byte
	d, ok := as.Read(room[:0], b)
	if !ok || digits != 0 && (d.Exp > digits-scale || len(d.Digits)-d.Exp > scale) {
		return dst, false
	}
	return d.AppendText(dst), true
}

// Unended is b without the 00 at its end, if there is one.
func Unended(b []byte) []byte { return bytes.TrimSuffix(b, []byte{0}) }

// ReadWhole undoes AppendWhole. It is false for a number that is not whole, or has more than 64 bits.
func ReadWhole(as Decimal, b []byte, signed bool) (uint64, bool) {
	var room [64]byte
	d, ok := as.Read(room[:0], b)
	if !ok {
		return 0, false
	}
	neg, u, ok := d.Whole()
	switch {
	case !ok, neg && !signed:
		return 0, false
	case !signed:
		return u, true
	case neg:
		return -u, u <= 1<<63
	}
	return u, u < 1<<63
}

// GroupsEnd is the length of a header and of the groups of seven bits after it, at the beginning of
// b, whose bytes are XOR flip; −1 if there is no end.
func GroupsEnd(b []byte, flip byte) int {
	if len(b) == 0 {
		return -1
	}
	if n := form.BlobVarLen(b[1:], flip); n >= 0 {
		return n + 1
	}
	return -1
}

// Ungroup appends the bytes of groups of seven bits to dst, inverted first if flip is ff.
func Ungroup(dst, b []byte, flip byte) ([]byte, bool) {
	at := len(dst)
	dst = append(dst, b...)
	if flip != 0 {
		form.Invert(dst[at:])
	}
	n, ok := form.UndoBlobVar(dst[at:])
	return dst[:at+n], ok
}

// ReadTimestamp undoes PutTimestamp. It is false for what is too far from 1970.
func ReadTimestamp(b []byte, xor, rest uint64) (uint64, bool) {
	nanos, ok := form.ReadTimestamp(b, xor, rest)
	return uint64(nanos), ok
}

// UnpackUUID appends the 36 characters of a UUID to dst.
func UnpackUUID(dst, b []byte) ([]byte, bool) {
	return form.UnpackUUID(dst, b)
}

// VarintEnd is the length of the varint at the beginning of b, whose bytes are XOR flip; −1 if b is
// shorter.
func VarintEnd(b []byte, flip byte) int { return form.VarintEnd(b, flip) }

// ReadVarint reads a varint, whose bytes are XOR flip. It is false for a longer form than needed.
func ReadVarint(b []byte, flip byte) (uint64, bool) { return form.ReadVarint(b, flip) }
