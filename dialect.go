package rowkey

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// dialect is the system whose bytes a component writes; 0 is none.
type dialect uint8

// They stand in the order of Dialect.
const (
	_ dialect = iota
	inHBase
	inOrderedBytes
	inPhoenix
)

func (d dialect) valid() bool { return d >= inHBase && d <= inPhoenix }

// framed reports that the dialect says how a text ends.
func (d dialect) framed() bool { return d == inOrderedBytes || d == inPhoenix }

// What a dialect says of a component that its options do not: headers, ends,
// limits. All of it is decided by Build; what then writes and reads is the
// pipeline of every other component.

// dialectNumber says which numbers a dialect has no form for, and ends a
// Numeric.
func (p *pipeline) dialectNumber() string {
	c := p.c
	lay := c.unit.lay != nil
	if !c.dialect.framed() {
		return ""
	}
	name := map[dialect]string{inOrderedBytes: "OrderedBytes", inPhoenix: "Phoenix"}[c.dialect]
	integer := c.kind == kindUint || c.kind == kindInt
	switch binary := p.form == "" && !lay; {
	case c.decimal != forms.NoDecimal:
		p.endColumn()
	case c.dialect == inOrderedBytes && lay:
		return "OrderedBytes has no Layout: say a unit"
	case c.dialect == inOrderedBytes && c.unit.own != nil:
		return "OrderedBytes has no unit of NewUnit: say one of this package, or HBase"
	case c.dialect == inOrderedBytes && c.kind == kindUint:
		return "OrderedBytes has no unsigned integer: say Int, or Numeric"
	case !binary:
	case integer && c.size != 1 && c.size != 2 && c.size != 4 && c.size != 8:
		return fmt.Sprintf("%s has integers of 1, 2, 4 and 8 bytes, not %d", name, c.size)
	case c.dialect == inPhoenix && c.kind == kindTime && (c.unit.own != nil || c.unit.set || c.unit.step != time.Millisecond && c.unit.step != time.Nanosecond):
		return "Phoenix has times in Millis (DATE and TIME) and in Nanos (TIMESTAMP), not in " + c.unit.notation()
	case c.kind == kindTime:
		c.signed = !c.unsigned
	}
	return ""
}

// endColumn ends a form of any length as Phoenix does: by 00, or descending by
// ff; ascending and last by nothing.
func (p *pipeline) endColumn() {
	if c := p.c; c.dialect == inPhoenix && (!c.last || c.invertAll) {
		c.frame = frameNul
	}
}

// dialectText gives a text its header and its end.
func (p *pipeline) dialectText() string {
	c := p.c
	switch {
	case c.decimal != forms.NoDecimal && c.limited:
		return "a Numeric has no Codes, OneOf, Chars or MinLen"
	case c.absent || !c.dialect.framed():
		return ""
	case c.decimal != forms.NoDecimal:
		p.endColumn()
		return ""
	}
	if c.dialect == inOrderedBytes {
		switch {
		case c.kind == kindString:
			c.header, c.frame = forms.HeadText, frameNul
		case !c.blobCopy:
			c.header, c.frame = forms.HeadBlobVar, frameBlobVar
		case !c.last:
			return "a BlobCopy has no end: it stands last"
		default:
			if c.header = forms.HeadBlob; c.invertAll {
				c.frame = frameNul
			}
		}
		return ""
	}
	switch c.frame {
	case noFrame:
		if c.kind == kindBinary && (!c.last || c.invertAll) {
			return "a VARBINARY stands last, ascending: add Fixed, which is BINARY, or Escaped, which is VARBINARY_ENCODED"
		}
		c.filled = true // an empty VARCHAR is a null
		p.endColumn()
	case frameEscaped:
		c.filled = true
		c.endless = c.last && !c.invertAll
	case framePad, framePadLeft: // SQL compares with the pad, which is the order of bytes if none lies below it
		c.filled = true
		set := forms.AllBytes()
		if c.isChar() {
			set = charBytes()
		}
		for i := range c.pad {
			set[i] = false
		}
		c.limitChars(set)
	case frameFixed:
		if c.isChar() {
			c.limitChars(charBytes())
		}
	}
	return ""
}

// biased reports that a num is signed: its place among the values has the sign
// bit flipped.
func (c *component) biased() bool { return c.kind == kindInt || c.unit.lay != nil || c.signed }

