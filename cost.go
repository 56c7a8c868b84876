package rowkey

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"time"
)

// Table is what a caller knows of a table, for Plan.Cost.
type Table struct {
	Splits     SplitKeys     // the first keys of all regions but the first
	Rows       []int64       // rows of each region
	PerRequest int           // rows that one request brings: a scanner's caching
	Request    time.Duration // what one request takes
	Parallel   int           // requests in flight at once; below 1 it is 1
}

// Cost is what a plan is estimated to read, if a region's keys lie evenly
// between its bounds.
type Cost struct {
	Rows     []int64 // of each range, in the order of Ranges
	Total    int64
	Requests int64 // at least one for each range and region that it meets
	Time     time.Duration
}

// String is the cost in words.
func (c Cost) String() string {
	return fmt.Sprintf("about %d rows, %d requests, %v", c.Total, c.Requests, c.Time)
}

// Cost estimates what the plan reads from a table. There is a count of rows for
// every region, and a request brings at least one row, else the error wraps
// ErrLength or ErrRange.
func (p *Plan) Cost(t Table) (Cost, error) {
	switch {
	case len(t.Rows) != len(t.Splits)+1:
		return Cost{}, p.s.errAt("", -1, &detail{fmt.Sprintf("%d counts of rows for %d regions", len(t.Rows), len(t.Splits)+1), ErrLength})
	case t.PerRequest < 1 || t.Request < 0:
		return Cost{}, p.s.errAt("", -1, &detail{fmt.Sprintf("%d rows a request of %v", t.PerRequest, t.Request), ErrRange})
	}
	var c Cost
	for r := range p.Ranges() {
		rows := 0.0
		for i, n := range t.Rows {
			region := Range{state: unbounded}
			if i > 0 {
				region.start = t.Splits[i-1]
			}
			if i < len(t.Splits) {
				region.stop, region.state = t.Splits[i], bounded
			}
			if !r.meets(region) {
				continue
			}
			here := float64(n) * (region.place(r.stop, r.state == unbounded) - region.place(r.start, false))
			if p.limit > 0 {
				here = min(here, float64(p.limit))
			}
			rows += here
			c.Requests += max(1, int64(math.Ceil(here/float64(t.PerRequest))))
		}
		c.Rows = append(c.Rows, int64(math.Round(rows)))
		c.Total += int64(math.Round(rows))
	}
	at := int64(max(t.Parallel, 1))
	c.Time = time.Duration((c.Requests+at-1)/at) * t.Request
	return c, nil
}

// meets reports that two ranges share a key.
func (r Range) meets(o Range) bool {
	return (o.state == unbounded || bytes.Compare(r.start, o.stop) < 0) && (r.state == unbounded || bytes.Compare(o.start, r.stop) < 0)
}

// place is where a key, or the end of the table, lies between the bounds of a
// region, from 0 to 1.
func (r Range) place(key []byte, end bool) float64 {
	switch {
	case end || r.state == bounded && bytes.Compare(key, r.stop) >= 0:
		return 1
	case bytes.Compare(key, r.start) <= 0:
		return 0
	}
	n := 0 // bytes that both bounds begin with
	for r.state == bounded && n < len(r.start) && n < len(r.stop) && r.start[n] == r.stop[n] {
		n++
	}
	number := func(b []byte) float64 {
		var eight [8]byte
		copy(eight[:], b[min(n, len(b)):])
		return float64(binary.BigEndian.Uint64(eight[:]))
	}
	low, high := number(r.start), float64(math.MaxUint64)
	if r.state == bounded {
		high = number(r.stop)
	}
	if high <= low {
		return 0
	}
	return (number(key) - low) / (high - low)
}
