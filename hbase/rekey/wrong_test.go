package rekey_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/change"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/internal/cluster/shared"
	"github.com/hbase-rowkey/rowkey/hbase/rekey"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lab is one row, whose writes to both places a test makes by hand.
type lab struct {
	t   *testing.T
	w   *world
	k   *known
	at  time.Time
	key [2][]byte
}

// newLab takes a row of a world; a table that forgets its tombstones is new.
func newLab(t *testing.T, w *world, row int, forgets bool) *lab {
	l := &lab{t: t, w: w, at: time.Now().Add(-time.Second).Truncate(time.Millisecond)}
	l.k = l.w.rows[row]
	l.key[change.InNew] = l.k.key
	var err error
	l.key[change.InOld], err = ten.Rekey(nil, l.k.key, wide)
	require.NoError(t, err)
	if forgets {
		require.NoError(t, l.w.admin.DropTable(t.Context(), l.table(change.InNew).Name()))
		require.NoError(t, l.w.admin.CreateTable(t.Context(), l.table(change.InNew).Name(), nil, "f"))
	}
	return l
}

func (l *lab) table(p change.Place) *hbase.Table { return l.w.table(p) }

// begin is an operation that begins, a millisecond later than the one before.
func (l *lab) begin(put bool) (op int, at time.Time) {
	l.k.ops = append(l.k.ops, put)
	l.at = l.at.Add(time.Millisecond)
	return len(l.k.ops), l.at
}

func (l *lab) ack(op int) { l.k.acked = op }

func (l *lab) put(p change.Place, op int, at time.Time) {
	require.NoError(l.t, l.table(p).Put(l.t.Context(), hbase.Row{Key: l.key[p], Cells: l.w.cells(op, at)}))
}

func (l *lab) delete(p change.Place, at time.Time) {
	require.NoError(l.t, l.table(p).DeleteCells(l.t.Context(), hbase.Deletion{Key: l.key[p], Time: at}))
}

// mover reads the old row, and gives what writes it to the new place.
func (l *lab) mover() (cells []hbase.Cell, write func(cells []hbase.Cell)) {
	r, _, err := l.table(change.InOld).Get(l.t.Context(), l.key[change.InOld])
	require.NoError(l.t, err)
	return r.Cells, func(cells []hbase.Cell) {
		require.NoError(l.t, l.table(change.InNew).Put(l.t.Context(), hbase.Row{Key: l.key[change.InNew], Cells: cells}))
	}
}

// see is a read of a place.
func (l *lab) see(p change.Place) error {
	r, _, err := l.table(p).Get(l.t.Context(), l.key[p])
	require.NoError(l.t, err)
	return l.k.may(l.k.acked, opOf(&r))
}

func timeless(cells []hbase.Cell) []hbase.Cell {
	for i := range cells {
		cells[i].Time = time.Time{}
	}
	return cells
}

