package plan

import (
	"bytes"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/piece"
)

// For a in [1, 5] AND b = 7, both of 1 byte, the range is [01 07, 05 08), not [01, 06).
// For a = 2, 3, 4 all values of b lie in the range. But for a = 1 it needs no b below 7,
// and for a = 5 no b above 7. Phoenix narrows its ranges so, and a plan over a Phoenix
// table must not be wider than Phoenix's own. For other tables this is not done: it saves
// few rows, and such bounds are harder to read.

// edgesFrom gives the edges of component i and the components after it. The bytes end with
// the last component that the query limits, or earlier if an edge of a component is not
// known. For b = 7 AND c in [1, 2], each of 1 byte, they are 07 01 and 07 02.
func (pl *Planner) edgesFrom(i int) (e edges) {
	last := -1
	for _, c := range pl.s.Fields {
		if k := pl.p.con(c.Ord); c.Index >= i && !c.Absent && pl.narrow[c.Ord] && !k.Null {
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
		if limits && pl.full && !e.cut {
			least, greatest := piece.Edges(c)
			e.cut = !lowOpen && lo.B != nil && !bytes.Equal(lo.B, least.B) || !highOpen && hi.B != nil && !bytes.Equal(hi.B, greatest.B)
		}
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

// edge gives the least and the greatest bytes of one component.
func (pl *Planner) edge(c *layout.Component) (low, high piece.Edge) {
	if c.Role == layout.RoleLiteral {
		b := piece.Edge{B: c.Lit, Whole: true}
		return b, b
	}
	if c.Role != layout.RoleField || !pl.narrow[c.Ord] {
		return piece.Edges(c)
	}
	k := pl.p.con(c.Ord)
	if pl.points[c.Ord] {
		low, high = piece.EdgesOf(c, pl.all[c.Ord])
	} else if len(k.Ends()) == 0 {
		var fault error
		low, high, fault = piece.EdgesIn(c, k)
		pl.mind(c, fault)
	}
	if high.Whole && c.Ends == forms.EndLast { // the key ends here, so the stop is the next key: after 05 it is 05 00
		high = piece.Edge{B: append(high.B, 0), Below: true}
	}
	if k.Null {
		switch {
		case c.Tail: // the null writes nothing, so the least form is empty
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

// edged narrows pieces by the edges of the components after them: the piece 03 to 05 of a 1-byte number,
// before one that is 7, becomes 03 07 to 05 07. If there are no pieces, the edges of the components after the
// beginnings make one. It is for a schema that is Framed.
func (pl *Planner) edged(pieces []piece.Piece) []piece.Piece {
	p := pl.p
	from := p.stop
	if p.pieces {
		from++
	}
	e := pl.edgesFrom(from)
	if e.low == nil && e.high == nil {
		return pieces
	}
	if !p.pieces {
		pieces = append(pl.roomPieces[:0], piece.Piece{HiOpen: true, First: []byte{}, Last: []byte{}})
		pl.found, pl.cut = pieces, e.cut
	} else if c := &pl.s.Comps[p.stop]; c.Role == layout.RoleField {
		piece.FindEnds(c, pieces, p.con(c.Ord))
	}
	joined := func(a, b []byte) []byte {
		at := len(pl.written)
		pl.written = append(append(pl.written, a...), b...)
		return pl.written[at:len(pl.written):len(pl.written)]
	}
	for i := range pieces {
		q := &pieces[i]
		if e.low != nil && q.First != nil {
			q.Lo, q.LoAfter = joined(q.First, e.low), false
		}
		if e.high != nil && q.Last != nil {
			q.Hi, q.HiAfter, q.HiOpen, q.Number = joined(q.Last, e.high), !e.below, false, false
		}
	}
	return pieces
}

// edges are bytes that follow some component in the rows of a query: low in the smallest
// rows, high in the greatest. For b = 7 after that component, with 1 byte, both are 07.
type edges struct {
	low, high []byte // nil where nothing is known
	below     bool   // no row has high: all rows are below it
	cut       bool   // a row may lie outside of them; known where FullScan permits the whole table
}
