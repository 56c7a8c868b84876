package rowkey

import (
	"bytes"
	"math"
	"unicode/utf8"

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
	maxInt64  = math.MaxInt64
	signBit64 = 1 << 63
)

// admits judges a value before it is written: by its type, by Below and by Years.
func (c *component) admits(u uint64) bool {
	if c.kind == kindFloat {
		f := math.Float64frombits(u)
		return (c.size != 4 || float64(float32(f)) == f) && !(c.unsigned && f < 0)
	}
	if c.biased() { // of which some are negative
		u ^= signBit64
	}
	return u >= c.num.min && u <= c.num.max
}

// settleNum rounds a time down as its options say; other numbers stay.
// False if there is no such time.
func (c *component) settleNum(u uint64) (uint64, bool) {
	if c.num.trunc <= 1 {
		return u, true
	}
	n := u - c.beyond(u)
	return n, !c.signed || int64(n) <= int64(u)
}

// beyond is how far a number lies beyond the last that Truncate leaves.
func (c *component) beyond(u uint64) uint64 {
	if c.signed {
		return uint64(forms.Mod(int64(u), int64(c.num.trunc)))
	}
	return u % c.num.trunc
}

// appendNum appends the stored form of a settled number, up to and with its
// frame, or says why the field cannot hold it. On error dst is garbage behind
// its length.
func (c *component) appendNum(dst []byte, u uint64) ([]byte, error) {
	if !c.admits(u) {
		return dst, c.numRefused(u)
	}
	at := len(dst)
	dst = forms.Append(c.num.form, dst, u)
	if c.plain {
		return dst, nil
	}
	return c.appendStages(dst, at)
}

// stage is a step that changes a form in place.
type stage struct {
	word     notation.Word
	from, to int
	sep      []byte
	via      *via
}

// frameKind is how a form of any length is made to end.
type frameKind uint8

const (
	noFrame frameKind = iota
	frameFixed
	framePad
	framePadLeft
	frameEscaped
	frameNul     // ends 00, which it does not hold
	frameBlobVar // seven bits in a byte
	frameLength  // its length in front
)

// appendText appends the stored form of a text, up to and with its frame, or
// says why the field cannot hold it. On error dst is garbage behind its length.
func appendText[T string | []byte](c *component, dst []byte, v T) ([]byte, error) {
	at := len(dst)
	if c.header != 0 {
		dst = append(dst, c.header)
	}
	if c.limited {
		code, err := checkText(c, v)
		if err != nil {
			return dst, err
		}
		if c.codes != nil {
			dst = append(dst, code...)
			return c.appendStages(dst, at)
		}
	}
	dst = append(dst, v...)
	if c.plain {
		return dst, nil
	}
	return c.appendStages(dst, at)
}

// checkText judges a text by its limits, and gives its code if it has one.
func checkText[T string | []byte](c *component, v T) (code string, err error) {
	if c.precision.digits != 0 {
		return "", admitsForm(c, v)
	}
	if c.codes != nil {
		code, ok := c.codes[string(v)]
		if !ok {
			return "", c.listRefused()
		}
		return code, nil
	}
	if len(v) < c.least {
		return "", c.tooShort(len(v))
	}
	if c.chars != nil {
		for i := range len(v) {
			if !c.chars[v[i]] {
				return "", c.charRefused(i, len(v))
			}
		}
	}
	if c.oneOf != nil {
		if _, ok := c.oneOf[string(v)]; !ok {
			return "", c.listRefused()
		}
	}
	return "", nil
}

// appendStages takes the form at dst[at:] through the stages and the frame and
// looks for its separator. A text's header stands in front of it already.
func (c *component) appendStages(dst []byte, at int) ([]byte, error) {
	begin := at
	if c.header != 0 {
		at++
	}
	if c.filled && len(dst) == at {
		return dst, lengthRefused(0, 1, maxKey)
	}
	for i := range c.stages {
		if v := c.stages[i].via; v != nil {
			var err error
			if dst, err = v.append(dst, at); err != nil {
				return dst, err
			}
			continue
		}
		form, err := c.stages[i].apply(dst[at:])
		if err != nil {
			return dst, err
		}
		if len(form) < len(dst)-at {
			dst = dst[:at+copy(dst[at:], form)]
		}
	}
	var err error
	switch c.frame {
	case frameFixed:
		if n := len(dst) - at; n != c.width {
			return dst, lengthRefused(n, c.width, c.width)
		}
	case framePad:
		if err = c.padRefused(dst[at:]); err == nil {
			dst = forms.AppendPad(dst, at, c.width, c.pad)
		}
	case framePadLeft:
		if err = c.padRefused(dst[at:]); err == nil {
			dst = forms.AppendPadLeft(dst, at, c.width, c.pad)
		}
	case frameEscaped:
		if dst = forms.AppendEscape(dst, at); c.endless {
			dst = dst[:len(dst)-2]
		}
	case frameNul:
		if bytes.IndexByte(dst[at:], 0) >= 0 {
			return dst, errHoldsEnd
		}
		dst = append(dst, 0)
	case frameBlobVar:
		dst = forms.AppendBlobVar(dst, at)
	case frameLength:
		if n, most := len(dst)-at, forms.MostOfLength(c.width); n > most {
			return dst, lengthRefused(n, 0, most)
		}
		dst = forms.AppendLength(dst, at, c.width)
	}
	if err != nil {
		return dst, err
	}
	if c.invertAll {
		forms.Invert(dst[begin:])
	}
	if c.null != nil && bytes.HasPrefix(dst[begin:], c.null) {
		return dst, errBeginNull
	}
	if c.mark != nil && !c.loose && !forms.Marks(dst[at:], c.mark) {
		return dst, c.markRefused(dst[at:])
	}
	return dst, nil
}

// apply changes a form in place and gives what is left of it. All but Left and
// Right, which only a Copy has, undo themselves. Transforms have their own way.
func (s *stage) apply(b []byte) ([]byte, error) {
	switch s.word {
	case notation.Reverse:
		forms.Reverse(b)
	case notation.ReverseRune:
		if !utf8.Valid(b) {
			return b, errUTF8
		}
		forms.ReverseRunes(b)
	case notation.ReverseLabels:
		forms.ReverseLabels(b, s.sep)
	case notation.ReversePart:
		if len(b) < s.to {
			return b, lengthRefused(len(b), s.to, maxKey)
		}
		forms.Reverse(b[s.from:s.to])
	case notation.Fixed:
		if len(b) != s.to {
			return b, lengthRefused(len(b), s.to, s.to)
		}
	case notation.UUID:
		return packUUID(b)
	case notation.Desc:
		forms.Invert(b)
	case notation.Left:
		return b[:min(s.to, len(b))], nil
	case notation.Right:
		return b[max(0, len(b)-s.to):], nil
	}
	return b, nil
}
