package bench

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/bench/internal/clock"
)

// Panel is how one cost grows.
type Panel struct {
	Name   string   `json:"name"`
	Title  string   `json:"title"`
	X      string   `json:"x"`
	Y      string   `json:"y"`
	Linear bool     `json:"linear,omitempty"` // both axes; else both are logarithmic
	Curves []*Curve `json:"curves"`

	rate bool // Y is a rate in time of day, not a processor's time
	add  func(p *Panel)
}

// Curve is one side's cost.
type Curve struct {
	Name   string  `json:"name"`
	Floor  bool    `json:"floor,omitempty"` // written by hand
	Points []Point `json:"points"`

	timers []*timer
	scale  []float64 // what an operation's nanoseconds are divided by
}

// Point is a cost at a size.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Scale is a measurement of panels.
type Scale struct {
	Machine Machine  `json:"machine"`
	Rounds  int      `json:"rounds"`
	Time    string   `json:"time"`
	Panels  []*Panel `json:"panels"`
}

// Panels are what is measured.
func Panels() []*Panel {
	return []*Panel{
		{Name: "cores", Title: "Keys a second, by cores", X: "cores", Y: "million keys a second, at best", Linear: true, rate: true, add: byCores},
		{Name: "batch", Title: "A key of AppendAll, by the size of the batch", X: "structs in the batch", Y: "ns a key", add: byBatch},
		{Name: "fields", Title: "A key, by its fields", X: "fields of 8 bytes", Y: "ns a key", add: byFields},
		{Name: "length", Title: "A key, by its length", X: "bytes of the key", Y: "ns a key", add: byLength},
		{Name: "merge", Title: "A row of Merge, by ranges", X: "ranges", Y: "ns a row", add: byRanges},
		{Name: "build", Title: "Build, by fields", X: "fields", Y: "µs a schema", add: byBuild},
		{Name: "memory", Title: "Memory that a schema holds", X: "fields", Y: "KiB a schema", add: byMemory},
	}
}

// SelectPanels is the panels whose name matches.
func SelectPanels(panels []*Panel, name *regexp.Regexp) []*Panel {
	return slices.DeleteFunc(panels, func(p *Panel) bool { return !name.MatchString(p.Name) })
}

// MeasureScale times the points of one panel in turn, round after round, and
// then those of the next, whose collector has no other panel's rows to go over.
func MeasureScale(panels []*Panel, o Options) (*Scale, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for i, p := range panels {
		p.add(p)
		// At one size all curves are timed one after the other.
		var all []sides
		for i := range p.sizes() {
			for _, c := range p.Curves {
				if i < len(c.timers) {
					all = append(all, sides{c.timers[i]})
				}
			}
		}
		short, cores := o, 1
		if p.rate {
			// Where other programs run, only a short time passes without them.
			short = Options{Rounds: 100 * o.Rounds, Time: o.Time / 100}
			cores = bothCores
		}
		runtime.GOMAXPROCS(cores)
		if err := rounds(all, short, &counter{}); err != nil {
			return nil, err
		}
		for _, c := range p.Curves {
			c.settle(p.rate)
		}
		if o.Step != nil {
			o.Step(i+1, len(panels))
		}
	}
	return &Scale{Machine: ThisMachine(), Rounds: o.Rounds, Time: o.Time.String(), Panels: panels}, nil
}

// settle makes points of the timings, and lets go of what was timed.
func (c *Curve) settle(rate bool) {
	for i, t := range c.timers {
		y := median(t.ns) / c.scale[i]
		if rate {
			// Other programs only ever take away: the best round. Of nanoseconds a
			// key it makes millions a second.
			y = 1000 * c.scale[i] / slices.Min(t.ns)
		}
		c.Points[i].Y = three(y)
	}
	c.timers = nil
}

func (p *Panel) sizes() (n int) {
	for _, c := range p.Curves {
		n = max(n, len(c.timers))
	}
	return n
}

// three rounds to three digits.
func three(v float64) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	return v
}

// number is one without an exponent.
func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func (p *Panel) curve(name string, floor bool) *Curve {
	for _, c := range p.Curves {
		if c.Name == name {
			return c
		}
	}
	c := &Curve{Name: name, Floor: floor}
	p.Curves = append(p.Curves, c)
	return c
}

// time adds a point whose operation makes per units.
func (c *Curve) time(x, per float64, run func(n int) error) { c.add(x, per, &timer{run: run}) }

func (c *Curve) add(x, per float64, t *timer) {
	c.Points = append(c.Points, Point{X: x})
	c.timers = append(c.timers, t)
	c.scale = append(c.scale, per)
}

const byHand = "by hand"

// bothCores is how many cores are kept busy at once.
var bothCores = min(2, runtime.NumCPU())

