package walk_test

import (
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/inside"
	"github.com/hbase-rowkey/rowkey/internal/layout"
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
		{"phoenix [a optional desc][b:i1]", "9eff87", []uint16{0, 2, 3}, []string{"00ff00", "0000ff80", "ff87"}}, // 00 is a null
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
		w := walk.Compile(inside.Layout(s))
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
	w, at := walk.Compile(inside.Layout(s)), make(layout.Spans, 3)
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
	left := func(s *layout.Schema, key string) {
		w, at := walk.Compile(s), make(layout.Spans, len(s.Comps)+1)
		assert.False(t, w.Decode([]byte(key), at, true))
		assert.Nil(t, w.Tests(nil))
		_, ok := w.Rekey(nil, []byte(key), w, true)
		assert.False(t, ok)
		_, ok = w.Read([]byte(key), new(walk.Cells), nil)
		assert.False(t, ok)
	}
	left(inside.Layout(rowkey.Must(rowkey.Parse("t", "[a loose]['_'][b:1]"))), "a_b")
	left(new(layout.Schema), "a")
	b := rowkey.New("t")
	for i := range 17 {
		b = b.Uint(string(rune('a'+i)), 1)
	}
	left(inside.Layout(b.MustBuild()), "0123456789abcdefg")
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
	wf, wt := walk.Compile(inside.Layout(from)), walk.Compile(inside.Layout(to))
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
	_, ok = walk.Compile(inside.Layout(lacks)).Rekey(nil, key, wf, true)
	assert.False(t, ok, "a field that from lacks")
}

