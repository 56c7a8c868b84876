package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey"
	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"
)

// rowFlags say how rows are read.
type rowFlags struct {
	form    string   // --in
	columns []string // --columns
	extra   bool     // --skip-extra
	unit    string   // --time-unit
}

func (a *app) takesRows(c *cobra.Command, f *rowFlags) {
	c.Flags().StringVar(&f.form, "in", "auto", "`form` of the rows on stdin: auto, json, csv")
	c.Flags().StringSliceVar(&f.columns, "columns", nil, "`names` of the columns of a CSV that has no header")
	c.Flags().BoolVar(&f.extra, "skip-extra", false, "pass over columns and members that are no field")
	c.Flags().StringVar(&f.unit, "time-unit", "", "`unit` of times that are bare numbers since 1970: ns, us, ms, s, min, h, d (else they are refused)")
	_ = c.RegisterFlagCompletionFunc("in", cobra.FixedCompletions([]string{"auto", "json", "csv"}, cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("time-unit", cobra.FixedCompletions([]string{"ns", "us", "ms", "s", "min", "h", "d"}, cobra.ShellCompDirectiveNoFileComp))
	a.takesZone(c)
}

// values is how the flags say that values are read.
func (a *app) values(f rowFlags) (values, error) {
	zone, err := parseZone(a.zone)
	if err != nil {
		return values{}, err
	}
	if _, ok := units[f.unit]; !ok && f.unit != "" {
		return values{}, fmt.Errorf("--time-unit %s: expected ns, us, ms, s, min, h or d", f.unit)
	}
	return values{zone: zone, unit: f.unit}, nil
}

const rowFormHelp = `Values are texts; numbers in decimal; bytes in hexadecimal; true and false; times as
2023-05-16T02:20:30.5Z or less of it, or as a number with its unit, 1684203630000ms. On stdin
come JSON lines, an object a line, or CSV with a header that names the fields; what begins with
a brace is JSON. In JSON, text that is no UTF-8 is {"hex":"…"} or {"base64":"…"}.

An optional field that is left out is null: there is no word for it as an argument, where null
is a text. On stdin a null is a member or a column that is not there, JSON's null, or an empty
cell of CSV.`

func (a *app) encodeCommand() *cobra.Command {
	var f rowFlags
	var strict bool
	c := &cobra.Command{
		Use:   "encode [flags] [FIELD=VALUE…]",
		Short: "Write keys of values: one as arguments, or many as JSON lines or CSV on stdin",
		Long: `Write the key of the values given as FIELD=VALUE, or a key for each row on stdin.

` + rowFormHelp,
		Example: `  rowkey encode -s trades seller=s-42 at=2023-05-16T02:20:30Z order=7
  rowkey encode -s trades -o shell < rows.csv`,
		ValidArgsFunction: a.completeFields("="),
	}
	a.takesSchema(c)
	a.takesRows(c, &f)
	takesStrict(c, &strict)
	a.outputs(c, "hex", "shell", "base64", "go", "json", "table")
	c.RunE = func(_ *cobra.Command, args []string) error {
		s, err := a.load()
		if err != nil {
			return err
		}
		how, err := a.values(f)
		if err != nil {
			return err
		}
		w := newRowWriter(s.Schema, how)
		if len(args) > 0 {
			key, err := w.fromArgs(args)
			if err != nil {
				return err
			}
			return a.write(a.keyRecord(s.Schema, key))
		}
		a.prompt("rows, JSON or CSV")
		st := a.open(a.stdin, strict, !a.inTerminal && !a.outTerminal)
		return st.close(st.rows(w, f, func(key []byte) error { return st.out.add([]byte(a.keyRecord(s.Schema, key))) }))
	}
	return c
}

// fromArgs is the key of FIELD=VALUE arguments. A value that the key cannot
// hold is a finding.
func (w *rowWriter) fromArgs(args []string) ([]byte, error) {
	w.reset()
	for _, arg := range args {
		name, text, ok := strings.Cut(arg, "=")
		if !ok {
			return nil, fmt.Errorf("expected FIELD=VALUE, not %s: the fields are %s", shown(arg), strings.Join(fieldNames(w.fields), ", "))
		}
		if err := w.setText(name, text); err != nil {
			return nil, err
		}
	}
	key, err := w.key()
	var e *rowkey.Error
	if errors.As(err, &e) {
		return nil, finding{err}
	}
	return key, err
}

// keyRecord is a key as a line of the output; as a table it is explained.
func (a *app) keyRecord(s *rowkey.Schema, key []byte) string {
	switch a.out {
	case "json":
		return jsonText(struct {
			Key string `json:"key"`
		}{keyText(key, "hex")}) + "\n"
	case "table":
		return a.head(s.Explain(key), false)
	}
	return keyText(key, a.out) + "\n"
}

// rows reads rows from a stream and makes their keys.
func (s *stream) rows(w *rowWriter, f rowFlags, do func(key []byte) error) error {
	s.whole = "row"
	form := f.form
	switch form {
	case "json", "csv":
	case "auto":
		form = "csv"
		if len(f.columns) == 0 {
			begins, err := firstByte(s.r)
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			if begins == '{' {
				form = "json"
			}
		}
	default:
		return fmt.Errorf("--in %s: expected auto, json or csv", form)
	}
	if form == "csv" {
		return s.csvRows(w, f, do)
	}
	if len(f.columns) > 0 {
		return errors.New("--columns names the columns of a CSV, and this is JSON")
	}
	return s.jsonRows(w, f.extra, do)
}

// firstByte is the first byte that is no white space, left unread.
func firstByte(r *bufio.Reader) (byte, error) {
	for n := 1; ; n++ {
		b, err := r.Peek(n)
		if len(b) < n {
			return 0, err
		}
		if c := b[n-1]; c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != 0xef && c != 0xbb && c != 0xbf {
			return c, nil
		}
	}
}

func (s *stream) jsonRows(w *rowWriter, extra bool, do func(key []byte) error) error {
	return s.lines(func(line []byte) error {
		if len(bytes.TrimSpace(line)) == 0 {
			return nil
		}
		w.reset()
		if err := w.object(line, extra); err != nil {
			return s.fail(err)
		}
		return s.emit(w, do)
	})
}

// emit makes the key of the values gathered.
func (s *stream) emit(w *rowWriter, do func(key []byte) error) error {
	key, err := w.key()
	if err != nil {
		return s.fail(err)
	}
	s.good++
	return do(key)
}

// object supplies the members of a JSON object. What encoding/json would change
// in silence is an error here: a member that stands twice, text that is no
// UTF-8, half of a surrogate pair.
func (w *rowWriter) object(line []byte, extra bool) (err error) {
	if line[0] == '\xef' {
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	switch {
	case !utf8.Valid(line):
		return errors.New(`no UTF-8: in JSON such a text is {"hex":"…"}`)
	case !gjson.ValidBytes(line):
		return fmt.Errorf("expected a JSON object on the line, not %s", shownJSON(string(line)))
	}
	o := gjson.ParseBytes(line)
	if !o.IsObject() {
		return fmt.Errorf("expected a JSON object on the line, not %s", shownJSON(string(line)))
	}
	o.ForEach(func(name, v gjson.Result) bool {
		if _, known := w.byName[name.Str]; known || !extra {
			err = w.setJSON(name.Str, v)
		}
		return err == nil
	})
	return err
}

func (s *stream) csvRows(w *rowWriter, f rowFlags, do func(key []byte) error) error {
	c := csv.NewReader(s.r)
	c.ReuseRecord = true
	header := f.columns
	if len(header) == 0 {
		first, err := c.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("line 1: %w", csvReason(err))
		}
		header = slices.Clone(first)
		header[0] = strings.TrimPrefix(header[0], "\ufeff") // as Excel writes it
	}
	places, err := w.columns(header, f.extra)
	if err != nil {
		return err
	}
	c.FieldsPerRecord = len(header)
	for {
		s.in.record = 0
		record, err := c.Read()
		var bad *csv.ParseError
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &bad):
			s.line = bad.StartLine
			if errors.Is(err, csv.ErrFieldCount) {
				err = fmt.Errorf("expected %s, not %d", plural(len(header), "column"), len(record))
			}
			if err := s.fail(csvReason(err)); err != nil {
				return err
			}
			continue
		case errors.Is(err, errTooLong):
			return fmt.Errorf("the row after line %d is %w: a quote without its end?", s.line, err)
		case err != nil:
			return err
		}
		s.line, _ = c.FieldPos(0)
		if err := w.record(record, places); err != nil {
			if err := s.fail(err); err != nil {
				return err
			}
			continue
		}
		if err := s.emit(w, do); err != nil {
			return err
		}
	}
}

