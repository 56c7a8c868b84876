package rowkey

import (
	"fmt"
	"iter"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/plan"
)

// Plan is what a query reads: ranges in key order, and what they leave
// undecided. It is immutable and safe for concurrent use.
type Plan struct{ in plan.Plan }

// Scan plans a query. It refuses what would read the whole table, or too many
// ranges, unless FullScan or MaxRanges allows it. Conditions that no row of the
// schema meets give a plan without ranges and no error: Plan.String says why.
func (s *Schema) Scan(conds ...Cond) (*Plan, error) {
	p := new(Plan)
	pl := plan.Begin(&p.in, &s.in)
	for i := range conds {
		pl.Take(&conds[i].in)
	}
	if err := pl.Finish(); err != nil {
		return nil, err
	}
	return p, nil
}

// Exact reports that every row of the schema in the ranges matches, so that
// Match need not be called.
func (p *Plan) Exact() bool { return p.in.Exact }

// Len is the number of ranges.
func (p *Plan) Len() int { return len(p.in.Ranges) }

// Ranges yields the ranges, never an empty one, in the order in which they are
// read; an empty plan yields nothing.
func (p *Plan) Ranges() iter.Seq[Range] {
	return func(yield func(Range) bool) {
		for r := range p.in.All() {
			if !yield(Range{r}) {
				return
			}
		}
	}
}

// Match tests one row against the whole query. What is no key of the schema
// does not match: nor does a key with another salt, hash or copy than its fields
// give or, where a field is not stored, than the values give that the conditions
// name. A key of a Loose layout with more than one reading matches if one of them
// does, since a row is not to be lost. A key that a step of the caller's panics on
// does not match; Decode gives the error.
func (p *Plan) Match(key []byte) bool { return p.in.Match(key) }

// Keys yields the candidate keys of a query that fixes every field, or leaves
// open fields of few values: one, or one for each of those values. A query that
// leaves more open has none. A key that a step of the caller's refuses or panics on
// is left out; AppendKey of its values gives the error.
func (p *Plan) Keys() iter.Seq[[]byte] { return p.in.Keys() }

// Fuzzy yields pairs for HBase's FuzzyRowFilter, a key and its mask (0 fixed, 1
// any), if the query fixes something behind what it leaves open: rows between
// are then skipped by the server. It yields none where the filter could not
// help, never a mask that is all fixed (servers from 2.4.18 on take that for
// every row), and never loses a row of the query.
func (p *Plan) Fuzzy() iter.Seq2[[]byte, []byte] { return p.in.Fuzzy() }

// String explains the plan: its ranges, how each component is read, and what
// the ranges leave to Match, and why. It begins with "the whole table" where they
// keep no row out.
func (p *Plan) String() string { return p.in.String() }

// Limit is the plan of the first n rows, of the last n if it is Reversed: Merge
// stops there and asks no cursor for more than it must. A limit can only become
// lower; with none left there is nothing to read.
func (p *Plan) Limit(n int) *Plan { return &Plan{p.in.Limit(n)} }

// Reversed is the same plan read from the last key to the first. Its ranges are
// the same: Range.Reversed has the bounds as a reversed scan wants them.
func (p *Plan) Reversed() *Plan { return &Plan{p.in.Reversed()} }

// IsReversed reports that the plan is read from the last key to the first: what
// opens a scan for Merge has to know.
func (p *Plan) IsReversed() bool { return p.in.IsReversed }

// Token marks the place after row; it says nothing about the ranges, so it
// cannot widen a query. One token is the place in every bucket: the next page
// is Merge over the Resume of the same query, whatever was written meanwhile.
// It holds the row's key in clear text: whoever is given a token can read the
// key's values. It is neither encrypted nor signed. Page makes tokens and resumes.
func (p *Plan) Token(row []byte) []byte { return p.in.Token(row) }

// Place is the row's key that a token holds, which marks the place behind that row.
// A damaged token, one of another layout and an empty one are errors. The key lies
// in the token.
func (p *Plan) Place(token []byte) (row []byte, err error) { return p.in.Place(token) }

