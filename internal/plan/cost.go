package plan

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// Table is what is known of a table: its regions, and some of its rows.
type Table struct {
	Splits     [][]byte
	Rows       []int64
	Sample     [][]byte
	PerRequest int
	Request    time.Duration
	Parallel   int
}

// cost is an estimate.
type cost struct {
	Rows     []int64
	Total    int64
	Regions  int
	Requests int64
	Time     time.Duration
	Unknown  bool
}

// fewSamples is how many rows of a sample make an estimate: with 20 it is wrong by
// more than a factor of two in about one of 300 cases.
const fewSamples = 20

// share is what one range of a plan holds of one region.
type share struct {
	of, region  int // their numbers
	keys        bound.Range
	about, most float64 // rows
}

// estimator gathers what the regions' shares come to.
type estimator struct {
	p      *Plan
	t      Table
	sample [][]byte   // in order
	keys   [][]byte   // the only ones that the ranges can hold, in order; nil if that is not known
	every  bound.List // which hold all keys that the schema has

	about, most cost
	total       float64 // rows, whatever the plan's limit
	stands      float64 // the most rows that one sample key stands for
	unknown     bool
}

// region adds the shares that ranges have of one region.
func (e *estimator) region(shares []share) {
	n := float64(e.t.Rows[shares[0].region])
	region := bound.KeysOf(e.t.Splits, shares[0].region)
	all := float64(keysIn(e.sample, region))
	whole := covers(shares, &e.every, region)
	shared := whole && len(shares) > 1
	parted, sum := false, 0.0
	for i := range shares {
		s := &shares[i]
		s.about, s.most = n, n
		if len(e.keys) > 0 {
			s.most = min(n, float64(keysIn(e.keys, s.keys)))
		}
		switch {
		case n == 0 || whole && !shared:
		case n <= all: // the sample is all rows
			s.about = n * float64(keysIn(e.sample, s.keys)) / all
			s.most = s.about
		case shared && all > 0: // their sum is known
			s.about = n * float64(keysIn(e.sample, s.keys)) / all
			parted = parted || e.p.Most > 0
		case shared:
			s.about = n / float64(len(shares))
			parted = parted || e.p.Most > 0
		case s.most == 0, len(e.keys) == 1:
			s.about = s.most
		default:
			s.about = s.most
			if all > 0 {
				s.about = min(n*float64(keysIn(e.sample, s.keys))/all, s.most)
			}
			parted = true
		}
		sum += s.about
	}
	if e.unknown = e.unknown || parted && all == 0; parted && all > 0 {
		e.stands = max(e.stands, n/all)
	}
	e.total += sum
	e.about.add(e, shares, func(s share) float64 { return s.about })
	e.most.add(e, shares, func(s share) float64 { return s.most })
}

// add adds the rows and requests of a region's shares.
func (c *cost) add(e *estimator, shares []share, rows func(share) float64) {
	n, sum, requests := float64(e.t.Rows[shares[0].region]), 0.0, int64(0)
	calls := func(rows float64) int64 { return max(1, whole(math.Ceil(rows/float64(e.t.PerRequest)))) }
	for _, s := range shares {
		here := rows(s)
		if e.p.Most > 0 {
			here = min(here, float64(e.p.Most))
		}
		c.Rows[s.of] = plus(c.Rows[s.of], whole(math.Round(here)))
		sum += here
		requests = plus(requests, calls(here))
	}
	c.Regions++
	c.Total = plus(c.Total, whole(math.Round(min(sum, n))))
	c.Requests = plus(c.Requests, min(requests, plus(int64(len(shares)-1), calls(n))))
}

// cost is what it all comes to.
func (e *estimator) cost() cost {
	c := e.about
	if e.unknown || e.total < fewSamples*e.stands {
		c = e.most
		c.Unknown = true
	}
	if len(c.Rows) == 0 {
		return cost{}
	}
	if e.p.IsReversed {
		slices.Reverse(c.Rows)
	}
	at := int64(max(e.t.Parallel, 1))
	turns := c.Requests / at
	if c.Requests%at > 0 {
		turns++
	}
	if c.Time = math.MaxInt64; e.t.Request == 0 || turns <= math.MaxInt64/int64(e.t.Request) {
		c.Time = time.Duration(turns) * e.t.Request
	}
	return c
}

// whole is a number of rows or requests, at most MaxInt64: of 2⁶³ it is that.
func whole(n float64) int64 {
	if n >= math.MaxInt64 { // as a float64 that is 2⁶³
		return math.MaxInt64
	}
	return int64(n)
}

