package rekey_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey/change"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/rekey"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// after is a Watcher that does something once, after the first scan of a table.
type after struct {
	table string
	do    func()
	done  atomic.Bool
}

func (a *after) Begin(ctx context.Context, call hbase.Call) (context.Context, func(hbase.Outcome)) {
	if call.Name != "getScannerResults" || call.Table != a.table || !a.done.CompareAndSwap(false, true) {
		return ctx, nil
	}
	return ctx, func(hbase.Outcome) { a.do() }
}

// TestVerifyTwice: two Verify of one turn, of which one sums up the source just after the other
// has looked how far it is. What the other passes over it has to have in its sums: else it takes
// the rows for equal that the new table has not.
func TestVerifyTwice(t *testing.T) {
	t.Parallel()
	gateway := anywhere(t)
	admin := patient(t, gateway)
	n := tables.Add(1)
	old, newer := fmt.Sprintf("old%d", n), fmt.Sprintf("new%d", n)
	states := fmt.Sprintf("states%d", n)
	require.NoError(t, admin.CreateTable(t.Context(), old, nil, "f"))
	store, _, err := rekey.Begin(t.Context(), admin, states, old, rekey.Beginning{
		Definition: rekey.Definition{OldTable: old, OldSchema: ten.String(), NewTable: newer, NewSchema: wide.String(), Takes: takes, Lease: lease}, Regions: 1})
	require.NoError(t, err)
	for _, p := range []change.Phase{change.Prepare, change.WriteBoth} {
		_, err := store.Step(t.Context(), p)
		require.NoError(t, err)
	}
	const rows = 20
	at := time.Now().Add(-time.Minute)
	for i := range uint64(rows) {
		key, err := ten.AppendKey(nil, i, i)
		require.NoError(t, err)
		require.NoError(t, admin.Table(old).Put(t.Context(), hbase.Row{Key: key, Cells: []hbase.Cell{{Family: "f", Qualifier: "q", Value: []byte("v"), Time: at}}}))
	}
	run := func(ctx context.Context, table string, do func()) (rekey.Verified, error) {
		w := &after{table: table, do: do}
		w.done.Store(true)
		client := patient(t, gateway, hbase.Watch(w))
		c, err := rekey.New(client, rekey.Side{Table: old, Schema: ten}, rekey.Side{Table: newer, Schema: wide})
		require.NoError(t, err)
		store, err := rekey.OpenStore(ctx, client, states, old)
		require.NoError(t, err)
		turn, err := store.MayMove(ctx)
		require.NoError(t, err)
		w.done.Store(false) // from here on
		return c.Verify(ctx, turn, rekey.Verifying{Wait: time.Millisecond})
	}
	found, err := run(t.Context(), states, func() {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		_, err := run(ctx, newer, cancel) // it is ended when it has summed up the source
		assert.ErrorIs(t, err, context.Canceled)
	})
	require.NoError(t, err)
	assert.Equal(t, int64(rows), found.Rows)
	assert.Equal(t, int64(rows), found.Copied)
}
