package draft

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/hbase-rowkey/rowkey/internal/notation"
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
}

// of is a function of e.
func (e *expr) of(fn string) *expr { return &expr{at: e.at, fn: fn, args: []*expr{e}} }

// expr reads a field, a constant or a function, and what is done to it.
func (r *reader) expr(split bool) *expr {
	const most = 200 // brackets in one another
	if r.depth++; r.depth > most {
		r.Fail(r.At, "expected fewer brackets in one another")
	}
	defer func() { r.depth-- }()
	e := r.primary(split)
	for r.Problem == nil {
		next := r.behind(e, split)
		if next == nil {
			break
		}
		e = next
	}
	return e
}

// behind reads one thing that is done to e; nil if nothing more is.
func (r *reader) behind(e *expr, split bool) *expr {
	rest := r.Text[r.At:]
	if from, to, n := sliceOf(rest); n > 0 && !e.isText && !e.isNum { // md5(x)[0:4]
		r.At += n
		return &expr{at: e.at, fn: "slice", args: []*expr{e, {isNum: true, n: from}, {isNum: true, n: to}}}
	}
	if strings.HasPrefix(rest, ".") { // md5(x).substr(0,4)
		return r.method(e)
	}
	at := r.At
	switch c := r.Peek(); {
	case c == '%' && e.isText:
		r.At++
		return r.percent(e)
	case c == '%':
		r.At++
		return r.modulo(e, split)
	case c == '(' && e.isField() && !e.isText:
		return r.annotated(e)
	case c == '-' && !split && r.minus(e):
		return nil
	}
	if next, done := r.wordBehind(e, split, at); done {
		return next
	}
	r.At = at
	if r.boxed && r.depth == 1 && r.Peek() == ':' && e.isField() {
		r.At++
		return r.typeBehind(e)
	}
	r.At = at
	return nil
}

// isField reports that e is a field to which nothing has been done.
func (e *expr) isField() bool { return e.fn == "" && e.name != "" }

// method reads what stands behind a dot: a function of e, or its reversal.
func (r *reader) method(e *expr) *expr {
	r.At++
	at := r.At
	w := r.Word()
	if r.Accept("(") {
		return r.call(at, w, e)
	}
	if modifiers[strings.ToLower(w)] != "" || strings.EqualFold(w, "reverse") {
		return e.of("reverse")
	}
	r.Fail(at, "expected a function such as substr or reverse%s", notation.Nearest(strings.ToLower(w), functionNames()))
	return nil
}

// minus reports that a '-' at hand ends e: as an arrow, or as an error.
func (r *reader) minus(e *expr) bool {
	switch {
	case !e.isText && strings.HasPrefix(strings.TrimLeft(r.Text[r.At+1:], " "), ">"):
		return true
	case e.isField() || e.isNum:
		r.Fail(e.at, "expected Long.MAX_VALUE, Integer.MAX_VALUE or nines in front of '-': no other constant less a field can be declared")
		return true
	}
	return false
}

// wordBehind reads a word that is done to e: mod, a cut in Chinese, a type or a
// modifier. It is not done if the word is none of these; at is where e ends.
func (r *reader) wordBehind(e *expr, split bool, at int) (next *expr, done bool) {
	wordAt := r.At
	w := r.Word()
	lower := strings.ToLower(w)
	if lower == "mod" {
		return r.modulo(e, split), true
	}
	if _, fn, n, ok := cutWord(w); ok && slices.ContainsFunc([]string{"前", "后", "取", "的"}, func(p string) bool { return strings.HasPrefix(w, p) }) {
		return &expr{at: e.at, fn: fn, args: []*expr{e, {isNum: true, n: n}}}, true
	}
	if w == "" || e.isText || e.isNum {
		return nil, false
	}
	switch _, typed := types[lower]; {
	case typed && e.fn == "typed":
		r.At = at
		return nil, true
	case typed || modifiers[lower] != "" || r.boxed && sized.FindString(w) != "":
		return annotation(e, w), true
	case r.boxed && r.depth == 1:
		r.failType(wordAt, w)
		return nil, true
	}
	return nil, false
}

