package hbase

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase/internal/thrift2"
)

// Family is a column family of a table and how it is kept. What is zero is the
// server's default. The words are HBase's own.
type Family struct {
	Name        string
	Versions    int           // of each cell that are kept
	MinVersions int           // that are kept even after the TTL
	TTL         time.Duration // whole seconds that cells live; zero is for ever
	Compression string        // GZ, SNAPPY, LZ4, ZSTD, LZO, BZIP2 or NONE: the servers must have it
	Encoding    string        // of keys in blocks: FAST_DIFF, DIFF, PREFIX, ROW_INDEX_V1 or NONE
	Bloom       string        // ROW, ROWCOL or NONE
	KeepDeleted string        // FALSE, TRUE or TTL
	BlockSize   int           // bytes
	InMemory    bool          // its blocks go last from the cache

	// Config is what else there is, by HBase's names: those with a dot, such as
	// hbase.hstore.time.to.purge.deletes, are its configuration, others, such as
	// NEW_VERSION_BEHAVIOR, its attributes.
	Config map[string]string
}

// for ever, in the seconds of a TTL.
const foreverSeconds = math.MaxInt32

// oneOf is the number of a word in one of the server's lists of words.
func oneOf[E ~int64](what, word string, parse func(string) (E, error)) (*E, error) {
	if word == "" {
		return nil, nil
	}
	e, err := parse(strings.ToUpper(word))
	if err != nil {
		return nil, explain(ErrArgument, fmt.Sprintf("no %s %q", what, word))
	}
	return &e, nil
}

// some is a number as it is sent, nil if it is zero.
func some(what string, n int) (*int32, error) {
	if n < 0 || n > math.MaxInt32 {
		return nil, explain(ErrArgument, fmt.Sprintf("%s of %d", what, n))
	}
	if n == 0 {
		return nil, nil
	}
	m := int32(n)
	return &m, nil
}

// descriptor is a family as it is sent.
func (f *Family) descriptor() (d *thrift2.TColumnFamilyDescriptor, err error) {
	set := func(e error) {
		if err == nil {
			err = e
		}
	}
	if f.Name == "" {
		set(explain(ErrArgument, "a column family has a name"))
	}
	d = &thrift2.TColumnFamilyDescriptor{Name: []byte(f.Name)}
	for name, value := range f.Config {
		if strings.Contains(name, ".") {
			if d.Configuration == nil {
				d.Configuration = map[string]string{}
			}
			d.Configuration[name] = value
			continue
		}
		if d.Attributes == nil {
			d.Attributes = map[string][]byte{}
		}
		d.Attributes[name] = []byte(value)
	}
	var e error
	d.MaxVersions, e = some("versions", f.Versions)
	set(e)
	d.MinVersions, e = some("minimal versions", f.MinVersions)
	set(e)
	d.BlockSize, e = some("a block size", f.BlockSize)
	set(e)
	if f.TTL != 0 {
		seconds := int64(f.TTL / time.Second)
		if f.TTL < time.Second || f.TTL%time.Second != 0 || seconds >= foreverSeconds {
			set(explain(ErrArgument, "the TTL of a family is whole seconds, up to 2147483646"))
		}
		s := int32(min(seconds, foreverSeconds))
		d.TimeToLive = &s
	}
	d.CompressionType, e = oneOf("compression", f.Compression, thrift2.TCompressionAlgorithmFromString)
	set(e)
	d.DataBlockEncoding, e = oneOf("encoding", f.Encoding, thrift2.TDataBlockEncodingFromString)
	set(e)
	d.BloomnFilterType, e = oneOf("Bloom filter", f.Bloom, thrift2.TBloomFilterTypeFromString)
	set(e)
	d.KeepDeletedCells, e = oneOf("way to keep deleted cells", f.KeepDeleted, thrift2.TKeepDeletedCellsFromString)
	set(e)
	if f.InMemory {
		d.InMemory = &f.InMemory
	}
	return d, err
}

// CreateTable creates a table with its regions, which begin at the splits (see
// rowkey.Schema.Splits), and its column families as the server keeps them by
// default. CreateTableOf says how.
func (c *Client) CreateTable(ctx context.Context, table string, splits rowkey.SplitKeys, families ...string) error {
	fs := make([]Family, len(families))
	for i, name := range families {
		fs[i].Name = name
	}
	return c.CreateTableOf(ctx, table, splits, fs...)
}

