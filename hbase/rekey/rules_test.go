package rekey_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/change"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/internal/cluster/shared"
	"github.com/hbase-rowkey/rowkey/hbase/internal/thrift2"
	"github.com/hbase-rowkey/rowkey/hbase/rekey"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// halt stops the call of a name, of a table, that comes after some others of it, before it is sent:
// a process that is stopped there.
type halt struct {
	name, table string
	after       int

	mu   sync.Mutex
	at   chan struct{} // closed when the call has come
	open chan struct{}
}

func newHalt(name, table string, after int) *halt {
	return &halt{name: name, table: table, after: after, at: make(chan struct{}), open: make(chan struct{})}
}

func (h *halt) Begin(ctx context.Context, call hbase.Call) (context.Context, func(hbase.Outcome)) {
	h.mu.Lock()
	stops := call.Name == h.name && call.Table == h.table
	if stops {
		h.after--
	}
	stops = stops && h.after == -1
	h.mu.Unlock()
	if stops {
		close(h.at)
		<-h.open
	}
	return ctx, nil
}

// whileStopped runs do by a change whose process is stopped at a halt, has the state change
// meanwhile, and gives do's error.
func (w *world) whileStopped(h *halt, do func(c *rekey.Change, store *rekey.Store) error, meanwhile func()) error {
	w.t.Helper()
	c, store := w.with(hbase.Watch(h))
	ended := make(chan error, 1)
	go func() { ended <- do(c, store) }()
	select {
	case <-h.at:
	case err := <-ended:
		require.FailNow(w.t, "it was not stopped", "%v", err)
	}
	meanwhile()
	close(h.open)
	return <-ended
}

func (w *world) count(p change.Place) int {
	n, err := w.table(p).CountRange(w.t.Context(), rowkey.PrefixRange(nil))
	require.NoError(w.t, err)
	return n
}

// TestStoppedMover: a mover is stopped while it reads, and when it has written, until the state is
// another. It writes no more, and what it notes counts for nothing.
func TestStoppedMover(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inMemory(t), ten, wide, 40, false)
	w.to(change.Prepare, change.WriteBoth)
	moves := func(c *rekey.Change, store *rekey.Store) error {
		turn, err := store.MayMove(t.Context())
		require.NoError(t, err)
		_, err = c.Move(t.Context(), turn, rekey.Moving{Batch: 100})
		return err
	}
	reads := newHalt("getScannerResults", w.table(change.InOld).Name(), 0)
	err := w.whileStopped(reads, moves, func() { w.to(change.Prepare) })
	assert.ErrorIs(t, err, change.ErrStale)
	assert.Equal(t, 0, w.count(change.InNew))

	w.to(change.WriteBoth)
	notes := newHalt("put", "rowkey_change", 4) // the four before are the regions
	err = w.whileStopped(notes, moves, func() { w.to(change.Prepare, change.WriteBoth) })
	assert.ErrorIs(t, err, change.ErrStale)
	marks, err := w.store.Marks(t.Context())
	require.NoError(t, err)
	assert.Empty(t, marks)
}

// TestStoppedBeforeItsWrite: movers and a verify are stopped between their check and their write, and
// continued in the same round, where the table is. What they write is not sent.
func TestStoppedBeforeItsWrite(t *testing.T) {
	t.Parallel()
	for _, verify := range []bool{false, true} {
		t.Run(fmt.Sprint("verify ", verify), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, inMemory(t), ten, wide, 40, false)
			w.to(change.Prepare, change.WriteBoth)
			err := w.whileStopped(newHalt("putMultiple", w.table(change.InNew).Name(), 0), func(c *rekey.Change, store *rekey.Store) error {
				turn, err := store.MayMove(t.Context())
				require.NoError(t, err)
				if verify {
					_, err = c.Verify(t.Context(), turn, rekey.Verifying{})
				} else {
					_, err = c.Move(t.Context(), turn, rekey.Moving{})
				}
				return err
			}, func() {
				w.to(change.Prepare, change.WriteBoth)
				time.Sleep(*rekey.HoldsFor)
			})
			assert.ErrorIs(t, err, change.ErrStale)
			assert.Equal(t, 0, w.count(change.InNew))
		})
	}
}

