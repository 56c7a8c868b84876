package laws

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
)

// The vectors of the dialects: HBase's types and OrderedBytes, Phoenix's types
// and salts. Each line's column becomes a field, its value a Go value.

// column is a field to be declared, and how a vector's value is one of its own.
type column struct {
	declare func(b *rowkey.Builder, name string, opts ...rowkey.FieldOption) *rowkey.Builder
	opts    []rowkey.FieldOption
	value   func(l *vectorLine, text string) any
	desc    bool
}

// add declares the column.
func (c column) add(b *rowkey.Builder, name string, more ...rowkey.FieldOption) *rowkey.Builder {
	opts := slices.Concat(c.opts, more)
	if c.desc {
		opts = append(opts, rowkey.Desc)
	}
	return c.declare(b, name, opts...)
}

// alone is a schema of the column after a constant, so that no key is empty.
func (l *vectorLine) alone(c column, dialect rowkey.Dialect, description ...any) *rowkey.Schema {
	return l.schema(func() *rowkey.Builder { return c.add(rowkey.New("t", dialect).Literal("#"), "v") }, description...)
}

func asString(b *rowkey.Builder, name string, opts ...rowkey.FieldOption) *rowkey.Builder {
	return b.String(name, opts...)
}

func asBinary(b *rowkey.Builder, name string, opts ...rowkey.FieldOption) *rowkey.Builder {
	return b.Binary(name, opts...)
}

func asBool(b *rowkey.Builder, name string, opts ...rowkey.FieldOption) *rowkey.Builder {
	return b.Bool(name, opts...)
}

func asInt(size int) func(*rowkey.Builder, string, ...rowkey.FieldOption) *rowkey.Builder {
	return func(b *rowkey.Builder, name string, opts ...rowkey.FieldOption) *rowkey.Builder {
		return b.Int(name, size, opts...)
	}
}

func asUint(size int) func(*rowkey.Builder, string, ...rowkey.FieldOption) *rowkey.Builder {
	return func(b *rowkey.Builder, name string, opts ...rowkey.FieldOption) *rowkey.Builder {
		return b.Uint(name, size, opts...)
	}
}

func asFloat(size int) func(*rowkey.Builder, string, ...rowkey.FieldOption) *rowkey.Builder {
	return func(b *rowkey.Builder, name string, opts ...rowkey.FieldOption) *rowkey.Builder {
		return b.Float(name, size, opts...)
	}
}

func asTime(unit rowkey.Unit) func(*rowkey.Builder, string, ...rowkey.FieldOption) *rowkey.Builder {
	return func(b *rowkey.Builder, name string, opts ...rowkey.FieldOption) *rowkey.Builder {
		return b.Time(name, unit, opts...)
	}
}

// Values of the vectors, all of them text.

func textValue(_ *vectorLine, v string) any { return v }

func intValue(l *vectorLine, v string) any {
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil {
		l.failf("value: %v", err)
	}
	return n
}

func uintValue(l *vectorLine, v string) any {
	if n := intValue(l, v).(int64); n >= 0 {
		return uint64(n)
	}
	return int64(-1) // refused
}

func floatValue(bits int) func(*vectorLine, string) any {
	return func(l *vectorLine, v string) any {
		x, err := strconv.ParseFloat(v, bits)
		if err != nil {
			l.failf("value: %v", err)
		}
		return x
	}
}

func bytesValue(l *vectorLine, v string) any { return l.unhex("value", v) }

func boolValue(_ *vectorLine, v string) any { return v == "true" }

func milliValue(l *vectorLine, v string) any {
	return time.UnixMilli(intValue(l, v).(int64)).UTC()
}

// stampValue is Phoenix's milliseconds and nanoseconds of the second.
func stampValue(l *vectorLine, v string) any {
	ms, nanos, _ := strings.Cut(v, ":")
	sec := intValue(l, ms).(int64)
	sec = (sec - ((sec%1000)+1000)%1000) / 1000
	return time.Unix(sec, intValue(l, nanos).(int64)).UTC()
}

