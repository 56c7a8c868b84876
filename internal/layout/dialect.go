package layout

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/clock"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// What a dialect says of a component that its options do not: headers, ends,
// limits. All of it is decided by Build; what then writes and reads is the
// pipeline of every other component.

// Dialect is the system whose bytes a component writes; 0 is none.
type Dialect uint8

// The systems.
const (
	_ Dialect = iota
	InHBase
	InOrderedBytes
	InPhoenix
)

// Valid reports that it is one of them.
func (d Dialect) Valid() bool { return d >= InHBase && d <= InPhoenix }

// framed reports that the dialect says how a text ends.
func (d Dialect) framed() bool { return d == InOrderedBytes || d == InPhoenix }

// dialectNumber says which numbers a dialect has no form for, and ends a
// Numeric.
func (p *Pipeline) dialectNumber() string {
	c := p.c
	lay := c.Unit.Lay != nil
	if !c.Dialect.framed() {
		return ""
	}
	name := map[Dialect]string{InOrderedBytes: "OrderedBytes", InPhoenix: "Phoenix"}[c.Dialect]
	integer := c.Kind == KindUint || c.Kind == KindInt
	switch binary := p.form == "" && !lay; {
	case c.Decimal != forms.NoDecimal:
		p.endColumn()
	case c.Dialect == InOrderedBytes && lay:
		return "OrderedBytes has no Layout: say a unit"
	case c.Dialect == InOrderedBytes && c.Unit.Own != nil:
		return "OrderedBytes has no unit of NewUnit: say one of this package, or HBase"
	case c.Dialect == InOrderedBytes && c.Kind == KindUint:
		return "OrderedBytes has no unsigned integer: say Int, or Numeric"
	case !binary:
	case integer && c.Size != 1 && c.Size != 2 && c.Size != 4 && c.Size != 8:
		return fmt.Sprintf("%s has integers of 1, 2, 4 and 8 bytes, not %d", name, c.Size)
	case c.Dialect == InPhoenix && c.Kind == KindTime && (c.Unit.Own != nil || c.Unit.Set || c.Unit.Step != time.Millisecond && c.Unit.Step != time.Nanosecond):
		return "Phoenix has times in Millis (DATE and TIME) and in Nanos (TIMESTAMP), not in " + c.Unit.Notation()
	case c.Kind == KindTime:
		c.Signed = !c.Unsigned
	}
	return ""
}

// endColumn ends a form of any length as Phoenix does: by 00, or descending by
// ff; ascending and last by nothing.
func (p *Pipeline) endColumn() {
	if c := p.c; c.Dialect == InPhoenix && (!c.last || c.InvertAll) {
		c.Frame = FrameNul
	}
}

// dialectText gives a text its header and its end.
func (p *Pipeline) dialectText() string {
	c := p.c
	switch {
	case c.Decimal != forms.NoDecimal && c.limited:
		return "a Numeric has no Codes, OneOf, Chars or MinLen"
	case c.Absent || !c.Dialect.framed():
		return ""
	case c.Decimal != forms.NoDecimal:
		p.endColumn()
		return ""
	}
	if c.Dialect == InOrderedBytes {
		switch {
		case c.Kind == KindString:
			c.Header, c.Frame = forms.HeadText, FrameNul
		case !c.blobCopy:
			c.Header, c.Frame = forms.HeadBlobVar, FrameBlobVar
		case !c.last:
			return "a BlobCopy has no end: it stands last"
		default:
			if c.Header = forms.HeadBlob; c.InvertAll {
				c.Frame = FrameNul
			}
		}
		return ""
	}
	switch c.Frame {
	case NoFrame:
		if c.Kind == KindBinary && (!c.last || c.InvertAll) {
			return "a VARBINARY stands last, ascending: add Fixed, which is BINARY, or Escaped, which is VARBINARY_ENCODED"
		}
		c.Filled = true // an empty VARCHAR is a null
		p.endColumn()
	case FrameEscaped:
		c.Filled = true
		c.endless = c.last && !c.InvertAll
	case FramePad, FramePadLeft: // SQL compares with the pad, which is the order of bytes if none lies below it
		c.Filled = true
		set := forms.AllBytes()
		if c.isChar() {
			set = charBytes()
		}
		for i := range c.Pad {
			set[i] = false
		}
		c.limitChars(set)
	case FrameFixed:
		if c.isChar() {
			c.limitChars(charBytes())
		}
	}
	return ""
}

