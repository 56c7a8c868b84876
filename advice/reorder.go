package advice

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey"
)

// mostMoved is how many fields may change their places in a layout to try.
const mostMoved = 5

// mostPlaces is how many fields there may be if one that moves may move to any place: the time
// that this takes grows with the fourth power of their number.
const mostPlaces = 12

// mostJudged is how many of the layouts that answer a question are held against all rules.
const mostJudged = 32

// answering is a layout of the same fields that answers a question better, empty if there is
// none: the plan has ranges, is exact, has few ranges, and as little as may be has moved. good
// says of a plan that it is good enough. Where such a layout answers another question worse, it
// is one for a second table.
func (l *layout) answering(q *planned, good func(*rowkey.Plan) bool) string {
	if l.keeps() {
		return ""
	}
	var fields []*field
	for i := range l.stored {
		if f := &l.stored[i]; !f.Derived && !f.Slot {
			fields = append(fields, f)
		}
	}
	if len(fields) < len(l.byName)-l.derived() { // of what the key does not hold a layout cannot be made of pieces
		return ""
	}
	var list []candidate
	for _, order := range orders(len(fields)) {
		fed := fields
		if len(fields) > mostPlaces {
			fed = []*field{fields[order[0]]}
		}
		for _, lead := range append([]string{"", l.lead()}, l.salts(fed)...) {
			text := l.settings() + lead
			for i, n := range order {
				text += l.piece(fields[n], i == len(order)-1)
			}
			s, err := rowkey.Parse("try", text)
			if err != nil {
				continue
			}
			p, err := s.Scan(q.Conds...)
			if err != nil || !good(p) || newLayout(Design{Schema: s}).leadFault() {
				continue
			}
			list = append(list, candidate{text, s, l.costOf(p, order, lead)})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return a.cost - b.cost })
	list = list[:min(len(list), mostJudged)]
	for _, c := range list {
		if l.better(c.schema) {
			return c.text
		}
	}
	alone := &layout{Design: l.Design, rule: l.rule}
	alone.Questions = []Question{q.Question}
	for _, c := range list {
		if len(l.Questions) > 1 && alone.better(c.schema) {
			l.second = c.text
			return c.text
		}
	}
	return ""
}

// candidate is a layout that may answer a question better, and how dear it is.
type candidate struct {
	text   string
	schema *rowkey.Schema
	cost   int
}

// costOf is how dear a layout to try is, by the plan of the question, the order of the fields
// and what leads.
func (l *layout) costOf(p *rowkey.Plan, order []int, lead string) int {
	cost := p.Len()*16 + moved(order)
	if !p.Exact() {
		cost += 1 << 20
	}
	switch own := l.lead(); {
	case lead == "" && own != "": // what spreads the rows is not given up lightly
		cost += 12
	case lead != own:
		cost += 8
	}
	return cost
}

// derived counts the fields that are computed, or that the writer draws.
func (l *layout) derived() (n int) {
	for _, f := range l.byName {
		if f.Derived || f.Slot {
			n++
		}
	}
	return n
}

// lead is what stands before the first field of the layout.
func (l *layout) lead() (text string) {
	for _, f := range l.all {
		if f.Kind != "literal" && !f.Derived && !f.Slot {
			break
		}
		text += f.Notation
	}
	return text
}

// salts are salts that fields can feed.
func (l *layout) salts(fields []*field) (out []string) {
	for _, f := range fields {
		if f.Kind != "time" && f.Kind != "float" && (f.Count == 0 || f.Count > 256) && !f.Optional {
			out = append(out, fmt.Sprintf("[salt16(%s)]", f.Name))
		}
	}
	return out
}

// piece is a field with its end, which the last one does not need; a text that is not the last
// one needs one, unless it ends by itself.
func (l *layout) piece(f *field, last bool) string {
	switch {
	case f.end != "" && !last:
		return f.Notation + fmt.Sprintf("[%s]", quote(f.end))
	case f.Size == 0 && !last && (f.Kind == "string" || f.Kind == "binary") && !l.endsItself(f):
		return f.Notation + `['\x00']`
	}
	return f.Notation
}

// endsItself reports that another component may follow a field at once.
func (l *layout) endsItself(f *field) bool {
	ends, known := l.ends[f.Name]
	if !known {
		_, err := rowkey.Parse("", l.settings()+f.Notation+"["+f.Name+"2:1]")
		ends = err == nil
		if l.ends == nil {
			l.ends = map[string]bool{}
		}
		l.ends[f.Name] = ends
	}
	return ends
}

// quote is a constant in the notation.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '\'' || c == '\\' {
			fmt.Fprintf(&b, `\x%02X`, c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String() + "'"
}

// orders are the orders of n fields: all of few; of many those in which one field has moved; of
// more those in which one has moved to an end.
func orders(n int) (out [][]int) {
	same := make([]int, n)
	for i := range same {
		same[i] = i
	}
	if n > mostMoved {
		for i := range n {
			for j := range n {
				if n > mostPlaces && j > 0 && j < n-1 {
					continue
				}
				order := slices.Delete(slices.Clone(same), i, i+1)
				out = append(out, slices.Insert(order, j, i))
			}
		}
		return out
	}
	var permute func(head, rest []int)
	permute = func(head, rest []int) {
		if len(rest) == 0 {
			out = append(out, slices.Clone(head))
		}
		for i, n := range rest {
			permute(append(slices.Clone(head), n), slices.Delete(slices.Clone(rest), i, i+1))
		}
	}
	permute(nil, same)
	return out
}

// moved is how many pairs of fields have changed sides.
func moved(order []int) (n int) {
	for i := range order {
		for j := range i {
			if order[j] > order[i] {
				n++
			}
		}
	}
	return n
}

// index is a layout of an index table that begins with a field that the key lacks. It stands
// beside this layout and is held against no rule.
func (l *layout) index(name string) string {
	if l.keeps() {
		return ""
	}
	text := l.settings() + fmt.Sprintf("[%s]['\\x00']", name)
	for i := range l.stored {
		f := &l.stored[i]
		if !f.Derived && !f.Slot {
			text += l.piece(f, i == len(l.stored)-1)
		}
	}
	if _, err := rowkey.Parse("index", text); err != nil {
		return ""
	}
	return text
}