// writesValue checks that a value is written so and read back, or that it is one
// of those that the library refuses: NaN, a decimal number that HBase
// or Phoenix would round.
func (l *vectorLine) writesValue(function string, want []byte, s *rowkey.Schema, v any, digits int) {
	switch x := v.(type) {
	case float64:
		switch {
		case s == nil:
		case math.IsNaN(x):
			l.refuses(function+" NaN: refused", rowkey.ErrRange, s, v)
			l.malformed(function+" NaN: refused", s, want)
			return
		}
	case string:
		if digits == 0 {
			break
		}
		if _, err := strconv.ParseFloat(x, 64); strings.ContainsAny(x, "IN") && err == nil {
			l.refuses(function+" NaN and Infinity: refused", rowkey.ErrRange, s, v)
			return
		}
		number := refNumber(x)
		if n, _ := number.parts(); len(strings.TrimPrefix(n.String(), "-")) > digits {
			l.because("more digits than the type has, to which Java rounds")
			l.refuses(fmt.Sprintf("%s of more than %d digits, which are rounded: refused", function, digits), rowkey.ErrRange, s, v)
			return
		}
		l.writes(function, want, s, string(number.plain()))
		if s != nil {
			if key, err := s.AppendKey(nil, v); err != nil || !bytes.Equal(key, want) {
				l.failf("%s: %s is written as %x, %v, want %x", function, x, key, err, want)
			}
		}
		return
	}
	l.writes(function, want, s, v)
}

// refusesValue checks that a value which Java refuses is refused here.
func (l *vectorLine) refusesValue(function string, s *rowkey.Schema, v any) {
	l.checked(function + ": refused by both")
	if s == nil {
		return
	}
	key, err := s.AppendKey([]byte("head"), v)
	var typed *rowkey.Error
	if !errors.As(err, &typed) || string(key) != "head" {
		l.failf("%s: %s gives %x, %v; Java refuses", function, s, key, err)
	}
}

// ---- hbase_ordered_bytes.jsonl

func checkOrderedBytes(l *vectorLine) {
	typ := l.text("type")
	function := "OrderedBytes " + typ
	var c column
	digits := 0
	switch typ {
	case "numeric", "numeric(long)", "numeric(double)":
		c, digits = column{declare: asString, opts: []rowkey.FieldOption{interop.Numeric}, value: textValue}, 31
	case "int8", "int16", "int32", "int64":
		bits, _ := strconv.Atoi(typ[3:])
		c = column{declare: asInt(bits / 8), value: intValue}
	case "float32", "float64":
		bits, _ := strconv.Atoi(typ[5:])
		c = column{declare: asFloat(bits / 8), value: floatValue(bits)}
	case "string":
		c = column{declare: asString, value: textValue}
	case "blobvar":
		c = column{declare: asBinary, value: bytesValue}
	case "blobcopy":
		c = column{declare: asBinary, opts: []rowkey.FieldOption{interop.BlobCopy}, value: bytesValue}
	case "null":
		if l.fields["value"] == nil || string(l.fields["value"]) != "null" {
			l.failf("value: want null")
		}
		l.read["value"] = true
		for _, order := range []string{"asc", "desc"} {
			c := column{declare: asString, opts: []rowkey.FieldOption{rowkey.Optional}, desc: order == "desc"}
			s := l.schema(func() *rowkey.Builder { return c.add(rowkey.New("t", interop.OrderedBytes), "v").Int("n", 1) }, typ, order)
			l.writes(function, append(l.bytes(order), 0x29, 0x80), s, nil, int64(0))
		}
		return
	default:
		l.failf("unknown type %q", typ)
		return
	}
	text := l.text("value")
	for _, order := range []string{"asc", "desc"} {
		c.desc = order == "desc"
		s := l.alone(c, interop.OrderedBytes, typ, order)
		if l.has(order + "_error") {
			l.text(order + "_error")
			l.refusesValue(function, s, c.value(l, text))
			continue
		}
		want := tag(l.bytes(order))
		l.writesValue(function, want, s, c.value(l, text), digits)
		if typ != "numeric(long)" {
			continue
		}
		n := intValue(l, text).(int64)
		c := column{declare: asInt(8), opts: []rowkey.FieldOption{interop.Numeric}, desc: c.desc}
		l.writes(function+" by Int", want, l.alone(c, interop.OrderedBytes, typ, order, "int"), n)
		if n >= 0 {
			c.declare = asUint(8)
			l.writes(function+" by Uint", want, l.alone(c, interop.OrderedBytes, typ, order, "uint"), uint64(n))
		}
	}
}

// ---- hbase_types.jsonl

