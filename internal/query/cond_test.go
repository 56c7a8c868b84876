package query

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// TestConditionsAll fails for a condition without a line here: which of the texts "a", "ab", "b" and
// which of the numbers 1, 2, 3 it admits, with "ab" and 2 as its operand, and "b" and 3 as its second
// one. Decimal numbers are compared in another form, and it admits the same. Match and the planner
// read the same spans.
func TestConditionsAll(t *testing.T) {
	type line struct{ texts, numbers string } // empty: it is refused for such a field
	want := map[Op]line{
		OpEq:        {"[ab]", "[2]"},
		OpNotEq:     {"[a b]", "[1 3]"},
		OpIn:        {"[ab b]", "[2 3]"},
		OpSpan:      {"[ab]", "[2]"},
		OpAtLeast:   {"[ab b]", "[2 3]"},
		OpAtMost:    {"[a ab]", "[1 2]"},
		OpMoreThan:  {"[b]", "[3]"},
		OpLessThan:  {"[a]", "[1]"},
		OpBegins:    {"[ab]", ""},
		OpEnds:      {"[ab]", ""},
		OpAnyOf:     {"[ab]", "[2]"},
		OpNull:      {"[]", "[]"},
		OpNotNull:   {"[a ab b]", "[1 2 3]"},
		OpFullScan:  {"", ""},
		OpMaxRanges: {"", ""},
	}
	text, number, decimal := new(layout.Component), new(layout.Component), new(layout.Component)
	text.Kind = layout.KindString
	decimal.Kind, decimal.Decimal = layout.KindString, forms.Numeric
	number.Kind, number.Size = layout.KindUint, 1
	number.Num.Max = 255
	for op := Op(1); op <= opEnd; op++ {
		l, has := want[op]
		require.True(t, has || op == opEnd, "condition %d has no line here", op)
		of := func(a, b Operand) *Cond {
			q := &Cond{Op: op, A: a, B: b, List: []Operand{a, b}}
			if op == OpAnyOf {
				q.Any = []Cond{{Op: OpEq, A: a}}
			}
			return q
		}
		var k Constraint
		got := ""
		if k.Add(text, of(Operand{Text: "ab"}, Operand{Text: "b"})) == nil {
			var admitted []string
			for _, v := range []string{"a", "ab", "b"} {
				if k.Match(text, layout.Val{Text: []byte(v), Ok: true}) {
					admitted = append(admitted, v)
				}
			}
			got = fmt.Sprint(admitted)
		}
		assert.Equal(t, l.texts, got, "condition %d of a text", op)
		k, got = Constraint{}, ""
		if k.Add(number, of(Operand{Kind: IsUint, Num: 2}, Operand{Kind: IsUint, Num: 3})) == nil {
			var admitted []uint64
			for v := range uint64(3) {
				if k.Match(number, layout.Val{Num: v + 1, Ok: true}) {
					admitted = append(admitted, v+1)
				}
			}
			got = fmt.Sprint(admitted)
		}
		assert.Equal(t, l.numbers, got, "condition %d of a number", op)
		k, got = Constraint{}, ""
		if k.Add(decimal, of(Operand{Text: "2"}, Operand{Text: "3"})) == nil {
			var admitted []int64
			for v := range int64(3) {
				d := forms.DecimalInt(nil, false, uint64(v+1))
				if k.Match(decimal, layout.Val{Text: decimal.Decimal.Append(nil, &d), Ok: true}) {
					admitted = append(admitted, v+1)
				}
			}
			got = fmt.Sprint(admitted)
		}
		assert.Equal(t, l.numbers, got, "condition %d of a decimal number", op)
	}
}

// An int and an unsigned number are compared as what they are.
func TestAbove(t *testing.T) {
	c := new(layout.Component)
	c.Kind = layout.KindInt
	for _, q := range []struct {
		a, b  any
		above bool
	}{
		{uint64(3), int64(-1), true}, {int64(-1), uint64(3), false}, {uint64(0), int64(-1), true}, {uint64(3), int64(2), true}, {int64(2), uint64(3), false},
		{int64(-2), int64(-1), false}, {int64(-1), int64(-2), true}, {uint64(3), int64(3), false},
	} {
		a, b := OperandOf(q.a), OperandOf(q.b)
		assert.Equal(t, q.above, above(c, &a, &b), "%v, %v", q.a, q.b)
	}
}
