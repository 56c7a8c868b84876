package plan

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/piece"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// What a query says of a copy. It limits the copy's source; a limit of the source is often
// one of the copy, too. Left(5) of all texts that begin with "wx4g0" is "wx4g0", and Right(4) of all
// that end in "5678" is "5678".

// copied gives the values that a copy can have, if the query limits the field that it is a
// copy of. A larger value of the field never has a smaller copy, so an interval of the
// field gives an interval of the copy. Some values in the result may belong to no value of
// the field; none is missing. Left(2) of the texts ["abc", "abd") is ["ab", "ab\x00"): the
// copy 61 62 alone. ok is false if nothing is known of the copy. whole gives the ends of the field's texts as they
// are, not as the copy has them: where limits are before the copy's cut, these texts have to be in them.
func (pl *Planner) copied(c *layout.Component, whole bool) (k query.Constraint, ok bool) {
	of := pl.p.con(c.Of.Ord)
	if !pl.narrow[c.Of.Ord] {
		return k, false
	}
	if c.IsText() && len(of.Ends()) > 0 {
		if turn, keeps := piece.Turns(c); turn != nil {
			if whole {
				keeps = math.MaxInt
			}
			var ends []query.Ending
			for i := range of.Ends() {
				if e, ok := of.Ends()[i].Last(keeps); ok {
					ends = append(ends, e)
				}
			}
			return query.OfTexts([]query.Texts{{Open: true}}, ends), len(ends) > 0
		}
	}
	if c.Order == forms.Unordered && !(c.IsText() && bound.KeepsPrefixes(c)) {
		return k, false
	}
	if c.IsText() {
		left := c.Kept()
		var spans []query.Texts
		for _, t := range of.Texts() {
			t.Lo = t.Lo[:min(len(t.Lo), left)]
			if !t.Open && len(t.Hi) > left {
				t.Hi = t.Hi[:left] + "\x00" // a value below Hi may have the same copy as Hi
			}
			spans = append(spans, t)
		}
		spans = query.JoinTexts(spans)
		return query.OfTexts(spans, nil), len(spans) != 1 || spans[0] != query.Texts{Open: true}
	}
	var nums []query.Numbers
	for _, sp := range of.Nums() {
		if c.Kind == layout.KindTime {
			snapped, some := query.SnapSpan(c.Of, sp)
			if !some {
				continue
			}
			first, last := c.Of.Unrank(snapped.Lo), c.Of.Unrank(snapped.Hi)
			if err := cmp.Or(c.Of.Unit.Broken(first), c.Of.Unit.Broken(last)); err != nil {
				pl.mind(c.Of, err)
				return k, false
			}
			lo, okLo := c.TimeNum(c.Of.Instant(first))
			hi, okHi := c.TimeNum(c.Of.Instant(last))
			if !okLo {
				lo = c.Unrank(query.DomainOf(c).Lo)
			}
			if !okHi {
				hi = c.Unrank(query.DomainOf(c).Hi)
			}
			sp = query.Numbers{Lo: c.Rank(lo), Hi: c.Rank(hi)}
		}
		d := query.DomainOf(c)
		if sp.Lo, sp.Hi = max(sp.Lo, d.Lo), min(sp.Hi, d.Hi); sp.Lo <= sp.Hi {
			nums = append(nums, sp)
		}
	}
	k.SetNums(query.JoinNums(nums))
	return k, true
}

// copyForms lists the stored forms that a copy of a text can have. It is for copies that
// hold the first or the last n bytes of their source, where the query gives so many of
// them. False if it does not.
func (pl *Planner) copyForms(c *layout.Component) (out [][]byte, ok bool) {
	k := pl.p.con(c.Of.Ord)
	n, last, _, ok := c.Keeps()
	if !ok || !pl.narrow[c.Of.Ord] || !pl.plainCopy(c) {
		return nil, false
	}
	if last {
		for i := range k.Ends() {
			if out, ok = pl.endForms(c, &k.Ends()[i], n); ok {
				return out, true
			}
		}
		return nil, false
	}
	return pl.beginForms(c, k.Texts(), n)
}

// plainCopy reports that a copy takes every text that its source takes, as the source has it.
func (pl *Planner) plainCopy(c *layout.Component) bool {
	return !c.Limited && !c.Loose && c.Decimal == forms.NoDecimal && c.Of.Decimal == forms.NoDecimal && !c.Of.PadEqual()
}

// endForms lists the forms of the copies of all texts that satisfy one condition on their end.
func (pl *Planner) endForms(c *layout.Component, e *query.Ending, n int) (out [][]byte, ok bool) {
	spans, suffixes, cut := e.Parts()
	if out, ok = pl.beginForms(c, spans, -1); !ok || cut != nil {
		return nil, false
	}
	for _, s := range suffixes {
		if len(s) < n {
			return nil, false
		}
		out = pl.addForm(c, out, s)
	}
	return sortedForms(out), true
}

// beginForms lists the forms of the copies of all texts in some spans, of which every text
// begins with n known bytes, or is known itself. If n is −1, each must be known itself.
func (pl *Planner) beginForms(c *layout.Component, spans []query.Texts, n int) (out [][]byte, ok bool) {
	for _, t := range spans {
		if points := t.Points(); points > 0 {
			for i := range points {
				out = pl.addForm(c, out, t.Hi[:len(t.Lo)+i])
			}
			continue
		}
		begins, _ := t.Begins()
		if n < 0 || len(begins) == 0 {
			return nil, false
		}
		for _, p := range begins {
			if len(p) < n {
				return nil, false
			}
			out = pl.addForm(c, out, p)
		}
	}
	return sortedForms(out), true
}

