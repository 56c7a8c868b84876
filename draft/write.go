package draft

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// facts are what an expression says of one field.
type facts struct {
	at         int
	name, unit string
	typ        string // a word of types
	typed      bool
	size       int    // in bytes, or in characters
	chars      bool   // the size is in characters
	counted    bool   // the size is in bytes or in characters
	date       string // a pattern of Java's
	fill       string // what pads it
	padTo      int
	padLeft    bool
	max        int // the bytes of the type from whose largest value it is taken
	nines      int // the nines from which it is taken
	desc       bool
	turned     bool // reversed or descending: which one is not said
	reverse    bool
	within     bool // it is reversed before it is padded
	backward   bool // it runs backward, and how is not said
	left       int  // its first bytes
	right      int  // its last
	text       bool
	num        bool // it is made a number of a text
	bin        bool // it is written as Bytes.toBytes writes it
	verb       verb
	done       []string // what has been done to it, in order
	nodes      []*expr  // what says so
}

// orders are what may be done to a field after something else. What is not here cannot be
// declared: the pad of a part, a part of a date.
var orders = map[string][]string{
	"asc": {"sized", "typed", "unit", "text", "as"}, "as": {"*"}, "bin": {"*"}, "text": {"num", "max", "nines", "sized", "typed", "unit", "reverse", "date"}, "num": {"as", "text", "typed", "unit", "max", "nines", "date"}, "abs": {"num", "typed"},
	"sized": {"max", "reverse", "desc", "backward", "typed", "unit", "turned", "fill", "asc", "as", "bin", "text", "date"}, "typed": {"max", "nines", "reverse", "desc", "backward", "sized", "unit", "turned", "as", "asc", "num"},
	"unit": {"desc", "backward", "turned", "sized", "typed", "reverse", "asc"}, "desc": {"sized", "typed", "unit", "date", "fill", "lpad", "rpad", "verb", "bin", "reverse"},
	"turned": {"sized", "typed", "unit"}, "reverse": {"text", "as", "bin", "sized", "typed", "num", "left", "right", "lpad", "rpad", "fill", "verb", "max", "nines", "date", "unit", "reverse", "asc"},
	"backward": {"sized", "typed", "unit", "asc"}, "date": {"as", "num", "unit", "text", "typed", "sized", "desc", "backward", "asc", "max"}, "max": {"num", "text", "as", "typed", "unit", "sized", "bin"}, "nines": {"num", "text", "as", "typed", "unit", "sized", "date"},
	"fill": {"sized", "typed", "reverse", "desc", "turned"}, "lpad": {"text", "as", "reverse", "typed", "num", "sized", "nines", "turned"}, "rpad": {"text", "as", "reverse", "typed", "num", "sized", "turned"},
	"verb": {"sized", "text", "as", "num", "reverse", "typed", "max", "nines", "abs", "desc", "unit", "lpad", "rpad", "left", "right", "date"}, "left": {"text", "as", "reverse", "typed", "asc", "sized"}, "right": {"text", "as", "reverse", "typed", "asc", "sized"},
}

// gather collects what an expression says of its one field. It is false if the expression has
// more than one field. One flat switch over all that can be done to a field: each case is one fact.
func (r *reader) gather(e *expr) (f facts, ok bool) {
	if len(e.args) == 0 || e.args[0] == nil {
		return facts{at: e.at, name: e.name, unit: e.unit, nodes: []*expr{e}}, e.name != "" && e.fn == ""
	}
	if f, ok = r.gather(e.args[0]); !ok {
		return f, false
	}
	fn := e.fn
	if fn == "slice" || fn == "substr" || fn == "substring" {
		fn = "left"
	}
	may, known := orders[fn]
	if !known {
		return f, false
	}
	for _, before := range f.done {
		if !slices.Contains(may, "*") && !slices.Contains(may, before) {
			r.fail(e.at, "expected what can be declared: %s, and then %s, is not", said(before), said(fn))
			return f, true
		}
	}
	f.done = append(f.done, fn)
	f.nodes = append(f.nodes, e)
	switch fn {
	case "as", "asc":
	case "bin":
		f.bin = true
	case "abs":
	case "num":
		f.num = true
	case "text":
		f.text = true
	case "sized":
		f.size, f.chars, f.counted = e.n, e.text == "chars", e.text == "length"
	case "typed":
		f.typ, f.typed = e.text, true
	case "unit":
		if f.unit != "" && f.unit != e.text {
			r.fail(e.at, "expected one unit of %s, not two", f.name)
		}
		f.unit = e.text
	case "desc":
		f.desc = !f.desc
	case "turned":
		f.turned = true
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
		f.reversedWithin()
	case "rpad", "lpad":
		n, fill := padding(e)
		if n < 1 || len(fill) != 1 {
			r.fail(e.at, "expected %s of a field, a number of bytes and one byte that fills", e.fn)
		}
		if f.nines > 0 {
			if n > f.nines || fill != "0" || fn != "lpad" {
				r.fail(e.at, "expected at most %d digits", f.nines)
			}
		} else {
			f.padTo, f.fill, f.padLeft = n, fill, e.fn == "lpad"
			f.reversedWithin()
		}
		f.nodes = append(f.nodes, e.args[1:]...)
	case "verb":
		v := verbOf(e)
		if v.width == 0 && v.kind == 's' && (f.padTo > 0 || f.left > 0 || f.right > 0 || f.date != "" || f.reverse || f.size > 0) {
			break // it prints what is written anyway
		}
		if f.padTo > 0 || f.left > 0 || f.right > 0 || f.date != "" {
			r.fail(e.at, "expected %%s for %s, which is a text already", f.name)
		}
		if f.verb = v; f.verb.width > 0 {
			f.reversedWithin()
		}
	case "left", "right":
		return r.cut(e, f)
	}
	if f.fill != "" && f.padTo == 0 && f.size > 0 {
		f.padTo = f.size
	}
	return f, true
}

