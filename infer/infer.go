// Package infer reads the layout of a table out of rows of it: their values, and the keys
// that some program wrote for them.
//
//	r, err := infer.Read(ctx, columns, rows, keys, infer.Limits{})
//	fmt.Println(r.Verdict, r.Layout)
//	// sure [salt16(seller)][seller]['_'][max-ms(at)][order:8]
//
// A layout is found by search: each column is read as every kind of value that it can be,
// each value is written in every way that the notation has, and what stands in every key is
// put together until the keys are whole. The library writes all of it, and each key is
// compared at the end.
//
// Many layouts may write the same keys, and only one of them writes the next one. So a
// result has a [Verdict]. It is Sure only if no other layout that fits the rows and is
// about as likely writes another key, for rows made of the values seen and of values
// beyond: other days, lengths and magnitudes. It is Open if one differs only beyond what
// was seen, and Unsure if one differs for values like those seen, or if a piece rests on
// too few rows. A [Rival] shows the row whose key would decide.
//
// More rows say more, and so do different ones: other days, short and long values, large and
// small numbers. Fewer than 10 rows are never Sure.
package infer

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Verdict says how far a layout can be trusted. The zero Verdict is None.
type Verdict uint8

const (
	None   Verdict = iota // no layout writes the keys; Result.Partial has what was found
	Unsure                // another layout differs for values like those seen, or a piece rests on too little
	Open                  // another layout differs, but only beyond what was seen; or some rows have other keys
	Sure                  // no other layout that is about as likely differs for any row tried
)

func (v Verdict) String() string {
	switch v {
	case None:
		return "none"
	case Unsure:
		return "unsure"
	case Open:
		return "open"
	case Sure:
		return "sure"
	}
	return "invalid verdict"
}

// Limits bound a search. The zero Limits are the usual ones.
type Limits struct {
	Max   time.Duration // how long to search; 5 seconds if it is 0
	Dirty float64       // the share of rows that may have another key: 0.01 is 1 %
}

// Result is what was read out of the rows.
type Result struct {
	Verdict Verdict
	Layout  *Layout  // nil if there is none
	Why     []string // what keeps the verdict from Sure, a sentence each
	Rivals  []Rival  // other layouts that write the same keys
	Misfits []int    // the rows whose key is another, from 0
	Partial *Partial // without a Layout: what of the keys is explained; nil if nothing is
	Stopped bool     // the search ran out of time
}

// Layout is a schema, and where the values of its fields come from.
type Layout struct {
	schema  *rowkey.Schema
	fields  []string
	sources []source
	path    []*comp
	chosen  map[int]said
	cost    float64
	extra   int            // fields that are not stored
	one     map[string]int // texts that keep the one length that all have
	columns []string
}

// Schema writes and reads such keys. Its name is "inferred".
func (l *Layout) Schema() *rowkey.Schema { return l.schema }

// String is the notation.
func (l *Layout) String() string { return l.schema.String() }

// Go is the declaration as a Go expression, which needs the packages rowkey, and time and
// interop where it names them. samples are lines that Sample made.
func (l *Layout) Go(name string, samples ...string) string {
	read, problem := notation.Parse(strings.Join(append([]string{l.String()}, samples...), "\n"), digest.Names())
	if problem != nil {
		return ""
	}
	return read.Go(name)
}

// Field is a field of a layout.
type Field struct {
	Name   string
	Column string // whose values it has
	Read   string // what a reader has to know: "milliseconds since 1970"
}

// Fields are the fields that are supplied, in the order of AppendKey's values.
func (l *Layout) Fields() (out []Field) {
	for i, n := range l.fields {
		f := Field{n, l.columns[l.sources[i].rd.col], l.sources[i].rd.note}
		if k := l.one[n]; k > 0 {
			f.Read = strings.TrimPrefix(f.Read+"; ", "; ") + fmt.Sprintf("%d bytes in all rows: other lengths are refused", k)
		}
		out = append(out, f)
	}
	return out
}

// Values are the values of the fields for a row of texts, as AppendKey takes them.
func (l *Layout) Values(row []string) ([]any, error) {
	out := make([]any, len(l.sources))
	for i, x := range l.sources {
		if x.rd.col >= len(row) {
			return nil, &Error{Column: l.columns[x.rd.col], Row: -1, Problem: fmt.Sprintf("the row has %d values: it needs one for each of the %d columns", len(row), len(l.columns))}
		}
		v, ok := x.rd.parse(row[x.rd.col])
		if !ok {
			return nil, &Error{Column: l.columns[x.rd.col], Row: -1, Problem: "the value is no " + x.rd.what()}
		}
		out[i] = v
	}
	return out, nil
}

func (f *form) what() string {
	if f.note != "" {
		return f.note
	}
	return string(f.kind)
}

// Key writes the key of a row of texts.
func (l *Layout) Key(row []string) ([]byte, error) {
	vals, err := l.Values(row)
	if err != nil {
		return nil, err
	}
	return l.schema.AppendKey(nil, vals...)
}

