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
		for _, pair := range [][2]*rowkey.Schema{{a, b}, {b, a}} {
			apart, err := change.Disjoint(pair[0], pair[1])
			assert.NoError(t, err)
			assert.Equal(t, of.disjoint, apart, "%s and %s", pair[0], pair[1])
		}
		_, err = change.Disjoint(a, nil)
		assert.ErrorIs(t, err, rowkey.ErrSchema)
		_, err = change.Disjoint(nil, b)
		assert.ErrorIs(t, err, rowkey.ErrSchema)
	}
}
