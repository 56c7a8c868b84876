package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Both sides of every job, for a profile or for benchstat; the ratios are the
// command's to tell.
func BenchmarkJobs(b *testing.B) {
	for _, job := range append(Jobs(), Printed()...) {
		b.Run(job.Name, func(b *testing.B) {
			pair := job.New()
			require.NoError(b, pair.Same())
			for _, side := range []struct {
				name string
				run  func(n int) error
			}{{"floor", pair.Floor}, {"work", pair.Work}} {
				b.Run("side="+side.name, func(b *testing.B) {
					b.ReportAllocs()
					b.ResetTimer()
					if err := side.run(b.N); err != nil {
						b.Fatal(err)
					}
					if job.Per > 1 {
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(job.Per), "ns/"+job.Unit)
					}
				})
			}
		})
	}
}

// All points of all panels.
func BenchmarkScale(b *testing.B) {
	for _, p := range Panels() {
		p.add(p)
		for _, c := range p.Curves {
			for i, t := range c.timers {
				b.Run(p.Name+"/curve="+strings.ReplaceAll(c.Name, " ", "-")+"/x="+number(c.Points[i].X), func(b *testing.B) {
					if _, err := t.time(b.N); err != nil {
						b.Fatal(err)
					}
				})
			}
		}
	}
}

// Both sides give the same, and what is promised of allocations holds, by name.
func TestJobs(t *testing.T) {
	for _, job := range append(Jobs(), Printed()...) {
		t.Run(job.Name, func(t *testing.T) {
			pair := job.New()
			require.NoError(t, pair.Same())
			allocs, err := Allocs(pair.Work, job.Per)
			require.NoError(t, err)
			if job.Allocs >= 0 {
				assert.LessOrEqual(t, allocs, job.Allocs)
			}
			floor, err := Allocs(pair.Floor, job.Per)
			require.NoError(t, err)
			if job.Allocs == 0 {
				assert.Zero(t, floor, "the floor would win by less than it seems to")
			}
		})
	}
}

// The goals are those that the project set itself.
func TestGoals(t *testing.T) {
	got, own := map[string][2]float64{}, map[string]float64{}
	all := map[string]float64{Ways[0]: 1.6, Ways[1]: 1.6, Ways[2]: 2, Ways[3]: 2.5}
	for _, j := range Jobs() {
		switch {
		case j.Table != "":
			if j.Goal != all[j.What] {
				own[j.Name] = j.Goal
			}
			if j.What == Ways[0] || j.What == Ways[1] {
				assert.Zero(t, j.Allocs, j.Name)
			}
		case !j.Rival:
			got[j.Name] = [2]float64{j.Goal, float64(j.Allocs)}
		}
	}
	assert.Equal(t, map[string]float64{
		"layout/telemetry/codec": 1.8, "layout/tenants/read": 2.3, "layout/tenants/decode": 2.8,
		"layout/numbers/fluent": 2.6, "layout/numbers/codec": 3.3, "layout/numbers/read": 4, "layout/numbers/decode": 4.5,
	}, own)
	assert.Equal(t, map[string][2]float64{
		"encode/fluent": {1.15, 0}, "encode/time": {1.2, 0}, "encode/codec": {1.4, 0}, "encode/salt": {1.1, 0}, "encode/md5": {1.05, 0},
		"encode/million": {1.2, 0}, "encode/numbers64": {1.6, 0}, "encode/numbers4096": {1.6, 0},
		"read/three": {1.3, 0}, "range/prefix": {1.5, 0}, "range/salted16": {1.3, 0},
		"plan/open16": {3, 2}, "merge/times": {1.2, 32}, "merge/texts": {1.2, 32},
		"match/text": {3, 0}, "match/salted": {3, 0}, "plan/one": {6, 2}, "plan/in100": {3, 6}, "plan/in100000": {2.5, 12},
		"range/new": {2, 1}, "splits/256": {3, 4}, "explain/three": {3, 13},
	}, got)
}

// What is promised of printed code: no allocation, but for the strings of a row.
func TestPrinted(t *testing.T) {
	goals := map[string]float64{"write": 1.25, "read": 1.1, "decode": 1.25}
	texts := map[string]int{"telemetry": 1, "phones": 1, "tenants": 1, "escaped": 1, "texts": 1, "quotes": 1, "files": 2, "javas": 1, "hosts": 1}
	straight := 0
	for _, j := range Printed() {
		name := strings.Split(j.Name, "/")
		if j.Goal == 0 {
			continue
		}
		straight++
		assert.Equal(t, goals[name[2]], j.Goal, j.Name)
		allocs := 0
		if name[2] == "decode" {
			allocs = texts[name[1]]
		}
		assert.Equal(t, allocs, j.Allocs, j.Name)
	}
	assert.Equal(t, 3*12, straight)
}