// hbaseColumn is one of HBase's data types as a field of its own dialect;
// after is what stands after it. A type that nothing here writes has a reason.
func (l *vectorLine) hbaseColumn(typ string) (c column, reason string) {
	name, desc := strings.CutSuffix(typ, " DESC")
	ordered := func(declare func(*rowkey.Builder, string, ...rowkey.FieldOption) *rowkey.Builder, value func(*vectorLine, string) any, opts ...rowkey.FieldOption) column {
		return column{declare: declare, opts: append([]rowkey.FieldOption{interop.OrderedBytes}, opts...), value: value, desc: desc}
	}
	raw := func(declare func(*rowkey.Builder, string, ...rowkey.FieldOption) *rowkey.Builder, value func(*vectorLine, string) any) column {
		return column{declare: declare, opts: []rowkey.FieldOption{interop.HBase}, value: value}
	}
	// Text between constants, its own bytes inverted if DESC; those of RawBytes
	// never are.
	text := func(before string, inverts bool, frame rowkey.FieldOption, after string, literal bool) column {
		c := column{value: textValue, declare: asString}
		if strings.Contains(name, "Bytes") || strings.Contains(name, "Blob") {
			c = column{value: bytesValue, declare: asBinary}
		}
		field := c.declare
		c.declare = func(b *rowkey.Builder, name string, opts ...rowkey.FieldOption) *rowkey.Builder {
			if before != "" {
				b = b.Literal(before)
			}
			if desc && inverts {
				opts = append(opts, rowkey.Desc)
			}
			if frame != nil {
				opts = append(opts, frame)
			}
			b = field(b, name, opts...)
			switch {
			case after == "":
			case literal:
				b = b.Literal(after)
			default:
				b = b.Separator(after)
			}
			return b
		}
		return c
	}
	end := func(term string) string {
		b := []byte(term)
		for i := range b {
			if desc {
				b[i] ^= 0xff
			}
		}
		return string(b)
	}
	switch name {
	case "OrderedInt8":
		return ordered(asInt(1), intValue), ""
	case "OrderedInt16":
		return ordered(asInt(2), intValue), ""
	case "OrderedInt32":
		return ordered(asInt(4), intValue), ""
	case "OrderedInt64":
		return ordered(asInt(8), intValue), ""
	case "OrderedFloat32":
		return ordered(asFloat(4), floatValue(32)), ""
	case "OrderedFloat64":
		return ordered(asFloat(8), floatValue(64)), ""
	case "OrderedNumeric":
		return ordered(asString, textValue, interop.Numeric), ""
	case "OrderedString":
		return ordered(asString, textValue), ""
	case "OrderedBlob":
		return ordered(asBinary, bytesValue, interop.BlobCopy), ""
	case "OrderedBlobVar":
		return ordered(asBinary, bytesValue), ""
	case "RawByte":
		return raw(asInt(1), intValue), ""
	case "RawShort":
		return raw(asInt(2), intValue), ""
	case "RawInteger":
		return raw(asInt(4), intValue), ""
	case "RawLong":
		return raw(asInt(8), intValue), ""
	case "RawFloat":
		return raw(asFloat(4), floatValue(32)), ""
	case "RawDouble":
		return raw(asFloat(8), floatValue(64)), ""
	case "RawString":
		return text("", true, nil, "", false), ""
	case "RawBytes": // its DESC does not invert
		return text("", false, nil, "", false), ""
	case "RawStringFixedLength(5)":
		return text("", true, rowkey.Pad(5, 0), "", false), ""
	case "RawBytesFixedLength(4)":
		return text("", false, rowkey.Pad(4, 0), "", false), ""
	case "RawStringTerminated(2f)", "TerminatedWrapper(RawString,2f)":
		return text("", true, nil, end("/"), false), ""
	case "RawStringTerminated(00)":
		return text("", true, nil, end("\x00"), false), ""
	case "RawBytesTerminated(0001)":
		return text("", false, nil, end("\x00\x01"), false), ""
	case "TerminatedWrapper(RawBytes,00)":
		return text("", false, nil, end("\x00"), false), ""
	case "FixedLengthWrapper(RawString,8)":
		return text("", true, rowkey.Pad(8, 0), "", false), ""
	case "FixedLengthWrapper(OrderedString,8)":
		if desc {
			return c, "FixedLengthWrapper pads the ff of a descending OrderedString with 00"
		}
		return text("4", true, rowkey.Pad(6, 0), "\x00", true), ""
	case "TerminatedWrapper(OrderedString,2f)":
		c := ordered(asString, textValue)
		c.declare = func(b *rowkey.Builder, name string, opts ...rowkey.FieldOption) *rowkey.Builder {
			return b.String(name, opts...).Separator(end("/"))
		}
		return c, ""
	case "TerminatedWrapper(OrderedBlob,00)":
		if desc {
			return c, "TerminatedWrapper of an OrderedBlob descending refuses every value"
		}
		return text("8", false, nil, "\x00", false), ""
	}
	l.failf("unknown type %q", typ)
	return c, "unknown"
}

