package command

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/hbase-rowkey/rowkey/infer"
	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"
)

// inferFlags say which rows infer reads, and how long it searches.
type inferFlags struct {
	key     string // --key: the column of the keys
	named   bool   // --key was given
	keyForm string // --key-in
	rows    rowFlags
	dirty   string
	max     time.Duration
}

func (a *app) inferCommand() *cobra.Command {
	f := inferFlags{key: "rowkey"}
	c := &cobra.Command{
		Use:   "infer [flags] [FILE…]",
		Short: "Read the layout of a table out of rows that have the key and the values",
		Long: `Read the layout of a table out of rows that have the key and the values.

Rows come as CSV with a header, as JSON, or as hbase shell's scan prints them, with the values in
cells. One column is the key (--key); the others may be in it or not. Values are texts; numbers in
decimal; times as RFC 3339, as 2023-05-16 02:20:30, or as a number since 1970; bytes in hexadecimal.
50 rows say enough of most tables; rows of several days, with short and long values, say more.

Of keys alone, a line each, the structure is shown, and which columns would settle the rest.

The answer has a verdict. sure: no other layout that is about as likely writes another key, for
values like those seen or beyond them. open: one does, beyond the values seen. unsure: one does,
for values like those seen, or a piece rests on too little. Each other layout comes with a row whose
key would decide. none: no layout writes these keys; then what is explained is shown, and where the
other bytes are.`,
		Example: `  rowkey infer --key rowkey rows.csv
  echo "scan 'trades', {LIMIT => 100}" | hbase shell -n | rowkey infer
  rowkey infer --dirty 1% rows.json
  rowkey infer keys.txt`,
		Annotations: map[string]string{ownExits: "Exit: 0 one layout, sure; 1 another verdict, or a bad line; 2 misuse."},
	}
	c.Flags().Var(&filled{text: &f.key, empty: errNoColumn}, "key", "`name` of the column that has the keys")
	c.Flags().StringVar(&f.keyForm, "key-in", said.FormAuto, "`form` of the keys: "+strings.Join(said.KeyForms[:8], ", "))
	c.Flags().StringVar(&f.rows.form, "in", "auto", "`form` of the rows: "+strings.Join(inferForms, ", "))
	c.Flags().StringVar(&f.rows.delimiter, "delimiter", "", "`character` between the columns of a CSV (default: a comma, of tsv a tab)")
	c.Flags().StringVar(&f.dirty, "dirty", "0%", "`share` of the rows whose key may be another, such as 1%")
	c.Flags().DurationVar(&f.max, "max", 5*time.Second, "`time` to search")
	_ = c.RegisterFlagCompletionFunc("key-in", cobra.FixedCompletions(said.KeyForms[:8], cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("in", cobra.FixedCompletions(inferForms, cobra.ShellCompDirectiveNoFileComp))
	a.outputs(c, "table", "json")
	c.RunE = func(c *cobra.Command, args []string) error {
		f.named = c.Flags().Changed("key")
		return a.infer(f, args)
	}
	return c
}

// formKeys is keys alone, a line each.
const formKeys = "keys"

var inferForms = append(slices.Clone(rowForms), said.FormScan, formKeys)

func (a *app) infer(f inferFlags, args []string) error {
	if !slices.Contains(inferForms, f.rows.form) {
		return notOneOf("--in", f.rows.form, inferForms)
	}
	if !slices.Contains(said.KeyForms[:8], f.keyForm) {
		return notOneOf("--key-in", f.keyForm, said.KeyForms[:8])
	}
	dirty, err := share(f.dirty)
	if err != nil {
		return err
	}
	if f.max <= 0 {
		return fmt.Errorf("--max %v: expected a time to search, such as 5s", f.max)
	}
	t := &inferred{flags: f, dirty: dirty}
	s := a.stream(streamFlags{jobs: 1})
	s.whole = "row"
	if err := a.eachInput(s, args, "rows", true, func(in *input) error {
		if err := t.read(s, in); err != nil || !t.alone || t.columns == nil {
			return err
		}
		return errors.New("the files before it have keys alone: infer reads rows of one table")
	}); err != nil {
		return err
	}
	s.bar.clear()
	if len(t.texts) == 0 {
		return none("rows", args)
	}
	if t.alone || t.valueless() {
		if err := a.inferKeys(t); err != nil {
			return err
		}
		return s.close(nil)
	}
	t.numbers()
	began := time.Now()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var best *infer.Result
	readings, none := t.readings()
	for _, keys := range readings {
		r, err := infer.Read(ctx, t.columns, t.rows, keys, infer.Limits{Max: f.max, Dirty: dirty})
		if err != nil {
			return errors.New(strings.TrimPrefix(err.Error(), "infer: "))
		}
		if best == nil || r.Verdict > best.Verdict {
			best, t.asRead = r, keys
		}
		if best.Verdict != infer.None {
			break
		}
	}
	if none != nil && (best == nil || best.Verdict == infer.None) {
		return none
	}
	a.bad = a.bad || best.Verdict != infer.Sure
	if best.Verdict == infer.None && a.out != "json" {
		t.cleaner = t.findsClean(ctx, f.max-time.Since(began))
	}
	var out string
	if a.out == "json" {
		out = said.JsonText(t.json(best)) + "\n"
	} else {
		out = t.text(a, best)
	}
	if err := a.write(out); err != nil {
		return err
	}
	return s.close(nil) // which tells of bad lines
}

// valueless reports that no row has a value: the cells of a scan by KeyOnlyFilter are empty.
func (t *inferred) valueless() bool {
	return !slices.ContainsFunc(t.rows, func(row []string) bool {
		return slices.ContainsFunc(row, func(v string) bool { return v != "" })
	})
}

// mostDirty is the share of wrong keys that is tried where no layout writes all of them.
const mostDirty = 0.2

// findsClean reports that the keys have a layout but for a few wrong ones. No time is left to say so
// where the search took all of it.
func (t *inferred) findsClean(ctx context.Context, left time.Duration) bool {
	if t.dirty > 0 || len(t.rows) < 20 || left <= 0 { // of fewer rows no others are tried
		return false
	}
	r, err := infer.Read(ctx, t.columns, t.rows, t.asRead, infer.Limits{Max: left, Dirty: mostDirty})
	return err == nil && r.Verdict != infer.None
}

// share is a share of rows: 1% or 0.01.
func share(s string) (float64, error) {
	text, percent := strings.CutSuffix(s, "%")
	v, err := strconv.ParseFloat(text, 64)
	if percent {
		v /= 100
	}
	if err != nil || !(v >= 0 && v < 0.5) {
		return 0, fmt.Errorf("--dirty %s: expected a share below a half, such as 1%%", said.Shown(s))
	}
	return v, nil
}

// inferred is the rows that infer read.
type inferred struct {
	flags   inferFlags
	dirty   float64 // the share of --dirty
	columns []string
	rows    [][]string
	texts   []string // of the keys
	asRead  [][]byte // the keys, as the answer reads them
	binary  map[int]bool
	alone   bool // there are keys, and no values
	cleaner bool // of some of the keys, which no layout writes all of, there is one
}

// read reads the rows of an input.
func (t *inferred) read(s *stream, in *input) error {
	if t.flags.rows.form == formKeys {
		return t.lines(s, &lineCutter{r: in.r, block: s.block, end: '\n', bom: true})
	}
	if t.flags.rows.form == said.FormScan {
		return t.scan(s, in, &lineCutter{r: in.r, block: s.block, end: '\n', bom: true})
	}
	r, err := s.openRows(in, nil, rowFlags{form: t.flags.rows.form, delimiter: t.flags.rows.delimiter})
	if err != nil || r == nil {
		return err
	}
	if r.json != nil {
		return s.run(r.cutter(), func() func(*block) { return t.jsonBlock(*r.json) }, nil)
	}
	if t.flags.rows.form == "auto" && len(r.header) > 0 && looksLikeScan(r.header) {
		return t.scan(s, in, &r.cut)
	}
	return t.csv(s, r)
}

// looksLikeScan reports that what was taken for a header is a line of hbase shell.
func looksLikeScan(header []string) bool {
	return len(header) >= 1 && (strings.HasPrefix(header[0], "ROW ") || strings.Contains(header[0], " column=") || strings.HasPrefix(header[0], "hbase:"))
}

func (t *inferred) csv(s *stream, r *rowInput) error {
	at := slices.Index(r.header, t.flags.key)
	alone := len(r.header) == 1 && t.columns == nil && t.flags.rows.form == "auto" // keys alone, a line each
	if at < 0 && r.otherComma() {                                                  // one who names the column of the keys has others
		alone = alone && !t.flags.named && !slices.Contains(strings.FieldsFunc(r.header[0], func(c rune) bool { return strings.ContainsRune(commas, c) }), t.flags.key)
	}
	if alone {
		if at < 0 {
			t.texts = append(t.texts, r.header[0])
		}
		return t.lines(s, r.cutter())
	}
	if at < 0 {
		err := fmt.Errorf("no column %s: --key names the column of the keys, of %s", t.flags.key, strings.Join(r.header, ", "))
		if r.otherComma() {
			return withDelimiter(err)
		}
		return fmt.Errorf("%w%s", err, said.Perhaps(t.flags.key, r.header))
	}
	for i, name := range r.header {
		if slices.Contains(r.header[:i], name) {
			return fmt.Errorf("column %s stands twice", name)
		}
	}
	columns := slices.Delete(slices.Clone(r.header), at, at+1)
	if len(columns) == 0 {
		return errors.New("the rows have the key alone: --in keys shows their structure; for a layout their values are needed too, a column each")
	}
	if t.columns != nil && !slices.Equal(columns, t.columns) {
		return errors.New("the files have other columns: infer reads rows of one table")
	}
	t.columns = columns
	return s.run(r.cutter(), func() func(*block) {
		var fields [][]byte
		var scratch []byte
		return func(b *block) {
			line := 1
			broken := b.broken
			for from := 0; from < len(b.data); {
				if len(broken) > 0 && broken[0].at == from {
					b.fail(line, broken[0].err)
					broken = broken[1:]
					from, line = from+r.csv.lineLength(b.data[from:]), line+1
					continue
				}
				n, _, _, err := r.csv.end(b.data[from:], true)
				if err != nil || n == 0 {
					n = r.csv.lineLength(b.data[from:])
				}
				record := b.data[from : from+n]
				if !r.csv.emptyLine(record) {
					fields, scratch = r.csv.split(record, fields, scratch)
					if len(fields) != len(columns)+1 {
						b.fail(line, fmt.Errorf("%s, and the header has %d", said.Plural(len(fields), "column"), len(columns)+1))
					} else {
						row := make([]string, 0, len(columns))
						for i, v := range fields {
							if i != at {
								row = append(row, string(v))
							}
						}
						if err := t.add(row, string(fields[at])); err != nil {
							b.fail(line, err)
						} else {
							b.good++
						}
					}
				}
				from, line = from+n, line+max(1, bytes.Count(record, []byte{'\n'}))
			}
			b.lines = bytes.Count(b.data, []byte{'\n'})
		}
	}, nil)
}

// add takes a row, unless its key is none.
func (t *inferred) add(row []string, key string) error {
	if key == "" {
		return fmt.Errorf("--key %s: the key is empty", t.flags.key)
	}
	if t.flags.keyForm != said.FormAuto {
		if _, err := parseColumnKey(key, t.flags.keyForm); err != nil {
			return err
		}
	}
	t.rows, t.texts = append(t.rows, row), append(t.texts, key)
	return nil
}

// lines reads keys alone, a line each.
func (t *inferred) lines(s *stream, cut cutter) error {
	t.alone = true
	return s.run(cut, func() func(*block) {
		return func(b *block) {
			b.eachLine('\n', true, func(_ int, line []byte) bool {
				t.texts = append(t.texts, string(line))
				b.good++
				return true
			})
		}
	}, nil)
}

// inferKeys says what keys alone say.
func (a *app) inferKeys(t *inferred) error {
	readings, none := t.readings()
	if len(readings) == 0 {
		return none
	}
	keys := readings[0]
	r, err := infer.Keys(keys)
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "infer: "))
	}
	a.bad = true // it is no layout
	if a.out == "json" {
		out := inferredJSON{Verdict: infer.None.String(), Rows: len(keys)}
		out.structure(r)
		return a.write(said.JsonText(out) + "\n")
	}
	return a.write(a.head(fmt.Sprintf("%s\nGive rows with the key in a column %s and a column for each value: then the layout is read, and proved\n", structureOf(r, len(keys)), t.flags.key), false))
}

