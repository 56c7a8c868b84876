package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"hash/maphash"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/mattn/go-runewidth"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write testdata/orders.golden and testdata/output.golden")

const (
	testCSV      = "testdata/files.csv"
	golden       = "testdata/output.golden"
	ordersGolden = "testdata/orders.golden"

	questionsAsked = 8 // about files
)

// runArgs runs the program as the command line does.
func runArgs(args ...string) (stdout, stderr string, code int) {
	var out, err bytes.Buffer
	code = run(args, &out, &err)
	return out.String(), err.String(), code
}

func TestOutput(t *testing.T) {
	for file, args := range map[string][]string{golden: {"-csv", testCSV}, ordersGolden: nil} {
		t.Run(file, func(t *testing.T) {
			out, stderr, code := runArgs(args...)
			require.Zero(t, code, stderr)
			assert.Empty(t, stderr)
			requirePlain(t, out)
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(out), 0o644))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, string(want), out, "run with -update if this is as it should be")
		})
	}
}

// Every excerpt that the README shows must be in the output.
func TestREADMEShowsRealOutput(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	var output []byte
	for _, file := range []string{ordersGolden, golden} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		output = append(output, text...)
	}
	excerpts := strings.Split(string(readme), "```text\n")[1:]
	require.NotEmpty(t, excerpts)
	for _, excerpt := range excerpts {
		excerpt, _, ok := strings.Cut(excerpt, "```")
		require.True(t, ok)
		for _, part := range strings.Split(excerpt, "[…]\n") {
			assert.True(t, strings.Contains(string(output), part), "not in the output:\n%s", part)
		}
	}
}

func TestGoTree(t *testing.T) {
	source, err := goSource()
	require.NoError(t, err)
	records, err := readTree(os.DirFS(source))
	require.NoError(t, err)
	require.Greater(t, len(records), 10_000)

	out, stderr, code := runArgs("-files")
	require.Zero(t, code, stderr)
	requirePlain(t, out)
	assert.Contains(t, out, source)
	assert.Equal(t, questionsAsked, strings.Count(out, "✓"))

	// Names of all lengths fit the page: a short one, a package of packages
	// that holds files too, and one of the longest.
	longest := slices.MaxFunc(records, func(a, b Record) int { return len(a.Path) - len(b.Path) })
	for _, pkg := range []string{".", "runtime", longest.Package} {
		out, stderr, code := runArgs("-files", "-package", pkg)
		require.Zero(t, code, stderr)
		requirePlain(t, out)
		assert.Equal(t, questionsAsked, strings.Count(out, "✓"))
	}
}

// requirePlain checks that the output fits its width and has no colours.
func requirePlain(t *testing.T, out string) {
	t.Helper()
	require.NotContains(t, out, "\x1b")
	for line := range strings.Lines(out) {
		require.LessOrEqual(t, runewidth.StringWidth(strings.TrimSuffix(line, "\n")), pageWidth, line)
	}
}

func TestReadTree(t *testing.T) {
	at := time.Date(2024, 2, 29, 15, 4, 5, 999, time.FixedZone("", 3600))
	records, err := readTree(fstest.MapFS{
		"a.txt":       {Data: []byte("1"), ModTime: at},
		"net/http/go": {Data: []byte("123"), ModTime: at},
	})
	require.NoError(t, err)
	at = time.Date(2024, 2, 29, 14, 4, 5, 0, time.UTC)
	assert.Equal(t, []Record{{".", 1, at, "a.txt"}, {"net/http", 3, at, "net/http/go"}}, records)

	_, err = readTree(fstest.MapFS{})
	assert.ErrorContains(t, err, "-csv FILE")
}

