package hbase_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/internal/cluster"
	"github.com/hbase-rowkey/rowkey/hbase/internal/cluster/shared"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// patient is a client that waits for what is mended by itself, however busy the
// machine is.
func patient(t *testing.T) *hbase.Client { return on(t, hbase.Timeout(4*time.Minute)) }

// manyEvents is a table of 16 buckets in 8 regions, its keys in Merge's order, and
// the plan of them all.
func manyEvents(t *testing.T, c *hbase.Client, rows int) (*hbase.Table, [][]byte, *rowkey.Plan) {
	splits, err := events.Splits(8)
	require.NoError(t, err)
	table := create(t, c, splits)
	keys := putEvents(t, table, 0, rows)
	plan, err := events.Scan(rowkey.FullScan())
	require.NoError(t, err)
	return table, keys, plan
}

// reader reads page by page, in the end every row of keys once and in order.
type reader struct {
	table *hbase.Table
	plan  *rowkey.Plan
	keys  [][]byte
	next  int // of keys
	token []byte
}

// page reads a page and calls between after a row of its middle. The error is
// that of the scan, whose rows so far count.
func (r *reader) page(t *testing.T, size int, between func()) error {
	plan := r.plan
	if r.token != nil {
		var err error
		plan, err = r.plan.Resume(r.token)
		require.NoError(t, err)
	}
	n := 0
	for row, err := range r.table.ScanPlan(ctx, plan.Limit(size), hbase.Batch(50), hbase.Parallel(4)) {
		if err != nil {
			return err
		}
		require.Less(t, r.next, len(r.keys), "a row too many: %x", row.Key)
		require.True(t, bytes.Equal(r.keys[r.next], row.Key), "row %d: %x in place of %x", r.next, row.Key, r.keys[r.next])
		r.next++
		r.token = plan.Token(row.Key)
		if n++; n == size/2 && between != nil {
			between()
		}
	}
	return nil
}

// kept has the servers' files hold what was written: a local file system, unlike
// HDFS, loses what a killed process had not passed on.
func kept(t *testing.T, s *shared.HBase, table *hbase.Table) {
	for _, name := range []string{table.Name(), "hbase:meta"} {
		_, err := s.Admin("flush", name)
		require.NoError(t, err)
	}
}

// A region server is killed in the middle of a page of a salted scan, between two
// calls of the server. Its regions find another one, and every row comes once.
func TestRegionServerKilled(t *testing.T) {
	s, c := shared.Alone(t), patient(t)
	table, keys, plan := manyEvents(t, c, 20_000)
	kept(t, s, table)
	regions, err := table.Regions(ctx)
	require.NoError(t, err)
	name, err := s.ServerAt(regions[0].Server)
	require.NoError(t, err)
	others := slices.IndexFunc(regions, func(r hbase.Region) bool { return r.Server != regions[0].Server })
	require.Positive(t, others, "all regions are on one server")

	r := reader{table: table, plan: plan, keys: keys}
	require.NoError(t, r.page(t, 5000, nil))
	require.NoError(t, r.page(t, 5000, func() { require.NoError(t, s.Kill(name)) }))
	for r.next < len(keys) {
		require.NoError(t, r.page(t, 5000, nil))
	}
	require.NoError(t, r.page(t, 5000, nil))
	assert.Equal(t, len(keys), r.next)

	after, err := table.Regions(ctx)
	require.NoError(t, err)
	for _, region := range after {
		assert.Equal(t, regions[others].Server, region.Server, "the other server has it now")
	}
	require.NoError(t, s.Restart(ctx, name))
}

// Regions are split and moved to the other server in the middle of a page.
func TestRegionSplitAndMoved(t *testing.T) {
	s, c := shared.Server(t), patient(t)
	table, keys, plan := manyEvents(t, c, 20_000)
	regions, err := table.Regions(ctx)
	require.NoError(t, err)
	require.Len(t, regions, 8)

	// The middle of the first region's second bucket, of the rows yet to be read.
	inBucket := slices.DeleteFunc(slices.Clone(keys), func(key []byte) bool { return key[0] != 1 })
	at := inBucket[len(inBucket)*3/4]
	admin := func(words ...string) {
		_, err := s.Admin(words...)
		require.NoError(t, err)
	}
	r := reader{table: table, plan: plan, keys: keys}
	require.NoError(t, r.page(t, 5000, func() { admin("split", table.Name(), hex.EncodeToString(at)) }))
	require.NoError(t, r.page(t, 5000, func() {
		admin("move", table.Name(), hex.EncodeToString(at)) // a half that the split made
		admin("move", table.Name(), "0500")
		admin("move", table.Name(), "0f00")
	}))
	for range 3 {
		require.NoError(t, r.page(t, 5000, nil))
	}
	assert.Equal(t, len(keys), r.next)

	after, err := table.Regions(ctx)
	require.NoError(t, err)
	require.Len(t, after, 9)
	assert.Equal(t, at, after[1].Start)
	serverOf := func(regions []hbase.Region, key []byte) string {
		i := slices.IndexFunc(regions, func(r hbase.Region) bool {
			return bytes.Compare(r.Start, key) <= 0 && (len(r.Stop) == 0 || bytes.Compare(key, r.Stop) < 0)
		})
		return regions[i].Server
	}
	for _, key := range [][]byte{{5, 0}, {15, 0}} {
		assert.NotEqual(t, serverOf(regions, key), serverOf(after, key), "%x", key)
	}
}

