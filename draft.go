package rowkey

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Draft is a layout as far as a design document says it. It becomes a notation,
// and so a schema, when what is open has been decided.
type Draft struct {
	Notation string     // with a ? for each of Open, in its order; Parse refuses those
	Open     []Question // what the design does not say
}

// Question is one thing that a design does not say.
type Question struct {
	Field   string   // the component it is about; empty for a constant
	What    string   // such as "what uid is" or "the unit of ts"
	Offset  int      // byte in the design at which the component stands
	Choices []Choice // usual answers; any other piece of notation may be one
}

// Choice is an answer: what may stand in place of the ?.
type Choice struct {
	Notation string
	Meaning  string
}

// Decide is the notation with the answers in place of the first ?s.
func (d *Draft) Decide(answers ...string) string {
	var b strings.Builder
	rest := d.Notation
	for _, a := range answers {
		head, tail, ok := strings.Cut(rest, "?")
		if !ok {
			break
		}
		b.WriteString(head)
		b.WriteString(a)
		rest = tail
	}
	return b.String() + rest
}

// ask leaves a ? and says what it stands for.
func (l *looseParser) ask(field, what string, at int, choices ...Choice) {
	l.out.WriteByte('?')
	l.open = append(l.open, Question{Field: field, What: what, Offset: at, Choices: choices})
}

// write makes the notation.
func (l *looseParser) write() {
	for i := range l.list {
		it := &l.list[i]
		if it.expr == nil && it.decl == nil {
			l.writeConstant(i)
			continue
		}
		last, open := i == len(l.list)-1, false
		name := ""
		if it.decl != nil {
			l.out.WriteString(it.text)
			name = it.decl.name
			l.stored(it.at, name)
			open = it.decl.role != roleSalt && it.decl.role != roleHash && (it.decl.kind == KindString || it.decl.kind == KindBinary) &&
				!slices.ContainsFunc(it.decl.opts, func(o opt) bool {
					return slices.Contains([]word{wFixed, wPad, wPadLeft, wEscaped}, o.word) || o.dial.framed()
				})
		} else {
			name, open = l.component(it.expr)
		}
		if open && !last && (l.list[i+1].expr != nil || l.list[i+1].decl != nil) {
			l.ask(name, "what ends "+name, it.at,
				Choice{`['\x00']`, "a byte 00, which it cannot hold: keys sort as the texts do"},
				Choice{`['_']`, "'_', which it cannot hold"},
				Choice{"", "nothing: it has its width"})
		}
	}
}

// writeConstant writes what stands between components.
func (l *looseParser) writeConstant(i int) {
	it := &l.list[i]
	text := strings.ReplaceAll(quote([]byte(it.text), '\''), "?", `\x3f`)
	if l.out.Len() == 0 {
		l.out.WriteString("[" + strings.ReplaceAll(quote([]byte(it.text), '"'), "?", `\x3f`) + "]")
		return
	}
	if it.sure {
		l.out.WriteString("[" + text + "]")
		return
	}
	l.ask("", "whether "+text+" stands in the key", it.at,
		Choice{"[" + text + "]", "it does, and ends the field before it"},
		Choice{"", "it does not: the field before it has its width"},
		Choice{`['\x00']`, "a byte 00 stands in its place"})
}

// stored notes a field; it stands once.
func (l *looseParser) stored(at int, name string) {
	if name == "" {
		return
	}
	if slices.Contains(l.seen, name) {
		l.fail(at, "%s stands twice: written once more it is a copy, such as [%s2=%s]", name, name, name)
	}
	l.seen = append(l.seen, name)
}

