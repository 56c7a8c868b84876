package laws

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/advice"
)

// costTable is a table in memory: its keys, and what a caller knows of it.
func costTable(splits rowkey.SplitKeys, keys [][]byte) advice.Table {
	table := advice.Table{Splits: splits, Rows: make([]int64, len(splits)+1), PerRequest: 100, Request: 10 * time.Millisecond, Parallel: 4}
	for _, key := range keys {
		table.Rows[splits.Region(key)]++
	}
	return table
}

// read is what a plan reads of a table: rows of each range, requests, regions.
func read(plan *rowkey.Plan, table advice.Table, keys [][]byte, limit int64) (rows []int64, total, requests int64, regions int) {
	met := map[int]bool{}
	for r := range plan.Ranges() {
		of := map[int]int64{}
		for _, key := range keys {
			if r.Contains(key) {
				of[table.Splits.Region(key)]++
			}
		}
		sum := int64(0)
		for n, rows := range of {
			if met[n] = true; limit > 0 {
				rows = min(rows, limit)
			}
			sum += rows
			requests += (rows + int64(table.PerRequest) - 1) / int64(table.PerRequest)
		}
		rows = append(rows, sum)
		total += sum
	}
	return rows, total, requests, len(met)
}

// Sums that no int64 holds are the largest one.
func TestPlanCostSaturates(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "[a:1]"))
	plan, err := s.Scan(rowkey.FullScan())
	require.NoError(t, err)
	for name, c := range map[string]struct {
		rows     []int64
		request  time.Duration
		parallel int
		time     time.Duration
	}{
		"two of the most":      {[]int64{math.MaxInt64, math.MaxInt64}, time.Second, 1, math.MaxInt64},
		"one, and another":     {[]int64{math.MaxInt64, 5}, time.Second, 8, math.MaxInt64},
		"half and half":        {[]int64{math.MaxInt64/2 + 1, math.MaxInt64/2 + 1}, time.Nanosecond, 1, math.MaxInt64},
		"requests of no time":  {[]int64{math.MaxInt64, math.MaxInt64}, 0, 1, 0},
		"all requests at once": {[]int64{math.MaxInt64, math.MaxInt64}, time.Second, math.MaxInt, time.Second * (math.MaxInt64 / math.MaxInt)},
	} {
		cost, err := advice.CostOf(plan, advice.Table{Splits: rowkey.SplitKeys{{0x80}}, Rows: c.rows, PerRequest: 1, Request: c.request, Parallel: c.parallel})
		require.NoError(t, err, name)
		assert.Equal(t, int64(math.MaxInt64), cost.Total, name)
		assert.Equal(t, []int64{math.MaxInt64}, cost.Rows, name)
		assert.Equal(t, int64(math.MaxInt64), cost.Requests, name)
		if name != "all requests at once" || math.MaxInt == math.MaxInt64 {
			assert.Equal(t, c.time, cost.Time, name)
		}
	}
}

