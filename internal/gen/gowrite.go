package gen

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/code"
	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/form"
)

// goWriter prints what writes a key, or the beginning of one. In the printed code, of component 2
//
//	u2       is its number
//	c2       is its code, or what is cut of the text that it copies
//	n2       is the length of its text
//	l2       is the length of its form, if that varies
//
// b is what is left of the key, and of component 3
//
//	s3       is its stored form, if a salt or hash is computed from it
//	h3, d3   is its bucket, or the digest of which it is a part
type goWriter struct {
	*golang
	given  func(*code.Comp) string // the value of a field
	raw    bool                    // texts are given as bytes
	fail   string                  // a statement; %s is where [:at] stands, once dst has grown
	grown  bool
	open   []int // the components that are not known yet
	kept   map[int]bool
	trims  bool                // nulls at the end are left off
	inputs map[*code.Comp]bool // fields from whose values something is computed

	placed *code.Comp // a text that stands in the key already
}

// bad is the statement that leaves the row to the library.
func (w *goWriter) bad() string {
	if !strings.Contains(w.fail, "%s") {
		return w.fail
	}
	if w.grown {
		return fmt.Sprintf(w.fail, "[:at]")
	}
	return fmt.Sprintf(w.fail, "")
}

// refuse prints that a row is left to the library if cond holds.
func (w *goWriter) refuse(cond string, args ...any) {
	w.p("if %s {\n%s\n}", fmt.Sprintf(cond, args...), w.bad())
}

// value is the value of a field, or of the field of a copy.
func (w *goWriter) value(c *code.Comp) string {
	if c.Of != nil {
		c = c.Of
	}
	if c.Optional {
		return fmt.Sprintf("v%d", c.Index)
	}
	if c.Text != nil && c.Text.Decimal != 0 && !w.raw { // its text as it is read
		return fmt.Sprintf("tx%d", c.Index)
	}
	return w.given(c)
}

// nulls prints v, the value of a field that may be null, and whether it is one. The empty text of
// some is null too, which is left to the library.
func (w *goWriter) nulls(f *code.Comp) {
	w.p("var v%d %s\nnull%d := %s == nil\nif !null%d {\nv%d = %s\n}", f.Index, typeOf(f), f.Index, w.given(f), f.Index, f.Index, w.plain(f, "*"+w.given(f)))
}

// unlessNull prints what print does, but not for a null. Variables that it declares stand before it.
func (w *goWriter) unlessNull(f *code.Comp, print func()) {
	if !f.Optional {
		print()
		return
	}
	text := w.captured(print)
	if text == "" {
		return
	}
	text = reworded(text, func(text string) string { return w.declared(f, text) })
	w.p("if !null%d {\n%s}", f.Index, text)
}

// declared prints the variables of a field that code declares, and gives the code, which then assigns to them.
func (w *goWriter) declared(f *code.Comp, text string) string {
	if v := fmt.Sprintf("c%d", f.Index); strings.Contains(text, v+" := ") || strings.Contains(text, "var "+v+" string\n") {
		kind := "string"
		if !w.isString(f) {
			kind = "[]byte"
		}
		w.p("var %s %s", v, kind)
		text = strings.ReplaceAll(strings.ReplaceAll(text, v+" := ", v+" = "), "var "+v+" string\n", "")
	}
	if v := fmt.Sprintf("f%d", f.Index); strings.Contains(text, v+", is") || strings.Contains(text, v+" := ") {
		w.p("var %s []byte", v)
		text = strings.Replace(text, v+" := ", v+" = ", 1)
		text = strings.Replace(text, fmt.Sprintf("%s, is%d := ", v, f.Index), fmt.Sprintf("var is%d bool\n%s, is%d = ", f.Index, v, f.Index), 1)
	}
	if v := fmt.Sprintf("l%d", f.Index); strings.Contains(text, v+" := ") {
		w.p("%s := %d", v, len(f.Null))
		text = strings.Replace(text, v+" := ", v+" = ", 1)
	}
	return text
}

// trim prints how many bytes the key does not have, since nulls at its end are left off.
func (w *goWriter) trim(comps []*code.Comp) {
	w.p("trim := 0")
	closing := ""
	for _, c := range slices.Backward(comps) {
		if !c.Optional {
			if c.Trim > 0 {
				w.p("trim += %d", c.Trim)
			}
			break
		}
		before := slices.Index(comps, c)
		w.p("if null%d {\ntrim += %d", c.Index, len(c.Null))
		after := "}"
		if c.Trim > 0 && len(comps) > before+1 {
			after = fmt.Sprintf("} else {\ntrim += %d\n}", c.Trim)
		}
		closing = after + "\n" + closing
	}
	w.p("%s", closing)
}

// body is the text that is written: the value, its code, or what is cut of it.
func (w *goWriter) body(c *code.Comp) string {
	if len(c.Text.Codes) > 0 || len(c.Text.Cuts) > 0 {
		return fmt.Sprintf("c%d", c.Index)
	}
	return w.value(c)
}

// isString reports that a body is a string, not bytes.
func (w *goWriter) isString(c *code.Comp) bool {
	if c.Text.Decimal != 0 {
		return false
	}
	return len(c.Text.Codes) > 0 || c.Kind == code.String && !w.raw
}

// asString is a value as a string.
func (w *goWriter) asString(c *code.Comp) string {
	if c.Kind == code.String && !w.raw && c.Text.Decimal == 0 {
		return w.value(c)
	}
	return "string(" + w.value(c) + ")"
}

func (w *goWriter) write(fields []*code.Comp, n int, open []int) {
	w.open = open
	comps := w.s.Stored(n)
	w.inputs = map[*code.Comp]bool{}
	for _, c := range comps {
		if c.Sum == nil || slices.Contains(open, c.Index) {
			continue
		}
		for _, f := range c.Sum.Of {
			w.inputs[f] = w.inputs[f] || !c.Sum.OfForm(f)
		}
	}
	for _, f := range fields {
		if f.Optional {
			w.nulls(f)
		}
		w.unlessNull(f, func() { w.check(f) })
	}
	w.trims = w.s.Trims && n == len(w.s.Comps)
	for _, c := range comps {
		if c.Of != nil && !slices.Contains(open, c.Index) {
			w.check(c)
		}
	}
	w.lengths(comps)
	w.grown = true
	w.sums(comps)
	w.put(comps)
	w.lateSums(comps)
	if w.trims {
		w.p("dst = dst[:len(dst)-trim]")
	}
}

