package hbase_test

import (
	"bytes"
	"context"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/apache/thrift/lib/go/thrift"
	"github.com/hbase-rowkey/rowkey/hbase/internal/memory"
	"github.com/hbase-rowkey/rowkey/hbase/internal/thrift2"
	"github.com/stretchr/testify/require"
)

// fake is a gateway in this process: tables in memory, that knows no filters, and
// faults as a test wants them.
type fake struct {
	addr      string
	gateway   *memory.Gateway
	processor thrift.TProcessor // of gateway

	mu    sync.Mutex
	rows  map[string][]*thrift2.TResult_ // sorted
	calls []string
	asked []*thrift2.TScan

	puts      []*thrift2.TPut
	deletes   []*thrift2.TDelete
	described map[string]*thrift2.TTableDescriptor

	// before runs before each call, on its connection (nil over HTTP).
	before func(call string, conn net.Conn)
	// fault, if it gives an error, is the answer in place of a table's rows.
	fault func() error
	// full bounds the rows and bytes of an answer.
	full func(rows, bytes int) bool
	// fails is what it says of each table, if it is not empty.
	fails string
	// forward has it pass over that a scan is reversed.
	forward bool
	// spoil changes the rows of a scan, or of reads by keys.
	spoil func([]*thrift2.TResult_) []*thrift2.TResult_
	most  atomic.Int32 // calls at the same time
	now   atomic.Int32
}

// newFake starts one on a socket.
func newFake(t *testing.T, wrap ...func(net.Listener) net.Listener) *fake {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	f := &fake{addr: l.Addr().String(), rows: map[string][]*thrift2.TResult_{"t": nil}, described: map[string]*thrift2.TTableDescriptor{}}
	for _, w := range wrap {
		l = w(l)
	}
	f.gateway = memory.Serve(l, f)
	f.processor = f.gateway.Processor
	t.Cleanup(f.gateway.Stop)
	return f
}

// drop closes all connections.
func (f *fake) drop() { f.gateway.Drop() }

// begin counts a call; the caller defers what it gives.
func (f *fake) begin(ctx context.Context, call string) func() {
	f.mu.Lock()
	f.calls = append(f.calls, call)
	before := f.before
	f.mu.Unlock()
	n := f.now.Add(1)
	for {
		most := f.most.Load()
		if n <= most || f.most.CompareAndSwap(most, n) {
			break
		}
	}
	if before != nil {
		before(call, memory.Conn(ctx))
	}
	return func() { f.now.Add(-1) }
}

// took gives the calls made since it was asked last.
func (f *fake) took() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	calls := f.calls
	f.calls = nil
	return calls
}

// scans gives all scans that it was asked for.
func (f *fake) scans() []*thrift2.TScan {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.asked
}

func (f *fake) bound(full func(rows, bytes int) bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.full = full
}

func (f *fake) on(before func(call string, conn net.Conn)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.before = before
}

// table is the rows of a table, as the gateway's error if there is none.
func (f *fake) table(name []byte) ([]*thrift2.TResult_, error) {
	if f.fault != nil {
		if err := f.fault(); err != nil {
			return nil, err
		}
	}
	rows, ok := f.rows[string(name)]
	if f.fails != "" {
		return nil, &thrift2.TIOError{Message: &f.fails}
	}
	if !ok {
		message := string(name) // as the real one says it
		return nil, &thrift2.TIOError{Message: &message}
	}
	return rows, nil
}

func find(rows []*thrift2.TResult_, key []byte) (int, bool) {
	return slices.BinarySearchFunc(rows, key, func(r *thrift2.TResult_, key []byte) int { return bytes.Compare(r.Row, key) })
}

func (f *fake) Get(ctx context.Context, table []byte, get *thrift2.TGet) (*thrift2.TResult_, error) {
	defer f.begin(ctx, "get")()
	f.mu.Lock()
	defer f.mu.Unlock()
	rows, err := f.table(table)
	if i, ok := find(rows, get.Row); ok {
		if f.spoil != nil {
			return f.spoil(rows[i : i+1])[0], nil
		}
		return rows[i], nil
	}
	return &thrift2.TResult_{ColumnValues: []*thrift2.TColumnValue{}}, err
}

