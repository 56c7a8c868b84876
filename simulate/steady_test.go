package simulate

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A table that starts with one region is judged by what it does once each server has one;
// what came before is said apart.
func TestStartupIsApart(t *testing.T) {
	const n = 60_000
	r := rand.New(rand.NewPCG(1, 1))
	row := func(i int) order {
		return order{at: day.Add(time.Duration(i) * time.Second), number: r.Uint64()}
	}
	v := simulated(t, "[order:8]", Options{Seen: n, Rows: 1e9}, n, row)
	require.NotNil(t, v.Startup)
	assert.Equal(t, Even, v.Pattern, v.Says)
	assert.Greater(t, v.Takes, 4.0)
	assert.Greater(t, v.Startup.Worst, 0.4)
	assert.Less(t, v.Startup.Rows, 0.1)
	assert.Contains(t, Text(v.report), "start-up")
	for w, rows := range v.report.clock.rows[v.steady:v.report.to] {
		if rows > 0 {
			assert.Less(t, v.byWindow[v.steady+w], 0.3)
		}
	}
	// One that never has more than one region has no start-up to leave out.
	v = simulated(t, "[order:8]", Options{Seen: n, Rows: n}, n, row)
	assert.Nil(t, v.Startup)
	assert.Equal(t, OneRegion, v.Pattern)
}

// Even rows are even, and take nearly all servers, however few they are: windows are as
// wide as it needs for chance not to decide.
func TestFewRowsAreNotChance(t *testing.T) {
	for _, n := range []int{1000, 5000, 17_000, 50_000, 200_000} {
		r := rand.New(rand.NewPCG(2, uint64(n)))
		v := simulated(t, "[salt32(order)][order:8]", Options{Seen: float64(n)}, n, func(i int) order {
			return order{at: day.Add(24 * time.Hour / time.Duration(n) * time.Duration(i)), number: r.Uint64()}
		})
		assert.Equal(t, Even, v.Pattern, "%d rows: %s", n, v.Says)
		assert.Greater(t, v.Takes, 5.9, "%d rows in windows of %.0f s", n, v.report.Window)
	}
}

// The best layout is the same whatever part of the rows is seen.
func TestRankDoesNotDependOnTheSample(t *testing.T) {
	for _, n := range []int{10_000, 40_000, 120_000} {
		o := Options{Rows: 1e9, Seen: float64(n)}
		questions := []Question{{Name: "minute", Conds: []rowkey.Cond{rowkey.Span("at", day.Add(time.Hour), day.Add(61*time.Minute))}, Needs: []string{"at"}}}
		row := func(i int) order {
			return order{at: day.Add(24 * time.Hour / time.Duration(n) * time.Duration(i)), number: uint64(i)}
		}
		s, err := New([]Design{designOf("mine", "[ms(at)][order:8]")}, questions, o)
		require.NoError(t, err)
		fill(t, s, n, row)
		report := s.Report()
		tried, err := New(report.Try(), questions, o)
		require.NoError(t, err)
		fill(t, tried, n, row)
		report.Rank(tried.Report())
		assert.True(t, strings.HasPrefix(report.Tried[0].Name, "by time in"), "%d rows: %s", n, report.Tried[0].Name)
		assert.Greater(t, report.Tried[0].Takes, 4.0)
	}
}

// The period is that of the rows, in the zone that was asked for, and so is all else;
// days begin when the zone's do.
func TestPeriodAndZone(t *testing.T) {
	zone, err := time.LoadLocation("Asia/Shanghai")
	require.NoError(t, err)
	const n = 20_000
	from := day.Add(7*time.Minute + 11*time.Second)
	row := func(i int) order {
		return order{at: from.Add(time.Duration(i) * 10 * time.Second), number: uint64(i)}
	}
	v := simulated(t, "[ms(at)][order:8]", Options{Zone: zone, Rows: 1e9, Seen: n}, n, row)
	r := v.report
	last := row(n - 1).at
	assert.True(t, r.From.Equal(from.Truncate(time.Second)), r.From)
	assert.True(t, r.To.Equal(last.Truncate(time.Second)), r.To)
	assert.Equal(t, zone, r.From.Location())
	text := Text(r)
	assert.Contains(t, text, "from 2026-11-11 08:07 to "+last.In(zone).Format("2006-01-02 15:04")+" Asia/Shanghai")
	require.EqualValues(t, 21600, r.Window)
	for w := r.from; w < r.to; w++ {
		assert.Zero(t, r.clock.start(w).Hour()%6, r.clock.start(w))
	}
	for _, region := range v.Regions[1:] {
		start, err := v.d.Schema.DecodeLoose(must(t, region.Start))
		require.NoError(t, err)
		for _, at := range start.All() {
			assert.Equal(t, at.(time.Time).In(zone).Format("01-02 15:04"), region.Label)
			break
		}
	}
}

