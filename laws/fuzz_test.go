package laws

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/advice"
	"github.com/hbase-rowkey/rowkey/interop"
)

// Fuzz targets. Each one draws a layout and rows from the fuzzer's bytes and
// checks the laws on them, without a model of the encoding: a key gives back
// its row, keys sort as their schema says, a range holds its rows and no
// others, and nothing panics whatever the bytes.

// fuzzed is a layout with what the checks have to know of it.
type fuzzed struct {
	*rowkey.Schema
	loose bool
	// How much a time loses at most; a field that is not here loses less than
	// a millisecond, unless nothing is known of the units.
	steps   map[string]time.Duration
	anyUnit bool
}

var (
	fuzzEast = time.FixedZone("east", 8*3600)
	fuzzDay  = time.Date(2012, 12, 12, 0, 0, 0, 0, fuzzEast)
)

// fuzzSchemas use every kind, every option and every input at least once.
var fuzzSchemas = []fuzzed{
	{Schema: rowkey.New("trades").
		Salt(16, "seller").
		String("seller").Separator("_").
		Time("at", rowkey.Millis, rowkey.Desc).
		Uint("order", 8).
		MustBuild()},
	{Schema: rowkey.New("orders").
		Hash(rowkey.MD5.Hex(4), "stored(uid)").
		Uint("uid", 8, rowkey.Digits(10)).
		Uint("order", 8, rowkey.Digits(12)).
		MustBuild()},
	{Schema: rowkey.New("java").
		Salt(100, "user", interop.JavaHash, rowkey.Digits(2)).Separator("_").
		Salt(26, "text(user)", interop.JavaHashAbs, rowkey.Letters("abcdefghijklmnopqrstuvwxyz")).
		Salt(1000, `format("%s/%d",user,n)`, interop.JavaHashFloor, rowkey.Decimal, rowkey.Named("floor")).Separator("_").
		Int("n", 4).
		String("user").
		MustBuild()},
	{Schema: rowkey.New("hbase", interop.HBase).
		Int("a", 8).
		Int("b", 4, rowkey.Desc).
		Float("f", 8).
		Float("g", 4).
		Bool("ok").
		Int("c", 2, rowkey.Reverse).
		String("s").
		MustBuild()},
	{Schema: rowkey.New("numbers").
		Int("a", 1).
		Int("b", 3, rowkey.Desc).
		Int("w", 8, rowkey.Width(2)).
		Uint("c", 5, rowkey.Desc).
		Uint("d", 8, rowkey.Width(4), rowkey.Desc).
		Uint("e", 8, rowkey.Width(3)).
		Uint("little", 4, rowkey.Reverse).
		Float("x", 4).
		Float("y", 8, rowkey.Desc).
		Bool("z").
		MustBuild()},
	{Schema: rowkey.New("frames").
		String("fixed", rowkey.Fixed(3)).
		String("pad", rowkey.Pad(5, 0)).
		Binary("left", rowkey.PadLeft(4, ' ')).
		Binary("esc", rowkey.Escaped).
		Binary("inv", rowkey.Escaped, rowkey.Desc).
		String("x", rowkey.Pad(6, 'x')).
		String("down", rowkey.Desc, rowkey.Pad(4, 0xff)).
		String("last", rowkey.Desc).
		MustBuild()},
	{Schema: rowkey.New("ends").
		Literal("v1-").
		String("a").Separator("__").
		Binary("b").Separator("\x00").
		String("c", rowkey.Desc).Separator("\xff\xfe").
		Binary("d").
		MustBuild()},
	{Schema: rowkey.New("reversals").
		String("bytes", rowkey.Reverse).Separator("\x00").
		String("runes", rowkey.ReverseRune, rowkey.Escaped).
		String("labels", rowkey.ReverseLabels(".")).Separator("/").
		String("part", rowkey.ReversePart(1, 4), rowkey.Fixed(6)).
		String("tail", rowkey.ReversePart(0, 2)).
		MustBuild()},
	{Schema: rowkey.New("digits").
		Uint("decimal", 8, rowkey.Decimal).Separator("-").
		Uint("hex", 4, rowkey.HexDigits(8), rowkey.Desc).
		Uint("max", 8, rowkey.Desc, rowkey.Digits(20)).
		Uint("nines", 4, rowkey.Digits(7), rowkey.Desc).
		Uint("back", 4, rowkey.Digits(10), rowkey.Reverse).
		Uint("pad", 8, rowkey.Decimal, rowkey.Pad(20, ' ')).
		Uint("padleft", 2, rowkey.Decimal, rowkey.PadLeft(5, '_')).
		Uint("esc", 8, rowkey.Decimal, rowkey.Escaped).
		Uint("one", 1, rowkey.Below(10), rowkey.Decimal).
		Uint("var", 8, rowkey.Varint).Uint("rav", 8, rowkey.Varint, rowkey.Desc).
		Uint("last", 8, rowkey.Desc, rowkey.Decimal, rowkey.Reverse).
		MustBuild()},
	{Schema: rowkey.New("times").
		Time("ns", rowkey.Nanos).
		Time("us", rowkey.Micros, rowkey.Desc).
		Time("s", rowkey.Seconds, rowkey.Width(4), rowkey.Desc).
		Time("min", rowkey.Minutes, rowkey.Digits(9)).
		Time("h", rowkey.Hours, rowkey.Truncate(24*time.Hour)).
		Time("d", rowkey.Days, rowkey.HexDigits(6), rowkey.Desc).
		Time("ms", rowkey.Millis, rowkey.Desc, rowkey.Digits(19)).
		Time("y", rowkey.Millis, rowkey.Digits(13), rowkey.Desc, rowkey.Years(2000, 2100)).
		Time("quarter", rowkey.Millis, rowkey.Truncate(15*time.Minute), rowkey.Decimal).
		MustBuild(),
		steps: map[string]time.Duration{"s": time.Second, "min": time.Minute, "h": 24 * time.Hour, "d": 24 * time.Hour, "quarter": 15 * time.Minute}},
	{Schema: rowkey.New("layouts").
		Time("day", rowkey.Layout("20060102", time.UTC)).Separator("-").
		Time("hour", rowkey.Layout("2006010215", fuzzEast), rowkey.Width(4)).
		Time("sec", rowkey.Layout("2006-01-02 15:04:05", fuzzEast)).
		Time("down", rowkey.Layout("20060102150405", time.UTC), rowkey.Desc, rowkey.Years(1990, 2040)).
		Time("back", rowkey.Layout("200601", time.UTC), rowkey.Reverse).
		MustBuild(),
		steps: map[string]time.Duration{"day": 24 * time.Hour, "hour": time.Hour, "sec": time.Second, "down": time.Second, "back": 31 * 24 * time.Hour}},
	{Schema: rowkey.New("limits").
		String("one", rowkey.OneOf("a", "bb", "host1")).Separator("|").
		String("codes", rowkey.Codes(map[string]string{"淘宝": "tb", "a": "tm", "host1": "00"})).
		String("chars", rowkey.Chars("abc")).Separator(" ").
		Uint("slot", 1, rowkey.Below(16)).
		Time("at", rowkey.Millis.Since(fuzzDay), rowkey.Width(4), rowkey.Below(86_400_000)).
		String("free", rowkey.OneOf("0", "10", "11")).
		Bool("end").
		MustBuild()},
	{Schema: rowkey.New("copies").
		Copy("day", "at", rowkey.Layout("20060102", time.UTC)).
		Copy("tail", "phone", rowkey.Right(4)).
		Copy("head", "name", rowkey.Left(2), rowkey.Escaped).
		String("phone", rowkey.Fixed(11)).
		String("name").Separator("\x00").
		Time("at", rowkey.Millis).
		Copy("again", "at", rowkey.Desc, rowkey.Digits(19)).
		MustBuild()},
	{Schema: rowkey.New("notstored").
		String("region", rowkey.NotStored).
		Salt(16, "region").
		Hash(rowkey.Murmur3.Raw(2), "values(region,day)").
		Time("at", rowkey.Millis).
		Uint("id", 8).
		Copy("day", "at", rowkey.Layout("20060102", fuzzEast), rowkey.NotStored).
		MustBuild()},
	{Schema: rowkey.New("pair").
		Hash(rowkey.Murmur3.Raw(2), "minmax(from,to)").
		Uint("from", 8).Uint("to", 8).
		Time("at", rowkey.Millis, rowkey.Desc).
		MustBuild()},
	{Schema: rowkey.New("rest").
		Salt(20, "rest()", interop.PhoenixHash, rowkey.Width(2)).
		Hash(rowkey.SHA1.HexAt(3, 5).Upper(), "rest()").
		Salt(7, "stored(b,n)", interop.PinpointHash).
		Salt(300, "n", interop.HBaseWDHash, rowkey.Digits(3)).
		Binary("b", rowkey.Escaped).
		Int("n", 3).
		MustBuild()},
	{Schema: rowkey.New("modulo").
		Salt(10, "ts", rowkey.Modulo).
		Salt(3, "i", rowkey.Modulo, rowkey.Letters("xyz")).
		Time("ts", rowkey.Millis).
		Int("i", 4).
		String("host").
		MustBuild()},
	{Schema: rowkey.New("digests").
		Hash(rowkey.SHA256.Hex(8), `format("%s-%05d-%x-%X%%",s,i,u,u)`).
		Hash(rowkey.SHA512.Raw(3), "text(u,ok,at)").
		Hash(interop.Murmur3x128.Raw(2), "values(s,i,f)").
		Salt(1<<20, "values(s,u)", rowkey.MD5.Raw(7), rowkey.Width(3)).
		String("s").Separator("\x00").
		Int("i", 4).Uint("u", 3).Bool("ok").Float("f", 8).
		Time("at", rowkey.Seconds).
		MustBuild(),
		steps: map[string]time.Duration{"at": time.Second}},
	{Schema: rowkey.New("max", rowkey.MaxLen(12)).
		String("s").
		MustBuild()},
	{Schema: rowkey.New("phoenix", interop.Phoenix).
		Salt(8, "rest()").
		String("char", rowkey.Pad(4, ' ')).
		Int("n", 4, rowkey.Desc).
		String("down", rowkey.Desc).
		String("up").
		Time("at", rowkey.Millis, rowkey.Desc).
		Uint("u", 2).
		Float("f", 8).
		Bool("ok", rowkey.Desc).
		Binary("encoded", rowkey.Escaped).
		Binary("last").
		MustBuild()},
	{Schema: rowkey.New("ordered", interop.OrderedBytes).
		String("down", rowkey.Desc).
		String("up").
		Int("n", 8).
		Int("i", 1, rowkey.Desc).
		Binary("var").
		Float("f", 4, rowkey.Desc).
		Time("at", rowkey.Seconds).
		Binary("last", interop.BlobCopy).
		MustBuild(),
		steps: map[string]time.Duration{"at": time.Second}},
	{loose: true, Schema: rowkey.New("devices").
		Salt(4, "device").
		String("device", rowkey.Loose).Separator("_").
		Uint("n", 3).
		MustBuild()},
	{loose: true, Schema: rowkey.New("glued").
		Uint("uid", 8, rowkey.Decimal, rowkey.Loose).
		String("phone", rowkey.Loose).
		String("name").
		MustBuild()},
	{loose: true, Schema: rowkey.New("padded").
		String("col", rowkey.Pad(6, 'x'), rowkey.Loose).
		String("rest").
		MustBuild()},
}

