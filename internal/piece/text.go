package piece

import (
	"bytes"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/foreign"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// pointPieces gives a piece for each value of spans that hold a few values only. A value
// that the field cannot store gets none. ok is false if a span holds other than a few
// values.
func pointPieces(c *layout.Component, spans []query.Texts) (pieces []Piece, ok bool) {
	c = c.OfParts()
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
			case err != nil, len(form) < c.Shape.Min: // no row has this value
			default:
				pieces = append(pieces, pieceOf(c, form))
			}
		}
	}
	return pieces, true
}

// textPieces gives the pieces of the texts of one span. exact is false if rows of other
// texts lie in them, too. ok is false if the texts have no such pieces.
func textPieces(c *layout.Component, t query.Texts) (pieces []Piece, exact, ok bool) {
	if c.Codes != nil || c.OneOf != nil { // a field reads these as single values; a copy's codes do not sort as its source does
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
		if begins, all := t.Begins(); all && len(begins) == 1 { // spanThrough may not know the place of the span's end
			if pieces, exact, ok = prefixPieces(c, t); ok && (exact || FaultOf(pieces) != nil) {
				return pieces, exact, ok
			}
		}
	}
	if c.Loose {
		pieces, ok = loosePieces(c, t)
		return pieces, false, ok
	}
	switch {
	case c.Order == forms.Unordered:
		return unorderedPieces(c, t)
	case c.Vias > 0:
		return throughPieces(c, t)
	}
	return orderedPieces(c, t, c.Order), true, true
}

// throughPieces is textPieces for a field whose forms a transform makes, in the order of the
// texts or backward.
func throughPieces(c *layout.Component, t query.Texts) (pieces []Piece, exact, ok bool) {
	if t.Lo == "" && t.Open { // all values, as at most the last UUID is
		return []Piece{{HiOpen: true}}, true, true
	}
	if c.Ender || beginsNone(c) {
		return selfPieces(c, t)
	}
	t, down, exact, err := spanThrough(c, t)
	switch {
	case err != nil:
		return faulty(err), false, true
	case t.Lo == "" && t.Open:
		return nil, false, false
	}
	order := c.Order
	if down {
		order = forms.Forward + forms.Backward - order
	}
	return orderedPieces(c, t, order), exact, true
}

// orderedPieces gives the rows of a span of texts whose forms sort as the texts do, or in
// reverse. The texts ["ab", "ac") of a field that '_' ends lie from 61 62 up to 61 63;
// inverted, they lie after all that begins with 9e 9c, up to the last that begins with
// 9e 9d.
func orderedPieces(c *layout.Component, t query.Texts, order forms.Order) []Piece {
	lo, hi := cutAt(c, t.Lo), cut{after: true}
	switch {
	case !t.Open:
		hi = cutAt(c, t.Hi)
	case c.Header != 0:
		hi.b = []byte{c.Header}
	}
	q := Piece{Lo: lo.b, LoAfter: lo.after, Hi: hi.b, HiAfter: hi.after, HiOpen: t.Open && c.Header == 0}
	if order != forms.Forward { // larger values come first in key order
		forms.Invert(lo.b)
		forms.Invert(hi.b)
		q = Piece{Lo: hi.b, LoAfter: !hi.after, Hi: lo.b, HiAfter: !lo.after, HiOpen: c.Header == 0 && t.Lo == ""}
	}
	return withoutNulls(c, q)
}

