package rowkey

import (
	"iter"
	"slices"
)

// Fuzzy yields pairs for HBase's FuzzyRowFilter, a key and its mask (0 fixed, 1
// any), if the query fixes something behind what it leaves open: rows between
// are then skipped by the server. It yields none where the filter could not
// help, never a mask that is all fixed (servers from 2.4.18 on take that for
// every row), and never loses a row of the query.
func (p *Plan) Fuzzy() iter.Seq2[[]byte, []byte] {
	pl := &planner{task: task{s: p.s, p: p, max: maxForms}}
	if len(p.ranges) == 0 {
		return func(func([]byte, []byte) bool) {}
	}
	if !pl.study() || pl.fault != nil { // a step that panics says nothing of its rows
		return func(func([]byte, []byte) bool) {}
	}
	var choices []choice
	var comps []*component
	useful := false // something is fixed behind something open
	open := false
	total := 1
	chosen := make([]bool, len(p.s.fields))
	choose := func(c *component) {
		if !chosen[c.ord] {
			chosen[c.ord] = true
			total = min(total, maxForms+1) * max(1, len(pl.all[c.ord]))
			choices = append(choices, choice{c: c, n: len(pl.all[c.ord])})
		}
	}
	for i := range p.s.comps {
		c := &p.s.comps[i]
		fixed := c.role == roleLiteral || c.role == roleField && pl.points[c.ord] || c.derived() && pl.computable(c)
		if !c.absent && (c.loose || c.optional || c.trims || !fixed && !c.shape.Fixed()) {
			break // a pair is not longer than any row
		}
		if c.absent {
			continue
		}
		comps = append(comps, c)
		switch {
		case !fixed:
			useful = useful || open && len(pl.shared(c)) > 0
			open = true
		case c.role == roleField:
			choose(c)
			useful = useful || open
		case c.derived():
			for _, ord := range c.deps {
				choose(p.s.fields[ord])
			}
			useful = useful || open
		}
	}
	if !useful || total > maxForms {
		return func(func([]byte, []byte) bool) {}
	}
	var keys, masks [][]byte
	vals := make([]val, len(p.s.fields))
	at := make([]int, len(choices))
	for range total {
		for i, ch := range choices {
			vals[ch.c.ord] = pl.all[ch.c.ord][at[i]]
		}
		key, mask, possible := pl.fuzzy(comps, row{vals: vals})
		switch {
		case pl.fault != nil:
			return func(func([]byte, []byte) bool) {}
		case !possible:
		case !slices.Contains(mask, 1): // all fixed: what is open stands at its end
			return func(func([]byte, []byte) bool) {}
		default:
			keys, masks = append(keys, key), append(masks, mask)
		}
		for i := len(at) - 1; i >= 0; i-- {
			if at[i]++; at[i] < choices[i].n {
				break
			}
			at[i] = 0
		}
	}
	return func(yield func([]byte, []byte) bool) {
		for i := range keys {
			if !yield(keys[i], masks[i]) {
				return
			}
		}
	}
}

// fuzzy is the pair of one combination; false if no row can have it.
func (pl *planner) fuzzy(comps []*component, r row) (key, mask []byte, ok bool) {
	for _, c := range comps {
		at := len(key)
		any := byte(0)
		var err error
		known := true
		switch {
		case c.role == roleLiteral:
			key = append(key, c.lit...)
		case c.role == roleField && pl.points[c.ord]:
			v, _ := r.get(c.ord)
			key, err = c.appendForm(key, v)
		case c.derived() && pl.computable(c):
			key, known, err = pl.s.derive(key, c, r, nil)
		default:
			any = 1
			shared := pl.shared(c)
			key = append(append(key, shared...), make([]byte, c.shape.Min-len(shared))...)
			mask = append(mask, make([]byte, len(shared))...)
			at += len(shared)
		}
		if err != nil || !known {
			pl.mind(c, err)
			return nil, nil, false
		}
		for range len(key) - at {
			mask = append(mask, any)
		}
	}
	last := len(mask) // what is open at the end says nothing
	for last > 0 && mask[last-1] == 1 {
		last--
	}
	key, mask = key[:last], mask[:last]
	return key, mask, true
}

// shared is the bytes with which all stored forms of a number begin that the query
// limits to intervals.
func (pl *planner) shared(c *component) []byte {
	if c.role != roleField || c.isText() || c.vias > 0 || !c.shape.Fixed() || !pl.narrow[c.ord] {
		return nil
	}
	pieces, _, ok := piecesOf(c, nil, &pl.p.cons[c.ord])
	if !ok || len(pieces) == 0 {
		return nil
	}
	shared := pieces[0].lo
	for i := range pieces {
		q := &pieces[i]
		if q.hiOpen || q.loBehind || !q.hiBehind {
			return nil
		}
		for _, end := range [][]byte{q.lo, q.hi} {
			n := 0
			for n < min(len(shared), len(end)) && shared[n] == end[n] {
				n++
			}
			shared = shared[:n]
		}
	}
	return shared
}