func TestParseCSV(t *testing.T) {
	at := time.Date(2024, 2, 29, 15, 4, 5, 0, time.UTC)
	day := time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)
	for name, text := range map[string]string{
		"plain":           "package,size,time,path\np,1,2024-02-29T15:04:05Z,a\np,2,2024-02-29,b\n",
		"any order":       "time,path,package,size\n2024-02-29T15:04:05Z,a,p,1\n2024-02-29,b,p,2\n",
		"more columns":    "package,owner,size,time,path\np,x,1,2024-02-29T15:04:05Z,a\np,x,2,2024-02-29,b\n",
		"another zone":    "package,size,time,path\np,1,2024-02-29T16:04:05+01:00,a\np,2,2024-02-29,b\n",
		"space for T":     "package,size,time,path\np,1,2024-02-29 15:04:05,a\np,2,2024-02-29,b\n",
		"from Excel":      "\ufeffPackage,Size,Time,Path\r\np,1,2024-02-29 15:04:05,a\r\np,2,2024-02-29,b\r\n",
		"a row twice":     "package,size,time,path\np,1,2024-02-29 15:04:05,a\np,1,2024-02-29 15:04:05,a\np,2,2024-02-29,b\n",
		"parts of second": "package,size,time,path\np,1,2024-02-29T15:04:05.999Z,a\np,2,2024-02-29,b\n",
	} {
		t.Run(name, func(t *testing.T) {
			records, stands, left, err := csvFile{}.parse(strings.NewReader(text))
			require.NoError(t, err)
			assert.Empty(t, stands)
			assert.Zero(t, left.rows)
			assert.Equal(t, []Record{{"p", 1, at, "a"}, {"p", 2, day, "b"}}, records)
		})
	}
}

// A row that is no record is left out, counted by what is wrong with it, and shown
// with the place of the first one; the others are asked about.
func TestBadRows(t *testing.T) {
	const header = "package,size,time,path\n"
	for name, test := range map[string]struct{ text, want string }{
		"size":            {header + "p,1,2024-02-29,a\np,12kB,2024-02-29,b\n", "1: size: not a whole number, the first at 3:3"},
		"negative size":   {header + "p,-1,2024-02-29,a\np,1,2024-02-29,a\n", "1: size: not a whole number, the first at 2:3"},
		"two sizes":       {header + "p,-1,2024-02-29,a\np,1,2024-02-29,a\np,x,2024-02-29,b\n", "2: size: not a whole number, the first at 2:3"},
		"time":            {header + "pkg,1,yesterday,a\np,1,2024-02-29,a\n", "1: time: not a time such as 2024-02-29T15:04:05Z, the first at 2:7"},
		"no path":         {header + "p,1,2024-02-29,\np,1,2024-02-29,a\n", "1: path: empty, the first at 2:16"},
		"no package":      {header + ",1,2024-02-29,a\np,1,2024-02-29,a\n", "1: package: empty, the first at 2:1"},
		"field missing":   {header + "p,1,2024-02-29\np,1,2024-02-29,a\n", "1: path: wrong number of fields, the first at 2:1"},
		"quote":           {header + "p,1,2024-02-29,a\"b\np,1,2024-02-29,a\n", "1: " + csv.ErrBareQuote.Error() + ", the first at 2:17"},
		"before 1970":     {header + "p,1,1969-12-31,a\np,1,2024-02-29,a\n", "1: time: 1970-01-01 is the first time: value out of range, the first at 2:5"},
		"zero byte":       {header + "p,1,2024-02-29,a\x00b\np,1,2024-02-29,a\n", `1: path: holds the separator "\x00": value and its end cannot be told apart, the first at 2:16`},
		"key too long":    {header + "p,1,2024-02-29," + strings.Repeat("a", 40_000) + "\np,1,2024-02-29,a\n", "length not allowed, the first at 2:"},
		"row of 2 lines":  {header + "\"p\nq\",1,2024-02-29,a\np,1,x,a\n", "1: time: not a time such as 2024-02-29T15:04:05Z, the first at 4:5"},
		"columns swapped": {"path,time,size,package\na,2024-02-29,1x,p\na,2024-02-29,1,p\n", "1: size: not a whole number, the first at 2:14"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "some.csv")
			require.NoError(t, os.WriteFile(file, []byte(test.text), 0o644))
			out, stderr, code := runArgs("-csv", file)
			require.Zero(t, code, stderr)
			assert.Contains(t, out, "1 record read.\n")
			assert.Regexp(t, `(1 row is|2 rows are) left out:`, out)
			assert.Contains(t, strings.Join(strings.Fields(out), " "), test.want)
			assert.Equal(t, questionsAsked, strings.Count(out, "✓"))
		})
	}
}

