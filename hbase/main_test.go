package hbase_test

import (
	"testing"

	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/internal/cluster/shared"
)

func TestMain(m *testing.M) {
	tables.Store(shared.FirstTable())
	shared.Main(m)
}

// on is a client of the real HBase's gateway.
func on(t *testing.T, opts ...hbase.Option) *hbase.Client {
	return dial(t, shared.Server(t).Socket, opts...)
}
