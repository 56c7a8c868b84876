package rekey_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/change"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/internal/memory"
	"github.com/hbase-rowkey/rowkey/hbase/internal/thrift2"
	"github.com/hbase-rowkey/rowkey/hbase/rekey"
	"github.com/stretchr/testify/require"
)

// shaky is a gateway whose calls take their time. A write may be lost, or be made without an answer,
// at once or after the caller has given it up.
type shaky struct {
	*memory.Server
	late *sync.WaitGroup
	kill func() // ends who calls, in the middle of a call; nil: nobody

	mu sync.Mutex
	r  *rand.Rand
}

func (s *shaky) n(n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.r.IntN(n)
}

var errShaken = errors.New("shaken")

func (s *shaky) slow() {
	if s.n(3) == 0 {
		time.Sleep(time.Duration(s.n(2500)) * time.Microsecond)
	}
}

func (s *shaky) write(table []byte, do func() error) error {
	s.slow()
	of := 25
	if strings.HasPrefix(string(table), "rowkey") {
		of = 150
	}
	shaken := func() error {
		if s.kill != nil && s.n(2) == 0 {
			s.kill()
		}
		text := errShaken.Error()
		return &thrift2.TIOError{Message: &text}
	}
	if s.n(of) == 0 {
		switch s.n(3) {
		case 0:
			return shaken()
		case 1:
			_ = do()
			return shaken()
		default:
			s.late.Add(1)
			wait := time.Duration(s.n(30_000)) * time.Microsecond
			go func() {
				defer s.late.Done()
				time.Sleep(wait)
				_ = do()
			}()
			return shaken()
		}
	}
	return do()
}

func (s *shaky) Put(ctx context.Context, table []byte, p *thrift2.TPut) error {
	return s.write(table, func() error { return s.Server.Put(ctx, table, p) })
}

func (s *shaky) PutMultiple(ctx context.Context, table []byte, ps []*thrift2.TPut) error {
	return s.write(table, func() error { return s.Server.PutMultiple(ctx, table, ps) })
}

func (s *shaky) DeleteMultiple(ctx context.Context, table []byte, ds []*thrift2.TDelete) (left []*thrift2.TDelete, err error) {
	err = s.write(table, func() error {
		_, err := s.Server.DeleteMultiple(ctx, table, ds)
		return err
	})
	return []*thrift2.TDelete{}, err
}

func (s *shaky) MutateRow(ctx context.Context, table []byte, m *thrift2.TRowMutations) error {
	return s.write(table, func() error { return s.Server.MutateRow(ctx, table, m) })
}

func (s *shaky) Get(ctx context.Context, table []byte, g *thrift2.TGet) (*thrift2.TResult_, error) {
	s.slow()
	return s.Server.Get(ctx, table, g)
}

func (s *shaky) GetMultiple(ctx context.Context, table []byte, g []*thrift2.TGet) ([]*thrift2.TResult_, error) {
	s.slow()
	return s.Server.GetMultiple(ctx, table, g)
}

func (s *shaky) GetScannerResults(ctx context.Context, table []byte, scan *thrift2.TScan, n int32) ([]*thrift2.TResult_, error) {
	s.slow()
	return s.Server.GetScannerResults(ctx, table, scan, n)
}

// walkOp is an operation of a walk. Their order is that of their times.
type walkOp struct {
	row     int
	columns []string // of a delete; none is the row
	put     bool     // of all columns named
	acked   bool
	over    bool
}

func (o *walkOp) of(column string) bool {
	family, _, _ := strings.Cut(column, ":")
	return !o.put && len(o.columns) == 0 || slices.Contains(o.columns, column) || !o.put && slices.Contains(o.columns, family)
}

// walk is a change with families that keep several versions, and all that was asked for.
type walk struct {
	t       *testing.T
	server  *memory.Server
	late    sync.WaitGroup
	seed    uint64
	actors  uint64
	def     rekey.Definition
	keys    [][]byte
	columns []string
	keeps   map[string]int

	mu   sync.Mutex
	ops  []*walkOp
	last [3]int64
	bad  string
}

// dial is a connection of its own, and what shakes it.
func (w *walk) dial(kill func()) *hbase.Client {
	w.mu.Lock()
	w.actors++
	n := w.actors
	w.mu.Unlock()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(w.t, err)
	g := memory.Serve(l, &shaky{Server: w.server, late: &w.late, kill: kill, r: rand.New(rand.NewPCG(w.seed, n))})
	w.t.Cleanup(g.Stop)
	c, err := hbase.Dial(w.t.Context(), l.Addr().String(), hbase.Connections(16))
	require.NoError(w.t, err)
	w.t.Cleanup(func() { c.Close() })
	return c
}