// typeBehind reads the type behind a field and a colon: [uid: long].
func (r *reader) typeBehind(e *expr) *expr {
	r.Skip()
	at := r.At
	w := r.Word()
	if a := annotation(e, w); a != nil && w != "" {
		return a
	}
	if _, ok := types[strings.ToLower(w)]; !ok {
		r.failType(at, w)
	}
	return nil
}

// failType says that a word is no type.
func (r *reader) failType(at int, w string) {
	r.Fail(at, "expected a type such as u32, long or string%s", notation.Nearest(strings.ToLower(w), slices.Sorted(maps.Keys(types))))
}

// annotated reads what stands in parentheses behind a field: uid(8B).
func (r *reader) annotated(e *expr) *expr {
	n := strings.IndexByte(r.Text[r.At:], ')')
	if n < 0 {
		r.Expected("')'")
		return nil
	}
	text := r.Text[r.At+1 : r.At+n]
	for _, part := range strings.Split(text, ",") {
		a := annotation(e, part)
		if a == nil {
			r.Fail(r.At+1, "expected how %s is written, such as 8B, long, desc, yyyyMMdd or left pad 0", e.name)
			return nil
		}
		e = a
	}
	r.At += n + 1
	return e
}

// modulo reads the number of buckets behind % and MOD; a name is a number that
// is not said.
func (r *reader) modulo(e *expr, split bool) *expr {
	r.Skip()
	at := r.At
	n := r.primary(split)
	if n.name != "" && n.fn == "" {
		n = &expr{at: at}
	} else if !n.isNum || n.n < 1 {
		r.Fail(at, "expected a number of buckets")
	}
	return &expr{at: e.at, fn: "mod", args: []*expr{e, n}}
}

// sliceOf reads [0:4], [:4] or [-4:], and its length; 0 if text does not begin
// so. Of the last n, from is −n and to 0.
func sliceOf(text string) (from, to, n int) {
	body, ok := strings.CutPrefix(text, "[")
	if !ok {
		return 0, 0, 0
	}
	body, _, ok = strings.Cut(body, "]")
	a, b, colon := strings.Cut(body, ":")
	if !ok || !colon {
		return 0, 0, 0
	}
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	if tail, ok := strings.CutPrefix(a, "-"); ok && b == "" {
		last, err := strconv.ParseUint(tail, 10, 16)
		if err != nil || last == 0 {
			return 0, 0, 0
		}
		return -int(last), 0, len(body) + 2
	}
	if a == "" {
		a = "0"
	}
	first, err := strconv.ParseUint(a, 10, 16)
	last, err2 := strconv.ParseUint(b, 10, 16)
	if err != nil || err2 != nil {
		return 0, 0, 0
	}
	return int(first), int(last), len(body) + 2
}

// looseWord is the next word. A constant such as MAX_VALUE is one word, and max its size in
// bytes. Any other word ends at '_' and '-' if split says that these stand between components.
func (r *reader) looseWord(split bool) (w string, max int) {
	r.Skip()
	at := r.At
	w = r.Word()
	for i := 0; i <= min(len(w), 40); i++ { // a constant may end at '-': MAX_VALUE-ts
		if i == len(w) || w[i] == '-' {
			if n := maxBytes(w[:i]); n != 0 {
				r.At = at + i
				return w[:i], n
			}
		}
	}
	if n := strings.IndexAny(w, "_-"); split && n > 0 {
		w = w[:n]
	}
	w = strings.TrimRight(w, "-") // the beginning of ->
	r.At = at + len(w)
	return w, 0
}

var digitsOnly = regexp.MustCompile(`^[0-9]+$`)

