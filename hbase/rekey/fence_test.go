package rekey_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/change"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/internal/memory"
	"github.com/hbase-rowkey/rowkey/hbase/rekey"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// gate stops calls that write a table before they are sent, as a process is stopped between a
// check and what follows it.
type gate struct {
	mu    sync.Mutex
	table string
	open  chan struct{}
	at    chan struct{} // closed when a call has come to it
}

func (g *gate) shut(table string) (at chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.table, g.open, g.at = table, make(chan struct{}), make(chan struct{})
	return g.at
}

func (g *gate) Begin(ctx context.Context, call hbase.Call) (context.Context, func(hbase.Outcome)) {
	g.mu.Lock()
	stops := call.Write && call.Table == g.table
	open, at := g.open, g.at
	if stops {
		g.table = ""
	}
	g.mu.Unlock()
	if stops {
		close(at)
		<-open
	}
	return ctx, nil
}

// short is the lease of tests that wait until it is over.
const short = 2 * time.Second

// with is a world's change by connections of their own.
func (w *world) with(opts ...hbase.Option) (*rekey.Change, *rekey.Store) {
	conn := patient(w.t, w.gateway, opts...)
	c, err := rekey.New(conn, w.c.Side(change.InOld), w.c.Side(change.InNew))
	require.NoError(w.t, err)
	store, err := rekey.OpenStore(w.t.Context(), conn, "rowkey_change", w.def.OldTable)
	require.NoError(w.t, err)
	return c, store
}

// follows is a client that follows the state until the test ends.
func (w *world) follows(name string, opts ...hbase.Option) (cl *rekey.Client, stop func()) {
	c, store := w.with(opts...)
	cl = c.Client()
	require.NoError(w.t, store.Join(w.t.Context(), name, cl))
	ctx, cancel := context.WithCancel(w.t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = store.Follow(ctx, cl, 20*time.Millisecond) // the client says why it refuses
	}()
	stop = func() {
		cancel()
		<-ended
	}
	w.t.Cleanup(stop)
	return cl, stop
}

// asks does what all clients have to have confirmed the state for, when they have. One that joins
// reads the state first, and its row may come when nobody waits any more: then it is asked again.
func asks(ctx context.Context, store *rekey.Store, ended func(rekey.Member), do func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	for {
		st, err := store.State(ctx)
		if err != nil {
			return err
		}
		if err := store.Await(ctx, st, 2*time.Minute, ended); err != nil {
			return err
		}
		if err := do(ctx); !errors.Is(err, change.ErrPhase) || ctx.Err() != nil {
			return err
		}
	}
}

// turn is the state in which rows are moved, when all clients have confirmed it.
func turn(ctx context.Context, store *rekey.Store) (turn rekey.Turn, err error) {
	err = asks(ctx, store, nil, func(ctx context.Context) error {
		turn, err = store.MayMove(ctx)
		return err
	})
	return turn, err
}

// to goes through phases, with the clients that follow by themselves.
func (w *world) to(phases ...change.Phase) {
	w.t.Helper()
	for _, p := range phases {
		w.goesTo(p, nil)
	}
}

// goesTo goes to a phase, and waits until the clients have confirmed it, or their leases are over.
func (w *world) goesTo(p change.Phase, ended func(rekey.Member)) {
	w.t.Helper()
	require.NoError(w.t, asks(w.t.Context(), w.store, ended, func(ctx context.Context) error {
		_, err := w.store.Step(ctx, p)
		return err
	}))
	require.NoError(w.t, w.store.Await(w.t.Context(), w.state(), 2*time.Minute, ended))
}

// moves moves, verifies, and says so.
func (w *world) moves() {
	w.t.Helper()
	turn, err := turn(w.t.Context(), w.store)
	require.NoError(w.t, err)
	_, err = w.c.Move(w.t.Context(), turn, rekey.Moving{Parallel: 4})
	require.NoError(w.t, err)
	_, err = w.c.Verify(w.t.Context(), turn, rekey.Verifying{Parallel: 4, Wait: 10 * time.Millisecond})
	require.NoError(w.t, err)
	require.NoError(w.t, asks(w.t.Context(), w.store, nil, func(ctx context.Context) error {
		_, err := w.store.Verified(ctx, turn)
		return err
	}))
}

