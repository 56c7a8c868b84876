package rekey

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hbase-rowkey/rowkey/change"
	"github.com/hbase-rowkey/rowkey/hbase"
)

// Client reads and writes the table in the phase in which it is. A process has one. Its
// keys are those of the new layout, in every phase: what it is given and what it gives.
// It is safe for concurrent use.
//
// It serves from Store.Join on, for as long as its lease runs, which Store.Follow renews. When
// it does not, every operation is an error that wraps change.ErrStale and says why. An operation
// whose lease ended while it was under way is one too: a write may have been made or not.
type Client struct {
	c     *Change
	clock change.Clock

	mu      sync.Mutex
	session *session // nil before Join
}

// Client makes a client. It serves when Store.Join has brought it into the state.
func (c *Change) Client() *Client { return &Client{c: c} }

// session is a client from one Join on: an incarnation of its name.
type session struct {
	member  change.Member
	lease   time.Duration
	renewed atomic.Pointer[time.Time] // when the renewal was sent that the table took last
	ended   atomic.Pointer[error]     // why it serves no more, for good

	// Of Follow alone.
	beat      uint64    // of the last renewal
	confirmed uint64    // the number of the last state that was confirmed
	sent, got time.Time // before and after the last renewal; zero if there was no answer
	clock     measured

	mu   sync.Mutex
	stay *stay
}

// stay is a client's time in one state, with the operations that began in it.
type stay struct {
	state  change.State
	tables [2]*hbase.Table
	under  sync.WaitGroup
	alone  chan struct{} // closed when all that began before the stay is over
}

// passed is the time between two instants, by the monotonic clock and by the wall clock. The
// first stands still while some machines are suspended, and the second may be set.
func passed(from, to time.Time) (monotonic, wall time.Duration) {
	return to.Sub(from), to.Round(0).Sub(from.Round(0))
}

// serves is nil while the lease runs. A lease that was over once is never renewed.
func (s *session) serves() error {
	if why := s.ended.Load(); why != nil {
		return *why
	}
	monotonic, wall := passed(*s.renewed.Load(), time.Now())
	if err := runs(s.lease, monotonic, wall); err != nil {
		return s.end(fmt.Errorf("of %v: %w", s.member, err))
	}
	return nil
}

// runs is nil while a lease runs that was renewed so long ago. The clock that says more counts.
// If the two differ, one of them was set, or stood still: timestamps may be wrong.
func runs(lease, monotonic, wall time.Duration) error {
	switch set := wall - monotonic; {
	case max(monotonic, wall) >= lease:
		return fmt.Errorf("the lease is over, it was not renewed for %v: %w", lease, change.ErrStale)
	case set.Abs() > MaxSkew:
		return fmt.Errorf("it was set by %v: %w", set.Round(time.Millisecond), ErrClock)
	}
	return nil
}

// end ends a session for good, for a reason.
func (s *session) end(why error) error {
	why = fmt.Errorf("rekey: %w", why)
	if !errors.Is(why, change.ErrStale) {
		why = fmt.Errorf("%w: %w", why, change.ErrStale)
	}
	s.ended.Store(&why)
	return why
}

// State is the state in which operations begin now, and an error while the client refuses them.
func (cl *Client) State() (change.State, error) {
	o, err := cl.begin()
	if err != nil {
		return change.State{}, err
	}
	defer o.under.Done()
	return o.state, nil
}

// op is an operation: the session and the stay in which it began.
type op struct {
	*stay
	session *session
}

// begin is an operation that begins, which ends with under.Done.
func (cl *Client) begin() (op, error) {
	cl.mu.Lock()
	s := cl.session
	cl.mu.Unlock()
	if s == nil {
		return op{}, fmt.Errorf("rekey: the client has not joined: %w", change.ErrStale)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.serves(); err != nil {
		return op{}, err
	}
	s.stay.under.Add(1)
	return op{s.stay, s}, nil
}

// enter has operations begin in a state.
func (s *session) enter(c *Change, st change.State) {
	next := &stay{state: st, tables: [2]*hbase.Table{c.Table(st, change.InOld), c.Table(st, change.InNew)}, alone: make(chan struct{})}
	s.mu.Lock()
	before := s.stay
	s.stay = next
	s.mu.Unlock()
	if before == nil {
		close(next.alone)
		return
	}
	go func() {
		<-before.alone
		before.under.Wait()
		close(next.alone)
	}()
}

// write writes a row to the places of an operation, one after the other. The keys are
// made before anything is written. It is acknowledged only while the lease runs, after the
// last write.
func (cl *Client) write(o op, key []byte, places []change.Place, one func(table *hbase.Table, key []byte) error) error {
	var own [2][]byte
	for p := change.InOld; p <= change.InNew; p++ {
		var err error
		if own[p], err = cl.c.key(key, change.InNew, p); err != nil {
			return err
		}
	}
	for i, p := range places {
		if i > 0 && cl.c.one && string(own[p]) == string(own[p.Other()]) {
			break // the same row
		}
		err := o.session.serves()
		if err == nil {
			err = one(o.tables[p], own[p])
		}
		if err != nil {
			return fmt.Errorf("rekey: in %s, %d of %d written: %w", p, i, len(places), err)
		}
	}
	return o.session.serves()
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
		if !c.Time.IsZero() || c.TTL != 0 {
			return fmt.Errorf("rekey: a cell with a time or a TTL of its own: %w", ErrRow)
		}
	}
	o, err := cl.begin()
	if err != nil {
		return err
	}
	defer o.under.Done()
	stamp, err := cl.stamp(ctx, r.Key)
	if err != nil {
		return err
	}
	cells := make([]hbase.Cell, len(r.Cells))
	for i, c := range r.Cells {
		c.Time = stamp
		cells[i] = c
	}
	return cl.write(o, r.Key, o.state.Phase.Puts(), func(table *hbase.Table, key []byte) error {
		return table.Put(ctx, hbase.Row{Key: key, Cells: cells})
	})
}