// structureOf is what so many keys alone say, piece by piece.
func structureOf(r *infer.Structure, keys int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "the structure of %s, without values: no layout yet\n%s\n\n", said.Plural(keys, "key"), r.Notation)
	for _, p := range r.Pieces {
		fmt.Fprintf(&b, "byte %s: %s: %s, %d different\n", fromTo(p.From, p.To), p.Notation, p.Looks, p.Distinct)
		if p.Settles != "" {
			fmt.Fprintf(&b, "  to settle it: %s\n", p.Settles)
		}
	}
	return b.String()
}

// jsonBlock reads the rows of blocks of JSON. The columns are the members of the first row.
func (t *inferred) jsonBlock(j jsonShape) func(b *block) {
	return func(b *block) {
		for at := 0; ; {
			begin, end, next, ok, _ := j.record(b.data, at, true)
			if begin == len(b.data) {
				break
			}
			line := 1 + bytes.Count(b.data[:begin], []byte{'\n'})
			if record := b.data[begin:end]; !ok || !gjson.ValidBytes(record) || !gjson.ParseBytes(record).IsObject() {
				b.fail(line, noObject(record))
			} else if err := t.object(gjson.ParseBytes(record)); err != nil {
				b.fail(line, err)
			} else {
				b.good++
			}
			if at = next; at < len(b.data) && b.data[at] == '\n' && end <= at {
				at++
			}
		}
		b.lines = bytes.Count(b.data, []byte{'\n'})
	}
}