// TestStoppedClient: a client is stopped between its two writes for longer than its lease, while
// the change goes on without it. Continued, it does not acknowledge the operation, and refuses
// others; then it joins anew by itself.
func TestStoppedClient(t *testing.T) {
	t.Parallel()
	w := newWorldOf(t, anywhere(t), ten, wide, 10, false, short)
	var g gate
	c, store := w.with(hbase.Watch(&g))
	cl := c.Client()
	require.NoError(t, store.Join(t.Context(), "app", cl))
	w.goes(change.Prepare, cl)
	w.goes(change.WriteBoth, cl)

	at := g.shut(w.table(change.InOld).Name()) // the second place
	under := make(chan error)
	go func() { under <- cl.Put(t.Context(), hbase.Row{Key: w.rows[0].key, Cells: w.cells(2, time.Time{})}) }()
	<-at
	require.NoError(t, w.store.Await(t.Context(), w.state(), 2*time.Minute, nil)) // it had confirmed that
	w.moves()
	var ended []string
	_, err := w.store.Step(t.Context(), change.ReadNew)
	require.NoError(t, err)
	require.NoError(t, w.store.Await(t.Context(), w.state(), 2*time.Minute, func(m rekey.Member) { ended = append(ended, m.String()) }))
	assert.Equal(t, []string{"app#1"}, ended)
	w.to(change.Keep)
	close(g.open)
	assert.ErrorIs(t, <-under, change.ErrStale)
	_, _, err = cl.Get(t.Context(), w.rows[1].key)
	assert.ErrorIs(t, err, change.ErrStale)
	assert.ErrorIs(t, cl.Delete(t.Context(), w.rows[1].key), change.ErrStale)
	plan, err := w.c.Plan(rowkey.FullScan())
	require.NoError(t, err)
	for _, err := range cl.Scan(t.Context(), plan) {
		require.ErrorIs(t, err, change.ErrStale)
	}

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { _ = store.Follow(ctx, cl, 20*time.Millisecond) }()
	require.Eventually(t, func() bool {
		st, err := cl.State()
		return err == nil && st.Phase == change.Keep
	}, time.Minute, 20*time.Millisecond)
	require.NoError(t, cl.Put(t.Context(), hbase.Row{Key: w.rows[1].key, Cells: w.cells(7, time.Time{})}))
	members, err := w.store.Members(t.Context())
	require.NoError(t, err)
	last := members[len(members)-1]
	assert.Equal(t, "app#2", last.String())
	assert.False(t, last.Late(w.state()))
}

// TestTwins: of two clients of one name the second one serves. The first one refuses as soon as
// it looks, for good, and the change waits until its lease is over.
func TestTwins(t *testing.T) {
	t.Parallel()
	w := newWorldOf(t, anywhere(t), ten, wide, 2, false, short)
	c, store := w.with()
	first, second := c.Client(), c.Client()
	require.NoError(t, store.Join(t.Context(), "web-1", first))
	require.NoError(t, store.Join(t.Context(), "web-1", second))
	_, err := w.store.Step(t.Context(), change.Prepare)
	require.NoError(t, err)
	w.confirms(store, second, 1)
	late, err := w.store.Late(t.Context(), w.state())
	require.NoError(t, err)
	require.Len(t, late, 1, "the first one's lease may run")
	assert.Equal(t, "web-1#1", late[0].String())
	_, err = w.store.Step(t.Context(), change.WriteBoth)
	assert.ErrorIs(t, err, change.ErrPhase)

	key := w.rows[0].key
	assert.ErrorIs(t, store.Follow(t.Context(), first, time.Millisecond), rekey.ErrTaken)
	err = first.Put(t.Context(), hbase.Row{Key: key, Cells: w.cells(2, time.Time{})})
	assert.ErrorIs(t, err, change.ErrStale)
	assert.ErrorIs(t, err, rekey.ErrTaken)
	require.NoError(t, second.Put(t.Context(), hbase.Row{Key: key, Cells: w.cells(3, time.Time{})}))
	w.goes(change.WriteBoth, second)

	began := time.Now()
	ended := make(chan error)
	go func() { ended <- w.store.Forget(t.Context(), "web-1") }()
	for alive := true; alive; {
		select {
		case err := <-ended:
			assert.ErrorIs(t, err, change.ErrPhase, "it is at work")
			alive = false
		case <-time.After(50 * time.Millisecond):
			require.NoError(t, store.Round(t.Context(), second))
		}
	}
	require.NoError(t, w.store.Forget(t.Context(), "web-1")) // it does not look any more
	assert.Greater(t, time.Since(began), short)
	_, err = second.State()
	assert.ErrorIs(t, err, change.ErrStale)
	assert.ErrorIs(t, w.store.Forget(t.Context(), "nobody"), rekey.ErrNone)
}