// csvReason is what is wrong with a line, which is named elsewhere.
func csvReason(err error) error {
	var bad *csv.ParseError
	if errors.As(err, &bad) {
		return fmt.Errorf("column %d: %w", bad.Column, bad.Err)
	}
	return err
}

// columns is the place of each column among the fields, −1 for one that is
// passed over.
func (w *rowWriter) columns(header []string, extra bool) ([]int, error) {
	var places []int
	met := map[int]bool{}
	for _, name := range header {
		i, err := w.field(name)
		switch {
		case err != nil && extra:
			i = -1
		case err != nil:
			return nil, fmt.Errorf("column %w; --skip-extra passes over others", err)
		case met[i]:
			return nil, fmt.Errorf("column %s stands twice", name)
		default:
			met[i] = true
		}
		places = append(places, i)
	}
	for i, f := range w.fields {
		if !met[i] && !f.Optional {
			return nil, fmt.Errorf("no column %s: expected %s", f.Name, strings.Join(fieldNames(w.fields), ", "))
		}
	}
	return places, nil
}

func (w *rowWriter) record(record []string, places []int) error {
	w.reset()
	for at, i := range places {
		if i < 0 || record[at] == "" && w.fields[i].Optional {
			continue
		}
		if err := w.setTextAt(i, record[at]); err != nil {
			return err
		}
	}
	return nil
}

// completeFields completes the names of fields with an operator behind.
func (a *app) completeFields(operators ...string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		s, err := a.load()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		var out []string
		for _, f := range supplied(s.Schema) {
			for _, op := range operators {
				out = append(out, f.Name+op)
			}
		}
		return out, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	}
}
