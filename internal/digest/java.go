package digest

import (
	"hash/crc32"
	"unicode/utf8"
)

// CRC is java.util.zip.CRC32, which hash/crc32 calls IEEE: it starts from ffffffff,
// takes the lowest bit of each byte first, and inverts the result. Of "123456789" it is
// cbf43926. The table is the standard library's. The loop is our own, since a buffer
// given to the library's functions would move to the heap.
func CRC(data []byte) uint32 {
	crc := ^uint32(0)
	for _, b := range data {
		crc = crc32.IEEETable[byte(crc)^b] ^ crc>>8
	}
	return ^crc
}

// JavaString is Java's String.hashCode: h starts from 0, and each UTF-16 unit of the text
// makes it 31·h + unit, in 32 bits. In hex, "a" is 61 and "ab" is 1f·61 + 62 = c21. It is
// false if the text is not UTF-8, since then Java has no such string.
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

// JavaBytes is Java's Arrays.hashCode(byte[]): h starts from 1, and each byte b, signed,
// makes it 31·h + b, in 32 bits. Of 01 it is 31+1 = 32, of ff 31−1 = 30. Phoenix,
// OpenTSDB, HBaseWD and Pinpoint compute their salts with it.
func JavaBytes(b []byte) int32 {
	h := int32(1)
	for ; len(b) >= 4; b = b[4:] { // four at once: one multiplication waits for the old h. One by one: they may just have been written by several stores
		h = 31*31*31*31*h + (31*31*31*int32(int8(b[0])) + 31*31*int32(int8(b[1])) + 31*int32(int8(b[2])) + int32(int8(b[3])))
	}
	for _, c := range b {
		h = 31*h + int32(int8(c))
	}
	return h
}