// lengths prints the length of the key, and gives dst room for it.
func (w *goWriter) lengths(comps []*code.Comp) {
	fixed, terms := 0, []string(nil)
	for _, c := range comps {
		if c.Width > 0 {
			fixed += c.Width
			continue
		}
		if c.Sum != nil {
			w.early(c)
		} else {
			w.unlessNull(c, func() { w.lengthOf(c) })
		}
		terms = append(terms, fmt.Sprintf("l%d", c.Index))
	}
	scratch, more := 0, []string(nil) // room after the key, for what salts are computed from
	for _, c := range comps {
		if c.Sum == nil || c.Width == 0 || slices.Contains(w.open, c.Index) || !concatenated(c.Sum) {
			continue
		}
		for _, v := range c.Sum.Verbs {
			scratch += len(v.Text) + v.Zeros
		}
		for _, f := range c.Sum.Of {
			switch {
			case c.Sum.OfForm(f) && f.Width > 0:
				scratch += f.Width
			case f.Text == nil:
				scratch += 24
			case f.Text.Decimal != 0 && !c.Sum.OfForm(f):
				scratch += 64
			case c.Sum.OfForm(f):
				more = append(more, fmt.Sprintf("l%d", f.Index))
			default:
				more = append(more, "len("+w.value(f)+")")
			}
		}
	}
	w.p("n := %s", sumOf(fixed, terms))
	if w.trims {
		w.trim(comps)
	}
	switch {
	case w.trims:
		w.refuse("n == trim || n-trim > %d", w.s.MaxLen)
	case len(terms) == 0 && fixed <= w.s.MaxLen:
	case fixed == 0:
		w.refuse("n == 0 || n > %d", w.s.MaxLen)
	default:
		w.refuse("n > %d", w.s.MaxLen)
	}
	need := "n"
	if scratch > 0 || len(more) > 0 {
		need = sumOf(scratch, append([]string{"n"}, more...))
	}
	w.p("at := len(dst)\nif cap(dst)-at < %s {\ndst = rt.Grow(dst, %s)\n}\ndst = dst[:at+n]\nb := dst[at:]", need, need)
}

// early prints the bucket of a salt whose form varies, and l, its length.
func (w *goWriter) early(c *code.Comp) {
	if c.Sum.Rule != digest.Modulo {
		room := ""
		if concatenated(c.Sum) {
			w.p("var room%d [128]byte", c.Index)
			room = fmt.Sprintf("room%d[:0]", c.Index)
		}
		w.sum(c, w.inputOf(c, room))
	}
	w.p("l%d := rt.DigitsLen(%s)", c.Index, bucket(c))
}

// lengthOf prints l, the length of a form that varies.
func (w *goWriter) lengthOf(c *code.Comp) {
	w.p("l%d := %s", c.Index, w.length(c))
	if shortEscape(c) {
		w.p("if %s.IndexByte(%s, 0) >= 0 {\nl%d += rt.Count(%s, 0)\n}", w.stringsOrBytes(c), w.body(c), c.Index, w.bytes(c))
	}
}

// sumOf is a sum in the source of a language.
func sumOf(n int, terms []string) string {
	if n > 0 || len(terms) == 0 {
		terms = append([]string{fmt.Sprint(n)}, terms...)
	}
	return strings.Join(terms, " + ")
}

// length is the length of a form that varies.
func (w *goWriter) length(c *code.Comp) string {
	if c.Decimal() != 0 {
		if c.Nul() {
			return fmt.Sprintf("len(f%d) + 1", c.Index)
		}
		return fmt.Sprintf("len(f%d)", c.Index)
	}
	if c.Num != nil {
		if c.Num.How == code.Varint {
			return fmt.Sprintf("rt.VarintLen(%s)", w.turned(c))
		}
		if c.Num.Signed {
			return fmt.Sprintf("rt.SignedLen(%s)", w.turned(c))
		}
		return fmt.Sprintf("rt.DigitsLen(%s)", w.turned(c))
	}
	n := "len(" + w.body(c) + ")"
	if c.Text.Packs() {
		n = "16"
	}
	if c.Text.Frame == code.Groups {
		n = "rt.GroupsOf(" + n + ")"
	}
	if c.Text.Head != 0 {
		n += " + 1"
	}
	switch c.Text.Frame {
	case code.Nul:
		return n + " + 1"
	case code.Escaped:
		if shortEscape(c) {
			return n + " + 2"
		}
		zeros := fmt.Sprintf("rt.Count(%s, %s)", w.bytes(c), map[bool]string{true: "0xff", false: "0"}[inverted(c.Text)])
		if c.Text.Packs() { // its bytes are not known yet
			zeros = fmt.Sprintf("rt.ZerosIn(p%d, q%d)", c.Index, c.Index)
		}
		if c.Text.Open {
			return n + " + " + zeros
		}
		return n + " + 2 + " + zeros
	case code.ByLength:
		return fmt.Sprintf("%d + %s", c.Text.N, n)
	case code.NoFrame, code.Fixed, code.Pad, code.PadLeft, code.Groups:
	}
	return n
}

// shortEscape reports an escaped text that is stored as it is, and 00 01, if it has no 00.
func shortEscape(c *code.Comp) bool {
	return c.Text != nil && c.Text.Frame == code.Escaped && len(c.Text.Steps) == 0 && !c.Text.InvertAll && !c.Text.Open && c.Width == 0
}

// inverted reports that the steps leave each byte XOR ff.
func inverted(t *code.Text) (odd bool) {
	for _, st := range t.Steps {
		if st.Word == code.Inverted {
			odd = !odd
		}
	}
	return odd
}

// bytes is a text's body as bytes.
func (w *goWriter) bytes(f *code.Comp) string {
	if w.isString(f) {
		return "rt.Bytes(" + w.body(f) + ")"
	}
	return w.body(f)
}

// valueBytes is a text's value as bytes.
func (w *goWriter) valueBytes(f *code.Comp) string {
	if f.Kind == code.String && !w.raw && f.Text.Decimal == 0 {
		return "rt.Bytes(" + w.value(f) + ")"
	}
	return w.value(f)
}

// turned is a number XOR its mask.
func (w *goWriter) turned(c *code.Comp) string {
	if c.Num.Xor == 0 {
		return fmt.Sprintf("u%d", c.Index)
	}
	return fmt.Sprintf("u%d^%#x", c.Index, c.Num.Xor)
}

