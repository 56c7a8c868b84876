package notation_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// The grammar of docs/notation.md, read from the page: what it makes, Parse
// must read, and each word that Parse knows must stand in it.

type grammar struct {
	rules map[string][]string // a production's tokens
	r     *rand.Rand
	met   map[string]bool
	out   []string
}

func readGrammar(t *testing.T) *grammar {
	t.Helper()
	page, err := os.ReadFile("../../docs/notation.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "```ebnf\n")
	text, _, ok := strings.Cut(text, "```")
	if !ok {
		t.Fatal("the page has no grammar")
	}
	g := &grammar{rules: map[string][]string{}, met: map[string]bool{}}
	token := regexp.MustCompile(`"[^"]*"|[A-Za-z]+|[=;|()\[\]{}]`)
	var tokens []string
	for _, tok := range token.FindAllString(text, -1) {
		if tok != ";" {
			tokens = append(tokens, tok)
			continue
		}
		if len(tokens) < 3 || tokens[1] != "=" {
			t.Fatalf("no production: %s", tokens)
		}
		g.rules[tokens[0]], tokens = tokens[2:], nil
	}
	return g
}

// alternatives cuts tokens at the bars that stand in no bracket.
func alternatives(tokens []string) (all [][]string) {
	depth, from := 0, 0
	for i, tok := range tokens {
		switch tok {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case "|":
			if depth == 0 {
				all, from = append(all, tokens[from:i]), i+1
			}
		}
	}
	return append(all, tokens[from:])
}

// make makes one sentence of the tokens.
func (g *grammar) make(t *testing.T, tokens []string) {
	all := alternatives(tokens)
	tokens = all[g.r.IntN(len(all))]
	for i := 0; i < len(tokens); i++ {
		tok := tokens[i]
		if strings.Contains("([{", tok) {
			end := i + 1
			for depth := 1; depth > 0; end++ {
				switch tokens[end] {
				case "(", "[", "{":
					depth++
				case ")", "]", "}":
					depth--
				}
			}
			times := map[string]int{"(": 1, "[": g.r.IntN(2), "{": g.r.IntN(3)}[tok]
			for range times {
				g.make(t, tokens[i+1:end-1])
			}
			i = end - 1
			continue
		}
		g.word(t, tok)
	}
}

func (g *grammar) word(t *testing.T, tok string) {
	pick := func(words ...string) { g.out = append(g.out, words[g.r.IntN(len(words))]) }
	switch tok {
	case "NAME":
		pick("a", "b", "user.id", "淘宝", "_", "-x", "md5.hex", "salt16", "desc", "4")
	case "NUMBER":
		pick("1", "8", "2000", "32767", "007")
	case "SIZE":
		pick("1", "4", "8")
	case "TEXT":
		pick(`'_'`, `"#"`, `"\x00\n\\\""`, `'\u00e9]'`, `"淘宝 "`)
	case "BYTE":
		pick(`' '`, `"\x00"`, `'\''`)
	case "INSTANT":
		pick("2023-05-16T00:00:00+08:00", "1970-01-01T00:00:00.000000001Z", "@-62135596801.000000000")
	case "ZONE":
		pick("UTC", "+08:00", "-03:30", "+08:05:43", "Asia/Shanghai")
	case "DURATION":
		pick("1h", "5m0s", "1.5µs", "24h0m0s")
	default:
		if text, err := strconv.Unquote(tok); err == nil {
			g.met[text] = true
			g.out = append(g.out, text)
			return
		}
		rule, ok := g.rules[tok]
		if !ok {
			t.Fatalf("the grammar does not say what %s is", tok)
		}
		g.make(t, rule)
	}
}

// glued words are one word with what follows, or with what precedes.
var (
	glueAfter  = []string{"max-", "salt", "i", "f", "-seed"}
	glueBefore = []string{"-since", "-seed", ".raw", ".hex", ".hexat"}
)

func TestGrammar(t *testing.T) {
	t.Parallel()
	g := readGrammar(t)
	g.r = rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		g.out = nil
		g.make(t, g.rules["setting"])
		if g.r.IntN(2) == 0 {
			g.out = nil
		}
		for range 1 + g.r.IntN(3) {
			g.make(t, g.rules["component"])
		}
		var b strings.Builder
		for i, tok := range g.out {
			b.WriteString(tok)
			if i+1 < len(g.out) && !slices.Contains(glueAfter, tok) && !slices.Contains(glueBefore, g.out[i+1]) {
				b.WriteString([]string{" ", "\n", " # ]\n"}[g.r.IntN(3)])
			}
		}
		layout, problem := notation.Parse(b.String(), digest.Names())
		if problem != nil && !strings.Contains(problem.Text, "stands twice") {
			t.Fatalf("%v\n%s", problem, b.String())
		}
		if problem == nil {
			printed(t, layout)
		}
		if _, err := rowkey.Parse("t", b.String()); err != nil && !errors.Is(err, rowkey.ErrSchema) { // most make no schema
			t.Fatal(err)
		}
	}

	for name := range g.rules { // what the test above leaves out
		for _, tok := range g.rules[name] {
			if text, err := strconv.Unquote(tok); err == nil && !g.met[text] && name != "sample" && name != "value" {
				t.Errorf("%s was never made", tok)
			}
		}
	}
	words := slices.Concat(notation.Words(), notation.Forms, notation.Units, digest.Names(), []string{string(notation.MaxLen)})
	for _, w := range words {
		if !g.met[w] {
			t.Errorf("%q stands not in the grammar", w)
		}
	}
}

// printed holds that what was read prints as a text that reads as the same, and
// prints the same.
func printed(t *testing.T, layout *notation.Layout) {
	t.Helper()
	var first, second strings.Builder
	for i := range layout.Components {
		if u := &layout.Components[i].Unit; u.Zone != nil {
			_, u.Offset = time.Unix(0, 0).In(u.Zone).Zone()
		}
		first.WriteString(layout.Components[i].String())
	}
	again, problem := notation.Parse(first.String(), digest.Names())
	if problem != nil {
		t.Fatalf("%s: %v", first.String(), problem)
	}
	for i := range again.Components {
		if u := &again.Components[i].Unit; u.Zone != nil {
			_, u.Offset = time.Unix(0, 0).In(u.Zone).Zone()
		}
		second.WriteString(again.Components[i].String())
	}
	if first.String() != second.String() {
		t.Fatalf("%s is printed of what prints as %s", second.String(), first.String())
	}
}
