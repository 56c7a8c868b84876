package laws

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/bound"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/inside"
	"github.com/hbase-rowkey/rowkey/internal/plan"
	"github.com/hbase-rowkey/rowkey/internal/seed"
	"github.com/hbase-rowkey/rowkey/scan"
)

// Merge is held against a slice that is filtered and sorted. Its cursors are in
// memory, watch how they are used, and fail where they are told to.

// mergeRand is the random source of a test, whose seed is printed.
func mergeRand(t *testing.T) *rand.Rand {
	t.Helper()
	return seed.Rand(t)
}

// madePlan is a plan of a schema that no query gives, and its inside.
func madePlan(s *rowkey.Schema, made plan.Plan) (*rowkey.Plan, *plan.Plan) {
	p, err := s.Scan(rowkey.FullScan())
	if err != nil {
		panic(err)
	}
	in := inside.Plan(p)
	made.S = in.S
	*in = made
	return p, in
}

// copied is a plan in memory of its own, and its inside.
func copied(p *rowkey.Plan) (*rowkey.Plan, *plan.Plan) {
	q := new(rowkey.Plan)
	in := inside.Plan(q)
	*in = *inside.Plan(p)
	return q, in
}

// heldRange is a range, which is not empty, as plans hold it.
func heldRange(r rowkey.Range) bound.Range {
	if r.Unbounded() {
		return bound.Range{Start: r.Start(), State: bound.Unbounded}
	}
	return bound.Range{Start: r.Start(), Stop: r.Stop(), State: bound.Bounded}
}

// held is a plan's ranges as it holds them.
func held(p *rowkey.Plan) (ranges []bound.Range) {
	for _, r := range inside.Plan(p).Ranges.All() {
		ranges = append(ranges, r)
	}
	return ranges
}

// listOf is ranges as a plan holds them.
func listOf(ranges ...bound.Range) (l bound.List) {
	for _, r := range ranges {
		l.Add(r)
	}
	return l
}

// mergeRow is what the cursors give. A row with no key is an empty result.
type mergeRow struct {
	key     []byte
	partial bool // it came with an error
}

func (r *mergeRow) row() []byte {
	if r == nil {
		return nil
	}
	return r.key
}

// mergeTable is a table of rows, and a client for it.
type mergeTable struct {
	rows     [][]byte // in key order
	reversed bool
	beyond   bool             // a scan reads rows that it was not asked for
	empties  *rand.Rand       // puts empty results between the rows
	fail     map[string]error // by "start of range in hex: call", where a call is open, next 0, close
	stall    func(ctx context.Context, call string)
	wrong    func(r rowkey.Range, rows [][]byte) [][]byte // what a broken client gives

	goroutines int // before the loop

	mu       sync.Mutex
	opened   int
	closed   int
	nexts    map[string]int // calls of Next by the start of their range
	faults   []string
	inFlight atomic.Int32
	most     atomic.Int32
}

func (tb *mergeTable) fault(format string, args ...any) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	tb.faults = append(tb.faults, fmt.Sprintf(format, args...))
}

// call is one call of the client.
func (tb *mergeTable) call(ctx context.Context, r rowkey.Range, what string) error {
	n := tb.inFlight.Add(1)
	defer tb.inFlight.Add(-1)
	for most := tb.most.Load(); n > most && !tb.most.CompareAndSwap(most, n); most = tb.most.Load() {
	}
	name := fmt.Sprintf("%x: %s", r.Start(), what)
	if tb.stall != nil {
		tb.stall(ctx, name)
	}
	return tb.fail[name]
}

// asked reports that a scan of a range, or a reversed one, gives a row of HBase.
func asked(r interface {
	Contains(row []byte) bool
	Reversed() (start, stop []byte, exact bool)
}, key []byte, reversed bool) bool {
	if !reversed {
		return r.Contains(key)
	}
	start, stop, _ := r.Reversed()
	return (len(start) == 0 || bytes.Compare(key, start) <= 0) && bytes.Compare(key, stop) > 0
}

func (tb *mergeTable) open(ctx context.Context, r rowkey.Range, reversed bool) (scan.Cursor[*mergeRow], error) {
	if err := tb.call(ctx, r, "open"); err != nil {
		return nil, err
	}
	from, to := len(tb.rows), 0
	for i, key := range tb.rows {
		if tb.beyond || asked(r, key, reversed) {
			from, to = min(from, i), max(to, i+1)
		}
	}
	rows := slices.Clone(tb.rows[min(from, to):to])
	if reversed {
		slices.Reverse(rows)
	}
	if tb.wrong != nil {
		rows = tb.wrong(r, rows)
	}
	c := &mergeCursor{tb: tb, ctx: ctx, rng: r}
	for _, key := range rows {
		for tb.empties != nil && tb.empties.IntN(4) == 0 {
			c.rows = append(c.rows, []*mergeRow{nil, {}}[tb.empties.IntN(2)])
		}
		c.rows = append(c.rows, &mergeRow{key: key})
	}
	tb.mu.Lock()
	defer tb.mu.Unlock()
	tb.opened++
	return c, nil
}

type mergeCursor struct {
	tb     *mergeTable
	ctx    context.Context
	rng    rowkey.Range
	rows   []*mergeRow
	at     int
	ended  bool
	closed bool
	busy   atomic.Bool
}

func (c *mergeCursor) Next() (*mergeRow, error) {
	if c.busy.Swap(true) {
		c.tb.fault("two calls of one cursor at once")
	}
	defer c.busy.Store(false)
	if c.closed || c.ended {
		c.tb.fault("Next of a cursor that has ended or been closed")
	}
	c.tb.mu.Lock()
	if c.tb.nexts != nil {
		c.tb.nexts[string(c.rng.Start())]++
	}
	c.tb.mu.Unlock()
	if err := c.tb.call(c.ctx, c.rng, fmt.Sprint("next ", c.at)); err != nil {
		c.ended = true
		if c.at < len(c.rows) && c.rows[c.at] != nil {
			return &mergeRow{c.rows[c.at].key, true}, err
		}
		return &mergeRow{c.rng.Start(), true}, err
	}
	if c.at == len(c.rows) {
		c.ended = true
		return &mergeRow{c.rng.Start(), true}, io.EOF
	}
	c.at++
	return c.rows[c.at-1], nil
}

func (c *mergeCursor) Close() error {
	if c.busy.Swap(true) {
		c.tb.fault("Close while another call was under way")
	}
	defer c.busy.Store(false)
	if c.closed {
		c.tb.fault("closed twice")
	}
	c.closed = true
	c.tb.mu.Lock()
	defer c.tb.mu.Unlock()
	c.tb.closed++
	return c.tb.fail[fmt.Sprintf("%x: close", c.rng.Start())]
}

// check looks at what a loop left behind.
func (tb *mergeTable) check(t *testing.T, parallel int) {
	t.Helper()
	tb.mu.Lock()
	defer tb.mu.Unlock()
	for _, f := range tb.faults {
		t.Error(f)
	}
	if tb.opened != tb.closed {
		t.Errorf("%d cursors opened, %d closed", tb.opened, tb.closed)
	}
	if most := int(tb.most.Load()); most > max(1, parallel) {
		t.Errorf("%d calls at once where %d are allowed", most, parallel)
	}
	for wait := time.Microsecond; runtime.NumGoroutine() > tb.goroutines; wait *= 2 {
		if wait > time.Second { // it is not on its last steps
			buf := make([]byte, 1<<20)
			t.Fatalf("a goroutine is left:\n%s", buf[:runtime.Stack(buf, true)])
		}
		time.Sleep(wait)
	}
}

