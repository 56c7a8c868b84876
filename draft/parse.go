package draft

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// expr is a field, a constant, a number, or a function of such.
type expr struct {
	at     int
	fn     string // lower case
	name   string // of a field
	alias  string // the name that a statement gave it
	unit   string // of a time, where code says it
	text   string
	isText bool
	n      int
	isNum  bool
	args   []*expr
	spans  []span // its own bytes, without those of its arguments
}

// span is a part of the text.
type span struct{ from, to int }

// of is a function of e; t is what says so.
func (e *expr) of(fn string, t ...token) *expr {
	out := &expr{at: e.at, fn: fn, args: []*expr{e}}
	for _, t := range t {
		out.spans = append(out.spans, span{t.at, t.end})
	}
	return out
}

// has adds bytes to e.
func (e *expr) has(tokens ...token) *expr {
	for _, t := range tokens {
		e.spans = append(e.spans, span{t.at, t.end})
	}
	return e
}

// isField reports that e is a field to which nothing has been done.
func (e *expr) isField() bool { return e.fn == "" && e.name != "" }

// take notes that expressions say what is written: their bytes are used.
func (r *reader) take(nodes ...*expr) {
	for _, e := range nodes {
		for _, s := range e.spans {
			r.use(s.from, s.to)
		}
	}
}

// Levels of operators, the loosest first.
const (
	anyOp = iota + 1
	orOp
	xorOp
	andOp
	shiftOp
	plusOp
	timesOp
)

var levels = map[string]int{
	"|": orOp, "^": xorOp, "&": andOp, "and": andOp, "<<": shiftOp, ">>": shiftOp, ">>>": shiftOp, "+": plusOp, "-": plusOp, "||": plusOp,
	"*": timesOp, "/": timesOp, "%": timesOp, "mod": timesOp, "MOD": timesOp,
}

// expression reads what operators of at least this level join.
func (r *reader) expression(level int) *expr {
	const most = 100 // brackets in one another
	if r.depth++; r.depth > most {
		r.fail(r.peek().at, "expected fewer brackets in one another")
	}
	defer func() { r.depth-- }()
	e := r.unary()
	for r.problem == nil {
		t := r.peek()
		l := levels[t.text]
		if l < level || l == 0 || t.kind == 'q' || t.text == "/" && r.depth == 1 && level == timesOp && !r.joins {
			break
		}
		r.next()
		e = r.operator(e, t, l)
	}
	return e
}

// operator reads what stands after an operator, and joins it to e.
func (r *reader) operator(e *expr, t token, level int) *expr {
	switch t.text {
	case "+", "||":
		r.use(t.at, t.end)
		right := r.expression(level + 1)
		return join(e, right)
	case "%", "mod", "MOD":
		if e.isText {
			return r.percent(e, t)
		}
		return r.modulo(e, t)
	case "&", "and": // Kotlin's and
		return r.mask(e, t)
	case "*", "/":
		return r.scaled(e, t)
	case "-":
		r.fail(e.at, "expected Long.MAX_VALUE, Integer.MAX_VALUE or nines before '-': no other constant less a field can be declared")
	default:
		r.fail(t.at, "expected no '%s': what is computed of a field by it cannot be declared", t.text)
	}
	return e
}

// join is a concatenation.
func join(a, b *expr) *expr {
	all := &expr{at: a.at, fn: "concat"}
	for _, e := range []*expr{a, b} {
		if e.fn == "concat" {
			all.args = append(all.args, e.args...)
			all.spans = append(all.spans, e.spans...)
		} else {
			all.args = append(all.args, e)
		}
	}
	return all
}

// modulo reads the number of buckets after % and MOD; a name is a number that is not said.
func (r *reader) modulo(e *expr, t token) *expr {
	at := r.peek().at
	n := r.unary()
	switch {
	case r.problem != nil:
	case n.isField():
		n = &expr{at: at, fn: "unsaid", spans: n.spans}
	case !n.isNum || n.n < 1:
		r.fail(at, "expected a number of buckets")
	}
	for x := e; len(x.args) > 0; x = x.args[0] {
		if x.text == cuts && r.problem == nil {
			r.fail(x.at, "expected the remainder in parentheses: a cast to byte or short before %% may make it negative")
		}
	}
	out := e.of("mod", t)
	out.args = append(out.args, n)
	return out
}

// mask is & 0x7fffffff, by which Java makes a hash positive.
func (r *reader) mask(e *expr, t token) *expr {
	at := r.peek().at
	right := r.unary()
	if r.problem == nil && !(right.isNum && right.n == 0x7fffffff) {
		r.fail(at, "expected 0x7fffffff or Integer.MAX_VALUE: another mask cannot be declared")
	}
	if next := r.peek(); r.problem == nil && (levels[next.text] > andOp && next.kind != 'q' && next.text != "+" && next.text != "||") {
		r.fail(t.at, "expected parentheses around '& 0x7fffffff' and what stands before it: in Java and C, but not in Go, '%s' binds tighter", next.text)
	}
	out := e.of("mask", t)
	return out.joined(right)
}

// joined adds the bytes of an expression that e stands for too.
func (e *expr) joined(other *expr) *expr {
	e.spans = append(e.spans, other.spans...)
	return e
}

