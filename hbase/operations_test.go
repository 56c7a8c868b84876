package hbase_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/internal/cluster"
	"github.com/hbase-rowkey/rowkey/hbase/internal/cluster/shared"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bothGateways runs a test over the socket and over HTTP of the real HBase.
func bothGateways(t *testing.T, test func(*testing.T, *hbase.Client)) {
	s := shared.Server(t)
	for name, addr := range map[string]string{"socket": s.Socket, "HTTP": s.HTTP + "/"} {
		t.Run(name, func(t *testing.T) { test(t, dial(t, addr)) })
	}
}

// createOf makes a table of a new name.
func createOf(t *testing.T, c *hbase.Client, families ...hbase.Family) *hbase.Table {
	name := fmt.Sprintf("t%d", tables.Add(1))
	require.NoError(t, c.CreateTableOf(ctx, name, nil, families...))
	return c.Table(name)
}

// values are the values of a row's cells.
func values(r hbase.Row) (vs []string) {
	for _, c := range r.Cells {
		vs = append(vs, string(c.Value))
	}
	return vs
}

func cellAt(qualifier, value string, ms int64) hbase.Cell {
	return hbase.Cell{Family: "f", Qualifier: qualifier, Value: []byte(value), Time: time.UnixMilli(ms)}
}

func TestServerVersions(t *testing.T) {
	bothGateways(t, func(t *testing.T, c *hbase.Client) {
		table := createOf(t, c, hbase.Family{Name: "f", Versions: 3})
		key := []byte("a")
		for i := range int64(5) {
			require.NoError(t, table.Put(ctx, hbase.Row{Key: key, Cells: []hbase.Cell{cellAt("q", fmt.Sprint("v", i+1), 100*(i+1))}}))
		}
		require.NoError(t, table.Put(ctx, hbase.Row{Key: []byte("b"), Cells: []hbase.Cell{cellAt("q", "w", 100)}}))
		at := time.UnixMilli
		for _, ask := range []struct {
			opts []hbase.ScanOption
			want []string
		}{
			{nil, []string{"v5"}},
			{[]hbase.ScanOption{hbase.Versions(2)}, []string{"v5", "v4"}},
			{[]hbase.ScanOption{hbase.Versions(9)}, []string{"v5", "v4", "v3"}},
			{[]hbase.ScanOption{hbase.TimeRange(at(300), at(500))}, []string{"v4"}},
			{[]hbase.ScanOption{hbase.TimeRange(at(300), at(500)), hbase.Versions(9)}, []string{"v4", "v3"}},
			{[]hbase.ScanOption{hbase.TimeRange(at(500), time.Time{})}, []string{"v5"}},
			{[]hbase.ScanOption{hbase.TimeRange(at(501), time.Time{})}, nil},
			{[]hbase.ScanOption{hbase.TimeRange(time.Time{}, at(301))}, []string{"v3"}},
			{[]hbase.ScanOption{hbase.Versions(9), hbase.FilterString("ValueFilter(=,'binary:v4')")}, []string{"v4"}},
		} {
			rows, err := table.GetRows(ctx, [][]byte{key}, ask.opts...)
			require.NoError(t, err)
			var got []string
			for _, r := range rows {
				got = append(got, values(r)...)
			}
			assert.Equal(t, ask.want, got)
			for _, reversed := range []bool{false, true} {
				opts := ask.opts
				if reversed {
					opts = append(slices.Clip(opts), hbase.Reversed())
				}
				got = nil
				for r, err := range table.Scan(ctx, between(t, "a", "b"), opts...) {
					require.NoError(t, err)
					got = append(got, values(r)...)
				}
				assert.Equal(t, ask.want, got, "by a scan, reversed %v", reversed)
			}
		}
		rows, err := table.GetRows(ctx, [][]byte{[]byte("b"), []byte("none"), key}, hbase.KeysOnly(), hbase.Versions(3))
		require.NoError(t, err)
		assert.Equal(t, []hbase.Row{{Key: []byte("b")}, {Key: key}}, rows)
		n, err := table.CountRange(ctx, rowkey.PrefixRange(nil), hbase.Versions(3))
		require.NoError(t, err)
		assert.Equal(t, 2, n, "rows, not versions")
	})
}

