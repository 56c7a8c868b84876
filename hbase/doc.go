// Package hbase reads and writes tables of HBase, and of what answers as it does,
// by the row keys, ranges and plans of package rowkey: over Thrift2, on a socket
// or over HTTP.
//
//	client, err := hbase.Dial(ctx, "127.0.0.1:9090")
//	err = client.CreateTable(ctx, "trades", splits, "f") // of trades.Splits(8)
//	table := client.Table("trades")
//	err = table.Put(ctx, hbase.Row{Key: key, Cells: []hbase.Cell{{Family: "f", Qualifier: "price", Value: price}}})
//	for row, err := range table.ScanPlan(ctx, plan.Limit(100)) { … }
//
// # Promises
//
//   - Each row of a range or a plan comes once, in order, whatever regions,
//     connections or rows are moved, broken or written meanwhile; else there is an
//     error.
//   - A scan keeps nothing on the server and holds no connection between calls.
//   - A read is made again on another connection, once; a write never, if any of
//     it may have arrived. Retry makes calls again more often, and writes only if to
//     write them twice is to write them once.
//   - Of each row that PutBatches was given it is known whether it is written, may be,
//     or was never sent.
//   - Every call ends with its context, and at the latest with the client's
//     Timeout (ErrTimeout) or Close (ErrClosed); there are never more connections
//     than Connections. An answer takes 100 MB at most.
//   - An error says which call, table and range it is of, and wraps a reason.
//   - A header's value is in no error and no text of the client.
//
// # Limits
//
// There are no coprocessors and no visibility labels, and of administration only
// tables, families and namespaces: HBase's shell has the rest. Kerberos is not spoken,
// nor is Thrift's compact form.
package hbase

//go:generate ./generate.sh
