package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/internal/cluster/shared"
	"github.com/hbase-rowkey/rowkey/hbase/internal/memory"
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

func TestMain(m *testing.M) { shared.Main(m) }

// onServer gives a test the gateway of a real HBase.
func onServer(t *testing.T) (gateway string, client *hbase.Client) {
	t.Helper()
	gateway = shared.Server(t).Socket
	client, err := hbase.Dial(t.Context(), gateway)
	require.NoError(t, err)
	t.Cleanup(func() { client.Close() })
	return gateway, client
}

// write puts rows, and reads each back, until its context ends.
func write(ctx context.Context, cl *rekey.Client, next func() hbase.Row) error {
	for ctx.Err() == nil {
		time.Sleep(10 * time.Millisecond)
		want := next()
		if err := cl.Put(context.WithoutCancel(ctx), want); err != nil {
			return err
		}
		if row, found, err := cl.Get(context.WithoutCancel(ctx), want.Key); err != nil || !found || string(row.Key) != string(want.Key) {
			return fmt.Errorf("row %x is not read back: %w", want.Key, err)
		}
	}
	return ctx.Err()
}

// inMemory gives a test the gateway of an HBase in this process.
func inMemory(t *testing.T) (gateway string, client *hbase.Client) {
	t.Helper()
	server, err := memory.Start()
	require.NoError(t, err)
	t.Cleanup(server.Stop)
	client, err = hbase.Dial(t.Context(), server.Addr)
	require.NoError(t, err)
	t.Cleanup(func() { client.Close() })
	return server.Addr, client
}

// TestPage runs the commands of docs/change.md on a real HBase, while a client puts rows
// and reads them back. UPDATE_DOCS=1 writes what they say into the page.
func TestPage(t *testing.T) {
	ctx := t.Context()
	gateway, client := onServer(t)
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

	live, stop := context.WithCancel(ctx)
	ended := make(chan error, 2)
	written := 5000
	begun := func() {
		state, err := rekey.OpenStore(ctx, client, "rowkey_change", "trades")
		require.NoError(t, err)
		cl := c.Client()
		require.NoError(t, state.Join(ctx, "web-1", cl))
		following, over := context.WithCancel(ctx)
		go func() {
			if err := state.Follow(following, cl, 50*time.Millisecond); following.Err() == nil {
				ended <- err
			}
		}()
		go func() {
			defer over()
			ended <- write(live, cl, func() hbase.Row {
				written++
				return hbase.Row{Key: keyOf(c.Side(1).Schema, written-1), Cells: cells(written - 1)}
			})
		}()
	}

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
			code := run(ctx, append([]string{"--gateway", gateway}, words(rest)...), &out, &out)
			require.NotEqual(t, exitMisuse, code, "%s", out.String())
			if strings.HasPrefix(rest, "begin") {
				begun()
			}
		}
		return out.String() + "```"
	})
	stop()
	assert.ErrorIs(t, <-ended, context.Canceled)
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

// pace is what differs from run to run.
var pace = regexp.MustCompile(`, [0-9]+ rows/s|, after \S+|, renewed \S+ ago`)

// session runs lines of rowkey-change one after the other, and compares what each says
// and its exit code with what stands below it.
func session(t *testing.T, gateway, text string) {
	t.Helper()
	for _, step := range strings.Split(strings.TrimSpace(text), "\n$ ") {
		line, want, _ := strings.Cut(strings.TrimPrefix(step, "$ "), "\n")
		var out bytes.Buffer
		code := run(t.Context(), append([]string{"--gateway", gateway}, words(line)...), &out, &out)
		got := fmt.Sprintf("%sexit %d", out.String(), code)
		require.Equal(t, pace.ReplaceAllString(strings.TrimSpace(want), ""), pace.ReplaceAllString(got, ""), "%s", line)
	}
}

// fill creates a table, as one that tombstones are kept in, with rows of a layout.
func fill(t *testing.T, client *hbase.Client, table string, s *rowkey.Schema, rows int) {
	t.Helper()
	ctx := t.Context()
	require.NoError(t, client.CreateTableOf(ctx, table, nil, hbase.Family{Name: "f",
		Config: map[string]string{rekey.Tombstones: fmt.Sprint((7 * 24 * time.Hour).Milliseconds())}}))
	for n := range rows {
		key, err := s.AppendKey(nil, fmt.Sprintf("s%d", n), n)
		require.NoError(t, err)
		require.NoError(t, client.Table(table).Put(ctx, hbase.Row{Key: key, Cells: []hbase.Cell{{Family: "f", Qualifier: "n", Value: []byte("v")}}}))
	}
}

