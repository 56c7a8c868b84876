package piece

import (
	"math"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/foreign"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// numPiece is the rows of the numbers of one span, of a field whose forms are
// made by a transform: from the first that can be written to the last. An end of
// all the field's numbers that it cannot write is left open, and so is one that
// has none near it: the piece then covers. some is false if none in the span can be
// written, ok if nothing is known of its place.
func numPiece(c *layout.Component, sp query.Numbers, backward bool) (q Piece, exact, some, ok bool) {
	all, _ := query.SnapSpan(c, query.DomainOf(c))
	var first, last Piece
	firstOpen, lastOpen := false, false
	exact = true
	for tries := 0; ; tries++ {
		form, err := c.AppendNum(nil, c.Unrank(sp.Lo))
		if err == nil {
			first = pieceOf(c, form)
			break
		}
		if foreign.IsPanic(err) {
			return Piece{fault: err}, false, true, true
		}
		if firstOpen = sp.Lo == all.Lo || tries == bound.NearTries; firstOpen {
			exact = sp.Lo == all.Lo
			break
		}
		if sp, some = query.SpanLeft(c, sp.Lo+1, sp.Hi, sp.Lo != math.MaxUint64); !some {
			return q, true, false, true
		}
	}
	for tries := 0; ; tries++ {
		form, err := c.AppendNum(nil, c.Unrank(sp.Hi))
		if err == nil {
			last = pieceOf(c, form)
			break
		}
		if foreign.IsPanic(err) {
			return Piece{fault: err}, false, true, true
		}
		if lastOpen = sp.Hi == all.Hi || tries == bound.NearTries; lastOpen {
			exact = exact && sp.Hi == all.Hi
			break
		}
		if sp, some = query.SpanLeft(c, sp.Lo, sp.Hi-1, sp.Hi != 0); !some {
			return q, true, false, true
		}
	}
	// An end of all numbers bounds nothing.
	ok = !(firstOpen || sp.Lo == all.Lo && !exact) || !(lastOpen || sp.Hi == all.Hi && !exact)
	if backward {
		first, last, firstOpen, lastOpen = last, first, lastOpen, firstOpen
	}
	if !firstOpen {
		q.Lo, q.LoBehind = first.Lo, first.LoBehind
	}
	q.Hi, q.HiBehind, q.HiOpen = last.Hi, last.HiBehind, lastOpen
	return q, exact, true, ok
}

// numPieces are those of numbers whose forms sort as the numbers do, forward or
// backward, or do so for negatives and for the others apart; not exact if forms of
// others lie between them.
func numPieces(c *layout.Component, pieces []Piece, arena []byte, spans []query.Numbers) (_ []Piece, exact, ok bool) {
	exact = true
	split := uint64(0) // where the order begins anew
	var facts forms.Facts
	if c.Order == forms.Unordered {
		if facts = c.Num.Form.Facts(); !facts.Apart || !c.Hbase || !c.Plain {
			return nil, false, false
		}
		split = layout.SignBit64
	}
	if need := 2 * c.Shape.Min * len(spans); c.Vias == 0 && cap(arena) < need {
		arena = make([]byte, 0, need) // in one piece, since a query may list many
	}
	add := func(sp query.Numbers, backward bool) bool {
		sp, some := query.SnapSpan(c, sp)
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
		at := len(arena)
		b, errLo := c.AppendNum(arena, c.Unrank(sp.Lo))
		n := len(b)
		b, errHi := c.AppendNum(b, c.Unrank(sp.Hi))
		if errLo != nil || errHi != nil {
			return false
		}
		lo, hi := b[at:n:n], b[n:len(b):len(b)]
		arena = b
		if backward {
			lo, hi = hi, lo
		}
		if c.Trims { // its end may be left off
			lo = lo[:len(lo)-c.EndLen()]
		}
		q := Piece{Lo: lo, Hi: hi, HiBehind: true, Number: c.Shape.Fixed()}
		if c.Decimal == forms.BigDecimal && c.Frame == layout.NoFrame { // other numbers may go on
			q.Hi, q.HiBehind = append(slices.Clone(hi), 0), false
		}
		pieces = append(pieces, q)
		return true
	}
	for _, sp := range spans {
		if split != 0 && sp.Lo < split && sp.Hi >= split {
			if !add(query.Numbers{Lo: sp.Lo, Hi: split - 1}, facts.Below == forms.Down) || !add(query.Numbers{Lo: split, Hi: sp.Hi}, facts.Above == forms.Down) {
				return nil, false, false
			}
			continue
		}
		backward := c.Order == forms.Backward
		if split != 0 {
			backward = facts.Above == forms.Down
			if sp.Lo < split {
				backward = facts.Below == forms.Down
			}
		}
		if !add(sp, backward) {
			return nil, false, false
		}
	}
	return pieces, exact, true
}
