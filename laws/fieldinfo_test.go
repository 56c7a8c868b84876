package laws

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/interop"
)

// What a tool is told of a component, and that the limits among it are the ones
// that keys have: the value at the limit is written, the one after it refused.
func TestFieldInfo(t *testing.T) {
	day := time.Date(2023, 5, 16, 0, 0, 0, 0, time.UTC)
	timed := func(step time.Duration, first time.Time) (f rowkey.FieldInfo) {
		f.Time.Step, f.Time.First = step, first
		return f
	}
	for _, c := range []struct {
		notation string
		want     rowkey.FieldInfo // of the first component; Kind, Order and Size are tested elsewhere
	}{
		{"[n:8]", rowkey.FieldInfo{Bytes: 8, Most: math.MaxUint64}},
		{"[n:2 below(1000)]", rowkey.FieldInfo{Bytes: 2, Most: 999}},
		{"[n:8 digits(10)]", rowkey.FieldInfo{Bytes: 8, Most: 9_999_999_999}},
		{"[n:8 width(4)]", rowkey.FieldInfo{Bytes: 8, Most: math.MaxUint32}},
		{"phoenix [n:8]", rowkey.FieldInfo{Bytes: 8, Most: math.MaxInt64}},
		{"[n:i8]", rowkey.FieldInfo{Bytes: 8, Most: math.MaxInt64}},
		{"[n:i2 desc]", rowkey.FieldInfo{Bytes: 2, Most: math.MaxInt16}},
		{"[n:f4]", rowkey.FieldInfo{Bytes: 4}},
		{"orderedbytes [n numeric]", rowkey.FieldInfo{Numeric: true}},
		{`[n chars("ba")]`, rowkey.FieldInfo{Chars: "ab"}},
		{"[n]", rowkey.FieldInfo{}},
		{"[ms(n)]", timed(time.Millisecond, time.Unix(0, 0).UTC())},
		{"[max-s(n)]", timed(time.Second, time.Unix(0, 0).UTC())},
		{"[d(n) years(2000,2040)]", timed(24*time.Hour, time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))},
		{"[ms-since(2023-05-16T00:00:00Z)(n) width(4) below(86400000)]", timed(time.Millisecond, day)},
		{`[layout("200601",+08:00)(n) years(2000,2040)]`, timed(24*time.Hour, time.Date(2000, 1, 31, 16, 0, 0, 0, time.UTC))},
		{`[layout("2006-01-02 15",UTC)(n) years(2000,2040)]`, timed(time.Hour, time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))},
	} {
		s := rowkey.Must(rowkey.Parse("t", c.notation))
		for f := range s.Fields() {
			got := rowkey.FieldInfo{Bytes: f.Bytes, Numeric: f.Numeric, Most: f.Most, Chars: f.Chars, Const: f.Const}
			got.Time.Step, got.Time.First = f.Time.Step, f.Time.First
			assert.Equal(t, c.want, got, c.notation)
			refused := func(v any) {
				t.Helper()
				_, err := s.AppendKey(nil, v)
				assert.ErrorIs(t, err, rowkey.ErrRange, c.notation)
			}
			takes := func(v any) {
				t.Helper()
				_, err := s.AppendKey(nil, v)
				assert.NoError(t, err, c.notation)
			}
			switch f.Kind {
			case "uint":
				takes(f.Most)
				if f.Most < math.MaxUint64 {
					refused(f.Most + 1)
				}
			case "int":
				takes(int64(f.Most))
				if f.Most < math.MaxInt64 {
					refused(int64(f.Most) + 1)
				}
			case "time":
				takes(f.Time.First)
				takes(f.Time.Last)
				refused(f.Time.First.Add(-1))
			}
		}
	}

	s := rowkey.Must(rowkey.Parse("t", `['_']["v1"][salt16(id)][salt3(id) letters("xyz")][id oneof("b","a")][tier codes("gold":"1","blue":"2") fixed(1)]`))
	var consts string
	var buckets []uint64
	for f := range s.Fields() {
		consts += f.Const
		if f.Kind == "salt" {
			buckets = append(buckets, f.Count)
		}
	}
	assert.Equal(t, "_v1", consts)
	assert.Equal(t, []uint64{16, 3}, buckets)
	assert.Equal(t, []string{"a", "b"}, s.Values("id"))
	assert.Equal(t, []string{"blue", "gold"}, s.Values("tier"))
	assert.Nil(t, s.Values("salt"))
	assert.Nil(t, s.Values("none"))
	assert.Contains(t, notation.Words(), "fixed")
	assert.Contains(t, notation.Words(), "javahash")

	key, err := s.AppendKey(nil, "a", "gold")
	require.NoError(t, err)
	row, err := s.Decode(key)
	require.NoError(t, err)
	assert.Regexp(t, `^\d+$`, row.Bucket("salt"))
	assert.Regexp(t, `^[xyz]$`, row.Bucket("salt2"))
	assert.Empty(t, row.Bucket("id"))
}

