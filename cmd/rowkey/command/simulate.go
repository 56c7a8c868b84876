package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/pattern"
	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/simulate"
	pages "github.com/hbase-rowkey/rowkey/simulate/page"
	"github.com/spf13/cobra"
)

// simulateFlags say what simulate is to do.
type simulateFlags struct {
	questions []string
	splits    string
	keys      string // form of keys, where the rows are keys
	at        string
	sort, try bool
	made      string // the name of rows that are described
	sized     bool   // --rows was given
	options   simulate.Options
	family    string
	flush     float64
	most      float64
	rows      rowFlags
	stream    streamFlags
}

// tableRows is how many rows a table has in the end if --rows does not say it.
const tableRows = 1e9

func (a *app) simulateCommand() *cobra.Command {
	var f simulateFlags
	c := &cobra.Command{
		Use:   "simulate -s SCHEMA [-s SCHEMA…] [flags] ROWS…",
		Short: "Show where the writes of a layout go, and what questions read, before a row is written",
		Long: `Write rows in memory under one layout or several side by side, and show which regions and servers
take the writes over time, under the pattern's name; which values make it hot; what each question
reads; what keys and cells cost; and other layouts to try, on the same rows.

ROWS are files of CSV or JSON in the order in which the rows arrive, - for stdin, a name below rows
in rowkey.yaml that describes them, or with --keys a dump of keys of the first schema. Columns that
no schema has are passed over. The first field that is a time says when a row arrives; --at names
another column. Rows that lie before others by more than a window are counted, and with more than
one in a hundred of them there is no verdict; --sort sorts the rows by time first, on disk.
Each design and each layout to try reads the rows again; those of stdin are kept in a temporary file.

A QUESTION is conditions as those of scan, with " and " between them, after its name:
--question 'day: seller=s-42 and at>=2026-11-11 and at<2026-11-12'.

The table is created with --regions, as many as the key's first field permits, and grows as HBase
does by default; with --splits it has those regions and keeps them. --rows says what the rows stand
for: how many the table has in the end.

Times are shown in --tz, where days begin, too. --limit counts the first rows alone.

  -o text    80 columns, which need no colour
  -o html    one page that needs no network: hover, a tap or arrow keys report each cell
  -o svg     a picture of the designs, for a wiki
  -o json    all of it, as data`,
		Example: `  rowkey simulate -s trades rows.csv
  rowkey simulate -s 'time=[ms(at)][order:8]' -s trades --question 'seller: seller=s-42' -o html rows.csv >design.html`,
	}
	fl := c.Flags()
	a.takesSchemas(c)
	fl.StringArrayVar(&f.questions, "question", nil, "`question` that the table must answer; may be said again")
	fl.IntVar(&f.options.Regions, "regions", 0, "`N` regions that the table is created with, where the key's first field permits it (default 4 a server)")
	fl.Var(&filled{text: &f.splits, empty: errNoFile}, "splits", "`file` of split keys, or what list_regions printed: the regions, which do not split")
	fl.IntVar(&f.options.Servers, "servers", 8, "`N` servers")
	fl.Float64Var(&f.options.Rows, "rows", tableRows, "`N` rows of the table in the end, which these stand for; at most 100,000 times them unless it is said")
	fl.Float64Var(&f.flush, "flush", 128, "`MiB` in memory that make a file")
	fl.Float64Var(&f.most, "max-file", 10240, "`MiB` of a region's files above which it splits")
	fl.Float64Var(&f.options.Jitter, "jitter", 0.25, "by how much that differs from region to region, as a `share`; below 0 not at all")
	fl.StringVar(&f.family, "family", "f", "column `family` of the cells")
	fl.StringSliceVar(&f.options.Qualifiers, "qualifiers", []string{"q"}, "`names` of the columns of each row")
	fl.IntVar(&f.options.Value, "value-bytes", 8, "`bytes` of each value")
	fl.Int64Var(&f.options.Limit, "limit", 0, "count at most `N` rows (0: all)")
	fl.StringVar(&f.keys, "keys", "", "the rows are keys of the first schema, in this `form`: "+strings.Join(said.KeyForms, ", "))
	fl.StringVar(&f.at, "at", "", "`column` of the time at which a row arrives (default: the first time of a schema)")
	fl.BoolVar(&f.sort, "sort", false, "sort the rows by time first, on disk")
	fl.BoolVar(&f.try, "try", true, "look for other layouts: the rows are read again")
	a.takesRows(c, &f.rows)
	a.takesStream(c, &f.stream, false)
	a.outputs(c, "text", "html", "svg", "json")
	c.RunE = func(c *cobra.Command, args []string) error {
		f.sized = c.Flags().Changed("rows")
		if f.keys != "" && !slices.Contains(said.KeyForms, f.keys) {
			return notOneOf("--keys", f.keys, said.KeyForms)
		}
		if f.keys != "" {
			if err := unused(c, "with --keys", rowOnly...); err != nil {
				return err
			}
		}
		if len(args) == 0 {
			return errors.New("no rows: give a file, - for stdin, or the name of rows in rowkey.yaml")
		}
		if err := validFamily(f.family); err != nil {
			return err
		}
		if f.splits != "" && f.options.Regions > 0 {
			return errors.New("--splits and --regions: give one of them")
		}
		const some = math.SmallestNonzeroFloat64
		if err := inRange(numberFlag{"limit", float64(f.options.Limit), 0}, numberFlag{"servers", float64(f.options.Servers), 1}, numberFlag{"rows", f.options.Rows, some},
			numberFlag{"flush", f.flush, some}, numberFlag{"max-file", f.most, some}, numberFlag{"regions", float64(f.options.Regions), 0},
			numberFlag{"value-bytes", float64(f.options.Value), 0}, numberFlag{"jitter", f.options.Jitter, math.Inf(-1)}); err != nil {
			return err
		}
		f.options.Flush, f.options.MaxFile = f.flush*(1<<20), f.most*(1<<20)
		f.options.Family = len(f.family)
		f.rows.extra = true
		return a.simulate(f, args)
	}
	return c
}

