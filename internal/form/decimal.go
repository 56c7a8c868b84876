package form

import (
	"bytes"
	"cmp"
	"errors"
	"math"
	"strconv"
)

// Decimal numbers. Go has no type for them, so callers give and get them as text,
// which every library of decimals reads and writes. OrderedBytes (numeric.go) and
// Phoenix (bigdecimal.go) each have a form of decimal numbers that sorts.

// Decimal is the number ±0.d₁d₂…dₙ · 10^Exp. Neither d₁ nor dₙ is 0. Zero has no digits.
// 12.345 has the digits 1 2 3 4 5 and Exp 2.
type Decimal struct {
	Neg    bool
	Digits []byte // 0 … 9
	Exp    int
}

// mostExp limits the exponents that are read. Larger ones count as about this one,
// which is far outside of all stored numbers.
const mostExp = 1 << 30 / 10

// The functions that make a Decimal append its digits to room, a buffer of the caller,
// and return the Decimal by value. Through a pointer the buffer would move to the heap.

// DecimalText reads a number: an optional sign, digits with at most one point among
// them, and an optional exponent; false if it is anything else.
func DecimalText[T string | []byte](room []byte, text T) (Decimal, bool) {
	d := Decimal{Digits: room}
	i := 0
	if i < len(text) && (text[i] == '-' || text[i] == '+') {
		d.Neg = text[i] == '-'
		i++
	}
	point := false
	for ; i < len(text); i++ {
		c := text[i]
		if c == '.' && !point {
			point = true
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		if d.Digits = append(d.Digits, c-'0'); !point {
			d.Exp++
		}
	}
	if len(d.Digits) == len(room) {
		return d, false
	}
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		e, err := strconv.Atoi(string(text[i+1:]))
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return d, false
		}
		d.Exp += min(max(e, -mostExp), mostExp)
		i = len(text)
	}
	return d.trimmed(), i == len(text)
}

// DecimalInt is the whole number ±magnitude as a Decimal.
func DecimalInt(room []byte, neg bool, magnitude uint64) Decimal {
	digits := strconv.AppendUint(room, magnitude, 10)
	for i := range digits {
		digits[i] -= '0'
	}
	return Decimal{Neg: neg, Digits: digits, Exp: len(digits)}.trimmed()
}

// trimmed is the same number without zeros before the first digit and after the last.
func (d Decimal) trimmed() Decimal {
	for n := len(d.Digits); n > 0 && d.Digits[n-1] == 0; n-- {
		d.Digits = d.Digits[:n-1]
	}
	lead := 0
	for lead < len(d.Digits) && d.Digits[lead] == 0 {
		lead++
	}
	d.Digits = d.Digits[lead:]
	if d.Exp -= lead; len(d.Digits) == 0 {
		d.Neg, d.Exp = false, 0
	}
	return d
}

// Compare is −1, 0 or 1 as the number is below, equal to or above another.
func (d *Decimal) Compare(e *Decimal) int {
	sign := func(d *Decimal) int {
		switch {
		case len(d.Digits) == 0:
			return 0
		case d.Neg:
			return -1
		}
		return 1
	}
	s, t := sign(d), sign(e)
	if s != t || s == 0 {
		return cmp.Compare(s, t)
	}
	return s * cmp.Or(cmp.Compare(d.Exp, e.Exp), bytes.Compare(d.Digits, e.Digits))
}

// plainZeros is how many zeros AppendText adds to the number's own digits; where more
// are needed, it writes an exponent.
const plainZeros = 20

// AppendText appends the number as text: -12.345, 0.001, 100000. A number that would
// need more than plainZeros zeros has an exponent: 1.5E+300.
func (d *Decimal) AppendText(dst []byte) []byte {
	n := len(d.Digits)
	if n == 0 {
		return append(dst, '0')
	}
	if d.Neg {
		dst = append(dst, '-')
	}
	point, scientific := d.Exp, d.Exp > n+plainZeros || d.Exp < -plainZeros
	if scientific {
		point = 1
	}
	if point <= 0 {
		dst = append(dst, '0', '.')
	}
	for i := min(point, 0); i < max(n, point); i++ {
		c := byte('0')
		if i >= 0 && i < n {
			c += d.Digits[i]
		}
		if i == point && i > 0 {
			dst = append(dst, '.')
		}
		dst = append(dst, c)
	}
	if scientific {
		if dst = append(dst, 'E'); d.Exp > 0 {
			dst = append(dst, '+')
		}
		dst = strconv.AppendInt(dst, int64(d.Exp)-1, 10)
	}
	return dst
}

// Whole is the number as a sign and a magnitude; false if it has a fraction or
// is too large.
func (d *Decimal) Whole() (neg bool, magnitude uint64, ok bool) {
	if d.Exp > 20 || len(d.Digits) > d.Exp {
		return false, 0, false
	}
	for i := range d.Exp {
		digit := uint64(0)
		if i < len(d.Digits) {
			digit = uint64(d.Digits[i])
		}
		if magnitude > (math.MaxUint64-digit)/10 {
			return false, 0, false
		}
		magnitude = magnitude*10 + digit
	}
	return d.Neg, magnitude, true
}

