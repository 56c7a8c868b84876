package bound

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Sort of a List, SortedTexts and SortedNumbers give what comparing gives, of few and of many,
// of what begins alike for longer than a word, is short, empty, or there twice.
func TestSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for range 400 {
		begin := strings.Repeat("\xff", r.IntN(3)) + strings.Repeat("begins", r.IntN(4))
		letters := 1 + r.IntN(256)
		texts := make([]string, r.IntN(4*fewSorted))
		for i := range texts {
			b := []byte(begin)
			for range r.IntN(20) {
				b = append(b, byte(r.IntN(letters)))
			}
			texts[i] = string(b)
		}
		if r.IntN(4) == 0 {
			slices.Sort(texts)
		}
		ranges := make([]Range, len(texts))
		numbers := make([]uint64, len(texts))
		for i, text := range texts {
			ranges[i] = Range{Start: []byte(text), Stop: []byte{byte(i)}, State: Bounded}
			numbers[i] = forms.Be8(text) >> (8 * r.IntN(8))
		}
		want := slices.Sorted(slices.Values(texts))
		require.Equal(t, want, SortedTexts(slices.Clone(texts), func(s *string) string { return *s }))
		starts := make([]string, 0, len(texts))
		var list List
		for _, r := range ranges {
			list.Add(r)
		}
		list.Sort()
		for _, r := range list.All() {
			starts = append(starts, string(r.Start))
			assert.True(t, slices.ContainsFunc(ranges, func(o Range) bool { return bytes.Equal(o.Start, r.Start) && bytes.Equal(o.Stop, r.Stop) }))
		}
		require.Equal(t, want, starts)
		ascending := SortedNumbers(slices.Clone(numbers), func(u uint64) uint64 { return u })
		slices.SortFunc(numbers, cmp.Compare[uint64])
		require.Equal(t, numbers, ascending)
	}
}

// SortedNumbers keeps what has one number in its order, and leaves out nothing.
func TestSortedNumbersKeepOrder(t *testing.T) {
	places := make([]place, 10*fewSorted)
	for i := range places {
		places[i] = place{uint64(i*7919%16) << 56, i}
	}
	places = SortedNumbers(places, func(p place) uint64 { return p.word })
	for i := range places[1:] {
		a, b := places[i], places[i+1]
		require.True(t, a.word < b.word || a.word == b.word && a.at < b.at)
	}
}

// Of many keys with the same eight bytes only the second one differs early: what all share
// is what it shares.
func TestSortedSecondDiffers(t *testing.T) {
	texts := []string{"before", "sameword" + "begins 0", "sameword" + "x"}
	for i := range 2 * fewSorted {
		texts = append(texts, "sameword"+"begins "+string(rune('0'+i%70)))
	}
	require.Equal(t, slices.Sorted(slices.Values(texts)), SortedTexts(slices.Clone(texts), func(s *string) string { return *s }))
}

// Sorting writes nothing behind the values: what stands there are others' values, such as the next group of keys.
func TestSortedNumbersStays(t *testing.T) {
	all := make([]uint64, 600)
	for i := range all {
		all[i] = uint64(len(all) - i)
	}
	behind := slices.Clone(all[300:])
	got := SortedNumbers(all[:300], func(n uint64) uint64 { return n })
	assert.True(t, slices.IsSorted(got))
	assert.Equal(t, behind, all[300:])
}
