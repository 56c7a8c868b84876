package query

import (
	"math"
	"slices"
	"strings"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

const (
	ShortInterval = 64      // the longest interval whose values are listed, so that the fields after it can bound ranges
	MostChoices   = 1 << 16 // the most combinations of values that are tried before ranges are counted
)

// Room is memory for values, so that most queries allocate none for them.
type Room struct {
	vals  []layout.Val
	few   [layout.FewFields]layout.Val // the first vals
	used  int
	text  [64]byte
	typed int
}

// next is memory for n values, after those that were kept.
func (r *Room) next(n int) []layout.Val {
	if r.vals == nil {
		r.vals = r.few[:]
	}
	if r.used+n > len(r.vals) {
		r.vals, r.used = make([]layout.Val, n), 0
	}
	return r.vals[r.used:r.used]
}

// MostKept is of how many values memory is kept for the next plan.
const MostKept = 1024

// Reset gives the memory to other values.
func (r *Room) Reset() {
	if r.used, r.typed = 0, 0; len(r.vals) > MostKept {
		r.vals = nil
	}
}

// PointsOf is the values that a constraint leaves, if they can be listed: it names each of
// them, the field has a list of values, or an interval of numbers is short. Of [3, 5] they
// are 3, 4 and 5. False if they cannot be listed.
func PointsOf(c *layout.Component, r *Room, k *Constraint) ([]layout.Val, bool) {
	return pointsOf(c, r, k, k.Named)
}

// ShortPointsOf is PointsOf, but not of many numbers some of which are neighbours, though the constraint names each
// of them: In of 1 to 100 is an interval.
func ShortPointsOf(c *layout.Component, r *Room, k *Constraint) ([]layout.Val, bool) {
	return pointsOf(c, r, k, false)
}

// OnlyOf is PointsOf of a field that is never null, if that is one value: v becomes it.
func OnlyOf(c *layout.Component, r *Room, k *Constraint, v *layout.Val) bool {
	if !c.IsText() {
		nums := k.Nums()
		if len(nums) != 1 || nums[0].Lo != nums[0].Hi {
			return false
		}
		sp, ok := SnapSpan(c, nums[0])
		v.Num, v.Ok = c.Unrank(sp.Lo), ok
		return ok
	}
	if len(k.Texts()) != 1 || k.Texts()[0].Points() != 1 {
		return false
	}
	vals, _ := textPoints(c, r, k)
	if len(vals) == 1 { // else its end is another
		*v = vals[0]
	}
	return len(vals) == 1
}

// pointsOf is PointsOf; all says that a span may hold many numbers.
func pointsOf(c *layout.Component, r *Room, k *Constraint, all bool) (out []layout.Val, ok bool) {
	switch {
	case !c.IsText():
		most := math.MaxInt
		nums := k.Nums()
		for i := 0; i < len(nums) && !all; i++ {
			if nums[i].Lo != nums[i].Hi {
				most = ShortInterval
				break
			}
		}
		out, ok = ValuesOf(c, r.next(min(len(nums), most)), nums, most)
	default:
		if out, ok = textPoints(c, r, k); ok || c.Codes == nil && c.OneOf == nil {
			break
		}
		for _, v := range c.Listed() {
			if v := (layout.Val{Text: []byte(v), Ok: true}); k.Match(c, v) {
				out = append(out, v)
			}
		}
		ok = true
	}
	if r.used+len(out) <= len(r.vals) { // else they did not fit, and lie elsewhere
		r.used += len(out)
	}
	if ok && k.Null {
		out = append(slices.Clip(out), layout.Val{Ok: true, Null: true})
	}
	return out, ok
}

// textPoints is PointsOf for a text whose conditions name its values, and without the null.
func textPoints(c *layout.Component, r *Room, k *Constraint) ([]layout.Val, bool) {
	some, size := 0, 0
	spans, ends := k.Texts(), k.Ends()
	for i := range spans {
		n := spans[i].Points()
		if n == 0 {
			return nil, false
		}
		some, size = some+n, size+n*len(spans[i].Hi)
	}
	out := r.next(some)
	text := r.text[r.typed:r.typed]
	if r.typed+size <= len(r.text) {
		r.typed += size
	} else {
		text = make([]byte, 0, size)
	}
	for i := range spans {
		t := &spans[i]
		for n := len(t.Lo); n < len(t.Hi); n++ {
			at := len(text)
			text = append(text, t.Hi[:n]...)
			v := layout.Val{Text: text[at:len(text):len(text)], Ok: true}
			if c.Decimal != forms.NoDecimal && !c.Decimal.Holds(v.Text) {
				continue // these bytes are the form of no number
			}
			if c.OneOf != nil || c.Codes != nil {
				_, one := c.OneOf[string(v.Text)]
				if _, code := c.Codes[string(v.Text)]; !one && !code {
					continue
				}
			}
			if len(ends) == 0 || k.Match(c, v) {
				out = append(out, v)
			}
		}
	}
	return out, true
}

// MostBeginnings is how many beginnings of one text get a range of their own. Each range is nearly as
// long as the text: those of a text of 32767 bytes would take a gigabyte.
const MostBeginnings = 1024

// Points is how many texts are in the span if they can be listed: Lo, Lo and 00, Lo and 00 00, and so
// on, of which each is the next text after the one before. From "ab" up to "ab\x00\x00" they are 2.
// It is 0 if they have no end, or are more than MostBeginnings.
func (t Texts) Points() int {
	if t.Open || !strings.HasPrefix(t.Hi, t.Lo) || strings.Trim(t.Hi[len(t.Lo):], "\x00") != "" {
		return 0
	}
	if n := len(t.Hi) - len(t.Lo); n <= MostBeginnings {
		return n
	}
	return 0
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
