// Package code is a schema as plain data: each component with all its options resolved to
// constants. A generator prints code from it, in any language, and needs nothing else.
//
// It knows the compiled components of package layout, and no language. It must not write a
// key. What it cannot say in its data it refuses, and names the component.
//
// Example: of [max-ms(at)] it says: eight bytes, big-endian, XOR 7fffffffffffffff, the
// number of milliseconds since 1970, at most 7fffffffffffffff.
package code

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/split"
)

// Schema is a compiled schema. Comps stand in key order. Fields are those that a caller
// supplies, in the caller's order.
type Schema struct {
	Name, Notation, Fingerprint string

	MaxLen   int // of the longest key, in bytes
	Comps    []*Comp
	Fields   []*Comp
	Derived  []*Comp  // salts, hashes and copies, in key order
	Prefixes []Prefix // of the first field, the first two, … all

	Leads []Lead // the components at the start of the key of which split keys are made

	// AtEnd says that salts and hashes are computed after all fields are checked: so their
	// faults are reported after those of all fields. Else each is computed after the last of
	// its fields.
	AtEnd bool

	// GoesOn says that another key may begin with all bytes of a key. The range of a key is
	// then [key, key 00), and else all that begins with it.
	GoesOn bool

	// Trims says that nulls at the end of a key are left off, and of some fields before them the end.
	Trims bool

	// Refused is the first component that the data cannot say; nil: it says all. Then of each
	// component Index, Ord, Name, Kind, Notation and Optional hold, and Prefixes.
	Refused *Refusal

	// NotJava is the component for which Go is printed and no Java: the errors of its keys are the
	// library's to find. nil: there is none.
	NotJava *Refusal
}

// Prefix is what the first fields of a schema decide.
type Prefix struct {
	Fields int   // how many
	Comps  int   // how many components at the start of the key they decide
	Checks int   // how many may refuse their values: a copy of one may stand after what they decide
	Open   []int // salts and hashes among these that they do not decide: each of their forms is a range
	Ranges int   // how many ranges; 0: more than a query may have, or none. A null at the end may double them: see Twice
}

// Lead is a component whose forms are known before there is data. They are Forms, or else all of N
// digits to a base: 256, or 16 in lower or upper case.
type Lead struct {
	Before []byte // constants before it
	Forms  [][]byte
	Base   int
	N      int
	Upper  bool
}

// Kind is the type of a component.
type Kind uint8

const (
	Literal Kind = iota + 1
	Salt
	Hash
	String
	Binary
	Uint
	Int
	Float
	Bool
	Time
)

// End is how a reader finds the end of a component.
type End uint8

const (
	ByWidth  End = iota + 1 // all forms have Width bytes
	BySelf                  // the form's own bytes tell
	ByMark                  // by Mark, which comes next
	ByKeyEnd                // by the end of the key
)

// Comp is one component.
type Comp struct {
	Index    int // among Comps
	Ord      int // among Fields; −1: not supplied
	Name     string
	Kind     Kind
	Notation string // its piece of the notation
	Lit      []byte // of a Literal: its bytes
	Width    int    // the length of every form; 0: it varies
	Least    int    // the length of the shortest form
	End      End
	Mark     []byte       // the separator that ends it
	Loose    bool         // its value may hold Mark: its end is counted from the end of the key
	Size     int          // of a number: its declared bytes
	Optional bool         // it may be null
	Apart    bool         // keys of values sort between the key that a null at the end leaves out, and those in which it stands
	Null     []byte       // the form of a null that is not at the end of the key; no other form begins with it; empty: there is none
	Tail     bool         // the key may end before it, or after it: only fields that may be null come after it
	Trim     int          // the length of its end, which is left off if only nulls come after it; 0: it is not
	Absent   bool         // it is not stored: its value is checked, and what is computed from it stands in the key
	Last     int          // of a salt, a hash or a copy the field with which it is written, by its place among the fields
	Of       *Comp        // of a copy: its field; Num or Text is how the copy is written
	Forms    [][]byte     // all forms in key order, of what has few
	Guarded  bool         // of a salt or hash that is not Known: not any bytes of its length are a form
	Bytes    form.ByteSet // those of which its forms consist
	Num      *Num         // of a number or a time
	Text     *Text        // of a String or Binary
	Sum      *Sum         // of a Salt or Hash
}

// How is how a number is written.
type How uint8

