package bench

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/scan"
)

const (
	mergeRows = 16 << 10
	// What a merge of 16 cursors may allocate, two for each: its own places and
	// the cursors, nothing for a row.
	mergeAllocs = 32
)

// stock is rows in their buckets, in key order, and a plan that reads them all.
type stock struct {
	plan    *rowkey.Plan
	buckets map[string][]*result // by the start of each range
	cursors []scan.Cursor[*result]
}

// newStock makes rows of a schema for which a query gives one range a bucket.
func newStock(s *rowkey.Schema, rows int, all rowkey.Cond, values func(i int) []any) *stock {
	plan, err := s.Scan(all)
	if err != nil {
		panic(err)
	}
	t := &stock{plan: plan, buckets: map[string][]*result{}}
	keys := make([][]byte, rows)
	for i := range keys {
		if keys[i], err = s.AppendKey(nil, values(i)...); err != nil {
			panic(err)
		}
	}
	slices.SortFunc(keys, bytes.Compare)
	for r := range plan.Ranges() {
		from, _ := slices.BinarySearchFunc(keys, r.Start(), bytes.Compare)
		to, _ := slices.BinarySearchFunc(keys, r.Stop(), bytes.Compare)
		var rows []*result
		for _, key := range keys[from:to] {
			rows = append(rows, &result{key})
		}
		t.buckets[string(r.Start())] = rows
	}
	t.cursors = make([]scan.Cursor[*result], plan.Len())
	return t
}

// merge reads the table through Merge, each call of the loop's own making.
func (t *stock) merge(body func(*result)) error {
	open := func(_ context.Context, r rowkey.Range, _ bool) (scan.Cursor[*result], error) {
		return &cursor{rows: t.buckets[string(r.Start())]}, nil
	}
	for row, err := range scan.Merge(context.Background(), t.plan, 1, open, (*result).row) {
		if err != nil {
			return err
		}
		body(row)
	}
	return nil
}

// floor reads it by hand.
func (t *stock) floor(body func(*result)) error {
	i := 0
	for r := range t.plan.Ranges() {
		t.cursors[i] = &cursor{rows: t.buckets[string(r.Start())]}
		i++
	}
	return floorMerge(t.cursors, func(r *result) bool { body(r); return true })
}

func (t *stock) pair(rows int) Pair {
	count := func(read func(func(*result)) error) func() error {
		return func() error {
			n := 0
			err := read(func(*result) { n++ })
			if err == nil && n != rows {
				err = errEmpty
			}
			return err
		}
	}
	return Pair{repeat(count(t.merge)), repeat(count(t.floor)), func() error {
		var ours, floor [][]byte
		if err := t.merge(func(r *result) { ours = append(ours, r.key) }); err != nil {
			return err
		}
		if err := t.floor(func(r *result) { floor = append(floor, r.key) }); err != nil {
			return err
		}
		if len(ours) != rows || !slices.EqualFunc(ours, floor, bytes.Equal) {
			return fmt.Errorf("%d rows of %d, and by hand %d, not all of them the same", len(ours), rows, len(floor))
		}
		return nil
	}}
}

var mergeBegan = time.UnixMilli(1684203630000)

// timesStock has a row each millisecond, in buckets if there are.
func timesStock(buckets, rows int) *stock {
	b := rowkey.New("events")
	if buckets > 0 {
		b = b.Salt(buckets, "order")
	}
	s := b.Time("at", rowkey.Millis, rowkey.Desc).Uint("order", 8).MustBuild()
	return newStock(s, rows, rowkey.AtLeast("at", mergeBegan), func(i int) []any {
		return []any{mergeBegan.Add(time.Duration(i) * time.Millisecond), i}
	})
}

// textsStock has a hundred rows of each seller.
func textsStock() *stock {
	s := rowkey.New("trades").Salt(16, "order").String("seller").Separator("_").Uint("order", 8).MustBuild()
	return newStock(s, mergeRows, rowkey.Prefix("seller", "seller-"), func(i int) []any {
		return []any{fmt.Sprintf("seller-%d", i/100), i}
	})
}

func mergeTimes() Pair { return timesStock(16, mergeRows).pair(mergeRows) }
func mergeTexts() Pair { return textsStock().pair(mergeRows) }
