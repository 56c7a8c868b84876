package layout

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// inputForm is what of its fields a salt or hash is computed from.
type inputForm uint8

const (
	ByValues inputForm = iota
	ByStored
	ByText
	byFormat
	byMinMax
	byRest
)

// inputForms are the words of the forms in the notation. An input without a word is the
// value of one field, ByValues.
var inputForms = [...]string{ByValues: "values", ByStored: "stored", ByText: "text", byFormat: "format", byMinMax: "minmax", byRest: "rest"}

// source is a compiled Input: what a salt or hash is computed from.
type source struct {
	Form  inputForm
	Comps []*Component // fields and copies
	Verbs []Verb       // the parts of a format: each writes the next component, or constant text
}

// Val is one value of a row. Ok is false if the value is not known.
type Val struct {
	Num  uint64
	Text []byte
	Ok   bool
	Null bool
}

// Row holds the values of the supplied fields from number Base on.
type Row struct {
	Vals []Val
	Base int
}

// Value is the value of a field, or of a copy's source; false if it is not known.
func (r Row) Value(c *Component) (Val, bool) {
	ord := c.Ord
	if c.Role == RoleCopy {
		ord = c.Of.Ord
	}
	if i := ord - r.Base; i >= 0 && i < len(r.Vals) {
		return r.Vals[i], r.Vals[i].Ok
	}
	return Val{}, false
}

// appendOne appends the value of an input as a salt or hash reads it, or its text for ByText; of a format as its verb
// says. It is an error for a stored form, or a copy, that there is not:
//
//	Uint, Int   its declared size, big-endian      7 in 2 bytes: 00 07; −2: ff fe
//	Float       IEEE bits                          1.5 in 4 bytes: 3f c0 00 00
//	Bool        00 or 01
//	Time        8 bytes, its units; with a Layout its text, or that as a number in 8 bytes
//	text        its bytes
func (in *source) appendOne(dst []byte, w *Verb, c *Component, v Val) ([]byte, error) {
	switch {
	case w != nil:
		return c.appendVerb(dst, w, v), nil
	case c.Role == RoleCopy || in.Form == ByStored:
		return c.AppendForm(dst, &v)
	case in.Form == ByText || c.IsText():
		return c.appendAsText(dst, v), nil
	}
	return c.AppendNumber(dst, v.Num), nil
}

// AppendNumber is appendOne for the value of a field that is no text.
func (c *Component) AppendNumber(dst []byte, u uint64) []byte {
	switch c.Kind {
	case KindUint, KindInt:
		return forms.AppendUint(dst, u, c.Size)
	case KindFloat:
		if c.Size == 4 {
			return forms.AppendUint(dst, uint64(math.Float32bits(float32(math.Float64frombits(u)))), 4)
		}
		return forms.AppendUint(dst, u, 8)
	case KindBool:
		return append(dst, byte(u))
	case KindTime:
		if c.dateText() {
			return c.Unit.Lay.Append(dst, int64(u))
		} else if c.Unit.Lay != nil {
			u = c.Unit.Lay.Number(int64(u))
		}
		return forms.AppendUint(dst, u, 8)
	}
	panic("layout: a number of no kind")
}

// dateText reports that a time is written as the text of a layout.
func (c *Component) dateText() bool {
	_, text := c.Num.Form.(*forms.Date)
	return text
}

// appendAsText appends the value of a field as text: −2 is 2d 32, true is "true".
func (c *Component) appendAsText(dst []byte, v Val) []byte {
	switch {
	case c.IsText() && c.Decimal != forms.NoDecimal:
		return appendDecimalText(c.Decimal, dst, v.Text)
	case c.IsText():
		return append(dst, v.Text...)
	case c.Kind == KindBool:
		return strconv.AppendBool(dst, v.Num == 1)
	case c.dateText():
		return c.Unit.Lay.Append(dst, int64(v.Num))
	case c.Unit.Lay != nil:
		return strconv.AppendUint(dst, c.Unit.Lay.Number(int64(v.Num)), 10)
	case c.Biased():
		return strconv.AppendInt(dst, int64(v.Num), 10)
	}
	return strconv.AppendUint(dst, v.Num, 10)
}

// PlainText is the value of a text field as its caller sees it. The decimal text of a Numeric
// is appended to room; any other is text itself.
func (c *Component) PlainText(room, text []byte) []byte {
	if c.Decimal != forms.NoDecimal {
		return appendDecimalText(c.Decimal, room, text)
	}
	return text
}

// AppendForm appends the stored form of a field, or of a copy, from the value of the field
// or of the copy's source. A null has the bytes c.Null.
func (c *Component) AppendForm(dst []byte, v *Val) ([]byte, error) {
	switch {
	case v.Null && !c.Optional:
		return dst, fault.ErrMissing
	case v.Null:
		return append(dst, c.Null...), nil
	case c.Role == RoleCopy:
		return c.AppendCopy(dst, v.Num, v.Text)
	case c.IsText():
		return AppendText(c, dst, v.Text)
	}
	return c.AppendNum(dst, v.Num)
}

