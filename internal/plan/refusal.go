package plan

import (
	"fmt"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// fullScan says why a query reads the whole table, and what would answer it.
func (pl *Planner) fullScan() error {
	p := pl.p
	var open *layout.Component // the first field that the ranges leave open
	for i := p.stop; i < len(pl.s.Comps) && open == nil; i++ {
		if c := &pl.s.Comps[i]; c.Role == layout.RoleField && !c.Absent {
			open = c
		}
	}
	if p.stop < len(pl.s.Comps) {
		if q := p.bucketed(&pl.s.Comps[p.stop]); q != nil && q.k.Narrow {
			n := q.count()
			for i := range pl.ways {
				n *= pl.ways[i].n
			}
			pl.need = n
			return pl.s.ErrAt(q.c.Name, -1, &fault.Detail{Text: fmt.Sprintf("%.0f ranges, one for each of its buckets; at most %d", n, pl.max), Reason: fault.ErrManyRanges})
		}
	}
	if open == nil {
		return pl.s.ErrAt("", -1, &fault.Detail{Text: "the conditions leave all values of the salts, hashes and copies; FullScan() permits it", Reason: fault.ErrFullScan})
	}
	if open.Index == p.stop && pl.narrow[open.Ord] {
		why := whyUnsortedBy(open, p.con(open.Ord))
		return pl.s.ErrAt(open.Name, -1, &fault.Detail{Text: why + ", FullScan() permits it", Reason: fault.ErrFullScan})
	}
	if pl.narrow[open.Ord] { // as where a copy comes before it that the query does not fix
		first := &pl.s.Comps[p.stop]
		return pl.s.ErrAt(open.Name, -1, &fault.Detail{Text: fmt.Sprintf("the conditions on it do not fix %s, which comes before it in the key; a layout in which %s comes first answers this, FullScan() permits it", first.Name, open.Name), Reason: fault.ErrFullScan})
	}
	for _, c := range pl.s.Fields {
		switch {
		case !pl.narrow[c.Ord] || c == open:
		case c.Absent:
			return pl.s.ErrAt(open.Name, -1, &fault.Detail{Text: fmt.Sprintf("no condition fixes it, and it comes first in the key; a layout that stores %s before it answers this, FullScan() permits it", c.Name), Reason: fault.ErrFullScan})
		default:
			return pl.s.ErrAt(open.Name, -1, &fault.Detail{Text: fmt.Sprintf("no condition fixes it, and it comes before %[1]s in the key; a layout in which %[1]s comes first answers this, FullScan() permits it", c.Name), Reason: fault.ErrFullScan})
		}
	}
	for _, q := range p.buckets() {
		if q.k.Narrow {
			return pl.s.ErrAt(open.Name, -1, &fault.Detail{Text: fmt.Sprintf("no condition fixes it, and it comes before %s in the key; FullScan() permits it", q.c.Name), Reason: fault.ErrFullScan})
		}
	}
	return pl.s.ErrAt(open.Name, -1, &fault.Detail{Text: "no condition fixes it or any other field; FullScan() permits it", Reason: fault.ErrFullScan})
}

// whyUnsortedBy says why a condition on a field is no range of its stored bytes.
func whyUnsortedBy(c *layout.Component, k *query.Constraint) string {
	if query.OfCopy(k) {
		return "its stored bytes do not show what the condition on its copy asks; a layout in which the copy comes first answers this"
	}
	if len(k.Ends()) > 0 {
		return "its stored bytes do not begin with a Suffix; a layout that stores it reversed answers this"
	}
	return "its stored bytes do not sort as it does (" + bound.WhyUnsorted(c) + "); a layout that stores it in its order answers this"
}
