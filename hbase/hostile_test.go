package hbase_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/thrift/lib/go/thrift"
	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/internal/memory"
	"github.com/hbase-rowkey/rowkey/hbase/internal/thrift2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What servers do that are not as they should be, or not servers of Thrift at all.

// soon fails if something took longer than the moment that it may.
func soon(t *testing.T, began time.Time) {
	t.Helper()
	assert.Less(t, time.Since(began), 20*time.Second, "the Timeout is a minute")
}

// listen has each connection handled.
func listen(t *testing.T, handle func(net.Conn)) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				handle(conn)
			}()
		}
	}()
	return l.Addr().String()
}

// A server passes over that a scan is reversed: that is an error, not an empty answer.
func TestPassesOverReversed(t *testing.T) {
	f := newFake(t)
	c := dial(t, f.addr)
	table := c.Table("t")
	_, err := table.PutAll(ctx, rowsOf(50, new(atomic.Int64)), 1)
	require.NoError(t, err)
	f.forward = true
	first := func(r rowkey.Range, opts ...hbase.ScanOption) (n int, err error) {
		for _, err := range table.Scan(ctx, r, append(opts, hbase.Reversed())...) {
			if err != nil {
				return n, err
			}
			n++
		}
		return n, nil
	}
	few := between(t, "r00010", "r00020")
	require.NoError(t, table.Put(ctx, rowOf("\xffa")))
	require.NoError(t, table.Put(ctx, rowOf("\xffb")))
	for _, r := range []rowkey.Range{few, rowkey.PrefixRange(nil), rowkey.PrefixRange([]byte{0xff}), rowkey.PrefixRange([]byte("r"))} {
		for _, opts := range [][]hbase.ScanOption{nil, {hbase.Batch(1)}, {hbase.KeysOnly()}, {hbase.FilterString("X()")}} {
			n, err := first(r, opts...)
			assert.Zero(t, n, "%v", r)
			assert.ErrorIs(t, err, hbase.ErrServer, "%v", r)
			assert.ErrorContains(t, err, "it passes over that the scan is reversed")
			assert.ErrorContains(t, err, "hbase: getScannerResults t [")
		}
	}
	schema := rowkey.New("r").String("key").MustBuild()
	plan, err := schema.Scan(rowkey.Prefix("key", "r0001"))
	require.NoError(t, err)
	for _, p := range []*rowkey.Plan{plan.Reversed(), plan.Reversed().Limit(1)} {
		for _, err := range table.ScanPlan(ctx, p) {
			assert.ErrorContains(t, err, "it passes over that the scan is reversed")
		}
	}
	n, err := first(between(t, "x", "y"))
	assert.NoError(t, err, "there is no row either way")
	assert.Zero(t, n)

	// A server that reads backward is asked once, and only if it gave nothing.
	f.forward = false
	f.took()
	n, err = first(between(t, "x", "y"))
	require.NoError(t, err)
	assert.Zero(t, n)
	assert.Len(t, f.took(), 2, "and one row forward")
	n, err = first(few)
	require.NoError(t, err)
	assert.Equal(t, 10, n)
	f.took()
	_, err = first(between(t, "x", "y"))
	require.NoError(t, err)
	assert.Len(t, f.took(), 1, "that is known now")
	_, err = first(few, hbase.FilterString("X()"))
	require.NoError(t, err)

	// A filter that lets nothing through is no such server.
	other := dial(t, f.addr).Table("t")
	f.spoil = func(rows []*thrift2.TResult_) []*thrift2.TResult_ {
		if f.asked[len(f.asked)-1].FilterString != nil {
			return rows[:0]
		}
		return rows
	}
	assert.Empty(t, keysOf(t, other.Scan(ctx, few, hbase.FilterString("X()"), hbase.Reversed())))
}

// Rows that come twice or out of order are an error of Scan and Open, too.
func TestOutOfOrder(t *testing.T) {
	f := newFake(t)
	table := dial(t, f.addr).Table("t")
	_, err := table.PutAll(ctx, rowsOf(300, new(atomic.Int64)), 1)
	require.NoError(t, err)
	whole := rowkey.PrefixRange(nil)
	keysOf(t, table.Scan(ctx, whole, hbase.Reversed())) // so that it is known to read backward
	swap := func(i, j int) func([]*thrift2.TResult_) []*thrift2.TResult_ {
		return func(rows []*thrift2.TResult_) []*thrift2.TResult_ {
			if rows = slices.Clone(rows); len(rows) > max(i, j) {
				rows[i], rows[j] = rows[j], rows[i]
			}
			return rows
		}
	}
	for name, spoil := range map[string]func([]*thrift2.TResult_) []*thrift2.TResult_{
		"two exchanged": swap(1, 2),
		"one twice": func(rows []*thrift2.TResult_) []*thrift2.TResult_ {
			return slices.Insert(slices.Clone(rows), len(rows)/2, rows[len(rows)/2])
		},
		"the first again": func(rows []*thrift2.TResult_) []*thrift2.TResult_ {
			return append(slices.Clone(rows), f.rows["t"][150])
		},
	} {
		f.spoil = spoil
		for _, opts := range [][]hbase.ScanOption{nil, {hbase.Reversed()}, {hbase.KeysOnly()}} {
			n := 0
			var failed error
			for _, err := range table.Scan(ctx, whole, opts...) {
				if failed = err; err == nil {
					n++
				}
			}
			assert.ErrorContains(t, failed, "came twice or out of order", name)
			assert.ErrorIs(t, failed, hbase.ErrServer)
			assert.Less(t, n, 300)
		}
		c, err := table.Open(ctx, whole, false)
		require.NoError(t, err)
		for err == nil {
			_, err = c.Next()
		}
		assert.ErrorIs(t, err, hbase.ErrServer, name)
		require.NoError(t, c.Close())
	}
	// A server that gives a batch before the one asked for would never end.
	f.spoil = func(rows []*thrift2.TResult_) []*thrift2.TResult_ { return f.rows["t"][:min(len(rows), 20)] }
	var failed error
	for _, err := range table.Scan(ctx, whole, hbase.Batch(20)) {
		failed = err
	}
	assert.ErrorContains(t, failed, "came twice or out of order")
}

