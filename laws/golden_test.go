package laws

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/parser"
	"iter"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Law 8: the same bytes on every platform, in every version. The files were made
// once, by the slow reference; they change only by additions. Each of their
// blocks is a declaration, as Go text, and rows of it with their keys in
// hexadecimal.

const (
	goldenFile     = "testdata/golden.txt"
	goldenDialects = "testdata/golden_dialects.txt"
	goldenNulls    = "testdata/golden_nulls.txt"
)

func TestLawFrozenBytes(t *testing.T) {
	for _, file := range []string{goldenFile, goldenDialects, goldenNulls} {
		t.Run(file, func(t *testing.T) { goldenCheck(t, file) })
	}
}

// goldenBlocks are the schemas of a golden file, each with its lines.
func goldenBlocks(t *testing.T, file string) iter.Seq2[*refSchema, []string] {
	text, err := readFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func(*refSchema, []string) bool) {
		for block := range strings.SplitSeq(string(text), "\n\n") {
			lines := strings.Split(strings.TrimSpace(block), "\n")
			if strings.HasPrefix(lines[0], "#") {
				continue
			}
			s, err := goldenSchema(lines[0])
			if err != nil {
				t.Fatalf("%s: %v", lines[0], err)
			}
			if !yield(s, lines[1:]) {
				return
			}
		}
	}
}

func goldenCheck(t *testing.T, file string) {
	if os.Getenv("ROWKEY_GOLDEN") == "new" {
		goldenWrite(t, file)
	}
	schemas, keys := 0, 0
	for s, lines := range goldenBlocks(t, file) {
		schemas++
		built, err := s.build()
		if err != nil {
			t.Errorf("%s: %v", s, err)
			continue
		}
		for _, line := range lines {
			keys++
			values, digits, _ := strings.Cut(line, " = ")
			row, err := goldenRow(values)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			want, err := hex.DecodeString(digits)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if got, err := built.AppendKey(nil, row.plain()...); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s\n%s\ngot  %x %v\nwant %x", s, row, got, err, want)
			}
			if _, err := built.Decode(want); err != nil && !s.has("Loose") {
				t.Errorf("%s\n%s\nDecode(%x): %v", s, row, want, err)
			}
		}
	}
	t.Logf("%d keys of %d schemas", keys, schemas)
	if schemas < 150 || keys < 600 {
		t.Errorf("%s has %d keys of %d schemas only", file, keys, schemas)
	}
}

// goldenWrite makes the file where there is none. It never replaces one: a
// changed byte is a broken table.
func goldenWrite(t *testing.T, file string) {
	var b strings.Builder
	b.WriteString("# Declarations, values and the keys they have, for ever. Made by the slow reference in\n" +
		"# reference_test.go, not by the package. Add blocks; never change one.\n")
	g := newGenSource(20240516)
	schemas := 320
	switch file {
	case goldenDialects:
		schemas = 240
		g.pairs = slices.DeleteFunc(slices.Clone(g.pairs), func(p genPair) bool { return genKinds[p.kind].dialect == "" })
	case goldenNulls:
		schemas = 160
		g.pairs = slices.DeleteFunc(slices.Clone(g.pairs), func(p genPair) bool { return p.a.word != "Optional" && p.b.word != "Optional" })
	}
	for n := range schemas {
		s, _, r := g.schema(t, n*len(g.pairs)/schemas)
		lines := goldenRows(r, s)
		if len(lines) > 0 {
			fmt.Fprintf(&b, "\n%s\n%s\n", s, strings.Join(lines, "\n"))
		}
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(b.String()); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func goldenRows(r *rand.Rand, s *refSchema) []string {
	var lines []string
	for range 200 {
		row := genRow(r, s)
		if key := s.encode(row); len(key.faults) == 0 && len(key.bytes) < 200 {
			lines = append(lines, fmt.Sprintf("%s = %x", row, key.bytes))
		}
		if len(lines) == 5 {
			break
		}
	}
	return lines
}

// ---- reading Go text back into a schema

// A goldenReader turns the text of a declaration, which refSchema.String wrote,
// back into data. It panics with a goldenError on anything else.
type goldenReader struct{ text string }

type goldenError struct{ error }

func goldenSchema(text string) (s *refSchema, err error) {
	defer goldenCatch(&err)
	expr, err := parser.ParseExpr(text)
	if err != nil {
		return nil, err
	}
	g := goldenReader{text}
	calls := g.chain(expr)
	s = &refSchema{name: g.str(calls[0].Args[0])}
	for _, arg := range calls[0].Args[1:] {
		switch word, args := g.call(arg); word {
		case "HBase":
			s.hbase = true
		case "OrderedBytes", "Phoenix":
			s.dialect = word
		case "MaxLen":
			s.maxLen = g.int(args[0])
		default:
			g.bad(arg)
		}
	}
	for _, call := range calls[1:] {
		s.comps = append(s.comps, g.comp(call))
	}
	return s, nil
}

// goldenRow reads the values of a row.
func goldenRow(text string) (row refRow, err error) {
	defer goldenCatch(&err)
	text = "row(" + text + ")"
	expr, err := parser.ParseExpr(text)
	if err != nil {
		return nil, err
	}
	g := goldenReader{text}
	for _, arg := range expr.(*ast.CallExpr).Args {
		row = append(row, g.value(arg))
	}
	return row, nil
}

func goldenCatch(err *error) {
	switch p := recover().(type) {
	case nil:
	case goldenError:
		*err = p
	default:
		panic(p)
	}
}

func (g goldenReader) bad(e ast.Expr) {
	panic(goldenError{fmt.Errorf("cannot read %s", g.source(e))})
}

func (g goldenReader) source(e ast.Expr) string { return g.text[e.Pos()-1 : e.End()-1] }

// chain is the calls of New(…).A(…).B(…) from left to right.
func (g goldenReader) chain(e ast.Expr) []*ast.CallExpr {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		g.bad(e)
	}
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		return append(g.chain(sel.X), call)
	}
	return []*ast.CallExpr{call}
}

