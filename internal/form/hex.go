package form

import (
	"encoding/binary"
)

// Hexadecimal digits are lower case, with zeros in front up to a width:
//
//	48879, beef, in six digits   30 30 62 65 65 66
//
// They sort as their numbers do, since in ASCII the letters (61 to 66) come after the
// digits (30 to 39). Only the digits of a hash can be upper case.

// HexLower and HexUpper are the hexadecimal digits in order.
const (
	HexLower = "0123456789abcdef"
	HexUpper = "0123456789ABCDEF"
)

// Hex8 is a number of 32 bits as eight hexadecimal digits, the first in the highest
// byte: of beef it is 3030303062656566.
func Hex8(v uint32) uint64 {
	x := uint64(v)
	x = (x | x<<16) & 0x0000_ffff_0000_ffff
	x = (x | x<<8) & 0x00ff_00ff_00ff_00ff
	x = (x | x<<4) & 0x0f0f_0f0f_0f0f_0f0f
	letters := (x + 0x0606_0606_0606_0606) >> 4 & EachByte // 1 where the digit is a letter
	return x + 0x3030303030303030 + letters*('a'-'0'-10)
}

// Upper changes hexadecimal digits to upper case: 3cd becomes 3CD.
func Upper(digits []byte) {
	for i, d := range digits {
		if d >= 'a' {
			digits[i] = d - 'a' + 'A'
		}
	}
}

// AppendHex appends u as n hexadecimal digits, 1 to 16. u must not have more than n.
func AppendHex(dst []byte, u uint64, n int) []byte {
	var few [16]byte
	if n <= 8 {
		binary.BigEndian.PutUint64(few[:], Hex8(uint32(u))<<(uint(8-n)*8&63))
	} else {
		binary.BigEndian.PutUint64(few[:], Hex8(uint32(u>>32))<<(uint(16-n)*8&63))
		binary.BigEndian.PutUint64(few[n-8:], Hex8(uint32(u)))
	}
	return append(dst, few[:n]...)
}

// unhex8 undoes Hex8. It is false if a byte of w is not a lower-case hexadecimal digit.
func unhex8(w uint64) (uint32, bool) {
	x := w&(0x0f*EachByte) + w>>6&EachByte*9 // wrong where a byte is not a digit; the last line finds that
	x = (x | x>>4) & 0x00ff_00ff_00ff_00ff
	x = (x | x>>8) & 0x0000_ffff_0000_ffff
	v := uint32(x | x>>16)
	return v, Hex8(v) == w
}

// ReadHex undoes AppendHex; upper case is refused.
func ReadHex(b []byte) (v uint64, ok bool) {
	for ; len(b) >= 8; b = b[8:] {
		u, ok := unhex8(binary.BigEndian.Uint64(b))
		if !ok {
			return 0, false
		}
		v = v<<32 | uint64(u)
	}
	for _, c := range b {
		switch {
		case c >= '0' && c <= '9':
			v = v<<4 | uint64(c-'0')
		case c >= 'a' && c <= 'f':
			v = v<<4 | uint64(c-'a'+10)
		default:
			return 0, false
		}
	}
	return v, true
}

// Hex writes a number, XOR Xor, as N hexadecimal digits. beef in four digits is
// 62 65 65 66; with Xor ffff, backward, it is "4110", 34 31 31 30.
type Hex struct {
	N   int
	Xor uint64
}

func (n *Hex) Shape(_, _ uint64) Shape {
	return FixedShape(n.N, turned(Up, n.Xor != 0)).Limited(BytesOf(HexLower))
}

func (n *Hex) Told() Told { return Told{Form: toldHex, Width: n.N, Xor: n.Xor} }

func (n *Hex) Facts() Facts { return Facts{Units: n.N, Unit: "hexadecimal digit", Base: 16} }

func (n *Hex) append(dst []byte, u uint64) []byte { return AppendHex(dst, u^n.Xor, n.N) }

func (n *Hex) read(form []byte) (uint64, bool) {
	u, ok := ReadHex(form)
	return u ^ n.Xor, ok && len(form) == n.N
}