// mergeShape is a schema and the leads that its keys may have.
type mergeShape struct {
	name  string
	s     *rowkey.Schema
	count int // components in front that the order leaves out
	leads []string
	sep   string // after the lead
}

func mergeShapes() []mergeShape {
	hex := []string{"0", "3", "7", "a", "f"}
	return []mergeShape{
		{"no lead", rowkey.New("plain").String("a").MustBuild(), 0, []string{""}, ""},
		{"salt", rowkey.New("salted").Salt(256, "a").String("a").MustBuild(), 1, []string{"\x00", "\x01", "\x7f", "\xfe", "\xff"}, ""},
		{"one salt", rowkey.New("salted").Salt(256, "a").String("a").MustBuild(), 1, []string{"\xff"}, ""},
		{"decimal", rowkey.New("decimal").Salt(20, "a", rowkey.Decimal).Separator("_").String("a").MustBuild(), 1, []string{"1", "10", "11", "2", "3"}, "_"},
		{"tagged", rowkey.New("tagged").Literal("t").Salt(4, "a").Literal("-").Hash(rowkey.MD5.Hex(1), "a").String("a").MustBuild(), 4, []string{"t\x00-a", "t\x00-b", "t\x01-a", "t\x03-f"}, ""},
		{"hash", rowkey.New("hashed").Hash(rowkey.MD5.Hex(1), "a").String("a").MustBuild(), 1, hex, ""},
	}
}

// order compares keys as Merge is to order them.
func (sh *mergeShape) order(reversed bool) func(a, b []byte) int {
	split := func(key []byte) (lead, rest []byte) {
		best := -1
		for _, l := range sh.leads {
			if bytes.HasPrefix(key, []byte(l+sh.sep)) {
				best = len(l)
			}
		}
		return key[:max(0, best)], key[max(0, best):]
	}
	return func(a, b []byte) int {
		al, ar := split(a)
		bl, br := split(b)
		n := cmp.Or(bytes.Compare(ar, br), bytes.Compare(al, bl))
		if reversed {
			return -n
		}
		return n
	}
}

// rest is the random end of a key: few letters, all lengths, much in common.
func mergeRest(r *rand.Rand) []byte {
	const letters = "\x00\x01ab\xfe\xff"
	rest := []byte([]string{"", "seller-", "a", "aaaaaaaaaaaaaaaaaaaaaaaa", "\xff\xff\xff\xff\xff\xff\xff\xff", "\x00\x00\x00\x00\x00\x00"}[r.IntN(6)])
	rest = rest[:r.IntN(len(rest)+1)]
	for range r.IntN(8) {
		rest = append(rest, letters[r.IntN(len(letters))])
	}
	return rest
}

// mergeAny is a case of any of some shapes, forward or reversed.
func mergeAny(r *rand.Rand, shapes []mergeShape) (*mergeShape, *rowkey.Plan, [][]byte) {
	sh := &shapes[r.IntN(len(shapes))]
	p, rows := mergeCase(r, sh)
	if r.IntN(2) == 0 {
		p = p.Reversed()
	}
	return sh, p, rows
}

// mergeCase is a random plan and a table for it.
func mergeCase(r *rand.Rand, sh *mergeShape) (*rowkey.Plan, [][]byte) {
	p, in := madePlan(sh.s, plan.Plan{Exact: true, Leads: sh.count})
	var rows [][]byte
	for _, lead := range sh.leads {
		lead := []byte(lead + sh.sep)
		switch r.IntN(3) {
		case 0:
			in.Ranges.Add(heldRange(rowkey.PrefixRange(lead)))
		case 1: // some ranges, the last of which may be open
			cuts := make([][]byte, 2*r.IntN(3)+1)
			for i := range cuts {
				cuts[i] = append(slices.Clone(lead), mergeRest(r)...)
			}
			slices.SortFunc(cuts, bytes.Compare)
			for i := 0; i+1 < len(cuts); i += 1 + r.IntN(2) {
				if c, _ := rowkey.NewRange(cuts[i], cuts[i+1]); !c.Empty() {
					in.Ranges.Add(heldRange(c))
				}
			}
			if r.IntN(2) == 0 {
				all := heldRange(rowkey.PrefixRange(lead))
				in.Ranges.Add(bound.Range{Start: cuts[len(cuts)-1], Stop: all.Stop, State: all.State, Of: nil})
			}
		}
		if r.IntN(8) != 0 {
			for range r.IntN(30) {
				rows = append(rows, append(slices.Clone(lead), mergeRest(r)...))
			}
		}
	}
	in.Ranges.Sort()
	return p, sortRows(rows)
}

// sortRows is a table's rows: sorted, each once, none without a key.
func sortRows(rows [][]byte) [][]byte {
	slices.SortFunc(rows, bytes.Compare)
	rows = slices.CompactFunc(rows, bytes.Equal)
	return slices.DeleteFunc(rows, func(key []byte) bool { return len(key) == 0 })
}

// wanted is what Merge is to yield.
func wanted(sh *mergeShape, p *rowkey.Plan, rows [][]byte) [][]byte {
	var out [][]byte
	ranges := held(p)
	for _, key := range rows {
		if slices.ContainsFunc(ranges, func(r bound.Range) bool { return r.Contains(key) }) && (p.Exact() || p.Match(key)) {
			out = append(out, key)
		}
	}
	slices.SortFunc(out, sh.order(p.IsReversed()))
	if inside.Plan(p).Most > 0 && len(out) > inside.Plan(p).Most {
		out = out[:inside.Plan(p).Most]
	}
	return out
}

// collect runs a loop to its end and gives its rows and its error.
func collect(t *testing.T, ctx context.Context, p *rowkey.Plan, parallel int, tb *mergeTable) ([][]byte, error) {
	t.Helper()
	return collectAnd(t, ctx, p, parallel, tb, func(int) bool { return true })
}

// collectAnd is collect with a body that is called with each row's number and
// may end the loop.
func collectAnd(t *testing.T, ctx context.Context, p *rowkey.Plan, parallel int, tb *mergeTable, body func(i int) bool) ([][]byte, error) {
	t.Helper()
	tb.reversed = p.IsReversed()
	tb.goroutines = runtime.NumGoroutine()
	tb.most.Store(0) // a loop before may have had more workers
	var out [][]byte
	var failed error
	defer tb.check(t, parallel)
	for row, err := range scan.Merge(ctx, p, parallel, tb.open, (*mergeRow).row) {
		switch {
		case failed != nil:
			t.Fatalf("something after the error %v", failed)
		case err != nil:
			if failed = err; row != nil {
				t.Fatalf("a row with the error %v", err)
			}
		case row.partial:
			t.Fatal("a row that came with an error")
		default:
			out = append(out, row.key)
			if !body(len(out) - 1) {
				return out, nil
			}
		}
	}
	return out, failed
}

func sameRows(a, b [][]byte) bool { return slices.EqualFunc(a, b, bytes.Equal) }

var mergeParallel = []int{-1, 1, 2, 3, 8, 40}

