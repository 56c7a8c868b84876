package form

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
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

func TestByteSet(t *testing.T) {
	for chars, want := range map[string][2]byte{"": {255, 0}, "m": {'m', 'm'}, "zam": {'a', 'z'}, "\x00\xff": {0, 255}} {
		s := BytesOf(chars)
		assert.Equal(t, want, [2]byte{s.Lowest(), s.Highest()}, "%q", chars)
	}
}

func TestVarintEnd(t *testing.T) {
	for form, want := range map[string]int{"": -1, "\x07": 1, "\x7f\xff": 1, "\x80": -1, "\x81\x00": 2, "\xff": -1, "\xff12345678": 9} {
		assert.Equal(t, want, VarintEnd([]byte(form), 0), "%q", form)
	}
}
