package laws

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
)

// What a caller, a key or a notation from elsewhere can force grows as n log n, not as n². The tests
// count bytes of memory, since work that grows as n² makes so many; the benchmarks measure time.

// growing are queries of n conditions or n values, on a text and a number.
var growing = map[string]func(n int) []rowkey.Cond{
	"NotEq of texts": func(n int) (out []rowkey.Cond) {
		for i := range n {
			out = append(out, rowkey.NotEq("a", fmt.Sprintf("v%07d", i*7919%n)))
		}
		return append(out, rowkey.Prefix("a", "v"))
	},
	"NotEq of numbers": func(n int) (out []rowkey.Cond) {
		for i := range n {
			out = append(out, rowkey.NotEq("n", 2*(i*7919%n)))
		}
		return append(out, rowkey.Eq("a", "a"))
	},
	"AnyOf of two sides": func(n int) (out []rowkey.Cond) {
		for i := range n {
			v := fmt.Sprintf("v%07d", i)
			out = append(out, rowkey.AnyOf(rowkey.LessThan("a", v), rowkey.MoreThan("a", v+"x")))
		}
		return append(out, rowkey.Prefix("a", "v"))
	},
	"AtLeast": func(n int) (out []rowkey.Cond) {
		for i := range n {
			out = append(out, rowkey.AtLeast("a", fmt.Sprintf("v%07d", i)))
		}
		return out
	},
	"AnyOf of equalities": func(n int) []rowkey.Cond {
		var any []rowkey.Cond
		for i := range n {
			any = append(any, rowkey.Eq("a", fmt.Sprintf("v%07d", i*7919%n)))
		}
		return []rowkey.Cond{rowkey.AnyOf(any...)}
	},
	"In": func(n int) []rowkey.Cond {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf("v%07d", i*7919%n)
		}
		return []rowkey.Cond{rowkey.In("a", list...)}
	},
	"Suffix": func(n int) []rowkey.Cond {
		var any []rowkey.Cond
		for i := range n {
			any = append(any, rowkey.Suffix("a", fmt.Sprintf("v%07d", i*7919%n)))
		}
		return []rowkey.Cond{rowkey.AnyOf(any...), rowkey.FullScan()}
	},
}

// growingNotations are notations of n bytes or so.
var growingNotations = map[string]func(n int) string{
	"oneof": func(n int) string {
		var b strings.Builder
		b.WriteString(`[a oneof("x"`)
		for i := range n / 9 {
			fmt.Fprintf(&b, `,"%06d"`, i)
		}
		return b.String() + `)]`
	},
	"salts": func(n int) string { return strings.Repeat(`[salt4(a)]`, min(n/10, 1000)) + `[a]` },
	"a salt over all": func(n int) string {
		var b strings.Builder
		b.WriteString("[salt4(values(f0")
		n = min(n/12, 1000)
		for i := range n - 1 {
			fmt.Fprintf(&b, ",f%d", i+1)
		}
		b.WriteString("))]")
		for i := range n {
			fmt.Fprintf(&b, "[f%d:1]", i)
		}
		return b.String()
	},
}

