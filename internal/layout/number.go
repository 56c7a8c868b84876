package layout

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/clock"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// A number's stage: which numbers a field admits, and the form of internal/form that
// its options give them, with what is known of its bytes.

// number is the compiled number stage: what a field admits, and how it is written.
type number struct {
	Form     forms.Number
	Min, Max uint64 // admitted values; of an Int or a Layout with the sign bit flipped
	Trunc    uint64 // in units; 0: not truncated
}

// headed reports that a byte stands in front of the number.
func (n *number) headed() bool { return forms.Head(n.Form) != 0 }

// Binary reports that the number is written as bytes, not as text.
func (n *number) Binary() bool { return forms.FactsOf(n.Form).Binary }

// plain is the bytes of a number that stands there as it is, but for what it is XORed
// with; false if it does not.
func (n *number) plain() (size int, xor uint64, ok bool) {
	f := forms.FactsOf(n.Form)
	if !f.Word {
		return 0, 0, false
	}
	return n.Form.Width(), f.Xor, true
}

// number compiles the number stage.
func (p *Pipeline) number() (forms.Shape, string) {
	c := p.c
	n := &c.Num
	width := c.Size
	if p.width != 0 {
		width = p.width
	}
	if c.Unit.Err != "" {
		return forms.Shape{}, c.Unit.Err
	}
	if c.Kind == KindTime && c.Unit.Step == 0 {
		return forms.Shape{}, "the zero Unit is invalid"
	}
	lay := c.Unit.Lay != nil
	if problem := p.limits(width); problem != "" {
		return forms.Shape{}, problem
	}
	switch {
	case c.Decimal != forms.NoDecimal:
		n.Form = &forms.Whole{As: c.Decimal, Signed: c.Kind == KindInt}
		c.precision.bound(n, c.Kind == KindInt)
	case p.way != nil:
		p.numberText()
	case lay && p.width == 0:
		n.Form = &forms.Date{Layout: c.Unit.Lay, Desc: p.desc}
	case c.Kind == KindInt:
		p.signed(width)
	default:
		xor := uint64(0)
		switch {
		case p.desc:
			xor = p.top()
			if !lay && !c.Signed {
				n.Max = min(n.Max, xor)
			}
		case c.Signed:
			xor = SignBit64
		}
		p.binary(width, xor)
	}
	if n.Min > n.Max && !lay {
		return forms.Shape{}, "no value is within all limits"
	}
	if p.open() && !p.bounded() {
		return n.Form.Shape(0, math.MaxUint64), ""
	}
	return n.Form.Shape(n.Min, n.Max), ""
}

// limits is which numbers a field admits, by its type and by what was said.
func (p *Pipeline) limits(width int) (problem string) {
	c := p.c
	n := &c.Num
	lay := c.Unit.Lay != nil
	switch {
	case lay:
		problem = p.layout()
	case c.Kind == KindTime:
		problem = p.count(width)
	case c.Kind == KindInt:
		n.Max = SignBit64 + forms.Mask(width)>>1
		n.Min = SignBit64 - forms.Mask(width)>>1 - 1
	default:
		n.Max = forms.Mask(width)
		if c.Dialect == InPhoenix && p.form == "" && c.Decimal == forms.NoDecimal { // Java has no larger one
			n.Max >>= 1
		}
	}
	if problem != "" {
		return problem
	}
	if p.of != nil && !lay && c.Kind != KindTime { // a copy has the values of its source
		n.Min, n.Max = max(n.Min, p.of.Num.Min), min(n.Max, p.of.Num.Max)
	}
	if p.below != 0 {
		top := p.below - 1
		if c.Kind == KindInt || c.Signed {
			n.Min = max(n.Min, SignBit64)
			top = min(top, MaxInt64) + SignBit64
		}
		n.Max = min(n.Max, top)
	}
	return ""
}

// numberText compiles Digits, HexDigits and Decimal. Desc in front of them
// takes the value from the largest of the type; behind them it complements.
func (p *Pipeline) numberText() {
	n := &p.c.Num
	most, xor := p.way.Most(), uint64(0)
	before := p.desc && p.descFirst()
	if before {
		most = p.top()
		xor = most
	}
	if p.c.Kind != KindInt {
		n.Max = min(n.Max, most)
	}
	n.Form = p.way.Number(xor, p.c.Kind == KindInt, p.desc && !before)
}

