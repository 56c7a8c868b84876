package simulate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/simulate/internal/say"
)

// Report is what the rows showed.
type Report struct {
	Rows     int64     `json:"rows"`
	From     time.Time `json:"from,omitzero"`                 // the earliest time of arrival
	To       time.Time `json:"to,omitzero"`                   // the latest
	Window   float64   `json:"window_seconds"`                // 0 without times
	Aside    int64     `json:"rows_beside_windows,omitempty"` // rows in windows at the ends of so few rows that they are not shown
	Servers  int       `json:"servers"`                       // of the table
	Stands   float64   `json:"row_stands_for"`                // rows of the table for each row seen
	Late     float64   `json:"late"`                          // share of the rows that came by more than a window after a later one
	Clipped  int64     `json:"clipped,omitempty"`             // rows of a time far ahead of all others, counted when they came
	Timeless int64     `json:"timeless,omitempty"`
	Withheld string    `json:"withheld,omitempty"` // why there is no verdict
	Designs  []*Result `json:"designs"`

	Tried []*Result `json:"try,omitempty"` // these and others, the best first, where Rank was asked

	clock    *clock
	from, to int // windows that are shown
	windows  []uint32
}

// MarshalJSON writes times of all years: time.Time refuses those after 9999, such as that of a number
// of microseconds which was read as milliseconds.
func (r Report) MarshalJSON() ([]byte, error) {
	type plain Report
	return unescaped(struct {
		Rows int64  `json:"rows"`
		From string `json:"from,omitempty"`
		To   string `json:"to,omitempty"`
		*plain
	}{r.Rows, written(r.From), written(r.To), (*plain)(&r)})
}

// MarshalJSON is as that of Report.
func (s Share) MarshalJSON() ([]byte, error) {
	return unescaped(struct {
		Mean  float64 `json:"mean"`
		Worst float64 `json:"worst"`
		At    string  `json:"worst_at,omitempty"`
	}{s.Mean, s.Worst, written(s.At)})
}

// MarshalJSON is as that of Report.
func (s Startup) MarshalJSON() ([]byte, error) {
	return unescaped(struct {
		Until string  `json:"until"`
		Rows  float64 `json:"rows"`
		Worst float64 `json:"worst"`
	}{s.Until.Format(time.RFC3339Nano), s.Rows, s.Worst})
}

// written is a time as JSON has it, empty for the zero time.
func written(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}

