package laws

import (
	"encoding/hex"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
	"math"
)

func dialectKey(t *testing.T, s *rowkey.Schema, values ...any) string {
	t.Helper()
	key, err := s.AppendKey(nil, values...)
	require.NoError(t, err)
	return hex.EncodeToString(key)
}

// The keys that the documentation shows, and others by hand.
func TestDialectKeys(t *testing.T) {
	phoenix := func() *rowkey.Builder { return rowkey.New("t", interop.Phoenix) }
	ordered := func() *rowkey.Builder { return rowkey.New("t", interop.OrderedBytes) }
	abbey := phoenix().String("n").String("sex", rowkey.Pad(1, ' ')).Int("y", 2, rowkey.Desc).Int("id", 8, rowkey.Desc)
	salted := phoenix().Salt(16, "rest()").String("n").String("sex", rowkey.Pad(1, ' ')).Int("y", 2, rowkey.Desc).Int("id", 8, rowkey.Desc)
	nulls := func(opts ...rowkey.FieldOption) *rowkey.Builder {
		opts = append(opts, rowkey.Optional)
		return phoenix().String("a", opts...).String("b", opts...).String("c", opts...)
	}
	for _, c := range []struct {
		b      *rowkey.Builder
		values []any
		want   string
	}{
		{abbey, []any{"Abbey", "F", 2012, 253}, "416262657900467823" + "7fffffffffffff02"},
		{salted, []any{"Abbey", "F", 2012, 253}, "08416262657900467823" + "7fffffffffffff02"},
		{phoenix().Float("x", 8), []any{1.5}, "bff8000000000001"},
		{phoenix().Float("x", 4, rowkey.Desc), []any{1.5}, "403ffffe"},
		{phoenix().Float("x", 8, interop.Unsigned), []any{1.5}, "3ff8000000000000"},
		{phoenix().String("x", interop.Numeric), []any{"12.345"}, "c10d2333"},
		{phoenix().String("x", interop.Numeric), []any{"12.34500"}, "c10d2333"},
		{phoenix().String("x", interop.Numeric, rowkey.Desc), []any{"-1"}, "c19b99ff"},
		{phoenix().Int("x", 8, interop.Numeric), []any{-100}, "3d6466"},
		{phoenix().Binary("x", rowkey.Escaped, rowkey.Desc).Int("y", 4), []any{"\x00\x01", 1}, "ff00fefffe80000001"},
		{phoenix().Binary("x", rowkey.Escaped).Int("y", 4), []any{"\x00", 1}, "00ff000180000001"},
		{phoenix().Binary("x", rowkey.Escaped), []any{"\x00a"}, "00ff61"},
		{phoenix().Time("x", rowkey.Nanos), []any{time.Unix(0, 1_000_002)}, "800000000000000100000002"},
		{phoenix().Time("x", rowkey.Millis), []any{time.UnixMilli(-1)}, "7fffffffffffffff"},
		{phoenix().Time("x", rowkey.Millis), []any{time.Time{}}, "7fffc77cedd32800"},
		{phoenix().Time("x", rowkey.Millis, interop.Unsigned, rowkey.Desc), []any{time.UnixMilli(0)}, "ffffffffffffffff"},
		{phoenix().Time("x", rowkey.Millis, rowkey.Desc, interop.Unsigned, rowkey.HexDigits(16)), []any{time.UnixMilli(1)}, "66666666666666666666666666666665"},
		{phoenix().Bool("x").Bool("y", rowkey.Desc), []any{true, true}, "01fe"},
		{phoenix().Salt(3, "rest()").Binary("x"), []any{"\x96\x00\xf6\x00\x13\xfe"}, "029600f60013fe"},

		{nulls(), []any{"x", nil, nil}, "78"},
		{nulls(), []any{"x"}, "78"},
		{nulls(), []any{nil, "x"}, "0078"},
		{nulls(), []any{nil, nil, "x"}, "000078"},
		{nulls(), []any{"a", nil, "x"}, "61000078"},
		{nulls(), []any{"a", "", "x"}, "61000078"},
		{nulls(rowkey.Desc), []any{"b", nil, "\x7f"}, "9dff0080ff"},
		{nulls(rowkey.Desc), []any{"b"}, "9dff"},
		{phoenix().Int("a", 4).String("b", rowkey.Optional).String("c", rowkey.Optional), []any{1, nil, "z"}, "80000001007a"},
		{phoenix().Int("a", 4).String("b", rowkey.Optional).String("c", rowkey.Optional), []any{1}, "80000001"},
		{phoenix().String("a", rowkey.Optional).Int("b", 4).String("c", rowkey.Optional), []any{nil, 1, nil}, "0080000001"},
		{phoenix().String("a").String("b", interop.Numeric, rowkey.Optional), []any{"a", nil}, "61"},
		{phoenix().String("a", interop.Numeric).String("b", rowkey.Optional), []any{"1", nil}, "c102"},
		{phoenix().Binary("a", rowkey.Escaped, rowkey.Optional).Binary("b", rowkey.Optional), []any{nil, "b"}, "000162"},

		{ordered().Int("a", 8, rowkey.Desc), []any{5}, "d37ffffffffffffffa"},
		{ordered().Int("a", 4), []any{-5}, "2b7ffffffb"},
		{ordered().String("a", rowkey.Desc), []any{"foo"}, "cb999090ff"},
		{ordered().Float("a", 8), []any{-1.5}, "314007ffffffffffff"},
		{ordered().Binary("a"), []any{"foo"}, "37b39bed70"},
		{ordered().Binary("a", interop.BlobCopy, rowkey.Desc), []any{"foo"}, "c7999090ff"},
		{ordered().Time("a", rowkey.Millis), []any{time.UnixMilli(5)}, "2c8000000000000005"},
		{ordered().String("a", interop.Numeric), []any{"123456789"}, "1c032f5b87b2"},
		{ordered().Int("a", 8, interop.Numeric).String("b", rowkey.Optional).Int("c", 8, interop.Numeric), []any{1, nil, 10}, "1802051814"},
		{ordered().Int("a", 8, interop.Numeric).String("b", rowkey.Optional).Int("c", 8, interop.Numeric, rowkey.Optional), []any{1}, "1802"},
		{ordered().String("a", rowkey.Optional).String("b", rowkey.Optional), []any{"", nil}, "3400"},
		{ordered().String("a", rowkey.Optional, rowkey.Desc).Int("b", 1), []any{nil, 0}, "fa2980"},
		// The option of one component, in a schema of none.
		{rowkey.New("t").Int("a", 2).Int("b", 2, interop.OrderedBytes).Int("c", 2, interop.HBase), []any{1, 1, 1}, "80012a80010001"},
		{ordered().String("a", interop.HBase).Separator("/").Int("b", 1), []any{"x", 1}, "782f2981"},
	} {
		s, err := c.b.Build()
		require.NoError(t, err)
		assert.Equal(t, c.want, dialectKey(t, s, c.values...), "%s %v", s, c.values)
		raw, _ := hex.DecodeString(c.want)
		row, err := s.Decode(raw)
		require.NoError(t, err, "%s %s", s, c.want)
		var back []any
		for _, v := range row.All() {
			back = append(back, v)
		}
		assert.Equal(t, c.want, dialectKey(t, s, back...), "%s %v", s, back)
	}
}

