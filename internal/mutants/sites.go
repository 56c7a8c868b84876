package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"go/ast"
	"go/constant"
	"go/printer"
	"go/token"
	"go/types"
	"strings"
)

// The ways in which a mutant is wrong.
const (
	negate = "negate" // a condition: if c, for c
	edge   = "edge"   // < for <=, == for != …
	more   = "more"   // a number and 1
	less   = "less"   // a number less 1
	logic  = "logic"  // && for ||
	arith  = "arith"  // + for -, & for |, << for >>
	remove = "remove" // a statement
	flip   = "flip"   // a returned boolean, or a true or false that stands in the code
	noErr  = "noerr"  // a returned error
)

var operators = []string{negate, edge, more, less, logic, arith, remove, flip, noErr}

// A site is a place that a mutant changes. Which mutant a program is, it finds in its
// environment: mutant is that number, and all of them stand in one program.
type site struct {
	key      string // what names it, while the code around it changes
	op       string
	pack     string // the import path
	file     string
	from, to int                             // offsets in the file
	edit     func(n int, text string) string // the text with the mutant n in it
	line     int
}

// helpers stands in each package that has mutants. With ROWKEY_MUTANT_TRACE it notes which
// tests come by which place: of its visits the 1st, 2nd, 4th, 8th …
const helpers = `
import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
)

var mutant = func() int { n, _ := strconv.Atoi(os.Getenv("ROWKEY_MUTANT")); return n }()

func mutantIs(n int) bool {
	if mutantTrace != nil {
		mutantTrace(n)
	}
	return mutant == n
}

func mutantOf[T any](n int, right, wrong T) T {
	if mutantIs(n) {
		return wrong
	}
	return right
}

var mutantTrace = func() func(int) {
	name := os.Getenv("ROWKEY_MUTANT_TRACE")
	if name == "" {
		return nil
	}
	out, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	var visits [4096]atomic.Int64
	var mu sync.Mutex
	test := regexp.MustCompile("[.]((?:Test|Fuzz|Example)[A-Z_0-9]?[A-Za-z0-9_]*)")
	seen := map[string]bool{}
	return func(n int) {
		if v := visits[n].Add(1); v&(v-1) != 0 {
			return
		}
		pcs := make([]uintptr, 200)
		frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
		by := ""
		for {
			f, more := frames.Next()
			if m := test.FindStringSubmatch(f.Function); m != nil {
				by = m[1]
			}
			if !more {
				break
			}
		}
		if by == "" { // a variable's value, or a goroutine
			by = "-"
		}
		mu.Lock()
		defer mu.Unlock()
		if line := fmt.Sprintln(n, by); !seen[line] {
			seen[line] = true
			out.WriteString(line)
		}
	}
}()
`

var edges = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR, token.EQL: token.NEQ, token.NEQ: token.EQL,
}

var ariths = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD, token.AND: token.OR, token.OR: token.AND, token.SHL: token.SHR, token.SHR: token.SHL,
}

// finder walks one function.
type finder struct {
	fset  *token.FileSet
	info  *types.Info
	pkg   *types.Package
	file  string
	fn    string
	seen  map[string]int
	sites []site
}

func (f *finder) add(op string, n ast.Node, edit func(n int, text string) string) {
	var text strings.Builder
	printer.Fprint(&text, f.fset, n)
	words := strings.Join(strings.Fields(text.String()), " ")
	if len(words) > 60 {
		words = words[:60]
	}
	key := fmt.Sprintf("%s %s %s %q", f.file, f.fn, op, words)
	f.seen[key]++
	if k := f.seen[key]; k > 1 {
		key = fmt.Sprintf("%s #%d", key, k)
	}
	at := f.fset.Position(n.Pos())
	f.sites = append(f.sites, site{key: key, op: op, pack: f.pkg.Path(), file: f.file, from: at.Offset, to: f.fset.Position(n.End()).Offset, edit: edit, line: at.Line})
}

func (f *finder) function(d *ast.FuncDecl) {
	f.fn = d.Name.Name
	if d.Recv != nil {
		f.fn = strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*") + "." + f.fn
	}
	f.block(d.Body.List, f.info.Defs[d.Name].Type().(*types.Signature))
}

func (f *finder) block(list []ast.Stmt, sig *types.Signature) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				f.removal(s)
			}
		case *ast.IncDecStmt, *ast.ExprStmt:
			f.removal(s)
		case *ast.BranchStmt:
			if s.Tok == token.BREAK || s.Tok == token.CONTINUE {
				f.removal(s)
			}
		}
		f.inside(s, sig)
	}
}

func (f *finder) removal(s ast.Stmt) {
	f.add(remove, s, func(n int, text string) string { return fmt.Sprintf("if !mutantIs(%d) { %s }", n, text) })
}

// inside finds the sites below a node.
func (f *finder) inside(n ast.Node, sig *types.Signature) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			f.block(n.Body.List, f.info.Types[n].Type.(*types.Signature))
			return false
		case *ast.BlockStmt:
			f.block(n.List, sig)
			return false
		case *ast.CaseClause:
			for _, e := range n.List {
				if f.info.Types[e].Value == nil && !f.info.Types[e].IsType() {
					f.inside(e, sig)
				}
			}
			f.block(n.Body, sig)
			return false
		case *ast.CommClause:
			f.block(n.Body, sig)
			return false
		case *ast.IfStmt:
			f.condition(n.Cond)
		case *ast.ForStmt:
			f.condition(n.Cond)
		case *ast.ReturnStmt:
			f.returned(n, sig)
		case *ast.ArrayType:
			return false
		case *ast.GenDecl:
			return n.Tok == token.VAR
		case *ast.KeyValueExpr:
			if f.info.Types[n.Key].Value != nil {
				f.inside(n.Value, sig)
				return false
			}
		case ast.Expr:
			return f.expression(n)
		}
		return true
	})
}

