package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey"
)

// question is one thing asked of a table. Its ranges, or its key, are what is
// read. The other half, wants and order, says the same without any row key,
// to check the answer by.
type question struct {
	asks   string // in words
	call   string // the expression that gave the ranges or the key
	why    string // what to see there
	table  *table
	ranges []rowkey.Range
	key    []byte // a single row, by get in place of scans
	wants  func(Record) bool
	order  func(a, b Record) int
}

// questions asks for the files of the package that wanted is in, for those of
// all packages whose name begins with prefix, and for wanted itself.
func questions(s *store, wanted Record, prefix string) ([]question, error) {
	pkg := wanted.Package
	onePackage, err1 := files.Key(nil).String(pkg).Range()
	inTree, err2 := tree.Key(nil).Prefix(prefix).Range()
	inFiles, _, err3 := files.Key(nil).Prefix(prefix).AppendRanges(nil, nil)
	key, err4 := files.Key(nil).String(pkg).Uint(wanted.Size).String(wanted.Path).Time(wanted.Time).Bytes()
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return nil, err
	}
	underPrefix := func(r Record) bool { return strings.HasPrefix(r.Package, prefix) }

	return []question{{
		asks: fmt.Sprintf("The files of package %s, largest first", pkg),
		call: fmt.Sprintf("files.Key(nil).String(%q).Range()", pkg),
		why: fmt.Sprintf("The salt is computed from the package: one bucket is read, not all %d. "+
			"And as a size is stored as the largest number less itself, the first row is the largest file; "+
			"whoever wants five rows stops after five.", buckets),
		table:  s.files,
		ranges: []rowkey.Range{onePackage},
		wants:  func(r Record) bool { return r.Package == pkg },
		order:  largestFirst,
	}, {
		asks:   fmt.Sprintf("Every package whose name begins with %q", prefix),
		call:   fmt.Sprintf("tree.Key(nil).Prefix(%q).Range()", prefix),
		why:    "In the index table these rows lie side by side, by name.",
		table:  s.tree,
		ranges: []rowkey.Range{inTree},
		wants:  underPrefix,
		order:  byName,
	}, {
		asks: "The same without the index table",
		call: fmt.Sprintf("files.Key(nil).Prefix(%q).AppendRanges(nil, nil)", prefix),
		why: fmt.Sprintf("The beginning of a name does not tell the salt, which is computed from the whole name. "+
			"So this takes %d scans, one a bucket: the price of a salt, and why there is an index table.", len(inFiles)),
		table:  s.files,
		ranges: inFiles,
		wants:  underPrefix,
		order:  byName,
	}, {
		asks:  fmt.Sprintf("One row: %s", wanted.Path),
		call:  "files.Key(nil).String(r.Package).Uint(r.Size).String(r.Path).Time(r.Time).Bytes()",
		why:   "With every field known there is a whole key, and no scan.",
		table: s.files,
		key:   key,
		wants: func(r Record) bool { return r == wanted },
		order: byName,
	}}, nil
}

// largestFirst is the order of one package's rows in files.
func largestFirst(a, b Record) int {
	return cmp.Or(cmp.Compare(b.Size, a.Size), cmp.Compare(a.Path, b.Path), a.Time.Compare(b.Time))
}

// byName is the order of tree.
func byName(a, b Record) int {
	return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Size, b.Size), a.Time.Compare(b.Time))
}

// read is the rows that the question's key or ranges hold. One range gives
// them in the order of their keys; of several they are put in order here.
func (q *question) read() ([]Record, error) {
	var keys [][]byte
	if q.key != nil && q.table.get(q.key) {
		keys = append(keys, q.key)
	}
	for _, r := range q.ranges {
		keys = slices.AppendSeq(keys, q.table.scan(r))
	}
	rows := make([]Record, len(keys))
	for i, key := range keys {
		if err := q.table.codec.Decode(key, &rows[i]); err != nil {
			return nil, err
		}
	}
	if len(q.ranges) > 1 {
		slices.SortFunc(rows, q.order)
	}
	return rows, nil
}

// shell is what is read, as commands of the hbase shell.
func (q *question) shell() string {
	if q.key != nil {
		return shellGet(q.table.name, q.key)
	}
	var scans []string
	for _, r := range q.ranges {
		scans = append(scans, shellScan(q.table.name, r))
	}
	if n := len(scans); n > 3 {
		scans = []string{scans[0], scans[1], fmt.Sprintf("# and %d more, to", n-3), scans[n-1]}
	}
	return strings.Join(scans, "\n")
}

// filter finds the answer the slow way: it looks at every record.
func (q *question) filter(records []Record) []Record {
	rows := make([]Record, 0, len(records))
	for _, r := range records {
		if q.wants(r) {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, q.order)
	return rows
}

// errDiffers is what the program ends with if it reads other rows than wanted.
var errDiffers = errors.New("the rows read are not those that a plain filter over the records finds")

// check compares the rows read with those wanted, their order included.
func (q *question) check(read, wanted []Record) error {
	if slices.Equal(read, wanted) {
		return nil
	}
	return fmt.Errorf("%s: %w (%d read, %d wanted)", q.asks, errDiffers, len(read), len(wanted))
}
