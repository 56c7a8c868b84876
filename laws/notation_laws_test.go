package laws

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/seed"
)

// The laws once more, of layouts from another hand: this file knows nothing of
// the other generators and of the reference. It draws sentences of the grammar in
// docs/notation.md, has Parse build them, and holds the rows that such a schema
// writes against what a reader of the documents expects: values come back,
// ranges hold the rows of their values, plans the rows that a plain filter finds.
// A word that the page gains is drawn from then on.

func TestLawsByNotation(t *testing.T) {
	t.Parallel()
	cases, few := lawShare(t)
	from, only := seed.Case(t)
	rules := notationGrammar(t)
	met := map[string]int{}
	layouts, failed := 0, 0
	run := func(i int) {
		sp := &speaker{rules: rules, r: rand.New(rand.NewPCG(from, uint64(i)))}
		l := sp.layout()
		layouts++
		for rows := range uint64(8) {
			at := 8*uint64(i) + rows
			wrong := l.try(at, met)
			if wrong == "" {
				continue
			}
			small, still := l.smaller(at)
			t.Errorf("ROWKEY_SEED=%d:%d\n%s: %s\nand smaller\n%s: %s", from, i, l, wrong, small, still)
			failed++
			break
		}
	}
	if only >= 0 {
		run(only)
		return
	}
	layoutsAtLeast, want := 1000, []string{"rows", "refused", "came back", "ambiguous", "ranges", "prefixes", "plans", "exact plans", "full scans", "fuzzy"}
	if few {
		layoutsAtLeast, want = 0, nil
	}
	unmet := func(what string) bool { return met[what] == 0 }
	for i := 0; failed < 3; i++ {
		if met["rows"] >= cases && (i >= layoutsAtLeast || !slices.ContainsFunc(want, unmet)) {
			break
		}
		run(i)
	}
	for _, what := range slices.Sorted(maps.Keys(met)) {
		t.Logf("%9d %s", met[what], what)
	}
	t.Logf("%9d layouts", layouts)
	if failed == 0 && slices.ContainsFunc(want, unmet) {
		t.Errorf("never met: %q", slices.DeleteFunc(want, func(what string) bool { return !unmet(what) }))
	}
}

// ebnf is the page's grammar: for each name its alternatives.
type ebnf map[string]*ebnfNode

// ebnfNode is one piece of a rule.
type ebnfNode struct {
	op   byte // '"' a word, 'A' a word in capitals, 'a' a name of a rule, '|' one of, '.' all of, '{' any number of, '[' one or none
	text string
	sub  []*ebnfNode
}

// notationGrammar reads the grammar of the page.
func notationGrammar(t testing.TB) ebnf {
	t.Helper()
	page, err := readFile(notationPage)
	require.NoError(t, err)
	_, text, ok := strings.Cut(string(page), "```ebnf\n")
	require.True(t, ok)
	text, _, _ = strings.Cut(text, "```")
	p := &ebnfParser{words: regexp.MustCompile(`"[^"]*"|\w+|\S`).FindAllString(text, -1)}
	rules := ebnf{}
	for len(p.words) > 0 {
		name := p.next()
		require.Equal(t, "=", p.next(), name)
		rules[name] = p.oneOf()
		require.Equal(t, ";", p.next(), name)
	}
	return rules
}

type ebnfParser struct{ words []string }

func (p *ebnfParser) next() string {
	w := p.words[0]
	p.words = p.words[1:]
	return w
}

func (p *ebnfParser) oneOf() *ebnfNode {
	n := &ebnfNode{op: '|', sub: []*ebnfNode{p.allOf()}}
	for p.words[0] == "|" {
		p.next()
		n.sub = append(n.sub, p.allOf())
	}
	return n
}

func (p *ebnfParser) allOf() *ebnfNode {
	n := &ebnfNode{op: '.'}
	for !strings.Contains("|;}]", p.words[0]) {
		switch w := p.next(); {
		case w == "{" || w == "[":
			n.sub = append(n.sub, &ebnfNode{op: w[0], sub: []*ebnfNode{p.oneOf()}})
			p.next()
		case w[0] == '"':
			n.sub = append(n.sub, &ebnfNode{op: '"', text: strings.Trim(w, `"`)})
		case w == strings.ToUpper(w):
			n.sub = append(n.sub, &ebnfNode{op: 'A', text: w})
		default:
			n.sub = append(n.sub, &ebnfNode{op: 'a', text: w})
		}
	}
	return n
}

// speaker draws sentences.
type speaker struct {
	rules ebnf
	r     *rand.Rand
	name  func() string // a name where the grammar wants one
}

