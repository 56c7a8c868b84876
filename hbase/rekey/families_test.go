package rekey_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey/change"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/rekey"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mayMove is a change of a new table with these families, in which rows may be moved.
func mayMove(t *testing.T, admin *hbase.Client, families ...hbase.Family) (*rekey.Change, rekey.Turn) {
	t.Helper()
	n := tables.Add(1)
	old, newer := fmt.Sprintf("old%d", n), fmt.Sprintf("new%d", n)
	keeps := map[string]string{rekey.Tombstones: fmt.Sprint(takes.Milliseconds())}
	for i := range families {
		families[i].Config = keeps
	}
	require.NoError(t, admin.CreateTableOf(t.Context(), old, nil, families...))
	store, _, err := rekey.Begin(t.Context(), admin, "rowkey_change", old, rekey.Beginning{
		Definition: rekey.Definition{OldTable: old, OldSchema: ten.String(), NewTable: newer, NewSchema: wide.String(), Takes: takes, Lease: lease}, Regions: 1})
	require.NoError(t, err)
	c, err := rekey.New(admin, rekey.Side{Table: old, Schema: ten}, rekey.Side{Table: newer, Schema: wide})
	require.NoError(t, err)
	for _, p := range []change.Phase{change.Prepare, change.WriteBoth} {
		_, err := store.Step(t.Context(), p)
		require.NoError(t, err)
	}
	turn, err := store.MayMove(t.Context())
	require.NoError(t, err)
	return c, turn
}

// TestVerifyOfFamilies: one family keeps one version and another three. A put whose writer died
// after the new table pushes the cell of the first out there. Nobody deleted it, so that Verify
// leaves it where it is read.
func TestVerifyOfFamilies(t *testing.T) {
	t.Parallel()
	admin := patient(t, anywhere(t))
	c, turn := mayMove(t, admin, hbase.Family{Name: "f", Versions: 1}, hbase.Family{Name: "g", Versions: 3})
	versions, err := c.Versions(t.Context(), turn.State, change.InOld)
	require.NoError(t, err)
	require.Equal(t, 3, versions)

	key, err := ten.AppendKey(nil, uint64(1), uint64(2))
	require.NoError(t, err)
	own, err := wide.Rekey(nil, key, ten)
	require.NoError(t, err)
	at := time.Now().Add(-time.Minute)
	row := func(key []byte, value string, seconds int) hbase.Row {
		var cells []hbase.Cell
		for _, family := range []string{"f", "g"} {
			cells = append(cells, hbase.Cell{Family: family, Qualifier: "q", Value: []byte(value), Time: at.Add(time.Duration(seconds) * time.Second)})
		}
		return hbase.Row{Key: key, Cells: cells}
	}
	require.NoError(t, c.Table(turn.State, change.InOld).Put(t.Context(), row(key, "acknowledged", 1)))
	require.NoError(t, c.Table(turn.State, change.InNew).Put(t.Context(), row(own, "half", 2)))
	found, err := c.Verify(t.Context(), turn, rekey.Verifying{Versions: versions, Wait: time.Millisecond})
	require.NoError(t, err)
	assert.Zero(t, found.Finished)
	is, _, err := c.Table(turn.State, change.InOld).Get(t.Context(), key)
	require.NoError(t, err)
	for _, family := range []string{"f", "g"} {
		assert.Equal(t, "acknowledged", string(is.Value(family, "q")), family)
	}
}

// TestVerifyAfterTTL: two versions outlive their TTL. A put whose writer died after the new table
// pushes the older of them out there, where three versions are kept. Verify leaves it in the old.
func TestVerifyAfterTTL(t *testing.T) {
	t.Parallel()
	admin := patient(t, onServer(t))
	c, turn := mayMove(t, admin, hbase.Family{Name: "f", Versions: 3, MinVersions: 2, TTL: takes})
	key, err := ten.AppendKey(nil, uint64(1), uint64(2))
	require.NoError(t, err)
	own, err := wide.Rekey(nil, key, ten)
	require.NoError(t, err)
	put := func(p change.Place, key []byte, value string, age time.Duration) {
		cell := hbase.Cell{Family: "f", Qualifier: "q", Value: []byte(value), Time: time.Now().Add(-age).Truncate(time.Millisecond)}
		require.NoError(t, c.Table(turn.State, p).Put(t.Context(), hbase.Row{Key: key, Cells: []hbase.Cell{cell}}))
	}
	put(change.InOld, key, "older", 2*takes)
	put(change.InOld, key, "newer", takes+time.Hour)
	_, err = c.Move(t.Context(), turn, rekey.Moving{Versions: 3})
	require.NoError(t, err)
	put(change.InNew, own, "half", time.Minute)
	found, err := c.Verify(t.Context(), turn, rekey.Verifying{Versions: 3, Wait: time.Millisecond})
	require.NoError(t, err)
	assert.Zero(t, found.Finished)
	rows, err := c.Table(turn.State, change.InOld).GetRows(t.Context(), [][]byte{key}, hbase.Versions(3))
	require.NoError(t, err)
	require.Len(t, rows, 1)
	assert.Len(t, rows[0].Cells, 2)
}
