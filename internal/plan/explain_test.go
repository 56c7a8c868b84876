package plan_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
)

// A plan is called the whole table if its ranges leave out no row, and only then.
func TestWholeTable(t *testing.T) {
	type conds []rowkey.Cond
	for _, c := range []struct {
		layout string
		conds  conds
		whole  bool
	}{
		{"[a:1][b:1]", nil, true},
		{"[a:1][b:1]", conds{rowkey.Eq("a", 1)}, false},
		{"[a:1][b:1]", conds{rowkey.Eq("b", 1)}, false},
		{"[a:1][b:1]", conds{rowkey.Eq("a", 1), rowkey.Eq("b", 2)}, false},
		{"[a:1][b:1]", conds{rowkey.AtLeast("a", 0), rowkey.NotEq("a", 300)}, true},
		{"[a:bool]", conds{rowkey.In("a", false, true)}, true},
		{"[a:bool]", conds{rowkey.Eq("a", true)}, false},
		{"[salt2(a)][a:bool]", conds{rowkey.In("a", false, true)}, true},
		{"[salt2(a)][a:bool]", conds{rowkey.In("a", false, true), rowkey.Eq("salt", 1)}, false},
		{"[salt2(a)][a:1]", conds{rowkey.Eq("a", 1)}, false},
		{"[a:1][salt2(a)]", conds{rowkey.Eq("salt", 1), rowkey.MaxRanges(1)}, true}, // one range is left, and Match
		// No key is below the least a with b = −1.
		{`orderedbytes [a:i4 optional numeric]['a_'][b:i4 numeric precision(3,1) optional][d(c)]["-"]`, conds{rowkey.Eq("b", -1)}, false},
		{`phoenix ["x"][a][b:i4]`, conds{rowkey.Eq("b", 1)}, false},
		{`phoenix [salt2(a)][a][b:i4]`, conds{rowkey.Eq("b", 1)}, false},
		{`phoenix [a:4][b:4]`, conds{rowkey.AtLeast("b", 1)}, false},
		{`phoenix [a][b:4]`, conds{rowkey.AnyOf(rowkey.Eq("b", 0), rowkey.Eq("b", 7))}, true},
		{`phoenix [a:4][b]`, conds{rowkey.Eq("b", "x")}, false},
	} {
		s, err := rowkey.Parse("w", c.layout)
		require.NoError(t, err)
		plan, err := s.Scan(append(c.conds, rowkey.FullScan())...)
		require.NoError(t, err, "%s %d", c.layout, len(c.conds))
		assert.Equal(t, c.whole, strings.HasPrefix(plan.String(), "the whole table"), "%s: %v", c.layout, plan)
	}
}