// scaled is the time in seconds of one in milliseconds, and the other way round.
func (r *reader) scaled(e *expr, t token) *expr {
	right := r.unary()
	if r.problem != nil {
		return e
	}
	unit := ""
	of := e
	if e.fn == "float" {
		of = e.args[0]
	}
	if right.isNum && right.n == 1000 && of.isField() {
		unit = map[string]string{"ms/": "s", "s*": "ms", "us/": "ms", "ns/": "us"}[of.unit+t.text]
	}
	if unit == "" {
		r.fail(t.at, "expected no '%s': what is computed of a field by it cannot be declared", t.text)
		return e
	}
	out := *of
	out.unit = unit
	out.spans = slices.Clone(of.spans)
	out.has(t).joined(right)
	if of != e {
		return (&expr{at: e.at, fn: "float", args: []*expr{&out}}).joined(e)
	}
	return &out
}

// cuts is the text of a cast that may change a number.
const cuts = "cuts"

// castTypes are types in parentheses before a value, and the function that means the same.
var castTypes = map[string]string{"int": "num", "long": "num", "short": "num", "byte": "num", "Integer": "num", "Long": "num", "String": "text", "string": "text"}

// unary reads an operand and what is done to it.
func (r *reader) unary() *expr {
	if t, word, closing := r.peek(), r.peekAt(1), r.peekAt(2); t.text == "(" && castTypes[word.text] != "" && closing.text == ")" {
		if after := r.peekAt(3); after.kind == 'w' || after.kind == 'n' || after.text == "(" {
			r.skip()
			r.next()
			r.skip()
			e := r.unary().of(castTypes[word.text], word)
			if word.text == "byte" || word.text == "short" {
				e.text = cuts
			}
			return e
		}
	}
	if r.sees("+") && r.peekAt(1).text == "new" && r.peekAt(2).text == "Date" { // JavaScript's +new Date()
		r.skip()
		e := r.primary()
		e.unit = "ms"
		return e
	}
	if r.sees("&") && !r.boxed { // Go's and Rust's &x
		r.skip()
	}
	e := r.primary()
	for r.problem == nil {
		next := r.after(e)
		if next == nil {
			break
		}
		e = next
	}
	return e
}

// primary reads a field, a constant, a number, a call or what stands in parentheses.
func (r *reader) primary() *expr {
	t := r.peek()
	e := &expr{at: t.at}
	switch {
	case t.kind == 'q':
		return r.quoted(r.next())
	case t.kind == 'n':
		return r.numeral()
	case t.text == "(":
		r.skip()
		e = r.expression(anyOp)
		r.expect(")")
		return e
	case t.text == "${":
		r.skip()
		e = r.expression(anyOp)
		r.expect("}")
		return e
	case t.kind == 'p' && strings.Contains("|#:~^/-", t.text) && r.i > 0 && r.peekAt(-1).text == "+" && r.peekAt(1).text == "+": // uid + | + ts
		r.next()
		e.text, e.isText = t.text, true
		return e.has(t)
	case t.text == "[":
		if bytes := r.goBytes(); bytes != nil {
			return bytes
		}
		return r.bracketed()
	case t.text == "$" && r.peekAt(1).kind == 'q' && !r.peekAt(1).space: // C#
		r.skip()
		return r.template(r.next(), "{", "}")
	case t.kind == 'w':
		return r.word()
	}
	r.fail(t.at, "expected a field's name, a function such as md5, reverse or rpad, or Long.MAX_VALUE - ts")
	return e
}

// bracketed is ['a', b].join('_') of JavaScript, in which only a call of join may stand.
func (r *reader) bracketed() *expr {
	open := r.next()
	r.use(open.at, open.end)
	e := &expr{at: open.at, fn: "list"}
	for r.problem == nil && !r.accept("]") {
		if len(e.args) > 0 {
			r.expect(",")
		}
		e.args = append(e.args, r.expression(anyOp))
	}
	if r.problem == nil && !r.sees(".") {
		r.fail(open.at, "expected a field's name, a function such as md5, reverse or rpad, or Long.MAX_VALUE - ts")
	}
	return e
}

// quoted is a constant, or a template in quotes.
func (r *reader) quoted(t token) *expr {
	inner := t.text[1 : len(t.text)-1]
	switch {
	case t.text[0] == '`', strings.Contains(inner, "${"), t.text[0] == '"' && dollarName.MatchString(inner):
		return r.template(t, "${", "}")
	}
	if isRuby(inner) && t.text[0] == '"' { // Ruby
		return r.template(t, "#{", "}")
	}
	if dollarName.MatchString(inner) || isRuby(inner) {
		r.fail(t.at, "expected a constant: whether this one holds a field is not said")
	}
	e := &expr{at: t.at, isText: true}
	s := notation.Scanner{Text: t.text}
	e.text = s.Quoted("a constant")
	if s.Problem != nil {
		r.fail(t.at+s.Problem.At, "%s", s.Problem.Text)
	}
	return e.has(t)
}

// isRuby reports a template of Ruby: each brace is one of #{uid}.
func isRuby(inner string) bool {
	return rubyName.MatchString(inner) && strings.Count(inner, "{") == strings.Count(inner, "#{")
}

var rubyName = pattern.New(`#\{[\pL_]`)

