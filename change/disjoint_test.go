package change_test

import (
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/change"
	"github.com/stretchr/testify/assert"
)

// TestDisjoint: layouts that OneTable takes may have keys in common, of the same row.
func TestDisjoint(t *testing.T) {
	t.Parallel()
	for _, of := range []struct {
		a, b     string
		oneTable bool
		disjoint bool
	}{
		{"[salt10(x)][x:2]", "[salt40(x)][x:2]", true, false},
		{"[salt10(x)][x:2]", "[x:2]", true, true},
		{`["v1"][x]`, `["v2"][x]`, true, true},
		{`["v1"][x]`, "[x]", false, false},
		{"[x:2][y:2]", "[y:2][x:2]", false, false},
		{`[salt10(x)]["a"][x:2]`, `[salt40(x)]["b"][x:2]`, true, true},
	} {
		a, b := rowkey.Must(rowkey.Parse("a", of.a)), rowkey.Must(rowkey.Parse("b", of.b))
		g, err := change.Of(a, b)
		assert.NoError(t, err)
		assert.Equal(t, of.oneTable, g.OneTable() == nil, "%s and %s: %v", of.a, of.b, g.OneTable())
		assert.Equal(t, of.disjoint, change.Disjoint(a, b), "%s and %s", of.a, of.b)
		assert.Equal(t, of.disjoint, change.Disjoint(b, a), "%s and %s", of.b, of.a)
	}
}