// ---- rows from bytes

// feed deals out the fuzzer's bytes; when they are used up it deals out zeros.
type feed struct{ b []byte }

func (f *feed) byte() byte {
	if len(f.b) == 0 {
		return 0
	}
	c := f.b[0]
	f.b = f.b[1:]
	return c
}

func (f *feed) bytes(n int) []byte {
	n = min(n, len(f.b))
	b := f.b[:n:n]
	f.b = f.b[n:]
	return b
}

func (f *feed) uint(n int) (v uint64) {
	for range n {
		v = v<<8 | uint64(f.byte())
	}
	return v
}

// pick is one of the given things.
func pick[T any](f *feed, of ...T) T { return of[int(f.byte())%len(of)] }

var fuzzTexts = []string{
	"", "a", "b", "bb", "abc", "host1", "host12", "host1x", "s-42", "a_b", "_", "__", "a__", "\x00", "\x00\xff", "\x00\x01", "\xff", "\xff\xff",
	"a.b.c", ".", "..", "淘宝", "caf\u00e9", "\U0001f600", "\xed\xa0\x80", "13112345678", "polygenelubricants", "0", "10", "11", "xx", "  ", "a|b", "%",
}

func (f *feed) text() []byte {
	mode := f.byte()
	if mode < 128 {
		return []byte(fuzzTexts[int(mode)%len(fuzzTexts)])
	}
	return f.bytes(int(mode) % 24)
}

// value is a value for a field of this kind.
func (f *feed) value(k string) any {
	switch k {
	case "string":
		return string(f.text())
	case "binary":
		return append([]byte{}, f.text()...)
	case "bool":
		return f.byte()&1 == 1
	case "uint":
		mode := f.byte()
		if mode > 240 {
			return ^f.uint(int(mode) % 3)
		}
		return f.uint(int(mode) % 9)
	case "int":
		mode := f.byte()
		v := int64(f.uint(int(mode) % 9))
		if mode > 128 {
			v = ^v
		}
		return v
	case "float":
		switch mode := f.byte(); {
		case mode < 100:
			return math.Float64frombits(f.uint(8))
		case mode < 200:
			return float64(math.Float32frombits(uint32(f.uint(4))))
		default:
			return pick(f, 0, math.Copysign(0, -1), 1, -1, 1.5, -1.5, 0.1, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, math.SmallestNonzeroFloat64)
		}
	case "time":
		switch mode := f.byte(); {
		case mode < 100:
			return time.UnixMilli(1684203630000 + int64(int32(f.uint(4)))*1000)
		case mode < 150:
			return time.UnixMilli(int64(f.uint(6)))
		case mode < 200:
			return fuzzDay.Add(time.Duration(f.uint(4)) * time.Millisecond)
		case mode < 220:
			return time.Unix(int64(f.uint(4)), int64(f.uint(4)))
		case mode < 240:
			return time.Unix(int64(f.uint(8)), int64(f.uint(4)))
		default:
			return pick(f, time.Time{}, time.Unix(0, 0), time.Unix(-1, 0), time.UnixMilli(math.MaxInt64), time.UnixMilli(math.MinInt64),
				time.Unix(1<<62, 0), time.Unix(math.MaxInt32, 999999999), time.Unix(1<<32, 0), time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
				time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), fuzzDay)
		}
	}
	return nil
}

// supplied are the fields that a caller supplies.
func supplied(s *rowkey.Schema) (fields []rowkey.FieldInfo) {
	for f := range s.Fields() {
		if !f.Derived && f.Kind != "literal" {
			fields = append(fields, f)
		}
	}
	return fields
}

// row is a value for every field.
func (f *feed) row(s *rowkey.Schema) (values []any) {
	for _, field := range supplied(s) {
		values = append(values, f.value(field.Kind))
	}
	return values
}

// build supplies values to a KeyBuilder.
func build(k rowkey.KeyBuilder, values []any) rowkey.KeyBuilder {
	for _, v := range values {
		switch v := v.(type) {
		case string:
			k = k.String(v)
		case []byte:
			k = k.Binary(v)
		case uint64:
			k = k.Uint(v)
		case int64:
			k = k.Int(v)
		case float64:
			k = k.Float(v)
		case bool:
			k = k.Bool(v)
		case time.Time:
			k = k.Time(v)
		default:
			panic(fmt.Sprintf("a field of %T", v))
		}
	}
	return k
}

// compareValues orders two values of one kind.
func compareValues(a, b any) int {
	switch a := a.(type) {
	case string:
		return cmp.Compare(a, b.(string))
	case []byte:
		return bytes.Compare(a, b.([]byte))
	case uint64:
		return cmp.Compare(a, b.(uint64))
	case int64:
		return cmp.Compare(a, b.(int64))
	case float64:
		return cmp.Compare(a, b.(float64))
	case time.Time:
		return a.Compare(b.(time.Time))
	case bool:
		switch {
		case a == b.(bool):
			return 0
		case a:
			return 1
		}
		return -1
	}
	panic(fmt.Sprintf("a value of %T", a))
}

