package bind_test

import (
	"encoding/binary"
	"maps"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/digest"
)

type numbers struct {
	A uint64    `rowkey:"a"`
	B int32     `rowkey:"b"`
	C time.Time `rowkey:"c"`
	D uint8     `rowkey:"d"`
}

// Keys that have only numbers, with constants, salts and copies between them: each bit of a key is wrong
// in turn, and Decode into a struct and a Reader say what Schema.Decode says, and else read the same row.
func TestSeals(t *testing.T) {
	rows := []numbers{
		{7, -3, time.UnixMilli(1_700_000_000_000).UTC(), 9},
		{1<<64 - 1, 1<<31 - 1, time.UnixMilli(1_600_000_002_000).UTC(), 255},
		{0, -1 << 31, time.UnixMilli(1_500_000_000_000).UTC(), 0},
	}
	for _, notation := range []string{
		"[a:8][b:i4]['_'][ms(c)][d:1]",
		"[a:8]['<>'][b:i4]['_'][ms(c)]['v2'][d:1]",
		"[salt16(a)][a:8][b:i4][max-ms(c)]['|'][d:1]",
		"[salt16(b) modulo][a:8][b:i4][ms(c)]['|'][d:1]",
		"[salt16(a) modulo][a:8][b:i4][ms(c)][d:1]",
		"[salt16(a) modulo][salt8(b) modulo][a:8][b:i4][ms(c)][d:1]",
		"[salt16(a) modulo]['_'][a:8]['_'][b:i4][ms(c)][d:1]",
		"[salt64(c) modulo digits(2)][b:i4][ms(c)]['|'][a:8][d:1]",
		"[b:i4][salt7(d) modulo][a:8][ms(c)][d:1]['_']",
		"[salt100(a) modulo digits(2)][a:8][b:i4][ms(c)][d:1]",
		"[salt10(b) modulo digits(2)][a:8][b:i4 desc][ms(c)][d:1]",
		"[salt16(values(a,b,d))]['_'][a:8][b:i4][s(c)]['_'][d:1]",
		"[a:8][b:i4][min-since(2010-01-01T00:00:00Z)(c) width(4)][salt16(d)][d:1]",
		"[a:8][b:i4][s(c)][d:1][salt16(d) modulo]",
		"[a:8][salt16(b)][b:i4]['_'][md5.raw(2)(c)]['<>'][s(c)][d:1]",
		"[a:8]['_'][salt16(d) digits(2)]['_'][b:i4][salt10(c) decimal][s(c)][d:1]",
		"[md5.raw(2)(a)][a:8][b:i4]['_'][s(c)]['_'][d:1]",
		"[copy0=a desc][b:i4]['_'][s(c)]['_'][a:8][d:1]",
		"[copy0=c][a:8]['_'][b:i4][ms(c)][d:1]",
		"[copy0=b]['/'][copy1=a desc]['a long one'][d:1]['_'][b:i4][ms(c)][a:8]",
		"[b:i4]['_'][copy0=d][a:8][copy1=b desc][ms(c)][d:1]",
		"[crc32.raw(4)(a)]['-'][a:8][b:i4][murmur3.raw(3)(c)][ms(c)][d:1]",
		"[hmurmur3.raw(2)(d)][a:8][b:i4][ms(c)][d:1]",
		"['v1'][a:8][b:i4][ms(c)][d:1]",
		"[b:i4][a:8][ms(c)][d:1]",
		"[salt16(stored(a))][a:8][b:i4][ms(c)][d:1]",
		"[salt16(c) modulo][a:8][b:i4][ms(c) orderedbytes][d:1]",
		"[md5.raw(2)(stored(b))][a:8][b:i4][salt16(d)]['<>'][ms(c)][d:1]",
		"[salt256(stored(b)) pinpointhash][a:8][ms(c)]['_'][b:i4 hbase][d:1]",
		"[salt8(stored(c)) phoenixhash digits(2)]['_'][max-ms(c)][a:8][md5.raw(2)(stored(b))][b:i4 desc][d:1]",
		"[b:i4 desc]['_'][ms(c)][d:1]['_'][a:8]",
		"['0'][salt10(a) modulo][a:8][b:i4]['_'][ms(c)][d:1]",
		"['a name of 17 byte'][a:8][b:i4][ms(c)][d:1]",
		"[salt16(d)]['a long one']['_'][a:8][b:i4][ms(c)][d:1]",
		"[salt4(rest()) phoenixhash][a:8][b:i4][ms(c)][d:1]",
		"['v']['_'][salt20(rest()) phoenixhash]['/'][a:8][b:i4][ms(c)][d:1]",
		"[a:8][b:i4][md5.raw(2)(rest())][ms(c)]['_'][d:1]",
		"[a:8][b:i4 orderedbytes][ms(c) orderedbytes][d:1]",
		"[ms(c) orderedbytes desc]['_'][b:i4 orderedbytes]['<>'][a:8][d:1]",
		"[b:i4 orderedbytes][d:1]['_'][ms(c) orderedbytes]['1234567'][a:8]",
		"[d:1][b:i4 orderedbytes]['_'][s(c) orderedbytes][a:8]",
		"[a:8][b:i4 orderedbytes][s(c) orderedbytes truncate(2s)][d:1]",
		"[ms(c) truncate(2ms)][a:8][b:i4][d:1]",
		"[ms(c) digits(13) truncate(1s)][a:8][b:i4][d:1]",
		"[max-ms(c) truncate(3ms)]['_'][a:8][b:i4][d:1]",
		"[a:8 digits(20)][b:i4]['_'][ms(c) digits(13)][d:1]",
		"[d:1 digits(3) desc]['_'][a:8 digits(20)]['<>'][ms(c) digits(13) desc][b:i4]",
		"[a:8 reverse]['_'][b:i4 reverse][layout(\"20060102150405\",+08:00)(c)][d:1]",
		"[salt16(a)][a:8 digits(20)]['_'][b:i4][salt10(d) digits(2)][s(c)][d:1 digits(3)]",
		"[salt16(a) modulo][a:8 digits(20)][b:i4]['_'][ms(c) digits(13)][d:1 hexdigits(2)]",
		"[d:1]['_'][s(c) width(4) truncate(2s)]['<>'][a:8][b:i4]",
		"[salt16(c) modulo][a:8][b:i4][ms(c) truncate(1s)][d:1]",
		"[salt16(d)]['_'][d:1][day=c d width(3)][ms(c) truncate(1h)][a:8][b:i4]",
		"[salt16(b)]['_'][b:i4 desc orderedbytes][salt16(c) modulo][ms(c) orderedbytes][a:8][d:1]",
	} {
		holdSeals(t, notation, rows, numbersOf)
	}
}

