package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/piece"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// A planner that goes back keeps its memory for the next plan, unless that is much, and nothing else.
func TestPlannersKeepLittle(t *testing.T) {
	pl := &Planner{written: make([]byte, 5, 100), ends: make([]int, 2, 10)}
	pl.s, pl.full, pl.fault = new(layout.Schema), true, assert.AnError
	pl.studied, pl.cut = true, true
	pl.reset()
	assert.Zero(t, pl.said)
	assert.Zero(t, pl.task)
	assert.Empty(t, pl.written)
	assert.Empty(t, pl.ends)
	assert.Equal(t, []int{100, 10}, []int{cap(pl.written), cap(pl.ends)})

	const much = query.MostKept + 1
	for name, pl := range map[string]*Planner{
		"bytes of forms":     {written: make([]byte, 0, 16*much)},
		"places of forms":    {ends: make([]int, 0, much)},
		"values":             {task: task{all: [][]layout.Val{make([]layout.Val, much)}}},
		"values of a way":    {task: task{ways: []way{{}, {vals: make([]layout.Val, much)}}}},
		"forms of a way":     {task: task{ways: []way{{forms: make([][]byte, much)}}}},
		"pieces of the stop": {task: task{found: make([]piece.Piece, much)}},
	} {
		pl.reset()
		assert.Equal(t, &Planner{}, pl, name)
	}
}
