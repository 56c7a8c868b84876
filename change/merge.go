package change

import (
	"bytes"
	"container/heap"
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/scan"
)

// Found is a row of a generation.
type Found[R any] struct {
	Row        R
	Generation int
	Key        []byte // in the layout of the newest generation; nil if the plan is Unordered
}

// Merge reads a plan and yields the rows that match, in the order of the newest
// generation; without a common order it reads nothing and yields Plan.Ordered's error,
// but for a plan that is Unordered or SortedWithin. open starts the scan of one range of
// a generation, in that generation's table and in the direction that reversed says, and row
// gives the key of a row, as those of scan.Merge, which reads each generation with so many calls in parallel.
//
// Where rows are read in order, one that is in two generations is an error that wraps
// ErrTwice, and so is a key that is none of its generation. Two rows that have one key in
// the newest layout, as Loose fields permit, are an error that wraps rowkey.ErrAmbiguous.
// A row that the newest layout cannot hold is the error of Generations.Key. The first error
// ends the loop. The first of Close comes after all rows. However it ends, every cursor is
// closed, and no goroutine is left.
func Merge[R any](ctx context.Context, p *Plan, parallel int, open func(ctx context.Context, generation int, r rowkey.Range, reversed bool) (scan.Cursor[R], error), row func(R) []byte) iter.Seq2[Found[R], error] {
	return func(yield func(Found[R], error) bool) {
		if p == nil || p.g == nil {
			yield(Found[R]{}, errNoPlan)
			return
		}
		m := merging[R]{p: p, yield: yield, row: row}
		m.read = func(i int) iter.Seq2[R, error] {
			return scan.Merge(ctx, p.Of(i), parallel, func(ctx context.Context, r rowkey.Range, reversed bool) (scan.Cursor[R], error) {
				c, err := open(ctx, i, r, reversed)
				if err != nil || c == nil {
					return c, err
				}
				return closing[R]{c, &m, i, r}, nil
			}, row)
		}
		var err error
		switch {
		case p.way == unordered:
			err = m.oneByOne()
		case p.Ordered() == nil:
			err = m.merged()
		case p.way == sorted:
			err = m.sorted()
		default:
			err = p.Ordered()
		}
		if err == nil && !m.left {
			err = m.unclosed
		}
		if err != nil {
			yield(Found[R]{}, err)
		}
	}
}

// merging is one running Merge.
type merging[R any] struct {
	p     *Plan
	read  func(generation int) iter.Seq2[R, error]
	row   func(R) []byte
	yield func(Found[R], error) bool
	given int
	left  bool // the caller has left the loop

	closes   sync.Mutex // cursors may be closed at the same time
	unclosed error      // the first error of a Close
}

// closing is a cursor that keeps the error of its Close for the end of all rows. By scan.Merge it
// would come at the end of one generation, before the rows of others; and not at all where the
// rows are as many as the limit, since the loop over scan.Merge is left then.
type closing[R any] struct {
	scan.Cursor[R]
	of         *merging[R]
	generation int
	rng        rowkey.Range
}

// Close closes the cursor. It gives no error: see unclosed.
func (c closing[R]) Close() error {
	if err := c.Cursor.Close(); err != nil {
		m := c.of
		m.closes.Lock()
		defer m.closes.Unlock()
		if m.unclosed == nil {
			m.unclosed = &rowkey.Error{Schema: m.p.g.Schema(c.generation).Name(), Offset: -1, Err: fmt.Errorf("close %v: %w", c.rng, err)}
		}
	}
	return nil
}

// give yields a row, and reports that more are wanted.
func (m *merging[R]) give(f Found[R]) bool {
	m.given++
	m.left = !m.yield(f, nil)
	return !m.left && m.given != m.p.limit
}

// found is a row with its key in the newest layout.
func (m *merging[R]) found(i int, r R) (Found[R], error) {
	key, err := m.p.g.Key(nil, m.row(r), i, len(m.p.plans)-1)
	return Found[R]{r, i, key}, err
}

// oneByOne reads one generation after the other.
func (m *merging[R]) oneByOne() error {
	for i := range m.p.plans {
		for r, err := range m.read(i) {
			if err != nil {
				return err
			}
			if m.p.filters(i) {
				if f, err := m.found(i, r); err != nil {
					return err
				} else if m.p.Passed(i, f.Key) {
					continue
				}
			}
			if !m.give(Found[R]{Row: r, Generation: i}) {
				return nil
			}
		}
	}
	return nil
}

// head is the next row of a generation.
type head[R any] struct {
	Found[R]
	next func() (R, error, bool)
	stop func()
	done bool
}

