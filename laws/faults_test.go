package laws

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
)

// An error says the limit that a value is outside of, or the length that it has,
// and never what it holds: the texts below all hold a secret, and no error does.
func TestErrorsNameLimits(t *testing.T) {
	const secret = "sEcReT"
	new := func() *rowkey.Builder { return rowkey.New("t") }
	on := func(day string) time.Time {
		at, err := time.Parse(time.DateOnly, day)
		require.NoError(t, err)
		return at
	}
	const end, length, limit = ": value and its end cannot be told apart", ": length not allowed", ": value out of range"
	for _, c := range []struct {
		b      *rowkey.Builder
		value  any
		want   string
		reason error
	}{
		{new().String("a").Separator("_").Uint("b", 1), secret + "_", `a: holds the separator "_"` + end, rowkey.ErrTerminator},
		{new().String("a").Separator("_").Uint("b", 1), secret + "_" + strings.Repeat("x", 40), `a: holds the separator "_"` + end, rowkey.ErrTerminator},
		{new().String("a", rowkey.MinLen(1)).Separator("_").Uint("b", 1), secret + "_", `a: holds the separator "_"` + end, rowkey.ErrTerminator},
		{new().String("a").Separator("__").Uint("b", 1), secret + "__", `a: holds the separator "__"` + end, rowkey.ErrTerminator},
		{new().String("a").Separator("__").Uint("b", 1), secret + "_", `a: ends as it begins: the separator "__"` + end, rowkey.ErrTerminator},
		{new().String("a", rowkey.Reverse).Separator("\x00").Uint("b", 1), secret + "\x00", `a: as stored holds the separator "\x00"` + end, rowkey.ErrTerminator},
		{new().String("a", rowkey.Pad(16, ' ')), secret + " ", `a: ends in the padding " "` + end, rowkey.ErrTerminator},
		{new().String("a", rowkey.PadLeft(16, '0')), "0" + secret, `a: begins with the padding "0"` + end, rowkey.ErrTerminator},
		{rowkey.New("t", interop.Phoenix).String("a").Uint("b", 1), secret + "\x00", `a: holds the byte "\x00", which ends it` + end, rowkey.ErrTerminator},
		{new().String("a", rowkey.Pad(16, ' ')), secret + "-----------", "a: 17 bytes, at most 16" + length, rowkey.ErrLength},
		{new().String("a", rowkey.PadLeft(16, ' ')), secret + "-----------", "a: 17 bytes, at most 16" + length, rowkey.ErrLength},
		{new().String("a", rowkey.Fixed(8)), secret, "a: 6 bytes, exactly 8" + length, rowkey.ErrLength},
		{new().String("a", rowkey.MinLen(8)), secret, "a: 6 bytes, at least 8" + length, rowkey.ErrLength},
		{new().String("a", rowkey.ReversePart(0, 8)), secret, "a: 6 bytes, at least 8" + length, rowkey.ErrLength},
		{new().String("a", rowkey.LenPrefix(1)), secret + strings.Repeat("x", 300), "a: 306 bytes, at most 255" + length, rowkey.ErrLength},
		{new().String("a", rowkey.UUID), secret, "a: 6 bytes, exactly 36" + length, rowkey.ErrLength},
		{new().String("a", rowkey.UUID), secret + "-9dad-11d1-80b4-00c04fd430c8ab", "a: not 8-4-4-4-12 hexadecimal digits in lower case" + limit, rowkey.ErrRange},
		{rowkey.New("t", rowkey.MaxLen(5)).String("a"), secret, "6 bytes, at most 5" + length, rowkey.ErrLength},
		{new().String("a"), "", "0 bytes, at least 1" + length, rowkey.ErrLength},
		{new().String("a", rowkey.Chars("abc")), "ab" + secret, `a: byte 3 of 8 is none of "abc"` + limit, rowkey.ErrRange},
		{new().String("a", rowkey.OneOf("x", "y")), secret, "a: not one of its 2 values" + limit, rowkey.ErrRange},
		{new().String("a", rowkey.Codes(map[string]string{"x": "1"})), secret, "a: not its one value" + limit, rowkey.ErrRange},
		{new().String("a", rowkey.ReverseRune), secret + "\xff", "a: not UTF-8" + limit, rowkey.ErrRange},
		{new().Uint("a", 2), 65536, "a: 0 to 65535" + limit, rowkey.ErrRange},
		{new().Uint("a", 8), -1, "a: 0 to 18446744073709551615" + limit, rowkey.ErrRange},
		{new().Uint("a", 1, rowkey.Below(100), rowkey.Digits(2)), 100, "a: 0 to 99" + limit, rowkey.ErrRange},
		{new().Int("a", 1), 128, "a: -128 to 127" + limit, rowkey.ErrRange},
		{new().Int("a", 8), uint64(1 << 63), "a: -9223372036854775808 to 9223372036854775807" + limit, rowkey.ErrRange},
		{new().Float("a", 4), 0.1, "a: 4 bytes hold a float32 only" + limit, rowkey.ErrRange},
		{new().Float("a", 8), math.NaN(), "a: NaN is no number" + limit, rowkey.ErrRange},
		{rowkey.New("t", interop.Phoenix).Float("a", 8, interop.Unsigned), -1.0, "a: 0 and above" + limit, rowkey.ErrRange},
		{rowkey.New("t", interop.Phoenix).String("a", interop.Numeric), strings.Repeat("7", 39), "a: 39 digits, at most 38" + limit, rowkey.ErrRange},
		{rowkey.New("t", interop.Phoenix).String("a", interop.Numeric), "1E+300", "a: its magnitude lies outside 1E-124 to 1E+122" + limit, rowkey.ErrRange},
		{new().Time("a", rowkey.Seconds, rowkey.Width(4)), on("2107-01-01"), "a: 2106-02-07 is the last time in 4 bytes" + limit, rowkey.ErrRange},
		{new().Time("a", rowkey.Seconds, rowkey.Width(4), rowkey.Desc), on("2107-01-01"), "a: 2038-01-19 is the last time in 4 bytes" + limit, rowkey.ErrRange},
		{new().Time("a", rowkey.Seconds, rowkey.Width(4)), on("2106-02-07").Add(12 * time.Hour), "a: 2106-02-07T06:28:15Z is the last time in 4 bytes" + limit, rowkey.ErrRange},
		{new().Time("a", rowkey.Millis, rowkey.Digits(13)), on("2300-01-01"), "a: 2286-11-20 is the last time in 13 digits" + limit, rowkey.ErrRange},
		{new().Time("a", rowkey.Millis, rowkey.Years(2000, 2100)), on("2107-01-01"), "a: the year is 2107, outside 2000 to 2100" + limit, rowkey.ErrRange},
		{new().Time("a", rowkey.Millis, rowkey.Years(2000, 2100)), time.Unix(1684203630, 0).Add(-1684203630 * time.Second), "a: the year is 1970, outside 2000 to 2100" + limit, rowkey.ErrRange},
		{new().Time("a", rowkey.Millis), on("1969-12-31"), "a: 1970-01-01 is the first time" + limit, rowkey.ErrRange},
		{new().Time("a", rowkey.Nanos), on("2300-01-01"), "a: 2262-04-11 is the last time in 8 bytes" + limit, rowkey.ErrRange},
		{new().Time("a", rowkey.Layout("20060102", time.UTC)), on("1969-12-31"), "a: 1970-01-01 is the first time" + limit, rowkey.ErrRange},
		{new().Copy("day", "a", rowkey.Days, rowkey.Width(1)).Time("a", rowkey.Millis), on("2000-01-01"), "day: 1970-09-13 is the last time in one byte" + limit, rowkey.ErrRange},
	} {
		s, err := c.b.Build()
		require.NoError(t, err)
		values := []any{c.value}
		if strings.Contains(s.String(), "[b:1") {
			values = append(values, 7)
		}
		_, err = s.AppendKey(nil, values...)
		if !assert.ErrorIs(t, err, c.reason, "%s %v", s, c.value) {
			continue
		}
		assert.EqualError(t, err, "rowkey: t: "+c.want, s.String())
		assert.NotContains(t, err.Error(), secret)
		assert.NotContains(t, err.Error(), strings.Repeat("7", 9))
	}
}

