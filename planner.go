package rowkey

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	"github.com/hbase-rowkey/rowkey/internal/foreign"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// From conditions to ranges. The components are walked in key order, and each
// is read in one of these ways, until one leaves more than one interval open:
//
//	constant   a separator or literal
//	points     the field has one of a few values, each with its own form
//	listed     the field is open, or a short interval, but has few values, and
//	           something behind it is limited: each value is a beginning
//	computed   a salt, hash or copy whose fields are points
//	fan        a salt or hash that is open: each value is a beginning
//	pieces     the field is limited to intervals whose forms lie together: the last
//
// A range is one beginning, or a piece behind one. What no range decides is left
// to Match.

// queryPlan is what a query reads: ranges in key order, and what they leave undecided.
type queryPlan struct {
	s        *layout.Schema
	ranges   []keyRange // in key order, apart, none empty
	exact    bool
	whole    bool         // no range keeps a row out, as FullScan permits
	cons     []constraint // by field
	leads    int          // leading components that each range fixes and Merge's order leaves out
	reversed bool
	limit    int // 0: none
	reads    []reading
	stop     int // the first component that no range decides
	pieces   bool
	unstored *unstored // what Match asks of fields that no key holds; nil: nothing
	never    bool      // no row can match, whatever its key

	roomCons  [4]constraint // for a usual schema and query
	roomReads [6]reading
}

// reading is how a component was read, for String.
type reading struct {
	c   *layout.Component
	how how
	n   int
}

// way is how a component is read.
type way struct {
	c     *layout.Component
	how   how
	n     float64      // how many beginnings it makes of one
	vals  []layout.Val // of points and listed
	forms [][]byte     // of a fan
	idle  bool         // points that are all there are: no row is kept out
}

type how uint8

const (
	asConstant how = iota
	asPoints
	asListed // by the query's short interval
	asAll    // every value of an open field
	asComputed
	asFan
	asCoarse // asComputed, of copies that have few values: for String alone
)

// limits reports that a way keeps rows of other values out.
func (w *way) limits() bool {
	return !w.idle && (w.how == asPoints || w.how == asListed || w.how == asComputed)
}

// widens reports that a way only makes more ranges, unless something behind it
// is limited.
func (w *way) widens() bool {
	return w.n > 1 && (w.how == asFan || w.how == asAll || w.idle && w.how == asPoints)
}

const (
	shortInterval = 64      // values of an interval that are listed for what stands behind it
	mostChoices   = 1 << 16 // combinations that are tried before ranges are counted
)

// planners lends planners, which are large.
var planners = sync.Pool{New: func() any { return new(planner) }}

// planner makes one plan. It has room of its own for what a usual query needs.
type planner struct {
	task

	roomText [64]byte
	roomWays [layout.FewFields]way
	roomAll  [layout.FewFields][]layout.Val
	roomYes  [2 * layout.FewFields]bool
	room     room

	roomPieces [2]piece
	roomVals   [layout.FewFields]layout.Val
}

// reset forgets a plan, and keeps nothing of it.
func (pl *planner) reset() {
	n := min(len(pl.s.Fields), layout.FewFields)
	clear(pl.roomWays[:min(len(pl.s.Comps), layout.FewFields)])
	clear(pl.roomAll[:n])
	clear(pl.roomVals[:n])
	clear(pl.roomYes[:])
	if pl.room.lent {
		pl.room = room{}
	}
	if pl.found != nil {
		pl.roomPieces = [2]piece{}
	}
	pl.task = task{}
}

// task is what a planner knows of its plan.
type task struct {
	s         *layout.Schema
	p         *queryPlan
	max       int
	full      bool
	ways      []way
	all       [][]layout.Val // by field: its points, nil where it has none
	points    []bool         // by field: it has points
	narrow    []bool         // by field: the query limits it
	oneByOne  bool           // whole keys are too many
	uncounted bool           // the ranges are not counted before they are joined
	joined    bool           // they were joined, and cover
	stood     bool           // times stand for all of one value of their copies
	fanned    bool           // and that gave too many ranges
	none      bool           // no row can match
	refused   error          // a condition, for this reason
	fault     error          // a step of others panicked: a value is not left out for that
	scratch   []byte

	found      []piece // of the component at the stop
	foundExact bool
}

// room is memory for a few values.
type room struct {
	vals  [layout.FewFields]layout.Val
	used  int
	text  [64]byte
	typed int
	lent  bool // some of it was given
}

// rest is the part not yet used.
func (r *room) rest() []layout.Val {
	r.lent = true
	return r.vals[r.used:r.used]
}

// keep keeps what was appended to rest.
func (r *room) keep(vals []layout.Val) []layout.Val {
	if r.used+len(vals) <= len(r.vals) {
		r.used += len(vals)
	}
	return vals
}

// textVal is a text as a value.
func (r *room) textVal(v string) layout.Val {
	b := append(r.text[r.typed:r.typed], v...)
	if r.typed+len(v) <= len(r.text) {
		r.typed += len(v)
	}
	return layout.Val{Text: b[:len(v):len(v)], Ok: true}
}

// begin lends a planner for a plan of a schema. Its finish gives it back.
func begin(p *queryPlan, s *layout.Schema) *planner {
	p.s = s
	if p.cons = p.roomCons[:]; len(s.Fields) > len(p.cons) {
		p.cons = make([]constraint, len(s.Fields))
	}
	p.cons = p.cons[:len(s.Fields)]
	pl := planners.Get().(*planner)
	pl.s, pl.p, pl.max = s, p, layout.MaxForms
	return pl
}

// finish makes the plan of the conditions that were taken, and forgets it.
func (pl *planner) finish() error {
	err := pl.refused
	if err == nil {
		err = pl.plan()
	}
	if pl.fault != nil {
		err = pl.fault
	}
	pl.reset()
	planners.Put(pl)
	return err
}

