package hbase

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase/internal/thrift2"
)

// Client is a pool of connections to a Thrift2 gateway, or to several. It is safe
// for concurrent use.
type Client struct {
	addr     string // as it may be shown
	timeout  time.Duration
	retry    retry
	stamp    bool
	watcher  Watcher
	gateways gateways
	hide     func(string) string // takes what is secret out of texts

	life   context.Context // until Close
	end    context.CancelFunc
	tables sync.Map // of *tableState by name

	slots chan struct{} // as many as there may be connections
	mu    sync.Mutex
	idle  []*conn
	ended bool
}

// Option is an option of Dial.
type Option func(*options)

type options struct {
	header      http.Header
	tls         *tls.Config
	timeout     time.Duration
	connections int
	retry       retry
	stamp       bool
	watcher     Watcher
}

// Header is sent with every request over HTTP. What it says is kept secret: it is
// in no error and in no text of the client.
func Header(name, value string) Option {
	return func(o *options) { o.header.Add(name, value) }
}

// AccessKey is the user and the password of Lindorm and of Alibaba Cloud's HBase,
// sent over HTTP as ACCESSKEYID and ACCESSSIGNATURE.
func AccessKey(id, signature string) Option {
	return func(o *options) {
		o.header["ACCESSKEYID"] = []string{id}
		o.header["ACCESSSIGNATURE"] = []string{signature}
	}
}

// TLS encrypts a socket. For HTTP, where https:// does so by itself, it says
// what to trust.
func TLS(config *tls.Config) Option {
	return func(o *options) { o.tls = config.Clone() }
}

// Timeout bounds each call of the server, if the context does not sooner. The
// default is a minute: longer than a region takes to find another server when its
// own has died.
func Timeout(d time.Duration) Option {
	return func(o *options) { o.timeout = d }
}

// Connections is how many calls may be under way at once, each on a connection
// of its own; others wait. The default is 8.
func Connections(n int) Option {
	return func(o *options) { o.connections = n }
}

// Dial makes a client of the gateway at addr: "host:port" is a socket,
// "http://host:port/" and "https://host:port/" are HTTP. Of a socket it makes the
// first connection and asks what is spoken there, Thrift in frames or without, so that
// a wrong address shows at once.
//
// Several gateways of one HBase have commas between them, "host1:9090,host2:9090".
// Each new connection goes to the next of them; one that cannot be reached is
// passed over, and asked again 5 seconds later. Dial succeeds if one answers.
func Dial(ctx context.Context, addr string, opts ...Option) (*Client, error) {
	o := options{header: http.Header{}, timeout: time.Minute, connections: 8, retry: retry{tries: 1}}
	for _, opt := range opts {
		opt(&o)
	}
	if o.timeout <= 0 || o.connections < 1 {
		return nil, refuseDial("a timeout and a number of connections are above 0")
	}
	if o.retry.tries < 1 || o.retry.wait < 0 {
		return nil, refuseDial("there is at least one try, and no wait is below 0")
	}
	c := &Client{addr: addr, timeout: o.timeout, retry: o.retry, stamp: o.stamp, watcher: o.watcher, slots: make(chan struct{}, o.connections), hide: hider(o.header)}
	c.life, c.end = context.WithCancel(context.Background())
	first := false
	for _, at := range strings.Split(addr, ",") {
		g, err := gatewayAt(at, &o)
		if err != nil {
			return nil, err
		}
		first = first || g.socket
		c.gateways.all = append(c.gateways.all, g)
	}
	if first {
		ctx, cancel := c.bound(ctx)
		defer cancel()
		cn, err := c.get(ctx)
		if err != nil {
			return nil, &Error{Call: "dial", Err: err, Retryable: transient(err)}
		}
		c.put(cn, true)
	}
	return c, nil
}

// withHeader adds headers to requests.
type withHeader struct {
	http.RoundTripper
	header http.Header
}

func (w withHeader) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	for name, values := range w.header {
		req.Header[name] = slices.Clone(values)
	}
	return w.RoundTripper.RoundTrip(req)
}

// String is the client's address.
func (c *Client) String() string { return "hbase " + c.addr }

// Format is String, whatever the verb: %+v would show what the client is made of.
func (c *Client) Format(s fmt.State, _ rune) { io.WriteString(s, c.String()) }

// Close ends the calls under way with ErrClosed and closes the connections.
func (c *Client) Close() error {
	c.mu.Lock()
	c.ended = true
	c.mu.Unlock()
	c.end()
	for _, g := range c.gateways.all {
		defer g.release()
	}
	return c.drop(nil)
}