// said is a function in words.
func said(fn string) string {
	if w, ok := map[string]string{"max": "a difference", "nines": "a difference", "left": "a part", "right": "a part", "lpad": "padding", "rpad": "padding", "fill": "padding", "verb": "a format", "desc": "descending order",
		"turned": "the other way round", "reverse": "a reversal", "backward": "a time backward", "date": "a date", "text": "a text", "as": "its bytes", "bin": "its bytes", "num": "a number", "sized": "a size", "typed": "a type"}[fn]; ok {
		return w
	}
	return fn
}

// reversedWithin notes that what was reversed so far is padded now: lpad(reverse(x)) is not
// reverse(lpad(x)).
func (f *facts) reversedWithin() { f.within, f.reverse = f.reverse, false }

// cut is a part of a field, its first bytes or its last. The first bytes of a reversed field are
// its last ones, reversed.
func (r *reader) cut(e *expr, f facts) (facts, bool) {
	var n []int
	for _, arg := range e.args[1:] {
		if !arg.isNum {
			n = nil
			break
		}
		n = append(n, arg.n)
	}
	first, last := 0, 0
	switch {
	case e.fn == "left" && len(n) == 1:
		first = n[0]
	case e.fn == "left" && len(n) == 2 && n[0] == 0: // subPre
		first = n[1]
	case e.fn == "right" && len(n) == 1:
		last = n[0]
	case e.fn == "slice" && len(n) == 2 && n[0] < 0:
		last = -n[0]
	case e.fn != "slice" && len(n) == 1 && n[0] < 0: // substr(x, -4)
		last = -n[0]
	case len(n) == 2 && n[0] == 0:
		first = n[1]
	case len(n) == 2 && n[0] == 1 && e.fn != "slice":
		r.fail(e.at, "expected %s[0:%d], if the first %d are meant, as SQL counts: in Java 1 is the second, and such a part cannot be declared", f.name, n[1], n[1])
	default:
		r.fail(e.at, "expected the first or the last bytes of %s, such as %s[0:4]: another part cannot be declared", f.name, f.name)
	}
	if first <= 0 && last <= 0 {
		r.fail(e.at, "expected a part of %s that is not empty", f.name)
	}
	if f.left, f.right = first, last; f.reverse {
		f.left, f.right = last, first
	}
	f.nodes = append(f.nodes, e.args[1:]...)
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
	for len(e.args) > 0 && (e.fn == "as" || e.fn == "bin" || e.fn == "num" || e.fn == "text" || e.fn == "typed" || e.fn == "asc" ||
		e.fn == "verb" && digestOf(e.args[0]) == nil || e.fn == "sized" && digestOf(e.args[0]) == nil) {
		e = e.args[0]
	}
	return e
}

// write makes the notation.
func (r *reader) write() {
	r.modular, r.remains = r.modularFields()
	for i := range r.list {
		it := &r.list[i]
		r.begun = append(r.begun, spot{r.out.Len(), it.at})
		for _, s := range it.spans {
			r.use(s.from, s.to)
		}
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
		r.fail(it.at, "expected a field before %s", it.name)
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
		r.fail(at, "%s stands twice: written once more it is a copy, such as [%s2=%s]", name, name, name)
	}
	r.seen = append(r.seen, name)
}