// What is no file of records at all is an error, in one line.
func TestBadCSV(t *testing.T) {
	const header = "package,size,time,path\n"
	for name, test := range map[string]struct{ text, want string }{
		"empty file":     {"", `1: no column "package": -map package=TITLE says which one it is; there are `},
		"no header":      {"p,1,2024-02-29,a\n", `1: no column "package": -map package=TITLE says which one it is; there are p, 1, 2024-02-29, a`},
		"column missing": {"package,time,size\n", `1: no column "path": -map path=TITLE says which one it is; there are package, time, size`},
		"no rows":        {header, "1: no rows below the header"},
		"bad rows alone": {header + "p,x,y,\np,1,2024-02-29,\n", "2:7: path: empty, and no other row is a record either"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "bad.csv")
			require.NoError(t, os.WriteFile(file, []byte(test.text), 0o644))
			out, stderr, code := runArgs("-csv", file)
			assert.Equal(t, 1, code)
			assert.Contains(t, out, "== Declare", "shown before the file is read")
			assert.NotContains(t, out, "== Write")
			assert.Equal(t, "quickstart: "+file+":"+test.want+"\n", stderr)
		})
	}
}

// Anybody's CSV: its columns have other names, or are not there.
func TestMap(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log.csv")
	require.NoError(t, os.WriteFile(file, []byte("LineId,Node,Stamp,Content\n1,R02-M1,2005-06-03-15.42.50.363779,instruction cache error\n"+
		"2,R02-M1,1117869872,\"torus, corrected\"\n3,R16-M0,1117869872000,ciod\n4,,2005/06/03 15:42:50,x\n"), 0o644))
	out, stderr, code := runArgs("-csv", file, "-map", "package=node, path=Content,time=Stamp")
	require.Zero(t, code, stderr)
	requirePlain(t, out)
	assert.Equal(t, questionsAsked, strings.Count(out, "✓"))
	assert.Contains(t, out, "3 records read.")
	assert.Contains(t, out, `No column is "size": the length of the path is the size.`)
	assert.Contains(t, out, "1: package: empty, the first at 5:3")

	titles, err := parseMap("package=Node,path=Content")
	require.NoError(t, err)
	records, stands, _, err := csvFile{name: file, titles: titles}.records()
	require.NoError(t, err)
	assert.Len(t, stands, 2)
	assert.Equal(t, Record{"R02-M1", 23, time.Unix(1, 0).UTC(), "instruction cache error"}, records[0])
	titles["time"] = "Stamp"
	records, _, _, err = csvFile{name: file, titles: titles}.records()
	require.NoError(t, err)
	for i, want := range []string{"2005-06-03 15:42:50", "2005-06-04 07:24:32", "2005-06-04 07:24:32"} {
		assert.Equal(t, want, records[i].Time.Format(time.DateTime))
	}

	for args, want := range map[string]string{
		"package=Host,path=Content": `1: no column "Host", which -map gives for package; there are LineId, Node, Stamp, Content`,
		"package":                   "expected package=…",
		"owner=Node":                "expected package=…",
		"package=":                  "expected package=…",
	} {
		_, stderr, code := runArgs("-csv", file, "-map", args)
		assert.Positive(t, code)
		assert.Contains(t, stderr, want)
	}
	_, stderr, code = runArgs("-map", "package=Node")
	assert.Equal(t, 2, code)
	assert.Contains(t, stderr, "-csv FILE")
}

// Equal records are one, also where others have their hash.
func TestDistinct(t *testing.T) {
	var d distinct
	at := time.Unix(7, 0).UTC()
	a, b, c := Record{"p", 1, at, "a"}, Record{"p", 1, at, "b"}, Record{"p", 1, at, "c"}
	d.add(a)
	for _, r := range []Record{b, c} { // as if they had a's hash
		d.first[maphash.Comparable(d.seed, r)] = 0
	}
	for range 2 {
		for _, r := range []Record{a, b, c} {
			d.add(r)
		}
	}
	assert.Equal(t, []Record{a, b, c}, d.records)
}

