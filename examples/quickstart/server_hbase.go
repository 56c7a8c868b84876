//go:build hbase

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/scan"
)

const (
	hasClient = true
	family    = "f" // the column family of the tables on a server
)

// serve puts the tables on a server, under names of this run's own, and has it
// answer from then on. The function that it gives, even with an error, drops them,
// and is an error that names those that are left.
func serve(calls contexts, addr string, tables []*table) (drop func() error, err error) {
	ctx := calls.work
	var opts []hbase.Option
	if id := os.Getenv("ACCESSKEYID"); id != "" {
		opts = append(opts, hbase.AccessKey(id, os.Getenv("ACCESSSIGNATURE")))
	}
	client, err := hbase.Dial(ctx, addr, opts...)
	if err != nil {
		return func() error { return nil }, err
	}
	run := time.Now().UTC().Format("20060102-150405") + fmt.Sprintf("-%06d", time.Now().Nanosecond()/1000)
	var made []string
	drop = func() error {
		var errs []error
		var left []string
		for _, name := range made {
			if err := client.DropTable(calls.tables, name); err != nil && !errors.Is(err, hbase.ErrNoTable) {
				left = append(left, name)
				errs = append(errs, err)
			}
		}
		if left != nil {
			errs = append(errs, fmt.Errorf("left at %s: %s (in HBase's shell: disable 'NAME', then drop 'NAME')", addr, strings.Join(left, ", ")))
		}
		return errors.Join(append(errs, client.Close())...)
	}
	for _, t := range tables {
		// A salt says how to split. A table without one is split by its rows, once
		// these are known; here one region will do.
		splits, err := t.schema.Splits(buckets)
		if err != nil && !errors.Is(err, rowkey.ErrSplits) {
			return drop, err
		}
		name := fmt.Sprintf("rowkey-quickstart-%s-%s", run, t.name)
		err = client.CreateTable(calls.tables, name, splits, family)
		var failed *hbase.Error
		if err == nil || errors.As(err, &failed) && failed.Unsure {
			made = append(made, name)
		}
		if err != nil {
			return drop, err
		}
		if ctx.Err() != nil {
			return drop, context.Cause(ctx)
		}
		from := served{client.Table(name)}
		_, err = from.table.PutAll(ctx, func(yield func(hbase.Row, error) bool) {
			for key := range t.scan(rowkey.PrefixRange(nil)) {
				// HBase keeps no row without a cell, though all is in the key.
				if !yield(hbase.Row{Key: key, Cells: []hbase.Cell{{Family: family}}}, nil) {
					return
				}
			}
		}, 4)
		if err != nil {
			return drop, err
		}
		t.from = from
	}
	return drop, nil
}

// served is a table of a server.
type served struct{ table *hbase.Table }

func (s served) has(ctx context.Context, key []byte) (bool, error) {
	_, found, err := s.table.Get(ctx, key)
	return found, err
}

func (s served) open(ctx context.Context, r rowkey.Range, reversed bool) (scan.Cursor[[]byte], error) {
	c, err := s.table.Open(ctx, r, reversed, hbase.KeysOnly())
	return keys{c}, err
}

// keys is a cursor of rows' keys.
type keys struct{ *hbase.Cursor }

func (k keys) Next() ([]byte, error) {
	row, err := k.Cursor.Next()
	return row.Key, err
}