// The way to hold sides against each other sees what is wrong with one.
func TestSame(t *testing.T) {
	short := func(dst []byte, r *Trade) ([]byte, error) {
		key, err := floorPlain(dst, r)
		return key[:len(key)-1], err
	}
	refused := func([]byte, *Trade) ([]byte, error) { return nil, errFloor }
	assert.NoError(t, sameKeys(floorPlain, floorPlain))
	assert.ErrorContains(t, sameKeys(short, floorPlain), "row 0: key")
	assert.ErrorIs(t, sameKeys(refused, floorPlain), errFloor)
	assert.ErrorIs(t, sameKeys(floorPlain, refused), errFloor)
	assert.ErrorIs(t, keyOf(refused).each()(1), errFloor)
	assert.ErrorIs(t, keyOf(func([]byte, *Trade) ([]byte, error) { return nil, nil }).each()(1), errEmpty)

	// A rival whose keys are another's, do not come back, or sort otherwise.
	ascending := func(dst []byte, r *Trade) ([]byte, error) {
		return floorPlain(dst, &Trade{r.Seller, -r.At + 2*lotRows[0].At, r.Order})
	}
	for name, r := range map[string]rival{
		"row 0: key":      {key: ascending, like: asText},
		"sorts before":    {key: ascending},
		"comes back as":   {key: ascending, decode: func([]byte) (Trade, error) { return Trade{}, nil }},
		"bytes left over": {key: ascending, decode: func(key []byte) (Trade, error) { return Trade{}, atEnd(key, nil) }},
		"refused by hand": {key: refused},
	} {
		assert.ErrorContains(t, r.check(), name)
	}
}

// The floors refuse what the schemas refuse: they have the same checks.
func TestFloorsRefuse(t *testing.T) {
	long := Trade{strings.Repeat("x", 32767-16), 1, 1}
	fits := Trade{long.Seller[1:], 1, 1}
	for _, row := range []Trade{{"a_b", 1, 1}, {"a", -1, 1}, long} {
		for name, key := range map[string]keyOf{"plain": floorPlain, "salted": floorSalted, "md5": floorMD5, "fluent": fluent, "codec": plainCodec.Append} {
			dst, err := key(make([]byte, 3), &row)
			assert.Error(t, err, name)
			if name != "fluent" { // whose result is the key alone
				assert.Equal(t, make([]byte, 3), dst, name)
			}
		}
		_, _, err := floorAll(nil, nil, []Trade{row})
		assert.Error(t, err)
	}
	a, err := floorPlain(nil, &fits)
	require.NoError(t, err)
	b, err := fluent(nil, &fits)
	require.NoError(t, err)
	assert.Equal(t, a, b)

	var seller []byte
	var at time.Time
	var order uint64
	for name, key := range map[string]string{"no separator": "abc", "short": "a_123", "long": "a_123456789012345678", "a time above the largest": "a_\x80234567890123456"} {
		assert.Error(t, floorRead([]byte(key), &seller, &at, &order), name)
		assert.Error(t, plain.Read([]byte(key)).Binary(&seller).Time(&at).Uint(&order).Err(), name)
	}
	_, _, err = floorRanges(nil, nil, "a_b", 16)
	assert.Error(t, err)
	now := time.UnixMilli(1684203630000)
	for name, try := range map[string]struct {
		tenant   uint64
		from, to time.Time
	}{"tenant": {1 << 32, now, now.Add(1)}, "past": {1, time.UnixMilli(-1), now}, "inverted": {1, now, now.Add(-time.Hour)}} {
		_, err := floorPlan(try.tenant, try.from, try.to)
		assert.Error(t, err, name)
	}
}

