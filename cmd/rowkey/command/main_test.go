package command

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // thousands of short runs make garbage: fewer collections take a fifth of the time away
	testscript.Main(m, map[string]func(){"rowkey": Main})
}

// TestScripts runs testdata/script: each file is a session at a shell, with
// what must stand on stdout and stderr.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"code": cmdCode,
		},
		Setup: func(e *testscript.Env) error { // files that a script cannot hold
			text := []byte("0007\n0008\n")
			var gz bytes.Buffer
			w := gzip.NewWriter(&gz)
			if _, err := w.Write(text); err != nil {
				return err
			}
			if err := w.Close(); err != nil {
				return err
			}
			z, err := zstd.NewWriter(nil)
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(e.WorkDir, "hex.txt.zst"), z.EncodeAll(text, nil), 0o644); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(e.WorkDir, "cut.gz"), gz.Bytes()[:gz.Len()-6], 0o644); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(e.WorkDir, "cut.zst"), z.EncodeAll(text, nil)[:12], 0o644); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(e.WorkDir, "hex.txt.gz"), gz.Bytes(), 0o644)
		},
	})
}

// cmdCode runs the command and compares its exit code: code 2 rowkey scan …
func cmdCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N command…")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, expected %s", got, args[0])
	}
}

// call runs the command in this process.
func call(stdin string, args ...string) (stdout, stderr string, code int) {
	var out, err bytes.Buffer
	a := &app{stdin: strings.NewReader(stdin), stdout: &out, stderr: &err}
	code = a.run(args)
	return out.String(), err.String(), code
}
