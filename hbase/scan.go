package hbase

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase/internal/thrift2"
	"github.com/hbase-rowkey/rowkey/scan"
)

// ScanOption is an option of a scan.
type ScanOption func(*scanOpts)

// scanOpts is what a scan is asked for.
type scanOpts struct {
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
	return func(s *scanOpts) { s.columns = names }
}

// Batch is the most rows that one call of the server brings; the default is 1000.
// The first calls of a scan ask for fewer, since most scans are short, and so do
// all where rows are large: a call is to bring about 2 MB, by the rows seen so far.
func Batch(rows int) ScanOption {
	return func(s *scanOpts) { s.batch = rows }
}

// Parallel is how many calls ScanPlan makes at the same time: of each range that
// is being read one, a batch ahead of the rows that were asked for. The default is
// the client's Connections, which bound it, too. With Parallel(1) it makes one
// call after another, each when its rows are due, and so does Scan.
func Parallel(calls int) ScanOption {
	return func(s *scanOpts) { s.parallel = calls }
}

// KeysOnly reads rows without their cells.
func KeysOnly() ScanOption {
	return func(s *scanOpts) { s.keysOnly = true }
}

// Reversed reads from the last row of a range to its first. It is an option of Scan: a plan
// says so itself (rowkey.Plan.Reversed), and Open has an argument.
func Reversed() ScanOption {
	return func(s *scanOpts) { s.reversed = true }
}

// Fuzzy sends a plan's pairs (rowkey.Plan.Fuzzy) as a FuzzyRowFilter, if it has
// any: the server then skips rows that the plan's Match would refuse. It pays
// where much is skipped; rows that all match are read more slowly. A
// Reversed plan does without: servers before 2.6.2 and 2.5.11 lose rows there
// (HBASE-28634). A server on Java 17 needs --add-opens java.base/java.nio=ALL-UNNAMED,
// else it loses rows forward, too.
func Fuzzy() ScanOption {
	return func(s *scanOpts) { s.fuzzy = true }
}

// MultiRange reads ranges of a plan that are not far apart in one call, by a
// MultiRowRangeFilter: as many as a batch of rows covers. It pays for a plan of
// many narrow ranges, such as an In of a hundred values; a plan of few wide ones,
// such as a range for each bucket, is read faster without, at the same time. A
// Reversed plan does without.
func MultiRange() ScanOption {
	return func(s *scanOpts) { s.multiRange = true }
}

// FilterString is a filter in HBase's filter language, for what keys do not say,
// such as SingleColumnValueFilter('f','q',>=,'binary:5'). It does not go with
// Fuzzy, MultiRange or KeysOnly (say KeyOnlyFilter() in it). A filter that counts,
// such as PageFilter, counts anew in each call.
func FilterString(f string) ScanOption {
	return func(s *scanOpts) { s.filterString = f }
}

const defaultBatch = 1000

func (t *Table) scanOf(opts []ScanOption) (scanOpts, error) {
	s := scanOpts{batch: defaultBatch, parallel: cap(t.client.slots)}
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

// Cursor is an open scan of a range. It is a scan.Cursor, whose rows are in
// order, each once: a server that gives others is an error.
type Cursor struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	table  *Table
	scan   scanOpts
	rng    rowkey.Range
	gate   chan struct{} // as many as there may be calls at the same time; nil if it makes them alone

	mu          sync.Mutex
	start, stop []byte // of the next call
	last        []byte // the row that came last, with which a reversed scan begins again
	pace        pace
	rows, spare []Row       // of the last answer, and memory for the next
	at          int         // of rows, the next
	calls       int         // answered
	ahead       chan answer // of the next call, if it is under way
	ended       bool        // no call is left to make
	closed      bool
}

// answer is what a call gave.
type answer struct {
	results
	want     int
	err      error
	panicked any // of a Watcher, for the goroutine that reads
}

