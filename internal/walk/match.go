package walk

import (
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// Match tests the row of a key against what a query says of each field, by its number. It is
// false if no row has this key. Known is false for a key that package layout must judge.
func (w *Layout) Match(key []byte, cons []query.Constraint) (match, known bool) {
	if w == nil {
		return false, false
	}
	var r row
	var room [128]byte
	var places [layout.FewSpans]uint16
	at := w.s.Spans(places[:])
	scratch, ok := w.scan(key, at, &r, room[:0])
	if !ok {
		return false, false
	}
	for i := range cons {
		if c := w.s.Fields[i]; cons[i].Said && !c.Absent && !cons[i].Match(c, r.val(c, key, scratch)) {
			return false, true
		}
	}
	match = w.right(key, at, &r, scratch)
	return match, match
}