func (r *reader) primary(split bool) *expr {
	c := r.Peek()
	e := &expr{at: r.At}
	switch c {
	case '\'', '"':
		e.text, e.isText = r.Quoted("a constant"), true
		return e
	case '`':
		return r.template("${", "}")
	case '(':
		r.At++
		e = r.expr(false)
		r.Expect(")")
		return e
	}
	if strings.HasPrefix(r.Text[r.At:], "${") {
		r.At += 2
		e = r.expr(false)
		r.Expect("}")
		return e
	}
	w, max := r.looseWord(split)
	if strings.EqualFold(w, "new") {
		w, max = r.looseWord(split)
	}
	switch {
	case w == "":
		r.Fail(e.at, "expected a field's name, a function such as md5, reverse or rpad, or Long.MAX_VALUE - ts")
	case max != 0:
		return r.less(e, w, &expr{at: e.at, fn: "max", n: max}, split)
	case digitsOnly.MatchString(w):
		return r.numeral(e, w, split)
	case (w == "f" || w == "F") && r.At < len(r.Text) && (r.Text[r.At] == '"' || r.Text[r.At] == '\''):
		return r.template("{", "}")
	case r.Peek() == '(' && r.calls(w):
		return r.function(e.at, w)
	default:
		if n := strings.LastIndexByte(w, '.'); n > 0 && strings.EqualFold(w[n+1:], "reverse") { // domain.reverse
			e.name = w[:n]
			return e.of("reverse")
		}
		return r.named(e, w)
	}
	return e
}

// function reads a call by its name, in which an owner may stand: uid.reverse() is about uid, and
// of Bytes.toBytes(uid) the owner is a library.
func (r *reader) function(at int, w string) *expr {
	r.At++
	n := strings.LastIndexByte(w, '.')
	if n <= 0 || r.library(w[:n]) {
		return r.call(at, w[n+1:], nil)
	}
	// StringUtils.reverse(uid) is about uid too: called looks at the arguments.
	return r.call(at, w[n+1:], &expr{at: at, name: w[:n]})
}

// library reports that a name is of a library, not of a field.
func (r *reader) library(owner string) bool {
	switch strings.ToLower(owner) {
	case "string", "fmt", "bytes", "bytebuffer", "system", "date", "time", "instant", "math", "datetimeformatter":
		return true
	}
	return false
}

// calls reports that a word in front of '(' is a function, not a field with
// something said of it in parentheses.
func (r *reader) calls(w string) bool {
	inside, _, _ := strings.Cut(r.Text[strings.IndexByte(r.Text[r.At:], '(')+r.At+1:], ")")
	if sized.MatchString(strings.TrimSpace(inside)) {
		return false
	}
	_, fn := functions[simple(w)]
	_, digest := digests[simple(w)]
	if fn || digest {
		return true
	}
	for _, part := range strings.Split(inside, ",") {
		if annotation(&expr{}, part) == nil {
			return true
		}
	}
	return false
}

// numeral is a number, or nines from which a time is subtracted: 9999999999999 - ts.
func (r *reader) numeral(e *expr, w string, split bool) *expr {
	r.At = e.at + len(w)
	if strings.Trim(w, "9") == "" && len(w) >= 8 && len(w) <= 19 && r.Peek() == '-' {
		return r.less(e, w, &expr{at: e.at, fn: "nines", n: len(w)}, split)
	}
	n, err := strconv.ParseUint(w, 10, 31)
	if err != nil {
		r.Fail(e.at, "expected a smaller number")
	}
	e.n, e.isNum = int(n), true
	return e
}

// less reads what is subtracted from a largest value: ts of Long.MAX_VALUE - ts.
func (r *reader) less(e *expr, w string, largest *expr, split bool) *expr {
	r.Expect("-")
	of := r.expr(split)
	inner := of
	for len(inner.args) > 0 && (inner.fn == "text" || inner.fn == "as" || inner.fn == "typed" || inner.fn == "sized") {
		inner = inner.args[0]
	}
	if inner.name == "" || inner.fn != "" {
		r.Fail(of.at, "expected the name of a field behind %s -", w)
	}
	largest.args = []*expr{of}
	return largest
}

