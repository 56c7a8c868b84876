package layout

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/clock"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// A dialect decides what the options of a component do not say: headers, ends, limits.
// Build decides all of that here. Afterwards a component of a dialect is written and read
// by the same pipeline as any other.

// Dialect is the system whose bytes a component writes; 0: no dialect.
type Dialect uint8

// The systems.
const (
	_ Dialect = iota
	InHBase
	InOrderedBytes
	InPhoenix
)

// Valid reports that d is one of the three systems.
func (d Dialect) Valid() bool { return d >= InHBase && d <= InPhoenix }

// framed reports that the dialect says how a text ends.
func (d Dialect) framed() bool { return d == InOrderedBytes || d == InPhoenix }

// dialectNumber says why the dialect has no form for this number; empty if it has one. It
// also sets how a Numeric ends.
func (p *Pipeline) dialectNumber() string {
	c := p.c
	if !c.Dialect.framed() {
		return ""
	}
	if c.Decimal != forms.NoDecimal {
		p.endColumn()
		return ""
	}
	name, ordered := "Phoenix", c.Dialect == InOrderedBytes
	if ordered {
		name = "OrderedBytes"
	}
	integer := c.Kind == KindUint || c.Kind == KindInt
	switch {
	case ordered && c.Unit.Lay != nil:
		return "OrderedBytes has no Layout: say a unit"
	case ordered && c.Unit.Own != nil:
		return "OrderedBytes has no unit of NewUnit: say one of this package, or HBase"
	case ordered && c.Kind == KindUint:
		return "OrderedBytes has no unsigned integer: say Int, or Numeric"
	case p.form != "" || c.Unit.Lay != nil: // text
	case integer && c.Size != 1 && c.Size != 2 && c.Size != 4 && c.Size != 8:
		return fmt.Sprintf("%s has integers of 1, 2, 4 and 8 bytes, not %d", name, c.Size)
	case c.Kind == KindTime && c.Dialect == InPhoenix && c.Unit != clock.Millis && c.Unit != clock.Nanos:
		return "Phoenix has times in Millis (DATE and TIME) and in Nanos (TIMESTAMP), not in " + c.Unit.Notation()
	case c.Kind == KindTime:
		c.Signed = !c.Unsigned
	}
	return ""
}

// endColumn sets how Phoenix ends a form of varying length: by 00, descending by ff. The
// last component, if ascending, has no end:
//
//	"ab"               61 62 00
//	"ab", descending   9e 9d ff
//	"ab", last         61 62
func (p *Pipeline) endColumn() {
	if c := p.c; c.Dialect == InPhoenix && (!c.last || c.InvertAll) {
		c.Frame = FrameNul
	}
}

// dialectText sets the header and the end of a text as its dialect has them, or says why
// the dialect has no such text.
func (p *Pipeline) dialectText() string {
	c := p.c
	switch {
	case c.Decimal != forms.NoDecimal && c.Limited:
		return "a Numeric has no Codes, OneOf, Chars or MinLen"
	case c.Absent || !c.Dialect.framed():
		return ""
	case c.Decimal != forms.NoDecimal:
		p.endColumn()
		return ""
	}
	if c.Dialect == InOrderedBytes {
		return c.orderedText()
	}
	return p.phoenixText()
}

// orderedText sets the header and the end of a text in OrderedBytes: "ab" is 34 61 62 00.
func (c *Component) orderedText() string {
	switch {
	case c.Kind == KindString:
		c.Header, c.Frame = forms.HeadText, FrameNul
	case !c.blobCopy:
		c.Header, c.Frame = forms.HeadBlobVar, FrameBlobVar
	case !c.last:
		return "interop.BlobCopy has no end: it stands last"
	default:
		if c.Header = forms.HeadBlob; c.InvertAll {
			c.Frame = FrameNul
		}
	}
	return ""
}

// phoenixText sets the end and the limits of a text in Phoenix: "ab" is 61 62 00.
func (p *Pipeline) phoenixText() string {
	c := p.c
	switch c.Frame {
	case NoFrame:
		if c.Kind == KindBinary && (!c.last || c.InvertAll) {
			return "a VARBINARY stands last, ascending: add Fixed, which is BINARY, or Escaped, which is VARBINARY_ENCODED"
		}
		c.Filled = true // an empty VARCHAR is a null
		p.endColumn()
	case FrameEscaped:
		c.Filled = true
		c.Endless = c.last && !c.InvertAll
	case FramePad, FramePadLeft: // SQL compares padded texts; so do the bytes, if no byte of a text is below the pad
		c.Filled = true
		set := forms.AllBytes()
		if c.isChar() {
			set = charBytes()
		}
		for i := range c.Pad {
			set.Drop(i)
		}
		c.limitChars(set)
	case FrameFixed:
		if c.isChar() {
			c.limitChars(charBytes())
		}
	}
	return ""
}

