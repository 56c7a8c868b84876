//go:build !hbase

package main

// hasClient is false where the quickstart is built for tables in memory alone: the
// client of HBase is most of what would be downloaded.
const hasClient = false

func serve(contexts, string, []*table) (func() error, error) {
	panic("quickstart: run refuses -hbase without a client")
}
