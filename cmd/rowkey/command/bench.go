package command

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/hbase-rowkey/rowkey"
	"github.com/spf13/cobra"
)

// rounds is how often each side is timed; the median counts.
const rounds = 9

func (a *app) benchCommand() *cobra.Command {
	var f rowFlags
	var each time.Duration
	c := &cobra.Command{
		Use:   "bench [flags] [FIELD=VALUE…]",
		Short: "Time schemas on this machine: keys and megabytes a second, allocations, fmt.Sprintf beside it",
		Long: `Time writing and reading keys of the schema on this machine, and beside it fmt.Sprintf over the same
rows: of the same bytes, put together of parts that are bytes already, and as text, without the salts
and hashes, which Sprintf does not compute. The rows are the one given as FIELD=VALUE, with {n} in a
value counting up, or those on stdin with --in, or made up. Each line is the median of ` + strconv.Itoa(rounds) + ` rounds.

Several schemas (-s A -s B) are compared over the same rows, a line each.

` + rowFormHelp,
		Example: `  rowkey bench -s trades
  rowkey bench -s trades 'seller=s-{n}' at=2023-05-16 'order={n}'
  rowkey bench -s trades -s "[md5.hex(4)(seller)][seller]['_'][max-ms(at)][order:8]" 'seller=s-{n}' at=2023-05-16 'order={n}'`,
	}
	a.takesSchemas(c)
	a.takesRows(c, &f)
	c.Flags().DurationVar(&each, "time", 50*time.Millisecond, "`time` of a round")
	a.outputs(c, "table", "json")
	c.RunE = func(c *cobra.Command, args []string) error {
		all, err := a.loadAll()
		if err != nil {
			return err
		}
		if c.Flags().Changed("in") && len(args) > 0 {
			return errors.New("rows are given as FIELD=VALUE or on stdin with --in, not both")
		}
		if err := f.check(); err != nil {
			return err
		}
		if !c.Flags().Changed("in") {
			if err := unused(c, "without --in", rowOnly...); err != nil {
				return err
			}
		}
		if each <= 0 { // a round of one key times the clock
			return fmt.Errorf("--time %s: expected more than 0", each)
		}
		source := func(s named) ([][]any, error) { return a.benchRows(c, s, f, args) }
		if len(all) > 1 {
			return a.benchSeveral(c, all, source, each)
		}
		return a.benchOne(all[0], source, each)
	}
	return c
}

// benchOne times one schema, a line for each thing that it does.
func (a *app) benchOne(s named, source func(named) ([][]any, error), each time.Duration) error {
	rows, err := source(s)
	if err != nil {
		return err
	}
	sides, err := benchSides(s.Schema, rows)
	if err != nil {
		return err
	}
	var results []timed
	for _, side := range sides {
		results = append(results, side.run(each))
	}
	if a.out == "json" {
		return a.benchJSON(results)
	}
	var table [][]string
	for _, r := range results {
		table = append(table, []string{r.What, grouped(r.KeysPerSecond), decimals(r.BytesPerKey), decimals(r.MegabytesPerSecond), decimals(r.NanosPerKey), decimals(r.AllocationsPerKey)})
	}
	key, err := s.AppendKey(nil, rows[0]...)
	if err != nil {
		return err
	}
	format, _ := sprintfOf(s.Schema)
	return a.write(a.head(fmt.Sprintf("%s\n%s, the first %s (%d bytes)\n\n%s\nThe text is that of Sprintf's format %q\n", s.String(), said.Plural(len(rows), "row"), hex.EncodeToString(key), len(key),
		a.grid([]string{"", "keys/s", "bytes/key", "MB/s", "ns/key", "allocs/key"}, table, 2, 3, 4, 5, 6), format), false))
}