type flags struct {
	A bool   `rowkey:"a"`
	B uint16 `rowkey:"b"`
	C bool   `rowkey:"c"`
	D uint32 `rowkey:"d"`
}

// The same of bools, which are loaded with what stands before them or after them.
func TestSealedBools(t *testing.T) {
	rows := []flags{{true, 7, false, 1 << 31}, {false, 1<<16 - 1, true, 0}}
	for _, notation := range []string{
		"[a:bool][b:2][c:bool][d:4]", "[d:4][b:2][a:bool][c:bool]", "[b:2][d:4][a:bool][c:bool]", "[d:4][a:bool]['_'][b:2][c:bool]", "[a:bool phoenix desc]['|'][b:2]['|'][d:4][c:bool]",
		"['name'][a:bool][c:bool phoenix desc][b:2][d:4]", "[salt4(rest()) phoenixhash][d:4][b:2][a:bool][c:bool]", "[a:bool hbase][b:2][c:bool][d:4]", "[salt16(d) modulo][a:bool][c:bool][b:2][d:4 below(3000000000)]", "[salt64(d) modulo digits(2)][a:bool][c:bool][b:2][d:4 below(3000000000)]", "[salt16(a)][a:bool][d:4]['_'][b:2][c:bool]",
	} {
		holdSeals(t, notation, rows, func(r rowkey.Row) (v flags) {
			for name, value := range r.All() {
				switch name {
				case "a":
					v.A = value.(bool)
				case "b":
					v.B = uint16(value.(uint64))
				case "c":
					v.C = value.(bool)
				case "d":
					v.D = uint32(value.(uint64))
				}
			}
			return v
		})
	}
}

