package draft

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// facts are what an expression says of one field.
type facts struct {
	at         int
	name, unit string
	typ        string // a word of types
	typed      bool
	size       int    // in bytes
	date       string // a pattern of Java's
	fill       string // what pads it
	padTo      int
	padLeft    bool
	max        int // the bytes of the type from whose largest value it is taken
	nines      int // the nines from which it is taken
	desc       bool
	reverse    bool
	within     bool // it is reversed before it is padded
	backward   bool // it runs backward, and how is not said
	left       int  // its first bytes
	right      int  // its last
	text       bool
	verb       verb
}

// gather collects what an expression says of its one field. It is false if the expression has
// more than one field. One flat switch over all that can be done to a field: each case is one fact.
func (r *reader) gather(e *expr) (f facts, ok bool) {
	if len(e.args) == 0 || e.args[0] == nil {
		return facts{at: e.at, name: e.name, unit: e.unit}, e.name != "" && e.fn == ""
	}
	if f, ok = r.gather(e.args[0]); !ok {
		return f, false
	}
	n, fill := padding(e)
	switch e.fn {
	case "as", "asc":
	case "abs":
	case "text":
		f.text = true
	case "sized":
		f.size = e.n
	case "typed":
		f.typ, f.typed = e.text, true
	case "desc":
		f.desc = !f.desc
	case "reverse":
		f.reverse = !f.reverse
	case "backward":
		f.backward = true
	case "date":
		f.date = e.text
	case "max":
		f.max = e.n
	case "nines":
		f.nines = e.n
	case "fill":
		f.fill, f.padLeft = e.text, e.n == 0
		f.padTo = f.size
		f.reversedWithin()
	case "rpad", "lpad":
		if n < 1 || len(fill) != 1 {
			r.Fail(e.at, "expected %s of a field, a number of bytes and one byte that fills", e.fn)
		}
		f.padTo, f.fill, f.padLeft = n, fill, e.fn == "lpad"
		f.reversedWithin()
	case "verb":
		if f.verb = verbOf(e); f.verb.width > 0 {
			f.reversedWithin()
		}
	case "left", "right", "slice", "substr", "substring":
		return r.cut(e, f)
	default:
		return f, false
	}
	if f.fill != "" && f.padTo == 0 {
		f.padTo = f.size
	}
	return f, true
}

// reversedWithin notes that what was reversed so far is padded now: lpad(reverse(x)) is not
// reverse(lpad(x)).
func (f *facts) reversedWithin() { f.within, f.reverse = f.reverse, false }

// cut is a part of a field, its first bytes or its last.
func (r *reader) cut(e *expr, f facts) (facts, bool) {
	var n []int
	for _, arg := range e.args[1:] {
		if arg.isNum {
			n = append(n, arg.n)
		}
	}
	switch {
	case e.fn == "left" && len(n) == 1:
		f.left = n[0]
	case e.fn == "right" && len(n) == 1:
		f.right = n[0]
	case e.fn == "slice" && n[0] < 0:
		f.right = -n[0]
	case len(n) == 2 && n[0] == 0:
		f.left = n[1]
	default:
		r.Fail(e.at, "expected the first or the last bytes of %s, such as %s[0:4]: another part cannot be declared", f.name, f.name)
	}
	if f.left == 0 && f.right == 0 {
		r.Fail(e.at, "expected a part of %s that is not empty", f.name)
	}
	return f, true
}

// padding is the numbers and the byte of rpad(x, 20, 'x') or rpad(x, 'x', 20).
func padding(e *expr) (n int, fill string) {
	for _, arg := range e.args[min(1, len(e.args)):] {
		switch {
		case arg.isNum && n == 0:
			n = arg.n
		case arg.isNum: // lpad(x, 10, 0)
			fill = strconv.Itoa(arg.n)
		case arg.isText:
			fill = arg.text
		}
	}
	return n, fill
}

// plainly is an expression without the calls around it that change no byte of the field.
func plainly(e *expr) *expr {
	for len(e.args) > 0 && (e.fn == "as" || e.fn == "text" || e.fn == "typed" || e.fn == "asc" ||
		e.fn == "verb" && digestOf(e.args[0]) == nil || e.fn == "sized" && digestOf(e.args[0]) == nil) {
		e = e.args[0]
	}
	return e
}

