package laws

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// counted is a step that writes its input's length first.
type counted struct{}

func (counted) Append(dst, v []byte) ([]byte, error) {
	return append(append(dst, byte(len(v))), v...), nil
}

func (c counted) Invert(dst, form []byte) ([]byte, error) {
	if n, err := c.Len(form); err != nil || n != len(form) {
		return dst, errors.New("another length")
	}
	return append(dst, form[1:]...), nil
}

func (counted) Len(b []byte) (int, error) {
	if len(b) == 0 || len(b) <= int(b[0]) {
		return 0, errors.New("another length")
	}
	return 1 + int(b[0]), nil
}

func (counted) Traits() rowkey.Traits { return rowkey.Traits{Order: rowkey.Unordered, Delimited: true} }
func (counted) String() string        { return "counted" }

// swapped is a step that changes the places of two bytes. Bucket 1 it refuses, or every one, and bucket 2 by a
// panic if it panics.
type swapped struct{ all, panics bool }

func (s swapped) Append(dst, v []byte) ([]byte, error) {
	switch {
	case s.all, v[0] == 0 && v[1] == 1:
		return dst, errors.New("bucket 1")
	case s.panics && v[0] == 0 && v[1] == 2:
		panic("bucket 2")
	}
	return append(dst, v[1], v[0]), nil
}

func (swapped) Invert(dst, form []byte) ([]byte, error) { return append(dst, form[1], form[0]), nil }
func (swapped) Traits() rowkey.Traits                   { return rowkey.Traits{Order: rowkey.Unordered, Size: 2} }
func (s swapped) String() string                        { return "swapped" }

// The forms of a salt of more than 1024 buckets are not tried when the schema is built: steps may refuse some of
// them. Ranges hold no bucket that no row has, and no other bucket in its place.
func TestManyBuckets(t *testing.T) {
	const buckets = 1025
	for name, options := range map[string][]rowkey.SaltOption{
		"decimal": {rowkey.Modulo, rowkey.Decimal},
		"counted": {rowkey.Modulo, rowkey.Decimal, rowkey.Via(counted{})},
		"swapped": {rowkey.Modulo, rowkey.Width(2), rowkey.Via(swapped{})},
	} {
		t.Run(name, func(t *testing.T) {
			b := rowkey.New("t").Salt(buckets, "id", options...)
			if name == "decimal" {
				b = b.Separator("_")
			}
			s := b.Uint("id", 4).MustBuild()
			keys := map[uint64][]byte{}
			for id := range uint64(3 * buckets) {
				if key, err := s.AppendKey(nil, id); err == nil {
					keys[id] = key
				} else {
					require.Equal(t, "swapped", name)
					require.Equal(t, uint64(1), id%buckets)
				}
			}
			for _, q := range []struct {
				cond rowkey.Cond
				asks func(id uint64) bool
			}{
				{rowkey.Eq("salt", 1), func(id uint64) bool { return id%buckets == 1 }},
				{rowkey.Eq("salt", 256), func(id uint64) bool { return id%buckets == 256 }},
				{rowkey.Span("salt", 1, 3), func(id uint64) bool { return id%buckets >= 1 && id%buckets < 3 }},
				{rowkey.AtMost("salt", 9), func(id uint64) bool { return id%buckets <= 9 }},
				{rowkey.Eq("id", 1), func(id uint64) bool { return id == 1 }},
				{rowkey.AtLeast("id", 7), func(id uint64) bool { return id >= 7 }},
			} {
				p, err := s.Scan(q.cond, rowkey.MaxRanges(buckets))
				require.NoError(t, err)
				for id, key := range keys {
					held := 0
					for r := range p.Ranges() {
						if r.Contains(key) {
							held++
						}
					}
					require.Equal(t, q.asks(id), p.Match(key), "%d %q in %v", id, key, p)
					if p.Exact() || p.Match(key) {
						require.Equal(t, q.asks(id), held == 1, "%d in %d ranges of %v", id, held, p)
					}
				}
			}
			for _, regions := range []int{2, 7, buckets - 1} {
				splits, err := s.Splits(regions)
				require.NoError(t, err)
				rows := make([]int, regions)
				for _, key := range keys {
					n := 0
					for n < len(splits) && bytes.Compare(splits[n], key) <= 0 {
						n++
					}
					rows[n]++
				}
				for _, n := range rows {
					assert.InDelta(t, len(keys)/regions, n, 3, "%v of %d regions", rows, regions)
				}
			}
		})
	}
	s := rowkey.New("t").Salt(buckets, "id", rowkey.Modulo, rowkey.Width(2), rowkey.Via(swapped{panics: true})).Uint("id", 4).MustBuild()
	for _, cond := range []rowkey.Cond{rowkey.Span("salt", 1, 3), rowkey.AtLeast("id", 7)} {
		_, err := s.Scan(cond, rowkey.MaxRanges(buckets)) // a row may have the bucket
		assert.ErrorContains(t, err, "panicked", fmt.Sprint(cond))
	}
	p, err := s.Scan(rowkey.Span("salt", 3, 5))
	require.NoError(t, err)
	assert.Equal(t, 2, p.Len())
	_, err = s.Splits(2)
	assert.ErrorIs(t, err, rowkey.ErrSplits)
	s = rowkey.New("t").Salt(buckets, "id", rowkey.Modulo, rowkey.Width(2), rowkey.Via(swapped{all: true})).Uint("id", 4).MustBuild()
	for _, cond := range []rowkey.Cond{rowkey.Span("salt", 1, 3), rowkey.AtLeast("id", 7), rowkey.Eq("id", 7)} {
		p, err := s.Scan(cond, rowkey.MaxRanges(buckets))
		require.NoError(t, err)
		assert.Zero(t, p.Len(), fmt.Sprint(cond))
	}
	_, err = rowkey.New("t").Salt(1<<20+1, "id", rowkey.Decimal).Separator("_").Uint("id", 4).MustBuild().Splits(2)
	assert.ErrorContains(t, err, "its more than 1048576 buckets do not sort by their numbers: use SplitsOf")
}
