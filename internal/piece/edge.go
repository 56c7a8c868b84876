package piece

import (
	"bytes"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// Edge is the least or the greatest form of a component. Of a 1-byte number in [3, 7] the
// edges are 03 and 07, and both are Whole.
type Edge struct {
	B     []byte
	Whole bool // B is the whole form of one value: the next component's edge can follow
	Below bool // no form begins with B: all forms are below B
}

// Holds reports that a greatest form f is at least form: 07 holds 05 and 07 01, not 08.
func (f *Edge) Holds(form []byte) bool {
	if f.Below {
		return bytes.Compare(form, f.B) < 0
	}
	return bytes.Compare(form, f.B) <= 0 || bytes.HasPrefix(form, f.B)
}

// Edges gives the least and the greatest of all forms of a component, as far as they are
// known. Of a component of 1 byte they are 00 and ff.
func Edges(c *layout.Component) (low, high Edge) {
	switch {
	case c.Shape.Fixed():
		return Edge{B: make([]byte, c.Shape.Min), Whole: true}, Edge{B: bytes.Repeat([]byte{0xff}, c.Shape.Min), Whole: true}
	case c.Null != nil && c.NullSide() == layout.Below:
		low = Edge{B: c.Null, Whole: true}
	case c.Null != nil && c.NullSide() == layout.Above:
		high = Edge{B: c.Null, Whole: true}
	case c.Null != nil:
	case c.Frame != layout.FrameNul || c.Decimal != forms.NoDecimal:
	case c.InvertAll:
		high = Edge{B: leastForm(c), Whole: true}
	default:
		low = Edge{B: leastForm(c), Whole: true}
	}
	return low, high
}

// leastForm gives the form of the least text of a field that 00 ends: 00 for the empty text
// or, if the field refuses the empty text, 01 00. For a descending field these bytes are
// inverted, and it is the greatest form: ff or fe ff. A header byte stands before 00.
func leastForm(c *layout.Component) []byte {
	form := []byte{0}
	switch {
	case c.Header != 0:
		form = []byte{c.Header, 0}
	case c.Filled:
		form = []byte{1, 0}
	}
	if c.InvertAll {
		forms.Invert(form)
	}
	return form
}

// EdgesOf gives the least and the greatest form of a few values.
func EdgesOf(c *layout.Component, vals []layout.Val) (low, high Edge) {
	for _, v := range vals {
		form, err := c.AppendForm(nil, &v)
		if v.Null || err != nil {
			continue
		}
		f := Edge{B: form, Whole: true}
		if low.B == nil || bytes.Compare(form, low.B) < 0 {
			low = f
		}
		if high.B == nil || bytes.Compare(form, high.B) > 0 {
			high = f
		}
	}
	return low, high
}

// FindEnds sets First and Last of each piece: the forms of its first and last value. They
// stay nil if they are not known.
func FindEnds(c *layout.Component, pieces []Piece, k *query.Constraint) {
	if c.Order != forms.Forward && c.Order != forms.Backward {
		return
	}
	if !c.IsText() {
		for i := range pieces { // the bounds are forms
			q := &pieces[i]
			if q.First, q.Last = q.Lo, q.Hi; c.Trims {
				q.First = append(bytes.Clone(q.Lo), make([]byte, c.EndLen())...)
			}
			if !q.HiAfter {
				q.Last = q.Hi[:len(q.Hi)-1]
			}
		}
		return
	}
	texts := len(pieces)
	for i := range pieces {
		if pieces[i].Parted {
			texts--
		}
	}
	if texts != len(k.Texts()) || len(k.Ends()) > 0 {
		return
	}
	next := 0 // the number of the span of texts that the piece belongs to
	for i := range pieces {
		q := &pieces[i]
		findTextEnds(c, q, k.Texts()[next])
		if i > 0 && pieces[i-1].Parted { // the piece begins after the null, not with a value
			q.First = nil
		}
		if !q.Parted {
			next++
		} else {
			q.Last = nil
		}
	}
}

// findTextEnds is FindEnds for the piece of one span of texts.
func findTextEnds(c *layout.Component, q *Piece, t query.Texts) {
	form := func(v string) []byte {
		if c.Decimal != forms.NoDecimal && !c.Decimal.Holds([]byte(v)) {
			return nil
		}
		if form, err := layout.AppendText(c, nil, v); err == nil {
			return form
		}
		return nil
	}
	if q.First = form(t.Lo); t.Lo == "" && c.Frame == layout.FrameNul && c.Filled {
		q.First = leastForm(c)
	}
	if !t.Open && strings.HasSuffix(t.Hi, "\x00") {
		q.Last = form(t.Hi[:len(t.Hi)-1])
	}
	if c.Order == forms.Backward {
		q.First, q.Last = q.Last, q.First
	}
}

// EdgesIn gives the least and the greatest form of the values that a constraint admits. The
// fault is the panic of a transform.
func EdgesIn(c *layout.Component, k *query.Constraint) (low, high Edge, fault error) {
	if c.Order != forms.Forward && c.Order != forms.Backward {
		return low, high, nil
	}
	pieces, _, ok := Of(c, nil, nil, k)
	if fault = FaultOf(pieces); !ok || len(pieces) == 0 || fault != nil {
		return low, high, fault
	}
	FindEnds(c, pieces, k)
	all, _ := Join(pieces)
	switch {
	case all.First != nil:
		low = Edge{B: all.First, Whole: true}
	case !all.LoAfter:
		low = Edge{B: all.Lo}
	default:
		if b, ok := bound.AppendSuccessor(nil, all.Lo); ok {
			low = Edge{B: b}
		}
	}
	switch {
	case all.Last != nil:
		high = Edge{B: all.Last, Whole: true}
	case !all.HiOpen:
		high = Edge{B: all.Hi, Below: !all.HiAfter}
	}
	return low, high, nil
}