func checkHBaseTypes(l *vectorLine) {
	typ := l.text("type")
	text := l.text("value")
	c, reason := l.hbaseColumn(typ)
	if reason != "" {
		l.skip(typ, reason, "hex", "error")
		return
	}
	s := l.schema(func() *rowkey.Builder { return c.add(rowkey.New("t").Literal("#"), "v") }, typ)
	v := c.value(l, text)
	if l.has("error") {
		l.text("error")
		if strings.Contains(typ, "(OrderedString,2f)") && strings.Contains(text, "/") {
			l.because("Java refuses the wrapper's terminator within an OrderedString, which ends in 00 all the same: written")
			l.declined(typ + ": a value that holds the terminator ends in 00 all the same, and is admitted here")
			if s != nil {
				if key, err := s.AppendKey(nil, v); err != nil {
					l.failf("%s: %x, %v", typ, key, err)
				}
			}
			return
		}
		l.refusesValue(typ, s, v)
		return
	}
	want := tag(l.bytes("hex"))
	if x, ok := v.([]byte); ok && strings.HasSuffix(string(x), "\x00") || strings.Contains(typ, "Fixed") && strings.HasSuffix(text, "\x00") && !strings.Contains(typ, "DESC") {
		if strings.Contains(typ, "FixedLength") { // Java reads the pad's bytes off it
			l.because("ends in the pad")
			l.refuses(typ+" of a value that ends in its padding: refused", rowkey.ErrTerminator, s, v)
			if !ok {
				v = []byte(text)
			}
			padded := append(v.([]byte), make([]byte, len(want)-1-len(v.([]byte)))...)
			whole := l.schema(func() *rowkey.Builder { return tagged().Binary("v", rowkey.Fixed(len(want)-1)) }, typ, "fixed")
			l.writes(typ+" by Fixed", want, whole, padded)
			return
		}
	}
	digits := 0
	if strings.Contains(typ, "Numeric") {
		digits = 31
	}
	l.writesValue(typ, want, s, v, digits)
}

// ---- hbase_struct.jsonl

// values is the texts of a line, nil for null.
func (l *vectorLine) values(field string) []*string {
	var values []*string
	l.get(field, &values)
	return values
}

func checkHBaseStruct(l *vectorLine) {
	var types []string
	l.get("fields", &types)
	l.bool("order_preserving")
	texts := l.values("values")
	function := "Struct {" + strings.Join(types, ", ") + "}"
	b := rowkey.New("t").Literal("#")
	values := make([]any, len(types))
	for i, typ := range types {
		c, reason := l.hbaseColumn(typ)
		if reason != "" {
			l.failf("%s: %s", typ, reason)
			return
		}
		var opts []rowkey.FieldOption
		if strings.HasPrefix(typ, "Ordered") && !strings.HasPrefix(typ, "OrderedInt") && !strings.HasPrefix(typ, "OrderedFloat") {
			opts = append(opts, rowkey.Optional)
		}
		if typ == "RawString" && i < len(types)-1 {
			opts = append(opts, rowkey.Loose)
		}
		b = c.add(b, fmt.Sprint("f", i), opts...)
		if texts[i] != nil {
			values[i] = c.value(l, *texts[i])
		}
	}
	if types[0] == "OrderedBlob" {
		l.read["hex"], l.read["error"] = true, true
		l.refusesToBuild(function, b)
		l.because("an OrderedBlob that does not stand last has no end")
		l.declined(function + ": an OrderedBlob that is not last has no end, and is refused")
		return
	}
	s := l.schema(func() *rowkey.Builder { return b }, types)
	if l.has("error") {
		l.text("error")
		if s == nil {
			return
		}
		l.checked(function + ": refused by both")
		if key, err := s.AppendKey(nil, values...); err == nil {
			l.failf("%s: %v gives %x; Java refuses", function, texts, key)
		}
		return
	}
	want := tag(l.bytes("hex"))
	for i, v := range values {
		switch v := v.(type) {
		case float64:
			if math.IsNaN(v) {
				l.refuses(function+" of NaN: refused", rowkey.ErrRange, s, values...)
				return
			}
		case string:
			if types[i] == "OrderedNumeric" || types[i] == "OrderedNumeric DESC" {
				values[i] = string(refNumber(v).plain())
			}
		}
		if texts[i] == nil || !strings.Contains(types[i], "FixedLength") || strings.Contains(types[i], "DESC") {
			continue
		}
		if b, ok := v.([]byte); ok && bytes.HasSuffix(b, []byte{0}) || strings.HasSuffix(*texts[i], "\x00") {
			l.because("ends in the pad")
			l.refuses(function+" of a value that ends in its padding: refused", rowkey.ErrTerminator, s, values...)
			return
		}
	}
	l.writes(function, want, s, values...)
}

