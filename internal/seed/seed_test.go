package seed

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// recorder is a test that fails without ending.
type recorder struct{ fatal, logged string }

func (r *recorder) Helper()                           {}
func (r *recorder) Logf(format string, args ...any)   { r.logged = fmt.Sprintf(format, args...) }
func (r *recorder) Fatalf(format string, args ...any) { r.fatal = fmt.Sprintf(format, args...) }

func TestCase(t *testing.T) {
	for _, test := range []struct {
		env  string
		n    uint64
		only int
	}{{"", 1, -1}, {"42", 42, -1}, {"42:1234", 42, 1234}, {"18446744073709551615", 1<<64 - 1, -1}} {
		t.Setenv("ROWKEY_SEED", test.env)
		r := new(recorder)
		n, only := Case(r)
		assert.Equal(t, test.n, n, test.env)
		assert.Equal(t, test.only, only, test.env)
		assert.Equal(t, fmt.Sprintf("ROWKEY_SEED=%d", test.n), r.logged)
		assert.Empty(t, r.fatal)
	}
	for _, env := range []string{"x", "42:", "-1", "42:x", "Random"} {
		t.Setenv("ROWKEY_SEED", env)
		r := new(recorder)
		Case(r)
		assert.Contains(t, r.fatal, "ROWKEY_SEED="+env+": want a number")
	}
}

func TestRandom(t *testing.T) {
	t.Setenv("ROWKEY_SEED", "random")
	seen := map[uint64]bool{}
	for range 8 {
		seen[Of(new(recorder))] = true
	}
	assert.Greater(t, len(seen), 1)
}

// The usual run repeats itself.
func TestRandRepeats(t *testing.T) {
	t.Setenv("ROWKEY_SEED", "")
	assert.Equal(t, Rand(t).Uint64(), Rand(t).Uint64())
}
