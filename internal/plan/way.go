package plan

import (
	"fmt"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/piece"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// From conditions to ranges. The planner walks the components in key order and reads each
// in one of these ways. It stops at the first component for which none of the first five
// is possible or useful; pieces is the way to read that one:
//
//	constant   a separator or literal
//	points     the field has one of a few values, each with its own form
//	listed     the query does not limit the field, or limits it to a short interval;
//	           it has few values, and the query limits a later field: one
//	           beginning for each value
//	computed   a salt, hash or copy whose fields are points
//	fan        a salt or hash that cannot be computed: one beginning for each value
//	pieces     the field is limited to intervals of stored forms
//
// A range is one beginning, or one beginning and then a piece. For a bucket of 1 byte
// that is open (fan, 2 buckets) and a 1-byte number in [3, 5] (pieces) the ranges are
// [00 03, 00 06) and [01 03, 01 06). Match decides the conditions that the ranges do not.

// way is how a component is read.
type way struct {
	c     *layout.Component
	how   how
	open  bool         // computed: once for each value of fields that the query leaves open
	idle  bool         // it keeps no row out: the points are all values of the field, for example
	asked bool         // of a fan: it has only the buckets that the query names
	n     float64      // each beginning becomes n beginnings
	at    int          // the number of the value in the combination that is being built
	vals  []layout.Val // of points and listed
	forms [][]byte     // of points, of a fan, and of a listed copy of a text
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
	asCoarse // as asComputed, but from copies with few values; only String uses it
)

// limits reports that a way keeps some rows out of the ranges.
func (w *way) limits() bool {
	return !w.idle && (w.how == asPoints || w.how == asListed || w.how == asComputed) || w.asked
}

// widens reports that a way makes more ranges and keeps no row out. It helps only if the
// query limits a later component.
func (w *way) widens() bool {
	return w.open && w.idle || w.n > 1 && (w.how == asFan && !w.asked || w.how == asAll || w.idle && w.how == asPoints)
}

// walk decides the way of each component, and the component at which to stop. It is one function,
// since the loop and what follows it decide by the same few variables.
func (pl *Planner) walk() error {
	p := pl.p
	product := 1.0
	limited := false // some way keeps rows out
	over := -1       // the first way that makes too many ranges; no way before it keeps rows out
	p.stop, p.pieces = len(pl.s.Comps), false
	if pl.unfixed() {
		pl.standIns()
	}
	for i := range pl.s.Comps {
		c := &pl.s.Comps[i]
		if c.Absent {
			continue
		}
		w, ok := pl.way(c, limited)
		ok = ok && !pl.crowds(&w, product, limited)
		many := ok && product*w.n > float64(pl.max) && w.widens()
		if !ok || many && limited { // after a way that keeps rows out, ranges that hold more rows are better than a refusal
			p.stop, pl.covers = i, pl.covers || ok
			p.pieces = pl.piecesAtStop() > 0
			break
		}
		if w.n == 0 { // no value of a copy is left
			pl.nothing()
			return nil
		}
		if many && over < 0 {
			over = len(pl.ways)
		}
		product *= w.n
		limited = limited || w.limits()
		pl.ways = append(pl.ways, w)
	}
	p.Leads = pl.s.Places[p.stop].Leads
	last := pl.lastLimit()
	switch {
	case last < 0 && !pl.full:
		return pl.unlimited()
	case over >= 0 && over < last && !pl.full:
		return pl.tooWide(over, product)
	}
	pl.stopEarlier(over, last)
	return nil
}

// crowds reports that the buckets which the query asks for are too many: pieces are less than the buckets in
// them, and ranges that hold more rows are better than a refusal. Where the query names them, and limits
// what comes after them, the remedy of too many is MaxRanges, as for all values that it names.
func (pl *Planner) crowds(w *way, product float64, limited bool) bool {
	return w.asked && w.n > 1 && product*w.n > float64(pl.max) && (limited || w.c.BucketsSort()) && !pl.keepsBuckets(w.c)
}

// keepsBuckets reports that the query names the buckets of a salt, and limits what comes after it.
func (pl *Planner) keepsBuckets(c *layout.Component) bool {
	return pl.p.bucketed(c).k.Named && pl.later(c.Index)
}

// unlimited ends the plan of a query that keeps no row out: it is empty, or refused.
func (pl *Planner) unlimited() error {
	if pl.uncomputable() {
		pl.nothing()
		return nil
	}
	return pl.fullScan()
}

// tooWide refuses a query for its way number over, which makes too many ranges.
func (pl *Planner) tooWide(over int, product float64) error {
	for _, c := range pl.sourcesOf() {
		product *= float64(len(pl.all[c.Ord]))
	}
	return pl.s.ErrAt(pl.ways[over].c.Name, -1, &fault.Detail{Text: fmt.Sprintf("%.0f ranges, one for each value of what no condition fixes; at most %d", product*pl.each(), pl.max), Reason: fault.ErrManyRanges})
}

// unfixed reports that a salt or hash is computed from a field without points, for which values may stand.
func (pl *Planner) unfixed() bool {
	if pl.stands == fanned {
		return false
	}
	for _, c := range pl.s.Derived {
		if c.Role == layout.RoleCopy || c.Absent || c.Rest {
			continue
		}
		for _, ord := range c.Deps {
			if !pl.points[ord] {
				return true
			}
		}
	}
	return false
}

// each is the most ranges that one beginning has: one for each piece, and those of the keys in which
// the next field is null, or that end there. Two are needed where other keys lie between a key that
// ends in nulls and the keys that go on.
func (pl *Planner) each() float64 {
	p := pl.p
	apart := false
	for i := range pl.ways {
		if w := &pl.ways[i]; w.how != asConstant {
			null := w.c.Role == layout.RoleField && w.c.Optional && (w.how == asAll || slices.ContainsFunc(w.vals, func(v layout.Val) bool { return v.Null }))
			_, apart = w.c.TrimOf(null, 0, apart)
		}
	}
	pieces := 0
	if p.pieces {
		c := &pl.s.Comps[p.stop]
		if pieces = max(1, len(pl.found)); !c.Optional || !p.Cons[c.Ord].Null {
			return float64(pieces)
		}
		_, apart = c.TrimOf(true, 0, apart)
	}
	if apart && p.stop < len(pl.s.Comps) {
		return float64(pieces + 2)
	}
	return float64(pieces + 1)
}

// lastLimit is the last way that keeps rows out, one after all of them if the pieces do,
// or −1.
func (pl *Planner) lastLimit() int {
	if pl.p.pieces {
		return len(pl.ways)
	}
	for i := len(pl.ways) - 1; i >= 0; i-- {
		if pl.ways[i].limits() {
			return i
		}
	}
	return -1
}

// stopEarlier gives up the way over, which makes too many ranges, and all ways after
// it. It does so with a listing or a fan after the last way that keeps rows out: such a
// way only makes more ranges. Then it lists the forms of each fan, and the values of each field of which
// all are read.
func (pl *Planner) stopEarlier(over, last int) {
	p := pl.p
	for i := range pl.ways {
		w := &pl.ways[i]
		if i == over || i > last && w.widens() {
			if last < 0 && w.c.Index < p.Leads && i != over {
				continue // the whole table is read bucket by bucket, because Merge needs it so
			}
			pl.cutAt(i)
			break
		}
	}
	if p.stop < p.Leads {
		p.Leads = 0
	}
	for i := range pl.ways {
		switch w := &pl.ways[i]; {
		case w.how == asFan && w.forms == nil:
			w.forms = everyForm(w.c)
		case w.how == asAll:
			w.vals = query.EveryValue(w.c)
			w.n = float64(len(w.vals)) // with Truncate there are fewer values than between the field's limits
		}
	}
}

// nothing makes the plan empty: no row can match.
func (pl *Planner) nothing() { pl.ways, pl.p.Ranges, pl.attempt = pl.ways[:0], bound.List{}, nothing }

// uncomputable reports that some salt, hash or copy cannot be computed from any of the
// values that the query allows. Then no row has these values. Example: a Java hashCode is
// computed from a text, and the bytes ff are not a text.
func (pl *Planner) uncomputable() bool {
	for i := range pl.ways {
		w := &pl.ways[i]
		if w.how != asComputed {
			continue
		}
		all := make([][]layout.Val, len(pl.s.Fields))
		total := 1.0
		for i := range all {
			if all[i] = []layout.Val{{}}; slices.Contains(w.c.Deps, i) {
				all[i] = pl.all[i]
			}
			total *= float64(len(all[i]))
		}
		none := total <= query.MostChoices
		for vals := range rows(all) {
			if !none {
				break
			}
			_, known, err := pl.s.Derive(nil, w.c, layout.Row{Vals: vals}, nil)
			pl.mind(w.c, err)
			none = err != nil || !known
		}
		if none {
			return true
		}
	}
	return false
}

// cutAt removes way i and all ways after it: the plan stops at the component of way i.
func (pl *Planner) cutAt(i int) {
	p := pl.p
	p.stop = pl.ways[i].c.Index
	pl.ways = pl.ways[:i]
	p.pieces = false
}

// intervals reads short intervals as intervals again. Before, they were read as points.
// False if there is no such interval.
func (pl *Planner) intervals() bool {
	some := false
	for i := range pl.points {
		if k := &pl.p.Cons[i]; pl.points[i] && !k.Named && !pl.s.Fields[i].IsText() && pl.s.Fields[i].Kind != layout.KindBool {
			pl.points[i], pl.all[i], pl.forms[i] = false, nil, nil
			some = true
		}
	}
	if some {
		pl.clear()
	}
	return some
}

// retreat makes fewer ranges, and leaves more to Match. It looks for the last way that
// lists values or buckets and that comes after a way which keeps rows out, or buckets that are
// pieces, too. It removes that way and all ways after it. Where the whole table is permitted, it takes the last way of any
// kind that makes more ranges or is computed. False if there is no such way.
func (pl *Planner) retreat() bool {
	p := pl.p
	if pl.joinPieces() {
		pl.attempt = max(pl.attempt, byWays)
		p.Ranges = bound.List{}
		return true
	}
	limited := slices.IndexFunc(pl.ways, func(w way) bool { return w.limits() })
	for i := len(pl.ways) - 1; i >= 0; i-- {
		w := &pl.ways[i]
		gives := w.widens() || w.n > 1 && (w.how == asListed || w.asked && !pl.keepsBuckets(w.c))
		if gives && (limited >= 0 && i > limited || w.asked && w.c.BucketsSort()) || pl.full && (w.n > 1 || w.how == asComputed) {
			pl.attempt = max(pl.attempt, byWays)
			p.Ranges = bound.List{}
			pl.cutAt(i)
			p.pieces = pl.piecesAtStop() > 0 // a short interval becomes one piece now
			if p.stop < p.Leads {
				p.Leads = 0
			}
			return true
		}
	}
	return false
}

// joinPieces makes one piece of those of an interval of texts that do not sort as their stored forms
// do. False if there is no such interval. Values that the query names stay apart: the remedy of too
// many is MaxRanges.
func (pl *Planner) joinPieces() bool {
	p := pl.p
	if !p.pieces || len(pl.found) < 2 {
		return false
	}
	c := &pl.s.Comps[p.stop]
	if c.Role != layout.RoleField || !c.IsText() || c.Order != forms.Unordered || p.Cons[c.Ord].Named || len(p.Cons[c.Ord].Ends()) > 0 {
		return false
	}
	all, limits := piece.Join(pl.found)
	if limits {
		pl.found, pl.foundExact = append(pl.found[:0], all), false
	}
	return limits
}

// way chooses how to read a component. limited says that a way before it keeps rows
// out. False if the plan must stop at this component.
func (pl *Planner) way(c *layout.Component, limited bool) (way, bool) {
	switch c.Role {
	case layout.RoleLiteral:
		return way{c: c, how: asConstant, n: 1}, true
	case layout.RoleField:
		return pl.fieldWay(c, limited)
	case layout.RoleCopy:
		return pl.copyWay(c)
	}
	q := pl.p.bucketed(c)
	if pl.computable(c) {
		open := pl.open != nil && slices.ContainsFunc(c.Deps, pl.isOpen)
		w := way{c: c, how: asComputed, n: 1, idle: (!pl.asked(c) || c.Count() == 1) && !q.narrow(), open: open}
		return w, !open || !w.idle || pl.later(c.Index) || pl.full
	}
	if q.narrow() {
		most := pl.max
		if pl.later(c.Index) && (q.k.Named || !limited && !c.BucketsSort()) { // a refusal counts all that they need
			most = max(most, query.MostChoices)
		}
		return q.way(most)
	}
	if c.Count() > 1 && !pl.later(c.Index) && !pl.full {
		return way{}, false
	}
	return way{c: c, how: asFan, n: c.Count()}, true
}

// fieldWay chooses how to read a field.
func (pl *Planner) fieldWay(c *layout.Component, limited bool) (way, bool) {
	k := &pl.p.Cons[c.Ord]
	switch {
	case pl.points[c.Ord] && (k.Named || !pl.better(c)):
		idle := !pl.narrow[c.Ord] || c.Ends == forms.EndLoose && pl.writesNothing(c)
		return way{c: c, how: asPoints, n: float64(len(pl.all[c.Ord])), vals: pl.all[c.Ord], forms: pl.forms[c.Ord], idle: idle}, true
	case !pl.later(c.Index) && !(pl.full && c.Bucket):
		return way{}, false
	case pl.narrow[c.Ord] && !c.IsText() && c.Order == forms.Unordered:
		vals, ok := query.ValuesOf(c, nil, k.Nums, pl.max)
		return way{c: c, how: asListed, n: float64(len(vals)), vals: vals}, ok
	}
	n, ok := c.Finite()
	if !ok && !limited { // if limited, one range over all its values is better than many
		n, ok = c.Countable()
	}
	return way{c: c, how: asAll, n: float64(n)}, ok && !pl.narrow[c.Ord]
}

// writesNothing reports that one of a field's points is the empty text, and that the field
// is Loose with nothing to mark its end. The empty text writes no byte there, so that this
// point keeps no row out.
func (pl *Planner) writesNothing(c *layout.Component) bool {
	if !c.IsText() || c.Mark != nil {
		return false
	}
	for i := c.Index + 1; i < len(pl.s.Comps); i++ {
		if next := &pl.s.Comps[i]; next.Role == layout.RoleLiteral {
			return false
		} else if !next.Absent {
			break
		}
	}
	return slices.ContainsFunc(pl.all[c.Ord], func(v layout.Val) bool { return len(v.Text) == 0 })
}

// better reports that a short interval should be read as one piece, not value by value.
// It is so if the query limits no later component and nothing is computed from the values.
// For a 1-byte number in [3, 5] one range [03, 06) is then enough.
func (pl *Planner) better(c *layout.Component) bool {
	if pl.later(c.Index) || !pl.hasPieces(c) {
		return false
	}
	for i := range pl.ways {
		if w := &pl.ways[i]; w.how == asComputed && slices.Contains(w.c.Deps, c.Ord) {
			return false
		}
	}
	return true
}

// copyWay chooses how to read a copy. It is computed if its source has points. It is
// listed if the query leaves it few values: its source lies in an interval, or begins or ends
// with a text that is as long as the copy. False if the plan must stop at it.
func (pl *Planner) copyWay(c *layout.Component) (way, bool) {
	if pl.computable(c) {
		return way{c: c, how: asComputed, n: 1, idle: !pl.asked(c)}, true
	}
	if c.IsText() {
		if !pl.later(c.Index) && pl.hasPieces(c) {
			return way{}, false
		}
		forms, ok := pl.copyForms(c)
		return way{c: c, how: asListed, n: float64(len(forms)), forms: forms}, ok
	}
	k, ok := pl.copied(c)
	if !ok || !pl.later(c.Index) {
		return way{}, false
	}
	vals, ok := query.ValuesOf(c, nil, k.Nums, query.ShortInterval)
	return way{c: c, how: asListed, n: float64(len(vals)), vals: vals}, ok
}

// computable reports that a derived component can be computed: each of its fields has
// points, or a few values that stand for all that the query allows.
func (pl *Planner) computable(c *layout.Component) bool {
	if c.Rest {
		return false
	}
	for _, ord := range c.Deps {
		if !pl.points[ord] && !pl.known(c, ord) {
			return false
		}
	}
	return true
}

// asked reports that the query limits a field that a derived component is computed from,
// and that this field does not stand before the component. A field before it
// already decides these rows, unless its values may write no byte.
func (pl *Planner) asked(c *layout.Component) bool {
	for _, ord := range c.Deps {
		f := pl.s.Fields[ord]
		if pl.narrow[ord] && (f.Absent || f.Index > c.Index || f.Ends == forms.EndLoose && pl.points[ord] && pl.writesNothing(f)) {
			return true
		}
	}
	return false
}

// later reports that the query limits a component after component i.
func (pl *Planner) later(i int) bool {
	for _, c := range pl.s.Fields {
		if pl.narrow[c.Ord] && c.Index > i && !c.Absent && !(pl.copies && pl.listsCopy(c)) {
			return true
		}
	}
	for _, c := range pl.s.Derived {
		if c.Index <= i || c.Absent {
			continue
		}
		if pl.asked(c) && (c.Role == layout.RoleCopy || pl.computable(c)) || pl.p.bucketed(c).narrow() {
			return true
		}
	}
	return false
}

// everyForm gives all stored forms of a salt or hash, in key order. A salt of 1 byte and 3
// buckets has 00, 01 and 02.
func everyForm(c *layout.Component) [][]byte {
	if c.Forms != nil {
		return c.Forms
	}
	return c.ListForms(int(c.Count()))
}

// sourcesOf gives the fields from which a component is computed and that have no way: they
// stand at the stop or after it, or no key stores them.
func (pl *Planner) sourcesOf() (out []*layout.Component) {
	for i := range pl.ways {
		if pl.ways[i].how != asComputed {
			continue
		}
		for _, ord := range pl.ways[i].c.Deps {
			if c := pl.s.Fields[ord]; !pl.hasWay(c) && !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	return out
}

// hasWay reports that a field has a way.
func (pl *Planner) hasWay(c *layout.Component) bool {
	for i := range pl.ways {
		if pl.ways[i].c == c {
			return true
		}
	}
	return false
}

// hasPieces reports that the query limits a component to intervals of its
// stored forms.
func (pl *Planner) hasPieces(c *layout.Component) bool {
	c, k, ok := pl.limitOf(c)
	if !ok {
		return false
	}
	var room [2]piece.Piece
	pieces, _, ok := piece.Of(c, room[:0], pl.roomCut[:0], k)
	pl.mindPieces(c, pieces)
	return ok
}

// piecesAtStop finds the intervals to which the query limits the component at the stop.
// It gives their number, and at least 1. It gives 0 if the query does not limit the
// component, or if its values are no intervals of stored forms.
func (pl *Planner) piecesAtStop() int {
	if pl.p.stop == len(pl.s.Comps) {
		return 0
	}
	c := &pl.s.Comps[pl.p.stop]
	if q := pl.p.bucketed(c); q.narrow() {
		pl.found, pl.foundExact = q.pieces(), true
		return len(pl.found)
	}
	c, k, ok := pl.limitOf(c)
	if !ok {
		return 0
	}
	if pl.found, pl.foundExact, ok = piece.Of(c, pl.roomPieces[:0], pl.roomCut[:0], k); !ok {
		return 0
	}
	pl.mindPieces(c, pl.found)
	return max(1, len(pl.found))
}

// limitOf gives what the query says of a component. False if the query does not limit it. A copy of a
// text's end is given as the field that its bytes are.
func (pl *Planner) limitOf(c *layout.Component) (*layout.Component, *query.Constraint, bool) {
	switch c.Role {
	case layout.RoleField:
		return c, &pl.p.Cons[c.Ord], pl.narrow[c.Ord]
	case layout.RoleCopy:
		if k, ok := pl.cutOf(c); ok {
			return plainEnd(c), &k, true
		}
		k, ok := pl.copied(c)
		return c, &k, ok
	case layout.RoleLiteral, layout.RoleSalt, layout.RoleHash:
	}
	return c, nil, false
}