// Sample is the line of the notation that proves a row: sample(key, values…).
func (l *Layout) Sample(row []string) (string, error) {
	vals, err := l.Values(row)
	if err != nil {
		return "", err
	}
	key, err := l.schema.AppendKey(nil, vals...)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("sample(" + textOfNotation(string(key)))
	for _, v := range vals {
		b.WriteString(", ")
		switch v := v.(type) {
		case nil:
			b.WriteString("null")
		case string:
			b.WriteString(textOfNotation(v))
		case []byte:
			b.WriteString(textOfNotation(string(v)))
		case time.Time:
			b.WriteString(v.UTC().Format(time.RFC3339Nano))
		case float64:
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return "", &Error{Row: -1, Problem: "a sample has no NaN and no Infinity: take another row"}
			}
			s := strconv.FormatFloat(v, 'g', -1, 64)
			if !strings.ContainsAny(s, ".e") {
				s += ".0"
			}
			b.WriteString(s)
		default:
			fmt.Fprint(&b, v)
		}
	}
	b.WriteByte(')')
	return b.String(), nil
}

// textOfNotation is a text in double quotes, byte for byte.
func textOfNotation(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c >= ' ' && c < 0x7f:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, `\x%02X`, c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Rival is another layout that writes the same keys, with a row for which the two
// differ: what is the key of this row?
type Rival struct {
	Layout *Layout
	Row    []string
	Key    []byte // that Result.Layout writes
	Other  []byte // that this one writes
	Seen   bool   // the row is made of values like those seen
}

// Partial is what of the keys is explained, in all rows but the share that Limits.Dirty permits:
// a schema in which fields named unexplained1, unexplained2 … stand for the rest.
type Partial struct {
	Notation string // Parse takes it
	Gaps     []Gap
}

// Gap is bytes that no word of the notation explains.
type Gap struct {
	Name        string
	From, To    int    // the first byte in the keys, the least and the greatest
	Least, Most int    // how many bytes
	Column      string // a column that a step of a program's own may have written; empty if there is none
	Looks       string // what the step does: "in upper case"
}

// Error is misuse: rows and keys that cannot be what they are said to be.
type Error struct {
	Column  string // empty if it is about no column
	Row     int    // from 0; −1 if it is about no row
	Problem string
}

func (e *Error) Error() string {
	s := "infer: "
	if e.Row >= 0 {
		s += fmt.Sprintf("row %d: ", e.Row+1)
	}
	if e.Column != "" {
		s += e.Column + ": "
	}
	return s + e.Problem
}

// table is what Read was given.
type table struct {
	columns []string
	names   []string
	rows    [][]string
	keys    [][]byte
}

// Read finds the layout of keys. Each row has a value for each column, as text: numbers
// in decimal, times as RFC 3339, as numbers since 1970 or in the usual layouts, bytes in
// hexadecimal. A column that has nothing to do with the key does no harm.
//
// An error is an *Error, or ctx's. That nothing was found is none: it is a Verdict.
func Read(ctx context.Context, columns []string, rows [][]string, keys [][]byte, limits Limits) (*Result, error) {
	t := &table{columns: columns, names: names(columns), rows: rows, keys: keys}
	if err := t.check(limits); err != nil {
		return nil, err
	}
	if limits.Max == 0 {
		limits.Max = 5 * time.Second
	}
	in := &inference{ctx: ctx, t: t, limits: limits, end: time.Now().Add(limits.Max)}
	r := in.run()
	if err := ctx.Err(); err != nil && r.Layout == nil {
		return nil, err
	}
	return r, nil
}

func (t *table) check(limits Limits) error {
	switch {
	case limits.Max < 0:
		return &Error{Row: -1, Problem: "Limits.Max is below 0: say how long to search, or 0 for 5 seconds"}
	case !(limits.Dirty >= 0 && limits.Dirty < 0.5):
		return &Error{Row: -1, Problem: "Limits.Dirty is a share of the rows from 0 to below 0.5: 0.01 is 1 %"}
	case len(t.rows) != len(t.keys):
		return &Error{Row: -1, Problem: fmt.Sprintf("%d rows and %d keys: each row has its key", len(t.rows), len(t.keys))}
	case len(t.rows) == 0:
		return &Error{Row: -1, Problem: "no rows: give some, 50 say enough of most tables"}
	case len(t.columns) == 0:
		return &Error{Row: -1, Problem: "no columns: a layout is read out of values and their keys"}
	}
	for i, r := range t.rows {
		if len(r) != len(t.columns) {
			return &Error{Row: i, Problem: fmt.Sprintf("%d values for %d columns", len(r), len(t.columns))}
		}
		if len(t.keys[i]) == 0 {
			return &Error{Row: i, Problem: "the key has no byte: leave the row out"}
		}
	}
	return nil
}
