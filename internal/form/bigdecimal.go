package form

// appendBigDecimal appends a number as Phoenix's PDecimal does: one byte for the
// exponent to the base 100, then one byte for each pair of decimal digits. Zero is
// the byte 80.
//
//	            exponent e   pair p     after fewer than 20 pairs
//	positive    c0 + e       p + 1      nothing
//	negative    3f − e       101 − p    66
//
//	0         80
//	1         c1 02
//	12.345    c1 0d 23 33       the pairs 12 34 50
//	−1        3e 64 66
//	−12.345   3e 59 43 33 66
//	1E+37     d3 0b             the exponent 19, the pair 10
//
// No byte of a stored number is 00, so 00 can be a separator.
func appendBigDecimal(dst []byte, d *Decimal) []byte {
	n, exp := d.pairs()
	switch {
	case n == 0:
		return append(dst, 0x80)
	case d.Neg && exp > mostBigDecimalExp: // below all stored numbers
		return append(dst, 0)
	case d.Neg && exp < -mostBigDecimalExp: // above all stored negative numbers, below zero
		return append(dst, 0x7f)
	case d.Neg:
		dst = append(dst, byte(0x3f-exp))
		for i := range min(n, mostPairs) {
			dst = append(dst, 101-d.pair(i))
		}
		switch {
		case n > mostPairs: // never stored; sorts between the two stored numbers of 20 pairs beside it
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
	negativeEnd = 0x66 // 102; a pair is at most 101 (65), so −1.01 (3e 64 64 66) sorts below −1 (3e 64 66)

	bigDecimalDigits = 38

	mostPairs = 20 // Phoenix has 21 bytes at most

	mostBigDecimalExp = 61 // of 100^61: the bytes fd and 02; so 00 and ff are free for larger numbers
)

// readBigDecimal reads a whole ascending form. It also takes some bytes that
// appendBigDecimal does not write, such as c1 01 02 for 0.01; DecimalForm.Read
// refuses them.
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