// What reads by keys answer is held against the keys: a result for each, in their order.
func TestNotAsked(t *testing.T) {
	f := newFake(t)
	table := dial(t, f.addr).Table("t")
	_, err := table.PutAll(ctx, rowsOf(10, new(atomic.Int64)), 1)
	require.NoError(t, err)
	all := f.rows["t"]
	keys := [][]byte{all[3].Row, []byte("none"), all[2].Row, all[2].Row, all[7].Row}
	found, err := table.GetAll(ctx, keys)
	require.NoError(t, err)
	require.Len(t, found, 4)
	for name, c := range map[string]struct {
		spoil func([]*thrift2.TResult_) []*thrift2.TResult_
		says  string
	}{
		"another row": {func([]*thrift2.TResult_) []*thrift2.TResult_ { return all[4:9] }, "row 0 of its answer was not asked for"},
		"two exchanged": {func(rows []*thrift2.TResult_) []*thrift2.TResult_ {
			rows[0], rows[4] = rows[4], rows[0]
			return rows
		}, "row 1 of its answer was not asked for, or is out of order"},
		"one more":   {func(rows []*thrift2.TResult_) []*thrift2.TResult_ { return append(rows, rows[4]) }, "row 4 of its answer"},
		"some alone": {func(rows []*thrift2.TResult_) []*thrift2.TResult_ { return rows[:2] }, "2 results of its answer, of 5 keys"},
	} {
		f.spoil = c.spoil
		_, err := table.GetAll(ctx, keys)
		assert.ErrorContains(t, err, "hbase: getMultiple t: the server failed: "+c.says, name)
		assert.ErrorIs(t, err, hbase.ErrServer, name)
	}
	f.spoil = func([]*thrift2.TResult_) []*thrift2.TResult_ { return all[4:5] }
	_, _, err = table.Get(ctx, all[3].Row)
	assert.EqualError(t, err, "hbase: get t: the server failed: row 0 of its answer was not asked for, or is out of order")
}

// bigRows is n rows of a megabyte.
func bigRows(n int) func(func(hbase.Row, error) bool) {
	value := make([]byte, 1<<20-1<<12)
	return func(yield func(hbase.Row, error) bool) {
		for i := range n {
			if !yield(hbase.Row{Key: fmt.Appendf(nil, "big%04d", i), Cells: []hbase.Cell{{Family: "f", Value: value}}}, nil) {
				return
			}
		}
	}
}

// A server whose answers have no room for two rows: a reversed scan, which begins each call with
// the last row again, is an error and no end.
func TestLargestRowsReversed(t *testing.T) {
	f := newFake(t)
	bounded := true
	f.bound(func(rows, bytes int) bool { // rows without cells are small
		return bounded && f.asked[len(f.asked)-1].FilterBytes == nil && bytes > 1<<20
	})
	table := dial(t, f.addr).Table("t")
	for i := range 3 {
		row := hbase.Row{Key: fmt.Appendf(nil, "big%04d", i), Cells: []hbase.Cell{{Family: "f", Value: make([]byte, 1<<21)}}}
		require.NoError(t, table.Put(ctx, row))
	}
	whole := rowkey.PrefixRange(nil)
	assert.Len(t, keysOf(t, table.Scan(ctx, whole)), 3)
	var got []string
	for row, err := range table.Scan(ctx, whole, hbase.Reversed()) {
		if err != nil {
			assert.ErrorIs(t, err, hbase.ErrServer)
			assert.ErrorContains(t, err, "rows are as large as its answers may be")
			got = append(got, "error")
			break
		}
		got = append(got, string(row.Key))
	}
	assert.Equal(t, []string{"big0002", "error"}, got)
	bounded = false
	assert.Len(t, keysOf(t, table.Scan(ctx, whole, hbase.Reversed())), 3)
	assert.Len(t, keysOf(t, table.Scan(ctx, whole, hbase.Reversed(), hbase.Batch(1))), 3)
}

