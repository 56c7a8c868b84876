package plan

import (
	"bytes"
	"iter"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/query"
	"github.com/hbase-rowkey/rowkey/internal/walk"
)

// Plan is what a query reads: ranges in key order, and what they leave undecided.
type Plan struct {
	S          *layout.Schema
	Walk       *walk.Layout // of S, for Tests; it may be nil
	Ranges     bound.List   // in key order; none is empty, and no two overlap
	Most       int          // 0: none
	more       *more        // nil: nothing
	Leads      int          // so many components at the beginning have one value in each range, and Merge's order leaves them out
	stop       int          // the first component that no range decides
	ways       uint16       // how many components before the stop were read
	Exact      bool
	IsReversed bool
	whole      bool // no range keeps a row out, as FullScan permits, or as the values of an interval have it
	pieces     bool
	may        bool // a row can match; false also of the zero Plan, which is empty

	roomCons  [3]query.Constraint // for a usual schema and query
	roomReads [4]reading
	roomRange [32]byte
}

// more is what a plan of a usual schema and query does not have. Plans that were made of one plan share it.
type more struct {
	cons     []query.Constraint // by field, where roomCons is too small
	reads    []reading          // where roomReads is too small
	buckets  []*bucketed        // what the query says of salts
	byCopy   []int              // the fields after the stop whose conditions a copy decides
	unstored *unstored          // what Match asks of fields that no key holds; nil: nothing
	refused  error              // of a Limit below 1
}

// rest is the place of what a plan of a usual query does not have. The plan is new.
func (p *Plan) rest() *more {
	if p.more == nil {
		p.more = new(more)
	}
	return p.more
}

// con is what the query says of a field.
func (p *Plan) con(ord int) *query.Constraint {
	if p.more != nil && p.more.cons != nil {
		return &p.more.cons[ord]
	}
	return &p.roomCons[ord]
}

// cons is what the query says, by field.
func (p *Plan) cons() []query.Constraint {
	if p.more != nil && p.more.cons != nil {
		return p.more.cons
	}
	return p.roomCons[:len(p.S.Fields)]
}

// buckets is what the query says of salts.
func (p *Plan) buckets() []*bucketed {
	if p.more == nil {
		return nil
	}
	return p.more.buckets
}

// Refused is the error of a Limit below 1: what reads the plan reports it first.
func (p *Plan) Refused() error {
	if p.more == nil {
		return nil
	}
	return p.more.refused
}

// unstored is what Match asks of fields that no key holds; nil: nothing.
func (p *Plan) unstored() *unstored {
	if p.more == nil {
		return nil
	}
	return p.more.unstored
}

// reads is how the components before the stop were read.
func (p *Plan) reads() []reading {
	if p.more != nil && p.more.reads != nil {
		return p.more.reads
	}
	return p.roomReads[:p.ways]
}

// keepReads keeps how the components before the stop were read.
func (p *Plan) keepReads(reads []reading) {
	if p.ways = uint16(len(reads)); len(reads) > len(p.roomReads) {
		p.rest().reads = reads
	}
}

// byCopy reports that a copy decides the conditions on a field after the stop.
func (p *Plan) byCopy(c *layout.Component) bool {
	return p.more != nil && slices.Contains(p.more.byCopy, c.Ord)
}

// reading is how a component was read, for String.
type reading struct {
	n    uint32
	comp uint16 // its number
	how  how
}

// Lead gives how many bytes at the beginning of a key, or of a range's start, Merge's order
// leaves out: 1 for a salt of 1 byte. −1 if the key is too short to have them.
func (p *Plan) Lead(key []byte) int {
	if p.Leads == 0 { // so it is of the zero Plan, which has no schema
		return 0
	}
	n := 0
	for i := range p.S.Comps[:p.Leads] {
		c := &p.S.Comps[i]
		if c.Absent {
			continue
		}
		e := c.LeadIn(key[n:])
		if e < 0 {
			return -1
		}
		n += e
	}
	return n
}

// All yields the ranges in the order in which they are read.
func (p *Plan) All() iter.Seq[bound.Range] {
	return func(yield func(bound.Range) bool) {
		for i := range p.Ranges.Len() {
			if p.IsReversed {
				i = p.Ranges.Len() - 1 - i
			}
			if !yield(p.RangeAt(i)) {
				return
			}
		}
	}
}

// RangeAt is range i as the caller gets it: one that knows its schema. It is empty if there is no such range: what lies
// in the list's memory there may look like the whole table.
func (p *Plan) RangeAt(i int) (r bound.Range) {
	if uint(i) < uint(p.Ranges.Len()) {
		r = p.Ranges.At(i)
		r.Of = p.S
	}
	return
}

// Asked reports that a reversed scan of range i may give this key. The key need not lie in
// the range, because the bounds of a reversed scan can lie a little further out. It is false
// for a plan that is not reversed.
func (p *Plan) Asked(i int, key []byte) bool {
	if !p.IsReversed {
		return false
	}
	start, stop, _ := p.RangeAt(i).Reversed()
	return (len(start) == 0 || bytes.Compare(key, start) <= 0) && bytes.Compare(key, stop) > 0
}

// Keys yields the candidate keys of a query that fixes every field, or all but some of few values.
func (p *Plan) Keys() iter.Seq[[]byte] {
	if p.S == nil {
		return func(func([]byte) bool) {}
	}
	all := make([][]layout.Val, len(p.S.Fields))
	open := uint64(1) // combinations of the values of what is open: it may be that none of them has a key
	for i, c := range p.S.Fields {
		k := p.con(i)
		vals, ok := []layout.Val(nil), false
		n, few := c.Finite()
		if k.Said && (k.Named || few) { // it leaves single values, no interval
			vals, ok = query.PointsOf(c, new(query.Room), k)
		}
		if !ok && few && n <= query.MostChoices {
			if vals, ok = query.EveryValue(c), true; k.Said {
				vals = slices.DeleteFunc(vals, func(v layout.Val) bool { return !k.Match(c, v) })
			}
			open *= uint64(len(vals))
		}
		if !ok || open > query.MostChoices {
			return func(func([]byte) bool) {}
		}
		all[i] = vals
	}
	asked := p.bucketsFit
	if len(p.buckets()) > 0 && p.S.Loose > 0 {
		asked = p.matchLoose // which tries each reading
	}
	alike := slices.ContainsFunc(p.S.Fields, func(c *layout.Component) bool { return c.Absent || c.Loose }) // their values may make one key
	return func(yield func([]byte) bool) {
		seen := map[string]struct{}{}
		for vals := range rows(nil, all) {
			key, err := p.S.AppendRow(nil, layout.Row{Vals: vals})
			if _, again := seen[string(key)]; again || err != nil || !asked(key) { // such values cannot be stored, or nothing asks for them
				continue
			}
			if alike {
				seen[string(key)] = struct{}{}
			}
			if !yield(key) {
				return
			}
		}
	}
}
