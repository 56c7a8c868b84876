package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey"
	"github.com/spf13/cobra"
)

// pageOf is the rows of a table that are aligned together: a stream is not held
// as a whole.
const pageOf = 1000

func (a *app) decodeCommand() *cobra.Command {
	var form string
	var strict, loose bool
	c := &cobra.Command{
		Use:   "decode [flags] [KEY…]",
		Short: "Read the values of keys, as JSON lines, CSV or a table",
		Long: `Read the values of keys: the arguments, or one a line on stdin. Salts, hashes and copies are
computed again, and a key that carries others is a bad one; --loose reads it all the same.
What encode reads, decode writes: fields that are not stored in the key are left out.

` + keyFormHelp,
		Example: `  rowkey decode -s trades 0c732d34325f7ffffe77dda4124f0000000000000007
  rowkey decode -s trades -o csv < keys.txt`,
	}
	takesKeys(c, &form)
	a.takesSchema(c)
	a.takesZone(c)
	takesStrict(c, &strict)
	c.Flags().BoolVar(&loose, "loose", false, "do not compute salts, hashes and copies again")
	a.outputs(c, "json", "csv", "table")
	c.RunE = func(_ *cobra.Command, args []string) error {
		s, err := a.load()
		if err != nil {
			return err
		}
		zone, err := parseZone(a.zone)
		if err != nil {
			return err
		}
		r := newRowReader(a, s.Schema, values{zone: zone})
		var last *stream
		err = a.eachKey(args, form, strict, fitsAny(s.Schema), func(st *stream, _ string, key []byte) error {
			decode := s.Decode
			if loose {
				decode = s.DecodeLoose
			}
			row, err := decode(key)
			if err != nil {
				return reason(err)
			}
			last = st
			record, err := r.record(row)
			if err != nil {
				return err
			}
			if err := st.out.add(record); err != nil {
				return stopped{err}
			}
			return nil
		})
		if last != nil {
			if werr := a.write(string(r.rest())); werr != nil {
				return werr
			}
		}
		return err
	}
	return c
}

// rowReader writes rows that were read.
type rowReader struct {
	a      *app
	how    values
	fields []rowkey.FieldInfo // those that are stored
	buf    []byte
	texts  []string
	page   [][]string // rows of a table not yet written
	begun  bool
}

func newRowReader(a *app, s *rowkey.Schema, how values) *rowReader {
	r := &rowReader{a: a, how: how}
	for _, f := range supplied(s) {
		if f.Stored {
			r.fields = append(r.fields, f)
		}
	}
	return r
}

// record is a row as -o says, or nothing while a table's page is not full.
func (r *rowReader) record(row rowkey.Row) ([]byte, error) {
	r.buf = r.buf[:0]
	if r.a.out == "json" {
		r.buf = append(r.buf, '{')
		i := 0
		for name, v := range row.All() {
			if i > 0 {
				r.buf = append(r.buf, ',')
			}
			r.buf = append(appendString(r.buf, name), ':')
			r.buf = r.how.appendJSON(r.buf, r.fields[i], v)
			i++
		}
		return append(r.buf, "}\n"...), nil
	}
	texts := r.texts[:0]
	i := 0
	for _, v := range row.All() {
		t := r.how.text(v)
		f := r.fields[i]
		switch {
		case r.a.out == "table" && v == nil:
			t = "null"
		case r.a.out == "table" && f.Kind == rowkey.KindString:
			t = printable(t)
		case r.a.out == "csv" && f.Optional && v != nil && t == "": // whose empty cell is a null
			return nil, fmt.Errorf("%s: CSV does not tell an empty text from a null: -o json does", f.Name)
		}
		texts = append(texts, t)
		i++
	}
	r.texts = texts
	if r.a.out == "csv" {
		for i, t := range texts {
			if strings.ContainsRune(t, '\r') { // which readers of CSV take for a line's end, and drop
				return nil, fmt.Errorf("%s: CSV does not keep a carriage return: -o json does", r.fields[i].Name)
			}
		}
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		if !r.begun {
			_ = w.Write(fieldNames(r.fields))
		}
		r.begun = true
		if len(texts) == 1 && texts[0] == "" { // else it were an empty line, which is no row
			w.Flush()
			b.WriteString("\"\"\n")
		} else {
			_ = w.Write(texts)
		}
		w.Flush()
		return b.Bytes(), nil
	}
	r.page = append(r.page, append([]string(nil), texts...))
	if len(r.page) < pageOf {
		return nil, nil
	}
	return r.rest(), nil
}

// rest is the page of a table that is not full.
func (r *rowReader) rest() []byte {
	if len(r.page) == 0 {
		return nil
	}
	heading := fieldNames(r.fields)
	if r.begun {
		heading = nil
	}
	r.begun = true
	var numbers []int
	for i, f := range r.fields {
		if number(f) {
			numbers = append(numbers, i+1)
		}
	}
	page := r.a.grid(heading, r.page, numbers...)
	r.page = nil
	return []byte(page)
}

// printable is text that keeps to its cell: what is not printable is escaped
// as hbase shell does.
func printable(s string) string {
	if !utf8.ValidString(s) {
		return rowkey.Shell([]byte(s))
	}
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] == 0x7f {
			return rowkey.Shell([]byte(s))
		}
	}
	return s
}
