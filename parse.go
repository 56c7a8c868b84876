package rowkey

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey/internal/digest"
)

// Parse builds the schema that a notation says: what Schema.String prints, such
// as [salt16(seller)][seller]['_'][max-ms(at)][order:8]. The schema of
// Parse(s.Name(), s.String()) is s: the same notation, fingerprint, limits and
// keys.
//
// Space and new lines may stand between any two words, and # begins a comment
// that ends with its line. What concerns the whole key stands outside the
// brackets: in front maxlen(n) and a dialect, the options of New, and behind
// sample("key", value, …), as Builder.Sample has it. A time is written
// as in RFC 3339, a text in quotes with Go's escapes, and a zone as its offset
// or its name, of which String keeps the offset. The grammar is in
// docs/notation.md.
//
// An error is an *Error that wraps ErrSchema, its Offset the byte in the
// notation, or −1 where all of it is meant. Its text says on one line what was
// expected, and below shows the line of the notation and the spot; the text of
// its Err is that first line alone.
func Parse(name, notation string) (*Schema, error) {
	p := &parser{name: name, text: notation}
	p.schema()
	if p.err != nil {
		return nil, p.err
	}
	return p.build()
}

// MustParse is Parse for package variables: it panics with Parse's error.
func MustParse(name, notation string) *Schema {
	s, err := Parse(name, notation)
	if err != nil {
		panic(err)
	}
	return s
}

// parser reads a notation from left to right. Its first error sticks and puts
// it at the end of the text, where every loop ends.
type parser struct {
	name string // of the schema
	text string
	at   int
	err  *Error

	uncommented bool // a # is no comment

	field    string    // whose component is being read
	mentions []mention // in that component

	opts    []opt // of New
	decls   []parsed
	samples []parsedSample
}

// parsed is a declaration and where it stood.
type parsed struct {
	declaration
	at    int   // of its first byte behind the bracket
	optAt []int // of its options
	names []mention
}

// mention is where a component names another.
type mention struct {
	name string
	at   int
}

type parsedSample struct {
	sample
	at int
}

// spot is a reason with the place in a notation that it is about.
type spot struct {
	detail
	notation string
	at       int
}

// fail keeps the first error.
func (p *parser) fail(at int, format string, args ...any) {
	if p.err == nil {
		problem := fmt.Sprintf(format, args...)
		if at < len(p.text) && p.text[at] == '?' {
			problem = "? is undecided: " + problem
		}
		p.err = p.errAt(at, p.field, problem)
	}
	p.at = len(p.text)
}

func (p *parser) errAt(at int, field, problem string) *Error {
	line := ""
	if strings.Contains(strings.TrimRight(p.text, "\n"), "\n") {
		line = fmt.Sprintf("line %d: ", 1+strings.Count(p.text[:at], "\n"))
	}
	return &Error{p.name, field, at, &spot{detail{line + problem, ErrSchema}, p.text, at}}
}

// expected fails at the next word.
func (p *parser) expected(what string) {
	p.skip()
	p.fail(p.at, "expected %s", what)
}

// skip passes over space and comments.
func (p *parser) skip() {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			p.at++
		case c == '#' && !p.uncommented:
			n := strings.IndexByte(p.text[p.at:], '\n')
			if n < 0 {
				n = len(p.text) - p.at
			}
			p.at += n
		default:
			return
		}
	}
}

