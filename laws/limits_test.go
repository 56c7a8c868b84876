package laws

import (
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
)

// TestMinLen: a value that is too short is no key, by every way; it changes no
// byte, and a stored key that is too short does not decode.
func TestMinLen(t *testing.T) {
	s := rowkey.New("t").String("user", rowkey.MinLen(2)).Separator("_").Uint("n", 1).MustBuild()
	key, err := s.Key().String("ab").Uint(7).Bytes()
	require.NoError(t, err)
	assert.Equal(t, "ab_\x07", string(key))
	for _, v := range []string{"", "a"} {
		_, err := s.Key().String(v).Uint(7).Bytes()
		require.ErrorIs(t, err, rowkey.ErrLength)
		assert.ErrorContains(t, err, "at least 2")
		_, err = s.Key().String(v).Range()
		require.ErrorIs(t, err, rowkey.ErrLength)
		_, err = s.Decode([]byte(v + "_\x07"))
		require.ErrorIs(t, err, rowkey.ErrMalformed)
		plan, err := s.Scan(rowkey.Eq("user", v))
		require.NoError(t, err)
		assert.Zero(t, plan.Len())
	}
	_, err = s.Key().Prefix("a").Range()
	require.NoError(t, err, "a shorter beginning is a beginning")
	assert.Equal(t, "[user minlen(2)]['_'][n:1]", s.String())
	plain := rowkey.New("t").String("user").Separator("_").Uint("n", 1).MustBuild()
	assert.Equal(t, plain.Fingerprint(), s.Fingerprint(), "a limit is not in it")

	for name, c := range map[string]struct {
		b     *rowkey.Builder
		words string
	}{
		"nothing":     {rowkey.New("t").String("a", rowkey.MinLen(0)), "MinLen(0) is not within 1 to 32767"},
		"too long":    {rowkey.New("t").String("a", rowkey.MinLen(40000)), "MinLen(40000) is not within"},
		"a number":    {rowkey.New("t").Uint("a", 8, rowkey.MinLen(1)), "option minlen does not fit a uint"},
		"codes":       {rowkey.New("t").String("a", rowkey.MinLen(1), rowkey.Codes(map[string]string{"a": "b"})), "leave out OneOf, Chars and MinLen"},
		"oneof":       {rowkey.New("t").String("a", rowkey.MinLen(2), rowkey.OneOf("a", "bc")), `value "a" is shorter than MinLen(2)`},
		"fixed":       {rowkey.New("t").String("a", rowkey.MinLen(3), rowkey.Fixed(2)), "no value fits 2 bytes"},
		"padded":      {rowkey.New("t").String("a", rowkey.MinLen(3), rowkey.Pad(2, 0)), "no value fits 2 bytes"},
		"of a copy":   {rowkey.New("t").Copy("b", "a", rowkey.MinLen(3)).String("a", rowkey.Fixed(2)), "MinLen(3): no value is so long"},
		"of a number": {rowkey.New("t", interop.Phoenix).String("a", interop.Numeric, rowkey.MinLen(1)), "has no Codes, OneOf, Chars or MinLen"},
	} {
		_, err := c.b.Build()
		require.ErrorIs(t, err, rowkey.ErrSchema, name)
		assert.ErrorContains(t, err, c.words, name)
	}
}

