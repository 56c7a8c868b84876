package rowkey

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ParseLoose reads a layout as design documents write it, such as
//
//	[md5(userid).subStr(0,4)][userid][orderid]
//	<hash(uid)>_<uid>_<ts>
//	rowkey = reverse(phone) + "_" + (Long.MAX_VALUE - ts)
//	salt_from_to_revts
//
// and says what they leave open: whether uid is text or a number and where it
// ends, which of its bytes are hashed, how many buckets a salt has, in which
// unit a time counts. It decides nothing that the design does not say; that a
// name such as ts is a time, or salt a salt, it takes from the name. Components
// may be notation already; a bare name, which in a notation is a text, says too
// little here. What it cannot read is an error as of Parse, with its place in
// the design.
func ParseLoose(design string) (*Draft, error) {
	l := &looseParser{parser: parser{text: design, uncommented: true}}
	l.utf8()
	l.items()
	if l.err == nil {
		l.write()
	}
	if l.err != nil {
		return nil, l.err
	}
	return &Draft{Notation: l.out.String(), Open: l.open}, nil
}

// looseParser reads the items of a design, then writes them as notation.
type looseParser struct {
	parser
	boxed bool // components stand in brackets: what stands between them is in the key
	fixed bool // what stands between them is constant, words and all
	split bool // '_' and '-' part components rather than belong to names
	list  []looseItem

	out  strings.Builder
	open []Question
	seen []string // fields written so far

	depth int // of expressions in one another
}

// looseItem is a component or what stands between two.
type looseItem struct {
	at   int
	expr *looseExpr // nil for a constant, and for a component that is notation already
	text string     // of a constant or of such a component
	decl *parsed    // of such a component
	sure bool       // the constant is in the key for certain
}

// looseExpr is a field, a constant, a number, or a function of such.
type looseExpr struct {
	at     int
	fn     string // lower case
	name   string // of a field
	typ    string // a word behind it
	text   string
	isText bool
	n      int
	isNum  bool
	args   []*looseExpr
}

// looseMax are the constants from which a value is taken, in lower case without
// points and dashes, and the bytes of their type.
var looseMax = map[string]int{
	"longmaxvalue": 8, "longmax": 8, "maxlong": 8, "maxvalue": 8, "max": 8, "int64max": 8, "maxint64": 8, "9223372036854775807": 8,
	"integermaxvalue": 4, "intmaxvalue": 4, "integermax": 4, "intmax": 4, "maxint": 4, "int32max": 4, "maxint32": 4, "2147483647": 4,
}

// looseDigests are the names of digests; "" is one that is not said.
var looseDigests = map[string]string{
	"md5": "md5", "md5hex": "md5", "sha1": "sha1", "sha1hex": "sha1", "sha256": "sha256", "sha256hex": "sha256",
	"sha512": "sha512", "sha512hex": "sha512", "murmur": "murmur3", "murmur3": "murmur3", "murmurhash": "murmur3",
	"murmurhash3": "murmur3", "crc32": "crc32", "murmur3_32": "murmur3", "hash": "", "hashcode": "javahash",
}

// looseFunctions are the other functions, and the one they mean.
var looseFunctions = map[string]string{
	"substr": "substr", "substring": "substring", "left": "left", "reverse": "reverse", "reversed": "reverse", "rpad": "rpad",
	"lpad": "lpad", "upper": "upper", "touppercase": "upper", "tobytes": "as", "getbytes": "as", "valueof": "text", "tostring": "text",
	"str": "text", "abs": "as", "mod": "mod", "random": "random", "rand": "random", "concat": "concat", "salt": "salt", "bucket": "salt",
}

// looseTypes are words for types, and the notation of each; "" is text, and the
// sign of "java" is not said.
var looseTypes = map[string]string{
	"string": "", "str": "", "text": "", "varchar": "", "bytes": ":bytes", "binary": ":bytes", "bool": ":bool", "boolean": ":bool",
	"u8": ":1", "u16": ":2", "u32": ":4", "u64": ":8", "uint8": ":1", "uint16": ":2", "uint32": ":4", "uint64": ":8",
	"i8": ":i1", "i16": ":i2", "i32": ":i4", "i64": ":i8", "int8": ":i1", "int16": ":i2", "int32": ":i4", "int64": ":i8",
	"float": ":f4", "double": ":f8", "float32": ":f4", "float64": ":f8",
	"byte": "java1", "short": "java2", "int": "java4", "integer": "java4", "long": "java8", "bigint": "java8",
}

