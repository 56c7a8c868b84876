package piece

import (
	"bytes"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// prefixPieces gives the rows of the texts of one span, of a field whose transforms keep
// prefixes (see bound.KeepsPrefixes). If the span is exactly the texts with some prefixes,
// as ["ab", "ac") is the texts with prefix "ab", the pieces are the rows of these texts.
// If not, rows of other texts lie in the pieces, too, and exact is false. ok is false if
// the texts of the span have no prefix in common.
func prefixPieces(c *layout.Component, t query.Texts) (pieces []Piece, exact, ok bool) {
	if t.Points() > 0 {
		pieces, ok = pointPieces(c, []query.Texts{t})
		return pieces, ok && !c.Loose, ok
	}
	begins, exact := t.Begins()
	for _, p := range begins {
		form, whole, err := bound.BeginNear(c, p)
		switch {
		case err != nil:
			return faulty(err), false, true
		case len(form) == 0:
			return nil, false, false
		}
		more, alone := begunPieces(c, form)
		pieces, exact = append(pieces, more...), exact && whole && alone
	}
	return pieces, exact, len(begins) > 0
}

// begunPieces gives the rows whose stored bytes begin with form. alone is false if a shorter
// value can have such rows, too: with 5f 5f as the separator, 61 5f begins the form of
// "a_b" and also 61 5f 5f, the form of "a".
func begunPieces(c *layout.Component, form []byte) (pieces []Piece, alone bool) {
	alone = !c.Loose
	if !c.Loose && (c.Shape.Max >= 0 && len(form) > c.Shape.Max || c.Mark != nil && bytes.Contains(form, c.Mark) || c.Frame == layout.FrameNul && bytes.IndexByte(form, c.Flip()) >= 0) {
		return nil, true // no value that can be stored begins so
	}
	if c.Mark != nil && forms.EndsAsBegins(form, c.Mark) || c.Frame == layout.FramePad && form[len(form)-1]^c.Flip() == c.Pad {
		alone = false
	}
	return withoutNulls(c, Piece{Lo: form, Hi: form, HiAfter: true}), alone
}
