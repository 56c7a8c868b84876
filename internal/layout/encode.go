package layout

import (
	"bytes"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	"github.com/hbase-rowkey/rowkey/internal/foreign"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// This file writes the stored form of one component; nothing here knows the whole schema.
// These bytes stand in people's tables: a changed byte is a broken table.
//
// A value is passed as a number of 64 bits or as text:
//
//	Uint   the number
//	Int    its two's complement in 64 bits
//	Float  its IEEE bits in 64 bits; −0 only where a dialect keeps it
//	Bool   0 or 1
//	Time   whole steps of its unit; with a Layout, seconds since 1970
//	String, Binary   their bytes; of a Numeric the ascending stored form

const (
	MaxInt64  = math.MaxInt64
	SignBit64 = 1 << 63
)

// admits reports that the field takes a value: by its type, by Below and by Years.
func (c *Component) admits(u uint64) bool {
	if c.Kind == KindFloat {
		f := math.Float64frombits(u)
		return (c.Size != 4 || float64(float32(f)) == f) && !(c.Unsigned && f < 0)
	}
	if c.Biased() { // Num.Min and Num.Max have the sign bit flipped too
		u ^= SignBit64
	}
	return u >= c.Num.Min && u <= c.Num.Max
}

// AppendNum appends the stored form of a number, without the separator. It is an error if
// the field does not take the number. A time must have gone through SettleNum. On error
// the bytes after the old length of dst are garbage.
func (c *Component) AppendNum(dst []byte, u uint64) ([]byte, error) {
	if !c.admits(u) {
		return dst, c.numRefused(u)
	}
	at := len(dst)
	dst = forms.Append(c.Num.Form, dst, u)
	if c.Plain {
		return dst, nil
	}
	return c.appendStages(dst, at)
}

// Stage is a step that changes a form in place.
type Stage struct {
	Word     notation.Word
	From, To int
	Sep      []byte
	Via      *foreign.Via
}

// frameKind is how the end of a form of varying length is marked.
type frameKind uint8

const (
	NoFrame frameKind = iota
	FrameFixed
	FramePad
	FramePadLeft
	FrameEscaped
	FrameNul     // 00 at the end, which the form must not hold: 61 62 00
	FrameBlobVar // groups of seven bits: 01 is 80 40
	FrameLength  // its length before it: "ab" is 02 61 62
	frameEnd     // above all frames: TestFramesAll asks for a line of each
)

// TextFirst reports that a frame leaves a text as it is and adds bytes after it alone, so that forms
// begin as their texts do.
func (c *Component) TextFirst() bool {
	switch c.Frame {
	case NoFrame, FrameFixed, FramePad, FrameEscaped, FrameNul:
		return true
	}
	return false
}

// AppendText appends the stored form of a text, without the separator. It is an error if
// the field does not take the text. On error the bytes after the old length of dst are
// garbage.
func AppendText[T string | []byte](c *Component, dst []byte, v T) ([]byte, error) {
	at := len(dst)
	if c.Header != 0 {
		dst = append(dst, c.Header)
	}
	if c.Limited {
		code, err := checkText(c, v)
		if err != nil {
			return dst, err
		}
		if c.Codes != nil {
			dst = append(dst, code...)
			return c.appendStages(dst, at)
		}
	}
	dst = append(dst, v...)
	if c.Plain {
		return dst, nil
	}
	return c.appendStages(dst, at)
}

// checkText says why the field does not take a text. It gives the code of the text if the
// field has Codes.
func checkText[T string | []byte](c *Component, v T) (code string, err error) {
	if c.Precision.Digits != 0 {
		return "", admitsForm(c, v)
	}
	if c.Codes != nil {
		code, ok := c.Codes[string(v)]
		if !ok {
			return "", c.listRefused()
		}
		return code, nil
	}
	if len(v) < c.Least {
		return "", LengthRefused(len(v), c.Least, forms.MaxKey)
	}
	if c.Chars != nil {
		if i := forms.Outside(c.Chars, v); i >= 0 {
			return "", c.CharRefused(i, len(v))
		}
	}
	if c.OneOf != nil {
		if _, ok := c.OneOf[string(v)]; !ok {
			return "", c.listRefused()
		}
	}
	return "", nil
}

// appendStages changes the bytes dst[at:] by the stages, the frame and the inversion. It is
// an error if the result holds the separator. A header, if there is one, is dst[at].
func (c *Component) appendStages(dst []byte, at int) ([]byte, error) {
	begin := at
	if c.Header != 0 {
		at++
	}
	if c.Filled && len(dst) == at {
		return dst, LengthRefused(0, 1, forms.MaxKey)
	}
	var err error
	for i := range c.Stages {
		if dst, err = c.Stages[i].Run(dst, at); err != nil {
			return dst, err
		}
	}
	if c.Frame != NoFrame {
		if dst, err = c.appendFrame(dst, at); err != nil {
			return dst, err
		}
	}
	if c.InvertAll {
		forms.Invert(dst[begin:])
	}
	if c.Null != nil && bytes.HasPrefix(dst[begin:], c.Null) {
		return dst, ErrBeginNull
	}
	if c.Mark != nil && !c.Loose && !forms.Marks(dst[at:], c.Mark) {
		return dst, c.MarkRefused(dst[at:])
	}
	return dst, nil
}

// appendFrame changes the bytes dst[at:] by the frame.
func (c *Component) appendFrame(dst []byte, at int) (_ []byte, err error) {
	switch c.Frame {
	case FrameFixed:
		if n := len(dst) - at; n != c.Width {
			return dst, LengthRefused(n, c.Width, c.Width)
		}
	case FramePad:
		if err = c.padRefused(dst[at:]); err == nil {
			dst = forms.AppendPad(dst, at, c.Width, c.Pad)
		}
	case FramePadLeft:
		if err = c.padRefused(dst[at:]); err == nil {
			dst = forms.AppendPadLeft(dst, at, c.Width, c.Pad)
		}
	case FrameEscaped:
		if dst = forms.AppendEscape(dst, at); c.Endless {
			dst = dst[:len(dst)-2]
		}
	case FrameNul:
		if bytes.IndexByte(dst[at:], 0) >= 0 {
			return dst, ErrHoldsEnd
		}
		dst = append(dst, 0)
	case FrameBlobVar:
		dst = forms.AppendBlobVar(dst, at)
	case FrameLength:
		if n, most := len(dst)-at, forms.MostOfLength(c.Width); n > most {
			return dst, LengthRefused(n, 0, most)
		}
		dst = forms.AppendLength(dst, at, c.Width)
	default:
		return dst, fault.ErrRange
	}
	return dst, err
}

// Run changes the bytes dst[at:] by the stage, also by a transform.
func (s *Stage) Run(dst []byte, at int) ([]byte, error) {
	if s.Via != nil {
		return s.Via.Append(dst, at)
	}
	form, err := s.Apply(dst[at:])
	if len(form) < len(dst)-at {
		dst = dst[:at+copy(dst[at:], form)]
	}
	return dst, err
}

// Apply changes b in place and gives the changed form, which may be shorter. A second
// Apply undoes the first, but for Left, Right and UUID. Transforms do not come here: see
// Run.
func (s *Stage) Apply(b []byte) ([]byte, error) {
	switch s.Word {
	case notation.Reverse:
		forms.Reverse(b)
	case notation.ReverseRune:
		if !utf8.Valid(b) {
			return b, errUTF8
		}
		forms.ReverseRunes(b)
	case notation.ReverseLabels:
		forms.ReverseLabels(b, s.Sep)
	case notation.ReversePart:
		if len(b) < s.To {
			return b, LengthRefused(len(b), s.To, forms.MaxKey)
		}
		forms.Reverse(b[s.From:s.To])
	case notation.Fixed:
		if len(b) != s.To {
			return b, LengthRefused(len(b), s.To, s.To)
		}
	case notation.UUID:
		return PackUUID(b)
	case notation.Desc:
		forms.Invert(b)
	case notation.Left:
		return b[:min(s.To, len(b))], nil
	case notation.Right:
		return b[max(0, len(b)-s.To):], nil
	}
	return b, nil
}

// Reverses reports that the stage is one of the four reversals.
func (st Stage) Reverses() bool {
	switch st.Word {
	case notation.Reverse, notation.ReverseRune, notation.ReverseLabels, notation.ReversePart:
		return true
	}
	return false
}

// cuts reports that the stage keeps a part of a text.
func (st Stage) cuts() bool { return st.Word == notation.Left || st.Word == notation.Right }

// AppendPrefix appends the common beginning of the stored forms of all values that begin
// with p. Of "ab" in a field with Escaped it is 61 62, without 00 01. The error is one of
// a transform that cannot write p.
func AppendPrefix[T string | []byte](c *Component, dst []byte, p T) ([]byte, error) {
	begin := len(dst)
	if c.Header != 0 {
		dst = append(dst, c.Header)
	}
	at := len(dst)
	dst = append(dst, p...)
	for i := range c.Stages {
		switch st := &c.Stages[i]; st.Word {
		case notation.Desc:
			forms.Invert(dst[at:])
		case notation.Left:
			dst = dst[:min(len(dst), at+st.To)]
		case notation.Via:
			var err error
			if dst, err = st.Via.Begin(dst, at); err != nil {
				return dst, err
			}
		}
	}
	if c.Frame == FrameEscaped {
		dst = forms.AppendEscape(dst, at)
		dst = dst[:len(dst)-2]
	}
	if c.InvertAll {
		forms.Invert(dst[begin:])
	}
	return dst, nil
}

// Keeps says that the stored form of a copy depends on the first n bytes of a text alone or,
// if last is set, on its last n: of Right(4) on the last 4. n is math.MaxInt for a copy of the
// whole text. once is false if different bytes may have one form. ok is false if none of this
// is known.
func (c *Component) Keeps() (n int, last, once, ok bool) {
	turned, cut := false, false
	once = c.Vias == 0
	for _, st := range c.Stages {
		switch st.Word {
		case notation.Desc:
		case notation.Fixed, notation.ReversePart, notation.UUID, notation.Via:
			if !cut {
				return 0, false, false, false
			}
		case notation.ReverseRune, notation.ReverseLabels:
			if !cut && slices.ContainsFunc(c.Stages, Stage.cuts) {
				return 0, false, false, false
			}
		case notation.Reverse:
			turned = turned != !cut
		case notation.Left, notation.Right:
			if once = once && !cut; !cut {
				n, last, cut = st.To, turned != (st.Word == notation.Right), true
			}
		default: // a stage that is not known here
			return 0, false, false, false
		}
	}
	if !cut {
		n = math.MaxInt
	}
	return n, last, once, true
}

// OfParts is the component that stores what a copy keeps of texts. MinLen and Chars limit the whole texts: of at
// least 4 bytes, Left(3) keeps 3.
func (c *Component) OfParts() *Component {
	if c.Role != RoleCopy || !c.Limited || c.Codes != nil || !slices.ContainsFunc(c.Stages, Stage.cuts) {
		return c
	}
	part := *c
	part.Limited = false
	return &part
}

// Kept is how many bytes of a text a copy keeps: of Left(4) 4, of "s-42-7" the copy is
// 73 2d 34 32.
func (c *Component) Kept() int {
	left := math.MaxInt
	for _, st := range c.Stages {
		if st.Word == notation.Left {
			left = min(left, st.To)
		}
	}
	return left
}