// nameWords are the words of a name, in lower case: create_time and createTime
// are two.
func nameWords(name string) (words []string) {
	from, before := 0, rune(0)
	for i, r := range name + "_" {
		parts := r == '_' || r == '-' || r == '.'
		if (parts || unicode.IsUpper(r) && unicode.IsLower(before)) && i > from {
			words = append(words, strings.ToLower(name[from:i]))
			from = i
		}
		if parts {
			from = i + 1
		}
		before = r
	}
	return words
}

// What a name says about a field: that it is a time, one that runs backward, a
// date, or a salt.
func namesTime(name string) bool {
	words := nameWords(name)
	if len(words) == 0 {
		return false
	}
	switch words[len(words)-1] {
	case "ts", "time", "timestamp", "millis", "at", "datetime":
		return true
	}
	return strings.HasSuffix(strings.Join(words, ""), "timestamp")
}

func namesBackward(name string) bool {
	all := strings.Join(nameWords(name), "")
	for _, prefix := range []string{"rev", "reverse", "reversed", "inv", "inverted", "desc", "max"} {
		switch tail, ok := strings.CutPrefix(all, prefix); {
		case ok && (tail == "ts" || tail == "time" || tail == "timestamp"):
			return true
		}
	}
	return all == "rts"
}

func namesDate(name string) bool {
	words := nameWords(name)
	return len(words) > 0 && slices.Contains([]string{"date", "day", "dt"}, words[len(words)-1]) || strings.EqualFold(name, "yyyyMMdd")
}

func namesSalt(name string) bool {
	words := nameWords(name)
	return len(words) > 0 && (words[0] == "salt" || words[0] == "bucket") &&
		(len(words) == 1 || len(words) == 2 && (words[1] == "id" || words[1] == "no"))
}

// items reads the whole design.
func (l *looseParser) items() {
	l.title()
	l.survey()
	for l.err == nil && l.peek() != 0 {
		l.item()
	}
	if l.err == nil && !slices.ContainsFunc(l.list, func(it looseItem) bool { return it.expr != nil || it.decl != nil }) {
		l.fail(l.at, "expected a layout, such as [md5(userid).substr(0,4)][userid][orderid]")
	}
}

// title passes over rowkey = or row key: in front of the design.
func (l *looseParser) title() {
	n := strings.IndexAny(l.text, "=:+|[]<>{}()'\"")
	if n < 0 || l.text[n] != '=' && l.text[n] != ':' {
		return
	}
	name := strings.Join(strings.Fields(l.text[:n]), "")
	switch strings.ToLower(strings.ReplaceAll(name, "_", "")) {
	case "rowkey", "key", "rk":
		l.at = n + 1
	default:
		if l.text[n] == '=' && validName(name) {
			l.at = n + 1
		}
	}
}

// survey finds out how the design parts its components.
func (l *looseParser) survey() {
	depth, joined := 0, false
	quote := rune(0)
	for i, r := range l.text[l.at:] {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '\'' || r == '"':
			quote = r
		case strings.ContainsRune("[<{(", r):
			if _, _, n := sliceOf(l.text[l.at+i:]); depth == 0 && r != '(' && n == 0 {
				l.boxed = true
				l.fixed = l.fixed || r != '['
			}
			depth++
		case strings.ContainsRune("]>})", r):
			depth--
		case depth == 0 && strings.ContainsRune("+|,:#/;~@&", r):
			joined = true
		}
	}
	l.split = !joined
}

func (l *looseParser) constant(at int, text string, sure bool) {
	if n := len(l.list) - 1; sure && n >= 0 && l.list[n].sure {
		l.list[n].text += text
		return
	}
	l.list = append(l.list, looseItem{at: at, text: text, sure: sure})
}

