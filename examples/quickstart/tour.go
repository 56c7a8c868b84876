package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/hbase-rowkey/rowkey"
)

// input is where records come from.
type input struct {
	source string
	pkg    string // the package to ask about; "": that of the first record
	read   func() (records []Record, notes []string, err error)
}

// tour shows step by step the declaration, then the tables that it makes of the
// records: keys, regions, questions about a package. It ends at the first answer
// that is wrong. With a server the answers come from there.
func tour(calls contexts, w *bufio.Writer, in input, server string) (err error) {
	p := page{w}
	p.declaration(in.source)
	if w.Flush() != nil { // many records take a while; the last flush tells the error
		return nil
	}
	records, notes, err := in.read()
	if err != nil {
		return err
	}
	pkg := in.pkg
	if pkg == "" {
		pkg = records[0].Package
	}
	var largest Record
	found := false
	for _, r := range records {
		if r.Package == pkg && (!found || largestFirst(r, largest) < 0) {
			largest, found = r, true
		}
	}
	if !found {
		return fmt.Errorf("no package %q in %s", pkg, in.source)
	}
	prefix := pkg
	if top, _, ok := strings.Cut(pkg, "/"); ok {
		prefix = top + "/"
	}
	s, err := index(records)
	if err != nil {
		return err
	}
	if server != "" {
		drop, failed := s.serve(calls, server)
		defer func() { err = calls.end(drop, err) }()
		if failed != nil {
			return failed
		}
	}

	p.text(fmt.Sprintf("%s read.", english.Plural(len(records), "record", "")))
	for _, note := range notes {
		p.text(note)
	}
	if server != "" {
		p.text("They are tables of HBase at " + server + ", which all answers below come from.")
	}
	if err := p.keys(largest); err != nil {
		return err
	}
	if err := p.regions(calls.work, s.files); err != nil {
		return err
	}
	asked, err := questions(s, largest, prefix)
	if err != nil {
		return err
	}
	p.heading("Ask")
	p.text("Scan turns the conditions of a question into a plan: ranges of row keys, each from a start row up to, but not with, a stop row. " +
		"A plan explains itself, which is what is printed. Merge reads the ranges. The rows found are compared, " +
		"there and then, with what a plain filter over all records finds.")
	for i := range asked {
		if err := p.answer(calls.work, &asked[i], records); err != nil {
			return err
		}
	}
	return nil
}

// declaration prints what is indexed, and how.
func (p page) declaration(source string) {
	p.heading("Declare")
	p.text(fmt.Sprintf("The files of %s, each with a package, a size, a time and a path, are put into three tables.", source))
	p.text("An HBase table has one index: the row key, a string of bytes in whose order the rows lie. " +
		"Who knows a key gets its row. Who knows how keys begin scans the rows that begin so. Everything else reads the whole table. " +
		"So the questions come first, and a key is laid out for them (in Go: schema.go):")
	p.code(fmt.Sprintf("files  %v\ntree   %v\nsizes  %v", files, tree, sizes))
	p.text(fmt.Sprintf("files is for \"the files of a package, largest first\". In front stands a salt, a number below %d computed from the package, "+
		"so that writes spread over %d places of the table and do not all hit one. Then the package and a zero byte, "+
		"which ends it: else net would run into net2. Then the size, descending, for the largest to come first.", buckets, buckets))
	p.text("tree is for \"all packages whose name begins with\", and sizes for \"all files of such a size, largest first\": " +
		"the same fields in other orders, two index tables. tree has no salt, so that names lie side by side.")
}

// keys prints the keys of one record.
func (p page) keys(r Record) error {
	key, err := filesKeys.Append(nil, &r)
	if err != nil {
		return err
	}
	indexKey, err := tree.Rekey(nil, key, files)
	if err != nil {
		return err
	}
	p.heading("Write")
	p.text(fmt.Sprintf("The key of %s in files, in hex, and what its bytes say:", r.Path))
	p.code(hex.Dump(key))
	p.code(fold(files.Explain(key)))
	p.text("Its key in tree is made from that one, field by field (tree.Rekey), and so is that in sizes:")
	p.code(hex.Dump(indexKey))
	p.code(fold(tree.Explain(indexKey)))
	return nil
}

// regions prints the table's regions and the number of rows in each.
func (p page) regions(ctx context.Context, t *table) error {
	splits, err := files.Splits(buckets)
	if err != nil {
		return err
	}
	rows := make([]int, buckets)
	everything, err := t.from.open(ctx, rowkey.PrefixRange(nil))
	if err != nil {
		return err
	}
	for {
		key, err := everything.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		rows[splits.Region(key)]++
	}
	if err := everything.Close(); err != nil {
		return err
	}
	p.heading("Spread")
	p.text("HBase cuts a table into regions and spreads these over its servers. " +
		"Created with these splits, files has a region for each bucket before its first row comes:")
	p.code(wrap("create 'files', 'f', "+splits.Shell(), pageWidth-codeIndent))
	p.text(fmt.Sprintf("Rows in each region, %d on average. All files of a package are in one bucket, so a big package shows:", t.rows.Len()/buckets))
	return p.bars(rows)
}

// answer prints a question, what it reads and whether that is right.
func (p page) answer(ctx context.Context, q *question, records []Record) error {
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
	if err := p.rows(found.rows); err != nil {
		return err
	}
	if err := q.check(found, wanted); err != nil {
		return err
	}
	if q.page > 0 {
		if err := p.pages(ctx, q, found); err != nil {
			return err
		}
	}
	p.good(fmt.Sprintf("rows read %s, rows wanted %s, rows in the table %s: same as the plain filter",
		comma(uint64(found.read)), comma(uint64(len(wanted))), comma(uint64(q.table.rows.Len()))))
	return nil
}

// pages prints what the pages of an answer were, and checks that together they
// are what the plan gives without pages.
func (p page) pages(ctx context.Context, q *question, paged answer) error {
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
		p.text("The token behind the first page, in base64:")
		p.code(fold(base64.URLEncoding.EncodeToString(paged.token)))
	}
	p.text(fmt.Sprintf("%s, together the same rows as read at once.", english.Plural(paged.pages, "page", "")))
	return nil
}