// TestStoppedVerify: a verify is stopped before it copies, before it finishes a half delete, and
// before its end, until the state is another. It does nothing more.
func TestStoppedVerify(t *testing.T) {
	t.Parallel()
	verifies := func(c *rekey.Change, store *rekey.Store) error {
		turn, err := store.MayMove(t.Context())
		require.NoError(t, err)
		_, err = c.Verify(t.Context(), turn, rekey.Verifying{Wait: time.Millisecond})
		return err
	}
	w := newWorld(t, inMemory(t), ten, wide, 40, false)
	w.to(change.Prepare, change.WriteBoth)
	copies := newHalt("getMultiple", w.table(change.InNew).Name(), 0)
	assert.ErrorIs(t, w.whileStopped(copies, verifies, func() { w.to(change.Prepare) }), change.ErrStale)
	assert.Equal(t, 0, w.count(change.InNew))

	w.to(change.WriteBoth)
	w.moves()
	require.NoError(t, w.table(change.InNew).DeleteCells(t.Context(), hbase.Deletion{Key: w.rows[0].key, Time: time.Now()}))
	finishes := newHalt("getMultiple", w.table(change.InOld).Name(), 0)
	assert.ErrorIs(t, w.whileStopped(finishes, verifies, func() { w.to(change.Prepare) }), change.ErrStale)
	assert.Equal(t, 40, w.count(change.InOld))
	w.to(change.WriteBoth)
	w.moves() // it finishes it
	assert.Equal(t, 39, w.count(change.InOld))

	ends := newHalt("getScannerResults", w.table(change.InNew).Name(), 3)
	assert.ErrorIs(t, w.whileStopped(ends, verifies, func() { w.to(change.Prepare) }), change.ErrStale)
}

// TestStoppedOperator: of two operators one is stopped before he says the next phase, and the
// other one goes on.
func TestStoppedOperator(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inMemory(t), ten, wide, 1, false)
	err := w.whileStopped(newHalt("checkAndMutate", "rowkey_change", 0),
		func(_ *rekey.Change, store *rekey.Store) error {
			_, err := store.Step(t.Context(), change.Prepare)
			return err
		},
		func() { w.to(change.Prepare, change.WriteBoth) })
	assert.ErrorIs(t, err, rekey.ErrChanged)
	assert.Equal(t, change.WriteBoth, w.state().Phase)
}

// TestStoppedJoin: a client is stopped while it joins, and nobody waits for it. It is in the
// present state when it has joined.
func TestStoppedJoin(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inMemory(t), ten, wide, 1, false)
	var cl *rekey.Client
	err := w.whileStopped(newHalt("checkAndMutate", "rowkey_change", 1), // the first is its incarnation
		func(c *rekey.Change, store *rekey.Store) error {
			cl = c.Client()
			return store.Join(t.Context(), "app", cl)
		},
		func() { w.to(change.Prepare, change.WriteBoth) })
	require.NoError(t, err)
	st, err := cl.State()
	require.NoError(t, err)
	assert.Equal(t, w.state(), st)
}

// TestStoppedReads: reads are under way when the lease ends. They give no row, and no end.
func TestStoppedReads(t *testing.T) {
	t.Parallel()
	for _, rows := range []int{3, 0} {
		w := newWorldOf(t, inMemory(t), ten, wide, rows, false, rekey.ShortestLease)
		over := func() { time.Sleep(rekey.ShortestLease + 10*time.Millisecond) }
		read := func(do func(cl *rekey.Client) error) func(*rekey.Change, *rekey.Store) error {
			return func(c *rekey.Change, store *rekey.Store) error {
				cl := c.Client()
				require.NoError(t, store.Join(t.Context(), "app", cl))
				return do(cl)
			}
		}
		key := keyAt(wide, 0)
		err := w.whileStopped(newHalt("get", w.table(change.InOld).Name(), 0), read(func(cl *rekey.Client) error {
			_, found, err := cl.Get(t.Context(), key)
			assert.False(t, found)
			return err
		}), over)
		assert.ErrorIs(t, err, change.ErrStale)
		err = w.whileStopped(newHalt("getScannerResults", w.table(change.InOld).Name(), 0), read(func(cl *rekey.Client) (last error) {
			plan, err := w.c.Plan(rowkey.FullScan())
			require.NoError(t, err)
			for row, err := range cl.Scan(t.Context(), plan) {
				assert.Empty(t, row.Key)
				last = err
			}
			return last
		}), over)
		assert.ErrorIs(t, err, change.ErrStale)
	}
}

