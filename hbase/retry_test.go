package hbase_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
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
	"github.com/hbase-rowkey/rowkey/hbase/internal/otel/attribute"
	"github.com/hbase-rowkey/rowkey/hbase/internal/otel/codes"
	"github.com/hbase-rowkey/rowkey/hbase/internal/otel/metric"
	"github.com/hbase-rowkey/rowkey/hbase/internal/otel/trace"
	"github.com/hbase-rowkey/rowkey/hbase/internal/thrift2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// breaking has the next n calls break their connection, after they were received.
func (f *fake) breaking(n int64) {
	var left atomic.Int64
	left.Store(n)
	f.on(func(_ string, conn net.Conn) {
		if left.Add(-1) >= 0 {
			conn.Close()
		}
	})
}

// over is the fake over HTTP; before may answer in its place.
func (f *fake) over(t *testing.T, before func(http.ResponseWriter, *http.Request) (answered bool)) *httptest.Server {
	handler := thrift.NewThriftHandlerFunc(f.processor, thrift.NewTBinaryProtocolFactoryConf(nil), thrift.NewTBinaryProtocolFactoryConf(nil))
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if before == nil || !before(w, r) {
			handler(w, r)
		}
	}))
	t.Cleanup(web.Close)
	return web
}

func sentTimes(f *fake) (times []int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range f.puts {
		times = append(times, p.ColumnValues[0].GetTimestamp())
	}
	for _, d := range f.deletes {
		stamp := d.GetTimestamp()
		if d.Timestamp == nil && len(d.Columns) > 0 {
			stamp = d.Columns[0].GetTimestamp()
		}
		times = append(times, stamp)
	}
	f.puts, f.deletes = nil, nil
	return times
}

// What is tried again when its connection breaks, and what never is.
func TestRetryOfCalls(t *testing.T) {
	at := time.UnixMilli(1700000000000)
	timed := rowOf("a")
	timed.Cells[0].Time = at
	family := hbase.Deletion{Key: []byte("a"), Columns: []string{"f"}}
	calls := []struct {
		name  string
		again bool // without ClientTime
		clock bool // with it
		do    func(*hbase.Table) error
	}{
		{"Get", true, true, func(t *hbase.Table) error { _, _, err := t.Get(ctx, []byte("a")); return err }},
		{"GetAll", true, true, func(t *hbase.Table) error { _, err := t.GetAll(ctx, [][]byte{[]byte("a")}); return err }},
		{"Scan", true, true, func(t *hbase.Table) error { _, err := t.CountRange(ctx, rowkey.PrefixRange(nil)); return err }},
		{"Put", false, true, func(t *hbase.Table) error { return t.Put(ctx, rowOf("a")) }},
		{"Put of a time", true, true, func(t *hbase.Table) error { return t.Put(ctx, timed) }},
		{"PutAll", false, true, func(t *hbase.Table) error {
			_, err := t.PutAll(ctx, func(yield func(hbase.Row, error) bool) { _ = yield(timed, nil) && yield(rowOf("b"), nil) }, 1)
			return err
		}},
		{"PutAll of a time", true, true, func(t *hbase.Table) error {
			_, err := t.PutAll(ctx, func(yield func(hbase.Row, error) bool) { yield(timed, nil) }, 1)
			return err
		}},
		{"Delete", false, true, func(t *hbase.Table) error { return t.Delete(ctx, []byte("a")) }},
		{"DeleteCells", false, true, func(t *hbase.Table) error { return t.DeleteCells(ctx, family) }},
		{"DeleteCells of a time", true, true, func(t *hbase.Table) error {
			d := family
			d.Time = at
			return t.DeleteCells(ctx, d)
		}},
		{"DeleteCells, the newest", false, false, func(t *hbase.Table) error {
			return t.DeleteCells(ctx, hbase.Deletion{Key: []byte("a"), Columns: []string{"f:q"}, One: true})
		}},
		{"MutateRow", false, true, func(t *hbase.Table) error { return t.MutateRow(ctx, rowOf("a"), family) }},
		{"CheckAndMutate", false, false, func(t *hbase.Table) error {
			_, err := t.CheckAndMutate(ctx, hbase.Check{Family: "f", Qualifier: "q"}, timed)
			return err
		}},
		{"Increment", false, false, func(t *hbase.Table) error {
			_, err := t.Increment(ctx, []byte("n"), hbase.Count{Family: "f", Qualifier: "n", N: 1})
			return err
		}},
		{"Append", false, false, func(t *hbase.Table) error {
			_, err := t.Append(ctx, []byte("a"), hbase.Cell{Family: "f", Qualifier: "q", Value: []byte("x"), Time: at})
			return err
		}},
	}
	for _, clock := range []bool{false, true} {
		f := newFake(t)
		opts := []hbase.Option{hbase.Retry(3, time.Millisecond)}
		if clock {
			opts = append(opts, hbase.ClientTime())
		}
		table := dial(t, f.addr, opts...).Table("t")
		for _, call := range calls {
			t.Run(fmt.Sprint(call.name, ", ClientTime ", clock), func(t *testing.T) {
				f.on(nil)
				require.NoError(t, table.Put(ctx, timed))
				sentTimes(f)
				f.took()
				f.breaking(2) // a read makes both in its first try
				before := time.Now().UnixMilli()
				err := call.do(table)
				want := call.again || clock && call.clock
				f.on(nil)
				// What was sent last may still be at work.
				assert.Eventually(t, func() bool { return f.now.Load() == 0 }, 10*time.Second, time.Millisecond)
				n := len(f.took())
				if !want {
					assert.ErrorIs(t, err, hbase.ErrLost)
					var e *hbase.Error
					require.ErrorAs(t, err, &e)
					assert.True(t, e.Retryable)
					assert.True(t, e.Unsure)
					assert.Equal(t, 1, n)
					return
				}
				assert.NoError(t, err)
				assert.Equal(t, 3, n)
				times := sentTimes(f)
				if len(times) > 0 {
					slices.Sort(times)
					assert.NotZero(t, times[0], "each has a time")
				}
				if clock && call.name == "Put" {
					assert.Len(t, slices.Compact(times), 1, "the time is that of the first try")
					assert.GreaterOrEqual(t, times[0], before)
				}
			})
		}
	}
}

