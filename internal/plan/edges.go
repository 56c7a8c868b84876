package plan

import (
	"bytes"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/bound"
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
			if low = append(low, lo.b...); limits && lo.b != nil {
				if e.low = low; c.Trims && lo.whole { // nulls may follow
					e.low = low[:len(low)-c.EndLen()]
				}
			}
			lowOpen = !lo.whole
		}
		if !highOpen {
			if high = append(high, hi.b...); limits && hi.b != nil {
				e.high, e.below = high, hi.below
			}
			highOpen = !hi.whole
		}
	}
	return e
}

// edge is the bounds of one component.
func (pl *Planner) edge(c *layout.Component) (low, high formBound) {
	if c.Role == layout.RoleLiteral {
		b := formBound{b: c.Lit, whole: true}
		return b, b
	}
	if c.Role != layout.RoleField || !pl.narrow[c.Ord] {
		return edgesOf(c)
	}
	k := &pl.p.Cons[c.Ord]
	if pl.points[c.Ord] {
		low, high = pointEdges(c, pl.all[c.Ord])
	} else if len(k.Ends) == 0 {
		low, high = pl.spanEdges(c, k)
	}
	if high.whole && c.Ends == forms.EndLast { // nothing follows
		high = formBound{b: append(high.b, 0), below: true}
	}
	if k.Null {
		switch {
		case c.Tail: // which may be left off
			low = formBound{}
		case low.b != nil && bytes.Compare(c.Null, low.b) < 0:
			low = formBound{b: c.Null, whole: true}
		}
		if high.b != nil && !high.holds(c.Null) {
			high = formBound{b: c.Null, whole: true}
		}
	}
	return low, high
}

// spanEdges is the bounds of intervals of values.
func (pl *Planner) spanEdges(c *layout.Component, k *query.Constraint) (low, high formBound) {
	if c.Order != forms.Forward && c.Order != forms.Backward {
		return low, high
	}
	pieces, _, ok := piece.Of(c, nil, nil, k)
	fault := piece.FaultOf(pieces)
	if pl.mind(c, fault); !ok || len(pieces) == 0 || fault != nil {
		return low, high
	}
	endForms(c, pieces, k)
	first, last := &pieces[0], &pieces[0]
	for i := range pieces {
		q := &pieces[i]
		if piece.CompareBounds(q.Lo, q.LoBehind, first.Lo, first.LoBehind) < 0 {
			first = q
		}
		if !last.HiOpen && (q.HiOpen || piece.CompareBounds(q.Hi, q.HiBehind, last.Hi, last.HiBehind) > 0) {
			last = q
		}
	}
	switch {
	case first.First != nil:
		low = formBound{b: first.First, whole: true}
	case !first.LoBehind:
		low = formBound{b: first.Lo}
	default:
		b := bytes.Clone(first.Lo)
		if n, ok := bound.StepUp(b); ok {
			low = formBound{b: b[:n]}
		}
	}
	switch {
	case last.Last != nil:
		high = formBound{b: last.Last, whole: true}
	case last.HiOpen:
	default:
		high = formBound{b: last.Hi, below: !last.HiBehind}
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
			endForms(c, pieces, &p.Cons[c.Ord])
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

// formBound is the least that a component's form is, or the most.
type formBound struct {
	b     []byte
	whole bool // the form of one value; what stands behind it goes on
	below bool // no form begins so: it lies beyond
}

// holds reports that the most that a form is, is not less than this one.
func (f *formBound) holds(form []byte) bool {
	if f.below {
		return bytes.Compare(form, f.b) < 0
	}
	return bytes.Compare(form, f.b) <= 0 || bytes.HasPrefix(form, f.b)
}

// edgesOf is the bounds of a component of which the query says nothing, and behind
// which it says something.
func edgesOf(c *layout.Component) (low, high formBound) {
	switch {
	case c.Shape.Fixed():
		return formBound{b: make([]byte, c.Shape.Min), whole: true}, formBound{b: bytes.Repeat([]byte{0xff}, c.Shape.Min), whole: true}
	case c.Null != nil && c.NullSide() == layout.Below:
		low = formBound{b: c.Null, whole: true}
	case c.Null != nil && c.NullSide() == layout.Above:
		high = formBound{b: c.Null, whole: true}
	case c.Null != nil:
	case c.Frame != layout.FrameNul || c.Decimal != forms.NoDecimal:
	case c.InvertAll:
		high = formBound{b: leastForm(c), whole: true}
	default:
		low = formBound{b: leastForm(c), whole: true}
	}
	return low, high
}

// leastForm is the form of the least text: the empty one, or where that is none,
// 01. Descending it is the last.
func leastForm(c *layout.Component) []byte {
	form := []byte{0}
	switch {
	case c.Header != 0:
		form = []byte{c.Header, 0}
	case c.Filled:
		form = []byte{1, 0}
	}
	if c.InvertAll {
		forms.Invert(form)
	}
	return form
}

// pointEdges is the bounds of a few values.
func pointEdges(c *layout.Component, vals []layout.Val) (low, high formBound) {
	for _, v := range vals {
		form, err := c.AppendForm(nil, v)
		if v.Null || err != nil {
			continue
		}
		f := formBound{b: form, whole: true}
		if low.b == nil || bytes.Compare(form, low.b) < 0 {
			low = f
		}
		if high.b == nil || bytes.Compare(form, high.b) > 0 {
			high = f
		}
	}
	return low, high
}

// endForms finds the least and the greatest form of each piece, where it ends in
// one of its values.
func endForms(c *layout.Component, pieces []piece.Piece, k *query.Constraint) {
	form := func(v string) []byte {
		if c.Decimal != forms.NoDecimal && !c.Decimal.Holds([]byte(v)) {
			return nil
		}
		if form, err := layout.AppendText(c, nil, v); err == nil {
			return form
		}
		return nil
	}
	texts := len(pieces)
	for i := range pieces {
		if pieces[i].Parted {
			texts--
		}
	}
	next := 0 // the text of the piece at hand
	for i := range pieces {
		q := &pieces[i]
		switch {
		case c.Order != forms.Forward && c.Order != forms.Backward:
		case !c.IsText():
			if q.First, q.Last = q.Lo, q.Hi; c.Trims {
				q.First = append(bytes.Clone(q.Lo), make([]byte, c.EndLen())...)
			}
			if !q.HiBehind {
				q.Last = q.Hi[:len(q.Hi)-1]
			}
		case texts == len(k.Texts) && len(k.Ends) == 0:
			t := k.Texts[next]
			if q.First = form(t.Lo); t.Lo == "" && c.Frame == layout.FrameNul && c.Filled {
				q.First = leastForm(c)
			}
			if !t.Open && strings.HasSuffix(t.Hi, "\x00") {
				q.Last = form(t.Hi[:len(t.Hi)-1])
			}
			if c.Order == forms.Backward {
				q.First, q.Last = q.Last, q.First
			}
			if i > 0 && pieces[i-1].Parted { // one end of it is the null
				q.First = nil
			}
			if !q.Parted {
				next++
			} else {
				q.Last = nil
			}
		}
	}
}
