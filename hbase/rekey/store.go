package rekey

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/change"
	"github.com/hbase-rowkey/rowkey/hbase"
)

// Store is the state of a change, in a small table where all clients and the operator
// find it: what it is of, the phase, which clients have confirmed it, how far rows were moved,
// and which were refused. Its rows are texts, and so are their values:
//
//	trades                       s:phase write-both, s:number 7, s:lease 1m0s, s:old-table trades, …
//	trades/clock, trades/ttl     written to see what time it is, and whether TTLs are shown
//	trades/client/web-1          s:incarnation 2
//	trades/client/web-1/00000002 s:beat 381, s:confirmed 7, s:in 7
//	trades/moved/00000007/000000 s:start, s:stop, s:at (keys in hexadecimal), s:done
//	trades/refused/0c73          s:why
//
// Begin makes it, and nothing else does: a change whose state is lost is an error for all.
type Store struct {
	client *hbase.Client
	table  *hbase.Table
	name   string
}

// ErrChanged is that somebody else changed the state meanwhile.
var ErrChanged = errors.New("the state was changed meanwhile")

// ErrNone is that there is no change of a name.
var ErrNone = errors.New("no such change")

const family = "s"

// OpenStore opens the state of the change of a name. If there is none, the error wraps ErrNone.
func OpenStore(ctx context.Context, client *hbase.Client, table, name string) (*Store, error) {
	s, err := storeOf(client, table, name)
	if err != nil {
		return nil, err
	}
	if _, err = s.read(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

func storeOf(client *hbase.Client, table, name string) (*Store, error) {
	if err := named("a change", name); err != nil {
		return nil, err
	}
	return &Store{client, client.Table(table), name}, nil
}

func named(what, name string) error {
	if name == "" || strings.Contains(name, "/") {
		return fmt.Errorf("rekey: %s has a name, without a /: %w", what, rowkey.ErrRange)
	}
	return nil
}

func (s *Store) row(parts ...string) []byte {
	return []byte(strings.Join(append([]string{s.name}, parts...), "/"))
}

// digits is a number in a row's name, where names sort as numbers do.
func digits(n uint64) string { return fmt.Sprintf("%08d", n) }

func cells(values map[string]string) (cs []hbase.Cell) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		cs = append(cs, hbase.Cell{Family: family, Qualifier: name, Value: []byte(values[name])})
	}
	return cs
}

func value(r *hbase.Row, name string) string { return string(r.Value(family, name)) }

// record is the row of the state.
type record struct {
	change.State
	of Definition
	// number is the cell by which the state is changed: 7@ and a text that no other change has.
	number string
	left   []string // tables of earlier rounds, to be dropped
}

// numberOf is the number in a cell such as 7@9f3ac2d1.
func numberOf(cell string) (uint64, error) {
	n, _, _ := strings.Cut(cell, "@")
	return strconv.ParseUint(n, 10, 64)
}

// next is the cell of the state that follows.
func (r *record) next() string {
	_, id, _ := strings.Cut(r.number, "@")
	return fmt.Sprintf("%d@%s", r.Number, id)
}

// stateCells are a state as it is kept.
func stateCells(st change.State, number string) map[string]string {
	return map[string]string{
		"phase": st.Phase.String(), "furthest": st.Furthest.String(),
		"empty": strconv.FormatBool(st.Empty), "verified": strconv.FormatBool(st.Verified),
		"round-old": strconv.FormatUint(st.Rounds[change.InOld], 10), "round-new": strconv.FormatUint(st.Rounds[change.InNew], 10),
		"number": number,
	}
}

// State is how far the change has come.
func (s *Store) State(ctx context.Context) (change.State, error) {
	r, err := s.read(ctx)
	return r.State, err
}

// read is the row of the state. That there is none, or no table of it, is ErrNone.
func (s *Store) read(ctx context.Context) (r record, err error) {
	row, _, err := s.table.Get(ctx, s.row())
	return s.found(&row, err)
}

// readWith is read, with a client's row in the same look.
func (s *Store) readWith(ctx context.Context, of change.Member) (r record, m Member, err error) {
	own := s.memberRow(of.Name, of.Incarnation)
	rows, err := s.table.GetRows(ctx, [][]byte{s.row(), own})
	var is hbase.Row
	for _, row := range rows {
		if bytes.Equal(row.Key, own) {
			m = memberOf(&row)
		} else {
			is = row
		}
	}
	r, err = s.found(&is, err)
	return r, m, err
}

// found is the row of the state as it was read.
func (s *Store) found(row *hbase.Row, err error) (record, error) {
	if errors.Is(err, hbase.ErrNoTable) || err == nil && len(row.Key) == 0 {
		return record{}, fmt.Errorf("rekey: %s in table %s: %w", s.name, s.table.Name(), ErrNone)
	}
	if err != nil {
		return record{}, err
	}
	return recordOf(row)
}

