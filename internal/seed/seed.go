// Package seed gives tests their random numbers. A run repeats what the last one did, so
// that a red test is red again, unless the environment asks for another seed:
//
//	ROWKEY_SEED=42       this seed
//	ROWKEY_SEED=42:1234  this seed, and of a law its schema 1234 alone
//	ROWKEY_SEED=random   a fresh seed, which is logged
//
// .ci/run takes the seed from the commit, so that each commit tries cases of its own.
package seed

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
)

// T is what the package needs of a *testing.T.
type T interface {
	Helper()
	Logf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// usual is the seed where the environment names none.
const usual = 1

// Of is the seed of a run. It is logged.
func Of(t T) uint64 {
	t.Helper()
	n, _ := Case(t)
	return n
}

// Case is the seed of a run, and the one case of it to run, or −1 for all of them.
func Case(t T) (n uint64, only int) {
	t.Helper()
	env := os.Getenv("ROWKEY_SEED")
	head, tail, one := strings.Cut(env, ":")
	n, only = usual, -1
	var err error
	switch {
	case env == "random":
		n = uint64(rand.Uint32())
	case env != "":
		n, err = strconv.ParseUint(head, 10, 64)
		if err == nil && one {
			only, err = strconv.Atoi(tail)
		}
	}
	if err != nil {
		t.Fatalf("ROWKEY_SEED=%s: want a number, number:number, or random", env)
	}
	t.Logf("ROWKEY_SEED=%d", n)
	return n, only
}

// Rand draws from the seed of a run.
func Rand(t T) *rand.Rand {
	t.Helper()
	return rand.New(rand.NewPCG(Of(t), 0))
}

// Cases is how many cases a test tries: ROWKEY_LAWS, or usual where that is not set.
func Cases(t T, usual int) int {
	t.Helper()
	env := os.Getenv("ROWKEY_LAWS")
	if env == "" {
		return usual
	}
	n, err := strconv.Atoi(env)
	if err != nil || n <= 0 {
		t.Fatalf("ROWKEY_LAWS=%s: want a number above 0", env)
	}
	return n
}
