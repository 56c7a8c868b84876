package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/hbase-rowkey/rowkey"
)

// orderLook is how orders are shown.
var orderLook = look[Order]{[]string{"time in +08:00", "order", "seller", "buyer"}, func(o Order) []string {
	return []string{o.At.In(beijing).Format("2006-01-02 15:04:05.000"), fmt.Sprint(o.Number), o.Seller, o.Buyer}
}}

// newestFirst is the order of newest without its salt.
func newestFirst(a, b Order) int {
	return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Number, b.Number), cmp.Compare(a.Seller, b.Seller), cmp.Compare(a.Buyer, b.Buyer))
}

// sellerFirst is the order of by_seller without its salt.
func sellerFirst(a, b Order) int { return cmp.Or(cmp.Compare(a.Seller, b.Seller), newestFirst(a, b)) }

// orderQuestions asks for a seller's newest orders, for a buyer's of one day, for all
// of five minutes, for all of a day page by page, and for one order.
func orderQuestions(s *ordersStore, orders []Order) ([]question[Order], error) {
	people, err1 := peopleQuestions(s, orders)
	times, err2 := timeQuestions(s, len(orders))
	one, err3 := orderQuestion(s, orders[len(orders)/2])
	questions := append(slices.Concat(people, times), one)
	for i := range questions {
		questions[i].looks = orderLook
	}
	return questions, errors.Join(err1, err2, err3)
}

// peopleQuestions asks for the orders of a seller and of a buyer.
func peopleQuestions(s *ordersStore, orders []Order) ([]question[Order], error) {
	const page = 10
	bought := func(o Order) bool { return o.Buyer == askedBuyer && ofMay16(o) }
	seller, err1 := bySeller.Scan(rowkey.Eq("seller", askedSeller))
	buyer, err2 := byBuyer.Scan(rowkey.Eq("buyer", askedBuyer), rowkey.Span("at", may16, may17))
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	return []question[Order]{{
		asks: fmt.Sprintf("The %d newest orders of seller %s", page, askedSeller),
		call: scanCall("by_seller", fmt.Sprintf(`rowkey.Eq("seller", %q)`, askedSeller)) + fmt.Sprintf(" // and, of the plan, Limit(%d)", page),
		why: fmt.Sprintf("The salt is computed from the seller: one bucket is read, not all %d. The newest order is the first row, so Limit stops after %d rows. "+
			"The zero byte ends the seller: no row of s-421 is in the range.", buckets, page),
		table: s.bySeller,
		plan:  seller.Limit(page),
		wants: func(o Order) bool { return o.Seller == askedSeller },
		order: newestFirst,
		first: page,
	}, {
		asks: fmt.Sprintf("What buyer %s ordered on 16 May, a day in +08:00", askedBuyer),
		call: beijingDay + scanCall("by_buyer", fmt.Sprintf(`rowkey.Eq("buyer", %q)`, askedBuyer), `rowkey.Span("at", day, day.AddDate(0, 0, 1))`),
		why: "Span takes the times from the first one up to, but not with, the second one. Newest first means that the later time is the range's start. " +
			"If you compute MAX - start and MAX - end by hand, it is easy to have them the wrong way round: then nothing is found, and no error says so.",
		table: s.byBuyer,
		plan:  buyer,
		wants: bought,
		order: newestFirst,
		then:  wrongDay(orders, bought, within(may16.Add(8*time.Hour), may17.Add(8*time.Hour))),
	}}, nil
}

// beijingDay declares the day of the questions, as a program would.
const beijingDay = "day := time.Date(2023, 5, 16, 0, 0, 0, 0, beijing)\n"

