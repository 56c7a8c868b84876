package infer

import (
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// kind is a kind of value, by the words of rowkey.FieldInfo.
type kind string

const (
	kindText  kind = "string"
	kindBytes kind = "binary"
	kindUint  kind = "uint"
	kindInt   kind = "int"
	kindFloat kind = "float"
	kindBool  kind = "bool"
	kindTime  kind = "time"
)

// form is a way to read the text of a column as a value.
type form struct {
	kind  kind
	note  string // what a reader has to know: "epoch milliseconds"; empty: nothing
	cost  float64
	parse func(s string) (any, bool)
}

// reading is a column that all rows of the search allow to be read in one form.
type reading struct {
	*form
	col  int
	vals []any
	one  int // of a text or bytes: the length of all, −1 if they differ

	nulls bool // an empty text is null
}

var zones = []string{"UTC", "+08:00", "+09:00", "+01:00", "+02:00", "+05:30", "-05:00", "-08:00", "-04:00", "-07:00"}

// written are the layouts in which people write an instant. Those without a zone are
// read in UTC and in China's time.
var written = []struct {
	layout string
	zoned  bool
}{
	{time.RFC3339Nano, true},
	{"2006-01-02 15:04:05.999999999Z07:00", true},
	{"2006-01-02 15:04:05.999999999", false},
	{"2006-01-02T15:04:05.999999999", false},
	{"2006-01-02", false},
	{"20060102", false},
	{"20060102150405", false},
	{"2006/01/02 15:04:05", false},
}

// forms are all ways to read a column, the plainest first.
var forms = func() (all []*form) {
	add := func(k kind, note string, cost float64, parse func(s string) (any, bool)) {
		all = append(all, &form{k, note, cost, parse})
	}
	add(kindText, "", 0, func(s string) (any, bool) { return s, true })
	add(kindUint, "", 1, func(s string) (any, bool) { v, err := strconv.ParseUint(s, 10, 64); return v, err == nil })
	add(kindInt, "", 2, func(s string) (any, bool) { v, err := strconv.ParseInt(s, 10, 64); return v, err == nil })
	add(kindFloat, "", 3, func(s string) (any, bool) {
		switch s { // as Java prints them
		case "NaN":
			return math.NaN(), true
		case "Infinity":
			return math.Inf(1), true
		case "-Infinity":
			return math.Inf(-1), true
		}
		if s == "" || !strings.ContainsAny(s[len(s)-1:], "0123456789.") { // no other name of these
			return nil, false
		}
		v, err := strconv.ParseFloat(s, 64)
		return v, err == nil
	})
	add(kindFloat, "a float of 4 bytes", 3.5, func(s string) (any, bool) {
		if s == "" || !strings.ContainsAny(s[len(s)-1:], "0123456789.") {
			return nil, false
		}
		v, err := strconv.ParseFloat(s, 32)
		return v, err == nil
	})
	add(kindBool, "", 2, func(s string) (any, bool) {
		switch s {
		case "true", "TRUE", "True", "1", "t", "yes":
			return true, true
		case "false", "FALSE", "False", "0", "f", "no":
			return false, true
		}
		return nil, false
	})
	for i, u := range []struct {
		note   string
		lo, hi int64
		of     func(v int64) time.Time
	}{
		{"milliseconds since 1970", 5e11, 5e12, time.UnixMilli},
		{"seconds since 1970", 5e8, 5e9, func(v int64) time.Time { return time.Unix(v, 0) }},
		{"microseconds since 1970", 5e14, 5e15, time.UnixMicro},
		{"nanoseconds since 1970", 5e17, 5e18, func(v int64) time.Time { return time.Unix(0, v) }},
	} {
		add(kindTime, u.note, 1+float64(i)/4, func(s string) (any, bool) {
			v, err := strconv.ParseInt(s, 10, 64)
			if err != nil || v < u.lo || v > u.hi {
				return nil, false
			}
			return u.of(v).UTC(), true
		})
	}
	add(kindTime, "milliseconds since 1970, ':', nanoseconds of the second", 2, func(s string) (any, bool) {
		ms, nanos, ok := strings.Cut(s, ":")
		m, err := strconv.ParseInt(ms, 10, 64)
		n, err2 := strconv.ParseUint(nanos, 10, 31)
		if !ok || err != nil || err2 != nil || n > 999_999_999 {
			return nil, false
		}
		v := time.Unix(floorDiv(m, 1000), int64(n)).UTC()
		return v, v.Year() >= 0 && v.Year() <= 9999 && v.UnixMilli() == m
	})
	for _, w := range written {
		where := []string{"UTC", "+08:00"}
		if w.zoned {
			where = where[:1]
		}
		for i, z := range where {
			zone := time.UTC
			note := ""
			if !w.zoned {
				note = "a time in " + z
			}
			if i > 0 {
				zone = time.FixedZone(z, 8*3600)
			}
			add(kindTime, note, 0.5+2*float64(i), func(s string) (any, bool) {
				v, err := time.ParseInLocation(w.layout, s, zone)
				return v, err == nil && v.Year() > 1900 && v.Year() < 2200
			})
		}
	}
	add(kindBytes, "bytes in hexadecimal", 3, func(s string) (any, bool) {
		b, err := hex.DecodeString(s)
		return b, err == nil
	})
	return all
}()

// readingsOf are all forms in which every value of a column can be read.
func readingsOf(col int, values []string) (out []*reading) {
	empty := 0
	for _, s := range values {
		if s == "" {
			empty++
		}
	}
	for _, f := range forms {
		if f.kind == kindBytes && empty == len(values) {
			continue
		}
		r := f.read(col, values)
		if r == nil {
			continue
		}
		if f.kind == kindText || f.kind == kindBytes {
			r.one = len(textOf(r.vals[0]))
			for _, v := range r.vals {
				if len(textOf(v)) != r.one {
					r.one = -1
				}
			}
		}
		if f.kind == kindFloat && slices.ContainsFunc(out, func(o *reading) bool { return o.kind == kindFloat && slices.Equal(o.vals, r.vals) }) {
			continue // each is a float of 4 bytes, and of 8
		}
		out = append(out, r)
	}
	if empty == 0 || empty == len(values) {
		return out
	}
	for _, f := range nullForms { // an empty text is null
		if r := f.read(col, values); r != nil {
			r.nulls = true
			out = append(out, r)
		}
	}
	return out
}

// read reads all values of a column in a form; nil if one cannot be.
func (f *form) read(col int, values []string) *reading {
	r := &reading{form: f, col: col, one: -1}
	for _, s := range values {
		v, ok := f.parse(s)
		if !ok {
			return nil
		}
		r.vals = append(r.vals, v)
	}
	return r
}

// nullForms are the forms of columns that have nulls.
var nullForms = func() (out []*form) {
	for _, f := range forms {
		switch f.kind {
		case kindText, kindBytes, kindUint, kindInt:
			note := "null where it is empty"
			if f.note != "" {
				note = f.note + "; " + note
			}
			out = append(out, &form{f.kind, note, f.cost + 2, func(s string) (any, bool) {
				if s == "" {
					return nil, true
				}
				return f.parse(s)
			}})
		}
	}
	return out
}()