// TestOneTable changes a table that holds both layouts: a row that is none is kept
// aside, and clean deletes the old keys, but nothing else.
func TestOneTable(t *testing.T) {
	gateway, client := inMemory(t)
	ctx := t.Context()
	old := rowkey.Must(rowkey.Parse("orders", "[salt16(seller)][seller]['_'][order:8]"))
	wide := rowkey.Must(rowkey.Parse("orders", "[salt64(seller)][seller]['_'][order:8]"))
	fill(t, client, "orders", old, 100)
	require.NoError(t, client.Table("orders").Put(ctx, hbase.Row{Key: []byte("zz"), Cells: []hbase.Cell{{Family: "f", Qualifier: "n", Value: []byte{1}, Time: time.UnixMilli(1684203630000)}}}))
	aside := filepath.Join(t.TempDir(), "aside.json")
	session(t, gateway, `
$ status orders
rowkey-change: orders in table rowkey_change: no such change
exit 2
$ begin orders --old orders --old-schema "[salt16(seller)][seller]['_'][order:8]" --new orders --new-schema "[salt64(seller)][seller]['_'][order:8]"
007331375f0000000000000011 is seller=s17 order=17, and will be 207331375f0000000000000011
007332385f000000000000001c is seller=s28 order=28, and will be 107332385f000000000000001c
007335375f0000000000000039 is seller=s57 order=57, and will be 007335375f0000000000000039
32 rows were looked at, 1 do not fit
rowkey-change: 1 of 32 rows of orders that were looked at do not fit: not as the change is defined: rowkey: orders: seller: no "_" in the last byte: not a key of this schema (at byte 1)
exit 1
$ begin orders --old orders --old-schema "[salt16(seller)][seller]['_'][order:8]" --new orders --new-schema "[salt64(seller)][seller]['_'][order:8]" --misfits 1
007331375f0000000000000011 is seller=s17 order=17, and will be 207331375f0000000000000011
007332385f000000000000001c is seller=s28 order=28, and will be 107332385f000000000000001c
007335375f0000000000000039 is seller=s57 order=57, and will be 007335375f0000000000000039
32 rows were looked at, 1 do not fit
this gateway does not show TTLs of cells: if some have one, move by a gateway that does
orders: from orders to orders, in old
exit 0
$ go orders write-both
rowkey-change: from old to write-both: one step at a time: not allowed in this phase
exit 1
$ go orders prepare
in prepare
all clients have confirmed it
exit 0
$ clean orders
rowkey-change: in prepare, not in new: not allowed in this phase
exit 1
$ go orders write-both
in write-both
all clients have confirmed it
exit 0
$ move orders --refused `+aside+`
72 rows, 0 MB, 1 of 1 regions, 1 refused, after 3ms
rowkey-change: 1 rows: rows were refused
exit 1
$ verify orders
100 rows, 0 copied, 0 half deletes finished, 1 refused
rowkey-change: --without-refused leaves them behind: rows were refused
exit 1
$ verify orders --without-refused
100 rows, 0 copied, 0 half deletes finished, 1 refused
exit 0
$ go orders read-new
in read-new
all clients have confirmed it
exit 0
$ go orders keep
in keep
all clients have confirmed it
exit 0
$ empty orders --yes
rowkey-change: a table is emptied in old and in new, not in keep: not allowed in this phase
exit 1
$ go orders new
in new
all clients have confirmed it
exit 0
$ drop orders --yes
rowkey-change: both layouts are in orders; clean deletes the old keys: not allowed in this phase
exit 1
$ clean orders --dry-run
72 old keys deleted
exit 0
$ clean orders
72 old keys deleted
exit 0
`)
	text, err := os.ReadFile(aside)
	require.NoError(t, err)
	assert.JSONEq(t, `{"key": "7a7a", "why": "", "cells": [{"family": "f", "qualifier": "n", "value": "01", "time": 1684203630000}]}`,
		regexp.MustCompile(`"why":"(?:[^"\\]|\\.)+"`).ReplaceAllString(string(text), `"why":""`))
	rows := 0
	all, err := rowkey.NewRange([]byte{0}, []byte{0xff})
	require.NoError(t, err)
	for row, err := range client.Table("orders").Scan(ctx, all) {
		require.NoError(t, err)
		if string(row.Key) != "zz" {
			_, err = wide.Decode(row.Key)
			require.NoError(t, err)
			rows++
		}
	}
	assert.Equal(t, 100, rows)
}

// TestCommands: what compare, forget and empty say, and when they are refused.
func TestCommands(t *testing.T) {
	gateway, client := inMemory(t)
	commands(t, gateway, client, 2*time.Second)
}