// ---- phoenix_types.jsonl

// phoenixColumn is a type of Phoenix as a field; length is that of CHAR and BINARY, and the
// digits of DECIMAL, of which scale stand after the point.
func (l *vectorLine) phoenixColumn(typ string, length, scale int) (c column, ok bool) {
	sizes := map[string]int{
		"TINYINT": 1, "SMALLINT": 2, "INTEGER": 4, "BIGINT": 8,
		"UNSIGNED_TINYINT": 1, "UNSIGNED_SMALLINT": 2, "UNSIGNED_INT": 4, "UNSIGNED_LONG": 8,
	}
	unsigned, plain := strings.HasPrefix(typ, "UNSIGNED_"), strings.TrimPrefix(typ, "UNSIGNED_")
	if unsigned {
		c.opts = []rowkey.FieldOption{interop.Unsigned}
	}
	switch {
	case sizes[typ] != 0 && unsigned:
		return column{declare: asUint(sizes[typ]), value: uintValue}, true
	case sizes[typ] != 0:
		return column{declare: asInt(sizes[typ]), value: intValue}, true
	case plain == "FLOAT":
		c.declare, c.value = asFloat(4), floatValue(32)
	case plain == "DOUBLE":
		c.declare, c.value = asFloat(8), floatValue(64)
	case plain == "DATE", plain == "TIME":
		c.declare, c.value = asTime(rowkey.Millis), milliValue
	case plain == "TIMESTAMP":
		c.declare, c.value = asTime(rowkey.Nanos), stampValue
	case typ == "BOOLEAN":
		c.declare, c.value = asBool, boolValue
	case typ == "DECIMAL":
		c = column{declare: asString, opts: []rowkey.FieldOption{interop.Numeric}, value: textValue}
		if length > 0 {
			c.opts = append(c.opts, interop.Precision(length, scale))
		}
	case typ == "VARCHAR":
		c.declare, c.value = asString, textValue
	case typ == "VARBINARY":
		c.declare, c.value = asBinary, bytesValue
	case typ == "CHAR":
		c = column{declare: asString, opts: []rowkey.FieldOption{rowkey.Pad(length, ' ')}, value: func(_ *vectorLine, v string) any {
			return strings.TrimRight(v, " ") // Phoenix does not tell a value that ends in spaces from a shorter one
		}}
	case typ == "BINARY": // Phoenix does not tell a value that ends in 00 from a shorter one
		c = column{declare: asBinary, opts: []rowkey.FieldOption{rowkey.Fixed(length)}, value: func(l *vectorLine, v string) any {
			b := l.unhex("value", v)
			return append(b, make([]byte, max(0, length-len(b)))...)
		}}
	default:
		l.failf("unknown type %q", typ)
		return c, false
	}
	return c, true
}