// ---- the checks

// refusal fails unless the error is a typed one, of this schema and for one of
// these reasons.
func refusal(t *testing.T, what string, s *rowkey.Schema, err error, reasons ...error) {
	t.Helper()
	var typed *rowkey.Error
	if !errors.As(err, &typed) || !slices.ContainsFunc(reasons, func(r error) bool { return errors.Is(err, r) }) {
		t.Fatalf("%s: %s: error %v is none of %v", s, what, err, reasons)
	}
	if !strings.HasPrefix(err.Error(), "rowkey: ") {
		t.Fatalf("%s: %s: error %q does not say whose it is", s, what, err)
	}
}

// unreadable are the reasons for which bytes may not be a key.
var unreadable = []error{rowkey.ErrMalformed, rowkey.ErrDerived, rowkey.ErrAmbiguous, rowkey.ErrLength}

// decoded is the supplied values of a decoded row; what is not stored is nil.
func decoded(t *testing.T, s *rowkey.Schema, row rowkey.Row) (values []any) {
	t.Helper()
	for _, f := range supplied(s) {
		if row.Has(f.Name) != f.Stored {
			t.Fatalf("%s: Has(%s) is %v, stored is %v", s, f.Name, row.Has(f.Name), f.Stored)
		}
		if !f.Stored {
			values = append(values, nil)
			continue
		}
		v, err := fieldValue(s, row, f)
		if err != nil {
			t.Fatalf("%s: %s: %v", s, f.Name, err)
		}
		values = append(values, v)
	}
	return values
}

// filled is decoded values with what is not stored taken from others.
func filled(values, from []any) []any {
	out := slices.Clone(values)
	for i, v := range out {
		if v == nil {
			out[i] = from[i]
		}
	}
	return out
}

// checkRow writes a row in every way, reads it back in every way, and looks
// for it in its ranges. It gives the key and what the key holds; nil if the
// row cannot be written or the key cannot be read.
func checkRow(t *testing.T, s fuzzed, values []any) (key []byte, back []any) {
	t.Helper()
	given := fmt.Sprintf("%#v", values)
	head := []byte("head")
	dst, err := s.AppendKey(append(make([]byte, 0, 256), head...), values...)
	short, err2 := s.AppendKey(head[:4:4], values...)
	fluent, err3 := build(s.Key(), values).Bytes()
	room, err4 := build(s.KeyIn(make([]byte, 3, 128)), values).Bytes()
	if got := fmt.Sprintf("%#v", values); got != given {
		t.Fatalf("%s: writing a row made of %s %s", s, given, got)
	}
	if err != nil {
		for i, e := range []error{err, err2, err3, err4} {
			refusal(t, fmt.Sprintf("way %d of writing %s", i, given), s.Schema, e, rowkey.ErrRange, rowkey.ErrTerminator, rowkey.ErrLength)
			if errors.Unwrap(e) != errors.Unwrap(err) && e.Error() != err.Error() {
				t.Fatalf("%s: writing %s gives the errors %v and %v", s, given, err, e)
			}
		}
		if string(dst) != "head" || string(short) != "head" || len(fluent) != 0 || len(room) != 0 {
			t.Fatalf("%s: after %v the buffers hold %q, %q, %q, %q", s, err, dst, short, fluent, room)
		}
		return nil, nil
	}
	if err2 != nil || err3 != nil || err4 != nil {
		t.Fatalf("%s: writing %s gives the errors %v, %v, %v, %v", s, given, err, err2, err3, err4)
	}
	key = dst[len(head):]
	if string(dst[:4]) != "head" || string(short) != string(dst) || !bytes.Equal(fluent, key) || !bytes.Equal(room, key) {
		t.Fatalf("%s: %s is written as %x, %x, %x and %x", s, given, dst, short, fluent, room)
	}
	if len(key) == 0 || len(key) > math.MaxInt16 {
		t.Fatalf("%s: %s makes a key of %d bytes", s, given, len(key))
	}
	checkRanges(t, s, values, key)

	row, err := s.Decode(key)
	if s.loose && errors.Is(err, rowkey.ErrAmbiguous) {
		return nil, nil
	}
	if err != nil {
		t.Fatalf("%s: %s makes the key %x: %v", s, given, key, err)
	}
	back = decoded(t, s.Schema, row)
	for i, f := range supplied(s.Schema) {
		if !f.Stored {
			continue
		}
		if at, ok := values[i].(time.Time); ok {
			step := s.steps[f.Name]
			if step == 0 {
				step = time.Millisecond
			}
			if got := back[i].(time.Time); !s.anyUnit && (got.After(at) || at.Sub(got) >= step) {
				t.Fatalf("%s: %s is %v, written as %v", s, f.Name, at, got)
			}
			continue
		}
		if compareValues(back[i], values[i]) != 0 {
			t.Fatalf("%s: %s is %#v, written as %#v in %x", s, f.Name, values[i], back[i], key)
		}
	}
	again, err := s.AppendKey(nil, filled(back, values)...)
	if err != nil || !bytes.Equal(again, key) {
		t.Fatalf("%s: key %x is read and written again as %x, %v", s, key, again, err)
	}
	checkReaders(t, s, key, back)

	whole, err := s.Rekey(nil, key, s.Schema)
	switch {
	case slices.Contains(back, nil):
		if !errors.Is(err, rowkey.ErrMissing) || len(whole) != 0 {
			t.Fatalf("%s: Rekey of %x gives %x, %v where a field is not in the key", s, key, whole, err)
		}
	case err != nil || !bytes.Equal(whole, key):
		t.Fatalf("%s: Rekey of %x gives %x, %v", s, key, whole, err)
	}
	if report := advice.Fit(s.Schema, slices.Values([][]byte{key})); report.Keys != 1 || report.Fit != 1 {
		t.Fatalf("%s: Check of %x gives %+v", s, key, report)
	}
	checkPieces(t.Fatalf, s.Schema, key)
	return key, back
}

// checkReaders reads a key in the other ways.
func checkReaders(t *testing.T, s fuzzed, key []byte, back []any) {
	t.Helper()
	loose, err := s.DecodeLoose(key)
	if s.loose && errors.Is(err, rowkey.ErrAmbiguous) {
		return // a hash can tell readings apart, which DecodeLoose does not look at
	}
	if err != nil {
		t.Fatalf("%s: DecodeLoose(%x): %v", s, key, err)
	}
	for i, v := range decoded(t, s.Schema, loose) {
		if v != nil && compareValues(v, back[i]) != 0 {
			t.Fatalf("%s: DecodeLoose(%x) has %#v, Decode %#v", s, key, v, back[i])
		}
	}
	for name, v := range loose.All() {
		i := slices.IndexFunc(supplied(s.Schema), func(f rowkey.FieldInfo) bool { return f.Name == name })
		if i < 0 {
			continue // derived
		}
		if !vectorSameValue(v, back[i]) {
			t.Fatalf("%s: All of %x has %#v as %s, Decode %#v", s, key, v, name, back[i])
		}
	}
	got, err := readAll(t, s.Schema, key)
	if err != nil {
		t.Fatalf("%s: Read(%x): %v", s, key, err)
	}
	for i, v := range back {
		if v != nil && compareValues(v, got[i]) != 0 {
			t.Fatalf("%s: Read(%x) has %#v, Decode %#v", s, key, got[i], v)
		}
	}
}

// readAll reads every field that is in the key. String and Binary must agree, also in an error.
func readAll(t *testing.T, s *rowkey.Schema, key []byte) (values []any, err error) {
	r := s.Read(key)
	for _, f := range supplied(s) {
		if !f.Stored {
			values = append(values, nil)
			continue
		}
		switch f.Kind {
		case "string":
			v, b := "old", append(make([]byte, 0, 64), "old"...)
			into := r.Binary(&b)
			r = r.String(&v)
			values = append(values, v)
			if string(b) != v || fmt.Sprint(into.Err()) != fmt.Sprint(r.Err()) {
				t.Fatalf("%s, %x, field %s: String reads %q and %v, Binary %q and %v", s, key, f.Name, v, r.Err(), b, into.Err())
			}
		case "binary":
			v := append(make([]byte, 0, len(key)%40+3), "old"...)
			r = r.Binary(&v)
			values = append(values, v)
		case "uint":
			var v uint64
			r = r.Uint(&v)
			values = append(values, v)
		case "int":
			var v int64
			r = r.Int(&v)
			values = append(values, v)
		case "float":
			var v float64
			r = r.Float(&v)
			values = append(values, v)
		case "bool":
			var v bool
			r = r.Bool(&v)
			values = append(values, v)
		case "time":
			var v time.Time
			r = r.Time(&v)
			values = append(values, v)
		}
	}
	return values, r.Err()
}