// begin notes an operation, in a millisecond of its own.
func (w *walk) begin(o *walkOp) (number int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for time.Now().UnixMilli() <= w.last[o.row] {
		w.mu.Unlock()
		time.Sleep(200 * time.Microsecond)
		w.mu.Lock()
	}
	w.last[o.row] = time.Now().UnixMilli() + 6 // it has its time by then
	w.ops = append(w.ops, o)
	return len(w.ops)
}

func (w *walk) end(o *walkOp, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	o.over, o.acked = true, err == nil
}

// known is what was acknowledged when a read begins.
func (w *walk) known() []bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	acked := make([]bool, len(w.ops))
	for i, o := range w.ops {
		acked[i] = o.acked
	}
	return acked
}

// judge holds what was read of a row against what there may be.
func (w *walk) judge(who string, row int, cells []hbase.Cell, acked []bool, versions int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, column := range w.columns {
		family, qualifier, _ := strings.Cut(column, ":")
		var seen []int
		for _, c := range cells {
			if c.Family == family && c.Qualifier == qualifier {
				var n int
				fmt.Sscan(string(c.Value), &n)
				seen = append(seen, n)
			}
		}
		if !w.may(row, column, seen, acked, min(versions, w.keeps[family])) && w.bad == "" {
			w.bad = fmt.Sprintf("%s: row %d, %s: %v is seen of", who, row, column, seen)
			for i, o := range w.ops {
				if o.row == row && o.of(column) {
					w.bad += fmt.Sprintf(" #%d put:%t %v acked before:%t over:%t acked:%t;", i+1, o.put, o.columns, i < len(acked) && acked[i], o.over, o.acked)
				}
			}
		}
	}
}

func (w *walk) may(row int, column string, seen []int, acked []bool, most int) bool {
	is := func(i int) bool { return i < len(acked) && acked[i] }
	least := 0
	for i, o := range w.ops {
		if o.row == row && o.of(column) && !o.put && is(i) {
			least = i + 1
		}
	}
	for d := least; d <= len(w.ops); d++ {
		if d > least {
			if o := w.ops[d-1]; o.row != row || o.put || !o.of(column) {
				continue
			}
		}
		var want []int // the newest first
		for i := len(w.ops) - 1; i >= d; i-- {
			o := w.ops[i]
			if o.row == row && o.put && o.of(column) && (is(i) || slices.Contains(seen, i+1)) && len(want) < most {
				want = append(want, i+1)
			}
		}
		if slices.Equal(want, seen) {
			return true
		}
	}
	return false
}

// newWalk makes the table, its rows and the change.
func newWalk(t *testing.T, seed uint64, one bool) *walk {
	server, err := memory.Start()
	require.NoError(t, err)
	t.Cleanup(server.Stop)
	w := &walk{t: t, server: server, seed: seed, columns: []string{"f:", "f:a", "g:a"}, keeps: map[string]int{"f": 1, "g": 1}}
	r := rand.New(rand.NewPCG(seed, 0))
	for f := range w.keeps {
		w.keeps[f] = 1 + r.IntN(3)
	}
	admin, err := hbase.Dial(t.Context(), server.Addr)
	require.NoError(t, err)
	t.Cleanup(func() { admin.Close() })
	splits, err := ten.Splits(3)
	require.NoError(t, err)
	kept := map[string]string{rekey.Tombstones: fmt.Sprint(takes.Milliseconds())}
	require.NoError(t, admin.CreateTableOf(t.Context(), "old", splits,
		hbase.Family{Name: "f", Versions: w.keeps["f"], Config: kept}, hbase.Family{Name: "g", Versions: w.keeps["g"], Config: kept}))
	w.def = rekey.Definition{OldTable: "old", OldSchema: ten.String(), NewTable: "new", NewSchema: wide.String(), Takes: takes, Lease: rekey.ShortestLease}
	if one {
		w.def.NewTable, w.def.NewSchema = "old", alike.String()
	}
	_, _, err = rekey.Begin(t.Context(), admin, "rowkey_change", "x", rekey.Beginning{Definition: w.def, Regions: 3})
	require.NoError(t, err)
	at := time.Now().Add(-time.Minute)
	for i := range 3 {
		old, err := ten.AppendKey(nil, uint64(i*7), uint64(i))
		require.NoError(t, err)
		to, err := rowkey.Parse("to", w.def.NewSchema)
		require.NoError(t, err)
		key, err := to.Rekey(nil, old, ten)
		require.NoError(t, err)
		w.keys = append(w.keys, key)
		for range 2 {
			o := &walkOp{row: i, put: true, columns: w.columns}
			n := w.begin(o)
			w.end(o, nil)
			require.NoError(t, admin.Table("old").Put(t.Context(), hbase.Row{Key: old, Cells: w.cellsOf(o, n, at.Add(time.Duration(n)*time.Millisecond))}))
		}
	}
	return w
}