func TestPlanCost(t *testing.T) {
	s := rowkey.New("t").Salt(4, "at", rowkey.Modulo).Uint("at", 1).MustBuild()
	splits, err := s.Splits(4)
	require.NoError(t, err)
	table := advice.Table{Splits: splits, Rows: []int64{1000, 2000, 3000, 4000}, PerRequest: 100, Request: 10 * time.Millisecond, Parallel: 4}
	cost := func(plan *rowkey.Plan, table advice.Table) advice.Cost {
		t.Helper()
		c, err := advice.CostOf(plan, table)
		require.NoError(t, err)
		return c
	}
	scan := func(conds ...rowkey.Cond) *rowkey.Plan {
		t.Helper()
		plan, err := s.Scan(conds...)
		require.NoError(t, err)
		return plan
	}

	whole := scan(rowkey.FullScan())
	want := advice.Cost{Rows: []int64{1000, 2000, 3000, 4000}, Total: 10000, Regions: 4, Requests: 100, Time: 250 * time.Millisecond}
	assert.Equal(t, want, cost(whole, table), "behind the last bucket lies no key")
	assert.Equal(t, "about 10000 rows, 100 requests, 250ms", want.String())
	slices.Reverse(want.Rows)
	assert.Equal(t, want, cost(whole.Reversed(), table))
	one := advice.Table{Rows: []int64{10000}, PerRequest: 100}
	assert.Equal(t, advice.Cost{Rows: []int64{2500, 2500, 2500, 2500}, Total: 10000, Regions: 1, Requests: 100}, cost(whole, one), "of their sum each has its part")
	for n, q := range whole.Regions(splits) {
		c := cost(q, table)
		assert.False(t, c.Unknown)
		assert.Equal(t, table.Rows[n], c.Total, "a region's own plan")
	}

	half := scan(rowkey.AtLeast("at", 128))
	most := advice.Cost{Rows: []int64{1000, 2000, 3000, 4000}, Total: 10000, Regions: 4, Requests: 100, Time: 250 * time.Millisecond, Unknown: true}
	assert.Equal(t, most, cost(half, table), "bytes do not tell how many rows are in half of them")
	assert.Equal(t, "rows not known: 4 ranges in 4 regions, at most 10000 rows, 100 requests, 250ms", most.String())
	assert.Equal(t, advice.Cost{Rows: []int64{10000, 10000, 10000, 10000}, Total: 10000, Regions: 1, Requests: 103, Unknown: true}, cost(half, one), "not 40000")
	few := cost(half.Limit(7), table)
	assert.Equal(t, advice.Cost{Rows: []int64{7, 7, 7, 7}, Total: 28, Regions: 4, Requests: 4, Time: 10 * time.Millisecond, Unknown: true}, few)

	first := advice.Cost{Rows: []int64{7, 7, 7, 7}, Total: 28, Regions: 1, Requests: 4, Unknown: true}
	assert.Equal(t, first, cost(whole.Limit(7), one), "one bucket may have all rows, and the others none")

	assert.Equal(t, advice.Cost{}, cost(scan(rowkey.In[int]("at")), table))
	assert.Equal(t, advice.Cost{Rows: []int64{1}, Total: 1, Regions: 1, Requests: 1, Time: 10 * time.Millisecond}, cost(scan(rowkey.Eq("at", 9)), table), "a complete key")
	several := cost(scan(rowkey.In("at", 1, 3, 5, 9)), table)
	assert.True(t, several.Unknown, "not all of them need be there")
	assert.Equal(t, int64(4), several.Total)
	assert.Zero(t, cost(half, advice.Table{Splits: splits, Rows: make([]int64, 4), PerRequest: 1}).Total, "no rows are known to be none")

	for want, table := range map[error]advice.Table{
		rowkey.ErrLength: {Splits: splits, Rows: []int64{1}, PerRequest: 1},
		rowkey.ErrRange:  {Rows: []int64{1}},
		rowkey.ErrSplits: {Splits: [][]byte{{2}, {1}}, Rows: make([]int64, 3), PerRequest: 1},
	} {
		_, err = advice.CostOf(half, table)
		assert.ErrorIs(t, err, want)
	}
	_, err = advice.CostOf(half, advice.Table{Splits: [][]byte{{1}}, Rows: []int64{5, -1}, PerRequest: 1})
	assert.ErrorIs(t, err, rowkey.ErrRange, "no region has −1 rows")
}

// A costCase is a layout, its rows and queries of it.
type costCase struct {
	notation string
	splits   bool // the schema's own, else those of a sample
	row      func(r *rand.Rand, i int) []any
	queries  [][]rowkey.Cond
}