// item reads one component, constant or joint.
func (l *looseParser) item() {
	c := l.peek()
	at := l.at
	r, size := utf8.DecodeRuneInString(l.text[at:])
	switch {
	case strings.HasPrefix(l.text[at:], "||"):
		l.at += 2
	case c == '+' || c == ',':
		l.at++
	case c == '\'' || c == '"':
		if text := l.quoted("a constant"); text != "" {
			l.constant(at, text, true)
		}
	case strings.HasPrefix(l.text[at:], "${"):
		l.at++
	case c == '[' || c == '<' || c == '{':
		if c == '[' && l.notation() {
			return
		}
		l.at++
		e := l.expr(false)
		l.expect(map[byte]byte{'[': ']', '<': '>', '{': '}'}[c])
		l.add(e)
	case l.split && (r == '_' || r == '-') || strings.ContainsRune("|:#/;~@&", r):
		l.at++
		l.constant(at, l.text[at:l.at], l.boxed)
	case l.fixed && nameRune(r):
		for l.at < len(l.text) && nameRune(r) {
			l.at += size
			r, size = utf8.DecodeRuneInString(l.text[l.at:])
		}
		l.constant(at, l.text[at:l.at], true)
	default:
		l.add(l.expr(l.split))
	}
}

// notation takes a component that is notation already, if one is next.
func (l *looseParser) notation() bool {
	p := &parser{text: l.text, at: l.at + 1}
	p.component()
	if p.err != nil {
		return false
	}
	d := p.decls[0]
	if d.role == roleField && d.kind == KindString && len(d.opts) == 0 { // a bare name says too little
		return false
	}
	text := l.text[l.at:p.at]
	if d.role == roleLiteral {
		l.constant(l.at, d.text, true)
	} else {
		l.list = append(l.list, looseItem{at: l.at, text: strings.ReplaceAll(text, "?", `\x3f`), decl: &d})
	}
	l.at = p.at
	return true
}

// add appends a component, or what concat(…) joins.
func (l *looseParser) add(e *looseExpr) {
	switch {
	case l.err != nil:
	case e.fn == "concat":
		for _, arg := range e.args {
			l.add(arg)
		}
	case e.isText:
		if e.text != "" {
			l.constant(e.at, e.text, true)
		}
	default:
		l.list = append(l.list, looseItem{at: e.at, expr: e})
	}
}

// looseWord is the next word; where '_' and '-' part components it ends there,
// unless it is a constant such as MAX_VALUE, behind which it ends in any case.
func (l *looseParser) looseWord(split bool) (w string, largest int) {
	l.peek()
	at := l.at
	w = l.word()
	head, _, _ := strings.Cut(w, "-")
	if n := looseMax[strings.NewReplacer(".", "", "_", "").Replace(strings.ToLower(head))]; n != 0 {
		l.at = at + len(head)
		return head, n
	}
	if n := strings.IndexAny(w, "_-"); split && n > 0 {
		w = w[:n]
		l.at = at + n
	}
	return w, 0
}

// expr reads a field, a constant or a function, and what is done to it.
func (l *looseParser) expr(split bool) *looseExpr {
	const most = 200 // brackets in one another
	if l.depth++; l.depth > most {
		l.fail(l.at, "expected fewer brackets in one another")
	}
	defer func() { l.depth-- }()
	e := l.primary(split)
	for l.err == nil {
		rest := l.text[l.at:]
		if from, to, n := sliceOf(rest); n > 0 && e.fn != "" { // md5(x)[0:4]
			e = &looseExpr{at: e.at, fn: "slice", args: []*looseExpr{e, {isNum: true, n: from}, {isNum: true, n: to}}}
			l.at += n
			continue
		}
		if strings.HasPrefix(rest, ".") { // md5(x).substr(0,4)
			at := l.at + 1
			l.at++
			w := l.word()
			l.expect('(')
			e = l.call(at, w, e)
			continue
		}
		at := l.at
		c := l.peek()
		w := ""
		if c != '%' {
			w = l.word()
		}
		if c == '%' || strings.EqualFold(w, "mod") {
			if c == '%' {
				l.at++
			}
			n := l.primary(split)
			if !n.isNum {
				l.fail(n.at, "expected a number")
			}
			e = &looseExpr{at: e.at, fn: "mod", args: []*looseExpr{e, n}}
			continue
		}
		l.at = at
		break
	}
	return e
}

