package cluster

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFreePorts(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	taken := l.Addr().(*net.TCPAddr).Port
	assert.ErrorContains(t, freePorts([]int{0, taken}), "hbase: port "+strconv.Itoa(taken)+" is not free")

	for _, port := range []int{70000, 65536, -1} {
		assert.EqualError(t, freePorts([]int{port}), "hbase: "+strconv.Itoa(port)+" is not a port: 1 to 65535, or 0 for any that is free")
		_, err := Start(context.Background(), Config{HTTP: port})
		assert.ErrorContains(t, err, "is not a port", "before anything is fetched")
	}

	ports := make([]int, 50)
	require.NoError(t, freePorts(ports))
	seen := map[int]bool{0: true}
	for _, port := range ports {
		assert.False(t, seen[port])
		seen[port] = true
	}
}

// Another release of HBase is another pom, and other jars, in a folder of their own.
func TestVersion(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("ROWKEY_HBASE_VERSION", "")
	own, err := Version()
	require.NoError(t, err)
	usual, _, err := keptClasspath()
	require.NoError(t, err)

	t.Setenv("ROWKEY_HBASE_VERSION", "2.5.8")
	version, err := Version()
	require.NoError(t, err)
	assert.Equal(t, "2.5.8", version)
	other, _, err := keptClasspath()
	require.NoError(t, err)
	assert.NotEqual(t, usual, other)
	text, _, err := pomOf("2.5.8")
	require.NoError(t, err)
	assert.Contains(t, string(text), "<version>2.5.8-hadoop3</version>")
	assert.Contains(t, string(text), "<version>2.5.8</version>")
	assert.NotContains(t, string(text), own)
	assert.Contains(t, string(text), "<version>0.14.1</version>", "that of libthrift stays")

	for _, wrong := range []string{"2.5", "2.5.8-hadoop3", "../x", "3.0.0-beta-1"} {
		t.Setenv("ROWKEY_HBASE_VERSION", wrong)
		_, err := Version()
		assert.ErrorContains(t, err, "is no release such as "+own)
		_, _, err = keptClasspath()
		assert.Error(t, err)
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

// What Maven fetches is told, with its size.
func TestDownloads(t *testing.T) {
	var log strings.Builder
	d := downloads{log: &log, told: time.Now()}
	d.tell()
	assert.Empty(t, log.String())
	for _, part := range []string{
		"[INFO] Scanning for projects...\n[INFO] Downloading from central: https://x/a.pom\n[INFO] Downloaded from central: https://x/a.pom (512 B at 2.9 kB/s)\n",
		"[INFO] Downloaded from central: https://x/b.j", "ar (25 kB at 1.6 MB/s)\n",
		"[INFO] Downloaded from other: https://x/y/c.jar (1.5 MB at 12 MB/s)\n[INFO] BUILD",
	} {
		n, err := d.Write([]byte(part))
		require.NoError(t, err)
		assert.Equal(t, len(part), n)
	}
	assert.Empty(t, log.String(), "not each of them")
	d.tell()
	assert.Equal(t, "   1.5 MB in 3 files; c.jar\n", log.String())
	d.told = time.Time{}
	_, err := d.Write([]byte("\n[INFO] Downloaded from central: https://x/d.jar (40 MB at 12 MB/s)\n"))
	require.NoError(t, err)
	assert.Equal(t, "   1.5 MB in 3 files; c.jar\n   41.5 MB in 4 files; d.jar\n", log.String())
}