// bounded reports that the declaration limits the number, not its type alone.
func (p *Pipeline) bounded() bool {
	said := func(c *Component) bool { return c.Below || c.years[0] != 0 }
	return said(p.c) || p.of != nil && said(p.of)
}

// descFirst reports that Desc stands before the option that says how the number is written.
func (p *Pipeline) descFirst() bool {
	for _, o := range p.c.Decl.Opts {
		switch o.Word() {
		case notation.Desc:
			return true
		case p.form:
			return false
		}
	}
	return false
}

// bool compiles a Bool.
func (p *Pipeline) bool() forms.Shape {
	form := &forms.Bool{True: 1}
	if p.c.Hbase {
		form.True = 0xff
	}
	if p.desc {
		form.Xor = 0xff
	}
	p.c.Num = number{Form: form, Max: 1}
	return form.Shape(0, 1)
}

// float compiles a Float.
func (p *Pipeline) float() forms.Shape {
	c := p.c
	form := &forms.Float{Size: c.Size, Head: p.head(forms.FloatHead)}
	c.Num = number{Form: form}
	first := uint64(0)
	switch {
	case c.Hbase:
		form.Raw = true
	case c.Dialect == InPhoenix && c.Unsigned:
		form.Raw, first = true, SignBit64
	case c.Dialect == InPhoenix:
		form.Add = 1
	}
	if p.desc {
		form.Xor = forms.Mask(c.Size)
	}
	return form.Shape(first, math.MaxUint64)
}

// head is OrderedBytes' header of a number, 0 in all else.
func (p *Pipeline) head(of func(size int) byte) byte {
	if p.c.Dialect != InOrderedBytes {
		return 0
	}
	head := of(p.c.Size)
	if p.desc {
		head ^= 0xff
	}
	return head
}

// binary compiles a number in binary: a date's digits, Phoenix's two numbers of a
// TIMESTAMP, or bytes, which have a header in OrderedBytes.
func (p *Pipeline) binary(width int, xor uint64) {
	c := p.c
	switch {
	case c.Unit.Lay != nil:
		c.Num.Form = &forms.DateNum{Layout: c.Unit.Lay, Size: width, Xor: xor}
	case c.Kind == KindTime && c.Dialect == InPhoenix && c.Unit.Step == time.Nanosecond:
		form := &forms.Timestamp{Xor: xor}
		if p.desc {
			form.Rest = forms.Mask(4)
		}
		c.Num.Form = form
	default:
		form := &forms.BigEndian{Size: width, Xor: xor}
		if c.Kind == KindTime {
			form.Head = p.head(forms.IntHead)
		}
		c.Num.Form = form
	}
}

// signed is two's complement with the sign bit flipped, so that negatives sort
// first; HBase leaves it as it is. Desc is the largest of the type − v, which
// is the same exclusive or for both.
func (p *Pipeline) signed(width int) {
	c := p.c
	form := &forms.BigEndian{Size: width, Signed: true, Head: p.head(forms.IntHead)}
	switch {
	case p.desc:
		form.Xor = forms.Mask(width) >> 1
	case !c.Hbase:
		form.Xor = forms.Mask(width) ^ forms.Mask(width)>>1
	}
	c.Num.Form = form
}

const descSigned = "Desc does not fit the decimal text of an Int, which does not sort: leave it out, or say Uint"

// signedMark reports that the separator behind such an Int is made of digits and
// minus signs, which are its own.
func (c *Component) signedMark() bool {
	_, plain := c.Num.Form.(*forms.Plain)
	return c.Kind == KindInt && plain && len(c.Stages) == 0 && strings.Trim(string(c.Mark), "-0123456789") == ""
}

