package plan

import (
	"bytes"
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
			v, _ := r.Value(c)
			key, err = c.AppendForm(key, &v)
		case c.Derived() && pl.computable(c):
			key, known, err = pl.s.Derive(key, c, r, nil)
			if q := pl.p.bucketed(c); q != nil && known && err == nil && !q.holds(key[at:]) {
				return nil, nil, false
			}
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
		mask = append(mask, bytes.Repeat([]byte{any}, len(key)-at)...)
	}
	mask = bytes.TrimRight(mask, "\x01") // open bytes at the end filter nothing
	return key[:len(mask)], mask, true
}

// shared gives the first bytes that all stored forms of a number have in common, if the
// query limits it to intervals. For a 2-byte number in [256, 300], 01 00 to 01 2c, it is 01.
func (pl *Planner) shared(c *layout.Component) []byte {
	if c.Role != layout.RoleField || c.IsText() || c.Vias > 0 || !c.Shape.Fixed() || !pl.narrow[c.Ord] {
		return nil
	}
	pieces, _, ok := piece.Of(c, nil, nil, pl.p.con(c.Ord))
	if !ok || len(pieces) == 0 {
		return nil
	}
	shared := pieces[0].Lo
	for i := range pieces {
		q := &pieces[i]
		if q.HiOpen || q.LoAfter || !q.HiAfter {
			return nil
		}
		shared = shared[:bound.Alike(q.Lo, q.Hi, bound.Alike(shared, q.Lo, len(shared)))]
	}
	return shared
}

// Fuzzy yields the pairs of a FuzzyRowFilter, none if they are no help.
func (p *Plan) Fuzzy() iter.Seq2[[]byte, []byte] {
	pl := &Planner{said: said{s: p.S, p: p, max: layout.MaxForms}}
	var keys, masks [][]byte
	if p.Ranges.Len() > 0 && pl.study() {
		keys, masks = pl.pairs()
	}
	if pl.fault != nil { // a transform that panics says nothing of its rows
		keys = nil
	}
	return func(yield func([]byte, []byte) bool) {
		for i := range keys {
			if !yield(keys[i], masks[i]) {
				return
			}
		}
	}
}

// pairs are the keys and masks of a filter, one for each combination of the values that
// the query names; none if they are no help, or too many.
func (pl *Planner) pairs() (keys, masks [][]byte) {
	comps, choices := pl.fuzzyChoices()
	total := 1
	for _, ch := range choices {
		total = min(total, layout.MaxForms+1) * max(1, ch.n)
	}
	if comps == nil || total > layout.MaxForms {
		return nil, nil
	}
	vals := make([]layout.Val, len(pl.s.Fields))
	for range total {
		for _, ch := range choices {
			vals[ch.c.Ord] = pl.all[ch.c.Ord][ch.at]
		}
		key, mask, possible := pl.fuzzy(comps, layout.Row{Vals: vals})
		switch {
		case !possible:
		case !slices.Contains(mask, 1): // all fixed: what is open stands at its end
			return nil, nil
		default:
			keys, masks = append(keys, key), append(masks, mask)
		}
		bound.Turn(len(choices), func(i int) bool { return choices[i].next() })
	}
	return keys, masks
}

// fuzzyChoices are the components of a pair, as many as have a sure place in every row,
// and the fields whose values the query names. There are no components if no pair
// helps: if nothing is fixed after something open. One pass over the components, whose order says
// what is open before what is fixed.
func (pl *Planner) fuzzyChoices() (comps []*layout.Component, choices []choice) {
	useful, open := false, false
	chosen := make([]bool, len(pl.s.Fields))
	choose := func(ord int) {
		if !chosen[ord] {
			chosen[ord] = true
			choices = append(choices, choice{c: pl.s.Fields[ord], n: len(pl.all[ord])})
		}
	}
	for i := range pl.s.Comps {
		c := &pl.s.Comps[i]
		if c.Absent {
			continue
		}
		fixed := c.Role == layout.RoleLiteral || c.Role == layout.RoleField && pl.points[c.Ord] || c.Derived() && pl.computable(c)
		if c.Loose || c.Optional || c.Trims || !fixed && !c.Shape.Fixed() {
			break // a pair is not longer than any row
		}
		comps = append(comps, c)
		switch {
		case !fixed:
			useful = useful || open && len(pl.shared(c)) > 0
			open = true
		case c.Role == layout.RoleField:
			choose(c.Ord)
			useful = useful || open
		case c.Derived():
			for _, ord := range c.Deps {
				choose(ord)
			}
			useful = useful || open
		}
	}
	if !useful {
		return nil, nil
	}
	return comps, choices
}