// commands runs them; a lease is longer than they take between two renewals.
func commands(t *testing.T, gateway string, client *hbase.Client, lease time.Duration) {
	ctx := t.Context()
	say := func(text string) {
		t.Helper()
		session(t, gateway, strings.ReplaceAll(text, "LEASE", lease.String()))
	}
	fill(t, client, "bills", rowkey.Must(rowkey.Parse("bills", "[salt16(seller)][seller]['_'][order:8]")), 50)
	begin := `begin bills --old bills --old-schema "[salt16(seller)][seller]['_'][order:8]" --new bills64 --new-schema "[salt64(seller)][seller]['_'][order:8]" --lease ` + lease.String()
	say("$ " + begin + `
007331375f0000000000000011 is seller=s17 order=17, and will be 207331375f0000000000000011
007332385f000000000000001c is seller=s28 order=28, and will be 107332385f000000000000001c
017331365f0000000000000010 is seller=s16 order=16, and will be 017331365f0000000000000010
32 rows were looked at, 0 do not fit
bills64 is created, with 16 regions; it keeps its tombstones for 168h0m0s
this gateway does not show TTLs of cells: if some have one, move by a gateway that does
bills: from bills to bills64, in old
exit 0
`)
	def := rekey.Definition{OldTable: "bills", OldSchema: "[salt16(seller)][seller]['_'][order:8]", NewTable: "bills64", NewSchema: "[salt64(seller)][seller]['_'][order:8]", Lease: lease}
	c, err := def.Change(client)
	require.NoError(t, err)
	state, err := rekey.OpenStore(ctx, client, "rowkey_change", "bills")
	require.NoError(t, err)
	require.NoError(t, state.Join(ctx, "web-9", c.Client())) // whose process ends then
	say(`
$ go bills prepare --wait 0s
in prepare
rowkey-change: not confirmed yet by web-9#1: not allowed in this phase
exit 1
$ status bills
bills → bills64, in prepare, state 2
puts go to old, deletes to new, then old, reads to old
client web-9#1: an earlier state, 1; lease of LEASE
not write-both: web-9#1 did not confirm prepare
not old: web-9#1 did not confirm prepare
exit 0
`)
	require.NoError(t, state.Join(ctx, "web-9", c.Client())) // its twin
	time.Sleep(def.Lease + 200*time.Millisecond)
	say(`
$ status bills
bills → bills64, in prepare, state 2
puts go to old, deletes to new, then old, reads to old
client web-9#1: an earlier state, 1; a later client has its name, and it refuses; go waits until its lease is over
client web-9#2: confirmed prepare; lease of LEASE: it does not answer; go waits until its lease is over; start it anew
not write-both: web-9#1 did not confirm prepare
not old: web-9#1 did not confirm prepare
exit 0
$ forget bills web-8
rowkey-change: no client web-8: no such change
exit 2
$ forget bills web-9
the lease of web-9 is over
exit 0
$ status bills
bills → bills64, in prepare, state 2
puts go to old, deletes to new, then old, reads to old
client web-9#1: an earlier state, 1; its lease is over
client web-9#2: confirmed prepare; its lease is over
may go to write-both
may go to old
exit 0
$ go bills write-both
in write-both
all clients have confirmed it
exit 0
$ compare bills
old: 50 rows, 0 left out, which the other layout cannot hold or whose keys are none
new: 0 rows, 0 left out, which the other layout cannot hold or whose keys are none
rowkey-change: 46 of 256 parts: the places differ
exit 1
$ move bills
50 rows, 0 MB, 1 of 1 regions
exit 0
$ verify bills
50 rows, 0 copied, 0 half deletes finished, 0 refused
exit 0
$ compare bills
old: 50 rows, 0 left out, which the other layout cannot hold or whose keys are none
new: 50 rows, 0 left out, which the other layout cannot hold or whose keys are none
all 256 parts are equal
exit 0
$ go bills read-new
in read-new
all clients have confirmed it
exit 0
$ go bills keep
in keep
all clients have confirmed it
exit 0
$ empty bills --yes
rowkey-change: a table is emptied in old and in new, not in keep: not allowed in this phase
exit 1
$ go bills new
in new
all clients have confirmed it
exit 0
$ empty bills
rowkey-change: bills and all its rows would be dropped: say --yes
exit 2
$ empty bills --yes --regions 4
bills.r7 is created, and bills is dropped
exit 0
$ go bills keep
in keep
all clients have confirmed it
exit 0
$ compare bills
old: 0 rows, 0 left out, which the other layout cannot hold or whose keys are none
new: 50 rows, 0 left out, which the other layout cannot hold or whose keys are none
rowkey-change: 46 of 256 parts: the places differ
exit 1
`)
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