// count compiles a time of whole units.
func (p *Pipeline) count(width int) string {
	c := p.c
	n := &c.Num
	n.Max = min(c.Unit.Last(), forms.Mask(width))
	if c.Signed {
		n.Min, n.Max = SignBit64-n.Max, SignBit64+n.Max
	}
	if c.years[0] != 0 {
		lo, hi := clock.YearStart(c.years[0]), clock.YearStart(c.years[1]+1)
		if hi <= c.Unit.Sec && !c.Signed {
			return "Years ends before the unit's epoch"
		}
		if first, ok := c.Units(lo, 0); ok {
			if sec, nsec := c.Instant(first); sec < lo || sec == lo && nsec < 0 {
				first++ // the step that lo cuts begins before it
			}
			n.Min = c.Rank(first)
		}
		if last, ok := c.Units(hi-1, 999_999_999); ok {
			n.Max = min(n.Max, c.Rank(last))
		}
	}
	if p.truncd != 0 {
		d := p.truncd
		switch {
		case c.Unit.Own != nil:
			return "Truncate does not fit a unit of NewUnit: make the unit as coarse as wanted"
		case d < 0 || d%c.Unit.Step != 0:
			return fmt.Sprintf("Truncate(%v) is not whole units of %v", d, c.Unit.Step)
		case d%time.Second != 0 && d > time.Second && c.Unit.Set, !c.Unit.BeginsAt(d):
			return fmt.Sprintf("Truncate(%v): the unit's epoch is no multiple of it", d)
		}
		n.Trunc = uint64(d / c.Unit.Step)
	}
	return ""
}

// layout compiles a time of text. Its num is the beginning of the step, in
// seconds; its epoch is 1970 in its zone, so that east of UTC some are negative.
func (p *Pipeline) layout() string {
	c := p.c
	n := &c.Num
	l := c.Unit.Lay
	first, last := 1970, 9999
	if c.years[0] != 0 {
		first, last = c.years[0], c.years[1]
	} else if p.of != nil && p.of.years[0] != 0 {
		first, last = p.of.years[0], p.of.years[1]
	}
	settled, problem := l.Settle(clock.YearStart(first), clock.YearStart(last+1))
	if problem != "" {
		return problem
	}
	l = &settled
	c.Unit.Lay = l
	if l.Offset < -clock.MaxOffset || l.Offset > clock.MaxOffset {
		return "zone " + notation.OffsetText(l.Offset) + " is farther from UTC than any"
	}
	lo, hi := -int64(l.Offset), clock.YearStart(10000)-1-int64(l.Offset) // local years of four digits from 1970 on
	if c.years[0] != 0 {
		lo, hi = max(lo, clock.YearStart(first)), min(hi, clock.YearStart(last+1)-1)
	}
	if p.width != 0 {
		most := forms.Mask(p.width)
		if p.desc {
			most >>= 1
		}
		low := lo - 1
		for low < hi { // hi becomes the last second whose number fits
			if mid := low + (hi-low+1)/2; l.Number(mid) <= most {
				low = mid
			} else {
				hi = mid - 1
			}
		}
	}
	if lo > hi {
		return "no value is within all limits"
	}
	n.Min, n.Max = uint64(lo)^SignBit64, uint64(hi)^SignBit64
	return ""
}

// Rank is a num's place in the order of values; unrank undoes it.
func (c *Component) Rank(u uint64) uint64 {
	switch {
	case c.Kind == KindFloat:
		return forms.OrderFloat(u, 8)
	case c.biased():
		return u ^ SignBit64
	}
	return u
}

func (c *Component) Unrank(u uint64) uint64 {
	switch {
	case c.Kind == KindFloat:
		return forms.RawFloat(u, 8)
	case c.biased():
		return u ^ SignBit64
	}
	return u
}

// Side is where a value lies that has no place of its own.
type Side int8

const (
	Below Side = iota - 1
	Within
	Above
)

// Zero has two floats, +0 and −0, which are equal and of which every system keeps
// the one that it is given. A dialect writes and reads what its system does; in a
// schema of no dialect a zero has one form, that of +0. Phoenix's unsigned types
// have no negatives, and −0 is none of them either.
const MinusZero = SignBit64

// TwoZeros reports that −0 is a value of its own in a key.
func (c *Component) TwoZeros() bool {
	return c.Kind == KindFloat && (c.Hbase || c.Dialect.framed()) && !c.Unsigned
}

// FloatNum is a float as a num; false for NaN.
func (c *Component) FloatNum(v float64) (uint64, bool) {
	return c.Zero(math.Float64bits(v)), v == v
}

// Zero is a float's num, of a zero the one that the component has.
func (c *Component) Zero(u uint64) uint64 {
	if u == MinusZero && c.Kind == KindFloat && !c.TwoZeros() {
		return 0
	}
	return u
}

// isFloat reports that a num is one that the component writes.
func (c *Component) isFloat(u uint64) bool {
	f := math.Float64frombits(u)
	return f == f && u == c.Zero(u) && !(c.Unsigned && f < 0)
}

// ErrNaN refuses a float that is none.
var ErrNaN error = &fault.Detail{Text: "NaN is no number", Reason: fault.ErrRange}
