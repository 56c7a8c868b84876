package walk

import (
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// check is what of a key is compared with its values: all that a field fills, or one salt, hash or copy.
type check struct {
	st *Step             // the field, as a Reader checks it; nil: of c
	c  *layout.Component // computed from the rest of the key, or by package layout from the values of all fields
}

// compileChecks makes the checks. A copy of a value that is not stored may be any, and so may bytes of a digest.
func (w *Layout) compileChecks() {
	for _, c := range w.s.Derived {
		if c.Absent || c.Hidden && !c.Guarded() {
			continue
		}
		k := check{c: c}
		if !c.Rest && !c.Hidden && w.checked(c) && !w.s.Fields[c.Needs-1].Optional {
			k = check{st: &w.steps[c.Needs-1]}
		}
		if !slices.Contains(w.checks, k) {
			w.checks = append(w.checks, k)
		}
	}
}

// right reports that the salts, hashes and copies of a key are those that its values give.
func (w *Layout) right(key []byte, at layout.Spans, r *Cells, scratch []byte) bool {
	for _, k := range w.checks {
		if k.st == nil && w.differs(k.c, key, at, r, scratch) || k.st != nil && !k.st.holds(key, at, r, scratch) {
			return false
		}
	}
	return true
}

// holds is Holds for the value that scan has read.
func (st *Step) holds(key []byte, at layout.Spans, r *Cells, scratch []byte) bool {
	var text []byte
	u, upto := r.cells[st.C.Ord&(few-1)], len(key)
	if st.C.IsText() {
		text = r.textOf(u, key, scratch)
	}
	if next := st.Next.C; next != nil {
		upto = int(at[next.Index])
	}
	return st.Holds(key[:upto], int(at[st.C.Index]), text, u)
}

// differs reports that a salt, hash or copy is another than package layout computes from the values of a key.
func (w *Layout) differs(c *layout.Component, key []byte, at layout.Spans, r *Cells, scratch []byte) bool {
	if rest := key[at[c.Index+1]:]; c.Rest && len(rest) > 0 && !c.Others() && !c.Trims { // without the values
		return !c.Right(key[at[c.Index]:at[c.Index+1]], rest)
	}
	if c.Hidden {
		return !c.MayBe(key[at[c.Index]:at[c.Index+1]])
	}
	var room [few]layout.Val
	for i, f := range w.s.Fields {
		room[i&(few-1)] = r.Val(f, key, scratch) // an append would move the texts to the heap
	}
	vals := room[:len(w.s.Fields)]
	var form [256]byte
	return w.s.Differs(form[:0], c, key, at, layout.Row{Vals: vals})
}
