// Package rekey changes the layout of a live table's row keys: other buckets, other
// leading fields, a table of its own for them, or the same table with both layouts in
// it. Nothing stops, and nothing is lost. Package change has the phases of it and its
// promise.
//
//	c, err := rekey.New(client, rekey.Side{Table: "trades", Schema: v1}, rekey.Side{Table: "trades64", Schema: v2})
//	state, err := rekey.OpenStore(ctx, client, "rowkey_change", "trades") // where everybody looks
//
//	cl := c.Client()                    // in each process that reads or writes the table
//	err = state.Join(ctx, "web-1", cl)  // held against the definition, it serves from here on
//	go state.Follow(ctx, cl, time.Second) // it renews its lease, enters the phases and confirms them
//	err = cl.Put(ctx, row)              // keys are those of the new layout, in every phase
//	err = cl.Delete(ctx, key)
//	row, found, err := cl.Get(ctx, key)
//
//	turn, err := state.MayMove(ctx)                   // by the operator, as
//	run, err := c.Move(ctx, turn, rekey.Moving{…})    // rowkey-change does it
//	diff, err := c.Verify(ctx, turn, rekey.Verifying{…})
//	st, err := state.Verified(ctx, turn)
//
// # The fence
//
// A Client serves while its lease runs: for as long as the state says after each renewal that
// the table of the state took. When it is over, the Client refuses every operation by an error
// that wraps change.ErrStale, also those under way, which it does not acknowledge. The operator
// waits for each client until it confirms a state, or until its lease is over: until it has not
// renewed it for the lease and a tenth. A client that joins by a name takes it over from the
// one before, whose lease ends in the same way.
//
// What is assumed of clocks is their rate: that a process's clock loses less than a tenth against
// the operator's while a lease runs. No lease is ended before it is over by the server's clock, too.
// The Client takes the larger one of what the monotonic clock and the wall clock say has passed, and
// refuses (ErrClock) when they part, or when its clock is far from the server's or loses a tenth
// against it. If both stand still, as in a virtual machine that is
// suspended and whose clock is not set when it goes on, the Client learns by its next renewal,
// after as long as Follow waits, that its lease was ended. What it acknowledged until then may be
// lost, and nothing else: its writes have old timestamps, so that they hide no later operation,
// and tables of earlier rounds are gone.
//
// # What is excluded
//
// A Client puts and deletes whole rows. Increment, Append and CheckAndMutate have no
// meaning for two rows of which one may be ahead, so there are none. A table with a TTL,
// with KEEP_DELETED_CELLS or NEW_VERSION_BEHAVIOR is refused by Check, and cells whose
// time lies in the future by Move. The TTL of a single cell is kept where the gateway shows it
// (hbase.Cell, Begun.ShowsTTL). Else the copy stays for ever.
//
// Clocks order overwrites: writers' clocks are to agree better than two writers of one
// row follow each other. A client whose clock is more than MaxSkew from the server's refuses
// (ErrClock). If two write one row in the same millisecond, either may stay; Verify sees to it
// that it is the same one in both places.
package rekey

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
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
	// ErrDefinition is that somebody's tables or schemas are not those that the change is
	// defined with, or that stored rows do not fit them.
	ErrDefinition = errors.New("not as the change is defined")
	// ErrClock is that a client's clock is too far from the server's.
	ErrClock = errors.New("the clock is wrong")
	// ErrTaken is that a later client has taken a client's name over.
	ErrTaken = errors.New("another client has this name now")
)

// Side is a table and the layout of its keys. The table's name is the one that the change was
// begun with; a later round has a table of another name, which the state says (Change.Name).
type Side struct {
	Table  string
	Schema *rowkey.Schema
}

// Change is a change from one layout to another. It is safe for concurrent use.
type Change struct {
	client *hbase.Client
	sides  [2]Side
	gens   *change.Generations
	one    bool    // both layouts are in one table
	loose  [2]bool // a layout has a Loose field
}