// check prints the checks of a value, and its number.
func (w *goWriter) check(f *code.Comp) {
	x, u := w.value(f), fmt.Sprintf("u%d", f.Index)
	n := f.Num
	if f.Absent && f.Num != nil {
		defer w.p("_ = %s", u)
	}
	if f.Of != nil && f.Num != nil {
		w.checkCopy(f, u)
		return
	}
	switch f.Kind {
	case code.String, code.Binary:
		w.checkText(f)
	case code.Uint:
		w.p("%s := %s", u, x)
		if n.Max < math.MaxUint64 {
			w.refuse("%s > %d", u, n.Max)
		}
	case code.Int:
		if n.IMin > math.MinInt64 || n.IMax < math.MaxInt64 {
			w.refuse("%s < %d || %s > %d", x, n.IMin, x, n.IMax)
		}
		w.p("%s := uint64(%s)", u, x)
	case code.Bool:
		w.p("%s := uint64(0)\nif %s {\n%s = 1\n}", u, x, u)
	case code.Float:
		plus := ""
		if !n.Zeros {
			plus = " + 0" // −0 is 0
		}
		if n.Positive {
			w.refuse("%s < 0", x)
		}
		if f.Size == 4 {
			w.refuse("float64(float32(%s)) != %s", x, x) // NaN, too
			w.p("%s := uint64(math.Float32bits(float32(%s)%s))", u, x, plus)
		} else {
			w.refuse("%s != %s", x, x)
			w.p("%s := math.Float64bits(%s%s)", u, x, plus)
		}
	case code.Time:
		w.checkTime(f, x, u)
	case code.Literal, code.Salt, code.Hash:
	}
	w.whole(f)
}

// whole prints the form of a whole number that is written as a decimal one.
func (w *goWriter) whole(f *code.Comp) {
	if f.Num == nil || f.Num.How != code.Decimals || f.Absent {
		return
	}
	w.p("var form%d [24]byte\nf%d := rt.AppendWhole(form%d[:0], %s, u%d, %t)", f.Index, f.Index, f.Index, decimal(f), f.Index, f.Num.Signed)
}

// checkCopy prints the number of a copy, and its checks.
func (w *goWriter) checkCopy(c *code.Comp, u string) {
	n, of := c.Num, fmt.Sprintf("u%d", c.Of.Index)
	switch c.Kind {
	case code.Time:
		if d := c.Of.Num.Date; d != nil && !w.raw { // seconds within the date
			y := fmt.Sprintf("y%d", c.Index)
			w.p("%s, _ := rt.DateSeconds(%s, %d)\n%s -= %d", y, dateNumber(c.Of), d.Elements, y, uint64(d.Offset))
			of = y
		}
		w.p("i%d := %s", c.Index, instant(c.Of, of))
		w.checkTime(c, fmt.Sprintf("i%d", c.Index), u)
		return
	case code.Uint:
		if n.Max < math.MaxUint64 {
			w.refuse("%s > %d", of, n.Max)
		}
		if n.Min > 0 {
			w.refuse("%s < %d", of, n.Min)
		}
	case code.Int:
		if n.IMin > math.MinInt64 || n.IMax < math.MaxInt64 {
			w.refuse("int64(%s) < %d || int64(%s) > %d", of, n.IMin, of, n.IMax)
		}
	case code.Float:
		w.p("%s := %s", u, of)
		if !n.Zeros && c.Of.Num.Zeros { // −0 is 0
			w.p("if %s == 1<<%d {\n%s = 0\n}", u, 8*c.Size-1, u)
		}
		if n.Positive && !c.Of.Num.Positive {
			w.refuse("%s>>%d != 0", u, 8*c.Size-1)
		}
		return
	case code.Literal, code.Salt, code.Hash, code.String, code.Binary, code.Bool:
	}
	w.p("%s := %s", u, of)
	w.whole(c)
}

// checkTime prints the number of a time. What lies at the edges is left to the library.
func (w *goWriter) checkTime(f *code.Comp, x, u string) {
	n := f.Num
	if n.Past {
		w.checkPast(f, x, u)
		return
	}
	if n.Date != nil {
		w.p("%s := uint64(%s.Unix())", u, x)
		from := n.IMin
		if from != -n.Date.Offset { // the first step may begin before the first year
			from += 366 * 86400
		}
		w.refuse("int64(%s) < %d || int64(%s) > %d", u, from, u, n.IMax)
		return
	}
	sec := x + ".Unix()"
	if n.Epoch != 0 {
		sec = fmt.Sprintf("%s - %s", sec, parens(n.Epoch))
	}
	w.p("%s := uint64(%s)", u, sec)
	if n.Step >= time.Second {
		per := uint64(n.Step / time.Second)
		most := uint64(1) << 62
		if n.Max < most/per {
			most = n.Max*per + per - 1
		}
		w.refuse("%s > %d", u, most)
		if per > 1 {
			w.p("%s /= %d", u, per)
		}
	} else {
		per := uint64(time.Second / n.Step)
		w.refuse("%s > %d", u, n.Max/per)
		w.p("%s = %s*%d + uint64(%s.Nanosecond())/%d", u, u, per, x, uint64(n.Step))
		if n.Max%per != per-1 {
			w.refuse("%s > %d", u, n.Max)
		}
	}
	if n.Truncate > 1 {
		w.p("%s -= %s %% %d", u, u, n.Truncate)
	}
	if n.Min > 0 {
		w.refuse("%s < %d", u, n.Min)
	}
}

// checkPast prints the number of a time that may lie before its epoch.
func (w *goWriter) checkPast(f *code.Comp, x, u string) {
	n, most, per := f.Num, int64(1)<<62, int64(1)
	if n.Step < time.Second {
		per = int64(time.Second / n.Step)
		most = math.MaxInt64/per - 2
	}
	if n.Epoch == 0 {
		w.p("%s := uint64(%s.Unix())", u, x)
	} else {
		w.p("%s := uint64(%s.Unix() - %s)", u, x, parens(n.Epoch))
	}
	w.refuse("int64(%s) < %d || int64(%s) > %d", u, -most, u, most)
	if n.Step < time.Second {
		w.p("%s = %s*%d + uint64(%s.Nanosecond())/%d", u, u, per, x, uint64(n.Step))
	} else if per = int64(n.Step / time.Second); per > 1 {
		w.p("%s = rt.FloorDiv(%s, %d)", u, u, per)
	}
	least := n.IMin
	if n.Truncate > 1 {
		least = n.IMin + int64(n.Truncate)
	}
	w.refuse("%s", outside(u, least, n.IMax))
	if n.Truncate > 1 {
		w.p("%s -= rt.FloorMod(int64(%s), %d)", u, u, n.Truncate)
	}
}