// call is the last word of an expression and its arguments, if it has any.
func (g goldenReader) call(e ast.Expr) (word string, args []ast.Expr) {
	if call, ok := e.(*ast.CallExpr); ok {
		word, _ = g.call(call.Fun)
		return word, call.Args
	}
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name, nil
	case *ast.SelectorExpr:
		return e.Sel.Name, nil
	}
	return "", nil
}

func (g goldenReader) int(e ast.Expr) int { return int(g.int64(e)) }

func (g goldenReader) int64(e ast.Expr) int64 {
	n, err := strconv.ParseInt(g.source(e), 0, 64)
	if err != nil {
		g.bad(e)
	}
	return n
}

func (g goldenReader) str(e ast.Expr) string {
	s, err := strconv.Unquote(g.source(e))
	if err != nil {
		g.bad(e)
	}
	return s
}

func (g goldenReader) strs(list []ast.Expr) []string {
	var out []string
	for _, e := range list {
		out = append(out, g.str(e))
	}
	return out
}

func (g goldenReader) comp(call *ast.CallExpr) refComp {
	word, args := g.call(call)
	c := refComp{word: word}
	first := 1
	switch word {
	case "Separator", "Literal":
		c.text = g.str(args[0])
	case "String", "Binary", "Bool":
		c.name = g.str(args[0])
	case "Uint", "Int", "Float":
		c.name, c.size, first = g.str(args[0]), g.int(args[1]), 2
	case "Time":
		c.name, c.unit, first = g.str(args[0]), g.unit(args[1]), 2
	case "Copy":
		c.name, c.of, first = g.str(args[0]), g.str(args[1]), 2
	case "Salt":
		c.buckets, c.in, first = g.int(args[0]), g.input(args[1]), 2
	case "Hash":
		c.part, c.in, first = g.part(args[0]), g.input(args[1]), 2
	default:
		g.bad(call)
	}
	for _, e := range args[first:] {
		c.opts = append(c.opts, g.opt(e))
	}
	return c
}

