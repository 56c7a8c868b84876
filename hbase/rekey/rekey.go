// Package rekey changes the layout of a live table's row keys: other buckets, other
// fields in front, a table of its own for them, or the same table with both layouts in
// it. Nothing stops, and nothing is lost. Package change has the phases of it and its
// promise.
//
//	c, err := rekey.New(rekey.Side{Table: client.Table("trades"), Schema: v1},
//		rekey.Side{Table: client.Table("trades2"), Schema: v2})
//	state, err := rekey.OpenStore(ctx, client, "rowkey_change", "trades") // where everybody looks
//
//	cl := c.Client()                    // in each process that reads or writes the table
//	err = state.Join(ctx, "web-1", cl)
//	go state.Follow(ctx, "web-1", cl, time.Second) // it enters the phases and confirms them
//	err = cl.Put(ctx, row)              // keys are those of the new layout, in every phase
//	err = cl.Delete(ctx, key)
//	row, found, err := cl.Get(ctx, key)
//
//	run, err := c.Move(ctx, change.InOld, rekey.Moving{…})        // by the operator, as
//	diff, err := c.Verify(ctx, change.InOld, rekey.Verifying{…})  // rowkey-change does it
//
// # What is excluded
//
// A Client puts and deletes whole rows. Increment, Append and CheckAndMutate have no
// meaning for two rows of which one may be ahead, so there are none. A table with a TTL,
// with KEEP_DELETED_CELLS or NEW_VERSION_BEHAVIOR is refused by Check, and cells whose
// time lies in the future by Move.
//
// Clocks order overwrites: writers' clocks are to agree better than two writers of one
// row follow each other. If two write one row in the same millisecond, either may stay;
// Verify sees to it that it is the same one in both places.
package rekey

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/change"
	"github.com/hbase-rowkey/rowkey/hbase"
)

// Reasons of errors.
var (
	// ErrTable is that a table is kept in a way that a change cannot live with.
	ErrTable = errors.New("the table cannot be changed while it lives")
	// ErrFuture is a cell whose time lies in the future: it would hide what is written
	// meanwhile.
	ErrFuture = errors.New("a cell's time lies in the future")
	// ErrRefused is a row that the other layout cannot hold, or whose key is none.
	ErrRefused = errors.New("rows were refused")
	// ErrRow is what a Client does not do.
	ErrRow = errors.New("not during a change")
)

// Side is a table and the layout of its keys.
type Side struct {
	Table  *hbase.Table
	Schema *rowkey.Schema
}

// Change is a change from one layout to another. It is safe for concurrent use.
type Change struct {
	sides [2]Side
	gens  *change.Generations
	one   bool    // both layouts are in one table
	loose [2]bool // a layout has a Loose field
}