// Each other byte in each place of a key, and each shorter key: what the ways of reading compare at once is of many kinds.
func TestDamagedPlaces(t *testing.T) {
	for notation, values := range map[string][]any{
		"[salt16(a)][a]['::'][b:8]":                      {"abc", 7},
		"[salt16(a)][a reverse]['_'][b:8]":               {"abc", 7},
		"[salt16(a)][a pad(4,' ')]['_'][b:8]":            {"abc", 7},
		"[salt16(a)][a pad(4,' ')]['ab'][b:4]":           {"abc", 7},
		"[a pad(4,' ')][salt8(b)]['_'][b]":               {"abc", "d"},
		"[a fixed(3)][salt8(b)]['_'][b]":                 {"abc", "d"},
		"[a]['__'][b]":                                   {"abc", "d"},
		"[a reverse fixed(3)]['_'][b:1]":                 {"abc", 7},
		"[a:8]['123456789'][b:8]":                        {7, 8},
		"[a:2]['12345'][b]":                              {7, "c"},
		"[a:4][salt8(b)]['-'][b:4]":                      {7, 8},
		"[a:4]['-'][salt8(b)]['--'][b]":                  {7, "c"},
		"[s(a) truncate(1h)]['ab'][b:f4]":                {time.Unix(7200, 0).UTC(), 1.5},
		"[salt8(a) modulo]['-'][a:4 below(300)]['/'][b]": {7, "c"},
		"[a:8][salt8(a) modulo]":                         {7},
		"[a:1][salt8(a) modulo][b:1]":                    {7, 8},
		"orderedbytes [a:i8][b:i8]":                      {-7, 8},
		"[a:i8 orderedbytes]['_'][b]":                    {-7, "c"},
		"[ms(a) orderedbytes][b:4]":                      {time.UnixMilli(7).UTC(), 8},
		"[salt200(a)][a codes('ab':'x','cd':'y')][b:1]":  {"ab", 7},
		"[a codes('ab':'x','cd':'y')][b:1]":              {"ab", 7},
		"[a oneof('ab','cd')]['::'][b:1]":                {"cd", 7},
		"[a oneof('ab','c')]['_'][b:1]":                  {"c", 7},
		"[a oneof('ab','cde')]":                          {"ab"},
		"[a oneof('')]['_'][b]":                          {"", "a text of 18 bytes"},
		"[a codes('ab':'')]['_'][b:8]":                   {"ab", 7},
		"phoenix [a:f4][b:f8]":                           {-1.5, 0.0},
		"hbase [a:f4][b:f8][c:bool]":                     {-1.5, 0.0, true},
	} {
		s := fuzzed{Schema: rowkey.Must(rowkey.Parse("t", notation)), anyUnit: true}
		key := rowkey.Must(s.AppendKey(nil, values...))
		for i := range key {
			checkBytes(t, s, key[:i])
			for b := range 256 {
				damaged := slices.Clone(key)
				damaged[i] = byte(b)
				checkBytes(t, s, damaged)
			}
		}
		turned := slices.Clone(key)
		slices.Reverse(turned[1:min(4, len(turned))])
		for b := range 256 { // the salt of a text that is stored in reverse order is not that of its bytes
			turned[0] = byte(b)
			checkBytes(t, s, turned)
		}
	}
}

// checkRanges looks for a key in the ranges of every beginning of its row: in
// exactly one of each. The beginning then goes on to the same key.
func checkRanges(t *testing.T, s fuzzed, values []any, key []byte) {
	t.Helper()
	for n := range len(values) + 1 {
		ranges, arena, err := build(s.Key(), values[:n]).AppendRanges(nil, nil)
		so := build(s.Key(), values[:n])
		r, err1 := so.Range()
		if whole, err := build(so, values[n:]).Bytes(); err != nil || !bytes.Equal(whole, key) {
			t.Fatalf("%s: after the Range of %d fields the key of %#v is %x, %v; not %x", s, n, values, whole, err, key)
		}
		if err != nil {
			refusal(t, fmt.Sprintf("AppendRanges of %d fields", n), s.Schema, err, rowkey.ErrFullScan, rowkey.ErrManyRanges, rowkey.ErrLength)
			if len(ranges) != 0 || len(arena) != 0 {
				t.Fatalf("%s: after %v there are %d ranges and %d bytes", s, err, len(ranges), len(arena))
			}
			if err1 == nil {
				t.Fatalf("%s: Range of %d fields is %v, AppendRanges fails with %v", s, n, r, err)
			}
			continue
		}
		holds := 0
		for i, r := range ranges {
			if r.Contains(key) {
				holds++
			}
			if r.Empty() || i > 0 && bytes.Compare(ranges[i-1].Stop(), r.Start()) > 0 {
				t.Fatalf("%s: range %d of %d fields of %#v is %v, after %v", s, i, n, values, r, ranges[max(0, i-1)])
			}
		}
		if holds != 1 {
			t.Fatalf("%s: key %x lies in %d of the %d ranges of its first %d fields: %v", s, key, holds, len(ranges), n, ranges)
		}
		switch {
		case err1 == nil && (len(ranges) != 1 || !bytes.Equal(r.Start(), ranges[0].Start()) || !bytes.Equal(r.Stop(), ranges[0].Stop())):
			t.Fatalf("%s: Range of %d fields is %v, AppendRanges gives %v", s, n, r, ranges)
		case err1 != nil:
			refusal(t, fmt.Sprintf("Range of %d fields", n), s.Schema, err1, rowkey.ErrFullScan, rowkey.ErrManyRanges, rowkey.ErrLength)
			if len(ranges) == 1 && !s.loose {
				t.Fatalf("%s: Range of %d fields fails with %v, AppendRanges gives %v", s, n, err1, ranges)
			}
		}
	}
}

// otherZero reports that two rows have 0 and −0 in one place, which are equal, and which
// the dialects keep apart.
func otherZero(a, b []any) bool {
	for i := range a {
		x, float := a[i].(float64)
		if float && x == 0 && math.Signbit(x) != math.Signbit(b[i].(float64)) {
			return true
		}
	}
	return false
}

// checkPair compares the keys of two rows: they differ if the rows do, they
// sort as the schema says of the first field in which the rows differ, and
// neither lies in a range that the other's field bounds.
func checkPair(t *testing.T, s fuzzed, a, b []any) {
	t.Helper()
	fields := supplied(s.Schema)
	for i, f := range fields {
		if !f.Stored {
			b[i] = a[i] // what is not in the key cannot tell rows apart
		}
	}
	keyA, rowA := checkRow(t, s, a)
	keyB, rowB := checkRow(t, s, b)
	if rowA == nil || rowB == nil {
		return
	}
	first := -1
	for i, f := range fields {
		if f.Stored && compareValues(rowA[i], rowB[i]) != 0 {
			first = i
			break
		}
	}
	if first < 0 {
		if !bytes.Equal(keyA, keyB) && !otherZero(rowA, rowB) {
			t.Fatalf("%s: one row %#v has two keys, %x and %x", s, rowA, keyA, keyB)
		}
		return
	}
	if bytes.Equal(keyA, keyB) {
		t.Fatalf("%s: rows %#v and %#v share the key %x", s, rowA, rowB, keyA)
	}
	if s.loose {
		return
	}
	name := fields[first].Name
	order := s.Order(name)
	if order != fields[first].Order {
		t.Fatalf("%s: the order of %s is %v and %v", s, name, order, fields[first].Order)
	}
	want := compareValues(rowA[first], rowB[first])
	if order == rowkey.Backward {
		want = -want
	}
	atA, atB := fieldOffset(t, s.Schema, keyA, name), fieldOffset(t, s.Schema, keyB, name)
	if got := bytes.Compare(keyA[atA:], keyB[atB:]); order != rowkey.Unordered && got != want {
		t.Fatalf("%s: %s is %v, but %#v and %#v make %x and %x", s, name, order, rowA[first], rowB[first], keyA[atA:], keyB[atB:])
	}
	if text, ok := textOf(rowA[first]); ok {
		other, _ := textOf(rowB[first])
		for n := range min(len(text), 6) {
			checkPrefix(t, s, a[:first], text[:n+1], text, keyA)
			checkPrefix(t, s, a[:first], text[:n+1], other, keyB)
		}
		checkPrefix(t, s, a[:first], text+"a", text, keyA)
		checkPrefix(t, s, a[:first], other+text, other, keyB)
	}
	ranges, _, err := build(s.Key(), a[:first+1]).AppendRanges(nil, nil)
	if err != nil {
		return // checkRow has seen why
	}
	for _, r := range ranges {
		if r.Contains(keyB) {
			t.Fatalf("%s: the range %v of %#v holds the key %x of %#v", s, r, a[:first+1], keyB, b)
		}
	}
}

