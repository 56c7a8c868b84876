package rowkey_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Corners of plans that use has found, each held by itself.

// Whether an interval is refused as a full scan depends on the layout and the
// condition, not on the number: one that cannot be stored has the place of the
// next that can.
func TestPlanRefusalsDoNotDependOnTheValue(t *testing.T) {
	for name, s := range map[string]*rowkey.Schema{
		"Pad":    rowkey.New("s").Uint("a", 2, testTag.via(), rowkey.Pad(12, 0)).MustBuild(), // 256 ends in the pad
		"marked": rowkey.New("s").Uint("a", 2, testTag.via()).Separator("\x00").MustBuild(),  // 0 to 256 hold the end
	} {
		t.Run(name, func(t *testing.T) {
			var rows [][]byte
			var values []int
			for v := range 1 << 16 {
				if key, err := s.AppendKey(nil, v); err == nil {
					rows, values = append(rows, key), append(values, v)
				}
			}
			require.Greater(t, len(rows), 60000)
			for v := 1; v < 1<<16; v += 1 + v%3 {
				least, err := s.Scan(rowkey.AtLeast("a", v))
				require.NoError(t, err, "AtLeast %d", v)
				most, err := s.Scan(rowkey.LessThan("a", v))
				require.NoError(t, err, "LessThan %d", v)
				n, _ := slices.BinarySearch(values, v)
				for i := max(n-2, 0); i < min(n+2, len(rows)); i++ {
					require.Equal(t, i >= n, lawCovering(slices.Collect(least.Ranges()), rows[i]) == 1, "AtLeast %d, row %d", v, values[i])
					require.Equal(t, i < n, lawCovering(slices.Collect(most.Ranges()), rows[i]) == 1, "LessThan %d, row %d", v, values[i])
				}
				require.True(t, least.Exact() && most.Exact(), v)
			}
		})
	}
	s := rowkey.New("s").Uint("a", 3, testTag.via(), rowkey.Pad(12, 0)).MustBuild()
	for v, want := range map[int]string{255: "540000ff", 256: "54000101"} {
		plan, err := s.Scan(rowkey.AtLeast("a", v))
		require.NoError(t, err)
		for r := range plan.Ranges() {
			assert.Equal(t, want, fmt.Sprintf("%x", r.Start()[:4]))
		}
	}

	// A text that a step cannot write, since it is too long: the plan covers.
	short := &testVia{
		name: "atmost2", traits: rowkey.Traits{Order: rowkey.Forward},
		write: func(s string) (string, error) {
			if len(s) > 2 {
				return "", errTestVia
			}
			return s, nil
		},
		read: func(s string) (string, bool) { return s, len(s) <= 2 },
	}
	text := rowkey.New("s").String("a", short.via()).MustBuild()
	for _, v := range []string{"a", "ab", "abc", "abcdefgh"} {
		for _, k := range []rowkey.Cond{rowkey.AtLeast("a", v), rowkey.AtMost("a", v), rowkey.MoreThan("a", v), rowkey.LessThan("a", v), rowkey.Span("a", v, v+"z")} {
			plan, err := text.Scan(k)
			require.NoError(t, err, "%q", v)
			for _, w := range []string{"", "a", "aa", "ab", "ac", "b"} {
				key, err := text.AppendKey(nil, w)
				if len(key) == 0 || err != nil {
					continue
				}
				n := lawCovering(slices.Collect(plan.Ranges()), key)
				if plan.Match(key) {
					require.Equal(t, 1, n, "%q, row %q", v, w)
				} else if plan.Exact() {
					require.Zero(t, n, "%q, row %q", v, w)
				}
			}
		}
	}
}

// A Loose text is asked for its beginning, and for intervals of it, by ranges: those
// of a key so far.
func TestPlanLooseTextHasRanges(t *testing.T) {
	for _, layout := range []string{
		`[user loose]['_'][n:1]`, `[user loose][n:1]`, `[user loose]["_"][n:1]`, `[user loose pad(8,'x')][n:1]`,
		`[user desc loose]['_'][n:1]`, `[salt4(n)][user loose]['_'][n:1]`,
	} {
		s := rowkey.MustParse("l", layout)
		plan, err := s.Scan(rowkey.Prefix("user", "u1"))
		require.NoError(t, err, layout)
		assert.False(t, plan.Exact(), layout)
		want, _, err := s.Key(nil).Prefix("u1").AppendRanges(nil, nil)
		require.NoError(t, err, layout)
		assert.Equal(t, want, slices.Collect(plan.Ranges()), layout)
		for _, k := range []rowkey.Cond{rowkey.AtLeast("user", "u1"), rowkey.MoreThan("user", "u1"), rowkey.Span("user", "u1", "v")} {
			plan, err := s.Scan(k)
			require.NoError(t, err, layout)
			for r := range plan.Ranges() {
				for _, user := range []string{"u1", "u12", "u1_", "u2"} {
					key, err := s.AppendKey(nil, user, 7)
					require.NoError(t, err, layout)
					if plan.Len() == 1 && user != "u1" {
						assert.True(t, r.Contains(key), "%s %q %v", layout, user, r)
					}
				}
			}
		}
	}
	s := rowkey.MustParse("l", `[user loose]['_'][n:1]`)
	for _, c := range []struct {
		cond rowkey.Cond
		want string
	}{
		{rowkey.Prefix("user", "u1"), "[u1, u2)"},
		{rowkey.AtLeast("user", "u1"), "[u1, end of table)"},
		{rowkey.Span("user", "u1", "u3"), "[u1, u3)"},
		{rowkey.AtMost("user", "u1"), `[, v)`}, // u_ lies behind u1
	} {
		plan, err := s.Scan(c.cond)
		require.NoError(t, err)
		assert.Equal(t, c.want, fmt.Sprint(slices.Collect(plan.Ranges())[0]))
	}
}

// A value of which a salt cannot be computed is in no row, so that nothing is
// read for it, and nothing refused: a Java hashCode is of text.
func TestPlanOfWhatNoSaltTakes(t *testing.T) {
	for _, layout := range []string{
		`[salt1(values(a)) javahashabs letters("a") named(bucket)][a notstored padleft(6,'0')]`,
		`[salt4(a) javahash][a notstored][b:1]`,
		`[salt4(a) javahash][a]`,
	} {
		s := rowkey.MustParse("s", layout)
		for _, conds := range [][]rowkey.Cond{
			{rowkey.Eq("a", "b\xff\xff")},
			{rowkey.In("a", "b\xff\xff", "\xff")},
			{rowkey.Eq("a", "b\xff\xff"), rowkey.FullScan()},
		} {
			plan, err := s.Scan(conds...)
			require.NoError(t, err, layout)
			assert.Zero(t, plan.Len(), layout)
			assert.True(t, plan.Exact(), layout)
		}
		_, err := s.Scan(rowkey.In("a", "b\xff\xff", "b"))
		assert.True(t, err == nil || errors.Is(err, rowkey.ErrFullScan), "%s: %v", layout, err)
	}
}
