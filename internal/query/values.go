package query

import (
	"math"
	"slices"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

const (
	ShortInterval = 64      // values of an interval that are listed for what stands behind it
	MostChoices   = 1 << 16 // combinations that are tried before ranges are counted
)

// Room is memory for a few values.
type Room struct {
	vals  [layout.FewFields]layout.Val
	used  int
	text  [64]byte
	typed int
	Lent  bool // some of it was given
}

// rest is the part not yet used.
func (r *Room) rest() []layout.Val {
	r.Lent = true
	return r.vals[r.used:r.used]
}

// keep keeps what was appended to rest.
func (r *Room) keep(vals []layout.Val) []layout.Val {
	if r.used+len(vals) <= len(r.vals) {
		r.used += len(vals)
	}
	return vals
}

// textVal is a text as a value.
func (r *Room) textVal(v string) layout.Val {
	b := append(r.text[r.typed:r.typed], v...)
	if r.typed+len(v) <= len(r.text) {
		r.typed += len(v)
	}
	return layout.Val{Text: b[:len(v):len(v)], Ok: true}
}

// PointsOf is the values of a constraint that names each of them, or whose
// field has few values altogether.
func PointsOf(c *layout.Component, r *Room, k *Constraint) ([]layout.Val, bool) {
	out, ok := valuePoints(c, r, k)
	if ok && k.Null {
		out = append(slices.Clip(out), layout.Val{Ok: true, Null: true})
	}
	return out, ok
}

// valuePoints is pointsOf without a null.
func valuePoints(c *layout.Component, r *Room, k *Constraint) ([]layout.Val, bool) {
	if c.IsText() {
		if c.Codes != nil || c.OneOf != nil {
			var out []layout.Val
			for _, v := range append(layout.SortedKeys(c.Codes), layout.SortedKeys(c.OneOf)...) {
				if v := (layout.Val{Text: []byte(v), Ok: true}); k.Match(c, v) {
					out = append(out, v)
				}
			}
			return out, true
		}
		out := r.rest()
		for _, t := range k.Texts {
			n := t.Points()
			if n == 0 {
				return nil, false
			}
			for i := range n {
				v := r.textVal(t.Hi[:len(t.Lo)+i])
				if c.Decimal != forms.NoDecimal && !c.Decimal.Holds(v.Text) {
					continue // no stored number is there
				}
				if len(k.Ends) == 0 || k.Match(c, v) {
					out = append(out, v)
				}
			}
		}
		return r.keep(out), true
	}
	most := ShortInterval
	if k.apart() {
		most = math.MaxInt
	}
	out, ok := ValuesOf(c, r.rest(), k.Nums, most)
	return r.keep(out), ok
}

// EveryValue is all values of a field that has few.
func EveryValue(c *layout.Component) []layout.Val {
	var vals []layout.Val
	if c.Optional {
		vals = append(vals, layout.Val{Ok: true, Null: true})
	}
	if !c.IsText() {
		vals, _ = ValuesOf(c, vals, []Numbers{DomainOf(c)}, math.MaxInt)
		return vals
	}
	for _, v := range append(layout.SortedKeys(c.Codes), layout.SortedKeys(c.OneOf)...) {
		vals = append(vals, layout.Val{Text: []byte(v), Ok: true})
	}
	return vals
}
