package layout_test

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/inside"
)

// Keys of salts and copies, written field by field and by AppendKey; each byte of a salt or a copy is
// wrong in turn.
func TestSlots(t *testing.T) {
	for _, c := range []struct {
		notation string
		values   []any
		key      string
		slot     int // its place,
		width    int // and its bytes
	}{
		{"[salt16(a) modulo][a:8]", []any{uint64(37)}, "050000000000000025", 0, 1},
		{"[salt10(a) modulo][a:8]", []any{uint64(37)}, "070000000000000025", 0, 1},
		{"[salt10(a) modulo][a:8]", []any{uint64(1<<64 - 1)}, "05ffffffffffffffff", 0, 1},
		{"[salt16(a) modulo][a:i8]", []any{int64(-3)}, "0d7ffffffffffffffd", 0, 1},
		{"[salt10(a) modulo][a:i8]", []any{int64(-3)}, "077ffffffffffffffd", 0, 1},
		{"[salt300(a) modulo width(2)][a:8]", []any{uint64(557)}, "0101000000000000022d", 0, 2},
		{"[salt100(a) modulo digits(2)][a:2]", []any{uint64(307)}, "30370133", 0, 2},
		{"[salt10(a) modulo decimal][a:2]", []any{uint64(307)}, "370133", 0, 1},
		{"[salt10(a) modulo digits(1)]['_'][a:2]", []any{uint64(307)}, "375f0133", 0, 1},
		{"[salt100(a) modulo decimal]['_'][a:2]", []any{uint64(307)}, "375f0133", 0, 1},
		{"[salt100(a) modulo decimal]['_'][a:2]", []any{uint64(342)}, "34325f0156", 0, 2},
		{"[salt1000(a) modulo decimal]['_'][a:2]", []any{uint64(342)}, "3334325f0156", 0, 3},
		{"[salt1000(a) modulo decimal]['_'][a:2]", []any{uint64(100)}, "3130305f0064", 0, 3},
		{"[salt100(a) modulo decimal]['__'][a:2]", []any{uint64(307)}, "375f5f0133", 0, 1},
		{`[salt4(a) modulo letters("wxyz")][a:2]`, []any{uint64(2)}, "790002", 0, 1},
		{"[copy0=a left(2) fixed(2)][a]", []any{"abcd"}, "616261626364", 0, 2},
		{"[copy0=a left(2) reverse fixed(2)][a]", []any{"abcd"}, "626161626364", 0, 2},
		{"[copy0=a reverse left(2) fixed(2)][a]", []any{"abcd"}, "646361626364", 0, 2},
		{"[copy0=a right(3) fixed(3)][a]", []any{"abcd"}, "62636461626364", 0, 3},
		{"[copy0=a reverse right(3) fixed(3)][a]", []any{"abcd"}, "63626161626364", 0, 3},
		{"[a]['_'][copy0=a right(2) fixed(2)]", []any{"abcd"}, "616263645f6364", 5, 2},
		{"[a]['_'][copy0=a right(2) fixed(2)][b]", []any{"abcd", "x"}, "616263645f636478", 5, 2},
		{"[copy0=a right(2)]['_'][a]", []any{"abcd"}, "63645f61626364", 0, 2},
		{"[copy0=a right(2)]['_'][a]", []any{"a"}, "615f61", 0, 1},
		{"[copy0=a right(2)]['_'][a]", []any{""}, "5f", 0, 0},
		{"[x=a left(4)]['_'][a fixed(3)][y=a right(1) fixed(1)][b]", []any{"abc", "z"}, "6162635f616263637a", 0, 3},
		{"[copy0=a]['_'][a]", []any{"abcd"}, "616263645f61626364", 0, 4},
		{"[copy0=a reverse]['_'][a]", []any{"abcd"}, "646362615f61626364", 0, 4},
		{"[copy0=a reverse]['_'][a]", []any{strings.Repeat("xy", 17)}, strings.Repeat("7978", 17) + "5f" + strings.Repeat("7879", 17), 0, 34},
		{"[copy0=a left(3) reverse]['_'][a]", []any{"abcd"}, "6362615f61626364", 0, 3},
		{"[copy0=a left(3) reverse]['_'][a]", []any{"ab"}, "62615f6162", 0, 2},
		{"[copy0=a left(2)]['__'][a]", []any{"abcd"}, "61625f5f61626364", 0, 2},
		{"[copy0=a left(2)]['_'][x=a right(3)]['|'][a]", []any{"abcd"}, "61625f6263647c61626364", 0, 2},
		{"[x=a left(2)]['_'][copy0=a right(3)]['|'][a]", []any{"abcd"}, "61625f6263647c61626364", 3, 3},
		{"[b]['_'][copy0=a left(2)]['|'][a]['_'][c:2]", []any{"x", "abcd", uint64(7)}, "785f61627c616263645f0007", 2, 2},
		{"[a]['_'][copy0=a left(2)]['|'][c:2]", []any{"abcd", uint64(7)}, "616263645f61627c0007", 5, 2},
		{"[a]['_'][salt16(b) modulo][b:2]", []any{"ab", uint64(18)}, "61625f020012", 3, 1},
		{"[a]['_'][b:2][salt16(b) modulo]", []any{"ab", uint64(18)}, "61625f001202", 5, 1},
		{"[a]['_'][b:2 digits(2)][salt16(b) modulo]['|'][c]", []any{"ab", uint64(18), "z"}, "61625f3138027c7a", 5, 1},
	} {
		s, err := rowkey.Parse("t", c.notation)
		require.NoError(t, err, c.notation)
		key, err := s.AppendKey(nil, c.values...)
		require.NoError(t, err, c.notation)
		assert.Equal(t, c.key, hex.EncodeToString(key), c.notation)
		k := s.KeyIn(make([]byte, 0, 64))
		for _, v := range c.values {
			switch v := v.(type) {
			case string:
				k = k.String(v)
			case uint64:
				k = k.Uint(v)
			case int64:
				k = k.Int(v)
			}
		}
		built, err := k.Bytes()
		require.NoError(t, err, c.notation)
		assert.Equal(t, c.key, hex.EncodeToString(built), c.notation)
		_, err = s.Decode(key)
		assert.NoError(t, err, c.notation)
		for i := range c.width {
			key[c.slot+i] ^= 1
			_, err := s.Decode(key)
			var e *rowkey.Error
			if assert.ErrorAs(t, err, &e, c.notation) {
				assert.Equal(t, c.slot, e.Offset, c.notation)
			}
			r := s.Read(key)
			for range c.values {
				r = r.Skip()
			}
			assert.Equal(t, err, r.Err(), c.notation)
			key[c.slot+i] ^= 1
		}
	}
}

