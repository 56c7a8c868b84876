package laws

import (
	"bytes"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The techniques (T1 …) and designs (D1 …) that articles and vendors' guides
// teach for HBase and Lindorm row keys, each as a schema with known bytes. The
// folder examples/designs tells the designs as stories; here are the bytes.

var (
	beijing  = time.FixedZone("CST", 8*3600)
	midnight = time.Date(2012, 12, 12, 0, 0, 0, 0, beijing)
	opTime   = time.UnixMilli(1684203630000) // 2023-05-16 02:20:30 UTC
)

const vin = "LSVAU2180N2183294"

// design is one layout, rows that are easily mistaken for each other, and the
// bytes of the first of them.
type design struct {
	numbers string // the techniques and designs it shows: "T6 D8"
	name    string
	schema  *rowkey.Builder
	want    string // key of the first row: hexadecimal, or text after "t:"
	rows    [][]any

	open   map[int]int // ranges of a row's first n values, where not one; 0: too many to list
	covers int         // so few values do not isolate: a range may hold more than was asked for
	noRead error       // Loose: why no key can be read back
}

func text(s string) string { return "t:" + s }

// wantBytes is a table's want as bytes.
func wantBytes(t *testing.T, want string) []byte {
	t.Helper()
	if s, ok := strings.CutPrefix(want, "t:"); ok {
		return []byte(s)
	}
	b, err := hex.DecodeString(strings.ReplaceAll(want, " ", ""))
	require.NoError(t, err)
	return b
}

// supply hands values of run-time types to the fluent builder.
func supply(k rowkey.KeyBuilder, names []string, values []any) rowkey.KeyBuilder {
	for i, v := range values {
		if names != nil {
			k = k.Field(names[i])
		}
		switch v := v.(type) {
		case string:
			k = k.String(v)
		case []byte:
			k = k.Binary(v)
		case int:
			k = k.Int(int64(v))
		case uint64:
			k = k.Uint(v)
		case time.Time:
			k = k.Time(v)
		default:
			panic(fmt.Sprintf("a design's value is a %T", v))
		}
	}
	return k
}

func sameValue(a, b any) bool {
	switch a := a.(type) {
	case time.Time:
		bt, ok := b.(time.Time)
		return ok && a.Equal(bt)
	case []byte:
		bb, ok := b.([]byte)
		return ok && bytes.Equal(a, bb)
	case string:
		bs, ok := b.(string)
		return ok && a == bs
	}
	return fmt.Sprint(a) == fmt.Sprint(b) // integers of whatever type
}

func (d *design) check(t *testing.T) {
	s, err := d.schema.Build()
	require.NoError(t, err)
	t.Log(s)

	var names []string
	var stored []bool
	for f := range s.Fields() {
		if !f.Derived && f.Kind != "literal" {
			names, stored = append(names, f.Name), append(stored, f.Stored)
		}
	}

	keys := make([][]byte, len(d.rows))
	for i, row := range d.rows {
		require.Len(t, row, len(names), "row %d: a value for each field", i)
		fluent, err := supply(s.Key(), names, row).Bytes()
		require.NoError(t, err, "row %d", i)
		appended, err := s.AppendKey([]byte("mine"), row...)
		require.NoError(t, err, "row %d", i)
		assert.Equal(t, "mine"+string(fluent), string(appended), "AppendKey and Key differ on row %d", i)
		keys[i] = fluent
	}
	if d.want != "" {
		assert.Equal(t, hex.EncodeToString(wantBytes(t, d.want)), hex.EncodeToString(keys[0]))
	}

	for i, row := range d.rows {
		d.readBack(t, s, keys[i], row, names, stored)
	}
	if d.noRead == nil {
		for i, a := range keys {
			for j, b := range keys[:i] {
				assert.NotEqual(t, a, b, "rows %d and %d share a key", i, j)
			}
		}
	}

	for i, row := range d.rows {
		for n := 1; n <= len(row); n++ {
			d.bound(t, s, keys, i, n)
		}
	}
}

// readBack decodes a key through both readers, and the values make it again.
func (d *design) readBack(t *testing.T, s *rowkey.Schema, key []byte, row []any, names []string, stored []bool) {
	before := bytes.Clone(key)
	view, err := s.Decode(key)
	if d.noRead != nil {
		assert.ErrorIs(t, err, d.noRead)
		return
	}
	require.NoError(t, err, "decode %x", key)
	decoded := map[string]any{}
	for name, v := range view.All() {
		decoded[name] = v
	}

	r := s.Read(key)
	again := slices.Clone(row)
	for i, name := range names {
		assert.Equal(t, stored[i], view.Has(name), "%s is in the key", name)
		if !stored[i] {
			assert.NotContains(t, decoded, name)
			continue
		}
		assert.True(t, sameValue(row[i], decoded[name]), "%s: wrote %v, decoded %v", name, row[i], decoded[name])
		switch row[i].(type) {
		case string:
			var v string
			r = r.String(&v)
			again[i] = v
		case []byte:
			var v []byte
			r = r.Binary(&v)
			again[i] = v
		case int:
			var v int64
			r = r.Int(&v)
			again[i] = int(v)
		case uint64:
			var v uint64
			r = r.Uint(&v)
			again[i] = v
		case time.Time:
			var v time.Time
			r = r.Time(&v)
			again[i] = v
		}
		assert.True(t, sameValue(row[i], again[i]), "%s: wrote %v, read %v", name, row[i], again[i])
	}
	require.NoError(t, r.Err(), "read %x", key)
	rewritten, err := s.AppendKey(nil, again...)
	require.NoError(t, err)
	assert.Equal(t, key, rewritten)
	assert.Equal(t, before, key, "reading changed the key")
}

// bound tries the ranges of the first n values of row i against all keys: each
// lies in exactly one if it has those values, in none if it has others.
func (d *design) bound(t *testing.T, s *rowkey.Schema, keys [][]byte, i, n int) {
	head := d.rows[i][:n]
	r, err := supply(s.Key(), nil, head).Range()
	ranges := []rowkey.Range{r}
	if want, open := d.open[n]; open {
		require.ErrorIs(t, err, rowkey.ErrManyRanges, "%v", head)
		ranges, _, err = supply(s.Key(), nil, head).AppendRanges(nil, nil)
		if want == 0 {
			require.ErrorIs(t, err, rowkey.ErrManyRanges, "%v", head)
			return
		}
		require.NoError(t, err, "%v", head)
		require.Len(t, ranges, want, "%v", head)
	}
	require.NoError(t, err, "%v", head)
	for j := 1; j < len(ranges); j++ {
		assert.LessOrEqual(t, bytes.Compare(ranges[j-1].Stop(), ranges[j].Start()), 0, "ranges %d and %d overlap", j-1, j)
	}

	for j, key := range keys {
		same := slices.EqualFunc(head, d.rows[j][:n], sameValue)
		found := 0
		for _, r := range ranges {
			if r.Contains(key) {
				found++
			}
		}
		switch {
		case same:
			assert.Equal(t, 1, found, "%v must be read by %v", d.rows[j], head)
		case n > d.covers:
			assert.Zero(t, found, "%v must not be read by %v", d.rows[j], head)
		}
	}
}

// designs are built anew for each run: a Builder builds once.
func designs() []design {
	return []design{
		{
			numbers: "T2", name: "leftmost prefix: uid, phone, name",
			schema: rowkey.New("people").Uint("uid", 8).String("phone").Separator("\x00").String("name"),
			want:   "000000000000006f" + "31323300" + "616263",
			rows: [][]any{
				{111, "123", "abc"}, {111, "123", "ab"}, {111, "12", "3abc"}, {111, "1234", "abc"}, {111, "", "abc"},
				{11, "1123", "abc"}, {112, "123", "abc"}, {111, "123", ""},
			},
		}, {
			numbers: "T2", name: "uid and phone glued: writing works, reading back cannot",
			schema: rowkey.New("glued").Uint("uid", 8, rowkey.Decimal, rowkey.Loose).String("phone", rowkey.Loose).String("name"),
			want:   text("111123"),
			rows:   [][]any{{11, "1123", ""}, {111, "123", ""}},
			noRead: rowkey.ErrAmbiguous, covers: 3,
		}, {
			numbers: "T3 T4", name: "random letter in front",
			schema: rowkey.New("foo").String("salt", rowkey.OneOf("a", "b", "c", "d")).Separator("-").String("id"),
			want:   text("a-foo0001"),
			rows:   [][]any{{"a", "foo0001"}, {"b", "foo0001"}, {"d", "foo0001"}, {"a", "foo00011"}, {"a", "foo0002"}},
		}, {
			numbers: "T3", name: "derived letter in front",
			schema: rowkey.New("foo").Salt(4, "id", rowkey.Letters("abcd")).Separator("-").String("id"),
			want:   text("c-foo0001"),
			rows:   [][]any{{"foo0001"}, {"foo00011"}, {"foo0002"}, {"foo0003"}, {"foo0004"}, {""}},
		}, {
			numbers: "T3", name: "derived digit in front",
			schema: rowkey.New("foo").Salt(10, "id", rowkey.Digits(1)).String("id"),
			want:   text("6foo0001"),
			rows:   [][]any{{"foo0001"}, {"foo00011"}, {"foo0002"}, {"foo0003"}, {""}},
		}, {
			numbers: "T3", name: "%02d of Java's hashCode mod 100",
			schema: rowkey.New("ex").Salt(100, "user", interop.JavaHash, rowkey.Digits(2)).Separator("_").String("user"),
			want:   text("75_user123"),
			rows:   [][]any{{"user123"}, {"user1234"}, {"user12"}, {"polygenelubricants"}},
		}, {
			numbers: "T5", name: "ts mod n",
			schema: rowkey.New("log").Salt(10, "ts", rowkey.Modulo).Time("ts", rowkey.Millis).String("host"),
			want:   "07 00000188225bedb7 68",
			rows: [][]any{
				{time.UnixMilli(1684203630007), "h"}, {time.UnixMilli(1684203630007), "hh"}, {time.UnixMilli(1684203630008), "h"},
				{time.UnixMilli(1684203630017), "h"},
			},
		}, {
			numbers: "T4", name: "round robin in the high bytes",
			schema: rowkey.New("rr").Uint("slot", 2, rowkey.Below(16)).Time("at", rowkey.Millis),
			want:   "0003 0000000000000001",
			rows:   [][]any{{3, time.UnixMilli(1)}, {4, time.UnixMilli(1)}, {3, time.UnixMilli(2)}, {3, time.UnixMilli(257)}},
		}, {
			numbers: "T6", name: "md5 prefix kept with the original",
			schema: rowkey.New("foo").Hash(rowkey.MD5.Hex(6), "id").String("id"),
			want:   text("95f18cfoo0001"),
			rows:   [][]any{{"foo0001"}, {"foo00011"}, {"foo0002"}, {""}},
		}, {
			numbers: "T6", name: "sha256 and murmur prefix",
			schema: rowkey.New("foo").Hash(rowkey.SHA256.Hex(5), "id").Hash(rowkey.Murmur3.Raw(2), "id").String("id"),
			want:   "3263663234" + "248b" + "68656c6c6f",
			rows:   [][]any{{"hello"}, {"hello1"}, {"hell"}},
		}, {
			numbers: "T6", name: "sha1 and sha512 prefix",
			schema: rowkey.New("foo").Hash(rowkey.SHA1.Hex(4), "id").Hash(rowkey.SHA512.Hex(6).Upper(), "id").String("id"),
			want:   text("0465" + "C3F5A1" + "foo0001"),
			rows:   [][]any{{"foo0001"}, {"foo0002"}},
		}, {
			numbers: "T6", name: "md5(String.valueOf(uid))",
			schema: rowkey.New("u").Hash(rowkey.MD5.Hex(4), "text(uid)").Uint("uid", 8),
			want:   "36343132" + "0000000000002766", // md5("10086") begins 6412
			rows:   [][]any{{10086}, {10087}, {1008}},
		}, {
			numbers: "T6", name: "md5 of a format, from the eighth character on",
			schema: rowkey.New("u").Hash(rowkey.MD5.HexAt(8, 16), `format("%s%d",app,uid)`).String("app", rowkey.Fixed(2)).Uint("uid", 8),
			want:   hex.EncodeToString([]byte("92d7df37f654f13f"+"tb")) + "0000000000002766",
			rows:   [][]any{{"tb", 10086}, {"tm", 10086}, {"tb", 10087}},
			open:   map[int]int{1: 0}, // 16 hexadecimal characters: nobody lists those
		}, {
			numbers: "T7", name: "hash in place of the id",
			schema: rowkey.New("h").String("id", rowkey.NotStored).Hash(rowkey.MD5.Raw(16), "id").Time("at", rowkey.Millis, rowkey.Desc),
			want:   "95f18cf8cd6694cf7c1dbc583488a6f5" + "7ffffe77dda4124f",
			rows:   [][]any{{"foo0001", opTime}, {"foo0002", opTime}, {"foo0001", opTime.Add(time.Millisecond)}},
		}, {
			numbers: "T8", name: "random suffix",
			schema: rowkey.New("o").String("user").Separator("_").String("order").Separator("_").Uint("nonce", 1, rowkey.Below(100), rowkey.Digits(2)),
			want:   text("u_o1_07"),
			rows:   [][]any{{"u", "o1", 7}, {"u", "o1", 70}, {"u", "o", 17}, {"u", "o11", 7}, {"u1", "o1", 7}},
		}, {
			numbers: "T9", name: "the whole key reversed: the fields from the last, each reversed",
			schema: rowkey.New("w").Time("day", rowkey.Layout("20060102", time.UTC), rowkey.Reverse).Separator("_").String("user", rowkey.Reverse),
			want:   text("61503202_321resu"), // user123_20230516
			rows: [][]any{
				{time.Date(2023, 5, 16, 0, 0, 0, 0, time.UTC), "user123"},
				{time.Date(2023, 5, 16, 0, 0, 0, 0, time.UTC), "auser123"},
				{time.Date(2023, 6, 15, 0, 0, 0, 0, time.UTC), "user123"},
			},
		}, {
			numbers: "T9 T11", name: "host by characters",
			schema: rowkey.New("site").String("host", rowkey.Reverse),
			want:   text("moc.golbeti.knilf"),
			rows:   [][]any{{"flink.iteblog.com"}, {"iteblog.com"}, {"spark.iteblog.com"}, {"flink.iteblog.com.cn"}},
		}, {
			numbers: "T11", name: "host by labels",
			schema: rowkey.New("site").String("host", rowkey.ReverseLabels(".")),
			want:   text("com.iteblog.flink"),
			rows:   [][]any{{"flink.iteblog.com"}, {"iteblog.com"}, {"spark.iteblog.com"}, {"flink.iteblogger.com"}},
		}, {
			numbers: "T9", name: "a fixed part reversed",
			schema: rowkey.New("p").String("phone", rowkey.ReversePart(3, 11), rowkey.Fixed(11)),
			want:   text("13187654321"),
			rows:   [][]any{{"13112345678"}, {"13187654321"}, {"13212345678"}},
		}, {
			numbers: "T10", name: "digits reversed",
			schema: rowkey.New("p").Uint("id", 4, rowkey.Digits(7), rowkey.Reverse),
			want:   text("2100000"),
			rows:   [][]any{{12}, {21}, {120}, {2100000}},
		}, {
			numbers: "T10", name: "phone number reversed",
			schema: rowkey.New("p").Uint("phone", 8, rowkey.Digits(11), rowkey.Reverse),
			want:   text("87654321131"),
			rows:   [][]any{{uint64(13112345678)}, {uint64(13112345679)}, {uint64(1311234567)}},
		}, {
			numbers: "T10", name: "time digits reversed",
			schema: rowkey.New("p").Time("at", rowkey.Layout("20060102150405", time.UTC), rowkey.Reverse),
			want:   text("03020161503202"),
			rows:   [][]any{{time.Date(2023, 5, 16, 10, 20, 30, 0, time.UTC)}, {time.Date(2023, 5, 16, 10, 20, 31, 0, time.UTC)}},
		}, {
			numbers: "T12", name: "Long.MAX_VALUE − ts as 19 digits",
			schema: rowkey.New("p").Time("at", rowkey.Millis, rowkey.Desc, rowkey.Digits(19)),
			want:   text("9223370352651145807"),
			rows:   [][]any{{opTime}, {opTime.Add(time.Millisecond)}, {time.UnixMilli(0)}},
		}, {
			numbers: "T12", name: "9999999999999 − ts",
			schema: rowkey.New("p").Time("at", rowkey.Millis, rowkey.Digits(13), rowkey.Desc),
			want:   text("8315796369999"),
			rows:   [][]any{{opTime}, {opTime.Add(time.Millisecond)}, {time.UnixMilli(0)}},
		}, {
			numbers: "T12", name: "Integer.MAX_VALUE − s",
			schema: rowkey.New("p").Time("at", rowkey.Seconds, rowkey.Width(4), rowkey.Desc),
			want:   "1b9d1791",
			rows:   [][]any{{opTime}, {opTime.Add(time.Second)}, {time.Unix(math.MaxInt32, 0)}, {time.Unix(0, 0)}},
		}, {
			numbers: "T14", name: "rpad(col, 'x', 20)",
			schema: rowkey.New("p").String("col", rowkey.Pad(20, 'x')).String("col2"),
			want:   text("host1xxxxxxxxxxxxxxxv"),
			rows:   [][]any{{"host1", "v"}, {"host12", "v"}, {"host1", "xv"}, {"host", "1v"}, {"", "v"}},
		}, {
			numbers: "T14", name: "zero-padded number",
			schema: rowkey.New("p").Uint("id", 4, rowkey.Digits(8)).Uint("part", 2, rowkey.Digits(3)),
			want:   text("00000123" + "004"),
			rows:   [][]any{{123, 4}, {123, 40}, {12, 304}, {1230, 4}},
		}, {
			numbers: "T15", name: "separator and constants",
			schema: rowkey.New("p").Literal("v1-").String("a").Separator("_").String("b"),
			want:   text("v1-1_a_b"),
			rows:   [][]any{{"1", "a_b"}, {"1", "a"}, {"", "a_b"}, {"11", "a_b"}},
		}, {
			numbers: "T15", name: "status and date as suffixes",
			schema: rowkey.New("p").String("order").Separator("-").Uint("status", 1, rowkey.Below(2), rowkey.Digits(1)).
				Separator("-").Time("day", rowkey.Layout("20060102", beijing)),
			want: text("o1-1-20230516"),
			rows: [][]any{
				{"o1", 1, time.Date(2023, 5, 16, 0, 0, 0, 0, beijing)}, {"o1", 0, time.Date(2023, 5, 16, 0, 0, 0, 0, beijing)},
				{"o1", 1, time.Date(2023, 5, 17, 0, 0, 0, 0, beijing)}, {"o11", 1, time.Date(2023, 5, 16, 0, 0, 0, 0, beijing)},
			},
		}, {
			numbers: "T16", name: "2015122410 as an int, names as codes",
			schema: rowkey.New("p").Time("hour", rowkey.Layout("2006010215", time.UTC), rowkey.Width(4)).
				String("site", rowkey.Codes(map[string]string{"淘宝": "tb", "天猫": "tm"})),
			want: "781c53ea 7462",
			rows: [][]any{
				{time.Date(2015, 12, 24, 10, 0, 0, 0, time.UTC), "淘宝"}, {time.Date(2015, 12, 24, 10, 0, 0, 0, time.UTC), "天猫"},
				{time.Date(2015, 12, 24, 11, 0, 0, 0, time.UTC), "淘宝"},
			},
		}, {
			numbers: "T16", name: "UUID as 16 bytes, not 36",
			schema: rowkey.New("p").Binary("uuid", rowkey.Fixed(16)).Uint("part", 1),
			want:   "123e4567e89b12d3a456426614174000 05",
			rows: [][]any{
				{[]byte("\x12\x3e\x45\x67\xe8\x9b\x12\xd3\xa4\x56\x42\x66\x14\x17\x40\x00"), 5},
				{[]byte("\x12\x3e\x45\x67\xe8\x9b\x12\xd3\xa4\x56\x42\x66\x14\x17\x40\x01"), 5},
				{bytes.Repeat([]byte{0xff}, 16), 255},
			},
		}, {
			numbers: "T17 T18 D19", name: "transactions of a day: slot, millisecond of the day",
			schema: rowkey.New("tx-20121212").Uint("slot", 2).
				Time("at", rowkey.Millis.Since(midnight), rowkey.Width(4), rowkey.Below(86_400_000)).Binary("ext"),
			want: "0007 02255100 01",
			rows: [][]any{
				{7, midnight.Add(10 * time.Hour), []byte{1}}, {7, midnight.Add(10 * time.Hour), []byte{}}, {7, midnight.Add(10 * time.Hour), []byte{1, 0}},
				{8, midnight.Add(10 * time.Hour), []byte{1}}, {7, midnight, []byte{1}}, {7, midnight.Add(24*time.Hour - time.Millisecond), []byte{1}},
			},
		}, {
			numbers: "T17 D20", name: "statistics of a day: number, minute of the day",
			schema: rowkey.New("st-20121212").Uint("seq", 4).Time("at", rowkey.Minutes.Since(midnight), rowkey.Width(2), rowkey.Below(1440)).Binary("ext"),
			want:   "00000007 059f",
			rows: [][]any{
				{7, midnight.Add(23*time.Hour + 59*time.Minute), []byte{}}, {7, midnight.Add(23*time.Hour + 58*time.Minute), []byte{}},
				{7, midnight.Add(23*time.Hour + 59*time.Minute), []byte{0}}, {8, midnight.Add(23*time.Hour + 59*time.Minute), []byte{}},
			},
		}, {
			numbers: "T17 D21", name: "general table: number and at most 12 bytes of the loader's own",
			schema: rowkey.New("g", rowkey.MaxLen(16)).Uint("seq", 4).Binary("ext"),
			want:   "00000009 6162",
			rows:   [][]any{{9, []byte("ab")}, {9, []byte("abc")}, {9, []byte{}}, {10, []byte("ab")}, {9, []byte("abcdefghijkl")}},
		}, {
			numbers: "T17", name: "time in little-endian order spreads by itself",
			schema: rowkey.New("le").Time("at", rowkey.Millis.Since(midnight), rowkey.Width(4), rowkey.Reverse).Uint("seq", 2),
			want:   "00512502 0001",
			rows:   [][]any{{midnight.Add(10 * time.Hour), 1}, {midnight.Add(10*time.Hour + time.Millisecond), 1}, {midnight.Add(10 * time.Hour), 256}},
		},

		{
			numbers: "D1 T3 T21", name: "orders by seller, salted by seller",
			schema: orderTable("bySeller", "seller"),
			want:   "0c 732d343200 7ffffe77dda4124f 0000000000000007 622d31",
			rows: [][]any{
				{"s-42", opTime, 7, "b-1"}, {"s-42", opTime, 8, "b-1"}, {"s-42", opTime, 7, "b-12"}, {"s-4", opTime, 7, "b-1"},
				{"s-421", opTime, 7, "b-1"}, {"s-42", opTime.Add(time.Millisecond), 7, "b-1"},
			},
		}, {
			numbers: "D2", name: "orders by buyer, salted by buyer",
			schema: orderTable("byBuyer", "buyer"),
			want:   "09 622d3100 7ffffe77dda4124f 0000000000000007 732d3432",
			rows:   [][]any{{"b-1", opTime, 7, "s-42"}, {"b-12", opTime, 7, "s-42"}, {"b-1", opTime, 7, "s-4"}, {"b-1", opTime.Add(time.Second), 7, "s-42"}},
		}, {
			numbers: "D3", name: "orders by number",
			schema: orderNumbers(),
			want:   "0f 0000002f1a53c341 732d343200 622d3100 7ffffe77dda4124f",
			rows: [][]any{
				{uint64(202305160001), "s-42", "b-1", opTime}, {uint64(202305160002), "s-42", "b-1", opTime}, {uint64(202305160001), "s-4", "2b-1", opTime},
			},
		}, {
			numbers: "D5", name: "risk profile by uid",
			schema: rowkey.New("riskByUid").Hash(rowkey.MD5.Hex(5), "text(uid)").Uint("uid", 8),
			want:   hex.EncodeToString([]byte("64121")) + "0000000000002766",
			rows:   [][]any{{10086}, {10087}, {100860}},
		}, {
			numbers: "D6", name: "risk profile by id card",
			schema: rowkey.New("riskByCard").Hash(rowkey.MD5.Hex(5), "card").String("card", rowkey.Fixed(18)).Uint("uid", 8),
			want:   hex.EncodeToString([]byte("39db0"+"110101199003074514")) + "0000000000002766",
			rows:   [][]any{{"110101199003074514", 10086}, {"110101199003074514", 10087}, {"110101199003074515", 10086}},
		}, {
			numbers: "D7", name: "risk profile by phone",
			schema: rowkey.New("riskByPhone").Hash(rowkey.MD5.Hex(5), "phone").String("phone", rowkey.Fixed(11)),
			want:   text("c5f3e" + "13111111111"),
			rows:   [][]any{{"13111111111"}, {"13111111112"}},
		}, {
			numbers: "D8 T6", name: "vehicle telemetry",
			schema: vehicles(),
			want:   hex.EncodeToString([]byte("39f67e"+vin)) + "0000018fd1189400",
			rows: [][]any{
				{vin, time.UnixMilli(1717200000000)}, {vin, time.UnixMilli(1717200000001)}, {"LSVAU2180N2183295", time.UnixMilli(1717200000000)},
			},
		}, {
			numbers: "D9 D10 T12 T21", name: "operations of a user, newest first",
			schema: operations(),
			want:   "0000000000002766 7ffffe77dda4124f",
			rows:   [][]any{{10086, opTime}, {10086, opTime.Add(time.Millisecond)}, {10087, opTime}, {1, opTime}, {uint64(math.MaxUint64), opTime}},
		}, {
			numbers: "D11 T20", name: "phone to uid",
			schema: rowkey.New("phoneIndex").String("phone", rowkey.Reverse, rowkey.Fixed(11)).Uint("uid", 8),
			want:   hex.EncodeToString([]byte("87654321131")) + "0000000000002766",
			rows:   [][]any{{"13112345678", 10086}, {"13112345678", 10087}, {"13112345679", 10086}},
		}, {
			numbers: "D12", name: "logs by host, event, time",
			schema: logLines(),
			want:   hex.EncodeToString([]byte("web-01\x00oom\x00")) + "0000018cc251f400",
			rows: [][]any{
				{"web-01", "oom", time.UnixMilli(1704067200000)}, {"web-012", "oom", time.UnixMilli(1704067200000)}, {"web-01", "oomk", time.UnixMilli(1704067200000)},
				{"web-0", "1oom", time.UnixMilli(1704067200000)}, {"web-01", "oom", time.UnixMilli(1704067200001)},
			},
		}, {
			numbers: "D13", name: "logs by host, event, newest first",
			schema: logLines(rowkey.Desc),
			want:   hex.EncodeToString([]byte("web-01\x00oom\x00")) + "7ffffe733dae0bff",
			rows: [][]any{
				{"web-01", "oom", time.UnixMilli(1704067200000)}, {"web-012", "oom", time.UnixMilli(1704067200000)}, {"web-01", "oom", time.UnixMilli(1704067200001)},
			},
		}, {
			numbers: "D14 T5", name: "logs bucketed by time",
			schema: rowkey.New("logs").Salt(8, "ts", rowkey.Modulo).Time("ts", rowkey.Millis).String("host").Separator("\x00").String("event"),
			want:   "01 0000018cc251f401" + hex.EncodeToString([]byte("web-01\x00oom")),
			rows: [][]any{
				{time.UnixMilli(1704067200001), "web-01", "oom"}, {time.UnixMilli(1704067200001), "web-012", "oom"}, {time.UnixMilli(1704067200001), "web-01", "oomk"},
				{time.UnixMilli(1704067200002), "web-01", "oom"}, {time.UnixMilli(1704067200009), "web-01", "oom"},
			},
		}, {
			numbers: "D14", name: "global timeline, bucketed by host",
			schema: timeline(),
			want:   "04 0000018cc251f400 7765622d303100 00000001",
			rows: [][]any{
				{time.UnixMilli(1704067200000), "web-01", 1}, {time.UnixMilli(1704067200000), "web-02", 1}, {time.UnixMilli(1704067200000), "db-01", 1},
				{time.UnixMilli(1704067200000), "host1", 1}, {time.UnixMilli(1704067200000), "host12", 1}, {time.UnixMilli(1704067200001), "web-01", 1},
			},
			open: map[int]int{1: 8},
		}, {
			numbers: "D15", name: "chat: salt_from_to_revts",
			schema: rowkey.New("chat").Salt(100, "from", interop.JavaHash, rowkey.Digits(2)).Separator("_").String("from").Separator("_").
				String("to").Separator("_").Time("at", rowkey.Millis, rowkey.Desc, rowkey.Decimal, rowkey.Reverse),
			want: text("76_u1_u2_7085411562530733229"),
			rows: [][]any{{"u1", "u2", opTime}, {"u2", "u1", opTime}, {"u1", "u21", opTime}, {"u12", "u2", opTime}, {"u1", "u2", opTime.Add(time.Millisecond)}},
		}, {
			numbers: "D16", name: "chat by pair: lower and higher user",
			schema: rowkey.New("chat2").Hash(rowkey.MD5.Raw(1), "values(lo,hi)").Uint("lo", 8).Uint("hi", 8).Time("at", rowkey.Millis, rowkey.Desc),
			want:   "10 00000000000003e9 00000000000007d2 7ffffe77dda4124f",
			rows:   [][]any{{1001, 2002, opTime}, {1001, 2003, opTime}, {1002, 2002, opTime}, {1001, 2002, opTime.Add(time.Millisecond)}},
			open:   map[int]int{1: 256},
		}, {
			numbers: "D16", name: "chat by pair: both directions in one bucket",
			schema: rowkey.New("chat3").Hash(rowkey.MD5.Raw(1), "minmax(from,to)").Uint("from", 8).Uint("to", 8).Time("at", rowkey.Millis, rowkey.Desc),
			want:   "10 00000000000007d2 00000000000003e9 7ffffe77dda4124f",
			rows:   [][]any{{2002, 1001, opTime}, {1001, 2002, opTime}, {1001, 1001, opTime}, {2002, 2002, opTime}},
			open:   map[int]int{1: 256},
		}, {
			numbers: "D17", name: "IoT: device_sensor_revts",
			schema: rowkey.New("iot").String("device").Separator("_").String("sensor").Separator("_").Time("at", rowkey.Millis, rowkey.Desc),
			want:   "64315f 745f 7ffffe77dda4124f",
			rows: [][]any{
				{"d1", "t", opTime}, {"d1", "t1", opTime}, {"d12", "t", opTime}, {"d", "1t", opTime}, {"d1", "t", opTime.Add(time.Millisecond)},
			},
		}, {
			numbers: "D18 T21", name: "user-day: 3231-20121212",
			schema: userDays(),
			want:   "333233312d3230313231323132",
			rows:   [][]any{{3231, midnight}, {3231, midnight.AddDate(0, 0, 1)}, {323, midnight}, {32312, midnight}, {0, midnight}},
		}, {
			numbers: "D23 T11", name: "web pages by reversed host",
			schema: rowkey.New("pages").String("host", rowkey.ReverseLabels(".")).Separator("\x00").String("path"),
			want:   text("com.iteblog.flink\x00/a"),
			rows: [][]any{
				{"flink.iteblog.com", "/a"}, {"flink.iteblog.com", "/ab"}, {"iteblog.com", "/a"}, {"flink.iteblogger.com", "/a"}, {"a.flink.iteblog.com", "/a"},
			},
		}, {
			numbers: "D24 T4", name: "events written round robin",
			schema: roundRobinEvents(),
			want:   "03 00000188225bedb0 6531",
			rows:   [][]any{{3, opTime, "e1"}, {4, opTime, "e1"}, {3, opTime, "e12"}, {3, opTime.Add(time.Millisecond), "e1"}},
		},

		{
			numbers: "T6", name: "orders: md5 of the uid's ten digits",
			schema: rowkey.New("ord").Hash(rowkey.MD5.Hex(4), "stored(uid)").Uint("uid", 8, rowkey.Digits(10)).Uint("order", 8, rowkey.Digits(12)),
			want:   text("7a700000010086202305160001"),
			rows:   [][]any{{10086, uint64(202305160001)}, {10086, uint64(202305160002)}, {100862, uint64(202305160001)}},
		}, {
			numbers: "T17", name: "signed sensor",
			schema: sensors(),
			want:   "00000005 7fffff9c",
			rows:   [][]any{{5, -100}, {5, 100}, {5, -1}, {5, 0}, {5, math.MaxInt32}, {5, math.MinInt32}, {6, -100}},
		}, {
			numbers: "T17", name: "a day table of times alone",
			schema: rowkey.New("d").Time("at", rowkey.Millis.Since(midnight), rowkey.Width(4)),
			want:   "02255100",
			rows:   [][]any{{midnight.Add(10 * time.Hour)}, {midnight}, {midnight.Add(24 * time.Hour)}},
		}, {
			numbers: "T15", name: "escaped hosts",
			schema: rowkey.New("esc").String("host", rowkey.Escaped).Uint("n", 1),
			want:   "686f7374310001 07",
			rows:   [][]any{{"host1", 7}, {"host12", 7}, {"host1_a", 7}, {"host1\x00", 7}, {"host1\x00\x01", 7}, {"", 7}, {"host1", 8}},
		}, {
			numbers: "T3", name: "salt of a column that is not in the key",
			schema: rowkey.New("x").String("region", rowkey.NotStored).Salt(16, "region").Time("at", rowkey.Millis).Uint("id", 8),
			want:   "07 0000000000000001 0000000000000002",
			rows:   [][]any{{"hello", time.UnixMilli(1), 2}, {"hello", time.UnixMilli(1), 3}, {"hello", time.UnixMilli(2), 2}, {"foo0001", time.UnixMilli(1), 2}},
		}, {
			numbers: "T3 T18", name: "salt of seller and day, the day not stored",
			schema: rowkey.New("x").Salt(16, "values(seller,day)").String("seller").Separator("\x00").Time("at", rowkey.Millis, rowkey.Desc).
				Copy("day", "at", rowkey.Layout("20060102", beijing), rowkey.NotStored),
			want: "02 7300 7ffffe77dda4124f", // murmur3("s20230516") mod 16
			rows: [][]any{{"s", opTime}, {"s", opTime.AddDate(0, 0, 1)}, {"s2", opTime}},
			open: map[int]int{1: 16},
		}, {
			numbers: "T15 T12", name: "a key of many parts, as Phoenix lays it",
			schema: rowkey.New("t").String("n").Separator("\x00").String("sex", rowkey.Fixed(1)).Int("y", 2, rowkey.Desc).Int("id", 8, rowkey.Desc),
			want:   "416262657900 46 7823 7fffffffffffff02",
			rows:   [][]any{{"Abbey", "F", 2012, 253}, {"Abbey", "F", 2012, 254}, {"Abbey", "F", -2012, 253}, {"Abbe", "y", 2012, 253}, {"Abbey1", "F", 2012, 253}},
		}, {
			numbers: "T3", name: "the same, salted by all that follows",
			schema: rowkey.New("t").Salt(16, "rest()", interop.PhoenixHash).
				String("n").Separator("\x00").String("sex", rowkey.Fixed(1)).Int("y", 2, rowkey.Desc).Int("id", 8, rowkey.Desc),
			want: "08 416262657900 46 7823 7fffffffffffff02",
			rows: [][]any{{"Abbey", "F", 2012, 253}, {"Abbey", "F", 2012, 254}, {"Abbey1", "F", 2012, 253}},
			open: map[int]int{1: 16, 2: 16, 3: 16},
		}, {
			numbers: "T3", name: "salted by all that follows, whose hash is MIN_VALUE",
			schema: rowkey.New("t").Salt(3, "rest()", interop.PhoenixHash).Binary("x"),
			want:   "02 9600f60013fe",
			rows:   [][]any{{[]byte("\x96\x00\xf6\x00\x13\xfe")}, {[]byte("\x96\x00\xf6\x00\x13")}, {[]byte{}}},
		}, {
			numbers: "T15", name: "escaped bytes, inverted with their end",
			schema: rowkey.New("t").Binary("x", rowkey.Escaped, rowkey.Desc).Int("y", 4),
			want:   "ff00 fe fffe 80000001",
			rows:   [][]any{{[]byte{0, 1}, 1}, {[]byte{0}, 1}, {[]byte{}, 1}, {[]byte{0, 1, 0}, 1}, {[]byte{0, 0xff}, 1}, {[]byte{0, 1}, -1}},
		}, {
			numbers: "T18", name: "the same time twice: day in front, milliseconds behind",
			schema: rowkey.New("x").Copy("day", "at", rowkey.Layout("20060102", time.UTC)).String("host").Separator("\x00").Time("at", rowkey.Millis),
			want:   hex.EncodeToString([]byte("20230516h\x00")) + "00000188225bedb0",
			rows:   [][]any{{"h", opTime}, {"h", opTime.AddDate(0, 0, 1)}, {"h1", opTime}},
			open:   map[int]int{1: 0},
		}, {
			numbers: "T3 T10", name: "last four digits of the phone in front",
			schema: rowkey.New("x").Copy("tail", "phone", rowkey.Right(4)).String("phone", rowkey.Fixed(11)),
			want:   text("5678" + "13112345678"),
			rows:   [][]any{{"13112345678"}, {"13112345679"}},
		},
	}
}

// The layouts that more than one test asks something of.

// orderTable is one of the two tables that list orders by one party. Both hold
// all fields, so that each key can be made from the other.
func orderTable(name, lead string) *rowkey.Builder {
	other := map[string]string{"seller": "buyer", "buyer": "seller"}[lead]
	return rowkey.New(name).Salt(16, lead).String(lead).Separator("\x00").
		Time("at", rowkey.Millis, rowkey.Desc).Uint("order", 8).String(other)
}

func orderNumbers() *rowkey.Builder {
	return rowkey.New("byNumber").Salt(16, "order").Uint("order", 8).
		String("seller").Separator("\x00").String("buyer").Separator("\x00").Time("at", rowkey.Millis, rowkey.Desc)
}

func vehicles() *rowkey.Builder {
	return rowkey.New("car").Hash(rowkey.MD5.Hex(6), "vin").String("vin", rowkey.Fixed(17)).Time("at", rowkey.Millis)
}

func operations() *rowkey.Builder {
	return rowkey.New("ops").Uint("uid", 8).Time("at", rowkey.Millis, rowkey.Desc)
}

func logLines(opts ...rowkey.FieldOption) *rowkey.Builder {
	return rowkey.New("logs").String("host").Separator("\x00").String("event").Separator("\x00").Time("ts", rowkey.Millis, opts...)
}

func timeline() *rowkey.Builder {
	return rowkey.New("tl").Salt(8, "host", rowkey.MD5.Raw(4)).Time("at", rowkey.Millis).String("host").Separator("\x00").Uint("event", 4)
}

func userDays() *rowkey.Builder {
	return rowkey.New("ud").Uint("uid", 8, rowkey.Decimal).Separator("-").Time("day", rowkey.Layout("20060102", beijing))
}

func roundRobinEvents() *rowkey.Builder {
	return rowkey.New("events").Uint("slot", 1, rowkey.Below(16)).Time("at", rowkey.Millis).String("id")
}

func sensors() *rowkey.Builder { return rowkey.New("sen").Uint("id", 4).Int("v", 4) }

func dayTable(midnight time.Time) *rowkey.Builder {
	return rowkey.New("tx-"+midnight.Format("20060102")).Uint("slot", 2, rowkey.Below(64)).
		Time("at", rowkey.Millis.Since(midnight), rowkey.Width(4), rowkey.Below(86_400_000)).Binary("ext")
}

// The techniques that are not one layout with some rows.
var techniques = []struct {
	numbers, name string
	check         func(t *testing.T)
}{
	{"T1", "unsigned bytes; get, scan, scan from a row, whole table", func(t *testing.T) {
		s := rowkey.New("b").Binary("id").MustBuild()
		rows := [][]byte{{0x00}, {0x7f}, {0x7f, 0x00}, {0x80}, {0xff}, {0xff, 0xff}} // sorted: 80 is 128 here, not −128
		read := func(r rowkey.Range) (out [][]byte) {
			for _, row := range rows {
				if r.Contains(row) {
					out = append(out, row)
				}
			}
			return out
		}
		get, err := s.Key().Binary([]byte{0x7f}).Range()
		require.NoError(t, err)
		assert.Equal(t, rows[1:2], read(get), "7f00 is another row")
		scan, err := rowkey.NewRange([]byte{0x7f}, []byte{0xff})
		require.NoError(t, err)
		assert.Equal(t, rows[1:4], read(scan), "the stop is not read")
		from := rowkey.PrefixRange([]byte{0xff}) // nothing sorts above: from ff to the end
		assert.True(t, from.Unbounded())
		assert.Empty(t, from.Stop())
		assert.Equal(t, rows[4:], read(from))
		assert.Equal(t, rows, read(rowkey.PrefixRange(nil)))
		_, err = rowkey.NewRange([]byte{0x7f}, nil) // may be meant, may be a bound that was forgotten
		assert.ErrorIs(t, err, rowkey.ErrLength)
		_, err = s.Key().Range()
		assert.ErrorIs(t, err, rowkey.ErrFullScan)
	}},
	{"T2", "beginnings of a field; a field alone is refused", func(t *testing.T) {
		s := rowkey.New("people").Uint("uid", 8).String("phone").Separator("\x00").String("name").MustBuild()
		r, err := s.Key().Uint(111).Prefix("12").Range()
		require.NoError(t, err)
		assert.Equal(t, "000000000000006f3132 000000000000006f3133", bounds(r))
		for _, row := range []struct {
			phone string
			in    bool
		}{{"12", true}, {"123", true}, {"12\xff", true}, {"1", false}, {"13", false}, {"", false}} {
			key, err := s.Key().Uint(111).String(row.phone).String("n").Bytes()
			require.NoError(t, err)
			assert.Equal(t, row.in, r.Contains(key), row.phone)
		}
		_, err = s.Key().Uint(111).Prefix("").Range()
		assert.ErrorIs(t, err, rowkey.ErrLength)
		_, err = s.Key().Uint(111).Prefix("12").Bytes()
		assert.Error(t, err, "a prefix is no key")
		_, err = s.Key().Field("phone").String("123").Range()
		assert.ErrorIs(t, err, rowkey.ErrField)
		_, err = s.Key().Range()
		assert.ErrorIs(t, err, rowkey.ErrFullScan)
	}},
	{"T4", "N candidates for a get; a random string in front leaves none", func(t *testing.T) {
		s := roundRobinEvents().MustBuild()
		slots := inTurn(16)
		var table [][]byte
		used := map[uint64]bool{}
		for range 16 {
			slot := slots()
			used[slot] = true
			key, err := s.Key().Uint(slot).Time(opTime).String("e").Bytes()
			require.NoError(t, err)
			table = append(table, key)
		}
		assert.Len(t, used, 16, "a round visits every slot")
		slot := rand.Uint64N(16)
		wanted, err := s.Key().Uint(slot).Time(opTime).String("wanted").Bytes()
		require.NoError(t, err)
		table = append(table, wanted)
		found := 0
		for slot := range uint64(16) { // who does not know the slot asks for each
			candidate, err := s.Key().Uint(slot).Time(opTime).String("wanted").Bytes()
			require.NoError(t, err)
			if slices.ContainsFunc(table, func(row []byte) bool { return bytes.Equal(row, candidate) }) {
				found++
			}
		}
		assert.Equal(t, 1, found)
		_, err = s.Key().Uint(16).Time(opTime).String("e").Bytes()
		assert.ErrorIs(t, err, rowkey.ErrRange)

		random := rowkey.New("random").String("nonce").Separator("-").String("id").MustBuild()
		_, err = random.Key().Field("id").String("foo0001").Range()
		assert.ErrorIs(t, err, rowkey.ErrField)
		_, err = random.Key().Range()
		assert.ErrorIs(t, err, rowkey.ErrFullScan)
	}},
	{"T13", "a reversed scan in place of inverted time", func(t *testing.T) {
		// Ascending time, read from its end: the rows come newest first, but the
		// server seeks backward block by block, which costs more than a forward scan.
		s := rowkey.New("asc").Uint("uid", 8).Time("at", rowkey.Millis).MustBuild()
		var table [][]byte
		for _, row := range []struct {
			uid uint64
			ms  int64
		}{{10085, 9}, {10086, 1}, {10086, 2}, {10086, 3}, {10087, 1}} {
			key, err := s.Key().Uint(row.uid).UnixMilli(row.ms).Bytes()
			require.NoError(t, err)
			table = append(table, key)
		}
		r, err := s.Key().Uint(10086).Range()
		require.NoError(t, err)
		start, stop, _ := r.Reversed()
		var got []int64
		for _, row := range slices.Backward(table) {
			// As a server without inclusive and exclusive flags reads: start inclusive, stop exclusive.
			if bytes.Compare(row, start) > 0 || bytes.Compare(row, stop) <= 0 || !r.Contains(row) {
				continue
			}
			var at time.Time
			require.NoError(t, s.Read(row).Skip().Time(&at).Err())
			got = append(got, at.UnixMilli())
		}
		assert.Equal(t, []int64{3, 2, 1}, got)

		inverted := operations().MustBuild()
		assert.Equal(t, rowkey.Forward, s.Order("at"))
		assert.Equal(t, rowkey.Backward, inverted.Order("at"))
	}},
	{"T18 D22", "a span over several day tables", func(t *testing.T) {
		from, to := midnight.Add(23*time.Hour), midnight.AddDate(0, 0, 2).Add(time.Hour)
		var got []string
		for day := midnight; day.Before(to); day = day.AddDate(0, 0, 1) {
			s := dayTable(day).MustBuild()
			next := day.AddDate(0, 0, 1)
			first, err := s.Key().Uint(7).Time(latest(day, from)).Range()
			require.NoError(t, err)
			last, err := s.Key().Uint(7).Time(earliest(next, to).Add(-time.Millisecond)).Range()
			require.NoError(t, err)
			r, err := rowkey.NewRange(first.Start(), last.Stop())
			require.NoError(t, err)
			got = append(got, bounds(r))
			_, err = s.Key().Uint(7).Time(next).Binary(nil).Bytes()
			assert.ErrorIs(t, err, rowkey.ErrRange, "another day's time")
			_, err = s.Key().Uint(7).Time(day.Add(-time.Millisecond)).Binary(nil).Bytes()
			assert.ErrorIs(t, err, rowkey.ErrRange, "another day's time")
		}
		assert.Equal(t, []string{
			"000704ef6d80 000705265c",   // 23:00 to the end of the day
			"000700000000 000705265c",   // all of it
			"000700000000 00070036ee80", // to 01:00
		}, got)
	}},
	{"T19", "regions made beforehand, the region of a key, one scan a bucket", func(t *testing.T) {
		s := orderTable("bySeller", "seller").MustBuild()
		splits, err := s.Splits(16)
		require.NoError(t, err)
		require.Len(t, splits, 15)
		key, err := s.Key().String("s-42").Time(opTime).Uint(7).String("b-1").Bytes()
		require.NoError(t, err)
		assert.Equal(t, 12, splits.Region(key), "salt 0c, region 12")

		tl := timeline().MustBuild()
		splits, err = tl.Splits(8)
		require.NoError(t, err)
		ranges, arena, err := tl.Key().Time(opTime).AppendRanges(nil, nil)
		require.NoError(t, err)
		require.Len(t, ranges, 8)
		assert.NotEmpty(t, arena)
		for i, r := range ranges {
			assert.Equal(t, i, splits.Region(r.Start()), "every bucket's scan lies in a region of its own")
		}
	}},
	{"D4 T20", "three tables of the same orders", func(t *testing.T) {
		bySeller, byBuyer, byNumber := orderTable("bySeller", "seller").MustBuild(), orderTable("byBuyer", "buyer").MustBuild(), orderNumbers().MustBuild()
		number, err := byNumber.Key().Uint(7).String("s-42").String("b-1").Time(opTime).Bytes()
		require.NoError(t, err)
		seller, err := bySeller.Rekey(nil, number, byNumber)
		require.NoError(t, err)
		buyer, err := byBuyer.Rekey([]byte("mine"), seller, bySeller)
		require.NoError(t, err)
		back, err := byNumber.Rekey(nil, buyer[4:], byBuyer)
		require.NoError(t, err)
		assert.Equal(t, "0c732d3432007ffffe77dda4124f0000000000000007622d31", hex.EncodeToString(seller))
		assert.Equal(t, hex.EncodeToString([]byte("mine"))+"09622d31007ffffe77dda4124f0000000000000007732d3432", hex.EncodeToString(buyer))
		assert.Equal(t, number, back)

		short := rowkey.New("short").Uint("order", 8).MustBuild()
		_, err = bySeller.Rekey(nil, []byte{0, 0, 0, 0, 0, 0, 0, 7}, short)
		assert.ErrorIs(t, err, rowkey.ErrMissing, "an index key needs all fields")
	}},
	{"T22", "a row written again has the same key", func(t *testing.T) {
		s := rowkey.New("stats").Salt(16, "shop").Uint("shop", 8).Time("window", rowkey.Millis, rowkey.Truncate(5*time.Minute)).MustBuild()
		window := time.Date(2023, 5, 16, 10, 0, 0, 0, time.UTC)
		first, err := s.Key().Uint(10086).Time(window.Add(17 * time.Second)).Bytes()
		require.NoError(t, err)
		again, err := s.Key().Uint(10086).Time(window.Add(4*time.Minute + 59*time.Second)).Bytes() // computed anew from late rows
		require.NoError(t, err)
		assert.Equal(t, first, again, "versions of one row")
		next, err := s.Key().Uint(10086).Time(window.Add(5 * time.Minute)).Bytes()
		require.NoError(t, err)
		assert.NotEqual(t, first, next)
		r, err := s.Key().Uint(10086).Time(window).Range()
		require.NoError(t, err)
		assert.True(t, r.Contains(first), "the stale row can be found and deleted")
		assert.False(t, r.Contains(next))
	}},
	{"T15", "a status in the key: changed is deleted and written", func(t *testing.T) {
		s := rowkey.New("p").String("order").Separator("-").Uint("status", 1, rowkey.Below(2), rowkey.Digits(1)).MustBuild()
		open, err := s.Key().String("o1").Uint(0).Bytes()
		require.NoError(t, err)
		paid, err := s.Key().String("o1").Uint(1).Bytes()
		require.NoError(t, err)
		assert.Equal(t, []string{"o1-0", "o1-1"}, []string{string(open), string(paid)})
		r, err := s.Key().String("o1").Range()
		require.NoError(t, err)
		assert.True(t, r.Contains(open) && r.Contains(paid), "two rows until the old one is deleted")
	}},
	{"T17 D21", "loaders that each count with a factor of their own", func(t *testing.T) {
		s := rowkey.New("g", rowkey.MaxLen(16)).Uint("seq", 4).Binary("ext").MustBuild()
		const loaders = 8
		seen := map[string]bool{}
		for loader := range uint64(loaders) {
			for n := range uint64(100) {
				key, err := s.Key().Uint(n*loaders + loader).Binary(nil).Bytes()
				require.NoError(t, err)
				assert.False(t, seen[string(key)])
				seen[string(key)] = true
			}
		}
		_, err := s.Key().Uint(1).Binary(make([]byte, 13)).Bytes()
		assert.ErrorIs(t, err, rowkey.ErrLength)
	}},
	{"D24", "round robin read back in time order", func(t *testing.T) {
		s := roundRobinEvents().MustBuild()
		slots := inTurn(16)
		var table [][]byte
		for i := range 100 {
			key, err := s.Key().Uint(slots()).Time(opTime.Add(time.Duration(i) * time.Millisecond)).String("e").Bytes()
			require.NoError(t, err)
			table = append(table, key)
		}
		var rows [][]byte
		for slot := range uint64(16) { // what a span reads: one scan a slot
			first, err := s.Key().Uint(slot).Time(opTime.Add(10 * time.Millisecond)).Range()
			require.NoError(t, err)
			last, err := s.Key().Uint(slot).Time(opTime.Add(59 * time.Millisecond)).Range()
			require.NoError(t, err)
			r, err := rowkey.NewRange(first.Start(), last.Stop())
			require.NoError(t, err)
			for _, row := range table {
				if r.Contains(row) {
					rows = append(rows, row)
				}
			}
		}
		require.Len(t, rows, 50)
		slices.SortFunc(rows, func(a, b []byte) int { return bytes.Compare(a[1:], b[1:]) }) // what stands after the slot is the time
		for i, row := range rows {
			var at time.Time
			require.NoError(t, s.Read(row).Skip().Time(&at).Skip().Err())
			assert.Equal(t, opTime.Add(time.Duration(10+i)*time.Millisecond).UnixMilli(), at.UnixMilli())
		}
	}},
	{"T23", "what block encodings leave out: bytes shared with the key before", func(t *testing.T) {
		// What rowkey check counts by HBase's formats. A KeyValue begins with
		// the length of its row: rows of other lengths share nothing.
		shared := func(b *rowkey.Builder, rows ...[]any) (total, left int) {
			s := b.MustBuild()
			var keys [][]byte
			for _, row := range rows {
				key, err := s.AppendKey(nil, row...)
				require.NoError(t, err)
				keys = append(keys, key)
			}
			slices.SortFunc(keys, bytes.Compare)
			for i, key := range keys {
				total += len(key)
				for n := 0; i > 0 && len(key) == len(keys[i-1]) && n < len(key) && key[n] == keys[i-1][n]; n++ {
					left++
				}
			}
			return total, left
		}
		loads := func() *rowkey.Builder {
			return rowkey.New("k").Uint("n", 4, rowkey.Digits(6)).Separator("-").Uint("h", 8, rowkey.HexDigits(10))
		}
		total, left := shared(loads(), []any{1, uint64(0xa1b2c3d4e5)}, []any{1, uint64(0xa1b2c3d4f0)}, []any{2, uint64(0xa1b2c3d4e5)})
		assert.Equal(t, []int{51, 15 + 5}, []int{total, left})

		rows := [][]any{{"web-9", 1}, {"web-10", 1}, {"web-11", 1}, {"web-100", 1}}
		total, left = shared(rowkey.New("v").String("host").Separator("\x00").Uint("n", 4), rows...)
		assert.Equal(t, []int{44, 0}, []int{total, left}, "in key order each has another length than the one before")
		total, left = shared(rowkey.New("f").String("host", rowkey.Pad(8, 0)).Uint("n", 4), rows...)
		assert.Equal(t, []int{48, 6 + 5 + 4}, []int{total, left}, "longer, and less is left")
	}},
	{"T24 T16", "the key stands in every cell", func(t *testing.T) {
		const cells = 10_000_000
		mb := func(b *rowkey.Builder, v any) int {
			key, err := b.MustBuild().AppendKey(nil, v)
			require.NoError(t, err)
			return len(key) * cells / 1_000_000
		}
		assert.Equal(t, 1000, mb(rowkey.New("k").String("id"), strings.Repeat("k", 100)), "a gigabyte before compression")
		assert.Equal(t, 360, mb(rowkey.New("k").String("uuid", rowkey.Fixed(36)), "123e4567-e89b-12d3-a456-426614174000"))
		assert.Equal(t, 160, mb(rowkey.New("k").Binary("uuid", rowkey.Fixed(16)), bytes.Repeat([]byte{7}, 16)))
		assert.Equal(t, 100, mb(rowkey.New("k").String("hour", rowkey.Fixed(10)), "2015122410"))
		assert.Equal(t, 40, mb(rowkey.New("k").Time("hour", rowkey.Layout("2006010215", time.UTC), rowkey.Width(4)), opTime))
	}},
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earliest(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// bounds is a range as hexadecimal start and stop.
func bounds(r rowkey.Range) string { return fmt.Sprintf("%x %x", r.Start(), r.Stop()) }

// TestDesignsByNumber runs every technique and design, and tells by number
// which of them ran.
func TestDesignsByNumber(t *testing.T) {
	ran := map[string]int{}
	started, total := 0, 0
	run := func(numbers, name string, check func(t *testing.T)) {
		total++
		t.Run(numbers+" "+name, func(t *testing.T) {
			started++
			check(t)
			if !t.Failed() {
				for _, n := range strings.Fields(numbers) {
					ran[n]++
				}
			}
		})
	}
	for _, d := range designs() {
		run(d.numbers, d.name, d.check)
	}
	for _, c := range techniques {
		run(c.numbers, c.name, c.check)
	}
	if started < total && strings.Contains(flag.Lookup("test.run").Value.String(), "/") {
		t.Log("not all were asked for: no count")
		return
	}

	for _, letter := range []string{"T", "D"} {
		for i := 1; i <= 24; i++ {
			number := fmt.Sprint(letter, i)
			if ran[number] == 0 {
				t.Errorf("%s has no case that ran", number)
			}
			delete(ran, number)
		}
	}
	for number := range ran {
		t.Errorf("%s is no number of a technique or design", number)
	}
	t.Logf("24 techniques and 24 designs in %d cases", total)
}

// keyHex and rangeOf serve the tables of published values.
func keyHex(t *testing.T, b *rowkey.Builder, values ...any) string {
	t.Helper()
	key, err := b.MustBuild().AppendKey(nil, values...)
	require.NoError(t, err)
	return hex.EncodeToString(key)
}

func keyText(t *testing.T, b *rowkey.Builder, values ...any) string {
	t.Helper()
	return string(wantBytes(t, keyHex(t, b, values...)))
}

func rangeOf(t *testing.T, b *rowkey.Builder, values ...any) rowkey.Range {
	t.Helper()
	r, err := supply(b.MustBuild().Key(), nil, values).Range()
	require.NoError(t, err)
	return r
}

// between is the rows from the first key's to before the second's.
func between(t *testing.T, start, stop string) string {
	t.Helper()
	r, err := rowkey.NewRange(wantBytes(t, start), wantBytes(t, stop))
	require.NoError(t, err)
	return bounds(r)
}

// The values that are published with worked examples of row keys, those that
// the articles get wrong put right.
var published = []struct {
	name, want string
	got        func(t *testing.T) string
}{
	{"a user's log line", "00000000000027667ffffe77dda4124f", func(t *testing.T) string {
		return keyHex(t, operations(), 10086, opTime)
	}},
	{"newest of a user: the prefix", "0000000000002766 0000000000002767", func(t *testing.T) string {
		return bounds(rangeOf(t, operations(), 10086))
	}},
	{"newest first, the span [t1, t2): from t2−1 to t1−1", "00000000000027667ffffe77dd7fe880 00000000000027667ffffe77ddb6d700", func(t *testing.T) string {
		return between(t, keyHex(t, operations(), 10086, time.UnixMilli(1684206000000-1)), keyHex(t, operations(), 10086, time.UnixMilli(1684202400000-1)))
	}},
	{"one day of a user", "333233312d3230313231323132 333233312d3230313231323133", func(t *testing.T) string {
		return bounds(rangeOf(t, userDays(), 3231, midnight))
	}},
	{"one day of a user, as two keys", text("3231-20121212 3231-20121213"), func(t *testing.T) string {
		return text(keyText(t, userDays(), 3231, midnight) + " " + keyText(t, userDays(), 3231, midnight.AddDate(0, 0, 1)))
	}},
	{"an escaped host", "686f7374310001 686f7374310002", func(t *testing.T) string {
		return bounds(rangeOf(t, rowkey.New("esc").String("host", rowkey.Escaped).Uint("n", 1), "host1"))
	}},
	{"buckets of hosts", "web-01=4 web-02=7 db-01=1 host1=0 host12=7", func(t *testing.T) string {
		var got []string
		for _, host := range []string{"web-01", "web-02", "db-01", "host1", "host12"} {
			key := wantBytes(t, keyHex(t, timeline(), opTime, host, 1))
			got = append(got, fmt.Sprintf("%s=%d", host, key[0]))
		}
		return strings.Join(got, " ")
	}},
	{"global timeline: five minutes are eight ranges", "8 ranges, 000000018cc251f400 000000018cc25687e0 to 070000018cc251f400 070000018cc25687e0", func(t *testing.T) string {
		s := timeline().MustBuild()
		from, _, err := s.Key().UnixMilli(1704067200000).AppendRanges(nil, nil)
		require.NoError(t, err)
		to, _, err := s.Key().UnixMilli(1704067500000).AppendRanges(nil, nil)
		require.NoError(t, err)
		require.Len(t, to, len(from))
		var got []string
		for i := range from {
			r, err := rowkey.NewRange(from[i].Start(), to[i].Start())
			require.NoError(t, err)
			got = append(got, bounds(r))
		}
		return fmt.Sprintf("%d ranges, %s to %s", len(got), got[0], got[len(got)-1])
	}},
	{"an order under md5 of the uid's digits", text("7a700000010086202305160001"), func(t *testing.T) string {
		return text(keyText(t, rowkey.New("ord").Hash(rowkey.MD5.Hex(4), "stored(uid)").
			Uint("uid", 8, rowkey.Digits(10)).Uint("order", 8, rowkey.Digits(12)), 10086, uint64(202305160001)))
	}},
	{"a vehicle's prefix", "39f67e", func(t *testing.T) string {
		return keyText(t, vehicles(), vin, opTime)[:6]
	}},
	{"a vehicle's day", hex.EncodeToString([]byte("39f67e"+vin)) + "0000018fd1189400 " + hex.EncodeToString([]byte("39f67e"+vin)) + "0000018fd63ef000", func(t *testing.T) string {
		return between(t, keyHex(t, vehicles(), vin, time.UnixMilli(1717200000000)), keyHex(t, vehicles(), vin, time.UnixMilli(1717286400000)))
	}},
	{"10:00 to 10:05 in a day's table", "02255100 0229e4e0", func(t *testing.T) string {
		b := func() *rowkey.Builder {
			return rowkey.New("d").Time("at", rowkey.Millis.Since(midnight), rowkey.Width(4))
		}
		return between(t, keyHex(t, b(), midnight.Add(10*time.Hour)), keyHex(t, b(), midnight.Add(10*time.Hour+5*time.Minute)))
	}},
	{"the last minute of a day is 1439", "059f", func(t *testing.T) string {
		return keyHex(t, rowkey.New("m").Time("at", rowkey.Minutes.Since(midnight), rowkey.Width(2), rowkey.Below(1440)), midnight.Add(24*time.Hour-time.Minute))
	}},
	{"a signed sensor", "000000057fffff9c", func(t *testing.T) string { return keyHex(t, sensors(), 5, -100) }},
	{"a signed sensor from −10 to 10, both inclusive", "000000057ffffff6 000000058000000b", func(t *testing.T) string {
		return between(t, keyHex(t, sensors(), 5, -10), hex.EncodeToString(rangeOf(t, sensors(), 5, 10).Stop()))
	}},
	{"the largest value carries into the sensor", "000000057ffffff6 00000006", func(t *testing.T) string {
		return between(t, keyHex(t, sensors(), 5, -10), hex.EncodeToString(rangeOf(t, sensors(), 5, math.MaxInt32).Stop()))
	}},
	{"splits of 16 buckets into 16", `SPLITS => ['\x01', '\x02', '\x03', '\x04', '\x05', '\x06', '\x07', '\x08', '\x09', '\x0A', '\x0B', '\x0C', '\x0D', '\x0E', '\x0F']`, func(t *testing.T) string {
		return splitsOf(t, rowkey.New("s").Salt(16, "id").String("id"), 16).Shell()
	}},
	{"splits of 16 buckets into 4", "[04 08 0c]", func(t *testing.T) string {
		return fmt.Sprintf("%x", splitsOf(t, rowkey.New("s").Salt(16, "id").String("id"), 4))
	}},
	{"splits of two digits into 8", `SPLITS => ['13', '25', '38', '50', '63', '75', '88']`, func(t *testing.T) string {
		return splitsOf(t, rowkey.New("s").Salt(100, "id", interop.JavaHash, rowkey.Digits(2)).String("id"), 8).Shell()
	}},
	{"splits of four hexadecimal digits into 4", `SPLITS => ['4000', '8000', 'c000']`, func(t *testing.T) string {
		return splitsOf(t, rowkey.New("s").Hash(rowkey.MD5.Hex(4), "id").String("id"), 4).Shell()
	}},
	{"time digits reversed", "03020161503202", func(t *testing.T) string {
		return keyText(t, rowkey.New("p").Time("at", rowkey.Layout("20060102150405", time.UTC), rowkey.Reverse), time.Date(2023, 5, 16, 10, 20, 30, 0, time.UTC))
	}},
	{"user123 under the three Java rules: &, abs, floorMod", "75 73 27", func(t *testing.T) string {
		var got []string
		for _, rule := range []rowkey.SaltRule{interop.JavaHash, interop.JavaHashAbs, interop.JavaHashFloor} {
			got = append(got, keyText(t, rowkey.New("ex").Salt(100, "user", rule, rowkey.Digits(2)).String("user"), "user123")[:2])
		}
		return strings.Join(got, " ")
	}},
	{"polygenelubricants, whose hashCode is MIN_VALUE", "00 52", func(t *testing.T) string {
		var got []string
		for _, rule := range []rowkey.SaltRule{interop.JavaHash, interop.JavaHashFloor} {
			got = append(got, keyText(t, rowkey.New("ex").Salt(100, "user", rule, rowkey.Digits(2)).String("user"), "polygenelubricants")[:2])
		}
		return strings.Join(got, " ")
	}},
	{"row-0001 under the 31-hash rules, 10 and 16 buckets", "05 0b  05 0b  03 05", func(t *testing.T) string {
		var got []string
		for _, rule := range []rowkey.SaltRule{interop.PhoenixHash, interop.HBaseWDHash, interop.PinpointHash} {
			got = append(got, keyHex(t, rowkey.New("w").Salt(10, "rest()", rule).String("id"), "row-0001")[:2]+" "+
				keyHex(t, rowkey.New("w").Salt(16, "rest()", rule).String("id"), "row-0001")[:2])
		}
		return strings.Join(got, "  ")
	}},
	{"keys of the compression example", "17 bytes, three of them 51", func(t *testing.T) string {
		key := keyText(t, rowkey.New("k").Uint("n", 4, rowkey.Digits(6)).Separator("-").Uint("h", 8, rowkey.HexDigits(10)), 1, uint64(0xa1b2c3d4e5))
		require.Equal(t, "000001-a1b2c3d4e5", key)
		return fmt.Sprintf("%d bytes, three of them %d", len(key), 3*len(key))
	}},
}

func splitsOf(t *testing.T, b *rowkey.Builder, regions int) rowkey.SplitKeys {
	t.Helper()
	s, err := b.MustBuild().Splits(regions)
	require.NoError(t, err)
	return s
}

func TestPublishedValues(t *testing.T) {
	for _, c := range published {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, c.got(t)) })
	}
}

