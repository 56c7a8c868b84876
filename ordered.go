package rowkey

import (
	"bytes"
	"cmp"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"iter"
)

// Compare orders two keys as Merge does.
func (p *queryPlan) Compare(a, b []byte) int {
	n, m := max(0, p.lead(a)), max(0, p.lead(b))
	c := cmp.Or(bytes.Compare(a[n:], b[m:]), bytes.Compare(a[:n], b[:m]))
	if p.reversed {
		return -c
	}
	return c
}

// OrderedBy yields the components that decide the order of Merge.
func (p *queryPlan) OrderedBy() iter.Seq[*layout.Component] {
	return func(yield func(*layout.Component) bool) {
		fixed := make([]bool, len(p.s.Fields))
		for i, c := range p.s.Fields {
			if k := &p.cons[i]; k.said {
				vals, ok := pointsOf(c, new(room), k)
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
		if each(p.s.Comps[p.leads:], open) {
			each(p.s.Comps[:p.leads], func(c *layout.Component) bool { return c.Role == layout.RoleField && open(c) })
		}
	}
}