func (g goldenReader) opt(e ast.Expr) refOpt {
	word, args := g.call(e)
	o := refOpt{word: word}
	switch word {
	case "Width", "Digits", "HexDigits", "Below", "Fixed", "Left", "Right", "MinLen", "LenPrefix":
		o.n = g.int(args[0])
	case "Years", "ReversePart", "Precision":
		o.n, o.m = g.int(args[0]), g.int(args[1])
	case "Pad", "PadLeft":
		o.n, o.b = g.int(args[0]), byte(g.int(args[1]))
	case "Chars", "Letters", "ReverseLabels", "Named":
		o.text = g.str(args[0])
	case "Via":
		if o.text, _ = g.call(args[0]); testVias[o.text] == nil {
			g.bad(e)
		}
	case "Truncate":
		o.step = time.Duration(g.int64(args[0]))
	case "OneOf":
		o.list = g.strs(args)
	case "Codes":
		for _, e := range args[0].(*ast.CompositeLit).Elts {
			pair := e.(*ast.KeyValueExpr)
			o.list = append(o.list, g.str(pair.Key), g.str(pair.Value))
		}
	case "Hex", "HexAt", "Raw", "Upper":
		o.word, o.part = "part", g.part(e)
	case "Layout", "Since":
		o.word, o.unit = "unit", g.unit(e)
	default:
		if _, ok := refSteps[word]; ok {
			o.word, o.unit = "unit", g.unit(e)
		} else if _, ok := refFlags[word]; !ok {
			g.bad(e)
		}
	}
	return o
}

func (g goldenReader) unit(e ast.Expr) refUnit {
	word, args := g.call(e)
	switch word {
	case "Since":
		u := g.unit(e.(*ast.CallExpr).Fun.(*ast.SelectorExpr).X)
		_, instant := g.call(args[0])
		u.since, u.nanos = g.int64(instant[0]), g.int64(instant[1])
		return u
	case "Layout":
		_, zone := g.call(args[1])
		return refUnit{word: word, layout: g.str(args[0]), zone: g.int(zone[1])}
	}
	return refUnit{word: word}
}

func (g goldenReader) part(e ast.Expr) refPart {
	word, args := g.call(e)
	of := e.(*ast.CallExpr).Fun.(*ast.SelectorExpr).X
	if word == "Upper" {
		p := g.part(of)
		p.upper = true
		return p
	}
	digest, seed := g.call(of)
	p := refPart{digest: digest, word: word, n: g.int(args[len(args)-1])}
	if digest == "Seed" {
		p.seed = g.source(seed[0])
		p.digest, _ = g.call(of.(*ast.CallExpr).Fun.(*ast.SelectorExpr).X)
	}
	if word == "HexAt" {
		p.at = g.int(args[0])
	}
	return p
}

func (g goldenReader) input(e ast.Expr) refInput {
	switch word, args := g.call(e); word {
	case "":
		return refInput{fields: []string{g.str(e)}}
	case "Format":
		return refInput{word: word, format: g.str(args[0]), fields: g.strs(args[1:])}
	default:
		return refInput{word: word, fields: g.strs(args)}
	}
}

func (g goldenReader) value(e ast.Expr) any {
	word, args := g.call(e)
	switch word {
	case "":
		return g.str(e)
	case "true", "false":
		return word == "true"
	case "null":
		return refNull{}
	case "uint64":
		n, err := strconv.ParseUint(g.source(args[0]), 10, 64)
		if err != nil {
			g.bad(e)
		}
		return n
	case "int64":
		return g.int64(args[0])
	case "float64":
		x, err := strconv.ParseFloat(g.source(args[0]), 64)
		if err != nil {
			g.bad(e)
		}
		return x
	case "Unix":
		return time.Unix(g.int64(args[0]), g.int64(args[1]))
	case "number":
		return refNumber(g.str(args[0]))
	}
	g.bad(e)
	return nil
}

// What the reader reads is what the writer wrote, for declarations of all kinds.
func TestGoldenReader(t *testing.T) {
	long(t)
	t.Parallel()
	g := newGenSource(1)
	for i := range g.pairs {
		s, _, r := g.schema(t, i)
		back, err := goldenSchema(s.String())
		if err != nil || back.String() != s.String() {
			t.Fatalf("%s\n%s %v", s, back, err)
		}
		row := genRow(r, s)
		if again, err := goldenRow(row.String()); err != nil || again.String() != row.String() {
			t.Fatalf("%s\n%s %v", row, again, err)
		}
	}
	for _, text := range []string{"", "1", `New("a").Wat("b")`, `New("a").Uint("b", x)`, `New("a", 3)`} {
		if s, err := goldenSchema(text); err == nil {
			t.Errorf("%q was read as %s", text, s)
		}
	}
}