// What must be refused, since the article's way loses rows or reads others'.
var publishedRefusals = []struct {
	name string
	want error
	err  func(t *testing.T) error
}{
	{"a key of 32768 bytes", rowkey.ErrLength, func(t *testing.T) error {
		s := rowkey.New("k").Binary("id").MustBuild()
		key, err := s.Key().Binary(make([]byte, 32767)).Bytes()
		require.NoError(t, err)
		require.Len(t, key, 32767)
		_, err = s.Key().Binary(make([]byte, 32768)).Bytes()
		return err
	}},
	{"Math.abs of MIN_VALUE", rowkey.ErrRange, func(t *testing.T) error {
		s := rowkey.New("ex").Salt(100, "user", interop.JavaHashAbs, rowkey.Digits(2)).String("user").MustBuild()
		_, err := s.Key().String("polygenelubricants").Bytes()
		return err
	}},
	{"newest first with the ends of oldest first", rowkey.ErrInverted, func(t *testing.T) error {
		s := operations().MustBuild()
		start, err := s.Key().Uint(10086).UnixMilli(1684202400000).Bytes()
		require.NoError(t, err)
		stop, err := s.Key().Uint(10086).UnixMilli(1684206000000).Bytes()
		require.NoError(t, err)
		_, err = rowkey.NewRange(start, stop)
		return err
	}},
	{"3231-20121212 to 3231+201213: '+' sorts below '-'", rowkey.ErrInverted, func(t *testing.T) error {
		_, err := rowkey.NewRange([]byte("3231-20121212"), []byte("3231+201213"))
		return err
	}},
	{"a value that ends in its padding", rowkey.ErrTerminator, func(t *testing.T) error {
		s := rowkey.New("p").String("col", rowkey.Pad(20, 'x')).String("col2").MustBuild()
		_, err := s.Key().String("host1x").String("v").Bytes() // would be host1's key
		return err
	}},
	{"a value that holds its separator", rowkey.ErrTerminator, func(t *testing.T) error {
		s := rowkey.New("p").String("a").Separator("_").String("b").MustBuild()
		_, err := s.Key().String("1_a").String("b").Bytes() // would be the key of 1 and a_b
		return err
	}},
	{"uid and phone glued", rowkey.ErrSchema, func(t *testing.T) error {
		_, err := rowkey.New("people").Uint("uid", 8, rowkey.Decimal).String("phone").Build()
		return err
	}},
	{"the phone alone, behind a prefix of md5(uid)", rowkey.ErrManyRanges, func(t *testing.T) error {
		s := rowkey.New("risk").Hash(rowkey.MD5.Hex(4), "uid").String("phone", rowkey.Fixed(11)).Uint("uid", 8).MustBuild()
		_, _, err := s.Key().String("13111111111").AppendRanges(nil, nil)
		assert.ErrorContains(t, err, "65536")
		asked := rowkey.New("risk").Hash(rowkey.MD5.Hex(4), "phone").String("phone", rowkey.Fixed(11)).Uint("uid", 8).MustBuild()
		_, e := asked.Key().String("13111111111").Range() // hashed is what is asked for: one range
		assert.NoError(t, e)
		return err
	}},
	{"a hash of two bytes before the time", rowkey.ErrManyRanges, func(t *testing.T) error {
		s := rowkey.New("d").Hash(rowkey.Murmur3.Raw(2), "ext").Time("at", rowkey.Millis.Since(midnight), rowkey.Width(4)).Binary("ext").MustBuild()
		_, _, err := s.Key().Time(midnight.Add(10*time.Hour)).AppendRanges(nil, nil)
		assert.ErrorContains(t, err, "65536")
		return err
	}},
	{"the 25th hour of a local day", rowkey.ErrRange, func(t *testing.T) error {
		// Berlin on 2023-10-29: midnight in summer time, 23:30 in winter time.
		start := time.Date(2023, 10, 29, 0, 0, 0, 0, time.FixedZone("CEST", 2*3600))
		late := time.Date(2023, 10, 29, 23, 30, 0, 0, time.FixedZone("CET", 1*3600))
		require.Equal(t, 24*time.Hour+30*time.Minute, late.Sub(start))
		_, err := dayTable(start).MustBuild().Key().Uint(1).Time(late).Binary(nil).Bytes()
		return err
	}},
	{"minute 1440", rowkey.ErrRange, func(t *testing.T) error {
		s := rowkey.New("m").Time("at", rowkey.Minutes.Since(midnight), rowkey.Width(2), rowkey.Below(1440)).MustBuild()
		_, err := s.Key().Time(midnight.Add(24 * time.Hour)).Bytes()
		return err
	}},
	{"by seller, with a salt that the writer drew", rowkey.ErrField, func(t *testing.T) error {
		s := rowkey.New("o").Uint("salt", 1, rowkey.Below(16)).String("seller").Separator("\x00").Uint("order", 8).MustBuild()
		_, err := s.Key().Field("seller").String("s-42").Range() // 16 ranges, and who reads must ask for each
		return err
	}},
}

