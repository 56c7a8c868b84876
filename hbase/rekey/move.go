package rekey

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/change"
	"github.com/hbase-rowkey/rowkey/hbase"
)

// Moving says how rows are moved.
type Moving struct {
	Parallel int           // regions at the same time; fewer than one counts as one
	Rate     int           // rows a second, of all regions together; 0 is as fast as it goes
	Batch    int           // rows in a write; 0 is 500
	Versions int           // of each cell that are moved, as many as the table keeps; 0 is one
	DryRun   bool          // rows are read and counted, and nothing is written
	Every    time.Duration // between two calls of Progress; 0 is 10 seconds
	Progress func(Progress)
	Patience time.Duration // with servers that do not serve a region, as long as nothing goes on; 0 is 10 minutes

	// Refused gets each row that the other layout cannot hold, or whose key is none
	// of its own layout. It stays where it is. Calls come one at a time. The first error of
	// Refused ends the move.
	Refused func(row hbase.Row, why error) error
}

// Progress is how far a move or a comparison is.
type Progress struct {
	What          string // is done, where it is not moving
	Rows, Bytes   int64  // moved, of keys and values
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
	s := fmt.Sprintf("%s%d rows, %d MB, %d of %d regions, %.0f rows/s", p.what(), p.Rows, p.Bytes>>20, p.Done, p.Regions, p.Rate())
	if p.Refused > 0 {
		s += fmt.Sprintf(", %d refused", p.Refused)
	}
	if p.Left > 0 {
		s += fmt.Sprintf(", %v left", p.Left.Round(time.Second))
	}
	return s
}

func (p Progress) what() string {
	if p.What == "" {
		return ""
	}
	return p.What + ": "
}

// skew is by how much a writer's clock may be ahead.
const skew = time.Minute

// run is a pass over the regions of a place.
type run struct {
	c     *Change
	turn  Turn
	from  change.Place
	kind  string // of the marks; empty keeps none
	m     Moving
	began time.Time
	pace  pacer
	keeps map[string]hbase.Family // of verify: how the other place keeps each family
	took  func(m Mark) error      // of sums: it takes a part that was done before

	refusing sync.Mutex // a call of Refused

	mu       sync.Mutex
	progress Progress
	last     time.Time // that something went on
}

func (c *Change) run(turn Turn, from change.Place, kind string, m Moving) *run {
	m.Batch = cmp.Or(m.Batch, 500)
	return &run{c: c, turn: turn, from: from, kind: kind, m: m, began: time.Now(), last: time.Now(), pace: pacer{rate: m.Rate}}
}

// table is the table of a place in the turn's state.
func (r *run) table(p change.Place) *hbase.Table { return r.c.Table(r.turn.State, p) }

// Move copies all rows from the place of a turn to the other one, cell by cell with their
// timestamps. Regions are moved at the same time. It writes only to the place that nobody reads,
// and it may be run again: what was copied twice is there once. A move that ended in any way goes
// on where it was: how far each region was moved is kept after what was written, and so are
// the keys that are refused.
//
// Before each batch it asks whether the turn holds, and ends with an error that wraps
// change.ErrStale if it does not.
//
// An error that wraps ErrRefused comes at the end, if rows were refused.
func (c *Change) Move(ctx context.Context, turn Turn, m Moving) (Progress, error) {
	kind := moved
	if m.DryRun {
		kind = ""
	} else if _, err := turn.State.MayMove(); err != nil {
		return Progress{}, err
	} else if err := turn.Holds(ctx); err != nil {
		return Progress{}, err
	}
	r := c.run(turn, turn.From(), kind, m)
	err := r.each(ctx, r.move)
	p := r.now()
	if err == nil && p.Refused > 0 {
		err = fmt.Errorf("rekey: %d rows: %w", p.Refused, ErrRefused)
	}
	return p, err
}

// marks are the parts of the table: those that were begun, or its regions.
func (r *run) marks(ctx context.Context) (marks []Mark, err error) {
	if r.kind != "" {
		if marks, err = r.turn.marks(ctx, r.kind); err != nil || whole(marks) {
			return marks, err
		}
	}
	regions, err := r.table(r.from).Regions(ctx)
	if err != nil {
		return nil, err
	}
	marks = nil
	for _, region := range regions {
		marks = append(marks, Mark{Start: region.Start, Stop: region.Stop})
	}
	if r.kind == "" {
		return marks, nil
	}
	return marks, r.turn.begin(ctx, r.kind, marks) // those that there are: whoever made them was ended meanwhile
}

// whole reports that marks are of all keys of a table.
func whole(marks []Mark) bool {
	var last []byte
	for i, m := range marks {
		if !bytes.Equal(m.Start, last) || i > 0 && len(m.Start) == 0 {
			return false
		}
		last = m.Stop
	}
	return len(marks) > 0 && len(last) == 0
}

// Moved reports that a move has come to its end in the turn.
func (t Turn) Moved(ctx context.Context) (bool, error) {
	marks, err := t.marks(ctx, moved)
	return whole(marks) && !slices.ContainsFunc(marks, func(m Mark) bool { return !m.Done }), err
}

// patiently does something again while its error may pass, and something went on lately.
func (r *run) patiently(ctx context.Context, do func() error) error {
	for {
		err := do()
		r.mu.Lock()
		idle := time.Since(r.last)
		r.mu.Unlock()
		if err == nil || ctx.Err() != nil || !passes(err) || idle > cmp.Or(r.m.Patience, 10*time.Minute) {
			return err
		}
		if err := pause(ctx, time.Second); err != nil {
			return err
		}
	}
}

