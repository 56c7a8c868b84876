package rowkey

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey/internal/foreign"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// piece is an interval of stored forms, between two places: in front of all
// forms that begin with some bytes, or behind them.
type piece struct {
	lo, hi   []byte
	loBehind bool
	hiBehind bool
	hiOpen   bool // to the end of all forms
	number   bool // behind hi lies the next number of the same width
	parted   bool // the next piece goes on with the same values, behind a null

	first, last []byte // the forms of the values it ends in, where that was asked for

	fault error // a step of others panicked: nothing is known of the place
}

// faulty is what is known of a place of which a step of others panicked.
func faulty(err error) []piece { return []piece{{fault: err}} }

// faultOf is the panic that one of some pieces stands for.
func faultOf(pieces []piece) error {
	for i := range pieces {
		if pieces[i].fault != nil {
			return pieces[i].fault
		}
	}
	return nil
}

// behind is the range of a piece behind a beginning.
func behind(q *piece, b *builder, e *edges) (keyRange, bool) {
	at := len(b.arena)
	arena := append(append(b.arena, b.begin...), q.lo...)
	if e.low != nil && q.first != nil {
		arena = append(append(arena[:at+len(b.begin)], q.first...), e.low...)
	} else if q.loBehind {
		n, ok := stepUp(arena[at:])
		if !ok {
			return keyRange{}, false
		}
		arena = arena[:at+n]
	}
	mid := len(arena)
	state := bounded
	arena = append(arena, b.begin...)
	if !q.hiOpen {
		arena = append(arena, q.hi...)
	}
	if e.high != nil && q.last != nil {
		arena = append(append(arena[:mid+len(b.begin)], q.last...), e.high...)
		if !e.below {
			n, ok := stepUp(arena[mid:])
			if !ok {
				state = unbounded
			}
			arena = arena[:mid+n]
		}
	} else if q.number && increment(arena[mid+len(b.begin):]) {
		// the stop has the form's own width
	} else if q.hiOpen || q.hiBehind {
		if q.number {
			arena = arena[:mid+len(b.begin)] // past the last number: past all that begins so
		}
		n, ok := stepUp(arena[mid:])
		if !ok {
			state = unbounded
		}
		arena = arena[:mid+n]
	}
	end := len(arena)
	r := keyRange{arena[at:mid:mid], arena[mid:end:end], state, nil}
	if state == bounded && bytes.Compare(r.start, r.stop) >= 0 {
		return keyRange{}, false
	}
	b.arena = arena
	return r, true
}

// increment adds one to a big-endian number; false, and all zeros, if it had
// none behind it.
func increment(b []byte) bool {
	for i := len(b) - 1; i >= 0; i-- {
		if b[i]++; b[i] != 0 {
			return true
		}
	}
	return false
}

// hasPieces reports that the query limits a component to intervals of its
// stored forms.
func (pl *planner) hasPieces(c *layout.Component) bool {
	k, ok := pl.limitOf(c)
	if !ok {
		return false
	}
	var room [2]piece
	pieces, _, ok := piecesOf(c, room[:0], k)
	pl.mind(c, faultOf(pieces))
	return ok
}

// piecesAtStop finds the intervals that the component at the stop is limited to,
// and gives their number, 0 if it is not.
func (pl *planner) piecesAtStop() int {
	if pl.p.stop == len(pl.s.Comps) {
		return 0
	}
	c := &pl.s.Comps[pl.p.stop]
	k, ok := pl.limitOf(c)
	if !ok {
		return 0
	}
	if pl.found, pl.foundExact, ok = piecesOf(c, pl.roomPieces[:0], k); !ok {
		return 0
	}
	pl.mind(c, faultOf(pl.found))
	return max(1, len(pl.found))
}

// limitOf is what the query says of the component at the stop.
func (pl *planner) limitOf(c *layout.Component) (*constraint, bool) {
	switch c.Role {
	case layout.RoleField:
		return &pl.p.cons[c.Ord], pl.narrow[c.Ord]
	case layout.RoleCopy:
		k, ok := pl.copied(c)
		return &k, ok
	}
	return nil, false
}