// Rows of a megabyte: no call brings many of them, however many there are.
func TestLargeRows(t *testing.T) {
	f := newFake(t)
	var most atomic.Int64
	f.bound(func(rows, bytes int) bool {
		if n := int64(bytes); n > most.Load() {
			most.Store(n)
		}
		return false
	})
	table := dial(t, f.addr).Table("t")
	f.took()
	n, err := table.PutAll(ctx, bigRows(100), 4)
	require.NoError(t, err)
	assert.Equal(t, 100, n)
	assert.Len(t, f.took(), 100, "each goes alone")

	whole := rowkey.PrefixRange(nil)
	assert.Len(t, keysOf(t, table.Scan(ctx, whole)), 100)
	assert.LessOrEqual(t, most.Load(), int64(8<<20), "the first call, when nothing was known")
	for _, opts := range [][]hbase.ScanOption{nil, {hbase.Reversed()}, {hbase.Columns("f")}} {
		most.Store(0)
		assert.Len(t, keysOf(t, table.Scan(ctx, whole, opts...)), 100)
		assert.LessOrEqual(t, most.Load(), int64(3<<20))
	}
	schema := rowkey.New("r").String("key").MustBuild()
	plan, err := schema.Scan(rowkey.Prefix("key", "big"))
	require.NoError(t, err)
	most.Store(0)
	assert.Len(t, keysOf(t, table.ScanPlan(ctx, plan, hbase.MultiRange())), 100)
	assert.LessOrEqual(t, most.Load(), int64(3<<20))

	var keys [][]byte
	for r := range bigRows(100) {
		keys = append(keys, r.Key)
	}
	f.took()
	rows, err := table.GetAll(ctx, keys)
	require.NoError(t, err)
	assert.Len(t, rows, 100)
	assert.GreaterOrEqual(t, len(f.took()), 33, "three rows a call at most")
	fresh := dial(t, f.addr).Table("t")
	f.took()
	rows, err = fresh.GetAll(ctx, keys)
	require.NoError(t, err)
	assert.Len(t, rows, 100)
	assert.Len(t, f.took(), 1+92/2, "8, then two a call")
	require.NoError(t, table.Delete(ctx, keys...))
}

// What a server takes at once is bounded: Lindorm's takes 2000 rows.
func TestManyKeys(t *testing.T) {
	f := newFake(t)
	table := dial(t, f.addr).Table("t")
	const n = 4500
	_, err := table.PutAll(ctx, rowsOf(n, new(atomic.Int64)), 1)
	require.NoError(t, err)
	var keys [][]byte
	for r := range rowsOf(n, new(atomic.Int64)) {
		keys = append(keys, r.Key)
	}
	f.took()
	rows, err := table.GetAll(ctx, append(slices.Clone(keys), []byte("none")))
	require.NoError(t, err)
	require.Len(t, rows, n)
	for i := range rows {
		require.Equal(t, keys[i], rows[i].Key)
	}
	assert.Len(t, f.took(), 8, "8, 64, 256, and up to 1000 in five more")

	var calls atomic.Int64
	f.on(func(_ string, conn net.Conn) {
		if calls.Add(1) == 4 {
			conn.Close()
		}
	})
	err = table.Delete(ctx, keys...)
	assert.ErrorIs(t, err, hbase.ErrLost)
	assert.ErrorContains(t, err, "(the first 3000 of 4500 are deleted)")
	f.on(nil)
	f.took()
	require.NoError(t, table.Delete(ctx, keys...))
	assert.Len(t, f.took(), 5)
	long := make([][]byte, 100)
	for i := range long {
		long[i] = append(bytes.Repeat([]byte{'k'}, 32760), fmt.Sprint(i)...)
	}
	require.NoError(t, table.Delete(ctx, long...))
	assert.Len(t, f.took(), 4, "three megabytes of keys")
}

