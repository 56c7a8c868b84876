package rekey

import (
	"context"
	"fmt"
	"iter"
	"sync"
	"time"

	"github.com/hbase-rowkey/rowkey/change"
	"github.com/hbase-rowkey/rowkey/hbase"
)

// Client reads and writes the table in the phase in which it is. A process has one. Its
// keys are those of the new layout, in every phase: what it is given and what it gives.
// It is safe for concurrent use.
type Client struct {
	c     *Change
	clock change.Clock

	mu    sync.Mutex
	phase change.Phase
	under *sync.WaitGroup   // the operations that began in the phase
	older []*sync.WaitGroup // those that began before it, and are not known to be over
}

// Client makes a client. It is in Old; Store.Follow, or Enter, brings it further.
func (c *Change) Client() *Client { return &Client{c: c, under: new(sync.WaitGroup)} }

// Phase is the phase in which operations begin now.
func (cl *Client) Phase() change.Phase {
	cl.mu.Lock()
	defer cl.mu.Unlock()
	return cl.phase
}

// Enter has operations begin in a phase, the next one or the one before, and waits until
// all that began earlier are over: then the client has confirmed it. A client that is
// further away must not go on: its process is to be started anew.
func (cl *Client) Enter(ctx context.Context, p change.Phase) error {
	cl.mu.Lock()
	if _, ok := cl.phase.Toward(p); !ok || !p.Valid() {
		defer cl.mu.Unlock()
		return fmt.Errorf("rekey: from %s to %s: a client has missed a phase: %w", cl.phase, p, change.ErrPhase)
	}
	if p != cl.phase {
		cl.older = append(cl.older, cl.under)
		cl.phase, cl.under = p, new(sync.WaitGroup)
	}
	older := cl.older
	cl.mu.Unlock()
	for _, under := range older {
		if err := wait(ctx, under); err != nil {
			return err
		}
	}
	cl.mu.Lock()
	defer cl.mu.Unlock()
	if len(cl.older) == len(older) { // else another phase was entered meanwhile
		cl.older = nil
	}
	return nil
}

// begins is a client that has done nothing and begins in a phase.
func (cl *Client) begins(p change.Phase) {
	cl.mu.Lock()
	defer cl.mu.Unlock()
	cl.phase = p
}

func wait(ctx context.Context, under *sync.WaitGroup) error {
	done := make(chan struct{})
	go func() {
		under.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// begin is an operation's phase; end ends it.
func (cl *Client) begin() (p change.Phase, end func()) {
	cl.mu.Lock()
	defer cl.mu.Unlock()
	under := cl.under
	under.Add(1)
	return cl.phase, under.Done
}

// write writes a row to the places of an operation, one after the other. The keys are
// made before anything is written.
func (cl *Client) write(key []byte, places []change.Place, one func(table *hbase.Table, key []byte) error) error {
	var own [2][]byte
	for p := change.InOld; p <= change.InNew; p++ {
		var err error
		if own[p], err = cl.c.key(key, change.InNew, p); err != nil {
			return err
		}
	}
	for i, p := range places {
		if i > 0 && cl.c.one && string(own[p]) == string(own[p.Other()]) {
			return nil // the same row
		}
		if err := one(cl.c.table(p), own[p]); err != nil {
			return fmt.Errorf("rekey: in %s, %d of %d written: %w", p, i, len(places), err)
		}
	}
	return nil
}

// Put writes a row's cells, all with one timestamp: to each place that the phase says,
// and to the one that is read last. After an error it is known to nobody whether the row
// is written; the same Put made again settles it. A row has neither a Time nor a TTL of
// its own.
func (cl *Client) Put(ctx context.Context, r hbase.Row) error {
	if r.TTL != 0 {
		return fmt.Errorf("rekey: a row with a TTL: %w", ErrRow)
	}
	for _, c := range r.Cells {
		if !c.Time.IsZero() {
			return fmt.Errorf("rekey: a cell with a time of its own: %w", ErrRow)
		}
	}
	p, end := cl.begin()
	defer end()
	stamp := cl.clock.Stamp()
	cells := make([]hbase.Cell, len(r.Cells))
	for i, c := range r.Cells {
		c.Time = stamp
		cells[i] = c
	}
	return cl.write(r.Key, p.Puts(), func(table *hbase.Table, key []byte) error {
		return table.Put(ctx, hbase.Row{Key: key, Cells: cells})
	})
}

// Delete deletes a row, or of it the columns named "family" or "family:qualifier", as
// Put puts one.
func (cl *Client) Delete(ctx context.Context, key []byte, columns ...string) error {
	p, end := cl.begin()
	defer end()
	stamp := cl.clock.Stamp()
	return cl.write(key, p.Deletes(), func(table *hbase.Table, key []byte) error {
		return table.DeleteCells(ctx, hbase.Deletion{Key: key, Columns: columns, Time: stamp})
	})
}

// saw has later writes be behind what was read.
func (cl *Client) saw(r *hbase.Row) {
	var newest time.Time
	for i := range r.Cells {
		if t := r.Cells[i].Time; t.After(newest) {
			newest = t
		}
	}
	cl.clock.Saw(newest)
}

// Get reads a row as hbase.Table.Get does.
func (cl *Client) Get(ctx context.Context, key []byte, columns ...string) (r hbase.Row, found bool, err error) {
	p, end := cl.begin()
	defer end()
	own, err := cl.c.key(key, change.InNew, p.Reads())
	if err != nil {
		return hbase.Row{}, false, err
	}
	if r, found, err = cl.c.table(p.Reads()).Get(ctx, own, columns...); found {
		cl.saw(&r)
		r.Key = append([]byte(nil), key...)
	}
	return r, found, err
}

// Scan reads the rows of a plan, in the order of the layout that the phase reads, with
// the keys of the new one. A page ends with the plan's limit, and the next one begins
// with plan.Resume of plan.Token(1, key of the last row), in whatever phase that is. As
// long as a Scan lasts, its phase does.
func (cl *Client) Scan(ctx context.Context, plan *change.Plan, opts ...hbase.ScanOption) iter.Seq2[hbase.Row, error] {
	return func(yield func(hbase.Row, error) bool) {
		p, end := cl.begin()
		defer end()
		place := p.Reads()
		left, all := plan.Limited()
		own := plan.Of(int(place))
		if cl.c.one { // rows of the other layout are passed over, and do not count
			own = all.Of(int(place))
		}
		for r, err := range cl.c.table(place).ScanPlan(ctx, own, opts...) {
			if err == nil && !cl.c.owns(place, r.Key) {
				continue
			}
			if err == nil {
				cl.saw(&r)
				r.Key, err = cl.c.key(r.Key, place, change.InNew)
			}
			if err != nil {
				yield(hbase.Row{}, err)
				return
			}
			if plan.Passed(int(place), r.Key) { // the page before had it
				continue
			}
			if left--; !yield(r, nil) || left == 0 {
				return
			}
		}
	}
}
