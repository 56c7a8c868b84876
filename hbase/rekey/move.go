package rekey

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/change"
	"github.com/hbase-rowkey/rowkey/hbase"
)

// Moving says how rows are moved.
type Moving struct {
	// Store keeps how far each region was moved, behind what was written: a move that
	// ended in any way goes on from there. It also keeps the keys that are refused. Nil
	// begins at the beginning.
	Store *Store

	Parallel int           // regions at the same time; fewer than one counts as one
	Rate     int           // rows a second, of all regions together; 0 is as fast as it goes
	Batch    int           // rows in a write; 0 is 500
	Versions int           // of each cell that are moved, as many as the table keeps; 0 is one
	DryRun   bool          // rows are read and counted, and nothing is written
	Every    time.Duration // between two calls of Progress; 0 is 10 seconds
	Progress func(Progress)

	// Refused is told of each row that the other layout cannot hold, or whose key is none
	// of its own layout. It stays where it is. Calls come one at a time. The first error of
	// Refused ends the move.
	Refused func(row hbase.Row, why error) error
}

// Progress is how far a move or a comparison is.
type Progress struct {
	Rows, Bytes   int64 // moved, of keys and values
	Refused       int64
	Regions, Done int           // in all, and those that are at their end
	Took          time.Duration // of this run
	Left          time.Duration // at this rate, by the regions that are left; 0 while nobody knows
}

// Rate is rows a second.
func (p Progress) Rate() float64 {
	if p.Took <= 0 {
		return 0
	}
	return float64(p.Rows) / p.Took.Seconds()
}

// String is "120000 rows, 14 MB, 8 of 16 regions, 24000 rows/s, 5s left".
func (p Progress) String() string {
	s := fmt.Sprintf("%d rows, %d MB, %d of %d regions, %.0f rows/s", p.Rows, p.Bytes>>20, p.Done, p.Regions, p.Rate())
	if p.Refused > 0 {
		s += fmt.Sprintf(", %d refused", p.Refused)
	}
	if p.Left > 0 {
		s += fmt.Sprintf(", %v left", p.Left.Round(time.Second))
	}
	return s
}

// skew is by how much a writer's clock may be ahead.
const skew = time.Minute

// run is a pass over the regions of a place.
type run struct {
	c     *Change
	from  change.Place
	m     Moving
	began time.Time
	pace  pacer

	refusing sync.Mutex // a call of Refused

	mu       sync.Mutex
	progress Progress
	told     time.Time
}

// Move copies all rows from one place to the other, cell by cell with their timestamps.
// Regions are moved at the same time. It writes only to the place that nobody reads, and
// it may be run again: what was copied twice is there once. Store.MayMove says whether it
// may be run now, and from where.
//
// An error that wraps ErrRefused comes at the end, if rows were refused.
func (c *Change) Move(ctx context.Context, from change.Place, m Moving) (Progress, error) {
	m.Batch = cmp.Or(m.Batch, 500)
	r := &run{c: c, from: from, m: m, began: time.Now(), pace: pacer{rate: m.Rate}}
	marks, err := r.marks(ctx)
	if err != nil {
		return Progress{}, err
	}
	err = r.each(ctx, marks, func(ctx context.Context, part int, mark Mark) error { return r.move(ctx, part, mark) })
	p := r.now()
	if err == nil && p.Refused > 0 {
		err = fmt.Errorf("rekey: %d rows: %w", p.Refused, ErrRefused)
	}
	return p, err
}

// marks are the parts of the table: those that were begun, or its regions.
func (r *run) marks(ctx context.Context) (marks []Mark, err error) {
	if r.m.Store != nil && !r.m.DryRun {
		if marks, err = r.m.Store.Marks(ctx); err != nil || len(marks) > 0 {
			return marks, err
		}
	}
	regions, err := r.c.table(r.from).Regions(ctx)
	if err != nil {
		return nil, err
	}
	for i, region := range regions {
		marks = append(marks, Mark{Start: region.Start, Stop: region.Stop})
		if r.m.Store != nil && !r.m.DryRun {
			if err := r.m.Store.SaveMark(ctx, i, marks[i]); err != nil {
				return nil, err
			}
		}
	}
	return marks, nil
}