// A key that ends in what is always left off is no key.
func TestNullsAreLeftOff(t *testing.T) {
	phoenix := rowkey.New("t", interop.Phoenix).String("a").String("b", rowkey.Optional).String("c", rowkey.Optional).MustBuild()
	ordered := rowkey.New("t", interop.OrderedBytes).Int("a", 1).String("b", rowkey.Optional).Binary("c", rowkey.Optional, rowkey.Desc).MustBuild()
	for _, c := range []struct {
		s   *rowkey.Schema
		key string
		ok  bool
	}{
		{phoenix, "a", true}, {phoenix, "a\x00", false}, {phoenix, "a\x00\x00", false}, {phoenix, "a\x00b", true},
		{phoenix, "a\x00b\x00", false}, {phoenix, "a\x00\x00c", true}, {phoenix, "a\x00\x00\x00", true}, {phoenix, "\x00b", false},
		{ordered, "\x29\x81", true}, {ordered, "\x29\x81\x05", false}, {ordered, "\x29\x81\x05\xfa", false},
		{ordered, "\x29\x81\x05\xc8\xff", true}, {ordered, "\x29\x814x\x00", true}, {ordered, "\x29\x814x\x00\xfa", false},
	} {
		_, err := c.s.Decode([]byte(c.key))
		assert.Equal(t, c.ok, err == nil, "%q: %v", c.key, err)
		var a string
		var n int64
		var null bool
		r := c.s.Read([]byte(c.key))
		if c.s == phoenix {
			r = r.String(&a)
		} else {
			r = r.Int(&n)
		}
		err = r.Null(&null).String(&a).Null(&null).String(&a).Err()
		assert.Equal(t, c.ok, err == nil, "%q: %v", c.key, err)
	}
}