// unescaped is a value as JSON in which '<' is itself: who writes all of it decides.
func unescaped(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// Timed reports that rows have times: without, all of them are one window.
func (r *Report) Timed() bool { return r.Window > 0 }

// Share is a part of the writes, as a mean of the windows and at its worst.
type Share struct {
	Mean  float64   `json:"mean"`
	Worst float64   `json:"worst"`
	At    time.Time `json:"worst_at,omitzero"`
}

// Cause is why rows were refused.
type Cause struct {
	Text string `json:"text"`
	Rows int64  `json:"rows"`
}

// Hot is a value that takes much.
type Hot struct {
	Field string  `json:"field"`
	Value string  `json:"value"`
	Share float64 `json:"share"` // at least
	Of    string  `json:"of"`    // "all rows" or "the hottest region at its worst"
}

// Wide is a field with more bytes than its values need, as far as these rows go.
type Wide struct {
	Field string `json:"field"`
	Bytes int    `json:"bytes"`
	Need  int    `json:"need"`
	Why   string `json:"why"`
}

// Region is a region of the table in the end.
type Region struct {
	Start  string  `json:"start"` // in hexadecimal; empty for the first
	Label  string  `json:"label"` // the same as a reader thinks of it
	Share  float64 `json:"share"` // of all rows, also of before it was split off
	Server int     `json:"server"`
}

// Cell is what a cell takes on disk, in bytes, and the table in the end.
type Cell struct {
	None     float64 `json:"none"`
	Prefix   float64 `json:"prefix"`
	FastDiff float64 `json:"fast_diff"`
	Table    float64 `json:"table_bytes"` // without encoding, compression and replication
}

// Answer is what a question costs.
type Answer struct {
	Name     string `json:"name"`
	Text     string `json:"text"`
	Cannot   string `json:"cannot,omitempty"` // why no scan answers it
	FullScan bool   `json:"full_scan,omitempty"`
	Ranges   int    `json:"ranges"`
	Regions  int    `json:"regions"`
	Requests int    `json:"requests"` // at least: one for each range and region that it meets
	Read     int64  `json:"rows_read"`
	Wanted   int64  `json:"rows_wanted"`
	Met      []int  `json:"regions_met,omitempty"` // which of the regions, from 0
	Grade    string `json:"grade"`                 // good, mid or bad
}

// Part is a component of the key, as the byte map shows it.
type Part struct {
	Name     string  `json:"name,omitempty"`
	Notation string  `json:"notation"`
	Kind     string  `json:"kind"`
	Least    int     `json:"least"` // bytes
	Mean     float64 `json:"mean"`
	Most     int     `json:"most"`
	Bits     float64 `json:"bits"`                    // in which rows differ, as far as a sample shows
	AtLeast  bool    `json:"bits_at_least,omitempty"` // nearly all of the sample differ: there may be more
}

// Spread is how the writes fall on regions and servers.
type Spread struct {
	Region  Share    `json:"hottest_region"`
	Server  Share    `json:"hottest_server"`
	Takes   float64  `json:"takes_servers"`     // as many evenly loaded servers as the table can use at its worst
	Startup *Startup `json:"startup,omitempty"` // apart from which the shares are
	Hot     []Hot    `json:"hot_values,omitempty"`
	Regions []Region `json:"regions"`
	Given   int      `json:"regions_given"`
	Made    string   `json:"regions_made"` // the same in words
}

// Startup is the time in which a table has not yet a region on each server, as one that
// was created with a single region.
type Startup struct {
	Until time.Time `json:"until"`
	Rows  float64   `json:"rows"`  // share of all that came until then
	Worst float64   `json:"worst"` // the hottest server's share in a window
}

// Keys is how long the keys are, in bytes, what a cell takes with them, and how many
// rows lost their key to another.
type Keys struct {
	Shortest int     `json:"shortest_key"`
	Longest  int     `json:"longest_key"`
	Mean     float64 `json:"mean_key"`
	Cell     Cell    `json:"cell"`
	Lost     float64 `json:"rows_lost"` // share of the rows seen whose key an earlier one has already

	// TableLost is that share of the rows of the whole table; nil if it is not known.
	TableLost *float64 `json:"table_rows_lost,omitempty"`

	Wide []Wide `json:"wide_fields,omitempty"`
}

// Result is what the rows showed of one design.
type Result struct {
	Name     string  `json:"name"`
	Notation string  `json:"notation"`
	Pattern  string  `json:"pattern"`
	Grade    string  `json:"grade"` // of the pattern: good, mid or bad
	Says     string  `json:"says"`
	Rows     int64   `json:"rows"`
	Refused  int64   `json:"refused"`
	Causes   []Cause `json:"causes,omitempty"`
	Spread
	Keys
	Answers []Answer `json:"questions,omitempty"`
	Parts   []Part   `json:"parts"`
	Yours   bool     `json:"yours"`           // false of a layout to try
	Worse   []string `json:"worse,omitempty"` // of a layout to try, against the first design

	Schema *rowkey.Schema `json:"-"`

	d        *design
	report   *Report
	proposed rowkey.SplitKeys // from these rows
	steady   int              // the first window after the start-up
	front    float64          // share of the rows whose keys sort beyond nearly all before them
	small    *Grid            // of a layout to try
	lostMost float64          // of the rows seen surely fewer share a key, where a sample of them shows none
	n        int              // the lesser of servers and regions
	byWindow []float64        // the hottest region's share, 0 where there are too few rows
	overall  float64          // the hottest region's share of all rows
	loads    float64          // share of rows in windows whose load is above 2
	worst    *region
	worstAt  int
}

// A window with fewer than fewRows rows for each server says nothing of its shares, which
// chance decides. Windows are as wide as most of the rows need to lie in one of enoughRows
// for each server: of so many the hottest of 8 even servers takes 1.2 times its part.
// Where that would leave fewer than fewWindows, fewRows are enough.
const (
	fewRows    = 50
	enoughRows = 200
	fewWindows = 4
)

// widen has windows as wide as the rows need it.
func (s *Simulation) widen() {
	c := &s.clock
	for c.began && c.step+1 < len(widths) {
		least, next := fewRows, widths[c.step+1]
		if floorDiv(c.now+c.shift, next)-floorDiv(c.first+c.shift, next)+1 >= fewWindows {
			least = enoughRows
		}
		total, enough := 0.0, 0.0
		for _, n := range c.rows {
			total += float64(n)
			if int(n) >= least*s.o.Servers {
				enough += float64(n)
			}
		}
		if enough >= 0.8*total || c.n == 1 || total < float64(fewRows*s.o.Servers) {
			return
		}
		c.widen()
		to := grid{c.step, c.base}
		c.rows = moved(c.rows, s.grid, to, sum)
		for _, d := range s.designs {
			d.table.move(s.grid, to)
		}
		s.grid = to
	}
}

// Report says what the rows showed. No batch is added after it.
func (s *Simulation) Report() *Report {
	s.widen()
	c := new(clock) // a report keeps nothing else of the simulation than what it shows
	*c = s.clock
	r := &Report{Servers: s.o.Servers, clock: c, Late: c.lateness(), Clipped: c.clipped, Timeless: c.without, to: max(c.n, 1)}
	for _, n := range c.rows {
		r.Rows += int64(n)
	}
	if c.rows = append(c.rows, make([]uint32, max(0, r.to-len(c.rows)))...); c.began {
		few := uint32(fewRows * s.o.Servers)
		for r.to-r.from > 1 && c.rows[r.from] < few {
			r.from++
		}
		for r.to-r.from > 1 && c.rows[r.to-1] < few {
			r.to--
		}
		r.From, r.To, r.Window = c.time(c.least), c.time(c.now), float64(c.width())
		r.Timeless = c.without
		for w, n := range c.rows {
			if w < r.from || w >= r.to {
				r.Aside += int64(n)
			}
		}
	} else {
		r.Timeless = 0
	}
	r.windows = c.rows[r.from:r.to]
	r.Stands = 1000
	if s.o.Seen > 0 {
		r.Stands = s.o.Rows / s.o.Seen
	}
	if r.Late > 0.01 {
		r.Withheld = say.Percent(r.Late) + " of the rows are older than a row before them by a window or more, so what they would do as they arrive is not known: sort them by time"
	}
	for _, d := range s.designs {
		d.table.settle(c.window)
		r.Designs = append(r.Designs, d.result(r))
	}
	return r
}

// Beside puts the designs of another report next to these: one simulation after
// another of the same rows takes less memory than one of all designs at once.
func (r *Report) Beside(other *Report) error {
	if r.Rows != other.Rows {
		return fmt.Errorf("simulate: %d rows, and now %d: they changed between two readings", r.Rows, other.Rows)
	}
	for _, v := range slices.Concat(r.Designs, other.Designs) {
		v.d.slim()
	}
	r.Designs = append(r.Designs, other.Designs...)
	return nil
}

// slim gives up what only the counting needed.
func (d *design) slim() {
	d.twins, d.runs, d.moments = twins{}, runs{}, moments{}
	for _, r := range d.table.all {
		r.files, r.keys = nil, sample{}
	}
	for j, names := range d.names {
		shown := map[uint32]string{}
		for _, r := range d.table.all {
			for w := range r.cells[j] {
				if id, n := r.cells[j][w].best(); n >= nameFrom && names[id] != "" {
					shown[id] = names[id]
				}
			}
		}
		d.names[j] = shown
	}
}

func (d *design) result(r *Report) *Result {
	v := &Result{Name: d.Name, Notation: d.Schema.String(), Rows: d.rows, Refused: d.refused, Causes: d.causes, Yours: true, Schema: d.Schema, d: d, report: r, n: min(d.o.Servers, len(d.table.leaves)),
		Spread: Spread{Given: len(d.given) + 1}, Keys: Keys{Longest: d.lengths.longest, Lost: d.twins.lost()}, lostMost: d.twins.most()}
	slices.SortStableFunc(v.Causes, func(a, b Cause) int { return int(b.Rows - a.Rows) })
	if d.rows > 0 {
		v.Shortest, v.Mean = d.lengths.shortest, float64(d.lengths.sum)/float64(d.rows)
		c := d.cost()
		v.Cell.None, v.Cell.Prefix, v.Cell.FastDiff = c.Each()
		_, disk := d.o.rowBytes(0)
		v.Cell.None = disk/r.Stands/float64(len(d.o.Qualifiers)) + v.Mean // of all rows, not of the runs
		v.Cell.Table = r.Stands * float64(d.rows) * v.Cell.None * float64(len(d.o.Qualifiers))
	}
	v.Made = d.made()
	v.proposed = d.proposed()
	v.TableLost = v.lost()
	v.shares()
	v.judge()
	v.Grade = v.grade()
	labels := d.labels(numbers(len(d.table.leaves)), r)
	for i, leaf := range d.table.leaves {
		v.Regions = append(v.Regions, Region{fmt.Sprintf("%x", leaf.start), labels[i], v.leafShare(i, i+1), leaf.server})
	}
	for i := range d.questions {
		v.Answers = append(v.Answers, d.answer(i))
		a, q := &v.Answers[i], &d.questions[i]
		a.Read, a.Wanted = q.read, q.wanted
		a.Grade = a.grade()
	}
	v.measure()
	v.wide()
	return v
}

// numbers are 0 to n−1.
func numbers(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// made is how the regions came to be, in words.
func (d *design) made() string {
	given, end := len(d.given)+1, len(d.table.leaves)
	var s string
	switch {
	case d.Splits != nil && !d.table.grows:
		return say.Plural(given, "region") + ", as given"
	case d.sampled:
		s = "created with " + say.Plural(given, "region") + ", split by a sample of these rows"
	case d.Splits != nil:
		s = say.Plural(given, "region") + " as given"
	case given == 1:
		s = "one region at first, since what stands first depends on data"
	default:
		s = "created with " + say.Plural(given, "region")
	}
	if end == given {
		return s + ", which do not split"
	}
	s += ", which HBase's default policy makes " + fmt.Sprint(end)
	if d.table.full {
		s += " (no more are simulated)"
	}
	return s
}

// proposed are splits by a sample of the rows, for a table that starts with one region
// since its schema gives none.
func (d *design) proposed() rowkey.SplitKeys {
	if len(d.given) > 0 || d.Splits != nil {
		return nil
	}
	return splitsBy(d.Schema, d.past.sorted(), d.o.Regions)
}

// splitsBy are split keys by keys in order, for as many regions as they make, up to a
// number. Each is as short as it can be and still divide the same keys.
func splitsBy(s *rowkey.Schema, sorted [][]byte, regions int) rowkey.SplitKeys {
	regions = min(regions, len(sorted)/splitKeysEach)
	for ; regions > 1; regions-- {
		splits, err := s.SplitsOf(regions, slices.Values(sorted))
		if err != nil {
			continue
		}
		for i, key := range splits {
			at, _ := slices.BinarySearchFunc(sorted, key, bytes.Compare)
			splits[i] = key[:min(len(key), common(sorted[at-1], key)+1)]
		}
		return splits
	}
	return nil
}

// splitKeysEach is how many keys of a sample make a region.
const splitKeysEach = 20

// common is how many bytes two keys begin with alike.
func common(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// lost is the share of the whole table's rows that share a key; nil if these rows do not
// say it.
func (v *Result) lost() *float64 {
	share, known := v.Lost, v.report.Stands <= 1.0001
	if !known {
		share, known = v.d.moments.lost(v.report, v.d.rows, v.report.Stands)
		known = known && v.atRandom()
	}
	if !known || v.d.rows == 0 {
		return nil
	}
	return &share
}

// atRandom reports that of the rows seen as many share a key as would if the rows of each
// company came at random over all the time. A value that comes in bursts has more, rows
// that keep a distance have fewer; what the whole table does then is not known.
func (v *Result) atRandom() bool {
	share, _ := v.d.moments.lost(v.report, v.d.rows, 1)
	rows := float64(v.d.twins.seen())
	return math.Abs(v.Lost-share)*rows <= 0.25*share*rows+4*math.Sqrt(share*rows)+3
}

// stamp is a time as short as the windows permit.
func (r *Report) stamp(t time.Time) string {
	t = r.clock.time(t.Unix())
	switch span := r.To.Sub(r.From); {
	case span <= 36*time.Hour:
		return t.Format("15:04:05")
	case span <= 60*24*time.Hour:
		return t.Format("01-02 15:04")
	}
	return t.Format("2006-01-02")
}

// when is a window in words.
func (r *Report) when(w int) string { return r.When(r.clock.start(w)) }

// When is the time at which a window begins, in words.
func (r *Report) When(t time.Time) string {
	switch {
	case r.clock.width() >= 86400:
		return t.Format("2006-01-02")
	case r.clock.width() < 60:
		return t.Format("01-02 15:04:05")
	}
	return t.Format("01-02 15:04")
}

// answer is what a question costs. A scan of one range asks each region that it meets.
func (d *design) answer(i int) Answer {
	q := &d.questions[i]
	a := Answer{Name: q.of.Name, Text: q.of.Text, Cannot: q.refused, FullScan: q.full, Ranges: len(q.ranges)}
	met := map[int]bool{}
	for _, r := range q.ranges {
		for at := max(0, d.table.live.find(r.Start())); at < len(d.table.leaves); at++ {
			if start := d.table.leaves[at].start; !r.Unbounded() && len(start) > 0 && bytes.Compare(start, r.Stop()) >= 0 {
				break
			}
			a.Requests++
			met[at] = true
		}
	}
	for at := range met {
		a.Met = append(a.Met, at)
	}
	slices.Sort(a.Met)
	a.Regions = len(a.Met)
	return a
}

// String is the answer in words.
func (a Answer) String() string {
	switch {
	case a.Cannot != "":
		return "cannot: " + a.Cannot
	case a.FullScan:
		return fmt.Sprintf("full scan: %s read for %s", say.Rows(a.Read), say.Thousands(a.Wanted))
	}
	return fmt.Sprintf("%s in %s, %s read for %s", say.Plural(a.Ranges, "range"), say.Plural(a.Regions, "region"), say.Rows(a.Read), say.Thousands(a.Wanted))
}

// leafShare is the part of all rows that the keys of some leaves took, also before
// they were split off.
func (v *Result) leafShare(from, to int) float64 {
	n := 0.0
	for _, r := range v.d.table.all {
		if common := min(to, r.first+r.span) - max(from, r.first); common > 0 {
			n += float64(r.rows) * float64(common) / float64(r.span)
		}
	}
	return n / float64(max(v.d.rows, 1))
}

// measure is the parts of the key, on a sample.
func (v *Result) measure() {
	for f := range v.d.Schema.Fields() {
		if !f.Stored {
			continue
		}
		p := Part{Name: f.Name, Notation: f.Notation, Kind: string(f.Kind)}
		if f.Kind == "literal" {
			p.Least, p.Mean, p.Most = len(f.Const), float64(len(f.Const)), len(f.Const)
			v.Parts = append(v.Parts, p)
			continue
		}
		counts := map[string]int{}
		total, n := 0, 0
		for _, key := range v.d.past.keys {
			row, err := v.d.Schema.DecodeLoose(key)
			if err != nil {
				continue
			}
			b := row.Stored(f.Name)
			if counts[string(b)]++; n == 0 || len(b) < p.Least {
				p.Least = len(b)
			}
			n++
			total += len(b)
			p.Most = max(p.Most, len(b))
		}
		if n > 0 {
			for _, c := range sortedCounts(counts) {
				p.Bits -= float64(c) / float64(n) * math.Log2(float64(c)/float64(n))
			}
			p.Mean = float64(total) / float64(n)
			p.AtLeast = n > 1 && p.Bits > math.Log2(float64(n))-0.5
		}
		v.Parts = append(v.Parts, p)
	}
}

// sortedCounts are the counts in order: sums of floats depend on it.
func sortedCounts(m map[string]int) (out []int) {
	for _, n := range m {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

// wide finds fields with more bytes than the values of these rows need.
func (v *Result) wide() {
	for j, at := range v.d.watched {
		f, c := v.d.fields[at], v.d.columns[j]
		if f.Size == 0 || c.rows == 0 {
			continue
		}
		need, why := 0, ""
		switch f.Kind {
		case "uint", "int":
			if f.Bytes != f.Size {
				continue
			}
			need = (bits.Len64(c.most) + 7) / 8
			if f.Kind == "int" {
				need = (bits.Len64(c.most) + 8) / 8
			}
			why = fmt.Sprintf("the largest value is %d", c.most)
		case "string", "binary":
			need, why = c.longest, fmt.Sprintf("the longest value has %d", c.longest)
		default:
			continue
		}
		if need = max(need, 1); need < f.Size {
			v.Wide = append(v.Wide, Wide{f.Name, f.Size, need, why})
		}
	}
}