func textOf(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case []byte:
		return string(v), true
	}
	return "", false
}

// checkPrefix looks for a key, whose next field has this value, in the ranges of
// a beginning: it lies in one of them if the value begins so, else in none.
func checkPrefix(t *testing.T, s fuzzed, values []any, prefix, value string, key []byte) {
	t.Helper()
	ranges, _, err := build(s.Key(), values).Prefix(prefix).AppendRanges(nil, nil)
	if err != nil {
		refusal(t, fmt.Sprintf("ranges of the prefix %q", prefix), s.Schema, err,
			rowkey.ErrType, rowkey.ErrTerminator, rowkey.ErrLength, rowkey.ErrRange, rowkey.ErrManyRanges, rowkey.ErrFullScan)
		return
	}
	want, holds := 0, 0
	if strings.HasPrefix(value, prefix) {
		want = 1
	}
	for _, r := range ranges {
		if r.Contains(key) {
			holds++
		}
	}
	if holds != want {
		t.Fatalf("%s: key %x of the value %q lies in %d ranges of the prefix %q behind %#v: %v", s, key, value, holds, prefix, values, ranges)
	}
}

// fieldOffset is where a field begins in a key.
func fieldOffset(t *testing.T, s *rowkey.Schema, key []byte, name string) (at int) {
	t.Helper()
	row, err := s.Decode(key)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	for f := range s.Fields() {
		switch {
		case f.Kind == "literal":
			at += f.Size
		case f.Name == name:
			return at
		default:
			at += len(row.Stored(f.Name))
		}
	}
	t.Fatalf("%s: no field %s", s, name)
	return 0
}

// checkBytes reads bytes that may be no key at all. What decodes must be the
// key of what it decodes to.
func checkBytes(t *testing.T, s fuzzed, key []byte) {
	t.Helper()
	given := slices.Clone(key)
	row, err := s.Decode(key)
	loose, err2 := s.DecodeLoose(key)
	values, err3 := readAll(t, s.Schema, key)
	for i, e := range []error{err, err2, err3} {
		if e != nil {
			refusal(t, fmt.Sprintf("way %d of reading %x", i, key), s.Schema, e, unreadable...)
			var typed *rowkey.Error
			if errors.As(e, &typed) && (typed.Offset < -1 || typed.Offset > len(key)) {
				t.Fatalf("%s: reading %x fails at byte %d", s, key, typed.Offset)
			}
		}
	}
	if (err == nil) != (err3 == nil) {
		t.Fatalf("%s: Decode of %x gives %v, Read gives %v", s, key, err, err3)
	}
	if err == nil {
		back := decoded(t, s.Schema, row)
		if !slices.Contains(back, nil) {
			again, err := s.AppendKey(nil, back...)
			if err != nil || !bytes.Equal(again, key) {
				t.Fatalf("%s: %x decodes to %#v, which is written as %x, %v", s, key, back, again, err)
			}
		}
		for i, v := range back {
			if v != nil && compareValues(v, values[i]) != 0 {
				t.Fatalf("%s: Read(%x) has %#v, Decode %#v", s, key, values[i], v)
			}
		}
		if err2 != nil && !(s.loose && errors.Is(err2, rowkey.ErrAmbiguous)) {
			t.Fatalf("%s: Decode takes %x, DecodeLoose gives %v", s, key, err2)
		}
	}
	if err2 == nil {
		decoded(t, s.Schema, loose)
		if err != nil && !errors.Is(err, rowkey.ErrDerived) && !s.loose {
			t.Fatalf("%s: DecodeLoose takes %x, Decode gives %v", s, key, err)
		}
	}

	report := advice.Fit(s.Schema, slices.Values([][]byte{key, key}))
	if report.Keys != 2 || (report.Fit == 2) != (err == nil) ||
		report.Fit+report.Malformed+report.Derived+report.Ambiguous+report.Rewritten != 2 {
		t.Fatalf("%s: Check of %x gives %+v, Decode gives %v", s, key, report, err)
	}
	if s.Explain(key) == "" {
		t.Fatalf("%s: nothing explains %x", s, key)
	}

	// Reading by the wrong words is an error and no more.
	var (
		text  string
		bin   []byte
		u     uint64
		i     int64
		float float64
		flag  bool
		at    time.Time
	)
	r := s.Read(key)
	_ = r.Skip().Skip().Skip().Err()
	_ = r.String(&text).Uint(&u).Time(&at).Err()
	_ = r.Binary(&bin).Int(&i).Float(&float).Bool(&flag).Skip().Err()
	_ = r.Uint(&u).Uint(&u).Uint(&u).Uint(&u).Uint(&u).Uint(&u).Uint(&u).Uint(&u).Uint(&u).Uint(&u).Uint(&u).Err()
	if !bytes.Equal(key, given) {
		t.Fatalf("%s: reading changed the key %x to %x", s, given, key)
	}
}

// ---- the targets

// seedRows adds rows of every schema to the corpus.
func seedRows(f *testing.F) {
	for i := range fuzzSchemas {
		f.Add(byte(i), []byte{})
		f.Add(byte(i), bytes.Repeat([]byte{1}, 64))
		f.Add(byte(i), bytes.Repeat([]byte{8, 0xff, 0, 'a', 1, 0x80}, 16))
		f.Add(byte(i), []byte("\x05\x04\x00\x00\x01\x02\x08\x00\x00\x00\x00\x00\x00\x27\x66\x0e\x19\xf3\x01\xc8abcdefgh\x01\x02\x03\x04\x05\x06\x07\x08"))
		f.Add(byte(i), []byte("\x8babc\x00\xffdefgh\x87xyzxyzxyz\x20\x01\x02\x03\x04\xdc\x03\xf5\x07\x01\x02\x03\x04\x05\x06\x07\x08\x09"))
		for r := range 4 {
			row := make([]byte, 96)
			for j := range row {
				row[j] = byte((i+3)*(j+1)*(r+7) ^ j<<r)
			}
			f.Add(byte(i), row)
		}
	}
}

func FuzzRoundTrip(f *testing.F) {
	seedRows(f)
	f.Fuzz(func(t *testing.T, which byte, data []byte) {
		s := fuzzSchemas[int(which)%len(fuzzSchemas)]
		in := &feed{data}
		checkRow(t, s, in.row(s.Schema))
	})
}

func FuzzOrder(f *testing.F) {
	seedRows(f)
	f.Fuzz(func(t *testing.T, which byte, data []byte) {
		s := fuzzSchemas[int(which)%len(fuzzSchemas)]
		in := &feed{data}
		a := in.row(s.Schema)
		checkPair(t, s, a, in.neighbour(s.Schema, a))
	})
}

// neighbour is a row that shares a beginning with another, and perhaps more.
func (f *feed) neighbour(s *rowkey.Schema, a []any) []any {
	b := slices.Clone(a)
	fields := supplied(s)
	share := f.byte()
	for i := int(share) % max(1, len(b)); i < len(b); i++ {
		if share >= 128 && f.byte()&1 == 1 {
			continue
		}
		b[i] = f.value(fields[i].Kind)
	}
	return b
}