// Reading a null that nobody asked for is an error, not a zero; but to Phoenix
// the empty text is null.
func TestReadNull(t *testing.T) {
	s := rowkey.New("t", interop.OrderedBytes).Int("a", 8, interop.Numeric, rowkey.Optional).String("b", rowkey.Optional).Int("c", 1).MustBuild()
	key, err := s.Key().Null().Null().Int(1).Bytes()
	require.NoError(t, err)
	var n int64
	var text string
	var null bool
	require.ErrorIs(t, s.Read(key).Int(&n).Err(), rowkey.ErrMissing)
	require.ErrorIs(t, s.Read(key).Null(&null).Int(&n).String(&text).Err(), rowkey.ErrMissing)
	n, text = 7, "x"
	require.NoError(t, s.Read(key).Null(&null).Int(&n).Null(&null).String(&text).Skip().Err())
	assert.True(t, null)
	assert.Zero(t, n)
	assert.Empty(t, text)
	require.NoError(t, s.Read(key).Skip().Skip().Null(&null).Skip().Err())
	assert.False(t, null)
	require.ErrorIs(t, s.Read(key).Skip().Skip().Skip().Null(&null).Err(), rowkey.ErrExtra)
	require.ErrorIs(t, rowkey.Reader{}.Null(&null).Err(), rowkey.ErrMalformed)

	row, err := s.Decode(key)
	require.NoError(t, err)
	assert.False(t, row.Has("a"))
	assert.True(t, row.Has("c"))
	_, err = rowkey.Must(rowkey.FieldOf[int64](s, "a")).Get(row)
	require.ErrorIs(t, err, rowkey.ErrMissing)

	p := rowkey.New("t", interop.Phoenix).String("a", rowkey.Optional).Int("b", 1).MustBuild()
	key, err = p.Key().String("").Int(1).Bytes()
	require.NoError(t, err)
	assert.Equal(t, "0081", hex.EncodeToString(key))
	text = "x"
	require.NoError(t, p.Read(key).String(&text).Skip().Err())
	assert.Empty(t, text)

	// Only an Optional field can be null.
	_, err = s.Key().Null().Null().Null().Bytes()
	require.ErrorIs(t, err, rowkey.ErrType)
	_, err = s.Key().Null().Null().Int(1).Null().Bytes()
	require.ErrorIs(t, err, rowkey.ErrExtra)
	_, err = rowkey.KeyBuilder{}.Null().Bytes()
	require.ErrorIs(t, err, rowkey.ErrMissing)
	_, err = s.Key().Null().Bytes()
	require.ErrorIs(t, err, rowkey.ErrMissing)
}

// A struct's field is a pointer, or to Phoenix a string.
func TestBindNull(t *testing.T) {
	s := rowkey.New("t", interop.Phoenix).Int("a", 4).String("b", rowkey.Optional).Int("c", 8, interop.Numeric, rowkey.Optional).MustBuild()
	type row struct {
		A int32  `rowkey:"a"`
		B string `rowkey:"b"`
		C *int64 `rowkey:"c"`
	}
	codec, err := rowkey.Bind[row](s)
	require.NoError(t, err)
	seven := int64(7)
	for _, c := range []struct {
		v    row
		want string
	}{
		{row{A: 1}, "80000001"}, {row{A: 1, B: "x"}, "8000000178"}, {row{A: 1, C: &seven}, "8000000100c108"},
	} {
		key, err := codec.Append(nil, &c.v)
		require.NoError(t, err)
		assert.Equal(t, c.want, hex.EncodeToString(key))
		back := row{B: "stale", C: &seven}
		require.NoError(t, codec.Decode(key, &back))
		assert.Equal(t, c.v, back)
	}
	_, err = rowkey.Bind[struct {
		A int32  `rowkey:"a"`
		B string `rowkey:"b"`
		C int64  `rowkey:"c"`
	}](s)
	require.ErrorIs(t, err, rowkey.ErrType)
	require.ErrorContains(t, err, "say *int64")
	_, err = rowkey.Bind[struct {
		A *int32 `rowkey:"a"`
		B string `rowkey:"b"`
		C *int64 `rowkey:"c"`
	}](s)
	require.ErrorIs(t, err, rowkey.ErrType)
}

