package rekey_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/change"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/internal/cluster/shared"
	"github.com/hbase-rowkey/rowkey/hbase/rekey"
	"github.com/stretchr/testify/require"
)

var tables atomic.Int64

func TestMain(m *testing.M) {
	if told := os.Getenv(tortureEnv); told != "" {
		if err := runTorture(told); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	tables.Store(shared.FirstTable())
	*rekey.HoldsFor = 3 * time.Second
	shared.Main(m)
}

// onServer is the gateway of a real HBase.
func onServer(t *testing.T) string { return shared.Server(t).Socket }

// anywhere is the gateway of a real HBase where there is one, and else of one in this process.
func anywhere(t *testing.T) string { return shared.ServerOr(t, inMemory) }

// inMemory is the gateway of an HBase in this process, for what needs no real one.
func inMemory(t *testing.T) string {
	_, gateway := withClock(t)
	return gateway
}

// patient is a client that waits for what is mended by itself.
func patient(t *testing.T, gateway string, opts ...hbase.Option) *hbase.Client {
	opts = append([]hbase.Option{hbase.Timeout(3 * time.Minute), hbase.Connections(32), hbase.Retry(20, 200*time.Millisecond)}, opts...)
	c, err := hbase.Dial(t.Context(), gateway, opts...)
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

// The layouts of the tests: ten buckets, and sixty-four with another field in front.
var (
	ten   = rowkey.Must(rowkey.Parse("ten", "[salt10(seller)][seller:2][at:4]"))
	wide  = rowkey.Must(rowkey.Parse("wide", "[salt64(at)][at:4][seller:2]"))
	alike = rowkey.Must(rowkey.Parse("alike", "[salt40(seller)][seller:2][at:4]")) // of some sellers the bucket is the same
)

const takes = 24 * time.Hour

// world is a table under change, with clients, writers and readers, and what is known of
// each row.
type world struct {
	t         *testing.T
	gateway   string
	shows     bool          // the gateway shows TTLs
	admin     *hbase.Client // of the operator
	c         *rekey.Change
	def       rekey.Definition
	store     *rekey.Store
	rows      []*known
	kills     killer
	stop      chan struct{}
	ending    sync.Once
	pause     sync.RWMutex
	puts      atomic.Int64
	reads     atomic.Int64
	failed    atomic.Int64 // operations that were not acknowledged
	wrong     atomic.Pointer[string]
	tasks     sync.WaitGroup
	over      []func() // end of the clients' Follow
	following sync.WaitGroup
	slow      time.Duration // by which the last client hears of a phase late
	rest      time.Duration // between two scans of all
	dying     int           // writers that are ended in each phase
}

// known is what is known of a row: its operations, of which the last that was
// acknowledged counts, and those after it may.
type known struct {
	key []byte // in the new layout
	own sync.Mutex

	mu    sync.Mutex
	ops   []bool // true is a put, false a delete
	acked int    // operations up to the last that was acknowledged
}

// may are the states in which a row may be seen by a read that began when so many were
// acknowledged: the operations from number acked on, 0 being none.
func (k *known) may(acked, seen int) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if seen > 0 {
		if seen < acked || seen > len(k.ops) || !k.ops[seen-1] {
			return fmt.Errorf("row %x: operation %d is seen, %d was acknowledged of %d", k.key, seen, acked, len(k.ops))
		}
		return nil
	}
	if acked == 0 {
		return nil
	}
	for _, put := range k.ops[acked-1:] {
		if !put {
			return nil
		}
	}
	return fmt.Errorf("row %x is missing, operation %d was acknowledged of %d", k.key, acked, len(k.ops))
}

func (k *known) acknowledged() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.acked
}

// killer ends a writer between its two writes, or a mover in the middle, by ending a
// call's context.
type killer struct {
	mu    sync.Mutex
	table string
	left  int
	done  atomic.Int64
}

func (k *killer) arm(table string, calls int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.table, k.left = table, calls
}

func (k *killer) Begin(ctx context.Context, call hbase.Call) (context.Context, func(hbase.Outcome)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if call.Write && call.Table == k.table && k.left > 0 {
		k.left--
		k.done.Add(1)
		ended, cancel := context.WithCancel(ctx)
		cancel()
		return ended, nil
	}
	return ctx, nil
}

