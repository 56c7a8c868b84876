package interop_test

import (
	"fmt"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
)

// A Struct of HBase's Ordered types, of which two fields may be null.
func ExampleOrderedBytes() {
	prices := rowkey.New("prices", interop.OrderedBytes).
		String("shop").                                    // OrderedString.ASCENDING
		Int("at", 8, rowkey.Desc).                         // OrderedInt64.DESCENDING
		String("price", interop.Numeric, rowkey.Optional). // OrderedNumeric.ASCENDING
		String("note", rowkey.Optional).                   // OrderedString.ASCENDING
		MustBuild()
	fmt.Println(prices)

	// No price, and then no note: a null within the key is 05, one at its end nothing.
	key, err := prices.Key().String("web-01").Int(1684203630000).Null().String("used").Bytes()
	fmt.Printf("%x %v\n", key, err)
	key, err = prices.Key().String("web-01").Int(1684203630000).String("12.50").Bytes()
	fmt.Printf("%x %v\n", key, err)

	var shop, price, note string
	var at int64
	var noNote bool
	err = prices.Read(key).String(&shop).Int(&at).String(&price).Null(&noNote).String(&note).Err()
	fmt.Println(shop, at, price, noNote, err)

	// Prices as numbers, not as text: from 9.5 on, below 100.
	plan, err := prices.Scan(rowkey.Eq("shop", "web-01"), rowkey.Eq("at", int64(1684203630000)),
		rowkey.AtLeast("price", "9.5"), rowkey.LessThan("price", 100))
	for r := range plan.Ranges() {
		fmt.Printf("%x %x %v\n", r.Start(), r.Stop(), err)
	}
	// Output:
	// [shop orderedbytes][at:i8 desc orderedbytes][price numeric optional orderedbytes][note optional orderedbytes]
	// 347765622d303100d37ffffe77dda4124f05347573656400 <nil>
	// 347765622d303100d37ffffe77dda4124f181964 <nil>
	// web-01 1684203630000 12.5 true <nil>
	// 347765622d303100d37ffffe77dda4124f181364 347765622d303100d37ffffe77dda4124f1902 <nil>
}

// A salted table of Phoenix, with a column in the middle that may be null.
func ExamplePhoenix() {
	// CREATE TABLE ORDERS (
	//   REGION   CHAR(2) NOT NULL,
	//   CUSTOMER VARCHAR,
	//   AT       DATE NOT NULL,
	//   PRICE    DECIMAL,
	//   NOTE     VARCHAR,
	//   QTY      INTEGER
	//   CONSTRAINT PK PRIMARY KEY (REGION, CUSTOMER DESC, AT DESC, PRICE, NOTE)
	// ) SALT_BUCKETS = 8
	orders := rowkey.New("ORDERS", interop.Phoenix).
		Salt(8, "rest()").
		String("region", rowkey.Pad(2, ' ')).
		String("customer", rowkey.Desc, rowkey.Optional).
		Time("at", rowkey.Millis, rowkey.Desc).
		String("price", interop.Numeric, rowkey.Optional).
		String("note", rowkey.Optional).
		MustBuild()
	fmt.Println(orders)

	// The salt is computed of the whole key: of all columns, nulls too.
	at := time.Date(2023, 5, 16, 2, 20, 30, 0, time.UTC)
	key, err := orders.Key().String("EU").String("anna").Time(at).String("12.50").Bytes()
	fmt.Printf("%x %v\n", key, err)
	key, err = orders.Key().String("EU").Null().Time(at).String("12.50").Bytes()
	fmt.Printf("%x %v\n", key, err)

	// Orders without a customer in the hour before: a range in each bucket.
	plan, err := orders.Scan(rowkey.Eq("region", "EU"), rowkey.Null("customer"), rowkey.Span("at", at.Add(-time.Hour), at))
	for r := range plan.Ranges() {
		if r.Start()[0] < 2 {
			fmt.Printf("%x %x\n", r.Start(), r.Stop())
		}
	}
	fmt.Println(plan.Len(), plan.Exact(), err)

	// Every column said: one row, of which the bucket is known.
	plan, err = orders.Scan(rowkey.Eq("region", "EU"), rowkey.Null("customer"), rowkey.Eq("at", at), rowkey.Eq("price", "12.5"), rowkey.Null("note"))
	for key := range plan.Keys() {
		fmt.Printf("%x %v\n", key, err)
	}
	// Output:
	// [salt8(rest()) phoenixhash][region pad(2,' ') phoenix][customer desc optional phoenix][max-ms(at) phoenix][price numeric optional phoenix][note optional phoenix]
	// 0445559e91919eff7ffffe77dda4124fc10d33 <nil>
	// 054555007ffffe77dda4124fc10d33 <nil>
	// 004555007ffffe77dda41250 004555007ffffe77dddb00d0
	// 014555007ffffe77dda41250 014555007ffffe77dddb00d0
	// 8 true <nil>
	// 054555007ffffe77dda4124fc10d33 <nil>
}