func (t *inferred) object(o gjson.Result) (err error) {
	key, has := "", false
	values := map[string]string{}
	var names []string
	o.ForEach(func(name, v gjson.Result) bool {
		text := v.String()
		switch b, bytes := bytesOf(v); {
		case bytes:
			text = hex.EncodeToString(b)
		case v.Type == gjson.Number:
			text = v.Raw
		case v.Type == gjson.JSON:
			err = fmt.Errorf("%s: expected a text or a number, not %s", said.Shown(name.Str), shownJSON(v.Raw))
		case v.Type == gjson.Null:
			text = ""
		}
		if name.Str == t.flags.key {
			if has {
				err = fmt.Errorf("%s stands twice", said.Shown(name.Str))
			}
			key, has = text, true
			return true
		}
		if _, twice := values[name.Str]; twice {
			err = fmt.Errorf("%s stands twice", said.Shown(name.Str))
		}
		values[name.Str] = text
		names = append(names, name.Str)
		return true
	})
	switch {
	case err != nil:
		return err
	case !has:
		return fmt.Errorf("no member %s: --key names the one that has the keys", t.flags.key)
	}
	if t.columns == nil {
		t.columns = names
	}
	row := make([]string, len(t.columns))
	for i, c := range t.columns {
		v, ok := values[c]
		if !ok {
			return fmt.Errorf("no member %s, which the first row has", said.Shown(c))
		}
		row[i] = v
	}
	return t.add(row, key)
}

