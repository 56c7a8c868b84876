package plan

import (
	"bytes"
	"cmp"
	"iter"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// Compare orders two keys as Merge does.
func (p *Plan) Compare(a, b []byte) int {
	n, m := max(0, p.Lead(a)), max(0, p.Lead(b))
	c := cmp.Or(bytes.Compare(a[n:], b[m:]), bytes.Compare(a[:n], b[:m]))
	if p.IsReversed {
		return -c
	}
	return c
}

// OrderedBy yields the components that decide the order of Merge.
func (p *Plan) OrderedBy() iter.Seq[*layout.Component] {
	return func(yield func(*layout.Component) bool) {
		if p.S == nil {
			return
		}
		o := sorting{p, make([]bool, len(p.S.Fields))}
		for i, c := range p.S.Fields {
			if k := p.con(i); k.Said {
				vals, ok := query.PointsOf(c, new(query.Room), k)
				o.fixed[i] = ok && len(vals) == 1
			}
		}
		for i := range p.S.Comps[p.Leads:] {
			if c := &p.S.Comps[p.Leads+i]; o.open(c) && !yield(c) {
				return
			}
		}
		for i := range p.S.Comps[:p.Leads] {
			if c := &p.S.Comps[i]; o.decides(c) && !yield(c) {
				return
			}
		}
	}
}

// sorting is what the conditions fix to one value, for OrderedBy.
type sorting struct {
	p     *Plan
	fixed []bool // of each field
}

// open reports that two rows of the plan may differ in a component.
func (o *sorting) open(c *layout.Component) bool {
	switch {
	case c.Absent, c.Role == layout.RoleLiteral:
		return false
	case c.Role == layout.RoleField:
		return !o.fixed[c.Ord]
	case o.p.bucketed(c).one():
		return false
	case len(c.Deps) == 0:
		return c.Count() > 1
	}
	return slices.ContainsFunc(c.Deps, func(ord int) bool { return !o.fixed[ord] })
}

// decides reports that two rows may differ in a leading component although they are equal
// after the leading ones, and in the leading ones before it. A salt or hash can if it is
// computed from a field that is not stored, or from a leading component after it that can.
func (o *sorting) decides(c *layout.Component) bool {
	if !o.open(c) || c.Role == layout.RoleField {
		return o.open(c)
	}
	if slices.ContainsFunc(c.Deps, func(ord int) bool { return o.p.S.Fields[ord].Absent && !o.fixed[ord] }) {
		return true
	}
	for i := c.Index + 1; i < o.p.Leads; i++ {
		d := &o.p.S.Comps[i]
		if (c.Rest || d.Role == layout.RoleField && slices.Contains(c.Deps, d.Ord)) && o.decides(d) {
			return true
		}
	}
	return false
}