// "Not said" is not "said to be nothing".
func TestNullRanges(t *testing.T) {
	s := rowkey.New("t", interop.Phoenix).String("a").String("b", rowkey.Optional).String("c", rowkey.Optional).MustBuild()
	text := func(r rowkey.Range, err error) string {
		require.NoError(t, err)
		return r.String()
	}
	assert.Equal(t, `[x, x\x01)`, text(s.Key().String("x").Range()))
	assert.Equal(t, `[x, x\x00\x01)`, text(s.Key().String("x").Null().Range()))
	assert.Equal(t, `[x, x\x00)`, text(s.Key().String("x").Null().Null().Range()))
	assert.Equal(t, `[x\x00y, x\x00y\x01)`, text(s.Key().String("x").String("y").Range()))

	// Descending, OrderedBytes writes a null that is followed after all values,
	// and leaves one that is not off: before them.
	o := rowkey.New("t", interop.OrderedBytes).Int("a", 1).String("b", rowkey.Optional, rowkey.Desc).String("c", rowkey.Optional).MustBuild()
	_, err := o.Key().Int(1).Null().Range()
	require.ErrorIs(t, err, rowkey.ErrManyRanges)
	ranges, _, err := o.Key().Int(1).Null().AppendRanges(nil, nil)
	require.NoError(t, err)
	assert.Equal(t, `[[)\x81, )\x81\x00) [)\x81\xFA, )\x81\xFB)]`, fmt.Sprint(ranges))

	// After a slot that has one form too.
	salted := rowkey.New("t", interop.OrderedBytes).Salt(1, "rest()").String("b", rowkey.Optional, rowkey.Desc).String("c", rowkey.Optional).MustBuild()
	_, err = salted.Key().Null().Range()
	require.ErrorIs(t, err, rowkey.ErrManyRanges)
	ranges, _, err = salted.Key().Null().AppendRanges(nil, nil)
	require.NoError(t, err)
	assert.Equal(t, `[[\x00, \x00\x00) [\x00\xFA, \x00\xFB)]`, fmt.Sprint(ranges))

	plan := func(conds ...rowkey.Cond) string {
		p, err := s.Scan(conds...)
		require.NoError(t, err)
		require.True(t, p.Exact())
		return fmt.Sprint(slices.Collect(p.Ranges()))
	}
	a := rowkey.Eq("a", "x")
	assert.Equal(t, `[[x, x\x01)]`, plan(a))
	assert.Equal(t, `[[x, x\x00\x01)]`, plan(a, rowkey.Null("b")))
	assert.Equal(t, `[[x\x00\x01, x\x01)]`, plan(a, rowkey.NotNull("b")))
	assert.Equal(t, `[[x\x00\x01, x\x00b)]`, plan(a, rowkey.LessThan("b", "b")))
	assert.Equal(t, `[[x, x\x00\x01) [x\x00b, x\x01)]`, plan(a, rowkey.AnyOf(rowkey.Null("b"), rowkey.AtLeast("b", "b"))))
	assert.Equal(t, `[[x, x\x00)]`, plan(a, rowkey.Null("b"), rowkey.Null("c")))
	assert.Equal(t, `[]`, plan(a, rowkey.Null("b"), rowkey.NotNull("b")))
	assert.Equal(t, `[]`, plan(a, rowkey.Eq("b", "")))
	assert.Equal(t, `[]`, plan(rowkey.Null("a")))
}

// Decimal numbers are read back in one form, and none is rounded.
func TestNumeric(t *testing.T) {
	ordered := rowkey.New("t", interop.OrderedBytes).String("x", interop.Numeric).MustBuild()
	phoenix := rowkey.New("t", interop.Phoenix).String("x", interop.Numeric).MustBuild()
	for text, want := range map[string]string{
		"0": "0", "-0": "0", "0.000": "0", "1": "1", "+1": "1", "-1.50": "-1.5", ".5": "0.5", "5.": "5", "007": "7", "1e3": "1000",
		"1E-3": "0.001", "12.345": "12.345", "100000000000000000000": "100000000000000000000", "1e21": "1E+21", "1.5e21": "1500000000000000000000", "1.5e22": "1.5E+22",
		"1.5e23": "1.5E+23", "1e-21": "0.000000000000000000001", "1e-22": "1E-22", "-1.25e-30": "-1.25E-30",
		"1234567890123456789012345678901": "1234567890123456789012345678901",
	} {
		for _, s := range []*rowkey.Schema{ordered, phoenix} {
			key, err := s.Key().String(text).Bytes()
			require.NoError(t, err, text)
			var back string
			require.NoError(t, s.Read(key).String(&back).Err())
			assert.Equal(t, want, back, text)
			var raw []byte
			require.NoError(t, s.Read(key).Binary(&raw).Err())
			assert.Equal(t, want, string(raw))
		}
	}
	for _, text := range []string{"", "-", "+", ".", "1.2.3", "1e", "1e+", "e5", "0x1", "1_000", " 1", "1 ", "NaN", "Infinity", "١",
		"12345678901234567890123456789012345678901", "1e200000", "1e-99999999999999999999"} {
		for _, s := range []*rowkey.Schema{ordered, phoenix} {
			_, err := s.Key().String(text).Bytes()
			require.ErrorIs(t, err, rowkey.ErrRange, text)
		}
	}
	_, err := ordered.Key().String("12345678901234567890123456789012").Bytes() // 32 digits, which HBase rounds
	require.ErrorIs(t, err, rowkey.ErrRange)
	_, err = phoenix.Key().Int(1).Bytes()
	require.ErrorIs(t, err, rowkey.ErrType)

	// A query compares numbers, be they text or integers, storable or not.
	wide := rowkey.New("t", interop.Phoenix).Int("a", 1).String("x", interop.Numeric, rowkey.Desc).MustBuild()
	match := func(text string, conds ...rowkey.Cond) bool {
		p, err := wide.Scan(append(conds, rowkey.Eq("a", 0))...)
		require.NoError(t, err)
		require.True(t, p.Exact())
		key, err := wide.AppendKey(nil, 0, text)
		require.NoError(t, err)
		in := slices.ContainsFunc(slices.Collect(p.Ranges()), func(r rowkey.Range) bool { return r.Contains(key) })
		require.Equal(t, in, p.Match(key))
		return in
	}
	assert.True(t, match("9", rowkey.LessThan("x", "10")))
	assert.True(t, match("9", rowkey.AtMost("x", int8(9))))
	assert.True(t, match("9.0", rowkey.Eq("x", "9.00")))
	assert.False(t, match("9", rowkey.MoreThan("x", uint64(9))))
	assert.False(t, match("9", rowkey.AtLeast("x", "9.00000000000000000000000000000000000000000000000000001")))
	assert.True(t, match("9", rowkey.LessThan("x", "9.00000000000000000000000000000000000000000000000000001")))
	assert.True(t, match("1e100", rowkey.LessThan("x", "1e1000"), rowkey.MoreThan("x", "-1e1000")))
	assert.True(t, match("0", rowkey.LessThan("x", "1e-1000"), rowkey.MoreThan("x", "-1e-1000")))
	assert.False(t, match("0", rowkey.Eq("x", "1e-1000")))
	for _, c := range []rowkey.Cond{rowkey.Prefix("x", "1"), rowkey.Suffix("x", "1"), rowkey.Eq("x", 1.5), rowkey.Eq("x", true)} {
		_, err := wide.Scan(c)
		require.ErrorIs(t, err, rowkey.ErrType)
	}
	_, err = wide.Scan(rowkey.Eq("x", "one"))
	require.ErrorIs(t, err, rowkey.ErrRange)
}

