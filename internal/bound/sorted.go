package bound

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// Sorted is the ranges in the order of their starts: the same slice if they are in
// order, else a new one.
func Sorted(ranges []Range) []Range {
	return sorted(ranges, func(r *Range) []byte { return r.Start }, bytes.Compare)
}

// SortedTexts is Sorted of what has a text.
func SortedTexts[T any](all []T, text func(*T) string) []T {
	return sorted(all, text, strings.Compare)
}

// fewSorted is below how many they are compared: the tables of SortedNumbers pay for
// more alone.
const fewSorted = 128

// sorted orders by a key. The keys of a plan mostly begin alike, and what has them is
// large, so what is sorted is eight bytes of each key as a number, those behind what
// all keys begin with, beside the place of what has it; each is then moved once.
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
	places := make([]place, len(all))
	for i := range all {
		places[i] = place{layout.Be8(key(&all[i])[begin:]), i}
	}
	places = SortedNumbers(places, func(p place) uint64 { return p.word })
	for i := 0; i < len(places); { // those whose words are equal
		end := i + 1
		for end < len(places) && places[end].word == places[i].word {
			end++
		}
		if end > i+1 {
			slices.SortFunc(places[i:end], func(a, b place) int { return compare(key(&all[a.at]), key(&all[b.at])) })
		}
		i = end
	}
	out := make([]T, len(all))
	for i, p := range places {
		out[i] = all[p.at]
	}
	return out
}

// SortedNumbers is Sorted of what has a number. Many are sorted byte by byte from the
// number's last on, which takes far less time than to compare them.
func SortedNumbers[T any](all []T, number func(T) uint64) []T {
	if byNumber := func(a, b T) int { return cmp.Compare(number(a), number(b)) }; len(all) < fewSorted || slices.IsSortedFunc(all, byNumber) {
		slices.SortFunc(all, byNumber)
		return all
	}
	from, to := all, make([]T, len(all))
	for shift := 0; shift < 64; shift += 8 {
		var next [256]int // by byte: how many have it, then where the next of them goes
		for i := range from {
			next[byte(number(from[i])>>shift)]++
		}
		if next[byte(number(from[0])>>shift)] == len(from) {
			continue // all have the same
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

// place is where something stands that has a word.
type place struct {
	word uint64
	at   int
}

// Alike is how many bytes, at most n, two keys begin with alike: of 61 62 and 61 63 it is 1.
func Alike[K string | []byte](a, b K, n int) int {
	n = min(n, len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