// scan reads what hbase shell's scan prints: a line is a cell, whose column is a column
// of the table without its family.
func (t *inferred) scan(s *stream, in *input, cut *lineCutter) error {
	if t.flags.keyForm == said.FormAuto {
		t.flags.keyForm = said.FormText
	}
	byRow := map[string]map[string]string{}
	var order []string
	had := len(t.columns)
	err := s.run(cut, func() func(*block) {
		return func(b *block) {
			b.eachLine('\n', true, func(_ int, line []byte) bool {
				row, ok := said.ScanRow(append([]byte(" "), bytes.TrimLeft(line, " ")...))
				if !ok {
					return true
				}
				_, cell, _ := bytes.Cut(line, []byte(" column="))
				name, rest, ok := bytes.Cut(cell, []byte(","))
				_, value, has := bytes.Cut(rest, []byte("value="))
				if !ok || !has {
					return true
				}
				if _, qualifier, ok := bytes.Cut(name, []byte(":")); ok {
					name = qualifier
				}
				if byRow[string(row)] == nil {
					byRow[string(row)] = map[string]string{}
					order = append(order, string(row))
				}
				byRow[string(row)][string(name)] = string(value)
				if !slices.Contains(t.columns, string(name)) {
					t.columns = append(t.columns, string(name))
				}
				b.good++
				return true
			})
		}
	}, nil)
	if err != nil {
		return err
	}
	if len(order) == 0 {
		return in.finding(errors.New("no line is one that hbase shell's scan prints, with column= and value="))
	}
	if len(t.rows) > 0 && len(t.columns) > had { // the rows of the files before lack these
		return errors.New("the files have other columns: infer reads rows of one table")
	}
	if t.binary == nil {
		t.binary = map[int]bool{}
	}
	valued := false
	for _, cells := range byRow {
		for _, v := range cells {
			valued = valued || v != ""
		}
	}
	for _, row := range order {
		values := make([]string, len(t.columns))
		whole := true
		for i, c := range t.columns {
			text, ok := byRow[row][c]
			whole = whole && (ok || !valued) // of keys alone no cell is missed
			b, err := said.ParseKey(text, said.FormText)
			if err != nil && text != "" {
				return in.finding(fmt.Errorf("%s: %w", c, err))
			}
			values[i] = string(b)
			t.binary[i] = t.binary[i] || strings.ContainsFunc(values[i], func(r rune) bool { return r < ' ' || r == 0xfffd || r == 0x7f })
		}
		if !whole { // a row that lacks a cell has no value for it
			continue
		}
		t.rows, t.texts = append(t.rows, values), append(t.texts, row)
	}
	if len(t.rows) == 0 {
		return in.finding(errors.New("no row has a cell in each column"))
	}
	return nil
}

