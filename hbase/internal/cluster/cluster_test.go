package cluster

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFreePorts(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	taken := l.Addr().(*net.TCPAddr).Port
	assert.ErrorContains(t, freePorts([]int{0, taken}), "hbase: port "+strconv.Itoa(taken)+" is not free")

	ports := make([]int, 50)
	require.NoError(t, freePorts(ports))
	seen := map[int]bool{0: true}
	for _, port := range ports {
		assert.False(t, seen[port])
		seen[port] = true
	}
}

// A machine without Java or without Maven says what to install.
func TestNothingToRunOn(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	for _, name := range []string{"java", "javac", "mvn"} {
		_, err := Start(context.Background(), Config{})
		assert.ErrorIs(t, err, ErrMissing)
		assert.ErrorContains(t, err, "no "+name+": ")
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\nexit 3\n"), 0o755))
	}
	t.Setenv("HOME", t.TempDir()) // which the cache is in
	t.Setenv("XDG_CACHE_HOME", "")
	_, err := Start(context.Background(), Config{})
	assert.ErrorContains(t, err, "Maven could not get HBase's jars: exit status 3")
}