// TestFollowEnds: a client whose Follow has ended refuses.
func TestFollowEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inMemory(t), ten, wide, 1, false)
	cl, stop := w.follows("app")
	_, err := cl.State()
	require.NoError(t, err)
	stop()
	_, err = cl.State()
	assert.ErrorIs(t, err, change.ErrStale)
	assert.ErrorIs(t, err, context.Canceled)
	assert.ErrorIs(t, w.store.Follow(t.Context(), w.c.Client(), time.Second), change.ErrStale, "it has not joined")
}

// TestOtherDefinition: the state is that of another change by now. Clients end, and what was begun
// in the one before counts for nothing, although it has the same number.
func TestOtherDefinition(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inMemory(t), ten, wide, 1, false)
	d := w.def
	d.NewTable = fmt.Sprintf("new%d", tables.Add(1))
	states := fmt.Sprintf("states%d", tables.Add(1))
	begin := func() *rekey.Store {
		store, _, err := rekey.Begin(t.Context(), w.admin, states, "x", rekey.Beginning{Definition: d, Regions: 1})
		require.NoError(t, err)
		return store
	}
	store := begin()
	c, err := d.Change(w.admin)
	require.NoError(t, err)
	cl := c.Client()
	require.NoError(t, store.Join(t.Context(), "app", cl))
	turn, err := store.Look(t.Context())
	require.NoError(t, err)
	require.NoError(t, turn.Holds(t.Context()))
	require.NoError(t, w.admin.DropTable(t.Context(), states))
	d.NewTable = fmt.Sprintf("new%d", tables.Add(1))
	st, err := begin().State(t.Context())
	require.NoError(t, err)
	assert.Equal(t, turn.State.Number, st.Number)
	assert.ErrorIs(t, turn.Holds(t.Context()), change.ErrStale)
	_, err = store.Verified(t.Context(), turn)
	assert.ErrorIs(t, err, rekey.ErrChanged)
	assert.ErrorIs(t, store.Follow(t.Context(), cl, time.Millisecond), rekey.ErrDefinition)
	_, err = cl.State()
	assert.ErrorIs(t, err, change.ErrStale)
}

// TestLoadedAtOnce: a bulk load that follows a move, all in one millisecond of the server's.
func TestLoadedAtOnce(t *testing.T) {
	t.Parallel()
	server, gateway := withClock(t)
	w := newWorld(t, gateway, ten, wide, 30, false)
	stands := time.Now()
	server.SetClock(func() time.Time { return stands })
	w.to(change.Prepare, change.WriteBoth)
	turn, err := w.store.MayMove(t.Context())
	require.NoError(t, err)
	_, err = w.c.Move(t.Context(), turn, rekey.Moving{})
	require.NoError(t, err)
	require.NoError(t, w.store.Loaded(t.Context(), turn))
	moved, err := turn.Moved(t.Context())
	require.NoError(t, err)
	assert.True(t, moved)
	marks, err := w.store.Marks(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []rekey.Mark{{Start: []byte{}, Stop: []byte{}, At: []byte{}, Done: true}}, marks)
}