// Servers of other protocols are found out at once, and named.
func TestWrongProtocols(t *testing.T) {
	web := httptest.NewServer(http.NotFoundHandler())
	defer web.Close()
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	defer secure.Close()
	f := newFake(t)
	first := newFake(t)
	first.processor.(*thrift2.THBaseServiceProcessor).AddToProcessorMap("getThriftServerType", memory.ServerType(1))
	for _, server := range []struct{ name, addr, says string }{
		{"SSH", listen(t, func(c net.Conn) { io.WriteString(c, "SSH-2.0-OpenSSH_9.2\r\n"); io.Copy(io.Discard, c) }), "the server speaks SSH"},
		{"a text of HTTP", listen(t, func(c net.Conn) { io.WriteString(c, "HTTP/1.1 400 Bad Request\r\n\r\n"); io.Copy(io.Discard, c) }), "the server speaks HTTP: its address begins with http://"},
		{"HTTP", strings.TrimPrefix(web.URL, "http://"), "the server speaks HTTP: its address begins with http://"},
		{"TLS", strings.TrimPrefix(secure.URL, "https://"), ""},
		{"an alert of TLS", listen(t, func(c net.Conn) { c.Write([]byte{0x15, 3, 1, 0, 2, 2, 70}); io.Copy(io.Discard, c) }), "the option TLS"},
		{"a page", listen(t, func(c net.Conn) { io.WriteString(c, "<html>"); io.Copy(io.Discard, c) }), "HTML"},
		{"anything", listen(t, func(c net.Conn) { io.WriteString(c, "220 ready"); io.Copy(io.Discard, c) }), "does not speak Thrift"},
		{"who hangs up", listen(t, func(c net.Conn) { c.Read(make([]byte, 4)) }), "in frames or without"},
		{"Thrift1", first.addr, "Thrift2"},
		{"a large frame", listen(t, func(c net.Conn) { c.Write([]byte{0x7f, 0xff, 0xff, 0xff}); io.Copy(io.Discard, c) }), "does not speak Thrift"},
	} {
		began := time.Now()
		_, err := hbase.Dial(ctx, server.addr)
		soon(t, began)
		assert.ErrorIs(t, err, hbase.ErrUnreachable, server.name)
		assert.ErrorContains(t, err, server.says, server.name)
	}

	// Over HTTP, a gateway on a socket.
	for _, addr := range []string{
		listen(t, func(c net.Conn) { c.Read(make([]byte, 4)) }), // as Java's
		listen(t, func(c net.Conn) { io.WriteString(c, "\x80\x01\x00\x03"); c.Read(make([]byte, 9)) }),
	} {
		began := time.Now()
		_, _, err := dial(t, "http://"+addr+"/").Table("t").Get(ctx, []byte("a"))
		soon(t, began)
		assert.ErrorIs(t, err, hbase.ErrLost)
		assert.ErrorContains(t, err, "the address of a gateway on a socket is host:port, without http://")
	}
	_, _, err := dial(t, "http://"+f.addr+"/", hbase.Timeout(100*time.Millisecond)).Table("t").Get(ctx, []byte("a"))
	assert.ErrorIs(t, err, hbase.ErrTimeout, "who waits for a message that long")
	assert.ErrorContains(t, err, "the address of a gateway on a socket is host:port, without http://")
	// A server that turns out to be another one later.
	later := dial(t, f.addr).Table("t")
	f.on(func(_ string, conn net.Conn) { io.WriteString(conn, "HTTP/1.1 503 No\r\n\r\n"); conn.Close() })
	_, _, err = later.Get(ctx, []byte("a"))
	assert.ErrorIs(t, err, hbase.ErrServer)
	assert.ErrorContains(t, err, "the server speaks HTTP")
}

// A gateway that wants its messages in frames gets them.
func TestFrames(t *testing.T) {
	f := newFake(t)
	addr := listen(t, func(conn net.Conn) {
		var head [4]byte
		transport := thrift.NewTFramedTransportConf(thrift.NewStreamTransport(conn, conn), nil)
		in := thrift.NewTBinaryProtocolConf(transport, nil)
		peeked := thrift.NewTBinaryProtocolConf(thrift.NewTFramedTransportConf(thrift.NewStreamTransport(&startingWith{r: conn, b: head[:]}, conn), nil), nil)
		if _, err := io.ReadFull(conn, head[:]); err != nil || head[0]&0x80 != 0 {
			return // as a server does that takes the head of a message for the length of a frame
		}
		if ok, err := f.processor.Process(ctx, peeked, in); !ok || err != nil {
			return
		}
		for {
			if ok, err := f.processor.Process(ctx, in, in); !ok || err != nil {
				return
			}
		}
	})
	table := dial(t, addr, hbase.Connections(2)).Table("t")
	n, err := table.PutAll(ctx, rowsOf(3000, new(atomic.Int64)), 4)
	require.NoError(t, err)
	assert.Equal(t, 3000, n)
	assert.Len(t, keysOf(t, table.Scan(ctx, rowkey.PrefixRange(nil))), 3000)
	_, _, err = dial(t, addr).Table("nope").Get(ctx, []byte("a"))
	assert.ErrorIs(t, err, hbase.ErrNoTable)
}

// startingWith reads bytes, then the rest.
type startingWith struct {
	r io.Reader
	b []byte
}

func (s *startingWith) Read(b []byte) (int, error) {
	if len(s.b) > 0 {
		n := copy(b, s.b)
		s.b = s.b[n:]
		return n, nil
	}
	return s.r.Read(b)
}

// Where TLS fails, nothing was sent.
func TestTLSFails(t *testing.T) {
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	defer secure.Close()
	choosy := httptest.NewUnstartedServer(http.NotFoundHandler())
	choosy.Config.ErrorLog = log.New(io.Discard, "", 0)
	choosy.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	choosy.StartTLS()
	defer choosy.Close()
	for _, c := range []*hbase.Client{
		dial(t, secure.URL+"/"), // whose certificate nobody vouches for
		dial(t, choosy.URL+"/", hbase.TLS(&tls.Config{InsecureSkipVerify: true})), // who wants one of the client
	} {
		err := c.Table("t").Put(ctx, rowOf("a"))
		assert.ErrorIs(t, err, hbase.ErrUnreachable)
		assert.ErrorContains(t, err, "tls: ")
		assert.NotContains(t, err.Error(), "may have been written")
		var of *hbase.Error
		require.ErrorAs(t, err, &of)
		assert.False(t, of.Unsure)
	}
	_, err := hbase.Dial(ctx, strings.TrimPrefix(choosy.URL, "https://"), hbase.TLS(&tls.Config{InsecureSkipVerify: true}))
	assert.ErrorIs(t, err, hbase.ErrUnreachable)
}

