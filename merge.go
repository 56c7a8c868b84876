package rowkey

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"sync"
	"time"
)

// Cursor is an open scan of one range, as a client's scanner is (gohbase's needs
// nothing around it). Next gives the rows in key order, each of them once, then
// io.EOF; a row must not change when the next one is asked for. The methods of
// one cursor are never called at the same time.
type Cursor[R any] interface {
	Next() (R, error)
	Close() error
}

// Merge reads the ranges of a plan and yields the rows that match, in key order
// without their salt: by the key behind its leading salts, hashes and Bucket
// fields and, where that is equal, by these. A Reversed plan comes in exactly
// the opposite order. open starts the scan of one range, a reversed one if the
// plan is (Range.Reversed has its bounds); its context ends with the loop. row
// is the key of a row; a row that has none (an empty result) is passed over. One
// that lies outside the bounds of its scan is an error: row gives something
// else, or open reads something else. What lies between the bounds of a reversed
// scan and its range is passed over.
//
// At most parallel calls of open and Next are under way at once. Fewer than one
// counts as one, and then the loop makes them all itself, each when it is due.
// With more, ranges whose rows interleave, as buckets do, are opened together, the
// next ones behind them ahead of their turn, and a cursor that makes the loop wait
// reads one row ahead; one that answers from memory is read by the loop. A plan
// with a Limit asks for no row that cannot be due: for the first ones of its
// buckets, and then for the one behind that which the loop looks at. A cursor
// waits while others are read: have the client renew its lease.
//
// The first error ends the loop: the context's own once that is done, else an
// *Error that names the range and unwraps to the client's. A row that comes with
// an error is not yielded; one that a cursor gives twice or out of order is
// an error. A failure of Close is told when all rows have been. However the loop
// ends, be it by a panic, every cursor is closed once, at the latest then, and
// no goroutine is left.
func Merge[R any](ctx context.Context, p *Plan, parallel int, open func(context.Context, Range) (Cursor[R], error), row func(R) []byte) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		if p == nil {
			var none R
			yield(none, errNoPlan())
			return
		}
		m := merger[R]{plan: p, caller: ctx, done: ctx.Done(), open: open, row: row}
		m.ctx, m.cancel = context.WithCancel(ctx)
		defer m.end()
		m.begin(parallel)
		err := m.loop(yield)
		if err == errStopped {
			return
		}
		if err != nil && ctx.Err() != nil {
			err = ctx.Err()
		}
		if m.end(); err == nil {
			err = m.closeErr
		}
		if err != nil {
			var none R
			yield(none, err)
		}
	}
}

// errNoPlan is the error of a reader that is given no plan.
func errNoPlan() error { return &Error{Offset: -1, Err: &detail{"the plan is nil", ErrMissing}} }

// errStopped is the end of a loop whose body wants no more.
var errStopped = errors.New("stopped")

// merger is one loop. Its streams stand in a contest by the row that each gives
// next. One that has not been read stands there by where its range begins, and
// is read when its turn comes: all buckets at once, ranges that lie one behind
// the other one after the other.
type merger[R any] struct {
	plan     *Plan
	caller   context.Context
	done     <-chan struct{} // its, if it can be done
	ctx      context.Context // ends with the loop
	cancel   context.CancelFunc
	open     func(context.Context, Range) (Cursor[R], error)
	row      func(R) []byte
	streams  []stream[R]
	contest  contest
	closeErr error // the first

	// turns is the streams in the order in which they begin: those before begun
	// have given their first row, those before asked have been asked for it.
	turns        []int32
	begun, asked int

	// Of parallel calls one is the loop's own; up to so many workers make those
	// in the queue. mu guards what follows, and the state of a stream that is
	// asked; what its call gave is the loop's once the state is answered.
	workers int
	mu      sync.Mutex
	queue   []*stream[R]
	working int
	awaited *stream[R] // the loop sleeps until it has answered
	wake    chan struct{}
	idle    sync.WaitGroup
}

// stream is one range and its cursor.
type stream[R any] struct {
	rng       Range
	skip      int    // bytes of the lead, with which all its keys begin
	low, high []byte // the bounds behind the lead
	open      bool   // the range goes to the last key with that lead; there is no high

	head  R    // the row that stands in the contest
	begun bool // it has given one, or its end
	gone  bool // it has given its end
	asked bool // a worker's call is queued, under way or answered
	due   bool // and the loop cannot go on without it
	state callState

	cursor Cursor[R]
	seen   []byte // the last key it gave, wanted or not
	inside bool   // it has come to the range
	fresh  bool   // no key in it was seen since the last one that was wanted
	bound  uint64 // the code of the far bound against the last key

	// what the last call gave
	next     R
	key      []byte // without its lead
	code     uint64 // of the key against that of the row before
	ended    bool
	err      error
	closeErr error
	panicked any

	calls uint8
	quick uint8 // calls in a row that took no time worth mention
	trust uint8 // so many of them, and the loop makes the calls itself
}