// TestLoaded: a bulk load is taken for a move in its own turn alone.
func TestLoaded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inMemory(t), ten, wide, 30, false)
	w.to(change.Prepare, change.WriteBoth)
	turn, err := w.store.MayMove(t.Context())
	require.NoError(t, err)
	for row, err := range w.table(change.InOld).Scan(t.Context(), rowkey.PrefixRange(nil)) {
		require.NoError(t, err)
		key, err := wide.Rekey(nil, row.Key, ten)
		require.NoError(t, err)
		require.NoError(t, w.table(change.InNew).Put(t.Context(), hbase.Row{Key: key, Cells: row.Cells}))
	}
	moved, err := turn.Moved(t.Context())
	require.NoError(t, err)
	assert.False(t, moved)
	require.NoError(t, w.store.Loaded(t.Context(), turn))
	moved, err = turn.Moved(t.Context())
	require.NoError(t, err)
	assert.True(t, moved)
	found, err := w.c.Verify(t.Context(), turn, rekey.Verifying{Wait: time.Millisecond})
	require.NoError(t, err)
	assert.Equal(t, int64(0), found.Copied)

	w.to(change.Prepare, change.WriteBoth)
	assert.ErrorIs(t, w.store.Loaded(t.Context(), turn), change.ErrStale)
	_, err = w.store.Verified(t.Context(), turn)
	assert.ErrorIs(t, err, rekey.ErrChanged)
	again, err := w.store.MayMove(t.Context())
	require.NoError(t, err)
	moved, err = again.Moved(t.Context())
	require.NoError(t, err)
	assert.False(t, moved)
	w.to(change.Prepare)
	_, err = w.store.MayMove(t.Context())
	assert.ErrorIs(t, err, change.ErrPhase)
}

// TestOneTableOfAnotherChange: no change has a new layout, in one table, whose keys may be those of
// a layout that another one has had there; nor are keys cleaned before the end, or in a state that is over.
func TestOneTableOfAnotherChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inMemory(t), ten, alike, 20, true)
	begin := func(name, from, to string) error {
		d := w.def
		d.OldSchema, d.NewSchema = from, to
		_, _, err := rekey.Begin(t.Context(), w.admin, "rowkey_change", name, rekey.Beginning{Definition: d})
		return err
	}
	third := "[salt90(seller)][seller:2][at:4]"
	assert.ErrorIs(t, begin("the same again", ten.String(), alike.String()), rekey.ErrTable)
	assert.ErrorIs(t, begin("from a third one to it", third, alike.String()), rekey.ErrTable)
	assert.ErrorIs(t, begin("back", alike.String(), ten.String()), rekey.ErrTable)
	_, err := rekey.OpenStore(t.Context(), w.admin, "rowkey_change", "back")
	assert.ErrorIs(t, err, rekey.ErrNone, "nothing was made")
	assert.ErrorIs(t, begin("keys of some sellers", ten.String(), third), rekey.ErrTable)
	assert.ErrorIs(t, begin("on to them", alike.String(), third), rekey.ErrTable, "clean has left tombstones at some of them")
	require.NoError(t, begin("another", ten.String(), `["v3"][seller:2][at:4]`))

	_, err = w.store.Empty(t.Context(), w.c, 4)
	assert.ErrorIs(t, err, change.ErrPhase)
	turn, err := w.store.Look(t.Context())
	require.NoError(t, err)
	_, err = w.c.Clean(t.Context(), turn, rekey.Moving{})
	assert.ErrorIs(t, err, change.ErrPhase)
	w.to(change.Prepare, change.WriteBoth)
	w.moves()
	w.to(change.ReadNew, change.Keep, change.New)
	before := w.count(change.InOld)
	require.Greater(t, before, 20)
	cleans := newHalt("getScannerResults", w.def.OldTable, 0)
	err = w.whileStopped(cleans, func(c *rekey.Change, store *rekey.Store) error {
		turn, err := store.Look(t.Context())
		require.NoError(t, err)
		_, err = c.Clean(t.Context(), turn, rekey.Moving{})
		return err
	}, func() {
		_, err := w.store.Step(t.Context(), change.Keep)
		assert.ErrorIs(t, err, change.ErrPhase, "the old table cannot be begun anew")
		w.otherState()
	})
	assert.ErrorIs(t, err, change.ErrStale)
	assert.Equal(t, before, w.count(change.InOld))
}

// goesOn is the definition of a change from the new table to another one, back to the old layout.
func (w *world) goesOn(to string) rekey.Definition {
	d := w.def
	d.OldTable, d.OldSchema, d.NewTable, d.NewSchema = w.def.NewTable, w.def.NewSchema, to, w.def.OldSchema
	return d
}

