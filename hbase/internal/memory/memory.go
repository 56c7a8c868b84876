// Package memory is an HBase in this process, with a Thrift2 gateway, for tests that need no
// real one: tables with families and regions, cells with times and versions, tombstones that
// hide what is put later, and checks of a row. It knows no filters, and forgets no tombstone.
package memory

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/apache/thrift/lib/go/thrift"
	"github.com/hbase-rowkey/rowkey/hbase/internal/thrift2"
)

// Server is a running one.
type Server struct {
	Addr string // of its gateway

	gateway *Gateway

	mu     sync.Mutex
	tables map[string]*table
	clock  func() time.Time
	fault  func(call string) error
	thrift2.THBaseService
}

type table struct {
	desc   *thrift2.TTableDescriptor
	splits [][]byte
	rows   map[string]*row
}

// row has what was put, by column, and up to which time what was put is hidden.
type row struct {
	cells map[[2]string][]cell // the newest first
	tombs map[[2]string]int64  // of a column, and of a family without one
}

type cell struct {
	at    int64
	value []byte
}

// Start starts a server, which Stop ends.
func Start() (*Server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Server{Addr: l.Addr().String(), tables: map[string]*table{}, clock: time.Now}
	s.gateway = Serve(l, s)
	return s, nil
}

// Stop ends a server.
func (s *Server) Stop() { s.gateway.Stop() }

// SetFault has calls answer with an error where fault gives one. One that is no TIOError comes as
// what the gateway's own code failed by.
func (s *Server) SetFault(fault func(call string) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = fault
}

// fails is the error of a call.
func (s *Server) fails(call string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fault == nil {
		return nil
	}
	return s.fault(call)
}

// SetClock has the server take its time from elsewhere.
func (s *Server) SetClock(clock func() time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock = clock
}

// Processor answers by a service, and as HBase what the service's type is.
func Processor(s thrift2.THBaseService) thrift.TProcessor {
	p := thrift2.NewTHBaseServiceProcessor(s)
	p.AddToProcessorMap("getThriftServerType", ServerType(2))
	return p
}

// ServerType is an answer to the question what a gateway speaks: 2 is Thrift2.
type ServerType int32

// Process answers.
func (t ServerType) Process(ctx context.Context, seq int32, in, out thrift.TProtocol) (bool, thrift.TException) {
	err := errors.Join(
		thrift.SkipDefaultDepth(ctx, in, thrift.STRUCT),
		out.WriteMessageBegin(ctx, "getThriftServerType", thrift.REPLY, seq),
		out.WriteFieldBegin(ctx, "success", thrift.I32, 0),
		out.WriteI32(ctx, int32(t)),
		out.WriteFieldStop(ctx),
		out.Flush(ctx))
	return err == nil, thrift.WrapTException(err)
}

func fault(format string, args ...any) error {
	message := fmt.Sprintf(format, args...)
	return &thrift2.TIOError{Message: &message}
}

func nameOf(t *thrift2.TTableName) string {
	if len(t.Ns) > 0 {
		return string(t.Ns) + ":" + string(t.Qualifier)
	}
	return string(t.Qualifier)
}

// with runs do with a table, while nobody else does anything.
func (s *Server) with(name []byte, do func(t *table) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tables[string(name)]
	if t == nil {
		return fault("TableNotFoundException: %s", name)
	}
	return do(t)
}

// family is a family of the table.
func (t *table) family(name []byte) (*thrift2.TColumnFamilyDescriptor, error) {
	for _, f := range t.desc.Columns {
		if bytes.Equal(f.Name, name) {
			return f, nil
		}
	}
	return nil, fault("NoSuchColumnFamilyException: %s", name)
}

func (t *table) row(key []byte) *row {
	r := t.rows[string(key)]
	if r == nil {
		r = &row{cells: map[[2]string][]cell{}, tombs: map[[2]string]int64{}}
		t.rows[string(key)] = r
	}
	return r
}

// wholeFamily is in the place of a qualifier, which none can be: it is longer than they are.
var wholeFamily = string(bytes.Repeat([]byte{0}, 1<<16))

func (t *table) put(p *thrift2.TPut, now int64) error {
	for _, c := range p.ColumnValues {
		if _, err := t.family(c.Family); err != nil {
			return err
		}
	}
	r := t.row(p.Row)
	for _, c := range p.ColumnValues {
		at := now
		if c.Timestamp != nil {
			at = *c.Timestamp
		}
		column := [2]string{string(c.Family), string(c.Qualifier)}
		cells := slices.DeleteFunc(r.cells[column], func(x cell) bool { return x.at == at })
		cells = append(cells, cell{at, bytes.Clone(c.Value)})
		slices.SortFunc(cells, func(a, b cell) int { return cmp.Compare(b.at, a.at) })
		r.cells[column] = cells
	}
	return nil
}

