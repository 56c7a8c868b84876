package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/hbase-rowkey/rowkey"
	"github.com/spf13/cobra"
)

// rowFlags say how rows are read.
type rowFlags struct {
	form      string   // --in
	columns   []string // --columns
	noHeader  bool     // --no-header
	delimiter string   // --delimiter
	extra     bool     // --skip-extra
	times     []string // --time
	whenFlags
}

// whenFlags say how times are read.
type whenFlags struct {
	unit   string // --time-unit
	layout string // --time-layout
}

// check refuses words that say no form, also where no rows are read.
func (f *rowFlags) check() error {
	if !slices.Contains(rowForms, f.form) {
		return notOneOf("--in", f.form, rowForms)
	}
	if f.delimiter != "" {
		_, err := delimiter(f.delimiter)
		return err
	}
	return nil
}

var rowForms = []string{"auto", "json", "csv", "tsv"}

func (a *app) takesWhen(c *cobra.Command, f *whenFlags) {
	c.Flags().StringVar(&f.unit, "time-unit", "", "`unit` of times that are bare numbers since 1970: "+strings.Join(said.UnitNames, ", ")+" (else 10, 13, 16 or 19 digits say it)")
	c.Flags().StringVar(&f.layout, "time-layout", "", "`layout` of all times: as Go has it, 02/01/2006 15:04:05, or as strftime, %d/%m/%Y %H:%M:%S")
	_ = c.RegisterFlagCompletionFunc("time-unit", cobra.FixedCompletions(said.UnitNames, cobra.ShellCompDirectiveNoFileComp))
	a.takesZone(c)
}

func (a *app) takesRows(c *cobra.Command, f *rowFlags) {
	c.Flags().StringVar(&f.form, "in", "auto", "`form` of the rows: "+strings.Join(rowForms, ", "))
	c.Flags().StringSliceVar(&f.columns, "columns", nil, "`names` of the columns of a CSV that has no header")
	c.Flags().BoolVar(&f.noHeader, "no-header", false, "the CSV has no header: its columns are the fields in their order, or --columns")
	c.Flags().StringVar(&f.delimiter, "delimiter", "", "`character` between the columns of a CSV (default: a comma, of tsv a tab)")
	c.Flags().BoolVar(&f.extra, "skip-extra", false, "pass over columns and members that are no field")
	_ = c.RegisterFlagCompletionFunc("in", cobra.FixedCompletions(rowForms, cobra.ShellCompDirectiveNoFileComp))
	a.takesWhen(c, &f.whenFlags)
}

// values is how the flags say that values are read.
func (a *app) values(f whenFlags) (said.Values, error) {
	zone, err := parseZone(a.zone)
	if err != nil {
		return said.Values{}, err
	}
	if f.unit != "" && !slices.Contains(said.UnitNames, f.unit) {
		return said.Values{}, notOneOf("--time-unit", f.unit, said.UnitNames)
	}
	v := said.Values{Zone: zone, Unit: f.unit, Now: a.now, Notes: &a.notes}
	if f.layout != "" {
		if v.Layout, err = said.GoLayout(f.layout); err != nil {
			return v, err
		}
		v.LayoutDay = said.DayOnly(v.Layout)
	}
	return v, nil
}

const rowFormHelp = `Values are texts; numbers in decimal; bytes in hexadecimal; true and false; times as
2023-05-16T02:20:30.5Z or less of it, 2023/05/16, 20230516, yesterday, -24h, or a number since
1970, of which 10, 13, 16 or 19 digits mean seconds, milliseconds, micro- or nanoseconds; with
its unit, 1684203630000ms, it may have any length. Rows come as JSON, an object a line, over
several lines or in one array, or as CSV with a header that names the fields; what begins with
a brace or a bracket is JSON. In JSON, text that is no UTF-8 is {"hex":"…"} or {"base64":"…"}.

An optional field that is left out is null: there is no word for it as an argument, where null
is a text. In rows a null is a member or a column that is not there, JSON's null, or an empty
cell of CSV.`