type callState uint8

const (
	queued callState = iota
	underWay
	answered
)

// begin lays out the streams.
func (m *merger[R]) begin(parallel int) {
	p, c := m.plan, &m.contest
	m.streams = make([]stream[R], 0, len(p.ranges))
	for i := range p.ranges {
		r := p.rangeAt(i)
		if r.state == empty {
			continue
		}
		s := stream[R]{rng: r, skip: len(p.leadOf(r)), trust: 1}
		s.low, s.open = r.start[s.skip:], true
		if r.state == bounded && bytes.HasPrefix(r.stop, r.start[:s.skip]) {
			s.high, s.open = r.stop[s.skip:], false
		}
		m.streams = append(m.streams, s)
	}
	// Keys that are alike come in the order of their leads, which is not that of
	// the ranges if leads of different lengths are ended by a separator.
	slices.SortStableFunc(m.streams, func(a, b stream[R]) int { return bytes.Compare(a.lead(), b.lead()) })
	n := len(m.streams)
	codes := make([]uint64, n)
	c.begin(n, p.reversed)
	for i := range m.streams {
		if near, ok := m.streams[i].near(p.reversed); ok {
			c.keys[i], codes[i] = near, c.code(near, 0)
		} else {
			codes[i] = foremost
		}
	}
	c.play(codes)
	if parallel < 2 || n < 2 {
		return
	}
	m.workers = parallel - 1
	m.wake = make(chan struct{}, 1)
	m.turns = make([]int32, n)
	for i := range m.turns {
		m.turns[i] = int32(i)
	}
	slices.SortFunc(m.turns, func(i, j int32) int {
		a, b := &m.streams[i], &m.streams[j]
		switch {
		case !p.reversed:
			return cmp.Or(bytes.Compare(a.low, b.low), cmp.Compare(i, j))
		case a.open && !b.open:
			return -1
		case !a.open && b.open:
			return 1
		}
		return cmp.Or(bytes.Compare(b.high, a.high), cmp.Compare(j, i))
	})
}

// lead is what all keys of a stream begin with and Merge's order leaves out.
func (s *stream[R]) lead() []byte { return s.rng.start[:s.skip] }

// near is the bound, behind the lead, at which a stream begins; false if it
// begins with the last key of its lead.
func (s *stream[R]) near(reversed bool) ([]byte, bool) {
	if reversed {
		return s.high, !s.open
	}
	return s.low, true
}

// far is the bound at which it ends.
func (s *stream[R]) far(reversed bool) ([]byte, bool) { return s.near(!reversed) }

// meets reports that a stream whose turn is later may have rows in front of the
// last one of s.
func (s *stream[R]) meets(later *stream[R], reversed bool) bool {
	if reversed {
		return later.open || bytes.Compare(later.high, s.low) > 0
	}
	return s.open || bytes.Compare(later.low, s.high) < 0
}

// loop yields rows until there are no more, enough, or an error.
func (m *merger[R]) loop(yield func(R, error) bool) error {
	limited, left := m.plan.limit > 0, m.plan.limit
	for len(m.streams) > 0 {
		s := &m.streams[m.contest.best]
		switch {
		case !s.begun:
			m.beginSome(s)
		case s.gone:
			return nil
		case m.done != nil && m.cancelled():
			return m.caller.Err()
		default:
			if left--; limited && left > 0 {
				m.readAhead(s)
			}
			if !yield(s.head, nil) {
				return errStopped
			}
			if limited && left == 0 {
				return nil
			}
		}
		if m.done != nil && m.cancelled() {
			return m.caller.Err()
		}
		if err := m.take(s); err != nil {
			return err
		}
		if !limited && !s.gone {
			m.readAhead(s)
		}
	}
	return m.caller.Err()
}

func (m *merger[R]) cancelled() bool {
	select {
	case <-m.done:
		return true
	default:
		return false
	}
}

// beginSome asks for the first rows of s, whose turn it is, of those that may
// come in front of its last row, and without a limit of those that are next.
func (m *merger[R]) beginSome(s *stream[R]) {
	m.begun++
	if m.workers == 0 {
		return
	}
	m.asked = max(m.asked, m.begun) // the loop reads s itself if nobody was asked to
	for ; m.asked < len(m.turns); m.asked++ {
		next := &m.streams[m.turns[m.asked]]
		due := s.meets(next, m.plan.reversed)
		if !due && (m.plan.limit > 0 || m.asked-m.begun >= m.workers) {
			return
		}
		m.ask(next, due)
	}
}

