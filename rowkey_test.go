package rowkey_test

import (
	"bytes"
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
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestBuildRefuses has one declaration for each thing that Build refuses, and
// the words by which a person finds the way out.
func TestBuildRefuses(t *testing.T) {
	new := func() *rowkey.Builder { return rowkey.New("t") }
	shanghai, err := time.LoadLocation("Asia/Shanghai")
	require.NoError(t, err)
	for name, c := range map[string]struct {
		b     *rowkey.Builder
		words string
	}{
		"two texts":               {new().String("a").String("b"), "a: has no end before the next component, b: add a Separator, Fixed, Pad or Escaped"},
		"a text and a number":     {new().String("a").Uint("b", 8), "has no end"},
		"a literal ends nothing":  {new().String("a").Literal("_").String("b"), "a Literal, which ends nothing"},
		"decimal without an end":  {new().Uint("a", 8, rowkey.Decimal).String("b"), "has no end"},
		"digits as separator":     {new().Uint("a", 8, rowkey.Decimal).Separator("0").String("b"), "its own digits"},
		"no field":                {new().Literal("x"), "one key only"},
		"empty separator":         {new().String("a").Separator("").String("b"), "at least one byte"},
		"name twice":              {new().Uint("a", 1).Uint("a", 1), "stands twice"},
		"no name":                 {new().Uint("", 1), "a name is made of"},
		"odd name":                {new().Uint("a b", 1), "a name is made of"},
		"bits for bytes":          {new().Uint("a", 16), "size is in bytes, 1 to 8, not 16"},
		"float of 2":              {new().Float("a", 2), "4 or 8 bytes"},
		"buckets beyond a byte":   {new().Salt(1000, "a").Uint("a", 8), "1000 buckets do not fit one byte: add Width(2)"},
		"buckets beyond digits":   {new().Salt(101, "a", rowkey.Digits(2)).Uint("a", 8), "say Digits(3)"},
		"no buckets":              {new().Salt(0, "a").Uint("a", 8), "0 buckets"},
		"letters":                 {new().Salt(4, "a", rowkey.Letters("abc")).Uint("a", 8), "need 4 letters"},
		"letter twice":            {new().Salt(4, "a", rowkey.Letters("abca")).Uint("a", 8), "a letter twice"},
		"hex on a salt":           {new().Salt(4, "a", rowkey.MD5.Hex(2)).Uint("a", 8), "say Raw"},
		"two rules":               {new().Salt(4, "a", rowkey.MD5.Raw(2), rowkey.Modulo).Uint("a", 8), "stands twice"},
		"java hash of a number":   {new().Salt(4, "a", interop.JavaHash).Uint("a", 8), `say text(a)`},
		"modulo of a text":        {new().Salt(4, "a", rowkey.Modulo).String("a"), "takes one field"},
		"unknown input":           {new().Salt(4, "b").Uint("a", 8), `input "b" is no field`},
		"input misspelled":        {new().Salt(4, "value(a)").Uint("a", 8), "is neither"},
		"beyond the digest":       {new().Hash(rowkey.MD5.Hex(33), "a").Uint("a", 8), "is not within the digest's 32 hexadecimal characters"},
		"zero digest":             {new().Hash(rowkey.Digest{}.Raw(1), "a").Uint("a", 8), "hashes nothing"},
		"rest of nothing":         {new().Uint("a", 8).Hash(rowkey.MD5.Raw(1), "rest()"), "no rest of the key"},
		"minmax of two kinds":     {new().Hash(rowkey.MD5.Raw(1), "minmax(a,b)").Uint("a", 8).Uint("b", 4), "one kind and size"},
		"format short of fields":  {new().Hash(rowkey.MD5.Raw(1), `format("%s%s",a)`).Uint("a", 8), "2 verbs for 1 fields"},
		"format of unknown verbs": {new().Hash(rowkey.MD5.Raw(1), `format("%q",a)`).Uint("a", 8), "the verbs are"},
		"stored but is not":       {new().String("a", rowkey.NotStored).Hash(rowkey.MD5.Raw(1), "stored(a)").Uint("b", 1), "is not stored"},
		"not stored, not used":    {new().String("a", rowkey.NotStored).Uint("b", 1), "no salt or hash is computed from it"},
		"copy of nothing":         {new().Copy("b", "a").Uint("c", 1), "no such field"},
		"copy without an end":     {new().Copy("b", "a", rowkey.Right(4)).String("a"), "has no end"},
		"desc, width":             {new().Time("a", rowkey.Millis, rowkey.Desc, rowkey.Width(4)), "Width stands before Desc"},
		"decimal, desc":           {new().Uint("a", 8, rowkey.Decimal, rowkey.Desc), "has no digits to complement"},
		"desc, too few digits":    {new().Time("a", rowkey.Millis, rowkey.Desc, rowkey.Digits(18)), "cannot hold 9223372036854775807"},
		"unsigned, too few":       {new().Time("a", rowkey.Millis, interop.Phoenix, rowkey.Desc, rowkey.Digits(19), interop.Unsigned), "cannot hold 18446744073709551615"},
		"desc twice":              {new().Uint("a", 8, rowkey.Desc, rowkey.Desc), "stands twice"},
		"two frames":              {new().String("a", rowkey.Fixed(3), rowkey.Pad(4, 0)), "at most"},
		"reverse after escaped":   {new().String("a", rowkey.Escaped, rowkey.Reverse), "stands before the option that ends the field"},
		"reverses nothing":        {new().String("a", rowkey.ReversePart(3, 4)), "reverses nothing"},
		"labels overlap":          {new().String("a", rowkey.ReverseLabels("..")), "cannot overlap itself"},
		"left on a field":         {new().String("a", rowkey.Left(2)), "fits the Copy of a text only"},
		"below on a text":         {new().String("a", rowkey.Below(2)), "does not fit a string"},
		"nil option":              {new().String("a", nil), "nil"},
		"loose but fixed":         {new().String("a", rowkey.Fixed(2), rowkey.Loose), "nothing to loosen"},
		"codes collide":           {new().String("a", rowkey.Codes(map[string]string{"x": "1", "y": "1"})), "one code"},
		"oneof holds the end":     {new().String("a", rowkey.OneOf("x_y", "x")).Separator("_").Uint("b", 1), "can never be written"},
		"zero unit":               {new().Time("a", rowkey.Unit{}), "the zero Unit"},
		"layout not of time":      {new().Time("a", rowkey.Layout("Jan 2006", time.UTC)), "Layout: expected"},
		"layout leaves out":       {new().Time("a", rowkey.Layout("200602", time.UTC)), "Layout: expected"},
		"layout without a zone":   {new().Time("a", rowkey.Layout("2006", nil)), "needs a zone"},
		"zone that shifted":       {new().Time("a", rowkey.Layout("2006010215", shanghai)), "add Years"},
		"years inverted":          {new().Time("a", rowkey.Millis, rowkey.Years(2100, 2000)), "is not a span"},
		"truncate uneven":         {new().Time("a", rowkey.Seconds, rowkey.Truncate(1500*time.Millisecond)), "not whole units"},
		"maxlen":                  {rowkey.New("t", rowkey.MaxLen(40000)).Uint("a", 1), "MaxLen(40000)"},
		"longer than maxlen":      {rowkey.New("t", rowkey.MaxLen(4)).Uint("a", 8), "the shortest key has 8 bytes"},
		"sample of other bytes":   {new().Uint("a", 1).Sample(`\x02`, 1), `sample: at byte 0, in a: the layout writes \x01, not \x02`},
		"sample of other values":  {new().Uint("a", 1).Sample(`\x02`, "x"), "its values do not encode"},
		"sample misspelled":       {new().Uint("a", 1).Sample(`\x0g`, 1), "sample: "},
		"not from New":            {new2().Uint("a", 1), "start a schema with New"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := c.b.Build()
			require.ErrorIs(t, err, rowkey.ErrSchema)
			require.True(t, s == nil)
			assert.Contains(t, err.Error(), c.words)
			var e *rowkey.Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, -1, e.Offset)
		})
	}
}

