package infer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// javaTable is a table whose keys Java code wrote.
type javaTable struct {
	name    string
	columns []string
	rows    [][]string
	keys    [][]byte
}

// javaLines reads a file of vectors.
func javaLines(t *testing.T, name string) (out []map[string]any) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "testdata", "vectors", name+".jsonl"))
	require.NoError(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.UseNumber()
		var v map[string]any
		require.NoError(t, d.Decode(&v))
		if v["error"] == nil && v["ddl_error"] == nil {
			out = append(out, v)
		}
	}
	require.NoError(t, lines.Err())
	require.NotEmpty(t, out, name)
	return out
}

// javaTables are the tables in the vectors that have ten rows, and whose layout needs no step
// of a program's own.
func javaTables(t *testing.T) []*javaTable {
	t.Helper()
	tables := map[string]*javaTable{}
	add := func(name string, columns, row []string, key string) {
		k, err := hex.DecodeString(key)
		require.NoError(t, err, name)
		table := tables[name]
		if table == nil {
			table = &javaTable{name: name, columns: columns}
			tables[name] = table
		}
		if slices.Contains(row, "-0.0") { // the library writes it as 0
			return
		}
		if len(k) > 0 && len(row) == len(table.columns) && !slices.ContainsFunc(table.rows, func(o []string) bool { return slices.Equal(o, row) }) {
			table.rows, table.keys = append(table.rows, row), append(table.keys, k)
		}
	}
	text := func(v any) string {
		if v == nil {
			return ""
		}
		return fmt.Sprint(v)
	}
	hexText := func(s string) string { return hex.EncodeToString([]byte(s)) }
	value := []string{"value"}
	for _, v := range javaLines(t, "hbase_bytes") {
		if v["type"] != nil && v["hex"] != nil {
			add("Bytes.toBytes "+text(v["type"]), value, []string{text(v["value"])}, text(v["hex"]))
		}
	}
	for _, file := range []string{"hbase_ordered_bytes", "phoenix_types"} {
		for _, v := range javaLines(t, file) {
			for _, order := range []string{"asc", "desc"} {
				if v["value"] != nil && v[order] != nil {
					add(file+" "+text(v["type"])+" "+order, value, []string{text(v["value"])}, text(v[order]))
				}
			}
		}
	}
	for _, v := range javaLines(t, "phoenix_keys") {
		var columns, row []string
		for i, c := range v["cols"].([]any) {
			columns = append(columns, text(c.(map[string]any)["name"]))
			row = append(row, text(v["values"].([]any)[i]))
		}
		add(text(v["ddl"]), columns, row, text(v["row"]))
	}
	for _, v := range javaLines(t, "jdk_hashcode") {
		if v["fn"] != "String.hashCode" || !strings.HasPrefix(text(v["in"]), strings.ToValidUTF8(text(v["in"]), "")) || strings.ContainsRune(text(v["in"]), 0xfffd) {
			continue
		}
		for _, rule := range []string{"and_7fffffff_mod", "Math.abs_mod", "Math.floorMod"} {
			for _, n := range []string{"16", "100", "1000"} {
				bucket := text(v[rule].(map[string]any)[n])
				add("String.hashCode "+rule+" "+n, []string{"in"}, []string{text(v["in"])}, hexText(bucket+"_"+text(v["in"])))
			}
		}
	}
	for _, v := range javaLines(t, "jdk_digest") {
		if v["first4"] == nil || strings.ContainsRune(text(v["in"]), 0xfffd) {
			continue
		}
		for _, part := range []string{"first4", "first6_upper", "hex"} {
			add("MessageDigest "+text(v["alg"])+" "+part, []string{"in"}, []string{text(v["in"])}, hexText(text(v[part])+"_"+text(v["in"])))
		}
	}
	for _, v := range javaLines(t, "jdk_inverse_time") {
		if strings.HasPrefix(text(v["ts"]), "-") { // a time before 1970, which has no bytes but in the dialects
			continue
		}
		for _, part := range []string{"be8", "max_minus_be8", "signflip_be8"} {
			add("long "+part, []string{"ts"}, []string{text(v["ts"])}, text(v[part]))
		}
		for _, part := range []string{"max_minus_decimal", "max_minus_019d"} {
			add("long "+part, []string{"ts"}, []string{text(v["ts"])}, hexText(text(v[part])))
		}
	}
	for _, v := range javaLines(t, "jdk_format") {
		f := text(v["format"])
		if v["fn"] != "String.format" || strings.ContainsAny(f, "x X") || strings.HasPrefix(text(v["in"]), "-") || len(f) > 6 || v["out"] == nil {
			continue
		}
		if width := strings.Trim(f, "%0d"); f != "%d" && len(text(v["out"])) != len(fmt.Sprintf(f, 0)) || width == "" && f != "%d" {
			continue // a number of more digits than the format has
		}
		add("String.format "+f, []string{"n"}, []string{text(v["in"])}, hexText(text(v["out"])))
	}
	for _, v := range javaLines(t, "hbasewd") {
		if v["distributed"] != nil && v["op"] == nil && v["key"] != "" { // a key has a byte
			add(fmt.Sprint(v["distributor"], " ", v["buckets"]), []string{"key"}, []string{text(v["key"])}, text(v["distributed"]))
		}
	}
	for _, v := range javaLines(t, "phoenix_salt") {
		if v["op"] == "bucket" {
			add("SaltingUtil "+text(v["n"]), []string{"key"}, []string{text(v["key"])}, hex.EncodeToString([]byte{bucketOf(t, v["bucket"])})+text(v["key"]))
		}
	}
	for _, v := range javaLines(t, "pinpoint") {
		switch v["op"] {
		case "TraceRowKeyEncoderV2.encodeRowKey":
			if !strings.HasPrefix(text(v["start"])+text(v["sequence"]), "-") {
				add("pinpoint trace", []string{"agent", "start", "sequence"}, []string{text(v["agent"]), text(v["start"]), text(v["sequence"])}, text(v["row"])[2:])
			}
		case "AgentStatRowKeyEncoder.encodeRowKey":
			add("pinpoint agent stat", []string{"agent", "type", "ts"}, []string{text(v["agent"]), text(v["type_code"]), text(v["ts"])}, text(v["row"]))
		}
	}
	var out []*javaTable
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		if len(tables[name].rows) >= 8 {
			out = append(out, tables[name])
		}
	}
	return out
}

