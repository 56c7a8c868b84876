package command

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ordersCSV writes a day of orders, a tenth of one seller, and is its name.
func ordersCSV(t testing.TB, n int) string {
	name := filepath.Join(t.TempDir(), "orders.csv")
	f, err := os.Create(name)
	require.NoError(t, err)
	defer f.Close()
	w := bufio.NewWriter(f)
	fmt.Fprintln(w, "at,seller,buyer,order")
	r := rand.New(rand.NewPCG(15, 16))
	sellers := rand.NewZipf(r, 1.1, 1, 100_000)
	day := time.Date(2026, 11, 11, 0, 0, 0, 0, time.UTC)
	for i := range n {
		at := day.Add(time.Duration(i) * (24 * time.Hour / time.Duration(n)))
		fmt.Fprintf(w, "%s,s-%d,b-%d,%d\n", at.Format("2006-01-02T15:04:05.000Z"), sellers.Uint64(), r.IntN(300_000), int64(202611110000000)+int64(i))
	}
	require.NoError(t, w.Flush())
	return name
}

var (
	byTime  = "time=[ms(at)][order:8]"
	shop    = "seller=[salt32(seller)][seller]['_'][max-ms(at)][order:8]"
	byOrder = "order=[salt32(values(seller,order))][seller]['_'][max-ms(at)][order:8]"
)

// Whatever is asked of it and however many rows come, the command takes some 28 MB,
// of which its program is ten, and where the machine is busy, and garbage waits, some more.
func TestSimulateMemory(t *testing.T) {
	const most = 36e6
	command := built(t)
	rows := ordersCSV(t, 300_000)
	peak := regexp.MustCompile(`(?m)^VmHWM:\s+(\d+) kB$`)
	for _, args := range []string{
		"-s SELLER --try=false ROWS",
		"-s SELLER --question Q1 --question Q2 ROWS",
		"-s TIME -s SELLER -s ORDER --question Q1 --try=false -o svg ROWS",
		"-s TIME -s SELLER -s ORDER --question Q1 --question Q2 -o html ROWS",
		"-s SELLER --sort --try=false ROWS",
		"-s TIME -s SELLER -s ORDER --sort -o json ROWS",
		"-s SELLER --rows 1e12 --try=false ROWS",
		"-s TIME -s SELLER --try=false -",
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			var words []string
			for _, w := range strings.Fields(args) {
				if is, ok := map[string]string{"ROWS": rows, "TIME": byTime, "SELLER": shop, "ORDER": byOrder,
					"Q1": "seller: seller=s-42 and at>=2026-11-11T18:00 and at<2026-11-11T19:00", "Q2": "minute: at:2026-11-11T20:30..2026-11-11T20:31"}[w]; ok {
					w = is
				}
				words = append(words, w)
			}
			c := exec.Command(command, append([]string{"simulate"}, words...)...)
			in, err := os.Open(rows)
			require.NoError(t, err)
			defer in.Close()
			c.Stdin, c.Stdout, c.Stderr = io.MultiReader(in), io.Discard, os.Stderr
			require.NoError(t, c.Start())
			ended := make(chan error, 1)
			go func() { ended <- c.Wait() }()
			bytes := 0
			for status := fmt.Sprintf("/proc/%d/status", c.Process.Pid); ; {
				select {
				case err := <-ended:
					require.NoError(t, err)
					t.Logf("%.1f MB", float64(bytes)/1e6)
					require.Greater(t, bytes, 5_000_000, "it was measured")
					assert.Less(t, bytes, int(most))
					return
				case <-time.After(2 * time.Millisecond): // the peak of what has ended is not to be had: its parent's would be in it
				}
				if text, err := os.ReadFile(status); err == nil {
					if m := peak.FindSubmatch(text); m != nil {
						kb, err := strconv.Atoi(string(m[1]))
						require.NoError(t, err)
						bytes = kb << 10
					}
				}
			}
		})
	}
}

// BenchmarkSimulate simulates one design over a million rows, beside reading the rows
// and encoding their keys alone, by the processor's time. The goal is four times.
func BenchmarkSimulate(b *testing.B) {
	command := built(b)
	const n = 1_000_000
	rows := ordersCSV(b, n)
	schema := strings.TrimPrefix(shop, "seller=")
	var took [2]time.Duration
	for b.Loop() {
		for i, args := range [][]string{{"encode", "-s", schema, "--in", "csv", "--skip-extra", "-o", "len", rows}, {"simulate", "-s", schema, "--try=false", rows}} {
			c := exec.Command(command, args...)
			c.Stderr = os.Stderr
			require.NoError(b, c.Run())
			took[i] += c.ProcessState.UserTime() + c.ProcessState.SystemTime()
		}
	}
	b.ReportMetric(float64(took[1])/float64(took[0]), "times-encode")
	b.ReportMetric(float64(b.N)*n/took[1].Seconds(), "rows/s")
}