// What a server says decides whether to try again: each answer, how often it was
// asked, and the marks of the error.
func TestRetryOfAnswers(t *testing.T) {
	yes, no := true, false
	message := func(s string, again *bool) error { return &thrift2.TIOError{Message: &s, CanRetry: again} }
	for _, answer := range []struct {
		name  string
		err   error
		again bool
		is    error
	}{
		{"the region moves", message("RegionTooBusyException", &yes), true, hbase.ErrServer},
		{"no words", message("", &yes), true, hbase.ErrServer},
		{"it will not", message("DoNotRetryIOException", &no), false, hbase.ErrServer},
		{"an old server", message("IOException", nil), false, hbase.ErrServer},
		{"no table", message("TableNotFoundException", &no), false, hbase.ErrNoTable},
		{"no family, it was tried often", message("RetriesExhausted: NoSuchColumnFamilyException", &yes), false, hbase.ErrNoFamily},
	} {
		t.Run(answer.name, func(t *testing.T) {
			f := newFake(t)
			f.fault = func() error { return answer.err }
			table := dial(t, f.addr, hbase.Retry(3, time.Millisecond)).Table("t")
			_, _, err := table.Get(ctx, []byte("a"))
			assert.ErrorIs(t, err, answer.is)
			gets := slices.DeleteFunc(f.took(), func(call string) bool { return call != "get" })
			assert.Len(t, gets, map[bool]int{false: 1, true: 3}[answer.again])
			var e *hbase.Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, answer.again, e.Retryable)
			assert.False(t, e.Unsure, "a read")

			err = table.Put(ctx, rowOf("a"))
			assert.ErrorIs(t, err, answer.is)
			puts := slices.DeleteFunc(f.took(), func(call string) bool { return call != "put" })
			assert.Len(t, puts, 1, "without a time")
		})
	}
	for status, again := range map[int]bool{429: true, 502: true, 503: true, 504: true, 500: false, 404: false, 401: false, 403: false} {
		f := newFake(t)
		asked := 0
		web := f.over(t, func(w http.ResponseWriter, _ *http.Request) bool {
			asked++
			w.WriteHeader(status)
			return true
		})
		_, err := dial(t, web.URL, hbase.Retry(3, time.Millisecond)).TableExists(ctx, "t")
		var e *hbase.Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, again, e.Retryable, status)
		assert.Equal(t, map[bool]int{false: 1, true: 3}[again], asked, status)
		require.ErrorAs(t, dial(t, web.URL).Table("t").Put(ctx, rowOf("a")), &e)
		assert.Equal(t, status >= 500, e.Unsure, "%d: what stands in between may have passed it on", status)
	}
}

