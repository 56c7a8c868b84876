module github.com/hbase-rowkey/rowkey/examples/quickstart

go 1.24.0

require (
	github.com/dustin/go-humanize v1.1.0
	github.com/hbase-rowkey/rowkey v0.1.0
	github.com/hbase-rowkey/rowkey/hbase v0.1.0
	github.com/mattn/go-runewidth v0.0.20
	github.com/stretchr/testify v1.12.1
	github.com/tidwall/btree v1.8.2
)

require (
	github.com/apache/thrift v0.17.0 // indirect
	github.com/clipperhouse/uax29/v2 v2.7.0 // indirect
	github.com/spaolacci/murmur3 v1.1.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	google.golang.org/protobuf v1.36.6 // indirect
)
