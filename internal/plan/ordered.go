package plan

import (
	"bytes"
	"cmp"
	"iter"

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
		fixed := make([]bool, len(p.S.Fields))
		for i, c := range p.S.Fields {
			if k := &p.Cons[i]; k.Said {
				vals, ok := query.PointsOf(c, new(query.Room), k)
				fixed[i] = ok && len(vals) == 1
			}
		}
		each := func(comps []layout.Component, want func(c *layout.Component) bool) bool {
			for i := range comps {
				c := &comps[i]
				if c.Absent || !want(c) {
					continue
				}
				if !yield(c) {
					return false
				}
			}
			return true
		}
		open := func(c *layout.Component) bool {
			switch c.Role {
			case layout.RoleLiteral:
				return false
			case layout.RoleField:
				return !fixed[c.Ord]
			}
			for _, ord := range c.Deps {
				if !fixed[ord] {
					return true
				}
			}
			return len(c.Deps) == 0 && c.Count() > 1
		}
		if each(p.S.Comps[p.Leads:], open) {
			each(p.S.Comps[:p.Leads], func(c *layout.Component) bool { return c.Role == layout.RoleField && open(c) })
		}
	}
}
