package mem

import (
	"encoding/binary"
	"unsafe"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// Word8 is the 8 bytes at p as a word, the first byte in the lowest place: of 61 62 00 00 00
// 00 00 00 it is 6261.
func Word8(p unsafe.Pointer) uint64 { return binary.LittleEndian.Uint64((*[8]byte)(p)[:]) }

// PutWord8 writes the bytes that Word8 reads.
func PutWord8(p unsafe.Pointer, u uint64) { binary.LittleEndian.PutUint64((*[8]byte)(p)[:], u) }

// Copy16 copies n bytes, 8 to 16, in two words that may overlap, and gives the words. It and Copy8 do not call Word8: for
// each function that is inlined into another one the compiler may leave an instruction that does nothing.
func Copy16(to, from unsafe.Pointer, n int) (x, y uint64) {
	x = binary.LittleEndian.Uint64((*[8]byte)(from)[:])
	y = binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(from, n-8))[:])
	binary.LittleEndian.PutUint64((*[8]byte)(to)[:], x)
	binary.LittleEndian.PutUint64((*[8]byte)(unsafe.Add(to, n-8))[:], y)
	return x, y
}

// Copy8 copies n bytes, 4 to 7, in two words of 4 bytes that may overlap, and gives both in
// one word.
func Copy8(to, from unsafe.Pointer, n int) uint64 {
	x := binary.LittleEndian.Uint32((*[4]byte)(from)[:])
	y := binary.LittleEndian.Uint32((*[4]byte)(unsafe.Add(from, n-4))[:])
	binary.LittleEndian.PutUint32((*[4]byte)(to)[:], x)
	binary.LittleEndian.PutUint32((*[4]byte)(unsafe.Add(to, n-4))[:], y)
	return uint64(x) | uint64(y)<<32
}

// Copy3 copies n bytes, 1 to 3, and gives a word that holds each of them at least once, and
// no other byte.
func Copy3(to, from unsafe.Pointer, n int) uint64 {
	x, y, z := *(*byte)(from), *(*byte)(unsafe.Add(from, n/2)), *(*byte)(unsafe.Add(from, n-1))
	*(*byte)(to), *(*byte)(unsafe.Add(to, n/2)), *(*byte)(unsafe.Add(to, n-1)) = x, y, z
	return uint64(x)*forms.EachByte&^0xffff | uint64(y)<<8 | uint64(z)
}

// PutWord writes u, big-endian, to the 8 bytes that follow the first n bytes of to. There must
// be room.
func PutWord(to []byte, n int, u uint64) {
	binary.BigEndian.PutUint64((*[8]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(to)), n))[:], u)
}

// Within reports that bytes of a text lie in the memory of b, up to its capacity. Of the empty text it may
// say so, too.
func Within(v string, b []byte) bool {
	return Meets(v, uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(cap(b)))
}

// Near is Within for a text of up to 16 bytes. It does not look at the text's length, so it may say so, too, of one
// that ends less than 16 bytes before b.
func Near(v string, b []byte) bool {
	return uintptr(unsafe.Pointer(unsafe.StringData(v)))-uintptr(unsafe.Pointer(unsafe.SliceData(b)))+16 < uintptr(cap(b))+16
}

// Meets is Within for the size bytes from at on. It is one comparison: what begins after all of them, or ends
// before them, is far from at, as numbers wrap around.
func Meets(v string, at, size uintptr) bool {
	last := uintptr(len(v)) - 1
	return uintptr(unsafe.Pointer(unsafe.StringData(v)))+last-at < size+last
}

// Text is a string with the memory of b: b must not change while the string is in use.
func Text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// BytesAt is the text of the variable at p, a string or bytes. It must not be changed.
func BytesAt(p unsafe.Pointer) []byte {
	v := *(*string)(p)
	return unsafe.Slice(unsafe.StringData(v), len(v))
}
