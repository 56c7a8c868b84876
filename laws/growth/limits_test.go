package growth

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
)

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
		b := rowkey.New("t", interop.Phoenix)
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
	s := rowkey.Must(rowkey.Parse("t", saltOverAll(1000)))
	text := s.Explain(bytes.Repeat([]byte{1}, 1001))
	assert.Less(t, len(text), 1001*400+64<<10)
	assert.Contains(t, text, "…")
}