// outside is the condition that a number with a sign is not within least and most; least is above the
// smallest int64.
func outside(u string, least, most int64) string {
	cond := fmt.Sprintf("int64(%s) < %d", u, least)
	if most < math.MaxInt64 {
		cond += fmt.Sprintf(" || int64(%s) > %d", u, most)
	}
	return cond
}

func parens(n int64) string {
	if n < 0 {
		return fmt.Sprintf("(%d)", n)
	}
	return fmt.Sprint(n)
}

// checkText prints the checks of a text.
func (w *goWriter) checkText(f *code.Comp) {
	t := f.Text
	if t.Decimal != 0 {
		text := fmt.Sprintf("v%d", f.Index)
		if f.Of != nil {
			text = w.given(f.Of)
		} else if !f.Optional {
			text = w.given(f)
		}
		if w.raw {
			text = "rt.Text(" + text + ")"
		}
		i := f.Index
		w.p("var form%d [24]byte\nf%d, is%d := rt.AppendDecimal(form%d[:0], %s, %s, %d, %d)", i, i, i, i, decimal(f), text, t.Digits, t.Scale)
		w.refuse("!is%d", i)
		if w.inputs[f] {
			w.p("var text%d [64]byte\ntx%d, _ := rt.ReadDecimal(text%d[:0], %s, f%d, 0, 0)", i, i, i, decimal(f), i)
		}
		if f.Absent {
			w.p("_ = f%d", i)
		}
		return
	}
	w.limits(f, w.value(f))
	w.makeBody(f)
	x := w.body(f)
	if t.Packs() {
		w.p("p%d, q%d, ok%d := rt.UUID(%s)", f.Index, f.Index, f.Index, w.bytes(f))
		w.refuse("!ok%d", f.Index)
	} else {
		n := fmt.Sprintf("len(%s)", x)
		switch t.Frame {
		case code.Fixed:
			w.refuse("%s != %d", n, t.N)
		case code.Pad, code.PadLeft:
			w.refuse("%s > %d", n, t.N)
		case code.ByLength:
			w.refuse("%s > %d", n, min(uint64(1)<<(8*t.N)-1, math.MaxInt16))
		case code.Nul:
			if len(t.Steps) == 0 {
				w.refuse("%s.IndexByte(%s, 0) >= 0", w.stringsOrBytes(f), x)
			}
		case code.NoFrame, code.Escaped, code.Groups:
		}
	}
	if t.Filled {
		w.refuse("len(%s) == 0", x)
	}
	if len(f.Mark) == 1 && t.AsIs() && !f.Loose {
		w.refuse("%s.IndexByte(%s, %s) >= 0", w.stringsOrBytes(f), x, literal(f.Mark[0]))
	}
}

// makeBody prints the code of a value, or what is cut of it.
func (w *goWriter) makeBody(f *code.Comp) {
	t, c := f.Text, fmt.Sprintf("c%d", f.Index)
	if len(t.Codes) > 0 {
		w.p("var %s string\nswitch %s {", c, w.asString(f))
		for _, pair := range t.Codes {
			w.p("case %q:\n%s = %q", pair[0], c, pair[1])
		}
		w.p("default:\n%s\n}", w.bad())
	} else if len(t.Cuts) > 0 {
		w.p("%s := %s", c, w.value(f))
	}
	for _, cut := range t.Cuts {
		if cut.Right {
			w.p("%s = %s[max(0, len(%s)-%d):]", c, c, c, cut.N)
		} else {
			w.p("%s = %s[:min(len(%s), %d)]", c, c, c, cut.N)
		}
	}
	if f.Absent && len(t.Codes) > 0 {
		w.p("_ = %s", c)
	}
}

// stringsOrBytes is the package that has the functions on the type of a body.
func (w *goWriter) stringsOrBytes(f *code.Comp) string {
	if w.isString(f) {
		return "strings"
	}
	return "bytes"
}

// limits prints the checks that MinLen, Chars and OneOf ask for, of a value.
func (w *goWriter) limits(f *code.Comp, x string) {
	t := f.Text
	if t.Least > 0 {
		w.refuse("len(%s) < %d", x, t.Least)
	}
	if t.Chars != nil {
		set := t.Chars
		w.p("for i := range len(%s) {\nif c := %s[i]; [4]uint64{%#x, %#x, %#x, %#x}[c>>6]>>(c&63)&1 == 0 {\n%s\n}\n}", x, x, set[0], set[1], set[2], set[3], w.bad())
	}
	if len(t.OneOf) > 0 {
		var list []string
		for _, v := range t.OneOf {
			list = append(list, fmt.Sprintf("%q", v))
		}
		if f.Kind == code.Binary || w.raw {
			x = "string(" + x + ")"
		}
		w.p("switch %s {\ncase %s:\ndefault:\n%s\n}", x, strings.Join(list, ", "), w.bad())
	}
}

// put prints the stores of the components, in key order.
func (w *goWriter) put(comps []*code.Comp) {
	off := 0
	hint := func(rest []*code.Comp) { // one check of bounds for a run of fixed components
		n := off
		for _, c := range rest {
			if c.Width == 0 {
				break
			}
			n += c.Width
		}
		if n > 0 {
			w.p("_ = b[%d]", n-1)
		}
	}
	hint(comps)
	for i, c := range comps {
		l := fmt.Sprint(c.Width)
		if c.Width == 0 {
			l = fmt.Sprintf("l%d", c.Index)
		}
		if w.kept[c.Index] {
			w.p("s%d := b[%d : %d+%s]", c.Index, off, off, l)
			if c.Sum != nil && c.Sum.Input == code.Rest {
				w.p("r%d := b[%d:]", c.Index, off+c.Width)
			}
		}
		switch {
		case c.Kind == code.Literal:
			w.putLiteral(c.Lit, off)
		case slices.Contains(w.open, c.Index):
			w.p("places[%d] = len(dst) - len(b) - at + %d", slices.Index(w.open, c.Index), off)
			for k := range c.Width {
				w.p("b[%d] = 0", off+k)
			}
		case c.Sum != nil && c.Width == 0:
			w.p("rt.PutDigits(b[%d:%d+%s], %s)", off, off, l, bucket(c))
		case c.Sum != nil && w.kept[c.Index]: // computed from what comes after it
		case c.Sum != nil:
			w.putSum(c, off)
		case c.Optional && len(c.Null) > 0:
			w.p("if null%d {\ncopy(b[%d:], %q)\n} else {", c.Index, off, c.Null)
			w.putValue(c, off, l)
			w.refuse("string(b[%d:%d]) == %q", off, off+len(c.Null), c.Null)
			w.p("}")
		case c.Optional:
			w.unlessNull(c, func() { w.putValue(c, off, l) })
		default:
			w.putValue(c, off, l)
		}
		if off += c.Width; c.Width == 0 && i+1 < len(comps) {
			w.p("b = b[%s:]", sumOf(off, []string{l}))
			off = 0
			hint(comps[i+1:])
		}
	}
}

