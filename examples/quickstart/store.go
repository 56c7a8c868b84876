package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/scan"
	"github.com/tidwall/btree"
)

// table is an HBase table as far as row keys go: rows in unsigned byte order,
// got by key or scanned from a start row up to a stop row. Its rows have no
// cells, because every field stands in the key.
type table struct {
	name   string
	schema *rowkey.Schema
	rows   *btree.BTreeG[[]byte]
	from   source // what questions are answered from: the rows here, or HBase
}

// tableOf is a table whose keys are those of R.
type tableOf[R any] struct {
	*table
	codec *rowkey.Codec[R]
}

// source gives rows by their keys, and scans of ranges, as HBase does.
type source interface {
	has(ctx context.Context, key []byte) (bool, error)
	open(ctx context.Context, r rowkey.Range, reversed bool) (scan.Cursor[[]byte], error)
}

func newTable[R any](schema *rowkey.Schema, codec *rowkey.Codec[R]) tableOf[R] {
	rows := btree.NewBTreeGOptions(func(a, b []byte) bool { return bytes.Compare(a, b) < 0 }, btree.Options{NoLocks: true})
	t := &table{name: schema.Name(), schema: schema, rows: rows}
	t.from = t
	return tableOf[R]{t, codec}
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

func (t *table) has(_ context.Context, key []byte) (bool, error) { return t.get(key), nil }

func (t *table) open(_ context.Context, r rowkey.Range, reversed bool) (scan.Cursor[[]byte], error) {
	rows := t.scan(r)
	if reversed {
		keys := slices.Collect(rows)
		slices.Reverse(keys)
		rows = slices.Values(keys)
	}
	next, stop := iter.Pull(rows)
	return &cursor{next, stop}, nil
}

// cursor is an open scan, as an HBase client's scanner is.
type cursor struct {
	next func() ([]byte, bool)
	stop func()
}

func (c *cursor) Next() ([]byte, error) {
	key, ok := c.next()
	if !ok {
		return nil, io.EOF
	}
	return key, nil
}

func (c *cursor) Close() error {
	c.stop()
	return nil
}

// counting counts the rows that a cursor gives.
type counting struct {
	scan.Cursor[[]byte]
	read *int
}

func (c counting) Next() ([]byte, error) {
	key, err := c.Cursor.Next()
	if err == nil {
		*c.read++
	}
	return key, err
}

// counted opens the scans of a plan's ranges, and counts the rows that they give.
func (t *table) counted(read *int) func(context.Context, rowkey.Range, bool) (scan.Cursor[[]byte], error) {
	return func(ctx context.Context, r rowkey.Range, reversed bool) (scan.Cursor[[]byte], error) {
		c, err := t.from.open(ctx, r, reversed)
		return counting{c, read}, err
	}
}

// rowKey is a row's key, which is all of a row here.
func rowKey(key []byte) []byte { return key }

// oneCall is how many calls are under way at a time. One will do: a table in
// memory has nothing to wait for, and of servers the count of rows would depend on
// who was first.
const oneCall = 1

// read gives the keys that a plan asks for, and how many rows were read to find
// them. Each of the plan's ranges is a scan; Merge runs them as one.
func (t *table) read(ctx context.Context, p *rowkey.Plan) (keys [][]byte, read int, err error) {
	for key, err := range scan.Merge(ctx, p, oneCall, t.counted(&read), rowKey) {
		if err != nil {
			return nil, read, err
		}
		keys = append(keys, key)
	}
	return keys, read, nil
}

// fill writes every record to all tables: first its row in the first one, then
// those in the index tables, whose keys are made from that one. The tables are
// filled in the order of their keys, which is how many rows are best loaded.
func fill[R any](records []R, called func(*R) string, first tableOf[R], indexes ...tableOf[R]) error {
	tables := append([]tableOf[R]{first}, indexes...)
	keys := make([][][]byte, len(tables))
	var room arena
	for i := range keys {
		keys[i] = make([][]byte, 0, len(records))
	}
	for i := range records {
		key, err := room.keep(func(buf []byte) ([]byte, error) { return first.codec.Append(buf, &records[i]) })
		for t := range tables {
			made := key
			if t > 0 && err == nil {
				made, err = room.keep(func(buf []byte) ([]byte, error) { return tables[t].schema.Rekey(buf, key, first.schema) })
			}
			keys[t] = append(keys[t], made)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", called(&records[i]), err)
		}
	}
	var loads sync.WaitGroup
	for i, t := range tables {
		loads.Add(1)
		go func() {
			defer loads.Done()
			slices.SortFunc(keys[i], bytes.Compare)
			for _, key := range keys[i] {
				t.rows.Load(key)
			}
		}()
	}
	loads.Wait()
	return nil
}

// store is the three tables of files.
type store struct {
	files, tree, sizes tableOf[Record]
}

// index writes every file to all tables.
func index(records []Record) (*store, error) {
	s := &store{newTable(files, filesKeys), newTable(tree, treeKeys), newTable(sizes, sizesKeys)}
	return s, fill(records, func(r *Record) string { return r.Path }, s.files, s.tree, s.sizes)
}

func (s *store) tables() []*table { return []*table{s.files.table, s.tree.table, s.sizes.table} }

// arena is memory for many keys, in pieces of many.
type arena struct{ free []byte }

// keep is the key that make appends to a buffer, in memory of the arena.
func (a *arena) keep(write func([]byte) ([]byte, error)) ([]byte, error) {
	const piece = 1 << 20
	if cap(a.free) < 1<<15 { // a key is shorter than that
		a.free = make([]byte, 0, piece)
	}
	key, err := write(a.free[:0:cap(a.free)])
	if err != nil {
		return nil, err
	}
	a.free = a.free[len(key):len(key):cap(a.free)]
	return key[:len(key):len(key)], nil
}
