// Package hrpc has the shapes of gohbase/hrpc. What is sent is kept for a test to
// see.
package hrpc

import (
	"context"
	"time"

	"github.com/hbase-rowkey/rowkey/hbase/internal/gohbase/filter"
)

// Call is a request.
type Call interface{ Key() []byte }

// Cell is a cell of a row.
type Cell struct{ Row, Family, Qualifier, Value []byte }

// Result is a row, or a part of one, or nothing.
type Result struct {
	Cells   []*Cell
	Partial bool
}

// RPCResult is the answer to one call of a batch.
type RPCResult struct {
	Msg   any
	Error error
}

// Scanner is an open scan.
type Scanner interface {
	Next() (*Result, error)
	Close() error
	GetScanMetrics() map[string]int64
}

// Scan is a request for a scan.
type Scan struct {
	Context        context.Context
	Table          []byte
	StartRow, Stop []byte
	IsReversed     bool
	Rows           uint32
	Renew          time.Duration
	Filter         filter.Filter
}

// Key is the row that the scan begins with.
func (s *Scan) Key() []byte { return s.StartRow }

// NewScanRange makes a scan of [startRow, stopRow).
func NewScanRange(ctx context.Context, table, startRow, stopRow []byte, options ...func(Call) error) (*Scan, error) {
	s := &Scan{Context: ctx, Table: table, StartRow: startRow, Stop: stopRow}
	for _, option := range options {
		if err := option(s); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func onScan(f func(*Scan)) func(Call) error {
	return func(c Call) error {
		f(c.(*Scan))
		return nil
	}
}

// NumberOfRows is the most rows of one answer.
func NumberOfRows(n uint32) func(Call) error { return onScan(func(s *Scan) { s.Rows = n }) }

// RenewInterval is how often the scanner's lease is renewed.
func RenewInterval(interval time.Duration) func(Call) error {
	return onScan(func(s *Scan) { s.Renew = interval })
}

// Reversed scans backward.
func Reversed() func(Call) error { return onScan(func(s *Scan) { s.IsReversed = true }) }

// Filters sets the filter.
func Filters(f filter.Filter) func(Call) error { return onScan(func(s *Scan) { s.Filter = f }) }

// Mutate is a request to write.
type Mutate struct {
	key    []byte
	Table  []byte
	Values map[string]map[string][]byte
}

// Key is the row. It is the slice that NewPut was given.
func (m *Mutate) Key() []byte { return m.key }

// NewPut makes a put.
func NewPut(_ context.Context, table, key []byte, values map[string]map[string][]byte, _ ...func(Call) error) (*Mutate, error) {
	return &Mutate{key, table, values}, nil
}
