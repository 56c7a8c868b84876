package hbase_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"iter"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/thrift/lib/go/thrift"
	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var ctx = context.Background()

func dial(t *testing.T, addr string, opts ...hbase.Option) *hbase.Client {
	c, err := hbase.Dial(ctx, addr, opts...)
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

// hasty dials with a short Timeout. Where a busy machine takes longer to dial, it dials again.
func hasty(t *testing.T, addr string, timeout time.Duration, opts ...hbase.Option) *hbase.Client {
	opts = append(opts, hbase.Timeout(timeout))
	for range 100 {
		c, err := hbase.Dial(ctx, addr, opts...)
		if errors.Is(err, hbase.ErrTimeout) {
			continue
		}
		require.NoError(t, err)
		t.Cleanup(func() { c.Close() })
		return c
	}
	t.Fatal("no Timeout is enough")
	return nil
}

// meet gives a function that lets calls go when n have come, and all later ones. So calls that
// are begun together are together on a busy machine, too.
func meet(t *testing.T, n int) func(string, net.Conn) {
	var come atomic.Int64
	met := make(chan struct{})
	return func(string, net.Conn) {
		if come.Add(1) == int64(n) {
			close(met)
		}
		select {
		case <-met:
		case <-time.After(30 * time.Second):
			t.Errorf("fewer than %d calls at the same time", n)
		}
	}
}

// rowOf is a row with one cell.
func rowOf(key string) hbase.Row {
	return hbase.Row{Key: []byte(key), Cells: []hbase.Cell{{Family: "f", Qualifier: "q", Value: []byte("v" + key)}}}
}

// rowsOf is n rows, r00000 and so on; pulled counts those asked for.
func rowsOf(n int, pulled *atomic.Int64) iter.Seq2[hbase.Row, error] {
	return func(yield func(hbase.Row, error) bool) {
		for i := range n {
			if pulled.Add(1); !yield(rowOf(fmt.Sprintf("r%05d", i)), nil) {
				return
			}
		}
	}
}

func keysOf(t *testing.T, rows iter.Seq2[hbase.Row, error]) []string {
	var keys []string
	for r, err := range rows {
		require.NoError(t, err)
		keys = append(keys, string(r.Key))
	}
	return keys
}

func between(t *testing.T, start, stop string) rowkey.Range {
	r, err := rowkey.NewRange([]byte(start), []byte(stop))
	require.NoError(t, err)
	return r
}

func TestCalls(t *testing.T) {
	f := newFake(t)
	c := dial(t, f.addr)
	table := c.Table("t")

	_, found, err := table.Get(ctx, []byte("a"))
	require.NoError(t, err)
	assert.False(t, found)

	require.NoError(t, table.Put(ctx, hbase.Row{Key: []byte("a"), Cells: []hbase.Cell{
		{Family: "f", Qualifier: "p", Value: []byte("1"), Time: time.UnixMilli(7)},
		{Family: "f", Qualifier: "q"},
	}}))
	r, found, err := table.Get(ctx, []byte("a"))
	require.NoError(t, err)
	assert.True(t, found)
	assert.Equal(t, []byte("1"), r.Value("f", "p"))
	assert.Nil(t, r.Value("f", "x"))
	assert.Equal(t, int64(7), r.Cells[0].Time.UnixMilli())

	require.NoError(t, table.Put(ctx, rowOf("c")))
	all, err := table.GetAll(ctx, [][]byte{[]byte("c"), []byte("b"), []byte("a")})
	require.NoError(t, err)
	require.Len(t, all, 2)
	assert.Equal(t, "c", string(all[0].Key))
	all, err = table.GetAll(ctx, nil)
	assert.NoError(t, err)
	assert.Empty(t, all)

	require.NoError(t, table.Delete(ctx, []byte("a"), []byte("never")))
	require.NoError(t, table.Delete(ctx))
	assert.Equal(t, []string{"c"}, keysOf(t, table.Scan(ctx, rowkey.PrefixRange(nil))))

	regions, err := table.Regions(ctx)
	require.NoError(t, err)
	assert.Equal(t, []hbase.Region{{Server: "localhost:16020"}}, regions)

	require.NoError(t, c.CreateTable(ctx, "ns:u", nil, "f"))
	exists, err := c.TableExists(ctx, "ns:u")
	require.NoError(t, err)
	assert.True(t, exists)
	require.NoError(t, c.DropTable(ctx, "ns:u"))
	exists, err = c.TableExists(ctx, "ns:u")
	require.NoError(t, err)
	assert.False(t, exists)
}

// What cannot be is refused before the server, which would fail without a word, is asked.
func TestRefused(t *testing.T) {
	f := newFake(t)
	c := dial(t, f.addr)
	table := c.Table("t")
	long := bytes.Repeat([]byte("k"), 32768)
	f.took()

	_, _, err := table.Get(ctx, nil)
	assert.ErrorIs(t, err, rowkey.ErrLength)
	_, _, err = table.Get(ctx, long)
	assert.ErrorIs(t, err, rowkey.ErrLength)
	assert.EqualError(t, err, "hbase: get t: length not allowed: a row key of 32768 bytes; HBase's have 1 to 32767")
	_, err = table.GetAll(ctx, [][]byte{long})
	assert.ErrorIs(t, err, rowkey.ErrLength)
	assert.ErrorIs(t, table.Delete(ctx, long), rowkey.ErrLength)
	assert.ErrorIs(t, table.Put(ctx, hbase.Row{Key: long}), rowkey.ErrLength)
	assert.ErrorIs(t, table.Put(ctx, hbase.Row{Key: long[1:]}), hbase.ErrArgument, "no cells")
	n, err := table.PutAll(ctx, func(yield func(hbase.Row, error) bool) {
		_ = yield(rowOf("a"), nil) && yield(rowOf(""), nil)
	}, 1)
	assert.Zero(t, n)
	assert.EqualError(t, err, "hbase: putMultiple t: row 1: length not allowed: a row key of 0 bytes; HBase's have 1 to 32767")
	assert.ErrorIs(t, c.CreateTable(ctx, "u", nil), hbase.ErrArgument)
	for _, name := range []string{"no space", "a/b", ":x", "n:", "-a", "ns:a:b", "ü"} {
		assert.ErrorIs(t, c.CreateTable(ctx, name, nil, "f"), hbase.ErrArgument, name)
	}
	for _, opts := range [][]hbase.ScanOption{
		{hbase.Batch(0)},
		{hbase.FilterString("X()"), hbase.KeysOnly()},
		{hbase.FilterString("X()"), hbase.Fuzzy()},
	} {
		for _, err := range table.Scan(ctx, rowkey.PrefixRange(nil), opts...) {
			assert.ErrorIs(t, err, hbase.ErrArgument)
		}
	}
	for _, opts := range [][]hbase.ScanOption{nil, {hbase.Fuzzy()}, {hbase.MultiRange()}} {
		_, err := table.CountPlan(ctx, nil, opts...)
		assert.ErrorIs(t, err, rowkey.ErrMissing)
		_, err = table.DeletePlan(ctx, nil, opts...)
		assert.ErrorContains(t, err, "hbase: getScannerResults t: ")
		assert.ErrorContains(t, err, "the plan is nil")
	}
	assert.Empty(t, f.took())

	for addr, opts := range map[string][]hbase.Option{
		"ftp://localhost/":            nil,
		"http:///":                    nil,
		"http://user:hush@localhost/": nil,
		"http://localhost/?token=1":   nil,
		"http://local host/":          nil,
		f.addr:                        {hbase.AccessKey("id", "signature")},
		"127.0.0.1:1 ":                {hbase.Connections(0)},
		"127.0.0.1:2":                 {hbase.Timeout(0)},
	} {
		_, err := hbase.Dial(ctx, addr, opts...)
		assert.ErrorIs(t, err, hbase.ErrArgument, addr)
		assert.NotContains(t, err.Error(), "hush")
	}
}

func TestNoSuchTable(t *testing.T) {
	f := newFake(t)
	nope := dial(t, f.addr).Table("nope")
	_, _, err := nope.Get(ctx, []byte("a"))
	assert.ErrorIs(t, err, hbase.ErrNoTable)
	assert.EqualError(t, err, "hbase: get nope: no such table")
	assert.ErrorIs(t, nope.Put(ctx, rowOf("a")), hbase.ErrNoTable)
	for _, err := range nope.Scan(ctx, between(t, "a", "b")) {
		assert.ErrorIs(t, err, hbase.ErrNoTable)
		assert.EqualError(t, err, "hbase: getScannerResults nope [a, b): no such table")
		var e *hbase.Error
		require.ErrorAs(t, err, &e)
		assert.True(t, e.Range.Contains([]byte("a")))
	}
}

// A connection that broke while nothing was under way is found out, and no one sees it.
func TestIdleConnectionBroke(t *testing.T) {
	defer func(was time.Duration) { *hbase.IdleLong = was }(*hbase.IdleLong)
	*hbase.IdleLong = 0
	f := newFake(t)
	table := dial(t, f.addr).Table("t")
	for range 3 {
		require.NoError(t, table.Put(ctx, rowOf("a")))
		f.drop()
		assert.NoError(t, table.Put(ctx, rowOf("b")), "though writes are never repeated")
		f.drop()
		_, found, err := table.Get(ctx, []byte("b"))
		assert.NoError(t, err)
		assert.True(t, found)
	}
}

// One that breaks in the middle of a call: a read is made again, once; a write is not.
func TestConnectionBreaks(t *testing.T) {
	f := newFake(t)
	table := dial(t, f.addr).Table("t")
	var breaks atomic.Int64
	breaks.Store(1)
	f.on(func(_ string, conn net.Conn) {
		if breaks.Add(-1) >= 0 {
			conn.Close()
		}
	})
	f.took()
	_, _, err := table.Get(ctx, []byte("a"))
	assert.NoError(t, err)
	assert.Equal(t, []string{"get", "get"}, f.took())

	breaks.Store(1)
	err = table.Put(ctx, rowOf("a"))
	assert.ErrorIs(t, err, hbase.ErrLost)
	assert.Contains(t, err.Error(), "hbase: put t: the connection broke during the call: ")
	assert.Contains(t, err.Error(), "; what it writes may have been written or not")
	assert.Equal(t, []string{"put"}, f.took())
	assert.Eventually(t, func() bool { // the gateway may still be at it
		_, found, err := table.Get(ctx, []byte("a"))
		return err == nil && found
	}, 10*time.Second, time.Millisecond, "as it was here")
	f.took()

	breaks.Store(2)
	_, _, err = table.Get(ctx, []byte("a"))
	assert.ErrorIs(t, err, hbase.ErrLost)
	assert.Equal(t, []string{"get", "get"}, f.took())
	_, _, err = table.Get(ctx, []byte("a"))
	assert.NoError(t, err)
}

// One try on another connection is enough, however many there were: the idle ones
// go with the one that broke.
func TestAllConnectionsBroke(t *testing.T) {
	f := newFake(t)
	table := dial(t, f.addr).Table("t")
	busy := func() {
		var wg sync.WaitGroup
		f.on(meet(t, 8))
		for range 8 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				assert.NoError(t, table.Put(ctx, rowOf("a")))
			}()
		}
		wg.Wait()
		f.on(nil)
	}
	busy()
	f.drop()
	f.took()
	_, _, err := table.Get(ctx, []byte("a"))
	assert.NoError(t, err)
	assert.NoError(t, table.Put(ctx, rowOf("b")))
	assert.Equal(t, []string{"get", "put"}, f.took())
}

