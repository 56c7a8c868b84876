package draft

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// reader reads the items of a design, then writes them as notation. A byte of the design is used
// by who understands it: as an item that is written, or as a sign or a word that only joins
// others. A byte that is not used in the end is a problem, so that nothing is left out.
type reader struct {
	text    string
	place   []int  // of each byte of text, its byte in the design
	used    []bool // of each byte of text
	problem *notation.Problem
	naming  string // the component that is written, for the problem

	tokens []token
	i      int // the next token
	to     int // the end of the text that is read

	boxed    bool // components stand in brackets: what stands between them is in the key
	fixed    bool // what stands between them is constant, words too
	split    bool // '_' and '-' stand between components, and in no name
	joins    bool // + or another sign joins the components: no other sign stands between them
	boxDepth int  // the depth of what stands directly in a bracket
	braced   bool // the bracket is {, in which : says how a value is printed
	printf   bool // the template is Scala's f"$n%02d", in which % says how a value is printed
	list     []item
	vars     map[string]*expr // what statements before the layout name
	depth    int              // of expressions in one another
	spent    int              // what the names of statements that were used stand for

	out    strings.Builder
	begun  []spot // where in out each item begins
	open   []Question
	ranges []bool   // of each of open: its answers cost ranges
	seen   []string // fields written so far

	modular []string // fields of which a salt takes the rest
	remains []string // those of them of which % does, whose sign of a negative number differs

	arrays    map[string]*array // keys whose parts statements put at their places
	between   string            // what a sentence says to stand between all components
	betweenAt span
	spoken    bool // words of a sentence join the components
}

// spot is a place in the notation that is written, and the byte of text it is made from.
type spot struct{ out, at int }

// from is the byte of text from which a byte of the notation is made.
func (r *reader) from(out int) int {
	at := 0
	for _, s := range r.begun {
		if s.out <= out {
			at = s.at
		}
	}
	return at
}

// fail notes a problem at byte at, if it is the first one, and ends the reading.
func (r *reader) fail(at int, format string, args ...any) {
	if r.problem == nil {
		text := fmt.Sprintf(format, args...)
		if at < len(r.text) && r.text[at] == '?' {
			text = "? is undecided: " + text
		}
		r.problem = &notation.Problem{Field: r.naming, At: at, Text: text}
	}
	r.i = len(r.tokens)
}

// item is a component or what stands between two.
type item struct {
	at    int
	expr  *expr     // nil for a constant, and for a component that is notation already
	text  string    // of a constant or of such a component
	said  *declared // of such a component
	sure  bool      // the constant is in the key for certain
	name  string    // of a constant that the design only names: separator
	spans []span    // of a constant or of such a component
}

func newReader(design string) *reader {
	r := &reader{vars: map[string]*expr{}, arrays: map[string]*array{}, boxDepth: -1}
	r.text, r.place = normal(design)
	r.used = make([]bool, len(r.text))
	r.to = len(r.text)
	if !strings.ContainsAny(r.text, "'\"`") {
		for _, m := range dashed.FindAllStringIndex(r.text, -1) {
			r.use(m[1]-1, m[1])
			r.text = r.text[:m[0]] + strings.Replace(r.text[m[0]:m[1]], "-", "", 1) + " " + r.text[m[1]:]
		}
	}
	return r
}

// mostText is the length of the longest design that is read. A longer text holds more than a
// design.
const mostText = 4096

// read reads the whole design.
func (r *reader) read() {
	if !utf8.ValidString(r.text) {
		r.fail(len(r.text)-len(strings.TrimLeftFunc(r.text, func(c rune) bool { return c != utf8.RuneError })), "expected UTF-8")
		return
	}
	if len(r.text) > mostText {
		r.fail(0, "expected a design of at most %d bytes, not %d", mostText, len(r.text))
		return
	}
	if value.MatchString(strings.TrimSpace(r.text)) {
		r.fail(0, "expected a design: this looks like a value; a real key helps to answer what a design leaves open")
		return
	}
	if m := shellCommand.FindString(r.text); m != "" {
		r.fail(0, "expected a design: this is a command of hbase shell; a key of the table helps to answer what a design leaves open")
		return
	}
	from := r.unwrapped()
	if at := r.title(from); strings.HasPrefix(strings.TrimSpace(r.text[at:r.to]), "|") {
		from = at
	}
	switch {
	case r.sql(from), r.table(from), r.listing(from):
	default:
		r.program(from)
	}
	if r.problem == nil && !slices.ContainsFunc(r.list, func(it item) bool { return it.expr != nil || it.said != nil }) {
		at := len(r.text)
		r.fail(at, "expected a layout, such as [md5(userid).substr(0,4)][userid][orderid]")
	}
}

// value is an address, a URL, a name of a host with what lies there, or a UUID.
var value = pattern.New(`(?i)^(?:[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://\S+|[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?::[0-9]+)?|(?:[a-z0-9-]+\.){2,}[a-z]{2,}(?:/\S*)?|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`)

var shellCommand = pattern.New(`^\s*(?:hbase[^\s]*>\s*)?(?:put|get|scan|delete|deleteall|create|alter|disable|drop|count)\s+['"]`)

var (
	fence      = pattern.New("(?s)^\\s*```\\w*\\n(.*)\\n```\\s*$")
	inlineCode = pattern.New("^\\s*(?:[-*]\\s+)?(?:(?:\\*\\*)?(?i:(?:the |our |an? |we use |with )*row[ _]?keys?|行键|主键)(?: ?(?i:design|format|schema|structure|layout)|的?(?:设计|格式|结构|规则))?(?:\\*\\*)?\\s*(?:[:：=]|\\b(?:is|are|looks? like|(?:are |is )?of the form)\\b|为|是)(?:\\*\\*)?\\s*)?`([^`$]*)`\\s*\\.?\\s*$")
	inQuotes   = pattern.New(`^\s*"([^"$\\]*[{<\[][^"$\\]*)"\s*$`)
)