func bucketOf(t *testing.T, v any) byte {
	t.Helper()
	n, err := v.(json.Number).Int64()
	require.NoError(t, err)
	return byte(n)
}

// Tables that Java code filled are read out of three quarters of their rows, and compared with
// the others. None is sure and wrong.
func TestJavaTables(t *testing.T) {
	tables := javaTables(t)
	found, wrong := 0, 0
	verdicts := map[Verdict]int{}
	var lost []string
	for i, table := range tables {
		if os.Getenv("ROWKEY_LAWS") == "" && (i%3 != 0 || testing.Short() && i%2 == 0) { // all, where cases are asked for
			continue
		}
		var rows [][]string
		var keys [][]byte
		for j := range table.rows {
			if j%4 != 3 {
				rows, keys = append(rows, table.rows[j]), append(keys, table.keys[j])
			}
		}
		r, err := Read(context.Background(), table.columns, rows, keys, Limits{Max: time.Minute})
		require.NoError(t, err)
		verdicts[r.Verdict]++
		if r.Layout == nil {
			lost = append(lost, "none: "+table.name)
			continue
		}
		other := ""
		for j, row := range table.rows {
			k, err := r.Layout.Key(row)
			if err == nil && !bytes.Equal(k, table.keys[j]) {
				other = fmt.Sprintf("%q: %x, not %x", row, k, table.keys[j])
			} else if err != nil && j%4 != 3 {
				other = fmt.Sprintf("%q: %v", row, err)
			}
		}
		if other == "" {
			found++
			continue
		}
		lost = append(lost, fmt.Sprintf("%v: %s read as %v: %s", r.Verdict, table.name, r.Layout, other))
		if r.Verdict == Sure {
			wrong++
			t.Errorf("sure and wrong: %s read as %v: %s", table.name, r.Layout, other)
		}
	}
	all := 0
	for _, n := range verdicts {
		all += n
	}
	t.Logf("%d of %d tables found, verdicts %v, sure and wrong %d; not found:\n%s", found, all, verdicts, wrong, strings.Join(lost, "\n"))
	require.GreaterOrEqual(t, found*100, all*75)
}
