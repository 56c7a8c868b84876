package layout

import (
	"bytes"
	"errors"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/fault"
)

// A key over Loose fields may have several readings: one for each choice of the
// ends of these fields with which everything else fits.

// mostEnds is how many ends are tried for one key. The longest key of one Loose
// field has half as many; of several, a hostile key could have as many as keep
// a processor busy for years.
const mostEnds = 1 << 16

// Readings goes through the readings of a key.
type Readings struct {
	S    *Schema
	Key  []byte
	At   Spans // of the reading at hand
	left int   // ends to be tried yet

	// how far the reading that gets furthest gets
	comp, pos int
	far       Spans
	err       error
}

// Each calls visit for every reading whose components have their places, until
// it says that it has enough. False if there are more than are tried.
func (r *Readings) Each(visit func() bool) bool {
	r.left, r.comp = mostEnds, -1
	r.from(0, 0, visit)
	return r.left >= 0
}

// from goes on at component i and byte pos; false if no more are wanted.
func (r *Readings) from(pos, i int, visit func() bool) bool {
	s := r.S
	pos, i, err := s.SplitFrom(r.Key, r.At, pos, i)
	switch {
	case err != nil:
		r.breaks(i, pos, err)
		return true
	case i == len(s.Comps):
		return visit()
	}
	c := &s.Comps[i]
	tail := -1 // bytes behind c, if that is known
	if c.Mark == nil && i == s.lastLoose {
		tail = s.after
	}
	r.breaks(i, pos, nil)
	for end := pos; end <= len(r.Key); end++ {
		if c.Mark != nil {
			n := bytes.Index(r.Key[end:], c.Mark)
			if n < 0 {
				break
			}
			end += n
		} else if tail >= 0 {
			if end = len(r.Key) - tail; end < pos {
				break
			}
		}
		if r.left--; r.left < 0 || !r.from(end, i+1, visit) {
			return false
		}
		if tail >= 0 {
			break
		}
	}
	return true
}

// breaks notes how far a reading gets, and why no further: without an err, since
// its component i has no end.
func (r *Readings) breaks(i, pos int, err error) {
	if i < r.comp || i == r.comp && pos <= r.pos {
		return
	}
	if err == nil {
		err = r.S.ErrAt(r.S.Comps[i].Name, pos, fault.ErrMalformed)
	}
	r.comp, r.pos, r.err = i, pos, err
	r.far = append(r.far[:0], r.At...)
}

// SplitLoose finds the one reading that is a key of the schema. Without one, at
// has the places of the components up to known, which would begin at pos: those
// in front of the break, or of the field from which on the readings differ.
func (s *Schema) SplitLoose(key []byte, at Spans, derived bool) (known, pos int, err error) {
	r := Readings{S: s, Key: slices.Clone(key), At: slices.Clone(at)} // both stay on their caller's stack
	var one, other Spans
	var unsure, wrong error // of readings that fit but for padding, or a salt, a hash or a copy
	all := r.Each(func() bool {
		switch err := s.Fits(r.Key, r.At, derived); {
		case err == nil && one == nil:
			one = append(one, r.At...)
		case err == nil:
			known, unsure = s.parted(one, r.At)
		case errors.Is(err, fault.ErrAmbiguous):
			known, unsure = len(s.Comps), err
		case errors.Is(err, fault.ErrDerived) && wrong == nil:
			wrong, other = err, append(other, r.At...)
		case !errors.Is(err, fault.ErrDerived): // it gets to the end of the key
			r.breaks(len(s.Comps), len(r.Key), err)
		}
		return unsure == nil
	})
	switch {
	case unsure != nil:
		copy(at, r.At)
		return known, int(at[known]), unsure
	case !all:
		pos, known, _ = s.SplitFrom(key, at, 0, 0)
		return known, pos, s.ErrAt(s.Comps[known].Name, pos, &fault.Detail{Text: "more ways to read it than are tried", Reason: fault.ErrAmbiguous})
	case one != nil:
		copy(at, one)
		return len(s.Comps), len(key), nil
	case wrong != nil:
		copy(at, other)
		return len(s.Comps), len(key), wrong
	}
	copy(at, r.far)
	return r.comp, r.pos, r.err
}

// parted is the first component that ends in two places in two readings, and an
// error that names it.
func (s *Schema) parted(a, b Spans) (int, error) {
	i := 1
	for a[i] == b[i] {
		i++
	}
	for i--; s.Comps[i].Absent; i-- {
	}
	return i, s.ErrAt(s.Comps[i].Name, int(a[i]), fault.ErrAmbiguous)
}

// Fits says why the components of a key are not what the schema writes.
func (s *Schema) Fits(key []byte, at Spans, derived bool) error {
	vs, err := s.Values(key, at)
	if err != nil || !derived {
		return err
	}
	return s.Verify(key, at, vs.Row())
}
