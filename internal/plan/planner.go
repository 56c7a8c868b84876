package plan

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	"github.com/hbase-rowkey/rowkey/internal/foreign"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/piece"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// planners lends planners, which are large.
var planners = sync.Pool{New: func() any { return new(Planner) }}

// Planner makes one plan. It has room of its own for what a usual query needs.
type Planner struct {
	said
	task

	roomWays  [layout.FewFields]way
	roomAll   [layout.FewFields][]layout.Val
	roomForms [layout.FewFields]int
	roomYes   [2 * layout.FewFields]bool
	room      query.Room
	written   []byte // the forms of all points; the memory is kept for the next plan, unless it is much
	ends      []int  // where each form begins and ends in written

	roomPieces [2]piece.Piece
	roomCut    [64]byte // the bytes of the pieces
	roomVals   [layout.FewFields]layout.Val
	roomBegin  [128]byte
	roomRange  [256]byte // of a range that is being made
}

// reset forgets a plan. What lies in its room stays until the next plan writes over it, or the collector
// takes the planner: to clear it costs a small plan a fifth of its time. What takes much memory does not stay.
func (pl *Planner) reset() {
	if cap(pl.ends) > query.MostKept || cap(pl.written) > 16*query.MostKept {
		pl.ends, pl.written = nil, nil
	}
	pl.ends, pl.written = pl.ends[:0], pl.written[:0]
	if pl.large() {
		*pl = Planner{ends: pl.ends, written: pl.written}
		return
	}
	pl.room.Reset()
	if pl.studied {
		pl.task = task{}
	}
	pl.said = said{}
}

// large reports that a planner holds the memory of many values.
func (pl *Planner) large() bool {
	many := len(pl.found)
	for i := range pl.ways {
		many = max(many, len(pl.ways[i].vals), len(pl.ways[i].forms))
	}
	for i := range pl.all {
		many = max(many, len(pl.all[i]))
	}
	return many > query.MostKept
}

// said is the plan that is made, and what the conditions say besides those of it.
type said struct {
	s       *layout.Schema
	p       *Plan
	max     int
	full    bool
	hidden  bool  // the query limits a field that is not stored, or its values are listed
	studied bool  // the task is begun
	fault   error // the panic of a caller's transform: the plan fails, because a row may have the value
}

// task is what a planner finds out of its plan.
type task struct {
	attempt  attempt
	covers   bool    // what is listed last was left out, since there are too many ranges with it
	copies   bool    // the schema has a copy
	named    bool    // the query names the values of every field
	runs     bool    // many numbers that the query names are read as intervals, since some are neighbours
	values   bool    // they are read value by value
	many     error   // value by value there are too many ranges
	manyNeed float64 // so many
	cut      bool    // edges keep rows out of ranges that have no pieces
	need     float64 // the ranges that the last refusal counts

	ways    []way
	sources []choice       // computed components need them, and no way gives them
	all     [][]layout.Val // by field: its points, nil where it has none
	forms   []int          // by field: the place in ends of its points' forms; 0 where they are not listed
	points  []bool         // by field: it has points
	narrow  []bool         // by field: the query limits it
	open    []bool         // by field: its few values are listed, although the query leaves it open
	stands  standing

	found      []piece.Piece // of the component at the stop
	foundExact bool
}

// attempt is how the ranges are made. What comes later in this list makes fewer of them.
type attempt uint8

const (
	byKeys  attempt = iota // one for each key, if the query names the values of every field; else byWays
	byWays                 // one for each combination of what the ways give, since keys are too many
	joining                // the same, and they are not counted: neighbours are joined
	joined                 // they were joined, and cover
	nothing                // none: no row can match
)

// standing says whether values stand for others: a time for all of one value of its copies, or those of
// few values for a field that is open.
type standing uint8

const (
	mayStand standing = iota
	stood             // some do
	fanned            // they gave too many ranges, and none does: a salt of them is a fan
)

