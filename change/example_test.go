package change_test

import (
	"context"
	"fmt"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/change"
)

// A table a day: each has the same layout but for Tuesday's, which got more buckets. A
// query over two days reads both tables in the order of time, page by page.
func Example_dayTables() {
	monday := rowkey.New("clicks_0106").Salt(2, "user").Time("at", rowkey.Millis).String("user").MustBuild()
	tuesday := rowkey.New("clicks_0107").Salt(8, "user").Time("at", rowkey.Millis).String("user").MustBuild()
	days, err := change.Of(monday, tuesday)
	if err != nil {
		panic(err)
	}
	midnight := time.Date(2026, 1, 7, 0, 0, 0, 0, time.UTC)
	store := tables{keys: make([][][]byte, 2)}
	for i, minutes := range []int{-30, -20, -10, 10, 20} {
		at := midnight.Add(time.Duration(minutes) * time.Minute)
		day := 0
		if !at.Before(midnight) {
			day = 1
		}
		key, err := days.Schema(day).AppendKey(nil, at, fmt.Sprintf("u%d", i))
		if err != nil {
			panic(err)
		}
		store.keys[day] = append(store.keys[day], key)
	}

	plan, err := days.Scan(rowkey.Span("at", midnight.Add(-25*time.Minute), midnight.Add(time.Hour)))
	if err != nil {
		panic(err)
	}
	var token []byte
	for page := plan.Limit(2); ; {
		n, sep := 0, ""
		for f, err := range change.Merge(context.Background(), page, 4, store.open, same) {
			if err != nil {
				panic(err)
			}
			row, err := days.Schema(f.Generation).Decode(f.Row)
			if err != nil {
				panic(err)
			}
			for name, value := range row.All() {
				if name == "user" {
					fmt.Print(sep, days.Schema(f.Generation).Name(), " ", value)
					sep = "; "
				}
			}
			if token, err = page.Token(f.Generation, f.Row); err != nil {
				panic(err)
			}
			n++
		}
		fmt.Println()
		if n < 2 {
			break
		}
		if page, err = plan.Limit(2).Resume(token); err != nil {
			panic(err)
		}
	}
	// Output:
	// clicks_0106 u1; clicks_0106 u2
	// clicks_0107 u3; clicks_0107 u4
}

// Keys of one table that begin with the literal of their version: rows of v1 are never
// written again, new ones are v2. A seller's rows are read from both, in one order; all
// sellers' have no common order, since v2 writes the time first.
func Example_versionLiterals() {
	v1 := rowkey.New("v1").Literal("v1").String("seller").Separator("_").Uint("order", 4).MustBuild()
	v2 := rowkey.New("v2").Literal("v2").Uint("order", 8).String("seller").MustBuild()
	versions, err := change.Of(v1, v2)
	if err != nil {
		panic(err)
	}
	fmt.Println(versions.OneTable())
	plan, err := versions.Scan(rowkey.Eq("seller", "s-42"), rowkey.FullScan())
	if err != nil {
		panic(err)
	}
	fmt.Println(plan.Ordered())
	all, err := versions.Scan(rowkey.FullScan())
	if err != nil {
		panic(err)
	}
	fmt.Println(all.Ordered())

	key, err := v1.AppendKey(nil, "s-42", 7)
	if err != nil {
		panic(err)
	}
	which, err := versions.Which(key)
	fmt.Println(which, err)
	// Output:
	// <nil>
	// <nil>
	// rowkey: v1: seller: generation 0: it orders the rows where order does in generation 1: the generations have no common order
	// 0 <nil>
}
