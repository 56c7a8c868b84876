package simulate

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var day = time.Date(2026, 11, 11, 0, 0, 0, 0, time.UTC)

// order is a row of the tests.
type order struct {
	seller string
	at     time.Time
	number uint64
}

// fill gives rows to a simulation, whose designs supply seller, at and number in
// any order, or some of them.
func fill(t testing.TB, s *Simulation, n int, row func(i int) order) {
	b := s.Batch()
	for i := range n {
		put(t, s, b, row(i))
		if b.Len() == 500 {
			require.NoError(t, s.Add(t.Context(), b))
			b.Reset()
		}
	}
	require.NoError(t, s.Add(t.Context(), b))
}

func put(t testing.TB, s *Simulation, b *Batch, o order) {
	b.Row(o.at)
	for i, d := range s.designs {
		k := d.Schema.Key()
		var values []Value
		for _, f := range d.fields {
			switch f.Name {
			case "seller":
				k, values = k.String(o.seller), append(values, Bytes([]byte(o.seller)))
			case "at":
				k, values = k.Time(o.at), append(values, Moment())
			default:
				k, values = k.Uint(o.number), append(values, Number(o.number))
			}
		}
		key, err := k.Bytes()
		b.Key(i, key, err, values...)
	}
}

func designOf(name, notation string) Design {
	return Design{Name: name, Schema: rowkey.Must(rowkey.Parse("t", notation))}
}

// simulated is the report of n rows under one design.
func simulated(t testing.TB, notation string, o Options, n int, row func(i int) order) *Result {
	s, err := New([]Design{designOf("d", notation)}, nil, o)
	require.NoError(t, err)
	fill(t, s, n, row)
	return s.Report().Designs[0]
}

// Each pattern has a name, which rows of its kind get and others do not.
func TestPatterns(t *testing.T) {
	const n = 40_000
	steady := func(i int) order {
		return order{fmt.Sprint("s-", i*7919%5000), day.Add(time.Duration(i) * 2 * time.Second), uint64(i)}
	}
	big := Options{Seen: n}
	four := designOf("", "[seller]['_'][order:4]")
	four.Splits = rowkey.SplitKeys{[]byte("s-1"), []byte("s-1b"), []byte("s-1c"), []byte("s-1d"), []byte("s-1e"), []byte("s-1f"), []byte("s-1g"), []byte("s-3")}
	for _, c := range []struct {
		pattern, notation string
		o                 Options
		splits            rowkey.SplitKeys
		row               func(i int) order
	}{
		{Even, "[salt32(seller)][seller]['_'][max-ms(at)][order:8]", big, nil, steady},
		{OneMoving, "[ms(at)][order:8]", big, nil, steady},
		{OneMoving, "[max-ms(at)][order:8]", big, nil, steady},
		{OneMoving, "[order:8]", big, nil, steady},
		{Moving, "[hour:1 below(32)][ms(at)]", Options{Regions: 32, Seen: n}, nil, func(i int) order {
			o := steady(i)
			o.number = uint64(i/600*11) % 32 // a window has one or two of 32 values
			return o
		}},
		{AtTimes, "[salt32(seller)][seller]['_'][order:8]", big, nil, func(i int) order {
			o := steady(i)
			if i > n/2 && i < n/2+n/10 {
				o.seller = "s-7"
			}
			return o
		}},
		{FewHotKeys, "[salt32(seller)][seller]['_'][order:8]", big, nil, func(i int) order {
			o := steady(i)
			if i%2 == 0 {
				o.seller = "s-7"
			}
			return o
		}},
		{HotRanges, "[seller]['_'][order:4]", Options{Fixed: true, Seen: n}, four.Splits, steady},
		{OneRegion, "[seller]['_'][order:4]", Options{Rows: n, Seen: n}, nil, steady},
		{TooFewRows, "[salt32(seller)][seller]['_'][order:8]", big, nil, func(i int) order {
			return order{"s", day.Add(time.Duration(i) * 1000 * time.Hour), uint64(i)}
		}},
		{NotToBeKnown, "[ms(at)][order:8]", big, nil, func(i int) order {
			o := steady(i * 7919 % n)
			return o
		}},
	} {
		rows := n
		if c.pattern == TooFewRows {
			rows = 100
		}
		t.Run(c.pattern, func(t *testing.T) {
			d := designOf("d", c.notation)
			d.Splits = c.splits
			s, err := New([]Design{d}, nil, c.o)
			require.NoError(t, err)
			fill(t, s, rows, c.row)
			v := s.Report().Designs[0]
			assert.Equal(t, c.pattern, v.Pattern, v.Says)
			switch c.pattern {
			case Even:
				assert.Greater(t, v.Takes, 4.0)
			case OneMoving:
				assert.Less(t, v.Takes, 1.2)
				assert.Greater(t, v.Region.Mean, 0.9)
			case FewHotKeys, AtTimes:
				require.NotEmpty(t, v.Hot)
				assert.True(t, slices.ContainsFunc(v.Hot, func(h Hot) bool { return h.Field == "seller" && h.Value == "s-7" }), "%+v", v.Hot)
			}
		})
	}
}

