package query

import (
	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// Two kinds of values are compared in another form than the one in which callers name them:
// decimal numbers, and texts with blanks at their end.

// turned is a list of operands or conditions as turn makes each of them.
func turned[T any](list []T, turn func(T) (T, error)) (out []T, err error) {
	out = make([]T, len(list))
	for i, v := range list {
		if out[i], err = turn(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// decimalCond is a condition on a Numeric with its operands as ascending stored forms, which
// sort as the numbers do. In OrderedBytes 1 is the text of the bytes 18 02.
func decimalCond(c *layout.Component, q Cond) (_ Cond, err error) {
	switch q.Op {
	case OpNull, OpNotNull:
	case OpAnyOf:
		q.Any, err = turned(q.Any, func(one Cond) (Cond, error) {
			if one.Field != q.Field {
				return one, errOneField
			}
			return decimalCond(c, one)
		})
	case OpIn:
		q.List, err = turned(q.List, func(o Operand) (Operand, error) { return placedDecimal(c, o) })
	case OpEq, OpNotEq, OpAtLeast, OpAtMost, OpMoreThan, OpLessThan:
		q.A, err = placedDecimal(c, q.A)
	case OpSpan:
		inverted := above(c, &q.A, &q.B) // the numbers, not their forms: all numbers that are too large have one form
		if q.A, err = placedDecimal(c, q.A); err == nil {
			q.B, err = placedDecimal(c, q.B)
		}
		if err == nil && inverted {
			err = fault.ErrInverted
		}
	default:
		return q, fault.ErrType
	}
	return q, err
}

// placedDecimal is an operand as the ascending stored form of its number. A number that the field
// refuses has a form too, which says where it lies among the others.
func placedDecimal(c *layout.Component, o Operand) (Operand, error) {
	var room, form [64]byte
	d, err := operandDecimal(c, room[:0], o)
	if err != nil {
		return o, err
	}
	return Operand{Kind: IsText, Text: string(c.Decimal.Append(form[:0], &d))}, nil
}

// operandDecimal is the number of an operand, a text or an integer.
func operandDecimal(c *layout.Component, room []byte, o Operand) (forms.Decimal, error) {
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
	return forms.Decimal{}, o.misfit(c)
}

// padCond is a condition on Phoenix's CHAR(n) without the blanks at the end of its operands. SQL
// takes 'ab ' and 'ab' for equal, and the key of both is that of 'ab'. Prefix and Suffix stay
// as they are.
func padCond(c *layout.Component, q Cond) Cond {
	switch q.Op {
	case OpBegins, OpEnds:
		return q
	case OpIn:
		q.List, _ = turned(q.List, func(o Operand) (Operand, error) {
			o.Text = layout.Unpadded(c, o.Text)
			return o, nil
		})
	case OpAnyOf:
		q.Any, _ = turned(q.Any, func(one Cond) (Cond, error) { return padCond(c, one), nil })
	}
	inverted := q.A.Text > q.B.Text
	q.A.Text, q.B.Text = layout.Unpadded(c, q.A.Text), layout.Unpadded(c, q.B.Text)
	if q.Op == OpSpan && !inverted && q.A.Text > q.B.Text {
		q.B.Text = q.A.Text // from "\x1f" to " ", which is "" without its blank: no text lies between
	}
	return q
}
