package hbase_test

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"net"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/internal/thrift2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// numbered is n rows, which fails at row bad if that is not below 0.
func numbered(n, bad int, broken error) iter.Seq2[hbase.Row, error] {
	return func(yield func(hbase.Row, error) bool) {
		for i := range n {
			if i == bad {
				yield(hbase.Row{}, broken)
				return
			}
			if !yield(rowOf(fmt.Sprintf("r%06d", i)), nil) {
				return
			}
		}
	}
}

// Of each row one of three things is known: it is written, it may be, or it was
// never sent.
func TestPutBatches(t *testing.T) {
	const rows = 20_000
	for _, parallel := range []int{1, 4} {
		f := newFake(t)
		table := dial(t, f.addr).Table("t")
		var calls atomic.Int64
		f.on(func(_ string, conn net.Conn) {
			if calls.Add(1) == 9 {
				conn.Close()
			}
		})
		told := make([]string, rows)
		failed := 0
		for batch, err := range table.PutBatches(ctx, numbered(rows, -1, nil), parallel) {
			say := "written"
			if err != nil {
				say = "unsure"
				failed++
				assert.ErrorIs(t, err, hbase.ErrLost)
			}
			assert.Less(t, batch.From, batch.To)
			for i := batch.From; i < batch.To; i++ {
				assert.Empty(t, told[i], "told of twice")
				told[i] = say
			}
		}
		f.on(nil)
		assert.Positive(t, failed)
		assert.Eventually(t, func() bool { return f.now.Load() == 0 }, 10*time.Second, time.Millisecond)
		there := map[string]bool{}
		for _, key := range keysOf(t, table.Scan(ctx, rowkey.PrefixRange(nil))) {
			there[key] = true
		}
		count := map[string]int{}
		for i, say := range told {
			count[say]++
			key := fmt.Sprintf("r%06d", i)
			if say == "written" {
				require.True(t, there[key], "row %d", i)
			}
			if say == "" {
				require.False(t, there[key], "row %d was never sent", i)
			}
		}
		assert.Equal(t, failed*1000, count["unsure"])
		assert.GreaterOrEqual(t, count["written"], 8000-1000*(parallel-1))
		assert.Positive(t, count[""])
	}
}

// An error of the sequence is told, as that of a call; what is under way is told of, too.
func TestPutBatchesOfABrokenSequence(t *testing.T) {
	f := newFake(t)
	table := dial(t, f.addr).Table("t")
	broken := errors.New("the file broke off")
	written := 0
	var errs []error
	for batch, err := range table.PutBatches(ctx, numbered(9000, 4500, broken), 3) {
		if err != nil {
			assert.Equal(t, hbase.Sent{From: 4500, To: 4500}, batch)
			errs = append(errs, err)
			continue
		}
		written += batch.To - batch.From
	}
	require.Len(t, errs, 1)
	assert.ErrorIs(t, errs[0], broken)
	assert.EqualError(t, errs[0], "hbase: putMultiple t: row 4500: the file broke off")
	assert.Equal(t, 4000, written)
}

// Whatever ends the loop, no goroutine is left.
func TestPutAllLeavesNothing(t *testing.T) {
	f := newFake(t)
	c := dial(t, f.addr)
	table := c.Table("t")
	require.NoError(t, c.Ping(ctx))
	f.on(func(string, net.Conn) { time.Sleep(time.Millisecond) })
	before := runtime.NumGoroutine()
	for range 5 {
		assert.PanicsWithValue(t, "the sequence", func() {
			table.PutAll(ctx, func(yield func(hbase.Row, error) bool) {
				for i := range 5500 {
					yield(rowOf(fmt.Sprint(i)), nil)
				}
				panic("the sequence")
			}, 4)
		})
		assert.PanicsWithValue(t, "the loop", func() {
			for range table.PutBatches(ctx, numbered(9000, -1, nil), 4) {
				panic("the loop")
			}
		})
		for range table.PutBatches(ctx, numbered(9000, -1, nil), 4) {
			break
		}
	}
	c.Close()
	f.drop()
	assert.Eventually(t, func() bool { return runtime.NumGoroutine() <= before }, 10*time.Second, 10*time.Millisecond)
}

