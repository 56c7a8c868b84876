package rowkey

import (
	"fmt"
	"math"
	"strconv"
)

// Decimals. Go has none of its own, so that one comes and goes as text, which
// every library of decimals reads and writes. Inside, the value of such a field
// is its ascending stored form: those bytes sort as the numbers do, so whatever
// holds for a text holds for it, down to the spans of a query.

// decimal is ±0.d₁d₂…dₙ · 10^exp, d₁ and dₙ not 0; n = 0 is zero.
type decimal struct {
	neg    bool
	digits []byte // 0 … 9
	exp    int
}

// mostExp bounds the exponents that are told apart; what lies beyond is larger,
// or smaller, than any stored number.
const mostExp = 1 << 30

// setText reads a number: an optional sign, digits with at most one point among
// them, and an optional exponent; false if it is anything else. The digits are
// appended to d.digits.
func setText[T string | []byte](d *decimal, text T) bool {
	i := 0
	if i < len(text) && (text[i] == '-' || text[i] == '+') {
		d.neg = text[i] == '-'
		i++
	}
	point, some := false, false
	for ; i < len(text); i++ {
		c := text[i]
		if c == '.' && !point {
			point = true
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		some = true
		if c != '0' || len(d.digits) > 0 {
			d.digits = append(d.digits, c-'0')
			if !point {
				d.exp++
			}
		} else if point {
			d.exp--
		}
	}
	if !some {
		return false
	}
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		i++
		sign := 1
		if i < len(text) && (text[i] == '-' || text[i] == '+') {
			if text[i] == '-' {
				sign = -1
			}
			i++
		}
		from, e := i, 0
		for ; i < len(text) && text[i] >= '0' && text[i] <= '9'; i++ {
			e = min(e*10+int(text[i]-'0'), mostExp/10)
		}
		if i == from {
			return false
		}
		d.exp += sign * e
	}
	d.trim()
	return i == len(text)
}

// setInt is a whole number.
func (d *decimal) setInt(neg bool, magnitude uint64) {
	var text [20]byte
	for _, c := range strconv.AppendUint(text[:0], magnitude, 10) {
		d.digits = append(d.digits, c-'0')
	}
	d.neg, d.exp = neg, len(d.digits)
	d.trim()
}

// trim makes the digits the least there can be.
func (d *decimal) trim() {
	for n := len(d.digits); n > 0 && d.digits[n-1] == 0; n-- {
		d.digits = d.digits[:n-1]
	}
	lead := 0
	for lead < len(d.digits) && d.digits[lead] == 0 {
		lead++
	}
	d.digits = d.digits[lead:]
	if d.exp -= lead; len(d.digits) == 0 {
		d.neg, d.exp = false, 0
	}
}

// plainZeros is how many zeros a number in text has at most that are no digits
// of its own; beyond, it has an exponent.
const plainZeros = 20

// appendText appends the number as text: -12.345, 0.001, 100000, and with an
// exponent what would have many zeros: 1.5E+300, 1E-21.
func (d *decimal) appendText(dst []byte) []byte {
	n := len(d.digits)
	if n == 0 {
		return append(dst, '0')
	}
	if d.neg {
		dst = append(dst, '-')
	}
	digits := func(b []byte) {
		for _, c := range b {
			dst = append(dst, '0'+c)
		}
	}
	zeros := func(n int) {
		for range n {
			dst = append(dst, '0')
		}
	}
	switch {
	case d.exp > n+plainZeros || d.exp < -plainZeros:
		digits(d.digits[:1])
		if n > 1 {
			dst = append(dst, '.')
			digits(d.digits[1:])
		}
		dst = append(dst, 'E')
		if d.exp > 0 {
			dst = append(dst, '+')
		}
		return strconv.AppendInt(dst, int64(d.exp)-1, 10)
	case d.exp >= n:
		digits(d.digits)
		zeros(d.exp - n)
	case d.exp > 0:
		digits(d.digits[:d.exp])
		dst = append(dst, '.')
		digits(d.digits[d.exp:])
	default:
		dst = append(dst, '0', '.')
		zeros(-d.exp)
		digits(d.digits)
	}
	return dst
}

// whole is the number as a sign and a magnitude; false if it has a fraction or
// is too large.
func (d *decimal) whole() (neg bool, magnitude uint64, ok bool) {
	if d.exp > 20 || len(d.digits) > d.exp {
		return false, 0, false
	}
	for i := range d.exp {
		digit := uint64(0)
		if i < len(d.digits) {
			digit = uint64(d.digits[i])
		}
		if magnitude > (math.MaxUint64-digit)/10 {
			return false, 0, false
		}
		magnitude = magnitude*10 + digit
	}
	return d.neg, magnitude, true
}