// named is a field of this name. In Chinese one word may also say what is done to the field:
// 用户ID反转 is the reversal of 用户ID.
func (r *reader) named(e *expr, w string) *expr {
	if name, fn, n, ok := cutWord(w); ok && name != "" {
		return &expr{at: e.at, fn: fn, args: []*expr{r.named(&expr{at: e.at}, name), {isNum: true, n: n}}}
	}
	name, fn := glued(w)
	e.name = name
	han := 0
	for _, c := range name {
		if unicode.Is(unicode.Han, c) {
			han++
		}
	}
	switch {
	case len(name) >= 16 && hexOnly.MatchString(name) && strings.ContainsAny(name, "0123456789"):
		r.Fail(e.at, "expected a design: this looks like a key; a real key helps to answer what a design leaves open")
	case name != "" && name[0] >= '0' && name[0] <= '9':
		r.Fail(e.at, "expected a field: a number stands in a key, not in a design; a real key helps to answer what a design leaves open")
	case han >= mostHan:
		r.Fail(e.at, "expected a field's name: this reads like a sentence")
	}
	switch {
	case fn == "":
		return e
	case fn == "reverse" && namesTime(name): // 时间戳反转 is Long.MAX_VALUE - ts, hardly ever a reversal
		fn = "backward"
	}
	return e.of(fn)
}

// mostHan is more letters of Chinese than the name of a field has.
const mostHan = 10

var hexOnly = regexp.MustCompile(`^[0-9a-fA-F]+$`)

func functionNames() []string {
	return slices.Sorted(maps.Keys(functions))
}

// call reads the arguments of a function. of is the value whose method it is, nil if it is no
// method.
func (r *reader) call(at int, name string, of *expr) *expr {
	fn := simple(name)
	if of != nil && (of.fn == "begin" || of.fn == "concat") {
		if typ, ok := puts[fn]; ok {
			return r.put(of, typ)
		}
	}
	e := &expr{at: at, fn: fn}
	_, digest := digests[fn]
	if w := functions[fn]; w != "" {
		e.fn = w
	} else if !digest {
		known := append(slices.Sorted(maps.Keys(digests)), functionNames()...)
		r.Fail(at, "expected a function such as md5, substr, reverse, rpad or random%s", notation.Nearest(fn, known))
		return e
	}
	list := false // Python's and JavaScript's
	for !r.Accept(")") && r.Problem == nil {
		if len(e.args) > 0 && !r.Accept("+") {
			r.Expect(",")
		}
		if !list && e.fn == "join" && (r.Accept("[]string{") || r.Accept("[")) {
			list = true
		}
		if arg := r.expr(false); arg.fn == "concat" && e.fn != "format" {
			e.args = append(e.args, arg.args...)
		} else {
			e.args = append(e.args, arg)
		}
		if list {
			list = !r.Accept("]") && !r.Accept("}")
		}
	}
	return r.called(e, of)
}

// called is the function of these arguments. A method gets the value in front of it as its first
// argument.
func (r *reader) called(e, of *expr) *expr {
	if text := r.textCalled(e, of); text != nil {
		return text
	}
	if e.fn == "format" {
		e.fn = "date"
	}
	if of != nil && (len(e.args) == 0 || e.args[0].isNum || of.fn != "" || of.isText || e.fn == "date") {
		e.at = of.at
		e.args = append([]*expr{of}, e.args...)
	}
	switch {
	case e.fn == "join":
		return r.join(e)
	case e.fn == "date":
		return r.date(e)
	case len(e.args) == 0 && e.fn != "random":
		r.Fail(e.at, "expected what %s is computed of", e.fn)
	case e.fn == "zfill" && len(e.args) == 2:
		e.fn = "lpad"
		e.args = append(e.args, &expr{isText: true, text: "0"})
	case e.fn == "mod" || e.fn == "floormod":
		r.moduloCalled(e)
	}
	return e
}

