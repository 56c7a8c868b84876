package simulate

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/shell"
	"github.com/hbase-rowkey/rowkey/simulate/cells"
)

// Design is a layout whose table is simulated.
type Design struct {
	Name   string
	Schema *rowkey.Schema

	// Splits are what the table is created with; nil are those that the key's first
	// fields give, as many as Options.Regions asks for and they can.
	Splits rowkey.SplitKeys

	sampled bool // the splits are of a sample of the rows
}

// Question is a query whose cost is reported for each design.
type Question struct {
	Name  string
	Text  string // as it is shown
	Conds []rowkey.Cond
	Needs []string // the fields in them: a key that lacks one cannot answer
}

// Options say what the table and its cells are like. The zero value of a field is
// what its comment names.
type Options struct {
	Servers int  // 8
	Regions int  // that the table is created with; 4 a server
	Fixed   bool // these regions do not split

	Rows    float64 // of the table in the end, which the rows seen stand for; 10⁹
	Flush   float64 // bytes in memory that make a file; HBase's 128 MiB
	MaxFile float64 // bytes of a region's files above which it splits; HBase's 10 GiB
	Jitter  float64 // by how much that differs from region to region; HBase's 0.25, below 0 not at all

	Family     int      // bytes of the column family's name; 1
	Qualifiers []string // of the cells of each row; one, of one byte
	Value      int      // bytes of each value; 8

	Seen float64 // how many rows will come, if that is known before; else Rows are 1000 times each row

	Zone  *time.Location // of the report's times, and of where its days begin; UTC
	Clock string         // the field that is the time of arrival; without its name it is not known how many rows of the whole table share a key
	Limit int64          // rows that are counted; 0 is all that come

	untimed bool
}

// mostRows is far more than any table has; what more rows take is no number that a report can say.
const mostRows = 1e15

// mostValue is the largest value in bytes: an int of 32 bits holds it with its key.
const mostValue = 1 << 30

// settle gives what was left out its value, and refuses what cannot be.
func (o *Options) settle() error {
	if o.Limit < 0 || o.Servers < 0 || o.Regions < 0 || o.Rows < 0 || o.Flush < 0 || o.MaxFile < 0 || o.Value < 0 || o.Seen < 0 || math.IsNaN(o.Rows+o.Flush+o.MaxFile+o.Seen+o.Jitter) {
		return errors.New("simulate: no number in the options may be below 0")
	}
	if o.Rows > mostRows {
		return fmt.Errorf("simulate: %g rows: at most %g", o.Rows, float64(mostRows))
	}
	if o.Value > mostValue {
		return fmt.Errorf("simulate: %d bytes of a value: at most %d", o.Value, mostValue)
	}
	o.Servers = cmp.Or(o.Servers, 8)
	o.Regions = cmp.Or(o.Regions, 4*o.Servers)
	o.Rows = cmp.Or(o.Rows, 1e9)
	o.Flush = cmp.Or(o.Flush, 128<<20)
	o.MaxFile = cmp.Or(o.MaxFile, 10<<30)
	o.Jitter = max(0, cmp.Or(o.Jitter, 0.25))
	o.Family = cmp.Or(o.Family, 1)
	o.Value = cmp.Or(o.Value, 8)
	if len(o.Qualifiers) == 0 {
		o.Qualifiers = []string{"q"}
	}
	if o.Servers > 1000 {
		return fmt.Errorf("simulate: %d servers: at most 1000", o.Servers)
	}
	if o.Regions > 10000 {
		return fmt.Errorf("simulate: %d regions: at most 10000", o.Regions)
	}
	return nil
}

// A cell in memory takes more than in a file: an entry of the skip list and an
// object of its own (ClassSize of 2.6.1, with compressed references).
const heapOverhead = 40 + 32

// rowBytes is what the rows that one row stands for take in memory and in a file.
func (o *Options) rowBytes(key int) (heap, disk float64) {
	scale := 1000.0
	if o.Seen > 0 {
		scale = o.Rows / o.Seen
	}
	for _, q := range o.Qualifiers {
		disk += float64(4 + 4 + 2 + key + 1 + o.Family + len(q) + 8 + 1 + o.Value)
	}
	return scale * (disk + heapOverhead*float64(len(o.Qualifiers))), scale * disk
}