// Open begins to scan a range, from its last row to its first if reversed is true; the
// option Reversed is for Scan. The context is that of all calls. An empty range gives no
// row and asks the server nothing. When half of a first answer is read, and from then on,
// the next one is asked for ahead.
func (t *Table) Open(ctx context.Context, r rowkey.Range, reversed bool, opts ...ScanOption) (*Cursor, error) {
	s, err := t.scanOf(opts)
	if err == nil && s.reversed && !reversed {
		err = t.refuse(scanCall, explain(ErrArgument, "Reversed is an option of Scan: Open has an argument"))
	}
	if err != nil {
		return nil, err
	}
	s.reversed = reversed
	return t.open(ctx, r, s, nil), nil
}

func (t *Table) open(ctx context.Context, r rowkey.Range, s scanOpts, gate chan struct{}) *Cursor {
	c := &Cursor{table: t, scan: s, rng: r, gate: gate, ended: r.Empty(), pace: t.pace(&s)}
	c.ctx, c.cancel = context.WithCancelCause(ctx)
	if s.reversed {
		c.start, c.stop, _ = r.Reversed()
	} else {
		c.start, c.stop = r.Start(), r.Stop()
	}
	return c
}

// Next gives the next row, or io.EOF. After another error it may be called again:
// it goes on after the row that it gave last.
func (c *Cursor) Next() (Row, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		for c.at < len(c.rows) {
			r := c.rows[c.at]
			c.rows[c.at] = Row{} // the caller's
			c.at++
			if c.calls > 1 || 2*c.at >= len(c.rows) {
				c.readAhead()
			}
			if c.rng.Contains(r.Key) { // the bounds of a reversed scan reach past it
				return r, nil
			}
		}
		if c.ended || c.closed {
			c.cancel(nil)
			return Row{}, io.EOF
		}
		if err := c.fetch(); err != nil {
			return Row{}, err
		}
	}
}

var errScanClosed = explain(ErrClosed, "the scan")

// Close ends the scan, and a call of it that is under way. The server has nothing
// of it to close.
func (c *Cursor) Close() error {
	c.cancel(errScanClosed)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rows, c.spare, c.at, c.closed = nil, nil, 0, true
	if c.ahead != nil {
		c.answered()
	}
	return nil
}

// readAhead makes the next call in a goroutine, if there is one to make.
func (c *Cursor) readAhead() {
	if c.ahead != nil || c.ended || c.closed || c.scan.parallel < 2 {
		return
	}
	ahead := make(chan answer, 1)
	c.ahead = ahead
	call := c.call()
	var a answer
	go caught(func() { a = call() }, func(panicked any) {
		a.panicked = panicked
		ahead <- a
	})
}

// answered is the answer of the call that is under way. A panic of it is raised again here, where
// the caller can recover it.
func (c *Cursor) answered() answer {
	a := <-c.ahead
	c.ahead = nil
	if a.panicked != nil {
		panic(a.panicked)
	}
	return a
}

// call is the call for the next rows.
func (c *Cursor) call() func() answer {
	a := answer{want: c.pace.size, results: results{rows: c.spare[:0]}}
	c.spare = nil
	start, stop := c.start, c.stop
	if c.last != nil {
		a.want++ // it comes again
	}
	if c.scan.reversed && !c.table.state.reverses.Load() {
		a.want = max(a.want, 2) // of one row nobody knows in which direction it came
	}
	return func() answer {
		if c.gate != nil {
			select {
			case c.gate <- struct{}{}:
				defer func() { <-c.gate }()
			case <-c.ctx.Done():
				a.err = c.table.refuse(scanCall, c.table.client.over(c.ctx))
				return a
			}
		}
		a.err = c.table.batch(c.ctx, c.rng, &c.scan, start, stop, a.want, nil, &a.results)
		return a
	}
}

