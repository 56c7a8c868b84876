package advice

import (
	"fmt"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/inside"
	words "github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/plan"
)

// Table is what a caller knows of a table, for CostOf.
type Table struct {
	Splits     rowkey.SplitKeys // the first keys of all regions but the first
	Rows       []int64          // rows of each region
	Sample     [][]byte         // keys of rows, each row of a region as likely as another, in any order; may be nil
	PerRequest int              // rows that one request brings: a scanner's caching
	Request    time.Duration    // what one request takes
	Parallel   int              // requests in flight at once; below 1 it is 1
}

// Cost is what a plan reads, as an estimate. If Unknown is true, the figures are the
// most that it can read.
type Cost struct {
	Rows     []int64 // of each range, in the order of Plan.Ranges; rougher than the Total
	Total    int64
	Regions  int   // that the ranges meet
	Requests int64 // at least one for each range and region that it meets
	Time     time.Duration
	Unknown  bool // how many rows lie in the ranges is not known
}

// String is the cost in words.
func (c Cost) String() string {
	if c.Unknown {
		return fmt.Sprintf("rows not known: %s in %s, at most %s, %s, %v",
			words.Plural(len(c.Rows), "range"), words.Plural(c.Regions, "region"), words.Plural(c.Total, "row"), words.Plural(c.Requests, "request"), c.Time)
	}
	return fmt.Sprintf("about %s, %s, %v", words.Plural(c.Total, "row"), words.Plural(c.Requests, "request"), c.Time)
}

// CostOf estimates what a plan reads from a table. If the plan reads all keys of a
// region, it counts the region's rows. A complete key counts as one row. For a part of
// a region it counts the share of the region's sample keys that lie in that part.
// Unknown is true if such a region has no sample keys, or if all rows together are
// fewer than 20 sample keys stand for. An estimate is nearly always within a factor of
// two. A sum that is too large for its type is the largest number of that type.
//
// The keys from which Schema.SplitsOf made the splits are a sample. Rows has a count for
// every region, else the error wraps rowkey.ErrLength. No count is negative, and
// PerRequest is at least 1; else it wraps rowkey.ErrRange. The splits ascend; else it
// wraps rowkey.ErrSplits.
func CostOf(p *rowkey.Plan, t Table) (Cost, error) {
	c, err := inside.Plan(p).Cost(plan.Table{Splits: t.Splits, Rows: t.Rows, Sample: t.Sample, PerRequest: t.PerRequest, Request: t.Request, Parallel: t.Parallel})
	return Cost(c), err
}
