package rekey_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/change"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/internal/cluster/shared"
	"github.com/hbase-rowkey/rowkey/hbase/rekey"
	"github.com/stretchr/testify/require"
)

// A torture: clients and movers are processes, which are stopped, continued, killed and started
// twice under one name. What was acknowledged is in files that outlive them; whoever reads holds
// what is seen against the files of all.

// process is what a process of a torture is told.
type process struct {
	Gateway, State, Name string
	Of                   rekey.Definition
	Dir                  string
	Number, Numbers      int // of the process, and of all that there may be
	Keys                 int
	Tool                 string // a move or a verify; empty is a client
}

const tortureEnv = "ROWKEY_TORTURE"

// slots are what a process has done to each key: when the newest operation began that was
// acknowledged, when the newest delete that was asked for began or, if it was acknowledged, ended,
// and whether that one was not acknowledged. Times are nanoseconds of the one clock of the machine.
type slots struct{ file *os.File }

const slotSize = 24

func openSlots(dir string, number int) (slots, error) {
	f, err := os.OpenFile(filepath.Join(dir, fmt.Sprint("slots", number)), os.O_RDWR|os.O_CREATE, 0o644)
	return slots{f}, err
}

func (s slots) set(key, what int, value int64) error {
	_, err := s.file.WriteAt(binary.BigEndian.AppendUint64(nil, uint64(value)), int64(key*slotSize+8*what))
	return err
}

// get is zero for what was never written.
func (s slots) get(key int) (v [3]int64, err error) {
	var b [slotSize]byte
	if _, err = s.file.ReadAt(b[:], int64(key*slotSize)); err == io.EOF {
		err = nil
	}
	for i := range v {
		v[i] = int64(binary.BigEndian.Uint64(b[8*i:]))
	}
	return v, err
}

// before is what was acknowledged of a key when a read begins: when the newest of it began.
func before(all []slots, key int) (newest int64, err error) {
	for _, s := range all {
		v, err := s.get(key)
		if err != nil {
			return 0, err
		}
		newest = max(newest, v[0])
	}
	return newest, nil
}

// judge holds what a read saw against that. A cell has the timestamp of its operation, which is
// not earlier than the operation's begin: one that is earlier than the begin of an operation that
// was acknowledged before the read is of an operation that that one replaced. A row that is not
// there was deleted: by an operation that ended later than that, or that was not acknowledged.
func judge(all []slots, key int, newest int64, seen time.Time) error {
	if !seen.IsZero() {
		if at := seen.UnixMilli(); at < newest/1e6 {
			return fmt.Errorf("key %d: a cell of %d is seen, and an operation of %d was acknowledged", key, at, newest/1e6)
		}
		return nil
	}
	if newest == 0 {
		return fmt.Errorf("key %d is missing, which nobody has written since the beginning", key)
	}
	for _, s := range all {
		v, err := s.get(key)
		if err != nil {
			return err
		}
		if v[1] >= newest || v[1] > 0 && v[2] != 0 {
			return nil
		}
	}
	return fmt.Errorf("key %d is missing, and an operation of %d was acknowledged", key, newest/1e6)
}

// deleted reports that somebody asked for a delete of a key.
func deleted(all []slots, key int) bool {
	for _, s := range all {
		if v, err := s.get(key); err == nil && v[1] > 0 {
			return true
		}
	}
	return false
}