// unorderedPieces gives the rows of a span of texts whose forms do not sort as the texts
// do, because of their separator or their pad. exact is false if rows of other texts may
// lie there, too. ok is false if nothing bounds the rows.
func unorderedPieces(c *layout.Component, t query.Texts) (pieces []Piece, exact, ok bool) {
	for _, st := range c.Stages {
		if st.Word != notation.Fixed && st.Word != notation.Left { // the spans of a copy are of texts as long as Left leaves them
			return nil, false, false
		}
	}
	if c.InvertAll || c.Frame != layout.FramePad && (c.Frame != layout.NoFrame || len(c.Mark) == 0) {
		return nil, false, false
	}
	if len(c.Mark) == 1 && fewMisplaced(c.Mark[0], t) {
		return misplaced(c, t), true, true
	}
	// Every form begins with its value, so no form sorts before lo. Only values that hi
	// begins with can have a form after hi: the shortest of these widens the piece. With
	// "__" as the separator, "a" is in ["a", "a1"), and its form 61 5f 5f sorts after 61 31.
	q := Piece{Lo: []byte(t.Lo), Hi: []byte(t.Hi), HiOpen: t.Open}
	width := min(c.Width, len(t.Hi))
	for n, other := within(t), 0; n < len(t.Hi); n++ {
		behind := c.Mark != nil && sortsBehind(c.Mark, t.Hi[n:])
		if c.Frame == layout.FramePad { // the first byte from n on that is not the pad decides
			for other = max(n, other); other < width && t.Hi[other] == c.Pad; {
				other++
			}
			behind = other >= width || c.Pad > t.Hi[other]
		}
		if behind {
			q.Hi, q.HiAfter = q.Hi[:n], true
			break
		}
	}
	if q.HiAfter && len(q.Hi) == 0 {
		q.HiOpen, q.HiAfter = true, false
	}
	if q.HiOpen && len(q.Lo) == 0 {
		return nil, false, false // every form
	}
	return []Piece{q}, false, true
}

// within is the length of the shortest beginning of a span's upper end that lies in the span.
func within(t query.Texts) int {
	return min(bound.Alike(t.Lo, t.Hi, len(t.Lo))+1, len(t.Lo)) // the upper end is greater at the first byte that they do not share
}

// fewMisplaced reports that the pieces of misplaced are not too many.
func fewMisplaced(end byte, t query.Texts) bool {
	n := 0
	for _, v := range []string{t.Lo, t.Hi} {
		for i := range len(v) {
			if end > v[i] {
				n++
			}
		}
	}
	return n <= query.MostBeginnings
}

// packedSpan moves each end of a span of texts to the next UUID. The span holds the same
// UUIDs before and after. False if it holds no UUID. ["f", "g") becomes the span from
// "f0000000-0000-0000-0000-000000000000" without an upper end.
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

// misplaced gives the pieces of a span of texts whose separator is one byte, where this
// byte sorts above some bytes of the texts. '_' is 5f and sorts above the digit '1', 31.
// So "a" is less than "a1", but the form 61 5f of "a" sorts after the form 61 31 5f of
// "a1". Two things follow:
//   - The span ["a1", "b") is the bytes from 61 31 up to 62 without those that begin with
//     61 5f: "a" is not in the span.
//   - The span ["a", "a1") is the bytes from 61 up to 61 31, and in a second piece those
//     that begin with 61 5f: "a" is in the span.
func misplaced(c *layout.Component, t query.Texts) []Piece {
	end := c.Mark[0]
	lo, hi := t.Lo, t.Hi
	base := Piece{HiOpen: t.Open}
	base.Lo, base.LoAfter, lo = cutAtEnd(lo, end)
	if !t.Open {
		base.Hi, base.HiAfter, hi = cutAtEnd(hi, end)
		base.HiAfter = base.HiAfter && hi >= t.Lo // if hi is less than Lo, the form of hi is not in the span
	}
	form := func(v string) []byte { return append([]byte(v), end) }
	var holes, more []Piece
	for n := range len(lo) {
		if p := lo[:n]; end > lo[n] {
			holes = append(holes, Piece{Lo: form(p), Hi: form(p), HiAfter: true})
		}
	}
	if !t.Open {
		for n := range len(hi) {
			if p := hi[:n]; end > hi[n] && p >= t.Lo {
				more = append(more, Piece{Lo: form(p), Hi: form(p), HiAfter: true})
			}
		}
	}
	slices.Reverse(holes) // now in key order: the form of the longest beginning comes first
	pieces := []Piece{base}
	for _, h := range holes {
		last := pieces[len(pieces)-1]
		if !last.HiOpen && bytes.Compare(h.Lo, last.Hi) >= 0 {
			continue // it lies after the upper end anyway
		}
		front := last
		front.Hi, front.HiAfter, front.HiOpen = h.Lo, false, false
		back := last
		back.Lo, back.LoAfter = h.Hi, true
		pieces = append(pieces[:len(pieces)-1], front, back)
	}
	return append(pieces, more...)
}
