package main

import (
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/spf13/cobra"
)

func (a *app) scanCommand() *cobra.Command {
	var full, reversed bool
	var most, limit int
	var table string
	var f rowFlags
	c := &cobra.Command{
		Use:   "scan [flags] CONDITION…",
		Short: "Turn conditions into the ranges of a scan, and say why",
		Long: `Turn conditions on fields into the ranges of a scan; all of them hold together.

  seller=s-42      is           at>=2023-05-16   at least     seller^=pre        begins with
  seller!=s-42     is not       at<=2023-05-16   at most      seller$=suf        ends in
  "seller in a,b"  is one of    at>2023-05-16    more than    at<2023-05-17      less than

  "note is null"   is null      "note is not null"  is not null

No other condition holds for a null, != neither.

What no range can say is left to a test of each row; a query that would read the whole table
is refused (exit 1) unless --full-scan permits it.`,
		Example: `  rowkey scan -s trades seller=s-42 'at>=2023-05-16' 'at<2023-05-17'
  rowkey scan -s trades seller=s-42 --limit 10 -o shell`,
		ValidArgsFunction: a.completeFields("=", ">=", "<", "^="),
	}
	a.takesSchema(c)
	a.takesZone(c)
	c.Flags().StringVar(&f.unit, "time-unit", "", "`unit` of times that are bare numbers since 1970: ns, us, ms, s, min, h, d")
	c.Flags().BoolVar(&full, "full-scan", false, "permit a plan that reads the whole table")
	c.Flags().IntVar(&most, "max-ranges", 1024, "permit `N` ranges")
	c.Flags().BoolVar(&reversed, "reversed", false, "from the last row to the first")
	c.Flags().IntVar(&limit, "limit", 0, "the first `N` rows")
	c.Flags().StringVar(&table, "table", "", "`name` of the table in hbase shell text (default: the schema's)")
	a.outputs(c, "table", "hex", "shell", "go", "json")
	c.RunE = func(c *cobra.Command, args []string) error {
		s, err := a.load()
		if err != nil {
			return err
		}
		how, err := a.values(f)
		if err != nil {
			return err
		}
		conds, err := parseConds(s.Schema, how, args)
		if err != nil {
			return err
		}
		if full {
			conds = append(conds, rowkey.FullScan())
		}
		if c.Flags().Changed("max-ranges") {
			conds = append(conds, rowkey.MaxRanges(most))
		}
		if limit < 0 {
			return fmt.Errorf("--limit %d: expected a number of rows", limit)
		}
		plan, err := s.Scan(conds...)
		switch {
		case errors.Is(err, rowkey.ErrFullScan):
			return finding{fmt.Errorf("%w; --full-scan permits it", reason(err))}
		case errors.Is(err, rowkey.ErrManyRanges):
			return finding{fmt.Errorf("%w; --max-ranges permits more", reason(err))}
		case err != nil:
			return reason(err)
		}
		if limit > 0 {
			plan = plan.Limit(limit)
		}
		if reversed {
			plan = plan.Reversed()
		}
		if table == "" {
			table = s.table()
		}
		return a.write(a.plan(plan, table, limit, reversed))
	}
	return c
}

// A condition is a field, an operator and a value. Of an operator with white
// space in front, that behind it is no part of the value either.
var condForm = regexp.MustCompile(`^\s*([\p{L}\p{N}_.-]+)(?:(\s*)(>=|<=|!=|\^=|\$=|=|>|<)|(\s+)(in|is)(?:\s|$))(?s:(.*))$`)