// Value is a value of a row, as the sketches take it.
type Value struct {
	text   []byte
	number uint64
	kind   uint8
}

const (
	aNull uint8 = iota
	aText
	aNumber
	aSigned
	aMoment
)

// Bytes is the value of a text or of bytes. Key copies what it needs of it.
func Bytes(b []byte) Value { return Value{text: b, kind: aText} }

// Number is the value of a number.
func Number(n uint64) Value { return Value{number: n, kind: aNumber} }

// Signed is the value of a number that may be below 0.
func Signed(n int64) Value { return Value{number: uint64(n), kind: aSigned} }

// Moment is a time, of which nothing is kept.
func Moment() Value { return Value{kind: aMoment} }

// Null is a value that is not there.
func Null() Value { return Value{} }

// held is a value in a batch.
type held struct {
	hash     uint64
	number   uint64
	from, to uint32
	kind     uint8
}

func (b *part) name(v *held) string {
	switch v.kind {
	case aText:
		return shown(b.texts[v.from:v.to])
	case aNumber:
		return strconv.FormatUint(v.number, 10)
	case aSigned:
		return strconv.FormatInt(int64(v.number), 10)
	}
	return "null"
}

// shown is a text as people read it, cut short.
func shown(b []byte) string {
	s := string(b)
	if q := strconv.Quote(s); q[1:len(q)-1] != s {
		s = shell.Text(b)
	}
	if r := []rune(s); len(r) > 40 {
		s = string(r[:39]) + "…"
	}
	return s
}

// Batch is rows in the order in which they arrive, made ready beside other batches: one
// goroutine fills one. Reset makes it empty again.
type Batch struct {
	s       *Simulation
	at      int // the row that Key is of
	seconds []int64
	grain   time.Duration // of their times, see clock
	parts   []part
}

// part is what one design has of the rows of a batch.
type part struct {
	rows    []int32 // of the batch, for each key
	ends    []uint32
	keys    []byte
	hashes  []uint64
	values  []held
	texts   []byte
	refused int64
	causes  []Cause
	bad     []refusal
	answers []counts // of each question
}

type counts struct{ read, wanted int64 }

// Batch makes an empty batch.
func (s *Simulation) Batch() *Batch {
	b := &Batch{s: s, grain: time.Second, parts: make([]part, len(s.designs))}
	for i := range b.parts {
		b.parts[i].answers = make([]counts, len(s.questions))
	}
	return b
}

// Reset makes the batch empty.
func (b *Batch) Reset() {
	b.seconds, b.grain = b.seconds[:0], time.Second
	for i := range b.parts {
		p := &b.parts[i]
		clear(p.answers)
		*p = part{rows: p.rows[:0], ends: p.ends[:0], keys: p.keys[:0], hashes: p.hashes[:0], values: p.values[:0], texts: p.texts[:0], bad: p.bad[:0], answers: p.answers}
	}
}

// Len is how many rows the batch has.
func (b *Batch) Len() int { return len(b.seconds) }

// Row begins a row, which arrives at a time; the zero time is that of the row before.
func (b *Batch) Row(arrives time.Time) {
	sec := int64(math.MinInt64)
	if !arrives.IsZero() {
		sec = arrives.Unix()
		for ns := time.Duration(arrives.Nanosecond()); ns%b.grain != 0; {
			b.grain /= 1000
		}
	}
	b.at = len(b.seconds)
	b.seconds = append(b.seconds, sec)
}

// At has Key be of an earlier row of the batch, from 0; a design's keys come in the
// order of their rows.
func (b *Batch) At(row int) { b.at = row }