// TestWrongVariants: on a real server, what the protocol does holds, and each plausible
// shortcut is caught by the check that the other tests hold their reads against.
func TestWrongVariants(t *testing.T) {
	both := func(l *lab, put bool) {
		op, at := l.begin(put)
		for _, p := range change.WriteBoth.Puts() {
			if put {
				l.put(p, op, at)
			} else {
				l.delete(p, at)
			}
		}
		l.ack(op)
	}
	w := newWorld(t, onServer(t), ten, wide, 20, false)
	row := 0
	for _, v := range []struct {
		name string
		run  func(l *lab, wrong bool) error
	}{
		{"the mover puts with the server's time", func(l *lab, wrong bool) error {
			cells, write := l.mover()
			both(l, true)
			if wrong {
				cells = timeless(cells)
			}
			write(cells)
			return l.see(change.InNew)
		}},
		{"the mover checks for absence, and puts with the server's time", func(l *lab, wrong bool) error {
			cells, write := l.mover()
			both(l, false)
			if !wrong {
				write(cells)
				return l.see(change.InNew)
			}
			_, err := l.table(change.InNew).CheckAndMutate(l.t.Context(), hbase.Check{Family: "f", Qualifier: "op"}, hbase.Row{Key: l.key[change.InNew], Cells: timeless(cells)})
			require.NoError(l.t, err)
			return l.see(change.InNew)
		}},
		{"no prepare: a delete goes to the old table alone while the mover has the row", func(l *lab, wrong bool) error {
			cells, write := l.mover()
			op, at := l.begin(false)
			places := change.Prepare.Deletes()
			if wrong {
				places = change.Old.Deletes()
			}
			for _, p := range places {
				l.delete(p, at)
			}
			l.ack(op)
			write(cells)
			return l.see(change.InNew)
		}},
		{"acknowledged after the first write", func(l *lab, wrong bool) error {
			op, at := l.begin(true)
			places := change.WriteBoth.Puts()
			if wrong {
				places = places[:1]
			}
			for _, p := range places {
				l.put(p, op, at)
			}
			l.ack(op)
			return l.see(change.InOld)
		}},
		{"verify deletes what the source lacks, at one look", func(l *lab, wrong bool) error {
			both(l, false)
			op, at := l.begin(true)
			l.put(change.InNew, op, at)
			if wrong { // the old table lacks it yet
				l.delete(change.InNew, at)
			}
			l.put(change.InOld, op, at)
			l.ack(op)
			return l.see(change.InNew)
		}},
		{"each place stamps with its own time", func(l *lab, wrong bool) error {
			first, t1 := l.begin(true)
			second, t2 := l.begin(true)
			if wrong {
				t1, t2 = time.Time{}, time.Time{}
			}
			l.put(change.InNew, first, t1)
			l.put(change.InNew, second, t2)
			l.put(change.InOld, second, t2)
			time.Sleep(2 * time.Millisecond)
			l.put(change.InOld, first, t1)
			l.ack(second)
			return errors.Join(l.see(change.InNew), l.see(change.InOld))
		}},
		{"the new table forgets its tombstones", func(l *lab, _ bool) error {
			cells, write := l.mover()
			both(l, false)
			_, err := shared.Server(l.t).Admin("compact", l.table(change.InNew).Name())
			require.NoError(l.t, err)
			write(cells)
			return l.see(change.InNew)
		}},
	} {
		for _, wrong := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, %t", v.name, wrong), func(t *testing.T) {
				forgets := wrong && v.name == "the new table forgets its tombstones"
				l := newLab(t, w, row, forgets)
				row++
				err := v.run(l, wrong)
				if wrong {
					assert.Error(t, err, "not caught")
				} else {
					assert.NoError(t, err)
				}
			})
		}
	}
}

