package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/change"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/internal/cluster/shared"
	"github.com/hbase-rowkey/rowkey/hbase/rekey"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The jobs of examples/bulk, on a real HBase.

const (
	trades   = "[salt16(seller)][seller]['_'][max-ms(at)][order:8]"
	trades64 = "[salt64(seller)][seller]['_'][max-ms(at)][order:8]"
)

// bulkRows is how many rows the tests of the jobs load: ROWKEY_BULK. Without it they are left out.
func bulkRows(t *testing.T) int {
	t.Helper()
	said := os.Getenv("ROWKEY_BULK")
	if said == "" {
		t.Skip("ROWKEY_BULK=100000 runs the jobs of examples/bulk on so many rows; Maven fetches 40 MB for them")
	}
	n, err := strconv.Atoi(said)
	require.NoError(t, err)
	return n
}

// jobs are the jobs, compiled: how they are run.
type jobs struct {
	t         *testing.T
	classpath string
	h         *shared.HBase
	dir       string
}

func newJobs(t *testing.T) *jobs {
	t.Helper()
	h := shared.Server(t)
	j := &jobs{t: t, h: h, dir: t.TempDir()}
	j.classpath = compiled(t, "../../../examples/bulk")
	return j
}

// compiled is the class path of a Maven project's classes and of what they need.
func compiled(t *testing.T, project string) string {
	t.Helper()
	top, err := filepath.Abs(project)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "classpath")
	out, err := exec.CommandContext(t.Context(), "mvn", "-q", "-B", "-f", top, "compile", "dependency:build-classpath", "-Dmdep.outputFile="+path).CombinedOutput()
	require.NoError(t, err, "%s", out)
	jars, err := os.ReadFile(path)
	require.NoError(t, err)
	return filepath.Join(top, "target", "classes") + ":" + strings.TrimSpace(string(jars))
}

// words are the command that runs a job, whose files lie in a folder of this name.
func (j *jobs) words(job, work string, args ...string) []string {
	return append([]string{"java", "-Xmx768m", "-cp", j.classpath, "com.acme.bulk.Bulk", job, "--zookeeper", j.h.ZooKeeper, "--work", j.work(work)}, args...)
}

// work is a folder's address.
func (j *jobs) work(name string) string { return "file://" + filepath.Join(j.dir, name) }

// load is rowkey-change load of a job: its exit code and what it says.
func (j *jobs) load(args []string, words []string) (code int, said string) {
	var out bytes.Buffer
	code = run(j.t.Context(), append(append([]string{"load", "--gateway", j.h.Socket}, args...), append([]string{"--"}, words...)...), &out, &out)
	j.t.Log(out.String())
	return code, out.String()
}

// change is rowkey-change, which must end well.
func (j *jobs) change(words ...string) string {
	j.t.Helper()
	var out bytes.Buffer
	code := run(j.t.Context(), append([]string{"--gateway", j.h.Socket}, words...), &out, &out)
	require.Zero(j.t, code, out.String())
	return out.String()
}

// table creates a table of 16 regions with so many rows, whose cells have a time, and more rows.
func (j *jobs) table(name string, rows int, at time.Time, more ...hbase.Row) *hbase.Client {
	j.t.Helper()
	ctx := j.t.Context()
	client, err := hbase.Dial(ctx, j.h.Socket, hbase.Connections(16), hbase.Timeout(time.Minute), hbase.Retry(10, time.Second))
	require.NoError(j.t, err)
	j.t.Cleanup(func() { client.Close() })
	splits, err := tradesSchema.Splits(16)
	require.NoError(j.t, err)
	require.NoError(j.t, client.CreateTableOf(ctx, name, splits, hbase.Family{Name: "f",
		Config: map[string]string{rekey.Tombstones: fmt.Sprint((7 * 24 * time.Hour).Milliseconds())}}))
	_, err = client.Table(name).PutAll(ctx, func(yield func(hbase.Row, error) bool) {
		for i := range rows {
			if !yield(rowOf(j.t, i, at), nil) {
				return
			}
		}
		for _, r := range more {
			if !yield(r, nil) {
				return
			}
		}
	}, 8)
	require.NoError(j.t, err)
	return client
}

