package hbase

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"sync/atomic"
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
	input() *input
	begin()      // a call begins
	sent() bool  // something of it has left this machine
	abort()      // has what it waits for fail at once
	alive() bool // after a while without calls
}

func newConn(w wire) *conn {
	p := newProtocol(w)
	return &conn{service: thrift2.NewTHBaseServiceClient(thrift.NewTStandardClient(p, p)), wire: w}
}

// socket is a wire over TCP, with TLS or without, in frames or without.
type socket struct {
	in    *input
	out   *bufio.Writer
	frame *bytes.Buffer // the message of a call, if they are in frames
	conn  net.Conn
	left  bool
}

const bufferSize = 1 << 16

// unreachable is why there is no connection.
type unreachable string

func (u unreachable) Error() string { return string(u) }

func dialSocket(ctx context.Context, addr string, config *tls.Config, framed bool) (*socket, error) {
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
		return nil, unreachable(err.Error())
	}
	s := &socket{in: newInput(c), conn: c}
	s.out = bufio.NewWriterSize(onWrite{c, &s.left}, bufferSize)
	if framed {
		s.in.framed, s.frame = true, new(bytes.Buffer)
	}
	return s, nil
}

// dialFirst makes the first connection and finds out what is spoken at its other
// end: Thrift, Thrift in frames, or something else, which is an error.
func dialFirst(ctx context.Context, dial func(framed bool) (*socket, error)) (s *socket, framed bool, err error) {
	for _, framed := range []bool{false, true} {
		if s, err = dial(framed); err != nil {
			return nil, false, err
		}
		known, err := s.probe(ctx)
		if err == nil && known {
			return s, framed, nil
		}
		s.Close()
		if err == nil { // a server may end the connection after a call that it does not know
			s, err = dial(framed)
			return s, framed, err
		}
		if ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		var bad badAnswer
		if errors.As(err, &bad) && bad != errFramed {
			return nil, false, unreachable(bad)
		}
	}
	return nil, false, unreachable("the server ends the connection when it is asked in Thrift's binary protocol, in frames or without")
}

// probeSeq is two ends of lines: who waits for one, as a server of HTTP does, answers.
const probeSeq = 0x0d0a0d0a

