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

// SpanLeft is the span of the numbers from lo to hi that the field can have, if any
// is left.
func SpanLeft(c *layout.Component, lo, hi uint64, some bool) (Numbers, bool) {
	if !some || lo > hi {
		return Numbers{}, false
	}
	return SnapSpan(c, Numbers{lo, hi})
}

// Numbers is the numbers from lo to hi, both inclusive, as places in the order
// of the field's values: an Int and a Layout with the sign bit flipped, a Float
// as orderedFloat has it.
type Numbers struct{ Lo, Hi uint64 }

// DomainOf is the numbers a field can hold.
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

// placeOperand is an operand's place among the numbers of a field; coarse if the place
// is that of the unit which holds a finer time.
func placeOperand(c *layout.Component, o Operand) (u uint64, at layout.Side, coarse bool, err error) {
	switch {
	case (c.Kind == layout.KindUint || c.Kind == layout.KindInt) && (o.Kind == IsInt || o.Kind == IsUint):
		switch {
		case c.Kind == layout.KindInt && o.Kind == IsUint && o.Num > layout.MaxInt64:
			return 0, layout.Above, false, nil
		case c.Kind == layout.KindInt:
			return o.Num ^ layout.SignBit64, layout.Within, false, nil
		case o.Kind == IsInt && int64(o.Num) < 0:
			return 0, layout.Below, false, nil
		}
		return o.Num, layout.Within, false, nil
	case c.Kind == layout.KindFloat && o.Kind == IsFloat:
		u, ok := c.FloatNum(math.Float64frombits(o.Num))
		if !ok {
			return 0, layout.Within, false, layout.ErrNaN
		}
		return forms.OrderFloat(u, 8), layout.Within, false, nil
	case c.Kind == layout.KindBool && o.Kind == IsBool:
		return o.Num, layout.Within, false, nil
	case c.Kind == layout.KindTime && o.Kind == isTime:
		return placeTime(c, int64(o.Num), o.nsec)
	case c.Kind == layout.KindTime && (o.Kind == IsInt || o.Kind == IsUint):
		return 0, layout.Within, false, errTimeAsked
	}
	return 0, layout.Within, false, fault.ErrType
}

// placeTime is place for an instant.
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
	early := sec < c.Unit.Sec || sec == c.Unit.Sec && nsec < c.Unit.Nsec
	n, ok := c.Units(sec, nsec)
	switch {
	case !ok && early:
		return 0, layout.Below, false, nil
	case !ok:
		return 0, layout.Above, false, nil
	}
	n, ok = c.SettleNum(n)
	if !ok {
		return 0, layout.Below, false, nil
	}
	s, ns := c.Instant(n)
	return c.Rank(n), layout.Within, s != sec || ns != nsec, nil
}

// numTerm is the numbers that satisfy one condition.
func numTerm(c *layout.Component, spans []Numbers, q *Cond) (_ []Numbers, coarse bool, err error) {
	d := DomainOf(c)
	span := func(lo, hi uint64) {
		if lo, hi = max(lo, d.Lo), min(hi, d.Hi); lo <= hi {
			spans = append(spans, Numbers{lo, hi})
		}
	}
	switch q.Op {
	case OpEq, OpIn:
		spans = slices.Grow(spans, len(q.List))
		for i := range max(1, len(q.List)) {
			o := q.A
			if q.Op == OpIn {
				if len(q.List) == 0 {
					break
				}
				o = q.List[i]
			}
			u, at, finer, err := placeOperand(c, o)
			if err != nil {
				return nil, false, err
			}
			coarse = coarse || finer
			if at == layout.Within {
				span(equalNums(c, u))
			}
		}
	case OpNotEq:
		u, at, finer, err := placeOperand(c, q.A)
		switch {
		case err != nil:
			return nil, false, err
		case at != layout.Within || finer:
			coarse = finer
			span(d.Lo, d.Hi)
		default:
			first, last := equalNums(c, u)
			if first != 0 {
				span(d.Lo, first-1)
			}
			if last != math.MaxUint64 {
				span(last+1, d.Hi)
			}
		}
	case OpSpan, OpAtLeast, OpMoreThan, OpAtMost, OpLessThan:
		sp, finer, some, err := betweenEnds(c, d, q)
		if err != nil {
			return nil, false, err
		}
		if coarse = coarse || finer; some {
			span(sp.Lo, sp.Hi)
		}
	case OpNull:
	case OpNotNull:
		span(d.Lo, d.Hi)
	default:
		return nil, false, fault.ErrType
	}
	return JoinNums(spans), coarse, nil
}