func TestServerGone(t *testing.T) {
	f := newFake(t)
	c := dial(t, f.addr)
	f.gateway.Stop()
	_, _, err := c.Table("t").Get(ctx, []byte("a"))
	assert.ErrorIs(t, err, hbase.ErrUnreachable)
	assert.Contains(t, err.Error(), f.addr)
	_, err = hbase.Dial(ctx, f.addr)
	assert.ErrorIs(t, err, hbase.ErrUnreachable)
	require.NoError(t, c.Close())
	assert.ErrorIs(t, c.Table("t").Put(ctx, rowOf("a")), hbase.ErrClosed)

	c = dial(t, "http://"+f.addr+"/")
	_, _, err = c.Table("t").Get(ctx, []byte("a"))
	assert.ErrorIs(t, err, hbase.ErrUnreachable)
}

func TestContext(t *testing.T) {
	f := newFake(t)
	web := httptest.NewServer(http.HandlerFunc(thrift.NewThriftHandlerFunc(f.processor,
		thrift.NewTBinaryProtocolFactoryConf(nil), thrift.NewTBinaryProtocolFactoryConf(nil))))
	defer web.Close()
	release := make(chan struct{})
	defer close(release)
	for _, addr := range []string{f.addr, web.URL + "/"} {
		f.on(nil)
		c := dial(t, addr, hbase.Connections(1))
		table := c.Table("t")
		require.NoError(t, table.Put(ctx, rowOf("a")))
		began := make(chan struct{}, 9)
		f.on(func(string, net.Conn) {
			began <- struct{}{}
			<-release
		})

		canceled, cancel := context.WithCancel(ctx)
		done := make(chan error)
		go func() {
			_, _, err := table.Get(canceled, []byte("a"))
			done <- err
		}()
		<-began
		// The one connection there may be is taken, so that another call waits.
		waits, stop := context.WithCancel(ctx)
		go func() { done <- table.Put(waits, rowOf("b")) }()
		stop()
		assert.ErrorIs(t, <-done, context.Canceled)
		cancel()
		assert.ErrorIs(t, <-done, context.Canceled)

		late, cancel := context.WithTimeout(ctx, time.Millisecond)
		defer cancel()
		_, _, err := table.Get(late, []byte("a"))
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Contains(t, err.Error(), "hbase: get t: ")

		short := hasty(t, addr, 200*time.Millisecond)
		_, _, err = short.Table("t").Get(ctx, []byte("a"))
		assert.ErrorIs(t, err, context.DeadlineExceeded)

		f.on(nil)
		_, found, err := table.Get(ctx, []byte("a"))
		assert.NoError(t, err, "the connection of a call that was given up is not used again")
		assert.True(t, found)
	}
}

