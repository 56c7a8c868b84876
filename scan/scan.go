// Package scan reads the ranges of a plan by the caller's own client: as one list in the
// order of the keys without their salts, or page by page.
//
// It knows cursors and the order of rows, and no client: open gives the cursor of one
// range, whatever reads it. Which ranges a query has is the business of rowkey.Schema's
// Scan.
//
// Example: a table of [salt2(id)][id] has the rows 00 62, 01 61 and 01 63. Its two ranges,
// 00 and 01, come as 01 61, 00 62, 01 63: a, b, c.
package scan

import (
	"context"
	"iter"
	"math"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/inside"
	"github.com/hbase-rowkey/rowkey/internal/merge"
	"github.com/hbase-rowkey/rowkey/internal/plan"
)

// A Cursor is an open scan of one range, such as a client's scanner. gohbase's scanner
// is one as it is. Next gives the rows in the order of the scan, each once, and then
// io.EOF. A row must not change when the next one is asked for. The methods of one
// cursor are never called at the same time.
type Cursor[R any] interface {
	Next() (R, error)
	Close() error
}

// Merge reads the ranges of a plan and yields the rows that match. They come in the
// order of their keys without the salt: first by the key after its leading salts,
// hashes and Bucket fields, and then, if that is equal, by these. If the ranges leave
// one of these open, it stays in the key. A Reversed plan gives exactly the opposite
// order.
//
// open starts the scan of one range. If reversed is true, as it is for each range of a
// Reversed plan, it starts a reversed scan, with the bounds of rowkey.Range.Reversed. The
// context of open ends with the loop. row gives the key of a row. A row without a key (an
// empty result) is left out. A row outside the bounds of its scan is an error: row is
// wrong, or open reads something else. Of a reversed scan, a row within its bounds but
// outside the range is left out.
//
// Merge compares the first two rows of a scan before it yields the first. If they show
// that the scan runs in the wrong direction, this is an error. One row alone cannot show it.
//
// At most parallel calls of open and Next run at once. A number below one counts as
// one: then the loop makes each call itself, when its row is due. With more, ranges
// whose rows alternate, as those of buckets do, are opened together. The ranges after
// them are opened early. A cursor that makes the loop wait reads one row ahead; one
// that answers from memory is read by the loop.
//
// A plan with a Limit asks only for rows that may be due: the first two rows of each
// bucket, then the row after the one that the loop has now. A cursor waits while
// others are read, so let the client renew its lease.
//
// The first error ends the loop. If the context is done, it is the context's own
// error; else it is a *rowkey.Error that names the range and unwraps to the client's. A row
// that comes with an error is not yielded. A row that a cursor gives twice or out of
// order is an error. An error of Close comes after all rows. When the loop ends, even
// by a panic, every cursor has been closed once, and no goroutine is left.
func Merge[R any](ctx context.Context, p *rowkey.Plan, parallel int, open func(ctx context.Context, r rowkey.Range, reversed bool) (Cursor[R], error), row func(R) []byte) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		if p == nil {
			var none R
			yield(none, errNoPlan())
			return
		}
		in := inside.Plan(p)
		if in.Refused() != nil {
			var none R
			yield(none, in.S.ErrAt("", -1, in.Refused()))
			return
		}
		src := merge.Source[R]{
			Scans: scansOf(in), Reversed: in.IsReversed, Limit: in.Most, MaxKey: forms.MaxKey, Parallel: parallel,
			Open: func(ctx context.Context, i int) (merge.Cursor[R], error) {
				return open(ctx, p.Range(i), in.IsReversed)
			},
			Key:   row,
			Asked: in.Asked,
			Fail:  func(i int, f merge.Fault, err error) error { return faultOf(in, i, f, err) },
		}
		if !in.Exact {
			src.Match = p.Match
		}
		src.Rows(ctx, yield)
	}
}

// errNoPlan is the error of a reader that is given no plan.
func errNoPlan() error {
	return fault.Make("", "", -1, &fault.Detail{Text: "the plan is nil", Reason: fault.ErrMissing})
}

// scansOf is the plan's ranges as Merge reads them.
func scansOf(p *plan.Plan) []merge.Scan {
	scans := make([]merge.Scan, 0, p.Ranges.Len())
	for i, r := range p.Ranges.All() {
		scans = append(scans, merge.Scan{ID: i, Start: r.Start, Stop: r.Stop, Unbounded: r.State == bound.Unbounded, Lead: len(p.LeadOf(r))})
	}
	return scans
}

// faultOf is the error of a range that cannot be read.
func faultOf(p *plan.Plan, i int, f merge.Fault, err error) error {
	text := p.Ranges.At(i).String()
	switch f {
	case merge.Opening:
		text = "open " + text
	case merge.Reading:
		text = "next row of " + text
	case merge.Closing:
		text = "close " + text
	case merge.TooLong:
		text, err = "a row of "+text+" is too long", fault.ErrLength
	case merge.Disorder:
		text, err = "a row of "+text+" came twice or out of order", fault.ErrScan
	case merge.Backward:
		way := " come from the last to the first, but the plan is not reversed: open must start a forward scan if its argument reversed is false"
		if p.IsReversed {
			way = " come from the first to the last, but the plan is reversed: open must start a reversed scan if its argument reversed is true, with the bounds of Range.Reversed"
		}
		text, err = "the rows of "+text+way, fault.ErrScan
	case merge.Outside:
		text, err = "a row of "+text+" lies outside the bounds that open was given: what row gives is not its key, or open scans something else", fault.ErrScan
	}
	return p.S.ErrAt("", -1, &fault.Detail{Text: text, Reason: err})
}

// Page reads one page of a plan. parallel, open and row are as in Merge. The page
// begins after the place that token marks, and has as many rows as the plan's Limit,
// in the order of Merge. A nil or empty token is the beginning. A plan without a Limit
// is one page.
//
// next is the place after the page's last row: give it to the call that reads the
// next page. done says that no row follows, so this page is the last. To know that,
// Page reads one row more. A page after the last one is no error: it is empty and
// done, and its next is the token that was given. Rows that are written after that
// place later can be read from there.
//
// With an error there are no rows, next is the token that was given, and done is
// false: the same call may be made again. Like Plan.Token, next holds a row's key in clear
// text.
func Page[R any](ctx context.Context, p *rowkey.Plan, token []byte, parallel int, open func(ctx context.Context, r rowkey.Range, reversed bool) (Cursor[R], error), row func(R) []byte) (rows []R, next []byte, done bool, err error) {
	if p == nil {
		return nil, token, false, errNoPlan()
	}
	if len(token) > 0 {
		rest, err := p.Resume(token)
		if err != nil {
			return nil, token, false, err
		}
		p = rest
	}
	q := new(rowkey.Plan) // whose limit may be one more
	in := inside.Plan(q)
	*in = *inside.Plan(p)
	size := in.Most
	if size == 0 || size == math.MaxInt {
		size = math.MaxInt
	} else {
		in.Most++
	}
	next, done = token, true
	for r, err := range Merge(ctx, q, parallel, open, row) {
		switch {
		case err != nil:
			return nil, token, false, err
		case len(rows) == size: // the loop goes on to its end, which shows if a cursor failed to close
			done = false
		default:
			rows = append(rows, r)
		}
	}
	if len(rows) > 0 {
		next = p.Token(row(rows[len(rows)-1]))
	}
	return rows, next, done, nil
}
