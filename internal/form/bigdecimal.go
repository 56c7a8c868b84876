package form

// appendBigDecimal appends a number as PDecimal does: a byte of the exponent to
// the base 100, then each pair of digits as 1 more; of a negative number 101
// less the pair, and 66 behind fewer than twenty. None of these bytes is 00.
//
//	0 is 80, 1 is c102, −1 is 3e6466, 12.345 is c10d2333
func appendBigDecimal(dst []byte, d *Decimal) []byte {
	n, exp := d.pairs()
	switch {
	case n == 0:
		return append(dst, 0x80)
	case d.Neg && exp > mostBigDecimalExp: // below all that are stored
		return append(dst, 0)
	case d.Neg && exp < -mostBigDecimalExp: // between those that are stored and zero
		return append(dst, 0x7f)
	case d.Neg:
		dst = append(dst, byte(0x3f-exp))
		for i := range min(n, mostPairs) {
			dst = append(dst, 101-d.pair(i))
		}
		switch {
		case n > mostPairs: // not stored: below the number of its first pairs, which has no end, and above the next
			dst[len(dst)-1]--
			fallthrough
		case n < mostPairs:
			dst = append(dst, negativeEnd)
		}
		return dst
	case exp > mostBigDecimalExp:
		return append(dst, 0xff)
	case exp < -mostBigDecimalExp:
		return append(dst, 0x81)
	}
	dst = append(dst, byte(0xc0+exp))
	for i := range n {
		dst = append(dst, d.pair(i)+1)
	}
	return dst
}

const (
	negativeEnd = 0x66 // above the 101 of a pair, so that a longer negative number sorts below

	bigDecimalDigits = 38

	mostPairs = 20 // Phoenix has 21 bytes at most

	mostBigDecimalExp = 61 // 100^61: neither 00 nor ff is a byte of the exponent, nor those beside
)

// readBigDecimal reads a whole form, ascending; not yet judged is whether it
// is the one that appendBigDecimal writes.
func readBigDecimal(room, form []byte) (d Decimal, ok bool) {
	switch n := len(form); {
	case n == 0:
		return d, false
	case form[0] == 0x80:
		return d, n == 1
	case form[0] > 0x80:
		for _, b := range form[1:] {
			if b < 1 || b > 100 {
				return d, false
			}
		}
		d = fromPairs(room, false, int(form[0])-0xc0, n-1, func(i int) byte { return form[1+i] - 1 })
	default:
		if form[n-1] == negativeEnd && n > 1 {
			n--
		}
		for _, b := range form[1:n] {
			if b < 2 || b > 101 {
				return d, false
			}
		}
		d = fromPairs(room, true, 0x3f-int(form[0]), n-1, func(i int) byte { return 101 - form[1+i] })
	}
	return d, len(d.Digits) > 0
}
