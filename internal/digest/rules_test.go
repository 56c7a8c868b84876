package digest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRulesAll fails for a rule without a line here. The buckets are of "polygenelubricants", whose
// hash is Java's smallest int, and of "éb", where rules that take the sign differently differ; of 7.
func TestRulesAll(t *testing.T) {
	type line struct {
		bucket uint64
		ok     bool
	}
	smallest, accent := "polygenelubricants", "\xc3\xa9b"
	want := map[string][2]line{
		"javahash":       {{0, true}, {6, true}},
		"javahashabs":    {{0, false}, {6, true}},
		"javahashmodabs": {{2, true}, {6, true}},
		"javahashfloor":  {{5, true}, {6, true}},
		"phoenixhash":    {{4, true}, {6, true}},
		"hbasewdhash":    {{4, true}, {6, true}},
		"pinpointhash":   {{4, true}, {3, true}},
	}
	n := NewModulus(7)
	for _, name := range RuleNames() {
		r, ok := RuleNamed(name)
		require.True(t, ok, name)
		if r == Modulo { // of the number itself: FloorMod
			continue
		}
		lines, has := want[name]
		require.True(t, has, "rule %s has no line here", name)
		for i, data := range []string{smallest, accent} {
			bucket, ok := r.Bucket([]byte(data), &n)
			assert.Equal(t, lines[i].ok, ok, "%s of %q", name, data)
			if ok {
				assert.Equal(t, lines[i].bucket, bucket, "%s of %q", name, data)
			}
		}
	}
	for _, r := range []Rule{OfDigest, Modulo, Modulo + 1} {
		_, ok := r.Bucket([]byte("ab"), &n)
		assert.False(t, ok, "rule %d is not of bytes", r)
	}
}