// Begin lends a planner for a plan of a schema. Its Finish gives it back.
func Begin(p *Plan, s *layout.Schema) *Planner {
	p.S = s
	if n := len(s.Fields); n > len(p.roomCons) {
		var m struct {
			more
			room [8]query.Constraint
		}
		if m.cons = m.room[:min(n, len(m.room))]; n > len(m.room) {
			m.cons = make([]query.Constraint, n)
		}
		p.more = &m.more
	}
	pl := planners.Get().(*Planner)
	pl.s, pl.p, pl.max = s, p, layout.MaxForms
	return pl
}

// Finish makes the plan of the conditions that were taken, and forgets it. refused is the error of the
// last Take. mayCross reports that two of the conditions may cross, which decides what the error is: they
// leave no value, or less than a unit of time, or are of a copy whose conditions are not joined.
func (pl *Planner) Finish(refused error) (mayCross bool, err error) {
	p := pl.p
	if err = refused; err == nil {
		empty := false
		cons := p.cons()
		for i := range cons {
			k := &cons[i]
			k.Settle(pl.s.Fields[i])
			empty, mayCross = empty || k.Empty, mayCross || k.Coarse || query.OfCopy(k)
		}
		for _, q := range p.buckets() {
			q.k.Settle(q.as)
			empty = empty || q.k.Empty
		}
		err = pl.plan(empty)
		mayCross = mayCross || empty
	}
	if pl.fault != nil {
		err = pl.fault
	}
	pl.reset()
	planners.Put(pl)
	return mayCross && (err == nil || errors.Is(err, fault.ErrFullScan) || errors.Is(err, fault.ErrManyRanges)), err
}

// plan makes the plan. It is one list of attempts, in their order: each is made only if those before
// it failed. empty says that no row can satisfy the conditions.
func (pl *Planner) plan(empty bool) error {
	p := pl.p
	if len(pl.s.Comps) == 0 {
		return pl.s.ErrZero()
	}
	if !empty && pl.direct() {
		return nil
	}
	if empty || !pl.study() {
		p.Exact = true
		return nil
	}
	walked, err := pl.try()
	if pl.runs && pl.fault == nil && (err != nil || !pl.exact()) {
		walked, err = pl.tryValues(err)
	}
	if err != nil {
		err = pl.retry(walked, err)
	}
	if err != nil && pl.many != nil && (errors.Is(err, fault.ErrFullScan) || pl.manyNeed < pl.need) {
		err = pl.many // fewer ranges are the remedy
	}
	if err != nil {
		return err
	}
	p.Exact = pl.exact() || p.Ranges.Len() == 0
	p.whole = pl.full && !pl.cut && p.Ranges.Len() > 0 && (pl.keepsAll() || pl.everyBucket(p.Ranges.Len())) || pl.entire()
	reads := p.roomReads[:0]
	for i := range pl.ways {
		w := &pl.ways[i]
		how := w.how
		if how == asComputed && pl.stands == stood && pl.coarse(w.c) {
			how = asCoarse
		}
		reads = append(reads, reading{uint32(w.n), uint16(w.c.Index), how})
	}
	p.keepReads(reads)
	if pl.copies && pl.attempt != joined {
		for i, c := range pl.s.Fields {
			if pl.narrow[i] && !c.Absent && c.Index >= p.stop && pl.copyDecides(c) {
				p.rest().byCopy = append(p.rest().byCopy, i)
			}
		}
	}
	p.may = true
	if pl.hidden {
		pl.keepUnstored()
	}
	return nil
}

// tryValues plans again, with numbers that the query names value by value, since as intervals they do not decide
// the query or are refused: no salt or hash is computed from an interval. It keeps the intervals, of which was is
// the error, if that does not help.
func (pl *Planner) tryValues(was error) (walked bool, err error) {
	again := func(values bool) (bool, error) {
		pl.clear()
		pl.values, pl.covers, pl.stands = values, false, mayStand
		if !pl.study() {
			pl.nothing()
			return false, nil
		}
		return pl.try()
	}
	walked, err = again(true)
	if err == nil && pl.fault == nil && (was != nil || pl.exact()) {
		return walked, nil
	}
	if errors.Is(err, fault.ErrManyRanges) && (pl.named || !pl.covers) { // else with more ranges more would be listed
		pl.many, pl.manyNeed = err, pl.need
	}
	pl.fault = nil // the intervals do not ask a step of the caller's about each value
	return again(false)
}