// units is the number of whole steps from a unit's epoch to an instant, as a
// num; false if it is too far from it, or before one that nothing lies before.
func (c *component) units(sec, nsec int64) (uint64, bool) {
	if n, ok := c.unit.count(sec, nsec); ok || !c.signed || sec < -maxSeconds {
		return n, ok
	}
	// Mirrored at the epoch: −d steps, rounded down, are d rounded up.
	sec, nsec = c.unit.mirror(sec, nsec)
	n, ok := c.unit.count(sec, nsec)
	if s, ns := c.unit.instant(n); ok && (s != sec || ns != nsec) {
		n++
	}
	return -n, ok && n != 0 && n <= c.unit.last()
}

// mirror is the instant as far from the unit's epoch on its other side.
func (u *unit) mirror(sec, nsec int64) (int64, int64) {
	sec, nsec = 2*u.sec-sec, 2*u.nsec-nsec
	switch {
	case nsec < 0:
		return sec - 1, nsec + 1e9
	case nsec >= 1e9:
		return sec + 1, nsec - 1e9
	}
	return sec, nsec
}

// decimalCond is a condition on a decimal number, its operands as such a
// number's value is inside, whose bytes sort as the numbers do.
func decimalCond(c *component, q Cond) (Cond, error) {
	switch q.op {
	case opBegins, opEnds:
		return q, ErrType
	case opNull, opNotNull:
		return q, nil
	case opAnyOf:
		any := make([]Cond, len(q.any))
		for i := range q.any {
			any[i] = q.any[i]
			if any[i].field != q.field {
				return q, &detail{"AnyOf joins conditions on one field", ErrField}
			}
			var err error
			if any[i], err = decimalCond(c, any[i]); err != nil {
				return q, err
			}
		}
		q.any = any
		return q, nil
	case opIn:
		list := make([]operand, len(q.list))
		for i, o := range q.list {
			var room [64]byte
			d, err := operandDecimal(room[:0], o)
			if err != nil {
				return q, err
			}
			list[i] = placedDecimal(c, &d)
		}
		q.list = list
		return q, nil
	}
	var room, upper [64]byte
	from, err := operandDecimal(room[:0], q.a)
	if err != nil {
		return q, err
	}
	q.a = placedDecimal(c, &from)
	if q.op != opSpan {
		return q, nil
	}
	to, err := operandDecimal(upper[:0], q.b)
	if err != nil {
		return q, err
	}
	q.b = placedDecimal(c, &to)
	if from.Compare(&to) > 0 { // by the numbers: all that are too large to be stored have one place
		return q, ErrInverted
	}
	return q, nil
}

// placedDecimal is a number as its value is inside; one that could not be stored has its
// place all the same.
func placedDecimal(c *component, d *forms.Decimal) operand {
	var form [64]byte
	return operand{kind: isText, text: string(c.decimal.Append(form[:0], d))}
}

// operandDecimal is a number that is given as text or as an integer.
func operandDecimal(room []byte, o operand) (forms.Decimal, error) {
	switch o.kind {
	case isText:
		d, ok := forms.DecimalText(room, o.text)
		if !ok {
			return d, errNoNumber
		}
		return d, nil
	case isInt:
		if n := int64(o.num); n < 0 {
			return forms.DecimalInt(room, true, -o.num), nil
		}
		fallthrough
	case isUint:
		return forms.DecimalInt(room, false, o.num), nil
	}
	return forms.Decimal{}, ErrType
}

// nullable says why a field cannot be Optional, and what a null of it writes.
func (p *pipeline) nullable(sh forms.Shape) string {
	c := p.c
	switch {
	case !c.optional:
		return ""
	case c.absent:
		return "Optional does not fit what is not stored"
	case sh.Ends == forms.EndWidth && c.frame != frameNul && c.frame != frameEscaped && c.frame != frameBlobVar && !c.last:
		return "Optional does not fit a field of one width, which has no null"
	case p.numeric && c.decimal == forms.NoDecimal, c.frame == frameFixed, c.frame == framePad, c.frame == framePadLeft:
		return "Optional does not fit a field of one width, which has no null"
	case c.last: // a null is always left off
	case c.dialect == inOrderedBytes:
		c.null = []byte{forms.HeadNull ^ c.flip()}
	case c.frame == frameEscaped:
		c.null = []byte{0, 1}
	default:
		c.null = []byte{0} // descending too
	}
	return ""
}