// What stands at a place that is known, or found, when its field is written needs no gathered values.
func TestGathered(t *testing.T) {
	for notation, gathered := range map[string]bool{
		"[a]['_'][copy0=a left(1) fixed(1)][b]":         false,
		"[a]['_'][copy0=b left(1) fixed(1)][b]":         false,
		"[a]['_'][salt16(c)]['_'][b:8]['_'][c]":         false,
		"[a]['_'][salt16(c)][b]['_'][c]":                false,
		"[a]['_'][salt16(values(a,c))][b]['_'][c]":      false,
		"[salt16(values(a,b))][a pad(8,' ')][b]":        false,
		"[copy0=a left(2)]['_'][salt16(b)][a]['_'][b]":  false,
		"[a]['_'][b]['_'][copy0=a left(1) fixed(1)]":    false,
		"[a:4][b]['_'][salt16(a) modulo][c]":            false,
		"[a]['_'][copy0=a left(1)]['|'][b]":             false,
		"orderedbytes [a][salt16(a)][b optional]":       true,
		"[a loose]['_'][copy0=a left(1) fixed(1)][b:1]": true,
		"orderedbytes [a][salt16(a)][b]":                false,
	} {
		s, err := rowkey.Parse("t", notation)
		if assert.NoError(t, err, notation) {
			assert.Equal(t, gathered, inside.Layout(s).Gathered, notation)
		}
	}
}

// A copy that takes more bytes than a text has is refused by its own name.
func TestCopyOfTooShort(t *testing.T) {
	for _, notation := range []string{"[copy0=a right(4) fixed(4)][a]", "[a]['_'][copy0=a right(4) fixed(4)]"} {
		s := rowkey.Must(rowkey.Parse("t", notation))
		_, err := s.AppendKey(nil, "abc")
		var e *rowkey.Error
		if assert.ErrorAs(t, err, &e, notation) {
			assert.Equal(t, "copy0", e.Field, notation)
			assert.ErrorIs(t, err, rowkey.ErrLength, notation)
		}
		_, built := s.Key().String("abc").Bytes()
		assert.Equal(t, err, built, notation)
	}
}