// TestNameOfAnotherChange: no change has a new table by the name of one that another change has had,
// though it was dropped: a client of that change may be stopped before it writes there.
func TestNameOfAnotherChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inMemory(t), ten, wide, 20, false)
	w.to(change.Prepare, change.WriteBoth)
	w.moves()
	w.to(change.ReadNew, change.Keep, change.New)
	require.NoError(t, w.admin.DropTable(t.Context(), w.def.OldTable))
	d := w.goesOn("")
	for _, name := range []string{w.def.OldTable, w.def.OldTable + ".r7", w.def.NewTable + ".r3"} { // those of later rounds, too
		d.NewTable = name
		_, _, err := rekey.Begin(t.Context(), w.admin, "rowkey_change", "back", rekey.Beginning{Definition: d})
		assert.ErrorIs(t, err, rekey.ErrTable, name)
		exists, err := w.admin.TableExists(t.Context(), name)
		require.NoError(t, err)
		assert.False(t, exists, name)
	}
	d.NewTable = w.def.OldTable + "-again"
	_, _, err := rekey.Begin(t.Context(), w.admin, "rowkey_change", "back", rekey.Beginning{Definition: d})
	require.NoError(t, err)
}

// TestTableOfAnotherChange: no change begins from the new table of one that can still go back. Whoever
// deletes a row as this change says leaves it in the other's old table.
func TestTableOfAnotherChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inMemory(t), ten, wide, 20, false)
	d := w.goesOn(w.def.NewTable + "-third")
	w.to(change.Prepare, change.WriteBoth)
	w.moves()
	w.to(change.ReadNew, change.Keep)
	_, _, err := rekey.Begin(t.Context(), w.admin, "rowkey_change", "third", rekey.Beginning{Definition: d})
	require.ErrorIs(t, err, rekey.ErrTable)
	assert.ErrorContains(t, err, "which is in keep")
	w.to(change.New)
	third, _, err := rekey.Begin(t.Context(), w.admin, "rowkey_change", "third", rekey.Beginning{Definition: d})
	require.NoError(t, err)
	_, err = third.Step(t.Context(), change.Prepare)
	require.NoError(t, err)
	_, err = w.store.Empty(t.Context(), w.c, 0)
	assert.ErrorIs(t, err, rekey.ErrTable)
}

// TestTableOfAnotherChangeLater: what Begin refuses is refused later, too, where the other change is in Old
// when one begins. A row that the first one moves, or takes back, would never be in the table of the second.
func TestTableOfAnotherChangeLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inMemory(t), ten, wide, 20, false)
	d := w.goesOn(w.def.NewTable + "-third")
	third, _, err := rekey.Begin(t.Context(), w.admin, "rowkey_change", "third", rekey.Beginning{Definition: d})
	require.NoError(t, err)
	_, err = third.Step(t.Context(), change.Prepare)
	require.NoError(t, err)
	_, err = w.store.Step(t.Context(), change.Prepare)
	require.ErrorIs(t, err, rekey.ErrTable)
	assert.ErrorContains(t, err, "is the old table of the change third, which is in prepare")
	_, err = third.Step(t.Context(), change.Old)
	require.NoError(t, err)
	w.to(change.Prepare)
	_, err = third.Step(t.Context(), change.Prepare)
	require.ErrorIs(t, err, rekey.ErrTable)
	assert.ErrorContains(t, err, "which is in prepare: have it end first")
	w.to(change.Old)
	_, err = third.Step(t.Context(), change.Prepare)
	assert.ErrorIs(t, err, change.ErrPhase) // its own table is to be made anew, and no more than that
	assert.NotErrorIs(t, err, rekey.ErrTable)
}

// otherState has the state be another one, by hand.
func (w *world) otherState() {
	states := w.admin.Table("rowkey_change")
	row, found, err := states.Get(w.t.Context(), []byte(w.def.OldTable))
	require.NoError(w.t, err)
	require.True(w.t, found)
	require.NoError(w.t, states.Put(w.t.Context(), hbase.Row{Key: row.Key, Cells: []hbase.Cell{{Family: "s", Qualifier: "number", Value: append([]byte("1"), row.Value("s", "number")...)}}}))
}