func must(t *testing.T, hex string) (b []byte) {
	_, err := fmt.Sscanf(hex, "%x", &b)
	require.NoError(t, err)
	return b
}

// Rows that are refused are reported first.
func TestRefusedComeFirst(t *testing.T) {
	v := simulated(t, "[seller]['_'][ms(at)]", Options{}, 1000, func(i int) order {
		o := order{"s", day.Add(time.Duration(i) * time.Second), 0}
		if i%20 > 0 {
			o.seller = "s_1"
		}
		return o
	})
	text := Text(v.report)
	assert.Contains(t, text, "the key refuses 950 of 1,000 rows, 95 %.")
	assert.Less(t, strings.Index(text, "refused"), strings.Index(text, v.Says[:20]))
}

// A value that half of the rows have is no reason where no region has more of it than
// others have: the last field, or one after a salt of another.
func TestNoiseIsNoHotValue(t *testing.T) {
	const n = 40_000
	row := func(i int) order {
		o := order{fmt.Sprint("s-", i*7919%5000), day.Add(time.Duration(i) * 2 * time.Second), uint64(i)}
		if i%2 == 0 {
			o.seller = "EWR"
		}
		return o
	}
	for _, notation := range []string{"[ms(at)][seller]", "[salt32(order)][order:8][seller]"} {
		v := simulated(t, notation, Options{Seen: n, Rows: 1e9}, n, row)
		assert.Empty(t, v.Hot, notation)
	}
	v := simulated(t, "[salt32(seller)][seller]['_'][order:8]", Options{Seen: n, Rows: 1e9}, n, row)
	assert.NotEmpty(t, v.Hot)
}

// A value too big for one bucket gets a layout of two salts: its rows lie in some places,
// which is fewer ranges than a salt over all fields has, and more servers than a salt of
// the value.
func TestTwoSaltsForABigValue(t *testing.T) {
	const n = 40_000
	questions := []Question{{Name: "seller", Conds: []rowkey.Cond{rowkey.Eq("seller", "s-7")}, Needs: []string{"seller"}}}
	row := func(i int) order {
		o := order{fmt.Sprint("s-", i*7919%5000), day.Add(time.Duration(i) * 2 * time.Second), uint64(i)}
		if i%5 < 2 {
			o.seller = "s-7"
		}
		return o
	}
	o := Options{Seen: n, Rows: 1e9}
	s, err := New([]Design{designOf("mine", "[salt32(seller)][seller]['_'][ms(at)][order:8]")}, questions, o)
	require.NoError(t, err)
	fill(t, s, n, row)
	r := s.Report()
	tried, err := New(r.Try(), questions, o)
	require.NoError(t, err)
	fill(t, tried, n, row)
	r.Rank(tried.Report())
	at := slices.IndexFunc(r.Tried, func(v *Result) bool { return strings.Contains(v.Name, "each in") })
	require.GreaterOrEqual(t, at, 0)
	two := r.Tried[at]
	assert.Equal(t, "[salt5(order)][salt32(seller)][seller]['_'][max-ms(at)][order:8]", two.Notation)
	assert.Equal(t, 5, two.Answers[0].Ranges)
	assert.Greater(t, two.Takes, 1.8*r.Designs[0].Takes)
}