var dollarName = pattern.New(`\$[\pL_]`)

// numeral is a number, or nines from which a time is subtracted: 9999999999999 - ts.
func (r *reader) numeral() *expr {
	t := r.next()
	digits := strings.TrimRight(strings.ReplaceAll(t.text, "_", ""), "lL")
	e := &expr{at: t.at, text: digits, isNum: true}
	e.has(t)
	if r.sees("-") && isNines(digits) {
		return r.less(e, &expr{at: t.at, fn: "nines", n: len(digits)})
	}
	if n := maxBytes(digits); n != 0 && r.sees("-") {
		return r.less(e, &expr{at: t.at, fn: "max", n: n})
	}
	if isNines(digits) { // a constant that a statement names
		return e
	}
	if largest := r.power(e); largest != nil {
		return largest
	}
	n, err := strconv.ParseInt(digits, 0, 32)
	if err != nil || len(digits) > 1 && digits[0] == '0' && digits[1] != 'x' && digits[1] != 'X' {
		r.fail(t.at, "expected a smaller number")
	}
	e.n = int(n)
	return e
}

// goBytes is Go's []byte{x, y} or []byte(x); nil if neither is next.
func (r *reader) goBytes() *expr {
	first, open := r.peek(), r.peekAt(3).text
	if r.peekAt(1).text != "]" || r.peekAt(2).text != "byte" || open != "{" && open != "(" {
		return nil
	}
	for range 4 {
		r.skip()
	}
	if open == "{" {
		return r.appendedTo(&expr{at: first.at, fn: "begin"}, "}")
	}
	e := r.expression(anyOp)
	r.expect(")")
	if e.isText {
		return e
	}
	return e.of("as")
}

// power is 2**63 - 1 - ts of Python; nil if no such number is next.
func (r *reader) power(e *expr) *expr {
	exponent, minus, one := r.peekAt(1), r.peekAt(2), r.peekAt(3)
	size := map[string]int{"63": 8, "31": 4}[exponent.text]
	if e.text != "2" || !r.sees("**") || size == 0 || minus.text != "-" || one.text != "1" || r.peekAt(4).text != "-" {
		return nil
	}
	e.has(r.next(), r.next(), r.next(), r.next())
	return r.less(e, &expr{at: e.at, fn: "max", n: size})
}

func isNines(digits string) bool {
	return len(digits) >= 8 && len(digits) <= 19 && strings.Trim(digits, "9") == ""
}

// less reads what is subtracted from a largest value: ts of Long.MAX_VALUE - ts.
func (r *reader) less(from, largest *expr) *expr {
	minus := r.next()
	largest.spans = append(slices.Clone(from.spans), span{minus.at, minus.end})
	of := r.expression(timesOp)
	largest.args = []*expr{of}
	if inner := bare(of); r.problem == nil && (inner.name == "" || inner.fn != "") {
		r.fail(of.at, "expected the name of a field after %s", strings.TrimSpace(r.text[from.at:minus.end]))
	}
	return largest
}

// bare is an expression without what leaves its number as it is.
func bare(e *expr) *expr {
	for len(e.args) > 0 && (e.fn == "text" || e.fn == "as" || e.fn == "typed" || e.fn == "sized" || e.fn == "num" || e.fn == "date" || e.fn == "unit") {
		e = e.args[0]
	}
	return e
}

// word reads what begins with a word: a name, a constant such as Long.MAX_VALUE, a call, a
// template such as f"…", or a word such as new.
func (r *reader) word() *expr {
	t := r.peek()
	if q := r.peekAt(1); q.kind == 'q' && !q.space && q.text[0] != '\'' || q.kind == 'q' && !q.space && t.text == "f" {
		switch t.text {
		case "f", "F", "s":
			r.skip()
			if t.text == "s" || strings.Contains(q.text, "$") {
				r.printf = t.text == "f"
				defer func() { r.printf = false }()
				return r.template(r.next(), "${", "}")
			}
			return r.template(r.next(), "{", "}")
		}
	}
	if q := r.peekAt(1); q.kind == 'q' && !q.space {
		switch t.text {
		case "b", "r", "u", "B", "R", "U":
			r.skip()
			return r.quoted(r.next())
		}
		r.fail(t.at, "expected '+' between a field and a constant")
		return &expr{at: t.at}
	}
	if t.text == "first" || t.text == "last" {
		if e := r.partOf(); e != nil {
			return e
		}
	}
	if e := r.drawnUUID(); e != nil {
		return e
	}
	if e := r.digestWords(); e != nil {
		return e
	}
	switch {
	case t.text == "new":
		r.skip()
		if r.peek().kind != 'w' {
			r.fail(r.peek().at, "expected a class after new")
			return &expr{at: t.at}
		}
		return r.path(true)
	case t.text == "byte" || t.text == "[]byte":
	case modifiers[strings.ToLower(t.text)] == "reverse" && t.text[0] < 0x80 && r.peekAt(1).kind == 'w' && r.peekAt(1).space && !r.peekAt(1).line:
		r.next() // reverse timestamp, reversed uid
		e := r.path(false)
		if e.isField() && namesTime(e.name) {
			return e.of("backward", t)
		}
		return e.of("reverse", t)
	}
	return r.path(false)
}