// A time that may lie before 1970 says so.
func TestFieldInfoFirstSigned(t *testing.T) {
	for f := range rowkey.Must(rowkey.Parse("t", "phoenix [ms(at)]")).Fields() {
		assert.True(t, f.Time.First.Before(time.Unix(0, 0)), "%v", f.Time.First)
	}
}

// ExplainIn shows times in a zone, and is Explain otherwise.
func TestExplainIn(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "[uid:4][ms(at)]"))
	key, err := s.AppendKey(nil, 7, time.Unix(0, 0))
	require.NoError(t, err)
	assert.Equal(t, "t [uid:4][ms(at)]: 12 bytes\n0  00000007          [uid:4]   7\n4  0000000000000000  [ms(at)]  1970-01-01T08:00:00+08:00\n",
		s.ExplainIn(key, time.FixedZone("", 8*3600)))
	assert.Equal(t, s.Explain(key), s.ExplainIn(key, time.UTC))
}

// What a tool is told of how a component is made.
func TestFieldInfoOrigin(t *testing.T) {
	info := func(notation, name string) (found rowkey.FieldInfo) {
		for f := range rowkey.Must(rowkey.Parse("t", notation)).Fields() {
			if f.Name == name {
				found = f
			}
		}
		return found
	}
	for _, c := range []struct {
		notation, name string
		count          uint64
	}{
		{"[a:1]", "a", 256},
		{"[a:i2]", "a", 65536},
		{"[a:8]", "a", 0}, // 2⁶⁴
		{"[a:8 below(5)]", "a", 5},
		{"[a:bool]", "a", 2},
		{`[a oneof("x","y","z")]`, "a", 3},
		{`[a codes("x":"1","y":"2")]`, "a", 2},
		{"[salt16(a)][a]", "salt", 16},
		{"[a]", "a", 0},
		{"[s(a) width(4) desc]", "a", 1 << 31},
		{"[a:f8]", "a", 0},
	} {
		assert.Equal(t, c.count, info(c.notation, c.name).Count, c.notation)
	}
	assert.Equal(t, []string{"a", "b"}, info(`[salt4(values(a,b))][a:1][b]`, "salt").Computed.Inputs)
	assert.Equal(t, []string{"a", "b"}, info(`[salt4(rest())][a:1]['_'][b]`, "salt").Computed.Inputs)
	assert.Equal(t, []string{"c"}, info(`[md5.hex(5)(c)][c=a left(2) fixed(2)][a]`, "hash").Computed.Inputs)
	assert.Nil(t, info(`[a]`, "a").Computed.Inputs)
	assert.Equal(t, 20, info(`[md5.hex(5)(a)][a]`, "hash").Computed.Bits)
	assert.Equal(t, 16, info(`[murmur3.raw(2)(a)][a]`, "hash").Computed.Bits)
	assert.Equal(t, "a", info(`[c=a left(2) fixed(2)][a]`, "c").Computed.Source)
	assert.Equal(t, rowkey.Modulo, info(`[salt4(a) modulo][a:2]`, "salt").Computed.Rule)
	assert.Equal(t, interop.JavaHash, info(`[salt4(a) javahash][a]`, "salt").Computed.Rule)
	assert.Zero(t, info(`[salt4(a)][a]`, "salt").Computed.Rule)
	assert.True(t, info(`[a reverse]`, "a").Reversed)
	assert.True(t, info(`[a reversepart(0,2)]`, "a").Reversed)
	assert.False(t, info(`[a desc]`, "a").Reversed)
	assert.True(t, info(`[a loose]['_'][b]`, "a").Loose)
	assert.True(t, info(`[a:1 below(4) bucket][b]`, "a").Slot)
	assert.Equal(t, "x", info(`[a pad(20,'x')]`, "a").Pad)
	assert.Equal(t, "0", info(`[a padleft(20,'0')]`, "a").Pad)
	assert.Empty(t, info(`[a fixed(20)]`, "a").Pad)
	assert.Equal(t, time.Hour, info(`[s(a) truncate(1h) width(4)]`, "a").Time.Truncated)
	assert.Equal(t, time.Date(2038, 1, 19, 3, 14, 7, 0, time.UTC), info(`[s(a) width(4) desc]`, "a").Time.Last)
	assert.Equal(t, time.Date(2040, 12, 31, 0, 0, 0, 0, time.UTC), info(`[layout("20060102",UTC)(a) years(2000,2040)]`, "a").Time.Last)
}