// betweenEnds is the numbers between the ends that a condition names; some is false if
// there are none, coarse true if an end is finer than what is stored.
func betweenEnds(c *layout.Component, d Numbers, q *Cond) (sp Numbers, coarse, some bool, err error) {
	sp, some = d, true
	if q.Op == OpSpan || q.Op == OpAtLeast || q.Op == OpMoreThan {
		if sp.Lo, coarse, some, err = fromEnd(c, d, q.A, q.Op == OpMoreThan); err != nil {
			return sp, coarse, false, err
		}
	}
	if q.Op == OpSpan || q.Op == OpAtMost || q.Op == OpLessThan {
		o := q.A
		if q.Op == OpSpan {
			o = q.B
		}
		var finer, more bool
		sp.Hi, finer, more, err = upToEnd(c, d, o, q.Op != OpAtMost)
		coarse, some = coarse || finer, some && more
		if q.Op == OpSpan && err == nil {
			err = q.inverted(c)
		}
		if q.Op == OpSpan && q.A == q.B {
			some = false
		}
	}
	return sp, coarse, some, err
}

// fromEnd is the least number that is at least o, or exclusive above it; false if there
// is none.
func fromEnd(c *layout.Component, d Numbers, o Operand, exclusive bool) (u uint64, coarse, some bool, err error) {
	u, at, coarse, err := placeOperand(c, o)
	switch {
	case err != nil || at == layout.Above:
		return 0, coarse, false, err
	case at == layout.Below:
		return d.Lo, coarse, true, nil
	}
	first, last := equalNums(c, u)
	if exclusive && !coarse {
		return last + 1, coarse, last != math.MaxUint64, nil
	}
	return first, coarse, true, nil
}

// upToEnd is the largest number that is at most o, or exclusive below it; false if there
// is none.
func upToEnd(c *layout.Component, d Numbers, o Operand, exclusive bool) (u uint64, coarse, some bool, err error) {
	u, at, coarse, err := placeOperand(c, o)
	switch {
	case err != nil || at == layout.Below:
		return 0, coarse, false, err
	case at == layout.Above:
		return d.Hi, coarse, true, nil
	}
	first, last := equalNums(c, u)
	if exclusive && !coarse {
		return first - 1, coarse, first != 0, nil
	}
	return last, coarse, true, nil
}

// JoinNums sorts spans and joins those that touch.
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

// meetNums appends what is in both.
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

// equalNums is the first and the last place of the floats that are equal to the one
// at a place: of zero both.
func equalNums(c *layout.Component, u uint64) (first, last uint64) {
	plus := forms.OrderFloat(0, 8)
	if c.TwoZeros() && (u == plus || u == plus-1) {
		return plus - 1, plus
	}
	return u, u
}

// nextFloat is the next place behind one that a value can have.
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

// snapFloat draws a span in to places that values can have.
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

var errTimeAsked error = &fault.Detail{Text: "a time is a time.Time, as time.UnixMilli makes of milliseconds", Reason: fault.ErrType}

// ValuesOf appends the numbers that a field can hold in some spans, if they are
// at most n.
func ValuesOf(c *layout.Component, out []layout.Val, spans []Numbers, n int) ([]layout.Val, bool) {
	before := len(out)
	if len(spans) > 0 && n == ShortInterval && c.Kind != layout.KindFloat && c.Unit.Lay == nil && spans[0].Hi-spans[0].Lo > ShortInterval*max(1, c.Num.Trunc) {
		return out, false
	}
	out = slices.Grow(out, min(len(spans), n))
	for _, sp := range spans {
		sp, ok := SnapSpan(c, sp)
		for u := sp.Lo; ok; {
			if len(out)-before == n {
				return out[:before], false
			}
			out = append(out, layout.Val{Num: c.Unrank(u), Ok: true})
			next, more := nextNum(c, u)
			if ok = more && next <= sp.Hi; ok {
				u = next
			}
		}
	}
	return out, true
}

// nextNum is the next place that a field's value can have.
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

// SnapSpan draws a span in to places that the field's values can have.
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
			if sp.Lo > math.MaxUint64-n {
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
