// Package shared gives the tests of all packages one real HBase. The first test that asks
// for it starts it, in a process of its own, which ends soon after the last package that
// uses it. Tests of several packages use it at the same time; one that kills servers waits
// until it is alone, and the others wait for it.
package shared

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/rpc"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey/hbase/internal/cluster"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// HBase is a running HBase, as a test uses it.
type HBase struct {
	Socket    string // host:port of the gateway on a socket
	HTTP      string // http://host:port of the one over HTTP
	ZooKeeper string // host:port, for programs that speak HBase's own protocol
	Root      string // file:///…, hbase.rootdir

	host  *rpc.Client
	turns *turns
}

// Kill ends a server at once, as a crash does.
func (h *HBase) Kill(name string) error { return h.host.Call("Host.Kill", name, new(string)) }

// Restart starts a server that was killed, on the port that it had, and waits for it.
func (h *HBase) Restart(ctx context.Context, name string) error {
	call := h.host.Go("Host.Restart", name, new(string), nil)
	select {
	case <-call.Done:
		return call.Error
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Admin runs a command of HBase's own client, see Admin.java, and gives its answer.
func (h *HBase) Admin(words ...string) (answer string, err error) {
	err = h.host.Call("Host.Admin", words, &answer)
	return answer, err
}

// CPU is the processor time that each server has used.
func (h *HBase) CPU() (used map[string]time.Duration, err error) {
	err = h.host.Call("Host.CPU", "", &used)
	return used, err
}

// ServerAt is the name of the region server at host:port.
func (h *HBase) ServerAt(address string) (name string, err error) {
	err = h.host.Call("Host.ServerAt", address, &name)
	return name, err
}

var (
	asked   sync.Once
	running *HBase
	failed  error
)

// Main is a package's TestMain.
func Main(m *testing.M) {
	if os.Getenv(hosting) != "" {
		if err := host(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	code := m.Run()
	if running != nil {
		running.host.Close()
	}
	os.Exit(code)
}

// FirstTable is a number for the first table of a package's tests: those of other
// packages in the same HBase have others.
func FirstTable() int64 { return int64(os.Getpid()) * 1000 }

// Server is a real HBase. Where Java, Maven or HBase's jars are missing, the test is left
// out and says so, unless the environment's ROWKEY_HBASE asks for more: "fetch" has Maven
// get the jars, "required" does too and fails where a test would be left out, "off" leaves
// it out anywhere.
func Server(t *testing.T) *HBase {
	t.Helper()
	h, missing := server(t)
	if h == nil {
		t.Skip(missing)
	}
	h.share(t)
	return h
}

// Alone is Server for a test that kills servers: no other test uses them meanwhile. Those
// that it leaves dead are restarted.
func Alone(t *testing.T) *HBase {
	t.Helper()
	h, missing := server(t)
	if h == nil {
		t.Skip(missing)
	}
	require.NoError(t, h.turns.take(true))
	t.Cleanup(func() {
		assert.NoError(t, h.host.Call("Host.Revive", "", new(string)))
		h.turns.give()
	})
	return h
}

// share has tests that kill servers wait until t has ended.
func (h *HBase) share(t *testing.T) {
	t.Helper()
	require.NoError(t, h.turns.take(false))
	t.Cleanup(h.turns.give)
}

// ServerOr is the address of a real HBase's gateway, or, where Server would leave the test out,
// of what instead gives.
func ServerOr(t *testing.T, instead func(t *testing.T) string) string {
	t.Helper()
	if h, _ := server(t); h != nil {
		h.share(t)
		return h.Socket
	}
	return instead(t)
}

// server is a real HBase, or why there is none.
func server(t *testing.T) (_ *HBase, missing string) {
	t.Helper()
	want := os.Getenv("ROWKEY_HBASE")
	if want == "off" {
		return nil, "it needs a real HBase, and ROWKEY_HBASE=off leaves that out"
	}
	asked.Do(func() {
		if want == "" && cluster.Ready() == nil && !cluster.Fetched() {
			failed = errNotFetched
			return
		}
		running, failed = attach()
	})
	switch {
	case want != "required" && (errors.Is(failed, cluster.ErrMissing) || failed == errNotFetched):
		return nil, failed.Error()
	case failed != nil:
		t.Fatal(failed)
	}
	return running, ""
}

// attach starts an HBase unless one runs that this package may use. Packages do so one
// after another, and not while a test is alone, which may have killed servers.
func attach() (*HBase, error) {
	if err := cluster.Ready(); err != nil {
		return nil, err
	}
	place, err := newPlace()
	if err != nil {
		return nil, err
	}
	one, err := place.lock("attach")
	if err != nil {
		return nil, err
	}
	defer one.Close()
	turns, err := place.turns()
	if err != nil {
		return nil, err
	}
	for range 2 { // the second time it is one that this process started
		h, err := place.use(turns)
		if err == nil {
			h.turns = turns
			return h, nil
		}
		if !errors.Is(err, errNone) {
			return nil, err
		}
		if err := place.start(os.Stderr); err != nil {
			return nil, err
		}
	}
	return nil, errNone
}

// errNotFetched is that a download was not asked for.
var errNotFetched = errors.New("HBase's jars are not on this machine: ROWKEY_HBASE=fetch has Maven get them, 135 MB")

// errNone is that no HBase runs that this package may use.
var errNone = errors.New("hbase: none runs")

// use asks the process that runs HBase for its use. That process ends if this package has
// used it before, as soon as no other package does.
func (p place) use(turns *turns) (*HBase, error) {
	for waited := time.Duration(0); ; {
		h, err := p.ask(turns)
		if h != nil || err == errNone {
			return h, err
		}
		switch err.Error() {
		case inUse:
			if waited == 0 {
				fmt.Fprintln(os.Stderr, "waiting for HBase: another run of the tests uses it")
			}
		case ended:
			if waited > time.Minute {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("hbase: the shared HBase: %w", err)
		}
		waited += pause
		time.Sleep(pause)
	}
}

const pause = 50 * time.Millisecond

// ask is one question of use.
func (p place) ask(turns *turns) (*HBase, error) {
	if err := turns.take(false); err != nil {
		return nil, err
	}
	defer turns.give()
	conn, err := net.Dial("unix", p.socket())
	if err != nil {
		return nil, errNone
	}
	h := &HBase{host: rpc.NewClient(conn)}
	var at [4]string
	err = h.host.Call("Host.Use", p.who, &at)
	if err == nil {
		h.Socket, h.HTTP, h.ZooKeeper, h.Root = at[0], at[1], at[2], at[3]
		return h, nil
	}
	h.host.Close()
	if _, told := err.(rpc.ServerError); !told { // it ended between the dial and the call
		return nil, errNone
	}
	return nil, err
}

// start starts the process that runs HBase, and shows what it says until HBase is up.
func (p place) start(log io.Writer) error {
	began := time.Now()
	out, ended, err := p.spawn()
	if err != nil {
		return err
	}
	defer out.Close()
	lines := bufio.NewReader(out)
	for over := false; ; {
		line, err := lines.ReadString('\n')
		if line == up {
			fmt.Fprintf(log, "HBase is up after %v\n", time.Since(began).Round(time.Second))
			return nil
		}
		fmt.Fprint(log, line)
		switch {
		case err == nil:
		case over:
			return errors.New("hbase: the shared HBase did not start")
		default: // no more lines for now
			select {
			case <-ended:
				over = true
			case <-time.After(50 * time.Millisecond):
			}
		}
	}
}
