// Figures starts a real HBase on this machine and measures what docs/hbase.md
// shows: rows put and scanned beside gohbase and HBase's own clients, a merged scan
// one call after another against at the same time, and what a salt does to a hot
// key.
//
//	go run ./hbase/cmd/figures -gohbase DIR -write hbase/testdata/figures.md
//
// DIR has gohbase's source; without it these rows say "not run". Java's are run
// on the jars of the server. It takes some minutes.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/internal/cluster"
)

func main() {
	rows := flag.Int("rows", 200_000, "`rows` of a table")
	runs := flag.Int("runs", 3, "`times` that each is run, after one that counts for nothing; the median counts")
	gohbase := flag.String("gohbase", "", "measure gohbase, too, by its source in `DIR`")
	write := flag.String("write", "", "put the figures in `FILE`, in place of the block after \"## Figures\"")
	flag.Parse()
	if err := run(context.Background(), *rows, *runs, *gohbase, *write); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

var (
	// salted spreads the rows of each moment over 16 buckets.
	salted = rowkey.New("salted").Salt(buckets, "host").Time("at", rowkey.Millis).String("host").MustBuild()
	// unsalted writes all rows of a moment side by side.
	unsalted = rowkey.New("unsalted").Time("at", rowkey.Millis).String("host").MustBuild()

	keysOf = map[*rowkey.Schema]*rowkey.Codec[event]{
		salted:   rowkey.Must(rowkey.Bind[event](salted)),
		unsalted: rowkey.Must(rowkey.Bind[event](unsalted)),
	}
)

const (
	buckets = 16
	regions = 8
	family  = "f"
)

type event struct {
	At   time.Time `rowkey:"at"`
	Host string    `rowkey:"host"`
}

var epoch = time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)

// eventAt is the i-th event: ten a second, of a thousand hosts.
func eventAt(i int) event {
	return event{epoch.Add(time.Duration(i) * 100 * time.Millisecond), fmt.Sprintf("host-%03d", i*7919%1000)}
}

// bench is a run: a client of a cluster, and the table that the figures go to.
type bench struct {
	cluster *cluster.Cluster
	client  *hbase.Client
	rows    int
	runs    int
	dir     string // for files
	keys    string // the file of the salted table's
	gohbase string // the program; empty if there is none
	out     *tabwriter.Writer
	page    io.Writer // what out writes to
}