// AppendCopy appends the stored form of a copy from the value of its source, which is u or
// text. A time is counted again in the unit of the copy.
func (c *Component) AppendCopy(dst []byte, u uint64, text []byte) ([]byte, error) {
	if c.IsText() {
		return AppendText(c, dst, text)
	}
	if c.Kind == KindTime {
		if err := c.Of.Unit.Broken(u); err != nil {
			return dst, err
		}
		n, ok := c.TimeNum(c.Of.Instant(u))
		if !ok {
			return dst, c.TimeRefused(c.Of.Instant(u))
		}
		return c.AppendNum(dst, n)
	}
	return c.AppendNum(dst, c.Zero(u))
}

// append appends the bytes from which a salt or hash is computed: of values(tenant,id),
// "acme" and 7 in two bytes, 61 63 6d 65 00 07. It is false if a field is not known.
func (in *source) append(dst []byte, r Row) ([]byte, bool, error) {
	if slices.ContainsFunc(in.Comps, func(c *Component) bool { _, ok := r.Value(c); return !ok }) {
		return dst, false, nil
	}
	at, verbs := len(dst), in.Verbs
	var w *Verb
	for i, c := range in.Comps {
		v, _ := r.Value(c)
		dst, w, verbs = nextVerb(dst, verbs)
		mid := len(dst)
		var err error
		if dst, err = in.appendOne(dst, w, c, v); err != nil {
			return dst, true, fault.Make("", c.Name, -1, err)
		}
		if in.Form == byMinMax && i == 1 && in.swapped(r) {
			forms.Rotate(dst[at:], mid-at)
		}
	}
	dst, _, _ = nextVerb(dst, verbs)
	return dst, true, nil
}

// swapped reports that the second value of a minmax is the smaller one.
func (in *source) swapped(r Row) bool {
	a, _ := r.Value(in.Comps[0])
	b, _ := r.Value(in.Comps[1])
	if c := in.Comps[0]; !c.IsText() {
		return c.Rank(b.Num) < c.Rank(a.Num)
	}
	return string(b.Text) < string(a.Text)
}

// Derive appends the stored form of a salt, hash or copy. It is false if a field that it is
// computed from is not known. rest is the bytes of the key after the component.
func (s *Schema) Derive(dst []byte, c *Component, r Row, rest []byte) ([]byte, bool, error) {
	if c.Role == RoleCopy {
		v, ok := r.Value(c)
		if !ok {
			return dst, false, nil
		}
		dst, err := c.AppendCopy(dst, v.Num, v.Text)
		return dst, true, err
	}
	if c.Role == RoleSalt && c.Rule == digest.Modulo {
		v, ok := r.Value(c.In.Comps[0])
		if !ok {
			return dst, false, nil
		}
		dst, err := c.putBucket(dst, c.Mod.OfLong(v.Num))
		return dst, true, err
	}
	if c.Rest && c.Rule == digest.Phoenix && s.Trims && rest != nil && len(rest) == 0 {
		return dst, true, errNoRest // Phoenix has no empty key
	}
	ok, at, data := rest != nil, len(dst), rest
	var err error
	if !c.Rest {
		dst, ok, err = c.In.append(dst, r)
		data, dst = dst[at:], dst[:at]
	}
	if ok && err == nil {
		dst, err = c.Compute(dst, data)
	}
	return dst, ok, err
}

// Compute appends the stored form of a salt or hash of data. It is an error if the algorithm
// or the rule has no result for data, or if a digest or a transform of the caller's fails.
func (c *Component) Compute(dst, data []byte) ([]byte, error) {
	p := &c.Part.Cut
	switch {
	case c.Part.Own != nil:
		return c.computeOwn(dst, data)
	case c.Role == RoleSalt:
		n, ok := c.bucketOf(data)
		if ok && c.Vias == 0 { // here: putBucket takes a call more
			return c.AppendBucket(dst, n), nil
		} else if ok {
			return c.putBucket(dst, n)
		}
	case p.Takes(data):
		if sum, ok := p.Sum32(data); ok {
			return forms.AppendUint(dst, p.First(sum), p.N), nil
		}
		return p.Append(dst, data), nil
	}
	return dst, c.SumRefused(data)
}

// Others reports that a digest or a transform of the caller's computes a salt or hash. Such
// a function may fail.
func (c *Component) Others() bool { return c.Part.Own != nil || c.Vias > 0 }

// computeOwn is Compute by a digest of the caller's.
func (c *Component) computeOwn(dst, data []byte) ([]byte, error) {
	var room [digest.MaxSize]byte
	sum, err := c.Part.Own.Append(room[:0], data)
	switch {
	case err != nil:
		return dst, err
	case c.Role == RoleHash:
		return c.Part.Cut.Cut(dst, sum), nil
	}
	return c.putBucket(dst, digest.Mod(sum[:c.Part.Cut.N], c.Buckets))
}

