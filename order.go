package rowkey

import (
	"bytes"
	"cmp"
	"iter"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// Order relates stored bytes to values; the zero value is not an order.
type Order uint8

const (
	Forward   = Order(forms.Forward)   // bytes sort as values do
	Backward  = Order(forms.Backward)  // bytes sort the other way round
	Unordered = Order(forms.Unordered) // neither; ranges of values cannot be ranges of keys
)

func (o Order) String() string {
	switch o {
	case Forward:
		return "forward"
	case Backward:
		return "backward"
	case Unordered:
		return "unordered"
	}
	return "invalid order"
}

// Compare says which of two keys Merge gives first: it is negative if that is a,
// positive if it is b, and 0 if they are equal. A Reversed plan gives the opposite.
//
// With the schema [salt16(seller)][seller]['_'][order:8] and a plan of all rows, the
// key of the seller "a" comes before that of "b", whatever their salts are.
func (p *Plan) Compare(a, b []byte) int {
	n, m := max(0, p.lead(a)), max(0, p.lead(b))
	c := cmp.Or(bytes.Compare(a[n:], b[m:]), bytes.Compare(a[:n], b[:m]))
	if p.reversed {
		return -c
	}
	return c
}

// OrderedBy yields the components that decide Merge's order, the first of them
// first: those behind the leading salts, hashes and Bucket fields, and then the
// Bucket fields. Constants are left out, and so is what the conditions fix to one
// value, with the salts, hashes and copies of it.
//
// With the schema [salt16(seller)][seller]['_'][max-ms(at)][order:8] and the condition
// Eq("seller", "s-42") these are at and order.
func (p *Plan) OrderedBy() iter.Seq[FieldInfo] {
	return func(yield func(FieldInfo) bool) {
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
				f := infoOf(c)
				f.Inputs = inputsOf(p.s, c)
				if !yield(f) {
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