// plus is a sum of rows or requests, at most MaxInt64.
func plus(a, b int64) int64 {
	if b > 0 && a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// keysIn is how many of some keys, which are in order, lie in a range.
func keysIn(keys [][]byte, r bound.Range) int {
	from, _ := slices.BinarySearchFunc(keys, r.Start, bytes.Compare)
	if r.State == bound.Unbounded {
		return len(keys) - from
	}
	to, _ := slices.BinarySearchFunc(keys, r.Stop, bytes.Compare)
	return to - from
}

// covers reports that the shares of a region hold all of some ranges that lies in
// it; both are in key order.
func covers(shares []share, ranges *bound.List, region bound.Range) bool {
	i := 0
	for _, r := range ranges.All() {
		part, some := r.Meet(region)
		for at := part.Start; some; i++ {
			if i == len(shares) {
				return false
			}
			s := shares[i].keys
			if s.State == bound.Bounded && bytes.Compare(s.Stop, at) <= 0 {
				continue
			}
			if bytes.Compare(s.Start, at) > 0 {
				return false
			}
			if s.State == bound.Unbounded || part.State == bound.Bounded && bytes.Compare(s.Stop, part.Stop) >= 0 {
				break
			}
			at = s.Stop
		}
	}
	return true
}

// Cost estimates what the plan reads of a table.
func (p *Plan) Cost(t Table) (cost, error) {
	switch {
	case p.S == nil: // the zero Plan reads nothing
		return cost{}, nil
	case len(t.Rows) != len(t.Splits)+1:
		return cost{}, p.S.ErrAt("", -1, &fault.Detail{Text: fmt.Sprintf("%d counts of rows for %d regions", len(t.Rows), len(t.Splits)+1), Reason: fault.ErrLength})
	case t.PerRequest < 1 || t.Request < 0:
		return cost{}, p.S.ErrAt("", -1, &fault.Detail{Text: fmt.Sprintf("%d rows a request of %v", t.PerRequest, t.Request), Reason: fault.ErrRange})
	}
	for i, n := range t.Rows {
		if n < 0 {
			return cost{}, p.S.ErrAt("", -1, &fault.Detail{Text: fmt.Sprintf("%d rows in region %d", n, i), Reason: fault.ErrRange})
		}
	}
	for i, k := range t.Splits {
		if i > 0 && bytes.Compare(t.Splits[i-1], k) >= 0 {
			return cost{}, p.S.ErrAt("", -1, &fault.Detail{Text: fmt.Sprintf("split %d is not above the one before it", i), Reason: fault.ErrSplits})
		}
	}
	e := p.estimator(t)
	shares := p.shares(t.Splits)
	for len(shares) > 0 {
		n := 1
		for n < len(shares) && shares[n].region == shares[0].region {
			n++
		}
		e.region(shares[:n])
		shares = shares[n:]
	}
	return e.cost(), nil
}

// shares are those of all ranges, in key order.
func (p *Plan) shares(splits [][]byte) []share {
	shares := make([]share, 0, p.Ranges.Len())
	for i, r := range p.Ranges.All() {
		for n := bound.RegionOf(splits, r.Start); n <= len(splits); n++ {
			keys, some := r.Meet(bound.KeysOf(splits, n))
			if !some {
				break
			}
			shares = append(shares, share{of: i, region: n, keys: keys})
		}
	}
	slices.SortStableFunc(shares, func(a, b share) int { return a.region - b.region })
	return shares
}

// estimator prepares the estimate of what the plan reads of a table.
func (p *Plan) estimator(t Table) *estimator {
	e := &estimator{p: p, t: t, sample: t.Sample}
	e.every.Add(bound.Range{State: bound.Unbounded})
	if !slices.IsSortedFunc(e.sample, bytes.Compare) {
		e.sample = slices.SortedFunc(slices.Values(e.sample), bytes.Compare)
	}
	if p.Exact {
		for key := range p.Keys() {
			if e.keys = append(e.keys, key); len(e.keys) > query.MostChoices {
				e.keys = nil
				break
			}
		}
		slices.SortFunc(e.keys, bytes.Compare)
	}
	var all Plan
	every := Begin(&all, p.S)
	if _, err := every.Finish(every.Take(&query.Cond{Op: query.OpFullScan})); err == nil {
		e.every = all.Ranges
	}
	e.about.Rows, e.most.Rows = make([]int64, p.Ranges.Len()), make([]int64, p.Ranges.Len())
	return e
}
