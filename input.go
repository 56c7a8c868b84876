package rowkey

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Input says what is hashed. An untyped string constant is one field by its
// value; the functions below say the rest.
type Input string

// Rest is the stored bytes of everything after the component.
const Rest Input = "rest()"

// Values is the fields' values, one after another: strings as they are,
// integers big-endian in their declared size, before any option has changed
// them. A time is 8 bytes of its units, whatever its width; with a Layout it is
// the text, with Layout and Width 8 bytes of the digits' number. A float is its
// IEEE bits, a bool 00 or 01, and a copy is the bytes it stands for in the key.
func Values(fields ...string) Input { return input("values", fields) }

// Stored is the bytes that stand in the key for these fields, padded,
// reversed, inverted as they are, without a separator. An end that a dialect
// gives them counts, even where nulls behind it leave it off.
func Stored(fields ...string) Input { return input("stored", fields) }

// Text is the values as text: integers and a time's units in decimal, as
// String.valueOf writes them, a bool as true or false.
func Text(fields ...string) Input { return input("text", fields) }

// MinMax is the values of two fields, the smaller first, so that (a,b) and
// (b,a) hash alike.
func MinMax(a, b string) Input { return input("minmax", []string{a, b}) }

// Format is text as String.format writes it; the verbs are %s, %d, %0Nd,
// %x and %X, and %% is a percent sign.
func Format(format string, fields ...string) Input {
	return input("format", append([]string{strconv.Quote(format)}, fields...))
}

func input(name string, args []string) Input {
	return Input(name + "(" + strings.Join(args, ",") + ")")
}

type inputForm uint8

const (
	byValues inputForm = iota
	byStored
	byText
	byFormat
	byMinMax
	byRest
)

// inputForms are the forms by their words; no word is one field by its value.
var inputForms = map[string]inputForm{"values": byValues, "stored": byStored, "text": byText, "format": byFormat, "minmax": byMinMax, "rest": byRest}

// source is a compiled Input.
type source struct {
	form  inputForm
	comps []*component // fields and copies
	verbs []verb       // of a format: each consumes a component, or is constant
}

// verb is a piece of a format.
type verb struct {
	kind  byte // 's', 'd', 'x', 'X'; 0: constant text
	zeros int  // at least so many characters, filled with zeros
	text  string
}

// parseInput is the form, the format and the field names of an Input; an empty
// problem if it can be read.
func parseInput(in string) (form inputForm, format string, names []string, problem string) {
	said, problem := notation.ReadInput(in)
	return inputForms[said.Form], said.Format, said.Names, problem
}

// parseFormat cuts a format into its verbs.
func parseFormat(format string) (verbs []verb, args int, problem string) {
	bad := func() ([]verb, int, string) {
		return nil, 0, "format " + strconv.Quote(format) + ": the verbs are %s, %d, %0Nd, %x, %X and %%"
	}
	for format := format; format != ""; {
		i := strings.IndexByte(format, '%')
		if i != 0 {
			if i < 0 {
				i = len(format)
			}
			verbs = append(verbs, verb{text: format[:i]})
			format = format[i:]
			continue
		}
		rest := format[1:]
		zeros := 0
		if strings.HasPrefix(rest, "0") {
			n := 1
			for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
				n++
			}
			var err error
			if zeros, err = strconv.Atoi(rest[1:n]); err != nil || rest[1] == '0' || zeros > 1000 {
				return bad()
			}
			rest = rest[n:]
		}
		if rest == "" {
			return bad()
		}
		switch rest[0] {
		case '%':
			verbs = append(verbs, verb{text: "%"})
		case 's', 'd', 'x', 'X':
			verbs = append(verbs, verb{kind: rest[0], zeros: zeros})
			args++
		default:
			return bad()
		}
		if zeros > 0 && rest[0] != 'd' {
			return bad()
		}
		format = rest[1:]
	}
	return verbs, args, ""
}

// appendValue appends the value form of a supplied field.
func (c *component) appendValue(dst []byte, v val) []byte {
	switch c.kind {
	case kindUint, kindInt:
		return forms.AppendUint(dst, v.num, c.size)
	case kindFloat:
		if c.size == 4 {
			return forms.AppendUint(dst, uint64(math.Float32bits(float32(math.Float64frombits(v.num)))), 4)
		}
		return forms.AppendUint(dst, v.num, 8)
	case kindBool:
		return append(dst, byte(v.num))
	case kindTime:
		switch {
		case c.unit.lay == nil:
		case c.dateText():
			return c.unit.lay.Append(dst, int64(v.num))
		default:
			return forms.AppendUint(dst, c.unit.lay.Number(int64(v.num)), 8)
		}
		return forms.AppendUint(dst, v.num, 8)
	}
	return c.appendPlain(dst, v.text)
}

// dateText reports a time that is written as its layout's text.
func (c *component) dateText() bool {
	_, text := c.num.form.(*forms.Date)
	return text
}

