package layout

import (
	"fmt"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/foreign"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// others reports that a step of others writes a salt or hash: it may fail.
func (c *Component) others() bool { return c.Part.Own != nil || c.Vias > 0 }

// computeOthers appends the stored form of such a salt or hash of data.
func (c *Component) computeOthers(dst, data []byte) ([]byte, error) {
	var n uint64
	ok := true
	if c.Part.Own != nil {
		var room [digest.MaxSize]byte
		sum, err := c.Part.Own.Append(room[:0], data)
		if err != nil {
			return dst, err
		}
		if c.Role == RoleHash {
			return c.Part.Cut.Cut(dst, sum), nil
		}
		n = digest.Mod(sum[:c.Part.Cut.N], c.Buckets)
	} else if ok = c.Part.Cut.Takes(data); ok {
		n, ok = c.bucketOf(data)
	}
	if !ok {
		return dst, c.SumRefused(data)
	}
	return c.putBucket(dst, n)
}

// through is the shape of what a Transform makes of forms of this shape: no more
// is known of it than it says.
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
	default: // the shorter of two forms is then that of the larger value
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
	if problem := p.oneWay(v); problem != "" {
		return problem
	}
	if c.Frame != NoFrame && c.Frame != FrameFixed {
		return "Via stands before the option that ends the field"
	}
	if c.Frame == FrameFixed { // it judges what the transform gets
		if !p.seen[notation.Fixed+"!"] {
			c.Stages = append(c.Stages, Stage{Word: notation.Fixed, To: c.Width})
			p.seen[notation.Fixed+"!"] = true
		}
		if c.InvertAll {
			c.Stages = append(c.Stages, Stage{Word: notation.Desc})
		}
		c.Frame, c.Width, c.InvertAll = NoFrame, 0, false
	}
	c.Stages = append(c.Stages, Stage{Word: notation.Via, Via: v})
	c.Vias = len(c.Stages)
	p.started, p.via = true, true
	return ""
}

// selfEnded notes how a reader finds the end of forms that a transform ended.
func (c *Component) selfEnded(sh *forms.Shape) {
	if c.Vias == 0 || sh.Ends != forms.EndSelf || c.Frame != NoFrame {
		return
	}
	last := c.Stages[c.Vias-1].Via
	if !last.Ends() || last.Traits.NextBelow != 0 && sh.GoesOn == 0 { // few forms, which end themselves
		return
	}
	flip := byte(0)
	for _, st := range c.Stages[c.Vias:] {
		if st.Word != notation.Desc { // its forms are not those that Len knows
			return
		}
		flip ^= 0xff
	}
	c.Ender, c.enderFlip = last, flip
}

// follows sees to it that what stands behind component i cannot be taken for
// more of it, or says what could.
func (s *Schema) follows(i int) string {
	c := &s.Comps[i]
	sh := &c.Shape
	var set forms.ByteSet
	next := i + 1
	for ; next < len(s.Comps); next++ {
		n := &s.Comps[next]
		if n.Absent {
			continue
		}
		set = set.Union(n.firstBytes())
		if n.Shape.Min > 0 {
			break
		}
	}
	if set == (forms.ByteSet{}) { // nothing stands behind it
		sh.Ends, sh.Tail = forms.EndLast, forms.ShortFirst
		return ""
	}
	if next == len(s.Comps) && sh.GoesOnDown {
		return "what stands behind it may be empty, so that the key ends where longer forms of it go on: put a Literal between"
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
	return fmt.Sprintf("what stands behind it may begin with byte %02x, with which longer forms of it go on: put a Literal between", taken)
}

// firstBytes are the bytes that a component's stored form can begin with.
func (c *Component) firstBytes() forms.ByteSet {
	switch {
	case c.Role == RoleLiteral:
		return forms.BytesOf(c.Lit[:1])
	case c.Shape.First != nil:
		return *c.Shape.First
	}
	return c.Shape.Bytes
}

// Clips reports that a range must leave out forms that go on.
func (c *Component) Clips() bool { return c.Ends == forms.EndSelf && c.Shape.GoesOn != 0 }

// Run is apply, for transforms too: the form may be in new memory.
func (s *Stage) Run(b []byte) ([]byte, error) {
	if s.Via != nil {
		return s.Via.Append(b, 0)
	}
	return s.Apply(b)
}

// oneWay says why a step that nothing undoes cannot stand on a field.
func (p *Pipeline) oneWay(v *foreign.Via) string {
	if v.Hollow {
		return v.Notation() + ": OneWay needs a function"
	}
	if v.Traits.OneWay && p.of == nil {
		return v.Notation() + " is OneWay: it fits a Copy or a Salt, and a field is read back. Write a Copy of it and say NotStored"
	}
	return ""
}
