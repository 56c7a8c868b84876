package rowkey_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/scan"
)

// storedRow is a row as a client gives it: its key, and its cells.
type storedRow struct{ key []byte }

func (r *storedRow) Row() []byte { return r.key }

// store is a table in memory. With a client for HBase it is the connection, and
// open is what its users write in its place; with gohbase, whose scanner is a
// Cursor already, that is
//
//	func open(ctx context.Context, r rowkey.Range, reversed bool) (scan.Cursor[*hrpc.Result], error) {
//		start, stop, options := r.Start(), r.Stop(), []func(hrpc.Call) error{}
//		if reversed {
//			start, stop, _ = r.Reversed()
//			options = append(options, hrpc.Reversed())
//		}
//		request, err := hrpc.NewScanRange(ctx, []byte("trades"), start, stop, options...)
//		if err != nil {
//			return nil, err
//		}
//		return client.Scan(request), nil
//	}
type store struct{ keys [][]byte }

func (s *store) put(key []byte, err error) {
	if err != nil {
		panic(err)
	}
	s.keys = append(s.keys, key)
}

func (s *store) open(_ context.Context, r rowkey.Range, reversed bool) (scan.Cursor[*storedRow], error) {
	c := &storeCursor{}
	for _, key := range s.keys {
		if r.Contains(key) {
			c.rows = append(c.rows, &storedRow{key})
		}
	}
	slices.SortFunc(c.rows, func(a, b *storedRow) int { return bytes.Compare(a.key, b.key) })
	if reversed { // a reversed scan of HBase takes r.Reversed()
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

// hostEvents is spread by host and asked for by time: the salt of a query that
// names no host is open.
var hostEvents = rowkey.New("events").
	Salt(4, "host").
	Time("at", rowkey.Millis).
	String("host").
	MustBuild()

// someHostEvents has one event a second, of eight hosts in turn.
func someHostEvents() *store {
	s := new(store)
	for i := range 8 {
		s.put(hostEvents.Key().Time(tradedAt.Add(time.Duration(i) * time.Second)).String(fmt.Sprint("web-", i)).Bytes())
	}
	return s
}

// printHostEvent prints a key of hostEvents: the salt, the second, the host.
func printHostEvent(key []byte) {
	var at time.Time
	var host string
	err := hostEvents.Read(key).Time(&at).String(&host).Err()
	fmt.Println("bucket", key[0], at.UTC().Format(time.TimeOnly), host, err)
}

// One day of one seller. The salt follows from the seller: one range, not 16; the
// later end comes first, since time runs backward.
func ExampleSchema_Scan() {
	day := time.Date(2023, 5, 16, 0, 0, 0, 0, time.UTC)
	plan, err := trades.Scan(
		rowkey.Eq("seller", "s-42"),
		rowkey.Span("at", day, day.AddDate(0, 0, 1)))
	if err != nil {
		fmt.Println(err)
		return
	}
	for r := range plan.Ranges() {
		fmt.Printf("%x %x\n", r.Start(), r.Stop())
	}
	fmt.Println(plan.Exact()) // every row in it matches

	_, err = trades.Scan(rowkey.Eq("seller", "s-42"), rowkey.Span("at", day.AddDate(0, 0, 1), day))
	fmt.Println(err)
	_, err = trades.Scan(rowkey.Eq("buyer", "b-1"))
	fmt.Println(err)
	_, err = trades.Scan(rowkey.Eq("at", day.Unix()))
	fmt.Println(err)

	none, err := trades.Scan(rowkey.Eq("seller", "s-42"), rowkey.Eq("seller", "s-4"))
	fmt.Println(none.Len(), err) // no row can be both: nothing is read
	// Output:
	// 0c732d34325f7ffffe77d8fe5800 0c732d34325f7ffffe77de24b400
	// true
	// rowkey: trades: at: lower end above upper end
	// rowkey: trades: buyer: the fields are seller, at, order; computed: salt: no such field, or not the next one
	// rowkey: trades: at: a time is a time.Time, as time.UnixMilli makes of milliseconds: value of another type than the field's
	// 0 <nil>
}

// A span over several tables of a day: one plan a table, each with the ends that
// its own day has, read one after another.
func ExampleSchema_Scan_dayTables() {
	zone := time.FixedZone("CST", 8*3600)
	table := func(midnight time.Time) *rowkey.Schema {
		return rowkey.New("tx-"+midnight.Format("20060102")).
			Time("at", rowkey.Millis.Since(midnight), rowkey.Width(4), rowkey.Below(86_400_000)).
			Uint("id", 4).
			MustBuild()
	}
	from := time.Date(2012, 12, 12, 23, 0, 0, 0, zone)
	to := time.Date(2012, 12, 14, 1, 0, 0, 0, zone)

	for midnight := time.Date(2012, 12, 12, 0, 0, 0, 0, zone); midnight.Before(to); midnight = midnight.AddDate(0, 0, 1) {
		s := table(midnight)
		// The second table's day lies in the span as a whole: to read all of it is meant.
		plan, err := s.Scan(rowkey.Span("at", from, to), rowkey.FullScan())
		if err != nil {
			fmt.Println(err)
			return
		}
		for r := range plan.Ranges() {
			fmt.Println(s.Name(), r)
		}
	}
	// Output:
	// tx-20121212 [\x04\xEFm\x80, \x05&\x5C\x00)
	// tx-20121213 [, end of table)
	// tx-20121214 [\x00\x00\x00\x00, \x006\xEE\x80)
}

// What reads the whole table is refused, by the name of the field that is
// open, unless it is meant.
func ExampleFullScan() {
	minute := rowkey.Span("at", tradedAt, tradedAt.Add(time.Minute))
	_, err := trades.Scan(minute)
	fmt.Println(err)
	fmt.Println(errors.Is(err, rowkey.ErrFullScan))

	plan, err := trades.Scan(minute, rowkey.FullScan())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(plan)
	key, err := trades.Key().String("s-42").Time(tradedAt).Uint(7).Bytes()
	fmt.Println(plan.Match(key), err)
	key, err = trades.Key().String("s-42").Time(tradedAt.Add(time.Hour)).Uint(7).Bytes()
	fmt.Println(plan.Match(key), err)
	// Output:
	// rowkey: trades: seller: no condition fixes it, and it comes before at in the key; a layout in which at comes first answers this, FullScan() permits it: query reads the whole table
	// true
	// the whole table: trades: 16 ranges, Match decides
	//   [\x00, \x01)
	//   [\x01, \x02)
	//   [\x02, \x03)
	//   [\x03, \x04)
	//   and 12 more
	//   salt: all its 16 values, since no condition fixes all that it is computed from
	//   at: Match checks it, since no condition fixes seller, which comes before it; a layout with at before seller makes it a range
	// true <nil>
	// false <nil>
}

// A hash of two bytes before what is asked for is 65536 scans. Whoever
// wants them says so; better is a hash of the field that is asked for.
func ExampleMaxRanges() {
	hashed := rowkey.New("hashed").
		Hash(rowkey.Murmur3.Raw(2), "id").
		Time("at", rowkey.Millis).
		Uint("id", 8).
		MustBuild()
	minute := rowkey.Span("at", tradedAt, tradedAt.Add(time.Minute))

	_, err := hashed.Scan(minute)
	fmt.Println(err)
	fmt.Println(errors.Is(err, rowkey.ErrManyRanges))
	plan, err := hashed.Scan(minute, rowkey.MaxRanges(65536))
	fmt.Println(plan.Len(), plan.Exact(), err)
	plan, err = hashed.Scan(minute, rowkey.Eq("id", 7))
	fmt.Println(plan.Len(), plan.Exact(), err)
	// Output:
	// rowkey: hashed: hash: 65536 ranges, one for each value of what no condition fixes; at most 1024, MaxRanges(65536) permits them: query needs too many ranges
	// true
	// 65536 true <nil>
	// 1 false <nil>
}

// Intervals of one field.
func ExampleAnyOf() {
	sensors := rowkey.New("sensors").Uint("id", 4).Int("celsius", 2).MustBuild()
	plan, err := sensors.Scan(
		rowkey.Eq("id", 5),
		rowkey.AnyOf(rowkey.LessThan("celsius", -10), rowkey.MoreThan("celsius", 40)))
	for r := range plan.Ranges() {
		fmt.Printf("%x %x\n", r.Start(), r.Stop())
	}
	fmt.Println(plan.Exact(), err)

	_, err = sensors.Scan(rowkey.AnyOf(rowkey.Eq("id", 5), rowkey.Eq("celsius", 0)))
	fmt.Println(err)
	// Output:
	// 000000050000 000000057ff6
	// 000000058029 00000006
	// true <nil>
	// rowkey: sensors: id: AnyOf joins conditions on one field: no such field, or not the next one
}

// The subdomains of a host are one range where hosts are stored by labels from
// the last: com.example. and what follows.
func ExampleSuffix() {
	pages := rowkey.New("pages").
		String("host", rowkey.ReverseLabels(".")).Separator("\x00").
		String("path").
		MustBuild()
	plan, err := pages.Scan(rowkey.Suffix("host", ".example.com"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(plan)

	forward := rowkey.New("forward").String("host").MustBuild()
	_, err = forward.Scan(rowkey.Suffix("host", ".example.com"))
	fmt.Println(err)
	// Output:
	// pages: one range, every row in them matches
	//   [com.example., com.example/)
	//   host: an interval
	// rowkey: forward: host: its stored bytes do not begin with a Suffix; a layout that stores it reversed answers this, FullScan() permits it: query reads the whole table
}

// The conditions of a typed handle: the compiler compares like with like.
func ExampleField_Eq() {
	seller := rowkey.Must(rowkey.FieldOf[string](trades, "seller"))
	at := rowkey.Must(rowkey.FieldOf[time.Time](trades, "at"))
	order := rowkey.Must(rowkey.FieldOf[uint64](trades, "order"))

	plan, err := trades.Scan(seller.Eq("s-42"), at.AtLeast(tradedAt), order.NotEq(7))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(plan)

	_, err = hostEvents.Scan(seller.Eq("s-42")) // a handle belongs to its schema
	fmt.Println(err)
	// Output:
	// trades: one range, Match decides
	//   [\x0Cs-42_\x00\x00\x00\x00\x00\x00\x00\x00, \x0Cs-42_\x7F\xFF\xFEw\xDD\xA4\x12P)
	//   salt: computed from fields that are fixed
	//   seller: one value
	//   at: an interval
	//   order: Match checks it, since at, which comes before it, is an interval; a layout with order before at makes it a range
	// rowkey: events: seller: a handle of schema trades: no such field, or not the next one
}

// A copy in front carries a span over: the days that it touches are the ranges,
// and within each the times that are asked for.
func ExampleBuilder_Copy() {
	logs := rowkey.New("logs").
		Copy("day", "at", rowkey.Layout("20060102", time.UTC)).
		String("host").Separator("\x00").
		Time("at", rowkey.Millis).
		MustBuild()
	midnight := time.Date(2023, 5, 17, 0, 0, 0, 0, time.UTC)
	hours := rowkey.Span("at", midnight.Add(-time.Hour), midnight.Add(time.Hour))

	for _, query := range [][]rowkey.Cond{
		{hours, rowkey.Eq("host", "web-1")},
		{hours}, // of every host: the days are read as a whole
	} {
		plan, err := logs.Scan(query...)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Print(plan)
	}
	// Output:
	// logs: 2 ranges, every row in them matches
	//   [20230516web-1\x00\x00\x00\x01\x88&\xCA\xB9\x80, 20230516web-1\x00\x00\x00\x01\x88'8\x96\x80)
	//   [20230517web-1\x00\x00\x00\x01\x88&\xCA\xB9\x80, 20230517web-1\x00\x00\x00\x01\x88'8\x96\x80)
	//   day: 2 values of an interval, each with ranges of its own
	//   host: one value
	//   at: an interval
	// logs: one range, Match decides
	//   [20230516, 20230518)
	//   day: 2 values of an interval, each with ranges of its own
	//   at: Match checks it, since no condition fixes host, which comes before it; a layout with at before host makes it a range
}

// What was planned, and why.
func ExamplePlan_String() {
	minute := rowkey.Span("at", tradedAt, tradedAt.Add(time.Minute))
	for _, query := range [][]rowkey.Cond{
		{minute},
		{minute, rowkey.Eq("host", "web-1")},
		{minute, rowkey.Suffix("host", "-1")},
		{minute, rowkey.In[string]("host")},
	} {
		plan, err := hostEvents.Scan(query...)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Print(plan)
	}
	// Output:
	// events: 4 ranges, every row in them matches
	//   [\x00\x00\x00\x01\x88"[\xED\xB0, \x00\x00\x00\x01\x88"\x5C\xD8\x10)
	//   [\x01\x00\x00\x01\x88"[\xED\xB0, \x01\x00\x00\x01\x88"\x5C\xD8\x10)
	//   [\x02\x00\x00\x01\x88"[\xED\xB0, \x02\x00\x00\x01\x88"\x5C\xD8\x10)
	//   [\x03\x00\x00\x01\x88"[\xED\xB0, \x03\x00\x00\x01\x88"\x5C\xD8\x10)
	//   salt: all its 4 values, since no condition fixes all that it is computed from
	//   at: an interval
	// events: one range, Match decides
	//   [\x02\x00\x00\x01\x88"[\xED\xB0, \x02\x00\x00\x01\x88"\x5C\xD8\x10)
	//   salt: computed from fields that are fixed
	//   at: an interval
	//   host: Match checks it, since at, which comes before it, is an interval; a layout with host before at makes it a range
	// events: 4 ranges, Match decides
	//   [\x00\x00\x00\x01\x88"[\xED\xB0, \x00\x00\x00\x01\x88"\x5C\xD8\x10)
	//   [\x01\x00\x00\x01\x88"[\xED\xB0, \x01\x00\x00\x01\x88"\x5C\xD8\x10)
	//   [\x02\x00\x00\x01\x88"[\xED\xB0, \x02\x00\x00\x01\x88"\x5C\xD8\x10)
	//   [\x03\x00\x00\x01\x88"[\xED\xB0, \x03\x00\x00\x01\x88"\x5C\xD8\x10)
	//   salt: all its 4 values, since no condition fixes all that it is computed from
	//   at: an interval
	//   host: Match checks it, since at, which comes before it, is an interval; a layout with host before at makes it a range
	// events: 0 ranges: no row can match
	//   host: none of its values meets the conditions
}

// A get of a row whose slot was counted round: it may be in any of 16.
func ExamplePlan_Keys() {
	events := rowkey.New("events").
		Uint("slot", 1, rowkey.Below(16), rowkey.Bucket).
		Time("at", rowkey.Millis).
		String("id").
		MustBuild()
	plan, err := events.Scan(rowkey.Eq("at", tradedAt), rowkey.Eq("id", "e1"))
	if err != nil {
		fmt.Println(err)
		return
	}
	keys := slices.Collect(plan.Keys())
	fmt.Println(len(keys))
	fmt.Printf("%x\n%x\n", keys[0], keys[15])

	plan, err = events.Scan(rowkey.Eq("slot", 3), rowkey.Eq("at", tradedAt), rowkey.Eq("id", "e1"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for key := range plan.Keys() {
		fmt.Printf("%x\n", key)
	}
	// Output:
	// 16
	// 0000000188225bedb06531
	// 0f00000188225bedb06531
	// 0300000188225bedb06531
}

// Two sensors of every device: what is fixed stands after what is open. The
// range is the table, and HBase's FuzzyRowFilter skips what lies between.
func ExamplePlan_Fuzzy() {
	readings := rowkey.New("readings").
		Uint("device", 4).
		Uint("sensor", 2).
		Time("at", rowkey.Seconds, rowkey.Width(4)).
		MustBuild()
	plan, err := readings.Scan(rowkey.In("sensor", 7, 9), rowkey.FullScan())
	if err != nil {
		fmt.Println(err)
		return
	}
	for key, mask := range plan.Fuzzy() {
		fmt.Printf("%x %x\n", key, mask)
	}
	// Output:
	// 000000000007 010101010000
	// 000000000009 010101010000
}

// Pages of three, through all buckets with one token. A row that is written
// before the token between two pages is not met, and none comes twice.
func ExamplePlan_Token() {
	table := someHostEvents()
	query := rowkey.AtLeast("at", tradedAt)

	var token []byte // what the caller of a service holds between two pages
	for page := 1; ; page++ {
		plan, err := hostEvents.Scan(query)
		if err == nil && token != nil {
			plan, err = plan.Resume(token)
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("page", page)
		n := 0
		for row, err := range scan.Merge(context.Background(), plan.Limit(3), 4, table.open, (*storedRow).Row) {
			if err != nil {
				fmt.Println(err)
				return
			}
			printHostEvent(row.key)
			token = plan.Token(row.key)
			n++
		}
		if n < 3 {
			break
		}
		table.put(hostEvents.Key().Time(tradedAt).String("late").Bytes())
	}
	// Output:
	// page 1
	// bucket 2 02:20:30 web-0 <nil>
	// bucket 2 02:20:31 web-1 <nil>
	// bucket 0 02:20:32 web-2 <nil>
	// page 2
	// bucket 3 02:20:33 web-3 <nil>
	// bucket 2 02:20:34 web-4 <nil>
	// bucket 0 02:20:35 web-5 <nil>
	// page 3
	// bucket 0 02:20:36 web-6 <nil>
	// bucket 1 02:20:37 web-7 <nil>
}

// The newest two of all buckets, where times are stored oldest first: the last
// rows of a reversed read. A client's scan is reversed too.
func ExamplePlan_Limit() {
	table := someHostEvents()
	plan, err := hostEvents.Scan(rowkey.AtLeast("at", tradedAt))
	if err != nil {
		fmt.Println(err)
		return
	}
	for row, err := range scan.Merge(context.Background(), plan.Reversed().Limit(2), 4, table.open, (*storedRow).Row) {
		if err != nil {
			fmt.Println(err)
			return
		}
		printHostEvent(row.key)
	}
	// Output:
	// bucket 1 02:20:37 web-7 <nil>
	// bucket 0 02:20:36 web-6 <nil>
}

// The ranges of a plan that is read backward are the same; a reversed scan takes
// the larger row first.
func ExamplePlan_Reversed_bounds() {
	plan, err := trades.Scan(rowkey.Eq("seller", "s-42")) // newest first
	if err != nil {
		fmt.Println(err)
		return
	}
	for r := range plan.Reversed().Ranges() { // oldest first
		start, stop, _ := r.Reversed()
		fmt.Printf("%v: %x to %x\n", r, start, stop)
	}
	// Output:
	// [\x0Cs-42_, \x0Cs-42`): 0c732d34325fffffffffffffffffffffffffffffffff to 0c732d34325effffffffffffffff
}

// One scan a region, all at the same time.
func ExamplePlan_SplitAt_regions() {
	users := rowkey.New("users").Uint("uid", 4).Time("at", rowkey.Millis, rowkey.Desc).MustBuild()
	plan, err := users.Scan(rowkey.Span("uid", 1000, 4000))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(plan)
	regions := [][]byte{{}, {0, 0, 0x08}, {0, 0, 0x0c}, {0, 0, 0x10}} // their start keys
	fmt.Print(plan.SplitAt(regions))
	// Output:
	// users: one range, every row in them matches
	//   [\x00\x00\x03\xE8, \x00\x00\x0F\xA0)
	//   uid: an interval
	// users: 3 ranges, every row in them matches
	//   [\x00\x00\x03\xE8, \x00\x00\x08)
	//   [\x00\x00\x08, \x00\x00\x0C)
	//   [\x00\x00\x0C, \x00\x00\x0F\xA0)
	//   uid: an interval
}

// A time span after a hash that no range can reach: the whole table, if that is
// meant, by its regions, and Match picks the rows.
func ExamplePlan_SplitAt_fullScan() {
	hashed := rowkey.New("hashed").
		Hash(rowkey.Murmur3.Raw(2), "id").
		Uint("id", 8).
		Time("at", rowkey.Millis).
		MustBuild()
	minute := rowkey.Span("at", tradedAt, tradedAt.Add(time.Minute))
	_, err := hashed.Scan(minute)
	fmt.Println(err)

	plan, err := hashed.Scan(minute, rowkey.FullScan())
	if err != nil {
		fmt.Println(err)
		return
	}
	splits, err := hashed.Splits(4)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(plan.SplitAt(splits))
	// Output:
	// rowkey: hashed: id: no condition fixes it, and it comes before at in the key; a layout in which at comes first answers this, FullScan() permits it: query reads the whole table
	// the whole table: hashed: 4 ranges, Match decides
	//   [, @\x00)
	//   [@\x00, \x80\x00)
	//   [\x80\x00, \xC0\x00)
	//   [\xC0\x00, end of table)
	//   at: Match checks it, since no condition fixes hash, which comes before it; a layout with at before hash makes it a range
}

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

// Pages: the caller keeps the token of the last row it has shown, and one token
// is the place in every bucket. What is written meanwhile after that place is
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
		for row, err := range scan.Merge(context.Background(), plan.Limit(3), 4, table.open, (*storedRow).Row) {
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
	// rowkey: visits: token is damaged: not a token of this schema
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
	for row, err := range scan.Merge(context.Background(), plan, 4, table.open, (*storedRow).Row) {
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
	// [\x02e\x92\xA9@, \x02e\x92\xAAlann)
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
			for _, err := range scan.Merge(context.Background(), part, 1, table.open, (*storedRow).Row) {
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