func (a *app) encodeCommand() *cobra.Command {
	var f rowFlags
	var sf streamFlags
	c := &cobra.Command{
		Use:   "encode [flags] [FIELD=VALUE… | FILE…]",
		Short: "Write keys of values: one as arguments, or many as JSON or CSV in files or on stdin",
		Long: `Write the key of the values given as FIELD=VALUE, or a key for each row of the files or of stdin.

` + rowFormHelp,
		Example: `  rowkey encode -s trades seller=s-42 at=2023-05-16T02:20:30Z order=7
  rowkey encode -s trades -o shell rows.csv.gz
  rowkey encode -s logs --in tsv --time at=date+time access.tsv`,
		ValidArgsFunction: a.completeFields("="),
	}
	a.takesSchema(c)
	a.takesRows(c, &f)
	c.Flags().StringSliceVar(&f.times, "time", nil, "`FIELD=date+time`: the field's date and time are two columns or members; of a schema with one time, date+time")
	a.takesStream(c, &sf, true)
	a.outputs(c, append(slices.Clone(keyOutputs), "table")...)
	c.RunE = func(c *cobra.Command, args []string) error {
		s, err := a.load()
		if err != nil {
			return err
		}
		how, err := a.values(f.whenFlags)
		if err != nil {
			return err
		}
		if err := f.check(); err != nil {
			return err
		}
		w, err := a.rowMaker(s.Schema, how, f)
		if err != nil {
			return err
		}
		if len(args) > 0 && !slices.ContainsFunc(args, func(arg string) bool {
			return arg != "-" && (strings.Contains(arg, "=") || !isFile(arg) && !looksLikeFile(arg))
		}) {
			return a.encodeFiles(s.Schema, how, f, sf, args)
		}
		if len(args) > 0 {
			if err := unused(c, "with FIELD=VALUE", rowOnly...); err != nil {
				return err
			}
			if err := w.valuesOnly(args); err != nil {
				return err
			}
			key, err := w.fromArgs(args)
			a.tellNotes()
			if err != nil {
				return err
			}
			if a.out == "raw" {
				return a.write(string(key))
			}
			record, err := a.keyRecord(nil, s.Schema, key, sf.end(), how)
			if err != nil {
				return finding{err}
			}
			return a.write(string(record))
		}
		return a.encodeFiles(s.Schema, how, f, sf, nil)
	}
	return c
}

// rowMaker makes rows as the flags say.
func (a *app) rowMaker(s *rowkey.Schema, how said.Values, f rowFlags) (*rowMaker, error) {
	w := newRowMaker(s, how)
	for _, t := range f.times {
		name, halves, named := strings.Cut(t, "=")
		if !named {
			halves = name
			var times []string
			for _, f := range w.Fields {
				if f.Kind == "time" {
					times = append(times, f.Name)
				}
			}
			if len(times) != 1 {
				return nil, fmt.Errorf("--time %s: expected FIELD=date+time, since the schema has %s", t, said.Plural(len(times), "time"))
			}
			name = times[0]
		}
		i, err := w.Field(name)
		if err != nil {
			return nil, fmt.Errorf("--time %s: %w", t, err)
		}
		date, clock, ok := strings.Cut(halves, "+")
		if !ok || date == "" || clock == "" || date == clock || w.Fields[i].Kind != "time" {
			return nil, fmt.Errorf("--time %s: expected FIELD=date+time, a time and its two columns", t)
		}
		w.pairs = append(w.pairs, pair{field: i, names: [2]string{date, clock}})
	}
	return w, nil
}