// Key gives the key that a design has for the row begun last, or that At names, and its values, one for
// each field that a row supplies, in the schema's order. An error in place of the key
// is counted by its words.
func (b *Batch) Key(design int, key []byte, err error, values ...Value) {
	p := &b.parts[design]
	if err != nil {
		p.refuse(b.at, err.Error())
		return
	}
	d := b.s.designs[design]
	p.rows = append(p.rows, int32(b.at))
	p.keys = append(p.keys, key...)
	p.ends = append(p.ends, uint32(len(p.keys)))
	p.hashes = append(p.hashes, xxhash.Sum64(key))
	for _, at := range d.watched {
		v := values[at]
		h := held{kind: v.kind, number: v.number, hash: v.number * 0x9e3779b97f4a7c15}
		h.hash ^= h.hash >> 32
		if v.kind == aText {
			h.from = uint32(len(p.texts))
			p.texts = append(p.texts, v.text...)
			h.to = uint32(len(p.texts))
			h.hash = xxhash.Sum64(v.text)
		}
		p.values = append(p.values, h)
	}
	d.ask(key, p.answers)
}

// ask counts a key with the questions that read it.
func (d *design) ask(key []byte, answers []counts) {
	for i := range d.questions {
		q := &d.questions[i]
		if q.plan == nil || !q.full && !q.reads(key) {
			continue
		}
		answers[i].read++
		if q.plan.Exact() && !q.full || q.plan.Match(key) {
			answers[i].wanted++
		}
	}
}

const mostCauses = 20

func (p *part) refuse(row int, why string) {
	p.refused++
	i := slices.IndexFunc(p.causes, func(c Cause) bool { return c.Text == why })
	switch {
	case i >= 0:
	case len(p.causes) < mostCauses:
		i = len(p.causes)
		p.causes = append(p.causes, Cause{Text: why})
	default:
		i = mostCauses - 1
		p.causes[i].Text = "other causes"
	}
	p.causes[i].Rows++
	p.bad = append(p.bad, refusal{int32(row), uint8(i)})
}

// refusal is a row that was refused, and which cause it has.
type refusal struct {
	row   int32
	cause uint8
}

// query is a question as one design answers it.
type query struct {
	of      Question
	plan    *rowkey.Plan
	ranges  []rowkey.Range
	starts  index
	full    bool
	refused string
	counts
}

func ask(s *rowkey.Schema, q Question) (out query) {
	out.of = q
	has := map[string]bool{}
	for f := range s.Fields() {
		has[f.Name] = has[f.Name] || f.Stored
	}
	for _, name := range q.Needs {
		if !has[name] {
			out.refused = "the key does not hold " + name
			return out
		}
	}
	plan, err := s.Scan(q.Conds...)
	if errors.Is(err, rowkey.ErrFullScan) {
		out.full = true
		plan, err = s.Scan(append(slices.Clone(q.Conds), rowkey.FullScan())...)
	}
	if err != nil {
		var e *rowkey.Error
		out.refused = err.Error()
		if errors.As(err, &e) {
			short := *e
			short.Schema = ""
			out.refused = (&short).Error()
		}
		return out
	}
	out.plan = plan
	out.ranges = slices.Collect(plan.Ranges())
	for _, r := range out.ranges {
		out.starts.add(r.Start())
	}
	return out
}

// reads reports that a range of the plan holds the key.
func (q *query) reads(key []byte) bool {
	at := q.starts.find(key)
	return at >= 0 && (q.ranges[at].Unbounded() || bytes.Compare(key, q.ranges[at].Stop()) < 0)
}

// column is a field of that name, in whichever design has it: what is known of its
// values.
type column struct {
	name     string
	top      frequent
	distinct distinct
	rows     int64
	most     uint64 // of a number
	negative bool
	longest  int // of a text
}

// design is a design's simulation.
type design struct {
	Design
	o         *Options
	given     rowkey.SplitKeys
	fields    []rowkey.FieldInfo // that a row supplies
	watched   []int              // of these, whose values the sketches take
	columns   []*column          // of the watched
	first     []bool             // of these, whether this design feeds the column
	questions []query
	table     *table
	moments   moments
	names     []map[uint32]string // of values that were frequent in a cell, by their hash's lower half

	rows, refused int64
	causes        []Cause
	lengths       lengths
	twins         twins
	past          sample
	ends          ends
	runs          runs
	rnd           random
}