// benchSeveral times schemas over the same rows, a line for each.
func (a *app) benchSeveral(c *cobra.Command, all []named, source func(named) ([][]any, error), each time.Duration) error {
	if c.Flags().Changed("in") { // each schema reads the rows anew
		text, err := io.ReadAll(a.stdin)
		if err != nil {
			return err
		}
		inner := source
		source = func(s named) ([][]any, error) {
			a.stdin = bytes.NewReader(text)
			return inner(s)
		}
	}
	heading := []string{"", "bytes/key", "keys/s", fmt.Sprintf("keys/s on %d", runtime.GOMAXPROCS(0)), "read/s", "allocs/key", "Sprintf/s", "as text"}
	var results []timed
	var table [][]string
	for i, s := range all {
		name := cmp.Or(s.name, fmt.Sprintf("schema %d", i+1))
		rows, err := source(s)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		sides, err := benchSides(s.Schema, rows)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		line := make([]string, len(heading))
		line[0] = name
		for _, side := range sides {
			r := side.run(each)
			r.Schema = name
			results = append(results, r)
			switch r.What {
			case sideWrite:
				line[1], line[2], line[5] = decimals(r.BytesPerKey), grouped(r.KeysPerSecond), decimals(r.AllocationsPerKey)
			case sideParallel:
				line[3] = grouped(r.KeysPerSecond)
			case sideRead:
				line[4] = grouped(r.KeysPerSecond)
			case sideSprintf:
				line[6] = grouped(r.KeysPerSecond)
			case sideText:
				line[7] = fmt.Sprintf("%s, %s bytes", grouped(r.KeysPerSecond), decimals(r.BytesPerKey))
			}
		}
		table = append(table, line)
	}
	if a.out == "json" {
		return a.benchJSON(results)
	}
	head := ""
	for i, s := range all {
		head += fmt.Sprintf("%s: %s\n", table[i][0], s.String())
	}
	return a.write(a.head(head+"\n"+a.grid(heading, table, 2, 3, 4, 5, 6, 7, 8), false))
}

func (a *app) benchJSON(results []timed) error {
	for _, r := range results {
		if err := a.write(said.JsonText(r) + "\n"); err != nil {
			return err
		}
	}
	return nil
}

// decimals is a number with one digit after the point.
func decimals(f float64) string { return strconv.FormatFloat(f, 'f', 1, 64) }

// benchRows is the rows that a schema is timed with.
func (a *app) benchRows(c *cobra.Command, s named, f rowFlags, args []string) ([][]any, error) {
	how, err := a.values(f.whenFlags)
	if err != nil {
		return nil, err
	}
	switch w := newRowMaker(s.Schema, how); {
	case c.Flags().Changed("in"):
		return a.benchRead(s.Schema, how, f)
	case len(args) > 0:
		return w.counted(args)
	default:
		return w.madeUp()
	}
}

// mostRows is how many rows a bench goes through.
const mostRows = 1024

func (a *app) benchRead(s *rowkey.Schema, how said.Values, f rowFlags) ([][]any, error) {
	var rows [][]any
	st := a.stream(streamFlags{strict: true, jobs: 1})
	st.whole = "row"
	st.seen = func(w *rowMaker) {
		if len(rows) < mostRows {
			rows = append(rows, w.Values())
		}
	}
	err := st.close(a.eachInput(st, nil, "rows, JSON or CSV", true, func(in *input) error {
		return st.rows(in, s, how, f, func(*block, []byte) error { return nil })
	}))
	if err == nil && len(rows) == 0 {
		err = errors.New("no rows on stdin")
	}
	return rows, err
}

// counted is rows of FIELD=VALUE with a count in place of {n}.
func (w *rowMaker) counted(args []string) ([][]any, error) {
	n := 1
	if strings.Contains(strings.Join(args, ""), "{n}") {
		n = mostRows
	}
	var rows [][]any
	for i := range n {
		filled := make([]string, len(args))
		for j, arg := range args {
			filled[j] = strings.ReplaceAll(arg, "{n}", strconv.Itoa(i))
		}
		if _, err := w.fromArgs(filled); err != nil {
			return nil, err
		}
		rows = append(rows, w.Values())
	}
	return rows, nil
}

// madeUp is a row for a schema of which nothing but its fields is known: each
// field gets the first of some usual values that its limits admit, which the
// notation of a field of few values names.
func (w *rowMaker) madeUp() ([][]any, error) {
	choice := make([]int, len(w.Fields))
	lists := make([][]any, len(w.Fields))
	for i, f := range w.Fields {
		lists[i] = usual(w.Schema, f)
		w.Slots[i].Hold(lists[i][0])
	}
	for {
		_, err := w.Key()
		if err == nil {
			return [][]any{w.Values()}, nil
		}
		var e *rowkey.Error
		if !errors.As(err, &e) {
			return nil, err
		}
		i, known := w.ByName[e.Field]
		if !known { // a salt that has no bucket for a value: another first field
			i = 0
		}
		if choice[i]++; choice[i] >= len(lists[i]) {
			return nil, fmt.Errorf("%s: no usual value fits %s: give a row as FIELD=VALUE", w.Fields[i].Name, w.Fields[i].Notation)
		}
		w.Slots[i].Hold(lists[i][choice[i]])
	}
}