// Regions that do not split have the shares that counting all keys gives.
func TestSharesOfGivenRegions(t *testing.T) {
	d := designOf("d", "[seller]['_'][order:8]")
	d.Splits = rowkey.SplitKeys{[]byte("s-2"), []byte("s-30"), []byte("s-4"), []byte("s-4999_")}
	s, err := New([]Design{d}, nil, Options{Fixed: true, Servers: 3})
	require.NoError(t, err)
	const n = 30_000
	r := rand.New(rand.NewPCG(1, 2))
	counts := make([]int, len(d.Splits)+1)
	const width = 10800 // of rows that come each 10 seconds, for 3 servers
	worst := map[int64][]int{}
	fill(t, s, n, func(i int) order {
		o := order{fmt.Sprint("s-", r.IntN(5000)), day.Add(time.Duration(i) * 10 * time.Second), uint64(i)}
		key, err := d.Schema.Key().String(o.seller).Uint(o.number).Bytes()
		require.NoError(t, err)
		at := d.Splits.Region(key)
		counts[at]++
		w := o.at.Unix() / width
		if worst[w] == nil {
			worst[w] = make([]int, len(counts))
		}
		worst[w][at]++
		return o
	})
	rep := s.Report()
	v := rep.Designs[0]
	require.EqualValues(t, width, rep.Window)
	for i, reg := range v.Regions {
		assert.InDelta(t, float64(counts[i])/n, reg.Share, 1e-12)
		assert.Equal(t, i%3, reg.Server)
	}
	top, server := 0.0, 0.0
	for _, c := range worst {
		total, per := 0, make([]int, 3)
		for i, k := range c {
			total += k
			per[i%3] += k
		}
		if total < fewRows*3 {
			continue
		}
		top = max(top, float64(slices.Max(c))/float64(total))
		server = max(server, float64(slices.Max(per))/float64(total))
	}
	assert.InDelta(t, top, v.Region.Worst, 1e-12)
	assert.InDelta(t, server, v.Server.Worst, 1e-12)
	assert.InDelta(t, 1/server, v.Takes, 1e-12)
}