type floats struct {
	A float64 `rowkey:"a"`
	B uint32  `rowkey:"b"`
	C float64 `rowkey:"c"`
}

// The same of floats: no NaN is one, and of both zeros only +0.
func TestSealedFloats(t *testing.T) {
	rows := []floats{
		{1.5, 7, -2.25}, {0, 1<<32 - 1, math.Inf(-1)}, {math.Inf(1), 0, -math.SmallestNonzeroFloat64},
		{-math.SmallestNonzeroFloat64, 1, math.MaxFloat64}, {-math.MaxFloat64, 2, math.SmallestNonzeroFloat64},
	}
	for _, notation := range []string{
		"[a:f8][b:4][c:f8]", "[a:f8 desc]['|'][b:4]['_'][c:f8]", "[b:4][c:f8 desc]['<>'][a:f8]['1234567']", "['v1'][c:f8][b:4][a:f8 desc]", "[salt16(b)][a:f8]['_'][b:4][c:f8]",
		"[salt16(a)][a:f8][c:f8][b:4]", "[salt4(rest()) phoenixhash][a:f8]['_'][c:f8][b:4]", "[a:f8 phoenix][c:f8 orderedbytes][b:4]",
		"[b:4][c:f8 orderedbytes desc]['_'][a:f8 phoenix desc]['<>']", "[c:f8 hbase]['_'][a:f8][b:4]", "[salt16(a)][c:f8 orderedbytes][b:4][a:f8 hbase]", "[salt16(b)]['_'][c:f8 phoenix][a:f8 phoenix unsigned][b:4]",
	} {
		rows := rows
		if strings.Contains(notation, "unsigned") {
			rows = []floats{{1.5, 7, -2.25}, {0, 8, math.Copysign(0, -1)}, {math.Inf(1), 9, math.Inf(-1)}}
		}
		holdSeals(t, notation, rows, func(r rowkey.Row) (v floats) {
			for name, value := range r.All() {
				switch name {
				case "a":
					v.A = value.(float64)
				case "b":
					v.B = uint32(value.(uint64))
				case "c":
					v.C = value.(float64)
				}
			}
			return v
		})
	}
}

type halfFloats struct {
	A float32 `rowkey:"a"`
	B uint16  `rowkey:"b"`
	C float64 `rowkey:"c"`
}

// The same of floats of four bytes: each bit of such a key, too.
func TestSealedHalfFloats(t *testing.T) {
	rows := []halfFloats{{1.5, 7, -2.25}, {0, 1<<16 - 1, math.Inf(-1)}, {float32(math.Inf(1)), 0, -math.SmallestNonzeroFloat32}, {-math.MaxFloat32, 2, math.SmallestNonzeroFloat32}}
	for _, notation := range []string{
		"[a:f4][b:2][c:f4]", "[a:f4 desc]['|'][b:2]['_'][c:f4]", "[b:2][c:f4 phoenix]['<>'][a:f4 hbase]", "[salt16(b)][a:f4 orderedbytes][b:2][c:f4 orderedbytes desc]", "[a:f4 phoenix desc][c:f4]['_'][b:2]", "[salt16(a)][b:2][c:f4][a:f4]",
	} {
		holdSeals(t, notation, rows, func(r rowkey.Row) (v halfFloats) {
			for name, value := range r.All() {
				switch name {
				case "a":
					v.A = float32(value.(float64))
				case "b":
					v.B = uint16(value.(uint64))
				case "c":
					v.C = value.(float64)
				}
			}
			return v
		})
	}
}

