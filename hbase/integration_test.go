package hbase_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/internal/cluster/shared"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var tables atomic.Int64

// create makes a table of a new name, with the family f.
func create(t *testing.T, c *hbase.Client, splits rowkey.SplitKeys) *hbase.Table {
	name := fmt.Sprintf("t%d", tables.Add(1))
	require.NoError(t, c.CreateTable(ctx, name, splits, "f"))
	return c.Table(name)
}

// The same calls and the same errors over both gateways.
func TestServer(t *testing.T) {
	s := shared.Server(t)
	for _, addr := range []string{s.Socket, s.HTTP + "/"} {
		t.Run(addr, func(t *testing.T) {
			var opts []hbase.Option
			if addr != s.Socket { // which HBase passes over, as any HTTP server does
				opts = append(opts, hbase.AccessKey(secretID, secretKey))
			}
			c := dial(t, addr, opts...)
			table := create(t, c, rowkey.SplitKeys{{'b'}, {'c'}})
			regions, err := table.Regions(ctx)
			require.NoError(t, err)
			require.Len(t, regions, 3)
			assert.Equal(t, []byte("b"), regions[0].Stop)
			assert.Equal(t, []byte("b"), regions[1].Start)
			assert.Empty(t, regions[2].Stop)
			_, err = s.ServerAt(regions[0].Server)
			assert.NoError(t, err)

			at := time.UnixMilli(1700000000000)
			put := hbase.Row{Key: []byte("b1"), Cells: []hbase.Cell{
				{Family: "f", Qualifier: "n", Value: []byte{0, 1, 0xff}, Time: at},
				{Family: "f", Qualifier: "o"},
			}}
			require.NoError(t, table.Put(ctx, put))
			r, found, err := table.Get(ctx, put.Key)
			require.NoError(t, err)
			require.True(t, found)
			assert.Equal(t, []byte("b1"), r.Key)
			assert.Equal(t, []byte{0, 1, 0xff}, r.Value("f", "n"))
			assert.True(t, r.Cells[0].Time.Equal(at))
			assert.WithinDuration(t, time.Now(), r.Cells[1].Time, time.Hour)
			r, found, err = table.Get(ctx, put.Key, "f:o")
			require.NoError(t, err)
			assert.True(t, found && len(r.Cells) == 1)
			_, found, err = table.Get(ctx, []byte("b2"))
			require.NoError(t, err)
			assert.False(t, found)

			require.NoError(t, table.Put(ctx, rowOf("a")))
			require.NoError(t, table.Put(ctx, rowOf("c")))
			assert.Equal(t, []string{"a", "b1", "c"}, keysOf(t, table.Scan(ctx, rowkey.PrefixRange(nil))))
			assert.Equal(t, []string{"c", "b1", "a"}, keysOf(t, table.Scan(ctx, rowkey.PrefixRange(nil), hbase.Reversed())))
			assert.Equal(t, []string{"b1"}, keysOf(t, table.Scan(ctx, rowkey.PrefixRange(nil), hbase.Columns("f:o"))))
			assert.Equal(t, []string{"c"}, keysOf(t, table.Scan(ctx, rowkey.PrefixRange(nil),
				hbase.FilterString("ValueFilter(=,'binary:vc')"))))
			for r, err := range table.Scan(ctx, rowkey.PrefixRange([]byte("b")), hbase.KeysOnly()) {
				require.NoError(t, err)
				assert.Equal(t, hbase.Row{Key: []byte("b1")}, r)
			}
			all, err := table.GetAll(ctx, [][]byte{[]byte("c"), []byte("nope"), []byte("a")})
			require.NoError(t, err)
			require.Len(t, all, 2)
			assert.Equal(t, "c", string(all[0].Key))
			require.NoError(t, table.Delete(ctx, []byte("a"), []byte("b1"), []byte("nope")))
			assert.Equal(t, []string{"c"}, keysOf(t, table.Scan(ctx, rowkey.PrefixRange(nil))))

			// Right before a region's first key, where a reversed scan passes.
			edge := "b" + strings.Repeat("\xff", 20)
			require.NoError(t, table.Put(ctx, rowOf(edge)))
			assert.Equal(t, []string{"c", edge}, keysOf(t, table.Scan(ctx, rowkey.PrefixRange(nil), hbase.Reversed())))
			require.NoError(t, table.Delete(ctx, []byte(edge)))

			longest := bytes.Repeat([]byte("k"), 32767)
			require.NoError(t, table.Put(ctx, hbase.Row{Key: longest, Cells: rowOf("").Cells}))
			_, found, err = table.Get(ctx, longest)
			require.NoError(t, err)
			assert.True(t, found)
			assert.Equal(t, []string{"c", string(longest)}, keysOf(t, table.Scan(ctx, rowkey.PrefixRange(nil), hbase.Batch(1))))
			assert.Equal(t, []string{string(longest), "c"}, keysOf(t, table.Scan(ctx, rowkey.PrefixRange(nil), hbase.Batch(1), hbase.Reversed())))
		})
	}
}

