package gen

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/code"
)

// Vectors is a file of what the library makes of n rows: each language's printed code must
// make the same of them. A line is one of
//
//	key 0c73… "s-42" t1684203630.002000000 u7    the row's key, which gives back the row
//	write 0c73… "s-42" t1684203630.002000001 u7  the row's key, which gives back another: times are rounded down
//	read 0c73… - t1684203630.0 u7                the key gives back these values; - is not in it, or null
//	refused seller TERMINATOR "a_b" t0.0 u7      the row has no key: the field, and the reason
//	broken 0c73 seller MALFORMED 1               no key: the field, the reason, the byte
//	ranges 1 0c73-0c74 "s-42"                    the ranges of the first value; - if there are none
//	noranges 1 seller TERMINATOR "a_b"           it has none
//	splits 4 04,08,0c                            the split keys of 4 regions; of a schema without them there is no line
//
// The first letter of a value is its type. A text is "…" in UTF-16, where \u0020 is a blank, or s and
// its bytes in hexadecimal digits if it is not UTF-8. A Binary is x and its bytes. u and i are
// numbers, b is true or false, t is seconds since 1970 and nanoseconds, f is the 64 IEEE bits of a
// float. The field of a whole key is -.
func Vectors(schema *rowkey.Schema, s *code.Schema, n int) File {
	var b printer
	b.p("# rowkey vectors 1. Made by rowkey gen. DO NOT EDIT.")
	b.p("# %s %s", s.Fingerprint, strings.ReplaceAll(s.Notation, "\n", " "))
	sum, _ := hex.DecodeString(s.Fingerprint)
	v := vectors{printer: &b, schema: schema, s: s, long: n >= 100, r: rand.New(rand.NewPCG(binary.BigEndian.Uint64(sum), 1))}
	for range n {
		v.row()
	}
	for _, regions := range []int{1, 2, 3, 7, 16, 100} {
		if splits, err := schema.Splits(regions); err == nil {
			b.p("splits %d %s", regions, keysOf(splits))
		}
	}
	return File{Path: fileName(s.Name) + ".vectors", Text: b.Bytes()}
}

// keysOf is a list of keys; − if it is empty.
func keysOf(keys [][]byte) string {
	if len(keys) == 0 {
		return "-"
	}
	var list []string
	for _, k := range keys {
		list = append(list, hex.EncodeToString(k))
	}
	return strings.Join(list, ",")
}

type vectors struct {
	*printer
	schema *rowkey.Schema
	s      *code.Schema
	long   bool // also texts that are too long for a key: lines of 64 KiB
	r      *rand.Rand
}

// row prints the lines of one row.
func (v *vectors) row() {
	row := make([]any, len(v.s.Fields))
	for i, f := range v.s.Fields {
		row[i] = value(v.r, f)
		if f.Optional && v.r.IntN(3) == 0 {
			row[i] = nil
		}
		if s, ok := row[i].(string); ok && len(s) > 1000 && !v.long {
			row[i] = s[:300]
		}
		if b, ok := row[i].([]byte); ok && len(b) > 1000 && !v.long {
			row[i] = b[:300]
		}
	}
	if v.r.IntN(4) == 0 {
		p := v.s.Prefixes[v.r.IntN(len(v.s.Prefixes))]
		if !nullable(v.s.Fields) {
			v.ranges(p, row)
		} else {
			v.nullRanges(row)
		}
	}
	key, err := v.schema.AppendKey(nil, row...)
	if err != nil {
		field, reason, _ := whose(err)
		v.p("refused %s %s%s", field, reason, said(row))
		return
	}
	back, err := v.read(key)
	switch {
	case err != nil:
		v.p("write %x%s", key, said(row))
	case said(back) != said(row):
		v.p("write %x%s", key, said(row))
		v.p("%s %x%s", v.word(), key, said(back))
	default:
		v.p("key %x%s", key, said(row))
	}
	for range 2 {
		v.broken(breakOne(v.r, key))
	}
}

// word begins the line of a key that was read: a key that lacks fields cannot be written again.
func (v *vectors) word() string {
	if slices.ContainsFunc(v.s.Fields, func(f *code.Comp) bool { return f.Absent }) {
		return "read"
	}
	return "key"
}

// broken prints what becomes of a key that was changed.
func (v *vectors) broken(key []byte) {
	if len(key) == 0 || len(key) > 40000 {
		return
	}
	if _, err := v.schema.Decode(key); err != nil {
		field, reason, at := whose(err)
		if reason == "OTHER" { // a Loose field that has no one value
			return
		}
		v.p("broken %x %s %s %d", key, field, reason, at)
		return
	}
	if row, err := v.read(key); err == nil {
		v.p("%s %x%s", v.word(), key, said(row))
	}
}

