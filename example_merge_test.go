package rowkey_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// storedRow is a row as a client gives it: its key, and its cells.
type storedRow struct{ key []byte }

func (r *storedRow) Row() []byte { return r.key }

// store is a table in memory. With a client for HBase it is the connection, and
// open is what its users write in its place; with gohbase, whose scanner is a
// Cursor already, that is
//
//	func open(ctx context.Context, r rowkey.Range) (rowkey.Cursor[*hrpc.Result], error) {
//		scan, err := hrpc.NewScanRange(ctx, []byte("trades"), r.Start(), r.Stop())
//		if err != nil {
//			return nil, err
//		}
//		return client.Scan(scan), nil
//	}
type store struct {
	keys     [][]byte
	reversed bool
}

func (s *store) put(key []byte, err error) {
	if err != nil {
		panic(err)
	}
	s.keys = append(s.keys, key)
}

func (s *store) open(_ context.Context, r rowkey.Range) (rowkey.Cursor[*storedRow], error) {
	c := &storeCursor{}
	for _, key := range s.keys {
		if r.Contains(key) {
			c.rows = append(c.rows, &storedRow{key})
		}
	}
	slices.SortFunc(c.rows, func(a, b *storedRow) int { return bytes.Compare(a.key, b.key) })
	if s.reversed { // a reversed scan of HBase takes r.Reversed()
		slices.Reverse(c.rows)
	}
	return c, nil
}

type storeCursor struct{ rows []*storedRow }

func (c *storeCursor) Next() (*storedRow, error) {
	if len(c.rows) == 0 {
		return nil, io.EOF
	}
	row := c.rows[0]
	c.rows = c.rows[1:]
	return row, nil
}

func (c *storeCursor) Close() error { return nil }

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

func visitStore() *store {
	var s store
	for i, user := range []string{"ann", "gus", "cleo", "jon", "ann", "eve", "gus"} {
		s.put(visits.Key().Time(visited(i)).String(user).Bytes())
	}
	return &s
}

func printVisit(row *storedRow) {
	var at time.Time
	var user string
	if err := visits.Read(row.key).Time(&at).String(&user).Err(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s %s from bucket %d\n", at.Format("15:04"), user, row.key[0])
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
	for row, err := range rowkey.Merge(context.Background(), plan, 2, table.open, (*storedRow).Row) {
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

// Pages: the caller keeps the token of the last row it has shown, and one token
// is the place in every bucket. What is written meanwhile behind that place is
// shown, and nothing twice.
func ExamplePlan_Resume() {
	table := visitStore()
	page := func(token []byte) []byte {
		plan, err := visits.Scan(rowkey.Span("at", visited(0), visited(60)))
		if err == nil && token != nil {
			plan, err = plan.Resume(token)
		}
		if err != nil {
			fmt.Println(err)
			return nil
		}
		for row, err := range rowkey.Merge(context.Background(), plan.Limit(3), 4, table.open, (*storedRow).Row) {
			if err != nil {
				fmt.Println(err)
				return nil
			}
			printVisit(row)
			token = plan.Token(row.key)
		}
		return token
	}

	token := page(nil)
	fmt.Println("--")
	table.put(visits.Key().Time(visited(1)).String("too late for the first page").Bytes())
	table.put(visits.Key().Time(visited(3)).String("zoe").Bytes())
	token = page(token)

	token[20] ^= 1
	_ = page(token)
	// Output:
	// 12:00 ann from bucket 2
	// 12:01 gus from bucket 1
	// 12:02 cleo from bucket 3
	// --
	// 12:03 jon from bucket 1
	// 12:03 zoe from bucket 3
	// 12:04 ann from bucket 2
	// rowkey: visits: token is damaged: not a key of this schema
}

// Pages of three: each call gives the rows, the token for the next call, and
// whether the page was the last. A call behind the last one gives no rows, and
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
		rows, next, done, err := rowkey.Page(context.Background(), plan.Limit(3), token, 4, table.open, (*storedRow).Row)
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

// The newest rows of ascending times: the plan is read from its end, and the
// cursors are asked for no row beyond those.
func ExamplePlan_Reversed() {
	plan, err := visits.Scan(rowkey.AtLeast("at", visited(0)))
	if err != nil {
		fmt.Println(err)
		return
	}
	plan = plan.Reversed().Limit(2)
	table := visitStore()
	table.reversed = plan.IsReversed()
	for row, err := range rowkey.Merge(context.Background(), plan, 4, table.open, (*storedRow).Row) {
		if err != nil {
			fmt.Println(err)
			return
		}
		printVisit(row)
	}
	// Output:
	// 12:06 gus from bucket 1
	// 12:05 eve from bucket 2
}

// One scan a region: the ranges are cut where the regions meet, as the client
// or HBase's web page tells.
func ExamplePlan_SplitAt() {
	plan, err := visits.Scan(rowkey.Span("at", visited(0), visited(10)), rowkey.Eq("user", "ann"))
	if err != nil {
		fmt.Println(err)
		return
	}
	boundary, err := visits.Key().Time(visited(5)).String("ann").Bytes()
	if err != nil {
		fmt.Println(err)
		return
	}
	for r := range plan.SplitAt([][]byte{nil, boundary}).Ranges() {
		fmt.Println(r)
	}
	// Output:
	// [\x02e\x92\xA9\x40, \x02e\x92\xAAlann)
	// [\x02e\x92\xAAlann, \x02e\x92\xAB\x98)
}

// A goroutine a region: each has a plan of its own, and its rows come in the
// order of that plan.
func ExamplePlan_Regions() {
	table := visitStore()
	plan, err := visits.Scan(rowkey.Span("at", visited(0), visited(60)))
	if err != nil {
		fmt.Println(err)
		return
	}
	splits := rowkey.SplitKeys{{1}, {2}, {3}} // where the table's regions begin, but for the first

	var all sync.WaitGroup
	found := make([]int, len(splits)+1) // rows of each region
	for region, part := range plan.Regions(splits) {
		all.Add(1)
		go func() {
			defer all.Done()
			for _, err := range rowkey.Merge(context.Background(), part, 1, table.open, (*storedRow).Row) {
				if err != nil {
					fmt.Println(err)
					return
				}
				found[region]++
			}
		}()
	}
	all.Wait()
	fmt.Println(found)
	// Output:
	// [0 3 3 1]
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
	tables := map[string]*store{} // a row each eight hours, in slots by turns
	for n := range 4 {
		midnight, s := day(n)
		tables[s.Name()] = &store{}
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
				for row, err := range rowkey.Merge(ctx, plan, 4, tables[s.Name()].open, (*storedRow).Row) {
					var at time.Time
					if err == nil {
						err = s.Read(row.key).Skip().Time(&at).Err()
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
