package bound

import (
	"cmp"
	"slices"
	"strings"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// SortedTexts sorts values by a text of each. It gives the same slice if they are in order, else
// a new one.
func SortedTexts[T any](all []T, text func(*T) string) []T {
	return sorted(all, text, strings.Compare)
}

// fewSorted is from how many numbers on SortedNumbers sorts byte by byte. Fewer are compared,
// which is faster for them.
const fewSorted = 128

// fewSame is up to how many keys with the same eight bytes are compared as a whole.
const fewSame = 16

// sorted sorts values by a key of each. The keys of a plan mostly share a long beginning, and
// the values are large. So it sorts pairs: the eight bytes after the shared beginning, as a
// number, and the index of the value. Then it moves each value once.
func sorted[T any, K string | []byte](all []T, key func(*T) K, compare func(a, b K) int) []T {
	if len(all) < 2 {
		return all
	}
	first, inOrder := key(&all[0]), true
	begin, before := len(first), first
	for i := range all[1:] {
		k := key(&all[1+i])
		inOrder = inOrder && compare(before, k) <= 0
		begin, before = Alike(first, k, begin), k
	}
	if inOrder {
		return all
	}
	o := order[T, K]{all, key, compare}
	places := make([]place, len(all))
	for i := range places {
		places[i].at = i
	}
	places = o.sort(places, begin)
	out := make([]T, len(all))
	for i, p := range places {
		out[i] = all[p.at]
	}
	return out
}

// order is values, the key of each, and how keys compare.
type order[T any, K string | []byte] struct {
	all     []T
	key     func(*T) K
	compare func(a, b K) int
}

// sort sorts places by the keys of their values. These keys share their first begin bytes. It
// sorts by the eight bytes after them; then, among keys with the same eight bytes, by the rest.
func (o *order[T, K]) sort(places []place, begin int) []place {
	for i := range places {
		places[i].word = forms.Be8(o.key(&o.all[places[i].at])[begin:])
	}
	places = SortedNumbers(places, func(p place) uint64 { return p.word })
	for i := 0; i < len(places); {
		end := i + 1
		for end < len(places) && places[end].word == places[i].word {
			end++
		}
		if same := places[i:end]; len(same) > 1 {
			o.sortSame(same, begin+8)
		}
		i = end
	}
	return places
}

// sortSame sorts places whose keys have the same eight bytes before byte begin; a shorter key
// counts as if it had zeros there. Few keys are compared as a whole, and so are keys of which
// one ends before begin.
func (o *order[T, K]) sortSame(places []place, begin int) {
	alike := 0
	if len(places) > fewSame {
		first := o.key(&o.all[places[0].at])
		alike = len(first)
		for _, p := range places[1:] {
			alike = Alike(first, o.key(&o.all[p.at]), alike)
		}
	}
	if alike < begin {
		slices.SortFunc(places, func(a, b place) int { return o.compare(o.key(&o.all[a.at]), o.key(&o.all[b.at])) })
		return
	}
	copy(places, o.sort(places, alike))
}

// SortedNumbers sorts values by a number of each. Many are sorted byte by byte, the number's
// last byte first, which takes less time than to compare them.
func SortedNumbers[T any](all []T, number func(T) uint64) []T {
	if byNumber := func(a, b T) int { return cmp.Compare(number(a), number(b)) }; len(all) < fewSorted || slices.IsSortedFunc(all, byNumber) {
		slices.SortFunc(all, byNumber)
		return all
	}
	from, to := all, make([]T, len(all))
	one, differ := number(all[0]), uint64(0)
	for i := range all {
		differ |= number(all[i]) ^ one
	}
	for shift := 0; shift < 64; shift += 8 {
		if byte(differ>>shift) == 0 {
			continue // all numbers have the same byte here
		}
		var next [256]int // by byte: how many have it, then where the next of them goes
		for i := range from {
			next[byte(number(from[i])>>shift)]++
		}
		at := 0
		for i, n := range next {
			next[i], at = at, at+n
		}
		for i := range from {
			n := &next[byte(number(from[i])>>shift)]
			to[*n] = from[i]
			*n++
		}
		from, to = to, from
	}
	return from
}

// place is the index of a value, and eight bytes of its key as a number.
type place struct {
	word uint64
	at   int
}

// Alike is how many bytes at the beginning two keys share, at most n: 61 62 and 61 63 share 1.
func Alike[K string | []byte](a, b K, n int) int {
	n = min(n, len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
