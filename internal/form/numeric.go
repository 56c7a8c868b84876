package form

// The headers of a numeric. A number is ±0.p₁p₂… · 100^E with pairs of digits p, p₁ not
// 0. It is small if E ≤ 0, medium if 1 ≤ E ≤ 10, large if E > 10. ~ means XOR ff.
const (
	numNegInf    = 0x07
	numNegLarge  = 0x08 // then ~varuint(E): −1E+30 is 08 ef fd, E being 16
	numNegMedium = 0x13 // the header is 13 − E: −1 is 12 fd
	numNegSmall  = 0x14 // then varuint(−E)
	numZero      = 0x15
	numSmall     = 0x16 // then ~varuint(−E): 0.001 is 16 fe 14, E being −1
	numMedium    = 0x17 // the header is 17 + E: 1 is 18 02
	numLarge     = 0x22 // then varuint(E): 1E+30 is 22 10 02
	numInf       = 0x23

	numericDigits  = 31        // the most decimal digits of a stored number
	mostNumericExp = 1<<16 - 1 // E of the largest stored numbers: 100^65535
)

// appendNumeric appends a number as OrderedBytes.encodeNumeric does: the header, the
// exponent, then each pair of digits p as 2p+1, but the last pair as 2p. In a negative
// number all bytes after the header are XOR ff.
//
//	0         15
//	12.345    18 19 45 64    the pairs 12 34 50
//	−12.345   12 e6 ba 9b
//
// No form is a prefix of another, since only the last pair has the lowest bit 0.
func appendNumeric(dst []byte, d *Decimal) []byte {
	n, exp := d.pairs()
	if n == 0 {
		return append(dst, numZero)
	}
	flip := byte(0)
	if d.Neg {
		flip = 0xff
	}
	head := func(pos, neg byte) byte {
		if d.Neg {
			return neg
		}
		return pos
	}
	switch {
	case exp > mostNumericExp: // beyond all stored numbers
		return append(dst, head(numInf, numNegInf))
	case exp < -mostNumericExp: // between zero and the stored numbers
		return append(dst, head(numSmall, numNegSmall), head(0, 0xff))
	case exp > 10:
		dst = appendVaruint(append(dst, head(numLarge, numNegLarge)), exp, flip)
	case exp > 0:
		dst = append(dst, head(numMedium+byte(exp), numNegMedium-byte(exp)))
	default:
		dst = appendVaruint(append(dst, head(numSmall, numNegSmall)), -exp, ^flip)
	}
	for i := range n {
		p := 2*d.pair(i) + 1
		if i == n-1 {
			p--
		}
		dst = append(dst, p^flip)
	}
	return dst
}

// appendVaruint appends v, at most 65535, as SQLite 4 does, each byte XOR flip. The
// bytes sort as the numbers do, and no form is a prefix of another:
//
//	240     f0          2287    f8 ff
//	241     f1 01       2288    f9 00 00
func appendVaruint(dst []byte, v int, flip byte) []byte {
	switch {
	case v <= 240:
		return append(dst, byte(v)^flip)
	case v <= 2287:
		v -= 240
		return append(dst, byte(241+v>>8)^flip, byte(v)^flip)
	}
	v -= 2288
	return append(dst, 249^flip, byte(v>>8)^flip, byte(v)^flip)
}

// varuint undoes appendVaruint at the start of b: it gives the number and its length n
// in bytes. n is 0 if b does not begin with such a number.
func varuint(b []byte, flip byte) (v, n int) {
	if len(b) == 0 {
		return 0, 0
	}
	switch first := int(b[0] ^ flip); {
	case first <= 240:
		return first, 1
	case first <= 248 && len(b) >= 2:
		return 240 + (first-241)<<8 + int(b[1]^flip), 2
	case first == 249 && len(b) >= 3:
		return 2288 + int(b[1]^flip)<<8 + int(b[2]^flip), 3
	}
	return 0, 0
}

// numericHead reads what stands before the pairs of a numeric, whose bytes are XOR flip:
// the sign of the number, its exponent, and the length n of both in bytes. n is 0 if b
// does not begin with a number other than zero.
func numericHead(b []byte, flip byte) (neg bool, exp, n int) {
	if len(b) == 0 {
		return false, 0, 0
	}
	h := b[0] ^ flip
	switch {
	case h > numNegLarge && h < numNegSmall:
		return true, int(numNegMedium - h), 1
	case h > numMedium && h < numLarge:
		return false, int(h - numMedium), 1
	case h == numNegLarge, h == numSmall:
		exp, n = varuint(b[1:], ^flip)
	case h == numNegSmall, h == numLarge:
		exp, n = varuint(b[1:], flip)
	}
	if n == 0 {
		return false, 0, 0
	}
	if h == numNegSmall || h == numSmall {
		exp = -exp
	}
	return h < numZero, exp, n + 1
}

// NumericLen is the length of the numeric at the start of b, whose bytes are XOR flip;
// −1 if there is none. Of 18 19 45 64 61 it is 4.
func NumericLen(b []byte, flip byte) int {
	if len(b) > 0 && b[0]^flip == numZero {
		return 1
	}
	neg, _, n := numericHead(b, flip)
	if n == 0 {
		return -1
	}
	if neg {
		flip = ^flip
	}
	for ; n < len(b); n++ {
		if (b[n]^flip)&1 == 0 {
			return n + 1
		}
	}
	return -1
}

// readNumeric reads a whole ascending form. It also takes some bytes that appendNumeric
// does not write; DecimalForm.Read refuses them.
func readNumeric(room, form []byte) (Decimal, bool) {
	if NumericLen(form, 0) != len(form) {
		return Decimal{}, false
	}
	if form[0] == numZero {
		return Decimal{}, true
	}
	neg, exp, n := numericHead(form, 0)
	flip := byte(0)
	if neg {
		flip = 0xff
	}
	for _, b := range form[n:] {
		if (b^flip)/2 > 99 {
			return Decimal{}, false
		}
	}
	return fromPairs(room, neg, exp, len(form)-n, func(i int) byte { return (form[n+i] ^ flip) / 2 }), true
}
