//go:build unix

package shared

import (
	"errors"
	"net"
	"net/rpc"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An HBase that ends while a package asks for it is none: that package starts its own.
func TestEndsMeanwhile(t *testing.T) {
	p := place{dir: t.TempDir(), who: "here"}
	turns, err := p.turns()
	require.NoError(t, err)
	_, err = p.use(turns)
	assert.ErrorIs(t, err, errNone, "nobody listens")

	l, err := net.Listen("unix", p.socket())
	require.NoError(t, err)
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conn.Close()
		}
	}()
	_, err = p.use(turns)
	assert.ErrorIs(t, err, errNone, "the connection ends")
}

// refusing is a host that has an answer for everybody.
type refusing struct{ says error }

func (r *refusing) Use(string, *[4]string) error { return r.says }

// What a running HBase answers is no reason to start another.
func TestRefuses(t *testing.T) {
	p := place{dir: t.TempDir(), who: "here"}
	l, err := net.Listen("unix", p.socket())
	require.NoError(t, err)
	defer l.Close()
	server := rpc.NewServer()
	require.NoError(t, server.RegisterName("Host", &refusing{assert.AnError}))
	go server.Accept(l)
	turns, err := p.turns()
	require.NoError(t, err)
	_, err = p.use(turns)
	assert.ErrorContains(t, err, assert.AnError.Error())
	assert.NotErrorIs(t, err, errNone)
}

// waiting refuses for a while, since others use HBase.
type waiting struct{ left int }

func (w *waiting) Use(_ string, at *[4]string) error {
	if w.left--; w.left > 0 {
		return errors.New(inUse)
	}
	*at = [4]string{"socket"}
	return nil
}

// A second run of a package waits until no package of the first uses HBase, and lets them
// begin tests meanwhile.
func TestWaitsForOthers(t *testing.T) {
	p := place{dir: t.TempDir(), who: "here"}
	l, err := net.Listen("unix", p.socket())
	require.NoError(t, err)
	defer l.Close()
	host := &waiting{left: 3}
	server := rpc.NewServer()
	require.NoError(t, server.RegisterName("Host", host))
	go server.Accept(l)
	turns, err := p.turns()
	require.NoError(t, err)
	h, err := p.use(turns)
	require.NoError(t, err)
	assert.Equal(t, "socket", h.Socket)
	assert.Zero(t, host.left)
	assert.Zero(t, turns.held)
}

// Tests of several packages share HBase, and one that is alone is alone. A package is a
// file of its own, open in this process.
func TestTurns(t *testing.T) {
	const packages, tests = 4, 40
	p := place{dir: t.TempDir()}
	var using, together atomic.Int32
	var all sync.WaitGroup
	for n := range packages {
		turns, err := p.turns()
		require.NoError(t, err)
		all.Add(1)
		go func() {
			defer all.Done()
			for i := range tests {
				alone := i%packages == n
				if !assert.NoError(t, turns.take(alone)) {
					return
				}
				switch now := using.Add(1); {
				case alone:
					assert.EqualValues(t, 1, now, "alone, with others")
					assert.NoError(t, turns.take(false), "what a test that is alone asks for again")
					turns.give()
				case now > 1:
					together.Add(1)
				}
				time.Sleep(time.Millisecond)
				if alone {
					assert.EqualValues(t, 1, using.Load(), "another has begun")
				}
				using.Add(-1)
				turns.give()
			}
		}()
	}
	all.Wait()
	assert.Positive(t, together.Load(), "none was shared")

	turns, err := p.turns()
	require.NoError(t, err)
	require.NoError(t, turns.take(false))
	assert.ErrorContains(t, turns.take(true), "no other can be alone")
	turns.give()
	assert.NoError(t, turns.take(true))
}
