package layout

import (
	"fmt"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// Callers give and get a decimal number as text. Inside, the value of such a field is its
// ascending stored form: 12.345 in OrderedBytes is 18 19 45 64. These bytes sort as the
// numbers do. So a decimal field works like a text field everywhere, also in queries.

// decimalOf is how a dialect that has decimal numbers writes them.
func decimalOf(d Dialect) forms.DecimalForm {
	if d == InPhoenix {
		return forms.BigDecimal
	}
	return forms.Numeric
}

var ErrNoNumber error = &fault.Detail{Text: "not a decimal number", Reason: fault.ErrRange}

// appendDecimalText appends the text of a stored number.
func appendDecimalText(f forms.DecimalForm, dst, form []byte) []byte {
	var room [64]byte
	d, ok := f.Read(room[:0], form)
	if !ok {
		return dst
	}
	return d.AppendText(dst)
}

// precision limits a decimal number: at most Scale digits after the point and at most
// Digits−Scale before it. Digits 0 means no limit.
type precision struct{ Digits, Scale int }

// precise says why a component cannot have a Precision.
func (p *Pipeline) precise() string {
	c := p.c
	switch {
	case c.Precision.Digits == 0:
	case c.Decimal == forms.NoDecimal:
		return "interop.Precision fits a Numeric: add Numeric"
	case c.IsText():
		c.Limited = true
	}
	return ""
}

// admits says why a number is outside of the limits; nil if it is within.
func (q precision) admits(d *forms.Decimal) error {
	whole := q.Digits - q.Scale
	switch behind := len(d.Digits) - d.Exp; {
	case d.Exp > whole:
		return &fault.Detail{Text: fmt.Sprintf("%s before the point, at most %d", Plural(d.Exp, "digit"), whole), Reason: fault.ErrRange}
	case behind > q.Scale:
		return &fault.Detail{Text: fmt.Sprintf("%s after the point, at most %d", Plural(behind, "digit"), q.Scale), Reason: fault.ErrRange}
	}
	return nil
}

// admitsForm is precision.admits for the ascending form of a number.
func admitsForm[T string | []byte](c *Component, form T) error {
	var room, digits [64]byte
	d, ok := c.Decimal.Read(digits[:0], append(room[:0], form...))
	if !ok {
		return ErrNoNumber
	}
	return c.Precision.admits(&d)
}

// bound narrows n.Min and n.Max to the numbers of Digits−Scale digits: with 3 digits to
// −999 … 999. If signed, both have the sign bit flipped.
func (q precision) bound(n *number, signed bool) {
	whole := q.Digits - q.Scale
	if q.Digits == 0 || whole > 19 || signed && whole > 18 { // every number of 64 bits is within
		return
	}
	most := forms.Pow10(whole) - 1
	if !signed {
		n.Max = min(n.Max, most)
		return
	}
	n.Min, n.Max = max(n.Min, SignBit64-most), min(n.Max, SignBit64+most)
}

// decimalRefused says why a number is not storable.
func decimalRefused(f forms.DecimalForm, d *forms.Decimal) error {
	most, exp := f.Most()
	if n := len(d.Digits); n > most {
		return &fault.Detail{Text: fmt.Sprintf("%d digits, at most %d", n, most), Reason: fault.ErrRange}
	}
	return &fault.Detail{Text: fmt.Sprintf("its magnitude lies outside 1E%d to 1E+%d", -2*exp-2, 2*exp), Reason: fault.ErrRange}
}

// AppendDecimal appends the ascending form of a number that is given as text: of "42" in
// Phoenix c1 2b. It is an error if the number cannot be stored.
func AppendDecimal[T string | []byte](f forms.DecimalForm, dst []byte, text T) ([]byte, error) {
	var room [64]byte
	d, ok := forms.DecimalText(room[:0], text)
	switch {
	case !ok:
		return dst, ErrNoNumber
	case !f.Storable(&d):
		return dst, decimalRefused(f, &d)
	}
	return f.Append(dst, &d), nil
}