// newWorld makes a table of rows, and everything for its change.
func newWorld(t *testing.T, gateway string, from, to *rowkey.Schema, rows int, oneTable bool) *world {
	return newWorldOf(t, gateway, from, to, rows, oneTable, lease)
}

func newWorldOf(t *testing.T, gateway string, from, to *rowkey.Schema, rows int, oneTable bool, lease time.Duration) *world {
	w := &world{t: t, stop: make(chan struct{}), gateway: gateway, admin: patient(t, gateway), slow: time.Second, rest: 100 * time.Millisecond, dying: 2}
	t.Cleanup(w.end)
	n := tables.Add(1)
	names := [2]string{fmt.Sprintf("old%d", n), fmt.Sprintf("new%d", n)}
	if oneTable {
		names[1] = names[0]
	}
	w.def = rekey.Definition{OldTable: names[0], OldSchema: from.String(), NewTable: names[1], NewSchema: to.String(), Takes: takes, Lease: lease}
	regions := 4
	splits, err := from.Splits(regions)
	if err != nil { // they depend on the data
		regions = 1
	}
	require.NoError(t, w.admin.CreateTableOf(t.Context(), names[0], splits, hbase.Family{Name: "f",
		Config: map[string]string{rekey.Tombstones: fmt.Sprint(takes.Milliseconds())}}))
	w.c, err = rekey.New(w.admin, rekey.Side{Table: names[0], Schema: from}, rekey.Side{Table: names[1], Schema: to})
	require.NoError(t, err)
	var begun rekey.Begun
	w.store, begun, err = rekey.Begin(t.Context(), w.admin, "rowkey_change", names[0], rekey.Beginning{Definition: w.def, Regions: regions})
	require.NoError(t, err)
	w.shows = begun.ShowsTTL
	require.NoError(t, w.c.Check(t.Context(), w.state(), change.InNew, takes))

	first := time.Now().Add(-time.Minute)
	_, err = w.admin.Table(names[0]).PutAll(t.Context(), func(yield func(hbase.Row, error) bool) {
		for i := range rows {
			values := []any{uint64(i % 97), uint64(i)}
			old, err := from.AppendKey(nil, values...)
			require.NoError(t, err)
			k := &known{ops: []bool{true}, acked: 1}
			k.key, err = to.Rekey(nil, old, from)
			require.NoError(t, err)
			w.rows = append(w.rows, k)
			if !yield(hbase.Row{Key: old, Cells: w.cells(1, first)}, nil) {
				return
			}
		}
	}, 4)
	require.NoError(t, err)
	return w
}

// lease is long enough for a machine that has other work, too.
const lease = 20 * time.Second

// state is the state of the change.
func (w *world) state() change.State {
	st, err := w.store.State(w.t.Context())
	require.NoError(w.t, err)
	return st
}

// table is a table of the present state.
func (w *world) table(p change.Place) *hbase.Table { return w.c.Table(w.state(), p) }

// sums are those of a place.
func (w *world) sums(p change.Place) *rekey.Sums {
	turn, err := w.store.Look(w.t.Context())
	require.NoError(w.t, err)
	s, err := w.c.Sums(w.t.Context(), turn, p, rekey.Verifying{Parallel: 4})
	require.NoError(w.t, err)
	return s
}

// cells are those of a row's operation of a number.
func (w *world) cells(op int, at time.Time) []hbase.Cell {
	return []hbase.Cell{{Family: "f", Qualifier: "op", Value: binary.BigEndian.AppendUint32(nil, uint32(op)), Time: at}}
}

func opOf(r *hbase.Row) int {
	if v := r.Value("f", "op"); len(v) == 4 {
		return int(binary.BigEndian.Uint32(v))
	}
	return 0
}

func (w *world) fault(err error) {
	if err != nil {
		s := err.Error()
		w.wrong.CompareAndSwap(nil, &s)
	}
}

// client is a process: a client with its own connections that follows the phases.
func (w *world) client(name string, slow bool) *rekey.Client {
	t := w.t
	conn := patient(t, w.gateway, hbase.Watch(&w.kills))
	c, err := rekey.New(conn, w.c.Side(change.InOld), w.c.Side(change.InNew))
	require.NoError(t, err)
	cl := c.Client()
	require.NoError(t, w.store.Join(t.Context(), name, cl))
	ctx, cancel := context.WithCancel(context.Background())
	w.following.Add(1)
	go func() {
		defer w.following.Done()
		every := 50 * time.Millisecond
		if slow { // it hears of a phase later than the others
			every = w.slow
		}
		if err := w.store.Follow(ctx, cl, every); ctx.Err() == nil {
			w.fault(err)
		}
	}()
	w.over = append(w.over, cancel)
	return cl
}

