package laws

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
)

// The bounds of a reversed scan: the largest key below the range's stop, where
// widths or the set of bytes tell which it could be.
func TestRangeReversedExact(t *testing.T) {
	type c = rowkey.Cond
	at := time.UnixMilli(1684203630000)
	for _, c := range []struct {
		name  string
		b     *rowkey.Builder
		conds []rowkey.Cond
		want  string // start stop, in hex; with ? if the first row may lie outside
	}{
		{"a number", rowkey.New("s").Uint("id", 1), []c{rowkey.AtLeast("id", 2), rowkey.LessThan("id", 5)}, "04 01"},
		{"a wider one", rowkey.New("s").Uint("id", 2), []c{rowkey.AtLeast("id", 2), rowkey.LessThan("id", 256)}, "01 0001"},
		{"to the end", rowkey.New("s").Uint("id", 1), []c{rowkey.AtLeast("id", 2)}, " 01"},
		{"from the beginning", rowkey.New("s").Uint("id", 1), []c{rowkey.LessThan("id", 5)}, "04 "},
		{"one key", rowkey.New("s").String("id"), []c{rowkey.Eq("id", "b")}, "62 61ffffffffffffffff"},
		{"a head of fixed width", rowkey.New("s").Uint("id", 1).Uint("n", 2), []c{rowkey.Eq("id", 5)}, "05ffff 04ffff"},
		{"digits", rowkey.New("s").Uint("id", 1, rowkey.Digits(2)).Uint("n", 2, rowkey.Digits(3)), []c{rowkey.Eq("id", 7)}, "3037393939 3036393939"},
		{"a text with its end", rowkey.New("s").String("a").Separator("_").Time("at", rowkey.Millis, rowkey.Desc), []c{rowkey.Eq("a", "x")},
			"785fffffffffffffffff 785effffffffffffffff"},
		{"a span behind it", rowkey.New("s").String("a").Separator("_").Time("at", rowkey.Millis).Literal("v1"), []c{rowkey.Eq("a", "x"), rowkey.LessThan("at", at)},
			"785f00000188225bedaf7631 785f00000000000000"},
		{"a text of any byte", rowkey.New("s").String("a"), []c{rowkey.Prefix("a", "b")}, "63? 61ffffffffffffffff"},
		{"a text of digits", rowkey.New("s").String("a", rowkey.Chars("0123456789")), []c{rowkey.Prefix("a", "12")}, "31323a 31313a"},
		{"and its end", rowkey.New("s").String("a", rowkey.Chars("0123456789")).Separator("_").String("b"), []c{rowkey.Prefix("a", "12")}, "313260 313160"},
		{"a text of one width", rowkey.New("s").String("a", rowkey.Fixed(3)).Uint("n", 1), []c{rowkey.Prefix("a", "b")}, "62ffffff 61ffffff"},
		{"an escaped text", rowkey.New("s").String("a", rowkey.Escaped).Uint("n", 1), []c{rowkey.Eq("a", "x")}, "780001ff 780000ffffffffffffffff"},
		{"behind a Loose text", rowkey.New("s").String("a", rowkey.Loose).Separator("_").Uint("n", 1), []c{rowkey.Eq("a", "x")}, "7860? 785effffffffffffffff"},
		{"nulls", rowkey.New("s", interop.Phoenix).Uint("n", 1).String("a", rowkey.Optional), []c{rowkey.Eq("n", 5)}, "06? 04ffffffffffffffff"},
	} {
		s := c.b.MustBuild()
		plan, err := s.Scan(c.conds...)
		require.NoError(t, err, c.name)
		require.Equal(t, 1, plan.Len(), c.name)
		for _, plan := range []*rowkey.Plan{plan, plan.Reversed(), plan.Limit(3)} {
			for r := range plan.Ranges() {
				start, stop, exact := r.Reversed()
				got := fmt.Sprintf("%x", start)
				if !exact {
					got += "?"
				}
				assert.Equal(t, c.want, fmt.Sprintf("%s %x", got, stop), c.name)
			}
		}
	}
	// Of a range of no schema there is no more to know than its bytes.
	for prefix, want := range map[string]string{"a": "62 false", "a\x00": "6101 false", "\xff": " true"} {
		start, _, exact := rowkey.PrefixRange([]byte(prefix)).Reversed()
		assert.Equal(t, want, fmt.Sprintf("%x %t", start, exact))
	}
	r, err := rowkey.NewRange([]byte("a"), []byte("a\x00"))
	require.NoError(t, err)
	start, _, exact := r.Reversed()
	assert.Equal(t, "61 true", fmt.Sprintf("%x %t", start, exact))
	// No key lies below 00; an empty start would be the end of the table.
	r, err = rowkey.NewRange(nil, []byte{0})
	require.NoError(t, err)
	start, stop, exact := r.Reversed()
	assert.Equal(t, "00  false", fmt.Sprintf("%x %x %t", start, stop, exact))
}

// A range of a KeyBuilder knows its schema, too.
func TestRangeReversedOfKeyBuilder(t *testing.T) {
	r, err := trades.Key().String("s-42").Range()
	require.NoError(t, err)
	start, _, exact := r.Reversed()
	assert.True(t, exact)
	assert.Equal(t, "0c732d34325f"+fmt.Sprintf("%x", make16ff()), fmt.Sprintf("%x", start))
	ranges, _, err := trades.Key().Prefix("s-4").AppendRanges(nil, nil)
	require.NoError(t, err)
	require.Len(t, ranges, 16)
	_, _, exact = ranges[3].Reversed()
	assert.False(t, exact)
	hashed := rowkey.New("h").Salt(4, "a").Uint("b", 1).Uint("a", 1).MustBuild()
	ranges, _, err = hashed.Key().Uint(7).AppendRanges(nil, nil)
	require.NoError(t, err)
	require.Len(t, ranges, 4)
	for i, r := range ranges {
		start, stop, exact := r.Reversed()
		assert.Equal(t, fmt.Sprintf("%02x07ff %02x06ff true", i, i), fmt.Sprintf("%x %x %t", start, stop, exact))
	}
}

func make16ff() []byte {
	b := make([]byte, 16)
	for i := range b {
		b[i] = 0xff
	}
	return b
}
