package laws

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
)

// precisionOf is a schema of one DECIMAL(digits, scale) before an INTEGER.
func precisionOf(t *testing.T, digits, scale int, opts ...rowkey.FieldOption) *rowkey.Schema {
	t.Helper()
	opts = append([]rowkey.FieldOption{interop.Numeric, interop.Precision(digits, scale)}, opts...)
	s, err := rowkey.New("t", interop.Phoenix).String("x", opts...).Int("n", 4).Build()
	require.NoError(t, err)
	return s
}

// What Phoenix's own tests store in a DECIMAL(p,s) is stored, in the same bytes as
// without Precision; what they see refused is refused, and what they see cut off
// after the point is refused too. No error has the number's digits.
func TestPrecision(t *testing.T) {
	for _, c := range []struct {
		digits, scale int
		value, want   string // the error
	}{
		{31, 0, "123456789123456789", ""},
		{5, 0, "12345", ""},
		{5, 2, "12.34", ""},
		{5, 2, "123.45", ""},
		{5, 2, "-123.45", ""},
		{5, 2, "123.4500", ""},
		{5, 2, "1.2e2", ""},
		{5, 2, "0.01", ""},
		{5, 2, "0", ""},
		{4, 4, "0", ""},
		{4, 4, "-0.1234", ""},
		{38, 38, "0.12345678901234567890123456789012345678", ""},
		{38, 0, "99999999999999999999999999999999999999", ""},
		{31, 0, "12345678901234567890123456789012", "32 digits before the point, at most 31"},
		{5, 0, "123456", "6 digits before the point, at most 5"},
		{5, 2, "1234.5", "4 digits before the point, at most 3"},
		{5, 2, "-1234", "4 digits before the point, at most 3"},
		{5, 2, "1e3", "4 digits before the point, at most 3"},
		{4, 4, "100.12", "3 digits before the point, at most 0"},
		{4, 4, "1", "one digit before the point, at most 0"},
		{5, 0, "12345.6789", "4 digits after the point, at most 0"},
		{5, 2, "123.45678", "5 digits after the point, at most 2"},
		{5, 2, "0.001", "3 digits after the point, at most 2"},
		{5, 2, "1e-3", "3 digits after the point, at most 2"},
		{5, 2, "1e400", "its magnitude lies outside 1E-124 to 1E+122"},
		{5, 2, "1,5", "not a decimal number"},
	} {
		for _, desc := range [][]rowkey.FieldOption{nil, {rowkey.Desc}} {
			s := precisionOf(t, c.digits, c.scale, desc...)
			free := rowkey.New("t", interop.Phoenix).String("x", append([]rowkey.FieldOption{interop.Numeric}, desc...)...).Int("n", 4).MustBuild()
			key, err := s.Key().String(c.value).Int(7).Bytes()
			any, anyErr := free.Key().String(c.value).Int(7).Bytes()
			if c.want == "" {
				require.NoError(t, err, "%v of %s", c, s)
				assert.Equal(t, any, key)
				var text, want string
				var n int64
				require.NoError(t, s.Read(key).String(&text).Int(&n).Err())
				require.NoError(t, free.Read(key).String(&want).Int(&n).Err())
				assert.Equal(t, want, text)
				continue
			}
			var e *rowkey.Error
			require.ErrorAs(t, err, &e, "%v of %s", c, s)
			assert.ErrorIs(t, err, rowkey.ErrRange)
			assert.Equal(t, "x", e.Field)
			assert.EqualError(t, err, "rowkey: t: x: "+c.want+": value out of range")
			for _, again := range []error{
				second(s.AppendKey(nil, c.value, 7)),
				second(s.Key().String(c.value).Range()),
			} {
				assert.EqualError(t, again, err.Error())
			}
			if anyErr == nil { // another writer's
				_, err = s.Decode(any)
				assert.ErrorIs(t, err, rowkey.ErrMalformed)
				assert.Contains(t, s.Explain(any), "broken")
			}
		}
	}
	assert.Equal(t, wantBytes(t, "c202182e 00 80000007"), key2(t, precisionOf(t, 5, 2), "123.45", 7))
}

func second[T any](_ T, err error) error { return err }

func key2(t *testing.T, s *rowkey.Schema, values ...any) []byte {
	t.Helper()
	key, err := s.AppendKey(nil, values...)
	require.NoError(t, err)
	return key
}

