package query

import (
	"math"
	"slices"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

const (
	ShortInterval = 64      // the longest interval whose values are listed, so that the fields after it can bound ranges
	MostChoices   = 1 << 16 // the most combinations of values that are tried before ranges are counted
)

// Room is memory for a few values, so that most queries allocate none for them.
type Room struct {
	vals  [layout.FewFields]layout.Val
	used  int
	text  [64]byte
	typed int
}

// Reset forgets what was kept.
func (r *Room) Reset() {
	clear(r.vals[:r.used])
	clear(r.text[:r.typed])
	r.used, r.typed = 0, 0
}

// rest is the part of the room that is not used yet.
func (r *Room) rest() []layout.Val { return r.vals[r.used:r.used] }

// keep marks as used what was appended to rest. Values that did not fit in the room lie
// elsewhere, and are left alone.
func (r *Room) keep(vals []layout.Val) []layout.Val {
	if r.used+len(vals) <= len(r.vals) {
		r.used += len(vals)
	}
	return vals
}

// texts is memory for n bytes of text.
func (r *Room) texts(n int) []byte {
	if r.typed+n > len(r.text) {
		return make([]byte, 0, n)
	}
	r.typed += n
	return r.text[r.typed-n : r.typed-n : r.typed]
}

// PointsOf is the values that a constraint leaves, if they can be listed: it names each of
// them, the field has a list of values, or an interval of numbers is short. Of [3, 5] they
// are 3, 4 and 5. False if they cannot be listed.
func PointsOf(c *layout.Component, r *Room, k *Constraint) ([]layout.Val, bool) {
	out, ok := valuePoints(c, r, k)
	if ok && k.Null {
		out = append(slices.Clip(out), layout.Val{Ok: true, Null: true})
	}
	return out, ok
}

// valuePoints is PointsOf without the null.
func valuePoints(c *layout.Component, r *Room, k *Constraint) ([]layout.Val, bool) {
	if c.IsText() {
		if c.Codes != nil || c.OneOf != nil {
			var out []layout.Val
			for _, v := range c.Listed() {
				if v := (layout.Val{Text: []byte(v), Ok: true}); k.Match(c, v) {
					out = append(out, v)
				}
			}
			return out, true
		}
		some, size := 0, 0
		for i := range k.Texts {
			n := k.Texts[i].Points()
			if n == 0 {
				return nil, false
			}
			some, size = some+n, size+n*len(k.Texts[i].Hi)
		}
		out, text := slices.Grow(r.rest(), some), r.texts(size)
		for _, t := range k.Texts {
			for i := range t.Points() {
				at := len(text)
				text = append(text, t.Hi[:len(t.Lo)+i]...)
				v := layout.Val{Text: text[at:len(text):len(text)], Ok: true}
				if c.Decimal != forms.NoDecimal && !c.Decimal.Holds(v.Text) {
					continue // these bytes are the form of no number
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

// EveryValue is all values of a field with a list of values or a small range of numbers, and its
// null.
func EveryValue(c *layout.Component) []layout.Val {
	var vals []layout.Val
	if c.Optional {
		vals = append(vals, layout.Val{Ok: true, Null: true})
	}
	if !c.IsText() {
		vals, _ = ValuesOf(c, vals, []Numbers{DomainOf(c)}, math.MaxInt)
		return vals
	}
	for _, v := range c.Listed() {
		vals = append(vals, layout.Val{Text: []byte(v), Ok: true})
	}
	return vals
}
