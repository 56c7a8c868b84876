package draft

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// reader reads the items of a design, then writes them as notation.
type reader struct {
	notation.Scanner
	place []int // of each byte of Text, its byte in the design

	boxed  bool // components stand in brackets: what stands between them is in the key
	fixed  bool // what stands between them is constant, words too
	split  bool // '_' and '-' stand between components, and in no name
	joined bool // a component may come next
	list   []item
	vars   map[string]*expr // what statements in front of the layout name
	depth  int              // of expressions in one another

	out    strings.Builder
	begun  []spot // where in out each item begins
	open   []Question
	ranges []bool   // of each of open: its answers cost ranges
	seen   []string // fields written so far

	modular []string // fields of which a salt takes the rest
}

// spot is a place in the notation that is written, and the byte of Text it is made from.
type spot struct{ out, at int }

// from is the byte of Text from which a byte of the notation is made.
func (r *reader) from(out int) int {
	at := 0
	for _, s := range r.begun {
		if s.out <= out {
			at = s.at
		}
	}
	return at
}

// item is a component or what stands between two.
type item struct {
	at   int
	expr *expr     // nil for a constant, and for a component that is notation already
	text string    // of a constant or of such a component
	said *declared // of such a component
	sure bool      // the constant is in the key for certain
	name string    // of a constant that the design only names: separator
}

func newReader(design string) *reader {
	r := &reader{vars: map[string]*expr{}}
	r.Text, r.place = normal(design)
	return r
}

// mostText is the length of the longest design that is read. A longer text holds more than a
// design.
const mostText = 4096

// layout reads the whole design.
func (r *reader) layout() {
	if !utf8.ValidString(r.Text) {
		r.Fail(len(r.Text)-len(strings.TrimLeftFunc(r.Text, func(c rune) bool { return c != utf8.RuneError })), "expected UTF-8")
		return
	}
	if len(r.Text) > mostText {
		r.Fail(0, "expected a design of at most %d bytes, not %d", mostText, len(r.Text))
		return
	}
	if value.MatchString(strings.TrimSpace(r.Text)) {
		r.Fail(0, "expected a design: this looks like a value; a real key helps to answer what a design leaves open")
		return
	}
	r.statements()
	r.title()
	r.survey()
	r.joined = true
	for r.Problem == nil && r.Peek() != 0 {
		r.item()
	}
	if r.Problem == nil && !slices.ContainsFunc(r.list, func(it item) bool { return it.expr != nil || it.said != nil }) {
		r.Fail(r.At, "expected a layout, such as [md5(userid).substr(0,4)][userid][orderid]")
	}
}

// value is an address, a URL, a name of a host with what lies there, or a UUID.
var value = regexp.MustCompile(`(?i)^(?:[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://\S+|[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?::[0-9]+)?|(?:[a-z0-9-]+\.){2,}[a-z]{2,}(?:/\S*)?|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`)

// annotatedName is a design that is one field: metric_uid(3B).
var annotatedName = regexp.MustCompile(`^\s*[\pL\d_.-]+\s*\([^()]*\)\s*$`)

var (
	// assignment is the left side of one, with the type in front: long bucket =
	assignment = regexp.MustCompile(`^\s*(?:(?:var|let|const|final|String|long|int|byte\[\]|[A-Z][\w<>]*)\s+)?([\pL_][\pL\d_]*)\s*:?=[^=>]`)
	// titled is what stands in front of a layout and names it.
	titled = regexp.MustCompile(`(?i)^\s*(?:(?:row ?key|row_key|rk|行键|主键|键)\s*(?:设计为|设计|结构|格式|组成|规则|由|为|是)?\s*(?:=>|:=|=|:)?\s*|(?:(?:var|let|const|final|String|byte\[\])\s+)*[\pL_][\pL\d_]*\s*(?:=>|:=|=)\s*)`)
	// titleWord is a name that is no field's.
	titleWord = regexp.MustCompile(`(?i)^\s*(?:row ?key|row_key|rk|key|行键|主键|键)`)
	// composed is what follows a layout in a sentence of Chinese.
	composed = regexp.MustCompile(`\s*(?:(?:组成|构成|拼接而成|拼接)[;.]?|;)\s*$`)
)

// statements reads assignments in front of the layout, such as long bucket = ts % n; and keeps
// what each name stands for.
func (r *reader) statements() {
	for r.Problem == nil {
		end := r.statementEnd()
		m := assignment.FindStringSubmatchIndex(r.Text[r.At:])
		if end >= len(r.Text) || m == nil || r.At+m[1] > end || strings.TrimSpace(r.Text[end+1:]) == "" {
			return
		}
		name := r.Text[r.At+m[2] : r.At+m[3]]
		rest := r.sub(r.At+m[1]-1, end)
		e := rest.expr(false)
		if rest.Peek() != 0 {
			rest.Fail(rest.At, "expected ';' behind what %s is", name)
		}
		if r.Problem = rest.Problem; r.Problem == nil {
			r.vars[name] = e
		}
		r.At = end + 1
	}
}