// fetch takes the next rows.
func (c *Cursor) fetch() error {
	var a answer
	if c.ahead != nil {
		a = c.answered()
	} else {
		a = c.call()()
	}
	if a.err != nil {
		return a.err
	}
	if c.calls == 0 && c.scan.reversed && !c.table.state.reverses.Load() && !slices.ContainsFunc(a.rows, func(r Row) bool { return c.rng.Contains(r.Key) }) {
		if err := c.table.holdReversed(c.ctx, c.rng); err != nil {
			return err
		}
	}
	c.calls++
	c.ended = a.isLast(a.want)
	c.pace.saw(a.count, a.size)
	c.rows, c.spare, c.at = a.rows, c.rows, 0
	if c.last != nil && len(a.rows) > 0 && bytes.Equal(a.rows[0].Key, c.last) {
		c.at = 1
	}
	if c.at == len(c.rows) { // or the same again, however large it is
		if len(a.rows) > 0 && !a.isLast(a.want) {
			if err := c.holdEnd(); err != nil {
				return err
			}
		}
		c.ended = true
		return nil
	}
	last := a.rows[len(a.rows)-1].Key
	switch {
	case c.scan.reversed: // there is no key that is the one before it
		c.start, c.last = last, last
		c.ended = c.ended || bytes.Compare(last, c.rng.Start()) < 0
	default:
		c.start = keyAfter(last)
		c.ended = c.ended || !c.rng.Unbounded() && bytes.Compare(last, c.rng.Stop()) >= 0
	}
	return nil
}

// holdEnd is an error if there are rows after the one that came again, in a reversed scan, and
// that is as large as a server's answers may be: no call would bring them. Without their cells
// rows are small. Those that pass a filter in words nobody can count so.
func (c *Cursor) holdEnd() error {
	s := c.scan
	if s.keysOnly = true; s.filterString != "" {
		return nil
	}
	var found results
	err := c.table.batch(c.ctx, c.rng, &s, c.start, c.stop, 2, nil, &found)
	if err == nil && slices.ContainsFunc(found.rows, func(r Row) bool { return c.rng.Contains(r.Key) && !bytes.Equal(r.Key, c.last) }) {
		err = (&request{name: scanCall, table: c.table.name, rng: &c.rng}).fail(errLargest)
	}
	return err
}

var errLargest = explain(ErrServer, "its answer ends with the row that it was to begin after, though there are more: rows are as large as its answers may be, which a reversed scan cannot read")

// holdReversed is an error if the server passes over that a scan is reversed, when
// that gave no row of the range: forward there is one, and reversed there is still
// none.
func (t *Table) holdReversed(ctx context.Context, r rowkey.Range) error {
	some := func(reversed bool, start, stop []byte) (bool, error) {
		s := scanOpts{batch: 2, keysOnly: true, reversed: reversed}
		var found results
		err := t.batch(ctx, r, &s, start, stop, 2, nil, &found)
		return slices.ContainsFunc(found.rows, func(row Row) bool { return r.Contains(row.Key) }), err
	}
	if found, err := some(false, r.Start(), r.Stop()); !found || err != nil {
		return err
	}
	start, stop, _ := r.Reversed()
	if found, err := some(true, start, stop); found || err != nil {
		return err
	}
	return (&request{name: scanCall, table: t.name, rng: &r}).fail(errForward)
}

var errForward = explain(ErrServer, "it passes over that the scan is reversed: there are rows, but none that way")

// inOrder is an error if rows are not as they were asked for: after each other,
// and none before the start.
func (t *Table) inOrder(s *scanOpts, start []byte, rows []Row) error {
	before := start
	for i := range rows {
		order := bytes.Compare(before, rows[i].Key)
		if s.reversed {
			order = -order
		}
		switch {
		case i == 0 && (order <= 0 || len(start) == 0):
		case i > 0 && order < 0:
		case s.reversed && !t.state.reverses.Load():
			return errForward
		default:
			return explain(ErrServer, fmt.Sprintf("row %d of its answer came twice or out of order", i))
		}
		before = rows[i].Key
	}
	if s.reversed && (len(rows) > 1 || len(rows) > 0 && len(start) > 0 && !bytes.Equal(rows[0].Key, start)) {
		t.state.reverses.Store(true)
	}
	return nil
}

const (
	sureRows  = 1000
	sureBytes = 1 << 20
)

