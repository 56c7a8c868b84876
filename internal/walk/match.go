package walk

import (
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// Tests is what a query asks of a key. It does not change.
type Tests struct {
	w    *Layout
	cons []query.Constraint

	steps []step // what it asks, as comparisons of bytes, up to a component that needs more
	open  bool   // a key that passes them is yet to be read
	asked int    // the component before which they ask all that the query asks
	check *Step  // the field whose salts, hashes and copies they leave to check; nil: none
	rests bool   // they leave what is computed from the rest of the key
}

// test is what a query asks of the value of one component.
type test struct {
	how  asks
	from uint64 // inSpan: the Rank of the first value; span is the distance to that of the last
	span uint64
	text string // isText
}

// asks says how a value is tested.
type asks uint8

const (
	nothing   asks = iota
	inSpan         // a number between two others
	isText         // one text
	satisfies      // by the constraint
)

// Tests compiles what a query says of each field, by its number. It is nil where package layout
// must judge.
func (w *Layout) Tests(cons []query.Constraint) *Tests {
	if w == nil || !w.whole {
		return nil
	}
	t := &Tests{w: w, cons: cons}
	t.compileSteps()
	return t
}

// test is what the query asks of the value of o.
func (t *Tests) test(o *op) (q test) {
	c := o.c
	if c.Role != layout.RoleField || c.Absent || !t.cons[c.Ord].Said {
		return test{}
	}
	q.how = satisfies
	switch k := &t.cons[c.Ord]; {
	case k.Null || c.Optional || len(k.Ends()) > 0:
	case c.IsText():
		if len(k.Texts()) == 1 && k.Texts()[0].Points() == 1 {
			q.how, q.text = isText, k.Texts()[0].Lo
		}
	case len(k.Nums()) == 1 && (c.Kind != layout.KindFloat || o.ranked || k.Nums()[0].Lo == k.Nums()[0].Hi): // floats sort as their ranks alone
		q.how, q.from, q.span = inSpan, k.Nums()[0].Lo, k.Nums()[0].Hi-k.Nums()[0].Lo
	}
	return q
}

// read is Match by the values of all fields. Those before component asked are what the query asks for.
func (t *Tests) read(key []byte, asked int) (match, known bool) {
	var r Cells
	var room [128]byte
	scratch, ok := t.w.Read(key, &r, room[:0])
	if !ok {
		return false, false
	}
	for i := range t.cons {
		if c := t.w.s.Fields[i]; c.Index >= asked && t.cons[i].Said && !c.Absent && !t.cons[i].Match(c, r.Val(c, key, scratch)) {
			return false, true
		}
	}
	return true, true
}