func TestServerDeletions(t *testing.T) {
	bothGateways(t, func(t *testing.T, c *hbase.Client) {
		families := []hbase.Family{{Name: "f", Versions: 9}, {Name: "g", Versions: 9}}
		table := createOf(t, c, families...)
		at := time.UnixMilli
		for i, one := range []struct {
			d    hbase.Deletion
			want []string // of f:p, f:q and g:q, each of the times 100, 200 and 300
		}{
			{hbase.Deletion{}, nil},
			{hbase.Deletion{Time: at(200)}, []string{"p300", "q300", "g300"}},
			{hbase.Deletion{Columns: []string{"f"}}, []string{"g300", "g200", "g100"}},
			{hbase.Deletion{Columns: []string{"f"}, Time: at(200)}, []string{"p300", "q300", "g300", "g200", "g100"}},
			{hbase.Deletion{Columns: []string{"f:q"}}, []string{"p300", "p200", "p100", "g300", "g200", "g100"}},
			{hbase.Deletion{Columns: []string{"f:q"}, Time: at(100)}, []string{"p300", "p200", "p100", "q300", "q200", "g300", "g200", "g100"}},
			{hbase.Deletion{Columns: []string{"f:q", "g"}, Time: at(250)}, []string{"p300", "p200", "p100", "q300", "g300"}},
			{hbase.Deletion{Columns: []string{"f:q"}, One: true}, []string{"p300", "p200", "p100", "q200", "q100", "g300", "g200", "g100"}},
			{hbase.Deletion{Columns: []string{"f:q"}, One: true, Time: at(200)}, []string{"p300", "p200", "p100", "q300", "q100", "g300", "g200", "g100"}},
			{hbase.Deletion{Columns: []string{"f"}, One: true, Time: at(200)}, []string{"p300", "p100", "q300", "q100", "g300", "g200", "g100"}},
		} {
			one.d.Key = fmt.Appendf(nil, "row%d", i)
			for ms := int64(100); ms <= 300; ms += 100 {
				g := cellAt("q", fmt.Sprint("g", ms), ms)
				g.Family = "g"
				require.NoError(t, table.Put(ctx, hbase.Row{Key: one.d.Key, Cells: []hbase.Cell{cellAt("p", fmt.Sprint("p", ms), ms), cellAt("q", fmt.Sprint("q", ms), ms), g}}))
			}
			require.NoError(t, table.DeleteCells(ctx, one.d))
			rows, err := table.GetRows(ctx, [][]byte{one.d.Key}, hbase.Versions(9))
			require.NoError(t, err)
			var got []string
			for _, r := range rows {
				got = append(got, values(r)...)
			}
			assert.Equal(t, one.want, got, "%+v", one.d)
		}

		// By the client's clock a deletion hides what is older, not what is newer.
		stamped := dial(t, shared.Server(t).Socket, hbase.ClientTime()).Table(table.Name())
		require.NoError(t, stamped.Put(ctx, rowOf("clock")))
		require.NoError(t, stamped.Delete(ctx, []byte("clock")))
		_, found, err := table.Get(ctx, []byte("clock"))
		require.NoError(t, err)
		assert.False(t, found)
		later := rowOf("clock")
		later.Cells[0].Time = time.Now().Add(time.Minute)
		require.NoError(t, stamped.Put(ctx, later))
		_, found, err = table.Get(ctx, []byte("clock"))
		require.NoError(t, err)
		assert.True(t, found)
	})
}

