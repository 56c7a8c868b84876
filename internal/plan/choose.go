package plan

import (
	"slices"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/piece"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// From conditions to ranges. The planner walks the components in key order and reads each
// in one of these ways. It stops at the first component for which none of the first six
// is possible or useful; pieces is the way to read that one:
//
//	constant   a separator or literal
//	points     the field has one of a few values, each with its own form
//	listed     the query does not limit the field, or limits it to a short interval;
//	           it has few values, and the query limits a later field: one
//	           beginning for each value
//	computed   a salt, hash or copy whose fields are points
//	fan        a salt or hash that cannot be computed: one beginning for each value
//	buckets    a salt of which the query names the buckets: one beginning for each
//	pieces     the field is limited to intervals of stored forms
//
// A range is one beginning, or one beginning and then a piece. For a bucket of 1 byte
// that is open (fan, 2 buckets) and a 1-byte number in [3, 5] (pieces) the ranges are
// [00 03, 00 06) and [01 03, 01 06). Match decides the conditions that the ranges do not.

// way is how a component is read.
type way struct {
	c      *layout.Component
	how    how
	effect effect
	asks   *bucketed    // of a computed salt: what the query says of its bucket; nil: nothing
	yields bool         // of many buckets: pieces, or ranges that hold more rows, are better than a refusal
	n      float64      // each beginning becomes n beginnings
	at     int          // the number of the value in the combination that is being built
	vals   []layout.Val // of points and listed
	forms  [][]byte     // of a fan, of buckets, and of a listed copy of a text
	place  int          // of points: that of their forms in Planner.ends; 0: they are not listed
}

// how names a way to read a component.
type how uint8

const (
	asConstant how = iota
	asPoints
	asListed // the values of a short interval that the query names
	asAll    // every value of a field that the query does not limit
	asComputed
	asFan
	asBuckets
	asCoarse // as asComputed, but from copies with few values; only String uses it
)

// effect is what a way does to the rows of the ranges.
type effect uint8

const (
	keepsAll effect = iota // it keeps no row out
	widens                 // nor that, and it makes more ranges: it helps only if the query limits a later component
	limits                 // it keeps some rows out
)

// widening is widens of a way with n values, keepsAll of one with a single value.
func widening(n float64) effect {
	if n > 1 {
		return widens
	}
	return keepsAll
}

// walk decides the way of each component, and the component at which to stop. It is one function,
// since the loop and what follows it decide by the same few variables.
func (pl *Planner) walk() error {
	p := pl.p
	product := 1.0
	last := -1 // the last way that keeps rows out
	over := -1 // the first way that makes too many ranges; no way before it keeps rows out
	p.stop, p.pieces = len(pl.s.Comps), false
	if pl.unfixed() {
		pl.standIns()
	}
	for i := range pl.s.Comps {
		c := &pl.s.Comps[i]
		if c.Absent {
			continue
		}
		n := len(pl.ways)
		pl.ways = append(pl.ways, way{c: c, n: 1})
		w := &pl.ways[n]
		ok := pl.way(w, last >= 0)
		many := product*w.n > float64(pl.max)
		ok = ok && !(many && w.yields)
		many = many && ok && w.effect == widens
		if !ok || many && last >= 0 { // after a way that keeps rows out, ranges that hold more rows are better than a refusal
			pl.covers = pl.covers || ok
			pl.ways = pl.ways[:n]
			pl.stopAt(i)
			break
		}
		if w.n == 0 { // no value of a copy is left
			pl.nothing()
			return nil
		}
		if many && over < 0 {
			over = n
		}
		if w.effect == limits {
			last = n
		}
		product *= w.n
	}
	pl.setLeads()
	if p.pieces {
		last = len(pl.ways)
	}
	switch {
	case last < 0 && !pl.full && pl.uncomputable():
		pl.nothing()
		return nil
	case last < 0 && !pl.full:
		return pl.fullScan()
	case over >= 0 && over < last && !pl.full:
		return pl.tooWide(over)
	}
	pl.stopEarlier(over, last)
	return nil
}

// setLeads sets what Merge's order leaves out: of the components before the stop, each has one value in each range.
func (pl *Planner) setLeads() { pl.p.Leads = int(pl.s.Places[pl.p.stop].Leads) }

// stopEarlier gives up the way over, which makes too many ranges, and all ways after
// it. It does so with a listing or a fan after the last way that keeps rows out: such a
// way only makes more ranges. Then it lists the forms of each fan, and the values of each field of which
// all are read.
func (pl *Planner) stopEarlier(over, last int) {
	p := pl.p
	for i := range pl.ways {
		w := &pl.ways[i]
		if i == over || i > last && w.effect == widens {
			if last < 0 && w.c.Index < p.Leads && i != over {
				continue // the whole table is read bucket by bucket, because Merge needs it so
			}
			p.stop, p.pieces = w.c.Index, false
			pl.ways = pl.ways[:i]
			break
		}
	}
	pl.setLeads()
	for i := range pl.ways {
		switch w := &pl.ways[i]; {
		case w.how == asFan && w.forms == nil:
			if w.forms = w.c.Forms; w.forms == nil {
				var err error
				w.forms, err = w.c.ListForms(int(w.c.Count()))
				pl.mind(w.c, err)
			}
			w.n = float64(len(w.forms)) // a step may refuse some
		case w.how == asAll:
			w.vals = query.EveryValue(w.c)
			w.n = float64(len(w.vals)) // with Truncate there are fewer values than between the field's limits
			w.effect = widening(w.n)
		}
	}
}

// stopAt stops at a component, and finds the intervals to which the query limits it.
func (pl *Planner) stopAt(i int) {
	pl.p.stop = i
	pl.found, pl.foundExact, pl.p.pieces = pl.piecesOf(&pl.s.Comps[i], pl.roomPieces[:0])
}

// piecesOf gives the intervals of stored forms to which the query limits a component. A copy of a
// text's end is limited as the field that its bytes are. False if the query does not limit it, or if
// its values are no such intervals.
func (pl *Planner) piecesOf(c *layout.Component, room []piece.Piece) (found []piece.Piece, exact, ok bool) {
	var k *query.Constraint
	switch c.Role {
	case layout.RoleField:
		k, ok = pl.p.con(c.Ord), pl.narrow[c.Ord]
	case layout.RoleCopy:
		end, cut := pl.cutOf(c)
		if cut {
			c = plainEnd(c)
		} else {
			end, cut = pl.copied(c, c.Limited)
		}
		k, ok = &end, cut
	case layout.RoleLiteral, layout.RoleSalt, layout.RoleHash:
		if q := pl.p.bucketed(c); q != nil && q.k.Narrow {
			found = q.pieces()
		}
		return found, true, len(found) > 0
	}
	if !ok {
		return nil, false, false
	}
	if found, exact, ok = piece.Of(c, room, pl.roomCut[:0], k); c.Vias > 0 {
		pl.mind(c, piece.FaultOf(found))
	}
	return found, exact, ok
}

// way chooses how to read the component of w, which has one value so far. limited says that a way before
// it keeps rows out. False if the plan must stop at this component.
func (pl *Planner) way(w *way, limited bool) bool {
	c := w.c
	switch c.Role {
	case layout.RoleLiteral:
		w.how = asConstant
		return true
	case layout.RoleField:
		return pl.fieldWay(w, limited)
	case layout.RoleCopy:
		return pl.copyWay(w)
	}
	var q *bucketed
	if len(pl.p.buckets()) > 0 {
		q = pl.p.bucketed(c)
	}
	asks := q != nil && q.k.Narrow
	if pl.computable(c) {
		w.how, w.effect, w.asks = asComputed, limits, q
		if asks || pl.asked(c) && c.Count() > 1 {
			return true
		}
		w.effect = keepsAll
		if pl.open != nil && slices.ContainsFunc(c.Deps, pl.isOpen) { // once for each value of fields that the query leaves open
			w.effect = widens
		}
		return w.effect == keepsAll || pl.later(c.Index) || pl.full
	}
	n, later := c.Count(), pl.later(c.Index)
	if !asks {
		w.how, w.n, w.effect = asFan, n, widening(n)
		return n == 1 || later || pl.full
	}
	most, sorts := pl.max, c.BucketsSort()
	if later && (q.k.Named || !limited && !sorts) { // a refusal counts all that they need
		most = max(most, query.MostChoices)
	}
	vals, ok := query.ValuesOf(q.as, nil, q.k.Nums(), most)
	forms, err := c.BucketForms(len(vals), func(i int) uint64 { return vals[i].Num })
	pl.mind(c, err)
	w.how, w.effect, w.n, w.forms = asBuckets, limits, float64(len(forms)), forms
	// Where the query names them, and limits what comes after them, the remedy of too many is MaxRanges, as
	// for all values that it names.
	w.yields = w.n > 1 && (limited || sorts) && !(q.k.Named && later)
	return ok
}

// fieldWay chooses how to read a field.
func (pl *Planner) fieldWay(w *way, limited bool) bool {
	c := w.c
	k := pl.p.con(c.Ord)
	switch {
	case pl.points[c.Ord] && (k.Named || !pl.better(c)):
		w.how, w.effect, w.n, w.vals, w.place = asPoints, limits, float64(len(pl.all[c.Ord])), pl.all[c.Ord], pl.forms[c.Ord]
		if !pl.narrow[c.Ord] || c.Ends == forms.EndLoose && pl.writesNothing(c) { // the points are all values of the field, for example
			w.effect = widening(w.n)
		}
		return true
	case !pl.later(c.Index) && !(pl.full && c.Bucket):
		return false
	case pl.narrow[c.Ord] && !c.IsText() && c.Order == forms.Unordered:
		vals, ok := query.ValuesOf(c, nil, k.Nums(), pl.max)
		w.list(vals)
		return ok
	}
	n, ok := c.Finite()
	if !ok && !limited { // if limited, one range over all its values is better than many
		n, ok = c.Countable()
	}
	w.how, w.n, w.effect = asAll, float64(n), widening(float64(n))
	return ok && !pl.narrow[c.Ord]
}

// list reads the values of an interval one by one.
func (w *way) list(vals []layout.Val) {
	w.how, w.effect, w.n, w.vals = asListed, limits, float64(len(vals)), vals
}

// writesNothing reports that one of a field's points is the empty text, and that the field
// is Loose with nothing to mark its end. The empty text writes no byte there, so that this
// point keeps no row out.
func (pl *Planner) writesNothing(c *layout.Component) bool {
	next := pl.s.NextStored(c)
	if !c.IsText() || c.Mark != nil || next != nil && next.Role == layout.RoleLiteral {
		return false
	}
	return slices.ContainsFunc(pl.all[c.Ord], func(v layout.Val) bool { return len(v.Text) == 0 })
}

// better reports that a short interval should be read as one piece, not value by value.
// It is so if the query limits no later component and nothing is computed from the values.
// For a 1-byte number in [3, 5] one range [03, 06) is then enough.
func (pl *Planner) better(c *layout.Component) bool {
	if pl.later(c.Index) {
		return false
	}
	var room [2]piece.Piece
	if _, _, ok := pl.piecesOf(c, room[:0]); !ok {
		return false
	}
	return !slices.ContainsFunc(pl.ways, func(w way) bool { return w.how == asComputed && slices.Contains(w.c.Deps, c.Ord) })
}

// copyWay chooses how to read a copy. It is computed if its source has points. It is
// listed if the query leaves it few values: its source lies in an interval, or begins or ends
// with a text that is as long as the copy. False if the plan must stop at it.
func (pl *Planner) copyWay(w *way) bool {
	c := w.c
	if pl.computable(c) {
		if w.how = asComputed; pl.asked(c) {
			w.effect = limits
		}
		return true
	}
	if c.IsText() {
		if !pl.later(c.Index) {
			if _, _, ok := pl.piecesOf(c, nil); ok {
				return false
			}
		}
		forms, ok := pl.copyForms(c)
		w.how, w.effect, w.n, w.forms = asListed, limits, float64(len(forms)), forms
		return ok
	}
	k, ok := pl.copied(c, false)
	if !ok || !pl.later(c.Index) {
		return false
	}
	vals, ok := query.ValuesOf(c, nil, k.Nums(), query.ShortInterval)
	w.list(vals)
	return ok
}

// computable reports that a derived component can be computed: each of its fields has
// points, or a few values that stand for all that the query allows.
func (pl *Planner) computable(c *layout.Component) bool {
	return !c.Rest && !slices.ContainsFunc(c.Deps, func(ord int) bool { return !pl.points[ord] && !pl.known(c, ord) })
}

// asked reports that the query limits a field that a derived component is computed from,
// and that this field does not stand before the component. A field before it
// already decides these rows, unless its values may write no byte.
func (pl *Planner) asked(c *layout.Component) bool {
	return slices.ContainsFunc(c.Deps, func(ord int) bool {
		f := pl.s.Fields[ord]
		return pl.narrow[ord] && (f.Absent || f.Index > c.Index || f.Ends == forms.EndLoose && pl.points[ord] && pl.writesNothing(f))
	})
}

// later reports that the query limits a component after component i.
func (pl *Planner) later(i int) bool {
	for _, c := range pl.s.Fields {
		if pl.narrow[c.Ord] && c.Index > i && !c.Absent && !(pl.copies && pl.listsCopy(c)) {
			return true
		}
	}
	for _, c := range pl.s.Derived {
		if c.Index > i && !c.Absent && pl.asked(c) && (c.Role == layout.RoleCopy || pl.computable(c)) {
			return true
		}
	}
	return slices.ContainsFunc(pl.p.buckets(), func(q *bucketed) bool { return q.c.Index > i && !q.c.Absent && q.k.Narrow })
}

// unfixed reports that a salt or hash is computed from a field without points, for which values may stand.
func (pl *Planner) unfixed() bool {
	return pl.stands != fanned && slices.ContainsFunc(pl.s.Derived, func(c *layout.Component) bool {
		return c.Role != layout.RoleCopy && !c.Absent && !c.Rest && pl.coarse(c)
	})
}