func new2() *rowkey.Builder { return new(rowkey.Builder) }

// TestBuilderTwice: what continues one head twice would write into the other's
// layout.
func TestBuilderTwice(t *testing.T) {
	head := rowkey.New("t").Uint("a", 1)
	one := head.Uint("b", 1)
	two := head.Uint("c", 1)
	_, err := one.Build()
	require.NoError(t, err)
	_, err = two.Build()
	require.ErrorContains(t, err, "builder used twice")
	_, err = one.Build()
	require.ErrorContains(t, err, "builder used twice")
	assert.Panics(t, func() { two.MustBuild() })
}

// TestZoneWithYears: since 1991 Shanghai has one offset.
func TestZoneWithYears(t *testing.T) {
	shanghai, err := time.LoadLocation("Asia/Shanghai")
	require.NoError(t, err)
	s, err := rowkey.New("t").Time("day", rowkey.Layout("20060102", shanghai), rowkey.Years(1992, 2100)).Build()
	require.NoError(t, err)
	key, err := s.AppendKey(nil, time.Date(2023, 5, 15, 16, 0, 0, 0, time.UTC))
	require.NoError(t, err)
	assert.Equal(t, "20230516", string(key))
	fixed := rowkey.New("u").Time("d", rowkey.Layout("20060102", time.FixedZone("", 8*3600)), rowkey.Years(1992, 2100)).MustBuild()
	assert.Equal(t, fixed.Fingerprint(), s.Fingerprint(), "only the offset is part of the layout")
}

// TestExplainSeconds: a zone whose offset had seconds, as that of Shanghai before 1901, shows the right instant.
func TestExplainSeconds(t *testing.T) {
	zone := time.FixedZone("LMT", 8*3600+5*60+43)
	s := rowkey.Must(rowkey.Parse("t", "[ms(at)]"))
	at := time.UnixMilli(1684203630129)
	key, err := s.AppendKey(nil, at)
	require.NoError(t, err)
	pieces, err := s.Pieces(key, zone)
	require.NoError(t, err)
	got, err := time.Parse(time.RFC3339Nano, pieces[0].Text)
	require.NoError(t, err)
	assert.True(t, at.Equal(got), pieces[0].Text)
}

// TestZoneBefore1970: west of UTC the first hours of 1970 are of 1969, whatever
// Years says.
func TestZoneBefore1970(t *testing.T) {
	for _, opts := range [][]rowkey.FieldOption{nil, {rowkey.Years(1970, 2000)}} {
		s := rowkey.New("t").Time("hour", rowkey.Layout("2006010215", time.FixedZone("", -5*3600)), opts...).MustBuild()
		_, err := s.AppendKey(nil, time.Unix(5*3600-1, 0))
		require.ErrorIs(t, err, rowkey.ErrRange, s)
		_, err = s.Decode([]byte("1969123123"))
		require.ErrorIs(t, err, rowkey.ErrMalformed, s)
		key, err := s.AppendKey(nil, time.Unix(5*3600, 0))
		require.NoError(t, err)
		assert.Equal(t, "1970010100", string(key))
	}
}

func TestErrors(t *testing.T) {
	at := time.UnixMilli(1684203630000)
	for name, c := range map[string]struct {
		key    func(rowkey.KeyBuilder) rowkey.KeyBuilder
		reason error
		text   string
	}{
		"terminator":  {func(k rowkey.KeyBuilder) rowkey.KeyBuilder { return k.String("a_b").Time(at).Uint(1) }, rowkey.ErrTerminator, `rowkey: trades: seller: holds the separator "_": value and its end cannot be told apart`},
		"missing":     {func(k rowkey.KeyBuilder) rowkey.KeyBuilder { return k.String("a").Time(at) }, rowkey.ErrMissing, "rowkey: trades: order: field not supplied"},
		"nothing":     {func(k rowkey.KeyBuilder) rowkey.KeyBuilder { return k }, rowkey.ErrMissing, "rowkey: trades: seller: field not supplied"},
		"extra":       {func(k rowkey.KeyBuilder) rowkey.KeyBuilder { return k.String("a").Time(at).Uint(1).Uint(2) }, rowkey.ErrExtra, "rowkey: trades: the fields are seller, at, order: more values than fields"},
		"type":        {func(k rowkey.KeyBuilder) rowkey.KeyBuilder { return k.String("a").Int(1684203630).Uint(1) }, rowkey.ErrType, "rowkey: trades: at: a time is a time.Time, or milliseconds given to UnixMilli: value of another type than the field's"},
		"before 1970": {func(k rowkey.KeyBuilder) rowkey.KeyBuilder { return k.String("a").Time(time.Time{}).Uint(1) }, rowkey.ErrRange, "rowkey: trades: at: 1970-01-01 is the first time: value out of range"},
		"negative":    {func(k rowkey.KeyBuilder) rowkey.KeyBuilder { return k.String("a").Time(at).Int(-1) }, rowkey.ErrRange, "rowkey: trades: order: 0 to 18446744073709551615: value out of range"},
		"name":        {func(k rowkey.KeyBuilder) rowkey.KeyBuilder { return k.Field("buyer").String("a") }, rowkey.ErrField, `rowkey: trades: seller: Field("buyer") was called, and next is seller; the fields are seller, at, order: no such field, or not the next one`},
		"prefix":      {func(k rowkey.KeyBuilder) rowkey.KeyBuilder { return k.Prefix("a") }, rowkey.ErrMissing, "rowkey: trades: seller: a prefix is no whole value: Range or AppendRanges must follow it: field not supplied"},
		"past prefix": {func(k rowkey.KeyBuilder) rowkey.KeyBuilder { return k.Prefix("a").Time(at) }, rowkey.ErrExtra, "rowkey: trades: seller: nothing but a range follows a prefix: more values than fields"},
		"too long": {func(k rowkey.KeyBuilder) rowkey.KeyBuilder {
			return k.String(strings.Repeat("x", 32767)).Time(at).Uint(1)
		}, rowkey.ErrLength, "rowkey: trades: 32785 bytes, at most 32767: length not allowed"},
		"zero builder": {func(rowkey.KeyBuilder) rowkey.KeyBuilder { return rowkey.KeyBuilder{}.String("a") }, rowkey.ErrMissing, "rowkey: the zero KeyBuilder: field not supplied"},
	} {
		t.Run(name, func(t *testing.T) {
			key, err := c.key(trades.KeyIn(make([]byte, 6, 64))).Bytes()
			require.ErrorIs(t, err, c.reason)
			assert.EqualError(t, err, c.text)
			assert.Empty(t, key)
			_, err = c.key(trades.Key()).Bytes()
			assert.EqualError(t, err, c.text)
			var e *rowkey.Error
			assert.ErrorAs(t, err, &e)
		})
	}
}