// component writes one component, and reports its name and whether it may need
// an end.
func (r *reader) component(e *expr) (name string, open bool) {
	alias := aliasOf(e)
	if h := r.digest(e); h != nil {
		h.alias = alias
		r.hash(e.at, h)
		return "", false
	}
	inner := r.stripped(e)
	switch inner.fn {
	case "salt":
		r.saltOf(inner, e)
		return "", false
	case "mod", "floormod": // of a field; a digest's is above
		r.modOf(inner, e, alias)
		return "", false
	case "random":
		digits := 0
		if inner != e {
			v := verbIn(e)
			if digits = v.width; v.kind != 'd' || v.fill != '0' || v.left || digits < 1 {
				r.fail(e.at, "expected random alone, such as random(100), or in digits as %%02d")
			}
		}
		for of := e; of != inner && r.problem == nil; of = of.args[0] {
			r.take(of)
		}
		return "random", r.random(inner, digits)
	}
	f, ok := r.gather(e)
	if !ok {
		at := e.at
		if len(e.args) > 0 && e.args[0] != nil {
			at = e.args[0].at
		}
		r.fail(at, "expected the name of a field, or what can be done to one")
		return "", false
	}
	if alias != "" && f.name != alias && len(f.done) > 0 && badName(alias) == "" && !slices.Contains(r.fields(), alias) {
		f.name = alias // what a statement names is named so
	}
	r.take(f.nodes...)
	return f.name, r.field(f)
}

// aliasOf is the name that a statement gave to a component.
func aliasOf(e *expr) string {
	for {
		if e.alias != "" {
			return e.alias
		}
		if len(e.args) == 0 || e.args[0] == nil || e.fn == "concat" {
			return ""
		}
		e = e.args[0]
	}
}

// stripped is plainly, and takes what it takes off, and the padding of a bucket's digits.
func (r *reader) stripped(e *expr) *expr {
	inner := e
	for len(inner.args) > 0 && inner.args[0] != nil && (slices.Contains([]string{"as", "bin", "text", "typed", "asc", "verb", "sized", "num", "abs", "fill"}, inner.fn) || inner.fn == "lpad") {
		inner = inner.args[0]
	}
	if inner.fn != "mod" && inner.fn != "floormod" && inner.fn != "salt" && inner.fn != "random" {
		return plainly(e)
	}
	for x := e; x != inner; x = x.args[0] {
		r.take(x)
		if x.fn == "lpad" {
			r.take(x.args[1:]...)
		}
		if x.fn == "typed" && !wholeType.MatchString(types[x.text]) {
			r.fail(x.at, "expected how a bucket is written, such as 1B")
		}
	}
	return inner
}

// wholeType is the notation of a type that a bucket may have.
var wholeType = pattern.New(`^(?:java|:)[1248]$`)

// modularFields are the fields that a design takes modulo a number: they are
// numbers. remains are those by %, which languages do not agree on below 0.
func (r *reader) modularFields() (names, remains []string) {
	for _, it := range r.list {
		if it.expr == nil || digestOf(it.expr) != nil {
			continue
		}
		e := it.expr
		for len(e.args) > 0 && e.args[0] != nil && e.fn != "mod" && e.fn != "floormod" {
			e = e.args[0]
		}
		if by := e.fn; by == "mod" || by == "floormod" {
			for len(e.args) > 0 && e.args[0] != nil {
				e = e.args[0]
			}
			if names = append(names, e.name); by == "mod" {
				remains = append(remains, e.name)
			}
		}
	}
	return names, remains
}

// verbIn is how an expression is printed; the zero verb if nothing says so. A size in bytes is a
// verb of kind 'b'.
func verbIn(e *expr) verb {
	for len(e.args) > 0 {
		switch e.fn {
		case "verb":
			if v := verbOf(e); v.kind != 's' || v.width > 0 {
				return v
			} else if inner := verbIn(e.args[0]); inner.kind != 0 {
				return inner // %s of what is a text already
			} else {
				return v
			}
		case "lpad":
			if n, fill := padding(e); fill == "0" {
				return verb{kind: 'd', width: n, fill: '0'}
			}
			return verb{kind: 'd', width: -1}
		case "sized":
			switch e.text {
			case "chars":
				return verb{kind: 'd', width: e.n, fill: '0'}
			case "length": // of bytes or of digits
				return verb{kind: 'l', width: e.n}
			}
			return verb{kind: 'b', width: e.n}
		case "typed":
			size, sized := strings.CutPrefix(types[e.text], "java") // putInt of a bucket
			if !sized {
				size, sized = strings.CutPrefix(types[e.text], ":")
			}
			if n, err := strconv.Atoi(size); sized && err == nil {
				return verb{kind: 'b', width: n}
			}
			e = e.args[0]
		case "fill":
			if e.text != "0" || e.n != 0 {
				return verb{kind: 'd', width: -1}
			}
			return zeroFilled(verbIn(e.args[0]))
		case "as", "bin", "text", "num", "asc", "abs":
			e = e.args[0]
		default:
			return verb{}
		}
	}
	return verb{}
}