var tradesSchema = rowkey.Must(rowkey.Parse("trades", trades))

// trade is a row.
type trade struct {
	seller string
	at     time.Time
	order  uint64
}

// tradeOf is row i of a table.
func tradeOf(i int) trade {
	r := rand.New(rand.NewPCG(uint64(i), 7))
	return trade{fmt.Sprintf("s-%d", r.IntN(1000)), time.UnixMilli(1_700_000_000_000 + r.Int64N(1e9)), uint64(i)}
}

// key is its key under a layout.
func (r trade) key(t *testing.T, s *rowkey.Schema) []byte {
	t.Helper()
	key, err := s.AppendKey(nil, r.seller, r.at, r.order)
	require.NoError(t, err)
	return key
}

// rowOf is row i of a table as it is put; its cell has a time, or if that is zero the time of the put.
func rowOf(t *testing.T, i int, at time.Time) hbase.Row {
	return hbase.Row{Key: tradeOf(i).key(t, tradesSchema), Cells: []hbase.Cell{{Family: "f", Qualifier: "price", Value: []byte(strconv.Itoa(i % 100)), Time: at}}}
}

// broken are lines that the job refuses, and a part of the reason.
var broken = [][2]string{
	{"s_1,2024-05-01T12:00:00Z,1,9", "seller: holds its separator"},
	{"s-1,2024-05-01 12:00,1,9", "could not be parsed"},
	{"s-1,1969-05-01T12:00:00Z,1,9", "at: value out of range"},
	{"s-1,2024-05-01T12:00:00Z,-1,9", "-1"},
	{"s-1,2024-05-01T12:00:00Z,1", "3 columns, 4 are wanted"},
	{`"s-1,2024-05-01T12:00:00Z,1,9`, "EOF"},
	{"s-\xff,2024-05-01T12:00:00Z,1,9", "not UTF-8"},
}

// csvOf is a CSV file of so many rows, and of lines that are refused.
func csvOf(t *testing.T, rows int, broken [][2]string, dir string) string {
	t.Helper()
	file := filepath.Join(dir, "trades.csv")
	f, err := os.Create(file)
	require.NoError(t, err)
	w := bufio.NewWriter(f)
	fmt.Fprintln(w, "seller,at,order,price")
	for i := range rows {
		r := tradeOf(i)
		fmt.Fprintf(w, "%s,%s,%d,%d\n", r.seller, r.at.UTC().Format("2006-01-02T15:04:05.000Z"), r.order, i%100)
		if at := i - rows/2; at >= 0 && at < len(broken) {
			fmt.Fprintln(w, broken[at][0])
		}
	}
	require.NoError(t, w.Flush())
	require.NoError(t, f.Close())
	return file
}