// What a question reads and wants is what counting says.
func TestAnswers(t *testing.T) {
	at := func(h int) time.Time { return day.Add(time.Duration(h) * time.Hour) }
	questions := []Question{
		{Name: "a seller's hours", Conds: []rowkey.Cond{rowkey.Eq("seller", "s-3"), rowkey.Span("at", at(3), at(7))}, Needs: []string{"seller", "at"}},
		{Name: "an hour", Conds: []rowkey.Cond{rowkey.Span("at", at(3), at(4))}, Needs: []string{"at"}},
		{Name: "a buyer", Needs: []string{"buyer"}, Conds: []rowkey.Cond{rowkey.Eq("buyer", "b")}},
	}
	designs := []Design{designOf("time", "[ms(at)][seller]"), designOf("seller", "[salt4(seller)][seller]['_'][ms(at)]")}
	s, err := New(designs, questions, Options{})
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(3, 4))
	var both, hour, seller int64
	fill(t, s, 20_000, func(i int) order {
		o := order{fmt.Sprint("s-", r.IntN(10)), day.Add(time.Duration(i) * 3 * time.Second), 0}
		in := func(from, to int) bool { return !o.at.Before(at(from)) && o.at.Before(at(to)) }
		if in(3, 7) {
			seller++ // read by time, whosever it is
			if o.seller == "s-3" {
				both++
			}
		}
		if in(3, 4) {
			hour++
		}
		return o
	})
	rep := s.Report()
	time, bySeller := rep.Designs[0].Answers, rep.Designs[1].Answers
	assert.Equal(t, [2]int64{seller, both}, [2]int64{time[0].Read, time[0].Wanted})
	assert.Equal(t, [2]int64{both, both}, [2]int64{bySeller[0].Read, bySeller[0].Wanted})
	assert.Equal(t, 1, bySeller[0].Ranges)
	assert.Equal(t, [2]int64{hour, hour}, [2]int64{time[1].Read, time[1].Wanted})
	assert.True(t, bySeller[1].FullScan)
	assert.Equal(t, [2]int64{20_000, hour}, [2]int64{bySeller[1].Read, bySeller[1].Wanted})
	assert.Equal(t, "the key does not hold buyer", time[2].Cannot)
}

// A row that the schema refuses is counted with its cause, and is not the end.
func TestRefusedRows(t *testing.T) {
	v := simulated(t, "[seller]['_'][ms(at)]", Options{}, 1000, func(i int) order {
		o := order{"s", day.Add(time.Duration(i) * time.Second), 0}
		if i%10 == 0 {
			o.seller = "s_1"
		}
		return o
	})
	assert.EqualValues(t, 900, v.Rows)
	assert.EqualValues(t, 100, v.Refused)
	require.Len(t, v.Causes, 1)
	assert.EqualValues(t, 100, v.Causes[0].Rows)
	assert.Contains(t, Text(v.report), "refused  100 rows")
}

// Without times there is one window, which is said.
func TestWithoutTimes(t *testing.T) {
	v := simulated(t, "[salt4(seller)][seller]", Options{Servers: 4}, 20_000, func(i int) order { return order{seller: fmt.Sprint(i)} })
	assert.False(t, v.report.Timed())
	assert.Equal(t, Even, v.Pattern)
	text := Text(v.report)
	assert.Contains(t, text, "no time axis")
	assert.NotContains(t, text, "1970")
}

// No rows at all are no failure.
func TestNoRows(t *testing.T) {
	s, err := New([]Design{designOf("d", "[seller]")}, nil, Options{})
	require.NoError(t, err)
	v := s.Report()
	assert.Zero(t, v.Rows)
	assert.Contains(t, Text(v), "Too few rows: 0. Shares need 50 in a window, 50 for each server or region.")
	_, err = json.Marshal(v)
	assert.NoError(t, err)
}

// The first region splits at twice the flush size, since it is alone on its server,
// the others at their largest size: as HBase's SteppingSplitPolicy has it.
func TestSplitsAsHBase(t *testing.T) {
	const key, n = 8, 200_000
	o := Options{Rows: n, Seen: n, Flush: 1e6, MaxFile: 4e6, Jitter: -1, Servers: 2}
	disk := float64(n * (4 + 4 + 2 + key + 1 + 1 + 1 + 8 + 1 + 8))
	r := rand.New(rand.NewPCG(5, 6))
	v := simulated(t, "[order:8]", o, n, func(i int) order {
		return order{number: r.Uint64(), at: day.Add(time.Duration(i) * time.Second)}
	})
	// By size alone: halves of what reached 4 MB, until no region has it.
	assert.InDelta(t, disk/3e6, len(v.Regions), 1.6, "%.0f bytes", disk)
	for _, reg := range v.d.table.leaves {
		total := 0.0
		for _, f := range reg.files {
			total += f.bytes
		}
		assert.Less(t, total, 5e6)
	}
	first := v.d.table.roots[0]
	require.NotNil(t, first.kids[0])
	assert.Less(t, float64(first.died-day.Unix())*(disk/n), 3.5e6, "the first was alone on its server")
}