// numbers reads the cells that are bytes: of 8, 4, 2 or 1 in all rows they are the number
// that Bytes.toBytes wrote, others are hexadecimal.
func (t *inferred) numbers() {
	for c, is := range t.binary {
		if !is {
			continue
		}
		n := len(t.rows[0][c])
		for _, r := range t.rows {
			if len(r[c]) != n {
				n = 0
			}
		}
		for _, r := range t.rows {
			if n != 1 && n != 2 && n != 4 && n != 8 {
				r[c] = hex.EncodeToString([]byte(r[c]))
				continue
			}
			var v int64
			for i := range n {
				v = v<<8 | int64(r[c][i])
			}
			shift := 64 - 8*n
			r[c] = strconv.FormatInt(v<<shift>>shift, 10)
		}
	}
}

// keyForms are the forms in which the keys may be meant, the likeliest first: digits that
// look like hexadecimal may be the text of the key.
func (t *inferred) keyForms() []string {
	if t.flags.keyForm != said.FormAuto {
		return []string{t.flags.keyForm}
	}
	form := said.GuessForm(t.texts[:min(len(t.texts), lookAt)], func([]byte) bool { return false })
	return slices.Compact([]string{form, said.FormText})
}

// readings are the keys in each form that all of them have, the likeliest first, and why they lack
// the likeliest of the others.
func (t *inferred) readings() (out [][][]byte, none error) {
	for _, form := range t.keyForms() {
		keys, err := t.keys(form)
		if none = cmp.Or(none, err); err == nil {
			out = append(out, keys)
		}
	}
	return out, none
}

func (t *inferred) keys(form string) (out [][]byte, err error) {
	for i, s := range t.texts {
		k, err := parseColumnKey(s, form)
		if err == nil && len(k) == 0 {
			err = errors.New("the key is empty")
		}
		if err != nil {
			return nil, fmt.Errorf("row %d: %s: %w", i+1, t.flags.key, err)
		}
		out = append(out, k)
	}
	return out, nil
}

// parseColumnKey is said.ParseKey, whose error names the flag that infer has.
func parseColumnKey(s, form string) ([]byte, error) {
	key, err := said.ParseKey(s, form)
	var told said.Told
	if errors.As(err, &told) {
		told.Detail = strings.Replace(told.Detail, "(--in ", "(--key-in ", 1)
		err = told
	}
	return key, err
}

// shownRow is a row as arguments: seller=s-42 at=2023-05-16T02:20:30Z.
func (t *inferred) shownRow(row []string) string {
	var out []string
	for i, c := range t.columns {
		out = append(out, c+"="+quoted(row[i]))
	}
	return strings.Join(out, " ")
}

const (
	mostRivals  = 3
	mostMisfits = 5
)