// Java has no hash of e9, which is no text, though its digest can be computed.
func TestHashOfNoText(t *testing.T) {
	s, err := rowkey.Parse("t", "[javahashcode.raw(4)(a)][a]")
	require.NoError(t, err)
	text := "\xe9"
	sum, ok := digest.JavaString([]byte(text))
	require.False(t, ok)
	key := append(binary.BigEndian.AppendUint32(nil, uint32(sum)), text...)
	_, err = s.Decode(key)
	assert.ErrorIs(t, err, rowkey.ErrDerived)
	var read string
	assert.Equal(t, err, s.Read(key).String(&read).Err())

	for _, notation := range []string{"[salt16(a) javahashabs][a]", "[salt16(stored(a)) javahashabs][a]", "[salt16(rest()) hbasewdhash][a]", "['_'][salt16(stored(a)) javahash][a]['|'][b:1]"} {
		s, err := rowkey.Parse("t", notation)
		require.NoError(t, err, notation)
		text := text
		if strings.Contains(notation, "hbasewdhash") { // its Math.abs is negative for the hash of these bytes alone
			text = textOfHash(1 << 31)
		}
		values := []any{text, uint64(7)}[:strings.Count(notation, "[a]")+strings.Count(notation, "[b")]
		_, err = s.AppendKey(nil, values...)
		require.ErrorIs(t, err, rowkey.ErrRange, notation)
		k := s.KeyIn(make([]byte, 0, 64)).String(text)
		if len(values) > 1 {
			k = k.Uint(7)
		}
		_, writeErr := k.Bytes()
		assert.Equal(t, err, writeErr, notation)
		for b := range 256 {
			key := append([]byte{byte(b)}, text...)
			if len(values) > 1 {
				key = append([]byte{'_'}, append(key, '|', 7)...)
			}
			_, err := s.Decode(key)
			require.Error(t, err, "%s %x", notation, key)
			var n uint64
			r := s.Read(key).String(&read)
			if len(values) > 1 {
				r = r.Uint(&n)
			}
			assert.Equal(t, err, r.Err(), "%s %x", notation, key)
		}
	}
}

// textOfHash is a text of 7 bytes whose hash by Java's Arrays.hashCode is sum: its digits in the base of 31.
func textOfHash(sum uint32) string {
	zeros := uint32(1)
	for range 7 {
		zeros *= 31
	}
	text := make([]byte, 7)
	for rest, i := sum-zeros, 6; i >= 0; rest, i = rest/31, i-1 {
		text[i] = byte(rest % 31)
	}
	return string(text)
}

// counted is a transform that writes a byte of length before the text. Its Len is right where nothing follows, so
// that a key can be written, and not read.
type counted struct{}

func (counted) Append(dst, v []byte) ([]byte, error) {
	return append(append(dst, byte(len(v))), v...), nil
}

func (counted) Invert(dst, form []byte) ([]byte, error) { return append(dst, form[1:]...), nil }

func (counted) Traits() rowkey.Traits { return rowkey.Traits{Order: rowkey.Unordered, Delimited: true} }

func (counted) Len(b []byte) (int, error) { return len(b), nil }

func (counted) String() string { return "counted" }

// To write a key, no Len of the caller's is asked where a salt of the rest stands.
func TestRestAfterTransform(t *testing.T) {
	s, err := rowkey.New("t").String("a", rowkey.Via(counted{})).Salt(251, "rest()").Uint("b", 2).Build()
	require.NoError(t, err)
	for _, text := range []string{"", "x", "xy", "xyz"} {
		want, err := s.AppendKey(nil, text, uint64(7))
		require.NoError(t, err)
		key, err := s.KeyIn(make([]byte, 0, 64)).String(text).Uint(7).Bytes()
		require.NoError(t, err)
		assert.Equal(t, want, key)
	}
}

