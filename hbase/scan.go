package hbase

import (
	"bytes"
	"context"
	"io"
	"iter"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase/internal/thrift2"
)

// ScanOption is an option of a scan.
type ScanOption func(*scan)

// scan is what a scan is asked for.
type scan struct {
	columns      []string
	batch        int
	parallel     int
	keysOnly     bool
	reversed     bool
	fuzzy        bool
	multiRange   bool
	filterString string
	versions     int
	times        *thrift2.TTimeRange
	err          error // of an option

	fuzzyFilter []byte // of the plan
}

// Columns limits the cells of rows to columns, "family" or "family:qualifier". A
// row that has none of them is not found.
func Columns(names ...string) ScanOption {
	return func(s *scan) { s.columns = names }
}

// Batch is the most rows that one call of the server brings; the default is 1000.
// The first calls of a scan ask for fewer: most scans are short.
func Batch(rows int) ScanOption {
	return func(s *scan) { s.batch = rows }
}

// Parallel is how many calls ScanPlan makes at the same time, as rowkey.Merge
// says; the default is the client's Connections.
func Parallel(calls int) ScanOption {
	return func(s *scan) { s.parallel = calls }
}

// KeysOnly reads rows without their cells.
func KeysOnly() ScanOption {
	return func(s *scan) { s.keysOnly = true }
}

// Reversed reads from the last row of a range to its first. A plan says so
// itself (rowkey.Plan.Reversed).
func Reversed() ScanOption {
	return func(s *scan) { s.reversed = true }
}

// Fuzzy sends a plan's pairs (rowkey.Plan.Fuzzy) as a FuzzyRowFilter, if it has
// any: the server then skips rows that the plan's Match would refuse. It pays
// where much is skipped; rows that all match are read more slowly. A
// Reversed plan does without: servers before 2.6.2 and 2.5.11 lose rows there
// (HBASE-28634). A server on Java 17 needs --add-opens java.base/java.nio=ALL-UNNAMED,
// else it loses rows forward, too.
func Fuzzy() ScanOption {
	return func(s *scan) { s.fuzzy = true }
}

// MultiRange reads ranges of a plan that are not far apart in one call, by a
// MultiRowRangeFilter: as many as a batch of rows covers. It pays for a plan of
// many narrow ranges, such as an In of a hundred values; a plan of few wide ones,
// such as a range for each bucket, is read faster without, at the same time. A
// Reversed plan does without.
func MultiRange() ScanOption {
	return func(s *scan) { s.multiRange = true }
}

// FilterString is a filter in HBase's filter language, for what keys do not say,
// such as SingleColumnValueFilter('f','q',>=,'binary:5'). It does not go with
// Fuzzy, MultiRange or KeysOnly (say KeyOnlyFilter() in it). A filter that counts,
// such as PageFilter, counts anew in each call.
func FilterString(f string) ScanOption {
	return func(s *scan) { s.filterString = f }
}

const (
	defaultBatch = 1000
	firstBatch   = 64
)

func (t *Table) scanOf(opts []ScanOption) (scan, error) {
	s := scan{batch: defaultBatch, parallel: cap(t.client.slots)}
	for _, opt := range opts {
		opt(&s)
	}
	switch {
	case s.err != nil:
		return s, t.refuse(scanCall, s.err)
	case s.batch < 1:
		return s, t.refuse(scanCall, explain(ErrArgument, "a batch has at least one row"))
	case s.filterString != "" && (s.keysOnly || s.fuzzy || s.multiRange):
		return s, t.refuse(scanCall, explain(ErrArgument, "a FilterString does not go with KeysOnly, Fuzzy or MultiRange"))
	}
	return s, nil
}

// scanCall reads a batch of rows. The server keeps nothing of it, as it does of a
// scanner: there is no lease to renew and nothing to close, any connection and
// any gateway will do for the next batch, and one that failed is asked for again.
const scanCall = "getScannerResults"