func run(ctx context.Context, rows, runs int, gohbase, write string) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Minute)
	defer cancel()
	dir, err := os.MkdirTemp("", "rowkey-figures-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var text bytes.Buffer
	page := io.MultiWriter(os.Stdout, &text)
	b := &bench{rows: rows, runs: runs, dir: dir, page: page, out: tabwriter.NewWriter(page, 0, 0, 2, ' ', 0)}
	if gohbase != "" {
		if b.gohbase, err = buildGohbase(ctx, gohbase, dir); err != nil {
			return err
		}
	}
	if b.keys, err = writeKeys(filepath.Join(dir, "keys"), rows); err != nil {
		return err
	}
	if b.cluster, err = cluster.Start(ctx, cluster.Config{Log: os.Stderr, Optimize: true}); err != nil {
		return err
	}
	defer b.cluster.Stop()
	if b.client, err = hbase.Dial(ctx, b.cluster.Socket, hbase.Connections(buckets)); err != nil {
		return err
	}
	defer b.client.Close()
	fmt.Fprintf(page, "%d cores, %s/%s, %s; HBase 2.6.1, all its servers on this machine\n\n", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	table, err := b.puts(ctx)
	for _, part := range []func(context.Context, *hbase.Table) error{b.merged, b.questions, b.filters, b.hotKey} {
		if err == nil {
			err = part(ctx, table)
		}
	}
	if err != nil || write == "" {
		return err
	}
	return replaceFigures(write, strings.TrimRight(text.String(), "\n"))
}

// create makes a table with the splits.
func (b *bench) create(ctx context.Context, name string, splits rowkey.SplitKeys) (*hbase.Table, error) {
	return b.client.Table(name), b.client.CreateTable(ctx, name, splits, family)
}

// fill puts events in a table.
func (b *bench) fill(ctx context.Context, t *hbase.Table, s *rowkey.Schema, from, to, parallel int) error {
	_, err := t.PutAll(ctx, func(yield func(hbase.Row, error) bool) {
		for i := from; i < to; i++ {
			e := eventAt(i)
			key, err := keysOf[s].Append(nil, &e)
			if !yield(hbase.Row{Key: key, Cells: []hbase.Cell{{Family: family, Qualifier: "q", Value: []byte("0123456789abcdef0123456789abcdef")}}}, err) {
				return
			}
		}
	}, parallel)
	return err
}

// rival is a way to do the same.
type rival struct {
	name string
	run  func() (measured, error)
}

// puts puts the same rows by each client, and leaves the last table.
func (b *bench) puts(ctx context.Context) (*hbase.Table, error) {
	splits, err := salted.Splits(regions)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(b.out, "put %d rows of 32 bytes, 1000 a call\trows/s\n", b.rows)
	own := func(table string, parallel int) func() (measured, error) {
		return func() (measured, error) {
			return b.median(b.rows, func() (int, error) { return b.rows, b.fill(ctx, b.client.Table(table), salted, 0, b.rows, parallel) })
		}
	}
	const parallel = 4
	var last string
	for i, r := range []rival{
		{"this package, a call at a time", own("put0", 1)},
		{fmt.Sprintf("gohbase, %d at the same time", parallel), func() (measured, error) { return b.runGohbase(ctx, "put", "put1", parallel) }},
		{fmt.Sprintf("HBase's Java client, %d", parallel), func() (measured, error) { return b.runJava(ctx, "put", "put2", parallel) }},
		{fmt.Sprintf("Java's Thrift2 client, %d: what the gateway takes", parallel), func() (measured, error) { return b.runJava(ctx, "thrift-put", "put3", parallel) }},
		{fmt.Sprintf("this package, %d at the same time", parallel), own("put4", parallel)},
	} {
		if last != "" {
			if err := b.client.DropTable(ctx, last); err != nil {
				return nil, err
			}
		}
		last = fmt.Sprintf("put%d", i)
		if _, err := b.create(ctx, last, splits); err != nil {
			return nil, err
		}
		if err := b.line(r, false); err != nil {
			return nil, err
		}
	}
	return b.client.Table(last), b.flush()
}

// merged reads all rows in one order by each client.
func (b *bench) merged(ctx context.Context, t *hbase.Table) error {
	plan, err := salted.Scan(rowkey.FullScan())
	if err != nil {
		return err
	}
	if _, err := b.cluster.Admin("flush", t.Name()); err != nil {
		return err
	}
	own := func(parallel int) func() (measured, error) {
		return func() (measured, error) {
			return b.median(b.rows, func() (int, error) { return count(t.ScanPlan(ctx, plan, hbase.Parallel(parallel))) })
		}
	}
	fmt.Fprintf(b.out, "merged scan of %d rows in %d buckets\trows/s\tbytes a row\tallocations a row\n", b.rows, buckets)
	for _, r := range []rival{
		{"this package, a call at a time", own(1)},
		{fmt.Sprintf("this package, %d at the same time", buckets), own(buckets)},
		{fmt.Sprintf("gohbase through the same Merge, %d", buckets), func() (measured, error) { return b.runGohbase(ctx, "scan", t.Name(), buckets) }},
		{"HBase's Java client, its scanners merged", func() (measured, error) { return b.runJava(ctx, "scan", t.Name(), buckets) }},
		{fmt.Sprintf("Java's Thrift2 client, %d, not merged: what the gateway gives", buckets), func() (measured, error) { return b.runJava(ctx, "thrift-scan", t.Name(), buckets) }},
	} {
		if err := b.line(r, true); err != nil {
			return err
		}
	}
	return b.flush()
}

// line adds a rival's figures.
func (b *bench) line(r rival, memory bool) error {
	m, err := r.run()
	switch {
	case err == errNotRun:
		fmt.Fprintf(b.out, "  %s\tnot run\n", r.name)
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w", r.name, err)
	}
	line := fmt.Sprintf("  %s\t%.0f", r.name, float64(b.rows)/m.took.Seconds())
	if memory && m.bytes > 0 {
		line += fmt.Sprintf("\t%.0f\t%.1f", m.bytes/float64(b.rows), m.allocations/float64(b.rows))
	}
	fmt.Fprintln(b.out, line)
	return nil
}

// flush prints a table of figures.
func (b *bench) flush() error {
	err := b.out.Flush()
	fmt.Fprintln(b.page)
	return err
}

// measured is how long something took, and the memory that it took for it.
type measured struct {
	took               time.Duration
	bytes, allocations float64
}

// medianOf is the run in the middle, by its time, without the first.
func medianOf(runs []measured) measured {
	runs = slices.Clone(runs[1:])
	slices.SortFunc(runs, func(a, b measured) int { return int(a.took - b.took) })
	return runs[len(runs)/2]
}

// median measures what reads or writes want rows, after a run that counts for nothing.
func (b *bench) median(want int, scan func() (int, error)) (measured, error) {
	var runs []measured
	for range b.runs + 1 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		began := time.Now()
		n, err := scan()
		took := time.Since(began)
		runtime.ReadMemStats(&after)
		if err != nil {
			return measured{}, err
		}
		if n != want {
			return measured{}, fmt.Errorf("%d rows in place of %d", n, want)
		}
		runs = append(runs, measured{took, float64(after.TotalAlloc - before.TotalAlloc), float64(after.Mallocs - before.Mallocs)})
	}
	return medianOf(runs), nil
}