// zeroFilled is a verb whose digits zeros fill up, to its width or to that of the largest number.
func zeroFilled(v verb) verb {
	switch v.kind {
	case 0, 't', 'b', 'l', 'd':
		return verb{kind: 'd', width: v.width, fill: '0'}
	}
	return v
}

// random writes a field that the writer draws, in so many digits where the design says that.
func (r *reader) random(e *expr, digits int) bool {
	r.stored(e.at, "random")
	r.take(e)
	n := 0
	switch {
	case len(e.args) == 1 && e.args[0].isNum && e.args[0].n > 0:
		n = e.args[0].n
		r.take(e.args[0])
	case len(e.args) > 0:
		r.fail(e.args[0].at, "expected a number of values, such as random(100)")
	}
	size := bytesFor(n)
	fmt.Fprintf(&r.out, "[random:%d below(", size)
	if n > 0 {
		fmt.Fprint(&r.out, n)
	} else {
		r.askRanges("random", say("random"), e.at, means("100", "values", 99), means("256", "values", 255))
	}
	r.out.WriteString(")")
	if digits > 0 {
		fmt.Fprintf(&r.out, " digits(%d)]", digits)
		return false
	}
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
	return !f.turned && !f.backward && !f.text && !f.num && f.unit == "" && !f.typed && f.size == 0 && f.date == "" && f.fill == "" && f.max == 0 && f.nines == 0 && !f.desc && !f.reverse && !f.within &&
		f.left == 0 && f.right == 0 && f.verb.kind == 0
}

// isTime reports that a field is a time: by what is done to it, or by its name where its type
// does not say otherwise.
func (f facts) isTime() bool {
	if f.date != "" || f.unit != "" {
		return true
	}
	named := namesTime(f.name) || namesBackward(f.name) || namesDate(f.name)
	return (named || f.nines > 0 && f.verb.width == 0) && (!f.typed || strings.HasPrefix(types[f.typ], "java"))
}

// field writes a field, and reports whether it may need an end.
func (r *reader) field(f facts) (open bool) {
	if written := f.verb; namesSalt(f.name) && (f.text || written.kind != 0) { // ${salt}, %02d
		f.text, f.verb = false, verb{}
		if f.bare() {
			if written.kind != 'd' {
				written = verb{kind: 't'}
			}
			r.salt(f.at, f.name, &hash{verb: written})
			return false
		}
		f.verb = written
	}
	switch {
	case (namesSalt(f.name) || namesHash(f.name) || isDigest(strings.ToLower(f.name))) && !f.bareButSize() && !(namesHash(f.name) && f.left > 0 && len(f.done) == 1):
		r.fail(f.at, "expected %s alone, or with its size, such as %s(1B)", f.name, f.name)
		return false
	case namesSalt(f.name):
		r.salt(f.at, f.name, &hash{verb: f.sizeVerb()})
		return false
	case namesHash(f.name):
		if f.left > 0 {
			r.hash(f.at, &hash{to: f.left, taken: "left"})
		} else if f.chars {
			r.hash(f.at, &hash{to: f.size, taken: "left"})
		} else {
			r.hash(f.at, &hash{verb: f.sizeVerb()})
		}
		return false
	case isDigest(strings.ToLower(f.name)):
		h := &hash{digest: digests[strings.ToLower(f.name)], verb: f.sizeVerb()}
		if f.chars {
			h.verb, h.to, h.taken = verb{}, f.size, "left"
		}
		r.hash(f.at, h)
		return false
	case f.left > 0 || f.right > 0:
		return r.part(f)
	}
	r.together(f)
	r.stored(f.at, f.name)
	r.naming = f.name
	defer func() { r.naming = "" }()
	r.out.WriteString("[")
	defer r.out.WriteString("]")
	switch {
	case f.fill != "":
		return r.padded(f)
	case f.max == unsigned8:
		r.unsigned(f)
		return false
	case f.isTime():
		r.time(f)
		return false
	case f.max > 0:
		r.difference(f)
		return false
	case f.nines > 0:
		r.numberOfNines(f)
		return false
	}
	return r.value(f)
}

