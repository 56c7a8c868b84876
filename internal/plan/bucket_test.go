package plan_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/digest"
)

// turned is a transform of one byte that cannot be undone.
type turned struct{}

func (turned) Append(dst, v []byte) ([]byte, error) { return append(dst, v[0]*37+5), nil }
func (turned) Invert(dst, _ []byte) ([]byte, error) { return dst, errors.New("it is one way") }
func (turned) Traits() rowkey.Traits {
	return rowkey.Traits{Order: rowkey.Unordered, OneWay: true, Size: 1}
}
func (turned) String() string { return "turned" }

// A plan of a condition on a bucket holds the rows of the buckets that it admits, and no others.
func TestConditionsOnBuckets(t *testing.T) {
	parse := func(text string) *rowkey.Schema { return rowkey.Must(rowkey.Parse("t", text)) }
	for _, c := range []struct {
		s       *rowkey.Schema
		buckets uint64
	}{
		{parse("[salt7(a)][a]['_'][n:1]"), 7},
		{parse("[salt7(a) digits(2)][a]['_'][n:1]"), 7},
		{parse("[salt12(a) decimal]['|'][a]['_'][n:1]"), 12},
		{parse(`[salt4(a) letters("dbca")][a]['_'][n:1]`), 4},
		{parse("[salt2000(a) width(2)][a]['_'][n:1]"), 2000},
		{parse("[n:1][salt7(a)][a]"), 7},
		{rowkey.New("t").Salt(7, "a", rowkey.Via(turned{})).String("a").Separator("_").Uint("n", 1).MustBuild(), 7},
	} {
		var rows []row[uint64] // each with its bucket
		for i := range 120 {
			a := fmt.Sprintf("v%d", i)
			key, err := c.s.AppendKey(nil, a, i%2)
			if err != nil {
				key, err = c.s.AppendKey(nil, i%2, a)
			}
			require.NoError(t, err)
			rows = append(rows, row[uint64]{uint64(digest.Murmur32(0, []byte(a))) % c.buckets, key})
		}
		var bounds []uint64
		for _, r := range rows[:4] {
			bounds = append(bounds, r.v)
		}
		highest := slices.MaxFunc(rows, func(a, b row[uint64]) int { return int(a.v) - int(b.v) })
		for _, b := range append(bounds, highest.v, 0, c.buckets-1, c.buckets/2) {
			up := min(b+2, c.buckets-1)
			for name, q := range map[string]struct {
				conds []rowkey.Cond
				holds func(n uint64) bool
			}{
				"Eq":       {[]rowkey.Cond{rowkey.Eq("salt", b)}, func(n uint64) bool { return n == b }},
				"NotEq":    {[]rowkey.Cond{rowkey.NotEq("salt", b)}, func(n uint64) bool { return n != b }},
				"In":       {[]rowkey.Cond{rowkey.In("salt", b, up)}, func(n uint64) bool { return n == b || n == up }},
				"Span":     {[]rowkey.Cond{rowkey.Span("salt", b, up)}, func(n uint64) bool { return n >= b && n < up }},
				"AtLeast":  {[]rowkey.Cond{rowkey.AtLeast("salt", b)}, func(n uint64) bool { return n >= b }},
				"AtMost":   {[]rowkey.Cond{rowkey.AtMost("salt", b)}, func(n uint64) bool { return n <= b }},
				"MoreThan": {[]rowkey.Cond{rowkey.MoreThan("salt", b), rowkey.NotEq("salt", up)}, func(n uint64) bool { return n > b && n != up }},
				"LessThan": {[]rowkey.Cond{rowkey.LessThan("salt", b)}, func(n uint64) bool { return n < b }},
			} {
				name := fmt.Sprintf("%s %s %d %d", c.s, name, b, up)
				plan, err := c.s.Scan(q.conds...)
				admitted := 0
				for n := range c.buckets {
					if q.holds(n) {
						admitted++
					}
				}
				if (c.buckets == 7 || c.buckets == 2000) && c.s.String()[1] == 's' { // a few buckets of all need no permission
					assert.Equal(t, uint64(admitted) < c.buckets, err == nil, name)
				}
				if err != nil {
					plan, err = c.s.Scan(append(q.conds, rowkey.FullScan())...)
				}
				require.NoError(t, err, name)
				if c.s.String()[1] == 's' && admitted <= 1024 && uint64(admitted) < c.buckets {
					assert.LessOrEqual(t, plan.Len(), admitted, name)
					assert.True(t, plan.Exact(), name)
				}
				for _, r := range rows {
					holdRow(t, plan, r.key, q.holds(r.v), "%s: bucket %d", name, r.v)
				}
			}
		}
	}
	_, err := parse("[salt2000(a) decimal]['_'][a]").Scan(rowkey.AtLeast("salt", 500)) // they do not sort
	assert.ErrorIs(t, err, rowkey.ErrManyRanges)
	assert.ErrorContains(t, err, "1500 ranges, one for each of its buckets")
	// With a bucket that the fields do not give, no row is left, nor is another bucket's read.
	s := parse("[salt7(a)][a]['_'][n:1]")
	own := uint64(digest.Murmur32(0, []byte("x"))) % 7
	for b := range uint64(7) {
		plan, err := s.Scan(rowkey.Eq("a", "x"), rowkey.Eq("salt", b))
		require.NoError(t, err)
		assert.Equal(t, b == own, plan.Len() == 1)
		plan, err = s.Scan(rowkey.In("a", "x", "y"), rowkey.Eq("salt", b))
		require.NoError(t, err)
		assert.Equal(t, slices.Contains([]uint64{own, uint64(digest.Murmur32(0, []byte("y"))) % 7}, b), plan.Len() > 0)
		plan, err = s.Scan(rowkey.Eq("a", "x"), rowkey.Eq("n", 1), rowkey.Eq("salt", b)) // a whole key
		require.NoError(t, err)
		assert.Equal(t, b == own, plan.Len() == 1)
		assert.Equal(t, b == own, len(slices.Collect(plan.Keys())) == 1)
	}
}