// single reports that an input is the value of one field. Text of a text field is its value
// too.
func (in *source) single() bool {
	return len(in.Comps) == 1 && in.Comps[0].Role == RoleField && (in.Form == ByValues || in.Form == ByText && in.Comps[0].IsText())
}

// compileDerived compiles a salt or a hash.
func (s *Schema) compileDerived(c *Component) string {
	d := c.Decl
	said, problem := notation.ReadInput(d.Of)
	if problem != "" {
		return problem
	}
	form := inputForm(max(0, slices.Index(inputForms[:], said.Form)))
	in := &source{Form: form}
	c.In = in
	c.Rest = form == byRest
	for _, name := range said.Names {
		f := s.Named(name)
		if f == nil || f.Role != RoleField && f.Role != RoleCopy {
			if strings.Contains(name, ",") {
				return fmt.Sprintf("input %q is no field; of several fields say values(%[1]s)", name)
			}
			return fmt.Sprintf("input %q is no field%s", name, notation.Nearest(name, s.fieldNames()))
		}
		if form == ByStored && f.Absent {
			return fmt.Sprintf("input %q is not stored: hash its value", name)
		}
		if f.Optional {
			return fmt.Sprintf("input %q may be null: say Rest", name)
		}
		if said.Form == "" && c.Role == RoleHash && f.numberText() {
			return fmt.Sprintf("%s is a number that the key holds as text: say values(%[1]s) for its %d bytes, text(%[1]s) for its digits as String.valueOf writes them, or stored(%[1]s) for the text in the key", name, f.ValueSize())
		}
		in.Comps = append(in.Comps, f)
		if f.Role == RoleCopy {
			f = f.Of
		}
		if !slices.Contains(c.Deps, f.Ord) {
			c.Deps = append(c.Deps, f.Ord)
		}
	}
	if form == byFormat {
		var args int
		if in.Verbs, args, problem = parseFormat(said.Format); problem != "" {
			return problem
		}
		if args != len(in.Comps) {
			return fmt.Sprintf("format has %d verbs for %d fields", args, len(in.Comps))
		}
	}
	if problem := in.fits(); problem != "" {
		return problem
	}
	if c.Role == RoleHash {
		return c.compileHash()
	}
	return c.compileSalt()
}

// number reports that the input is the value of one integer or time, and nothing else.
func (in *source) number() bool { return in.single() && in.Comps[0].integer() }

// integer reports that a value is a whole number: of a time, its units.
func (c *Component) integer() bool {
	return c.Kind == KindUint || c.Kind == KindInt || c.Kind == KindTime && c.Unit.Lay == nil
}

// numberText reports that a component is a number of the caller's that the key holds as text, so that
// its bytes and its text have two hashes. A date is no such number: its value is its text.
func (c *Component) numberText() bool {
	number := c.Kind == KindUint || c.Kind == KindInt || c.Kind == KindTime
	if c.Role != RoleField || !number || c.dateText() {
		return false
	}
	set := c.Num.Form.Shape(0, math.MaxUint64).Bytes
	return set.Lowest() >= ' ' && set.Highest() <= '~'
}

// ValueSize is how many bytes AppendNumber appends of a number that is no date's text.
func (c *Component) ValueSize() int {
	if c.Kind == KindTime {
		return 8
	}
	return c.Size
}

// fits says which field does not fit the form of the input; empty if all fit.
func (in *source) fits() string {
	verbs := slices.DeleteFunc(slices.Clone(in.Verbs), func(v Verb) bool { return v.Kind == 0 })
	for i, c := range in.Comps {
		switch in.Form {
		case ByText, byFormat:
			if c.Kind == KindFloat || c.Role == RoleCopy && !c.IsText() && c.Num.Binary() {
				return fmt.Sprintf("input %q has no text form", c.Name)
			}
			if in.Form == byFormat && verbs[i].Kind != 's' && (!c.integer() || c.Role == RoleCopy) {
				return fmt.Sprintf("input %q is no integer for %%%c", c.Name, verbs[i].Kind)
			}
		case byMinMax:
			if o := in.Comps[0]; c.Role == RoleCopy || c.Kind == KindFloat || !c.likeKind(o) {
				return fmt.Sprintf("MinMax needs two fields of one kind and size, not %q and %q", o.Name, c.Name)
			}
		}
	}
	return ""
}

// likeKind reports that two fields have values of one kind, size and unit, so that the smaller one is
// defined.
func (c *Component) likeKind(o *Component) bool {
	return c.Kind == o.Kind && c.Size == o.Size && c.Unit == o.Unit && c.Decimal == o.Decimal && c.Signed == o.Signed
}