// usual is values to try for a field, the most usual first.
func usual(schema *rowkey.Schema, f rowkey.FieldInfo) (out []any) {
	switch f.Kind {
	case "string", "binary":
		texts := []string{"web01", "u10086", "10086", "fb2b4e5e-1c7d-4f6a-9b1e-2f00c0ffee01"}
		if f.Numeric {
			texts = []string{"12.50", "-12.50", "10086"}
		}
		texts = append(texts, schema.Values(f.Name)...)
		if f.Chars != "" {
			texts = append(texts, f.Chars, f.Chars[:1], strings.Repeat(f.Chars[:1], max(f.Size, 1)))
		}
		const long = "13112345678901234567890123456789"
		for n := 1; n <= 256; n++ {
			texts = append(texts, strings.Repeat(long, n/len(long)+1)[:n])
		}
		for _, s := range texts {
			if f.Kind == "binary" {
				out = append(out, []byte(s))
			} else {
				out = append(out, s)
			}
		}
	case "uint":
		for _, n := range []uint64{10086, 100, 7, 1, 0} {
			out = append(out, n)
		}
	case "int":
		for _, n := range []int64{10086, 100, 7, 1, 0, -1} {
			out = append(out, n)
		}
	case "float":
		out = append(out, 21.5)
	case "bool":
		out = append(out, true)
	default: // a day's own table has its day in its notation
		at := time.Date(2023, 5, 16, 2, 20, 30, 0, time.UTC)
		if !f.Time.First.IsZero() && f.Time.First.After(time.Unix(0, 0)) {
			at = f.Time.First
		}
		out = append(out, at)
		for year := 1970; year < 2100; year++ {
			out = append(out, time.Date(year, 12, 31, 0, 0, 0, 0, time.UTC))
		}
	}
	return out
}

// side is one thing that is timed: do goes over all rows once.
type side struct {
	what  string
	bytes int // of all keys
	keys  int
	do    func(buf []byte) // with a buffer for a key
	many  bool             // as many at once as there are processors
}

// keyBuffer holds the longest key.
const keyBuffer = 64 << 10

// What is timed.
const (
	sideWrite    = "write, in one buffer"
	sideOwn      = "write, each in memory of its own"
	sideParallel = "write, on all processors"
	sideRead     = "read and check"
	sideSprintf  = "fmt.Sprintf, the same bytes"
	sideText     = "fmt.Sprintf, as text"
)

// timed is what was measured.
type timed struct {
	Schema             string  `json:"schema,omitempty"` // where several are compared
	What               string  `json:"what"`
	KeysPerSecond      float64 `json:"keysPerSecond"`
	BytesPerKey        float64 `json:"bytesPerKey"`
	MegabytesPerSecond float64 `json:"megabytesPerSecond"`
	NanosPerKey        float64 `json:"nanosPerKey"`
	AllocationsPerKey  float64 `json:"allocationsPerKey"`
}

// run times a side: as many passes a round as fill its time, the median round.
func (s side) run(each time.Duration) timed {
	workers := 1
	if s.many {
		workers = runtime.GOMAXPROCS(0)
	}
	repeat := func(passes int) {
		buf := make([]byte, 0, keyBuffer)
		for range passes {
			s.do(buf)
		}
	}
	round := func(passes int) time.Duration {
		start := time.Now()
		var wg sync.WaitGroup
		for range workers - 1 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				repeat(passes)
			}()
		}
		repeat(passes)
		wg.Wait()
		return time.Since(start)
	}
	passes := 1
	for {
		took := min(round(passes), round(passes), round(passes)) // one may have been interrupted
		if took >= each/4 || passes >= 1<<30 {
			passes = max(1, int(float64(passes)*float64(each)/float64(max(took, 1))))
			break
		}
		passes *= 2
	}
	var nanos []float64
	for range rounds {
		nanos = append(nanos, float64(round(passes))/float64(passes*s.keys*workers))
	}
	slices.SortFunc(nanos, cmp.Compare[float64])
	median := math.Max(nanos[len(nanos)/2], 1e-3)
	return timed{
		What: s.what, NanosPerKey: median, KeysPerSecond: 1e9 / median,
		BytesPerKey:        float64(s.bytes) / float64(s.keys),
		MegabytesPerSecond: 1e3 / median * float64(s.bytes) / float64(s.keys),
		AllocationsPerKey:  s.allocations(),
	}
}

// allocations is how many a key makes, counted over enough of them that what
// the runtime allocates meanwhile does not show.
func (s side) allocations() float64 {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	passes := 1 + 10_000/s.keys
	var before, after runtime.MemStats
	buf := make([]byte, 0, keyBuffer)
	runtime.ReadMemStats(&before)
	for range passes {
		s.do(buf)
	}
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) / float64(passes*s.keys)
}