// timeQuestions asks for the orders of five minutes and of a day; count is the number of all.
func timeQuestions(s *ordersStore, count int) ([]question[Order], error) {
	const many, fromFlash = 100, `rowkey.Span("at", flash, flash.Add(5*time.Minute))`
	fiveMinutes := flash.Add(5 * time.Minute)
	ofSpan := within(flash, fiveMinutes)
	_, refusal := bySeller.Scan(rowkey.Span("at", flash, fiveMinutes))
	all, err1 := bySeller.Scan(rowkey.Span("at", flash, fiveMinutes), rowkey.FullScan())
	span, err2 := newest.Scan(rowkey.Span("at", flash, fiveMinutes))
	day, err3 := newest.Scan(rowkey.Span("at", may16, may17))
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	if !errors.Is(refusal, rowkey.ErrFullScan) {
		return nil, fmt.Errorf("a query by time on by_seller: %v in place of %w", refusal, rowkey.ErrFullScan)
	}
	return []question[Order]{{
		asks:    "All orders from 20:00 to 20:05, of any seller",
		refused: "flash := time.Date(2023, 5, 16, 20, 0, 0, 0, beijing)\n" + scanCall("by_seller", fromFlash),
		refusal: refusal.Error(),
		call:    scanCall("by_seller", fromFlash, "rowkey.FullScan()"),
		why: "In by_seller the time stands after the seller, so the orders of five minutes lie all over the table, and this question " +
			"would read all of it. That is refused, not done in silence; FullScan permits it. Every row is read then, and Match picks those wanted out:",
		table: s.bySeller,
		plan:  all,
		wants: ofSpan,
		order: sellerFirst,
		spare: count,
	}, {
		asks: "The same by an index table",
		call: scanCall("newest", fromFlash),
		why: fmt.Sprintf("newest has the time first, after a salt. So every bucket has a range, %d in all, and in the ranges is no row that is not wanted. "+
			"Merge reads them as one list in the order of time, whichever bucket a row is from:", buckets),
		table: s.newest,
		plan:  span,
		wants: ofSpan,
		order: newestFirst,
	}, {
		asks: fmt.Sprintf("All orders of 16 May, newest first, %d a page", many),
		call: fmt.Sprintf("plan, err := %s\n"+
			"rows, next, done, err := scan.Page(ctx, plan.Limit(%d), token, 1, open, rowKey)\n"+
			"// token is nil for the first page, and for the one after it what next was here",
			scanCall("newest", `rowkey.Span("at", day, day.AddDate(0, 0, 1))`), many),
		why:   pagesWhy(),
		table: s.newest,
		plan:  day,
		page:  many,
		wants: ofMay16,
		order: newestFirst,
		spare: 2 * buckets,
	}}, nil
}

// orderQuestion asks for one order.
func orderQuestion(s *ordersStore, one Order) (question[Order], error) {
	row, err := newest.Scan(rowkey.Eq("at", one.At), rowkey.Eq("order", one.Number), rowkey.Eq("seller", one.Seller), rowkey.Eq("buyer", one.Buyer))
	return question[Order]{
		asks:  fmt.Sprintf("One row: order %d", one.Number),
		call:  scanCall("newest", `rowkey.Eq("at", o.At)`, `rowkey.Eq("order", o.Number)`, `rowkey.Eq("seller", o.Seller)`, `rowkey.Eq("buyer", o.Buyer)`),
		why:   "With every field known there is a whole key (Plan.Keys), to be got without a scan.",
		table: s.newest,
		plan:  row,
		get:   true,
		wants: func(o Order) bool { return o == one },
		order: newestFirst,
	}, err
}

// wrongDay says what a day of UTC would have found in place of the wanted rows.
func wrongDay(orders []Order, wanted, ofUTC func(Order) bool) string {
	lost, others := 0, 0
	for _, o := range orders {
		switch {
		case o.Buyer != askedBuyer:
		case wanted(o) && !ofUTC(o):
			lost++
		case !wanted(o) && ofUTC(o):
			others++
		}
	}
	return fmt.Sprintf("The day begins where the time that you give is: at midnight in +08:00. Midnight in UTC is 08:00 there. "+
		"That day of UTC would have lost %d of these rows, and found %s.", lost, english.Plural(others, "other", ""))
}
