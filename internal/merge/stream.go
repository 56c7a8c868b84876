package merge

import (
	"bytes"
	"errors"
	"io"
	"time"
)

// stream is one scan and its cursor.
type stream[R any] struct {
	bounds
	cursor Cursor[R]

	head  R    // the row that is in the contest
	begun bool // it has been read: there is a head, or it has ended
	gone  bool // it has ended, and is out of the contest

	asked bool      // the crew was asked for the next row
	due   bool      // the loop cannot go on without this row
	state callState // of that call

	kept   read[R] // what the cursor gave after its first row
	paired bool    // two keys of the cursor were compared

	place
	answer[R]
	pace
}

// place is how far a stream has been read.
type place struct {
	seen   []byte // the last key of its cursor, wanted or not
	inside bool   // a key within the scan was seen
	fresh  bool   // no key of the scan was seen since the last wanted one
	bound  uint64 // the code of the far bound, with the last key as base
}

// answer is the result of the last call.
type answer[R any] struct {
	next     R
	key      []byte // without its lead
	code     uint64 // the code of key, with the key of the row before as base
	ended    bool
	err      error
	closeErr error
	panicked any
}

// read is what one call of Next gave; the zero read is none.
type read[R any] struct {
	row  R
	err  error
	some bool
}

// pace is how long the calls of a stream take.
type pace struct {
	calls uint8 // how many calls were made; it wraps around
	quick uint8 // how many calls in a row were quick
	trust uint8 // after so many quick calls in a row, the loop makes the calls itself
}

const (
	quickCall = 20 * time.Microsecond // a call is quick up to this; a longer one is worth a goroutine
	manyCalls = 64                    // after so many quick calls in a row, only some are timed
)

// call is fetch with a measurement of its time. A cursor counts as quick after trust quick
// calls in a row; each slow call doubles trust. So a cursor with large batches of rows
// becomes quick; one that fetches rows one by one, or a few at a time, does not.
func (l *loop[R]) call(s *stream[R]) {
	if s.calls++; l.crew.size == 0 || s.kept.some || s.quick == manyCalls && s.calls%16 != 0 {
		l.fetch(s)
		return
	}
	opened := s.cursor != nil
	began := time.Now()
	l.fetch(s)
	switch took := time.Since(began); {
	case took <= quickCall:
		s.quick = min(s.quick+1, manyCalls)
	case opened:
		s.quick, s.trust = 0, min(2*s.trust, manyCalls)
	}
}

// fetch reads the cursor of s up to its next wanted row, or its end.
func (l *loop[R]) fetch(s *stream[R]) {
	if s.cursor == nil {
		c, err := l.src.Open(l.ctx, s.scan.ID)
		if err == nil && c == nil {
			err = errors.New("no cursor")
		}
		if err != nil {
			s.err = l.src.Fail(s.scan.ID, Opening, err)
			return
		}
		s.cursor = c
	}
	s.fresh = true
	for {
		r, err := s.read()
		if err != nil {
			if err != io.EOF { // an error that wraps io.EOF is no end: it may be a broken connection
				s.err = l.src.Fail(s.scan.ID, Reading, err)
				return
			}
			s.ended = true
			s.closeErr = l.close(s)
			return
		}
		if key := l.src.Key(r); len(key) > 0 {
			wanted, err := l.judge(s, key)
			switch {
			case wanted:
				s.next = r
				if !s.paired {
					s.err = l.pair(s)
				}
				return
			case err != nil:
				s.err = err
				return
			case s.ended:
				s.closeErr = l.close(s)
				return
			}
		}
		if err := l.ctx.Err(); err != nil { // the client may not look at it
			s.err = err
			return
		}
	}
}

// read gives the cursor's next row.
func (s *stream[R]) read() (R, error) {
	if s.kept.some {
		k := s.kept
		s.kept = read[R]{}
		return k.row, k.err
	}
	return s.cursor.Next()
}

