package shared

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/rpc"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hbase-rowkey/rowkey/hbase/internal/cluster"
)

const (
	hosting = "ROWKEY_HBASE_HOST" // in the environment of the process that runs HBase: its place
	up      = "up\n"              // its last line
	ended   = "this HBase was used by the package before, and ends"
	inUse   = "this HBase was used by the package before, and other packages use it"

	// idle is how long HBase waits for the next package, which may still be compiled.
	idle = 30 * time.Second
)

// Host is what the process that runs HBase does for tests.
type Host struct {
	c     *cluster.Cluster
	conns atomic.Int32 // how many packages use it, or ask for it

	mu    sync.Mutex
	users map[string]bool // the packages that have used it
	stop  chan struct{}
}

// Use is asked once by each package: a second run of the same one would find the tables of
// the first. It gives the addresses that HBase has.
func (h *Host) Use(who string, at *[4]string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.users[who] {
		if h.conns.Load() > 1 {
			return errors.New(inUse)
		}
		select {
		case <-h.stop:
		default:
			close(h.stop)
		}
		return errors.New(ended)
	}
	h.users[who] = true
	*at = [4]string{h.c.Socket, h.c.HTTP, h.c.ZooKeeper(), h.c.Root()}
	return h.c.Revive(context.Background()) // a package that failed may have left servers dead
}

// Revive restarts the servers that a test has left dead.
func (h *Host) Revive(_ string, _ *string) error { return h.c.Revive(context.Background()) }

func (h *Host) Kill(name string, _ *string) error { return h.c.Kill(name) }
func (h *Host) Restart(name string, _ *string) error {
	return h.c.Restart(context.Background(), name)
}

func (h *Host) Admin(words []string, answer *string) (err error) {
	*answer, err = h.c.Admin(words...)
	return err
}

func (h *Host) CPU(_ string, used *map[string]time.Duration) (err error) {
	*used, err = h.c.CPU()
	return err
}

func (h *Host) ServerAt(address string, name *string) (err error) {
	*name, err = h.c.ServerAt(address)
	return err
}

// host runs HBase until no package has used it for a while.
func host() error {
	p := place{dir: os.Getenv(hosting)}
	c, err := cluster.Start(context.Background(), cluster.Config{Log: os.Stderr})
	if err != nil {
		return err
	}
	defer c.Stop()
	os.Remove(p.socket())
	l, err := net.Listen("unix", p.socket())
	if err != nil {
		return err
	}
	defer l.Close()
	h := &Host{c: c, users: map[string]bool{}, stop: make(chan struct{})}
	server := rpc.NewServer()
	if err := server.Register(h); err != nil {
		return err
	}
	conns, gone := make(chan net.Conn), make(chan struct{})
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conns <- conn
		}
	}()
	fmt.Fprint(os.Stderr, up)
	timer := time.NewTimer(idle)
	for {
		select {
		case conn := <-conns:
			h.conns.Add(1)
			go func() {
				server.ServeConn(conn)
				h.conns.Add(-1)
				gone <- struct{}{}
			}()
		case <-gone:
			timer.Reset(idle)
		case <-h.stop:
			return nil
		case <-timer.C:
			if h.conns.Load() == 0 {
				return nil
			}
		}
	}
}
