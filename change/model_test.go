package change_test

import (
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/hbase-rowkey/rowkey/change"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A model of a change. The phases and the steps between them are those of the package;
// what executes them is a toy: two places of each row, cells with timestamps, one
// tombstone, compactions, writers that may crash between two writes and try again, a
// write that arrives late, a mover that is killed and resumes, a verify, and phases that
// reach each client at its own time. All interleavings, breadth first, so that the first
// violation is a shortest one. A key's places are all that matters: one key and three or
// four operations say most.
//
// A process may be stopped between any two of its steps, for as long as the others like: an
// interleaving is that. What a stop hides from the others is a step of its own: the lease of a
// client ends, and the one write that it had checked its lease for still arrives; a mover or a
// verify of an earlier state still makes the one write that it had checked the state for.

const (
	mKeys, mCols, mOps = 2, 2, 8
	mAll               = 255 // columns of an operation
	mPut, mDelete      = 1, 2
	mBegun, mAcked     = 1, 2
)

// mCell is a cell: its time and the operation that wrote it, 0 if there is none.
type mCell struct{ at, op uint8 }

// mRow is a row of the toy store. A column's cells up to its tombstone are hidden,
// whenever they arrive; one version is kept.
type mRow struct {
	cells [mCols]mCell
	tombs [mCols]uint8
}

func (r *mRow) put(col int, c mCell) {
	if c.op != 0 && c.at > r.tombs[col] && c.at >= r.cells[col].at {
		r.cells[col] = c
	}
}

func (r *mRow) delete(at uint8) {
	for col := range r.cells {
		r.deleteColumn(col, at)
	}
}

func (r *mRow) deleteColumn(col int, at uint8) {
	if r.tombs[col] = max(r.tombs[col], at); r.cells[col].at <= r.tombs[col] {
		r.cells[col] = mCell{}
	}
}

// visible is what a read gives.
func (r mRow) visible() mRow { r.tombs = [mCols]uint8{}; return r }

func (r mRow) newest() (at uint8) {
	for _, c := range r.cells {
		at = max(at, c.at)
	}
	return at
}

// lacks is the newest time of a cell of a that b does not cover, 0 if there is none.
func lacks(a, b mRow) (at uint8) {
	for i, c := range a.cells {
		if c.op != 0 && c.at > b.cells[i].at {
			at = max(at, c.at)
		}
	}
	return at
}

// mOp is what a client was asked to do; before are the operations on the key that were
// acknowledged when it began.
type mOp struct{ kind, key, col, stamp, status, before uint8 }

type mWriter struct {
	phase, attempt        change.Phase // its own, and that of the operation
	op, step, left, waits uint8
	number                uint64 // of the state that it is in
	over                  bool   // its lease is over, or it is not there yet
	join                  uint8  // of its joining, the steps that are done
}

// mMember is a client as the table of the state has it.
type mMember struct {
	number             uint64
	phase              change.Phase
	there, over, taken bool // taken: a later incarnation has its name
}

// mHeld is a confirmation that arrives later.
type mHeld struct {
	on          bool
	who         uint8
	was, number uint64
	phase       change.Phase
}

// mLate is a write whose client gave it up and which still arrives.
type mLate struct {
	on, key, del, at uint8 // del: 0 a put, 1 a delete of the row, 2 one of each cell's column
	round            uint64
	place            change.Place
	cells            [mCols]mCell
}

// mTool is the mover, then verify.
type mTool struct {
	doing         uint8
	from          change.Place
	pos, i, dirty uint8
	back          bool // verify looks in the other direction
	batch         [mKeys]mRow
	source        mRow
	done          bool
	number        uint64 // of the state that it was begun in
}

const (
	idle = iota
	moveRead
	moveWrite
	moveDrain
	verifySource
	verifyTarget
	verifyCopy
	verifyLook
	verifyFinish
	clean
)

type mReader struct {
	phase    change.Phase
	number   uint64
	over     bool
	step     uint8
	mode     uint8
	got      [2][mKeys]mRow
	replaced [mKeys][mCols]uint8 // operations that were replaced when the read began
	least    [mKeys][mCols]uint8 // the newest time that was acknowledged then
}

// mState is all there is. It is hashed as it stands.
type mState struct {
	change                       change.State
	down                         bool
	turns, crashes, kills, clock uint8
	nops                         uint8
	rows                         [2][mKeys]mRow
	ops                          [mOps]mOp
	writers                      [2]mWriter
	late                         mLate
	tool                         mTool
	readers                      [2]mReader
	cleaned                      bool

	members          [2]mMember // of the writers
	held             mHeld
	ends, holds, pre uint8 // leases that may end, confirmations that may be held, states that may be lost
	lost             bool
}

// The ways to read, beside the places themselves: variants that are wrong.
const (
	readBoth = 2
)

// model is a case: how much happens, and what is wrong in it.
type model struct {
	puts, deletes [6][]change.Place
	reads         [6]uint8
	step          func(s change.State, to change.Phase, late ...string) (change.State, error)
	mayMove       func(s change.State, late ...string) (change.Place, error)
	moved         func(s change.State, number uint64, late ...string) (change.State, error)
	moves         func(s change.State, number uint64) error
	renew         func(s change.State, late ...string) (change.State, error)
	late          func(m change.Member, s change.State) bool
	follow        func(s change.State, own uint64) (bool, error)

	keys, cols, readers   int
	ops                   [2]uint8
	crashes, kills, turns uint8
	lates                 bool
	compacts              [2]bool
	batch                 uint8
	alike                 bool // the first key is the same bytes in both layouts, in one table
	cleans                bool // in one table: old keys are deleted at the end
	noVerify, noEqual     bool
	ends, holds, losses   uint8 // leases that end, confirmations that are held, losses of the state
	rejoins, twin         bool  // who is over joins anew; the second writer has the name of the first
	stops, bulk           bool  // tools are stopped between their check and their write; all is loaded at once

	// what is wrong
	serverTime, moverNow, moverAbsent, drains, ackFirst  bool
	checkpointEarly, deletesExtra, carriesRetry, bothWay bool
	cleansBlind, newestWins, twice, keepsRows, finishRow bool
	goesOn, acksLate, oneName, byPhase, joinsBlind       bool
	sameName, staysMove, staysVerify, keepsMarks         bool
	stranger, makesState, readsEarly                     bool
	lag                                                  uint8

	next []mState
	said []string // with trace
	bad  string
	trac bool
}

// newModel is the protocol of the package.
func newModel() *model {
	m := &model{
		step: change.State.Step, mayMove: change.State.MayMove, moved: change.State.Moved, moves: change.State.Moves,
		renew: change.State.Renew, late: change.Member.Late, follow: change.State.Follow,
		keys: 1, cols: 1, readers: 1, ops: [2]uint8{2, 1}, batch: 1,
	}
	for p := change.Old; p <= change.New; p++ {
		m.puts[p], m.deletes[p], m.reads[p] = p.Puts(), p.Deletes(), uint8(p.Reads())
	}
	return m
}

// oneTable has both layouts be in one table, which is never begun anew.
func (m *model) oneTable() {
	m.renew = func(s change.State, _ ...string) (change.State, error) { return s, change.ErrPhase }
}

func (m *model) row(s *mState, place change.Place, key uint8) *mRow {
	if m.alike && key == 0 {
		place = change.InOld
	}
	return &s.rows[place][key]
}

func (m *model) out(s *mState) { m.next = append(m.next, *s) }

func (m *model) say(format string, args ...any) {
	if m.trac {
		for len(m.said) < len(m.next) {
			m.said = append(m.said, "")
		}
		m.said[len(m.next)-1] = fmt.Sprintf(format, args...)
	}
}

// initial has one acknowledged row of each key in the old place.
func (m *model) initial() mState {
	s := mState{turns: m.turns, crashes: m.crashes, kills: m.kills, ends: m.ends, holds: m.holds, pre: m.losses}
	s.change, _ = s.change.Renew()
	s.change, _ = s.change.Emptied(s.change.Number)
	for key := range uint8(m.keys) {
		s.clock++
		s.ops[s.nops] = mOp{kind: mPut, key: key, col: mAll, stamp: s.clock, status: mAcked}
		s.nops++
		for c := range m.cols {
			s.rows[change.InOld][key].put(c, mCell{s.clock, s.nops})
		}
	}
	for i := range s.writers {
		s.writers[i].left, s.writers[i].number = m.ops[i], s.change.Number
		if s.members[i] = (mMember{number: s.change.Number, there: true}); i == 1 && m.twin {
			s.writers[i].over, s.members[i] = true, mMember{}
		}
	}
	for i := range s.readers {
		s.readers[i].number = s.change.Number
	}
	return s
}

var lateClients = []string{"a client"}

// member is a writer as the operator sees it.
func (m *model) member(s *mState, i int) *mMember {
	if m.oneName {
		i = 0
	}
	return &s.members[i]
}

// lateOnes are the clients for which the state has to wait.
func (m *model) lateOnes(s *mState) []string {
	for i := range s.writers {
		x := m.member(s, i)
		switch {
		case m.ops[i] == 0 || !x.there:
		case m.byPhase && !x.over && x.phase != s.change.Phase, !m.byPhase && m.late(change.Member{Number: x.number, Over: x.over}, s.change):
			return lateClients
		}
	}
	for i := range m.readers {
		if m.late(change.Member{Number: s.readers[i].number, Over: s.readers[i].over}, s.change) {
			return lateClients
		}
	}
	return nil
}

// steps gathers all that can happen next.
func (m *model) steps(s *mState) {
	m.next, m.said, m.bad = m.next[:0], m.said[:0], ""
	late := m.lateOnes(s)
	m.conduct(s, late)
	for i := range s.writers {
		if m.ops[i] > 0 {
			m.writer(s, i)
		}
	}
	m.tools(s, late)
	m.world(s)
	m.members(s)
	for i := range m.readers {
		if m.reader(s, i); m.bad != "" {
			return
		}
	}
}

// conduct changes the state, where the package permits it.
func (m *model) conduct(s *mState, late []string) {
	if s.cleaned || s.lost {
		return
	}
	to := s.change.Phase + 1
	if s.down {
		to = s.change.Phase - 1
	}
	if next, err := m.step(s.change, to, late...); err == nil {
		m.goes(s, next, "the phase is %v", next.Phase)
	}
	if s.turns == 0 || len(late) > 0 || s.change.Phase == change.Old && !s.down || s.change.Phase == change.New && s.down {
		return
	}
	t := *s
	t.turns--
	t.down = !s.down
	if !(t.change.Phase == change.Old && !t.down || t.change.Phase == change.New && t.down) {
		m.out(&t)
		m.say("turned round in %v", t.change.Phase)
		return
	}
	place, err := t.change.Renews(late...)
	if err != nil {
		return
	}
	next, err := m.renew(t.change, late...)
	if err != nil {
		return
	}
	if next, err = next.Emptied(next.Number); err != nil {
		return
	}
	if !m.keepsRows {
		t.rows[place] = [mKeys]mRow{}
	}
	m.goes(&t, next, "turned round in %v, with an empty table", next.Phase)
}

// goes is the next state. What a tool had checked the state for still arrives, or does not.
func (m *model) goes(s *mState, next change.State, format string, args ...any) {
	for late := range 2 {
		t := *s
		if late == 1 {
			if t.late = m.pending(s); !m.stops || s.late.on == 1 || t.late.on == 0 {
				continue
			}
		}
		t.change = next
		switch q := s.tool; {
		case m.staysMove && (q.doing == moveRead || q.doing == moveWrite), m.staysVerify && q.doing >= verifySource && q.doing <= verifyFinish:
		case m.readsEarly && q.doing == moveWrite && next.Phase == change.WriteBoth:
			t.tool.number = next.Number
		case m.keepsMarks && q.doing <= moveWrite:
			t.tool = mTool{pos: q.pos}
		default:
			t.tool = mTool{}
		}
		m.out(&t)
		m.say(format+fmt.Sprintf(" (a tool's write under way: %d)", late), args...)
	}
}

// pending is the write that a tool makes next.
func (m *model) pending(s *mState) (z mLate) {
	q := s.tool
	to := q.from.Other()
	switch {
	case q.doing == moveWrite && q.batch[q.i].newest() > 0:
		z = mLate{on: 1, place: to, key: q.pos + q.i, cells: q.batch[q.i].cells}
	case q.doing == verifyCopy:
		z = mLate{on: 1, place: to, key: q.pos, cells: q.source.cells}
	case q.doing == verifyFinish:
		z = mLate{on: 1, place: q.from, key: q.pos, cells: q.source.cells, del: 2}
	}
	z.round = s.change.Rounds[z.place]
	return z
}

// enter has a writer enter the state that it reads, and confirms it.
func (m *model) enter(s *mState, i int) {
	w, x := &s.writers[i], m.member(s, i)
	if s.lost || x.taken && !m.oneName {
		return // it learns that, see members
	}
	enter, err := m.follow(s.change, w.number)
	if err != nil || !enter {
		return
	}
	for held := range 2 {
		t := *s
		t.writers[i].phase, t.writers[i].number = s.change.Phase, s.change.Number
		if held == 1 {
			if s.holds == 0 || s.held.on {
				continue
			}
			t.holds--
			t.held = mHeld{true, uint8(i), x.number, s.change.Number, s.change.Phase}
		}
		y := m.member(&t, i)
		y.number, y.phase = s.change.Number, s.change.Phase
		m.out(&t)
		m.say("writer %d is in %v, state %d (its confirmation comes once more: %d)", i, s.change.Phase, s.change.Number, held)
	}
}

// members are the steps of leases, of joining and of late confirmations.
func (m *model) members(s *mState) {
	if h := s.held; h.on {
		t := *s
		t.held = mHeld{}
		x := m.member(&t, int(h.who))
		if m.byPhase || !x.over && !x.taken && x.number == h.was { // check and put
			x.number, x.phase = h.number, h.phase
		}
		m.out(&t)
		m.say("a confirmation of writer %d arrives: %v, state %d", h.who, h.phase, h.number)
	}
	if s.pre > 0 {
		t := *s
		t.pre, t.lost = 0, true
		m.out(&t)
		m.say("the state is lost")
	}
	for i := range s.writers {
		w := &s.writers[i]
		if m.ops[i] == 0 {
			continue
		}
		if w.over && w.op == 0 && (m.rejoins || m.twin && i == 1) {
			m.join(s, i)
		}
		if w.over {
			continue
		}
		if s.members[i].taken && !m.oneName || s.lost { // it reads so
			m.over(s, i, "is told so, and ends")
		} else if s.ends > 0 && m.member(s, i).there {
			m.over(s, i, "is stopped until its lease is over")
		}
	}
	for i := range m.readers {
		if s.ends > 0 && !s.readers[i].over && s.readers[i].step > 0 {
			t := *s
			t.ends--
			if t.readers[i].over = true; !m.goesOn {
				t.readers[i] = mReader{phase: s.readers[i].phase, over: true}
			}
			m.out(&t)
			m.say("reader %d is stopped until its lease is over", i)
		}
	}
}

// over ends a client. What it had checked its lease for still arrives, or does not.
func (m *model) over(s *mState, i int, why string) {
	w := s.writers[i]
	for late := range 2 {
		t := *s
		if late == 1 {
			if w.op == 0 || w.waits == 1 || s.late.on == 1 || m.goesOn || m.acksLate {
				continue
			}
			t.late = m.lateWrite(s, i)
		}
		if !s.members[i].taken && !s.lost {
			t.ends--
		}
		m.member(&t, i).over = true
		switch x := &t.writers[i]; {
		case m.goesOn:
		case m.acksLate:
			x.over = true
		default:
			*x = mWriter{left: w.left, over: true}
		}
		m.out(&t)
		m.say("writer %d %s (a write under way: %d)", i, why, late)
	}
}

// join is the next step of a client that joins: it reads the state, it puts itself among the
// members, and it reads the state again.
func (m *model) join(s *mState, i int) {
	if s.lost && !m.makesState {
		return
	}
	t := *s
	w, x := &t.writers[i], m.member(&t, i)
	is := s.change
	if s.lost {
		is = change.State{}
	}
	switch {
	case w.join == 0, w.join == 2 && is.Number != w.number && !m.joinsBlind:
		w.phase, w.number, w.join = is.Phase, is.Number, 1
	case w.join == 1:
		*x = mMember{number: w.number, phase: w.phase, there: true}
		if m.twin && i == 1 {
			t.members[0].taken = true
		}
		if w.join = 2; m.joinsBlind {
			w.join, w.over = 0, false
		}
	default:
		w.join, w.over = 0, false
	}
	m.out(&t)
	m.say("writer %d joins in %v, state %d, step %d", i, w.phase, w.number, w.join)
}

func (m *model) writer(s *mState, i int) {
	w := &s.writers[i]
	if w.over && !(m.acksLate && w.op != 0) {
		return
	}
	if free := w.op == 0 || w.waits == 1 && m.carriesRetry; free && w.number != s.change.Number {
		m.enter(s, i)
	}
	if w.op == 0 {
		for key := uint8(0); w.left > 0 && int(key) < m.keys; key++ {
			m.begin(s, i, mOp{kind: mDelete, key: key, col: mAll})
			for col := range m.cols {
				m.begin(s, i, mOp{kind: mPut, key: key, col: uint8(col)})
			}
		}
		return
	}
	if w.waits == 1 {
		t := *s
		t.writers[i].waits, t.writers[i].step, t.writers[i].attempt = 0, 0, w.phase
		m.out(&t)
		m.say("writer %d tries #%d again in %v", i, w.op, w.phase)
		return
	}
	op := s.ops[w.op-1]
	m.write(s, i, op, m.places(w, op))
	if s.crashes > 0 {
		m.crash(s, i)
	}
}

// places are those of an operation that a writer is at.
func (m *model) places(w *mWriter, op mOp) []change.Place {
	if op.kind == mDelete {
		return m.deletes[w.attempt]
	}
	return m.puts[w.attempt]
}

// lateWrite is the write that a writer is at, which arrives later.
func (m *model) lateWrite(s *mState, i int) mLate {
	w := &s.writers[i]
	op := s.ops[w.op-1]
	z := mLate{on: 1, place: m.places(w, op)[w.step], key: op.key, at: op.stamp}
	z.round = s.change.Rounds[z.place]
	if op.kind == mDelete {
		z.del = 1
	} else {
		z.cells[op.col] = mCell{op.stamp, w.op}
	}
	return z
}

// begin is an operation that is asked for.
func (m *model) begin(s *mState, i int, op mOp) {
	if int(s.nops) == mOps {
		return
	}
	t := *s
	t.clock++
	op.stamp, op.status = t.clock, mBegun
	if i == 1 && m.lag > 0 {
		op.stamp = t.clock - min(m.lag, t.clock-1)
	}
	for j, p := range s.ops[:s.nops] {
		if p.key == op.key && p.status == mAcked {
			op.before |= 1 << j
		}
	}
	t.ops[t.nops] = op
	t.nops++
	w := &t.writers[i]
	w.op, w.step, w.left, w.attempt = t.nops, 0, w.left-1, w.phase
	m.out(&t)
	m.say("writer %d in %v begins #%d: kind %d, key %d, @%d", i, w.phase, t.nops, op.kind, op.key, op.stamp)
}

// write is the next write of an operation.
func (m *model) write(s *mState, i int, op mOp, places []change.Place) {
	t := *s
	w := &t.writers[i]
	at := op.stamp
	if m.serverTime {
		t.clock++
		at = t.clock
	}
	place := places[w.step]
	if m.stranger && i == 1 && place == change.InNew {
		op.key ^= 1
	}
	if op.kind == mDelete {
		m.row(&t, place, op.key).delete(at)
	} else {
		m.row(&t, place, op.key).put(int(op.col), mCell{at, w.op})
	}
	w.step++
	done := int(w.step) == len(places)
	if done || m.ackFirst {
		t.ops[w.op-1].status = mAcked
	}
	said := w.op
	if done {
		*w = mWriter{phase: w.phase, left: w.left, number: w.number, over: w.over}
	}
	m.out(&t)
	m.say("writer %d writes #%d in %v, acknowledged: %t", i, said, place, done || m.ackFirst)
}

// crash ends an operation between its writes: the client tries again or does not, and
// the write that it was at arrives later or does not.
func (m *model) crash(s *mState, i int) {
	for retry := range 2 {
		for late := range 2 {
			if late == 1 && (!m.lates || s.late.on == 1) {
				continue
			}
			t := *s
			t.crashes--
			if late == 1 {
				t.late = m.lateWrite(s, i)
			}
			if w := &t.writers[i]; retry == 1 {
				w.waits = 1
			} else {
				*w = mWriter{phase: w.phase, left: w.left, number: w.number, over: w.over}
			}
			m.out(&t)
			m.say("writer %d crashes in #%d (tries again: %d, a write under way: %d)", i, s.writers[i].op, retry, late)
		}
	}
}

// tools are the mover, verify and the cleaner.
func (m *model) tools(s *mState, late []string) {
	q := s.tool
	if q.done {
		return
	}
	if q.doing == idle {
		if m.cleans && s.change.Phase == change.New && !s.cleaned && len(late) == 0 {
			t := *s
			t.tool.doing, t.tool.number = clean, s.change.Number
			m.out(&t)
			m.say("the cleaner starts")
		}
		from, err := m.mayMove(s.change, late...)
		if m.readsEarly && s.change.Phase == change.Prepare {
			err = nil
		}
		if err == nil && !s.lost {
			t := *s
			t.tool.doing, t.tool.from, t.tool.number = moveRead, from, s.change.Number
			m.out(&t)
			m.say("the mover starts, from %v", from)
		}
		return
	}
	if m.moves(s.change, q.number) != nil || s.lost || m.readsEarly && q.doing == moveWrite && s.change.Phase != change.WriteBoth {
		return // it looks before each batch, and ends
	}
	if q.doing == verifyFinish { // it has waited out the longest operation
		for i := range s.writers {
			if s.writers[i].op != 0 {
				return
			}
		}
	}
	t := *s
	m.tool(s, &t)
	if t.tool.done && !q.done {
		next, err := m.moved(t.change, q.number, late...)
		if err != nil {
			return
		}
		t.change = next
	}
	m.out(&t)
	m.say("tool: %d of key %d", q.doing, q.pos+q.i)
	if s.kills > 0 && (q.doing == moveRead || q.doing == moveWrite) {
		m.kill(s)
	}
}

// kill has the mover resume at its checkpoint, which it writes behind each batch.
func (m *model) kill(s *mState) {
	q := s.tool
	for late := range 2 {
		if late == 1 && (!m.lates || q.doing != moveWrite || s.late.on == 1 || q.batch[q.i].newest() == 0) {
			continue
		}
		t := *s
		t.kills--
		t.tool = mTool{doing: moveRead, from: q.from, pos: q.pos, number: q.number}
		if m.checkpointEarly && q.doing == moveWrite {
			if t.tool.pos += m.size(q); int(t.tool.pos) == m.keys {
				t.tool.pos = 0
				m.endOfMove(&t.tool)
			}
		}
		if late == 1 {
			t.late = m.pending(s)
		}
		if t.tool.done {
			t.change, _ = m.moved(t.change, q.number)
		}
		m.out(&t)
		m.say("the mover is killed and resumes (a write under way: %d)", late)
	}
}

func (m *model) size(q mTool) uint8 { return min(m.batch, uint8(m.keys)-q.pos) }

func (m *model) endOfMove(g *mTool) {
	g.doing = verifySource
	g.done = m.noVerify
}

// tool makes one step of the mover, of verify or of the cleaner.
func (m *model) tool(s, t *mState) {
	q := s.tool
	g := &t.tool
	from, to := q.from, q.from.Other()
	if q.back {
		from, to = to, from
	}
	key := q.pos + q.i
	wrote := func() {
		g.batch[q.i] = mRow{}
		g.doing = moveWrite
		if g.i++; g.i == m.size(q) {
			g.i, g.pos, g.doing = 0, g.pos+m.size(q), moveRead
			if int(g.pos) == m.keys {
				if g.pos = 0; m.staysMove && m.moves(t.change, q.number) == nil && t.change.Number != q.number {
					*g = mTool{}
					return
				}
				m.endOfMove(g)
			}
		}
	}
	verified := func() {
		g.source, g.doing = mRow{}, verifySource
		if m.bothWay && !g.back {
			g.back = true
			return
		}
		g.back = false
		if g.pos++; int(g.pos) == m.keys {
			if g.pos = 0; g.dirty == 0 || !m.bothWay {
				g.done = true
			}
			g.dirty = 0
		}
	}
	switch q.doing {
	case moveRead:
		g.batch[q.i] = m.row(s, from, key).visible()
		if g.i++; g.i == m.size(q) {
			g.i, g.doing = 0, moveWrite
		}
	case moveWrite:
		for ; m.bulk && g.i+1 < m.size(q); g.i++ { // all files are loaded at once
			for c, x := range q.batch[g.i].cells {
				m.row(t, to, q.pos+g.i).put(c, x)
			}
		}
		if key = q.pos + g.i; m.bulk {
			q.i = g.i
		}
		d := m.row(t, to, key)
		absent := d.newest() == 0
		for c, x := range q.batch[q.i].cells[:m.cols] {
			if x.op != 0 && (!m.moverAbsent || absent) {
				if m.moverNow || m.moverAbsent {
					t.clock++
					x.at = t.clock
				}
				d.put(c, x)
			}
		}
		if m.drains && q.batch[q.i].newest() > 0 {
			g.doing = moveDrain
		} else {
			wrote()
		}
	case moveDrain:
		m.row(t, from, key).delete(q.batch[q.i].newest())
		wrote()
	case verifySource:
		g.source, g.doing = m.row(s, from, q.pos).visible(), verifyTarget
	case verifyTarget:
		there := m.row(s, to, q.pos).visible()
		switch {
		case m.deletesExtra && lacks(there, q.source) > 0:
			m.row(t, to, q.pos).delete(lacks(there, q.source))
			g.dirty = 1
			verified()
		case lacks(q.source, there) > 0:
			g.dirty, g.doing = 1, verifyCopy
		default:
			verified()
		}
	case verifyCopy:
		for c, x := range q.source.cells[:m.cols] {
			m.row(t, to, q.pos).put(c, x)
		}
		g.doing = verifyLook
	case verifyLook:
		if there := m.row(s, to, q.pos).visible(); lacks(q.source, there) > 0 {
			g.doing = verifyFinish
			for c, x := range there.cells {
				if !m.finishRow && x.at >= g.source.cells[c].at {
					g.source.cells[c] = mCell{}
				}
			}
		} else {
			verified()
		}
	case verifyFinish: // of each column what is hidden, and no more: others may be newer
		for c, x := range q.source.cells[:m.cols] {
			switch {
			case m.finishRow:
				m.row(t, from, q.pos).delete(q.source.newest())
			case x.op != 0:
				m.row(t, from, q.pos).deleteColumn(c, x.at)
			}
		}
		verified()
	case clean:
		if !m.alike || q.pos > 0 || m.cleansBlind {
			r := m.row(t, change.InOld, q.pos)
			r.delete(r.newest())
		}
		if g.pos++; int(g.pos) == m.keys {
			*g = mTool{}
			t.cleaned = true
		}
	}
}

// world: late writes arrive, compactions forget tombstones.
func (m *model) world(s *mState) {
	if z := s.late; z.on == 1 {
		t := *s
		r := m.row(&t, z.place, z.key)
		t.late = mLate{}
		gone := z.round != s.change.Rounds[z.place] && !m.sameName
		switch {
		case gone:
		case z.del == 1:
			r.delete(z.at)
		default:
			for c, x := range z.cells[:m.cols] {
				if z.del == 0 {
					r.put(c, x)
				} else if x.op != 0 {
					r.deleteColumn(c, x.at)
				}
			}
		}
		m.out(&t)
		m.say("a late write arrives in %v (there is no such table: %t)", z.place, gone)
	}
	for place := range 2 {
		for key := range m.keys {
			if m.compacts[place] && s.rows[place][key].tombs != [mCols]uint8{} {
				t := *s
				t.rows[place][key].tombs = [mCols]uint8{}
				m.out(&t)
				m.say("%v is compacted", change.Place(place))
			}
		}
	}
}

func (m *model) reader(s *mState, i int) {
	r := &s.readers[i]
	if r.over && r.step == 0 {
		return
	}
	if enter, err := m.follow(s.change, r.number); r.step == 0 && enter && err == nil {
		t := *s
		t.readers[i].phase, t.readers[i].number = s.change.Phase, s.change.Number
		m.out(&t)
		m.say("reader %d is in %v", i, t.readers[i].phase)
	}
	t := *s
	x := &t.readers[i]
	if r.step == 0 {
		x.mode = m.reads[r.phase]
		for k := range m.keys {
			for c := range m.cols {
				for _, y := range s.ops[:s.nops] {
					if int(y.key) == k && y.status == mAcked && (y.col == mAll || int(y.col) == c) {
						x.replaced[k][c] |= y.before
						x.least[k][c] = max(x.least[k][c], y.stamp)
					}
				}
			}
		}
	}
	keys := uint8(m.keys)
	place, total := change.Place(x.mode), keys
	if x.mode == readBoth {
		place, total = change.Place(x.step/keys), 2*keys
	}
	key := x.step % keys
	x.got[place][key] = m.row(s, place, key).visible()
	if x.step++; x.step < total {
		m.out(&t)
		m.say("reader %d reads key %d in %v", i, key, place)
		return
	}
	read := *x
	*x = mReader{phase: r.phase, number: r.number, over: r.over}
	m.out(&t)
	m.say("reader %d in %v reads key %d in %v, and ends", i, r.phase, key, place)
	m.judge(s, &read)
}

// judge holds what a reader saw against the promise: each cell is of an operation, or is
// missing by a delete, that no operation acknowledged before the read had followed, nor
// has a later timestamp.
func (m *model) judge(s *mState, r *mReader) {
	got, replaced, mode := r.got, r.replaced, r.mode
	if m.compacts[change.InOld] { // what was under way comes back, as in any table that does so
		r.least = [mKeys][mCols]uint8{}
	}
	for k := range m.keys {
		a, b := got[0][k], got[1][k]
		if m.twice && mode == readBoth && a.newest() > 0 && b.newest() > 0 {
			m.bad = "a row comes twice"
		}
		for c := range m.cols {
			v := a.cells[c]
			switch {
			case m.newestWins && b.newest() > 0:
				v = b.cells[c]
			case !m.newestWins && b.cells[c].op != 0 && b.cells[c].at >= v.at:
				v = b.cells[c]
			}
			if v.op != 0 {
				if replaced[k][c]>>(v.op-1)&1 == 1 || v.at < r.least[k][c] {
					m.bad = "a value is seen that an acknowledged operation had replaced"
				}
				continue
			}
			gone := false
			for j, d := range s.ops[:s.nops] {
				gone = gone || d.kind == mDelete && int(d.key) == k && replaced[k][c]>>j&1 == 0 && d.stamp >= r.least[k][c]
			}
			if !gone {
				m.bad = "a value is missing that was acknowledged and not deleted"
			}
		}
	}
}

// check holds what is so whenever verify has ended and nothing is under way.
func (m *model) check(s *mState) string {
	if !s.tool.done || s.late.on == 1 || m.noEqual {
		return ""
	}
	for _, op := range s.ops[:s.nops] {
		if op.status != mAcked {
			return ""
		}
	}
	for key := range uint8(m.keys) {
		from, to := m.row(s, s.tool.from, key).visible(), m.row(s, s.tool.from.Other(), key).visible()
		if lacks(from, to) > 0 || m.bothWay && from != to {
			return "verified, nothing is under way, and a cell is missing"
		}
	}
	return ""
}

// verdict is what a search found.
type verdict struct {
	bad           string
	states, steps int
	last, cut     bool
	trace         []string
}

var modelSeed = maphash.MakeSeed()

// search looks at all states, or at about so many.
func (m *model) search(most int) (v verdict) {
	type link struct {
		parent uint32
		step   uint16
	}
	seen := &hashes{}
	first := m.initial()
	seen.add(maphash.Comparable(modelSeed, first))
	links := []link{{}}
	level, next := []mState{first}, []mState(nil)
	base := 0
	for len(level) > 0 && v.bad == "" {
		behind := len(links)
		for i := range level {
			m.steps(&level[i])
			last := len(m.next) - 1
			for j := range m.next {
				t := &m.next[j]
				v.steps++
				bad := ""
				if j == last {
					bad = m.bad
				}
				fresh := seen.add(maphash.Comparable(modelSeed, *t))
				if bad == "" && fresh {
					bad = m.check(t)
				}
				if !fresh && bad == "" {
					continue
				}
				links = append(links, link{uint32(base + i), uint16(j)})
				next = append(next, *t)
				v.last = v.last || t.change.Phase == change.New && m.lateOnes(t) == nil
				if bad != "" {
					v.bad, v.states = bad, len(links)
					var path []uint16
					for n := len(links) - 1; n > 0; n = int(links[n].parent) {
						path = append(path, links[n].step)
					}
					v.trace = m.replay(path)
					return v
				}
			}
		}
		base = behind
		level, next = next, level[:0]
		if len(links) > most {
			v.cut = true
			break
		}
	}
	v.states = len(links)
	return v
}

// replay tells the steps of a path, given from its end.
func (m *model) replay(path []uint16) (trace []string) {
	m.trac = true
	defer func() { m.trac = false }()
	s := m.initial()
	for i := len(path) - 1; i >= 0; i-- {
		m.steps(&s)
		trace = append(trace, m.said[path[i]])
		s = m.next[path[i]]
	}
	return trace
}

// walk goes one way at random, as long as it goes.
func (m *model) walk(r *rand.Rand, steps int) string {
	s := m.initial()
	for range steps {
		m.steps(&s)
		if m.bad != "" || len(m.next) == 0 {
			return m.bad
		}
		s = m.next[r.IntN(len(m.next))]
		if bad := m.check(&s); bad != "" {
			return bad
		}
	}
	return ""
}

// hashes is a set of hashes of states. Among ten million, two states are taken for one
// with a probability of about one in a hundred thousand.
type hashes struct {
	slots []uint64
	n     int
}

func (h *hashes) add(x uint64) bool {
	x = max(x, 1)
	if 2*h.n >= len(h.slots) {
		old := h.slots
		h.slots, h.n = make([]uint64, max(1<<14, 2*len(old))), 0
		for _, x := range old {
			if x != 0 {
				h.add(x)
			}
		}
	}
	mask := uint64(len(h.slots) - 1)
	for i := x & mask; ; i = (i + 1) & mask {
		switch h.slots[i] {
		case x:
			return false
		case 0:
			h.slots[i] = x
			h.n++
			return true
		}
	}
}

// The protocol as it is.
var rightModels = []struct {
	name string
	set  func(m *model)
}{
	{"three operations, a crash, a late write, the mover killed", func(m *model) { m.crashes, m.lates, m.kills = 1, true, 1 }},
	{"the same with two, turned round once", func(m *model) {
		m.ops, m.crashes, m.lates, m.kills, m.turns = [2]uint8{1, 1}, 1, true, 1, 1
	}},
	{"two keys, batches of two, the mover killed", func(m *model) {
		m.keys, m.batch, m.ops, m.kills, m.lates = 2, 2, [2]uint8{1, 1}, 1, true
	}},
	{"two columns", func(m *model) { m.cols, m.ops = 2, [2]uint8{1, 1} }},
	{"two columns, three operations, a crash", func(m *model) {
		m.cols, m.ops, m.crashes = 2, [2]uint8{2, 1}, 1
	}},
	{"one table, a key alike, cleaned", func(m *model) {
		m.keys, m.ops, m.alike, m.cleans, m.kills = 2, [2]uint8{1, 1}, true, true, 1
	}},
	{"four operations, a crash, a late write, the mover killed", func(m *model) {
		m.ops, m.crashes, m.lates, m.kills = [2]uint8{2, 2}, 1, true, 1
	}},
	{"four operations, two crashes", func(m *model) { m.ops, m.crashes = [2]uint8{2, 2}, 2 }},
	{"two operations, a crash, turned round twice", func(m *model) { m.ops, m.crashes, m.turns = [2]uint8{1, 1}, 1, 2 }},
	{"the old table compacts at will: what readers see", func(m *model) {
		m.crashes, m.kills, m.compacts[change.InOld], m.noEqual = 1, 1, true, true
	}},
	{"the mover alone, no verify: what readers see", func(m *model) {
		m.kills, m.lates, m.noVerify, m.noEqual, m.crashes = 1, true, true, true, 1
	}},
}

// The fence: who was stopped, has missed something, or is of another round changes nothing.
// What a case is bounded to is in its name.
var fenceModels = []struct {
	name string
	set  func(m *model)
}{
	{"a lease ends, what was under way arrives late, the client joins anew", func(m *model) {
		m.ops, m.ends, m.rejoins, m.stops = [2]uint8{2, 1}, 1, true, true
	}},
	{"two leases end", func(m *model) { m.ops, m.ends, m.rejoins, m.stops = [2]uint8{1, 1}, 2, true, true }},
	{"a lease ends, two rounds of the same change", func(m *model) {
		m.ops, m.ends, m.rejoins, m.stops, m.turns = [2]uint8{1, 0}, 1, true, true, 2
	}},
	{"two clients of one name", func(m *model) { m.ops, m.twin, m.ends, m.stops = [2]uint8{2, 1}, true, 1, true }},
	{"two clients of one name, turned round once", func(m *model) {
		m.ops, m.twin, m.stops, m.turns = [2]uint8{1, 1}, true, true, 1
	}},
	{"confirmations that come again, two rounds of the same change", func(m *model) {
		m.ops, m.holds, m.turns = [2]uint8{1, 1}, 2, 2
	}},
	{"a mover and a verify of an earlier state, two rounds of the same change, a late write of each", func(m *model) {
		m.ops, m.stops, m.turns, m.kills, m.lates, m.crashes = [2]uint8{2, 0}, true, 2, 1, true, 1
	}},
	{"two keys, checkpoints, two rounds of the same change", func(m *model) {
		m.keys, m.batch, m.ops, m.stops, m.turns, m.kills = 2, 1, [2]uint8{1, 0}, true, 2, 1
	}},
	{"a bulk load moves", func(m *model) {
		m.keys, m.batch, m.bulk, m.ops, m.stops, m.kills, m.lates = 2, 2, true, [2]uint8{1, 1}, true, 1, true
	}},
	// Both layouts in one table: it has one round, so that what is late finds its table. Only
	// tombstones hold it back.
	{"one table, a late write of a mover and of a verify, back and forth in its one round", func(m *model) {
		m.oneTable()
		m.keys, m.alike, m.ops, m.stops, m.turns, m.crashes = 2, true, [2]uint8{1, 0}, true, 3, 1
	}},
	{"one table, a lease ends, a late write of a client, a mover and a verify", func(m *model) {
		m.oneTable()
		m.ops, m.stops, m.turns, m.ends, m.rejoins = [2]uint8{2, 0}, true, 2, 1, true
	}},
	{"the state is lost", func(m *model) {
		m.ops, m.losses, m.ends, m.rejoins, m.stops = [2]uint8{1, 1}, 1, 1, true, true
	}},
}

// The protocol as it must not be. The first ones are what the fence prevents: of each, the comment
// names the code that the rule decides.
var wrongModels = []struct {
	name string
	set  func(m *model)
}{
	// Member.Late; in hbase/rekey watch.over, by which Store.Await and Store.Forget end a client; session.serves.
	{"a client is forgotten while its lease runs", func(m *model) { m.ends, m.goesOn, m.noEqual = 1, true, true }},
	// the last line of Client.write, and the look at session.serves in Client.Get and Client.Scan.
	{"what was under way when a lease ended is acknowledged", func(m *model) { m.ends, m.acksLate, m.noEqual = 1, true, true }},
	// Store.take, and Store.memberRow, which has the incarnation.
	{"two clients of one name confirm for one another", func(m *model) {
		m.ops, m.twin, m.oneName, m.noEqual = [2]uint8{1, 1}, true, true, true
	}},
	// the end of the loop in Store.join.
	{"a client joins without a second look at the state", func(m *model) {
		m.ops, m.ends, m.rejoins, m.joinsBlind, m.noEqual = [2]uint8{1, 1}, 1, true, true, true
	}},
	// Member.Late, which compares numbers, and the check in Store.beat.
	{"a confirmation names the phase, and counts whenever it arrives", func(m *model) {
		m.ops, m.holds, m.turns, m.byPhase, m.noEqual = [2]uint8{1, 0}, 1, 2, true, true
	}},
	// State.Renew, and Change.Name; in one table Store.Empty and Store.begunAlready, which refuse.
	{"an emptied table has the name that it had", func(m *model) {
		m.ops, m.stops, m.turns, m.sameName = [2]uint8{1, 0}, true, 2, true
	}},
	// Change.kept and Definition.Takes, and Turn.holding, which ends a write that is late.
	{"one table, a late write of a mover comes when tombstones are forgotten", func(m *model) {
		m.oneTable()
		m.ops, m.stops, m.turns, m.noEqual, m.compacts[change.InNew] = [2]uint8{1, 0}, true, 2, true, true
	}},
	// State.Moves; Turn.Holds before the write in run.move.
	{"a mover of an earlier state goes on", func(m *model) {
		m.ops, m.turns, m.sameName, m.staysMove = [2]uint8{1, 0}, 2, true, true
		m.moves = func(change.State, uint64) error { return nil }
	}},
	// State.Moved; Turn.Holds in pass.compare and pass.finishOne; Store.Verified.
	{"a verify of an earlier state counts", func(m *model) {
		m.ops, m.turns, m.staysVerify, m.noEqual = [2]uint8{1, 0}, 2, true, true
		m.moves = func(change.State, uint64) error { return nil }
		m.moved = func(s change.State, _ uint64, late ...string) (change.State, error) {
			return s.Moved(s.Number, late...)
		}
	}},
	// Turn.parts, which has the number.
	{"a checkpoint of an earlier state counts", func(m *model) {
		m.keys, m.ops, m.turns, m.keepsMarks, m.noVerify, m.noEqual = 2, [2]uint8{1, 0}, 2, true, true, true
	}},
	// Definition.holds, which Store.join and Store.round ask.
	{"a client of another layout joins", func(m *model) { m.keys, m.ops, m.stranger = 2, [2]uint8{0, 1}, true }},
	// OpenStore and Store.read, which make nothing: ErrNone.
	{"a state that was lost is made anew", func(m *model) {
		m.losses, m.makesState, m.noEqual = 1, true, true
		m.ops, m.twin = [2]uint8{1, 1}, true
	}},
	// State.MayMove, which gives the job its Turn.
	{"a bulk load reads before all write both", func(m *model) {
		m.keys, m.batch, m.bulk, m.readsEarly, m.ops = 2, 2, true, true, [2]uint8{1, 0}
		m.noVerify, m.noEqual = true, true
	}},
	// Turn.Holds, and Change.Name, as for a mover.
	{"a bulk load of an earlier state is loaded", func(m *model) {
		m.keys, m.batch, m.bulk, m.ops, m.turns, m.sameName, m.staysMove = 2, 2, true, [2]uint8{1, 0}, 2, true, true
		m.moves = func(change.State, uint64) error { return nil }
	}},
	{"the place that is read is written first", func(m *model) {
		m.crashes, m.lates, m.kills = 1, true, 1
		for _, p := range []change.Phase{change.WriteBoth, change.ReadNew} {
			from := p.Reads()
			m.puts[p] = []change.Place{from, from.Other()}
			m.deletes[p] = m.puts[p]
		}
	}},
	{"the mover puts with the server's time", func(m *model) { m.moverNow = true }},
	{"the mover checks for absence, and puts with the server's time", func(m *model) { m.moverAbsent = true }},
	{"the new table forgets its tombstones", func(m *model) { m.noEqual, m.compacts[change.InNew] = true, true }},
	{"no prepare: deletes go to both only with puts", func(m *model) {
		m.noEqual = true
		m.deletes[change.Prepare] = change.Old.Deletes()
	}},
	{"deletes only in new while both are written", func(m *model) { m.deletes[change.WriteBoth] = []change.Place{change.InNew} }},
	{"deletes only in old while both are written", func(m *model) {
		m.noEqual = true
		m.deletes[change.WriteBoth] = []change.Place{change.InOld}
	}},
	{"deletes only in new once puts go there alone", func(m *model) {
		m.turns, m.deletes[change.Keep] = 1, []change.Place{change.InNew}
	}},
	{"acknowledged after the first write", func(m *model) { m.ackFirst = true }},
	{"each place stamps with its own time", func(m *model) { m.serverTime = true }},
	{"the mover starts before the last writer writes both", func(m *model) {
		m.noEqual = true
		m.mayMove = func(s change.State, _ ...string) (change.Place, error) { return s.MayMove() }
		m.moved = func(s change.State, number uint64, _ ...string) (change.State, error) { return s.Moved(number) }
	}},
	{"clients two phases apart", func(m *model) {
		m.noEqual = true
		m.step = func(s change.State, to change.Phase, _ ...string) (change.State, error) { return s.Step(to) }
		m.follow = func(s change.State, own uint64) (bool, error) { return s.Number != own, nil }
	}},
	{"readers switched without verify", func(m *model) {
		m.step = func(s change.State, to change.Phase, late ...string) (change.State, error) {
			s.Verified = true
			return s.Step(to, late...)
		}
	}},
	{"back from keep without the mover", func(m *model) {
		m.turns = 1
		m.step = func(s change.State, to change.Phase, late ...string) (change.State, error) {
			s.Furthest = min(s.Furthest, change.ReadNew)
			return s.Step(to, late...)
		}
	}},
	{"back from new into a table that is not empty", func(m *model) { m.turns, m.keepsRows = 1, true }},
	{"a writer's clock is behind", func(m *model) { m.lag = 2 }},
	{"verify deletes what the source lacks, at one look", func(m *model) { m.deletesExtra = true }},
	{"verify finishes a half delete up to the row's newest cell", func(m *model) {
		m.cols, m.ops, m.crashes, m.finishRow = 2, [2]uint8{1, 1}, 1, true
	}},
	{"the mover's checkpoint before its write", func(m *model) {
		m.checkpointEarly, m.kills, m.noVerify, m.noEqual = true, 1, true, true
	}},
	{"tried again over a change of phase, with the old stamp", func(m *model) { m.crashes, m.carriesRetry, m.bothWay = 1, true, true }},
	{"verify writes to old, which is compacted", func(m *model) { m.compacts[change.InOld], m.bothWay = true, true }},
	{"the mover deletes the old row", func(m *model) { m.drains = true }},
	{"both are read, and the new row wins", func(m *model) {
		m.newestWins, m.cols, m.ops = true, 2, [2]uint8{1, 0}
		m.reads[change.WriteBoth] = readBoth
	}},
	{"both are read, and rows come twice", func(m *model) {
		m.twice = true
		m.reads[change.WriteBoth] = readBoth
	}},
	{"both are read cell by cell before they are verified", func(m *model) {
		m.reads[change.WriteBoth], m.puts[change.WriteBoth] = readBoth, []change.Place{change.InNew}
		m.deletes[change.WriteBoth] = []change.Place{change.InNew}
	}},
	{"the new place is read as soon as both are written", func(m *model) { m.reads[change.WriteBoth] = uint8(change.InNew) }},
	{"puts turn from old to new in one phase", func(m *model) {
		m.puts[change.WriteBoth], m.puts[change.ReadNew] = []change.Place{change.InOld}, []change.Place{change.InNew}
	}},
	{"old keys deleted blindly in one table, where some are alike", func(m *model) {
		m.keys, m.ops, m.alike, m.cleans, m.cleansBlind = 2, [2]uint8{1, 0}, true, true, true
	}},
}

// exhaustive is said by the environment: every state of every case.
var exhaustive = os.Getenv("ROWKEY_CHANGE") == "exhaustive"

// TestModelHolds: no interleaving of what can happen breaks the promise.
func TestModelHolds(t *testing.T) {
	states, steps := 0, 0
	for i, c := range slices.Concat(rightModels, fenceModels) {
		t.Run(c.name, func(t *testing.T) {
			m := newModel()
			c.set(m)
			most, walks := 15_000, 400
			switch {
			case exhaustive:
				most = 100_000_000
			case testing.Short():
				most, walks = 2_000, 50
			}
			v := m.search(most)
			states, steps = states+v.states, steps+v.steps
			require.Empty(t, v.bad, "%q", v.trace)
			if exhaustive {
				require.False(t, v.cut)
				require.True(t, v.last || m.losses > 0, "the last phase is never reached")
				return
			}
			r := rand.New(rand.NewPCG(17, uint64(i)))
			for range walks {
				require.Empty(t, m.walk(r, 200))
			}
		})
	}
	t.Logf("%d states, %d steps", states, steps)
}

// TestModelBreaks: each wrong variant breaks it, and the test sees that. With -short it is
// one variant of six.
func TestModelBreaks(t *testing.T) {
	for i, c := range wrongModels {
		if testing.Short() && i%6 != 0 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			m := newModel()
			c.set(m)
			v := m.search(3_000_000)
			require.NotEmpty(t, v.bad, "%d states", v.states)
			t.Logf("%s, after %d states and %d steps of a run", v.bad, v.states, len(v.trace))
			for _, step := range v.trace {
				assert.NotEmpty(t, step, "%q", v.trace)
			}
		})
	}
}
