package layout

import (
	"encoding/binary"
	"math"
)

// start is the data for reading the bytes before the first field.
type start struct {
	least, slack uint   // for a key of least to least+slack bytes, Fits can decide
	front, mask  uint64 // the constants among the first 8 bytes of a key, and ff in each of their places
	Lead         int    // the number of bytes before the first field
	Heads        []head // the constants before the first field
	Known        bool   // the number of these bytes never varies
}

// Fits reports that a key has the right constants before the first field, as far as one
// comparison of 8 bytes can tell. If it is false, Begins decides.
func (s *start) Fits(key []byte) bool {
	return uint(len(key))-s.least <= s.slack && (s.mask == 0 || (binary.BigEndian.Uint64(key)^s.front)&s.mask == 0)
}

// head is a constant before the first field, at byte off.
type head struct {
	off int
	lit string
}

// linkStart sets s.Start, if the bytes before the first field always have one length.
func (s *Schema) linkStart() {
	s.Bare, s.Start.least = -1, math.MaxInt
	first := s.storedFrom(0)
	if s.Loose > 0 || first == len(s.Comps) {
		return
	}
	n := 0
	for i := range s.Comps[:first] {
		c := &s.Comps[i]
		switch {
		case c.Absent:
			continue
		case c.Role == RoleLiteral:
			s.Start.Heads = append(s.Start.Heads, head{n, string(c.Lit)})
			for j := range min(len(c.Lit), max(0, 8-n)) {
				shift := 8 * (7 - n - j)
				s.Start.front |= uint64(c.Lit[j]) << shift
				s.Start.mask |= 0xff << shift
			}
		case !c.Shape.Fixed() || c.Trims:
			return
		}
		n += c.Shape.Min
	}
	s.Start.Lead = n
	switch {
	case s.Start.Heads == nil && (n > 0 || s.minLen > 0):
		s.Start.least, s.Start.slack = uint(n), uint(s.MaxLen-n)
		if n == 0 {
			s.Bare = s.MaxLen
		}
	case s.Start.Heads != nil && n <= 8 && s.MaxLen >= 8: // all constants are among them
		s.Start.least, s.Start.slack = 8, uint(s.MaxLen-8)
	}
	s.Start.Known = true
}

// Begins reports that a key has the right constants before the first field.
func (s *Schema) Begins(key []byte) bool {
	if !s.Start.Known || len(key) < s.Start.Lead {
		return false
	}
	for i := range s.Start.Heads {
		h := &s.Start.Heads[i]
		if string(key[h.off:h.off+len(h.lit)]) != h.lit {
			return false
		}
	}
	return true
}
