package laws

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
)

// TestLenPrefixBytes: the length in n bytes, big-endian, then the text, whatever
// its bytes.
func TestLenPrefixBytes(t *testing.T) {
	for _, c := range []struct {
		opts []rowkey.FieldOption
		want string
	}{
		{[]rowkey.FieldOption{rowkey.LenPrefix(1)}, "03 610062 01"},
		{[]rowkey.FieldOption{rowkey.LenPrefix(2)}, "0003 610062 01"},
		{[]rowkey.FieldOption{rowkey.LenPrefix(4)}, "00000003 610062 01"},
		{[]rowkey.FieldOption{rowkey.LenPrefix(2), rowkey.Desc}, "fffc 9eff9d 01"},
		{[]rowkey.FieldOption{rowkey.Desc, rowkey.LenPrefix(2)}, "0003 9eff9d 01"},
		{[]rowkey.FieldOption{rowkey.Reverse, rowkey.LenPrefix(1)}, "03 620061 01"},
	} {
		s, err := rowkey.New("t").String("a", c.opts...).Bool("b").Build()
		require.NoError(t, err)
		key, err := s.Key().String("a\x00b").Bool(true).Bytes()
		require.NoError(t, err)
		assert.Equal(t, wantBytes(t, c.want), key)
		var a string
		var b bool
		require.NoError(t, s.Read(key).String(&a).Bool(&b).Err())
		assert.Equal(t, "a\x00b", a)
		assert.Equal(t, rowkey.Unordered, s.Order("a"))
	}

	s := rowkey.New("t").String("a", rowkey.LenPrefix(1)).Bool("b").MustBuild()
	_, err := s.Key().String(strings.Repeat("x", 255)).Bool(true).Bytes()
	require.NoError(t, err)
	_, err = s.Key().String(strings.Repeat("x", 256)).Bool(true).Bytes()
	require.ErrorIs(t, err, rowkey.ErrLength)
	assert.ErrorContains(t, err, "256 bytes, at most 255")
	for _, broken := range []string{"", "03 6162", "04 616263", "ff"} {
		_, err = s.Decode(wantBytes(t, broken))
		assert.Error(t, err, broken)
	}
	assert.Contains(t, s.Explain(wantBytes(t, "03 616263 01")), "\"abc\"")
}

// TestLenPrefixOrder: a shorter text stands first, so that texts have no order;
// numbers without zeros in front have, and texts of one length.
func TestLenPrefixOrder(t *testing.T) {
	for _, c := range []struct {
		b    *rowkey.Builder
		want rowkey.Order
	}{
		{rowkey.New("t").String("a", rowkey.LenPrefix(1)), rowkey.Unordered},
		{rowkey.New("t").String("a", rowkey.Fixed(3)).Literal("x"), rowkey.Forward},
		{rowkey.New("t").String("a", rowkey.OneOf("ab", "cd"), rowkey.LenPrefix(1)), rowkey.Forward},
		{rowkey.New("t").String("a", rowkey.OneOf("ab", "c"), rowkey.LenPrefix(1)), rowkey.Unordered},
		{rowkey.New("t").Uint("a", 8, rowkey.Decimal, rowkey.LenPrefix(1)), rowkey.Forward},
		{rowkey.New("t").Uint("a", 8, rowkey.Desc, rowkey.Decimal, rowkey.LenPrefix(1)), rowkey.Backward},
		{rowkey.New("t").Uint("a", 8, rowkey.Decimal, rowkey.Reverse, rowkey.LenPrefix(1)), rowkey.Unordered},
		{rowkey.New("t").Int("a", 8, rowkey.Decimal, rowkey.LenPrefix(1)), rowkey.Unordered},
	} {
		assert.Equal(t, c.want, c.b.MustBuild().Order("a"))
	}
	s := rowkey.New("t").Uint("a", 8, rowkey.Decimal, rowkey.LenPrefix(1)).Bool("b").MustBuild()
	plan, err := s.Scan(rowkey.Span("a", uint64(9), uint64(101)))
	require.NoError(t, err)
	assert.Equal(t, 1, plan.Len())
	assert.True(t, plan.Exact())
}

