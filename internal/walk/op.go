package walk

import (
	"math"
	"slices"
	"sync/atomic"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Layout is a schema as ops. It does not change, but for the pairing that it keeps.
type Layout struct {
	First  *Step // of the first stored field, for a Reader
	s      *layout.Schema
	ops    []op    // one for each component
	steps  []Step  // one for each field; of one that is not stored the zero step
	checks []check // of the salts, hashes and copies in the key
	lists  []byte  // the values of the lists of all fields, which no one changes
	told   bool    // all that stands in a key besides its fields is checked: see Numbers
	whole  bool    // scan reads its keys
	rests  bool    // all that is left to check of a key whose fields are read is computed from the rest of the key
	pair   atomic.Pointer[pairing]
}

// Schema is the compiled layout.
func (w *Layout) Schema() *layout.Schema { return w.s }

// what says how a component is read.
type what uint8

const (
	gap      what = iota + 1 // n bytes, which the checks compare later
	constant                 // the bytes lit
	varying                  // a salt or copy whose length varies
	word                     // a number of up to 8 bytes, big-endian, perhaps behind a header
	number                   // a number in any other form
	text                     // a text that stands in the key as it is
	listed                   // a text of OneOf, or the code of one
	other                    // a field, by its component
)

// op is how one component is read. The first fields are all that a number in bytes needs.
type op struct {
	what       what
	cell       uint8 // of a field its number
	reversed   bool  // the bytes of a number's form are reversed
	loads      bool  // a word as it stands, of which only the limits are to be checked
	digits     bool  // of a number: its form is digits as they are, n of them
	plain      bool  // of a text: it stands as it is, up to the byte sep
	sep, over  byte  // over is 1 if sep belongs to the form
	turned     turn  // of a text
	nullable   bool  // a text that may be null, which takeOther reads
	flip       byte  // ff if the bytes of a text, and those that end it, are inverted; else 00
	head       byte  // before a text, or a word of 8 bytes or of a float; 0: none
	pad        byte
	end        forms.End // how the end of the form is found
	n          int       // the length of the form, if all have one
	xor, mask  uint64    // of a word, or of one behind a header: (load^xor)&mask - half is its number
	half       uint64    // 80 00 for one in two bytes that has a sign
	bias, span uint64    // value+bias <= span: the limits of a number
	trunc      uint64    // a time is a multiple of this; 0 or 1: any
	lit        string    // of a constant; of a field the separator that ends it
	least      int       // the limits of a text's length
	most       int
	chars      *forms.ByteSet
	list       *forms.List[cell] // of a text of OneOf or Codes: its values by their forms
	varint     *forms.Varint     // of a number that is one
	float      *forms.Float      // of a word that holds one, whose bits it says; else nil
	c          *layout.Component
}

// turn is how a text is changed before it is stored.
type turn uint8

const (
	notTurned turn = iota
	reversal       // its bytes are reversed
	inverted       // its bytes are inverted
	packed         // it is a UUID
	staged         // in any other way: by its stages and its flip
)

// turnOf is the turn of a text.
func turnOf(c *layout.Component) turn {
	var words []notation.Word
	for _, st := range c.Stages {
		if st.Word != notation.Fixed { // which checks a length only
			words = append(words, st.Word)
		}
	}
	switch {
	case len(c.Stages) == 0 && !c.InvertAll:
		return notTurned
	case len(words) == 1 && words[0] == notation.Reverse && !c.InvertAll:
		return reversal
	case len(words) == 1 && words[0] == notation.Desc && !c.InvertAll, len(words) == 0 && c.InvertAll:
		return inverted
	case len(words) == 1 && words[0] == notation.UUID && !c.InvertAll:
		return packed
	}
	return staged
}

// Compile makes the ops of a compiled schema, and the steps of its fields.
func Compile(s *layout.Schema) *Layout {
	known := !s.Cold && s.Loose == 0
	w := &Layout{s: s, ops: make([]op, len(s.Comps)), whole: known && len(s.Fields) > 0 && len(s.Fields) <= few}
	for i := range s.Comps {
		w.ops[i].compile(&s.Comps[i], known)
		w.keepList(&w.ops[i])
	}
	w.link()
	w.compileChecks()
	return w
}

// keepList has the values of a field's list lie in w.lists, where the cells of the field can say them.
func (w *Layout) keepList(o *op) {
	if o.what != listed {
		return
	}
	values, stored := o.c.ListedForms()
	cells := make([]cell, len(values))
	for i, v := range values {
		cells[i] = inLists | textCell(len(w.lists), len(w.lists)+len(v))
		w.lists = append(w.lists, v...)
	}
	if o.list = forms.ListOf(stored, cells); o.list == nil {
		o.what = other
	}
}

// compile makes the op of a component; other if it must not be known.
func (o *op) compile(c *layout.Component, known bool) {
	o.c = c
	switch {
	case !known:
		o.what = other
	case c.Absent:
		o.what = gap
	case c.Role == layout.RoleLiteral:
		o.what, o.lit, o.n = constant, string(c.Lit), len(c.Lit)
	case c.Role != layout.RoleField:
		if o.what = varying; c.Shape.Fixed() && !c.Trims && !c.Optional {
			o.what, o.n = gap, c.Shape.Min
		}
	default:
		o.what, o.cell, o.end, o.lit = other, uint8(c.Ord), c.Ends, string(c.Mark)
		if (c.Optional || c.Trims) && !c.IsText() || c.Loose || c.Decimal != forms.NoDecimal || c.Vias > 0 || c.Ends == forms.EndNone || c.Ends == forms.EndLoose {
			return
		}
		if c.Ends == forms.EndWidth {
			o.n = c.Shape.Min
		}
		if c.IsText() {
			o.compileText()
		} else if c.Header == 0 && c.Frame == layout.NoFrame && c.Unit.Own == nil && !c.InvertAll {
			o.compileNumber()
		}
	}
}

// compileNumber makes the op of a number, of any kind.
func (o *op) compileNumber() {
	c := o.c
	for _, st := range c.Stages {
		if st.Word != notation.Reverse || len(c.Stages) > 1 {
			return
		}
		if o.reversed = true; o.n > mostTurned {
			return
		}
	}
	o.what = number
	if o.bias, o.span = -c.Num.Min, c.Num.Max-c.Num.Min; c.Biased() {
		o.bias = layout.SignBit64 - c.Num.Min
	}
	if o.trunc = c.Num.Trunc; c.Kind == layout.KindFloat {
		o.bias, o.span = 0, math.MaxUint64
	}
	var f forms.BigEndian
	switch form := c.Num.Form.(type) {
	case *forms.BigEndian:
		f = *form
	case *forms.Float:
		o.float, f = form, form.BigEndian
	case *forms.Digits:
		o.digits = form.Nines|form.Xor == 0 && !o.reversed && o.end == forms.EndWidth && o.n == form.N
	case *forms.Varint:
		o.varint = form
	case *forms.Bool:
		if form.True == 1 {
			f = forms.BigEndian{Size: 1, Xor: uint64(form.Xor)}
		}
	}
	if f.Size == 0 {
		return
	}
	if o.mask = forms.Mask(f.Size); f.Signed {
		o.half = o.mask>>1 + 1
	}
	if o.xor = f.Xor ^ o.half; f.Head != 0 && f.Size < 8 && o.float == nil { // a header is a byte of the number, which is 0 if it is right
		o.xor |= uint64(f.Head) << (8 * f.Size)
		f = forms.BigEndian{Size: f.Size + 1}
	}
	o.mask = forms.Mask(f.Size)
	if o.end == forms.EndWidth && (o.n == f.Size && f.Head == 0 || o.n == f.Size+1 && f.Head != 0 && !o.reversed) {
		o.what, o.head = word, f.Head
		o.loads = !o.reversed && o.head == 0 && o.float == nil && o.trunc <= 1
	}
}

// compileText makes the op of a text, or of one whose values are listed.
func (o *op) compileText() {
	c := o.c
	if c.Precision.Digits != 0 || c.Endless || slices.ContainsFunc(c.Stages, func(st layout.Stage) bool {
		return st.Word != notation.Fixed && st.Word != notation.Desc && st.Word != notation.UUID && !st.Reverses()
	}) {
		return
	}
	o.flip, o.turned, o.nullable = c.Flip(), turnOf(c), c.Optional
	o.least, o.most, o.chars, o.head, o.pad = c.Least, math.MaxInt, c.Chars, c.Header^o.flip, c.Pad^o.flip
	if c.Header == 0 {
		o.head = 0
	}
	if c.Filled {
		o.least = max(o.least, 1)
	}
	if c.Frame == layout.FrameFixed && o.turned == notTurned { // else a stage may change the length
		o.least, o.most = max(o.least, c.Width), c.Width
	}
	bare, framed := o.bare(), c.Frame >= layout.FrameEscaped
	if c.Frame == layout.FrameBlobVar || framed != (o.end == forms.EndSelf) && !(bare && o.end == forms.EndSelf) {
		return // it has no plain data, or such as an end of a dialect that the last field leaves off
	}
	switch {
	case c.OneOf == nil && c.Codes == nil:
		if !bare || o.end != forms.EndSelf {
			o.what = text
			o.plain = (bare && o.end == forms.EndMarked && len(o.lit) == 1 || c.Frame == layout.FrameNul && !c.Trims) && o.turned == notTurned && o.head == 0 && o.chars == nil && !o.nullable
			if o.sep = (o.lit + "\x00")[0]; c.Frame == layout.FrameNul {
				o.sep, o.over = 0, 1
			}
		}
	case o.turned == notTurned && c.Header == 0 && !c.Filled && !c.Optional && !c.Trims && (bare || c.Frame == layout.FrameNul) && c.Width == 0:
		o.what = listed
	}
}