// plan makes the plan.
func (pl *planner) plan() error {
	p := pl.p
	if p.contradictory() || !pl.study() {
		p.exact, p.never = true, true
		return nil
	}
	walked, err := pl.try()
	if err != nil && pl.stood { // more ranges than with every bucket
		pl.clear()
		pl.study()
		pl.fanned = true
		walked, err = pl.try()
	}
	if err != nil && pl.intervals() { // value by value they are too many: each as one piece
		if err = pl.retry(); err != nil { // value by value after all, which a salt may need, but less of the key
			pl.clear()
			pl.study()
			err = pl.retry()
		}
	} else if err != nil && walked {
		err = pl.yield(err)
	}
	if err != nil && pl.full {
		err = pl.join()
	}
	if err != nil {
		return err
	}
	p.exact = pl.exact() || len(p.ranges) == 0
	p.whole = pl.full && len(p.ranges) > 0 && (pl.unlimited() || pl.everyBucket(len(p.ranges)))
	p.reads = p.roomReads[:0]
	for i := range pl.ways {
		w := &pl.ways[i]
		how := w.how
		if how == asComputed && pl.stands(w.c) {
			how = asCoarse
		}
		p.reads = append(p.reads, reading{w.c, how, int(w.n)})
	}
	pl.keepUnstored()
	return nil
}

// take adds a condition by AND. finish tells the first that is refused.
func (pl *planner) take(q *condition) {
	if pl.refused == nil {
		pl.refused = pl.sort(q)
	}
}

// sort gives one condition to its field.
func (pl *planner) sort(q *condition) error {
	s := pl.s
	switch q.op {
	case 0:
		return s.ErrAt("", -1, &fault.Detail{Text: "the zero Cond", Reason: fault.ErrField})
	case opFullScan:
		pl.full = true
		return nil
	case opMaxRanges:
		if q.n < 1 {
			return s.ErrAt("", -1, &fault.Detail{Text: fmt.Sprintf("MaxRanges(%d), at least 1", q.n), Reason: fault.ErrRange})
		}
		pl.max = q.n
		return nil
	}
	c := s.ByName[q.field]
	switch {
	case q.s != nil && q.s != s:
		return s.ErrAt(q.field, -1, &fault.Detail{Text: "a handle of schema " + q.s.Name, Reason: fault.ErrField})
	case c == nil:
		return s.ErrAt(q.field, -1, fault.ErrField)
	case c.Role != layout.RoleField:
		return s.ErrAt(q.field, -1, &fault.Detail{Text: "is computed: ask for the fields it is computed from", Reason: fault.ErrField})
	}
	if err := pl.p.cons[c.Ord].add(c, q); err != nil {
		return s.ErrAt(c.Name, -1, err)
	}
	return nil
}

// contradictory reports that no row can satisfy the conditions.
func (p *queryPlan) contradictory() bool {
	for i := range p.cons {
		if p.cons[i].contradictory(p.s.Fields[i]) {
			return true
		}
	}
	return false
}

// study finds which fields have points, and which the query limits at all; false
// if a field can have none of the values that are left.
func (pl *planner) study() bool {
	n := len(pl.s.Fields)
	if n <= layout.FewFields {
		pl.all, pl.points, pl.narrow = pl.roomAll[:n], pl.roomYes[:n], pl.roomYes[layout.FewFields:layout.FewFields+n]
	} else {
		pl.all, pl.points, pl.narrow = make([][]layout.Val, n), make([]bool, n), make([]bool, n)
	}
	pl.ways = pl.roomWays[:0]
	pl.scratch = pl.roomText[:0]
	for i, c := range pl.s.Fields {
		k := &pl.p.cons[i]
		if !k.said {
			continue
		}
		pl.narrow[i] = k.narrow(c)
		if pl.all[i], pl.points[i] = pointsOf(c, &pl.room, k); pl.points[i] {
			pl.all[i] = pl.storable(c, pl.all[i])
		}
		if n, ok := c.Finite(); ok && pl.points[i] && uint64(len(pl.all[i])) == n {
			pl.narrow[i] = false // all there are
		}
		if pl.points[i] && len(pl.all[i]) == 0 {
			return false
		}
	}
	return true
}

// storable keeps the values that a field can hold.
func (pl *planner) storable(c *layout.Component, vals []layout.Val) []layout.Val {
	kept := vals[:0]
	for _, v := range vals {
		if v.Null {
			kept = append(kept, v)
			continue
		}
		form, err := c.AppendForm(pl.scratch[:0], v)
		if err == nil {
			kept = append(kept, v)
		}
		pl.mind(c, err)
		if cap(form) > cap(pl.scratch) {
			pl.scratch = form
		}
	}
	return kept
}

// mind keeps an error that is the panic of a step: what cannot be written for an
// error of the step is no row, what cannot for a panic may be one.
func (pl *planner) mind(c *layout.Component, err error) {
	if err != nil && pl.fault == nil && foreign.IsPanic(err) {
		pl.fault = pl.s.ErrAt("", -1, pl.s.Inner(c, err))
	}
}

// narrow reports that the constraint leaves out some value.
func (k *constraint) narrow(c *layout.Component) bool {
	if c.Optional && !k.null {
		return true
	}
	if c.IsText() {
		return len(k.ends) > 0 || len(k.texts) != 1 || k.texts[0].lo != "" || !k.texts[0].open
	}
	return len(k.nums) != 1 || k.nums[0] != domainOf(c)
}

// pointsOf is the values of a constraint that names each of them, or whose
// field has few values altogether.
func pointsOf(c *layout.Component, r *room, k *constraint) ([]layout.Val, bool) {
	out, ok := valuePoints(c, r, k)
	if ok && k.null {
		out = append(slices.Clip(out), layout.Val{Ok: true, Null: true})
	}
	return out, ok
}

// valuePoints is pointsOf without a null.
func valuePoints(c *layout.Component, r *room, k *constraint) ([]layout.Val, bool) {
	if c.IsText() {
		if c.Codes != nil || c.OneOf != nil {
			var out []layout.Val
			for _, v := range append(layout.SortedKeys(c.Codes), layout.SortedKeys(c.OneOf)...) {
				if v := (layout.Val{Text: []byte(v), Ok: true}); k.match(c, v) {
					out = append(out, v)
				}
			}
			return out, true
		}
		out := r.rest()
		for _, t := range k.texts {
			n := t.points()
			if n == 0 {
				return nil, false
			}
			for i := range n {
				v := r.textVal(t.hi[:len(t.lo)+i])
				if c.Decimal != forms.NoDecimal && !c.Decimal.Holds(v.Text) {
					continue // no stored number is there
				}
				if len(k.ends) == 0 || k.match(c, v) {
					out = append(out, v)
				}
			}
		}
		return r.keep(out), true
	}
	most := shortInterval
	if k.apart() {
		most = math.MaxInt
	}
	out, ok := valuesOf(c, r.rest(), k.nums, most)
	return r.keep(out), ok
}