// TestLenPrefixPlans: a Prefix or an interval of a text is a range for each of the
// shortest lengths, and one for all longer texts; where there are no longer ones
// the ranges are exact.
func TestLenPrefixPlans(t *testing.T) {
	s := rowkey.New("t").String("a", rowkey.LenPrefix(2)).Bool("b").MustBuild()
	plan, err := s.Scan(rowkey.Prefix("a", "u1"))
	require.NoError(t, err)
	ranges := slices.Collect(plan.Ranges())
	assert.False(t, plan.Exact())
	assert.Len(t, ranges, 31) // of 2 to 31 bytes, and the rest
	assert.Equal(t, wantBytes(t, "0002 7531"), ranges[0].Start())
	assert.Equal(t, wantBytes(t, "0002 7532"), ranges[0].Stop())
	assert.Equal(t, wantBytes(t, "0020"), ranges[30].Start())
	assert.Equal(t, wantBytes(t, "80"), ranges[30].Stop())

	short := rowkey.New("t").String("a", rowkey.Chars("abc"), rowkey.ReversePart(0, 2), rowkey.LenPrefix(1)).MustBuild()
	_, err = short.Scan(rowkey.Prefix("a", "ab"))
	assert.ErrorIs(t, err, rowkey.ErrFullScan, "its bytes do not begin as the text does")

	pad := rowkey.New("t").Copy("c", "a", rowkey.LenPrefix(1)).String("a", rowkey.Pad(4, ' ')).MustBuild()
	plan, err = pad.Scan(rowkey.Eq("a", "ab"))
	require.NoError(t, err)
	assert.Equal(t, 1, plan.Len())

	_, err = s.Key().Prefix("u1").Range()
	assert.ErrorIs(t, err, rowkey.ErrType)

	plan, err = s.Scan(rowkey.In("a", "x", "yy"))
	require.NoError(t, err)
	assert.True(t, plan.Exact())
	assert.Equal(t, 2, plan.Len())
}

// TestLenPrefixRefused says what cannot have a length in front.
func TestLenPrefixRefused(t *testing.T) {
	new := func(opts ...rowkey.SchemaOption) *rowkey.Builder { return rowkey.New("t", opts...) }
	for name, c := range map[string]struct {
		b     *rowkey.Builder
		words string
	}{
		"no bytes":     {new().String("a", rowkey.LenPrefix(0)), "LenPrefix(0) is not within 1 to 4"},
		"too many":     {new().String("a", rowkey.LenPrefix(5)), "LenPrefix(5) is not within 1 to 4"},
		"a number":     {new().Uint("a", 4, rowkey.LenPrefix(1)), "lenprefix does not fit: the field has its width already"},
		"another":      {new().String("a", rowkey.Escaped, rowkey.LenPrefix(1)), "at most"},
		"loose":        {new().String("a", rowkey.LenPrefix(1), rowkey.Loose), "nothing to loosen"},
		"longer":       {new().String("a", rowkey.MinLen(256), rowkey.LenPrefix(1)), "no value fits a length of one byte"},
		"a dialect":    {new(interop.Phoenix).String("a", rowkey.LenPrefix(1)), "the dialect says how the field ends"},
		"another one":  {new(interop.OrderedBytes).String("a", rowkey.LenPrefix(1)), "the dialect says how the field ends"},
		"reverse then": {new().String("a", rowkey.LenPrefix(1), rowkey.Reverse), "stands before the option that ends the field"},
	} {
		_, err := c.b.Build()
		require.ErrorIs(t, err, rowkey.ErrSchema, name)
		assert.ErrorContains(t, err, c.words, name)
	}
}
