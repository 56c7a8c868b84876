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
	first []step // those at the same place of each key, without those that any bytes pass
	rest  []step // the others
	led   int    // where the others begin

	least, most int  // how long a key is
	done        bool // there are no others, and nothing else is left to check

	open  bool  // a key that passes them is yet to be read
	asked int   // the component before which they ask all that the query asks
	check *Step // the field whose salts, hashes and copies they leave to check; nil: none
	rests bool  // they leave what is computed from the rest of the key
}

// Tests compiles what a query says of each field, by its number. It is nil where package layout
// must judge.
func (w *Layout) Tests(cons []query.Constraint) *Tests {
	if w == nil || !w.whole {
		return nil
	}
	t := &Tests{w: w, cons: cons}
	t.compileSteps()
	t.lead()
	return t
}

// said is what the query says of the value of o; nil: nothing.
func (t *Tests) said(o *op) *query.Constraint {
	if o.c.Role != layout.RoleField || o.c.Absent || !t.cons[o.c.Ord].Said {
		return nil
	}
	return &t.cons[o.c.Ord]
}

// interval is the ranks of the numbers that the query asks of o. It is false, and those of all, if they are not one interval.
func (t *Tests) interval(o *op) (lo, hi uint64, ok bool) {
	k := t.said(o)
	if k == nil || k.Null || o.c.Optional || o.c.IsText() || len(k.Ends()) > 0 || len(k.Nums()) != 1 {
		all := query.DomainOf(o.c)
		return all.Lo, all.Hi, false
	}
	return k.Nums()[0].Lo, k.Nums()[0].Hi, true
}

// one is the only value that the query asks of o.
func (t *Tests) one(o *op) (v layout.Val, ok bool) {
	if lo, hi, ok := t.interval(o); ok {
		return layout.Val{Ok: true, Num: o.c.Unrank(lo)}, lo == hi
	}
	k := t.said(o)
	if k == nil || k.Null || o.c.Optional || !o.c.IsText() || len(k.Ends()) > 0 || len(k.Texts()) != 1 || k.Texts()[0].Points() != 1 {
		return v, false
	}
	return layout.Val{Ok: true, Text: []byte(k.Texts()[0].Lo)}, true
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
