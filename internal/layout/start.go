package layout

import (
	"encoding/binary"
	"math"
)

// start is the data for reading the bytes before the first field, if they are Known.
type start struct {
	least, slack uint   // for a key of least to least+slack bytes, Fits can decide
	front, mask  uint64 // the constants among the first 8 bytes of a key, and ff in each of their places
	Lead         int    // the number of bytes before the first field
}

// Fits reports that a key has the right constants before the first field, as far as one
// comparison of 8 bytes can tell. If it is false, Begins decides.
func (s *start) Fits(key []byte) bool {
	return uint(len(key))-s.least <= s.slack && (s.mask == 0 || (binary.BigEndian.Uint64(key)^s.front)&s.mask == 0)
}

// linkStart sets s.Start, if the bytes before the first field always have one length.
func (s *Schema) linkStart() {
	s.Start.least = math.MaxInt
	first := s.storedFrom(0)
	if s.Loose > 0 || first == len(s.Comps) || s.Places[first].varying > 0 {
		return
	}
	headed := false // there are constants among them
	for i := range s.Comps[:first] {
		c, at := &s.Comps[i], s.Places[i].Least()
		headed = headed || c.Role == RoleLiteral
		for j := range min(len(c.Lit), max(0, 8-at)) {
			shift := 8 * (7 - at - j)
			s.Start.front |= uint64(c.Lit[j]) << shift
			s.Start.mask |= 0xff << shift
		}
	}
	n := s.Places[first].Least()
	s.Start.Lead = n
	switch {
	case !headed && (n > 0 || s.minLen > 0):
		s.Start.least, s.Start.slack = uint(n), uint(s.MaxLen-n)
	case headed && n <= 8 && s.MaxLen >= 8: // all constants are among them
		s.Start.least, s.Start.slack = 8, uint(s.MaxLen-8)
	}
	s.Known = true
}

// Begins reports that a key has the right constants before the first field.
func (s *Schema) Begins(key []byte) bool {
	n := s.Start.Lead
	if !s.Known || len(key) < n {
		return false
	}
	for i := 0; s.Places[i].Least() < n; i++ {
		if lit, at := s.Comps[i].Lit, s.Places[i].Least(); string(key[at:at+len(lit)]) != string(lit) {
			return false
		}
	}
	return true
}

// Bare is the length of the longest key, if nothing stands before its first field; else −1.
func (s *Schema) Bare() int {
	if s.Known && s.Start.Lead == 0 && s.minLen > 0 {
		return s.MaxLen
	}
	return -1
}
