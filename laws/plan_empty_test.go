package laws

import (
	"math"
	"strings"
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A plan without ranges says which field is the cause: a value that no key of the
// schema holds is not an error, since a filter may ask for anything.
func TestEmptyPlanSaysWhy(t *testing.T) {
	const never = "t: 0 ranges: no row can match\n"
	for _, c := range []struct {
		notation string
		conds    []rowkey.Cond
		why      string
	}{
		{"[user]['_'][ms(at)]", []rowkey.Cond{rowkey.Eq("user", "anna_b")}, "  user: no key holds such a value: holds the separator \"_\": value and its end cannot be told apart\n"},
		{"[user]['_'][ms(at)]", []rowkey.Cond{rowkey.In("user", "anna_b", "an_na")}, "  user: no key holds such a value: holds the separator \"_\": value and its end cannot be told apart\n"},
		{"[salt16(user)][user fixed(4)]", []rowkey.Cond{rowkey.Eq("user", "abcde")}, "  user: no key holds such a value: 5 bytes, exactly 4: length not allowed\n"},
		{"[n:2][user]", []rowkey.Cond{rowkey.Eq("n", 70000)}, "  n: none of its values meets the conditions\n"},
		{"[n:2][user]", []rowkey.Cond{rowkey.Eq("n", 7), rowkey.Eq("n", 8)}, "  n: none of its values meets the conditions\n"},
		{`[v oneof("a","b")]['_'][n:2]`, []rowkey.Cond{rowkey.Eq("v", "c")}, "  v: none of its values meets the conditions\n"},
		{"[n:2][user]", []rowkey.Cond{rowkey.In[string]("user"), rowkey.Eq("n", 70000)}, "  n: none of its values meets the conditions\n  user: none of its values meets the conditions\n"},
		{"[a optional phoenix][b:i1 phoenix]", []rowkey.Cond{rowkey.Null("a"), rowkey.NotNull("a")}, "  a: none of its values meets the conditions\n"},
	} {
		plan, err := rowkey.Must(rowkey.Parse("t", c.notation)).Scan(c.conds...)
		require.NoError(t, err, c.notation)
		assert.Equal(t, never+c.why, plan.String())
		assert.Zero(t, plan.Len())
	}

	// One that can be stored leaves a range, and one that is null a row.
	s := rowkey.Must(rowkey.Parse("t", "[a optional phoenix][b:i1 phoenix]"))
	for _, conds := range [][]rowkey.Cond{{rowkey.In("a", "x\x00y", "x")}, {rowkey.AnyOf(rowkey.Eq("a", "x\x00y"), rowkey.Null("a"))}} {
		plan, err := s.Scan(conds...)
		require.NoError(t, err)
		assert.NotZero(t, plan.Len())
		assert.False(t, strings.Contains(plan.String(), "no key holds"), "%v", plan)
		assert.Equal(t, "t: 0 ranges: Limit(0): a limit is 1 or more; a plan without Limit reads all rows: value out of range\n", plan.Limit(0).String())
	}
}

// A range that a plan does not have is empty. A query whose list has turned out empty, asked for its one range, must
// not read the whole table.
func TestRangeBeyondPlan(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "[salt4(a)][a]['_'][b:8]"))
	for n, conds := range [][]rowkey.Cond{{rowkey.In[string]("a")}, {rowkey.Eq("a", "x")}, {rowkey.AtLeast("salt", 3)}, {rowkey.In("a", "x", "yy", "z")}} {
		plan, err := s.Scan(conds...)
		require.NoError(t, err)
		require.Equal(t, n > 0, plan.Len() > 0)
		for _, p := range []*rowkey.Plan{plan, plan.Reversed(), plan.Limit(0), plan.SplitAt([][]byte{{1}}), {}} {
			for _, i := range []int{-1, p.Len(), p.Len() + 1, p.Len() + 100, math.MinInt} {
				assert.True(t, p.Range(i).Empty(), "range %d of %v", i, p)
			}
			if p.Len() > 0 {
				assert.False(t, p.Range(p.Len()-1).Empty())
			}
		}
	}
}