// moduloCalled checks the two arguments of mod(x, 16); a name in place of the number is a number
// that is not said.
func (r *reader) moduloCalled(e *expr) {
	switch {
	case len(e.args) == 2 && e.args[1].name != "":
		e.args[1] = &expr{at: e.args[1].at}
	case len(e.args) != 2 || !e.args[1].isNum:
		r.Fail(e.at, "expected a value and a number in %s", e.fn)
	}
}

// textCalled is a function that makes or ends a text, such as new StringBuilder(uid),
// .toString() or String.format; nil if it is none.
func (r *reader) textCalled(e, of *expr) *expr {
	switch e.fn {
	case "now":
		return &expr{at: e.at, name: "ts", unit: "ms"}
	case "begin":
		if len(e.args) == 1 && !e.args[0].isNum { // new StringBuilder(uid)
			return &expr{at: e.at, fn: "concat", args: e.args}
		}
		return &expr{at: e.at, fn: "begin"}
	case "format":
		return r.formatCalled(e, of)
	}
	switch {
	case of == nil || of.fn != "begin" && of.fn != "concat":
	case e.fn == "as" || of.fn == "concat" && e.fn == "text": // .array(), .toString()
		return of
	case of.fn == "concat" && len(of.args) == 1 && e.fn == "reverse": // .reverse() of it
		return &expr{at: e.at, fn: "concat", args: []*expr{of.args[0].of("reverse")}}
	}
	return nil
}

// formatCalled is what format makes of a text or a date, nil if its argument is a time and a pattern.
func (r *reader) formatCalled(e, of *expr) *expr {
	switch {
	case of != nil && of.isText: // "{}_{}".format(a, b)
		return r.braces(of, e.args)
	case of != nil && of.fn == "date": // new SimpleDateFormat("yyyyMMdd").format(ts)
		return r.date(&expr{at: of.at, fn: "date", args: append(e.args, of.args...)})
	case len(e.args) > 0 && e.args[0].isText && goLayout(e.args[0].text) == "":
		return r.format(e.args[0], e.args[1:])
	}
	return nil
}

// date is a time as the text of a pattern; the two arguments may stand in either order.
func (r *reader) date(e *expr) *expr {
	pattern := ""
	var of *expr
	for _, arg := range e.args {
		switch {
		case arg.isText && pattern == "":
			pattern = arg.text
		case of == nil:
			of = arg
		}
	}
	switch {
	case goLayout(pattern) == "":
		r.Fail(e.at, "expected a date pattern such as yyyyMMddHHmmss")
	case of == nil: // SimpleDateFormat("…"), whose time comes with its method
		return &expr{at: e.at, fn: "date", args: []*expr{{at: e.at, isText: true, text: pattern}}}
	}
	return &expr{at: e.at, fn: "date", text: pattern, args: []*expr{of}}
}

// put appends one value, of a type that the method's name says.
func (r *reader) put(of *expr, typ string) *expr {
	arg := r.expr(false)
	r.Expect(")")
	if typ != "" && !arg.isText {
		arg = &expr{at: arg.at, fn: "typed", text: typ, args: []*expr{arg}}
	}
	return &expr{at: of.at, fn: "concat", args: append(slices.Clone(of.args), arg)}
}

// join puts its first argument between the others.
func (r *reader) join(e *expr) *expr {
	args := e.args
	if len(args) > 1 && args[len(args)-1].isText && !args[0].isText { // strings.Join(list, "_")
		args = append([]*expr{args[len(args)-1]}, args[:len(args)-1]...)
	}
	if len(args) < 2 || !args[0].isText {
		r.Fail(e.at, "expected a separator in quotes and what it joins")
		return e
	}
	all := &expr{at: e.at, fn: "concat"}
	for i, arg := range args[1:] {
		if i > 0 {
			all.args = append(all.args, args[0])
		}
		all.args = append(all.args, arg)
	}
	return all
}
