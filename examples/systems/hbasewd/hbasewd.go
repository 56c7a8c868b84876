// Package hbasewd declares the row keys of Sematext's HBaseWD 0.1, which puts one
// byte before keys whose own layout it does not know:
//
//	[bucket, 1 byte][key]
//
// RowKeyDistributorByHashPrefix takes the bucket from the key, with
// OneByteSimpleHash: Math.abs(h) % n of the 31-hash. Math.abs of the least int is
// negative, and so is that bucket: with 10 buckets it is f8, which is none of the
// prefixes that HBaseWD scans and gets. Such a row is written and never found
// again. ByHash refuses to write it (ErrRange), and Decode to read it
// (ErrDerived); DecodeLoose reads it, to move it.
//
// A scan of HBaseWD without a stop ends in the next bucket, at the start's key, and
// so reads rows of that bucket which lie below the start; one whose start is its
// stop becomes, for HBase, a get of that row. A Plan ends with the bucket, and of
// nothing is empty.
//
// RowKeyDistributorByOneBytePrefix takes the buckets in turn. A get then has a
// candidate in each, which Plan.Keys yields.
//
// In Java: new RowKeyDistributorByHashPrefix(new OneByteSimpleHash(n)).getDistributedKey(key).
package hbasewd

import (
	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
)

// ByHash is the layout of RowKeyDistributorByHashPrefix with OneByteSimpleHash.
// Put the fields of a key that you know in the place of key.
func ByHash(buckets int) *rowkey.Schema {
	return rowkey.New("by hash").
		Salt(buckets, "rest()", interop.HBaseWDHash).
		Binary("key").
		MustBuild()
}

// InTurn is the layout of RowKeyDistributorByOneBytePrefix. The slot is the
// writer's, which counts it in turn.
func InTurn(buckets int) *rowkey.Schema {
	return rowkey.New("in turn").
		Uint("slot", 1, rowkey.Below(uint64(buckets)), rowkey.Bucket).
		Binary("key").
		MustBuild()
}