// Shares stay whole when a region splits within a window: the daughters have what the
// parent took in it.
func TestSplitWithinAWindow(t *testing.T) {
	const n = 60_000
	v := simulated(t, "[ms(at)][order:8]", Options{Rows: 3e9, Seen: n}, n, func(i int) order {
		return order{at: day.Add(time.Duration(i) * time.Second), number: uint64(i)}
	})
	require.Greater(t, len(v.Regions), 10)
	for w, share := range v.byWindow[v.report.from:v.report.to] {
		assert.GreaterOrEqual(t, share, 0.33, "window %d", w)
	}
	total := 0.0
	for _, reg := range v.Regions {
		total += reg.Share
	}
	assert.InDelta(t, 1, total, 1e-9)
}

// One row of a far future, or of a far past in front, does not make all the others
// one window.
func TestTimesFarFromAllOthers(t *testing.T) {
	for _, far := range []time.Time{time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC), time.Unix(1, 0)} {
		for _, at := range []int{0, 20_000} {
			v := simulated(t, "[ms(at)][order:8]", Options{}, 40_000, func(i int) order {
				o := order{at: day.Add(time.Duration(i) * time.Second), number: uint64(i)}
				if i == at {
					o.at = far
				}
				return o
			})
			if far.Year() == 2100 && at == 0 {
				continue // the first row says when all begins
			}
			assert.LessOrEqual(t, v.report.Window, 1800.0, "%v in row %d", far, at)
			assert.Equal(t, OneMoving, v.Pattern)
			assert.EqualValues(t, 40_000, v.Rows)
		}
	}
}

// Windows that grow keep all counts, and are never more than 120.
func TestWindowsGrow(t *testing.T) {
	for _, span := range []time.Duration{time.Second, time.Hour, 24 * time.Hour, 365 * 24 * time.Hour, 40 * 365 * 24 * time.Hour} {
		const n = 10_000
		v := simulated(t, "[salt8(order)][order:8]", Options{}, n, func(i int) order {
			return order{at: time.Unix(0, 0).Add(time.Duration(i) * (span / n)), number: uint64(i)}
		})
		total := uint32(0)
		for _, c := range v.report.clock.rows {
			total += c
		}
		assert.EqualValues(t, n, total)
		assert.LessOrEqual(t, v.report.to-v.report.from, mostWindows)
		for _, reg := range v.d.table.all {
			sum := uint32(0)
			for _, c := range reg.counts {
				sum += c
			}
			assert.EqualValues(t, reg.rows, sum)
		}
	}
}

// The sorter gives the same report as rows that come in order, whether or not they
// went to disk.
func TestSorter(t *testing.T) {
	const n = 60_000
	row := func(i int) order {
		return order{fmt.Sprint("s-", i*31%100), day.Add(time.Duration(i) * time.Second), uint64(i)}
	}
	designs := []Design{designOf("a", "[salt8(seller)][seller]['_'][ms(at)]"), designOf("b", "[order:8]")}
	s, err := New(designs, nil, Options{})
	require.NoError(t, err)
	fill(t, s, n, row)
	want, err := json.Marshal(s.Report())
	require.NoError(t, err)

	other, err := New(designs, nil, Options{})
	require.NoError(t, err)
	o := NewSorter(other)
	b := other.Batch()
	for _, i := range rand.New(rand.NewPCG(7, 8)).Perm(n) {
		put(t, other, b, row(i))
		if b.Len() == 700 {
			require.NoError(t, o.Add(t.Context(), b))
			b.Reset()
			if len(o.held) > 300_000 {
				o.spill()
			}
		}
	}
	require.NoError(t, o.Add(t.Context(), b))
	require.Greater(t, len(o.runs), 3)
	require.NoError(t, o.Finish())
	got, err := json.Marshal(other.Report())
	require.NoError(t, err)
	assert.JSONEq(t, string(want), string(got))
	require.NoError(t, o.Close())
}

