package command

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/hbase-rowkey/rowkey/simulate"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each row seen stands for its part of --rows, whatever the lines of the file, and where it can be read but once.
func TestSimulateRows(t *testing.T) {
	const head, row = "seller,at\n", "s-1,2026-11-11T00:00:00Z\n"
	plain := head + strings.Repeat(row, 10)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := z.Write([]byte(plain))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	const object = "{\n\"seller\": \"s-1\",\n\"at\": \"2026-11-11T00:00:00Z\"\n}"
	for _, c := range []struct {
		name, text string
		flags      []string
		seen       int64
		stands     float64
	}{
		{"plain", plain, []string{"--rows", "20"}, 10, 2},
		{"no end of the last line", strings.TrimSuffix(plain, "\n"), []string{"--rows", "20"}, 10, 2},
		{"cells of several lines", "note," + head + strings.Repeat("\"a\n\nb\","+row, 10), []string{"--rows", "20"}, 10, 2},
		{"json of several lines", "[" + strings.Repeat(object+",\n", 9) + object + "]", []string{"--rows", "20"}, 10, 2},
		{"packed", packed.String(), []string{"--rows", "20"}, 10, 2},
		{"limit", plain, []string{"--rows", "20", "--limit", "4"}, 4, 5},
		{"limit that is not met", plain, []string{"--rows", "20", "--limit", "40"}, 10, 2},
		{"no --rows", plain, nil, 10, 1e5},
	} {
		file := t.TempDir() + "/rows"
		require.NoError(t, os.WriteFile(file, []byte(c.text), 0o600))
		for _, from := range []string{file, "-"} {
			args := append([]string{"simulate", "-q", "-s", "[seller]['_'][ms(at)]", "--try=false", "-o", "json", from}, c.flags...)
			out, said, _ := call(c.text, args...)
			var r simulate.Report
			require.NoError(t, json.Unmarshal([]byte(out), &r), "%s: %s", c.name, said)
			assert.Equal(t, c.seen, r.Rows, "%s, %s", c.name, from)
			assert.Equal(t, c.stands, r.Stands, "%s, %s", c.name, from)
			cell := r.Designs[0].Cell
			assert.InDelta(t, c.stands*float64(c.seen)*cell.None, cell.Table, 1e-6, "%s, %s", c.name, from)
		}
	}
	endless := &repeated{text: row, first: head}
	var out, said bytes.Buffer // no more of what has no end is read than is counted
	a := &app{stdin: endless, stdout: &out, stderr: &said}
	assert.Zero(t, a.run([]string{"simulate", "-s", "[seller]['_'][ms(at)]", "--try=false", "--limit", "5", "-"}), said.String())
}

// One row is no "1 rows", in no form; and one key not "these".
func TestOneRow(t *testing.T) {
	for _, form := range []string{"text", "html", "svg"} {
		out, said, _ := call("seller,at\ns-1,2026-11-11T00:00:00Z\n", "simulate", "-q", "-s", "[seller]['_'][ms(at)]", "--question", "a: seller=s-1", "-o", form, "-")
		assert.Contains(t, out, "1 row ", said)
		assert.NotRegexp(t, `\b1 rows`, out, form)
	}
	out, _, _ := call("rowkey,a\n00,1\n", "infer")
	assert.Contains(t, out, "no layout writes this key\n")
}

// repeated is a text again and again, after another.
type repeated struct{ first, text string }

func (r *repeated) Read(p []byte) (int, error) {
	n := copy(p, r.first)
	if r.first = r.first[n:]; r.first == "" {
		r.first = r.text
	}
	return n, nil
}