// putValue prints the form of a value at b[off:].
func (w *goWriter) putValue(c *code.Comp, off int, l string) {
	if c.Num != nil {
		w.putNumber(c, off, l)
	} else {
		w.putText(c, off, l)
	}
}

func (w *goWriter) putLiteral(lit []byte, off int) {
	if len(lit) > 4 {
		w.p("copy(b[%d:%d], %q)", off, off+len(lit), lit)
		return
	}
	for i, c := range lit {
		w.p("b[%d] = %s", off+i, literal(c))
	}
}

// bigEndian prints the store of n bytes of a number.
func (w *goWriter) bigEndian(x string, off, n int) {
	switch n {
	case 8:
		w.p("binary.BigEndian.PutUint64(b[%d:], %s)", off, x)
	case 4:
		w.p("binary.BigEndian.PutUint32(b[%d:], uint32(%s))", off, x)
	case 2:
		w.p("binary.BigEndian.PutUint16(b[%d:], uint16(%s))", off, x)
	case 1:
		w.p("b[%d] = byte(%s)", off, x)
	default:
		if n > 4 {
			w.p("binary.BigEndian.PutUint32(b[%d:], uint32((%s)>>%d))", off, x, 8*(n-4))
			off, n = off+4, n-4
		}
		for k := range n {
			w.p("b[%d] = byte((%s) >> %d)", off+k, x, 8*(n-1-k))
		}
	}
}

// digits prints n decimal digits of a number, eight at a time.
func (w *goWriter) digits(x string, off, n int) {
	switch {
	case n < 8 || n > 16:
		w.p("rt.PutDigits(b[%d:%d], %s)", off, off+n, x)
	case n == 8:
		w.p("binary.LittleEndian.PutUint64(b[%d:], rt.Digits8(uint32(%s)))", off, x)
	default: // the high digits first: the low ones are written over what these have too many
		w.p("{\nu := %s\nhigh := u / 1e8", x)
		w.p("binary.LittleEndian.PutUint64(b[%d:], rt.Digits8(uint32(high))>>%d)", off, 8*(16-n))
		w.p("binary.LittleEndian.PutUint64(b[%d:], rt.Digits8(uint32(u-high*1e8)))\n}", off+n-8)
	}
}

// putNumber prints the form of a number at b[off:].
func (w *goWriter) putNumber(c *code.Comp, off int, l string) {
	if c.Num.How == code.Decimals {
		w.putDecimal(c, off, l)
		return
	}
	n, x, from := c.Num, w.turned(c), off
	if n.Head != 0 {
		w.p("b[%d] = %#x", off, n.Head)
		off++
	}
	switch n.How {
	case code.BigEndian:
		w.bigEndian(x, off, n.N)
	case code.Timestamp:
		w.p("rt.PutTimestamp(b[%d:%d], u%d, %#x, %#x)", off, off+n.N, c.Index, n.Xor, n.Rest)
	case code.Digits:
		if n.Nines != 0 {
			x = fmt.Sprintf("%d-(%s)", n.Nines, x)
		}
		w.digits(x, off, n.N)
	case code.HexDigits:
		w.p("rt.PutHexDigits(b[%d:%d], %s)", off, off+n.N, x)
	case code.Plain:
		put := "PutDigits"
		if n.Signed {
			put = "PutSigned"
		}
		w.p("rt.%s(b[%d:%d+%s], %s)", put, off, off, l, x)
	case code.Varint:
		flip := 0
		if n.Desc {
			flip = 0xff
		}
		w.p("rt.PutVarint(b[%d:%d+%s], %s, %#x)", off, off, l, x, flip)
	case code.OneByte:
		x = fmt.Sprintf("byte(u%d*%d)", c.Index, n.True)
		if n.Xor != 0 {
			x += fmt.Sprintf(" ^ %#x", n.Xor)
		}
		w.p("b[%d] = %s", off, x)
	case code.FloatBits:
		x = fmt.Sprintf("u%d", c.Index)
		if !n.Raw {
			x = fmt.Sprintf("rt.OrderFloat(%s, %d)", x, n.N)
		}
		if n.Add != 0 {
			x = fmt.Sprintf("(%s + %d)", x, n.Add)
		}
		if n.Xor != 0 {
			x = fmt.Sprintf("%s^%#x", x, n.Xor)
		}
		w.bigEndian(x, off, n.N)
	case code.DateText:
		x = dateNumber(c)
		if n.Date.AllDigits {
			w.digits(x, off, n.N)
		} else {
			w.p("rt.PutDate(b[%d:%d], %s, %q)", off, off+n.N, x, n.Date.Pattern)
		}
		if n.Desc {
			w.p("rt.Complement(b[%d:%d])", off, off+n.N)
		}
	case code.DateNumber:
		x = dateNumber(c)
		if n.Xor != 0 {
			x = fmt.Sprintf("%s^%#x", x, n.Xor)
		}
		w.bigEndian(x, off, n.N)
	}
	if n.Reverse {
		w.p("rt.Reverse(b[%d:%d+%s])", from, from, l)
	}
	if n.Invert {
		w.p("rt.Invert(b[%d:%d+%s])", from, from, l)
	}
	w.mark(c, from, l)
}