// write makes operations on random rows until the world stops.
func (w *world) write(cl *rekey.Client, seed uint64) {
	defer w.tasks.Done()
	r := rand.New(rand.NewPCG(seed, 1))
	for {
		select {
		case <-w.stop:
			return
		default:
		}
		k := w.rows[r.IntN(len(w.rows))]
		if !k.own.TryLock() {
			continue
		}
		w.pause.RLock()
		put := r.IntN(4) > 0
		k.mu.Lock()
		k.ops = append(k.ops, put)
		n := len(k.ops)
		k.mu.Unlock()
		ctx := context.Background()
		var err error
		if put {
			err = cl.Put(ctx, hbase.Row{Key: k.key, Cells: w.cells(n, time.Time{})})
		} else {
			err = cl.Delete(ctx, k.key)
		}
		if err == nil {
			k.mu.Lock()
			k.acked = n
			k.mu.Unlock()
			w.puts.Add(1)
		} else {
			w.failed.Add(1)
		}
		w.pause.RUnlock()
		time.Sleep(time.Millisecond) // of two writes of a row in one millisecond either may stay
		k.own.Unlock()
	}
}

// get reads random rows, and scan all of them, and hold what they see against the promise.
func (w *world) get(cl *rekey.Client, seed uint64) {
	defer w.tasks.Done()
	r := rand.New(rand.NewPCG(seed, 2))
	for {
		select {
		case <-w.stop:
			return
		default:
		}
		k := w.rows[r.IntN(len(w.rows))]
		acked := k.acknowledged()
		row, _, err := cl.Get(context.Background(), k.key)
		if err == nil {
			err = k.may(acked, opOf(&row))
		}
		w.fault(err)
		w.reads.Add(1)
	}
}

func (w *world) scan(cl *rekey.Client) {
	defer w.tasks.Done()
	for {
		select {
		case <-w.stop:
			return
		case <-time.After(w.rest):
		}
		w.fault(w.scanOnce(cl))
	}
}

func (w *world) scanOnce(cl *rekey.Client) error {
	acked := make([]int, len(w.rows))
	for i, k := range w.rows {
		acked[i] = k.acknowledged()
	}
	plan, err := w.c.Plan(rowkey.FullScan())
	if err != nil {
		return err
	}
	seen := map[string]int{}
	for row, err := range cl.Scan(context.Background(), plan) {
		if err != nil {
			return err
		}
		if _, twice := seen[string(row.Key)]; twice {
			return fmt.Errorf("row %x comes twice", row.Key)
		}
		seen[string(row.Key)] = opOf(&row)
	}
	for i, k := range w.rows {
		if err := k.may(acked[i], seen[string(k.key)]); err != nil {
			return fmt.Errorf("in a scan: %w", err)
		}
	}
	w.reads.Add(int64(len(w.rows)))
	return nil
}

// run starts writers and readers, in as many processes as there are names.
func (w *world) run(clients, writers, readers int) {
	for i := range clients {
		cl := w.client(fmt.Sprintf("client-%d", i), i == clients-1)
		for j := range writers {
			w.tasks.Add(1)
			go w.write(cl, uint64(i*100+j))
		}
		for j := range readers {
			w.tasks.Add(1)
			go w.get(cl, uint64(i*100+j))
		}
		w.tasks.Add(1)
		go w.scan(cl)
	}
}

func (w *world) end() {
	w.ending.Do(func() {
		close(w.stop)
		w.tasks.Wait()
		for _, over := range w.over {
			over()
		}
		w.following.Wait()
	})
}

// holds fails the test if a read was wrong.
func (w *world) holds() {
	w.t.Helper()
	if s := w.wrong.Load(); s != nil {
		w.t.Fatal(*s)
	}
}

