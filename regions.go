package rowkey

import (
	"bytes"
	"iter"
	"slices"
)

// Regions yields what each region holds of the plan.
func (p *queryPlan) Regions(boundaries [][]byte) iter.Seq2[int, queryPlan] {
	cuts := cutsOf(boundaries)
	cut := p.SplitAt(cuts)
	ranges := cut.ranges
	regions := make([]int, len(ranges))
	for i, r := range ranges {
		regions[i] = regionOf(cuts, r.start)
	}
	return func(yield func(int, queryPlan) bool) {
		for from := 0; from < len(ranges); {
			to := from + 1
			for to < len(ranges) && regions[to] == regions[from] {
				to++
			}
			q := *p
			q.ranges = ranges[from:to:to]
			q.whole = p.whole && to-from == len(ranges) // else other regions' rows are kept out
			if !yield(regions[from], q) {
				return
			}
			from = to
		}
	}
}

// cutsOf is the boundaries in order, each of them once, without the empty one.
func cutsOf(boundaries [][]byte) [][]byte {
	cuts := make([][]byte, 0, len(boundaries))
	for _, b := range boundaries {
		if len(b) > 0 {
			cuts = append(cuts, b)
		}
	}
	slices.SortFunc(cuts, bytes.Compare)
	return slices.CompactFunc(cuts, bytes.Equal)
}
