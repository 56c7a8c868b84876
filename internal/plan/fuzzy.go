package plan

import (
	"iter"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/piece"
)

// fuzzy gives the key and the mask of one combination. False if no row can have it.
func (pl *Planner) fuzzy(comps []*layout.Component, r layout.Row) (key, mask []byte, ok bool) {
	for _, c := range comps {
		at := len(key)
		any := byte(0)
		var err error
		known := true
		switch {
		case c.Role == layout.RoleLiteral:
			key = append(key, c.Lit...)
		case c.Role == layout.RoleField && pl.points[c.Ord]:
			v, _ := r.Get(c.Ord)
			key, err = c.AppendForm(key, v)
		case c.Derived() && pl.computable(c):
			key, known, err = pl.s.Derive(key, c, r, nil)
		default:
			any = 1
			shared := pl.shared(c)
			key = append(append(key, shared...), make([]byte, c.Shape.Min-len(shared))...)
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
	last := len(mask) // open bytes at the end filter nothing
	for last > 0 && mask[last-1] == 1 {
		last--
	}
	key, mask = key[:last], mask[:last]
	return key, mask, true
}

// shared gives the first bytes that all stored forms of a number have in common, if the
// query limits it to intervals. For a 2-byte number in [256, 300], 01 00 to 01 2c, it is 01.
func (pl *Planner) shared(c *layout.Component) []byte {
	if c.Role != layout.RoleField || c.IsText() || c.Vias > 0 || !c.Shape.Fixed() || !pl.narrow[c.Ord] {
		return nil
	}
	pieces, _, ok := piece.Of(c, nil, nil, &pl.p.Cons[c.Ord])
	if !ok || len(pieces) == 0 {
		return nil
	}
	shared := pieces[0].Lo
	for i := range pieces {
		q := &pieces[i]
		if q.HiOpen || q.LoBehind || !q.HiBehind {
			return nil
		}
		for _, end := range [][]byte{q.Lo, q.Hi} {
			shared = shared[:bound.Alike(shared, end, len(shared))]
		}
	}
	return shared
}

// Fuzzy yields the pairs of a FuzzyRowFilter, none if they are no help.
func (p *Plan) Fuzzy() iter.Seq2[[]byte, []byte] {
	pl := &Planner{task: task{s: p.S, p: p, max: layout.MaxForms}}
	if len(p.Ranges) == 0 {
		return func(func([]byte, []byte) bool) {}
	}
	if !pl.study() || pl.fault != nil { // a step that panics says nothing of its rows
		return func(func([]byte, []byte) bool) {}
	}
	var choices []choice
	var comps []*layout.Component
	useful := false // something is fixed behind something open
	open := false
	total := 1
	chosen := make([]bool, len(p.S.Fields))
	choose := func(c *layout.Component) {
		if !chosen[c.Ord] {
			chosen[c.Ord] = true
			total = min(total, layout.MaxForms+1) * max(1, len(pl.all[c.Ord]))
			choices = append(choices, choice{c: c, n: len(pl.all[c.Ord])})
		}
	}
	for i := range p.S.Comps {
		c := &p.S.Comps[i]
		fixed := c.Role == layout.RoleLiteral || c.Role == layout.RoleField && pl.points[c.Ord] || c.Derived() && pl.computable(c)
		if !c.Absent && (c.Loose || c.Optional || c.Trims || !fixed && !c.Shape.Fixed()) {
			break // a pair is not longer than any row
		}
		if c.Absent {
			continue
		}
		comps = append(comps, c)
		switch {
		case !fixed:
			useful = useful || open && len(pl.shared(c)) > 0
			open = true
		case c.Role == layout.RoleField:
			choose(c)
			useful = useful || open
		case c.Derived():
			for _, ord := range c.Deps {
				choose(p.S.Fields[ord])
			}
			useful = useful || open
		}
	}
	if !useful || total > layout.MaxForms {
		return func(func([]byte, []byte) bool) {}
	}
	var keys, masks [][]byte
	vals := make([]layout.Val, len(p.S.Fields))
	at := make([]int, len(choices))
	for range total {
		for i, ch := range choices {
			vals[ch.c.Ord] = pl.all[ch.c.Ord][at[i]]
		}
		key, mask, possible := pl.fuzzy(comps, layout.Row{Vals: vals})
		switch {
		case pl.fault != nil:
			return func(func([]byte, []byte) bool) {}
		case !possible:
		case !slices.Contains(mask, 1): // all fixed: what is open stands at its end
			return func(func([]byte, []byte) bool) {}
		default:
			keys, masks = append(keys, key), append(masks, mask)
		}
		bound.Turn(len(at), func(i int) bool {
			at[i] = bound.Next(at[i], choices[i].n)
			return at[i] > 0
		})
	}
	return func(yield func([]byte, []byte) bool) {
		for i := range keys {
			if !yield(keys[i], masks[i]) {
				return
			}
		}
	}
}