// A copy that is shorter or longer than what the text gives, or that holds its separator, is none, and none is written.
func TestSlidingCopies(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "[copy0=a right(2)]['_'][a]"))
	for _, key := range []string{"b_ab", "_ab", "xab_ab", "ba_ab", "ab_a", "_a"} {
		var a []byte
		_, err := s.Decode([]byte(key))
		assert.ErrorIs(t, err, rowkey.ErrDerived, key)
		assert.Equal(t, err, s.Read([]byte(key)).Binary(&a).Err(), key)
	}
	for _, text := range []string{"a_b", "ab_", "_", "_a"} {
		_, err := s.AppendKey(nil, text)
		assert.ErrorIs(t, err, rowkey.ErrTerminator, text)
		_, built := s.KeyIn(make([]byte, 0, 64)).String(text).Bytes()
		assert.Equal(t, err, built, text)
	}
	s = rowkey.Must(rowkey.Parse("t", "[salt100(a) decimal javahash]['_'][a]")) // Java has no hash of what is no UTF-8
	_, err := s.AppendKey(nil, "\xe9")
	assert.ErrorIs(t, err, rowkey.ErrRange)
	_, built := s.KeyIn(make([]byte, 0, 64)).String("\xe9").Bytes()
	assert.Equal(t, err, built)
	s = rowkey.Must(rowkey.Parse("t", "[c=a left(2)][x notstored]['_'][a]['_'][md5.raw(1)(x)]")) // what is not stored stands before the separator
	var a string
	assert.NoError(t, s.Read(rowkey.Must(s.AppendKey(nil, "y", "abcd"))).String(&a).Err())
	assert.Equal(t, "abcd", a)
}

// A copy is written only to a slot that is still empty, and where it was.
func TestSlotsWrittenBefore(t *testing.T) {
	long := strings.Repeat("x", 40)
	for _, c := range []struct {
		notation string
		spoil    func(buf []byte, k rowkey.KeyBuilder)
		text     string
	}{
		{"[b]['_'][c=a right(2)]['_'][a]", func(_ []byte, k rowkey.KeyBuilder) { k.String("x").Bytes() }, "abc"},
		{"[b]['_'][c=a right(40)]['_'][a]", func(_ []byte, k rowkey.KeyBuilder) { k.String(long).Bytes() }, "abc_" + long},
		{"[b]['_'][c=a right(2)]['_-'][a]", func(buf []byte, _ rowkey.KeyBuilder) { buf[5] = 'x' }, "abc"},
		{"[b]['_'][c=a right(2)]['|'][a]", func(buf []byte, _ rowkey.KeyBuilder) { buf[1] = 'x' }, "abc"},
	} {
		s, buf := rowkey.Must(rowkey.Parse("t", c.notation)), make([]byte, 300)
		k := s.KeyIn(buf[:0]).String("b")
		c.spoil(buf, k)
		_, err := k.String(c.text).Bytes()
		assert.ErrorIs(t, err, rowkey.ErrShared, c.notation)
	}
}

// A Reader whose key is changed below it does not look for a copy or a salt behind the field.
func TestKeyChangedBeforeCopy(t *testing.T) {
	var a, b string
	for _, notation := range []string{"[b]['_'][c=a left(2)]['|'][a]", "[b]['_'][salt16(a) decimal]['|'][a]"} {
		s := rowkey.Must(rowkey.Parse("t", notation))
		for _, text := range []string{"", "abc"} {
			for _, begin := range []string{"xx", "x|", "xx||", "xxxxxx", "xxxxxx_"} {
				key := rowkey.Must(s.AppendKey(nil, "x", text))
				r := s.Read(key).String(&b)
				copy(key, begin)
				assert.Error(t, r.String(&a).Err(), "%s %q", s, key)
			}
		}
	}
}

