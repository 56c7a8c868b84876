package layout

import (
	"fmt"

	"github.com/hbase-rowkey/rowkey/internal/foreign"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// through is the shape of forms of shape s after a transform. Only what its Traits say is
// known of them.
func through(s forms.Shape, v *foreign.Via) forms.Shape {
	t := &v.Traits
	out := forms.Shape{Max: -1, Bytes: forms.AllBytes(), Free: t.Delimited, GoesOn: t.NextBelow}
	if t.First != "" {
		first := forms.BytesOf(t.First)
		out.First = &first
	}
	switch {
	case t.Size > 0:
		out.Min, out.Max, out.Ends = t.Size, t.Size, forms.EndWidth
	case v.Ends():
		out.Min, out.Ends = 1, forms.EndSelf
	}
	switch before := s.Order(); {
	case before == forms.Unordered || t.Order == forms.Unordered:
		out.Dir = forms.NoOrder
	case before == t.Order:
		out.Dir = forms.Up
	case out.Fixed() || out.Free:
		out.Dir = forms.Down
	default: // a shorter form may belong to the larger value: see forms.Shorter
		out.Dir = forms.NoOrder
	}
	return out
}

// OptVia adds a transform to a field's pipeline.
func (p *Pipeline) OptVia(v *foreign.Via) string {
	c := p.c
	if c.Dialect.framed() {
		return "Via does not fit a field of OrderedBytes or Phoenix, which say what its bytes are: give the field HBase, or transform the value itself"
	}
	if v.Hollow {
		return v.Notation() + ": OneWay needs a function"
	}
	if v.Traits.OneWay && p.of == nil {
		return v.Notation() + " is OneWay: it fits a Copy or a Salt, and a field is read back. Write a Copy of it and say NotStored"
	}
	if c.Frame != NoFrame && c.Frame != FrameFixed {
		return "Via stands before the option that ends the field"
	}
	if c.Frame == FrameFixed { // Fixed limits the input of the transform, not its result
		c.checkFixed()
		if c.InvertAll {
			c.Stages = append(c.Stages, Stage{Word: notation.Desc})
		}
		c.Frame, c.Width, c.InvertAll = NoFrame, 0, false
	}
	c.Stages = append(c.Stages, Stage{Word: notation.Via, Via: v})
	c.Vias = uint16(len(c.Stages))
	return ""
}

// selfEnded sets c.Ender if a reader finds the end of the forms by the Len of a transform.
func (c *Component) selfEnded(sh *forms.Shape) {
	if c.Vias == 0 || sh.Ends != forms.EndSelf || c.Frame != NoFrame {
		return
	}
	last := c.Stages[c.Vias-1].Via
	if !last.Ends() || last.Traits.NextBelow != 0 && sh.GoesOn == 0 { // a short list of forms: c.Forms finds the end
		return
	}
	flip := byte(0)
	for _, st := range c.Stages[c.Vias:] {
		if st.Word != notation.Desc { // Len does not know the forms after this stage
			return
		}
		flip ^= 0xff
	}
	c.Ender, c.enderFlip = true, flip
}

// follows checks the first byte after component i, whose longer forms go on with the byte
// GoesOn or a larger one. If a following component could begin with such a byte, a reader
// could not tell where component i ends; then follows says so.
func (s *Schema) follows(i int) string {
	c := &s.Comps[i]
	sh := &c.Shape
	var set forms.ByteSet // what may follow
	next := i + 1
	for ; next < len(s.Comps); next++ {
		n := &s.Comps[next]
		if n.Absent {
			continue
		}
		switch {
		case n.Role == RoleLiteral:
			set.Add(n.Lit[0])
		case n.Shape.First != nil:
			set = set.Union(*n.Shape.First)
		case n.Shape.First == nil:
			set = set.Union(n.Shape.Bytes)
		}
		if n.Shape.Min > 0 {
			break
		}
	}
	if set == (forms.ByteSet{}) { // no component follows
		sh.Ends, sh.Tail = forms.EndLast, forms.ShortFirst
		return ""
	}
	if next == len(s.Comps) && sh.GoesOnDown {
		return "what stands after it may be empty, so that the key ends where longer forms of it go on: put a Literal between"
	}
	var taken byte
	if !sh.GoesOnDown {
		if taken = set.Highest(); taken < sh.GoesOn {
			sh.Tail = forms.ShortFirst
			return ""
		}
	} else if taken = set.Lowest(); taken > ^sh.GoesOn {
		sh.Tail = forms.ShortLast
		return ""
	}
	return fmt.Sprintf("what stands after it may begin with byte %02x, with which longer forms of it go on: put a Literal between", taken)
}

// Clips reports that a longer form can begin with a shorter one, so that a range of keys
// with the shorter form must leave out keys with the longer one.
func (c *Component) Clips() bool { return c.Ends == forms.EndSelf && c.Shape.GoesOn != 0 }
