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

// Where the ways make too many ranges, or none keeps a row out, the plan makes do with less of the key,
// joins neighbours, or is refused.

// yieldFrom is try, and removes way after way as long as there are too many ranges.
func (pl *Planner) yieldFrom() error {
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

// intervals reads short intervals as intervals again. Before, they were read as points.
// False if there is no such interval.
func (pl *Planner) intervals() bool {
	some := false
	for i := range pl.points {
		if k := pl.p.con(i); pl.points[i] && !k.Named && !pl.s.Fields[i].IsText() && pl.s.Fields[i].Kind != layout.KindBool {
			pl.points[i], pl.all[i], pl.forms[i] = false, nil, 0
			some = true
		}
	}
	if some {
		pl.clear()
	}
	return some
}

// retreat makes fewer ranges, and leaves more to Match. It looks for the last way that
// lists values and that comes after a way which keeps rows out, or for buckets that yield.
// It removes that way and all ways after it. Where the whole table is permitted, it takes the last way of any
// kind that makes more ranges or is computed. False if there is no such way.
func (pl *Planner) retreat() bool {
	p := pl.p
	if pl.joinPieces() {
		pl.attempt = max(pl.attempt, byWays)
		p.Ranges = bound.List{}
		return true
	}
	limited := slices.IndexFunc(pl.ways, func(w way) bool { return w.effect == limits })
	for i := len(pl.ways) - 1; i >= 0; i-- {
		w := &pl.ways[i]
		after := limited >= 0 && i > limited && (w.effect == widens || w.n > 1 && w.how == asListed)
		if w.yields || after || pl.full && (w.n > 1 || w.how == asComputed) {
			pl.attempt = max(pl.attempt, byWays)
			p.Ranges = bound.List{}
			pl.ways = pl.ways[:i]
			pl.stopAt(w.c.Index) // a short interval becomes one piece now
			pl.setLeads()
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
	if c.Role != layout.RoleField || !c.IsText() || c.Order != forms.Unordered || p.con(c.Ord).Named || len(p.con(c.Ord).Ends()) > 0 {
		return false
	}
	all, limits := piece.Join(pl.found)
	if limits {
		pl.found, pl.foundExact = append(pl.found[:0], all), false
	}
	return limits
}

// join makes a plan for queries that have more ranges than are allowed, where the whole
// table is permitted. Neighbouring ranges become one range, which also holds the keys
// between them: [01, 02) and [05, 06) become [01, 06).
func (pl *Planner) join() error {
	p := pl.p
	pl.clear()
	pl.study()
	pl.attempt = joining
	if err := pl.yieldFrom(); err != nil {
		return err
	}
	n := p.Ranges.Len()
	if n <= pl.max {
		return nil
	}
	pl.attempt, p.Leads = joined, 0
	var out bound.List
	for i := range pl.max {
		r, last := p.Ranges.At(i*n/pl.max), p.Ranges.At((i+1)*n/pl.max-1)
		r.Stop, r.State = last.Stop, last.State
		out.Add(r)
	}
	p.Ranges = out
	return nil
}

// nothing makes the plan empty: no row can match.
func (pl *Planner) nothing() { pl.ways, pl.p.Ranges, pl.attempt = pl.ways[:0], bound.List{}, nothing }

// uncomputable reports that some salt, hash or copy cannot be computed from any of the
// values that the query allows. Then no row has these values. Example: a Java hashCode is
// computed from a text, and the bytes ff are not a text.
func (pl *Planner) uncomputable() bool {
	for i := range pl.ways {
		c := pl.ways[i].c
		if pl.ways[i].how == asComputed && formless(pl.s, c, pl.all, query.MostChoices, func(err error) { pl.mind(c, err) }) {
			return true
		}
	}
	return false
}

// tooWide refuses a query for its way number over, which makes too many ranges.
func (pl *Planner) tooWide(over int) error {
	product, _ := pl.combine()
	return pl.manyRanges(pl.ways[over].c.Name, product*pl.each(), ", one for each value of what no condition fixes")
}

// manyRanges refuses n ranges, and says what permits them if it can be meant.
func (pl *Planner) manyRanges(name string, n float64, what string) error {
	pl.need = n
	text := fmt.Sprintf("%.0f ranges%s; at most %d", n, what, pl.max)
	if n <= query.MostChoices {
		text += fmt.Sprintf(", MaxRanges(%.0f) permits them", n)
	}
	return pl.s.ErrAt(name, -1, &fault.Detail{Text: text, Reason: fault.ErrManyRanges})
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
		if pieces = max(1, len(pl.found)); !c.Optional || !p.con(c.Ord).Null {
			return float64(pieces)
		}
		_, apart = c.TrimOf(true, 0, apart)
	}
	if apart && p.stop < len(pl.s.Comps) {
		return float64(pieces + 2)
	}
	return float64(pieces + 1)
}

// tooMany is the error of a plan that has or would have n ranges.
func (pl *Planner) tooMany(n float64) error {
	name, most := "", 1.0 // what makes the most of them
	for i := range pl.ways {
		if w := &pl.ways[i]; w.n > most {
			name, most = w.c.Name, w.n
		}
	}
	for _, ch := range pl.sources {
		if float64(ch.n) > most {
			name, most = ch.c.Name, float64(ch.n)
		}
	}
	if pl.p.pieces && float64(len(pl.found)) > most {
		name = pl.s.Comps[pl.p.stop].Name
	}
	return pl.manyRanges(name, n, "")
}
