package plan

import (
	"iter"

	"github.com/hbase-rowkey/rowkey/internal/bound"
)

// Regions yields what each region holds of the plan.
func (p *Plan) Regions(boundaries [][]byte) iter.Seq2[int, Plan] {
	cuts := bound.Cuts(boundaries)
	cut := p.SplitAt(cuts)
	ranges := cut.Ranges
	regions := make([]int, len(ranges))
	for i, r := range ranges {
		regions[i] = bound.RegionOf(cuts, r.Start)
	}
	return func(yield func(int, Plan) bool) {
		for from := 0; from < len(ranges); {
			to := from + 1
			for to < len(ranges) && regions[to] == regions[from] {
				to++
			}
			q := *p
			q.Ranges = ranges[from:to:to]
			q.whole = p.whole && to-from == len(ranges) // else other regions' rows are kept out
			if !yield(regions[from], q) {
				return
			}
			from = to
		}
	}
}
