package query

import (
	"math"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/clock"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// SpanLeft gives the span of the numbers from lo to hi, moved in to values that the field
// can have. False if some is false or if the span holds no such value.
func SpanLeft(c *layout.Component, lo, hi uint64, some bool) (Numbers, bool) {
	if !some || lo > hi {
		return Numbers{}, false
	}
	return SnapSpan(c, Numbers{lo, hi})
}

// Numbers is a span of numbers, both ends included. Each end is a place: a uint64 that
// sorts as the field's values do. A Uint is its own place. An Int and a Layout have the
// sign bit flipped: −1 is 7f ff ff ff ff ff ff ff, and 0 is 80 00 00 00 00 00 00 00. A
// Float has the bits that forms.OrderFloat gives: 0 is 80 00 00 00 00 00 00 00.
type Numbers struct{ Lo, Hi uint64 }

// DomainOf gives the span of all numbers that a field can hold.
func DomainOf(c *layout.Component) Numbers {
	switch c.Kind {
	case layout.KindFloat:
		least := math.Inf(-1)
		if c.Unsigned {
			least = 0
		}
		return Numbers{forms.OrderFloat(math.Float64bits(least), 8), forms.OrderFloat(math.Float64bits(math.Inf(1)), 8)}
	case layout.KindBool:
		return Numbers{0, 1}
	}
	return Numbers{c.Num.Min, c.Num.Max}
}

// place is where an operand lies among the numbers of a field: from the first to the last number that
// is equal to it. They differ for zero alone, of which some fields store two.
type place struct {
	first, last uint64
	at          layout.Side // Below or Above all numbers that a field of its kind can have: then first and last are 0
	coarse      bool        // the operand is a time finer than the field's unit: the place is that of the unit that holds it
}

// placeOperand gives the place of an operand among the numbers of a field.
func placeOperand(c *layout.Component, o *Operand) (p place, err error) {
	switch {
	case (c.Kind == layout.KindUint || c.Kind == layout.KindInt) && (o.Kind == IsInt || o.Kind == IsUint):
		p.first, p.at = placeInteger(c, o)
	case c.Kind == layout.KindTime && o.Kind == isTime:
		p.first, p.at, p.coarse, err = placeTime(c, int64(o.Num), int64(o.nsec))
	case c.Kind == layout.KindFloat && o.Kind == IsFloat:
		u, ok := c.FloatNum(math.Float64frombits(o.Num))
		if !ok {
			return p, layout.ErrNaN
		}
		p.first, p.last = equalNums(c, forms.OrderFloat(u, 8))
		return p, nil
	case c.Kind == layout.KindBool && o.Kind == IsBool:
		p.first = o.Num
	case c.Kind == layout.KindTime && (o.Kind == IsInt || o.Kind == IsUint):
		return p, errTimeAsked
	default:
		return p, o.misfit(c)
	}
	p.last = p.first
	return p, err
}

// placeInteger is placeOperand for a whole number. Among the numbers of an Int, 5 has the place
// 8000000000000005, and −1 the place 7fffffffffffffff.
func placeInteger(c *layout.Component, o *Operand) (u uint64, at layout.Side) {
	switch {
	case c.Kind == layout.KindInt && o.Kind == IsUint && o.Num > layout.MaxInt64:
		return 0, layout.Above
	case c.Kind == layout.KindInt:
		return o.Num ^ layout.SignBit64, layout.Within
	case o.Kind == IsInt && int64(o.Num) < 0:
		return 0, layout.Below
	}
	return o.Num, layout.Within
}

// placeTime is placeOperand for an instant. In a field of seconds, 12:00:00.5 has the place
// of 12:00:00, and coarse is true.
func placeTime(c *layout.Component, sec, nsec int64) (u uint64, at layout.Side, coarse bool, err error) {
	if sec > clock.MaxSeconds {
		return 0, layout.Above, false, nil
	}
	if l := c.Unit.Lay; l != nil {
		switch {
		case sec < -clock.MaxOffset:
			return 0, layout.Below, false, nil
		case sec > clock.YearStart(10001):
			return 0, layout.Above, false, nil
		}
		floor := l.Floor(sec)
		return uint64(floor) ^ layout.SignBit64, layout.Within, floor != sec || nsec != 0, nil
	}
	if err := c.Unit.Fault(sec, nsec); err != nil {
		return 0, layout.Within, false, err
	}
	n, ok := layout.Units(&c.Unit, c.Signed, sec, nsec)
	if !ok {
		if sec < c.Unit.Sec || sec == c.Unit.Sec && nsec < c.Unit.Nsec {
			return 0, layout.Below, false, nil
		}
		return 0, layout.Above, false, nil
	}
	if n, ok = c.SettleNum(n); !ok {
		return 0, layout.Below, false, nil
	}
	s, ns := c.Instant(n)
	return c.Rank(n), layout.Within, s != sec || ns != nsec, nil
}

// numTerm appends to spans the numbers that satisfy one condition. coarse is true if the
// condition names a time finer than the field's unit.
func numTerm(c *layout.Component, spans []Numbers, q *Cond) (_ []Numbers, coarse bool, err error) {
	d := DomainOf(c)
	switch {
	case ops[q.Op].low || ops[q.Op].high:
		sp, coarse, some, err := q.span(c)
		if some {
			spans = append(spans, sp)
		}
		return spans, coarse, err
	case q.Op == OpIn:
		return q.numsIn(c, spans)
	case q.Op == OpNotEq:
		p, err := placeOperand(c, &q.A)
		if err != nil {
			return nil, false, err
		}
		coarse = p.coarse
		if p.at != layout.Within || p.coarse || p.last < d.Lo || p.first > d.Hi {
			return append(spans, d), coarse, nil
		}
		if p.first > d.Lo {
			spans = append(spans, Numbers{d.Lo, p.first - 1})
		}
		if p.last < d.Hi {
			spans = append(spans, Numbers{p.last + 1, d.Hi})
		}
	case q.Op == OpNull:
	case q.Op == OpNotNull:
		spans = append(spans, d)
	case q.Op == OpBegins:
		return nil, false, c.Mistyped("a Prefix was given")
	case q.Op == OpEnds:
		return nil, false, c.Mistyped("a Suffix was given")
	default:
		return nil, false, fault.ErrType
	}
	return JoinNums(spans), coarse, nil
}

// numsIn is numTerm for In: many places are sorted, and spans are made of them then.
func (q *Cond) numsIn(c *layout.Component, spans []Numbers) (_ []Numbers, coarse bool, err error) {
	var few [fewSorted]uint64
	d, nums := DomainOf(c), few[:0]
	if len(q.List) > len(few) {
		nums = make([]uint64, 0, len(q.List))
	}
	for i := range q.List {
		p, err := placeOperand(c, &q.List[i])
		if err != nil {
			return nil, false, err
		}
		coarse = coarse || p.coarse
		if lo, hi := max(p.first, d.Lo), min(p.last, d.Hi); p.at == layout.Within && lo <= hi {
			if nums = append(nums, lo); lo < hi { // the two zeros of a float, which follow each other
				nums = append(nums, hi)
			}
		}
	}
	if len(nums) < fewSorted {
		slices.Sort(nums)
	} else {
		nums = bound.SortedNumbers(nums, func(n uint64) uint64 { return n })
	}
	spans = slices.Grow(spans, len(nums))
	for _, n := range nums {
		if last := len(spans) - 1; last >= 0 && n-spans[last].Hi <= 1 {
			spans[last].Hi = n
		} else {
			spans = append(spans, Numbers{n, n})
		}
	}
	return spans, coarse, nil
}

// span is the numbers that a condition with ends admits. some is false if there are none. coarse is
// true if an end is finer than the field's unit.
func (q *Cond) span(c *layout.Component) (sp Numbers, coarse, some bool, err error) {
	d := DomainOf(c)
	sp, some = d, true
	op := &ops[q.Op]
	if op.low {
		p, err := placeOperand(c, &q.A)
		if err != nil {
			return sp, false, false, err
		}
		coarse = p.coarse
		switch {
		case p.at != layout.Within:
			some = p.at == layout.Below && q.Op != OpEq
		case q.Op == OpMoreThan && !p.coarse:
			sp.Lo, some = p.last+1, p.last != math.MaxUint64
		case q.Op == OpEq:
			sp = Numbers{p.first, p.last}
		case q.Op == OpSpan, q.Op == OpAtLeast, q.Op == OpMoreThan:
			sp.Lo = p.first
		}
	}
	if op.high && q.Op != OpEq {
		o := &q.A
		if q.Op == OpSpan {
			o = &q.B
		}
		p, err := placeOperand(c, o)
		if err == nil && q.Op == OpSpan && o.below(&q.A) {
			err = fault.ErrInverted
		}
		if err != nil {
			return sp, false, false, err
		}
		coarse = coarse || p.coarse
		switch {
		case p.at != layout.Within:
			some = some && p.at == layout.Above
		case q.Op == OpAtMost, p.coarse:
			sp.Hi = p.last
		case q.Op == OpSpan, q.Op == OpLessThan:
			sp.Hi, some = p.first-1, some && p.first != 0
		}
	}
	sp.Lo, sp.Hi = max(sp.Lo, d.Lo), min(sp.Hi, d.Hi)
	return sp, coarse, some && sp.Lo <= sp.Hi && (q.Op != OpSpan || q.A != q.B), nil
}

// fewSorted is from how many numbers on they are sorted byte by byte.
const fewSorted = 128

// JoinNums sorts spans, and joins spans that overlap or touch: [4, 6] and [1, 3] become
// [1, 6].
func JoinNums(spans []Numbers) []Numbers {
	if len(spans) < 2 {
		return spans
	}
	spans = bound.SortedNumbers(spans, func(n Numbers) uint64 { return n.Lo })
	out := spans[:1]
	for _, s := range spans[1:] {
		if last := &out[len(out)-1]; last.Hi == math.MaxUint64 || s.Lo <= last.Hi+1 {
			last.Hi = max(last.Hi, s.Hi)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// meetNums appends the numbers that are both in a and in b: of [1, 5] and [4, 8] they are
// [4, 5]. The spans of a and of b are sorted.
func meetNums(out, a, b []Numbers) []Numbers {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		lo, hi := max(a[i].Lo, b[j].Lo), min(a[i].Hi, b[j].Hi)
		if lo <= hi {
			out = append(out, Numbers{lo, hi})
		}
		if a[i].Hi < b[j].Hi {
			i++
		} else {
			j++
		}
	}
	return out
}

// equalNums gives the first and the last place of all floats that are equal to the float at
// u. They differ for zero alone, and only if the field stores two zeros: −0 has the place
// 7f ff ff ff ff ff ff ff, and +0 the next one, 80 00 00 00 00 00 00 00.
func equalNums(c *layout.Component, u uint64) (first, last uint64) {
	plus := forms.OrderFloat(0, 8)
	if c.TwoZeros() && (u == plus || u == plus-1) {
		return plus - 1, plus
	}
	return u, u
}

// nextFloat gives the next place after u that a float of the field can have. After −0 it is
// the place of +0. False if u is the place of +Inf, which has no next one.
func nextFloat(c *layout.Component, u uint64) (uint64, bool) {
	f := math.Float64frombits(forms.RawFloat(u, 8))
	switch minus := f == 0 && math.Signbit(f); {
	case minus:
		f = 0
	case c.Size == 4:
		f = float64(math.Nextafter32(float32(f), float32(math.Inf(1))))
	default:
		f = math.Nextafter(f, math.Inf(1))
	}
	return forms.OrderFloat(c.Zero(math.Float64bits(f)), 8), u != forms.OrderFloat(math.Float64bits(math.Inf(1)), 8)
}

// snapFloat moves the ends of a span in to floats that the field can store. 0.1 is no
// 4-byte float: as a lower end it becomes 3d cc cc cd, the next float32 above; as an upper
// end 3d cc cc cc, the next below. An upper end of −0 becomes the largest float below zero
// if the field does not store two zeros.
func snapFloat(c *layout.Component, sp Numbers) Numbers {
	lo, hi := math.Float64frombits(forms.RawFloat(sp.Lo, 8)), math.Float64frombits(forms.RawFloat(sp.Hi, 8))
	if c.Size == 4 {
		low, high := float32(lo), float32(hi)
		if float64(low) < lo {
			low = math.Nextafter32(low, float32(math.Inf(1)))
		}
		if float64(high) > hi {
			high = math.Nextafter32(high, float32(math.Inf(-1)))
		}
		lo, hi = float64(low), float64(high)
	}
	if hi == 0 && math.Signbit(hi) && !c.TwoZeros() {
		hi = -math.SmallestNonzeroFloat64
		if c.Size == 4 {
			hi = -math.SmallestNonzeroFloat32
		}
	}
	return Numbers{forms.OrderFloat(c.Zero(math.Float64bits(lo)), 8), forms.OrderFloat(math.Float64bits(hi), 8)}
}

// errTimeAsked refuses an integer as the value of a time.
var errTimeAsked error = &fault.Detail{Text: "a time is a time.Time, as time.UnixMilli makes of milliseconds", Reason: fault.ErrType}

// ValuesOf appends to out all numbers in some spans that the field can hold. If there are
// more than n, it appends none and gives false.
func ValuesOf(c *layout.Component, out []layout.Val, spans []Numbers, n int) ([]layout.Val, bool) {
	before := len(out)
	out = slices.Grow(out, min(len(spans), n))
	for _, sp := range spans {
		sp, ok := SnapSpan(c, sp)
		if ok && sp.Hi-sp.Lo > uint64(n) && isLong(c, sp, n) {
			return out[:before], false
		}
		for u := sp.Lo; ok; {
			if len(out)-before == n {
				return out[:before], false
			}
			out = append(out, layout.Val{Ok: true}) // with the number it is copied a second time
			if out[len(out)-1].Num = c.Unrank(u); u == sp.Hi {
				break
			}
			next, more := nextNum(c, u)
			if ok = more && next <= sp.Hi; ok {
				u = next
			}
		}
	}
	return out, true
}

// isLong reports that a span holds more than n values, without a list of them. False if it is not sure.
func isLong(c *layout.Component, sp Numbers, n int) bool {
	step := max(1, c.Num.Trunc)
	switch {
	case c.Unit.Lay != nil:
		step = uint64(c.Unit.Lay.Longest())
	case c.Kind == layout.KindFloat && c.Size == 4: // the places of float32s do not lie at one distance
		narrow := func(u uint64) uint64 {
			f := float32(math.Float64frombits(forms.RawFloat(u, 8)))
			return forms.OrderFloat(uint64(math.Float32bits(f)), 4)
		}
		sp = Numbers{narrow(sp.Lo), narrow(sp.Hi)}
	}
	return (sp.Hi-sp.Lo)/step > uint64(n)+2 // 2: an end between two values counts as a value, and zero may count twice
}

// nextNum gives the next place after u that a value of the field can have. With Truncate to
// 60 the place after 120 is 180. False if there is none.
func nextNum(c *layout.Component, u uint64) (uint64, bool) {
	switch {
	case c.Unit.Lay != nil:
		return uint64(c.Unit.Lay.Next(int64(u^layout.SignBit64))) ^ layout.SignBit64, true
	case c.Kind == layout.KindFloat:
		return nextFloat(c, u)
	case c.Num.Trunc > 1:
		return u + c.Num.Trunc, u <= math.MaxUint64-c.Num.Trunc
	}
	return u + 1, u != math.MaxUint64
}

// SnapSpan moves the ends of a span in to places that the field's values can have. With
// Truncate to 60 the span [61, 200] becomes [120, 180]. False if no value is left.
func SnapSpan(c *layout.Component, sp Numbers) (Numbers, bool) {
	switch {
	case c.Unit.Lay != nil:
		l := c.Unit.Lay
		if sec := int64(sp.Lo ^ layout.SignBit64); l.Floor(sec) != sec {
			sp.Lo = uint64(l.Next(l.Floor(sec))) ^ layout.SignBit64
		}
		sp.Hi = uint64(l.Floor(int64(sp.Hi^layout.SignBit64))) ^ layout.SignBit64
	case c.Kind == layout.KindFloat:
		sp = snapFloat(c, sp)
	case c.Num.Trunc > 1:
		n := c.Num.Trunc
		if r := c.Beyond(c.Unrank(sp.Lo)); r != 0 {
			if n-r > math.MaxUint64-sp.Lo {
				return sp, false
			}
			sp.Lo += n - r
		}
		r := c.Beyond(c.Unrank(sp.Hi))
		if sp.Hi < r {
			return sp, false
		}
		sp.Hi -= r
	}
	return sp, sp.Lo <= sp.Hi
}