// pairs reads the number as ±0.p₁p₂…pₙ · 100^exp, with pairs of decimal digits p₁ … pₙ:
// 12.345 has n = 3 pairs, 12 34 50, and exp = 1.
func (d *Decimal) pairs() (n, exp int) {
	odd := d.Exp & 1 // the first pair has one digit
	return (len(d.Digits) + odd + 1) / 2, (d.Exp + odd) / 2
}

// pair is pair i, 0 to 99; the first is pair 0.
func (d *Decimal) pair(i int) byte {
	at := 2*i - d.Exp&1
	var p byte
	if at >= 0 {
		p = 10 * d.Digits[at]
	}
	if at+1 < len(d.Digits) {
		p += d.Digits[at+1]
	}
	return p
}

// fromPairs makes the number again from its pairs: pair(i), 0 to 99, for i below n.
func fromPairs(room []byte, neg bool, exp, n int, pair func(int) byte) Decimal {
	for i := range n {
		p := pair(i)
		room = append(room, p/10, p%10)
	}
	return Decimal{Neg: neg, Digits: room, Exp: 2 * exp}.trimmed()
}

// DecimalForm is a way to write decimal numbers: its bytes sort as the numbers do.
type DecimalForm uint8

const (
	NoDecimal  DecimalForm = iota
	Numeric                // of OrderedBytes: 12.345 is 18 19 45 64
	BigDecimal             // of Phoenix:      12.345 is c1 0d 23 33
)

// Append appends the form of a number. A number that cannot be stored also has a form,
// which sorts at the right place among the others: a query may name such a number.
// Of BigDecimal 1E+200 is ff, above all stored numbers.
func (f DecimalForm) Append(dst []byte, d *Decimal) []byte {
	if f == Numeric {
		return appendNumeric(dst, d)
	}
	return appendBigDecimal(dst, d)
}

// Read undoes Append. It is false for the form of a number that cannot be stored, and
// for bytes that Append never writes.
func (f DecimalForm) Read(room, form []byte) (Decimal, bool) {
	var d Decimal
	var ok bool
	if f == Numeric {
		d, ok = readNumeric(room, form)
	} else {
		d, ok = readBigDecimal(room, form)
	}
	if !ok || !f.Storable(&d) {
		return d, false
	}
	var scratch [64]byte
	return d, string(f.Append(scratch[:0], &d)) == string(form) // each number has one form only
}

// Holds reports that Read reads the form.
func (f DecimalForm) Holds(form []byte) bool {
	var room [64]byte
	_, ok := f.Read(room[:0], form)
	return ok
}

// Most gives the limits of stored numbers: how many decimal digits, and the largest
// size of the exponent to the base 100. HBase and Phoenix round a number of more
// digits; here it is refused.
func (f DecimalForm) Most() (digits, exp int) {
	if f == Numeric {
		return numericDigits, mostNumericExp
	}
	return bigDecimalDigits, mostBigDecimalExp
}

// Storable reports that a number lies within the limits of Most, so that Read gives it
// back.
func (f DecimalForm) Storable(d *Decimal) bool {
	_, exp := d.pairs()
	digits, most := f.Most()
	return len(d.Digits) <= digits && exp >= -most && exp <= most
}

// Whole writes a whole number in a form of decimal numbers. If Signed, the number is two's
// complement.
type Whole struct {
	As     DecimalForm
	Signed bool
}

func (n *Whole) Shape(_, _ uint64) Shape { return n.As.Shape() }

func (n *Whole) Told() Told { return Told{Form: toldWhole, Width: -1} }

func (n *Whole) Facts() Facts { return Facts{} }

// append appends the form of a whole number u: 42 is 18 54 as Numeric and c1 2b as
// BigDecimal.
func (n *Whole) append(dst []byte, u uint64) []byte {
	var room [20]byte
	neg := n.Signed && int64(u) < 0
	if neg {
		u = -u
	}
	d := DecimalInt(room[:0], neg, u)
	return n.As.Append(dst, &d)
}

func (n *Whole) read(form []byte) (uint64, bool) {
	var room [64]byte
	d, ok := n.As.Read(room[:0], form)
	if !ok {
		return 0, false
	}
	neg, magnitude, ok := d.Whole()
	if ok && n.Signed {
		return twosComplement(neg, magnitude)
	}
	return magnitude, ok && !neg
}

func (n *Whole) len(b []byte, flip byte) int {
	if n.As != Numeric {
		return -1
	}
	return NumericLen(b, flip)
}

// Shape is the shape of all forms of stored numbers. Their bytes sort as the numbers do.
func (f DecimalForm) Shape() Shape {
	if f == Numeric {
		return Shape{Min: 1, Max: 20, Bytes: AllBytes(), Ends: EndSelf}
	}
	s := Shape{Min: 1, Max: 1 + mostPairs, Bytes: AllBytes()}
	s.Bytes.Drop(0)
	s.Bytes.Drop(0xff)
	return s
}
