package plan_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/inside"
	"github.com/hbase-rowkey/rowkey/internal/plan"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// The usual queries of usual layouts are planned in one walk. That their plans are right is for the laws, which
// hold them against those of study, walk and build.
func TestDirect(t *testing.T) {
	eq := func(field string, v any) query.Cond { return ask(query.OpEq, field, v) }
	least := func(field string, v any) query.Cond { return ask(query.OpAtLeast, field, v) }
	at := time.UnixMilli(1684202400000)
	type conds []query.Cond
	for _, c := range []struct {
		layout string
		conds  conds
		direct bool
	}{
		{"[a:4][max-ms(at)]", conds{eq("a", 7)}, true},
		{"[a:4][max-ms(at)]", conds{eq("a", 7), least("at", at)}, true},
		{"[a:4][max-ms(at)]", conds{least("at", at), eq("a", 7), ask(query.OpLessThan, "at", at.Add(time.Hour))}, true},
		{"[a:4][max-ms(at)]", conds{eq("a", 7), eq("at", at.Add(1))}, true},
		{"[a:4][max-ms(at)]", conds{least("a", 7)}, true},
		{"[a:4][max-ms(at)]", conds{least("a", 7), ask(query.OpAtMost, "a", 9)}, true},
		{"[a:4][max-ms(at)]", conds{eq("at", at)}, false},
		{"[a:4][max-ms(at)]", conds{least("a", 7), eq("at", at)}, false},
		{"[a:4][max-ms(at)]", conds{eq("a", 7), {Op: query.OpFullScan}}, false},
		{"[a:4][max-ms(at)]", conds{least("a", 0)}, false},
		{"[a:4][max-ms(at)]", conds{eq("a", 7), least("a", 7), ask(query.OpNotEq, "at", at)}, false},
		{"[a:4][max-ms(at)]", conds{{Op: query.OpIn, Field: "a", List: []query.Operand{query.OperandOf(1), query.OperandOf(3)}}}, false},
		{"[salt16(a)][a]['|'][b:8]", conds{eq("a", "ab")}, true},
		{"[salt16(a)][a]['|'][b:8]", conds{eq("a", "ab"), least("b", 7)}, true},
		{"[salt16(a)][a]['|'][b:8]", conds{eq("a", "ab"), eq("b", 7)}, true},
		{"[salt16(a)][a]['|'][b:8]", conds{eq("a", "a|b")}, false},
		{"[salt16(a)][a]['|'][b:8]", conds{least("a", "ab")}, false},
		{"[salt16(a)][a]['|'][b:8]", conds{eq("a", "ab"), eq("salt", 3)}, false},
		{"[salt16(b)][a:2][b:8]", conds{eq("a", 7)}, false},
		{"[a:2][salt16(values(a,c))][b:8][c:8]", conds{eq("a", 7)}, true},
		{"[a:2][salt16(values(a,c))][b:8][c:8]", conds{eq("a", 7), eq("b", 7)}, false},
		{"[md5.hex(8)(text(a))]['_'][a:8 digits(20)]", conds{eq("a", 7)}, true},
		{"[a]", conds{eq("a", "x")}, true},
		{"[a]", conds{eq("a", "")}, false}, // no key is empty
		{"[a:1 below(4)][b:8]", conds{eq("a", 3)}, false},
		{"phoenix [a optional]['\\x00'][b:8]", conds{eq("a", "x")}, false},
		{"[a=b right(2)][b fixed(4)]", conds{eq("b", "abcd")}, false},
	} {
		s, err := rowkey.Parse("t", c.layout)
		if assert.NoError(t, err, c.layout) {
			assert.Equal(t, c.direct, plan.Direct(inside.Layout(s), c.conds...), "%s %v", c.layout, c.conds)
		}
	}
}

// ask is a condition on a value.
func ask(op query.Op, field string, v any) query.Cond {
	return query.Cond{Op: op, Field: field, A: query.OperandOf(v)}
}