// simulation is one pass over the rows, for some of the designs.
type simulation struct {
	a       *app
	f       simulateFlags
	how     said.Values
	first   *rowkey.Schema // of all designs, which says what the rows are like
	designs []simulate.Design
	clock   int            // the design with the time of arrival; −1 if none of these has it
	time    int            // its field, of the timer where there is no such design
	timer   *rowkey.Schema // of the time alone, where none of these designs has it
	sim     *simulate.Simulation
	s       *stream
}

// designsOf are the designs that -s names.
func (a *app) designsOf() (out []simulate.Design, err error) {
	all, err := a.loadAll()
	if err != nil {
		return nil, err
	}
	for i, s := range all {
		if s.name == "" && len(all) > 1 {
			s.name = string(rune('A' + i%26))
		}
		if slices.ContainsFunc(out, func(d simulate.Design) bool { return d.Name == s.name }) {
			return nil, fmt.Errorf("-s %s: two designs of this name", s.name)
		}
		out = append(out, simulate.Design{Name: s.name, Schema: s.Schema})
	}
	return out, nil
}

var questionNamed = pattern.New(`^\s*([\p{L}\p{N}_-]+):\s+(.*)$`)

// questionsOf reads the questions. A condition is read by the first design that has
// its field.
func questionsOf(f simulateFlags, designs []simulate.Design, how said.Values) (out []simulate.Question, err error) {
	for i, text := range f.questions {
		q := simulate.Question{Name: fmt.Sprintf("q%d", i+1), Text: strings.TrimSpace(text)}
		if m := questionNamed.FindStringSubmatch(text); m != nil {
			q.Name, q.Text = m[1], strings.TrimSpace(m[2])
		}
		for _, arg := range strings.Split(q.Text, " and ") {
			s := designs[0].Schema
			if m := said.CondForm.FindStringSubmatch(arg); m != nil {
				if at := slices.IndexFunc(designs, func(d simulate.Design) bool {
					return slices.ContainsFunc(said.Supplied(d.Schema), func(f rowkey.FieldInfo) bool { return f.Name == m[1] })
				}); at >= 0 {
					s = designs[at].Schema
				}
				q.Needs = append(q.Needs, m[1])
			}
			conds, err := said.ParseConds(s, how, []string{arg})
			if err != nil {
				return nil, fmt.Errorf("--question %s: %w", q.Name, err)
			}
			q.Conds = append(q.Conds, slices.Concat(conds...)...)
		}
		slices.Sort(q.Needs)
		q.Needs = slices.Compact(q.Needs)
		out = append(out, q)
	}
	return out, nil
}

