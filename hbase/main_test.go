package hbase_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/internal/cluster"
	"github.com/stretchr/testify/require"
)

// The cluster that all integration tests share, started by the first of them.
var (
	started sync.Once
	running *cluster.Cluster
	failed  error
)

func TestMain(m *testing.M) {
	code := m.Run()
	if running != nil {
		if err := running.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// server is a real HBase. A machine without Java or Maven skips the test, unless
// ROWKEY_HBASE is "required"; "off" skips it anywhere.
func server(t *testing.T) *cluster.Cluster {
	want := os.Getenv("ROWKEY_HBASE")
	if want == "off" {
		t.Skip("ROWKEY_HBASE=off")
	}
	started.Do(func() {
		began := time.Now()
		running, failed = cluster.Start(context.Background(), cluster.Config{Log: os.Stderr})
		if failed == nil {
			fmt.Fprintf(os.Stderr, "HBase is up after %v\n", time.Since(began).Round(time.Second))
		}
	})
	if errors.Is(failed, cluster.ErrMissing) && want != "required" {
		t.Skip(failed)
	}
	require.NoError(t, failed)
	return running
}

// on is a client of the real HBase's gateway.
func on(t *testing.T, opts ...hbase.Option) *hbase.Client { return dial(t, server(t).Socket, opts...) }
