package rowkey

import (
	"bytes"
	"iter"
	"slices"
)

// Regions yields, region by region from the first on, what one region holds of
// the plan: the region's number and a Plan of its own, for a goroutine a region.
// boundaries are what SplitAt takes, such as SplitKeys: region 0 lies below the
// lowest that is not empty, region i from the i-th of them in key order on, as
// SplitKeys.Region counts. A region that holds nothing of the plan is left out;
// together the regions' plans hold exactly the ranges of SplitAt.
//
// Each is read as the plan is. That of a Reversed plan is Reversed, but the
// regions still come from the first on. Limit counts in each region: the plan's
// first n rows are among the first n of every region. To go on after a token of
// the plan, resume the plan and take the Regions of what is left; a token of the
// last row that was read of a region resumes that region's plan alone.
func (p *Plan) Regions(boundaries [][]byte) iter.Seq2[int, *Plan] {
	cuts := cutsOf(boundaries)
	ranges := p.SplitAt(cuts).ranges
	regions := make([]int, len(ranges))
	for i, r := range ranges {
		regions[i] = SplitKeys(cuts).Region(r.start)
	}
	return func(yield func(int, *Plan) bool) {
		for from := 0; from < len(ranges); {
			to := from + 1
			for to < len(ranges) && regions[to] == regions[from] {
				to++
			}
			q := *p
			q.ranges = ranges[from:to:to]
			q.whole = p.whole && to-from == len(ranges) // else other regions' rows are kept out
			if !yield(regions[from], &q) {
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
