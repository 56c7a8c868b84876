package plan_test

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
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