func TestDialectNotation(t *testing.T) {
	s := rowkey.New("orders", interop.Phoenix).Salt(4, "rest()").
		String("customer").String("price", interop.Numeric, rowkey.Desc).Time("at", rowkey.Millis, interop.Unsigned).String("note", rowkey.Optional).MustBuild()
	assert.Equal(t, "[salt4(rest()) phoenixhash][customer phoenix][price numeric desc phoenix][ms(at) unsigned phoenix][note optional phoenix]", s.String())
	assert.Equal(t, "[a:i8 orderedbytes]['/'][b:i8 hbase][c:bytes blobcopy orderedbytes]",
		rowkey.New("t", interop.OrderedBytes).Int("a", 8).Separator("/").Int("b", 8, interop.HBase).Binary("c", interop.BlobCopy).MustBuild().String())
	key, err := s.AppendKey(nil, "c1", "12.50", time.UnixMilli(1684203630000))
	require.NoError(t, err)
	assert.Equal(t, `orders [salt4(rest()) phoenixhash][customer phoenix][price numeric desc phoenix][ms(at) unsigned phoenix][note optional phoenix]: 16 bytes
0   03                [salt4(rest()) phoenixhash]   bucket 3 of 4
1   633100            [customer phoenix]            "c1"
4   3ef2ccff          [price numeric desc phoenix]  12.5
8   00000188225bedb0  [ms(at) unsigned phoenix]     2023-05-16T02:20:30Z
16                    [note optional phoenix]       null
`, s.Explain(key))
	var names []string
	for f := range s.Fields() {
		if f.Optional {
			names = append(names, f.Name)
		}
	}
	assert.Equal(t, []string{"note"}, names)

	// Every dialect has a Fingerprint of its own.
	seen := map[string]string{}
	for _, b := range []*rowkey.Builder{
		rowkey.New("t").Int("a", 8).String("b"), rowkey.New("t", interop.HBase).Int("a", 8).String("b"),
		rowkey.New("t", interop.OrderedBytes).Int("a", 8).String("b"), rowkey.New("t", interop.Phoenix).Int("a", 8).String("b"),
		rowkey.New("t", interop.OrderedBytes).Int("a", 8).String("b", rowkey.Optional),
		rowkey.New("t", interop.OrderedBytes).Int("a", 8).String("b", interop.Numeric),
	} {
		s := b.MustBuild()
		assert.Empty(t, seen[s.Fingerprint()], "%s", s)
		seen[s.Fingerprint()] = s.String()
	}
}