// How a Reader reads the first stored field: its lane, and the value and the place that its op gives
// for the same bytes.
func TestSteps(t *testing.T) {
	for _, c := range []struct {
		notation, key string
		lane          walk.Lane
		text          string
		num           uint64
		next          int // 0: the component must judge
	}{
		{"[a:8][b:1]", "000000000000000701", walk.LaneUint, "", 7, 8},
		{"[a:2][b:8]", "00070000000000000001", walk.LaneUint, "", 7, 2},
		{"[a:2]['_'][b:8]", "00075f0000000000000001", walk.LaneUint, "", 7, 3},
		{"[a:2]['_'][b:8]", "0007600000000000000001", walk.LaneUint, "", 0, 0},
		{"[a:2]['__'][b:8]", "00075f5f0000000000000001", walk.LaneUint, "", 7, 4},
		{"[a:2]['__'][b:8]", "00075f600000000000000001", walk.LaneUint, "", 0, 0},
		{"[salt4(a)][a:2]", "010007", walk.LaneUint, "", 7, 3},
		{"[salt4(a)][a:2]", "020007", walk.LaneUint, "", 0, 0},
		{"[salt4(a)][a:2]['_'][b:8]", "0100075f0000000000000001", walk.LaneUint, "", 7, 4},
		{"[salt4(a)][a:2]['_'][b:8]", "010007600000000000000001", walk.LaneUint, "", 0, 0},
		{"[a:1]['_'][b]", "075f61", walk.LaneUint, "", 7, 2},
		{"[a:1 below(8)]['_'][b]", "085f61", walk.LaneUint, "", 0, 0},
		{"[a:2]['_'][b]", "00075f61", walk.LaneUint, "", 7, 3},
		{"[a:bool]['_'][b]", "015f61", walk.LaneBool, "", 1, 2},
		{"[a:bool]['_'][b]", "025f61", walk.LaneBool, "", 0, 0},
		{"[a:f8]['_'][b]", "bff80000000000005f61", walk.LaneFloat, "", 0x3ff8000000000000, 9},
		{"[h-since(2020-01-01T00:00:00Z)(a) width(4)][b:8]", "000000070000000000000001", walk.LaneTime, "", 7, 4},
		{"[a:3 digits(3)]['_'][b]", "3030375f61", walk.NoLane, "", 7, 4},
		{"[a:3 digits(3) desc]['_'][b]", "3939325f61", walk.NoLane, "", 7, 4},
		{"[a:3 digits(3)]['_'][b]", "3030785f61", walk.NoLane, "", 0, 0},
		{"[a:3 digits(3)]['_'][b]", "303037", walk.NoLane, "", 0, 0},
		{"[a:2 reverse][b:8]", "07000000000000000001", walk.NoLane, "", 7, 2},
		{"[a:2 varint][b:1]", "0707", walk.NoLane, "", 7, 1},
		{"[a:2 varint][b:1]", "c0ffff07", walk.NoLane, "", 65535, 3},
		{"[a:2 varint][b:1]", "c1000007", walk.NoLane, "", 0, 0},
		{"[a:2 varint][b:1]", "80", walk.NoLane, "", 0, 0},
		{"[a:1 varint below(128)][b:1]", "7f07", walk.NoLane, "", 127, 1},
		{"[a:1 varint below(128)][b:1]", "808007", walk.NoLane, "", 0, 0},
		{"[a:1 varint desc][b:8]", "7f7f0000000000000007", walk.NoLane, "", 128, 2},
		{"[a:8 decimal loose]['_'][b:1]", "305f07", walk.NoLane, "", 0, 0},
		{"[a:f8 reverse][b:1]", "000000000000f8ff07", walk.NoLane, "", 0, 0},
		{"[a fixed(17)]['_'][b:1]", "3031323334353637383930313233343536" + "5f07", walk.LaneText, "01234567890123456", 0, 18},
		{"[a fixed(17) reverse]['_'][b:1]", "3635343332313039383736353433323130" + "5f07", walk.LaneText, "01234567890123456", 0, 18},
		{"[a pad(17,' ')][b:1]", "6120202020202020202020202020202020" + "07", walk.LaneText, "a", 0, 17},
		{"[a:i8 desc]", "8000000000000000", walk.LaneInt, "", 1<<64 - 1, 8},
		{"[ms(a)]", "0000000000000007", walk.LaneTime, "", 7, 8},
		{"[s(a) truncate(1h)]", "0000000000000e10", walk.LaneTime, "", 3600, 8},
		{"[s(a) truncate(1h)]", "0000000000000e11", walk.LaneTime, "", 0, 0},
		{"[a:f8]", "bff8000000000000", walk.LaneFloat, "", 0x3ff8000000000000, 8},
		{"[a:f4]", "bfc00000", walk.LaneFloat, "", 0x3ff8000000000000, 4},
		{"phoenix [a:f4]", "c0400001", walk.LaneFloat, "", 0x4008000000000000, 4},
		{"[a:bool]", "01", walk.LaneBool, "", 1, 1},
		{`[layout("20060102",UTC)(a)]`, "3230323330353136", walk.NoLane, "", 1684195200, 8},
		{`[layout("20060102",UTC)(a)]`, "3230323330343331", walk.NoLane, "", 0, 0},
		{"[a]['_'][b:1]", "61625f07", walk.LaneText, "ab", 0, 3},
		{"[a escaped][b:1]", "6162000107", walk.LaneText, "ab", 0, 4},
		{"[a escaped][b:1]", "61620002", walk.LaneText, "", 0, 0},
		{"[a chars(\"ab\")]['_'][b:1]", "61625f07", walk.NoLane, "ab", 0, 3},
		{"[a chars(\"ab\")]['_'][b:1]", "61415f07", walk.NoLane, "", 0, 0},
		{"[a pad(3,' ')][b:1]", "61202007", walk.LaneText, "a", 0, 3},
		{"[a reverse fixed(2)][b:1]", "626107", walk.LaneText, "ab", 0, 2},
		{"[a reverse]['_'][b:1]", "62615f07", walk.LaneText, "ab", 0, 3},
		{"[a desc]['\\xff'][b:1]", "9e9dff07", walk.NoLane, "ab", 0, 3},
		{"[a uuid]", "6ba7b8109dad11d180b400c04fd430c8", walk.NoLane, "6ba7b810-9dad-11d1-80b4-00c04fd430c8", 0, 16},
		{`[a codes("taobao":"tb","tmall":"tm")][b:1]`, "746d07", walk.LaneText, "tmall", 0, 2},
		{`[a codes("taobao":"tb","tmall":"tm")][b:1]`, "747807", walk.LaneText, "", 0, 0},
		{"[a optional phoenix][b optional phoenix]", "610062", walk.NoLane, "a", 0, 2},
		{"[a optional phoenix][b optional phoenix]", "61", walk.NoLane, "a", 0, 1},
		{"[a optional phoenix][b optional phoenix]", "6100", walk.NoLane, "", 0, 0},
		{"[a optional phoenix][b optional phoenix]", "0062", walk.NoLane, "", 0, 0},
		{"[a loose]['_'][b:1]", "615f07", walk.NoLane, "", 0, 0},
	} {
		s, err := rowkey.Parse("t", c.notation)
		require.NoError(t, err, c.notation)
		key, err := hex.DecodeString(c.key)
		require.NoError(t, err)
		st := walk.Compile(inside.Layout(s)).First
		assert.Equal(t, c.lane, st.Lane, c.notation)
		var num uint64
		var text []byte
		next, ok, pos := 0, false, 0
		if strings.HasPrefix(c.notation, "[salt") {
			pos = 1
		}
		if st.C.IsText() {
			text, next, ok = st.Text(key, pos, nil)
		} else {
			num, next, ok = st.Num(key, pos)
		}
		if assert.Equal(t, c.next > 0, ok, "%s %s", c.notation, c.key); ok {
			assert.Equal(t, c.next, next, "%s %s", c.notation, c.key)
			assert.Equal(t, c.num, num, "%s %s", c.notation, c.key)
			assert.Equal(t, c.text, string(text), "%s %s", c.notation, c.key)
		}
	}
}

// The values of a key, and what is wrong in one.
func TestRead(t *testing.T) {
	for _, notation := range []string{"[salt16(a)][a]['_'][n:4]", "[salt16(rest())][a]['_'][n:4]", "[md5.hex(4)(format(\"%s-%d\",a,n))][a reverse]['_'][n:4 digits(10)]"} {
		s := rowkey.Must(rowkey.Parse("t", notation))
		for _, text := range []string{"abc", "a text of more than two words"} {
			holdRead(t, s, text)
		}
	}
}

func holdRead(t *testing.T, s *rowkey.Schema, text string) {
	w := walk.Compile(inside.Layout(s))
	key := rowkey.Must(s.AppendKey(nil, text, 7))
	var cells walk.Cells
	scratch, ok := w.Read(key, &cells, nil)
	require.True(t, ok, s)
	assert.Equal(t, text, string(cells.Text(0, key, scratch)), s)
	assert.Equal(t, uint64(7), cells.Num(1), s)
	for i := range key {
		wrong := append([]byte(nil), key...)
		wrong[i] ^= 0x11
		if _, err := s.Decode(wrong); err != nil {
			_, ok = w.Read(wrong, &cells, nil)
			assert.False(t, ok, "%s %x", s, wrong)
		}
		_, ok = w.Read(key[:i], &cells, nil)
		assert.False(t, ok, "%s %x", s, key[:i])
	}
	key[0] ^= 1
	_, ok = w.Read(key, &cells, nil)
	assert.False(t, ok, "%s: a wrong salt or hash", s)
}