// addForm adds the form of the copy of a text, unless it cannot be stored.
func (pl *Planner) addForm(c *layout.Component, out [][]byte, v string) [][]byte {
	form, err := layout.AppendText(c, nil, v)
	if err != nil {
		pl.mind(c, err)
		return out
	}
	if len(form) < c.Shape.Min { // the source takes no text that is so short
		return out
	}
	return append(out, form)
}

// sortedForms sorts forms, and leaves out those that stand twice.
func sortedForms(out [][]byte) [][]byte {
	slices.SortFunc(out, bytes.Compare)
	return slices.CompactFunc(out, bytes.Equal)
}

// copyDecides reports that the ranges decide all conditions on a field by one of its copies:
// the copy satisfies them if and only if the field does. Left(5) decides Prefix "wx4g", and
// does not decide Prefix "wx4g0m".
func (pl *Planner) copyDecides(f *layout.Component) bool {
	p := pl.p
	for _, c := range pl.s.Derived {
		if c.Role != layout.RoleCopy || c.Of != f || c.Absent || c.Index > p.stop || !pl.copyTells(c) {
			continue
		}
		if c.Index < p.stop {
			if pl.points[f.Ord] || pl.listsCopy(f) {
				return true
			}
			continue
		}
		turn, _ := piece.Turns(c)
		_, cut := pl.cutOf(c)
		if p.pieces && pl.foundExact && (turn != nil || cut || len(p.con(f.Ord).Ends()) == 0) {
			return true
		}
	}
	return false
}

// listsCopy reports that a way lists the values of a copy, and decides by them all conditions on
// the copy's source.
func (pl *Planner) listsCopy(f *layout.Component) bool {
	return slices.ContainsFunc(pl.ways, func(w way) bool { return w.how == asListed && w.c.Of == f && pl.copyTells(w.c) })
}

// copyTells reports that a copy satisfies all conditions on its source if and only if the source does.
func (pl *Planner) copyTells(c *layout.Component) bool {
	k := pl.p.con(c.Of.Ord)
	if !c.IsText() {
		return c.Vias == 0 && !c.Loose && (c.Kind != layout.KindTime || wholeCells(c, k.Nums()))
	}
	n, last, once, ok := c.Keeps()
	if n == math.MaxInt {
		last = len(k.Ends()) > 0
	}
	return ok && once && pl.plainCopy(c) && within(k, n, last)
}

// wholeCells reports that each span of a time holds all times of some values of its copy: whole days,
// if the copy counts days.
func wholeCells(c *layout.Component, spans []query.Numbers) bool {
	for _, sp := range spans {
		sp, some := query.SnapSpan(c.Of, sp)
		if !some {
			continue
		}
		first, okLo := copyNum(c, sp.Lo)
		last, okHi := copyNum(c, sp.Hi)
		if !okLo || !okHi {
			return false
		}
		all, some, err := query.TimesOf(c, query.Numbers{Lo: c.Rank(first), Hi: c.Rank(last)})
		if all, _ = query.SnapSpan(c.Of, all); err != nil || !some || all != sp {
			return false
		}
	}
	return true
}

// cutOf is what the query says of the bytes of a copy of a text's end, if this is all that it says of
// the text: 4 digits between "1000" and "2000", for example.
func (pl *Planner) cutOf(c *layout.Component) (k query.Constraint, ok bool) {
	of := pl.p.con(c.Of.Ord)
	if len(of.Ends()) != 1 || plainEnd(c) == nil || !pl.plainCopy(c) {
		return k, false
	}
	spans, suffixes, cut := of.Ends()[0].Parts()
	if cut == nil || cut.N < 0 || cut.Of != c || len(spans)+len(suffixes)+len(cut.Suffixes) > 0 {
		return k, false
	}
	k = query.OfTexts(cut.Spans, nil)
	k.Said = true
	return k, true
}

// plainEnd is a copy that writes the last bytes of its text as they are, as the field that writes
// them; nil for any other.
func plainEnd(c *layout.Component) *layout.Component {
	if len(c.Stages) == 0 || c.Stages[0].Word != notation.Right || c.InvertAll || c.Frame != layout.NoFrame && c.Frame != layout.FrameFixed {
		return nil
	}
	for _, st := range c.Stages[1:] {
		if st.Word != notation.Fixed {
			return nil
		}
	}
	end := *c
	end.Stages = c.Stages[1:]
	if len(c.Mark) == 0 {
		end.Order = forms.Forward
	}
	return &end
}

// within reports that the first or last n bytes of a text are enough to tell if it satisfies
// a constraint.
func within(k *query.Constraint, n int, last bool) bool {
	if last {
		if len(k.Ends()) != 1 {
			return false
		}
		spans, suffixes, cut := k.Ends()[0].Parts()
		return len(spans) == 0 && (cut == nil || cut.Last && cut.N == n) && len(k.Texts()) == 1 && k.Texts()[0] == query.Texts{Open: true} &&
			!slices.ContainsFunc(suffixes, func(s string) bool { return len(s) > n })
	}
	return len(k.Ends()) == 0 && !slices.ContainsFunc(k.Texts(), func(t query.Texts) bool { return len(t.Lo) > n || len(t.Hi) > n })
}
