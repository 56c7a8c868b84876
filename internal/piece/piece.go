package piece

import (
	"bytes"

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
	all := Piece{Lo: pieces[0].Lo, LoAfter: pieces[0].LoAfter, Hi: pieces[0].Hi, HiAfter: pieces[0].HiAfter, HiOpen: pieces[0].HiOpen}
	for i := range pieces {
		q := &pieces[i]
		if q.fault != nil {
			return Piece{}, false
		}
		if CompareBounds(q.Lo, q.LoAfter, all.Lo, all.LoAfter) < 0 {
			all.Lo, all.LoAfter = q.Lo, q.LoAfter
		}
		if all.HiOpen = all.HiOpen || q.HiOpen; !all.HiOpen && CompareBounds(q.Hi, q.HiAfter, all.Hi, all.HiAfter) > 0 {
			all.Hi, all.HiAfter = q.Hi, q.HiAfter
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
		return numPieces(c, room, arena, k.Nums)
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