// drawOf is one of some.
func drawOf[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

// say draws a sentence of a rule.
func (s *speaker) say(rule string) string {
	var b strings.Builder
	s.speak(&b, s.rules[rule], new(string))
	return b.String()
}

// speak draws what a node stands for; word is the last word said, which tells
// what its arguments are.
func (s *speaker) speak(b *strings.Builder, n *ebnfNode, word *string) {
	switch n.op {
	case '"':
		b.WriteString(n.text)
		if n.text[0] >= 'a' && n.text[0] <= 'z' || n.text[0] == '.' {
			*word = n.text
		}
	case 'A':
		b.WriteString(s.terminal(n.text, *word))
	case 'a':
		s.speak(b, s.rules[n.text], word)
	case '|':
		s.speak(b, drawOf(s.r, n.sub...), word)
	case '.':
		for _, sub := range n.sub {
			s.speak(b, sub, word)
		}
	case '{':
		for range s.r.IntN(3) {
			s.speak(b, n.sub[0], word)
		}
	case '[':
		if s.r.IntN(2) == 0 {
			s.speak(b, n.sub[0], word)
		}
	}
}

// spokenTexts are the texts of layouts and of rows: short, of few bytes, so that
// all that can collide does.
var spokenTexts = []string{"", "a", "b", "ab", "ba", "aa", "a_", "_", "_a", "__", "\x00", "\x01", "a\x00", "\x00a", "\xff", "\xff\xff", "a\xff", "\x00\xff", "\x00\x01", "|", "a|b", ".", "a.b", "b.a", "01", "10", "abc", "abcd", "x", " ", "a "}

// terminal draws what a word in capitals stands for.
func (s *speaker) terminal(kind, word string) string {
	r := s.r
	switch kind {
	case "NAME":
		return s.name()
	case "SIZE":
		return fmt.Sprint(drawOf(r, 1, 1, 2, 3, 4, 4, 8, 8))
	case "TEXT":
		switch word {
		case "layout":
			return drawOf(r, `"2006"`, `"200601"`, `"20060102"`, `"2006-01-02"`, `"2006010215"`, `"20060102150405"`, `"2006/01/02 15:04"`)
		case "format":
			return drawOf(r, `"%s"`, `"%d"`, `"%s_%d"`, `"%05d"`, `"%x"`, `"%s%s"`, `"a%Xb"`)
		case "chars":
			return drawOf(r, `"ab"`, `"a\x00_"`, `"0123456789"`, `"ab\xff\x01"`, `"abcdefghijklmnopqrstuvwxyz."`)
		case "letters":
			return drawOf(r, `"ab"`, `"abcd"`, `"ba"`)
		}
		return fmt.Sprintf("%q", drawOf(r, spokenTexts...))
	case "BYTE":
		return drawOf(r, `'x'`, `'0'`, `' '`, `'\x00'`, `'\xff'`, `'a'`)
	case "ZONE":
		return drawOf(r, "UTC", "+08:00", "-03:30")
	case "INSTANT":
		return drawOf(r, "1970-01-01T00:00:00Z", "2023-05-16T00:00:00Z", "2023-05-16T00:00:00+08:00", "2000-01-01T00:00:00.5Z")
	case "DURATION":
		return drawOf(r, "1ms", "1s", "5m0s", "1h0m0s", "24h0m0s", "7s")
	}
	switch word {
	case "maxlen":
		return fmt.Sprint(drawOf(r, 3, 8, 20, 2048))
	case "years":
		return fmt.Sprint(drawOf(r, 1970, 2000, 2023, 2100, 9999))
	case "below":
		return fmt.Sprint(drawOf(r, 1, 2, 3, 10, 100, 256, 65536, 1<<30))
	case "digits":
		return fmt.Sprint(1 + r.IntN(20))
	case "hexdigits":
		return fmt.Sprint(1 + r.IntN(16))
	case "salt":
		return fmt.Sprint(drawOf(r, 1, 2, 3, 4, 10, 16, 256, 300))
	}
	return fmt.Sprint(r.IntN(5))
}

// A spoken is a layout in pieces, so that a wrong one can be made smaller.
type spoken struct {
	setting string
	comps   []spokenComp
}

// spokenComp is one component.
type spokenComp struct {
	head string
	opts []string
}

func (c spokenComp) String() string {
	return "[" + strings.Join(append([]string{c.head}, c.opts...), " ") + "]"
}

func (l spoken) String() string {
	text := l.setting
	for _, c := range l.comps {
		text += c.String()
	}
	return text
}

func (l spoken) clone() spoken {
	out := spoken{setting: l.setting}
	for _, c := range l.comps {
		out.comps = append(out.comps, spokenComp{c.head, slices.Clone(c.opts)})
	}
	return out
}

// builds reports that a notation is a schema.
func builds(notation string) bool {
	_, err := rowkey.Parse("t", notation)
	return err == nil
}

// layout draws a layout that builds.
func (s *speaker) layout() spoken {
	for {
		if l, ok := s.tryLayout(); ok {
			return l
		}
	}
}

func (s *speaker) tryLayout() (spoken, bool) {
	r := s.r
	var l spoken
	switch r.IntN(6) {
	case 0:
		l.setting = s.say("setting") + " "
	case 1, 2:
		l.setting = s.say("dialect") + " "
	}
	names := []string{"a", "b", "c", "d"}[:drawOf(r, 1, 2, 2, 2, 3, 3, 4)]
	var fields []spokenComp
	for _, name := range names {
		s.name = func() string { return name }
		c := spokenComp{head: name}
		switch r.IntN(5) {
		case 0:
			c.head = s.say("time")
		case 1, 2:
			c.head += ":" + s.say("kind")
		}
		s.addOptions(&c, func(c spokenComp) string { return l.setting + "[md5.raw(2)(" + name + ")]" + c.String() })
		fields = append(fields, c)
	}
	for i, c := range fields {
		l.comps = append(l.comps, c)
		if i < len(fields)-1 && r.IntN(2) == 0 {
			l.comps = append(l.comps, spokenComp{head: drawOf(r, `'_'`, `'\x00'`, `'|'`, `'\xff'`, `"__"`, `"_a"`, `'\x01'`)})
		}
	}
	if r.IntN(8) == 0 {
		l.comps = slices.Insert(l.comps, 0, spokenComp{head: fmt.Sprintf("%q", drawOf(r, "v", "a", "\x00", "\xff"))})
	}
	for i := range r.IntN(3) {
		s.name = func() string { return drawOf(r, names...) }
		var c spokenComp
		switch r.IntN(3) {
		case 0:
			c.head = s.say("salt")
		case 1:
			c.head = s.say("hash")
		case 2:
			c.head = fmt.Sprintf("x%d=%s", i, s.name())
		}
		at := 0
		if r.IntN(3) == 0 {
			at = r.IntN(len(l.comps) + 1)
		}
		with := func(c spokenComp) string {
			m := l.clone()
			m.comps = slices.Insert(m.comps, at, c)
			return m.String()
		}
		s.addOptions(&c, with)
		if r.IntN(4) == 0 && c.head[0] == 'x' {
			l.comps = slices.Insert(l.comps, at, spokenComp{head: `'_'`})
		}
		l.comps = slices.Insert(l.comps, at, c)
	}
	return l, builds(l.String())
}

// addOptions adds options to a component as long as what they stand in builds.
func (s *speaker) addOptions(c *spokenComp, in func(spokenComp) string) {
	kept := s.name
	defer func() { s.name = kept }()
	s.name = func() string { return "named" }
	for range drawOf(s.r, 0, 1, 1, 2, 2, 3, 4) {
		for range 12 {
			more := spokenComp{c.head, append(slices.Clone(c.opts), s.say("option"))}
			if builds(in(more)) {
				*c = more
				break
			}
		}
	}
}

// spokenRow is a row: its values as they were given, and as its key has them.
type spokenRow struct {
	given  []any
	stored []any // of a field that is not stored, and of an ambiguous key, what was given
	vague  bool  // the key is ambiguous
	key    []byte
}

// spokenField is what the test knows of a field.
type spokenField struct {
	rowkey.FieldInfo
	numeric bool
	blanks  bool  // blanks at the end of a text are no part of it
	values  []any // to draw from
}

// trimmed is a text as a field takes it.
func (f *spokenField) trimmed(text string) string {
	if f.blanks {
		return strings.TrimRight(text, " ")
	}
	return text
}

// isChar reports a CHAR of Phoenix's, which is filled with blanks.
func isChar(f rowkey.FieldInfo) bool {
	other := []string{" loose", " notstored", " codes(", " padleft(", " reverse"}
	return f.Kind == "string" && strings.Contains(f.Notation, ",' ')") && strings.Contains(f.Notation, " phoenix") &&
		!slices.ContainsFunc(other, func(word string) bool { return strings.Contains(f.Notation, word) })
}

// spokenTest is one layout under test.
type spokenTest struct {
	s      *rowkey.Schema
	r      *rand.Rand
	fields []spokenField
	loose  bool
	hidden bool // a field is not stored
	rows   []spokenRow
	met    map[string]int
}

// try holds one layout against the laws: what is wrong, or nothing.
func (l spoken) try(seed uint64, met map[string]int) (wrong string) {
	defer func() {
		if p := recover(); p != nil {
			wrong = fmt.Sprintf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	s, err := rowkey.Parse("t", l.String())
	if err != nil {
		return ""
	}
	t := &spokenTest{s: s, r: rand.New(rand.NewPCG(seed, 1)), met: met}
	notation := s.String()
	t.loose = strings.Contains(notation, " loose")
	for f := range s.Fields() {
		if f.Derived || f.Kind == "literal" {
			continue
		}
		t.hidden = t.hidden || !f.Stored
		sf := spokenField{FieldInfo: f, numeric: strings.Contains(f.Notation, " numeric"), blanks: isChar(f)}
		t.draw(&sf)
		t.fields = append(t.fields, sf)
	}
	again, err := rowkey.Parse("t", notation)
	if err != nil || again.Fingerprint() != s.Fingerprint() {
		return fmt.Sprintf("Parse of %s: %v", notation, err)
	}
	for _, law := range []func() string{t.write, t.isolate, t.prefixes, t.scan} {
		if wrong := law(); wrong != "" {
			return wrong
		}
	}
	return ""
}

// draw picks the few values that the rows' fields have.
func (t *spokenTest) draw(f *spokenField) {
	r := t.r
	for range 4 + r.IntN(4) {
		var v any
		switch f.Kind {
		case "string", "binary":
			text := drawOf(r, spokenTexts...)
			switch {
			case f.numeric:
				text = drawOf(r, "0", "1", "-1", "2", "12.5", "12.50", "-12.5", "100", "99", "1E+30", "0.001", "-0.001", "1e-20", "123456789", "a", "")
			case r.IntN(3) == 0:
				var b []byte
				for range r.IntN(6) {
					b = append(b, drawOf(r, byte(0), 1, 'a', 'b', '_', 0xff))
				}
				text = string(b)
			case r.IntN(20) == 0:
				text = drawOf(r, strings.Repeat("a", 130), "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "00000000-0000-0000-0000-000000000000", "é", "一")
			}
			v = text
		case "uint":
			v = drawOf(r, uint64(0), 1, 2, 3, 7, 9, 10, 99, 100, 127, 128, 255, 256, 257, 65535, 65536, 1<<31-1, 1<<31, 1<<32-1, 1<<63-1, 1<<63, math.MaxUint64, uint64(r.IntN(300)))
		case "int":
			v = drawOf(r, int64(0), 1, -1, 2, -2, 7, 127, 128, -128, -129, 255, 256, -256, 32767, -32768, 1<<31-1, -1<<31, math.MaxInt64, math.MinInt64, int64(r.IntN(300)-150))
		case "float":
			v = drawOf(r, 0, 1, -1, 1.5, -1.5, 2, 100, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.MaxFloat32, math.MaxFloat64, math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 0.1, math.NaN())
		case "bool":
			v = r.IntN(2) == 0
		case "time":
			v = drawOf(r, time.Unix(0, 0), time.Unix(1, 0), time.Unix(0, 1), time.Unix(0, 255), time.Unix(255, 0), time.Unix(59, 999999999), time.Unix(86400, 0), time.Unix(-1, 0), time.Unix(-86400*365, 5),
				time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2023, 5, 16, 2, 20, 30, 123456789, time.UTC), time.Date(2023, 5, 16, 0, 0, 0, 0, time.UTC), time.Date(2023, 5, 15, 16, 0, 0, 0, time.UTC),
				time.Date(2023, 5, 16, 0, 0, 0, int(r.IntN(5))*1e6, time.UTC), time.Date(2023, 5, 16, r.IntN(24), r.IntN(60), 0, 0, time.UTC), time.Date(2023, 5, 17, 0, 0, 0, 0, time.UTC), time.Date(2038, 1, 19, 3, 14, 7, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC)).UTC()
		}
		f.values = append(f.values, v)
	}
	if f.Optional {
		f.values = append(f.values, nil)
	}
}

// typed reports that an error is one of the package's.
func typed(err error) bool {
	var e *rowkey.Error
	return errors.As(err, &e)
}

// write makes rows: each comes back as it was given, or is refused and leaves the
// buffer as it was.
func (t *spokenTest) write() string {
	byKey := map[string]spokenRow{}
	for range 60 {
		row := spokenRow{given: make([]any, len(t.fields))}
		for i, f := range t.fields {
			row.given[i] = drawOf(t.r, f.values...)
		}
		dst := append(make([]byte, 0, t.r.IntN(40)+2), "xy"...)
		out, err := t.s.AppendKey(dst, row.given...)
		if err != nil {
			t.met["refused"]++
			if !typed(err) {
				return fmt.Sprintf("%v: an error of no type: %v", row.given, err)
			}
			if string(out) != "xy" {
				return fmt.Sprintf("%v: refused, and the buffer is %x", row.given, out)
			}
			t.forget(err.(*rowkey.Error).Field, row.given)
			continue
		}
		row.key = bytes.Clone(out[2:])
		if wrong := t.comesBack(&row); wrong != "" {
			return fmt.Sprintf("%v, key %x: %s", row.given, row.key, wrong)
		}
		if other, ok := byKey[string(row.key)]; ok {
			if !t.loose && !t.hidden && !t.sameAll(other, row) {
				return fmt.Sprintf("%v and %v have one key, %x", other.given, row.given, row.key)
			}
			continue
		}
		byKey[string(row.key)] = row
		t.rows = append(t.rows, row)
		t.met["rows"]++
	}
	return ""
}

// forget draws no more of a value that is refused, if there are others.
func (t *spokenTest) forget(field string, given []any) {
	for i := range t.fields {
		if f := &t.fields[i]; f.Name == field && len(f.values) > 2 {
			f.values = slices.DeleteFunc(slices.Clone(f.values), func(v any) bool { return v == given[i] })
			if len(f.values) == 0 {
				f.values = []any{given[i]}
			}
		}
	}
}

// comesBack reads a row's key in two ways.
func (t *spokenTest) comesBack(row *spokenRow) string {
	row.stored = slices.Clone(row.given)
	got, err := t.s.Decode(row.key)
	if err != nil {
		if t.loose && errors.Is(err, rowkey.ErrAmbiguous) {
			t.met["ambiguous"]++
			row.vague = true
			return ""
		}
		return "Decode: " + err.Error()
	}
	read := map[string]any{}
	for name, v := range got.All() {
		read[name] = v
	}
	for i, f := range t.fields {
		v, ok := read[f.Name]
		if ok != f.Stored {
			return fmt.Sprintf("field %s is in the row: %v", f.Name, ok)
		}
		if !ok {
			continue
		}
		if !t.cameBack(f, row.given[i], v) {
			return fmt.Sprintf("field %s came back as %v", f.Name, v)
		}
		if b, ok := v.([]byte); ok {
			v = string(b)
		}
		row.stored[i] = v
	}
	if again, err := t.s.AppendKey(nil, row.stored...); err != nil || !bytes.Equal(again, row.key) {
		return fmt.Sprintf("what it gives, %v, makes %x, %v", row.stored, again, err)
	}
	rd := t.s.Read(row.key)
	for i, f := range t.fields {
		if !f.Stored {
			continue
		}
		var v any
		null := false
		if f.Optional {
			rd = rd.Null(&null)
		}
		switch f.Kind {
		case "string":
			var x string
			rd = rd.String(&x)
			v = x
		case "binary":
			var x []byte
			rd = rd.Binary(&x)
			v = string(x)
		case "uint":
			var x uint64
			rd = rd.Uint(&x)
			v = x
		case "int":
			var x int64
			rd = rd.Int(&x)
			v = x
		case "float":
			var x float64
			rd = rd.Float(&x)
			v = x
		case "bool":
			var x bool
			rd = rd.Bool(&x)
			v = x
		case "time":
			var x time.Time
			rd = rd.Time(&x)
			v = x
		}
		if null != (row.stored[i] == nil) || !null && v != row.stored[i] {
			return fmt.Sprintf("Read gives field %s as %v, %v", f.Name, v, rd.Err())
		}
	}
	if err := rd.Err(); err != nil {
		return "Read: " + err.Error()
	}
	t.met["came back"]++
	return ""
}

// cameBack reports that what a key gives of a field is what was put into it.
func (t *spokenTest) cameBack(f spokenField, in, out any) bool {
	if in == nil || out == nil {
		return (in == nil || in == "") && out == nil
	}
	switch in := in.(type) {
	case string:
		if b, ok := out.([]byte); ok {
			out = string(b)
		}
		if f.numeric {
			return rational(in).Cmp(rational(out.(string))) == 0
		}
		return f.trimmed(in) == out
	case time.Time:
		return !out.(time.Time).After(in) // down to its unit
	}
	return in == out // −0 is 0
}

func rational(text string) *big.Rat {
	v, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("no number: " + text)
	}
	return v
}

// compare is the order of two values of a field; neither is null.
func (f *spokenField) compare(a, b any) int {
	switch a := a.(type) {
	case string:
		if f.numeric {
			return rational(a).Cmp(rational(b.(string)))
		}
		return strings.Compare(f.trimmed(a), f.trimmed(b.(string)))
	case time.Time:
		return a.Compare(b.(time.Time))
	case uint64:
		return compareOf(a, b.(uint64))
	case int64:
		return compareOf(a, b.(int64))
	case float64:
		return compareOf(a, b.(float64))
	case bool:
		return compareOf(fmt.Sprint(a), fmt.Sprint(b))
	}
	panic("no value")
}

func compareOf[T uint64 | int64 | float64 | string](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// verdict is what is known of a row: it matches, it does not, or it may.
type verdict int

const (
	no verdict = iota
	may
	yes
)

// same is whether two rows have one value of a field.
func (t *spokenTest) same(i int, a, b spokenRow) verdict {
	f := &t.fields[i]
	x, y := a.stored[i], b.stored[i]
	switch {
	case x == nil && y == nil:
		return yes
	case x == nil || y == nil:
		if x == "" || y == "" { // to Phoenix both are null
			return may
		}
		if !f.Stored {
			return may
		}
		return no
	case zeros(x, y): // one key without a dialect, two keys in one
		return may
	case f.compare(x, y) == 0:
		return yes
	case !f.Stored: // another value may have the same hash
		return may
	case t.loose: // what is stored may not be known
		return may
	}
	return no
}

// zeros reports +0 and −0, in either order.
func zeros(x, y any) bool {
	a, ok := x.(float64)
	b, _ := y.(float64)
	return ok && a == 0 && b == 0 && math.Signbit(a) != math.Signbit(b)
}

func (t *spokenTest) sameAll(a, b spokenRow) bool {
	for i := range t.fields {
		if t.same(i, a, b) == no {
			return false
		}
	}
	return true
}

// spokenKey puts values into a key.
func spokenKey(k rowkey.KeyBuilder, values []any) rowkey.KeyBuilder {
	for _, v := range values {
		switch v := v.(type) {
		case nil:
			k = k.Null()
		case string:
			k = k.String(v)
		case uint64:
			k = k.Uint(v)
		case int64:
			k = k.Int(v)
		case float64:
			k = k.Float(v)
		case bool:
			k = k.Bool(v)
		case time.Time:
			k = k.Time(v)
		}
	}
	return k
}

// within is how many of some ranges hold a key.
func within(ranges []rowkey.Range, key []byte) (n int) {
	for _, r := range ranges {
		if r.Contains(key) {
			n++
		}
	}
	return n
}

// holdsOnly says which row lies where it should not.
func (t *spokenTest) holdsOnly(ranges []rowkey.Range, want func(spokenRow) verdict) string {
	for _, row := range t.rows {
		n, v := within(ranges, row.key), want(row)
		switch {
		case v == yes && n == 0:
			return fmt.Sprintf("%v loses row %v, key %x", ranges, row.stored, row.key)
		case v == yes && n > 1:
			return fmt.Sprintf("%v has row %v twice, key %x", ranges, row.stored, row.key)
		case v == no && n > 0:
			return fmt.Sprintf("%v has foreign row %v, key %x", ranges, row.stored, row.key)
		}
	}
	return ""
}

// isolate asks for the rows of the first values of a row.
func (t *spokenTest) isolate() string {
	for n := range t.fields {
		for _, row := range t.some(6) {
			k := spokenKey(t.s.Key(), row.stored[:n+1])
			ranges, _, err := k.AppendRanges(nil, nil)
			if err != nil {
				if !typed(err) || errors.Is(err, rowkey.ErrSchema) {
					return fmt.Sprintf("ranges of %v: %v", row.stored[:n+1], err)
				}
				t.met["no ranges"]++
				continue
			}
			wrong := t.holdsOnly(ranges, func(other spokenRow) verdict {
				v := yes
				for i := range n + 1 {
					v = min(v, t.same(i, row, other))
				}
				return v
			})
			if wrong != "" {
				return fmt.Sprintf("the rows of %v: %s", row.stored[:n+1], wrong)
			}
			t.met["ranges"]++
		}
	}
	return ""
}

// some draws rows.
func (t *spokenTest) some(n int) []spokenRow {
	if len(t.rows) == 0 {
		return nil
	}
	out := make([]spokenRow, n)
	for i := range out {
		out[i] = drawOf(t.r, t.rows...)
	}
	return out
}

// prefixes asks for the rows whose text begins so after given values.
func (t *spokenTest) prefixes() string {
	for n, f := range t.fields {
		if f.Kind != "string" && f.Kind != "binary" || f.numeric {
			continue
		}
		for _, row := range t.some(6) {
			p := drawOf(t.r, "a", "_", "\x00", "\xff", "b", "ab", "\x01", "a_")
			if v, ok := row.stored[n].(string); ok && v != "" && t.r.IntN(2) == 0 {
				p = v[:1+t.r.IntN(len(v))]
			}
			ranges, _, err := spokenKey(t.s.Key(), row.stored[:n]).Prefix(p).AppendRanges(nil, nil)
			if err != nil {
				if !typed(err) {
					return fmt.Sprintf("prefix %q: %v", p, err)
				}
				continue
			}
			wrong := t.holdsOnly(ranges, func(other spokenRow) verdict {
				v := yes
				for i := range n {
					v = min(v, t.same(i, row, other))
				}
				text, ok := other.stored[n].(string)
				switch {
				case ok && strings.HasPrefix(text, p):
				case t.loose || !f.Stored:
					v = min(v, may)
				default:
					v = no
				}
				return v
			})
			if wrong != "" {
				return fmt.Sprintf("the rows of %v and prefix %q: %s", row.stored[:n], p, wrong)
			}
			t.met["prefixes"]++
		}
	}
	return ""
}

// A spokenCond is a condition, and what a plain filter says to it.
type spokenCond struct {
	cond rowkey.Cond
	text string
	test func(spokenRow) verdict
}

// condOf makes a condition of the operands' type.
func condOf[T rowkey.Value](op, field string, vs []any) rowkey.Cond {
	a := make([]T, len(vs))
	for i, v := range vs {
		a[i] = v.(T)
	}
	switch op {
	case "=":
		return rowkey.Eq(field, a[0])
	case "≠":
		return rowkey.NotEq(field, a[0])
	case "≥":
		return rowkey.AtLeast(field, a[0])
	case "≤":
		return rowkey.AtMost(field, a[0])
	case ">":
		return rowkey.MoreThan(field, a[0])
	case "<":
		return rowkey.LessThan(field, a[0])
	case "span":
		return rowkey.Span(field, a[0], a[1])
	}
	return rowkey.In(field, a...)
}

// condition draws a condition on field i.
func (t *spokenTest) condition(i int) spokenCond {
	r := t.r
	f := &t.fields[i]
	isText := f.Kind == "string" || f.Kind == "binary"
	if f.Optional && r.IntN(4) == 0 {
		c := spokenCond{rowkey.Null(f.Name), f.Name + " null", func(row spokenRow) verdict {
			return t.verdict(i, row.stored[i] == nil, row.stored[i] == "")
		}}
		if r.IntN(2) == 0 {
			c = spokenCond{rowkey.NotNull(f.Name), f.Name + " not null", func(row spokenRow) verdict {
				return t.verdict(i, row.stored[i] != nil, row.stored[i] == "")
			}}
		}
		return c
	}
	if isText && !f.numeric && r.IntN(3) == 0 {
		p := drawOf(r, "a", "_", "\x00", "\xff", "b", "ab", "\x01", "\xff\xff", "\x00\xff")
		has, cond, word := strings.HasPrefix, rowkey.Prefix(f.Name, p), "prefix"
		if r.IntN(3) == 0 {
			has, cond, word = strings.HasSuffix, rowkey.Suffix(f.Name, p), "suffix"
		}
		return spokenCond{cond, fmt.Sprintf("%s %s %q", f.Name, word, p), func(row spokenRow) verdict {
			v, ok := row.stored[i].(string)
			return t.verdict(i, ok && has(v, p), false)
		}}
	}
	op := drawOf(r, "=", "=", "=", "≠", "≥", "≤", ">", "<", "span", "in")
	n := 1
	switch op {
	case "span":
		n = 2
	case "in":
		n = r.IntN(4)
	}
	vs := make([]any, n)
	for k := range vs {
		vs[k] = t.operand(i)
	}
	if op == "span" && f.compare(vs[0], vs[1]) > 0 {
		vs[0], vs[1] = vs[1], vs[0]
	}
	c := spokenCond{text: fmt.Sprintf("%s %s %v", f.Name, op, vs), test: func(row spokenRow) verdict {
		v := row.stored[i]
		if v == nil {
			return t.verdict(i, false, slices.Contains(vs, any(""))) // the empty text is null to Phoenix
		}
		if v == "" && f.Optional || row.vague && f.Kind == "time" {
			return may
		}
		// A stored time stands for its whole unit, whose length is not known here.
		isTime := f.Kind == "time"
		eq := func(w any) bool { return f.compare(v, w) == 0 }
		switch op {
		case "=":
			return t.verdict(i, eq(vs[0]), false)
		case "≠":
			return t.verdict(i, !eq(vs[0]), isTime)
		case "≥":
			return t.verdict(i, f.compare(v, vs[0]) >= 0, false)
		case "≤":
			return t.verdict(i, f.compare(v, vs[0]) <= 0, false)
		case ">":
			return t.verdict(i, f.compare(v, vs[0]) > 0, isTime && eq(vs[0]))
		case "<":
			return t.verdict(i, f.compare(v, vs[0]) < 0, false)
		case "span":
			return t.verdict(i, f.compare(v, vs[0]) >= 0 && f.compare(v, vs[1]) < 0, false)
		}
		return t.verdict(i, slices.ContainsFunc(vs, eq), false)
	}}
	switch f.Kind {
	case "string", "binary":
		c.cond = condOf[string](op, f.Name, vs)
	case "uint":
		c.cond = condOf[uint64](op, f.Name, vs)
	case "int":
		c.cond = condOf[int64](op, f.Name, vs)
	case "float":
		c.cond = condOf[float64](op, f.Name, vs)
	case "bool":
		c.cond = condOf[bool](op, f.Name, vs)
	case "time":
		c.cond = condOf[time.Time](op, f.Name, vs)
	}
	return c
}

// operand draws a value to compare with: one that a row has, or another.
func (t *spokenTest) operand(i int) any {
	f := &t.fields[i]
	for range 20 {
		v := drawOf(t.r, f.values...)
		if len(t.rows) > 0 && (f.Kind == "time" || t.r.IntN(3) > 0) {
			v = drawOf(t.r, t.rows...).stored[i]
		}
		x, isFloat := v.(float64)
		text, isText := v.(string)
		switch {
		case v == nil, isFloat && x != x, f.numeric && isText && (text == "" || text == "a"):
			continue
		}
		return v
	}
	switch f.Kind {
	case "uint":
		return uint64(1)
	case "int":
		return int64(1)
	case "float":
		return 1.0
	case "bool":
		return true
	case "time":
		return time.Unix(0, 0).UTC()
	}
	return "1"
}

// verdict is what a filter says of field i, as far as a key can say it.
func (t *spokenTest) verdict(i int, matches, unknown bool) verdict {
	f := &t.fields[i]
	switch {
	case unknown, !f.Stored && f.Kind == "time":
		return may
	case matches:
		return yes
	case t.loose || !f.Stored:
		return may
	}
	return no
}

// scan plans queries and compares with a filter over all rows.
func (t *spokenTest) scan() string {
	for range 12 {
		var conds []spokenCond
		for range drawOf(t.r, 1, 1, 2, 2, 3) {
			i := t.r.IntN(len(t.fields))
			if t.r.IntN(3) > 0 {
				i = min(i, len(conds))
			}
			c := t.condition(i)
			if t.r.IntN(8) == 0 {
				a, b := c, t.condition(i)
				c = spokenCond{rowkey.AnyOf(a.cond, b.cond), "(" + a.text + " or " + b.text + ")", func(row spokenRow) verdict { return max(a.test(row), b.test(row)) }}
			}
			conds = append(conds, c)
		}
		if wrong := t.ask(conds); wrong != "" {
			var text []string
			for _, c := range conds {
				text = append(text, c.text)
			}
			return strings.Join(text, " and ") + ": " + wrong
		}
	}
	return ""
}

// ask plans one query.
func (t *spokenTest) ask(conds []spokenCond) string {
	var query []rowkey.Cond
	for _, c := range conds {
		query = append(query, c.cond)
	}
	plan, err := t.s.Scan(query...)
	if errors.Is(err, rowkey.ErrManyRanges) {
		t.met["many ranges"]++
		query = append(query, rowkey.MaxRanges(1<<12))
		plan, err = t.s.Scan(query...)
	}
	if errors.Is(err, rowkey.ErrFullScan) {
		t.met["full scans"]++
		plan, err = t.s.Scan(append(query, rowkey.FullScan())...)
	}
	switch {
	case errors.Is(err, rowkey.ErrManyRanges), errors.Is(err, rowkey.ErrMissing), errors.Is(err, rowkey.ErrType):
		t.met["not planned"]++
		return ""
	case errors.Is(err, rowkey.ErrInverted): // two ends cross
		for _, row := range t.rows {
			for i, c := range conds {
				if c.test(row) == yes && i == len(conds)-1 {
					return fmt.Sprintf("%v, and row %v matches", err, row.stored)
				} else if c.test(row) != yes {
					break
				}
			}
		}
		t.met["crossed"]++
		return ""
	case err != nil && !typed(err):
		return "an error of no type: " + err.Error()
	case err != nil:
		return err.Error()
	}
	t.met["plans"]++
	if plan.Exact() {
		t.met["exact plans"]++
	}
	ranges := slices.Collect(plan.Ranges())
	want := func(row spokenRow) verdict {
		v := yes
		for _, c := range conds {
			v = min(v, c.test(row))
		}
		return v
	}
	in := func(row spokenRow) verdict {
		v := want(row)
		if v == no && !plan.Exact() {
			v = may
		}
		return v
	}
	if wrong := t.holdsOnly(ranges, in); wrong != "" {
		return wrong + "\n" + plan.String()
	}
	for _, row := range t.rows {
		switch v, match := want(row), plan.Match(row.key); {
		case v == yes && !match:
			return fmt.Sprintf("Match refuses row %v, key %x\n%s", row.stored, row.key, plan)
		case v == no && match:
			return fmt.Sprintf("Match takes row %v, key %x\n%s", row.stored, row.key, plan)
		}
	}
	var cuts [][]byte
	for _, row := range t.some(3) {
		cuts = append(cuts, row.key[:1+t.r.IntN(len(row.key))])
	}
	if wrong := t.holdsOnly(slices.Collect(plan.SplitAt(cuts).Ranges()), in); wrong != "" {
		return fmt.Sprintf("split at %x: %s", cuts, wrong)
	}
	keys, some := map[string]bool{}, false
	for key := range plan.Keys() {
		if some = true; len(keys) > 1<<12 {
			return ""
		}
		keys[string(key)] = true
	}
	type pair struct{ key, mask []byte }
	var pairs []pair
	for key, mask := range plan.Fuzzy() {
		pairs = append(pairs, pair{bytes.Clone(key), bytes.Clone(mask)})
	}
	for _, row := range t.rows {
		if want(row) != yes {
			continue
		}
		if some && !keys[string(row.key)] {
			return fmt.Sprintf("Keys lacks row %v, key %x\n%s", row.stored, row.key, plan)
		}
		if len(pairs) > 0 && !slices.ContainsFunc(pairs, func(p pair) bool {
			for i, b := range p.key {
				if p.mask[i] == 0 && (i >= len(row.key) || row.key[i] != b) {
					return false
				}
			}
			return true
		}) {
			return fmt.Sprintf("Fuzzy loses row %v, key %x\n%s", row.stored, row.key, plan)
		}
	}
	if len(pairs) > 0 {
		t.met["fuzzy"]++
	}
	return ""
}

// smaller makes a wrong layout smaller as long as it stays wrong.
func (l spoken) smaller(seed uint64) (spoken, string) {
	wrong := l.try(seed, map[string]int{})
	for again := true; again; {
		again = false
		var less []spoken
		if l.setting != "" {
			m := l.clone()
			m.setting = ""
			less = append(less, m)
		}
		for i, c := range l.comps {
			m := l.clone()
			m.comps = slices.Delete(m.comps, i, i+1)
			less = append(less, m)
			for k := range c.opts {
				m := l.clone()
				m.comps[i].opts = slices.Delete(m.comps[i].opts, k, k+1)
				less = append(less, m)
			}
		}
		for _, m := range less {
			for n := range uint64(20) { // the values are others' now
				if w := m.try(seed+n, map[string]int{}); w != "" {
					l, wrong, seed, again = m, w, seed+n, true
					break
				}
			}
			if again {
				break
			}
		}
	}
	return l, wrong
}
