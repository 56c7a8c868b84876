//go:build unix

package hbase_test

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/apache/thrift/lib/go/thrift"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// heldPort is a port that refuses connections until listen is called. A port that was closed would be free for every
// process of the machine in between.
func heldPort(t *testing.T) (addr string, listen func() (net.Listener, error)) {
	syscall.ForkLock.RLock()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(fd)
	}
	syscall.ForkLock.RUnlock()
	require.NoError(t, err)
	held := os.NewFile(uintptr(fd), "held")
	t.Cleanup(func() { held.Close() })
	require.NoError(t, syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	at, err := syscall.Getsockname(fd)
	require.NoError(t, err)
	return fmt.Sprintf("127.0.0.1:%d", at.(*syscall.SockaddrInet4).Port), func() (net.Listener, error) {
		if err := syscall.Listen(fd, 128); err != nil {
			return nil, err
		}
		l, err := net.FileListener(held) // which has a descriptor of its own
		held.Close()
		return l, err
	}
}

// A write that could not be sent is tried again, whatever it is.
func TestRetryOfWhatWasNotSent(t *testing.T) {
	f := newFake(t)
	addr, listen := heldPort(t)
	table := dial(t, "http://"+addr+"/", hbase.Retry(50, 20*time.Millisecond)).Table("t")
	go func() {
		time.Sleep(50 * time.Millisecond)
		back, err := listen()
		if !assert.NoError(t, err) {
			return
		}
		web := &http.Server{Handler: http.HandlerFunc(thrift.NewThriftHandlerFunc(f.processor,
			thrift.NewTBinaryProtocolFactoryConf(nil), thrift.NewTBinaryProtocolFactoryConf(nil)))}
		t.Cleanup(func() { web.Close() })
		web.Serve(back)
	}()
	now, err := table.Increment(ctx, []byte("n"), hbase.Count{Family: "f", Qualifier: "n", N: 5})
	require.NoError(t, err)
	assert.Equal(t, []hbase.Count{{Family: "f", Qualifier: "n", N: 5}}, now)
	assert.Equal(t, []string{"increment"}, f.took())
}

// A gateway that could not be reached is passed over for a while, and then asked again.
func TestGatewayComesBack(t *testing.T) {
	defer func(was time.Duration) { *hbase.DownFor = was }(*hbase.DownFor)
	*hbase.DownFor = time.Hour
	at, listen := heldPort(t)
	up := newFake(t)
	c := dial(t, at+","+up.addr)
	require.NoError(t, c.Ping(ctx))
	back := newFake(t, func(on net.Listener) net.Listener {
		on.Close()
		again, err := listen()
		require.NoError(t, err)
		return again
	})
	up.took()
	for range 4 {
		up.drop() // so that the next call needs a new connection
		require.NoError(t, c.Ping(ctx))
	}
	assert.Empty(t, back.took())
	*hbase.DownFor = 0
	for range 4 {
		up.drop()
		back.drop()
		require.NoError(t, c.Ping(ctx))
	}
	assert.NotEmpty(t, back.took())
}