// proxy stands between a client and a gateway. hold waits with what the client sends, and reports
// that it did.
type proxy struct {
	net.Listener
	to   string
	hold func(sent []byte) bool
}

func newProxy(t *testing.T, to string, hold func(sent []byte) bool) *proxy {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { listener.Close() })
	p := &proxy{listener, to, hold}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go p.pass(conn)
		}
	}()
	return p
}

func (p *proxy) pass(conn net.Conn) {
	server, err := net.Dial("tcp", p.to)
	if err != nil {
		conn.Close()
		return
	}
	go func() {
		io.Copy(conn, server) //nolint:errcheck // it ends with the connection
		conn.Close()
	}()
	b := make([]byte, 1<<16)
	for {
		n, err := conn.Read(b)
		if n > 0 {
			held := p.hold(b[:n])
			if _, err := server.Write(b[:n]); err != nil {
				return
			}
			if held { // it is to be answered, although nobody waits for it
				time.Sleep(time.Second)
			}
		}
		if err != nil {
			server.Close()
			return
		}
	}
}

// holding is a proxy that keeps back what a client sends over a connection from a text on, once.
type holding struct {
	*proxy
	mu   sync.Mutex
	text string
	held chan struct{} // closed when it has kept it
	free chan struct{}
}

func newHolding(t *testing.T, to string) *holding {
	h := &holding{held: make(chan struct{}), free: make(chan struct{})}
	h.proxy = newProxy(t, to, func(sent []byte) bool {
		h.mu.Lock()
		stops := h.text != "" && bytes.Contains(sent, []byte(h.text))
		if stops {
			h.text = ""
		}
		h.mu.Unlock()
		if stops {
			close(h.held)
			<-h.free
		}
		return stops
	})
	return h
}

func (h *holding) keep(text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text = text
}

// behindProxy is a client of the world whose writes a proxy can hold back.
func (w *world) behindProxy() (*holding, *rekey.Store, *rekey.Client) {
	proxy := newHolding(w.t, w.gateway)
	conn, err := hbase.Dial(w.t.Context(), proxy.Addr().String(), hbase.Timeout(5*time.Second))
	require.NoError(w.t, err)
	w.t.Cleanup(func() { conn.Close() })
	c, err := rekey.New(conn, w.c.Side(change.InOld), w.c.Side(change.InNew))
	require.NoError(w.t, err)
	store, err := rekey.OpenStore(w.t.Context(), conn, "rowkey_change", w.def.OldTable)
	require.NoError(w.t, err)
	return proxy, store, c.Client()
}

// TestLateConfirmation: a confirmation is held back on its way for two rounds of the change. It
// counts for nothing when it comes.
func TestLateConfirmation(t *testing.T) {
	t.Parallel()
	w := newWorldOf(t, anywhere(t), ten, wide, 2, false, 20*time.Second)
	proxy, store, cl := w.behindProxy()
	require.NoError(t, store.Join(t.Context(), "app", cl))

	_, err := w.store.Step(t.Context(), change.Prepare)
	require.NoError(t, err)
	proxy.keep("confirmed")
	require.Error(t, store.Round(t.Context(), cl), "no answer")
	<-proxy.held
	late := func() int {
		late, err := w.store.Late(t.Context(), w.state())
		require.NoError(t, err)
		return len(late)
	}
	require.Equal(t, 1, late())
	w.confirms(store, cl, 0)
	w.goes(change.Old, cl)
	_, err = w.store.Empty(t.Context(), w.c, 4)
	require.NoError(t, err)
	w.confirms(store, cl, 0)
	_, err = w.store.Step(t.Context(), change.Prepare)
	require.NoError(t, err)
	require.Equal(t, 1, late())
	members, err := w.store.Members(t.Context())
	require.NoError(t, err)
	close(proxy.free)
	time.Sleep(2 * time.Second) // it has come by then
	again, err := w.store.Members(t.Context())
	require.NoError(t, err)
	assert.Equal(t, members, again)
	require.Equal(t, 1, late())
	w.confirms(store, cl, 0)
}

