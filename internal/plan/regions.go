package plan

import (
	"iter"

	"github.com/hbase-rowkey/rowkey/internal/bound"
)

// Regions yields what each region holds of the plan.
func (p *Plan) Regions(boundaries [][]byte) iter.Seq2[int, Plan] {
	cuts := bound.Cuts(boundaries)
	cut := p.SplitAt(cuts)
	if p.Refused() != nil { // for the first read to report
		return func(yield func(int, Plan) bool) { yield(0, *p) }
	}
	n := cut.Ranges.Len()
	regions := make([]int, n)
	for i := range n {
		regions[i] = bound.RegionOf(cuts, cut.Ranges.Start(i))
	}
	return func(yield func(int, Plan) bool) {
		for from := 0; from < n; {
			to := from + 1
			for to < n && regions[to] == regions[from] {
				to++
			}
			q := *p
			q.Ranges = cut.Ranges.Part(from, to)
			q.whole = p.whole && to-from == n // else other regions' rows are kept out
			if !yield(regions[from], q) {
				return
			}
			from = to
		}
	}
}