// What a salt's rule has no bucket for is the salt's error, in every way to write
// a key; it names the field as the salt's input, and a rule that has one.
func TestErrorsBlameTheSalt(t *testing.T) {
	const least = "polygenelubricants" // whose hashCode is Java's smallest int
	for _, c := range []struct {
		b    *rowkey.Builder
		text string
		want string
	}{
		{rowkey.New("t").Salt(100, "id", interop.JavaHashAbs).String("id"), least,
			"javahashabs has no bucket for id, since Math.abs of its hash is negative: interop.JavaHash has one"},
		{rowkey.New("t").Salt(100, "id", interop.JavaHashAbs).String("id").Separator("_").Uint("n", 1), least,
			"javahashabs has no bucket for id, since Math.abs of its hash is negative: interop.JavaHash has one"},
		{rowkey.New("t").Salt(100, `format("%s",id)`, interop.JavaHashAbs).String("id"), least,
			"javahashabs has no bucket for id, since Math.abs of its hash is negative: interop.JavaHash has one"},
		{rowkey.New("t").Salt(16, "id", interop.JavaHashAbs).String("id"), least,
			"javahashabs has no bucket for id, since Math.abs of its hash is negative: interop.JavaHashModAbs has one, and the same others"},
		{rowkey.New("t").Salt(100, "id", interop.JavaHash).String("id"), "a\xff", "javahash is of UTF-8 text, which id is not"},
	} {
		s := c.b.MustBuild()
		values := []any{c.text}
		if strings.Contains(s.String(), "[n:1]") {
			values = append(values, 7)
		}
		_, err := s.AppendKey(nil, values...)
		assert.EqualError(t, err, "rowkey: t: salt: "+c.want+": value out of range", s.String())
		from := rowkey.New("from").String("id").Separator("\x00").Uint("n", 1).MustBuild()
		key, err := from.AppendKey(nil, c.text, 7)
		require.NoError(t, err)
		_, err = s.Rekey(nil, key, from)
		assert.EqualError(t, err, "rowkey: t: salt: "+c.want+": value out of range", s.String())
		var e *rowkey.Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, "salt", e.Field)
	}
}