// fixes reports that the constraint leaves no interval, however short.
func (k *constraint) fixes(c *layout.Component) bool {
	_, few := c.Finite()
	return k.named || few
}

// apart reports that no two of the numbers are neighbours.
func (k *constraint) apart() bool {
	return !slices.ContainsFunc(k.nums, func(sp numSpan) bool { return sp.lo != sp.hi })
}

// valuesOf appends the numbers that a field can hold in some spans, if they are
// at most n.
func valuesOf(c *layout.Component, out []layout.Val, spans []numSpan, n int) ([]layout.Val, bool) {
	before := len(out)
	if len(spans) > 0 && n == shortInterval && c.Kind != layout.KindFloat && c.Unit.Lay == nil && spans[0].hi-spans[0].lo > shortInterval*max(1, c.Num.Trunc) {
		return out, false
	}
	for _, sp := range spans {
		sp, ok := snapSpan(c, sp)
		for u := sp.lo; ok; {
			if len(out)-before == n {
				return out[:before], false
			}
			out = append(out, layout.Val{Num: c.Unrank(u), Ok: true})
			next, more := nextNum(c, u)
			if ok = more && next <= sp.hi; ok {
				u = next
			}
		}
	}
	return out, true
}

// nextNum is the next place that a field's value can have.
func nextNum(c *layout.Component, u uint64) (uint64, bool) {
	switch {
	case c.Unit.Lay != nil:
		return uint64(c.Unit.Lay.Next(int64(u^layout.SignBit64))) ^ layout.SignBit64, true
	case c.Kind == layout.KindFloat:
		return nextFloat(c, u)
	case c.Num.Trunc > 1:
		return u + c.Num.Trunc, u <= math.MaxUint64-c.Num.Trunc
	}
	return u + 1, u != math.MaxUint64
}

// snapSpan draws a span in to places that the field's values can have.
func snapSpan(c *layout.Component, sp numSpan) (numSpan, bool) {
	switch {
	case c.Unit.Lay != nil:
		l := c.Unit.Lay
		if sec := int64(sp.lo ^ layout.SignBit64); l.Floor(sec) != sec {
			sp.lo = uint64(l.Next(l.Floor(sec))) ^ layout.SignBit64
		}
		sp.hi = uint64(l.Floor(int64(sp.hi^layout.SignBit64))) ^ layout.SignBit64
	case c.Kind == layout.KindFloat:
		sp = snapFloat(c, sp)
	case c.Num.Trunc > 1:
		n := c.Num.Trunc
		if r := c.Beyond(c.Unrank(sp.lo)); r != 0 {
			if sp.lo > math.MaxUint64-n {
				return sp, false
			}
			sp.lo += n - r
		}
		r := c.Beyond(c.Unrank(sp.hi))
		if sp.hi < r {
			return sp, false
		}
		sp.hi -= r
	}
	return sp, sp.lo <= sp.hi
}

