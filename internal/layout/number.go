package layout

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/clock"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// This file compiles number fields: which numbers a field takes, and in which form of
// internal/form its options write them.

// number says which numbers a field takes, and how it writes them.
type number struct {
	Form     forms.Number
	Min, Max uint64 // the limits, as Rank: for an Int or a Layout with the sign bit flipped
	Trunc    uint64 // Truncate in units; 0: not set
}

// Binary reports that the number is written as bytes, not as text.
func (n *number) Binary() bool { return forms.FactsOf(n.Form).Binary }

// number compiles the limits and the form of a number, and gives the shape of its forms.
func (p *Pipeline) number() (forms.Shape, string) {
	c := p.c
	n := &c.Num
	width := cmp.Or(p.width, c.Size)
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
		c.Precision.bound(n, c.Kind == KindInt)
	case p.form != "":
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
	if n.Min > n.Max && !lay || n.Trunc > 1 && c.Raised(c.Unrank(n.Min))-c.Unrank(n.Min) > n.Max-n.Min {
		return forms.Shape{}, "no value is within all limits"
	}
	if p.open() && !p.bounded() {
		return n.Form.Shape(0, math.MaxUint64), ""
	}
	return n.Form.Shape(n.Min, n.Max), ""
}

// limits sets n.Min and n.Max by the type and by the options.
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

// numberText compiles a number that an option writes in its own way (p.way), such as Digits.
// With Desc before that option, the largest number of the type minus the value is written;
// with Desc after it, the digits are complemented. 42 in 2 bytes:
//
//	Desc, Digits(5)    65493   36 35 34 39 33
//	Digits(5), Desc    99957   39 39 39 35 37
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

// bounded reports that Below or Years limits the number, not only its type.
func (p *Pipeline) bounded() bool {
	said := func(c *Component) bool { return c.Below || c.Years[0] != 0 }
	return said(p.c) || p.of != nil && said(p.of)
}

// descFirst reports that Desc stands before the option p.form.
func (p *Pipeline) descFirst() bool {
	opts := p.c.Decl.Opts
	first := slices.IndexFunc(opts, func(o Option) bool { return o.Word() == notation.Desc || o.Word() == p.form })
	return first >= 0 && opts[first].Word() == notation.Desc
}

