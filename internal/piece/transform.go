package piece

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/foreign"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// pieceOf is the rows of one stored form, without its separator.
func pieceOf(c *layout.Component, form []byte) Piece {
	switch {
	case c.Ends == forms.EndLast:
		return Piece{Lo: form, Hi: append(slices.Clone(form), 0)}
	case c.Clips() && c.Shape.GoesOnDown:
		return Piece{Lo: append(slices.Clone(form), ^c.Shape.GoesOn+1), Hi: form, HiBehind: true}
	case c.Clips():
		return Piece{Lo: form, Hi: append(slices.Clone(form), c.Shape.GoesOn)}
	}
	form = append(form, c.Mark...)
	return Piece{Lo: form, Hi: form, HiBehind: true}
}

// beginsNone is true if this transform's forms have a fixed size or end themselves,
// and Pad or Escaped follows. No form begins another then, so that the frame cannot
// change their order.
func beginsNone(c *layout.Component) bool {
	t := &c.Stages[c.Vias-1].Via.Traits
	return (t.Delimited || t.Size > 0) && (c.Frame == layout.FrameEscaped || c.Frame == layout.FramePad)
}

// selfPieces are the rows of the texts of one span, of a field whose forms no
// other begins and which sort as the values do, or the other way round: a
// transform ends them, or beginsNone.
func selfPieces(c *layout.Component, t query.Texts) (pieces []Piece, exact, ok bool) {
	lo, hi := placeOf(c, t.Lo, t.Lo != "", c.Stages, false), placeOf(c, t.Hi, !t.Open, c.Stages, true)
	if err := cmp.Or(lo.fault, hi.fault); err != nil {
		return faulty(err), false, true
	}
	if c.Order == forms.Backward { // the larger values stand first
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
		if p.behind {
			return rows.Hi, rows.HiBehind
		}
		return rows.Lo, rows.LoBehind
	}
	var q Piece
	if lo.known {
		q.Lo, q.LoBehind = at(lo)
	}
	if q.HiOpen = !hi.known; hi.known {
		q.Hi, q.HiBehind = at(hi)
	}
	return []Piece{q}, !lo.lost && !hi.lost, lo.known || hi.known
}

// formPlace is a place among forms: in front of one, or behind it.
type formPlace struct {
	form   []byte
	behind bool
	known  bool
	lost   bool // not the value's own, but if it is known one beyond it
	fault  error
}

// turned is the place seen from the other side.
func (p formPlace) turned() formPlace {
	p.behind = !p.behind
	return p
}

// placeOf is the place in front of the values from v on, among what some stages
// write. Where they cannot write v but what it is the next text after, that is
// the place behind this one. Where they can write neither, the place is lost: it
// is that of a text they can write which v begins with, as the lower end of a
// span, and as its upper end that of one that lies beyond all which begins so. A
// panic of a stage says nothing of any place, and is the fault.
func placeOf(c *layout.Component, v string, said bool, stages []layout.Stage, upper bool) formPlace {
	if !said {
		return formPlace{}
	}
	form, err := runAll(stages, v)
	if err == nil {
		return formPlace{form: form, known: true}
	}
	if foreign.IsPanic(err) {
		return formPlace{fault: err}
	}
	if before, ok := strings.CutSuffix(v, "\x00"); ok {
		if form, err = runAll(stages, before); err == nil {
			return formPlace{form: form, behind: true, known: true}
		}
		if foreign.IsPanic(err) {
			return formPlace{fault: err}
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
		if form, err = runAll(stages, string(near)); err == nil {
			return formPlace{form: form, known: true, lost: true}
		}
		if foreign.IsPanic(err) {
			return formPlace{fault: err}
		}
	}
	return formPlace{lost: true}
}

// spanThrough is a span of texts as the last transform writes it, and whether
// that turned it round; the stages behind it are still to come. Where an end of
// the span cannot be written its place is not known: that side is left open,
// and the span is not exact. The error is a panic of a stage.
func spanThrough(c *layout.Component, t query.Texts) (_ query.Texts, down, exact bool, err error) {
	stages := c.Stages[:c.Vias]
	for _, st := range stages {
		if st.Word == notation.Desc || st.Word == notation.Via && st.Via.Traits.Order == forms.Backward {
			down = !down
		}
	}
	lo, hi := placeOf(c, t.Lo, t.Lo != "", stages, false), placeOf(c, t.Hi, !t.Open, stages, true)
	if err := cmp.Or(lo.fault, hi.fault); err != nil {
		return t, down, false, err
	}
	if down {
		lo, hi = hi.turned(), lo.turned()
	}
	text := func(p formPlace) string {
		if p.behind && p.known {
			return string(p.form) + "\x00" // the next text of all
		}
		return string(p.form)
	}
	return query.Texts{Lo: text(lo), Hi: text(hi), Open: !hi.known}, down, !lo.lost && !hi.lost, nil
}

// runAll takes a value through some stages.
func runAll(stages []layout.Stage, v string) ([]byte, error) {
	b := []byte(v)
	for i := range stages {
		var err error
		if b, err = stages[i].Run(b); err != nil {
			return nil, err
		}
	}
	return b, nil
}