// lengths are those of a design's keys, in bytes.
type lengths struct {
	sum               int64
	shortest, longest int
}

// add counts a key of n bytes.
func (l *lengths) add(n int) {
	l.sum += int64(n)
	l.shortest, l.longest = min(l.shortest, n), max(l.longest, n)
}

// ends counts the keys that sort outside nearly all keys of the windows before theirs:
// of a table whose keys begin with the time, these are most.
type ends struct {
	window        int64
	low, high     []byte // 1 % and 99 % of the keys before this window
	sorted        int    // keys seen when these were found
	below, beyond int64  // keys under low, over high
	compared      int64
}

// add counts a key of a window; past is a sample of all keys before it.
func (e *ends) add(key []byte, window int64, past *sample) {
	if window != e.window {
		e.window = window
		if len(past.keys) >= 200 && past.seen-e.sorted >= past.seen/16 { // of first windows many have few rows
			e.sorted = past.seen
			n := len(past.keys) / 100
			e.low = bytes.Clone(past.ranked(n, bytes.Compare))
			e.high = bytes.Clone(past.ranked(n, func(a, b []byte) int { return bytes.Compare(b, a) }))
		}
	}
	if e.low == nil {
		return
	}
	e.compared++
	if bytes.Compare(key, e.low) < 0 {
		e.below++
	} else if bytes.Compare(key, e.high) > 0 {
		e.beyond++
	}
}

const (
	pastMost  = 2000
	namesMost = 1 << 13
	nameFrom  = 16 // rows of a cell that make a value's name worth keeping
)

func newDesign(in Design, questions []Question, o *Options, columns map[string]*column) (*design, error) {
	if in.Schema == nil {
		return nil, fmt.Errorf("simulate: design %q has no schema", in.Name)
	}
	d := &design{Design: in, o: o, given: in.Splits, lengths: lengths{shortest: math.MaxInt}, ends: ends{window: math.MinInt64}, rnd: 9}
	for f := range in.Schema.Fields() {
		if f.Derived || f.Kind == "literal" {
			continue
		}
		d.fields = append(d.fields, f)
		if f.Kind == "time" || !f.Stored || len(d.watched) == maxWatched {
			continue
		}
		c, met := columns[f.Name]
		if !met {
			c = &column{name: f.Name, distinct: newDistinct()}
			columns[f.Name] = c
		}
		d.watched = append(d.watched, len(d.fields)-1)
		d.columns, d.first = append(d.columns, c), append(d.first, !met)
		d.names = append(d.names, map[uint32]string{})
	}
	if d.given == nil {
		for n := o.Regions; n > 1; n-- {
			if splits, err := in.Schema.Splits(n); err == nil {
				d.given = splits
				break
			}
		}
	}
	for _, q := range questions {
		d.questions = append(d.questions, ask(in.Schema, q))
	}
	d.moments = newMoments(in.Schema, o, len(d.watched))
	d.past.most = pastMost
	d.twins.slots, d.moments.rest.slots = 1<<16, 1<<14
	d.table = newTable(o, d.given, len(d.watched))
	return d, nil
}

// maxWatched is how many fields of a design the sketches take.
const maxWatched = 4

// Simulation counts rows under each of its designs. One goroutine adds batches.
type Simulation struct {
	o         Options
	designs   []*design
	questions []Question
	columns   map[string]*column
	clock     clock
	grid      grid
	added     int64 // rows
}

// New makes a simulation of designs, and of questions that each is to answer.
func New(designs []Design, questions []Question, o Options) (*Simulation, error) {
	if len(designs) == 0 {
		return nil, errors.New("simulate: no design")
	}
	if err := o.settle(); err != nil {
		return nil, err
	}
	s := &Simulation{o: o, questions: questions, columns: map[string]*column{}, clock: clock{zone: o.Zone, grain: time.Second}}
	for _, in := range designs {
		if len(in.Splits) > 10000 {
			return nil, fmt.Errorf("simulate: %d regions: at most 10000", len(in.Splits)+1)
		}
		d, err := newDesign(in, questions, &s.o, s.columns)
		if err != nil {
			return nil, err
		}
		s.designs = append(s.designs, d)
	}
	return s, nil
}

