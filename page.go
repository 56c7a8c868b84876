package rowkey

import (
	"context"
	"math"
)

// Page reads one page through Merge, whose parallel, open and row it takes: the
// rows behind the place that token marks, as many as the plan's Limit, in the
// order of Merge. A nil or empty token is the beginning. A plan without a Limit is
// one page.
//
// next is the place behind the page's last row, for the call that reads the next
// page, and done says that there was no row behind it: this page is the last.
// To know that, one row more is read. A page behind the last one is no error: it
// is empty, done, and its next is the token that it was given, so that rows
// written later behind that place can be read from there.
//
// With an error there are no rows, next is the token that was given, and done is
// false: the same call may be made again. As Token's, next holds a row's key
// in clear text.
func Page[R any](ctx context.Context, p *Plan, token []byte, parallel int, open func(context.Context, Range) (Cursor[R], error), row func(R) []byte) (rows []R, next []byte, done bool, err error) {
	if p == nil {
		return nil, token, false, errNoPlan()
	}
	q := *p
	if len(token) > 0 {
		rest, err := p.Resume(token)
		if err != nil {
			return nil, token, false, err
		}
		q = *rest
	}
	size := q.in.Most
	if size == 0 || size == math.MaxInt {
		size = math.MaxInt
	} else {
		q.in.Most++
	}
	next, done = token, true
	for r, err := range Merge(ctx, &q, parallel, open, row) {
		switch {
		case err != nil:
			return nil, token, false, err
		case len(rows) == size: // the loop goes on to its end, which tells if a cursor failed to close
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