// retry plans again, in other ways, after an attempt that failed. walked says that it came to making
// ranges. The last way is to join ranges, where the whole table is permitted.
func (pl *Planner) retry(walked bool, err error) error {
	if pl.stands == stood { // more ranges than with every bucket
		pl.clear()
		pl.study()
		pl.stands = fanned
		walked, err = pl.try()
	}
	switch {
	case err == nil:
	case pl.intervals(): // value by value they are too many: each as one piece
		if err = pl.yieldFrom(); err != nil { // value by value after all, which a salt may need, but less of the key
			pl.clear()
			pl.study()
			err = pl.yieldFrom()
		}
	case walked:
		many := err
		if pl.covers && !pl.full { // key by key they are too many, but not those of the fields before the last
			pl.clear()
			pl.study()
			pl.attempt = byWays
			if _, err = pl.try(); errors.Is(err, fault.ErrFullScan) {
				return many // more ranges are the remedy, and not the whole table
			}
		}
		if err = pl.yield(err); pl.named && errors.Is(err, fault.ErrFullScan) {
			return many // as above: a range for each key is enough
		}
	}
	if err != nil && pl.full {
		err = pl.join()
	}
	return err
}

// Take adds a condition by AND. After the first that is refused no other is taken.
func (pl *Planner) Take(q *query.Cond) error {
	s := pl.s
	switch q.Op {
	case 0:
		return s.ErrAt("", -1, &fault.Detail{Text: "the zero Cond", Reason: fault.ErrField})
	case query.OpFullScan:
		pl.full = true
		return nil
	case query.OpMaxRanges:
		if q.N < 1 {
			return s.ErrAt("", -1, &fault.Detail{Text: fmt.Sprintf("MaxRanges(%d), at least 1", q.N), Reason: fault.ErrRange})
		}
		pl.max = q.N
		return nil
	}
	c := s.Named(q.Field)
	switch {
	case q.S != nil && q.S != s:
		return s.ErrAt(q.Field, -1, &fault.Detail{Text: "a handle of schema " + q.S.Name, Reason: fault.ErrField})
	case c == nil:
		return s.ErrAt(q.Field, -1, s.NoAsked(q.Field))
	}
	var err error
	switch c.Role {
	case layout.RoleField:
		pl.hidden = pl.hidden || c.Absent
		err = pl.p.con(c.Ord).Add(c, q)
	case layout.RoleCopy:
		pl.hidden = pl.hidden || c.Of.Absent
		err = pl.p.con(c.Of.Ord).AddCopy(c, q)
	case layout.RoleSalt:
		if bound.IsOneWay(c) && c.Buckets > layout.MaxForms {
			return s.ErrAt(c.Name, -1, &fault.Detail{Text: fmt.Sprintf("has more than %d buckets and a step that nothing undoes, so no bucket is read back: ask for the fields it is computed from", layout.MaxForms), Reason: fault.ErrField})
		}
		b := pl.p.bucketOf(c)
		err = b.k.Add(b.as, q)
	case layout.RoleHash, layout.RoleLiteral:
		return s.ErrAt(q.Field, -1, &fault.Detail{Text: "is a hash: ask for the fields it is computed from, or read PrefixRange of its bytes", Reason: fault.ErrField})
	}
	if err != nil {
		return s.ErrAt(c.Name, -1, err)
	}
	return nil
}

