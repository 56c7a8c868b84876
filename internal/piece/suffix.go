package piece

import (
	"bytes"
	"math"
	"unicode/utf8"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// suffixPieces are the rows of the values that end in one of some texts, of a field that
// is stored last byte, character or label first: a suffix is what the stored form begins
// with. Reversed, "shop.cn" ends in "cn" as 6e 63 … begins with 6e 63.
func suffixPieces(c *layout.Component, suffixes []string) (pieces []Piece, exact, ok bool) {
	turn, keeps := Turns(c)
	if turn == nil {
		return nil, false, false
	}
	exact = true
	for _, s := range suffixes {
		cut := len(s) > keeps
		if cut {
			s = s[len(s)-keeps:]
		}
		b, whole, some := turnedSuffix(c, turn, s)
		if exact = exact && whole && !cut && len(b) <= math.MaxInt16; !some {
			continue
		}
		if b == nil {
			return nil, false, false
		}
		pieces = append(pieces, Piece{Lo: b, Hi: b, HiAfter: true})
	}
	return pieces, exact, true
}

// Turns gives the stage that reverses a component's texts, so that a suffix of them is what their stored
// forms begin with; nil if another stage changes them, too. A copy may hold only the last bytes of its
// text: keeps says how many.
func Turns(c *layout.Component) (turn *layout.Stage, keeps int) {
	switch {
	case c.Codes != nil, c.InvertAll:
		return nil, 0
	case !c.TextFirst(), c.Frame == layout.FramePad:
		return nil, 0
	}
	keeps = math.MaxInt
	for i := range c.Stages {
		switch st := &c.Stages[i]; st.Word {
		case notation.Fixed:
		case notation.Right, notation.Left: // the last bytes: Right before Reverse, or Left after it
			if i == 0 != (st.Word == notation.Right) || i > 0 && (turn == nil || turn.Word != notation.Reverse) {
				return nil, 0
			}
			keeps = min(keeps, st.To)
		case notation.Reverse, notation.ReverseRune, notation.ReverseLabels:
			if turn != nil || keeps < math.MaxInt && st.Word != notation.Reverse {
				return nil, 0
			}
			turn = st
		default:
			return nil, 0
		}
	}
	return turn, keeps
}

// turnedSuffix gives the bytes b with which the forms of all values that end in s begin: of
// "cn", reversed by bytes, 6e 63. whole is false if forms of other values begin so, too.
// some is false if no value that ends in s can be stored. b is nil if s does not tell how
// the forms begin.
func turnedSuffix(c *layout.Component, turn *layout.Stage, s string) (b []byte, whole, some bool) {
	if c.Value.Max >= 0 && len(s) > c.Value.Max {
		return nil, true, false // longer than every value
	}
	b, whole = []byte(s), true
	switch turn.Word {
	case notation.ReverseLabels: // only whole labels are turned
		n := bytes.Index(b, turn.Sep)
		if n < 0 {
			return nil, false, true
		}
		whole, b = n == 0, b[n+len(turn.Sep):]
		forms.ReverseLabels(b, turn.Sep)
		b = append(b, turn.Sep...)
	case notation.ReverseRune: // s may begin within a character
		n := 0
		for n < len(b) && n < utf8.UTFMax-1 && !utf8.RuneStart(b[n]) {
			n++
		}
		if whole, b = n == 0, b[n:]; len(b) == 0 {
			return nil, false, true
		}
		fallthrough
	case notation.Reverse:
		if _, err := turn.Apply(b); err != nil {
			return nil, whole, false // no value of characters ends so
		}
	default:
		return nil, false, true
	}
	if c.Frame == layout.FrameEscaped {
		b = forms.AppendEscape(b, 0)
		b = b[:len(b)-2]
	}
	if c.Mark != nil && !c.Loose && bytes.Contains(b, c.Mark) || c.Frame == layout.FrameNul && bytes.IndexByte(b, 0) >= 0 {
		return nil, whole, false // no value that can be stored ends so
	}
	if c.Header != 0 {
		b = append([]byte{c.Header}, b...)
	}
	// With more than one byte as a separator, a shorter value and its separator may begin
	// as a longer value does.
	return b, whole && len(c.Mark) <= 1, true
}