// putDecimal prints the form of a decimal number at b[off:].
func (w *goWriter) putDecimal(c *code.Comp, off int, l string) {
	w.p("copy(b[%d:], f%d)", off, c.Index)
	if c.Nul() {
		w.p("b[%d+%s-1] = 0", off, l)
	}
	if c.Inverted() {
		w.p("rt.Invert(b[%d:%d+%s])", off, off, l)
	}
	w.mark(c, off, l)
}

// decimal names a form of decimal numbers in package rt.
func decimal(c *code.Comp) string {
	if c.Decimal() == form.Numeric {
		return "rt.Numeric"
	}
	return "rt.BigDecimal"
}

// dateNumber is the number of a time's local date.
func dateNumber(c *code.Comp) string {
	d := c.Num.Date
	return fmt.Sprintf("rt.DateNumber(u%d+%d, %d)", c.Index, uint64(d.Offset), d.Elements)
}

// mark prints the check that a form can be told from its separator.
func (w *goWriter) mark(c *code.Comp, off int, l string) {
	if len(c.Mark) > 0 && !c.Loose {
		w.refuse("!rt.Marks(b[%d:%d+%s], %q)", off, off, l, c.Mark)
	}
}

// putText prints the form of a text at b[off:].
func (w *goWriter) putText(c *code.Comp, off int, l string) {
	if c.Text.Decimal != 0 {
		w.putDecimal(c, off, l)
		return
	}
	t, x := c.Text, w.body(c)
	if t.AsIs() {
		if c != w.placed {
			w.p("copy(b[%d:], %s)", off, x)
		}
		if len(c.Mark) > 1 {
			w.mark(c, off, l)
		}
		return
	}
	n := fmt.Sprintf("n%d", c.Index)
	if shortEscape(c) {
		w.p("copy(b[%d:], %s)", off, x)
		w.p("if i := %d + %s; l%d == len(%s)+2 {\nb[i-2], b[i-1] = 0, 1\n} else {\nrt.Escape(b[%d:i], len(%s))\n}", off, l, c.Index, x, off, x)
		w.mark(c, off, l)
		return
	}
	if t.Frame == code.Nul && len(t.Steps) == 0 && !t.InvertAll && t.Head == 0 {
		w.p("copy(b[%d:], %s)\nb[%d+%s-1] = 0", off, x, off, l)
		w.mark(c, off, l)
		return
	}
	w.p("{")
	if t.Packs() {
		w.p("const %s = 16", n)
	} else {
		w.p("%s := len(%s)", n, x)
	}
	from := fmt.Sprint(off)
	switch t.Frame {
	case code.PadLeft:
		from = fmt.Sprintf("%d-%s", off+t.N, n)
	case code.ByLength:
		from = fmt.Sprint(off + t.N)
	case code.NoFrame, code.Fixed, code.Pad, code.Escaped, code.Nul, code.Groups:
		if t.Head != 0 {
			from = fmt.Sprint(off + 1)
			w.p("b[%d] = %#x", off, t.Head)
		}
	}
	w.p("t := b[%s : %s+%s]", from, from, n)
	if t.Packs() {
		w.p("binary.BigEndian.PutUint64(t, p%d)\nbinary.BigEndian.PutUint64(t[8:], q%d)", c.Index, c.Index)
	} else {
		w.p("copy(t, %s)", x)
	}
	for _, st := range t.Steps {
		w.step(st, "t")
	}
	switch t.Frame {
	case code.Pad:
		w.refuse("%s > 0 && t[%s-1] == %s", n, n, literal(t.Fill))
		w.p("for i := %d + %s; i < %d; i++ {\nb[i] = %s\n}", off, n, off+t.N, literal(t.Fill))
	case code.PadLeft:
		w.refuse("%s > 0 && t[0] == %s", n, literal(t.Fill))
		w.p("for i := %d; i < %d-%s; i++ {\nb[i] = %s\n}", off, off+t.N, n, literal(t.Fill))
	case code.Escaped:
		w.p("rt.%s(b[%d:%d+%s], %s)", map[bool]string{false: "Escape", true: "EscapeOpen"}[t.Open], off, off, l, n)
	case code.ByLength:
		w.bigEndian("uint64("+n+")", off, t.N)
	case code.Nul:
		if len(t.Steps) > 0 {
			w.refuse("bytes.IndexByte(t, 0) >= 0")
		}
		w.p("b[%d+%s-1] = 0", off, l)
	case code.Groups:
		w.p("rt.Groups(b[%s:%d+%s], %s)", from, off, l, n)
	case code.NoFrame, code.Fixed:
	}
	if t.InvertAll {
		w.p("rt.Invert(b[%d:%d+%s])", off, off, l)
	}
	w.mark(c, off, l)
	w.p("}")
}

// step prints a change of the bytes v. But for UUID it undoes itself.
func (w *goWriter) step(st code.Step, v string) {
	switch st.Word {
	case code.Reversed:
		w.p("rt.Reverse(%s)", v)
	case code.Inverted:
		w.p("rt.Invert(%s)", v)
	case code.Runes:
		w.refuse("!rt.ReverseRunes(%s)", v)
	case code.Labels:
		w.p("rt.ReverseLabels(%s, %q)", v, st.Sep)
	case code.Part:
		w.refuse("!rt.ReversePart(%s, %d, %d)", v, st.From, st.To)
	case code.UUID:
	}
}

// sums prints the buckets and digests that follow from values, and notes what has to be
// kept for the others.
func (w *goWriter) sums(comps []*code.Comp) {
	w.kept = map[int]bool{}
	for _, c := range comps {
		d := c.Sum
		if d == nil || c.Width == 0 || slices.Contains(w.open, c.Index) {
			continue
		}
		if d.Late() {
			w.kept[c.Index] = true
			for _, f := range d.Of {
				if d.OfForm(f) {
					w.kept[f.Index] = true
				}
			}
			continue
		}
		if d.Rule != digest.Modulo {
			w.sum(c, w.inputIn(c, comps))
		}
	}
}