// What a server says of its failure is in the error, and of many tries the last one.
func TestCauses(t *testing.T) {
	const jetty = `<html><head><title>Error 500</title><style>h2 { color: red }</style></head>
<body><h2>HTTP ERROR 500 javax.servlet.ServletException: java.lang.OutOfMemoryError: Java heap &amp; space</h2>
<pre>javax.servlet.ServletException
	at org.apache.hadoop.hbase.thrift.ThriftHttpServlet.doPost(ThriftHttpServlet.java:123)
Caused by: java.lang.OutOfMemoryError: Java heap space
	... 12 more
</pre></body></html>`
	c := secretive(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		io.WriteString(w, jetty)
	})
	_, _, err := c.Table("t").Get(ctx, []byte("a"))
	assert.EqualError(t, err, "hbase: get t: the server failed: HTTP status 500 Internal Server Error: "+
		"Error 500 HTTP ERROR 500 javax.servlet.ServletException: java.lang.OutOfMemoryError: Java heap & space javax.servlet.ServletException "+
		"at org.apache.hadoop.hbase.thrift.ThriftHttpServlet.doPost(ThriftHttpServlet.java:123) Caused by: java.lang.OutOfMemoryError: Java heap space ... 12 more"+
		" … Caused by: java.lang.OutOfMemoryError: Java heap space")
	err = c.Table("t").Put(ctx, rowOf("a"))
	assert.ErrorContains(t, err, "may have been written")
	echo := secretive(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprintf(w, "%q is no user, %s neither", r.Header.Get("ACCESSKEYID"), r.Header.Get("ACCESSSIGNATURE"))
	})
	_, _, err = echo.Table("t").Get(ctx, []byte("a"))
	assert.EqualError(t, err, `hbase: get t: access denied: HTTP status 403 Forbidden: "…" is no user, … neither`)

	f := newFake(t)
	table := dial(t, f.addr).Table("t")
	f.mu.Lock()
	f.fails = "Failed after attempts=3, exceptions:\n" +
		"2026-11-22T07:00:00.001Z, RpcRetryingCaller{attempt 1}, java.net.SocketTimeoutException: one\n" +
		"2026-11-22T07:00:09.001Z, RpcRetryingCaller{attempt 3}, java.io.IOException: the disk is full\n\n"
	f.mu.Unlock()
	_, _, err = table.Get(ctx, []byte("a"))
	assert.EqualError(t, err, "hbase: get t: the server failed: Failed after attempts=3, exceptions: … "+
		"2026-11-22T07:00:09.001Z, RpcRetryingCaller{attempt 3}, java.io.IOException: the disk is full")
}

// answering is a gateway that answers its first questions as one, and scans as it is
// told.
func answering(t *testing.T, scan func(w io.Writer)) string {
	return listen(t, func(conn net.Conn) {
		p := thrift.NewTBinaryProtocolConf(thrift.NewStreamTransport(conn, conn), nil)
		for {
			name, _, seq, err := p.ReadMessageBegin(ctx)
			if err != nil {
				return
			}
			if name == "getThriftServerType" {
				memory.ServerType(2).Process(ctx, seq, p, p)
				continue
			}
			if p.Skip(ctx, thrift.STRUCT) != nil || p.WriteMessageBegin(ctx, name, thrift.REPLY, seq) != nil || p.Flush(ctx) != nil {
				return
			}
			scan(conn)
			return
		}
	})
}

func be32(n int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(n)) }

// list is the head of a result that is a list.
func list(element byte, n int) []byte { return slices.Concat([]byte{15, 0, 0, element}, be32(n)) }

// wireRow is a row as it is sent.
func wireRow(key string, value []byte) []byte {
	text := func(id byte, b string) []byte {
		return slices.Concat([]byte{11, 0, id}, be32(len(b)), []byte(b))
	}
	return slices.Concat(text(1, key), []byte{15, 0, 2, 12}, be32(1), text(1, "f"), text(2, "q"), text(3, string(value)),
		[]byte{10, 0, 4, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0})
}

