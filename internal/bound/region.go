package bound

import (
	"bytes"
	"slices"
)

// KeysOf is the keys of region n.
func KeysOf(k [][]byte, n int) Range {
	r := Range{State: Unbounded}
	if n > 0 {
		r.Start = k[n-1]
	}
	if n < len(k) {
		r.Stop, r.State = k[n], Bounded
	}
	return r
}

// Cuts is the boundaries in order, each of them once, without the empty one.
func Cuts(boundaries [][]byte) [][]byte {
	cuts := slices.DeleteFunc(slices.Clone(boundaries), func(b []byte) bool { return len(b) == 0 })
	slices.SortFunc(cuts, bytes.Compare)
	return slices.CompactFunc(cuts, bytes.Equal)
}

// RegionOf is the region that a key falls in, of a table with such splits.
func RegionOf(k [][]byte, key []byte) int {
	n, found := slices.BinarySearchFunc(k, key, bytes.Compare)
	if found {
		n++
	}
	return n
}
