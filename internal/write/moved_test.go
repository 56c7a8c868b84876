package write_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/seam"
)

// Slots without a fixed place are filled, and texts of varying length put in, as if all values had been
// collected first: the same keys, ranges and errors, into a buffer of any size.
func TestSlotsWithoutPlace(t *testing.T) {
	long := strings.Repeat("long", 40)
	texts := []any{"", "x", "ab", "a_b", "a#", "p|q", "0123456789abcdefg", long + "_"}
	numbers := []any{0, 255, 70000, -1}
	const unknown = "[a]['_'][salt16(c) width(2)][copy=b decimal]['#'][b:4][c]" // when c is written, a copy of any length stands before it
	for _, notation := range []string{
		unknown,
		"[a]['|'][salt16(b) digits(2)]['|'][b]",
		"[salt4(a)][a]['_'][copy=a left(1) fixed(1)]",
		"[copy=a right(2)]['_'][a]['#'][b]",
		"[copy=a right(90)]['_'][a]['#'][b]",
		"[a]['_'][copy=b right(3)]['_'][md5.hex(4)(a)]['_'][b]",
		"[copy=b left(2)]['_'][copy2=b right(2)]['_'][a:4][b]",
		"[copy=b right(3)]['_'][salt16(b)][copy2=b left(70) desc escaped][a:4][b escaped]['_'][copy3=b escaped][c:1]",
		"[a:4][b:4][salt16(a) width(2)]['_'][c]",
		"[a]['_'][b:2][salt8(a)][c:1]",
		"[a:4][b fixed(2)][salt16(a)]['_'][c:1]",
		"[a]['_'][b:2][md5.hex(4)(values(a,b))]['_'][salt8(values(a,c))][c:1]",
		"[salt16(values(a,b))][copy=a width(2)][a:4][b:1]",
		"[salt16(a) decimal]['_'][a]['_'][b]",
		"[a]['_'][salt16(text(b)) javahash digits(2)][b]",
		"[a]['_'][salt7(b) modulo][b:i4 hbase]['_'][c]",
		"[a]['_'][salt16(stored(b))][b reverse]['_'][c]",
		"[copy=a decimal]['_'][a:4]['_'][b pad(8,' ')]",
	} {
		s := rowkey.Must(rowkey.Parse("t", notation))
		known := notation != unknown
		require.Equal(t, known, seam.Layout(s).Moved, notation)
		require.NotEqual(t, known, seam.Layout(s).Gathered, notation)
		without, err := seam.Cold(s)
		require.NoError(t, err)
		cold := without.(*rowkey.Schema)
		var kinds [][]any
		for f := range s.Fields() {
			if !f.Derived && f.Kind != "literal" {
				kinds = append(kinds, map[bool][]any{true: texts, false: numbers}[f.Kind == "string"])
			}
		}
		kinds = append(kinds, []any{nil, "too many"})
		keys, faults := 0, map[string]bool{}
		row := make([]any, len(kinds))
		all := 1
		for _, k := range kinds {
			all *= len(k)
		}
		for i := range all {
			for j, at := 0, i; j < len(kinds); j++ {
				row[j], at = kinds[j][at%len(kinds[j])], at/len(kinds[j])
			}
			for n := range len(row) + 1 {
				given := row[:n]
				if n == len(row) && row[n-1] == nil {
					continue
				}
				for _, size := range []int{0, 3, 20, 400} {
					a, b := begun(s.KeyIn(make([]byte, 0, size)), given), begun(cold.KeyIn(make([]byte, 0, size)), given)
					key, err := a.Bytes()
					want, wantErr := b.Bytes()
					require.Equal(t, fmt.Sprintf("%x %v", want, wantErr), fmt.Sprintf("%x %v", key, err), "%s: %v in %d", notation, given, size)
					if keys++; err != nil {
						keys, faults[err.Error()] = keys-1, true
					}
				}
				a, b := begun(s.Key(), given), begun(cold.Key(), given)
				ranges, _, err := a.AppendRanges(nil, nil)
				wanted, _, wantErr := b.AppendRanges(nil, nil)
				require.Equal(t, fmt.Sprint(wanted, wantErr), fmt.Sprint(ranges, err), "%s: %v", notation, given)
				ranges, _, err = a.Prefix("ab").AppendRanges(nil, nil)
				wanted, _, wantErr = b.Prefix("ab").AppendRanges(nil, nil)
				require.Equal(t, fmt.Sprint(wanted, wantErr), fmt.Sprint(ranges, err), "%s: %v", notation, given)
			}
		}
		assert.Greater(t, keys, 20, notation)
		assert.Greater(t, len(faults), 1, notation)
	}
}

func begun(k rowkey.KeyBuilder, row []any) rowkey.KeyBuilder {
	for _, v := range row {
		switch v := v.(type) {
		case int:
			k = k.Int(int64(v))
		case string:
			k = k.String(v)
		}
	}
	return k
}
