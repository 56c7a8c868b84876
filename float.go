package rowkey

import (
	"math"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// Zero has two floats, +0 and −0, which are equal and of which every system keeps
// the one that it is given. A dialect writes and reads what its system does; in a
// schema of no dialect a zero has one form, that of +0. Phoenix's unsigned types
// have no negatives, and −0 is none of them either.
const minusZero = signBit64

// twoZeros reports that −0 is a value of its own in a key.
func (c *component) twoZeros() bool {
	return c.kind == kindFloat && (c.hbase || c.dialect.framed()) && !c.unsigned
}

// floatNum is a float as a num; false for NaN.
func (c *component) floatNum(v float64) (uint64, bool) {
	return c.zero(math.Float64bits(v)), v == v
}

// zero is a float's num, of a zero the one that the component has.
func (c *component) zero(u uint64) uint64 {
	if u == minusZero && c.kind == kindFloat && !c.twoZeros() {
		return 0
	}
	return u
}

// isFloat reports that a num is one that the component writes.
func (c *component) isFloat(u uint64) bool {
	f := math.Float64frombits(u)
	return f == f && u == c.zero(u) && !(c.unsigned && f < 0)
}

// equalNums is the first and the last place of the floats that are equal to the one
// at a place: of zero both.
func equalNums(c *component, u uint64) (first, last uint64) {
	plus := forms.OrderFloat(0, 8)
	if c.twoZeros() && (u == plus || u == plus-1) {
		return plus - 1, plus
	}
	return u, u
}

// nextFloat is the next place behind one that a value can have.
func nextFloat(c *component, u uint64) (uint64, bool) {
	f := math.Float64frombits(forms.RawFloat(u, 8))
	switch minus := f == 0 && math.Signbit(f); {
	case minus:
		f = 0
	case c.size == 4:
		f = float64(math.Nextafter32(float32(f), float32(math.Inf(1))))
	default:
		f = math.Nextafter(f, math.Inf(1))
	}
	return forms.OrderFloat(c.zero(math.Float64bits(f)), 8), u != forms.OrderFloat(math.Float64bits(math.Inf(1)), 8)
}

// snapFloat draws a span in to places that values can have.
func snapFloat(c *component, sp numSpan) numSpan {
	lo, hi := math.Float64frombits(forms.RawFloat(sp.lo, 8)), math.Float64frombits(forms.RawFloat(sp.hi, 8))
	if c.size == 4 {
		low, high := float32(lo), float32(hi)
		if float64(low) < lo {
			low = math.Nextafter32(low, float32(math.Inf(1)))
		}
		if float64(high) > hi {
			high = math.Nextafter32(high, float32(math.Inf(-1)))
		}
		lo, hi = float64(low), float64(high)
	}
	if hi == 0 && math.Signbit(hi) && !c.twoZeros() {
		hi = -math.SmallestNonzeroFloat64
		if c.size == 4 {
			hi = -math.SmallestNonzeroFloat32
		}
	}
	return numSpan{forms.OrderFloat(c.zero(math.Float64bits(lo)), 8), forms.OrderFloat(math.Float64bits(hi), 8)}
}
