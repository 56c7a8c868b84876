package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/piece"
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
	if p.Refused() != nil {
		fmt.Fprintf(&b, ": %v\n", p.Refused())
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

// Reasons say how each component is read.
func (p *Plan) Reasons() (all []Reason) {
	switch {
	case p.S == nil:
		return nil
	case p.Ranges.Len() == 0:
		return p.emptyReasons()
	}
	reads := p.reads()
	for i := range reads {
		w := &reads[i]
		if code, counted := w.code(); code != "" {
			r := Reason{Field: p.S.Comps[w.comp].Name, Code: code}
			if counted {
				r.Args = []string{strconv.Itoa(int(w.n))}
			}
			all = append(all, r)
		}
	}
	for _, c := range p.S.Fields {
		if k := p.con(c.Ord); k.Narrow {
			if r := p.reasonOf(c, k); r.Code != "" {
				all = append(all, r)
			}
			if c.Index == p.stop && p.pieces && k.Coarse && !c.Absent && !p.byCopy(c) {
				all = append(all, Reason{Field: c.Name, Code: "rounded"})
			}
		}
	}
	for _, q := range p.buckets() {
		switch {
		case !q.k.Narrow:
		case q.c.Index == p.stop && p.pieces:
			all = append(all, Reason{Field: q.c.Name, Code: "interval"})
		case q.c.Index >= p.stop:
			all = append(all, p.afterStop(q.c))
		}
	}
	return all
}

// wayTexts are the texts for the ways: of several values, whose number is in the text, and of one value.
var wayTexts = [...]struct {
	more, one string
	counted   bool // the number is also in that of one value
}{
	asConstant: {},
	asPoints:   {more: "values", one: "value"},
	asListed:   {more: "listed", one: "listed-one"},
	asAll:      {more: "all", one: "all", counted: true},
	asComputed: {more: "computed", one: "computed"},
	asFan:      {more: "fan", one: "fan", counted: true},
	asBuckets:  {more: "values", one: "value"},
	asCoarse:   {more: "coarse-copy", one: "coarse-copy"},
}

// code is the text for a way; counted says that it has the number of values in it.
func (w *reading) code() (code string, counted bool) {
	t := &wayTexts[w.how]
	if w.n == 1 {
		return t.one, t.counted
	}
	return t.more, true
}

// reasonOf says what the ranges do with the conditions on a field; its code is empty if nothing is to say.
func (p *Plan) reasonOf(c *layout.Component, k *query.Constraint) Reason {
	var code string
	switch {
	case c.Absent:
		code = "not-stored"
	case p.byCopy(c):
		code = "copy-decides"
	case c.Index == p.stop && p.pieces:
		code = "interval"
	case c.Index < p.stop:
	case c.Index == p.stop && query.OfCopy(k):
		code = "by-copy"
	case c.Index == p.stop && len(k.Ends()) > 0:
		code = "no-suffix"
	case c.Index == p.stop:
		why, arg := bound.Unsorted(c)
		return Reason{Field: c.Name, Code: "unsorted", Args: []string{texts.InPlan("", why, arg)}, why: [2]string{why, arg}}
	default:
		return p.afterStop(c)
	}
	return Reason{Field: c.Name, Code: code}
}

// afterStop is the reason why the ranges leave out what is asked of a component after the first that no
// condition fixes.
func (p *Plan) afterStop(c *layout.Component) Reason {
	open, code := &p.S.Comps[p.stop], "after-open"
	if open.Role == layout.RoleField && p.con(open.Ord).Narrow {
		code = "after-interval"
	}
	return Reason{Field: c.Name, Code: code, Args: []string{open.Name, c.Name}}
}

// emptyReasons say of which field no value meets the conditions, or which cannot
// hold those that do. A row that was written past the schema may hold one; its key is
// then another row's, or none.
func (p *Plan) emptyReasons() (all []Reason) {
	for i, c := range p.S.Fields {
		k := p.con(i)
		var r query.Room
		vals, points := query.PointsOf(c, &r, k)
		switch {
		case k.Empty, k.Said && points && len(vals) == 0:
			all = append(all, noValue(c))
		case k.Said && points:
			if err := refusalOfAll(c, vals); err != nil {
				all = append(all, Reason{Field: c.Name, Code: "refused", Args: []string{err.Error()}})
			}
		}
	}
	if len(all) > 0 {
		return all
	}
	for _, c := range p.S.Derived {
		if err := p.underived(c); err != nil {
			return []Reason{{Field: c.Name, Code: "refused", Args: []string{err.Error()}}}
		}
	}
	for i, c := range p.S.Fields {
		if k := p.con(i); k.Narrow && !c.Absent {
			if found, _, ok := piece.Of(c, nil, nil, k); ok && !slices.ContainsFunc(found, piece.Piece.Holds) {
				return []Reason{noValue(c)}
			}
		}
	}
	for _, q := range p.buckets() { // of a salt that is computed, the bucket is another
		if q.k.Narrow {
			return []Reason{noValue(q.c)}
		}
	}
	return nil
}

// noValue says that no value of a component meets the conditions.
func noValue(c *layout.Component) Reason {
	if first, last := c.Years[0], c.Years[1]; last > 0 { // a time in a wrong unit lies in another century
		return Reason{Field: c.Name, Code: "no-year", Args: []string{strconv.Itoa(first), strconv.Itoa(last)}}
	}
	return Reason{Field: c.Name, Code: "no-value"}
}

// fewTried is how many combinations of values are tried to say why a plan is empty.
const fewTried = 64

// underived is why a salt, hash or copy has no form for any values that the query names; nil if it has one, or if
// they are not known.
func (p *Plan) underived(c *layout.Component) (first error) {
	all := make([][]layout.Val, len(p.S.Fields))
	for _, ord := range c.Deps {
		var ok bool
		if all[ord], ok = query.PointsOf(p.S.Fields[ord], new(query.Room), p.con(ord)); !ok {
			return nil
		}
	}
	if !formless(p.S, c, all, fewTried, func(err error) { first = cmp.Or(first, err) }) {
		return nil
	}
	return first
}

// formless reports that a salt, hash or copy has no form for any of the values that its fields have in all. Of the
// error of each combination it tells told. False if they are more than most.
func formless(s *layout.Schema, c *layout.Component, all [][]layout.Val, most int, told func(error)) bool {
	of, total := make([][]layout.Val, len(s.Fields)), 1.0
	for i := range of {
		if of[i] = []layout.Val{{}}; slices.Contains(c.Deps, i) {
			of[i] = all[i]
		}
		total *= float64(len(of[i]))
	}
	if total > float64(most) {
		return false
	}
	for vals := range rows(nil, of) {
		_, known, err := s.Derive(nil, c, layout.Row{Vals: vals}, nil)
		if told(err); err == nil && known {
			return false
		}
	}
	return true
}

// refusalOfAll is why the first of some values cannot be stored; nil if any can.
func refusalOfAll(c *layout.Component, vals []layout.Val) (first error) {
	for _, v := range vals {
		if v.Null {
			return nil
		}
		_, err := c.AppendForm(nil, &v)
		if err == nil {
			return nil
		}
		first = cmp.Or(first, err)
	}
	return first
}
