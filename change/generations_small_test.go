package change_test

import (
	"context"
	"math"
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/change"
	"github.com/hbase-rowkey/rowkey/scan"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPhases: names and steps of the six phases.
func TestPhases(t *testing.T) {
	names := []string{"old", "prepare", "write-both", "read-new", "keep", "new"}
	for i, name := range names {
		p := change.Phase(i)
		assert.True(t, p.Valid())
		assert.Equal(t, name, p.String())
		parsed, err := change.ParsePhase(name)
		assert.NoError(t, err)
		assert.Equal(t, p, parsed)
		for j := range names {
			goal := change.Phase(j)
			to, ok := p.Toward(goal)
			near := j-i <= 1 && i-j <= 1
			assert.Equal(t, near, ok, "%v toward %v", p, goal)
			if near {
				assert.Equal(t, goal, to)
			} else {
				assert.Equal(t, p, to)
			}
		}
	}
	none := change.Phase(len(names))
	assert.False(t, none.Valid())
	assert.Equal(t, "phase 6", none.String())
	_, err := change.ParsePhase("write both")
	assert.EqualError(t, err, "change: no phase of that name: the phases are old, prepare, write-both, read-new, keep, new")
}

func generations(t *testing.T, notations ...string) *change.Generations {
	t.Helper()
	var all []*rowkey.Schema
	for i, n := range notations {
		s, err := rowkey.Parse("t"+string(rune('0'+i)), n)
		require.NoError(t, err)
		all = append(all, s)
	}
	g, err := change.Of(all[0], all[1:]...)
	require.NoError(t, err)
	return g
}

// TestOneTable: in which layouts a key may be one of two rows.
func TestOneTable(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		apart bool
	}{
		{"[a:2]", "[a:4]", true}, // other lengths
		{"['x'][a:2]", "['y'][a:2]", true},
		{"['x'][a:2]", "['x'][a:2]", false},
		{"[a:2]['x'][b:1]", "[a:2]['y'][b:1]", true}, // a constant at the same place
		{"[a:1]['x'][b:2]", "[a:2]['y'][b:1]", false},
		{"['xy'][a:2]", "['x'][a:3]", false},
		{"['x'][a:2]", "[a:3]", false}, // a constant in one alone
		{"['xy'][a:2]", "['xz'][a:2]", true},
		{"[salt4(a)][a:2]", "[salt8(a)][a:2]", true}, // the salt says which
		{"[salt4(a)][a:2][b:2]", "[salt8(a)][b:2][a:2]", false},
		{"[salt2(values(b))][a loose][b]", "[salt2(values(b)) phoenixhash][a loose][b]", false}, // 01 01 is "", "\x01" in one, "\x01", "" in the other
		{"[salt4(a)][salt100(a) decimal named(x)]['_'][a:2]", "[salt8(a)][salt100(a) decimal named(x)]['_'][a:2]", false},
	} {
		err := generations(t, c.a, c.b).OneTable()
		if c.apart {
			assert.NoError(t, err, "%s and %s", c.a, c.b)
			continue
		}
		assert.ErrorIs(t, err, rowkey.ErrAmbiguous, "%s and %s", c.a, c.b)
		assert.ErrorContains(t, err, "begin both with literals of one length that differ")
		var e *rowkey.Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, -1, e.Offset)
		assert.Equal(t, "a", e.Field)
	}
}

// TestWhichSaysWhy: of a key of no generation, the reason is that of the newest.
func TestWhichSaysWhy(t *testing.T) {
	g := generations(t, "['x'][a:2]", "['y'][a:2]")
	_, err := g.Which([]byte("y1"))
	assert.ErrorIs(t, err, rowkey.ErrMalformed)
	var e *rowkey.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, "t1", e.Schema)
	assert.Equal(t, "a", e.Field)
	assert.Equal(t, 1, e.Offset)
}

// TestOrderBehindConstants: constants and equal salts before it leave the order of a field as it is.
func TestOrderBehindConstants(t *testing.T) {
	plan, err := generations(t, "['x'][salt4(a)][a:2]", "['y'][salt4(a)][a:2]").Scan(rowkey.FullScan())
	require.NoError(t, err)
	assert.NoError(t, plan.Ordered())
	plan, err = generations(t, "['x'][salt4(a)][a:2]", "['y'][salt8(a)][a:2]").Scan(rowkey.Eq("a", uint64(7)))
	require.NoError(t, err)
	assert.NoError(t, plan.Ordered())
}

// TestNoCursor: a range for which there is no cursor ends the reading as it ends scan.Merge.
func TestNoCursor(t *testing.T) {
	g := generations(t, "[a:2]", "['y'][a:2]")
	plan, err := g.Scan(rowkey.AtLeast("a", uint64(7)))
	require.NoError(t, err)
	var want error
	for _, err := range scan.Merge(t.Context(), plan.Of(1), 1, func(context.Context, rowkey.Range, bool) (scan.Cursor[[]byte], error) { return nil, nil },
		func(b []byte) []byte { return b }) {
		want = err
	}
	require.Error(t, want)
	for _, err := range change.Merge(t.Context(), plan, 1, func(context.Context, int, rowkey.Range, bool) (scan.Cursor[[]byte], error) { return nil, nil },
		func(b []byte) []byte { return b }) {
		assert.ErrorContains(t, err, "cursor")
	}
}

// TestFollow: a client stays in its state, enters the next one, and refuses any other.
func TestFollow(t *testing.T) {
	for own := range uint64(6) {
		enter, err := change.State{Number: 3}.Follow(own)
		switch own {
		case 3:
			assert.NoError(t, err)
			assert.False(t, enter)
		case 2:
			assert.NoError(t, err)
			assert.True(t, enter)
		default:
			assert.ErrorIs(t, err, change.ErrStale)
			assert.False(t, enter)
		}
	}
	assert.True(t, change.Member{Number: 2}.Late(change.State{Number: 3}))
	assert.False(t, change.Member{Number: 3}.Late(change.State{Number: 3}))
	assert.False(t, change.Member{Number: 2, Over: true}.Late(change.State{Number: 3}))
}

// TestLimited: the plan without its limit, and what is asked of a generation that is none.
func TestLimited(t *testing.T) {
	plan, err := generations(t, "[a:2]", "['y'][a:2]").Scan(rowkey.AtLeast("a", uint64(7)))
	require.NoError(t, err)
	n, all := plan.Limit(5).Limited()
	assert.Equal(t, 5, n)
	n, _ = all.Limited()
	assert.Equal(t, 0, n)
	for _, below := range []int{0, -1, math.MinInt} {
		for _, err := range change.Merge(t.Context(), plan.Limit(below), 1, func(context.Context, int, rowkey.Range, bool) (scan.Cursor[[]byte], error) {
			t.Fatal("nothing is read")
			return nil, nil
		}, func(key []byte) []byte { return key }) {
			assert.ErrorIs(t, err, rowkey.ErrRange, "%d", below)
		}
	}
	for _, i := range []int{-1, 2} {
		assert.False(t, plan.Passed(i, []byte("y\x00\x07")))
		assert.Nil(t, plan.Of(i))
	}
}