func (a *app) simulate(f simulateFlags, args []string) error {
	for _, arg := range args {
		if a.quiet && questionNamed.MatchString(arg) && !isFile(arg) {
			return fmt.Errorf("%s: -q is --quiet; a question is --question %s", said.Shown(arg), said.Shown(arg))
		}
	}
	designs, err := a.designsOf()
	if err != nil {
		return err
	}
	if f.keys != "" && f.at != "" && !slices.ContainsFunc(said.Supplied(designs[0].Schema), func(field rowkey.FieldInfo) bool { return field.Name == f.at && field.Kind == "time" && field.Stored }) {
		return fmt.Errorf("--at %s: the keys hold no time of this name", f.at)
	}
	how, err := a.values(f.rows.whenFlags)
	if err != nil {
		return err
	}
	questions, err := questionsOf(f, designs, how)
	if err != nil {
		return err
	}
	if f.splits != "" {
		if err := stdinOnce(f.splits, args); err != nil {
			return err
		}
		splits, err := a.readSplits(f.splits, designs[0].Schema)
		if err != nil {
			return fmt.Errorf("--splits: %w", err)
		}
		for i := range designs {
			designs[i].Splits = splits
		}
		f.options.Fixed = true
	}
	if f.options.Jitter == 0 {
		f.options.Jitter = -1
	}
	if err := a.size(&f, args); err != nil {
		return err
	}
	f.try = f.try && a.out != "svg"
	a.kept = &kept{} // the rows are read again: for each design, and where the first reading counts others than were expected
	defer a.kept.remove()
	if a.alone {
		defer spare(f.options.Regions, designs)()
	}
	f.options.Zone = how.In()
	f.options.Clock = clockOf(f, designs)
	total := fmt.Sprint(len(designs))
	if f.try { // how many there are is known when the rows were read
		total = "more"
	}
	p := &passes{total: total, a: a, f: f, how: how, first: designs[0].Schema, clock: f.options.Clock, questions: questions, args: args}
	report, err := p.all(designs)
	if err != nil {
		return err
	}
	if report.Rows == 0 {
		return none("rows to simulate", args)
	}
	if f.try && report.Withheld == "" {
		p.f.options.Fixed = false // the splits are of the given layouts
		others := report.Try()
		p.total = fmt.Sprint(len(designs) + len(others))
		for _, d := range others {
			tried, err := p.one(d)
			if err != nil {
				return err
			}
			report.Rank(tried)
		}
	}
	if err := a.writeReport(report); err != nil {
		return err
	}
	return p.s.close(nil)
}

// spare has the collector of garbage hold the process at some 28 MB, of which its
// program takes ten; tables of many regions are given more. It returns the way back.
func spare(regions int, designs []simulate.Design) func() {
	const process, region, few = 16 << 20, 20 << 10, 256
	for _, d := range designs {
		regions = max(regions, len(d.Splits))
	}
	limit := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(limit, process+region*int64(max(0, regions-few))))
	percent := debug.SetGCPercent(70) // little of it is garbage
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}

// limit has a description make no more rows than are counted.
func (f *simulateFlags) limit(made *simulate.MadeUp) {
	if f.options.Limit > 0 {
		made.Limit(f.options.Limit)
	}
}

// size finds what is known before of how many rows will come, and how many the
// table has in the end.
func (a *app) size(f *simulateFlags, args []string) error {
	if len(args) == 1 && !isFile(args[0]) {
		made, err := a.describedRows(args[0])
		if err != nil {
			return err
		}
		if made != nil {
			f.made = args[0]
			f.limit(made)
			if f.options.Seen = float64(made.Rows); !f.sized {
				f.options.Rows = made.Total
			}
			return nil
		}
	}
	seen := a.countRows(args, f.keys == "")
	if f.options.Limit > 0 {
		seen = min(cmp.Or(seen, float64(f.options.Limit)), float64(f.options.Limit))
	}
	f.expect(seen)
	return nil
}