// A number that a reader's variable cannot hold, a key of no length, a time as a
// number.
func TestErrorsOfReading(t *testing.T) {
	ints := rowkey.New("t").Int("a", 8).MustBuild()
	var u uint64
	for _, v := range []int64{-1, math.MinInt64} {
		key, err := ints.AppendKey(nil, v)
		require.NoError(t, err)
		assert.EqualError(t, ints.Read(key).Uint(&u).Err(), "rowkey: t: a: a Uint is 0 and above: read it by Int: value out of range (at byte 0)")
	}
	uints := rowkey.New("t").Uint("a", 8).MustBuild()
	var i int64
	for _, v := range []uint64{math.MaxInt64 + 1, math.MaxUint64} {
		key, err := uints.AppendKey(nil, v)
		require.NoError(t, err)
		assert.EqualError(t, uints.Read(key).Int(&i).Err(), "rowkey: t: a: an Int ends at 9223372036854775807: read it by Uint: value out of range (at byte 0)")
	}
	_, err := uints.Decode(nil)
	assert.EqualError(t, err, "rowkey: t: 0 bytes, at least 1: length not allowed (at byte 0)")
	_, err = uints.Decode(make([]byte, 40000))
	assert.EqualError(t, err, "rowkey: t: 40000 bytes, at most 32767: length not allowed (at byte 0)")
	assert.EqualError(t, uints.Read(make([]byte, 40000)).Err(), "rowkey: t: 40000 bytes, at most 32767: length not allowed (at byte 0)")

	type row struct {
		At int64 `rowkey:"at,s"`
	}
	codec := rowkey.Must(rowkey.Bind[row](rowkey.New("t").Time("at", rowkey.Seconds).MustBuild()))
	_, err = codec.Append(nil, &row{-1})
	assert.EqualError(t, err, "rowkey: t: at: 0 to 4611686018427387904 s since 1970: value out of range")
}

