package main

import (
	"bufio"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/hbase-rowkey/rowkey"
)

// ordersTour shows step by step the declaration, then the tables that it makes of the
// orders: keys, what a salt does to a day's writes, questions. It ends at the first
// answer that is wrong. With a server the answers come from there.
func ordersTour(calls contexts, w *bufio.Writer, colours bool, server string) error {
	p := page{w, colours}
	p.declareOrders()
	if w.Flush() != nil { // a server takes a while; the last flush tells the error
		return nil
	}
	orders := makeOrders()
	s, err := indexOrders(orders)
	if err != nil {
		return err
	}
	return answeredBy(server, calls, s.tables(), func() error {
		p.text(fmt.Sprintf("%s orders are made up, of the seven days from %s on. They are the same in every run.",
			comma(uint64(len(orders))), firstDay.Format("2006-01-02")))
		p.answeredBy(server)
		if err := p.orderKeys(orders); err != nil {
			return err
		}
		if err := p.hotSpots(calls.work, s, orders); err != nil {
			return err
		}
		asked, err := orderQuestions(s, orders)
		if err != nil {
			return err
		}
		return showAll(calls.work, p, asked, orders)
	})
}

// declareOrders prints what is indexed, and how.
func (p page) declareOrders() {
	p.heading("Declare")
	p.text("Orders of a shop, each with a seller, a buyer, a time and a number, are put into three tables.")
	p.oneIndex("orders.go")
	p.code(fmt.Sprintf("by_seller  %v\nby_buyer   %v\nnewest     %v", bySeller, byBuyer, newest))
	p.text(fmt.Sprintf("by_seller is for \"the newest orders of a seller\". It begins with a salt, a number below %d computed from the seller, "+
		"so that writes spread over %d places of the table and do not all hit one. Then the seller and a zero byte, "+
		"which ends it: else s-42 would run into s-421. Then the time, as the largest number less the milliseconds, for the newest to come first. "+
		"Then the order's number.", buckets, buckets))
	p.text("by_buyer is for \"what a buyer ordered on a day\", and newest for \"all orders of a span of time\": " +
		"the same fields in other orders, two index tables.")
}

// orderKeys prints the keys of one order, and what the number in the key is for.
func (p page) orderKeys(orders []Order) error {
	i := sameMoment(orders)
	key, err := bySellerKeys.Append(nil, &orders[i])
	if err != nil {
		return err
	}
	next, err := bySellerKeys.Append(nil, &orders[i+1])
	if err != nil {
		return err
	}
	indexKey, err := byBuyer.Rekey(nil, key, bySeller)
	if err != nil {
		return err
	}
	p.heading("Write")
	p.text(fmt.Sprintf("The key of order %d in by_seller, in hex, and what its bytes say. "+
		"Explain writes times in UTC: %s there is %s in +08:00.", orders[i].Number,
		orders[i].At.Format("15:04"), orders[i].At.In(beijing).Format("15:04")))
	p.code(hex.Dump(key))
	p.code(fold(bySeller.Explain(key)))
	p.text("Its key in by_buyer is made from that one, field by field (by_buyer.Rekey), and so is that in newest:")
	p.code(hex.Dump(indexKey))
	p.code(fold(byBuyer.Explain(indexKey)))
	p.text(fmt.Sprintf("The seller sold once more in the same millisecond: order %d. Only the number and the buyer after the time differ:", orders[i+1].Number))
	p.code(fmt.Sprintf("%x\n%x", key, next))
	p.text(fmt.Sprintf("A key of salt, seller and time alone would keep one row of such orders. Of these %s orders it would lose %d.",
		comma(uint64(len(orders))), len(orders)-len(moments(orders))))
	return nil
}

// moment is what a key without the order's number could tell apart.
type moment struct {
	seller string
	milli  int64
}

func moments(orders []Order) map[moment]int {
	met := map[moment]int{}
	for _, o := range orders {
		met[moment{o.Seller, o.At.UnixMilli()}]++
	}
	return met
}

// sameMoment is the place of an order after which one of the same moment stands.
func sameMoment(orders []Order) int {
	for i, o := range orders[1:] {
		if before := orders[i]; before.Seller == o.Seller && before.At.Equal(o.At) {
			return i
		}
	}
	panic("quickstart: no two orders of a seller in one millisecond")
}