const (
	BigEndian  How = iota + 1 // N bytes, of the number XOR Xor
	Digits                    // N decimal digits, of Nines − (number XOR Xor), or without Nines of number XOR Xor
	HexDigits                 // N hexadecimal digits in lower case, of the number XOR Xor
	Plain                     // decimal digits without zeros before them, of the number XOR Xor; Signed: after '-'
	Varint                    // 1 to 9 bytes of the number XOR Xor, of which the first says how many; Desc: each XOR ff
	OneByte                   // a bool: 00, or True
	FloatBits                 // N bytes of IEEE bits in the order of the numbers, or Raw, XOR Xor
	DateText                  // the text of Date, its characters complemented if Desc
	DateNumber                // N bytes of the digits of Date as a number, XOR Xor
	Decimals                  // the form Decimal of the whole number, of 1 to 21 bytes, and 00 after it if Nul
	Timestamp                 // 8 bytes of the milliseconds, rounded down, XOR Xor, and 4 of the nanoseconds after them, XOR Rest
)

// Num is a number, and how it is written. The number is 64 bits: two's complement of an
// Int, 0 or 1 of a Bool, IEEE bits of a Float, units of a Time, seconds since 1970 of a
// Time that has a Date.
type Num struct {
	How     How
	N       int
	Xor     uint64
	Nines   uint64
	Signed  bool
	Raw     bool
	Desc    bool
	True    byte
	Rest    uint64 // of a Timestamp
	Add     uint64 // is added to the ordered bits of a float, before Xor
	Head    byte   // a byte before the form, as it is stored; 0: none
	Reverse bool   // the bytes of the form are reversed
	Invert  bool   // each byte of the form is XOR ff
	Decimal form.DecimalForm
	Nul     bool

	Zeros    bool // of a Float: −0 is another value than 0
	Positive bool // of a Float: no number below 0 is stored

	Min, Max   uint64 // the limits of a Uint or a Time
	IMin, IMax int64  // of an Int, of a Time with Past, or of seconds if there is a Date
	Truncate   uint64 // the number is rounded down to a multiple of this; 0: it is not

	Unit // of a Time
}

// Unit is what a Time counts.
type Unit struct {
	Step  time.Duration // one unit
	Epoch int64         // its first second, since 1970
	Past  bool          // it may lie before its epoch, and the number is two's complement
	Date  *Date         // the layout of its digits, and the number is seconds since 1970; nil: there is none
}

// Signed reports that the number of a field is two's complement, and that its text may begin with '-'.
func (c *Comp) Signed() bool { return c.Kind == Int || c.Num != nil && c.Num.Past }

// Negative reports that the number of a field may lie below 0.
func (c *Comp) Negative() bool { return c.Signed() || c.Num.Date != nil }

// Date is a layout such as 2006-01-02, in one offset from UTC.
type Date struct {
	Elements  uint8  // how many of year, month, day, hour, minute, second
	Pattern   string // 0000-00-00: a digit for each 0, other characters as they are
	Offset    int64  // seconds east of UTC
	AllDigits bool
}

// Word is what a Step does.
type Word uint8

const (
	Reversed Word = iota + 1 // the last byte comes first
	Inverted                 // each byte is XOR ff
	UUID                     // 36 characters become 16 bytes; no other step is then
	Runes                    // the last character of UTF-8 comes first
	Labels                   // the last label between separators Sep comes first
	Part                     // bytes From to To are reversed
)

// Step is a change of a text's bytes.
type Step struct {
	Word
	From, To int
	Sep      []byte
}

// Cut is the first N bytes of a copy's text, or the last.
type Cut struct {
	Right bool
	N     int
}

// Frame is how a text is made to end, or to have a width.
type Frame uint8

const (
	NoFrame  Frame = iota
	Fixed          // it has N bytes
	Pad            // Fill after it, up to N bytes
	PadLeft        // Fill before it, up to N bytes
	Escaped        // 00 as 00 ff, and 00 01 at the end
	ByLength       // its length in N bytes before it
	Nul            // 00 at the end, and nowhere else
	Groups         // seven bits a byte, the highest bit 1 but in the last: 01 is 80 40
)

