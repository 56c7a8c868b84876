package hbase_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hbase-rowkey/rowkey/hbase/internal/cluster/shared"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The quickstart gives the same page with a server as without: every question the
// same rows, and of each as many read. It is one program, so that it holds each
// answer against its filter, too.
func TestQuickstart(t *testing.T) {
	s := shared.Server(t)
	program := filepath.Join(t.TempDir(), "quickstart")
	build := exec.Command("go", "build", "-tags", "hbase", "-o", program, ".")
	build.Dir = "../examples/quickstart"
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	page := func(args ...string) string {
		cmd := exec.Command(program, args...)
		cmd.Dir = build.Dir
		cmd.Env = append(cmd.Environ(), "ACCESSKEYID=", "ACCESSSIGNATURE=")
		if strings.Contains(strings.Join(args, " "), "http://") {
			cmd.Env = append(cmd.Environ(), "ACCESSKEYID="+secretID, "ACCESSSIGNATURE="+secretKey)
		}
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
	file := []string{"-csv", "testdata/files.csv"}
	for _, run := range []struct {
		args  []string
		asked int
		addr  string
	}{{file, 8, s.Socket}, {file, 8, s.HTTP + "/"}, {nil, 6, s.Socket}} {
		alone := page(run.args...)
		require.Equal(t, run.asked, strings.Count(alone, "✓"))
		answered := page(append(run.args, "-hbase", run.addr)...)
		said := "They are tables of HBase at " + run.addr + ", which all answers below come from.\n\n"
		assert.Contains(t, answered, said)
		assert.Equal(t, alone, strings.Replace(answered, said, "", 1))
		assert.NotContains(t, answered, "open-sesame")
	}

	cmd := exec.Command(program, append(file, "-hbase", "127.0.0.1:1")...)
	cmd.Dir = build.Dir
	var failed strings.Builder
	cmd.Stderr = &failed
	assert.Error(t, cmd.Run())
	assert.Contains(t, failed.String(), "quickstart: hbase: dial: no server can be reached: ")
	assert.Equal(t, 1, strings.Count(failed.String(), "\n"))
}