// write makes the notation.
func (r *reader) write() {
	r.modular = r.modularFields()
	for i := range r.list {
		it := &r.list[i]
		r.begun = append(r.begun, spot{r.out.Len(), it.at})
		if it.expr == nil && it.said == nil {
			r.constantOf(i)
			continue
		}
		last, open, name := i == len(r.list)-1, false, ""
		if it.said != nil {
			r.out.WriteString(it.text)
			name, open = it.said.name, it.said.unended
			r.stored(it.at, name)
		} else {
			name, open = r.component(it.expr)
		}
		if open && !last && (r.list[i+1].expr != nil || r.list[i+1].said != nil) {
			r.ask(name, say("ends", name), it.at, means(`['\x00']`, "ends-zero"), means(`['_']`, "ends-byte", "_"), means("", "ends-nothing"))
		}
	}
}

// undecided writes ? as \x3f in text of the design, since ? stands for what is left open.
func undecided(text string) string { return strings.ReplaceAll(text, "?", `\x3f`) }

// constantOf writes what stands between components.
func (r *reader) constantOf(i int) {
	it := &r.list[i]
	if it.name != "" {
		r.namedConstant(it)
		return
	}
	text := undecided(notation.Quote([]byte(it.text), '\''))
	switch {
	case r.out.Len() == 0:
		r.out.WriteString("[" + undecided(notation.Quote([]byte(it.text), '"')) + "]")
	case it.sure:
		r.out.WriteString("[" + text + "]")
	default:
		r.ask("", say("separator", text), it.at, means("["+text+"]", "separator-is"), means("", "separator-not"), means(`['\x00']`, "separator-zero"))
	}
}

// namedConstant asks which bytes a constant is that the design only names, such as separator.
func (r *reader) namedConstant(it *item) {
	if r.out.Len() == 0 {
		r.Fail(it.at, "expected a field in front of %s", it.name)
		return
	}
	r.ask("", say("constant", it.name), it.at, means("['_']", "constant-byte", "_"), means("['|']", "constant-byte", "|"), means("['#']", "constant-byte", "#"),
		means(`['\x00']`, "constant-zero"))
}

// stored notes that the key has a field of this name. It is a problem if it has one already.
func (r *reader) stored(at int, name string) {
	if name == "" {
		return
	}
	if slices.Contains(r.seen, name) {
		r.Fail(at, "%s stands twice: written once more it is a copy, such as [%s2=%s]", name, name, name)
	}
	r.seen = append(r.seen, name)
}

// component writes one component, and reports its name and whether it may need
// an end.
func (r *reader) component(e *expr) (name string, open bool) {
	alias := e.alias
	e = plainlyButVerb(e)
	if h := r.digest(e); h != nil {
		h.alias = alias
		r.hash(e.at, h)
		return "", false
	}
	inner := plainly(e)
	switch inner.fn {
	case "salt":
		r.saltOf(inner, e)
		return "", false
	case "mod", "floormod": // of a field; a digest's is above
		r.modOf(inner, verbIn(e), alias)
		return "", false
	case "random":
		return "random", r.random(inner)
	}
	f, ok := r.gather(e)
	if !ok {
		at := e.at
		if len(e.args) > 0 && e.args[0] != nil {
			at = e.args[0].at
		}
		r.Fail(at, "expected the name of a field, or what can be done to one")
		return "", false
	}
	return f.name, r.field(f)
}

// modularFields are the fields that a design takes modulo a number: they are
// numbers.
func (r *reader) modularFields() (names []string) {
	for _, it := range r.list {
		if it.expr == nil || digestOf(it.expr) != nil {
			continue
		}
		if e := plainly(it.expr); e.fn == "mod" || e.fn == "floormod" {
			names = append(names, plainly(e.args[0]).name)
		}
	}
	return names
}

// plainlyButVerb takes off what changes nothing, and keeps how it is printed.
func plainlyButVerb(e *expr) *expr {
	for len(e.args) > 0 && (e.fn == "as" || e.fn == "asc") {
		e = e.args[0]
	}
	return e
}