// A reversed scan of a server, by Range.Reversed: it reads the rows of the range,
// and where the bounds are exact no other; where they are not, at most the row
// that is its start.
func TestServerReversedBounds(t *testing.T) {
	server := shared.Server(t)
	c := dial(t, server.Socket)
	numbers := rowkey.New("numbers").Uint("id", 1).MustBuild()
	pairs := rowkey.New("pairs").String("a", rowkey.Chars("xyz")).Separator("_").Uint("n", 2).MustBuild()
	texts := rowkey.New("texts").String("a").MustBuild()
	made := map[string]*hbase.Table{} // of a schema and rows
	for _, q := range []struct {
		s     *rowkey.Schema
		rows  [][]any
		conds []rowkey.Cond
		want  int
		exact bool
	}{
		{numbers, nil, []rowkey.Cond{rowkey.LessThan("id", 5), rowkey.AtLeast("id", 2)}, 3, true},
		{numbers, nil, []rowkey.Cond{rowkey.LessThan("id", 5)}, 5, true},
		{numbers, nil, []rowkey.Cond{rowkey.AtLeast("id", 250)}, 6, true},
		{pairs, [][]any{{"x", 0}, {"x", 65535}, {"xx", 1}, {"y", 7}, {"z", 0}}, []rowkey.Cond{rowkey.Eq("a", "x")}, 2, true},
		{pairs, [][]any{{"x", 0}, {"x", 65535}, {"xx", 1}, {"y", 7}, {"z", 0}}, []rowkey.Cond{rowkey.Prefix("a", "x")}, 3, true},
		{pairs, [][]any{{"x", 0}, {"x", 65535}, {"y", 7}, {"y", 8}, {"z", 0}}, []rowkey.Cond{rowkey.Eq("a", "y"), rowkey.LessThan("n", 8)}, 1, true},
		{texts, [][]any{{"a"}, {"b"}, {"b\xff\xff"}, {"bz"}, {"c"}, {"d"}}, []rowkey.Cond{rowkey.Prefix("a", "b")}, 3, false},
		{texts, [][]any{{"a"}, {"b"}, {"b\x00"}, {"c"}}, []rowkey.Cond{rowkey.Eq("a", "b")}, 1, true},
	} {
		rows := q.rows
		for id := 0; q.s == numbers && id < 256; id++ {
			rows = append(rows, []any{id})
		}
		var keys [][]byte
		for _, row := range rows {
			key, err := q.s.AppendKey(nil, row...)
			require.NoError(t, err)
			keys = append(keys, key)
		}
		of := fmt.Sprint(q.s, rows)
		table := made[of]
		if table == nil {
			table = create(t, c, nil)
			made[of] = table
			_, err := table.PutAll(ctx, func(yield func(hbase.Row, error) bool) {
				for _, key := range keys {
					if !yield(rowOf(string(key)), nil) {
						return
					}
				}
			}, 1)
			require.NoError(t, err)
		}
		plan, err := q.s.Scan(q.conds...)
		require.NoError(t, err)
		for r := range plan.Reversed().Ranges() {
			start, stop, exact := r.Reversed()
			assert.Equal(t, q.exact, exact, "%v", r)
			got, err := table.KeysBetween(ctx, start, stop)
			require.NoError(t, err)
			if !exact && len(got) > 0 && bytes.Equal(got[0], start) {
				got = got[1:]
			}
			want := slices.DeleteFunc(slices.Clone(keys), func(key []byte) bool { return !r.Contains(key) })
			slices.SortFunc(want, func(a, b []byte) int { return bytes.Compare(b, a) })
			assert.Len(t, want, q.want)
			assert.Equal(t, want, got, "%v, from %x to %x", r, start, stop)
		}
	}
}