// A dialect's times may lie before 1970, as numbers too.
func TestBindSignedTime(t *testing.T) {
	s := rowkey.New("t", interop.Phoenix).Time("a", rowkey.Millis).Time("b", rowkey.Nanos).Time("c", rowkey.Millis, interop.Unsigned).MustBuild()
	type row struct {
		A int64 `rowkey:"a,ms"`
		B int64 `rowkey:"b,ns"`
		C int64 `rowkey:"c,ms"`
	}
	codec := rowkey.Must(rowkey.Bind[row](s))
	for _, v := range []row{{-1, -1, 0}, {-62135596800000, -9223372036854775807, 1}, {0, 0, 0}, {1, 1, 1}} {
		key, err := codec.Append(nil, &v)
		require.NoError(t, err)
		var back row
		require.NoError(t, codec.Decode(key, &back))
		assert.Equal(t, v, back)
	}
	_, err := codec.Append(nil, &row{0, -9223372036854775808, 0})
	require.ErrorIs(t, err, rowkey.ErrRange)
	_, err = codec.Append(nil, &row{0, 0, -1})
	require.ErrorIs(t, err, rowkey.ErrRange)
	_, err = rowkey.Bind[struct {
		A uint64 `rowkey:"a,ms"`
		B int64  `rowkey:"b,ns"`
		C int64  `rowkey:"c,ms"`
	}](s)
	require.ErrorIs(t, err, rowkey.ErrType)
}

// Every schema of this run has a field that may be null: the laws, where nulls
// are dense.
func TestLawNulls(t *testing.T) {
	null := func(p genPair) bool { return p.a.word == "Optional" || p.b.word == "Optional" }
	lawOf(t, 100, null, func(c *lawCase) {
		c.allLaws()
	}, "rows", "tight plans", "prefixes of values", "neighbours of bounds", "conditions Null", "conditions NotNull")
}

// Every schema of this run has a field of OrderedBytes or of Phoenix.
func TestLawDialects(t *testing.T) {
	dialect := func(p genPair) bool { return genKinds[max(p.kind, 0)].dialect != "" }
	lawOf(t, 100, dialect, func(c *lawCase) {
		c.allLaws()
	}, "rows", "tight plans", "prefixes of values", "neighbours of bounds")
}

// A copy before nulls has its end left off, as a field has.
func TestCopyBeforeNulls(t *testing.T) {
	for _, c := range []struct {
		b      *rowkey.Builder
		values []any
		want   string
	}{
		{rowkey.New("t", interop.Phoenix).String("a").Copy("k", "a").String("b", rowkey.Optional), []any{"x", nil}, "780078"},
		{rowkey.New("t", interop.Phoenix).String("a").Copy("k", "a").String("b", rowkey.Optional), []any{"x", "y"}, "7800780079"},
		{rowkey.New("t", interop.Phoenix).Int("a", 1).Copy("k", "a", interop.Numeric).String("b", rowkey.Optional), []any{-1, nil}, "7f3e6466"},
		{rowkey.New("t", interop.Phoenix).Binary("a", rowkey.Escaped).Copy("k", "a", rowkey.Escaped).String("b", rowkey.Optional),
			[]any{"x", nil}, "78000178"},
	} {
		s := c.b.MustBuild()
		key, err := s.AppendKey(nil, c.values...)
		require.NoError(t, err)
		assert.Equal(t, c.want, hex.EncodeToString(key))
		_, err = s.Decode(key)
		assert.NoError(t, err, "%v %x", s, key)
		key[0] ^= 2
		_, err = s.Decode(key)
		assert.ErrorIs(t, err, rowkey.ErrDerived, "%v %x", s, key)
	}
}

// A VARBINARY_ENCODED at the end of a key has no end of its own, of few values too.
func TestFewValuesWithoutEnd(t *testing.T) {
	s := rowkey.New("t", interop.Phoenix).String("a").String("b", rowkey.Escaped, rowkey.Optional, rowkey.OneOf("x", "y")).MustBuild()
	for _, v := range []any{"x", "y", nil} {
		key, err := s.AppendKey(nil, "a", v)
		require.NoError(t, err)
		row, err := s.Decode(key)
		if assert.NoError(t, err, "%x", key) {
			assert.Equal(t, v != nil, row.Has("b"))
		}
	}
	_, err := s.Decode([]byte("a\x00z"))
	assert.ErrorIs(t, err, rowkey.ErrMalformed)
}

// The null of a last field is one key, not all that begin with it.
func TestNullBesideInterval(t *testing.T) {
	for _, last := range []struct {
		dialect rowkey.Dialect
		opts    []rowkey.FieldOption
	}{
		{interop.Phoenix, []rowkey.FieldOption{rowkey.Optional}},
		{interop.Phoenix, []rowkey.FieldOption{rowkey.Optional, rowkey.Escaped}},
		{interop.OrderedBytes, []rowkey.FieldOption{rowkey.Optional, interop.BlobCopy}},
		{interop.OrderedBytes, []rowkey.FieldOption{rowkey.Optional, interop.BlobCopy, rowkey.Desc}},
	} {
		s := rowkey.New("t", last.dialect).String("a").Binary("b", last.opts...).MustBuild()
		plan, err := s.Scan(rowkey.Eq("a", "x"), rowkey.AnyOf(rowkey.Null("b"), rowkey.AtLeast("b", "m")))
		require.NoError(t, err)
		assert.True(t, plan.Exact())
		for v, want := range map[any]bool{nil: true, "m": true, "z": true, "l": false, "\xff": true, "\x01": false} {
			key, err := s.AppendKey(nil, "x", v)
			require.NoError(t, err)
			n := 0
			for r := range plan.Ranges() {
				if r.Contains(key) {
					n++
				}
			}
			assert.Equal(t, want, n == 1, "%v: %q: %v", s, v, plan)
			assert.Equal(t, want, plan.Match(key))
		}

		// Of a key that is one field, none is null: no table is read for it.
		alone := rowkey.New("t", last.dialect).Binary("b", last.opts...).MustBuild()
		plan, err = alone.Scan(rowkey.AnyOf(rowkey.Null("b"), rowkey.AtLeast("b", "m")))
		require.NoError(t, err)
		low, err := alone.AppendKey(nil, "l")
		require.NoError(t, err)
		for r := range plan.Ranges() {
			assert.False(t, r.Contains(low), "%v: %v", alone, plan)
		}
	}
}