// walk decides the way of each component, and where to stop.
func (pl *planner) walk() error {
	p := pl.p
	product := 1.0
	limited := false // some way keeps rows out
	over := -1       // the way that makes more ranges than are allowed, in front of all that limits
	p.stop = len(pl.s.Comps)
	pl.standIns()
	for i := range pl.s.Comps {
		c := &pl.s.Comps[i]
		if c.Absent {
			continue
		}
		w, ok := pl.way(c, limited)
		many := ok && w.widens() && product*w.n > float64(pl.max)
		if !ok || many && limited { // behind what limits, a cover is better than a refusal
			p.stop = i
			break
		}
		if w.n == 0 { // a copy takes none of the values that are left
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
	pieces := pl.piecesAtStop()
	p.pieces = pieces > 0
	pl.countLeads()
	last := -1
	for i := range pl.ways {
		if pl.ways[i].limits() {
			last = i
		}
	}
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
		for _, c := range pl.behind() {
			product *= float64(len(pl.all[c.Ord]))
		}
		return pl.s.ErrAt(pl.ways[over].c.Name, -1, &fault.Detail{Text: fmt.Sprintf("%.0f ranges, one for each value of what is open in front; at most %d", product*float64(max(pieces, 1)), pl.max), Reason: fault.ErrManyRanges})
	}
	// a listing or a fan with nothing limited behind it only makes more ranges
	for i := range pl.ways {
		w := &pl.ways[i]
		bucket := last < 0 && w.c.Index < p.leads // the whole table, bucket by bucket, so that it can be merged
		if i == over || i > last && w.widens() && !bucket {
			pl.cutAt(i)
			break
		}
	}
	if p.stop < p.leads {
		p.leads = 0
	}
	for i := range pl.ways {
		if w := &pl.ways[i]; w.how == asFan {
			w.forms = everyForm(w.c)
		} else if w.how == asAll {
			w.vals = everyValue(w.c)
			w.n = float64(len(w.vals)) // Truncate leaves fewer than the limits say
		}
	}
	return nil
}

// nothing makes the plan empty.
func (pl *planner) nothing() { pl.ways, pl.p.ranges, pl.none = pl.ways[:0], nil, true }

// uncomputable reports that a salt, hash or copy cannot be computed of any of the
// values that are left, as a Java hashCode of what is no text: no row has them.
func (pl *planner) uncomputable() bool {
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
		none := total <= mostChoices
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

// cutAt gives up a way and all behind it.
func (pl *planner) cutAt(i int) {
	p := pl.p
	p.stop = pl.ways[i].c.Index
	pl.ways = pl.ways[:i]
	p.pieces = false
}

// try walks and builds; false if it did not come to building.
func (pl *planner) try() (walked bool, err error) {
	if err := pl.walk(); err != nil {
		return false, err
	}
	return true, pl.build()
}

// retry is try, where fewer and fewer ways are taken while there are too many
// ranges.
func (pl *planner) retry() error {
	walked, err := pl.try()
	if walked {
		err = pl.yield(err)
	}
	return err
}

// yield gives up ways as long as there are too many ranges.
func (pl *planner) yield(err error) error {
	for err != nil && pl.retreat() {
		err = pl.build()
	}
	return err
}

// join makes as many ranges as are allowed of more, where the whole table is
// permitted: neighbours become one that covers what lies between.
func (pl *planner) join() error {
	p := pl.p
	pl.clear()
	pl.study()
	pl.oneByOne, pl.uncounted = true, true
	if err := pl.walk(); err != nil {
		return err
	}
	for err := pl.build(); err != nil; err = pl.build() {
		if !pl.retreat() {
			return err
		}
	}
	n := len(p.ranges)
	if n <= pl.max {
		return nil
	}
	pl.joined, p.leads = true, 0
	out := p.ranges[:0]
	for i := range pl.max {
		first, last := p.ranges[i*n/pl.max], p.ranges[(i+1)*n/pl.max-1]
		out = append(out, keyRange{first.start, last.stop, last.state, nil})
	}
	p.ranges = out
	return nil
}

// unlimited reports that no range keeps a row out.
func (pl *planner) unlimited() bool {
	return !pl.p.pieces && !slices.ContainsFunc(pl.ways, func(w way) bool { return w.limits() })
}

// clear forgets what was tried.
func (pl *planner) clear() {
	pl.p.ranges, pl.p.leads, pl.p.pieces = nil, 0, false
	pl.ways, pl.oneByOne = pl.ways[:0], false
}

// intervals takes the short intervals, which were points, as intervals; false if
// there is none.
func (pl *planner) intervals() bool {
	some := false
	for i := range pl.points {
		if k := &pl.p.cons[i]; pl.points[i] && !k.named && !pl.s.Fields[i].IsText() && pl.s.Fields[i].Kind != layout.KindBool {
			pl.points[i], pl.all[i] = false, nil
			some = true
		}
	}
	if some {
		pl.clear()
	}
	return some
}

// retreat gives up the last way that lists what the query leaves open, behind
// one that limits it, and all behind that: there are fewer ranges then, and more
// is left to Match. Where the whole table is permitted it gives up any way. False
// if there is none.
func (pl *planner) retreat() bool {
	p := pl.p
	limited := slices.IndexFunc(pl.ways, func(w way) bool { return w.limits() })
	for i := len(pl.ways) - 1; i >= 0; i-- {
		w := &pl.ways[i]
		if (w.widens() || w.how == asListed && w.n > 1) && limited >= 0 && i > limited || pl.full && (w.n > 1 || w.how == asComputed) {
			pl.oneByOne = true
			p.ranges = nil
			pl.cutAt(i)
			p.pieces = pl.piecesAtStop() > 0 // a short interval is one piece after all
			if p.stop < p.leads {
				p.leads = 0
			}
			return true
		}
	}
	return false
}

// way is how a component in front of the stop is read, where something in front
// of it is limited or nothing is; false if it is the stop.
func (pl *planner) way(c *layout.Component, limited bool) (way, bool) {
	switch c.Role {
	case layout.RoleLiteral:
		return way{c: c, how: asConstant, n: 1}, true
	case layout.RoleField:
		if pl.points[c.Ord] && !pl.better(c) {
			nothing := pl.writesNothing(c)
			return way{c: c, how: asPoints, n: float64(len(pl.all[c.Ord])), vals: pl.all[c.Ord], idle: !pl.narrow[c.Ord] || nothing}, true
		}
		if !pl.later(c.Index) && !(pl.full && c.Bucket) {
			return way{}, false
		}
		if k := &pl.p.cons[c.Ord]; pl.narrow[c.Ord] && !c.IsText() && c.Order == forms.Unordered {
			vals, ok := valuesOf(c, nil, k.nums, pl.max)
			return way{c: c, how: asListed, n: float64(len(vals)), vals: vals}, ok
		}
		n, ok := c.Finite()
		if !ok && !limited { // else a range of what is limited covers all of them
			n, ok = c.Countable()
		}
		return way{c: c, how: asAll, n: float64(n)}, ok && !pl.narrow[c.Ord]
	case layout.RoleCopy:
		return pl.copyWay(c)
	}
	if pl.computable(c) {
		return way{c: c, how: asComputed, n: 1, idle: !pl.asked(c) || c.Count() == 1}, true
	}
	if c.Count() > 1 && !pl.later(c.Index) && !pl.full {
		return way{}, false
	}
	return way{c: c, how: asFan, n: c.Count()}, true
}

// writesNothing reports that a point of a Loose text without an end is empty, so
// that it keeps no row out.
func (pl *planner) writesNothing(c *layout.Component) bool {
	if !c.IsText() || c.Ends != forms.EndLoose || c.Mark != nil {
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

// better reports that a short interval is read as a piece rather than value by
// value: nothing behind it and nothing computed asks for the values.
func (pl *planner) better(c *layout.Component) bool {
	if pl.p.cons[c.Ord].named || pl.later(c.Index) || !pl.hasPieces(c) {
		return false
	}
	for i := range pl.ways {
		if w := &pl.ways[i]; w.how == asComputed && slices.Contains(w.c.Deps, c.Ord) {
			return false
		}
	}
	return true
}

// everyValue is all values of a field that has few.
func everyValue(c *layout.Component) []layout.Val {
	var vals []layout.Val
	if c.Optional {
		vals = append(vals, layout.Val{Ok: true, Null: true})
	}
	if !c.IsText() {
		vals, _ = valuesOf(c, vals, []numSpan{domainOf(c)}, math.MaxInt)
		return vals
	}
	for _, v := range append(layout.SortedKeys(c.Codes), layout.SortedKeys(c.OneOf)...) {
		vals = append(vals, layout.Val{Text: []byte(v), Ok: true})
	}
	return vals
}

// copyWay reads a copy: computed, or listed from its source's interval.
func (pl *planner) copyWay(c *layout.Component) (way, bool) {
	if pl.computable(c) {
		return way{c: c, how: asComputed, n: 1, idle: !pl.asked(c)}, true
	}
	k, ok := pl.copied(c)
	if !ok || c.IsText() || !pl.later(c.Index) {
		return way{}, false
	}
	vals, ok := valuesOf(c, nil, k.nums, shortInterval)
	return way{c: c, how: asListed, n: float64(len(vals)), vals: vals}, ok
}

// copied is what the source's constraint says of a copy's own value, which
// grows with the source's; never more than that.
func (pl *planner) copied(c *layout.Component) (k constraint, ok bool) {
	of := &pl.p.cons[c.Of.Ord]
	if !pl.narrow[c.Of.Ord] || c.Order == forms.Unordered && !(c.IsText() && c.Vias > 0 && keepsPrefixes(c)) {
		return k, false
	}
	if c.IsText() {
		left := math.MaxInt
		for _, st := range c.Stages {
			if st.Word == notation.Left {
				left = min(left, st.To)
			}
		}
		for _, t := range of.texts {
			t.lo = t.lo[:min(len(t.lo), left)]
			if !t.open && len(t.hi) > left {
				t.hi = t.hi[:left] + "\x00" // the copy of what is below hi may be hi's own
			}
			k.texts = append(k.texts, t)
		}
		k.texts = joinTexts(k.texts)
		return k, true
	}
	for _, sp := range of.nums {
		if c.Kind == layout.KindTime {
			snapped, some := snapSpan(c.Of, sp)
			if !some {
				continue
			}
			first, last := c.Of.Unrank(snapped.lo), c.Of.Unrank(snapped.hi)
			if err := cmp.Or(c.Of.Unit.Broken(first), c.Of.Unit.Broken(last)); err != nil {
				pl.mind(c.Of, err)
				return k, false
			}
			lo, okLo := c.TimeNum(c.Of.Instant(first))
			hi, okHi := c.TimeNum(c.Of.Instant(last))
			if !okLo {
				lo = c.Unrank(domainOf(c).lo)
			}
			if !okHi {
				hi = c.Unrank(domainOf(c).hi)
			}
			sp = numSpan{c.Rank(lo), c.Rank(hi)}
		}
		d := domainOf(c)
		if sp.lo, sp.hi = max(sp.lo, d.lo), min(sp.hi, d.hi); sp.lo <= sp.hi {
			k.nums = append(k.nums, sp)
		}
	}
	k.nums = joinNums(k.nums)
	return k, true
}

// computable reports that all the fields of a derived component have points, or
// values that stand for theirs.
func (pl *planner) computable(c *layout.Component) bool {
	if c.Rest {
		return false
	}
	for _, ord := range c.Deps {
		if !pl.known(c, ord) {
			return false
		}
	}
	return true
}

// asked reports that the query limits a field of a derived component, one that
// does not stand in front of it anyway.
func (pl *planner) asked(c *layout.Component) bool {
	return slices.ContainsFunc(c.Deps, func(ord int) bool {
		f := pl.s.Fields[ord]
		return pl.narrow[ord] && (f.Absent || f.Index > c.Index)
	})
}

// later reports that the query limits something that stands behind component i.
func (pl *planner) later(i int) bool {
	for _, c := range pl.s.Fields {
		if c.Index > i && !c.Absent && pl.narrow[c.Ord] {
			return true
		}
	}
	for _, c := range pl.s.Derived {
		if c.Index <= i || c.Absent {
			continue
		}
		if pl.asked(c) && (c.Role == layout.RoleCopy || pl.computable(c)) {
			return true
		}
	}
	return false
}

// everyForm is all the stored forms of a salt or hash, in key order.
func everyForm(c *layout.Component) [][]byte {
	if c.Forms != nil {
		return c.Forms
	}
	return c.ListForms(int(c.Count()))
}

// countLeads finds the components in front that Merge's order leaves out: salts,
// hashes, buckets of the writer's choice. A Loose one is none of them, since nobody
// can say of a key where it ends.
func (pl *planner) countLeads() {
	p := pl.p
	for i := range pl.s.Comps[:p.stop] {
		c := &pl.s.Comps[i]
		switch {
		case c.Absent || c.Role == layout.RoleLiteral:
		case c.Role == layout.RoleSalt || c.Role == layout.RoleHash || c.Role == layout.RoleField && c.Bucket && !c.Loose:
			p.leads = i + 1
		default:
			return
		}
	}
}

// lead is how many bytes of a key, or of a range's start, Merge's order leaves
// out; −1 if the key does not have them.
func (p *queryPlan) lead(key []byte) int {
	n := 0
	for i := range p.s.Comps[:p.leads] {
		c := &p.s.Comps[i]
		if c.Absent {
			continue
		}
		e := c.Extent(key[n:])
		if e < 0 {
			return -1
		}
		n += e
	}
	return n
}

// choice is a way or a field behind the stop, one of whose values is tried.
type choice struct {
	way   int // −1: of a field behind the stop
	c     *layout.Component
	n, at int
}

// behind are the fields that something is computed from and that have no way of
// their own.
func (pl *planner) behind() []*layout.Component {
	var out []*layout.Component
	for i := range pl.ways {
		w := &pl.ways[i]
		if w.how != asComputed {
			continue
		}
		for _, ord := range w.c.Deps {
			c := pl.s.Fields[ord]
			if !slices.Contains(out, c) && !slices.ContainsFunc(pl.ways, func(w way) bool { return w.c == c }) {
				out = append(out, c)
			}
		}
	}
	return out
}

// build makes the ranges of every combination of choices.
func (pl *planner) build() error {
	p := pl.p
	if pl.none {
		return nil
	}
	s := pl.s
	if key, err := pl.wholeKeys(); key || err != nil {
		return err
	}
	var few [8]choice
	choices := few[:0]
	total := 1.0
	for i := range pl.ways {
		w := &pl.ways[i]
		if w.how == asConstant || w.how == asComputed {
			continue
		}
		choices = append(choices, choice{way: i, c: w.c, n: int(w.n)})
		total *= w.n
	}
	for _, c := range pl.behind() {
		choices = append(choices, choice{way: -1, c: c, n: len(pl.all[c.Ord])})
		total *= float64(len(pl.all[c.Ord]))
	}
	if total == 0 {
		return nil
	}
	if total > float64(max(mostChoices, pl.max)) {
		return s.ErrAt("", -1, &fault.Detail{Text: fmt.Sprintf("%.0f ranges; at most %d", total, pl.max), Reason: fault.ErrManyRanges})
	}
	vals := pl.roomVals[:0]
	for range s.Fields {
		vals = append(vals, layout.Val{})
	}
	var pieces []piece
	if p.pieces {
		pieces = pl.found
	}
	e := pl.edges(pieces)
	var beginning [128]byte
	b := builder{begin: beginning[:0]}
	count := min(int(total)*max(1, len(pieces)), pl.max)
	p.ranges = make([]keyRange, 0, count)
	b.arena = make([]byte, 0, count*(2*s.Hint+2))
	for range int(total) {
		for _, ch := range choices {
			switch {
			case ch.way < 0:
				vals[ch.c.Ord] = pl.all[ch.c.Ord][ch.at]
			case ch.c.Role == layout.RoleField:
				vals[ch.c.Ord] = pl.ways[ch.way].vals[ch.at]
			}
		}
		if pl.begin(&b, layout.Row{Vals: vals}, choices) {
			pl.emit(&b, pieces, &e)
			if pl.spread(&b, choices) {
				break
			}
		}
		for i := len(choices) - 1; i >= 0; i-- {
			if choices[i].at++; choices[i].at < choices[i].n {
				break
			}
			choices[i].at = 0
		}
	}
	return pl.settle()
}

// spread copies the ranges of a fan's first form for its others, where nothing
// else is to choose, nothing varies in front of it, and the bytes of the form
// are all that changes: no step from start to stop has carried into them.
func (pl *planner) spread(b *builder, choices []choice) bool {
	chosen := choice{way: -1}
	for _, ch := range choices {
		switch {
		case ch.n == 1:
		case chosen.n != 0:
			return false
		default:
			chosen = ch
		}
	}
	if chosen.way < 0 {
		return false
	}
	off := 0
	for i := range chosen.way {
		if pl.ways[i].how != asConstant {
			return false
		}
		off += len(pl.ways[i].c.Lit)
	}
	w := &pl.ways[chosen.way]
	if w.how != asFan || !w.c.Shape.Fixed() {
		return false
	}
	p := pl.p
	end := off + w.c.Shape.Min
	first := p.ranges
	for i := range first {
		if r := &first[i]; r.state != bounded || len(r.start) < end || len(r.stop) < end || string(r.start[:end]) != string(r.stop[:end]) {
			return false
		}
	}
	for _, form := range w.forms[1:] {
		for i := range first {
			r := first[i]
			at := len(b.arena)
			b.arena = append(append(b.arena, r.start...), r.stop...)
			mid, stop := at+len(r.start), len(b.arena)
			copy(b.arena[at+off:], form)
			copy(b.arena[mid+off:], form)
			p.ranges = append(p.ranges, keyRange{b.arena[at:mid:mid], b.arena[mid:stop:stop], bounded, nil})
		}
	}
	return true
}

// wholeKeys makes the ranges of a query that fixes every field: its keys, one
// by one.
func (pl *planner) wholeKeys() (bool, error) {
	p := pl.p
	total := 1.0
	for i := range pl.s.Fields {
		c := pl.s.Fields[i]
		listed := c.Codes != nil || c.OneOf != nil || c.Kind == layout.KindBool
		if interval := !pl.p.cons[i].named && !listed; !pl.points[i] || interval || pl.oneByOne {
			return false, nil
		}
		total *= float64(len(pl.all[i]))
	}
	if total > float64(max(mostChoices, pl.max)) {
		return true, pl.s.ErrAt("", -1, &fault.Detail{Text: fmt.Sprintf("%.0f ranges; at most %d", total, pl.max), Reason: fault.ErrManyRanges})
	}
	p.stop = len(pl.s.Comps)
	p.pieces = false
	p.leads = 0
	pl.countLeads()
	var arena []byte
	pl.ways = nil
	for key := range combinations(pl.s, pl.all, func(err error) { pl.mind(nil, err) }) { // the error names its field
		var r keyRange
		r, arena = appendRange(arena, key, begunByAll(pl.s))
		p.ranges = append(p.ranges, r)
	}
	return true, pl.settle()
}

// combinations yields the key of every combination of the fields' values; those
// that cannot be stored are left out, and failed is told why.
func combinations(s *layout.Schema, all [][]layout.Val, failed func(error)) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for vals := range rows(all) {
			if key, err := s.AppendRow(nil, layout.Row{Vals: vals}); err != nil {
				failed(err)
			} else if !yield(key) {
				return
			}
		}
	}
}

// rows yields every combination of the fields' values, in memory that is used
// again.
func rows(all [][]layout.Val) iter.Seq[[]layout.Val] {
	return func(yield func([]layout.Val) bool) {
		vals := make([]layout.Val, len(all))
		at := make([]int, len(all))
		for i := range all {
			if len(all[i]) == 0 {
				return
			}
		}
		for {
			for i := range all {
				vals[i] = all[i][at[i]]
			}
			if !yield(vals) {
				return
			}
			i := len(at) - 1
			for ; i >= 0; i-- {
				if at[i]++; at[i] < len(all[i]) {
					break
				}
				at[i] = 0
			}
			if i < 0 {
				return
			}
		}
	}
}

// builder holds the bytes of the ranges.
type builder struct {
	begin []byte // the beginning at hand
	trim  int    // bytes at its end that a key lacks if nothing but nulls follows
	apart bool   // and then it lies apart from those that go on
	arena []byte
}

// begin writes the beginning of one combination; false if no row can have it.
func (pl *planner) begin(b *builder, r layout.Row, choices []choice) bool {
	b.begin, b.trim, b.apart = b.begin[:0], 0, false
	for _, ch := range choices {
		if ch.way < 0 && pl.points[ch.c.Ord] { // what stands for others need not be storable itself
			if _, err := ch.c.AppendForm(b.begin, r.Vals[ch.c.Ord]); err != nil {
				pl.mind(ch.c, err)
				return false
			}
		}
	}
	next := 0
	for i := range pl.ways {
		w := &pl.ways[i]
		var err error
		known := true
		switch w.how {
		case asConstant:
			b.begin = append(b.begin, w.c.Lit...)
			continue
		case asComputed:
			b.begin, known, err = pl.s.Derive(b.begin, w.c, r, nil)
			b.trim, b.apart = w.c.TrimOf(false, 0, false)
		case asFan:
			b.begin = append(b.begin, w.forms[choices[next].at]...)
			next++
		default:
			v := w.vals[choices[next].at]
			next++
			b.trim, b.apart = w.c.TrimOf(v.Null, b.trim, b.apart)
			if w.c.Role == layout.RoleCopy { // listed by its own values
				b.begin, err = w.c.AppendNum(b.begin, v.Num)
			} else {
				b.begin, err = w.c.AppendForm(b.begin, v)
			}
		}
		if err != nil || !known {
			pl.mind(w.c, err)
			return false
		}
	}
	return len(b.begin)-b.trim <= pl.s.MaxLen
}

// emit adds the ranges of one beginning.
func (pl *planner) emit(b *builder, pieces []piece, e *edges) {
	p := pl.p
	if !p.pieces {
		if p.stop == len(pl.s.Comps) {
			p.ranges, b.arena = appendHead(p.ranges, b.arena, b.begin[:len(b.begin)-b.trim], begunByAll(pl.s), 0, false)
			return
		}
		if e.low != nil || e.high != nil {
			pl.appendPiece(&piece{hiOpen: true, first: []byte{}, last: []byte{}}, b, e)
			return
		}
		if last := pl.s.LastOf(p.stop); last != nil && len(pl.ways) > 0 {
			var r keyRange
			r, b.arena = clippedRange(last, b.arena, b.begin)
			p.ranges = append(p.ranges, r)
			return
		}
		p.ranges, b.arena = appendHead(p.ranges, b.arena, b.begin, false, b.trim, b.apart)
		return
	}
	if c := &pl.s.Comps[p.stop]; c.Optional && p.cons[c.Ord].null { // beside the values between
		trim, apart := c.TrimOf(true, b.trim, b.apart)
		switch {
		case c.Null != nil:
			p.ranges, b.arena = appendHead(p.ranges, b.arena, append(b.begin, c.Null...), false, trim, apart)
		case len(b.begin) > trim: // it is the last: that one key, and what goes on has a value
			p.ranges, b.arena = appendHead(p.ranges, b.arena, b.begin[:len(b.begin)-trim], true, 0, false)
		}
	}
	for i := range pieces {
		pl.appendPiece(&pieces[i], b, e)
	}
}

// appendPiece adds the range of a piece, if a row can be there.
func (pl *planner) appendPiece(q *piece, b *builder, e *edges) {
	p := pl.p
	r, ok := behind(q, b, e)
	if last := pl.s.LastOf(p.stop); ok && last != nil {
		r, ok = clampedRange(last, r, b.begin)
	}
	if ok {
		p.ranges = append(p.ranges, r)
	}
}

// settle sorts the ranges, joins those that touch in one bucket, and counts.
func (pl *planner) settle() error {
	p := pl.p
	if p.settled() {
		return pl.settledFor(len(p.ranges))
	}
	slices.SortFunc(p.ranges, func(a, b keyRange) int { return bytes.Compare(a.start, b.start) })
	different := 0
	for i := range p.ranges {
		if i == 0 || !bytes.Equal(p.ranges[i].start, p.ranges[i-1].start) {
			different++
		}
	}
	out := p.ranges[:0]
	for _, r := range p.ranges {
		if n := len(out); n > 0 {
			last := &out[n-1]
			touch := last.state == unbounded || bytes.Compare(r.start, last.stop) <= 0
			if touch && (p.leads == 0 || bytes.Equal(last.start[:p.lead(last.start)], r.start[:p.lead(r.start)])) {
				if last.state != unbounded && (r.state == unbounded || bytes.Compare(r.stop, last.stop) > 0) {
					last.stop, last.state = r.stop, r.state
				}
				continue
			}
		}
		out = append(out, r)
	}
	p.ranges = out
	return pl.settledFor(different)
}

// settled reports that the ranges are sorted and apart.
func (p *queryPlan) settled() bool {
	for i := 1; i < len(p.ranges); i++ {
		if last := &p.ranges[i-1]; last.state == unbounded || bytes.Compare(last.stop, p.ranges[i].start) >= 0 {
			return false
		}
	}
	return true
}

// settledFor judges the number of the ranges, which begin at so many places.
func (pl *planner) settledFor(different int) error {
	switch n := len(pl.p.ranges); {
	case !pl.full && pl.everyBucket(different):
		return pl.fullScan()
	case n > pl.max && !pl.uncounted:
		return pl.s.ErrAt("", -1, &fault.Detail{Text: fmt.Sprintf("%d ranges; at most %d", n, pl.max), Reason: fault.ErrManyRanges})
	}
	return nil
}

// everyBucket reports that nothing but computed salts and hashes limits the
// query, and that all their values are hit.
func (pl *planner) everyBucket(ranges int) bool {
	all := 1.0
	for i := range pl.ways {
		switch w := &pl.ways[i]; {
		case w.how == asComputed && w.c.Role != layout.RoleCopy:
			all *= w.c.Count()
		case w.limits():
			return false
		default:
			all *= w.n
		}
	}
	return !pl.p.pieces && len(pl.ways) > 0 && float64(ranges) >= all
}

// exact reports that the ranges decide every condition.
func (pl *planner) exact() bool {
	p := pl.p
	if pl.joined {
		return false
	}
	for i := range pl.s.Comps {
		if pl.s.Comps[i].Loose {
			return false
		}
	}
	for i, c := range pl.s.Fields {
		k := &p.cons[i]
		if !k.said || !pl.narrow[i] && !k.coarse {
			continue
		}
		if k.coarse || c.Absent {
			return false
		}
		switch {
		case c.Index < p.stop: // points, or a listed interval
		case c.Index == p.stop && p.pieces:
			if !pl.foundExact {
				return false
			}
		default:
			return false
		}
		if len(k.ends) > 0 && !pl.points[i] && !(c.Index == p.stop && p.pieces) {
			return false
		}
	}
	return true
}

// All yields the ranges in the order in which they are read.
func (p *queryPlan) All() iter.Seq[keyRange] {
	return func(yield func(keyRange) bool) {
		for i := range p.ranges {
			if p.reversed {
				i = len(p.ranges) - 1 - i
			}
			if !yield(p.rangeAt(i)) {
				return
			}
		}
	}
}

// rangeAt is range i as the caller gets it: one that knows its schema.
func (p *queryPlan) rangeAt(i int) keyRange {
	r := p.ranges[i]
	r.of = p.s
	return r
}

// asked reports that the scan of a range may give a key outside of it: the
// bounds of a reversed scan can lie a little further out.
func (p *queryPlan) asked(i int, key []byte) bool {
	if !p.reversed {
		return false
	}
	start, stop, _ := p.rangeAt(i).Reversed()
	return (len(start) == 0 || bytes.Compare(key, start) <= 0) && bytes.Compare(key, stop) > 0
}

// Keys yields the candidate keys of a query that fixes every field, or all but some of few values.
func (p *queryPlan) Keys() iter.Seq[[]byte] {
	all := make([][]layout.Val, len(p.s.Fields))
	for i, c := range p.s.Fields {
		k := &p.cons[i]
		vals, ok := []layout.Val(nil), false
		if k.said && k.fixes(c) {
			vals, ok = pointsOf(c, new(room), k)
		}
		if n, few := c.Finite(); !ok && few && n <= mostChoices {
			if vals, ok = everyValue(c), true; k.said {
				vals = slices.DeleteFunc(vals, func(v layout.Val) bool { return !k.match(c, v) })
			}
		}
		if !ok {
			return func(func([]byte) bool) {}
		}
		all[i] = vals
	}
	keys := combinations(p.s, all, func(error) {})
	if !slices.ContainsFunc(p.s.Fields, func(c *layout.Component) bool { return c.Absent || c.Loose }) {
		return keys
	}
	return func(yield func([]byte) bool) { // values that are not stored, or loose, may make one key
		seen := map[string]struct{}{}
		for key := range keys {
			if _, again := seen[string(key)]; again {
				continue
			}
			seen[string(key)] = struct{}{}
			if !yield(key) {
				return
			}
		}
	}
}

// String explains the plan.
func (p *queryPlan) String() string {
	var b strings.Builder
	if p.whole {
		b.WriteString("the whole table: ")
	}
	fmt.Fprintf(&b, "%s: %s", p.s.Name, layout.Plural(len(p.ranges), "range"))
	switch {
	case len(p.ranges) == 0:
		b.WriteString(": no row can match")
	case p.exact:
		b.WriteString(", every row in them matches")
	default:
		b.WriteString(", Match decides")
	}
	if p.reversed {
		b.WriteString(", last key first")
	}
	if p.limit > 0 {
		fmt.Fprintf(&b, ", %s at most", layout.Plural(p.limit, "row"))
	}
	b.WriteByte('\n')
	for i := range p.ranges {
		if i == 4 && len(p.ranges) > 5 {
			fmt.Fprintf(&b, "  and %d more\n", len(p.ranges)-i)
			break
		}
		fmt.Fprintf(&b, "  %v\n", p.ranges[i])
	}
	p.explain(&b)
	return b.String()
}

// explain says how each component is read.
func (p *queryPlan) explain(b *strings.Builder) {
	if len(p.ranges) == 0 {
		p.explainEmpty(b)
		return
	}
	for i := range p.reads {
		w := &p.reads[i]
		text := ""
		switch w.how {
		case asConstant:
			continue
		case asPoints:
			text = layout.Plural(w.n, "value")
		case asListed:
			text = fmt.Sprintf("%s of an interval, listed for what stands behind", layout.Plural(w.n, "value"))
		case asAll:
			text = fmt.Sprintf("open: all its %d values", w.n)
		case asComputed:
			text = "computed from fields that are fixed"
		case asCoarse:
			text = "computed from what is fixed, and from a copy with few values in its interval"
		case asFan:
			text = fmt.Sprintf("open, since a field it is computed from is: all its %d values", w.n)
		}
		fmt.Fprintf(b, "  %s: %s\n", w.c.Name, text)
	}
	for _, c := range p.s.Fields {
		k := &p.cons[c.Ord]
		if !k.said || !k.narrow(c) {
			continue
		}
		switch {
		case c.Absent:
			fmt.Fprintf(b, "  %s: not stored, and left to Match as far as what is computed from it tells\n", c.Name)
		case c.Index == p.stop && p.pieces:
			fmt.Fprintf(b, "  %s: an interval\n", c.Name)
			if k.coarse {
				fmt.Fprintf(b, "  %s: its ends are finer than its unit, and rounded outward\n", c.Name)
			}
		case c.Index >= p.stop && p.reads != nil:
			open := &p.s.Comps[p.stop]
			what := "is open"
			if open.Role == layout.RoleField && p.cons[open.Ord].said && p.cons[open.Ord].narrow(open) {
				what = "is an interval"
			}
			why := fmt.Sprintf("%s in front of it %s; a layout with %s further in front, or stored in its order, makes it a range", open.Name, what, c.Name)
			if c.Index == p.stop {
				why = whyUnsortedBy(c, k)
			}
			fmt.Fprintf(b, "  %s: left to Match, since %s\n", c.Name, why)
		}
	}
}

// explainEmpty says of which field no value meets the conditions, or which cannot
// hold those that do. A row that was written past the schema may hold one; its key is
// then another row's, or none.
func (p *queryPlan) explainEmpty(b *strings.Builder) {
	for i, c := range p.s.Fields {
		k := &p.cons[i]
		var r room
		vals, points := pointsOf(c, &r, k)
		switch {
		case k.contradictory(c), k.said && points && len(vals) == 0:
			fmt.Fprintf(b, "  %s: none of its values meets the conditions\n", c.Name)
		case k.said && points:
			if err := refusalOfAll(c, vals); err != nil {
				fmt.Fprintf(b, "  %s: no key holds such a value: %v\n", c.Name, err)
			}
		}
	}
}

// refusalOfAll is why the first of some values cannot be stored; nil if any can.
func refusalOfAll(c *layout.Component, vals []layout.Val) (first error) {
	for _, v := range vals {
		if v.Null {
			return nil
		}
		_, err := c.AppendForm(nil, v)
		if err == nil {
			return nil
		}
		first = cmp.Or(first, err)
	}
	return first
}
