package layout

import (
	"bytes"
	"math"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey/internal/foreign"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// One append per form. Nothing here knows a schema; what is written here is
// written in people's tables, and a changed byte is a broken table.
//
// A value travels as a num or as text:
//
//	Uint   the number
//	Int    its two's complement in 64 bits
//	Float  its IEEE bits in 64 bits; −0 only where a dialect keeps it
//	Bool   0 or 1
//	Time   whole steps of its unit; with a Layout, seconds since 1970
//	String, Binary   their bytes

const (
	MaxInt64  = math.MaxInt64
	SignBit64 = 1 << 63
)

// admits judges a value before it is written: by its type, by Below and by Years.
func (c *Component) admits(u uint64) bool {
	if c.Kind == KindFloat {
		f := math.Float64frombits(u)
		return (c.Size != 4 || float64(float32(f)) == f) && !(c.Unsigned && f < 0)
	}
	if c.biased() { // of which some are negative
		u ^= SignBit64
	}
	return u >= c.Num.Min && u <= c.Num.Max
}

// SettleNum rounds a time down as its options say; other numbers stay.
// False if there is no such time.
func (c *Component) SettleNum(u uint64) (uint64, bool) {
	if c.Num.Trunc <= 1 {
		return u, true
	}
	n := u - c.Beyond(u)
	return n, !c.Signed || int64(n) <= int64(u)
}

// Beyond is how far a number lies beyond the last that Truncate leaves.
func (c *Component) Beyond(u uint64) uint64 {
	if c.Signed {
		return uint64(forms.Mod(int64(u), int64(c.Num.Trunc)))
	}
	return u % c.Num.Trunc
}

// AppendNum appends the stored form of a settled number, up to and with its
// frame, or says why the field cannot hold it. On error dst is garbage behind
// its length.
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

// frameKind is how a form of any length is made to end.
type frameKind uint8

const (
	NoFrame frameKind = iota
	FrameFixed
	FramePad
	FramePadLeft
	FrameEscaped
	FrameNul     // ends 00, which it does not hold
	FrameBlobVar // seven bits in a byte
	FrameLength  // its length in front
)

// AppendText appends the stored form of a text, up to and with its frame, or
// says why the field cannot hold it. On error dst is garbage behind its length.
func AppendText[T string | []byte](c *Component, dst []byte, v T) ([]byte, error) {
	at := len(dst)
	if c.Header != 0 {
		dst = append(dst, c.Header)
	}
	if c.limited {
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

// checkText judges a text by its limits, and gives its code if it has one.
func checkText[T string | []byte](c *Component, v T) (code string, err error) {
	if c.precision.digits != 0 {
		return "", admitsForm(c, v)
	}
	if c.Codes != nil {
		code, ok := c.Codes[string(v)]
		if !ok {
			return "", c.listRefused()
		}
		return code, nil
	}
	if len(v) < c.least {
		return "", c.tooShort(len(v))
	}
	if c.Chars != nil {
		for i := range len(v) {
			if !c.Chars[v[i]] {
				return "", c.CharRefused(i, len(v))
			}
		}
	}
	if c.OneOf != nil {
		if _, ok := c.OneOf[string(v)]; !ok {
			return "", c.listRefused()
		}
	}
	return "", nil
}

// appendStages takes the form at dst[at:] through the stages and the frame and
// looks for its separator. A text's header stands in front of it already.
func (c *Component) appendStages(dst []byte, at int) ([]byte, error) {
	begin := at
	if c.Header != 0 {
		at++
	}
	if c.Filled && len(dst) == at {
		return dst, LengthRefused(0, 1, forms.MaxKey)
	}
	for i := range c.Stages {
		if v := c.Stages[i].Via; v != nil {
			var err error
			if dst, err = v.Append(dst, at); err != nil {
				return dst, err
			}
			continue
		}
		form, err := c.Stages[i].Apply(dst[at:])
		if err != nil {
			return dst, err
		}
		if len(form) < len(dst)-at {
			dst = dst[:at+copy(dst[at:], form)]
		}
	}
	var err error
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
		if dst = forms.AppendEscape(dst, at); c.endless {
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
	}
	if err != nil {
		return dst, err
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

// Apply changes a form in place and gives what is left of it. All but Left and
// Right, which only a Copy has, undo themselves. Transforms have their own way.
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

// Reverses reports a stage that writes what it gets in another order.
func (st Stage) Reverses() bool {
	switch st.Word {
	case notation.Reverse, notation.ReverseRune, notation.ReverseLabels, notation.ReversePart:
		return true
	}
	return false
}

// AppendPrefix appends what the stored form of every value that begins with p
// begins with. The error is a step's that cannot write p.
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
