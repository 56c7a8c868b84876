package rowkey

import (
	"encoding/binary"
	"math/bits"
)

// Arithmetic of the hot path: digits eight at a time, dates, and a murmur3 that
// goes on from one input to the next.

// ascii8 is v, below 10⁸, as eight digits, the first in the lowest byte: 42 is
// "00000042". Four multiplications take the place of eight divisions.
func ascii8(v uint32) uint64 {
	hi, lo := v/10000, v%10000
	x := uint64(hi) | uint64(lo)<<32
	top := (x * 10486 >> 20) & 0x7f_0000_007f
	x = (x-100*top)<<16 + top
	tens := (x * 103 >> 10) & 0x000f_000f_000f_000f
	return tens + (x-10*tens)<<8 + 0x3030303030303030
}

// putDigits writes u as n digits, 1 to 20, to dst, which has 24 bytes.
func putDigits(dst []byte, u uint64, n int) {
	_ = dst[23]
	if n <= 8 {
		binary.LittleEndian.PutUint64(dst, ascii8(uint32(u))>>(uint(8-n)*8&63))
		return
	}
	q := u / 1e8
	low := ascii8(uint32(u - q*1e8))
	if n > 16 {
		p := q / 1e8
		binary.LittleEndian.PutUint64(dst, ascii8(uint32(p))>>(uint(24-n)*8&63))
		binary.LittleEndian.PutUint64(dst[n-16:], ascii8(uint32(q-p*1e8)))
	} else {
		binary.LittleEndian.PutUint64(dst, ascii8(uint32(q))>>(uint(16-n)*8&63))
	}
	binary.LittleEndian.PutUint64(dst[n-8:], low)
}

// tens are the powers of ten.
var tens = [20]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}

// digitsOf is how many decimal digits u has.
func digitsOf(u uint64) int {
	n := bits.Len64(u|1) * 1233 >> 12
	if n < 20 && u|1 >= tens[n] {
		n++
	}
	return n
}

// number8 is eight digits, the first in the lowest byte, as a number; false if
// one is none.
func number8(w uint64) (uint64, bool) {
	bad := ((w + 0x4646464646464646) | (w - 0x3030303030303030)) & 0x8080808080808080
	w -= 0x3030303030303030
	w = w*10 + w>>8
	w = ((w&0x0000_00ff_0000_00ff)*(100+1000000<<32) + (w>>16&0x0000_00ff_0000_00ff)*(1+10000<<32)) >> 32
	return w, bad == 0
}

// readDigits undoes putDigits: 1 to 20 digits, of a number of 64 bits.
func readDigits(b []byte) (uint64, bool) {
	n := len(b)
	if n < 8 {
		u := uint64(0)
		for _, c := range b {
			if c-'0' > 9 {
				return 0, false
			}
			u = u*10 + uint64(c-'0')
		}
		return u, n > 0
	}
	if n > 20 {
		return 0, false
	}
	low, ok := number8(binary.LittleEndian.Uint64(b[n-8:]))
	if n == 8 {
		return low, ok
	}
	if n <= 16 { // the words overlap: what both have is shifted out
		w := binary.LittleEndian.Uint64(b)<<(uint(16-n)*8&63) | 0x3030303030303030>>(uint(n-8)*8&63)
		if n == 16 {
			w = binary.LittleEndian.Uint64(b)
		}
		high, ok2 := number8(w)
		return high*1e8 + low, ok && ok2
	}
	mid, ok2 := number8(binary.LittleEndian.Uint64(b[n-16:]))
	w := binary.LittleEndian.Uint64(b)<<(uint(24-n)*8&63) | 0x3030303030303030>>(uint(n-16)*8&63)
	high, ok3 := number8(w)
	over, u := bits.Mul64(high, 1e16)
	u, carry := bits.Add64(u, mid*1e8+low, 0)
	return u, ok && ok2 && ok3 && over+carry == 0
}

// hex8 is a number of 32 bits as eight hexadecimal digits, the first in the
// highest byte: beef is "0000beef".
func hex8(v uint32) uint64 {
	x := uint64(v)
	x = (x | x<<16) & 0x0000_ffff_0000_ffff
	x = (x | x<<8) & 0x00ff_00ff_00ff_00ff
	x = (x | x<<4) & 0x0f0f_0f0f_0f0f_0f0f
	letters := (x + 0x0606_0606_0606_0606) >> 4 & eachByte // 1 where the digit is a letter
	return x + 0x3030303030303030 + letters*('a'-'0'-10)
}

// putHex writes u as n hexadecimal digits, 1 to 16, to dst, which has 16 bytes.
func putHex(dst []byte, u uint64, n int) {
	_ = dst[15]
	if n <= 8 {
		binary.BigEndian.PutUint64(dst, hex8(uint32(u))<<(uint(8-n)*8&63))
		return
	}
	binary.BigEndian.PutUint64(dst, hex8(uint32(u>>32))<<(uint(16-n)*8&63))
	binary.BigEndian.PutUint64(dst[n-8:], hex8(uint32(u)))
}