// appendAsText appends the text form of a supplied field.
func (c *component) appendAsText(dst []byte, v val) []byte {
	switch c.kind {
	case kindInt:
		return strconv.AppendInt(dst, int64(v.num), 10)
	case kindBool:
		return strconv.AppendBool(dst, v.num == 1)
	case kindTime:
		switch {
		case c.dateText():
			return c.unit.lay.Append(dst, int64(v.num))
		case c.unit.lay != nil:
			return strconv.AppendUint(dst, c.unit.lay.Number(int64(v.num)), 10)
		case c.signed:
			return strconv.AppendInt(dst, int64(v.num), 10)
		}
		return strconv.AppendUint(dst, v.num, 10)
	case kindUint:
		return strconv.AppendUint(dst, v.num, 10)
	}
	return c.appendPlain(dst, v.text)
}

// appendPlain appends a text's value as its caller has it.
func (c *component) appendPlain(dst, text []byte) []byte {
	if c.decimal != forms.NoDecimal {
		return appendDecimalText(c.decimal, dst, text)
	}
	return append(dst, text...)
}

// plainText is appendPlain where the text need not be copied; room is for one that
// has another form.
func (c *component) plainText(room, text []byte) []byte {
	if c.decimal != forms.NoDecimal {
		return appendDecimalText(c.decimal, room, text)
	}
	return text
}

// appendVerb appends a field as one verb of String.format writes it.
func (c *component) appendVerb(dst []byte, w verb, v val) []byte {
	at := len(dst)
	switch w.kind {
	case 'x', 'X':
		n := v.num
		if c.kind == kindInt {
			n &= forms.Mask(c.size) // Java prints the two's complement of the type
		}
		dst = strconv.AppendUint(dst, n, 16)
		if w.kind == 'X' {
			for i := at; i < len(dst); i++ {
				if dst[i] >= 'a' {
					dst[i] -= 'a' - 'A'
				}
			}
		}
		return dst
	}
	dst = c.appendAsText(dst, v)
	if fill := w.zeros - (len(dst) - at); fill > 0 {
		if dst[at] == '-' {
			at++
		}
		n := len(dst)
		for range fill {
			dst = append(dst, '0')
		}
		copy(dst[at+fill:], dst[at:n])
		for i := at; i < at+fill; i++ {
			dst[i] = '0'
		}
	}
	return dst
}

// value is what a component of an input has, where its field is known.
func (r row) value(c *component) (val, bool) {
	if c.role == roleCopy {
		return r.get(c.of.ord)
	}
	return r.get(c.ord)
}

// appendForm appends a component's stored form, made from the value of its
// field, or of its source.
func (c *component) appendForm(dst []byte, v val) ([]byte, error) {
	if v.null {
		if !c.optional {
			return dst, ErrMissing
		}
		return append(dst, c.null...), nil
	}
	if c.role == roleCopy {
		return c.appendCopy(dst, v)
	}
	if c.isText() {
		return appendText(c, dst, v.text)
	}
	return c.appendNum(dst, v.num)
}

// appendCopy appends the stored form of a copy from its source's value.
func (c *component) appendCopy(dst []byte, v val) ([]byte, error) {
	if c.isText() {
		return appendText(c, dst, v.text)
	}
	if c.kind == kindTime {
		if err := c.of.unit.broken(v.num); err != nil {
			return dst, err
		}
		n, ok := c.timeNum(c.of.instant(v.num))
		if !ok {
			return dst, c.timeRefused(c.of.instant(v.num))
		}
		return c.appendNum(dst, n)
	}
	return c.appendNum(dst, c.zero(v.num))
}

// appendInput appends what a salt or hash is computed over; false if one of
// its fields is not known. rest is the key's bytes after the component.
func (in *source) append(dst []byte, r row, rest []byte) ([]byte, bool, error) {
	if in.form == byRest {
		return append(dst, rest...), rest != nil, nil
	}
	at := len(dst)
	next := 0
	for _, w := range in.verbs {
		if w.kind == 0 {
			dst = append(dst, w.text...)
			continue
		}
		c := in.comps[next]
		next++
		v, ok := r.value(c)
		if !ok {
			return dst, false, nil
		}
		dst = c.appendVerb(dst, w, v)
	}
	if in.form == byFormat {
		return dst, true, nil
	}
	for i, c := range in.comps {
		v, ok := r.value(c)
		if !ok {
			return dst, false, nil
		}
		mid := len(dst)
		var err error
		switch {
		case c.role == roleCopy || in.form == byStored:
			if dst, err = c.appendForm(dst, v); err != nil {
				return dst, true, makeError("", c.name, -1, err)
			}
		case in.form == byText:
			dst = c.appendAsText(dst, v)
		default:
			dst = c.appendValue(dst, v)
		}
		if in.form == byMinMax && i == 1 && in.swapped(r) {
			// the second in front: (a)(b) → (b)(a) by three reversals
			forms.Reverse(dst[at:mid])
			forms.Reverse(dst[mid:])
			forms.Reverse(dst[at:])
		}
	}
	return dst, true, nil
}

