package rowkey

import (
	"bytes"
	"fmt"
	"slices"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// A text's stages: which texts a field admits, what the stages make of them, and how
// the frame ends them, as shapes.

// texts is valued for a text.
func (p *pipeline) texts() (sh shape, values []string, problem string) {
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
	if c.frame == frameFixed && (c.width < sh.min || sh.max >= 0 && c.width > sh.max) && len(c.stages) == 0 ||
		(c.frame == framePad || c.frame == framePadLeft) && c.width < sh.min {
		problem = fmt.Sprintf("no value fits %d bytes", c.width)
	}
	c.value = p.valueShape(sh)
	return sh, values, problem
}

// text is the shape of a text's values, or of their codes, and the values if
// they are finitely many.
func (p *pipeline) text() (shape, []string, string) {
	c := p.c
	sh := textShape()
	if p.of != nil {
		sh = p.of.value
	}
	if c.decimal != forms.NoDecimal {
		sh = decimalShape(c.decimal)
	}
	if c.filled && sh.min == 0 {
		sh.min = 1
	}
	if c.frame == frameNul {
		sh.bytes[0] = false
	}
	if c.least > 0 && c.codes == nil {
		var problem string
		if sh, problem = sh.atLeast(c.least); problem != "" {
			return sh, nil, problem
		}
	}
	if c.chars != nil {
		sh = sh.limited(*c.chars)
	}
	var values []string
	switch {
	case c.codes != nil:
		values = sortedKeys(c.codes)
		forms := make([]string, len(values))
		for i, v := range values {
			forms[i] = c.codes[v]
		}
		sh = setShape(forms)
	case p.oneOf != nil:
		values = p.oneOf
		sh = setShape(values)
	}
	return sh, values, ""
}

// staged is a shape behind the stages.
func (p *pipeline) staged(sh shape) (_ shape, problem string) {
	c := p.c
	for _, st := range c.stages {
		switch st.word {
		case wFixed: // the frame says it, if it still stands
			if c.vias > 0 {
				if st.to < sh.min || sh.max >= 0 && st.to > sh.max {
					return sh, fmt.Sprintf("Fixed(%d): no value has this length", st.to)
				}
				sh = sh.exactly(st.to)
			}
		case wUUID:
			if sh, problem = sh.packed(); problem != "" {
				return sh, problem
			}
		case wVia:
			sh = sh.through(st.via)
			if p.of != nil { // what a copy keeps of its source's order is not known
				sh.dir = none
			}
		case wDesc:
			sh = sh.inverted()
		case wLeft, wRight:
			if sh = sh.cut(st.to, st.word == wRight); c.packs() { // its intervals are those of whole UUIDs
				sh.dir = none
			}
		case wReversePart:
			if sh.max >= 0 && st.to > sh.max {
				return sh, fmt.Sprintf("ReversePart(%d, %d) reaches beyond every value", st.from, st.to)
			}
			sh = sh.reversedPart(st.to)
		default:
			sh = sh.reversed()
		}
	}
	return sh, ""
}

// framed is a shape behind the frame.
func (p *pipeline) framed(sh shape) (_ shape, problem string) {
	switch c := p.c; c.frame {
	case frameFixed:
		if c.width < sh.min || sh.max >= 0 && c.width > sh.max {
			return sh, fmt.Sprintf("Fixed(%d): no value has this length", c.width)
		}
		sh = sh.exactly(c.width)
	case framePad, framePadLeft:
		if c.width < sh.min {
			return sh, fmt.Sprintf("no value fits %d bytes", c.width)
		}
		if c.frame == framePad {
			c.full = sh.fixed() && sh.min == c.width
			sh = sh.padded(c.width, c.pad)
		} else {
			sh = sh.paddedLeft(c.width, c.pad)
		}
	case frameEscaped:
		if sh = sh.escaped(); c.endless {
			sh = sh.unended()
		}
	case frameNul:
		sh = sh.ended()
	case frameBlobVar:
		sh = sh.grouped()
	case frameLength:
		return p.lengthed(sh)
	}
	return sh, ""
}

// lengthed is the shape of forms with their length in front: none begins another,
// and the shorter ones stand first. That is the order of numbers without zeros in
// front, and it does no harm to forms of one length; others lose their order.
func (p *pipeline) lengthed(sh shape) (shape, string) {
	c := p.c
	most := forms.MostOfLength(c.width)
	if sh.min > most {
		return sh, fmt.Sprintf("no value fits a length of %s", plural(c.width, "byte"))
	}
	plain := !slices.ContainsFunc(c.stages, func(st stage) bool { return st.word != wFixed && st.word != wDesc })
	switch number := p.numeric && p.form == wDecimal && c.kind != kindInt && len(c.stages) == 0; {
	case number && p.desc:
		sh.dir = down
	case number:
		sh.dir = up
	case !plain || !sh.fixed():
		sh.dir = none
	}
	sh = sh.loosened()
	if sh.max < 0 || sh.max > most {
		sh.max = most
	}
	sh.min, sh.max = sh.min+c.width, sh.max+c.width
	sh.bytes, sh.free, sh.ends = allBytes(), true, endSelf
	if sh.fixed() {
		sh.ends = endWidth
	}
	return sh, ""
}

// valueShape is the shape of the values that the whole pipeline admits; sh is
// that of its first stage.
func (p *pipeline) valueShape(sh shape) shape {
	c := p.c
	if c.codes != nil { // what follows is about the codes
		sh = setShape(sortedKeys(c.codes))
		if sh.ends == endSelf {
			sh.ends = endNone
		}
		return sh
	}
	frame := c.frame
	for _, st := range c.stages {
		if st.word == wUUID {
			sh = sh.exactly(forms.UUIDText)
		}
		if st.word == wVia || st.word == wUUID { // what stands behind judges its forms
			frame = noFrame
			break
		}
		if st.word == wReversePart {
			sh.min = max(sh.min, st.to)
		}
		if st.word == wFixed {
			sh = sh.exactly(st.to)
		}
	}
	switch frame {
	case frameFixed:
		sh = sh.exactly(c.width)
	case framePad, framePadLeft:
		if sh.max < 0 || sh.max > c.width {
			sh.max = c.width
		}
	case frameLength:
		if most := forms.MostOfLength(c.width); sh.max < 0 || sh.max > most {
			sh.max = most
		}
	}
	sh.ends = endNone
	if sh.fixed() {
		sh.ends = endWidth
	}
	return sh
}

// enumerate runs every value of a finite set through the stages: their forms
// are known exactly, order and all.
func (c *component) enumerate(values []string) (shape, string) {
	forms := make([]string, len(values))
	for i, v := range values {
		if len(v) < c.least {
			return shape{}, fmt.Sprintf("value %q is shorter than MinLen(%d)", v, c.least)
		}
		if c.chars != nil {
			if _, err := checkText(c, v); err != nil {
				return shape{}, fmt.Sprintf("value %q is not made of Chars", v)
			}
		}
		if c.codes != nil {
			v = c.codes[v]
		}
		form := []byte(v)
		for _, st := range c.stages {
			var err error
			if form, err = st.run(form); err != nil {
				return shape{}, fmt.Sprintf("%s does not fit the value %q", st.word, values[i])
			}
		}
		forms[i] = string(form)
	}
	c.forms = make([][]byte, len(forms))
	for i, f := range forms {
		c.forms[i] = []byte(f)
	}
	slices.SortFunc(c.forms, bytes.Compare)
	return setShape(forms), ""
}

// atLeast is the shape of the values that MinLen admits, and why there is none.
func (s shape) atLeast(n int) (shape, string) {
	if s.max >= 0 && s.max < n {
		return s, fmt.Sprintf("MinLen(%d): no value is so long", n)
	}
	s.min = max(s.min, n)
	if s.fixed() {
		s.ends = endWidth
	}
	return s, ""
}

// tooShort is the error of a value of n bytes.
func (c *component) tooShort(n int) error {
	return lengthRefused(n, c.least, maxKey)
}

// packed is the shape of the bytes of texts that are UUIDs, and why none is one.
func (s shape) packed() (shape, string) {
	if s.min > forms.UUIDText || s.max >= 0 && s.max < forms.UUIDText {
		return s, "UUID: no value has its 36 characters"
	}
	return fixedShape(forms.UUIDSize, s.dir), ""
}

// packs reports that the component writes its text as a UUID.
func (c *component) packs() bool { return len(c.stages) > 0 && c.stages[0].word == wUUID }

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
