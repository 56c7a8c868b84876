package laws

import (
	"bytes"
	"crypto/md5"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
)

// Two builders as programs have them, each declared and held against the program's
// own code: keys, values, scans.

// found is the keys that lie in a plan's ranges, and those of them that Match.
func found(plan *rowkey.Plan, keys [][]byte) (in, match [][]byte) {
	for _, key := range keys {
		for r := range plan.Ranges() {
			if r.Contains(key) {
				in = append(in, key)
			}
		}
		if plan.Match(key) {
			match = append(match, key)
		}
	}
	return in, match
}

// TestBuilderLowered: md5(id) + lower(id) + (Long.MAX_VALUE − ms). The id itself is
// nowhere in the key, its copy in lower case has no end.
func TestBuilderLowered(t *testing.T) {
	build := func(id string, ms int64) []byte {
		sum := md5.Sum([]byte(id))
		return binary.BigEndian.AppendUint64([]byte(hex.EncodeToString(sum[:])+strings.ToLower(id)), uint64(math.MaxInt64-ms))
	}
	s, err := rowkey.New("t").
		Hash(rowkey.MD5.Hex(32), "id").
		Copy("low", "id", rowkey.Via(testLowered), rowkey.Loose).
		Time("at", rowkey.Millis, rowkey.Desc).
		String("id", rowkey.NotStored).
		Build()
	require.NoError(t, err)

	from := time.Date(2023, 5, 16, 2, 20, 30, 0, time.UTC)
	ids := []string{"S-42", "s-42", "S-4", "S-42\x7f\xff", "Anna"}
	var keys [][]byte
	for _, id := range ids {
		for i := range 3 {
			at := from.Add(time.Duration(i) * time.Hour)
			key, err := s.Key().Time(at).String(id).Bytes()
			require.NoError(t, err)
			require.Equal(t, build(id, at.UnixMilli()), key)
			row, err := s.Decode(key)
			require.NoError(t, err)
			assert.Equal(t, strings.ToLower(id), string(row.Stored("low")))
			var got time.Time
			require.NoError(t, s.Read(key).Time(&got).Err())
			assert.True(t, at.Equal(got))
			keys = append(keys, key)
		}
	}
	for i, id := range ids {
		plan, err := s.Scan(rowkey.Eq("id", id), rowkey.AtLeast("at", from.Add(time.Hour)))
		require.NoError(t, err)
		in, match := found(plan, keys)
		assert.Equal(t, keys[3*i+1:3*i+3], match, id)
		assert.Subset(t, in, match, id)
		assert.LessOrEqual(t, len(in), 3, "%q: no other id's rows", id)
	}
	_, err = s.Scan(rowkey.AtLeast("at", from))
	assert.ErrorIs(t, err, rowkey.ErrFullScan)
}

// builtName is name + ts + optional max + tag pairs: the name as it is, without an
// end; the time in milliseconds; if there is one the largest value; of each tag the
// CRC32 of its name and of its value.
func builtName(name string, ms int64, max *int64, tags ...string) []byte {
	key := binary.BigEndian.AppendUint64([]byte(name), uint64(ms))
	if max != nil {
		key = binary.BigEndian.AppendUint64(key, uint64(*max))
	}
	for _, tag := range tags {
		key = binary.BigEndian.AppendUint32(key, crc32.ChecksumIEEE([]byte(tag)))
	}
	return key
}

