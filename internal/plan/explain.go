package plan

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// String explains the plan.
func (p *Plan) String() string {
	if p.S == nil {
		return "the zero Plan: 0 ranges: no row can match\n"
	}
	var b strings.Builder
	if p.whole {
		b.WriteString("the whole table: ")
	}
	fmt.Fprintf(&b, "%s: %s", p.S.Name, layout.Plural(p.Ranges.Len(), "range"))
	switch {
	case p.Ranges.Len() == 0:
		b.WriteString(": no row can match")
	case p.Exact:
		b.WriteString(", every row in them matches")
	default:
		b.WriteString(", Match decides")
	}
	if p.IsReversed {
		b.WriteString(", last key first")
	}
	if p.Most > 0 {
		fmt.Fprintf(&b, ", %s at most", layout.Plural(p.Most, "row"))
	}
	b.WriteByte('\n')
	for i := range p.Ranges.Len() {
		if i == 4 && p.Ranges.Len() > 5 {
			fmt.Fprintf(&b, "  and %d more\n", p.Ranges.Len()-i)
			break
		}
		fmt.Fprintf(&b, "  %v\n", p.Ranges.At(i))
	}
	p.explain(&b)
	return b.String()
}

// explain says how each component is read. One flat switch over the ways, and one over the places
// of a condition's field.
func (p *Plan) explain(b *strings.Builder) {
	if p.Ranges.Len() == 0 {
		p.explainEmpty(b)
		return
	}
	for i := range p.reads {
		w := &p.reads[i]
		text := ""
		switch w.how {
		case asConstant:
			continue
		case asPoints:
			text = layout.Plural(w.n, "value")
		case asListed:
			text = fmt.Sprintf("%s of an interval, listed for what stands behind", layout.Plural(w.n, "value"))
		case asAll:
			text = fmt.Sprintf("open: all its %d values", w.n)
		case asComputed:
			text = "computed from fields that are fixed"
		case asCoarse:
			text = "computed from what is fixed, and from a copy with few values in its interval"
		case asFan:
			text = fmt.Sprintf("open, since a field it is computed from is: all its %d values", w.n)
		}
		fmt.Fprintf(b, "  %s: %s\n", p.S.Comps[w.comp].Name, text)
	}
	for _, c := range p.S.Fields {
		k := &p.Cons[c.Ord]
		if !k.Said || !k.Narrow(c) {
			continue
		}
		switch {
		case c.Absent:
			fmt.Fprintf(b, "  %s: not stored, and left to Match as far as what is computed from it tells\n", c.Name)
		case c.Index == p.stop && p.pieces:
			fmt.Fprintf(b, "  %s: an interval\n", c.Name)
			if k.Coarse {
				fmt.Fprintf(b, "  %s: its ends are finer than its unit, and rounded outward\n", c.Name)
			}
		case c.Index >= p.stop && p.reads != nil:
			open := &p.S.Comps[p.stop]
			what := "is open"
			if open.Role == layout.RoleField && p.Cons[open.Ord].Said && p.Cons[open.Ord].Narrow(open) {
				what = "is an interval"
			}
			why := fmt.Sprintf("%s in front of it %s; a layout with %s further in front, or stored in its order, makes it a range", open.Name, what, c.Name)
			if c.Index == p.stop {
				why = whyUnsortedBy(c, k)
			}
			fmt.Fprintf(b, "  %s: left to Match, since %s\n", c.Name, why)
		}
	}
}

// explainEmpty says of which field no value meets the conditions, or which cannot
// hold those that do. A row that was written past the schema may hold one; its key is
// then another row's, or none.
func (p *Plan) explainEmpty(b *strings.Builder) {
	for i, c := range p.S.Fields {
		k := &p.Cons[i]
		var r query.Room
		vals, points := query.PointsOf(c, &r, k)
		switch {
		case k.Contradictory(c), k.Said && points && len(vals) == 0:
			fmt.Fprintf(b, "  %s: none of its values meets the conditions\n", c.Name)
		case k.Said && points:
			if err := refusalOfAll(c, vals); err != nil {
				fmt.Fprintf(b, "  %s: no key holds such a value: %v\n", c.Name, err)
			}
		}
	}
}

// refusalOfAll is why the first of some values cannot be stored; nil if any can.
func refusalOfAll(c *layout.Component, vals []layout.Val) (first error) {
	for _, v := range vals {
		if v.Null {
			return nil
		}
		_, err := c.AppendForm(nil, v)
		if err == nil {
			return nil
		}
		first = cmp.Or(first, err)
	}
	return first
}