// idleLong is how long a connection may be idle and be taken as good. Another one
// is looked at first, which costs a millisecond.
var idleLong = time.Second

// get gives a connection, once there is one to have.
func (c *Client) get(ctx context.Context) (*conn, error) {
	select {
	case c.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, c.over(ctx)
	}
	for {
		cn, err := c.take()
		switch {
		case err != nil:
			<-c.slots
			return nil, err
		case cn == nil:
			if cn, err = c.open(ctx); err != nil {
				<-c.slots
			}
			return cn, err
		case time.Since(cn.idle) < idleLong || cn.wire.alive():
			return cn, nil
		}
		cn.wire.Close()
	}
}

// take gives an idle connection, if there is one.
func (c *Client) take() (*conn, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.idle)
	switch {
	case c.ended:
		return nil, ErrClosed
	case n == 0:
		return nil, nil
	}
	cn := c.idle[n-1]
	c.idle = c.idle[:n-1]
	return cn, nil
}

// open makes a connection.
func (c *Client) open(ctx context.Context) (*conn, error) {
	w, g, err := c.gateways.open(ctx)
	if err != nil {
		if err, _ = c.reason(err); expired(ctx) {
			err = c.over(ctx)
		}
		return nil, err
	}
	cn := newConn(w)
	cn.gateway = g
	return cn, nil
}

// put gives a connection back, for others to use if it is good.
func (c *Client) put(cn *conn, good bool) {
	c.mu.Lock()
	if good = good && !c.ended; good {
		cn.idle = time.Now()
		c.idle = append(c.idle, cn)
	}
	c.mu.Unlock()
	if !good {
		cn.wire.Close()
	}
	<-c.slots
}

// request is what one call is about.
type request struct {
	name   string
	table  string
	rng    *rowkey.Range
	write  bool       // it may not be sent twice
	fixed  bool       // but with Retry it may: all that it writes has a time of the client's
	single bool       // it is tried once, whatever Retry says
	filter bool       // has a filter in words, which the server may not understand
	rows   int        // that it writes or asks for
	got    func() int // the rows that came, of a call that reads some
}

// service is what a call does at the gateway.
type service func(context.Context, *thrift2.THBaseServiceClient) error

// call makes a call of the service, as often as Retry says.
func (c *Client) call(ctx context.Context, r request, f service) error {
	if r.table != "" && !tableNames.MatchString(r.table) {
		return r.fail(explain(ErrArgument, "the name of a table has letters, digits, '_', '-' and '.', perhaps after a namespace and ':'"))
	}
	ctx, end := c.watch(ctx, &r)
	tries, err := c.repeat(ctx, &r, f)
	if err != nil {
		err = c.tell(ctx, &r, err)
	}
	end(tries, err)
	return err
}

// tell makes the error of a call of what it failed by.
func (c *Client) tell(ctx context.Context, r *request, err error) error {
	var words *said
	errors.As(err, &words)
	switch {
	case !errors.Is(err, ErrServer) || words != nil && !words.hbase:
	case r.filter && words != nil:
		words.text += " (so it does, too, if it does not understand a FilterString)"
	case r.table != "" && r.name != tableExists && r.name != createTable:
		// Some calls say of a table that there is not no more than its name.
		if exists, err := c.TableExists(ctx, r.table); err == nil && !exists {
			return r.fail(ErrNoTable)
		}
	}
	return r.fail(err)
}

// fail is the error of a call.
func (r *request) fail(err error) error {
	return &Error{Call: r.name, Table: r.table, Range: r.rng, Retryable: transient(err), Unsure: errors.Is(err, errUnsure), Err: err}
}

const (
	tableExists = "tableExists"
	createTable = "createTable"
)

