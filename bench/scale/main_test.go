package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey/bench"
	"github.com/hbase-rowkey/rowkey/bench/internal/page"
)

const (
	document = "../../docs/speed.md"
	figures  = "../testdata/speed.md"
)

// The whole command, in the smallest measurement.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	svg, doc := filepath.Join(dir, "scale.svg"), filepath.Join(dir, "full.md")
	text, err := os.ReadFile(figures)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(doc, text, 0o644))

	var out, diag bytes.Buffer
	require.NoError(t, run([]string{"-rounds", "1", "-time", "1ms", "-svg", svg, "-doc", doc}, &out, &diag))
	assert.Empty(t, diag.String())

	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	assert.Equal(t, []string{"panel", "curve", "x", "y", "unit"}, strings.Fields(lines[0]))
	points := map[string]int{}
	for _, line := range lines[1:] {
		f := strings.Fields(line)
		require.Len(t, f, 5, line)
		for _, number := range f[2:4] {
			v, err := strconv.ParseFloat(number, 64)
			require.NoError(t, err)
			assert.Positive(t, v)
		}
		points[f[0]]++
	}
	for _, p := range bench.Panels() {
		assert.GreaterOrEqual(t, points[p.Name], 2, p.Name)
	}
	assertPicture(t, svg)
	written, err := os.ReadFile(doc)
	require.NoError(t, err)
	assertTable(t, string(written))
}

func TestJSON(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, run([]string{"-run", "^build$", "-rounds", "1", "-time", "1ms", "-json"}, &out, io.Discard))
	var s bench.Scale
	d := json.NewDecoder(&out)
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&s))
	require.Len(t, s.Panels, 1)
	require.Len(t, s.Panels[0].Curves, 3)
	for _, c := range s.Panels[0].Curves {
		assert.Contains(t, colours, c.Name)
		assert.Len(t, c.Points, 5)
	}
}

func TestUsage(t *testing.T) {
	for want, args := range map[string][]string{
		`no arguments are taken, not "x"`:  {"x"},
		"-rounds: want at least 1, not 0":  {"-rounds", "0"},
		"-time: want more than 0, not -1":  {"-time", "-1s"},
		`-run: no panel matches "nothing"`: {"-run", "nothing"},
		"-run: error parsing regexp":       {"-run", "("},
		"-doc: the table holds all":        {"-run", "build", "-doc", "x.md"},
	} {
		assert.ErrorContains(t, run(args, io.Discard, io.Discard), want)
	}
}

// The document's table and picture hold every curve.
func TestDocument(t *testing.T) {
	text, err := page.Read(document + "," + figures)
	require.NoError(t, err)
	assertTable(t, text)
	assertPicture(t, "../../docs/scale.svg")
}

func assertTable(t *testing.T, text string) {
	t.Helper()
	_, part, _, err := page.Cut(text, "scale")
	require.NoError(t, err)
	for _, p := range bench.Panels() {
		rows := regexp.MustCompile(`(?m)^\| `+regexp.QuoteMeta(p.X)+` \|.*\| `+regexp.QuoteMeta(p.Y)+` \| [0-9.]+ \| [0-9.]+ \|$`).FindAllString(part, -1)
		assert.GreaterOrEqual(t, len(rows), 2, "%s\n%s", p.Name, part)
	}
}

func assertPicture(t *testing.T, file string) {
	t.Helper()
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	var words string
	d := xml.NewDecoder(bytes.NewReader(b))
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err, file)
		if data, ok := token.(xml.CharData); ok {
			words += string(data)
		}
	}
	for _, p := range bench.Panels() {
		for _, word := range []string{p.Title, p.X, p.Y} {
			assert.Contains(t, words, word, file)
		}
	}
	for name := range colours {
		assert.Contains(t, words, name, file)
	}
}

func TestShort(t *testing.T) {
	for v, want := range map[float64]string{1: "1", 0.5: "0.5", 1000: "1000", 1024: "1024", 10_000: "10k", 1e6: "1M"} {
		assert.Equal(t, want, short(v))
	}
}
