package laws

import (
	"bytes"
	"slices"
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Plan.Compare is the order in which Merge gives keys, for every random schema and query.
func TestLawCompareIsMergesOrder(t *testing.T) {
	s := rowkey.MustParse("s", "[salt4(a)][slot:1 below(3) bucket][a:1]['_'][b:1]")
	var keys [][]byte
	for a := range 4 {
		for b := range 3 {
			for slot := range 3 {
				key, err := s.AppendKey(nil, slot, a, b)
				require.NoError(t, err)
				keys = append(keys, key)
			}
		}
	}
	for _, conds := range [][]rowkey.Cond{
		{rowkey.FullScan()},
		{rowkey.Eq("a", 1)},
		{rowkey.Eq("slot", 1), rowkey.FullScan()},
		{rowkey.FullScan(), rowkey.MaxRanges(2)}, // joined: the order of whole keys
	} {
		p, err := s.Scan(conds...)
		require.NoError(t, err)
		for _, p := range []*rowkey.Plan{p, p.Reversed()} {
			got, err := collect(t, t.Context(), p, 1, &mergeTable{rows: sortRows(slices.Clone(keys))})
			require.NoError(t, err)
			require.NotEmpty(t, got)
			assert.True(t, slices.IsSortedFunc(got, p.Compare))
			assert.Zero(t, p.Compare(got[0], got[0]))
			assert.Negative(t, p.Compare(got[0], got[1]))
			assert.Positive(t, p.Compare(got[1], got[0]))
		}
	}
}

// What decides the order, and what does not.
func TestOrderedBy(t *testing.T) {
	for _, c := range []struct {
		notation string
		conds    []rowkey.Cond
		want     []string
	}{
		{"[salt16(seller)][seller]['_'][at:8]", []rowkey.Cond{rowkey.FullScan()}, []string{"seller", "at"}},
		{"[salt16(seller)][seller]['_'][at:8]", []rowkey.Cond{rowkey.Eq("seller", "s")}, []string{"at"}},
		{"[salt16(seller)][seller]['_'][at:8]", []rowkey.Cond{rowkey.Eq("seller", "s"), rowkey.Eq("at", 7)}, nil},
		{"[salt16(seller)][seller]['_'][at:8]", []rowkey.Cond{rowkey.In("seller", "s", "t")}, []string{"seller", "at"}},
		{"[slot:1 below(3) bucket][seller]['_'][at:8]", []rowkey.Cond{rowkey.FullScan()}, []string{"seller", "at", "slot"}},
		{"[slot:1 below(3) bucket][seller]['_'][at:8]", []rowkey.Cond{rowkey.Eq("slot", 1), rowkey.FullScan()}, []string{"seller", "at"}},
		{"[seller]['_'][salt4(at)][at:8]", []rowkey.Cond{rowkey.FullScan()}, []string{"seller", "salt", "at"}},
		{"[seller]['_'][salt4(at)][at:8]", []rowkey.Cond{rowkey.Eq("at", 1), rowkey.FullScan()}, []string{"seller"}},
		{"[salt16(a)][a:2]", []rowkey.Cond{rowkey.FullScan(), rowkey.MaxRanges(2)}, []string{"salt", "a"}},
	} {
		s := rowkey.MustParse("s", c.notation)
		p, err := s.Scan(c.conds...)
		require.NoError(t, err)
		var got []string
		for f := range p.OrderedBy() {
			got = append(got, f.Name)
		}
		assert.Equal(t, c.want, got, "%s", p)
		for range p.OrderedBy() {
			break
		}
	}
}

// A key with another bucket count's salt is refused by Rekey, and brought to this
// schema's bucket by RekeyLoose.
func TestRekeyLoose(t *testing.T) {
	old := rowkey.MustParse("old", "[salt16(seller)][seller]")
	wide := rowkey.MustParse("wide", "[salt64(seller)][seller]")
	moved := 0
	for _, seller := range []string{"a", "b", "s-42", "seller", "x"} {
		key, err := old.AppendKey(nil, seller)
		require.NoError(t, err)
		want, err := wide.AppendKey(nil, seller)
		require.NoError(t, err)
		got, err := wide.RekeyLoose([]byte("mine"), key, wide)
		require.NoError(t, err)
		assert.Equal(t, want, got[4:])
		if _, err = wide.Rekey(nil, key, wide); !bytes.Equal(key, want) {
			moved++
			assert.ErrorIs(t, err, rowkey.ErrDerived)
		}
	}
	assert.Positive(t, moved)
	got, err := wide.RekeyLoose([]byte("mine"), nil, wide)
	assert.ErrorIs(t, err, rowkey.ErrLength)
	assert.Equal(t, "mine", string(got))
}

// The key that a token holds, and no other.
func TestTokenPlace(t *testing.T) {
	s := rowkey.MustParse("s", "[salt16(seller)][seller]")
	p, err := s.Scan(rowkey.FullScan())
	require.NoError(t, err)
	key, err := s.AppendKey(nil, "s-42")
	require.NoError(t, err)
	token := p.Token(key)
	at, err := p.Place(token)
	require.NoError(t, err)
	assert.Equal(t, key, at)
	for _, bad := range [][]byte{nil, token[:len(token)-1], append(slices.Clone(token), 0)} {
		_, err = p.Place(bad)
		assert.ErrorIs(t, err, rowkey.ErrMalformed)
	}
}