func checkPhoenixTypes(l *vectorLine) {
	typ := l.text("type")
	c, ok := l.phoenixColumn(typ, 0, 0)
	if !ok {
		return
	}
	function := "Phoenix " + typ
	text := l.text("value")
	v := c.value(l, text)
	s := l.schema(func() *rowkey.Builder { return c.add(rowkey.New("t", interop.Phoenix), "v") }, typ)
	if l.has("error") {
		l.text("error")
		l.read["asc"] = true
		l.refusesValue(function, s, v)
		return
	}
	digits := 0
	if typ == "DECIMAL" {
		digits = 38
	}
	l.writesValue(function, l.bytes("asc"), s, v, digits)
	if l.has("desc_error") || !l.has("desc") {
		return
	}
	want := l.bytes("desc")
	switch typ {
	case "BOOLEAN":
		l.skip(function+" DESC", "a row key has fe and ff, as phoenix_keys shows")
		return
	case "VARBINARY":
		l.refusesToBuild(function+" DESC", rowkey.New("t", interop.Phoenix).Binary("v", rowkey.Desc))
		l.checked(function + " DESC: refused by both")
		return
	case "VARCHAR", "DECIMAL":
		want = append(want, 0xff) // the end that a row key has
	}
	c.desc = true
	s = l.schema(func() *rowkey.Builder { return c.add(rowkey.New("t", interop.Phoenix), "v") }, typ, "desc")
	l.writesValue(function+" DESC", want, s, v, digits)
}

// ---- phoenix_keys.jsonl

// phoenixTable is a primary key of Phoenix as a schema.
func (l *vectorLine) phoenixTable(cols []phoenixCol, salt int) *rowkey.Builder {
	b := rowkey.New("t", interop.Phoenix)
	if salt > 0 {
		b = b.Salt(salt, "rest()")
	}
	for _, col := range cols {
		c, ok := l.phoenixColumn(col.Type, col.Len, col.Scale)
		if !ok {
			continue
		}
		c.desc = col.Desc
		if col.Nullable {
			c.opts = append(c.opts, rowkey.Optional)
		}
		b = c.add(b, col.Name)
	}
	return b
}

func checkPhoenixKeys(l *vectorLine) {
	l.text("ddl")
	var cols []phoenixCol
	l.get("cols", &cols)
	salt := l.int("salt")
	var names []string
	for _, c := range cols {
		name := c.Type
		if c.Desc {
			name += " DESC"
		}
		names = append(names, name)
	}
	function := "PRIMARY KEY (" + strings.Join(names, ", ") + ")"
	if salt > 0 {
		function += fmt.Sprint(" SALT_BUCKETS=", salt)
	}
	b := l.phoenixTable(cols, salt)
	if l.has("ddl_error") {
		l.text("ddl_error")
		l.refusesToBuild(function, b)
		l.checked("CREATE TABLE: refused by both")
		return
	}
	s := l.schema(func() *rowkey.Builder { return b }, names, salt, cols)
	if s == nil {
		return
	}
	var values []any
	broken := false // a value that holds the end of its column
	for i, text := range l.values("values") {
		if text == nil {
			values = append(values, nil)
			continue
		}
		col := cols[i]
		v := any(*text)
		if c, _ := l.phoenixColumn(col.Type, col.Len, col.Scale); *text != "" || col.Type != "VARCHAR" {
			v = c.value(l, *text)
		}
		switch {
		case col.Type == "DECIMAL":
			number := *text
			if dot := strings.IndexByte(number, '.'); col.Scale > 0 && dot >= 0 && len(number)-dot-1 > col.Scale {
				number = number[:dot+1+col.Scale] // what the column keeps
			}
			v = string(refNumber(number).plain())
		case col.Type == "VARCHAR" && *text == "":
			v = nil
		}
		broken = broken || col.Type == "VARCHAR" && i < len(cols)-1 && strings.Contains(*text, "\x00")
		values = append(values, v)
	}
	if l.has("error") {
		problem := l.text("error")
		key, err := s.AppendKey(nil, values...)
		switch {
		case strings.Contains(problem, "VARCHAR("):
			l.because("more characters than VARCHAR(n) has: written")
			l.declined("UPSERT of more characters than VARCHAR(n) has: its length is no matter of bytes")
		case len(cols) > 1 && cols[1].Type == "BINARY" && strings.Contains(problem, "C2 may not be null"):
			l.because("an empty BINARY: the caller fills it")
			l.declined("UPSERT of an empty BINARY: here it is padded by the caller")
			return
		default:
			l.checked("UPSERT: refused by both")
			if err == nil {
				l.failf("%s: %v gives %x; Phoenix refuses: %s", function, values, key, problem)
			}
		}
		return
	}
	if broken {
		l.read["row"] = true
		l.because("a VARCHAR that holds 00, which Phoenix reads back as two columns")
		l.refuses("UPSERT of a VARCHAR that holds its end, which is read as two: refused", rowkey.ErrTerminator, s, values...)
		return
	}
	want := l.bytes("row")
	l.writes(function, want, s, values...)
	padded := slices.Clone(values)
	for i, text := range l.values("values") {
		if cols[i].Type == "CHAR" {
			padded[i] = *text
		}
	}
	if key, err := s.AppendKey(nil, padded...); err != nil || !bytes.Equal(key, want) {
		l.failf("%s: %q, with the spaces that are padding, gives %x, %v; want %x", function, padded, key, err, want)
	}
}

