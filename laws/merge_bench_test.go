package laws

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/plan"
	"github.com/hbase-rowkey/rowkey/scan"
)

// The floor of Merge is the loop that one would write by hand for one table
// with one byte of salt: a binary heap of the cursors by the key after that
// byte, whose top sinks to its place with each new row, no bound and no order
// looked at.
//
//	go test -run '^$' -bench Merge -count 10 ./laws | benchstat -col '/side' -

type benchResult struct{ key []byte }

func (r *benchResult) row() []byte { return r.key }

type benchCursor struct {
	rows []*benchResult
	at   int
}

func (c *benchCursor) Next() (*benchResult, error) {
	if c.at == len(c.rows) {
		return nil, io.EOF
	}
	c.at++
	return c.rows[c.at-1], nil
}

func (c *benchCursor) Close() error { return nil }

type floorEntry struct {
	row    *benchResult
	cursor scan.Cursor[*benchResult]
}

func floorBefore(a, b *floorEntry) bool {
	if c := bytes.Compare(a.row.key[1:], b.row.key[1:]); c != 0 {
		return c < 0
	}
	return a.row.key[0] < b.row.key[0]
}

// floorMerge gives the rows of the cursors to body in the order of their keys
// without the first byte.
//
//go:noinline
func floorMerge(cursors []scan.Cursor[*benchResult], body func(*benchResult) bool) error {
	heap := make([]floorEntry, 0, len(cursors))
	sink := func(i int) {
		e := heap[i]
		for {
			child := 2*i + 1
			if child >= len(heap) {
				break
			}
			if child+1 < len(heap) && floorBefore(&heap[child+1], &heap[child]) {
				child++
			}
			if !floorBefore(&heap[child], &e) {
				break
			}
			heap[i], i = heap[child], child
		}
		heap[i] = e
	}
	for _, c := range cursors {
		switch row, err := c.Next(); {
		case err == nil:
			heap = append(heap, floorEntry{row, c})
		case !errors.Is(err, io.EOF):
			return err
		}
	}
	for i := len(heap)/2 - 1; i >= 0; i-- {
		sink(i)
	}
	for len(heap) > 0 {
		if !body(heap[0].row) {
			return nil
		}
		row, err := heap[0].cursor.Next()
		switch {
		case err == nil:
			heap[0].row = row
		case errors.Is(err, io.EOF):
			heap[0] = heap[len(heap)-1]
			heap = heap[:len(heap)-1]
		default:
			return err
		}
		if len(heap) > 0 {
			sink(0)
		}
	}
	return nil
}

// benchTable is rows of one schema in their buckets, and a plan of them all.
func benchTable(b *testing.B, s *rowkey.Schema, rows int, values func(i int) []any) (*rowkey.Plan, [][]*benchResult) {
	buckets := make([][]*benchResult, 16)
	for i := range rows {
		key, err := s.AppendKey(nil, values(i)...)
		if err != nil {
			b.Fatal(err)
		}
		buckets[key[0]] = append(buckets[key[0]], &benchResult{key})
	}
	p, in := madePlan(s, plan.Plan{Exact: true, Leads: 1})
	for i, rows := range buckets {
		slices.SortFunc(rows, func(a, b *benchResult) int { return bytes.Compare(a.key, b.key) })
		in.Ranges.Add(heldRange(rowkey.PrefixRange([]byte{byte(i)})))
	}
	return p, buckets
}

func BenchmarkMerge(b *testing.B) {
	began := time.UnixMilli(1684203630000)
	times, err := rowkey.New("events").Salt(16, "order").Time("at", rowkey.Millis, rowkey.Desc).Uint("order", 8).Build()
	if err != nil {
		b.Fatal(err)
	}
	texts, err := rowkey.New("trades").Salt(16, "order").String("seller").Separator("_").Uint("order", 8).Build()
	if err != nil {
		b.Fatal(err)
	}
	const rows = 16 << 10
	for _, job := range []struct {
		name   string
		schema *rowkey.Schema
		values func(i int) []any
	}{
		{"times", times, func(i int) []any { return []any{began.Add(time.Duration(i) * time.Millisecond), i} }},
		{"texts", texts, func(i int) []any { return []any{fmt.Sprintf("seller-%d", i/100), i} }},
	} {
		plan, buckets := benchTable(b, job.schema, rows, job.values)
		open := func(_ context.Context, r rowkey.Range, _ bool) (scan.Cursor[*benchResult], error) {
			return &benchCursor{rows: buckets[r.Start()[0]]}, nil
		}
		merge := func(plan *rowkey.Plan, parallel int) func(func(*benchResult)) error {
			return func(body func(*benchResult)) error {
				for row, err := range scan.Merge(context.Background(), plan, parallel, open, (*benchResult).row) {
					if err != nil {
						return err
					}
					body(row)
				}
				return nil
			}
		}
		sides := []struct {
			name string
			run  func(body func(*benchResult)) error
		}{
			{"floor", func(body func(*benchResult)) error {
				cursors := make([]scan.Cursor[*benchResult], len(buckets))
				for i := range cursors {
					cursors[i] = &benchCursor{rows: buckets[i]}
				}
				return floorMerge(cursors, func(r *benchResult) bool { body(r); return true })
			}},
			{"rowkey", merge(plan, 1)},
			{"parallel", merge(plan, 16)},
		}
		var want [][]byte
		for _, side := range sides {
			b.Run(job.name+"/side="+side.name, func(b *testing.B) {
				var got [][]byte
				if err := side.run(func(r *benchResult) { got = append(got, r.key) }); err != nil {
					b.Fatal(err)
				}
				if want == nil {
					want = got
				}
				if len(got) != rows || !slices.EqualFunc(got, want, bytes.Equal) {
					b.Fatal("the two sides differ")
				}
				total := 0
				b.ReportAllocs()
				b.ResetTimer()
				for range b.N {
					if err := side.run(func(r *benchResult) { total += len(r.key) }); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
			})
		}
	}
}