// A whole number given to a time, asked of it or read from it is refused with what
// takes its place; other types that do not fit, and other fields, are not.
func TestIntegerForTimeNamesTheRemedy(t *testing.T) {
	const reason = ": value of another type than the field's"
	said := func(err error, text string) {
		t.Helper()
		require.ErrorIs(t, err, rowkey.ErrType)
		assert.EqualError(t, err, "rowkey: trades: "+text+reason)
	}
	refused := func(k rowkey.KeyBuilder, text string) {
		t.Helper()
		_, err := k.Bytes()
		said(err, text)
	}
	k := trades.Key().String("a")
	const give = "at: a time is a time.Time, or milliseconds given to UnixMilli"
	refused(k.Int(1684203630000), give)
	refused(k.Uint(1684203630000), give)
	_, err := trades.AppendKey(nil, "a", int64(1684203630000), 7)
	said(err, give)
	_, err = k.Uint(1).Range()
	said(err, give)
	refused(k.String("a"), "at: is a time, and String was called")
	refused(k.Bool(true), "at: is a time, and Bool was called")
	refused(trades.Key().Int(1), "seller: is a string, and Int was called")
	_, err = k.UnixMilli(1).Uint(1).Uint(1).Bytes()
	assert.ErrorIs(t, err, rowkey.ErrExtra)

	const ask = "at: a time is a time.Time, as time.UnixMilli makes of milliseconds"
	for _, c := range []rowkey.Cond{
		rowkey.Eq("at", int64(1684203630000)), rowkey.Eq("at", uint64(1)), rowkey.In("at", 1, 2), rowkey.NotEq("at", 1), rowkey.Span("at", 1, 2),
		rowkey.AtLeast("at", 1), rowkey.MoreThan("at", 1), rowkey.AtMost("at", 1), rowkey.LessThan("at", 1),
	} {
		_, err := trades.Scan(rowkey.Eq("seller", "a"), c)
		said(err, ask)
	}
	_, err = trades.Scan(rowkey.Eq("seller", "a"), rowkey.Eq("at", "2023"))
	said(err, "at: is a time, and a text was given")

	key, err := trades.Key().String("a").UnixMilli(1).Uint(1).Bytes()
	require.NoError(t, err)
	var i int64
	var u uint64
	var b bool
	const read = "rowkey: trades: at: a time is read by Time" + reason + " (at byte 3)"
	assert.EqualError(t, trades.Read(key).Skip().Int(&i).Err(), read)
	assert.EqualError(t, trades.Read(key).Skip().Uint(&u).Err(), read)
	assert.EqualError(t, trades.Read(key).Skip().Bool(&b).Err(), "rowkey: trades: at: is a time, and Bool was called"+reason+" (at byte 3)")
}

// TestKeyInBuffer: KeyIn overwrites what a buffer holds, and AppendKey appends to it. Nothing after
// its capacity is touched.
func TestKeyInBuffer(t *testing.T) {
	s := rowkey.New("t").String("a").Separator("_").Uint("b", 1).MustBuild()
	for _, room := range []int{0, 1, 3, 100} {
		buf := append(make([]byte, 0, 5+room), "front"...)
		whole := append(append(make([]byte, 0, 205+room), buf[:5+room]...), strings.Repeat("#", 200)...)
		key, err := s.KeyIn(whole[: 5 : 5+room]).String("xyz").Uint(1).Bytes()
		require.NoError(t, err)
		assert.Equal(t, "xyz_\x01", string(key))
		assert.Equal(t, strings.Repeat("#", 200), string(whole[5+room:]))
		all, err := s.AppendKey(buf, "xyz", 1)
		require.NoError(t, err)
		assert.Equal(t, "frontxyz_\x01", string(all))
		back, err := s.AppendKey(buf, "x_z", 1)
		require.ErrorIs(t, err, rowkey.ErrTerminator)
		assert.Equal(t, "front", string(back))
	}
}

// TestNullsLeftOutInAnyRoom: the nulls that end a key may grow it out of any buffer, and out of the
// longest key. It ends, with the key or with an error.
func TestNullsLeftOutInAnyRoom(t *testing.T) {
	for _, notation := range []string{
		"[a orderedbytes][b:i4 numeric optional orderedbytes][c:2 numeric optional orderedbytes]",
		"[a orderedbytes][b:i4 numeric optional orderedbytes]['a constant of thirty bytes!!!!'][c:2 numeric optional orderedbytes]",
		"[salt16(rest())][a orderedbytes][b:i4 numeric optional orderedbytes][c optional orderedbytes]",
		"maxlen(10) [a orderedbytes]['-'][c:2 numeric optional orderedbytes]['--']",
	} {
		s, err := rowkey.Parse("t", notation)
		require.NoError(t, err, notation)
		var nulls []any
		for f := range s.Fields() {
			if !f.Derived && f.Kind != "literal" {
				nulls = append(nulls, nil)
			}
		}
		for n := range 40 {
			text := strings.Repeat("x", n)
			nulls[0] = text
			want, wantErr := s.AppendKey(nil, nulls...)
			same := func(key []byte, err error, how string, room int) {
				if wantErr != nil {
					require.EqualError(t, err, wantErr.Error(), "%s: %s", how, notation)
					return
				}
				require.NoError(t, err, "%s: %s", how, notation)
				require.Equal(t, want, key, "%s in %d bytes: %s", how, room, notation)
			}
			for room := range 80 {
				key, err := s.KeyIn(make([]byte, 0, room)).String(text).Bytes()
				same(key, err, "KeyIn", room)
				key, err = s.AppendKey(make([]byte, 0, room), text)
				same(key, err, "AppendKey", room)
			}
			key, err := s.Key().String(text).Bytes()
			same(key, err, "Key", 0)
		}
	}
}