// TestSignedDecimal: an Int in decimal, as Java's String.valueOf writes it.
func TestSignedDecimal(t *testing.T) {
	s := rowkey.New("t").Int("a", 8, rowkey.Decimal).Separator("_").Bool("b").MustBuild()
	for v, want := range map[int64]string{
		0: "0_\x01", 7: "7_\x01", -7: "-7_\x01", -10: "-10_\x01",
		math.MaxInt64: "9223372036854775807_\x01", math.MinInt64: "-9223372036854775808_\x01",
	} {
		key, err := s.Key().Int(v).Bool(true).Bytes()
		require.NoError(t, err)
		assert.Equal(t, want, string(key))
		var got int64
		var b bool
		require.NoError(t, s.Read(key).Int(&got).Bool(&b).Err())
		assert.Equal(t, v, got)
	}
	for _, broken := range []string{"", "-", "-0", "00", "-01", "+1", "1-", "--1", "9223372036854775808", "-9223372036854775809", "18446744073709551615"} {
		_, err := s.Decode([]byte(broken + "_\x01"))
		assert.ErrorIs(t, err, rowkey.ErrMalformed, broken)
	}
	assert.Equal(t, rowkey.Unordered, s.Order("a"))
	plan, err := s.Scan(rowkey.In("a", int64(-5), int64(5)))
	require.NoError(t, err)
	assert.Equal(t, 2, plan.Len())
	_, err = s.Scan(rowkey.AtLeast("a", int64(5)))
	assert.ErrorIs(t, err, rowkey.ErrFullScan)

	four := rowkey.New("t").Int("a", 4, rowkey.Decimal).MustBuild()
	_, err = four.AppendKey(nil, int64(math.MaxInt32)+1)
	require.ErrorIs(t, err, rowkey.ErrRange)
	_, err = four.Decode([]byte("-2147483649"))
	require.ErrorIs(t, err, rowkey.ErrMalformed)

	for name, c := range map[string]struct {
		b     *rowkey.Builder
		words string
	}{
		"desc in front": {rowkey.New("t").Int("a", 4, rowkey.Desc, rowkey.Decimal), "Desc does not fit the decimal text of an Int"},
		"desc behind":   {rowkey.New("t").Int("a", 4, rowkey.Decimal, rowkey.Desc), "Desc does not fit the decimal text of an Int"},
		"its minus":     {rowkey.New("t").Int("a", 4, rowkey.Decimal).Separator("-").Bool("b"), "its own digits"},
		"digits":        {rowkey.New("t").Int("a", 4, rowkey.Digits(3)), "option digits does not fit an int: it fits a Uint or a Time"},
	} {
		_, err := c.b.Build()
		require.ErrorIs(t, err, rowkey.ErrSchema, name)
		assert.ErrorContains(t, err, c.words, name)
	}
}

// TestJavaDigests: CRC32 is the standard library's, whatever the length, and
// JavaHashCode is String.hashCode of text.
func TestJavaDigests(t *testing.T) {
	s := rowkey.New("t").Hash(rowkey.CRC32.Raw(4), "a").Binary("a").MustBuild()
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 300 {
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		key, err := s.AppendKey(nil, data)
		require.NoError(t, err)
		sum := crc32.ChecksumIEEE(data)
		require.Equal(t, []byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}, key[:4])
	}
	for _, c := range []struct {
		b    *rowkey.Builder
		in   string
		want string
	}{
		{rowkey.New("t").Hash(rowkey.CRC32.Hex(8), "a").String("a"), "123456789", "cbf43926123456789"},
		{rowkey.New("t").Salt(10, "a", rowkey.CRC32.Raw(4), rowkey.Digits(2)).String("a"), "user123", "07user123"},
		{rowkey.New("t").Hash(interop.JavaHashCode.Hex(8), "a").String("a"), "user123", "f73a3a87user123"},
		{rowkey.New("t").Hash(interop.JavaHashCode.Raw(4), "a").String("a"), "é😁", "\x00\x1e\x78\x0dé😁"},
		{rowkey.New("t").Hash(interop.JavaHashCode.Hex(8), "a").String("a"), "", "00000000"},
		{rowkey.New("t").Hash(interop.JavaHashCode.Hex(8), "text(a)").Uint("a", 8, rowkey.Digits(3)), "", ""},
		{rowkey.New("t").Salt(100, "a", interop.JavaHashModAbs, rowkey.Digits(2)).String("a"), "user123", "73user123"},
		{rowkey.New("t").Salt(100, "a", interop.JavaHashModAbs, rowkey.Digits(2)).String("a"), "polygenelubricants", "48polygenelubricants"}, // Integer.MIN_VALUE
	} {
		s := c.b.MustBuild()
		if c.want == "" && c.in == "" {
			key, err := s.AppendKey(nil, 123)
			require.NoError(t, err)
			assert.Equal(t, "0000be32123", string(key))
			continue
		}
		key, err := s.AppendKey(nil, c.in)
		require.NoError(t, err)
		assert.Equal(t, c.want, string(key), "%s", s)
		_, err = s.Decode(key)
		require.NoError(t, err)
	}
	for _, b := range []*rowkey.Builder{
		rowkey.New("t").Hash(interop.JavaHashCode.Hex(8), "a").String("a").Separator("\x00").Bool("b"), // as soon as the text is there
		rowkey.New("t").Hash(interop.JavaHashCode.Hex(8), "a").String("a", rowkey.Fixed(2)).Bool("b"),
		rowkey.New("t").Salt(4, "a", interop.JavaHashCode.Raw(4)).String("a").Separator("\x00").Bool("b"),
		rowkey.New("t").Salt(4, "a", interop.JavaHashCode.Raw(4), rowkey.Via(testShort.transform())).String("a").Separator("\x00").Bool("b"),
	} {
		_, err := b.MustBuild().Key().String("\xffx").Bool(true).Bytes()
		require.ErrorIs(t, err, rowkey.ErrRange)
	}
	for name, c := range map[string]struct {
		b     *rowkey.Builder
		words string
	}{
		"of a number":  {rowkey.New("t").Hash(interop.JavaHashCode.Hex(8), "a").Uint("a", 8), `say text(a)`},
		"of the rest":  {rowkey.New("t").Hash(interop.JavaHashCode.Hex(8), "rest()").String("a"), "not of the rest of a key"},
		"a salt by it": {rowkey.New("t").Salt(8, "a", interop.JavaHashCode.Raw(4)).Uint("a", 8), `say text(a)`},
		"by the rule":  {rowkey.New("t").Salt(8, "a", interop.JavaHashModAbs).Uint("a", 8), `say text(a)`},
		"a seed":       {rowkey.New("t").Hash(rowkey.CRC32.Seed(3).Hex(8), "a").String("a"), "Seed fits"},
		"more than 4":  {rowkey.New("t").Hash(rowkey.CRC32.Raw(5), "a").String("a"), "is not within the digest's 4 bytes"},
		"a digest crc32": {rowkey.New("t").Hash(rowkey.NewDigest("crc32", 4, func(dst, data []byte) []byte { return dst }).Raw(4), "a").String("a"),
			"is one of this package's"},
	} {
		_, err := c.b.Build()
		require.ErrorIs(t, err, rowkey.ErrSchema, name)
		assert.ErrorContains(t, err, c.words, name)
	}
	assert.Contains(t, strings.Join([]string{rowkey.CRC32.Hex(8).String(), interop.JavaHashCode.Raw(4).String()}, " "), "crc32.hex(8) javahashcode.raw(4)")
}