// commented is a text of comments alone, and the sign before each line.
var commented = pattern.New(`^(?:[ \t]*(?:(?://+|--|/\*+|\*/)[^\n]*)?\n)*[ \t]*(?:(?://+|--|/\*+|\*/)[^\n]*)?$|^\s*\*[ \t][^\n]*\s*$`)

var (
	// beforeCode are words before the name of a key, after which it stands in `…`.
	beforeCode = pattern.New("^\\s*[a-zA-Z][a-zA-Z ,]{0,60}\\s(?:has|uses?|with|have)\\s")
	turned     = pattern.New(`(?i)revers|invert|salt|hash|desc|pad`)
)

// slashes begin a comment that no key begins with.
var slashes = pattern.New(`^\s*(?://|/\*)`)

var commentSign = pattern.New(`(?m)^[ \t]*(?://+|--|/\*+|\*/|\*)|\*/[ \t]*$`)

// uncommented takes off the signs of comments, where a whole design stands in them.
func (r *reader) uncommented() {
	if !commented.MatchString(r.text) || !slashes.MatchString(r.text) && !titleLine.MatchString(strings.TrimSpace(commentSign.ReplaceAllString(r.text, ""))) {
		return
	}
	text := []byte(r.text)
	for _, m := range commentSign.FindAllStringIndex(r.text, -1) {
		r.use(m[0], m[1])
		for i := m[0]; i < m[1]; i++ {
			text[i] = ' '
		}
	}
	r.text = string(text)
}

// unwrapped takes off the marks of code around a design.
func (r *reader) unwrapped() (from int) {
	r.uncommented()
	if m := beforeCode.FindString(r.text); m != "" && !computed.MatchString(m) && !turned.MatchString(m) {
		r.use(0, len(m))
		r.blank(0, len(m), "")
	}
	for _, re := range []*pattern.Pattern{fence, inlineCode, inQuotes} {
		if m := re.FindStringSubmatchIndex(r.text); m != nil && !isRuby(r.text[m[2]:m[3]]) {
			r.use(0, m[2])
			r.use(m[3], len(r.text))
			r.to = m[3]
			return m[2]
		}
	}
	return 0
}

var (
	// titled is what stands before a layout and names it.
	titled = pattern.New(`(?i)^\s*(?:(?:the|our|each)\s+(?:row\s*)?keys?\s+(?:concatenates|consists?\s+of|(?:is|are)\s+(?:composed|made|made\s+up|built|formed)\s+(?:of|from))\s+|key\s*(?:的|\s)?(?:设计|结构|格式|layout|format|schema|structure|design|pattern)\s*(?:为|是)?\s*(?:=>|:=|=|:)\s*|(?:(?:the|our|an?|each|this|actual|final|base|hbase|bigtable)\s+)*(?:我们的|表的|hbase的?|hbase中|[\p{Han}a-z]{1,10}表的?)?\s*(?:row[ _]?keys?|行键|主键|键)\s*(?:(?:的)?(?:(?:存储|生成|设计|拼接|组成|命名)(?:方式|规则|格式|策略|形式)(?:为|是)?|设计为|设计成|设计|结构为|结构|格式为|格式|组成为|组成|规则|规则为|可以是|由\s*(?:(?:以下|如下|下列)\s*(?:[0-9一二三四五六七几]\s*个?)?|[0-9一二三四五六七]\s*个?)(?:部分|字段|段)(?:组成|构成)[,:]?|采用|由|为|是)|(?:(?:that|which)\s+)?(?:consists of|is composed of|is made (?:up )?of|(?:format|design|schema|layout|structure|pattern)\s+is|is|format|design|schema|layout|structure|pattern)\b)?\s*(?:=>|:=|=|:)?\s*)`)
	// composed is what follows a layout in a sentence of Chinese.
	composed = pattern.New(`\s*(?:(?:[0-9一二两三四五六七]\s*个?(?:部分|字段|段))?(?:共同|依次|顺序)?(?:组成|构成|拼接而成|拼接成|拼接)[;.]?|作为\s*(?:(?i:row_?key)|行键|主键)[;.]?|(?:\s(?i:as\s+row_?key))?\s*[;.]|\s(?i:as\s+row_?key))\s*$`)
	titleEnd = pattern.New(`(?:=>|:=|=|:)\s*$`)
)

// title takes what names the layout from byte from on, such as row key: and the words of a
// sentence of Chinese after it. It returns where the layout begins.
func (r *reader) title(from int) int {
	rest := r.text[from:r.to]
	m := titled.FindString(rest)
	if arrow := mapped.FindStringSubmatch(rest); arrow != nil && strings.Contains(rest[len(arrow[0]):], arrow[1]) { // uid => md5(uid) -> uid
		r.use(from, from+len(arrow[0]))
		return from + len(arrow[0])
	}
	if p := propertyKey.FindString(rest); p != "" && (rest[len(p)-1] != 'f' || len(rest) > len(p) && strings.IndexByte(`"'`, rest[len(p)]) >= 0) {
		r.use(from, from+len(p)-1)
		if trimmed := strings.TrimRight(r.text[:r.to], " \t\r\n"); strings.HasSuffix(trimmed, ",") { // of an object's property
			r.to = len(trimmed) - 1
			r.use(r.to, r.to+1)
		}
		return from + len(p) - 1
	}
	if p := keyTitle.FindString(rest); p != "" { // Key: <uid><ts>
		r.use(from, from+len(p)-1)
		return from + len(p) - 1
	}
	if m == "" || strings.TrimSpace(rest[len(m):]) == "" {
		return from
	}
	word := strings.TrimRight(m, " \t\r\n")
	next, _ := utf8.DecodeRuneInString(rest[len(m):])
	spaced := len(m) > len(word)
	if !titleEnd.MatchString(m) && !(word[len(word)-1] >= 0x80) && !spaced && notation.NameRune(next) {
		return from // rowkey_x is a name
	}
	if !titleEnd.MatchString(m) && spaced && !verbTitle.MatchString(word) {
		return from
	}
	r.use(from, from+len(m))
	return from + len(m)
}