// A gateway that hangs once costs one Timeout; the caller's own time ends all tries,
// and the waits between them.
func TestRetryAndTime(t *testing.T) {
	f := newFake(t)
	release := make(chan struct{})
	defer close(release)
	var calls atomic.Int64
	f.on(func(string, net.Conn) {
		if calls.Add(1) == 1 {
			<-release
		}
	})
	within := func(long time.Duration) *hbase.Table {
		return hasty(t, f.addr, long, hbase.Retry(2, time.Millisecond)).Table("t")
	}
	var err error
	for long := 100 * time.Millisecond; long < time.Minute; long *= 4 { // until the second try is within it
		table := within(long)
		calls.Store(0)
		if _, _, err = table.Get(ctx, []byte("a")); err == nil {
			break
		}
	}
	assert.NoError(t, err)
	assert.EqualValues(t, 2, calls.Load())
	f.on(func(string, net.Conn) { <-release })
	var e *hbase.Error
	for long := 100 * time.Millisecond; long < time.Minute; long *= 4 { // until the request is written within it
		err = within(long).Put(ctx, rowOf("a"))
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		if require.ErrorAs(t, err, &e); e.Unsure {
			break
		}
	}
	assert.True(t, e.Unsure)
	assert.ErrorContains(t, err, "may have been written or not")

	f.breaking(1 << 40)
	waiting := dial(t, f.addr, hbase.Retry(99, time.Hour)).Table("t")
	for long := 100 * time.Millisecond; long < time.Minute; long *= 4 { // until the first try is within it
		short, cancel := context.WithTimeout(ctx, long)
		began := time.Now()
		_, _, err = waiting.Get(short, []byte("a"))
		cancel()
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Less(t, time.Since(began), long+5*time.Second)
		if errors.Is(err, hbase.ErrLost) {
			break
		}
	}
	assert.ErrorIs(t, err, hbase.ErrLost, "and why it waited")

	closing := dial(t, f.addr, hbase.Retry(99, time.Hour))
	go func() {
		time.Sleep(20 * time.Millisecond)
		closing.Close()
	}()
	_, _, err = closing.Table("t").Get(ctx, []byte("a"))
	assert.ErrorIs(t, err, hbase.ErrClosed, "Close ends a wait, too")

	for _, opts := range [][]hbase.Option{{hbase.Retry(0, 0)}, {hbase.Retry(2, -1)}} {
		_, err := hbase.Dial(ctx, f.addr, opts...)
		assert.ErrorIs(t, err, hbase.ErrArgument)
	}
}

func TestRetryWaits(t *testing.T) {
	assert.Zero(t, hbase.WaitBefore(2, 0))
	assert.Equal(t, time.Duration(1), hbase.WaitBefore(2, 1))
	seen := map[time.Duration]bool{}
	for range 200 {
		for try, most := range map[int]time.Duration{2: 100 * time.Millisecond, 3: 200 * time.Millisecond, 5: 800 * time.Millisecond, 9: 10 * time.Second, 1000: 10 * time.Second} {
			wait := hbase.WaitBefore(try, 100*time.Millisecond)
			assert.GreaterOrEqual(t, wait, most/2, try)
			assert.Less(t, wait, most, try)
			seen[wait] = true
		}
	}
	assert.Greater(t, len(seen), 500, "by chance")
}

func TestPing(t *testing.T) {
	f := newFake(t)
	c := dial(t, f.addr, hbase.Retry(5, time.Hour))
	require.NoError(t, c.Ping(ctx))
	assert.Equal(t, []string{"tableExists"}, f.took())
	f.breaking(2)
	assert.ErrorIs(t, c.Ping(ctx), hbase.ErrLost)
	assert.Len(t, f.took(), 2, "once, though on another connection")
}

