package piece

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/foreign"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// pieceOf gives the rows that have one stored form. The form comes without its
// separator. Form 61 62 and separator '_' give all rows that begin with 61 62 5f. In the
// last place of a key, without a separator, they give the one key 61 62: from 61 62 up to
// 61 62 00. Where a longer form can begin with this one, the longer one is left out.
func pieceOf(c *layout.Component, form []byte) Piece {
	switch {
	case c.Ends == forms.EndLast:
		return Piece{Lo: form, Hi: append(slices.Clone(form), 0)}
	case c.Clips() && c.Shape.GoesOnDown:
		return Piece{Lo: append(slices.Clone(form), ^c.Shape.GoesOn+1), Hi: form, HiAfter: true}
	case c.Clips():
		return Piece{Lo: form, Hi: append(slices.Clone(form), c.Shape.GoesOn)}
	}
	form = append(form, c.Mark...)
	return Piece{Lo: form, Hi: form, HiAfter: true}
}

// beginsNone reports two things of a field's last transform: its forms have a fixed size
// or show their own end, and Pad or Escaped follows. Then no form is the beginning of
// another form, and the pad or the escape cannot change their order.
func beginsNone(c *layout.Component) bool {
	t := &c.Stages[c.Vias-1].Via.Traits
	return (t.Delimited || t.Size > 0) && (c.Frame == layout.FrameEscaped || c.Frame == layout.FramePad)
}

// selfPieces gives the rows of the texts of one span, as one piece. It is for fields
// where no stored form is the beginning of another form: a transform marks the end of its
// forms, or beginsNone is true. The forms sort as the values do, or in reverse. ok is
// false if neither end of the span has a known place.
func selfPieces(c *layout.Component, t query.Texts) (pieces []Piece, exact, ok bool) {
	lo, hi := placeOf(t.Lo, t.Lo != "", c.Stages, false), placeOf(t.Hi, !t.Open, c.Stages, true)
	if err := cmp.Or(lo.fault, hi.fault); err != nil {
		return faulty(err), false, true
	}
	if c.Order == forms.Backward { // larger values come first in key order
		lo, hi = hi.turned(), lo.turned()
	}
	at := func(p formPlace) ([]byte, bool) {
		form := p.form
		if c.Frame == layout.FrameEscaped {
			form = forms.AppendEscape(form, 0)
		}
		if c.InvertAll {
			forms.Invert(form)
		}
		rows := pieceOf(c, form)
		if p.after {
			return rows.Hi, rows.HiAfter
		}
		return rows.Lo, rows.LoAfter
	}
	var q Piece
	if lo.known {
		q.Lo, q.LoAfter = at(lo)
	}
	if q.HiOpen = !hi.known; hi.known {
		q.Hi, q.HiAfter = at(hi)
	}
	return []Piece{q}, !lo.lost && !hi.lost, lo.known || hi.known
}

// formPlace is a place among stored forms: just before one form, or just after it.
type formPlace struct {
	form  []byte
	after bool // the place is after form, not before it
	known bool // form is set; if false, this side of the span has no bound
	lost  bool // v itself cannot be written: the place is further out, or not known
	fault error
}

// turned gives the same place for reversed order: before becomes after, and after becomes
// before.
func (p formPlace) turned() formPlace {
	p.after = !p.after
	return p
}

// placeOf gives the place of v among the forms that some stages write. said is false if
// the query has no such end: then no place is known. The cases, in this order:
//   - The stages can write v: the place is just before its form.
//   - v is a text and one 00 more, and the stages can write the text: the place is just
//     after the form of that text. The end of "at most ab" is 61 62 00, for example.
//   - The stages can write neither: the place is lost. A place further out is given
//     instead. For the lower end of a span it is that of the longest beginning of v that
//     can be written. For the upper end it is that of the first text after all texts with
//     such a beginning. If no beginning can be written either, no place is known.
//   - A stage panics: nothing is known of the place, and fault is the panic.
//
// Example of a lost place: a transform packs two hex digits into one byte, and v is "abc".
// As a lower end it is the place before ab, the form of "ab". As an upper end it is the
// place before ac, the form of "ac".
func placeOf(v string, said bool, stages []layout.Stage, upper bool) formPlace {
	if !said {
		return formPlace{}
	}
	try := func(text string, p formPlace) (_ formPlace, found bool) { // p, of the form of a text
		form, err := runAll(stages, text)
		if foreign.IsPanic(err) {
			return formPlace{fault: err}, true
		}
		p.form, p.known = form, true
		return p, err == nil
	}
	if p, found := try(v, formPlace{}); found {
		return p
	}
	if before, ok := strings.CutSuffix(v, "\x00"); ok {
		if p, found := try(before, formPlace{after: true}); found {
			return p
		}
	}
	for n := min(len(v)-1, bound.NearTries); n > 0; n-- {
		near := []byte(v[:n])
		if upper {
			end, ok := bound.StepUp(near)
			if !ok {
				break
			}
			near = near[:end]
		}
		if p, found := try(string(near), formPlace{lost: true}); found {
			return p
		}
	}
	return formPlace{lost: true}
}