func TestMeasure(t *testing.T) {
	work := func(n int) error { return busy(2 * n) }
	floor := busy
	same := func() error { return nil }
	job := Job{Name: "busy", Goal: 1e6, Unit: "turn", Per: 1, New: func() Pair { return Pair{work, floor, same} }}
	steps := 0
	o := Options{Rounds: 3, Time: 2 * time.Millisecond, Step: func(done, of int) {
		steps++
		assert.Equal(t, steps, done)
		assert.Equal(t, 8, of)
	}}
	r, err := Measure([]Job{job}, o)
	require.NoError(t, err)
	assert.Equal(t, 8, steps, "two sides, three rounds and the one that calibrates")
	require.Len(t, r.Jobs, 1)
	got := r.Jobs[0]
	assert.Len(t, got.Work.Rounds, 3)
	assert.Len(t, got.Floor.Rounds, 3)
	assert.Positive(t, got.Floor.Median)
	assert.InDelta(t, got.Work.Median/got.Floor.Median, got.Ratio, 0.0051)
	assert.Equal(t, "pass", got.Verdict)

	// It is an error if the sides differ, or fail.
	job.New = func() Pair { return Pair{work, floor, func() error { return errLeft }} }
	r, err = Measure([]Job{job}, o)
	assert.Nil(t, r)
	assert.ErrorIs(t, err, errLeft)
	job.New = func() Pair { return Pair{work, func(int) error { return errFloor }, same} }
	_, err = Measure([]Job{job}, Options{Rounds: 1, Time: time.Millisecond})
	assert.ErrorIs(t, err, errFloor)

	// One that allocates too much is reported, whole, with an error.
	job.New = func() Pair {
		return Pair{func(n int) error {
			for range n {
				sink = make([]byte, 100)
			}
			return nil
		}, floor, same}
	}
	r, err = Measure([]Job{job}, Options{Rounds: 1, Time: time.Millisecond})
	assert.EqualError(t, err, "busy: 1 allocations, want at most 0")
	require.NotNil(t, r)
	assert.Equal(t, "short", r.Jobs[0].Verdict)
	assert.Equal(t, 1, r.Jobs[0].Allocs)
}

var sink []byte

var (
	busyRow = Trade{strings.Repeat("x", 20_000), 1, 1}
	busyBuf = make([]byte, 0, 1<<15)
)

// busy keeps a processor at work, n times the same.
func busy(n int) error {
	for range n {
		if _, err := floorPlain(busyBuf, &busyRow); err != nil {
			return err
		}
	}
	return nil
}

// The verdict is about the hundredths that are shown.
func TestVerdict(t *testing.T) {
	zero := 0
	for _, c := range []struct {
		work, floor, goal float64
		allocs            int
		most              *int
		want              string
	}{
		{1.154, 1, 1.15, 0, &zero, "pass"},
		{1.156, 1, 1.15, 0, &zero, "short"},
		{0.5, 1, 1.15, 1, &zero, "short"},
		{9, 1, 0, 0, &zero, "pass"},
		{9, 1, 0, 1, &zero, "short"},
		{9, 1, 0, 1, nil, ""},
	} {
		r := Result{Goal: c.goal, Allocs: c.allocs, Most: c.most, Per: 1}
		r.settle(&timer{ns: []float64{c.work}}, &timer{ns: []float64{c.floor}})
		assert.Equal(t, c.want, r.Verdict, "%+v", c)
	}
}

func TestMedian(t *testing.T) {
	assert.Equal(t, 0.0, median(nil))
	assert.Equal(t, 2.0, median([]float64{3, 1, 2}))
	assert.Equal(t, 2.5, median([]float64{4, 1, 3, 2}))
}

// The sides of a round run by turns, each as many times in all as was found for it.
func TestTurns(t *testing.T) {
	var turns []int
	var ran [2]int
	side := func(i int) *timer {
		return &timer{n: 1000 + i, run: func(n int) error {
			turns, ran[i] = append(turns, i), ran[i]+n
			return nil
		}}
	}
	both := sides{side(0), side(1)}
	require.NoError(t, both.once(5*slice))
	assert.Equal(t, []int{0, 1, 0, 1, 0, 1, 0, 1, 0, 1}, turns)
	assert.Equal(t, [2]int{1000, 1001}, ran)
	require.NoError(t, both.once(slice/4))
	assert.Equal(t, [2]int{2000, 2002}, ran, "less than a slice is one turn")
	assert.Len(t, both[1].ns, 2)

	// An operation longer than a slice is not cut: two of them are two turns of five.
	long := sides{{n: 2, run: func(n int) error { turns = append(turns, n); return nil }}, {n: 1, run: func(int) error { return errFloor }}}
	turns = nil
	assert.ErrorIs(t, long.once(5*slice), errFloor)
	assert.Equal(t, []int{1, 1}, turns)
}

