package hbase_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/internal/cluster/shared"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What rowkey simulate says of rows is held against the real HBase: the same rows are
// written there, and its own counters are read.

// simulatedRow is a row of these tests.
type simulatedRow struct {
	seller string
	at     time.Time
	order  uint64
}

// simulated is what the command says of a design.
type simulated struct {
	Hottest struct{ Worst float64 } `json:"hottest_region"`
	Regions []struct {
		Start string
		Share float64
	}
	Questions []struct {
		Name   string
		Ranges int
		Read   int64 `json:"rows_read"`
		Wanted int64 `json:"rows_wanted"`
	}
}

// simulate runs the command of this clone over the rows.
func simulate(t *testing.T, s *rowkey.Schema, rows []simulatedRow, args ...string) simulated {
	dir := t.TempDir()
	bin := filepath.Join(dir, "rowkey")
	build, err := exec.Command("go", "build", "-o", bin, "../cmd/rowkey").CombinedOutput()
	require.NoError(t, err, "%s", build)
	var csv strings.Builder
	csv.WriteString("seller,at,order\n")
	for _, r := range rows {
		fmt.Fprintf(&csv, "%s,%s,%d\n", r.seller, r.at.Format("2006-01-02T15:04:05.000Z"), r.order)
	}
	file := filepath.Join(dir, "rows.csv")
	require.NoError(t, os.WriteFile(file, []byte(csv.String()), 0o600))
	c := exec.Command(bin, append([]string{"simulate", "-s", s.String(), "-o", "json", "--try=false", "--servers", "2", "--rows", strconv.Itoa(len(rows))}, append(args, file)...)...)
	c.Stderr = os.Stderr
	out, err := c.Output()
	require.NoError(t, err)
	var report struct{ Designs []simulated }
	require.NoError(t, json.Unmarshal(out, &report))
	require.Len(t, report.Designs, 1)
	return report.Designs[0]
}

// writeRows writes the rows to a table, a value of some bytes in each.
func writeRows(t *testing.T, table *hbase.Table, s *rowkey.Schema, rows []simulatedRow, value int, values *rand.Rand) {
	written, err := table.PutAll(ctx, func(yield func(hbase.Row, error) bool) {
		for _, r := range rows {
			key, err := s.AppendKey(nil, simulatedValues(s, r)...)
			v := make([]byte, value)
			for i := range v {
				v[i] = byte(values.Uint32())
			}
			if !yield(hbase.Row{Key: key, Cells: []hbase.Cell{{Family: "f", Qualifier: "q", Value: v}}}, err) {
				return
			}
		}
	}, 4)
	require.NoError(t, err)
	require.Equal(t, len(rows), written)
}

func simulatedValues(s *rowkey.Schema, r simulatedRow) (vals []any) {
	for f := range s.Fields() {
		switch f.Name {
		case "seller":
			vals = append(vals, r.seller)
		case "at":
			vals = append(vals, r.at)
		case "order":
			vals = append(vals, r.order)
		}
	}
	return vals
}

// writtenShares are the parts of the writes that each region counted, by its start.
func writtenShares(t *testing.T, c *shared.HBase, table string) (shares map[string]float64, total int) {
	answer, err := c.Admin("regions", table)
	require.NoError(t, err)
	counts := map[string]int{}
	for _, word := range strings.Fields(answer) {
		start, n, ok := strings.Cut(word, "=")
		require.True(t, ok, word)
		count, err := strconv.Atoi(n)
		require.NoError(t, err)
		counts[strings.TrimPrefix(start, "-")] = count
		total += count
	}
	shares = map[string]float64{}
	for start, n := range counts {
		shares[start] = float64(n) / float64(total)
	}
	return shares, total
}

// The servers' own counters of writes give the shares that were simulated, within one
// percentage point, and the metrics of scans the rows that a question reads.
func TestSimulatedSharesAndQuestions(t *testing.T) {
	c := shared.Server(t)
	client := on(t)
	s := rowkey.Must(rowkey.Parse("trades", "[salt16(seller)][seller]['_'][max-ms(at)][order:8]"))
	splits, err := s.Splits(16)
	require.NoError(t, err)
	table := create(t, client, splits)
	r := rand.New(rand.NewPCG(1, 2))
	sellers := rand.NewZipf(r, 1.1, 1, 10_000)
	day := time.Date(2026, 11, 11, 0, 0, 0, 0, time.UTC)
	var rows []simulatedRow
	for i := range 30_000 {
		rows = append(rows, simulatedRow{fmt.Sprint("s-", sellers.Uint64()), day.Add(time.Duration(i) * time.Second), uint64(i)})
	}
	var text strings.Builder
	for _, k := range splits {
		fmt.Fprintf(&text, "%x\n", k)
	}
	file := filepath.Join(t.TempDir(), "splits.txt")
	require.NoError(t, os.WriteFile(file, []byte(text.String()), 0o600))
	from, to := day.Add(2*time.Hour), day.Add(5*time.Hour)
	conds := map[string][]rowkey.Cond{
		"one":   {rowkey.Eq("seller", "s-1"), rowkey.Span("at", from, to)},
		"three": {rowkey.In("seller", "s-0", "s-3", "s-77")},
		"all":   {rowkey.Span("at", from, to), rowkey.FullScan()},
	}
	sim := simulate(t, s, rows, "--splits", file, "--question", "one: seller=s-1 and at>=2026-11-11T02:00:00Z and at<2026-11-11T05:00:00Z",
		"--question", "three: seller in s-0,s-3,s-77", "--question", "all: at>=2026-11-11T02:00:00Z and at<2026-11-11T05:00:00Z")

	writeRows(t, table, s, rows, 8, r)
	shares, total := writtenShares(t, c, table.Name())
	require.Len(t, shares, 16)
	require.Len(t, sim.Regions, 16)
	assert.Equal(t, len(rows), total)
	off := 0.0
	for _, reg := range sim.Regions {
		off = max(off, abs(shares[reg.Start]-reg.Share))
	}
	t.Logf("16 regions: simulated shares differ from the servers' counters by at most %.4f points", 100*off)
	assert.Less(t, off, 0.01)

	for _, q := range sim.Questions {
		plan, err := s.Scan(conds[q.Name]...)
		require.NoError(t, err)
		scanned := int64(0)
		for r := range plan.Ranges() {
			bound := func(b []byte) string {
				if len(b) == 0 {
					return "-"
				}
				return hex.EncodeToString(b)
			}
			answer, err := c.Admin("scanned", table.Name(), bound(r.Start()), bound(r.Stop()))
			require.NoError(t, err)
			var n, rows int64
			_, err = fmt.Sscan(answer, &n, &rows)
			require.NoError(t, err, answer)
			scanned += n
		}
		t.Logf("%s: %d ranges, %d rows simulated, %d scanned", q.Name, q.Ranges, q.Read, scanned)
		assert.Equal(t, scanned, q.Read, q.Name)
		assert.Positive(t, q.Wanted)
	}
}

func abs(x float64) float64 { return max(x, -x) }