// TestMergeOrder: the rows of random plans, in order, each once.
func TestMergeOrder(t *testing.T) {
	long(t)
	r := mergeRand(t)
	shapes := mergeShapes()
	for n := range 2000 {
		sh, p, rows := mergeAny(r, shapes)
		if r.IntN(3) == 0 {
			p = p.Limit(1 + r.IntN(20))
		}
		parallel := mergeParallel[r.IntN(len(mergeParallel))]
		tb := &mergeTable{rows: rows, empties: r}
		if parallel > 1 { // more than one goroutine would draw
			tb.empties = nil
		}
		if r.IntN(40) == 0 {
			tb.stall = func(context.Context, string) { time.Sleep(time.Duration(rand.IntN(60)) * time.Microsecond) }
		}
		got, err := collect(t, t.Context(), p, parallel, tb)
		if want := wanted(sh, p, rows); err != nil || !sameRows(got, want) {
			t.Fatalf("case %d, %s, parallel %d, reversed %t, limit %d\nranges %v\nrows %x\n got %x, %v\nwant %x", n, sh.name, parallel, p.IsReversed(), inside.Plan(p).Most, held(p), rows, got, err, want)
		}
	}
}

// fixedCase is a salted plan of four buckets, the second of which has two
// ranges, and twelve rows.
func fixedCase(reversed bool) (*mergeShape, *rowkey.Plan, [][]byte) {
	sh := &mergeShape{"salt", rowkey.New("salted").Salt(4, "a").String("a").MustBuild(), 1, []string{"\x00", "\x01", "\x02", "\x03"}, ""}
	p, in := madePlan(sh.s, plan.Plan{Exact: true, Leads: 1, IsReversed: reversed})
	for _, r := range [][2]string{{"\x00a", "\x00z"}, {"\x01c", "\x01k"}, {"\x01p", "\x01t"}, {"\x02", "\x03"}, {"\x03b", "\x04"}} {
		c, err := rowkey.NewRange([]byte(r[0]), []byte(r[1]))
		if err != nil {
			panic(err)
		}
		in.Ranges.Add(heldRange(c))
	}
	var rows [][]byte
	for _, key := range []string{
		"\x00a", "\x00b", "\x00k", "\x00seller-00000000001",
		"\x01d", "\x01j", "\x01q", "\x01seller-00000000001", // twice without the salt
		"\x02", "\x02seller-00000000002",
		"\x03b", "\x03seller-00000000000", "\x03z",
	} {
		rows = append(rows, []byte(key))
	}
	return sh, p, rows
}

// sometimes makes a client slow enough that calls are made ahead.
func sometimes(context.Context, string) {
	if rand.IntN(3) == 0 {
		time.Sleep(50 * time.Microsecond)
	}
}

// TestMergeErrors: each call in turn fails. The rows before are yielded, whatever
// is read ahead, then the error.
func TestMergeErrors(t *testing.T) {
	long(t)
	cause := errors.New("connection refused")
	for _, reversed := range []bool{false, true} {
		sh, p, rows := fixedCase(reversed)
		all := wanted(sh, p, rows)
		order := sh.order(reversed)
		for _, r := range held(p) {
			only, _ := madePlan(sh.s, plan.Plan{Exact: true, Leads: 1, IsReversed: reversed, Ranges: listOf(r)})
			own := wanted(sh, only, rows)
			calls := []string{"open", "close"}
			for i := range len(own) + 1 {
				calls = append(calls, fmt.Sprint("next ", i))
			}
			for _, call := range calls {
				want := all
				var n int
				switch {
				case call == "close":
				case call == "open" || call == "next 0":
					want = slices.DeleteFunc(slices.Clone(all), func(key []byte) bool {
						if !reversed {
							return order(key, r.Start) >= 0
						}
						return r.Stop[0] != r.Start[0] || order(key, r.Stop) >= 0
					})
				default:
					fmt.Sscanf(call, "next %d", &n)
					at, _ := slices.BinarySearchFunc(all, own[n-1], order)
					want = all[:at+1]
				}
				for _, parallel := range mergeParallel {
					name := fmt.Sprintf("%x: %s", r.Start, call)
					tb := &mergeTable{rows: rows, fail: map[string]error{name: cause}}
					if parallel > 1 {
						tb.stall = sometimes
					}
					got, err := collect(t, t.Context(), p, parallel, tb)
					if !sameRows(got, want) {
						t.Errorf("%s, parallel %d, reversed %t\n got %q\nwant %q", name, parallel, reversed, got, want)
					}
					var e *rowkey.Error
					if !errors.Is(err, cause) || !errors.As(err, &e) || e.Schema != "salted" || !strings.Contains(err.Error(), r.String()) {
						t.Errorf("%s, parallel %d: error %v", name, parallel, err)
					}
				}
			}
		}
	}
}

// TestMergeEOF: only io.EOF itself is a cursor's end. What wraps it is a broken
// connection, whose rows are missing.
func TestMergeEOF(t *testing.T) {
	_, p, rows := fixedCase(false)
	tb := &mergeTable{rows: rows, fail: map[string]error{"02: next 1": fmt.Errorf("reading: %w", io.EOF)}}
	if _, err := collect(t, t.Context(), p, 1, tb); err == nil || !errors.Is(err, io.EOF) {
		t.Errorf("a wrapped io.EOF became %v", err)
	}
	got, err := collect(t, t.Context(), p, 2, &mergeTable{rows: rows, fail: map[string]error{"02: next 1": io.EOF}})
	if err != nil || len(got) != len(rows)-1 {
		t.Errorf("%q, %v", got, err)
	}
}

// TestMergeNoCursor: no error and no cursor is an error.
func TestMergeNoCursor(t *testing.T) {
	_, p, _ := fixedCase(false)
	open := func(context.Context, rowkey.Range, bool) (scan.Cursor[*mergeRow], error) { return nil, nil }
	for _, err := range scan.Merge(t.Context(), p, 1, open, (*mergeRow).row) {
		if err == nil || err.Error() != `rowkey: salted: open [\x02, \x03): no cursor` {
			t.Error(err)
		}
	}
}

// TestMergeBreak: the loop ends at each row, by break, panic and Goexit.
func TestMergeBreak(t *testing.T) {
	long(t)
	for _, reversed := range []bool{false, true} {
		sh, p, rows := fixedCase(reversed)
		all := wanted(sh, p, rows)
		for _, parallel := range mergeParallel {
			for i := range all {
				table := func() *mergeTable {
					tb := &mergeTable{rows: rows, reversed: reversed, nexts: map[string]int{}}
					if parallel > 1 {
						tb.stall = sometimes
					}
					return tb
				}
				tb := table()
				got, err := collectAnd(t, t.Context(), p, parallel, tb, func(n int) bool { return n < i })
				if err != nil || !sameRows(got, all[:i+1]) {
					t.Errorf("break at %d: %q, %v", i, got, err)
				}
				for _, r := range held(p) {
					yielded, ahead := 0, 1
					for _, key := range got {
						if r.Contains(key) {
							yielded++
						}
					}
					if parallel > 1 {
						ahead = 2
					}
					if n := tb.nexts[string(r.Start)]; n > max(yielded+ahead, 2) { // the first two are compared
						t.Errorf("%d rows were asked of %v, which gave %d", n, r, yielded)
					}
				}

				tb = table()
				func() {
					defer func() {
						if v := recover(); v != i {
							t.Errorf("panic(%d) became %v", i, v)
						}
					}()
					collectAnd(t, t.Context(), p, parallel, tb, func(n int) bool {
						if n == i {
							panic(n)
						}
						return true
					})
				}()

				tb = table()
				done := make(chan struct{})
				go func() {
					defer close(done)
					collectAnd(t, t.Context(), p, parallel, tb, func(n int) bool {
						if n == i {
							runtime.Goexit()
						}
						return true
					})
					t.Error("Goexit was lost")
				}()
				<-done
			}
		}
	}
}