func TestPublishedRefusals(t *testing.T) {
	for _, c := range publishedRefusals {
		t.Run(c.name, func(t *testing.T) {
			err := c.err(t)
			require.ErrorIs(t, err, c.want)
			var typed *rowkey.Error
			require.True(t, errors.As(err, &typed), "%T", err)
			t.Log(err)
		})
	}
}

// The claims about numbers of rows, buckets and collisions, counted.
func TestPublishedCounts(t *testing.T) {
	t.Run("collisions follow 2^bits, not bits", func(t *testing.T) {
		p := func(rows, bits float64) float64 { return 1 - math.Exp(-rows*rows/2/math.Exp2(bits)) }
		assert.InDelta(t, 0.99999998, p(1e8, 48), 5e-9)
		assert.Greater(t, p(1e8, 58), 0.01)
		assert.LessOrEqual(t, p(1e8, 59), 0.01)

		inPlace := rowkey.New("h").String("id", rowkey.NotStored).Hash(rowkey.MD5.Raw(3), "id").MustBuild()
		kept := rowkey.New("k").Hash(rowkey.MD5.Raw(3), "id").String("id").MustBuild()
		const rows = 20_000
		short, whole := map[string]bool{}, map[string]bool{}
		for i := range rows {
			id := fmt.Sprint(i)
			key, err := inPlace.Key().String(id).Bytes()
			require.NoError(t, err)
			short[string(key)] = true
			key, err = kept.Key().String(id).Bytes()
			require.NoError(t, err)
			whole[string(key)] = true
		}
		lost := rows - len(short)
		t.Logf("24 bits, %d rows: %d lost, n²/2m is %.1f", rows, lost, float64(rows)*rows/2/math.Exp2(24))
		assert.Equal(t, 10, lost)
		assert.Len(t, whole, rows, "a prefix collides harmlessly: the original follows")
	})

	t.Run("two bytes and a millisecond are not unique", func(t *testing.T) {
		const perMilli = 10
		pairs := perMilli * (perMilli - 1) / 2
		assert.InDelta(t, 59_000, float64(pairs)/65536*86_400_000, 500, "silent overwrites a day, if drawn at random")

		s := rowkey.New("u").Uint("slot", 2).Time("at", rowkey.Millis).MustBuild()
		write := func(slots func() uint64, into map[string]bool) {
			for ms := range int64(7_000) { // past the counter's end
				for range perMilli {
					key, err := s.Key().Uint(slots()).UnixMilli(ms).Bytes()
					require.NoError(t, err)
					into[string(key)] = true
				}
			}
		}
		keys := map[string]bool{}
		write(inTurn(65536), keys)
		assert.Len(t, keys, 70_000, "counted round, one writer never overwrites itself")
		write(inTurn(65536), keys)
		assert.Len(t, keys, 70_000, "a second writer that counts alike overwrites every row of the first")
	})

	t.Run("ts mod n fills n/gcd(step, n) buckets", func(t *testing.T) {
		for _, c := range []struct{ buckets, step, want int }{{8, 1000, 1}, {10, 1000, 1}, {100, 1000, 1}, {16, 1000, 2}, {7, 1000, 7}, {8, 1, 8}} {
			s := rowkey.New("log").Salt(c.buckets, "ts", rowkey.Modulo).Time("ts", rowkey.Millis).MustBuild()
			seen := map[byte]bool{}
			for i := range 1000 {
				key, err := s.Key().UnixMilli(1704067200000 + int64(i*c.step)).Bytes()
				require.NoError(t, err)
				seen[key[0]] = true
			}
			assert.Len(t, seen, c.want, "%d buckets, every %d ms", c.buckets, c.step)
		}
	})

	t.Run("more buckets: what stays, and where the rest may be", func(t *testing.T) {
		table := func(buckets int) *rowkey.Schema {
			return rowkey.New("b").Salt(buckets, "id").String("id").MustBuild()
		}
		from := table(16)
		const rows = 4096
		for _, c := range []struct{ buckets, stay, least, most int }{{32, 2040, 47, 53}, {20, 816, 17, 23}} {
			to := table(c.buckets)
			stay := 0
			for i := range rows {
				key, err := from.Key().String(fmt.Sprint("u", i)).Bytes()
				require.NoError(t, err)
				moved, err := to.Rekey(nil, key, from)
				require.NoError(t, err)
				if bytes.Equal(key, moved) {
					stay++
					continue
				}
				assert.Equal(t, key[1:], moved[1:])
				if c.buckets == 32 {
					assert.Equal(t, key[0]+16, moved[0], "of the doubled buckets only one other can hold it")
				}
				_, err = to.Decode(key)
				require.ErrorIs(t, err, rowkey.ErrDerived, "the new schema tells an old key")
			}
			assert.Equal(t, c.stay, stay)
			assert.GreaterOrEqual(t, 100*stay/rows, c.least)
			assert.LessOrEqual(t, 100*stay/rows, c.most)
		}
	})
}

