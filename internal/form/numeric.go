package form

// The headers of a numeric. A number is ±0.p₁p₂… · 100^E, p₁ not 0: large if E
// is above 10, small if it is not above 0, medium otherwise.
const (
	numNegInf    = 0x07
	numNegLarge  = 0x08 // then ~varuint(E)
	numNegMedium = 0x13 // less E, so that −1 is 12 …
	numNegSmall  = 0x14 // then varuint(−E)
	numZero      = 0x15
	numSmall     = 0x16 // then ~varuint(−E)
	numMedium    = 0x17 // and E, so that 1 is 18 …
	numLarge     = 0x22 // then varuint(E)
	numInf       = 0x23

	numericDigits  = 31        // of a number
	mostNumericExp = 1<<16 - 1 // 100^65535: four bytes of exponent
)

// appendNumeric appends a number as OrderedBytes.encodeNumeric does: header,
// exponent, then each pair of digits as 2p+1, the last one as 2p. All but the
// header is complemented in a negative number. No form begins another, since
// the last pair is told by its lowest bit.
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
	case exp > mostNumericExp: // larger than any that is stored
		return append(dst, head(numInf, numNegInf))
	case exp < -mostNumericExp: // between those that are stored and zero
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

// appendVaruint appends a number as SQLite 4 does, each byte XOR flip: larger
// numbers sort behind, and no form begins another. E is at most 65535.
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

// varuint undoes appendVaruint: the number, and how many bytes it takes; 0
// bytes if b does not begin with one.
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

// numericHead is what stands in front of the pairs of a numeric: the exponent,
// its sign, and how many bytes that took; 0 bytes if there is none. The form is
// inverted by flip.
func numericHead(b []byte, flip byte) (neg bool, exp, n int) {
	if len(b) == 0 {
		return false, 0, 0
	}
	switch h := b[0] ^ flip; {
	case h > numNegLarge && h < numNegSmall:
		return true, int(numNegMedium - h), 1
	case h > numMedium && h < numLarge:
		return false, int(h - numMedium), 1
	case h == numNegLarge, h == numLarge:
		neg = h == numNegLarge
		if neg {
			flip = ^flip
		}
		exp, n = varuint(b[1:], flip)
	case h == numNegSmall, h == numSmall:
		neg = h == numNegSmall
		if !neg {
			flip = ^flip
		}
		exp, n = varuint(b[1:], flip)
		exp = -exp
	default:
		return false, 0, 0
	}
	if n == 0 {
		return false, 0, 0
	}
	return neg, exp, n + 1
}

// NumericLen is the length of the numeric at the head of b, inverted by flip;
// −1 if there is none.
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

// readNumeric reads a whole form, ascending; not yet judged is whether it is
// the one that appendNumeric writes.
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
