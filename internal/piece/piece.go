package piece

import (
	"bytes"

	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// withoutNulls is the interval of some values of a field without its nulls: it is
// drawn in where their form lies at an end of it, and two where that lies within.
// A null that is left off is what all forms begin with.
func withoutNulls(c *layout.Component, q Piece) []Piece {
	if c.Optional && len(q.Lo) == 0 {
		q.Lo = []byte{0}
	}
	switch at := c.NullSide(); {
	case c.Null == nil:
	case at == layout.Above:
		if q.HiOpen {
			q.Hi, q.HiBehind, q.HiOpen = c.Null, false, false
		}
	case at == layout.Below:
		if bytes.Compare(q.Lo, c.Null) <= 0 || bytes.HasPrefix(q.Lo, c.Null) {
			q.Lo, q.LoBehind = c.Null, true
		}
	case CompareBounds(q.Lo, q.LoBehind, c.Null, true) >= 0, !q.HiOpen && CompareBounds(q.Hi, q.HiBehind, c.Null, false) <= 0:
	case CompareBounds(q.Lo, q.LoBehind, c.Null, false) >= 0:
		q.Lo, q.LoBehind = c.Null, true
	case !q.HiOpen && CompareBounds(q.Hi, q.HiBehind, c.Null, true) <= 0:
		q.Hi, q.HiBehind = c.Null, false
	default:
		front := Piece{Lo: q.Lo, LoBehind: q.LoBehind, Hi: c.Null, Parted: true}
		q.Lo, q.LoBehind = c.Null, true
		return []Piece{front, q}
	}
	return []Piece{q}
}

// CompareBounds is bytes.Compare of two ends of pieces, of which either may lie
// behind all that begins so.
func CompareBounds(a []byte, aBehind bool, b []byte, bBehind bool) int {
	n := min(len(a), len(b))
	switch by := bytes.Compare(a[:n], b[:n]); {
	case by != 0:
		return by
	case len(a) <= len(b) && aBehind && !(len(a) == len(b) && bBehind):
		return 1
	case len(b) <= len(a) && bBehind && !(len(a) == len(b) && aBehind):
		return -1
	}
	return len(a) - len(b)
}

// Piece is an interval of stored forms, between two places: in front of all
// forms that begin with some bytes, or behind them.
type Piece struct {
	Lo, Hi   []byte
	LoBehind bool
	HiBehind bool
	HiOpen   bool // to the end of all forms
	Number   bool // behind hi lies the next number of the same width
	Parted   bool // the next piece goes on with the same values, behind a null

	First, Last []byte // the forms of the values it ends in, where that was asked for

	fault error // a step of others panicked: nothing is known of the place
}

// faulty is what is known of a place of which a step of others panicked.
func faulty(err error) []Piece { return []Piece{{fault: err}} }

// FaultOf is the panic that one of some pieces stands for.
func FaultOf(pieces []Piece) error {
	for i := range pieces {
		if pieces[i].fault != nil {
			return pieces[i].fault
		}
	}
	return nil
}

// Of is the intervals of stored forms of the values that a constraint
// admits; not exact if forms of others lie between them. False if they cannot
// be said. They and the forms of numbers lie in room and arena, as far as there is room.
func Of(c *layout.Component, room []Piece, arena []byte, k *query.Constraint) (pieces []Piece, exact, ok bool) {
	if c.Loose && !c.IsText() {
		return nil, false, false
	}
	if !c.IsText() {
		return numPieces(c, room, arena, k.Nums)
	}
	exact = true
	if len(k.Ends) > 0 {
		exact = len(k.Ends) == 1 && len(k.Texts) == 1 && k.Texts[0] == query.Texts{Open: true}
		if points, ok := pointPieces(c, k.Ends[0].Spans); ok {
			if pieces, whole, ok := suffixPieces(c, k.Ends[0].Suffixes); ok {
				return append(pieces, points...), exact && whole && !c.Loose, true
			}
		}
		exact = false
		if len(k.Texts) == 1 && k.Texts[0] == (query.Texts{Open: true}) {
			return nil, false, false
		}
	}
	for _, t := range k.Texts {
		more, whole, ok := textPieces(c, t)
		if !ok {
			return nil, false, false
		}
		pieces, exact = append(pieces, more...), exact && whole
	}
	return pieces, exact, true
}
