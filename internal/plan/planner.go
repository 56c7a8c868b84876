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
	task

	roomText [64]byte
	roomWays [layout.FewFields]way
	roomAll  [layout.FewFields][]layout.Val
	roomYes  [2 * layout.FewFields]bool
	room     query.Room

	roomPieces [2]piece.Piece
	roomVals   [layout.FewFields]layout.Val
	roomForms  [64]byte // of the pieces
	roomBegin  [128]byte
	roomRange  [256]byte // of a range that is being made
}

// reset forgets a plan, and keeps nothing of it.
func (pl *Planner) reset() {
	n := min(len(pl.s.Fields), layout.FewFields)
	clear(pl.roomWays[:min(len(pl.s.Comps), layout.FewFields)])
	clear(pl.roomAll[:n])
	clear(pl.roomVals[:n])
	clear(pl.roomYes[:])
	pl.room.Reset()
	if pl.found != nil {
		pl.roomPieces = [2]piece.Piece{}
	}
	pl.task = task{}
}

// task is what a planner knows of its plan.
type task struct {
	s         *layout.Schema
	p         *Plan
	max       int
	full      bool
	ways      []way
	all       [][]layout.Val // by field: its points, nil where it has none
	points    []bool         // by field: it has points
	narrow    []bool         // by field: the query limits it
	oneByOne  bool           // whole keys are too many
	covers    bool           // what is listed last was left out, since there are too many ranges with it
	uncounted bool           // the ranges are not counted before they are joined
	joined    bool           // they were joined, and cover
	open      []bool         // by field: its few values are listed, although the query leaves it open
	stood     bool           // times stand for all of one value of their copies, or an open field is listed
	fanned    bool           // and that gave too many ranges
	none      bool           // no row can match
	refused   error          // why a condition was refused; nil if none was
	fault     error          // the panic of a caller's transform: the plan fails, because a row may have the value
	scratch   []byte

	found      []piece.Piece // of the component at the stop
	foundExact bool
}

// Begin lends a planner for a plan of a schema. Its Finish gives it back.
func Begin(p *Plan, s *layout.Schema) *Planner {
	p.S = s
	if p.Cons = p.roomCons[:]; len(s.Fields) > len(p.Cons) {
		p.Cons = make([]query.Constraint, len(s.Fields))
	}
	p.Cons = p.Cons[:len(s.Fields)]
	pl := planners.Get().(*Planner)
	pl.s, pl.p, pl.max = s, p, layout.MaxForms
	return pl
}

// Finish makes the plan of the conditions that were taken, and forgets it.
func (pl *Planner) Finish() error {
	err := pl.refused
	if err == nil {
		for i := range pl.p.Cons {
			pl.p.Cons[i].Settle()
		}
		for _, q := range pl.p.buckets {
			q.k.Settle()
		}
		err = pl.plan()
	}
	if pl.fault != nil {
		err = pl.fault
	}
	pl.reset()
	planners.Put(pl)
	return err
}

// plan makes the plan. It is one list of attempts, in their order: each is made only if those before
// it failed.
func (pl *Planner) plan() error {
	p := pl.p
	if len(pl.s.Comps) == 0 {
		return pl.s.ErrAt("", -1, &fault.Detail{Text: "the zero Schema has no keys", Reason: fault.ErrSchema})
	}
	if p.contradictory() || !pl.study() {
		p.Exact = true
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
		if pl.covers && !pl.full { // key by key they are too many, but not those of the fields in front
			pl.clear()
			pl.study()
			pl.oneByOne = true
			many := err
			if _, err = pl.try(); errors.Is(err, fault.ErrFullScan) {
				return many // more ranges are the remedy, and not the whole table
			}
		}
		err = pl.yield(err)
	}
	if err != nil && pl.full {
		err = pl.join()
	}
	if err != nil {
		return err
	}
	p.Exact = pl.exact() || p.Ranges.Len() == 0
	p.whole = pl.full && p.Ranges.Len() > 0 && (pl.unlimited() || pl.everyBucket(p.Ranges.Len()))
	p.reads = p.roomReads[:0]
	for i := range pl.ways {
		w := &pl.ways[i]
		how := w.how
		if how == asComputed && pl.stands(w.c) {
			how = asCoarse
		}
		if w.asked {
			how = asPoints
		}
		p.reads = append(p.reads, reading{int(w.n), int32(w.c.Index), how})
	}
	for i, c := range pl.s.Fields {
		if pl.narrow[i] && !c.Absent && c.Index >= p.stop && !pl.joined && pl.copyDecides(c) {
			p.byCopy = append(p.byCopy, i)
		}
	}
	p.may = true
	pl.keepUnstored()
	return nil
}

