package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/bench"
	"github.com/hbase-rowkey/rowkey/bench/internal/page"
)

const (
	document = "../../docs/speed.md"
	figures  = "../testdata/speed.md"
)

// The whole command, in the smallest measurement: its lines, its JSON, its
// picture and its tables tell of every job.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	svg, doc, full := filepath.Join(dir, "speed.svg"), filepath.Join(dir, "speed.md"), filepath.Join(dir, "full.md")
	text, err := page.Read(document + "," + figures)
	require.NoError(t, err)
	for from, to := range map[string]string{document: doc, figures: full} {
		part, err := os.ReadFile(from)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(to, part, 0o644))
	}

	var out, diag bytes.Buffer
	require.NoError(t, run([]string{"-rounds", "1", "-time", "1ms", "-svg", svg, "-doc", doc + "," + full}, &out, &diag))
	assert.Empty(t, diag.String(), "a bar is drawn on terminals alone")

	jobs := bench.Jobs()
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, len(jobs)+1)
	assert.Equal(t, []string{"name", "ratio", "allocs", "goal", "verdict"}, strings.Fields(lines[0]))
	for i, line := range lines[1:] {
		assert.Equal(t, line, strings.TrimRight(line, " "))
		f := strings.Fields(line)
		require.Len(t, f, 5, line)
		assert.Equal(t, jobs[i].Name, f[0])
		ratio, err := strconv.ParseFloat(f[1], 64)
		require.NoError(t, err)
		assert.Positive(t, ratio)
		_, err = strconv.Atoi(f[2])
		require.NoError(t, err)
		switch {
		case jobs[i].Goal > 0:
			assert.Equal(t, fmt.Sprintf("≤%.2f", jobs[i].Goal), f[3])
		case jobs[i].Allocs >= 0:
			assert.Equal(t, fmt.Sprintf("allocs≤%d", jobs[i].Allocs), f[3])
		default:
			assert.Equal(t, "-", f[3])
		}
		assert.Regexp(t, map[bool]string{true: "^(pass|short)$", false: "^-$"}[f[3] != "-"], f[4])
	}

	drawn, words := svgText(t, svg)
	assert.Contains(t, drawn, "prefers-color-scheme")
	for _, j := range jobs {
		if j.Table != "" {
			assert.NotContains(t, words, j.Name)
			continue
		}
		if name := strings.TrimPrefix(j.Name, "rival/"); ownWays[name] != "" {
			assert.Contains(t, words, ownWays[name])
		} else {
			assert.Contains(t, words, name)
		}
		if j.Goal > 0 {
			assert.Contains(t, words, fmt.Sprintf("goal %.2f", j.Goal))
		}
	}

	written, err := os.ReadFile(doc)
	require.NoError(t, err)
	rest, err := os.ReadFile(full)
	require.NoError(t, err)
	written = append(written, rest...)
	assertDocument(t, string(written))
	for _, part := range []string{"headline", "goals", "layouts", "rivals", "short"} {
		before, _, _, err := page.Cut(string(written), part)
		require.NoError(t, err)
		wasBefore, _, _, err := page.Cut(text, part)
		require.NoError(t, err)
		if part == "goals" {
			assert.Equal(t, wasBefore, before, "what is not measured stays")
		}
	}
}

// The printed code has a page of its own, and no other part of it changes.
func TestRunPrinted(t *testing.T) {
	text, err := os.ReadFile("../../docs/gen.md")
	require.NoError(t, err)
	doc := filepath.Join(t.TempDir(), "gen.md")
	require.NoError(t, os.WriteFile(doc, text, 0o644))
	require.NoError(t, run([]string{"-printed", "-rounds", "1", "-time", "1ms", "-doc", doc}, io.Discard, io.Discard))
	written, err := os.ReadFile(doc)
	require.NoError(t, err)
	wasBefore, was, wasAfter, err := page.Cut(string(text), "printed")
	require.NoError(t, err)
	before, part, after, err := page.Cut(string(written), "printed")
	require.NoError(t, err)
	assert.Equal(t, wasBefore+wasAfter, before+after)
	for _, p := range []string{was, part} {
		rows := regexp.MustCompile(`(?m)^\| .* \| \d+\.\d\d \| \d+\.\d\d \| \d+\.\d\d \| .* \|$`).FindAllString(p, -1)
		assert.Len(t, rows, len(bench.Printed())/len(bench.PrintedWays)+2, "the layouts, the median and the worst")
	}
}