// TestJoinThatComesLate: a client read the state, and its row comes when the change has gone on
// and nobody waits. It stops the change until its lease is over, though all had confirmed.
func TestJoinThatComesLate(t *testing.T) {
	t.Parallel()
	w := newWorldOf(t, anywhere(t), ten, wide, 2, false, short)
	proxy, store, cl := w.behindProxy()
	proxy.keep("confirmed")
	require.Error(t, store.Join(t.Context(), "app", cl), "no answer")
	<-proxy.held
	w.goesTo(change.Prepare, nil)

	close(proxy.free)
	require.Eventually(t, func() bool {
		late, err := w.store.Late(t.Context(), w.state())
		return err == nil && len(late) == 1
	}, time.Minute, 10*time.Millisecond)
	_, err := w.store.Step(t.Context(), change.WriteBoth)
	require.ErrorIs(t, err, change.ErrPhase)
	var ended []string
	w.goesTo(change.WriteBoth, func(m rekey.Member) { ended = append(ended, m.String()) })
	require.Equal(t, []string{"app#1"}, ended)
}

// TestMoverOfAnEarlierRound: a mover is stopped between its look at the state and its write. The
// change goes back to old, all rows are deleted, and it goes forward again. Continued, the write
// finds no table, and the mover ends; no deleted row is there.
func TestMoverOfAnEarlierRound(t *testing.T) { moverOfAnEarlierRound(t, onServer(t)) }

// TestMoverOfAnEarlierRoundInMemory is the same without a server.
func TestMoverOfAnEarlierRoundInMemory(t *testing.T) {
	t.Parallel()
	moverOfAnEarlierRound(t, inMemory(t))
}

func moverOfAnEarlierRound(t *testing.T, gateway string) {
	w := newWorldOf(t, gateway, ten, wide, 50, false, 20*time.Second)
	cl, _ := w.follows("app")
	w.to(change.Prepare, change.WriteBoth)
	var g gate
	c, store := w.with(hbase.Watch(&g))
	turn, err := store.MayMove(t.Context())
	require.NoError(t, err)
	first := w.table(change.InNew).Name()
	at := g.shut(first)
	stopped := make(chan error, 1)
	moving, end := context.WithCancel(t.Context())
	defer end()
	go func() {
		_, err := c.Move(moving, turn, rekey.Moving{Batch: 10})
		stopped <- err
	}()
	<-at
	w.to(change.Prepare, change.Old)
	for _, k := range w.rows {
		require.NoError(t, cl.Delete(t.Context(), k.key))
	}
	created, err := w.store.Empty(t.Context(), w.c, 4)
	require.NoError(t, err)
	assert.NotEqual(t, first, created)
	exists, err := w.admin.TableExists(t.Context(), first)
	require.NoError(t, err)
	assert.False(t, exists)
	w.to(change.Prepare, change.WriteBoth)
	w.moves()
	close(g.open)
	select {
	case err := <-stopped:
		assert.True(t, errors.Is(err, hbase.ErrNoTable) || errors.Is(err, change.ErrStale), "%v", err)
	case <-time.After(10 * time.Second): // the gateway looks for the table, for a minute or two
		end()
		assert.Error(t, <-stopped)
	}
	exists, err = w.admin.TableExists(t.Context(), first)
	require.NoError(t, err)
	assert.False(t, exists)
	_, err = w.store.Verified(t.Context(), turn)
	assert.ErrorIs(t, err, rekey.ErrChanged)
	assert.ErrorIs(t, turn.Holds(t.Context()), change.ErrStale)
	_, err = c.Move(t.Context(), turn, rekey.Moving{})
	assert.ErrorIs(t, err, change.ErrStale)
	w.to(change.ReadNew)
	for _, k := range w.rows {
		_, found, err := cl.Get(t.Context(), k.key)
		require.NoError(t, err)
		assert.False(t, found)
	}
}

