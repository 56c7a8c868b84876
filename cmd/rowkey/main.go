// Rowkey is the row-key library at a terminal: paste a key and read it; paste a
// design and see its ranges, its split keys and what its keys cost.
//
//	rowkey explain -s "[salt16(seller)][seller]['_'][max-ms(at)][order:8]" 0c732d34325f7ffffe77dda4124f0000000000000007
//	rowkey scan -s trades seller=s-42 'at>=2023-05-16' 'at<2023-05-17' -o shell
//
// README.md beside this file shows every command with its output.
package main

//go:generate sh -c "go run . simulate --config command/testdata/picture.yaml -s time -s seller -s order -o svg orders >../../docs/simulate.svg"

import "github.com/hbase-rowkey/rowkey/cmd/rowkey/command"

func main() { command.Main() }