// drawn are the calls that draw a UUID, as text of 32 and of 36 characters.
var drawn = map[int]*pattern.Pattern{
	32: pattern.New(`^(?:(?:java\.util\.)?UUID\.randomUUID\(\)\.toString\(\)\.replace(?:All)?\("-", ?""\)|IdUtil\.(?:fastSimple|simple)UUID\(\)|uuid\.uuid4\(\)\.hex\b|Guid\.NewGuid\(\)\.ToString\("N"\)|strings\.ReplaceAll\(uuid\.New(?:String\(\)|\(\)\.String\(\)), "-", ""\))`),
	36: pattern.New(`^(?:(?:java\.util\.)?UUID\.randomUUID\(\)(?:\.toString(?:\(\))?)?|IdUtil\.(?:fast|random)UUID\(\)|str\(uuid\.uuid4\(\)\)|uuid\.uuid4\(\)|Guid\.NewGuid\(\)(?:\.ToString\((?:"D")?\))?|uuid\.New(?:String\(\)|\(\)(?:\.String\(\))?)|(?:uuid::)?Uuid::new_v4\(\)(?:\.to_string\(\))?|crypto\.randomUUID\(\)|uuidv4\(\))`),
}

// drawnUUID is one of these calls; nil if none is next.
func (r *reader) drawnUUID() *expr {
	at := r.peek().at
	for _, n := range []int{32, 36} {
		m := drawn[n].FindString(r.text[at:r.to])
		if rest := r.text[at+len(m) : r.to]; m == "" || strings.HasPrefix(rest, ".") && n == 36 {
			continue
		}
		for r.i < len(r.tokens) && r.peek().at < at+len(m) {
			r.i++
		}
		s := []span{{at, at + len(m)}}
		return &expr{at: at, fn: "sized", text: "chars", n: n, args: []*expr{{at: at, name: "uuid", spans: s}}, spans: s}
	}
	return nil
}

// path reads names with dots between them, and a call if one follows.
func (r *reader) path(created bool) *expr {
	var parts []token
	for {
		parts = append(parts, r.next())
		if t := r.peek(); (t.text == "." || t.text == "::" || t.text == "?.") && r.peekAt(1).kind == 'w' && !t.space && !r.peekAt(1).space {
			r.skip()
			continue
		}
		break
	}
	first, last := parts[0], parts[len(parts)-1]
	whole := r.text[first.at:last.end]
	spanned := func(e *expr) *expr { e.spans = append(e.spans, span{first.at, last.end}); return e }

	if n := maxBytes(strings.ReplaceAll(whole, "::", ".")); n != 0 {
		if !r.sees("-") {
			if n == 4 && r.i >= 2 && r.peekAt(-len(parts)*2).text == "&" || n == 4 && r.masking(first) {
				return spanned(&expr{at: first.at, isNum: true, n: 0x7fffffff})
			}
			r.fail(r.peek().at, "expected '-'")
			return &expr{at: first.at}
		}
		return r.less(spanned(&expr{at: first.at}), &expr{at: first.at, fn: "max", n: n})
	}
	if whole == "buildString" && r.sees("{") {
		return r.builtString(first)
	}
	if r.sees("!") && r.peekAt(1).text == "(" && len(parts) == 1 { // Rust's format!(…)
		r.skip()
	}
	if r.sees("(") && !r.peek().line {
		if n := len(parts); n > 1 || created || r.calls(last.text) {
			return r.called(parts, created)
		}
	}
	if r.sees("[") && simple(last.text) == "getas" && len(parts) > 1 { // Scala's getAs[String]("uid")
		if r.peekAt(2).text == "]" && r.peekAt(3).text == "(" {
			r.skip()
			r.skip()
			r.skip()
			return r.called(parts, created)
		}
	}
	return r.named(parts)
}

// masking reports that & stands before a token.
func (r *reader) masking(t token) bool {
	before := strings.TrimRight(r.text[:t.at], " ")
	return strings.HasSuffix(before, "&") || strings.HasSuffix(before, " and")
}

// named is a field, what a statement named, or a field and what is done to it without parentheses.
func (r *reader) named(parts []token) *expr {
	first, last := parts[0], parts[len(parts)-1]
	whole := r.text[first.at:last.end]
	if v := r.vars[whole]; v != nil {
		return r.variable(v, whole, first, last)
	}
	if c := r.classConstant(parts); c != nil {
		return c
	}
	if key := r.subscript(parts); key != nil {
		return key
	}
	if fn := afterDot[simple(last.text)]; fn != "" && len(parts) > 1 { // domain.reverse, sort.toString
		e := r.named(parts[:len(parts)-1])
		return r.functionOf(e, fn, last)
	}
	if first.text == "this" || first.text == "self" {
		if len(parts) > 1 {
			r.use(first.at, first.end)
			return r.named(parts[1:])
		}
	}
	name := strings.ReplaceAll(strings.ReplaceAll(whole, "::", "."), "?.", ".")
	if r.spoken && slices.Contains([]string{"zero", "one", "two", "three"}, first.text) {
		r.fail(first.at, "expected a field's name: a number in words is none")
	}
	if len(parts) == 1 && r.twoWords(first) {
		noun := r.next()
		return &expr{at: first.at, name: first.text + "_" + strings.ToLower(noun.text), spans: []span{{first.at, noun.end}}}
	}
	if len(parts) == 1 {
		return r.phrase(first)
	}
	e := &expr{at: first.at, name: name}
	r.goodName(e, name)
	e.spans = append(e.spans, span{first.at, last.end})
	return e
}