// A table that starts with one region since its first field depends on data is tried with splits of
// these rows, and so are layouts without a salt. They divide the rows evenly.
func TestSplitsFromRows(t *testing.T) {
	const n = 40_000
	row := func(i int) order {
		return order{fmt.Sprint("s-", i*7919%5000), day.Add(time.Duration(i) * 2 * time.Second), uint64(i)}
	}
	o := Options{Seen: n, Rows: 1e9}
	s, err := New([]Design{designOf("mine", "[seller]['_'][ms(at)][order:8]")}, nil, o)
	require.NoError(t, err)
	fill(t, s, n, row)
	r := s.Report()
	others := r.Try()
	require.NotEmpty(t, others)
	assert.Equal(t, "mine split by these rows", others[0].Name)
	require.Len(t, others[0].Splits, 31)
	counts := make([]int, 32)
	for i := range n {
		o := row(i)
		key, err := others[0].Schema.Key().String(o.seller).Time(o.at).Uint(o.number).Bytes()
		require.NoError(t, err)
		counts[others[0].Splits.Region(key)]++
	}
	assert.Less(t, slices.Max(counts), 2*n/32)
	assert.Greater(t, slices.Min(counts), n/32/2)
	tried, err := New(others, nil, o)
	require.NoError(t, err)
	fill(t, tried, n, row)
	r.Rank(tried.Report())
	for _, v := range r.Tried {
		if v.Name == others[0].Name {
			assert.Equal(t, Even, v.Pattern)
			assert.Nil(t, v.Startup)
			assert.Contains(t, Text(r), "SPLITS => ['")
		}
	}
	// Keys that rise are not split: no split of today's rows helps tomorrow's.
	s, err = New([]Design{designOf("rising", "[ms(at)][order:8]")}, nil, o)
	require.NoError(t, err)
	fill(t, s, n, row)
	for _, d := range s.Report().Try() {
		assert.NotEqual(t, "rising split by these rows", d.Name)
	}
}

// Of a part of the rows it is computed how many of the whole table share a key, if the
// rest comes as they do; where that cannot be, it is not known.
func TestSharedKeysOfTheWholeTable(t *testing.T) {
	const all, part, seconds = 300_000, 20, 120.0
	for _, c := range []struct {
		name, notation string
		row            func(r *rand.Rand) (seller string, number uint64)
		known          bool
	}{
		{"skewed", "[seller]['_'][ms(at)]", func(r *rand.Rand) (string, uint64) {
			return fmt.Sprint("s-", int(math.Pow(r.Float64(), -1.2))), 0
		}, true},
		{"the time alone", "[ms(at)]", func(r *rand.Rand) (string, uint64) { return "", 0 }, true},
		{"coarse", "[s(at)][order:2]", func(r *rand.Rand) (string, uint64) { return "", r.Uint64N(3000) }, true},
		{"unique", "[ms(at)][order:8]", func(r *rand.Rand) (string, uint64) { return "", r.Uint64() }, true},
		{"without the time", "[order:8]", func(r *rand.Rand) (string, uint64) { return "", r.Uint64N(1e6) }, false},
		{"rows too few to say", "[h(at)][order:8]", func(r *rand.Rand) (string, uint64) { return "", r.Uint64N(1e7) }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 3))
			d := designOf("d", c.notation)
			s, err := New([]Design{d}, nil, Options{Rows: all, Seen: all / part, Clock: "at"})
			require.NoError(t, err)
			keys := map[string]bool{}
			fill(t, s, all/part, func(i int) (seen order) {
				for k := range part { // of each twenty rows one is seen
					o := order{at: day.Add(time.Duration((float64(i*part+k) + 100*r.Float64()) / all * seconds * 1e9)).Truncate(time.Millisecond)}
					o.seller, o.number = c.row(r)
					values := map[string]any{"seller": o.seller, "at": o.at, "order": o.number}
					var args []any
					for f := range d.Schema.Fields() {
						if v, ok := values[f.Name]; ok {
							args = append(args, v)
						}
					}
					key, err := d.Schema.AppendKey(nil, args...)
					require.NoError(t, err)
					keys[string(key)] = true
					if k == 0 {
						seen = o
					}
				}
				return seen
			})
			v := s.Report().Designs[0]
			if !c.known {
				assert.Nil(t, v.TableLost)
				assert.Contains(t, Text(v.report), "it is not known")
				return
			}
			require.NotNil(t, v.TableLost)
			want := 1 - float64(len(keys))/all
			assert.InDelta(t, want, *v.TableLost, 0.01+0.1*want)
		})
	}
}