// Two gateways: connections are spread over them, one of them may be gone, and comes
// back.
func TestGateways(t *testing.T) {
	defer func(was time.Duration) { *hbase.DownFor = was }(*hbase.DownFor)
	*hbase.DownFor = time.Hour
	a, b := newFake(t), newFake(t)
	b.mu.Lock()
	b.rows = a.rows // one HBase behind both; only one of them is asked at a time
	b.mu.Unlock()
	c := dial(t, a.addr+","+b.addr, hbase.Connections(4))
	assert.Equal(t, "hbase "+a.addr+","+b.addr, c.String())
	var wg sync.WaitGroup
	met := meet(t, 4)
	for _, f := range []*fake{a, b} {
		f.on(met)
	}
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			assert.NoError(t, c.Ping(ctx))
		}()
	}
	wg.Wait()
	assert.Len(t, a.took(), 2)
	assert.Len(t, b.took(), 2)

	table := c.Table("t")
	a.gateway.Stop()
	for range 10 {
		_, _, err := table.Get(ctx, []byte("a"))
		assert.NoError(t, err)
	}
	c = dial(t, a.addr+","+b.addr, hbase.Connections(4))
	require.NoError(t, c.Table("t").Put(ctx, rowOf("a")), "of the two, one is enough to begin with")
	_, err := hbase.Dial(ctx, a.addr+",127.0.0.1:1")
	assert.ErrorIs(t, err, hbase.ErrUnreachable)
	_, err = hbase.Dial(ctx, b.addr+",ftp://x")
	assert.ErrorIs(t, err, hbase.ErrArgument)
	_, err = hbase.Dial(ctx, b.addr+",http://127.0.0.1:1/", hbase.AccessKey("id", "signature"))
	assert.ErrorIs(t, err, hbase.ErrArgument, "headers to a socket")
}

// Over HTTP a gateway that is gone shows only when it is asked: a write goes to the
// other one, since nothing of it was sent, and the one that is gone is left out.
func TestGatewaysOverHTTP(t *testing.T) {
	defer func(was time.Duration) { *hbase.DownFor = was }(*hbase.DownFor)
	f := newFake(t)
	up, gone := f.over(t, nil), f.over(t, nil)
	gone.Close()
	table := dial(t, gone.URL+","+up.URL+","+gone.URL+"/2").Table("t")
	for i := range 5 {
		now, err := table.Increment(ctx, []byte("n"), hbase.Count{Family: "f", Qualifier: "n", N: 1})
		require.NoError(t, err)
		assert.Equal(t, int64(i+1), now[0].N)
	}
	*hbase.DownFor = 0
	for i := range 5 {
		now, err := table.Increment(ctx, []byte("n"), hbase.Count{Family: "f", Qualifier: "n", N: 1})
		require.NoError(t, err)
		assert.Equal(t, int64(i+6), now[0].N)
	}
	_, _, err := dial(t, gone.URL+","+gone.URL).Table("t").Get(ctx, []byte("a"))
	assert.ErrorIs(t, err, hbase.ErrUnreachable)
}

// A gateway that takes connections and says nothing leaves time for the others.
func TestGatewayIsSilent(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer silent.Close()
	web := httptest.NewTLSServer(nil) // for its certificate
	defer web.Close()
	roots := x509.NewCertPool()
	roots.AddCert(web.Certificate())
	f := newFake(t, func(l net.Listener) net.Listener { return tls.NewListener(l, web.TLS) })
	for long := 2 * time.Second; long < 2*time.Minute; long *= 4 { // until the other half is enough for the second
		var c *hbase.Client
		began := time.Now()
		c, err = hbase.Dial(ctx, silent.Addr().String()+","+f.addr, hbase.TLS(&tls.Config{RootCAs: roots}), hbase.Timeout(long))
		assert.Greater(t, time.Since(began), long*9/20, "half of the time is for the first")
		if err == nil {
			defer c.Close()
			assert.NoError(t, c.Ping(ctx))
			break
		}
	}
	assert.NoError(t, err)
}

// watched keeps what a Watcher is told.
type watched struct {
	mu    sync.Mutex
	calls []hbase.Call
	outs  []hbase.Outcome
	keys  []any
}

type watchKey struct{}

func (w *watched) Begin(ctx context.Context, call hbase.Call) (context.Context, func(hbase.Outcome)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls = append(w.calls, call)
	w.keys = append(w.keys, ctx.Value(watchKey{}))
	if call.Name == "tableExists" {
		return ctx, nil
	}
	return context.WithValue(ctx, watchKey{}, call.Name), func(o hbase.Outcome) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.outs = append(w.outs, o)
	}
}

