package plan

import (
	"bytes"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/piece"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// For a in [1, 5] and b = 7, the range starts at (1, 7) and stops after (5, 7), not
// at (1) and after (5): between the two ends b may be anything, but at the ends the
// query says what it is. Phoenix draws the ends in so, and no plan over its tables is
// wider than its own. Elsewhere this is not done: it saves few rows, and the bounds
// would be harder to read.

// edgesFrom is the edges of the components from i on. They reach as far as the
// last that the query limits to values.
func (pl *Planner) edgesFrom(i int) (e edges) {
	last := -1
	for _, c := range pl.s.Fields {
		if k := &pl.p.Cons[c.Ord]; c.Index >= i && !c.Absent && pl.narrow[c.Ord] && !k.Null {
			last = max(last, c.Index)
		}
	}
	var low, high []byte
	lowOpen, highOpen := false, false
	for ; i <= last && !(lowOpen && highOpen); i++ {
		c := &pl.s.Comps[i]
		if c.Absent {
			continue
		}
		lo, hi := pl.edge(c)
		limits := c.Role == layout.RoleField && pl.narrow[c.Ord]
		if !lowOpen {
			if low = append(low, lo.B...); limits && lo.B != nil {
				if e.low = low; c.Trims && lo.Whole { // nulls may follow
					e.low = low[:len(low)-c.EndLen()]
				}
			}
			lowOpen = !lo.Whole
		}
		if !highOpen {
			if high = append(high, hi.B...); limits && hi.B != nil {
				e.high, e.below = high, hi.Below
			}
			highOpen = !hi.Whole
		}
	}
	return e
}

// edge is the bounds of one component.
func (pl *Planner) edge(c *layout.Component) (low, high piece.Edge) {
	if c.Role == layout.RoleLiteral {
		b := piece.Edge{B: c.Lit, Whole: true}
		return b, b
	}
	if c.Role != layout.RoleField || !pl.narrow[c.Ord] {
		return piece.Edges(c)
	}
	k := &pl.p.Cons[c.Ord]
	if pl.points[c.Ord] {
		low, high = piece.EdgesOf(c, pl.all[c.Ord])
	} else if len(k.Ends) == 0 {
		var fault error
		low, high, fault = piece.EdgesIn(c, k)
		pl.mind(c, fault)
	}
	if high.Whole && c.Ends == forms.EndLast { // nothing follows
		high = piece.Edge{B: append(high.B, 0), Below: true}
	}
	if k.Null {
		switch {
		case c.Tail: // which may be left off
			low = piece.Edge{}
		case low.B != nil && bytes.Compare(c.Null, low.B) < 0:
			low = piece.Edge{B: c.Null, Whole: true}
		}
		if high.B != nil && !high.Holds(c.Null) {
			high = piece.Edge{B: c.Null, Whole: true}
		}
	}
	return low, high
}

// edges is what stands behind the ranges' pieces, or behind their beginnings.
func (pl *Planner) edges(pieces []piece.Piece) (e edges) {
	p := pl.p
	switch {
	case !pl.s.Framed:
		return e
	case !p.pieces:
		return pl.edgesFrom(p.stop)
	}
	if e = pl.edgesFrom(p.stop + 1); e.low != nil || e.high != nil {
		if c := &pl.s.Comps[p.stop]; c.Role == layout.RoleField {
			piece.FindEnds(c, pieces, &p.Cons[c.Ord])
		}
	}
	return e
}

// hasPieces reports that the query limits a component to intervals of its
// stored forms.
func (pl *Planner) hasPieces(c *layout.Component) bool {
	k, ok := pl.limitOf(c)
	if !ok {
		return false
	}
	var room [2]piece.Piece
	pieces, _, ok := piece.Of(c, room[:0], pl.roomForms[:0], k)
	pl.mind(c, piece.FaultOf(pieces))
	return ok
}

// piecesAtStop finds the intervals that the component at the stop is limited to,
// and gives their number, 0 if it is not.
func (pl *Planner) piecesAtStop() int {
	if pl.p.stop == len(pl.s.Comps) {
		return 0
	}
	c := &pl.s.Comps[pl.p.stop]
	k, ok := pl.limitOf(c)
	if !ok {
		return 0
	}
	if pl.found, pl.foundExact, ok = piece.Of(c, pl.roomPieces[:0], pl.roomForms[:0], k); !ok {
		return 0
	}
	pl.mind(c, piece.FaultOf(pl.found))
	return max(1, len(pl.found))
}

// limitOf is what the query says of the component at the stop.
func (pl *Planner) limitOf(c *layout.Component) (*query.Constraint, bool) {
	switch c.Role {
	case layout.RoleField:
		return &pl.p.Cons[c.Ord], pl.narrow[c.Ord]
	case layout.RoleCopy:
		k, ok := pl.copied(c)
		return &k, ok
	}
	return nil, false
}

// edges are what the rows of a query begin with at the least and at most, behind
// some component.
type edges struct {
	low, high []byte // nil where nothing is known
	below     bool   // high is not begun with, but lies beyond
}