// Without times all rows are one window, in which regions split: what one value has of the
// hottest region is never more than all, and nothing is said of times.
func TestRowsWithoutTimes(t *testing.T) {
	const n = 20_000
	r := rand.New(rand.NewPCG(5, 5))
	for _, notation := range []string{"[salt32(seller)][seller]['_'][order:8]", "[seller]['_'][order:8]", "[order:8][seller]", "[salt32(order)][order:8]"} {
		v := simulated(t, notation, Options{Seen: n, Rows: 1e9}, n, func(i int) order {
			return order{seller: fmt.Sprint("s-", int(math.Pow(r.Float64(), -1.25))), number: uint64(i)}
		})
		require.False(t, v.report.Timed())
		for _, h := range v.Hot {
			assert.LessOrEqual(t, h.Share, 1.0, "%s: %s", notation, v.Says)
		}
		assert.NotContains(t, v.Says, "over time")
		assert.NotContains(t, v.Says, "at its worst")
		assert.InDelta(t, v.Region.Worst, v.Region.Mean, 1e-9)
		if v.Startup != nil {
			assert.Fail(t, "a start-up without times")
		}
	}
}

// Regions may split by rows that come before any with a time: these splits lie in the first window.
func TestSplitsBeforeTheFirstTime(t *testing.T) {
	for _, regions := range []int{1, 8} {
		const n = 20_000
		v := simulated(t, "[order:8]", Options{Seen: n, Rows: 1e9, Regions: regions}, n, func(i int) order {
			o := order{number: uint64(i) * (math.MaxUint64 / n)}
			if i >= n/2 {
				o.at = day.Add(time.Duration(i) * time.Second)
			}
			return o
		})
		require.True(t, v.report.Timed())
		assert.EqualValues(t, n/2, v.report.Timeless)
		assert.Greater(t, len(v.Regions), regions)
		total := 0.0
		for _, r := range v.Regions {
			total += r.Share
		}
		assert.InDelta(t, 1, total, 1e-9)
		if v.Startup != nil {
			assert.False(t, v.Startup.Until.Before(v.report.From), "%v", v.Startup.Until)
		}
	}
}

// A value that comes in a burst shares more keys than rows at random do: of the whole table
// that is not known.
func TestSharedKeysInBursts(t *testing.T) {
	const n, seconds = 20_000, 20_000
	for _, burst := range []bool{false, true} {
		r := rand.New(rand.NewPCG(4, 4))
		v := simulated(t, "[s(at)][order:8]", Options{Seen: n, Rows: 10 * n, Clock: "at"}, n, func(i int) order {
			o := order{at: day.Add(time.Duration(i) * seconds * time.Second / n), number: 1 + r.Uint64N(50)}
			if i%10 == 0 && !burst || burst && i > n/2 && i < n/2+n/10 {
				o.number = 0
			}
			o.at = o.at.Add(time.Duration(r.IntN(5)) * time.Second)
			return o
		})
		if burst {
			assert.Nil(t, v.TableLost)
		} else {
			assert.NotNil(t, v.TableLost)
		}
	}
}

// A limit counts exactly its rows, with what they answer and what is refused of them; a
// context that is done ends the simulation.
func TestLimitAndContext(t *testing.T) {
	questions := []Question{{Name: "q", Conds: []rowkey.Cond{rowkey.Eq("seller", "s-1")}, Needs: []string{"seller"}}}
	row := func(i int) order {
		o := order{fmt.Sprint("s-", i%4), day.Add(time.Duration(i) * time.Second), uint64(i)}
		if i%5 == 0 {
			o.seller = "s_"
		}
		return o
	}
	count := func(limit int64, rows int, sorted bool) *Report {
		s, err := New([]Design{designOf("d", "[seller]['_'][ms(at)]")}, questions, Options{Limit: limit})
		require.NoError(t, err)
		add, o := s.Add, NewSorter(s)
		if sorted {
			add = o.Add
		}
		b := s.Batch()
		over := false
		for i := range rows {
			put(t, s, b, row(i))
			if b.Len() == 64 || i == rows-1 {
				err := add(t.Context(), b)
				over = over || err != nil
				if err != nil {
					require.ErrorIs(t, err, ErrLimit)
				}
				b.Reset()
			}
		}
		require.NoError(t, o.Finish())
		assert.Equal(t, limit > 0 && int64(rows) > limit, over)
		return s.Report()
	}
	want := count(0, 1000, false)
	for _, sorted := range []bool{false, true} {
		got := count(1000, 3000, sorted)
		assert.Equal(t, Text(want), Text(got))
	}
	s, err := New([]Design{designOf("d", "[seller]")}, nil, Options{})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b := s.Batch()
	put(t, s, b, row(1))
	assert.ErrorIs(t, s.Add(ctx, b), context.Canceled)
	assert.Zero(t, s.Report().Rows)
}