// Runs become longer runs when they are many, so that few files are open, and equal
// times stay as they came.
func TestSorterOfManyRuns(t *testing.T) {
	s, err := New([]Design{designOf("a", "[order:8]")}, nil, Options{})
	require.NoError(t, err)
	o := NewSorter(s)
	b := s.Batch()
	const n = 70_000
	for i := range n {
		put(t, s, b, order{at: day.Add(time.Duration(i*7919%1000) * time.Second), number: uint64(i)})
		if b.Len() == 50 {
			require.NoError(t, o.Add(t.Context(), b))
			b.Reset()
			o.spill()
			require.Less(t, len(o.runs), 3*sortRuns)
		}
	}
	require.Equal(t, 2, o.runs[0].level, "runs of runs of runs")
	var last int64
	var number uint64
	rows := 0
	require.NoError(t, o.each(func(sec int64, row []byte) error {
		rows++
		at := binary.BigEndian.Uint64(row[2:])
		assert.True(t, sec > last || sec == last && at > number, "%d %d behind %d %d", sec, at, last, number)
		last, number = sec, at
		return nil
	}))
	assert.Equal(t, n, rows)
	assert.LessOrEqual(t, len(o.runs), sortRuns)
	require.NoError(t, o.Close())
}

// Designs that are simulated one after another stand in one report as those that are
// simulated at once do, and in one page.
func TestBeside(t *testing.T) {
	designs := []Design{designOf("time", "[ms(at)][order:8]"), designOf("seller", "[salt32(seller)][seller]['_'][max-ms(at)][order:8]")}
	row := func(i int) order {
		return order{fmt.Sprint("s-", i*7919%500), day.Add(time.Duration(i) * time.Second), uint64(i)}
	}
	report := func(designs []Design, n int) *Report {
		s, err := New(designs, nil, Options{Seen: 20_000})
		require.NoError(t, err)
		fill(t, s, n, row)
		return s.Report()
	}
	want := report(designs, 20_000)
	got := report(designs[:1], 20_000)
	require.NoError(t, got.Beside(report(designs[1:], 20_000)))
	assert.Equal(t, Text(want), Text(got))
	for i := range want.Designs {
		assert.Equal(t, want.Designs[i].Grid(16), got.Designs[i].Grid(16))
	}
	assert.Error(t, got.Beside(report(designs[1:], 19_999)))
}

// Memory does not grow with the rows.
func TestMemory(t *testing.T) {
	heap := func(n int) uint64 {
		s, err := New([]Design{designOf("a", "[salt32(seller)][seller]['_'][max-ms(at)][order:8]"), designOf("b", "[ms(at)][order:8]")}, nil, Options{Rows: 1e12, Seen: float64(n)})
		require.NoError(t, err)
		fill(t, s, n, func(i int) order {
			return order{fmt.Sprint("s-", i*7919%50_000), day.Add(time.Duration(i) * time.Second), uint64(i)}
		})
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		runtime.KeepAlive(s)
		return m.HeapAlloc
	}
	few, many := heap(50_000), heap(500_000)
	t.Logf("50,000 rows %d kB, 500,000 rows %d kB", few>>10, many>>10)
	assert.Less(t, many, uint64(18<<20))
	assert.Less(t, float64(many), 1.6*float64(few))
}

// A summary's counts are never more than the truth, and what has more than its part
// of the rows is in it, also after merges.
func TestSketches(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	z := rand.NewZipf(r, 1.2, 1, 10_000)
	for range 20 {
		truth := map[uint64]uint32{}
		var top frequent
		parts := make([]few, 5)
		const n = 20_000
		for i := range n {
			v := z.Uint64()
			truth[v]++
			hash := (v + 1) * 0x9e3779b97f4a7c15
			top.add(hash, func() string { return fmt.Sprint(v) })
			parts[i%len(parts)].add(uint32(v))
		}
		for _, c := range top.top(frequentMost) {
			var v uint64
			fmt.Sscan(c.name, &v)
			assert.LessOrEqual(t, c.count, truth[v])
		}
		for v, count := range truth {
			if count > n/8 {
				assert.True(t, slices.ContainsFunc(top.top(frequentMost), func(c counted) bool { return c.name == fmt.Sprint(v) && c.count > count/2 }), "%d has %d", v, count)
			}
		}
		whole := parts[0]
		for i := range parts[1:] {
			whole.merge(&parts[1+i])
		}
		for _, c := range whole {
			if c.count > 0 {
				assert.LessOrEqual(t, c.count, truth[uint64(c.id)])
			}
		}
		for v, count := range truth {
			if count > n/2 {
				id, _ := whole.best()
				assert.EqualValues(t, v, id)
			}
		}
	}
}