// biased reports that a num is signed: its place among the values has the sign
// bit flipped.
func (c *Component) biased() bool { return c.Kind == KindInt || c.Unit.Lay != nil || c.Signed }

// Units is the number of whole steps from a unit's epoch to an instant, as a
// num; false if it is too far from it, or before one that nothing lies before.
func (c *Component) Units(sec, nsec int64) (uint64, bool) {
	if n, ok := c.Unit.Count(sec, nsec); ok || !c.Signed || sec < -clock.MaxSeconds {
		return n, ok
	}
	// Mirrored at the epoch: −d steps, rounded down, are d rounded up.
	sec, nsec = c.Unit.Mirror(sec, nsec)
	n, ok := c.Unit.Count(sec, nsec)
	if s, ns := c.Unit.Instant(n); ok && (s != sec || ns != nsec) {
		n++
	}
	return -n, ok && n != 0 && n <= c.Unit.Last()
}

// nullable says why a field cannot be Optional, and what a null of it writes.
func (p *Pipeline) nullable(sh forms.Shape) string {
	c := p.c
	switch {
	case !c.Optional:
		return ""
	case c.Absent:
		return "Optional does not fit what is not stored"
	case sh.Ends == forms.EndWidth && c.Frame != FrameNul && c.Frame != FrameEscaped && c.Frame != FrameBlobVar && !c.last:
		return "Optional does not fit a field of one width, which has no null"
	case p.numeric && c.Decimal == forms.NoDecimal, c.Frame == FrameFixed, c.Frame == FramePad, c.Frame == FramePadLeft:
		return "Optional does not fit a field of one width, which has no null"
	case c.last: // a null is always left off
	case c.Dialect == InOrderedBytes:
		c.Null = []byte{forms.HeadNull ^ c.Flip()}
	case c.Frame == FrameEscaped:
		c.Null = []byte{0, 1}
	default:
		c.Null = []byte{0} // descending too
	}
	return ""
}

// layNulls finds the components that a key may end with, since nothing but
// nulls follows, and makes their shapes those of all that can stand there.
func (s *Schema) layNulls() {
	s.Framed = !slices.ContainsFunc(s.Comps, func(c Component) bool {
		return !c.Absent && c.Role != RoleLiteral && c.Role != RoleSalt && (c.Role != RoleField || !c.Dialect.framed() || c.Mark != nil)
	})
	tail := true
	behind := false // some Optional component stands behind
	for i := len(s.Comps) - 1; i >= 0; i-- {
		c := &s.Comps[i]
		if c.Absent {
			continue
		}
		c.Tail = tail
		nul := c.Frame == FrameNul || c.Frame == FrameEscaped && !c.endless
		c.Trims = tail && behind && c.Dialect == InPhoenix && nul && !c.InvertAll
		switch {
		case c.Optional:
			s.Trims = s.Trims || tail
			c.Shape.Min = len(c.Null)
			if tail {
				c.Shape.Min = 0
			}
		case c.Trims:
			c.Shape.Min -= c.EndLen()
		}
		if c.Optional || c.Trims {
			if c.Shape.Ends == forms.EndWidth {
				c.Shape.Ends = forms.EndSelf
			}
			for _, b := range c.Null {
				c.Shape.Bytes[b] = true
			}
			if c.Shape.Max == c.Shape.Min { // of any length, to those who ask
				c.Shape.Max++
			}
		}
		behind = behind || c.Optional
		tail = tail && c.Optional
	}
}

// EndLen is the length of the end that trims leaves off.
func (c *Component) EndLen() int {
	if c.Frame == FrameEscaped {
		return 2
	}
	return 1
}

// IsNull reports that a stored form is that of a null.
func (c *Component) IsNull(form []byte) bool {
	return c.Optional && (len(form) == 0 || string(form) == string(c.Null))
}