func TestServerChanges(t *testing.T) {
	bothGateways(t, func(t *testing.T, c *hbase.Client) {
		table := create(t, c, nil)
		key := []byte("a")
		get := func() []string {
			r, _, err := table.Get(ctx, key)
			require.NoError(t, err)
			return values(r)
		}
		row := func(cells ...hbase.Cell) hbase.Row { return hbase.Row{Key: key, Cells: cells} }
		require.NoError(t, table.MutateRow(ctx, row(cellAt("p", "1", 100), cellAt("q", "2", 100))))
		assert.Equal(t, []string{"1", "2"}, get())
		require.NoError(t, table.MutateRow(ctx,
			hbase.Deletion{Key: key, Columns: []string{"f:p"}, Time: time.UnixMilli(199)},
			row(cellAt("r", "3", 200))))
		assert.Equal(t, []string{"2", "3"}, get())

		// All or nothing: one change of the two is of a family that there is not.
		bad := cellAt("x", "no", 300)
		bad.Family = "none"
		err := table.MutateRow(ctx, row(cellAt("q", "9", 300)), row(bad))
		assert.ErrorIs(t, err, hbase.ErrNoFamily)
		assert.Equal(t, []string{"2", "3"}, get())

		now, err := table.Append(ctx, key, hbase.Cell{Family: "f", Qualifier: "q", Value: []byte("+4")}, hbase.Cell{Family: "f", Qualifier: "new", Value: []byte("5")})
		require.NoError(t, err)
		assert.Equal(t, []string{"5", "2+4"}, values(now), "in the order of the columns")
		assert.Equal(t, []string{"5", "2+4", "3"}, get())

		counter := []byte("n")
		for i := range int64(3) {
			counts, err := table.Increment(ctx, counter, hbase.Count{Family: "f", Qualifier: "z", N: 2}, hbase.Count{Family: "f", Qualifier: "b", N: -3})
			require.NoError(t, err)
			assert.Equal(t, []hbase.Count{{Family: "f", Qualifier: "z", N: 2 * (i + 1)}, {Family: "f", Qualifier: "b", N: -3 * (i + 1)}}, counts)
		}
		r, _, err := table.Get(ctx, counter)
		require.NoError(t, err)
		assert.Equal(t, []byte{0, 0, 0, 0, 0, 0, 0, 6}, r.Value("f", "z"))
		_, err = table.Increment(ctx, key, hbase.Count{Family: "f", Qualifier: "q", N: 1})
		assert.ErrorIs(t, err, hbase.ErrServer, "text is no counter")
	})
}

// Every comparison, on each side of the value, and where there is none.
func TestServerChecks(t *testing.T) {
	bothGateways(t, func(t *testing.T, c *hbase.Client) {
		table := create(t, c, nil)
		key := []byte("a")
		require.NoError(t, table.Put(ctx, hbase.Row{Key: key, Cells: []hbase.Cell{cellAt("q", "m", 100), cellAt("empty", "", 100)}}))
		n := 0
		check := func(column string, is hbase.Comparison, value string) bool {
			n++
			done, err := table.CheckAndMutate(ctx, hbase.Check{Family: "f", Qualifier: column, Is: is, Value: []byte(value)},
				hbase.Row{Key: key, Cells: []hbase.Cell{{Family: "f", Qualifier: "done", Value: fmt.Append(nil, n)}}})
			require.NoError(t, err)
			r, _, err := table.Get(ctx, key, "f:done")
			require.NoError(t, err)
			assert.Equal(t, done, string(r.Value("f", "done")) == fmt.Sprint(n), "it says what it does")
			return done
		}
		for is, want := range map[hbase.Comparison]string{ // with l, m and n
			hbase.Equal: ".m.", hbase.NotEqual: "l.n", hbase.Less: "..n", hbase.LessOrEqual: ".mn", hbase.Greater: "l..", hbase.GreaterOrEqual: "lm.",
		} {
			for i, value := range []string{"l", "m", "n"} {
				assert.Equal(t, want[i] == value[0], check("q", is, value), "m, comparison %d, %s", is, value)
				assert.False(t, check("none", is, value), "no column, comparison %d, %s", is, value)
			}
		}
		for column, there := range map[string]bool{"q": true, "empty": false, "none": false} {
			assert.Equal(t, !there, check(column, hbase.Equal, ""), column)
			assert.Equal(t, there, check(column, hbase.NotEqual, ""), column)
		}

		// Of many that put a row if it is not there, one does.
		var won atomic.Int64
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				done, err := table.CheckAndMutate(ctx, hbase.Check{Family: "f", Qualifier: "q"}, hbase.Row{Key: []byte("race"), Cells: []hbase.Cell{cellAt("q", fmt.Sprint(i), 100)}})
				assert.NoError(t, err)
				if done {
					won.Add(1)
				}
			}()
		}
		wg.Wait()
		assert.Equal(t, int64(1), won.Load())
		done, err := table.CheckAndMutate(ctx, hbase.Check{Family: "f", Qualifier: "q", Value: []byte("m")}, hbase.Deletion{Key: key})
		require.NoError(t, err)
		assert.True(t, done)
		_, found, err := table.Get(ctx, key)
		require.NoError(t, err)
		assert.False(t, found)
	})
}

func TestServerTTL(t *testing.T) {
	bothGateways(t, func(t *testing.T, c *hbase.Client) {
		table := createOf(t, c, hbase.Family{Name: "f", TTL: time.Hour})
		long, brief := rowOf("long"), rowOf("brief")
		brief.TTL = 700 * time.Millisecond
		old := rowOf("old")
		old.Cells[0].Time = time.Now().Add(-2 * time.Hour)
		for _, r := range []hbase.Row{long, brief, old} {
			require.NoError(t, table.Put(ctx, r))
		}
		assert.Eventually(t, func() bool {
			keys := keysOf(t, table.Scan(ctx, rowkey.PrefixRange(nil)))
			return slices.Equal([]string{"long"}, keys)
		}, 20*time.Second, 50*time.Millisecond)
	})
}