// Of a key in which a salt, hash or copy is wrong, and something else too, a Reader tells the
// same as Decode, whether it compares the salt early or at the end.
func TestReadTellsTheSameOfTwoFaults(t *testing.T) {
	const head = "\x30\x31\x32\x33\x34\x35\x36\x37\x38\x39\x3a\x3b\x3c\x3d\x3e\x3f"
	for _, c := range []struct {
		notation, key, field string
		reason               error
	}{
		{"[md5.raw(16)(a)][a:2][b:bool]", head + "\x00\x07\x01!", "", rowkey.ErrMalformed},
		{"[md5.raw(16)(a)][a:2][b:bool]", head + "\x00\x07\x02", "b", rowkey.ErrMalformed},
		{"[md5.raw(16)(a)][a:2][b:bool]", head + "\x00\x07\x01", "hash", rowkey.ErrDerived},
		{"[salt16(a)][min(a) digits(10)]", "\xff0000000007!", "", rowkey.ErrMalformed},
		{"[salt16(a)][a:4][b fixed(2)]", "\xff\x00\x00\x00\x07a", "b", rowkey.ErrMalformed},
		{"[copy=a][a:4][b:1 below(9)]", "\x00\x00\x00\x08\x00\x00\x00\x07\xff", "b", rowkey.ErrMalformed},
		{"[copy=a][a:4][copy2=b][b:1 below(9)]", "\x00\x00\x00\x08\x00\x00\x00\x07\x01\x02", "copy", rowkey.ErrDerived},
		{"[salt4(a)][a:8][b:1][md5.raw(1)(values(b,a))]", "\xff\x00\x00\x00\x00\x00\x00\x00\x07\x01\xff", "salt", rowkey.ErrDerived},
		{"[salt8(rest())][salt100(rest())][a:1]", "\xfe\xfe\x07", "salt", rowkey.ErrDerived},
		{"[md5.raw(1)(a)][a:2][b:1][salt16(a)]", "\xcf\x00\x07\x01\x0a", "salt", rowkey.ErrDerived}, // the hash is right
		{"[salt16(a)][a][':'][b:2]", "\xffab:\x00\x07!", "", rowkey.ErrMalformed},
		{"[salt16(a)][a][':'][b:2]", "\xffab:\x00\x07", "salt", rowkey.ErrDerived},
	} {
		s := rowkey.Must(rowkey.Parse("t", c.notation))
		r := s.Read([]byte(c.key))
		for f := range s.Fields() {
			if f.Name != "" && !f.Derived {
				r = r.Skip()
			}
		}
		err := r.Err()
		var e *rowkey.Error
		require.ErrorIs(t, err, c.reason, "%s %q", c.notation, c.key)
		require.ErrorAs(t, err, &e)
		assert.Equal(t, c.field, e.Field, "%s %q: %v", c.notation, c.key, err)
		if _, of := s.Decode([]byte(c.key)); e.Field != "salt" {
			assert.ErrorIs(t, of, c.reason, "%s %q", c.notation, c.key)
		}
	}
}

// A copy that cannot hold its source's value is refused where this is supplied, also beside a salt of
// several fields; one that stands after a later field, when that is supplied.
func TestErrorsOfCopies(t *testing.T) {
	for _, c := range []struct {
		notation, field string
	}{
		{"[copy=a width(2)][a:4][b:1]", "copy"},
		{"[a:4][b:1][copy=a width(2)]", "b"},
		{"[salt16(values(a,b))][copy=a width(2)][a:4][b:1]", "copy"},
		{"[salt16(text(a,b)) javahash][copy=a width(2)][a:4][b:1]", "copy"},
		{"[md5.hex(4)(values(a,b))][copy=a below(10)][a:4][b:1]", "copy"},
	} {
		s := rowkey.Must(rowkey.Parse("t", c.notation))
		_, err := s.AppendKey(nil, 70000, 256)
		var e *rowkey.Error
		require.ErrorAs(t, err, &e, c.notation)
		assert.ErrorIs(t, err, rowkey.ErrRange)
		assert.Equal(t, c.field, e.Field, "%s: %v", c.notation, err)
		_, err = s.AppendKey(nil, 70000, 255)
		require.ErrorAs(t, err, &e, c.notation)
		assert.Equal(t, "copy", e.Field, "%s: %v", c.notation, err)
	}
}