// madeBy is the bytes of memory that a function asks for.
func madeBy(f func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

func growthSchema() *rowkey.Schema {
	return rowkey.New("t").String("a").Separator("\x00").Uint("n", 4).MustBuild()
}

// It is not parallel: the memory of others would count.
func TestWorkGrowsAsNLogN(t *testing.T) {
	s := growthSchema()
	for name, of := range growing {
		work := func(n int) float64 {
			conds := append(of(n), rowkey.MaxRanges(1<<20))
			return madeBy(func() {
				plan, err := s.Scan(conds...)
				require.NoError(t, err, name)
				plan.Match([]byte("v0000001\x00\x00\x00\x00\x01"))
			})
		}
		few, many := work(1_000), work(16_000)
		assert.Less(t, many, 40*few, "%s: %.0f bytes for 1,000, %.0f for 16,000", name, few, many) // n log n is 22 times, n² 256 times
	}
	for name, of := range growingNotations {
		work := func(n int) float64 {
			text := of(n)
			return madeBy(func() {
				_, err := rowkey.Parse("t", text)
				require.NoError(t, err, name)
			})
		}
		few, many := work(3_000), work(10_000)
		assert.Less(t, many, 8*few, "%s: %.0f bytes for 3,000, %.0f for 10,000", name, few, many) // n log n is 4 times, n² 11 times
	}
}

func BenchmarkGrowth(b *testing.B) {
	s := growthSchema()
	for name, of := range growing {
		for _, n := range []int{1_000, 10_000, 100_000} {
			conds := append(of(n), rowkey.MaxRanges(1<<20))
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					if _, err := s.Scan(conds...); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
	for name, of := range growingNotations {
		for _, n := range []int{1_000, 10_000, 60_000} { // 64 KiB are the most
			text := of(n)
			b.Run(fmt.Sprintf("Parse of %s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					if _, err := rowkey.Parse("t", text); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// A schema has at most 1,024 components, and a notation of at most 64 KiB; what a Builder makes, Parse
// reads.
func TestSchemaHasLimits(t *testing.T) {
	builder := func(n int) *rowkey.Builder {
		b := rowkey.New("t")
		for i := range n {
			b = b.Uint(fmt.Sprintf("f%d", i), 1)
		}
		return b
	}
	s, err := builder(1024).Build()
	require.NoError(t, err)
	_, err = rowkey.Parse("t", s.String())
	require.NoError(t, err)
	_, err = builder(1025).Build()
	assert.ErrorIs(t, err, rowkey.ErrSchema)
	assert.ErrorContains(t, err, "1025 components; a schema has at most 1024")
	_, err = rowkey.Parse("t", strings.Repeat(`["a"]`, 1024)+"[b]")
	assert.ErrorContains(t, err, "1025 components; a schema has at most 1024")

	nulls := func(n int) *rowkey.Builder {
		b := rowkey.New("t", rowkey.Phoenix)
		for i := range n {
			b = b.String(fmt.Sprintf("f%d", i), rowkey.Optional)
		}
		return b
	}
	_, err = nulls(64).Build()
	require.NoError(t, err)
	_, err = nulls(65).Build()
	assert.ErrorIs(t, err, rowkey.ErrSchema)
	assert.ErrorContains(t, err, "65 fields may be null; in a schema at most 64")

	long := func(n int) string { return `["` + strings.Repeat("a", n-len(`[""][b]`)) + `"][b]` }
	_, err = rowkey.Parse("t", long(64<<10+1))
	assert.ErrorIs(t, err, rowkey.ErrSchema)
	assert.ErrorContains(t, err, "the notation has 65537 bytes, and at most 65536 are read")
	values := make([]string, 64<<10/8)
	for i := range values {
		values[i] = fmt.Sprintf("%06d", i)
	}
	_, err = rowkey.New("t").String("a", rowkey.OneOf(values...)).Build()
	assert.ErrorIs(t, err, rowkey.ErrSchema)
	assert.ErrorContains(t, err, "its notation has 73738 bytes; a schema has at most 65536")
	s, err = rowkey.New("t").String("a", rowkey.OneOf(values[:7000]...)).Build()
	require.NoError(t, err)
	_, err = rowkey.Parse("t", s.String())
	assert.NoError(t, err)
}

// slowTransform counts how often a stored form is read.
type slowTransform struct{ read *int }

func (slowTransform) Append(dst, value []byte) ([]byte, error) { return append(dst, value...), nil }

func (s slowTransform) Invert(dst, stored []byte) ([]byte, error) {
	*s.read++
	return append(dst, stored...), nil
}

func (slowTransform) Traits() rowkey.Traits { return rowkey.Traits{Order: rowkey.Unordered} }
func (slowTransform) String() string        { return "slow" }

// A key of which each byte may be the end of a Loose field is read a few hundred times at most, and
// then Match says that it may match.
func TestHostileKeyIsReadAFewTimes(t *testing.T) {
	read := 0
	s := rowkey.New("t").String("a", rowkey.Pad(200, '_'), rowkey.Loose).String("b", rowkey.Loose).Separator("_").
		String("c", rowkey.Via(slowTransform{&read})).MustBuild()
	plan, err := s.Scan(rowkey.Eq("c", "zz"), rowkey.FullScan())
	require.NoError(t, err)
	key := bytes.Repeat([]byte("_"), 32_000)
	read = 0
	assert.True(t, plan.Match(key))
	assert.Less(t, read, 300)
	read = 0
	_, err = s.Decode(key)
	assert.True(t, errors.Is(err, rowkey.ErrAmbiguous), err)
	assert.Less(t, read, 600)
	short, err := s.AppendKey(nil, "a", "b_b", "zz")
	require.NoError(t, err)
	assert.True(t, plan.Match(short))
	short, err = s.AppendKey(nil, "a", "b_b", "zy")
	require.NoError(t, err)
	assert.False(t, plan.Match(short))
}

// Explain of a key of many fields is not longer than the fields are many.
func TestExplainIsBounded(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", growingNotations["a salt over all"](12_000)))
	text := s.Explain(bytes.Repeat([]byte{1}, 1001))
	assert.Less(t, len(text), 1001*400+64<<10)
	assert.Contains(t, text, "…")
}