func TestServerFamilies(t *testing.T) {
	bothGateways(t, func(t *testing.T, c *hbase.Client) {
		want := hbase.Family{
			Name: "f", Versions: 3, MinVersions: 1, TTL: 36 * time.Hour, Compression: "GZ", Encoding: "FAST_DIFF",
			Bloom: "ROWCOL", KeepDeleted: "TTL", BlockSize: 1 << 15, InMemory: true, Config: map[string]string{"hbase.hstore.time.to.purge.deletes": "86400000", "NEW_VERSION_BEHAVIOR": "true"},
		}
		table := createOf(t, c, want, hbase.Family{Name: "g"})
		families, err := c.Families(ctx, table.Name())
		require.NoError(t, err)
		require.Len(t, families, 2)
		got := families[0]
		t.Log(got.Config)
		for name, value := range want.Config {
			assert.Equal(t, value, got.Config[name], name)
		}
		got.Config = want.Config
		assert.Equal(t, want, got)
		plain := families[1]
		assert.Equal(t, hbase.Family{Name: "g", Versions: 1, Compression: "NONE", Encoding: "NONE", Bloom: "ROW", KeepDeleted: "FALSE", BlockSize: 1 << 16, Config: plain.Config}, plain)
		require.NoError(t, table.Put(ctx, rowOf("a")))
		_, found, err := table.Get(ctx, []byte("a"))
		require.NoError(t, err)
		assert.True(t, found)
		_, err = c.Families(ctx, "nope")
		assert.ErrorIs(t, err, hbase.ErrNoTable)

		name := fmt.Sprintf("n%d", tables.Add(1))
		require.NoError(t, c.CreateNamespace(ctx, name))
		assert.ErrorIs(t, c.CreateNamespace(ctx, name), hbase.ErrServer)
		names, err := c.Namespaces(ctx)
		require.NoError(t, err)
		assert.Contains(t, names, name)
		assert.Contains(t, names, "default")
		require.NoError(t, c.CreateTable(ctx, name+":t", rowkey.SplitKeys{{'b'}}, "f"))
		inside := c.Table(name + ":t")
		require.NoError(t, inside.Put(ctx, rowOf("a")))
		assert.Equal(t, []string{"a"}, keysOf(t, inside.Scan(ctx, rowkey.PrefixRange(nil))))
		assert.Error(t, c.DropNamespace(ctx, name), "it has a table")
		require.NoError(t, c.DropTable(ctx, name+":t"))
		require.NoError(t, c.DropNamespace(ctx, name))
		assert.ErrorIs(t, c.DropNamespace(ctx, name), hbase.ErrNoNamespace)
		require.NoError(t, c.Ping(ctx))
	})
}

// A plan's rows are counted, then deleted, by the conditions that find them.
func TestServerDeletePlan(t *testing.T) {
	c := on(t)
	splits, err := events.Splits(8)
	require.NoError(t, err)
	table := create(t, c, splits)
	const rows = 5000
	keys := putEvents(t, table, 0, rows)
	from, to := eventAt(1000).At, eventAt(3500).At
	plan, err := events.Scan(rowkey.AtLeast("at", from), rowkey.LessThan("at", to))
	require.NoError(t, err)
	n, err := table.CountPlan(ctx, plan)
	require.NoError(t, err)
	assert.Equal(t, 2500, n)
	n, err = table.DeletePlan(ctx, plan, hbase.Parallel(4))
	require.NoError(t, err)
	assert.Equal(t, 2500, n)
	var left []string
	for _, key := range keys {
		if !plan.Match(key) {
			left = append(left, string(key))
		}
	}
	full, err := events.Scan(rowkey.FullScan())
	require.NoError(t, err)
	assert.Equal(t, left, keysOf(t, table.ScanPlan(ctx, full)))
	all := rowkey.Must(rowkey.NewRange([]byte{0}, []byte{0xff}))
	n, err = table.DeleteRange(ctx, all, hbase.FilterString("ValueFilter(=,'binary:event 7')"))
	require.NoError(t, err)
	assert.Equal(t, 1, n)
	n, err = table.DeletePlan(ctx, full)
	require.NoError(t, err)
	assert.Equal(t, 2499, n)
	assert.Empty(t, keysOf(t, table.Scan(ctx, rowkey.PrefixRange(nil))))
}