// verbIn is how an expression is printed; the zero verb if nothing says so. A size in bytes is a
// verb of kind 'b'.
func verbIn(e *expr) verb {
	for len(e.args) > 0 {
		switch e.fn {
		case "verb":
			return verbOf(e)
		case "sized":
			return verb{kind: 'b', width: e.n}
		case "as", "text", "typed":
			e = e.args[0]
		default:
			return verb{}
		}
	}
	return verb{}
}

// random writes a field that the writer draws.
func (r *reader) random(e *expr) bool {
	r.stored(e.at, "random")
	n := 0
	if len(e.args) == 1 && e.args[0].isNum {
		n = e.args[0].n
	}
	size := bytesFor(n)
	fmt.Fprintf(&r.out, "[random:%d below(", size)
	if n > 0 {
		fmt.Fprint(&r.out, n)
	} else {
		r.askRanges("random", say("random"), e.at, means("100", "values", 99), means("256", "values", 255))
	}
	r.out.WriteString(")")
	written := []answer{means("", "n-bytes", size), means(" digits(2)", "digits-n", 2), means(" digits(3)", "digits-n", 3)}
	if n > 1000 {
		digits := len(strconv.Itoa(n - 1))
		written = []answer{written[0], means(fmt.Sprintf(" digits(%d)", digits), "digits-n", digits)}
	} else if n > 100 {
		written = slices.Delete(written, 1, 2)
	}
	r.ask("random", say("random-written"), e.at, written...)
	r.out.WriteString("]")
	return false
}

// bytesFor is how many bytes hold the numbers below n; one if n is not known.
func bytesFor(n int) int {
	size := 1
	for n > 1<<(8*size) {
		size++
	}
	return size
}

// bare reports that a design says no more of a field than its name.
func (f facts) bare() bool {
	return !f.typed && f.size == 0 && f.date == "" && f.fill == "" && f.max == 0 && f.nines == 0 && !f.desc && !f.reverse && !f.within &&
		f.left == 0 && f.right == 0 && f.verb.kind == 0
}

// isTime reports that a field is a time: by what is done to it, or by its name where its type
// does not say otherwise.
func (f facts) isTime() bool {
	if f.date != "" || f.unit != "" || f.nines > 0 {
		return true
	}
	named := namesTime(f.name) || namesBackward(f.name) || namesDate(f.name)
	return named && (!f.typed || strings.HasPrefix(types[f.typ], "java"))
}

// field writes a field, and reports whether it may need an end.
func (r *reader) field(f facts) (open bool) {
	switch {
	case namesSalt(f.name) && (f.bare() || f.size > 0):
		r.salt(f.at, f.name, &hash{verb: verb{kind: sizeKind(f.size), width: f.size}})
		return false
	case namesHash(f.name) && f.bare():
		r.hash(f.at, &hash{})
		return false
	case f.left > 0 || f.right > 0:
		f.reverse = f.reverse != f.within
		return r.part(f)
	}
	r.stored(f.at, f.name)
	r.Field = f.name
	defer func() { r.Field = "" }()
	r.out.WriteString("[")
	defer r.out.WriteString("]")
	switch {
	case f.fill != "":
		return r.padded(f)
	case f.isTime():
		f.reverse = f.reverse != f.within
		r.time(f)
		return false
	case f.max > 0:
		fmt.Fprintf(&r.out, "%s:%d width(%d) desc", f.name, f.max, f.max)
		r.reversed(f)
		return false
	}
	return r.value(f)
}

func sizeKind(size int) byte {
	if size > 0 {
		return 'b'
	}
	return 0
}

// part writes the first or the last bytes of a field, as a copy of it. If the field stands nowhere
// else in the design, it is written too, as not stored.
func (r *reader) part(f facts) (open bool) {
	n, option := f.left, "left"
	if f.right > 0 {
		n, option = f.right, "right"
	}
	name := f.name + "2"
	r.stored(f.at, name)
	fmt.Fprintf(&r.out, "[%s=%s %s(%d)", name, f.name, option, n)
	if f.reverse {
		r.out.WriteString(" reverse")
	}
	fmt.Fprintf(&r.out, " fixed(%d)]", n)
	if !slices.Contains(r.fields(), f.name) && !slices.Contains(r.seen, f.name) {
		r.stored(f.at, f.name)
		r.out.WriteString("[" + f.name + " notstored]")
	}
	return false
}

