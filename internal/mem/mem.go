package mem

import (
	"encoding/binary"
	"unsafe"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// Word8 is the 8 bytes at p, and word4 its 4, the first the lowest.
func Word8(p unsafe.Pointer) uint64 { return binary.LittleEndian.Uint64((*[8]byte)(p)[:]) }

func word4(p unsafe.Pointer) uint32 { return binary.LittleEndian.Uint32((*[4]byte)(p)[:]) }

// PutWord8 and putWord4 undo Word8 and word4.
func PutWord8(p unsafe.Pointer, u uint64) { binary.LittleEndian.PutUint64((*[8]byte)(p)[:], u) }

func putWord4(p unsafe.Pointer, u uint32) { binary.LittleEndian.PutUint32((*[4]byte)(p)[:], u) }

// Copy16 copies n bytes, 8 to 16, in two words that may overlap, and gives the words.
func Copy16(to, from unsafe.Pointer, n int) (x, y uint64) {
	x, y = Word8(from), Word8(unsafe.Add(from, n-8))
	PutWord8(to, x)
	PutWord8(unsafe.Add(to, n-8), y)
	return x, y
}

// Copy8 is Copy16 of 4 to 7 bytes, whose two words are the halves of one.
func Copy8(to, from unsafe.Pointer, n int) uint64 {
	x, y := word4(from), word4(unsafe.Add(from, n-4))
	putWord4(to, x)
	putWord4(unsafe.Add(to, n-4), y)
	return uint64(x) | uint64(y)<<32
}

// Copy3 is Copy8 of 1 to 3 bytes: the word holds these, some of them again and again.
func Copy3(to, from unsafe.Pointer, n int) uint64 {
	x, y, z := *(*byte)(from), *(*byte)(unsafe.Add(from, n/2)), *(*byte)(unsafe.Add(from, n-1))
	*(*byte)(to), *(*byte)(unsafe.Add(to, n/2)), *(*byte)(unsafe.Add(to, n-1)) = x, y, z
	return uint64(x)*forms.EachByte&^0xffff | uint64(y)<<8 | uint64(z)
}

// Text16, Text8 and Text3 are these of a text, to where there is room for it.
func Text16(to []byte, v string) (x, y uint64) {
	return Copy16(unsafe.Pointer(unsafe.SliceData(to)), unsafe.Pointer(unsafe.StringData(v)), len(v))
}

func Text8(to []byte, v string) uint64 {
	return Copy8(unsafe.Pointer(unsafe.SliceData(to)), unsafe.Pointer(unsafe.StringData(v)), len(v))
}

func Text3(to []byte, v string) uint64 {
	return Copy3(unsafe.Pointer(unsafe.SliceData(to)), unsafe.Pointer(unsafe.StringData(v)), len(v))
}

// PutWord stores u behind n bytes of to, where there is room for it.
func PutWord(to []byte, n int, u uint64) {
	binary.BigEndian.PutUint64((*[8]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(to)), n))[:], u)
}

// Text is bytes as a text that lives as long as they stay.
func Text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