// each runs do for the parts that are not done, some of them at the same time.
func (r *run) each(ctx context.Context, marks []Mark, do func(ctx context.Context, part int, m Mark) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r.progress.Regions = len(marks)
	todo := make(chan int)
	var workers sync.WaitGroup
	for range max(r.m.Parallel, 1) {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for part := range todo {
				if err := do(ctx, part, marks[part]); err != nil {
					cancel(err)
					return
				}
				r.add(Progress{Done: 1})
			}
		}()
	}
	for part, m := range marks {
		if m.Done {
			r.add(Progress{Done: 1})
			continue
		}
		select {
		case todo <- part:
		case <-ctx.Done():
		}
	}
	close(todo)
	workers.Wait()
	return context.Cause(ctx)
}

// add counts, and tells of it now and then.
func (r *run) add(p Progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	q := &r.progress
	q.Rows, q.Bytes, q.Refused, q.Done = q.Rows+p.Rows, q.Bytes+p.Bytes, q.Refused+p.Refused, q.Done+p.Done
	if now := time.Now(); r.m.Progress != nil && now.Sub(r.told) >= cmp.Or(r.m.Every, 10*time.Second) {
		if first := r.told.IsZero(); !first {
			r.m.Progress(r.at(now))
		}
		r.told = now
	}
}

// at is the progress at a time.
func (r *run) at(now time.Time) Progress {
	p := r.progress
	p.Took = now.Sub(r.began)
	if p.Done > 0 && p.Done < p.Regions {
		p.Left = time.Duration(float64(p.Took) / float64(p.Done) * float64(p.Regions-p.Done))
	}
	return p
}

func (r *run) now() Progress {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.at(time.Now())
}