// Text is a text, and how it is written: its bytes or its code, Cuts, Steps, Frame, Head before them,
// and then XOR ff if InvertAll.
type Text struct {
	Least     int // the fewest bytes of a value
	Chars     *form.ByteSet
	OneOf     []string    // sorted
	Codes     [][2]string // value and code, sorted by value
	Cuts      []Cut
	Steps     []Step
	Frame     Frame
	N         int
	Fill      byte
	Trim      bool // a value without the bytes Fill at its end is meant, and written
	Open      bool // Escaped, without the end 00 01: nothing comes after it
	Filled    bool // what is written is not empty
	Head      byte // 0: none
	InvertAll bool

	Decimal       form.DecimalForm // the text is a decimal number, which is written in this form
	Digits, Scale int              // its most digits, and after the point; 0 digits: the form's limits
}

// Inverted reports that each byte of the form is XOR ff.
func (c *Comp) Inverted() bool {
	return c.Text != nil && c.Text.InvertAll || c.Num != nil && c.Num.Invert
}

// Trimmed is the end of a form that Trim counts. A salt or hash of the form is computed with it.
func (c *Comp) Trimmed() []byte { return []byte{0, 1}[:c.Trim] }

// Decimal is the form of a decimal number; NoDecimal of what is none.
func (c *Comp) Decimal() form.DecimalForm {
	switch {
	case c.Text != nil:
		return c.Text.Decimal
	case c.Num != nil:
		return c.Num.Decimal
	}
	return form.NoDecimal
}

// Nul reports a form that ends with 00, and holds no other.
func (c *Comp) Nul() bool { return c.Text != nil && c.Text.Frame == Nul || c.Num != nil && c.Num.Nul }

// Packs reports that the text of a UUID is written as 16 bytes.
func (t *Text) Packs() bool { return len(t.Steps) > 0 && t.Steps[0].Word == UUID }

// ZeroIsNull reports that for callers the empty value of a field that may be null is one.
func (c *Comp) ZeroIsNull() bool {
	return c.Optional && c.Text != nil && c.Text.Filled && len(c.Text.Codes) == 0
}

// AsIs reports that the stored form is the text itself, its code, or what is cut of it.
func (t *Text) AsIs() bool {
	return len(t.Steps) == 0 && (t.Frame == NoFrame || t.Frame == Fixed) && !t.InvertAll && t.Head == 0 && t.Decimal == form.NoDecimal
}

// Input is what a salt or hash is computed from.
type Input uint8

const (
	Values Input = iota + 1 // of each field its value
	Stored                  // of each field its stored form
	AsText                  // of each field its value as text
	Rest                    // all bytes of the key after the component
	Format                  // Verbs
	MinMax                  // of two fields their values, the smaller first
)

// Verb is a piece of a format: constant Text, or the next field by Kind: 's', 'd', 'x' or 'X', with at
// least Zeros digits.
type Verb struct {
	Kind  byte
	Zeros int
	Text  string
}

// BucketForm is how a bucket's number is written.
type BucketForm uint8

const (
	InBytes   BucketForm = iota + 1 // big-endian, in Width bytes
	InDigits                        // decimal, in Width digits
	InLetters                       // one of Letters
	InDecimal                       // decimal, without zeros before it
)

// Sum is a salt or a hash: a part of a digest, or a bucket.
type Sum struct {
	Input Input
	Of    []*Comp // what it is computed from, in this order; of Rest none
	Verbs []Verb

	Digest digest.Algorithm
	Seed   uint32
	Hex    bool // hexadecimal characters of the digest, not bytes
	Upper  bool
	At, N  int // of Hex: N characters from character At on; else the first N bytes

	Rule    digest.Rule // of a Salt
	Buckets uint64
	Form    BucketForm
	Letters string
}

// OfForm reports that of a component its stored form is read, also of a copy its form, and not its
// value.
func (d *Sum) OfForm(c *Comp) bool { return d.Input == Stored || c.Of != nil }

// Late reports that it is computed from what stands in the key.
func (d *Sum) Late() bool { return d.Input == Rest || slices.ContainsFunc(d.Of, d.OfForm) }

// MayFail reports that there are values without a digest or a bucket.
func (s *Sum) MayFail() bool {
	return s.Rule.OfText() || s.Rule == digest.HBaseWD || s.Digest == digest.JavaHashCode
}

// Refusal says which component is not covered.
type Refusal struct {
	Schema, Comp, Notation string
	Why                    string
	InGo                   bool // no notation says it, since it is written in Go
}

func (r *Refusal) Error() string {
	return fmt.Sprintf("%s: %s: %s", r.Schema, r.Notation, r.Why)
}