// classConstant is a constant that a class names, such as Keys.SEP or StrUtil.UNDERLINE; nil if a
// name is none.
func (r *reader) classConstant(parts []token) *expr {
	first, last := parts[0], parts[len(parts)-1]
	if len(parts) < 2 || !constantName.MatchString(last.text) || !className.MatchString(parts[len(parts)-2].text) {
		return nil
	}
	e := &expr{at: first.at, spans: []span{{first.at, last.end}}}
	if last.text == "MIN_VALUE" { // a number, not a separator
		r.fail(first.at, "expected Long.MAX_VALUE, Integer.MAX_VALUE or nines: what is computed of another constant cannot be declared")
	}
	if text := separators[strings.ToLower(last.text)]; text != "" {
		e.text, e.isText = text, true
		return e
	}
	e.fn, e.name = "constant", r.text[first.at:last.end]
	return e
}

var (
	constantName = pattern.New(`^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$`)
	className    = pattern.New(`^[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*$`)
)

// subscript is a field by its name in quotes, as row['uid'] of Python and JavaScript; nil if
// none is next.
func (r *reader) subscript(parts []token) *expr {
	open, key := r.peek(), r.peekAt(1)
	if open.text != "[" || open.space || key.kind != 'q' || r.peekAt(2).text != "]" {
		return nil
	}
	name := key.text[1 : len(key.text)-1]
	if !notation.ValidName(name) {
		return nil
	}
	e := &expr{at: parts[0].at, name: name, spans: []span{{parts[0].at, parts[len(parts)-1].end}}}
	r.goodName(e, name)
	return e.has(r.next(), r.next(), r.next())
}

// twoWords reports that a word and the next one are a name in prose: user id.
func (r *reader) twoWords(first token) bool {
	noun := r.peek()
	_, typed := types[first.text]
	return noun.kind == 'w' && noun.space && !noun.line && noun.text != "key" && (slices.Contains(nounOf, strings.ToLower(noun.text)) || r.spoken && slices.Contains(spokenNouns, strings.ToLower(noun.text))) && lowerWord.MatchString(first.text) && namesGood(first.text) &&
		!typed && !wholeName(first.text) && modifiers[first.text] == "" && units[first.text] == "" && r.vars[first.text] == nil && functions[first.text] == ""
}

// afterDot are functions that code calls without parentheses, and their names in functions.
var afterDot = map[string]string{"reverse": "reverse", "reversed": "reverse", "tostring": "text", "hashcode": "hashcode", "abs": "abs", "getbytes": "as", "tolong": "num", "toint": "num"}

// functionOf is a function of e that a word says.
func (r *reader) functionOf(e *expr, fn string, t token) *expr {
	if e.fn == "concat" && (fn == "text" || fn == "as") {
		e.spans = append(e.spans, span{t.at, t.end})
		return e
	}
	if e.fn == "concat" && fn == "reverse" && len(e.args) == 1 {
		e.args = []*expr{e.args[0].of(fn, t)}
		return e
	}
	return e.of(fn, t)
}

// mostNamed bounds what names of statements stand for, all together: a = a + a doubles it each time.
const mostNamed = 1 << 15

// weight is how much an expression holds.
func (e *expr) weight() int {
	n := 1 + len(e.spans)
	for _, arg := range e.args {
		if arg != nil {
			n += arg.weight()
		}
	}
	return n
}

// variable is what a statement named.
func (r *reader) variable(v *expr, name string, first, last token) *expr {
	if r.spent += v.weight(); r.spent > mostNamed {
		r.fail(first.at, "expected a shorter design: %s stands for more than is read", name)
		return &expr{at: first.at}
	}
	e := *v
	e.spans = append(slices.Clone(v.spans), span{first.at, last.end})
	e.at = first.at
	switch {
	case e.isNum && isNines(e.text) && r.sees("-"):
		return r.less(&e, &expr{at: e.at, fn: "nines", n: len(e.text)})
	case e.isNum && maxBytes(e.text) != 0 && r.sees("-"):
		return r.less(&e, &expr{at: e.at, fn: "max", n: maxBytes(e.text)})
	case e.fn == "largest" && r.sees("-"):
		return r.less(&e, &expr{at: e.at, fn: "max", n: e.n})
	case e.isField() && (!strings.Contains(e.name, ".") || !namesGood(name)):
	case e.isField():
		e.name = name // uid of order.getUid()
	case e.alias == "" && e.fn != "concat":
		e.alias = name
	}
	return &e
}

// calls reports that a word before '(' is a function, not a field with something said of it.
func (r *reader) calls(w string) bool {
	inside := r.inParentheses()
	if namesSalt(w) && bucketRange.MatchString(inside) {
		return false
	}
	if annotates(inside) || described(w, inside) {
		return false
	}
	return !plainSize(w, inside)
}

// inParentheses is what stands in the parentheses that open at hand.
func (r *reader) inParentheses() string {
	open := r.peek()
	if end := matching(r.text[:r.to], open.at); end > 0 {
		return r.text[open.end:end]
	}
	return r.text[open.end:r.to]
}