// tableNames are those that HBase admits; others are an internal error of the
// gateway's.
var tableNames = regexp.MustCompile(`^([A-Za-z0-9_]+:)?[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

// bound is a context that ends at the latest with the client's Timeout or Close.
func (c *Client) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancelCause(ctx)
	forget := context.AfterFunc(c.life, func() { end(ErrClosed) })
	ctx, cancel := context.WithTimeoutCause(ctx, c.timeout, ErrTimeout)
	return ctx, func() {
		cancel()
		forget()
		end(nil)
	}
}

// expired reports, of a dial that failed, that the call's context has ended. The dialer
// of package net has a timer of its own for the deadline, which may be the first: then
// the context is waited for, because it knows whose deadline it was.
func expired(ctx context.Context) bool {
	if until, ok := ctx.Deadline(); ok && !time.Now().Before(until) {
		select {
		case <-ctx.Done():
		case <-time.After(time.Second): // a context that somebody wrote, and that never ends
		}
	}
	return ctx.Err() != nil
}

// over is why a call's context has ended.
func (c *Client) over(ctx context.Context) error {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, ErrTimeout):
		return explain(ErrTimeout, c.timeout.String())
	case errors.Is(cause, ErrClosed):
		return cause
	}
	return ctx.Err()
}

// once makes a call within the client's Timeout. If the connection turns out to be
// broken it is made again on another one, once; a call that writes only if nothing
// of it was sent. A gateway that cannot be reached leaves it to the others.
func (c *Client) once(ctx context.Context, r *request, f service) error {
	ctx, cancel := c.bound(ctx)
	defer cancel()
	for lost, left := false, len(c.gateways.all); ; {
		err, again := c.try(ctx, r, f)
		switch {
		case !again:
			return err
		case errors.Is(err, ErrUnreachable):
			if left--; left <= 0 {
				return err
			}
		case lost:
			return err
		default:
			lost = true
		}
	}
}

func (c *Client) try(ctx context.Context, r *request, f service) (_ error, again bool) {
	cn, err := c.get(ctx)
	if err != nil {
		return err, false
	}
	if ctx.Err() != nil { // what ends a call may come too late for one that is sent at once
		c.put(cn, true)
		return c.over(ctx), false
	}
	cn.wire.begin()
	stop := context.AfterFunc(ctx, cn.wire.abort)
	err = f(ctx, cn.service)
	usable := stop() // else the time ran out, be it as the answer came
	if err == nil {
		c.put(cn, usable)
		return nil, false
	}
	if in := cn.wire.input().err; in != nil { // the generated code keeps no more than its text
		err = in
	}
	sent := cn.wire.sent()
	var status *httpStatus
	var bad badAnswer
	open := errors.As(err, &bad) || errors.As(err, &status) && status.code >= 500
	err, good := c.reason(err)
	if ctx.Err() != nil { // whatever it has brought about
		err, good, open = c.over(ctx), false, true
		if p, ok := cn.wire.(*post); ok && !p.met.Load() && errors.Is(err, ErrTimeout) {
			err = fmt.Errorf("%w, and no HTTP was spoken so far (%s)", err, socketHint)
		}
	}
	c.put(cn, good && usable)
	lost := errors.Is(err, ErrLost)
	if lost {
		c.drop(cn.gateway) // what broke this one may have broken all
	}
	if errors.Is(err, ErrUnreachable) {
		c.gateways.avoid(cn.gateway)
		return err, true
	}
	if r.write && sent && (lost || open) {
		return &unsure{err}, false
	}
	return err, lost
}

// drop closes the idle connections to a gateway, or all of them.
func (c *Client) drop(g *gateway) error {
	c.mu.Lock()
	var idle []*conn
	c.idle = slices.DeleteFunc(c.idle, func(cn *conn) bool {
		if g != nil && cn.gateway != g {
			return false
		}
		idle = append(idle, cn)
		return true
	})
	c.mu.Unlock()
	var err error
	for _, cn := range idle {
		err = errors.Join(err, cn.wire.Close())
	}
	return err
}

// DropTable deletes a table and all its rows.
func (c *Client) DropTable(ctx context.Context, table string) error {
	err := c.call(ctx, request{name: "disableTable", table: table, write: true}, func(ctx context.Context, s *thrift2.THBaseServiceClient) error {
		return s.DisableTable(ctx, tableName(table))
	})
	if err != nil {
		return err
	}
	return c.call(ctx, request{name: "deleteTable", table: table, write: true}, func(ctx context.Context, s *thrift2.THBaseServiceClient) error {
		return s.DeleteTable(ctx, tableName(table))
	})
}

// TableExists reports whether there is such a table.
func (c *Client) TableExists(ctx context.Context, table string) (exists bool, err error) {
	err = c.call(ctx, request{name: tableExists, table: table}, func(ctx context.Context, s *thrift2.THBaseServiceClient) error {
		exists, err = s.TableExists(ctx, tableName(table))
		return err
	})
	return exists, err
}

// tableName is "name" or "namespace:name".
func tableName(table string) *thrift2.TTableName {
	if ns, name, ok := strings.Cut(table, ":"); ok {
		return &thrift2.TTableName{Ns: []byte(ns), Qualifier: []byte(name)}
	}
	return &thrift2.TTableName{Qualifier: []byte(table)}
}
