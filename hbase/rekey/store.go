package rekey

import (
	"bytes"
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
// find it: the phase, which clients have confirmed it, how far rows were moved, and which
// were refused. Its rows are texts, and so are their values:
//
//	trades              s:phase write-both, s:furthest …, s:empty true, s:verified false, s:number 7
//	trades/client/web-1 s:phase write-both
//	trades/moved/000    s:start, s:stop, s:at (keys in hexadecimal), s:done
//	trades/refused/0c73 s:why
type Store struct {
	table *hbase.Table
	name  string
}

// ErrChanged is that somebody else changed the state meanwhile.
var ErrChanged = errors.New("the state was changed meanwhile")

const family = "s"

// OpenStore opens the state of the change of a name, in a table that is created if there
// is none.
func OpenStore(ctx context.Context, client *hbase.Client, table, name string) (*Store, error) {
	if name == "" || strings.Contains(name, "/") {
		return nil, fmt.Errorf("rekey: a change has a name, without a /: %w", rowkey.ErrRange)
	}
	err := client.CreateTable(ctx, table, nil, family)
	if err != nil && !errors.Is(err, hbase.ErrTableExists) {
		return nil, err
	}
	return &Store{client.Table(table), name}, nil
}

func (s *Store) row(parts ...string) []byte {
	return []byte(strings.Join(append([]string{s.name}, parts...), "/"))
}

func cells(values map[string]string) (cs []hbase.Cell) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		cs = append(cs, hbase.Cell{Family: family, Qualifier: name, Value: []byte(values[name])})
	}
	return cs
}

func value(r *hbase.Row, name string) string { return string(r.Value(family, name)) }

// State is how far the change has come.
func (s *Store) State(ctx context.Context) (change.State, error) {
	st, _, err := s.read(ctx)
	return st, err
}

// read is the state and its number, by which it is changed.
func (s *Store) read(ctx context.Context) (st change.State, number string, err error) {
	r, found, err := s.table.Get(ctx, s.row())
	if err != nil || !found {
		return st, "", err
	}
	if st.Phase, err = change.ParsePhase(value(&r, "phase")); err != nil {
		return st, "", err
	}
	if st.Furthest, err = change.ParsePhase(value(&r, "furthest")); err != nil {
		return st, "", err
	}
	st.Empty, st.Verified = value(&r, "empty") == "true", value(&r, "verified") == "true"
	return st, value(&r, "number"), nil
}

// update changes the state, if nobody else does, nor has since it had a number.
func (s *Store) update(ctx context.Context, since string, to func(st change.State, late []string) (change.State, error)) (change.State, error) {
	st, number, err := s.read(ctx)
	if err != nil {
		return st, err
	}
	if since != "" && since != number {
		return st, fmt.Errorf("rekey: %s: %w", s.name, ErrChanged)
	}
	late, err := s.Late(ctx, st.Phase)
	if err != nil {
		return st, err
	}
	next, err := to(st, late)
	if err != nil {
		return st, err
	}
	n, _ := strconv.ParseUint(number, 10, 64)
	row := hbase.Row{Key: s.row(), Cells: cells(map[string]string{
		"phase": next.Phase.String(), "furthest": next.Furthest.String(),
		"empty": strconv.FormatBool(next.Empty), "verified": strconv.FormatBool(next.Verified),
		"number": strconv.FormatUint(n+1, 10),
	})}
	done, err := s.table.CheckAndMutate(ctx, hbase.Check{Family: family, Qualifier: "number", Value: []byte(number)}, row)
	if err == nil && !done {
		err = fmt.Errorf("rekey: %s: %w", s.name, ErrChanged)
	}
	if err != nil {
		return st, err
	}
	return next, nil
}