// TestMergeCancel: once the context is done nothing comes but its error, and no
// call goes on.
func TestMergeCancel(t *testing.T) {
	long(t)
	sh, p, rows := fixedCase(false)
	all := wanted(sh, p, rows)
	for _, parallel := range mergeParallel {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		tb := &mergeTable{rows: rows}
		if got, err := collect(t, ctx, p, parallel, tb); len(got) != 0 || err != context.Canceled {
			t.Errorf("a context that was done: %q, %v", got, err)
		}
		if tb.opened > 0 && parallel < 2 {
			t.Error("a range was opened under a context that was done")
		}
		for i := range all {
			ctx, cancel := context.WithCancel(t.Context())
			tb := &mergeTable{rows: rows}
			if parallel > 1 {
				tb.stall = sometimes
			}
			got, err := collectAnd(t, ctx, p, parallel, tb, func(n int) bool {
				if n == i {
					cancel()
				}
				return true
			})
			if err != context.Canceled || !sameRows(got, all[:i+1]) {
				t.Errorf("cancelled at row %d, parallel %d: %q, %v", i, parallel, got, err)
			}
		}
		for _, r := range held(p) { // while a call hangs
			for _, call := range []string{"open", "next 0", "next 1"} {
				name := fmt.Sprintf("%x: %s", r.Start, call)
				cause := errors.New("the caller had enough")
				ctx, cancel := context.WithTimeoutCause(t.Context(), 5*time.Millisecond, cause)
				tb := &mergeTable{rows: rows, fail: map[string]error{name: context.DeadlineExceeded}, stall: func(ctx context.Context, n string) {
					if n == name {
						<-ctx.Done()
					}
				}}
				_, err := collect(t, ctx, p, parallel, tb)
				if err != context.DeadlineExceeded {
					t.Errorf("%s hung, parallel %d: %v", name, parallel, err)
				}
				cancel()
			}
		}
	}
}

// endless is a cursor of rows of which none matches. Row 1000 ends the context.
type endless struct {
	n      uint64
	end    context.CancelFunc
	closed *atomic.Int32
}

func (c *endless) Next() (*mergeRow, error) {
	if c.n++; c.n == 1000 {
		c.end()
	}
	return &mergeRow{key: fmt.Appendf(nil, "%020d", c.n)}, nil
}

func (c *endless) Close() error {
	c.closed.Add(1)
	return nil
}

// TestMergeCancelResidual: a context ends also a loop that has no row to yield.
func TestMergeCancelResidual(t *testing.T) {
	s := rowkey.New("numbers").Uint("n", 8).MustBuild() // 20 bytes are no key of it
	whole := bound.Range{Start: nil, Stop: []byte("1"), State: bound.Bounded, Of: nil}
	for _, ranges := range [][]bound.Range{
		{whole},
		{whole, {Start: []byte("1"), Stop: nil, State: bound.Unbounded, Of: nil}},
	} {
		p, _ := madePlan(s, plan.Plan{Ranges: listOf(ranges...)})
		for _, parallel := range []int{1, 2} {
			ctx, cancel := context.WithCancel(t.Context())
			var closed atomic.Int32
			open := func(context.Context, rowkey.Range, bool) (scan.Cursor[*mergeRow], error) {
				return &endless{end: cancel, closed: &closed}, nil
			}
			n := 0
			for _, err := range scan.Merge(ctx, p, parallel, open, (*mergeRow).row) {
				if n++; err != context.Canceled {
					t.Errorf("yielded a row, or %v", err)
				}
			}
			if n != 1 || closed.Load() == 0 {
				t.Errorf("%d errors, %d cursors closed", n, closed.Load())
			}
		}
	}
}

// TestMergePanic: a panic of the client reaches the loop's goroutine.
func TestMergePanic(t *testing.T) {
	long(t)
	_, p, rows := fixedCase(false)
	ahead := 0
	for _, parallel := range mergeParallel {
		for _, r := range held(p) {
			for _, call := range []string{"open", "next 0", "next 1", "Goexit"} {
				name := fmt.Sprintf("%x: %s", r.Start, call)
				var inLoop atomic.Bool
				tb := &mergeTable{rows: rows, stall: func(_ context.Context, n string) {
					if parallel > 1 {
						time.Sleep(50 * time.Microsecond)
					}
					if n == name {
						inLoop.Store(onLoop())
						panic(name)
					}
					if call == "Goexit" && n == fmt.Sprintf("%x: next 0", r.Start) {
						inLoop.Store(onLoop())
						runtime.Goexit()
					}
				}}
				done := make(chan any, 1)
				go func() {
					gone := true
					defer func() {
						if v := recover(); v != nil || gone {
							done <- v
						}
					}()
					collect(t, t.Context(), p, parallel, tb)
					gone = false
					done <- "nothing"
				}()
				v := <-done
				if !inLoop.Load() {
					ahead++
				}
				switch {
				case call == "Goexit" && inLoop.Load():
					if v != nil {
						t.Errorf("%s, parallel %d: Goexit of the loop itself became %v", name, parallel, v)
					}
				case call == "Goexit":
					if err, ok := v.(error); !ok || err.Error() != "rowkey: a call of the client ended its goroutine" {
						t.Errorf("%s, parallel %d: Goexit of a worker became %v", name, parallel, v)
					}
				case v != name:
					t.Errorf("%s, parallel %d: the panic became %v", name, parallel, v)
				}
			}
		}
	}
	if ahead == 0 {
		t.Error("no worker has panicked")
	}
}

// onLoop reports that it is called by a loop, not by one of its workers.
func onLoop() bool {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if strings.HasSuffix(f.Function, ").run") {
			return true
		}
		if !more {
			return false
		}
	}
}

// TestMergeBreakHanging: a call that hangs while the body breaks is cut short by its
// context.
func TestMergeBreakHanging(t *testing.T) {
	p, rows := saltedPlan(4)
	for _, parallel := range []int{2, 4, 8} {
		hangs := make(chan struct{})
		var once sync.Once
		tb := &mergeTable{rows: rows, fail: map[string]error{"03: next 2": context.Canceled}, stall: func(ctx context.Context, call string) {
			time.Sleep(50 * time.Microsecond) // slow enough to be read ahead
			if call != "03: next 2" {
				return
			}
			once.Do(func() { close(hangs) })
			select {
			case <-ctx.Done():
			case <-time.After(10 * time.Second):
				t.Error("the context goes on though the loop has ended")
			}
		}}
		got, err := collectAnd(t, t.Context(), p, parallel, tb, func(i int) bool {
			if i < 7 { // up to the second row of bucket 3
				return true
			}
			select {
			case <-hangs:
			case <-time.After(10 * time.Second):
				t.Error("nothing is read ahead")
			}
			return false
		})
		if err != nil || len(got) != 8 {
			t.Errorf("%q, %v", got, err)
		}
	}
}

