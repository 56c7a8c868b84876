package query

import (
	"math"
	"slices"
	"strings"

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

// ops is what a condition of each Op is; an Op that is not known is nothing of it.
var ops = [math.MaxUint8 + 1]struct {
	low, high bool   // it has a lower end, an upper end: of numbers it admits one span at most
	names     bool   // it names the values that it admits; of AnyOf each of its conditions must
	said      string // of an end: the function that makes it
}{
	OpEq:       {low: true, high: true, names: true},
	OpSpan:     {low: true, high: true},
	OpAtLeast:  {low: true, said: "AtLeast"},
	OpMoreThan: {low: true, said: "MoreThan"},
	OpAtMost:   {high: true, said: "AtMost"},
	OpLessThan: {high: true, said: "LessThan"},
	OpIn:       {names: true},
	OpNull:     {names: true},
}

// names reports that a condition names the values that it admits.
func (q *Cond) names() bool { return ops[q.Op].names || q.Op == OpAnyOf && q.anyNames() }

func (q *Cond) anyNames() bool {
	return !slices.ContainsFunc(q.Any, func(q Cond) bool { return !q.names() })
}

// nulls reports that a condition admits a null.
func (q *Cond) nulls() bool {
	if q.Op == OpAnyOf {
		return slices.ContainsFunc(q.Any, func(q Cond) bool { return q.nulls() })
	}
	return q.Op == OpNull
}

// limits are the highest lower end and the lowest upper end of a field; nil: none.
type limits struct{ low, high *Cond }

// Crossed is an error if a lower end of a field lies above an upper end of it: AtLeast(9) and
// LessThan(5), as Span(9, 5) is one. Ends that meet are none. All conditions fit their fields.
func Crossed(s *layout.Schema, conds []Cond) error {
	all := make([]limits, len(s.Comps))
	for i := range conds {
		q := &conds[i]
		op := &ops[q.Op]
		if op.low == op.high { // no end alone
			continue
		}
		c := s.Named(q.Field)
		e := &all[c.Index]
		switch {
		case op.low && (e.low == nil || above(c, &q.A, &e.low.A)):
			e.low = q
		case op.high && (e.high == nil || above(c, &e.high.A, &q.A)):
			e.high = q
		}
	}
	for i, e := range all {
		c := &s.Comps[i]
		if e.low != nil && e.high != nil && above(c, &e.low.A, &e.high.A) {
			return s.ErrAt(c.Name, -1, &fault.Detail{Text: ops[e.low.Op].said + " lies above " + ops[e.high.Op].said, Reason: fault.ErrInverted})
		}
	}
	return nil
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
	return b.below(a)
}

var errOneField error = &fault.Detail{Text: "AnyOf joins conditions on one field", Reason: fault.ErrField}