// TestBuilderOptionalNumber: a number that may be absent in the middle of a key, of
// no dialect. It takes two schemas. The limits of the other fields tell their keys
// apart: a name has no byte of a time, and a time is none of a name's letters.
func TestBuilderOptionalNumber(t *testing.T) {
	const letters = "abcdefghijklmnopqrstuvwxyz."
	head := func(name string) *rowkey.Builder {
		return rowkey.New(name).
			String("name", rowkey.Chars(letters), rowkey.Loose).
			Time("ts", rowkey.Millis, rowkey.Years(2000, 2100))
	}
	tags := func(b *rowkey.Builder) *rowkey.Schema {
		return b.
			Hash(rowkey.CRC32.Raw(4), "k").
			Hash(rowkey.CRC32.Raw(4), "v").
			String("k", rowkey.NotStored).
			String("v", rowkey.NotStored).
			MustBuild()
	}
	with := tags(head("with").Uint("max", 8, rowkey.Below(1<<40)))
	without := tags(head("without"))
	page, err := readFile("docs/interop.md")
	require.NoError(t, err)
	assert.Contains(t, string(page), "```text\n"+with.String()+"\n"+without.String()+"\n```", "the page shows these schemas")

	from := time.Date(2023, 5, 16, 2, 20, 30, 0, time.UTC)
	var keys [][]byte
	for _, name := range []string{"cpu", "cpu.user", "cpu.user.percent", "mem"} {
		for i := range 4 {
			at := from.Add(time.Duration(i) * time.Minute)
			max := int64(100 + i)
			key, err := with.Key().String(name).Time(at).Uint(uint64(max)).String("host").String("web-01").Bytes()
			require.NoError(t, err)
			require.Equal(t, builtName(name, at.UnixMilli(), &max, "host", "web-01"), key)
			var got string
			var when time.Time
			var most uint64
			require.NoError(t, with.Read(key).String(&got).Time(&when).Uint(&most).Err())
			assert.Equal(t, []any{name, at, uint64(max)}, []any{got, when.UTC(), most})
			_, err = without.Decode(key)
			assert.ErrorIs(t, err, rowkey.ErrMalformed, "the number is no part of the name or of the time")
			keys = append(keys, key)

			key, err = without.Key().String(name).Time(at).String("host").String("web-02").Bytes()
			require.NoError(t, err)
			require.Equal(t, builtName(name, at.UnixMilli(), nil, "host", "web-02"), key)
			require.NoError(t, without.Read(key).String(&got).Time(&when).Err())
			assert.Equal(t, []any{name, at}, []any{got, when.UTC()})
			_, err = with.Decode(key)
			assert.ErrorIs(t, err, rowkey.ErrMalformed, "no letters are a time")
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, bytes.Compare)

	// A question is asked of both; what the ranges of one hold of the other, Match leaves out.
	ask := func(conds ...rowkey.Cond) (n []int) {
		var all [][]byte
		for _, s := range []*rowkey.Schema{with, without} {
			plan, err := s.Scan(conds...)
			require.NoError(t, err)
			in, match := found(plan, keys)
			assert.Subset(t, in, match)
			all = append(all, match...)
			n = append(n, len(match))
		}
		for i, key := range all {
			assert.NotContains(t, all[i+1:], key, "a row of both")
		}
		return n
	}
	cpu, span := rowkey.Eq("name", "cpu"), rowkey.Span("ts", from.Add(time.Minute), from.Add(3*time.Minute))
	assert.Equal(t, []int{4, 4}, ask(cpu))
	assert.Equal(t, []int{2, 2}, ask(cpu, span))
	assert.Equal(t, []int{12, 12}, ask(rowkey.Prefix("name", "cpu")))
	assert.Equal(t, []int{2, 0}, ask(cpu, span, rowkey.Eq("k", "host"), rowkey.Eq("v", "web-01")))
	assert.Equal(t, []int{0, 2}, ask(cpu, span, rowkey.Eq("k", "host"), rowkey.Eq("v", "web-02")))
	plan, err := with.Scan(cpu, rowkey.AtLeast("max", 102))
	require.NoError(t, err)
	_, match := found(plan, keys)
	assert.Len(t, match, 2)
}

// TestNullableNumber: in a new table a number that may be absent is a Numeric of
// OrderedBytes, whatever the other fields are.
func TestNullableNumber(t *testing.T) {
	s, err := rowkey.Parse("t", `[name]['\x00'][ms(ts)][max:8 numeric optional orderedbytes][tag]`)
	require.NoError(t, err)
	ts := time.UnixMilli(7).UTC()
	for want, max := range map[string]any{
		"63707500 0000000000000007 05 686f7374":   nil,
		"63707500 0000000000000007 1904 686f7374": uint64(200),
	} {
		key, err := s.AppendKey(nil, "cpu", ts, max, "host")
		require.NoError(t, err)
		assert.Equal(t, wantBytes(t, want), key)
		row, err := s.Decode(key)
		require.NoError(t, err)
		var values []any
		for _, v := range row.All() {
			values = append(values, v)
		}
		assert.Equal(t, []any{"cpu", ts, max, "host"}, values)
	}
}
