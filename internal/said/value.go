package said

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// Values as people and files write them:
//
//	text    itself; in JSON a string, or {"hex":"…"} or {"base64":"…"} where it is no UTF-8
//	bytes   hexadecimal; in JSON also {"base64":"…"}
//	number  decimal; in JSON a number, or a string of one: always a string where a field can hold more than 2⁵³
//	decimal 12.50, every digit of it; in JSON a string, or a number
//	bool    true, false
//	time    2023-05-16T02:20:30.5Z, or less of it; see when.go
//	null    left out; in JSON also null, in CSV an empty cell

// Slot is the value of one field, in memory that is used again.
type Slot struct {
	State uint8
	Text  []byte // of a text or bytes
	U     uint64
	I     int64
	f     float64
	B     bool
	T     time.Time
}

const (
	Absent uint8 = iota
	Given
	Null
)

// Supplied is the fields that a row supplies, in schema order.
func Supplied(s *rowkey.Schema) (out []rowkey.FieldInfo) {
	for f := range s.Fields() {
		if !f.Derived && f.Kind != "literal" {
			out = append(out, f)
		}
	}
	return out
}

// FirstTime is the first time that a row supplies, which is when it arrives unless somebody says
// another field; empty if no schema has one.
func FirstTime(schemas ...*rowkey.Schema) string {
	for _, s := range schemas {
		for _, f := range Supplied(s) {
			if f.Kind == "time" {
				return f.Name
			}
		}
	}
	return ""
}

// FieldNames is their names.
func FieldNames(fields []rowkey.FieldInfo) (out []string) {
	for _, f := range fields {
		out = append(out, f.Name)
	}
	return out
}

// short reports that a Float is one of 4 bytes: what a float32 holds is then
// the nearest one to the text.
func short(f *rowkey.FieldInfo) bool { return f.Kind == "float" && f.Bytes == 4 }

// wide reports that a number may be more than a float64 holds exactly, which
// most readers of JSON make of it: it is written as a string.
func wide(f *rowkey.FieldInfo) bool {
	return (f.Kind == "uint" || f.Kind == "int") && f.Most > 1<<53
}

// Number is whether a column of values stands to the right.
func Number(f *rowkey.FieldInfo) bool {
	return f.Kind == "uint" || f.Kind == "int" || f.Kind == "float" || f.Numeric
}