// Many keys have memory of their own in few pieces.
func TestArena(t *testing.T) {
	var room arena
	var keys [][]byte
	for i := range 100_000 {
		key, err := room.keep(func(buf []byte) ([]byte, error) { return fmt.Appendf(buf, "key %d", i), nil })
		require.NoError(t, err)
		keys = append(keys, key)
	}
	for i, key := range keys {
		require.Equal(t, fmt.Sprintf("key %d", i), string(key))
		require.Equal(t, len(key), cap(key))
	}
	_, err := room.keep(func([]byte) ([]byte, error) { return nil, errEmpty })
	assert.ErrorIs(t, err, errEmpty)
}

func TestCalledWrongly(t *testing.T) {
	for name, test := range map[string]struct {
		args []string
		code int
		want string
	}{
		"two sources":   {[]string{"-files", "-csv", testCSV}, 2, "give one"},
		"package alone": {[]string{"-package", "net/http"}, 2, "-files or of -csv FILE"},
		"help":          {[]string{"-h"}, 0, "-csv FILE"},
		"flag":          {[]string{"-server"}, 2, "flag provided but not defined"},
		"argument":      {[]string{"files.csv"}, 2, `unexpected argument "files.csv"`},
		"no file":       {[]string{"-csv", "testdata/none.csv"}, 1, "testdata/none.csv"},
		"no package":    {[]string{"-csv", testCSV, "-package", "net/htt"}, 1, `no package "net/htt" in testdata/files.csv`},
		"no client":     {[]string{"-hbase", "127.0.0.1:1"}, 2, "go run -tags hbase"},
	} {
		if name == "no client" && hasClient {
			continue
		}
		t.Run(name, func(t *testing.T) {
			out, stderr, code := runArgs(test.args...)
			assert.Equal(t, test.code, code)
			if name == "no package" { // which the file's end tells
				assert.NotContains(t, out, "== Write")
			} else {
				assert.Empty(t, out)
			}
			assert.Contains(t, stderr, test.want)
		})
	}
}

// Without a Go toolchain there is a way on.
func TestNoGo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, stderr, code := runArgs("-files")
	assert.Equal(t, 1, code)
	assert.Contains(t, stderr, "-csv FILE")
	_, stderr, code = runArgs()
	assert.Zero(t, code, stderr)
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestUnwritableOutput(t *testing.T) {
	var stderr bytes.Buffer
	assert.Equal(t, 1, run([]string{"-csv", testCSV}, failingWriter{}, &stderr))
	assert.Equal(t, "quickstart: disk full\n", stderr.String())
}

// asked is the records, tables and questions of the test's CSV file.
func asked(t *testing.T) ([]Record, *store, []question[Record]) {
	t.Helper()
	records, _, left, err := csvFile{name: testCSV}.records()
	require.Zero(t, left.rows)
	require.NoError(t, err)
	s, err := index(records)
	require.NoError(t, err)
	qs, err := questions(s, records[0], "net/")
	require.NoError(t, err)
	return records, s, qs
}

// answered is what answering a question ends with.
func answered[R comparable](q *question[R], records []R) error {
	return q.show(context.Background(), page{w: &bytes.Buffer{}}, records)
}

func planOf(t *testing.T, s *rowkey.Schema, conds ...rowkey.Cond) *rowkey.Plan {
	t.Helper()
	plan, err := s.Scan(conds...)
	require.NoError(t, err)
	return plan
}