// together refuses what is said of a field and cannot be declared together.
func (r *reader) together(f facts) {
	time, count := f.isTime(), 0
	for _, said := range []bool{f.desc, f.turned, f.backward, f.max > 0, f.nines > 0} {
		if said {
			count++
		}
	}
	switch {
	case count > 1:
		r.fail(f.at, "expected one thing that turns the order of %s round, not two", f.name)
	case (f.desc && time || f.turned || f.backward) && (f.reverse || f.within):
		r.fail(f.at, "expected a reversal of %s, or its descending order: which of them comes first is not said", f.name)
	case f.fill != "" && (f.verb.kind != 0 || f.max > 0 || f.nines > 0 || f.date != "" || f.unit != ""),
		f.date != "" && (f.max > 0 || f.verb.kind != 0 || f.num && f.nines == 0),
		f.size > 0 && (f.max > 0 && !time || f.nines > 0 && f.size != f.nines || f.verb.kind != 0 || f.date != "" && !f.chars && f.size != len(f.date)),
		f.size > 0 && f.chars && f.date != "" && f.size != len(f.date),
		f.size > 0 && f.max > 0 && f.size != f.max && !(f.chars && f.max == 8 && f.size == 19),
		f.size > 0 && f.typed && types[f.typ] != "" && types[f.typ] != ":bytes" && types[f.typ] != fmt.Sprintf("java%d", f.size) && !strings.HasSuffix(types[f.typ], strconv.Itoa(f.size)),
		f.typed && (f.date != "" && types[f.typ] != "" || f.verb.kind != 0 || f.max > 0 && types[f.typ] != fmt.Sprintf("java%d", f.max) && (f.max != 8 || types[f.typ] != ":8")),
		f.num && f.unit == "" && f.max == 0 && f.nines == 0 && f.verb.kind != 'd' && f.fill == "" && !f.bin && !(f.typed && wholeNumber.MatchString(types[f.typ])),
		time && f.within && f.verb.kind != 0,
		f.bin && (f.text || f.fill != "" || f.verb.kind != 0 || f.nines > 0 || f.date != "") && f.num:
		r.fail(f.at, "expected what can be declared: what is said of %s cannot, together", f.name)
	case f.turned && (time || f.typed || f.fill != ""):
		r.fail(f.at, "expected descending order or a reversal of %s: which one is not said", f.name)
	}
}

// bareButSize is bare, but for a size.
func (f facts) bareButSize() bool {
	f.size = 0
	return f.bare()
}

// sizeVerb is the size as a verb: bytes, or digits.
func (f facts) sizeVerb() verb {
	switch {
	case f.size == 0:
		return verb{}
	case f.chars:
		return verb{kind: 'd', width: f.size, fill: '0'}
	case f.counted:
		return verb{kind: 'l', width: f.size}
	}
	return verb{kind: 'b', width: f.size}
}

// unsigned writes 2^64 - 1 - uid. A time is a number here.
func (r *reader) unsigned(f facts) {
	fmt.Fprintf(&r.out, "%s:8 desc", f.name)
	switch v := f.verb; {
	case f.date != "" || f.size > 0 && f.size != 8 || v.kind == 'x' || v.kind == 'X' || v.width > 20 || v.width > 0 && v.left || f.reverse || f.within || f.padTo > 0:
		r.fail(f.at, "expected %%d or %%020d of a difference, or 8 bytes of it")
	case v.kind != 0 || f.text:
		r.out.WriteString(" digits(20)")
	case !f.bin && !f.typed && f.size == 0:
		r.ask(f.name, say("written", f.name), f.at, means("", "bytes-8"), means(" digits(20)", "digits-n", 20))
	}
}

// difference writes Long.MAX_VALUE - uid.
func (r *reader) difference(f facts) {
	switch v := f.verb; {
	case f.max < 8 && v.kind != 0:
		r.fail(f.at, "expected %d bytes of a difference: how many digits it has is not said", f.max)
	case v.kind == 'x' || v.kind == 'X' || v.width > 19 || v.width > 0 && v.left:
		r.fail(f.at, "expected %%d or %%019d of a difference")
	case v.kind != 0 || f.max == 8 && f.text:
		fmt.Fprintf(&r.out, "%s:8 width(8) desc digits(19)", f.name)
	default:
		fmt.Fprintf(&r.out, "%s:%d width(%d) desc", f.name, f.max, f.max)
		if f.max == 8 && !f.bin && !f.typed {
			r.ask(f.name, say("written", f.name), f.at, means("", "bytes-8"), means(" digits(19)", "digits-n", 19))
		}
	}
	r.reversed(f)
}

// numberOfNines writes 9999 - n: as many digits as there are nines.
func (r *reader) numberOfNines(f facts) {
	if v := f.verb; v.kind == 'x' || v.kind == 'X' || v.width > f.nines || v.width > 0 && v.left {
		r.fail(f.at, "expected %%d or %%0%dd of nines less %s", f.nines, f.name)
	}
	fmt.Fprintf(&r.out, "%s:8 digits(%d) desc", f.name, f.nines)
	r.reversed(f)
}

