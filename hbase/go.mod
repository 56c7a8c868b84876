module github.com/hbase-rowkey/rowkey/hbase

go 1.24.0

require (
	github.com/apache/thrift v0.17.0
	github.com/hbase-rowkey/rowkey v0.1.0
	github.com/spf13/cobra v1.10.2
	github.com/stretchr/testify v1.12.1
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect

require (
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/spaolacci/murmur3 v1.1.0 // indirect
	github.com/spf13/pflag v1.0.9 // indirect
	google.golang.org/protobuf v1.36.6
)