// nullable says why a field cannot be Optional; empty if it can. It also sets the bytes of
// a null before other components: OrderedBytes 05 (descending fa), Escaped 00 01, else 00.
func (p *Pipeline) nullable(sh forms.Shape) string {
	c := p.c
	switch {
	case !c.Optional:
		return ""
	case c.Absent:
		return "Optional does not fit what is not stored"
	case sh.Ends == forms.EndWidth && c.Frame != FrameNul && c.Frame != FrameEscaped && c.Frame != FrameBlobVar && !c.last,
		!c.IsText() && c.Decimal == forms.NoDecimal, c.Frame == FrameFixed, c.Frame == FramePad, c.Frame == FramePadLeft:
		return "Optional does not fit a field of one width, which has no null"
	case c.last: // a null at the end of a key writes nothing
	case c.Dialect == InOrderedBytes:
		c.Null = []byte{forms.HeadNull ^ c.Flip()}
	case c.Frame == FrameEscaped:
		c.Null = []byte{0, 1}
	case c.Frame == FrameNul:
		c.Null = []byte{0} // 00 also where the field is descending
	default:
		return "Optional does not fit the end of this field"
	}
	return ""
}

// layNulls finds the components that a key may end with because only nulls follow. It
// widens the shape of each component that may be null or shortened, so that the shape
// holds for these forms too.
func (s *Schema) layNulls() {
	s.Framed = !slices.ContainsFunc(s.Comps, func(c Component) bool {
		return !c.Absent && c.Role != RoleLiteral && c.Role != RoleSalt && (c.Role != RoleField || !c.Dialect.framed() || c.Mark != nil)
	})
	tail := true         // all components that follow may be null
	nullFollows := false // one of them at least
	for i := len(s.Comps) - 1; i >= 0; i-- {
		c := &s.Comps[i]
		if c.Absent {
			continue
		}
		c.Tail = tail
		nul := c.Frame == FrameNul || c.Frame == FrameEscaped && !c.Endless
		c.Trims = tail && nullFollows && c.Dialect == InPhoenix && nul && !c.InvertAll
		s.Trims = s.Trims || tail && c.Optional
		if c.Optional || c.Trims {
			c.widen()
		}
		nullFollows = nullFollows || c.Optional
		tail = tail && c.Optional
	}
}

// widen makes the shape of a component hold for its null, and for the form without its end.
func (c *Component) widen() {
	switch {
	case c.Optional && c.Tail:
		c.Shape.Min = 0
	case c.Optional:
		c.Shape.Min = len(c.Null)
	default:
		c.Shape.Min -= c.EndLen()
	}
	if c.Shape.Ends == forms.EndWidth {
		c.Shape.Ends = forms.EndSelf
	}
	for _, b := range c.Null {
		c.Shape.Bytes.Add(b)
	}
	if c.Shape.Max == c.Shape.Min { // so that Fixed() is false
		c.Shape.Max++
	}
}

// EndLen is the length of the end of a form, which Trims leaves off: 2 for 00 01, else 1.
func (c *Component) EndLen() int {
	if c.Frame == FrameEscaped {
		return 2
	}
	return 1
}

// IsNull reports that a stored form is the form of a null.
func (c *Component) IsNull(form []byte) bool {
	return c.Optional && (len(form) == 0 || string(form) == string(c.Null))
}

// NullAt reports that a null stands at the beginning of b, where a field that may be null stands.
func (c *Component) NullAt(b []byte) bool {
	return len(b) == 0 && c.Tail || c.Null != nil && bytes.HasPrefix(b, c.Null)
}

// extentTail is Extent for a component that may be null, or whose end may be left off.
// Nulls at the end of a key are never written; nor, if Trims, is the end of the form
// before them: "ab" and a null at the end are 61 62, not 61 62 00.
func (c *Component) extentTail(b []byte) int {
	switch {
	case c.Optional && c.NullAt(b):
		if n := min(len(c.Null), len(b)); !c.Tail || n < len(b) || n == 0 {
			return n
		}
		return -1
	case len(b) == 0:
		return -1
	case c.Ends == forms.EndLast, c.Endless:
		return len(b)
	}
	n := c.extentSelf(b)
	switch {
	case c.Trims && n < 0:
		return len(b)
	case c.Trims && n == len(b):
		return -1
	}
	return n
}

// LeadIn is the length of a form that Merge's order leaves out, at the beginning of b; −1 if b does
// not start with one. Of a form that Trims it does not count the end, which only some keys have, and
// of which the start of a range may have a part.
func (c *Component) LeadIn(b []byte) int {
	if !c.Trims {
		return c.Extent(b)
	}
	for i := range b {
		if b[i] == 0 && (c.Frame != FrameEscaped || i+1 == len(b) || b[i+1] != 0xff) {
			return i
		}
	}
	return len(b)
}

