package main

import (
	"bytes"
	"fmt"
	"iter"

	"github.com/hbase-rowkey/rowkey"
	"github.com/tidwall/btree"
)

// table is an HBase table as far as row keys go: rows in unsigned byte order,
// got by key or scanned from a start row up to a stop row. Its rows have no
// cells, because every field stands in the key.
type table struct {
	name  string
	codec *rowkey.Codec[Record]
	rows  *btree.BTreeG[[]byte]
}

func newTable(name string, codec *rowkey.Codec[Record]) *table {
	return &table{name, codec, btree.NewBTreeG(func(a, b []byte) bool { return bytes.Compare(a, b) < 0 })}
}

// put writes a row; a row of the same key is replaced. The table keeps key.
func (t *table) put(key []byte) { t.rows.Set(key) }

// get reports whether the table has a row of this key.
func (t *table) get(key []byte) bool {
	_, ok := t.rows.Get(key)
	return ok
}

// scan yields the keys in r, in order.
func (t *table) scan(r rowkey.Range) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		t.rows.Ascend(r.Start(), func(key []byte) bool {
			return (r.Unbounded() || bytes.Compare(key, r.Stop()) < 0) && yield(key)
		})
	}
}

// store is the two tables.
type store struct {
	files, tree *table
}

// index writes every record to both tables: first its row in files, then its
// row in tree, whose key is made from the first one.
func index(records []Record) (*store, error) {
	s := &store{newTable("files", filesKeys), newTable("tree", treeKeys)}
	for i := range records {
		key, err := filesKeys.Append(nil, &records[i])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", records[i].Path, err)
		}
		s.files.put(key)
		key, err = tree.Rekey(nil, key, files)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", records[i].Path, err)
		}
		s.tree.put(key)
	}
	return s, nil
}
