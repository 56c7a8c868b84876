package rekey

import (
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/change"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestKeyOfAnotherRow: a row that the other layout would hold as another one is told: of a
// Loose field two rows have the key 616263, and an empty text is a null.
func TestKeyOfAnotherRow(t *testing.T) {
	for _, c := range []struct {
		old, new string
		values   []any
		reason   error
	}{
		{"[a]['\\x00'][c]", "[a loose]['_'][c]", []any{"a_b", "c"}, rowkey.ErrAmbiguous},
		{"[a]['\\x00'][c]", "[a loose]['_'][c]", []any{"a", "c"}, nil},
		{"[a optional orderedbytes][c:1]", "[a optional phoenix][c:1]", []any{"", 1}, rowkey.ErrLength},
		{"[a optional orderedbytes][c:1]", "[a optional phoenix][c:1]", []any{nil, 1}, nil},
		{"[a:f8 hbase][c:1]", "[a:f8][c:1]", []any{0.0, 1}, nil},
	} {
		old, newer := rowkey.Must(rowkey.Parse("old", c.old)), rowkey.Must(rowkey.Parse("new", c.new))
		ch, err := changeOf(Side{Schema: old}, Side{Schema: newer})
		require.NoError(t, err)
		key, err := old.AppendKey(nil, c.values...)
		require.NoError(t, err)
		own, err := ch.key(key, change.InOld, change.InNew)
		require.ErrorIs(t, err, c.reason, "%s to %s", c.old, c.new)
		if c.reason == nil {
			back, err := ch.key(own, change.InNew, change.InOld)
			require.NoError(t, err)
			assert.Equal(t, key, back)
		}
	}
}