func recordOf(row *hbase.Row) (r record, err error) {
	set := func(e error) {
		if err == nil && e != nil {
			err = fmt.Errorf("rekey: %s, a state that this version cannot read: %w", row.Key, e)
		}
	}
	var e error
	r.number = value(row, "number")
	r.Phase, e = change.ParsePhase(value(row, "phase"))
	set(e)
	r.Furthest, e = change.ParsePhase(value(row, "furthest"))
	set(e)
	r.Number, e = numberOf(r.number)
	set(e)
	for p, name := range []string{"round-old", "round-new"} {
		r.Rounds[p], e = strconv.ParseUint(value(row, name), 10, 64)
		set(e)
	}
	if left := value(row, "left"); left != "" {
		r.left = strings.Split(left, ",")
	}
	r.Empty, r.Verified = value(row, "empty") == "true", value(row, "verified") == "true"
	r.of, e = definitionOf(row)
	set(e)
	return r, err
}

// update changes the state, if nobody else does. turn, if it is not nil, is the one in which
// the state must still be.
func (s *Store) update(ctx context.Context, turn *Turn, to func(r *record, late []string) error) (record, error) {
	r, err := s.read(ctx)
	if err != nil {
		return r, err
	}
	if turn != nil && turn.number != r.number {
		return r, fmt.Errorf("rekey: %s: %w", s.name, ErrChanged)
	}
	late, err := s.late(ctx, r.State)
	if err != nil {
		return r, err
	}
	was := r.number
	if err := to(&r, late); err != nil {
		return r, err
	}
	r.number = r.next()
	cs := stateCells(r.State, r.number)
	cs["left"] = strings.Join(r.left, ",")
	done, err := s.table.CheckAndMutate(ctx, hbase.Check{Family: family, Qualifier: "number", Value: []byte(was)}, hbase.Row{Key: s.row(), Cells: cells(cs)})
	if err == nil && !done {
		err = fmt.Errorf("rekey: %s: %w", s.name, ErrChanged)
	}
	return r, err
}

// Step goes to the next phase or to the one before, if change.State.Step permits it. Out of Old it is
// refused (ErrTable) while another change goes on from the new table, or can still go back from the old one.
func (s *Store) Step(ctx context.Context, to change.Phase) (change.State, error) {
	r, err := s.update(ctx, nil, func(r *record, late []string) (err error) {
		if r.Phase == change.Old {
			if err := s.mayLeaveOld(ctx, r); err != nil {
				return err
			}
		}
		r.State, err = r.State.Step(to, late...)
		return err
	})
	if err != nil {
		return r.State, err
	}
	return r.State, s.tidy(ctx, r.State)
}

// Verified says that rows were moved and compared in a turn, and none was missing. If the
// state was changed since the turn began, it is an error that wraps ErrChanged.
func (s *Store) Verified(ctx context.Context, turn Turn) (change.State, error) {
	r, err := s.update(ctx, &turn, func(r *record, late []string) (err error) {
		r.State, err = r.State.Moved(turn.State.Number, late...)
		return err
	})
	return r.State, err
}

// Turn is a state of a change in which something is done: rows are moved or compared, or a
// table is created. It counts for nothing in any other state.
type Turn struct {
	store  *Store
	State  change.State
	number string
}

// From is the place from which rows are moved in the turn.
func (t Turn) From() change.Place { return t.State.Phase.Reads() }

// Holds asks the server whether the change is in the turn's state still. If not, the error
// wraps change.ErrStale. Moving and verifying ask before each batch. A bulk load asks before it
// loads its files.
func (t Turn) Holds(ctx context.Context) error {
	r, err := t.store.read(ctx)
	if err != nil {
		return err
	}
	if r.number != t.number {
		return fmt.Errorf("rekey: %s was begun in state %d, and this is %d: %w", t.store.name, t.State.Number, r.Number, change.ErrStale)
	}
	return nil
}

// holdsFor is how long an answer of Holds is good for what is written next.
var holdsFor = time.Minute

// holding does something that writes while the turn holds. Its context ends soon after: who is
// stopped between the question and the write for longer writes nothing when he is continued.
func (t Turn) holding(ctx context.Context, do func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, holdsFor)
	defer cancel()
	if err := t.Holds(ctx); err != nil {
		return err
	}
	return do(ctx)
}

// Look is the present state as a turn: for a dry run, for sums.
func (s *Store) Look(ctx context.Context) (Turn, error) {
	r, err := s.read(ctx)
	return Turn{s, r.State, r.number}, err
}