func (w *walk) cellsOf(o *walkOp, n int, at time.Time) (cells []hbase.Cell) {
	for _, column := range o.columns {
		family, qualifier, _ := strings.Cut(column, ":")
		cells = append(cells, hbase.Cell{Family: family, Qualifier: qualifier, Value: []byte(fmt.Sprint(n)), Time: at})
	}
	return cells
}

// process is a client that writes and reads until its context ends, or it is killed and started anew.
func (w *walk) process(ctx context.Context, name string, seed uint64) {
	r := rand.New(rand.NewPCG(w.seed, seed))
	for ctx.Err() == nil {
		client := w.dial(nil)
		c, err := w.def.Change(client)
		require.NoError(w.t, err)
		life, stop := context.WithCancel(ctx)
		store, err := rekey.OpenStore(life, client, "rowkey_change", "x")
		cl := c.Client()
		if err == nil {
			err = store.Join(life, name, cl)
		}
		var ended sync.WaitGroup
		if err == nil {
			ended.Add(1)
			go func() { defer ended.Done(); _ = store.Follow(life, cl, time.Millisecond) }()
			for range 60 + r.IntN(200) {
				if ctx.Err() != nil || w.step(life, cl, c, r) != nil {
					break
				}
			}
		}
		stop()
		ended.Wait()
	}
}

// step is an operation or a read.
func (w *walk) step(ctx context.Context, cl *rekey.Client, c *rekey.Change, r *rand.Rand) error {
	if _, err := cl.State(); err != nil {
		return err
	}
	time.Sleep(time.Duration(r.IntN(1500)) * time.Microsecond)
	row := r.IntN(len(w.keys))
	switch r.IntN(8) {
	case 0, 1, 2:
		o := &walkOp{row: row, put: true}
		for _, column := range w.columns {
			if r.IntN(2) == 0 {
				o.columns = append(o.columns, column)
			}
		}
		if len(o.columns) == 0 {
			return nil
		}
		n := w.begin(o)
		w.end(o, cl.Put(ctx, hbase.Row{Key: w.keys[row], Cells: w.cellsOf(o, n, time.Time{})}))
	case 3, 4:
		o := &walkOp{row: row, columns: [][]string{nil, {"f"}, {"g"}, {"f:"}, {"f:a"}, {"g:a"}, {"f", "g"}, {"f:a", "g"}}[r.IntN(8)]}
		w.begin(o)
		w.end(o, cl.Delete(ctx, w.keys[row], o.columns...))
	case 5, 6:
		acked := w.known()
		got, _, err := cl.Get(ctx, w.keys[row])
		if err == nil {
			w.judge("get", row, got.Cells, acked, 1)
		}
	default:
		return w.scan(ctx, cl, c, 1+r.IntN(3))
	}
	return nil
}

func (w *walk) scan(ctx context.Context, cl *rekey.Client, c *rekey.Change, versions int) error {
	plan, err := c.Plan(rowkey.FullScan())
	if err != nil {
		return err
	}
	acked := w.known()
	got := make([][]hbase.Cell, len(w.keys))
	for row, err := range cl.Scan(ctx, plan, hbase.Versions(versions)) {
		if err != nil {
			return nil
		}
		i := slices.IndexFunc(w.keys, func(k []byte) bool { return string(k) == string(row.Key) })
		if i < 0 || got[i] != nil {
			w.mu.Lock()
			w.bad = fmt.Sprintf("row %x comes twice, or is none", row.Key)
			w.mu.Unlock()
			return nil
		}
		got[i] = row.Cells
	}
	for i := range got {
		w.judge("scan", i, got[i], acked, versions)
	}
	return nil
}

