package notation

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Parse reads a notation; docs/notation.md has its grammar. digests are the names of all
// known digests.
func Parse(text string, digests []string) (*Layout, *Problem) {
	p := &parser{Scanner: Scanner{Text: text, Comments: true}, digests: digests}
	p.layout()
	return &p.out, p.Problem
}

// parser reads a notation from left to right. It has one method for each rule of the
// grammar.
type parser struct {
	Scanner
	digests  []string
	mentions []Mention // in the component that is being read
	out      Layout
}

// longest is the largest number in maxlen: the length of HBase's longest key.
const longest = math.MaxInt16

// name is the name of a field.
func (p *parser) name() string {
	p.Skip()
	at := p.At
	w := p.Word()
	if w == "" {
		p.Expected("the name of a field")
	}
	p.mentions = append(p.mentions, Mention{w, at})
	return w
}

// number is the next decimal number, at most largest.
func (p *parser) number(what string, largest uint64) uint64 {
	p.Skip()
	at := p.At
	n, err := strconv.ParseUint(p.Word(), 10, 64)
	if err != nil || n > largest {
		p.Fail(at, "expected %s, a number up to %d", what, largest)
		return 0
	}
	return n
}

func (p *parser) int(what string) int { return int(p.number(what, math.MaxInt32)) }

// raw is the text of an argument, up to a comma, a bracket, a quote or the end of the line,
// and its place.
func (p *parser) raw() (text string, at int) {
	p.Skip()
	at = p.At
	n := strings.IndexAny(p.Text[at:], "(),[]\n#'\"")
	if n < 0 {
		n = len(p.Text) - at
	}
	p.At += n
	return strings.TrimRight(p.Text[at:at+n], " \t\r"), at
}

// list reads items with commas between them, and the closing bracket. item reads one.
func (p *parser) list(item func()) {
	if p.Accept(")") {
		return
	}
	for p.Problem == nil {
		item()
		if p.Accept(")") {
			return
		}
		if !p.Accept(",") {
			p.Expected("',' or ')'")
		}
	}
}

// layout reads all of the notation.
func (p *parser) layout() {
	p.utf8()
	p.settings()
	for p.Accept("[") {
		p.component()
	}
	if len(p.out.Components) == 0 {
		p.Expected("'[', which begins a component, or maxlen or a dialect (" + strings.Join(wordsOf(DialectOption), ", ") + ") before the first")
	}
	for p.Problem == nil && p.Peek() != 0 {
		p.sample()
	}
}

// utf8 refuses text that is not UTF-8.
func (p *parser) utf8() {
	if !utf8.ValidString(p.Text) {
		at := 0
		for r, n := rune(0), 0; at < len(p.Text); at += n {
			if r, n = utf8.DecodeRuneInString(p.Text[at:]); r == utf8.RuneError && n == 1 {
				break
			}
		}
		p.Fail(at, `expected UTF-8; in quotes a byte may stand as \xHH`)
	}
}

// settings reads the options of New.
func (p *parser) settings() {
	dialects := wordsOf(DialectOption)
	for p.Problem == nil {
		p.Skip()
		at := p.At
		w := p.Word()
		if slices.ContainsFunc(p.out.Settings, func(o Option) bool { return string(o.Word) == w }) {
			p.Fail(at, "%s stands twice", w)
			return
		}
		switch {
		case w == string(MaxLen):
			p.Expect("(")
			n := p.number(byWord[MaxLen].Expects[0], longest)
			if p.Problem == nil && n == 0 {
				p.Fail(at, "maxlen(0) allows no key")
			}
			p.Expect(")")
			p.out.Settings = append(p.out.Settings, Option{Word: MaxLen, N: int(n)})
		case w == "":
			return
		case slices.Contains(dialects, w):
			p.out.Settings = append(p.out.Settings, Option{Word: Word(w)})
		default:
			p.Fail(at, "expected '[', which begins a component, or maxlen or a dialect (%s) before the first%s",
				strings.Join(dialects, ", "), Nearest(w, append([]string{"maxlen"}, dialects...)))
			return
		}
	}
}

// heads says what may stand after an opening bracket.
const heads = "a field's name, a separator in single quotes, a constant in double quotes, salt16(…), md5.hex(4)(…) or a time such as ms(…)"

