package hbase

import (
	"context"
	"iter"

	"github.com/hbase-rowkey/rowkey"
)

// DeleteRange deletes the whole rows that Scan gives for the range and the options,
// such as FilterString, in calls of up to 1000 rows or about 1 MB of keys, and says how many the server has
// deleted. CountRange is the dry run. After an error it can be called again for the
// rest. The rows are deleted up to the server's time, or with ClientTime up to that of
// their call: one that is written anew between its being read and deleted may go, too.
//
// The whole table, which PrefixRange of no bytes is, is an error that wraps
// rowkey.ErrFullScan: DeletePlan deletes it, with a plan that FullScan permits.
func (t *Table) DeleteRange(ctx context.Context, r rowkey.Range, opts ...ScanOption) (deleted int, err error) {
	if r.Unbounded() && len(r.Start()) == 0 {
		return 0, t.refuse(scanCall, explain(rowkey.ErrFullScan, "DeleteRange of the whole table: DeletePlan takes a plan that FullScan permits"))
	}
	return t.deleteEach(ctx, t.Scan(ctx, r, keysOf(opts)...))
}

// DeletePlan is DeleteRange for the rows that ScanPlan gives, as the plan is limited.
// CountPlan is the dry run.
func (t *Table) DeletePlan(ctx context.Context, p *rowkey.Plan, opts ...ScanOption) (deleted int, err error) {
	return t.deleteEach(ctx, t.ScanPlan(ctx, p, keysOf(opts)...))
}

// CountRange counts the rows that Scan gives: those that DeleteRange would delete.
func (t *Table) CountRange(ctx context.Context, r rowkey.Range, opts ...ScanOption) (rows int, err error) {
	return count(t.Scan(ctx, r, keysOf(opts)...))
}

// CountPlan counts the rows that ScanPlan gives: those that DeletePlan would delete.
func (t *Table) CountPlan(ctx context.Context, p *rowkey.Plan, opts ...ScanOption) (rows int, err error) {
	return count(t.ScanPlan(ctx, p, keysOf(opts)...))
}

// keysOf are the options of a scan that needs no more than keys.
func keysOf(opts []ScanOption) []ScanOption {
	return append(opts[:len(opts):len(opts)], func(s *scanOpts) { s.keysOnly = s.filterString == "" })
}

func count(rows iter.Seq2[Row, error]) (n int, err error) {
	for _, err := range rows {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func (t *Table) deleteEach(ctx context.Context, rows iter.Seq2[Row, error]) (deleted int, err error) {
	var keys [][]byte
	size := 0
	flush := func() error {
		err := t.Delete(ctx, keys...) // in one call
		if err == nil {
			deleted += len(keys)
		}
		keys, size = keys[:0], 0
		return err
	}
	for r, err := range rows {
		if err != nil {
			return deleted, err
		}
		if len(keys) == batchRows || len(keys) > 0 && size+len(r.Key) > batchBytes {
			if err := flush(); err != nil {
				return deleted, err
			}
		}
		keys = append(keys, r.Key)
		size += len(r.Key)
	}
	err = flush()
	return deleted, err
}
