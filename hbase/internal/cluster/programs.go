package cluster

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// ZooKeeper is host:port of ZooKeeper, which HBase's own protocol begins with.
func (c *Cluster) ZooKeeper() string { return "127.0.0.1:" + strconv.Itoa(c.zooKeeper) }

// Root is hbase.rootdir: where all files of HBase lie.
func (c *Cluster) Root() string { return "file://" + filepath.Join(c.dir, "data") }

// Java is a Java program of one file, on HBase's jars and with the configuration of
// a client of the cluster. The context ends it.
func (c *Cluster) Java(ctx context.Context, name string, source []byte, args ...string) (*exec.Cmd, error) {
	file := filepath.Join(c.dir, name+".java")
	if err := os.WriteFile(file, source, 0o600); err != nil {
		return nil, err
	}
	cmd, err := c.java(name, 0, append([]string{"-Xmx512m", file}, args...)...)
	if err != nil {
		return nil, err
	}
	bound := exec.CommandContext(ctx, cmd.Path, cmd.Args[1:]...)
	bound.Dir = cmd.Dir
	return bound, nil
}
