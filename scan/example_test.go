package scan_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/scan"
)

// table is a table in memory, whose rows are only keys. With a client for HBase, open
// begins a scan from r.Start() to r.Stop(), or a reversed one with the bounds of r.Reversed().
type table struct{ keys [][]byte }

func (t *table) put(key []byte, err error) {
	if err != nil {
		panic(err)
	}
	t.keys = append(t.keys, key)
	slices.SortFunc(t.keys, bytes.Compare)
}

func (t *table) open(_ context.Context, r rowkey.Range, reversed bool) (scan.Cursor[[]byte], error) {
	c := &cursor{}
	for _, key := range t.keys {
		if r.Contains(key) {
			c.rows = append(c.rows, key)
		}
	}
	if reversed {
		slices.Reverse(c.rows)
	}
	return c, nil
}

type cursor struct{ rows [][]byte }

func (c *cursor) Next() ([]byte, error) {
	if len(c.rows) == 0 {
		return nil, io.EOF
	}
	row := c.rows[0]
	c.rows = c.rows[1:]
	return row, nil
}

func (c *cursor) Close() error { return nil }

// keyOf is the key of a row.
func keyOf(row []byte) []byte { return row }

// visits are spread over four buckets by a salt, and lie in each of them in the
// order of time.
var visits = rowkey.New("visits").
	Salt(4, "user").
	Time("at", rowkey.Seconds, rowkey.Width(4)).
	String("user").
	MustBuild()

// visited is when somebody came, n minutes after a certain noon.
func visited(n int) time.Time {
	return time.Date(2024, 1, 1, 12, n, 0, 0, time.UTC)
}

func visitStore() *table {
	var s table
	for i, user := range []string{"ann", "gus", "cleo", "jon", "ann", "eve", "gus"} {
		s.put(visits.Key().Time(visited(i)).String(user).Bytes())
	}
	return &s
}

func printVisit(key []byte) {
	var at time.Time
	var user string
	if err := visits.Read(key).Time(&at).String(&user).Err(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s %s from bucket %d\n", at.Format("15:04"), user, key[0])
}

// The rows of all buckets come in the order of time, from as many scans as there
// are buckets, of which here two make a call at the same time.
func ExampleMerge() {
	table := visitStore()
	plan, err := visits.Scan(rowkey.Span("at", visited(1), visited(5)))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(plan.Len(), "ranges")
	for row, err := range scan.Merge(context.Background(), plan, 2, table.open, keyOf) {
		if err != nil {
			fmt.Println(err)
			return
		}
		printVisit(row)
	}
	// Output:
	// 4 ranges
	// 12:01 gus from bucket 1
	// 12:02 cleo from bucket 3
	// 12:03 jon from bucket 1
	// 12:04 ann from bucket 2
}

// Pages of three: each call gives the rows, the token for the next call, and
// whether the page was the last. A call after the last one gives no rows, and
// what was written there meanwhile.
func ExamplePage() {
	table := visitStore()
	plan, err := visits.Scan(rowkey.Span("at", visited(0), visited(60)))
	if err != nil {
		fmt.Println(err)
		return
	}
	var token []byte
	for range 4 {
		rows, next, done, err := scan.Page(context.Background(), plan.Limit(3), token, 4, table.open, keyOf)
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, row := range rows {
			printVisit(row)
		}
		fmt.Println(len(rows), "rows, the last page:", done)
		token = next
	}
	// Output:
	// 12:00 ann from bucket 2
	// 12:01 gus from bucket 1
	// 12:02 cleo from bucket 3
	// 3 rows, the last page: false
	// 12:03 jon from bucket 1
	// 12:04 ann from bucket 2
	// 12:05 eve from bucket 2
	// 3 rows, the last page: false
	// 12:06 gus from bucket 1
	// 1 rows, the last page: true
	// 0 rows, the last page: true
}

// A table a day: each day has a plan of its own, against its own midnight. Days do
// not overlap, so their rows follow one another, and a loop over the days is all
// that joins them. To page, keep the day beside the token: it is of that day's
// table.
func ExampleMerge_days() {
	day := func(n int) (time.Time, *rowkey.Schema) {
		midnight := time.Date(2024, 1, 1+n, 0, 0, 0, 0, time.UTC)
		return midnight, rowkey.New("visits-"+midnight.Format("20060102")).
			Uint("slot", 1, rowkey.Below(4), rowkey.Bucket).
			Time("at", rowkey.Millis.Since(midnight), rowkey.Width(4), rowkey.Below(86_400_000)).
			MustBuild()
	}
	tables := map[string]*table{} // a row each eight hours, in slots by turns
	for n := range 4 {
		midnight, s := day(n)
		tables[s.Name()] = &table{}
		for i := range 3 {
			tables[s.Name()].put(s.Key().Uint(uint64(3 - i)).Time(midnight.Add(time.Duration(8*i) * time.Hour)).Bytes())
		}
	}

	between := func(ctx context.Context, from, to time.Time) iter.Seq2[time.Time, error] {
		return func(yield func(time.Time, error) bool) {
			for n := 0; ; n++ {
				midnight, s := day(n)
				if !midnight.Before(to) {
					return
				}
				// A day that lies in the span is wanted whole: FullScan says that
				// this is meant.
				plan, err := s.Scan(rowkey.Span("at", from, to), rowkey.FullScan())
				if err != nil {
					yield(time.Time{}, err)
					return
				}
				for row, err := range scan.Merge(ctx, plan, 4, tables[s.Name()].open, keyOf) {
					var at time.Time
					if err == nil {
						err = s.Read(row).Skip().Time(&at).Err()
					}
					if !yield(at, err) || err != nil {
						return
					}
				}
			}
		}
	}
	from := time.Date(2024, 1, 1, 12, 0, 0, 0, time.UTC)
	for at, err := range between(context.Background(), from, from.AddDate(0, 0, 2)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(at.Format(time.DateTime))
	}
	// Output:
	// 2024-01-01 16:00:00
	// 2024-01-02 00:00:00
	// 2024-01-02 08:00:00
	// 2024-01-02 16:00:00
	// 2024-01-03 00:00:00
	// 2024-01-03 08:00:00
}