// TestDefinition: who is held against the definition, and what it says.
func TestDefinition(t *testing.T) {
	t.Parallel()
	w := newWorldOf(t, anywhere(t), ten, wide, 40, false, 20*time.Second)
	ctx, sides := t.Context(), [2]rekey.Side{w.c.Side(change.InOld), w.c.Side(change.InNew)}
	other := rowkey.Must(rowkey.Parse("wide", "[salt32(at)][at:4][seller:2]"))
	limited := rowkey.Must(rowkey.Parse("wide", "[salt64(at)][at:4][seller:2 below(60000)]")) // the same keys
	for name, s := range map[string][2]rekey.Side{
		"another salt":      {sides[0], {Table: sides[1].Table, Schema: other}},
		"another limit":     {sides[0], {Table: sides[1].Table, Schema: limited}},
		"another table":     {{Table: "elsewhere", Schema: ten}, sides[1]},
		"another new table": {sides[0], {Table: "elsewhere", Schema: wide}},
		"another old one":   {{Table: sides[0].Table, Schema: alike}, sides[1]},
	} {
		c, err := rekey.New(w.admin, s[0], s[1])
		require.NoError(t, err)
		assert.ErrorIs(t, w.store.Join(ctx, "app", c.Client()), rekey.ErrDefinition, name)
	}
	_, err := rekey.OpenStore(ctx, w.admin, "rowkey_change", "a typo")
	assert.ErrorIs(t, err, rekey.ErrNone)
	_, err = rekey.OpenStore(ctx, w.admin, fmt.Sprintf("none%d", tables.Add(1)), "x")
	assert.ErrorIs(t, err, rekey.ErrNone)

	// Begun again: by the same definition it is another change's already, or this one's and done.
	begin := func(name string, d rekey.Definition, misfits int) (rekey.Begun, error) {
		_, b, err := rekey.Begin(ctx, w.admin, "rowkey_change", name, rekey.Beginning{Definition: d, Regions: 1, Misfits: misfits})
		return b, err
	}
	_, err = begin(w.def.OldTable, w.def, 0)
	assert.ErrorIs(t, err, rekey.ErrChanged)
	_, err = begin("another", w.def, 0)
	assert.ErrorIs(t, err, rekey.ErrTable)

	// A wrong schema of the same width, found by rows that are stored, before anything is made.
	d := w.def
	d.OldSchema, d.NewTable = "[salt10(at)][seller:2][at:4]", fmt.Sprintf("new%d", tables.Add(1))
	b, err := begin("wrong", d, 0)
	assert.ErrorIs(t, err, rekey.ErrDefinition)
	assert.Equal(t, 40, b.Looked)
	assert.Greater(t, b.Misfits, 20)
	exists, err := w.admin.TableExists(ctx, d.NewTable)
	require.NoError(t, err)
	assert.False(t, exists)
	_, err = rekey.OpenStore(ctx, w.admin, "rowkey_change", "wrong")
	assert.ErrorIs(t, err, rekey.ErrNone)
	d.OldSchema = w.def.OldSchema
	for _, lease := range []time.Duration{time.Millisecond, 48 * time.Hour} {
		d.Lease = lease
		_, err = begin("wrong", d, 0)
		assert.ErrorIs(t, err, rowkey.ErrRange)
	}
	d.Lease = 0
	b, err = begin("right", d, 0)
	require.NoError(t, err)
	require.Len(t, b.Samples, 3)
	own, err := wide.Rekey(nil, b.Samples[0].Old, ten)
	require.NoError(t, err)
	assert.Equal(t, own, b.Samples[0].New)
}

// TestBeginAgain: begin is ended before its table is there; run again it makes one of another
// name.
func TestBeginAgain(t *testing.T) {
	t.Parallel()
	w := newWorldOf(t, anywhere(t), ten, wide, 3, false, 20*time.Second)
	d := w.def
	d.NewTable = fmt.Sprintf("new%d", tables.Add(1))
	ctx, cancel := context.WithCancel(t.Context())
	conn := patient(t, w.gateway, hbase.Watch(ending{"createTable", d.NewTable, cancel}))
	b := rekey.Beginning{Definition: d, Regions: 1}
	_, _, err := rekey.Begin(ctx, conn, "rowkey_change", "again", b)
	require.Error(t, err)
	store, err := rekey.OpenStore(t.Context(), w.admin, "rowkey_change", "again")
	require.NoError(t, err)
	_, err = store.Step(t.Context(), change.Prepare)
	assert.ErrorIs(t, err, change.ErrPhase, "the new table is not there")
	others := []rekey.Beginning{b, b, b}
	others[0].Takes, others[1].Lease, others[2].NewSchema = 48*time.Hour, time.Hour, "[salt32(at)][at:4][seller:2]"
	for _, other := range others {
		_, _, err = rekey.Begin(t.Context(), w.admin, "rowkey_change", "again", other)
		assert.ErrorIs(t, err, rekey.ErrChanged)
	}
	_, begun, err := rekey.Begin(t.Context(), w.admin, "rowkey_change", "again", b)
	require.NoError(t, err)
	assert.Equal(t, d.NewTable+".r2", begun.Table)
	_, err = store.Step(t.Context(), change.Prepare)
	require.NoError(t, err)
}