// keyTitle is the word before a layout in brackets.
var keyTitle = pattern.New(`^\s*(?i:keys?)\s*[:=]\s+[<\[{]`)

// propertyKey is the name of an object's property before a text or a template.
var propertyKey = pattern.New("^\\s*(?:row_?)?[kK]ey\\s*:\\s*[`\"'f$]")

var mapped = pattern.New(`^\s*([\pL_][\pL\d_]*)\s*=>\s*`)

var verbTitle = pattern.New(`(?i)(?:is|of|from|concatenates|format|design|schema|layout|structure|pattern|[^\x00-\x7f])$`)

// method is a function around a layout: its head says no more than names and types.
var method = pattern.New(`(?s)^\s*(?:(?:public|private|protected|static|final|override|synchronized)\s+)*(?:(?:func|fun|def|function|fn)\s+(?:\(\w+\s+\*?\w+\)\s*)?\w+\s*\((?:[A-Za-z_]\w*|[\s,:.\[\]*&])*\)(?:\s*(?:->|:)?\s*[\w\[\].]+)?\s*=?|[\w<>\[\]]+\s+\w+\s*\((?:[A-Za-z_]\w*|[\s,.<>\[\]])*\)(?:\s*throws\s+[\w, ]+)?)\s*\{(.*)\}\s*$`)

var (
	// docComment is a comment before code, which says what the code does.
	docComment = pattern.New(`(?s)^\s*/\*\*?.*?\*/`)
	// inClass is a class around a function: its head has no more than names.
	inClass = pattern.New(`(?s)^\s*(?:(?:package|import)\s+[\w.*]+;?\s*\n\s*)*(?:(?:public|final|abstract|private|internal)\s+)*(?:class|object)\s+\w+\s*\{(.*)\}\s*$`)
	// constants are those of a class before its function.
	constants = pattern.New(`^(?:\s*(?:(?:private|public|protected|static|final|const)\s+)+\w+\s+\w+\s*=\s*[^;{}]*;)*`)
)

// outOfClass takes a comment before code, and a class around a function.
func (r *reader) outOfClass(from int) int {
	for {
		m := docComment.FindString(r.text[from:r.to])
		if m == "" || strings.TrimSpace(r.text[from+len(m):r.to]) == "" || !strings.Contains(r.text[from+len(m):r.to], "return ") {
			break
		}
		r.use(from, from+len(m))
		from += len(m)
	}
	if m := inClass.FindStringSubmatchIndex(r.text[from:r.to]); m != nil && strings.Count(r.text[from:r.to], "return ") == 1 {
		r.use(from, from+m[2])
		r.use(from+m[3], r.to)
		r.to = from + m[3]
		return r.outOfClass(from + m[2])
	}
	return from
}

// byHan begins a sentence that ends as composed says.
var byHan = pattern.New(`^\s*(?:由|以|采用|将|把)`)

// setKey is a call that is given the key.
var setKey = pattern.New(`(?is)^\s*\w+\.(?:set|with)?_?row_?key\((.*)\)\s*;?\s*$`)

// pythonDef is the head of a function of Python, and what its first line says of it.
var pythonDef = pattern.New(`^\s*def\s+\w+\s*\((?:[A-Za-z_]\w*|[\s,:.\[\]])*\)(?:\s*->\s*[\w\[\].]+)?\s*:\s*(?:\n|\b)(?:\s*"""[^"]*"""\s*\n)?`)

// oneLiner is the head of a function of Kotlin or Scala that is one expression.
var oneLiner = pattern.New(`^\s*(?:(?:private|internal|public|override|inline)\s+)*(?:fun|def)\s+\w+\s*\((?:[A-Za-z_]\w*|[\s,:.?\[\]])*\)(?:\s*:\s*[\w\[\].?]+)?\s*=\s*|^\s*(?:(?:private|internal|public|protected|static)\s+)+\w+\s+\w+\s*\((?:[A-Za-z_]\w*|[\s,.?<>\[\]])*\)\s*=>\s*`)

// statement is a part of a program: tokens from i to before end.
type statement struct{ from, to int }

var (
	// assigned is the left side of an assignment: types and words before a name.
	assigned = pattern.New(`^\s*((?:(?:final|public|private|protected|static|var|val|let|mut|const|long|int|short|byte|char|string|auto|def|unsigned|uint64|int64|[A-Z]\w*(?:<[\w, <>]*>)?)\s*(?:\[\s*\])?\s+)*)((?:[\pL_][\pL\d_]*\.)?[\pL_][\pL\d_]*)\s*(?::\s*&?\w+(?:\[\])?\s*)?(:=|\+=|=)(?:[^=>]|$)`)
	comment  = pattern.New(`^\s*//[^\n]*`)
	returned = pattern.New(`^\s*return\b\s*`)
	// appended is a statement that adds to a text: sb.append(uid).
	appended = pattern.New(`^\s*([\pL_][\pL\d_]*)\s*\.\s*(?:append|put|putLong|putInt|putShort|write|writeLong|writeInt|writeByte|writeShort|WriteString|WriteByte|Append)\s*\(`)
	// reversing is a statement that turns round what a text holds so far.
	reversing = pattern.New(`^\s*(\w+)\.reverse\(\)\s*$`)
	// builder is a statement that only makes an empty text or buffer.
	builder = pattern.New(`^\s*(?:var\s+(\w+)\s+(?:bytes\.Buffer|strings\.Builder|\[\]byte)|(?:ByteArrayOutputStream|val|var)\s+(\w+)\s*=\s*(?:new\s+)?ByteArrayOutputStream\([0-9]*\)|(?:DataOutputStream|val|var)\s+(\w+)\s*=\s*new\s+DataOutputStream\(\s*\w+\s*\))\s*$`)
)