// TestMergeBeyond: a row that open was not asked for is an error, and what was
// yielded before was right.
func TestMergeBeyond(t *testing.T) {
	for _, reversed := range []bool{false, true} {
		sh, p, rows := fixedCase(reversed)
		for _, parallel := range mergeParallel {
			got, err := collect(t, t.Context(), p, parallel, &mergeTable{rows: rows, beyond: true})
			want := wanted(sh, p, rows)
			if !errors.Is(err, rowkey.ErrScan) || !strings.Contains(err.Error(), "outside the bounds that open was given") || len(got) >= len(want) || !sameRows(got, want[:len(got)]) {
				t.Errorf("reversed %t, parallel %d: %q, %v", reversed, parallel, got, err)
			}
		}
	}
}

// TestMergeWrongRow: a row function that gives anything but the key is an error,
// not a table without rows; so is a plan that is not there.
func TestMergeWrongRow(t *testing.T) {
	for _, reversed := range []bool{false, true} {
		_, p, rows := fixedCase(reversed)
		for name, row := range map[string]func(*mergeRow) []byte{
			"a value":             func(r *mergeRow) []byte { return []byte("value") },
			"the key's end":       func(r *mergeRow) []byte { return r.key[1:] },
			"another first byte":  func(r *mergeRow) []byte { return append([]byte{9}, r.key[1:]...) },
			"behind all":          func(r *mergeRow) []byte { return []byte("\xff\xff\xff") },
			"in front of all":     func(r *mergeRow) []byte { return []byte("\x00") },
			"the key in hex text": func(r *mergeRow) []byte { return fmt.Appendf(nil, "%x", r.key) },
		} {
			for _, parallel := range mergeParallel {
				tb := &mergeTable{rows: rows, reversed: reversed}
				var got error
				for _, err := range scan.Merge(t.Context(), p, parallel, tb.open, row) {
					if err == nil {
						t.Errorf("%s: a row is yielded", name)
					}
					got = err
				}
				var e *rowkey.Error
				if !errors.As(got, &e) || !errors.Is(got, rowkey.ErrScan) {
					t.Errorf("%s, reversed %t: %v", name, reversed, got)
				}
			}
		}
	}
	var got error
	for _, err := range scan.Merge(t.Context(), nil, 1, (&mergeTable{}).open, (*mergeRow).row) {
		got = err
	}
	var e *rowkey.Error
	if !errors.As(got, &e) {
		t.Errorf("without a plan: %v", got)
	}
}

// TestMergeBetween: what lies between the bounds of a reversed scan and its range
// is passed over, at both ends.
func TestMergeBetween(t *testing.T) {
	r := rowkey.PrefixRange([]byte("b")) // of no schema: the bounds are c, and a and eight ff
	p, _ := madePlan(rowkey.New("s").String("a").MustBuild(), plan.Plan{Ranges: listOf(heldRange(r)), IsReversed: true, Exact: true})
	rows := [][]byte{[]byte("a\xff\xff\xff\xff\xff\xff\xff\xff\x00"), []byte("b"), []byte("bb"), []byte("c")}
	for _, parallel := range mergeParallel {
		got, err := collect(t, t.Context(), p, parallel, &mergeTable{rows: rows})
		if want := [][]byte{[]byte("bb"), []byte("b")}; err != nil || !sameRows(got, want) {
			t.Errorf("%q, %v", got, err)
		}
	}
}

// TestMergeDone: a client that ignores a done context yields no row.
func TestMergeDone(t *testing.T) {
	p, rows := saltedPlan(4)
	for _, parallel := range mergeParallel {
		ctx, cancel := context.WithCancel(t.Context())
		tb := &mergeTable{rows: rows, stall: func(_ context.Context, call string) {
			if call == "02: next 2" {
				cancel()
			}
		}}
		got, err := collect(t, ctx, p, parallel, tb)
		if err != context.Canceled || parallel < 2 && len(got) != 7 || len(got) > 7 {
			t.Errorf("parallel %d: %x, %v", parallel, got, err)
		}
	}
}

// TestMergeWrongOrder: what a client gives out of order, twice or too long is an
// error, and what was yielded before was right.
func TestMergeWrongOrder(t *testing.T) {
	for _, reversed := range []bool{false, true} {
		sh, p, rows := fixedCase(reversed)
		all := wanted(sh, p, rows)
		for at, r := range held(p) {
			for name, wrong := range map[string]func([][]byte) [][]byte{
				"twice":     func(rows [][]byte) [][]byte { return append(rows[:len(rows):len(rows)], rows[len(rows)-1]) },
				"first two": func(rows [][]byte) [][]byte { rows[0], rows[1] = rows[1], rows[0]; return rows },
				"last two": func(rows [][]byte) [][]byte {
					n := len(rows)
					rows[n-1], rows[n-2] = rows[n-2], rows[n-1]
					return rows
				},
				"all": func(rows [][]byte) [][]byte { slices.Reverse(rows); return rows },
				"too long": func(rows [][]byte) [][]byte {
					rows[1] = append(rows[1][:len(rows[1]):len(rows[1])], make([]byte, forms.MaxKey)...)
					return rows
				},
			} {
				for _, parallel := range mergeParallel {
					tb := &mergeTable{rows: rows, wrong: func(of rowkey.Range, rows [][]byte) [][]byte {
						if bytes.Equal(of.Start(), r.Start) {
							return wrong(rows)
						}
						return rows
					}}
					got, err := collect(t, t.Context(), p, parallel, tb)
					reason := rowkey.ErrScan
					if name == "too long" {
						reason = rowkey.ErrLength
					}
					if !errors.Is(err, reason) || !strings.Contains(err.Error(), r.String()) {
						t.Errorf("range %d, %s, parallel %d: %v", at, name, parallel, err)
					}
					if (name == "twice" || name == "too long") && !sameRows(got, all[:len(got)]) || !slices.IsSortedFunc(got, sh.order(reversed)) {
						t.Errorf("range %d, %s, parallel %d: %q before", at, name, parallel, got)
					}
				}
			}
		}
	}
}

// TestMergeLimitReads: with a limit each bucket is asked for two rows, so that their order is
// seen, and then for the row after each that was yielded, but for the last one.
func TestMergeLimitReads(t *testing.T) {
	const buckets, each = 16, 20
	p, in := madePlan(rowkey.New("salted").Salt(buckets, "a").String("a").MustBuild(), plan.Plan{Exact: true, Leads: 1})
	var rows [][]byte
	for i := range buckets {
		in.Ranges.Add(heldRange(rowkey.PrefixRange([]byte{byte(i)})))
		for j := range each {
			rows = append(rows, []byte{byte(i), byte(j)})
		}
	}
	for _, p := range []*rowkey.Plan{p, p.Reversed()} {
		for limit := 1; limit <= 3*buckets; limit++ {
			tb := &mergeTable{rows: rows, nexts: map[string]int{}}
			got, err := collect(t, t.Context(), p.Limit(limit), 1, tb)
			if err != nil || len(got) != limit {
				t.Fatalf("%d: %x, %v", limit, got, err)
			}
			yielded := map[byte]int{}
			for _, key := range got {
				yielded[key[0]]++
			}
			reads, want := 0, 0
			for i := range buckets {
				reads += tb.nexts[string([]byte{byte(i)})]
				due := 1
				if got[limit-1][0] == byte(i) {
					due = 0
				}
				want += max(2, yielded[byte(i)]+due)
			}
			if reads != want || limit == 1 && reads != 2*buckets {
				t.Errorf("limit %d, reversed %t: %d rows read, not %d", limit, p.IsReversed(), reads, want)
			}
		}
	}
}