func (f *fake) GetMultiple(ctx context.Context, table []byte, gets []*thrift2.TGet) ([]*thrift2.TResult_, error) {
	defer f.begin(ctx, "getMultiple")()
	f.mu.Lock()
	defer f.mu.Unlock()
	rows, err := f.table(table)
	var found []*thrift2.TResult_
	for _, get := range gets {
		if i, ok := find(rows, get.Row); ok {
			found = append(found, rows[i])
		} else {
			found = append(found, &thrift2.TResult_{ColumnValues: []*thrift2.TColumnValue{}})
		}
	}
	if f.spoil != nil {
		found = f.spoil(found)
	}
	return found, err
}

func (f *fake) put(table []byte, puts ...*thrift2.TPut) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	rows, err := f.table(table)
	if err != nil {
		return err
	}
	for _, p := range puts {
		f.puts = append(f.puts, p)
		r := &thrift2.TResult_{Row: p.Row, ColumnValues: p.ColumnValues}
		if i, ok := find(rows, p.Row); ok {
			rows[i] = r
		} else {
			rows = slices.Insert(rows, i, r)
		}
	}
	f.rows[string(table)] = rows
	return nil
}

func (f *fake) Put(ctx context.Context, table []byte, p *thrift2.TPut) error {
	defer f.begin(ctx, "put")()
	return f.put(table, p)
}

func (f *fake) PutMultiple(ctx context.Context, table []byte, puts []*thrift2.TPut) error {
	defer f.begin(ctx, "putMultiple")()
	return f.put(table, puts...)
}

func (f *fake) GetScannerResults(ctx context.Context, table []byte, scan *thrift2.TScan, n int32) ([]*thrift2.TResult_, error) {
	defer f.begin(ctx, "getScannerResults")()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, scan)
	all, err := f.table(table)
	if err != nil {
		return nil, err
	}
	found := []*thrift2.TResult_{}
	size := 0
	take := func(r *thrift2.TResult_) bool {
		found = append(found, r)
		size += len(r.ColumnValues[0].Value)
		return len(found) < int(min(n, scan.GetLimit())) && (f.full == nil || !f.full(len(found), size))
	}
	switch {
	case scan.GetMaxVersions() == 0:
	case scan.GetReversed() && !f.forward:
		for _, r := range slices.Backward(all) {
			if len(scan.StartRow) > 0 && bytes.Compare(r.Row, scan.StartRow) > 0 {
				continue
			}
			if bytes.Compare(r.Row, scan.StopRow) <= 0 || !take(r) {
				break
			}
		}
	default:
		for _, r := range all {
			if bytes.Compare(r.Row, scan.StartRow) < 0 {
				continue
			}
			if len(scan.StopRow) > 0 && bytes.Compare(r.Row, scan.StopRow) >= 0 || !take(r) {
				break
			}
		}
	}
	if f.spoil != nil {
		found = f.spoil(found)
	}
	return found, nil
}

func (f *fake) GetAllRegionLocations(ctx context.Context, table []byte) ([]*thrift2.THRegionLocation, error) {
	defer f.begin(ctx, "getAllRegionLocations")()
	port := int32(16020)
	return []*thrift2.THRegionLocation{{
		ServerName: &thrift2.TServerName{HostName: "localhost", Port: &port},
		RegionInfo: &thrift2.THRegionInfo{TableName: table},
	}}, nil
}

func (f *fake) TableExists(ctx context.Context, table *thrift2.TTableName) (bool, error) {
	defer f.begin(ctx, "tableExists")()
	f.mu.Lock()
	defer f.mu.Unlock()
	_, ok := f.rows[string(table.Qualifier)]
	return ok, nil
}

func (f *fake) CreateTable(ctx context.Context, desc *thrift2.TTableDescriptor, _ [][]byte) error {
	defer f.begin(ctx, "createTable")()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rows[string(desc.TableName.Qualifier)] = nil
	f.described[string(desc.TableName.Qualifier)] = desc
	return nil
}

func (f *fake) DeleteTable(ctx context.Context, table *thrift2.TTableName) error {
	defer f.begin(ctx, "deleteTable")()
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.rows, string(table.Qualifier))
	return nil
}

func (f *fake) DisableTable(ctx context.Context, _ *thrift2.TTableName) error {
	defer f.begin(ctx, "disableTable")()
	return nil
}