// A question whose plan is wrong in any way must not pass.
func TestCheckSeesWrongPlans(t *testing.T) {
	pkg := rowkey.Eq("package", "net/http")
	for name, test := range map[string]struct {
		corrupt func(t *testing.T, q *question[Record])
		want    error
	}{
		"no range": {func(t *testing.T, q *question[Record]) {
			q.plan = planOf(t, files, pkg, rowkey.Eq("package", "net"))
			require.Zero(t, q.plan.Len())
		}, errDiffers},
		"the whole table": {func(t *testing.T, q *question[Record]) { q.plan = planOf(t, files, rowkey.FullScan()) }, errDiffers},
		"another range":   {func(t *testing.T, q *question[Record]) { q.plan = planOf(t, files, rowkey.Eq("package", "net")) }, errDiffers},
		"the first row lost": {func(t *testing.T, q *question[Record]) {
			for key := range q.table.scan(theRange(q)) {
				var err error
				q.plan, err = q.plan.Resume(q.plan.Token(key))
				require.NoError(t, err)
				return
			}
		}, errDiffers},
		"the last row lost": {func(t *testing.T, q *question[Record]) {
			q.plan = q.plan.Limit(len(slices.Collect(q.table.scan(theRange(q)))) - 1)
		}, errDiffers},
		"an end not included": {func(t *testing.T, q *question[Record]) {
			q.plan = planOf(t, files, pkg, rowkey.MoreThan("size", 517)) // the smallest of all
		}, errDiffers},
		"the neighbours behind": {func(t *testing.T, q *question[Record]) {
			q.plan = planOf(t, files, rowkey.In("package", "net/http", "net/url"))
		}, errDiffers},
		"more read than need be": {func(t *testing.T, q *question[Record]) {
			q.plan = planOf(t, files, rowkey.Suffix("package", "net/http"), rowkey.FullScan())
		}, errTooMany},
	} {
		t.Run(name, func(t *testing.T) {
			records, _, qs := asked(t)
			q := &qs[0]
			require.NoError(t, answered(q, records))
			test.corrupt(t, q)
			assert.ErrorIs(t, answered(q, records), test.want)
		})
	}
}

// theRange is the only one of the question's plan.
func theRange(q *question[Record]) (only rowkey.Range) {
	for r := range q.plan.Ranges() {
		only = r
	}
	return only
}

func newRange(start, stop []byte) rowkey.Range {
	r, err := rowkey.NewRange(start, stop)
	if err != nil {
		panic(err)
	}
	return r
}

// Nor may one pass whose table lacks a row, or has one too many.
func TestCheckSeesWrongRows(t *testing.T) {
	records, s, _ := asked(t)
	key, err := filesKeys.Append(nil, &records[0])
	require.NoError(t, err)
	s.files.rows.Delete(key)
	key, err = treeKeys.Append(nil, &records[0])
	require.NoError(t, err)
	s.tree.rows.Delete(key)
	key, err = sizesKeys.Append(nil, &records[0])
	require.NoError(t, err)
	s.sizes.rows.Delete(key)
	qs, err := questions(s, records[0], "net/")
	require.NoError(t, err)
	for _, q := range qs {
		assert.ErrorIs(t, answered(&q, records), errDiffers, q.asks)
	}

	s, err = index(records)
	require.NoError(t, err)
	qs, err = questions(s, records[0], "net/")
	require.NoError(t, err)
	for _, q := range qs {
		assert.ErrorIs(t, answered(&q, records[1:]), errDiffers, q.asks)
	}
}

// A limit that is not kept reads more than it must, and shows more.
func TestCheckSeesWrongLimit(t *testing.T) {
	records, _, qs := asked(t)
	for i := range qs {
		if q := &qs[i]; q.first > 0 {
			require.NoError(t, answered(q, records))
			q.plan = planOf(t, sizes, rowkey.FullScan())
			assert.ErrorIs(t, answered(q, records), errDiffers)
			q.plan = q.plan.Limit(q.first - 1)
			assert.ErrorIs(t, answered(q, records), errDiffers)
			return
		}
	}
	t.Error("no question has a limit")
}