// TestMergeDirection: an open that overlooks the direction is an error before a row is yielded,
// with any limit, if some scan has two rows that may be due. One row alone cannot show it.
func TestMergeDirection(t *testing.T) {
	for _, reversed := range []bool{false, true} {
		_, p, rows := fixedCase(reversed)
		for _, parallel := range mergeParallel {
			for limit := range 5 {
				q := p
				if limit > 0 {
					q = p.Limit(limit)
				}
				tb := &mergeTable{rows: rows}
				open := func(ctx context.Context, r rowkey.Range, asked bool) (scan.Cursor[*mergeRow], error) {
					return tb.open(ctx, r, !asked)
				}
				n := 0
				for row, err := range scan.Merge(t.Context(), q, parallel, open, (*mergeRow).row) {
					if n++; row != nil || !errors.Is(err, rowkey.ErrScan) || !strings.Contains(err.Error(), "reversed") {
						t.Errorf("reversed %t, limit %d, parallel %d: %v, %v", reversed, limit, parallel, row, err)
						break
					}
				}
				if n != 1 {
					t.Errorf("reversed %t, limit %d, parallel %d: nothing came", reversed, limit, parallel)
				}
				_, _, _, err := scan.Page(t.Context(), q, nil, parallel, open, (*mergeRow).row)
				if !errors.Is(err, rowkey.ErrScan) || !strings.Contains(err.Error(), "reversed") {
					t.Errorf("a page of it: %v", err)
				}
			}
		}
	}
}

// TestMergeLimit: of no cursor more is asked than may be due.
func TestMergeLimit(t *testing.T) {
	r := mergeRand(t)
	shapes := mergeShapes()
	for range 1000 {
		sh, p, rows := mergeAny(r, shapes)
		p = p.Limit(1 + r.IntN(10))
		parallel := mergeParallel[r.IntN(len(mergeParallel))]
		tb := &mergeTable{rows: rows, nexts: map[string]int{}}
		got, err := collect(t, t.Context(), p, parallel, tb)
		if err != nil || !sameRows(got, wanted(sh, p, rows)) {
			t.Fatalf("%x, %v", got, err)
		}
		full := len(got) == inside.Plan(p).Most
		for i := range held(p) {
			c := inside.Plan(p).RangeAt(i)
			yielded, due := 0, 1
			for _, key := range got {
				if c.Contains(key) {
					yielded++
				}
			}
			between := 0
			for _, key := range rows {
				if tb.reversed && asked(c, key, true) && !c.Contains(key) {
					between++
				}
			}
			switch last := got[max(0, len(got)-1):]; {
			case full && c.Contains(last[0]):
				due = 0
			case full && parallel < 2 && yielded == 0 && !p.IsReversed() && sh.order(false)(c.Start, last[0]) > 0:
				due = 0
			}
			if yielded+due == 1 {
				due++ // two rows are compared before one is yielded
			}
			if n := tb.nexts[string(c.Start)]; n > yielded+due+between {
				t.Fatalf("parallel %d, limit %d: %d rows were asked of %v, which gave %d\nranges %v\nrows %x", parallel, inside.Plan(p).Most, n, c, yielded, held(p), got)
			}
		}
	}
	sh, p, rows := fixedCase(false)
	for _, n := range []int{0, -1} {
		tb := &mergeTable{rows: rows}
		want := fmt.Sprintf("Limit(%d): a limit is 1 or more; a plan without Limit reads all rows: value out of range", n)
		for _, q := range []*rowkey.Plan{p.Limit(n), p.Limit(n).Limit(5), p.Limit(7).Limit(n).Reversed(), p.Limit(n).SplitAt([][]byte{{1}})} {
			got, err := collect(t, t.Context(), q, 1, tb)
			if len(got) > 0 || !errors.Is(err, rowkey.ErrRange) || !strings.HasSuffix(err.Error(), want) || tb.opened > 0 {
				t.Errorf("Limit(%d): %q, %v", n, got, err)
			}
			if !strings.HasSuffix(q.String(), want+"\n") {
				t.Errorf("Limit(%d): %v", n, q)
			}
			if _, _, done, err := scan.Page(t.Context(), q, nil, 1, tb.open, (*mergeRow).row); done || !errors.Is(err, rowkey.ErrRange) {
				t.Errorf("a page of Limit(%d): %v, %v", n, done, err)
			}
		}
	}
	if got := wanted(sh, p.Limit(3).Limit(7), rows); len(got) != 3 {
		t.Errorf("a limit became higher: %q", got)
	}
	if p.Limit(7).Limit(3).Limit(0).Limit(5).Len() != 0 {
		t.Error("a limit of none was lifted")
	}
}

// listPlan is a plan of n ranges with two rows in each, that lie one after the
// other.
func listPlan(n int) (*rowkey.Plan, [][]byte) {
	p, in := madePlan(rowkey.New("list").Uint("n", 2).Uint("m", 1).MustBuild(), plan.Plan{Exact: true})
	var rows [][]byte
	for i := range n {
		lead := []byte{byte(i >> 8), byte(i)}
		in.Ranges.Add(heldRange(rowkey.PrefixRange(lead)))
		rows = append(rows, append(lead[:2:2], 1), append(lead[:2:2], 2))
	}
	return p, rows
}

// TestMergeAhead: ranges that lie one behind the other are opened as their turn
// comes, some of them ahead if there is no limit.
func TestMergeAhead(t *testing.T) {
	long(t)
	plan, rows := listPlan(60)
	for _, reversed := range []bool{false, true} {
		for _, c := range []struct{ parallel, limit, least, most int }{
			{1, 0, 1, 1}, {4, 0, 2, 4}, {4, 40, 1, 1}, {1, 40, 1, 1},
		} {
			p, in := copied(plan)
			in.IsReversed, in.Most = reversed, c.limit
			tb := &mergeTable{rows: rows, stall: sometimes}
			got, err := collectAnd(t, t.Context(), p, c.parallel, tb, func(i int) bool {
				for range 10000 { // the background has its time
					if i >= 100 || tb.openedSoFar() >= i/2+c.least {
						break
					}
					time.Sleep(time.Millisecond)
				}
				if n := tb.openedSoFar(); i < 100 && (n < i/2+c.least || n > i/2+c.most) {
					t.Errorf("parallel %d, limit %d: %d ranges opened at row %d", c.parallel, c.limit, n, i)
				}
				tb.mu.Lock()
				defer tb.mu.Unlock()
				if n := tb.opened - tb.closed; n > c.parallel+1 {
					t.Errorf("%d cursors are open, some of which have been read", n)
				}
				return !t.Failed()
			})
			if want := 120; err != nil || c.limit == 0 && len(got) != want || c.limit > 0 && len(got) != c.limit {
				t.Errorf("%d rows, %v", len(got), err)
			}
		}
	}
}

func (tb *mergeTable) openedSoFar() int {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	return tb.opened
}

