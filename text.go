package rowkey

import (
	"bytes"
	"fmt"
	"slices"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// A text's stages: which texts a field admits, what the stages make of them, and how
// the frame ends them, as shapes.

// texts is valued for a text.
func (p *pipeline) texts() (sh forms.Shape, values []string, problem string) {
	c := p.c
	if problem = p.dialectText(); problem != "" {
		return sh, nil, problem
	}
	if problem = p.precise(); problem != "" {
		return sh, nil, problem
	}
	if sh, values, problem = p.text(); problem != "" {
		return sh, nil, problem
	}
	if c.frame == frameFixed && (c.width < sh.Min || sh.Max >= 0 && c.width > sh.Max) && len(c.stages) == 0 ||
		(c.frame == framePad || c.frame == framePadLeft) && c.width < sh.Min {
		problem = fmt.Sprintf("no value fits %d bytes", c.width)
	}
	c.value = p.valueShape(sh)
	return sh, values, problem
}

// text is the shape of a text's values, or of their codes, and the values if
// they are finitely many.
func (p *pipeline) text() (forms.Shape, []string, string) {
	c := p.c
	sh := forms.TextShape()
	if p.of != nil {
		sh = p.of.value
	}
	if c.decimal != forms.NoDecimal {
		sh = c.decimal.Shape()
	}
	if c.filled && sh.Min == 0 {
		sh.Min = 1
	}
	if c.frame == frameNul {
		sh.Bytes[0] = false
	}
	if c.least > 0 && c.codes == nil {
		var some bool
		if sh, some = sh.AtLeast(c.least); !some {
			return sh, nil, fmt.Sprintf("MinLen(%d): no value is so long", c.least)
		}
	}
	if c.chars != nil {
		sh = sh.Limited(*c.chars)
	}
	var values []string
	switch {
	case c.codes != nil:
		values = sortedKeys(c.codes)
		codes := make([]string, len(values))
		for i, v := range values {
			codes[i] = c.codes[v]
		}
		sh = forms.SetShape(codes)
	case p.oneOf != nil:
		values = p.oneOf
		sh = forms.SetShape(values)
	}
	return sh, values, ""
}

// staged is a shape behind the stages.
func (p *pipeline) staged(sh forms.Shape) (_ forms.Shape, problem string) {
	c := p.c
	for _, st := range c.stages {
		switch st.word {
		case notation.Fixed: // the frame says it, if it still stands
			if c.vias > 0 {
				if st.to < sh.Min || sh.Max >= 0 && st.to > sh.Max {
					return sh, fmt.Sprintf("Fixed(%d): no value has this length", st.to)
				}
				sh = sh.Exactly(st.to)
			}
		case notation.UUID:
			var some bool
			if sh, some = sh.Packed(); !some {
				return sh, "UUID: no value has its 36 characters"
			}
		case notation.Via:
			sh = through(sh, st.via)
			if p.of != nil { // what a copy keeps of its source's order is not known
				sh.Dir = forms.NoOrder
			}
		case notation.Desc:
			sh = sh.Inverted()
		case notation.Left, notation.Right:
			if sh = sh.Cut(st.to, st.word == notation.Right); c.packs() { // its intervals are those of whole UUIDs
				sh.Dir = forms.NoOrder
			}
		case notation.ReversePart:
			if sh.Max >= 0 && st.to > sh.Max {
				return sh, fmt.Sprintf("ReversePart(%d, %d) reaches beyond every value", st.from, st.to)
			}
			sh = sh.ReversedPart(st.to)
		default:
			sh = sh.Reversed()
		}
	}
	return sh, ""
}

// framed is a shape behind the frame.
func (p *pipeline) framed(sh forms.Shape) (_ forms.Shape, problem string) {
	switch c := p.c; c.frame {
	case frameFixed:
		if c.width < sh.Min || sh.Max >= 0 && c.width > sh.Max {
			return sh, fmt.Sprintf("Fixed(%d): no value has this length", c.width)
		}
		sh = sh.Exactly(c.width)
	case framePad, framePadLeft:
		if c.width < sh.Min {
			return sh, fmt.Sprintf("no value fits %d bytes", c.width)
		}
		if c.frame == framePad {
			c.full = sh.Fixed() && sh.Min == c.width
			sh = sh.Padded(c.width, c.pad)
		} else {
			sh = sh.PaddedLeft(c.width, c.pad)
		}
	case frameEscaped:
		if sh = sh.Escaped(); c.endless {
			sh = sh.Unended()
		}
	case frameNul:
		sh = sh.Ended()
	case frameBlobVar:
		sh = sh.Grouped()
	case frameLength:
		return p.lengthed(sh)
	}
	return sh, ""
}

// lengthed is the shape of forms with their length in front. That keeps the order
// of numbers without zeros in front, and of forms of one length; others lose theirs.
func (p *pipeline) lengthed(sh forms.Shape) (forms.Shape, string) {
	c := p.c
	if sh.Min > forms.MostOfLength(c.width) {
		return sh, fmt.Sprintf("no value fits a length of %s", plural(c.width, "byte"))
	}
	dir := sh.Dir
	plain := !slices.ContainsFunc(c.stages, func(st stage) bool { return st.word != notation.Fixed && st.word != notation.Desc })
	switch order := forms.FactsOf(c.num.form).ByLength; {
	case order == forms.Backward && len(c.stages) == 0:
		dir = forms.Down
	case order == forms.Forward && len(c.stages) == 0:
		dir = forms.Up
	case !plain || !sh.Fixed():
		dir = forms.NoOrder
	}
	return sh.Lengthed(c.width, dir), ""
}

// valueShape is the shape of the values that the whole pipeline admits; sh is
// that of its first stage.
func (p *pipeline) valueShape(sh forms.Shape) forms.Shape {
	c := p.c
	if c.codes != nil { // what follows is about the codes
		sh = forms.SetShape(sortedKeys(c.codes))
		if sh.Ends == forms.EndSelf {
			sh.Ends = forms.EndNone
		}
		return sh
	}
	frame := c.frame
	for _, st := range c.stages {
		if st.word == notation.UUID {
			sh = sh.Exactly(forms.UUIDText)
		}
		if st.word == notation.Via || st.word == notation.UUID { // what stands behind judges its forms
			frame = noFrame
			break
		}
		if st.word == notation.ReversePart {
			sh.Min = max(sh.Min, st.to)
		}
		if st.word == notation.Fixed {
			sh = sh.Exactly(st.to)
		}
	}
	switch frame {
	case frameFixed:
		sh = sh.Exactly(c.width)
	case framePad, framePadLeft:
		if sh.Max < 0 || sh.Max > c.width {
			sh.Max = c.width
		}
	case frameLength:
		if most := forms.MostOfLength(c.width); sh.Max < 0 || sh.Max > most {
			sh.Max = most
		}
	}
	sh.Ends = forms.EndNone
	if sh.Fixed() {
		sh.Ends = forms.EndWidth
	}
	return sh
}

// enumerate runs every value of a finite set through the stages: their forms
// are known exactly, order and all.
func (c *component) enumerate(values []string) (forms.Shape, string) {
	made := make([]string, len(values))
	for i, v := range values {
		if len(v) < c.least {
			return forms.Shape{}, fmt.Sprintf("value %q is shorter than MinLen(%d)", v, c.least)
		}
		if c.chars != nil {
			if _, err := checkText(c, v); err != nil {
				return forms.Shape{}, fmt.Sprintf("value %q is not made of Chars", v)
			}
		}
		if c.codes != nil {
			v = c.codes[v]
		}
		form := []byte(v)
		for _, st := range c.stages {
			var err error
			if form, err = st.run(form); err != nil {
				return forms.Shape{}, fmt.Sprintf("%s does not fit the value %q", st.word, values[i])
			}
		}
		made[i] = string(form)
	}
	c.forms = make([][]byte, len(made))
	for i, f := range made {
		c.forms[i] = []byte(f)
	}
	slices.SortFunc(c.forms, bytes.Compare)
	return forms.SetShape(made), ""
}

// tooShort is the error of a value of n bytes.
func (c *component) tooShort(n int) error {
	return lengthRefused(n, c.least, maxKey)
}

// packs reports that the component writes its text as a UUID.
func (c *component) packs() bool { return len(c.stages) > 0 && c.stages[0].word == notation.UUID }

// packUUID turns the text in b into its bytes, in place.
func packUUID(b []byte) ([]byte, error) {
	if len(b) != forms.UUIDText {
		return b, lengthRefused(len(b), forms.UUIDText, forms.UUIDText)
	}
	if form, ok := forms.PackUUID(b); ok {
		return form, nil
	}
	return b, errNoUUID
}

var errNoUUID error = &detail{"not 8-4-4-4-12 hexadecimal digits in lower case", ErrRange}

// packedSpan is a span of texts with its ends drawn in to UUIDs: it holds the same
// ones. False if it holds none.
func packedSpan(t textSpan) (textSpan, bool) {
	some := true
	if t.lo != "" {
		t.lo, some = forms.UUIDFrom(t.lo)
	}
	if !t.open {
		var ends bool
		if t.hi, ends = forms.UUIDFrom(t.hi); !ends {
			t.open = true
		}
	}
	return t, some && (t.open || t.lo < t.hi)
}
