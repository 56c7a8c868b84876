package infer

import (
	"bytes"
	"fmt"
	"math"
	"slices"
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

// gaps says what is explained where no layout was found: pieces that are right in all rows but
// bad ones. A piece that is not, or that the notation cannot say beside the others, is a gap.
func (s *search) gaps(t *table, rows []int, bad int) *Partial {
	if len(s.list) == 0 { // time was over at once
		s.run(fieldsOnly)
	}
	p := s.bestWithGaps()
	if p == nil {
		return nil
	}
	var path []*comp
	for q := p; q.c != nil; q = q.prev {
		c := *q.c
		c.enc = make([][]byte, len(s.keys))
		for i, k := range s.keys {
			c.enc[i] = k[q.prev.at.pos[i]:q.at.pos[i]]
		}
		if c.plainGap() {
			path = slices.Concat(trimmed(&c), path)
		} else {
			path = slices.Insert(path, 0, &c)
		}
	}
	out, fit := s.explained(t, path, rows)
	for fit < len(rows)-bad {
		var next []*comp
		fit = -2
		for j := range path {
			less := without(path, j)
			if less == nil {
				continue
			}
			if o, n := s.explained(t, less, rows); n > fit {
				out, fit, next = o, n, less
			}
		}
		if next == nil {
			return nil
		}
		path = next
	}
	if !slices.ContainsFunc(path, (*comp).explains) {
		return nil
	}
	return out
}

func (c *comp) plainGap() bool { return c.kind == isGap && c.looks == "" }

// explains reports that a piece comes from a column.
func (c *comp) explains() bool { return c.kind != isConst && !c.plainGap() }

// without is a path with one piece as a gap, and a gap of one width as one of any; nil if there
// is nothing to give up.
func without(path []*comp, j int) []*comp {
	c := path[j]
	if c.plainGap() && c.opts == "" {
		return nil
	}
	gap := &comp{kind: isGap, enc: c.enc}
	from, to := j, j+1
	if !c.plainGap() {
		if from > 0 && path[from-1].plainGap() {
			from--
		}
		if to < len(path) && path[to].plainGap() {
			to++
		}
		gap = gapOf(path[from:to])
	}
	return slices.Concat(path[:from], []*comp{gap}, path[to:])
}

// gapOf is pieces as one gap.
func gapOf(pieces []*comp) *comp {
	gap := &comp{kind: isGap, enc: make([][]byte, len(pieces[0].enc))}
	for i := range gap.enc {
		for _, c := range pieces {
			gap.enc[i] = slices.Concat(gap.enc[i], c.enc[i])
		}
	}
	if n, one := oneWidth(gap.enc); one {
		gap.opts = fmt.Sprintf(" fixed(%d)", n)
	}
	return gap
}

// explained is a path in words, and how many rows have keys of it; −1 if the notation cannot say
// it.
func (s *search) explained(t *table, path []*comp, rows []int) (out *Partial, fit int) {
	l := newBuilder(s, path, t.names).build(nil)
	if l == nil {
		return nil, -1
	}
	out = &Partial{Notation: l.String()}
	for j, x := range l.sources {
		if x.gap == nil {
			continue
		}
		g := Gap{Name: l.fields[j], From: math.MaxInt, Least: math.MaxInt, Looks: x.gap.looks}
		if g.Looks != "" {
			g.Column = t.columns[x.gap.rd.col]
		}
		out.Gaps = append(out.Gaps, g)
	}
	for _, i := range rows {
		at := l.places(t.rows[i], t.keys[i])
		if at == nil {
			continue
		}
		fit++
		for j := range out.Gaps {
			g, from, n := &out.Gaps[j], at[j][0], at[j][1]-at[j][0]
			g.From, g.To, g.Least, g.Most = min(g.From, from), max(g.To, from), min(g.Least, n), max(g.Most, n)
		}
	}
	return out, fit
}

// places are where the gaps of a layout begin and end in a key; nil if the layout does not write
// it, whatever the gaps have.
func (l *Layout) places(row []string, key []byte) (at [][2]int) {
	vals := make([]any, len(l.sources))
	gaps := map[*comp]int{}
	for j, x := range l.sources {
		if x.gap != nil {
			gaps[x.gap] = j
			continue
		}
		v, ok := x.rd.parse(row[x.rd.col])
		if !ok {
			return nil
		}
		vals[j] = v
	}
	texts := make([][]byte, len(l.path)) // what the pieces write that the values say
	for n, c := range l.path {
		if texts[n] = c.text; !c.explains() || c.rd == nil {
			continue
		}
		v, ok := c.rd.parse(row[c.rd.col])
		switch {
		case !ok:
			return nil
		case c.kind == isGap:
			texts[n] = []byte(c.step(v.(string)))
		default:
			texts[n], _ = c.way.append(nil, v) // what it refuses writes nothing
		}
	}
	var settle func(n, from int) bool
	settle = func(n, from int) bool {
		if n == len(l.path) {
			k, err := l.schema.AppendKey(nil, vals...)
			return err == nil && bytes.Equal(k, key)
		}
		c := l.path[n]
		least, most := c.spans(texts[n], key[from:])
		for to := from + least; to <= from+most; to++ {
			if c.kind == isGap {
				vals[gaps[c]] = key[from:to]
				at = append(at, [2]int{from, to})
			}
			if settle(n+1, to) {
				return true
			}
			if c.kind == isGap {
				at = at[:len(at)-1]
			}
		}
		return false
	}
	if !settle(0, 0) {
		return nil
	}
	return at
}

// spans is how many bytes of a key a piece may have, at least and at most; the most is less if
// its text is not there.
func (c *comp) spans(text, key []byte) (least, most int) {
	switch {
	case c.kind == isHash || c.kind == isSalt:
		return c.width, min(c.widest, len(key))
	case c.plainGap() && c.opts != "": // of one width
		return len(c.enc[0]), min(len(c.enc[0]), len(key))
	case c.plainGap():
		return 1, len(key)
	case c.kind == isField && c.way.mid && bytes.Equal(key, open(text)):
		return len(key), len(key)
	case !bytes.HasPrefix(key, text):
		return 1, 0
	}
	return len(text), len(text)
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
		out = append(out, constOf(first[:front], len(c.enc)))
	}
	rest := &comp{kind: isGap}
	for _, b := range c.enc {
		rest.enc = append(rest.enc, b[front:len(b)-back])
	}
	n, one := oneWidth(rest.enc)
	if one {
		rest.opts = fmt.Sprintf(" fixed(%d)", n)
	}
	if n > 0 || !one {
		out = append(out, rest)
	}
	if back > 0 {
		out = append(out, constOf(first[len(first)-back:], len(c.enc)))
	}
	return out
}

// constOf is a constant in n keys.
func constOf(text []byte, n int) *comp {
	return &comp{kind: isConst, text: text, enc: slices.Repeat([][]byte{text}, n)}
}