// component writes one component, and reports its name and whether it may need
// an end.
func (l *looseParser) component(e *looseExpr) (name string, open bool) {
	e = plainly(e)
	if h := digestOf(e); h != nil {
		l.hash(e.at, h)
		return "", false
	}
	of := e
	if len(e.args) > 0 {
		of = plainly(e.args[0])
	}
	// What a function other than a digest is of is a field.
	if e.fn != "salt" && e.fn != "mod" && e.fn != "random" && of.name == "" {
		l.fail(of.at, "expected the name of a field")
		return "", false
	}
	switch e.fn {
	case "salt":
		l.salt(e.at, "salt", &looseHash{of: e.args})
		return "", false
	case "mod": // of a number; a digest's is above
		if of.name == "" || of.fn != "" {
			l.fail(e.at, "expected a field or a digest, modulo a number")
			return "", false
		}
		l.salt(e.at, "salt", &looseHash{digest: "modulo", of: []*looseExpr{of}, mod: e.args[1]})
		return "", false
	case "random":
		l.stored(e.at, "random")
		l.out.WriteString("[random:1 below(")
		if len(e.args) == 1 && e.args[0].isNum {
			fmt.Fprint(&l.out, e.args[0].n)
		} else {
			l.ask("random", "how many values random has", e.at, Choice{"100", "0 to 99"}, Choice{"256", "0 to 255"})
		}
		l.out.WriteString(")")
		l.ask("random", "how random is written", e.at, Choice{"", "one byte"}, Choice{" digits(2)", "two decimal digits"}, Choice{" digits(3)", "three"})
		l.out.WriteString("]")
		return "random", false
	case "max":
		return l.max(e, of), false
	case "reverse", "rpad", "lpad", "":
		return of.name, l.field(e, of)
	}
	l.fail(e.at, "expected a field or a digest; %s is of a digest only", e.fn)
	return "", false
}

// plainly takes off what changes no bytes of the field.
func plainly(e *looseExpr) *looseExpr {
	for (e.fn == "as" || e.fn == "text") && len(e.args) == 1 {
		e = e.args[0]
	}
	return e
}

var looseUnits = []Choice{
	{"ms", "milliseconds, System.currentTimeMillis"}, {"s", "seconds"}, {"us", "microseconds"}, {"ns", "nanoseconds"}, {"min", "minutes"},
}

// max writes Long.MAX_VALUE - x.
func (l *looseParser) max(e, of *looseExpr) string {
	l.stored(of.at, of.name)
	time := namesTime(of.name) || namesBackward(of.name) || namesDate(of.name)
	l.out.WriteString("[")
	switch {
	case !time && e.n == 8:
		l.out.WriteString(of.name + ":8 width(8) desc")
	case !time:
		l.out.WriteString(of.name + ":4 width(4) desc")
	case e.n == 4:
		l.ask(of.name, "the unit of "+of.name, of.at, Choice{"s", "seconds"}, Choice{"min", "minutes"})
		l.out.WriteString("(" + of.name + ") width(4) desc")
	default:
		l.out.WriteString("max-")
		l.ask(of.name, "the unit of "+of.name, of.at, looseUnits...)
		l.out.WriteString("(" + of.name + ")")
		l.ask(of.name, "how "+of.name+" is written", of.at,
			Choice{"", "8 bytes, big-endian"}, Choice{" digits(19)", "19 decimal digits"})
	}
	l.out.WriteString("]")
	return of.name
}

