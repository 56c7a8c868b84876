package form

import (
	"encoding/binary"
	"math"
)

// A number in binary is big-endian, in 1 to 8 bytes:
//
//	7 in two bytes        00 07
//	65538 in three bytes  01 00 02
//
// Numbers of one width sort as their bytes do.

// Mask has the low n bytes set.
func Mask(n int) uint64 {
	if n >= 8 {
		return math.MaxUint64
	}
	return 1<<(8*n) - 1
}

// AppendUint appends the low n bytes of v, big-endian.
func AppendUint(dst []byte, v uint64, n int) []byte {
	var word [8]byte
	binary.BigEndian.PutUint64(word[:], v<<(64-8*n))
	return append(dst, word[:n]...)
}

// ReadUint is the big-endian number of up to 8 bytes: of 01 00 02 it is 65538.
func ReadUint(b []byte) (v uint64) {
	n := len(b)
	if n >= 4 { // twice 4 bytes, some of them the same
		return uint64(binary.BigEndian.Uint32(b))<<(8*(n-4)&63) | uint64(binary.BigEndian.Uint32(b[n-4:]))
	}
	if n >= 2 {
		return uint64(binary.BigEndian.Uint16(b))<<(8*n&15) | uint64(binary.BigEndian.Uint16(b[n-2:]))
	}
	if n > 0 {
		v = uint64(b[0])
	}
	return
}

// Invert XORs each byte with ff, so that what sorted first sorts last: 61 00 is
// 9e ff.
func Invert(b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		binary.LittleEndian.PutUint64(b, ^binary.LittleEndian.Uint64(b))
	}
	for i := range b {
		b[i] ^= 0xff
	}
}

// BigEndian writes a number as Size big-endian bytes, XOR Xor. In two bytes:
//
//	 7   Xor 0000   00 07
//	 7   Xor ffff   ff f8   unsigned, backward
//	−2   Xor 8000   7f fe   signed: the flipped sign bit puts negative numbers first
//	−2   Xor 7fff   80 01   signed, backward
//	−2   Xor 0000   ff fe   plain two's complement: sorts after 7
type BigEndian struct {
	Size   int
	Xor    uint64
	Signed bool // the highest bit of the size is the sign's
	Head   byte // a byte in front, as it is written; 0: none
}

// Shape has no order if the numbers are plain two's complement and some are negative:
// −2 is ff fe, which sorts after 7, 00 07.
func (n *BigEndian) Shape(first, _ uint64) Shape {
	s := FixedShape(n.Size, directed(n.Xor)).Headed(n.Head)
	if n.raw() && first < 1<<63 {
		s.Dir = NoOrder
	}
	return s
}

// raw reports that the form is plain two's complement.
func (n *BigEndian) raw() bool { return n.Signed && n.Xor == 0 }

func (n *BigEndian) Told() Told { return Told{Width: n.Size, Xor: n.Xor} }

func (n *BigEndian) Facts() Facts {
	f := Facts{Head: n.Head, Binary: true, Xor: n.Xor, Units: n.Size, Unit: "byte", Base: 256}
	if n.Head == 0 {
		f.Word = n.Size
	}
	if n.raw() {
		f.Why, f.Apart = "why-negative", true
	}
	return f
}

func (n *BigEndian) append(dst []byte, u uint64) []byte {
	if n.Head != 0 {
		dst = append(dst, n.Head)
	}
	return AppendUint(dst, u^n.Xor, n.Size)
}

func (n *BigEndian) read(form []byte) (uint64, bool) {
	if n.Head != 0 {
		if len(form) == 0 || form[0] != n.Head {
			return 0, false
		}
		form = form[1:]
	}
	if len(form) != n.Size {
		return 0, false
	}
	u := ReadUint(form) ^ n.Xor
	if n.Signed && n.Size < 8 {
		shift := 64 - 8*n.Size
		u = uint64(int64(u<<shift) >> shift)
	}
	return u, true
}