// What a server says of what is not there becomes an error that says what to do.
func TestServerErrors(t *testing.T) {
	s := shared.Server(t)
	for _, addr := range []string{s.Socket, s.HTTP + "/"} {
		c := dial(t, addr)
		table, nope := create(t, c, nil), c.Table("nope")
		_, _, get := nope.Get(ctx, []byte("a"))
		_, getAll := nope.GetAll(ctx, [][]byte{[]byte("a")})
		_, putAll := nope.PutAll(ctx, rowsOf(3, new(atomic.Int64)), 1)
		_, regions := nope.Regions(ctx)
		for _, err := range []error{get, getAll, putAll, regions, nope.Put(ctx, rowOf("a")), nope.Delete(ctx, []byte("a")), c.DropTable(ctx, "nope")} {
			assert.ErrorIs(t, err, hbase.ErrNoTable)
			assert.ErrorContains(t, err, " nope: no such table")
		}
		scans := 0
		for _, err := range nope.Scan(ctx, between(t, "a", "b")) {
			assert.EqualError(t, err, "hbase: getScannerResults nope [a, b): no such table")
			scans++
		}
		assert.Equal(t, 1, scans)

		bad := hbase.Row{Key: []byte("a"), Cells: []hbase.Cell{{Family: "g"}}}
		_, _, get = table.Get(ctx, []byte("a"), "g:q")
		_, putAll = table.PutAll(ctx, func(yield func(hbase.Row, error) bool) { yield(bad, nil) }, 1)
		for _, err := range []error{get, putAll, table.Put(ctx, bad)} {
			assert.ErrorIs(t, err, hbase.ErrNoFamily)
			assert.Less(t, len(err.Error()), 500)
		}
		assert.ErrorIs(t, c.CreateTable(ctx, table.Name(), nil, "f"), hbase.ErrTableExists)
		err := c.CreateTable(ctx, "nowhere:t", nil, "f")
		assert.ErrorIs(t, err, hbase.ErrNoNamespace)
		for _, err := range table.Scan(ctx, rowkey.PrefixRange(nil), hbase.FilterString("Nonsense(")) {
			assert.ErrorIs(t, err, hbase.ErrServer)
			assert.ErrorContains(t, err, "FilterString")
		}
	}
	_, err := hbase.Dial(ctx, "127.0.0.1:1")
	assert.ErrorIs(t, err, hbase.ErrUnreachable)
	_, _, err = dial(t, "http://"+s.Socket+"/").Table("t").Get(ctx, []byte("a"))
	assert.ErrorIs(t, err, hbase.ErrLost, "HTTP to a socket")
}

// eventAt is the i-th of many, one a second.
func eventAt(i int) event {
	return event{fmt.Sprintf("host-%03d", i*7919%997), time.UnixMilli(1700000000000).Add(time.Duration(i) * time.Second)}
}

// putEvents writes events and gives their keys in Merge's order: without the salt.
func putEvents(t *testing.T, table *hbase.Table, from, to int) [][]byte {
	keys := make([][]byte, 0, to-from)
	n, err := table.PutAll(ctx, func(yield func(hbase.Row, error) bool) {
		for i := from; i < to; i++ {
			e := eventAt(i)
			key, err := eventKeys.Append(nil, &e)
			keys = append(keys, key)
			if !yield(hbase.Row{Key: key, Cells: []hbase.Cell{{Family: "f", Qualifier: "q", Value: fmt.Appendf(nil, "event %d", i)}}}, err) {
				return
			}
		}
	}, 4)
	require.NoError(t, err)
	require.Equal(t, to-from, n)
	slices.SortFunc(keys, func(a, b []byte) int { return bytes.Compare(a[1:], b[1:]) })
	return keys
}

// 40,000 rows through 16 buckets on 8 regions: in the regions that the splits
// foretell, and out again in one order.
func TestManyRows(t *testing.T) {
	c := on(t)
	splits, err := events.Splits(8)
	require.NoError(t, err)
	table := create(t, c, splits)
	const rows = 40_000
	keys := putEvents(t, table, 0, rows)

	want := make([]int, len(splits)+1)
	for _, key := range keys {
		want[splits.Region(key)]++
	}
	regions, err := table.Regions(ctx)
	require.NoError(t, err)
	require.Len(t, regions, 8)
	servers := map[string]bool{}
	for i, region := range regions {
		servers[region.Server] = true
		r := rowkey.PrefixRange(nil)
		if len(region.Stop) > 0 {
			r = between(t, string(region.Start), string(region.Stop))
		}
		found := 0
		for row, err := range table.Scan(ctx, r, hbase.KeysOnly()) {
			require.NoError(t, err)
			if bytes.Compare(row.Key, region.Start) >= 0 {
				found++
			}
		}
		assert.Equal(t, want[i], found, "region %d", i)
	}
	assert.Len(t, servers, 2, "the regions lie on both servers")

	plan, err := events.Scan(rowkey.FullScan())
	require.NoError(t, err)
	require.Equal(t, 16, plan.Len())
	for _, opts := range [][]hbase.ScanOption{nil, {hbase.Parallel(1), hbase.KeysOnly()}, {hbase.MultiRange()}} {
		i := 0
		for row, err := range table.ScanPlan(ctx, plan, opts...) {
			require.NoError(t, err)
			require.True(t, bytes.Equal(row.Key, keys[i]), "row %d: %x in place of %x", i, row.Key, keys[i])
			i++
		}
		assert.Equal(t, rows, i)
	}
	i := rows
	boundaries := [][]byte{}
	for _, region := range regions {
		boundaries = append(boundaries, region.Start)
	}
	for row, err := range table.ScanPlan(ctx, plan.SplitAt(boundaries).Reversed()) {
		require.NoError(t, err)
		i--
		require.Equal(t, keys[i], row.Key)
	}
	assert.Zero(t, i)
}
