package piece

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/foreign"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// pointPieces are those of spans that hold single values, each its form alone.
func pointPieces(c *layout.Component, spans []query.Texts) (pieces []Piece, ok bool) {
	for _, t := range spans {
		n := t.Points()
		if n == 0 {
			return nil, false
		}
		for i := range n {
			form, err := layout.AppendText(c, nil, t.Hi[:len(t.Lo)+i])
			switch {
			case foreign.IsPanic(err):
				return faulty(err), true
			case err != nil: // no row has it
			default:
				pieces = append(pieces, pieceOf(c, form))
			}
		}
	}
	return pieces, true
}

// textPieces are those of the texts of one span.
func textPieces(c *layout.Component, t query.Texts) (pieces []Piece, exact, ok bool) {
	if c.Codes != nil || c.OneOf != nil { // a field's are points; a copy's are not in the order of its source
		return nil, false, false
	}
	if c.Packs() {
		var some bool
		if t, some = packedSpan(t); !some {
			return nil, true, true
		}
	}
	if c.Frame == layout.FrameLength {
		return lengthPieces(c, t)
	}
	if c.Vias > 0 && bound.KeepsPrefixes(c) {
		if c.Loose || c.Order == forms.Unordered {
			return prefixPieces(c, t)
		}
		if begins, all := t.Begins(); all && len(begins) == 1 { // the place of its end may not be known
			if pieces, exact, ok = prefixPieces(c, t); ok && (exact || FaultOf(pieces) != nil) {
				return pieces, exact, ok
			}
		}
	}
	if c.Loose {
		pieces, ok = loosePieces(c, t)
		return pieces, false, ok
	}
	exact, order := true, c.Order
	if c.Vias > 0 && order != forms.Unordered {
		if c.Ender != nil || beginsNone(c) {
			return selfPieces(c, t)
		}
		var down bool
		var err error
		if t, down, exact, err = spanThrough(c, t); err != nil {
			return faulty(err), false, true
		}
		if t.Lo == "" && t.Open {
			return nil, false, false
		}
		if down {
			order = forms.Forward + forms.Backward - order
		}
	}
	if order == forms.Unordered {
		return unorderedPieces(c, t)
	}
	return orderedPieces(c, t, order), exact, true
}

// orderedPieces is the rows of a span of texts whose forms sort as they do, or the
// other way round.
func orderedPieces(c *layout.Component, t query.Texts, order forms.Order) []Piece {
	lo := cutAt(c, t.Lo)
	if order == forms.Forward {
		q := Piece{Lo: lo.b, LoBehind: lo.behind, HiOpen: t.Open}
		if c.Header != 0 && t.Open {
			q.Hi, q.HiBehind, q.HiOpen = []byte{c.Header}, true, false
		}
		if !t.Open {
			hi := cutAt(c, t.Hi)
			q.Hi, q.HiBehind = hi.b, hi.behind
		}
		return withoutNulls(c, q)
	}
	forms.Invert(lo.b) // the larger values stand first
	q := Piece{Hi: lo.b, HiBehind: !lo.behind}
	switch {
	case c.Header != 0:
		q.Lo = []byte{^c.Header}
	case t.Lo == "":
		q.HiOpen = true
	}
	if !t.Open {
		hi := cutAt(c, t.Hi)
		forms.Invert(hi.b)
		q.Lo, q.LoBehind = hi.b, !hi.behind
	}
	return withoutNulls(c, q)
}

// unorderedPieces is the rows of a span of texts that their separator or their pad
// takes the order from; not exact if others may lie there too.
func unorderedPieces(c *layout.Component, t query.Texts) (pieces []Piece, exact, ok bool) {
	for _, st := range c.Stages {
		if st.Word != notation.Fixed {
			return nil, false, false
		}
	}
	if c.InvertAll || c.Frame != layout.FramePad && (c.Frame != layout.NoFrame || len(c.Mark) == 0) {
		return nil, false, false
	}
	if len(c.Mark) == 1 {
		return misplaced(c, t), true, true
	}
	// Every form begins with its value, so it sorts from lo on; above hi lie only
	// values that hi begins with.
	q := Piece{Lo: []byte(t.Lo), Hi: []byte(t.Hi), HiOpen: t.Open}
	for n := range len(t.Hi) {
		form := t.Hi[:n] + string(c.Mark)
		if c.Frame == layout.FramePad {
			form = t.Hi[:n] + strings.Repeat(string([]byte{c.Pad}), max(0, c.Width-n))
		}
		if t.Hi[:n] >= t.Lo && (form >= t.Hi || strings.HasPrefix(t.Hi, form)) {
			q.Hi, q.HiBehind = q.Hi[:n], true
			break
		}
	}
	if q.HiBehind && len(q.Hi) == 0 {
		q.HiOpen, q.HiBehind = true, false
	}
	if q.HiOpen && len(q.Lo) == 0 {
		return nil, false, false // every form
	}
	return []Piece{q}, false, true
}

// packedSpan is a span of texts with its ends drawn in to UUIDs: it holds the same
// ones. False if it holds none.
func packedSpan(t query.Texts) (query.Texts, bool) {
	some := true
	if t.Lo != "" {
		t.Lo, some = forms.UUIDFrom(t.Lo)
	}
	if !t.Open {
		var ends bool
		if t.Hi, ends = forms.UUIDFrom(t.Hi); !ends {
			t.Open = true
		}
	}
	return t, some && (t.Open || t.Lo < t.Hi)
}

// misplaced is the pieces of a span of texts ended by one byte that sorts above
// some of theirs. '_' sorts above the digits, so that "a_" stands behind "a1_", though
// "a" is less than "a1". The bytes from 61 31 to 62 hold 61 5f, of "a": out of
// the interval [a1, b) it is cut, and to [a, a1) it comes as a piece of its own.
func misplaced(c *layout.Component, t query.Texts) []Piece {
	end := c.Mark[0]
	lo, hi := t.Lo, t.Hi
	base := Piece{HiOpen: t.Open}
	base.Lo, base.LoBehind, lo = cutAtEnd(c, lo, end)
	if !t.Open {
		base.Hi, base.HiBehind, hi = cutAtEnd(c, hi, end)
		base.HiBehind = base.HiBehind && hi >= t.Lo // else the form that ends there lies below lo
	}
	form := func(v string) []byte { return append([]byte(v), end) }
	var holes, more []Piece
	for n := range len(lo) {
		if p := lo[:n]; end > lo[n] {
			holes = append(holes, Piece{Lo: form(p), Hi: form(p), HiBehind: true})
		}
	}
	if !t.Open {
		for n := range len(hi) {
			if p := hi[:n]; end > hi[n] && p >= t.Lo {
				more = append(more, Piece{Lo: form(p), Hi: form(p), HiBehind: true})
			}
		}
	}
	slices.Reverse(holes) // in key order: the longest beginning lies first
	pieces := []Piece{base}
	for _, h := range holes {
		last := pieces[len(pieces)-1]
		if !last.HiOpen && bytes.Compare(h.Lo, last.Hi) >= 0 {
			continue // beyond hi anyway
		}
		front := last
		front.Hi, front.HiBehind, front.HiOpen = h.Lo, false, false
		back := last
		back.Lo, back.LoBehind = h.Hi, true
		pieces = append(pieces[:len(pieces)-1], front, back)
	}
	return append(pieces, more...)
}