// Of whole numbers the digits before the point are limits like any other.
func TestPrecisionOfIntegers(t *testing.T) {
	for _, c := range []struct {
		b    *rowkey.Builder
		yes  []any
		no   []any
		want string
	}{
		{rowkey.New("t", interop.Phoenix).Int("n", 8, interop.Numeric, interop.Precision(5, 2)), []any{0, 999, -999}, []any{1000, -1000}, "-999 to 999"},
		{rowkey.New("t", interop.Phoenix).Uint("n", 8, interop.Precision(5, 2), interop.Numeric, rowkey.Desc), []any{0, 999}, []any{1000, -1}, "0 to 999"},
		{rowkey.New("t", interop.OrderedBytes).Uint("n", 2, interop.Numeric, interop.Precision(5, 0)), []any{0, 65535}, []any{65536}, "0 to 65535"},
		{rowkey.New("t", interop.OrderedBytes).Uint("n", 8, interop.Numeric, interop.Precision(19, 0)), []any{0, uint64(9999999999999999999)}, []any{uint64(10000000000000000000)}, "0 to 9999999999999999999"},
		{rowkey.New("t", interop.Phoenix).Uint("n", 8, interop.Numeric, interop.Precision(20, 0)), []any{uint64(18446744073709551615)}, []any{-1}, "0 to 18446744073709551615"},
		{rowkey.New("t", interop.Phoenix).Int("n", 8, interop.Numeric, interop.Precision(18, 0)), []any{int64(999999999999999999)}, []any{int64(1000000000000000000)}, "-999999999999999999 to 999999999999999999"},
		{rowkey.New("t", interop.Phoenix).Int("n", 8, interop.Numeric, interop.Precision(19, 0)), []any{int64(math.MaxInt64), int64(math.MinInt64)}, []any{uint64(1 << 63)}, "-9223372036854775808 to 9223372036854775807"},
		{rowkey.New("t", interop.Phoenix).Int("n", 8, interop.Numeric, interop.Precision(3, 3)), []any{0}, []any{1, -1}, "0 to 0"},
	} {
		s, err := c.b.Build()
		require.NoError(t, err)
		for _, v := range c.yes {
			row, err := s.Decode(key2(t, s, v))
			require.NoError(t, err, "%s %v", s, v)
			for _, back := range row.All() {
				assert.Equal(t, fmt.Sprint(v), fmt.Sprint(back))
			}
		}
		for _, v := range c.no {
			_, err := s.AppendKey(nil, v)
			assert.EqualError(t, err, "rowkey: t: n: "+c.want+": value out of range", "%s %v", s, v)
		}
	}
}

// Every number is a legal operand. One that no row can have equals none, and lies
// in its place as the limit of an interval.
func TestPrecisionOfOperands(t *testing.T) {
	long(t)
	for _, opts := range [][]rowkey.FieldOption{nil, {rowkey.Desc}} {
		s := precisionOf(t, 3, 1, opts...)
		var keys [][]byte
		var numbers []*big.Rat
		for n := -9999; n <= 9999; n++ { // -99.99 to 99.99, of which a tenth is stored
			text := big.NewRat(int64(n), 100).FloatString(2)
			key, err := s.Key().String(text).Int(1).Bytes()
			if n%10 != 0 {
				require.ErrorIs(t, err, rowkey.ErrRange, text)
				continue
			}
			require.NoError(t, err, text)
			keys, numbers = append(keys, key), append(numbers, rational(text))
		}
		operands := []string{"0", "0.05", "-0.05", "99.9", "99.95", "99.99", "100", "-99.9", "-99.91", "-100", "12345.678", "-1e60", "1e300", "-1e300", "1e-300", "12.30", "5.55555"}
		for _, text := range operands {
			v := rational(text)
			for _, c := range []struct {
				cond rowkey.Cond
				want func(n *big.Rat) bool
			}{
				{rowkey.Eq("x", text), func(n *big.Rat) bool { return n.Cmp(v) == 0 }},
				{rowkey.NotEq("x", text), func(n *big.Rat) bool { return n.Cmp(v) != 0 }},
				{rowkey.In("x", text, "1.5"), func(n *big.Rat) bool { return n.Cmp(v) == 0 || n.Cmp(rational("1.5")) == 0 }},
				{rowkey.AtLeast("x", text), func(n *big.Rat) bool { return n.Cmp(v) >= 0 }},
				{rowkey.MoreThan("x", text), func(n *big.Rat) bool { return n.Cmp(v) > 0 }},
				{rowkey.AtMost("x", text), func(n *big.Rat) bool { return n.Cmp(v) <= 0 }},
				{rowkey.LessThan("x", text), func(n *big.Rat) bool { return n.Cmp(v) < 0 }},
			} {
				plan, err := s.Scan(c.cond, rowkey.FullScan())
				require.NoError(t, err, text)
				ranges := slices.Collect(plan.Ranges())
				none := true
				for i, key := range keys {
					want := c.want(numbers[i])
					none = none && !want
					in := slices.ContainsFunc(ranges, func(r rowkey.Range) bool { return r.Contains(key) })
					if in != want || plan.Match(key) != want {
						t.Fatalf("%s of %s: %s is in %v, Match %v", plan, text, numbers[i], in, plan.Match(key))
					}
				}
				if eq, err := s.Scan(rowkey.Eq("x", text)); assert.NoError(t, err) {
					assert.Equal(t, slices.ContainsFunc(numbers, func(n *big.Rat) bool { return n.Cmp(v) == 0 }), eq.Len() == 1, text)
				}
			}
		}
		none, err := s.Scan(rowkey.Eq("x", "0.05"))
		require.NoError(t, err)
		assert.Zero(t, none.Len(), "no row has it")
	}
}