// Of resolves a compiled schema.
func Of(in *layout.Schema, text, fingerprint string) *Schema {
	s := &Schema{Name: in.Name, Notation: text, Fingerprint: fingerprint, MaxLen: in.MaxLen, AtEnd: in.Gathered, Trims: in.Trims}
	refuse := func(o *Comp, why string) {
		if why != "" && s.Refused == nil {
			s.Refused = &Refusal{s.Name, o.Name, o.Notation, why, inGo(&in.Comps[o.Index])}
		}
	}
	for i := range in.Comps {
		c := &in.Comps[i]
		o := &Comp{Index: i, Ord: c.Ord, Name: c.Name, Kind: kindOf(c), Notation: c.Notation(), Lit: c.Lit, Least: c.Shape.Min, Mark: c.Mark,
			Size: c.Size, Optional: c.Optional, Apart: c.Optional && c.NullSide() != layout.Below, Null: c.Null, Tail: c.Tail, Absent: c.Absent, Forms: c.Forms,
			Guarded: c.Guarded(), Bytes: c.Shape.Bytes}
		if c.Trims {
			o.Trim = c.EndLen()
		}
		s.Comps = append(s.Comps, o)
		refuse(o, s.resolve(o, c))
	}
	for _, c := range in.Fields {
		s.Fields = append(s.Fields, s.Comps[c.Index])
	}
	for i := range in.Comps {
		if of := in.Comps[i].Of; of != nil {
			s.Comps[i].Of = s.Comps[of.Index]
		}
	}
	for _, o := range s.Derived {
		if o.Last = in.Comps[o.Index].Needs - 1; o.Of == nil {
			refuse(o, s.sum(o, &in.Comps[o.Index]))
		}
	}
	for i, o := range s.Comps {
		if !o.Loose || s.Refused != nil {
			continue
		}
		if slices.ContainsFunc(s.Stored(len(s.Comps)), func(c *Comp) bool { return c != o && c.Width == 0 }) {
			refuse(o, "its end has to be tried, since another component varies in length")
		}
		s.NotJava = &Refusal{s.Name, o.Name, in.Comps[i].Notation(), "Loose is not covered", false}
	}
	if stored := s.Stored(len(s.Comps)); len(stored) > 0 {
		s.GoesOn = in.Trims || stored[len(stored)-1].End == ByKeyEnd
	}
	for n := 1; n <= len(s.Fields); n++ {
		p := prefixOf(in, n)
		if len(s.Stored(p.Comps)) == 0 {
			p.Ranges = 0 // nothing is known of the key
		}
		s.Prefixes = append(s.Prefixes, p)
	}
	s.leads(in)
	return s
}

// Stored are the components that stand in a key, of the first n.
func (s *Schema) Stored(n int) []*Comp {
	return slices.DeleteFunc(slices.Clone(s.Comps[:n]), func(c *Comp) bool { return c.Absent })
}

// Twice reports that a null at the end of a prefix may need two ranges for one.
func (s *Schema) Twice(p Prefix) bool {
	return p.Comps < len(s.Comps) && slices.ContainsFunc(s.Fields[:p.Fields], func(f *Comp) bool { return f.Optional && f.Tail && f.Apart })
}

// MayTrim reports that a key may end after a prefix without its last bytes: those of nulls, or the end of
// a field before them.
func (s *Schema) MayTrim(p Prefix) bool {
	stored := s.Stored(p.Comps)
	last := stored[len(stored)-1]
	return p.Comps < len(s.Comps) && (last.Trim > 0 || last.Optional && last.Tail)
}

// MayFail reports that a salt, a hash or a copy may refuse a value that its field takes.
func (c *Comp) MayFail() bool { return c.Of != nil || c.Sum.MayFail() }

// ChecksLater reports that what stands after a prefix may refuse its values.
func (s *Schema) ChecksLater(p Prefix) bool {
	return slices.ContainsFunc(s.Derived, func(c *Comp) bool {
		return p.Comps <= c.Index && c.Index < p.Checks && c.MayFail() && c.Last < p.Fields
	})
}

// Known reports that all fields from which a salt, hash or copy is computed stand in the key.
func (c *Comp) Known() bool {
	if c.Of != nil {
		return !c.Of.Absent
	}
	return !slices.ContainsFunc(c.Sum.Of, func(o *Comp) bool { return o.Absent || o.Of != nil && o.Of.Absent })
}

