package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/scan"
)

// question is one thing asked of a table. Its plan says what is read. The other
// half, wants, order and first, says the same without any row key, to check the
// answer by.
type question[R comparable] struct {
	asks    string // in words
	refused string // what was called first, and refused
	refusal string // why
	call    string // what gave the plan
	why     string // what to see there
	table   tableOf[R]
	looks   look[R]
	plan    *rowkey.Plan
	get     bool // one row, by its key in place of a scan
	page    int  // rows a page; 0: all at once
	wants   func(R) bool
	order   func(a, b R) int
	first   int    // only so many of them; 0: all
	spare   int    // rows that may be read, in all or for each page, and not be wanted
	then    string // what to see in the rows
}

// pagesWhy is what to see in pages.
func pagesWhy() string {
	return fmt.Sprintf("One token holds the place in all %d buckets. It goes out to the visitor with the page and comes back with the next request; "+
		"nothing is kept open in between, and rows may be written meanwhile. The last page says that it is done. "+
		"Each page asks every bucket for its first two rows, and for one row more than it shows, to know whether it is the last: "+
		"that is why small pages read more than they show.", buckets)
}

// scanCall is a call of Scan as Go code.
func scanCall(schema string, conds ...string) string {
	call := schema + ".Scan(" + strings.Join(conds, ", ") + ")"
	if len(call) > pageWidth-codeIndent {
		call = schema + ".Scan(\n    " + strings.Join(conds, ",\n    ") + ")"
	}
	return call
}

// answer is the rows that a question's plan gives.
type answer[R any] struct {
	rows  []R
	read  int    // rows that the table was made to give for it
	pages int    // how many it came in, if it was asked in pages
	token []byte // the place after the first of several pages
}

// read answers the question.
func (q *question[R]) read(ctx context.Context) (answer[R], error) {
	var a answer[R]
	var keys [][]byte
	var err error
	switch {
	case q.get:
		for key := range q.plan.Keys() {
			found, err := q.table.from.has(ctx, key)
			if err != nil {
				return a, err
			}
			if found {
				keys = append(keys, key)
			}
		}
		a.read = len(keys)
	case q.page > 0:
		keys, err = q.readPages(ctx, &a)
	default:
		keys, a.read, err = q.table.read(ctx, q.plan)
	}
	if err != nil {
		return a, err
	}
	a.rows = make([]R, len(keys))
	for i, key := range keys {
		if err := q.table.codec.Decode(key, &a.rows[i]); err != nil {
			return a, err
		}
	}
	return a, nil
}

// readPages reads page by page, until one says that it is the last. What it knows
// from one page to the next is a token.
func (q *question[R]) readPages(ctx context.Context, a *answer[R]) (all [][]byte, err error) {
	var token []byte // the first page has none
	for done := false; !done; {
		var page [][]byte
		page, token, done, err = scan.Page(ctx, q.plan.Limit(q.page), token, oneCall, q.table.counted(&a.read), rowKey)
		if err != nil {
			return nil, err
		}
		all = append(all, page...)
		a.pages++
		if !done && a.token == nil {
			a.token = token
		}
	}
	return all, nil
}

// shell is what is read, as a command of the hbase shell, if one command does.
func (q *question[R]) shell() string {
	if q.get {
		for key := range q.plan.Keys() {
			return shellGet(q.table.name, key)
		}
	}
	if q.plan.Len() == 1 {
		for r := range q.plan.Ranges() {
			return shellScan(q.table.name, r)
		}
	}
	return ""
}

// filter finds the answer the slow way: it looks at every record.
func (q *question[R]) filter(records []R) []R {
	rows := []R{}
	for _, r := range records {
		if !q.wants(r) {
			continue
		}
		if full := q.first > 0 && len(rows) == q.first; full {
			if q.order(r, rows[q.first-1]) >= 0 {
				continue
			}
			rows = rows[:q.first-1]
		}
		rows = append(rows, r)
		if q.first > 0 {
			slices.SortFunc(rows, q.order)
		}
	}
	slices.SortFunc(rows, q.order)
	return rows
}

// The program ends with one of these if a plan is wrong.
var (
	errDiffers = errors.New("the rows found are not those that a plain filter over the records finds")
	errTooMany = errors.New("more rows were read than had to be")
)

// check compares the rows found with those wanted, their order included, and the
// number of rows read with what the plan promises.
func (q *question[R]) check(a answer[R], wanted []R) error {
	if !slices.Equal(a.rows, wanted) {
		return fmt.Errorf("%s: %w (%d found, %d wanted)", q.asks, errDiffers, len(a.rows), len(wanted))
	}
	if most := len(wanted) + q.spare*max(1, a.pages); a.read > most {
		return fmt.Errorf("%s: %w (%d, and %d would do)", q.asks, errTooMany, a.read, most)
	}
	return nil
}

// showAll asks all questions.
func showAll[R comparable](ctx context.Context, p page, asked []question[R], records []R) error {
	p.heading("Ask")
	p.text("Scan turns the conditions of a question into a plan: ranges of row keys, each from a start row up to, but not with, a stop row. " +
		"A plan explains itself, which is what is printed. Merge reads the ranges. The rows found are compared, " +
		"there and then, with what a plain filter over all records finds.")
	for i := range asked {
		if err := asked[i].show(ctx, p, records); err != nil {
			return err
		}
	}
	return nil
}

// show asks a question, and prints it, what it reads and whether that is right.
func (q *question[R]) show(ctx context.Context, p page, records []R) error {
	p.subheading(q.asks)
	if q.refused != "" {
		p.goCode(q.refused)
		p.code(hang(q.refusal))
	} else {
		p.goCode(q.call)
	}
	p.text(q.why)
	if q.refused != "" {
		p.goCode(q.call)
	}
	p.code(hang(q.plan.String()))
	if shell := q.shell(); shell != "" {
		p.code(shell)
	}
	found, err := q.read(ctx)
	if err != nil {
		return err
	}
	wanted := q.filter(records)
	printRows(p, q.looks, found.rows)
	if err := q.check(found, wanted); err != nil {
		return err
	}
	if q.page > 0 {
		if err := q.showPages(ctx, p, found); err != nil {
			return err
		}
	}
	if q.then != "" {
		p.text(q.then)
	}
	p.good(fmt.Sprintf("rows read %s, rows wanted %s, rows in the table %s: same as the plain filter",
		comma(uint64(found.read)), comma(uint64(len(wanted))), comma(uint64(q.table.rows.Len()))))
	return nil
}

// showPages prints what the pages of an answer were, and checks that together they
// are what the plan gives without pages.
func (q *question[R]) showPages(ctx context.Context, p page, paged answer[R]) error {
	whole := *q
	whole.page = 0
	atOnce, err := whole.read(ctx)
	if err != nil {
		return err
	}
	if err := q.check(paged, atOnce.rows); err != nil {
		return err
	}
	if paged.token != nil {
		p.text("The token after the first page, in base64:")
		p.code(fold(base64.URLEncoding.EncodeToString(paged.token)))
	}
	p.text(fmt.Sprintf("%s, together the same rows as read at once.", english.Plural(paged.pages, "page", "")))
	return nil
}