// extentTail is extent for a component that may be null, or whose end may be
// left off. Nulls at the end of a key are always left off, and so is the end in
// front of them.
func (c *Component) extentTail(b []byte) int {
	switch {
	case len(b) == 0 && c.Optional && c.Tail:
		return 0
	case len(b) == 0:
		return -1
	case c.Optional && c.Null != nil && bytes.HasPrefix(b, c.Null):
		if n := len(c.Null); !c.Tail || n < len(b) {
			return n
		}
		return -1
	case c.Ends == forms.EndLast, c.endless:
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

// TrimOf is how many bytes are cut off if the key ends after this form: of a null its
// own bytes, and with them the before bytes that were cut in front of it; of a value
// the end that only nulls follow. apart says that forms of other values sort between
// the key as it is cut and as it would be whole.
func (c *Component) TrimOf(null bool, before int, wasApart bool) (trim int, apart bool) {
	switch {
	case null && c.Tail:
		return before + len(c.Null), wasApart || c.NullSide() != Below
	case !null && c.Trims:
		return c.EndLen(), false
	}
	return 0, false
}

// ZeroText reports that a null is the empty text to its callers too.
func (c *Component) ZeroText() bool {
	return c.Optional && c.Filled && c.Decimal == forms.NoDecimal && c.Codes == nil
}

// linkNulls adds the steps behind nulls. A step knows what is left off if the
// key ends in front of it, so one that follows a null at the end is a copy of
// the one that follows a value.
func (s *Schema) linkNulls() {
	type place struct {
		i, trim int
		apart   bool
	}
	made := map[place]*Step{}
	var behind func(p place, base *Step) *Step
	behind = func(p place, base *Step) *Step {
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
			st.Next = behind(place{p.i + 1, p.trim, p.apart}, &s.Steps[p.i+1])
		case st.C.Optional:
			next := place{i: p.i + 1}
			next.trim, next.apart = st.C.TrimOf(true, p.trim, p.apart)
			st.Null = behind(next, &s.Steps[p.i+1])
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
	}
	for i := len(s.Fields) - 1; i >= 0; i-- {
		st := &s.Steps[i]
		behind(place{i, st.Trim, st.Apart}, st)
	}
}

// NullSide is where the form of a null lies among those of the field's values:
// below them, above them, or within.
func (c *Component) NullSide() Side {
	switch {
	case c.Dialect == InOrderedBytes && c.InvertAll:
		return Above
	case c.Null != nil && c.Frame == FrameEscaped && c.InvertAll: // 0001, and texts from ff ff on begin with 0000
		return Within
	}
	return Below
}

// charBytes are the bytes of the characters that a CHAR has: one byte each, since
// a character of more is an error of Phoenix's.
func charBytes() (s forms.ByteSet) {
	for i := range 0x80 {
		s[i] = true
	}
	return s
}

// isChar reports a CHAR: a field of text that is filled with blanks, or that its
// caller fills.
func (c *Component) isChar() bool {
	return c.Kind == KindString && c.Role == RoleField && (c.Frame == FramePad && c.Pad == ' ' || c.Frame == FrameFixed)
}

// limitChars admits no other bytes in a text than those of the set.
func (c *Component) limitChars(set forms.ByteSet) {
	if c.Codes != nil {
		return
	}
	if c.Chars != nil {
		for i := range set {
			set[i] = set[i] && c.Chars[i]
		}
	}
	c.Chars, c.limited = &set, true
}

// PadEqual reports that texts equal but for their padding are one value. It takes
// a pad below all bytes of values: with another, ab without its padding would sort
// elsewhere than ab with it.
func (c *Component) PadEqual() bool {
	return c.Dialect == InPhoenix && c.Frame == FramePad && c.isChar() &&
		len(c.Stages) == 0 && c.Codes == nil && !c.Loose && !c.Absent
}

// DialectNamed is the dialect of a word, 0 if there is none.
func DialectNamed(w notation.Word) Dialect {
	return Dialect(max(0, slices.Index(DialectNames[:], string(w))))
}