// ErrLimit says that Options.Limit rows are counted, and that others were left out.
var ErrLimit = errors.New("simulate: as many rows as the limit has it")

// Add counts the rows of a batch. They arrive in the order of their batches; a row
// whose time lies before an earlier row's is counted as written when it comes. Where the
// context is done nothing is counted, and its error is returned. Where more rows come
// than Options.Limit permits, those up to it are counted, and the error is ErrLimit.
func (s *Simulation) Add(ctx context.Context, b *Batch) error {
	err := s.admit(ctx, b)
	if err == nil || errors.Is(err, ErrLimit) {
		s.add(b)
	}
	return err
}

// admit leaves of a batch what the limit permits.
func (s *Simulation) admit(ctx context.Context, b *Batch) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	if left := s.o.Limit - s.added; s.o.Limit > 0 && int64(b.Len()) > left {
		b.cut(int(left))
		err = ErrLimit
	}
	s.added += int64(b.Len())
	s.clock.grain = min(s.clock.grain, b.grain)
	return err
}

// cut leaves the first n rows of a batch.
func (b *Batch) cut(n int) {
	b.seconds = b.seconds[:n]
	for i := range b.parts {
		p := &b.parts[i]
		keys, _ := slices.BinarySearch(p.rows, int32(n))
		p.rows, p.ends = p.rows[:keys], p.ends[:keys]
		for _, r := range p.bad {
			if int(r.row) >= n {
				p.refused--
				p.causes[r.cause].Rows--
			}
		}
		p.causes = slices.DeleteFunc(p.causes, func(c Cause) bool { return c.Rows == 0 })
		clear(p.answers)
		from := uint32(0)
		for _, end := range p.ends {
			b.s.designs[i].ask(p.keys[from:end], p.answers)
			from = end
		}
	}
}

func (s *Simulation) add(b *Batch) {
	began := s.clock.began
	least := int64(math.MinInt64)
	if !began {
		least = plausible(b.seconds)
	}
	for i, sec := range b.seconds {
		if sec != math.MinInt64 && sec < least { // a time far before all others, as if it had none
			s.clock.clipped++
			s.clock.without--
			sec, b.seconds[i] = math.MinInt64, math.MinInt64
		}
		switch {
		case sec != math.MinInt64:
			b.seconds[i] = s.clock.tick(sec)
		case s.clock.began:
			b.seconds[i] = s.clock.now
			s.clock.without++
		default:
			s.clock.without++
		}
	}
	if !began && s.clock.began {
		s.grid = grid{0, s.clock.first + s.clock.shift} // what came before without a time stays in its first window
		for _, d := range s.designs {
			d.table.begin(s.clock.first)
		}
	}
	s.o.untimed = !s.clock.began
	to := grid{s.clock.step, s.clock.base}
	s.clock.rows = moved(s.clock.rows, s.grid, to, sum)
	var w int
	var begins, ends int64
	for i, sec := range b.seconds {
		if sec == math.MinInt64 {
			sec = s.clock.first
			b.seconds[i] = sec
		}
		if sec < begins || sec >= ends {
			w = s.clock.window(sec)
			begins, ends = s.clock.bounds(w)
		}
		*at(&s.clock.rows, w)++
	}
	s.count(b, to)
}

// plausible is the least time that a first row is taken to have: one row of a wrong
// century would else make all others one window.
func plausible(seconds []int64) int64 {
	known := slices.DeleteFunc(slices.Clone(seconds), func(sec int64) bool { return sec == math.MinInt64 })
	if len(known) == 0 {
		return math.MinInt64
	}
	slices.Sort(known)
	low, high := known[len(known)/100], known[len(known)-1-len(known)/100]
	return low - 10*(high-low) - 86400
}

