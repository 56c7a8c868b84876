package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// Order is one order of a buyer at a seller: what the row keys of all tables are made
// of.
type Order struct {
	Seller string    `rowkey:"seller"`
	Buyer  string    `rowkey:"buyer"`
	At     time.Time `rowkey:"at"`
	Number uint64    `rowkey:"order"`
}

// bySeller answers "the newest orders of a seller". The order's number stands after
// the time: without it two orders of one millisecond were one row.
var bySeller = rowkey.New("by_seller").
	Salt(buckets, "seller").                // 1 byte: murmur3(seller) mod 16
	String("seller").Separator("\x00").     // ends at a zero byte
	Time("at", rowkey.Millis, rowkey.Desc). // 8 bytes, Long.MAX_VALUE less the milliseconds: newest first
	Uint("order", 8).                       // 8 bytes
	String("buyer").                        // to the end of the key
	MustBuild()

// byBuyer answers "what a buyer ordered on a day": an index table, the same fields in
// another order.
var byBuyer = rowkey.New("by_buyer").
	Salt(buckets, "buyer").
	String("buyer").Separator("\x00").
	Time("at", rowkey.Millis, rowkey.Desc).
	Uint("order", 8).
	String("seller").
	MustBuild()

// newest answers "all orders of a span of time, newest first": another index table. Its
// salt is computed from the order's number, to spread the orders of each moment.
var newest = rowkey.New("newest").
	Salt(buckets, "order").
	Time("at", rowkey.Millis, rowkey.Desc).
	Uint("order", 8).
	String("seller").Separator("\x00").
	String("buyer").
	MustBuild()

// unsalted is newest as it must not be: every new row lies before all others. It
// is only counted, to compare.
var unsalted = rowkey.New("no_salt").
	Time("at", rowkey.Millis, rowkey.Desc).
	Uint("order", 8).
	String("seller").Separator("\x00").
	String("buyer").
	MustBuild()

var (
	bySellerKeys = rowkey.Must(rowkey.Bind[Order](bySeller))
	byBuyerKeys  = rowkey.Must(rowkey.Bind[Order](byBuyer))
	newestKeys   = rowkey.Must(rowkey.Bind[Order](newest))
	unsaltedKeys = rowkey.Must(rowkey.Bind[Order](unsalted))
)

// Days begin at midnight here. A key does not hold the zone: it holds milliseconds
// since 1970, which are the same everywhere.
var beijing = time.FixedZone("+08:00", 8*60*60)

var (
	firstDay = time.Date(2023, 5, 11, 0, 0, 0, 0, beijing)
	may16    = time.Date(2023, 5, 16, 0, 0, 0, 0, beijing)
	may17    = may16.AddDate(0, 0, 1)
	flash    = may16.Add(20 * time.Hour) // a seller sells very much at once
)

// ofMay16 reports whether an order is of that day in +08:00.
var ofMay16 = within(may16, may17)

func within(from, to time.Time) func(Order) bool {
	return func(o Order) bool { return !o.At.Before(from) && o.At.Before(to) }
}

const (
	askedSeller = "s-42"
	askedBuyer  = "b-7"
)

// makeOrders makes up the orders of a week, always the same. Some sellers and buyers
// have many of them and most have few. Orders are numbered in the order of time.
func makeOrders() []Order {
	const all, inFlash, sellers, buyers = 12_000, 200, 500, 2000
	source := rand.NewPCG(2023, 5)
	// draw is a number below n; the larger skew is, the more often it is a small one.
	draw := func(n, skew uint64) uint64 {
		first := source.Uint64() >> 32
		u := first
		for range skew - 1 {
			u = u * first >> 32
		}
		return n * u >> 32
	}
	orders := make([]Order, all)
	const week = uint64(7 * 24 * time.Hour / time.Millisecond)
	for i := range orders {
		o := &orders[i]
		o.Seller = fmt.Sprintf("s-%d", draw(sellers, 3))
		o.Buyer = fmt.Sprintf("b-%d", draw(buyers, 2))
		o.At = firstDay.Add(time.Duration(draw(week, 1)) * time.Millisecond).UTC()
		if i < inFlash {
			o.Seller = askedSeller
			o.At = flash.Add(time.Duration(draw(100, 1)) * time.Millisecond).UTC()
		}
	}
	slices.SortStableFunc(orders, func(a, b Order) int { return a.At.Compare(b.At) })
	for i := range orders {
		orders[i].Number = uint64(100_001 + i)
	}
	return orders
}

// ordersStore is the three tables of orders.
type ordersStore struct {
	bySeller, byBuyer, newest tableOf[Order]
}

// indexOrders writes every order to all tables.
func indexOrders(orders []Order) (*ordersStore, error) {
	s := &ordersStore{newTable(bySeller, bySellerKeys), newTable(byBuyer, byBuyerKeys), newTable(newest, newestKeys)}
	return s, fill(orders, func(o *Order) string { return fmt.Sprint("order ", o.Number) }, s.bySeller, s.byBuyer, s.newest)
}

func (s *ordersStore) tables() []*table {
	return []*table{s.bySeller.table, s.byBuyer.table, s.newest.table}
}