// saysOf reports that what stands in parentheses after a component says how it is written, or
// of what it is computed.
func saysOf(e *expr, inside string) bool {
	switch {
	case e.isField() && namesSalt(e.name) && bucketRange.MatchString(inside):
		return true
	case e.isField():
		return annotates(inside) || described(e.name, inside) || plainSize(e.name, inside)
	case falls(e):
		return annotates(inside) || described("时间", inside)
	}
	return e.fn == "reverse" && bare(e) == e && e.args[0].isField() && hasHan(e.args[0].name) && annotates(inside)
}

// falls reports a component of which is said that it is in descending order.
func falls(e *expr) bool { return e.fn == "desc" || e.fn == "turned" || e.fn == "backward" }

// described reports that what stands in parentheses after a name says of what it is computed:
// salt (1 byte, md5(uid) % 16), 盐值(md5(uid)前2位). Of a name that a function may have, a part that
// can only say how a value is written shows it.
func described(name, inside string) bool {
	said, computed := 0, 0
	for _, p := range topParts(inside) {
		switch text := inside[p.from:p.to]; {
		case annotates(text) || bigEndian.MatchString(text):
			said++
		case computes.MatchString(text):
			computed++
		default:
			return false
		}
	}
	_, function := functions[simple(name)]
	return computed == 1 && (said > 0 || namesTime(name) && lessOf.MatchString(inside) || hasHan(name) && !function && !isDigest(simple(name)))
}

// lessOf is what a time is subtracted from.
var lessOf = pattern.New(`(?i)^\s*(?:(?:long|integer)\.max_value|9{10,})[lL]?\s*-`)

// bucketRange are the numbers of the buckets: 00~19.
var bucketRange = pattern.New(`^\s*(0+)\s*(?:~|-|到|至|\.\.)\s*([1-9][0-9]{0,3})\s*$`)

// plainSize reports that a number in parentheses is the length of a field: uid(16).
func plainSize(name, inside string) bool {
	_, function := functions[simple(name)]
	return digitsOnly.MatchString(inside) && len(inside) <= 3 && inside[0] != '0' && !function && !isDigest(simple(name))
}

// annotates reports that a text in parentheses says how a field is written.
func annotates(inside string) bool {
	if strings.TrimSpace(inside) == "" {
		return false
	}
	for _, part := range annotations(inside) {
		if annotation(&expr{name: "x"}, part) == nil {
			return false
		}
	}
	return true
}

// annotations are the parts of a text that says how a field is written.
func annotations(inside string) []string {
	return strings.FieldsFunc(inside, func(c rune) bool { return c == ',' || c == ';' })
}

// annotated reads what stands in parentheses after a field: uid(8B).
func (r *reader) annotated(e *expr) *expr {
	open := r.peek()
	inside := r.inParentheses()
	end := open.end + len(inside)
	if !strings.HasPrefix(r.text[end:], ")") {
		r.fail(open.at, "expected ')'")
		return e
	}
	if len(topParts(inside)) == 0 {
		r.fail(open.at, "expected how %s is written, such as 8B, long, desc, yyyyMMdd or left pad 0", e.name)
		return e
	}
	if m := bucketRange.FindStringSubmatch(inside); m != nil && namesSalt(e.name) { // 分区号(00~19)
		last, _ := strconv.Atoi(m[2])
		e = &expr{at: e.at, fn: "salt", alias: e.name, args: []*expr{{isNum: true, n: last + 1}}, spans: append(e.spans, span{open.end, end})}
		if len(m[1]) == len(m[2]) {
			e = printed(e, verb{kind: 'd', width: len(m[2]), fill: '0'})
		}
	} else if digitsOnly.MatchString(inside) {
		n, _ := strconv.Atoi(inside)
		e = &expr{at: e.at, fn: "sized", text: "chars", n: n, args: []*expr{e}, spans: []span{{open.end, end}}}
		if n < 9 { // of bytes or of digits
			e.text = "length"
		}
	} else {
		e = r.saidOf(e, open.end, end)
	}
	r.use(open.at, open.end)
	r.use(end, end+1)
	if r.problem != nil {
		return e
	}
	for r.i < len(r.tokens) && r.peek().at <= end {
		r.i++
	}
	return e
}

