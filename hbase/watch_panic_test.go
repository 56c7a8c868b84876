package hbase_test

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bursts is a Watcher that does something at the nth call of a name, at its begin or its end.
type bursts struct {
	name  string
	nth   int64
	atEnd bool
	do    func()

	calls atomic.Int64
}

func (b *bursts) Begin(ctx context.Context, call hbase.Call) (context.Context, func(hbase.Outcome)) {
	if call.Name != b.name || b.calls.Add(1) != b.nth {
		return ctx, nil
	}
	if !b.atEnd {
		b.do()
	}
	return ctx, func(hbase.Outcome) { b.do() }
}

// A panic of a Watcher comes to whoever reads or writes, whichever goroutine made the call, and
// leaves no goroutine that waits. So does a call that ends its goroutine.
func TestWatcherPanics(t *testing.T) {
	f := newFake(t)
	_, err := dial(t, f.addr).Table("t").PutAll(ctx, rowsOf(3000, new(atomic.Int64)), 1)
	require.NoError(t, err)
	schema := rowkey.New("t").String("key").MustBuild()
	var values []string
	for i := range 40 {
		values = append(values, fmt.Sprintf("r%05d", 70*i))
	}
	plan, err := schema.Scan(rowkey.In("key", values...))
	require.NoError(t, err)
	whole := rowkey.PrefixRange(nil)
	drain := func(rows iter.Seq2[hbase.Row, error]) {
		for _, err := range rows {
			assert.NoError(t, err)
		}
	}
	const scans, puts = "getScannerResults", "putMultiple"
	for _, test := range []struct {
		name, call string
		nth        int64
		do         func(table *hbase.Table)
	}{
		{"a scan", scans, 1, func(table *hbase.Table) { drain(table.Scan(ctx, whole)) }},
		{"a scan, ahead", scans, 3, func(table *hbase.Table) { drain(table.Scan(ctx, whole)) }},
		{"a scan that is left", scans, 2, func(table *hbase.Table) {
			n := 0
			for range table.Scan(ctx, whole) {
				if n++; n == 6 {
					break
				}
			}
		}},
		{"a plan", scans, 2, func(table *hbase.Table) { drain(table.ScanPlan(ctx, plan)) }},
		{"many ranges, one by one", scans, 2, func(table *hbase.Table) {
			drain(table.ScanPlan(ctx, plan, hbase.MultiRange(), hbase.Parallel(1), hbase.Batch(2)))
		}},
		{"many ranges", scans, 1, func(table *hbase.Table) { drain(table.ScanPlan(ctx, plan, hbase.MultiRange(), hbase.Batch(2))) }},
		{"many ranges, later", scans, 3, func(table *hbase.Table) { drain(table.ScanPlan(ctx, plan, hbase.MultiRange(), hbase.Batch(2))) }},
		{"puts", puts, 1, func(table *hbase.Table) { table.PutAll(ctx, rowsOf(2500, new(atomic.Int64)), 1) }},          //nolint:errcheck // it panics
		{"puts, several", puts, 2, func(table *hbase.Table) { table.PutAll(ctx, rowsOf(9500, new(atomic.Int64)), 3) }}, //nolint:errcheck // it panics
	} {
		for _, atEnd := range []bool{false, true} {
			t.Run(test.name, func(t *testing.T) {
				b := &bursts{name: test.call, nth: test.nth, atEnd: atEnd, do: func() { panic("the watcher") }}
				c := dial(t, f.addr, hbase.Watch(b))
				assert.PanicsWithValue(t, "the watcher", func() { test.do(c.Table("t")) })
			})
			t.Run(test.name+", ended", func(t *testing.T) {
				b := &bursts{name: test.call, nth: test.nth, atEnd: atEnd, do: runtime.Goexit}
				c := dial(t, f.addr, hbase.Watch(b))
				over := make(chan any, 1)
				go func() {
					defer func() { over <- recover() }() // nil: it was the caller's own goroutine
					test.do(c.Table("t"))
				}()
				select {
				case <-over:
				case <-time.After(10 * time.Second):
					t.Fatal("it waits for ever")
				}
			})
		}
	}
}
