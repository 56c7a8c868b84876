package plan

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// From conditions to ranges. The components are walked in key order, and each
// is read in one of these ways, until one leaves more than one interval open:
//
//	constant   a separator or literal
//	points     the field has one of a few values, each with its own form
//	listed     the field is open, or a short interval, but has few values, and
//	           something behind it is limited: each value is a beginning
//	computed   a salt, hash or copy whose fields are points
//	fan        a salt or hash that is open: each value is a beginning
//	pieces     the field is limited to intervals whose forms lie together: the last
//
// A range is one beginning, or a piece behind one. What no range decides is left
// to Match.

// way is how a component is read.
type way struct {
	c     *layout.Component
	how   how
	n     float64      // how many beginnings it makes of one
	vals  []layout.Val // of points and listed
	forms [][]byte     // of a fan
	idle  bool         // points that are all there are: no row is kept out
}

const (
	asConstant how = iota
	asPoints
	asListed // by the query's short interval
	asAll    // every value of an open field
	asComputed
	asFan
	asCoarse // asComputed, of copies that have few values: for String alone
)

// limits reports that a way keeps rows of other values out.
func (w *way) limits() bool {
	return !w.idle && (w.how == asPoints || w.how == asListed || w.how == asComputed)
}

// widens reports that a way only makes more ranges, unless something behind it
// is limited.
func (w *way) widens() bool {
	return w.n > 1 && (w.how == asFan || w.how == asAll || w.idle && w.how == asPoints)
}

// walk decides the way of each component, and where to stop.
func (pl *Planner) walk() error {
	p := pl.p
	product := 1.0
	limited := false // some way keeps rows out
	over := -1       // the way that makes more ranges than are allowed, in front of all that limits
	p.stop = len(pl.s.Comps)
	pl.standIns()
	for i := range pl.s.Comps {
		c := &pl.s.Comps[i]
		if c.Absent {
			continue
		}
		w, ok := pl.way(c, limited)
		many := ok && w.widens() && product*w.n > float64(pl.max)
		if !ok || many && limited { // behind what limits, a cover is better than a refusal
			p.stop, pl.covers = i, pl.covers || ok
			break
		}
		if w.n == 0 { // a copy takes none of the values that are left
			pl.nothing()
			return nil
		}
		if many && over < 0 {
			over = len(pl.ways)
		}
		product *= w.n
		limited = limited || w.limits()
		pl.ways = append(pl.ways, w)
	}
	pieces := pl.piecesAtStop()
	p.pieces = pieces > 0
	pl.countLeads()
	last := -1
	for i := range pl.ways {
		if pl.ways[i].limits() {
			last = i
		}
	}
	if p.pieces {
		last = len(pl.ways)
	}
	switch {
	case last < 0 && !pl.full && pl.uncomputable():
		pl.nothing()
		return nil
	case last < 0 && !pl.full:
		return pl.fullScan()
	case over >= 0 && over < last && !pl.full:
		for _, c := range pl.behind() {
			product *= float64(len(pl.all[c.Ord]))
		}
		return pl.s.ErrAt(pl.ways[over].c.Name, -1, &fault.Detail{Text: fmt.Sprintf("%.0f ranges, one for each value of what is open in front; at most %d", product*float64(max(pieces, 1)), pl.max), Reason: fault.ErrManyRanges})
	}
	// a listing or a fan with nothing limited behind it only makes more ranges
	for i := range pl.ways {
		w := &pl.ways[i]
		bucket := last < 0 && w.c.Index < p.Leads // the whole table, bucket by bucket, so that it can be merged
		if i == over || i > last && w.widens() && !bucket {
			pl.cutAt(i)
			break
		}
	}
	if p.stop < p.Leads {
		p.Leads = 0
	}
	for i := range pl.ways {
		if w := &pl.ways[i]; w.how == asFan {
			w.forms = everyForm(w.c)
		} else if w.how == asAll {
			w.vals = query.EveryValue(w.c)
			w.n = float64(len(w.vals)) // Truncate leaves fewer than the limits say
		}
	}
	return nil
}

// nothing makes the plan empty.
func (pl *Planner) nothing() { pl.ways, pl.p.Ranges, pl.none = pl.ways[:0], nil, true }

// uncomputable reports that a salt, hash or copy cannot be computed of any of the
// values that are left, as a Java hashCode of what is no text: no row has them.
func (pl *Planner) uncomputable() bool {
	for i := range pl.ways {
		w := &pl.ways[i]
		if w.how != asComputed {
			continue
		}
		all := make([][]layout.Val, len(pl.s.Fields))
		total := 1.0
		for i := range all {
			if all[i] = []layout.Val{{}}; slices.Contains(w.c.Deps, i) {
				all[i] = pl.all[i]
			}
			total *= float64(len(all[i]))
		}
		none := total <= query.MostChoices
		for vals := range rows(all) {
			if !none {
				break
			}
			_, known, err := pl.s.Derive(nil, w.c, layout.Row{Vals: vals}, nil)
			pl.mind(w.c, err)
			none = err != nil || !known
		}
		if none {
			return true
		}
	}
	return false
}