func TestCalibrate(t *testing.T) {
	calls, most := 0, 0
	t1 := &timer{run: func(n int) error { calls++; most = max(most, n); return busy(n) }}
	require.NoError(t, t1.calibrate(20*time.Millisecond))
	assert.Greater(t, t1.n, 1)
	assert.Less(t, calls, 30)
	assert.Less(t, most, 1_000_000, "20 ms of what takes more than a hundred nanoseconds")
	told := &timer{wall: func(n int) (time.Duration, error) { return time.Duration(n) * 100 * time.Microsecond, nil }}
	require.NoError(t, told.calibrate(20*time.Millisecond))
	assert.Equal(t, 200, told.n)
	failing := &timer{run: func(int) error { return errFloor }}
	assert.ErrorIs(t, failing.calibrate(time.Millisecond), errFloor)
}

func TestNumbers(t *testing.T) {
	for v, want := range map[float64]string{0.001234: "0.00123", 12.2000001: "12.2", 999.6: "1000", 1e6: "1000000", 123456: "123000", 0: "0"} {
		assert.Equal(t, want, number(three(v)))
	}
	for ns, want := range map[float64]string{5.614: "5.61 ns a key", 12.34: "12.3 ns a key", 123.4: "123 ns a key", 3772: "3.77 µs a key"} {
		assert.Equal(t, want, perUnit(ns, "key"))
	}
}

// All panels in the smallest measurement: every point is there, and above zero.
func TestScale(t *testing.T) {
	panels := SelectPanels(Panels(), regexp.MustCompile(""))
	s, err := MeasureScale(panels, Options{Rounds: 1, Time: time.Millisecond})
	require.NoError(t, err)
	xs := map[string][]float64{
		"batch": {1, 10, 100, 1000, 10_000, 100_000, 1_000_000}, "fields": {1, 2, 4, 8, 16}, "length": {8, 16, 32, 64, 128, 256, 512, 1024},
		"merge": {1, 2, 4, 8, 16, 32, 64, 128, 256}, "build": {1, 2, 4, 8, 16}, "memory": {1, 2, 4, 8, 16},
	}
	require.Len(t, s.Panels, len(xs)+1)
	for _, p := range s.Panels {
		require.NotEmpty(t, p.Curves, p.Name)
		for _, c := range p.Curves {
			var got []float64
			for _, at := range c.Points {
				got = append(got, at.X)
				assert.Positive(t, at.Y, "%s, %s at %v", p.Name, c.Name, at.X)
			}
			if p.Name != "cores" { // as many as the machine has, up to two
				assert.Equal(t, xs[p.Name], got, "%s, %s", p.Name, c.Name)
			}
		}
	}
	var text, buf bytes.Buffer
	require.NoError(t, s.WriteText(&text))
	lines := strings.Split(strings.TrimSpace(text.String()), "\n")
	for _, line := range lines {
		assert.Len(t, strings.Fields(line), 5, line)
	}
	require.NoError(t, s.WriteJSON(&buf))
	var back Scale
	require.NoError(t, json.Unmarshal(buf.Bytes(), &back))
	assert.Len(t, back.Panels, len(panels))
	assert.NotContains(t, s.Markdown(), "NaN")
}

// What holds many rows is timed by itself.
func TestLots(t *testing.T) {
	var names [][]string
	for _, lot := range lots([]Result{{Name: "a", Per: 1}, {Name: "b", Per: 9}, {Name: "c", Per: 1}, {Name: "d", Per: 9}}) {
		var of []string
		for _, r := range lot {
			of = append(of, r.Name)
		}
		names = append(names, of)
	}
	assert.Equal(t, [][]string{{"a", "c"}, {"b"}, {"d"}}, names)
}

func TestSelect(t *testing.T) {
	assert.Len(t, Select(Jobs(), regexp.MustCompile("^merge/")), 2)
	assert.Empty(t, Select(Jobs(), regexp.MustCompile("nothing")))
	assert.Len(t, SelectPanels(Panels(), regexp.MustCompile("^(build|memory)$")), 2)
	seen := map[string]bool{}
	for _, j := range Jobs() {
		assert.False(t, seen[j.Name], j.Name)
		seen[j.Name] = true
		assert.NotContains(t, j.Name, " ")
		assert.NotEmpty(t, j.What)
	}
}

// What is done at the same time is all done, and its error told.
func TestTogether(t *testing.T) {
	var a, b int
	took, err := together([]func(int) error{
		func(n int) error { a = n; time.Sleep(10 * time.Millisecond); return nil },
		func(n int) error { b = n; return nil },
	}, 7)
	require.NoError(t, err)
	assert.Equal(t, [2]int{7, 7}, [2]int{a, b})
	assert.GreaterOrEqual(t, took, 10*time.Millisecond, "the time of the longest")
	broken := errors.New("broken")
	_, err = together([]func(int) error{func(int) error { return nil }, func(int) error { return broken }}, 1)
	assert.ErrorIs(t, err, broken)
}