// Answers that would fill memory or never end.
func TestHostileAnswers(t *testing.T) {
	defer func(was int) { *hbase.MaxAnswer = was }(*hbase.MaxAnswer)
	*hbase.MaxAnswer = 10 << 20
	endless := func(head []byte, again []byte) func(io.Writer) {
		chunk := bytes.Repeat(again, 1+(1<<20)/len(again))
		return func(w io.Writer) {
			w.Write(head)
			for {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
		}
	}
	field := []byte{15, 0, 9} // of no meaning
	nested := slices.Concat([]byte{15}, be32(1<<23))
	for name, answer := range map[string]func(io.Writer){
		"rows without end":        endless(list(12, 1<<23), wireRow("key", make([]byte, 1<<16))),
		"small rows without end":  endless(list(12, 1<<23), []byte{11, 0, 1, 0, 0, 0, 1, 'k', 0}),
		"cells without end":       endless(slices.Concat(list(12, 1), []byte{15, 0, 2, 12}, be32(1<<23)), wireRow("", nil)[15:50]),
		"empty rows without end":  endless(list(12, 1<<23), []byte{0}),
		"a value without end":     endless(slices.Concat(list(12, 1), []byte{11, 0, 1}, be32(99<<20)), []byte{1}),
		"a value that is long":    endless(slices.Concat(list(12, 1), []byte{11, 0, 1}, be32(9<<20), make([]byte, 9<<20), []byte{0}), []byte{3}),
		"a length below 0":        endless(slices.Concat(list(12, 1), []byte{11, 0, 1}, be32(-1)), []byte{1}),
		"lists in lists":          endless(slices.Concat(field, nested), nested),
		"lists of nothing":        endless(slices.Concat(field, []byte{0}, be32(1<<30)), []byte{0}),
		"lists of nothing, short": endless(slices.Concat(field, []byte{0}, be32(1<<23)), []byte{0}),
		"structs in structs":      endless([]byte{12, 0, 9}, []byte{12, 0, 9}),
		"more elements than fit":  endless(list(12, 1<<30), []byte{0}),
		"a list of numbers":       endless(list(8, 100), []byte{1}),
		"neither rows nor error":  endless([]byte{0}, []byte{0}),
		"a cell of nothing":       endless(slices.Concat(list(12, 1), []byte{15, 0, 2, 12}, be32(1), []byte{0}), []byte{0}),
	} {
		t.Run(name, func(t *testing.T) {
			table := dial(t, answering(t, answer)).Table("t")
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			began := time.Now()
			var failed error
			for _, err := range table.Scan(ctx, rowkey.PrefixRange(nil)) {
				failed = err
			}
			soon(t, began)
			runtime.ReadMemStats(&after)
			assert.ErrorIs(t, failed, hbase.ErrServer)
			assert.ErrorContains(t, failed, "hbase: getScannerResults t")
			assert.ErrorContains(t, failed, ": the server failed: the ")
			assert.ErrorContains(t, failed, "answer")
			t.Log(failed, time.Since(began))
			assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(90<<20))
		})
	}
}

// An answer that comes byte by byte does not outlive the Timeout, over either wire.
func TestSlowAnswers(t *testing.T) {
	drip := func(w io.Writer) {
		w.Write(list(12, 1<<20))
		for {
			if _, err := w.Write([]byte{0}); err != nil {
				return
			}
			if f, ok := w.(http.Flusher); ok {
				f.Flush()
			}
			time.Sleep(time.Millisecond)
		}
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Write(slices.Concat([]byte{0x80, 1, 0, 2}, be32(17), []byte("getScannerResults"), be32(1)))
		drip(w)
	}))
	defer web.Close()
	for _, addr := range []string{answering(t, drip), web.URL + "/"} {
		c := hasty(t, addr, time.Second)
		began := time.Now()
		for _, err := range c.Table("t").Scan(ctx, rowkey.PrefixRange(nil)) {
			assert.ErrorIs(t, err, hbase.ErrTimeout)
			assert.EqualError(t, err, "hbase: getScannerResults t [, end of table): the client's Timeout is over: 1s")
		}
		soon(t, began)
	}
}

// The client's own Timeout and the caller's deadline are two things, and both are in
// an *Error, whatever it was that was called.
func TestWhoseTime(t *testing.T) {
	f := newFake(t)
	release := make(chan struct{})
	defer close(release)
	patient, hurried := dial(t, f.addr), hasty(t, f.addr, 50*time.Millisecond)
	require.NoError(t, patient.Table("t").Put(ctx, rowOf("a")))
	f.on(func(string, net.Conn) { <-release })
	schema := rowkey.New("r").String("key").MustBuild()
	plan, err := schema.Scan(rowkey.Prefix("key", "a"))
	require.NoError(t, err)
	scanned := func(rows func(func(hbase.Row, error) bool)) (err error) {
		for _, err = range rows {
		}
		return err
	}
	for name, call := range map[string]func(context.Context, *hbase.Table) error{
		"Get":      func(ctx context.Context, t *hbase.Table) error { _, _, err := t.Get(ctx, []byte("a")); return err },
		"Put":      func(ctx context.Context, t *hbase.Table) error { return t.Put(ctx, rowOf("b")) },
		"Delete":   func(ctx context.Context, t *hbase.Table) error { return t.Delete(ctx, []byte("b")) },
		"GetAll":   func(ctx context.Context, t *hbase.Table) error { _, err := t.GetAll(ctx, [][]byte{{1}}); return err },
		"Regions":  func(ctx context.Context, t *hbase.Table) error { _, err := t.Regions(ctx); return err },
		"Scan":     func(ctx context.Context, t *hbase.Table) error { return scanned(t.Scan(ctx, rowkey.PrefixRange(nil))) },
		"ScanPlan": func(ctx context.Context, t *hbase.Table) error { return scanned(t.ScanPlan(ctx, plan)) },
		"PutAll": func(ctx context.Context, t *hbase.Table) error {
			_, err := t.PutAll(ctx, rowsOf(5000, new(atomic.Int64)), 2)
			return err
		},
	} {
		var of *hbase.Error
		err := call(ctx, hurried.Table("t"))
		assert.ErrorIs(t, err, hbase.ErrTimeout, name)
		assert.ErrorIs(t, err, context.DeadlineExceeded, name)
		assert.ErrorAs(t, err, &of, name)

		short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
		err = call(short, patient.Table("t"))
		cancel()
		assert.NotErrorIs(t, err, hbase.ErrTimeout, name)
		assert.ErrorIs(t, err, context.DeadlineExceeded, name)
		assert.ErrorAs(t, err, &of, name)

		gone, cancel := context.WithCancel(ctx)
		cancel()
		err = call(gone, patient.Table("t"))
		assert.ErrorIs(t, err, context.Canceled, name)
		assert.ErrorAs(t, err, &of, name)
	}
	own := errors.New("the caller's file")
	_, err = patient.Table("t").PutAll(ctx, func(yield func(hbase.Row, error) bool) { yield(hbase.Row{}, own) }, 1)
	var of *hbase.Error
	assert.ErrorAs(t, err, &of)
	assert.ErrorIs(t, err, own)
}