var costDay = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func costCases() map[string]costCase {
	after := func(d time.Duration) time.Time { return costDay.Add(d) }
	host := func(r *rand.Rand) string { return fmt.Sprintf("host-%d", int(math.Exp(7*r.Float64()))) } // few hosts have most rows
	return map[string]costCase{
		"times behind a salt": {"[salt16(host)][max-ms(at)][host]", true,
			func(r *rand.Rand, i int) []any { return []any{after(time.Duration(i) * 2 * time.Second), host(r)} },
			[][]rowkey.Cond{
				{rowkey.Span("at", after(time.Hour), after(4*time.Hour))},
				{rowkey.Span("at", after(time.Hour), after(time.Hour+time.Minute))},
				{rowkey.AtLeast("at", after(11*time.Hour))},
				{rowkey.AtLeast("at", after(48*time.Hour))},
				{rowkey.Eq("host", "host-1")},
				{rowkey.Eq("host", "host-1"), rowkey.Span("at", after(time.Hour), after(8*time.Hour))},
				{rowkey.Eq("host", "host-3"), rowkey.Eq("at", after(0))},
			}},
		"hosts without a salt": {"[host]['\x00'][max-ms(at)]", false,
			func(r *rand.Rand, i int) []any { return []any{host(r), after(time.Duration(i) * time.Second)} },
			[][]rowkey.Cond{
				{rowkey.Eq("host", "host-1")},
				{rowkey.Eq("host", "host-500")},
				{rowkey.Prefix("host", "host-2")},
				{rowkey.In("host", "host-1", "host-2", "host-9")},
				{rowkey.Eq("host", "host-1"), rowkey.AtLeast("at", after(2*time.Hour))},
				{rowkey.AtLeast("host", "i")},
			}},
		"ids behind their hash": {"[md5.hex(4)(id)][id]", true,
			func(r *rand.Rand, i int) []any { return []any{fmt.Sprint("user", i)} },
			[][]rowkey.Cond{
				{rowkey.Eq("id", "user77")},
				{rowkey.In("id", "user7", "user8", "nobody")},
				{rowkey.FullScan()},
			}},
		"growing numbers": {"[id:8][kind:1 below(4)]", false,
			func(r *rand.Rand, i int) []any { return []any{uint64(1_000_000 + i*i), uint64(i % 4)} },
			[][]rowkey.Cond{
				{rowkey.AtLeast("id", 100_000_000)},
				{rowkey.Span("id", 1_000_000, 1_000_010)},
				{rowkey.LessThan("id", 1_000_000)},
				{rowkey.Eq("id", 1_000_004)},
				{rowkey.NotEq("id", 1_000_004)},
			}},
		"a Phoenix table": {"phoenix [salt8(rest()) phoenixhash][region][price numeric optional][ms(at)]", true,
			func(r *rand.Rand, i int) []any {
				price := any(fmt.Sprintf("%.2f", math.Exp(8*r.Float64())))
				if i%7 == 0 {
					price = nil
				}
				return []any{fmt.Sprint("r", r.IntN(3)), price, after(time.Duration(i) * time.Second)}
			},
			[][]rowkey.Cond{
				{rowkey.Eq("region", "r1")},
				{rowkey.Eq("region", "r1"), rowkey.AtLeast("price", "100")},
				{rowkey.Eq("region", "r1"), rowkey.Null("price")},
				{rowkey.Eq("region", "r2"), rowkey.Span("price", "1", "1.01")},
			}},
	}
}