// each runs do for the parts that are not done, some of them at the same time. do keeps in the
// mark how far it is, and goes on from there.
func (r *run) each(ctx context.Context, do func(ctx context.Context, part int, m *Mark) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	over := r.report()
	defer over()
	var marks []Mark
	if err := r.patiently(ctx, func() (err error) { marks, err = r.marks(ctx); return err }); err != nil {
		return err
	}
	for _, m := range marks { // by the same look by which they are passed over
		if m.Done && r.took != nil {
			if err := r.took(m); err != nil {
				return err
			}
		}
	}
	r.mu.Lock()
	r.progress.Regions = len(marks)
	r.mu.Unlock()
	todo := make(chan int)
	var workers sync.WaitGroup
	for range max(r.m.Parallel, 1) {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for part := range todo {
				if err := r.patiently(ctx, func() error { return do(ctx, part, &marks[part]) }); err != nil {
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

// report reports the progress every so often, whatever goes on or does not.
func (r *run) report() (over func()) {
	if r.m.Progress == nil {
		return func() {}
	}
	ended := make(chan struct{})
	var done sync.WaitGroup
	done.Add(1)
	go func() {
		defer done.Done()
		tick := time.NewTicker(cmp.Or(r.m.Every, 10*time.Second))
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				r.m.Progress(r.now())
			case <-ended:
				return
			}
		}
	}()
	return func() {
		close(ended)
		done.Wait()
	}
}

// add counts.
func (r *run) add(p Progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	q := &r.progress
	q.Rows, q.Bytes, q.Refused, q.Done = q.Rows+p.Rows, q.Bytes+p.Bytes, q.Refused+p.Refused, q.Done+p.Done
	r.last = time.Now()
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

// batches reads a part and gives its rows in batches, after the mark, which it moves on.
func (r *run) batches(ctx context.Context, m *Mark, n int, do func(rows []hbase.Row) error) error {
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
	batch := func() error {
		if len(rows) == 0 {
			return nil
		}
		err := do(rows)
		if err == nil {
			m.At, rows = rows[len(rows)-1].Key, nil
		}
		return err
	}
	for row, err := range r.table(r.from).Scan(ctx, rng, opts...) {
		if err != nil {
			return err
		}
		if rows = append(rows, row); len(rows) == n {
			if err := batch(); err != nil {
				return err
			}
		}
	}
	return batch()
}

// rangeOf is the rows from start on, before stop; empty bounds are the table's ends.
func rangeOf(start, stop []byte) (rowkey.Range, error) {
	switch {
	case len(start)+len(stop) == 0:
		return rowkey.PrefixRange(nil), nil
	case len(stop) == 0:
		stop = afterAll
	}
	return rowkey.NewRange(start, stop)
}

// afterAll lies after every key: a byte longer than keys can be.
var afterAll = bytes.Repeat([]byte{0xff}, 32768)

// move moves a part.
func (r *run) move(ctx context.Context, part int, m *Mark) error {
	to := r.from.Other()
	err := r.batches(ctx, m, r.m.Batch, func(rows []hbase.Row) error {
		var puts []hbase.Row
		var n, size int64
		for _, row := range rows {
			put, ok, err := r.moved(ctx, row)
			if err != nil {
				return err
			}
			if ok {
				puts = append(puts, byTTL(put)...)
				size += sizeOf(&put)
				n++
			}
		}
		if err := r.pace.wait(ctx, len(rows)); err != nil {
			return err
		}
		if !r.m.DryRun {
			err := r.turn.holding(ctx, func(ctx context.Context) error { return putAll(ctx, r.table(to), puts) })
			if err != nil {
				return err
			}
			at := *m
			at.At = rows[len(rows)-1].Key // after the write
			if err := r.turn.save(ctx, r.kind, part, at); err != nil {
				return err
			}
		}
		r.add(Progress{Rows: n, Bytes: size})
		return nil
	})
	if err != nil || r.m.DryRun {
		return err
	}
	if err := r.turn.Holds(ctx); err != nil {
		return err
	}
	m.Done = true
	return r.turn.save(ctx, r.kind, part, *m)
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
			return put, false, fmt.Errorf("rekey: %w, of a row of %s", ErrFuture, r.table(r.from).Name())
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
	if !r.m.DryRun {
		if err := r.turn.store.Refuse(ctx, row.Key, why); err != nil {
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

// byTTL is a row as it is put: the cells of a put have one TTL.
func byTTL(row hbase.Row) (rows []hbase.Row) {
	of := map[time.Duration]int{}
	for _, c := range row.Cells {
		i, ok := of[c.TTL]
		if !ok {
			i = len(rows)
			of[c.TTL] = i
			rows = append(rows, hbase.Row{Key: row.Key})
		}
		rows[i].Cells = append(rows[i].Cells, c)
	}
	return rows
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
// same in both stays, and so does one that the new layout cannot hold: it is nowhere else.
// It says how many it deleted, and how many it left because the new layout cannot hold them.
func (c *Change) Clean(ctx context.Context, turn Turn, m Moving) (Progress, error) {
	if !c.one {
		return Progress{}, errors.New("rekey: the old layout has a table of its own: drop it")
	}
	if turn.State.Phase != change.New {
		return Progress{}, fmt.Errorf("rekey: in %s, not in %s: %w", turn.State.Phase, change.New, change.ErrPhase)
	}
	r := c.run(turn, change.InOld, "", m)
	err := r.each(ctx, func(ctx context.Context, _ int, m *Mark) error {
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
		if _, err := r.c.key(row.Key, change.InOld, change.InNew); err != nil {
			r.add(Progress{Refused: 1})
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
	if !r.m.DryRun && len(gone) > 0 {
		err := r.turn.holding(ctx, func(ctx context.Context) error { return r.table(change.InOld).DeleteCells(ctx, gone...) })
		if err != nil {
			return err
		}
	}
	r.add(Progress{Rows: int64(len(gone))})
	return nil
}