// cutAt gives up a way and all behind it.
func (pl *Planner) cutAt(i int) {
	p := pl.p
	p.stop = pl.ways[i].c.Index
	pl.ways = pl.ways[:i]
	p.pieces = false
}

// intervals takes the short intervals, which were points, as intervals; false if
// there is none.
func (pl *Planner) intervals() bool {
	some := false
	for i := range pl.points {
		if k := &pl.p.Cons[i]; pl.points[i] && !k.Named && !pl.s.Fields[i].IsText() && pl.s.Fields[i].Kind != layout.KindBool {
			pl.points[i], pl.all[i] = false, nil
			some = true
		}
	}
	if some {
		pl.clear()
	}
	return some
}

// retreat gives up the last way that lists what the query leaves open, behind
// one that limits it, and all behind that: there are fewer ranges then, and more
// is left to Match. Where the whole table is permitted it gives up any way. False
// if there is none.
func (pl *Planner) retreat() bool {
	p := pl.p
	limited := slices.IndexFunc(pl.ways, func(w way) bool { return w.limits() })
	for i := len(pl.ways) - 1; i >= 0; i-- {
		w := &pl.ways[i]
		if (w.widens() || w.how == asListed && w.n > 1) && limited >= 0 && i > limited || pl.full && (w.n > 1 || w.how == asComputed) {
			pl.oneByOne = true
			p.Ranges = nil
			pl.cutAt(i)
			p.pieces = pl.piecesAtStop() > 0 // a short interval is one piece after all
			if p.stop < p.Leads {
				p.Leads = 0
			}
			return true
		}
	}
	return false
}

// way is how a component in front of the stop is read, where something in front
// of it is limited or nothing is; false if it is the stop.
func (pl *Planner) way(c *layout.Component, limited bool) (way, bool) {
	switch c.Role {
	case layout.RoleLiteral:
		return way{c: c, how: asConstant, n: 1}, true
	case layout.RoleField:
		if pl.points[c.Ord] && !pl.better(c) {
			nothing := pl.writesNothing(c)
			return way{c: c, how: asPoints, n: float64(len(pl.all[c.Ord])), vals: pl.all[c.Ord], idle: !pl.narrow[c.Ord] || nothing}, true
		}
		if !pl.later(c.Index) && !(pl.full && c.Bucket) {
			return way{}, false
		}
		if k := &pl.p.Cons[c.Ord]; pl.narrow[c.Ord] && !c.IsText() && c.Order == forms.Unordered {
			vals, ok := query.ValuesOf(c, nil, k.Nums, pl.max)
			return way{c: c, how: asListed, n: float64(len(vals)), vals: vals}, ok
		}
		n, ok := c.Finite()
		if !ok && !limited { // else a range of what is limited covers all of them
			n, ok = c.Countable()
		}
		return way{c: c, how: asAll, n: float64(n)}, ok && !pl.narrow[c.Ord]
	case layout.RoleCopy:
		return pl.copyWay(c)
	}
	if pl.computable(c) {
		return way{c: c, how: asComputed, n: 1, idle: !pl.asked(c) || c.Count() == 1}, true
	}
	if c.Count() > 1 && !pl.later(c.Index) && !pl.full {
		return way{}, false
	}
	return way{c: c, how: asFan, n: c.Count()}, true
}

// writesNothing reports that a point of a Loose text without an end is empty, so
// that it keeps no row out.
func (pl *Planner) writesNothing(c *layout.Component) bool {
	if !c.IsText() || c.Ends != forms.EndLoose || c.Mark != nil {
		return false
	}
	for i := c.Index + 1; i < len(pl.s.Comps); i++ {
		if next := &pl.s.Comps[i]; next.Role == layout.RoleLiteral {
			return false
		} else if !next.Absent {
			break
		}
	}
	return slices.ContainsFunc(pl.all[c.Ord], func(v layout.Val) bool { return len(v.Text) == 0 })
}

// better reports that a short interval is read as a piece rather than value by
// value: nothing behind it and nothing computed asks for the values.
func (pl *Planner) better(c *layout.Component) bool {
	if pl.p.Cons[c.Ord].Named || pl.later(c.Index) || !pl.hasPieces(c) {
		return false
	}
	for i := range pl.ways {
		if w := &pl.ways[i]; w.how == asComputed && slices.Contains(w.c.Deps, c.Ord) {
			return false
		}
	}
	return true
}

// copyWay reads a copy: computed, or listed from its source's interval.
func (pl *Planner) copyWay(c *layout.Component) (way, bool) {
	if pl.computable(c) {
		return way{c: c, how: asComputed, n: 1, idle: !pl.asked(c)}, true
	}
	k, ok := pl.copied(c)
	if !ok || c.IsText() || !pl.later(c.Index) {
		return way{}, false
	}
	vals, ok := query.ValuesOf(c, nil, k.Nums, query.ShortInterval)
	return way{c: c, how: asListed, n: float64(len(vals)), vals: vals}, ok
}