// Buckets that are too many to be listed are one piece, from the first one's form on. It stops before
// the next bytes of that length; after ff there are none.
func TestBucketsAsOnePiece(t *testing.T) {
	for _, c := range []struct {
		layout, ranges string
		conds          []rowkey.Cond
	}{
		{"[salt256(a)][a]", "[\\xC8, end of table)", []rowkey.Cond{rowkey.AtLeast("salt", 200)}},
		{"[salt256(a)][a]", "[\\x00, e)", []rowkey.Cond{rowkey.AtMost("salt", 100)}},
		{"[salt256(a)][a]", "[\\x00, d) [e, end of table)", []rowkey.Cond{rowkey.NotEq("salt", 100)}},
		{"[n:1][salt256(a)][a]", "[\\x07\\xC8, \\x08)", []rowkey.Cond{rowkey.Eq("n", 7), rowkey.AtLeast("salt", 200)}},
		{"[salt2000(a) width(2)][a]", "[\\x00\\x00, \\x05\\x00)", []rowkey.Cond{rowkey.AtMost("salt", 1279)}},
		{"[salt1000(a) digits(3)][a]", "[000, 09:)", []rowkey.Cond{rowkey.LessThan("salt", 100)}},
	} {
		plan, err := rowkey.Must(rowkey.Parse("t", c.layout)).Scan(append(c.conds, rowkey.MaxRanges(8))...)
		require.NoError(t, err, c.layout)
		var ranges []string
		for r := range plan.Ranges() {
			ranges = append(ranges, r.String())
		}
		assert.Equal(t, c.ranges, strings.Join(ranges, " "), c.layout)
		assert.True(t, plan.Exact(), c.layout)
	}
}

// One bucket does not order the rows of a plan; two do.
func TestOneBucketIsNoOrder(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "[n:1][salt7(a)][a]"))
	for want, c := range map[string]rowkey.Cond{"n a": rowkey.Eq("salt", 3), "n salt a": rowkey.In("salt", 3, 5), "n salt a ": rowkey.In("salt", 3, 4)} {
		plan, err := s.Scan(c, rowkey.FullScan())
		require.NoError(t, err)
		var names []string
		for f := range plan.OrderedBy() {
			names = append(names, f.Name)
		}
		assert.Equal(t, strings.TrimSpace(want), strings.Join(names, " "))
	}
}

// A refusal names as many ranges as MaxRanges must permit: with fewer buckets than it names, they are
// read as one piece.
func TestBucketsRefused(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "[md5.hex(3)(a)][salt200(b)][a][';'][b:8]"))
	for _, most := range []int{1, 100, 200, 4095} {
		_, err := s.Scan(rowkey.AtLeast("salt", 24), rowkey.MaxRanges(most))
		require.ErrorIs(t, err, rowkey.ErrManyRanges, most)
		assert.Contains(t, err.Error(), " 4096 ranges", most)
	}
	p, err := s.Scan(rowkey.AtLeast("salt", 24), rowkey.MaxRanges(4096))
	require.NoError(t, err)
	assert.Equal(t, 4096, p.Len())
}

// A condition on a bucket after a field that no condition fixes, or that has an interval, is Match's.
func TestReasonsOfBuckets(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "[n:8][salt7(a)][a]"))
	for want, conds := range map[string][]rowkey.Cond{
		"salt: Match checks it, since no condition fixes n, which comes before it": {rowkey.Eq("salt", 3), rowkey.FullScan()},
		"salt: Match checks it, since n, which comes before it, is an interval":    {rowkey.Eq("salt", 3), rowkey.AtLeast("n", 7)},
	} {
		p, err := s.Scan(conds...)
		require.NoError(t, err)
		require.Contains(t, p.String(), want)
	}
}
