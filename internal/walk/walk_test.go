package walk_test

import (
	"encoding/hex"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/seam"
	"github.com/hbase-rowkey/rowkey/internal/walk"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each kind of op: a key that it reads, with the places of the components, and keys with a fault,
// which it leaves to package layout.
func TestDecode(t *testing.T) {
	for _, c := range []struct {
		notation, key string
		places        []uint16
		wrong         []string
	}{
		{"[a:2]['_'][b:i1]", "00075f81", []uint16{0, 2, 3, 4}, []string{"", "0007", "00076081", "00075f", "00075f8100"}},
		{"[a:8 below(9)]", "0000000000000008", []uint16{0, 8}, []string{"0000000000000009", "ff00000000000008"}},
		{"[a:bool]", "01", []uint16{0, 1}, []string{"02", "0100"}},
		{"[a:f8]", "bff8000000000000", []uint16{0, 8}, []string{"7fffffffffffffff", "ffffffffffffffff"}},
		{"[a:4 digits(3)][b:4 hexdigits(2)]", "3030376131", []uint16{0, 3, 5}, []string{"3030376141", "3030613031"}},
		{"[a:4 decimal]['-'][b:1]", "34322d07", []uint16{0, 2, 3, 4}, []string{"3034322d07", "2d07", "343207"}},
		{"[a:4 varint][b:1]", "c0400007", []uint16{0, 3, 4}, []string{"c04000", "800007"}},
		{"[s(a) truncate(1h)]", "0000000000000e10", []uint16{0, 8}, []string{"0000000000000e11"}},
		{"[a]['_'][b:1]", "61625f07", []uint16{0, 2, 3, 4}, []string{"616207", "61625f"}},
		{"[a minlen(2)]['__'][b:1]", "61625f5f07", []uint16{0, 2, 4, 5}, []string{"615f5f07", "61625f07"}},
		{"[a fixed(2)][b]", "616263", []uint16{0, 2, 3}, []string{"61"}},
		{"[a pad(3,' ')][b padleft(3,'0')]", "612020303037", []uint16{0, 3, 6}, []string{"6120203030"}},
		{"[a escaped][b:1]", "61000107", []uint16{0, 3, 4}, []string{"61000207", "610007"}},
		{"[a escaped][b:1]", "6100ff62000107", []uint16{0, 6, 7}, []string{"6100ff6207"}},
		{"[a lenprefix(1)][b:1]", "02616207", []uint16{0, 3, 4}, []string{"036162", ""}},
		{`[a oneof("new","paid")]['_'][b:1]`, "706169645f07", []uint16{0, 4, 5, 6}, []string{"7061695f07", "6e65775f"}},
		{`[a codes("taobao":"tb","tmall":"tm")][b:1]`, "746d07", []uint16{0, 2, 3}, []string{"746e07", "74"}},
		{"[a reverse]['_'][b:1]", "62615f07", []uint16{0, 2, 3, 4}, []string{"626107"}},
		{"[a uuid]", "6ba7b8109dad11d180b400c04fd430c8", []uint16{0, 16}, []string{"6ba7b8109dad11d180b400c04fd430"}},
		{"[a optional phoenix][b optional phoenix]", "610062", []uint16{0, 2, 3}, []string{"6100"}},
		{"[salt16(a)][a]", "0f6162", []uint16{0, 1, 3}, []string{"0e6162", "0f"}},
		{"[salt16(a) digits(2)][a]", "31356162", []uint16{0, 2, 4}, []string{"31346162"}},
		{"[salt7(a) modulo][a:i2]", "038011", []uint16{0, 1, 3}, []string{"048011"}},
		{"[md5.hex(4)(a)][a]", "313837656162", []uint16{0, 4, 6}, []string{"313837666162"}},
		{"[tail=a right(1)]['_'][a]", "625f6162", []uint16{0, 1, 2, 4}, []string{"615f6162", "5f6162"}},
	} {
		s := rowkey.Must(rowkey.Parse("t", c.notation))
		w := walk.Compile(seam.Layout(s))
		require.NotNil(t, w, c.notation)
		at := make(layout.Spans, len(c.places))
		key, err := hex.DecodeString(c.key)
		require.NoError(t, err)
		if assert.True(t, w.Decode(key, at, true), "%s %s", c.notation, c.key) {
			assert.Equal(t, layout.Spans(c.places), at, "%s %s", c.notation, c.key)
		}
		for _, wrong := range c.wrong {
			key, err := hex.DecodeString(wrong)
			require.NoError(t, err)
			assert.False(t, w.Decode(key, at, true), "%s %s", c.notation, wrong)
		}
	}
}

// A wrong salt is passed over if it is not asked for, and its key is rekeyed.
func TestDecodeLoose(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "[salt16(a)][a]"))
	w, at := walk.Compile(seam.Layout(s)), make(layout.Spans, 3)
	assert.False(t, w.Decode([]byte("\x0eab"), at, true))
	assert.True(t, w.Decode([]byte("\x0eab"), at, false))
	_, ok := w.Rekey(nil, []byte("\x0eab"), w, true)
	assert.False(t, ok)
	key, ok := w.Rekey([]byte("#"), []byte("\x0eab"), w, false)
	assert.True(t, ok)
	assert.Equal(t, "#\x0fab", string(key))
}

// What package layout must do: Loose fields, more fields than few, and a schema that is no schema.
func TestLeftToLayout(t *testing.T) {
	assert.Nil(t, walk.Compile(seam.Layout(rowkey.Must(rowkey.Parse("t", "[a loose]['_'][b:1]")))))
	assert.Nil(t, walk.Compile(new(layout.Schema)))
	b := rowkey.New("t")
	for i := range 17 {
		b = b.Uint(string(rune('a'+i)), 1)
	}
	assert.Nil(t, walk.Compile(seam.Layout(b.MustBuild())))
	assert.False(t, (*walk.Layout)(nil).Decode([]byte("a"), nil, true))
	assert.Nil(t, (*walk.Layout)(nil).Tests(nil))
	_, ok := (*walk.Layout)(nil).Rekey(nil, []byte("a"), nil, true)
	assert.False(t, ok)
}

// Rekey writes into the memory of dst where there is room, and never where the key lies; what a
// field of the other schema cannot take is left to package layout.
func TestRekey(t *testing.T) {
	from := rowkey.Must(rowkey.Parse("from", "[a]['_'][s(at)][n:i8]"))
	to := rowkey.Must(rowkey.Parse("to", "[salt16(a)][max-ms(at)][n:8][a]"))
	wf, wt := walk.Compile(seam.Layout(from)), walk.Compile(seam.Layout(to))
	at := time.Unix(1700000000, 0)
	key := rowkey.Must(from.AppendKey(nil, "ab", at, 7))
	want := rowkey.Must(to.AppendKey(nil, at, 7, "ab"))
	for spare := range 80 {
		dst := make([]byte, 2, 2+spare)
		got, ok := wt.Rekey(dst, key, wf, true)
		require.True(t, ok, spare)
		assert.Equal(t, "\x00\x00"+string(want), string(got), spare)
	}
	_, ok := wt.Rekey(key[:0], key, wf, true)
	assert.False(t, ok, "dst is the key's memory")
	_, ok = wt.Rekey(nil, rowkey.Must(from.AppendKey(nil, "ab", at, -7)), wf, true)
	assert.False(t, ok, "a negative number is no Uint")
	lacks := rowkey.Must(rowkey.Parse("to", "[a]['_'][other:8]"))
	_, ok = walk.Compile(seam.Layout(lacks)).Rekey(nil, key, wf, true)
	assert.False(t, ok, "a field that from lacks")
}