func TestJSON(t *testing.T) {
	var out, diag bytes.Buffer
	require.NoError(t, run([]string{"-run", "^(encode/fluent|plan/open16|rival/tikv)$", "-rounds", "3", "-time", "1ms", "-json"}, &out, &diag))
	var r bench.Report
	d := json.NewDecoder(&out)
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&r))
	assert.Equal(t, io.EOF, d.Decode(&r), "one value")
	require.Len(t, r.Jobs, 3)
	assert.Equal(t, bench.ThisMachine(), r.Machine)
	assert.Equal(t, "1ms", r.Time)
	for _, j := range r.Jobs {
		assert.Len(t, j.Work.Rounds, 3)
		assert.Len(t, j.Floor.Rounds, 3)
		assert.InDelta(t, j.Work.Median/j.Floor.Median, j.Ratio, 0.006)
	}
	assert.Equal(t, 1.15, r.Jobs[0].Goal)
	assert.Equal(t, 0, *r.Jobs[0].Most)
	assert.Equal(t, 2, *r.Jobs[1].Most)
	assert.Equal(t, map[bool]string{true: "pass", false: "short"}[r.Jobs[1].Ratio <= 3], r.Jobs[1].Verdict)
	assert.Nil(t, r.Jobs[2].Most)
	assert.Empty(t, r.Jobs[2].Verdict)
}

func TestUsage(t *testing.T) {
	for want, args := range map[string][]string{
		`no arguments are taken, not "x"`:     {"x"},
		"-rounds: want at least 1, not 0":     {"-rounds", "0"},
		"-time: want more than 0, not 0s":     {"-time", "0s"},
		`-run: no job matches "nothing"`:      {"-run", "nothing"},
		"-run: error parsing regexp":          {"-run", "("},
		"-doc: the tables hold all jobs":      {"-run", "merge", "-doc", "x.md"},
		"flag provided but not defined: -who": {"-who"},
	} {
		var out, diag bytes.Buffer
		assert.ErrorContains(t, run(args, &out, &diag), want)
		assert.Empty(t, out.String())
	}
	// What cannot be written is an error, too.
	gone := filepath.Join(t.TempDir(), "gone", "a.svg")
	assert.Error(t, run([]string{"-run", "encode/fluent", "-rounds", "1", "-time", "1ms", "-svg", gone}, io.Discard, io.Discard))
}

// The document's tables hold the jobs and their goals, and say of each what its
// numbers say; its picture shows them all.
func TestDocument(t *testing.T) {
	text, err := page.Read(document + "," + figures)
	require.NoError(t, err)
	assertDocument(t, text)
	_, words := svgText(t, "../../docs/speed.svg")
	for _, row := range tableOf(t, text, "goals") {
		assert.Contains(t, words, strings.Trim(row[0], "`"))
		assert.Contains(t, words, row[4], "the picture is of another run than the table")
	}
}

// The document's commands are what the programs take.
func TestDocumentCommands(t *testing.T) {
	text, err := os.ReadFile(document)
	require.NoError(t, err)
	source, err := os.ReadFile("../bench.go")
	require.NoError(t, err)
	seen := 0
	for _, m := range regexp.MustCompile(`(?m)^\$ (.*)$`).FindAllStringSubmatch(string(text), -1) {
		seen++
		switch command, args, _ := strings.Cut(m[1], " ./"); command {
		case "go generate -C bench":
			for _, name := range []string{"ratios", "scale"} {
				assert.Regexp(t, `(?m)^//go:generate go run \./`+name+` -svg \.\./docs/\w+\.svg -doc \.\./docs/speed\.md,testdata/speed\.md$`, string(source))
			}
		case "go run -C bench":
			name, args, _ := strings.Cut(args, " ")
			if name == "scale" || name == "drawn" {
				continue // its own test runs it with these words
			}
			require.Equal(t, "ratios", name)
			small := append(strings.Fields(strings.ReplaceAll(args, "'", "")), "-rounds", "1", "-time", "1ms")
			assert.NoError(t, run(small, io.Discard, io.Discard), m[1])
		default:
			t.Errorf("nothing checks $ %s", m[1])
		}
	}
	assert.GreaterOrEqual(t, seen, 4)
}