// The claims about order: what the schema says of a field, and two keys that
// show it.
func TestPublishedOrder(t *testing.T) {
	type row []any
	hosts := func(opts ...rowkey.FieldOption) *rowkey.Builder { return rowkey.New("o").String("host", opts...) }
	for _, c := range []struct {
		name       string
		schema     *rowkey.Builder
		field      string
		order      rowkey.Order
		less, more row // by value
		inOrder    bool
	}{
		{"padded with 'x', host1 sorts after host12", hosts(rowkey.Pad(20, 'x')), "host", rowkey.Unordered, row{"host1"}, row{"host12"}, false},
		{"padded with 00 it does not", hosts(rowkey.Pad(20, 0)), "host", rowkey.Forward, row{"host1"}, row{"host12"}, true},
		{"ended by '_', host12_ sorts before host1_", hosts().Separator("_"), "host", rowkey.Unordered, row{"host1"}, row{"host12"}, false},
		{"ended by 00 it does not", hosts().Separator("\x00"), "host", rowkey.Forward, row{"host1"}, row{"host12"}, true},
		{"ended by a byte below all that a host has", hosts(rowkey.Chars("abcdefghijklmnopqrstuvwxyz0123456789")).Separator("-"), "host", rowkey.Forward, row{"host1"}, row{"host12"}, true},
		{"MAX−ts in 8 bytes: newest first", operations(), "at", rowkey.Backward, row{1, opTime}, row{1, opTime.Add(time.Millisecond)}, false},
		{"MAX−ts in 19 digits: newest first", rowkey.New("o").Time("at", rowkey.Millis, rowkey.Desc, rowkey.Digits(19)), "at", rowkey.Backward,
			row{opTime}, row{opTime.Add(time.Millisecond)}, false},
		{"its digits reversed: no order, here oldest first", rowkey.New("o").Time("at", rowkey.Millis, rowkey.Desc, rowkey.Decimal, rowkey.Reverse), "at", rowkey.Unordered,
			row{opTime.Add(7 * time.Millisecond)}, row{opTime.Add(8 * time.Millisecond)}, true},
		{"time digits reversed: scattered, not newest first", rowkey.New("o").Time("at", rowkey.Layout("20060102150405", time.UTC), rowkey.Reverse), "at", rowkey.Unordered,
			row{time.Date(2023, 5, 16, 10, 20, 30, 0, time.UTC)}, row{time.Date(2023, 5, 16, 10, 20, 31, 0, time.UTC)}, true},
		{"two's complement: −1 sorts after 1", rowkey.New("o", interop.HBase).Int("v", 4), "v", rowkey.Unordered, row{-1}, row{1}, false},
		{"sign flipped: it does not", rowkey.New("o").Int("v", 4), "v", rowkey.Forward, row{-1}, row{1}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := c.schema.MustBuild()
			assert.Equal(t, c.order, s.Order(c.field))
			less, err := s.AppendKey(nil, c.less...)
			require.NoError(t, err)
			more, err := s.AppendKey(nil, c.more...)
			require.NoError(t, err)
			assert.Equal(t, c.inOrder, bytes.Compare(less, more) < 0, "%x, %x", less, more)
		})
	}
}

