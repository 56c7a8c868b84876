package main

import (
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// Record is one file: what the row keys of all tables are made of.
type Record struct {
	Package string    `rowkey:"package"`
	Size    uint64    `rowkey:"size"`
	Time    time.Time `rowkey:"time"`
	Path    string    `rowkey:"path"`
}

const buckets = 16

// files answers "the files of one package, largest first", and its salt
// spreads the packages over 16 places of the table.
var files = rowkey.New("files").
	Salt(buckets, "package").            // 1 byte: murmur3(package) mod 16
	String("package").Separator("\x00"). // ends at a zero byte
	Uint("size", 8, rowkey.Desc).        // 8 bytes: largest first
	String("path").Separator("\x00").    // ends at a zero byte
	Time("time", rowkey.Seconds).        // 8 bytes
	MustBuild()

// tree answers "every package whose name begins with …": an index table, the
// same fields in another order and without a salt.
var tree = rowkey.New("tree").
	String("package").Separator("\x00").
	String("path").Separator("\x00").
	Uint("size", 8).
	Time("time", rowkey.Seconds).
	MustBuild()

// sizes answers "all files of such a size, largest first": another index table.
// Its salt is computed from the path, to spread the files of each size.
var sizes = rowkey.New("sizes").
	Salt(buckets, "path").
	Uint("size", 8, rowkey.Desc).
	String("package").Separator("\x00").
	String("path").Separator("\x00").
	Time("time", rowkey.Seconds).
	MustBuild()

var (
	filesKeys = rowkey.Must(rowkey.Bind[Record](files))
	treeKeys  = rowkey.Must(rowkey.Bind[Record](tree))
	sizesKeys = rowkey.Must(rowkey.Bind[Record](sizes))
)
