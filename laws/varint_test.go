package laws

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
)

// A Varint has its shortest form, sorts forward, and backward with Desc, and needs no
// end; a longer form of a number is no key.
func TestVarint(t *testing.T) {
	s := rowkey.New("t").Uint("a", 8, rowkey.Varint).Uint("b", 8, rowkey.Varint, rowkey.Desc).Bool("c").MustBuild()
	assert.Equal(t, rowkey.Forward, s.Order("a"))
	assert.Equal(t, rowkey.Backward, s.Order("b"))
	var before []byte
	edges := []uint64{0, 1, 126}
	for bits := 7; bits <= 56; bits += 7 {
		edges = append(edges, 1<<bits-1, 1<<bits, 1<<bits+1)
	}
	for _, n := range append(edges, math.MaxUint64-1, math.MaxUint64) {
		key, err := s.Key().Uint(n).Uint(n).Bool(true).Bytes()
		require.NoError(t, err)
		form := key[:len(key)/2]
		inverted := bytes.Clone(form)
		for i := range inverted {
			inverted[i] ^= 0xff
		}
		assert.Equal(t, append(append(bytes.Clone(form), inverted...), 1), key, "%d", n)
		assert.Negative(t, bytes.Compare(before, form), "%d", n)
		before = form
		var a, b uint64
		var c bool
		require.NoError(t, s.Read(key).Uint(&a).Uint(&b).Bool(&c).Err())
		assert.Equal(t, []uint64{n, n}, []uint64{a, b})
	}
	for _, long := range []string{
		"\x80\x00", "\x80\x7f", "\xc0\x00\x00", "\xc0\x3f\xff", "\xe0\x00\x01\x00", "\xfe\x00\xff\xff\xff\xff\xff\xff",
		"\xff\x00\x00\x00\x00\x00\x00\x00\x00", "\xff\x00\xff\xff\xff\xff\xff\xff\xff",
	} {
		_, err := s.Decode([]byte(long + "\xff\x01"))
		assert.ErrorIs(t, err, rowkey.ErrMalformed, "%x", long)
	}
	for _, cut := range []string{"\x80", "\xff\x01", "\xfe", "\x07\x7f"} {
		_, err := s.Decode([]byte(cut))
		assert.ErrorIs(t, err, rowkey.ErrMalformed, "%x", cut)
	}

	plan, err := s.Scan(rowkey.Span("a", 100, 300))
	require.NoError(t, err)
	require.Equal(t, 1, plan.Len())
	for r := range plan.Ranges() {
		assert.Equal(t, "\x64", string(r.Start()))
		assert.Equal(t, "\x81\x2c", string(r.Stop()))
	}
	splits, err := rowkey.New("t").Uint("a", 2, rowkey.Varint).MustBuild().Splits(4)
	require.NoError(t, err)
	assert.Equal(t, rowkey.SplitKeys{{0xc0, 0x40, 0}, {0xc0, 0x80, 0}, {0xc0, 0xc0, 0}}, splits)
	small := rowkey.New("t").Uint("a", 8, rowkey.Varint, rowkey.Below(128)).MustBuild()
	for f := range small.Fields() {
		assert.Equal(t, 1, f.Size)
	}
	large := rowkey.New("t").Uint("a", 1, rowkey.Desc, rowkey.Varint, rowkey.Below(128)).MustBuild() // 255 to 128
	for f := range large.Fields() {
		assert.Equal(t, 2, f.Size)
	}

	number := func(opts ...rowkey.FieldOption) *rowkey.Builder {
		return rowkey.New("t").Uint("a", 8, opts...).Bool("b")
	}
	for why, b := range map[string]*rowkey.Builder{
		"Width and varint both say how wide":             number(rowkey.Varint, rowkey.Width(2)),
		"digits and varint both say how it is written":   number(rowkey.Varint, rowkey.Digits(3)),
		"varint and decimal both say how it is written":  number(rowkey.Decimal, rowkey.Varint),
		"reverse does not fit varint":                    number(rowkey.Varint, rowkey.Reverse),
		"pad does not fit varint: its bytes say":         number(rowkey.Varint, rowkey.Pad(9, 0)),
		"escaped does not fit varint: its bytes say":     number(rowkey.Varint, rowkey.Escaped),
		"Loose has nothing to loosen":                    number(rowkey.Varint, rowkey.Loose),
		"option varint does not fit a uint: it fits a U": number(interop.Phoenix, rowkey.Varint),
		"option varint does not fit an int":              rowkey.New("t").Int("a", 8, rowkey.Varint),
		"option varint does not fit a time":              rowkey.New("t").Time("a", rowkey.Millis, rowkey.Varint),
	} {
		_, err := b.Build()
		require.ErrorIs(t, err, rowkey.ErrSchema, why)
		assert.ErrorContains(t, err, why)
	}
}
