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
	ok = limits(firstOpen, exact, sp.Lo == all.Lo) || limits(lastOpen, exact, sp.Hi == all.Hi)
	if backward {
		first, last, firstOpen, lastOpen = last, first, lastOpen, firstOpen
	}
	if !firstOpen {
		q.Lo, q.LoAfter = first.Lo, first.LoAfter
	}
	q.Hi, q.HiAfter, q.HiOpen = last.Hi, last.HiAfter, lastOpen
	return q, exact, true, ok
}

// limits reports that an end of a piece leaves out forms of the field. An open end leaves out
// none. Nor does the field's smallest or largest number (outmost), unless the piece is exact.
func limits(open, exact, outmost bool) bool { return !open && (exact || !outmost) }

// numPieces gives the pieces of spans of numbers. Their forms must sort as the numbers do,
// forward or backward; or the negative numbers must sort so among themselves, and the other
// numbers among themselves. exact is false if forms of other numbers lie in the pieces. The
// span [3, 5] of a 1-byte number is the forms from 03 to 05; stored Desc, fa to fc.
func numPieces(c *layout.Component, pieces []Piece, arena []byte, spans []query.Numbers) (_ []Piece, exact, ok bool) {
	m := numMaker{c: c, pieces: pieces, arena: arena, exact: true}
	split := uint64(0) // the place of 0, if negative numbers sort apart from the others; else 0
	below, above := c.Order == forms.Backward, c.Order == forms.Backward
	if c.Order == forms.Unordered {
		facts := c.Num.Form.Facts()
		if !facts.Apart || !c.Hbase || !c.Plain {
			return nil, false, false
		}
		split = layout.SignBit64
		below, above = facts.Below == forms.Down, facts.Above == forms.Down
	}
	if need := 2 * c.Shape.Min * len(spans); c.Vias == 0 && cap(arena) < need {
		m.arena = make([]byte, 0, need) // one allocation, since a query may list many numbers
	}
	for _, sp := range spans {
		if sp.Lo < split {
			if !m.add(query.Numbers{Lo: sp.Lo, Hi: min(sp.Hi, split-1)}, below) {
				return nil, false, false
			}
			if sp.Hi < split {
				continue
			}
			sp.Lo = split
		}
		if !m.add(sp, above) {
			return nil, false, false
		}
	}
	return m.pieces, m.exact, true
}

// numMaker makes the pieces of numbers. Their bytes lie in one arena.
type numMaker struct {
	c      *layout.Component
	pieces []Piece
	arena  []byte
	exact  bool
}

// add makes the piece of a span whose forms sort as the numbers do, or backward. It is false if
// the span has no piece.
func (m *numMaker) add(sp query.Numbers, backward bool) bool {
	c := m.c
	sp, some := query.SnapSpan(c, sp)
	if !some {
		return true
	}
	if c.Vias > 0 {
		q, whole, some, ok := numPiece(c, sp, backward)
		if m.exact = m.exact && whole; some && ok {
			m.pieces = append(m.pieces, q)
		}
		return ok
	}
	at := len(m.arena)
	b, errLo := c.AppendNum(m.arena, c.Unrank(sp.Lo))
	n := len(b)
	b, errHi := c.AppendNum(b, c.Unrank(sp.Hi))
	if errLo != nil || errHi != nil {
		return false
	}
	lo, hi := b[at:n:n], b[n:len(b):len(b)]
	m.arena = b
	if backward {
		lo, hi = hi, lo
	}
	if c.Trims { // if only nulls follow, the bytes that end a form are cut off
		lo = lo[:len(lo)-c.EndLen()]
	}
	q := Piece{Lo: lo, Hi: hi, HiAfter: true, Number: c.Shape.Fixed()}
	if c.Decimal == forms.BigDecimal && c.Frame == layout.NoFrame { // longer forms of other numbers may begin with these bytes
		q.Hi, q.HiAfter = append(slices.Clone(hi), 0), false
	}
	m.pieces = append(m.pieces, q)
	return true
}