// MayMove is the present state as a turn in which rows may be moved.
func (s *Store) MayMove(ctx context.Context) (Turn, error) {
	t, err := s.Look(ctx)
	if err != nil {
		return t, err
	}
	late, err := s.late(ctx, t.State)
	if err == nil {
		_, err = t.State.MayMove(late...)
	}
	return t, err
}

// Loaded says that a bulk load has moved all rows in a turn: it read them after MayMove gave the
// turn, and loaded its files, whose cells have the timestamps that they had, while it held. Verify
// comes after it, as after Move.
func (s *Store) Loaded(ctx context.Context, t Turn) error {
	if err := t.Holds(ctx); err != nil {
		return err
	}
	return t.begin(ctx, moved, []Mark{{Done: true}})
}

// below are the rows after a part of the name.
func (s *Store) below(ctx context.Context, parts ...string) (rows []hbase.Row, prefix []byte, err error) {
	prefix = append(s.row(parts...), '/')
	for r, err := range s.table.Scan(ctx, rowkey.PrefixRange(prefix)) {
		if err != nil {
			return nil, nil, err
		}
		rows = append(rows, r)
	}
	return rows, prefix, nil
}

// forget deletes the rows after a part of the name.
func (s *Store) forget(ctx context.Context, parts ...string) error {
	rows, _, err := s.below(ctx, parts...)
	if err != nil || len(rows) == 0 {
		return err
	}
	var keys [][]byte
	for _, r := range rows {
		keys = append(keys, r.Key)
	}
	return s.table.Delete(ctx, keys...)
}