// step goes to a phase as soon as everybody has confirmed the one before, and waits until
// all are there. On the way a writer is ended between its two writes.
func (w *world) step(to change.Phase) {
	w.t.Helper()
	began := time.Now()
	for {
		_, err := w.store.Step(w.t.Context(), to)
		if err == nil {
			break
		}
		require.ErrorIs(w.t, err, change.ErrPhase)
		require.Less(w.t, time.Since(began), 2*time.Minute, "%v", err)
		time.Sleep(50 * time.Millisecond)
	}
	for {
		late, err := w.store.Late(w.t.Context(), w.state())
		require.NoError(w.t, err)
		if len(late) == 0 {
			break
		}
		require.Less(w.t, time.Since(began), 2*time.Minute, "%v", late)
		time.Sleep(50 * time.Millisecond)
	}
	places := to.Deletes()
	before := w.kills.done.Load()
	w.kills.arm(w.table(places[len(places)-1]).Name(), w.dying)
	for ; w.kills.done.Load() < before+int64(w.dying); time.Sleep(20 * time.Millisecond) {
		require.Less(w.t, time.Since(began), 3*time.Minute)
	}
	w.t.Logf("%6.1fs in %v after %v, %d written, %d read, %d not acknowledged", time.Since(start).Seconds(), to, time.Since(began).Round(time.Millisecond), w.puts.Load(), w.reads.Load(), w.failed.Load())
	w.holds()
}

var start = time.Now()

// move moves and verifies; a mover is killed as often as said and resumes.
func (w *world) move(from change.Place, kills int, v rekey.Verifying) rekey.Verified {
	t := w.t
	turn, err := turn(t.Context(), w.store)
	require.NoError(t, err)
	require.Equal(t, from, turn.From())
	m := rekey.Moving{Parallel: 4, Batch: min(500, max(20, len(w.rows)/40))}
	for range kills {
		ctx, cancel := context.WithCancel(t.Context())
		m.Every = time.Nanosecond
		at := int64(2 * m.Batch)
		m.Rate = len(w.rows) // as fast as it goes, all rows may be moved before Progress hears of the first
		if len(w.rows) > 10_000 {
			at, m.Rate = int64(len(w.rows)/(kills+2)), 0
		}
		m.Progress = func(p rekey.Progress) {
			if p.Rows > at {
				cancel()
			}
		}
		p, err := w.c.Move(ctx, turn, m)
		cancel()
		require.ErrorIs(t, err, context.Canceled)
		t.Logf("the mover is killed: %v", p)
	}
	m.Progress, m.Rate = nil, 0
	p, err := w.c.Move(t.Context(), turn, m)
	require.NoError(t, err)
	t.Logf("the mover ends: %v", p)
	done, err := turn.Moved(t.Context())
	require.NoError(t, err)
	require.True(t, done)
	found, err := w.c.Verify(t.Context(), turn, v)
	require.NoError(t, err)
	t.Logf("verified: %+v", found)
	_, err = w.store.Verified(t.Context(), rekey.Turn{}) // of another state
	require.ErrorIs(t, err, rekey.ErrChanged)
	_, err = w.store.Verified(t.Context(), turn)
	require.NoError(t, err)
	w.holds()
	return found
}

// equal holds that both places have the same rows, when nothing is under way.
func (w *world) equal() {
	old, newer := w.sums(change.InOld), w.sums(change.InNew)
	require.Empty(w.t, old.Differ(newer), "%d rows, %d rows", old.Rows, newer.Rows)
	require.Equal(w.t, old.Rows, newer.Rows)
	require.Positive(w.t, old.Rows)
}

// settle makes every operation that was not acknowledged again, as its caller would.
func (w *world) settle(cl *rekey.Client) {
	for _, k := range w.rows {
		if n := len(k.ops); k.acked < n {
			var err error
			if k.ops[n-1] {
				err = cl.Put(w.t.Context(), hbase.Row{Key: k.key, Cells: w.cells(n, time.Time{})})
			} else {
				err = cl.Delete(w.t.Context(), k.key)
			}
			require.NoError(w.t, err)
			k.acked = n
		}
	}
}