// benchSides is what is timed. Every row has been written and read once before,
// so that nothing is timed that fails.
func benchSides(s *rowkey.Schema, rows [][]any) ([]side, error) {
	fields := said.Supplied(s)
	var keys [][]byte
	total := 0
	readable := true
	for _, row := range rows {
		key, err := put(s.Key(), row).Bytes()
		if err != nil {
			return nil, said.Reason(err)
		}
		if _, err := s.Decode(key); errors.Is(err, rowkey.ErrAmbiguous) {
			readable = false
		} else if err != nil {
			return nil, said.Reason(err)
		}
		keys = append(keys, key)
		total += len(key)
	}
	parts, apart, err := sprintfParts(s, keys)
	if err != nil {
		return nil, err
	}
	write := func(buf []byte) {
		for _, row := range rows {
			if _, err := put(s.KeyIn(buf), row).Bytes(); err != nil {
				panic(err) // it was written before
			}
		}
	}
	format, order := sprintfOf(s)
	texts := 0
	args := make([][]any, len(rows))
	for i, row := range rows {
		for _, at := range order {
			args[i] = append(args[i], sprintfValue(fields[at], row[at]))
		}
		texts += len(fmt.Sprintf(format, args[i]...))
	}
	sides := []side{
		{sideWrite, total, len(rows), write, false},
		{sideParallel, total, len(rows), write, true},
		{sideOwn, total, len(rows), func([]byte) {
			for _, row := range rows {
				if _, err := put(s.Key(), row).Bytes(); err != nil {
					panic(err)
				}
			}
		}, false},
	}
	if readable {
		sides = append(sides, side{sideRead, total, len(rows), func([]byte) {
			for _, key := range keys {
				if _, err := s.Decode(key); err != nil {
					panic(err)
				}
			}
		}, false})
	}
	return append(sides, side{sideSprintf, total, len(rows), func([]byte) {
		for _, p := range parts {
			_ = fmt.Sprintf(apart, p...)
		}
	}, false}, side{sideText, texts, len(rows), func([]byte) {
		for _, a := range args {
			_ = fmt.Sprintf(format, a...)
		}
	}, false}), nil
}

// sprintfParts is the bytes of each stored component of each key, and the format
// that puts them together.
func sprintfParts(s *rowkey.Schema, keys [][]byte) (parts [][]any, format string, err error) {
	stored := 0
	for _, key := range keys {
		pieces, err := s.Pieces(key, nil)
		if err != nil && !errors.Is(err, rowkey.ErrAmbiguous) {
			return nil, "", said.Reason(err)
		}
		var row []any
		for _, p := range pieces {
			if len(p.Bytes) > 0 {
				row = append(row, string(p.Bytes))
			}
		}
		parts = append(parts, row)
		stored = max(stored, len(row))
	}
	for i, row := range parts { // a null at the end of a key has no bytes
		for len(row) < stored {
			row = append(row, "")
		}
		parts[i] = row
	}
	return parts, strings.Repeat("%s", stored), nil
}

// put supplies a row to the fluent builder, as a program would.
func put(k rowkey.KeyBuilder, row []any) rowkey.KeyBuilder {
	for _, v := range row {
		switch v := v.(type) {
		case nil:
			k = k.Null()
		case string:
			k = k.String(v)
		case []byte:
			k = k.Binary(v)
		case uint64:
			k = k.Uint(v)
		case int64:
			k = k.Int(v)
		case float64:
			k = k.Float(v)
		case bool:
			k = k.Bool(v)
		case time.Time:
			k = k.Time(v)
		}
	}
	return k
}

// sprintfOf is the format that a program without a schema would write these
// fields with, and their places among the values: texts as they are, numbers
// and times as zero-padded digits, newest first where the schema has that.
func sprintfOf(s *rowkey.Schema) (format string, order []int) {
	n := 0
	last := string("literal")
	for f := range s.Fields() {
		switch {
		case f.Kind == "literal":
			format += strings.ReplaceAll(f.Const, "%", "%%")
			last = f.Kind
			continue
		case f.Derived:
			continue
		case !f.Stored:
			n++
			continue
		}
		if last != "literal" {
			format += "_"
		}
		last = f.Kind
		switch f.Kind {
		case "string":
			format += "%s"
		case "binary":
			format += "%x"
		case "uint", "int":
			format += "%020d"
		case "time":
			format += "%019d"
		default:
			format += "%v"
		}
		order = append(order, n)
		n++
	}
	return format, order
}

// sprintfValue is a value as that format takes it, which has no null.
func sprintfValue(f rowkey.FieldInfo, v any) any {
	if v == nil {
		if said.Number(&f) && f.Kind != "string" {
			return 0
		}
		return ""
	}
	t, ok := v.(time.Time)
	if !ok {
		return v
	}
	if f.Order == rowkey.Backward {
		return math.MaxInt64 - t.UnixMilli()
	}
	return t.UnixMilli()
}

// grouped is a number with a comma at every third digit.
func grouped(f float64) string {
	s := strconv.FormatFloat(f, 'f', 0, 64)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