func TestReadErrors(t *testing.T) {
	key, err := trades.Key().String("s-42").UnixMilli(1684203630000).Uint(7).Bytes()
	require.NoError(t, err)
	var (
		seller string
		at     time.Time
		order  uint64
		signed int64
	)
	wrongSalt := slices.Clone(key)
	wrongSalt[0] = 3
	for name, c := range map[string]struct {
		err    error
		reason error
		offset int
	}{
		"whole":      {trades.Read(key).String(&seller).Time(&at).Uint(&order).Err(), nil, 0},
		"as int":     {trades.Read(key).String(&seller).Time(&at).Int(&signed).Err(), nil, 0},
		"skipped":    {trades.Read(key).Skip().Time(&at).Skip().Err(), nil, 0},
		"type":       {trades.Read(key).Uint(&order).Err(), rowkey.ErrType, 1},
		"left over":  {trades.Read(key).String(&seller).Err(), rowkey.ErrMissing, 6},
		"too many":   {trades.Read(key).Skip().Skip().Skip().Skip().Err(), rowkey.ErrExtra, -1},
		"cut":        {trades.Read(key[:10]).String(&seller).Time(&at).Err(), rowkey.ErrMalformed, 6},
		"no end":     {trades.Read(key[:3]).String(&seller).Err(), rowkey.ErrMalformed, 1},
		"longer":     {trades.Read(append(slices.Clone(key), 0)).String(&seller).Time(&at).Uint(&order).Err(), rowkey.ErrMalformed, 22},
		"wrong salt": {trades.Read(wrongSalt).String(&seller).Time(&at).Uint(&order).Err(), rowkey.ErrDerived, 0},
		"empty":      {trades.Read(nil).String(&seller).Err(), rowkey.ErrLength, 0},
		"zero":       {rowkey.Reader{}.String(&seller).Err(), rowkey.ErrMalformed, -1},
	} {
		t.Run(name, func(t *testing.T) {
			if c.reason == nil {
				require.NoError(t, c.err)
				return
			}
			require.ErrorIs(t, c.err, c.reason)
			var e *rowkey.Error
			require.ErrorAs(t, c.err, &e)
			assert.Equal(t, c.offset, e.Offset)
		})
	}
	assert.Equal(t, "s-42", seller)
	assert.Equal(t, int64(1684203630000), at.UnixMilli())
	assert.Equal(t, uint64(7), order)
	assert.Equal(t, int64(7), signed)
	_, err = trades.DecodeLoose(wrongSalt)
	assert.NoError(t, err)
}

// TestReadCopies: what is read never aliases the key.
func TestReadCopies(t *testing.T) {
	s := rowkey.New("t").Binary("b").MustBuild()
	key := []byte("abc")
	buf := make([]byte, 0, 8)
	require.NoError(t, s.Read(key).Binary(&buf).Err())
	key[0] = 'x'
	assert.Equal(t, "abc", string(buf))
}

// What a code stands for may be longer than the code: Binary takes memory of its own for it.
func TestCodeIntoAnyRoom(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "[kind codes('order':'o','refund':'r')][seq:1]"))
	for n := range 8 {
		kind, seq := make([]byte, 0, n), uint64(0)
		require.NoError(t, s.Read([]byte("o\x07")).Binary(&kind).Uint(&seq).Err())
		assert.Equal(t, "order 7", fmt.Sprintf("%s %d", kind, seq), n)
	}
}

// A codec refuses the row of an empty key, as a KeyBuilder does.
func TestEmptyKeyOfACodec(t *testing.T) {
	s := rowkey.New("t").String("name").MustBuild()
	type row struct {
		Name string `rowkey:"name"`
	}
	c := rowkey.Must(rowkey.Bind[row](s))
	_, want := s.Key().String("").Bytes()
	require.ErrorIs(t, want, rowkey.ErrLength)
	for n := range 64 {
		buf := append(make([]byte, 0, 8*n+1), 'x')
		key, err := c.Append(buf, &row{})
		assert.Equal(t, want, err)
		assert.Equal(t, "x", string(key))
	}
}

func TestRangeStates(t *testing.T) {
	var zero rowkey.Range
	assert.True(t, zero.Empty())
	assert.Equal(t, []byte{0xff}, zero.Start())
	assert.Equal(t, []byte{0x00}, zero.Stop())
	assert.False(t, zero.Contains(nil))
	start, stop, exact := zero.Reversed()
	assert.Equal(t, []byte{0x00}, start)
	assert.Equal(t, []byte{0xff}, stop)
	assert.True(t, exact)

	for _, c := range []struct{ prefix, stop string }{
		{"", ""}, {"\xff", ""}, {"\xff\xff", ""}, {"\x00\xff", "\x01"}, {"\x12\x23\xff\xff", "\x12\x24"}, {"a", "b"}, {"a\x00", "a\x01"},
	} {
		r := rowkey.PrefixRange([]byte(c.prefix))
		assert.Equal(t, c.prefix, string(r.Start()))
		assert.Equal(t, c.stop, string(r.Stop()))
		assert.Equal(t, c.stop == "", r.Unbounded())
		assert.False(t, r.Empty())
		assert.True(t, r.Contains([]byte(c.prefix+"\xff")))
	}

	_, err := rowkey.NewRange([]byte("a"), nil)
	assert.ErrorIs(t, err, rowkey.ErrLength)
	_, err = rowkey.NewRange([]byte("b"), []byte("a"))
	assert.ErrorIs(t, err, rowkey.ErrInverted)
	same, err := rowkey.NewRange([]byte("a"), []byte("a"))
	require.NoError(t, err)
	assert.True(t, same.Empty())
	r, err := rowkey.NewRange([]byte("a"), []byte("c"))
	require.NoError(t, err)
	assert.Equal(t, "[a, c)", r.String())
	assert.True(t, r.Contains([]byte("a")))
	assert.False(t, r.Contains([]byte("c")))
}

// What is not stored is not in the key: where all that is stored is supplied, it
// is one key, not all that begin with it.
func TestRangeOfAllThatIsStored(t *testing.T) {
	s := rowkey.New("t").Salt(2, "b").String("a").Int("b", 8, rowkey.NotStored).MustBuild()
	ranges, _, err := s.Key().String("x").AppendRanges(nil, nil)
	require.NoError(t, err)
	require.Len(t, ranges, 2)
	assert.Equal(t, `[\x00x, \x00x\x00)`, ranges[0].String())
	assert.Equal(t, `[\x01x, \x01x\x00)`, ranges[1].String())
}

// TestRangeReversed: a reversed scan from start, inclusive, down to stop,
// exclusive, meets every row of the range.
func TestRangeReversed(t *testing.T) {
	alphabet := []byte{0x00, 0x01, 0xfe, 0xff}
	var rows [][]byte
	for n := range 4 {
		for i := range int(math.Pow(4, float64(n))) {
			row := make([]byte, n)
			for j := range row {
				row[j] = alphabet[i>>(2*j)&3]
			}
			rows = append(rows, row)
		}
	}
	for _, p := range rows {
		r := rowkey.PrefixRange(p)
		start, stop, _ := r.Reversed()
		for _, row := range rows {
			if len(row) > 0 && r.Contains(row) {
				assert.True(t, len(start) == 0 || bytes.Compare(row, start) <= 0, "%x in %v starts at %x", row, r, start)
				assert.True(t, len(stop) == 0 || bytes.Compare(row, stop) > 0, "%x in %v stops at %x", row, r, stop)
			}
		}
	}
}