// peek is the next byte that is neither space nor comment, 0 at the end.
func (p *parser) peek() byte {
	p.skip()
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

// accept passes over the byte if it is next.
func (p *parser) accept(c byte) bool {
	if p.peek() == c && p.at < len(p.text) {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(c byte) {
	if !p.accept(c) {
		p.expected("'" + string(c) + "'")
	}
}

// word is the next letters, digits, '_', '-' and '.', of which names are made;
// empty if there are none.
func (p *parser) word() string {
	p.skip()
	n := 0
	for n < len(p.text)-p.at {
		r, size := utf8.DecodeRuneInString(p.text[p.at+n:])
		if !nameRune(r) {
			break
		}
		n += size
	}
	w := p.text[p.at : p.at+n]
	p.at += n
	return w
}

func (p *parser) fieldName() string {
	p.skip()
	at := p.at
	w := p.word()
	if w == "" {
		p.expected("the name of a field")
	}
	p.mentions = append(p.mentions, mention{w, at})
	return w
}

// number is the next decimal number, at most largest.
func (p *parser) number(what string, largest uint64) uint64 {
	p.skip()
	at := p.at
	n, err := strconv.ParseUint(p.word(), 10, 64)
	if err != nil || n > largest {
		p.fail(at, "expected %s, a number up to %d", what, largest)
		return 0
	}
	return n
}

func (p *parser) int(what string) int { return int(p.number(what, math.MaxInt32)) }

// raw is the text up to the closing bracket, or the comma, of an argument.
func (p *parser) raw() (text string, at int) {
	p.skip()
	at = p.at
	n := strings.IndexAny(p.text[at:], "(),[]\n#'\"")
	if n < 0 {
		n = len(p.text) - at
	}
	p.at += n
	return strings.TrimRight(p.text[at:at+n], " \t\r"), at
}

// quoted is the next text in single or double quotes, with Go's escapes.
func (p *parser) quoted(what string) string {
	mark := p.peek()
	if mark != '\'' && mark != '"' {
		p.expected(what + " in quotes")
		return ""
	}
	at := p.at
	var b []byte
	for rest := p.text[at+1:]; ; {
		switch {
		case rest == "" || rest[0] == '\n':
			p.fail(at, "this quote has no end on its line")
			return ""
		case rest[0] == mark:
			p.at = len(p.text) - len(rest) + 1
			return string(b)
		}
		r, multibyte, tail, err := strconv.UnquoteChar(rest, mark)
		if err != nil {
			p.fail(len(p.text)-len(rest), `expected an escape such as \x00, \n, \\ or \u00e9`)
			return ""
		}
		if multibyte {
			b = utf8.AppendRune(b, r)
		} else {
			b = append(b, byte(r))
		}
		rest = tail
	}
}

// list reads its items up to the closing bracket.
func (p *parser) list(item func()) {
	if p.accept(')') {
		return
	}
	for p.err == nil {
		item()
		if p.accept(')') {
			return
		}
		if !p.accept(',') {
			p.expected("',' or ')'")
		}
	}
}

// schema reads all of the notation.
func (p *parser) schema() {
	p.utf8()
	p.settings()
	for p.accept('[') {
		p.component()
	}
	if len(p.decls) == 0 {
		p.expected("'[', which begins a component, or maxlen or a dialect (" + strings.Join(dialectNames[1:], ", ") + ") in front of the first")
	}
	for p.err == nil && p.peek() != 0 {
		p.sample()
	}
}

// utf8 refuses other text.
func (p *parser) utf8() {
	if !utf8.ValidString(p.text) {
		at := 0
		for r, n := rune(0), 0; at < len(p.text); at += n {
			if r, n = utf8.DecodeRuneInString(p.text[at:]); r == utf8.RuneError && n == 1 {
				break
			}
		}
		p.fail(at, `expected UTF-8; in quotes a byte may stand as \xHH`)
	}
}

// settings reads the options of New.
func (p *parser) settings() {
	for p.err == nil {
		p.skip()
		at := p.at
		w := p.word()
		if slices.ContainsFunc(p.opts, func(o opt) bool { return string(o.word) == w || w == dialectNames[o.dial] && o.dial != 0 }) {
			p.fail(at, "%s stands twice", w)
			return
		}
		switch {
		case w == string(wMaxLen):
			p.expect('(')
			n := p.number("the longest key in bytes", maxKey)
			if p.err == nil && n == 0 {
				p.fail(at, "maxlen(0) allows no key")
			}
			p.expect(')')
			p.opts = append(p.opts, opt{word: wMaxLen, n: int(n)})
		case w == "":
			return
		default:
			d := slices.Index(dialectNames[:], w)
			if d < 1 {
				p.fail(at, "expected '[', which begins a component, or maxlen or a dialect (%s) in front of the first%s",
					strings.Join(dialectNames[1:], ", "), nearest(w, append([]string{"maxlen"}, dialectNames[1:]...)))
				return
			}
			p.opts = append(p.opts, opt{word: wDialect, dial: Dialect(d)})
		}
	}
}

// heads says what may stand behind an opening bracket.
const heads = "a field's name, a separator in single quotes, a constant in double quotes, salt16(…), md5.hex(4)(…) or a time such as ms(…)"

// component reads from behind the opening bracket to behind the closing one.
func (p *parser) component() {
	p.skip()
	at := p.at
	d := parsed{at: at}
	switch p.peek() {
	case '\'', '"':
		d.role, d.kind, d.isSep = roleLiteral, KindLiteral, p.peek() == '\''
		if d.text = p.quoted("a constant"); d.text == "" {
			p.fail(at, "expected at least one byte between the quotes")
		}
		p.expect(']')
		p.decls = append(p.decls, d)
		return
	}
	w := p.word()
	if w == "" {
		p.expected(heads)
		return
	}
	switch {
	case p.accept('('):
		p.function(&d, w)
	case p.accept(':'):
		d.name, p.field = w, w
		p.kind(&d)
	case p.accept('='):
		d.role, d.name, p.field = roleCopy, w, w
		d.of = p.fieldName()
	default:
		d.kind, d.name, p.field = KindString, w, w
	}
	for !p.accept(']') && p.err == nil {
		p.skip()
		d.optAt = append(d.optAt, p.at)
		d.opts = append(d.opts, p.option())
	}
	d.names = p.mentions
	p.decls = append(p.decls, d)
	p.field, p.mentions = "", nil
}

// kind reads what stands behind the colon of a field.
func (p *parser) kind(d *parsed) {
	p.skip()
	at := p.at
	w := p.word()
	digits := w
	switch {
	case w == "bytes":
		d.kind = KindBinary
		return
	case w == "bool":
		d.kind, d.size = KindBool, 1
		return
	case strings.HasPrefix(w, "i"):
		d.kind, digits = KindInt, w[1:]
	case strings.HasPrefix(w, "f"):
		d.kind, digits = KindFloat, w[1:]
	default:
		d.kind = KindUint
	}
	n, err := strconv.ParseUint(digits, 10, 31)
	if err != nil {
		p.fail(at, "expected the size in bytes, such as 8, i8 of a signed number or f8 of a float, or bytes, or bool")
	}
	d.size = int(n)
}

// function reads a component whose name stands in round brackets, from behind
// the first opening one.
func (p *parser) function(d *parsed, w string) {
	if digits, ok := strings.CutPrefix(w, "salt"); ok {
		n, err := strconv.ParseUint(digits, 10, 31)
		if err != nil {
			p.fail(d.at, "expected the number of buckets behind salt, such as salt16")
			return
		}
		d.role, d.kind, d.buckets = roleSalt, KindSalt, int(n)
		d.in = p.input()
		return
	}
	if from, fn, ok := cutPart(w); ok {
		d.role, d.kind = roleHash, KindHash
		d.part = p.part(from, fn)
		p.expect('(')
		d.in = p.input()
		return
	}
	d.kind, d.size = KindTime, 8
	unit, desc := strings.CutPrefix(w, "max-")
	if desc {
		d.opts, d.optAt = append(d.opts, opt{word: wDesc}), append(d.optAt, d.at)
	}
	u, args, ok := unitOf(unit)
	if !ok {
		p.fail(d.at, "expected %s%s", heads, nearest(w, functionWords()))
		return
	}
	if args {
		u = p.unit(unit, u)
		p.expect('(')
	}
	d.unit = u
	d.name = p.fieldName()
	p.expect(')')
	p.field = d.name
}

// units are the words for units of time.
var units = [...]Unit{Nanos, Micros, Millis, Seconds, Minutes, Hours, Days}

// functionWords are the words that an opening bracket may follow in a head.
func functionWords() []string {
	words := []string{"salt16", "layout"}
	for _, u := range units {
		words = append(words, u.name, u.name+"-since", "max-"+u.name)
	}
	for _, name := range digest.Names() {
		words = append(words, name+".hex", name+".raw", name+".hexat")
	}
	return words
}

// unitOf is the unit that a word begins, and whether its arguments follow in
// brackets before all else.
func unitOf(w string) (u Unit, args, ok bool) {
	if w == "layout" {
		return Unit{}, true, true
	}
	w, args = strings.CutSuffix(w, "-since")
	for _, u := range units {
		if u.name == w {
			return u, args, true
		}
	}
	return Unit{}, false, false
}

// unit reads the arguments of ms-since and layout, from behind the opening
// bracket to behind the closing one.
func (p *parser) unit(w string, u Unit) Unit {
	if w == "layout" {
		text := p.quoted("a layout such as \"20060102\"")
		p.expect(',')
		zone := p.zone()
		p.expect(')')
		return Layout(text, zone)
	}
	text, at := p.raw()
	p.expect(')')
	if digits, ok := strings.CutPrefix(text, "@"); ok { // years that RFC 3339 does not have
		s, n, _ := strings.Cut(digits, ".")
		sec, err := strconv.ParseInt(s, 10, 64)
		nsec, err2 := strconv.ParseUint(n, 10, 31)
		if err != nil || err2 != nil || nsec > 999_999_999 {
			p.fail(at, "expected @ with seconds since 1970, a point and nanoseconds")
		}
		return u.Since(time.Unix(sec, int64(nsec)))
	}
	epoch, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		p.fail(at, "expected an instant such as 2023-05-16T00:00:00+08:00")
	}
	return u.Since(epoch)
}

// zone reads an offset from UTC or a zone's name.
func (p *parser) zone() *time.Location {
	text, at := p.raw()
	if text == "UTC" {
		return time.UTC
	}
	const want = "expected UTC, an offset such as +08:00, or a zone's name such as Asia/Shanghai"
	if text != "" && (text[0] == '+' || text[0] == '-') {
		seconds, ok := parseOffset(text)
		if !ok {
			p.fail(at, want)
		}
		return time.FixedZone("", seconds)
	}
	if text == "" || text == "Local" { // which is another one on each machine
		p.fail(at, want)
		return nil
	}
	zone, err := time.LoadLocation(text)
	if err != nil {
		p.fail(at, want+" that this machine knows")
		return nil
	}
	return zone
}

// parseOffset undoes offsetText.
func parseOffset(text string) (seconds int, ok bool) {
	parts := strings.Split(text[1:], ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	for i, part := range parts {
		n, ok := parseDigits([]byte(part))
		if !ok || len(part) != 2 || i > 0 && n > 59 {
			return 0, false
		}
		seconds = seconds*60 + int(n)
	}
	if len(parts) == 2 {
		seconds *= 60
	}
	if text[0] == '-' {
		seconds = -seconds
	}
	return seconds, true
}

// cutPart takes md5.hex apart.
func cutPart(w string) (d Digest, fn string, ok bool) {
	name, fn, ok := strings.Cut(w, ".")
	if !ok || fn != "hex" && fn != "hexat" && fn != "raw" {
		return d, "", false
	}
	name, seed, seeded := strings.Cut(name, seedWord)
	alg, ok := digest.Named(name)
	if !ok {
		return d, "", false
	}
	d = builtin(alg)
	if seeded {
		n, err := strconv.ParseUint(seed, 10, 32)
		if err != nil {
			return d, "", false
		}
		d = d.Seed(int64(n))
	}
	return d, fn, true
}

// part reads the arguments of md5.hex, from behind the opening bracket, and
// .upper behind the closing one.
func (p *parser) part(d Digest, fn string) Part {
	n := p.int("how much of the digest is taken")
	part := d.Raw(n)
	switch fn {
	case "hex":
		part = d.Hex(n)
	case "hexat":
		p.expect(',')
		part = d.HexAt(n, p.int("how many characters of the digest are taken"))
	}
	p.expect(')')
	p.skip()
	if tail, ok := strings.CutPrefix(p.text[p.at:], ".upper"); ok {
		p.at = len(p.text) - len(tail)
		part = part.Upper()
	}
	return part
}

// input reads what is hashed, from behind the opening bracket to behind the
// closing one.
func (p *parser) input() Input {
	p.skip()
	at := p.at
	w := p.fieldName()
	if !p.accept('(') {
		p.expect(')')
		return Input(w)
	}
	form, ok := inputForms[w]
	if !ok {
		p.fail(at, "expected a field's name or one of values, stored, text, format, minmax, rest%s", nearest(w, sortedKeys(inputForms)))
		return ""
	}
	format := ""
	if form == byFormat {
		format = p.quoted("a format such as \"%06d\"")
		if p.peek() != ')' {
			p.expect(',')
		}
	}
	var names []string
	p.list(func() { names = append(names, p.fieldName()) })
	p.expect(')')
	if form == byFormat {
		return Format(format, names...)
	}
	return input(w, names)
}

// wordsWith are the options with arguments.
var wordsWith = []word{
	wWidth, wDigits, wHexDigits, wFixed, wLeft, wRight, wReversePart, wYears, wPad, wPadLeft, wReverseLabels, wChars, wLetters,
	wNamed, wTruncate, wBelow, wOneOf, wCodes, wMinLen, wLenPrefix, wPrecision,
}

// optionWords are the options that may stand behind a component's head.
func optionWords() (words []string) {
	for _, w := range wordsWith {
		words = append(words, string(w))
	}
	for _, w := range append(flagWords[1:], wDecimal) {
		words = append(words, string(w))
	}
	words = append(words, digest.RuleNames()...)
	words = append(words, dialectNames[1:]...)
	slices.Sort(words)
	return words
}

// option reads one option.
func (p *parser) option() opt {
	p.skip()
	at := p.at
	text := p.word()
	w := word(text)
	if w == wDecimal || w != "" && slices.Contains(flagWords[:], w) {
		return opt{word: w}
	}
	if rule, ok := digest.RuleNamed(text); ok {
		return opt{word: wRule, rule: SaltRule(rule)}
	}
	if i := slices.Index(dialectNames[:], text); i > 0 {
		return opt{word: wDialect, dial: Dialect(i)}
	}
	if from, fn, ok := cutPart(text); ok {
		p.expect('(')
		return opt{word: wPart, part: p.part(from, fn)}
	}
	if u, args, ok := unitOf(text); ok {
		if args {
			p.expect('(')
			u = p.unit(text, u)
		}
		return opt{word: wUnit, unit: u}
	}
	o := opt{word: w}
	if w == wVia {
		p.fail(at, "expected no via: a Transform is written in Go, and so is a schema that has one")
		return o
	}
	if !slices.Contains(wordsWith, w) {
		offer := ""
		if text != "" {
			if offer = nearest(text, optionWords()); offer == "" {
				offer = ": " + strings.Join(optionWords(), ", ") + "; a salt's digest such as md5.raw(4), the unit of a copy such as ms"
			}
		}
		p.fail(at, "expected ']' or an option%s", offer)
		return o
	}
	p.expect('(')
	switch w {
	case wWidth, wFixed, wLeft, wRight, wMinLen, wLenPrefix:
		o.n = p.int("bytes")
	case wDigits, wHexDigits:
		o.n = p.int("how many digits")
	case wPrecision:
		o.n = p.int("digits in all")
		p.expect(',')
		o.m = p.int("digits behind the point")
	case wReversePart:
		o.n = p.int("the first byte")
		p.expect(',')
		o.m = p.int("the byte behind the last")
	case wYears:
		o.n = p.int("the first year")
		p.expect(',')
		o.m = p.int("the last year")
	case wPad, wPadLeft:
		o.n = p.int("bytes")
		p.expect(',')
		p.skip()
		padAt := p.at
		b := p.quoted("the byte that fills")
		if p.err == nil && len(b) != 1 {
			p.fail(padAt, "expected one byte that fills, not %d", len(b))
		}
		if p.err == nil {
			o.b = b[0]
		}
	case wReverseLabels, wChars, wLetters:
		o.s = p.quoted("text")
	case wNamed:
		o.s = p.fieldName()
	case wTruncate:
		text, textAt := p.raw()
		var err error
		if o.d, err = time.ParseDuration(text); err != nil {
			p.fail(textAt, "expected a duration such as 1h or 5m0s")
		}
	case wBelow:
		o.u = p.number("a bound", math.MaxUint64)
	case wOneOf:
		p.list(func() { o.set = append(o.set, p.quoted("a value")) })
		return o
	case wCodes:
		o.code = map[string]string{}
		p.list(func() {
			p.skip()
			valueAt := p.at
			v := p.quoted("a value")
			p.expect(':')
			code := p.quoted("its code")
			if _, twice := o.code[v]; twice {
				p.fail(valueAt, "the value %q stands twice", v)
			}
			o.code[v] = code
		})
		return o
	}
	p.expect(')')
	return o
}

// sample reads one sample: the key as a quoted text, then a value for each
// field.
func (p *parser) sample() {
	p.skip()
	s := parsedSample{at: p.at}
	if p.word() != "sample" {
		p.fail(s.at, "expected '[', which begins a component, or sample(\"key\", value, …) at the end")
		return
	}
	p.expect('(')
	s.key = Shell([]byte(p.quoted("the key")))
	for i := range p.decls {
		if d := &p.decls[i]; d.role == roleField && p.err == nil {
			p.field = d.name
			p.expect(',')
			s.values = append(s.values, p.value(d.kind))
		}
	}
	p.field = ""
	p.expect(')')
	p.samples = append(p.samples, s)
}

// value reads a value of a kind.
func (p *parser) value(k Kind) any {
	if p.skip(); strings.HasPrefix(p.text[p.at:], "null") {
		p.word()
		return nil
	}
	if k == KindString || k == KindBinary {
		text := p.quoted("a " + k.String())
		if k == KindBinary {
			return []byte(text)
		}
		return text
	}
	text, at := p.raw()
	var v any
	var err error
	what := "a " + k.String()
	switch k {
	case KindUint:
		v, err = strconv.ParseUint(text, 10, 64)
	case KindInt:
		v, err = strconv.ParseInt(text, 10, 64)
	case KindFloat:
		v, err = strconv.ParseFloat(text, 64)
	case KindTime:
		what = "an instant such as 2023-05-16T10:20:30.123+08:00"
		v, err = time.Parse(time.RFC3339Nano, text)
	default:
		what = "true or false"
		if v = text == "true"; text != "true" && text != "false" {
			err = ErrType
		}
	}
	if err != nil {
		p.fail(at, "expected %s", what)
	}
	return v
}

// build hands what was read to a Builder.
func (p *parser) build() (*Schema, error) {
	s, err := p.builder(len(p.decls), -1).Build()
	if err != nil {
		return nil, p.locate(err)
	}
	for _, sample := range p.samples {
		if err := s.prove(&sample.sample); err != nil {
			e := err.(*Error)
			return nil, p.errAt(sample.at, "", e.Err.(*detail).text)
		}
	}
	return s, nil
}

// builder declares the components; of one of them its first opts options only.
func (p *parser) builder(one, opts int) *Builder {
	b := newBuilder(p.name, p.opts)
	for i, d := range p.decls {
		all := d.opts
		if i == one {
			all = all[:opts]
		}
		b = b.add(d.declaration, all)
	}
	return b
}

// locate finds the place in the notation that Build's error is about: its
// field's component, and in that the option without which the error would not
// be.
func (p *parser) locate(err error) *Error {
	const most = 16 // options that are tried
	e := err.(*Error)
	problem := e.Err.(*detail).text
	at := -1
	for i, name := range p.names() {
		d := &p.decls[i]
		if name == "" || name != e.Field {
			continue
		}
		at = d.at
		for n := 0; n <= min(len(d.opts), most); n++ {
			if _, again := p.builder(i, n).Build(); again != nil && again.Error() == e.Error() {
				if n > 0 {
					at = d.optAt[n-1]
				}
				break
			}
		}
		for _, m := range d.names {
			if quoted := strconv.Quote(m.name); strings.HasPrefix(problem, "input "+quoted) || strings.HasPrefix(problem, "Copy of "+quoted) {
				at = m.at
			}
		}
	}
	if at < 0 {
		return &Error{p.name, e.Field, -1, &detail{problem, ErrSchema}}
	}
	return p.errAt(at, e.Field, problem)
}

// names are the components' names, up to the first that cannot be one.
func (p *parser) names() []string {
	s := &Schema{comps: make([]component, len(p.decls))}
	decls := make([]*declaration, len(p.decls))
	for i := range p.decls {
		decls[i] = &p.decls[i].declaration
	}
	_ = s.nameAll(decls) // what it refuses, Build has refused
	names := make([]string, len(decls))
	for i := range s.comps {
		names[i] = s.comps[i].name
	}
	return names
}

// nearest offers a word in place of a wrong one; empty if none is near.
func nearest(wrong string, words []string) string {
	best, least := "", 3 // changes of one letter
	for _, w := range words {
		d := distance(strings.ToLower(wrong), w)
		if strings.HasPrefix(w, strings.ToLower(wrong)+".") {
			d = 0
		}
		if d < least && d < len(w) {
			best, least = w, d
		}
	}
	if best == "" {
		return ""
	}
	return "; perhaps " + best
}

// distance is how many letters to change, add or leave out make b of a.
func distance(a, b string) int {
	if len(a) > len(b)+2 || len(b) > len(a)+2 {
		return len(a) + len(b)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// shown is the line of the notation that holds the spot, and below it a caret
// under the spot; of a long line, what is near.
func (s *spot) shown() string {
	const before, after = 60, 40 // characters that are shown
	line, at := s.notation, s.at
	if n := strings.LastIndexByte(line[:at], '\n'); n >= 0 {
		line, at = line[n+1:], at-n-1
	}
	line, _, _ = strings.Cut(line, "\n")
	if strings.TrimSpace(line) == "" {
		return ""
	}
	at = min(at, len(line))
	head, tail := []rune(line[:at]), []rune(strings.TrimRight(line[at:], " \t\r"))
	var b, caret strings.Builder
	b.WriteString("\n\t")
	caret.WriteString("\n\t")
	if len(head) > before {
		head = head[len(head)-before:]
		b.WriteString("… ")
		caret.WriteString("  ")
	}
	for _, r := range head {
		switch {
		case r == '\t':
			caret.WriteRune(r)
		case unicode.In(r, unicode.Mn, unicode.Me):
		case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana) || r > 0xff00 && r < 0xff61:
			caret.WriteString("  ") // terminals give these two columns
		default:
			caret.WriteByte(' ')
		}
		b.WriteRune(visible(r))
	}
	for i, r := range tail {
		if i == after {
			b.WriteString(" …")
			break
		}
		b.WriteRune(visible(r))
	}
	return b.String() + caret.String() + "^"
}

// visible keeps what would steer a terminal out of a message.
func visible(r rune) rune {
	if r != '\t' && !unicode.IsPrint(r) {
		return utf8.RuneError
	}
	return r
}