// probe asks for the server's type, a call that older ones do not know, and answer
// all the same.
func (s *socket) probe(ctx context.Context) (known bool, err error) {
	defer context.AfterFunc(ctx, s.abort)()
	s.begin()
	p := newProtocol(s)
	if err := errors.Join(
		p.WriteMessageBegin(ctx, "getThriftServerType", thrift.CALL, probeSeq),
		p.WriteFieldStop(ctx),
		p.Flush(ctx)); err != nil {
		return false, err
	}
	_, kind, seq := s.in.message()
	if s.in.err == nil && (seq != probeSeq || kind != thrift.REPLY && kind != thrift.EXCEPTION) {
		s.in.fail(errNoThrift)
	}
	for {
		typ, id := s.in.field()
		switch {
		case typ == thrift.STOP:
			return kind == thrift.REPLY, s.in.end()
		case kind == thrift.REPLY && id == 0 && typ == thrift.I32:
			if s.in.i32() == 1 {
				s.in.fail(badAnswer("the server speaks HBase's first Thrift interface, and this client Thrift2, which another gateway speaks (hbase thrift2 start)"))
			}
		default:
			s.in.skip(typ, maxDepth)
		}
	}
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

// message is where messages are written.
func (s *socket) message() interface {
	io.Writer
	io.ByteWriter
	io.StringWriter
} {
	if s.frame != nil {
		return s.frame
	}
	return s.out
}

func (s *socket) Flush(context.Context) error {
	if s.frame != nil {
		s.out.Write(binary.BigEndian.AppendUint32(nil, uint32(s.frame.Len())))
		s.out.Write(s.frame.Bytes()) // whose error stays until the next line
	}
	return s.out.Flush()
}

func (s *socket) begin() {
	s.left = false
	s.in.begin()
	if s.frame != nil {
		if s.frame.Reset(); s.frame.Cap() > keptBuffer {
			s.frame = new(bytes.Buffer)
		}
	}
}

func (s *socket) abort() {
	s.in.ended.Store(true)
	s.conn.SetDeadline(time.Unix(1, 0))
}

func (s *socket) input() *input                        { return s.in }
func (s *socket) Read(b []byte) (int, error)           { return s.in.Read(b) }
func (s *socket) ReadByte() (byte, error)              { return s.in.ReadByte() }
func (s *socket) Write(b []byte) (int, error)          { return s.message().Write(b) }
func (s *socket) WriteByte(b byte) error               { return s.message().WriteByte(b) }
func (s *socket) WriteString(text string) (int, error) { return s.message().WriteString(text) }
func (s *socket) RemainingBytes() uint64               { return ^uint64(0) } // not known
func (s *socket) Open() error                          { return nil }
func (s *socket) IsOpen() bool                         { return true }
func (s *socket) Close() error                         { return s.conn.Close() }
func (s *socket) sent() bool                           { return s.left }

// alive looks whether the other end has gone: then there is something to read,
// the end of the stream.
func (s *socket) alive() bool {
	s.conn.SetReadDeadline(time.Now().Add(time.Millisecond))
	_, err := s.in.Peek(1)
	s.conn.SetReadDeadline(time.Time{})
	return errors.Is(err, os.ErrDeadlineExceeded)
}

// post is a wire over HTTP: a message is a request, and its answer the response.
// Connections are net/http's.
type post struct {
	url    string
	client *http.Client
	met    *atomic.Bool // HTTP was spoken at the other end
	out    bytes.Buffer
	body   bytes.Buffer // of the response
	in     *input
	left   bool
}

const socketHint = "the address of a gateway on a socket is host:port, without http://"

// keptBuffer is the largest buffer that a connection keeps between calls.
const keptBuffer = 8 << 20

func newPost(url string, client *http.Client, met *atomic.Bool) *post {
	p := &post{url: url, client: client, met: met}
	p.in = newInput(&p.body)
	return p
}

func (p *post) Flush(ctx context.Context) error {
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		// From then on it may be sent, be it broken; before, there was no server.
		GotConn: func(httptrace.GotConnInfo) { p.left = true },
	})
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, bytes.NewReader(p.out.Bytes()))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-thrift")
	req.Header.Set("Accept", "application/x-thrift")
	res, err := p.client.Do(req)
	switch {
	case err != nil && !p.left:
		return unreachable(err.Error())
	case err != nil && !p.met.Load() && ctx.Err() == nil:
		// net/http has many words for an answer that is not HTTP, or comes too soon.
		return fmt.Errorf("%w (%s)", err, socketHint)
	case err != nil:
		return err
	}
	defer res.Body.Close()
	p.met.Store(true)
	if res.StatusCode != http.StatusOK {
		page, _ := io.ReadAll(io.LimitReader(res.Body, maxPage))
		return &httpStatus{res.StatusCode, string(page)}
	}
	n, err := io.Copy(&p.body, io.LimitReader(res.Body, int64(maxAnswer)+1))
	if err == nil && n > int64(maxAnswer) {
		err = badAnswer(fmt.Sprintf("the answer is longer than %d MB", maxAnswer>>20))
	}
	return err
}

// maxPage is how much is read of a page that a server sends in place of an answer.
const maxPage = 1 << 16

func (p *post) begin() {
	p.left = false
	for _, b := range []*bytes.Buffer{&p.out, &p.body} {
		if b.Reset(); b.Cap() > keptBuffer {
			*b = bytes.Buffer{}
		}
	}
	p.in.Reset(&p.body)
	p.in.begin()
}

func (p *post) input() *input                        { return p.in }
func (p *post) Read(b []byte) (int, error)           { return p.in.Read(b) }
func (p *post) ReadByte() (byte, error)              { return p.in.ReadByte() }
func (p *post) Write(b []byte) (int, error)          { return p.out.Write(b) }
func (p *post) WriteByte(b byte) error               { return p.out.WriteByte(b) }
func (p *post) WriteString(text string) (int, error) { return p.out.WriteString(text) }
func (p *post) RemainingBytes() uint64               { return ^uint64(0) } // not asked for
func (p *post) Open() error                          { return nil }
func (p *post) IsOpen() bool                         { return true }
func (p *post) Close() error                         { return nil }
func (p *post) abort()                               { p.in.ended.Store(true) } // and the request has the context
func (p *post) sent() bool                           { return p.left }
func (p *post) alive() bool                          { return true }