// copied is what the source's constraint says of a copy's own value, which
// grows with the source's; never more than that.
func (pl *Planner) copied(c *layout.Component) (k query.Constraint, ok bool) {
	of := &pl.p.Cons[c.Of.Ord]
	if !pl.narrow[c.Of.Ord] || c.Order == forms.Unordered && !(c.IsText() && c.Vias > 0 && bound.KeepsPrefixes(c)) {
		return k, false
	}
	if c.IsText() {
		left := c.Kept()
		for _, t := range of.Texts {
			t.Lo = t.Lo[:min(len(t.Lo), left)]
			if !t.Open && len(t.Hi) > left {
				t.Hi = t.Hi[:left] + "\x00" // the copy of what is below hi may be hi's own
			}
			k.Texts = append(k.Texts, t)
		}
		k.Texts = query.JoinTexts(k.Texts)
		return k, true
	}
	for _, sp := range of.Nums {
		if c.Kind == layout.KindTime {
			snapped, some := query.SnapSpan(c.Of, sp)
			if !some {
				continue
			}
			first, last := c.Of.Unrank(snapped.Lo), c.Of.Unrank(snapped.Hi)
			if err := cmp.Or(c.Of.Unit.Broken(first), c.Of.Unit.Broken(last)); err != nil {
				pl.mind(c.Of, err)
				return k, false
			}
			lo, okLo := c.TimeNum(c.Of.Instant(first))
			hi, okHi := c.TimeNum(c.Of.Instant(last))
			if !okLo {
				lo = c.Unrank(query.DomainOf(c).Lo)
			}
			if !okHi {
				hi = c.Unrank(query.DomainOf(c).Hi)
			}
			sp = query.Numbers{Lo: c.Rank(lo), Hi: c.Rank(hi)}
		}
		d := query.DomainOf(c)
		if sp.Lo, sp.Hi = max(sp.Lo, d.Lo), min(sp.Hi, d.Hi); sp.Lo <= sp.Hi {
			k.Nums = append(k.Nums, sp)
		}
	}
	k.Nums = query.JoinNums(k.Nums)
	return k, true
}

// computable reports that all the fields of a derived component have points, or
// values that stand for theirs.
func (pl *Planner) computable(c *layout.Component) bool {
	if c.Rest {
		return false
	}
	for _, ord := range c.Deps {
		if !pl.known(c, ord) {
			return false
		}
	}
	return true
}

// asked reports that the query limits a field of a derived component, one that
// does not stand in front of it anyway.
func (pl *Planner) asked(c *layout.Component) bool {
	return slices.ContainsFunc(c.Deps, func(ord int) bool {
		f := pl.s.Fields[ord]
		return pl.narrow[ord] && (f.Absent || f.Index > c.Index)
	})
}

// later reports that the query limits something that stands behind component i.
func (pl *Planner) later(i int) bool {
	for _, c := range pl.s.Fields {
		if c.Index > i && !c.Absent && pl.narrow[c.Ord] {
			return true
		}
	}
	for _, c := range pl.s.Derived {
		if c.Index <= i || c.Absent {
			continue
		}
		if pl.asked(c) && (c.Role == layout.RoleCopy || pl.computable(c)) {
			return true
		}
	}
	return false
}

// everyForm is all the stored forms of a salt or hash, in key order.
func everyForm(c *layout.Component) [][]byte {
	if c.Forms != nil {
		return c.Forms
	}
	return c.ListForms(int(c.Count()))
}

// countLeads finds the components in front that Merge's order leaves out: salts,
// hashes, buckets of the writer's choice. A Loose one is none of them, since nobody
// can say of a key where it ends.
func (pl *Planner) countLeads() {
	p := pl.p
	for i := range pl.s.Comps[:p.stop] {
		c := &pl.s.Comps[i]
		switch {
		case c.Absent || c.Role == layout.RoleLiteral:
		case c.Role == layout.RoleSalt || c.Role == layout.RoleHash || c.Role == layout.RoleField && c.Bucket && !c.Loose:
			p.Leads = i + 1
		default:
			return
		}
	}
}

// behind are the fields that something is computed from and that have no way of
// their own.
func (pl *Planner) behind() []*layout.Component {
	var out []*layout.Component
	for i := range pl.ways {
		w := &pl.ways[i]
		if w.how != asComputed {
			continue
		}
		for _, ord := range w.c.Deps {
			c := pl.s.Fields[ord]
			if !slices.Contains(out, c) && !slices.ContainsFunc(pl.ways, func(w way) bool { return w.c == c }) {
				out = append(out, c)
			}
		}
	}
	return out
}

type how uint8
