package plan

import (
	"github.com/hbase-rowkey/rowkey/internal/bound"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// direct makes the plan of what most queries ask, in one walk over the components: one value of each of the
// first fields, with the salts and hashes of these values, then perhaps an interval of numbers, and nothing
// else. The user 7 and the times from 3 to 5 give [07 03, 07 06). It is the plan that study, walk and build make,
// in half the time; the plan laws hold the two against each other. False if the schema or the query asks
// for more: then nothing is changed that they read.
func (pl *Planner) direct() bool {
	p, s := pl.p, pl.s
	if !s.Straight || pl.full || len(p.buckets()) > 0 {
		return false
	}
	vals := pl.roomVals[:len(s.Fields)]
	points, span, coarse := 0, false, false
	for i, c := range s.Fields {
		k := p.con(i)
		if vals[i].Ok = false; !k.Said {
			continue
		}
		if points < i || !k.Narrow { // a field before it is open, or has an interval
			return false
		}
		if coarse = coarse || k.Coarse; !k.Named {
			span = true
			continue
		}
		if !query.OnlyOf(c, &pl.room, k, &vals[i]) {
			return false
		}
		points++
	}
	begin, reads, stop := pl.roomBegin[:0], p.roomReads[:0], 0
walk:
	for ; stop < len(s.Comps); stop++ {
		c, how, err := &s.Comps[stop], asConstant, error(nil)
		switch known := false; {
		case c.Role == layout.RoleLiteral:
			begin = append(begin, c.Lit...)
		case c.Role == layout.RoleField && c.Ord == points:
			break walk
		case c.Role == layout.RoleField:
			begin, err = c.AppendForm(begin, &vals[c.Ord])
			how = asPoints
		case c.Derived():
			if begin, known, err = s.Derive(begin, c, layout.Row{Vals: vals}, nil); err == nil && !known {
				break walk
			}
			how = asComputed
		}
		if err != nil || len(begin) > s.MaxLen {
			return false
		}
		reads = append(reads, reading{1, uint16(stop), how})
	}
	switch {
	case span:
		if !pl.interval(&s.Comps[stop], begin) {
			return false
		}
	case len(begin) == 0 || points == 0 || s.Fields[points-1].Index > stop:
		return false // no key is empty, it keeps no row out, or a salt before a point cannot be computed
	case points == len(s.Fields):
		reads = nil // of one key String names no component
		r, _ := bound.Append(pl.roomRange[:0], begin, bound.BegunByAll(s))
		p.Ranges.Add(r)
	default:
		p.Ranges = bound.ListIn(p.roomRange[:0])
		p.Ranges.AddBegun(begin)
	}
	p.stop, p.pieces, p.may, p.Exact = stop, span, true, !coarse
	p.keepReads(reads)
	pl.setLeads()
	return true
}

// interval makes the range of an interval of numbers after a beginning, as appendPiece does of a piece. False if what
// is said of the component is no such interval, or if its forms do not lie as the numbers do.
func (pl *Planner) interval(c *layout.Component, begin []byte) bool {
	p := pl.p
	if c.Role != layout.RoleField || c.IsText() || !c.Shape.Fixed() || c.Order == forms.Unordered || len(p.con(c.Ord).Nums()) != 1 {
		return false
	}
	sp, ok := query.SnapSpan(c, p.con(c.Ord).Nums()[0])
	low, high := c.Unrank(sp.Lo), c.Unrank(sp.Hi)
	if c.Order == forms.Backward {
		low, high = high, low
	}
	room := p.roomRange[:0]
	if need := 2 * (len(begin) + c.Shape.Min); need > cap(room) {
		room = make([]byte, 0, need)
	}
	start, errLow := c.AppendNum(append(room, begin...), low)
	stop, errHigh := c.AppendNum(append(start, begin...), high)
	if !ok || errLow != nil || errHigh != nil || len(stop) > forms.MaxKey {
		return false
	}
	if at := len(start) + len(begin); !increment(stop[at:]) { // the stop is after all that has this beginning
		n, _ := bound.StepUp(stop[len(start):at])
		stop = stop[:len(start)+n] // an unbounded range has no stop
	}
	p.Ranges.Hold(stop, len(start))
	return true
}
