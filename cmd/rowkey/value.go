package main

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
//	number  decimal; in JSON a number, or a string of one
//	decimal 12.50, every digit of it; in JSON a string, or a number
//	bool    true, false
//	time    2023-05-16T02:20:30.5Z, or less of it; 1684203630000ms since 1970 with its unit
//	null    left out; in JSON also null, in CSV an empty cell

// values is how values are read and shown.
type values struct {
	zone *time.Location // of times that name none; nil is UTC
	unit string         // of times that are bare numbers; empty: they are refused
}

func (v values) in() *time.Location {
	if v.zone == nil {
		return time.UTC
	}
	return v.zone
}

// supplied is the fields that a row supplies, in schema order.
func supplied(s *rowkey.Schema) (out []rowkey.FieldInfo) {
	for f := range s.Fields() {
		if !f.Derived && f.Kind != rowkey.KindLiteral {
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
func short(f rowkey.FieldInfo) bool {
	return strings.HasPrefix(f.Notation, "["+f.Name+":f4")
}

// aText is a text in a notation.
var aText = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`)

// decimal reports that a text is a decimal number.
func decimal(f rowkey.FieldInfo) bool {
	if f.Kind != rowkey.KindString || !strings.Contains(f.Notation, " numeric") {
		return false
	}
	options := strings.Trim(aText.ReplaceAllString(f.Notation, ""), "[]")
	return slices.Contains(strings.Fields(options), "numeric")
}

// number is whether a column of values stands to the right.
func number(f rowkey.FieldInfo) bool {
	return f.Kind == rowkey.KindUint || f.Kind == rowkey.KindInt || f.Kind == rowkey.KindFloat || decimal(f)
}

var decimalForm = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$`)

// parse is the value of a field as text.
func (v values) parse(f rowkey.FieldInfo, s string) (any, error) {
	fail := func(what string) error { return fmt.Errorf("%s: expected %s, not %s", f.Name, what, shown(s)) }
	switch f.Kind {
	case rowkey.KindString:
		if decimal(f) && !decimalForm.MatchString(s) {
			return nil, fail("a decimal number as 12.50")
		}
		return s, nil
	case rowkey.KindBinary:
		b, err := hex.DecodeString(strings.TrimPrefix(s, "0x"))
		if err != nil {
			return nil, fail("bytes in hexadecimal")
		}
		return b, nil
	case rowkey.KindUint:
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			return nil, fail("a whole number from 0 on")
		}
		return n, nil
	case rowkey.KindInt:
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return nil, fail("a whole number")
		}
		return n, nil
	case rowkey.KindFloat:
		bits := 64
		if short(f) {
			bits = 32
		}
		n, err := strconv.ParseFloat(s, bits)
		if err != nil || math.IsNaN(n) {
			return nil, fail("a number")
		}
		return n, nil
	case rowkey.KindBool:
		if s != "true" && s != "false" {
			return nil, fail("true or false")
		}
		return s == "true", nil
	}
	t, ok := v.parseTime(s)
	if !ok {
		what := "a time as 2023-05-16T02:20:30Z or 2023-05-16, or a number with its unit as 1684203630000ms"
		return nil, fail(what)
	}
	return t, nil
}

var timeForms = []string{
	"2006-01-02T15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02T15:04Z07:00", "2006-01-02 15:04Z07:00",
	"2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02",
}

// units are those of a time as a number since 1970.
var units = map[string]rowkeyUnit{
	"ns": {1, 1e9}, "us": {1e3, 1e6}, "ms": {1e6, 1e3}, "s": {1e9, 1}, "min": {0, -60}, "h": {0, -3600}, "d": {0, -86400},
}

// rowkeyUnit is a unit's nanoseconds and how many of it make a second; below
// zero, how many seconds make one of it.
type rowkeyUnit struct{ nanos, perSecond int64 }

func (u rowkeyUnit) at(n int64) (time.Time, bool) {
	if u.perSecond < 0 {
		if n < 0 || n > math.MaxInt64/-u.perSecond {
			return time.Time{}, false
		}
		return time.Unix(n*-u.perSecond, 0), true
	}
	return time.Unix(n/u.perSecond, n%u.perSecond*u.nanos), true
}

func (v values) parseTime(s string) (time.Time, bool) {
	for _, form := range timeForms {
		if t, err := time.ParseInLocation(form, s, v.in()); err == nil {
			return t, true
		}
	}
	digits := strings.TrimRight(s, "numsihd")
	name := s[len(digits):]
	if name == "" {
		name = v.unit
	}
	u, known := units[name]
	n, err := strconv.ParseInt(digits, 10, 64)
	if !known || err != nil {
		return time.Time{}, false
	}
	return u.at(n)
}

// parseJSON is the value of a field as JSON has it, nil for a null. A number is
// read from its digits: as a float64 a decimal would lose some.
func (v values) parseJSON(f rowkey.FieldInfo, j gjson.Result) (any, error) {
	text := f.Kind == rowkey.KindString || f.Kind == rowkey.KindBinary
	switch {
	case j.Type == gjson.Null && f.Optional:
		return nil, nil
	case j.Type == gjson.Null:
		return nil, fmt.Errorf("%s: cannot be null", f.Name)
	case j.Type == gjson.String && halved(j):
		return nil, fmt.Errorf("%s: half of a surrogate pair in %s", f.Name, shownJSON(j.Raw))
	case j.Type == gjson.String:
		return v.parse(f, j.Str)
	case j.Type == gjson.Number && (!text || decimal(f)) && f.Kind != rowkey.KindBool:
		return v.parse(f, j.Raw)
	case j.IsBool() && f.Kind == rowkey.KindBool:
		return j.Bool(), nil
	case j.IsObject() && text && !decimal(f):
		if b, ok := bytesOf(j); ok {
			if f.Kind == rowkey.KindString {
				return string(b), nil
			}
			return b, nil
		}
	}
	return nil, fmt.Errorf("%s: expected %s, not %s", f.Name, expected(f), shownJSON(j.Raw))
}

