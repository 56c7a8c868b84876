package rekey

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/change"
	"github.com/hbase-rowkey/rowkey/hbase"
)

// Beginning says how a change begins.
type Beginning struct {
	Definition
	Regions int // of the new table; 0 is 16, and 1 where split keys depend on the data
	// Misfits is of how many of the rows that are looked at the key may be none of the old
	// layout, or one that the new layout cannot hold. Move refuses such rows.
	Misfits int
}

// Begun is what Begin found and did.
type Begun struct {
	Table   string   // the new table that was created; empty if both layouts are in one
	Looked  int      // rows of the old table that were held against both schemas
	Misfits int      // of them, those that do not fit
	Samples []Sample // up to three of the others

	// ShowsTTL is that the gateway shows which cells have a TTL of their own (hbase.Cell): Move
	// keeps it. Else they are copied without it.
	ShowsTTL bool
}

// Sample is a stored row's key in both layouts.
type Sample struct {
	Old, New []byte
	Row      rowkey.Row
}

// Begin defines a change, in a table of states that it creates if there is none, and creates the
// new table. It holds everything against the server before that: the old table and how it is kept,
// the new table's name, and both schemas against a sample of the rows that are stored.
//
// If it ends in any way before the table is created, it may be run again, with the same
// definition.
func Begin(ctx context.Context, client *hbase.Client, table, name string, b Beginning) (*Store, Begun, error) {
	var begun Begun
	s, err := storeOf(client, table, name)
	if err != nil {
		return nil, begun, err
	}
	b.Lease = b.lease()
	if b.Lease < ShortestLease || b.Takes < b.Lease {
		return nil, begun, fmt.Errorf("rekey: a lease of %v: it is at least %v, and shorter than the change's %v: %w", b.Lease, ShortestLease, b.Takes, rowkey.ErrRange)
	}
	schemas, err := b.schemas()
	if err != nil {
		return nil, begun, err
	}
	c, err := b.Change(client)
	if err != nil {
		return nil, begun, err
	}
	splits, err := splitsOf(schemas[change.InNew], b.Regions)
	if err != nil {
		return nil, begun, err
	}
	again, err := s.begunAlready(ctx, c, b.Definition)
	if err != nil {
		return nil, begun, err
	}
	if _, err := c.kept(ctx, b.OldTable, b.Takes, c.one); err != nil {
		return nil, begun, err
	}
	if err := c.sample(ctx, b.OldTable, b.Misfits, &begun); err != nil {
		return nil, begun, err
	}

	// From here on it is made.
	if err := client.CreateTable(ctx, table, nil, family); err != nil && !errors.Is(err, hbase.ErrTableExists) {
		return nil, begun, err
	}
	if begun.ShowsTTL, err = s.showsTTL(ctx); err != nil {
		return nil, begun, err
	}
	if !again {
		st := change.State{Number: 1, Empty: true}
		if !c.one {
			if st, err = (change.State{}).Renew(); err != nil {
				return nil, begun, err
			}
		}
		cs := stateCells(st, fmt.Sprintf("%d@%016x", st.Number, rand.Uint64()))
		for name, value := range b.Definition.cells(schemas) {
			cs[name] = value
		}
		done, err := s.table.CheckAndMutate(ctx, hbase.Check{Family: family, Qualifier: "number"}, hbase.Row{Key: s.row(), Cells: cells(cs)})
		if err == nil && !done {
			err = fmt.Errorf("rekey: there is a change %s: %w", name, ErrChanged)
		}
		if err != nil {
			return nil, begun, err
		}
	}
	if c.one {
		return s, begun, nil
	}
	turn, err := s.Look(ctx)
	if again { // a table of another name, in case somebody else is at it still
		turn, err = s.renew(ctx, c)
	}
	if err != nil {
		return nil, begun, err
	}
	begun.Table, err = s.empty(ctx, c, turn, splits, b.Takes)
	return s, begun, err
}

// showsTTL tries whether a gateway shows the TTL of a cell.
func (s *Store) showsTTL(ctx context.Context) (bool, error) {
	c, err := s.echo(ctx, hbase.Row{Key: s.row("ttl"), Cells: cells(map[string]string{"is": "tried"}), TTL: time.Hour})
	return c.TTL != 0, err
}

// splitsOf are the split keys of a table of so many regions.
func splitsOf(s *rowkey.Schema, regions int) (rowkey.SplitKeys, error) {
	if regions == 1 {
		return nil, nil
	}
	return s.Splits(cmp.Or(regions, 16))
}

