package layout

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// This file compiles text fields: the shape of the texts that a field takes, then the shape
// after each stage, then after the frame.

// text is valued for a text field. It is the shape of the values, or of their codes.
func (p *Pipeline) text() (sh forms.Shape, problem string) {
	c := p.c
	if problem = p.dialectText(); problem == "" {
		problem = p.precise()
	}
	if problem != "" {
		return sh, problem
	}
	sh = forms.Shape{Max: -1, Bytes: forms.AllBytes()} // any bytes, as many as there are
	if p.of != nil {
		sh = *p.of.Value
	}
	if c.Decimal != forms.NoDecimal {
		sh = c.Decimal.Shape()
	}
	if c.Filled && sh.Min == 0 {
		sh.Min = 1
	}
	if c.Frame == FrameNul {
		sh.Bytes.Drop(0)
	}
	if c.Least > 0 && c.Codes == nil {
		var some bool
		if sh, some = sh.AtLeast(c.Least); !some {
			return sh, fmt.Sprintf("MinLen(%d): no value is so long", c.Least)
		}
	}
	if c.Chars != nil {
		sh = sh.Limited(*c.Chars)
	}
	if c.listed() {
		_, stored := c.ListedForms()
		sh = forms.SetShape(stored)
	}
	if c.Frame == FrameFixed && (c.Width < sh.Min || sh.Max >= 0 && c.Width > sh.Max) && len(c.Stages) == 0 ||
		(c.Frame == FramePad || c.Frame == FramePadLeft) && c.Width < sh.Min {
		problem = fmt.Sprintf("no value fits %d bytes", c.Width)
	}
	value := p.valueShape(sh)
	c.Value = &value
	return sh, problem
}

// staged is the shape after the stages.
func (p *Pipeline) staged(sh forms.Shape) (_ forms.Shape, problem string) {
	c := p.c
	for _, st := range c.Stages {
		switch st.Word {
		case notation.Fixed: // without a transform, the frame sets the width
			if c.Vias > 0 {
				if st.To < sh.Min || sh.Max >= 0 && st.To > sh.Max {
					return sh, fmt.Sprintf("Fixed(%d): no value has this length", st.To)
				}
				sh = sh.Exactly(st.To)
			}
		case notation.UUID:
			var some bool
			if sh, some = sh.Packed(); !some {
				return sh, "UUID: no value has its 36 characters"
			}
		case notation.Via:
			sh = through(sh, st.Via)
			if p.of != nil { // it is not known what order a copy has after a transform
				sh.Dir = forms.NoOrder
			}
		case notation.Desc:
			sh = sh.Inverted()
		case notation.Left, notation.Right:
			if sh = sh.Cut(st.To, st.Word == notation.Right); c.Packs() { // a query knows intervals of whole UUIDs only
				sh.Dir = forms.NoOrder
			}
		case notation.ReversePart:
			if sh.Max >= 0 && st.To > sh.Max {
				return sh, fmt.Sprintf("ReversePart(%d, %d) reaches beyond every value", st.From, st.To)
			}
			sh = sh.ReversedPart(st.To)
		case notation.Reverse, notation.ReverseRune, notation.ReverseLabels:
			sh = sh.Reversed()
		default:
			return sh, "option " + string(st.Word) + " has no shape"
		}
	}
	return sh, ""
}

// framed is the shape after the frame.
func (p *Pipeline) framed(sh forms.Shape) (_ forms.Shape, problem string) {
	switch c := p.c; c.Frame {
	case FrameFixed:
		if c.Width < sh.Min || sh.Max >= 0 && c.Width > sh.Max {
			return sh, fmt.Sprintf("Fixed(%d): no value has this length", c.Width)
		}
		sh = sh.Exactly(c.Width)
	case FramePad, FramePadLeft:
		if c.Width < sh.Min {
			return sh, fmt.Sprintf("no value fits %d bytes", c.Width)
		}
		if c.Frame == FramePad {
			c.Full = sh.Fixed() && sh.Min == c.Width
			sh = sh.Padded(c.Width, c.Pad)
		} else {
			sh = sh.PaddedLeft(c.Width, c.Pad)
		}
	case FrameEscaped:
		if sh = sh.Escaped(); c.Endless {
			sh = sh.Unended()
		}
	case FrameNul:
		sh = sh.Ended()
	case FrameBlobVar:
		sh = sh.Grouped()
	case FrameLength:
		return p.lengthed(sh)
	case NoFrame:
	default:
		return sh, fmt.Sprintf("frame %d has no shape", c.Frame)
	}
	return sh, ""
}

