// Figures starts a real HBase on this machine and measures what docs/hbase.md
// shows: rows put and scanned, a merged scan one call after another against at the
// same time, and what a salt does to a hot key.
//
//	go run ./hbase/cmd/figures
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
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
	rows := flag.Int("rows", 100_000, "`rows` of a table")
	runs := flag.Int("runs", 5, "`times` that each is run; the median counts")
	flag.Parse()
	if err := run(context.Background(), *rows, *runs); err != nil {
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
		salted:   rowkey.MustBind[event](salted),
		unsalted: rowkey.MustBind[event](unsalted),
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
	client *hbase.Client
	rows   int
	runs   int
	out    *tabwriter.Writer
}

func run(ctx context.Context, rows, runs int) error {
	c, err := cluster.Start(ctx, cluster.Config{Log: os.Stderr, Optimize: true})
	if err != nil {
		return err
	}
	defer c.Stop()
	client, err := hbase.Dial(ctx, c.Socket, hbase.Connections(buckets))
	if err != nil {
		return err
	}
	defer client.Close()
	fmt.Printf("%d cores, %s/%s, %s; HBase 2.6.1, all its servers on this machine\n\n", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	b := &bench{client, rows, runs, tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)}
	table, err := b.puts(ctx)
	if err == nil {
		err = b.scans(ctx, table)
	}
	if err == nil {
		err = b.hotKey(ctx, c)
	}
	return err
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

func (b *bench) puts(ctx context.Context) (*hbase.Table, error) {
	splits, err := salted.Splits(regions)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(b.out, "put %d rows, 1000 a call\trows/s\n", b.rows)
	var last *hbase.Table
	for _, parallel := range []int{1, 2, 4, 8} {
		if last, err = b.create(ctx, fmt.Sprintf("put%d", parallel), splits); err != nil {
			return nil, err
		}
		took, err := b.median(b.rows, func() (int, error) { return b.rows, b.fill(ctx, last, salted, 0, b.rows, parallel) })
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(b.out, "  calls at the same time: %d\t%.0f\n", parallel, float64(b.rows)/took.Seconds())
	}
	return last, b.flush()
}

// flush prints a table of figures.
func (b *bench) flush() error {
	err := b.out.Flush()
	fmt.Println()
	return err
}

// median times what reads or writes want rows, after a run that counts for nothing.
func (b *bench) median(want int, scan func() (int, error)) (time.Duration, error) {
	var took []time.Duration
	for range b.runs + 1 {
		began := time.Now()
		n, err := scan()
		if err != nil {
			return 0, err
		}
		if n != want {
			return 0, fmt.Errorf("%d rows in place of %d", n, want)
		}
		took = append(took, time.Since(began))
	}
	took = took[1:]
	slices.Sort(took)
	return took[len(took)/2], nil
}

// question is a plan, how many rows it has, and two ways to read it.
type question struct {
	asks string
	plan *rowkey.Plan
	want int
	ways [2][]hbase.ScanOption
}

// scans asks questions of the salted table, one call after another and as many at
// the same time as there are buckets, and shows what filters do.
func (b *bench) scans(ctx context.Context, t *hbase.Table) error {
	all, err1 := salted.Scan(rowkey.FullScan())
	minute, err2 := salted.Scan(rowkey.Span("at", epoch.Add(time.Minute), epoch.Add(2*time.Minute)))
	// A host tells the salt, but stands behind the time: one bucket is read, and
	// most of its rows are other hosts'.
	host, err3 := salted.Scan(rowkey.Eq("host", eventAt(7).Host))
	moments := make([]time.Time, 200)
	for i := range moments {
		moments[i] = eventAt(i * (b.rows / len(moments))).At
	}
	narrow, err4 := unsalted.Scan(rowkey.In("at", moments...))
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return err
	}
	ways := func(opts ...hbase.ScanOption) [2][]hbase.ScanOption {
		return [2][]hbase.ScanOption{append(opts, hbase.Parallel(1)), append(slices.Clone(opts), hbase.Parallel(buckets))}
	}
	fmt.Fprintf(b.out, "merged scan of %d buckets\tone call after another\t%d at the same time\n", buckets, buckets)
	if err := b.ask(ctx, t, []question{
		{fmt.Sprintf("all %d rows", b.rows), all, b.rows, ways()},
		{"their keys", all, b.rows, ways(hbase.KeysOnly())},
		{"a minute: 600 rows", minute, 600, ways()},
		{"the first 100 rows", all.Limit(100), 100, ways()},
		{"the last 100 rows", all.Reversed().Limit(100), 100, ways()},
	}); err != nil {
		return err
	}
	if err := b.flush(); err != nil {
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
			took, err := b.median(q.want, func() (n int, err error) {
				for _, err := range t.ScanPlan(ctx, q.plan, opts...) {
					if err != nil {
						return n, err
					}
					n++
				}
				return n, nil
			})
			if err != nil {
				return fmt.Errorf("%s: %w", q.asks, err)
			}
			line += "\t" + took.Round(100*time.Microsecond).String()
			if q.want >= 10_000 {
				line += fmt.Sprintf(" (%.0f rows/s)", float64(q.want)/took.Seconds())
			}
		}
		fmt.Fprintln(b.out, line)
	}
	return nil
}

// hotKey writes an hour of events behind a day of others, by time alone and behind
// a salt, and shows how many requests each region server got.
func (b *bench) hotKey(ctx context.Context, c *cluster.Cluster) error {
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
		requests, err := c.Admin("writes", t.Name())
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