// TestRangeOwnsItsBytes: a later call on the same buffer changes no bound.
func TestRangeOwnsItsBytes(t *testing.T) {
	buf := make([]byte, 0, 64)
	one, err := trades.KeyIn(buf).String("a").Range()
	require.NoError(t, err)
	before := one.String()
	_, err = trades.KeyIn(buf).String("zzzz").Range()
	require.NoError(t, err)
	assert.Equal(t, before, one.String())

	// A whole key belongs to whom Bytes gave it.
	at := time.UnixMilli(1684203630000)
	whole := trades.Key().String("a").Time(at).Uint(7)
	key, err := whole.Bytes()
	require.NoError(t, err)
	row, err := whole.Range()
	require.NoError(t, err)
	want := bytes.Clone(key)
	clear(key[:cap(key)])
	assert.Equal(t, want, row.Start())
	want[len(want)-1] = 8
	assert.Equal(t, want, row.Stop())
}

func TestSplitKeys(t *testing.T) {
	splits, err := trades.Splits(4)
	require.NoError(t, err)
	assert.Equal(t, `SPLITS => ['\x04', '\x08', '\x0C']`, splits.Shell())
	assert.Equal(t, "[04 08 0c]", fmt.Sprintf("%x", splits))
	for row, region := range map[string]int{"\x00": 0, "\x03\xff": 0, "\x04": 1, "\x07\xff": 1, "\x08": 2, "\x0c": 3, "\xff": 3} {
		assert.Equal(t, region, splits.Region([]byte(row)), "%x", row)
	}
	one, err := trades.Splits(1)
	require.NoError(t, err)
	assert.Empty(t, one)

	_, err = trades.Splits(17)
	assert.ErrorIs(t, err, rowkey.ErrSplits)
	_, err = trades.Splits(0)
	assert.ErrorIs(t, err, rowkey.ErrRange)
	_, err = rowkey.New("t").Uint("id", 8).MustBuild().Splits(4)
	assert.ErrorIs(t, err, rowkey.ErrSplits)

	two := rowkey.New("t").Literal("v1-").Salt(4, "id").Hash(rowkey.MD5.Hex(1), "id").Uint("id", 8).MustBuild()
	splits, err = two.Splits(8)
	require.NoError(t, err)
	assert.Equal(t, `SPLITS => ['v1-\x008', 'v1-\x010', 'v1-\x018', 'v1-\x020', 'v1-\x028', 'v1-\x030', 'v1-\x038']`, splits.Shell())

	down := rowkey.New("t").Uint("slot", 1, rowkey.Below(8), rowkey.Desc).MustBuild()
	splits, err = down.Splits(4)
	require.NoError(t, err)
	assert.Equal(t, "[fa fc fe]", fmt.Sprintf("%x", splits))

	sample := slices.Values([][]byte{{3}, {1}, {2}, {4}, {1}})
	splits, err = two.SplitsOf(2, sample)
	require.NoError(t, err)
	assert.Equal(t, "[03]", fmt.Sprintf("%x", splits))
	_, err = two.SplitsOf(5, sample)
	assert.ErrorIs(t, err, rowkey.ErrSplits)
}

// A key that begins with a time cannot be pre-split: no error of Splits advises
// sample keys for one, nor without a word for a number that may only rise.
func TestSplitsOfRisingKey(t *testing.T) {
	for notation, want := range map[string]string{
		"[ms(at)][id:8]":            "t: at: the key rises with time, and all new rows lie in the last region: such a key cannot be pre-split; a leading Salt or Hash spreads it",
		"['e'][max-ms(at)][id:8]":   "t: at: the key falls as time passes, and all new rows lie in the first region: such a key cannot be pre-split; a leading Salt or Hash spreads it",
		"[id:8][ms(at)]":            "t: id: its values depend on data: use SplitsOf, unless they only rise: such a key cannot be pre-split",
		"[user]['_'][ms(at)]":       "t: user: its values depend on data: use SplitsOf",
		"[salt2(at)][ms(at)]":       "t: salt: 2 leading values make at most 2 regions, not 4: use SplitsOf for more",
		"[kind:1 below(2)][ms(at)]": "t: kind: 2 leading values make at most 2 regions, not 4: use SplitsOf for more",
	} {
		s, err := rowkey.Parse("t", notation)
		require.NoError(t, err, notation)
		_, err = s.Splits(4)
		require.ErrorIs(t, err, rowkey.ErrSplits, notation)
		assert.EqualError(t, err, "rowkey: "+want+": split keys depend on the data", notation)
	}
}

// only is a step that writes what it keeps, as it is.
type only struct{ kept string }

func (o only) Append(dst, b []byte) ([]byte, error) {
	if !strings.Contains(o.kept, string(b)) {
		return dst, rowkey.ErrRange
	}
	return append(dst, b...), nil
}
func (o only) Invert(dst, b []byte) ([]byte, error) { return o.Append(dst, b) }
func (only) Traits() rowkey.Traits                  { return rowkey.Traits{Order: rowkey.Forward, Size: 1} }
func (only) String() string                         { return "only" }

// TestSplitsOfFewBools: a bool whose step refuses one value, or both.
func TestSplitsOfFewBools(t *testing.T) {
	for kept, want := range map[string]string{
		"":     "t: b: its step writes none of its values, and so no key is written",
		"\x01": "t: one leading value makes one region, not 2",
	} {
		bool := rowkey.Via(only{kept})
		_, err := rowkey.New("t").Bool("b", bool).MustBuild().Splits(2)
		assert.EqualError(t, err, "rowkey: "+want+": split keys depend on the data")
		require.ErrorIs(t, err, rowkey.ErrSplits)
		splits, err := rowkey.New("t").Bool("b", bool).Uint("n", 1).MustBuild().Splits(2)
		if kept == "" {
			assert.EqualError(t, err, "rowkey: "+want+": split keys depend on the data")
			_, err = rowkey.New("t").Salt(2, "b").Bool("b", bool).MustBuild().Splits(4)
			assert.ErrorContains(t, err, "t: b: its step writes none of its values")
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, "[0180]", fmt.Sprintf("%x", splits))
	}
}

