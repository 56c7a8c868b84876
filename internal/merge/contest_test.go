package merge

import (
	"bytes"
	"slices"
	"testing"
)

// TestContestCodes: codes say what comparing the keys says. All keys of two
// letters around the ends of blocks, each pair against each that comes before.
func TestContestCodes(t *testing.T) {
	var keys [][]byte
	for n := range 14 {
		for _, fill := range []byte{0, 0xff} {
			key := bytes.Repeat([]byte{fill}, n)
			keys = append(keys, key)
			for i := range key {
				other := slices.Clone(key)
				other[i] = ^fill
				keys = append(keys, other)
			}
		}
	}
	slices.SortFunc(keys, bytes.Compare)
	keys = slices.CompactFunc(keys, bytes.Equal)
	for _, reversed := range []bool{false, true} {
		if reversed {
			slices.Reverse(keys)
		}
		var c contest
		c.begin(2, reversed)
		for i, a := range keys {
			code := make([]uint64, len(keys))
			for j := i; j < len(keys); j++ {
				n := common(a, keys[j])
				code[j] = c.against(a, keys[j], n)
				if c.inOrder(a, keys[j], n) != (i < j) || c.inOrder(keys[j], a, n) {
					t.Fatalf("order of %x and %x, reversed %t", a, keys[j], reversed)
				}
				if code[j] <= foremost || code[j] >= gone {
					t.Fatalf("code %x of %x against %x", code[j], keys[j], a)
				}
			}
			for j := i; j < len(keys); j++ {
				for k := j; k < len(keys); k++ {
					if code[j] > code[k] {
						t.Fatalf("%x comes before %x, their codes against %x do not", keys[j], keys[k], a)
					}
					c.keys[0], c.keys[1] = keys[j], keys[k]
					won, lost := entry{code[j], 0}, entry{code[k], 1}
					if c.match(&lost, &won); j < k && won.stream != 0 || j == k && won.stream != int32(b2i(reversed)) {
						t.Fatalf("the winner of %x and %x against %x is number %d", keys[j], keys[k], a, won.stream)
					}
					if want := c.against(keys[j], keys[k], common(keys[j], keys[k])); lost.code != want {
						t.Fatalf("the code of %x against %x is %x, a match by their codes against %x leaves %x", keys[k], keys[j], want, a, lost.code)
					}
				}
			}
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestCommon: the same as byte by byte.
func TestCommon(t *testing.T) {
	for n := range 40 {
		for m := range 40 {
			a, b := make([]byte, n), make([]byte, m)
			if got := common(a, b); got != min(n, m) {
				t.Fatalf("common of %d and %d zeros is %d", n, m, got)
			}
			for i := range min(n, m) {
				a[i] = 1
				if got := common(a, b); got != i {
					t.Fatalf("common of %x and %x is %d", a, b, got)
				}
				a[i] = 0
			}
		}
	}
}