func TestChangesRefused(t *testing.T) {
	f := newFake(t)
	c := dial(t, f.addr)
	table := c.Table("t")
	f.took()
	a, b := rowOf("a"), rowOf("b")
	short := a
	short.TTL = time.Microsecond
	_, increment := table.Increment(ctx, []byte("n"))
	_, twice := table.Increment(ctx, []byte("n"), hbase.Count{Family: "f", N: 1}, hbase.Count{Family: "f", N: 2})
	_, nothing := table.Append(ctx, []byte("n"))
	_, less := table.CheckAndMutate(ctx, hbase.Check{Family: "f", Is: hbase.Less}, a)
	_, unknown := table.CheckAndMutate(ctx, hbase.Check{Family: "f", Is: 99, Value: []byte("x")}, a)
	_, versions := table.GetRows(ctx, [][]byte{a.Key}, hbase.Versions(0))
	_, times := table.CountRange(ctx, rowkey.PrefixRange(nil), hbase.TimeRange(time.UnixMilli(5), time.UnixMilli(5)))
	_, early := table.CountRange(ctx, rowkey.PrefixRange(nil), hbase.TimeRange(time.UnixMilli(-1), time.Time{}))
	_, fuzzy := table.GetRows(ctx, [][]byte{a.Key}, hbase.Fuzzy())
	for i, err := range []error{
		increment, twice, nothing, less, unknown, versions, times, early, fuzzy,
		table.Put(ctx, short),
		table.MutateRow(ctx),
		table.MutateRow(ctx, a, b),
		table.MutateRow(ctx, a, hbase.Deletion{Key: b.Key}),
		table.DeleteCells(ctx, hbase.Deletion{Key: a.Key, One: true}),
		table.DeleteCells(ctx, hbase.Deletion{Key: a.Key, Columns: []string{"f"}, One: true}),
		c.CreateTableOf(ctx, "u", nil),
		c.CreateTableOf(ctx, "u", nil, hbase.Family{}),
		c.CreateTableOf(ctx, "u", nil, hbase.Family{Name: "f", Versions: -1}),
		c.CreateTableOf(ctx, "u", nil, hbase.Family{Name: "f", BlockSize: math.MaxInt32 + 1}),
		c.CreateTableOf(ctx, "u", nil, hbase.Family{Name: "f", TTL: time.Millisecond}),
		c.CreateTableOf(ctx, "u", nil, hbase.Family{Name: "f", TTL: 1500 * time.Millisecond}),
		c.CreateTableOf(ctx, "u", nil, hbase.Family{Name: "f", TTL: math.MaxInt32 * time.Second}),
		c.CreateTableOf(ctx, "u", nil, hbase.Family{Name: "f", Compression: "ZIP"}),
		c.CreateTableOf(ctx, "u", nil, hbase.Family{Name: "f", Encoding: "ROT13"}),
		c.CreateTableOf(ctx, "u", nil, hbase.Family{Name: "f", Bloom: "no"}),
		c.CreateTableOf(ctx, "u", nil, hbase.Family{Name: "f", KeepDeleted: "perhaps"}),
	} {
		assert.ErrorIs(t, err, hbase.ErrArgument, i)
		var e *hbase.Error
		if assert.ErrorAs(t, err, &e, i) {
			assert.False(t, e.Retryable || e.Unsure, i)
		}
	}
	assert.EqualError(t, versions, "hbase: getMultiple t: not allowed: 0 versions: there is at least one")
	assert.EqualError(t, table.MutateRow(ctx, a, b), "hbase: mutateRow t: change 1: not allowed: another row than the first: the changes are of one")
	_, err := table.Increment(ctx, nil, hbase.Count{})
	assert.ErrorIs(t, err, rowkey.ErrLength)
	_, err = table.Append(ctx, nil, hbase.Cell{})
	assert.ErrorIs(t, err, rowkey.ErrLength)
	assert.ErrorIs(t, table.MutateRow(ctx, hbase.Row{}), rowkey.ErrLength)
	assert.ErrorIs(t, table.DeleteCells(ctx, hbase.Deletion{}), rowkey.ErrLength)
	assert.Empty(t, f.took())
}