// expect has so many rows come; 0: that is not known. Unless --rows says otherwise, they stand for few enough: of
// a few rows none says what so many would do.
func (f *simulateFlags) expect(seen float64) {
	f.options.Seen = seen
	if !f.sized && seen > 0 {
		f.options.Rows = min(tableRows, 1e5*seen)
	}
}

func (a *app) writeReport(r *simulate.Report) error {
	switch a.out {
	case "json":
		return a.write(said.JsonText(r) + "\n")
	case "html":
		page, err := pages.HTML(r)
		if err != nil {
			return err
		}
		return a.write(page)
	case "svg":
		return a.write(pages.SVG(r))
	}
	return a.write(simulate.Text(r))
}

// countRows is about how many rows plain files have: their lines, without the first of CSV. 0 if that
// would mean to read what can be read but once, or is packed.
func (a *app) countRows(args []string, heads bool) (n float64) {
	for _, name := range args {
		f, err := os.Open(name)
		if err != nil {
			return 0
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil || !info.Mode().IsRegular() {
			return 0
		}
		buf := make([]byte, 64<<10)
		last := byte('\n')
		for first := true; ; first = false {
			k, err := f.Read(buf)
			if k > 0 {
				text := string(buf[:k])
				if first && (strings.HasPrefix(text, "\x1f\x8b") || strings.HasPrefix(text, "\x28\xb5\x2f\xfd")) {
					return 0
				}
				if first && heads && strings.Trim(text[:1], "{[") != "" {
					n--
				}
				n += float64(strings.Count(text, "\n"))
				last = text[k-1]
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return 0
			}
		}
		if last != '\n' {
			n++
		}
	}
	return max(n, 0)
}

// passes runs the rows through one design after another, so that memory is that of
// one, however many there are.
type passes struct {
	a         *app
	f         simulateFlags
	how       said.Values
	first     *rowkey.Schema
	clock     string // the field that says when a row arrives; none if it is empty
	questions []simulate.Question
	args      []string
	s         *stream // of the first pass, which reports bad lines
	passed    int     // readings of the rows
	total     string  // that there will be
}

func (p *passes) all(designs []simulate.Design) (*simulate.Report, error) {
	report, err := p.one(designs[0])
	if err == nil && p.f.made == "" && report.Rows > 0 && float64(report.Rows) != p.f.options.Seen { // lines are not rows, and the regions grew by them
		p.f.expect(float64(report.Rows))
		p.passed = 0
		report, err = p.one(designs[0])
	}
	for _, d := range designs[1:] {
		var next *simulate.Report
		if err == nil {
			next, err = p.one(d)
		}
		if err == nil {
			err = report.Beside(next)
		}
	}
	return report, err
}

func (p *passes) one(design simulate.Design) (*simulate.Report, error) {
	f := p.f
	if p.passed++; p.total != "1" {
		p.a.pass = fmt.Sprintf("pass %d of %s", p.passed, p.total)
		defer func() { p.a.pass = "" }()
	}
	designs := []simulate.Design{design}
	sim, err := simulate.New(designs, p.questions, f.options)
	if err != nil {
		return nil, err
	}
	r := &simulation{a: p.a, f: f, how: p.how, first: p.first, designs: designs, sim: sim, s: p.a.stream(f.stream)}
	r.s.whole, r.s.block = "row", 16<<10 // a block's rows take three times its bytes
	r.s.flags.jobs = min(r.s.flags.jobs, 4)
	r.s.mute = p.s != nil
	if p.s == nil {
		p.s = r.s
	}
	if err := r.findClock(p.clock); err != nil {
		return nil, err
	}
	add, finish := sim.Add, func() error { return nil }
	ctx := context.Background()
	if f.sort {
		sorter := simulate.NewSorter(sim)
		defer sorter.Close()
		add, finish = sorter.Add, sorter.Finish
	}
	again := p.total != "1" && slices.ContainsFunc(p.args, func(name string) bool { return !isFile(name) }) // all of it is to be kept
	after := func(b *block) error {
		if b.batch != nil {
			err := add(ctx, b.batch)
			b.batch.Reset()
			if errors.Is(err, simulate.ErrLimit) && again {
				return nil // the rest is read, and left out
			}
			return err
		}
		return nil
	}
	read := func(in *input) error { return r.rows(in, after) }
	if f.keys != "" {
		read = r.keyInput(after)
	}
	if f.made != "" {
		made, err := p.a.describedRows(f.made)
		if err == nil {
			f.limit(made)
			r.f.rows.form = "csv"
			in := &input{name: f.made, r: made, plain: &counted{r: made}, size: -1}
			r.s.bar = p.a.newBar(in, r.s.whole)
			err = read(in)
		}
		if err != nil {
			return nil, err
		}
	} else if err := p.a.eachInput(r.s, p.args, "rows", f.keys != said.FormRaw && f.keys != said.FormLen, read); err != nil && !errors.Is(err, simulate.ErrLimit) {
		return nil, err
	}
	if err := finish(); err != nil {
		return nil, err
	}
	r.s.bar.clear()
	return sim.Report(), nil
}

// clockOf is the field that says when a row arrives: that of --at, else the first
// time that a design has.
func clockOf(f simulateFlags, designs []simulate.Design) string {
	if f.at != "" {
		return f.at
	}
	var schemas []*rowkey.Schema
	for _, d := range designs {
		schemas = append(schemas, d.Schema)
	}
	return said.FirstTime(schemas...)
}

// findClock finds the field of this name, or makes a schema of it.
func (r *simulation) findClock(name string) error {
	r.clock = -1
	for i, d := range r.designs {
		for j, field := range said.Supplied(d.Schema) {
			if field.Kind == "time" && field.Name == name && r.clock < 0 {
				r.clock, r.time = i, j
			}
		}
	}
	if r.clock >= 0 || name == "" {
		return nil
	}
	s, err := rowkey.New("at").Time(name, rowkey.Nanos).Build()
	if err != nil {
		return fmt.Errorf("--at: %w", said.Reason(err))
	}
	r.timer = s
	return nil
}

// pass is one reading of a block of rows.
type pass struct {
	design int // −1: only the time
	schema *rowkey.Schema
	places []place
}

// passes are the readings of each block of rows, the clock's first.
func (r *simulation) passes(rows *rowInput) (passes []pass, err error) {
	if r.timer != nil {
		passes = append(passes, pass{design: -1, schema: r.timer})
	}
	for i, d := range r.designs {
		if passes = append(passes, pass{design: i, schema: d.Schema}); i == r.clock {
			passes[0], passes[len(passes)-1] = passes[len(passes)-1], passes[0]
		}
	}
	for i := range passes {
		w, err := r.a.rowMaker(passes[i].schema, r.how, r.f.rows)
		if err != nil {
			return nil, err
		}
		if passes[i].places, err = rows.places(w, true); err != nil {
			if passes[i].design < 0 && strings.HasPrefix(err.Error(), "no column "+r.f.at+":") {
				err = fmt.Errorf("no column %s: --at names the column of the time of arrival, of %s%s", r.f.at, strings.Join(rows.header, ", "), said.Perhaps(r.f.at, rows.header))
			}
			return nil, err
		}
	}
	return passes, nil
}

// rows reads rows as CSV or JSON. Each block is read once for each design: the
// clock's first, so that the others know which row a line is.
func (r *simulation) rows(in *input, after func(*block) error) error {
	rows, err := r.s.openRows(in, said.FieldNames(said.Supplied(r.first)), r.f.rows)
	if err != nil || rows == nil {
		return err
	}
	passes, err := r.passes(rows)
	if err != nil {
		return err
	}
	return r.s.run(rows.cutter(), func() func(*block) {
		var readers []func(*block)
		var batch *simulate.Batch
		var lines []int // of the rows of the batch
		at := 0
		for n, p := range passes {
			w, _ := r.a.rowMaker(p.schema, r.how, r.f.rows)
			values := make([]simulate.Value, len(w.Fields))
			work := &rowWork{w: w, extra: true}
			work.each = func(line int, key []byte, err error) {
				if n == 0 {
					lines = append(lines, line)
					var arrives time.Time
					if at := max(r.time, 0); (r.clock >= 0 || r.timer != nil) && w.Slots[at].State == said.Given {
						arrives = w.Slots[at].T
					}
					batch.Row(arrives)
				} else {
					for at < len(lines) && lines[at] < line {
						at++
					}
					if at == len(lines) || lines[at] != line {
						return
					}
				}
				if p.design >= 0 {
					r.key(batch, p.design, n == 0, at, key, err, w, values)
				}
			}
			readers = append(readers, rows.reader(work, p.places))
		}
		return func(b *block) {
			if b.batch == nil {
				b.batch = r.sim.Batch()
			}
			batch, lines = b.batch, lines[:0]
			for n, read := range readers {
				at = 0
				if n == 0 {
					read(b)
					continue
				}
				read(&block{data: b.data, broken: b.broken}) // what is wrong with its lines was reported
			}
		}
	}, after)
}

// key gives a design's key of a row to the batch.
func (r *simulation) key(batch *simulate.Batch, design int, last bool, row int, key []byte, err error, w *rowMaker, values []simulate.Value) {
	if !last {
		batch.At(row)
	}
	if err != nil {
		cause, _ := causeOf(err)
		batch.Key(design, nil, errors.New(cause))
		return
	}
	for i := range w.Slots {
		values[i] = simulated(&w.Slots[i], &w.Fields[i])
	}
	batch.Key(design, key, nil, values...)
}

// simulated is a slot as the simulation takes it.
func simulated(s *said.Slot, f *rowkey.FieldInfo) simulate.Value {
	if s.State != said.Given {
		return simulate.Null()
	}
	switch f.Kind {
	case "string", "binary":
		return simulate.Bytes(s.Text)
	case "uint":
		return simulate.Number(s.U)
	case "int":
		return simulate.Signed(s.I)
	case "bool":
		if s.B {
			return simulate.Number(1)
		}
		return simulate.Number(0)
	}
	return simulate.Moment()
}

// keyInput reads a dump of keys of the first design.
func (r *simulation) keyInput(after func(*block) error) func(*input) error {
	from := r.first
	k := &keyReader{s: r.s, form: r.f.keys, fits: said.FitsAny(from), after: after, worker: func() keyWork {
		read := newRowReader(from, r.how, false)
		var to []*converter
		var places [][]int // of each design's fields among what is read
		for _, d := range r.designs {
			to = append(to, newConverter(d.Schema, from))
			var at []int
			for _, f := range said.Supplied(d.Schema) {
				at = append(at, slices.IndexFunc(read.fields, func(o rowkey.FieldInfo) bool { return o.Name == f.Name }))
			}
			places = append(places, at)
		}
		clock := -1
		if r.clock >= 0 || r.timer != nil {
			of := r.timer
			if r.clock >= 0 {
				of = r.designs[r.clock].Schema
			}
			name := said.Supplied(of)[r.time].Name
			clock = slices.IndexFunc(read.fields, func(f rowkey.FieldInfo) bool { return f.Name == name })
		}
		return func(b *block, _ int, _, key []byte) error {
			if b.batch == nil {
				b.batch = r.sim.Batch()
			}
			if err := read.read(key); err != nil {
				return err
			}
			var arrives time.Time
			if clock >= 0 && read.slots[clock].State == said.Given {
				arrives = read.slots[clock].T
			}
			b.batch.Row(arrives)
			for i := range r.designs {
				out, err := key, error(nil)
				if r.designs[i].Schema != from {
					out, err = to[i].convert(key)
				}
				if err != nil {
					b.batch.Key(i, nil, err)
					continue
				}
				var values []simulate.Value
				for _, at := range places[i] {
					v := simulate.Null()
					if at >= 0 {
						v = simulated(&read.slots[at], &read.fields[at])
					}
					values = append(values, v)
				}
				b.batch.Key(i, out, nil, values...)
			}
			return nil
		}
	}}
	return k.input
}
