package piece

import (
	"bytes"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// mostMore is how many pieces a span of a Loose field may have besides its first.
const mostMore = 8

// loosePieces gives pieces that hold all rows of the texts of one span, of a Loose field.
// Rows of other texts may lie in them, too. Every row begins with its value, or with its
// inverted value; nothing is known of the bytes after it. False if nothing bounds the rows.
func loosePieces(c *layout.Component, t query.Texts) ([]Piece, bool) {
	down := c.InvertAll
	for _, st := range c.Stages {
		switch st.Word {
		case notation.Fixed, notation.Left: // the spans of a copy are of texts as long as Left leaves them
		case notation.Desc:
			down = !down
		default: // the row does not begin with the value
			return nil, false
		}
	}
	if c.Frame != layout.NoFrame && c.Frame != layout.FramePad {
		return nil, false
	}
	// Values in the span that hi begins with may have rows after hi. Each that a separator or a pad
	// ends gets a piece of its own, if they are few. Else the shortest of them becomes the end.
	hi, first := t.Hi, 0
	var more []Piece
	for n := within(t); n < len(t.Hi); n++ {
		form, passes := passesMark(c, n, t.Hi, down)
		if !passes {
			continue
		}
		if len(form) == 0 { // nothing is known of the bytes after such a value
			hi = t.Hi[:n]
			break
		}
		if len(more) == mostMore {
			more, hi = nil, t.Hi[:first]
			break
		}
		if len(more) == 0 {
			first = n
		}
		b := []byte(t.Hi[:n])
		if down {
			forms.Invert(b)
		}
		b = append(b, form...)
		more = append(more, Piece{Lo: b, Hi: b, HiAfter: true})
	}
	q := Piece{Lo: []byte(t.Lo), Hi: []byte(hi), HiAfter: len(hi) < len(t.Hi), HiOpen: t.Open || hi == "" && t.Hi != ""}
	if down {
		forms.Invert(q.Lo)
		forms.Invert(q.Hi)
		q = Piece{Lo: q.Hi, LoAfter: !t.Open && !q.HiAfter && !q.HiOpen, Hi: q.Lo, HiAfter: true, HiOpen: len(q.Lo) == 0}
	}
	return append([]Piece{q}, more...), !q.HiOpen || len(q.Lo) > 0
}

// passesMark reports that a row of the first n bytes of hi may lie after the place of hi. With '_'
// as the separator, of "a" and hi = "a1" it is true: 61 5f sorts after 61 31. The bytes after
// the n decide, and of these only as many as the separator and the pad have, and one more. form is
// what such a row has after the n bytes.
func passesMark(c *layout.Component, n int, hi string, down bool) (form []byte, passes bool) {
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
		return form, bytes.Compare(form, place) < 0 || bytes.HasPrefix(form, place)
	}
	return form, bytes.Compare(form, place) >= 0 || bytes.HasPrefix(place, form)
}