// Step goes to the next phase or to the one before, if change.State.Step permits it.
func (s *Store) Step(ctx context.Context, to change.Phase) (change.State, error) {
	st, err := s.update(ctx, "", func(st change.State, late []string) (change.State, error) { return st.Step(to, late...) })
	if err != nil {
		return st, err
	}
	return st, s.forgetMarks(ctx) // of another phase
}

// Emptied says that the table that is not written was created or truncated.
func (s *Store) Emptied(ctx context.Context) (change.State, error) {
	return s.update(ctx, "", func(st change.State, late []string) (change.State, error) { return st.Emptied(late...) })
}

// Verified says that rows were moved and compared in this phase, and none was missing. since
// is what MayMove gave before that: if the state was changed since then, it is an error that
// wraps ErrChanged.
func (s *Store) Verified(ctx context.Context, since string) (change.State, error) {
	return s.update(ctx, since, func(st change.State, late []string) (change.State, error) { return st.Moved(late...) })
}

// MayMove is the place from which rows may be moved now, and since when, for Verified.
func (s *Store) MayMove(ctx context.Context) (from change.Place, since string, err error) {
	st, since, err := s.read(ctx)
	if err != nil {
		return 0, "", err
	}
	late, err := s.Late(ctx, st.Phase)
	if err != nil {
		return 0, "", err
	}
	from, err = st.MayMove(late...)
	return from, since, err
}

// below are the rows behind a part of the name.
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

// Clients are the clients, and the phase that each has confirmed.
func (s *Store) Clients(ctx context.Context) (map[string]change.Phase, error) {
	rows, prefix, err := s.below(ctx, "client")
	if err != nil {
		return nil, err
	}
	clients := map[string]change.Phase{}
	for _, r := range rows {
		p, err := change.ParsePhase(value(&r, "phase"))
		if err != nil {
			return nil, err
		}
		clients[string(bytes.TrimPrefix(r.Key, prefix))] = p
	}
	return clients, nil
}

// Late are the clients that have not confirmed a phase, sorted.
func (s *Store) Late(ctx context.Context, p change.Phase) (late []string, err error) {
	clients, err := s.Clients(ctx)
	for _, name := range slices.Sorted(maps.Keys(clients)) {
		if clients[name] != p {
			late = append(late, name)
		}
	}
	return late, err
}

// Confirm says that a client has confirmed a phase.
func (s *Store) Confirm(ctx context.Context, client string, p change.Phase) error {
	if client == "" {
		return fmt.Errorf("rekey: a client has a name: %w", rowkey.ErrRange)
	}
	return s.table.Put(ctx, hbase.Row{Key: s.row("client", client), Cells: cells(map[string]string{"phase": p.String()})})
}

// Forget has nobody wait for a client any more. Its process must have ended, for longer
// than its longest call may take.
func (s *Store) Forget(ctx context.Context, client string) error {
	return s.table.Delete(ctx, s.row("client", client))
}

// Join brings a client, before its first operation, to the phase, and confirms it.
func (s *Store) Join(ctx context.Context, name string, cl *Client) error {
	for {
		st, err := s.State(ctx)
		if err != nil {
			return err
		}
		if err := s.Confirm(ctx, name, st.Phase); err != nil {
			return err
		}
		again, err := s.State(ctx) // from here on nobody goes two steps without this client
		if err != nil {
			return err
		}
		if again.Phase == st.Phase {
			cl.begins(st.Phase)
			return nil
		}
	}
}