// question is a plan, how many rows it has, and two ways to read it.
type question struct {
	asks string
	plan *rowkey.Plan
	want int
	ways [2][]hbase.ScanOption
}

// questions asks questions of the salted table, one call after another and as many
// at the same time as there are buckets.
func (b *bench) questions(ctx context.Context, t *hbase.Table) error {
	all, err1 := salted.Scan(rowkey.FullScan())
	minute, err2 := salted.Scan(rowkey.Span("at", epoch.Add(time.Minute), epoch.Add(2*time.Minute)))
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	ways := func(opts ...hbase.ScanOption) [2][]hbase.ScanOption {
		return [2][]hbase.ScanOption{append(opts, hbase.Parallel(1)), append(slices.Clone(opts), hbase.Parallel(buckets))}
	}
	fmt.Fprintf(b.out, "questions to %d buckets\tone call after another\t%d at the same time\n", buckets, buckets)
	if err := b.ask(ctx, t, []question{
		{"all keys", all, b.rows, ways(hbase.KeysOnly())},
		{"a minute: 600 rows", minute, 600, ways()},
		{"the first 100 rows", all.Limit(100), 100, ways()},
		{"the last 100 rows", all.Reversed().Limit(100), 100, ways()},
	}); err != nil {
		return err
	}
	return b.flush()
}

// filters shows what filters do.
func (b *bench) filters(ctx context.Context, t *hbase.Table) error {
	// A host tells the salt, but stands after the time: one bucket is read, and
	// most of its rows are other hosts'.
	host, err1 := salted.Scan(rowkey.Eq("host", eventAt(7).Host))
	moments := make([]time.Time, 200)
	for i := range moments {
		moments[i] = eventAt(i * (b.rows / len(moments))).At
	}
	narrow, err2 := unsalted.Scan(rowkey.In("at", moments...))
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	fmt.Fprintf(b.out, "filters\twithout\twith\n")
	plain, err := b.create(ctx, "plain", nil)
	if err == nil {
		err = b.fill(ctx, plain, unsalted, 0, b.rows, 4)
	}
	if err == nil {
		err = b.ask(ctx, t, []question{{"Fuzzy: a host, " + fmt.Sprint(b.rows/1000) + " rows of its bucket's", host, b.rows / 1000,
			[2][]hbase.ScanOption{nil, {hbase.Fuzzy()}}}})
	}
	if err == nil {
		err = b.ask(ctx, plain, []question{{"MultiRange: 200 moments, a range each", narrow, len(moments),
			[2][]hbase.ScanOption{{hbase.Parallel(buckets)}, {hbase.Parallel(buckets), hbase.MultiRange()}}}})
	}
	return errors.Join(err, b.flush())
}

// ask adds a line for each question.
func (b *bench) ask(ctx context.Context, t *hbase.Table, questions []question) error {
	for _, q := range questions {
		line := "  " + q.asks
		for _, opts := range q.ways {
			m, err := b.median(q.want, func() (int, error) { return count(t.ScanPlan(ctx, q.plan, opts...)) })
			if err != nil {
				return fmt.Errorf("%s: %w", q.asks, err)
			}
			line += "\t" + m.took.Round(100*time.Microsecond).String()
			if q.want >= 10_000 {
				line += fmt.Sprintf(" (%.0f rows/s)", float64(q.want)/m.took.Seconds())
			}
		}
		fmt.Fprintln(b.out, line)
	}
	return nil
}

// count counts the rows of a scan.
func count(rows iter.Seq2[hbase.Row, error]) (n int, err error) {
	for _, err := range rows {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// hotKey writes an hour of events after a day of others, by time alone and after
// a salt, and shows how many requests each region server got.
func (b *bench) hotKey(ctx context.Context, _ *hbase.Table) error {
	const old, fresh = 8000, 20_000
	fmt.Fprintf(b.out, "%d rows, newer than all others\twrite requests of the two region servers\n", fresh)
	for _, s := range []*rowkey.Schema{unsalted, salted} {
		// Regions as a table has them that has grown: by the rows it has.
		splits, err := s.SplitsOf(regions, func(yield func([]byte) bool) {
			for i := range old {
				e := eventAt(i)
				if key, err := keysOf[s].Append(nil, &e); err != nil || !yield(key) {
					return
				}
			}
		})
		if err != nil {
			return err
		}
		t, err := b.create(ctx, "hot-"+s.Name(), splits)
		if err == nil {
			err = b.fill(ctx, t, s, old, old+fresh, 4)
		}
		if err != nil {
			return err
		}
		requests, err := b.cluster.Admin("writes", t.Name())
		if err != nil {
			return err
		}
		var counts []string
		for server := range strings.FieldsSeq(requests) {
			_, n, _ := strings.Cut(server, "=")
			counts = append(counts, n)
		}
		fmt.Fprintf(b.out, "  %v\t%s\n", s, strings.Join(counts, " and "))
	}
	return b.flush()
}
