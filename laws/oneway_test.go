package laws

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
)

// testLowered is a text in lower case, of which none is too long.
var testLowered = rowkey.OneWay("lower", 0, func(dst, value []byte) ([]byte, error) {
	if len(value) > 100 {
		return dst, errors.New("too long")
	}
	return append(dst, bytes.ToLower(value)...), nil
})

// TestOneWay: a step that nothing undoes stands on a copy, whose bytes are compared
// and not read, and on a salt.
func TestOneWay(t *testing.T) {
	s := rowkey.New("t").Copy("low", "name", rowkey.Via(testLowered)).Separator("_").String("name").MustBuild()
	assert.Equal(t, `[low=name via("lower")]['_'][name]`, s.String())
	key, err := s.Key().String("Ann").Bytes()
	require.NoError(t, err)
	assert.Equal(t, "ann_Ann", string(key))
	row, err := s.Decode(key)
	require.NoError(t, err)
	assert.Equal(t, "ann", string(row.Stored("low")))
	_, err = s.Decode([]byte("amn_Ann"))
	assert.ErrorIs(t, err, rowkey.ErrDerived)
	assert.Contains(t, s.Explain(key), "as the fields give it")
	_, err = s.Key().String(string(bytes.Repeat([]byte("x"), 101))).Bytes()
	assert.ErrorIs(t, err, rowkey.ErrRange)
	plan, err := s.Scan(rowkey.Eq("name", "Ann"))
	require.NoError(t, err)
	assert.Equal(t, 1, plan.Len())

	two := rowkey.OneWay("two", 2, func(dst, value []byte) ([]byte, error) { return append(dst, 'b', value[len(value)-1]), nil })
	salted := rowkey.New("t").Salt(16, "a", rowkey.Via(two)).String("a").MustBuild()
	key, err = salted.Key().String("s-42").Bytes()
	require.NoError(t, err)
	assert.Equal(t, "b\x0cs-42", string(key))
	assert.Contains(t, salted.Explain(key), "bucket")

	for name, c := range map[string]struct {
		b     *rowkey.Builder
		words string
	}{
		"on a field":       {rowkey.New("t").String("a", rowkey.Via(testLowered)), `via("lower") is OneWay: it fits a Copy or a Salt`},
		"on a number":      {rowkey.New("t").Uint("a", 8, rowkey.Via(testLowered)), "is OneWay"},
		"not stored":       {rowkey.New("t").Salt(4, "a").String("a", rowkey.NotStored, rowkey.Via(testLowered)), "is OneWay"},
		"without function": {rowkey.New("t").Copy("b", "a", rowkey.Via(rowkey.OneWay("x", 1, nil))).String("a"), "OneWay needs a function"},
		"without a name":   {rowkey.New("t").Copy("b", "a", rowkey.Via(rowkey.OneWay("", 1, testLowered.Append))).String("a"), "names it"},
		"buckets alike": {rowkey.New("t").Salt(16, "a", rowkey.Via(rowkey.OneWay("x", 1, func(dst, value []byte) ([]byte, error) {
			return append(dst, 'x'), nil
		}))).String("a"), "writes two buckets alike"},
	} {
		_, err := c.b.Build()
		require.ErrorIs(t, err, rowkey.ErrSchema, name)
		assert.ErrorContains(t, err, c.words, name)
	}
}

