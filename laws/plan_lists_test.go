package laws

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/seed"
)

// A query that names the values of all fields has their keys, and is not refused where they are no more than its
// ranges may be, whichever of the values are neighbours: the lists here are long, and some have runs in them.
func TestPlansOfLongLists(t *testing.T) {
	fronts := []string{"", "", "[md5.hex(8)(a)]", "[md5.raw(1)(values(a,b))]", "[salt7(a)]", "[salt300(values(a,b)) width(2)]", "[also=a]", "[also=a digits(5)][sha1.hex(4)(a)]"}
	fields := []string{"[a:2]", "[a:2 desc]", "[a:i4]", "[a:2 digits(5)]", "[a:4 decimal]['_']", "[a:2 varint]", "[a:2 below(400)]", "[a:2 notstored]"}
	backs := []string{"[b:1]", "['_'][b:1]", "[b:1 desc]", "[md5.raw(1)(a)][b:1]"}
	r := seed.Rand(t)
	plans := 0
	for range seed.Cases(t, 20000) / 50 {
		s, err := rowkey.Parse("s", genPick(r, fronts...)+genPick(r, fields...)+genPick(r, backs...))
		if err != nil { // as of a field that nothing stores
			continue
		}
		values := longList(r, 40+r.IntN(120))
		b := []int{1}
		if genOdds(r, 3) {
			b = []int{1, 2}
		}
		conds := []rowkey.Cond{rowkey.In("a", values...), rowkey.In("b", b...)}
		if genOdds(r, 3) {
			conds = append(conds, rowkey.FullScan())
		}
		plan, err := s.Scan(conds...)
		if err != nil {
			t.Fatalf("%s: %d values: %v", s, len(values), err)
		}
		plans++
		want := map[string]bool{}
		ranges := slices.Collect(plan.Ranges())
		for a := range 400 {
			for n := range 3 {
				key, err := s.AppendKey(nil, a, n)
				if err != nil {
					t.Fatalf("%s: %v", s, err)
				}
				asked := slices.Contains(values, a) && slices.Contains(b, n)
				want[string(key)] = want[string(key)] || asked
				if in := planCovering(ranges, key); asked && (in != 1 || !plan.Match(key)) {
					t.Fatalf("%s: %v: the key %x of %d and %d lies in %d ranges, and matches: %t\n%s", s, values, key, a, n, in, plan.Match(key), plan)
				}
			}
		}
		for key, asked := range want {
			if in := planCovering(ranges, []byte(key)); !asked && (in > 0 && plan.Exact() || plan.Match([]byte(key))) {
				t.Fatalf("%s: %v: the key %x lies in %d ranges, and matches: %t\n%s", s, values, key, in, plan.Match([]byte(key)), plan)
			}
			if !asked {
				delete(want, key)
			}
		}
		for key := range plan.Keys() {
			if !want[string(key)] {
				t.Fatalf("%s: %v: Keys yields %x", s, values, key)
			}
			delete(want, string(key))
		}
		if len(want) > 0 {
			t.Fatalf("%s: %v: Keys lacks %d", s, values, len(want))
		}
	}
	assert.Greater(t, plans, 100)
}

// longList is n numbers below 400, in runs of random lengths.
func longList(r *rand.Rand, n int) (all []int) {
	run := 1 + r.IntN(1+r.IntN(80))
	for len(all) < n {
		at := r.IntN(400)
		for v := at; v < min(at+run, 400); v++ {
			if !slices.Contains(all, v) {
				all = append(all, v)
			}
		}
	}
	return all
}

// Numbers that a query names are its keys, however many of them are neighbours: a hash is computed from each, and
// what comes after them bounds each. As an interval they are read only where that decides the query.
func TestPlanOfManyNeighbours(t *testing.T) {
	list := func(n int) (all []int) {
		for i := range n {
			all = append(all, i)
		}
		return all
	}
	for _, c := range []struct {
		layout       string
		n            int
		more         []rowkey.Cond
		ranges, keys int
	}{
		{`[md5.hex(8)(a)][a:8]`, 65, nil, 65, 65},
		{`[md5.hex(8)(a)][a:8]`, 1000, nil, 1000, 1000},
		{`[md5.hex(8)(a)][a:8]`, 1000, conds(rowkey.FullScan()), 1000, 1000},
		{`[md5.hex(8)(a)][a:8]`, 2000, conds(rowkey.MaxRanges(2000)), 2000, 2000},
		{`[a:8][b:1]`, 100, conds(rowkey.Eq("b", 7)), 100, 100},
		{`[a:8 decimal]['_'][b:1]`, 100, nil, 100, 0},
		{`[salt16(a)][a:8]`, 1000, nil, 16, 1000}, // which the intervals decide
		{`[a:8]['_'][b:1]`, 1000, nil, 1, 0},
		{`[a:8][b:1]`, 5000, conds(rowkey.Eq("b", 7)), 1, 5000}, // too many: the intervals cover
	} {
		s := rowkey.Must(rowkey.Parse("t", c.layout))
		plan, err := s.Scan(append(c.more, rowkey.In("a", list(c.n)...))...)
		if !assert.NoError(t, err, c.layout) {
			continue
		}
		assert.Equal(t, c.ranges, plan.Len(), "%s, %d values", c.layout, c.n)
		assert.Len(t, slices.Collect(plan.Keys()), c.keys, "%s, %d values", c.layout, c.n)
		assert.Equal(t, c.n < 5000, plan.Exact(), "%s, %d values", c.layout, c.n)
	}
	s := rowkey.Must(rowkey.Parse("t", `[md5.hex(8)(a)][a:8]`))
	_, err := s.Scan(rowkey.In("a", list(2000)...))
	assert.ErrorContains(t, err, "2000 ranges; at most 1024") // not 2³², which no one would allow
	_, err = s.Scan(rowkey.Span("a", 0, 2000))
	assert.ErrorContains(t, err, "4294967296 ranges")
}