func (f *finder) condition(e ast.Expr) {
	if e != nil && f.info.Types[e].Value == nil {
		f.add(negate, e, func(n int, text string) string { return fmt.Sprintf("(%s) != mutantIs(%d)", text, n) })
	}
}

func (f *finder) returned(s *ast.ReturnStmt, sig *types.Signature) {
	if len(s.Results) != sig.Results().Len() {
		return
	}
	for i, e := range s.Results {
		switch t := sig.Results().At(i).Type(); {
		case t == types.Typ[types.Bool] && f.info.Types[e].Value == nil:
			f.add(flip, e, func(n int, text string) string { return fmt.Sprintf("(%s) != mutantIs(%d)", text, n) })
		case types.Identical(t, types.Universe.Lookup("error").Type()) && !f.info.Types[e].IsNil():
			f.add(noErr, e, func(n int, text string) string { return fmt.Sprintf("mutantOf[error](%d, %s, nil)", n, text) })
		}
	}
}

// expression reports whether there may be sites below e.
func (f *finder) expression(e ast.Expr) bool {
	tv := f.info.Types[e]
	if tv.IsType() {
		return false
	}
	if tv.Value != nil {
		if tv.Value.Kind() == constant.Int && written(e) {
			f.constant(e, tv)
		}
		if id, ok := e.(*ast.Ident); ok && tv.Value.Kind() == constant.Bool && (id.Name == "true" || id.Name == "false") {
			f.add(flip, e, func(n int, text string) string { return fmt.Sprintf("(%s != mutantIs(%d))", text, n) })
		}
		return false
	}
	b, ok := e.(*ast.BinaryExpr)
	if !ok {
		return true
	}
	other := func(tok token.Token) func(string) string {
		at := f.fset.Position(b.OpPos).Offset - f.fset.Position(b.Pos()).Offset
		return func(text string) string { return text[:at] + tok.String() + text[at+len(b.Op.String()):] }
	}
	switch {
	case b.Op == token.LAND || b.Op == token.LOR:
		swap := other(map[token.Token]token.Token{token.LAND: token.LOR, token.LOR: token.LAND}[b.Op])
		f.add(logic, b, func(n int, text string) string {
			return fmt.Sprintf("(mutantIs(%d) && (%s) || !mutantIs(%d) && (%s))", n, swap(text), n, text)
		})
	case edges[b.Op] != 0:
		swap := other(edges[b.Op])
		f.add(edge, b, func(n int, text string) string {
			return fmt.Sprintf("(mutantIs(%d) && (%s) || !mutantIs(%d) && (%s))", n, swap(text), n, text)
		})
	case ariths[b.Op] != 0 && f.pure(b):
		swap := other(ariths[b.Op])
		if t, ok := f.named(tv.Type); ok {
			f.add(arith, b, func(n int, text string) string {
				return fmt.Sprintf("mutantOf[%s](%d, %s, %s)", t, n, text, swap(text))
			})
		}
	}
	return true
}

func integer(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0 && b.Info()&types.IsUntyped == 0
}

// pure is whether an expression may be computed twice.
func (f *finder) pure(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			t := f.info.Types[n.Fun]
			ok = ok && (t.IsType() || t.IsBuiltin())
		case *ast.FuncLit:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		}
		return ok
	})
	return ok
}

// written is whether a constant is a number that stands here, and not a name.
func written(e ast.Expr) bool {
	ok := false
	ast.Inspect(e, func(n ast.Node) bool {
		l, is := n.(*ast.BasicLit)
		ok = ok || is && (l.Kind == token.INT || l.Kind == token.CHAR)
		return true
	})
	return ok
}

func (f *finder) constant(e ast.Expr, tv types.TypeAndValue) {
	t, ok := f.named(tv.Type)
	if !ok {
		return
	}
	for op, delta := range map[string]int64{more: 1, less: -1} {
		wrong := constant.BinaryOp(tv.Value, token.ADD, constant.MakeInt64(delta))
		if fits(wrong, tv.Type.Underlying().(*types.Basic)) {
			f.add(op, e, func(n int, text string) string { return fmt.Sprintf("mutantOf[%s](%d, %s, %s)", t, n, text, wrong) })
		}
	}
}

// named is how code of this package names a type of whole numbers.
func (f *finder) named(t types.Type) (string, bool) {
	if !integer(t) {
		return "", false
	}
	switch t := t.(type) {
	case *types.Basic:
	case *types.Named:
		if t.Obj().Parent() != f.pkg.Scope() {
			return "", false
		}
	default:
		return "", false
	}
	return types.TypeString(t, types.RelativeTo(f.pkg)), true
}

// fits is whether a type has the number.
func fits(v constant.Value, b *types.Basic) bool {
	bits := map[types.BasicKind]int{types.Int8: 8, types.Uint8: 8, types.Int16: 16, types.Uint16: 16, types.Int32: 32, types.Uint32: 32}[b.Kind()]
	if bits == 0 {
		bits = 64
	}
	if b.Info()&types.IsUnsigned != 0 {
		return constant.Sign(v) >= 0 && constant.BitLen(v) <= bits
	}
	n, exact := constant.Int64Val(v)
	return exact && n >= -1<<(bits-1) && n <= 1<<(bits-1)-1
}

func hash(s string) uint64 {
	sum := sha256.Sum256([]byte(s))
	return binary.BigEndian.Uint64(sum[:])
}