// TestRegionsBetweenServers: a move and a verify wait while a region is on no server, and end when
// that lasts.
func TestRegionsBetweenServers(t *testing.T) {
	t.Parallel()
	server, gateway := withClock(t)
	w := newWorld(t, gateway, ten, wide, 40, false)
	w.to(change.Prepare, change.WriteBoth)
	conn, err := hbase.Dial(t.Context(), gateway) // it makes no call again by itself
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	c, err := w.def.Change(conn)
	require.NoError(t, err)
	store, err := rekey.OpenStore(t.Context(), conn, "rowkey_change", w.def.OldTable)
	require.NoError(t, err)
	turn, err := store.MayMove(t.Context())
	require.NoError(t, err)
	again := true
	between := map[string]error{
		"getAllRegionLocations": errors.New("NullPointerException"), // what the gateway's own code fails by
		"getScannerResults":     &thrift2.TIOError{Message: text("NotServingRegionException"), CanRetry: &again},
	}
	var failed sync.Map
	server.SetFault(func(call string) error {
		if _, did := failed.LoadOrStore(call, true); did {
			return nil
		}
		return between[call]
	})
	_, err = c.Move(t.Context(), turn, rekey.Moving{Parallel: 4})
	require.NoError(t, err)
	failed.Clear()
	found, err := c.Verify(t.Context(), turn, rekey.Verifying{Parallel: 4, Wait: time.Millisecond})
	require.NoError(t, err)
	assert.Equal(t, int64(40), found.Rows)

	server.SetFault(func(call string) error { return between[call] })
	_, err = c.Verify(t.Context(), turn, rekey.Verifying{Patience: time.Millisecond, Wait: time.Millisecond})
	var of *hbase.Error
	require.ErrorAs(t, err, &of)
	assert.True(t, of.Retryable)
}

func text(s string) *string { return &s }

// TestFutureCell: a cell whose time lies in the future ends a move.
func TestFutureCell(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inMemory(t), ten, wide, 1, false)
	key := keyAt(ten, 0)
	require.NoError(t, w.table(change.InOld).Put(t.Context(), hbase.Row{Key: key, Cells: w.cells(2, time.Now().Add(time.Hour))}))
	w.to(change.Prepare, change.WriteBoth)
	turn, err := w.store.MayMove(t.Context())
	require.NoError(t, err)
	_, err = w.c.Move(t.Context(), turn, rekey.Moving{})
	assert.ErrorIs(t, err, rekey.ErrFuture)
}

// TestCellTTL: the TTLs of cells are moved, by a gateway that shows them.
func TestCellTTL(t *testing.T) {
	w := newWorld(t, shared.Server(t).HTTP, ten, wide, 3, false)
	assert.True(t, w.shows)
	at := time.Now()
	cell := func(name string, ttl time.Duration) hbase.Row {
		return hbase.Row{Key: keyAt(ten, 0), TTL: ttl, Cells: []hbase.Cell{{Family: "f", Qualifier: name, Value: []byte("v"), Time: at}}}
	}
	old := w.table(change.InOld)
	for _, r := range []hbase.Row{cell("hour", time.Hour), cell("day", 24*time.Hour), cell("soon", 5*time.Second)} {
		require.NoError(t, old.Put(t.Context(), r))
	}
	w.to(change.Prepare, change.WriteBoth)
	w.moves()
	got, _, err := w.table(change.InNew).Get(t.Context(), keyAt(wide, 0))
	require.NoError(t, err)
	lives := map[string]time.Duration{}
	for _, c := range got.Cells {
		lives[c.Qualifier] = c.TTL
	}
	delete(lives, "soon") // its time may be over
	assert.Equal(t, map[string]time.Duration{"op": 0, "hour": time.Hour, "day": 24 * time.Hour}, lives)
	time.Sleep(time.Until(at.Add(5500 * time.Millisecond)))
	row, _, err := w.table(change.InNew).Get(t.Context(), keyAt(wide, 0))
	require.NoError(t, err)
	assert.Nil(t, row.Value("f", "soon"))
	assert.NotNil(t, row.Value("f", "hour"))
}

