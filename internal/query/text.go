package query

import (
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// Texts is the texts from Lo on that are below Hi, or all from Lo on. Of Lo "ab" and Hi "ac" it is
// all texts that begin with "ab".
type Texts struct {
	Lo, Hi string
	Open   bool // there is no Hi
}

// holds reports that a text is in the span.
func (t *Texts) holds(v []byte) bool {
	if string(v) == t.Lo { // usual of a single text
		return true
	}
	return string(v) > t.Lo && (t.Open || string(v) < t.Hi)
}

// textTerm is the texts that satisfy one condition, but for suffixes. One flat switch over all
// conditions: each case is the span of one.
func textTerm(c *layout.Component, q *Cond) (spans []Texts, err error) {
	switch {
	case q.Op != OpIn && q.A.Kind != IsText:
		return nil, q.A.misfit(c)
	case q.B.Kind != IsText: // it is a text where there is no second one
		return nil, q.B.misfit(c)
	}
	v := q.A.Text
	switch q.Op {
	case OpNull:
	case OpNotNull:
		spans = []Texts{{Open: true}}
	case OpEq:
		spans = []Texts{{Lo: v, Hi: v + "\x00"}}
	case OpNotEq:
		spans = []Texts{{Lo: "", Hi: v}, {Lo: v + "\x00", Open: true}}
		if v == "" {
			spans = spans[1:]
		}
	case OpIn:
		if spans, err = listedTexts(c, q.List); err != nil {
			return nil, err
		}
	case OpSpan:
		if q.B.Text < v {
			return nil, fault.ErrInverted
		}
		if v < q.B.Text {
			spans = []Texts{{Lo: v, Hi: q.B.Text}}
		}
	case OpAtLeast:
		spans = []Texts{{Lo: v, Open: true}}
	case OpMoreThan:
		spans = []Texts{{Lo: v + "\x00", Open: true}}
	case OpAtMost:
		spans = []Texts{{Lo: "", Hi: v + "\x00"}}
	case OpLessThan:
		if v != "" {
			spans = []Texts{{Lo: "", Hi: v}}
		}
	case OpBegins:
		if v == "" {
			return nil, bound.ErrNoPrefix
		}
		hi, ok := bound.AppendSuccessor(nil, []byte(v))
		spans = []Texts{{Lo: v, Hi: string(hi), Open: !ok}}
	default:
		return nil, fault.ErrType
	}
	return JoinTexts(spans), nil
}

// listedTexts is the spans of single texts. All lie in one string: a piece of memory
// for each would be most of the time of a long list.
func listedTexts(c *layout.Component, list []Operand) ([]Texts, error) {
	n := 0
	for i := range list {
		if list[i].Kind != IsText {
			return nil, list[i].misfit(c)
		}
		n += len(list[i].Text) + 1
	}
	var b strings.Builder
	b.Grow(n)
	for i := range list {
		b.WriteString(list[i].Text)
		b.WriteByte(0)
	}
	all, spans := b.String(), make([]Texts, len(list))
	for i := range list {
		end := len(list[i].Text)
		spans[i] = Texts{Lo: all[:end], Hi: all[:end+1]}
		all = all[end+1:]
	}
	return spans, nil
}

// JoinTexts sorts spans and joins those that touch.
func JoinTexts(spans []Texts) []Texts {
	n := apartTexts(spans)
	if n == len(spans) { // as is most that was joined before
		return spans
	}
	spans = bound.SortedTexts(spans, func(t *Texts) string { return t.Lo })
	n = apartTexts(spans)
	out := spans[:n]
	for _, s := range spans[n:] {
		last := &out[len(out)-1]
		switch {
		case !last.Open && s.Lo > last.Hi:
			out = append(out, s)
		case last.Open:
		case s.Open || s.Hi > last.Hi:
			last.Hi, last.Open = s.Hi, s.Open
		}
	}
	return out
}

// apartTexts counts the spans, from the first on, that are sorted and neither overlap nor
// touch.
func apartTexts(spans []Texts) int {
	for i := range spans {
		if i > 0 && (spans[i-1].Open || spans[i].Lo <= spans[i-1].Hi) {
			return i
		}
	}
	return len(spans)
}

// meetTexts gives the texts that are both in a and in b: of ["a", "c") and ["b", "d") they
// are ["b", "c"). The spans of a and of b are sorted.
func meetTexts(a, b []Texts) []Texts {
	out := make([]Texts, 0, len(a)+len(b))
	for i, j := 0, 0; i < len(a) && j < len(b); {
		s := a[i]
		s.Lo = max(s.Lo, b[j].Lo)
		first := !a[i].Open && (b[j].Open || a[i].Hi < b[j].Hi) // a[i] ends first
		if !first {
			s.Hi, s.Open = b[j].Hi, b[j].Open
		}
		if s.Open || s.Lo < s.Hi {
			out = append(out, s)
		}
		if first {
			i++
		} else {
			j++
		}
	}
	return out
}

// Begins gives prefixes such that each text of the span begins with one of them. exact is
// true if the span holds all texts with these prefixes. ["ab", "ad") gives "ab" and "ac",
// and true. ["ab", "b") gives "a" and false. A span without a common prefix gives none.
func (t Texts) Begins() (begins []string, exact bool) {
	n := len(t.Lo)
	if !t.Open && n > 0 && len(t.Hi) == n && t.Lo[:n-1] == t.Hi[:n-1] && t.Hi[n-1]-t.Lo[n-1] <= ShortInterval {
		for b := t.Lo[n-1]; b < t.Hi[n-1]; b++ {
			begins = append(begins, t.Lo[:n-1]+string([]byte{b}))
		}
		return begins, true
	}
	for ; n > 0; n-- {
		end, bounded := bound.AppendSuccessor(nil, []byte(t.Lo[:n]))
		if !bounded || !t.Open && string(end) >= t.Hi {
			return []string{t.Lo[:n]}, n == len(t.Lo) && bounded != t.Open && string(end) == t.Hi
		}
	}
	return nil, false
}