func TestBindRefuses(t *testing.T) {
	check := func(err error, reason error, words string) {
		t.Helper()
		require.ErrorIs(t, err, reason)
		assert.ErrorContains(t, err, words)
	}
	_, err := rowkey.Bind[int](trades)
	check(err, rowkey.ErrType, "is no struct")
	_, err = rowkey.Bind[struct {
		S string `rowkey:"seller"`
	}](trades)
	check(err, rowkey.ErrMissing, "at: no field of")
	_, err = rowkey.Bind[struct {
		S string `rowkey:"sellr"`
	}](trades)
	check(err, rowkey.ErrField, "sellr")
	_, err = rowkey.Bind[struct {
		S uint8 `rowkey:"salt"`
	}](trades)
	check(err, rowkey.ErrField, "is computed")
	_, err = rowkey.Bind[struct {
		S, T string `rowkey:"seller"`
	}](trades)
	check(err, rowkey.ErrExtra, "the tag stands twice")
	_, err = rowkey.Bind[struct {
		S int `rowkey:"seller"`
	}](trades)
	check(err, rowkey.ErrType, "int cannot hold every value of [seller]")
	_, err = rowkey.Bind[struct {
		O uint32 `rowkey:"order"`
	}](trades)
	check(err, rowkey.ErrType, "uint32 cannot hold every value of [order:8]")
	_, err = rowkey.Bind[struct {
		A int64 `rowkey:"at"`
	}](trades)
	check(err, rowkey.ErrType, "says its unit")
	_, err = rowkey.Bind[struct {
		A int64 `rowkey:"at,s"`
	}](trades)
	check(err, rowkey.ErrType, `in "s" cannot hold every value`)
	_, err = rowkey.FieldOf[int64](trades, "seller")
	check(err, rowkey.ErrType, "cannot hold")
	_, err = rowkey.FieldOf[int64](trades, "buyer")
	check(err, rowkey.ErrField, "buyer")
}

// TestCodecTypes moves every Go type through a key and back.
func TestCodecTypes(t *testing.T) {
	type text string
	type id [16]byte
	type inner struct {
		Small uint8 `rowkey:"small"`
	}
	type row struct {
		inner
		Name    text      `rowkey:"name"`
		ID      id        `rowkey:"id"`
		I32     int32     `rowkey:"i32"`
		Micros  int64     `rowkey:"micros,us"`
		When    time.Time `rowkey:"when"`
		Ratio   float32   `rowkey:"ratio"`
		On      bool      `rowkey:"on"`
		Blob    []byte    `rowkey:"blob"`
		Ignored string
	}
	s := rowkey.New("t").Uint("small", 1).String("name").Separator("\x00").Binary("id", rowkey.Fixed(16)).Int("i32", 4).
		Time("micros", rowkey.Micros).Time("when", rowkey.Seconds, rowkey.Width(4)).Float("ratio", 4).Bool("on").Binary("blob").MustBuild()
	codec := rowkey.Must(rowkey.Bind[row](s))
	in := row{inner{9}, "n", id{1, 2, 3}, -5, 1684203630000001, time.Unix(1684203630, 0).UTC(), 1.5, true, []byte("x"), "kept"}
	key, err := codec.Append([]byte("front"), &in)
	require.NoError(t, err)
	out := row{Ignored: "kept"}
	require.NoError(t, codec.Decode(key[5:], &out))
	assert.Equal(t, in, out)
	want, err := s.AppendKey([]byte("front"), uint8(9), "n", in.ID[:], -5, time.UnixMicro(1684203630000001), in.When, 1.5, true, []byte("x"))
	require.NoError(t, err)
	assert.Equal(t, want, key)

	in.Name = "a\x00b"
	dst := []byte("front")
	arena, ends, err := codec.AppendAll(dst, []int{1}, []row{out, in})
	require.ErrorIs(t, err, rowkey.ErrTerminator)
	assert.ErrorContains(t, err, "row 1")
	assert.Equal(t, dst, arena)
	assert.Equal(t, []int{1}, ends)

	before := out
	require.Error(t, codec.Decode(key[5:12], &out))
	assert.Equal(t, before, out, "a key that does not decode changes nothing")
}

func TestField(t *testing.T) {
	type name string
	seller := rowkey.Must(rowkey.FieldOf[name](trades, "seller"))
	at := rowkey.Must(rowkey.FieldOf[time.Time](trades, "at"))
	key, err := trades.Key().String("s-42").UnixMilli(1684203630000).Uint(7).Bytes()
	require.NoError(t, err)
	row, err := trades.Decode(key)
	require.NoError(t, err)
	got, err := seller.Get(row)
	require.NoError(t, err)
	assert.Equal(t, name("s-42"), got)
	when, err := at.Get(row)
	require.NoError(t, err)
	assert.Equal(t, int64(1684203630000), when.UnixMilli())

	other := rowkey.New("other").String("seller").MustBuild()
	foreign, err := other.Decode([]byte("x"))
	require.NoError(t, err)
	_, err = seller.Get(foreign)
	assert.ErrorIs(t, err, rowkey.ErrField)
	_, err = seller.Get(rowkey.Row{})
	assert.ErrorIs(t, err, rowkey.ErrField)
	_, err = rowkey.Field[string]{}.Get(row)
	assert.ErrorIs(t, err, rowkey.ErrField)
	assert.True(t, row.Has("seller"))
	assert.False(t, row.Has("buyer"))
	assert.Equal(t, []byte{0x0c}, row.Stored("salt"))
	assert.Nil(t, row.Stored("buyer"))
}

// TestFingerprint: names and limits may change, bytes may not.
func TestFingerprint(t *testing.T) {
	base := func() *rowkey.Builder { return rowkey.New("a").Salt(16, "x") }
	same := base().String("x").Separator("_").Uint("n", 8).MustBuild().Fingerprint()
	renamed := rowkey.New("b").Salt(16, "y", rowkey.Named("bucket")).String("y", rowkey.Chars("abc")).Separator("_").Uint("m", 8, rowkey.Below(9)).MustBuild()
	assert.Equal(t, same, renamed.Fingerprint())
	for name, b := range map[string]*rowkey.Builder{
		"buckets":   rowkey.New("a").Salt(17, "x").String("x").Separator("_").Uint("n", 8),
		"rule":      rowkey.New("a").Salt(16, "x", interop.PhoenixHash).String("x").Separator("_").Uint("n", 8),
		"input":     rowkey.New("a").Salt(16, "n").String("x").Separator("_").Uint("n", 8),
		"separator": base().String("x").Separator("-").Uint("n", 8),
		"size":      base().String("x").Separator("_").Uint("n", 4),
		"desc":      base().String("x").Separator("_").Uint("n", 8, rowkey.Desc),
		"kind":      base().String("x").Separator("_").Int("n", 8),
		"text":      base().String("x").Separator("_").Uint("n", 8, rowkey.Digits(8)),
		"reverse":   base().String("x", rowkey.Reverse).Separator("_").Uint("n", 8),
	} {
		assert.NotEqual(t, same, b.MustBuild().Fingerprint(), name)
	}
}