// byCores makes keys on one core, and on two at the same time.
func byCores(p *Panel) {
	for cores := 1; cores <= bothCores; cores++ {
		for _, way := range []struct {
			name  string
			key   keyOf
			floor bool
		}{{byHand, floorPlain, true}, {"field by field", fluent, false}, {"from a struct", plainCodec.Append, false}} {
			sides := make([]func(int) error, cores)
			for i := range sides {
				sides[i] = way.key.each()
			}
			p.curve(way.name, way.floor).add(float64(cores), float64(cores), &timer{wall: func(n int) (time.Duration, error) { return together(sides, n) }})
		}
	}
}

// together does each n times, all at once, and tells how long it took from when
// all of them ran: another program's turn on a core delays no clock.
func together(sides []func(n int) error, n int) (time.Duration, error) {
	var running atomic.Int32
	var wait sync.WaitGroup
	began, ended, errs := make([]time.Duration, len(sides)), make([]time.Duration, len(sides)), make([]error, len(sides))
	for i, side := range sides {
		wait.Add(1)
		go func() {
			defer wait.Done()
			running.Add(1)
			for int(running.Load()) < len(sides) {
			}
			began[i] = clock.Wall()
			errs[i] = side(n)
			ended[i] = clock.Wall()
		}()
	}
	wait.Wait()
	return slices.Max(ended) - slices.Min(began), errors.Join(errs...)
}

func byBatch(p *Panel) {
	const million = 1_000_000
	rows := trades(million)
	arena, ends := make([]byte, 0, million*27), make([]int, 0, million)
	for n := 1; n <= million; n *= 10 {
		batch := func(all func([]byte, []int, []Trade) ([]byte, []int, error)) func(int) error {
			return repeat(func() error { _, _, err := all(arena, ends, rows[:n]); return err })
		}
		p.curve(byHand, true).time(float64(n), float64(n), batch(floorAll))
		p.curve("AppendAll", false).time(float64(n), float64(n), batch(plainCodec.AppendAll))
	}
}

// Structs of one to sixteen numbers.
type (
	fields1 struct {
		F1 uint64 `rowkey:"f1"`
	}
	fields2 struct {
		fields1
		F2 uint64 `rowkey:"f2"`
	}
	fields4 struct {
		fields2
		F3 uint64 `rowkey:"f3"`
		F4 uint64 `rowkey:"f4"`
	}
	fields8 struct {
		fields4
		F5 uint64 `rowkey:"f5"`
		F6 uint64 `rowkey:"f6"`
		F7 uint64 `rowkey:"f7"`
		F8 uint64 `rowkey:"f8"`
	}
	fields16 struct {
		fields8
		F9  uint64 `rowkey:"f9"`
		F10 uint64 `rowkey:"f10"`
		F11 uint64 `rowkey:"f11"`
		F12 uint64 `rowkey:"f12"`
		F13 uint64 `rowkey:"f13"`
		F14 uint64 `rowkey:"f14"`
		F15 uint64 `rowkey:"f15"`
		F16 uint64 `rowkey:"f16"`
	}
)

var fieldCounts = []int{1, 2, 4, 8, 16}

// numbers is a schema of n numbers.
func numbers(n int) *rowkey.Builder {
	b := rowkey.New("numbers")
	for i := range n {
		b = b.Uint(fmt.Sprintf("f%d", i+1), 8)
	}
	return b
}

func byFields(p *Panel) {
	for _, n := range fieldCounts {
		s := numbers(n).MustBuild()
		values := make([]uint64, n)
		for i := range values {
			values[i] = uint64(i) << 40
		}
		buf := make([]byte, 0, 256)
		x := float64(n)
		p.curve(byHand, true).time(x, 1, repeat(func() error { return floorNumbers(buf, values) }))
		p.curve("field by field", false).time(x, 1, repeat(func() error {
			k := s.KeyIn(buf)
			for _, v := range values {
				k = k.Uint(v)
			}
			_, err := k.Bytes()
			return err
		}))
		p.curve("from a struct", false).time(x, 1, repeat(structOf(s, n, buf)))
		key, err := structKey(s, n)
		if err != nil {
			panic(err)
		}
		var v uint64
		p.curve("read", false).time(x, 1, repeat(func() error {
			r := s.Read(key)
			for range values {
				r = r.Uint(&v)
			}
			return r.Err()
		}))
	}
}

func structOf(s *rowkey.Schema, n int, buf []byte) func() error {
	switch n {
	case 1:
		return appender[fields1](s, buf)
	case 2:
		return appender[fields2](s, buf)
	case 4:
		return appender[fields4](s, buf)
	case 8:
		return appender[fields8](s, buf)
	}
	return appender[fields16](s, buf)
}

func appender[T any](s *rowkey.Schema, buf []byte) func() error {
	c := rowkey.Must(rowkey.Bind[T](s))
	var v T
	return func() error { _, err := c.Append(buf, &v); return err }
}

func structKey(s *rowkey.Schema, n int) ([]byte, error) {
	values := make([]any, n)
	for i := range values {
		values[i] = uint64(i) << 40
	}
	return s.AppendKey(nil, values...)
}