// text is the answer for people.
func (t *inferred) text(a *app, r *infer.Result) string {
	var b strings.Builder
	if r.Layout == nil {
		these := "this key"
		if n := len(t.rows); n != 1 {
			these = "these " + said.Plural(n, "key")
		}
		fmt.Fprintf(&b, "none: no layout writes %s\n", these)
		if p := r.Partial; p != nil {
			fmt.Fprintf(&b, "\nas far as the columns explain them:\n%s\n", p.Notation)
			for _, g := range p.Gaps {
				what := "no column explains them"
				if g.Column != "" {
					what = fmt.Sprintf("the column %s %s, for which the notation has no word: a step of your own writes it", g.Column, g.Looks)
				}
				fmt.Fprintf(&b, "%s: %s bytes at byte %s: %s\n", g.Name, fromTo(g.Least, g.Most), fromTo(g.From, g.To), what)
			}
		}
		if keys := t.unexplained(r); keys != nil {
			b.WriteString("no column explains any of their bytes\n")
			if !t.cleaner {
				b.WriteString("\n" + structureOf(keys, len(t.asRead)))
			}
		}
		if t.cleaner {
			b.WriteString("\nif some of these keys are wrong: --dirty 20% looks for a layout of the others\n")
		}
		if r.Stopped {
			b.WriteString("the search stopped: --max 30s gives it more time\n")
		}
		return b.String()
	}
	l := r.Layout
	b.WriteString(l.String() + "\n")
	samples := t.samples(r)
	for _, s := range samples {
		b.WriteString(s + "\n")
	}
	fmt.Fprintf(&b, "\n%s: %d of %s these bytes", r.Verdict, len(t.rows)-len(r.Misfits), isAre(len(t.rows), "key"))
	if r.Verdict == infer.Sure {
		b.WriteString("; no other layout about as likely writes another key")
	}
	b.WriteString("\n")
	for _, w := range r.Why {
		b.WriteString("  " + w + "\n")
	}
	for _, f := range l.Fields() {
		switch {
		case f.Name != f.Column && f.Read != "":
			fmt.Fprintf(&b, "%s is the column %s, read as %s\n", f.Name, f.Column, f.Read)
		case f.Name != f.Column:
			fmt.Fprintf(&b, "%s is the column %s\n", f.Name, f.Column)
		case f.Read != "":
			fmt.Fprintf(&b, "%s is read as %s\n", f.Name, f.Read)
		}
	}
	for i, m := range r.Misfits {
		if i == mostMisfits {
			fmt.Fprintf(&b, "and %d more\n", len(r.Misfits)-i)
			break
		}
		fmt.Fprintf(&b, "row %d has another key: %s\n", m+1, t.misfit(l, m))
	}
	for i, o := range r.Rivals {
		if i == mostRivals {
			fmt.Fprintf(&b, "\nand %d more: -o json shows all\n", len(r.Rivals)-i)
			break
		}
		fmt.Fprintf(&b, "\nor %s\n  what is the key of %s?\n  %s  as above\n  %s  then it is this one\n", o.Layout, t.shownRow(o.Row), keyText(o.Key, "shell"), keyText(o.Other, "shell"))
	}
	fmt.Fprintf(&b, "\nin Go:\nvar table = %s\n", l.Go("table", samples...))
	return a.head(b.String(), false)
}

// unexplained is what the keys alone say, where the columns say nothing of them; else nil.
func (t *inferred) unexplained(r *infer.Result) *infer.Structure {
	if r.Layout != nil || r.Partial != nil || r.Stopped {
		return nil
	}
	keys, err := infer.Keys(t.asRead)
	if err != nil {
		return nil
	}
	return keys
}

// misfit says what a layout makes of a row whose key is another.
func (t *inferred) misfit(l *infer.Layout, row int) string {
	has := keyText(t.asRead[row], "shell")
	k, err := l.Key(t.rows[row])
	if err != nil {
		return has + "; of its values: " + strings.TrimPrefix(said.PlainError(err), "infer: ")
	}
	return has + ", and its values give " + keyText(k, "shell")
}

