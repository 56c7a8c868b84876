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

// numPiece gives the rows of the numbers of one span, of a field whose forms a transform
// makes. The piece goes from the form of the first number that can be written to the form
// of the last. An end has no bound if the search for such a number reaches the smallest or
// largest number of the field, or ends after bound.NearTries. In the second case rows of
// other numbers lie in the piece, and exact is false. some is false if no number of the
// span can be written. ok is false if neither end has a bound.
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
	// The field's smallest and largest numbers bound nothing.
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

// numPieces gives the pieces of spans of numbers. Their forms must sort as the numbers do,
// forward or backward; or the negative numbers must sort so among themselves, and the other
// numbers among themselves. exact is false if forms of other numbers lie in the pieces. The
// span [3, 5] of a 1-byte number is the forms from 03 to 05; stored Desc, fa to fc.
func numPieces(c *layout.Component, pieces []Piece, arena []byte, spans []query.Numbers) (_ []Piece, exact, ok bool) {
	exact = true
	split := uint64(0) // the place of 0, if negative numbers sort apart from the others; else 0
	var facts forms.Facts
	if c.Order == forms.Unordered {
		if facts = c.Num.Form.Facts(); !facts.Apart || !c.Hbase || !c.Plain {
			return nil, false, false
		}
		split = layout.SignBit64
	}
	if need := 2 * c.Shape.Min * len(spans); c.Vias == 0 && cap(arena) < need {
		arena = make([]byte, 0, need) // one allocation, since a query may list many numbers
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
		if c.Trims { // if only nulls follow, the bytes that end a form are cut off
			lo = lo[:len(lo)-c.EndLen()]
		}
		q := Piece{Lo: lo, Hi: hi, HiBehind: true, Number: c.Shape.Fixed()}
		if c.Decimal == forms.BigDecimal && c.Frame == layout.NoFrame { // longer forms of other numbers may begin with these bytes
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