// saltedPlan is a plan of n whole buckets with two rows in each.
func saltedPlan(n int) (*rowkey.Plan, [][]byte) {
	p, in := madePlan(rowkey.New("salted").Salt(n, "a").String("a").MustBuild(), plan.Plan{Exact: true, Leads: 1})
	var rows [][]byte
	for i := range n {
		in.Ranges.Add(heldRange(rowkey.PrefixRange([]byte{byte(i)})))
		rows = append(rows, []byte{byte(i), 'a'}, []byte{byte(i), 'b'})
	}
	return p, rows
}

// TestMergeParallel: as many calls are made at once as may be, and no more: a
// client that answers only when so many have come does answer.
func TestMergeParallel(t *testing.T) {
	p, rows := saltedPlan(16)
	for _, parallel := range []int{2, 4, 8, 16} {
		var mu sync.Mutex
		waiting, gate := 0, make(chan struct{})
		tb := &mergeTable{rows: rows, stall: func(_ context.Context, call string) {
			if !strings.HasSuffix(call, "open") {
				return
			}
			mu.Lock()
			if waiting++; waiting == parallel {
				waiting = 0
				close(gate)
				gate = make(chan struct{})
				mu.Unlock()
				return
			}
			mine := gate
			mu.Unlock()
			select {
			case <-mine:
			case <-time.After(10 * time.Second):
				t.Errorf("fewer than %d calls at once", parallel)
			}
		}}
		got, err := collect(t, t.Context(), p, parallel, tb)
		if err != nil || len(got) != len(rows) {
			t.Errorf("%x, %v", got, err)
		}
		if most := int(tb.most.Load()); most != parallel {
			t.Errorf("%d calls at once, not %d", most, parallel)
		}
	}
}

