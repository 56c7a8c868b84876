package laws

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
)

// TestNineteenDigitsDescRefused: Digits(19), Desc and Desc, Digits(19) look alike
// and write different keys, of which a Java program writes the second alone. The
// refusal says what may be meant, and what it says builds.
func TestNineteenDigitsDescRefused(t *testing.T) {
	new := func() *rowkey.Builder { return rowkey.New("t") }
	for _, c := range []struct {
		b     *rowkey.Builder
		words string
	}{
		{new().Time("a", rowkey.Millis, rowkey.Digits(19), rowkey.Desc), "say Desc, Digits(19), which is Long.MAX_VALUE − v"},
		{new().Uint("a", 8, rowkey.Digits(19), rowkey.Desc), "say Digits(18), Desc, or Desc, Digits(20), which is 18446744073709551615 − v"},
		{new().Uint("a", 4, rowkey.Digits(19), rowkey.Desc), "say Digits(18), Desc, or Desc, Digits(10), which is 4294967295 − v"},
		{new().Copy("b", "a", rowkey.Digits(19), rowkey.Desc).Time("a", rowkey.Millis), "say Desc, Digits(19)"},
	} {
		_, err := c.b.Build()
		require.ErrorIs(t, err, rowkey.ErrSchema)
		assert.ErrorContains(t, err, c.words)
		assert.ErrorContains(t, err, "9999999999999999999, above Java's largest long")
	}

	at := time.UnixMilli(1684203630002)
	for _, c := range []struct {
		b     *rowkey.Builder
		value any
		want  string
	}{
		{new().Time("a", rowkey.Millis, rowkey.Desc, rowkey.Digits(19)), at, "9223370352651145805"},
		{new().Time("a", rowkey.Millis, rowkey.Digits(18), rowkey.Desc), at, "999998315796369997"},
		{new().Uint("a", 8, rowkey.Digits(18), rowkey.Desc), 7, "999999999999999992"},
		{new().Uint("a", 8, rowkey.Desc, rowkey.Digits(20)), 7, "18446744073709551608"},
		{new().Uint("a", 4, rowkey.Desc, rowkey.Digits(10)), 7, "4294967288"},
	} {
		s, err := c.b.Build()
		require.NoError(t, err)
		key, err := s.AppendKey(nil, c.value)
		require.NoError(t, err)
		assert.Equal(t, c.want, string(key))
	}
}

// TestLongLayouts: a date with so many constants that it fills no room of a fast write is written too.
func TestLongLayouts(t *testing.T) {
	day := time.Date(2023, 5, 16, 0, 0, 0, 0, time.UTC)
	type row struct {
		User string    `rowkey:"user"`
		Day  time.Time `rowkey:"day"`
	}
	for n := range 300 {
		layout := "2006" + strings.Repeat("-", n) + "0102"
		s, err := rowkey.New("t").String("user").Separator("_").Time("day", rowkey.Layout(layout, time.UTC)).Literal("abc").Build()
		require.NoError(t, err)
		want := "u_" + day.Format(layout) + "abc"
		for _, buf := range [][]byte{nil, make([]byte, 0, 400)} {
			key, err := s.KeyIn(buf).String("u").Time(day).Bytes()
			require.NoError(t, err)
			require.Equal(t, want, string(key))
			key, err = rowkey.Must(rowkey.Bind[row](s)).Append(buf, &row{"u", day})
			require.NoError(t, err)
			require.Equal(t, want, string(key))
		}
		var got row
		require.NoError(t, rowkey.Must(rowkey.Bind[row](s)).Decode([]byte(want), &got))
		require.Equal(t, row{"u", day}, got)
	}
}
