package advice_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/advice"
)

var update = flag.Bool("update", false, "write the page and the goldens anew")

// fired are the rules that find something in a design.
func fired(d advice.Design) (names []string) {
	for _, f := range advice.Check(d) {
		names = append(names, f.Rule)
	}
	return names
}

// One row is no "1 rows".
func TestCostInWords(t *testing.T) {
	one := advice.Cost{Rows: []int64{1}, Total: 1, Regions: 1, Requests: 1, Time: time.Second}
	assert.Equal(t, "about one row, one request, 1s", one.String())
	one.Unknown = true
	assert.Equal(t, "rows not known: one range in one region, at most one row, one request, 1s", one.String())
	none := advice.Cost{}
	assert.Equal(t, "about 0 rows, 0 requests, 0s", none.String())
}

// Each rule finds what it sees in its own examples, and not in their neighbours;
// and what it tells to try can be built.
func TestRules(t *testing.T) {
	names := map[string]bool{}
	for _, r := range advice.Rules() {
		assert.Regexp(t, `^[a-z]+(-[a-z]+)*$`, r.Name)
		assert.False(t, names[r.Name], "%s stands twice", r.Name)
		names[r.Name] = true
		for what, text := range map[string]string{"sees": r.Sees, "hurts": r.Hurts, "mend": r.Mend, "ignore": r.Ignore} {
			assert.NotEmpty(t, text, "%s: %s", r.Name, what)
		}
		if r.Severity == advice.Note && r.Settle == "" {
			quiet := []string{"salt-and-hash", "wide-salt", "hash-long", "loose", "oldest-first", "lindorm-first-column"} // of the schema alone, or of what the question says
			assert.Contains(t, quiet, r.Name, "what would settle it?")
		}
		regions := 0
		if r.Name == "buckets-and-regions" {
			regions = 10
		}
		for _, notation := range r.Fires {
			s, err := rowkey.Parse("t", notation)
			require.NoError(t, err, "%s: %s", r.Name, notation)
			found := advice.Check(advice.Design{Schema: s, Regions: regions})
			i := slices.IndexFunc(found, func(f advice.Finding) bool { return f.Rule == r.Name })
			if !assert.GreaterOrEqual(t, i, 0, "%s finds nothing in %s", r.Name, notation) {
				continue
			}
			assert.NotContains(t, found[i].Text, "%!", "%s", found[i])
			if try := found[i].Try; assert.NotEmpty(t, try) && strings.HasPrefix(try, "[") {
				better, err := rowkey.Parse("try", try)
				require.NoError(t, err, "%s: %s", r.Name, try)
				assert.NotContains(t, fired(advice.Design{Schema: better, Regions: regions}), r.Name, "%s: %s is no better", r.Name, try)
			}
		}
		for _, notation := range r.Quiet {
			s, err := rowkey.Parse("t", notation)
			require.NoError(t, err, "%s: %s", r.Name, notation)
			assert.NotContains(t, fired(advice.Design{Schema: s, Regions: regions}), r.Name, notation)
		}
	}
}

// What the rules say of questions.
func TestQuestions(t *testing.T) {
	now := time.Now()
	s := rowkey.Must(rowkey.Parse("t", `[salt16(values(seller,order))][seller]['\x00'][ms(at)][order:8]`))
	found := advice.Check(advice.Design{Schema: s, Questions: []advice.Question{
		{Name: "a seller's rows", Conds: []rowkey.Cond{rowkey.Eq("seller", "s")}, Newest: true},
		{Name: "a span", Conds: []rowkey.Cond{rowkey.AtLeast("at", now)}},
		{Name: "an order of a seller", Conds: []rowkey.Cond{rowkey.Eq("seller", "s"), rowkey.Eq("order", 7)}},
		{Name: "a buyer's rows", Conds: []rowkey.Cond{rowkey.Eq("buyer", "b")}},
	}})
	var text []string
	for _, f := range found {
		text = append(text, f.String())
	}
	assert.Equal(t, []string{
		"error: question-full-scan: a span: seller: no condition fixes it, and it comes before at in the key; a layout in which at comes first answers this: query reads the whole table. Try [salt16(seller)][ms(at)][seller]['\\x00'][order:8]",
		"error: question-full-scan: a buyer's rows: the key does not hold buyer; an index table that begins with it answers this. Try [buyer]['\\x00'][seller]['\\x00'][ms(at)][order:8]",
		"warning: question-reads-more: an order of a seller: its ranges hold other rows, too, which the test of each row leaves out. Try [salt16(values(seller,order))][seller]['\\x00'][order:8][ms(at)]",
		"note: question-many-ranges: a seller's rows: 16 ranges, each a scan of its own. Try [salt16(seller)][seller]['\\x00'][ms(at)][order:8]",
		"note: oldest-first: a seller's rows: at is stored oldest first, so the newest rows are a reversed scan. Try [salt16(values(seller,order))][seller]['\\x00'][max-ms(at)][order:8]",
	}, text)

	last := rowkey.Must(rowkey.Parse("t", `[device]['_'][metric]['_'][ms(at)]`)) // what becomes the last field loses its end
	found = advice.Check(advice.Design{Schema: last, Questions: []advice.Question{{Name: "a day", Conds: []rowkey.Cond{rowkey.Eq("device", "d"), rowkey.AtLeast("at", someDay)}}}})
	require.NotEmpty(t, found)
	assert.Equal(t, "warning: question-reads-more: a day: its ranges hold other rows, too, which the test of each row leaves out. Try [device]['_'][ms(at)][metric]", found[0].String())

	wide := rowkey.Must(rowkey.Parse("t", `[salt256(id)][ms(at)][id:8]`))
	found = advice.Check(advice.Design{Schema: wide, Questions: []advice.Question{{Name: "a span", Conds: []rowkey.Cond{rowkey.AtLeast("at", now)}}}})
	require.NotEmpty(t, found)
	assert.Equal(t, "error: question-many-ranges: a span: 256 ranges, each a scan of its own. Try [salt16(id)][ms(at)][id:8]", found[0].String())
}