// part writes the first or the last bytes of a field, as a copy of it. If the field stands nowhere
// else in the design, it is written too, as not stored.
func (r *reader) part(f facts) (open bool) {
	n, option := f.left, "left"
	if f.right > 0 {
		n, option = f.right, "right"
	}
	name := f.name + "2"
	for n := 3; slices.Contains(r.seen, name); n++ {
		name = f.name + strconv.Itoa(n)
	}
	if f.typed && types[f.typ] != "" || f.size > 0 || f.num || f.isTime() {
		r.fail(f.at, "expected a part of a text")
	}
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
		r.fail(f.at, "expected to how many bytes %s is padded", f.name)
		return false
	}
	if f.isTime() && !(namesTime(f.name) || namesDate(f.name)) {
		r.fail(f.at, "expected no padding of a time")
		return false
	}
	text, number := f.paddedText(f.padTo, f.fill, f.padLeft), f.paddedDigits(f.padTo)
	r.out.WriteString(f.name)
	switch {
	case f.padLeft && f.fill == "0" && known && typ != "":
		if number == "" {
			r.fail(f.at, "expected at most %d digits: a number has no more", mostDigits)
		}
		r.out.WriteString(strings.TrimPrefix(strings.Replace(typ, "java", ":", 1), "") + number)
	case f.padLeft && f.fill == "0" && !known && number != "" && slices.Contains(r.modular, f.name):
		r.out.WriteString(":8" + number)
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
	asEscaped = means(" escaped", "text-escaped")
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
	case f.size > 0 && f.chars && slices.Contains(r.modular, f.name) && f.size <= mostDigits:
		fmt.Fprintf(&r.out, ":8 digits(%d)", f.size)
	case f.size > 0 && f.chars:
		r.ask(f.name, say("what", f.name), f.at, charChoices(f.size)...)
	case f.size > 0 && f.counted && f.size <= mostDigits:
		r.ask(f.name, say("what", f.name), f.at, append(r.sizedChoices(f), means(fmt.Sprintf(":8 digits(%d)", f.size), "number-digits", f.size))...)
	case f.size > 0:
		r.ask(f.name, say("what", f.name), f.at, r.sizedChoices(f)...)
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
	if f.turned {
		r.ask(f.name, say("turned", f.name), f.at, means(" reverse", "turn-reverse"), means(" desc", "turn-desc"))
	}
	return open
}

// charChoices are what n characters may be.
func charChoices(n int) []answer {
	text := means(fmt.Sprintf(" fixed(%d)", n), "text-fixed", n)
	if n > mostDigits {
		return []answer{text}
	}
	return []answer{text, means(fmt.Sprintf(":8 digits(%d)", n), "number-digits", n)}
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
		r.fail(f.at, "expected at most %%0%dd: a number has no more digits", mostDigits)
	case v.kind == 'x' && v.width > 0 && v.width <= 16 && v.fill == '0' && !f.within:
		fmt.Fprintf(&r.out, ":8 hexdigits(%d)", v.width)
		if f.reverse {
			r.out.WriteString(" reverse")
		}
	default:
		r.fail(f.at, "expected %%08x or the like: hexadecimal of its own length, of more than 16 digits, or in upper case, cannot be declared")
	}
	return false
}

// typedValue writes the type that a design says, and reports whether the field may need an end.
func (r *reader) typedValue(f facts) (open bool) {
	typ := types[f.typ]
	text := typ == "" || typ == ":bytes"
	switch size, java := strings.CutPrefix(typ, "java"); {
	case java:
		sorts, last := means(":i"+size, "negative-sorts"), means(":i"+size+" hbase", "negative-last")
		if slices.Contains(r.remains, f.name) {
			sorts, last = means(":i"+size, "negative-sorts-floor"), means(":i"+size+" hbase", "negative-last-floor")
		}
		r.ask(f.name, say("negative", f.name), f.at, means(":"+size, "not-negative"), sorts, last)
	case text && f.size > 0:
		fmt.Fprintf(&r.out, "%s fixed(%d)", typ, f.size)
	default:
		r.out.WriteString(typ)
		return text
	}
	return false
}

// valueChoices are what a field may be of which neither type nor size is said. A number in as many
// digits as it has cannot be complemented, and an end that is written cannot be reversed.
func (r *reader) valueChoices(f facts) []answer {
	return slices.DeleteFunc(r.anyChoices(f), func(a answer) bool {
		return (f.desc || f.turned) && a.notation == asDecimal.notation || f.turned && a.notation == asEscaped.notation
	})
}