// padded writes a field of one width that a byte fills.
func (r *reader) padded(f facts) bool {
	typ, known := types[f.typ]
	known = known && f.typed
	if f.padTo == 0 {
		r.Fail(f.at, "expected to how many bytes %s is padded", f.name)
		return false
	}
	text, number := f.paddedText(f.padTo, f.fill, f.padLeft), f.paddedDigits(f.padTo)
	r.out.WriteString(f.name)
	switch {
	case f.padLeft && f.fill == "0" && known && typ != "":
		if number == "" {
			r.Fail(f.at, "expected at most %d digits: a number has no more", mostDigits)
		}
		r.out.WriteString(strings.TrimPrefix(strings.Replace(typ, "java", ":", 1), "") + number)
	case f.padLeft && f.fill == "0" && !known && number != "":
		r.ask(f.name, say("what", f.name), f.at, means(":8"+number, "number-padded"), means(text, "text-no-zero"))
	default:
		r.out.WriteString(undecided(text))
	}
	if f.desc {
		r.out.WriteString(" desc")
	}
	return false
}

// paddedText is a text that a byte fills to n bytes. Where the filled text is reversed, the byte
// fills the reversed text on its other side, which is the same.
func (f facts) paddedText(n int, fill string, left bool) string {
	side, reverse := "pad", ""
	if left != f.reverse {
		side = "padleft"
	}
	if f.within != f.reverse {
		reverse = " reverse"
	}
	return fmt.Sprintf("%s %s(%d,%s)", reverse, side, n, notation.Quote([]byte(fill), '\''))
}

// mostDigits is how many decimal digits the largest number has.
const mostDigits = 20

// paddedDigits is a number that '0' fills on the left to n decimal digits; empty if no number has so many.
func (f facts) paddedDigits(n int) string {
	switch {
	case f.within:
		return " decimal" + f.paddedText(n, "0", true)
	case n > mostDigits:
		return ""
	case f.reverse:
		return fmt.Sprintf(" digits(%d) reverse", n)
	}
	return fmt.Sprintf(" digits(%d)", n)
}

// What a field may be of which a design says little.
var (
	asText    = means("", "text")
	asDecimal = means(":8 decimal", "number-decimal")
	asDigits  = means(":8 digits(10)", "number-digits", 10)
	asNumber  = []answer{means(":8", "number-8"), means(":4", "number-n", 4)}
)

// asTime is what a time may be whose name does not say that it is one.
func asTime(name string) []answer {
	return []answer{means("ms("+name+")", "time-ms"), means("s("+name+")", "time-s")}
}

// value writes a field that is no time, and reports whether it may need an end.
func (r *reader) value(f facts) (open bool) {
	r.out.WriteString(f.name)
	switch v := f.verb; {
	case v.kind == 'd' || v.kind == 'x' || v.kind == 'X' || v.kind == 's' && v.width > 0:
		open, f.reverse = r.printedValue(f), false // it has written that, too
	case f.typed:
		open = r.typedValue(f)
	case f.size > 0:
		r.ask(f.name, say("what", f.name), f.at, sizedChoices(f.size)...)
	case f.reverse && namesHost(f.name) && v.kind != 's' && !f.text:
		open, f.reverse = true, false // each answer says what is reversed
		r.ask(f.name, say("reversed", f.name), f.at, means(` reverselabels(".")`, "reversed-labels"), means(" reverse", "reversed-bytes"))
	default:
		open = true
		r.ask(f.name, say("what", f.name), f.at, r.valueChoices(f)...)
	}
	if f.reverse {
		r.out.WriteString(" reverse")
	}
	if f.desc {
		r.out.WriteString(" desc")
	}
	return open
}

