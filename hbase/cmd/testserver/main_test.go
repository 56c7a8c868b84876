//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Ctrl-C while Maven is still fetching ends the program, and is no error of it.
func TestEndedWhileStarting(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "testserver")
	out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput()
	require.NoError(t, err, string(out))
	began := filepath.Join(dir, "began")
	for name, script := range map[string]string{"java": "", "javac": "", "mvn": ": >" + began + "; exec /bin/sleep 60"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	}
	cmd := exec.Command(program, "-port", "0", "-http", "0")
	cmd.Env = []string{"PATH=" + dir, "HOME=" + dir, "TMPDIR=" + dir}
	var said bytes.Buffer
	cmd.Stderr = &said
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool { _, err := os.Stat(began); return err == nil }, 20*time.Second, 10*time.Millisecond)
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	assert.NoError(t, cmd.Wait())
	assert.Contains(t, said.String(), "1. The jars of HBase 2.6.1, by Maven: ")
	assert.Contains(t, said.String(), "\nended before it was up; ")
	left, err := filepath.Glob(filepath.Join(dir, "rowkey-hbase-*"))
	require.NoError(t, err)
	assert.Empty(t, left)
}
