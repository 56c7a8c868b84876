package layout

import (
	"bytes"
	"errors"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/fault"
)

// A key with Loose fields may have several readings: one for each choice of the ends of
// these fields with which all other components fit.

// mostEnds is how many ends are tried for one key. One Loose field in the longest key has
// half as many. With several Loose fields, a hostile key could have so many that trying
// all of them takes years.
const mostEnds = 1 << 16

// mostRead is how many bytes are read in all, of the whole key in each of its readings.
const mostRead = 1 << 23

// Readings goes through the readings of a key.
type Readings struct {
	S    *Schema
	Key  []byte
	At   Spans // the places of the present reading
	left int   // how many ends may still be tried
	room int   // how many bytes may still be read

	// where the reading stopped that came farthest, and why
	comp, pos int
	far       Spans
	err       error
}

// Each calls visit for every reading in which all components have their places, until visit
// returns false. It is false if there are more ends to try than mostEnds, or more bytes to
// read than mostRead.
func (r *Readings) Each(visit func() bool) bool {
	r.left, r.room, r.comp = mostEnds, mostRead, -1
	r.from(0, 0, visit)
	return r.left >= 0 && r.room >= 0
}

// from tries all readings of the key from component i, at byte pos. It is false if visit
// wants no more.
func (r *Readings) from(pos, i int, visit func() bool) bool {
	s := r.S
	pos, i, err := s.SplitFrom(r.Key, r.At, pos, i)
	switch {
	case err != nil:
		r.breaks(i, pos, err)
		return true
	case i == len(s.Comps):
		if r.room -= len(r.Key); r.room < 0 {
			return false
		}
		return visit()
	}
	c := &s.Comps[i]
	tail := -1 // the number of bytes after c; −1 if not known
	if c.Mark == nil && i == int(s.lastLoose) {
		tail = int(s.after)
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

// breaks notes where a reading stops, and why, if none came farther. A nil err means that
// no end was found for component i.
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

// SplitLoose writes the only reading that is a key of the schema to at. If there is none,
// or more than one, it is an error. Then at holds the places of the components before
// number known, which begins at pos: all before the first one that does not fit, or that
// differs between two readings.
func (s *Schema) SplitLoose(key []byte, at Spans, derived bool) (known, pos int, err error) {
	r := Readings{S: s, Key: slices.Clone(key), At: slices.Clone(at)} // both stay on their caller's stack
	var one, other Spans
	var unsure, wrong error // unsure: two readings fit, or the padding is ambiguous; wrong: only a salt, hash or copy does not fit
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
		case !errors.Is(err, fault.ErrDerived): // this reading came to the end of the key
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

// parted is the first component that ends at different places in the readings a and b, and
// an error that names it.
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