func FuzzHostileKeys(f *testing.F) {
	for i, s := range fuzzSchemas {
		f.Add(byte(i), byte(i+1), []byte{})
		for _, row := range [][]byte{bytes.Repeat([]byte{1}, 64), []byte("\x05\x04\x00\x00\x01\x02\x08\x00\x00\x00\x00\x00\x00\x27\x66\x0e")} {
			in := &feed{row}
			key, err := s.AppendKey(nil, in.row(s.Schema)...)
			if err != nil {
				continue
			}
			f.Add(byte(i), byte(i), key)
			f.Add(byte(i), byte(i+1), key[:len(key)-1])
			f.Add(byte(i), byte(i+2), append(slices.Clone(key), 0))
			for at := 0; at < len(key); at += 3 {
				broken := slices.Clone(key)
				broken[at] ^= 1 << (at % 8)
				f.Add(byte(i), byte(at), broken)
			}
		}
		f.Add(byte(i), byte(0), bytes.Repeat([]byte{0xff}, 40))
		f.Add(byte(i), byte(0), bytes.Repeat([]byte{'9'}, 40))
	}
	f.Fuzz(func(t *testing.T, which, other byte, key []byte) {
		s := fuzzSchemas[int(which)%len(fuzzSchemas)]
		checkBytes(t, s, key)
		into := fuzzSchemas[int(other)%len(fuzzSchemas)]
		dst, err := into.Rekey([]byte("head"), key, s.Schema)
		if err != nil && string(dst) != "head" {
			t.Fatalf("Rekey from %s into %s of %x gives %q, %v", s, into, key, dst, err)
		}
		for _, c := range fuzzCodecs {
			c(t, key)
		}
	})
}

// TestHostileLengths reads keys around the longest one, which would make the
// fuzzer slow.
func TestHostileLengths(t *testing.T) {
	long(t)
	t.Parallel()
	for _, s := range fuzzSchemas {
		for _, n := range []int{math.MaxInt16 - 1, math.MaxInt16, math.MaxInt16 + 1, 1 << 17} {
			for _, b := range []byte{0, '_', '9', 0xff} {
				checkBytes(t, s, bytes.Repeat([]byte{b}, n))
			}
		}
	}
}

// fuzzCodecs decode a key into a struct, and encode what came out.
var fuzzCodecs = []func(*testing.T, []byte){
	codecReader[struct {
		Seller string    `rowkey:"seller"`
		At     time.Time `rowkey:"at"`
		Order  uint64    `rowkey:"order"`
	}]("trades"),
	codecReader[struct {
		Order uint64 `rowkey:"order"`
		UID   uint64 `rowkey:"uid"`
	}]("orders"),
	codecReader[struct {
		A    int64   `rowkey:"a"`
		B    int     `rowkey:"b"`
		C    int16   `rowkey:"c"`
		F    float64 `rowkey:"f"`
		G    float32 `rowkey:"g"`
		OK   bool    `rowkey:"ok"`
		Text []byte  `rowkey:"s"`
	}]("hbase"),
	codecReader[struct {
		Day  time.Time `rowkey:"day"`
		Hour time.Time `rowkey:"hour"`
		Sec  time.Time `rowkey:"sec"`
		Down time.Time `rowkey:"down"`
		Back time.Time `rowkey:"back"`
	}]("layouts"),
	codecReader[struct {
		Phone string `rowkey:"phone"`
		Name  string `rowkey:"name"`
		At    int64  `rowkey:"at,ms"`
	}]("copies"),
	codecReader[struct {
		A string `rowkey:"a"`
		B []byte `rowkey:"b"`
		C string `rowkey:"c"`
		D []byte `rowkey:"d"`
	}]("ends"),
}

func codecReader[T any](schema string) func(*testing.T, []byte) {
	i := slices.IndexFunc(fuzzSchemas, func(s fuzzed) bool { return strings.Contains(fmt.Sprint(s.Name()), schema) })
	s := fuzzSchemas[i]
	codec := rowkey.Must(rowkey.Bind[T](s.Schema))
	return func(t *testing.T, key []byte) {
		given := slices.Clone(key)
		var v T
		err := codec.Decode(key, &v)
		if !bytes.Equal(key, given) {
			t.Fatalf("%s: decoding changed the key %x to %x", s, given, key)
		}
		_, want := s.Decode(key)
		if err == nil {
			again, err := codec.Append([]byte("head"), &v)
			if want != nil || err != nil || string(again) != "head"+string(key) {
				t.Fatalf("%s: %x is decoded to %+v, which is written as %x, %v; Decode gives %v", s, key, v, again, err, want)
			}
			return
		}
		refusal(t, fmt.Sprintf("decoding %x", key), s.Schema, err, unreadable...)
		if want == nil {
			t.Fatalf("%s: Decode takes %x, the codec gives %v", s, key, err)
		}
	}
}

// ---- declarations from bytes

var fuzzNames = []string{"a", "b", "c", "d", "e", "f"}

// declaration is a layout drawn from bytes; most are refused.
func (f *feed) declaration() (b *rowkey.Builder, loose bool) {
	var opts []rowkey.SchemaOption
	switch f.byte() % 16 {
	case 1, 2, 3:
		opts = append(opts, interop.HBase)
	case 4:
		opts = append(opts, rowkey.MaxLen(int(f.byte())-2))
	case 5:
		opts = append(opts, rowkey.MaxLen(1<<(f.byte()%20)))
	}
	b = rowkey.New(pick(f, "fuzz", "fuzz", "fuzz", "", "a b"), opts...)
	next := 0
	name := func() string {
		if c := f.byte(); c > 248 {
			return pick(f, "", "a", "rest()", "a,b", "é", "hash", "\xff", "x y")
		}
		next++
		return fuzzNames[(next-1)%len(fuzzNames)]
	}
	size := func() int {
		if c := f.byte(); c > 248 {
			return int(int8(f.byte()))
		} else {
			return 1 + int(c)%8
		}
	}
	for n := 1 + int(f.byte())%6; n > 0; n-- {
		switch f.byte() % 14 {
		case 0, 1:
			b = b.String(name(), fits[rowkey.FieldOption](f.options("string", &loose))...)
		case 2:
			b = b.Binary(name(), fits[rowkey.FieldOption](f.options("binary", &loose))...)
		case 3, 4:
			b = b.Uint(name(), size(), fits[rowkey.FieldOption](f.options("uint", &loose))...)
		case 5:
			b = b.Int(name(), size(), fits[rowkey.FieldOption](f.options("int", &loose))...)
		case 6:
			b = b.Float(name(), pick(f, 4, 8, 4, 8, 0, 3), fits[rowkey.FieldOption](f.options("float", &loose))...)
		case 7:
			b = b.Bool(name(), fits[rowkey.FieldOption](f.options("bool", &loose))...)
		case 8:
			b = b.Time(name(), f.unit(), fits[rowkey.FieldOption](f.options("time", &loose))...)
		case 9, 10:
			b = b.Separator(f.constant())
		case 11:
			b = b.Literal(f.constant())
		case 12:
			if f.byte()&1 == 0 {
				b = b.Salt(pick(f, 2, 3, 4, 10, 16, 256, 1000, 1<<20, 0, -1, math.MaxInt32), f.input(), fits[rowkey.SaltOption](f.options("salt", &loose))...)
			} else {
				b = b.Hash(f.part(), f.input(), fits[rowkey.SaltOption](f.options("hash", &loose))...)
			}
		case 13:
			b = b.Copy(name(), pick(f, fuzzNames...), fits[rowkey.FieldOption](f.options(pick[string](f, "literal", "string", "uint", "time"), &loose))...)
		}
	}
	if f.byte() == 255 {
		b = b.Sample(string(f.text()), f.value("string"), f.value("uint"))
	}
	return b, loose
}

func (f *feed) constant() string {
	return pick(f, "_", "\x00", "-", "__", "\xff", "ab", "aba", "\x00\x01", "_", "\x00", "", string(f.bytes(2)))
}