// TestDigestLimits: a seed has 32 bits, signed or not, and a digest of the caller's 1
// to 64 bytes: the limits themselves are taken, and what lies beside them is refused.
func TestDigestLimits(t *testing.T) {
	build := func(p rowkey.Part) error {
		_, err := rowkey.New("t").Hash(p, "a").String("a").Build()
		return err
	}
	for seed, taken := range map[int64]bool{
		math.MinInt32 - 1: false, math.MinInt32: true, -1: true, 0: true, math.MaxUint32: true, math.MaxUint32 + 1: false,
	} {
		if err := build(rowkey.Murmur3.Seed(seed).Raw(4)); (err == nil) != taken {
			t.Errorf("a seed of %d: %v", seed, err)
		}
	}
	for size, taken := range map[int]bool{-1: false, 0: false, 1: true, 64: true, 65: false} {
		own := rowkey.NewDigest("own", size, func(dst, _ []byte) []byte { return append(dst, make([]byte, size)...) })
		if err := build(own.Raw(1)); (err == nil) != taken {
			t.Errorf("a digest of %d bytes: %v", size, err)
		}
	}
	for name, d := range map[string]rowkey.Digest{"CRC32": rowkey.CRC32, "MD5": rowkey.MD5, "JavaHashCode": interop.JavaHashCode} {
		if err := build(d.Seed(7).Raw(1)); !errors.Is(err, rowkey.ErrSchema) || !strings.Contains(err.Error(), "Seed fits") {
			t.Errorf("%s with a seed: %v", name, err)
		}
	}
}

