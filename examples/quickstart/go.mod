module github.com/hbase-rowkey/rowkey/examples/quickstart

go 1.24.0

require (
	github.com/dustin/go-humanize v1.1.0
	github.com/hbase-rowkey/rowkey v0.1.0
	github.com/hbase-rowkey/rowkey/hbase v0.1.0
	github.com/mattn/go-runewidth v0.0.20
	github.com/pterm/pterm v0.12.83
	github.com/stretchr/testify v1.12.1
	github.com/tidwall/btree v1.8.2
	golang.org/x/term v0.40.0
)

require (
	atomicgo.dev/cursor v0.2.0 // indirect
	atomicgo.dev/keyboard v0.2.9 // indirect
	atomicgo.dev/schedule v0.1.0 // indirect
	github.com/apache/thrift v0.17.0 // indirect
	github.com/clipperhouse/uax29/v2 v2.7.0 // indirect
	github.com/containerd/console v1.0.5 // indirect
	github.com/gookit/color v1.6.0 // indirect
	github.com/lithammer/fuzzysearch v1.1.8 // indirect
	github.com/spaolacci/murmur3 v1.1.0 // indirect
	github.com/xo/terminfo v0.0.0-20220910002029-abceb7e1c41e // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sys v0.41.0 // indirect
	golang.org/x/text v0.34.0 // indirect
	google.golang.org/protobuf v1.36.6 // indirect
)