// The beginning of a text is refused by the same words.
func TestErrorsOfPrefixes(t *testing.T) {
	for _, c := range []struct {
		b            *rowkey.Builder
		prefix, want string
	}{
		{rowkey.New("t").String("a", rowkey.Fixed(3)), "abcd", "a: 4 bytes, at most 3: length not allowed"},
		{rowkey.New("t").String("a").Separator("_").Uint("b", 1), "x_", `a: holds the separator "_": value and its end cannot be told apart`},
		{rowkey.New("t").String("a", rowkey.OneOf("xa", "ya")), "z", "a: none of its 2 values begins so: value out of range"},
		{rowkey.New("t").String("a", rowkey.Chars("xy")), "xz", `a: byte 2 of 2 is none of "xy": value out of range`},
	} {
		s := c.b.MustBuild()
		_, err := s.Key().Prefix(c.prefix).Range()
		assert.EqualError(t, err, "rowkey: t: "+c.want, s.String())
	}
}

// An option that does not fit its field says which field it fits, or what that
// field has in its place.
func TestMisfitsNameTheRemedy(t *testing.T) {
	new := func(opts ...rowkey.SchemaOption) *rowkey.Builder { return rowkey.New("t", opts...) }
	for want, b := range map[string]*rowkey.Builder{
		"option digits does not fit an int: it fits a Uint or a Time, but not of OrderedBytes; an Int has Decimal":                     new().Int("a", 4, rowkey.Digits(9)),
		"option decimal does not fit a bool: it fits a Uint, an Int or a Time without a dialect, or of HBase; the others have Numeric": new().Bool("a", rowkey.Decimal),
		"option below does not fit a string: it fits a Uint, an Int or a Time in whole units; a text has OneOf, a Layout Years":        new().String("a", rowkey.Below(9)),
		"option chars does not fit a uint: it fits a String or a Binary; a number has Below":                                           new().Uint("a", 4, rowkey.Chars("09")),
		"option width does not fit a string: it fits a Uint, an Int or a Time without a dialect, or of HBase; a text has Fixed":        new().String("a", rowkey.Width(4)),
		"option optional does not fit a string: it fits a field of OrderedBytes or Phoenix; other keys have no null":                   new().String("a", rowkey.Optional),
		"option digits does not fit a time with a Layout, which has its own resolution and digits":                                     new().Time("a", rowkey.Layout("20060102", time.UTC), rowkey.Digits(8)),
		"option loose does not fit a string: it fits a field without a dialect, or of HBase; in the others a field ends itself":        new(interop.Phoenix).String("a", rowkey.Loose),
		"option width does not fit a hash: it takes Named":                                                                             new().Hash(rowkey.MD5.Hex(2), "a", rowkey.Width(2)).String("a"),
		"option desc does not fit a bool, but in Phoenix: say Uint, 1 byte, Below(2)":                                                  new().Bool("a", rowkey.Desc),
	} {
		_, err := b.Build()
		var e *rowkey.Error
		if assert.True(t, errors.As(err, &e), want) {
			assert.Equal(t, want+": schema cannot be built", e.Err.Error())
		}
	}
	// What the Go compiler refuses, a notation can say.
	for notation, want := range map[string]string{
		`[a letters("ab")]`:      "option letters does not fit a string: it fits a Salt",
		`[salt2(a) below(2)][a]`: "option below does not fit a salt: it takes a rule or Raw of a digest, Width, Digits, Decimal, Letters, Via and Named",
	} {
		_, err := rowkey.Parse("t", notation)
		assert.ErrorContains(t, err, want)
		assert.ErrorIs(t, err, rowkey.ErrSchema)
	}
}
