package command

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey/simulate"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What simulate says of a table, a program in Python counts, too: the verdict, the period,
// the share of each region, server and value, and the rows that share a key.
func TestSimulateCounted(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		if os.Getenv("ROWKEY_TOOLS") == "required" {
			t.Fatal("no python3 on this machine, and ROWKEY_TOOLS=required")
		}
		t.Skip("no python3 on this machine: simulate is not held against another program's counts")
	}
	dir := t.TempDir()
	c := exec.Command("python3", "testdata/count.py", dir)
	c.Stderr = os.Stderr
	out, err := c.Output()
	require.NoError(t, err)
	type share struct {
		Mean, Worst float64
		At          int64
	}
	tables := 0
	patterns := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		var want struct {
			Name, Notation, Pattern, Value string
			Window                         float64 `json:"window_seconds"`
			From, To                       int64
			Region, Server                 share
			Takes, Lost, Share, Blamed     float64
			Table                          int
			TableLost                      *float64 `json:"table_lost"`
			Shares, Keys                   []float64
		}
		require.NoError(t, json.Unmarshal([]byte(line), &want))
		tables++
		patterns[want.Pattern] = true
		t.Run(want.Name, func(t *testing.T) {
			file := dir + "/" + want.Name
			text, errs, code := call("", "simulate", "-q", "-s", want.Notation, "--try=false", "--rows", fmt.Sprint(want.Table), "--splits", file+".splits", "-o", "json", file+".csv")
			require.Equal(t, 0, code, errs)
			var r simulate.Report
			require.NoError(t, json.Unmarshal([]byte(text), &r))
			d := r.Designs[0]
			near := func(want, got float64, what string) { assert.InDelta(t, want, got, 1e-12, what) }
			assert.Equal(t, want.Pattern, d.Pattern)
			assert.Equal(t, time.Unix(want.From, 0).UTC(), r.From.UTC())
			assert.Equal(t, time.Unix(want.To, 0).UTC(), r.To.UTC())
			near(want.Window, r.Window, "window")
			near(want.Region.Mean, d.Region.Mean, "region, mean")
			near(want.Region.Worst, d.Region.Worst, "region, worst")
			assert.Equal(t, time.Unix(want.Region.At, 0).UTC(), d.Region.At.UTC())
			near(want.Server.Mean, d.Server.Mean, "server, mean")
			near(want.Server.Worst, d.Server.Worst, "server, worst")
			near(want.Takes, d.Takes, "takes")
			require.Len(t, d.Regions, len(want.Shares))
			for i, share := range want.Shares {
				near(share, d.Regions[i].Share, fmt.Sprint("region ", i))
			}
			assert.Equal(t, want.Keys, []float64{float64(d.Shortest), float64(d.Longest), d.Mean})
			near(want.Lost, d.Lost, "rows that share a key")
			if want.TableLost == nil {
				assert.Nil(t, d.TableLost)
			} else if assert.NotNil(t, d.TableLost) {
				assert.InDelta(t, *want.TableLost, *d.TableLost, 0.001+0.1**want.TableLost)
			}
			atLeast := func(want, got float64, what string) {
				assert.LessOrEqual(t, got, want+1e-12, what)
				assert.InDelta(t, want, got, 0.01, what)
			}
			all, there := 0, 0
			for _, h := range d.Hot {
				switch {
				case h.Of != "all rows":
					there++
					atLeast(want.Blamed, h.Share, "value in the hottest region")
				case all == 0:
					all++
					assert.Equal(t, want.Value, h.Value)
					atLeast(want.Share, h.Share, "value of all rows")
				}
			}
			assert.Equal(t, want.Share > 0.5/8, all > 0, "a value with more than half of a server's part is named")
			assert.Equal(t, want.Blamed >= 0.5, there > 0)
		})
	}
	assert.Equal(t, 4, tables)
	assert.GreaterOrEqual(t, len(patterns), 3, patterns)
}