func parseConds(s *rowkey.Schema, how values, args []string) (out []rowkey.Cond, err error) {
	fields := newRowWriter(s, how)
	for _, arg := range args {
		m := condForm.FindStringSubmatch(arg)
		if m == nil {
			return nil, fmt.Errorf("expected a condition as field=value, field>=value, \"field in a,b\" or \"field is null\", not %s", shown(arg))
		}
		i, err := fields.field(m[1])
		if err != nil {
			return nil, err
		}
		op, text := m[3]+m[5], m[6]
		if m[2]+m[4] != "" {
			text = strings.TrimLeft(text, " \t")
		}
		c, err := how.cond(fields.fields[i], op, text)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// cond is one condition.
func (v values) cond(f rowkey.FieldInfo, op, text string) (rowkey.Cond, error) {
	texts := []string{text}
	switch op {
	case "^=", "$=":
		return v.ending(f, op, text)
	case "is":
		switch strings.Join(strings.Fields(text), " ") {
		case "null":
			return rowkey.Null(f.Name), nil
		case "not null":
			return rowkey.NotNull(f.Name), nil
		}
		return rowkey.Cond{}, fmt.Errorf("%s: expected \"%[1]s is null\" or \"%[1]s is not null\", not %s", f.Name, shown(strings.TrimSpace(f.Name+" is "+text)))
	case "in":
		texts = nil
		if text != "" {
			r := csv.NewReader(strings.NewReader(text))
			record, err := r.Read()
			if err != nil {
				return rowkey.Cond{}, fmt.Errorf("%s: expected values with commas between, not %s", f.Name, shown(text))
			}
			texts = record
		}
	}
	vals := make([]any, len(texts))
	for i, t := range texts {
		var err error
		if vals[i], err = v.parse(f, t); err != nil {
			return rowkey.Cond{}, err
		}
	}
	switch f.Kind {
	case rowkey.KindString:
		return compare[string](f.Name, op, vals), nil
	case rowkey.KindBinary:
		return compare[[]byte](f.Name, op, vals), nil
	case rowkey.KindUint:
		return compare[uint64](f.Name, op, vals), nil
	case rowkey.KindInt:
		return compare[int64](f.Name, op, vals), nil
	case rowkey.KindFloat:
		return compare[float64](f.Name, op, vals), nil
	case rowkey.KindBool:
		return compare[bool](f.Name, op, vals), nil
	}
	return compare[time.Time](f.Name, op, vals), nil
}

// compare is a condition on values whose type was found at run time.
func compare[T rowkey.Value](name, op string, vals []any) rowkey.Cond {
	list := make([]T, len(vals))
	for i, v := range vals {
		list[i] = v.(T)
	}
	switch op {
	case "in":
		return rowkey.In(name, list...)
	case "!=":
		return rowkey.NotEq(name, list[0])
	case ">=":
		return rowkey.AtLeast(name, list[0])
	case "<=":
		return rowkey.AtMost(name, list[0])
	case ">":
		return rowkey.MoreThan(name, list[0])
	case "<":
		return rowkey.LessThan(name, list[0])
	}
	return rowkey.Eq(name, list[0])
}

// ending is a condition on the beginning or the end of a text.
func (v values) ending(f rowkey.FieldInfo, op, text string) (rowkey.Cond, error) {
	switch {
	case f.Kind == rowkey.KindString && !decimal(f):
	case f.Kind == rowkey.KindBinary:
		b, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
		if err != nil {
			return rowkey.Cond{}, fmt.Errorf("%s: expected bytes in hexadecimal, not %s", f.Name, shown(text))
		}
		text = string(b)
	default:
		return rowkey.Cond{}, fmt.Errorf("%s: only texts begin or end: expected =, !=, <, <=, >, >=, in or is", f.Name)
	}
	if op == "^=" {
		return rowkey.Prefix(f.Name, text), nil
	}
	return rowkey.Suffix(f.Name, text), nil
}

// planned is a plan as JSON.
type planned struct {
	Exact  bool        `json:"exact"` // every row in the ranges matches
	Ranges []span      `json:"ranges"`
	Keys   []string    `json:"keys,omitempty"`  // candidates of a get
	Fuzzy  [][2]string `json:"fuzzy,omitempty"` // FuzzyRowFilter's keys and masks
	Why    []string    `json:"why"`
}

// span is a range in hexadecimal; no stop is the end of the table.
type span struct {
	Start string  `json:"start"`
	Stop  *string `json:"stop"`
}

// plan is a plan as -o says.
func (a *app) plan(p *rowkey.Plan, table string, limit int, reversed bool) string {
	var b strings.Builder
	switch a.out {
	case "table":
		return a.head(p.String(), false)
	case "json":
		out := planned{Exact: p.Exact(), Ranges: []span{}, Why: strings.Split(strings.TrimSuffix(p.String(), "\n"), "\n")}
		for r := range p.Ranges() {
			s := span{Start: hex.EncodeToString(r.Start())}
			if !r.Unbounded() {
				stop := hex.EncodeToString(r.Stop())
				s.Stop = &stop
			}
			out.Ranges = append(out.Ranges, s)
		}
		for key := range p.Keys() {
			out.Keys = append(out.Keys, hex.EncodeToString(key))
		}
		for key, mask := range p.Fuzzy() {
			out.Fuzzy = append(out.Fuzzy, [2]string{hex.EncodeToString(key), hex.EncodeToString(mask)})
		}
		return jsonText(out) + "\n"
	case "hex":
		for r := range p.Ranges() {
			stop := "-" // the end of the table: an empty word could be lost
			if !r.Unbounded() {
				stop = hex.EncodeToString(r.Stop())
			}
			start := hex.EncodeToString(r.Start())
			if start == "" {
				start = "-"
			}
			fmt.Fprintf(&b, "%s %s\n", start, stop)
		}
	case "go":
		b.WriteString("[]struct{ Start, Stop []byte }{\n")
		for r := range p.Ranges() {
			stop := "nil" // the end of the table
			if !r.Unbounded() {
				stop = keyText(r.Stop(), "go")
			}
			fmt.Fprintf(&b, "\t{%s, %s},\n", keyText(r.Start(), "go"), stop)
		}
		b.WriteString("}\n")
	case "shell":
		for line := range strings.Lines(p.String()) {
			b.WriteString("# " + line)
		}
		if limit > 0 && !p.Exact() {
			b.WriteString("# no LIMIT: it would count rows that Match leaves out\n")
			limit = 0
		}
		for r := range p.Ranges() {
			b.WriteString(shellScan(r, table, limit, reversed))
		}
	}
	return b.String()
}

// shellScan is a range as a line of hbase shell.
func shellScan(r rowkey.Range, table string, limit int, reversed bool) string {
	args := r.Shell()
	if reversed {
		start, stop := r.Reversed()
		args = "REVERSED => true"
		if len(start) > 0 {
			args += `, STARTROW => "` + rowkey.Shell(start) + `"`
		}
		if len(stop) > 0 {
			args += `, STOPROW => "` + rowkey.Shell(stop) + `"`
		}
	}
	if limit > 0 {
		args += ", LIMIT => " + strconv.Itoa(limit)
	}
	return "scan '" + table + "', {" + args + "}\n"
}