// MayCross reports that two of the conditions that were taken may cross: they leave no value, or
// less than a unit of time. It is asked after Finish.
func (p *Plan) MayCross() bool {
	return p.contradictory() || slices.ContainsFunc(p.Cons, func(k query.Constraint) bool { return k.Coarse })
}

// Take adds a condition by AND. Finish tells the first that is refused.
func (pl *Planner) Take(q *query.Cond) {
	if pl.refused == nil {
		pl.refused = pl.sort(q)
	}
}

// sort gives one condition to its field.
func (pl *Planner) sort(q *query.Cond) error {
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
	c := s.ByName[q.Field]
	switch {
	case q.S != nil && q.S != s:
		return s.ErrAt(q.Field, -1, &fault.Detail{Text: "a handle of schema " + q.S.Name, Reason: fault.ErrField})
	case c == nil:
		return s.ErrAt(q.Field, -1, s.NoField(q.Field))
	}
	switch c.Role {
	case layout.RoleField:
	case layout.RoleCopy:
		if err := pl.p.Cons[c.Of.Ord].AddCopy(c, q); err != nil {
			return s.ErrAt(c.Name, -1, err)
		}
		return nil
	case layout.RoleSalt:
		if bound.IsOneWay(c) && c.Buckets > layout.MaxForms {
			return s.ErrAt(c.Name, -1, &fault.Detail{Text: fmt.Sprintf("has more than %d buckets and a step that nothing undoes, so no bucket is read back: ask for the fields it is computed from", layout.MaxForms), Reason: fault.ErrField})
		}
		if err := pl.p.bucketOf(c).k.Add(pl.p.bucketOf(c).as, q); err != nil {
			return s.ErrAt(c.Name, -1, err)
		}
		return nil
	case layout.RoleHash, layout.RoleLiteral:
		return s.ErrAt(q.Field, -1, &fault.Detail{Text: "is a hash: ask for the fields it is computed from, or read PrefixRange of its bytes", Reason: fault.ErrField})
	}
	if err := pl.p.Cons[c.Ord].Add(c, q); err != nil {
		return s.ErrAt(c.Name, -1, err)
	}
	return nil
}

// study finds which fields have points, and which the query limits at all; false
// if a field can have none of the values that are left.
func (pl *Planner) study() bool {
	n := len(pl.s.Fields)
	if n <= layout.FewFields {
		pl.all, pl.points, pl.narrow = pl.roomAll[:n], pl.roomYes[:n], pl.roomYes[layout.FewFields:layout.FewFields+n]
	} else {
		pl.all, pl.points, pl.narrow = make([][]layout.Val, n), make([]bool, n), make([]bool, n)
	}
	pl.ways, pl.open = pl.roomWays[:0], nil
	pl.scratch = pl.roomText[:0]
	for i, c := range pl.s.Fields {
		k := &pl.p.Cons[i]
		pl.all[i] = nil
		if !k.Said {
			continue
		}
		pl.narrow[i] = k.Narrow(c)
		if pl.all[i], pl.points[i] = query.PointsOf(c, &pl.room, k); pl.points[i] {
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
func (pl *Planner) storable(c *layout.Component, vals []layout.Val) []layout.Val {
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

// mind keeps an error if it is the panic of a transform. If a transform refuses a value with an error,
// no row has this value. If it panics, a row may have it, so that the plan fails.
func (pl *Planner) mind(c *layout.Component, err error) {
	if err != nil && pl.fault == nil && foreign.IsPanic(err) {
		pl.fault = pl.s.ErrAt("", -1, pl.s.Inner(c, err))
	}
}

// try walks and builds; false if it did not come to building.
func (pl *Planner) try() (walked bool, err error) {
	if err := pl.walk(); err != nil {
		return false, err
	}
	return true, pl.build()
}

// retry is try, and removes way after way as long as there are too many ranges.
func (pl *Planner) retry() error {
	walked, err := pl.try()
	if walked {
		err = pl.yield(err)
	}
	return err
}

// yield removes ways, the last first, as long as there are too many ranges.
func (pl *Planner) yield(err error) error {
	for err != nil && pl.retreat() {
		err = pl.build()
	}
	return err
}

// unlimited reports that no range keeps a row out.
func (pl *Planner) unlimited() bool {
	return !pl.p.pieces && !slices.ContainsFunc(pl.ways, func(w way) bool { return w.limits() })
}

// clear forgets what was tried.
func (pl *Planner) clear() {
	pl.p.Ranges, pl.p.Leads, pl.p.pieces = bound.List{}, 0, false
	pl.ways, pl.oneByOne = pl.ways[:0], false
}

// contradictory reports that no row can satisfy the conditions.
func (p *Plan) contradictory() bool {
	for i := range p.Cons {
		if p.Cons[i].Contradictory(p.S.Fields[i]) {
			return true
		}
	}
	return slices.ContainsFunc(p.buckets, func(q *bucketed) bool { return q.k.Contradictory(q.as) })
}