// layNulls finds the components that a key may end with, since nothing but
// nulls follows, and makes their shapes those of all that can stand there.
func (s *schema) layNulls() {
	s.framed = !slices.ContainsFunc(s.comps, func(c component) bool {
		return !c.absent && c.role != roleLiteral && c.role != roleSalt && (c.role != roleField || !c.dialect.framed() || c.mark != nil)
	})
	tail := true
	behind := false // some Optional component stands behind
	for i := len(s.comps) - 1; i >= 0; i-- {
		c := &s.comps[i]
		if c.absent {
			continue
		}
		c.tail = tail
		nul := c.frame == frameNul || c.frame == frameEscaped && !c.endless
		c.trims = tail && behind && c.dialect == inPhoenix && nul && !c.invertAll
		switch {
		case c.optional:
			s.trims = s.trims || tail
			c.shape.Min = len(c.null)
			if tail {
				c.shape.Min = 0
			}
		case c.trims:
			c.shape.Min -= c.endLen()
		}
		if c.optional || c.trims {
			if c.shape.Ends == forms.EndWidth {
				c.shape.Ends = forms.EndSelf
			}
			for _, b := range c.null {
				c.shape.Bytes[b] = true
			}
			if c.shape.Max == c.shape.Min { // of any length, to those who ask
				c.shape.Max++
			}
		}
		behind = behind || c.optional
		tail = tail && c.optional
	}
}

// endLen is the length of the end that trims leaves off.
func (c *component) endLen() int {
	if c.frame == frameEscaped {
		return 2
	}
	return 1
}

// isNull reports that a stored form is that of a null.
func (c *component) isNull(form []byte) bool {
	return c.optional && (len(form) == 0 || string(form) == string(c.null))
}

// extentTail is extent for a component that may be null, or whose end may be
// left off. Nulls at the end of a key are always left off, and so is the end in
// front of them.
func (c *component) extentTail(b []byte) int {
	switch {
	case len(b) == 0 && c.optional && c.tail:
		return 0
	case len(b) == 0:
		return -1
	case c.optional && c.null != nil && bytes.HasPrefix(b, c.null):
		if n := len(c.null); !c.tail || n < len(b) {
			return n
		}
		return -1
	case c.ends == forms.EndLast, c.endless:
		return len(b)
	}
	n := c.extentSelf(b)
	switch {
	case c.trims && n < 0:
		return len(b)
	case c.trims && n == len(b):
		return -1
	}
	return n
}

// trimOf is how many bytes are cut off if the key ends after this form: of a null its
// own bytes, and with them the before bytes that were cut in front of it; of a value
// the end that only nulls follow. apart says that forms of other values sort between
// the key as it is cut and as it would be whole.
func (c *component) trimOf(null bool, before int, wasApart bool) (trim int, apart bool) {
	switch {
	case null && c.tail:
		return before + len(c.null), wasApart || c.nullSide() != below
	case !null && c.trims:
		return c.endLen(), false
	}
	return 0, false
}

// zeroText reports that a null is the empty text to its callers too.
func (c *component) zeroText() bool {
	return c.optional && c.filled && c.decimal == forms.NoDecimal && c.codes == nil
}

// linkNulls adds the steps behind nulls. A step knows what is left off if the
// key ends in front of it, so one that follows a null at the end is a copy of
// the one that follows a value.
func (s *schema) linkNulls() {
	type place struct {
		i, trim int
		apart   bool
	}
	made := map[place]*step{}
	var behind func(p place, base *step) *step
	behind = func(p place, base *step) *step {
		if st := made[p]; st != nil {
			return st
		}
		st := base
		if base.trim != p.trim || base.apart != p.apart {
			other := *base
			other.trim, other.apart, other.done = p.trim, p.apart, 0
			st = &other
		}
		made[p] = st
		switch {
		case st.op == opEnd:
		case st.c.absent:
			st.next = behind(place{p.i + 1, p.trim, p.apart}, &s.steps[p.i+1])
		case st.c.optional:
			next := place{i: p.i + 1}
			next.trim, next.apart = st.c.trimOf(true, p.trim, p.apart)
			st.null = behind(next, &s.steps[p.i+1])
		}
		return st
	}
	for i, c := range s.fields {
		if trim := &s.steps[i+1].trim; c.absent {
			*trim = s.steps[i].trim
		} else {
			*trim, _ = c.trimOf(false, 0, false)
		}
	}
	ends := true
	for i := len(s.fields); i >= 0; i-- {
		st := &s.steps[i]
		ends = ends && (st.op == opEnd || st.c.optional)
		st.ends = ends
	}
	for i := len(s.fields) - 1; i >= 0; i-- {
		st := &s.steps[i]
		behind(place{i, st.trim, st.apart}, st)
	}
}

