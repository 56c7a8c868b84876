package hbase_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase/internal/gohbase"
	"github.com/hbase-rowkey/rowkey/hbase/internal/gohbase/filter"
	"github.com/hbase-rowkey/rowkey/hbase/internal/gohbase/hrpc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The recipe of docs/gohbase.md.

// A gohbase scanner is a cursor as it is.
var _ rowkey.Cursor[*hrpc.Result] = hrpc.Scanner(nil)

// rowKey is the key of a result. One without cells has none: Merge passes it over.
func rowKey(r *hrpc.Result) []byte {
	if r == nil || len(r.Cells) == 0 {
		return nil
	}
	return r.Cells[0].Row
}

// readPlan reads a plan, in the order of the keys without their salt.
func readPlan(ctx context.Context, client gohbase.Client, table string, plan *rowkey.Plan) iter.Seq2[*hrpc.Result, error] {
	open := func(ctx context.Context, r rowkey.Range) (rowkey.Cursor[*hrpc.Result], error) {
		start, stop := r.Start(), r.Stop()
		options := []func(hrpc.Call) error{
			hrpc.NumberOfRows(1000),              // in one answer
			hrpc.RenewInterval(20 * time.Second), // a cursor waits while others are read
		}
		if plan.IsReversed() {
			start, stop = r.Reversed()
			options = append(options, hrpc.Reversed())
		} else if f := fuzzyFilter(plan); f != nil {
			options = append(options, hrpc.Filters(f))
		}
		scan, err := hrpc.NewScanRange(ctx, []byte(table), start, stop, options...)
		if err != nil {
			return nil, err
		}
		return client.Scan(scan), nil
	}
	return rowkey.Merge(ctx, plan, 8, open, rowKey)
}

// fuzzyFilter is the plan's FuzzyRowFilter, or nil where it has none.
func fuzzyFilter(plan *rowkey.Plan) filter.Filter {
	var pairs []*filter.BytesBytesPair
	for key, mask := range plan.Fuzzy() {
		pairs = append(pairs, filter.NewBytesBytesPair(key, mask))
	}
	if pairs == nil {
		return nil
	}
	return filter.NewFuzzyRowFilter(pairs)
}

// putBatch writes events of one table in one batch. Each key has memory of its
// own, since gohbase keeps the slice and may send it after the call has timed out.
func putBatch(ctx context.Context, client gohbase.Client, table string, events []event) error {
	batch := make([]hrpc.Call, len(events))
	for i := range events {
		key, err := eventKeys.Append(nil, &events[i])
		if err != nil {
			return err
		}
		cells := map[string]map[string][]byte{"f": {"host": []byte(events[i].Host)}}
		if batch[i], err = hrpc.NewPut(ctx, []byte(table), key, cells); err != nil {
			return err
		}
	}
	results, ok := client.SendBatch(ctx, batch)
	if ok {
		return nil
	}
	var failed []error
	for i, r := range results {
		if r.Error != nil {
			failed = append(failed, fmt.Errorf("row %d: %w", i, r.Error))
		}
	}
	return errors.Join(failed...)
}

// gohbaseFake is a table in memory behind gohbase's shapes.
type gohbaseFake struct {
	mu    sync.Mutex // Scan is called from several goroutines
	keys  [][]byte
	scans []*hrpc.Scan
	full  int // rows that it takes
}

func (g *gohbaseFake) SendBatch(_ context.Context, batch []hrpc.Call) (res []hrpc.RPCResult, allOK bool) {
	res, allOK = make([]hrpc.RPCResult, len(batch)), true
	for i, call := range batch {
		if len(g.keys) == g.full {
			res[i].Error, allOK = errors.New("region is full"), false
			continue
		}
		g.keys = append(g.keys, call.Key())
	}
	slices.SortFunc(g.keys, bytes.Compare)
	return res, allOK
}

func (g *gohbaseFake) Scan(s *hrpc.Scan) hrpc.Scanner {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.scans = append(g.scans, s)
	c := &gohbaseScanner{}
	for _, key := range g.keys {
		switch below := bytes.Compare(key, s.StartRow) < 0; {
		case !s.IsReversed && !below && (len(s.Stop) == 0 || bytes.Compare(key, s.Stop) < 0),
			s.IsReversed && (below || bytes.Equal(key, s.StartRow) || len(s.StartRow) == 0) && bytes.Compare(key, s.Stop) > 0:
			c.results = append(c.results, &hrpc.Result{}, &hrpc.Result{Cells: []*hrpc.Cell{{Row: key}}})
		}
	}
	if s.IsReversed {
		slices.Reverse(c.results)
	}
	return c
}

type gohbaseScanner struct{ results []*hrpc.Result }

func (c *gohbaseScanner) Next() (*hrpc.Result, error) {
	if len(c.results) == 0 {
		return nil, io.EOF
	}
	r := c.results[0]
	c.results = c.results[1:]
	return r, nil
}

func (c *gohbaseScanner) Close() error                     { return nil }
func (c *gohbaseScanner) GetScanMetrics() map[string]int64 { return nil }

func TestGohbaseRecipe(t *testing.T) {
	g := &gohbaseFake{full: 500}
	many := make([]event, 501)
	for i := range many {
		many[i] = eventAt(i)
	}
	require.NoError(t, putBatch(ctx, g, "events", many[:500]))
	assert.EqualError(t, putBatch(ctx, g, "events", many[500:]), "row 0: region is full")

	host := many[7].Host
	for _, conds := range [][]rowkey.Cond{{rowkey.FullScan()}, {rowkey.Eq("host", host)}} {
		plan, err := events.Scan(conds...)
		require.NoError(t, err)
		var want [][]byte
		for _, key := range g.keys {
			if plan.Match(key) {
				want = append(want, key)
			}
		}
		slices.SortFunc(want, func(a, b []byte) int { return bytes.Compare(a[1:], b[1:]) })
		for _, plan := range []*rowkey.Plan{plan, plan.Reversed()} {
			g.scans = nil
			var got [][]byte
			for r, err := range readPlan(ctx, g, "events", plan) {
				require.NoError(t, err)
				got = append(got, r.Cells[0].Row)
			}
			assert.Equal(t, want, got)
			assert.Len(t, g.scans, plan.Len())
			assert.Equal(t, plan.IsReversed(), g.scans[0].IsReversed)
			_, fuzzy := g.scans[0].Filter.(*filter.FuzzyRowFilter)
			assert.Equal(t, !plan.IsReversed() && plan.Len() == 1, fuzzy, "of a host, behind the time")
			slices.Reverse(want)
		}
	}
}

// What a document shows of Go is in the test beside this that compiles and runs it.
func TestDocumentsShowRealCode(t *testing.T) {
	for doc, test := range map[string]string{"../docs/gohbase.md": "gohbase_test.go", "../docs/hbase.md": "example_test.go", "../docs/lindorm.md": "example_test.go"} {
		text, err := os.ReadFile(doc)
		require.NoError(t, err)
		code, err := os.ReadFile(test)
		require.NoError(t, err)
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), " ") }
		blocks := strings.Split(string(text), "```go\n")[1:]
		require.NotEmpty(t, blocks, doc)
		for _, block := range blocks {
			block, _, _ = strings.Cut(block, "```")
			for _, part := range strings.Split(block, "\n\n") {
				assert.Contains(t, squeeze(string(code)), squeeze(part), "%s shows what %s does not have", doc, test)
			}
		}
	}
}