// What is empty elsewhere would be null where the empty text is, and so is refused.
func TestRekeyEmptyText(t *testing.T) {
	from := rowkey.New("from").String("a").Separator("_").String("b").MustBuild()
	to := rowkey.New("to", interop.Phoenix).String("b", rowkey.Optional).String("a").MustBuild()
	key, err := to.Rekey(nil, []byte("x_y"), from)
	require.NoError(t, err)
	assert.Equal(t, "y\x00x", string(key))
	key, err = to.Rekey([]byte("head"), []byte("x_"), from)
	require.ErrorIs(t, err, rowkey.ErrLength)
	assert.Equal(t, "head", string(key))
	var of *rowkey.Error
	require.ErrorAs(t, err, &of)
	assert.Equal(t, "b", of.Field)
}

// TestRekeyOfAnotherValue: a value that would be read back as another one is refused, with
// the field's name; the same value of another form, and a time in a longer unit, are not.
func TestRekeyOfAnotherValue(t *testing.T) {
	minus := math.Copysign(0, -1)
	for _, c := range []struct {
		from, to string
		value    any
		reason   error
	}{
		{"[b optional orderedbytes][c:1]", "[b optional phoenix][c:1]", "", rowkey.ErrLength},
		{"[b optional orderedbytes][c:1]", "[b optional phoenix][c:1]", nil, nil},
		{"[b optional orderedbytes][c:1]", "[b optional phoenix][c:1]", "x", nil},
		{"[b optional phoenix][c:1]", "[b optional orderedbytes][c:1]", nil, nil},
		{"[b]['\x00'][c:1]", "[b optional phoenix][c:1]", "", rowkey.ErrLength},
		{"[b]['\x00'][c:1]", "[c:1][b optional phoenix]", "", rowkey.ErrLength},
		{"[b]['\x00'][c:1]", "[b phoenix][c:1]", "", rowkey.ErrLength},
		{"[b]['\x00'][c:1]", "[b escaped][c:1]", "", nil},
		{"[b:f8 hbase][c:1]", "[b:f8][c:1]", minus, rowkey.ErrRange},
		{"[b:f8 hbase][c:1]", "[b:f8][c:1]", 0.0, nil},
		{"[b:f8 hbase][c:1]", "[b:f8 phoenix][c:1]", minus, nil},
		{"[b:f4 orderedbytes][c:1]", "[b:f8 unsigned phoenix][c:1]", minus, rowkey.ErrRange},
		{"[b:f8][c:1]", "[b:f8 orderedbytes][c:1]", minus, nil},
		{"[b escaped][c:1]", "[b pad(3,' ') phoenix][c:1]", "a ", rowkey.ErrTerminator},
		{"[b]['_'][c:1]", "[b numeric phoenix][c:1]", "1.0", rowkey.ErrRange},
		{"[b]['_'][c:1]", "[b numeric orderedbytes][c:1]", "007", rowkey.ErrRange},
		{"[b]['_'][c:1]", "[b numeric phoenix][c:1]", "1.5", nil},
		{"[b numeric orderedbytes][c:1]", "[b numeric phoenix][c:1]", "1.0", nil},
		{"[b numeric phoenix][c:1]", "[b]['_'][c:1]", "1.0", nil},
		{"[ms(b)][c:1]", "[s(b)][c:1]", time.UnixMilli(1500), nil},
		{"[ms(b)][c:1]", "[ms(b) truncate(1h)][c:1]", time.UnixMilli(1500), nil},
	} {
		from, to := rowkey.Must(rowkey.Parse("from", c.from)), rowkey.Must(rowkey.Parse("to", c.to))
		key, err := from.AppendKey(nil, c.value, 1)
		require.NoError(t, err, c.from)
		for name, rekey := range map[string]func([]byte, []byte, *rowkey.Schema) ([]byte, error){"Rekey": to.Rekey, "RekeyLoose": to.RekeyLoose} {
			made, err := rekey([]byte("head"), key, from)
			if c.reason == nil {
				require.NoError(t, err, "%s: %s to %s of %v", name, c.from, c.to, c.value)
				_, err = to.Decode(made[4:])
				require.NoError(t, err)
				continue
			}
			require.ErrorIs(t, err, c.reason, "%s: %s to %s of %v", name, c.from, c.to, c.value)
			assert.Equal(t, "head", string(made))
			var of *rowkey.Error
			require.ErrorAs(t, err, &of)
			assert.Equal(t, "b", of.Field)
		}
	}
}