// CreateTableOf is CreateTable that says how each family is kept.
func (c *Client) CreateTableOf(ctx context.Context, table string, splits rowkey.SplitKeys, families ...Family) error {
	desc := &thrift2.TTableDescriptor{TableName: tableName(table)}
	r := request{name: createTable, table: table, write: true}
	for i := range families {
		d, err := families[i].descriptor()
		if err != nil {
			return r.fail(fmt.Errorf("family %d: %w", i, err))
		}
		desc.Columns = append(desc.Columns, d)
	}
	if len(families) == 0 {
		return r.fail(explain(ErrArgument, "a table has at least one column family"))
	}
	return c.call(ctx, r, func(ctx context.Context, s *thrift2.THBaseServiceClient) error {
		return s.CreateTable(ctx, desc, splits)
	})
}

// Families are the column families of a table, as the server keeps them.
func (c *Client) Families(ctx context.Context, table string) (families []Family, err error) {
	err = c.call(ctx, request{name: "getTableDescriptor", table: table}, func(ctx context.Context, s *thrift2.THBaseServiceClient) error {
		desc, err := s.GetTableDescriptor(ctx, tableName(table))
		if err != nil {
			return err
		}
		families = nil
		for _, d := range desc.Columns {
			families = append(families, familyOf(d))
		}
		return nil
	})
	return families, err
}

// familyOf is a family as it was received.
func familyOf(d *thrift2.TColumnFamilyDescriptor) Family {
	f := Family{
		Name:        string(d.Name),
		Versions:    int(d.GetMaxVersions()),
		MinVersions: int(d.GetMinVersions()),
		BlockSize:   int(d.GetBlockSize()),
		InMemory:    d.GetInMemory(),
	}
	if s := d.GetTimeToLive(); s != foreverSeconds {
		f.TTL = time.Duration(s) * time.Second
	}
	if d.CompressionType != nil {
		f.Compression = d.CompressionType.String()
	}
	if d.DataBlockEncoding != nil {
		f.Encoding = d.DataBlockEncoding.String()
	}
	if d.BloomnFilterType != nil {
		f.Bloom = d.BloomnFilterType.String()
	}
	if d.KeepDeletedCells != nil {
		f.KeepDeleted = d.KeepDeletedCells.String()
	}
	for name, value := range d.Attributes {
		if !inFamily[name] {
			f.config(name, string(value))
		}
	}
	for name, value := range d.Configuration {
		f.config(name, value)
	}
	return f
}

func (f *Family) config(name, value string) {
	if f.Config == nil {
		f.Config = map[string]string{}
	}
	f.Config[name] = value
}

// inFamily are the server's names of what a Family has fields for.
var inFamily = map[string]bool{
	"VERSIONS": true, "MIN_VERSIONS": true, "TTL": true, "COMPRESSION": true, "DATA_BLOCK_ENCODING": true,
	"BLOOMFILTER": true, "KEEP_DELETED_CELLS": true, "BLOCKSIZE": true, "IN_MEMORY": true,
}

// CreateNamespace creates a namespace: tables of it are named "namespace:name".
func (c *Client) CreateNamespace(ctx context.Context, name string) error {
	return c.call(ctx, request{name: "createNamespace", write: true}, func(ctx context.Context, s *thrift2.THBaseServiceClient) error {
		return s.CreateNamespace(ctx, &thrift2.TNamespaceDescriptor{Name: name})
	})
}

// DropNamespace deletes a namespace that has no tables.
func (c *Client) DropNamespace(ctx context.Context, name string) error {
	return c.call(ctx, request{name: "deleteNamespace", write: true}, func(ctx context.Context, s *thrift2.THBaseServiceClient) error {
		return s.DeleteNamespace(ctx, name)
	})
}

// Namespaces are the namespaces that there are.
func (c *Client) Namespaces(ctx context.Context) (names []string, err error) {
	err = c.call(ctx, request{name: "listNamespaceDescriptors"}, func(ctx context.Context, s *thrift2.THBaseServiceClient) error {
		list, err := s.ListNamespaceDescriptors(ctx)
		names = nil
		for _, d := range list {
			names = append(names, d.Name)
		}
		return err
	})
	return names, err
}
