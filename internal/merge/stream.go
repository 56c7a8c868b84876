package merge

import (
	"errors"
	"io"
	"time"
)

// stream is one scan and its cursor.
type stream[R any] struct {
	bounds
	cursor Cursor[R]

	head  R    // the row that stands in the contest
	begun bool // it has given one, or its end
	gone  bool // it has given its end

	asked bool // a call for the crew is queued, under way or answered
	due   bool // and the loop cannot go on without it
	state callState

	place
	answer[R]
	pace
}

// place is how far a stream has been read.
type place struct {
	seen   []byte // the last key that its cursor gave, wanted or not
	inside bool   // it has come to the scan's own keys
	fresh  bool   // no key of the scan was seen since the last one that was wanted
	bound  uint64 // the code of the far bound, by the last key
}

// answer is what the last call gave.
type answer[R any] struct {
	next     R
	key      []byte // without its lead
	code     uint64 // of the key, by that of the row before
	ended    bool
	err      error
	closeErr error
	panicked any
}

// pace is how long a stream's calls take.
type pace struct {
	calls uint8
	quick uint8 // calls in a row that took no time worth mention
	trust uint8 // so many of them, and the loop makes the calls itself
}

const (
	quickCall = 20 * time.Microsecond // a call that takes longer is worth a goroutine
	manyCalls = 64                    // after so many quick ones only some are timed
)

// call is fetch, timed where it matters: a cursor is quick after some calls that
// were, the more of them the more often it turned out not to be. So a cursor that
// has its rows in large batches is quick; one that has them one by one or few by
// few is not.
func (l *loop[R]) call(s *stream[R]) {
	if s.calls++; l.crew.size == 0 || s.quick == manyCalls && s.calls%16 != 0 {
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

// fetch asks the client for the next row of s that is wanted.
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
		r, err := s.cursor.Next()
		if err != nil {
			if err != io.EOF { // nor what wraps it, such as a broken connection
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

// judge says whether a row is in the scan and matches, or that the scan has
// ended: rows are in order, and a client may read past both bounds.
func (l *loop[R]) judge(s *stream[R], key []byte) (wanted bool, err error) {
	c := &l.contest
	seen := s.seen
	n := common(seen, key)
	switch {
	case len(key) > l.src.MaxKey:
		return false, l.src.Fail(s.scan.ID, TooLong, nil)
	case seen != nil && !c.inOrder(seen, key, n):
		return false, l.src.Fail(s.scan.ID, Disorder, nil)
	}
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
	if s.fresh || code >= s.code>>blockBits<<blockBits { // else it differs where the last key differs that was not wanted
		s.code = code
	}
	s.fresh = false
	return l.matches(key), nil
}

func (l *loop[R]) matches(key []byte) bool { return l.src.Match == nil || l.src.Match(key) }

// enter judges a row that may be in front of the scan or behind it. The first
// key in it has its code by the bound in front of it.
func (l *loop[R]) enter(s *stream[R], key []byte) (bool, error) {
	c := &l.contest
	below, above := s.below(key), s.above(key)
	if s.inside || below || above {
		s.ended = s.inside || below // reversed, so that nothing else comes
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

// outside is an error if a key that lies outside of the scan was not asked for.
func (l *loop[R]) outside(s *stream[R], key []byte) error {
	if l.src.Asked(s.scan.ID, key) {
		return nil
	}
	return l.src.Fail(s.scan.ID, Outside, nil)
}

// nearBound reports whether a key whose code is not below the bound's is in the
// scan all the same.
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

// close closes the cursor of s, if there is one, once.
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