// Delete deletes a row, or of it the columns named "family" or "family:qualifier", as
// Put puts one.
func (cl *Client) Delete(ctx context.Context, key []byte, columns ...string) error {
	o, err := cl.begin()
	if err != nil {
		return err
	}
	defer o.under.Done()
	stamp, err := cl.stamp(ctx, key)
	if err != nil {
		return err
	}
	return cl.write(o, key, o.state.Phase.Deletes(), func(table *hbase.Table, key []byte) error {
		return table.DeleteCells(ctx, hbase.Deletion{Key: key, Columns: columns, Time: stamp})
	})
}

// stamp is the timestamp of an operation on a row, and waits until its time has come: a row that
// is written more often than once a millisecond does not run ahead of other writers. It does not
// wait for a cell of the future.
func (cl *Client) stamp(ctx context.Context, key []byte) (time.Time, error) {
	at := cl.clock.Stamp(key)
	if ahead := time.Until(at); ahead > 0 && ahead <= MaxSkew {
		if err := pause(ctx, ahead); err != nil {
			return at, fmt.Errorf("rekey: %w", err)
		}
	}
	return at, nil
}

// saw has later writes of a row be after what was read. Its key is that of the new layout.
func (cl *Client) saw(key []byte, r *hbase.Row) {
	var newest time.Time
	for i := range r.Cells {
		if t := r.Cells[i].Time; t.After(newest) {
			newest = t
		}
	}
	cl.clock.Saw(key, newest)
}

// Get reads a row as hbase.Table.Get does.
func (cl *Client) Get(ctx context.Context, key []byte, columns ...string) (r hbase.Row, found bool, err error) {
	o, err := cl.begin()
	if err != nil {
		return hbase.Row{}, false, err
	}
	defer o.under.Done()
	reads := o.state.Phase.Reads()
	own, err := cl.c.key(key, change.InNew, reads)
	if err != nil {
		return hbase.Row{}, false, err
	}
	if r, found, err = o.tables[reads].Get(ctx, own, columns...); err == nil {
		err = o.session.serves()
	}
	if err != nil {
		return hbase.Row{}, false, err
	}
	if found {
		cl.saw(key, &r)
		r.Key = append([]byte(nil), key...)
	}
	return r, found, nil
}

// Scan reads the rows of a plan, in the order of the layout that the phase reads, with
// the keys of the new one. A page ends with the plan's limit, and the next one begins
// with plan.Resume of plan.Token(1, key of the last row), in whatever phase that is. As
// long as a Scan lasts, its phase does. A Scan whose lease ends stops with an error that wraps
// change.ErrStale, before the first row that might not be the present one.
func (cl *Client) Scan(ctx context.Context, plan *change.Plan, opts ...hbase.ScanOption) iter.Seq2[hbase.Row, error] {
	return func(yield func(hbase.Row, error) bool) {
		o, err := cl.begin()
		if err != nil {
			yield(hbase.Row{}, err)
			return
		}
		defer o.under.Done()
		place := o.state.Phase.Reads()
		left, all := plan.Limited()
		own := plan.Of(int(place))
		if cl.c.one { // rows of the other layout are passed over, and do not count
			own = all.Of(int(place))
		}
		for r, err := range o.tables[place].ScanPlan(ctx, own, opts...) {
			if err == nil {
				err = o.session.serves()
			}
			if err == nil && !cl.c.owns(place, r.Key) {
				continue
			}
			if err == nil {
				r.Key, err = cl.c.key(r.Key, place, change.InNew)
			}
			if err != nil {
				yield(hbase.Row{}, err)
				return
			}
			cl.saw(r.Key, &r)
			if plan.Passed(int(place), r.Key) { // the page before had it
				continue
			}
			if left--; !yield(r, nil) || left == 0 {
				return
			}
		}
		if err := o.session.serves(); err != nil { // nor is the end one that is known
			yield(hbase.Row{}, err)
		}
	}
}
