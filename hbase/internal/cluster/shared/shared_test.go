//go:build unix

package shared

import (
	"net"
	"net/rpc"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An HBase that ends while a package asks for it is none: that package starts its own.
func TestEndsMeanwhile(t *testing.T) {
	p := place{dir: t.TempDir(), who: "here"}
	_, err := p.use()
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
	_, err = p.use()
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
	_, err = p.use()
	assert.ErrorContains(t, err, assert.AnError.Error())
	assert.NotErrorIs(t, err, errNone)
}