// TestVerifyFinishes: a delete whose writer died between its writes is finished where
// it was not made, column by column; a put of a later time stays; what the mover cannot
// hold is refused, and cells of the future end it.
func TestVerifyFinishes(t *testing.T) {
	w := newWorld(t, onServer(t), ten, wide, 5, false)
	old, newer := w.table(change.InOld), w.table(change.InNew)
	own := func(i int) []byte {
		key, err := ten.Rekey(nil, w.rows[i].key, wide)
		require.NoError(t, err)
		return key
	}
	now := time.Now()
	later := hbase.Cell{Family: "f", Qualifier: "later", Value: []byte("v"), Time: now.Add(time.Millisecond)}
	for i := range 2 { // half deletes
		require.NoError(t, newer.DeleteCells(t.Context(), hbase.Deletion{Key: w.rows[i].key, Time: now}))
	}
	for p, key := range [][]byte{own(1), w.rows[1].key} {
		require.NoError(t, w.table(change.Place(p)).Put(t.Context(), hbase.Row{Key: key, Cells: []hbase.Cell{later}}))
	}
	// The same time and another value in each place.
	tie := hbase.Cell{Family: "f", Qualifier: "op", Value: []byte("new"), Time: now}
	require.NoError(t, newer.Put(t.Context(), hbase.Row{Key: w.rows[2].key, Cells: []hbase.Cell{tie}}))
	tie.Value = []byte("old")
	require.NoError(t, old.Put(t.Context(), hbase.Row{Key: own(2), Cells: []hbase.Cell{tie}}))

	v := rekey.Verifying{Parallel: 2, Wait: 10 * time.Millisecond}
	for _, p := range []change.Phase{change.Prepare, change.WriteBoth} {
		_, err := w.store.Step(t.Context(), p)
		require.NoError(t, err)
	}
	turn, err := w.store.MayMove(t.Context())
	require.NoError(t, err)
	found, err := w.c.Verify(t.Context(), turn, v)
	require.NoError(t, err)
	assert.Equal(t, int64(2), found.Finished)
	assert.Equal(t, int64(3), found.Copied) // two that were never moved, and the tie
	w.equal()
	_, there, err := old.Get(t.Context(), own(0))
	require.NoError(t, err)
	assert.False(t, there)
	row, there, err := old.Get(t.Context(), own(1))
	require.NoError(t, err)
	assert.True(t, there)
	assert.Equal(t, []byte("v"), row.Value("f", "later"))
	assert.Nil(t, row.Value("f", "op"))
	row, _, err = newer.Get(t.Context(), w.rows[2].key)
	require.NoError(t, err)
	assert.Equal(t, []byte("old"), row.Value("f", "op"), "the place that is read counts")

	// A key that is none, and a dry run.
	require.NoError(t, old.Put(t.Context(), hbase.Row{Key: []byte("nonsense"), Cells: w.cells(1, now)}))
	dry, err := w.c.Move(t.Context(), turn, rekey.Moving{DryRun: true})
	assert.ErrorIs(t, err, rekey.ErrRefused)
	assert.Equal(t, int64(4), dry.Rows)
	refused, err := w.store.Refused(t.Context())
	require.NoError(t, err)
	assert.Empty(t, refused)
	var told [][]byte
	p, err := w.c.Move(t.Context(), turn, rekey.Moving{Refused: func(r hbase.Row, why error) error {
		told = append(told, r.Key)
		return nil
	}})
	assert.ErrorIs(t, err, rekey.ErrRefused)
	assert.Equal(t, int64(1), p.Refused)
	assert.Equal(t, [][]byte{[]byte("nonsense")}, told)
	refused, err = w.store.Refused(t.Context())
	require.NoError(t, err)
	assert.Contains(t, refused, "nonsense")

	require.NoError(t, old.Put(t.Context(), hbase.Row{Key: own(3), Cells: w.cells(9, now.Add(time.Hour))}))
	again, err := w.store.Step(t.Context(), change.Prepare)
	require.NoError(t, err)
	_, err = w.c.Move(t.Context(), turn, rekey.Moving{})
	assert.ErrorIs(t, err, change.ErrStale, "state %d", again.Number)
	_, err = w.store.Step(t.Context(), change.WriteBoth)
	require.NoError(t, err)
	turn, err = w.store.MayMove(t.Context())
	require.NoError(t, err)
	_, err = w.c.Move(t.Context(), turn, rekey.Moving{})
	assert.ErrorIs(t, err, rekey.ErrFuture)
}