// after reads one thing that is done to e; nil if nothing more is.
func (r *reader) after(e *expr) *expr {
	t := r.peek()
	switch {
	case t.text == "!!": // Kotlin's "it is not null"
		r.skip()
		return e
	case t.text == "[" && !t.space && isRaw(e) && r.peekAt(1).text == ":" && r.peekAt(2).text == "]": // sum[:]
		return e.has(r.next(), r.next(), r.next())
	case t.text == "[" && !t.space && !e.isText && !e.isNum && r.isSlice():
		return r.slice(e)
	case t.text == "[" && !t.space && isRaw(e) && r.peekAt(1).text == "0" && r.peekAt(2).text == "]": // md5.Sum(x)[0]
		out := e.of("slice", t, r.peekAt(1), r.peekAt(2))
		out.text = "index"
		out.args = append(out.args, &expr{isNum: true}, &expr{isNum: true, n: 1})
		r.i += 3
		return out
	case t.text == "[" && !t.space && !e.isText && !e.isNum && r.peekAt(2).text == "]" && sized.MatchString(r.peekAt(1).text): // uid[8B]
		r.skip()
		w := r.next()
		r.skip()
		return annotation(e, w.text).has(w)
	case (t.text == "." || t.text == "?.") && r.peekAt(1).kind == 'w':
		return r.method(e)
	case t.text == "(" && !t.line && saysOf(e, r.inParentheses()):
		return r.annotated(e)
	case t.text == "(" && e.isField() && !t.line:
		r.fail(t.end, "expected how %s is written, such as 8B, long, desc, yyyyMMdd or left pad 0", e.name)
	case t.kind == 'w' && !t.line || t.kind == 'n' && r.boxed:
		return r.wordAfter(e)
	case t.text == ":" && r.boxed && !r.braced && r.boxDepth == r.depth && (e.isField() || e.fn == "backward"):
		r.skip()
		w := r.peek()
		if n := strings.IndexAny(r.text[t.end:r.to], "]>"); n > 0 && strings.Contains(r.text[t.end:t.end+n], ",") && annotates(r.text[t.end:t.end+n]) { // [ts: 8 bytes, descending]
			out := r.saidOf(e, t.end, t.end+n)
			for r.i < len(r.tokens) && r.peek().at < t.end+n {
				r.i++
			}
			return out
		}
		if w.kind == 'n' { // <metric:3>
			r.next()
			if unit := r.peek(); unit.kind == 'w' && sized.MatchString(w.text+" "+unit.text) { // [uid: 4 bytes]
				return annotation(e, w.text+" "+unit.text).has(w, r.next())
			}
			out := e.of("sized", w)
			out.text = "bytes"
			out.n, _ = strconv.Atoi(w.text)
			return out
		}
		if a := annotation(e, w.text); a != nil && w.kind == 'w' {
			r.next()
			return a.has(w)
		}
		r.failType(w)
	}
	return nil
}

// wordAfter reads a word that is done to e: a cut in Chinese, a type or a modifier; nil if the
// word is none of these.
func (r *reader) wordAfter(e *expr) *expr {
	t := r.peek()
	if e.isText || e.isNum {
		return nil
	}
	if w := r.peekAt(1); t.text == "in" && units[strings.ToLower(w.text)] != "" { // event time in ms
		if a := annotation(e, w.text); a != nil {
			return a.has(r.next(), r.next())
		}
	}
	if t.kind == 'n' || sizeWord.MatchString(t.text) { // 8 bytes
		if w := r.peekAt(1); t.kind == 'n' && w.kind == 'w' && sized.MatchString(t.text+" "+w.text) {
			r.next()
			r.next()
			return annotation(e, t.text+" "+w.text).has(t, w)
		}
	}
	if w, ops := suffixes(t.text, true); w == "" && len(ops) > 0 {
		r.next()
		return r.apply(e, ops, t)
	}
	lower := strings.ToLower(t.text)
	if isDigest(lower) && e.isField() && hasHan(e.name) && t.space { // 设备ID MD5 前四位
		r.next()
		return e.of(lower, t)
	}
	_, typed := types[lower]
	switch {
	case typed && e.fn != "typed", modifiers[lower] != "", sized.MatchString(t.text) && r.boxed, units[lower] != "" && e.isField():
		if a := annotation(e, t.text); a != nil {
			r.next()
			return a.has(t)
		}
	}
	if r.boxed && r.boxDepth == r.depth && e.fn != "typed" && levels[t.text] == 0 {
		r.failType(t)
	}
	return nil
}

var sizeWord = pattern.New(`^[0-9]+$`)

// failType says that a word is no type.
func (r *reader) failType(t token) {
	r.fail(t.at, "expected a type such as u32, long or string%s", notation.Nearest(strings.ToLower(t.text), slices.Sorted(maps.Keys(types))))
}

// isSlice reports that [0:4], [:4], [-4:] or [::-1] is next.
func (r *reader) isSlice() bool {
	body, _, ok := strings.Cut(r.text[r.peek().end:r.to], "]")
	return ok && sliceBody.MatchString(body)
}

var sliceBody = pattern.New(`^\s*(?:-?[0-9]*\s*:\s*-?[0-9]*|::\s*-\s*1)\s*$`)

// slice reads [0:4].
func (r *reader) slice(e *expr) *expr {
	open := r.next()
	body, _, _ := strings.Cut(r.text[open.end:r.to], "]")
	end := open.end + len(body) + 1
	for r.i < len(r.tokens) && r.peek().at < end {
		r.i++
	}
	whole := token{at: open.at, end: end}
	body = strings.ReplaceAll(strings.TrimSpace(body), " ", "")
	if body == "::-1" {
		return e.of("reverse", whole)
	}
	a, b, _ := strings.Cut(body, ":")
	from, err := strconv.Atoi(orZero(a))
	to, err2 := strconv.Atoi(orZero(b))
	switch {
	case err != nil || err2 != nil || from < 0 && b != "" || to < 0 || from >= 0 && b == "" || from > 1<<15 || to > 1<<15 || from < -1<<15:
		r.fail(open.at, "expected [0:4] or [-4:]: another part cannot be declared")
	}
	out := e.of("slice", whole)
	out.args = append(out.args, &expr{isNum: true, n: from}, &expr{isNum: true, n: to})
	return out
}

