// Package hbase reads and writes tables of HBase, and of what answers as it does,
// by the row keys, ranges and plans of package rowkey.
package hbase

//go:generate ./generate.sh