//go:noinline
func floorNumbers(dst []byte, values []uint64) error {
	for _, v := range values {
		dst = binary.BigEndian.AppendUint64(dst, v)
	}
	if len(dst) > maxKey {
		return errFloor
	}
	return nil
}

var keyLengths = []int{8, 16, 32, 64, 128, 256, 512, 1024}

// byLength has a text that ends at a separator, and a number of two bytes.
func byLength(p *Panel) {
	s := rowkey.New("length").String("text").Separator("_").Uint("n", 2).MustBuild()
	for _, n := range keyLengths {
		text := strings.Repeat("x", n-len("_nn"))
		buf := make([]byte, 0, 2048)
		x := float64(n)
		p.curve(byHand, true).time(x, 1, repeat(func() error { return floorLength(buf, text, 7) }))
		p.curve("field by field", false).time(x, 1, repeat(func() error {
			_, err := s.KeyIn(buf).String(text).Uint(7).Bytes()
			return err
		}))
		key, err := s.Key().String(text).Uint(7).Bytes()
		if err != nil || len(key) != n {
			panic(fmt.Sprint(len(key), err))
		}
		got := make([]byte, 0, 2048)
		var v uint64
		p.curve("read", false).time(x, 1, repeat(func() error { return s.Read(key).Binary(&got).Uint(&v).Err() }))
	}
}

//go:noinline
func floorLength(dst []byte, text string, n uint64) error {
	if strings.IndexByte(text, '_') >= 0 || n > math.MaxUint16 {
		return errFloor
	}
	dst = append(append(dst, text...), '_')
	dst = binary.BigEndian.AppendUint16(dst, uint16(n))
	if len(dst) > maxKey {
		return errFloor
	}
	return nil
}

func byRanges(p *Panel) {
	for n := 1; n <= 256; n *= 2 {
		buckets := n
		if n == 1 {
			buckets = 0
		}
		pair := timesStock(buckets, mergeRows).pair(mergeRows)
		p.curve("a heap by hand", true).time(float64(n), mergeRows, pair.Floor)
		p.curve("Merge", false).time(float64(n), mergeRows, pair.Work)
	}
}

// builders are kinds of schemas, of n fields.
var builders = []struct {
	name  string
	build func(n int) *rowkey.Builder
}{
	{"numbers", numbers},
	{"texts", func(n int) *rowkey.Builder {
		b := rowkey.New("texts")
		for i := range n {
			b = b.String(fmt.Sprintf("f%d", i+1)).Separator("_")
		}
		return b
	}},
	{"salted numbers", func(n int) *rowkey.Builder {
		b := rowkey.New("salted").Salt(256, "f1")
		for i := range n {
			b = b.Uint(fmt.Sprintf("f%d", i+1), 8)
		}
		return b
	}},
}

func byBuild(p *Panel) {
	for _, k := range builders {
		for _, n := range fieldCounts {
			p.curve(k.name, false).time(float64(n), 1000, repeat(func() error { _, err := k.build(n).Build(); return err }))
		}
	}
}

// byMemory counts what is still held when many schemas were built.
func byMemory(p *Panel) {
	const many = 500
	for _, k := range builders {
		c := p.curve(k.name, false)
		for _, n := range fieldCounts {
			schemas := make([]*rowkey.Schema, many)
			before := held()
			for i := range schemas {
				schemas[i] = k.build(n).MustBuild()
			}
			after := held()
			runtime.KeepAlive(schemas)
			c.Points = append(c.Points, Point{float64(n), three(float64(after-before) / many / 1024)})
		}
	}
}

// held is the bytes of what can be reached.
func held() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what the first one only finished
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// WriteJSON writes the whole report.
func (s *Scale) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(s)
}

// WriteText writes a heading and a line for each point.
func (s *Scale) WriteText(w io.Writer) error {
	t := newGrid(table.Row{"panel", "curve", "x", "y", "unit"}, 3, 4)
	for _, p := range s.Panels {
		for _, c := range p.Curves {
			for _, at := range c.Points {
				t.AppendRow(table.Row{p.Name, strings.ReplaceAll(c.Name, " ", "-"), number(at.X), number(at.Y), strings.NewReplacer(" ", "-", ",", "").Replace(p.Y)})
			}
		}
	}
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

// Markdown is a table of where each curve begins and ends.
func (s *Scale) Markdown() string {
	t := newGrid(table.Row{"what grows", "from", "to", "way", "unit", "at first", "at last"}, 2, 3, 6, 7)
	for _, p := range s.Panels {
		for _, c := range p.Curves {
			first, last := c.Points[0], c.Points[len(c.Points)-1]
			t.AppendRow(table.Row{p.X, number(first.X), number(last.X), c.Name, p.Y, number(first.Y), number(last.Y)})
		}
	}
	return t.RenderMarkdown() + fmt.Sprintf("\n\nMeasured on %s; medians of %d rounds of %s.", s.Machine, s.Rounds, s.Time)
}