// ---- phoenix_salt.jsonl

func checkPhoenixSalt(l *vectorLine) {
	n := l.int("n")
	hexes := func(splits rowkey.SplitKeys) []string {
		out := []string{}
		for _, s := range splits {
			out = append(out, hex.EncodeToString(s))
		}
		return out
	}
	switch op := l.text("op"); op {
	case "bucket":
		key, bucket := l.bytes("key"), l.int("bucket")
		s := l.schema(func() *rowkey.Builder { return rowkey.New("t").Salt(n, "rest()", interop.PhoenixHash).Binary("v") }, "salt", n)
		l.writes("SaltingUtil.getSaltingByte", append([]byte{byte(bucket)}, key...), s, key)
		if len(key) == 0 {
			return // no VARBINARY is empty
		}
		s = l.schema(func() *rowkey.Builder { return rowkey.New("t", interop.Phoenix).Salt(n, "rest()").Binary("v") }, "salt of Phoenix", n)
		l.writes("SaltingUtil.getSaltingByte", append([]byte{byte(bucket)}, key...), s, key)

	case "splits":
		var want []string
		l.get("splits", &want)
		s := l.schema(func() *rowkey.Builder { return rowkey.New("t", interop.Phoenix).Salt(n, "rest()").Binary("v") }, "salt of Phoenix", n)
		if got, err := s.Splits(n); err != nil || !slices.Equal(hexes(got), want) {
			l.failf("Splits(%d): %v, %v; want %v", n, hexes(got), err, want)
		}
		l.checked("SaltingUtil.getSalteByteSplitPoints")

	case "table_splits":
		// Phoenix fills its boundaries with 00 up to the least width of a key. The
		// rows of a bucket whose columns are all at their least, and then null, lie
		// below such a boundary, in another bucket's region; ours are not filled.
		var want []string
		l.get("splits", &want)
		l.text("ddl")
		var cols []phoenixCol
		l.get("cols", &cols)
		b := rowkey.New("t", interop.Phoenix).Salt(n, "rest()")
		least := 0
		for _, col := range cols {
			c, ok := l.phoenixColumn(col.Type, col.Len, col.Scale)
			if !ok {
				return
			}
			c.desc = col.Desc
			b = c.add(b, col.Name)
			switch {
			case c.width() > 0:
				least += c.width()
			case len(cols) > 1:
				least++
			}
		}
		s, err := b.Build()
		if err != nil {
			l.failf("%v", err)
			return
		}
		splits, err := s.Splits(n)
		if err != nil {
			l.failf("Splits(%d): %v", n, err)
		}
		filled := hexes(splits)
		for i := range filled {
			filled[i] += strings.Repeat("00", least)
		}
		if !slices.Equal(filled, want) {
			l.failf("Splits(%d): %v with the columns' least width %d, want %v", n, hexes(splits), least, want)
		}
		l.because("a salted table's boundary is padded with 00 behind the bucket: Splits gives the bucket alone")
		l.declined("CREATE TABLE: Splits, without the 00 behind")

	default:
		l.failf("unknown operation %q", op)
	}
}

// phoenixCol is a column of a vector's table.
type phoenixCol struct {
	Name     string
	Type     string
	Len      int
	Scale    int
	Desc     bool
	Nullable bool
}

// width is the bytes that a column always takes, 0 if that varies.
func (c column) width() int {
	s, err := c.add(rowkey.New("t", interop.Phoenix), "v").Build()
	if err != nil {
		return 0
	}
	for f := range s.Fields() {
		return f.Size
	}
	return 0
}