// secondsOfDay is how many seconds a day has.
const secondsOfDay = 86400

// civil is the date of a day since 1970 as the number 20060102, up to the year
// 9999 (Neri and Schneider, Euclidean affine functions, 2022).
func civil(days uint32) uint64 {
	n1 := 4*(days+719468) + 3
	c := n1 / 146097
	n2 := n1%146097 | 3
	p2 := 2939745 * uint64(n2)
	y := 100*c + uint32(p2>>32)
	n3 := 2141*(uint32(p2)/2939745/4) + 197913
	m, d := n3>>16, n3&0xffff/2141
	if m > 12 {
		y++
		m -= 12
	}
	return uint64(y*10000 + m*100 + d + 1)
}

// daysOf undoes civil; false if there is no such day from 1970 on.
func daysOf(ymd uint32) (uint64, bool) {
	y, m, d := ymd/10000, ymd/100%100, ymd%100
	if y < 1970 || y > 9999 || m < 1 || m > 12 || d < 1 || d > 31 {
		return 0, false
	}
	if m <= 2 {
		y--
		m += 12
	}
	c := y / 100
	n := uint64(1461*y/4-c+c/4+(979*m-2919)/32+d) - 1 - 719468
	return n, civil(uint32(n)) == uint64(ymd)
}

// dateNumber is a local time since 1970, cut behind so many of its six elements,
// as a number: of four 2006010215.
func dateNumber(sec uint64, elements uint8) uint64 {
	day := sec / secondsOfDay
	s := uint32(sec - day*secondsOfDay)
	n := civil(uint32(day))
	switch elements {
	case 1:
		n /= 10000
	case 2:
		n /= 100
	case 4:
		n = n*100 + uint64(s/3600)
	case 5:
		n = n*10000 + uint64(s/3600*100+s/60%60)
	case 6:
		n = n*1000000 + uint64(s/3600*10000+s/60%60*100+s%60)
	}
	return n
}

// dateSeconds undoes dateNumber; false if there is no such time from 1970 on.
func dateSeconds(n uint64, elements uint8) (uint64, bool) {
	if n > 99991231_235959 { // whose product with 10000 is another number
		return 0, false
	}
	clock := uint64(0)
	switch elements {
	case 1:
		n = n*10000 + 101
	case 2:
		n = n*100 + 1
	case 4:
		clock = n % 100 * 10000
		n /= 100
	case 5:
		clock = n % 10000 * 100
		n /= 10000
	case 6:
		clock = n % 1000000
		n /= 1000000
	}
	h, m, s := clock/10000, clock/100%100, clock%100
	if n > 99991231 || h > 23 || m > 59 || s > 59 {
		return 0, false
	}
	day, ok := daysOf(uint32(n))
	return day*secondsOfDay + h*3600 + m*60 + s, ok
}

// murmur is a murmur3_x86_32 of several inputs, one behind the other.
type murmur struct {
	h, n uint32
	rest uint64 // the last n mod 4 bytes
}

func murmurRound(h, k uint32) uint32 {
	k = bits.RotateLeft32(k*0xcc9e2d51, 15) * 0x1b873593
	return bits.RotateLeft32(h^k, 13)*5 + 0xe6546b64
}

// text adds a text.
func (s *murmur) text(p []byte) {
	h, rest, r := s.h, s.rest, s.n&3*8
	s.n += uint32(len(p))
	for ; len(p) >= 4; p = p[4:] {
		rest |= uint64(binary.LittleEndian.Uint32(p)) << r
		h = murmurRound(h, uint32(rest))
		rest >>= 32
	}
	for _, c := range p {
		rest |= uint64(c) << (r & 63)
		if r += 8; r == 32 {
			h = murmurRound(h, uint32(rest))
			rest, r = 0, 0
		}
	}
	s.h, s.rest = h, rest
}

// word adds the last size bytes of u, 1 to 8, big-endian.
func (s *murmur) word(u uint64, size int) {
	w := bits.ReverseBytes64(u << (uint(8-size) * 8 & 63))
	r := s.n & 3 * 8
	s.n += uint32(size)
	rest, over := s.rest|w<<r, w>>(64-r) // a shift by 64 gives 0
	for in := r + uint32(size)*8; in >= 32; in -= 32 {
		s.h = murmurRound(s.h, uint32(rest))
		rest = rest>>32 | over<<32
		over >>= 32
	}
	s.rest = rest
}

// sum is the hash of all that was added.
func (s *murmur) sum() uint32 {
	h := s.h ^ bits.RotateLeft32(uint32(s.rest)*0xcc9e2d51, 15)*0x1b873593
	h ^= s.n
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}
