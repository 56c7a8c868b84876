package laws

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
)

const someUUID = "fb2b4e5e-1c7d-4f6a-9b1e-2f00c0ffee01"

// TestUUIDBytes: the 36 characters in 16 bytes, and back.
func TestUUIDBytes(t *testing.T) {
	s := rowkey.New("t").String("id", rowkey.UUID).Bool("b").MustBuild()
	key, err := s.Key().String(someUUID).Bool(true).Bytes()
	require.NoError(t, err)
	assert.Equal(t, wantBytes(t, "fb2b4e5e1c7d4f6a9b1e2f00c0ffee01 01"), key)
	var id string
	var b bool
	require.NoError(t, s.Read(key).String(&id).Bool(&b).Err())
	assert.Equal(t, someUUID, id)
	assert.Contains(t, s.Explain(key), someUUID)
	assert.Equal(t, rowkey.Forward, s.Order("id"))

	for bad, reason := range map[string]error{
		"":                                     rowkey.ErrLength,
		someUUID[:35]:                          rowkey.ErrLength,
		strings.ReplaceAll(someUUID, "-", ""):  rowkey.ErrLength,
		strings.ToUpper(someUUID):              rowkey.ErrRange,
		strings.ReplaceAll(someUUID, "-", "_"): rowkey.ErrRange,
		someUUID[:35] + "g":                    rowkey.ErrRange,
		"-" + someUUID[:35]:                    rowkey.ErrRange,
	} {
		_, err := s.Key().String(bad).Bool(true).Bytes()
		assert.ErrorIs(t, err, reason, bad)
	}
	for _, opts := range [][]rowkey.FieldOption{{rowkey.UUID, rowkey.Desc}, {rowkey.UUID, rowkey.Reverse}, {rowkey.UUID, rowkey.Escaped}} {
		s := rowkey.New("t").String("id", opts...).Bool("b").MustBuild()
		key, err := s.AppendKey(nil, someUUID, true)
		require.NoError(t, err)
		var id string
		require.NoError(t, s.Read(key).String(&id).Skip().Err())
		assert.Equal(t, someUUID, id)
	}
}

// TestUUIDPlans: any condition on the text is exact ranges of bytes: the ends of
// an interval need be no UUIDs.
func TestUUIDPlans(t *testing.T) {
	for _, opts := range [][]rowkey.FieldOption{{rowkey.UUID}, {rowkey.UUID, rowkey.Desc}, {rowkey.UUID, rowkey.Escaped}} {
		s := rowkey.New("t").String("id", opts...).Bool("b").MustBuild()
		r := rand.New(rand.NewPCG(1, 2))
		var ids []string
		var keys [][]byte
		for range 300 {
			id := genUUID(r)
			if key, err := s.AppendKey(nil, id, true); err == nil {
				ids, keys = append(ids, id), append(keys, key)
			}
		}
		for range 2000 {
			p := genUUID(r)
			p = p[:1+r.IntN(len(p))]
			if genOdds(r, 3) {
				p += genPick(r, "-", "g", "\xff", "\x00", "0", "A", ":", "`")
			}
			q := genUUID(r)
			if q < p {
				p, q = q, p
			}
			for _, c := range []struct {
				cond rowkey.Cond
				want func(id string) bool
			}{
				{rowkey.Prefix("id", p), func(id string) bool { return strings.HasPrefix(id, p) }},
				{rowkey.AtLeast("id", p), func(id string) bool { return id >= p }},
				{rowkey.MoreThan("id", p), func(id string) bool { return id > p }},
				{rowkey.LessThan("id", p), func(id string) bool { return id < p }},
				{rowkey.Span("id", p, q), func(id string) bool { return id >= p && id < q }},
			} {
				plan, err := s.Scan(c.cond)
				require.NoError(t, err)
				require.True(t, plan.Exact(), "%s", plan)
				ranges := slices.Collect(plan.Ranges())
				for i, key := range keys {
					in := slices.ContainsFunc(ranges, func(r rowkey.Range) bool { return r.Contains(key) })
					if in != c.want(ids[i]) {
						t.Fatalf("%q %q: %s\n%s %x", p, q, plan, ids[i], key)
					}
				}
			}
		}
	}
	s := rowkey.New("t").String("id", rowkey.UUID).MustBuild()
	plan, err := s.Scan(rowkey.Prefix("id", "fb2b4e5e-1"))
	require.NoError(t, err)
	ranges := slices.Collect(plan.Ranges())
	require.Len(t, ranges, 1)
	assert.True(t, bytes.HasPrefix(ranges[0].Start(), wantBytes(t, "fb2b4e5e10")))
	assert.True(t, bytes.HasPrefix(ranges[0].Stop(), wantBytes(t, "fb2b4e5e20")))
	_, err = s.Key().Prefix("fb2b").Range()
	assert.ErrorIs(t, err, rowkey.ErrType)
}

// TestUUIDRefused says where no UUID can stand.
func TestUUIDRefused(t *testing.T) {
	new := func(opts ...rowkey.SchemaOption) *rowkey.Builder { return rowkey.New("t", opts...) }
	for name, c := range map[string]struct {
		b     *rowkey.Builder
		words string
	}{
		"a binary":  {new().Binary("a", rowkey.UUID), "option uuid does not fit a binary"},
		"a number":  {new().Uint("a", 8, rowkey.UUID), "option uuid does not fit a uint"},
		"behind":    {new().String("a", rowkey.Reverse, rowkey.UUID), "UUID stands before the options that change bytes"},
		"fixed":     {new().String("a", rowkey.Fixed(16), rowkey.UUID), "UUID stands before"},
		"codes":     {new().String("a", rowkey.Codes(map[string]string{"a": "b"}), rowkey.UUID), "both say what is written"},
		"phoenix":   {new(interop.Phoenix).String("a", rowkey.UUID), "give the field HBase"},
		"ordered":   {new(interop.OrderedBytes).String("a", rowkey.UUID), "give the field HBase"},
		"oneof":     {new().String("a", rowkey.OneOf("a", "b"), rowkey.UUID), "UUID: no value has its 36 characters"},
		"no uuid":   {new().String("a", rowkey.OneOf(strings.Repeat("x", 36)), rowkey.UUID), "uuid does not fit the value"},
		"too short": {new().String("a", rowkey.UUID, rowkey.Fixed(36)), "no value"},
	} {
		_, err := c.b.Build()
		require.ErrorIs(t, err, rowkey.ErrSchema, name)
		assert.ErrorContains(t, err, c.words, name)
	}
	s, err := rowkey.New("t", interop.Phoenix).String("id", rowkey.UUID, interop.HBase).String("b").Build()
	require.NoError(t, err)
	key, err := s.AppendKey(nil, someUUID, "x")
	require.NoError(t, err)
	assert.Equal(t, wantBytes(t, "fb2b4e5e1c7d4f6a9b1e2f00c0ffee01 78"), key)
}