// batches reads a part and gives its rows in batches, behind the mark.
func (r *run) batches(ctx context.Context, m Mark, n int, do func(rows []hbase.Row) error) error {
	start := m.Start
	if len(m.At) > 0 {
		start = append(bytes.Clone(m.At), 0)
	}
	rng, err := rangeOf(start, m.Stop)
	if err != nil {
		return err
	}
	opts := []hbase.ScanOption{hbase.Batch(max(n, 1))}
	if r.m.Versions > 1 {
		opts = append(opts, hbase.Versions(r.m.Versions))
	}
	var rows []hbase.Row
	for row, err := range r.c.table(r.from).Scan(ctx, rng, opts...) {
		if err != nil {
			return err
		}
		if rows = append(rows, row); len(rows) == n {
			if err := do(rows); err != nil {
				return err
			}
			rows = nil
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return do(rows)
}

// rangeOf is the rows from start on, before stop; empty bounds are the table's ends.
func rangeOf(start, stop []byte) (rowkey.Range, error) {
	switch {
	case len(start)+len(stop) == 0:
		return rowkey.PrefixRange(nil), nil
	case len(stop) == 0:
		stop = behindAll
	}
	return rowkey.NewRange(start, stop)
}

// behindAll lies behind every key: a byte longer than keys can be.
var behindAll = bytes.Repeat([]byte{0xff}, 32768)

// move moves a part.
func (r *run) move(ctx context.Context, part int, m Mark) error {
	to := r.from.Other()
	err := r.batches(ctx, m, r.m.Batch, func(rows []hbase.Row) error {
		var puts []hbase.Row
		var size int64
		for _, row := range rows {
			put, ok, err := r.moved(ctx, row)
			if err != nil {
				return err
			}
			if ok {
				puts = append(puts, put)
				size += sizeOf(&put)
			}
		}
		if err := r.pace.wait(ctx, len(rows)); err != nil {
			return err
		}
		if !r.m.DryRun {
			if err := putAll(ctx, r.c.table(to), puts); err != nil {
				return err
			}
			if m.At = rows[len(rows)-1].Key; r.m.Store != nil { // behind the write
				if err := r.m.Store.SaveMark(ctx, part, m); err != nil {
					return err
				}
			}
		}
		r.add(Progress{Rows: int64(len(puts)), Bytes: size})
		return nil
	})
	if err != nil || r.m.DryRun || r.m.Store == nil {
		return err
	}
	m.Done = true
	return r.m.Store.SaveMark(ctx, part, m)
}

func sizeOf(r *hbase.Row) int64 {
	n := len(r.Key)
	for i := range r.Cells {
		n += len(r.Cells[i].Value)
	}
	return int64(n)
}

// moved is a row as it is written to the other place; false if it does not go there.
func (r *run) moved(ctx context.Context, row hbase.Row) (put hbase.Row, ok bool, err error) {
	if !r.c.owns(r.from, row.Key) {
		if _, err := r.c.gens.Which(row.Key); err == nil { // a row of the other layout, in one table
			return put, false, nil
		}
	}
	for i := range row.Cells {
		if row.Cells[i].Time.After(time.Now().Add(skew)) {
			return put, false, fmt.Errorf("rekey: %w, of a row of %s", ErrFuture, r.c.table(r.from).Name())
		}
	}
	key, err := r.c.key(row.Key, r.from, r.from.Other())
	if err != nil {
		return put, false, r.refuse(ctx, row, err)
	}
	if r.c.one && bytes.Equal(key, row.Key) { // it is there
		return put, false, nil
	}
	return hbase.Row{Key: key, Cells: row.Cells}, true, nil
}

// refuse keeps a row aside.
func (r *run) refuse(ctx context.Context, row hbase.Row, why error) error {
	r.add(Progress{Refused: 1})
	if r.m.Store != nil && !r.m.DryRun {
		if err := r.m.Store.Refuse(ctx, row.Key, why); err != nil {
			return err
		}
	}
	if r.m.Refused == nil {
		return nil
	}
	r.refusing.Lock()
	defer r.refusing.Unlock()
	return r.m.Refused(row, why)
}

// putAll writes rows whose cells have their times, so that it may be done twice.
func putAll(ctx context.Context, table *hbase.Table, rows []hbase.Row) error {
	_, err := table.PutAll(ctx, func(yield func(hbase.Row, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}, 1)
	return err
}

// pacer has rows come no faster than at a rate.
type pacer struct {
	rate int

	mu  sync.Mutex
	due time.Time
}

// wait waits until n more rows are due.
func (p *pacer) wait(ctx context.Context, n int) error {
	if p.rate <= 0 {
		return nil
	}
	p.mu.Lock()
	now := time.Now()
	if p.due.Before(now) {
		p.due = now
	}
	due := p.due
	p.due = due.Add(time.Duration(n) * time.Second / time.Duration(p.rate))
	p.mu.Unlock()
	select {
	case <-time.After(due.Sub(now)):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Clean deletes, in one table that holds both layouts, the keys that only the old layout
// has, when the change is in New and everybody has confirmed it. A row whose key is the
// same in both stays. It says how many it deleted.
func (c *Change) Clean(ctx context.Context, m Moving) (Progress, error) {
	if !c.one {
		return Progress{}, errors.New("rekey: the old layout has a table of its own: drop it")
	}
	m.Batch = cmp.Or(m.Batch, 500)
	r := &run{c: c, from: change.InOld, m: m, began: time.Now(), pace: pacer{rate: m.Rate}}
	r.m.Store = nil
	marks, err := r.marks(ctx)
	if err != nil {
		return Progress{}, err
	}
	err = r.each(ctx, marks, func(ctx context.Context, _ int, m Mark) error {
		return r.batches(ctx, m, r.m.Batch, func(rows []hbase.Row) error { return r.clean(ctx, rows) })
	})
	return r.now(), err
}

func (r *run) clean(ctx context.Context, rows []hbase.Row) error {
	var gone []hbase.Deletion
	for _, row := range rows {
		if !r.c.owns(change.InOld, row.Key) || r.c.owns(change.InNew, row.Key) {
			continue
		}
		var newest time.Time
		for _, cell := range row.Cells {
			if cell.Time.After(newest) {
				newest = cell.Time
			}
		}
		gone = append(gone, hbase.Deletion{Key: row.Key, Time: newest})
	}
	if err := r.pace.wait(ctx, len(rows)); err != nil {
		return err
	}
	if !r.m.DryRun {
		if err := r.c.table(change.InOld).DeleteCells(ctx, gone...); err != nil {
			return err
		}
	}
	r.add(Progress{Rows: int64(len(gone))})
	return nil
}
