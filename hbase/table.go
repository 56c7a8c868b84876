package hbase

import (
	"context"
	"fmt"
	"iter"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase/internal/thrift2"
)

// Table is a table of a client. It is safe for concurrent use.
type Table struct {
	client *Client
	name   string
	bytes  []byte
}

// Table is the table of a name, "name" or "namespace:name"; it asks the server
// nothing.
func (c *Client) Table(name string) *Table { return &Table{c, name, []byte(name)} }

// Name is the table's name.
func (t *Table) Name() string { return t.name }

// Row is a row: its key and its cells, in the order of family and qualifier.
type Row struct {
	Key   []byte
	Cells []Cell
}

// Cell is a value in a column.
type Cell struct {
	Family, Qualifier string
	Value             []byte
	Time              time.Time // in milliseconds; of a put, zero is the server's clock
}

// Value is the value in a column of the row; nil if there is none.
func (r Row) Value(family, qualifier string) []byte {
	for i := range r.Cells {
		if c := &r.Cells[i]; c.Family == family && c.Qualifier == qualifier {
			return c.Value
		}
	}
	return nil
}

const (
	maxKey     = 32767   // HBase's limit of a row key, in bytes
	batchRows  = 1000    // rows in a call of PutAll
	batchBytes = 1 << 20 // bytes of keys and values there, about
)

// checkKey is what the server would answer with an internal error.
func checkKey(key []byte) error {
	if len(key) == 0 || len(key) > maxKey {
		return explain(rowkey.ErrLength, fmt.Sprintf("a row key of %d bytes; HBase's have 1 to %d", len(key), maxKey))
	}
	return nil
}

func (t *Table) call(ctx context.Context, name string, write bool, f func(context.Context, *thrift2.THBaseServiceClient) error) error {
	return t.client.call(ctx, request{name: name, table: t.name, write: write}, f)
}

// refuse is the error of a call that is not made.
func (t *Table) refuse(name string, err error) error {
	return &Error{Call: name, Table: t.name, Err: err}
}

// put is a row as it is sent, and about how long that is.
func put(r Row) (*thrift2.TPut, int, error) {
	if err := checkKey(r.Key); err != nil {
		return nil, 0, err
	}
	if len(r.Cells) == 0 {
		return nil, 0, explain(ErrArgument, "a row without cells: HBase keeps none")
	}
	p := &thrift2.TPut{Row: r.Key, ColumnValues: make([]*thrift2.TColumnValue, len(r.Cells))}
	size := 0
	for i := range r.Cells {
		c := &r.Cells[i]
		v := &thrift2.TColumnValue{Family: []byte(c.Family), Qualifier: []byte(c.Qualifier), Value: c.Value}
		if !c.Time.IsZero() {
			ms := c.Time.UnixMilli()
			v.Timestamp = &ms
		}
		p.ColumnValues[i] = v
		size += len(r.Key) + len(c.Family) + len(c.Qualifier) + len(c.Value)
	}
	return p, size, nil
}

// Put writes a row's cells. Other cells of the row stay as they are.
func (t *Table) Put(ctx context.Context, r Row) error {
	p, _, err := put(r)
	if err != nil {
		return t.refuse("put", err)
	}
	return t.call(ctx, "put", true, func(ctx context.Context, s *thrift2.THBaseServiceClient) error {
		return s.Put(ctx, t.bytes, p)
	})
}

// PutAll writes rows in batches of up to 1000 rows or about 1 MB, parallel of them
// at the same time (fewer than one counts as one; the client's Connections bound
// them too). It asks for further rows only when there is a batch to put them
// in: a server that is slow makes the caller's sequence wait, not grow. The
// first error, be it of a row of the sequence, ends it. written is the rows in
// the batches that the server said it has; others may have been written, too, so
// put all of them again, or go on behind them if parallel is 1. A row's key and
// cells must stay as they are until PutAll returns.
func (t *Table) PutAll(ctx context.Context, rows iter.Seq2[Row, error], parallel int) (written int, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	batches := make(chan []*thrift2.TPut)
	var stored atomic.Int64
	var senders sync.WaitGroup
	for range max(parallel, 1) {
		senders.Add(1)
		go func() {
			defer senders.Done()
			for batch := range batches {
				err := t.call(ctx, "putMultiple", true, func(ctx context.Context, s *thrift2.THBaseServiceClient) error {
					return s.PutMultiple(ctx, t.bytes, batch)
				})
				if err != nil {
					cancel(err) // the first one is the cause
					return
				}
				stored.Add(int64(len(batch)))
			}
		}()
	}
	t.gather(ctx, cancel, rows, batches)
	close(batches)
	senders.Wait()
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return int(stored.Load()), err
}

// gather makes batches of rows, until there are no more or the context ends.
func (t *Table) gather(ctx context.Context, cancel context.CancelCauseFunc, rows iter.Seq2[Row, error], batches chan<- []*thrift2.TPut) {
	var batch []*thrift2.TPut
	size, n := 0, 0
	send := func() bool {
		select {
		case batches <- batch:
			batch, size = nil, 0
			return true
		case <-ctx.Done():
			return false
		}
	}
	for r, err := range rows {
		var p *thrift2.TPut
		var bytes int
		if err == nil {
			if p, bytes, err = put(r); err != nil {
				err = t.refuse("putMultiple", fmt.Errorf("row %d: %w", n, err))
			}
		}
		if err != nil {
			cancel(err)
			return
		}
		batch = append(batch, p)
		size += bytes
		n++
		if (len(batch) >= batchRows || size >= batchBytes) && !send() {
			return
		}
	}
	if len(batch) > 0 {
		send()
	}
}

