package rowkey

import (
	"bytes"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// loosePieces covers the rows of the texts of one span, of a Loose field: every
// row begins with its value, or with that inverted, whatever goes on behind it.
// False if nothing bounds them.
func loosePieces(c *component, t textSpan) ([]piece, bool) {
	down := c.invertAll
	for _, st := range c.stages {
		switch st.word {
		case notation.Fixed:
		case notation.Desc:
			down = !down
		default: // it begins otherwise
			return nil, false
		}
	}
	if c.frame != noFrame && c.frame != framePad {
		return nil, false
	}
	// Of the values in the span, those that hi begins with may lie beyond it.
	hi := t.hi
	for n := range len(t.hi) {
		if p := t.hi[:n]; p >= t.lo && passesMark(c, p, t.hi, down) {
			hi = p
			break
		}
	}
	q := piece{lo: []byte(t.lo), hi: []byte(hi), hiBehind: len(hi) < len(t.hi), hiOpen: t.open || hi == "" && t.hi != ""}
	if down {
		forms.Invert(q.lo)
		forms.Invert(q.hi)
		q = piece{lo: q.hi, loBehind: !t.open && !q.hiBehind && !q.hiOpen, hi: q.lo, hiBehind: true, hiOpen: len(q.lo) == 0}
	}
	return []piece{q}, !q.hiOpen || len(q.lo) > 0
}

// passesMark reports that a row of the value v, with which hi begins, may lie beyond
// the place of hi.
func passesMark(c *component, v, hi string, down bool) bool {
	form, place := []byte(v), []byte(hi)
	if c.frame == framePad {
		pad := c.pad
		if down != c.invertAll { // of the bytes that are padded
			pad ^= 0xff
		}
		form = append(form, bytes.Repeat([]byte{pad}, max(0, c.width-len(v)))...)
	}
	if down {
		forms.Invert(form)
		forms.Invert(place)
	}
	form = append(form, c.mark...)
	if down {
		return bytes.Compare(form, place) < 0 || bytes.HasPrefix(form, place)
	}
	return bytes.Compare(form, place) >= 0 || bytes.HasPrefix(place, form)
}