func (f *feed) unit() rowkey.Unit {
	switch f.byte() % 12 {
	case 0:
		return rowkey.Nanos
	case 1:
		return rowkey.Micros
	case 2, 3, 4:
		return rowkey.Millis
	case 5:
		return rowkey.Seconds
	case 6:
		return rowkey.Minutes
	case 7:
		return rowkey.Hours
	case 8:
		return rowkey.Days
	case 9:
		return pick(f, rowkey.Millis, rowkey.Seconds, rowkey.Days).Since(pick(f, fuzzDay, time.Unix(0, 1), time.Time{}, time.Unix(1<<61, 0)))
	case 10:
		return rowkey.Layout(pick(f, "20060102", "2006", "200601", "2006010215", "2006-01-02", "20060102150405", "2006/01/02 15:04", "0102", "", "x2006", "\xff2006", string(f.bytes(6))),
			pick(f, time.UTC, fuzzEast, time.FixedZone("odd", -12345), nil, time.UTC))
	}
	return rowkey.Unit{}
}

func (f *feed) part() rowkey.Part {
	d := pick(f, rowkey.MD5, rowkey.SHA1, rowkey.SHA256, rowkey.SHA512, rowkey.Murmur3, interop.Murmur3x128, rowkey.Digest{}, rowkey.CRC32, interop.JavaHashCode)
	var p rowkey.Part
	switch f.byte() % 4 {
	case 0:
		p = d.Raw(int(f.byte()) % 20)
	case 1, 2:
		p = d.Hex(int(f.byte()) % 20)
	case 3:
		p = d.HexAt(int(int8(f.byte())), int(int8(f.byte())))
	}
	if f.byte() > 200 {
		p = p.Upper()
	}
	return p
}

func (f *feed) input() string {
	a, b := pick(f, fuzzNames...), pick(f, fuzzNames...)
	switch f.byte() % 10 {
	case 0, 1:
		return string(a)
	case 2:
		return lawInput("values", a, b)
	case 3:
		return lawInput("stored", a, b)
	case 4:
		return lawInput("text", a, b)
	case 5:
		return lawFormat(pick(f, "%s", "%d", "%s%d", "%04d-%s", "%x%%", "%X", "%", "%q", "%0d", string(f.bytes(4))), pick(f, []string{a}, []string{a, b})...)
	case 6:
		return lawInput("minmax", a, b)
	case 7:
		return "rest()"
	case 8:
		return lawInput("stored", a)
	}
	return string(f.bytes(5))
}

// suited are the options that fit a kind, by their number below; of a Copy,
// whose kind the declaration does not say, those that fit only a Copy.
var suited = map[string][]byte{
	"string":  {0, 3, 4, 5, 6, 7, 8, 15, 16, 17, 18, 19, 20, 21, 27, 28, 29},
	"binary":  {0, 3, 5, 6, 7, 8, 15, 16, 17, 19, 21, 27, 29},
	"uint":    {0, 1, 2, 3, 8, 11, 12, 13, 14, 26, 17, 19, 5},
	"int":     {0, 2, 3, 6, 8, 10, 11, 26},
	"float":   {0, 3, 8, 10},
	"bool":    {8, 10},
	"time":    {0, 1, 2, 3, 8, 11, 12, 13, 14, 24, 25, 26},
	"salt":    {2, 9, 11, 12, 30, 31},
	"hash":    {30},
	"literal": {0, 8, 22, 23, 31},
}

// fits are the options of a type, which are those that compile; nil is one of any.
func fits[T any](list []any) (opts []T) {
	for _, o := range list {
		if opt, ok := o.(T); ok || o == nil {
			opts = append(opts, opt)
		}
	}
	return opts
}

// options are some of those that fit the kind, and at times any other.
func (f *feed) options(kind string, loose *bool) (opts []any) {
	for n := int(f.byte()) % 4; n > 0; n-- {
		small := func() int {
			if c := f.byte(); c > 250 {
				return int(int8(f.byte()))
			} else {
				return int(c) % 12
			}
		}
		option := f.byte()
		if fit := suited[kind]; option < 240 {
			option = fit[int(option)%len(fit)]
		}
		switch option % 32 {
		case 0, 1:
			opts = append(opts, rowkey.Desc)
		case 2:
			opts = append(opts, rowkey.Decimal)
		case 3:
			opts = append(opts, rowkey.Reverse)
		case 4:
			opts = append(opts, rowkey.ReverseRune)
		case 5:
			opts = append(opts, rowkey.Escaped)
		case 6:
			opts = append(opts, rowkey.LenPrefix(small()))
		case 7:
			if f.byte() > 128 {
				opts, *loose = append(opts, rowkey.Loose), true
			}
		case 8:
			opts = append(opts, rowkey.NotStored)
		case 9:
			opts = append(opts, pick[any](f, interop.JavaHash, interop.JavaHashAbs, interop.JavaHashFloor, interop.PhoenixHash, interop.HBaseWDHash, interop.PinpointHash, rowkey.Modulo, rowkey.SaltRule(0), rowkey.SaltRule(200), interop.JavaHashModAbs))
		case 10:
			opts = append(opts, pick(f, interop.HBase, interop.HBase, rowkey.Dialect(0), rowkey.Dialect(9)))
		case 11:
			opts = append(opts, rowkey.Width(small()))
		case 12, 13:
			opts = append(opts, rowkey.Digits(small()*2))
		case 14:
			opts = append(opts, rowkey.HexDigits(small()*2))
		case 15:
			opts = append(opts, rowkey.Fixed(small()))
		case 16:
			opts = append(opts, rowkey.MinLen(small()))
		case 18:
			opts = append(opts, rowkey.UUID)
		case 17:
			opts = append(opts, rowkey.Pad(small(), pick[byte](f, 0, ' ', 'x', 0xff, '0')))
		case 19:
			opts = append(opts, rowkey.PadLeft(small(), pick[byte](f, 0, ' ', 'x', 0xff, '0')))
		case 20:
			opts = append(opts, rowkey.ReverseLabels(pick(f, ".", "__", "ab", "", "aa")))
		case 21:
			opts = append(opts, rowkey.ReversePart(small(), small()))
		case 22:
			opts = append(opts, rowkey.Left(small()))
		case 23:
			opts = append(opts, rowkey.Right(small()))
		case 24:
			opts = append(opts, rowkey.Truncate(pick(f, time.Second, time.Minute, 24*time.Hour, 7*time.Millisecond, 0, -time.Second)))
		case 25:
			opts = append(opts, pick(f, rowkey.Years(2000, 2100), rowkey.Years(1970, 1970), rowkey.Years(2100, 2000), rowkey.Years(-5, 5), rowkey.Years(1, math.MaxInt32)))
		case 26:
			opts = append(opts, rowkey.Below(f.uint(small()%9)))
		case 27:
			opts = append(opts, rowkey.OneOf(pick(f, []string{"a", "b"}, []string{"a", "bb"}, []string{"a", "ab"}, []string{"", "a"}, nil, []string{"a", "a"}, []string{"x", "_"})...))
		case 28:
			opts = append(opts, rowkey.Codes(pick(f, map[string]string{"a": "1", "b": "2"}, map[string]string{"a": "1", "b": "12"}, map[string]string{"a": "x", "b": "x"}, nil, map[string]string{"": "", "a": "_"})))
		case 29:
			opts = append(opts, rowkey.Chars(pick(f, "ab", "abc", "", "\x00\xff", "xyz_")))
		case 30:
			opts = append(opts, pick[any](f, rowkey.Letters("abcd"), rowkey.Letters("0123456789"), rowkey.Letters(""), rowkey.Letters("aa"), rowkey.Named("a"), rowkey.Named("s"), rowkey.Named(""), nil))
		case 31:
			opts = append(opts, pick[any](f, f.part(), f.unit(), rowkey.MaxLen(10)))
		}
	}
	return opts
}

func FuzzBuild(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("trades, declared by chance"))
	for i := range 1000 {
		seed := make([]byte, 40+i%80)
		x := uint32(i)*2654435761 + 1
		for j := range seed {
			x ^= x << 13
			x ^= x >> 17
			x ^= x << 5
			seed[j] = byte(x)
		}
		f.Add(seed)
	}
	f.Fuzz(checkBuild)
}