// field writes a field, reversed or padded as e says, and reports whether it
// may need an end.
func (l *looseParser) field(e, of *looseExpr) (open bool) {
	name := of.name
	if e.fn == "" && of.typ == "" {
		switch {
		case namesSalt(name):
			l.salt(of.at, name, &looseHash{})
			return false
		case strings.EqualFold(name, "hash"):
			l.hash(of.at, &looseHash{})
			return false
		}
	}
	l.stored(of.at, name)
	l.out.WriteString("[")
	defer l.out.WriteString("]")
	if of.typ == "" && e.fn != "rpad" && e.fn != "lpad" && (namesTime(name) || namesDate(name) || namesBackward(name)) {
		l.time(e, of)
		return false
	}
	l.out.WriteString(name)
	typ, known := looseTypes[of.typ]
	what := "what " + name + " is"
	text := Choice{"", "text"}
	long := []Choice{{":8", "a number in 8 bytes, as Java writes a long that is not negative"}, {":4", "a number in 4 bytes"}}
	n, fill := padding(e)
	switch {
	case e.fn == "rpad" || e.fn == "lpad":
		if n < 1 || len(fill) != 1 {
			l.fail(e.at, "expected %s of a field, a number of bytes and one byte that fills", e.fn)
			return false
		}
		padded := fmt.Sprintf(" pad(%d,%s)", n, quote([]byte(fill), '\''))
		if e.fn == "lpad" {
			padded = fmt.Sprintf(" padleft(%d,%s)", n, quote([]byte(fill), '\''))
		}
		if e.fn == "lpad" && fill == "0" && !known {
			l.ask(name, what, of.at, Choice{fmt.Sprintf(":8 digits(%d)", n), "a number in decimal digits"}, Choice{padded, "text that never begins with 0"})
			return false
		}
		l.out.WriteString(strings.ReplaceAll(padded, "?", `\x3f`))
		return false
	case strings.HasPrefix(typ, "java"):
		size := typ[len("java"):]
		l.ask(name, "whether "+name+" may be negative", of.at,
			Choice{":" + size, "it is not: as Bytes.toBytes writes it"},
			Choice{":i" + size, "it may be, and sorts: the sign bit is flipped"},
			Choice{":i" + size + " hbase", "it may be, as Bytes.toBytes writes it: the negative ones sort last"})
	case known:
		l.out.WriteString(typ)
	case e.fn == "reverse":
		l.ask(name, what, of.at, text, Choice{" fixed(11)", "text of 11 bytes"}, Choice{":8 digits(11)", "a number in 11 decimal digits"})
	default:
		l.ask(name, what, of.at, append([]Choice{text, {" fixed(10)", "text of 10 bytes"}, {" escaped", "text of any length and any bytes"}},
			append(long, Choice{":8 digits(10)", "a number in ten decimal digits"}, Choice{":8 decimal", "a number in decimal, as long as it is"},
				Choice{":bytes", "bytes"})...)...)
	}
	if e.fn == "reverse" {
		l.out.WriteString(" reverse")
	}
	return !known || typ == "" || typ == ":bytes"
}