// printedValue writes how a value is printed, and its reversal: %d, %08x, %-10s. It reports whether the
// field may need an end.
func (r *reader) printedValue(f facts) (open bool) {
	v := f.verb
	blanks := f.paddedText(v.width, " ", !v.left)
	switch digits := f.paddedDigits(v.width); {
	case v.kind == 's' && v.fill == '0':
		r.out.WriteString(f.paddedText(v.width, "0", !v.left))
	case v.kind == 's':
		r.out.WriteString(blanks)
	case v.kind == 'd' && v.width == 0:
		r.out.WriteString(":8 decimal")
		if f.reverse {
			r.out.WriteString(" reverse")
		}
		return true
	case v.kind == 'd' && v.fill != '0':
		r.out.WriteString(":8 decimal" + blanks)
	case v.kind == 'd' && digits != "":
		r.out.WriteString(":8" + digits)
	case v.kind == 'd':
		r.Fail(f.at, "expected at most %%0%dd: a number has no more digits", mostDigits)
	case v.kind == 'x' && v.width > 0 && v.width <= 16 && v.fill == '0' && !f.within:
		fmt.Fprintf(&r.out, ":8 hexdigits(%d)", v.width)
		if f.reverse {
			r.out.WriteString(" reverse")
		}
	default:
		r.Fail(f.at, "expected %%08x or the like: hexadecimal of its own length, of more than 16 digits, or in upper case, cannot be declared")
	}
	return false
}

// typedValue writes the type that a design says, and reports whether the field may need an end.
func (r *reader) typedValue(f facts) (open bool) {
	typ := types[f.typ]
	text := typ == "" || typ == ":bytes"
	switch size, java := strings.CutPrefix(typ, "java"); {
	case java:
		r.ask(f.name, say("negative", f.name), f.at, means(":"+size, "not-negative"), means(":i"+size, "negative-sorts"), means(":i"+size+" hbase", "negative-last"))
	case text && f.size > 0:
		fmt.Fprintf(&r.out, "%s fixed(%d)", typ, f.size)
	default:
		r.out.WriteString(typ)
		return text
	}
	return false
}

// valueChoices are what a field may be of which neither type nor size is said.
func (r *reader) valueChoices(f facts) []answer {
	switch {
	case f.verb.kind == 's' || f.text:
		return []answer{asText, asDecimal}
	case slices.Contains(r.modular, f.name):
		return slices.Concat(asNumber, asTime(f.name), []answer{asDigits, asDecimal})
	case f.reverse:
		return []answer{asText, means(" fixed(11)", "text-fixed", 11), means(":8 digits(11)", "number-digits", 11)}
	}
	return slices.Concat([]answer{asText, means(" fixed(10)", "text-fixed", 10), means(" escaped", "text-escaped")},
		asNumber, []answer{asDigits, asDecimal, means(":bytes", "bytes")}, asTime(f.name))
}

// sizedChoices are what n bytes may be.
func sizedChoices(n int) []answer {
	text := means(fmt.Sprintf(" fixed(%d)", n), "text-fixed", n)
	raw := means(fmt.Sprintf(":bytes fixed(%d)", n), "bytes-fixed", n)
	padded := means(fmt.Sprintf(" pad(%d,'\\x00')", n), "text-padded", n)
	if n > 8 {
		return []answer{text, padded, raw}
	}
	return []answer{means(fmt.Sprintf(":%d", n), "number"), means(fmt.Sprintf(":i%d", n), "number-signed"), text, padded, raw}
}

var units = []answer{
	means("ms", "ms"), means("s", "s"), means("us", "us"), means("ns", "ns"), means("min", "min"),
}

// ofNines are the units by the number of digits that the times of our years have: 10 of seconds.
var ofNines = map[int]string{10: "s", 13: "ms", 16: "us", 19: "ns"}

// time writes a time.
func (r *reader) time(f facts) {
	if f.date == "" {
		f.date = f.name
	}
	layout := goLayout(f.date)
	// How it runs backward is not said.
	backward := (f.backward || namesBackward(f.name)) && f.max == 0 && f.nines == 0 && !f.desc
	switch {
	case layout != "":
		r.dated(f, layout)
	case f.max == 4 || f.max == 0 && f.size > 0 && f.size < 8:
		r.shortTime(f)
	case f.nines > 0:
		r.timeOfNines(f)
	case namesDate(f.name) && !backward && f.verb.kind != 'd' && f.size == 0 && f.max == 0 && !f.reverse:
		r.day(f)
		if f.desc {
			r.out.WriteString(" desc")
		}
	default:
		r.instant(f, backward)
	}
}

// shortTime writes a time in fewer than 8 bytes, such as Integer.MAX_VALUE - ts.
func (r *reader) shortTime(f facts) {
	n := f.size
	if f.max == 4 {
		n = 4
	}
	r.unit(f, []answer{means("s", "s"), means("min", "min")})
	fmt.Fprintf(&r.out, "(%s) width(%d)", f.name, n)
	if f.desc || f.max > 0 {
		r.out.WriteString(" desc")
	}
	r.reversed(f)
}