// New is a change from the old side to the new one. The schemas have the same fields
// (change.Of). If both sides are one table, its keys must be told apart
// (change.Generations.OneTable).
func New(client *hbase.Client, old, new Side) (*Change, error) {
	if client == nil || old.Table == "" || new.Table == "" {
		return nil, fmt.Errorf("rekey: a change needs a client and two tables: %w", ErrTable)
	}
	c, err := changeOf(old, new)
	if err != nil {
		return nil, err
	}
	c.client, c.one = client, old.Table == new.Table
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

// Name is the name of the table that a place has in a state: that of its side, or in a later
// round one such as trades64.r3, where 3 is the number of the state that named it.
func (c *Change) Name(st change.State, p change.Place) string {
	return nameIn(c.sides[p&1].Table, st, p)
}

func nameIn(table string, st change.State, p change.Place) string {
	if round := st.Rounds[p&1]; round > 1 {
		return fmt.Sprintf("%s.r%d", table, round)
	}
	return table
}

// ofRound is the name of a later round, such as trades64.r3, which may be one of trades64.
var ofRound = regexp.MustCompile(`^(.+)\.r[0-9]+$`)

// has reports that a table has the name of one that a change of this definition has, or may have had.
func (d *Definition) has(table string) bool {
	names := []string{table}
	if m := ofRound.FindStringSubmatch(table); m != nil {
		names = append(names, m[1])
	}
	return slices.Contains(names, d.OldTable) || slices.Contains(names, d.NewTable)
}

// Table is the table that a place has in a state.
func (c *Change) Table(st change.State, p change.Place) *hbase.Table {
	return c.client.Table(c.Name(st, p))
}

// Plan plans a query of the table, for Client.Scan.
func (c *Change) Plan(conds ...rowkey.Cond) (*change.Plan, error) { return c.gens.Scan(conds...) }

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
// each, all do; what is none is reported where it is rekeyed.
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

// Check asks the server how the tables of a state are kept, before rows are moved from a
// place. It is an error that wraps ErrTable if one of them has KEEP_DELETED_CELLS,
// NEW_VERSION_BEHAVIOR or a TTL shorter than the change takes, or if the table that rows
// are moved to lacks a family, keeps fewer versions or has a shorter TTL, or forgets its
// tombstones sooner than the change takes (Tombstones).
func (c *Change) Check(ctx context.Context, st change.State, from change.Place, takes time.Duration) error {
	var kept [2][]hbase.Family
	for place := change.InOld; place <= change.InNew; place++ {
		var err error
		if kept[place], err = c.kept(ctx, c.Name(st, place), takes, place != from); err != nil {
			return err
		}
	}
	to := from.Other()
	for _, f := range kept[from] {
		i := slices.IndexFunc(kept[to], func(g hbase.Family) bool { return g.Name == f.Name })
		switch {
		case i < 0:
			return fmt.Errorf("rekey: %s has no family %s: %w", c.Name(st, to), f.Name, ErrTable)
		case kept[to][i].Versions < f.Versions:
			return fmt.Errorf("rekey: %s keeps fewer versions in family %s: %w", c.Name(st, to), f.Name, ErrTable)
		case shorter(kept[to][i], f):
			return fmt.Errorf("rekey: %s keeps cells of family %s for a shorter time than %s, where Verify would delete them, too: %w", c.Name(st, to), f.Name, c.Name(st, from), ErrTable)
		}
	}
	return nil
}

// shorter reports that cells of a family end by its TTL while they live in another one.
func shorter(f, other hbase.Family) bool {
	return f.TTL != 0 && (other.TTL == 0 || f.TTL < other.TTL || f.MinVersions < other.MinVersions)
}

// kept is how a table is kept, or an error if no change can live with that; tombs is that it
// has to keep its tombstones.
func (c *Change) kept(ctx context.Context, table string, takes time.Duration, tombs bool) ([]hbase.Family, error) {
	families, err := c.client.Families(ctx, table)
	if err != nil {
		return nil, err
	}
	for _, f := range families {
		why := ""
		switch purge, _ := strconv.ParseInt(f.Config[Tombstones], 10, 64); {
		case f.TTL != 0 && f.TTL < takes:
			why = fmt.Sprintf("a TTL of %v, shorter than the change's %v", f.TTL, takes)
		case f.KeepDeleted != "" && f.KeepDeleted != "FALSE":
			why = "KEEP_DELETED_CELLS shows what a tombstone is to hide"
		case strings.EqualFold(f.Config["NEW_VERSION_BEHAVIOR"], "true"):
			why = "NEW_VERSION_BEHAVIOR shows what a tombstone is to hide"
		case tombs && time.Duration(purge)*time.Millisecond < takes:
			why = fmt.Sprintf("tombstones are kept for %v, shorter than the change's %v: set %s", time.Duration(purge)*time.Millisecond, takes, Tombstones)
		}
		if why != "" {
			return nil, fmt.Errorf("rekey: %s, family %s: %s: %w", table, f.Name, why, ErrTable)
		}
	}
	return families, nil
}

// Create creates the table that a place has in a state, as the one of the other place is kept,
// with its tombstones kept for the time that the change takes, and with the regions that the
// splits say.
func (c *Change) Create(ctx context.Context, st change.State, place change.Place, splits rowkey.SplitKeys, takes time.Duration) error {
	families, err := c.client.Families(ctx, c.Name(st, place.Other()))
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
	return c.client.CreateTableOf(ctx, c.Name(st, place), splits, families...)
}

// Versions is how many versions of a cell a place keeps in a state, for Moving and Verifying. Of
// families that keep different numbers it is the largest.
func (c *Change) Versions(ctx context.Context, st change.State, place change.Place) (n int, err error) {
	keeps, err := c.keeps(ctx, st, place)
	n = 1
	for _, f := range keeps {
		n = max(n, f.Versions)
	}
	return n, err
}

// keeps is how a place keeps each family in a state.
func (c *Change) keeps(ctx context.Context, st change.State, place change.Place) (map[string]hbase.Family, error) {
	families, err := c.client.Families(ctx, c.Name(st, place))
	keeps := map[string]hbase.Family{}
	for _, f := range families {
		keeps[f.Name] = f
	}
	return keeps, err
}
