package command

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey"
	"github.com/tidwall/gjson"
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

// slot is the value of one field, in memory that is used again.
type slot struct {
	state uint8
	text  []byte // of a text or bytes
	u     uint64
	i     int64
	f     float64
	b     bool
	t     time.Time
}

const (
	absent uint8 = iota
	given
	null
)

// supplied is the fields that a row supplies, in schema order.
func supplied(s *rowkey.Schema) (out []rowkey.FieldInfo) {
	for f := range s.Fields() {
		if !f.Derived && f.Kind != "literal" {
			out = append(out, f)
		}
	}
	return out
}

// fieldNames is their names.
func fieldNames(fields []rowkey.FieldInfo) (out []string) {
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

// number is whether a column of values stands to the right.
func number(f *rowkey.FieldInfo) bool {
	return f.Kind == "uint" || f.Kind == "int" || f.Kind == "float" || f.Numeric
}

var decimalForm = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$`)

// notA is the error of a text that is no value of a field.
func notA(f *rowkey.FieldInfo, text string) error {
	return told{f.Name + ": expected " + wanted(f), ", not " + shown(text)}
}

// tooLarge is the error of a text that is no number, or one that no field holds.
func tooLarge(f *rowkey.FieldInfo, text string, err error) error {
	if !errors.Is(err, strconv.ErrRange) {
		return notA(f, text)
	}
	least, most := "0", strconv.FormatUint(f.Most, 10)
	if f.Kind == "int" {
		least = strconv.FormatInt(-int64(f.Most)-1, 10)
	}
	return told{f.Name + ": expected a whole number from " + least + " to " + most, ", not " + shown(text)}
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

// parse reads the value of a field as text. One flat switch over all kinds.
func (v *values) parse(dst *slot, f *rowkey.FieldInfo, s []byte) (err error) {
	dst.state = given
	switch f.Kind {
	case "string":
		if f.Numeric && !decimalForm.Match(s) {
			return notA(f, string(s))
		}
		dst.text = append(dst.text[:0], s...)
	case "binary":
		t := s
		if len(t) > 1 && t[0] == '0' && t[1] == 'x' {
			t = t[2:]
		}
		var ok bool
		if dst.text, ok = appendHex(dst.text[:0], t); !ok {
			return notA(f, string(s))
		}
	case "uint":
		n, ok := digits(s)
		if !ok {
			if n, err = strconv.ParseUint(string(s), 10, 64); err != nil {
				return tooLarge(f, string(s), err)
			}
		}
		dst.u = n
	case "int":
		n, ok := digits(s)
		dst.i = int64(n)
		if !ok || n > math.MaxInt64 {
			if dst.i, err = strconv.ParseInt(string(s), 10, 64); err != nil {
				return tooLarge(f, string(s), err)
			}
		}
	case "float":
		bits := 64
		if short(f) {
			bits = 32
		}
		if dst.f, err = strconv.ParseFloat(string(s), bits); err != nil || math.IsNaN(dst.f) {
			return notA(f, string(s))
		}
	case "bool":
		if dst.b = string(s) == "true"; !dst.b && string(s) != "false" {
			return notA(f, string(s))
		}
	default:
		dst.t, _, err = v.time(f, s)
		return err
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

// value is a slot as AppendKey takes it.
func (s *slot) value(f *rowkey.FieldInfo) any {
	if s.state != given {
		return nil
	}
	switch f.Kind {
	case "string":
		return string(s.text)
	case "binary":
		return slices.Clone(s.text)
	case "uint":
		return s.u
	case "int":
		return s.i
	case "float":
		return s.f
	case "bool":
		return s.b
	}
	return s.t
}

// hold makes a slot hold a value of a row.
func (s *slot) hold(v any) {
	s.state = given
	switch v := v.(type) {
	case nil:
		s.state = null
	case string:
		s.text = append(s.text[:0], v...)
	case []byte:
		s.text = append(s.text[:0], v...)
	case uint64:
		s.u = v
	case int64:
		s.i = v
	case float64:
		s.f = v
	case bool:
		s.b = v
	case time.Time:
		s.t = v
	}
}

// put supplies a slot to a key.
func (s *slot) put(k rowkey.KeyBuilder, f *rowkey.FieldInfo) rowkey.KeyBuilder {
	if s.state != given {
		return k.Null()
	}
	switch f.Kind {
	case "string", "binary":
		return k.Binary(s.text)
	case "uint":
		return k.Uint(s.u)
	case "int":
		return k.Int(s.i)
	case "float":
		return k.Float(s.f)
	case "bool":
		return k.Bool(s.b)
	}
	return k.Time(s.t)
}

// read reads a slot off a key.
func (s *slot) read(r rowkey.Reader, f *rowkey.FieldInfo) rowkey.Reader {
	s.state = given
	if f.Optional {
		isNull := false
		if r = r.Null(&isNull); isNull {
			s.state = null
		}
	}
	switch f.Kind {
	case "string", "binary":
		return r.Binary(&s.text)
	case "uint":
		return r.Uint(&s.u)
	case "int":
		return r.Int(&s.i)
	case "float":
		return r.Float(&s.f)
	case "bool":
		return r.Bool(&s.b)
	}
	return r.Time(&s.t)
}

// parseJSON reads the value of a field as JSON has it. A number is read from its
// digits: as a float64 a decimal would lose some.
func (v *values) parseJSON(dst *slot, f *rowkey.FieldInfo, j gjson.Result) error {
	text := f.Kind == "string" || f.Kind == "binary"
	switch {
	case j.Type == gjson.Null && f.Optional:
		dst.state = null
		return nil
	case j.Type == gjson.Null:
		return fmt.Errorf("%s: cannot be null", f.Name)
	case j.Type == gjson.String && halved(j):
		return told{f.Name + ": half of a surrogate pair", " in " + shownJSON(j.Raw)}
	case j.Type == gjson.String:
		return v.parse(dst, f, []byte(j.Str))
	case j.Type == gjson.Number && (!text || f.Numeric) && f.Kind != "bool":
		return v.parse(dst, f, []byte(j.Raw))
	case j.IsBool() && f.Kind == "bool":
		dst.state, dst.b = given, j.Bool()
		return nil
	case j.IsObject() && text && !f.Numeric:
		if b, ok := bytesOf(j); ok {
			dst.state, dst.text = given, append(dst.text[:0], b...)
			return nil
		}
	}
	return told{f.Name + ": expected " + expected(f), ", not " + shownJSON(j.Raw)}
}

// shownJSON is JSON in a message, cut short.
func shownJSON(raw string) string {
	const most = 40
	raw = strings.Map(func(r rune) rune {
		if r < 0x20 {
			return ' '
		}
		return r
	}, raw)
	if len(raw) > most {
		return strings.ToValidUTF8(raw[:most], "") + "…"
	}
	return raw
}

// halved reports that a string has half of a surrogate pair, which has become
// another character.
func halved(j gjson.Result) bool {
	const other = "\ufffd"
	n := strings.Count(j.Str, other)
	return n > 0 && n > strings.Count(j.Raw, other)+strings.Count(strings.ToLower(j.Raw), `\ufffd`)
}

// expected is what JSON a field takes.
func expected(f *rowkey.FieldInfo) string {
	switch f.Kind {
	case "string":
		if f.Numeric {
			return "a decimal number as 12.50"
		}
		return `a string or {"hex":"…"}`
	case "binary":
		return `hexadecimal in a string or {"base64":"…"}`
	case "bool":
		return "true or false"
	case "time":
		return `a time in a string`
	}
	return "a number"
}

// bytesOf reads {"hex":"…"} and {"base64":"…"}.
func bytesOf(j gjson.Result) ([]byte, bool) {
	m := j.Map()
	if len(m) != 1 {
		return nil, false
	}
	if s := m["hex"]; s.Type == gjson.String {
		b, err := hex.DecodeString(s.Str)
		return b, err == nil
	}
	if s := m["base64"]; s.Type == gjson.String {
		b, err := base64.StdEncoding.DecodeString(s.Str)
		return b, err == nil
	}
	return nil, false
}

// appendText appends a value as text; a null is the empty one.
func (v *values) appendText(dst []byte, f *rowkey.FieldInfo, s *slot) []byte {
	if s.state != given {
		return dst
	}
	switch f.Kind {
	case "string":
		return append(dst, s.text...)
	case "binary":
		return hex.AppendEncode(dst, s.text)
	case "uint":
		return strconv.AppendUint(dst, s.u, 10)
	case "int":
		return strconv.AppendInt(dst, s.i, 10)
	case "float":
		return strconv.AppendFloat(dst, s.f, 'g', -1, 64)
	case "bool":
		return strconv.AppendBool(dst, s.b)
	}
	return v.appendTime(dst, s.t)
}

// appendJSON appends a value as JSON.
func (v *values) appendJSON(dst []byte, f *rowkey.FieldInfo, s *slot) []byte {
	if s.state != given {
		return append(dst, "null"...)
	}
	switch f.Kind {
	case "string":
		if !utf8.Valid(s.text) {
			return append(hex.AppendEncode(append(dst, `{"hex":"`...), s.text), `"}`...)
		}
		return appendString(dst, s.text)
	case "uint", "int":
		if wide(f) {
			return append(v.appendText(append(dst, '"'), f, s), '"')
		}
		return v.appendText(dst, f, s)
	case "float":
		if math.IsInf(s.f, 0) {
			return append(v.appendText(append(dst, '"'), f, s), '"')
		}
		bits := 64
		if short(f) {
			bits = 32
		}
		return strconv.AppendFloat(dst, s.f, 'g', -1, bits)
	case "bool":
		return strconv.AppendBool(dst, s.b)
	}
	return append(v.appendText(append(dst, '"'), f, s), '"')
}

// appendString appends a text as JSON.
func appendString[T string | []byte](dst []byte, s T) []byte {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c > 0x7e || c == '"' || c == '\\' {
			return append(dst, jsonText(string(s))...)
		}
	}
	return append(append(append(dst, '"'), s...), '"')
}

// rowMaker gathers the values of one row by name and makes its key; it is used
// again for the next. One goroutine uses it at a time.
type rowMaker struct {
	schema *rowkey.Schema
	how    values
	fields []rowkey.FieldInfo
	byName map[string]int
	slots  []slot
	buf    []byte
	pairs  []pair // of --time
}

// pair is a time in two columns.
type pair struct {
	field    int
	names    [2]string
	texts    [2][]byte
	given    [2]bool
	together []byte
}

func newRowMaker(s *rowkey.Schema, how values) *rowMaker {
	w := &rowMaker{schema: s, how: how, fields: supplied(s), byName: map[string]int{}}
	for i, f := range w.fields {
		w.byName[f.Name] = i
	}
	w.slots = make([]slot, len(w.fields))
	w.how.cache = &layoutCache{}
	return w
}

// noField is the error of a name that is no field.
func noField(s *rowkey.Schema, name string) error {
	names := fieldNames(supplied(s))
	for f := range s.Fields() {
		if f.Name == name && f.Derived {
			return fmt.Errorf("%s is computed, not supplied: the fields are %s", name, strings.Join(names, ", "))
		}
	}
	return fmt.Errorf("%s is no field: the fields are %s%s", shown(name), strings.Join(names, ", "), perhaps(name, names))
}

// field is the place of a field, or an error that lists the fields.
func (w *rowMaker) field(name string) (int, error) {
	if i, ok := w.byName[name]; ok {
		return i, nil
	}
	return 0, noField(w.schema, name)
}

func (w *rowMaker) reset() {
	for i := range w.slots {
		w.slots[i].state = absent
	}
	for i := range w.pairs {
		w.pairs[i].given = [2]bool{}
	}
}

func (w *rowMaker) setText(i int, text []byte) error {
	if w.slots[i].state != absent {
		return fmt.Errorf("%s: given twice", w.fields[i].Name)
	}
	return w.how.parse(&w.slots[i], &w.fields[i], text)
}

// setJSON supplies one field as JSON.
func (w *rowMaker) setJSON(name string, j gjson.Result) error {
	i, err := w.field(name)
	if err != nil {
		return err
	}
	if w.slots[i].state != absent {
		return fmt.Errorf("%s: given twice", name)
	}
	return w.how.parseJSON(&w.slots[i], &w.fields[i], j)
}

// setPair supplies one half of a time; false if the name is none's.
func (w *rowMaker) setPair(name string, text []byte) (bool, error) {
	for i := range w.pairs {
		p := &w.pairs[i]
		for side, n := range p.names {
			if n != name {
				continue
			}
			if p.given[side] {
				return true, fmt.Errorf("%s: given twice", name)
			}
			p.given[side] = true
			p.texts[side] = append(p.texts[side][:0], text...)
			return true, nil
		}
	}
	return false, nil
}

// joinPairs makes times of their halves.
func (w *rowMaker) joinPairs() error {
	for i := range w.pairs {
		p := &w.pairs[i]
		if !p.given[0] && !p.given[1] {
			continue
		}
		if p.given[0] != p.given[1] {
			return fmt.Errorf("%s: of %s and %s only one is there", w.fields[p.field].Name, p.names[0], p.names[1])
		}
		p.together = append(append(append(p.together[:0], p.texts[0]...), ' '), p.texts[1]...)
		if err := w.setText(p.field, p.together); err != nil {
			return err
		}
	}
	return nil
}

// missing is the fields not supplied that have no null.
func (w *rowMaker) missing() (out []string) {
	for i, f := range w.fields {
		if w.slots[i].state == absent && !f.Optional {
			out = append(out, f.Name)
		}
	}
	return out
}

// key is the key of the values, valid until the next.
func (w *rowMaker) key() ([]byte, error) {
	k := w.schema.KeyIn(w.buf[:0])
	for i := range w.slots {
		if s := &w.slots[i]; s.state != absent || w.fields[i].Optional {
			k = s.put(k, &w.fields[i])
			continue
		}
		return nil, fmt.Errorf("no value for %s", strings.Join(w.missing(), ", "))
	}
	key, err := k.Bytes()
	if err == nil {
		w.buf = key
		return key, nil
	}
	// The same once more by the call whose errors are told.
	if key, err = w.schema.AppendKey(w.buf[:0], w.values()...); err == nil {
		w.buf = key
		return key, nil
	}
	if !slices.ContainsFunc(w.slots, func(s slot) bool { return s.state == given }) {
		return nil, errors.New("every field is null, which is no key")
	}
	return nil, reason(err)
}

// values are the row's, as AppendKey takes them.
func (w *rowMaker) values() []any {
	out := make([]any, len(w.slots))
	for i := range w.slots {
		out[i] = w.slots[i].value(&w.fields[i])
	}
	return out
}

// reason is a library's error by its field and cause: the command's user knows
// the schema.
func reason(err error) error {
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

func (p plain) Error() string { return plainError(p.err) }
func (p plain) Unwrap() error { return p.err }