// Pages of any size are together the answer, and each begins where the one in
// front of it ended.
func TestPages(t *testing.T) {
	records, s, qs := asked(t)
	i := slices.IndexFunc(qs, func(q question[Record]) bool { return q.page > 0 })
	q := &qs[i]
	wanted := q.filter(records)
	for _, size := range []int{1, 2, 7, len(wanted) - 1, len(wanted), len(wanted) + 1} {
		q.page = size
		found, err := q.read(t.Context())
		require.NoError(t, err)
		assert.Equal(t, wanted, found.rows)
		assert.Equal(t, (len(wanted)+size-1)/size, found.pages)
		assert.NoError(t, q.check(found, wanted))
		assert.Equal(t, size < len(wanted), found.token != nil)
	}

	// A row that is gone when its page is read is missing.
	q.page = 10
	require.NoError(t, answered(q, records))
	key, err := sizesKeys.Append(nil, &wanted[len(wanted)-1])
	require.NoError(t, err)
	s.sizes.rows.Delete(key)
	assert.ErrorIs(t, answered(q, records), errDiffers)
}

// What a table cannot answer fails the program, though other questions are
// answered: sizes laid out in ascending order.
func TestWrongLayoutFailsTheProgram(t *testing.T) {
	rightSizes, rightKeys := sizes, sizesKeys
	t.Cleanup(func() { sizes, sizesKeys = rightSizes, rightKeys })
	sizes = rowkey.New("sizes").
		Salt(buckets, "path").
		Uint("size", 8).
		String("package").Separator("\x00").
		String("path").Separator("\x00").
		Time("time", rowkey.Seconds).
		MustBuild()
	sizesKeys = rowkey.Must(rowkey.Bind[Record](sizes))

	out, stderr, code := runArgs("-csv", testCSV)
	assert.Equal(t, 1, code)
	assert.Equal(t, 4, strings.Count(out, "✓"), "the questions in front are still answered")
	assert.Equal(t, "quickstart: The same by an index table: the rows found are not those that a plain filter over the records finds (3 found, 3 wanted)\n", stderr)
}

// An index laid out for another question, by path and not by package, would have
// to be read as a whole: its plan is refused.
func TestUnfitLayoutIsRefused(t *testing.T) {
	rightTree, rightKeys := tree, treeKeys
	t.Cleanup(func() { tree, treeKeys = rightTree, rightKeys })
	tree = rowkey.New("tree").
		String("path").Separator("\x00").
		String("package").Separator("\x00").
		Uint("size", 8).
		Time("time", rowkey.Seconds).
		MustBuild()
	treeKeys = rowkey.Must(rowkey.Bind[Record](tree))

	_, stderr, code := runArgs("-csv", testCSV)
	assert.Equal(t, 1, code)
	assert.Equal(t, "quickstart: rowkey: tree: path: no condition fixes it, and it comes before package in the key; a layout in which package comes first answers this, FullScan() permits it: query reads the whole table\n", stderr)
}

// The order of the rows is part of the answer.
func TestCheckSeesWrongOrder(t *testing.T) {
	records, _, qs := asked(t)
	for i := range qs {
		q := &qs[i]
		found, err := q.read(t.Context())
		require.NoError(t, err)
		wanted := q.filter(records)
		require.NoError(t, q.check(found, wanted))
		slices.Reverse(found.rows)
		if len(wanted) > 1 {
			assert.ErrorIs(t, q.check(found, wanted), errDiffers, q.asks)
		}
		slices.Reverse(found.rows)
		found.read = len(wanted) + q.spare*max(1, found.pages) + 1
		assert.ErrorIs(t, q.check(found, wanted), errTooMany, q.asks)
	}
}

// Files of all sizes can be asked about, and few files.
func TestAnySize(t *testing.T) {
	for _, size := range []string{"0", "1", "9", "10", "99999", "10000000000000000000", "18446744073709551615"} {
		file := filepath.Join(t.TempDir(), "one.csv")
		require.NoError(t, os.WriteFile(file, []byte("package,size,time,path\np,"+size+",2024-02-29,a\nq,5,2024-02-29,b\n"), 0o644))
		out, stderr, code := runArgs("-csv", file)
		require.Zero(t, code, "%s: %s", size, stderr)
		requirePlain(t, out)
		assert.Equal(t, questionsAsked, strings.Count(out, "✓"))
	}
	for size, want := range map[uint64][2]uint64{0: {1, 10}, 9: {1, 10}, 10: {10, 100}, 397049: {100_000, 1_000_000}, 1 << 63: {1e18, 1e19}, 1<<64 - 1: {1e19, 1<<64 - 1}} {
		from, to := window(size)
		assert.Equal(t, want, [2]uint64{from, to}, size)
	}
}