// shownJSON is JSON in a message, cut short.
func shownJSON(raw string) string {
	const most = 40
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
func expected(f rowkey.FieldInfo) string {
	switch f.Kind {
	case rowkey.KindString:
		if decimal(f) {
			return "a decimal number as 12.50"
		}
		return `a string or {"hex":"…"}`
	case rowkey.KindBinary:
		return `hexadecimal in a string or {"base64":"…"}`
	case rowkey.KindBool:
		return "true or false"
	case rowkey.KindTime:
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

// text is a value of a row as text; a null is the empty one.
func (v values) text(val any) string {
	switch val := val.(type) {
	case nil:
		return ""
	case string:
		return val
	case []byte:
		return hex.EncodeToString(val)
	case time.Time:
		return val.In(v.in()).Format(time.RFC3339Nano)
	case float64:
		return strconv.FormatFloat(val, 'g', -1, 64)
	}
	return fmt.Sprint(val)
}

// appendJSON appends a value of a row as JSON.
func (v values) appendJSON(dst []byte, f rowkey.FieldInfo, val any) []byte {
	switch val := val.(type) {
	case nil:
		return append(dst, "null"...)
	case string:
		if !utf8.ValidString(val) {
			return append(append(append(dst, `{"hex":"`...), hex.EncodeToString([]byte(val))...), `"}`...)
		}
		return appendString(dst, val)
	case float64:
		if math.IsInf(val, 0) {
			return append(dst, jsonText(v.text(val))...)
		}
		if short(f) {
			return strconv.AppendFloat(dst, val, 'g', -1, 32)
		}
		return strconv.AppendFloat(dst, val, 'g', -1, 64)
	case uint64, int64, bool:
		return fmt.Append(dst, val)
	}
	return appendString(dst, v.text(val))
}

// appendString appends a text as JSON.
func appendString(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c > 0x7e || c == '"' || c == '\\' {
			return append(dst, jsonText(s)...)
		}
	}
	return append(append(append(dst, '"'), s...), '"')
}

// rowWriter gathers the values of one row by name and makes its key; it is used
// again for the next.
type rowWriter struct {
	schema *rowkey.Schema
	how    values
	fields []rowkey.FieldInfo
	byName map[string]int
	vals   []any  // nil: null, or not given
	given  []bool // which of them are
	buf    []byte
}

func newRowWriter(s *rowkey.Schema, how values) *rowWriter {
	w := &rowWriter{schema: s, how: how, fields: supplied(s), byName: map[string]int{}}
	for i, f := range w.fields {
		w.byName[f.Name] = i
	}
	w.vals, w.given = make([]any, len(w.fields)), make([]bool, len(w.fields))
	return w
}

// field is the place of a field, or an error that lists the fields.
func (w *rowWriter) field(name string) (int, error) {
	if i, ok := w.byName[name]; ok {
		return i, nil
	}
	for f := range w.schema.Fields() {
		if f.Name == name && f.Derived {
			return 0, fmt.Errorf("%s is computed, not supplied: the fields are %s", name, strings.Join(fieldNames(w.fields), ", "))
		}
	}
	return 0, fmt.Errorf("%s is no field: the fields are %s", shown(name), strings.Join(fieldNames(w.fields), ", "))
}

func (w *rowWriter) reset() {
	clear(w.vals)
	clear(w.given)
}

// set supplies one field, nil as a null.
func (w *rowWriter) set(i int, val any) { w.vals[i], w.given[i] = val, true }

// setText supplies one field as text.
func (w *rowWriter) setText(name, text string) error {
	i, err := w.field(name)
	if err != nil {
		return err
	}
	return w.setTextAt(i, text)
}

func (w *rowWriter) setTextAt(i int, text string) error {
	if w.given[i] {
		return fmt.Errorf("%s: given twice", w.fields[i].Name)
	}
	val, err := w.how.parse(w.fields[i], text)
	w.set(i, val)
	return err
}

// setJSON supplies one field as JSON.
func (w *rowWriter) setJSON(name string, j gjson.Result) error {
	i, err := w.field(name)
	if err != nil {
		return err
	}
	if w.given[i] {
		return fmt.Errorf("%s: given twice", name)
	}
	val, err := w.how.parseJSON(w.fields[i], j)
	w.set(i, val)
	return err
}

// missing is the fields not supplied that have no null.
func (w *rowWriter) missing() (out []string) {
	for i, f := range w.fields {
		if !w.given[i] && !f.Optional {
			out = append(out, f.Name)
		}
	}
	return out
}

// key is the key of the values, valid until the next.
func (w *rowWriter) key() ([]byte, error) {
	if m := w.missing(); len(m) > 0 {
		return nil, fmt.Errorf("no value for %s", strings.Join(m, ", "))
	}
	key, err := w.schema.AppendKey(w.buf[:0], w.vals...)
	if err != nil && !slices.ContainsFunc(w.vals, func(v any) bool { return v != nil }) {
		return nil, errors.New("every field is null, which is no key")
	}
	if err != nil {
		return nil, reason(err)
	}
	w.buf = key
	return key, nil
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