// TestBulkLoad loads a CSV file by HFiles. Every row is found by a plan, and what is refused is
// written aside.
func TestBulkLoad(t *testing.T) {
	rows := bulkRows(t)
	j := newJobs(t)
	ctx := t.Context()
	file := csvOf(t, rows, broken, j.dir)
	words := j.words("load", "load", "--table", "bulk_trades", file)
	out, err := exec.CommandContext(ctx, words[0], words[1:]...).CombinedOutput()
	t.Logf("%s", out)
	require.ErrorContains(t, err, "exit status 1", "lines are refused")
	assert.Contains(t, string(out), "bulk_trades is created, with 16 regions")
	assert.Contains(t, string(out), fmt.Sprintf("%d lines are read, %d are refused", rows+len(broken), len(broken)))
	assert.Contains(t, string(out), fmt.Sprintf("%d rows of %d cells are in HFiles", rows, rows))
	assert.Contains(t, string(out), "16 HFiles are loaded into bulk_trades")
	assert.NotContains(t, string(out), "more than one region")
	refused := ""
	files, err := filepath.Glob(filepath.Join(j.dir, "load", "refused", "task*"))
	require.NoError(t, err)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		refused += string(text)
	}
	for _, b := range broken {
		assert.Regexp(t, "(?m)^.*"+regexp.QuoteMeta(b[1])+".*\t"+regexp.QuoteMeta(strings.ToValidUTF8(b[0], "\ufffd"))+"$", refused)
	}

	client, err := hbase.Dial(ctx, j.h.Socket)
	require.NoError(t, err)
	defer client.Close()
	s := tradesSchema
	want := map[string]int{}
	for i := range rows {
		want[tradeOf(i).seller]++
	}
	found := 0
	for seller, n := range want { // each seller by a plan of its own
		plan, err := s.Scan(rowkey.Eq("seller", seller))
		require.NoError(t, err)
		got := 0
		for row, err := range client.Table("bulk_trades").ScanPlan(ctx, plan) {
			require.NoError(t, err)
			var order uint64
			require.NoError(t, s.Read(row.Key).Skip().Skip().Uint(&order).Err())
			require.Equal(t, tradeOf(int(order)).key(t, s), row.Key)
			require.Equal(t, strconv.Itoa(int(order)%100), string(row.Value("f", "price")))
			got++
		}
		require.Equal(t, n, got, seller)
		found += got
	}
	assert.Equal(t, rows, found)
}

