package rowkey

import (
	"bytes"
	"errors"
	"slices"
)

// A key over Loose fields may have several readings: one for each choice of the
// ends of these fields with which everything else fits.

// mostEnds is how many ends are tried for one key. The longest key of one Loose
// field has half as many; of several, a hostile key could have as many as keep
// a processor busy for years.
const mostEnds = 1 << 16

// readings goes through the readings of a key.
type readings struct {
	s    *schema
	key  []byte
	at   spans // of the reading at hand
	left int   // ends to be tried yet

	// how far the reading that gets furthest gets
	comp, pos int
	far       spans
	err       error
}

// each calls visit for every reading whose components have their places, until
// it says that it has enough. False if there are more than are tried.
func (r *readings) each(visit func() bool) bool {
	r.left, r.comp = mostEnds, -1
	r.from(0, 0, visit)
	return r.left >= 0
}

// from goes on at component i and byte pos; false if no more are wanted.
func (r *readings) from(pos, i int, visit func() bool) bool {
	s := r.s
	pos, i, err := s.splitFrom(r.key, r.at, pos, i)
	switch {
	case err != nil:
		r.breaks(i, pos, err)
		return true
	case i == len(s.comps):
		return visit()
	}
	c := &s.comps[i]
	tail := -1 // bytes behind c, if that is known
	if c.mark == nil && i == s.lastLoose {
		tail = s.after
	}
	r.breaks(i, pos, nil)
	for end := pos; end <= len(r.key); end++ {
		if c.mark != nil {
			n := bytes.Index(r.key[end:], c.mark)
			if n < 0 {
				break
			}
			end += n
		} else if tail >= 0 {
			if end = len(r.key) - tail; end < pos {
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
func (r *readings) breaks(i, pos int, err error) {
	if i < r.comp || i == r.comp && pos <= r.pos {
		return
	}
	if err == nil {
		err = r.s.errAt(r.s.comps[i].name, pos, ErrMalformed)
	}
	r.comp, r.pos, r.err = i, pos, err
	r.far = append(r.far[:0], r.at...)
}

// splitLoose finds the one reading that is a key of the schema. Without one, at
// has the places of the components up to known, which would begin at pos: those
// in front of the break, or of the field from which on the readings differ.
func (s *schema) splitLoose(key []byte, at spans, derived bool) (known, pos int, err error) {
	r := readings{s: s, key: slices.Clone(key), at: slices.Clone(at)} // both stay on their caller's stack
	var one, other spans
	var unsure, wrong error // of readings that fit but for padding, or a salt, a hash or a copy
	all := r.each(func() bool {
		switch err := s.fits(r.key, r.at, derived); {
		case err == nil && one == nil:
			one = append(one, r.at...)
		case err == nil:
			known, unsure = s.parted(one, r.at)
		case errors.Is(err, ErrAmbiguous):
			known, unsure = len(s.comps), err
		case errors.Is(err, ErrDerived) && wrong == nil:
			wrong, other = err, append(other, r.at...)
		case !errors.Is(err, ErrDerived): // it gets to the end of the key
			r.breaks(len(s.comps), len(r.key), err)
		}
		return unsure == nil
	})
	switch {
	case unsure != nil:
		copy(at, r.at)
		return known, int(at[known]), unsure
	case !all:
		pos, known, _ = s.splitFrom(key, at, 0, 0)
		return known, pos, s.errAt(s.comps[known].name, pos, &detail{"more ways to read it than are tried", ErrAmbiguous})
	case one != nil:
		copy(at, one)
		return len(s.comps), len(key), nil
	case wrong != nil:
		copy(at, other)
		return len(s.comps), len(key), wrong
	}
	copy(at, r.far)
	return r.comp, r.pos, r.err
}

// parted is the first component that ends in two places in two readings, and an
// error that names it.
func (s *schema) parted(a, b spans) (int, error) {
	i := 1
	for a[i] == b[i] {
		i++
	}
	for i--; s.comps[i].absent; i-- {
	}
	return i, s.errAt(s.comps[i].name, int(a[i]), ErrAmbiguous)
}

// fits says why the components of a key are not what the schema writes.
func (s *schema) fits(key []byte, at spans, derived bool) error {
	vs, err := s.values(key, at)
	if err != nil || !derived {
		return err
	}
	return s.verify(key, at, vs.row())
}