// tidy deletes what belongs to earlier states. Nobody would heed it.
func (s *Store) tidy(ctx context.Context, st change.State) error {
	for _, kind := range []string{moved, verified} {
		rows, _, err := s.below(ctx, kind)
		if err != nil {
			return err
		}
		var keys [][]byte
		for _, r := range rows {
			if !bytes.HasPrefix(r.Key, s.row(kind, digits(st.Number))) {
				keys = append(keys, r.Key)
			}
		}
		if len(keys) > 0 {
			if err := s.table.Delete(ctx, keys...); err != nil {
				return err
			}
		}
	}
	members, err := s.Members(ctx)
	if err != nil {
		return err
	}
	for _, m := range members {
		if m.Over {
			if err := s.table.Delete(ctx, s.memberRow(m.Name, m.Incarnation)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Definition is what a change is of, as the operator's command keeps it.
type Definition struct {
	OldTable, OldSchema string // the schema is its notation (rowkey.Parse)
	NewTable, NewSchema string
	Takes               time.Duration // the longest that the change may take, and tombstones are kept
	Lease               time.Duration // of clients, see Client; 0 is a minute

	// prints are the schemas' fingerprints as they were kept: another version of this library may
	// read the notation as other bytes. Empty where it was not kept.
	prints [2]string
}

// ShortestLease is the shortest lease that a change may have.
const ShortestLease = time.Second

func (d Definition) lease() time.Duration { return cmp.Or(d.Lease, time.Minute) }

// schemas are the schemas of the notations.
func (d Definition) schemas() (s [2]*rowkey.Schema, err error) {
	for p, of := range [][2]string{{d.OldTable, d.OldSchema}, {d.NewTable, d.NewSchema}} {
		if s[p], err = rowkey.Parse(of[0], of[1]); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (d Definition) cells(s [2]*rowkey.Schema) map[string]string {
	return map[string]string{
		"old-table": d.OldTable, "old-schema": s[change.InOld].String(), "old-fingerprint": s[change.InOld].Fingerprint(),
		"new-table": d.NewTable, "new-schema": s[change.InNew].String(), "new-fingerprint": s[change.InNew].Fingerprint(),
		"takes": d.Takes.String(), "lease": d.lease().String(),
	}
}

func definitionOf(r *hbase.Row) (d Definition, err error) {
	d = Definition{OldTable: value(r, "old-table"), OldSchema: value(r, "old-schema"), NewTable: value(r, "new-table"), NewSchema: value(r, "new-schema")}
	d.prints = [2]string{value(r, "old-fingerprint"), value(r, "new-fingerprint")}
	var e [2]error
	d.Takes, e[0] = time.ParseDuration(value(r, "takes"))
	d.Lease, e[1] = time.ParseDuration(value(r, "lease"))
	return d, errors.Join(e[0], e[1])
}

// Definition is what the change is of.
func (s *Store) Definition(ctx context.Context) (Definition, error) {
	r, err := s.read(ctx)
	return r.of, err
}

// Change is the change that was defined, of a client's tables.
func (d Definition) Change(client *hbase.Client) (*Change, error) {
	s, err := d.schemas()
	if err != nil {
		return nil, err
	}
	return New(client, Side{d.OldTable, s[change.InOld]}, Side{d.NewTable, s[change.InNew]})
}

// holds is an error unless a change is the one that is defined: the same tables, and schemas of
// the same notation and fingerprint.
func (d Definition) holds(c *Change) error {
	want, err := d.schemas()
	if err != nil {
		return err
	}
	for p, table := range []string{d.OldTable, d.NewTable} {
		is, place := c.sides[p], change.Place(p)
		switch {
		case is.Table != table:
			return fmt.Errorf("rekey: the %s table is %s, and the change is defined with %s: %w", place, is.Table, table, ErrDefinition)
		case is.Schema.String() != want[p].String():
			return fmt.Errorf("rekey: the %s schema is %s, and the change is defined with %s: %w", place, is.Schema, want[p], ErrDefinition)
		case d.prints[p] != "" && is.Schema.Fingerprint() != d.prints[p]:
			return fmt.Errorf("rekey: the %s schema has the fingerprint %s, and the change is defined with %s: %w", place, is.Schema.Fingerprint(), d.prints[p], ErrDefinition)
		}
	}
	return nil
}

// Mark is how far a part of the table was moved or compared.
type Mark struct {
	Start, Stop []byte // of the part: its keys from Start on, before Stop; empty: to the end
	At          []byte // the last key that was done; empty: none
	Done        bool
	sums        []byte // of verify, what was summed up
}

// The kinds of marks.
const (
	moved    = "moved"
	verified = "verify"
)

func (t Turn) parts(kind string) []string {
	first, rest, sub := strings.Cut(kind, "/")
	parts := []string{first, digits(t.State.Number)}
	if sub {
		parts = append(parts, rest)
	}
	return parts
}

// marks are the parts of something that was begun in the turn.
func (t Turn) marks(ctx context.Context, kind string) ([]Mark, error) {
	rows, _, err := t.store.below(ctx, t.parts(kind)...)
	if err != nil {
		return nil, err
	}
	var marks []Mark
	for _, r := range rows {
		m := Mark{sums: r.Value(family, "sums"), Done: value(&r, "done") == "true"}
		for name, to := range map[string]*[]byte{"start": &m.Start, "stop": &m.Stop, "at": &m.At} {
			if *to, err = hex.DecodeString(value(&r, name)); err != nil {
				return nil, err
			}
		}
		marks = append(marks, m)
	}
	return marks, nil
}

// save keeps a part's mark, where nobody of another turn looks.
func (t Turn) save(ctx context.Context, kind string, part int, m Mark) error {
	cs := cells(map[string]string{
		"start": hex.EncodeToString(m.Start), "stop": hex.EncodeToString(m.Stop),
		"at": hex.EncodeToString(m.At), "done": strconv.FormatBool(m.Done),
	})
	if m.sums != nil {
		cs = append(cs, hbase.Cell{Family: family, Qualifier: "sums", Value: m.sums})
	}
	return t.store.table.Put(ctx, hbase.Row{Key: t.markRow(kind, part), Cells: cs})
}

func (t Turn) markRow(kind string, part int) []byte {
	return t.store.row(append(t.parts(kind), fmt.Sprintf("%06d", part))...)
}

// begin keeps marks in the place of those that there are. It puts over them, and deletes what is
// left after that: a mark that is put in the millisecond of its deletion is hidden.
func (t Turn) begin(ctx context.Context, kind string, marks []Mark) error {
	for part, m := range marks {
		if err := t.save(ctx, kind, part, m); err != nil {
			return err
		}
	}
	rows, _, err := t.store.below(ctx, t.parts(kind)...)
	if err != nil {
		return err
	}
	end := t.markRow(kind, len(marks))
	var keys [][]byte
	for _, r := range rows {
		if bytes.Compare(r.Key, end) >= 0 {
			keys = append(keys, r.Key)
		}
	}
	if len(keys) == 0 {
		return nil
	}
	return t.store.table.Delete(ctx, keys...)
}

// Marks are the parts of the move of the present state.
func (s *Store) Marks(ctx context.Context) ([]Mark, error) {
	t, err := s.Look(ctx)
	if err != nil {
		return nil, err
	}
	return t.marks(ctx, moved)
}

// Refuse keeps the key of a row that was refused, and why.
func (s *Store) Refuse(ctx context.Context, key []byte, why error) error {
	return s.table.Put(ctx, hbase.Row{Key: s.row("refused", hex.EncodeToString(key)), Cells: cells(map[string]string{"why": why.Error()})})
}

// Refused are the keys of rows that were refused, and why.
func (s *Store) Refused(ctx context.Context) (map[string]string, error) {
	rows, prefix, err := s.below(ctx, "refused")
	refused := map[string]string{}
	for _, r := range rows {
		key, err := hex.DecodeString(string(bytes.TrimPrefix(r.Key, prefix)))
		if err != nil {
			return nil, err
		}
		refused[string(key)] = value(&r, "why")
	}
	return refused, err
}