// All tables hold every record, and each key gives its record back.
func TestTablesHoldEveryRecord(t *testing.T) {
	records, s, _ := asked(t)
	holdAll(t, records, byName, s.files, s.tree, s.sizes)
}

// holdAll reads all keys of each table back, and compares them with what was stored.
func holdAll[T any](t *testing.T, stored []T, by func(a, b T) int, tables ...tableOf[T]) {
	t.Helper()
	slices.SortFunc(stored, by)
	for _, table := range tables {
		var rows []T
		for key := range table.scan(rowkey.PrefixRange(nil)) {
			var r T
			require.NoError(t, table.codec.Decode(key, &r))
			rows = append(rows, r)
		}
		slices.SortFunc(rows, by)
		assert.Equal(t, stored, rows, table.name)
	}
}

func TestShellString(t *testing.T) {
	key := slices.Concat([]byte(strings.Repeat("a", 77)), []byte{0xff, 'b'})
	assert.Equal(t, strings.Join([]string{
		`"` + strings.Repeat("a", 77) + `" \`,
		strings.Repeat(" ", 14) + `"\xFFb"`,
	}, "\n"), shellString(key, 14))
	assert.Equal(t, "scan 't', {STARTROW => \"a\",\n           STOPROW  => \"b\"}", shellScan("t", newRange([]byte("a"), []byte("b"))))
	assert.Equal(t, `scan 't', {STARTROW => ""}`, shellScan("t", rowkey.PrefixRange(nil)))
	assert.Equal(t, `get 't', "a"`, shellGet("t", []byte("a")))
}

// A scan begins with its start row and ends before its stop row.
func TestScan(t *testing.T) {
	table := newTable(files, filesKeys)
	for _, key := range []string{"b", "a\x00", "c", "a", "b", "\xff"} {
		table.put([]byte(key))
	}
	scan := func(r rowkey.Range) string { return string(bytes.Join(slices.Collect(table.scan(r)), []byte(" "))) }
	assert.Equal(t, "a a\x00 b", scan(newRange([]byte("a"), []byte("c"))))
	assert.Equal(t, "a a\x00 b c \xff", scan(rowkey.PrefixRange(nil)))
	assert.Equal(t, "\xff", scan(rowkey.PrefixRange([]byte("\xff"))))
	assert.Empty(t, scan(rowkey.Range{}))
	assert.True(t, table.get([]byte("b")))
	assert.False(t, table.get([]byte("b\x00")))
}

// A cursor counts the rows that it gives, and a table that fails says so.
func TestRead(t *testing.T) {
	records, s, _ := asked(t)
	plan := planOf(t, sizes, rowkey.FullScan())
	keys, read, err := s.sizes.read(t.Context(), plan)
	require.NoError(t, err)
	assert.Len(t, keys, len(records))
	assert.Equal(t, len(records), read)

	keys, read, err = s.sizes.read(t.Context(), plan.Limit(1))
	require.NoError(t, err)
	assert.Len(t, keys, 1)
	assert.LessOrEqual(t, read, 2*buckets)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = s.sizes.read(ctx, plan)
	assert.ErrorIs(t, err, context.Canceled)
}

func TestHang(t *testing.T) {
	assert.Equal(t, "a\n  b", hang("a\n  b\n"))
	words := "  " + strings.Repeat("word ", 19)
	assert.Equal(t, strings.TrimRight(words, " ")+"\n    x", hang(words+"x"))
	escapes := "  " + strings.Repeat(`\x00`, 24)
	assert.Equal(t, "  "+strings.Repeat(`\x00`, 23)+"\n"+`    \x00`, hang(escapes))
}