// lateSums prints the salts and hashes of stored bytes, the last first: those before it may
// be computed from it.
func (w *goWriter) lateSums(comps []*code.Comp) {
	for _, c := range slices.Backward(comps) {
		if c.Sum == nil || !w.kept[c.Index] {
			continue
		}
		in := ""
		switch {
		case c.Sum.Input == code.Rest:
			in = fmt.Sprintf("r%d", c.Index)
			if w.trims {
				in = fmt.Sprintf("r%d[:len(r%d)-trim]", c.Index, c.Index)
				if c.Sum.Rule == digest.Phoenix {
					w.refuse("len(r%d) == trim", c.Index)
				}
			}
		case len(c.Sum.Of) == 1:
			in = fmt.Sprintf("s%d", c.Sum.Of[0].Index)
		default:
			in = fmt.Sprintf("in%d", c.Index)
			w.p("%s := dst[len(dst):]", in)
			for _, f := range c.Sum.Of {
				if c.Sum.OfForm(f) {
					w.p("%s = append(%s, s%d...)", in, in, f.Index)
				} else {
					w.p("%s = %s", in, w.appended(in, f, c.Sum.Input))
				}
			}
		}
		w.sum(c, in)
		w.p("{\nb := s%d", c.Index)
		w.putSum(c, 0)
		w.p("}")
	}
}

// inputOf prints what a salt or hash of values is computed from, and gives its name. room is
// memory for what has to be put together.
func (w *goWriter) inputOf(c *code.Comp, room string) string {
	d := c.Sum
	if !concatenated(d) {
		f := d.Of[0]
		if f.Text != nil {
			return w.valueBytes(f)
		}
		w.p("var a%d [8]byte\nbinary.BigEndian.PutUint64(a%d[:], u%d)", c.Index, c.Index, f.Index)
		return fmt.Sprintf("a%d[%d:]", c.Index, 8-valueSize(f))
	}
	in := fmt.Sprintf("in%d", c.Index)
	w.p("%s := %s", in, room)
	switch d.Input {
	case code.Format:
		w.format(in, d)
	case code.MinMax:
		a, b := d.Of[0], d.Of[1]
		less := fmt.Sprintf("u%d < u%d", b.Index, a.Index)
		switch {
		case a.Text != nil && a.Text.Decimal != 0:
			less = fmt.Sprintf("string(f%d) < string(f%d)", b.Index, a.Index)
		case a.Text != nil:
			less = w.asString(b) + " < " + w.asString(a)
		case a.Negative():
			less = fmt.Sprintf("int64(u%d) < int64(u%d)", b.Index, a.Index)
		}
		w.p("if %s {\n%s = %s\n%s = %s\n} else {\n%s = %s\n%s = %s\n}", less,
			in, w.appended(in, b, code.Values), in, w.appended(in, a, code.Values), in, w.appended(in, a, code.Values), in, w.appended(in, b, code.Values))
	case code.Values, code.AsText, code.Stored, code.Rest:
		for _, f := range d.Of {
			w.p("%s = %s", in, w.appended(in, f, d.Input))
		}
	}
	return in
}

// format prints the text of a format.
func (w *goWriter) format(in string, d *code.Sum) {
	next := 0
	for _, v := range d.Verbs {
		if v.Kind == 0 {
			w.p("%s = append(%s, %q...)", in, in, v.Text)
			continue
		}
		f := d.Of[next]
		next++
		u := fmt.Sprintf("u%d", f.Index)
		switch {
		case v.Kind == 'x' || v.Kind == 'X':
			if f.Kind == code.Int && f.Size < 8 {
				u = fmt.Sprintf("%s&%#x", u, uint64(1)<<(8*f.Size)-1)
			}
			w.p("%s = rt.AppendHex(%s, %s, %s)", in, in, u, map[byte]string{'x': "rt.Lower", 'X': "rt.Upper"}[v.Kind])
		case v.Zeros > 0:
			w.p("%s = rt.AppendPadded(%s, %s, %t, %d)", in, in, u, f.Signed(), v.Zeros)
		default:
			w.p("%s = %s", in, w.appended(in, f, code.AsText))
		}
	}
}

// inputIn is inputOf in dst: where the first text of it stands in the key, which is written after it,
// or else in the room after the key, which has what lengths asked for.
func (w *goWriter) inputIn(c *code.Comp, comps []*code.Comp) string {
	d := c.Sum
	if d.Input == code.Format || d.Input == code.MinMax {
		return w.inputOf(c, "dst[len(dst):]")
	}
	fixed, terms := 0, []string(nil)
	for _, f := range d.Of {
		size := 0
		if f.Text == nil {
			size = valueSize(f)
		}
		switch {
		case f.Text != nil:
			terms = append(terms, "len("+w.value(f)+")")
		case d.Input == code.AsText || f.Num.Date != nil || size&(size-1) != 0:
			return w.inputOf(c, "dst[len(dst):]")
		}
		fixed += size
	}
	if !concatenated(d) {
		return w.inputOf(c, "")
	}
	in := fmt.Sprintf("in%d", c.Index)
	from, first := "len(dst)", d.Of[0]
	if w.placed == nil && first.Text != nil && first.Text.AsIs() && len(first.Text.Codes) == 0 && slices.Contains(comps, first) {
		w.placed = first
		from = w.place(first)
	}
	w.p("%s := dst[%s : %s+%s]", in, from, from, sumOf(fixed, terms))
	fixed, terms = 0, nil
	for _, f := range d.Of {
		to := in
		if fixed > 0 || terms != nil {
			to = fmt.Sprintf("%s[%s:]", in, sumOf(fixed, terms))
		}
		u := fmt.Sprintf("u%d", f.Index)
		if f.Text != nil {
			w.p("copy(%s, %s)", to, w.value(f))
			terms = append(terms, "len("+w.value(f)+")")
			continue
		}
		switch size := valueSize(f); size {
		case 8:
			w.p("binary.BigEndian.PutUint64(%s, %s)", to, u)
		case 4, 2:
			w.p("binary.BigEndian.PutUint%d(%s, uint%d(%s))", 8*size, to, 8*size, u)
		case 1:
			w.p("%s[%s] = byte(%s)", in, sumOf(fixed, terms), u)
		}
		fixed += valueSize(f)
	}
	return in
}

// place is where the form of a component begins in dst.
func (w *goWriter) place(c *code.Comp) string {
	fixed, terms := 0, []string{"at"}
	for _, o := range w.s.Stored(c.Index) {
		if fixed += o.Width; o.Width == 0 {
			terms = append(terms, fmt.Sprintf("l%d", o.Index))
		}
	}
	return sumOf(fixed, terms)
}

// valueSize is the length of a number's value, as salts and hashes read it.
func valueSize(f *code.Comp) int {
	switch f.Kind {
	case code.Time:
		return 8
	case code.Bool:
		return 1
	case code.Uint, code.Int, code.Float:
		return f.Size
	}
	panic("gen: a value of no size")
}