func TestConnectionsAreBounded(t *testing.T) {
	f := newFake(t)
	table := dial(t, f.addr, hbase.Connections(3)).Table("t")
	f.on(func(string, net.Conn) { time.Sleep(time.Millisecond) })
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			assert.NoError(t, table.Put(ctx, rowOf(fmt.Sprint(i))))
		}()
	}
	wg.Wait()
	assert.LessOrEqual(t, f.most.Load(), int32(3))
	assert.LessOrEqual(t, f.gateway.Conns(), 3)
}

const (
	secretID  = "open-sesame-id"
	secretKey = "open-sesame-signature"
)

// secretive is a client over HTTP with secrets, its gateway's handler before Thrift's.
func secretive(t *testing.T, handler http.HandlerFunc) *hbase.Client {
	web := httptest.NewServer(handler)
	t.Cleanup(web.Close)
	return dial(t, web.URL+"/", hbase.AccessKey(secretID, secretKey), hbase.Header("X-More", "open-sesame-more"))
}

func TestHeaders(t *testing.T) {
	f := newFake(t)
	thriftHandler := thrift.NewThriftHandlerFunc(f.processor, thrift.NewTBinaryProtocolFactoryConf(nil), thrift.NewTBinaryProtocolFactoryConf(nil))
	var got http.Header
	c := secretive(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Clone()
		thriftHandler(w, r)
	})
	require.NoError(t, c.Table("t").Put(ctx, rowOf("a")))
	assert.Equal(t, secretID, got.Get("ACCESSKEYID"))
	assert.Equal(t, secretKey, got.Get("ACCESSSIGNATURE"))
	assert.Equal(t, "open-sesame-more", got.Get("X-More"))
	assert.Equal(t, "application/x-thrift", got.Get("Content-Type"))
}