// Pairs of rows that the articles' keys mix up.
func TestPublishedMixups(t *testing.T) {
	t.Run("uid and phone glued share a key, ended they do not", func(t *testing.T) {
		glued := func() *rowkey.Builder {
			return rowkey.New("g").Uint("uid", 8, rowkey.Decimal, rowkey.Loose).String("phone", rowkey.Loose)
		}
		assert.Equal(t, keyHex(t, glued(), 11, "1123"), keyHex(t, glued(), 111, "123"))
		ended := func() *rowkey.Builder {
			return rowkey.New("g").Uint("uid", 8, rowkey.Decimal).Separator("-").String("phone")
		}
		assert.NotEqual(t, keyHex(t, ended(), 11, "1123"), keyHex(t, ended(), 111, "123"))
	})
	t.Run("what was sent and what was received: two buckets by from, one by the pair", func(t *testing.T) {
		from := func() *rowkey.Builder {
			return rowkey.New("c").Salt(100, "from", interop.JavaHash).String("from").Separator("_").String("to")
		}
		assert.Equal(t, "4c", keyHex(t, from(), "u1", "u2")[:2])
		assert.Equal(t, "4d", keyHex(t, from(), "u2", "u1")[:2])
		pair := func() *rowkey.Builder {
			return rowkey.New("c").Salt(100, "minmax(from,to)").String("from").Separator("_").String("to")
		}
		assert.Equal(t, keyHex(t, pair(), "u1", "u2")[:2], keyHex(t, pair(), "u2", "u1")[:2])
	})
	t.Run("[uid][00000000000] to [uid][uid] reads nothing of uid", func(t *testing.T) {
		b := func() *rowkey.Builder {
			return rowkey.New("c").Uint("uid", 8, rowkey.Digits(5)).Time("at", rowkey.Millis, rowkey.Desc, rowkey.Digits(19))
		}
		key := wantBytes(t, keyHex(t, b(), 10086, opTime))
		article, err := rowkey.NewRange([]byte("10086"+"00000000000"), []byte("10086"+"10086"))
		require.NoError(t, err)
		assert.False(t, article.Contains(key))
		assert.True(t, rangeOf(t, b(), 10086).Contains(key))
	})
}

// inTurn counts 0 … n−1 and begins anew; safe for many goroutines.
func inTurn(n uint64) func() uint64 {
	var turn atomic.Uint64
	return func() uint64 { return (turn.Add(1) - 1) % n }
}
