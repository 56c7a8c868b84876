package rowkey

import (
	"bytes"
	"strings"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// For a in [1, 5] and b = 7, the range starts at (1, 7) and stops after (5, 7), not
// at (1) and after (5): between the two ends b may be anything, but at the ends the
// query says what it is. Phoenix draws the ends in so, and no plan over its tables is
// wider than its own. Elsewhere this is not done: it saves few rows, and the bounds
// would be harder to read.

// edges are what the rows of a query begin with at the least and at most, behind
// some component.
type edges struct {
	low, high []byte // nil where nothing is known
	below     bool   // high is not begun with, but lies beyond
}

// edgesFrom is the edges of the components from i on. They reach as far as the
// last that the query limits to values.
func (pl *planner) edgesFrom(i int) (e edges) {
	last := -1
	for _, c := range pl.s.Fields {
		if k := &pl.p.cons[c.Ord]; c.Index >= i && !c.Absent && pl.narrow[c.Ord] && !k.null {
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

// edge is the bounds of one component.
func (pl *planner) edge(c *layout.Component) (low, high formBound) {
	if c.Role == layout.RoleLiteral {
		b := formBound{b: c.Lit, whole: true}
		return b, b
	}
	if c.Role != layout.RoleField || !pl.narrow[c.Ord] {
		return edgesOf(c)
	}
	k := &pl.p.cons[c.Ord]
	if pl.points[c.Ord] {
		low, high = pointEdges(c, pl.all[c.Ord])
	} else if len(k.ends) == 0 {
		low, high = pl.spanEdges(c, k)
	}
	if high.whole && c.Ends == forms.EndLast { // nothing follows
		high = formBound{b: append(high.b, 0), below: true}
	}
	if k.null {
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

// spanEdges is the bounds of intervals of values.
func (pl *planner) spanEdges(c *layout.Component, k *constraint) (low, high formBound) {
	if c.Order != forms.Forward && c.Order != forms.Backward {
		return low, high
	}
	pieces, _, ok := piecesOf(c, nil, k)
	fault := faultOf(pieces)
	if pl.mind(c, fault); !ok || len(pieces) == 0 || fault != nil {
		return low, high
	}
	endForms(c, pieces, k)
	first, last := &pieces[0], &pieces[0]
	for i := range pieces {
		q := &pieces[i]
		if compareBounds(q.lo, q.loBehind, first.lo, first.loBehind) < 0 {
			first = q
		}
		if !last.hiOpen && (q.hiOpen || compareBounds(q.hi, q.hiBehind, last.hi, last.hiBehind) > 0) {
			last = q
		}
	}
	switch {
	case first.first != nil:
		low = formBound{b: first.first, whole: true}
	case !first.loBehind:
		low = formBound{b: first.lo}
	default:
		b := bytes.Clone(first.lo)
		if n, ok := stepUp(b); ok {
			low = formBound{b: b[:n]}
		}
	}
	switch {
	case last.last != nil:
		high = formBound{b: last.last, whole: true}
	case last.hiOpen:
	default:
		high = formBound{b: last.hi, below: !last.hiBehind}
	}
	return low, high
}

// compareBounds is bytes.Compare of two ends of pieces, of which either may lie
// behind all that begins so.
func compareBounds(a []byte, aBehind bool, b []byte, bBehind bool) int {
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

// endForms finds the least and the greatest form of each piece, where it ends in
// one of its values.
func endForms(c *layout.Component, pieces []piece, k *constraint) {
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
		if pieces[i].parted {
			texts--
		}
	}
	next := 0 // the text of the piece at hand
	for i := range pieces {
		q := &pieces[i]
		switch {
		case c.Order != forms.Forward && c.Order != forms.Backward:
		case !c.IsText():
			if q.first, q.last = q.lo, q.hi; c.Trims {
				q.first = append(bytes.Clone(q.lo), make([]byte, c.EndLen())...)
			}
			if !q.hiBehind {
				q.last = q.hi[:len(q.hi)-1]
			}
		case texts == len(k.texts) && len(k.ends) == 0:
			t := k.texts[next]
			if q.first = form(t.lo); t.lo == "" && c.Frame == layout.FrameNul && c.Filled {
				q.first = leastForm(c)
			}
			if !t.open && strings.HasSuffix(t.hi, "\x00") {
				q.last = form(t.hi[:len(t.hi)-1])
			}
			if c.Order == forms.Backward {
				q.first, q.last = q.last, q.first
			}
			if i > 0 && pieces[i-1].parted { // one end of it is the null
				q.first = nil
			}
			if !q.parted {
				next++
			} else {
				q.last = nil
			}
		}
	}
}

// edges is what stands behind the ranges' pieces, or behind their beginnings.
func (pl *planner) edges(pieces []piece) (e edges) {
	p := pl.p
	switch {
	case !pl.s.Framed:
		return e
	case !p.pieces:
		return pl.edgesFrom(p.stop)
	}
	if e = pl.edgesFrom(p.stop + 1); e.low != nil || e.high != nil {
		if c := &pl.s.Comps[p.stop]; c.Role == layout.RoleField {
			endForms(c, pieces, &p.cons[c.Ord])
		}
	}
	return e
}