func (a *app) encodeFiles(s *rowkey.Schema, how said.Values, f rowFlags, sf streamFlags, files []string) error {
	if a.out == "table" {
		sf.jobs = 1 // one after the other, as they are read
	}
	st := a.stream(sf)
	st.whole = "row"
	return st.close(a.eachInput(st, files, "rows, JSON or CSV", true, func(in *input) error {
		return st.rows(in, s, how, f, func(b *block, key []byte) (err error) {
			b.out, err = a.keyRecord(b.out, s, key, sf.end(), how)
			return err
		})
	}))
}

// valuesOnly refuses an argument that is no FIELD=VALUE, in a call that takes files, too.
func (w *rowMaker) valuesOnly(args []string) error {
	file := ""
	for _, arg := range args {
		switch {
		case strings.Contains(arg, "="):
		case arg == "-" || isFile(arg):
			file = arg
		default:
			return fmt.Errorf("expected FIELD=VALUE or a file, not %s, which is neither: the fields are %s", said.Shown(arg), strings.Join(said.FieldNames(w.Fields), ", "))
		}
	}
	if file != "" {
		return fmt.Errorf("expected FIELD=VALUE or files of rows, not both: %s is a file", file)
	}
	return nil
}

// fromArgs is the key of FIELD=VALUE arguments. A value that the key cannot
// hold is a finding.
func (w *rowMaker) fromArgs(args []string) ([]byte, error) {
	w.reset()
	for _, arg := range args {
		name, text, ok := strings.Cut(arg, "=")
		if !ok {
			return nil, fmt.Errorf("expected FIELD=VALUE, not %s: the fields are %s", said.Shown(arg), strings.Join(said.FieldNames(w.Fields), ", "))
		}
		if is, err := w.setPair(name, []byte(text)); is || err != nil {
			if err != nil {
				return nil, err
			}
			continue
		}
		i, err := w.Field(name)
		if err != nil {
			return nil, err
		}
		if err := w.SetText(i, []byte(text)); err != nil {
			return nil, err
		}
	}
	if err := w.joinPairs(); err != nil {
		return nil, err
	}
	key, err := w.Key()
	var e *rowkey.Error
	if errors.As(err, &e) {
		return nil, finding{err}
	}
	return key, err
}

// keyRecord appends a key as a record of the output; as a table it is explained.
func (a *app) keyRecord(dst []byte, s *rowkey.Schema, key []byte, end byte, how said.Values) ([]byte, error) {
	if a.out == "table" {
		pieces, err := s.Pieces(key, how.In())
		return append(dst, a.explained(s, key, pieces, err)...), nil
	}
	return appendRecord(dst, key, a.out, end)
}

// rowInput is an input of rows, whose form is known.
type rowInput struct {
	cut    lineCutter
	json   *jsonShape // of rows in JSON
	csv    csvShape   // of the others
	form   string
	header []string // their columns
	read   bool     // the input's own
}

// openRows finds the form of an input of rows, and reads the header of a CSV; nil
// where the input is empty.
func (s *stream) openRows(in *input, fields []string, f rowFlags) (*rowInput, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	r := &rowInput{cut: lineCutter{r: in.r, block: s.block, end: '\n', bom: true}, form: f.form, csv: csvShape{comma: ',', last: s.flags.end()}}
	saysCSV := len(f.columns) > 0 || f.noHeader || f.delimiter != ""
	if r.form == "auto" || r.form == "json" {
		begins, ok, err := r.cut.firstByte(s.flags.nul)
		if err != nil || !ok {
			return nil, err
		}
		if r.form == "auto" {
			r.form = "csv"
			if !saysCSV && (begins == '{' || begins == '[') {
				r.form = "json"
			}
		}
		r.json = &jsonShape{array: begins == '['}
	}
	if r.form != "json" {
		r.json = nil
		return r.openCSV(s, fields, f)
	}
	if saysCSV {
		return nil, errors.New("--columns, --no-header and --delimiter are for a CSV, and this is JSON")
	}
	if s.flags.nul { // no JSON has a 00
		r.cut.rest = endsLines(r.cut.rest)
		r.cut.r = nulLines{r.cut.r}
	}
	return r, nil
}

