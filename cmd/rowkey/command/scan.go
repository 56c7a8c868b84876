package command

import (
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/inside"
	"github.com/hbase-rowkey/rowkey/internal/shell"
	"github.com/spf13/cobra"
)

// goRemedy is what a plan's error tells a Go program of too many ranges.
var goRemedy = regexp.MustCompile(`MaxRanges\((\d+)\)`)

// scanFlags are the flags of scan.
type scanFlags struct {
	full, reversed bool
	most, limit    int
	table          string
	when           whenFlags
}

const scanHelp = `Turn conditions on fields into the ranges of a scan; all of them hold together, each of them one
argument.

  seller=s-42      is           at>=2023-05-16   at least     seller^=pre        begins with
  seller!=s-42     is not       at<=2023-05-16   at most      seller$=suf        ends in
  "seller in a,b"  is one of    at>2023-05-16    more than    at<2023-05-17      less than

  "seller not in a,b"  is none of       "note is null"  is null      "note is not null"  is not null

SQL's words may be upper case, and its lists have parentheses: "seller IN ('a', 'b')". <> is !=, => is
>=, =< is <=. A text without quotes that looks like more than a text, as (a or a%, is refused.

A shell takes > and < for the names of files unless they stand in quotes: 'at>=2023-05-16'. These
say the same without signs that a shell knows:

  seller:s-42      is           order:5..9       from 5 to 9, both of them
  order:5..        at least     order:..9        at most
  at:2023-05-16..2023-05-17     both days, each of them whole
  at:2023-05-16T08:00..2023-05-16T09:00          from the one, up to the other and without it

A day is the whole day where the field is finer: at=2023-05-16 is an interval, at<=2023-05-16 has the
day in it. Quotes around a value are no part of it, and \" in them is a quote: 'seller="a and b"'.
No other condition holds for a null, != neither.

What no range can say is left to a test of each row; a query that would read the whole table
is refused (exit 1) unless --full-scan permits it.

-o sql writes a SELECT for each range, for a table that was made by the HBase API and is read by
Lindorm's SQL: there the whole key is the column ` + "`ROW`" + `, compared with hexadecimal text.`

func (a *app) scanCommand() *cobra.Command {
	var f scanFlags
	c := &cobra.Command{
		Use:   "scan [flags] CONDITION…",
		Short: "Turn conditions into the ranges of a scan, and say why",
		Long:  scanHelp,
		Example: `  rowkey scan -s trades seller=s-42 at:2023-05-16
  rowkey scan -s trades seller=s-42 'at>=yesterday'
  rowkey scan -s trades seller=s-42 --limit 10 -o shell
  rowkey scan -s trades seller=s-42 --limit 10 -o sql`,
		ValidArgsFunction: a.completeFields("=", ":", ">=", "<", "^="),
	}
	a.takesSchema(c)
	a.takesWhen(c, &f.when)
	c.Flags().BoolVar(&f.full, "full-scan", false, "permit a plan that reads the whole table")
	c.Flags().IntVar(&f.most, "max-ranges", 1024, "permit `N` ranges")
	c.Flags().BoolVar(&f.reversed, "reversed", false, "from the last row to the first")
	c.Flags().IntVar(&f.limit, "limit", 0, "the first `N` rows")
	c.Flags().Var(&filled{text: &f.table, empty: errNoTable}, "table", "`name` of the table in hbase shell text (default: the schema's)")
	a.outputs(c, "table", "hex", "shell", "sql", "go", "json")
	c.RunE = func(c *cobra.Command, args []string) error {
		if f.limit < 0 {
			return fmt.Errorf("--limit %d: expected a number of rows", f.limit)
		}
		var permits []rowkey.Cond
		if f.full {
			permits = append(permits, rowkey.FullScan())
		}
		if f.most < 1 {
			return fmt.Errorf("--max-ranges %d: expected 1 or more", f.most)
		}
		if c.Flags().Changed("max-ranges") {
			permits = append(permits, rowkey.MaxRanges(f.most))
		}
		return a.scan(f, permits, args)
	}
	return c
}