// program reads statements; the last one is the layout.
func (r *reader) program(from int) {
	r.php(from)
	from = r.aside(from)
	r.ended(from)
	if to := composed.FindStringIndex(r.text[:r.to]); to != nil && to[0] > from && r.whole(to[0], r.text[to[0]:to[1]]) {
		r.use(to[0], to[1])
		r.to = to[0]
		if hasHan(r.text[to[0]:to[1]]) {
			r.lastOfList(from)
			if m := byHan.FindString(r.text[from:r.to]); m != "" && (strings.HasSuffix(m, "由") || strings.Contains(r.text[to[0]:to[1]], "作为") && !strings.HasPrefix(strings.TrimSpace(r.text[from:r.to]), "以太")) { // 由A、B组成, 以A、B作为rowkey
				r.use(from, from+len(m))
				from += len(m)
			}
		}
	}
	if m := setKey.FindStringSubmatchIndex(r.text[from:r.to]); m != nil && matching(r.text[:r.to], from+m[2]-1) == from+m[3] {
		r.use(from, from+m[2])
		r.use(from+m[3], r.to)
		from, r.to = from+m[2], from+m[3]
	}
	from = r.outOfClass(from)
	at := from + len(constants.FindString(r.text[from:r.to]))
	if m := method.FindStringSubmatchIndex(r.text[at:r.to]); m != nil && strings.Contains(r.text[at+m[2]:at+m[3]], "return ") {
		r.use(at, at+m[2])
		r.use(at+m[3], r.to)
		r.to = at + m[3]
		r.blank(at, at+m[2], "")
	}
	if m := pythonDef.FindStringIndex(r.text[from:r.to]); m != nil && strings.Count(r.text[from:r.to], "return ") == 1 {
		r.use(from, from+m[1])
		from += m[1]
	}
	if m := oneLiner.FindStringIndex(r.text[from:r.to]); m != nil {
		r.use(from, from+m[1])
		from += m[1]
	}
	r.remarks(from)
	r.where(from)
	r.prose(from)
	if r.spoken && hasHan(r.text[from:r.to]) {
		r.lastOfList(from)
	}
	parts := r.statements(r.title(from))
	for n, s := range parts {
		last := n == len(parts)-1
		if !r.oneStatement(s, last) || r.problem != nil {
			return
		}
	}
}

// lastOfList makes a comma of 和 before the last one of a list in a sentence: A、B和C组成.
func (r *reader) lastOfList(from int) {
	if m := lastAnd.FindStringSubmatchIndex(r.text[from:r.to]); m != nil {
		r.text = r.text[:from+m[2]] + "," + strings.Repeat(" ", m[3]-m[2]-1) + r.text[from+m[3]:]
	}
}

var lastAnd = pattern.New(`^.*[,)\pL\d].*?[\pL\d)]{2}\s*(和|以及|及|与)\s*[\pL\d]{2}[^,+|]*$`)

var (
	lineMark   = pattern.New(`^(?://+|#)[ \t]*(.*)$`)
	remarkText = pattern.New(`^[^"'` + "`" + `+%(){}=/#]*$`)
	twoOrHan   = pattern.New(`\pL\s+\pL|\p{Han}`)
	ofCode     = pattern.New(`["']|^\s*return\b|\b(?:append|put\w*)\(`)
)

// remarks takes the comments after code on its line. What is after // or # may be of the key, so it
// has to read as words, and code has to stand before it.
func (r *reader) remarks(from int) {
	text := []byte(r.text)
	quote := byte(0)
	line := from
	for i := from; i < r.to; i++ {
		c := r.text[i]
		switch {
		case c == '\n':
			quote, line = 0, i+1
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"' || c == '`':
			quote = c
		case (c == '#' || strings.HasPrefix(r.text[i:], "//")) && i > line && strings.TrimSpace(r.text[i-1:i]) == "":
			rest, _, _ := strings.Cut(r.text[i:r.to], "\n")
			before := strings.TrimRight(r.text[line:i], " \t")
			m := lineMark.FindStringSubmatch(rest)
			if before == "" || m == nil || !remarkText.MatchString(m[1]) {
				continue
			}
			ended := strings.ContainsRune(";+,{", rune(before[len(before)-1])) && c == '/'
			if ended || twoOrHan.MatchString(m[1]) && (ofCode.MatchString(before) || c == '/' && assigned.MatchString(before)) {
				r.use(i, i+len(rest))
				for j := range len(rest) {
					text[i+j] = ' '
				}
				i += len(rest) - 1
			}
		}
	}
	r.text = string(text)
}

// whole reports that what ends a text is the end of a sentence, and not of a number or a call.
func (r *reader) whole(at int, end string) bool {
	return !strings.HasPrefix(strings.TrimSpace(end), ".") || at > 0 && r.text[at-1] != '.'
}

// statements are the parts of a program: they end at a ';' or at a new line after which another
// statement begins, outside brackets and quotes.
func (r *reader) statements(from int) (parts []statement) {
	quote, depth := byte(0), 0
	begin := from
	add := func(to int) {
		if strings.TrimSpace(r.text[begin:to]) != "" {
			parts = append(parts, statement{begin, to})
		}
	}
	for i := from; i < r.to; i++ {
		c := r.text[i]
		atLine := strings.TrimSpace(r.text[begin:i]) == ""
		switch {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case depth == 0 && atLine && comment.MatchString(r.text[i:r.to]) && c == '/' && (len(parts) > 0 || strings.Contains(r.text[i:r.to], "\n")):
			n := len(comment.FindString(r.text[i:r.to]))
			r.use(begin, i+n)
			i += n
			begin = min(i, r.to)
		case c == '\'' || c == '"' || c == '`':
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case depth == 0 && c == ';':
			add(i)
			r.use(i, i+1)
			begin = i + 1
		case depth == 0 && c == '\n' && r.newStatement(begin, i):
			add(i)
			begin = i + 1
		}
	}
	add(r.to)
	return parts
}