// Empty begins the table anew that is not written in this phase: the new one in Old, the old one
// in New. It has another name than before; then the table that the place had is dropped. If it
// ends in any way, it may be run again.
func (s *Store) Empty(ctx context.Context, c *Change, regions int) (created string, err error) {
	d, err := s.Definition(ctx)
	if err != nil {
		return "", err
	}
	if err := d.holds(c); err != nil {
		return "", err
	}
	if c.one {
		return "", fmt.Errorf("rekey: both layouts are in %s: %w", d.OldTable, change.ErrPhase)
	}
	st, err := s.State(ctx)
	if err != nil {
		return "", err
	}
	others, err := s.all(ctx)
	if err != nil {
		return "", err
	}
	if err := s.leftAlone(others, c.Name(st, change.InNew)); err != nil {
		return "", err
	}
	place, err := st.Renews()
	if err != nil {
		return "", err
	}
	splits, err := splitsOf(c.sides[place].Schema, regions)
	if err != nil {
		return "", err
	}
	turn, err := s.renew(ctx, c)
	if err != nil {
		return "", err
	}
	return s.empty(ctx, c, turn, splits, d.Takes)
}

// leftAlone refuses to go on where another change goes on from the new table. After a step back, who deletes
// a row as that change says does not delete it in the table that is made anew. After a step forward, rows come
// into a table that the other change may have moved and left.
func (s *Store) leftAlone(others map[string]record, table string) error {
	for name, r := range others {
		if name != s.name && r.of.OldTable == table && r.Phase != change.Old {
			return fmt.Errorf("rekey: %s is the old table of the change %s, which is in %s: %w", table, name, r.Phase, ErrTable)
		}
	}
	return nil
}

// mayGoBackFrom reports that a table is the new one of a change that can still go back. Its way back would
// miss what another change from this table deletes.
func (r *record) mayGoBackFrom(table string) bool {
	return table == nameIn(r.of.NewTable, r.State, change.InNew) && r.Phase != change.Old && r.Phase != change.New
}

// notEnded is the error of a change from a table that another one, called name, may go back from.
func (r *record) notEnded(name, table string) error {
	return fmt.Errorf("rekey: %s is the new table of the change %s, which is in %s: have it end first: %w", table, name, r.Phase, ErrTable)
}

// mayLeaveOld refuses what Begin refuses, where another change was begun since, or has gone on: one of two
// changes begins from the new table of the other. It does not see a step of the other at the same moment.
func (s *Store) mayLeaveOld(ctx context.Context, own *record) error {
	others, err := s.all(ctx)
	if err != nil {
		return err
	}
	for name, r := range others {
		if name != s.name && r.mayGoBackFrom(own.of.OldTable) {
			return r.notEnded(name, own.of.OldTable)
		}
	}
	if own.of.OldTable == own.of.NewTable {
		return nil
	}
	return s.leftAlone(others, nameIn(own.of.NewTable, own.State, change.InNew))
}

// renew names another table for the place that is not written. The one that the place had is to
// be dropped, when the other one is there.
func (s *Store) renew(ctx context.Context, c *Change) (turn Turn, err error) {
	r, err := s.update(ctx, nil, func(r *record, late []string) error {
		was := r.State
		if r.State, err = r.State.Renew(late...); err != nil {
			return err
		}
		r.left = append(r.left, c.Name(was, r.Phase.Reads().Other()))
		return nil
	})
	return Turn{s, r.State, r.number}, err
}

// empty creates the table that a turn has named, and drops those that the place had before.
func (s *Store) empty(ctx context.Context, c *Change, turn Turn, splits rowkey.SplitKeys, takes time.Duration) (string, error) {
	st := turn.State
	place := st.Phase.Reads().Other()
	if err := c.Create(ctx, st, place, splits, takes); err != nil {
		return "", err
	}
	if err := c.Check(ctx, st, place.Other(), takes); err != nil {
		return "", err
	}
	r, err := s.update(ctx, &turn, func(r *record, _ []string) (err error) {
		r.State, err = r.State.Emptied(st.Number)
		return err
	})
	if err != nil {
		return "", err
	}
	for _, left := range r.left {
		if err := c.client.DropTable(ctx, left); err != nil && !errors.Is(err, hbase.ErrNoTable) {
			return "", err
		}
	}
	_, err = s.update(ctx, &turn, func(r *record, _ []string) error { r.left = nil; return nil })
	return c.Name(st, place), err
}

