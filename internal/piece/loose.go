package piece

import (
	"bytes"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// loosePieces gives a piece that holds all rows of the texts of one span, of a Loose field.
// Rows of other texts may lie in it, too. Every row begins with its value, or with its
// inverted value; nothing is known of the bytes after it. False if nothing bounds the rows.
func loosePieces(c *layout.Component, t query.Texts) ([]Piece, bool) {
	down := c.InvertAll
	for _, st := range c.Stages {
		switch st.Word {
		case notation.Fixed:
		case notation.Desc:
			down = !down
		default: // the row does not begin with the value
			return nil, false
		}
	}
	if c.Frame != layout.NoFrame && c.Frame != layout.FramePad {
		return nil, false
	}
	// Values in the span that hi begins with may have rows after hi: the shortest of them
	// becomes the end.
	hi := t.Hi
	for n := within(t); n < len(t.Hi); n++ {
		if passesMark(c, n, t.Hi, down) {
			hi = t.Hi[:n]
			break
		}
	}
	q := Piece{Lo: []byte(t.Lo), Hi: []byte(hi), HiAfter: len(hi) < len(t.Hi), HiOpen: t.Open || hi == "" && t.Hi != ""}
	if down {
		forms.Invert(q.Lo)
		forms.Invert(q.Hi)
		q = Piece{Lo: q.Hi, LoAfter: !t.Open && !q.HiAfter && !q.HiOpen, Hi: q.Lo, HiAfter: true, HiOpen: len(q.Lo) == 0}
	}
	return []Piece{q}, !q.HiOpen || len(q.Lo) > 0
}

// passesMark reports that a row of the first n bytes of hi may lie after the place of hi. With '_'
// as the separator, of "a" and hi = "a1" it is true: 61 5f sorts after 61 31. The bytes after
// the n decide, and of these only as many as the separator and the pad have, and one more.
func passesMark(c *layout.Component, n int, hi string, down bool) bool {
	var form []byte
	if c.Frame == layout.FramePad {
		pad := c.Pad
		if down != c.InvertAll { // of the bytes that are padded
			pad ^= 0xff
		}
		form = bytes.Repeat([]byte{pad}, max(0, c.Width-n))
	}
	place := []byte(hi[n:min(len(hi), n+len(form)+len(c.Mark)+1)])
	if down {
		forms.Invert(form)
		forms.Invert(place)
	}
	form = append(form, c.Mark...)
	if down {
		return bytes.Compare(form, place) < 0 || bytes.HasPrefix(form, place)
	}
	return bytes.Compare(form, place) >= 0 || bytes.HasPrefix(place, form)
}
