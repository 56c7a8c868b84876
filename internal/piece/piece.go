package piece

import (
	"bytes"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// withoutNulls takes the form of a null out of an interval of a field's values. If that form
// lies at an end of the interval, the interval becomes smaller. If it lies inside, two
// pieces are left. A null that writes no byte is below all forms: an empty Lo then becomes
// 00.
func withoutNulls(c *layout.Component, q Piece) []Piece {
	if c.Optional && len(q.Lo) == 0 {
		q.Lo = []byte{0}
	}
	switch at := c.NullSide(); {
	case c.Null == nil:
	case at == layout.Above:
		if q.HiOpen {
			q.Hi, q.HiAfter, q.HiOpen = c.Null, false, false
		}
	case at == layout.Below:
		if bytes.Compare(q.Lo, c.Null) <= 0 || bytes.HasPrefix(q.Lo, c.Null) {
			q.Lo, q.LoAfter = c.Null, true
		}
	case CompareBounds(q.Lo, q.LoAfter, c.Null, true) >= 0, !q.HiOpen && CompareBounds(q.Hi, q.HiAfter, c.Null, false) <= 0:
	case CompareBounds(q.Lo, q.LoAfter, c.Null, false) >= 0:
		q.Lo, q.LoAfter = c.Null, true
	case !q.HiOpen && CompareBounds(q.Hi, q.HiAfter, c.Null, true) <= 0:
		q.Hi, q.HiAfter = c.Null, false
	default:
		front := Piece{Lo: q.Lo, LoAfter: q.LoAfter, Hi: c.Null, Parted: true}
		q.Lo, q.LoAfter = c.Null, true
		return []Piece{front, q}
	}
	return []Piece{q}
}

// CompareBounds compares two ends of pieces as bytes.Compare does. aAfter and bAfter say
// that the end lies after all forms with this beginning: 61 with aAfter is greater than
// 61 62, and less than 62.
func CompareBounds(a []byte, aAfter bool, b []byte, bAfter bool) int {
	n := min(len(a), len(b))
	switch by := bytes.Compare(a[:n], b[:n]); {
	case by != 0:
		return by
	case len(a) <= len(b) && aAfter && !(len(a) == len(b) && bAfter):
		return 1
	case len(b) <= len(a) && bAfter && !(len(a) == len(b) && aAfter):
		return -1
	}
	return len(a) - len(b)
}

// Piece is an interval of stored forms between two places. A place is before all forms that
// begin with Lo (or Hi) or, if LoAfter (or HiAfter) is set, after all of them. Lo = Hi =
// 61 62 with HiAfter is all forms that begin with 61 62.
type Piece struct {
	Lo, Hi  []byte
	LoAfter bool
	HiAfter bool
	HiOpen  bool // there is no Hi: the piece reaches to the last form
	Number  bool // Hi is a number of fixed width: the stop can be the next number of this width
	Parted  bool // the form of a null cuts an interval in two: the next piece is its other part

	First, Last []byte // the forms of its first and last value; FindEnds sets them

	fault error // a caller's transform panicked: nothing is known of the place
}

// Holds reports that a form may lie in the piece.
func (q Piece) Holds() bool {
	lo := bytes.Clone(q.Lo)
	if q.LoAfter {
		n, ok := bound.StepUp(lo)
		if !ok {
			return false
		}
		lo = lo[:n]
	}
	return q.HiOpen || CompareBounds(lo, false, q.Hi, q.HiAfter) < 0
}

// faulty gives the one piece that stands for the panic of a caller's transform.
func faulty(err error) []Piece { return []Piece{{fault: err}} }

// FaultOf gives the panic that a piece stands for; nil if no piece does.
func FaultOf(pieces []Piece) error {
	for i := range pieces {
		if pieces[i].fault != nil {
			return pieces[i].fault
		}
	}
	return nil
}

// Join gives one piece that holds all of some pieces, and what lies between them. False if it
// would hold every form.
func Join(pieces []Piece) (Piece, bool) {
	all := pieces[0]
	all.Number, all.Parted = false, false
	for i := range pieces {
		q := &pieces[i]
		if q.fault != nil {
			return Piece{}, false
		}
		if CompareBounds(q.Lo, q.LoAfter, all.Lo, all.LoAfter) < 0 {
			all.Lo, all.LoAfter, all.First = q.Lo, q.LoAfter, q.First
		}
		if !all.HiOpen && (q.HiOpen || CompareBounds(q.Hi, q.HiAfter, all.Hi, all.HiAfter) > 0) {
			all.Hi, all.HiAfter, all.HiOpen, all.Last = q.Hi, q.HiAfter, q.HiOpen, q.Last
		}
	}
	return all, !all.HiOpen || len(all.Lo) > 0
}

// Of gives the intervals of the stored forms of the values that a constraint admits. exact
// is false if forms of other values lie in them, too. ok is false if no such intervals are
// known. The pieces use the memory of room, and the forms of numbers that of arena, if it
// is large enough.
func Of(c *layout.Component, room []Piece, arena []byte, k *query.Constraint) (pieces []Piece, exact, ok bool) {
	if c.Loose && !c.IsText() {
		return nil, false, false
	}
	if !c.IsText() {
		return numPieces(c, room, arena, k.Nums())
	}
	exact = true
	if len(k.Ends()) > 0 {
		exact = len(k.Ends()) == 1 && len(k.Texts()) == 1 && k.Texts()[0] == query.Texts{Open: true}
		spans, suffixes, cut := k.Ends()[0].Parts()
		if points, ok := pointPieces(c, spans); ok && cut == nil {
			if pieces, whole, ok := suffixPieces(c, suffixes); ok {
				return append(pieces, points...), exact && whole && !c.Loose, true
			}
		}
		exact = false
		if len(k.Texts()) == 1 && k.Texts()[0] == (query.Texts{Open: true}) {
			return nil, false, false
		}
	}
	pieces = room[:0]
	for i, t := range k.Texts() {
		if (len(pieces) > 0 || i < len(k.Texts())-1) && unwritten(c, t) {
			continue
		}
		more, whole, ok := textPieces(c, t)
		if !ok {
			return nil, false, false
		}
		pieces, exact = append(pieces, more...), exact && whole
	}
	return pieces, exact, true
}

// numPieces gives the pieces of spans of numbers. Their forms must sort as the numbers do,
// forward or backward; or the negative numbers must sort so among themselves, and the other
// numbers among themselves. exact is false if forms of other numbers lie in the pieces. The
// span [3, 5] of a 1-byte number is the forms from 03 to 05; stored Desc, fa to fc.
func numPieces(c *layout.Component, pieces []Piece, arena []byte, spans []query.Numbers) (_ []Piece, exact, ok bool) {
	exact = true
	split := uint64(0) // the place of 0, if negative numbers sort apart from the others; else 0
	backward := [2]bool{c.Order == forms.Backward, c.Order == forms.Backward}
	if c.Order == forms.Unordered {
		facts := c.Num.Form.Facts()
		if !facts.Apart || c.Dialect != layout.InHBase || !c.Plain {
			return nil, false, false
		}
		split = layout.SignBit64
		backward = [2]bool{facts.Below == forms.Down, facts.Above == forms.Down}
	}
	if need := 2 * c.Shape.Min * len(spans); c.Vias == 0 && cap(arena) < need {
		arena = make([]byte, 0, need) // one allocation, since a query may list many numbers
	}
	for _, all := range spans {
		for i, sp := range [2]query.Numbers{{Lo: all.Lo, Hi: min(all.Hi, split-1)}, {Lo: max(all.Lo, split), Hi: all.Hi}} { // below split, and the others
			if i == 0 && all.Lo >= split || i == 1 && all.Hi < split {
				continue
			}
			sp, some := query.SnapSpan(c, sp)
			if !some {
				continue
			}
			if c.Vias > 0 {
				q, whole, some, ok := numPiece(c, sp, backward[i])
				if !ok {
					return nil, false, false
				}
				if exact = exact && whole; some {
					pieces = append(pieces, q)
				}
				continue
			}
			at := len(arena)
			b, errLo := c.AppendNum(arena, c.Unrank(sp.Lo))
			mid := len(b)
			b, errHi := c.AppendNum(b, c.Unrank(sp.Hi))
			if errLo != nil || errHi != nil {
				return nil, false, false
			}
			lo, hi := b[at:mid:mid], b[mid:len(b):len(b)]
			arena = b
			if backward[i] {
				lo, hi = hi, lo
			}
			if c.Trims { // if only nulls follow, the bytes that end a form are cut off
				lo = lo[:len(lo)-c.EndLen()]
			}
			q := Piece{Lo: lo, Hi: hi, HiAfter: true, Number: c.Shape.Fixed()}
			if c.Decimal == forms.BigDecimal && c.Frame == layout.NoFrame { // longer forms of other numbers may begin with these bytes
				q.Hi, q.HiAfter = append(slices.Clone(hi), 0), false
			}
			pieces = append(pieces, q)
		}
	}
	return pieces, exact, true
}