// again does something of the operator's until it is done; each run may be killed.
func (w *walk) again(ctx context.Context, do func(ctx context.Context, c *rekey.Change, store *rekey.Store) error) error {
	for {
		life, stop := context.WithCancel(ctx)
		client := w.dial(stop)
		c, err := w.def.Change(client)
		require.NoError(w.t, err)
		store, err := rekey.OpenStore(life, client, "rowkey_change", "x")
		if err == nil {
			err = do(life, c, store)
		}
		stop()
		client.Close()
		if err == nil || ctx.Err() != nil {
			return ctx.Err()
		}
		if errors.Is(err, change.ErrStale) || errors.Is(err, rekey.ErrChanged) {
			return err
		}
		if life.Err() == nil && !strings.Contains(err.Error(), "shaken") && !errors.Is(err, change.ErrPhase) {
			return err
		}
	}
}

// moves moves by two movers, with a verify beside them, and verifies.
func (w *walk) moves(ctx context.Context) error {
	err := w.again(ctx, func(ctx context.Context, c *rekey.Change, store *rekey.Store) error {
		turn, err := turn(ctx, store)
		if err != nil {
			return err
		}
		versions, err := c.Versions(ctx, turn.State, turn.From())
		if err != nil {
			return err
		}
		var all sync.WaitGroup
		var errs [3]error
		for i := range 2 {
			all.Add(1)
			go func() {
				defer all.Done()
				_, errs[i] = c.Move(ctx, turn, rekey.Moving{Parallel: 1 + i, Batch: 1 + i, Versions: versions, Patience: 1})
			}()
		}
		all.Add(1)
		go func() {
			defer all.Done()
			_, errs[2] = c.Verify(ctx, turn, rekey.Verifying{Versions: versions, Wait: 60 * time.Millisecond, Patience: 1})
		}()
		all.Wait()
		return errors.Join(errs[:2]...)
	})
	if err != nil {
		return err
	}
	return w.again(ctx, func(ctx context.Context, c *rekey.Change, store *rekey.Store) error {
		turn, err := store.MayMove(ctx)
		if err != nil {
			return err
		}
		versions, err := c.Versions(ctx, turn.State, turn.From())
		if err != nil {
			return err
		}
		if _, err = c.Verify(ctx, turn, rekey.Verifying{Versions: versions, Wait: 60 * time.Millisecond, Patience: 1}); err != nil {
			return err
		}
		_, err = store.Verified(ctx, turn)
		return err
	})
}

func (w *walk) goes(ctx context.Context, p change.Phase) error {
	return w.again(ctx, func(ctx context.Context, _ *rekey.Change, store *rekey.Store) error {
		return asks(ctx, store, nil, func(ctx context.Context) error {
			st, err := store.State(ctx)
			if err != nil || st.Phase == p {
				return err
			}
			_, err = store.Step(ctx, p)
			return err
		})
	})
}

// run goes through the phases, and back.
func (w *walk) run() string {
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	defer cancel()
	working, stop := context.WithCancel(ctx)
	var all sync.WaitGroup
	for i := range 2 {
		all.Add(1)
		go func() { defer all.Done(); w.process(working, fmt.Sprint("app-", i), uint64(1000+i)) }()
	}
	r := rand.New(rand.NewPCG(w.seed, 999))
	phases := []change.Phase{change.Prepare, change.WriteBoth, change.ReadNew, change.Keep}
	if r.IntN(2) == 0 {
		phases = append(phases, change.ReadNew, change.WriteBoth)
		if r.IntN(2) == 0 {
			phases = append(phases, change.Prepare, change.WriteBoth)
		}
		phases = append(phases, change.ReadNew, change.Keep)
	}
	phases = append(phases, change.New)
	var failed error
	was := change.Old
	for _, p := range phases {
		if p == change.ReadNew && was == change.WriteBoth || p == change.WriteBoth && was == change.ReadNew {
			failed = w.moves(ctx)
		}
		if failed == nil {
			failed = w.goes(ctx, p)
		}
		if failed != nil {
			failed = fmt.Errorf("to %v: %w", p, failed)
			break
		}
		was = p
		time.Sleep(time.Duration(r.IntN(20)) * time.Millisecond)
		w.mu.Lock()
		bad := w.bad
		w.mu.Unlock()
		if bad != "" {
			break
		}
	}
	stop()
	all.Wait()
	w.late.Wait()
	if w.bad == "" && failed != nil {
		return failed.Error()
	}
	return w.bad
}

// TestWalk: clients put and delete rows, families and columns of several versions, in two tables and
// in one, while writes are lost, come late and have no answer, clients die, two movers and a verify
// run at once and are killed, and the change goes forward and back. Each read holds what was
// acknowledged, and nothing that was deleted.
func TestWalk(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			require.Empty(t, newWalk(t, seed, seed == 2).run())
		})
	}
}