// pairs is the digits two by two, as numbers to the base 100: the number is
// ±0.p₁p₂… · 100^exp.
func (d *decimal) pairs() (n, exp int) {
	odd := d.exp & 1 // the first pair has one digit
	return (len(d.digits) + odd + 1) / 2, (d.exp + odd) / 2
}

// pair is pair i.
func (d *decimal) pair(i int) byte {
	at := 2*i - d.exp&1
	var p byte
	if at >= 0 {
		p = 10 * d.digits[at]
	}
	if at+1 < len(d.digits) {
		p += d.digits[at+1]
	}
	return p
}

// setPairs undoes pairs; each is 0 to 99.
func (d *decimal) setPairs(exp int, n int, pair func(int) byte) {
	for i := range n {
		p := pair(i)
		d.digits = append(d.digits, p/10, p%10)
	}
	d.exp = 2 * exp
	d.trim()
}

// decimalForm is how a dialect writes decimals.
type decimalForm uint8

const (
	noDecimal      decimalForm = iota
	formNumeric                // OrderedBytes
	formBigDecimal             // Phoenix
)

// append appends the ascending form of a number. Those that cannot be stored
// have one too, in its place among the others, so that a query may name them.
func (f decimalForm) append(dst []byte, d *decimal) []byte {
	if f == formNumeric {
		return appendNumeric(dst, d)
	}
	return appendBigDecimal(dst, d)
}

// parse undoes append for what can be stored; false for all else. The digits
// are appended to d.digits.
func (f decimalForm) parse(d *decimal, form []byte) bool {
	ok := false
	if f == formNumeric {
		ok = parseNumeric(d, form)
	} else {
		ok = parseBigDecimal(d, form)
	}
	if !ok || !f.storable(d) {
		return false
	}
	var scratch [64]byte
	return string(f.append(scratch[:0], d)) == string(form) // no second form of a number
}

// The most digits of a number: HBase and Phoenix round what has more; here none is
// rounded.
const (
	numericDigits    = 31
	bigDecimalDigits = 38
)

// storable reports that a number has a form that is read back as it is.
func (f decimalForm) storable(d *decimal) bool {
	_, exp := d.pairs()
	if f == formNumeric {
		return len(d.digits) <= numericDigits && exp >= -mostNumericExp && exp <= mostNumericExp
	}
	return len(d.digits) <= bigDecimalDigits && exp >= -mostBigDecimalExp && exp <= mostBigDecimalExp
}

// refused says why a number is not storable.
func (f decimalForm) refused(d *decimal) error {
	most, exp := bigDecimalDigits, 2*mostBigDecimalExp
	if f == formNumeric {
		most, exp = numericDigits, 2*mostNumericExp
	}
	if n := len(d.digits); n > most {
		return &detail{fmt.Sprintf("%d digits, at most %d", n, most), ErrRange}
	}
	return &detail{fmt.Sprintf("its magnitude lies outside 1E%d to 1E+%d", -exp-2, exp), ErrRange}
}

// appendNumber appends the ascending form of a number in text that is to be
// stored.
func appendNumber[T string | []byte](f decimalForm, dst []byte, text T) ([]byte, error) {
	var room [64]byte
	d := decimal{digits: room[:0]}
	switch {
	case !setText(&d, text):
		return dst, &detail{"not a decimal number", ErrRange}
	case !f.storable(&d):
		return dst, f.refused(&d)
	}
	return f.append(dst, &d), nil
}

// appendAsText appends the text of a stored number.
func (f decimalForm) appendAsText(dst, form []byte) []byte {
	var room [64]byte
	d := decimal{digits: room[:0]}
	if !f.parse(&d, form) {
		return dst
	}
	return d.appendText(dst)
}

// appendWhole appends the ascending form of an integer's num.
func (f decimalForm) appendWhole(dst []byte, u uint64, signed bool) []byte {
	var room [20]byte
	d := decimal{digits: room[:0]}
	if neg := signed && int64(u) < 0; neg {
		d.setInt(true, -u)
	} else {
		d.setInt(false, u)
	}
	return f.append(dst, &d)
}

// parseWhole undoes appendWhole.
func (f decimalForm) parseWhole(form []byte, signed bool) (uint64, bool) {
	var room [64]byte
	d := decimal{digits: room[:0]}
	if !f.parse(&d, form) {
		return 0, false
	}
	neg, magnitude, ok := d.whole()
	switch {
	case !ok, neg && !signed, neg && magnitude > signBit64, signed && !neg && magnitude > maxInt64:
		return 0, false
	case neg:
		magnitude = -magnitude
	}
	return magnitude, true
}

// shape is what is known of the forms: the order of their bytes is that of the
// numbers.
func (f decimalForm) shape() shape {
	s := shape{min: 1, max: 22, bytes: allBytes()}
	if f == formNumeric {
		s.max, s.ends = 20, endSelf
	} else {
		s.bytes[0], s.bytes[0xff] = false, false
	}
	return s
}
