package rowkey

import (
	"bytes"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// decimalCond is a condition on a decimal number, its operands as such a
// number's value is inside, whose bytes sort as the numbers do.
func decimalCond(c *layout.Component, q condition) (condition, error) {
	switch q.op {
	case opBegins, opEnds:
		return q, fault.ErrType
	case opNull, opNotNull:
		return q, nil
	case opAnyOf:
		any := make([]condition, len(q.any))
		for i := range q.any {
			any[i] = q.any[i]
			if any[i].field != q.field {
				return q, &fault.Detail{Text: "AnyOf joins conditions on one field", Reason: fault.ErrField}
			}
			var err error
			if any[i], err = decimalCond(c, any[i]); err != nil {
				return q, err
			}
		}
		q.any = any
		return q, nil
	case opIn:
		list := make([]operand, len(q.list))
		for i, o := range q.list {
			var room [64]byte
			d, err := operandDecimal(room[:0], o)
			if err != nil {
				return q, err
			}
			list[i] = placedDecimal(c, &d)
		}
		q.list = list
		return q, nil
	}
	var room, upper [64]byte
	from, err := operandDecimal(room[:0], q.a)
	if err != nil {
		return q, err
	}
	q.a = placedDecimal(c, &from)
	if q.op != opSpan {
		return q, nil
	}
	to, err := operandDecimal(upper[:0], q.b)
	if err != nil {
		return q, err
	}
	q.b = placedDecimal(c, &to)
	if from.Compare(&to) > 0 { // by the numbers: all that are too large to be stored have one place
		return q, fault.ErrInverted
	}
	return q, nil
}

// placedDecimal is a number as its value is inside; one that could not be stored has its
// place all the same.
func placedDecimal(c *layout.Component, d *forms.Decimal) operand {
	var form [64]byte
	return operand{kind: isText, text: string(c.Decimal.Append(form[:0], d))}
}

// operandDecimal is a number that is given as text or as an integer.
func operandDecimal(room []byte, o operand) (forms.Decimal, error) {
	switch o.kind {
	case isText:
		d, ok := forms.DecimalText(room, o.text)
		if !ok {
			return d, layout.ErrNoNumber
		}
		return d, nil
	case isInt:
		if n := int64(o.num); n < 0 {
			return forms.DecimalInt(room, true, -o.num), nil
		}
		fallthrough
	case isUint:
		return forms.DecimalInt(room, false, o.num), nil
	}
	return forms.Decimal{}, fault.ErrType
}

// withoutNulls is the interval of some values of a field without its nulls: it is
// drawn in where their form lies at an end of it, and two where that lies within.
// A null that is left off is what all forms begin with.
func withoutNulls(c *layout.Component, q piece) []piece {
	if c.Optional && len(q.lo) == 0 {
		q.lo = []byte{0}
	}
	switch at := c.NullSide(); {
	case c.Null == nil:
	case at == layout.Above:
		if q.hiOpen {
			q.hi, q.hiBehind, q.hiOpen = c.Null, false, false
		}
	case at == layout.Below:
		if bytes.Compare(q.lo, c.Null) <= 0 || bytes.HasPrefix(q.lo, c.Null) {
			q.lo, q.loBehind = c.Null, true
		}
	case compareBounds(q.lo, q.loBehind, c.Null, true) >= 0, !q.hiOpen && compareBounds(q.hi, q.hiBehind, c.Null, false) <= 0:
	case compareBounds(q.lo, q.loBehind, c.Null, false) >= 0:
		q.lo, q.loBehind = c.Null, true
	case !q.hiOpen && compareBounds(q.hi, q.hiBehind, c.Null, true) <= 0:
		q.hi, q.hiBehind = c.Null, false
	default:
		front := piece{lo: q.lo, loBehind: q.loBehind, hi: c.Null, parted: true}
		q.lo, q.loBehind = c.Null, true
		return []piece{front, q}
	}
	return []piece{q}
}

// Phoenix's CHAR(n) is filled up to n bytes with blanks, and SQL takes texts that
// differ in that alone for equal: 'ab ' of CHAR(3) is 'ab', which is what stands
// in the key and what is read back.

// padCond is a condition whose operands have no padding. What a text begins or
// ends with is taken as it is said.
func padCond(c *layout.Component, q condition) condition {
	switch q.op {
	case opBegins, opEnds:
		return q
	case opIn:
		list := make([]operand, len(q.list))
		for i, o := range q.list {
			o.text = layout.Unpadded(c, o.text)
			list[i] = o
		}
		q.list = list
	case opAnyOf:
		any := make([]condition, len(q.any))
		for i := range q.any {
			any[i] = padCond(c, q.any[i])
		}
		q.any = any
	}
	inverted := q.a.text > q.b.text
	q.a.text, q.b.text = layout.Unpadded(c, q.a.text), layout.Unpadded(c, q.b.text)
	if q.op == opSpan && !inverted && q.a.text > q.b.text {
		q.b.text = q.a.text // from "\x1f" to " ": nothing lies between
	}
	return q
}