// columns are "family" or "family:qualifier".
func columns(names []string) []*thrift2.TColumn {
	var cs []*thrift2.TColumn
	for _, name := range names {
		family, qualifier, ok := strings.Cut(name, ":")
		c := &thrift2.TColumn{Family: []byte(family)}
		if ok {
			c.Qualifier = []byte(qualifier)
		}
		cs = append(cs, c)
	}
	return cs
}

// row is a row as it was received.
func row(r *thrift2.TResult_) Row {
	out := Row{Key: r.Row}
	if len(r.ColumnValues) > 0 {
		out.Cells = make([]Cell, len(r.ColumnValues))
	}
	for i, v := range r.ColumnValues {
		out.Cells[i] = Cell{Family: string(v.Family), Qualifier: string(v.Qualifier), Value: v.Value}
		if v.Timestamp != nil {
			out.Cells[i].Time = time.UnixMilli(*v.Timestamp)
		}
	}
	return out
}

// Get reads a row, or of it the columns named "family" or "family:qualifier".
// found is false if there is nothing of it.
func (t *Table) Get(ctx context.Context, key []byte, cols ...string) (r Row, found bool, err error) {
	if err := checkKey(key); err != nil {
		return Row{}, false, t.refuse("get", err)
	}
	get := &thrift2.TGet{Row: key, Columns: columns(cols)}
	err = t.call(ctx, "get", false, func(ctx context.Context, s *thrift2.THBaseServiceClient) error {
		result, err := s.Get(ctx, t.bytes, get)
		if err == nil && len(result.Row) > 0 {
			r, found = row(result), true
		}
		return err
	})
	return r, found, err
}

// GetAll reads rows by their keys in one call, such as the candidates of
// rowkey.Plan.Keys. It gives those that there are, in the order of the keys.
func (t *Table) GetAll(ctx context.Context, keys [][]byte, cols ...string) (rows []Row, err error) {
	gets := make([]*thrift2.TGet, len(keys))
	for i, key := range keys {
		if err := checkKey(key); err != nil {
			return nil, t.refuse("getMultiple", fmt.Errorf("key %d: %w", i, err))
		}
		gets[i] = &thrift2.TGet{Row: key, Columns: columns(cols)}
	}
	if len(gets) == 0 {
		return nil, nil
	}
	err = t.call(ctx, "getMultiple", false, func(ctx context.Context, s *thrift2.THBaseServiceClient) error {
		results, err := s.GetMultiple(ctx, t.bytes, gets)
		for _, r := range results {
			if len(r.Row) > 0 {
				rows = append(rows, row(r))
			}
		}
		return err
	})
	return rows, err
}

// Delete deletes whole rows in one call; one that there is not is no error.
func (t *Table) Delete(ctx context.Context, keys ...[]byte) error {
	deletes := make([]*thrift2.TDelete, len(keys))
	for i, key := range keys {
		if err := checkKey(key); err != nil {
			return t.refuse("deleteMultiple", fmt.Errorf("key %d: %w", i, err))
		}
		deletes[i] = &thrift2.TDelete{Row: key}
	}
	if len(deletes) == 0 {
		return nil
	}
	return t.call(ctx, "deleteMultiple", true, func(ctx context.Context, s *thrift2.THBaseServiceClient) error {
		left, err := s.DeleteMultiple(ctx, t.bytes, deletes)
		if err == nil && len(left) > 0 {
			return &thrift2.TIOError{Message: text(fmt.Sprintf("%d of %d rows were not deleted", len(left), len(deletes)))}
		}
		return err
	})
}

func text(s string) *string { return &s }

// Region is a region of a table: its keys from Start on, before Stop, of which an
// empty one is the end of the table, and the server it is on.
type Region struct {
	Start, Stop []byte
	Server      string // host:port
}

// Regions are the regions of the table in key order, as they are now. Their
// Starts are boundaries for rowkey.Plan.SplitAt.
func (t *Table) Regions(ctx context.Context) (regions []Region, err error) {
	err = t.call(ctx, "getAllRegionLocations", false, func(ctx context.Context, s *thrift2.THBaseServiceClient) error {
		locations, err := s.GetAllRegionLocations(ctx, t.bytes)
		if err != nil {
			return err
		}
		regions = nil
		for _, l := range locations {
			regions = append(regions, Region{
				Start:  l.RegionInfo.StartKey,
				Stop:   l.RegionInfo.EndKey,
				Server: net.JoinHostPort(l.ServerName.HostName, strconv.Itoa(int(l.ServerName.GetPort()))),
			})
		}
		return nil
	})
	if err == nil && len(regions) == 0 { // the server has none to tell, and no error
		err = t.refuse("getAllRegionLocations", ErrNoTable)
	}
	return regions, err
}
