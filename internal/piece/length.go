package piece

import (
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// mostLengths is how many lengths get an interval of their own.
const mostLengths = 32

// lengthPieces are the pieces of the texts of one span, of a field with their length in
// front. The texts of a span lie together only where they have the same length: there
// is a piece for each length. Of Prefix "u1" with LenPrefix(1) they are
// [02 75 31, 02 75 32), [03 75 31, 03 75 32) and so on. From the 33rd length on, all
// others are one piece, in which rows of other texts lie too.
func lengthPieces(c *layout.Component, t query.Texts) (pieces []Piece, exact, ok bool) {
	if t.Points() > 0 {
		pieces, ok = pointPieces(c, []query.Texts{t})
		return pieces, true, ok
	}
	flip := byte(0) // of the text alone
	for _, st := range c.Stages {
		switch st.Word {
		case notation.Fixed:
		case notation.Desc:
			flip ^= 0xff
		default:
			return nil, false, false
		}
	}
	least, most := c.Value.Min, forms.MostOfLength(c.Width)
	if c.Value.Max >= 0 {
		most = min(most, c.Value.Max)
	}
	for n := least; n <= most; n++ {
		if n == least+mostLengths && n < most {
			lo, hi := cut{b: forms.AppendUint(nil, uint64(n), c.Width)}, cut{forms.AppendUint(nil, uint64(most), c.Width), true}
			return append(pieces, lengthPiece(c, lo, hi, 0)), false, true
		}
		lo, hi := lengthCut(c, t.Lo, n), lengthCut(c, t.Hi, n)
		if t.Open {
			hi = cut{forms.AppendUint(nil, uint64(n), c.Width), true}
		}
		pieces = append(pieces, lengthPiece(c, lo, hi, flip))
	}
	return pieces, true, true
}

// lengthCut is the place among the texts of n bytes between those below v and the others,
// before any inversion. With v = "u1" and one byte of length it is, for n = 3, in front
// of 03 75 31, and for n = 1 after 01 75: "u" is below "u1".
func lengthCut(c *layout.Component, v string, n int) cut {
	b := forms.AppendUint(nil, uint64(n), c.Width)
	return cut{append(b, v[:min(n, len(v))]...), len(v) > n}
}

// lengthPiece is the piece between two places of texts that are stored with their
// bytes XOR flip, and then, length and all, inverted if the field is.
func lengthPiece(c *layout.Component, lo, hi cut, flip byte) Piece {
	turn := func(skip int) {
		for _, k := range []*cut{&lo, &hi} {
			forms.Invert(k.b[skip:])
			k.after = !k.after
		}
		lo, hi = hi, lo
	}
	if flip != 0 {
		turn(c.Width)
	}
	if c.InvertAll {
		turn(0)
	}
	return Piece{Lo: lo.b, LoAfter: lo.after, Hi: hi.b, HiAfter: hi.after}
}