// pair reads the row after the first one, and keeps it. It is an error if it lies on the wrong
// side of the first: the client scans in the other direction. Without this, a loop that takes one
// row of each scan would take the wrong one. What else is wrong with the second row is reported
// when it is due.
func (l *loop[R]) pair(s *stream[R]) error {
	for s.paired = true; l.ctx.Err() == nil; {
		r, err := s.cursor.Next()
		key := []byte(nil)
		if err == nil {
			if key = l.src.Key(r); len(key) == 0 {
				continue
			}
		}
		s.kept = read[R]{r, err, true}
		if err == nil && len(key) <= l.src.MaxKey && !bytes.Equal(s.seen, key) && !l.contest.inOrder(s.seen, key, common(s.seen, key)) {
			return l.src.Fail(s.scan.ID, Backward, nil)
		}
		return nil
	}
	return l.ctx.Err()
}

// judge reports that a row is in the scan and matches. It also notes the end of the scan: a
// client may read past both bounds, but its rows must be in order.
func (l *loop[R]) judge(s *stream[R], key []byte) (wanted bool, err error) {
	c := &l.contest
	seen := s.seen
	n := common(seen, key)
	switch {
	case len(key) > l.src.MaxKey:
		return false, l.src.Fail(s.scan.ID, TooLong, nil)
	case seen != nil && !c.inOrder(seen, key, n):
		fault := Disorder
		if !s.paired && !bytes.Equal(seen, key) {
			fault = Backward
		}
		return false, l.src.Fail(s.scan.ID, fault, nil)
	}
	s.paired = s.paired || seen != nil
	s.seen = key
	lead := s.scan.Lead
	if !s.inside || n < lead {
		if in, err := l.enter(s, key); !in {
			return false, err
		}
		return l.matches(key), nil
	}
	s.key = key[lead:]
	code := c.against(seen[lead:], s.key, n-lead)
	if code >= s.bound && !l.nearBound(s, code) {
		s.ended = true
		return false, l.outside(s, key)
	}
	if s.fresh || code >= s.code>>blockBits<<blockBits { // else an unwanted key between differs from the last wanted one in an earlier block: its code stays
		s.code = code
	}
	s.fresh = false
	return l.matches(key), nil
}

func (l *loop[R]) matches(key []byte) bool { return l.src.Match == nil || l.src.Match(key) }

// enter judges a row that may lie before or after the scan; false if it does. The first key
// within the scan gets its code with the near bound as base.
func (l *loop[R]) enter(s *stream[R], key []byte) (bool, error) {
	c := &l.contest
	below, above := s.below(key), s.above(key)
	if s.inside || below || above {
		s.ended = s.inside || below // below, in a reversed scan: no key within it follows
		return false, l.outside(s, key)
	}
	s.inside, s.fresh = true, false
	s.key = key[min(s.scan.Lead, len(key)):]
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

// outside is the error of a key outside of the scan; nil if Source.Asked allows it.
func (l *loop[R]) outside(s *stream[R], key []byte) error {
	if l.src.Asked(s.scan.ID, key) {
		return nil
	}
	return l.src.Fail(s.scan.ID, Outside, nil)
}

// nearBound reports that a key is in the scan although its code is not below the code of
// the bound: equal codes need a comparison of bytes.
func (l *loop[R]) nearBound(s *stream[R], code uint64) bool {
	if code > s.bound {
		return false
	}
	c := &l.contest
	far, _ := s.far(c.reversed)
	n := common(s.key, far)
	s.bound = c.against(s.key, far, n)
	return c.inOrder(s.key, far, n) || c.reversed && n == len(far) // a low bound belongs to its scan
}

// close closes the cursor of s if it is open.
func (l *loop[R]) close(s *stream[R]) error {
	c := s.cursor
	if c == nil {
		return nil
	}
	s.cursor = nil
	if err := c.Close(); err != nil {
		return l.src.Fail(s.scan.ID, Closing, err)
	}
	return nil
}