// statementEnd is where the next statement ends: at a ';' or a new line outside
// brackets and quotes.
func (r *reader) statementEnd() int {
	quote, depth := byte(0), 0
	for i := r.At; i < len(r.Text); i++ {
		switch c := r.Text[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"' || c == '`':
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case depth == 0 && (c == ';' || c == '\n' && strings.TrimSpace(r.Text[r.At:i]) != ""):
			return i
		}
	}
	return len(r.Text)
}

// sub is a reader of a part of the text.
func (r *reader) sub(from, to int) *reader {
	s := &reader{place: r.place, vars: r.vars, boxed: r.boxed, depth: r.depth}
	s.Text, s.At = r.Text[:to], from
	return s
}

// title skips what names the layout in front of it, such as rowkey = or row key: and the words
// of a sentence of Chinese after it.
func (r *reader) title() {
	rest := r.Text[r.At:]
	if m := titled.FindString(rest); m != "" && strings.TrimSpace(rest[len(m):]) != "" {
		word := strings.TrimRight(m, " \t\r\n")
		// A name alone is a title only where a sign follows, and rowkey_x is a name.
		next, _ := utf8.DecodeRuneInString(rest[len(m):])
		if name, arrow := strings.CutSuffix(word, "=>"); arrow && !titleWord.MatchString(name) && !strings.Contains(rest[len(m):], strings.TrimSpace(name)) {
			return // uid => ts, of which uid is the first field
		}
		if strings.HasSuffix(word, "=") || strings.HasSuffix(word, ">") || strings.HasSuffix(word, ":") || word[len(word)-1] >= 0x80 || !notation.NameRune(next) {
			r.At += len(m)
		}
	}
	if m := composed.FindStringIndex(r.Text[r.At:]); m != nil && m[0] > 0 {
		r.Text = r.Text[:r.At+m[0]]
	}
}

// survey finds what stands between the components of the design.
func (r *reader) survey() {
	depth, joined := 0, false
	quote := rune(0)
	for i, c := range r.Text[r.At:] {
		rest := r.Text[r.At+i:]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"' || c == '`':
			quote = c
			joined = true
		case strings.ContainsRune("[<{(", c):
			if _, _, n := sliceOf(rest); depth == 0 && c != '(' && n == 0 {
				r.boxed = true
				r.fixed = r.fixed || c != '['
			}
			depth++
		case strings.HasPrefix(rest, "->") || strings.HasPrefix(rest, "=>"):
			joined = joined || depth == 0
		case strings.ContainsRune("]>})", c):
			depth--
		case depth == 0 && strings.ContainsRune("+|,:#/;~@&", c):
			joined = true
		}
	}
	r.split = !joined && !annotatedName.MatchString(r.Text[r.At:])
}

// constant adds constant bytes; sure says that they are certainly in the key. Two such constants
// in a row become one.
func (r *reader) constant(at int, text string, sure bool) {
	r.joined = true
	if n := len(r.list) - 1; sure && n >= 0 && r.list[n].sure {
		r.list[n].text += text
		return
	}
	r.list = append(r.list, item{at: at, text: text, sure: sure})
}

// joint takes a sign that joins two components and is no byte of the key: + || , -> or =>.
func (r *reader) joint() bool {
	return r.Accept("||") || r.Accept("->") || r.Accept("=>") || r.Accept("+") || r.Accept(",")
}

// item reads one component, constant or joint.
func (r *reader) item() {
	c := r.Peek()
	at := r.At
	rest := r.Text[at:]
	first, _ := utf8.DecodeRuneInString(rest)
	switch {
	case r.joint():
		r.joined = true
	case c == '<' || c == '{' || c == '[' || strings.HasPrefix(rest, "${"):
		r.Accept("$")
		if c == '[' && r.declared() {
			return
		}
		r.box()
	case c == '\'' || c == '"':
		e := r.expr(r.split)
		r.joined = true
		r.add(e)
	case r.split && (first == '_' || first == '-') || strings.ContainsRune("|:#/;~@&", first):
		r.At++
		r.constant(at, r.Text[at:r.At], r.boxed)
	case r.fixed && notation.NameRune(first):
		r.At += len(rest) - len(strings.TrimLeftFunc(rest, notation.NameRune))
		r.constant(at, r.Text[at:r.At], true)
	default:
		if !r.joined {
			r.Fail(at, "expected '+' or a separator between two components, or brackets around each")
			return
		}
		r.joined = false
		r.add(r.expr(r.split))
	}
}

// box reads a component in brackets.
func (r *reader) box() {
	opening := r.Text[r.At]
	closing := map[byte]string{'[': "]", '<': ">", '{': "}"}[opening]
	r.At++
	r.Skip()
	at := r.At
	if n := strings.IndexAny(r.Text[at:], "]>}"); n > 0 && strings.Trim(r.Text[at:at+n], "_-#|:/~@& ") == "" { // [_]
		r.At = at + n
		r.Expect(closing)
		r.constant(at, strings.TrimSpace(r.Text[at:at+n]), true)
		return
	}
	e := r.boxedExpr()
	r.Expect(closing)
	r.joined = true
	r.add(e)
}