// readAhead asks for the next row of s, if that may take a while.
func (m *merger[R]) readAhead(s *stream[R]) {
	if m.workers > 0 && s.quick < s.trust {
		m.ask(s, false)
	}
}

// ask has a worker make the next call of s.
func (m *merger[R]) ask(s *stream[R], due bool) {
	s.asked, s.due = true, due
	m.mu.Lock()
	defer m.mu.Unlock()
	s.state = queued
	m.queue = append(m.queue, s)
	if m.working < m.workers {
		m.working++
		m.idle.Add(1)
		go m.work()
	}
}

// work makes the calls in the queue until there are none.
func (m *merger[R]) work() {
	defer m.idle.Done()
	for {
		m.mu.Lock()
		if len(m.queue) == 0 {
			m.working--
			m.mu.Unlock()
			return
		}
		s := m.queue[0]
		m.queue = m.queue[1:]
		s.state = underWay
		m.mu.Unlock()
		m.answer(s)
	}
}

// errGone is a client's call that ended its goroutine.
var errGone = errors.New("rowkey: a call of the client ended its goroutine")

// answer makes a call for the loop. A panic is handed to the loop, which is in
// a goroutine where it can be recovered.
func (m *merger[R]) answer(s *stream[R]) {
	returned := false
	defer func() {
		if !returned {
			if s.panicked = recover(); s.panicked == nil {
				s.panicked = errGone
			}
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		s.state = answered
		if m.awaited == s {
			m.awaited = nil
			m.wake <- struct{}{}
		}
	}()
	m.call(s)
	returned = true
}

// await waits until a call that was asked for has been answered. The loop makes
// it itself if no worker has begun to, and while it waits for one, the others
// that are due.
func (m *merger[R]) await(s *stream[R]) {
	for {
		m.mu.Lock()
		if s.state == answered {
			m.mu.Unlock()
			return
		}
		at := -1
		if s.state == queued {
			at = slices.Index(m.queue, s)
		} else {
			for at = len(m.queue) - 1; at >= 0 && !m.queue[at].due; at-- {
			}
		}
		if at >= 0 {
			due := m.queue[at]
			m.queue = slices.Delete(m.queue, at, at+1)
			due.state = underWay
			m.mu.Unlock()
			m.call(due)
			m.mu.Lock()
			due.state = answered
			m.mu.Unlock()
			continue
		}
		m.awaited = s
		m.mu.Unlock()
		<-m.wake
	}
}

// take lets the next row of s, the best stream, into the contest, or its end.
func (m *merger[R]) take(s *stream[R]) error {
	if s.asked {
		m.await(s)
	} else {
		m.call(s)
	}
	s.asked, s.due, s.begun = false, false, true
	switch {
	case s.panicked != nil:
		v := s.panicked
		s.panicked = nil
		panic(v)
	case s.err != nil:
		return s.err
	case s.ended:
		s.gone = true
		m.closeErr = cmp.Or(m.closeErr, s.closeErr)
		m.contest.replace(nil, gone)
	default:
		s.head = s.next
		m.contest.replace(s.key, s.code)
	}
	return nil
}

const (
	quickCall = 20 * time.Microsecond // a call that takes longer is worth a goroutine
	manyCalls = 64                    // after so many quick ones only some are timed
)

// call is fetch, timed where it matters: a cursor is quick after some calls that
// were, the more of them the more often it turned out not to be. So one that has its
// rows in large batches is quick, one that has them one by one or few by few is not.
func (m *merger[R]) call(s *stream[R]) {
	if s.calls++; m.workers == 0 || s.quick == manyCalls && s.calls%16 != 0 {
		m.fetch(s)
		return
	}
	opened := s.cursor != nil
	began := time.Now()
	m.fetch(s)
	switch took := time.Since(began); {
	case took <= quickCall:
		s.quick = min(s.quick+1, manyCalls)
	case opened:
		s.quick, s.trust = 0, min(2*s.trust, manyCalls)
	}
}

// fetch asks the client for the next row of s that is wanted.
func (m *merger[R]) fetch(s *stream[R]) {
	if s.cursor == nil {
		c, err := m.open(m.ctx, s.rng)
		if err == nil && c == nil {
			err = errors.New("no cursor")
		}
		if err != nil {
			s.err = m.fail("open", s, err)
			return
		}
		s.cursor = c
	}
	s.fresh = true
	for {
		r, err := s.cursor.Next()
		if err != nil {
			if err != io.EOF { // nor what wraps it, such as a broken connection
				s.err = m.fail("next row of", s, err)
				return
			}
			s.ended = true
			s.closeErr = m.close(s)
			return
		}
		if key := m.row(r); len(key) > 0 {
			wanted, err := m.judge(s, key)
			switch {
			case wanted:
				s.next = r
				return
			case err != nil:
				s.err = err
				return
			case s.ended:
				s.closeErr = m.close(s)
				return
			}
		}
		if err := m.ctx.Err(); err != nil { // the client may not look at it
			s.err = err
			return
		}
	}
}

// judge says whether a row is in the range and matches, or that the range has
// ended: rows are in order, and a client may read past both bounds.
func (m *merger[R]) judge(s *stream[R], key []byte) (wanted bool, err error) {
	c := &m.contest
	seen := s.seen
	n := common(seen, key)
	switch {
	case len(key) > maxKey:
		return false, m.wrong(s, "is too long", ErrLength)
	case seen != nil && !c.inOrder(seen, key, n):
		return false, m.wrong(s, "came twice or out of order", ErrMalformed)
	}
	s.seen = key
	if !s.inside || n < s.skip {
		if in, err := m.enter(s, key); !in {
			return false, err
		}
		return m.plan.exact || m.plan.Match(key), nil
	}
	s.key = key[s.skip:]
	code := c.against(seen[s.skip:], s.key, n-s.skip)
	if code >= s.bound && !m.nearBound(s, code) {
		s.ended = true
		return false, m.outside(s, key)
	}
	if s.fresh || code >= s.code>>blockBits<<blockBits { // else it differs where the last one does that was not wanted
		s.code = code
	}
	s.fresh = false
	return m.plan.exact || m.plan.Match(key), nil
}

// enter judges a row that may be in front of the range or behind it. The first
// one in it is told against the bound in front of it.
func (m *merger[R]) enter(s *stream[R], key []byte) (bool, error) {
	c, r := &m.contest, &s.rng
	below := bytes.Compare(key, r.start) < 0
	above := r.state == bounded && bytes.Compare(key, r.stop) >= 0
	if s.inside || below || above {
		s.ended = s.inside || below // reversed, so that nothing else comes
		return false, m.outside(s, key)
	}
	s.inside, s.fresh = true, false
	s.key = key[min(s.skip, len(key)):]
	if near, ok := s.near(c.reversed); ok {
		s.code = c.against(near, s.key, common(near, s.key))
	} else {
		s.code = c.code(s.key, 0)
	}
	if far, ok := s.far(c.reversed); ok {
		s.bound = c.against(s.key, far, common(s.key, far))
	} else {
		s.bound = gone
	}
	return true, nil
}

// outside is an error if the scan of s did not ask for a row that lies outside
// its range.
func (m *merger[R]) outside(s *stream[R], key []byte) error {
	if m.contest.reversed {
		start, stop, _ := s.rng.Reversed()
		if (len(start) == 0 || bytes.Compare(key, start) <= 0) && bytes.Compare(key, stop) > 0 {
			return nil
		}
	}
	return m.wrong(s, "lies outside the bounds that open was given: what row gives is not its key, or open scans something else", ErrMalformed)
}

// nearBound reports whether a key of s whose code is not below the bound's is in
// the range all the same.
func (m *merger[R]) nearBound(s *stream[R], code uint64) bool {
	if code > s.bound {
		return false
	}
	c := &m.contest
	far, _ := s.far(c.reversed)
	n := common(s.key, far)
	s.bound = c.against(s.key, far, n)
	return c.inOrder(s.key, far, n) || c.reversed && n == len(far) // a low bound belongs to its range
}

// wrong is an error about a row.
func (m *merger[R]) wrong(s *stream[R], what string, reason error) error {
	return m.plan.s.errAt("", -1, &detail{"a row of " + s.rng.String() + " " + what, reason})
}

// fail is a client's error, with what was asked for.
func (m *merger[R]) fail(what string, s *stream[R], err error) error {
	return m.plan.s.errAt("", -1, &detail{what + " " + s.rng.String(), err})
}

// close closes the cursor of s, if there is one, once.
func (m *merger[R]) close(s *stream[R]) error {
	c := s.cursor
	if c == nil {
		return nil
	}
	s.cursor = nil
	if err := c.Close(); err != nil {
		return m.fail("close", s, err)
	}
	return nil
}

// end leaves nothing behind. Cursors are closed before their context is ended,
// unless a call has to be cut short.
func (m *merger[R]) end() {
	m.mu.Lock()
	m.queue = nil
	if m.working > 0 {
		m.cancel()
	}
	m.mu.Unlock()
	m.idle.Wait()
	defer func() {
		m.cancel()
		for i := range m.streams { // a panic that the loop did not come to
			if v := m.streams[i].panicked; v != nil {
				m.streams[i].panicked = nil
				panic(v)
			}
		}
	}()
	for i := range m.streams {
		if s := &m.streams[i]; s.cursor != nil {
			defer func() { // a Close that panics keeps no other from being closed
				m.closeErr = cmp.Or(m.closeErr, m.close(s))
			}()
		}
	}
}