func (t *table) delete(d *thrift2.TDelete, now int64) error {
	at := func(own *int64) int64 {
		if own != nil {
			return *own
		}
		return now
	}
	r := t.row(d.Row)
	bury := func(family, qualifier string, at int64) {
		column := [2]string{family, qualifier}
		r.tombs[column] = max(r.tombs[column], at)
	}
	switch {
	case len(d.Columns) == 0:
		for _, f := range t.desc.Columns {
			bury(string(f.Name), wholeFamily, at(d.Timestamp))
		}
	case d.DeleteType == thrift2.TDeleteType_DELETE_FAMILY:
		for _, c := range d.Columns {
			bury(string(c.Family), wholeFamily, at(c.Timestamp))
		}
	case d.DeleteType == thrift2.TDeleteType_DELETE_COLUMNS:
		for _, c := range d.Columns {
			bury(string(c.Family), string(c.Qualifier), at(c.Timestamp))
		}
	default:
		return fault("no %v in memory", d.DeleteType)
	}
	return nil
}

// visible is what a read of a row gives.
func (t *table) visible(key []byte, columns []*thrift2.TColumn, versions int32, times *thrift2.TTimeRange) *thrift2.TResult_ {
	result := &thrift2.TResult_{ColumnValues: []*thrift2.TColumnValue{}}
	r := t.rows[string(key)]
	if r == nil {
		return result
	}
	for column, cells := range r.cells {
		if len(columns) > 0 && !slices.ContainsFunc(columns, func(c *thrift2.TColumn) bool {
			return string(c.Family) == column[0] && (c.Qualifier == nil || string(c.Qualifier) == column[1])
		}) {
			continue
		}
		f, _ := t.family([]byte(column[0]))
		left := min(versions, max(f.GetMaxVersions(), 1))
		for _, c := range cells {
			hidden := c.at <= max(r.tombs[column], r.tombs[[2]string{column[0], wholeFamily}])
			if left == 0 || hidden || times != nil && (c.at < times.MinStamp || c.at >= times.MaxStamp) {
				continue
			}
			left--
			at := c.at
			result.ColumnValues = append(result.ColumnValues, &thrift2.TColumnValue{Family: []byte(column[0]), Qualifier: []byte(column[1]), Value: c.value, Timestamp: &at})
		}
	}
	slices.SortFunc(result.ColumnValues, func(a, b *thrift2.TColumnValue) int {
		return cmp.Or(bytes.Compare(a.Family, b.Family), bytes.Compare(a.Qualifier, b.Qualifier), cmp.Compare(*b.Timestamp, *a.Timestamp))
	})
	if len(result.ColumnValues) > 0 {
		result.Row = key
	}
	return result
}

// Get reads a row.
func (s *Server) Get(_ context.Context, name []byte, get *thrift2.TGet) (found *thrift2.TResult_, err error) {
	err = s.with(name, func(t *table) error {
		found, err = t.get(get)
		return err
	})
	return found, err
}

func (t *table) get(get *thrift2.TGet) (*thrift2.TResult_, error) {
	if get.FilterString != nil {
		return nil, fault("no filters in memory")
	}
	for _, c := range get.Columns {
		if _, err := t.family(c.Family); err != nil {
			return nil, err
		}
	}
	return t.visible(get.Row, get.Columns, max(get.GetMaxVersions(), 1), get.TimeRange), nil
}

// GetMultiple reads rows.
func (s *Server) GetMultiple(_ context.Context, name []byte, gets []*thrift2.TGet) (found []*thrift2.TResult_, err error) {
	err = s.with(name, func(t *table) error {
		for _, get := range gets {
			one, err := t.get(get)
			if err != nil {
				return err
			}
			found = append(found, one)
		}
		return nil
	})
	return found, err
}

// Put writes a row.
func (s *Server) Put(ctx context.Context, name []byte, put *thrift2.TPut) error {
	return s.PutMultiple(ctx, name, []*thrift2.TPut{put})
}

// PutMultiple writes rows.
func (s *Server) PutMultiple(_ context.Context, name []byte, puts []*thrift2.TPut) error {
	return s.with(name, func(t *table) error {
		for _, p := range puts {
			if err := t.put(p, s.clock().UnixMilli()); err != nil {
				return err
			}
		}
		return nil
	})
}

