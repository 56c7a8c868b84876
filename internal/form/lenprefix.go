package form

// A text with its length in front holds any bytes, and needs no end. The length has
// 1 to 4 bytes, big-endian:
//
//	"abc", a length of two bytes   00 03 61 62 63
//	"", a length of one byte       00
//
// Shorter texts stand first, whatever they hold, so that only texts of one length
// sort as their bytes do.

// LongestKey is the longest row key HBase takes: Short.MAX_VALUE.
const LongestKey = 1<<15 - 1

// MostOfLength is the longest text that a length of so many bytes can tell, and a
// key can hold.
func MostOfLength(width int) int { return int(min(Mask(width), LongestKey)) }

// AppendLength puts the length of the bytes dst[at:], at most MostOfLength, in
// front of them.
func AppendLength(dst []byte, at, width int) []byte {
	n := len(dst) - at
	for range width {
		dst = append(dst, 0)
	}
	copy(dst[at+width:], dst[at:at+n])
	AppendUint(dst[:at], uint64(n), width)
	return dst
}

// LengthLen is −1 too if the length tells of more bytes than there are.
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

// Lengthed has the length in front, in bytes of that number, with what a length can
// count to: none begins another, and the shorter ones stand first. That is the order
// dir of numbers without zeros in front, and it does no harm to forms of one length.
func (s Shape) Lengthed(bytes int, dir Direction) Shape {
	s = s.Loosened()
	s.Dir = dir
	if most := MostOfLength(bytes); s.Max < 0 || s.Max > most {
		s.Max = most
	}
	s.Min, s.Max = s.Min+bytes, s.Max+bytes
	s.Bytes, s.Free, s.Ends = AllBytes(), true, EndSelf
	return s.settled()
}
