package plan

import (
	"iter"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// wholeKeys makes the ranges of a query that names the values of every field: one range
// for each key.
func (pl *Planner) wholeKeys() error {
	p := pl.p
	// Where keys are too many, ranges of the fields before the last, which hold more rows, are better than
	// a refusal.
	limited := false
	pl.covers = pl.covers || p.stop < len(pl.s.Comps)
	for i := range pl.ways {
		w := &pl.ways[i]
		pl.covers = pl.covers || limited && w.effect == widens
		limited = limited || w.effect == limits
	}
	total := 1.0
	for i := range pl.all {
		total *= float64(len(pl.all[i]))
	}
	if total > float64(max(query.MostChoices, pl.max)) {
		return pl.tooMany(total)
	}
	p.stop = len(pl.s.Comps)
	p.pieces = false
	pl.setLeads()
	pl.ways = nil
	exact := bound.BegunByAll(pl.s)
	count := min(int(total), pl.max)
	p.Ranges = bound.List{}
	key, arena := pl.roomBegin[:0], pl.roomRange[:0]
	for vals := range rows(pl.roomVals[:], pl.all) {
		var err error
		if key, err = pl.s.AppendRow(key[:0], layout.Row{Vals: vals}); err != nil {
			pl.mind(nil, err) // the error names its field
			continue
		}
		if !p.bucketsFit(key) {
			continue
		}
		if p.Ranges.Len() == 0 {
			p.Ranges = bound.NewList(count * (2*len(key) + 1))
		}
		var r bound.Range
		r, arena = bound.Append(arena[:0], key, exact)
		p.Ranges.Add(r)
	}
	return pl.settle(false)
}

// rows yields every combination of the fields' values. All share one slice, in room if it is large
// enough: the next combination overwrites it. Nothing is yielded if a field has no values.
func rows(room []layout.Val, all [][]layout.Val) iter.Seq[[]layout.Val] {
	return func(yield func([]layout.Val) bool) {
		vals := slices.Grow(room[:0], len(all))[:len(all)]
		at := make([]int, len(all))
		for i := range all {
			if len(all[i]) == 0 {
				return
			}
		}
		next := func(i int) bool {
			at[i] = bound.Next(at[i], len(all[i]))
			return at[i] > 0
		}
		for more := true; more; more = bound.Turn(len(all), next) {
			for i := range all {
				vals[i] = all[i][at[i]]
			}
			if !yield(vals) {
				return
			}
		}
	}
}
