package form

import "slices"

// A text with its length in front may hold any bytes, and needs no end mark. The length
// has 1 to 4 bytes, big-endian:
//
//	"abc", a length of two bytes   00 03 61 62 63
//	"", a length of one byte       00
//
// Shorter texts sort first, whatever they hold: "b" (01 62) before "aa" (02 61 61). Only
// texts of one length sort as their bytes do.

// MostOfLength is the length of the longest text after a length of width bytes: 255 for
// one byte. From two bytes on, the longest key is the limit: 32767.
func MostOfLength(width int) int { return int(min(Mask(width), MaxKey)) }

// AppendLength puts the length of dst[at:], at most MostOfLength(width), before
// these bytes.
func AppendLength(dst []byte, at, width int) []byte {
	var room [8]byte
	return slices.Insert(dst, at, AppendUint(room[:0], uint64(len(dst)-at), width)...)
}

// LengthLen is the length of the form at the start of b, with its own length bytes: of
// 00 03 61 62 63 64 it is 5. It is −1 if b is shorter than its length bytes say.
func LengthLen(b []byte, width int, flip byte) int {
	if len(b) < width {
		return -1
	}
	n := uint64(0)
	for _, c := range b[:width] {
		n = n<<8 | uint64(c^flip)
	}
	if n > uint64(len(b)-width) {
		return -1
	}
	return width + int(n)
}

// Lengthed is the shape after AppendLength with a length of so many bytes. No form is a
// prefix of another, and shorter forms sort first. dir is the direction that forms of
// different lengths then have: Up for numbers without zeros in front, as 9 and 10.
func (s Shape) Lengthed(bytes int, dir Direction) Shape {
	s = s.Loosened()
	s.Dir = dir
	if most := MostOfLength(bytes); s.Max < 0 || s.Max > most {
		s.Max = most
	}
	s.Min, s.Max = s.Min+bytes, s.Max+bytes
	s.Bytes, s.Free, s.Ends = AllBytes(), true, EndSelf
	return s.Settled()
}