// A stored text that is too short is refused by every way of reading, however short it
// is, and however long the shortest must be. MinLen changes no byte, so the schema
// without it makes the keys.
func TestMinLenRead(t *testing.T) {
	type row struct {
		A []byte `rowkey:"a"`
		B uint64 `rowkey:"b"`
	}
	for _, layout := range []string{
		"[b:8][a minlen]", "[b:1][a minlen reverse]", "[b:1][a minlen lenprefix(1)]", "[b:1][a minlen chars('x-z')]",
		"[a minlen]['_'][b:8]", "[a minlen]['--'][b:1]", "[a minlen reverse]['_'][b:1]", "[a minlen reverselabels(':')]['_'][b:8]",
		"[a minlen escaped][b:1]", "[a minlen desc]['_'][b:1]", "[a minlen pad(24,'~')][b:1]", "[a minlen padleft(24,'~')][b:1]",
		"[salt16(a)][a minlen]['_'][b:1]", "[salt16(values(a,b))][a minlen]['_'][b:1]", "[a minlen]['_'][c=a reverse]['_'][b:1]",
	} {
		first := strings.Index(layout, "[a") < strings.Index(layout, "[b")
		plain := rowkey.Must(rowkey.Parse("t", strings.Replace(layout, " minlen", "", 1)))
		for least := 1; least <= 20; least++ {
			s := rowkey.Must(rowkey.Parse("t", strings.Replace(layout, "minlen", fmt.Sprintf("minlen(%d)", least), 1)))
			codec := rowkey.Must(rowkey.Bind[row](s))
			for n := range least + 1 {
				want := row{[]byte(strings.Repeat("x", n)), 7}
				key, err := rowkey.Must(rowkey.Bind[row](plain)).Append(nil, &want)
				require.NoError(t, err)
				read := func(text func(rowkey.Reader) rowkey.Reader, b *uint64) error {
					if first {
						return text(s.Read(key)).Uint(b).Err()
					}
					return text(s.Read(key).Uint(b)).Err()
				}
				var got, binary, coded row
				var text string
				for way, err := range map[string]error{
					"String": read(func(r rowkey.Reader) rowkey.Reader { return r.String(&text) }, &got.B),
					"Binary": read(func(r rowkey.Reader) rowkey.Reader { binary.A = make([]byte, 0, 40); return r.Binary(&binary.A) }, &binary.B),
					"Decode": codec.Decode(key, &coded),
				} {
					if n < least {
						assert.ErrorIs(t, err, rowkey.ErrMalformed, "%s %s of %d bytes", s, way, n)
					} else {
						assert.NoError(t, err, "%s %s", s, way)
					}
				}
				if got.A = []byte(text); n == least {
					assert.Equal(t, [3]row{want, want, want}, [3]row{got, binary, coded}, s)
				}
			}
		}
	}
}

// Where Go's int has 32 bits, its year 4294969266 is 1970, and 4294967296 is 0. The library takes neither
// for the other, in 32 bits as in 64: an instant is refused, and an epoch stands in the notation as it is.
func TestYearsBeyond32Bits(t *testing.T) {
	t.Parallel()
	for _, far := range []struct {
		at   int64
		year string
	}{{135536076821000000, "4294969266"}, {135536014655462400, "4294967296"}, {-135536076000000000, "-4294965301"}} {
		at := time.Unix(far.at, 0)
		for _, notation := range []string{`[layout("2006",UTC)(a)]`, `[layout("20060102",+08:00)(a)]`, `[layout("2006010215",UTC)(a)]`, `[b=a layout("20060102",UTC)][s(a)]`} {
			s := rowkey.Must(rowkey.Parse("t", notation))
			key, err := s.AppendKey(nil, at)
			require.ErrorIs(t, err, rowkey.ErrRange, "%s of %d: %q", notation, far.at, key)
			plan, err := s.Scan(rowkey.Eq("a", at))
			require.NoError(t, err, notation)
			require.Zero(t, plan.Len(), "%s of %d: %v", notation, far.at, plan)
		}

		_, err := rowkey.Must(rowkey.Parse("t", "[h(a) years(1970,2100)]")).AppendKey(nil, at)
		require.ErrorContains(t, err, "the year is "+far.year+", outside 1970 to 2100")

		epoch := rowkey.New("t").Time("a", rowkey.Seconds.Since(at)).MustBuild()
		again := rowkey.Must(rowkey.Parse("t", epoch.String()))
		require.Equal(t, epoch.Fingerprint(), again.Fingerprint(), epoch)
		for _, s := range []*rowkey.Schema{epoch, again} {
			key, err := s.AppendKey(nil, at.Add(7*time.Second))
			require.NoError(t, err)
			require.Equal(t, "\x00\x00\x00\x00\x00\x00\x00\x07", string(key), s)
		}
	}
}