// spanThrough gives a span of texts as it is after the last transform. The stages after
// that one are not applied yet. A transform that writes capitals makes [61 62, 61 63)
// into [41 42, 41 43).
//
// down is true if these stages reverse the order. exact is false if an end of the span
// cannot be written: then the span reaches further out, or has no bound on that side. The
// error is a panic of a stage.
func spanThrough(c *layout.Component, t query.Texts) (_ query.Texts, down, exact bool, err error) {
	stages := c.Stages[:c.Vias]
	for _, st := range stages {
		if st.Word == notation.Desc || st.Word == notation.Via && st.Via.Traits.Order == forms.Backward {
			down = !down
		}
	}
	lo, hi := placeOf(t.Lo, t.Lo != "", stages, false), placeOf(t.Hi, !t.Open, stages, true)
	if err := cmp.Or(lo.fault, hi.fault); err != nil {
		return t, down, false, err
	}
	if down {
		lo, hi = hi.turned(), lo.turned()
	}
	text := func(p formPlace) string {
		if p.after && p.known {
			return string(p.form) + "\x00" // the text that comes next
		}
		return string(p.form)
	}
	return query.Texts{Lo: text(lo), Hi: text(hi), Open: !hi.known}, down, !lo.lost && !hi.lost, nil
}

// unwritten reports that a span is one value which no row has, since a transform refuses it.
// A transform of up to three bytes refuses "abcd": the span ["abcd", "abcd\x00") has no form.
func unwritten(c *layout.Component, t query.Texts) bool {
	if c.Vias == 0 || t.Open || t.Hi != t.Lo+"\x00" {
		return false
	}
	_, err := runAll(c.Stages[:c.Vias], t.Lo)
	return err != nil && !foreign.IsPanic(err)
}

// runAll applies some stages to a value, one after the other.
func runAll(stages []layout.Stage, v string) ([]byte, error) {
	b := []byte(v)
	for i := range stages {
		var err error
		if b, err = stages[i].Run(b, 0); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// numPiece gives the rows of the numbers of one span, of a field whose forms a transform
// makes. The piece goes from the form of the first number that can be written to the form
// of the last. An end has no bound if the search for such a number reaches the smallest or
// largest number of the field, or ends after bound.NearTries. In the second case rows of
// other numbers lie in the piece, and exact is false. some is false if no number of the
// span can be written. ok is false if neither end has a bound.
func numPiece(c *layout.Component, sp query.Numbers, backward bool) (q Piece, exact, some, ok bool) {
	all, _ := query.SnapSpan(c, query.DomainOf(c))
	var ends [2]Piece // of the first number and of the last
	var open [2]bool
	exact = true
	for i := range ends {
		for tries := 0; ; tries++ {
			u, outmost := sp.Lo, all.Lo
			if i == 1 {
				u, outmost = sp.Hi, all.Hi
			}
			form, err := c.AppendNum(nil, c.Unrank(u))
			if err == nil {
				ends[i] = pieceOf(c, form)
				break
			}
			if foreign.IsPanic(err) {
				return Piece{fault: err}, false, true, true
			}
			if open[i] = u == outmost || tries == bound.NearTries; open[i] {
				exact = exact && u == outmost
				break
			}
			if i == 0 {
				sp, some = query.SpanLeft(c, u+1, sp.Hi, u != math.MaxUint64)
			} else {
				sp, some = query.SpanLeft(c, sp.Lo, u-1, u != 0)
			}
			if !some {
				return q, true, false, true
			}
		}
	}
	ok = limits(open[0], exact, sp.Lo == all.Lo) || limits(open[1], exact, sp.Hi == all.Hi)
	if backward {
		slices.Reverse(ends[:])
		slices.Reverse(open[:])
	}
	if !open[0] {
		q.Lo, q.LoAfter = ends[0].Lo, ends[0].LoAfter
	}
	q.Hi, q.HiAfter, q.HiOpen = ends[1].Hi, ends[1].HiAfter, open[1]
	return q, exact, true, ok
}

// limits reports that an end of a piece leaves out forms of the field. An open end leaves out
// none. Nor does the field's smallest or largest number (outmost), unless the piece is exact.
func limits(open, exact, outmost bool) bool { return !open && (exact || !outmost) }