// isLast reports that no rows are after these. HBase gives fewer than wanted only
// then. Other servers bound their answers (Lindorm's documents say 2000 rows and
// 16 MB), so that one that is short and yet large is not taken for the last, be it by cells that
// were passed over.
func (r *results) isLast(want int) bool {
	return r.count == 0 || r.count < want && r.count < sureRows && r.size+r.past < sureBytes
}

// keyAfter is the key after another.
func keyAfter(key []byte) []byte { return append(bytes.Clone(key), 0) }

// fit makes bounds of a forward scan that are longer than keys can be, which the
// server refuses, into bounds of the same rows: such a bound lies right after its
// first 32767 bytes, since no longer key begins with them. False if there are
// no such rows. Bounds of a rowkey.Range, and those of its Reversed, are so already;
// but what is left after a row of 32767 bytes is no Range, since NewRange makes none
// up to the end of the table.
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

// filters are the filters of a scan, of those ranges if there are any.
func (s *scanOpts) filters(ranges []rowkey.Range) [][]byte {
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

// batch calls the server for up to n rows; of those ranges, if there are any. The
// range is for the error.
func (t *Table) batch(ctx context.Context, r rowkey.Range, s *scanOpts, start, stop []byte, n int, ranges []rowkey.Range, into *results) error {
	if !s.reversed {
		var some bool
		if start, stop, some = fit(start, stop); !some {
			return nil
		}
	}
	ask := thrift2.NewTScan() // the literal has MaxVersions 0, which finds nothing
	ask.StartRow, ask.StopRow = start, stop
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
	ask.FilterBytes = allOf(s.filters(ranges))
	into.bare = s.keysOnly
	args := &thrift2.THBaseServiceGetScannerResultsArgs{Table: t.bytes, Tscan: ask, NumRows: count}
	about := request{name: scanCall, table: t.name, rng: &r, filter: s.filterString != "", rows: n, got: func() int { return len(into.rows) }}
	err := t.client.call(ctx, about, func(ctx context.Context, service *thrift2.THBaseServiceClient) error {
		return into.of(ctx, service, scanCall, args)
	})
	if err != nil {
		return err
	}
	if err = t.inOrder(s, ask.StartRow, into.rows); len(into.rows) < into.count {
		err = explain(ErrServer, fmt.Sprintf("%d rows of its answer have no key", into.count-len(into.rows)))
	}
	if err != nil {
		return about.fail(err)
	}
	return nil
}

// Scan reads the rows of a range. The first error ends it.
func (t *Table) Scan(ctx context.Context, r rowkey.Range, opts ...ScanOption) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		s, err := t.scanOf(opts)
		if err != nil {
			yield(Row{}, err)
			return
		}
		c := t.open(ctx, r, s, nil)
		defer c.Close()
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

// ScanPlan reads the rows that match a plan through scan.Merge: in the order of
// their keys without the salt, as the plan is limited and reversed. The first
// error ends it.
func (t *Table) ScanPlan(ctx context.Context, p *rowkey.Plan, opts ...ScanOption) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		s, err := t.scanOf(opts)
		if err == nil && p == nil {
			err = t.refuse(scanCall, explain(rowkey.ErrMissing, "the plan is nil"))
		}
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
		gate := make(chan struct{}, max(s.parallel, 1))
		open := func(ctx context.Context, r rowkey.Range, _ bool) (scan.Cursor[Row], error) {
			return t.open(ctx, r, s, gate), nil
		}
		if s.multiRange && !s.reversed {
			open = newPages(t, p, s).open
		}
		for row, err := range scan.Merge(ctx, p, s.parallel, open, func(r Row) []byte { return r.Key }) {
			if !yield(row, t.ofScan(err)) {
				return
			}
		}
	}
}

// ofScan makes an error of a call of one that is none: the context's, or Merge's own.
func (t *Table) ofScan(err error) error {
	if err == nil {
		return nil
	}
	var of *Error
	if errors.As(err, &of) {
		return err
	}
	return t.refuse(scanCall, err)
}