// TestBulkRekey changes a live table's keys by a job that loads HFiles, while a client writes. A
// snapshot that is too old, a load of an earlier state and one of an earlier round are refused.
func TestBulkRekey(t *testing.T) {
	rows := bulkRows(t) / 10 // which are put one by one, and moved twice
	j := newJobs(t)
	ctx := t.Context()
	s := tradesSchema
	first := time.Now().Add(-time.Hour)
	put := func(i int) hbase.Row { return rowOf(t, i, first) }
	passing := rowOf(t, 10*rows, time.Time{})
	passing.TTL = 2 * time.Hour
	client := j.table("deals", rows, first, hbase.Row{Key: []byte("no key"), Cells: put(0).Cells}, passing) // the former is refused
	do := j.change
	do("begin", "deals", "--old", "deals", "--old-schema", trades, "--new", "deals64", "--new-schema", trades64, "--misfits", "1")

	// A client puts and deletes rows, and reads each back, until the end.
	def := rekey.Definition{OldTable: "deals", OldSchema: trades, NewTable: "deals64", NewSchema: trades64}
	c, err := def.Change(client)
	require.NoError(t, err)
	state, err := rekey.OpenStore(ctx, client, "rowkey_change", "deals")
	require.NoError(t, err)
	cl := c.Client()
	require.NoError(t, state.Join(ctx, "web-1", cl))
	live, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go state.Follow(ctx, cl, 100*time.Millisecond)
	deleted := map[int]bool{}
	written := rows
	go func() {
		ended <- func() error {
			for i := 0; live.Err() == nil; i++ {
				time.Sleep(20 * time.Millisecond)
				row := put(written)
				row.Cells[0].Time = time.Time{}
				if row.Key, err = c.Side(change.InNew).Schema.Rekey(nil, row.Key, s); err != nil {
					return err
				}
				if err := cl.Put(ctx, row); err != nil {
					return err
				}
				written++
				gone := i * 7 % rows
				old, err := c.Side(change.InNew).Schema.Rekey(nil, put(gone).Key, s)
				if err != nil {
					return err
				}
				if err := cl.Delete(ctx, old); err != nil {
					return err
				}
				deleted[gone] = true
				for key, want := range map[string]bool{string(row.Key): true, string(old): false} {
					if _, found, err := cl.Get(ctx, []byte(key)); err != nil || found != want {
						return fmt.Errorf("row %x: found %t, %w", key, found, err)
					}
				}
			}
			return nil
		}()
	}()

	rekeyJob := func(work string, more ...string) []string { return j.words("rekey", work, more...) }
	code, said := j.load([]string{"deals"}, rekeyJob("early"))
	assert.Equal(t, exitFound, code, "in old nobody may move")
	assert.Contains(t, said, "not allowed in this phase")
	_, err = j.h.Admin("snapshot", "deals", "too-old")
	require.NoError(t, err)
	do("go", "deals", "prepare")
	do("go", "deals", "write-both")
	code, said = j.load([]string{"deals"}, rekeyJob("old-snapshot", "--snapshot", "too-old", "--root-dir", j.h.Root))
	assert.Equal(t, exitFound, code)
	assert.Contains(t, said, "snapshot too-old was taken before all clients were known to write to both tables")

	// A job writes its files, and the change goes back and forward meanwhile.
	code, said = j.load([]string{"deals"}, rekeyJob("late", "--no-load"))
	assert.Equal(t, exitFound, code, "its rows do not count as moved")
	assert.Contains(t, said, "nothing is loaded yet")
	turn, err := state.MayMove(ctx)
	require.NoError(t, err)
	env, err := turn.Environment(ctx, c)
	require.NoError(t, err)
	do("go", "deals", "prepare")
	do("go", "deals", "old")
	do("empty", "deals", "--yes")
	do("go", "deals", "prepare")
	do("go", "deals", "write-both")
	late := func(words []string) (string, error) {
		c := exec.CommandContext(ctx, words[0], words[1:]...)
		c.Env = append(os.Environ(), env...)
		out, err := c.CombinedOutput()
		return string(out), err
	}
	out, err := late(j.words("complete", "late"))
	assert.Error(t, err)
	assert.Regexp(t, `this job was begun in state \d+@.* of deals, and this is \d+@.*: nothing is loaded`, out)
	// One that was stopped after it had asked finds no table of its round's name.
	out, err = late([]string{"java", "-cp", j.classpath, "-Dhbase.zookeeper.quorum=127.0.0.1", "org.apache.hadoop.hbase.tool.BulkLoadHFilesTool",
		"-Dhbase.zookeeper.property.clientPort=" + j.h.ZooKeeper[strings.LastIndex(j.h.ZooKeeper, ":")+1:], "-Dcreate.table=no", j.work("late/hfiles"), "deals64"})
	assert.Error(t, err)
	assert.Contains(t, out, "TableNotFoundException")

	// The move, from a snapshot of the job's own.
	began := time.Now()
	code, said = j.load([]string{"deals"}, rekeyJob("in-time", "--snapshot", "--root-dir", j.h.Root))
	require.Zero(t, code, said)
	t.Logf("%d rows in %v", rows, time.Since(began))
	assert.Contains(t, said, "1 are refused")
	assert.Contains(t, said, "all rows are loaded; verify comes next")
	assert.Contains(t, do("verify", "deals", "--without-refused", "--wait", "5s"), " 0 copied")
	do("go", "deals", "read-new")
	do("go", "deals", "keep")
	stop()
	require.NoError(t, <-ended)

	// All that is to be there is there, with the timestamps that it had.
	st, err := state.State(ctx)
	require.NoError(t, err)
	seen := map[int]bool{}
	to := c.Side(change.InNew).Schema
	for row, err := range client.Table(c.Name(st, change.InNew)).Scan(ctx, rowkey.PrefixRange(nil)) {
		require.NoError(t, err)
		var order uint64
		require.NoError(t, to.Read(row.Key).Skip().Skip().Uint(&order).Err())
		i := int(order)
		want, err := to.Rekey(nil, put(i).Key, s)
		require.NoError(t, err)
		require.Equal(t, want, row.Key)
		require.Equal(t, i < rows, row.Cells[0].Time.Equal(first.Truncate(time.Millisecond)), "row %d", i)
		seen[i] = true
	}
	for i := range written {
		require.Equal(t, !deleted[i], seen[i], "row %d", i)
	}
	require.True(t, seen[10*rows])
	shows, err := hbase.Dial(ctx, j.h.HTTP) // this gateway shows TTLs
	require.NoError(t, err)
	defer shows.Close()
	key, err := to.Rekey(nil, put(10*rows).Key, s)
	require.NoError(t, err)
	row, found, err := shows.Table(c.Name(st, change.InNew)).Get(ctx, key)
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, 2*time.Hour, row.Cells[0].TTL)
}