func (r *reader) anyChoices(f facts) []answer {
	switch {
	case (f.verb.kind == 's' || f.text) && slices.Contains(r.modular, f.name):
		return []answer{asDecimal, asDigits}
	case f.verb.kind == 's' || f.text:
		return []answer{asText, asDecimal}
	case slices.Contains(r.modular, f.name):
		return slices.Concat(asNumber, asTime(f.name), []answer{asDigits, asDecimal})
	case f.reverse:
		return []answer{asText, means(" fixed(11)", "text-fixed", 11), means(":8 digits(11)", "number-digits", 11)}
	case f.desc: // texts of several lengths do not fall if they are complemented
		return slices.Concat([]answer{asEscaped, means(" fixed(10)", "text-fixed", 10)}, asNumber, []answer{asDigits}, asTime(f.name))
	}
	return slices.Concat([]answer{asText, means(" fixed(10)", "text-fixed", 10), asEscaped},
		asNumber, []answer{asDigits, asDecimal, means(":bytes", "bytes")}, asTime(f.name))
}

// sizedChoices are what n bytes may be.
func (r *reader) sizedChoices(f facts) []answer {
	n := f.size
	text := means(fmt.Sprintf(" fixed(%d)", n), "text-fixed", n)
	raw := means(fmt.Sprintf(":bytes fixed(%d)", n), "bytes-fixed", n)
	padded := means(fmt.Sprintf(" pad(%d,'\\x00')", n), "text-padded", n)
	others := []answer{text, padded, raw}
	if f.reverse || f.turned { // the padding too would be reversed
		others = []answer{text, raw}
	}
	if n > 8 {
		return others
	}
	signed := means(fmt.Sprintf(":i%d", n), "number-signed")
	if slices.Contains(r.remains, f.name) {
		signed = means(fmt.Sprintf(":i%d", n), "number-signed-floor")
	}
	numbers := []answer{means(fmt.Sprintf(":%d", n), "number"), signed}
	if slices.Contains(r.modular, f.name) {
		return numbers
	}
	return append(numbers, others...)
}

var unitAnswers = []answer{
	means("ms", "ms"), means("s", "s"), means("us", "us"), means("ns", "ns"), means("min", "min"),
}

// ofNines are the units by the number of digits that the times of our years have: 10 of seconds.
var ofNines = map[int]string{10: "s", 13: "ms", 16: "us", 19: "ns"}