// newStatement reports that a line ends a statement: it is an assignment, or the next line is one
// or returns something, and neither line asks for the other.
func (r *reader) newStatement(begin, at int) bool {
	line, rest := strings.TrimSpace(r.text[begin:at]), strings.TrimLeft(r.text[at:r.to], " \t\r\n")
	if line == "" || rest == "" || strings.ContainsRune("+.,%|)&-*/", rune(rest[0])) || strings.ContainsRune("+,(=.%|&-*/[{", rune(line[len(line)-1])) {
		return false
	}
	next := assigned.MatchString(rest) || returned.MatchString(rest) || appended.MatchString(rest) || comment.MatchString(rest) || titleLine.MatchString(rest)
	return next || assigned.MatchString(line) || appended.MatchString(line) || builder.MatchString(line) || arrayMade.MatchString(line) || placing.MatchString(line) || placing.MatchString(rest)
}

var titleLine = pattern.New(`(?i)^(?:row[ _]?key|行键|主键)(?:存储方式|生成规则|设计|格式|规则)?\s*(?:=>|:=|=|:)`)

// oneStatement reads a statement; false if the rest says nothing that is read.
func (r *reader) oneStatement(s statement, last bool) bool {
	from := s.from
	if at := r.title(from); at != from && titleLine.MatchString(strings.TrimSpace(r.text[from:s.to])) && !assigned.MatchString(r.text[from:s.to]) {
		from = at
	}
	text := r.text[from:s.to]
	if m := returned.FindString(text); m != "" {
		r.use(from, from+len(m))
		if a := r.arrayNamed(text[len(m):]); a != nil {
			r.use(from, s.to)
			r.add(r.filled(a, from))
			return false
		}
		r.layout(from+len(m), s.to)
		if !last {
			r.fail(s.to, "expected nothing after what is returned")
		}
		return false
	}
	if m := builder.FindStringSubmatch(text); m != nil && !last {
		r.use(from, s.to)
		r.vars[m[1]+m[2]+m[3]] = &expr{at: from, fn: "begin"}
		return true
	}
	if m := reversing.FindStringSubmatch(text); m != nil && !last && r.vars[m[1]] != nil && r.vars[m[1]].fn == "concat" && len(r.vars[m[1]].args) == 1 {
		e := *r.vars[m[1]]
		e.args = []*expr{e.args[0].of("reverse", token{at: from, end: s.to})}
		r.vars[m[1]] = &e
		return true
	}
	if m := appended.FindStringSubmatch(text); m != nil && r.vars[m[1]] != nil {
		var e *expr
		r.within(from, s.to, func() { e = r.expression(anyOp) })
		if r.problem == nil {
			r.vars[m[1]] = e
		}
		if last && r.problem == nil {
			r.add(e)
		}
		return true
	}
	if r.placed(from, s.to) {
		if last && r.problem == nil && len(r.arrays) == 1 {
			for _, a := range r.arrays {
				r.add(r.filled(a, s.to))
			}
		}
		return true
	}
	m := assigned.FindStringSubmatchIndex(text)
	if m == nil {
		if !last {
			r.fail(from, "expected an assignment, such as long bucket = uid %% 16, before a layout")
			return false
		}
		r.layout(from, s.to)
		return true
	}
	name, sign := text[m[4]:m[5]], text[m[6]:m[7]]
	if why := badName(name); hasHan(name) && why != "" && !titleLine.MatchString(name+"=") {
		r.fail(from+m[4], "%s", why)
		return false
	}
	r.use(from, from+m[7])
	from += m[7]
	if last && sign != "+=" {
		r.layout(from, s.to)
		return true
	}
	var e *expr
	r.within(from, s.to, func() {
		if e = r.constantNamed(); e == nil {
			e = r.expression(anyOp)
		}
	})
	switch {
	case r.problem != nil:
	case sign == "+=" && r.vars[name] == nil:
		r.fail(from, "expected what %s is before +=", name)
	case sign == "+=":
		r.vars[name] = join(r.vars[name], e)
	default:
		r.vars[name] = e
	}
	if last && r.problem == nil {
		r.add(r.vars[name])
	}
	return true
}

// constantNamed is a largest value that a statement names: MAX = Long.MAX_VALUE.
func (r *reader) constantNamed() *expr {
	if len(r.tokens) == 0 {
		return nil
	}
	first, last := r.tokens[0], r.tokens[len(r.tokens)-1]
	if n := maxBytes(r.text[first.at:last.end]); n != 0 {
		r.i = len(r.tokens)
		return &expr{at: first.at, fn: "largest", n: n, spans: []span{{first.at, last.end}}}
	}
	return nil
}

// layout reads the layout that stands in a part of the text. In the quotes of prose stands no constant.
func (r *reader) layout(from, to int) {
	if inner := strings.TrimSpace(r.text[from:to]); len(inner) > 2 && inner[0] == '"' && strings.IndexByte(inner[1:], '"') == len(inner)-2 {
		if at := from + strings.Index(r.text[from:to], inner); r.place[at+1]-r.place[at] == len("“") || at >= 0 && strings.Contains(inner, "+") {
			r.use(at, at+1)
			r.use(at+len(inner)-1, to)
			from, to = at+1, at+len(inner)-1
		}
	}
	r.within(from, to, func() {
		r.survey()
		r.items()
	})
	r.betweenAll()
}

