package rekey_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/change"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/rekey"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestValuesOfOneLayout: the new layout has −0 and the old one has not. A page of the old one
// behind such a row begins where that row would stand, in both directions, and ends with the
// limit; such a row is not moved back, and Verify says so.
func TestValuesOfOneLayout(t *testing.T) {
	conn, n := patient(t), tables.Add(1)
	from, to := rowkey.Must(rowkey.Parse("old", "[x:f8][c:1]")), rowkey.Must(rowkey.Parse("new", "[x:f8 phoenix][c:1]"))
	var sides [2]rekey.Side
	for p, s := range []*rowkey.Schema{from, to} {
		name := fmt.Sprintf("%s%d", s.Name(), n)
		require.NoError(t, conn.CreateTable(t.Context(), name, nil, "f"))
		sides[p] = rekey.Side{Table: conn.Table(name), Schema: s}
	}
	c, err := rekey.New(sides[0], sides[1])
	require.NoError(t, err)
	at := time.Now().Add(-time.Minute)
	put := func(p change.Place, x float64, n int) []byte {
		key, err := sides[p].Schema.AppendKey(nil, x, n)
		require.NoError(t, err)
		require.NoError(t, sides[p].Table.Put(t.Context(), hbase.Row{Key: key, Cells: []hbase.Cell{{Family: "f", Qualifier: "q", Value: []byte("v"), Time: at}}}))
		return key
	}
	for _, n := range []int{2, 5, 9} {
		put(change.InOld, 0, n)
	}
	put(change.InOld, -1, 1)
	minus := put(change.InNew, math.Copysign(0, -1), 5)

	forward, err := c.Plan(rowkey.FullScan())
	require.NoError(t, err)
	cl := c.Client() // in the phase old, which reads the old layout
	for _, page := range []struct {
		plan *change.Plan
		want []string // x and c
	}{
		{forward, []string{"0 2", "0 5", "0 9"}},
		{forward.Limit(2), []string{"0 2", "0 5"}},
		{forward.Reversed(), []string{"-1 1"}},
		{forward.Reversed().Limit(1), []string{"-1 1"}},
	} {
		token, err := page.plan.Token(1, minus)
		require.NoError(t, err)
		rest, err := page.plan.Resume(token)
		require.NoError(t, err)
		var got []string
		for r, err := range cl.Scan(t.Context(), rest) {
			require.NoError(t, err)
			var x float64
			var c uint64
			require.NoError(t, to.Read(r.Key).Float(&x).Uint(&c).Err())
			got = append(got, fmt.Sprint(x, " ", c))
		}
		assert.Equal(t, page.want, got, "reversed %v", page.plan.IsReversed())
	}

	_, found, err := cl.Get(t.Context(), minus)
	assert.ErrorIs(t, err, rowkey.ErrRange, "the old layout has no such row")
	assert.False(t, found)
	moved, err := c.Move(t.Context(), change.InOld, rekey.Moving{})
	require.NoError(t, err)
	assert.Equal(t, int64(4), moved.Rows)
	back, err := c.Move(t.Context(), change.InNew, rekey.Moving{})
	assert.ErrorIs(t, err, rekey.ErrRefused)
	assert.Equal(t, int64(1), back.Refused)
	v := rekey.Verifying{Parallel: 1, Wait: 10 * time.Millisecond}
	held, err := c.Verify(t.Context(), change.InOld, v)
	require.NoError(t, err)
	assert.Equal(t, int64(0), held.Refused)
	assert.Equal(t, int64(4), held.Rows)
	held, err = c.Verify(t.Context(), change.InNew, v)
	require.NoError(t, err)
	assert.Equal(t, int64(1), held.Refused)
	assert.Equal(t, int64(4), held.Rows)
}