// leads are the leads up to the first of which there are more forms than are listed, and that is no
// part of a digest.
func (s *Schema) leads(in *layout.Schema) {
	leads, _, _ := split.Leads(in, 1<<20) // no table has more regions
	i := 0
	for n := range leads {
		l := &leads[n]
		for in.Comps[i].Absent || in.Comps[i].Role == layout.RoleLiteral {
			i++
		}
		c := &in.Comps[i]
		i++
		o := Lead{Before: l.Before}
		all, listed := l.List(layout.MaxForms)
		switch cut := &c.Part.Cut; {
		case listed:
			o.Forms = all
		case c.Role != layout.RoleHash:
			return
		case cut.Hex:
			o.Base, o.N, o.Upper = 16, cut.N, cut.Upper
		default:
			o.Base, o.N = 256, cut.N
		}
		s.Leads = append(s.Leads, o)
	}
}

// inGo reports a step that no notation says.
func inGo(c *layout.Component) bool {
	return c.Vias > 0 || c.Unit.Own != nil || c.Part.Own != nil
}

// kindOf is the kind of a component.
func kindOf(c *layout.Component) Kind {
	switch c.Kind {
	case layout.KindLiteral:
		return Literal
	case layout.KindSalt:
		return Salt
	case layout.KindHash:
		return Hash
	case layout.KindString:
		return String
	case layout.KindBinary:
		return Binary
	case layout.KindUint:
		return Uint
	case layout.KindInt:
		return Int
	case layout.KindFloat:
		return Float
	case layout.KindBool:
		return Bool
	case layout.KindTime:
		return Time
	}
	panic("code: a component of no kind")
}

// prefixOf is what the first n fields decide.
func prefixOf(in *layout.Schema, n int) Prefix {
	comps, open := in.Decides(n)
	p := Prefix{Fields: n, Comps: comps, Checks: in.Checks(n), Ranges: 1}
	for _, c := range open {
		p.Open = append(p.Open, c.Index)
		if p.Ranges *= len(c.Forms); p.Ranges > layout.MaxForms || c.Role == layout.RoleCopy { // as KeyBuilder.Range
			p.Ranges = 0
		}
	}
	return p
}

// resolve sets what is known of a component by itself, or says why it is not covered.
func (s *Schema) resolve(o *Comp, c *layout.Component) string {
	if why := beyond(c); why != "" {
		return why
	}
	if why := o.end(c); why != "" {
		return why
	}
	switch c.Role {
	case layout.RoleLiteral:
		o.Width, o.End = len(c.Lit), ByWidth
		return ""
	case layout.RoleSalt, layout.RoleHash:
		s.Derived = append(s.Derived, o)
		return ""
	case layout.RoleCopy:
		if !c.Absent {
			s.Derived = append(s.Derived, o)
		}
	case layout.RoleField:
	}
	why := ""
	if c.IsText() {
		why = o.text(c)
	} else {
		why = o.number(c)
	}
	switch t := o.Text; {
	case why != "":
		return why
	case o.Absent && t != nil && (len(t.Steps) > 0 || t.Frame == Pad || t.Frame == PadLeft || len(o.Mark) > 0):
		return "NotStored of a text that is changed is not covered"
	}
	return ""
}

// end sets how a reader finds the end of a component.
func (o *Comp) end(c *layout.Component) string {
	if c.Shape.Fixed() {
		if o.Width = c.Shape.Min; o.Width == 0 && !o.Absent { // a width of 0 says that it varies
			return "a form of no bytes is not covered"
		}
	}
	switch c.Ends {
	case form.EndWidth:
		o.End = ByWidth
	case form.EndSelf:
		o.End = BySelf
	case form.EndMarked:
		o.End = ByMark
	case form.EndLast:
		o.End = ByKeyEnd
	case form.EndLoose, form.EndNone:
		if !c.Loose || !c.IsText() {
			return "its end has to be tried"
		}
		o.End, o.Loose = ByMark, true
	}
	return ""
}

// beyond says what of a component the data has no place for; empty: nothing.
func beyond(c *layout.Component) string {
	switch {
	case inGo(c):
		return "a Via, a unit of NewUnit and a digest of NewDigest are written in Go"
	case c.Loose && (c.Ends != form.EndLoose || c.Mark == nil || c.Role != layout.RoleField || c.Frame != layout.NoFrame || len(c.Stages) > 0 || c.Codes != nil):
		return "Loose of what is changed, padded or without a separator is not covered"
	case c.Clips():
		return "a form that goes on after a shorter one is not covered"
	}
	return ""
}