// survey finds what stands between the components.
func (r *reader) survey() {
	r.boxed, r.fixed, r.split, r.joins = false, false, false, false
	depth, signs, quoted := 0, false, false
	before := token{}
	for i, t := range r.tokens {
		begins := i == 0 || before.kind == 'p' && strings.Contains("+ || -> => , ] > } # / : ~ @ & | - ;", before.text) || before.text == "_" || t.space
		switch {
		case t.kind == 'q':
			quoted = quoted || depth == 0
		case t.text == "{" && before.text == "buildString":
			depth++
			r.joins = true
		case depth == 0 && (t.text == "[" || t.text == "{" || t.text == "${" || t.text == "<") && (begins || t.text == "<" || r.boxed) && !r.isList(i) && !r.isGoBytes(i):
			r.boxed = true
			r.fixed = r.fixed || t.text != "["
			depth++
		case t.text == "(" || t.text == "[" || t.text == "{" || t.text == "${" || t.text == "<":
			depth++
		case t.text == ")" || t.text == "]" || t.text == "}" || t.text == ">":
			depth--
		case depth != 0:
		case t.text == "+" || t.text == "||" || t.text == "->" || t.text == "=>" || t.text == ",":
			r.joins = true
		case t.kind == 'p' && strings.Contains("|:#/;~@&", t.text):
			signs = true
		}
		before = t
	}
	r.joins = r.joins || quoted
	if !r.joins && !signs && !r.boxed {
		r.splitNames()
	}
}

// isGoBytes reports that a bracket begins Go's []byte(x).
func (r *reader) isGoBytes(i int) bool {
	return i+3 < len(r.tokens) && r.tokens[i+1].text == "]" && r.tokens[i+2].text == "byte" && !r.tokens[i+2].space && r.tokens[i+3].text == "("
}

// isList reports that a bracket opens a list of JavaScript or Python: [a, b].join.
func (r *reader) isList(i int) bool {
	depth := 0
	for j := i; j < len(r.tokens); j++ {
		switch r.tokens[j].text {
		case "[":
			depth++
		case "]":
			if depth--; depth == 0 {
				return j+2 < len(r.tokens) && r.tokens[j+1].text == "." && !r.tokens[j+1].space && r.tokens[j+2].text == "join"
			}
		}
	}
	return false
}

// nounOf are words that end a name of two words, such as user_id, and are names themselves.
var nounOf = []string{"id", "no", "num", "code", "name", "type", "key", "time", "date", "at", "day", "number"}

// spokenNouns end a name of two words in a sentence, too.
var spokenNouns = []string{"uid", "timestamp", "address", "path", "url", "region", "country", "category", "status", "class", "group", "channel", "sequence", "index", "model", "city", "zone", "ip", "host"}

// splitNames makes of names in which '_' stands the names between them, if no other sign stands
// between the components of the design: salt_userid_timestamp.
func (r *reader) splitNames() {
	var out []token
	depth := 0
	pieces := 0
	for i, t := range r.tokens {
		switch t.text {
		case "(", "[", "{", "<":
			depth++
		case ")", "]", "}", ">":
			depth--
		}
		dotted := i > 0 && r.tokens[i-1].text == "." && !r.tokens[i-1].space || i+1 < len(r.tokens) && r.tokens[i+1].text == "."
		call := i+1 < len(r.tokens) && r.tokens[i+1].text == "(" && (functions[simple(t.text)] != "" || isDigest(simple(t.text)))
		if call || depth != 0 || t.kind != 'w' || !strings.Contains(t.text, "_") || dotted || maxBytes(t.text) != 0 || goLayout(t.text) != "" {
			out = append(out, t)
			continue
		}
		parts := strings.Split(t.text, "_")
		if n := len(parts); n > 2 && maxBytes(parts[n-2]+"_"+parts[n-1]) != 0 { // uid_MAX_INT-ts
			parts = append(parts[:n-2:n-2], parts[n-2]+"_"+parts[n-1])
		}
		if len(parts) == 2 && r.alone() && parts[1] != "" && lowerWord.MatchString(parts[0]) && lowerWord.MatchString(parts[1]) && (slices.Contains(nounOf, parts[1]) || len(r.tokens) > 1) && !wholeName(parts[0]) {
			return // user_id alone is one name
		}
		for j := 1; j < len(parts); j++ {
			if slices.Contains(nounOf, parts[j]) && parts[j-1] != "" && lowerWord.MatchString(parts[j-1]) && !wholeName(parts[j-1]) {
				r.fail(t.at, "expected '+' between the components: in %s a '_' may be of a name, or between two", t.text)
				return
			}
		}
		at := t.at
		for j, part := range parts {
			if j > 0 {
				out = append(out, token{kind: 'p', text: "_", at: at, end: at + 1})
				at++
			}
			if part != "" {
				kind := byte('w')
				if numberOf.FindString(part) == part {
					kind = 'n'
				}
				out = append(out, token{kind: kind, text: part, at: at, end: at + len(part), space: j == 0 && t.space, line: j == 0 && t.line})
				at += len(part)
				pieces++
			}
		}
	}
	r.tokens, r.split = out, true
}

// alone reports that a design is one word, with what stands in parentheses after it.
func (r *reader) alone() bool {
	return len(r.tokens) == 1 || r.tokens[1].text == "(" && matching(r.text, r.tokens[1].at) == r.tokens[len(r.tokens)-1].at
}

var lowerWord = pattern.New(`^[a-z]+$`)

// wholeName reports that a word is a name for itself, not the beginning of one of two words.
func wholeName(w string) bool {
	return len(w) > 2 && strings.HasSuffix(w, "id") || namesTime(w) || namesDate(w) || namesSalt(w) || namesHash(w) || namesBackward(w) || isDigest(w)
}

