package plan

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/query"
	"github.com/hbase-rowkey/rowkey/internal/walk"
)

// keepUnstored keeps what Match asks of fields that are not stored.
func (pl *Planner) keepUnstored() {
	s, p := pl.s, pl.p
	if !slices.ContainsFunc(s.Fields, func(c *layout.Component) bool { return c.Absent && (p.con(c.Ord).Said || pl.isOpen(c.Ord)) }) {
		return
	}
	u := &unstored{}
	named := make(map[int][]layout.Val)
	for _, f := range s.Fields {
		if k := p.con(f.Ord); f.Absent && (k.Said || pl.isOpen(f.Ord)) {
			vals, ok := pl.all[f.Ord], pl.isOpen(f.Ord) // those that the ranges are made of, else a key in none of these would match
			if !ok {
				if vals, ok = givenValue(f, k); ok {
					vals, _ = pl.storable(f, vals)
				}
			}
			if ok {
				if named[f.Ord] = vals; len(vals) == 0 {
					p.may = false
					return
				}
			}
		}
	}
	for _, c := range s.Derived {
		if c.Absent || c.Rest {
			continue
		}
		hidden, known := 0, 0
		for _, ord := range c.Deps {
			if s.Fields[ord].Absent {
				hidden++
				if named[ord] != nil {
					known++
				}
			}
		}
		switch {
		case hidden == 0:
		case known == hidden:
			u.join(c, s)
		case c.Role == layout.RoleCopy && !bound.IsOneWay(c): // whose bytes are never read back
			if k, ok := pl.copied(c, false); ok {
				u.copies = append(u.copies, givenCopy{c, k})
			}
		}
	}
	most := max(query.MostChoices, pl.max)
	u.groups = slices.DeleteFunc(u.groups, func(g *givenGroup) bool { return !g.fill(pl, named, most) })
	p.rest().unstored = u
}

// unstored is what the conditions give of fields that no key holds, and of what
// is computed from them.
type unstored struct {
	groups []*givenGroup
	copies []givenCopy
}

// givenGroup is derived components that share fields which are not stored, and
// the values that the conditions name of those.
type givenGroup struct {
	ords   []int
	vals   [][]layout.Val // one row for each combination; its values are in the order of ords
	alone  []*layout.Component
	mixed  []*layout.Component // computed from stored fields besides
	byForm map[string][]int32  // the combinations that give these forms of alone
}

// givenCopy is a copy of a field that lies in intervals.
type givenCopy struct {
	c *layout.Component
	k query.Constraint
}

// agrees reports that a combination of values gives all the forms that are in the key.
func (g *givenGroup) agrees(s *layout.Schema, key []byte, at layout.Spans, vals []layout.Val) bool {
	var room [256]byte
	forms := room[:0]
	for _, c := range g.alone {
		forms = appendCounted(forms, key[at[c.Index]:at[c.Index+1]])
	}
	for _, n := range g.byForm[string(forms)] {
		for i, ord := range g.ords {
			vals[ord] = g.vals[n][i]
		}
		if !slices.ContainsFunc(g.mixed, func(c *layout.Component) bool { return s.Differs(nil, c, key, at, layout.Row{Vals: vals}) }) {
			return true
		}
	}
	return false
}

// appendCounted appends the length of a form in 2 bytes, and then the form: 61 62 becomes
// 00 02 61 62.
func appendCounted(dst, form []byte) []byte {
	return append(binary.BigEndian.AppendUint16(dst, uint16(len(form))), form...)
}

// givenValue is the values that a constraint names.
func givenValue(c *layout.Component, k *query.Constraint) ([]layout.Val, bool) {
	if k.Named && !c.IsText() {
		return query.ValuesOf(c, nil, k.Nums(), math.MaxInt)
	}
	return query.PointsOf(c, new(query.Room), k)
}

// join adds a derived component to the groups, and makes one of those that it
// shares fields with.
func (u *unstored) join(c *layout.Component, s *layout.Schema) {
	g := &givenGroup{}
	alone := !c.Trims
	for _, ord := range c.Deps {
		if s.Fields[ord].Absent {
			g.ords = append(g.ords, ord)
		} else {
			alone = false
		}
	}
	if alone {
		g.alone = []*layout.Component{c}
	} else {
		g.mixed = []*layout.Component{c}
	}
	u.groups = slices.DeleteFunc(u.groups, func(o *givenGroup) bool {
		if !slices.ContainsFunc(o.ords, func(ord int) bool { return slices.Contains(g.ords, ord) }) {
			return false
		}
		for _, ord := range o.ords {
			if !slices.Contains(g.ords, ord) {
				g.ords = append(g.ords, ord)
			}
		}
		g.alone, g.mixed = append(g.alone, o.alone...), append(g.mixed, o.mixed...)
		return true
	})
	u.groups = append(u.groups, g)
}