// ending ends a context when a call begins.
type ending struct {
	name, table string
	end         func()
}

func (e ending) Begin(ctx context.Context, call hbase.Call) (context.Context, func(hbase.Outcome)) {
	if call.Name == e.name && call.Table == e.table {
		e.end()
	}
	return ctx, nil
}

// TestLostState: the table of states is gone. Clients refuse, nobody joins, and nothing makes it
// anew.
func TestLostState(t *testing.T) {
	t.Parallel()
	w := newWorld(t, anywhere(t), ten, wide, 3, false)
	d := w.def
	d.NewTable = fmt.Sprintf("new%d", tables.Add(1))
	states := fmt.Sprintf("states%d", tables.Add(1))
	store, _, err := rekey.Begin(t.Context(), w.admin, states, "x", rekey.Beginning{Definition: d, Regions: 1})
	require.NoError(t, err)
	c, err := d.Change(w.admin)
	require.NoError(t, err)
	cl := c.Client()
	require.NoError(t, store.Join(t.Context(), "app", cl))
	key := w.rows[0].key
	require.NoError(t, cl.Put(t.Context(), hbase.Row{Key: key, Cells: w.cells(2, time.Time{})}))
	require.NoError(t, w.admin.DropTable(t.Context(), states))
	assert.ErrorIs(t, store.Follow(t.Context(), cl, time.Millisecond), rekey.ErrNone)
	err = cl.Put(t.Context(), hbase.Row{Key: key, Cells: w.cells(3, time.Time{})})
	assert.True(t, errors.Is(err, rekey.ErrNone) && errors.Is(err, change.ErrStale), "%v", err)
	assert.ErrorIs(t, store.Join(t.Context(), "app", cl), rekey.ErrNone)
	_, err = rekey.OpenStore(t.Context(), w.admin, states, "x")
	assert.ErrorIs(t, err, rekey.ErrNone)
	exists, err := w.admin.TableExists(t.Context(), states)
	require.NoError(t, err)
	assert.False(t, exists)
}

// TestVerifyGoesOn: a verify that is ended goes on where it was, with the half deletes that it
// had seen; one of an earlier state counts for nothing.
func TestVerifyGoesOn(t *testing.T) {
	t.Parallel()
	w := newWorldOf(t, anywhere(t), ten, wide, 200, false, 20*time.Second)
	w.to(change.Prepare, change.WriteBoth)
	turn, err := w.store.MayMove(t.Context())
	require.NoError(t, err)
	_, err = w.c.Move(t.Context(), turn, rekey.Moving{})
	require.NoError(t, err)
	half := time.Now()
	require.NoError(t, w.table(change.InNew).DeleteCells(t.Context(), hbase.Deletion{Key: w.rows[0].key, Time: half}))
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
	defer cancel()
	found, err := w.c.Verify(ctx, turn, rekey.Verifying{Parallel: 2, Wait: time.Hour})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	assert.Positive(t, found.Compared)
	found, err = w.c.Verify(t.Context(), turn, rekey.Verifying{Parallel: 2, Wait: time.Millisecond})
	require.NoError(t, err)
	assert.Equal(t, int64(0), found.Compared, "that was done")
	assert.Equal(t, int64(1), found.Finished)
	assert.Equal(t, int64(200), found.Rows, "as they were summed up")
	_, err = w.store.Verified(t.Context(), turn)
	require.NoError(t, err)
	w.equal()
	w.to(change.Prepare)
	_, err = w.c.Verify(t.Context(), turn, rekey.Verifying{Wait: time.Millisecond})
	assert.ErrorIs(t, err, change.ErrStale)
}

