package query

import (
	"math"
	"slices"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/fault"
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
	default:
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