// Cursor is an open scan of a range. It is a rowkey.Cursor.
type Cursor struct {
	ctx   context.Context
	table *Table
	scan  scan
	rng   rowkey.Range

	start, stop []byte // of the next call
	last        []byte // the row that came last, with which a reversed scan begins again
	size        int    // rows of the next call
	rows        []*thrift2.TResult_
	ended       bool
}

// Open begins to scan a range; the context is that of all its calls. An empty
// range gives no row and asks the server nothing.
func (t *Table) Open(ctx context.Context, r rowkey.Range, opts ...ScanOption) (*Cursor, error) {
	s, err := t.scanOf(opts)
	if err != nil {
		return nil, err
	}
	return t.open(ctx, r, s), nil
}

func (t *Table) open(ctx context.Context, r rowkey.Range, s scan) *Cursor {
	c := &Cursor{ctx: ctx, table: t, scan: s, rng: r, ended: r.Empty(), size: min(s.batch, firstBatch)}
	if s.reversed {
		c.start, c.stop = r.Reversed()
	} else {
		c.start, c.stop = r.Start(), r.Stop()
	}
	return c
}

// Next gives the next row, or io.EOF. After another error it may be called again:
// it goes on behind the row that it gave last.
func (c *Cursor) Next() (Row, error) {
	for {
		for len(c.rows) > 0 {
			r := c.rows[0]
			c.rows = c.rows[1:]
			if c.rng.Contains(r.Row) { // the bounds of a reversed scan reach past it
				return c.scan.row(r), nil
			}
		}
		if c.ended {
			return Row{}, io.EOF
		}
		if err := c.fetch(); err != nil {
			return Row{}, err
		}
	}
}

// Close ends the scan. The server has nothing of it to close.
func (c *Cursor) Close() error {
	c.rows, c.ended = nil, true
	return nil
}

// fetch asks for the next rows.
func (c *Cursor) fetch() error {
	want := c.size
	if c.last != nil {
		want++ // it comes again
	}
	rows, err := c.table.batch(c.ctx, c.rng, c.scan, c.start, c.stop, want, c.scan.filters(nil))
	if err != nil {
		return err
	}
	c.ended = isLast(rows, want)
	c.size = min(c.scan.batch, 4*c.size)
	if c.last != nil && len(rows) > 0 && bytes.Equal(rows[0].Row, c.last) {
		rows = rows[1:]
	}
	c.rows = rows
	if len(rows) == 0 { // or the same again, however large it is
		c.ended = true
		return nil
	}
	last := rows[len(rows)-1].Row
	if c.scan.reversed { // there is no key that is the one before it
		c.start, c.last = last, last
	} else {
		c.start = behind(last)
	}
	return nil
}

const (
	sureRows  = 1000
	sureBytes = 1 << 20
)

// isLast reports that no rows are behind these. HBase gives fewer than wanted only
// then. Other servers bound their answers (Lindorm's documents say 2000 rows and
// 16 MB), so that one that is short and yet large is not taken for the last.
func isLast(rows []*thrift2.TResult_, want int) bool {
	if len(rows) >= want {
		return false
	}
	size := 0
	for _, r := range rows {
		size += len(r.Row)
		for _, c := range r.ColumnValues {
			size += len(c.Value)
		}
	}
	return len(rows) == 0 || len(rows) < sureRows && size < sureBytes
}

// behind is the key behind another.
func behind(key []byte) []byte { return append(bytes.Clone(key), 0) }

// fit makes bounds of a forward scan that are longer than keys can be, which the
// server refuses, into bounds of the same rows: such a bound lies right behind its
// first 32767 bytes, since no longer key begins with them. False if there are
// no such rows.
func fit(start, stop []byte) (_, _ []byte, some bool) {
	if len(start) > maxKey {
		r := rowkey.PrefixRange(start[:maxKey])
		if r.Unbounded() {
			return nil, nil, false
		}
		start = r.Stop()
	}
	if len(stop) > maxKey {
		stop = rowkey.PrefixRange(stop[:maxKey]).Stop()
	}
	return start, stop, len(stop) == 0 || bytes.Compare(start, stop) < 0
}