// checkBuild builds a declaration drawn from bytes, and checks what it admits
// with rows drawn from the rest of them.
func checkBuild(t *testing.T, data []byte) {
	in := &feed{data}
	b, loose := in.declaration()
	built, err := b.Build()
	if _, twice := b.Build(); !errors.Is(twice, rowkey.ErrSchema) {
		t.Fatalf("a builder builds twice: %v", twice)
	}
	if err != nil {
		var typed *rowkey.Error
		if !errors.Is(err, rowkey.ErrSchema) || !errors.As(err, &typed) || built != nil {
			t.Fatalf("Build gives %v, %v", built, err)
		}
		return
	}
	again := &feed{data}
	b, _ = again.declaration()
	twin, err := b.Build()
	if err != nil || twin.String() != built.String() || twin.Fingerprint() != built.Fingerprint() || built.String() == "" {
		t.Fatalf("one declaration builds %v and %v, %v", built, twin, err)
	}

	s := fuzzed{Schema: built, loose: loose, anyUnit: true}
	for range 3 {
		a := in.row(built)
		checkPair(t, s, a, in.neighbour(built, a))
		if key, _ := checkRow(t, s, a); key != nil {
			if other, err := twin.AppendKey(nil, a...); err != nil || !bytes.Equal(other, key) {
				t.Fatalf("%s: one declaration writes %x and %x, %v", s, key, other, err)
			}
			broken := slices.Clone(key)
			broken[int(in.byte())%len(key)] ^= 1 << (in.byte() % 8)
			checkBytes(t, s, broken)
		}
	}
	checkBytes(t, s, in.bytes(64))
	checkSplits(t, built)
}

// TestFuzzFound is what the targets found, in words.
func TestFuzzFound(t *testing.T) {
	// An escaped value of a set whose forms are all of one length was read
	// without a look at its escapes and its end.
	oneOf := rowkey.OneOf("a", "b")
	codes := rowkey.Codes(map[string]string{"a": "1", "b": "2"})
	for _, c := range []struct {
		b   *rowkey.Builder
		key string
	}{
		{rowkey.New("escaped").String("a", oneOf, rowkey.Escaped), "a\x80\x01"},
		{rowkey.New("escaped").String("a", oneOf, rowkey.Escaped), "a\x00\x00"},
		{rowkey.New("escaped").String("a", oneOf, rowkey.Escaped).Uint("b", 1), "a\x00\x05\x07"},
		{rowkey.New("inverted").Binary("a", rowkey.Escaped, oneOf, rowkey.Desc), "\x9e\xdf\xfe"},
		{rowkey.New("codes").String("a", codes, rowkey.Escaped), "1\x00\x21"},
	} {
		s := fuzzed{Schema: c.b.MustBuild()}
		checkBytes(t, s, []byte(c.key))
		if _, err := s.Decode([]byte(c.key)); !errors.Is(err, rowkey.ErrMalformed) {
			t.Errorf("%s: Decode(%x) gives %v, want the error %v", s, c.key, err, rowkey.ErrMalformed)
		}
	}

	// Decimal text filled up to a width was taken to sort as its numbers do.
	for _, frame := range []rowkey.FieldOption{rowkey.PadLeft(7, ' '), rowkey.Pad(7, 'x'), rowkey.Pad(1, 'x')} {
		checkSplits(t, rowkey.New("padded").Uint("a", 6, rowkey.Decimal, frame, rowkey.Below(6742298)).MustBuild())
	}

	// Values that begin one another were combined with what stands after them
	// as if they ended.
	checkSplits(t, rowkey.New("glued").String("a", rowkey.Loose, rowkey.Desc, rowkey.OneOf("a", "ab")).Uint("b", 1, rowkey.Reverse).MustBuild())

	// Fill that a loose field may have had itself is not a malformed key.
	s := rowkey.New("loose").Binary("a", rowkey.Loose, rowkey.Pad(10, ' ')).Binary("b", rowkey.Loose).Int("c", 2).MustBuild()
	key, err := s.Key().Binary(nil).Binary([]byte("bb")).Int(0).Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Decode(key); !errors.Is(err, rowkey.ErrAmbiguous) {
		t.Errorf("%s: Decode(%x) gives %v, want the error %v", s, key, err, rowkey.ErrAmbiguous)
	}
}

// checkSplits splits a layout into some numbers of regions: the keys rise, or
// there are none.
func checkSplits(t *testing.T, s *rowkey.Schema) {
	t.Helper()
	for _, n := range []int{-1, 0, 1, 2, 7} {
		splits, err := s.Splits(n)
		if err != nil {
			refusal(t, "Splits", s, err, rowkey.ErrRange, rowkey.ErrSplits)
			continue
		}
		for i, key := range splits {
			if i > 0 && bytes.Compare(splits[i-1], key) >= 0 {
				t.Fatalf("%s: Splits(%d) gives %x", s, n, splits)
			}
		}
		if len(splits) != n-1 {
			t.Fatalf("%s: Splits(%d) gives %x", s, n, splits)
		}
	}
}

// ---- nulls and decimal numbers

// nullable are layouts whose values have more than one spelling, or none.
var nullable = []*rowkey.Schema{
	rowkey.New("phoenix", interop.Phoenix).Salt(4, "rest()").String("a", rowkey.Optional).Int("b", 2).
		String("c", interop.Numeric, interop.Precision(10, 3), rowkey.Optional).String("d", rowkey.Optional, rowkey.Desc).Binary("e", rowkey.Escaped, rowkey.Optional).
		Uint("f", 4, interop.Numeric, rowkey.Optional).Binary("g", rowkey.Optional).MustBuild(),
	rowkey.New("ordered", interop.OrderedBytes).String("a", rowkey.Optional, rowkey.Desc).String("b", interop.Numeric, rowkey.Optional).
		Int("c", 8).Int("d", 8, interop.Numeric, rowkey.Desc, rowkey.Optional).Binary("e", rowkey.Optional, rowkey.Desc).
		Time("f", rowkey.Millis).Binary("g", interop.BlobCopy, rowkey.Optional).MustBuild(),
	rowkey.New("timestamp", interop.Phoenix).Time("a", rowkey.Nanos).Time("b", rowkey.Nanos, rowkey.Desc).String("c", interop.Numeric, rowkey.Desc).MustBuild(),
	rowkey.New("copies", interop.Phoenix).String("a").Copy("k", "a").String("b", rowkey.Optional).MustBuild(),
}

// FuzzHostileNulls reads bytes as keys of layouts with nulls and decimal
// numbers: what is read writes the same bytes again.
func FuzzHostileNulls(f *testing.F) {
	at := time.UnixMilli(1684203630123)
	for i, rows := range [][][]any{
		{{"a", -1, "12.50", "d", []byte("e\x00"), 100, []byte{0}}, {nil, 0, nil, nil, nil, nil, []byte{1}}, {"a", 1}, {nil, 5, "-0.001"}},
		{{"a", "1e40", 7, -12345, []byte("abcdefgh"), at, []byte("x")}, {nil, nil, -1, nil, nil, time.Unix(-5, 0)}},
		{{at, time.Unix(0, -1), "-99.99"}, {time.Unix(-1, 1), at, "0"}},
		{{"x", nil}, {"x", "y"}},
	} {
		for _, row := range rows {
			key, err := nullable[i].AppendKey(nil, row...)
			if err != nil {
				f.Fatalf("%s: %v: %v", nullable[i], row, err)
			}
			f.Add(append([]byte{byte(i)}, key...))
			f.Add(append([]byte{byte(i)}, key[:len(key)/2]...))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		s, key := nullable[int(data[0])%len(nullable)], data[1:]
		before := slices.Clone(key)
		row, err := s.Decode(key)
		if !bytes.Equal(before, key) {
			t.Fatalf("%s: Decode changed %x to %x", s, before, key)
		}
		_ = s.Explain(key)
		if err != nil {
			refusal(t, "Decode", s, err, rowkey.ErrMalformed, rowkey.ErrDerived, rowkey.ErrLength)
			return
		}
		var values []any
		for name, v := range row.All() {
			if (v != nil) != row.Has(name) {
				t.Fatalf("%s: %s of %x is %v, Has says %v", s, name, key, v, row.Has(name))
			}
			values = append(values, v)
		}
		if again, err := s.AppendKey(nil, values...); err != nil || !bytes.Equal(again, key) {
			t.Fatalf("%s: %x reads %v, which writes %x, %v", s, key, values, again, err)
		}
	})
}