func TestRekey(t *testing.T) {
	orders := func(lead, other string, buckets int) *rowkey.Schema {
		return rowkey.New(lead).Salt(buckets, lead).String(lead).Separator("\x00").
			Time("at", rowkey.Millis, rowkey.Desc).Uint("order", 8).String(other).MustBuild()
	}
	bySeller, byBuyer, wider := orders("seller", "buyer", 16), orders("buyer", "seller", 16), orders("seller", "buyer", 32)
	key, err := bySeller.AppendKey(nil, "s", time.UnixMilli(5), 1, "b")
	require.NoError(t, err)
	index, err := byBuyer.Rekey([]byte("front"), key, bySeller)
	require.NoError(t, err)
	want, err := byBuyer.AppendKey([]byte("front"), "b", time.UnixMilli(5), 1, "s")
	require.NoError(t, err)
	assert.Equal(t, want, index)
	back, err := bySeller.Rekey(nil, index[5:], byBuyer)
	require.NoError(t, err)
	assert.Equal(t, key, back)
	moved, err := wider.Rekey(nil, key, bySeller)
	require.NoError(t, err)
	want, err = wider.AppendKey(nil, "s", time.UnixMilli(5), 1, "b")
	require.NoError(t, err)
	assert.Equal(t, want, moved)

	short := rowkey.New("short").String("seller").MustBuild()
	got, err := short.Rekey(nil, key, bySeller)
	require.NoError(t, err, "a surplus field is dropped")
	assert.Equal(t, "s", string(got))
	_, err = bySeller.Rekey(nil, got, short)
	assert.ErrorIs(t, err, rowkey.ErrMissing)
	_, err = byBuyer.Rekey(nil, key[1:], bySeller)
	assert.Error(t, err)

	signed := rowkey.New("signed").Int("n", 8).MustBuild()
	unsigned := rowkey.New("unsigned").Uint("n", 1).MustBuild()
	minus, err := signed.AppendKey(nil, -1)
	require.NoError(t, err)
	_, err = unsigned.Rekey(nil, minus, signed)
	assert.ErrorIs(t, err, rowkey.ErrRange)
	large, err := signed.AppendKey(nil, 256)
	require.NoError(t, err)
	_, err = unsigned.Rekey(nil, large, signed)
	assert.ErrorIs(t, err, rowkey.ErrRange)
	text := rowkey.New("text").String("n").MustBuild()
	_, err = text.Rekey(nil, large, signed)
	assert.ErrorIs(t, err, rowkey.ErrType)
}

func TestCheck(t *testing.T) {
	good, err := trades.AppendKey(nil, "s-42", time.UnixMilli(5), 7)
	require.NoError(t, err)
	salted := slices.Clone(good)
	salted[0]++
	report := advice.Fit(trades, slices.Values([][]byte{good, salted, good[:5], nil}))
	assert.Equal(t, 4, report.Keys)
	assert.Equal(t, 1, report.Fit)
	assert.Equal(t, 1, report.Derived)
	assert.Equal(t, 2, report.Malformed)
	assert.Equal(t, salted, report.Offenders[0].Key)
	assert.True(t, errors.Is(report.Offenders[0].Err, rowkey.ErrDerived))
	assert.Zero(t, report.Rewritten)
	assert.Zero(t, report.Ambiguous)

	loose := rowkey.New("loose").String("device", rowkey.Loose).Separator("_").String("sensor", rowkey.Loose).Separator("_").Uint("n", 1).MustBuild()
	key, err := loose.AppendKey(nil, "device_001", "a", 1)
	require.NoError(t, err)
	assert.Equal(t, 1, advice.Fit(loose, slices.Values([][]byte{key})).Ambiguous)
}

// TestLooseOneReading: a device whose name holds the separator is read from
// both sides.
func TestLooseOneReading(t *testing.T) {
	s := rowkey.New("iot").String("device", rowkey.Loose).Separator("_").String("sensor").Separator("_").Time("at", rowkey.Millis, rowkey.Desc).MustBuild()
	at := time.UnixMilli(1684203630000)
	key, err := s.Key().String("device_001").String("t").Time(at).Bytes()
	require.NoError(t, err)
	row, err := s.Decode(key)
	require.NoError(t, err)
	assert.Equal(t, "device_001", string(row.Stored("device")))
	var device, sensor string
	require.NoError(t, s.Read(key).String(&device).String(&sensor).Skip().Err())
	assert.Equal(t, []string{"device_001", "t"}, []string{device, sensor})

	glued := rowkey.New("glued").Uint("uid", 8, rowkey.Decimal, rowkey.Loose).String("phone", rowkey.Loose).String("name").MustBuild()
	key, err = glued.Key().Uint(11).String("1123").String("").Bytes()
	require.NoError(t, err)
	assert.Equal(t, "111123", string(key))
	_, err = glued.Decode(key)
	assert.ErrorIs(t, err, rowkey.ErrAmbiguous)
}

// TestScanCopyOfText: a copy of the first letters ends an interval no earlier
// than its source does.
func TestScanCopyOfText(t *testing.T) {
	s := rowkey.New("t").Copy("lead", "name", rowkey.Left(1)).Separator("\x00").String("name").MustBuild()
	plan, err := s.Scan(rowkey.Span("name", "ba", "bc"))
	require.NoError(t, err)
	require.Equal(t, `[b\x00ba, b\x00bc)`, slices.Collect(plan.Ranges())[0].String())
	for name, want := range map[string]bool{"ba": true, "bb": true, "bbz": true, "b": false, "bc": false, "c": false, "": false} {
		key, err := s.AppendKey(nil, name)
		require.NoError(t, err)
		assert.Equal(t, want, plan.Match(key), name)
		if want {
			assert.True(t, slices.Collect(plan.Ranges())[0].Contains(key), name)
		}
	}
}

// An option that does not fit where it is said does not compile.
func TestOptionsAreTyped(t *testing.T) {
	for _, c := range []struct {
		option              any
		field, salt, schema bool
	}{
		{option: rowkey.Desc, field: true},
		{option: rowkey.Fixed(4), field: true},
		{option: rowkey.Seconds, field: true},
		{option: rowkey.Decimal, field: true, salt: true},
		{option: rowkey.Width(4), field: true, salt: true},
		{option: interop.JavaHash, salt: true},
		{option: rowkey.MD5.Raw(4), salt: true},
		{option: rowkey.Named("a"), salt: true},
		{option: interop.HBase, field: true, schema: true},
		{option: rowkey.MaxLen(9), schema: true},
	} {
		_, field := c.option.(rowkey.FieldOption)
		_, salt := c.option.(rowkey.SaltOption)
		_, schema := c.option.(rowkey.SchemaOption)
		assert.Equal(t, []bool{c.field, c.salt, c.schema}, []bool{field, salt, schema}, "%T %v", c.option, c.option)
	}
}

// Options may be compared, as a list of them is searched for one.
func TestOptionsCompare(t *testing.T) {
	opts := []rowkey.FieldOption{rowkey.Pad(8, ' '), rowkey.Desc, interop.Phoenix}
	assert.True(t, slices.Contains(opts, rowkey.Desc))
	assert.False(t, slices.Contains(opts, rowkey.Optional))
}