func TestWatch(t *testing.T) {
	f := newFake(t)
	w := &watched{}
	c := dial(t, f.addr, hbase.Watch(w), hbase.Retry(4, time.Millisecond))
	table := c.Table("t")
	mine := context.WithValue(ctx, watchKey{}, "mine")
	_, err := table.PutAll(mine, rowsOf(1500, new(atomic.Int64)), 1)
	require.NoError(t, err)
	r := between(t, "r00000", "r00005")
	assert.Len(t, keysOf(t, table.Scan(mine, r)), 5)
	f.breaking(3)
	_, found, err := table.Get(mine, []byte("r00001"))
	require.NoError(t, err)
	require.True(t, found)
	_, found, err = table.Get(mine, []byte("none"))
	require.NoError(t, err)
	require.False(t, found)
	require.NoError(t, c.Ping(mine))
	_, _, err = c.Table("nope").Get(mine, []byte("a"))
	require.ErrorIs(t, err, hbase.ErrNoTable)
	require.Error(t, c.Table("nope").Put(mine, rowOf("a")))

	assert.Equal(t, []hbase.Call{
		{Name: "putMultiple", Table: "t", Write: true, Rows: 1000},
		{Name: "putMultiple", Table: "t", Write: true, Rows: 500},
		{Name: "getScannerResults", Table: "t", Range: &r, Rows: 8},
		{Name: "get", Table: "t", Rows: 1},
		{Name: "get", Table: "t", Rows: 1},
		{Name: "tableExists"},
		{Name: "get", Table: "nope", Rows: 1},
		{Name: "tableExists", Table: "nope"},
		{Name: "put", Table: "nope", Write: true, Rows: 1},
		{Name: "tableExists", Table: "nope"},
	}, w.calls)
	for i := range 6 {
		assert.Equal(t, "mine", w.keys[i])
	}
	require.Len(t, w.outs, 7)
	assert.Zero(t, w.outs[6].Rows, "none that is known to be written")
	assert.Equal(t, []hbase.Outcome{{Rows: 1000, Tries: 1}, {Rows: 500, Tries: 1}, {Rows: 5, Tries: 1}, {Rows: 1, Tries: 2}, {Tries: 1}}, w.outs[:5])
	assert.ErrorIs(t, w.outs[5].Err, hbase.ErrNoTable)
	var e *hbase.Error
	assert.True(t, errors.As(w.outs[5].Err, &e))
}

// told is a tracer, its span and a histogram that keep what they are told.
type told struct{ lines []string }

func (o *told) say(format string, args ...any) {
	o.lines = append(o.lines, fmt.Sprintf(format, args...))
}

func (o *told) Start(ctx context.Context, name string, opts ...trace.SpanStartOption) (context.Context, trace.Span) {
	o.say("start %s %v", name, opts)
	return ctx, o
}
func (o *told) End(...trace.SpanEndOption)                    { o.say("end") }
func (o *told) RecordError(err error, _ ...trace.EventOption) { o.say("error %v", err) }
func (o *told) SetStatus(code codes.Code, _ string)           { o.say("status %d", code) }
func (o *told) SetAttributes(kv ...attribute.KeyValue)        { o.say("%v", kv) }

func (o *told) Record(_ context.Context, seconds float64, opts ...metric.RecordOption) {
	o.say("record %v %v", seconds > 0, opts)
}

func TestOpenTelemetryRecipe(t *testing.T) {
	f := newFake(t)
	o := &told{}
	c := dial(t, f.addr, hbase.Watch(observed{o, o}))
	require.NoError(t, c.Table("t").Put(ctx, rowOf("a")))
	_, err := c.TableExists(ctx, "u")
	require.NoError(t, err)
	f.breaking(2)
	_, _, err = c.Table("t").Get(ctx, []byte("a"))
	require.Error(t, err)
	about := func(call, table string) string {
		return fmt.Sprintf("[{db.system.name hbase} {db.operation.name %s} {db.collection.name %s}]", call, table)
	}
	assert.Equal(t, []string{
		"start put t [3 " + about("put", "t") + "]", "record true [" + about("put", "t") + "]", "[{rows 1} {tries 1}]", "end",
		"start tableExists u [3 " + about("tableExists", "u") + "]", "record true [" + about("tableExists", "u") + "]", "[{rows 0} {tries 1}]", "end",
		"start get t [3 " + about("get", "t") + "]", "record true [" + about("get", "t") + "]", "[{rows 0} {tries 1}]", "error " + err.Error(), "status 1", "end",
	}, o.lines)
}
