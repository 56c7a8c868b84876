package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// The programs of other clients. They are given the same keys in a file, and print
// a line for each run: its seconds, its rows and, if they know, the bytes and the
// allocations that it took.
var (
	//go:embed gohbase.txt
	gohbaseGo []byte
	//go:embed Figures.java
	figuresJava []byte
)

// errNotRun is a client that is not there.
var errNotRun = errors.New("not run")

// writeKeys writes the keys of the salted table, each after two bytes of its length.
func writeKeys(file string, rows int) (string, error) {
	f, err := os.Create(file)
	if err != nil {
		return "", err
	}
	out := bufio.NewWriter(f)
	for i := range rows {
		e := eventAt(i)
		key, err := keysOf[salted].Append(nil, &e)
		if err != nil {
			return "", err
		}
		out.Write(binary.BigEndian.AppendUint16(nil, uint16(len(key))))
		out.Write(key)
	}
	return file, errors.Join(out.Flush(), f.Close())
}

// goCommand runs the go command in a directory.
func goCommand(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", args[0], err, stderr.Bytes())
	}
	return strings.TrimSpace(string(out)), nil
}

// buildGohbase makes a program of gohbase's source and this library's, and what
// they require.
func buildGohbase(ctx context.Context, source, dir string) (string, error) {
	source, err := filepath.Abs(source)
	if err != nil {
		return "", err
	}
	list := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/hbase-rowkey/rowkey")
	list.Stderr = os.Stderr
	library, err := list.Output()
	if err != nil {
		return "", fmt.Errorf("gohbase is measured from within this repository: %w", err)
	}
	dir = filepath.Join(dir, "gohbase")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	module := fmt.Sprintf("module figures\n\ngo 1.25.0\n\nrequire (\n\tgithub.com/hbase-rowkey/rowkey v0.0.0\n\tgithub.com/tsuna/gohbase v0.0.0\n)\n\n"+
		"replace github.com/hbase-rowkey/rowkey => %s\n\nreplace github.com/tsuna/gohbase => %s\n", strings.TrimSpace(string(library)), source)
	if err := errors.Join(
		os.WriteFile(filepath.Join(dir, "go.mod"), []byte(module), 0o600),
		os.WriteFile(filepath.Join(dir, "main.go"), gohbaseGo, 0o600)); err != nil {
		return "", err
	}
	if sums, err := os.ReadFile(filepath.Join(source, "go.sum")); err == nil {
		if err := os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o600); err != nil {
			return "", err
		}
	}
	program := filepath.Join(dir, "program")
	_, err = goCommand(ctx, dir, "build", "-o", program, ".")
	return program, err
}

func (b *bench) runGohbase(ctx context.Context, what, table string, parallel int) (measured, error) {
	if b.gohbase == "" {
		return measured{}, errNotRun
	}
	return b.rival(exec.CommandContext(ctx, b.gohbase, b.arguments(what, table, parallel, b.cluster.ZooKeeper())...))
}

func (b *bench) runJava(ctx context.Context, what, table string, parallel int) (measured, error) {
	cmd, err := b.cluster.Java(ctx, "Figures", figuresJava, b.arguments(what, table, parallel, b.cluster.Socket)...)
	if err != nil {
		return measured{}, err
	}
	return b.rival(cmd)
}

func (b *bench) arguments(what, table string, parallel int, addr string) []string {
	return []string{what, table, b.keys, strconv.Itoa(parallel), strconv.Itoa(b.runs + 1), addr}
}

// rival runs a program and reads its runs.
func (b *bench) rival(cmd *exec.Cmd) (measured, error) {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return measured{}, fmt.Errorf("%w\n%s", err, stderr.Bytes())
	}
	var runs []measured
	for line := range strings.Lines(string(out)) {
		var seconds float64
		var rows int
		var m measured
		n, _ := fmt.Sscan(line, &seconds, &rows, &m.bytes, &m.allocations)
		if n < 2 || rows != b.rows {
			return measured{}, fmt.Errorf("said %q, of %d rows", strings.TrimSpace(line), b.rows)
		}
		m.took = time.Duration(seconds * float64(time.Second))
		runs = append(runs, m)
	}
	if len(runs) != b.runs+1 {
		return measured{}, fmt.Errorf("%d runs in place of %d", len(runs), b.runs+1)
	}
	return medianOf(runs), nil
}

// replaceFigures puts the figures in a page: in the first block of text after the
// heading.
func replaceFigures(file, figures string) error {
	const heading, begin, end = "\n## Figures\n", "\n```text\n", "\n```\n"
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	text := string(b)
	at := strings.Index(text, heading)
	if at >= 0 {
		if n := strings.Index(text[at:], begin); n >= 0 {
			at += n + len(begin)
			if n := strings.Index(text[at:], end); n >= 0 {
				return os.WriteFile(file, []byte(text[:at]+figures+text[at+n:]), 0o644)
			}
		}
	}
	return fmt.Errorf("%s has no figures: a block of text after %q", file, strings.TrimSpace(heading))
}