// piecesOf is the intervals of stored forms of the values that a constraint
// admits; not exact if forms of others lie between them. False if they cannot
// be said.
func piecesOf(c *layout.Component, room []piece, k *constraint) (pieces []piece, exact, ok bool) {
	if c.Loose && !c.IsText() {
		return nil, false, false
	}
	if !c.IsText() {
		return numPieces(c, room, k.nums)
	}
	exact = true
	if len(k.ends) > 0 {
		exact = len(k.ends) == 1 && len(k.texts) == 1 && k.texts[0] == textSpan{open: true}
		if points, ok := pointPieces(c, k.ends[0].spans); ok {
			if pieces, whole, ok := suffixPieces(c, k.ends[0].suffixes); ok {
				return append(pieces, points...), exact && whole && !c.Loose, true
			}
		}
		exact = false
		if len(k.texts) == 1 && k.texts[0] == (textSpan{open: true}) {
			return nil, false, false
		}
	}
	for _, t := range k.texts {
		more, whole, ok := textPieces(c, t)
		if !ok {
			return nil, false, false
		}
		pieces, exact = append(pieces, more...), exact && whole
	}
	return pieces, exact, true
}

// pointPieces are those of spans that hold single values, each its form alone.
func pointPieces(c *layout.Component, spans []textSpan) (pieces []piece, ok bool) {
	for _, t := range spans {
		n := t.points()
		if n == 0 {
			return nil, false
		}
		for i := range n {
			form, err := layout.AppendText(c, nil, t.hi[:len(t.lo)+i])
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

// numPieces are those of numbers whose forms sort as the numbers do, forward or
// backward, or do so for negatives and for the others apart; not exact if forms of
// others lie between them.
func numPieces(c *layout.Component, pieces []piece, spans []numSpan) (_ []piece, exact, ok bool) {
	exact = true
	split := uint64(0) // where the order begins anew
	var facts forms.Facts
	if c.Order == forms.Unordered {
		if facts = c.Num.Form.Facts(); !facts.Apart || !c.Hbase || !c.Plain {
			return nil, false, false
		}
		split = layout.SignBit64
	}
	add := func(sp numSpan, backward bool) bool {
		sp, some := snapSpan(c, sp)
		if !some {
			return true
		}
		if c.Vias > 0 {
			q, whole, some, ok := numPiece(c, sp, backward)
			if exact = exact && whole; some && ok {
				pieces = append(pieces, q)
			}
			return ok
		}
		b, errLo := c.AppendNum(make([]byte, 0, 2*c.Shape.Min), c.Unrank(sp.lo))
		n := len(b)
		b, errHi := c.AppendNum(b, c.Unrank(sp.hi))
		if errLo != nil || errHi != nil {
			return false
		}
		lo, hi := b[:n:n], b[n:]
		if backward {
			lo, hi = hi, lo
		}
		if c.Trims { // its end may be left off
			lo = lo[:len(lo)-c.EndLen()]
		}
		q := piece{lo: lo, hi: hi, hiBehind: true, number: c.Shape.Fixed()}
		if c.Decimal == forms.BigDecimal && c.Frame == layout.NoFrame { // other numbers may go on
			q.hi, q.hiBehind = append(slices.Clone(hi), 0), false
		}
		pieces = append(pieces, q)
		return true
	}
	for _, sp := range spans {
		if split != 0 && sp.lo < split && sp.hi >= split {
			if !add(numSpan{sp.lo, split - 1}, facts.Below == forms.Down) || !add(numSpan{split, sp.hi}, facts.Above == forms.Down) {
				return nil, false, false
			}
			continue
		}
		backward := c.Order == forms.Backward
		if split != 0 {
			backward = facts.Above == forms.Down
			if sp.lo < split {
				backward = facts.Below == forms.Down
			}
		}
		if !add(sp, backward) {
			return nil, false, false
		}
	}
	return pieces, exact, true
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
func textPieces(c *layout.Component, t textSpan) (pieces []piece, exact, ok bool) {
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
	if c.Vias > 0 && keepsPrefixes(c) {
		if c.Loose || c.Order == forms.Unordered {
			return prefixPieces(c, t)
		}
		if begins, all := t.begins(); all && len(begins) == 1 { // the place of its end may not be known
			if pieces, exact, ok = prefixPieces(c, t); ok && (exact || faultOf(pieces) != nil) {
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
		if t.lo == "" && t.open {
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
func orderedPieces(c *layout.Component, t textSpan, order forms.Order) []piece {
	lo := cutAt(c, t.lo)
	if order == forms.Forward {
		q := piece{lo: lo.b, loBehind: lo.behind, hiOpen: t.open}
		if c.Header != 0 && t.open {
			q.hi, q.hiBehind, q.hiOpen = []byte{c.Header}, true, false
		}
		if !t.open {
			hi := cutAt(c, t.hi)
			q.hi, q.hiBehind = hi.b, hi.behind
		}
		return withoutNulls(c, q)
	}
	forms.Invert(lo.b) // the larger values stand first
	q := piece{hi: lo.b, hiBehind: !lo.behind}
	switch {
	case c.Header != 0:
		q.lo = []byte{^c.Header}
	case t.lo == "":
		q.hiOpen = true
	}
	if !t.open {
		hi := cutAt(c, t.hi)
		forms.Invert(hi.b)
		q.lo, q.loBehind = hi.b, !hi.behind
	}
	return withoutNulls(c, q)
}

// unorderedPieces is the rows of a span of texts that their separator or their pad
// takes the order from; not exact if others may lie there too.
func unorderedPieces(c *layout.Component, t textSpan) (pieces []piece, exact, ok bool) {
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
	q := piece{lo: []byte(t.lo), hi: []byte(t.hi), hiOpen: t.open}
	for n := range len(t.hi) {
		form := t.hi[:n] + string(c.Mark)
		if c.Frame == layout.FramePad {
			form = t.hi[:n] + strings.Repeat(string([]byte{c.Pad}), max(0, c.Width-n))
		}
		if t.hi[:n] >= t.lo && (form >= t.hi || strings.HasPrefix(t.hi, form)) {
			q.hi, q.hiBehind = q.hi[:n], true
			break
		}
	}
	if q.hiBehind && len(q.hi) == 0 {
		q.hiOpen, q.hiBehind = true, false
	}
	if q.hiOpen && len(q.lo) == 0 {
		return nil, false, false // every form
	}
	return []piece{q}, false, true
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
func misplaced(c *layout.Component, t textSpan) []piece {
	end := c.Mark[0]
	lo, hi := t.lo, t.hi
	base := piece{hiOpen: t.open}
	base.lo, base.loBehind, lo = cutAtEnd(c, lo, end)
	if !t.open {
		base.hi, base.hiBehind, hi = cutAtEnd(c, hi, end)
		base.hiBehind = base.hiBehind && hi >= t.lo // else the form that ends there lies below lo
	}
	form := func(v string) []byte { return append([]byte(v), end) }
	var holes, more []piece
	for n := range len(lo) {
		if p := lo[:n]; end > lo[n] {
			holes = append(holes, piece{lo: form(p), hi: form(p), hiBehind: true})
		}
	}
	if !t.open {
		for n := range len(hi) {
			if p := hi[:n]; end > hi[n] && p >= t.lo {
				more = append(more, piece{lo: form(p), hi: form(p), hiBehind: true})
			}
		}
	}
	slices.Reverse(holes) // in key order: the longest beginning lies first
	pieces := []piece{base}
	for _, h := range holes {
		last := pieces[len(pieces)-1]
		if !last.hiOpen && bytes.Compare(h.lo, last.hi) >= 0 {
			continue // beyond hi anyway
		}
		front := last
		front.hi, front.hiBehind, front.hiOpen = h.lo, false, false
		back := last
		back.lo, back.loBehind = h.hi, true
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
func suffixPieces(c *layout.Component, suffixes []string) (pieces []piece, exact, ok bool) {
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
		pieces = append(pieces, piece{lo: b, hi: b, hiBehind: true})
	}
	return pieces, exact && !slices.ContainsFunc(pieces, func(q piece) bool { return len(q.lo) > math.MaxInt16 }), true
}

// Of a text with its length in front, the texts of an interval lie together only where
// they are of one length.

// mostLengths is how many lengths get an interval of their own.
const mostLengths = 32

// lengthPieces are the pieces of the texts of one span, of a field with their
// length in front: an interval for each length. Of Prefix "u1" with LenPrefix(1)
// they are [02 u1, 02 u2), [03 u1, 03 u2) and so on; from the 33rd length on all
// others are one piece, in which rows of other texts lie too.
func lengthPieces(c *layout.Component, t textSpan) (pieces []piece, exact, ok bool) {
	if t.points() > 0 {
		pieces, ok = pointPieces(c, []textSpan{t})
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
		lo, hi := lengthCut(c, t.lo, n), lengthCut(c, t.hi, n)
		if t.open {
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
func lengthPiece(c *layout.Component, lo, hi cut, flip byte) piece {
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
	return piece{lo: lo.b, loBehind: lo.behind, hi: hi.b, hiBehind: hi.behind}
}

// packedSpan is a span of texts with its ends drawn in to UUIDs: it holds the same
// ones. False if it holds none.
func packedSpan(t textSpan) (textSpan, bool) {
	some := true
	if t.lo != "" {
		t.lo, some = forms.UUIDFrom(t.lo)
	}
	if !t.open {
		var ends bool
		if t.hi, ends = forms.UUIDFrom(t.hi); !ends {
			t.open = true
		}
	}
	return t, some && (t.open || t.lo < t.hi)
}