// nulLines reads records that end with a byte 00 as lines.
type nulLines struct{ r io.Reader }

func (n nulLines) Read(p []byte) (int, error) {
	got, err := n.r.Read(p)
	endsLines(p[:got])
	return got, err
}

// endsLines puts the end of a line in place of each byte 00.
func endsLines(data []byte) []byte {
	for i, c := range data {
		if c == 0 {
			data[i] = '\n'
		}
	}
	return data
}

// openCSV finds what stands between the columns of a CSV, and their names: in the header, which
// is read, or as the flags say.
func (r *rowInput) openCSV(s *stream, fields []string, f rowFlags) (*rowInput, error) {
	r.cut.end = r.csv.last
	if r.form == "tsv" {
		r.csv.comma = '	'
	}
	if f.delimiter != "" {
		var err error
		if r.csv.comma, err = delimiter(f.delimiter); err != nil {
			return nil, err
		}
	}
	s.skipped = 0
	switch r.header = f.columns; {
	case len(r.header) > 0:
	case f.noHeader:
		r.header = fields
	default:
		record, n, err := r.csv.header(&r.cut)
		if f.form == "auto" && (errors.Is(err, errQuote) || errors.Is(err, errBare) || errors.Is(err, errOpen)) {
			err = fmt.Errorf("%w: the input is read as CSV, where --in says nothing else", err)
		}
		if err != nil || record == nil {
			return nil, err
		}
		r.header, s.skipped, r.read = record, n, true
	}
	return r, nil
}

// places are those of the columns of a CSV among a schema's fields.
func (r *rowInput) places(w *rowMaker, extra bool) ([]place, error) {
	if r.json != nil {
		return nil, nil
	}
	places, err := w.columns(r.header, extra)
	switch {
	case err != nil && r.otherComma():
		err = withDelimiter(err)
	case err != nil && r.row(w):
		err = fmt.Errorf("%w; is this line a row? --no-header takes the columns as the fields in their order", err)
	}
	return places, err
}

// row reports that the header looks like a row: as many columns as there are fields, at least two,
// of which none names one, and one is no name at all.
func (r *rowInput) row(w *rowMaker) bool {
	names := said.FieldNames(w.Fields)
	return r.read && len(names) > 1 && len(r.header) == len(names) && slices.ContainsFunc(r.header, func(c string) bool { return !columnName.MatchString(c) }) &&
		!slices.ContainsFunc(r.header, func(c string) bool {
			return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, strings.TrimSpace(c)) })
		})
}

// commas are what stands between the columns of a CSV, if no comma does.
const commas = "\t;|"

// otherComma reports that the header is one column, which may be several.
func (r *rowInput) otherComma() bool {
	return r.form == "csv" && r.csv.comma == ',' && len(r.header) == 1 && strings.ContainsAny(r.header[0], commas)
}

// withDelimiter is an error about the columns of such a header.
func withDelimiter(err error) error {
	return fmt.Errorf("%w; is another character between the columns? --delimiter says which", err)
}

// reader is what reads the rows of a block.
func (r *rowInput) reader(work *rowWork, places []place) func(*block) {
	if r.json != nil {
		return work.jsonRows(*r.json)
	}
	return work.csvRows(r.csv, places)
}

// cutter takes whole records off the input.
func (r *rowInput) cutter() cutter {
	if r.json != nil {
		if r.json.array {
			list := &jsonList{shape: *r.json}
			return &recordCutter{r.cut, list.whole, list.ends}
		}
		return &recordCutter{r.cut, r.json.whole, nil}
	}
	return &recordCutter{r.cut, r.csv.whole, nil}
}

