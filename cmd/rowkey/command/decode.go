package command

import (
	"bytes"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/shell"
	"github.com/spf13/cobra"
)

// pageOf is the rows of a table that are aligned together: a stream is not held
// as a whole.
const pageOf = 1000

func (a *app) decodeCommand() *cobra.Command {
	var form, comma string
	var sf streamFlags
	var loose, noHeader bool
	c := &cobra.Command{
		Use:   "decode [flags] [KEY… | FILE…]",
		Short: "Read the values of keys, as JSON lines, CSV or a table",
		Long: `Read the values of keys: the arguments, or one a line of the files or of stdin. Salts, hashes and
copies are computed again, and a key that carries others is a bad one; --loose reads it all the
same. What encode reads, decode writes: fields that are not stored in the key are left out. In
JSON, numbers of a field that may exceed 2⁵³ are strings, since jq and most other readers make
of a number a float, and so of some keys other keys.

` + keyFormHelp,
		Example: `  rowkey decode -s trades 0c732d34325f7ffffe77dda4124f0000000000000007
  rowkey decode -s trades -o csv keys.txt.gz`,
	}
	takesKeys(c, &form)
	a.takesSchema(c)
	a.takesZone(c)
	a.takesStream(c, &sf, true)
	c.Flags().BoolVar(&loose, "loose", false, "do not compute salts, hashes and copies again")
	c.Flags().BoolVar(&noHeader, "no-header", false, "no line of names above CSV and tables")
	c.Flags().StringVar(&comma, "delimiter", "", "`character` between the columns of CSV")
	a.outputs(c, "json", "csv", "tsv", "table")
	c.RunE = func(c *cobra.Command, args []string) error {
		s, err := a.load()
		if err != nil {
			return err
		}
		switch a.out {
		case "json":
			err = unused(c, "with -o json", "delimiter", "no-header")
		case "table":
			err = unused(c, "with -o table", "delimiter")
		}
		if err != nil {
			return err
		}
		zone, err := parseZone(a.zone)
		if err != nil {
			return err
		}
		w := &rowWriter{a: a, how: said.Values{Zone: zone}, comma: ',', end: sf.end(), begun: noHeader}
		if a.out == "tsv" {
			w.comma = '\t'
		}
		if comma != "" {
			if w.comma, err = delimiter(comma); err != nil {
				return err
			}
		}
		return a.decode(s.Schema, w, args, form, loose, sf)
	}
	return c
}

// decode reads keys and writes their values.
func (a *app) decode(s *rowkey.Schema, w *rowWriter, args []string, form string, loose bool, sf streamFlags) error {
	w.fields = newRowReader(s, w.how, loose).fields
	if a.out == "table" {
		sf.jobs = 1 // a page may begin in one block and end in the next
	}
	st := a.stream(sf)
	k := &keyReader{s: st, form: form, fits: said.FitsAny(s), worker: func() keyWork {
		r := newRowReader(s, w.how, loose)
		var text []byte
		return func(b *block, _ int, _, key []byte) error {
			if err := r.read(key); err != nil {
				return err
			}
			var err error
			switch a.out {
			case "json":
				b.out = w.json(b.out, r.slots)
			case "table":
				b.out = w.table(b.out, r.slots)
			default:
				b.out, text, err = w.csv(b.out, text, r.slots)
			}
			return err
		}
	}}
	if a.out == "csv" || a.out == "tsv" {
		st.header = func() []byte { return w.header() }
	}
	err := k.each(args)
	if st.werr == nil {
		if werr := a.write(string(w.rest())); werr != nil {
			return werr
		}
	}
	return err
}

// rowWriter writes rows that were read. But for the page of a table it holds
// nothing that changes, so that several goroutines may use it.
type rowWriter struct {
	a      *app
	how    said.Values
	fields []rowkey.FieldInfo
	comma  byte
	end    byte
	page   [][]string // rows of a table not yet written
	begun  bool       // the header stands
}