// advance reads up to the next row after the token. Each row must come after the row before it.
func (m *merging[R]) advance(h *head[R]) error {
	for {
		r, err, ok := h.next()
		if !ok {
			h.done = true
			return nil
		}
		if err != nil {
			return err
		}
		f, err := m.found(h.Generation, r)
		if err != nil {
			return err
		}
		if h.Key != nil {
			switch c := m.p.newest().Compare(h.Key, f.Key); {
			case c == 0:
				return m.alike(h.Found, f)
			case c > 0:
				return m.p.g.fault(f.Generation, "", ErrOrder, "a row came out of the order of the newest")
			}
		}
		h.Row, h.Key = f.Row, f.Key
		if !m.p.Passed(h.Generation, h.Key) {
			return nil
		}
	}
}

// merged reads all generations at once.
func (m *merging[R]) merged() error {
	heads := make([]*head[R], 0, len(m.p.plans))
	defer func() {
		for _, h := range heads {
			defer h.stop() // all of them, if one panics, too
		}
	}()
	for i := range m.p.plans {
		h := &head[R]{}
		h.Generation = i
		h.next, h.stop = iter.Pull2(m.read(i))
		heads = append(heads, h)
		if err := m.advance(h); err != nil {
			return err
		}
	}
	newest := m.p.newest()
	for {
		var best *head[R]
		for _, h := range heads {
			switch {
			case h.done:
			case best == nil:
				best = h
			default:
				c := newest.Compare(h.Key, best.Key)
				if c == 0 {
					return m.alike(best.Found, h.Found)
				}
				if c < 0 {
					best = h
				}
			}
		}
		if best == nil {
			return nil
		}
		if !m.give(best.Found) {
			return nil
		}
		if err := m.advance(best); err != nil {
			return err
		}
	}
}

// alike is the error of two rows that have one key in the newest layout. They are one row, if the
// key of one is that of the other in the other's own layout. Else they are two rows, which a
// layout that is Loose writes alike: [a loose][b] has the key 616263 of "a", "bc" and of "ab", "c".
func (m *merging[R]) alike(a, b Found[R]) error {
	if a.Generation != b.Generation {
		own, err := m.p.g.Key(nil, m.row(a.Row), a.Generation, b.Generation)
		if err == nil && bytes.Equal(own, m.row(b.Row)) {
			return fmt.Errorf("change: of generations %d and %d: %w", a.Generation, b.Generation, ErrTwice)
		}
	}
	return &rowkey.Error{Schema: m.p.g.Newest().Name(), Offset: -1,
		Err: fmt.Errorf("two rows, of generations %d and %d, have one key in it: %w", a.Generation, b.Generation, rowkey.ErrAmbiguous)}
}

// held is a heap of rows; the first element is the row that comes last.
type held[R any] struct {
	rows    []Found[R]
	compare func(a, b []byte) int
}

func (h *held[R]) Len() int           { return len(h.rows) }
func (h *held[R]) Less(i, j int) bool { return h.compare(h.rows[i].Key, h.rows[j].Key) > 0 }
func (h *held[R]) Swap(i, j int)      { h.rows[i], h.rows[j] = h.rows[j], h.rows[i] }
func (h *held[R]) Push(x any)         { h.rows = append(h.rows, x.(Found[R])) }
func (h *held[R]) Pop() any {
	last := h.rows[len(h.rows)-1]
	h.rows = h.rows[:len(h.rows)-1]
	return last
}

// sorted reads all rows and holds those that are wanted.
func (m *merging[R]) sorted() error {
	p := m.p
	if p.limit > p.hold {
		return fmt.Errorf("change: a limit of %d rows, of which %d may be held: %w", p.limit, p.hold, ErrHeld)
	}
	h := &held[R]{compare: p.newest().Compare}
	for i := range p.plans {
		for r, err := range m.read(i) {
			if err != nil {
				return err
			}
			f, err := m.found(i, r)
			if err != nil {
				return err
			}
			if p.Passed(i, f.Key) {
				continue
			}
			full := p.limit > 0 && len(h.rows) == p.limit
			switch {
			case full && h.compare(f.Key, h.rows[0].Key) == 0:
				return m.alike(h.rows[0], f)
			case full && h.compare(f.Key, h.rows[0].Key) > 0: // after all that are wanted
			case full:
				h.rows[0] = f
				heap.Fix(h, 0)
			case len(h.rows) == p.hold:
				return fmt.Errorf("change: %d: %w", p.hold, ErrHeld)
			default:
				heap.Push(h, f)
			}
		}
	}
	slices.SortFunc(h.rows, func(a, b Found[R]) int { return h.compare(a.Key, b.Key) })
	for n, f := range h.rows {
		if n > 0 && h.compare(h.rows[n-1].Key, f.Key) == 0 {
			return m.alike(h.rows[n-1], f)
		}
		if !m.give(f) {
			return nil
		}
	}
	return nil
}