var decimalForm = pattern.New(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$`)

// notA is the error of a text that is no value of a field.
func notA(f *rowkey.FieldInfo, text string) error {
	return Told{f.Name + ": expected " + wanted(f), ", not " + Shown(text)}
}

// tooLarge is the error of a text that is no number, or one that no field holds.
func tooLarge(f *rowkey.FieldInfo, text string, err error) error {
	if !errors.Is(err, strconv.ErrRange) {
		return notA(f, text)
	}
	a, least, most := "a whole number", "0", strconv.FormatUint(f.Most, 10)
	switch f.Kind {
	case "int":
		least = strconv.FormatInt(-int64(f.Most)-1, 10)
	case "float":
		a, most = "a number", strconv.FormatFloat(math.MaxFloat64, 'g', -1, 64)
		if short(f) {
			most = strconv.FormatFloat(math.MaxFloat32, 'g', -1, 32)
		}
		least = "-" + most
	}
	return Told{f.Name + ": expected " + a + " from " + least + " to " + most, ", not " + Shown(text)}
}

// wanted is what a field takes as text.
func wanted(f *rowkey.FieldInfo) string {
	switch f.Kind {
	case "string":
		return "a decimal number as 12.50"
	case "binary":
		return "bytes in hexadecimal"
	case "uint":
		if f.Most == math.MaxUint64 {
			return "a whole number from 0 on"
		}
		return fmt.Sprintf("a whole number from 0 to %d", f.Most)
	case "int":
		return "a whole number"
	case "float":
		return "a number"
	case "bool":
		return "true or false"
	}
	return "a time as 2023-05-16T02:20:30Z or 2023-05-16, or a number with its unit as 1684203630000ms"
}

// Parse reads the value of a field as text. One flat switch over all kinds.
func (v *Values) Parse(dst *Slot, f *rowkey.FieldInfo, s []byte) (err error) {
	dst.State = Given
	switch f.Kind {
	case "string":
		if f.Numeric && !decimalForm.Match(s) {
			return notA(f, string(s))
		}
		dst.Text = append(dst.Text[:0], s...)
	case "binary":
		t := s
		if len(t) > 1 && t[0] == '0' && t[1] == 'x' {
			t = t[2:]
		}
		var ok bool
		if dst.Text, ok = appendHex(dst.Text[:0], t); !ok {
			return notA(f, string(s))
		}
	case "uint":
		n, ok := digits(s)
		if !ok {
			if n, err = strconv.ParseUint(string(s), 10, 64); err != nil {
				return tooLarge(f, string(s), err)
			}
		}
		dst.U = n
	case "int":
		n, ok := digits(s)
		dst.I = int64(n)
		if !ok || n > math.MaxInt64 {
			if dst.I, err = strconv.ParseInt(string(s), 10, 64); err != nil {
				return tooLarge(f, string(s), err)
			}
		}
	case "float":
		bits := 64
		if short(f) {
			bits = 32
		}
		if dst.f, err = strconv.ParseFloat(string(s), bits); err != nil || math.IsNaN(dst.f) {
			return tooLarge(f, string(s), err)
		}
	case "bool":
		if dst.B = string(s) == "true"; !dst.B && string(s) != "false" {
			return notA(f, string(s))
		}
	case "time":
		dst.T, _, err = v.Time(f, s)
		return err
	default:
		return notA(f, string(s))
	}
	return nil
}

// digits is a number of at most 19 digits.
func digits(s []byte) (n uint64, ok bool) {
	if len(s) == 0 || len(s) > 19 {
		return 0, false
	}
	for _, c := range s {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + uint64(c-'0')
	}
	return n, true
}

// Value is a slot as AppendKey takes it.
func (s *Slot) Value(f *rowkey.FieldInfo) any {
	if s.State != Given {
		return nil
	}
	switch f.Kind {
	case "string":
		return string(s.Text)
	case "binary":
		return slices.Clone(s.Text)
	case "uint":
		return s.U
	case "int":
		return s.I
	case "float":
		return s.f
	case "bool":
		return s.B
	}
	return s.T
}

// Hold makes a slot hold a value of a row.
func (s *Slot) Hold(v any) {
	s.State = Given
	switch v := v.(type) {
	case nil:
		s.State = Null
	case string:
		s.Text = append(s.Text[:0], v...)
	case []byte:
		s.Text = append(s.Text[:0], v...)
	case uint64:
		s.U = v
	case int64:
		s.I = v
	case float64:
		s.f = v
	case bool:
		s.B = v
	case time.Time:
		s.T = v
	}
}

// Put supplies a slot to a key.
func (s *Slot) Put(k rowkey.KeyBuilder, f *rowkey.FieldInfo) rowkey.KeyBuilder {
	if s.State != Given {
		return k.Null()
	}
	switch f.Kind {
	case "string", "binary":
		return k.Binary(s.Text)
	case "uint":
		return k.Uint(s.U)
	case "int":
		return k.Int(s.I)
	case "float":
		return k.Float(s.f)
	case "bool":
		return k.Bool(s.B)
	}
	return k.Time(s.T)
}

// Read reads a slot off a key.
func (s *Slot) Read(r rowkey.Reader, f *rowkey.FieldInfo) rowkey.Reader {
	s.State = Given
	if f.Optional {
		isNull := false
		if r = r.Null(&isNull); isNull {
			s.State = Null
		}
	}
	switch f.Kind {
	case "string", "binary":
		return r.Binary(&s.Text)
	case "uint":
		return r.Uint(&s.U)
	case "int":
		return r.Int(&s.I)
	case "float":
		return r.Float(&s.f)
	case "bool":
		return r.Bool(&s.B)
	}
	return r.Time(&s.T)
}

// AppendText appends a value as text; a null is the empty one.
func (v *Values) AppendText(dst []byte, f *rowkey.FieldInfo, s *Slot) []byte {
	if s.State != Given {
		return dst
	}
	switch f.Kind {
	case "string":
		return append(dst, s.Text...)
	case "binary":
		return hex.AppendEncode(dst, s.Text)
	case "uint":
		return strconv.AppendUint(dst, s.U, 10)
	case "int":
		return strconv.AppendInt(dst, s.I, 10)
	case "float":
		return strconv.AppendFloat(dst, s.f, 'g', -1, 64)
	case "bool":
		return strconv.AppendBool(dst, s.B)
	}
	return v.AppendTime(dst, s.T)
}

// AppendJSON appends a value as JSON.
func (v *Values) AppendJSON(dst []byte, f *rowkey.FieldInfo, s *Slot) []byte {
	if s.State != Given {
		return append(dst, "null"...)
	}
	switch f.Kind {
	case "string":
		if !utf8.Valid(s.Text) {
			return append(hex.AppendEncode(append(dst, `{"hex":"`...), s.Text), `"}`...)
		}
		return AppendString(dst, s.Text)
	case "uint", "int":
		if wide(f) {
			return append(v.AppendText(append(dst, '"'), f, s), '"')
		}
		return v.AppendText(dst, f, s)
	case "float":
		if math.IsInf(s.f, 0) {
			return append(v.AppendText(append(dst, '"'), f, s), '"')
		}
		bits := 64
		if short(f) {
			bits = 32
		}
		return strconv.AppendFloat(dst, s.f, 'g', -1, bits)
	case "bool":
		return strconv.AppendBool(dst, s.B)
	}
	return append(v.AppendText(append(dst, '"'), f, s), '"')
}

// AppendString appends a text as JSON.
func AppendString[T string | []byte](dst []byte, s T) []byte {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c > 0x7e || c == '"' || c == '\\' {
			return append(dst, JsonText(string(s))...)
		}
	}
	return append(append(append(dst, '"'), s...), '"')
}

// RowValues gathers the values of one row by name and makes its key; it is used
// again for the next. One goroutine uses it at a time.
type RowValues struct {
	Schema *rowkey.Schema
	How    Values
	Fields []rowkey.FieldInfo
	ByName map[string]int
	Slots  []Slot
	buf    []byte
}

func NewRowValues(s *rowkey.Schema, how Values) *RowValues {
	w := &RowValues{Schema: s, How: how, Fields: Supplied(s), ByName: map[string]int{}}
	for i, f := range w.Fields {
		w.ByName[f.Name] = i
	}
	w.Slots = make([]Slot, len(w.Fields))
	w.How.Cache = &LayoutCache{}
	return w
}

// NoField is the error of a name that is no field.
func NoField(s *rowkey.Schema, name string) error { return noName(s, name, nil) }

// NoAsked is NoField for a condition, which may name a copy or a salt, too.
func NoAsked(s *rowkey.Schema, name string) error {
	var more []string
	for f := range s.Fields() {
		if f.Derived && f.Kind != "hash" {
			more = append(more, f.Name)
		}
	}
	return noName(s, name, more)
}

// noName is NoField where the names of more are none of fields, but known.
func noName(s *rowkey.Schema, name string, more []string) error {
	names := FieldNames(Supplied(s))
	text := "the fields are " + strings.Join(names, ", ")
	if len(more) > 0 {
		text += "; computed: " + strings.Join(more, ", ")
	}
	for f := range s.Fields() {
		if f.Name == name && f.Derived {
			return fmt.Errorf("%s is computed, not supplied: %s", name, text)
		}
	}
	return fmt.Errorf("%s is no field: %s%s", Shown(name), text, Perhaps(name, append(names, more...)))
}

// Field is the place of a field, or an error that lists the fields.
func (w *RowValues) Field(name string) (int, error) {
	if i, ok := w.ByName[name]; ok {
		return i, nil
	}
	return 0, NoField(w.Schema, name)
}

func (w *RowValues) SetText(i int, text []byte) error {
	if w.Slots[i].State != Absent {
		return fmt.Errorf("%s: given twice", w.Fields[i].Name)
	}
	return w.How.Parse(&w.Slots[i], &w.Fields[i], text)
}

// Reset forgets the values.
func (w *RowValues) Reset() {
	for i := range w.Slots {
		w.Slots[i].State = Absent
	}
}

// Missing is the fields not supplied that have no null.
func (w *RowValues) Missing() (out []string) {
	for i, f := range w.Fields {
		if w.Slots[i].State == Absent && !f.Optional {
			out = append(out, f.Name)
		}
	}
	return out
}

// Key is the key of the values, valid until the next.
func (w *RowValues) Key() ([]byte, error) {
	k := w.Schema.KeyIn(w.buf[:0])
	for i := range w.Slots {
		if s := &w.Slots[i]; s.State != Absent || w.Fields[i].Optional {
			k = s.Put(k, &w.Fields[i])
			continue
		}
		return nil, fmt.Errorf("no value for %s", strings.Join(w.Missing(), ", "))
	}
	key, err := k.Bytes()
	if err == nil {
		w.buf = key
		return key, nil
	}
	// The same once more by the call whose errors are told.
	if key, err = w.Schema.AppendKey(w.buf[:0], w.Values()...); err == nil {
		w.buf = key
		return key, nil
	}
	if !slices.ContainsFunc(w.Slots, func(s Slot) bool { return s.State == Given }) {
		return nil, errors.New("every field is null, which is no key")
	}
	return nil, Reason(err)
}

// Values are the row's, as AppendKey takes them.
func (w *RowValues) Values() []any {
	out := make([]any, len(w.Slots))
	for i := range w.Slots {
		out[i] = w.Slots[i].Value(&w.Fields[i])
	}
	return out
}

// Reason is a library's error by its field and cause: the command's user knows
// the schema.
func Reason(err error) error {
	var e *rowkey.Error
	if !errors.As(err, &e) {
		return err
	}
	short := *e
	short.Schema = ""
	return plain{&short}
}

// plain is a library's error without the library's name.
type plain struct{ err *rowkey.Error }

func (p plain) Error() string { return PlainError(p.err) }
func (p plain) Unwrap() error { return p.err }