// TrimOf gives trim, how many bytes are cut off if the key ends after this form. A null is
// cut off whole, together with the before bytes that end the form before it. Of a
// value, its end is cut off if only nulls follow.
//
// apart reports that other keys sort between the cut key and the whole one. It stays true
// for the following nulls (wasApart).
func (c *Component) TrimOf(null bool, before int, wasApart bool) (trim int, apart bool) {
	switch {
	case null && c.Tail:
		return before + len(c.Null), wasApart || c.NullSide() != Below
	case !null && c.Trims:
		return c.EndLen(), false
	}
	return 0, false
}

// ZeroText reports that for callers a null of this field is the empty text.
func (c *Component) ZeroText() bool {
	return c.Optional && c.Filled && c.Decimal == forms.NoDecimal && c.Codes == nil
}

// linkNulls adds the steps that follow nulls. A step knows how many bytes are left off if
// the key ends before it (Trim). That number is different after a null, so the step
// after a null is a copy of the step after a value, with another Trim.
func (s *Schema) linkNulls() {
	type place struct {
		i, trim int
		apart   bool
	}
	made := map[place]*Step{} // stepAt makes the step of a place once
	var stepAt func(p place, base *Step) *Step
	stepAt = func(p place, base *Step) *Step {
		if st := made[p]; st != nil {
			return st
		}
		st := base
		if base.Trim != p.trim || base.Apart != p.apart {
			other := *base
			other.Trim, other.Apart, other.Done = p.trim, p.apart, 0
			st = &other
		}
		made[p] = st
		switch {
		case st.Op == OpEnd:
		case st.C.Absent:
			st.Next = stepAt(place{p.i + 1, p.trim, p.apart}, &s.Steps[p.i+1])
		case st.C.Optional:
			next := place{i: p.i + 1}
			next.trim, next.apart = st.C.TrimOf(true, p.trim, p.apart)
			st.Null = stepAt(next, &s.Steps[p.i+1])
		}
		return st
	}
	for i, c := range s.Fields {
		if trim := &s.Steps[i+1].Trim; c.Absent {
			*trim = s.Steps[i].Trim
		} else {
			*trim, _ = c.TrimOf(false, 0, false)
		}
	}
	ends := true
	for i := len(s.Fields); i >= 0; i-- {
		st := &s.Steps[i]
		ends = ends && (st.Op == OpEnd || st.C.Optional)
		st.Ends = ends
		stepAt(place{i, st.Trim, st.Apart}, st)
	}
}

// NullSide is where the form of a null sorts: below the forms of all values, above them,
// or between them.
func (c *Component) NullSide() Side {
	switch {
	case c.Dialect == InOrderedBytes && c.InvertAll:
		return Above
	case c.Null != nil && c.Frame == FrameEscaped && c.InvertAll: // a null is 00 01; a text that begins with ff ff is 00 00 …, below it
		return Within
	}
	return Below
}

// charBytes are the bytes that a CHAR may hold, 00 to 7f: Phoenix refuses characters of
// more than one byte.
func charBytes() forms.ByteSet { return forms.ByteSet{^uint64(0), ^uint64(0)} }

// isChar reports that the component is a CHAR: a text field of one width, padded with
// blanks (Pad) or given in full width (Fixed).
func (c *Component) isChar() bool {
	return c.Kind == KindString && c.Role == RoleField && (c.Frame == FramePad && c.Pad == ' ' || c.Frame == FrameFixed)
}

// limitChars limits the bytes of a text to set, and to Chars if that is set.
func (c *Component) limitChars(set forms.ByteSet) {
	if c.Codes != nil {
		return
	}
	if c.Chars != nil {
		set = set.Common(*c.Chars)
	}
	c.Chars, c.Limited = &set, true
}

// PadEqual reports that texts which differ only in trailing pad bytes are one value: "ab"
// and "ab ". This needs a pad below all bytes of values; otherwise "ab" and "ab " would
// not sort alike.
func (c *Component) PadEqual() bool {
	return c.Dialect == InPhoenix && c.Frame == FramePad && c.isChar() &&
		len(c.Stages) == 0 && c.Codes == nil && !c.Loose && !c.Absent
}

// PadsAsChar is PadEqual for a copy, such as one of a VARCHAR: it pads what it keeps of a text.
func (c *Component) PadsAsChar() bool {
	return c.Role == RoleCopy && c.Dialect == InPhoenix && c.Frame == FramePad && c.Pad == ' ' && c.Kind == KindString && c.Codes == nil && !c.Loose && !c.Absent &&
		!slices.ContainsFunc(c.Stages, Stage.Reverses)
}

// DialectNamed is the dialect with this word in the notation; 0 if there is none.
func DialectNamed(w notation.Word) Dialect {
	return Dialect(max(0, slices.Index(DialectNames[:], string(w))))
}