// count counts a batch whose seconds are known, in the windows of a grid.
func (s *Simulation) count(b *Batch, to grid) {
	var wait sync.WaitGroup
	for i, d := range s.designs {
		run := func() {
			if to != s.grid {
				d.table.move(s.grid, to)
			}
			d.add(&b.parts[i], b.seconds, &s.clock)
		}
		if i == len(s.designs)-1 {
			run()
			break
		}
		wait.Add(1)
		go func() {
			defer wait.Done()
			run()
		}()
	}
	wait.Wait()
	s.grid = to
}

func (d *design) add(p *part, seconds []int64, c *clock) {
	from := 0
	n := len(d.watched)
	var w int
	var begins, ends int64 // of the window, so that few rows need a division
	for i, end := range p.ends {
		key := p.keys[from:end]
		from = int(end)
		sec := seconds[p.rows[i]]
		if sec < begins || sec >= ends {
			w = c.window(sec)
			begins, ends = c.bounds(w)
		}
		d.rows++
		d.lengths.add(len(key))
		r := d.table.put(key, w, sec)
		for j := range n {
			d.watch(p, r, w, j, &p.values[i*n+j])
		}
		d.twins.add(p.hashes[i])
		if d.moments.known {
			d.moments.add(p.values[i*n : i*n+n])
		}
		d.place(key, c.base+int64(w))
	}
	d.refused += p.refused
	for _, cause := range p.causes {
		d.cause(cause)
	}
	for i := range p.answers {
		d.questions[i].read += p.answers[i].read
		d.questions[i].wanted += p.answers[i].wanted
	}
}

// watch counts a value in its cell, and in its column if this design feeds that.
func (d *design) watch(p *part, r *region, w, j int, v *held) {
	id := uint32(v.hash)
	if n := at(&r.cells[j], w).add(id); n == nameFrom && len(d.names[j]) < namesMost {
		if _, known := d.names[j][id]; !known {
			d.names[j][id] = p.name(v)
		}
	}
	if !d.first[j] {
		return
	}
	c := d.columns[j]
	c.rows++
	c.distinct.InsertHash(v.hash)
	c.top.add(v.hash, func() string { return p.name(v) })
	switch v.kind {
	case aText:
		c.longest = max(c.longest, int(v.to-v.from))
	case aNumber:
		c.most = max(c.most, v.number)
	case aSigned:
		m := int64(v.number)
		c.negative = c.negative || m < 0
		c.most = max(c.most, uint64(max(m, ^m)))
	}
}

// place counts where a key stands among those before its window.
func (d *design) place(key []byte, window int64) {
	d.ends.add(key, window, &d.past)
	d.past.add(key, &d.rnd)
	switch {
	case d.runs.runs != nil:
		d.runs.add(key)
	case len(d.past.keys) == pastMost:
		d.runs.begin(d.past.sorted())
	}
}

func (d *design) cause(c Cause) {
	i := slices.IndexFunc(d.causes, func(o Cause) bool { return o.Text == c.Text })
	switch {
	case i >= 0:
		d.causes[i].Rows += c.Rows
	case len(d.causes) < mostCauses:
		d.causes = append(d.causes, c)
	default:
		d.causes[mostCauses-1].Text = "other causes"
		d.causes[mostCauses-1].Rows += c.Rows
	}
}

// cost adds up what cells cost, by the runs of neighbours.
func (d *design) cost() cells.Costs {
	c := cells.Costs{Family: d.o.Family, Qualifiers: d.o.Qualifiers, Value: d.o.Value, Block: 64 << 10}
	if d.runs.runs == nil {
		for i, key := range d.past.sorted() {
			if i == 0 || !bytes.Equal(key, d.past.sorted()[i-1]) {
				c.Add(key)
			}
		}
		return c
	}
	var last []byte
	for _, r := range d.runs.runs {
		gap := true
		for _, key := range r.keys {
			if last != nil && bytes.Compare([]byte(key), last) <= 0 {
				continue
			}
			if gap {
				c.Gap()
				gap = false
			}
			c.Add([]byte(key))
			last = append(last[:0], key...)
		}
	}
	return c
}
