// Package merge reads many sorted scans of one table as one sequence of rows.
//
// It knows keys as bytes, cursors that give rows in key order, and where each scan begins
// and ends. It must not know what a key consists of: no schema, no salt, no plan. Nor does
// it write the text of an error: its caller makes an error of a Fault in Source.Fail.
//
// Rows are ordered by their keys without the lead, the bytes that all keys of a scan begin
// with. Where these are equal, the leads decide. Of three scans with the leads 00, 01 and
// 02:
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
	ID          int // names the scan in calls of Source's functions
	Start, Stop []byte
	Unbounded   bool // there is no Stop
	Lead        int  // the length of the lead: all keys of the scan begin with Start[:Lead]
}

// Source says what to read, and how.
type Source[R any] struct {
	Scans    []Scan // in key order, without overlap
	Reversed bool   // from the last key to the first; the cursors must read in this direction too
	Limit    int    // the largest number of rows; 0: no limit
	MaxKey   int    // the length of the longest key, 32767 or less
	Parallel int    // the largest number of calls at the same time; below 2 the loop makes each call itself

	Open  func(ctx context.Context, scan int) (Cursor[R], error)
	Key   func(R) []byte                           // the key of a row; empty: this is no row, skip it
	Match func(key []byte) bool                    // reports that a row is wanted; nil: all are wanted
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
	Backward              // the first two keys come in the other direction than Source.Reversed says
	Outside               // a key that was not asked for
)

// errStopped ends run when yield returns false.
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

// loop is one call of Rows. Its streams compete in a contest with their next rows. A stream
// that has not been read competes with the bound at which its scan begins, and is read when
// it wins. So buckets, whose scans begin at the same place, are read at once; ranges that
// follow one another are read one after the other.
type loop[R any] struct {
	src      *Source[R]
	caller   context.Context
	done     <-chan struct{} // the caller's, if it can be done
	ctx      context.Context // ends with the loop
	cancel   context.CancelFunc
	streams  []stream[R]
	contest  contest
	closeErr error // the first error of a Close
	crew     crew[R]

	// turns are the streams in the order in which they begin. Those before index begun have
	// given their first row; those before index asked have been asked for it.
	turns        []int32
	begun, asked int
}

// begin makes the streams and their contest.
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

// beginSome asks the crew for first rows when the stream s has its turn: those of streams
// that may have rows before the last row of s, and, if there is no limit, of the streams
// that follow.
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

// readAhead asks the crew for the next row of s, unless the stream is known to be quick.
func (l *loop[R]) readAhead(s *stream[R]) {
	if l.crew.size > 0 && s.quick < s.trust {
		l.crew.ask(s, false)
	}
}

// take puts the next row of s, the best stream, into the contest, or takes s out at its end.
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

// end stops the crew and closes all cursors. The context of the cursors is cancelled after
// that, or before if a call is still running.
func (l *loop[R]) end() {
	l.crew.end(l.cancel)
	defer func() {
		l.cancel()
		for i := range l.streams { // a panic that take has not raised yet
			if v := l.streams[i].panicked; v != nil {
				l.streams[i].panicked = nil
				panic(v)
			}
		}
	}()
	for i := range l.streams {
		if s := &l.streams[i]; s.cursor != nil {
			defer func() { // deferred, so that all are closed even if one Close panics
				l.closeErr = cmp.Or(l.closeErr, l.close(s))
			}()
		}
	}
}
