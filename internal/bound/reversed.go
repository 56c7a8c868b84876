package bound

import (
	"bytes"
	"slices"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// before gives a key below row, with few keys between them. If row ends in 00, it is row
// without that byte: of 61 00 it is 61. If not, the last byte is one less and eight ff
// follow: of 61 62 it is 61 61 ff ff ff ff ff ff ff ff. Of an empty row it is nil.
func before(row []byte) []byte {
	n := len(row)
	if n == 0 {
		return nil
	}
	if row[n-1] == 0 {
		return slices.Clone(row[:n-1])
	}
	b := append(make([]byte, 0, n+8), row...)
	b[n-1]--
	return append(b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)
}

// lastBelow gives bytes below b such that no key of the schema lies between them and b.
// False if they are not known. s may be nil.
//
// If b ends in 00, they are b without that byte: of 61 00 they are 61. If not, let p be b
// with its last byte one less. The largest keys below b begin with p, so lastBelow gives
// the largest bytes that a key with this beginning can have, or bytes just above them. Of
// b = 05 and a schema of two 1-byte numbers, they are 04 ff.
func lastBelow(s *layout.Schema, b []byte) ([]byte, bool) {
	n := len(b)
	if b[n-1] == 0 {
		return slices.Clone(b[:n-1]), true
	}
	p := append(make([]byte, 0, n+16), b...)
	p[n-1]--
	if s == nil {
		return nil, false
	}
	i, pos, ok := reachIn(s, p)
	if !ok {
		return nil, false
	}
	if pos > n {
		p = largestForm(&s.Comps[i-1], p, pos-n)
	}
	return largestFrom(s, i, pos, p)
}

// largestForm appends the last n bytes of the largest form of a component that has the
// same length in all keys. Of a 4-byte number and n = 2 they are ff ff.
func largestForm(c *layout.Component, p []byte, n int) []byte {
	if c.Role == layout.RoleLiteral {
		return append(p, c.Lit[len(c.Lit)-n:]...)
	}
	return append(p, bytes.Repeat([]byte{c.Shape.Bytes.Highest()}, n)...)
}

// largestFrom appends to p the largest bytes that component i and the components after it
// can have. Component i begins at pos; some of its bytes may be in p already. At a
// component without a fixed length it appends one byte, which is above all bytes that a
// key can have there, and stops: no key with beginning p is larger. For a text of digits
// (30 to 39) at the end of a key, that byte is 3a. False if no such bytes are known.
func largestFrom(s *layout.Schema, i, pos int, p []byte) ([]byte, bool) {
	for ; i < len(s.Comps); i++ {
		c := &s.Comps[i]
		if c.Absent {
			continue
		}
		if !sameLength(c) {
			break
		}
		p = largestForm(c, p, c.Shape.Min)
		pos += c.Shape.Min
	}
	if i == len(s.Comps) {
		return p, len(p) <= forms.MaxKey
	}
	if b := highestByte(s, i); b < 0xff {
		return append(p, b+1), len(p) < forms.MaxKey
	}
	for ; i < len(s.Comps); i++ { // every byte can be ff: fill up with ff to the length of the longest key
		if c := &s.Comps[i]; c.Absent {
			continue
		} else if c.Shape.Max < 0 {
			return nil, false
		}
		pos += s.Comps[i].Shape.Max
	}
	if pos > forms.MaxKey {
		return nil, false
	}
	return append(p, bytes.Repeat([]byte{0xff}, max(0, pos-len(p)))...), true
}

// sameLength reports that a component has the same length in every key. It is false for a
// field that can be null or trimmed.
func sameLength(c *layout.Component) bool {
	return c.Ends == forms.EndWidth && c.Shape.Fixed() && !c.Optional && !c.Trims
}

// highestByte gives the largest byte that a key can have where component i begins or goes
// on. If component i can be empty or can end there, the first byte of the next one counts,
// too. For a text of digits and then '_' it is 5f.
func highestByte(s *layout.Schema, i int) (b byte) {
	for ; i < len(s.Comps); i++ {
		c := &s.Comps[i]
		if c.Absent {
			continue
		}
		if c.Role == layout.RoleLiteral { // any byte of a separator counts: a part of the separator may be in p already
			b = max(b, slices.Max(c.Lit))
			break
		}
		b = max(b, c.Shape.Bytes.Highest())
		if c.Mark == nil && c.Shape.Min > 0 && c.Ends != forms.EndLoose {
			break
		}
	}
	return b
}

// reachIn finds how far p reaches in keys that begin with p. The components before i
// end at pos; component i begins at pos and does not end within p. pos can be greater than
// len(p), if p ends within a component of fixed length. For a 2-byte and a 4-byte number,
// p = 01 02 03 gives i = 2 and pos = 6. False if that is not known.
func reachIn(s *layout.Schema, p []byte) (i, pos int, ok bool) {
	for ; i < len(s.Comps) && pos < len(p); i++ {
		c := &s.Comps[i]
		if c.Absent {
			continue
		}
		if c.Optional || c.Trims || c.Ends == forms.EndLoose || c.Ender {
			return 0, 0, false // p alone does not show where it ends
		}
		here := p[pos:]
		if c.Role == layout.RoleLiteral && !bytes.HasPrefix(c.Lit, here) && !bytes.HasPrefix(here, c.Lit) {
			return 0, 0, false // no key begins so
		}
		if sameLength(c) {
			pos += c.Shape.Min
			continue
		}
		n := -1
		if c.Ends != forms.EndLast {
			n = c.Extent(here)
		}
		if n < 0 {
			break
		}
		pos += n
	}
	return i, pos, true
}
