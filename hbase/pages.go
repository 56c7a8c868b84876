package hbase

import (
	"bytes"
	"context"
	"io"
	"slices"
	"sync"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/scan"
)

// pages reads the ranges of a plan in key order, several in one call. Each range
// has a cursor. The one that needs rows fetches a page: rows of its own range,
// then of those after it that nobody has asked for yet, up to a batch. What
// falls into another cursor's range waits there.
type pages struct {
	table *Table
	scan  scanOpts

	mu     sync.Mutex
	landed *sync.Cond // a page has come
	ranges []pageRange
}

// pageRange is a range, and what has been read of it.
type pageRange struct {
	rowkey.Range
	rows  []Row
	start []byte // of what has not been read
	state pageState
}

type pageState uint8

const (
	unread   pageState = iota
	fetching           // a call that covers it is under way
	partly             // its cursor fetches the rest
	whole              // nothing of it is left to read
)

func newPages(t *Table, p *rowkey.Plan, s scanOpts) *pages {
	ps := &pages{table: t, scan: s}
	ps.landed = sync.NewCond(&ps.mu)
	for r := range p.Ranges() {
		ps.ranges = append(ps.ranges, pageRange{Range: r, start: r.Start()})
	}
	return ps
}

func (ps *pages) open(ctx context.Context, r rowkey.Range, _ bool) (scan.Cursor[Row], error) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	i, _ := slices.BinarySearchFunc(ps.ranges, r.Start(), func(p pageRange, start []byte) int { return bytes.Compare(p.Start(), start) })
	return &pageCursor{ctx: ctx, pages: ps, at: i, pace: ps.table.pace(&ps.scan)}, nil
}

type pageCursor struct {
	ctx   context.Context
	pages *pages
	at    int
	pace  pace
}

func (c *pageCursor) Next() (Row, error) {
	ps := c.pages
	ps.mu.Lock()
	defer ps.mu.Unlock()
	r := &ps.ranges[c.at]
	for {
		if len(r.rows) > 0 {
			row := r.rows[0]
			r.rows = r.rows[1:]
			return row, nil
		}
		switch r.state {
		case whole:
			return Row{}, io.EOF
		case fetching:
			ps.landed.Wait()
		default:
			if err := c.fetch(); err != nil {
				return Row{}, err
			}
		}
	}
}

func (c *pageCursor) Close() error { return nil }

// fetch reads a page that begins in the cursor's range. It is called with the
// lock, which it gives up meanwhile.
func (c *pageCursor) fetch() error {
	ps := c.pages
	end := c.at + 1
	for end < len(ps.ranges) && ps.ranges[end].state == unread {
		end++
	}
	covered := ps.ranges[c.at:end]
	was := covered[0].state
	ranges := make([]rowkey.Range, len(covered))
	for i := range covered {
		covered[i].state = fetching
		ranges[i] = covered[i].Range
	}
	start, stop := covered[0].start, covered[len(covered)-1].Stop()
	n := c.pace.size
	if len(ranges) == 1 {
		ranges = nil // its bounds are enough
	}

	got := false
	defer func() {
		if !got { // by an error or a panic: it may be asked for again
			for i := range covered {
				covered[i].state = unread
			}
			covered[0].state = was
		}
		ps.landed.Broadcast()
	}()
	var page results
	err := ps.unlocked(func() error {
		return ps.table.batch(c.ctx, covered[0].Range, &ps.scan, start, stop, n, ranges, &page)
	})
	if err != nil {
		return err
	}
	got = true
	rows := page.rows
	reached := 0 // the range that the last row is in, or after
	c.pace.saw(page.count, page.size)
	for _, row := range rows {
		for reached < len(covered) && !covered[reached].Unbounded() && bytes.Compare(row.Key, covered[reached].Stop()) >= 0 {
			reached++
		}
		if reached < len(covered) && covered[reached].Contains(row.Key) { // a server may not know the filter
			covered[reached].rows = append(covered[reached].rows, row)
		}
	}
	if page.isLast(n) {
		reached = len(covered)
	}
	for i := range covered {
		switch {
		case i < reached:
			covered[i].state = whole
		case i == reached: // rows came up to here
			covered[i].state = partly
			covered[i].start = keyAfter(rows[len(rows)-1].Key)
		default:
			covered[i].state = unread
		}
	}
	return nil
}

// unlocked gives up the lock while a call is made. A Watcher may panic in it: whoever holds the
// lock gives it up after that.
func (ps *pages) unlocked(call func() error) error {
	ps.mu.Unlock()
	defer ps.mu.Lock()
	return call()
}