// The share of rows that share a key is right, although it is counted on a sample.
func TestRowsThatShareAKey(t *testing.T) {
	const n = 400_000
	for _, lost := range []float64{0, 0.001, 0.25} {
		r := rand.New(rand.NewPCG(11, 12))
		next := uint64(0)
		v := simulated(t, "[order:8]", Options{}, n, func(i int) order {
			if next > 0 && r.Float64() < lost {
				return order{number: r.Uint64N(next)}
			}
			next++
			return order{number: next}
		})
		assert.InDelta(t, lost, v.Lost, 0.1*lost+0.0005)
	}
}

// The keys of a run are neighbours in the table: of all keys after its anchor the
// least.
func TestRunsAreNeighbours(t *testing.T) {
	const n = 50_000
	r := rand.New(rand.NewPCG(13, 14))
	var all []string
	v := simulated(t, "[order:8]", Options{}, n, func(i int) order {
		o := order{number: r.Uint64()}
		key, err := rowkey.Must(rowkey.Parse("t", "[order:8]")).Key().Uint(o.number).Bytes()
		require.NoError(t, err)
		all = append(all, string(key))
		return o
	})
	slices.Sort(all)
	require.Len(t, v.d.runs.runs, runsMost)
	early := 0
	for _, run := range v.d.runs.runs {
		require.Len(t, run.keys, runKeys)
		at, found := slices.BinarySearch(all, run.keys[0])
		require.True(t, found)
		if !slices.Equal(all[at:at+runKeys], run.keys) {
			early++
		}
	}
	assert.Zero(t, early)
	assert.InDelta(t, 38, v.Cell.None, 0.1)
	assert.Less(t, v.Cell.FastDiff, v.Cell.Prefix)
}

// A field wider than its values is reported.
func TestWideFields(t *testing.T) {
	v := simulated(t, "[seller pad(20,' ')][order:8]", Options{}, 5000, func(i int) order {
		return order{seller: fmt.Sprint("s-", i%1000), number: uint64(i)}
	})
	require.Len(t, v.Wide, 2)
	assert.Equal(t, Wide{"seller", 20, 5, "the longest value has 5"}, v.Wide[0])
	assert.Equal(t, Wide{"order", 8, 2, "the largest value is 4999"}, v.Wide[1])
}

// Layouts to try are ranked, and say what gets worse. The best is better than yours
// where yours is hot.
func TestTry(t *testing.T) {
	questions := []Question{
		{Name: "seller", Conds: []rowkey.Cond{rowkey.Eq("seller", "s-3")}, Needs: []string{"seller"}},
		{Name: "hour", Conds: []rowkey.Cond{rowkey.Span("at", day.Add(time.Hour), day.Add(2*time.Hour))}, Needs: []string{"at"}},
	}
	o := Options{Rows: 1e9, Seen: 40_000}
	row := func(i int) order {
		return order{fmt.Sprint("s-", i*7919%500), day.Add(time.Duration(i) * time.Second), uint64(i)}
	}
	s, err := New([]Design{designOf("mine", "[ms(at)][seller]['_'][order:8]")}, questions, o)
	require.NoError(t, err)
	fill(t, s, 40_000, row)
	r := s.Report()
	others := r.Try()
	require.GreaterOrEqual(t, len(others), 4)
	again, err := New(others, questions, o)
	require.NoError(t, err)
	fill(t, again, 40_000, row)
	r.Rank(again.Report())
	require.Len(t, r.Tried, len(others)+1)
	assert.False(t, r.Tried[0].Yours)
	assert.Greater(t, r.Tried[0].Takes, 4*r.Designs[0].Takes)
	for _, v := range r.Tried {
		if !v.Yours && strings.HasPrefix(v.Name, "by time") {
			assert.NotEmpty(t, v.Worse, "more ranges for an hour")
		}
		assert.EqualValues(t, 40_000, v.Rows)
	}
}

