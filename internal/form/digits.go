package form

import (
	"encoding/binary"
	"math/bits"
)

// Decimal digits are the ASCII text of a number. It has zeros in front up to a width,
// or no zeros in front:
//
//	42 in five digits        30 30 30 34 32
//	42 without zeros         34 32
//
// Digits of one width sort as their numbers do. Digits without zeros in front do not:
// "10" (31 30) sorts before "9" (39).
//
// Eight digits are written and read at a time.

// ascii8 is v, which is below 10⁸, as eight digits, the first in the lowest byte: 42
// is 3234303030303030. Four multiplications take the place of eight divisions.
func ascii8(v uint32) uint64 {
	hi, lo := v/10000, v%10000
	x := uint64(hi) | uint64(lo)<<32
	top := (x * 10486 >> 20) & 0x7f_0000_007f
	x = (x-100*top)<<16 + top
	tens := (x * 103 >> 10) & 0x000f_000f_000f_000f
	return tens + (x-10*tens)<<8 + 0x3030303030303030
}

// FewDigits is u, which is below 10⁸, as eight digits, the first in the highest byte: 42 is 3030303030303432.
func FewDigits(u uint64) uint64 { return bits.ReverseBytes64(ascii8(uint32(u))) }

// PutDigits writes u as n digits, 1 to 20, to dst, which has 24 bytes. u must not have more than n.
func PutDigits(dst []byte, u uint64, n int) {
	if n <= 8 {
		binary.LittleEndian.PutUint64(dst, ascii8(uint32(u))>>(uint(8-n)*8&63))
		return
	}
	q := u / 1e8
	if n <= 16 { // not by a call
		binary.LittleEndian.PutUint64(dst, ascii8(uint32(q))>>(uint(16-n)*8&63))
	} else {
		PutDigits(dst, q, n-8)
	}
	binary.LittleEndian.PutUint64(dst[n-8:], ascii8(uint32(u-q*1e8)))
}

// tens are the powers of ten.
var tens = [20]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}

// DigitsLen is how many decimal digits u has.
func DigitsLen(u uint64) int {
	n := bits.Len64(u|1) * 1233 >> 12
	if n < 20 && u|1 >= tens[n] {
		n++
	}
	return n
}

// Pow10 is 10ⁿ for n up to 19.
func Pow10(n int) uint64 { return tens[n] }

// AppendDigits appends u as n digits, 1 to 20. u must not have more than n.
func AppendDigits(dst []byte, u uint64, n int) []byte {
	if n == 2 { // usual of a salt
		return append(dst, '0'+byte(u/10), '0'+byte(u%10))
	}
	var few [24]byte
	PutDigits(few[:], u, n)
	return append(dst, few[:n]...)
}

// number8 undoes ascii8. It is false if a byte of w is not a digit.
func number8(w uint64) (uint64, bool) {
	bad := ((w + 0x4646464646464646) | (w - 0x3030303030303030)) & 0x8080808080808080
	w -= 0x3030303030303030
	w = w*10 + w>>8
	w = ((w&0x0000_00ff_0000_00ff)*(100+1000000<<32) + (w>>16&0x0000_00ff_0000_00ff)*(1+10000<<32)) >> 32
	return w, bad == 0
}

// ReadFew is the number of the last n of 8 bytes, which w holds, the first in the lowest place: of "user_123" and n = 3 it
// is 123. It is false if one of them is not a digit.
func ReadFew(w uint64, n int) (uint64, bool) {
	other := ^uint64(0) >> (n * 8 & 127)
	return number8(w&^other | 0x3030303030303030&other)
}

// ReadDigits undoes PutDigits: it reads 1 to 20 digits. It is false if a byte is not a
// digit, or if the number has more than 64 bits.
func ReadDigits(b []byte) (u uint64, ok bool) {
	if len(b) == 0 || len(b) > 20 {
		return 0, false
	}
	few := len(b) & 7
	if len(b) > 8 {
		if u, ok = ReadFew(binary.LittleEndian.Uint64(b)<<((8-few)*8&63), few); !ok {
			return 0, false
		}
	} else {
		for _, c := range b[:few] {
			if c-'0' > 9 {
				return 0, false
			}
			u = u*10 + uint64(c-'0')
		}
	}
	over := uint64(0)
	for b = b[few:]; len(b) > 0; b = b[8:] {
		eight, ok := number8(binary.LittleEndian.Uint64(b))
		if !ok {
			return 0, false
		}
		over, u = bits.Mul64(u, 1e8)
		var carry uint64
		if u, carry = bits.Add64(u, eight, 0); over+carry != 0 {
			return 0, false
		}
	}
	return u, true
}

// ComplementDigits turns each digit d into 9 − d, which turns the order round: 30 30 37
// becomes 39 39 32.
func ComplementDigits(b []byte) {
	for i := range b {
		b[i] = '0' + '9' - b[i]
	}
}

// Digits writes a number as N decimal digits with zeros in front. 42 in five digits is
// 30 30 30 34 32; complemented, 99999 − 42, it is 39 39 39 35 37.
type Digits struct {
	N     int
	Nines uint64 // 10ⁿ−1 where the digits are complemented, else 0
	Xor   uint64 // the number is XORed with this before it is written
}

func (n *Digits) Shape(_, _ uint64) Shape {
	return FixedShape(n.N, turned(Up, n.Nines != 0 || n.Xor != 0)).Limited(decimals)
}

func (n *Digits) Told() Told { return Told{Form: toldDigits, Width: n.N, Xor: n.Xor, Nines: n.Nines} }

func (n *Digits) Facts() Facts { return Facts{Units: n.N, Unit: "digit", Base: 10} }

func (n *Digits) append(dst []byte, u uint64) []byte {
	if u ^= n.Xor; n.Nines != 0 {
		u = n.Nines - u
	}
	return AppendDigits(dst, u, n.N)
}

func (n *Digits) read(form []byte) (uint64, bool) {
	u, ok := ReadDigits(form)
	if n.Nines != 0 {
		u = n.Nines - u
	}
	return u ^ n.Xor, ok && len(form) == n.N
}

// decimals are the bytes 30 to 39.
var decimals = BytesOf("0123456789")