// A negative DECIMAL of twenty pairs has no end: a bound that goes on after its
// digits, and so lies below it, is not to sort above.
func TestLongNegativeBounds(t *testing.T) {
	const row, below, above = "-1.2345678901234567890123456789012345678", "-1.23456789012345678901234567890123456780001", "-1.23456789012345678901234567890123456779999"
	for _, opts := range [][]rowkey.FieldOption{{interop.Numeric}, {interop.Numeric, rowkey.Desc}} {
		s := rowkey.New("t", interop.Phoenix).String("x", opts...).Int("n", 1).MustBuild()
		key, err := s.AppendKey(nil, row, 1)
		require.NoError(t, err)
		for _, c := range []struct {
			q    rowkey.Cond
			want bool
		}{
			{rowkey.AtLeast("x", below), true}, {rowkey.MoreThan("x", below), true}, {rowkey.AtMost("x", below), false}, {rowkey.LessThan("x", below), false},
			{rowkey.AtLeast("x", above), false}, {rowkey.AtMost("x", above), true}, {rowkey.Span("x", below, above), true}, {rowkey.Eq("x", below), false},
		} {
			plan, err := s.Scan(c.q)
			require.NoError(t, err)
			in := slices.ContainsFunc(slices.Collect(plan.Ranges()), func(r rowkey.Range) bool { return r.Contains(key) })
			assert.Equal(t, c.want, in, "%v", plan)
			assert.Equal(t, c.want, plan.Match(key), "%v", plan)
		}
	}
}

// A TIMESTAMP of a million nanoseconds beyond its milliseconds has another form,
// and one that 64 bits of nanoseconds cannot hold is no time.
func TestForeignTimestamps(t *testing.T) {
	s := rowkey.New("t", interop.Phoenix).Time("x", rowkey.Nanos).MustBuild()
	for form, want := range map[string]bool{
		"8000000000000001000f423f": true, "8000000000000001000f4240": false, "800000000000000180000000": false,
		"7fffffffffffffff000f423f": true, "7fffffffffffffff000f4240": false,
		"800008637bd05af6000bd67f": true, "800008637bd05af6000bd680": false,
		"7ffff79c842fa50900036bc0": false, "7ffff79c842fa50900036bc1": true,
		"000000000000000000000000": false, "ffffffffffffffffffffffff": false,
	} {
		key, err := hex.DecodeString(form)
		require.NoError(t, err)
		_, err = s.Decode(key)
		if !want {
			assert.ErrorIs(t, err, rowkey.ErrMalformed, form)
			continue
		}
		var at time.Time
		require.NoError(t, s.Read(key).Time(&at).Err(), form)
		assert.Equal(t, form, dialectKey(t, s, at))
	}
}

// A Span of decimal numbers is judged by the numbers, also where neither can be stored
// and all such have one place.
func TestSpanOfUnstorableDecimals(t *testing.T) {
	for _, dialect := range []rowkey.SchemaOption{interop.Phoenix, interop.OrderedBytes} {
		s := rowkey.New("s", dialect).String("a", interop.Numeric).MustBuild()
		_, err := s.Scan(rowkey.Span("a", "1.00000000000000000001E+200000", "100000000000000000000E+199980"))
		assert.ErrorIs(t, err, rowkey.ErrInverted)
		plan, err := s.Scan(rowkey.Span("a", "100000000000000000000E+199980", "1.00000000000000000001E+200000"))
		require.NoError(t, err)
		assert.True(t, plan.Exact())
		_, err = s.Scan(rowkey.Span("a", "-1", "-1.0000001"))
		assert.ErrorIs(t, err, rowkey.ErrInverted)
	}
}

// In a broken key a copy is shorter than any that is written, so that fewer bytes
// stand before the number after it.
func TestReadBehindShortCopy(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("s", `[a:bytes pad(1,'\x00') phoenix][also=a right(2) escaped phoenix][b:i4 phoenix]`))
	key, err := s.AppendKey(nil, []byte("b"), 7)
	require.NoError(t, err)
	assert.Equal(t, "b"+"b\x00\x01"+"\x80\x00\x00\x07", string(key))
	var a []byte
	var b int64
	assert.Error(t, s.Read([]byte("b"+"\x00\x01"+"\x80\x00\x00\x07")).Binary(&a).Int(&b).Err())
}