func orZero(s string) string {
	if s == "" {
		return "0"
	}
	return s
}

// method reads what stands after a dot.
func (r *reader) method(e *expr) *expr {
	dot := r.next()
	w := r.next()
	if r.sees("(") {
		r.use(dot.at, dot.end)
		return r.call(w, nil, e)
	}
	if fn := afterDot[simple(w.text)]; fn != "" {
		r.use(dot.at, dot.end)
		return r.functionOf(e, fn, w)
	}
	r.fail(w.at, "expected a function such as substr or reverse%s", notation.Nearest(strings.ToLower(w.text), functionNames()))
	return e
}

func functionNames() []string {
	return slices.Sorted(maps.Keys(functions))
}

// goodName checks the name of a field.
func (r *reader) goodName(e *expr, name string) {
	if why := badName(name); why != "" {
		r.fail(e.at, "%s", why)
	}
}

func namesGood(name string) bool { return badName(name) == "" }

// mostHan is more letters of Chinese than the name of a field has.
const mostHan = 10

var (
	hexOnly = pattern.New(`^[0-9a-fA-F]+$`)
	// computed is what says that a name is no name: what is done to a field, or how long it is.
	computed = pattern.New(`(?i)md5|sha1|sha256|sha512|crc32|murmur|hash|digest|yyyy|[0-9一二两三四五六七八九十]+(?:位|字节|个|bytes?$)|[前后]缀|补[0零齐]|哈希|散列|反转|翻转|倒序|逆序|取模|取余|截取|打散|加密|取反|求反|除以|乘以|减去|取整|整除|异或|左移|右移|转成|转为|截断|去掉|去除|不含|固定值|常量|随机|拼接|转换|加盐|^_|_$|^(?:将|把|由|再)`)
	// withPlace are words that hold 位 or 补 and are names.
	withPlace = strings.NewReplacer("geohash", "geo", "Geohash", "geo", "GeoHash", "geo", "单位", "", "位置", "", "岗位", "", "车位", "", "学位", "", "职位", "", "定位", "", "仓位", "", "库位", "", "货位", "", "床位", "", "补贴", "", "候补", "", "点位", "", "方位", "", "部位", "")
	// prose are words that sentences hold, and names do not.
	prose = pattern.New(`需要|注意|避免|为了|因为|所以|可以|应该|长度|建议|使用|采用|组成|作为|保证|考虑|如果|或者|以及|然后|不要|不能|设计|热点|尽量|例如|比如|我们|以内|之间|为空|时使|高位|低位|部分|表示|对应|根据`)
	// twoNames is a whole name and a time after it.
	twoNames   = pattern.New(`(?i)^[a-z]{1,12}id_(?:ts|time|timestamp|rev_?ts|reverse_?ts)$`)
	twoInOne   = pattern.New(`\p{Han}[\pL\d]和[\pL\d]{2}|[\pL\d]{2}和[\pL\d]{2}|\pL{2}(?:以及|及)\pL{2}`)
	manyDigits = pattern.New(`[0-9]{2}`)
	// shellWords begin commands of hbase shell and of SQL.
	shellWords = []string{"put", "scan", "create", "select", "insert", "upsert", "alter", "delete", "deleteall", "disable", "drop", "return", "if", "else", "for", "while", "null", "true", "false",
		"the", "of", "is", "are", "and", "or", "then", "with", "by", "as", "where", "null", "row", "void", "public", "static", "private", "class", "import"}
)

// badName is why a text is no name of a field; empty if it is one.
func badName(name string) string {
	han := 0
	for _, c := range name {
		if unicode.Is(unicode.Han, c) {
			han++
		}
	}
	plain := withPlace.Replace(name)
	c, _ := utf8.DecodeRuneInString(name)
	switch {
	case name == "":
		return "expected a field's name"
	case len(name) >= 16 && hexOnly.MatchString(name) && strings.ContainsAny(name, "0123456789"):
		return "expected a design: this looks like a key; a real key helps to answer what a design leaves open"
	case unicode.IsDigit(c):
		return "expected a field: a number stands in a key, not in a design; a real key helps to answer what a design leaves open"
	case han >= mostHan, han > 0 && prose.MatchString(name):
		return "expected a field's name: this reads like a sentence"
	case namesSalt(name) || namesHash(name) || isDigest(strings.ToLower(name)) || goLayout(name) != "":
		return ""
	case computed.MatchString(plain), strings.ContainsAny(plain, "位补"), strings.HasSuffix(name, "和") || strings.Contains(plain, "加上"), twoInOne.MatchString(name):
		return "expected a field's name: this says what is done to one, in a way that is not understood"
	case twoNames.MatchString(name):
		return "expected '+' between two fields: this looks like two names"
	case han > 0 && manyDigits.MatchString(name):
		return "expected a field's name: what the number in it says is not understood"
	case slices.Contains([]string{"MM", "dd", "HH", "mm", "ss", "DD", "hh"}, name):
		return "expected a field's name, or a whole date pattern such as yyyyMMdd"
	case slices.Contains(shellWords, strings.ToLower(name)):
		return "expected a field's name: this is a word of a command or a sentence"
	}
	return ""
}