// runTorture is such a process. It ends when its standard input does, and says on its output what
// it did.
func runTorture(told string) error {
	var p process
	if err := json.Unmarshal([]byte(told), &p); err != nil {
		return err
	}
	ctx := context.Background()
	var stops stopsItself
	opts := []hbase.Option{hbase.Timeout(20 * time.Second), hbase.Connections(16), hbase.Retry(5, 100*time.Millisecond)}
	if p.Tool != "" {
		opts = []hbase.Option{hbase.Timeout(5 * time.Second), hbase.Watch(&stops)}
	}
	conn, err := hbase.Dial(ctx, p.Gateway, opts...)
	if err != nil {
		return err
	}
	c, err := p.Of.Change(conn)
	if err != nil {
		return err
	}
	store, err := rekey.OpenStore(ctx, conn, p.State, p.Of.OldTable)
	if err != nil {
		return err
	}
	if p.Tool != "" {
		turn, err := turn(ctx, store)
		if err != nil {
			return err
		}
		var rows int64
		stops.table = c.Name(turn.State, turn.From().Other())
		if stops.call = "putMultiple"; p.Tool == "move" { // after it has asked whether the turn holds
			var p rekey.Progress
			p, err = c.Move(ctx, turn, rekey.Moving{Batch: 10})
			rows = p.Rows
		} else {
			stops.call = "getScannerResults"
			var v rekey.Verified
			v, err = c.Verify(ctx, turn, rekey.Verifying{})
			rows = v.Rows
		}
		fmt.Println("ended after", rows, errors.Is(err, change.ErrStale) || errors.Is(err, hbase.ErrNoTable), err)
		return nil
	}
	t := &torturer{process: p, cl: c.Client(), c: c, busy: make([]sync.Mutex, p.Keys)}
	for i := range p.Numbers {
		s, err := openSlots(p.Dir, i)
		if err != nil {
			return err
		}
		t.all = append(t.all, s)
	}
	for {
		if err := store.Join(ctx, p.Name, t.cl); err == nil {
			break
		} else if errors.Is(err, rekey.ErrTaken) {
			fmt.Println("taken")
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	fmt.Println("joined")
	var work sync.WaitGroup
	go func() {
		io.Copy(io.Discard, os.Stdin) //nolint:errcheck // its end is all
		t.over.Store(true)
	}()
	follows, cancel := context.WithCancel(ctx)
	followed := make(chan struct{})
	go func() {
		defer close(followed)
		if err := store.Follow(follows, t.cl, 50*time.Millisecond); errors.Is(err, rekey.ErrTaken) {
			fmt.Println("taken")
		}
	}()
	for i, do := range []func(r *rand.Rand) error{t.write, t.write, t.read, t.scan} {
		work.Add(1)
		go func() {
			defer work.Done()
			r := rand.New(rand.NewPCG(uint64(p.Number), uint64(i)))
			for !t.over.Load() && t.wrong.Load() == nil {
				if err := do(r); err != nil {
					t.wrong.CompareAndSwap(nil, &err)
				}
			}
		}()
	}
	work.Wait()
	cancel()
	<-followed
	fmt.Printf("did %d %d %d %d %d\n", t.acked.Load(), t.refused.Load(), t.reads.Load(), t.rows.Load(), t.stale.Load())
	if why := t.wrong.Load(); why != nil {
		return *why
	}
	return nil
}

// stopsItself stops its process when a call is to be sent, the first of a name, of a table.
type stopsItself struct {
	call, table string
	done        atomic.Bool
}

func (s *stopsItself) Begin(ctx context.Context, call hbase.Call) (context.Context, func(hbase.Outcome)) {
	if call.Name == s.call && call.Table == s.table && s.done.CompareAndSwap(false, true) {
		fmt.Println("stops")
		syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	}
	return ctx, nil
}

type torturer struct {
	process
	cl    *rekey.Client
	c     *rekey.Change
	all   []slots
	busy  []sync.Mutex
	over  atomic.Bool
	wrong atomic.Pointer[error]

	acked, refused, reads, rows, stale atomic.Int64 // stale: of the refused, by the lease
}

func keyAt(s *rowkey.Schema, i int) []byte {
	var values [2]any
	n := 0
	for f := range s.Fields() {
		switch f.Name {
		case "seller":
			values[n] = uint64(i % 97)
			n++
		case "at":
			if !f.Derived {
				values[n] = uint64(i)
				n++
			}
		}
	}
	key, err := s.AppendKey(nil, values[:]...)
	if err != nil {
		panic(err)
	}
	return key
}

// refuse counts an operation that was not acknowledged.
func (t *torturer) refuse(err error) {
	t.refused.Add(1)
	if errors.Is(err, change.ErrStale) {
		t.stale.Add(1)
		time.Sleep(20 * time.Millisecond)
	}
}

func (t *torturer) write(r *rand.Rand) error {
	i := r.IntN(t.Keys)
	t.busy[i].Lock()
	defer t.busy[i].Unlock()
	own := t.all[t.Number]
	key := keyAt(t.c.Side(change.InNew).Schema, i)
	began := time.Now().UnixNano()
	var err error
	if r.IntN(4) > 0 {
		err = t.cl.Put(context.Background(), hbase.Row{Key: key, Cells: []hbase.Cell{{Family: "f", Qualifier: "op", Value: fmt.Append(nil, t.Number, " ", began)}}})
		if err == nil {
			err = own.set(i, 0, began)
		}
	} else {
		if err := errors.Join(own.set(i, 2, 1), own.set(i, 1, began)); err != nil {
			return err
		}
		if err = t.cl.Delete(context.Background(), key); err == nil {
			// It may have come after a put that began later: until now.
			err = errors.Join(own.set(i, 0, began), own.set(i, 1, time.Now().UnixNano()), own.set(i, 2, 0))
		}
	}
	if err != nil {
		t.refuse(err)
	} else {
		t.acked.Add(1)
	}
	return nil
}

func (t *torturer) read(r *rand.Rand) error {
	i := r.IntN(t.Keys)
	newest, err := before(t.all, i)
	if err != nil {
		return err
	}
	row, found, err := t.cl.Get(context.Background(), keyAt(t.c.Side(change.InNew).Schema, i))
	if err != nil {
		t.refuse(err)
		return nil
	}
	t.reads.Add(1)
	return t.see(i, newest, row, found)
}

func (t *torturer) see(i int, newest int64, row hbase.Row, found bool) error {
	var at time.Time
	if found {
		at = row.Cells[0].Time
	} else if newest == 0 && deleted(t.all, i) {
		return nil
	}
	return judge(t.all, i, newest, at)
}

func (t *torturer) scan(*rand.Rand) error {
	time.Sleep(100 * time.Millisecond)
	newest := make([]int64, t.Keys)
	for i := range newest {
		var err error
		if newest[i], err = before(t.all, i); err != nil {
			return err
		}
	}
	plan, err := t.c.Plan(rowkey.FullScan())
	if err != nil {
		return err
	}
	seen := map[string]hbase.Row{}
	for row, err := range t.cl.Scan(context.Background(), plan) {
		if err != nil {
			t.refuse(err)
			return nil
		}
		if _, twice := seen[string(row.Key)]; twice {
			return fmt.Errorf("row %x comes twice", row.Key)
		}
		seen[string(row.Key)] = row
	}
	for i := range newest {
		row, found := seen[string(keyAt(t.c.Side(change.InNew).Schema, i))]
		if err := t.see(i, newest[i], row, found); err != nil {
			return fmt.Errorf("in a scan: %w", err)
		}
	}
	t.rows.Add(int64(t.Keys))
	return nil
}

// torture is what the test that starts the processes knows.
type torture struct {
	*world
	told  process
	all   []slots
	next  int // number of the next process
	lives []*living

	gateways []string // of which a client has one: directly, or by a proxy that holds back confirmations

	stops, kills, twins, ended, tools int
	held                              atomic.Int64
	did                               [5]int64
}

type living struct {
	cmd     *exec.Cmd
	in      io.Closer
	out     *bufio.Reader
	name    string
	stopped bool
}

// start starts a process, and waits for its first word.
func (x *torture) start(name, tool string) *living {
	told := x.told
	told.Name, told.Number, told.Tool = name, x.next, tool
	if tool == "" {
		told.Gateway = x.gateways[x.next%len(x.gateways)]
	}
	x.next++
	require.Less(x.t, told.Number, told.Numbers)
	text, err := json.Marshal(told)
	require.NoError(x.t, err)
	l := &living{cmd: exec.Command(os.Args[0]), name: name}
	l.cmd.Env = append(os.Environ(), tortureEnv+"="+string(text))
	l.cmd.Stderr = os.Stderr
	out, err := l.cmd.StdoutPipe()
	require.NoError(x.t, err)
	l.out = bufio.NewReader(out)
	l.in, err = l.cmd.StdinPipe()
	require.NoError(x.t, err)
	require.NoError(x.t, l.cmd.Start())
	x.t.Cleanup(func() { _ = l.cmd.Process.Kill() })
	_, err = l.out.ReadString('\n')
	require.NoError(x.t, err)
	if tool == "" {
		x.lives = append(x.lives, l)
	}
	return l
}

// stopped starts a mover or a verify, which has stopped itself in the middle.
func (x *torture) stopped(tool string) *living {
	l := x.start(tool, tool)
	x.tools++
	return l
}

// stale continues movers and verifies of an earlier state, and sees them end.
func (x *torture) stale(tools ...*living) {
	for _, l := range tools {
		x.signal(l, syscall.SIGCONT)
		require.Contains(x.t, x.end(l), " true ", "of an earlier state")
	}
}

func (x *torture) signal(l *living, s os.Signal) {
	require.NoError(x.t, l.cmd.Process.Signal(s))
	l.stopped = s == syscall.SIGSTOP
}

// end ends a process, and adds what it did.
func (x *torture) end(l *living) (said string) {
	l.in.Close()
	text, err := io.ReadAll(l.out)
	require.NoError(x.t, err)
	require.NoError(x.t, l.cmd.Wait(), "%s: %s", l.name, text)
	var did [5]int64
	for line := range strings.Lines(string(text)) {
		if n, _ := fmt.Sscanf(line, "did %d %d %d %d %d", &did[0], &did[1], &did[2], &did[3], &did[4]); n == 5 {
			for i := range did {
				x.did[i] += did[i]
			}
		}
	}
	return string(text)
}

// drop takes a client from those that live.
func (x *torture) drop(i int) *living {
	l := x.lives[i]
	x.lives = append(x.lives[:i], x.lives[i+1:]...)
	return l
}

// step goes to a phase while a process is stopped, or killed, or has a twin.
func (x *torture) step(r *rand.Rand, to change.Phase, what int) {
	x.t.Helper()
	i := r.IntN(len(x.lives))
	l := x.lives[i]
	switch what % 4 {
	case 0, 1: // longer than its lease, since the change waits for that
		x.signal(l, syscall.SIGSTOP)
		x.stops++
	case 2:
		x.signal(l, syscall.SIGKILL)
		_ = l.cmd.Wait()
		x.drop(i)
		x.kills++
		x.start(l.name, "")
	case 3: // stopped, and one of its name is started
		x.signal(l, syscall.SIGSTOP)
		x.start(l.name, "")
		x.twins++
	}
	x.goesTo(to, func(rekey.Member) { x.ended++ })
	if what%4 == 1 { // two phases behind, if the next step comes at once
		return
	}
	if l.stopped {
		x.signal(l, syscall.SIGCONT)
	}
	if what%4 == 3 {
		for i := range x.lives {
			if x.lives[i] == l {
				x.drop(i)
				break
			}
		}
		said, err := l.out.ReadString('\n') // it learns that it was taken over
		require.NoError(x.t, err)
		require.Equal(x.t, "taken\n", said)
		x.end(l)
	}
	x.alive()
}

// alive continues all, and says if one has found something wrong.
func (x *torture) alive() {
	for _, l := range x.lives {
		if l.stopped {
			x.signal(l, syscall.SIGCONT)
		}
	}
	time.Sleep(200 * time.Millisecond)
}

// dump reads a table whole and holds each row against what was acknowledged: an own decoding of
// its keys, of which the last bytes or those after the salt are the number of the row.
func (x *torture) dump(p change.Place) (rows int) {
	x.t.Helper()
	at := map[int]time.Time{}
	for row, err := range x.table(p).Scan(x.t.Context(), rowkey.PrefixRange(nil)) {
		require.NoError(x.t, err)
		require.Len(x.t, row.Key, 7)
		own := row.Key[3:7]
		if p == change.InNew {
			own = row.Key[1:5]
		}
		i := int(binary.BigEndian.Uint32(own))
		_, twice := at[i]
		require.False(x.t, twice, "%d", i)
		at[i] = row.Cells[0].Time
	}
	for i := range x.told.Keys {
		newest, err := before(x.all, i)
		require.NoError(x.t, err)
		if at[i].IsZero() && newest == 0 && deleted(x.all, i) {
			continue
		}
		require.NoError(x.t, judge(x.all, i, newest, at[i]), "in %v", p)
	}
	return len(at)
}

// empties has the table that is not written be created anew.
func (x *torture) empties() {
	x.t.Helper()
	require.NoError(x.t, asks(x.t.Context(), x.store, nil, func(ctx context.Context) error {
		_, err := x.store.Empty(ctx, x.c, 4)
		return err
	}))
}

// torturing runs a torture of so many rounds.
func torturing(t *testing.T, keys, clients, rounds int, lease time.Duration) {
	x := &torture{world: newWorldOf(t, onServer(t), ten, wide, keys, false, lease)}
	x.told = process{Gateway: shared.Server(t).Socket, State: "rowkey_change", Of: x.def, Dir: t.TempDir(), Keys: keys, Numbers: clients + 20*rounds}
	for i := range x.told.Numbers {
		s, err := openSlots(x.told.Dir, i)
		require.NoError(t, err)
		t.Cleanup(func() { s.file.Close() })
		x.all = append(x.all, s)
	}
	direct := shared.Server(t).Socket
	late := newProxy(t, direct, func(sent []byte) bool {
		if !bytes.Contains(sent, []byte("confirmed")) || rand.IntN(30) > 0 {
			return false
		}
		x.held.Add(1)
		time.Sleep(lease + lease/2)
		return true
	})
	x.gateways = []string{direct, late.Addr().String()}
	for i := range clients {
		x.start(fmt.Sprint("web-", i), "")
	}
	r := rand.New(rand.NewPCG(uint64(rounds), 7))
	n := 0
	to := func(phases ...change.Phase) {
		for _, p := range phases {
			x.step(r, p, n)
			n++
		}
	}
	var older []*living // of an earlier round, where their table is gone
	for round := range rounds {
		if round > 0 {
			x.empties()
		}
		to(change.Prepare, change.WriteBoth)
		x.stale(older...)
		tools := []*living{x.stopped("move"), x.stopped("move")}
		x.alive()
		x.moves()
		tools = append(tools, x.stopped("verify"), x.stopped("verify"))
		older = []*living{tools[1], tools[3]}
		to(change.ReadNew, change.Keep)
		x.alive()
		x.stale(tools[0], tools[2])
		to(change.ReadNew)
		x.alive()
		x.moves()
		to(change.WriteBoth, change.Prepare, change.Old)
		x.alive()
	}
	x.empties()
	to(change.Prepare, change.WriteBoth)
	x.stale(older...)
	x.alive()
	for _, l := range x.lives {
		x.end(l)
	}
	require.NoError(t, x.store.Await(t.Context(), x.state(), 2*time.Minute, nil))
	x.moves()
	rows := x.dump(change.InOld)
	x.dump(change.InNew) // it is verified: it may be read
	t.Logf("%d steps: %d operations acknowledged, %d not, of them %d by leases; %d rows got and %d scanned, none wrong; %d stops longer than the lease, %d processes killed, %d twins, %d leases ended, %d confirmations held back, %d movers and verifies continued in a later state; %d rows at the end",
		n, x.did[0], x.did[1], x.did[4], x.did[2], x.did[3], x.stops, x.kills, x.twins, x.ended, x.held.Load(), x.tools, rows)
	require.Positive(t, x.did[0])
	require.Positive(t, x.did[4], "nobody was ever refused by a lease")
	require.Positive(t, x.ended)
}

// TestTorture: processes are stopped for longer than their leases, killed, and started twice under
// one name at every phase, while all write and read, and some of their confirmations come late; movers
// and verifies are stopped before a call and continued in a later state, and in a later round.
func TestTorture(t *testing.T) { torturing(t, 200, 3, 1, rekey.ShortestLease) }
