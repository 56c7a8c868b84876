package rowkey

import (
	"fmt"
	"math"
	"strings"
	"time"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// A number's stage: which numbers a field admits, and the form of internal/form that
// its options give them, with what is known of its bytes.

// number is the compiled number stage: what a field admits, and how it is written.
type number struct {
	form     forms.Number
	min, max uint64 // admitted values; of an Int or a Layout with the sign bit flipped
	trunc    uint64 // in units; 0: not truncated
}

// headed reports that a byte stands in front of the number.
func (n *number) headed() bool { return forms.Head(n.form) != 0 }

// binary reports that the number is written as bytes, not as text.
func (n *number) binary() bool { return forms.FactsOf(n.form).Binary }

// plain is the bytes of a number that stands there as it is, but for what it is XORed
// with; false if it does not.
func (n *number) plain() (size int, xor uint64, ok bool) {
	f := forms.FactsOf(n.form)
	if !f.Word {
		return 0, 0, false
	}
	return n.form.Width(), f.Xor, true
}

// number compiles the number stage.
func (p *pipeline) number() (forms.Shape, string) {
	c := p.c
	n := &c.num
	width := c.size
	if p.width != 0 {
		width = p.width
	}
	if c.unit.err != "" {
		return forms.Shape{}, c.unit.err
	}
	if c.kind == kindTime && c.unit.step == 0 {
		return forms.Shape{}, "the zero Unit is invalid"
	}
	lay := c.unit.lay != nil
	if problem := p.limits(width); problem != "" {
		return forms.Shape{}, problem
	}
	switch {
	case c.decimal != forms.NoDecimal:
		n.form = &forms.Whole{As: c.decimal, Signed: c.kind == kindInt}
		c.precision.bound(n, c.kind == kindInt)
	case p.way != nil:
		p.numberText()
	case lay && p.width == 0:
		n.form = &forms.Date{Layout: c.unit.lay, Desc: p.desc}
	case c.kind == kindInt:
		p.signed(width)
	default:
		xor := uint64(0)
		switch {
		case p.desc:
			xor = p.top()
			if !lay && !c.signed {
				n.max = min(n.max, xor)
			}
		case c.signed:
			xor = signBit64
		}
		p.binary(width, xor)
	}
	if n.min > n.max && !lay {
		return forms.Shape{}, "no value is within all limits"
	}
	if p.open() && !p.bounded() {
		return n.form.Shape(0, math.MaxUint64), ""
	}
	return n.form.Shape(n.min, n.max), ""
}

// limits is which numbers a field admits, by its type and by what was said.
func (p *pipeline) limits(width int) (problem string) {
	c := p.c
	n := &c.num
	lay := c.unit.lay != nil
	switch {
	case lay:
		problem = p.layout()
	case c.kind == kindTime:
		problem = p.count(width)
	case c.kind == kindInt:
		n.max = signBit64 + forms.Mask(width)>>1
		n.min = signBit64 - forms.Mask(width)>>1 - 1
	default:
		n.max = forms.Mask(width)
		if c.dialect == inPhoenix && p.form == "" && c.decimal == forms.NoDecimal { // Java has no larger one
			n.max >>= 1
		}
	}
	if problem != "" {
		return problem
	}
	if p.of != nil && !lay && c.kind != kindTime { // a copy has the values of its source
		n.min, n.max = max(n.min, p.of.num.min), min(n.max, p.of.num.max)
	}
	if p.below != 0 {
		top := p.below - 1
		if c.kind == kindInt || c.signed {
			n.min = max(n.min, signBit64)
			top = min(top, maxInt64) + signBit64
		}
		n.max = min(n.max, top)
	}
	return ""
}

// numberText compiles Digits, HexDigits and Decimal. Desc in front of them
// takes the value from the largest of the type; behind them it complements.
func (p *pipeline) numberText() {
	n := &p.c.num
	most, xor := p.way.Most(), uint64(0)
	before := p.desc && p.descFirst()
	if before {
		most = p.top()
		xor = most
	}
	if p.c.kind != kindInt {
		n.max = min(n.max, most)
	}
	n.form = p.way.Number(xor, p.c.kind == kindInt, p.desc && !before)
}

// bounded reports that the declaration limits the number, not its type alone.
func (p *pipeline) bounded() bool {
	said := func(c *component) bool { return c.below || c.years[0] != 0 }
	return said(p.c) || p.of != nil && said(p.of)
}

// descFirst reports that Desc stands before the option that says how the number is written.
func (p *pipeline) descFirst() bool {
	for _, o := range p.c.decl.opts {
		switch o.word() {
		case notation.Desc:
			return true
		case p.form:
			return false
		}
	}
	return false
}

// bool compiles a Bool.
func (p *pipeline) bool() forms.Shape {
	form := &forms.Bool{True: 1}
	if p.c.hbase {
		form.True = 0xff
	}
	if p.desc {
		form.Xor = 0xff
	}
	p.c.num = number{form: form, max: 1}
	return form.Shape(0, 1)
}

// float compiles a Float.
func (p *pipeline) float() forms.Shape {
	c := p.c
	form := &forms.Float{Size: c.size, Head: p.head(forms.FloatHead)}
	c.num = number{form: form}
	first := uint64(0)
	switch {
	case c.hbase:
		form.Raw = true
	case c.dialect == inPhoenix && c.unsigned:
		form.Raw, first = true, signBit64
	case c.dialect == inPhoenix:
		form.Add = 1
	}
	if p.desc {
		form.Xor = forms.Mask(c.size)
	}
	return form.Shape(first, math.MaxUint64)
}

// head is OrderedBytes' header of a number, 0 in all else.
func (p *pipeline) head(of func(size int) byte) byte {
	if p.c.dialect != inOrderedBytes {
		return 0
	}
	head := of(p.c.size)
	if p.desc {
		head ^= 0xff
	}
	return head
}

// binary compiles a number in binary: a date's digits, Phoenix's two numbers of a
// TIMESTAMP, or bytes, which have a header in OrderedBytes.
func (p *pipeline) binary(width int, xor uint64) {
	c := p.c
	switch {
	case c.unit.lay != nil:
		c.num.form = &forms.DateNum{Layout: c.unit.lay, Size: width, Xor: xor}
	case c.kind == kindTime && c.dialect == inPhoenix && c.unit.step == time.Nanosecond:
		form := &forms.Timestamp{Xor: xor}
		if p.desc {
			form.Rest = forms.Mask(4)
		}
		c.num.form = form
	default:
		form := &forms.BigEndian{Size: width, Xor: xor}
		if c.kind == kindTime {
			form.Head = p.head(forms.IntHead)
		}
		c.num.form = form
	}
}

// signed is two's complement with the sign bit flipped, so that negatives sort
// first; HBase leaves it as it is. Desc is the largest of the type − v, which
// is the same exclusive or for both.
func (p *pipeline) signed(width int) {
	c := p.c
	form := &forms.BigEndian{Size: width, Signed: true, Head: p.head(forms.IntHead)}
	switch {
	case p.desc:
		form.Xor = forms.Mask(width) >> 1
	case !c.hbase:
		form.Xor = forms.Mask(width) ^ forms.Mask(width)>>1
	}
	c.num.form = form
}

const descSigned = "Desc does not fit the decimal text of an Int, which does not sort: leave it out, or say Uint"

// signedMark reports that the separator behind such an Int is made of digits and
// minus signs, which are its own.
func (c *component) signedMark() bool {
	_, plain := c.num.form.(*forms.Plain)
	return c.kind == kindInt && plain && len(c.stages) == 0 && strings.Trim(string(c.mark), "-0123456789") == ""
}

// count compiles a time of whole units.
func (p *pipeline) count(width int) string {
	c := p.c
	n := &c.num
	n.max = min(c.unit.last(), forms.Mask(width))
	if c.signed {
		n.min, n.max = signBit64-n.max, signBit64+n.max
	}
	if c.years[0] != 0 {
		lo, hi := yearStart(c.years[0]), yearStart(c.years[1]+1)
		if hi <= c.unit.sec && !c.signed {
			return "Years ends before the unit's epoch"
		}
		if first, ok := c.units(lo, 0); ok {
			if sec, nsec := c.instant(first); sec < lo || sec == lo && nsec < 0 {
				first++ // the step that lo cuts begins before it
			}
			n.min = c.rank(first)
		}
		if last, ok := c.units(hi-1, 999_999_999); ok {
			n.max = min(n.max, c.rank(last))
		}
	}
	if p.truncd != 0 {
		d := p.truncd
		switch {
		case c.unit.own != nil:
			return "Truncate does not fit a unit of NewUnit: make the unit as coarse as wanted"
		case d < 0 || d%c.unit.step != 0:
			return fmt.Sprintf("Truncate(%v) is not whole units of %v", d, c.unit.step)
		case d%time.Second != 0 && d > time.Second && c.unit.set, !c.unit.beginsAt(d):
			return fmt.Sprintf("Truncate(%v): the unit's epoch is no multiple of it", d)
		}
		n.trunc = uint64(d / c.unit.step)
	}
	return ""
}

// layout compiles a time of text. Its num is the beginning of the step, in
// seconds; its epoch is 1970 in its zone, so that east of UTC some are negative.
func (p *pipeline) layout() string {
	c := p.c
	n := &c.num
	l := c.unit.lay
	first, last := 1970, 9999
	if c.years[0] != 0 {
		first, last = c.years[0], c.years[1]
	} else if p.of != nil && p.of.years[0] != 0 {
		first, last = p.of.years[0], p.of.years[1]
	}
	settled, problem := l.Settle(yearStart(first), yearStart(last+1))
	if problem != "" {
		return problem
	}
	l = &settled
	c.unit.lay = l
	if l.Offset < -maxOffset || l.Offset > maxOffset {
		return "zone " + notation.OffsetText(l.Offset) + " is farther from UTC than any"
	}
	lo, hi := -int64(l.Offset), yearStart(10000)-1-int64(l.Offset) // local years of four digits from 1970 on
	if c.years[0] != 0 {
		lo, hi = max(lo, yearStart(first)), min(hi, yearStart(last+1)-1)
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
	n.min, n.max = uint64(lo)^signBit64, uint64(hi)^signBit64
	return ""
}