// The gateway is killed: between two pages, then in the middle of one. Each time
// the client says so, and once there is a gateway again the same client goes on
// after the last token.
func TestGatewayKilled(t *testing.T) {
	s, c := shared.Alone(t), patient(t)
	table, keys, plan := manyEvents(t, c, 5000)
	r := reader{table: table, plan: plan, keys: keys}
	require.NoError(t, r.page(t, 1000, nil))

	require.NoError(t, s.Kill(cluster.Socket))
	err := r.page(t, 1000, nil)
	assert.ErrorIs(t, err, hbase.ErrUnreachable)
	assert.ErrorContains(t, err, "hbase: getScannerResults "+table.Name()+" [")
	assert.ErrorContains(t, err, ": no server can be reached: ")
	assert.Equal(t, 1000, r.next, "no row of the page that failed")
	err = table.Put(ctx, rowOf("x"))
	assert.ErrorIs(t, err, hbase.ErrUnreachable)

	require.NoError(t, s.Restart(ctx, cluster.Socket))
	err = r.page(t, 2000, func() { require.NoError(t, s.Kill(cluster.Socket)) })
	// A dying gateway still takes connections for a moment, and breaks them.
	assert.True(t, errors.Is(err, hbase.ErrUnreachable) || errors.Is(err, hbase.ErrLost), "%v", err)
	at := r.next
	assert.Greater(t, at, 1000)
	assert.Less(t, at, 3000)
	assert.ErrorIs(t, r.page(t, 1000, nil), hbase.ErrUnreachable)
	assert.Equal(t, at, r.next, "no row of the page that failed")

	require.NoError(t, s.Restart(ctx, cluster.Socket))
	for range 5 {
		require.NoError(t, r.page(t, 1000, nil))
	}
	assert.Equal(t, len(keys), r.next)
}

// A writer adds rows while pages are read: those that were there come once each, in
// order, and of the new ones none comes twice.
func TestPagesWhileWritten(t *testing.T) {
	c := on(t)
	splits, err := events.Splits(8)
	require.NoError(t, err)
	table := create(t, c, splits)
	const before, added = 600, 600
	// Old and new rows lie between each other.
	old := func(i int) bool { return i%2 == 0 }
	var keys [][]byte
	_, err = table.PutAll(ctx, func(yield func(hbase.Row, error) bool) {
		for i := range before + added {
			if !old(i) {
				continue
			}
			e := eventAt(i)
			key, err := eventKeys.Append(nil, &e)
			keys = append(keys, key)
			if !yield(hbase.Row{Key: key, Cells: rowOf("").Cells}, err) {
				return
			}
		}
	}, 1)
	require.NoError(t, err)

	var wrote [][]byte
	done := make(chan error)
	go func() {
		for i := range before + added { // one by one, so that it takes a while
			if old(i) {
				continue
			}
			e := eventAt(i)
			key, err := eventKeys.Append(nil, &e)
			if err == nil {
				err = table.Put(ctx, hbase.Row{Key: key, Cells: rowOf("").Cells})
			}
			if err != nil {
				done <- err
				return
			}
			wrote = append(wrote, key)
		}
		done <- nil
	}()
	plan, err := events.Scan(rowkey.FullScan())
	require.NoError(t, err)
	var got [][]byte
	for page := plan; ; {
		n := 0
		for row, err := range table.ScanPlan(ctx, page.Limit(40), hbase.KeysOnly()) {
			require.NoError(t, err)
			got = append(got, row.Key)
			n++
		}
		if n < 40 {
			break
		}
		page, err = plan.Resume(plan.Token(got[len(got)-1]))
		require.NoError(t, err)
	}
	require.NoError(t, <-done)

	for i := 1; i < len(got); i++ {
		require.Negative(t, bytes.Compare(got[i-1][1:], got[i][1:]), "twice, or out of order: %x, %x", got[i-1], got[i])
	}
	came := map[string]bool{}
	for _, key := range got {
		came[string(key)] = true
	}
	for _, key := range keys {
		require.True(t, came[string(key)], "lost: %x", key)
		delete(came, string(key))
	}
	for _, key := range wrote {
		delete(came, string(key))
	}
	assert.Empty(t, came)
	t.Logf("%d rows came, %d of them new", len(got), len(got)-before)
}