// nullRanges prints the ranges of all prefixes of a row, and of those that end in a null.
func (v *vectors) nullRanges(row []any) {
	for i, p := range v.s.Prefixes {
		if v.ranges(p, row); v.s.Fields[i].Optional && row[i] != nil {
			x := row[i]
			row[i] = nil
			v.ranges(p, row)
			row[i] = x
		}
	}
}

// ranges prints the ranges of a prefix, by the first values of a row.
func (v *vectors) ranges(p code.Prefix, row []any) {
	if p.Ranges == 0 {
		return
	}
	k := v.schema.Key()
	for _, x := range row[:p.Fields] {
		k = put(k, x)
	}
	all, _, err := k.AppendRanges(nil, nil)
	if err != nil {
		field, reason, _ := whose(err)
		v.p("noranges %d %s %s%s", p.Fields, field, reason, said(row[:p.Fields]))
		return
	}
	var list []string
	for _, r := range all {
		list = append(list, fmt.Sprintf("%x-%x", r.Start(), r.Stop()))
	}
	if len(list) == 0 { // they would begin with more bytes than a key has
		list = []string{"-"}
	}
	v.p("ranges %d %s%s", p.Fields, strings.Join(list, ","), said(row[:p.Fields]))
}

// put supplies a value to a key.
func put(k rowkey.KeyBuilder, x any) rowkey.KeyBuilder {
	switch x := x.(type) {
	case nil:
		return k.Null()
	case string:
		return k.String(x)
	case []byte:
		return k.Binary(x)
	case uint64:
		return k.Uint(x)
	case int64:
		return k.Int(x)
	case float64:
		return k.Float(x)
	case bool:
		return k.Bool(x)
	case time.Time:
		return k.Time(x)
	}
	panic("gen: a value of no kind")
}