// A deletion as it is sent: families and columns apart, each with the time.
func TestDeletionsSent(t *testing.T) {
	f := newFake(t)
	table := dial(t, f.addr).Table("t")
	at := time.UnixMilli(7)
	require.NoError(t, table.DeleteCells(ctx,
		hbase.Deletion{Key: []byte("a"), Time: at},
		hbase.Deletion{Key: []byte("b"), Columns: []string{"f:q", "g", "f:"}, Time: at},
		hbase.Deletion{Key: []byte("c"), Columns: []string{"f:q", "g"}, Time: at, One: true},
		hbase.Deletion{Key: []byte("d"), Columns: []string{"f:q"}, One: true},
		hbase.Deletion{Key: []byte("e")},
	))
	ms := int64(7)
	column := func(family string, qualifier []byte, stamp *int64) *thrift2.TColumn {
		return &thrift2.TColumn{Family: []byte(family), Qualifier: qualifier, Timestamp: stamp}
	}
	assert.Equal(t, []*thrift2.TDelete{
		{Row: []byte("a"), Timestamp: &ms, DeleteType: thrift2.TDeleteType_DELETE_COLUMNS},
		{Row: []byte("b"), Columns: []*thrift2.TColumn{column("g", nil, &ms)}, DeleteType: thrift2.TDeleteType_DELETE_FAMILY},
		{Row: []byte("b"), Columns: []*thrift2.TColumn{column("f", []byte("q"), &ms), column("f", []byte{}, &ms)}, DeleteType: thrift2.TDeleteType_DELETE_COLUMNS},
		{Row: []byte("c"), Columns: []*thrift2.TColumn{column("g", nil, &ms)}, DeleteType: thrift2.TDeleteType_DELETE_FAMILY_VERSION},
		{Row: []byte("c"), Columns: []*thrift2.TColumn{column("f", []byte("q"), &ms)}, DeleteType: thrift2.TDeleteType_DELETE_COLUMN},
		{Row: []byte("d"), Columns: []*thrift2.TColumn{column("f", []byte("q"), nil)}, DeleteType: thrift2.TDeleteType_DELETE_COLUMN},
		{Row: []byte("e"), DeleteType: thrift2.TDeleteType_DELETE_COLUMNS},
	}, f.deletes)
}