// TestCopyWithoutEnd: md5(id) + lower(id) + MAX−ms, as programs write it: the copy
// has no end, and the fixed tail after it tells where it ends.
func TestCopyWithoutEnd(t *testing.T) {
	head := func(opts ...rowkey.FieldOption) *rowkey.Builder {
		return rowkey.New("t").Hash(rowkey.MD5.Hex(4), "id").
			Copy("low", "id", append([]rowkey.FieldOption{rowkey.Via(testLowered)}, opts...)...).
			Time("at", rowkey.Millis, rowkey.Desc).
			String("id", rowkey.NotStored)
	}
	_, err := head().Build()
	require.ErrorIs(t, err, rowkey.ErrSchema)
	assert.ErrorContains(t, err, "low: has no end before the next component, at: add a Separator, Fixed, Pad or Escaped, or Loose for a table that exists")

	s, err := head(rowkey.Loose).Build()
	require.NoError(t, err)
	assert.Equal(t, `[md5.hex(4)(id)][low=id via("lower") loose][max-ms(at)][id notstored]`, s.String())
	at := time.UnixMilli(1684203630002)
	key := func(id string) []byte {
		key, err := s.AppendKey(nil, at, id)
		require.NoError(t, err)
		return key
	}
	assert.Equal(t, wantBytes(t, "34663438 733634 7ffffe77dda4124d"), bytes.Replace(key("S64"), key("S64")[:4], []byte("4f48"), 1))
	row, err := s.Decode(key("S64"))
	require.NoError(t, err)
	assert.Equal(t, "s64", string(row.Stored("low")))
	var got time.Time
	require.NoError(t, s.Read(key("S64")).Time(&got).Err())
	assert.True(t, at.Equal(got))
	assert.NotContains(t, s.Explain(key("S64")), "broken")

	// What goes on where the copy ends lies in its range: a cover, and said so.
	plan, err := s.Scan(rowkey.Eq("id", "S64"), rowkey.Eq("at", at))
	require.NoError(t, err)
	assert.False(t, plan.Exact())
	in := func(key []byte) bool {
		return slices.ContainsFunc(slices.Collect(plan.Ranges()), func(r rowkey.Range) bool { return r.Contains(key) })
	}
	assert.True(t, in(key("S64")))
	assert.False(t, in(key("other")))

	// Before its source it works alike.
	front := rowkey.New("t").Copy("c", "a", rowkey.Loose).Uint("n", 2).String("a", rowkey.NotStored).MustBuild()
	k, err := front.AppendKey(nil, 7, "x\x00y")
	require.NoError(t, err)
	assert.Equal(t, "x\x00y\x00\x07", string(k))
	_, err = front.Decode(k)
	require.NoError(t, err)
}

// TestDerivedBehindLoose: what is computed and has a width may stand after a text
// without an end.
func TestDerivedBehindLoose(t *testing.T) {
	s, err := rowkey.New("t").String("name", rowkey.Loose).
		Hash(rowkey.MD5.Raw(2), "name").
		Time("ts", rowkey.Seconds, rowkey.Width(4)).
		Copy("day", "ts", rowkey.Days, rowkey.Width(2)).
		Build()
	require.NoError(t, err)
	at := time.Unix(1684203630, 0)
	key, err := s.AppendKey(nil, "cpu", at)
	require.NoError(t, err)
	assert.Equal(t, wantBytes(t, "637075 d9ab 6462e86e 4c25"), bytes.Replace(key, key[3:5], []byte{0xd9, 0xab}, 1))
	var name string
	var ts time.Time
	require.NoError(t, s.Read(key).String(&name).Time(&ts).Err())
	assert.Equal(t, "cpu", name)
	assert.True(t, at.Equal(ts))
	broken := bytes.Clone(key)
	broken[3] ^= 1
	_, err = s.Decode(broken)
	assert.ErrorIs(t, err, rowkey.ErrDerived)
	r, err := s.Key().String("cpu").Range()
	require.NoError(t, err)
	assert.True(t, r.Contains(key))
	plan, err := s.Scan(rowkey.Eq("name", "cpu"), rowkey.Span("ts", at, at.Add(time.Hour)))
	require.NoError(t, err)
	assert.Equal(t, 1, plan.Len())
	assert.True(t, slices.Collect(plan.Ranges())[0].Contains(key))

	_, err = rowkey.New("t").String("a", rowkey.Loose).Copy("c", "b", rowkey.Escaped).String("b").Build()
	require.ErrorIs(t, err, rowkey.ErrSchema)
	assert.ErrorContains(t, err, "stands after a, which has no end, and has no width of its own")
}