func holdSeals[T any](t *testing.T, notation string, rows []T, of func(rowkey.Row) T) {
	s, err := rowkey.Parse("t", notation)
	require.NoError(t, err, notation)
	codec, err := rowkey.Bind[T](s)
	require.NoError(t, err, notation)
	for _, r := range rows {
		key, err := codec.Append(nil, &r)
		require.NoError(t, err, notation)
		again, err := codec.Append(make([]byte, 0, 256), &r) // there is room for all at once
		require.NoError(t, err, notation)
		require.Equal(t, key, again, notation)
		for bit := -1; bit < 8*len(key); bit++ {
			if bit >= 0 {
				key[bit/8] ^= 1 << (bit % 8)
			}
			var got T
			want, err := s.Decode(key)
			assert.Equal(t, err, codec.Decode(key, &got), "%s %x", notation, key)
			read, readErr := readAll(s, key)
			assert.Equal(t, err, readErr, "%s %x", notation, key)
			if err == nil {
				assert.Equal(t, of(want), got, "%s %x", notation, key)
				assert.Equal(t, maps.Collect(want.All()), read, "%s %x", notation, key)
			} else {
				assert.Zero(t, got, "%s %x", notation, key)
			}
			if bit >= 0 {
				key[bit/8] ^= 1 << (bit % 8)
			}
		}
		var got T
		for n := range key { // shorter, and longer
			assert.Error(t, codec.Decode(key[:n], &got), "%s %x", notation, key[:n])
		}
		assert.Error(t, codec.Decode(append(key, 0), &got), "%s %x00", notation, key)
	}
}

// readAll reads the numbers of a key with a Reader.
func readAll(s *rowkey.Schema, key []byte) (map[string]any, error) {
	r, read := s.Read(key), map[string]any{}
	for f := range s.Fields() {
		switch kind := f.Kind; {
		case f.Derived:
		case kind == "uint":
			var v uint64
			r = r.Uint(&v)
			read[f.Name] = v
		case kind == "int":
			var v int64
			r = r.Int(&v)
			read[f.Name] = v
		case kind == "time":
			var v time.Time
			r = r.Time(&v)
			read[f.Name] = v
		case kind == "bool":
			var v bool
			r = r.Bool(&v)
			read[f.Name] = v
		case kind == "float":
			var v float64
			r = r.Float(&v)
			read[f.Name] = v
		}
	}
	return read, r.Err()
}

func numbersOf(r rowkey.Row) (v numbers) {
	for name, value := range r.All() {
		switch name {
		case "a":
			v.A = value.(uint64)
		case "b":
			v.B = int32(value.(int64))
		case "c":
			v.C = value.(time.Time)
		case "d":
			v.D = uint8(value.(uint64))
		}
	}
	return v
}

type short struct {
	A uint32    `rowkey:"a"`
	B time.Time `rowkey:"b"`
}