// Resume is the part of the plan after a token of the same schema, in the
// direction in which the plan is read. Limit counts anew. A damaged token, one of
// another layout and an empty one are errors.
func (p *Plan) Resume(token []byte) (*Plan, error) {
	rest, err := p.in.Resume(token)
	if err != nil {
		return nil, err
	}
	return &Plan{rest}, nil
}

// SplitAt cuts the ranges at region boundaries, so that each piece is read by
// one region, all at the same time. The boundaries may come in any order, twice,
// and with the empty one that a table begins with; Merge's order stays as it is.
// Regions gives each region a plan of its own.
func (p *Plan) SplitAt(boundaries [][]byte) *Plan { return &Plan{p.in.SplitAt(boundaries)} }

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
	parts := p.in.Regions(boundaries)
	return func(yield func(int, *Plan) bool) {
		for region, part := range parts {
			if !yield(region, &Plan{part}) {
				return
			}
		}
	}
}

// Compare says which of two keys Merge gives first: it is negative if that is a,
// positive if it is b, and 0 if they are equal. A Reversed plan gives the opposite.
//
// With the schema [salt16(seller)][seller]['_'][order:8] and a plan of all rows, the
// key of the seller "a" comes before that of "b", whatever their salts are.
func (p *Plan) Compare(a, b []byte) int { return p.in.Compare(a, b) }

// OrderedBy yields the components that decide Merge's order, the first of them
// first: those behind the leading salts, hashes and Bucket fields, and then the
// Bucket fields. Constants are left out, and so is what the conditions fix to one
// value, with the salts, hashes and copies of it.
//
// With the schema [salt16(seller)][seller]['_'][max-ms(at)][order:8] and the condition
// Eq("seller", "s-42") these are at and order.
func (p *Plan) OrderedBy() iter.Seq[FieldInfo] {
	return func(yield func(FieldInfo) bool) {
		for c := range p.in.OrderedBy() {
			if !yield(infoOf(p.in.S, c)) {
				return
			}
		}
	}
}

// Table is what a caller knows of a table, for Plan.Cost.
type Table struct {
	Splits     SplitKeys     // the first keys of all regions but the first
	Rows       []int64       // rows of each region
	Sample     [][]byte      // keys of rows, each row of a region as likely as another, in any order; may be nil
	PerRequest int           // rows that one request brings: a scanner's caching
	Request    time.Duration // what one request takes
	Parallel   int           // requests in flight at once; below 1 it is 1
}

// Cost is what a plan is estimated to read. Where that is Unknown, the figures
// are the most that it can read.
type Cost struct {
	Rows     []int64 // of each range, in the order of Ranges; rougher than the Total
	Total    int64
	Regions  int   // that the ranges meet
	Requests int64 // at least one for each range and region that it meets
	Time     time.Duration
	Unknown  bool // nothing tells how many rows lie in the ranges
}

// String is the cost in words.
func (c Cost) String() string {
	if c.Unknown {
		return fmt.Sprintf("rows not known: %s in %s, at most %d rows, %d requests, %v",
			layout.Plural(len(c.Rows), "range"), layout.Plural(c.Regions, "region"), c.Total, c.Requests, c.Time)
	}
	return fmt.Sprintf("about %d rows, %d requests, %v", c.Total, c.Requests, c.Time)
}

// Cost estimates what the plan reads from a table. Bytes do not tell where rows
// lie, so it counts what is known: a region of which the plan reads all keys has the
// region's rows, a complete key has one row. Of a part of a region it reads the share
// of the region's sample keys that lie in that part. Where such a region has no
// sample keys, or all rows come to fewer than 20 sample keys stand for, Unknown is
// true. An estimate is nearly always within a factor of two.
//
// The keys that SplitsOf made the splits of are a sample. There is a count of
// rows for every region, and a request brings at least one row, else the error wraps
// ErrLength or ErrRange; the splits ascend, else it wraps ErrSplits.
func (p *Plan) Cost(t Table) (Cost, error) {
	c, err := p.in.Cost(plan.Table{Splits: t.Splits, Rows: t.Rows, Sample: t.Sample, PerRequest: t.PerRequest, Request: t.Request, Parallel: t.Parallel})
	return Cost(c), err
}
