package bound

import (
	"bytes"
	"slices"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// before is a key below row, with few keys between: a trailing 00 less, or the
// last byte one down and ff behind it. It is empty where row is the first.
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

// lastBelow is a key below b that no key of the schema, which may be nil, lies
// between; false if that is not known. Keys below b begin with b but that its
// last byte is one less, or lie below that: it is the largest that could begin
// so.
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

// largestForm appends the last n bytes of the largest form of a component that always
// has the same length.
func largestForm(c *layout.Component, p []byte, n int) []byte {
	if c.Role == layout.RoleLiteral {
		return append(p, c.Lit[len(c.Lit)-n:]...)
	}
	return append(p, bytes.Repeat([]byte{c.Shape.Bytes.Highest()}, n)...)
}

// largestFrom goes on with the components from i on, of which the first begins
// at pos, in p or at its end. It may end with a byte that no key has there.
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
	for ; i < len(s.Comps); i++ { // all ff, in the longest key that there can be
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

// sameLength reports that all forms of a component have one length in any key.
func sameLength(c *layout.Component) bool {
	return c.Ends == forms.EndWidth && c.Shape.Fixed() && !c.Optional && !c.Trims
}

// highestByte is the largest byte that can stand where component i begins or goes on.
func highestByte(s *layout.Schema, i int) (b byte) {
	for ; i < len(s.Comps); i++ {
		c := &s.Comps[i]
		if c.Absent {
			continue
		}
		if c.Role == layout.RoleLiteral { // of a separator, any: some of it may stand there already
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

// reachIn finds the components that keys which begin with p have in it. Those in
// front of i end at pos, which may lie behind p; that at i does not end in p.
func reachIn(s *layout.Schema, p []byte) (i, pos int, ok bool) {
	for ; i < len(s.Comps) && pos < len(p); i++ {
		c := &s.Comps[i]
		if c.Absent {
			continue
		}
		if c.Optional || c.Trims || c.Ends == forms.EndLoose || c.Ender != nil {
			return 0, 0, false // what follows decides where it ends, or its own function does
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
