package write_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
)

// The range of a prefix holds the rows whose value begins with it, and no other: also where the form of a
// null sorts between the values, and begins as some of them do.
func TestPrefixesAmongNulls(t *testing.T) {
	alphabet := []byte{0x00, 0x01, 0x02, 0xfe, 0xff}
	texts := [][]byte{nil} // a null
	for _, a := range alphabet {
		texts = append(texts, []byte{a})
		for _, b := range alphabet {
			texts = append(texts, []byte{a, b}, []byte{a, b, 0x7a})
		}
	}
	for _, notation := range []string{
		"phoenix [a:bytes escaped optional desc][b:1]", "phoenix [a:bytes escaped optional][b:1]",
		"phoenix [a:bytes escaped desc][b:1]", "[a:bytes escaped desc][b:1]", "orderedbytes [a optional desc][b:i4]", "[a:bytes]['|'][b:1]",
	} {
		s := rowkey.Must(rowkey.Parse("t", notation))
		type row struct{ a, key []byte }
		var rows []row
		for _, a := range texts {
			k := s.Key()
			switch {
			case a == nil && strings.Contains(notation, "optional"):
				k = k.Null()
			case !strings.Contains(notation, "bytes"):
				k = k.String(string(a))
			default:
				k = k.Binary(a)
			}
			if key, err := k.Uint(5).Bytes(); err == nil {
				rows = append(rows, row{a, key})
			}
		}
		require.Greater(t, len(rows), 20, notation)
		for _, p := range texts[1:] {
			ranges, _, err := s.Key().Prefix(string(p)).AppendRanges(nil, nil)
			if err != nil { // no row can begin so: then none is in ranges either
				assert.ErrorIs(t, err, rowkey.ErrTerminator, "%s: prefix %x", notation, p)
			}
			for _, row := range rows {
				in := slices.ContainsFunc(ranges, func(r rowkey.Range) bool { return r.Contains(row.key) })
				assert.Equal(t, row.a != nil && bytes.HasPrefix(row.a, p), in, "%s: prefix %x, row %x with key %x", notation, p, row.a, row.key)
			}
		}
	}
}