// study finds which fields have points, and which the query limits at all; false
// if a field can have none of the values that are left.
func (pl *Planner) study() bool {
	pl.studied = true
	n := len(pl.s.Fields)
	if n <= layout.FewFields {
		pl.all, pl.forms, pl.points, pl.narrow = pl.roomAll[:n], pl.roomForms[:n], pl.roomYes[:n], pl.roomYes[layout.FewFields:layout.FewFields+n]
	} else {
		pl.all, pl.forms, pl.points, pl.narrow = make([][]layout.Val, n), make([]int, n), make([]bool, n), make([]bool, n)
	}
	pl.ways, pl.open, pl.named = pl.roomWays[:0], nil, true
	for _, c := range pl.s.Derived {
		pl.copies = pl.copies || c.Role == layout.RoleCopy
	}
	for i, c := range pl.s.Fields {
		k := pl.p.con(i)
		if pl.all[i], pl.forms[i], pl.points[i], pl.narrow[i] = nil, 0, false, k.Narrow; k.Said {
			if pl.values {
				pl.all[i], pl.points[i] = query.PointsOf(c, &pl.room, k)
			} else {
				pl.all[i], pl.points[i] = query.ShortPointsOf(c, &pl.room, k)
				pl.runs = pl.runs || !pl.points[i] && k.Named && !c.IsText()
			}
		}
		if pl.named = pl.named && pl.points[i] && (k.Named || c.Codes != nil || c.OneOf != nil || c.Kind == layout.KindBool); !pl.points[i] {
			continue
		}
		pl.all[i], pl.forms[i] = pl.storable(c, pl.all[i])
		switch n, ok := c.Finite(); {
		case len(pl.all[i]) == 0:
			return false
		case ok && uint64(len(pl.all[i])) == n:
			if pl.narrow[i] = false; k.Narrow { // all there are, such as NotEq of a text that its OneOf does not list
				k.Narrow = false // not again by Fuzzy, which studies a plan that others read meanwhile
			}
		}
	}
	return true
}

// storable keeps the values that a field can hold, and lists the form of each, unless they are many. It
// gives the place in ends where the first form begins, and 0 if they are many.
func (pl *Planner) storable(c *layout.Component, vals []layout.Val) (kept []layout.Val, place int) {
	n, few := 0, len(vals) <= query.MostKept
	if few {
		if len(vals) > 1 {
			pl.written = slices.Grow(pl.written, len(vals)*c.Shape.Min)
			pl.ends = slices.Grow(pl.ends, len(vals)+2)
		}
		if len(pl.ends) == 0 {
			pl.ends = append(pl.ends, 0) // 0 is no place
		}
		place = len(pl.ends)
		pl.ends = append(pl.ends, len(pl.written))
	}
	for i := range vals {
		dst := pl.written
		if !few { // it is only seen whether there is a form
			dst = pl.roomBegin[:0]
		}
		form, err := c.AppendForm(dst, &vals[i])
		if err != nil {
			pl.mind(c, err)
			continue
		}
		if few {
			pl.written = form
			pl.ends = append(pl.ends, len(form))
		}
		if n < i {
			vals[n] = vals[i]
		}
		n++
	}
	return vals[:n], place
}

// mind keeps an error if it is the panic of a transform. If a transform refuses a value with an error,
// no row has this value. If it panics, a row may have it, so that the plan fails. c is nil if the error names its field.
func (pl *Planner) mind(c *layout.Component, err error) {
	if err != nil && pl.fault == nil && foreign.IsPanic(err) {
		name := ""
		if c != nil {
			name = c.Name
		}
		pl.fault = pl.s.ErrAt(name, -1, err)
	}
}

// try walks and builds; false if it did not come to building.
func (pl *Planner) try() (walked bool, err error) {
	if err := pl.walk(); err != nil {
		return false, err
	}
	return true, pl.build()
}

// clear forgets what was tried.
func (pl *Planner) clear() {
	pl.p.Ranges, pl.p.Leads, pl.p.pieces = bound.List{}, 0, false
	pl.ways, pl.attempt = pl.ways[:0], byKeys
}