// hotSpots prints which regions the orders of one day are written to, without a
// salt and with one.
func (p page) hotSpots(ctx context.Context, s *ordersStore, orders []Order) error {
	splits, err := newest.Splits(buckets)
	if err != nil {
		return err
	}
	salted, err := regionsOfDay(ctx, s.newest, splits)
	if err != nil {
		return err
	}
	bySellers, err := regionsOfDay(ctx, s.bySeller, splits)
	if err != nil {
		return err
	}
	hot, err := unsaltedRegions(orders)
	if err != nil {
		return err
	}
	p.heading("Spread")
	p.text("HBase cuts a table into regions and spreads these over its servers. " +
		"Created with these splits, newest has a region for each bucket before its first row comes, and so has by_seller:")
	p.code(wrap("create 'newest', 'f', "+splits.Shell(), pageWidth-codeIndent))
	p.text(fmt.Sprintf("Where are the %s orders of 16 May written to? no_salt is newest without its salt, cut into %d equal regions the evening before:",
		comma(uint64(sum(hot))), buckets))
	lines := [][]string{{"region", "no_salt", "newest, salt of order", "by_seller, salt of seller"}}
	most := max(slices.Max(hot), 1)
	for region := range buckets {
		line := []string{fmt.Sprintf("%6d", region)}
		for _, rows := range [][]int{hot, salted, bySellers} {
			line = append(line, fmt.Sprintf("%5s %s", comma(uint64(rows[region])), strings.Repeat("█", (20*rows[region]+most-1)/most)))
		}
		lines = append(lines, line)
	}
	p.table(lines)
	p.text(fmt.Sprintf("Without a salt one region takes %s, while %s have nothing to do: a hot spot. "+
		"However often HBase splits that region, new orders all lie in the first piece. "+
		"With the salt of the order's number the busiest one takes %.1f times its share. "+
		"With the salt of the seller it takes %.1f times its share: all orders of a seller are in one bucket, so a big seller shows. "+
		"That is the price of reading one bucket, not %d, for a seller's orders.",
		english.Plural(slices.Max(hot), "order", ""), english.Plural(idle(hot), "other", ""), share(salted), share(bySellers), buckets))
	return nil
}

// regionsOfDay counts the orders of 16 May in each region.
func regionsOfDay(ctx context.Context, t tableOf[Order], splits rowkey.SplitKeys) ([]int, error) {
	rows := make([]int, buckets)
	everything, err := t.from.open(ctx, rowkey.PrefixRange(nil), false)
	if err != nil {
		return nil, err
	}
	defer everything.Close()
	for {
		key, err := everything.Next()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		var o Order
		if err := t.codec.Decode(key, &o); err != nil {
			return nil, err
		}
		if ofMay16(o) {
			rows[splits.Region(key)]++
		}
	}
}

// unsaltedRegions does so for keys without a salt, in regions that hold equally many of
// the rows from before.
func unsaltedRegions(orders []Order) ([]int, error) {
	var before, ofDay [][]byte
	for i := range orders {
		key, err := unsaltedKeys.Append(nil, &orders[i])
		if err != nil {
			return nil, err
		}
		switch {
		case orders[i].At.Before(may16):
			before = append(before, key)
		case ofMay16(orders[i]):
			ofDay = append(ofDay, key)
		}
	}
	splits, err := unsalted.SplitsOf(buckets, slices.Values(before))
	if err != nil {
		return nil, err
	}
	rows := make([]int, buckets)
	for _, key := range ofDay {
		rows[splits.Region(key)]++
	}
	return rows, nil
}

func sum(rows []int) (n int) {
	for _, r := range rows {
		n += r
	}
	return n
}

// idle is how many regions have no rows.
func idle(rows []int) (n int) {
	for _, r := range rows {
		if r == 0 {
			n++
		}
	}
	return n
}

// share is how many times the mean the busiest region takes.
func share(rows []int) float64 {
	return float64(slices.Max(rows)) * float64(len(rows)) / float64(max(sum(rows), 1))
}
