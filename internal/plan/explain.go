package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/query"
	"github.com/hbase-rowkey/rowkey/internal/texts"
)

// Reason says how one component is read, or why a condition is left to Match.
type Reason struct {
	Field string
	Code  string // of package texts, without "plan."
	Args  []string

	why [2]string // of the code unsorted: another code and its argument
}

// In is the reason in a language: zh, or English for any other.
func (r Reason) In(lang string) string {
	if r.why[0] != "" {
		return texts.InPlan(lang, r.Code, texts.InPlan(lang, r.why[0], r.why[1]))
	}
	return texts.InPlan(lang, r.Code, r.Args...)
}

// String explains the plan.
func (p *Plan) String() string { return p.In("") }

// In explains the plan in a language: zh, or English for any other.
func (p *Plan) In(lang string) string {
	if p.S == nil {
		return texts.InPlan(lang, "zero") + "\n"
	}
	var b strings.Builder
	say := func(code string, args ...string) { b.WriteString(texts.InPlan(lang, code, args...)) }
	many := func(n int, one, more string) { // one range, 3 ranges
		if n == 1 {
			say(one)
		} else {
			say(more, strconv.Itoa(n))
		}
	}
	if p.whole {
		say("whole")
	}
	b.WriteString(p.S.Name + ": ")
	many(p.Ranges.Len(), "range", "ranges")
	if p.Refused != nil {
		fmt.Fprintf(&b, ": %v\n", p.Refused)
		return b.String()
	}
	switch {
	case p.Ranges.Len() == 0:
		say("none")
	case p.Exact:
		say("exact")
	default:
		say("match")
	}
	if p.IsReversed {
		say("last-first")
	}
	if p.Most > 0 {
		many(p.Most, "most-one", "most")
	}
	b.WriteByte('\n')
	for i := range p.Ranges.Len() {
		if i == 4 && p.Ranges.Len() > 5 {
			b.WriteString("  ")
			say("more", strconv.Itoa(p.Ranges.Len()-i))
			b.WriteByte('\n')
			break
		}
		fmt.Fprintf(&b, "  %v\n", p.Ranges.At(i))
	}
	for _, r := range p.Reasons() {
		b.WriteString("  " + r.Field + ": " + r.In(lang) + "\n")
	}
	return b.String()
}

// Reasons say how each component is read. One flat switch over the ways, and one over the places
// of a condition's field.
func (p *Plan) Reasons() (all []Reason) {
	if p.S == nil {
		return nil
	}
	if p.Ranges.Len() == 0 {
		return p.emptyReasons()
	}
	say := func(name, code string, args ...string) {
		all = append(all, Reason{Field: name, Code: code, Args: args})
	}
	for i := range p.reads {
		w := &p.reads[i]
		name, n := p.S.Comps[w.comp].Name, strconv.Itoa(int(w.n))
		switch w.how {
		case asConstant:
		case asPoints:
			if w.n == 1 {
				say(name, "value")
			} else {
				say(name, "values", n)
			}
		case asListed:
			if w.n == 1 {
				say(name, "listed-one")
			} else {
				say(name, "listed", n)
			}
		case asAll:
			say(name, "all", n)
		case asComputed:
			say(name, "computed")
		case asCoarse:
			say(name, "coarse-copy")
		case asFan:
			say(name, "fan", n)
		}
	}
	for _, c := range p.S.Fields {
		k := &p.Cons[c.Ord]
		if !k.Said || !k.Narrow(c) {
			continue
		}
		switch {
		case c.Absent:
			say(c.Name, "not-stored")
		case slices.Contains(p.byCopy, c.Ord):
			say(c.Name, "copy-decides")
		case c.Index == p.stop && p.pieces:
			say(c.Name, "interval")
			if k.Coarse {
				say(c.Name, "rounded")
			}
		case c.Index == p.stop && p.reads != nil && query.OfCopy(k):
			say(c.Name, "by-copy")
		case c.Index == p.stop && p.reads != nil && len(k.Ends()) > 0:
			say(c.Name, "no-suffix")
		case c.Index == p.stop && p.reads != nil:
			code, arg := bound.Unsorted(c)
			all = append(all, Reason{Field: c.Name, Code: "unsorted", Args: []string{texts.InPlan("", code, arg)}, why: [2]string{code, arg}})
		case c.Index >= p.stop && p.reads != nil:
			open, code := &p.S.Comps[p.stop], "after-open"
			if open.Role == layout.RoleField && p.Cons[open.Ord].Said && p.Cons[open.Ord].Narrow(open) {
				code = "after-interval"
			}
			say(c.Name, code, open.Name, c.Name)
		}
	}
	for _, q := range p.buckets {
		switch {
		case !q.narrow():
		case q.c.Index == p.stop && p.pieces:
			say(q.c.Name, "interval")
		case q.c.Index >= p.stop && p.reads != nil:
			say(q.c.Name, "after-open", p.S.Comps[p.stop].Name, q.c.Name)
		}
	}
	return all
}

// emptyReasons say of which field no value meets the conditions, or which cannot
// hold those that do. A row that was written past the schema may hold one; its key is
// then another row's, or none.
func (p *Plan) emptyReasons() (all []Reason) {
	for i, c := range p.S.Fields {
		k := &p.Cons[i]
		var r query.Room
		vals, points := query.PointsOf(c, &r, k)
		switch {
		case k.Contradictory(c), k.Said && points && len(vals) == 0:
			all = append(all, Reason{Field: c.Name, Code: "no-value"})
		case k.Said && points:
			if err := refusalOfAll(c, vals); err != nil {
				all = append(all, Reason{Field: c.Name, Code: "refused", Args: []string{err.Error()}})
			}
		}
	}
	for _, q := range p.buckets { // of a salt that is computed, the bucket is another
		if len(all) == 0 && q.narrow() {
			all = append(all, Reason{Field: q.c.Name, Code: "no-value"})
		}
	}
	return all
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