// TestStoppedBetween: a client is stopped in its first write until its lease is over. It makes no
// second one.
func TestStoppedBetween(t *testing.T) {
	t.Parallel()
	w := newWorldOf(t, inMemory(t), ten, wide, 1, false, rekey.ShortestLease)
	w.to(change.Prepare, change.WriteBoth)
	h := newHalt("put", w.table(change.InNew).Name(), 0)
	err := w.whileStopped(h, func(c *rekey.Change, store *rekey.Store) error {
		cl := c.Client()
		require.NoError(t, store.Join(t.Context(), "app", cl))
		return cl.Put(t.Context(), hbase.Row{Key: w.rows[0].key, Cells: w.cells(2, time.Time{})})
	}, func() { time.Sleep(rekey.ShortestLease + 10*time.Millisecond) })
	assert.ErrorIs(t, err, change.ErrStale)
	old, _, err := w.table(change.InOld).Get(t.Context(), keyAt(ten, 0))
	require.NoError(t, err)
	assert.Equal(t, 1, opOf(&old))
}

// TestMissedState: nobody moves rows before all have confirmed the state, and a client that has
// missed one refuses.
func TestMissedState(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inMemory(t), ten, wide, 1, false)
	cl := w.c.Client()
	require.NoError(t, w.store.Join(t.Context(), "app", cl))
	w.goes(change.Prepare, cl)
	_, err := w.store.Step(t.Context(), change.WriteBoth)
	require.NoError(t, err)
	_, err = w.store.MayMove(t.Context())
	assert.ErrorIs(t, err, change.ErrPhase)
	w.confirms(w.store, cl, 0)
	_, err = w.store.MayMove(t.Context())
	assert.NoError(t, err)
	w.otherState()
	assert.ErrorIs(t, w.store.Round(t.Context(), cl), change.ErrStale)
	_, err = cl.State()
	assert.ErrorIs(t, err, change.ErrStale)
}

// TestTakenWhileAway: a client's lease is over when another one takes its name over. It does not
// take it back.
func TestTakenWhileAway(t *testing.T) {
	t.Parallel()
	w := newWorldOf(t, inMemory(t), ten, wide, 1, false, rekey.ShortestLease)
	first, second := w.c.Client(), w.c.Client()
	require.NoError(t, w.store.Join(t.Context(), "web-1", first))
	time.Sleep(rekey.ShortestLease + 10*time.Millisecond)
	require.NoError(t, w.store.Join(t.Context(), "web-1", second))
	assert.ErrorIs(t, w.store.Follow(t.Context(), first, time.Millisecond), rekey.ErrTaken)
	_, err := first.State()
	assert.ErrorIs(t, err, change.ErrStale)
}

// TestJoinClock: a client whose clock is wrong does not join, and nobody waits for it.
func TestJoinClock(t *testing.T) {
	t.Parallel()
	server, gateway := withClock(t)
	w := newWorld(t, gateway, ten, wide, 1, false)
	server.SetClock(func() time.Time { return time.Now().Add(-10 * time.Minute) })
	cl := w.c.Client()
	assert.ErrorIs(t, w.store.Join(t.Context(), "app", cl), rekey.ErrClock)
	_, err := cl.State()
	assert.ErrorIs(t, err, change.ErrStale)
	members, err := w.store.Members(t.Context())
	require.NoError(t, err)
	assert.Empty(t, members)
}

// TestHotRow: operations on one row are no more than one a millisecond; none has a timestamp of
// the future.
func TestHotRow(t *testing.T) {
	t.Parallel()
	var cl rekey.Client
	var last time.Time
	for range 50 {
		at, err := cl.Stamp(t.Context(), []byte("row"))
		require.NoError(t, err)
		require.True(t, at.After(last))
		require.False(t, at.After(time.Now()))
		last = at
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for err := error(nil); err == nil; {
		_, err = cl.Stamp(ended, []byte("row"))
	}
}

// TestOtherPrint: a client whose schemas have the notations of the definition, and write other
// keys, does not join.
func TestOtherPrint(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inMemory(t), ten, wide, 1, false)
	require.NoError(t, w.store.Join(t.Context(), "app", w.c.Client()))
	other := hbase.Row{Key: []byte(w.def.OldTable), Cells: []hbase.Cell{{Family: "s", Qualifier: "new-fingerprint", Value: []byte(ten.Fingerprint())}}}
	require.NoError(t, w.admin.Table("rowkey_change").Put(t.Context(), other))
	assert.ErrorIs(t, w.store.Join(t.Context(), "app", w.c.Client()), rekey.ErrDefinition)
}
