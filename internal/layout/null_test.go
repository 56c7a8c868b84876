package layout_test

import (
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
		{"phoenix [n:i8][a optional]", true}, // a null at the end writes nothing
		{"phoenix [n:i8][a optional desc]", true},
		{"phoenix [a optional][n:i8]", true},
		{"phoenix [a optional]['_'][n:i8]", true},
		{"phoenix [a optional escaped][n:i8]", true},
		{"phoenix [a optional escaped desc][n:i8]", false},
		{"phoenix [a optional desc][n:i8]", false},
		{"phoenix [n:i8][a optional desc]['_']", false},
		{"orderedbytes [a optional][n:i8]", true}, // a null has a header of its own
		{"orderedbytes [a optional desc][n:i8]", true},
		{"orderedbytes [n:i8][a optional desc]", true},
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