// TestRowString: a row prints its fields and values.
func TestRowString(t *testing.T) {
	row, err := trades.Decode(rowkey.Must(trades.Key().String("s-42").UnixMilli(1684203630000).Uint(7).Bytes()))
	require.NoError(t, err)
	assert.Equal(t, `seller "s-42", at 2023-05-16T02:20:30Z, order 7`, row.String())
	assert.Equal(t, "no row", rowkey.Row{}.String())
}

// TestHashOfANumberInText: a hash of a number that the key holds as text says which bytes are meant; what it
// says changes no byte and no fingerprint of those that it says them of.
func TestHashOfANumberInText(t *testing.T) {
	for input, want := range map[string]string{
		"values(uid)": "c25cf0000010086", // md5 of 00 00 00 00 00 00 27 66
		"text(uid)":   "6412",
		"stored(uid)": "7a70",
	} {
		s := rowkey.New("t").Hash(rowkey.MD5.Hex(5), input).Uint("uid", 8, rowkey.Digits(10)).MustBuild()
		key, err := s.Key().Uint(10086).Bytes()
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(string(key), want[:4]), "%s: %s", input, key)
		if input == "values(uid)" {
			assert.Equal(t, want, string(key))
			assert.Equal(t, "6e4172ba9e80718a46547edf0a697992", s.Fingerprint())
		}
	}
	for _, notation := range []string{
		"[md5.hex(5)(a)][a:8 digits(19)]", "[md5.hex(5)(a)][a:8 hexdigits(16)]", "[md5.hex(5)(a)][a:8 decimal]['_']", "[md5.hex(5)(a)][a:i4 decimal]['_']",
		"[md5.hex(5)(a)][ms(a) digits(13)]", "[md5.hex(5)(a)][max-ms(a) digits(19)]", "[md5.hex(5)(a)][a:4 digits(10) reverse]", "['x'][a:4 digits(10)][md5.raw(2)(a)]",
	} {
		_, err := rowkey.Parse("t", notation)
		assert.ErrorContains(t, err, "say values(a) for its ", notation)
		for _, word := range []string{"values", "text", "stored"} {
			_, err := rowkey.Parse("t", strings.Replace(notation, "(a)]", "("+word+"(a))]", 1))
			assert.NoError(t, err, notation)
		}
	}
	for _, notation := range []string{ // no number in text, or no question which bytes are meant
		"[md5.hex(5)(a)][a:8]", "[md5.hex(5)(a)][a:8 varint]", "[md5.hex(5)(a)][ms(a)]", "[md5.hex(5)(a)][a]", "[md5.hex(5)(a)][layout(\"20060102\",UTC)(a)]",
		"[md5.hex(5)(a)][a:4 numeric orderedbytes]", "[md5.hex(5)(b)][b=a digits(3)][a:1]", "[salt16(a)][a:8 digits(10)]", "[salt16(a) modulo][a:8 digits(10)]", "[md5.hex(5)(a)][a:4 notstored]['x']",
	} {
		_, err := rowkey.Parse("t", notation)
		assert.NoError(t, err, notation)
	}
}

// The only time that Truncate leaves within Years lies less than a step below the last number of the unit.
func TestTruncateAtTheLastTime(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "phoenix [ns(at) truncate(2430h0m0s) years(2262,2262)]"))
	first := time.Date(2262, 1, 1, 0, 0, 0, 0, time.UTC)
	key, err := s.AppendKey(nil, first.AddDate(0, 0, 70))
	require.NoError(t, err)
	for _, c := range []rowkey.Cond{rowkey.AtLeast("at", first), rowkey.NotEq("at", first), rowkey.NotNull("at")} {
		p, err := s.Scan(c, rowkey.FullScan())
		require.NoError(t, err)
		require.Equal(t, 1, p.Len(), p.String())
		assert.True(t, p.Range(0).Contains(key) && p.Match(key), p.String())
	}
}

// An interval of few values is listed, also if 64 of them are more than the unit's numbers.
func TestTruncateIsListed(t *testing.T) {
	for _, hours := range []int{79_000, 80_100, 82_000, 160_200} {
		s := rowkey.Must(rowkey.Parse("t", fmt.Sprintf("[ns(at) truncate(%dh)][b:1]", hours)))
		epoch := time.Unix(0, 0)
		p, err := s.Scan(rowkey.Span("at", epoch, epoch.Add(time.Duration(2*hours)*time.Hour)), rowkey.Eq("b", 1))
		require.NoError(t, err)
		assert.True(t, p.Exact(), p.String())
		assert.Equal(t, 2, p.Len(), p.String())
	}
}

// A time before the first multiple of Truncate is told that it is too early, not that it is too late.
func TestTooEarlyForTruncate(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "phoenix [ns(at) truncate(2430h)]"))
	for _, at := range []time.Time{time.Date(1677, 9, 20, 0, 0, 0, 0, time.UTC), time.Date(1677, 9, 22, 0, 0, 0, 0, time.UTC)} {
		_, err := s.AppendKey(nil, at)
		assert.EqualError(t, err, "rowkey: t: at: 1677-10-25 is the first time: value out of range")
	}
	_, err := s.AppendKey(nil, time.Date(1677, 10, 25, 12, 0, 0, 0, time.UTC))
	assert.NoError(t, err)
}

// The first time that a field tells of is one that a key can hold.
func TestFirstTimeOfTruncate(t *testing.T) {
	_, err := rowkey.Parse("t", "[ms(at) years(2001,2002) truncate(100000h)]")
	assert.ErrorContains(t, err, "no value is within all limits")
	_, err = rowkey.Must(rowkey.Parse("t", "[ms(at) truncate(2430h) years(2000,2001)]")).AppendKey(nil, time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
	assert.ErrorContains(t, err, "the year is 1999, outside 2000 to 2001; Truncate has rounded the time down")
	for _, notation := range []string{"phoenix [ns(at) truncate(2430h)]", "orderedbytes [s(at) truncate(1000h)]", "[ms(at) truncate(2430h) years(2000,2001)]", "[ms(at) truncate(24h)]"} {
		s := rowkey.Must(rowkey.Parse("t", notation))
		for f := range s.Fields() {
			_, err := s.AppendKey(nil, f.Time.First)
			assert.NoError(t, err, notation)
			_, err = s.AppendKey(nil, f.Time.First.Add(-f.Time.Step))
			assert.ErrorIs(t, err, rowkey.ErrRange, notation)
		}
	}
}

// A salt of a field that no key stores is not compared, also if a copy before that field has no form. The copy
// itself is wrong.
func TestWrongCopyBesideNotStored(t *testing.T) {
	for _, in := range []string{"day,at", "at,day"} {
		s := rowkey.Must(rowkey.Parse("t", `[salt4(text(`+in+`)) letters("dbca")][ms(seller) digits(19)][max-ms(at) decimal notstored][day=seller layout("2006010215",+00:00)]`))
		_, err := s.Decode([]byte("c00400041840187826003295111118"))
		assert.EqualError(t, err, "rowkey: t: day: salt, hash or copy does not match the fields (at byte 20)")
	}
}