// What is counted is what is deleted, in calls of a bounded size; what fails is told
// with how many are gone, and a second call deletes the rest.
func TestDeleteByRangeAndPlan(t *testing.T) {
	f := newFake(t)
	table := dial(t, f.addr).Table("t")
	var keys [][]byte
	for i := range 3210 {
		e := eventAt(i)
		key, err := eventKeys.Append(nil, &e)
		require.NoError(t, err)
		keys = append(keys, key)
	}
	put := func() {
		n, err := table.PutAll(ctx, func(yield func(hbase.Row, error) bool) {
			for _, key := range keys {
				if !yield(hbase.Row{Key: key, Cells: rowOf("").Cells}, nil) {
					return
				}
			}
		}, 1)
		require.NoError(t, err)
		require.Equal(t, len(keys), n)
	}
	put()
	host := eventAt(7).Host
	plan, err := events.Scan(rowkey.Eq("host", host))
	require.NoError(t, err)
	want := 0
	for _, key := range keys {
		if plan.Match(key) {
			want++
		}
	}
	require.Positive(t, want)
	n, err := table.CountPlan(ctx, plan)
	require.NoError(t, err)
	assert.Equal(t, want, n)
	f.took()
	n, err = table.DeletePlan(ctx, plan.Limit(1))
	require.NoError(t, err)
	assert.Equal(t, 1, n)
	n, err = table.DeletePlan(ctx, plan)
	require.NoError(t, err)
	assert.Equal(t, want-1, n)
	n, err = table.CountPlan(ctx, plan)
	require.NoError(t, err)
	assert.Zero(t, n)

	_, err = table.DeleteRange(ctx, rowkey.PrefixRange(nil))
	require.ErrorIs(t, err, rowkey.ErrFullScan)
	all := rowkey.Must(rowkey.NewRange([]byte{0}, []byte{0xff}))
	n, err = table.CountRange(ctx, all)
	require.NoError(t, err)
	assert.Equal(t, len(keys)-want, n, "no other row")

	put()
	f.took()
	var deletes atomic.Int64
	f.on(func(call string, conn net.Conn) {
		if call == "deleteMultiple" && deletes.Add(1) == 3 {
			conn.Close()
		}
	})
	n, err = table.DeleteRange(ctx, all)
	assert.ErrorIs(t, err, hbase.ErrLost)
	assert.Equal(t, 2000, n)
	assert.Eventually(t, func() bool { return f.now.Load() == 0 }, 10*time.Second, time.Millisecond)
	n, err = table.DeleteRange(ctx, all)
	require.NoError(t, err)
	assert.Equal(t, len(keys)-3000, n)
	calls := slices.DeleteFunc(f.took(), func(call string) bool { return call != "deleteMultiple" })
	assert.Len(t, calls, 4)

	// Keys are counted by their bytes, too: of those that are gone, none is missed.
	long := func(i int) string { return fmt.Sprintf("%04d", i) + strings.Repeat("k", 32000) }
	n, err = table.PutAll(ctx, func(yield func(hbase.Row, error) bool) {
		for i := range 100 {
			if !yield(rowOf(long(i)), nil) {
				return
			}
		}
	}, 1)
	require.NoError(t, err)
	require.Equal(t, 100, n)
	deletes.Store(0)
	n, err = table.DeleteRange(ctx, all)
	assert.ErrorIs(t, err, hbase.ErrLost)
	assert.Eventually(t, func() bool { return f.now.Load() == 0 }, 10*time.Second, time.Millisecond)
	rest, err := table.DeleteRange(ctx, all)
	require.NoError(t, err)
	gone := 100 - n - rest // in the call that broke, and all the same was made
	assert.True(t, n == 2*gone && gone == 32, "%d, then %d", n, rest)
	n, err = table.DeleteRange(ctx, rowkey.Range{})
	require.NoError(t, err)
	assert.Zero(t, n)
}

func TestFamiliesSent(t *testing.T) {
	f := newFake(t)
	c := dial(t, f.addr)
	want := []hbase.Family{{Name: "a"}, {
		Name: "b", Versions: 3, MinVersions: 1, TTL: 36 * time.Hour, Compression: "SNAPPY", Encoding: "FAST_DIFF",
		Bloom: "ROWCOL", KeepDeleted: "TTL", BlockSize: 1 << 15, InMemory: true, Config: map[string]string{"x.y": "z", "SCOPE": "1"},
	}}
	require.NoError(t, c.CreateTableOf(ctx, "u", nil, want...))
	got, err := c.Families(ctx, "u")
	require.NoError(t, err)
	assert.Equal(t, want, got)
	require.NoError(t, c.CreateNamespace(ctx, "n"))
	require.NoError(t, c.DropNamespace(ctx, "n"))
	names, err := c.Namespaces(ctx)
	require.NoError(t, err)
	assert.Equal(t, []string{"default"}, names)
}
