//go:build nightly

package hbase_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase/internal/cluster/shared"
	"github.com/stretchr/testify/require"
)

// HBase's own splits and the simulated ones agree: in number within one, and in the
// hottest region's share within five points. Rising keys, and keys in no order.
func TestSimulatedSplits(t *testing.T) {
	c := shared.Server(t)
	client := on(t)
	// Of keys that rise the last region takes all rows until it splits, so the hottest share
	// rises to 22 % and falls to 15 % at each split. The rows end in the middle between two
	// splits: else a split that comes one flush early or late changes the share by a third.
	const n, value, steps = 88_000, 200, 88
	day := time.Date(2026, 11, 11, 0, 1, 0, 0, time.UTC)
	for _, notation := range []string{"[ms(at)][order:8]", "[order:8][ms(at)]"} {
		t.Run(notation, func(t *testing.T) {
			t.Parallel()
			s := rowkey.Must(rowkey.Parse("t", notation))
			r := rand.New(rand.NewPCG(3, 4))
			var rows []simulatedRow
			for i := range n {
				rows = append(rows, simulatedRow{"s", day.Add(time.Duration(i) * 2 * time.Millisecond), r.Uint64()})
			}
			const flush, most = 1 << 20, 4 << 20
			sim := simulate(t, s, rows, "--regions", "1", "--flush", "1", "--max-file", "4", "--jitter", "0", "--value-bytes", strconv.Itoa(value))

			var starts []string
			for _, reg := range sim.Regions {
				starts = append(starts, reg.Start)
			}
			simulated := hottest(t, s, rows, starts)

			// A busy server flushes and splits later than it was due, and then elsewhere:
			// it is given the rows anew, more slowly.
			for _, pause := range []time.Duration{400, 700, 1000} {
				name := fmt.Sprintf("t%d", tables.Add(1))
				_, err := c.Admin("create", name, strconv.Itoa(flush), strconv.Itoa(most))
				require.NoError(t, err)
				table := client.Table(name)
				for i := range steps {
					writeRows(t, table, s, rows[i*n/steps:(i+1)*n/steps], value, r)
					time.Sleep(pause * time.Millisecond)
				}
				regions := map[string]float64{}
				for same := 0; same < 8; { // until it has split what it had to
					now := len(regions)
					regions, _ = writtenShares(t, c, name)
					if same++; len(regions) != now {
						same = 0
					}
					time.Sleep(500 * time.Millisecond)
				}
				starts = slices.Collect(maps.Keys(regions))
				real := hottest(t, s, rows, starts)
				t.Logf("%d regions, simulated %d; the hottest has %.1f %% of the rows, simulated %.1f %%", len(regions), len(sim.Regions), 100*real, 100*simulated)
				if more := len(regions) - len(sim.Regions); more*more <= 1 && math.Abs(real-simulated) <= 0.05 {
					return
				}
			}
			t.Error("HBase did not split as simulated")
		})
	}
}

// hottest is the largest part of the rows that a region has, of regions with these
// starts in hexadecimal: counters begin anew when a region is split.
func hottest(t *testing.T, s *rowkey.Schema, rows []simulatedRow, starts []string) float64 {
	var splits rowkey.SplitKeys
	for _, start := range starts {
		if start != "" {
			b, err := hex.DecodeString(start)
			require.NoError(t, err)
			splits = append(splits, b)
		}
	}
	slices.SortFunc(splits, bytes.Compare)
	counts := make([]int, len(splits)+1)
	most := 0
	for _, r := range rows {
		key, err := s.AppendKey(nil, simulatedValues(s, r)...)
		require.NoError(t, err)
		i := splits.Region(key)
		counts[i]++
		most = max(most, counts[i])
	}
	return float64(most) / float64(len(rows))
}
