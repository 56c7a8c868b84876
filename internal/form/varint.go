package form

import (
	"encoding/binary"
	"math/bits"
)

// A varint is a number in 1 to 9 bytes. The first byte begins with as many 1 bits as
// bytes follow, then a 0 bit; the other bits are the number, big-endian. Only the
// shortest form of a number is written and read:
//
//	first byte   bytes   numbers up to
//	0xxxxxxx     1       127
//	10xxxxxx     2       16383
//	110xxxxx     3       2097151
//	1110xxxx     4       268435455
//	11110xxx     5       2³⁵−1
//	111110xx     6       2⁴²−1
//	1111110x     7       2⁴⁹−1
//	11111110     8       2⁵⁶−1
//	11111111     9       2⁶⁴−1
//
//	0            00
//	127          7f
//	128          80 80
//	300          81 2c
//	16383        bf ff
//	16384        c0 40 00
//	2⁵⁶          ff 01 00 00 00 00 00 00 00
//
// The forms sort as the numbers do: a longer form begins with more 1 bits, and forms of
// one length are big-endian numbers. No form is a prefix of another, so any bytes may
// follow. With each byte XOR ff the forms sort backward: 127 is 80, and 128 is 7f 7f.
//
// SQLite 4 and CockroachDB also put the length into the first byte of numbers that sort,
// but their bytes are different.

// Varint writes a number as a varint. Two things turn the order round: the number is XOR
// Xor, or each byte of the form is XOR Flip. 128 with Flip ff is 7f 7f.
type Varint struct {
	Xor  uint64
	Flip byte // 00 or ff
}

// VarintLen is the length of the form of u, 1 to 9: of 300 it is 2.
func VarintLen(u uint64) int {
	if n := (bits.Len64(u|1) + 6) / 7; n <= 8 {
		return n
	}
	return 9
}

func (n *Varint) Shape(first, last uint64) Shape {
	s := Shape{Ends: EndSelf, Free: true, Bytes: AllBytes(), Dir: turned(Up, n.Xor != 0 || n.Flip != 0)}
	if n.Xor != 0 {
		first, last = n.Xor-min(last, n.Xor), n.Xor-min(first, n.Xor)
	}
	s.Min, s.Max = VarintLen(first), VarintLen(last)
	return s.Settled()
}

func (n *Varint) Told() Told { return Told{Form: toldVarint, Xor: n.Xor, Nines: uint64(n.Flip)} }

func (n *Varint) Facts() Facts { return Facts{Binary: true} }

func (n *Varint) append(dst []byte, u uint64) []byte {
	var few [9]byte
	return append(dst, few[:n.Put(few[:], u)]...)
}

// Put writes the form of u to out, which has 9 bytes or more, and gives its length. It may write more than that.
func (n *Varint) Put(out []byte, u uint64) int {
	u ^= n.Xor
	size, at := VarintLen(u), 0
	if size == 9 {
		out[0], at = 0xff^n.Flip, 1
	} else {
		u = u<<(64-8*size) | 0xff<<(65-size)
	}
	binary.BigEndian.PutUint64(out[at:], u^uint64(n.Flip)*EachByte)
	return size
}

// len is the length of the form at the start of b, whose bytes are XOR flip; −1 if b is
// shorter than that.
func (n *Varint) len(b []byte, flip byte) int { return VarintEnd(b, n.Flip^flip) }

func (n *Varint) read(form []byte) (uint64, bool) {
	u, ok := ReadVarint(form, n.Flip)
	return u ^ n.Xor, ok
}

// VarintEnd is the length of the form at the start of b, whose bytes are XOR flip; −1 if b is
// shorter than that.
func VarintEnd(b []byte, flip byte) int {
	if len(b) == 0 {
		return -1
	}
	size := 1 + bits.LeadingZeros8(^(b[0] ^ flip))
	if size > len(b) {
		return -1
	}
	return size
}

// ReadVarint is the number of a form whose bytes are XOR flip.
func ReadVarint(form []byte, flip byte) (u uint64, ok bool) {
	u, to, ok := TakeVarint(form, 0, flip)
	return u, ok && to == len(form)
}

// TakeVarint is the number of the form at pos of key, whose bytes are XOR flip, and where it ends.
func TakeVarint(key []byte, pos int, flip byte) (u uint64, to int, ok bool) {
	size := VarintEnd(key[pos:], flip)
	if to = pos + size; size < 0 {
		return 0, 0, false
	} else if to >= 8 {
		u = binary.BigEndian.Uint64(key[to-8 : to])
	} else {
		u = ReadUint(key[:to])
	}
	above := 64 - 7*size - size>>3 // the bits before the number: of 9 bytes none, and of 8 not the 0 bit
	u = (u ^ uint64(flip)*EachByte) << (above & 63) >> (above & 63)
	return u, to, size == 1 || u>>(7*size-7&63) != 0
}