func TestSecretsStaySecret(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		assert.Empty(t, r.Header.Get("ACCESSKEYID"), "another server got the secrets")
		assert.Empty(t, r.Header.Get("X-More"))
	}))
	defer elsewhere.Close()
	answers := map[string]http.HandlerFunc{
		"401": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) },
		"403": func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, r.Header.Get("ACCESSSIGNATURE"), http.StatusForbidden)
		},
		"500": func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, r.Header.Get("ACCESSSIGNATURE"), http.StatusInternalServerError)
		},
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		},
		"garbage": func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>not thrift</html>") },
		"nothing": func(http.ResponseWriter, *http.Request) {},
		"hang up": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"slow":    func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	}
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			c := secretive(t, func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				answer(w, r)
			})
			while := ctx
			if name == "slow" {
				short, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
				defer cancel()
				while = short
			}
			_, _, err := c.Table("t").Get(while, []byte("a"))
			require.Error(t, err)
			if name == "401" || name == "403" {
				assert.ErrorIs(t, err, hbase.ErrDenied)
			}
			for e := err; e != nil; e = errors.Unwrap(e) {
				silent(t, e)
			}
			silent(t, c)
			silent(t, *c.Table("t"))
			silent(t, []any{c, map[string]any{"client": c}, struct{ Client *hbase.Client }{c}})
		})
	}
	silent(t, hbase.AccessKey(secretID, secretKey))
	_, err := hbase.Dial(ctx, "localhost:1", hbase.AccessKey(secretID, secretKey))
	silent(t, err)
	_, err = hbase.Dial(ctx, "http://"+secretID+":"+secretKey+"@localhost/%zz")
	silent(t, err)
}