// Simulated tables: the estimate is within a factor of two of the rows that the
// plan reads, or the figures are the most that it can read, and no plan that has
// rows is told to have none.
func TestPlanCostOfTables(t *testing.T) {
	long(t)
	r := rand.New(rand.NewPCG(16, 16))
	told, untold := 0, 0
	for name, c := range costCases() {
		s, err := rowkey.Parse("t", c.notation)
		require.NoError(t, err, name)
		var keys [][]byte
		for i := range 20_000 {
			key, err := s.AppendKey(nil, c.row(r, i)...)
			require.NoError(t, err, name)
			keys = append(keys, key)
		}
		slices.SortFunc(keys, bytes.Compare)
		keys = slices.CompactFunc(keys, bytes.Equal)
		var sample [][]byte
		for _, key := range keys {
			if r.IntN(20) == 0 {
				sample = append(sample, key)
			}
		}
		r.Shuffle(len(sample), func(i, j int) { sample[i], sample[j] = sample[j], sample[i] })
		splits, err := s.SplitsOf(16, slices.Values(sample))
		if c.splits {
			splits, err = s.Splits(16)
			if len(splits) == 0 {
				splits, err = s.Splits(8)
			}
		}
		require.NoError(t, err, name)
		for _, boundaries := range []rowkey.SplitKeys{splits, splits[3:5], nil} {
			table := costTable(boundaries, keys)
			for i, query := range c.queries {
				for _, limit := range []int64{0, 3} {
					plan, err := s.Scan(query...)
					require.NoError(t, err, name)
					if limit > 0 {
						plan = plan.Limit(int(limit))
					}
					rows, total, requests, regions := read(plan, table, keys, limit)
					for with, keys := range map[string][][]byte{"no sample": nil, "a sample": sample, "all rows": keys, "other rows": sample[:1]} {
						table.Sample = keys
						cost, err := advice.CostOf(plan, table)
						require.NoError(t, err)
						at := fmt.Sprintf("%s, query %d, %d regions, limit %d, %s: %v, and there are %d rows", name, i, len(boundaries)+1, limit, with, cost, total)
						require.Len(t, cost.Rows, len(rows), at)
						assert.GreaterOrEqual(t, cost.Regions, regions, at)
						switch {
						case cost.Unknown:
							untold++
							assert.NotEqual(t, "all rows", with, at)
							assert.GreaterOrEqual(t, cost.Total, total, at)
							assert.GreaterOrEqual(t, cost.Requests, requests, at)
							for j := range rows {
								assert.GreaterOrEqual(t, cost.Rows[j], rows[j], at)
							}
							assert.Contains(t, cost.String(), "rows not known", at)
						case with == "all rows":
							assert.Equal(t, total, cost.Total, at)
							assert.Equal(t, rows, cost.Rows, at)
						case total > 0:
							told++
							assert.LessOrEqual(t, cost.Total, 2*total, at)
							assert.GreaterOrEqual(t, 2*cost.Total, total, at)
						default: // at most complete keys, of which none is there
							assert.LessOrEqual(t, cost.Total, int64(plan.Len()), at)
						}
					}
				}
			}
		}
	}
	assert.Greater(t, told, 50)
	assert.Greater(t, untold, 50)
	t.Logf("%d estimates, %d not known", told, untold)
}

// The case that told "about 0 rows" of nearly ten thousand: a time after a salt.
func TestPlanCostIsNeverNoRows(t *testing.T) {
	s, err := rowkey.Parse("t", "[salt16(host)][max-ms(at)][host]")
	require.NoError(t, err)
	splits, err := s.Splits(16)
	require.NoError(t, err)
	var keys, sample, others [][]byte
	plan, err := s.Scan(rowkey.Span("at", costDay.Add(time.Hour), costDay.Add(2*time.Hour)))
	require.NoError(t, err)
	matched := 0
	for i := range 40_000 {
		key, err := s.AppendKey(nil, costDay.Add(time.Duration(i)*400*time.Millisecond), fmt.Sprintf("host-%d", i*i%1009))
		require.NoError(t, err)
		keys = append(keys, key)
		in := plan.Match(key)
		if in {
			matched++
		}
		if i%10 == 0 {
			sample = append(sample, key)
		}
		if i%10 == 0 && !in {
			others = append(others, key)
		}
	}
	require.Equal(t, 9000, matched)
	table := costTable(splits, keys)
	for name, c := range map[string]struct {
		sample  [][]byte
		unknown bool
	}{"no sample": {nil, true}, "a sample": {sample, false}, "no sample in the ranges": {others, true}} {
		table.Sample = c.sample
		cost, err := advice.CostOf(plan, table)
		require.NoError(t, err)
		assert.Equal(t, c.unknown, cost.Unknown, name)
		if c.unknown {
			assert.Equal(t, int64(40_000), cost.Total, name)
		} else {
			assert.InEpsilon(t, matched, cost.Total, 0.1, name)
		}
	}
}

