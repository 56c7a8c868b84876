package digest

import (
	"hash/crc32"
	"unicode/utf8"
)

// crc32Of is java.util.zip.CRC32, which hash/crc32 calls IEEE: from ffffffff,
// the lowest bit of each byte first, and inverted at the end. The table is the
// standard library's and the loop our own: what is given to its functions
// escapes, and every caller's scratch with it. Of "123456789" it is cbf43926.
func crc32Of(data []byte) uint32 {
	crc := ^uint32(0)
	for _, b := range data {
		crc = crc32.IEEETable[byte(crc)^b] ^ crc>>8
	}
	return ^crc
}

// JavaString is String.hashCode over the UTF-16 units of a text, from 0,
// h = 31h + unit in 32 bits: of "ab" 31·61 + 62 = c21 in hex. False if the text
// is not UTF-8, since Java has no such string.
func JavaString(text []byte) (h int32, ok bool) {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if r == utf8.RuneError && n <= 1 {
			return 0, false
		}
		text = text[n:]
		if r >= 0x10000 {
			r -= 0x10000
			h = 31*h + 0xd800 + r>>10
			r = 0xdc00 + r&0x3ff
		}
		h = 31*h + r
	}
	return h, true
}

// JavaBytes is Java's Arrays.hashCode(byte[]): from 1, h = 31h + b with signed
// bytes, in 32 bits: of 01 it is 32, of ff 30. Phoenix, OpenTSDB, HBaseWD and
// Pinpoint salt with it.
func JavaBytes(b []byte) int32 {
	h := int32(1)
	for ; len(b) >= 4; b = b[4:] { // four steps in one, of which the last waits for the one before alone
		h = 31*31*31*31*h + (31*31*31*int32(int8(b[0])) + 31*31*int32(int8(b[1])) + 31*int32(int8(b[2])) + int32(int8(b[3])))
	}
	for _, c := range b {
		h = 31*h + int32(int8(c))
	}
	return h
}