// DeleteMultiple deletes rows, families or columns.
func (s *Server) DeleteMultiple(_ context.Context, name []byte, deletes []*thrift2.TDelete) ([]*thrift2.TDelete, error) {
	return []*thrift2.TDelete{}, s.with(name, func(t *table) error {
		for _, d := range deletes {
			if err := t.delete(d, s.clock().UnixMilli()); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Server) mutate(t *table, mutations []*thrift2.TMutation) error {
	now := s.clock().UnixMilli()
	for _, m := range mutations {
		if m.Put != nil {
			if err := t.put(m.Put, now); err != nil {
				return err
			}
		}
		if m.DeleteSingle != nil {
			if err := t.delete(m.DeleteSingle, now); err != nil {
				return err
			}
		}
	}
	return nil
}

// MutateRow changes a row.
func (s *Server) MutateRow(_ context.Context, name []byte, m *thrift2.TRowMutations) error {
	return s.with(name, func(t *table) error { return s.mutate(t, m.Mutations) })
}

// CheckAndMutate changes a row if a column's value is the one that is given, or not.
func (s *Server) CheckAndMutate(_ context.Context, name, key, family, qualifier []byte, op thrift2.TCompareOp, value []byte, m *thrift2.TRowMutations) (done bool, err error) {
	err = s.with(name, func(t *table) error {
		found, err := t.get(&thrift2.TGet{Row: key, Columns: []*thrift2.TColumn{{Family: family, Qualifier: qualifier}}})
		if err != nil {
			return err
		}
		var is []byte
		if len(found.ColumnValues) > 0 {
			is = found.ColumnValues[0].Value
		}
		switch op {
		case thrift2.TCompareOp_EQUAL:
			done = bytes.Equal(is, value)
		case thrift2.TCompareOp_NOT_EQUAL:
			done = !bytes.Equal(is, value)
		default:
			return fault("no %v in memory", op)
		}
		if done {
			return s.mutate(t, m.Mutations)
		}
		return nil
	})
	return done, err
}

// GetScannerResults reads a batch of rows.
func (s *Server) GetScannerResults(_ context.Context, name []byte, scan *thrift2.TScan, n int32) (found []*thrift2.TResult_, err error) {
	found = []*thrift2.TResult_{}
	if err := s.fails("getScannerResults"); err != nil {
		return nil, err
	}
	err = s.with(name, func(t *table) error {
		if scan.FilterString != nil {
			return fault("no filters in memory")
		}
		if scan.IsSetLimit() {
			n = min(n, scan.GetLimit())
		}
		var keys []string
		for key := range t.rows {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		start, stop := string(scan.StartRow), string(scan.StopRow)
		in := func(key string) bool { return key >= start && (stop == "" || key < stop) }
		if scan.GetReversed() {
			slices.Reverse(keys)
			in = func(key string) bool { return (start == "" || key <= start) && key > stop }
		}
		for _, key := range keys {
			if len(found) == int(n) {
				break
			}
			if !in(key) {
				continue
			}
			if r := t.visible([]byte(key), scan.Columns, scan.MaxVersions, scan.TimeRange); len(r.ColumnValues) > 0 {
				found = append(found, r)
			}
		}
		return nil
	})
	return found, err
}

// GetAllRegionLocations are the regions of a table, and none of one that there is not.
func (s *Server) GetAllRegionLocations(_ context.Context, name []byte) (found []*thrift2.THRegionLocation, err error) {
	if err := s.fails("getAllRegionLocations"); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	found = []*thrift2.THRegionLocation{}
	t := s.tables[string(name)]
	if t == nil {
		return found, nil
	}
	port := int32(16020)
	ends := append(slices.Clone(t.splits), nil)
	var start []byte
	for _, end := range ends {
		found = append(found, &thrift2.THRegionLocation{
			ServerName: &thrift2.TServerName{HostName: "localhost", Port: &port},
			RegionInfo: &thrift2.THRegionInfo{TableName: name, StartKey: start, EndKey: end},
		})
		start = end
	}
	return found, nil
}

// TableExists reports whether there is a table.
func (s *Server) TableExists(_ context.Context, name *thrift2.TTableName) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tables[nameOf(name)] != nil, nil
}

// CreateTable creates a table.
func (s *Server) CreateTable(_ context.Context, desc *thrift2.TTableDescriptor, splits [][]byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := nameOf(desc.TableName)
	if s.tables[name] != nil {
		return fault("TableExistsException: %s", name)
	}
	s.tables[name] = &table{desc, splits, map[string]*row{}}
	return nil
}

// DisableTable is the step before DeleteTable.
func (s *Server) DisableTable(_ context.Context, name *thrift2.TTableName) error {
	return s.with([]byte(nameOf(name)), func(*table) error { return nil })
}

// DeleteTable deletes a table and all its rows.
func (s *Server) DeleteTable(_ context.Context, name *thrift2.TTableName) error {
	return s.with([]byte(nameOf(name)), func(*table) error {
		delete(s.tables, nameOf(name))
		return nil
	})
}

// GetTableDescriptor is how a table is kept.
func (s *Server) GetTableDescriptor(_ context.Context, name *thrift2.TTableName) (desc *thrift2.TTableDescriptor, err error) {
	err = s.with([]byte(nameOf(name)), func(t *table) error {
		desc = t.desc
		return nil
	})
	return desc, err
}
