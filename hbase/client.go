package hbase

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase/internal/thrift2"
)

// Client is a pool of connections to one Thrift2 gateway. It is safe for
// concurrent use.
type Client struct {
	addr    string // as it may be shown
	timeout time.Duration
	dial    func(context.Context) (wire, error) // has what is secret, and no one else
	release func()

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
// first connection, so that a wrong address shows at once.
func Dial(ctx context.Context, addr string, opts ...Option) (*Client, error) {
	o := options{header: http.Header{}, timeout: time.Minute, connections: 8}
	for _, opt := range opts {
		opt(&o)
	}
	bad := func(why string) (*Client, error) { return nil, &Error{Call: "dial", Err: explain(ErrArgument, why)} }
	if o.timeout <= 0 || o.connections < 1 {
		return bad("a timeout and a number of connections are above 0")
	}
	c := &Client{addr: addr, timeout: o.timeout, slots: make(chan struct{}, o.connections), release: func() {}}
	if !strings.Contains(addr, "://") {
		if len(o.header) > 0 {
			return bad("headers go over HTTP: the address begins with http:// or https://")
		}
		c.dial = func(ctx context.Context) (wire, error) {
			config := o.tls
			if config != nil && config.ServerName == "" {
				config = config.Clone()
				config.ServerName = hostOf(addr)
			}
			return dialSocket(ctx, addr, config)
		}
		ctx, cancel := context.WithTimeout(ctx, c.timeout)
		defer cancel()
		cn, err := c.get(ctx)
		if err != nil {
			return nil, &Error{Call: "dial", Err: err}
		}
		c.put(cn, true)
		return c, nil
	}
	u, err := url.Parse(addr)
	switch {
	case err != nil: // which would show all of it
		return bad("the address is no URL")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return bad("the address is host:port, http://host:port/ or https://host:port/")
	case u.User != nil || u.RawQuery != "":
		return bad("a user, password or token goes in a Header, not in the address")
	}
	transport := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		TLSClientConfig:     o.tls,
		ForceAttemptHTTP2:   true,
		MaxConnsPerHost:     o.connections,
		MaxIdleConnsPerHost: o.connections,
		IdleConnTimeout:     90 * time.Second,
	}
	client := &http.Client{
		Transport: withHeader{transport, o.header},
		// The headers are for this server, not for where it sends one.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	c.release = transport.CloseIdleConnections
	c.dial = func(context.Context) (wire, error) { return &post{url: addr, client: client}, nil }
	return c, nil
}

func hostOf(addr string) string {
	if i := strings.LastIndexByte(addr, ':'); i >= 0 {
		addr = addr[:i]
	}
	return strings.Trim(addr, "[]")
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

// Close closes the connections, those in use once their calls end.
func (c *Client) Close() error {
	c.mu.Lock()
	c.ended = true
	c.mu.Unlock()
	defer c.release()
	return c.drop()
}

// idleLong is how long a connection may be idle and be taken as good. Another one
// is looked at first, which costs a millisecond.
var idleLong = time.Second

// get gives a connection, once there is one to have.
func (c *Client) get(ctx context.Context) (*conn, error) {
	select {
	case c.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
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
	w, err := c.dial(ctx)
	if err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, err
	}
	return newConn(w), nil
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

// request is what one call is about, for its error.
type request struct {
	name   string
	table  string
	rng    *rowkey.Range
	write  bool // may not be sent twice
	filter bool // has a filter in words, which the server may not understand
}

// call makes a call of the service. If the connection turns out to be broken it
// is made again on another one, once; a call that writes only if nothing of it
// was sent.
func (c *Client) call(ctx context.Context, r request, f func(context.Context, *thrift2.THBaseServiceClient) error) error {
	if r.table != "" && !tableNames.MatchString(r.table) {
		return r.fail(explain(ErrArgument, "the name of a table has letters, digits, '_', '-' and '.', and perhaps a namespace and ':' in front"))
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	err, again := c.try(ctx, r, f)
	if again {
		err, _ = c.try(ctx, r, f)
	}
	if err == nil {
		return nil
	}
	var words *said
	switch {
	case !errors.Is(err, ErrServer):
	case r.filter && errors.As(err, &words):
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
	return &Error{Call: r.name, Table: r.table, Range: r.rng, Err: err}
}

const (
	tableExists = "tableExists"
	createTable = "createTable"
)

// tableNames are those that HBase admits; others are an internal error of the
// gateway's.
var tableNames = regexp.MustCompile(`^([A-Za-z0-9_]+:)?[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

func (c *Client) try(ctx context.Context, r request, f func(context.Context, *thrift2.THBaseServiceClient) error) (_ error, again bool) {
	cn, err := c.get(ctx)
	if err != nil {
		return err, false
	}
	cn.wire.begin()
	stop := context.AfterFunc(ctx, cn.wire.abort)
	err = f(ctx, cn.service)
	if !stop() && err == nil {
		c.put(cn, false) // the answer came as the time ran out: its wire is of no more use
		return nil, false
	}
	if err == nil {
		c.put(cn, true)
		return nil, false
	}
	err, good := reason(err)
	sent := cn.wire.sent()
	if ctx.Err() != nil { // whatever it has brought about
		err, good = ctx.Err(), false
	}
	c.put(cn, good)
	if !errors.Is(err, ErrLost) {
		return err, false
	}
	c.drop() // what broke this one may have broken all
	if r.write && sent {
		return fmt.Errorf("%w; what it writes may have been written or not", err), false
	}
	return err, true
}

// drop closes the idle connections.
func (c *Client) drop() error {
	c.mu.Lock()
	idle := c.idle
	c.idle = nil
	c.mu.Unlock()
	var err error
	for _, cn := range idle {
		err = errors.Join(err, cn.wire.Close())
	}
	return err
}

// CreateTable creates a table with its regions, which begin at the splits (see
// rowkey.Schema.Splits), and its column families. HBase's shell knows more
// options of a family; SplitKeys.Shell says the splits there.
func (c *Client) CreateTable(ctx context.Context, table string, splits rowkey.SplitKeys, families ...string) error {
	if len(families) == 0 {
		return &Error{Call: createTable, Table: table, Err: explain(ErrArgument, "a table has at least one column family")}
	}
	desc := &thrift2.TTableDescriptor{TableName: tableName(table)}
	for _, family := range families {
		desc.Columns = append(desc.Columns, &thrift2.TColumnFamilyDescriptor{Name: []byte(family)})
	}
	return c.call(ctx, request{name: createTable, table: table, write: true}, func(ctx context.Context, s *thrift2.THBaseServiceClient) error {
		return s.CreateTable(ctx, desc, splits)
	})
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
