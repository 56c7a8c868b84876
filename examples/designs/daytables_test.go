package designs_test

import (
	"fmt"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

var beijing = time.FixedZone("CST", 8*3600)

// Design 18, a user's days: 3231-20121212. The telling ends one day at
// 3231+201213, but '+' sorts below '-': the stop lies before the start, and
// nothing is read. The stop is the next day, and the day belongs to a zone.
func Example_userDays() {
	days := rowkey.New("days").
		Uint("uid", 8, rowkey.Decimal).Separator("-").
		Time("day", rowkey.Layout("20060102", beijing)).
		MustBuild()
	fmt.Println(days)

	_, err := rowkey.NewRange([]byte("3231-20121212"), []byte("3231+201213"))
	fmt.Println("as told:", err)

	day := time.Date(2012, 12, 12, 15, 0, 0, 0, beijing) // any time of the day
	r := must(days.Key().Uint(3231).Time(day).Range())
	fmt.Printf("%s to %s\n", r.Start(), r.Stop())

	// A month ends where the next one begins.
	first := time.Date(2012, 12, 1, 0, 0, 0, 0, beijing)
	for r := range must(days.Scan(rowkey.Eq("uid", 3231), rowkey.Span("day", first, first.AddDate(0, 1, 0)))).Ranges() {
		fmt.Printf("%s to %s\n", r.Start(), r.Stop())
	}
	// Output:
	// [uid:8 decimal]['-'][layout("20060102",+08:00)(day)]
	// as told: rowkey: lower end above upper end
	// 3231-20121212 to 3231-20121213
	// 3231-20121201 to 3231-20121232
}

// transactions is the table of one day. Its times count from that day's
// midnight, in four bytes, and the midnight says which zone's day is meant.
func transactions(midnight time.Time) *rowkey.Schema {
	return rowkey.New("tx-"+midnight.Format("20060102")).
		Uint("slot", 2, rowkey.Below(64), rowkey.Bucket).
		Time("at", rowkey.Millis.Since(midnight), rowkey.Width(4), rowkey.Below(86_400_000)).
		Binary("ext").
		MustBuild()
}

// Design 19, the transactions of a day: [slot][millisecond of the day] and some
// bytes. The telling draws the slot, two bytes, at random and calls the pair
// unique: at ten thousand rows a second that is 59,000 rows a day that overwrite
// another, silently. Counted round they do not, as long as two writers do not
// count alike. And a row of the day before, which comes late, must not be filed
// under today: its time is refused.
func Example_transactionsOfADay() {
	midnight := time.Date(2012, 12, 12, 0, 0, 0, 0, beijing)
	today := transactions(midnight)
	fmt.Println(today)

	slots := inTurn(64)
	var t table
	ten := midnight.Add(10 * time.Hour)
	for range 3 { // in one millisecond
		t.put(today.Key().Uint(slots()).Time(ten).Binary(nil).Bytes())
	}
	for _, row := range t.rows {
		fmt.Println(hex(row.key, 2))
	}

	_, err := today.Key().Uint(0).Time(midnight.Add(-time.Minute)).Binary(nil).Bytes()
	fmt.Println(err)
	_, err = today.Key().Uint(0).Time(midnight.Add(24 * time.Hour)).Binary(nil).Bytes()
	fmt.Println(err)
	// Output:
	// [slot:2 below(64) bucket][ms-since(2012-12-11T16:00:00Z)(at) width(4) below(86400000)][ext:bytes]
	// 0000 02255100
	// 0001 02255100
	// 0002 02255100
	// rowkey: tx-20121212: at: 2012-12-11T16:00:00Z is the first time: value out of range
	// rowkey: tx-20121212: at: 2012-12-12T15:59:59.999Z is the last time: value out of range
}

// Design 20, the statistics of a day: [number][minute of the day]. A day has
// 1440 minutes, the last of them 1439, not 1400. A window that is computed again
// from late rows has the same key, so it replaces the row it corrects.
func Example_statisticsOfADay() {
	midnight := time.Date(2012, 12, 12, 0, 0, 0, 0, beijing)
	stats := rowkey.New("stats-20121212").
		Uint("shop", 4).
		Time("window", rowkey.Minutes.Since(midnight), rowkey.Width(2), rowkey.Below(24*60)).
		MustBuild()
	fmt.Println(stats)

	var t table
	last := midnight.Add(23*time.Hour + 59*time.Minute)
	t.set(must(stats.Key().Uint(7).Time(last).Bytes()), "12 orders")
	t.set(must(stats.Key().Uint(7).Time(last.Add(40*time.Second)).Bytes()), "13 orders") // one came late
	for _, row := range t.rows {
		fmt.Println(hex(row.key, 4), row.value)
	}
	_, err := stats.Key().Uint(7).Time(midnight.Add(24 * time.Hour)).Bytes()
	fmt.Println(err)

	ten := midnight.Add(10 * time.Hour)
	for r := range must(stats.Scan(rowkey.Eq("shop", 7), rowkey.Span("window", ten, ten.Add(5*time.Minute)))).Ranges() {
		fmt.Printf("%x %x\n", r.Start(), r.Stop())
	}
	// Output:
	// [shop:4][min-since(2012-12-11T16:00:00Z)(window) width(2) below(1440)]
	// 00000007 059f 13 orders
	// rowkey: stats-20121212: window: 2012-12-12T15:59:00Z is the last time: value out of range
	// 000000070258 00000007025d
}

// Design 21, a general table: [number] and up to twelve bytes of the loader's
// own. Several loaders fill it at once. If each counts 1, 2, 3 they overwrite
// each other; if each counts with a factor, loader k of n writing k, k+n, k+2n,
// no number is written twice. Rising numbers are all written to the end of the
// table, though; the same four bytes in little-endian order spread by
// themselves, at the price that a span of numbers is no longer a range. The
// twelve bytes are kept to by MaxLen: HBase itself would take 32767.
func Example_generalTableWithLoaders() {
	general := rowkey.New("general", rowkey.MaxLen(4+12)).
		Uint("number", 4).
		Binary("ext").
		MustBuild()
	spread := rowkey.New("spread", rowkey.MaxLen(4+12)).
		Uint("number", 4, rowkey.Reverse).
		Binary("ext").
		MustBuild()
	fmt.Println(general, general.Order("number"))
	fmt.Println(spread, spread.Order("number"))

	const loaders = 3
	var t table
	for loader := range uint64(loaders) {
		for turn := range uint64(2) {
			t.set(must(general.Key().Uint(turn*loaders+loader).Binary([]byte("ab")).Bytes()), fmt.Sprint("loader ", loader))
		}
	}
	for _, row := range t.rows {
		fmt.Println(hex(row.key, 4), row.value, "or", hex(must(spread.Rekey(nil, row.key, general)), 4))
	}
	_, err := general.Key().Uint(1).Binary([]byte("thirteen byte")).Bytes()
	fmt.Println(err)
	// Output:
	// maxlen(16) [number:4][ext:bytes] forward
	// maxlen(16) [number:4 reverse][ext:bytes] unordered
	// 00000000 6162 loader 0 or 00000000 6162
	// 00000001 6162 loader 1 or 01000000 6162
	// 00000002 6162 loader 2 or 02000000 6162
	// 00000003 6162 loader 0 or 03000000 6162
	// 00000004 6162 loader 1 or 04000000 6162
	// 00000005 6162 loader 2 or 05000000 6162
	// rowkey: general: 17 bytes, at most 16: length not allowed
}

// Design 22, a span over several day tables. Each table has its own midnight,
// so the same span has other ends in each: one plan a table, and the tables are
// read one after another, each with its 64 slots merged. Nobody cuts the span at
// midnights: a table whose day lies in the span as a whole gives all its rows,
// which is meant and said, and one whose day lies outside gives none.
func Example_spanOverDayTables() {
	from := time.Date(2012, 12, 12, 23, 0, 0, 0, beijing)
	to := time.Date(2012, 12, 14, 1, 0, 0, 0, beijing)

	slots := inTurn(64)
	for day := range 4 {
		midnight := time.Date(2012, 12, 12+day, 0, 0, 0, 0, beijing)
		s := transactions(midnight)
		var t table
		for at := range 12 { // every two hours
			t.put(s.Key().Uint(slots()).Time(midnight.Add(time.Duration(2*at) * time.Hour)).Binary(nil).Bytes())
		}
		t.put(s.Key().Uint(slots()).Time(midnight.Add(23*time.Hour + 30*time.Minute)).Binary(nil).Bytes())

		plan := must(s.Scan(rowkey.Span("at", from, to), rowkey.FullScan()))
		fmt.Println(s.Name(), plan.Len(), "ranges")
		for r := range plan.Ranges() {
			fmt.Println("slot 0:", r)
			break
		}
		var times []string
		for key := range t.read(plan) {
			var at time.Time
			must(0, s.Read(key).Skip().Time(&at).Skip().Err())
			times = append(times, at.In(beijing).Format("15:04"))
		}
		fmt.Println(times)
	}
	// Output:
	// tx-20121212 64 ranges
	// slot 0: [\x00\x00\x04\xEFm\x80, \x00\x00\x05&\x5C\x00)
	// [23:30]
	// tx-20121213 64 ranges
	// slot 0: [\x00\x00, \x00\x01)
	// [00:00 02:00 04:00 06:00 08:00 10:00 12:00 14:00 16:00 18:00 20:00 22:00 23:30]
	// tx-20121214 64 ranges
	// slot 0: [\x00\x00\x00\x00\x00\x00, \x00\x00\x006\xEE\x80)
	// [00:00]
	// tx-20121215 0 ranges
	// []
}