// scan plans the conditions and writes the plan.
func (a *app) scan(f scanFlags, permits []rowkey.Cond, args []string) error {
	s, err := a.load()
	if err != nil {
		return err
	}
	how, err := a.values(f.when)
	if err != nil {
		return err
	}
	named := f.table != "" || a.out == "shell" || a.out == "sql" // a file's name, which a schema of -f has, may be no table's
	if f.table == "" {
		f.table = s.table()
	}
	if err := validTable(f.table); named && err != nil {
		return err
	}
	groups, err := said.ParseConds(s.Schema, how, args)
	a.tellNotes()
	if err != nil {
		return err
	}
	plan, err := s.Scan(append(slices.Concat(groups...), permits...)...)
	switch {
	case errors.Is(err, rowkey.ErrFullScan):
		return finding{errors.New(strings.Replace(said.Reason(err).Error(), "FullScan()", "--full-scan", 1))}
	case errors.Is(err, rowkey.ErrManyRanges):
		return finding{errors.New(goRemedy.ReplaceAllString(said.Reason(err).Error(), "--max-ranges $1"))}
	case errors.Is(err, rowkey.ErrInverted):
		return said.Crossed(s.Schema, args, groups, said.Reason(err))
	case err != nil:
		return said.Reason(err)
	}
	if f.limit > 0 {
		plan = plan.Limit(f.limit)
	}
	if f.reversed {
		plan = plan.Reversed()
	}
	if a.out == "sql" {
		if err := sayableInSQL(plan, f); err != nil {
			return err
		}
	}
	return a.write(a.plan(plan, f, said.WhyEmpty(a.lang, s.Schema, plan, args, groups)))
}

// validTable refuses what is no table's name in HBase.
func validTable(name string) error {
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.:", r) {
			return fmt.Errorf("--table %s: a table's name is letters, digits, '_', '-', '.' and a ':' after the namespace", said.Shown(name))
		}
	}
	space, own, ok := strings.Cut(name, ":")
	if !ok {
		own = name
	}
	if ok && (space == "" || strings.ContainsAny(space, "-.")) || own == "" || strings.ContainsAny(own[:1], "-.") || strings.Contains(own, ":") {
		return fmt.Errorf("--table %s: a table's name begins with a letter, a digit or '_', and has one ':' at most, after the namespace, which has no '-' and no '.'", said.Shown(name))
	}
	return nil
}