func silent(t *testing.T, v any) {
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		assert.NotContains(t, fmt.Sprintf(verb, v), "open-sesame", verb)
	}
}

func TestTLS(t *testing.T) {
	web := httptest.NewTLSServer(nil) // for its certificate
	web.Config.ErrorLog = log.New(io.Discard, "", 0)
	defer web.Close()
	roots := x509.NewCertPool()
	roots.AddCert(web.Certificate())
	trust := &tls.Config{RootCAs: roots}

	f := newFake(t, func(l net.Listener) net.Listener { return tls.NewListener(l, web.TLS) })
	table := dial(t, f.addr, hbase.TLS(trust)).Table("t")
	require.NoError(t, table.Put(ctx, rowOf("a")))
	_, err := hbase.Dial(ctx, f.addr, hbase.TLS(&tls.Config{}))
	assert.ErrorIs(t, err, hbase.ErrUnreachable, "a certificate that nobody vouches for")

	web.Config.Handler = http.HandlerFunc(thrift.NewThriftHandlerFunc(f.processor,
		thrift.NewTBinaryProtocolFactoryConf(nil), thrift.NewTBinaryProtocolFactoryConf(nil)))
	_, found, err := dial(t, web.URL, hbase.TLS(trust)).Table("t").Get(ctx, []byte("a"))
	require.NoError(t, err)
	assert.True(t, found)
	_, _, err = dial(t, web.URL).Table("t").Get(ctx, []byte("a"))
	assert.Error(t, err)

	defer func(was time.Duration) { *hbase.IdleLong = was }(*hbase.IdleLong)
	*hbase.IdleLong = 0
	for range 3 {
		require.NoError(t, table.Put(ctx, rowOf("b")), "looking at an idle connection leaves it whole")
	}
	assert.Equal(t, 2, f.gateway.Conns(), "one of them the one that was refused")
}

func TestPutAll(t *testing.T) {
	f := newFake(t)
	table := dial(t, f.addr).Table("t")
	var pulled atomic.Int64
	for _, parallel := range []int{-1, 1, 4} {
		f.mu.Lock()
		f.rows["t"] = nil
		f.mu.Unlock()
		n, err := table.PutAll(ctx, rowsOf(4321, &pulled), parallel)
		require.NoError(t, err)
		assert.Equal(t, 4321, n)
		keys := keysOf(t, table.Scan(ctx, rowkey.PrefixRange(nil)))
		assert.Len(t, keys, 4321)
		assert.True(t, slices.IsSorted(keys))
	}
	f.took()
	big := rowOf("big")
	big.Cells[0].Value = make([]byte, 1<<19-100)
	n, err := table.PutAll(ctx, func(yield func(hbase.Row, error) bool) {
		for range 5 {
			if !yield(big, nil) {
				return
			}
		}
	}, 1)
	require.NoError(t, err)
	assert.Equal(t, 5, n)
	assert.Len(t, f.took(), 3, "two to a megabyte")

	n, err = table.PutAll(ctx, func(func(hbase.Row, error) bool) {}, 1)
	assert.NoError(t, err)
	assert.Zero(t, n)
	assert.Empty(t, f.took())
}

