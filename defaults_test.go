package rowkey_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey/internal/fault"
)

// otherwise are the functions that may say `default:` for what is in none of the other cases of a switch
// over a list of ours (forms, frames, words, …), and why that is right for an addition to the list.
var otherwise = func() map[string]string {
	all := map[string]string{}
	for why, places := range map[string][]string{
		"what has no fast code is left to the component, which writes and reads every form": {
			"internal/write/hot.go WriteString",
			"internal/bind/write.go Write", "internal/bind/write.go putOne", "internal/walk/op.go compile",
		},
		"it is the surer answer: more room, no order, no filter, a part that is not known": {
			"internal/bind/write.go linkMoves", "internal/layout/transform.go through", "internal/query/copy.go cutsOf", "internal/plan/fuzzy.go fuzzy",
		},
		"the other case is one error or one option, not an entry: what is in no list goes the usual way": {
			"read.go anyNumber", "internal/write/key.go Fail", "internal/layout/lay.go endBefore",
			"internal/layout/dialect.go orderedText", "internal/layout/number.go number", "internal/layout/number.go limits",
			"internal/layout/number.go binary", "internal/layout/pipeline.go optDesc", "internal/code/code.go number",
			"internal/code/code.go leads", "internal/plan/emit.go everyBucket",
		},
		"there are two roles of what stands between fields, constants and what is computed": {"internal/layout/write.go constants"},
		"where a null sorts has three entries, and the last one needs the bytes":            {"internal/piece/piece.go withoutNulls", "internal/piece/edge.go Edges"},
		"a component is a constant, a sum, a number or a text": {
			"internal/gen/gowrite.go put", "internal/gen/javabody.go write", "internal/gen/goread.go segments", "internal/gen/goread.go assign",
			"internal/gen/goread.go absent", "internal/gen/gowrite.go lengths", "internal/gen/javabody.go input",
		},
		"an input is joined from its values; what is not covered is refused by package code": {"internal/gen/goread.go verify", "internal/gen/gowrite.go lateSums", "internal/gen/gowrite.go lengths", "internal/gen/javabody.go input"},
		"it draws values for tests": {"internal/gen/vectors.go text"},
	} {
		for _, place := range places {
			all[place] = why
		}
	}
	return all
}()

// A switch over a list of ours has a case for each entry, or its default refuses, stops or leaves the
// matter to code that knows all entries. So what is added to a list without its case fails at once, and never
// writes the bytes of another entry.
func TestNoDefaultDecidesBytes(t *testing.T) {
	files := token.NewFileSet()
	var parsed []*ast.File
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && path != "internal" && !strings.HasPrefix(path, "internal"+string(filepath.Separator)):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(files, path, nil, 0)
		parsed = append(parsed, f)
		return err
	}))
	listed := map[string]bool{}
	for _, f := range parsed {
		for name := range listedIn(f) {
			listed[name] = true
		}
	}
	require.Greater(t, len(listed), 150)
	met := map[string]bool{}
	for _, f := range parsed {
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				at := deciding(n, listed)
				if at == nil {
					return true
				}
				place := files.Position(at.Pos())
				where := filepath.ToSlash(place.Filename) + " " + fn.Name.Name
				met[where] = true
				_, allowed := otherwise[where]
				assert.True(t, allowed, "%s: its default decides for every entry that has no case: give each a case, and have the default refuse", fmt.Sprintf("%s:%d %s", place.Filename, place.Line, fn.Name.Name))
				return true
			})
		}
	}
	for where := range otherwise {
		assert.True(t, met[where], "%s: no such default", where)
	}
}

// listedIn is the names of the constants of a file that stand in lists: those of a type of ours.
func listedIn(f *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, decl := range f.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.CONST || len(d.Specs) < 2 {
			continue
		}
		typed := false
		for _, spec := range d.Specs {
			v := spec.(*ast.ValueSpec)
			typed = v.Type != nil || typed && v.Values == nil
			for _, name := range v.Names {
				names[name.Name] = names[name.Name] || typed
			}
		}
	}
	for name, typed := range names {
		if !typed {
			delete(names, name)
		}
	}
	return names
}

// deciding is the default of a switch over a list, if it does anything but refuse or stop.
func deciding(n ast.Node, listed map[string]bool) (at *ast.CaseClause) {
	var body *ast.BlockStmt
	asks := false
	switch s := n.(type) {
	case *ast.SwitchStmt:
		body = s.Body
		for _, c := range body.List {
			for _, e := range c.(*ast.CaseClause).List {
				asks = asks || asksList(e, s.Tag != nil, listed)
			}
		}
	case *ast.TypeSwitchStmt:
		body, asks = s.Body, true
	}
	if !asks {
		return nil
	}
	for _, c := range body.List {
		if c := c.(*ast.CaseClause); c.List == nil && !stops(c.Body) {
			at = c
		}
	}
	return at
}

// asksList reports that a case is an entry of a list, or compares with one.
func asksList(e ast.Expr, tagged bool, listed map[string]bool) bool {
	if tagged {
		return listed[lastName(e)]
	}
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ || b.Op == token.GEQ) {
			found = found || listed[lastName(b.X)] || listed[lastName(b.Y)]
		}
		return true
	})
	return found
}

// lastName is the name at the end of an expression, such as FrameNul of layout.FrameNul.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// stops reports that a default refuses: it panics, goes on with the next turn of a loop, or returns
// nothing but constants, errors and texts of what is wrong.
func stops(body []ast.Stmt) bool {
	if len(body) == 0 {
		return true
	}
	if len(body) > 1 {
		return false
	}
	switch s := body[0].(type) {
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		return ok && slices.Contains([]string{"panic", "Fail"}, lastName(call.Fun))
	case *ast.ReturnStmt:
		return !slices.ContainsFunc(s.Results, func(e ast.Expr) bool { return !refuses(e) })
	}
	return false
}

// refuses reports that a result of a return is what a refusal has: false, nil, 0, −1, "", what came in, an
// error, or a text with words in it.
func refuses(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.BasicLit:
		return e.Value == "0" || e.Kind == token.STRING
	case *ast.UnaryExpr:
		return e.Op == token.SUB
	case *ast.BinaryExpr:
		return e.Op == token.ADD && (refuses(e.X) || refuses(e.Y))
	case *ast.SelectorExpr:
		return strings.HasPrefix(e.Sel.Name, "Err")
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.CallExpr:
		return slices.Contains([]string{"Sprintf", "Errorf", "bad", "misfit", "notA"}, lastName(e.Fun))
	}
	return false
}

// TestReasonsAll: every reason of errors.go is in the list by which the error of a caller's step hides none of them.
func TestReasonsAll(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "errors.go", nil, 0)
	require.NoError(t, err)
	n := 0
	for _, decl := range file.Decls {
		vars, ok := decl.(*ast.GenDecl)
		for i := 0; ok && i < len(vars.Specs); i++ {
			if v, ok := vars.Specs[i].(*ast.ValueSpec); ok && strings.HasPrefix(v.Names[0].Name, "Err") {
				n++
			}
		}
	}
	assert.Len(t, fault.Reasons, n)
	for i, r := range fault.Reasons {
		assert.Equal(t, i, slices.Index(fault.Reasons, r), r.Error())
	}
}
