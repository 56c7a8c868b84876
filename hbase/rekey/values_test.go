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
// after such a row begins where that row would stand, in both directions, and ends with the
// limit; such a row is not moved back, and Verify says so.
func TestValuesOfOneLayout(t *testing.T) {
	t.Parallel()
	from, to := rowkey.Must(rowkey.Parse("old", "[x:f8][c:1]")), rowkey.Must(rowkey.Parse("new", "[x:f8 phoenix][c:1]"))
	w := newWorld(t, anywhere(t), from, to, 0, false)
	c := w.c
	at := time.Now().Add(-time.Minute)
	put := func(p change.Place, x float64, n int) []byte {
		key, err := c.Side(p).Schema.AppendKey(nil, x, n)
		require.NoError(t, err)
		require.NoError(t, w.table(p).Put(t.Context(), hbase.Row{Key: key, Cells: []hbase.Cell{{Family: "f", Qualifier: "q", Value: []byte("v"), Time: at}}}))
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
	require.NoError(t, w.store.Join(t.Context(), "app", cl))
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
	v := rekey.Verifying{Parallel: 1, Wait: 10 * time.Millisecond}
	w.goes(change.Prepare, cl)
	w.goes(change.WriteBoth, cl)
	turn, err := w.store.MayMove(t.Context())
	require.NoError(t, err)
	moved, err := c.Move(t.Context(), turn, rekey.Moving{})
	require.NoError(t, err)
	assert.Equal(t, int64(4), moved.Rows)
	held, err := c.Verify(t.Context(), turn, v)
	require.NoError(t, err)
	assert.Equal(t, int64(0), held.Refused)
	assert.Equal(t, int64(4), held.Rows)
	_, err = w.store.Verified(t.Context(), turn)
	require.NoError(t, err)
	w.goes(change.ReadNew, cl)
	turn, err = w.store.MayMove(t.Context())
	require.NoError(t, err)
	back, err := c.Move(t.Context(), turn, rekey.Moving{})
	assert.ErrorIs(t, err, rekey.ErrRefused)
	assert.Equal(t, int64(1), back.Refused)
	held, err = c.Verify(t.Context(), turn, v)
	require.NoError(t, err)
	assert.Equal(t, int64(1), held.Refused)
	assert.Equal(t, int64(4), held.Rows)
}

// TestCleanLeavesRefused: in one table, a row that the new layout cannot hold stays when the old
// keys are deleted.
func TestCleanLeavesRefused(t *testing.T) {
	t.Parallel()
	from, to := rowkey.Must(rowkey.Parse("old", `["v1"][x:f8 phoenix]`)), rowkey.Must(rowkey.Parse("new", `["v2"][x:f8]`))
	w := newWorld(t, inMemory(t), from, to, 0, true)
	var keys [][]byte
	for _, x := range []float64{1, math.Copysign(0, -1)} {
		key, err := from.AppendKey(nil, x)
		require.NoError(t, err)
		keys = append(keys, key)
		require.NoError(t, w.table(change.InOld).Put(t.Context(), hbase.Row{Key: key, Cells: w.cells(1, time.Now().Add(-time.Minute))}))
	}
	w.to(change.Prepare, change.WriteBoth)
	turn, err := w.store.MayMove(t.Context())
	require.NoError(t, err)
	_, err = w.c.Move(t.Context(), turn, rekey.Moving{})
	require.ErrorIs(t, err, rekey.ErrRefused)
	_, err = w.c.Verify(t.Context(), turn, rekey.Verifying{})
	require.NoError(t, err)
	_, err = w.store.Verified(t.Context(), turn)
	require.NoError(t, err)
	w.to(change.ReadNew, change.Keep, change.New)
	turn, err = w.store.Look(t.Context())
	require.NoError(t, err)
	cleaned, err := w.c.Clean(t.Context(), turn, rekey.Moving{})
	require.NoError(t, err)
	assert.Equal(t, int64(1), cleaned.Rows)
	assert.Equal(t, int64(1), cleaned.Refused)
	left, err := w.table(change.InOld).GetRows(t.Context(), keys)
	require.NoError(t, err)
	require.Len(t, left, 1)
	assert.Equal(t, keys[1], left[0].Key)
}
