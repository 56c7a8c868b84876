package infer

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A gap is bytes that nothing explains. It ends where a column stands in every key, so
// what comes after it is found too.

// leastAnchor is how much a column must tell its rows apart to end a gap, in bits.
const leastAnchor = 20

// bestWithGaps is the likeliest path to the end that may leave gaps; nil if it would
// explain nothing.
func (s *search) bestWithGaps() *partial {
	if len(s.list) == 0 {
		return nil
	}
	var anchors [][][]byte
	for _, g := range s.guesses() {
		anchors = append(anchors, g.enc)
	}
	for _, c := range s.encs {
		bytes := 0
		for _, b := range c.enc {
			bytes += len(b)
		}
		if c.bits >= leastAnchor && bytes >= 2*len(s.keys) {
			anchors = append(anchors, c.enc)
		}
	}
	last := s.lastPos()
	pos := make([]int32, len(s.keys))
	var end *node
	for _, n := range s.list {
		n.done = false
	}
	reached := s.stage
	s.stage = fieldsOnly
	defer func() { s.stage = reached }()
	had := len(s.list)
	for range mostNodes {
		var n *node
		for _, m := range s.list {
			if !m.done && (n == nil || m.sum < n.sum) {
				n = m
			}
		}
		if n == nil || s.late() {
			break
		}
		n.done = true
		n.trim(keptPaths)
		if slices.Equal(n.pos, last) {
			end = n
			continue
		}
		if n.id < had {
			for _, e := range n.out { // paths that a gap made likelier go on
				for _, p := range n.best {
					if q := p.follow(e.to, e.c); q != nil && p.gapped() {
						e.to.best = append(e.to.best, q)
					}
				}
			}
		} else {
			s.expand(n)
		}
		s.pushGuesses(n)
		for _, enc := range anchors {
			for _, from := range []func(k, b []byte) int{bytes.Index, bytes.LastIndex} {
				ok := true
				for i, k := range s.keys {
					at := from(k[n.pos[i]:], enc[i])
					if at < 1 {
						ok = false
						break
					}
					pos[i] = n.pos[i] + int32(at)
				}
				if ok {
					s.pushGap(n, pos)
				}
			}
		}
		s.pushGap(n, last)
	}
	if end == nil {
		return nil
	}
	end.trim(keptPaths)
	for _, p := range end.best {
		for q := p; q.c != nil; q = q.prev {
			if q.c.kind == isField || q.c.kind == isHash || q.c.kind == isSalt || q.c.looks != "" {
				return p
			}
		}
	}
	return nil
}

func (p *partial) gapped() bool {
	for ; p.c != nil; p = p.prev {
		if p.c.kind == isGap {
			return true
		}
	}
	return false
}

func (s *search) pushGap(n *node, pos []int32) {
	var kept []*partial
	for _, p := range n.best {
		if p.c == nil || p.c.kind != isGap || p.c.looks != "" {
			kept = append(kept, p)
		}
	}
	if len(kept) == 0 {
		return
	}
	c := &comp{kind: isGap}
	bytes := 0
	for i, k := range s.keys {
		b := k[n.pos[i]:pos[i]]
		c.enc = append(c.enc, b)
		bytes += len(b)
	}
	c.cost = 40 + 8*float64(bytes)/float64(len(s.keys))
	all := n.best
	n.best = kept
	s.push(n, pos, c)
	n.best = all
}

// gaps says what is explained where no layout was found.
func (s *search) gaps(t *table) *Partial {
	if len(s.list) == 0 { // time was over at once
		s.run(fieldsOnly)
	}
	p := s.bestWithGaps()
	if p == nil {
		return nil
	}
	var path []*comp
	for _, c := range p.comps() {
		if c.kind != isGap || c.looks != "" {
			path = append(path, c)
			continue
		}
		path = append(path, trimmed(c)...)
	}
	out := &Partial{}
	at, most := 0, 0
	n := 0
	for _, c := range path {
		lo, hi := c.extent(s)
		if c.kind == isGap {
			n++
			g := Gap{Name: fmt.Sprintf("unexplained%d", n), From: at, To: most, Least: lo, Most: hi}
			if c.looks != "" {
				g.Column, g.Looks = t.columns[c.rd.col], c.looks
			}
			out.Gaps = append(out.Gaps, g)
		}
		at, most = at+lo, most+hi
	}
	b := newBuilder(s, path, t.names)
	if l := b.build(nil); l != nil {
		out.Notation = l.String()
		return out
	}
	var text strings.Builder
	for i, c := range path {
		if c.kind == isHash || c.kind == isSalt {
			said := phrasesOf(c)[0]
			in := said.text
			for k, m := range said.means {
				in = strings.ReplaceAll(in, fmt.Sprintf("%%%d", k+1), t.names[m.rd.col])
			}
			text.WriteString("[" + c.part + "(" + in + ")" + c.opts + "]")
			continue
		}
		text.WriteString(b.slots[i].notation())
	}
	out.Notation = text.String()
	return out
}

// extent is how many bytes a piece has, at least and at most.
func (c *comp) extent(s *search) (lo, hi int) {
	switch c.kind {
	case isConst:
		return len(c.text), len(c.text)
	case isHash, isSalt:
		if len(c.enc) == 0 {
			return c.width, c.widest
		}
	}
	lo = math.MaxInt
	for _, b := range c.enc {
		lo, hi = min(lo, len(b)), max(hi, len(b))
	}
	return lo, hi
}

// trimmed is a gap without the bytes at its ends that all keys have.
func trimmed(c *comp) (out []*comp) {
	front, back := len(c.enc[0]), len(c.enc[0])
	first := c.enc[0]
	for _, b := range c.enc {
		front = min(front, common(first, b))
		back = min(back, common(reversed(first), reversed(b)))
	}
	least := math.MaxInt
	for _, b := range c.enc {
		least = min(least, len(b))
	}
	back = min(back, least-front)
	if front > 0 {
		out = append(out, &comp{kind: isConst, text: first[:front]})
	}
	rest := &comp{kind: isGap}
	for _, b := range c.enc {
		rest.enc = append(rest.enc, b[front:len(b)-back])
	}
	_, one := oneWidth(c.enc)
	if one && len(first) > front+back {
		rest.opts = fmt.Sprintf(" fixed(%d)", len(first)-front-back)
	}
	if len(first) > front+back || !one {
		out = append(out, rest)
	}
	if back > 0 {
		out = append(out, &comp{kind: isConst, text: first[len(first)-back:]})
	}
	return out
}
