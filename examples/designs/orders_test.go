package designs_test

import (
	"fmt"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// orders declares a table of orders under one of their parties. It holds the
// other party too: a table that lacks a field cannot give another its keys.
func orders(name, lead, other string) *rowkey.Schema {
	return rowkey.New(name).
		Salt(16, lead).
		String(lead).Separator("\x00").
		Time("at", rowkey.Millis, rowkey.Desc).
		Uint("order", 8).
		String(other).
		MustBuild()
}

var (
	bySeller = orders("bySeller", "seller", "buyer")
	byBuyer  = orders("byBuyer", "buyer", "seller")

	// Order numbers rise, and would all be written to the last region.
	byNumber = rowkey.New("byNumber").
			Salt(16, "order").
			Uint("order", 8).
			String("seller").Separator("\x00").
			String("buyer").Separator("\x00").
			Time("at", rowkey.Millis, rowkey.Desc).
			MustBuild()

	noon = time.Date(2023, 5, 16, 12, 0, 0, 0, utc)
)

type order struct {
	number        uint64
	seller, buyer string
	at            time.Time
}

var someOrders = []order{
	{1, "s-42", "b-1", noon},
	{2, "s-4", "b-1", noon.Add(1 * time.Minute)},
	{3, "s-42", "b-2", noon.Add(2 * time.Minute)},
	{4, "s-421", "b-1", noon.Add(3 * time.Minute)},
	{5, "s-42", "b-12", noon.Add(4 * time.Minute)},
}

// Design 1, orders by seller. A salt that the writer draws at random spreads
// the writes too, but then the rows of one seller lie in all buckets, and a page
// of them takes 16 scans. Computed from the seller, the salt is known to
// whoever knows the seller: one scan. And s-42 must read neither s-4 nor s-421,
// which a prefix without an end does.
func Example_ordersBySeller() {
	fmt.Println(bySeller)
	var t table
	for _, o := range someOrders {
		t.put(bySeller.Key().Field("seller").String(o.seller).Time(o.at).Uint(o.number).Field("buyer").String(o.buyer).Bytes())
	}

	newest, err := bySeller.Key().String("s-42").Range()
	fmt.Println(newest, err)
	for key := range t.scan(newest) {
		var o order
		if err := bySeller.Read(key).String(&o.seller).Time(&o.at).Uint(&o.number).String(&o.buyer).Err(); err != nil {
			fmt.Println(err)
		}
		fmt.Println(o.seller, clock(o.at), o.number, o.buyer)
	}

	// Of two minutes: from 12:01 on, before 12:03.
	plan := must(bySeller.Scan(rowkey.Eq("seller", "s-42"), rowkey.Span("at", noon.Add(time.Minute), noon.Add(3*time.Minute))))
	fmt.Print(plan)
	for key := range t.read(plan) {
		fmt.Println(hex(key, 1, 5, 8, 8))
	}
	_, err = bySeller.Scan(rowkey.Span("at", noon, noon.Add(time.Hour))) // of every seller
	fmt.Println(err)
	// Output:
	// [salt16(seller)][seller]['\x00'][max-ms(at)][order:8][buyer]
	// [\x0Cs-42\x00, \x0Cs-42\x01) <nil>
	// s-42 12:04:00.000 5 b-12
	// s-42 12:02:00.000 3 b-2
	// s-42 12:00:00.000 1 b-1
	// bySeller: one range, every row in them matches
	//   [\x0Cs-42\x00\x7F\xFF\xFEw\xDB\x8E\xC6\xE0, \x0Cs-42\x00\x7F\xFF\xFEw\xDB\x90\x9B\xA0)
	//   salt: computed from fields that are fixed
	//   seller: one value
	//   at: an interval
	// 0c 732d343200 7ffffe77db8fb13f 0000000000000003 622d32
	// rowkey: bySeller: seller: no condition fixes it, and it comes before at in the key; a layout in which at comes first answers this, FullScan() permits it: query reads the whole table
}

// Design 2, orders by buyer. The same fields under another lead. Buyer and
// seller are both text, so the compiler cannot tell them apart: Field says which
// is meant, and a swapped pair is an error in place of an order filed under the
// wrong party.
func Example_ordersByBuyer() {
	fmt.Println(byBuyer)
	var t table
	for _, o := range someOrders {
		t.put(byBuyer.Key().Field("buyer").String(o.buyer).Time(o.at).Uint(o.number).Field("seller").String(o.seller).Bytes())
	}
	for key := range t.read(must(byBuyer.Scan(rowkey.Eq("buyer", "b-1")))) {
		var o order
		if err := byBuyer.Read(key).String(&o.buyer).Time(&o.at).Uint(&o.number).String(&o.seller).Err(); err != nil {
			fmt.Println(err)
		}
		fmt.Println(o.buyer, clock(o.at), o.number, o.seller)
	}
	_, err := byBuyer.Key().Field("seller").String("s-42").Range()
	fmt.Println(err)

	// Two buyers and one seller: two buckets of 16, and rows of other sellers to
	// pass over.
	plan := must(byBuyer.Scan(rowkey.In("buyer", "b-1", "b-2"), rowkey.Eq("seller", "s-42")))
	fmt.Print(plan)
	for key := range t.read(plan) {
		var o order
		err := byBuyer.Read(key).String(&o.buyer).Time(&o.at).Uint(&o.number).String(&o.seller).Err()
		fmt.Println(o.buyer, clock(o.at), o.number, o.seller, err)
	}
	// Output:
	// [salt16(buyer)][buyer]['\x00'][max-ms(at)][order:8][seller]
	// b-1 12:03:00.000 4 s-421
	// b-1 12:01:00.000 2 s-4
	// b-1 12:00:00.000 1 s-42
	// rowkey: byBuyer: buyer: Field("seller") was called, and next is buyer: no such field, or not the next one
	// byBuyer: 2 ranges, Match decides
	//   [\x08b-2\x00, \x08b-2\x01)
	//   [\x09b-1\x00, \x09b-1\x01)
	//   salt: computed from fields that are fixed
	//   buyer: 2 values
	//   seller: Match checks it, since no condition fixes at, which comes before it; a layout with seller before at makes it a range
	// b-1 12:00:00.000 1 s-42 <nil>
	// b-2 12:02:00.000 3 s-42 <nil>
}

// Design 3, orders by number. Numbers rise, so unsalted they are all written to
// the end of the table. The usual cure, a random salt, costs a get up to 16
// gets; a salt of the number itself costs it none. The key holds more than the
// number, so the get is a scan of a prefix that one row has.
func Example_ordersByNumber() {
	fmt.Println(byNumber)
	var t table
	for _, o := range someOrders {
		key, err := byNumber.Key().Uint(o.number).String(o.seller).String(o.buyer).Time(o.at).Bytes()
		t.put(key, err)
		fmt.Println(hex(key[:9], 1))
	}
	for key := range t.read(must(byNumber.Scan(rowkey.Eq("order", 3)))) {
		var o order
		err := byNumber.Read(key).Uint(&o.number).String(&o.seller).String(&o.buyer).Time(&o.at).Err()
		fmt.Println(o.number, o.seller, o.buyer, clock(o.at), err)
	}
	// Output:
	// [salt16(order)][order:8][seller]['\x00'][buyer]['\x00'][max-ms(at)]
	// 0e 0000000000000001
	// 03 0000000000000002
	// 0b 0000000000000003
	// 0f 0000000000000004
	// 0a 0000000000000005
	// 3 s-42 b-2 12:02:00.000 <nil>
}

// Design 4, the three written together. There is no transaction over three
// rows, so one of them is the order and the others are lists of it. Here the
// number's table is the order and is written first: a crash leaves an order that
// a list does not show yet, never a listed order that does not exist. Since all
// three hold all fields, the lists follow from the order by Rekey, and since
// keys hold nothing drawn at random, writing them again is harmless.
func Example_ordersWrittenTogether() {
	var numbers, sellers, buyers table
	for i, o := range someOrders {
		key := must(byNumber.Key().Uint(o.number).String(o.seller).String(o.buyer).Time(o.at).Bytes())
		numbers.put(key, nil)
		if i == 3 {
			break // a crash, before the lists are written
		}
		sellers.put(bySeller.Rekey(nil, key, byNumber))
		buyers.put(byBuyer.Rekey(nil, key, byNumber))
	}
	fmt.Println(len(numbers.rows), len(sellers.rows), len(buyers.rows))

	for _, row := range numbers.rows { // the repair
		sellers.put(bySeller.Rekey(nil, row.key, byNumber))
		buyers.put(byBuyer.Rekey(nil, row.key, byNumber))
	}
	fmt.Println(len(numbers.rows), len(sellers.rows), len(buyers.rows))

	// From a list back to the order: the same word.
	for key := range sellers.read(must(bySeller.Scan(rowkey.Eq("seller", "s-421")))) {
		number := must(byNumber.Rekey(nil, key, bySeller))
		_, found := numbers.get(number)
		fmt.Println(hex(number, 1, 8), found)
	}
	// Output:
	// 4 3 3
	// 4 4 4
	// 0f 0000000000000004 732d34323100622d31007ffffe77db8ec6df true
}
