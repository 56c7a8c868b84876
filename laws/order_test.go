package laws

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Plan.Compare is the order in which Merge gives keys, for every random schema and query.
func TestLawCompareIsMergesOrder(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("s", "[salt4(a)][slot:1 below(3) bucket][a:1]['_'][b:1]"))
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
		{"[salt4(rest())][slot:1 below(4) bucket][x:1]", []rowkey.Cond{rowkey.FullScan()}, []string{"x", "salt", "slot"}},
		{"[salt4(slot)][slot:1 below(4) bucket][x:1]", []rowkey.Cond{rowkey.FullScan()}, []string{"x", "salt", "slot"}},
		{"[salt4(slot)][slot:1 below(4) bucket][x:1]", []rowkey.Cond{rowkey.Eq("slot", 1), rowkey.FullScan()}, []string{"x"}},
		{"[salt4(x)][slot:1 below(4) bucket][x:1]", []rowkey.Cond{rowkey.FullScan()}, []string{"x", "slot"}},
		{"[slot:1 below(4) bucket][salt4(slot)][x:1]", []rowkey.Cond{rowkey.FullScan()}, []string{"x", "slot"}},
		{"[salt16(a)][a:2]", []rowkey.Cond{rowkey.FullScan(), rowkey.MaxRanges(2)}, []string{"salt", "a"}},
	} {
		s := rowkey.Must(rowkey.Parse("s", c.notation))
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

// The first component of OrderedBy in which two rows differ decides which comes first, for
// every random schema and query: its stored bytes, where they have one width, sort as
// Compare does.
func TestLawOrderedBy(t *testing.T) {
	law(t, 200, func(c *lawCase) {
		if c.index%2 == 0 { // slots, and salts of them in front
			c.s, c.built = nil, nil
			for c.built == nil {
				c.s = slotSchema(c.r)
				c.built, _ = c.s.build()
			}
		}
		if c.s.has("Loose") {
			return
		}
		p := &planCase{lawCase: c, fields: c.s.supplied()}
		for range 20 {
			row := genRow(c.r, c.s)
			if key, err := c.supply(c.built.Key(), row).Bytes(); err == nil {
				k := c.s.encode(row)
				p.rows = append(p.rows, p.newRow(k.kept, key))
			}
		}
		if len(p.rows) < 2 {
			return
		}
		for range 6 {
			p.q = p.query()
			plan, err := p.scan()
			if err != nil {
				continue
			}
			by := slices.Collect(plan.OrderedBy())
			var found []rowkey.Row
			var keys [][]byte
			for _, x := range p.rows {
				if row, err := c.built.Decode(x.key); err == nil && plan.Match(x.key) {
					found, keys = append(found, row), append(keys, x.key)
				}
			}
			for i := range found {
				for j := range i {
					c.orderOf(plan, by, found[i], found[j], keys[i], keys[j])
				}
			}
		}
	}, "pairs of rows by a field", "pairs of rows by a salt", "pairs of rows by a slot")
}

func (c *lawCase) orderOf(plan *rowkey.Plan, by []rowkey.FieldInfo, a, b rowkey.Row, keyA, keyB []byte) {
	for _, f := range by {
		x, y := a.Stored(f.Name), b.Stored(f.Name)
		if f.Name == "" || bytes.Equal(x, y) {
			continue
		}
		if f.Size == 0 || f.Optional {
			return
		}
		if bytes.Compare(x, y) != plan.Compare(keyA, keyB) {
			c.fail("%x and %x differ first in %s, and Compare says %d\n%s", keyA, keyB, f.Name, plan.Compare(keyA, keyB), plan)
		}
		switch {
		case f.Derived:
			c.one("pairs of rows by a salt")
		case f.Slot:
			c.one("pairs of rows by a slot")
		default:
			c.one("pairs of rows by a field")
		}
		return
	}
	if !bytes.Equal(keyA, keyB) {
		c.fail("%x and %x differ in nothing of OrderedBy\n%s", keyA, keyB, plan)
	}
}

// slotSchema is a layout with slots and salts in front.
func slotSchema(r *rand.Rand) *refSchema {
	s := &refSchema{name: "slots"}
	names := []string{"slot", "x", "y"}
	small := []refOpt{{word: "Below", n: 3}}
	for i := range r.IntN(3) {
		in := genPick(r, refInput{word: "Rest"}, refInput{fields: []string{genPick(r, names...)}}, refInput{word: "Values", fields: []string{"slot", genPick(r, names...)}})
		s.comps = append(s.comps, refComp{word: "Salt", buckets: 2 + r.IntN(3), in: in, opts: []refOpt{{word: "Named", text: fmt.Sprintf("salt%d", i)}}})
	}
	slot := refComp{word: "Uint", name: "slot", size: 1, opts: append([]refOpt{{word: "Bucket"}}, small...)}
	s.comps = slices.Insert(s.comps, r.IntN(len(s.comps)+1), slot)
	for _, name := range names[1:] {
		c := refComp{word: "Uint", name: name, size: 1, opts: small}
		if genOdds(r, 3) {
			c.opts = append(slices.Clone(small), refOpt{word: "Desc"})
		}
		s.comps = append(s.comps, c)
	}
	return s
}

// A key with another bucket count's salt is refused by Rekey, and brought to this
// schema's bucket by RekeyLoose.
func TestRekeyLoose(t *testing.T) {
	old := rowkey.Must(rowkey.Parse("old", "[salt16(seller)][seller]"))
	wide := rowkey.Must(rowkey.Parse("wide", "[salt64(seller)][seller]"))
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
	s := rowkey.Must(rowkey.Parse("s", "[salt16(seller)][seller]"))
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
		assert.ErrorIs(t, err, rowkey.ErrToken)
	}
}

// Of two values that cannot be written, Rekey tells of the same as AppendKey: of the earlier field,
// though a copy of the later one stands before both.
func TestRekeyTellsOfTheEarlierField(t *testing.T) {
	from := rowkey.Must(rowkey.Parse("from", `[a]['\x00'][b]`))
	for _, c := range []struct{ to, fields string }{
		{"[x=b fixed(2)][a fixed(1)][b]", "ab"},
		{"[x=a fixed(2)][b fixed(1)][a]", "ba"},
		{"[x=b fixed(2)][a fixed(1)][b notstored]", "ab"},
	} {
		s := rowkey.Must(rowkey.Parse("to", c.to))
		for _, row := range []map[string]string{{"a": "aaa", "b": "b"}, {"a": "a", "b": "bbb"}, {"a": "a", "b": "b"}, {"a": "", "b": ""}, {"a": "aa", "b": "bbb"}} {
			key, err := from.AppendKey(nil, row["a"], row["b"])
			require.NoError(t, err)
			values := []any{row[c.fields[:1]], row[c.fields[1:]]}
			_, want := s.AppendKey(nil, values...)
			require.Error(t, want)
			got, err := s.Rekey([]byte("mine"), key, from)
			assert.Equal(t, want, err, "%s of %v", c.to, row)
			assert.Equal(t, "mine", string(got))
		}
	}
}