// reversed writes that the bytes of a field are reversed, if they are.
func (r *reader) reversed(f facts) {
	if f.reverse {
		r.out.WriteString(" reverse")
	}
}

// timeOfNines writes 9999999999999 - ts: as many digits as there are nines.
func (r *reader) timeOfNines(f facts) {
	if u := ofNines[f.nines]; u != "" {
		r.out.WriteString(u)
	} else {
		r.unit(f, units)
	}
	fmt.Fprintf(&r.out, "(%s) digits(%d) desc", f.name, f.nines)
	r.reversed(f)
}

// instant writes the number of a time: its unit, and how the number is written.
func (r *reader) instant(f facts, backward bool) {
	number := f.size > 0 || f.verb.kind == 'd' || slices.Contains(r.modular, f.name)
	switch {
	case backward || f.reverse && f.desc:
		r.backward(f)
	case f.max > 0 || f.desc:
		r.out.WriteString("max-")
		r.unit(f, units)
	case number:
		r.unit(f, units)
	default:
		r.unit(f, append(slices.Clone(units), means(`layout("20060102150405",+08:00)`, "as-datetime")))
	}
	r.out.WriteString("(" + f.name + ")")
	r.digits(f, backward || f.max > 0 || f.desc)
	if f.max > 0 {
		r.reversed(f)
	}
}

// unit writes or asks the unit of a time.
func (r *reader) unit(f facts, choices []answer) {
	if f.unit != "" {
		r.out.WriteString(f.unit)
		return
	}
	r.ask(f.name, say("unit", f.name), f.at, choices...)
}

// digits writes how the number of a time is written.
func (r *reader) digits(f facts, backward bool) {
	text := means(" digits(13)", "digits-padded", 13)
	if backward {
		text = means(" digits(19)", "digits-n", 19)
	}
	switch v := f.verb; {
	case f.reverse && !backward:
		r.ask(f.name, say("reversed", f.name), f.at, means(" digits(13) reverse", "digits-13-reversed"), means(" reverse", "bytes-8-reversed"))
	case f.size == 8 || f.typed:
	case v.kind == 'd' && v.width > 0 && v.fill == '0':
		if v.width > mostDigits {
			r.Fail(f.at, "expected at most %%0%dd: a number has no more digits", mostDigits)
		}
		fmt.Fprintf(&r.out, " digits(%d)", v.width)
	case (v.kind == 'd' || v.kind == 's') && backward:
		r.out.WriteString(" digits(19)")
	case v.kind == 'd' || v.kind == 's':
		r.ask(f.name, say("digits", f.name), f.at, means(" digits(13)", "digits-ms"), means(" digits(10)", "digits-s"), means(" decimal", "digits-any"))
	default:
		r.ask(f.name, say("written", f.name), f.at, means("", "bytes-8"), text)
	}
}

// backward asks about a name such as rev_ts.
func (r *reader) backward(f facts) {
	r.ask(f.name, say("backward", f.name), f.at, means("max-ms", "max-ms"), means("max-s", "max-s"), means("max-us", "max-us"))
}

// dated writes a date or a date and time as the text of a pattern.
func (r *reader) dated(f facts, layout string) {
	r.ask(f.name, say("zone", f.name), f.at,
		means("layout("+notation.Quote([]byte(layout), '"')+",+08:00)", "zone-china"),
		means("layout("+notation.Quote([]byte(layout), '"')+",UTC)", "zone-utc"))
	r.out.WriteString("(" + f.name + ")")
	if f.reverse {
		r.out.WriteString(" reverse")
	}
	if f.desc {
		r.out.WriteString(" desc")
	}
}

// day asks how a date is written.
func (r *reader) day(f facts) {
	r.ask(f.name, say("day", f.name), f.at, means(`layout("20060102",+08:00)`, "day-china"), means(`layout("20060102",UTC)`, "day-utc"),
		means(`layout("2006-01-02",+08:00)`, "day-dashes"), means("d", "days"))
	r.out.WriteString("(" + f.name + ")")
}
