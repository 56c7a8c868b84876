//go:build nightly

package rekey_test

import (
	"context"
	"encoding/hex"
	"sync"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey/change"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/internal/cluster/shared"
	"github.com/hbase-rowkey/rowkey/hbase/rekey"
)

// TestLargeChange is TestChange with 200,000 rows, in some minutes. Besides, regions are split
// and moved, major compactions are forced all the time, and a region server is killed while rows
// are moved.
func TestLargeChange(t *testing.T) {
	s := shared.Alone(t)
	start = time.Now()
	w := newWorld(t, onServer(t), ten, wide, 200_000, false)
	t.Logf("%6.1fs %d rows are written", time.Since(start).Seconds(), len(w.rows))
	w.slow, w.rest, w.dying = 3*time.Second, 5*time.Second, 6
	v := rekey.Verifying{Parallel: 4, Wait: 5 * time.Second}
	tables := []string{w.table(change.InOld).Name(), w.table(change.InNew).Name()}

	over := make(chan struct{})
	var disturbing sync.WaitGroup
	disturbing.Add(1)
	go func() { // compactions, one after the other
		defer disturbing.Done()
		for n := 0; ; n++ {
			select {
			case <-over:
				t.Logf("%d major compactions", n)
				return
			case <-time.After(3 * time.Second):
			}
			if _, err := s.Admin("compact", tables[n%2]); err != nil { // its region moves meanwhile
				t.Logf("compact: %v", err)
			}
		}
	}()
	w.run(3, 2, 1)
	w.step(change.Prepare)
	w.step(change.WriteBoth)

	killed := make(chan struct{})
	go func() {
		defer close(killed)
		time.Sleep(2 * time.Second)
		for i, key := range [][]byte{w.rows[100].key, w.rows[60_000].key} {
			_, err := s.Admin("split", tables[1], hex.EncodeToString(key))
			t.Logf("%6.1fs split %d: %v", time.Since(start).Seconds(), i, err)
		}
		w.killServer()
	}()
	w.move(change.InOld, 2, v)
	<-killed
	w.step(change.ReadNew)
	_, err := s.Admin("split", tables[0], "0300")
	t.Logf("split of the old table: %v", err)
	w.step(change.Keep)
	w.step(change.ReadNew) // back
	w.move(change.InNew, 1, v)
	w.step(change.WriteBoth)
	w.move(change.InOld, 0, v)
	w.step(change.ReadNew) // forward again
	close(over)
	disturbing.Wait()
	w.closes()
	w.equal()
	t.Logf("%6.1fs %d written, %d read, %d not acknowledged, %d writers ended between their writes; both tables are equal",
		time.Since(start).Seconds(), w.puts.Load(), w.reads.Load(), w.failed.Load(), w.kills.done.Load())
}

// killServer kills the region server of the new table's first region and starts it
// again. A local file system, unlike HDFS, loses what a killed process had not passed
// on: writers pause until it is in files.
func (w *world) killServer() {
	s := shared.Server(w.t)
	w.pause.Lock()
	for _, name := range []string{w.table(change.InOld).Name(), w.table(change.InNew).Name(), "rowkey_change", "hbase:meta"} {
		if _, err := s.Admin("flush", name); err != nil {
			w.fault(err)
		}
	}
	var regions []hbase.Region
	regions, err := w.table(change.InNew).Regions(context.Background())
	w.fault(err)
	name, err := s.ServerAt(regions[0].Server)
	w.fault(err)
	w.fault(s.Kill(name))
	w.pause.Unlock()
	w.t.Logf("%6.1fs %s is killed", time.Since(start).Seconds(), name)
	w.fault(s.Restart(context.Background(), name))
	w.t.Logf("%6.1fs %s is started again", time.Since(start).Seconds(), name)
}