// A copy, a hash, another schema's row: what reads the number of a field reads one
// that its Precision admits.
func TestPrecisionElsewhere(t *testing.T) {
	s, err := rowkey.Parse("t", "phoenix [md5.hex(4)(price)][price numeric precision(5,2)][low=price precision(4,1)]")
	require.NoError(t, err)
	assert.Equal(t, "[md5.hex(4)(price)][price numeric precision(5,2) phoenix][low=price precision(4,1) phoenix]", s.String())
	_, err = s.AppendKey(nil, "12.5")
	require.NoError(t, err)
	_, err = s.AppendKey(nil, "12.55")
	var e *rowkey.Error
	require.True(t, errors.As(err, &e))
	assert.Equal(t, "low", e.Field, "a copy may be limited more than its source")

	free := rowkey.New("free", interop.Phoenix).String("x", interop.Numeric).Int("n", 4).MustBuild()
	limited := precisionOf(t, 5, 2)
	assert.Equal(t, free.Fingerprint(), limited.Fingerprint(), "a limit is not in it")
	for text, want := range map[string]error{"123.45": nil, "1234.5": rowkey.ErrRange, "0.125": rowkey.ErrRange} {
		_, err := limited.Rekey(nil, key2(t, free, text, 1), free)
		assert.True(t, errors.Is(err, want), "%s: %v", text, err)
	}
}

func TestPrecisionRefused(t *testing.T) {
	for words, b := range map[string]*rowkey.Builder{
		"interop.Precision fits a Numeric: add Numeric":                               rowkey.New("t", interop.Phoenix).String("a", interop.Precision(5, 2)),
		"interop.Precision fits a Numeric: add Numeric ":                              rowkey.New("t", interop.Phoenix).Int("a", 8, interop.Precision(5, 2)),
		"option precision does not fit a uint: it fits a Numeric, of OrderedBytes or": rowkey.New("t").Uint("a", 8, interop.Precision(5, 2)),
		"option precision does not fit a float":                                       rowkey.New("t", interop.Phoenix).Float("a", 8, interop.Precision(5, 2)),
		"interop.Precision(0, 0): the digits are not within 1 to 38":                  rowkey.New("t", interop.Phoenix).String("a", interop.Numeric, interop.Precision(0, 0)),
		"interop.Precision(39, 2): the digits are not within 1 to 38":                 rowkey.New("t", interop.Phoenix).String("a", interop.Numeric, interop.Precision(39, 2)),
		"interop.Precision(32, 2): the digits are not within 1 to 31":                 rowkey.New("t", interop.OrderedBytes).String("a", interop.Numeric, interop.Precision(32, 2)),
		"interop.Precision(3, 4): the digits after the point are not within 0 to 3":   rowkey.New("t", interop.Phoenix).String("a", interop.Numeric, interop.Precision(3, 4)),
		"interop.Precision(3, -1): the digits after the point are not within 0 to 3":  rowkey.New("t", interop.Phoenix).String("a", interop.Numeric, interop.Precision(3, -1)),
		"option precision stands twice":                                               rowkey.New("t", interop.Phoenix).String("a", interop.Numeric, interop.Precision(3, 1), interop.Precision(3, 1)),
	} {
		_, err := b.Build()
		require.ErrorIs(t, err, rowkey.ErrSchema, words)
		assert.ErrorContains(t, err, words[:len(words)-1])
	}
}
