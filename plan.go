package rowkey

import (
	"cmp"
	"iter"
	"sync/atomic"

	"github.com/hbase-rowkey/rowkey/internal/inside"
	"github.com/hbase-rowkey/rowkey/internal/plan"
	"github.com/hbase-rowkey/rowkey/internal/query"
	"github.com/hbase-rowkey/rowkey/internal/walk"
)

// Plan is what a query reads: ranges in key order, and what Match must test. It is
// immutable and safe for concurrent use. The zero Plan is empty: it has no ranges, no row
// matches, and it has no tokens.
type Plan struct {
	planned
	tests atomic.Pointer[tests] // since Match was first called
}

// planned holds the plan, which packages scan and advice read too.
type planned = inside.InPlan

func (p *Plan) in() *plan.Plan { return inside.OfPlan(&p.planned) }

// tests is what Match asks of a key; a schema may have none.
type tests struct{ of *walk.Tests }

// Scan plans a query. A query that reads the whole table, or too many ranges, is
// refused, unless FullScan or MaxRanges allows it. If no row of the schema can meet
// the conditions, the plan has no ranges, and there is no error: Plan.String says why. But a
// lower end above an upper end is an error, in a Span as in AtLeast and LessThan.
func (s *Schema) Scan(conds ...Cond) (*Plan, error) {
	p := new(Plan)
	made := inside.OfPlan(&p.planned)
	made.Walk = inside.OfSchema(&s.reading)
	pl := plan.Begin(made, &s.in)
	var err error
	for i := 0; i < len(conds) && err == nil; i++ {
		err = pl.Take(&conds[i].in)
	}
	mayCross, err := pl.Finish(err)
	if mayCross {
		all := make([]query.Cond, len(conds)) // copies: conds stays with the caller
		for i := range conds {
			all[i] = conds[i].in
		}
		err = cmp.Or(query.Crossed(&s.in, all), err)
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Exact reports that every row of the schema in the ranges matches, so that
// Match need not be called.
func (p *Plan) Exact() bool { return p.in().Exact }

// Len is the number of ranges.
func (p *Plan) Len() int { return p.in().Ranges.Len() }

// Ranges yields the ranges, never an empty one, in the order in which they are
// read; an empty plan yields nothing.
func (p *Plan) Ranges() iter.Seq[Range] {
	return func(yield func(Range) bool) {
		for r := range p.in().All() {
			if !yield(Range{r}) {
				return
			}
		}
	}
}

// Range is the range number i of Ranges, from 0 to Len − 1. Of any other number it is empty and
// reads nothing, as Range(0) of a plan without ranges.
func (p *Plan) Range(i int) Range { return Range{inside.OfPlan(&p.planned).RangeAt(i)} } // by p.in it is not inlined

// Match tests one row against the whole query. These do not match:
//
//   - What is no key of the schema.
//   - A key whose salt, hash or copy is not the one that its fields give. For a field
//     that is not stored, the conditions' values count.
//   - A key on which a step of the caller's panics. Decode gives the error.
//
// A key of a Loose layout may have more than one reading. It matches if one of them
// does, so that no row is lost.
func (p *Plan) Match(key []byte) bool {
	if t := p.tests.Load(); t != nil && t.of != nil { // here: a call less
		if match, known := t.of.Match(key); known {
			return match
		}
	}
	return p.match(key)
}

// match is Match for a key that package layout must judge, and for the first one.
func (p *Plan) match(key []byte) bool {
	if p.tests.Load() == nil {
		p.tests.Store(&tests{p.in().Tests()})
		return p.Match(key)
	}
	return p.in().Match(key)
}

// Keys yields all keys that can match, if the query fixes every field, or leaves open
// only fields of few values: one key, or one for each of those values. A query that
// leaves more open, or more than 65536 combinations of values, has none. A key that a
// step of the caller's refuses or panics on is left out; AppendKey of its values gives the
// error.
func (p *Plan) Keys() iter.Seq[[]byte] { return p.in().Keys() }

// Fuzzy yields pairs for HBase's FuzzyRowFilter: a key, and a mask of the same length,
// with 0 for a fixed byte and 1 for any byte. With this filter the server skips rows
// between those that can match. No row of the query is lost.
//
// There are pairs only if the query fixes something after what it leaves open. A mask
// is never all fixed, because servers from 2.4.18 on let every row pass such a mask.
func (p *Plan) Fuzzy() iter.Seq2[[]byte, []byte] { return p.in().Fuzzy() }

// String explains the plan: its ranges, how each component is read, what is left to
// Match, and why. It begins with "the whole table" if the ranges leave out no row.
func (p *Plan) String() string { return p.in().String() }

// Limit is the plan of the first n rows; if it is Reversed, of the last n. scan.Merge stops
// there, and asks no cursor for more than it must. A second Limit can only make n
// smaller. With n below 1 the plan has no ranges, and scan.Merge and scan.Page give an error.
func (p *Plan) Limit(n int) *Plan { return &Plan{planned: inside.Planned(p.in().Limit(n))} }

// Reversed is the same plan, read from the last key to the first. Its ranges are the
// same. Range.Reversed gives their bounds for a reversed scan.
func (p *Plan) Reversed() *Plan { return &Plan{planned: inside.Planned(p.in().Reversed())} }

// IsReversed reports that the plan is read from the last key to the first. scan.Merge gives
// it to open.
func (p *Plan) IsReversed() bool { return p.in().IsReversed }

// Token marks the place after row. It holds no ranges, so it cannot widen a query.
// One token is the place in all buckets: the next page is scan.Merge of the same query's
// Resume, even if rows were written meanwhile.
//
// A token holds the row's key in clear text, neither encrypted nor signed: whoever has
// the token can read the key's values. scan.Page makes tokens and resumes.
func (p *Plan) Token(row []byte) []byte { return p.in().Token(row) }

// Place gives the row's key that a token holds; the token marks the place after that
// row. A token that is damaged, empty or of another layout is an error. The key is not
// copied: it lies in the memory of the token.
func (p *Plan) Place(token []byte) (row []byte, err error) { return p.in().Place(token) }

// Resume is the rest of the plan after a token of the same schema, in the direction
// in which the plan is read. Its Limit counts only the rows of the rest. A token that
// is damaged, empty or of another layout is an error.
func (p *Plan) Resume(token []byte) (*Plan, error) {
	rest, err := p.in().Resume(token)
	if err != nil {
		return nil, err
	}
	return &Plan{planned: inside.Planned(rest)}, nil
}

// SplitAt cuts the ranges at region boundaries, so that one region reads each piece.
// All pieces can then be read at the same time. The boundaries may come in any order
// and more than once. The empty boundary, with which a table begins, may be among
// them. The order of scan.Merge does not change. Regions gives each region a plan of its
// own.
func (p *Plan) SplitAt(boundaries [][]byte) *Plan {
	return &Plan{planned: inside.Planned(p.in().SplitAt(boundaries))}
}

// Regions yields, for each region, its number and a Plan of what it holds of this
// plan. So each region can have a goroutine. boundaries are those of SplitAt, such as
// SplitKeys. Region 0 lies below the lowest boundary that is not empty. Region i
// begins at the i-th of them in key order, as SplitKeys.Region counts. A region that
// holds nothing of the plan is left out. Together the regions' plans hold exactly the
// ranges of SplitAt.
//
// The plans of a Reversed plan are Reversed, but the regions still come from the first
// to the last. Limit counts in each region: the plan's first n rows are among the
// first n of every region.
//
// To go on after a token of the plan, resume the plan, and take the Regions of the
// rest. To go on in one region only, resume that region's plan with the token of the
// last row that was read of it.
func (p *Plan) Regions(boundaries [][]byte) iter.Seq2[int, *Plan] {
	parts := p.in().Regions(boundaries)
	return func(yield func(int, *Plan) bool) {
		for region, part := range parts {
			if !yield(region, &Plan{planned: inside.Planned(part)}) {
				return
			}
		}
	}
}

// Compare says which of two keys scan.Merge gives first: it is negative if that is a,
// positive if it is b, and 0 if they are equal. A Reversed plan gives the opposite.
//
// With the schema [salt16(seller)][seller]['_'][order:8] and a plan of all rows, the
// key of the seller "a" comes before that of "b", whatever their salts are.
func (p *Plan) Compare(a, b []byte) int { return p.in().Compare(a, b) }

// OrderedBy yields the components that decide the order of scan.Merge, the most important
// first. These are the components after the leading salts, hashes and Bucket fields,
// and then the Bucket fields. A leading salt or hash is one of them if it is computed
// from a field that is not stored, or from a Bucket field after it: [salt4(slot)] in
// [salt4(slot)][slot:1 below(4) bucket][x:1]. Constants are left out. So is what the
// conditions fix to one value, with its salts, hashes and copies.
//
// With the schema [salt16(seller)][seller]['_'][max-ms(at)][order:8] and the condition
// Eq("seller", "s-42") these are at and order.
func (p *Plan) OrderedBy() iter.Seq[FieldInfo] {
	return func(yield func(FieldInfo) bool) {
		for c := range p.in().OrderedBy() {
			if !yield(infoOf(p.in().S, c)) {
				return
			}
		}
	}
}