// nullSide is where the form of a null lies among those of the field's values:
// below them, above them, or within.
func (c *component) nullSide() side {
	switch {
	case c.dialect == inOrderedBytes && c.invertAll:
		return above
	case c.null != nil && c.frame == frameEscaped && c.invertAll: // 0001, and texts from ff ff on begin with 0000
		return within
	}
	return below
}

// withoutNulls is the interval of some values of a field without its nulls: it is
// drawn in where their form lies at an end of it, and two where that lies within.
// A null that is left off is what all forms begin with.
func withoutNulls(c *component, q piece) []piece {
	if c.optional && len(q.lo) == 0 {
		q.lo = []byte{0}
	}
	switch at := c.nullSide(); {
	case c.null == nil:
	case at == above:
		if q.hiOpen {
			q.hi, q.hiBehind, q.hiOpen = c.null, false, false
		}
	case at == below:
		if bytes.Compare(q.lo, c.null) <= 0 || bytes.HasPrefix(q.lo, c.null) {
			q.lo, q.loBehind = c.null, true
		}
	case compareBounds(q.lo, q.loBehind, c.null, true) >= 0, !q.hiOpen && compareBounds(q.hi, q.hiBehind, c.null, false) <= 0:
	case compareBounds(q.lo, q.loBehind, c.null, false) >= 0:
		q.lo, q.loBehind = c.null, true
	case !q.hiOpen && compareBounds(q.hi, q.hiBehind, c.null, true) <= 0:
		q.hi, q.hiBehind = c.null, false
	default:
		front := piece{lo: q.lo, loBehind: q.loBehind, hi: c.null, parted: true}
		q.lo, q.loBehind = c.null, true
		return []piece{front, q}
	}
	return []piece{q}
}

// Phoenix's CHAR(n) is filled up to n bytes with blanks, and SQL takes texts that
// differ in that alone for equal: 'ab ' of CHAR(3) is 'ab', which is what stands
// in the key and what is read back.

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
func (c *component) isChar() bool {
	return c.kind == kindString && c.role == roleField && (c.frame == framePad && c.pad == ' ' || c.frame == frameFixed)
}

// limitChars admits no other bytes in a text than those of the set.
func (c *component) limitChars(set forms.ByteSet) {
	if c.codes != nil {
		return
	}
	if c.chars != nil {
		for i := range set {
			set[i] = set[i] && c.chars[i]
		}
	}
	c.chars, c.limited = &set, true
}

// padEqual reports that texts equal but for their padding are one value. It takes
// a pad below all bytes of values: with another, ab without its padding would sort
// elsewhere than ab with it.
func (c *component) padEqual() bool {
	return c.dialect == inPhoenix && c.frame == framePad && c.isChar() &&
		len(c.stages) == 0 && c.codes == nil && !c.loose && !c.absent
}

// unpadded is a text without the padding at its end.
func unpadded[T string | []byte](c *component, v T) T { return v[:forms.Unpad(v, c.pad)] }

// padCond is a condition whose operands have no padding. What a text begins or
// ends with is taken as it is said.
func padCond(c *component, q Cond) Cond {
	switch q.op {
	case opBegins, opEnds:
		return q
	case opIn:
		list := make([]operand, len(q.list))
		for i, o := range q.list {
			o.text = unpadded(c, o.text)
			list[i] = o
		}
		q.list = list
	case opAnyOf:
		any := make([]Cond, len(q.any))
		for i := range q.any {
			any[i] = padCond(c, q.any[i])
		}
		q.any = any
	}
	inverted := q.a.text > q.b.text
	q.a.text, q.b.text = unpadded(c, q.a.text), unpadded(c, q.b.text)
	if q.op == opSpan && !inverted && q.a.text > q.b.text {
		q.b.text = q.a.text // from "\x1f" to " ": nothing lies between
	}
	return q
}
