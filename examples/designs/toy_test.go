package designs_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/scan"
)

// table is what a row-key store is to its keys: one sorted list of rows.
type table struct{ rows []row }

type row struct {
	key   []byte
	value string
}

func (t *table) find(key []byte) (int, bool) {
	return slices.BinarySearchFunc(t.rows, key, func(r row, key []byte) int { return bytes.Compare(r.key, key) })
}

// put writes a row without a value; it takes what Bytes returns.
func (t *table) put(key []byte, err error) { t.set(must(key, err), "") }

// set writes a row; the same key again is a new version of it.
func (t *table) set(key []byte, value string) {
	i, found := t.find(key)
	if !found {
		t.rows = slices.Insert(t.rows, i, row{key: key})
	}
	t.rows[i].value = value
}

func (t *table) get(key []byte) (value string, found bool) {
	i, found := t.find(key)
	if found {
		value = t.rows[i].value
	}
	return value, found
}

// scan reads [Start, Stop) as a server does. An empty Range starts above its
// stop, so that nothing is read.
func (t *table) scan(r rowkey.Range) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		from, _ := t.find(r.Start())
		for _, row := range t.rows[from:] {
			if !r.Unbounded() && bytes.Compare(row.key, r.Stop()) >= 0 || !yield(row.key) {
				return
			}
		}
	}
}

// read is a plan's rows, all its ranges merged into one order: that of the keys
// without their salt.
func (t *table) read(p *rowkey.Plan) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for key, err := range scan.Merge(context.Background(), p, 4, t.open, func(key []byte) []byte { return key }) {
			if !yield(must(key, err)) {
				return
			}
		}
	}
}

// open is what a client's scan of one range is; reversed, it reads from the last row to
// the first.
func (t *table) open(_ context.Context, r rowkey.Range, reversed bool) (scan.Cursor[[]byte], error) {
	keys := slices.Collect(t.scan(r))
	if reversed {
		slices.Reverse(keys)
	}
	return &cursor{keys}, nil
}

type cursor struct{ keys [][]byte }

func (c *cursor) Next() ([]byte, error) {
	if len(c.keys) == 0 {
		return nil, io.EOF
	}
	key := c.keys[0]
	c.keys = c.keys[1:]
	return key, nil
}

func (c *cursor) Close() error { return nil }

// must is for stories: a service returns its errors.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

const milli = time.Millisecond

var utc = time.UTC

// clock prints a time of day.
func clock(t time.Time) string { return t.Format("15:04:05.000") }

// hex prints bytes in groups: hex(key, 1, 4) sets off the first byte, then
// four.
func hex(key []byte, groups ...int) string {
	var b bytes.Buffer
	for _, n := range groups {
		fmt.Fprintf(&b, "%x ", key[:n])
		key = key[n:]
	}
	fmt.Fprintf(&b, "%x", key)
	return b.String()
}
