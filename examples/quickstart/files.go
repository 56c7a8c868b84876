package main

import (
	"bufio"
	"context"
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

// filesTour shows step by step the declaration, then the tables that it makes of the
// records: keys, regions, questions about a package. It ends at the first answer
// that is wrong. With a server the answers come from there.
func filesTour(calls contexts, w *bufio.Writer, colours bool, in input, server string) error {
	p := page{w, colours}
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
	return answeredBy(server, calls, s.tables(), func() error {
		p.text(fmt.Sprintf("%s read.", english.Plural(len(records), "record", "")))
		for _, note := range notes {
			p.text(note)
		}
		p.answeredBy(server)
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
		return showAll(calls.work, p, asked, records)
	})
}

// declaration prints what is indexed, and how.
func (p page) declaration(source string) {
	p.heading("Declare")
	p.text(fmt.Sprintf("The files of %s, each with a package, a size, a time and a path, are put into three tables.", source))
	p.oneIndex("schema.go")
	p.code(fmt.Sprintf("files  %v\ntree   %v\nsizes  %v", files, tree, sizes))
	p.text(fmt.Sprintf("files is for \"the files of a package, largest first\". It begins with a salt, a number below %d computed from the package, "+
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
func (p page) regions(ctx context.Context, t tableOf[Record]) error {
	splits, err := files.Splits(buckets)
	if err != nil {
		return err
	}
	rows := make([]int, buckets)
	everything, err := t.from.open(ctx, rowkey.PrefixRange(nil), false)
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
	p.bars(rows)
	return nil
}