// fitReversed does so for a reversed scan.
func fitReversed(start, stop []byte) (_, _ []byte, some bool) {
	return start[:min(len(start), maxKey)], stop[:min(len(stop), maxKey)], true
}

// filters are the filters of a scan, of those ranges if there are any.
func (s *scan) filters(ranges []rowkey.Range) [][]byte {
	var fs [][]byte
	if len(ranges) > 0 {
		fs = append(fs, rowRanges(ranges))
	}
	if s.fuzzyFilter != nil {
		fs = append(fs, s.fuzzyFilter)
	}
	if s.keysOnly {
		fs = append(fs, keysOnly()...)
	}
	return fs
}

// batch calls the server for up to n rows. The range is for the error.
func (t *Table) batch(ctx context.Context, r rowkey.Range, s scan, start, stop []byte, n int, filters [][]byte) (rows []*thrift2.TResult_, err error) {
	bounds := fit
	if s.reversed {
		bounds = fitReversed
	}
	ask := thrift2.NewTScan() // the literal has MaxVersions 0, which finds nothing
	var some bool
	if ask.StartRow, ask.StopRow, some = bounds(start, stop); !some {
		return nil, nil
	}
	ask.Columns = columns(s.columns)
	ask.MaxVersions, ask.TimeRange = int32(max(s.versions, 1)), s.times
	count := int32(n)
	ask.Caching, ask.Limit = &count, &count
	if s.reversed {
		ask.Reversed = &s.reversed
	}
	if s.filterString != "" {
		ask.FilterString = []byte(s.filterString)
	}
	ask.FilterBytes = allOf(filters)
	got := func() int { return len(rows) }
	err = t.client.call(ctx, request{name: scanCall, table: t.name, rng: &r, filter: s.filterString != "", rows: n, got: got}, func(ctx context.Context, service *thrift2.THBaseServiceClient) error {
		rows, err = service.GetScannerResults(ctx, t.bytes, ask, count)
		return err
	})
	return rows, err
}

// row is a row as the scan wants it.
func (s *scan) row(r *thrift2.TResult_) Row {
	if s.keysOnly {
		return Row{Key: r.Row}
	}
	return row(r)
}

// Scan reads the rows of a range. The first error ends it.
func (t *Table) Scan(ctx context.Context, r rowkey.Range, opts ...ScanOption) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		c, err := t.Open(ctx, r, opts...)
		if err != nil {
			yield(Row{}, err)
			return
		}
		for {
			row, err := c.Next()
			switch {
			case err == io.EOF:
				return
			case err != nil:
				yield(Row{}, err)
				return
			case !yield(row, nil):
				return
			}
		}
	}
}

// ScanPlan reads the rows that match a plan through rowkey.Merge: in the order of
// their keys without the salt, as the plan is limited and reversed. The first
// error ends it.
func (t *Table) ScanPlan(ctx context.Context, p *rowkey.Plan, opts ...ScanOption) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		s, err := t.scanOf(opts)
		if err == nil && s.fuzzy && s.multiRange {
			err = t.refuse(scanCall, explain(ErrArgument, "Fuzzy and MultiRange are not for the same scan"))
		}
		if err != nil {
			yield(Row{}, err)
			return
		}
		s.reversed = p.IsReversed()
		if s.fuzzy && !s.reversed {
			s.fuzzyFilter = fuzzyRows(p)
		}
		open := func(ctx context.Context, r rowkey.Range) (rowkey.Cursor[Row], error) { return t.open(ctx, r, s), nil }
		if s.multiRange && !s.reversed {
			open = newPages(t, p, s).open
		}
		rowkey.Merge(ctx, p, s.parallel, open, func(r Row) []byte { return r.Key })(yield)
	}
}