// Labels of regions differ, and rise as the keys do: where one value is in several
// regions the next field tells them apart, and a reversed value stands as it is stored.
func TestLabelsOfRegions(t *testing.T) {
	d := designOf("d", "[seller]['_'][order:2]")
	d.Splits = rowkey.SplitKeys{[]byte("B6_\x00\x01"), []byte("B6_\x00\x02"), []byte("B7"), []byte("B8_\x00\x09")}
	r := designOf("r", "[seller reverse fixed(3)][order:2]")
	r.Splits = rowkey.SplitKeys{[]byte("123\x00\x00"), []byte("321\x00\x00"), []byte("521\x00\x00")}
	s, err := New([]Design{d, r}, nil, Options{Fixed: true})
	require.NoError(t, err)
	fill(t, s, 100, func(i int) order {
		return order{"125", day.Add(time.Duration(i) * time.Second), uint64(i)}
	})
	report := s.Report()
	labels := func(v *Result) (out []string) {
		for _, region := range v.Regions {
			out = append(out, region.Label)
		}
		return out
	}
	assert.Equal(t, []string{"(first)", "B6", "B6 2", "B7", "B8"}, labels(report.Designs[0]))
	assert.Equal(t, []string{"(first)", "123", "321", "521"}, labels(report.Designs[1]))
}

// The picture as data says what the counts do, and of a layout to try a small one is kept.
func TestGrid(t *testing.T) {
	const n = 40_000
	row := func(i int) order {
		return order{fmt.Sprint("s-", i*7919%500), day.Add(time.Duration(i) * 2 * time.Second), uint64(i)}
	}
	o := Options{Seen: n, Rows: 1e9}
	questions := []Question{{Name: "seller", Conds: []rowkey.Cond{rowkey.Eq("seller", "s-7")}, Needs: []string{"seller"}}}
	s, err := New([]Design{designOf("mine", "[salt32(seller)][seller]['_'][ms(at)][order:8]")}, questions, o)
	require.NoError(t, err)
	fill(t, s, n, row)
	r := s.Report()
	v := r.Designs[0]
	g := v.Grid(64)
	require.Len(t, g.Lines, 32)
	assert.Equal(t, 1.0/32, g.Fair)
	shares, rows := 0.0, uint32(0)
	for w, win := range g.Windows {
		sum, top := 0.0, 0.0
		for _, l := range g.Lines {
			sum += l.Cells[w].Share
			top = max(top, l.Cells[w].Share)
			assert.InDelta(t, float64(l.Cells[w].Rows)/float64(win.Rows), l.Cells[w].Share, 1e-12)
		}
		assert.InDelta(t, 1, sum, 1e-9)
		assert.Equal(t, top, win.Hottest)
		rows += win.Rows
	}
	for _, l := range g.Lines {
		shares += l.Share
	}
	assert.EqualValues(t, n, rows)
	assert.InDelta(t, 1, shares, 1e-9)
	assert.Equal(t, []string{"good", "good"}, []string{v.Grade, v.Answers[0].Grade})
	require.Len(t, v.Answers[0].Met, 1)
	key, err := v.Schema.AppendKey(nil, "s-7", day, uint64(1))
	require.NoError(t, err)
	start := func(i int) []byte { return must(t, v.Regions[i].Start) }
	assert.LessOrEqual(t, string(start(v.Answers[0].Met[0])), string(key))
	if next := v.Answers[0].Met[0] + 1; next < len(v.Regions) {
		assert.Greater(t, string(start(next)), string(key))
	}
	others := r.Try()
	tried, err := New(others, questions, o)
	require.NoError(t, err)
	fill(t, tried, n, row)
	r.Rank(tried.Report())
	for _, v := range r.Tried {
		assert.LessOrEqual(t, len(v.Grid(smallLines).Lines), smallLines)
		assert.Len(t, v.Grid(smallLines).Windows, len(g.Windows))
	}
}

// A table may have fewer rows than were seen: each stands for a part of one.
func TestStands(t *testing.T) {
	for _, c := range []struct {
		rows float64
		says string
	}{{1, "each stands for 0.1 rows of the table:"}, {10, "each stands for 1 of the table:"}, {14, "each stands for 1.4 of the table:"}, {12_340, "each stands for 1,234 of the table:"}} {
		v := simulated(t, "[order:8]", Options{Rows: c.rows, Seen: 10}, 10, func(i int) order { return order{"s", day, uint64(i)} })
		assert.Contains(t, Text(v.report), c.says)
	}
}