// bool compiles a Bool.
func (p *Pipeline) bool() forms.Shape {
	form := &forms.Bool{True: 1}
	if p.c.Dialect == InHBase {
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
	form := &forms.Float{BigEndian: forms.BigEndian{Size: c.Size, Head: p.head(&forms.FloatHeads)}}
	c.Num = number{Form: form}
	first := uint64(0)
	switch {
	case c.Dialect == InHBase:
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

// head is the header of a number in OrderedBytes, XOR ff if descending: 2b or d4 for an Int
// of 4 bytes. In other dialects it is 0: no header.
func (p *Pipeline) head(of *[9]byte) byte {
	if p.c.Dialect != InOrderedBytes {
		return 0
	}
	head := of[p.c.Size]
	if p.desc {
		head ^= 0xff
	}
	return head
}

// binary compiles a number in bytes: a date as a number, a TIMESTAMP of Phoenix, or plain
// big-endian bytes.
func (p *Pipeline) binary(width int, xor uint64) {
	c := p.c
	switch {
	case c.Unit.Lay != nil:
		c.Num.Form = &forms.DateNum{Layout: c.Unit.Lay, BigEndian: forms.BigEndian{Size: width, Xor: xor}}
	case c.Kind == KindTime && c.Dialect == InPhoenix && c.Unit.Step == time.Nanosecond:
		form := &forms.Timestamp{Xor: xor}
		if p.desc {
			form.Rest = forms.Mask(4)
		}
		c.Num.Form = form
	default:
		form := &forms.BigEndian{Size: width, Xor: xor}
		if c.Kind == KindTime {
			form.Head = p.head(&forms.IntHeads)
		}
		c.Num.Form = form
	}
}

// signed compiles an Int in bytes: two's complement with the sign bit flipped, so that
// negative numbers sort first. HBase does not flip it. Desc writes the largest number of
// the type minus the value, in both cases the same XOR. −2 in two bytes:
//
//	               7f fe
//	HBase          ff fe
//	Desc           80 01
func (p *Pipeline) signed(width int) {
	c := p.c
	form := &forms.BigEndian{Size: width, Signed: true, Head: p.head(&forms.IntHeads)}
	switch {
	case p.desc:
		form.Xor = forms.Mask(width) >> 1
	case c.Dialect != InHBase:
		form.Xor = forms.Mask(width) ^ forms.Mask(width)>>1
	}
	c.Num.Form = form
}

const descSigned = "Desc does not fit the decimal text of an Int, which does not sort: leave it out, or say Uint"

// signedMark reports that the separator after an Int in decimal text consists of digits and
// minus signs only, which the text itself can hold.
func (c *Component) signedMark() bool {
	_, plain := c.Num.Form.(*forms.Plain)
	return c.Kind == KindInt && plain && len(c.Stages) == 0 && strings.Trim(string(c.Mark), "-0123456789") == ""
}

// count compiles the limits of a time in whole units.
func (p *Pipeline) count(width int) string {
	c := p.c
	n := &c.Num
	n.Max = min(c.Unit.Last(), forms.Mask(width))
	if c.Signed {
		n.Min, n.Max = SignBit64-n.Max, SignBit64+n.Max
	}
	if c.Years[0] != 0 {
		lo, hi := clock.YearStart(c.Years[0]), clock.YearStart(c.Years[1]+1)
		if hi <= c.Unit.Sec && !c.Signed {
			return "Years ends before the unit's epoch"
		}
		if first, ok := Units(&c.Unit, c.Signed, lo, 0); ok {
			if sec, nsec := c.Instant(first); sec < lo || sec == lo && nsec < 0 {
				first++ // this step begins before lo
			}
			n.Min = c.Rank(first)
		}
		if last, ok := Units(&c.Unit, c.Signed, hi-1, 999_999_999); ok {
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

// layout compiles the limits of a time with a Layout. Its value is the beginning of the
// step in seconds since 1970 UTC. The first step is 1970-01-01 in the layout's zone, so
// east of UTC the first values are negative.
func (p *Pipeline) layout() string {
	c := p.c
	n := &c.Num
	l := c.Unit.Lay
	first, last := 1970, 9999
	if c.Years[0] != 0 {
		first, last = c.Years[0], c.Years[1]
	} else if p.of != nil && p.of.Years[0] != 0 {
		first, last = p.of.Years[0], p.of.Years[1]
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
	if c.Years[0] != 0 {
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

// Units is the number of whole steps from the epoch of a unit to an instant, rounded
// down. It is false if the instant is too far away, or before the epoch of a time that is
// not signed.
func Units(unit *clock.Unit, signed bool, sec, nsec int64) (uint64, bool) {
	if n, ok := unit.Count(sec, nsec); ok || !signed || sec < -clock.MaxSeconds {
		return n, ok
	}
	// Mirror the instant at the epoch: −1.5 steps rounded down is −2, and 1.5 rounded up is 2.
	sec, nsec = unit.Mirror(sec, nsec)
	n, ok := unit.Count(sec, nsec)
	if s, ns := unit.Instant(n); ok && (s != sec || ns != nsec) {
		n++
	}
	return -n, ok && n != 0 && n <= unit.Last()
}

// SettleNum rounds a time down to a multiple of Truncate, if that option is set. It is
// false if there is no such time.
func (c *Component) SettleNum(u uint64) (uint64, bool) {
	n := u - c.Beyond(u)
	return n, !c.Signed || int64(n) <= int64(u)
}

// Beyond is the remainder of a time by Truncate, if that option is set: how many units it lies after a multiple.
func (c *Component) Beyond(u uint64) uint64 {
	switch {
	case c.Num.Trunc <= 1:
		return 0
	case c.Signed:
		return uint64(forms.Mod(int64(u), int64(c.Num.Trunc)))
	}
	return u % c.Num.Trunc
}

// Raised is a time rounded up to a multiple of Truncate: what lies before the first multiple has none to
// be rounded down to.
func (c *Component) Raised(u uint64) uint64 {
	if r := c.Beyond(u); r != 0 {
		u += c.Num.Trunc - r
	}
	return u
}

// TimeNum is an instant as the value of the field, rounded down to its unit and to Truncate.
func (c *Component) TimeNum(sec, nsec int64) (uint64, bool) {
	if c.Unit.Lay != nil {
		return uint64(c.Unit.Lay.Floor(sec)), sec >= -clock.MaxOffset && sec <= clock.MaxSeconds
	}
	n, ok := Units(&c.Unit, c.Signed, sec, nsec)
	n, settled := c.SettleNum(n)
	return n, ok && settled
}

// Instant is the instant, in seconds and nanoseconds since 1970, of the value u of a Time.
func (c *Component) Instant(u uint64) (sec, nsec int64) {
	switch {
	case c.Unit.Lay != nil:
		return int64(u), 0
	case c.Signed && int64(u) < 0:
		return c.Unit.Mirror(c.Unit.Instant(-u))
	}
	return c.Unit.Instant(u)
}

// Biased reports that a value is a signed number. Its limits in Num and its Rank have the sign bit flipped: of
// −2 it is 7ffffffffffffffe.
func (c *Component) Biased() bool { return c.Kind == KindInt || c.Unit.Lay != nil || c.Signed }

// Rank maps a value to a number that sorts as the values of this kind do: of the Int −2 it
// is 7ffffffffffffffe, of the Float −1.5 4007ffffffffffff. Unrank undoes it.
func (c *Component) Rank(u uint64) uint64 {
	switch {
	case c.Kind == KindFloat:
		return forms.OrderFloat(u, 8)
	case c.Biased():
		return u ^ SignBit64
	}
	return u
}

// Unrank undoes Rank.
func (c *Component) Unrank(u uint64) uint64 {
	if c.Kind == KindFloat {
		return forms.RawFloat(u, 8)
	}
	return c.Rank(u)
}

// Side is where something lies among the values of a field.
type Side int8

const (
	Below Side = iota - 1
	Within
	Above
)

// MinusZero is the bits of the float −0. +0 and −0 are equal, but HBase, OrderedBytes and
// Phoenix store them as two values, and so does a field of these dialects: in OrderedBytes
// −0 is 31 7f ff ff ff ff ff ff ff. A field without a dialect writes −0 as +0. So do
// Phoenix's unsigned types, which have no negative numbers.
const MinusZero = SignBit64

// TwoZeros reports that −0 is a value of its own in a key.
func (c *Component) TwoZeros() bool {
	return c.Kind == KindFloat && (c.Dialect == InHBase || c.Dialect.framed()) && !c.Unsigned
}

// FloatNum is a float as the value of the field; false for NaN.
func (c *Component) FloatNum(v float64) (uint64, bool) {
	return c.Zero(math.Float64bits(v)), v == v
}

// Zero is u, but +0 for −0 if the field does not store −0 (see TwoZeros).
func (c *Component) Zero(u uint64) uint64 {
	if u == MinusZero && c.Kind == KindFloat && !c.TwoZeros() {
		return 0
	}
	return u
}

// TakesFloat reports that the field can hold the float with the bits u.
func (c *Component) TakesFloat(u uint64) bool {
	f := math.Float64frombits(u)
	return f == f && u == c.Zero(u) && !(c.Unsigned && f < 0)
}

// ErrNaN is the error of a NaN.
var ErrNaN error = &fault.Detail{Text: "NaN is no number", Reason: fault.ErrRange}
