// Package merge reads many sorted scans of one table as one sequence of rows.
//
// It knows keys as bytes, cursors that give rows in key order, and where each
// scan begins and ends. It must not know what a key is made of: no schema, no
// salt, no plan. It has no words for an error either: whoever calls it says in
// Source.Fail what a Fault is called.
//
// The order is that of the keys without their lead, the bytes that all keys of a
// scan begin with; where the rests are equal, that of the leads. Of three scans
// with the leads 00, 01 and 02:
//
//	00 61, 00 63
//	01 62
//	02 61
//
//	→ 00 61, 02 61, 01 62, 00 63
package merge

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
)

// Cursor is an open scan. Next gives its rows in key order, then io.EOF; a row
// does not change when the next one is asked for. The methods of one cursor are
// never called at the same time.
type Cursor[R any] interface {
	Next() (R, error)
	Close() error
}

// Scan is a range of keys that one cursor reads: from Start, inclusive, to Stop,
// exclusive.
type Scan struct {
	ID          int // by which Source's functions are told which scan is meant
	Start, Stop []byte
	Unbounded   bool // there is no Stop
	Lead        int  // so many bytes of Start are the lead of all its keys
}

// Source is what is read, and how.
type Source[R any] struct {
	Scans    []Scan // in key order, apart
	Reversed bool   // from the last key to the first; the cursors read so too
	Limit    int    // rows at most; 0: all
	MaxKey   int    // the most bytes of a key, 32767 or fewer
	Parallel int    // calls of cursors at the same time; below 2 the loop makes each itself

	Open  func(ctx context.Context, scan int) (Cursor[R], error)
	Key   func(R) []byte                           // of a row; empty: it is none
	Match func(key []byte) bool                    // keeps a row of a scan; nil: all are kept
	Asked func(scan int, key []byte) bool          // a cursor may give this key, which is outside of its scan
	Fail  func(scan int, f Fault, err error) error // the error that the loop ends with
}

// Fault is what went wrong with a scan.
type Fault uint8

const (
	Opening  Fault = iota // Open's error
	Reading               // Next's error
	Closing               // Close's error
	TooLong               // a key is longer than MaxKey
	Disorder              // a key came twice or out of order
	Outside               // a key that was not asked for
)

// errStopped is the end of a loop whose body wants no more.
var errStopped = errors.New("stopped")

// Rows calls yield with each row in order, and at the end with the error, if
// there is one. However it ends, be it by a panic, every cursor is closed once,
// and no goroutine is left.
func (src *Source[R]) Rows(ctx context.Context, yield func(R, error) bool) {
	l := loop[R]{src: src, caller: ctx, done: ctx.Done()}
	l.ctx, l.cancel = context.WithCancel(ctx)
	defer l.end()
	l.begin()
	err := l.run(yield)
	if err == errStopped {
		return
	}
	if err != nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	if l.end(); err == nil {
		err = l.closeErr
	}
	if err != nil {
		var none R
		yield(none, err)
	}
}

// loop is one run over the rows. Its streams stand in a contest by the row that
// each gives next. A stream that has not been read stands there by the bound at
// which its scan begins, and is read when its turn comes: all buckets at once,
// ranges that lie one behind the other one after the other.
type loop[R any] struct {
	src      *Source[R]
	caller   context.Context
	done     <-chan struct{} // the caller's, if it can be done
	ctx      context.Context // ends with the loop
	cancel   context.CancelFunc
	streams  []stream[R]
	contest  contest
	closeErr error // the first
	crew     crew[R]

	// turns is the streams in the order in which they begin: those before begun
	// have given their first row, those before asked have been asked for it.
	turns        []int32
	begun, asked int
}

