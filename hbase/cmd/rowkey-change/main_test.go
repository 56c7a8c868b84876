package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/internal/cluster"
	"github.com/hbase-rowkey/rowkey/hbase/rekey"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const page = "../../../docs/change.md"

// words are the arguments of a line of a shell, with double quotes.
func words(line string) (args []string) {
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			args = append(args, part)
		} else {
			args = append(args, strings.Fields(part)...)
		}
	}
	return args
}

var numbers = regexp.MustCompile(`[0-9]+(\.[0-9]+)?(µs|ms|s|m)?\b`)

// masked is a session without the numbers that differ from run to run, and without what
// a command says while it runs.
func masked(s string) string {
	var kept []string
	for _, line := range strings.Split(s, "\n") {
		if strings.Contains(line, " left") && !strings.Contains(line, "after") {
			continue
		}
		if !strings.HasPrefix(line, "$") {
			line = numbers.ReplaceAllString(line, "N")
		}
		kept = append(kept, line)
	}
	return strings.Join(kept, "\n")
}

// TestPage runs the commands of docs/change.md on a real HBase, while a client puts rows
// and reads them back. UPDATE_DOCS=1 writes what they say into the page.
func TestPage(t *testing.T) {
	want := os.Getenv("ROWKEY_HBASE")
	if want == "off" {
		t.Skip("ROWKEY_HBASE=off")
	}
	ctx := t.Context()
	server, err := cluster.Start(ctx, cluster.Config{Log: os.Stderr})
	if errors.Is(err, cluster.ErrMissing) && want != "required" {
		t.Skip(err)
	}
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Stop()) })
	client, err := hbase.Dial(ctx, server.Socket)
	require.NoError(t, err)
	t.Cleanup(func() { client.Close() })

	def := rekey.Definition{OldTable: "trades", OldSchema: "[salt16(seller)][seller]['_'][order:8]", NewTable: "trades64", NewSchema: "[salt64(seller)][seller]['_'][order:8]"}
	c, err := def.Change(client)
	require.NoError(t, err)
	splits, err := c.Side(0).Schema.Splits(4)
	require.NoError(t, err)
	require.NoError(t, client.CreateTableOf(ctx, "trades", splits, hbase.Family{Name: "f",
		Config: map[string]string{rekey.Tombstones: fmt.Sprint((7 * 24 * time.Hour).Milliseconds())}}))
	keyOf := func(s *rowkey.Schema, n int) []byte {
		key, err := s.AppendKey(nil, fmt.Sprintf("s%d", n%300), n)
		require.NoError(t, err)
		return key
	}
	cells := func(n int) []hbase.Cell {
		return []hbase.Cell{{Family: "f", Qualifier: "n", Value: []byte(fmt.Sprint(n))}}
	}
	_, err = client.Table("trades").PutAll(ctx, func(yield func(hbase.Row, error) bool) {
		for n := range 5000 {
			if !yield(hbase.Row{Key: keyOf(c.Side(0).Schema, n), Cells: cells(n)}, nil) {
				return
			}
		}
	}, 4)
	require.NoError(t, err)

	state, err := rekey.OpenStore(ctx, client, "rowkey_change", "trades")
	require.NoError(t, err)
	cl := c.Client()
	require.NoError(t, state.Join(ctx, "web-1", cl))
	live, stop := context.WithCancel(ctx)
	ended := make(chan error, 2)
	go func() { ended <- state.Follow(live, "web-1", cl, 50*time.Millisecond) }()
	written := 5000
	go func() {
		ended <- func() error {
			for live.Err() == nil {
				time.Sleep(10 * time.Millisecond)
				key := keyOf(c.Side(1).Schema, written)
				if err := cl.Put(ctx, hbase.Row{Key: key, Cells: cells(written)}); err != nil {
					return err
				}
				written++
				if row, found, err := cl.Get(ctx, key); err != nil || !found || string(row.Key) != string(key) {
					return fmt.Errorf("row %d is not read back: %w", written, err)
				}
			}
			return context.Canceled
		}()
	}()

	text, err := os.ReadFile(page)
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```console\n(.*?)```")
	ran := blocks.ReplaceAllStringFunc(string(text), func(block string) string {
		var out bytes.Buffer
		out.WriteString("```console\n")
		for line := range strings.Lines(block) {
			rest, ok := strings.CutPrefix(line, "$ rowkey-change ")
			if !ok {
				continue
			}
			out.WriteString(line)
			code := run(ctx, append([]string{"--gateway", server.Socket}, words(rest)...), &out, &out)
			require.NotEqual(t, exitMisuse, code, "%s", out.String())
		}
		return out.String() + "```"
	})
	stop()
	for range 2 {
		assert.ErrorIs(t, <-ended, context.Canceled)
	}
	for n := range written {
		_, found, err := client.Table("trades64").Get(ctx, keyOf(c.Side(1).Schema, n))
		require.NoError(t, err)
		if n%50 == 0 || n >= 5000 {
			require.True(t, found, "%d", n)
		}
	}
	if os.Getenv("UPDATE_DOCS") != "" {
		require.NoError(t, os.WriteFile(page, []byte(ran), 0o644))
		return
	}
	assert.Equal(t, masked(string(text)), masked(ran), "UPDATE_DOCS=1 go test ./hbase/cmd/rowkey-change")
}

// TestMisuse: what a wrong call says, without a server.
func TestMisuse(t *testing.T) {
	for _, args := range [][]string{
		{"begin"},
		{"begin", "x", "--old", "t"},
		{"nonsense"},
		{"go", "x"},
		{"status", "x", "--gateway", "127.0.0.1:1"},
	} {
		var out, err bytes.Buffer
		assert.Equal(t, exitMisuse, run(t.Context(), args, &out, &err), "%q", args)
		assert.Contains(t, err.String(), "rowkey-change: ")
	}
}