// A server that is slow makes the sequence wait.
func TestPutAllBackPressure(t *testing.T) {
	f := newFake(t)
	table := dial(t, f.addr).Table("t")
	const parallel = 2
	began, release := make(chan struct{}, 99), make(chan struct{})
	f.on(func(string, net.Conn) {
		began <- struct{}{}
		<-release
	})
	var pulled atomic.Int64
	done := make(chan error)
	go func() {
		_, err := table.PutAll(ctx, rowsOf(50_000, &pulled), parallel)
		done <- err
	}()
	for range parallel {
		<-began
	}
	time.Sleep(20 * time.Millisecond) // it had the time to ask for more
	assert.LessOrEqual(t, pulled.Load(), int64((parallel+1)*1000))
	close(release)
	assert.NoError(t, <-done)
	assert.Equal(t, int64(50_000), pulled.Load())
}

func TestPutAllFails(t *testing.T) {
	f := newFake(t)
	table := dial(t, f.addr).Table("t")
	var pulled atomic.Int64
	var calls atomic.Int64
	f.on(func(_ string, conn net.Conn) {
		if calls.Add(1) == 4 {
			conn.Close()
		}
	})
	n, err := table.PutAll(ctx, rowsOf(50_000, &pulled), 1)
	assert.ErrorIs(t, err, hbase.ErrLost)
	assert.Equal(t, 3000, n)
	assert.LessOrEqual(t, pulled.Load(), int64(5000), "it stops")
	f.on(nil)

	broken := errors.New("the file broke off")
	n, err = table.PutAll(ctx, func(yield func(hbase.Row, error) bool) {
		for i := range 1500 {
			if !yield(rowOf(fmt.Sprint(i)), nil) {
				return
			}
		}
		yield(hbase.Row{}, broken)
	}, 1)
	assert.ErrorIs(t, err, broken)
	assert.LessOrEqual(t, n, 1000)

	canceled, cancel := context.WithCancel(ctx)
	n, err = table.PutAll(canceled, func(yield func(hbase.Row, error) bool) {
		cancel()
		for i := range 9000 {
			if !yield(rowOf(fmt.Sprint(i)), nil) {
				return
			}
		}
	}, 3)
	assert.ErrorIs(t, err, context.Canceled)
	assert.Less(t, n, 9000)
}

func TestScanInBatches(t *testing.T) {
	f := newFake(t)
	table := dial(t, f.addr).Table("t")
	var pulled atomic.Int64
	_, err := table.PutAll(ctx, rowsOf(3000, &pulled), 1)
	require.NoError(t, err)
	all := keysOf(t, table.Scan(ctx, rowkey.PrefixRange(nil)))
	require.Len(t, all, 3000)
	backward := slices.Clone(all)
	slices.Reverse(backward)
	for _, batch := range []int{1, 2, 3, 64, 1000, 5000} {
		for _, r := range []rowkey.Range{rowkey.PrefixRange(nil), between(t, "r00100", "r00200"), between(t, "r00100", "r00101"), between(t, "a", "r00001"), between(t, "x", "y"), {}} {
			inside := func(keys []string) []string {
				return slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return !r.Contains([]byte(k)) })
			}
			if batch < 64 && r.Unbounded() {
				continue // thousands of calls
			}
			assert.ElementsMatch(t, inside(all), keysOf(t, table.Scan(ctx, r, hbase.Batch(batch))))
			got := keysOf(t, table.Scan(ctx, r, hbase.Batch(batch), hbase.Reversed()))
			assert.True(t, slices.Equal(inside(backward), got), "%v batch %d: %d rows", r, batch, len(got))
		}
	}
	f.took()
	keysOf(t, table.Scan(ctx, rowkey.Range{}))
	assert.Empty(t, f.took(), "an empty range asks nothing")
	keysOf(t, table.Scan(ctx, rowkey.PrefixRange(nil)))
	assert.Len(t, f.took(), 5, "64, 256, 1000, 1000 and what is left")
	for range table.Scan(ctx, rowkey.PrefixRange(nil)) {
		break
	}
	assert.Len(t, f.took(), 1)
}