// component reads a component. Its opening bracket is read already.
func (p *parser) component() {
	p.Skip()
	c := Component{At: p.At}
	switch p.Peek() {
	case '\'', '"':
		c.Kind = Literal
		if p.Peek() == '\'' {
			c.Kind = Separator
		}
		if c.Text = p.Quoted("a constant"); c.Text == "" {
			p.Fail(c.At, "expected at least one byte between the quotes")
		}
		p.Expect("]")
		p.out.Components = append(p.out.Components, c)
		return
	}
	w := p.Word()
	if w == "" {
		p.Expected(heads)
		return
	}
	switch {
	case p.Accept("("):
		p.function(&c, w)
	case p.Accept(":"):
		c.Name, p.Field = w, w
		p.kind(&c)
	case p.Accept("="):
		c.Kind, c.Name, p.Field = Copy, w, w
		c.Of = p.name()
	default:
		c.Kind, c.Name, p.Field = String, w, w
	}
	for !p.Accept("]") && p.Problem == nil {
		p.Skip()
		c.OptionAt = append(c.OptionAt, p.At)
		c.Options = append(c.Options, p.option())
	}
	c.Mentions = p.mentions
	p.out.Components = append(p.out.Components, c)
	p.Field, p.mentions = "", nil
}

// kind reads what stands after the colon of a field: 8, i8, f8, bytes or bool.
func (p *parser) kind(c *Component) {
	p.Skip()
	at := p.At
	w := p.Word()
	digits := w
	switch {
	case w == "bytes":
		c.Kind = Binary
		return
	case w == "bool":
		c.Kind = Bool
		return
	case strings.HasPrefix(w, "i"):
		c.Kind, digits = Int, w[1:]
	case strings.HasPrefix(w, "f"):
		c.Kind, digits = Float, w[1:]
	default:
		c.Kind = Uint
	}
	n, err := strconv.ParseUint(digits, 10, 31)
	if err != nil {
		p.Fail(at, "expected the size in bytes, such as 8, i8 of a signed number or f8 of a float, or bytes, or bool")
	}
	c.Size = int(n)
}

// function reads a component such as salt16(…), md5.hex(4)(…) or ms(…). The word w and the
// first round bracket are read already.
func (p *parser) function(c *Component, w string) {
	if digits, ok := strings.CutPrefix(w, "salt"); ok {
		n, err := strconv.ParseUint(digits, 10, 31)
		if err != nil {
			p.Fail(c.At, "expected the number of buckets after salt, such as salt16")
			return
		}
		c.Kind, c.Buckets = Salt, int(n)
		c.Input = p.input()
		return
	}
	if part, fn, ok := p.cutPart(w); ok {
		c.Kind = Hash
		c.Part = p.part(part, fn)
		p.Expect("(")
		c.Input = p.input()
		return
	}
	c.Kind = Time
	unit, desc := strings.CutPrefix(w, "max-")
	if desc {
		c.Options, c.OptionAt = append(c.Options, Option{Word: Desc}), append(c.OptionAt, c.At)
	}
	name, args, ok := unitOf(unit)
	if !ok {
		p.Fail(c.At, "expected %s%s", heads, Nearest(w, p.functionWords()))
		return
	}
	c.Unit = Unit{Name: name}
	if args {
		c.Unit = p.unit(name)
		p.Expect("(")
	}
	c.Name = p.name()
	p.Expect(")")
	p.Field = c.Name
}

// functionWords are the words that function knows, for the offer of a near word.
func (p *parser) functionWords() []string {
	words := []string{"salt16", layoutWord}
	for _, u := range Units {
		words = append(words, u, u+"-since", "max-"+u)
	}
	for _, name := range p.digests {
		words = append(words, name+".hex", name+".raw", name+".hexat")
	}
	return words
}

// cutPart cuts a word such as md5.hex or murmur3-seed7.raw into the digest, the seed and
// the function: hex, hexat or raw.
func (p *parser) cutPart(w string) (part Part, fn string, ok bool) {
	name, fn, ok := strings.Cut(w, ".")
	if !ok || fn != "hex" && fn != "hexat" && fn != "raw" {
		return part, "", false
	}
	name, seed, seeded := strings.Cut(name, seedWord)
	if !slices.Contains(p.digests, name) {
		return part, "", false
	}
	part.Digest, part.Seeded = name, seeded
	if seeded {
		n, err := strconv.ParseUint(seed, 10, 32)
		if err != nil {
			return part, "", false
		}
		part.Seed = uint32(n)
	}
	return part, fn, true
}

// part reads the arguments of md5.hex(…) after the opening bracket, the closing bracket, and
// .upper if it follows.
func (p *parser) part(part Part, fn string) Part {
	part.N = p.int("how much of the digest is taken")
	part.Hex = fn != "raw"
	if fn == "hexat" {
		p.Expect(",")
		part.At, part.N = part.N, p.int("how many characters of the digest are taken")
	}
	p.Expect(")")
	part.Upper = p.Accept(".upper")
	return part
}