// boxedExpr is an expression with what is said of it in front and behind: 8B
// vehicleId, or uid 8B.
func (r *reader) boxedExpr() *expr {
	before := sizeInFront.FindString(r.Text[r.At:])
	r.At += len(before)
	e := r.expr(false)
	if before != "" {
		e = annotation(e, strings.TrimSpace(before))
	}
	return e
}

var sizeInFront = regexp.MustCompile(`(?i)^[0-9]+ ?(?:bytes? |b |字节 ?)`)

// add appends a component, or what a concatenation joins.
func (r *reader) add(e *expr) {
	switch {
	case r.Problem != nil:
	case e.fn == "concat" || e.fn == "begin":
		for _, arg := range e.args {
			r.add(arg)
		}
	case e.isText:
		if e.text != "" {
			r.constant(e.at, e.text, true)
		}
	case e.isNum:
		r.Fail(e.at, "expected a field: a number stands in a key, not in a design; a real key helps to answer what a design leaves open")
	case e.fn == "" && r.vars[e.name] == nil && namesSeparator(e.name):
		r.list = append(r.list, item{at: e.at, name: e.name})
	case e.fn == "" && r.vars[e.name] != nil:
		v := *r.vars[e.name]
		if v.alias == "" {
			v.alias = e.name
		}
		r.list = append(r.list, item{at: e.at, expr: &v})
	default:
		r.list = append(r.list, item{at: e.at, expr: e})
	}
}

// declared is a component that is notation already.
type declared struct {
	name    string
	field   bool // supplied by the caller
	isText  bool // a String
	unended bool // it may need a separator
}

var (
	saltHead   = regexp.MustCompile(`^salt[0-9]+\s*\(`)
	hashHead   = regexp.MustCompile(`^[a-z0-9]+(?:-seed[0-9]+)?\.(?:raw|hex|hexat)\s*\(`)
	timeHead   = regexp.MustCompile(`^(?:max-)?(?:ns|us|ms|s|min|h|d|[a-z]+-since\s*\([^()]*\)|layout\s*\((?:'[^']*'|"[^"]*")[^()]*\))\s*\(\s*([\pL\d_.-]+)\s*\)`)
	copyHead   = regexp.MustCompile(`^([\pL\d_.-]+)\s*=\s*[\pL\d_.-]+`)
	kindHead   = regexp.MustCompile(`^([\pL\d_.-]+)\s*:\s*([if]?[0-9]|bytes|bool)`)
	bareHead   = regexp.MustCompile(`^([\pL\d_.-]+)((?:\s+[a-z]+(?:\([^\]]*\))?)+)\s*$`)
	frameWords = regexp.MustCompile(`\b(?:fixed|pad|padleft|escaped|lenprefix|uuid|orderedbytes|phoenix)\b`)
)

// declared reads a component that is notation already, if one is next. A name alone is not
// taken for notation, nor a name with desc or reverse alone: in a notation it would be a text,
// and a design does not say so.
func (r *reader) declared() bool {
	end := r.bracketEnd()
	if end < 0 {
		return false
	}
	text := r.Text[r.At:end]
	inner := strings.TrimSpace(text[1 : len(text)-1])
	d := &declared{}
	switch {
	case inner != "" && (inner[0] == '\'' || inner[0] == '"'):
	case saltHead.MatchString(inner), hashHead.MatchString(inner):
	case timeHead.MatchString(inner):
		d.name, d.field = timeHead.FindStringSubmatch(inner)[1], true
	case copyHead.MatchString(inner):
		d.name = copyHead.FindStringSubmatch(inner)[1]
	case kindHead.MatchString(inner):
		m := kindHead.FindStringSubmatch(inner)
		d.name, d.field, d.unended = m[1], true, m[2] == "bytes" && !frameWords.MatchString(inner)
	case bareHead.MatchString(inner):
		m := bareHead.FindStringSubmatch(inner)
		if strings.Trim(strings.NewReplacer("desc", "", "reverse", "").Replace(m[2]), " ") == "" {
			return false
		}
		d.name, d.field, d.isText, d.unended = m[1], true, true, !frameWords.MatchString(inner)
	default:
		return false
	}
	if _, err := rowkey.Parse("", text); err != nil && strings.Contains(err.Error(), "expected") {
		return false
	}
	at := r.At
	r.At = end
	r.joined = true
	if inner[0] == '\'' || inner[0] == '"' {
		s := r.sub(at+1, end)
		r.constant(at, s.Quoted("a constant"), true)
		return true
	}
	r.list = append(r.list, item{at: at, text: strings.ReplaceAll(text, "?", `\x3f`), said: d})
	return true
}

// bracketEnd is the place after the bracket that closes the one at r.At; −1 if none does, or if
// another one opens before.
func (r *reader) bracketEnd() int {
	quote := byte(0)
	for i := r.At + 1; i < len(r.Text); i++ {
		switch c := r.Text[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '[':
			return -1
		case c == ']':
			return i + 1
		}
	}
	return -1
}
