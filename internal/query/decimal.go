package query

import (
	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// Phoenix's CHAR(n) is filled up to n bytes with blanks, and SQL takes texts that
// differ in that alone for equal: 'ab ' of CHAR(3) is 'ab', which is what stands
// in the key and what is read back.

// decimalCond is a condition on a decimal number, its operands as such a
// number's value is inside, whose bytes sort as the numbers do.
func decimalCond(c *layout.Component, q Cond) (Cond, error) {
	switch q.Op {
	case OpBegins, OpEnds:
		return q, fault.ErrType
	case OpNull, OpNotNull:
		return q, nil
	case OpAnyOf:
		any := make([]Cond, len(q.Any))
		for i := range q.Any {
			any[i] = q.Any[i]
			if any[i].Field != q.Field {
				return q, &fault.Detail{Text: "AnyOf joins conditions on one field", Reason: fault.ErrField}
			}
			var err error
			if any[i], err = decimalCond(c, any[i]); err != nil {
				return q, err
			}
		}
		q.Any = any
		return q, nil
	case OpIn:
		list := make([]Operand, len(q.List))
		for i, o := range q.List {
			var room [64]byte
			d, err := operandDecimal(room[:0], o)
			if err != nil {
				return q, err
			}
			list[i] = placedDecimal(c, &d)
		}
		q.List = list
		return q, nil
	}
	var room, upper [64]byte
	from, err := operandDecimal(room[:0], q.A)
	if err != nil {
		return q, err
	}
	q.A = placedDecimal(c, &from)
	if q.Op != OpSpan {
		return q, nil
	}
	to, err := operandDecimal(upper[:0], q.B)
	if err != nil {
		return q, err
	}
	q.B = placedDecimal(c, &to)
	if from.Compare(&to) > 0 { // by the numbers: all that are too large to be stored have one place
		return q, fault.ErrInverted
	}
	return q, nil
}

// placedDecimal is a number as its value is inside; one that could not be stored has its
// place all the same.
func placedDecimal(c *layout.Component, d *forms.Decimal) Operand {
	var form [64]byte
	return Operand{Kind: IsText, Text: string(c.Decimal.Append(form[:0], d))}
}

// operandDecimal is a number that is given as text or as an integer.
func operandDecimal(room []byte, o Operand) (forms.Decimal, error) {
	switch o.Kind {
	case IsText:
		d, ok := forms.DecimalText(room, o.Text)
		if !ok {
			return d, layout.ErrNoNumber
		}
		return d, nil
	case IsInt:
		if n := int64(o.Num); n < 0 {
			return forms.DecimalInt(room, true, -o.Num), nil
		}
		fallthrough
	case IsUint:
		return forms.DecimalInt(room, false, o.Num), nil
	}
	return forms.Decimal{}, fault.ErrType
}

// padCond is a condition whose operands have no padding. What a text begins or
// ends with is taken as it is said.
func padCond(c *layout.Component, q Cond) Cond {
	switch q.Op {
	case OpBegins, OpEnds:
		return q
	case OpIn:
		list := make([]Operand, len(q.List))
		for i, o := range q.List {
			o.Text = layout.Unpadded(c, o.Text)
			list[i] = o
		}
		q.List = list
	case OpAnyOf:
		any := make([]Cond, len(q.Any))
		for i := range q.Any {
			any[i] = padCond(c, q.Any[i])
		}
		q.Any = any
	}
	inverted := q.A.Text > q.B.Text
	q.A.Text, q.B.Text = layout.Unpadded(c, q.A.Text), layout.Unpadded(c, q.B.Text)
	if q.Op == OpSpan && !inverted && q.A.Text > q.B.Text {
		q.B.Text = q.A.Text // from "\x1f" to " ": nothing lies between
	}
	return q
}