// text resolves a text.
func (o *Comp) text(c *layout.Component) string {
	t := &Text{Least: c.Least, Chars: c.Chars, N: c.Width, Fill: c.Pad, InvertAll: c.InvertAll,
		Head: c.Header, Filled: c.Filled, Open: c.Endless, Trim: c.PadEqual(), Decimal: c.Decimal}
	t.Digits, t.Scale = c.Precision.Digits, c.Precision.Scale
	if c.OneOf != nil {
		t.OneOf = c.Listed()
	}
	for _, v := range layout.SortedKeys(c.Codes) {
		t.Codes = append(t.Codes, [2]string{v, c.Codes[v]})
	}
	if why := t.stages(c.Stages); why != "" {
		return why
	}
	switch c.Frame {
	case layout.NoFrame:
	case layout.FrameFixed:
		t.Frame = Fixed
	case layout.FramePad:
		t.Frame = Pad
	case layout.FramePadLeft:
		t.Frame = PadLeft
	case layout.FrameEscaped:
		t.Frame = Escaped
	case layout.FrameLength:
		t.Frame = ByLength
	case layout.FrameNul:
		t.Frame = Nul
	case layout.FrameBlobVar:
		t.Frame = Groups
	}
	if o.End == BySelf && (t.Frame < Escaped || t.Open) && t.Decimal != form.Numeric && !(o.Optional && t.Decimal != form.NoDecimal) {
		return "values that end themselves are not covered: add a separator"
	}
	o.Text = t
	return ""
}

// stages resolves the steps of a text.
func (t *Text) stages(stages []layout.Stage) string {
	turned := false
	for _, st := range stages {
		step := Step{From: st.From, To: st.To, Sep: st.Sep}
		switch st.Word {
		case notation.Reverse:
			step.Word, turned = Reversed, !turned
		case notation.Desc:
			step.Word = Inverted
		case notation.UUID:
			step.Word = UUID
		case notation.ReverseRune:
			step.Word = Runes
		case notation.ReverseLabels:
			step.Word = Labels
		case notation.ReversePart:
			step.Word = Part
		case notation.Fixed: // the frame checks it
			continue
		case notation.Left, notation.Right: // is cut first: the first bytes of what is turned are the last
			if slices.ContainsFunc(t.Steps, func(o Step) bool { return o.Word > Inverted }) {
				return string(st.Word) + " after a step that moves parts is not covered"
			}
			t.Cuts = append(t.Cuts, Cut{(st.Word == notation.Right) != turned, st.To})
			continue
		default:
			return string(st.Word) + " is not covered"
		}
		if len(t.Steps) > 0 && t.Packs() {
			return "a step after UUID is not covered"
		}
		t.Steps = append(t.Steps, step)
	}
	return ""
}