// What is known of a table's use changes what is said.
func TestDesign(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", `[ms(at)][host]`))
	assert.NotContains(t, fired(advice.Design{Schema: s}), "lindorm-first-column")
	assert.Contains(t, fired(advice.Design{Schema: s, Lindorm: true}), "lindorm-first-column")

	s = rowkey.Must(rowkey.Parse("t", `[md5.raw(8)(uid)][uid notstored]['x'][w]`))
	assert.Contains(t, fired(advice.Design{Schema: s}), "hash-collides", "64 bits, and any number of rows")
	assert.NotContains(t, fired(advice.Design{Schema: s, Rows: 1e6}), "hash-collides")
	assert.Contains(t, fired(advice.Design{Schema: s, Rows: 1e9}), "hash-collides")

	s = rowkey.Must(rowkey.Parse("t", `[salt16(uid)][uid]`))
	for regions, uneven := range map[int]bool{0: false, 1: false, 4: false, 10: true, 16: false, 24: true, 32: false} {
		assert.Equal(t, uneven, slices.Contains(fired(advice.Design{Schema: s, Regions: regions}), "buckets-and-regions"), "%d regions", regions)
	}
}

// The page of the rules is made of them.
func TestPage(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("# Advice\n\n" +
		"What package [advice](../advice) says of a layout before a row is written. Each rule has a name that stays, so that a team's\n" +
		"test can allow it. An error is a hot region, lost rows or a scan of the whole table; a warning costs bytes, requests or years;\n" +
		"a note is worth knowing and often meant so. `rowkey lint --rule NAME` says more: when to ignore the rule, what settles it, and layouts in\n" +
		"which it is found and not found. This page is made of the rules themselves.\n")
	for _, r := range advice.Rules() {
		fmt.Fprintf(&b, "\n## %s\n\n%s: %s %s\n\nMend: %s\n", r.Name, upper(r.Severity.String()), r.Sees, quoted(r.Hurts), quoted(r.Mend))
	}
	file := filepath.Join("..", "docs", "advice.md")
	if *update {
		require.NoError(t, os.WriteFile(file, b.Bytes(), 0o644))
	}
	have, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, b.String(), string(have), "run with -update if this is as it should be")
}

var pieces = regexp.MustCompile(`\[[^\]]*\](?:\[[^\]]*\])*`)

// quoted is text with its layouts as code.
func quoted(s string) string { return pieces.ReplaceAllString(s, "`$0`") }

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// Every layout in the documents names the rules that it fires, none or some: who
// changes a rule sees what else it says now.
func TestDocuments(t *testing.T) {
	span := regexp.MustCompile("`(\\[[^`\n]+\\])`")
	files, err := filepath.Glob("../docs/*.md")
	require.NoError(t, err)
	files = append(files, "../README.md")
	var lines []string
	for _, file := range files {
		if name := filepath.Base(file); name == "advice.md" || name == "speed.md" {
			continue // findings are said there; layouts are drawn there, others each time
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range span.FindAllSubmatch(text, -1) {
			s, err := rowkey.Parse("t", string(m[1]))
			if err != nil {
				continue // a piece of a layout
			}
			lines = append(lines, string(m[1])+"\t"+strings.Join(fired(advice.Design{Schema: s}), " "))
		}
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	assert.Greater(t, len(lines), 30)
	file := filepath.Join("testdata", "documents.golden")
	text := strings.Join(lines, "\n") + "\n"
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), text, "run with -update if this is as it should be")
}

// A test of a team's own: it fails when a layout goes wrong.
func ExampleCheck() {
	events := rowkey.New("events").
		Time("at", rowkey.Millis).
		String("host").
		MustBuild()
	for _, f := range advice.Check(advice.Design{Schema: events}) {
		if f.Severity >= advice.Warning {
			fmt.Println(f)
		}
	}
	// Output:
	// error: rising-first-field: at comes first and rises, so at any time one region takes every write. Try [salt16(host)][ms(at)][host]
}

// TestReportString: a report prints its counts and its offenders.
func TestReportString(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "[a fixed(2)][b:1 digits(2)]"))
	assert.Equal(t, "0 keys: 0 fit", advice.Fit(s, slices.Values([][]byte{})).String())
	report := advice.Fit(s, slices.Values([][]byte{[]byte("xy07"), []byte("xy0"), []byte("xy0z")}))
	assert.Equal(t, "3 keys: 1 fit, 2 do not decode"+
		"\n  xy0  rowkey: t: b: one digit, 2 needed: not a key of this schema (at byte 2)"+
		"\n  xy0z  rowkey: t: b: byte 2 of 2 is no digit: one digit, 2 needed: not a key of this schema (at byte 2)", report.String())
}