// Follow has a client that has joined enter each phase that the change goes to, and
// confirms it. It looks every so often, and ends with its context or the first error
// that is not the server's for now.
func (s *Store) Follow(ctx context.Context, name string, cl *Client, every time.Duration) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	confirmed := change.Phase(255) // nobody knows what an earlier one came to
	for {
		st, err := s.State(ctx)
		if err == nil && st.Phase != confirmed {
			if err = cl.Enter(ctx, st.Phase); err == nil {
				err = s.Confirm(ctx, name, st.Phase)
			}
			if err == nil {
				confirmed = st.Phase
			}
		}
		var of *hbase.Error
		if err != nil && (ctx.Err() != nil || !errors.As(err, &of) || !of.Retryable) {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Definition is what a change is of, as the operator's command keeps it.
type Definition struct {
	OldTable, OldSchema string // the schema is its notation (rowkey.Parse)
	NewTable, NewSchema string
	Takes               time.Duration // the longest that the change may take, and tombstones are kept
}

// Define keeps what the change is of. One that is defined already is an error.
func (s *Store) Define(ctx context.Context, d Definition) error {
	if _, err := s.Definition(ctx); err == nil {
		return fmt.Errorf("rekey: there is a change %s: %w", s.name, ErrChanged)
	} else if !errors.Is(err, ErrNone) {
		return err
	}
	return s.table.Put(ctx, hbase.Row{Key: s.row("of"), Cells: cells(map[string]string{
		"old-table": d.OldTable, "old-schema": d.OldSchema, "new-table": d.NewTable, "new-schema": d.NewSchema, "takes": d.Takes.String(),
	})})
}

// ErrNone is that there is no change of a name.
var ErrNone = errors.New("no such change")

// Definition is what the change is of.
func (s *Store) Definition(ctx context.Context) (d Definition, err error) {
	r, found, err := s.table.Get(ctx, s.row("of"))
	if err != nil {
		return d, err
	}
	if !found {
		return d, fmt.Errorf("rekey: %s: %w", s.name, ErrNone)
	}
	d = Definition{value(&r, "old-table"), value(&r, "old-schema"), value(&r, "new-table"), value(&r, "new-schema"), 0}
	d.Takes, err = time.ParseDuration(value(&r, "takes"))
	return d, err
}

// Change is the change that was defined, of a client's tables.
func (d Definition) Change(client *hbase.Client) (*Change, error) {
	old, err := rowkey.Parse(d.OldTable, d.OldSchema)
	if err != nil {
		return nil, err
	}
	newer, err := rowkey.Parse(d.NewTable, d.NewSchema)
	if err != nil {
		return nil, err
	}
	return New(Side{client.Table(d.OldTable), old}, Side{client.Table(d.NewTable), newer})
}

// Mark is how far a part of the table was moved.
type Mark struct {
	Start, Stop []byte // of the part: its keys from Start on, before Stop; empty: to the end
	At          []byte // the last key that was moved; empty: none
	Done        bool
}

// Marks are the parts of the move of this phase.
func (s *Store) Marks(ctx context.Context) ([]Mark, error) {
	rows, _, err := s.below(ctx, "moved")
	if err != nil {
		return nil, err
	}
	var marks []Mark
	for _, r := range rows {
		var m Mark
		for name, to := range map[string]*[]byte{"start": &m.Start, "stop": &m.Stop, "at": &m.At} {
			if *to, err = hex.DecodeString(value(&r, name)); err != nil {
				return nil, err
			}
		}
		m.Done = value(&r, "done") == "true"
		marks = append(marks, m)
	}
	return marks, nil
}

// SaveMark keeps a part's mark.
func (s *Store) SaveMark(ctx context.Context, part int, m Mark) error {
	return s.table.Put(ctx, hbase.Row{Key: s.row("moved", fmt.Sprintf("%06d", part)), Cells: cells(map[string]string{
		"start": hex.EncodeToString(m.Start), "stop": hex.EncodeToString(m.Stop),
		"at": hex.EncodeToString(m.At), "done": strconv.FormatBool(m.Done),
	})})
}

// forgetMarks has the next move begin from the beginning.
func (s *Store) forgetMarks(ctx context.Context) error {
	rows, _, err := s.below(ctx, "moved")
	if err != nil || len(rows) == 0 {
		return err
	}
	var keys [][]byte
	for _, r := range rows {
		keys = append(keys, r.Key)
	}
	return s.table.Delete(ctx, keys...)
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