// begin lays out the streams.
func (l *loop[R]) begin() {
	c := &l.contest
	l.streams = make([]stream[R], len(l.src.Scans))
	for i, scan := range l.src.Scans {
		s := &l.streams[i]
		s.bounds, s.trust = newBounds(scan), 1
	}
	// Equal keys come in the order of their leads, which is not that of the scans
	// if leads of different lengths are ended by a separator.
	slices.SortStableFunc(l.streams, func(a, b stream[R]) int { return bytes.Compare(a.lead(), b.lead()) })
	n := len(l.streams)
	codes := make([]uint64, n)
	c.begin(n, l.src.Reversed)
	for i := range l.streams {
		if near, ok := l.streams[i].near(c.reversed); ok {
			c.keys[i], codes[i] = near, c.code(near, 0)
		} else {
			codes[i] = foremost
		}
	}
	c.play(codes)
	if l.src.Parallel < 2 || n < 2 {
		return
	}
	l.crew.begin(l.src.Parallel-1, l.call)
	l.turns = make([]int32, n)
	for i := range l.turns {
		l.turns[i] = int32(i)
	}
	slices.SortFunc(l.turns, func(i, j int32) int {
		a, b := &l.streams[i], &l.streams[j]
		switch {
		case !c.reversed:
			return cmp.Or(bytes.Compare(a.low, b.low), cmp.Compare(i, j))
		case a.unbounded && !b.unbounded:
			return -1
		case !a.unbounded && b.unbounded:
			return 1
		}
		return cmp.Or(bytes.Compare(b.high, a.high), cmp.Compare(j, i))
	})
}

// run yields rows until there are no more, enough, or an error.
func (l *loop[R]) run(yield func(R, error) bool) error {
	limited, left := l.src.Limit > 0, l.src.Limit
	for len(l.streams) > 0 {
		s := &l.streams[l.contest.best]
		switch {
		case !s.begun:
			l.beginSome(s)
		case s.gone:
			return nil
		case l.done != nil && l.cancelled():
			return l.caller.Err()
		default:
			if left--; limited && left > 0 {
				l.readAhead(s)
			}
			if !yield(s.head, nil) {
				return errStopped
			}
			if limited && left == 0 {
				return nil
			}
		}
		if l.done != nil && l.cancelled() {
			return l.caller.Err()
		}
		if err := l.take(s); err != nil {
			return err
		}
		if !limited && !s.gone {
			l.readAhead(s)
		}
	}
	return l.caller.Err()
}

func (l *loop[R]) cancelled() bool {
	select {
	case <-l.done:
		return true
	default:
		return false
	}
}

// beginSome asks for the first rows of s, whose turn it is, of the streams that
// may come in front of its last row, and without a limit of those that are next.
func (l *loop[R]) beginSome(s *stream[R]) {
	l.begun++
	if l.crew.size == 0 {
		return
	}
	l.asked = max(l.asked, l.begun) // the loop reads s itself if nobody was asked to
	for ; l.asked < len(l.turns); l.asked++ {
		next := &l.streams[l.turns[l.asked]]
		due := s.meets(&next.bounds, l.contest.reversed)
		if !due && (l.src.Limit > 0 || l.asked-l.begun >= l.crew.size) {
			return
		}
		l.crew.ask(next, due)
	}
}

// readAhead asks for the next row of s, if that may take a while.
func (l *loop[R]) readAhead(s *stream[R]) {
	if l.crew.size > 0 && s.quick < s.trust {
		l.crew.ask(s, false)
	}
}

// take lets the next row of s, the best stream, into the contest, or its end.
func (l *loop[R]) take(s *stream[R]) error {
	if s.asked {
		l.crew.await(s)
	} else {
		l.call(s)
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
		l.closeErr = cmp.Or(l.closeErr, s.closeErr)
		l.contest.replace(nil, gone)
	default:
		s.head = s.next
		l.contest.replace(s.key, s.code)
	}
	return nil
}

// end leaves nothing behind. Cursors are closed before their context is ended,
// unless a call has to be cut short.
func (l *loop[R]) end() {
	l.crew.end(l.cancel)
	defer func() {
		l.cancel()
		for i := range l.streams { // a panic that the loop did not come to
			if v := l.streams[i].panicked; v != nil {
				l.streams[i].panicked = nil
				panic(v)
			}
		}
	}()
	for i := range l.streams {
		if s := &l.streams[i]; s.cursor != nil {
			defer func() { // a Close that panics keeps no other from being closed
				l.closeErr = cmp.Or(l.closeErr, l.close(s))
			}()
		}
	}
}
