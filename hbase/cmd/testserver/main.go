// Testserver starts a real HBase on 127.0.0.1, says where it is, and ends it on
// Ctrl-C.
//
//	go run ./hbase/cmd/testserver
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/hbase-rowkey/rowkey/hbase/internal/cluster"
)

func main() {
	var config cluster.Config
	flag.IntVar(&config.Socket, "port", 9090, "`port` of the Thrift2 gateway on a socket; 0 is any that is free")
	flag.IntVar(&config.HTTP, "http", 9095, "`port` of the one over HTTP")
	flag.Parse()
	config.Log = os.Stderr
	if err := run(config); err != nil {
		fmt.Fprintln(os.Stderr, "testserver:", err)
		os.Exit(1)
	}
}

func run(config cluster.Config) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	c, err := cluster.Start(ctx, config)
	if err != nil && ctx.Err() != nil {
		fmt.Fprintln(os.Stderr, "ended before it was up; no server is left, and Maven keeps what it has fetched")
		return nil
	}
	if err != nil {
		return err
	}
	fmt.Printf("HBase answers at %s (Thrift2) and at %s (Thrift2 over HTTP). ZooKeeper is at %s. Ctrl-C ends it; nothing is kept.\n", c.Socket, c.HTTP, c.ZooKeeper())
	<-ctx.Done()
	return c.Stop()
}