// validFamily refuses what is no column family's name in HBase.
func validFamily(name string) error {
	if name == "" || name[0] == '.' || strings.ContainsAny(name, `:/\`) || strings.ContainsFunc(name, unicode.IsControl) {
		return fmt.Errorf("--family %s: a family's name is not empty, begins with no '.' and has no ':', '/', '\\' or control character", said.Shown(name))
	}
	return nil
}

// ruby is a text within single quotes of Ruby.
func ruby(s string) string { return strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) }

// planned is a plan as JSON.
type planned struct {
	Exact  bool        `json:"exact"` // every row in the ranges matches
	Ranges []span      `json:"ranges"`
	Keys   []string    `json:"keys,omitempty"`  // candidates of a get
	Fuzzy  [][2]string `json:"fuzzy,omitempty"` // FuzzyRowFilter's keys and masks
	Why    []string    `json:"why"`

	Reasons []planReason `json:"reasons,omitempty"` // why, of each component, as codes

	Reversed bool   `json:"reversed,omitempty"`
	Limit    int    `json:"limit,omitempty"` // rows that match, of all ranges together
	Empty    string `json:"empty,omitempty"` // why there are no ranges
}

// planReason is a line of why, as a code and its arguments.
type planReason struct {
	Field string   `json:"field"`
	Code  string   `json:"code"`
	Args  []string `json:"args,omitempty"`
}

// span is a range in hexadecimal; no stop is the end of the table.
type span struct {
	Start string  `json:"start"`
	Stop  *string `json:"stop"`
	Scan  *bounds `json:"scan,omitempty"` // of a reversed scan: its STARTROW, which is in it, and its STOPROW, which is not
}

type bounds struct {
	Start string `json:"start"` // empty: from the end of the table
	Stop  string `json:"stop"`  // empty: to its beginning
	Exact bool   `json:"exact"` // false: a row that is the start itself lies outside
}

// plan is a plan as -o says; empty is why it has no ranges.
func (a *app) plan(p *rowkey.Plan, f scanFlags, empty string) string {
	why := plainWhy(inside.Plan(p).In(a.lang))
	if empty != "" {
		why += "  " + empty + "\n"
	}
	switch a.out {
	case "json":
		return said.JsonText(planJSON(p, f, why, empty)) + "\n"
	case "hex":
		return planHex(p)
	case "go":
		return planGo(p, f)
	case "shell":
		return planShell(p, f, why)
	case "sql":
		return planSQL(p, f, why)
	}
	return a.head(why, false)
}

// plainWhy is why a plan is as it is, without the name of a method of Go.
func plainWhy(why string) string {
	return strings.NewReplacer("Match decides", "a test of each row decides", "Match checks it", "a test of each row checks it").Replace(why)
}

func planJSON(p *rowkey.Plan, f scanFlags, why, empty string) planned {
	out := planned{Exact: p.Exact(), Ranges: []span{}, Why: strings.Split(strings.TrimSuffix(why, "\n"), "\n"), Reversed: f.reversed, Limit: f.limit, Empty: empty}
	for _, r := range inside.Plan(p).Reasons() {
		out.Reasons = append(out.Reasons, planReason{r.Field, r.Code, r.Args})
	}
	for r := range p.Ranges() {
		s := span{Start: hex.EncodeToString(r.Start())}
		if !r.Unbounded() {
			stop := hex.EncodeToString(r.Stop())
			s.Stop = &stop
		}
		if f.reversed {
			from, to, exact := r.Reversed()
			s.Scan = &bounds{hex.EncodeToString(from), hex.EncodeToString(to), exact}
		}
		out.Ranges = append(out.Ranges, s)
	}
	for key := range p.Keys() {
		out.Keys = append(out.Keys, hex.EncodeToString(key))
	}
	for key, mask := range p.Fuzzy() {
		out.Fuzzy = append(out.Fuzzy, [2]string{hex.EncodeToString(key), hex.EncodeToString(mask)})
	}
	return out
}

// planHex is a range a line; - is an end of the table, since an empty word could
// be lost.
func planHex(p *rowkey.Plan) string {
	var b strings.Builder
	for r := range p.Ranges() {
		stop := "-"
		if !r.Unbounded() {
			stop = hex.EncodeToString(r.Stop())
		}
		start := hex.EncodeToString(r.Start())
		if start == "" {
			start = "-"
		}
		fmt.Fprintf(&b, "%s %s\n", start, stop)
	}
	return b.String()
}

func planGo(p *rowkey.Plan, f scanFlags) string {
	var b strings.Builder
	switch {
	case f.reversed && f.limit > 0:
		fmt.Fprintf(&b, "// for reversed scans, of which together %s are read\n", said.Plural(f.limit, "matching row"))
	case f.reversed:
		b.WriteString("// for reversed scans\n")
	case f.limit > 0:
		fmt.Fprintf(&b, "// of which together %s are read\n", said.Plural(f.limit, "matching row"))
	}
	b.WriteString("[]struct{ Start, Stop []byte }{\n")
	for r := range p.Ranges() {
		start, stop, note := r.Start(), r.Stop(), ""
		if f.reversed {
			var exact bool
			if start, stop, exact = r.Reversed(); !exact {
				note = " // a row that is the start itself lies outside"
			}
		}
		text := func(key []byte, open bool) string {
			if open { // an end of the table
				return "nil"
			}
			return keyText(key, "go")
		}
		fmt.Fprintf(&b, "\t{%s, %s},%s\n", text(start, f.reversed && len(start) == 0), text(stop, !f.reversed && r.Unbounded() || f.reversed && len(stop) == 0), note)
	}
	return b.String() + "}\n"
}

// planHead writes why a plan is as it is, as comments after a mark, and gives the
// LIMIT of its statements: none where that would count rows that do not match.
func planHead(b *strings.Builder, mark string, p *rowkey.Plan, f scanFlags, why string) (limit int) {
	for line := range strings.Lines(why) {
		b.WriteString(mark + line)
	}
	if f.limit > 0 && !p.Exact() {
		b.WriteString(mark + "no LIMIT: it would count rows that the test of each row leaves out\n")
		return 0
	}
	return f.limit
}

func planShell(p *rowkey.Plan, f scanFlags, why string) string {
	var b strings.Builder
	limit := planHead(&b, "# ", p, f, why)
	for r := range p.Ranges() {
		b.WriteString(shellScan(r, f.table, limit, f.reversed))
	}
	return b.String()
}

// sqlRows is the largest LIMIT that Lindorm's SQL takes beside ORDER BY.
const sqlRows = 10_000

// sayableInSQL is what keeps a plan from being SQL of Lindorm.
func sayableInSQL(p *rowkey.Plan, f scanFlags) error {
	for _, r := range f.table {
		if r != '_' && (r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)) {
			return fmt.Errorf("-o sql: table %s: expected letters, digits and '_', which SQL takes without quotes: --table NAME", said.Shown(f.table))
		}
	}
	switch {
	case !f.reversed:
		return nil
	case f.limit == 0 || f.limit > sqlRows:
		return fmt.Errorf("-o sql: --reversed is ORDER BY, which needs a LIMIT of at most %d: --limit N", sqlRows)
	case !p.Exact():
		return errors.New("-o sql: --reversed is ORDER BY, which needs a LIMIT, and that would count rows that the test of each row leaves out")
	}
	return nil
}

// planSQL is a SELECT a range. The key of a table made by the HBase API is one
// column, ROW, which is a reserved word; its bytes are written in hexadecimal.
func planSQL(p *rowkey.Plan, f scanFlags, why string) string {
	var b strings.Builder
	limit := planHead(&b, "-- ", p, f, why)
	for r := range p.Ranges() {
		var where []string
		if len(r.Start()) > 0 {
			where = append(where, fmt.Sprintf("`ROW` >= '%x'", r.Start()))
		}
		if !r.Unbounded() {
			where = append(where, fmt.Sprintf("`ROW` < '%x'", r.Stop()))
		}
		b.WriteString("SELECT * FROM " + f.table)
		if where != nil {
			b.WriteString(" WHERE " + strings.Join(where, " AND "))
		}
		if f.reversed {
			b.WriteString(" ORDER BY `ROW` DESC")
		}
		if limit > 0 {
			b.WriteString(" LIMIT " + strconv.Itoa(limit))
		}
		b.WriteString(";\n")
	}
	return b.String()
}

// shellScan is a range as a line of hbase shell.
func shellScan(r rowkey.Range, table string, limit int, reversed bool) string {
	args, note := r.Shell(), ""
	if reversed {
		start, stop, exact := r.Reversed()
		args = "REVERSED => true"
		if !exact {
			note = "# the first row may lie outside: " + shell.Text(start) + " itself does\n"
			if limit > 0 {
				limit++ // it would count that row
			}
		}
		if len(start) > 0 {
			args += `, STARTROW => "` + shell.Quoted(start) + `"`
		}
		if len(stop) > 0 {
			args += `, STOPROW => "` + shell.Quoted(stop) + `"`
		}
	}
	if limit > 0 {
		args += ", LIMIT => " + strconv.Itoa(limit)
	}
	return note + "scan '" + table + "', {" + args + "}\n"
}