// number resolves a number or a time.
func (o *Comp) number(c *layout.Component) string {
	n := &Num{Truncate: c.Num.Trunc}
	o.Num = n
	n.Decimal, n.Nul = c.Decimal, c.Decimal != form.NoDecimal && c.Frame == layout.FrameNul
	if n.Invert = c.InvertAll; c.Frame != layout.NoFrame && !n.Nul {
		return "a frame of a number is not covered"
	}
	for _, st := range c.Stages {
		if st.Word != notation.Reverse {
			return string(st.Word) + " of a number is not covered"
		}
		n.Reverse = !n.Reverse
	}
	switch f := c.Num.Form.(type) {
	case *form.BigEndian:
		n.How, n.N, n.Xor, n.Signed, n.Head = BigEndian, f.Size, f.Xor, f.Signed, f.Head
	case *form.Digits:
		n.How, n.N, n.Xor, n.Nines = Digits, f.N, f.Xor, f.Nines
	case *form.Hex:
		n.How, n.N, n.Xor = HexDigits, f.N, f.Xor
	case *form.Plain:
		n.How, n.Xor, n.Signed = Plain, f.Xor, f.Signed
	case *form.Varint:
		n.How, n.Xor, n.Desc = Varint, f.Xor, f.Flip != 0
	case *form.Bool:
		n.How, n.N, n.True, n.Xor = OneByte, 1, f.True, uint64(f.Xor)
	case *form.Float:
		n.How, n.N, n.Xor, n.Raw, n.Add, n.Head = FloatBits, f.Size, f.Xor, f.Raw, f.Add, f.Head
		n.Zeros, n.Positive = c.TwoZeros(), c.Unsigned
	case *form.Date:
		n.How, n.N, n.Desc = DateText, len(f.Text), f.Desc
	case *form.DateNum:
		n.How, n.N, n.Xor = DateNumber, f.Size, f.Xor
	case *form.Whole:
		n.How, n.Signed = Decimals, f.Signed
	case *form.Timestamp:
		n.How, n.N, n.Xor, n.Rest = Timestamp, form.TimestampLen, f.Xor, f.Rest
	default:
		return fmt.Sprintf("the form %T is not covered", f)
	}
	switch {
	case o.End == BySelf && n.How != Varint && n.How != Decimals:
		return "a number that ends itself is not covered"
	case c.Biased():
		n.Past = c.Signed
		n.IMin, n.IMax = int64(c.Num.Min^layout.SignBit64), int64(c.Num.Max^layout.SignBit64)
	default:
		n.Min, n.Max = c.Num.Min, c.Num.Max
	}
	if o.Kind != Time {
		return ""
	}
	n.Step, n.Epoch = c.Unit.Step, c.Unit.Sec
	if c.Unit.Nsec != 0 {
		return "an epoch with a fraction of a second is not covered"
	}
	if l := c.Unit.Lay; l != nil {
		n.Date = &Date{Elements: uint8(l.Elements), Pattern: pattern(l.Text), Offset: int64(l.Offset), AllDigits: l.AllDigits()}
	}
	return ""
}

// pattern is a layout with 0 for each digit: of 2006-01-02 it is 0000-00-00.
func pattern(text string) string {
	return strings.Map(func(c rune) rune {
		if c >= '1' && c <= '9' {
			return '0'
		}
		return c
	}, text)
}

// sum resolves a salt or a hash.
func (s *Schema) sum(o *Comp, c *layout.Component) string {
	cut := &c.Part.Cut
	d := &Sum{Digest: cut.Algorithm, Seed: cut.Seed, Hex: cut.Hex, Upper: cut.Upper, At: cut.At, N: cut.N,
		Rule: c.Rule, Buckets: c.Buckets, Letters: c.Letters}
	o.Sum = d
	switch word := c.InputForm(); word {
	case "values":
		d.Input = Values
	case "stored":
		d.Input = Stored
	case "text":
		d.Input = AsText
	case "rest":
		d.Input = Rest
	case "minmax":
		d.Input = MinMax
	case "format":
		d.Input = Format
		for _, v := range c.In.Verbs {
			d.Verbs = append(d.Verbs, Verb(v))
		}
	default:
		return word + " is not covered"
	}
	for _, f := range c.In.Comps {
		o := s.Comps[f.Index]
		if o.Of != nil && (o.Absent || d.Input == Format || d.Input == MinMax) {
			return "a copy that is not stored, or in a format, is not covered as input"
		}
		d.Of = append(d.Of, o)
	}
	switch d.Digest {
	case digest.Murmur3, digest.MD5, digest.SHA1, digest.SHA256, digest.SHA512, digest.CRC32, digest.JavaHashCode:
	case digest.Murmur3x128, digest.HBaseMurmur, digest.HBaseMurmur3, digest.HBaseJenkins:
	default:
		return "the digest " + d.Digest.String() + " is not covered"
	}
	switch d.Rule {
	case digest.OfDigest, digest.Java, digest.JavaAbs, digest.JavaFloor, digest.JavaModAbs, digest.Modulo:
	case digest.Phoenix, digest.HBaseWD, digest.Pinpoint:
	default:
		return "the rule " + d.Rule.String() + " is not covered"
	}
	if o.Kind == Hash {
		return ""
	}
	switch c.SaltForm {
	case layout.SaltBytes:
		d.Form = InBytes
	case layout.SaltDecimal:
		if d.Form = InDecimal; o.Width == 0 && d.Late() {
			return "a bucket of varying length that is computed from stored forms is not covered: say Digits"
		}
	case layout.SaltDigits:
		d.Form = InDigits
	case layout.SaltLetters:
		d.Form = InLetters
	default:
		return "the form of its buckets is not covered"
	}
	return ""
}