// rows reads rows from an input and makes their keys.
func (s *stream) rows(in *input, schema *rowkey.Schema, how said.Values, f rowFlags, do func(b *block, key []byte) error) error {
	r, err := s.openRows(in, said.FieldNames(said.Supplied(schema)), f)
	if err != nil || r == nil {
		return err
	}
	maker := func() *rowMaker {
		w, _ := s.a.rowMaker(schema, how, f) // it was made before
		return w
	}
	places, err := r.places(maker(), f.extra)
	if err != nil {
		return err
	}
	return s.run(r.cutter(), func() func(*block) {
		return r.reader(&rowWork{w: maker(), extra: f.extra, do: do, seen: s.seen}, places)
	}, nil)
}

// delimiter is the byte between columns.
func delimiter(s string) (byte, error) {
	switch s {
	case `\t`, "tab":
		return '\t', nil
	}
	if len(s) != 1 || s[0] == '"' || s[0] == '\n' || s[0] == '\r' || s[0] >= 0x80 {
		return 0, fmt.Errorf("--delimiter %s: expected one character of ASCII, or tab", said.Shown(s))
	}
	return s[0], nil
}

// firstByte is the first byte that is no white space, left unread; it is false if there is none.
// A 00 is white space only where it ends records: else it begins a row.
func (c *lineCutter) firstByte(nul bool) (first byte, ok bool, err error) {
	blank := " \t\r\n"
	if nul {
		blank += "\x00"
	}
	c.start()
	for {
		if t := bytes.TrimLeft(c.rest, blank); len(t) > 0 {
			return t[0], true, nil
		}
		if c.err != nil {
			return 0, false, finish(c.err)
		}
		c.rest = c.read(c.rest)
	}
}

// header takes the first record off the input, and says how many lines it has.
func (c csvShape) header(cut *lineCutter) (fields []string, lines int, err error) {
	cut.start()
	for {
		for len(cut.rest) > 0 && (cut.rest[0] == c.last || c.last == '\n' && bytes.HasPrefix(cut.rest, []byte("\r\n"))) {
			cut.rest = cut.rest[bytes.IndexByte(cut.rest, c.last)+1:]
			lines++
		}
		if len(cut.rest) > 0 {
			n, more, column, err := c.end(cut.rest, cut.err != nil)
			if !more && err != nil {
				if cut.rest[0] == '{' || cut.rest[0] == '[' {
					err = fmt.Errorf("%w; this looks like JSON: --in json", err)
				}
				return nil, 0, fmt.Errorf("line %d: column %d: %w", lines+1, column, err)
			}
			if !more {
				record, _ := c.split(cut.rest[:n], nil, nil)
				for _, f := range record {
					fields = append(fields, string(f))
				}
				lines += max(1, bytes.Count(cut.rest[:n], []byte{c.last}))
				cut.rest = cut.rest[n:]
				return fields, lines, nil
			}
		}
		switch {
		case cut.err != nil && len(cut.rest) > 0:
			return nil, 0, fmt.Errorf("line %d: %w", lines+1, errOpen)
		case cut.err != nil:
			return nil, 0, finish(cut.err)
		case len(cut.rest) > longest:
			return nil, 0, fmt.Errorf("line %d: %w", lines+1, errTooLong)
		}
		cut.rest = cut.read(cut.rest)
	}
}

// finish is an error of an input, nil at its end.
func finish(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// completeFields completes the names of fields with an operator after, and the
// values of a field that has few.
func (a *app) completeFields(operators ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		s, err := a.load()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		var out []string
		for _, f := range said.Supplied(s.Schema) {
			for _, v := range s.Values(f.Name) {
				if strings.HasPrefix(typed, f.Name+"=") {
					out = append(out, f.Name+"="+v)
				}
			}
			for _, op := range operators {
				if (op == "^=" || op == "$=") && (f.Kind != "string" && f.Kind != "binary" || f.Numeric) {
					continue
				}
				if op != "=" && f.Kind == "bool" {
					continue
				}
				out = append(out, f.Name+op)
			}
		}
		return out, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	}
}
