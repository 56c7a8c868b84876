package advice_test

import (
	"fmt"
	"slices"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/advice"
)

var trades = rowkey.New("trades").
	Salt(16, "seller").                     // 1 byte: murmur3(seller) mod 16
	String("seller").Separator("_").        // ends at '_'; a seller that holds '_' is refused
	Time("at", rowkey.Millis, rowkey.Desc). // Long.MAX_VALUE − ms, 8 bytes: newest first
	Uint("order", 8).                       // 8 bytes, big-endian
	Sample(`\x0Cs-42_\x7F\xFF\xFEw\xDD\xA4\x12O\x00\x00\x00\x00\x00\x00\x00\x07`,
		"s-42", time.UnixMilli(1684203630000), uint64(7)).
	MustBuild()

// tradedAt is 2023-05-16 02:20:30 UTC.
var tradedAt = time.UnixMilli(1684203630000)

// What a plan will read, from the rows of each region and sample keys: without
// them it is not known how many rows a part of a region has.
func ExampleCostOf() {
	splits, err := trades.Splits(4)
	if err != nil {
		fmt.Println(err)
		return
	}
	table := advice.Table{
		Splits: splits, Rows: []int64{4_000_000, 4_000_000, 4_000_000, 4_000_000},
		PerRequest: 1000, Request: 5 * time.Millisecond, Parallel: 4,
	}
	plan, err := trades.Scan(rowkey.AtLeast("seller", "s"), rowkey.LessThan("seller", "t"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(advice.CostOf(plan, table))

	at := time.Date(2023, 5, 16, 2, 20, 30, 0, time.UTC)
	for i := range 10_000 { // from a scan of every region, or those that SplitsOf got
		key, err := trades.Key().String(fmt.Sprintf("%c-%d", 'a'+i%26, i)).Time(at).Uint(7).Bytes()
		if err != nil {
			fmt.Println(err)
			return
		}
		table.Sample = append(table.Sample, key)
	}
	fmt.Println(advice.CostOf(plan, table))
	// Output:
	// rows not known: 16 ranges in 4 regions, at most 16000000 rows, 16012 requests, 20.015s <nil>
	// about 612802 rows, 623 requests, 780ms <nil>
}

// Do the keys of a live table fit the declaration?
func ExampleFit() {
	good, _ := trades.Key().String("s-42").Time(tradedAt).Uint(7).Bytes()
	salted := slices.Clone(good)
	salted[0] = 0
	report := advice.Fit(trades, slices.Values([][]byte{good, salted, good[:5]}))
	fmt.Println(report.Keys, report.Fit, report.Malformed, report.Derived)
	for _, o := range report.Offenders {
		fmt.Printf("%x %v\n", o.Key, o.Err)
	}
	// Output:
	// 3 1 1 1
	// 00732d34325f7ffffe77dda4124f0000000000000007 rowkey: trades: salt: bucket 0, and the fields give 12 of 16: salt, hash or copy does not match the fields (at byte 0)
	// 0c732d3432 rowkey: trades: seller: no "_" in the last 4 bytes: not a key of this schema (at byte 1)
}