// A region that has many rows for each of its sample keys makes an estimate rough,
// however many samples other regions have.
func TestPlanCostOfUnevenSamples(t *testing.T) {
	s := rowkey.New("t").Uint("a", 1).Uint("b", 8).MustBuild()
	key := func(a, b int) []byte { return key2(t, s, a, b) }
	table := advice.Table{Splits: [][]byte{key(1, 0)}, Rows: []int64{1000, 1_000_000}, PerRequest: 100}
	for i := range 1000 {
		table.Sample = append(table.Sample, key(0, i))
	}
	table.Sample = append(table.Sample, key(1, 7), key(1, 9))
	plan, err := s.Scan(rowkey.In("a", 0, 1), rowkey.LessThan("b", 500))
	require.NoError(t, err)
	cost, err := advice.CostOf(plan, table)
	require.NoError(t, err)
	assert.True(t, cost.Unknown, "502 sample keys, of which two stand for a million rows: %v", cost)
	turned := advice.Table{Splits: table.Splits, Rows: []int64{1_000_000, 1000}, PerRequest: 100}
	for _, k := range table.Sample {
		turned.Sample = append(turned.Sample, append([]byte{1 - k[0]}, k[1:]...))
	}
	cost, err = advice.CostOf(plan, turned)
	require.NoError(t, err)
	assert.True(t, cost.Unknown, "nor where that region is the first: %v", cost)
	small, err := s.Scan(rowkey.Eq("a", 0), rowkey.LessThan("b", 500))
	require.NoError(t, err)
	cost, err = advice.CostOf(small, table)
	require.NoError(t, err)
	assert.Equal(t, advice.Cost{Rows: []int64{500}, Total: 500, Regions: 1, Requests: 5}, cost)
}

// cost is held against the rows of a random schema and query: with all rows as the
// sample it is right; else it is right, or the most that can be read.
func (p *planCase) cost(plan *rowkey.Plan) {
	var keys [][]byte
	for _, x := range p.rows {
		keys = append(keys, x.key)
	}
	keys = slices.CompactFunc(keys, bytes.Equal)
	if len(keys) == 0 {
		return
	}
	var splits rowkey.SplitKeys
	for range p.r.IntN(4) {
		splits = append(splits, genPick(p.r, keys...))
	}
	slices.SortFunc(splits, bytes.Compare)
	splits = slices.CompactFunc(splits, bytes.Equal)
	limit := int64(0)
	if genOdds(p.r, 4) {
		limit = 1 + p.r.Int64N(5)
		plan = plan.Limit(int(limit))
	}
	table := costTable(splits, keys)
	table.PerRequest = 1 + p.r.IntN(5)
	rows, total, requests, _ := read(plan, table, keys, limit)
	for _, sample := range [][][]byte{nil, keys, keys[:p.r.IntN(len(keys))]} {
		table.Sample = sample
		cost, err := advice.CostOf(plan, table)
		switch {
		case err != nil || len(cost.Rows) != len(rows):
			p.fail("cost %v %v of %d ranges", cost, err, len(rows))
		case cost.Unknown:
			p.count("costs that are not known")
			if len(sample) == len(keys) || cost.Total < total || cost.Requests < requests {
				p.fail("%v, and there are %d rows, %d requests", cost, total, requests)
			}
			for i, n := range rows {
				if cost.Rows[i] < n {
					p.fail("%v: %v, and there are %v", cost, cost.Rows, rows)
				}
			}
		case len(sample) == len(keys) && (cost.Total != total || !slices.Equal(cost.Rows, rows)), cost.Total == 0 && total > 0, sample == nil && cost.Total < total:
			p.fail("%v: %v, and there are %d rows: %v", cost, cost.Rows, total, rows)
		default:
			p.count("costs that are known")
		}
	}
}