// The gateway is killed and restarted under a load and a scan of a client that
// retries: every row is written once, with the time of its first try, and none is
// told of as failed. With a second gateway beside it nobody waits.
func TestRetryWhileGatewayIsKilled(t *testing.T) {
	s := shared.Alone(t)
	c := dial(t, s.Socket, hbase.Retry(60, 200*time.Millisecond), hbase.ClientTime(), hbase.Timeout(time.Minute))
	splits, err := events.Splits(8)
	require.NoError(t, err)
	table := create(t, c, splits)
	_, err = c.Table(table.Name()).Regions(ctx)
	require.NoError(t, err)
	const rows = 30_000
	var killed sync.Once
	var restarted sync.WaitGroup
	kill := func() {
		require.NoError(t, s.Kill(cluster.Socket))
		restarted.Add(1)
		go func() {
			defer restarted.Done()
			assert.NoError(t, s.Restart(context.Background(), cluster.Socket))
		}()
	}
	n, err := table.PutAll(ctx, func(yield func(hbase.Row, error) bool) {
		for i := range rows {
			if i == rows/3 {
				killed.Do(kill)
			}
			e := eventAt(i)
			key, err := eventKeys.Append(nil, &e)
			if !yield(hbase.Row{Key: key, Cells: rowOf("").Cells}, err) {
				return
			}
		}
	}, 4)
	restarted.Wait()
	require.NoError(t, err)
	assert.Equal(t, rows, n)

	plan, err := events.Scan(rowkey.FullScan())
	require.NoError(t, err)
	killed = sync.Once{}
	n = 0
	for _, err := range table.ScanPlan(ctx, plan, hbase.Batch(200), hbase.KeysOnly()) {
		require.NoError(t, err)
		if n++; n == rows/2 {
			killed.Do(kill)
		}
	}
	restarted.Wait()
	assert.Equal(t, rows, n)

	both := dial(t, s.Socket+","+s.HTTP+"/")
	require.NoError(t, s.Kill(cluster.Socket))
	for range 10 {
		_, _, err := both.Table(table.Name()).Get(ctx, []byte("a"))
		assert.NoError(t, err)
	}
	require.NoError(t, s.Restart(ctx, cluster.Socket))
	conn, err := net.Dial("tcp", s.Socket)
	require.NoError(t, err)
	conn.Close()
}

// TestTTLOf: a cell's TTL, among other tags and among what is none.
func TestTTLOf(t *testing.T) {
	hour := []byte{0, 9, 8, 0, 0, 0, 0, 0, 0x36, 0xee, 0x80}
	for _, c := range []struct {
		tags []byte
		want time.Duration
	}{
		{nil, 0},
		{hour, time.Hour},
		{append([]byte{0, 3, 1, 'x', 'y'}, hour...), time.Hour},
		{append([]byte{0, 0}, hour...), 0},
		{hour[:10], 0},
		{[]byte{0, 3, 8, 1, 2}, 0},
		{[]byte{0, 9, 8, 255, 255, 255, 255, 255, 255, 255, 255}, math.MaxInt64 / time.Millisecond * time.Millisecond},
	} {
		assert.Equal(t, c.want, hbase.TTLOf(c.tags), "%x", c.tags)
	}
	f := newFake(t)
	c, err := hbase.Dial(t.Context(), f.addr)
	require.NoError(t, err)
	defer c.Close()
	cell := func(ttl time.Duration) hbase.Cell {
		return hbase.Cell{Family: "f", Qualifier: ttl.String(), Value: []byte("v"), TTL: ttl}
	}
	put := func(r hbase.Row) error {
		r.Key = []byte("k")
		return c.Table("t").Put(t.Context(), r)
	}
	require.NoError(t, put(hbase.Row{Cells: []hbase.Cell{cell(time.Hour), cell(time.Hour)}}))
	assert.Equal(t, binary.BigEndian.AppendUint64(nil, 3_600_000), f.puts[0].Attributes["_ttl"])
	assert.ErrorIs(t, put(hbase.Row{Cells: []hbase.Cell{cell(0), cell(time.Hour)}}), hbase.ErrArgument)
	assert.ErrorIs(t, put(hbase.Row{TTL: time.Hour, Cells: []hbase.Cell{cell(time.Minute)}}), hbase.ErrArgument)
}