// swapped reports that the second value of a MinMax is the smaller.
func (in *source) swapped(r row) bool {
	a, _ := r.value(in.comps[0])
	b, _ := r.value(in.comps[1])
	if c := in.comps[0]; !c.isText() {
		return c.rank(b.num) < c.rank(a.num)
	}
	return string(b.text) < string(a.text)
}

// derive appends the stored form of a salt, hash or copy; false if a field that
// it is computed from is not known. rest is the key's bytes after it.
func (s *schema) derive(dst []byte, c *component, r row, rest []byte) ([]byte, bool, error) {
	if c.role == roleCopy {
		v, ok := r.value(c)
		if !ok {
			return dst, false, nil
		}
		dst, err := c.appendCopy(dst, v)
		return dst, true, err
	}
	if c.role == roleSalt && c.rule == digest.Modulo {
		v, ok := r.get(c.in.comps[0].ord)
		if !ok {
			return dst, false, nil
		}
		n := v.num % c.buckets
		if c.in.comps[0].biased() {
			n = digest.FloorMod(int64(v.num), c.buckets)
		}
		dst, err := c.putBucket(dst, n)
		return dst, true, err
	}
	if c.rest && c.rule == digest.Phoenix && s.trims && rest != nil && len(rest) == 0 {
		return dst, true, errNoRest // no key of Phoenix is null
	}
	at := len(dst)
	dst, ok, err := c.in.append(dst, r, rest)
	data := dst[at:]
	dst = dst[:at]
	if !ok || err != nil {
		return dst, ok, err
	}
	if c.others() {
		dst, err = c.computeOthers(dst, data)
		return dst, true, err
	}
	if dst, ok = c.compute(dst, data); !ok {
		return dst, true, c.sumRefused(data)
	}
	return dst, true, nil
}

// compute appends the stored form of a salt or hash of data; false if the salt's
// rule has no bucket for it. Nothing of others is in it.
func (c *component) compute(dst, data []byte) ([]byte, bool) {
	if !c.part.cut.Takes(data) {
		return dst, false
	}
	if c.role == roleHash {
		return c.part.cut.Append(dst, data), true
	}
	n, ok := c.bucketOf(data)
	if !ok {
		return dst, false
	}
	return c.appendBucket(dst, n), true
}

// single reports that an input is the value of one field, of which Text makes
// the same if it is text.
func (in *source) single() bool {
	return len(in.comps) == 1 && in.comps[0].role == roleField && (in.form == byValues || in.form == byText && in.comps[0].isText())
}

// compileDerived compiles a salt or a hash.
func (s *schema) compileDerived(c *component) string {
	d := c.decl
	form, format, names, problem := parseInput(d.in)
	if problem != "" {
		return problem
	}
	in := &source{form: form}
	c.in = in
	c.rest = form == byRest
	for _, name := range names {
		f := s.byName[name]
		if f == nil || f.role != roleField && f.role != roleCopy {
			return fmt.Sprintf("input %q is no field", name)
		}
		if form == byStored && f.absent {
			return fmt.Sprintf("input %q is not stored: hash its value", name)
		}
		if f.optional {
			return fmt.Sprintf("input %q may be null: say Rest", name)
		}
		in.comps = append(in.comps, f)
	}
	if form == byFormat {
		var args int
		if in.verbs, args, problem = parseFormat(format); problem != "" {
			return problem
		}
		if args != len(in.comps) {
			return fmt.Sprintf("format has %d verbs for %d fields", args, len(in.comps))
		}
	}
	if problem := in.fits(); problem != "" {
		return problem
	}
	for _, f := range in.comps {
		if f.role == roleCopy {
			f = f.of
		}
		if !slices.Contains(c.deps, f.ord) {
			c.deps = append(c.deps, f.ord)
		}
	}
	if c.role == roleHash {
		return c.compileHash()
	}
	return c.compileSalt()
}

// fits says which field the form of an input cannot take.
func (in *source) fits() string {
	next := 0
	verbs := slices.DeleteFunc(slices.Clone(in.verbs), func(v verb) bool { return v.kind == 0 })
	for _, c := range in.comps {
		integer := c.kind == kindUint || c.kind == kindInt || c.kind == kindTime && c.unit.lay == nil
		binary := c.role == roleCopy && !c.isText() && c.num.binary()
		switch in.form {
		case byText, byFormat:
			if c.kind == kindFloat || binary {
				return fmt.Sprintf("input %q has no text form", c.name)
			}
			if in.form == byFormat {
				if w := verbs[next]; w.kind != 's' && (!integer || c.role == roleCopy) {
					return fmt.Sprintf("input %q is no integer for %%%c", c.name, w.kind)
				}
				next++
			}
		case byMinMax:
			o := in.comps[0]
			if c.role == roleCopy || c.kind == kindFloat || c.kind != o.kind || c.size != o.size || c.unit != o.unit ||
				c.decimal != o.decimal || c.signed != o.signed {
				return fmt.Sprintf("MinMax needs two fields of one kind and size, not %q and %q", o.name, c.name)
			}
		}
	}
	return ""
}