func (w *rowWriter) json(dst []byte, slots []said.Slot) []byte {
	dst = append(dst, '{')
	for i := range slots {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(said.AppendString(dst, w.fields[i].Name), ':')
		dst = w.how.AppendJSON(dst, &w.fields[i], &slots[i])
	}
	return append(dst, '}', w.end)
}

func (w *rowWriter) header() (out []byte) {
	if w.begun {
		return nil
	}
	for i, f := range w.fields {
		if i > 0 {
			out = append(out, w.comma)
		}
		out = w.cell(out, []byte(f.Name))
	}
	return append(out, w.end)
}

// csv appends a row of CSV; what that would change is an error.
func (w *rowWriter) csv(dst, text []byte, slots []said.Slot) ([]byte, []byte, error) {
	from := len(dst)
	for i := range slots {
		f := &w.fields[i]
		text = w.how.AppendText(text[:0], f, &slots[i])
		switch {
		case f.Optional && slots[i].State == said.Given && len(text) == 0: // whose empty cell is a null
			return dst[:from], text, fmt.Errorf("%s: CSV does not tell an empty text from a null: -o json does", f.Name)
		case bytes.IndexByte(text, '\r') >= 0: // which readers of CSV take for a line's end, and drop
			return dst[:from], text, fmt.Errorf("%s: CSV does not keep a carriage return: -o json does", f.Name)
		}
		if i > 0 {
			dst = append(dst, w.comma)
		}
		dst = w.cell(dst, text)
	}
	if len(dst) == from { // else it were an empty line, which is no row
		dst = append(dst, '"', '"')
	}
	return append(dst, w.end), text, nil
}

// cell appends a cell, in quotes where it needs them.
func (w *rowWriter) cell(dst, text []byte) []byte {
	quote := string(text) == `\.` // which ends the input of a database
	for _, c := range text {
		quote = quote || c == w.comma || c == '"' || c == '\n' || c == '\r' || c == w.end
	}
	if !quote && len(text) > 0 {
		first, _ := utf8.DecodeRune(text)
		quote = unicode.IsSpace(first)
	}
	if !quote {
		return append(dst, text...)
	}
	dst = append(dst, '"')
	for {
		i := bytes.IndexByte(text, '"')
		if i < 0 {
			break
		}
		dst = append(append(dst, text[:i+1]...), '"')
		text = text[i+1:]
	}
	return append(append(dst, text...), '"')
}

// table keeps a row for the page, and appends the page when it is full.
func (w *rowWriter) table(dst []byte, slots []said.Slot) []byte {
	var texts []string
	for i := range slots {
		f := &w.fields[i]
		t := string(w.how.AppendText(nil, f, &slots[i]))
		switch {
		case slots[i].State != said.Given:
			t = "null"
		case f.Kind == "string":
			t = printable(t)
		}
		texts = append(texts, t)
	}
	if w.page = append(w.page, texts); len(w.page) < pageOf {
		return dst
	}
	return append(dst, w.rest()...)
}

// rest is the page of a table that is not full.
func (w *rowWriter) rest() []byte {
	if len(w.page) == 0 {
		return nil
	}
	heading := said.FieldNames(w.fields)
	if w.begun {
		heading = nil
	}
	w.begun = true
	var numbers []int
	for i, f := range w.fields {
		if said.Number(&f) {
			numbers = append(numbers, i+1)
		}
	}
	page := w.a.grid(heading, w.page, numbers...)
	w.page = nil
	return []byte(page)
}

// printable is text that keeps to its cell: what is not printable is escaped
// as hbase shell does.
func printable(s string) string {
	if !utf8.ValidString(s) || slices.ContainsFunc([]byte(s), func(c byte) bool { return c < 0x20 || c == 0x7f }) {
		return shell.Text([]byte(s))
	}
	return s
}
