// Package gohbase has the shapes of github.com/tsuna/gohbase that the recipe in
// docs/gohbase.md calls, as its commit cfe2cb9e6df3 (June 2026) declares them, so
// that the recipe is compiled and run by the tests; gohbase itself is no
// dependency. Its packages hrpc and filter are beside it.
package gohbase

import (
	"context"

	"github.com/hbase-rowkey/rowkey/hbase/internal/gohbase/hrpc"
)

// Client is, of gohbase.Client, what the recipe calls.
type Client interface {
	Scan(s *hrpc.Scan) hrpc.Scanner
	SendBatch(ctx context.Context, batch []hrpc.Call) (res []hrpc.RPCResult, allOK bool)
}