// time writes a time.
func (r *reader) time(f facts) {
	layout := codeLayout(f.date)
	if f.date == "" {
		layout = goLayout(f.name)
	} else if layout == "" {
		layout = goLayout(f.date)
	}
	// How it runs backward is not said.
	backward := (f.backward || namesBackward(f.name)) && f.max == 0 && f.nines == 0 && !f.desc
	switch {
	case layout != "":
		if f.verb.width > 0 || f.backward || f.max > 0 || f.nines > 0 && (f.nines != len(layout) || strings.Trim(layout, "0123456789") != "") {
			r.fail(f.at, "expected %s as it is, or as many nines less it as it has digits", f.name)
		}
		f.desc = f.desc || f.nines > 0
		r.dated(f, layout)
	case f.size > 8 || f.size > 0 && f.chars || f.size == 8 && namesDate(f.name):
		r.timeOfDigits(f)
	case f.max == 4 || f.max == 0 && f.size > 0 && f.size < 8:
		r.shortTime(f)
	case f.nines > 0 && namesDate(f.name) && !namesTime(f.name):
		layout := map[int]string{8: "20060102", 14: "20060102150405", 10: "2006010215", 12: "200601021504"}[f.nines]
		if layout == "" {
			r.fail(f.at, "expected as many nines as %s has digits", f.name)
		}
		f.desc = true
		r.dated(f, layout)
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
	if f.verb.kind != 0 || f.backward || f.text {
		r.fail(f.at, "expected %d bytes of %s, not a text", n, f.name)
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

// timeOfDigits writes a time of which the design says how many characters it has.
func (r *reader) timeOfDigits(f facts) {
	if f.max > 0 || f.nines > 0 || f.verb.kind != 0 || f.typed || f.reverse || f.backward {
		r.fail(f.at, "expected the size of %s alone", f.name)
		return
	}
	layout := func(l string) []answer {
		return []answer{means("layout(\""+l+"\",+08:00)("+f.name+")", "zone-china"), means("layout(\""+l+"\",UTC)("+f.name+")", "zone-utc")}
	}
	var choices []answer
	switch f.size {
	case 8:
		choices = append(layout("20060102"), means("d("+f.name+")", "days"))
	case 10:
		choices = append([]answer{means("s("+f.name+") digits(10)", "s")}, layout("2006010215")...)
	case 12:
		choices = layout("200601021504")
	case 13:
		choices = []answer{means("ms("+f.name+") digits(13)", "ms")}
	case 14:
		choices = layout("20060102150405")
	case 16:
		choices = []answer{means("us("+f.name+") digits(16)", "us")}
	case 19:
		choices = []answer{means("ns("+f.name+") digits(19)", "ns"), means("max-ms("+f.name+") digits(19)", "max-ms")}
	default:
		r.fail(f.at, "expected 8, 10, 13 or 14 characters of a time")
		return
	}
	if (namesBackward(f.name) || turned.MatchString(f.name)) && f.size == 19 {
		choices = []answer{means("max-ms("+f.name+") digits(19)", "max-ms"), means("max-ns("+f.name+") digits(19)", "digits-n", 19)}
	}
	if f.unit != "" {
		choices = slices.DeleteFunc(choices, func(a answer) bool { return !strings.HasPrefix(a.notation, f.unit+"(") })
		if len(choices) == 0 {
			r.fail(f.at, "expected a unit and a size of %s that fit", f.name)
			return
		}
	}
	r.out.WriteString(f.name)
	r.ask(f.name, say("written", f.name), f.at, choices...)
	if f.desc {
		r.out.WriteString(" desc")
	}
}

// timeOfNines writes 9999999999999 - ts: as many digits as there are nines.
func (r *reader) timeOfNines(f facts) {
	if f.verb.kind != 0 && (f.verb.width > f.nines || f.verb.kind == 'x' || f.verb.kind == 'X') || f.desc || f.backward {
		r.fail(f.at, "expected at most %d digits", f.nines)
	}
	if f.unit != "" && ofNines[f.nines] != f.unit {
		r.fail(f.at, "expected as many nines as %s has digits", f.name)
	}
	if u := ofNines[f.nines]; u != "" {
		r.out.WriteString(u)
	} else {
		r.unit(f, unitAnswers)
	}
	fmt.Fprintf(&r.out, "(%s) digits(%d) desc", f.name, f.nines)
	r.reversed(f)
}

// instant writes the number of a time: its unit, and how the number is written.
func (r *reader) instant(f facts, backward bool) {
	number := f.bin && f.max > 0 || f.size > 0 || f.verb.kind == 'd' || slices.Contains(r.modular, f.name)
	switch {
	case f.verb.kind == 'x' || f.verb.kind == 'X' || f.verb.kind == 's' && f.verb.width > 0 || f.num && f.max == 0 && f.unit == "" && !f.typed:
		r.fail(f.at, "expected %%d or %%s of a time")
	case backward && f.unit != "":
		r.out.WriteString("max-")
		r.unit(f, nil)
	case backward:
		r.backward(f)
	case f.max > 0 || f.desc:
		r.out.WriteString("max-")
		r.unit(f, unitAnswers)
	case number:
		r.unit(f, unitAnswers)
	default:
		r.unit(f, append(slices.Clone(unitAnswers), means(`layout("20060102150405",+08:00)`, "as-datetime")))
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
	width := map[string]int{"s": 10, "us": 16, "ns": 19}[f.unit]
	if width == 0 {
		width = 13
	}
	text := means(fmt.Sprintf(" digits(%d)", width), "digits-padded", width)
	if backward {
		text = means(" digits(19)", "digits-n", 19)
	}
	switch v := f.verb; {
	case f.reverse && !backward:
		r.ask(f.name, say("reversed", f.name), f.at, means(" digits(13) reverse", "digits-13-reversed"), means(" reverse", "bytes-8-reversed"))
	case f.size == 8 || f.typed || f.bin && f.max > 0:
	case v.kind == 'd' && v.width > 0 && v.fill == '0':
		if v.width > mostDigits {
			r.fail(f.at, "expected at most %%0%dd: a number has no more digits", mostDigits)
		}
		if backward { // it has 19 digits, whatever the format asks for
			v.width = max(v.width, 19)
		}
		fmt.Fprintf(&r.out, " digits(%d)", v.width)
	case v.kind == 'd' && v.width > 0:
		r.fail(f.at, "expected %%d or %%013d of a time")
	case (v.kind == 'd' || v.kind == 's') && backward:
		r.out.WriteString(" digits(19)")
	case v.kind == 'd' || v.kind == 's':
		r.ask(f.name, say("digits", f.name), f.at, digitsOf(f.unit)...)
	default:
		r.ask(f.name, say("written", f.name), f.at, means("", "bytes-8"), text)
	}
}

// digitsOf are how many digits a time of a unit has; of all if the unit is not said.
func digitsOf(unit string) []answer {
	ms, s, decimal := means(" digits(13)", "digits-ms"), means(" digits(10)", "digits-s"), means(" decimal", "digits-any")
	switch unit {
	case "ms":
		return []answer{ms, decimal}
	case "s":
		return []answer{s, decimal}
	case "us":
		return []answer{means(" digits(16)", "digits-n", 16), decimal}
	case "ns":
		return []answer{means(" digits(19)", "digits-n", 19), decimal}
	}
	return []answer{ms, s, decimal}
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