// What the dialects write of one value.
func ExampleHBase() {
	day := time.Date(1970, 1, 2, 0, 0, 0, 0, time.UTC)
	show := func(what string, b *rowkey.Builder, value any) {
		key, err := b.MustBuild().AppendKey(nil, value)
		fmt.Printf("%-27s %x %v\n", what, key, err)
	}
	for _, d := range []rowkey.Dialect{interop.HBase, interop.OrderedBytes, interop.Phoenix} {
		name := []string{interop.HBase: "HBase", interop.OrderedBytes: "OrderedBytes", interop.Phoenix: "Phoenix"}[d]
		one := func() *rowkey.Builder { return rowkey.New("t", d) }
		show(name+" Float(4)", one().Float("v", 4), 1.5)
		show(name+" Float(8)", one().Float("v", 8), 1.5)
		show(name+" Int(4)", one().Int("v", 4), int64(1))
		show(name+" Time(Millis)", one().Time("v", rowkey.Millis), day)
	}
	phoenix := func() *rowkey.Builder { return rowkey.New("t", interop.Phoenix) }
	show("BOOLEAN", phoenix().Bool("v"), true)
	show("BOOLEAN DESC", phoenix().Bool("v", rowkey.Desc), true)
	show("TIMESTAMP", phoenix().Time("v", rowkey.Nanos), day.Add(5))
	// Output:
	// HBase Float(4)              3fc00000 <nil>
	// HBase Float(8)              3ff8000000000000 <nil>
	// HBase Int(4)                00000001 <nil>
	// HBase Time(Millis)          0000000005265c00 <nil>
	// OrderedBytes Float(4)       30bfc00000 <nil>
	// OrderedBytes Float(8)       31bff8000000000000 <nil>
	// OrderedBytes Int(4)         2b80000001 <nil>
	// OrderedBytes Time(Millis)   2c8000000005265c00 <nil>
	// Phoenix Float(4)            bfc00001 <nil>
	// Phoenix Float(8)            bff8000000000001 <nil>
	// Phoenix Int(4)              80000001 <nil>
	// Phoenix Time(Millis)        8000000005265c00 <nil>
	// BOOLEAN                     01 <nil>
	// BOOLEAN DESC                fe <nil>
	// TIMESTAMP                   8000000005265c0000000005 <nil>
}

// Nulls at the end of a key are left off, and so are the ends before them:
// with two nulls after it, x is the whole key.
func ExamplePhoenix_nulls() {
	s := rowkey.New("t", interop.Phoenix).
		String("a").
		String("b", rowkey.Optional).
		String("c", rowkey.Optional).
		MustBuild()

	a := rowkey.Eq("a", "x")
	for _, conds := range [][]rowkey.Cond{
		{a}, // but not xy
		{a, rowkey.Null("b")},
		{a, rowkey.Null("b"), rowkey.Null("c")}, // one key
		{a, rowkey.NotNull("b")},
		{a, rowkey.LessThan("b", "y")}, // no null is less than anything
		{a, rowkey.AnyOf(rowkey.Null("b"), rowkey.AtLeast("b", "y"))},
	} {
		plan, err := s.Scan(conds...)
		for r := range plan.Ranges() {
			fmt.Print(r, " ")
		}
		fmt.Println(plan.Exact(), err)
	}
	// Output:
	// [x, x\x01) true <nil>
	// [x, x\x00\x01) true <nil>
	// [x, x\x00) true <nil>
	// [x\x00\x01, x\x01) true <nil>
	// [x\x00\x01, x\x00y) true <nil>
	// [x, x\x00\x01) [x\x00y, x\x01) true <nil>
}