// TestClock: a client whose clock is far from the server's is refused, and one whose clock loses
// more than a tenth, and one whose clock is set.
func TestClock(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		server time.Duration
		wrong  bool
	}{{0, false}, {900 * time.Millisecond, false}, {-900 * time.Millisecond, false}, {10 * time.Minute, true}, {-10 * time.Minute, true}, {-2 * time.Second, true}} {
		var of rekey.Clock
		err := of.Look(now.Add(c.server), now, now.Add(10*time.Millisecond), time.Second)
		assert.Equal(t, c.wrong, errors.Is(err, rekey.ErrClock), "%v", c.server)
	}

	// The server counts 11 seconds each time, and the client as many or fewer.
	for _, c := range []struct {
		here  time.Duration
		lease time.Duration
		wrong bool
	}{
		{11 * time.Second, time.Second, false},
		{10100 * time.Millisecond, time.Second, false}, // a second less, but no tenth
		{11400 * time.Millisecond, time.Second, false}, // a clock that is fast does no harm
		{9900 * time.Millisecond, time.Second, true},
		{9900 * time.Millisecond, time.Minute, false}, // not for so long yet
	} {
		var of rekey.Clock
		var err error
		for i := range 2 {
			// The server's clock begins as far ahead as it may, and ends so.
			sent := now.Add(time.Duration(i) * c.here)
			server := now.Add(time.Duration(i)*11*time.Second - 500*time.Millisecond)
			err = errors.Join(err, of.Look(server, sent, sent, c.lease))
		}
		assert.Equal(t, c.wrong, errors.Is(err, rekey.ErrClock), "%v of a lease of %v", c.here, c.lease)
	}

	for _, c := range []struct {
		monotonic, wall time.Duration
		reason          error
	}{
		{time.Second, time.Second, nil},
		{time.Second, 1900 * time.Millisecond, nil},
		{time.Second, -500 * time.Millisecond, rekey.ErrClock}, // set back
		{time.Second, 5 * time.Second, rekey.ErrClock},         // set, or the machine was suspended
		{time.Second, time.Minute, change.ErrStale},            // suspended for longer than the lease
		{time.Minute, time.Second, change.ErrStale},            // set back while the lease ended
	} {
		assert.ErrorIs(t, rekey.Runs(time.Minute, c.monotonic, c.wall), c.reason, "%v", c)
	}
}

// TestClockWhileServing: the server's clock and the client's part after the client has joined. It
// refuses, and joins anew when they agree.
func TestClockWhileServing(t *testing.T) {
	t.Parallel()
	server, gateway := withClock(t)
	w := newWorldOf(t, gateway, ten, wide, 2, false, 20*time.Second)
	cl, _ := w.follows("app")
	server.SetClock(func() time.Time { return time.Now().Add(10 * time.Minute) })
	require.Eventually(t, func() bool {
		_, err := cl.State()
		return errors.Is(err, rekey.ErrClock)
	}, time.Minute, time.Millisecond)
	err := cl.Put(t.Context(), hbase.Row{Key: w.rows[0].key, Cells: w.cells(2, time.Time{})})
	assert.ErrorIs(t, err, rekey.ErrClock)
	assert.ErrorIs(t, err, change.ErrStale)
	server.SetClock(time.Now)
	require.Eventually(t, func() bool {
		_, err := cl.State()
		return err == nil
	}, time.Minute, time.Millisecond)
	require.NoError(t, cl.Put(t.Context(), hbase.Row{Key: w.rows[0].key, Cells: w.cells(2, time.Time{})}))
}

// TestOperatorsClock: a lease is ended when it is over by the operator's clock and by the server's.
func TestOperatorsClock(t *testing.T) {
	t.Parallel()
	server, gateway := withClock(t)
	w := newWorldOf(t, gateway, ten, wide, 2, false, rekey.ShortestLease)
	c, store := w.with()
	require.NoError(t, store.Join(t.Context(), "app", c.Client()))
	_, err := w.store.Step(t.Context(), change.Prepare)
	require.NoError(t, err)
	server.SetClock(func() time.Time { return time.Now().Add(time.Hour) })
	assert.ErrorIs(t, w.store.Await(t.Context(), w.state(), 0, nil), change.ErrPhase)
	stands := time.Now()
	server.SetClock(func() time.Time { return stands })
	assert.ErrorIs(t, w.store.Await(t.Context(), w.state(), 2*rekey.ShortestLease, nil), change.ErrPhase)
	server.SetClock(time.Now)
	require.NoError(t, w.store.Await(t.Context(), w.state(), time.Minute, nil))
}

// withClock is a server whose clock a test sets.
func withClock(t *testing.T) (server *memory.Server, gateway string) {
	server, err := memory.Start()
	require.NoError(t, err)
	t.Cleanup(server.Stop)
	return server, server.Addr
}