// fill lists the combinations of a group; false if they are more than most.
func (g *givenGroup) fill(pl *Planner, named map[int][]layout.Val, most int) bool {
	s, total := pl.s, 1
	for _, ord := range g.ords {
		if total *= len(named[ord]); total > most {
			return false
		}
	}
	g.byForm = make(map[string][]int32, total)
	vals := make([]layout.Val, len(s.Fields))
	for n := range total {
		combination := make([]layout.Val, len(g.ords))
		rest := n
		for i, ord := range g.ords {
			combination[i] = named[ord][rest%len(named[ord])]
			vals[ord] = combination[i]
			rest /= len(named[ord])
		}
		var forms []byte
		writes := true
		for _, c := range g.alone {
			form, _, err := s.Derive(nil, c, layout.Row{Vals: vals}, nil)
			pl.mind(c, err)
			writes = writes && err == nil
			forms = appendCounted(forms, form)
		}
		if writes { // else no row has these values
			g.byForm[string(forms)] = append(g.byForm[string(forms)], int32(len(g.vals)))
			g.vals = append(g.vals, combination)
		}
	}
	return true
}

// Tests compiles what the query asks of a key, for Match. It is nil where Match takes the
// components one by one.
func (p *Plan) Tests() *walk.Tests {
	if !p.may || p.unstored() != nil || p.buckets() != nil || p.S == nil || p.S.Loose > 0 {
		return nil
	}
	return p.Walk.Tests(p.cons())
}

// Match tests one row against the whole query, by the components.
func (p *Plan) Match(key []byte) bool {
	s := p.S
	if !p.may {
		return false
	}
	if s.Loose > 0 {
		return p.matchLoose(key)
	}
	var few [layout.FewSpans]uint16
	at := s.Spans(few[:])
	return s.Split(key, at, false) == nil && p.matches(key, at)
}

// matchLoose is Match where the end of some component must be tried.
func (p *Plan) matchLoose(key []byte) bool {
	s := p.S
	if len(key) == 0 || len(key) > s.MaxLen {
		return false
	}
	r := layout.Readings{S: s, Key: key, At: make(layout.Spans, len(s.Comps)+1)}
	found := false
	all := r.Each(func() bool {
		found = p.matches(key, r.At)
		return !found
	})
	return found || !all
}

// matches tests one reading of a key.
func (p *Plan) matches(key []byte, at layout.Spans) bool {
	s := p.S
	var room [layout.FewFields]layout.Val
	var text [128]byte
	vals, scratch := room[:0], text[:0]
	for _, c := range s.Fields {
		var v layout.Val
		if !c.Absent {
			var err error
			v, scratch, err = c.Decode(scratch, key[at[c.Index]:at[c.Index+1]])
			switch k := p.con(c.Ord); {
			case err == fault.ErrAmbiguous: // some of its fill may be its own
				return p.matchesFilled(key, at)
			case err != nil || k.Said && !k.Match(c, v):
				return false
			}
		}
		vals = append(vals, v)
	}
	return p.fits(key, at, vals)
}

// fits reports that the salts, hashes and copies of a key are those of its values, and that the query asks for
// them.
func (p *Plan) fits(key []byte, at layout.Spans, vals []layout.Val) bool {
	if len(p.S.Derived) == 0 {
		return true
	}
	return p.inBuckets(key, at) && p.S.Verify(key, at, layout.Row{Vals: vals}) == nil && p.agrees(key, at, vals)
}

// matchesFilled is matches for a key in which some forms may be of several values: one combination of them is
// enough. It is true, too, if there are more of them than are tried.
func (p *Plan) matchesFilled(key []byte, at layout.Spans) bool {
	all, left := make([][]layout.Val, len(p.S.Fields)), query.MostChoices
	for i, c := range p.S.Fields {
		if c.Absent {
			all[i] = make([]layout.Val, 1)
			continue
		}
		form, k := key[at[c.Index]:at[c.Index+1]], p.con(i)
		v, _, err := c.Decode(nil, form)
		switch {
		case err == nil:
			all[i] = []layout.Val{v}
		case err == fault.ErrAmbiguous:
			all[i] = slices.Collect(c.Fillings(form))
		}
		if k.Said {
			all[i] = slices.DeleteFunc(all[i], func(v layout.Val) bool { return !k.Match(c, v) })
		}
		if left /= max(1, len(all[i])); left == 0 {
			return true
		}
	}
	for vals := range rows(nil, all) {
		if p.fits(key, at, vals) {
			return true
		}
	}
	return false
}

// agrees reports that the salts, hashes and copies of a key are what the
// conditions give, as far as they are computed from fields that are not stored.
func (p *Plan) agrees(key []byte, at layout.Spans, vals []layout.Val) bool {
	u := p.unstored()
	if u == nil {
		return true
	}
	for i := range u.copies {
		g := &u.copies[i]
		v, _, err := g.c.Decode(nil, key[at[g.c.Index]:at[g.c.Index+1]])
		if err == nil && !g.k.Match(g.c, v) {
			return false
		}
	}
	return !slices.ContainsFunc(u.groups, func(g *givenGroup) bool { return !g.agrees(p.S, key, at, vals) })
}