// sliceOf reads [0:4] or [:4], and its length; 0 if text does not begin so.
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
	if a = strings.TrimSpace(a); a == "" {
		a = "0"
	}
	first, err := strconv.ParseUint(a, 10, 16)
	last, err2 := strconv.ParseUint(strings.TrimSpace(b), 10, 16)
	if err != nil || err2 != nil {
		return 0, 0, 0
	}
	return int(first), int(last), len(body) + 2
}

func (l *looseParser) primary(split bool) *looseExpr {
	c := l.peek()
	e := &looseExpr{at: l.at}
	switch c {
	case '\'', '"':
		e.text, e.isText = l.quoted("a constant"), true
		return e
	case '(':
		l.at++
		e = l.expr(false)
		l.expect(')')
		return e
	}
	w, largest := l.looseWord(split)
	switch {
	case w == "":
		l.fail(e.at, "expected a field's name, a function such as md5, reverse or rpad, or Long.MAX_VALUE - ts")
	case largest != 0:
		l.expect('-')
		of := l.expr(split)
		if of.fn != "" || of.isText || of.isNum {
			l.fail(of.at, "expected the name of a field behind %s -", w)
		}
		return &looseExpr{at: e.at, fn: "max", n: largest, args: []*looseExpr{of}}
	case l.peek() == '(':
		l.at++
		owner, method := "", w
		if n := strings.LastIndexByte(w, '.'); n >= 0 {
			owner, method = w[:n], w[n+1:]
		}
		if owner == "" {
			return l.call(e.at, method, nil)
		}
		// uid.reverse() is about uid, and StringUtils.reverse(uid) too.
		return l.call(e.at, method, &looseExpr{at: e.at, name: owner})
	case strings.Trim(w, "0123456789") == "":
		l.at = e.at + len(w)
		n, err := strconv.ParseUint(w, 10, 31)
		if err != nil {
			l.fail(e.at, "expected a smaller number")
		}
		e.n, e.isNum = int(n), true
		return e
	}
	e.name = w
	l.typed(e)
	return e
}

// typed reads a type behind a field's name.
func (l *looseParser) typed(e *looseExpr) {
	at := l.at
	colon := l.boxed && l.accept(':')
	l.peek()
	typeAt := l.at
	w := strings.ToLower(l.word())
	if _, ok := looseTypes[w]; ok && w != "" {
		e.typ = w
		return
	}
	if colon || l.boxed && w != "" && w != "mod" {
		l.fail(typeAt, "expected a type such as u32, long or string%s", nearest(w, sortedKeys(looseTypes)))
		return
	}
	l.at = at
}

// call reads the arguments of a function; of is what stands in front of a
// method, nil if nothing does.
func (l *looseParser) call(at int, name string, of *looseExpr) *looseExpr {
	e := &looseExpr{at: at, fn: strings.ToLower(name)}
	_, digest := looseDigests[e.fn]
	if w := looseFunctions[e.fn]; w != "" {
		e.fn = w
	} else if !digest {
		known := append(sortedKeys(looseDigests), sortedKeys(looseFunctions)...)
		l.fail(at, "expected a function such as md5, substr, reverse, rpad or random%s", nearest(e.fn, known))
		return e
	}
	for !l.accept(')') && l.err == nil {
		if len(e.args) > 0 && !l.accept('+') {
			l.expect(',')
		}
		if arg := l.expr(false); arg.fn == "concat" {
			e.args = append(e.args, arg.args...)
		} else {
			e.args = append(e.args, arg)
		}
	}
	if of != nil && (len(e.args) == 0 || e.args[0].isNum || of.fn != "") {
		e.at = of.at
		e.args = append([]*looseExpr{of}, e.args...)
	}
	switch {
	case len(e.args) == 0 && e.fn != "random":
		l.fail(at, "expected what %s is computed of", name)
	case e.fn == "mod" && (len(e.args) != 2 || !e.args[1].isNum):
		l.fail(at, "expected a value and a number in %s", name)
	}
	return e
}