// Keys of which there is no row are asked for in calls as large as those of rows: in short ones while
// nobody knows how large rows are, and never in larger ones than the rows that came last permit.
func TestGetAllOfNoRows(t *testing.T) {
	f := newFake(t)
	c := dial(t, f.addr)
	table := c.Table("t")
	keys := func(prefix string, n int) (keys [][]byte) {
		for i := range n {
			keys = append(keys, fmt.Appendf(nil, "%s%05d", prefix, i))
		}
		return keys
	}
	absent := keys("absent", 3064)
	got := func(want, calls int, why string, keys [][]byte, opts ...hbase.ScanOption) {
		f.took()
		rows, err := table.GetRows(ctx, keys, opts...)
		require.NoError(t, err)
		assert.Len(t, rows, want, why)
		assert.Len(t, f.took(), calls, why)
	}
	got(0, 49, "8, then 64 a call", absent)
	got(0, 5, "64, 256, 1000, 1000 and what is left", absent, hbase.KeysOnly())
	got(0, 31, "as many as Batch says", absent[:3001], hbase.KeysOnly(), hbase.Batch(100))

	var pulled atomic.Int64
	_, err := table.PutAll(ctx, rowsOf(8, &pulled), 1)
	require.NoError(t, err)
	got(8, 1, "the size of a row is known now", keys("r", 8))
	got(0, 5, "64, 256, 1000, 1000 and what is left", absent)

	_, err = table.PutAll(ctx, bigRows(8), 1)
	require.NoError(t, err)
	big := hbase.Columns("f") // of which a call learns for itself alone
	var big8 [][]byte
	for r := range bigRows(8) {
		big8 = append(big8, r.Key)
	}
	got(8, 1+50, "rows of a megabyte: 8, then 2 a call", slices.Concat(big8, absent[:100]), big, hbase.Batch(8))
}

// After an error a cursor goes on where it was.
func TestCursorGoesOn(t *testing.T) {
	f := newFake(t)
	table := dial(t, f.addr).Table("t")
	var pulled atomic.Int64
	_, err := table.PutAll(ctx, rowsOf(500, &pulled), 1)
	require.NoError(t, err)
	_, err = table.Open(ctx, rowkey.PrefixRange(nil), false, hbase.Reversed())
	require.ErrorIs(t, err, hbase.ErrArgument)
	for _, reversed := range []bool{false, true} {
		c, err := table.Open(ctx, rowkey.PrefixRange(nil), reversed, hbase.Batch(7))
		require.NoError(t, err)
		fails := 0
		var calls atomic.Int64
		f.on(func(_ string, conn net.Conn) {
			if calls.Add(1)%5 < 2 { // so that the second try fails, too
				conn.Close()
			}
		})
		var keys []string
		for {
			r, err := c.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				assert.ErrorIs(t, err, hbase.ErrLost)
				fails++
				continue
			}
			keys = append(keys, string(r.Key))
		}
		f.on(nil)
		assert.Positive(t, fails)
		assert.Len(t, keys, 500)
		slices.Sort(keys)
		assert.Len(t, slices.Compact(keys), 500)
		require.NoError(t, c.Close())
		_, err = c.Next()
		assert.Equal(t, io.EOF, err)
	}
}