// New is a change from the old side to the new one. The schemas have the same fields
// (change.Of). If both sides are one table, its keys must be told apart
// (change.Generations.OneTable).
func New(old, new Side) (*Change, error) {
	if old.Table == nil || new.Table == nil {
		return nil, fmt.Errorf("rekey: a side without a table: %w", ErrTable)
	}
	c, err := changeOf(old, new)
	if err != nil {
		return nil, err
	}
	c.one = old.Table.Name() == new.Table.Name()
	if c.one {
		if err := c.gens.OneTable(); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// changeOf is a change by its schemas.
func changeOf(old, new Side) (*Change, error) {
	gens, err := change.Of(old.Schema, new.Schema)
	if err != nil {
		return nil, err
	}
	c := &Change{sides: [2]Side{old, new}, gens: gens}
	for p, side := range c.sides {
		for f := range side.Schema.Fields() {
			c.loose[p] = c.loose[p] || f.Loose
		}
	}
	return c, nil
}

// Side is one of the sides.
func (c *Change) Side(p change.Place) Side { return c.sides[p&1] }

// Plan plans a query of the table, for Client.Scan.
func (c *Change) Plan(conds ...rowkey.Cond) (*change.Plan, error) { return c.gens.Scan(conds...) }

// table is the table of a place.
func (c *Change) table(p change.Place) *hbase.Table { return c.sides[p&1].Table }

// key is a key of a place as one of another. Two rows may have one key in a layout with a
// Loose field; a row whose key there is not read back as this row is refused, so that none is
// written over another.
func (c *Change) key(key []byte, from, to change.Place) ([]byte, error) {
	own, err := c.gens.Key(nil, key, int(from), int(to))
	if err != nil || !c.loose[to&1] || from == to {
		return own, err
	}
	back, err := c.gens.Key(nil, own, int(to), int(from))
	if err == nil && !bytes.Equal(back, key) {
		err = &rowkey.Error{Schema: c.sides[to&1].Schema.Name(), Offset: -1, Err: fmt.Errorf("its key is one of another row: %w", rowkey.ErrAmbiguous)}
	}
	return own, err
}

// owns reports that a key of a table belongs to a place. With a table of its own for
// each, all do; what is none is told where it is rekeyed.
func (c *Change) owns(p change.Place, key []byte) bool {
	if !c.one {
		return true
	}
	_, err := c.sides[p].Schema.Decode(key)
	return err == nil
}

// Tombstones is the setting of a family, in hbase.Family.Config, that says for how many
// milliseconds a table keeps the tombstones that it would forget when it compacts.
const Tombstones = "hbase.hstore.time.to.purge.deletes"

// Check asks the server how the tables are kept, before rows are moved from a place. It
// is an error that wraps ErrTable if one of them has KEEP_DELETED_CELLS,
// NEW_VERSION_BEHAVIOR or a TTL shorter than the change takes, or if the table that rows
// are moved to lacks a family, keeps fewer versions, or forgets its tombstones sooner
// than that (Tombstones).
func (c *Change) Check(ctx context.Context, client *hbase.Client, from change.Place, takes time.Duration) error {
	var kept [2][]hbase.Family
	for place := change.InOld; place <= change.InNew; place++ {
		name := c.table(place).Name()
		fs, err := client.Families(ctx, name)
		if err != nil {
			return err
		}
		kept[place] = fs
		for _, f := range fs {
			why := ""
			switch purge, _ := strconv.ParseInt(f.Config[Tombstones], 10, 64); {
			case f.TTL != 0 && f.TTL < takes:
				why = fmt.Sprintf("a TTL of %v, shorter than the change's %v", f.TTL, takes)
			case f.KeepDeleted != "" && f.KeepDeleted != "FALSE":
				why = "KEEP_DELETED_CELLS shows what a tombstone is to hide"
			case strings.EqualFold(f.Config["NEW_VERSION_BEHAVIOR"], "true"):
				why = "NEW_VERSION_BEHAVIOR shows what a tombstone is to hide"
			case place != from && time.Duration(purge)*time.Millisecond < takes:
				why = fmt.Sprintf("tombstones are kept for %v, shorter than the change's %v: set %s", time.Duration(purge)*time.Millisecond, takes, Tombstones)
			}
			if why != "" {
				return fmt.Errorf("rekey: %s, family %s: %s: %w", name, f.Name, why, ErrTable)
			}
		}
	}
	to := from.Other()
	for _, f := range kept[from] {
		i := slices.IndexFunc(kept[to], func(g hbase.Family) bool { return g.Name == f.Name })
		switch {
		case i < 0:
			return fmt.Errorf("rekey: %s has no family %s: %w", c.table(to).Name(), f.Name, ErrTable)
		case kept[to][i].Versions < f.Versions:
			return fmt.Errorf("rekey: %s keeps fewer versions in family %s: %w", c.table(to).Name(), f.Name, ErrTable)
		}
	}
	return nil
}

// Create creates a side's table as the other one is kept, with its tombstones kept for
// the time that the change takes, and with the regions that the splits say.
func (c *Change) Create(ctx context.Context, client *hbase.Client, place change.Place, splits rowkey.SplitKeys, takes time.Duration) error {
	families, err := client.Families(ctx, c.table(place.Other()).Name())
	if err != nil {
		return err
	}
	for i := range families {
		f := &families[i]
		if f.Config == nil {
			f.Config = map[string]string{}
		}
		f.Config[Tombstones] = strconv.FormatInt(takes.Milliseconds(), 10)
	}
	return client.CreateTableOf(ctx, c.table(place).Name(), splits, families...)
}

// Versions is how many versions of a cell a place keeps, for Moving and Verifying.
func (c *Change) Versions(ctx context.Context, client *hbase.Client, place change.Place) (n int, err error) {
	families, err := client.Families(ctx, c.table(place).Name())
	n = 1
	for _, f := range families {
		n = max(n, f.Versions)
	}
	return n, err
}