// option reads one option.
func (p *parser) option() Option {
	p.Skip()
	at := p.At
	text := p.Word()
	info := stands(Word(text))
	if info != nil {
		o := Option{Word: info.Word}
		p.args(&o, info)
		return o
	}
	if part, fn, ok := p.cutPart(text); ok {
		p.Expect("(")
		return Option{Word: PartOption, Part: p.part(part, fn)}
	}
	if name, args, ok := unitOf(text); ok {
		u := Unit{Name: name}
		if args {
			p.Expect("(")
			u = p.unit(name)
		}
		return Option{Word: UnitOption, Unit: u}
	}
	if Word(text) == Via {
		p.Fail(at, "expected no via: a Transform is written in Go, and so is a schema that has one")
		return Option{}
	}
	offer := ""
	if text != "" {
		if offer = Nearest(text, Words()); offer == "" {
			offer = ": " + strings.Join(Words(), ", ") + "; a salt's digest such as md5.raw(4), the unit of a copy such as ms"
		}
	}
	p.Fail(at, "expected ']' or an option%s", offer)
	return Option{}
}

// args reads the arguments of an option with their brackets.
func (p *parser) args(o *Option, info *Info) {
	if info.Args == NoArgs {
		return
	}
	p.Expect("(")
	switch info.Args {
	case OneNumber:
		o.N = p.int(info.Expects[0])
	case TwoNumbers:
		o.N = p.int(info.Expects[0])
		p.Expect(",")
		o.M = p.int(info.Expects[1])
	case NumberByte:
		o.N = p.int(info.Expects[0])
		p.Expect(",")
		p.Skip()
		at := p.At
		b := p.Quoted("the byte that fills")
		if p.Problem == nil && len(b) != 1 {
			p.Fail(at, "expected one byte that fills, not %d", len(b))
		}
		if p.Problem == nil {
			o.Byte = b[0]
		}
	case OneText:
		o.Text = p.Quoted("text")
	case OneName:
		o.Text = p.name()
	case ADuration:
		text, at := p.raw()
		var err error
		if o.Duration, err = time.ParseDuration(text); err != nil {
			p.Fail(at, "expected a duration such as 1h or 5m0s")
		}
	case ABound:
		o.Bound = p.number("a bound", math.MaxUint64)
	case ManyTexts:
		p.list(func() { o.List = append(o.List, p.Quoted("a value")) })
		return
	case ManyPairs:
		o.Pairs = map[string]string{}
		p.list(func() { p.pair(o) })
		return
	}
	p.Expect(")")
}

// pair reads a value and its code.
func (p *parser) pair(o *Option) {
	p.Skip()
	at := p.At
	v := p.Quoted("a value")
	p.Expect(":")
	code := p.Quoted("its code")
	if _, twice := o.Pairs[v]; twice {
		p.Fail(at, "the value %q stands twice", v)
	}
	o.Pairs[v] = code
}

// sample reads one sample: the key as a quoted text, then a value for each
// field.
func (p *parser) sample() {
	p.Skip()
	s := Sample{At: p.At}
	if p.Word() != "sample" {
		p.Fail(s.At, "expected '[', which begins a component, or sample(\"key\", value, …) at the end")
		return
	}
	p.Expect("(")
	s.Key = p.Quoted("the key")
	for i := range p.out.Components {
		if c := &p.out.Components[i]; c.Kind <= Time && p.Problem == nil {
			p.Field = c.Name
			p.Expect(",")
			s.Values = append(s.Values, p.value(c.Kind))
		}
	}
	p.Field = ""
	p.Expect(")")
	p.out.Samples = append(p.out.Samples, s)
}

// value reads a value of a kind.
func (p *parser) value(k Kind) any {
	if p.Next("null") {
		p.Word()
		return nil
	}
	what := "a " + kinds[k]
	switch k {
	case String:
		return p.Quoted(what)
	case Binary:
		return []byte(p.Quoted(what))
	}
	text, at := p.raw()
	var v any
	var err error
	switch k {
	case Uint:
		v, err = strconv.ParseUint(text, 10, 64)
	case Int:
		v, err = strconv.ParseInt(text, 10, 64)
	case Float:
		v, err = strconv.ParseFloat(text, 64)
	case Time:
		what = "an instant such as 2023-05-16T10:20:30.123+08:00"
		v, err = time.Parse(time.RFC3339Nano, text)
	case Bool:
		what = "true or false"
		if v = text == "true"; text != "true" && text != "false" {
			err = strconv.ErrSyntax
		}
	default:
		p.Fail(at, "expected no value")
	}
	if err != nil {
		p.Fail(at, "expected %s", what)
	}
	return v
}
