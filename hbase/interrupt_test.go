package hbase_test

import (
	"bytes"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// said is what a program has said so far.
type said struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *said) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// Ctrl-C has the quickstart drop its tables, whenever it comes; a second one while it
// does has it say which are left.
func TestQuickstartInterrupted(t *testing.T) {
	program := filepath.Join(t.TempDir(), "quickstart")
	build := exec.Command("go", "build", "-tags", "hbase", "-o", program, ".")
	build.Dir = "../examples/quickstart"
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	// At the call of a name that comes as the nth.
	type at struct {
		call string
		nth  int
	}
	for _, test := range []struct {
		name   string
		signal []at
		left   int
	}{
		{"as orders are put", []at{{"putMultiple", 20}}, 0},
		{"as orders are asked for", []at{{"getScannerResults", 30}}, 0},
		{"as the first table is made", []at{{"createTable", 1}}, 0},
		{"as the last table is made", []at{{"createTable", 3}}, 0},
		{"as rows are put", []at{{"putMultiple", 2}}, 0},
		{"as a question is asked", []at{{"getScannerResults", 5}}, 0},
		{"as tables are dropped", []at{{"disableTable", 1}}, 0},
		{"twice, and one is dropped", []at{{"getScannerResults", 3}, {"disableTable", 2}}, 2},
		{"twice, and none is dropped", []at{{"putMultiple", 1}, {"disableTable", 1}}, 1},
		{"twice, as a table is made", []at{{"createTable", 2}, {"createTable", 2}}, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFake(t)
			f.mu.Lock()
			delete(f.rows, "t")
			f.mu.Unlock()
			cmd := exec.Command(program, "-hbase", f.addr)
			if !strings.HasPrefix(test.name, "as orders") {
				cmd.Args = append(cmd.Args, "-csv", "testdata/files.csv")
			}
			cmd.Dir = build.Dir
			var stderr said
			cmd.Stderr = &stderr
			var counts [8]atomic.Int32
			started := make(chan struct{})
			f.on(func(call string, conn net.Conn) {
				for i, s := range test.signal {
					if call == s.call && int(counts[i].Add(1)) == s.nth {
						<-started
						cmd.Process.Signal(syscall.SIGINT)
						// It gets there before the answer, however busy the machine is: the first
						// has it say so, the second has it hang up.
						if i > 0 {
							conn.SetReadDeadline(time.Now().Add(30 * time.Second))
							if _, err := conn.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
								t.Error("the second interrupt is not heeded")
							}
							continue
						}
						for end := time.Now().Add(30 * time.Second); !strings.Contains(stderr.String(), "interrupted"); time.Sleep(time.Millisecond) {
							if time.Now().After(end) {
								t.Error("the first interrupt is not heeded")
								break
							}
						}
					}
				}
			})
			require.NoError(t, cmd.Start())
			close(started)
			err := cmd.Wait()
			f.on(nil)
			require.Error(t, err)
			assert.Contains(t, stderr.String(), "quickstart: interrupted: dropping its tables; Ctrl-C again leaves them\n")
			f.mu.Lock()
			defer f.mu.Unlock()
			if test.left == 0 {
				assert.Empty(t, f.rows)
				assert.Contains(t, stderr.String(), "quickstart: interrupted; its tables are dropped\n")
				return
			}
			_, left, found := strings.Cut(stderr.String(), "left at "+f.addr+": ")
			require.True(t, found, stderr.String())
			assert.Equal(t, test.left, strings.Count(left, "rowkey-quickstart-"), stderr.String())
			for name := range f.rows {
				assert.Contains(t, left, name)
			}
		})
	}
}
