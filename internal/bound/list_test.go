package bound

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// A List gives back what it was given, whether its ranges have equal lengths or not; its
// parts, its order and its copies are those of a slice of ranges.
func TestList(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	shared := 0
	for range 2000 {
		even := r.IntN(2) == 0
		letters := 1 + r.IntN(3)
		start, stop := 1+r.IntN(4), 1+r.IntN(4)
		random := func() Range {
			if !even {
				start, stop = 1+r.IntN(4), 1+r.IntN(4)
			}
			made := Range{Start: make([]byte, start), Stop: make([]byte, stop), State: Bounded}
			for _, b := range [][]byte{made.Start, made.Stop} {
				for i := range b {
					b[i] = byte(r.IntN(letters))
				}
			}
			if !even && r.IntN(4) == 0 {
				made.Stop, made.State = []byte{}, Unbounded
			}
			return made
		}
		l := NewList(r.IntN(40))
		var want []Range
		for range r.IntN(8) {
			want = append(want, random())
			l.Add(want[len(want)-1])
		}
		requireRanges(t, want, &l)
		from := r.IntN(len(want) + 1)
		to := from + r.IntN(len(want)-from+1)
		part := l.Part(from, to)
		requireRanges(t, want[from:to], &part)
		apart := slices.IsSortedFunc(want, func(a, b Range) int {
			if b.State == Unbounded || bytes.Compare(b.Stop, a.Start) >= 0 { // b is the one in front
				return -1
			}
			return 0
		})
		require.Equal(t, apart, l.Apart(), "%v", want)

		off := r.IntN(2)
		n := 1 + r.IntN(3)
		share := !slices.ContainsFunc(want, func(r Range) bool {
			return len(r.Start) < off+n || len(r.Stop) < off+n || !bytes.Equal(r.Start[:off+n], r.Stop[:off+n])
		})
		require.Equal(t, share, l.Share(off+n), "%v", want)
		if share && len(want) > 0 {
			shared++
			forms := make([][]byte, r.IntN(4))
			for i := range forms {
				forms[i] = []byte("abcdef")[i : i+n]
			}
			l.Spread(off, forms)
			first := slices.Clone(want)
			for _, form := range forms {
				for _, r := range first {
					r.Start, r.Stop = slices.Clone(r.Start), slices.Clone(r.Stop)
					copy(r.Start[off:], form)
					copy(r.Stop[off:], form)
					want = append(want, r)
				}
			}
			requireRanges(t, want, &l)
		}
		for range r.IntN(3) {
			want = append(want, random())
			l.Add(want[len(want)-1])
		}
		requireRanges(t, want, &l)

		l.Sort()
		slices.SortStableFunc(want, func(a, b Range) int { return bytes.Compare(a.Start, b.Start) })
		require.Equal(t, len(want), l.Len())
		for i := range want {
			require.Equal(t, want[i].Start, l.Start(i))
		}
	}
	require.Greater(t, shared, 50)
}

// requireRanges holds a list against ranges. Its bytes cannot be appended to over others.
func requireRanges(t *testing.T, want []Range, l *List) {
	require.Equal(t, len(want), l.Len())
	for i, r := range l.All() {
		require.Equal(t, want[i], r)
		require.Equal(t, want[i].Start, l.Start(i))
		require.Equal(t, len(r.Start)+len(r.Stop), cap(r.Start)+cap(r.Stop))
	}
}

// A range of all keys that begin so is the one that Append gives, in a list with room for it and in one
// without; a beginning that is longer than a key has none, or the range after its first bytes.
func TestListBegun(t *testing.T) {
	longest := bytes.Repeat([]byte{'a'}, forms.MaxKey)
	for _, begins := range [][]string{
		{"", "a"}, {"a", "b\xff"}, {"\xff", "\xff\xff"}, {"ab", "\xff", "b"}, {"abcdefgh", "abcdefgi"},
		{string(longest), "b"}, {string(longest) + "b", "b"}, {"b", strings.Repeat("\xff", forms.MaxKey+1)},
	} {
		want := NewList(0)
		for _, p := range begins {
			r, _ := Append(nil, []byte(p), false)
			want.Add(r)
		}
		var room [32]byte
		for _, l := range []List{{}, NewList(0), NewList(100), ListIn(room[:0])} {
			for _, p := range begins {
				l.AddBegun([]byte(p))
			}
			require.Equal(t, want.Len(), l.Len(), "%.20q", begins)
			for i, r := range want.All() {
				require.Equal(t, r, l.At(i), "%.20q", begins)
			}
		}
	}
	var room [4]byte
	short, long := ListIn(room[:0]), ListIn(room[:0])
	short.AddBegun([]byte("ab"))
	require.Equal(t, "abac", string(room[:]), "a range that fits lies in the room")
	long.AddBegun([]byte("xyz"))
	require.Equal(t, "abac", string(room[:]), "one that does not fit leaves it alone")
}
