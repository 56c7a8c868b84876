package layout_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/tests/cold"
)

// A salt of several fields is the same with the hot path and without, wherever the fields stand:
// at a known distance from the key's beginning, from its end, or from neither.
func TestSaltsOfSeveralFields(t *testing.T) {
	for _, salt := range []string{"salt100(values(a,n))", "salt16(values(n,a))", "salt16(values(a,b))", "salt16(values(n,m))", "salt256(values(m,a))", "salt16(values(b,m))", "salt16(values(a,n,m))", "murmur3.raw(2)(values(n,a))", "crc32.raw(4)(values(a,m))", "salt16(text(n,m))", "salt16(stored(a,n))"} {
		for _, rest := range []string{
			"[a]['_'][n:8][b]['_'][m:4]", "[n:8][a]['_'][m:4][b]", "[n:8][m:4][a]['_'][b]", "[a fixed(3)][n:8][b]['_'][m:4]", "['v1'][n:8][a]['_'][b]['_'][m:4]", "[n:8]['_'][m:4][a fixed(3)][b]",
		} {
			s, without := rowkey.Must(rowkey.Parse("t", "["+salt+"]"+rest)), rowkey.Must(rowkey.Parse("t", "["+salt+"]"+rest))
			require.NoError(t, cold.Make(without))
			for _, length := range []int{0, 1, 7, 8, 9, 16, 17, 40} {
				for _, n := range []uint64{0, 7, 1<<64 - 1} {
					values := map[string]any{"a": "abc", "b": strings.Repeat("y", length), "n": n, "m": n & 0xffff}
					hot, errHot := s.Key(), error(nil)
					slow := without.Key()
					for f := range s.Fields() {
						switch v := values[f.Name].(type) {
						case string:
							hot, slow = hot.String(v), slow.String(v)
						case uint64:
							hot, slow = hot.Uint(v), slow.Uint(v)
						}
					}
					key, errHot := hot.Bytes()
					want, err := slow.Bytes()
					require.NoError(t, err, "%s %v", s, values)
					require.NoError(t, errHot, "%s %v", s, values)
					require.Equal(t, want, key, "%s %v", s, values)
				}
			}
		}
	}
}