// The ranges of a key so far with an open slot, whose place is known only from what stands before it.
func TestOpenSlots(t *testing.T) {
	for _, c := range []struct{ notation, first, last string }{
		{"[a]['#'][salt4(c)]['#'][b:2]['#'][c]", "[ab#\\x00#\\x00\\x07#, ab#\\x00#\\x00\\x07$)", "[ab#\\x03#\\x00\\x07#, ab#\\x03#\\x00\\x07$)"},
		{"[a]['#'][salt10(c) digits(2)]['#'][b:2]['#'][c]", "[ab#00#\\x00\\x07#, ab#00#\\x00\\x07$)", "[ab#09#\\x00\\x07#, ab#09#\\x00\\x07$)"},
	} {
		s := rowkey.Must(rowkey.Parse("t", c.notation))
		ranges, _, err := s.Key().String("ab").Uint(7).AppendRanges(nil, nil)
		if assert.NoError(t, err, c.notation) {
			assert.Equal(t, c.first, ranges[0].String(), c.notation)
			assert.Equal(t, c.last, ranges[len(ranges)-1].String(), c.notation)
		}
		begun, _, err := s.Key().String("ab").Uint(7).Prefix("x").AppendRanges(nil, nil)
		if assert.NoError(t, err, c.notation) {
			assert.Len(t, begun, len(ranges), c.notation)
			key, err := s.AppendKey(nil, "ab", 7, "xyz")
			assert.NoError(t, err, c.notation)
			assert.True(t, slices.ContainsFunc(begun, func(r rowkey.Range) bool { return r.Contains(key) }), c.notation)
		}
	}
}

// What stands behind an open slot does not decide where a range begins, of whatever length it is.
func TestRangeBeforeOpenSlots(t *testing.T) {
	for notation, want := range map[string]string{
		"[a]['_'][x=b left(2)]['|'][y=a left(1)][':'][b]":                    "[q_, q`)",
		"[a]['_'][x=b left(2)]['|'][y=a fixed(1)][b]":                        "[q_, q`)",
		"[a]['#'][murmur3.raw(4)(b)][z1=a desc]['\\x00'][b oneof('a','ab')]": "[q#, q$)",
		"[a]['#'][murmur3.raw(4)(rest())][z1=a right(9)]['\\x00'][b:8]":      "[q#, q$)",
		"[a]['#'][y=a left(1)][':'][murmur3.raw(4)(b)][b]":                   "[q#q:, q#q;)",
	} {
		s, err := rowkey.Parse("t", notation)
		require.NoError(t, err, notation)
		r, err := s.Key().String("q").Range()
		if assert.NoError(t, err, notation) {
			assert.Equal(t, want, r.String(), notation)
		}
	}
}

// A copy at the end of a key that may not be empty refuses the empty text.
func TestCopyOfNothing(t *testing.T) {
	for _, notation := range []string{"[a:1][b escaped][z=b phoenix]", "[a:1][b pad(4,' ')][z=b phoenix]", "[a:1][b]['|'][z=b left(2) phoenix]"} {
		s := rowkey.Must(rowkey.Parse("t", notation))
		_, err := s.AppendKey(nil, 1, "")
		assert.ErrorIs(t, err, rowkey.ErrLength, notation)
	}
}

// A key so far in the caller's buffer, which was continued: what was moved since is seen by ranges, and where a
// later copy is computed.
func TestMovedSlots(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "[salt12(n) decimal]['#'][a]['_'][n:8]"))
	for n := range uint64(30) {
		k := s.KeyIn(make([]byte, 0, 300)).String("abc")
		want, _, err := s.Key().String("abc").AppendRanges(nil, nil)
		require.NoError(t, err)
		key, err := k.Uint(n).Bytes()
		require.NoError(t, err)
		moved := key[1] == '#'
		ranges, _, err := k.AppendRanges(nil, nil)
		if moved {
			assert.ErrorIs(t, err, rowkey.ErrShared, n)
		} else if assert.NoError(t, err, n) {
			assert.Equal(t, len(want), len(ranges), n)
		}
	}
	s = rowkey.Must(rowkey.Parse("t", "[p=c]['_'][ms(a)][b][':'][d=a layout(\"20060102\",UTC)]['|'][c]"))
	at := time.UnixMilli(1700000000000)
	k := s.KeyIn(make([]byte, 0, 300)).Time(at)
	_, err := k.String("b").String("x").Bytes()
	require.NoError(t, err)
	_, err = k.String("b").String("c").Bytes()
	assert.ErrorIs(t, err, rowkey.ErrShared)
}

// A Reader whose key is changed below it finds a salt of the rest in no place, and says so.
func TestKeyChangedBeforeSalt(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "[a]['_'][salt16(rest())][b:1]"))
	key, err := s.AppendKey(nil, "xy", 7)
	require.NoError(t, err)
	var a string
	var b uint64
	require.NoError(t, s.Read(key).String(&a).Uint(&b).Err())
	for i := range key {
		changed := append([]byte(nil), key...)
		r := s.Read(changed).String(&a)
		changed[i] ^= 1
		_, err := s.Decode(changed)
		require.Equal(t, err != nil, r.Uint(&b).Err() != nil, "byte %d", i)
	}
}
