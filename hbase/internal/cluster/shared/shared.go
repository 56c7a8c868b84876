// Package shared gives the tests of one package one real HBase, which the first test
// that asks for it starts.
package shared

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey/hbase/internal/cluster"
)

var (
	started sync.Once
	running *cluster.Cluster
	failed  error
)

// Main is a package's TestMain: it stops the HBase behind the last test.
func Main(m *testing.M) {
	code := m.Run()
	if running != nil {
		if err := running.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// Server is a real HBase. A machine without Java or Maven skips the test, unless the
// environment's ROWKEY_HBASE is "required"; "off" skips it anywhere.
func Server(t *testing.T) *cluster.Cluster {
	t.Helper()
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
	switch {
	case errors.Is(failed, cluster.ErrMissing) && want != "required":
		t.Skip(failed)
	case failed != nil:
		t.Fatal(failed)
	}
	return running
}