// items reads the components and what stands between them.
func (r *reader) items() {
	joined := true
	spacedMinus := 0
	for r.problem == nil && r.peek().kind != 0 {
		t := r.peek()
		switch {
		case t.text == "+" || t.text == "||" || t.text == "->" || t.text == "=>" || t.text == "," && t.kind == 'p':
			if joined && t.text != "," && len(r.list) == 0 {
				r.fail(t.at, "expected a field before '%s'", t.text)
				return
			}
			r.skip()
			joined = true
		case t.kind == 'q':
			r.add(r.expression(timesOp))
			joined = true
		case t.text == "#" && r.peekAt(1).text == "{" && !r.peekAt(1).space && isRuby(r.text):
			r.fail(t.at, "expected quotes around a template of Ruby: whether '#' stands in the key is not said")
		case r.boxed && (t.text == "<" || t.text == "{" || t.text == "[" || t.text == "${") && !r.isList(r.i):
			if t.text == "[" && r.declared() {
				joined = true
				continue
			}
			r.box()
			joined = true
		case t.kind == 'p' && (strings.Contains("|:#/~@&", t.text) && !r.joins || t.text == "-" && (r.split || r.boxed) || strings.Trim(t.text, "_") == "" && !r.joins):
			if t.text == "-" && t.space && !r.boxed {
				if spacedMinus++; r.tokenCount("-") == spacedMinus && spacedMinus == 1 {
					r.fail(t.at, "expected Long.MAX_VALUE, Integer.MAX_VALUE or nines before '-': no other constant less a field can be declared")
					return
				}
			}
			r.next()
			r.constant(t, r.boxed && !t.space) // <a> - <b>: blanks are hardly of the key
			joined = true
		case r.fixed && t.text == "." && !t.space && !r.peekAt(1).space && r.i > 0 && r.peekAt(1).kind != 0 && strings.Contains(">}", r.peekAt(-1).text): // <a>.<b>
			r.constant(r.next(), true)
			joined = true
		case r.fixed && t.kind == 'w' && len(r.list) == 0 && r.peekAt(1).text == ":" && r.peekAt(2).space:
			r.fail(t.at, "expected a field's name, or 'row key:' before a layout: whether %s stands in the key is not said", t.text)
		case r.fixed && (t.kind == 'w' || t.kind == 'n') && !t.space && !r.peekAt(1).space:
			t = r.next()
			r.constant(t, true)
		case !joined:
			r.fail(t.at, "expected '+' or a separator between two components, or brackets around each")
		default:
			joined = false
			r.add(r.sizedFirst())
		}
	}
}

func (r *reader) tokenCount(text string) (n int) {
	for _, t := range r.tokens {
		if t.text == text {
			n++
		}
	}
	return n
}

// constant adds the constant bytes of a token; sure says that they are certainly in the key. Two
// such constants in a row become one.
func (r *reader) constant(t token, sure bool) {
	r.constantText(t.at, t.text, sure, span{t.at, t.end})
}

func (r *reader) constantText(at int, text string, sure bool, spans ...span) {
	if n := len(r.list) - 1; sure && n >= 0 && r.list[n].sure {
		r.list[n].text += text
		r.list[n].spans = append(r.list[n].spans, spans...)
		return
	}
	r.list = append(r.list, item{at: at, text: text, sure: sure, spans: spans})
}

// box reads a component in brackets.
func (r *reader) box() {
	opening := r.next()
	r.use(opening.at, opening.end)
	closing := map[string]string{"[": "]", "<": ">", "{": "}", "${": "}"}[opening.text]
	inside, _, _ := strings.Cut(r.text[opening.end:r.to], closing)
	if trimmed := strings.TrimSpace(inside); trimmed != "" && strings.Trim(trimmed, "_-#|:/~@& ") == "" { // [_]
		at := opening.end + strings.Index(inside, trimmed)
		for r.i < len(r.tokens) && r.peek().at < opening.end+len(inside) {
			r.i++
		}
		r.constantText(at, trimmed, true, span{at, at + len(trimmed)})
		r.expect(closing)
		return
	}
	depth := r.boxDepth
	r.boxDepth = r.depth + 1
	r.braced = opening.text == "{"
	e := r.boxedExpr(closing)
	r.boxDepth = depth
	if opening.text == "{" && r.sees(":") { // {ts:yyyyMMdd} and {n:010d} of templates
		e = r.specified(e, opening, closing)
	}
	r.expect(closing)
	r.add(e)
}

// sizedFirst is a component, of which a sentence may say the size first: 8 bytes user id.
func (r *reader) sizedFirst() *expr {
	n, dash, unit := r.peek(), r.peekAt(1), r.peekAt(2)
	front := 2
	if dash.text == "-" {
		front = 3
	} else {
		unit = dash
	}
	text := n.text + " " + unit.text
	if !r.spoken || n.kind != 'n' || !sized.MatchString(text) || r.peekAt(front).kind != 'w' {
		return r.expression(timesOp)
	}
	var said []token
	for range front {
		said = append(said, r.next())
	}
	e := r.expression(timesOp)
	if r.problem != nil {
		return e
	}
	return annotation(e, text).has(said...)
}

// boxedExpr is an expression with what is said of it before and after: 8B vehicleId, or uid 8B.
func (r *reader) boxedExpr(closing string) *expr {
	var front []token
	var said *expr
	switch t, w := r.peek(), r.peekAt(1); {
	case t.kind == 'w' && sized.MatchString(t.text) && w.kind == 'w' && w.space:
		front = []token{r.next()}
	case t.kind == 'n' && w.kind == 'w' && sized.MatchString(t.text+" "+w.text) && r.peekAt(2).kind == 'w':
		front = []token{r.next(), r.next()}
	case t.kind == 'n' && w.text == "-" && !w.space && sized.MatchString(t.text+" "+r.peekAt(2).text) && r.peekAt(3).kind == 'w' && r.peekAt(3).space: // <2-byte salt>
		front = []token{r.next(), r.next(), r.next()}
	}
	if name := r.kebab(closing); name != nil {
		return name
	}
	e := r.expression(anyOp)
	if len(front) > 0 {
		text := front[0].text
		if len(front) > 1 {
			text += " " + front[len(front)-1].text
		}
		if said = annotation(e, text); said != nil {
			return said.has(front...)
		}
	}
	return e
}

