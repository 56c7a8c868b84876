package layout_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/inside"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/tests/cold"
)

// A text that may be null is written hot, unless a value of it may begin as a null does: such a value is refused.
func TestTextsThatMayBeNull(t *testing.T) {
	for _, c := range []struct {
		notation string
		hot      bool
	}{
		{"phoenix [n:i8][a optional]", true},       // a null at the end writes nothing
		{"phoenix [n:i8][a optional desc]", false}, // a text in descending order never is
		{"phoenix [a optional][n:i8]", true},
		{"phoenix [a optional]['_'][n:i8]", true},
		{"phoenix [a optional escaped][n:i8]", true},
		{"phoenix [a optional escaped desc][n:i8]", false},
		{"phoenix [a optional desc][n:i8]", false},
		{"phoenix [n:i8][a optional desc]['_']", false},
		{"orderedbytes [a optional][n:i8]", true}, // a null has a header of its own
		{"orderedbytes [a optional desc][n:i8]", false},
		{"orderedbytes [n:i8][a optional desc]", false},
	} {
		s, err := rowkey.Parse("t", c.notation)
		require.NoError(t, err, c.notation)
		in := inside.Layout(s)
		assert.Equal(t, c.hot, in.Steps[in.Named("a").Ord].Form != layout.Cold, c.notation)
		without := rowkey.Must(rowkey.Parse("t", c.notation))
		require.NoError(t, cold.Make(without))
		for _, text := range []string{"x", "\x00", "\x00\x01", "\x01", "\x05", "\x34", "\xff", "\xff\xfe", "\xff\xff", "\xfa", "\xcb"} {
			same(t, s, without, map[string]any{"a": text, "n": int64(7)})
		}
	}
}

// A null at the end of a key writes nothing. What must stand there is missed, even where it may be empty.
func TestNullsAtTheEnd(t *testing.T) {
	for _, c := range []struct{ notation, key, problem string }{
		{"phoenix [n:i1][a optional]", "\x80", ""},
		{"phoenix [n:i1][a optional]", "\x80x", ""},
		{"phoenix [n:i1][a optional][b optional]", "\x80", ""},
		{"phoenix [n:i1][a optional][b optional]", "\x80x", ""},
		{"phoenix [n:i1][a optional][b optional]", "\x80\x00", "its end is not in the last byte"},
		{"phoenix [n:i1][a optional][b hbase]", "\x80", "a: the key ends before it"},
		{"phoenix [n:i1][a optional][b hbase]", "\x80\x00", ""},
		{"phoenix [n:i1][a][b optional]", "\x80", "a: the key ends before it"},
		{"phoenix [n:i1][a][b optional]", "\x80x", ""},
		{"orderedbytes [n:i1][a optional]", "\x29\x80", ""},
	} {
		s, err := rowkey.Parse("t", c.notation)
		require.NoError(t, err, c.notation)
		without := rowkey.Must(rowkey.Parse("t", c.notation))
		require.NoError(t, cold.Make(without))
		for _, s := range []*rowkey.Schema{s, without} {
			row, err := s.Decode([]byte(c.key))
			if c.problem != "" {
				assert.ErrorContains(t, err, c.problem, "%s: %q", s, c.key)
				continue
			}
			if assert.NoError(t, err, "%s: %q", s, c.key) {
				var values []any
				for _, v := range row.All() {
					values = append(values, v)
				}
				key, err := s.AppendKey(nil, values...)
				assert.NoError(t, err, "%s: %q", s, c.key)
				assert.Equal(t, c.key, string(key), "%s: %q", s, c.key)
			}
		}
	}
}

// A constant of more than 8 bytes after a number is written whole.
func TestLongConstants(t *testing.T) {
	for _, number := range []string{"[n:i8]", "[u:8 decimal]['_']", "[u:8]", "[n:i4 digits(9)]", "[n:i8 desc]", "[n:i8 reverse]", "[n:i8 varint]", "[n:i8 hexdigits(16)]", "[n:i8 orderedbytes]", "[n:i4 orderedbytes desc]"} {
		for length := range 40 {
			notation := number + "['" + strings.Repeat("0123456789", 4)[:length+1] + "'][a]"
			s, err := rowkey.Parse("t", notation)
			if err != nil {
				require.ErrorIs(t, err, rowkey.ErrSchema, notation)
				continue
			}
			without := rowkey.Must(rowkey.Parse("t", notation))
			require.NoError(t, cold.Make(without))
			for _, n := range []int64{7, 123456789} {
				same(t, s, without, map[string]any{"a": "x", "n": n, "u": uint64(n)})
			}
		}
	}
}
