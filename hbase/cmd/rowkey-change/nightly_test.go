//go:build nightly

package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey/hbase/internal/cluster"
	"github.com/stretchr/testify/require"
)

// TestCommandsOnServer is TestCommands on a real HBase.
func TestCommandsOnServer(t *testing.T) {
	gateway, client := onServer(t)
	commands(t, gateway, client, 30*time.Second)
}

// TestBulkSpark has Spark make the keys of a CSV file: those that the library makes, sorted, a file
// for each region.
func TestBulkSpark(t *testing.T) {
	rows := bulkRows(t)
	dir := t.TempDir()
	broken := append(broken[:4:4], broken[6]) // of wrong values; of a wrong number of columns Spark has its own notion
	file := csvOf(t, rows, broken, dir)
	var java []string
	for _, opened := range []string{"java.lang", "java.lang.invoke", "java.net", "java.nio", "java.util", "sun.nio.ch", "sun.security.action", "sun.util.calendar"} {
		java = append(java, "--add-opens=java.base/"+opened+"=ALL-UNNAMED")
	}
	java = append(java, "-Dspark.master=local[2]", "-Dspark.ui.enabled=false", "-cp", compiled(t, "../../../examples/bulk/spark"),
		"com.acme.bulk.spark.Keys", file, dir+"/out", "16")
	out, err := exec.CommandContext(t.Context(), "java", java...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	said := regexp.MustCompile(`(?m)^\d+ lines are read.*$`).FindString(string(out))
	require.Equal(t, fmt.Sprintf("%d lines are read, %d are refused", rows+len(broken), len(broken)), said)

	splits, err := tradesSchema.Splits(16)
	require.NoError(t, err)
	var want []string
	for i := range rows {
		want = append(want, fmt.Sprintf("%x\t%d", tradeOf(i).key(t, tradesSchema), i%100))
	}
	slices.Sort(want)
	var got []string
	for region := range len(splits) + 1 {
		text, err := os.ReadFile(fmt.Sprintf("%s/out/keys/part-%05d", dir, region))
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			got = append(got, strings.TrimSuffix(line, "\n"))
			bucket, err := strconv.ParseUint(line[:2], 16, 8)
			require.NoError(t, err)
			require.EqualValues(t, region, bucket, "a region holds one bucket of 16")
		}
	}
	require.Equal(t, want, got)
}

// TestBulkFigures moves the same rows three times, by move and by the job from the table and
// from a snapshot, and prints what each took, as docs/bulk.md has it.
func TestBulkFigures(t *testing.T) {
	rows := bulkRows(t)
	j := newJobs(t)
	ctx := t.Context()
	j.table("figures", rows, time.Time{})
	_, err := j.h.Admin("compact", "figures")
	require.NoError(t, err)
	do := j.change
	do("begin", "figures", "--old", "figures", "--old-schema", trades, "--new", "figures64", "--new-schema", trades64)

	command := t.TempDir() + "/rowkey-change" // a process of its own, whose processor time is seen
	out, err := exec.Command("go", "build", "-o", command, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for i, way := range []string{"move", "job", "job of a snapshot"} {
		if i > 0 {
			do("go", "figures", "prepare")
			do("go", "figures", "old")
			do("empty", "figures", "--yes")
		}
		do("go", "figures", "prepare")
		do("go", "figures", "write-both")
		words := []string{"move", "figures", "--gateway", j.h.Socket}
		switch i {
		case 1:
			words = append([]string{"load", "figures", "--gateway", j.h.Socket, "--"}, j.words("rekey", "figures1")...)
		case 2:
			words = append([]string{"load", "figures", "--gateway", j.h.Socket, "--"}, j.words("rekey", "figures2", "--snapshot", "--root-dir", j.h.Root)...)
		}
		before, err := j.h.CPU()
		require.NoError(t, err)
		began := time.Now()
		program := exec.CommandContext(ctx, command, words...)
		out, err := program.CombinedOutput()
		require.NoError(t, err, "%s", out)
		took := time.Since(began)
		after, err := j.h.CPU()
		require.NoError(t, err)
		used := func(names ...string) (sum time.Duration) {
			for _, name := range names {
				sum += after[name] - before[name]
			}
			return sum
		}
		t.Logf("%s: %d rows in %.1f s, %.0f rows/s; CPU: program %.1f s, gateway %.1f s, region servers %.1f s", way, rows, took.Seconds(), float64(rows)/took.Seconds(),
			(program.ProcessState.UserTime() + program.ProcessState.SystemTime()).Seconds(), used(cluster.Socket).Seconds(), used(cluster.Region1, cluster.Region2).Seconds())
		do("verify", "figures")
	}
}
