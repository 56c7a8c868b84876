package rowkey

import (
	"fmt"
	"slices"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// mostLength is the most bytes of a length.
const mostLength = 4

// LenPrefix writes the length of the text in n bytes, 1 to 4, big-endian, in front
// of it, so that it may hold any byte: with LenPrefix(2), "abc" is 0003616263. A
// text that is longer than n bytes can count is refused. Shorter texts stand first:
// a text of any length is unordered, and a Prefix or an interval of it reads one
// range for each of the 32 shortest lengths and one for all others. Decimal numbers
// are ordered so: with Decimal, LenPrefix(1), 9 is 0139 and 10 is 023130.
func LenPrefix(n int) FieldOption { return fieldOpt{word: wLenPrefix, n: n} }

// lengthed is the shape of forms with their length in front: none begins another,
// and the shorter ones stand first. That is the order of numbers without zeros in
// front, and it does no harm to forms of one length; others lose their order.
func (p *pipeline) lengthed(sh shape) (shape, string) {
	c := p.c
	most := forms.MostOfLength(c.width)
	if sh.min > most {
		return sh, fmt.Sprintf("no value fits a length of %s", plural(c.width, "byte"))
	}
	plain := !slices.ContainsFunc(c.stages, func(st stage) bool { return st.word != wFixed && st.word != wDesc })
	switch number := p.numeric && p.form == wDecimal && c.kind != KindInt && len(c.stages) == 0; {
	case number && p.desc:
		sh.dir = down
	case number:
		sh.dir = up
	case !plain || !sh.fixed():
		sh.dir = none
	}
	sh = sh.loosened()
	if sh.max < 0 || sh.max > most {
		sh.max = most
	}
	sh.min, sh.max = sh.min+c.width, sh.max+c.width
	sh.bytes, sh.free, sh.ends = allBytes(), true, endSelf
	if sh.fixed() {
		sh.ends = endWidth
	}
	return sh, ""
}

// mostLengths is how many lengths get an interval of their own.
const mostLengths = 32

// lengthPieces are the pieces of the texts of one span, of a field with their
// length in front: an interval for each length. Of Prefix "u1" with LenPrefix(1)
// they are [02 u1, 02 u2), [03 u1, 03 u2) and so on; from the 33rd length on all
// others are one piece, in which rows of other texts lie too.
func (c *component) lengthPieces(t textSpan) (pieces []piece, exact, ok bool) {
	if t.points() > 0 {
		pieces, ok = c.pointPieces([]textSpan{t})
		return pieces, true, ok
	}
	flip := byte(0) // of the text alone
	for _, st := range c.stages {
		switch st.word {
		case wFixed:
		case wDesc:
			flip ^= 0xff
		default:
			return nil, false, false
		}
	}
	least, most := c.value.min, forms.MostOfLength(c.width)
	if c.value.max >= 0 {
		most = min(most, c.value.max)
	}
	for n := least; n <= most; n++ {
		if n == least+mostLengths && n < most {
			lo, hi := cut{b: forms.AppendUint(nil, uint64(n), c.width)}, cut{forms.AppendUint(nil, uint64(most), c.width), true}
			return append(pieces, c.lengthPiece(lo, hi, 0)), false, true
		}
		lo, hi := c.lengthCut(t.lo, n), c.lengthCut(t.hi, n)
		if t.open {
			hi = cut{forms.AppendUint(nil, uint64(n), c.width), true}
		}
		pieces = append(pieces, c.lengthPiece(lo, hi, flip))
	}
	return pieces, true, true
}

// lengthCut is the place among the texts of n bytes in front of which those below v
// stand, before any inversion.
func (c *component) lengthCut(v string, n int) cut {
	b := forms.AppendUint(nil, uint64(n), c.width)
	return cut{append(b, v[:min(n, len(v))]...), len(v) > n}
}

// lengthPiece is the piece between two places of texts that are stored with their
// bytes XOR flip, and then, length and all, inverted if the field is.
func (c *component) lengthPiece(lo, hi cut, flip byte) piece {
	turn := func(skip int) {
		for _, k := range []*cut{&lo, &hi} {
			forms.Invert(k.b[skip:])
			k.behind = !k.behind
		}
		lo, hi = hi, lo
	}
	if flip != 0 {
		turn(c.width)
	}
	if c.invertAll {
		turn(0)
	}
	return piece{lo: lo.b, loBehind: lo.behind, hi: hi.b, hiBehind: hi.behind}
}