func assertDocument(t *testing.T, text string) {
	t.Helper()
	goals, layouts, rivals := tableOf(t, text, "goals"), tableOf(t, text, "layouts"), tableOf(t, text, "rivals")
	missed, ratios := [][]string{}, map[string][]float64{}
	for _, j := range bench.Jobs() {
		rows, what := &goals, j.What
		switch {
		case j.Rival:
			rows = &rivals
		case j.Table != "":
			rows, what = &layouts, "`"+j.Table+"`"
			_, err := rowkey.Parse("t", j.Table)
			assert.NoError(t, err, "%s: its notation is not one", j.Name)
		}
		require.NotEmpty(t, *rows, j.Name)
		row := (*rows)[0]
		*rows = (*rows)[1:]
		require.Equal(t, "`"+j.Name+"`", row[0])
		assert.Equal(t, what, row[1])
		if j.Rival {
			require.Len(t, row, 5)
			continue
		}
		require.Len(t, row, 8)
		var ratio float64
		var allocs, most int
		_, err := fmt.Sscanf(row[4]+" "+row[6], "%g %d, at most %d", &ratio, &allocs, &most)
		require.NoError(t, err, row)
		assert.Equal(t, j.Allocs, most)
		assert.LessOrEqual(t, allocs, most)
		goal, verdict := "–", "pass"
		if j.Goal > 0 {
			goal = fmt.Sprintf("≤ %.2f", j.Goal)
			if ratio > j.Goal {
				verdict = "short"
				missed = append(missed, []string{row[0], row[4], goal, fmt.Sprintf("%.2f", ratio-j.Goal)})
			}
		}
		assert.Equal(t, goal, row[5])
		assert.Equal(t, verdict, row[7])
		if j.Table != "" {
			ratios[j.What] = append(ratios[j.What], ratio)
		}
	}
	assert.Empty(t, layouts)
	for i, row := range tableOf(t, text, "headline") { // the worst, and the one in the middle
		all := slices.Sorted(slices.Values(ratios[bench.Ways[i]]))
		require.Len(t, all, 12)
		assert.Equal(t, []string{bench.Ways[i], "12", fmt.Sprintf("%.2f", all[11])}, []string{row[0], row[1], row[3]})
		var middle float64
		_, err := fmt.Sscan(row[2], &middle)
		require.NoError(t, err)
		assert.InDelta(t, (all[5]+all[6])/2, middle, 0.0051)
	}
	assert.Empty(t, goals)
	assert.Empty(t, rivals)
	if len(missed) > 0 {
		assert.Equal(t, missed, tableOf(t, text, "short"))
	}
}

// tableOf is the rows of a table of the document, without its heading.
func tableOf(t *testing.T, text, name string) (rows [][]string) {
	t.Helper()
	_, part, _, err := page.Cut(text, name)
	require.NoError(t, err)
	for line := range strings.Lines(part) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "|") {
			rows = append(rows, regexp.MustCompile(` *\| *`).Split(strings.Trim(line, "| "), -1))
		}
	}
	require.Greater(t, len(rows), 2, name)
	return rows[2:]
}

// svgText is a picture and the words in it, if it is well-formed.
func svgText(t *testing.T, file string) (svg, words string) {
	t.Helper()
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	d := xml.NewDecoder(bytes.NewReader(b))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return string(b), words
		}
		require.NoError(t, err, file)
		if data, ok := token.(xml.CharData); ok {
			words += string(data)
		}
	}
}
