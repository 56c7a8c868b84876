package memory

import (
	"context"
	"errors"
	"net"
	"sync"

	"github.com/apache/thrift/lib/go/thrift"
	"github.com/hbase-rowkey/rowkey/hbase/internal/thrift2"
)

// Gateway answers the calls that come to a socket.
type Gateway struct {
	Processor thrift.TProcessor // of the service

	listener net.Listener

	mu    sync.Mutex
	conns map[net.Conn]bool // all that came since the last Drop
}

// Serve starts a gateway for a service, which Stop ends.
func Serve(l net.Listener, s thrift2.THBaseService) *Gateway {
	g := &Gateway{Processor: Processor(s), listener: l, conns: map[net.Conn]bool{}}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			g.mu.Lock()
			g.conns[conn] = true
			g.mu.Unlock()
			go g.serve(conn)
		}
	}()
	return g
}

// Conns is how many connections came since the last Drop.
func (g *Gateway) Conns() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.conns)
}

// Drop closes all connections.
func (g *Gateway) Drop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for conn := range g.conns {
		conn.Close()
	}
	clear(g.conns)
}

// Stop ends a gateway.
func (g *Gateway) Stop() {
	g.listener.Close()
	g.Drop()
}

type connKey struct{}

// Conn is the connection of a call; nil if it came by none of a gateway's.
func Conn(ctx context.Context) net.Conn {
	conn, _ := ctx.Value(connKey{}).(net.Conn)
	return conn
}

func (g *Gateway) serve(conn net.Conn) {
	defer conn.Close()
	protocol := thrift.NewTBinaryProtocolConf(thrift.NewStreamTransport(conn, conn), &thrift.TConfiguration{})
	ctx := context.WithValue(context.Background(), connKey{}, conn)
	for {
		ok, err := g.Processor.Process(ctx, protocol, protocol)
		if io := (*thrift2.TIOError)(nil); !ok || err != nil && !errors.As(err, &io) { // an answer, too
			return
		}
	}
}
