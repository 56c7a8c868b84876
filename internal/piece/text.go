package piece

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/foreign"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// Of a text with its length in front, the texts of an interval lie together only where
// they are of one length.

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

// cut is a place among stored forms: in front of those that begin with b, or
// behind them.
type cut struct {
	b      []byte
	behind bool
}

// invertsBytes reports that a text is stored with every byte inverted, its end too
// where the order is backward.
func invertsBytes(c *layout.Component) bool {
	inverts := c.InvertAll
	for _, st := range c.Stages[c.Vias:] {
		inverts = inverts || st.Word == notation.Desc
	}
	return inverts
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

// cutAt is the place between the forms of the values below v and those of v and
// above, of a text that is stored in the order of its values; before any
// inversion. v need not be a value that can be stored.
func cutAt(c *layout.Component, v string) cut {
	k := cutIn(c, v)
	if c.Header != 0 {
		k.b = append([]byte{c.Header}, k.b...)
	}
	return k
}

// cutIn is cutAt behind the header.
func cutIn(c *layout.Component, v string) cut {
	inverts := invertsBytes(c)
	early := inverts && !c.InvertAll // the inversion stands before the frame
	flip := byte(0)
	if early {
		flip = 0xff
	}
	if c.Packs() && c.Vias == 0 && v != "" {
		form, _ := layout.PackUUID([]byte(v)) // packedSpan has made it one
		v = string(form)
	}
	switch {
	case c.Frame == layout.FrameEscaped:
		b := forms.AppendEscape([]byte(v), 0)
		return cut{b[:len(b)-2], false}
	case c.Frame == layout.FrameNul:
		if n := strings.IndexByte(v, 0); n >= 0 { // the value that ends there is the last below v
			return cut{[]byte(v[:n+1]), true}
		}
		return cut{[]byte(v), false}
	case c.Decimal == forms.Numeric:
		if n := forms.NumericLen([]byte(v), 0); n >= 0 && n < len(v) {
			return cut{[]byte(v[:n]), true}
		}
		return cut{[]byte(v), false}
	case c.Frame == layout.FramePad && !c.Full:
		return cutPadded(c, v, c.Pad^flip)
	case c.Mark != nil:
		mark := bytes.Clone(c.Mark)
		if early {
			forms.Invert(mark)
		}
		return cutMarked(c, v, mark)
	}
	if c.Shape.Fixed() && len(v) > c.Shape.Min { // longer than every value: behind its own beginning
		return cut{[]byte(v[:c.Shape.Min]), true}
	}
	return cut{[]byte(v), false}
}

// cutPadded: what v begins with up to a byte below the pad, or all of it
// without the pads it ends in, is the last value below v.
func cutPadded(c *layout.Component, v string, pad byte) cut {
	u := v
	for i := range len(v) {
		if v[i] < pad {
			u = v[:i]
			break
		}
	}
	if len(u) > c.Width {
		u = u[:c.Width]
	}
	if len(u) == len(v) && (len(v) == 0 || v[len(v)-1] != pad) {
		return cut{[]byte(v), false}
	}
	n := len(u)
	for n > 0 && u[n-1] == pad {
		n--
	}
	b := []byte(u[:n])
	for len(b) < c.Width {
		b = append(b, pad)
	}
	return cut{b, true}
}

// cutMarked is the place of v among texts that end in a separator. A value that v
// begins with is less than v, and its rows may still stand behind v's own bytes: with
// ':' as the separator "a" is less than "a:b", and 61 3a 63 is a row of it, which
// stands behind 61 3a 62. Since the order is kept, the longest such value is the last
// below v, and the place is behind its rows.
func cutMarked(c *layout.Component, v string, mark []byte) cut {
	able := 0 // bytes of v that a value can have
	for able < len(v) && (c.Vias > 0 || c.Value.Bytes[v[able]]) {
		able++
	}
	for n := min(able, len(v)-1); n >= 0; n-- {
		if p := []byte(v[:n]); forms.Marks(p, mark) {
			if form := append(p, mark...); string(form) >= v || strings.HasPrefix(v, string(form)) {
				return cut{form, true}
			}
		}
	}
	return cut{[]byte(v), false}
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

// cutAtEnd is the place of v among forms that end in one byte: if v holds it, behind
// the form that ends there.
func cutAtEnd(c *layout.Component, v string, end byte) ([]byte, bool, string) {
	for i := range len(v) {
		if v[i] == end {
			return []byte(v[:i+1]), true, v[:i]
		}
	}
	return []byte(v), false, v
}

// suffixPieces are those of values that end in one of some texts, of a field
// that is stored last byte, character or label first.
func suffixPieces(c *layout.Component, suffixes []string) (pieces []Piece, exact, ok bool) {
	if c.Frame == layout.FramePadLeft || c.Frame == layout.FramePad || c.Frame == layout.FrameBlobVar || c.Frame == layout.FrameLength || c.Codes != nil || c.InvertAll {
		return nil, false, false
	}
	var turn *layout.Stage
	for i := range c.Stages {
		switch st := &c.Stages[i]; {
		case st.Word == notation.Fixed:
		case turn != nil || st.Word != notation.Reverse && st.Word != notation.ReverseRune && st.Word != notation.ReverseLabels:
			return nil, false, false
		default:
			turn = st
		}
	}
	if turn == nil {
		return nil, false, false
	}
	exact = true
	for _, s := range suffixes {
		if c.Value.Max >= 0 && len(s) > c.Value.Max {
			continue // longer than every value
		}
		b := []byte(s)
		if turn.Word == notation.ReverseRune { // it may begin within a character
			n := 0
			for n < len(b) && n < utf8.UTFMax-1 && !utf8.RuneStart(b[n]) {
				n++
			}
			if b = b[n:]; n > 0 {
				exact = false
			}
			if len(b) == 0 {
				return nil, false, false
			}
		}
		if turn.Word == notation.ReverseLabels {
			n := bytes.Index(b, turn.Sep)
			if n < 0 {
				return nil, false, false
			}
			exact = exact && n == 0
			b = b[n+len(turn.Sep):]
			forms.ReverseLabels(b, turn.Sep)
			b = append(b, turn.Sep...)
		} else if _, err := turn.Apply(b); err != nil {
			continue // no value of characters ends so
		}
		if c.Frame == layout.FrameEscaped {
			b = forms.AppendEscape(b, 0)
			b = b[:len(b)-2]
		}
		if c.Mark != nil && !c.Loose && bytes.Contains(b, c.Mark) || c.Frame == layout.FrameNul && bytes.IndexByte(b, 0) >= 0 {
			continue // no value that can be stored ends so
		}
		if c.Header != 0 {
			b = append([]byte{c.Header}, b...)
		}
		if len(c.Mark) > 1 {
			exact = false // a shorter value and its separator may begin alike
		}
		pieces = append(pieces, Piece{Lo: b, Hi: b, HiBehind: true})
	}
	return pieces, exact && !slices.ContainsFunc(pieces, func(q Piece) bool { return len(q.Lo) > math.MaxInt16 }), true
}

// mostLengths is how many lengths get an interval of their own.
const mostLengths = 32

// lengthPieces are the pieces of the texts of one span, of a field with their
// length in front: an interval for each length. Of Prefix "u1" with LenPrefix(1)
// they are [02 u1, 02 u2), [03 u1, 03 u2) and so on; from the 33rd length on all
// others are one piece, in which rows of other texts lie too.
func lengthPieces(c *layout.Component, t query.Texts) (pieces []Piece, exact, ok bool) {
	if t.Points() > 0 {
		pieces, ok = pointPieces(c, []query.Texts{t})
		return pieces, true, ok
	}
	flip := byte(0) // of the text alone
	for _, st := range c.Stages {
		switch st.Word {
		case notation.Fixed:
		case notation.Desc:
			flip ^= 0xff
		default:
			return nil, false, false
		}
	}
	least, most := c.Value.Min, forms.MostOfLength(c.Width)
	if c.Value.Max >= 0 {
		most = min(most, c.Value.Max)
	}
	for n := least; n <= most; n++ {
		if n == least+mostLengths && n < most {
			lo, hi := cut{b: forms.AppendUint(nil, uint64(n), c.Width)}, cut{forms.AppendUint(nil, uint64(most), c.Width), true}
			return append(pieces, lengthPiece(c, lo, hi, 0)), false, true
		}
		lo, hi := lengthCut(c, t.Lo, n), lengthCut(c, t.Hi, n)
		if t.Open {
			hi = cut{forms.AppendUint(nil, uint64(n), c.Width), true}
		}
		pieces = append(pieces, lengthPiece(c, lo, hi, flip))
	}
	return pieces, true, true
}

// lengthCut is the place among the texts of n bytes in front of which those below v
// stand, before any inversion.
func lengthCut(c *layout.Component, v string, n int) cut {
	b := forms.AppendUint(nil, uint64(n), c.Width)
	return cut{append(b, v[:min(n, len(v))]...), len(v) > n}
}

// lengthPiece is the piece between two places of texts that are stored with their
// bytes XOR flip, and then, length and all, inverted if the field is.
func lengthPiece(c *layout.Component, lo, hi cut, flip byte) Piece {
	turn := func(skip int) {
		for _, k := range []*cut{&lo, &hi} {
			forms.Invert(k.b[skip:])
			k.behind = !k.behind
		}
		lo, hi = hi, lo
	}
	if flip != 0 {
		turn(c.Width)
	}
	if c.InvertAll {
		turn(0)
	}
	return Piece{Lo: lo.b, LoBehind: lo.behind, Hi: hi.b, HiBehind: hi.behind}
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