// early is a context that ends a moment after its deadline, as any does on a busy
// machine.
type early struct{ context.Context }

func (early) Deadline() (time.Time, bool) { return time.Now().Add(-time.Second), true }

// The dialer may see the caller's deadline before the context does: the error is the
// deadline's all the same.
func TestDialerIsFirst(t *testing.T) {
	f := newFake(t)
	late, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	_, err := hbase.Dial(early{late}, f.addr)
	assert.ErrorIs(t, err, context.DeadlineExceeded)
	assert.NotErrorIs(t, err, hbase.ErrTimeout)
	assert.NotErrorIs(t, err, hbase.ErrUnreachable)
	_, err = hbase.Dial(early{ctx}, f.addr) // which never ends
	assert.ErrorIs(t, err, hbase.ErrUnreachable)
}

// goroutines waits until there are no more than there were. It drops the connections that the fake
// has, which may take one a moment later than the client has it.
func goroutines(t *testing.T, f *fake, before int) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		f.drop()
		now := runtime.NumGoroutine()
		if now <= before {
			return
		}
		if time.Now().After(end) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, and %d before:\n%s", now, before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// A sequence that panics leaves no sender running.
func TestPutAllPanics(t *testing.T) {
	f := newFake(t)
	table := dial(t, f.addr).Table("t")
	require.NoError(t, table.Put(ctx, rowOf("a")))
	before := runtime.NumGoroutine()
	for range 20 {
		assert.PanicsWithValue(t, "no more rows", func() {
			table.PutAll(ctx, func(yield func(hbase.Row, error) bool) {
				for i := range 2500 {
					yield(rowOf(fmt.Sprint(i)), nil)
				}
				panic("no more rows")
			}, 4)
		})
	}
	goroutines(t, f, before)
}

// As many calls at the same time as were asked for, be there one range or many.
func TestScanAhead(t *testing.T) {
	f := newFake(t)
	schema := rowkey.New("s").Salt(16, "n").Uint("n", 4).MustBuild()
	table := dial(t, f.addr, hbase.Connections(16)).Table("t")
	const rows = 20_000
	_, err := table.PutAll(ctx, func(yield func(hbase.Row, error) bool) {
		for i := range rows {
			key, err := schema.Key().Uint(uint64(i)).Bytes()
			if !yield(hbase.Row{Key: key, Cells: rowOf("").Cells}, err) {
				return
			}
		}
	}, 1)
	require.NoError(t, err)
	plan, err := schema.Scan(rowkey.FullScan())
	require.NoError(t, err)
	const latency = 20 * time.Millisecond
	for _, parallel := range []int{1, 2, 4, 16} {
		met := meet(t, parallel)
		f.on(func(call string, conn net.Conn) {
			met(call, conn)
			time.Sleep(latency)
		})
		f.took()
		f.most.Store(0)
		began := time.Now()
		n := 0
		for row, err := range table.ScanPlan(ctx, plan, hbase.Parallel(parallel)) {
			require.NoError(t, err)
			require.Equal(t, uint32(n), binary.BigEndian.Uint32(row.Key[1:]))
			n++
		}
		calls := len(f.took())
		require.Equal(t, rows, n)
		assert.Equal(t, int32(parallel), f.most.Load())
		t.Logf("Parallel(%d): %d calls of %v in %v", parallel, calls, latency, time.Since(began))
	}

	// A scan of one range reads on while its rows are looked at, but not before half
	// of the first were.
	began, release := make(chan struct{}, 9), make(chan struct{})
	c, err := table.Open(ctx, rowkey.PrefixRange(nil), false)
	require.NoError(t, err)
	for range 31 {
		_, err := c.Next()
		require.NoError(t, err)
	}
	f.took()
	f.on(func(string, net.Conn) {
		began <- struct{}{}
		<-release
	})
	for range 9 {
		_, err := c.Next()
		require.NoError(t, err)
	}
	<-began
	assert.Len(t, f.took(), 1)
	require.NoError(t, c.Close())
	close(release)
}

