package form

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hbase-rowkey/rowkey/internal/seed"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// SetShape looks at neighbours alone. Here it is held against all pairs, over short forms in any
// order, where each is often the beginning of another.
func TestSetShapeOfAllPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		forms := make([]string, 1+r.IntN(4))
		for i := range forms {
			for range r.IntN(4) {
				forms[i] += string("ab"[r.IntN(2)])
			}
		}
		up, down, free := true, true, true
		for i, f := range forms {
			for _, g := range forms[i+1:] {
				switch n := min(len(f), len(g)); {
				case f[:n] != g[:n]:
					up, down = up && f < g, down && f > g
				case len(f) < len(g):
					free = false
				default:
					free, up, down = false, false, false
				}
			}
		}
		s := SetShape(forms)
		want := NoOrder
		if up {
			want = Up
		} else if down {
			want = Down
		}
		assert.Equal(t, want, s.Dir, "%q", forms)
		if !s.Fixed() {
			assert.Equal(t, free, s.Ends == EndSelf, "%q", forms)
		}
	}
}

// A set beside a table of 256 answers, of random bytes, few and many.
func TestByteSet(t *testing.T) {
	for chars, want := range map[string][2]byte{"": {255, 0}, "m": {'m', 'm'}, "zam": {'a', 'z'}, "\x00\xff": {0, 255}} {
		s := BytesOf(chars)
		assert.Equal(t, want, [2]byte{s.Lowest(), s.Highest()}, "%q", chars)
	}
	r := seed.Rand(t)
	table := func(s ByteSet) (in [256]bool) {
		for _, b := range s.Listed() {
			in[b] = true
		}
		for b, want := range in {
			require.Equal(t, want, s.Has(byte(b)), "%x %02x", s, b)
		}
		return in
	}
	draw := func() (s ByteSet, in [256]bool) {
		for range r.IntN(1 << r.IntN(10)) {
			b := byte(r.IntN(256))
			if in[b] = r.IntN(3) > 0; in[b] {
				s.Add(b)
			} else {
				s.Drop(b)
			}
		}
		return s, in
	}
	assert.NotContains(t, table(AllBytes()), false)
	for range 200 {
		a, inA := draw()
		b, inB := draw()
		require.Equal(t, inA, table(a))
		union, common, inverted := table(a.Union(b)), table(a.Common(b)), table(*a.Inverted())
		for i := range 256 {
			require.Equal(t, inA[i] || inB[i], union[i])
			require.Equal(t, inA[i] && inB[i], common[i])
			require.Equal(t, inA[i], inverted[255-i])
		}
		text := make([]byte, 8)
		for i := range text {
			text[i] = byte(r.IntN(256))
		}
		require.Equal(t, slices.IndexFunc(text, func(b byte) bool { return !inA[b] }), Outside(&a, text))
	}
}

func TestVarintEnd(t *testing.T) {
	for form, want := range map[string]int{"": -1, "\x07": 1, "\x7f\xff": 1, "\x80": -1, "\x81\x00": 2, "\xff": -1, "\xff12345678": 9} {
		assert.Equal(t, want, VarintEnd([]byte(form), 0), "%q", form)
	}
}
