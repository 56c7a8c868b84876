package split

import (
	"bytes"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hbase-rowkey/rowkey/internal/seed"
)

// A sample gives the keys that were added, in order, whatever their lengths.
func TestSample(t *testing.T) {
	r := seed.Rand(t)
	var s Sample
	var want [][]byte
	for range 3000 {
		n := r.IntN(40)
		switch r.IntN(100) {
		case 0:
			n = 32767
		case 1:
			n = 0
		}
		key := make([]byte, n)
		for i := range key {
			key[i] = byte(r.IntN(3))
		}
		s.Add(key)
		want = append(want, slices.Clone(key))
		clear(key) // the caller's again
	}
	s.Sort()
	slices.SortFunc(want, bytes.Compare)
	assert.Equal(t, len(want), s.Len())
	for i := range want {
		assert.Equal(t, want[i], s.Key(i))
	}
}

// A key of 22 bytes takes 24 of them and, for the order, 8 more.
func TestSampleMemory(t *testing.T) {
	const n = 100_000
	key := make([]byte, 22)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var s Sample
	for range n {
		s.Add(key)
	}
	s.Sort()
	runtime.ReadMemStats(&after)
	assert.Less(t, (after.TotalAlloc-before.TotalAlloc)/n, uint64(36))
	assert.Equal(t, n, s.Len())
}
