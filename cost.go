package rowkey

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/fault"
)

// table is what is known of a table: its regions, and some of its rows.
type table struct {
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

// Cost estimates what the plan reads of a table.
func (p *queryPlan) Cost(t table) (cost, error) {
	switch {
	case len(t.Rows) != len(t.Splits)+1:
		return cost{}, p.s.ErrAt("", -1, &fault.Detail{Text: fmt.Sprintf("%d counts of rows for %d regions", len(t.Rows), len(t.Splits)+1), Reason: fault.ErrLength})
	case t.PerRequest < 1 || t.Request < 0:
		return cost{}, p.s.ErrAt("", -1, &fault.Detail{Text: fmt.Sprintf("%d rows a request of %v", t.PerRequest, t.Request), Reason: fault.ErrRange})
	}
	for i, k := range t.Splits {
		if i > 0 && bytes.Compare(t.Splits[i-1], k) >= 0 {
			return cost{}, p.s.ErrAt("", -1, &fault.Detail{Text: fmt.Sprintf("split %d does not lie behind the one before it", i), Reason: fault.ErrSplits})
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

// share is what one range of a plan holds of one region.
type share struct {
	of, region  int // their numbers
	keys        keyRange
	about, most float64 // rows
}

// shares are those of all ranges, in key order.
func (p *queryPlan) shares(splits [][]byte) []share {
	shares := make([]share, 0, len(p.ranges))
	for i, r := range p.ranges {
		for n := regionOf(splits, r.start); n <= len(splits); n++ {
			keys, some := r.meet(keysOf(splits, n))
			if !some {
				break
			}
			shares = append(shares, share{of: i, region: n, keys: keys})
		}
	}
	slices.SortStableFunc(shares, func(a, b share) int { return a.region - b.region })
	return shares
}

// keysOf is the keys of region n.
func keysOf(k [][]byte, n int) keyRange {
	r := keyRange{state: unbounded}
	if n > 0 {
		r.start = k[n-1]
	}
	if n < len(k) {
		r.stop, r.state = k[n], bounded
	}
	return r
}

// meet is the keys of both ranges; false if there are none.
func (r keyRange) meet(o keyRange) (keyRange, bool) {
	if bytes.Compare(o.start, r.start) > 0 {
		r.start = o.start
	}
	if o.state == bounded && (r.state == unbounded || bytes.Compare(o.stop, r.stop) < 0) {
		r.stop, r.state = o.stop, bounded
	}
	return r, r.state == unbounded || bytes.Compare(r.start, r.stop) < 0
}

// estimator gathers what the regions' shares come to.
type estimator struct {
	p      *queryPlan
	t      table
	sample [][]byte   // in order
	keys   [][]byte   // the only ones that the ranges can hold, in order; nil if that is not known
	every  []keyRange // which hold all keys that the schema has

	about, most cost
	total       float64 // rows, whatever the plan's limit
	stands      float64 // the most rows that one sample key stands for
	unknown     bool
}

func (p *queryPlan) estimator(t table) *estimator {
	e := &estimator{p: p, t: t, sample: t.Sample, every: []keyRange{{state: unbounded}}}
	if !slices.IsSortedFunc(e.sample, bytes.Compare) {
		e.sample = slices.SortedFunc(slices.Values(e.sample), bytes.Compare)
	}
	if p.exact {
		for key := range p.Keys() {
			if e.keys = append(e.keys, key); len(e.keys) > mostChoices {
				e.keys = nil
				break
			}
		}
		slices.SortFunc(e.keys, bytes.Compare)
	}
	var all queryPlan
	every := begin(&all, p.s)
	every.take(&condition{op: opFullScan})
	if every.finish() == nil {
		e.every = all.ranges
	}
	e.about.Rows, e.most.Rows = make([]int64, len(p.ranges)), make([]int64, len(p.ranges))
	return e
}

// region adds the shares that ranges have of one region.
func (e *estimator) region(shares []share) {
	n := float64(e.t.Rows[shares[0].region])
	region := keysOf(e.t.Splits, shares[0].region)
	all := float64(keysIn(e.sample, region))
	whole := covers(shares, e.every, region)
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
			parted = parted || e.p.limit > 0
		case shared:
			s.about = n / float64(len(shares))
			parted = parted || e.p.limit > 0
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
	calls := func(rows float64) int64 { return max(1, int64(math.Ceil(rows/float64(e.t.PerRequest)))) }
	for _, s := range shares {
		here := rows(s)
		if e.p.limit > 0 {
			here = min(here, float64(e.p.limit))
		}
		c.Rows[s.of] += int64(math.Round(here))
		sum += here
		requests += calls(here)
	}
	c.Regions++
	c.Total += int64(math.Round(min(sum, n)))
	c.Requests += min(requests, int64(len(shares)-1)+calls(n))
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
	if e.p.reversed {
		slices.Reverse(c.Rows)
	}
	at := int64(max(e.t.Parallel, 1))
	c.Time = time.Duration((c.Requests+at-1)/at) * e.t.Request
	return c
}

// keysIn is how many of some keys, which are in order, lie in a range.
func keysIn(keys [][]byte, r keyRange) int {
	from, _ := slices.BinarySearchFunc(keys, r.start, bytes.Compare)
	if r.state == unbounded {
		return len(keys) - from
	}
	to, _ := slices.BinarySearchFunc(keys, r.stop, bytes.Compare)
	return to - from
}

// covers reports that the shares of a region hold all of some ranges that lies in
// it; both are in key order.
func covers(shares []share, ranges []keyRange, region keyRange) bool {
	i := 0
	for _, r := range ranges {
		part, some := r.meet(region)
		for at := part.start; some; i++ {
			if i == len(shares) {
				return false
			}
			s := shares[i].keys
			if s.state == bounded && bytes.Compare(s.stop, at) <= 0 {
				continue
			}
			if bytes.Compare(s.start, at) > 0 {
				return false
			}
			if s.state == unbounded || part.state == bounded && bytes.Compare(s.stop, part.stop) >= 0 {
				break
			}
			at = s.stop
		}
	}
	return true
}