// Every line of the text has at most 80 columns, and needs no colour.
func TestTextIsNarrow(t *testing.T) {
	for _, notation := range []string{"[salt32(seller)][seller]['_'][max-ms(at)][order:8]", "[ms(at)][order:8]", "[md5.hex(8)(seller)][seller pad(40,' ')][ms(at)][order:8 digits(20)]['a very long constant that stands in the key, for whatever reason that may be']"} {
		v := simulated(t, notation, Options{}, 30_000, func(i int) order {
			return order{fmt.Sprint("seller-", i%50), day.Add(time.Duration(i) * time.Second), uint64(i)}
		})
		for line := range strings.Lines(Text(v.report)) {
			if !strings.Contains(line, notation) {
				assert.LessOrEqual(t, len([]rune(strings.TrimSuffix(line, "\n"))), 80, line)
			}
		}
		assert.NotContains(t, Text(v.report), "\x1b")
	}
}

// The same rows give the same report.
func TestReportsAreAlike(t *testing.T) {
	var first []byte
	for range 3 {
		v := simulated(t, "[salt32(seller)][seller]['_'][max-ms(at)][order:8]", Options{}, 30_000, func(i int) order {
			return order{fmt.Sprint("seller-", i%500), day.Add(time.Duration(i) * time.Second), uint64(i)}
		})
		text, err := json.Marshal(v.report)
		require.NoError(t, err)
		if first == nil {
			first = text
		}
		assert.True(t, bytes.Equal(first, text))
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []Options{{Servers: -1}, {Servers: 1001}, {Regions: 10_001}, {Rows: math.NaN()}, {Flush: -1}} {
		_, err := New([]Design{designOf("d", "[seller]")}, nil, o)
		assert.Error(t, err, "%+v", o)
	}
	_, err := New(nil, nil, Options{})
	assert.Error(t, err)
	_, err = New([]Design{{Name: "d"}}, nil, Options{})
	assert.Error(t, err)
}

// More rows than any table has, and values beyond all sizes, are refused: what they take is no number
// that a report can say.
func TestOptionsBeyondSense(t *testing.T) {
	designs := []Design{designOf("d", "[seller]")}
	for _, o := range []Options{{Rows: math.Inf(1)}, {Rows: 1e308}, {Value: mostValue, Rows: 1e16}, {Value: mostValue + 1}, {Jitter: math.NaN()}} {
		_, err := New(designs, nil, o)
		require.Error(t, err, "%+v", o)
	}
	o := Options{Rows: mostRows, Seen: 1, Value: mostValue}
	s, err := New(designs, nil, o)
	require.NoError(t, err)
	fill(t, s, 3, func(i int) order { return order{seller: fmt.Sprint("s-", i)} })
	r := s.Report()
	require.Positive(t, r.Designs[0].Cell.Table)
	_, err = json.Marshal(r)
	require.NoError(t, err)
}

// A time after the year 9999, as of microseconds read as milliseconds, is in the JSON too.
func TestJSONOfFarYears(t *testing.T) {
	far := time.UnixMilli(1699341910803000).UTC() // of 55820
	for _, at := range []time.Time{day, far} {
		v := simulated(t, "[salt4(seller)][seller]['<'][ms(at)]", Options{Rows: 3e4, Seen: 3e4, Flush: 1e5, MaxFile: 1e6}, 30_000, func(i int) order {
			return order{seller: fmt.Sprint("s-", i%500), at: at.Add(time.Duration(i) * time.Second)}
		})
		require.NotNil(t, v.Startup)
		b := new(bytes.Buffer)
		e := json.NewEncoder(b)
		e.SetEscapeHTML(false)
		require.NoError(t, e.Encode(v.report))
		require.True(t, strings.HasPrefix(b.String(), `{"rows":30000,"from":"`+at.Format(time.RFC3339)+`","to":"`), b.String()[:100])
		require.Contains(t, b.String(), `"worst_at":"`+v.Region.At.Format(time.RFC3339)+`"`)
		require.Contains(t, b.String(), `"until":"`+v.Startup.Until.Format(time.RFC3339)+`"`)
		require.Contains(t, b.String(), `['<']`)
	}
}
