package hbase_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase/internal/gohbase/filter"
	"github.com/hbase-rowkey/rowkey/hbase/internal/gohbase/hrpc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// gohbaseFake is a table in memory with gohbase's shapes.
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
		var paged [][]byte
		var token []byte
		for done := false; !done; {
			rows, next, last, err := firstRows(ctx, g, plan, token)
			require.NoError(t, err)
			require.LessOrEqual(t, len(rows), 20)
			for _, r := range rows {
				paged = append(paged, rowKey(r))
			}
			token, done = next, last
		}
		assert.Equal(t, want, paged)
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

		g.scans = nil
		var got [][]byte
		for r, err := range readRanges(ctx, g, "events", plan) {
			require.NoError(t, err)
			got = append(got, r.Cells[0].Row)
		}
		slices.SortFunc(got, func(a, b []byte) int { return bytes.Compare(a[1:], b[1:]) })
		assert.Equal(t, want, got)
		require.Len(t, g.scans, 1)
		assert.Len(t, g.scans[0].Filter.(*filter.MultiRowRangeFilter).Ranges, plan.Len())
	}
}

// What a document shows of Go is in the test beside this that compiles and runs it.
func TestDocumentsShowRealCode(t *testing.T) {
	for doc, tests := range map[string][]string{
		"../docs/gohbase.md": {"gohbase_recipe_test.go"},
		"../docs/hbase.md":   {"example_test.go", "watch_recipe_test.go"},
		"../docs/lindorm.md": {"example_test.go"},
		"../README.md":       {"gohbase_recipe_test.go"},
		"../README.zh-CN.md": {"gohbase_recipe_test.go"},
	} {
		text, err := os.ReadFile(doc)
		require.NoError(t, err)
		const inside = "github.com/hbase-rowkey/rowkey/hbase/internal/"
		page := strings.NewReplacer("github.com/tsuna/gohbase", inside+"gohbase", "go.opentelemetry.io/otel", inside+"otel").Replace(string(text))
		var code []byte
		for _, test := range tests {
			part, err := os.ReadFile(test)
			require.NoError(t, err)
			code = append(code, part...)
		}
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), " ") }
		blocks := strings.Split(page, "```go\n")[1:]
		require.NotEmpty(t, blocks, doc)
		for _, block := range blocks {
			block, _, _ = strings.Cut(block, "```")
			if strings.Contains(doc, "README") && !strings.Contains(block, "hrpc.") {
				continue // the root module runs these
			}
			for _, part := range strings.Split(block, "\n\n") {
				assert.Contains(t, squeeze(string(code)), squeeze(part), "%s shows what is not in %v", doc, tests)
			}
		}
	}
}
