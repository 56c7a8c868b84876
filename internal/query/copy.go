package query

import (
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// A condition on a copy is one on its source: the last 4 bytes of a text are "5678" if the text ends
// so, and the day of a time is June 1 if the time lies in that day. So Match and the planner ask the
// source alone.

// Cut is a condition on what a copy keeps of a text, its first or its last N bytes: they lie in one of
// Spans, or end with one of Suffixes.
type Cut struct {
	Of       *layout.Component // the copy
	N        int               // −1 if it keeps something else, as of Right(4), Left(2)
	Last     bool
	Spans    []Texts
	Suffixes []string
}

// AddCopy adds one condition on a copy to the constraint of its source, which is never null.
func (k *Constraint) AddCopy(c *layout.Component, q *Cond) error {
	f := c.Of
	switch {
	case c.Kind == layout.KindTime:
		return k.addTimes(c, q)
	case !c.IsText() || c.Decimal != forms.NoDecimal:
		return k.Add(f, q)
	}
	cuts, ok := cutsOf(c)
	if !ok {
		return &fault.Detail{Text: "is cut after another step: ask for " + f.Name, Reason: fault.ErrField}
	}
	padded := f
	if c.PadsAsChar() {
		padded = c
	}
	if padded == c || cuts == 0 && f.PadEqual() {
		plain := padCond(padded, *q)
		q = &plain
	}
	var e Ending
	if err := e.add(c, q); err != nil {
		return err
	}
	e.Spans = JoinTexts(e.Spans)
	if cuts == 0 {
		k.Named = k.Named || q.names()
		k.addEnding(e)
		return nil
	}
	n, last, _, ok := c.Keeps()
	if !ok || cuts > 1 {
		n = -1
	}
	k.addEnding(cutEnding(c, e.Spans, e.Suffixes, n, last))
	return nil
}

// whole is the component whose values those of c are: of a copy of a whole text, its source.
func whole(c *layout.Component) *layout.Component {
	if c.Role != layout.RoleCopy {
		return c
	}
	if n, ok := cutsOf(c); n > 0 || !ok {
		return c
	}
	return c.Of
}

// cutsOf counts the steps of a copy that keep a part of the text. It is false if a step before them makes
// other bytes than those of the text.
func cutsOf(c *layout.Component) (n int, ok bool) {
	other := c.Codes != nil
	for _, st := range c.Stages {
		switch st.Word {
		case notation.Left, notation.Right:
			n++
			if other {
				return n, false
			}
		case notation.Reverse, notation.Desc, notation.Fixed:
		default:
			other = true
		}
	}
	return n, true
}

// cut is what a copy keeps of a text.
func cut(c *layout.Component, v []byte) []byte {
	turned := false
	for _, st := range c.Stages {
		switch st.Word {
		case notation.Left, notation.Right:
			if (st.Word == notation.Left) != turned {
				v = v[:min(len(v), st.To)]
			} else {
				v = v[max(0, len(v)-st.To):]
			}
		case notation.Reverse:
			turned = !turned
		}
	}
	return v
}

// cutEnding is what a text must satisfy whose part, kept by a copy, lies in some spans, or ends with one
// of some suffixes.
func cutEnding(c *layout.Component, spans []Texts, suffixes []string, n int, last bool) (e Ending) {
	switch {
	case len(spans)+len(suffixes) == 0: // no text satisfies it
		return e
	case slices.Contains(spans, Texts{Open: true}):
		e.Spans = []Texts{{Open: true}}
		return e
	case n >= 0 && !last && len(suffixes) == 0:
		e.Spans = uncutSpans(spans, n)
		return e
	case n < 0 || !last || slices.ContainsFunc(spans, func(t Texts) bool { return t.Points() == 0 }):
		e.Cut = &Cut{Of: c, N: n, Last: last, Spans: spans, Suffixes: suffixes}
		return e
	}
	for _, t := range spans {
		for i := range t.Points() {
			switch v := t.Hi[:len(t.Lo)+i]; {
			case len(v) < n:
				e.Spans = append(e.Spans, Texts{Lo: v, Hi: v + "\x00"})
			case len(v) == n:
				e.Suffixes = append(e.Suffixes, v)
			}
		}
	}
	for _, s := range suffixes {
		if len(s) <= n {
			e.Suffixes = append(e.Suffixes, s)
		}
	}
	e.Spans = JoinTexts(e.Spans)
	return e
}

// uncutSpans is the spans of the texts whose first n bytes lie in some spans. Of two bytes in
// ["ab", "ab\x00") it is all texts that begin with "ab".
func uncutSpans(spans []Texts, n int) (out []Texts) {
	above := func(v string) (string, bool) { // the least text whose first n bytes are above those of v
		b, ok := bound.AppendSuccessor(nil, []byte(v[:n]))
		return string(b), ok
	}
	for _, t := range spans {
		some := true
		if len(t.Lo) > n {
			t.Lo, some = above(t.Lo)
		}
		if !t.Open && len(t.Hi) > n {
			hi, ok := above(t.Hi)
			t.Hi, t.Open = hi, !ok
		}
		if some && (t.Open || t.Lo < t.Hi) {
			out = append(out, t)
		}
	}
	return JoinTexts(out)
}

// joinCut joins a condition on a part of the text with one that is there. False if there is none.
func (k *Constraint) joinCut(e Ending) bool {
	ends := k.Ends()
	for i := range ends {
		old := ends[i].Cut
		if old == nil || old.Of != e.Cut.Of || len(ends[i].Spans)+len(ends[i].Suffixes)+len(old.Suffixes)+len(e.Cut.Suffixes) > 0 {
			continue
		}
		both := *old
		if both.Spans = meetTexts(old.Spans, e.Cut.Spans); len(both.Spans) == 0 {
			k.text.spans = nil // no text is left
		}
		ends[i].Cut = &both
		return true
	}
	return false
}

// OfCopy reports that a constraint has a condition on a copy of the text's end or beginning which the text
// itself cannot be asked.
func OfCopy(k *Constraint) bool {
	return slices.ContainsFunc(k.Ends(), func(e Ending) bool { return e.Cut != nil })
}

// holds reports that a text satisfies the condition.
func (x *Cut) holds(v []byte) bool {
	v = cut(x.Of, v)
	return within(x.Spans, v) || endsWith(v, x.Suffixes)
}

// addTimes adds a condition on a copy of a time, which may count in another unit.
func (k *Constraint) addTimes(c *layout.Component, q *Cond) error {
	spans, coarse, err := k.numsOf(nil, c, q)
	if err != nil {
		return err
	}
	var of []Numbers
	single := q.names()
	for _, sp := range spans {
		sp, some := SnapSpan(c, sp)
		if !some {
			continue
		}
		if sp, some, err = TimesOf(c, sp); err != nil {
			return err
		}
		if some {
			of = append(of, sp)
			single = single && sp.Lo == sp.Hi
		}
	}
	k.Named = k.Named || single
	k.addNums(JoinNums(of))
	k.Coarse = k.Coarse || coarse
	return nil
}

// TimesOf is the span of the times whose copy lies in a span: of the first two days of June, all
// instants from June 1 up to June 3.
func TimesOf(c *layout.Component, sp Numbers) (out Numbers, some bool, err error) {
	d := DomainOf(c)
	out = DomainOf(c.Of)
	if sp.Lo > d.Lo {
		if out.Lo, some, err = firstFrom(c, sp.Lo); err != nil || !some {
			return out, false, err
		}
	}
	if next, more := nextNum(c, sp.Hi); more && next <= d.Hi {
		var from uint64
		if from, some, err = firstFrom(c, next); err != nil {
			return out, false, err
		}
		if some && from == 0 {
			return out, false, nil
		}
		if some {
			out.Hi = min(out.Hi, from-1)
		}
	}
	return out, out.Lo <= out.Hi, nil
}

// Numbered is the field that the bucket of a salt would be: a number below the number of buckets.
func Numbered(c *layout.Component) *layout.Component {
	var n layout.Component
	n.Name, n.Kind, n.Size, n.Num.Max = c.Name, layout.KindUint, 8, c.Buckets-1
	return &n
}

// firstFrom is the place of the first time whose copy is at the place u or above it. False if there is
// none.
func firstFrom(c *layout.Component, u uint64) (from uint64, some bool, err error) {
	n := c.Unrank(u)
	if err := c.Unit.Broken(n); err != nil {
		return 0, false, err
	}
	sec, nsec := c.Instant(n)
	from, at, finer, err := placeTime(c.Of, sec, nsec)
	switch {
	case err != nil || at == layout.Above:
		return 0, false, err
	case at == layout.Below:
		return DomainOf(c.Of).Lo, true, nil
	case finer: // this one begins below the instant
		from, some = nextNum(c.Of, from)
		return from, some, nil
	}
	return from, true, nil
}