// TestCheckRefuses: tables that are kept in a way that a change cannot live with.
func TestCheckRefuses(t *testing.T) {
	t.Parallel()
	c := patient(t, anywhere(t))
	keeps := map[string]string{rekey.Tombstones: fmt.Sprint(takes.Milliseconds())}
	n := tables.Add(1)
	old := fmt.Sprintf("old%d", n)
	require.NoError(t, c.CreateTable(t.Context(), old, nil, "f"))
	for i, f := range []hbase.Family{
		{Name: "f", TTL: time.Hour, Config: keeps},
		{Name: "f", TTL: 30 * takes, Config: keeps}, // in the old table cells live for ever
		{Name: "f", KeepDeleted: "TRUE", Config: keeps},
		{Name: "f", Config: map[string]string{rekey.Tombstones: fmt.Sprint(takes.Milliseconds()), "NEW_VERSION_BEHAVIOR": "true"}},
		{Name: "f", Config: map[string]string{rekey.Tombstones: "1000"}},
		{Name: "f"},
		{Name: "g", Config: keeps},
	} {
		newer := fmt.Sprintf("new%d_%d", n, i)
		require.NoError(t, c.CreateTableOf(t.Context(), newer, nil, f))
		ch, err := rekey.New(c, rekey.Side{Table: old, Schema: ten}, rekey.Side{Table: newer, Schema: wide})
		require.NoError(t, err)
		assert.ErrorIs(t, ch.Check(t.Context(), change.State{}, change.InOld, takes), rekey.ErrTable, "%d", i)
	}
	lives := fmt.Sprintf("lives%d", n)
	require.NoError(t, c.CreateTableOf(t.Context(), lives, nil, hbase.Family{Name: "f", Versions: 2, TTL: 30 * takes, MinVersions: 1, Config: keeps}))
	for i, f := range []struct {
		hbase.Family
		refused bool
	}{
		{hbase.Family{Versions: 2, TTL: 30 * takes, MinVersions: 1}, false},
		{hbase.Family{Versions: 2, TTL: 31 * takes, MinVersions: 1}, false},
		{hbase.Family{Versions: 2}, false},
		{hbase.Family{Versions: 2, TTL: 29 * takes, MinVersions: 1}, true},
		{hbase.Family{Versions: 2, TTL: 30 * takes}, true},
	} {
		f.Name, f.Config = "f", keeps
		newer := fmt.Sprintf("lasts%d_%d", n, i)
		require.NoError(t, c.CreateTableOf(t.Context(), newer, nil, f.Family))
		ch, err := rekey.New(c, rekey.Side{Table: lives, Schema: ten}, rekey.Side{Table: newer, Schema: wide})
		require.NoError(t, err)
		err = ch.Check(t.Context(), change.State{}, change.InOld, takes)
		assert.Equal(t, f.refused, errors.Is(err, rekey.ErrTable), "%d: %v", i, err)
	}
}

// TestClientRefuses: what a client does not do, before anything is sent.
func TestClientRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t, anywhere(t), ten, wide, 1, false)
	cl := w.c.Client()
	key := w.rows[0].key
	assert.ErrorIs(t, cl.Put(t.Context(), hbase.Row{Key: key, TTL: time.Hour, Cells: w.cells(2, time.Time{})}), rekey.ErrRow)
	assert.ErrorIs(t, cl.Put(t.Context(), hbase.Row{Key: key, Cells: w.cells(2, time.Now())}), rekey.ErrRow)
	assert.ErrorIs(t, cl.Put(t.Context(), hbase.Row{Key: key, Cells: w.cells(2, time.Time{})}), change.ErrStale, "it has not joined")
	require.NoError(t, w.store.Join(t.Context(), "app", cl))
	assert.ErrorIs(t, cl.Put(t.Context(), hbase.Row{Key: key[:3], Cells: w.cells(2, time.Time{})}), rowkey.ErrMalformed)

	// A state is confirmed when what was under way before is over.
	require.NoError(t, cl.Put(t.Context(), hbase.Row{Key: key, Cells: w.cells(2, time.Time{})}))
	plan, err := w.c.Plan(rowkey.FullScan())
	require.NoError(t, err)
	for row, err := range cl.Scan(t.Context(), plan) {
		require.NoError(t, err)
		assert.Equal(t, 2, opOf(&row))
		_, err = w.store.Step(t.Context(), change.Prepare)
		require.NoError(t, err)
		for range 2 {
			require.NoError(t, w.store.Round(t.Context(), cl))
			late, err := w.store.Late(t.Context(), w.state())
			require.NoError(t, err)
			assert.Len(t, late, 1)
		}
	}
	w.goes(change.WriteBoth, cl)
	_, err = rekey.New(w.admin, w.c.Side(change.InOld), rekey.Side{Table: w.c.Side(change.InOld).Table, Schema: wide})
	assert.ErrorIs(t, err, rowkey.ErrAmbiguous)
}
