package piece_test

import (
	"encoding/hex"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
)

// packed packs two hexadecimal digits into a byte; it refuses an odd number of them.
type packed struct{}

func (packed) String() string { return "packed" }
func (packed) Append(dst, v []byte) ([]byte, error) {
	if string(v) != hexLower(v) {
		return dst, errors.New("upper case")
	}
	return hex.AppendDecode(dst, v)
}
func (packed) Invert(dst, form []byte) ([]byte, error) { return hex.AppendEncode(dst, form), nil }
func (packed) Traits() rowkey.Traits                   { return rowkey.Traits{Order: rowkey.Forward} }

func hexLower(v []byte) string {
	b, err := hex.DecodeString(string(v))
	if err != nil {
		return ""
	}
	return hex.EncodeToString(b)
}

// A bound that a transform refuses leaves no row out that lies above it or below it.
func TestBoundsThatATransformRefuses(t *testing.T) {
	s := rowkey.New("t").String("a", rowkey.Via(packed{})).MustBuild()
	texts := []string{"00", "ab", "abcc", "abcd", "abcd00", "abd0", "abdf", "ac", "acab", "b0", "ff", "ffff"}
	for _, v := range []string{"a", "abc", "abd", "abcd0", "ab", "abcd", "ac", "f", "fff", "0", "x"} {
		for name, q := range map[string]struct {
			c     rowkey.Cond
			holds func(text string) bool
		}{
			"AtLeast":  {rowkey.AtLeast("a", v), func(text string) bool { return text >= v }},
			"MoreThan": {rowkey.MoreThan("a", v), func(text string) bool { return text > v }},
			"AtMost":   {rowkey.AtMost("a", v), func(text string) bool { return text <= v }},
			"LessThan": {rowkey.LessThan("a", v), func(text string) bool { return text < v }},
			"Prefix":   {rowkey.Prefix("a", v), func(text string) bool { return len(text) >= len(v) && text[:len(v)] == v }},
		} {
			plan, err := s.Scan(q.c, rowkey.FullScan())
			require.NoError(t, err)
			for _, text := range texts {
				key, err := s.AppendKey(nil, text)
				require.NoError(t, err)
				in := 0
				for r := range plan.Ranges() {
					if r.Contains(key) {
						in++
					}
				}
				if q.holds(text) {
					assert.Equal(t, 1, in, "%s %q of the row %q: %v", name, v, text, plan)
				}
				assert.Equal(t, q.holds(text), in > 0 && plan.Match(key), "%s %q of the row %q", name, v, text)
				assert.False(t, plan.Exact() && in > 0 && !q.holds(text), "%s %q of the row %q: %v", name, v, text, plan)
			}
		}
	}
}
