package walk

import (
	"math"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/mem"
	"github.com/hbase-rowkey/rowkey/internal/write"
)

// pairing says from which field of another schema each field is supplied.
type pairing struct {
	from   *Layout
	fields []pair // nil: package layout must rekey
}

// pair is a field, and where it is supplied from.
type pair struct {
	source int         // the number of the other field
	kind   layout.Kind // of the value
	units  bool        // both are times in one unit
	c, of  *layout.Component
}

// paired is the pairing with another schema. It is made once for the last one.
func (w *Layout) paired(from *Layout) *pairing {
	if p := w.pair.Load(); p != nil && p.from == from {
		return p
	}
	p := &pairing{from: from, fields: pairs(w.s, from.s)}
	w.pair.Store(p)
	return p
}

// pairs are the fields of a pairing; nil if package layout must rekey.
func pairs(to, from *layout.Schema) (fields []pair) {
	for _, c := range to.Fields {
		of := from.Named(c.Name)
		if of == nil || of.Absent || of.Role != layout.RoleField || !takes(c, of) {
			return nil
		}
		units := c.Kind == layout.KindTime && c.Unit == of.Unit && c.Unit.Own == nil && c.Signed == of.Signed && c.Num.Trunc <= 1
		fields = append(fields, pair{of.Ord, of.Kind, units, c, of})
	}
	return fields
}

// takes reports that a field can be supplied with the value of another one; else package layout must do it.
func takes(c, of *layout.Component) bool {
	integer := func(c *layout.Component) bool { return c.Kind == layout.KindUint || c.Kind == layout.KindInt }
	if c.IsText() && of.IsText() {
		return c.Decimal == forms.NoDecimal && of.Decimal == forms.NoDecimal && !c.ZeroText() && !c.PadEqual()
	}
	return c.Kind == of.Kind || integer(c) && integer(of)
}

// Rekey appends the key of the same row to dst; key is its key in schema from. It is false, and
// dst is as it was, for a key or a row that package layout must judge.
func (w *Layout) Rekey(dst, key []byte, from *Layout, derived bool) (_ []byte, ok bool) {
	spare := dst[len(dst):cap(dst)]
	if w == nil || from == nil || !w.whole || !from.whole || mem.Within(mem.Text(key), spare) {
		return dst, false
	}
	p := w.paired(from)
	if p.fields == nil {
		return dst, false
	}
	var r Cells
	var room [128]byte
	var places [layout.FewSpans]uint16
	scratch, ok := from.scan(key, from.s.Spans(places[:]), &r, room[:0], derived)
	if !ok {
		return dst, false
	}
	k := write.In(w.s, dst[len(dst):])
	for i := range p.fields {
		switch f := &p.fields[i]; {
		case r.null(f.source) && !f.c.Optional:
			return dst, false
		case r.null(f.source):
			k = k.Null()
		case f.kind <= layout.KindBinary: // a text
			k = k.Binary(r.textOf(r.cells[f.source&(few-1)], key, scratch))
		case f.kind > layout.KindBinary:
			if k, ok = f.number(k, r.cells[f.source&(few-1)]); !ok {
				return dst, false
			}
		}
	}
	out, err := k.Bytes()
	switch n := len(dst); {
	case err != nil:
		return dst, false
	case mem.Within(mem.Text(out), spare): // it begins there
		return dst[:n+len(out)], true
	case n == 0:
		return out, true
	}
	return append(dst, out...), true
}

// number supplies a number; false if package layout must judge.
func (f *pair) number(k write.Key, u uint64) (_ write.Key, ok bool) {
	switch f.kind {
	case layout.KindUint:
		return k.Uint(u), true
	case layout.KindInt:
		return k.Int(int64(u)), int64(u) >= 0 || f.c.Kind != layout.KindUint
	case layout.KindFloat:
		return k.Float(math.Float64frombits(u)), f.c.Zero(u) == u
	case layout.KindBool:
		return k.Bool(u == 1), true
	case layout.KindTime:
		if f.units {
			return k.Units(u), true
		}
		return k.PutTime(f.of.Instant(u)), true
	}
	return k, false
}
