package laws

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/tests/vectors"
)

// What Phoenix's planner made of 1527 queries, and which rows of a grid they
// must and must not find. Every row that must be found lies in our ranges; every
// one that must not lies outside, or Match says no. Then the ranges are held
// against Phoenix's: none is wider.

// phoenixScan is a line of the files.
type phoenixScan struct {
	DDL   string
	Cols  []phoenixCol
	Salt  int
	Conds []phoenixCond
	SQL   string
	Binds []string
	Scans []struct {
		Start, Stop    string
		StartExclusive bool `json:"start_exclusive"`
		StopInclusive  bool `json:"stop_inclusive"`
	}
	RowsIn  []string `json:"rows_in"`
	RowsOut []string `json:"rows_out"`
	Loses   []string `json:"phoenix_loses"`
	Keeps   []string `json:"phoenix_keeps"`
}

type phoenixCond struct {
	Col    int
	Op     string
	Values []string
	Any    []phoenixCond // OR, on one column
}

// phoenixReport is what became of the lines of a file.
type phoenixReport struct {
	file     string
	lines    int
	counts   map[string]int
	failures []string
	tables   map[string]*phoenixTable
}

// phoenixTable is a table of the vectors, and keys of it that stand for all.
type phoenixTable struct {
	s      *rowkey.Schema
	cols   []phoenixCol
	values []map[string]bool // by column: those of every query, and more
	grid   [][]byte
}

// What becomes of a line, in the order of the columns of vectors.Page.
const (
	scanEqual    = "the same ranges"
	scanSame     = "the same rows of the grid; the ranges differ in bytes that no row has"
	scanNarrower = "fewer rows of the grid"
	scanWider    = "more rows of the grid"
	scanWrong    = "Phoenix's plan loses rows or keeps wrong ones; ours does not"
	scanLoses    = "Phoenix's plan loses rows of the grid, which the vectors do not say"
	scanNot      = "not expressed"
)

const (
	rowsIn  = "rows that must be found"
	rowsOut = "rows that must not be found"
)

// What is not expressed.
const (
	notRow      = "a comparison of rows, as (C1, C2) > (?, ?)"
	notOr       = "one of several rows, which are as many queries"
	notFunction = "a function of a column: SUBSTR, TRUNC"
	notLike     = "LIKE with a wildcard within"
	notPadded   = "LIKE with the end of a CHAR, which is its padding"
)

var phoenixFiles = []string{"phoenix_scans_1", "phoenix_scans_2", "phoenix_scans_3", "phoenix_scans_or"}