// padding is the numbers and the byte of rpad(x, 20, 'x') or rpad(x, 'x', 20).
func padding(e *looseExpr) (n int, fill string) {
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

// time writes a time whose unit is not said.
func (l *looseParser) time(e, of *looseExpr) {
	name := of.name
	switch {
	case namesBackward(name):
		l.ask(name, "how "+name+" runs backward, and its unit", of.at,
			Choice{"max-ms", "Long.MAX_VALUE - milliseconds"}, Choice{"max-s", "Long.MAX_VALUE - seconds"}, Choice{"max-us", "Long.MAX_VALUE - microseconds"})
	case namesDate(name):
		l.ask(name, "how "+name+" is written, and in which zone", of.at,
			Choice{`layout("20060102",+08:00)`, "as 20230516, of China's day"}, Choice{`layout("20060102",UTC)`, "as 20230516, of UTC's"},
			Choice{`layout("2006-01-02",+08:00)`, "as 2023-05-16"}, Choice{"d", "days since 1970 in 8 bytes"})
	default:
		l.ask(name, "the unit of "+name, of.at, append(slices.Clone(looseUnits),
			Choice{`layout("20060102150405",+08:00)`, "as 20230516102030, of China's time"})...)
	}
	l.out.WriteString("(" + name + ")")
	if e.fn == "reverse" {
		l.ask(name, "of what "+name+" is reversed", of.at, Choice{" digits(13) reverse", "13 decimal digits, the last one first"}, Choice{" reverse", "bytes"})
		return
	}
	if !namesDate(name) {
		digits := Choice{" digits(13)", "13 decimal digits, zero-padded"}
		if namesBackward(name) {
			digits = Choice{" digits(19)", "19 decimal digits"}
		}
		l.ask(name, "how "+name+" is written", of.at, Choice{"", "8 bytes, or what its layout writes"}, digits)
	}
}

// looseHash is a digest of some fields, and the part of it that is taken.
type looseHash struct {
	digest   string
	of       []*looseExpr
	taken    string // "substr" …; empty for all of it
	from, to int
	upper    bool
	mod      *looseExpr
}

// digestOf is the digest that a component is a part of, nil if it is of none.
func digestOf(e *looseExpr) *looseHash {
	if digest, ok := looseDigests[e.fn]; ok && e.fn != "" {
		return &looseHash{digest: digest, of: e.args}
	}
	if len(e.args) == 0 {
		return nil
	}
	var h *looseHash
	switch e.fn {
	case "as", "text", "upper", "substr", "substring", "left", "slice", "mod":
		h = digestOf(e.args[0])
	}
	if h == nil {
		return nil
	}
	var n []int
	for _, arg := range e.args[1:] {
		if arg.isNum {
			n = append(n, arg.n)
		}
	}
	switch {
	case e.fn == "upper":
		h.upper = true
	case e.fn == "mod" && h.taken == "" && h.mod == nil:
		h.mod = e.args[1]
	case e.fn == "mod" || h.mod != nil || h.taken != "" && e.fn != "as" && e.fn != "text":
		return nil
	case e.fn == "left" && len(n) == 1:
		h.taken, h.to = e.fn, n[0]
	case len(n) == 2:
		h.taken, h.from, h.to = e.fn, n[0], n[1]
	case e.fn == "as" || e.fn == "text":
	default:
		return nil
	}
	return h
}

// hash writes a digest, or a salt of one.
func (l *looseParser) hash(at int, h *looseHash) {
	if h.mod != nil {
		l.salt(at, "salt", h)
		return
	}
	n := h.to - h.from
	l.out.WriteString("[")
	const part = "which part of the digest is taken"
	hex := fmt.Sprintf("hex(%d)", n)
	upper := ""
	if h.upper {
		upper = ".upper"
	}
	if h.from > 0 {
		hex = fmt.Sprintf("hexat(%d,%d)", h.from, n)
	}
	switch {
	case h.digest == "javahash":
		l.fail(at, "expected %% and a number of buckets: a hashCode is taken for a salt")
	case h.taken != "" && n < 1:
		l.fail(at, "expected a part that is not empty, as Java's substring has it")
	case h.digest == "" && h.taken != "":
		l.ask("hash", "which digest", at, digestsAs(hex+upper, "its hexadecimal")...)
	case h.digest == "":
		l.ask("hash", "which digest, and how much of it", at, Choice{"md5.hex(4)", "the first 4 hexadecimal characters of md5"},
			Choice{"md5.raw(2)", "the first 2 bytes of md5"}, Choice{"murmur3.raw(4)", "the 4 bytes of murmur3"})
	case h.taken == "substr" && h.from > 0:
		l.out.WriteString(h.digest + ".")
		l.ask("hash", part, at, Choice{hex + upper, "from the one to before the other, as Java's substring"},
			Choice{fmt.Sprintf("hexat(%d,%d)%s", h.from, h.to, upper), "so many from there on, as JavaScript's substr"},
			Choice{fmt.Sprintf("hexat(%d,%d)%s", h.from-1, h.to, upper), "so many, counted from 1, as SQL's substr"})
	case h.taken == "slice" && !h.upper:
		l.out.WriteString(h.digest + ".")
		choices := []Choice{{hex, "of its hexadecimal characters"}}
		if h.from == 0 { // of the bytes only the first can be said
			choices = append(choices, Choice{fmt.Sprintf("raw(%d)", n), "of its bytes"})
		}
		l.ask("hash", part, at, choices...)
	case h.taken != "":
		l.out.WriteString(h.digest + "." + hex + upper)
	case h.upper:
		fmt.Fprintf(&l.out, "%s.hex(%d).upper", h.digest, 2*sizeOf(h.digest))
	default:
		size := sizeOf(h.digest)
		l.out.WriteString(h.digest + ".")
		l.ask("hash", part, at, Choice{fmt.Sprintf("hex(%d)", 2*size), "all of it, in hexadecimal"}, Choice{fmt.Sprintf("raw(%d)", size), "all of it, as bytes"})
	}
	l.out.WriteString("(")
	hidden := l.input("hash", at, h.of)
	l.out.WriteString(")]")
	l.notStored(hidden)
}

// sizeOf is the size of a digest in bytes.
func sizeOf(digest string) int {
	for _, a := range algorithms {
		if a.name == digest {
			return a.size
		}
	}
	return 0
}

func digestsAs(part, what string) (choices []Choice) {
	for _, a := range []string{"md5", "sha1", "sha256", "murmur3"} {
		choices = append(choices, Choice{a + "." + part, what + " by " + a})
	}
	return choices
}

// salt writes a salt by a rule, of some fields; of none if they are not said.
func (l *looseParser) salt(at int, name string, h *looseHash) {
	l.out.WriteString("[salt")
	written := " digits(2)"
	if h.mod != nil {
		fmt.Fprint(&l.out, h.mod.n)
		written = fmt.Sprintf(" digits(%d)", len(strconv.Itoa(max(h.mod.n-1, 0))))
	} else {
		l.ask(name, "how many buckets "+name+" has", at, Choice{"16", "16 buckets"}, Choice{"4", "4 buckets"}, Choice{"64", "64 buckets"}, Choice{"256", "256 buckets"})
	}
	l.out.WriteString("(")
	var hidden []*looseExpr
	if h.digest == "modulo" {
		l.out.WriteString(h.of[0].name)
		hidden = l.hidden(h.of)
	} else {
		hidden = l.input(name, at, h.of)
	}
	l.out.WriteString(")")
	switch h.digest {
	case "modulo":
		l.out.WriteString(" modulo")
	case "javahash":
		l.ask(name, "how a negative hashCode becomes a bucket", at, Choice{" javahash", "(h & 0x7fffffff) % n"},
			Choice{" javahashabs", "Math.abs(h) % n"}, Choice{" javahashfloor", "Math.floorMod(h, n)"}, Choice{" javahashmodabs", "Math.abs(h % n)"})
	case "":
		if h.mod != nil {
			l.ask(name, "which hash makes the bucket", at, Choice{"", "murmur3"}, Choice{" md5.raw(4)", "the first 4 bytes of md5"}, Choice{" javahash", "Java's hashCode of a text"})
		}
	default:
		l.ask(name, "which bytes of the digest make the bucket", at,
			Choice{fmt.Sprintf(" %s.raw(%d)", h.digest, sizeOf(h.digest)), "all of them, as one number"},
			Choice{fmt.Sprintf(" %s.raw(4)", h.digest), "the first 4, as a number"})
	}
	l.ask(name, "how the bucket is written", at, Choice{"", "one byte"}, Choice{written, "decimal digits, zero-padded"}, Choice{" decimal", "decimal, as long as it is: a separator ends it"})
	if name != "salt" {
		l.out.WriteString(" named(" + name + ")")
	}
	l.out.WriteString("]")
	l.notStored(hidden)
}

// input writes what is hashed, and returns the fields of it that stand nowhere
// else in the design.
func (l *looseParser) input(name string, at int, of []*looseExpr) (hidden []*looseExpr) {
	if len(of) == 0 {
		var choices []Choice
		names := l.fields()
		if len(names) == 0 {
			l.fail(at, "expected a field in the design, of which %s is computed", name)
		}
		for _, f := range names {
			choices = append(choices, Choice{f, "a query that knows " + f + " reads one bucket"})
		}
		if len(names) > 1 {
			choices = append(choices, Choice{"values(" + strings.Join(names, ",") + ")", "all of them together"})
		}
		what := "of which fields " + name + " is computed"
		if name != "hash" {
			what += fmt.Sprintf("; one that the writer draws is a field instead, [%s:1 below(16) bucket]", name)
		}
		l.ask(name, what, at, choices...)
		return nil
	}
	var names []string
	format, constants, text := "", false, false
	for _, e := range of {
		text = text || e.fn == "text"
		e = plainly(e)
		switch {
		case e.isText:
			format += strings.ReplaceAll(e.text, "%", "%%")
			constants = true
		case e.name != "" && e.fn == "":
			format += "%s"
			names = append(names, e.name)
		default:
			l.fail(e.at, "expected fields to hash")
			return nil
		}
	}
	if len(names) == 0 {
		l.fail(at, "expected a field to hash")
		return nil
	}
	joined := strings.Join(names, ",")
	values := joined
	if len(names) > 1 {
		values = "values(" + joined + ")"
	}
	switch {
	case constants:
		l.out.WriteString(strings.ReplaceAll(string(Format(format, names...)), "?", `\x3f`))
	case text:
		l.out.WriteString("text(" + joined + ")")
	case l.allText(names):
		l.out.WriteString(values)
	default:
		l.ask(name, "which bytes of "+strings.Join(names, " and ")+" are hashed", at,
			Choice{values, "the value: the bytes of a text, a number big-endian in its size"},
			Choice{"text(" + joined + ")", "as text: a number in decimal digits, String.valueOf"})
	}
	return l.hidden(of)
}

// hidden are the fields of a digest that stand nowhere else.
func (l *looseParser) hidden(of []*looseExpr) (hidden []*looseExpr) {
	names := l.fields()
	for _, e := range of {
		if e = plainly(e); e.name != "" && !slices.Contains(names, e.name) && !slices.Contains(l.seen, e.name) {
			hidden = append(hidden, e)
		}
	}
	return hidden
}

// notStored writes fields that feed a digest and stand nowhere else.
func (l *looseParser) notStored(hidden []*looseExpr) {
	for _, e := range hidden {
		l.stored(e.at, e.name)
		l.out.WriteString("[" + e.name)
		if typ, ok := looseTypes[e.typ]; ok && !strings.HasPrefix(typ, "java") {
			l.out.WriteString(typ)
		} else {
			l.ask(e.name, "what "+e.name+" is", e.at, Choice{"", "text"}, Choice{":8", "a number of 8 bytes"}, Choice{":4", "a number of 4 bytes"}, Choice{":bytes", "bytes"})
		}
		l.out.WriteString(" notstored]")
	}
}

// fields are the names of the fields that stand in the key.
func (l *looseParser) fields() (names []string) {
	for i := range l.list {
		it := &l.list[i]
		switch {
		case it.decl != nil && it.decl.role == roleField:
			names = append(names, it.decl.name)
		case it.expr != nil:
			e := plainly(it.expr)
			switch e.fn {
			case "max", "reverse", "rpad", "lpad":
				e = plainly(e.args[0])
			}
			if e.name != "" && e.fn == "" && !namesSalt(e.name) && !strings.EqualFold(e.name, "hash") {
				names = append(names, e.name)
			}
		}
	}
	return names
}

// allText reports that these fields are text for certain.
func (l *looseParser) allText(names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		return !slices.ContainsFunc(l.list, func(it looseItem) bool {
			if it.decl != nil {
				return it.decl.name == name && it.decl.kind == KindString
			}
			if it.expr == nil {
				return false
			}
			e := plainly(it.expr)
			if e.fn == "rpad" {
				return plainly(e.args[0]).name == name
			}
			typ, known := looseTypes[e.typ]
			return e.name == name && known && typ == ""
		})
	})
}
