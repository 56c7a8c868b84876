package hbase

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/apache/thrift/lib/go/thrift"
	"github.com/hbase-rowkey/rowkey/hbase/internal/thrift2"
)

// conn is a connection and the service at its other end. One call at a time goes
// over it.
type conn struct {
	service *thrift2.THBaseServiceClient
	wire    wire
	gateway *gateway
	idle    time.Time // since when
}

// wire is what Thrift's messages go over.
type wire interface {
	thrift.TTransport
	begin()      // a call begins
	sent() bool  // something of it has left this machine
	abort()      // has what it waits for fail at once
	alive() bool // after a while without calls
}

func newConn(w wire) *conn {
	// The library's own limit of a message is 100 MB; it guards against a length
	// that is none.
	protocol := thrift.NewTBinaryProtocolConf(w, &thrift.TConfiguration{})
	return &conn{service: thrift2.NewTHBaseServiceClient(thrift.NewTStandardClient(protocol, protocol)), wire: w}
}

// socket is a wire over TCP, with TLS or without.
type socket struct {
	*bufio.Reader
	out  *bufio.Writer
	conn net.Conn
	left bool
}

const bufferSize = 1 << 16

func dialSocket(ctx context.Context, addr string, config *tls.Config) (*socket, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", addr)
	if err == nil && config != nil {
		t := tls.Client(c, config)
		if err = t.HandshakeContext(ctx); err != nil {
			c.Close()
		}
		c = t
	}
	if err != nil {
		return nil, explain(ErrUnreachable, err.Error())
	}
	s := &socket{Reader: bufio.NewReaderSize(c, bufferSize), conn: c}
	s.out = bufio.NewWriterSize(onWrite{c, &s.left}, bufferSize)
	return s, nil
}

// onWrite notes that something was written.
type onWrite struct {
	io.Writer
	left *bool
}

func (w onWrite) Write(b []byte) (int, error) {
	n, err := w.Writer.Write(b)
	*w.left = *w.left || n > 0
	return n, err
}

func (s *socket) Write(b []byte) (int, error)          { return s.out.Write(b) }
func (s *socket) WriteByte(b byte) error               { return s.out.WriteByte(b) }
func (s *socket) WriteString(text string) (int, error) { return s.out.WriteString(text) }
func (s *socket) Flush(context.Context) error          { return s.out.Flush() }
func (s *socket) RemainingBytes() uint64               { return ^uint64(0) } // not known
func (s *socket) Open() error                          { return nil }
func (s *socket) IsOpen() bool                         { return true }
func (s *socket) Close() error                         { return s.conn.Close() }
func (s *socket) begin()                               { s.left = false }
func (s *socket) sent() bool                           { return s.left }
func (s *socket) abort()                               { s.conn.SetDeadline(time.Unix(1, 0)) }

// alive looks whether the other end has gone: then there is something to read,
// the end of the stream.
func (s *socket) alive() bool {
	s.conn.SetReadDeadline(time.Now().Add(time.Millisecond))
	_, err := s.Peek(1)
	s.conn.SetReadDeadline(time.Time{})
	return errors.Is(err, os.ErrDeadlineExceeded)
}

// post is a wire over HTTP: a message is a request, and its answer the response.
// Connections are net/http's.
type post struct {
	url    string
	client *http.Client
	out    bytes.Buffer
	in     *bytes.Reader
	left   bool
}

// maxAnswer is the most bytes of a response, as of a message on a socket.
const maxAnswer = thrift.DEFAULT_MAX_MESSAGE_SIZE

func (p *post) Flush(ctx context.Context) error {
	p.left = true // whether or not: a broken request cannot be told from a broken answer
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, bytes.NewReader(p.out.Bytes()))
	if err != nil {
		return err
	}
	p.out.Reset()
	req.Header.Set("Content-Type", "application/x-thrift")
	req.Header.Set("Accept", "application/x-thrift")
	res, err := p.client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return httpStatus(res.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return err
	}
	p.in = bytes.NewReader(body)
	return nil
}

func (p *post) Read(b []byte) (int, error)           { return p.in.Read(b) }
func (p *post) ReadByte() (byte, error)              { return p.in.ReadByte() }
func (p *post) Write(b []byte) (int, error)          { return p.out.Write(b) }
func (p *post) WriteByte(b byte) error               { return p.out.WriteByte(b) }
func (p *post) WriteString(text string) (int, error) { return p.out.WriteString(text) }
func (p *post) RemainingBytes() uint64               { return uint64(p.in.Len()) }
func (p *post) Open() error                          { return nil }
func (p *post) IsOpen() bool                         { return true }
func (p *post) Close() error                         { return nil }
func (p *post) abort()                               {} // the request has the context
func (p *post) sent() bool                           { return p.left }
func (p *post) alive() bool                          { return true }

func (p *post) begin() {
	p.left = false
	p.out.Reset()
	p.in = bytes.NewReader(nil)
}
