package laws

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/scan"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What the package comment says that it does not promise, held: who builds on less
// than is written there would find out in production.

// After a copy that the query leaves open no range is narrow: what is asked of the
// field after it is left to Match.
func TestNotTightBehindAnOpenCopy(t *testing.T) {
	s := rowkey.New("s").
		Uint("user", 2).
		Copy("day", "at", rowkey.Days).
		Uint("kind", 1).
		Time("at", rowkey.Seconds).
		MustBuild()
	other, err := s.AppendKey(nil, 7, 9, time.Unix(86400*3+7, 0))
	require.NoError(t, err)

	plan, err := s.Scan(rowkey.Eq("user", 7), rowkey.Eq("kind", 8)) // equalities on a prefix of the fields
	require.NoError(t, err)
	assert.False(t, plan.Exact())
	assert.Equal(t, 1, lawCovering(slices.Collect(plan.Ranges()), other))
	assert.False(t, plan.Match(other))

	plan, err = s.Scan(rowkey.Eq("user", 7), rowkey.Eq("kind", 8), rowkey.Eq("at", time.Unix(86400*3+7, 0))) // the copy is known
	require.NoError(t, err)
	assert.True(t, plan.Exact())
	assert.Zero(t, lawCovering(slices.Collect(plan.Ranges()), other))
}

// After a salt or hash of more than 1024 values that the query leaves open the
// ranges are those before it, unless MaxRanges permits one for each.
func TestNotTightBehindManyOpenValues(t *testing.T) {
	s := rowkey.New("s").
		Uint("user", 2).
		Hash(rowkey.MD5.Raw(2), "kind").
		Uint("kind", 1).
		Uint("n", 4).
		MustBuild()
	other, err := s.AppendKey(nil, 7, 200, 1)
	require.NoError(t, err)
	conds := []rowkey.Cond{rowkey.Eq("user", 7), rowkey.Span("kind", 1, 100)} // too many for a list
	plan, err := s.Scan(conds...)
	require.NoError(t, err)
	assert.Equal(t, 1, plan.Len())
	assert.False(t, plan.Exact())
	assert.Equal(t, 1, lawCovering(slices.Collect(plan.Ranges()), other))

	plan, err = s.Scan(append(conds, rowkey.MaxRanges(1<<16))...)
	require.NoError(t, err)
	assert.True(t, plan.Exact())
	assert.Zero(t, lawCovering(slices.Collect(plan.Ranges()), other))

	// With nothing in front it is refused.
	s = rowkey.New("s").Hash(rowkey.MD5.Raw(2), "kind").Uint("kind", 1).Uint("n", 4).MustBuild()
	_, err = s.Scan(rowkey.Span("kind", 1, 100))
	assert.ErrorIs(t, err, rowkey.ErrManyRanges)
}

// Merge leaves out of its order the leads that the ranges fix: of a later one that
// is left open the rows come in its order first. FullScan with more buckets than
// MaxRanges joins them, and the rows come in the order of their keys.
func TestMergeOrderOfLeadsLeftOpen(t *testing.T) {
	s := rowkey.New("s").
		Salt(2, "user").
		Uint("slot", 1, rowkey.Below(4), rowkey.Bucket).
		Uint("n", 1).
		Uint("user", 1).
		MustBuild()
	var rows [][]byte
	for user := range 8 {
		for slot := range 4 {
			for n := range 3 {
				key, err := s.AppendKey(nil, slot, 3*user+n, user)
				require.NoError(t, err)
				rows = append(rows, key)
			}
		}
	}
	slices.SortFunc(rows, bytes.Compare)
	read := func(conds ...rowkey.Cond) (plan *rowkey.Plan, keys [][]byte) {
		plan, err := s.Scan(conds...)
		require.NoError(t, err)
		open := func(_ context.Context, r rowkey.Range, _ bool) (scan.Cursor[[]byte], error) {
			return &sliceCursor{slices.DeleteFunc(slices.Clone(rows), func(key []byte) bool { return !r.Contains(key) })}, nil
		}
		for key, err := range scan.Merge(context.Background(), plan, 1, open, func(key []byte) []byte { return key }) {
			require.NoError(t, err)
			keys = append(keys, key)
		}
		return plan, keys
	}
	inOrder := func(keys [][]byte, from int) bool {
		return slices.IsSortedFunc(keys, func(a, b []byte) int { return bytes.Compare(a[from:], b[from:]) })
	}

	plan, keys := read(rowkey.LessThan("n", 20)) // both leads are listed, since something after them is asked for
	assert.Equal(t, 8, plan.Len())
	assert.True(t, inOrder(keys, 2), "without salt and slot")

	plan, keys = read(rowkey.Eq("user", 3), rowkey.MaxRanges(2)) // four slots are too many, and left open
	assert.Equal(t, 1, plan.Len(), plan)
	assert.True(t, inOrder(keys, 1), "without the salt: %x", keys)
	assert.False(t, inOrder(keys, 2), "the slot comes first: %x", keys)

	plan, keys = read(rowkey.FullScan())
	assert.Equal(t, 8, plan.Len())
	assert.True(t, inOrder(keys, 2))

	// What FullScan permits, it need not change: of a salt that stands between others, as without it.
	between := rowkey.Must(rowkey.Parse("t", "[salt2(q) modulo][p:1 below(2) bucket][salt2(q)][q:1]"))
	for _, conds := range [][]rowkey.Cond{{rowkey.Eq("p", 0)}, {rowkey.Eq("p", 0), rowkey.FullScan()}} {
		plan, err := between.Scan(conds...)
		require.NoError(t, err)
		assert.Equal(t, 2, plan.Len())
		var order []string
		for f := range plan.OrderedBy() {
			order = append(order, f.Name)
		}
		assert.Equal(t, []string{"salt2", "q"}, order)
	}

	plan, keys = read(rowkey.FullScan(), rowkey.MaxRanges(1))
	assert.Equal(t, 1, plan.Len())
	assert.Len(t, keys, len(rows))
	assert.True(t, inOrder(keys, 0), "joined, in the order of the keys")
	assert.False(t, inOrder(keys, 1))
}

// A Range's bytes are its own and its plan's: what is appended to them goes elsewhere.
// Those of an empty one are new each time.
func TestRangeBytesAreApart(t *testing.T) {
	s := rowkey.New("s").Salt(4, "b").Uint("a", 2).Uint("b", 2).MustBuild()
	plan, err := s.Scan(rowkey.Eq("a", 7))
	require.NoError(t, err)
	before := fmt.Sprint(plan)
	for r := range plan.Ranges() {
		_ = append(r.Start(), 0xee, 0xee, 0xee, 0xee)
		_ = append(r.Stop(), 0xee, 0xee, 0xee, 0xee)
	}
	assert.Equal(t, before, fmt.Sprint(plan))
	var none rowkey.Range
	none.Start()[0], none.Stop()[0] = 1, 1
	assert.Equal(t, []byte{0xff}, none.Start())
	assert.Equal(t, []byte{0x00}, none.Stop())
	for r := range plan.Ranges() {
		start, stop, _ := r.Reversed()
		start[0], stop[0] = 0xee, 0xee
	}
	assert.Equal(t, before, fmt.Sprint(plan), "the bounds of a reversed scan are in new bytes")
}
