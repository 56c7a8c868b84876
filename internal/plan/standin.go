package plan

import (
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// A salt or hash over a coarse copy of a time, as a bucket of user and month,
// depends on no more than the copy. An interval of the time that has few values of
// the copy is then enough to compute it: one time of each value stands for all
// the others.

// standIns finds times that stand for the fields which are limited to an
// interval, and of which salts and hashes take coarse copies alone.
func (pl *Planner) standIns() {
	if pl.fanned {
		return
	}
	for _, f := range pl.s.Fields {
		k := &pl.p.Cons[f.Ord]
		if f.Kind != layout.KindTime || pl.points[f.Ord] || !pl.narrow[f.Ord] || k.Null {
			continue
		}
		pl.all[f.Ord] = nil
		if copies := pl.salted(f); len(copies) > 0 {
			pl.all[f.Ord] = standInsOf(f, copies, k.Nums)
		}
		pl.stood = pl.stood || len(pl.all[f.Ord]) > 0
	}
}

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

// known reports that all that a derived component takes of a field is known for
// each way to choose.
func (pl *Planner) known(c *layout.Component, ord int) bool {
	if pl.points[ord] {
		return true
	}
	f := pl.s.Fields[ord]
	if len(pl.all[ord]) == 0 || f.Kind != layout.KindTime {
		return false
	}
	if c.Role == layout.RoleCopy { // one that is not salted may have more values
		return slices.Contains(pl.salted(f), c)
	}
	return takesCopies(c, f)
}

// stands reports that a derived component is computed of times that stand for others.
func (pl *Planner) stands(c *layout.Component) bool {
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

// standInsOf is one value of the field for each that its copies have in some spans;
// none if they are many, or one cannot be told.
func standInsOf(c *layout.Component, copies []*layout.Component, spans []query.Numbers) (out []layout.Val) {
	for _, sp := range spans {
		sp, some := query.SnapSpan(c, sp)
		for some {
			if len(out) == query.ShortInterval {
				return nil
			}
			out = append(out, layout.Val{Num: c.Unrank(sp.Lo), Ok: true})
			next, ok := nextCopies(c, copies, sp)
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

// nextCopies is the first place in a span at which some copy is another than at its
// lower end, 0 if there is none; false if a copy has many values in it, or does
// not take them.
func nextCopies(c *layout.Component, copies []*layout.Component, sp query.Numbers) (next uint64, ok bool) {
	for _, in := range copies {
		first, okLo := copyNum(in, c, c.Unrank(sp.Lo))
		last, okHi := copyNum(in, c, c.Unrank(sp.Hi))
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
			n, ok := copyNum(in, c, c.Unrank(mid))
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

// copyNum is a copy's number of a time's; false if it has none, or the time's own
// unit has no such step.
func copyNum(c *layout.Component, of *layout.Component, n uint64) (uint64, bool) {
	if of.Unit.Broken(n) != nil {
		return 0, false
	}
	return c.TimeNum(of.Instant(n))
}