func TestVectorsPhoenixScans(t *testing.T) {
	dir := cmp.Or(os.Getenv("ROWKEY_VECTORS"), filepath.Join("testdata", "vectors"))
	for _, name := range phoenixFiles {
		data, err := phoenixRead(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		r := phoenixScans(name, data)
		for i, f := range r.failures {
			if i == 20 {
				t.Errorf("and %d more", len(r.failures)-i)
				break
			}
			t.Error(f)
		}
		var out strings.Builder
		for _, what := range slices.Sorted(maps.Keys(r.counts)) {
			fmt.Fprintf(&out, "\n%5d %s", r.counts[what], what)
		}
		t.Logf("%s: %d lines%s", name, r.lines, out.String())
		if r.counts[scanWider] > 0 {
			t.Errorf("%s: %d plans are wider than Phoenix's", name, r.counts[scanWider])
		}
		if len(r.failures) == 0 {
			r.page(t)
		}
	}
}

// page holds the rows of vectors.Page against the counts.
func (r *phoenixReport) page(t *testing.T) {
	page, err := readFile(vectors.Page)
	if err != nil {
		t.Fatal(err)
	}
	row := fmt.Sprintf("| `%s` | %d |", r.file, r.lines)
	sum := 0
	for _, what := range []string{scanEqual, scanSame, scanNarrower, scanWider, scanWrong, scanLoses, scanNot} {
		row += fmt.Sprintf(" %d |", r.counts[what])
		sum += r.counts[what]
	}
	row += fmt.Sprintf(" %d | %d |", r.counts[rowsIn], r.counts[rowsOut])
	want := []string{row}
	if sum != r.lines {
		t.Errorf("%s: %d of %d lines are told", r.file, sum, r.lines)
	}
	for _, what := range []string{notRow, notOr, notFunction, notLike, notPadded} {
		if n := r.counts[what]; n > 0 {
			want = append(want, fmt.Sprintf("| `%s` | %d | %s |", r.file, n, what))
		}
	}
	var have []string
	for line := range strings.Lines(string(page)) {
		if strings.HasPrefix(line, "| `"+r.file+"` |") {
			have = append(have, strings.TrimSpace(line))
		}
	}
	if !slices.Equal(have, want) {
		t.Errorf("%s says\n%s\nwant\n%s", vectors.Page, strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
}

// not counts a query that is not expressed.
func (r *phoenixReport) not(why string) {
	r.counts[scanNot]++
	r.counts[why]++
}

// phoenixRead is a file of the vectors, compressed or not.
func phoenixRead(dir, name string) ([]byte, error) {
	data, err := readFile(filepath.Join(dir, name+".jsonl"))
	if err == nil || !errors.Is(err, os.ErrNotExist) {
		return data, err
	}
	f, err := openFile(filepath.Join(dir, name+".jsonl.gz"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// phoenixScans checks the lines of a file.
func phoenixScans(file string, data []byte) *phoenixReport {
	r := &phoenixReport{file: file, counts: map[string]int{}, tables: map[string]*phoenixTable{}}
	var scans []phoenixScan
	for line := range bytes.Lines(data) {
		var q phoenixScan
		r.lines++
		if err := json.Unmarshal(line, &q); err != nil {
			r.failures = append(r.failures, fmt.Sprintf("%s:%d: %v", file, r.lines, err))
			continue
		}
		scans = append(scans, q)
		r.table(&q)
	}
	for _, t := range r.tables {
		t.fill()
	}
	for i := range scans {
		r.check(i+1, &scans[i])
	}
	return r
}

func (r *phoenixReport) failf(line int, q *phoenixScan, format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf("%s:%d: %s %q: ", r.file, line, q.SQL, q.Binds)+fmt.Sprintf(format, args...))
}

// table is a query's table, which learns the query's values.
func (r *phoenixReport) table(q *phoenixScan) *phoenixTable {
	t := r.tables[q.DDL]
	if t == nil {
		l := &vectorLine{report: &vectorReport{}}
		s, err := l.phoenixTable(q.Cols, q.Salt).Build()
		if err != nil {
			r.failures = append(r.failures, fmt.Sprintf("%s: %v", q.DDL, err))
		}
		t = &phoenixTable{s: s, cols: q.Cols, values: make([]map[string]bool, len(q.Cols))}
		for i, col := range q.Cols {
			t.values[i] = map[string]bool{}
			for _, v := range phoenixMore[col.Type] {
				t.values[i][v] = true
			}
		}
		r.tables[q.DDL] = t
	}
	if conds, ok := q.conds(); ok {
		for _, k := range slices.Concat(append([][]phoenixCond{conds}, phoenixAny(conds)...)...) {
			for _, v := range k.Values {
				t.values[k.Col][v] = true
			}
		}
	}
	return t
}

func phoenixAny(conds []phoenixCond) (any [][]phoenixCond) {
	for _, k := range conds {
		any = append(any, k.Any)
	}
	return any
}

// phoenixMore is values beside those of the queries, and at the ends of types.
var phoenixMore = map[string][]string{
	"VARCHAR": {"\x01", "a", "aa", "ab", "b", "c", "~", "淘"}, "CHAR": {"!", "a", "ab", "abc", "b", "~~~"},
	"VARBINARY": {"00", "01", "61", "6100", "62", "ff", "ffff"}, "BINARY": {"0000", "0001", "6162", "fffe", "ffff"},
	"BIGINT": {"-9223372036854775808", "-1", "0", "1", "9223372036854775807"}, "INTEGER": {"-2147483648", "-1", "0", "1", "2", "2147483647"},
	"SMALLINT": {"-32768", "0", "1", "32767"}, "TINYINT": {"-128", "0", "1", "127"}, "UNSIGNED_TINYINT": {"0", "1", "2", "127"},
	"UNSIGNED_LONG": {"0", "1", "9223372036854775807"}, "DECIMAL": {"-101", "-100", "-99.99", "-1", "0", "0.5", "1", "1.01", "100", "100.1", "1000000"},
	"DOUBLE": {"-Infinity", "-1.5", "0.0", "4.9E-324", "1.5", "Infinity"}, "DATE": {"-62135596800000", "-1", "0", "1", "1684203630000"},
	"TIMESTAMP": {"-1:999000000", "0:0", "0:1", "1684203630123:123456789"}, "BOOLEAN": {"true", "false"},
}

// fill makes the grid: every row of the columns' values.
func (t *phoenixTable) fill() {
	rows := [][]any{{}}
	l := &vectorLine{report: &vectorReport{}}
	for i, col := range t.cols {
		c, _ := l.phoenixColumn(col.Type, col.Len, col.Scale)
		var longer [][]any
		for _, row := range rows {
			for v := range t.values[i] {
				longer = append(longer, append(slices.Clone(row), c.value(l, v)))
			}
			if col.Nullable {
				longer = append(longer, append(slices.Clone(row), nil))
			}
		}
		rows = longer
	}
	for _, row := range rows {
		if key, err := t.s.AppendKey(nil, row...); err == nil { // some values are no values of the column
			t.grid = append(t.grid, key)
		}
	}
}

// ---- queries

var (
	phoenixTerm  = regexp.MustCompile(`^C(\d) (=|<|>|<=|>=) \?$`)
	phoenixWords = regexp.MustCompile(`^SELECT V FROM \w+ WHERE (.*?)( ORDER BY .*| LIMIT \d+)?$`)
	phoenixPair  = regexp.MustCompile(`^\(C(\d), C(\d)\) = \(\?, \?\)$`)
)

// conds is the query's conditions, of the files that have them; else of its SQL.
// False for what is not expressed: OR of rows, comparisons of rows, functions.
func (q *phoenixScan) conds() ([]phoenixCond, bool) {
	where := phoenixWords.FindStringSubmatch(q.SQL)
	if q.Conds != nil || where == nil {
		return q.Conds, true
	}
	binds := q.Binds
	term := func(text string) (phoenixCond, bool) {
		m := phoenixTerm.FindStringSubmatch(text)
		if m == nil {
			return phoenixCond{}, false
		}
		col, _ := strconv.Atoi(m[1])
		k := phoenixCond{Col: col - 1, Op: m[2], Values: binds[:1]}
		binds = binds[1:]
		return k, true
	}
	either := func(text string) (phoenixCond, bool) {
		a, b, _ := strings.Cut(text, " OR ")
		x, ok := term(a)
		y, ok2 := term(b)
		return phoenixCond{Col: x.Col, Any: []phoenixCond{x, y}}, ok && ok2 && x.Col == y.Col
	}
	text := where[1]
	if k, ok := term(text); ok {
		return []phoenixCond{k}, true
	}
	if m := phoenixPair.FindStringSubmatch(text); m != nil {
		a, _ := strconv.Atoi(m[1])
		b, _ := strconv.Atoi(m[2])
		return []phoenixCond{{Col: a - 1, Op: "=", Values: binds[:1]}, {Col: b - 1, Op: "=", Values: binds[1:]}}, true
	}
	if head, tail, ok := strings.Cut(text, " AND ("); ok && strings.HasSuffix(tail, ")") {
		k, ok := term(head)
		any, ok2 := either(strings.TrimSuffix(tail, ")"))
		return []phoenixCond{k, any}, ok && ok2
	}
	if not, ok := strings.CutPrefix(text, "NOT ("); ok {
		k, ok := term(strings.TrimSuffix(not, ")"))
		k.Op = map[string]string{"<": ">="}[k.Op]
		return []phoenixCond{k}, ok && k.Op != ""
	}
	k, ok := either(text)
	return []phoenixCond{k}, ok
}

// why says what keeps a query from being expressed.
func (q *phoenixScan) why() string {
	switch {
	case strings.Contains(q.SQL, "SUBSTR"), strings.Contains(q.SQL, "TRUNC"):
		return notFunction
	case strings.Contains(q.SQL, ") OR ("), strings.Contains(q.SQL, ") IN (("):
		return notOr
	}
	return notRow
}

// cond is a condition of ours.
func (k *phoenixCond) cond(l *vectorLine, col phoenixCol) (rowkey.Cond, string) {
	if k.Any != nil {
		var any []rowkey.Cond
		for i := range k.Any {
			c, why := k.Any[i].cond(l, col)
			if why != "" {
				return c, why
			}
			any = append(any, c)
		}
		return rowkey.AnyOf(any...), ""
	}
	if k.Op == "LIKE" {
		return k.like(col)
	}
	c, _ := l.phoenixColumn(col.Type, col.Len, col.Scale)
	values := make([]any, len(k.Values))
	for i, v := range k.Values {
		values[i] = c.value(l, v)
	}
	p := planCond{name: col.Name, args: values, word: map[string]string{
		"=": "Eq", "<>": "NotEq", "<": "LessThan", ">": "MoreThan", "<=": "AtMost", ">=": "AtLeast", "IN": "In", "ISNULL": "Null", "NOTNULL": "NotNull",
	}[k.Op]}
	if len(values) > 0 {
		p.zero = values[0]
	}
	return p.cond(nil), ""
}

// like is LIKE as far as it is a prefix, a suffix or a value. The end of a CHAR is
// that of its padding.
func (k *phoenixCond) like(col phoenixCol) (rowkey.Cond, string) {
	pattern := k.Values[0]
	inner := strings.Trim(pattern, "%")
	switch {
	case inner == "":
		return rowkey.NotNull(col.Name), ""
	case strings.ContainsAny(inner, "%_"):
		return rowkey.Cond{}, notLike
	case strings.HasSuffix(pattern, "%"):
		return rowkey.Prefix(col.Name, inner), ""
	case strings.HasPrefix(pattern, "%") && col.Type == "CHAR":
		return rowkey.Cond{}, notPadded
	case strings.HasPrefix(pattern, "%"):
		return rowkey.Suffix(col.Name, inner), ""
	}
	return rowkey.Eq(col.Name, inner), ""
}

// check plans one query and holds the plan against rows and ranges.
func (r *phoenixReport) check(line int, q *phoenixScan) {
	t := r.tables[q.DDL]
	conds, ok := q.conds()
	if !ok {
		r.not(q.why())
		return
	}
	l := &vectorLine{report: &vectorReport{}}
	ours := []rowkey.Cond{rowkey.FullScan()}
	for i := range conds {
		k := &conds[i]
		if k.Op == "BETWEEN" {
			for j, op := range []string{">=", "<="} {
				c, _ := (&phoenixCond{Op: op, Values: k.Values[j : j+1]}).cond(l, q.Cols[k.Col])
				ours = append(ours, c)
			}
			continue
		}
		c, why := k.cond(l, q.Cols[k.Col])
		if why != "" {
			r.not(why)
			return
		}
		ours = append(ours, c)
	}
	if len(l.report.failures) > 0 {
		r.failf(line, q, "%v", l.report.failures)
		return
	}
	plan, err := t.s.Scan(ours...)
	if errors.Is(err, rowkey.ErrInverted) { // BETWEEN from above to: SQL gives no row
		plan, err = t.s.Scan(rowkey.In[int](q.Cols[0].Name))
	}
	if err != nil {
		r.failf(line, q, "%v", err)
		return
	}
	ranges := slices.Collect(plan.Ranges())
	for _, text := range slices.Concat(q.RowsIn, q.Loses) {
		key, _ := hex.DecodeString(text)
		if n := planCovering(ranges, key); n != 1 || !plan.Match(key) {
			r.failf(line, q, "row %s lies in %d of %v, Match says %v", text, n, ranges, plan.Match(key))
		}
		r.counts[rowsIn]++
	}
	for _, text := range slices.Concat(q.RowsOut, q.Keeps) {
		key, _ := hex.DecodeString(text)
		covered := planCovering(ranges, key) > 0
		if plan.Match(key) || covered && plan.Exact() {
			r.failf(line, q, "row %s, which does not match, lies in %v: %v, Exact says %v", text, ranges, covered, plan.Exact())
		}
		r.counts[rowsOut]++
	}
	if len(q.Loses)+len(q.Keeps) > 0 {
		r.counts[scanWrong]++
		return
	}
	verdict := r.compare(plan, phoenixOurs(ranges), q.theirs(), t)
	r.counts[verdict]++
	if verdict == scanWider {
		r.failf(line, q, "ours %v\ntheirs %+v", ranges, q.Scans)
	}
}

// ---- ranges against ranges

// An interval is keys from lo on that are below hi, or all of them.
type interval struct {
	lo, hi string
	open   bool
}

// phoenixOurs and theirs are ranges as intervals, sorted, those that touch made
// one.
func phoenixOurs(ranges []rowkey.Range) (out []interval) {
	for _, r := range ranges {
		out = append(out, interval{string(r.Start()), string(r.Stop()), r.Unbounded()})
	}
	return phoenixJoin(out)
}

func (q *phoenixScan) theirs() (out []interval) {
	for _, s := range q.Scans {
		start, _ := hex.DecodeString(s.Start)
		stop, _ := hex.DecodeString(s.Stop)
		if s.StartExclusive {
			start = append(start, 0)
		}
		if s.StopInclusive {
			stop = append(stop, 0)
		}
		out = append(out, interval{string(start), string(stop), len(stop) == 0})
	}
	return phoenixJoin(out)
}

func phoenixJoin(in []interval) (out []interval) {
	slices.SortFunc(in, func(a, b interval) int { return strings.Compare(a.lo, b.lo) })
	for _, x := range in {
		if n := len(out); n > 0 && (out[n-1].open || x.lo <= out[n-1].hi) {
			if last := &out[n-1]; !last.open && (x.open || x.hi > last.hi) {
				last.hi, last.open = x.hi, x.open
			}
			continue
		}
		out = append(out, x)
	}
	return out
}

func phoenixHas(list []interval, key []byte) bool {
	return slices.ContainsFunc(list, func(x interval) bool { return string(key) >= x.lo && (x.open || string(key) < x.hi) })
}

// compare says how our ranges lie to theirs.
func (r *phoenixReport) compare(plan *rowkey.Plan, ours, theirs []interval, t *phoenixTable) string {
	if slices.Equal(ours, theirs) {
		return scanEqual
	}
	var loses, more, fewer bool
	for _, key := range t.grid {
		switch mine, their := phoenixHas(ours, key), phoenixHas(theirs, key); {
		case mine && !their && plan.Match(key):
			loses = true
		case mine && !their:
			more = true
		case !mine && their:
			fewer = true
		}
	}
	switch {
	case loses:
		return scanLoses
	case more:
		return scanWider
	}
	if fewer {
		return scanNarrower
	}
	return scanSame
}