// Close ends what is under way: of a scan, and of a client.
func TestCloseEndsCalls(t *testing.T) {
	f := newFake(t)
	c := dial(t, f.addr)
	table := c.Table("t")
	require.NoError(t, table.Put(ctx, rowOf("a")))
	began, release := make(chan struct{}, 9), make(chan struct{})
	defer close(release)
	f.on(func(string, net.Conn) {
		began <- struct{}{}
		<-release
	})
	scan, err := table.Open(ctx, rowkey.PrefixRange(nil), false)
	require.NoError(t, err)
	done := make(chan error)
	go func() {
		_, err := scan.Next()
		done <- err
	}()
	<-began
	at := time.Now()
	require.NoError(t, scan.Close())
	assert.ErrorIs(t, <-done, hbase.ErrClosed)
	_, err = scan.Next()
	assert.Equal(t, io.EOF, err)

	var group sync.WaitGroup
	for range 3 {
		group.Add(1)
		go func() {
			defer group.Done()
			err := table.Put(ctx, rowOf("b"))
			assert.ErrorIs(t, err, hbase.ErrClosed)
			assert.ErrorContains(t, err, "may have been written or not")
		}()
		<-began
	}
	require.NoError(t, c.Close())
	group.Wait()
	soon(t, at)
}

// A row that is read is its key, its cells and their values, each of just its length.
func TestRowsAreExact(t *testing.T) {
	const rows = 1000
	var answer bytes.Buffer
	answer.Write(list(12, rows))
	for i := range rows {
		answer.Write(wireRow(fmt.Sprintf("a key of 17 bytes%04d", i)[:17], make([]byte, 32)))
	}
	answer.WriteByte(0)
	var got []hbase.Row
	var err error
	allocs := testing.AllocsPerRun(10, func() { got, err = hbase.ReadRows(bytes.NewReader(answer.Bytes())) })
	require.NoError(t, err)
	require.Equal(t, rows, len(got))
	for _, r := range got {
		require.Equal(t, len(r.Key), cap(r.Key))
		require.Equal(t, 1, cap(r.Cells))
		require.Equal(t, 32, cap(r.Cells[0].Value))
		require.Equal(t, "f", r.Cells[0].Family)
	}
	assert.Less(t, allocs, float64(3*rows+40), "a key, its cells, and a value")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 100 {
		got, _ = hbase.ReadRows(bytes.NewReader(answer.Bytes()))
	}
	runtime.ReadMemStats(&after)
	each := (after.TotalAlloc - before.TotalAlloc) / (100 * rows)
	t.Logf("%d bytes a row", each)
	assert.Less(t, each, uint64(450), "with the batch and a new connection's buffer")
}

// A plan's rows take no memory besides their own, about.
func TestScanAllocations(t *testing.T) {
	const rows = 5000
	var answer bytes.Buffer
	answer.Write(list(12, rows))
	for i := range rows {
		answer.Write(wireRow(fmt.Sprintf("a key of 17 b%04x", i), make([]byte, 32)))
	}
	answer.WriteByte(0)
	var calls atomic.Int64
	addr := listen(t, func(conn net.Conn) {
		p := thrift.NewTBinaryProtocolConf(thrift.NewStreamTransport(conn, conn), nil)
		for {
			name, _, seq, err := p.ReadMessageBegin(ctx)
			switch {
			case err != nil:
				return
			case name == "getThriftServerType":
				memory.ServerType(2).Process(ctx, seq, p, p)
				continue
			case p.Skip(ctx, thrift.STRUCT) != nil || p.WriteMessageBegin(ctx, name, thrift.REPLY, seq) != nil || p.Flush(ctx) != nil:
				return
			}
			if calls.Add(1)%2 == 1 {
				conn.Write(answer.Bytes())
			} else {
				conn.Write(append(list(12, 0), 0))
			}
		}
	})
	table := dial(t, addr).Table("t")
	plan, err := rowkey.New("r").String("key").MustBuild().Scan(rowkey.Prefix("key", "a"))
	require.NoError(t, err)
	read := func() {
		n := 0
		for _, err := range table.ScanPlan(ctx, plan) {
			require.NoError(t, err)
			n++
		}
		require.Equal(t, rows, n)
	}
	read()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	const runs = 10
	for range runs {
		read()
	}
	runtime.ReadMemStats(&after)
	bytes, allocs := float64(after.TotalAlloc-before.TotalAlloc)/(rows*runs), float64(after.Mallocs-before.Mallocs)/(rows*runs)
	t.Logf("a row: %.0f bytes, %.2f allocations", bytes, allocs)
	assert.Less(t, bytes, 300.)
	assert.Less(t, allocs, 3.5, "a key, its cells and a value")
}

// Nor do rows that are put, but for their cells' times.
func TestPutAllocations(t *testing.T) {
	table := dial(t, newFake(t).addr).Table("t")
	rows := make([]hbase.Row, 1000)
	for i := range rows {
		rows[i] = hbase.Row{Key: fmt.Appendf(nil, "%04d", i), Cells: []hbase.Cell{{Family: "f", Qualifier: "q"}, {Family: "f", Qualifier: "r"}}}
	}
	allocs := testing.AllocsPerRun(10, func() { require.NoError(t, table.MakePuts(rows)) })
	assert.Less(t, allocs, 100., "of a thousand rows of two cells")
}