// appended is the call that appends a value to in.
func (w *goWriter) appended(in string, f *code.Comp, as code.Input) string {
	u := fmt.Sprintf("u%d", f.Index)
	switch {
	case f.Text != nil:
		return fmt.Sprintf("append(%s, %s...)", in, w.value(f))
	case f.Num.How == code.DateText:
		return fmt.Sprintf("rt.AppendDate(%s, %s, %q)", in, dateNumber(f), f.Num.Date.Pattern)
	case f.Num.Date != nil:
		u = dateNumber(f)
	}
	switch {
	case as == code.AsText && f.Signed():
		return fmt.Sprintf("rt.AppendInt(%s, %s)", in, u)
	case as == code.AsText && f.Kind == code.Bool:
		return fmt.Sprintf("rt.AppendBool(%s, %s)", in, u)
	case as == code.AsText:
		return fmt.Sprintf("rt.AppendUint(%s, %s)", in, u)
	}
	switch size := valueSize(f); size {
	case 8:
		return fmt.Sprintf("binary.BigEndian.AppendUint64(%s, %s)", in, u)
	case 4:
		return fmt.Sprintf("binary.BigEndian.AppendUint32(%s, uint32(%s))", in, u)
	case 1:
		return fmt.Sprintf("append(%s, byte(%s))", in, u)
	default:
		bytes := []string{in}
		for k := size - 1; k >= 0; k-- {
			bytes = append(bytes, fmt.Sprintf("byte(%s>>%d)", u, 8*k))
		}
		return "append(" + strings.Join(bytes, ", ") + ")"
	}
}

// sum prints the bucket h or the digest d of an input.
func (w *goWriter) sum(c *code.Comp, in string) {
	d, i := c.Sum, c.Index
	if c.Kind == code.Salt && d.Rule != digest.OfDigest {
		hash := fmt.Sprintf("rt.JavaBytes(%s)", in)
		if d.Rule.OfText() {
			w.p("j%d, ok%d := rt.JavaHash(%s)", i, i, in)
			w.refuse("!ok%d", i)
		} else {
			w.p("j%d := %s", i, hash)
		}
		switch d.Rule {
		case digest.Java, digest.Pinpoint:
			w.p("h%d := rt.Mask31(j%d, %d)", i, i, d.Buckets)
		case digest.JavaAbs, digest.HBaseWD:
			w.refuse("j%d == math.MinInt32", i)
			w.p("h%d := rt.Abs(j%d, %d)", i, i, d.Buckets)
		case digest.JavaModAbs, digest.Phoenix:
			w.p("h%d := rt.Abs(j%d, %d)", i, i, d.Buckets)
		case digest.JavaFloor:
			w.p("h%d := rt.FloorMod(int64(j%d), %d)", i, i, d.Buckets)
		case digest.OfDigest, digest.Modulo:
		}
		return
	}
	if c.Kind == code.Salt && d.Digest == digest.Murmur3 && d.N == 4 {
		w.p("h%d := uint64(rt.Murmur(%d, %s) %% %d)", i, d.Seed, in, d.Buckets)
		return
	}
	switch d.Digest {
	case digest.Murmur3, digest.HBaseMurmur3:
		w.p("d%d := rt.Word(rt.Murmur(%d, %s))", i, d.Seed, in)
	case digest.HBaseMurmur:
		w.p("d%d := rt.Word(rt.HBaseMurmur(%d, %s))", i, d.Seed, in)
	case digest.HBaseJenkins:
		w.p("d%d := rt.Word(rt.HBaseJenkins(%d, %s))", i, d.Seed, in)
	case digest.Murmur3x128:
		w.p("d%d := rt.Murmur128(%d, %s)", i, d.Seed, in)
	case digest.JavaHashCode:
		w.p("j%d, ok%d := rt.JavaHash(%s)", i, i, in)
		w.refuse("!ok%d", i)
		w.p("d%d := rt.Word(uint32(j%d))", i, i)
	case digest.MD5, digest.SHA1, digest.SHA256, digest.SHA512, digest.CRC32:
		w.p("d%d := rt.%s(%s)", i, strings.ToUpper(d.Digest.String()), in)
	default:
		panic("gen: a digest that package code does not give")
	}
	if c.Kind == code.Salt {
		w.p("h%d := rt.Mod(d%d[:%d], %d)", i, i, d.N, d.Buckets)
	}
}

// putSum prints a salt or a hash at b[off:].
func (w *goWriter) putSum(c *code.Comp, off int) {
	d, i := c.Sum, c.Index
	if c.Kind == code.Hash {
		digits := "rt.Lower"
		if d.Upper {
			digits = "rt.Upper"
		}
		switch {
		case !d.Hex:
			w.p("copy(b[%d:%d], d%d[:])", off, off+d.N, i)
		case d.N <= 8 && d.At%2 == 0 && d.N%2 == 0:
			for k := 0; k < d.N; k += 2 {
				sum := fmt.Sprintf("d%d[%d]", i, (d.At+k)/2)
				w.p("b[%d], b[%d] = %s[%s>>4], %s[%s&15]", off+k, off+k+1, digits, sum, digits, sum)
			}
		default:
			w.p("rt.PutHexOf(b[%d:%d], d%d[:], %d, %s)", off, off+d.N, i, d.At, digits)
		}
		return
	}
	h := bucket(c)
	switch d.Form {
	case code.InBytes:
		w.bigEndian(h, off, c.Width)
	case code.InDigits:
		if c.Width == 2 {
			w.p("b[%d], b[%d] = byte('0'+%s/10), byte('0'+%s%%10)", off, off+1, h, h)
			return
		}
		w.p("rt.PutDigits(b[%d:%d], %s)", off, off+c.Width, h)
	case code.InLetters:
		w.p("b[%d] = %q[%s]", off, d.Letters, h)
	case code.InDecimal:
		w.p("rt.PutDigits(b[%d:%d], %s)", off, off+c.Width, h)
	}
}

// bucket is the number of a salt's bucket.
func bucket(c *code.Comp) string {
	if c.Sum.Rule != digest.Modulo {
		return fmt.Sprintf("h%d", c.Index)
	}
	f := c.Sum.Of[0]
	if f.Negative() {
		return fmt.Sprintf("rt.FloorMod(int64(u%d), %d)", f.Index, c.Sum.Buckets)
	}
	return fmt.Sprintf("(u%d %% %d)", f.Index, c.Sum.Buckets)
}