// kebab is a name in brackets that holds '-': [log-event]. nil if the parts look like two names,
// or like a difference.
func (r *reader) kebab(closing string) *expr {
	if t, dash, w := r.peek(), r.peekAt(1), r.peekAt(2); modifiers[strings.ToLower(t.text)] == "reverse" && t.text[0] < 0x80 && dash.text == "-" && !dash.space && w.kind == 'w' && r.peekAt(3).text == closing {
		r.i += 3 // <reverse-timestamp>
		e := r.phrase(w)
		if namesTime(e.name) {
			return e.of("backward", t, dash)
		}
		return e.of("reverse", t, dash)
	}
	n := 0
	for r.peekAt(n).kind == 'w' && (n == 0 || !r.peekAt(n).space) && r.peekAt(n+1).text == "-" && !r.peekAt(n+1).space {
		n += 2
	}
	last := r.peekAt(n)
	if n == 0 || last.kind != 'w' || last.space {
		return nil
	}
	first := r.peek()
	if after := r.peekAt(n + 1); after.text != closing && after.text != ":" && after.kind != 'w' {
		return nil
	}
	if maxBytes(first.text) != 0 || goLayout(r.text[first.at:last.end]) == "" && (wholeName(first.text) || hasHan(first.text) || slices.Contains([]string{"ts", "timestamp"}, last.text)) {
		return nil
	}
	e := &expr{at: first.at, name: r.text[first.at:last.end]}
	if goLayout(e.name) == "" {
		for i := 0; i <= n; i += 2 {
			r.goodName(e, r.peekAt(i).text)
		}
	}
	e.spans = []span{{first.at, last.end}}
	r.i += n + 1
	var out = e
	for r.problem == nil {
		next := r.after(out)
		if next == nil {
			break
		}
		out = next
	}
	return out
}

// specified is a value in braces as a template prints it.
func (r *reader) specified(e *expr, opening token, closing string) *expr {
	colon := r.next()
	n := strings.Index(r.text[colon.end:r.to], closing)
	if n < 0 {
		r.fail(opening.at, "expected '%s'", closing)
		return e
	}
	spec := r.text[colon.end : colon.end+n]
	for r.i < len(r.tokens) && r.peek().at < colon.end+n {
		r.i++
	}
	return r.spec(e, strings.TrimSpace(spec), span{colon.at, colon.end + n})
}

// add appends a component, or what a concatenation joins.
func (r *reader) add(e *expr) {
	switch {
	case r.problem != nil || e == nil:
	case e.fn == "concat" || e.fn == "begin":
		r.take(e)
		for _, arg := range e.args {
			r.add(arg)
		}
	case (e.fn == "bin" || e.fn == "as" || e.fn == "text") && len(e.args) == 1 && (e.args[0].isText || e.args[0].fn == "constant"):
		c := *e.args[0]
		c.spans = append(slices.Clone(c.spans), e.spans...)
		r.add(&c)
	case (e.fn == "bin" || e.fn == "as" || e.fn == "text") && len(e.args) == 1 && (e.args[0].fn == "concat" || e.args[0].fn == "begin"): // Bytes.toBytes(a + b)
		r.take(e)
		r.add(e.args[0])
	case e.isText:
		if e.text != "" {
			r.constantText(e.at, e.text, true, e.spans...)
		} else {
			r.take(e)
		}
	case (e.fn == "verb" || e.fn == "text") && e.args[0].isField() && namesSeparator(e.args[0].name): // ${Keys.SEPARATOR}
		r.take(e)
		r.add(e.args[0])
	case e.isNum:
		r.fail(e.at, "expected a field: a number stands in a key, not in a design; a real key helps to answer what a design leaves open")
	case e.fn == "" && separators[strings.ToLower(e.name)] != "":
		r.constantText(e.at, separators[strings.ToLower(e.name)], true, e.spans...)
	case e.fn == "constant", e.fn == "" && namesSeparator(e.name):
		r.list = append(r.list, item{at: e.at, name: e.name, spans: e.spans})
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
	saltHead   = pattern.New(`^salt[0-9]+\s*\(`)
	hashHead   = pattern.New(`^[a-z0-9]+(?:-seed[0-9]+)?\.(?:raw|hex|hexat)\s*\(`)
	timeHead   = pattern.New(`^(?:max-)?(?:ns|us|ms|s|min|h|d|[a-z]+-since\s*\([^()]*\)|layout\s*\((?:'[^']*'|"[^"]*")[^()]*\))\s*\(\s*([\pL\d_.-]+)\s*\)`)
	copyHead   = pattern.New(`^([\pL\d_.-]+)\s*=\s*[\pL\d_.-]+`)
	kindHead   = pattern.New(`^([\pL\d_.-]+)\s*:\s*([if]?[0-9]|bytes|bool)`)
	bareHead   = pattern.New(`^([\pL\d_.-]+)((?:\s+[a-z]+(?:\([^\]]*\))?)+)\s*$`)
	frameWords = pattern.New(`\b(?:fixed|pad|padleft|escaped|lenprefix|uuid|orderedbytes|phoenix)\b`)
)

// declared reads a component that is notation already, if one is next. A name alone is not
// taken for notation, nor a name with desc or reverse alone: in a notation it would be a text,
// and a design does not say so.
func (r *reader) declared() bool {
	at := r.peek().at
	end := r.bracketEnd(at)
	if end < 0 || end > r.to {
		return false
	}
	text := r.text[at:end]
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
	for r.i < len(r.tokens) && r.peek().at < end {
		r.i++
	}
	if inner[0] == '\'' || inner[0] == '"' {
		s := notation.Scanner{Text: inner}
		c := s.Quoted("a constant")
		if s.Problem != nil || strings.TrimSpace(inner[s.At:]) != "" {
			r.fail(at, "expected a constant in quotes")
			return true
		}
		r.constantText(at, c, true, span{at, end})
		return true
	}
	r.list = append(r.list, item{at: at, text: strings.ReplaceAll(text, "?", `\x3f`), said: d, spans: []span{{at, end}}})
	return true
}

// bracketEnd is the place after the bracket that closes the one at a byte; −1 if none does, or if
// another one opens before.
func (r *reader) bracketEnd(at int) int {
	quote := byte(0)
	for i := at + 1; i < len(r.text); i++ {
		switch c := r.text[i]; {
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