// Bounds at the limit of a key's length, in both directions.
func TestLongestKeys(t *testing.T) {
	f := newFake(t)
	table := dial(t, f.addr).Table("t")
	long := func(last byte) string { return string(append(bytes.Repeat([]byte{0xfe}, 32766), last)) }
	keys := []string{"a", long(0x00), long(0x01), long(0xff), string(bytes.Repeat([]byte{0xff}, 32767))}
	for _, key := range keys {
		require.NoError(t, table.Put(ctx, rowOf(key)))
	}
	tooLong := func(key string) string { return key + "\x00" }
	for _, r := range []rowkey.Range{
		rowkey.PrefixRange(nil),
		between(t, keys[1], tooLong(keys[1])),
		between(t, tooLong(keys[1]), tooLong(keys[3])),
		between(t, tooLong(keys[2]), keys[3]),
		between(t, keys[0], tooLong(keys[4])),
		between(t, tooLong(keys[4]), tooLong(keys[4])+"\x00"),
	} {
		var want []string
		for _, key := range keys {
			if r.Contains([]byte(key)) {
				want = append(want, key)
			}
		}
		assert.True(t, slices.Equal(want, keysOf(t, table.Scan(ctx, r, hbase.Batch(1)))))
		slices.Reverse(want)
		assert.True(t, slices.Equal(want, keysOf(t, table.Scan(ctx, r, hbase.Batch(1), hbase.Reversed()))))
	}
	for _, scan := range f.scans() {
		assert.LessOrEqual(t, len(scan.StartRow), 32767, "HBase fails")
		assert.LessOrEqual(t, len(scan.StopRow), 32767)
	}
}

// A server that bounds its answers loses no rows: a short one is the last only if it
// is small.
func TestAnswersAreBounded(t *testing.T) {
	f := newFake(t)
	table := dial(t, f.addr).Table("t")
	var pulled atomic.Int64
	_, err := table.PutAll(ctx, rowsOf(5000, &pulled), 1)
	require.NoError(t, err)
	f.bound(func(rows int, _ int) bool { return rows >= 2000 })
	for _, opts := range [][]hbase.ScanOption{{hbase.Batch(3000)}, {hbase.Batch(3000), hbase.Reversed()}} {
		assert.Len(t, keysOf(t, table.Scan(ctx, rowkey.PrefixRange(nil), opts...)), 5000)
	}

	big := rowOf("")
	big.Cells[0].Value = make([]byte, 1<<17)
	_, err = table.PutAll(ctx, func(yield func(hbase.Row, error) bool) {
		for i := range 100 {
			big.Key = fmt.Appendf(nil, "big%03d", i)
			if !yield(big, nil) {
				return
			}
		}
	}, 1)
	require.NoError(t, err)
	big.Key, big.Cells[0].Value = []byte("alone"), make([]byte, 1<<21)
	require.NoError(t, table.Put(ctx, big))
	f.bound(nil)
	alone := rowkey.PrefixRange(big.Key)
	assert.Equal(t, []string{"alone"}, keysOf(t, table.Scan(ctx, alone)))
	assert.Equal(t, []string{"alone"}, keysOf(t, table.Scan(ctx, alone, hbase.Reversed())))

	f.bound(func(_, bytes int) bool { return bytes >= 1<<21 })
	bigs := rowkey.PrefixRange([]byte("big"))
	assert.Len(t, keysOf(t, table.Scan(ctx, bigs)), 100)
	assert.Len(t, keysOf(t, table.Scan(ctx, bigs, hbase.Reversed())), 100)
	for _, opts := range [][]hbase.ScanOption{nil, {hbase.Reversed()}} { // it sends the cells, too: it does not know the filter
		n, err := table.CountRange(ctx, bigs, opts...)
		require.NoError(t, err)
		assert.Equal(t, 100, n)
	}
	n, err := table.DeleteRange(ctx, bigs)
	require.NoError(t, err)
	assert.Equal(t, 100, n)
}

// TestEndedIsNotSent: nothing of a call is sent whose context has ended.
func TestEndedIsNotSent(t *testing.T) {
	f := newFake(t)
	c, err := hbase.Dial(t.Context(), f.addr)
	require.NoError(t, err)
	defer c.Close()
	row := hbase.Row{Key: []byte("k"), Cells: []hbase.Cell{{Family: "f", Qualifier: "q", Value: []byte("v"), Time: time.UnixMilli(1)}}}
	require.NoError(t, c.Table("t").Put(t.Context(), row)) // a connection is there
	f.took()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for range 200 {
		require.ErrorIs(t, c.Table("t").Put(ended, row), context.Canceled)
	}
	require.Empty(t, f.took())
}
