package hbase_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"testing"
	"time"

	"net/http/httptest"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/internal/cluster/shared"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Rows of a megabyte, by four writers and out again every way that there is: the
// gateway, which has 384 MB, lives.
func TestLargeRowsOnServer(t *testing.T) {
	c := patient(t)
	table := create(t, c, rowkey.SplitKeys{[]byte("big0030"), []byte("big0060")})
	const rows = 120 // more bytes than an answer may have
	n, err := table.PutAll(ctx, bigRows(rows), 4)
	require.NoError(t, err)
	require.Equal(t, rows, n)
	whole := rowkey.PrefixRange([]byte("big"))
	var keys [][]byte
	for r := range bigRows(rows) {
		keys = append(keys, r.Key)
	}
	plan, err := rowkey.New("r").String("key").MustBuild().Scan(rowkey.Prefix("key", "big"))
	require.NoError(t, err)
	boundaries := [][]byte{[]byte("big0030"), []byte("big0060"), []byte("big0090")}
	for name, scan := range map[string]func(yield func(hbase.Row, error) bool){
		"Scan":               table.Scan(ctx, whole),
		"ScanPlan":           table.ScanPlan(ctx, plan.SplitAt(boundaries), hbase.Parallel(4)),
		"ScanPlan, reversed": table.ScanPlan(ctx, plan.SplitAt(boundaries).Reversed(), hbase.Parallel(4)),
		"MultiRange":         table.ScanPlan(ctx, plan.SplitAt(boundaries), hbase.MultiRange()),
	} {
		n, size := 0, 0
		for r, err := range scan {
			require.NoError(t, err, name)
			n++
			size += len(r.Cells[0].Value)
		}
		assert.Equal(t, rows, n, name)
		assert.Equal(t, rows*(1<<20-1<<12), size, name)
	}
	got, err := table.GetAll(ctx, keys)
	require.NoError(t, err)
	assert.Len(t, got, rows)
	require.NoError(t, table.Delete(ctx, keys...))
	require.NoError(t, c.Ping(ctx))
	require.NoError(t, c.DropTable(ctx, table.Name()))
}

// far passes a connection on, with a delay each way.
func far(t *testing.T, addr string, delay time.Duration) string {
	return listen(t, func(near net.Conn) {
		there, err := net.Dial("tcp", addr)
		if err != nil {
			return
		}
		pass := func(to, from net.Conn) {
			defer to.Close()
			b := make([]byte, 1<<16)
			for {
				n, err := from.Read(b)
				if n > 0 {
					time.Sleep(delay)
					if _, err := to.Write(b[:n]); err != nil {
						return
					}
				}
				if err != nil {
					return
				}
			}
		}
		go pass(near, there)
		pass(there, near)
	})
}

// A server that is far away: all buckets are waited for at the same time.
func TestFarServer(t *testing.T) {
	s := shared.Server(t)
	_, keys, plan := manyEvents(t, on(t), 20_000)
	name := fmt.Sprintf("t%d", tables.Load())
	took := map[int]time.Duration{}
	for _, parallel := range []int{1, 16} {
		table := dial(t, far(t, s.Socket, 20*time.Millisecond), hbase.Connections(16)).Table(name)
		began := time.Now()
		i := 0
		for row, err := range table.ScanPlan(ctx, plan, hbase.Parallel(parallel)) {
			require.NoError(t, err)
			require.Equal(t, keys[i], row.Key)
			i++
		}
		require.Equal(t, len(keys), i)
		took[parallel] = time.Since(began)
	}
	t.Logf("one call after another %v, 16 at the same time %v", took[1], took[16])
	assert.Less(t, took[16], took[1]*3/4)
}

// Behind what passes HTTP on, as in front of Lindorm.
func TestProxiedServer(t *testing.T) {
	s := shared.Server(t)
	to, err := url.Parse(s.HTTP)
	require.NoError(t, err)
	web := httptest.NewServer(httputil.NewSingleHostReverseProxy(to))
	defer web.Close()
	c := dial(t, web.URL+"/")
	table := create(t, c, nil)
	_, err = table.PutAll(ctx, bigRows(20), 4)
	require.NoError(t, err)
	assert.Len(t, keysOf(t, table.Scan(ctx, rowkey.PrefixRange(nil), hbase.Reversed())), 20)

	gone := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusBadGateway)
		io.WriteString(w, "<html><body>no upstream</body></html>")
	}))
	defer gone.Close()
	_, _, err = dial(t, gone.URL+"/").Table("t").Get(ctx, []byte("a"))
	assert.EqualError(t, err, "hbase: get t: the server failed: HTTP status 502 Bad Gateway: no upstream")
}
