package plan

import (
	"math"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// A salt or hash can be computed from a coarse copy of a time, as a bucket of user and
// month is. Then all times of one month have the same bucket. If the query limits the time
// to an interval of two months, two times are enough to compute all its buckets: one time
// of each month stands for all others of that month.

// standIns finds times that stand for all times of an interval. It looks at the fields that
// the query limits to an interval and of which salts and hashes take only coarse copies.
func (pl *Planner) standIns() {
	for _, f := range pl.s.Fields {
		k := pl.p.con(f.Ord)
		if f.Kind != layout.KindTime || pl.points[f.Ord] || !pl.narrow[f.Ord] || k.Null {
			continue
		}
		pl.all[f.Ord] = nil
		if copies := pl.salted(f); len(copies) > 0 {
			pl.all[f.Ord] = standInsOf(f, copies, k.Nums())
		}
		if len(pl.all[f.Ord]) > 0 {
			pl.stands = stood
		}
	}
	pl.listOpen()
}

// listOpen lists the values of fields of few values that the query leaves open, or leaves an
// interval. A salt or hash of them has then at most so many values: of a Bool and a number that is
// 7 it has two, where all its values may be 65,536.
func (pl *Planner) listOpen() {
	for _, c := range pl.s.Derived {
		if c.Role == layout.RoleCopy || c.Absent || c.Rest {
			continue
		}
		product := 1.0
		var open []int
		for _, ord := range c.Deps {
			f := pl.s.Fields[ord]
			if pl.points[ord] || pl.known(c, ord) && !pl.isOpen(ord) {
				continue
			}
			n, few := f.Finite()
			if !few || n > uint64(pl.max) {
				product = math.Inf(1)
				break
			}
			product *= float64(n)
			open = append(open, ord)
		}
		if len(open) == 0 || product >= c.Count() || product > float64(pl.max) {
			continue
		}
		for _, ord := range open {
			f, k := pl.s.Fields[ord], pl.p.con(ord)
			vals, _ := pl.storable(f, query.EveryValue(f))
			if k.Said {
				vals = slices.DeleteFunc(vals, func(v layout.Val) bool { return !k.Match(f, v) })
			}
			pl.all[ord], pl.stands = vals, stood
			if pl.open == nil {
				pl.open = make([]bool, len(pl.s.Fields))
			}
			pl.open[ord], pl.hidden = true, pl.hidden || f.Absent
		}
	}
}

// isOpen reports that the values of a field are listed although the query leaves it open.
func (pl *Planner) isOpen(ord int) bool { return pl.open != nil && pl.open[ord] }

// salted is the copies of a time that salts and hashes are computed over.
func (pl *Planner) salted(f *layout.Component) (copies []*layout.Component) {
	for _, c := range pl.s.Derived {
		if !takesCopies(c, f) || c.Absent {
			continue
		}
		for _, in := range c.In.Comps {
			if in.Role == layout.RoleCopy && in.Of == f && !slices.Contains(copies, in) {
				copies = append(copies, in)
			}
		}
	}
	return copies
}

// known reports that a derived component can be computed as far as one of its fields goes:
// the field has points, or times that stand for its interval.
func (pl *Planner) known(c *layout.Component, ord int) bool {
	if pl.points[ord] || pl.isOpen(ord) && c.Role != layout.RoleCopy {
		return true
	}
	f := pl.s.Fields[ord]
	if pl.isOpen(ord) || len(pl.all[ord]) == 0 || f.Kind != layout.KindTime {
		return false
	}
	if c.Role == layout.RoleCopy { // one that is not salted may have more values
		return slices.Contains(pl.salted(f), c)
	}
	return takesCopies(c, f)
}

// coarse reports that a derived component is computed of a field without points: of times that stand for
// others, for example.
func (pl *Planner) coarse(c *layout.Component) bool {
	return slices.ContainsFunc(c.Deps, func(ord int) bool { return !pl.points[ord] })
}

// takesCopies reports that a salt or hash takes a time only as its copies write it.
func takesCopies(c *layout.Component, f *layout.Component) bool {
	if c.Role != layout.RoleSalt && c.Role != layout.RoleHash || c.Rest || c.Role == layout.RoleSalt && c.OfNumber() {
		return false
	}
	if c.In.Form != layout.ByValues && c.In.Form != layout.ByText && c.In.Form != layout.ByStored {
		return false
	}
	some := false
	for _, in := range c.In.Comps {
		switch {
		case in == f:
			return false
		case in.Role == layout.RoleCopy && in.Of == f:
			some = true
			if in.Kind != layout.KindTime {
				return false
			}
		}
	}
	return some
}

// standInsOf gives one value of the field for each value that its copies have in some spans.
// It gives none if there are many, or if one of them is not known.
func standInsOf(c *layout.Component, copies []*layout.Component, spans []query.Numbers) (out []layout.Val) {
	for _, sp := range spans {
		sp, some := query.SnapSpan(c, sp)
		for some {
			if len(out) == query.ShortInterval {
				return nil
			}
			out = append(out, layout.Val{Num: c.Unrank(sp.Lo), Ok: true})
			next, ok := nextCopies(copies, sp)
			if !ok {
				return nil
			}
			if next == 0 {
				break
			}
			sp, some = query.SpanLeft(c, next, sp.Hi, true)
		}
	}
	return out
}

// nextCopies gives the first place in a span at which a copy has another value than at the
// span's lower end; 0 if there is none. False if a copy has many values in the span, or
// cannot be made of its times.
func nextCopies(copies []*layout.Component, sp query.Numbers) (next uint64, ok bool) {
	for _, in := range copies {
		first, okLo := copyNum(in, sp.Lo)
		last, okHi := copyNum(in, sp.Hi)
		if !okLo || !okHi {
			return 0, false
		}
		if first == last {
			continue
		}
		if _, few := query.ValuesOf(in, nil, []query.Numbers{{Lo: in.Rank(first), Hi: in.Rank(last)}}, query.ShortInterval); !few {
			return 0, false
		}
		lo, hi := sp.Lo, sp.Hi // the copy is the first at lo and another at hi
		for hi-lo > 1 {
			mid := lo + (hi-lo)/2
			n, ok := copyNum(in, mid)
			if !ok {
				return 0, false
			}
			if n == first {
				lo = mid
			} else {
				hi = mid
			}
		}
		if next == 0 || hi < next {
			next = hi
		}
	}
	return next, true
}

// copyNum gives the number of a copy from the place of its time. False if the copy has no
// such number, or if no valid time has this place.
func copyNum(c *layout.Component, u uint64) (uint64, bool) {
	n := c.Of.Unrank(u)
	if c.Of.Unit.Broken(n) != nil {
		return 0, false
	}
	return c.TimeNum(c.Of.Instant(n))
}