// begunAlready holds a definition against the changes that there are. again is that this one was
// begun, by the same definition, and that its new table was not created.
func (s *Store) begunAlready(ctx context.Context, c *Change, d Definition) (again bool, err error) {
	others, err := s.all(ctx)
	if err != nil {
		return false, err
	}
	for name, r := range others {
		of := r.of
		switch {
		case name == s.name:
			if r.Phase != change.Old || r.Empty || of.holds(c) != nil || of.Takes != d.Takes || of.Lease != d.Lease {
				return false, fmt.Errorf("rekey: there is a change %s, of other tables or in another phase: %w", name, ErrChanged)
			}
			again = true
		case r.mayGoBackFrom(d.OldTable):
			return false, r.notEnded(name, d.OldTable)
		case !c.one && of.has(d.NewTable): // a client that was stopped may still write there, even if it was dropped
			return false, fmt.Errorf("rekey: %s is a table of the change %s, of which a write may come late: say another name: %w", d.NewTable, name, ErrTable)
		case of.OldTable == of.NewTable && c.one && of.OldTable == d.OldTable:
			was, err := of.schemas()
			if err != nil {
				return false, err
			}
			for _, w := range was {
				if taken, err := c.taken(w); err != nil {
					return false, err
				} else if taken {
					return false, fmt.Errorf("rekey: in %s the change %s has had keys of %s, which may be keys of the new layout: what was deleted or moved there meets the rows of this change: say a table of its own: %w", d.OldTable, name, w, ErrTable)
				}
			}
		}
	}
	if again || c.one {
		return again, nil
	}
	there, err := s.client.TableExists(ctx, d.NewTable)
	if err == nil && there {
		err = fmt.Errorf("rekey: %s: the new table: %w", d.NewTable, hbase.ErrTableExists)
	}
	return false, err
}

// taken reports that keys of the new layout may be keys of one that an earlier change has had in
// the same table. Clean has left tombstones at such keys, under which Verify would find rows that
// it takes for half deletes, and a change that went back has left rows there. Keys that the old
// layout has, too, are those of its rows.
func (c *Change) taken(w *rowkey.Schema) (bool, error) {
	from, to := c.sides[change.InOld].Schema, c.sides[change.InNew].Schema
	apart, err := change.Disjoint(w, to)
	return w.Fingerprint() == to.Fingerprint() || w.Fingerprint() != from.Fingerprint() && !apart, err
}

// all are the states of all changes of the table.
func (s *Store) all(ctx context.Context) (map[string]record, error) {
	all := map[string]record{}
	for row, err := range s.table.Scan(ctx, rowkey.PrefixRange(nil)) {
		if errors.Is(err, hbase.ErrNoTable) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if name := string(row.Key); !strings.Contains(name, "/") {
			r, err := recordOf(&row)
			if err != nil {
				return nil, err
			}
			all[name] = r
		}
	}
	return all, nil
}

// The rows that a schema is held against: some at both ends of each of some regions.
const (
	sampleRegions = 64
	sampleRows    = 16
)

// sample holds both schemas against rows of the old table.
func (c *Change) sample(ctx context.Context, table string, misfits int, b *Begun) error {
	old := c.client.Table(table)
	regions, err := old.Regions(ctx)
	if err != nil {
		return err
	}
	var first error
	for i := range min(len(regions), sampleRegions) {
		region := regions[i*len(regions)/min(len(regions), sampleRegions)]
		rng, err := rangeOf(region.Start, region.Stop)
		if err != nil {
			return err
		}
		looked := map[string]bool{}
		for _, opts := range [][]hbase.ScanOption{{hbase.KeysOnly(), hbase.Batch(sampleRows)}, {hbase.KeysOnly(), hbase.Batch(sampleRows), hbase.Reversed()}} {
			n := 0
			for row, err := range old.Scan(ctx, rng, opts...) {
				if err != nil {
					return err
				}
				if n++; !looked[string(row.Key)] {
					looked[string(row.Key)] = true
					b.Looked++
					if err := c.fits(row.Key, b); err != nil {
						b.Misfits++
						if first == nil {
							first = err
						}
					}
				}
				if n == sampleRows {
					break
				}
			}
		}
	}
	if b.Misfits > misfits {
		return fmt.Errorf("rekey: %d of %d rows of %s that were looked at do not fit: %w: %w", b.Misfits, b.Looked, table, ErrDefinition, first)
	}
	return nil
}

// fits holds a stored key against both schemas.
func (c *Change) fits(key []byte, b *Begun) error {
	row, err := c.sides[change.InOld].Schema.Decode(key)
	if err != nil {
		return err
	}
	own, err := c.key(key, change.InOld, change.InNew)
	if err != nil {
		return err
	}
	back, err := c.key(own, change.InNew, change.InOld)
	if err == nil && !bytes.Equal(back, key) {
		err = fmt.Errorf("its values are written otherwise: %w", rowkey.ErrMalformed)
	}
	if err == nil && len(b.Samples) < 3 {
		b.Samples = append(b.Samples, Sample{bytes.Clone(key), own, row})
	}
	return err
}