// TestMergeReadAhead: a cursor that is slow has its next row under way while a
// row is looked at; with a limit only the one whose row it is.
func TestMergeReadAhead(t *testing.T) {
	_, p, rows := fixedCase(false)
	for _, limit := range []int{0, 10} {
		q, in := copied(p)
		in.Most = limit
		var mu sync.Mutex
		began := map[string]chan struct{}{}
		of := func(call string) chan struct{} {
			mu.Lock()
			defer mu.Unlock()
			if began[call] == nil {
				began[call] = make(chan struct{})
			}
			return began[call]
		}
		tb := &mergeTable{rows: rows, stall: func(_ context.Context, call string) {
			close(of(call))
			time.Sleep(200 * time.Microsecond)
		}}
		_, err := collectAnd(t, t.Context(), q, 4, tb, func(i int) bool {
			if i == 0 { // \x02 is first, its next row is not due before this loop goes on
				select {
				case <-of("02: next 1"):
				case <-time.After(10 * time.Second):
					t.Errorf("limit %d: nothing is read ahead", limit)
				}
				if limit > 0 {
					select {
					case <-of("0062: next 1"):
						t.Error("a row is read ahead that may not be due")
					case <-time.After(5 * time.Millisecond):
					}
				}
			}
			return true
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestMergeResidual: what the ranges leave undecided is asked of Match, and a
// row that does not match costs its neighbours nothing.
func TestMergeResidual(t *testing.T) {
	long(t)
	r := mergeRand(t)
	s := rowkey.New("residual").Salt(4, "n").Uint("n", 1).String("text").MustBuild()
	sh := &mergeShape{"residual", s, 1, []string{"\x00", "\x01", "\x02", "\x03"}, ""}
	for range 300 {
		var rows [][]byte
		for range r.IntN(100) {
			key, err := s.AppendKey(nil, r.IntN(3), string(mergeRest(r)))
			if err != nil {
				t.Fatal(err)
			}
			rows = append(rows, key)
		}
		for range 3 {
			rows = append(rows, []byte{byte(r.IntN(4))}) // no keys of the schema
		}
		rows = sortRows(rows)
		conds := []rowkey.Cond{rowkey.FullScan(), rowkey.Suffix("text", []string{"a", "b", "\xff"}[r.IntN(3)])}
		if r.IntN(2) == 0 {
			conds = append(conds, rowkey.NotEq("n", 1))
		}
		p, err := s.Scan(conds...)
		if err != nil {
			t.Fatal(err)
		}
		if p.Exact() {
			t.Fatal("the query is to be residual")
		}
		if r.IntN(2) == 0 {
			p = p.Reversed()
		}
		parallel := mergeParallel[r.IntN(len(mergeParallel))]
		tb := &mergeTable{rows: rows}
		if r.IntN(10) == 0 {
			tb.stall = sometimes
		}
		got, err := collect(t, t.Context(), p, parallel, tb)
		if want := wanted(sh, p, rows); err != nil || !sameRows(got, want) {
			t.Fatalf("parallel %d, reversed %t\nrows %x\n got %x, %v\nwant %x", parallel, p.IsReversed(), rows, got, err, want)
		}
	}
}

// TestMergeContext: the context that open is given lives as long as the cursor,
// and no longer than the loop.
func TestMergeContext(t *testing.T) {
	type keyType struct{}
	_, p, rows := fixedCase(false)
	for _, parallel := range mergeParallel {
		var given []context.Context
		var mu sync.Mutex
		tb := &mergeTable{rows: rows}
		open := func(ctx context.Context, r rowkey.Range, reversed bool) (scan.Cursor[*mergeRow], error) {
			mu.Lock()
			given = append(given, ctx)
			mu.Unlock()
			return tb.open(ctx, r, reversed)
		}
		n := 0
		for _, err := range scan.Merge(context.WithValue(t.Context(), keyType{}, "v"), p, parallel, open, (*mergeRow).row) {
			if n++; err != nil {
				t.Error(err)
			}
			mu.Lock()
			for _, ctx := range given {
				if ctx.Err() != nil || ctx.Value(keyType{}) != "v" {
					t.Error("the context ended during the loop, or lost its values")
				}
			}
			mu.Unlock()
		}
		for _, ctx := range given {
			if ctx.Err() == nil {
				t.Error("the context outlives the loop")
			}
		}
		if n != len(rows) {
			t.Errorf("%d rows", n)
		}
	}
}

// TestMergeTwice: the loop can be run again, and each run is one of its own.
func TestMergeTwice(t *testing.T) {
	sh, p, rows := fixedCase(false)
	tb := &mergeTable{rows: rows}
	loop := scan.Merge(t.Context(), p, 2, tb.open, (*mergeRow).row)
	for range 3 {
		var got [][]byte
		for row, err := range loop {
			if err != nil {
				t.Fatal(err)
			}
			for range loop { // and within itself
				break
			}
			got = append(got, row.key)
		}
		if !sameRows(got, wanted(sh, p, rows)) {
			t.Errorf("%q", got)
		}
	}
	if tb.opened != tb.closed {
		t.Errorf("%d cursors opened, %d closed", tb.opened, tb.closed)
	}
}

// TestMergeClose: cursors whose Close fails or panics keep none of the others
// from being closed.
func TestMergeClose(t *testing.T) {
	p, rows := saltedPlan(5)
	for _, parallel := range mergeParallel {
		var closed atomic.Int32
		tb := &mergeTable{rows: rows}
		open := func(ctx context.Context, r rowkey.Range, reversed bool) (scan.Cursor[*mergeRow], error) {
			c, err := tb.open(ctx, r, reversed)
			return panicky{c, &closed}, err
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Error("a panic of Close is lost")
				}
			}()
			for range scan.Merge(t.Context(), p, parallel, open, (*mergeRow).row) {
				break
			}
		}()
		if n := tb.openedSoFar(); n != p.Len() || int(closed.Load()) != n {
			t.Errorf("parallel %d: %d of %d cursors closed", parallel, closed.Load(), n)
		}
	}
}

type panicky struct {
	scan.Cursor[*mergeRow]
	closed *atomic.Int32
}

func (c panicky) Close() error {
	c.closed.Add(1)
	panic("close")
}

// TestMergeAllocs: what a loop allocates does not depend on its rows.
func TestMergeAllocs(t *testing.T) {
	var allocs [2]float64
	for i, n := range []int{10, 1000} {
		p, in := madePlan(rowkey.New("salted").Salt(16, "a").Uint("a", 2).MustBuild(), plan.Plan{Exact: true, Leads: 1})
		buckets := make([][]*benchResult, 16)
		for lead := range byte(16) {
			in.Ranges.Add(heldRange(rowkey.PrefixRange([]byte{lead})))
			for j := range n {
				buckets[lead] = append(buckets[lead], &benchResult{[]byte{lead, byte(j >> 8), byte(j)}})
			}
		}
		open := func(_ context.Context, r rowkey.Range, _ bool) (scan.Cursor[*benchResult], error) {
			return &benchCursor{rows: buckets[r.Start()[0]]}, nil
		}
		allocs[i] = testing.AllocsPerRun(10, func() {
			for _, err := range scan.Merge(context.Background(), p, 1, open, (*benchResult).row) {
				if err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	if allocs[0] != allocs[1] || allocs[0] > 40 {
		t.Errorf("160 rows cost %v allocations, 16000 rows %v", allocs[0], allocs[1])
	}
}

// TestMergeScan: plans as Scan makes them, over salts, hashes and buckets in each
// form: the order is that of the key after them.
func TestMergeScan(t *testing.T) {
	long(t)
	r := mergeRand(t)
	salt := func(row rowkey.Row) int { return len(row.Stored("salt")) }
	for _, c := range []struct {
		s    *rowkey.Schema
		lead func(rowkey.Row) int
	}{
		{rowkey.New("byte").Salt(16, "a").Uint("a", 1).String("b").MustBuild(), salt},
		{rowkey.New("wide").Salt(600, "a", rowkey.Width(2)).Uint("a", 1).String("b").MustBuild(), salt},
		{rowkey.New("digits").Salt(100, "a", rowkey.Digits(2)).Separator("_").Uint("a", 1).String("b").MustBuild(), salt},
		{rowkey.New("decimal low").Salt(20, "a", rowkey.Decimal).Separator("-").Uint("a", 1).String("b").MustBuild(), salt},
		{rowkey.New("decimal high").Salt(20, "a", rowkey.Decimal).Separator("_").Uint("a", 1).String("b").MustBuild(), salt},
		{rowkey.New("letters").Salt(4, "a", rowkey.Letters("qwer")).Literal("-").Uint("a", 1).String("b").MustBuild(), salt},
		{rowkey.New("tagged").Literal("t").Salt(4, "a").Literal("-").Hash(rowkey.MD5.Hex(1), "a").Uint("a", 1).String("b").MustBuild(), func(row rowkey.Row) int { return 4 }},
		{rowkey.New("hashed").Hash(rowkey.MD5.Hex(2), "a").Uint("a", 1).String("b").MustBuild(), func(rowkey.Row) int { return 2 }},
		{rowkey.New("round robin").Uint("slot", 1, rowkey.Below(8), rowkey.Bucket).Uint("a", 1).String("b").MustBuild(), func(rowkey.Row) int { return 1 }},
		{rowkey.New("two buckets").String("slot", rowkey.OneOf("x", "yy"), rowkey.Bucket).Separator("/").Salt(4, "a").Uint("a", 1).String("b").MustBuild(), func(row rowkey.Row) int { return len(row.Stored("slot")) + 2 }},
		{rowkey.New("bool").Bool("slot", rowkey.Bucket).Uint("a", 1).String("b").MustBuild(), func(rowkey.Row) int { return 1 }},
		{rowkey.New("none").Uint("a", 1).Salt(4, "a").String("b").MustBuild(), func(rowkey.Row) int { return 0 }},
	} {
		slots := []any{"x", "yy"}
		for f := range c.s.Fields() {
			if f.Name == "slot" && f.Kind == "uint" {
				slots = []any{0, 1, 7}
			} else if f.Name == "slot" && f.Kind == "bool" {
				slots = []any{false, true}
			}
		}
		var rows [][]byte
		leads := map[string]int{}
		for range 200 {
			values := []any{r.IntN(40), string(mergeRest(r))}
			if c.s.Order("slot") != 0 {
				values = append([]any{slots[r.IntN(len(slots))]}, values...)
			}
			key, err := c.s.AppendKey(nil, values...)
			if err != nil {
				t.Fatal(err)
			}
			row, err := c.s.Decode(key)
			if err != nil {
				t.Fatal(err)
			}
			leads[string(key)] = c.lead(row)
			rows = append(rows, key)
		}
		rows = sortRows(rows)
		for name, conds := range map[string][]rowkey.Cond{
			"all":    nil,
			"span":   {rowkey.Span("a", 5, 20)},
			"points": {rowkey.In("a", 1, 2, 3, 5, 8, 13, 21, 34)},
			"one":    {rowkey.Eq("a", 7), rowkey.Prefix("b", "s")},
			"rest":   {rowkey.NotEq("a", 7), rowkey.Suffix("b", "a")},
		} {
			p, err := c.s.Scan(append(conds, rowkey.FullScan(), rowkey.MaxRanges(100_000))...)
			if err != nil {
				t.Fatalf("%v: %v", c.s, err)
			}
			if r.IntN(2) == 0 {
				p = p.Reversed()
			}
			if r.IntN(2) == 0 {
				p = p.SplitAt(rows[:r.IntN(10)])
			}
			want := slices.DeleteFunc(slices.Clone(rows), func(key []byte) bool { return !p.Match(key) })
			slices.SortFunc(want, func(a, b []byte) int {
				i, j := leads[string(a)], leads[string(b)]
				n := cmp.Or(bytes.Compare(a[i:], b[j:]), bytes.Compare(a[:i], b[:j]))
				if p.IsReversed() {
					return -n
				}
				return n
			})
			parallel := mergeParallel[r.IntN(len(mergeParallel))]
			got, err := collect(t, t.Context(), p, parallel, &mergeTable{rows: rows})
			if err != nil || !sameRows(got, want) {
				t.Fatalf("%v, %s, parallel %d, reversed %t\nranges %v\n got %x, %v\nwant %x", c.s, name, parallel, p.IsReversed(), held(p), got, err, want)
			}
			var pages [][]byte
			for q := p; len(pages) < len(want); {
				page, err := collect(t, t.Context(), q.Limit(1+r.IntN(50)), parallel, &mergeTable{rows: rows})
				if err != nil || len(page) == 0 {
					t.Fatalf("%v, %s: page %x, %v", c.s, name, page, err)
				}
				pages = append(pages, page...)
				if q, err = p.Resume(p.Token(page[len(page)-1])); err != nil {
					t.Fatal(err)
				}
			}
			if !sameRows(pages, want) {
				t.Fatalf("%v, %s: pages %x\nwant %x", c.s, name, pages, want)
			}
		}
	}
}