// The same of keys of fewer than 8 bytes, and of one of 8; a Reader reads them as Decode does.
func TestShortKeys(t *testing.T) {
	const epoch = "-since(2020-01-01T00:00:00Z)(b)"
	for _, notation := range []string{
		"[a:4][min" + epoch + " width(2) below(1440)]", "[a:4][min" + epoch + " width(3)]", "[a:4][min" + epoch + " width(4)]",
		"[a:1][h" + epoch + " width(1) desc]", "[a:2][h" + epoch + " width(2) truncate(3h)]", "[h" + epoch + " width(2) truncate(6h)]['_'][a:1]", "[a:1 digits(3)]['_'][h" + epoch + " width(2)]", "[h" + epoch + " digits(3)][a:2 reverse]", "[min" + epoch + " width(3)]['_'][a:2]", "[a:3]['<'][h" + epoch + " width(2)]",
		"[salt16(a)][a:2][h" + epoch + " width(3)]", "[salt10(a) modulo digits(2)][a:2][h" + epoch + " width(3)]", "['v'][a:2][h" + epoch + " width(3)]", "[salt4(rest()) phoenixhash][a:3]['_'][h" + epoch + " width(2)]", "[h" + epoch + " width(2)][salt16(a)]['_'][a:2]",
	} {
		s, err := rowkey.Parse("t", notation)
		require.NoError(t, err, notation)
		codec, err := rowkey.Bind[short](s)
		require.NoError(t, err, notation)
		for _, r := range []short{{7, time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}, {200, time.Date(2020, 1, 1, 23, 0, 0, 0, time.UTC)}, {0, time.Date(2020, 1, 1, 5, 0, 0, 0, time.UTC)}} {
			key, err := codec.Append(nil, &r)
			require.NoError(t, err, notation)
			for bit := -1; bit < 8*len(key); bit++ {
				if bit >= 0 {
					key[bit/8] ^= 1 << (bit % 8)
				}
				var got, read short
				want, err := s.Decode(key)
				assert.Equal(t, err, codec.Decode(key, &got), "%s %x", notation, key)
				reader, a := s.Read(key), uint64(0)
				for f := range s.Fields() {
					switch {
					case f.Name == "a":
						reader = reader.Uint(&a)
					case f.Name == "b":
						reader = reader.Time(&read.B)
					}
				}
				assert.Equal(t, err, reader.Err(), "%s %x", notation, key)
				if read.A = uint32(a); err == nil {
					for name, v := range want.All() {
						if name == "a" {
							assert.Equal(t, v, uint64(got.A), "%s %x", notation, key)
						} else if name == "b" {
							assert.Equal(t, v, got.B, "%s %x", notation, key)
						}
					}
					assert.Equal(t, got, read, "%s %x", notation, key)
				}
				if bit >= 0 {
					key[bit/8] ^= 1 << (bit % 8)
				}
			}
			var got short
			for n := range key {
				assert.Error(t, codec.Decode(key[:n], &got), "%s %x", notation, key[:n])
			}
			assert.Error(t, codec.Decode(append(key, 0), &got), "%s %x00", notation, key)
		}
	}
}

// A struct's time may be a number in another unit than the field's. A salt of it and of a later field is that
// of the field's units, and of a truncated time that of what is stored.
func TestSaltOfOtherUnit(t *testing.T) {
	type row struct {
		C int64  `rowkey:"c,ms"`
		A uint64 `rowkey:"a"`
	}
	for _, notation := range []string{"[salt16(values(c,a))][s(c)][a:8]", "[salt16(c)][a:8][s(c)]", "[salt256(values(a,c))][min(c)]['_'][a:8]", "[copy0=c][a:8][s(c)]",
		"[salt16(values(c,a))][ms(c) truncate(1h)][a:8]", "[salt16(c)][ms(c) truncate(1m)][a:8]", "[salt16(values(a,c))][a:8][ms(c) truncate(1m)]", "[copy0=c][a:8][ms(c) truncate(1m)]"} {
		s, err := rowkey.Parse("t", notation)
		require.NoError(t, err, notation)
		codec, err := rowkey.Bind[row](s)
		require.NoError(t, err, notation)
		for i := range int64(300) {
			r := row{1_700_000_000_123 + i*61_007, uint64(i)}
			values := map[string]any{"a": r.A, "c": time.UnixMilli(r.C)}
			var given []any
			for f := range s.Fields() {
				if v, ok := values[f.Name]; ok {
					given = append(given, v)
				}
			}
			want, err := s.AppendKey(nil, given...)
			require.NoError(t, err, notation)
			key, err := codec.Append(make([]byte, 0, 256), &r)
			require.NoError(t, err, notation)
			require.Equal(t, want, key, "%s %+v", notation, r)
		}
	}
}
