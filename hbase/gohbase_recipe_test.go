package hbase_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/scan"

	"github.com/hbase-rowkey/rowkey/hbase/internal/gohbase"
	"github.com/hbase-rowkey/rowkey/hbase/internal/gohbase/filter"
	"github.com/hbase-rowkey/rowkey/hbase/internal/gohbase/hrpc"
)

// The recipe of docs/gohbase.md, which has gohbase's own packages in place of these shapes.

var events = rowkey.New("events").
	Salt(16, "host").
	Time("at", rowkey.Millis, rowkey.Desc).
	String("host").
	MustBuild()

type event struct {
	Host string    `rowkey:"host"`
	At   time.Time `rowkey:"at"`
}

var eventKeys = rowkey.Must(rowkey.Bind[event](events))

// A gohbase scanner is a cursor as it is.
var _ scan.Cursor[*hrpc.Result] = hrpc.Scanner(nil)

// rowKey is the key of a result. One without cells has none: Merge passes it over.
func rowKey(r *hrpc.Result) []byte {
	if r == nil || len(r.Cells) == 0 {
		return nil
	}
	return r.Cells[0].Row
}

// readPlan reads a plan, in the order of the keys without their salt.
func readPlan(ctx context.Context, client gohbase.Client, table string, plan *rowkey.Plan) iter.Seq2[*hrpc.Result, error] {
	open := func(ctx context.Context, r rowkey.Range, reversed bool) (scan.Cursor[*hrpc.Result], error) {
		start, stop := r.Start(), r.Stop()
		options := []func(hrpc.Call) error{
			hrpc.NumberOfRows(1000),              // in one answer
			hrpc.RenewInterval(20 * time.Second), // a cursor waits while others are read
		}
		if reversed {
			start, stop, _ = r.Reversed()
			options = append(options, hrpc.Reversed())
		} else if f := fuzzyFilter(plan); f != nil {
			options = append(options, hrpc.Filters(f))
		}
		request, err := hrpc.NewScanRange(ctx, []byte(table), start, stop, options...)
		if err != nil {
			return nil, err
		}
		return client.Scan(request), nil
	}
	return scan.Merge(ctx, plan, 8, open, rowKey)
}

// firstRows is what the README shows.
func firstRows(ctx context.Context, client gohbase.Client, plan *rowkey.Plan, token []byte) ([]*hrpc.Result, []byte, bool, error) {
	open := func(ctx context.Context, r rowkey.Range, reversed bool) (scan.Cursor[*hrpc.Result], error) {
		start, stop, options := r.Start(), r.Stop(), []func(hrpc.Call) error{}
		if reversed {
			start, stop, _ = r.Reversed()
			options = append(options, hrpc.Reversed())
		}
		request, err := hrpc.NewScanRange(ctx, []byte("events"), start, stop, options...)
		if err != nil {
			return nil, err
		}
		return client.Scan(request), nil
	}
	rows, token, done, err := scan.Page(ctx, plan.Limit(20), token, 4, open, rowKey)
	return rows, token, done, err
}

// fuzzyFilter is the plan's FuzzyRowFilter, or nil where it has none.
func fuzzyFilter(plan *rowkey.Plan) filter.Filter {
	var pairs []*filter.BytesBytesPair
	for key, mask := range plan.Fuzzy() {
		pairs = append(pairs, filter.NewBytesBytesPair(key, mask))
	}
	if pairs == nil {
		return nil
	}
	return filter.NewFuzzyRowFilter(pairs)
}

// putBatch writes events of one table in one batch. Each key has memory of its
// own, since gohbase keeps the slice and may send it after the call has timed out.
func putBatch(ctx context.Context, client gohbase.Client, table string, events []event) error {
	batch := make([]hrpc.Call, len(events))
	for i := range events {
		key, err := eventKeys.Append(nil, &events[i])
		if err != nil {
			return err
		}
		cells := map[string]map[string][]byte{"f": {"host": []byte(events[i].Host)}}
		if batch[i], err = hrpc.NewPut(ctx, []byte(table), key, cells); err != nil {
			return err
		}
	}
	results, ok := client.SendBatch(ctx, batch)
	if ok {
		return nil
	}
	var failed []error
	for i, r := range results {
		if r.Error != nil {
			failed = append(failed, fmt.Errorf("row %d: %w", i, r.Error))
		}
	}
	return errors.Join(failed...)
}

// readRanges reads a plan of many narrow ranges, not reversed, in one scan: in the order
// of the keys with their salt, and without the plan's limit.
func readRanges(ctx context.Context, client gohbase.Client, table string, plan *rowkey.Plan) iter.Seq2[*hrpc.Result, error] {
	return func(yield func(*hrpc.Result, error) bool) {
		var first, last rowkey.Range
		var ranges []*filter.RowRange
		for r := range plan.Ranges() { // in key order
			if ranges == nil {
				first = r
			}
			last = r
			ranges = append(ranges, filter.NewRowRange(r.Start(), r.Stop(), true, false))
		}
		if ranges == nil {
			return
		}
		request, err := hrpc.NewScanRange(ctx, []byte(table), first.Start(), last.Stop(),
			hrpc.NumberOfRows(1000), hrpc.Filters(filter.NewMultiRowRangeFilter(ranges)))
		if err != nil {
			yield(nil, err)
			return
		}
		scanner := client.Scan(request)
		defer scanner.Close()
		for {
			r, err := scanner.Next()
			switch {
			case err == io.EOF:
				return
			case err == nil && !plan.Match(rowKey(r)): // the ranges may hold more than the plan asks for
				continue
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}