// samples are the lines that prove the layout, of a first and a last row that fit.
func (t *inferred) samples(r *infer.Result) (out []string) {
	for _, i := range []int{0, len(t.rows) - 1} {
		if slices.Contains(r.Misfits, i) || i == 0 && len(t.rows) == 1 && len(out) > 0 {
			continue
		}
		if s, err := r.Layout.Sample(t.rows[i]); err == nil && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func fromTo(a, b int) string {
	if a == b {
		return strconv.Itoa(a)
	}
	return fmt.Sprintf("%d to %d", a, b)
}

// inferredJSON is the answer as JSON.
type inferredJSON struct {
	Verdict  string         `json:"verdict"`
	Notation string         `json:"notation,omitempty"`
	Samples  []string       `json:"samples,omitempty"`
	Go       string         `json:"go,omitempty"`
	Rows     int            `json:"rows"`
	Why      []string       `json:"why,omitempty"`
	Fields   []inferredPart `json:"fields,omitempty"`
	Misfits  []inferredRow  `json:"misfits,omitempty"`
	Rivals   []inferredElse `json:"rivals,omitempty"`
	Partial  string         `json:"partial,omitempty"`
	Gaps     []inferredGap  `json:"gaps,omitempty"`
	Stopped  bool           `json:"stopped,omitempty"`

	Structure string          `json:"structure,omitempty"` // of keys alone
	Pieces    []inferredPiece `json:"pieces,omitempty"`
}

type inferredPiece struct {
	Notation string `json:"notation"`
	From     [2]int `json:"from"`
	Bytes    [2]int `json:"bytes"`
	Distinct int    `json:"distinct"`
	Looks    string `json:"looks"`
	Settles  string `json:"settles,omitempty"`
}

type inferredPart struct {
	Name   string `json:"name"`
	Column string `json:"column"`
	Read   string `json:"read,omitempty"`
}

type inferredRow struct {
	Row   int    `json:"row"`
	Key   string `json:"key"`
	Given string `json:"given,omitempty"`
}

type inferredElse struct {
	Notation string            `json:"notation"`
	Row      map[string]string `json:"row"`
	Key      string            `json:"key"`
	Other    string            `json:"other"`
	Seen     bool              `json:"seen"`
}

type inferredGap struct {
	Name   string `json:"name"`
	From   [2]int `json:"from"`
	Bytes  [2]int `json:"bytes"`
	Column string `json:"column,omitempty"`
	Looks  string `json:"looks,omitempty"`
}

// structure adds what keys alone say.
func (j *inferredJSON) structure(r *infer.Structure) {
	j.Structure = r.Notation
	for _, p := range r.Pieces {
		j.Pieces = append(j.Pieces, inferredPiece{p.Notation, [2]int{p.From, p.To}, [2]int{p.Least, p.Most}, p.Distinct, p.Looks, p.Settles})
	}
}

func (t *inferred) json(r *infer.Result) (out inferredJSON) {
	out = inferredJSON{Verdict: r.Verdict.String(), Rows: len(t.rows), Why: r.Why, Stopped: r.Stopped}
	if p := r.Partial; p != nil {
		out.Partial = p.Notation
		for _, g := range p.Gaps {
			out.Gaps = append(out.Gaps, inferredGap{g.Name, [2]int{g.From, g.To}, [2]int{g.Least, g.Most}, g.Column, g.Looks})
		}
	}
	if r.Layout == nil {
		if keys := t.unexplained(r); keys != nil {
			out.structure(keys)
		}
		return out
	}
	out.Notation, out.Samples = r.Layout.String(), t.samples(r)
	out.Go = r.Layout.Go("table", out.Samples...)
	for _, f := range r.Layout.Fields() {
		out.Fields = append(out.Fields, inferredPart(f))
	}
	for _, m := range r.Misfits {
		row := inferredRow{Row: m + 1, Key: hex.EncodeToString(t.asRead[m])}
		if k, err := r.Layout.Key(t.rows[m]); err == nil {
			row.Given = hex.EncodeToString(k)
		}
		out.Misfits = append(out.Misfits, row)
	}
	for _, o := range r.Rivals {
		row := map[string]string{}
		for i, c := range t.columns {
			row[c] = o.Row[i]
		}
		out.Rivals = append(out.Rivals, inferredElse{o.Layout.String(), row, hex.EncodeToString(o.Key), hex.EncodeToString(o.Other), o.Seen})
	}
	return out
}