// read is the row of a key, with nil for what it does not hold, and for a null.
func (v *vectors) read(key []byte) ([]any, error) {
	whole, err := v.schema.Decode(key)
	if err != nil {
		return nil, err
	}
	r := v.schema.Read(key)
	var done []func() any
	for _, f := range v.s.Fields {
		if f.Absent {
			done = append(done, func() any { return nil })
			continue
		}
		if f.Optional {
			r = r.Null(new(bool)) // Has says it
		}
		switch f.Kind {
		case code.String:
			x := new(string)
			r = r.String(x)
			done = append(done, func() any { return *x })
		case code.Binary:
			x := new([]byte)
			r = r.Binary(x)
			done = append(done, func() any { return *x })
		case code.Uint:
			x := new(uint64)
			r = r.Uint(x)
			done = append(done, func() any { return *x })
		case code.Int:
			x := new(int64)
			r = r.Int(x)
			done = append(done, func() any { return *x })
		case code.Float:
			x := new(float64)
			r = r.Float(x)
			done = append(done, func() any { return *x })
		case code.Bool:
			x := new(bool)
			r = r.Bool(x)
			done = append(done, func() any { return *x })
		case code.Time:
			x := new(time.Time)
			r = r.Time(x)
			done = append(done, func() any { return *x })
		case code.Literal, code.Salt, code.Hash:
		}
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	var row []any
	for i, get := range done {
		if row = append(row, get()); v.s.Fields[i].Optional && !whole.Has(v.s.Fields[i].Name) {
			row[i] = nil
		}
	}
	return row, nil
}

// reasons are the library's reasons, as vectors and Java name them.
var reasons = []struct {
	Err  error
	Name string
}{
	{rowkey.ErrMissing, "MISSING"}, {rowkey.ErrRange, "RANGE"}, {rowkey.ErrTerminator, "TERMINATOR"}, {rowkey.ErrLength, "LENGTH"},
	{rowkey.ErrMalformed, "MALFORMED"}, {rowkey.ErrDerived, "DERIVED"}, {rowkey.ErrManyRanges, "RANGES"}, {rowkey.ErrFullScan, "FULL"},
}

// whose is the field, the reason and the byte of an error of the library.
func whose(err error) (field, reason string, at int) {
	var e *rowkey.Error
	if !errors.As(err, &e) {
		return "-", err.Error(), -1
	}
	if field = e.Field; field == "" {
		field = "-"
	}
	for _, r := range reasons {
		if errors.Is(err, r.Err) {
			return field, r.Name, e.Offset
		}
	}
	return field, "OTHER", e.Offset
}

// said is a row as a line has it, a blank before each value.
func said(row []any) string {
	var b strings.Builder
	for _, x := range row {
		b.WriteByte(' ')
		switch x := x.(type) {
		case nil:
			b.WriteByte('-')
		case string:
			b.WriteString(quoted(x))
		case []byte:
			fmt.Fprintf(&b, "x%x", x)
		case float64:
			fmt.Fprintf(&b, "f%016x", math.Float64bits(x))
		case time.Time:
			fmt.Fprintf(&b, "t%d.%09d", x.Unix(), x.Nanosecond())
		case uint64:
			fmt.Fprintf(&b, "u%d", x)
		case int64:
			fmt.Fprintf(&b, "i%d", x)
		case bool:
			fmt.Fprintf(&b, "b%t", x)
		}
	}
	return b.String()
}

// quoted is a text as a line has it.
func quoted(s string) string {
	if !utf8.ValidString(s) {
		return fmt.Sprintf("s%x", s)
	}
	b := []byte{'"'}
	for _, u := range utf16.Encode([]rune(s)) {
		if u > ' ' && u < 0x7f && u != '"' && u != '\\' {
			b = append(b, byte(u))
		} else {
			b = fmt.Appendf(b, `\u%04x`, u)
		}
	}
	return string(append(b, '"'))
}

// pick is one of a list.
func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

var hostile = []string{"a", "b", "_", "\x00", "\xff", "é", " ", "-", "0", "x", "\x01", "\x80", "😀", "|", "漢", "\xed\xa0\x80", "\xc0\x80"}

// value is a value for a field: usual ones, those at its limits, and those beyond.
func value(r *rand.Rand, f *code.Comp) any {
	switch f.Kind {
	case code.String:
		return text(r, f)
	case code.Binary:
		return []byte(text(r, f))
	case code.Uint:
		most := uint64(math.MaxUint64)
		if f.Num != nil {
			most = f.Num.Max
		} else if f.Size < 8 {
			most = 1<<(8*f.Size) - 1
		}
		switch r.IntN(5) {
		case 0:
			return border(r)
		case 1:
			return most - uint64(r.IntN(3)) + uint64(r.IntN(2))
		case 2:
			return uint64(r.IntN(300))
		}
		if most == math.MaxUint64 {
			return r.Uint64()
		}
		return r.Uint64N(most + 1)
	case code.Int:
		least, most := int64(-1)<<(8*f.Size-1), int64(1)<<(8*f.Size-1)-1
		if f.Num != nil {
			least, most = f.Num.IMin, f.Num.IMax
		}
		switch r.IntN(5) {
		case 0:
			return int64(border(r))
		case 1:
			return pick(r, least, most, least-1, most+1, 0, -1)
		case 2:
			return int64(r.IntN(300)) - 150
		}
		return int64(r.Uint64()) >> (64 - 8*f.Size)
	case code.Float:
		x := pick(r, 0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 1.5, -1.5, math.MaxFloat32, math.SmallestNonzeroFloat32,
			r.NormFloat64()*1e6, math.Float64frombits(r.Uint64()))
		if f.Size == 4 && r.IntN(8) > 0 {
			x = float64(float32(x))
		}
		if math.IsNaN(x) {
			x = math.NaN()
		}
		return x
	case code.Bool:
		return r.IntN(2) == 0
	case code.Time:
		return clock(r, f.Num)
	case code.Literal, code.Salt, code.Hash:
	}
	panic("gen: a field of no kind")
}

// border is a number near a power of two, or near its negative.
func border(r *rand.Rand) uint64 {
	u := uint64(1)<<r.IntN(64) + uint64(r.IntN(21)) - 10
	if r.IntN(2) == 0 {
		u = -u
	}
	return u
}

// clock is an instant.
func clock(r *rand.Rand, n *code.Num) time.Time {
	if n == nil || n.Date == nil && n.Step == 0 {
		n = &code.Num{Unit: code.Unit{Step: time.Millisecond}, Max: math.MaxInt64}
	}
	var sec int64
	switch r.IntN(12) {
	case 0:
		sec = pick(r, 0, -1, 1, n.Epoch, n.Epoch-1, 1<<31-1, 1<<31, 1<<32, 253402300799, 253402300800)
	case 1:
		sec = int64(r.Uint64()) >> r.IntN(60)
	case 2:
		sec = r.Int64N(253402300800)
	case 3:
		if n.Date != nil {
			sec = pick(r, n.IMin, n.IMax, n.IMin-1, n.IMax+1)
			break
		}
		if n.Past {
			step := max(1, int64(n.Step/time.Second))
			near := pick(r, int64(-1), 0, 1)
			if n.Truncate > 1 && r.IntN(2) == 0 { // in the first interval, whose beginning is no number, or the next
				near = pick(r, 2, 3, r.Int64N(1+2*int64(time.Duration(n.Truncate)*n.Step/time.Second)))
			}
			sec = n.Epoch + pick(r, n.IMin, n.IMax)/int64(max(1, time.Second/n.Step))*step + near
			break
		}
		per := max(1, uint64(time.Second/n.Step))
		sec = n.Epoch + int64(n.Max/per)*max(1, int64(n.Step/time.Second)) + pick(r, int64(-1), 0, 1)
	case 4: // leap years, and ends of months
		sec = time.Date(1970+r.IntN(500), time.Month(1+r.IntN(12)), pick(r, 1, 28, 29, 30, 31), pick(r, 0, 23), pick(r, 0, 59), pick(r, 0, 59), 0, time.UTC).Unix()
	default:
		sec = 1500000000 + r.Int64N(300000000)
		if n.Past && r.IntN(3) == 0 {
			sec = -r.Int64N(3000000000)
		}
	}
	return time.Unix(sec, pick(r, 0, 1, 999, 1000, 999999, 1000000, 999999999, r.Int64N(1e9))).UTC()
}

// text is a text for a field.
func text(r *rand.Rand, f *code.Comp) string {
	t := f.Text
	if t == nil {
		t = &code.Text{}
	}
	switch {
	case t.Decimal != 0 && r.IntN(12) > 0:
		return number(r)
	case t.Packs() && r.IntN(6) > 0:
		b := []byte("00000000-0000-0000-0000-000000000000")
		for i := range b {
			if b[i] == '0' {
				b[i] = "0123456789abcdef"[r.IntN(16)]
			}
		}
		if r.IntN(8) == 0 {
			b[r.IntN(36)] = pick(r, byte('g'), 'A', '-', 0xff)
		}
		return string(b)
	case len(t.OneOf) > 0 && r.IntN(4) > 0:
		return pick(r, t.OneOf...)
	case len(t.Codes) > 0 && r.IntN(4) > 0:
		return t.Codes[r.IntN(len(t.Codes))][0]
	}
	n := r.IntN(8)
	if t.Frame >= code.Fixed && t.Frame <= code.PadLeft && r.IntN(3) > 0 {
		n = t.N
		if t.Frame != code.Fixed {
			n = r.IntN(t.N + 1)
		}
	}
	if r.IntN(40) == 0 {
		n = pick(r, 254, 255, 256, 300)
	}
	if r.IntN(600) == 0 {
		n = pick(r, 32740, 32767, 32768)
	}
	easy := r.IntN(3) > 0
	var b strings.Builder
	for b.Len() < n {
		switch {
		case easy && t.Chars != nil:
			b.WriteByte(allowed(r, t))
		case easy:
			b.WriteString(pick(r, "a", "b", "c", "x", "y", "é", "1"))
		default:
			b.WriteString(pick(r, hostile...))
		}
	}
	s := b.String()
	if easy && len(s) > n && t.Frame == code.Fixed {
		s = strings.Repeat("q", n)
	}
	if len(f.Mark) > 0 && r.IntN(12) == 0 {
		at := r.IntN(len(s) + 1)
		s = s[:at] + string(f.Mark[:1+r.IntN(len(f.Mark))]) + s[at:]
	}
	return s
}

// number is the text of a decimal number.
func number(r *rand.Rand) string {
	s := pick(r, "", "", "-", "-", "+")
	for range pick(r, 1, 1, 2, 3, 5, 12, 31, 38, 40) {
		s += pick(r, "0", "0", "1", "2", "5", "9", "9")
	}
	if r.IntN(2) == 0 {
		at := r.IntN(len(s) + 1)
		if at == 0 && (s[0] == '-' || s[0] == '+') {
			at = 1
		}
		s = s[:at] + "." + s[at:]
	}
	if r.IntN(4) == 0 {
		s += pick(r, "e", "E") + pick(r, "", "+", "-") + fmt.Sprint(pick(r, 0, 1, 2, 7, 20, 60, 122, 125, 500, 131069, 131072))
	}
	return s
}

// allowed is a byte that Chars admits.
func allowed(r *rand.Rand, t *code.Text) byte {
	for {
		if c := byte(r.IntN(256)); t.Chars.Has(c) {
			return c
		}
	}
}

// breakOne is a key with a fault: cut, longer, or with another byte.
func breakOne(r *rand.Rand, key []byte) []byte {
	key = bytes.Clone(key)
	at := r.IntN(len(key))
	switch r.IntN(5) {
	case 0:
		return key[:at]
	case 1:
		return slices.Insert(key, r.IntN(len(key)+1), pick(r, byte(0), 1, 0xff, 'a', '_', '0'))
	case 2:
		key[at] ^= 1 << r.IntN(8)
	case 3:
		key[at] = pick(r, byte(0), 1, 0xff, 'a', '_', '0', '9', '/', ':', '-', 'A')
	default:
		return slices.Delete(key, at, at+1)
	}
	return key
}
