package plan_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/seed"
)

// The number of a refusal is enough: a query that is permitted so many ranges is planned. A key that ends
// in nulls may need a range of its own, and a null a range beside the pieces of its field.
func TestRefusalNamesEnough(t *testing.T) {
	number := regexp.MustCompile(`: (\d+) ranges`)
	for _, c := range []struct {
		notation string
		conds    []rowkey.Cond
		want     int // which the refusal names
		ranges   int
	}{
		{`[murmur3x128.hex(3)(rest()) named(digest)][a:bytes optional desc orderedbytes][b optional orderedbytes]`, []rowkey.Cond{rowkey.Null("a")}, 8192, 8192},
		{`[murmur3x128.hex(3)(rest()) named(digest)][a:bytes optional desc orderedbytes][b optional orderedbytes]`, []rowkey.Cond{rowkey.Null("a"), rowkey.Suffix("b", "x")}, 8192, 8192},
		{`[murmur3x128.hex(3)(rest()) named(digest)][a:bytes optional desc orderedbytes][b optional orderedbytes]`, []rowkey.Cond{rowkey.Eq("a", "x"), rowkey.Prefix("b", "x")}, 4096, 4096},
		{`[murmur3x128.hex(3)(rest()) named(digest)][a optional desc orderedbytes][b optional orderedbytes]`, []rowkey.Cond{rowkey.AnyOf(rowkey.Null("a"), rowkey.Prefix("a", "x"))}, 12288, 12288},
		{`[murmur3x128.hex(3)(rest()) named(digest)][a optional orderedbytes][b optional orderedbytes]`, []rowkey.Cond{rowkey.AnyOf(rowkey.Null("a"), rowkey.Prefix("a", "x"))}, 8192, 8192},
	} {
		s := rowkey.Must(rowkey.Parse("t", c.notation))
		_, err := s.Scan(c.conds...)
		require.ErrorIs(t, err, rowkey.ErrManyRanges)
		m := number.FindStringSubmatch(err.Error())
		require.NotNil(t, m, "%v", err)
		n, err := strconv.Atoi(m[1])
		require.NoError(t, err)
		what := fmt.Sprintf("%s %v", c.notation, c.conds)
		assert.Equal(t, c.want, n, what)
		p, err := s.Scan(append(c.conds, rowkey.MaxRanges(n))...)
		if assert.NoError(t, err, what) {
			assert.Equal(t, c.ranges, p.Len(), what)
		}
	}
}

// With more ranges permitted a query is planned still, and the number of a refusal is enough; here with
// conditions on buckets, which are listed or read as pieces.
func TestMorePermissionRefusesNothing(t *testing.T) {
	number := regexp.MustCompile(`: (\d+) ranges`)
	layouts := []*rowkey.Schema{
		rowkey.Must(rowkey.Parse("t", "[n:1 below(6)][salt16(id)][b:1 below(20)][id:2]")),
		rowkey.Must(rowkey.Parse("t", "[salt16(id)][n:1 below(6)][b:1 below(20)][id:2]")),
		rowkey.Must(rowkey.Parse("t", "[salt16(id) digits(2)][b:1 below(20)][n:1 below(6)][id:2]")),
		rowkey.Must(rowkey.Parse("t", "[n:1 below(6)][salt16(id) letters(\"ponmlkjihgfedcba\")][b:1 below(20)][salt4(n) named(other)][id:2]")),
	}
	r := seed.Rand(t)
	some := func(most int) (list []int) {
		for range 1 + r.IntN(5) {
			list = append(list, r.IntN(most))
		}
		return list
	}
	cond := func(field string, most int) rowkey.Cond {
		a, b := r.IntN(most), r.IntN(most)
		return []rowkey.Cond{rowkey.Eq(field, a), rowkey.In(field, some(most)...), rowkey.Span(field, min(a, b), max(a, b)),
			rowkey.AtLeast(field, a), rowkey.AtMost(field, a), rowkey.NotEq(field, a)}[r.IntN(6)]
	}
	refused, more := 0, 0
	usual := 1000
	if testing.Short() {
		usual /= 4
	}
	for cases, n := seed.Cases(t, usual), 0; n < cases || more == 0 && n < 20*usual; n++ { // few refusals have a second number
		s := layouts[r.IntN(len(layouts))]
		conds := []rowkey.Cond{cond("salt", 16), cond("salt", 16), cond("n", 6), cond("b", 20), cond("id", 60000)}
		r.Shuffle(len(conds), func(i, j int) { conds[i], conds[j] = conds[j], conds[i] })
		conds = conds[:1+r.IntN(len(conds))]
		planned, enough := false, 0
		for most := 1; most < 200; most += 1 + r.IntN(2+most/8) {
			_, err := s.Scan(append(slices.Clip(conds), rowkey.MaxRanges(most))...)
			what := fmt.Sprintf("%v %v, MaxRanges(%d): %v", s, conds, most, err)
			if planned = planned || err == nil; planned {
				require.NoError(t, err, what)
				continue
			}
			if errors.Is(err, rowkey.ErrFullScan) || errors.Is(err, rowkey.ErrInverted) {
				continue
			}
			require.ErrorIs(t, err, rowkey.ErrManyRanges)
			refused++
			m := number.FindStringSubmatch(err.Error())
			require.NotNil(t, m, what)
			n, err := strconv.Atoi(m[1])
			require.NoError(t, err)
			if enough > 0 && n != enough {
				more++
			}
			enough = n
			_, err = s.Scan(append(slices.Clip(conds), rowkey.MaxRanges(n))...)
			require.NoError(t, err, what)
		}
	}
	require.Positive(t, refused)
	require.Positive(t, more)
}

// Where a query names the values of every field, and keys are too many, a refusal names what the ranges
// before the last field need, and so many are then made.
func TestRefusalOfKeys(t *testing.T) {
	a, c := rowkey.In("a", int64(5), int64(-9)), rowkey.In("c", 1.0, 1.5, -2.0)
	for _, notation := range []string{"[salt3(c)][a:i4][b:2 below(2)][c:f8]", "orderedbytes [salt3(c)][a:i4 numeric][b:2 numeric below(2)][c:f8 notstored]", "[a:i4][b:2 below(2)][c:f8]"} {
		s := rowkey.Must(rowkey.Parse("t", notation))
		named := regexp.MustCompile(`: (\d+) ranges`)
		for most := 1; most <= 13; most++ {
			plan, err := s.Scan(a, c, rowkey.In("b", uint32(0), uint32(1)), rowkey.MaxRanges(most))
			if err == nil {
				assert.LessOrEqual(t, plan.Len(), most, notation)
				continue
			}
			n, _ := strconv.Atoi(named.FindStringSubmatch(err.Error())[1])
			_, err = s.Scan(a, c, rowkey.In("b", uint32(0), uint32(1)), rowkey.MaxRanges(n))
			assert.NoError(t, err, "%s, %d", notation, most)
		}
	}
}

// A query names all values and some buckets of their salt. Its refusal counts the keys in these buckets.
func TestRefusalOfKeysInBuckets(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "[salt16(rest()) named(bucket)][a:4]"))
	values := make([]uint32, 3000)
	for i := range values {
		values[i] = uint32(i) * 7919
	}
	conds := []rowkey.Cond{rowkey.In("a", values...), rowkey.Span("bucket", 2, 9)}
	_, err := s.Scan(conds...)
	assert.ErrorContains(t, err, "1300 ranges; at most 1024")
	plan, err := s.Scan(append(conds, rowkey.MaxRanges(1300))...)
	require.NoError(t, err)
	assert.Equal(t, 1300, plan.Len())
}
