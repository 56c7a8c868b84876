package hbase

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/apache/thrift/lib/go/thrift"
	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase/internal/thrift2"
)

// Table is a table of a client. It is safe for concurrent use.
type Table struct {
	client *Client
	name   string
	bytes  []byte
	state  *tableState
}

// Table is the table of a name, "name" or "namespace:name"; it asks the server
// nothing.
func (c *Client) Table(name string) *Table { return &Table{c, name, []byte(name), c.state(name)} }

// Name is the table's name.
func (t *Table) Name() string { return t.name }

// Row is a row: its key and its cells, in the order of family and qualifier, and of
// one column the newest first.
type Row struct {
	Key   []byte
	Cells []Cell

	// TTL is how long the cells of a put live, counted from their Time, if the family
	// does not have them end sooner; 0 is as long as the family says. Milliseconds;
	// no row that is read has one, but its cells may.
	TTL time.Duration
}

// Cell is a value in a column.
type Cell struct {
	Family, Qualifier string
	Value             []byte
	Time              time.Time // in milliseconds; of a put, zero is the server's clock (see ClientTime)

	// TTL is that of the cell itself, where a gateway shows it: one whose hbase.client.rpc.codec is
	// org.apache.hadoop.hbase.codec.KeyValueCodecWithTags. The cells of a put have one TTL.
	TTL time.Duration
}

// Value is the newest value in a column of the row; nil if there is none.
func (r Row) Value(family, qualifier string) []byte {
	for i := range r.Cells {
		if c := &r.Cells[i]; c.Family == family && c.Qualifier == qualifier {
			return c.Value
		}
	}
	return nil
}

const maxKey = 32767 // HBase's limit of a row key, in bytes

// checkKey is what the server would answer with an internal error.
func checkKey(key []byte) error {
	if len(key) == 0 || len(key) > maxKey {
		return explain(rowkey.ErrLength, fmt.Sprintf("a row key of %d bytes; HBase's have 1 to %d", len(key), maxKey))
	}
	return nil
}

// call makes a call of the table.
func (t *Table) call(ctx context.Context, r request, f service) error {
	r.table = t.name
	return t.client.call(ctx, r, f)
}

// refuse is the error of a call that is not made.
func (t *Table) refuse(name string, err error) error {
	return &Error{Call: name, Table: t.name, Err: err}
}

// put is a row as it is sent, about how long that is, and whether all its cells
// have a time, so that it may be sent again.
func (t *Table) put(r Row, memory *putMemory) (p *thrift2.TPut, size int, fixed bool, err error) {
	if err := checkKey(r.Key); err != nil {
		return nil, 0, false, err
	}
	if len(r.Cells) == 0 {
		return nil, 0, false, explain(ErrArgument, "a row without cells: HBase keeps none")
	}
	p = memory.put(len(r.Cells))
	p.Row = r.Key
	lives := r.TTL
	for i := range r.Cells {
		if own := r.Cells[i].TTL; r.TTL == 0 && own != r.Cells[0].TTL || r.TTL != 0 && own != 0 && own != r.TTL {
			return nil, 0, false, explain(ErrArgument, "cells of more than one TTL: put them as a row for each")
		} else if own != 0 {
			lives = own
		}
	}
	if lives != 0 {
		if p.Attributes, err = ttl(lives); err != nil {
			return nil, 0, false, err
		}
	}
	fixed = true
	now := t.client.now()
	for i := range r.Cells {
		c := &r.Cells[i]
		v := p.ColumnValues[i]
		v.Family, v.Qualifier, v.Value = memory.name(c.Family), memory.name(c.Qualifier), c.Value
		v.Timestamp = stampOf(c.Time, now)
		fixed = fixed && v.Timestamp != nil
		size += len(r.Key) + len(c.Family) + len(c.Qualifier) + len(c.Value)
	}
	return p, size, fixed, nil
}

// Put writes a row's cells. Other cells of the row stay as they are.
func (t *Table) Put(ctx context.Context, r Row) error {
	p, _, fixed, err := t.put(r, nil)
	if err != nil {
		return t.refuse("put", err)
	}
	return t.call(ctx, request{name: "put", write: true, fixed: fixed, rows: 1}, func(ctx context.Context, s *thrift2.THBaseServiceClient) error {
		return s.Put(ctx, t.bytes, p)
	})
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
	answer := results{one: true}
	err = t.get(ctx, request{name: "get"}, [][]byte{key}, &thrift2.THBaseServiceGetArgs{Table: t.bytes, Tget: get}, &answer)
	if err != nil || len(answer.rows) == 0 {
		return Row{}, false, err
	}
	return answer.rows[0], true, nil
}

// GetAll reads rows by their keys, such as the candidates of rowkey.Plan.Keys. It
// gives those that there are, in the order of the keys. A call reads up to 1000
// rows, and fewer where rows are large, as of a scan; the first error ends it, and
// there are no rows.
func (t *Table) GetAll(ctx context.Context, keys [][]byte, cols ...string) ([]Row, error) {
	return t.GetRows(ctx, keys, Columns(cols...))
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
	err = t.call(ctx, request{name: "getAllRegionLocations"}, func(ctx context.Context, s *thrift2.THBaseServiceClient) error {
		locations, err := s.GetAllRegionLocations(ctx, t.bytes)
		var app thrift.TApplicationException
		if errors.As(err, &app) { // of a region that is on no server the gateway's own code fails
			return between{err}
		}
		if err != nil {
			return err
		}
		regions = nil
		for _, l := range locations {
			if l.RegionInfo == nil || l.ServerName == nil {
				return between{errors.New("a region is on no server")}
			}
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
