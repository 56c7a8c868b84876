package rekey_test

import (
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/change"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/rekey"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestIndex: an index of the main key's fields is a change that stays in write-both. It is
// built from the main table, verified against it, and kept by each put and delete.
func TestIndex(t *testing.T) {
	t.Parallel()
	byTime := rowkey.Must(rowkey.Parse("by_time", "[salt8(at)][at:4][seller:2]"))
	w := newWorld(t, anywhere(t), ten, byTime, 100, false)
	cl := w.c.Client()
	require.NoError(t, w.store.Join(t.Context(), "app", cl))
	for _, p := range []change.Phase{change.Prepare, change.WriteBoth} {
		w.goes(p, cl)
	}
	w.move(change.InOld, 0, rekey.Verifying{})

	key, err := byTime.AppendKey(nil, 1000, 7)
	require.NoError(t, err)
	require.NoError(t, cl.Put(t.Context(), hbase.Row{Key: key, Cells: w.cells(1, time.Time{})}))
	require.NoError(t, cl.Delete(t.Context(), w.rows[10].key))
	w.equal()
	plan, err := byTime.Scan(rowkey.Span("at", 5, 15))
	require.NoError(t, err)
	var got [][]byte
	for row, err := range w.table(change.InNew).ScanPlan(t.Context(), plan) {
		require.NoError(t, err)
		got = append(got, row.Key)
	}
	assert.Len(t, got, 9)
	last, err := byTime.Scan(rowkey.AtLeast("at", 100))
	require.NoError(t, err)
	for row, err := range w.table(change.InNew).ScanPlan(t.Context(), last) {
		require.NoError(t, err)
		assert.Equal(t, key, row.Key)
	}
	row, found, err := cl.Get(t.Context(), key)
	require.NoError(t, err)
	assert.True(t, found)
	assert.Equal(t, 1, opOf(&row))
}
