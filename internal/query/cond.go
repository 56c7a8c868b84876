package query

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// Cond is one condition of a query, or a permission.
type Cond struct {
	Op    Op
	Field string
	A, B  Operand
	List  []Operand      // In
	Any   []Cond         // AnyOf
	N     int            // MaxRanges
	S     *layout.Schema // of a typed handle
}

// Op is what a condition asks.
type Op uint8

const (
	_ Op = iota
	OpEq
	OpNotEq
	OpIn
	OpSpan
	OpAtLeast
	OpAtMost
	OpMoreThan
	OpLessThan
	OpBegins
	OpEnds
	OpAnyOf
	OpNull
	OpNotNull
	OpFullScan
	OpMaxRanges
	opEnd // above all conditions: TestConditionsAll asks for a line of each
)

// Operand is a value of a condition.
type Operand struct {
	Kind operandKind
	Num  uint64 // bits of an integer, a float or a bool; seconds of a time
	nsec int64
	Text string
}

// operandKind is the Go type of an operand.
type operandKind uint8

const (
	IsText operandKind = iota
	IsInt
	IsUint
	IsFloat
	IsBool
	isTime
)

// inverted says that a Span's lower end lies above its upper end.
func (q *Cond) inverted(c *layout.Component) error {
	a, b := q.A, q.B
	var less bool
	switch a.Kind {
	case IsText:
		less = b.Text < a.Text
	case isTime:
		less = int64(b.Num) < int64(a.Num) || a.Num == b.Num && b.nsec < a.nsec
	case IsInt:
		less = int64(b.Num) < int64(a.Num)
	case IsFloat:
		less = math.Float64frombits(b.Num) < math.Float64frombits(a.Num)
	case IsUint, IsBool:
		less = b.Num < a.Num
	}
	if less {
		return fault.ErrInverted
	}
	return nil
}

// names reports that a condition names the values that it admits.
func (q *Cond) names() bool {
	if q.Op == OpAnyOf {
		return !slices.ContainsFunc(q.Any, func(q Cond) bool { return !q.names() })
	}
	return q.Op == OpEq || q.Op == OpIn || q.Op == OpNull
}

// nulls reports that a condition admits a null.
func (q *Cond) nulls() bool {
	if q.Op == OpAnyOf {
		return slices.ContainsFunc(q.Any, func(q Cond) bool { return q.nulls() })
	}
	return q.Op == OpNull
}

// TimeOperand is an instant as an operand.
func TimeOperand(t time.Time) Operand {
	return Operand{Kind: isTime, Num: uint64(t.Unix()), nsec: int64(t.Nanosecond())}
}

// lower reports that a condition is a lower end alone: AtLeast or MoreThan.
func (q *Cond) lower() bool { return q.Op == OpAtLeast || q.Op == OpMoreThan }

// upper reports that a condition is an upper end alone: AtMost or LessThan.
func (q *Cond) upper() bool { return q.Op == OpAtMost || q.Op == OpLessThan }

// ends are the highest lower end and the lowest upper end of a field; nil: none.
type ends struct{ low, high *Cond }

// Crossed is an error if a lower end of a field lies above an upper end of it: AtLeast(9) and
// LessThan(5), as Span(9, 5) is one. Ends that meet are none. All conditions fit their fields.
func Crossed(s *layout.Schema, conds []Cond) error {
	all := make([]ends, len(s.Comps))
	for i := range conds {
		q := &conds[i]
		if !q.lower() && !q.upper() {
			continue
		}
		c := s.ByName[q.Field]
		e := &all[c.Index]
		if c.Role == layout.RoleSalt {
			c = Numbered(c)
		}
		switch {
		case q.lower() && (e.low == nil || above(c, &q.A, &e.low.A)):
			e.low = q
		case q.upper() && (e.high == nil || above(c, &e.high.A, &q.A)):
			e.high = q
		}
	}
	for i, e := range all {
		c := &s.Comps[i]
		if c.Role == layout.RoleSalt {
			c = Numbered(c)
		}
		if e.low != nil && e.high != nil && above(c, &e.low.A, &e.high.A) {
			return s.ErrAt(c.Name, -1, &fault.Detail{Text: e.low.Op.name() + " lies above " + e.high.Op.name(), Reason: fault.ErrInverted})
		}
	}
	return nil
}

// name is the function that makes an end.
func (op Op) name() string {
	return map[Op]string{OpAtLeast: "AtLeast", OpMoreThan: "MoreThan", OpAtMost: "AtMost", OpLessThan: "LessThan"}[op]
}

// above reports that the operand a of a field lies above b.
func above(c *layout.Component, a, b *Operand) bool {
	switch {
	case c.Decimal != forms.NoDecimal && c.IsText():
		var room, other [64]byte
		x, err := operandDecimal(c, room[:0], *a)
		y, err2 := operandDecimal(c, other[:0], *b)
		return err == nil && err2 == nil && x.Compare(&y) > 0
	case whole(c).PadEqual(): // as if both had the field's length
		n := max(len(a.Text), len(b.Text))
		pad := func(s string) string { return s + strings.Repeat(" ", n-len(s)) }
		return pad(a.Text) > pad(b.Text)
	case a.Kind != b.Kind: // an int and an unsigned number
		if a.Kind == IsInt && int64(a.Num) < 0 || b.Kind == IsInt && int64(b.Num) < 0 {
			return b.Kind == IsInt && int64(b.Num) < 0
		}
		return a.Num > b.Num
	}
	q := Cond{A: *a, B: *b}
	return q.inverted(c) != nil
}

// misfit is the error of an operand of another type than the field's.
func (o *Operand) misfit(c *layout.Component) error {
	return c.Given([]string{IsText: "a text", IsInt: "a number", IsUint: "a number", IsFloat: "a float", IsBool: "a bool", isTime: "a time"}[o.Kind])
}

// misfit is the error of a condition that numbers do not have.
func (q *Cond) misfit(c *layout.Component) error {
	switch q.Op {
	case OpBegins:
		return c.Given("a Prefix")
	case OpEnds:
		return c.Given("a Suffix")
	}
	return fault.ErrType
}
