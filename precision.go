package rowkey

import (
	"fmt"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// precision is how many digits a decimal number may have: digits in all, scale of
// them behind the point, the others in front of it. Digits 0: not limited.
type precision struct{ digits, scale int }

// Precision admits the numbers of DECIMAL(digits, scale): at most scale digits
// behind the point, and at most digits − scale in front of it. It fits a Numeric and
// changes no byte: with Precision(5, 2), "123.45" is c202182e in Phoenix. "1234.5" is
// refused, as Phoenix does; so is "0.125", which Phoenix would cut to 0.12. A query
// may name any number: one that is refused bounds an interval, and equals no row.
func Precision(digits, scale int) FieldOption {
	return &fieldOpt{
		said:    notation.Option{Word: notation.Precision, N: digits, M: scale},
		toField: func(p *pipeline) string { return p.optPrecision(digits, scale) },
	}
}

// precise says why a component cannot have a Precision.
func (p *pipeline) precise() string {
	c := p.c
	switch {
	case c.precision.digits == 0:
	case c.decimal == forms.NoDecimal:
		return "Precision fits a Numeric: add Numeric"
	case c.isText():
		c.limited = true
	}
	return ""
}

// admits judges a number.
func (q precision) admits(d *forms.Decimal) error {
	whole := q.digits - q.scale
	switch behind := len(d.Digits) - d.Exp; {
	case d.Exp > whole:
		return &detail{fmt.Sprintf("%s in front of the point, at most %d", plural(d.Exp, "digit"), whole), ErrRange}
	case behind > q.scale:
		return &detail{fmt.Sprintf("%s behind the point, at most %d", plural(behind, "digit"), q.scale), ErrRange}
	}
	return nil
}

// admitsForm judges a number by its ascending form.
func admitsForm[T string | []byte](c *component, form T) error {
	var room, digits [64]byte
	d, ok := c.decimal.Read(digits[:0], append(room[:0], form...))
	if !ok {
		return errNoNumber
	}
	return c.precision.admits(&d)
}

// bound draws the limits of whole numbers in; those of an Int have the sign bit
// flipped.
func (q precision) bound(n *number, signed bool) {
	whole := q.digits - q.scale
	if q.digits == 0 || whole > 19 || signed && whole > 18 { // more than 64 bits have
		return
	}
	most := forms.Pow10(whole) - 1
	if !signed {
		n.max = min(n.max, most)
		return
	}
	n.min, n.max = max(n.min, signBit64-most), min(n.max, signBit64+most)
}