// goes goes to a phase, by a client that a test makes look at the state by hand. Clients that
// are gone are waited for.
func (w *world) goes(p change.Phase, cl *rekey.Client) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), 2*time.Minute)
	defer cancel()
	alive := func(do func() error) {
		ended := make(chan error, 1)
		go func() { ended <- do() }()
		for {
			select {
			case err := <-ended:
				require.NoError(w.t, err)
				return
			case <-time.After(50 * time.Millisecond):
				require.NoError(w.t, w.store.Round(ctx, cl))
			}
		}
	}
	alive(func() error { return w.store.Await(ctx, w.state(), 2*time.Minute, nil) })
	_, err := w.store.Step(ctx, p)
	require.NoError(w.t, err)
	alive(func() error { return w.store.Await(ctx, w.state(), 2*time.Minute, nil) })
}

// confirms has a client look at the state until no more clients than so many are late: a round
// confirms only what is over by then, and on a busy machine that takes longer than a round waits.
func (w *world) confirms(store *rekey.Store, cl *rekey.Client, others int) {
	w.t.Helper()
	for until := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		require.NoError(w.t, store.Round(w.t.Context(), cl))
		late, err := w.store.Late(w.t.Context(), w.state())
		require.NoError(w.t, err)
		if len(late) <= others {
			return
		}
		require.True(w.t, time.Now().Before(until), "late: %v", late)
	}
}

// TestChange: a small table goes from 10 buckets to 64 and another order of fields, while
// clients put, overwrite and delete, one of them a phase behind; forward and back. Writers are
// ended between their two writes in each phase, the mover is killed and resumes, and every read is
// held against what was acknowledged.
func TestChange(t *testing.T) {
	w := newWorld(t, onServer(t), ten, wide, 1000, false)
	w.slow = 300 * time.Millisecond
	w.forthAndBack()
	w.closes()
	w.equal()
}

// closes ends all clients. No read was wrong, and a client that comes last reads all rows.
func (w *world) closes() {
	w.end()
	w.holds()
	cl := w.c.Client()
	require.NoError(w.t, w.store.Join(w.t.Context(), "last", cl))
	w.settle(cl)
	require.NoError(w.t, w.scanOnce(cl))
}

// forthAndBack goes to keep, and back to write-both.
func (w *world) forthAndBack() {
	v := rekey.Verifying{Parallel: 4, Wait: time.Second}
	w.run(3, 2, 1)
	w.step(change.Prepare)
	w.step(change.WriteBoth)
	_, err := w.store.Step(w.t.Context(), change.ReadNew)
	require.ErrorIs(w.t, err, change.ErrPhase)
	w.move(change.InOld, 2, v)
	w.step(change.ReadNew)
	w.step(change.Keep)
	w.step(change.ReadNew) // back
	_, err = w.store.Step(w.t.Context(), change.WriteBoth)
	require.ErrorIs(w.t, err, change.ErrPhase)
	w.move(change.InNew, 1, v)
	w.step(change.WriteBoth)
}

// TestChangeInMemory is TestChange without a server, forward again and to the end.
func TestChangeInMemory(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inMemory(t), ten, wide, 1000, false)
	w.slow = 100 * time.Millisecond
	w.forthAndBack()
	w.move(change.InOld, 0, rekey.Verifying{Parallel: 4, Wait: time.Second})
	for _, p := range []change.Phase{change.ReadNew, change.Keep, change.New} {
		w.step(p)
	}
	w.closes()
}

// TestChangeInOneTable: both layouts in one table, where some keys are alike; in the end
// the old ones are cleaned away, and each row is there once.
func TestChangeInOneTable(t *testing.T) {
	w := newWorld(t, onServer(t), ten, alike, 300, true)
	w.run(2, 1, 1)
	w.step(change.Prepare)
	w.step(change.WriteBoth)
	w.move(change.InOld, 0, rekey.Verifying{Parallel: 4, Wait: 2 * time.Second})
	w.step(change.ReadNew)
	w.step(change.Keep)
	w.step(change.New)
	turn, err := w.store.Look(t.Context())
	require.NoError(t, err)
	cleaned, err := w.c.Clean(t.Context(), turn, rekey.Moving{Parallel: 2})
	require.NoError(t, err)
	require.Positive(t, cleaned.Rows)
	w.closes()
	n, err := w.table(change.InNew).CountRange(t.Context(), rowkey.PrefixRange(nil))
	require.NoError(t, err)
	live := 0
	for _, k := range w.rows {
		if k.ops[len(k.ops)-1] {
			live++
		}
	}
	require.Equal(t, live, n)
	require.False(t, slices.ContainsFunc(w.rows, func(k *known) bool { return k.acked < len(k.ops) }))
}