// lengthed is the shape of forms with their length before them. Numbers without leading zeros
// then have an order: 9 is 01 39, and 10 is 02 31 30. Forms of one length keep their order.
// All others lose it.
func (p *Pipeline) lengthed(sh forms.Shape) (forms.Shape, string) {
	c := p.c
	if sh.Min > forms.MostOfLength(c.Width) {
		return sh, fmt.Sprintf("no value fits a length of %s", Plural(c.Width, "byte"))
	}
	dir := sh.Dir
	plain := !slices.ContainsFunc(c.Stages, func(st Stage) bool { return st.Word != notation.Fixed && st.Word != notation.Desc })
	switch order := forms.FactsOf(c.Num.Form).ByLength; {
	case order == forms.Backward && len(c.Stages) == 0:
		dir = forms.Down
	case order == forms.Forward && len(c.Stages) == 0:
		dir = forms.Up
	case !plain || !sh.Fixed():
		dir = forms.NoOrder
	}
	return sh.Lengthed(c.Width, dir), ""
}

// valueShape is the shape of the values that pass the whole pipeline. sh is the shape of the
// values before the first stage.
func (p *Pipeline) valueShape(sh forms.Shape) forms.Shape {
	c := p.c
	if c.Codes != nil { // the stages and the frame limit the codes, not the values
		sh = forms.SetShape(SortedKeys(c.Codes))
		if sh.Ends == forms.EndSelf {
			sh.Ends = forms.EndNone
		}
		return sh
	}
	frame := c.Frame
	for _, st := range c.Stages {
		if st.Word == notation.UUID {
			sh = sh.Exactly(forms.UUIDText)
		}
		if st.Word == notation.Via || st.Word == notation.UUID { // later steps limit the changed bytes, not the values
			frame = NoFrame
			break
		}
		if st.Word == notation.ReversePart {
			sh.Min = max(sh.Min, st.To)
		}
		if st.Word == notation.Fixed {
			sh = sh.Exactly(st.To)
		}
	}
	switch frame {
	case FrameFixed:
		sh = sh.Exactly(c.Width)
	case FramePad, FramePadLeft:
		if sh.Max < 0 || sh.Max > c.Width {
			sh.Max = c.Width
		}
	case FrameLength:
		if most := forms.MostOfLength(c.Width); sh.Max < 0 || sh.Max > most {
			sh.Max = most
		}
	}
	sh.Ends = forms.EndNone
	return sh.Settled()
}

// enumerated runs every value of Codes or OneOf through the stages, after which others have the shape made.
// So their forms, and the order of these, are known exactly.
func (c *Component) enumerated(made forms.Shape) (forms.Shape, string) {
	if !c.listed() {
		return made, ""
	}
	values, stored := c.ListedForms()
	c.Forms = make([][]byte, len(values))
	for i, v := range values {
		if len(v) < c.Least {
			return made, fmt.Sprintf("value %q is shorter than MinLen(%d)", v, c.Least)
		}
		if c.Chars != nil && forms.Outside(c.Chars, v) >= 0 {
			return made, fmt.Sprintf("value %q is not made of Chars", v)
		}
		form := []byte(stored[i])
		for _, st := range c.Stages {
			var err error
			if form, err = st.Run(form, 0); err != nil {
				return made, fmt.Sprintf("%s does not fit the value %q", st.Word, v)
			}
		}
		stored[i] = string(form)
		c.Forms[i] = []byte(stored[i])
	}
	slices.SortFunc(c.Forms, bytes.Compare)
	sh := forms.SetShape(stored)
	if made.Ends == forms.EndSelf && sh.Ends == forms.EndNone { // the bytes after the form say where it ends
		sh.Ends, sh.GoesOn, sh.GoesOnDown = forms.EndSelf, made.GoesOn, made.GoesOnDown
	}
	return sh, ""
}

// Packs reports that the component writes the text of a UUID as 16 bytes.
func (c *Component) Packs() bool { return len(c.Stages) > 0 && c.Stages[0].Word == notation.UUID }

// PackUUID is forms.PackUUID with an error that gives the reason.
func PackUUID(b []byte) ([]byte, error) {
	if len(b) != forms.UUIDText {
		return b, LengthRefused(len(b), forms.UUIDText, forms.UUIDText)
	}
	if form, ok := forms.PackUUID(b); ok {
		return form, nil
	}
	return b, errNoUUID
}

var errNoUUID error = &fault.Detail{Text: "not 8-4-4-4-12 hexadecimal digits in lower case", Reason: fault.ErrRange}

// Unpadded is a text without the pad bytes at its end: "ab" for "ab  ".
func Unpadded[T string | []byte](c *Component, v T) T { return v[:forms.Unpad(v, c.Pad)] }
