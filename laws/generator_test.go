package laws

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Every option, flag, bucket rule and digest that the package exports is drawn by
// the random schemas of the laws: who adds one and not a draw of it is told here.
// One schema for each admitted pair of options is made, or of each fourth, as a run of the laws does.
func TestGeneratorDrawsEveryOption(t *testing.T) {
	long(t)
	g := newGenSource(7)
	drawn := map[string]bool{}
	note := func(s *refSchema) {
		if s.maxLen != 0 {
			drawn["MaxLen"] = true
		}
		if s.hbase {
			drawn["HBase"] = true
		}
		drawn[s.dialect] = true
		for i := range s.comps {
			c := &s.comps[i]
			drawn[c.part.digest] = true
			for _, o := range c.opts {
				drawn[o.word], drawn[o.part.digest] = true, true
			}
		}
	}
	tried := sample(t, 4)
	for i := range g.pairs {
		if tried() {
			s, _, _ := g.schema(t, i)
			note(s)
		}
	}
	// What stands beside the options of a component, and is drawn in other ways: the
	// places where a part of a digest and a unit are options, and the two hashes of
	// HBase of which the reference has no model of its own (their vectors are held).
	others := map[string]bool{"Part": true, "Unit": true, "HBaseMurmur": true, "HBaseJenkins": true}
	found := 0
	for _, name := range exportedOptions(t) {
		found++
		if name = strings.TrimPrefix(name, "interop."); !drawn[name] && !others[name] {
			t.Errorf("%s is never drawn: add it to genProbes, or where salts and hashes are made", name)
		}
	}
	require.Greater(t, found, 50)
}

// exportedOptions are the functions that give an option, the options that are values,
// the SaltRules and Digests, read from the source of the package and of package interop,
// whose names have it in front.
func exportedOptions(t *testing.T) (names []string) {
	t.Helper()
	names = optionsOf(t, ".")
	for _, name := range optionsOf(t, "interop") {
		names = append(names, "interop."+name)
	}
	return names
}

func optionsOf(t *testing.T, folder string) (names []string) {
	t.Helper()
	files := token.NewFileSet()
	matches, err := filepath.Glob(filepath.Join(folder, "*.go"))
	require.NoError(t, err)
	for _, name := range matches {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, name, nil, 0)
		require.NoError(t, err)
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.IsExported() && givesOption(d.Type) {
					names = append(names, d.Name.Name)
				}
			case *ast.GenDecl:
				names = append(names, valuesOf(d)...)
			}
		}
	}
	return names
}

// givesOption reports that a function's result is an option of some type.
func givesOption(f *ast.FuncType) bool {
	if f.Results == nil || len(f.Results.List) != 1 {
		return false
	}
	return optionTypes[lastWord(f.Results.List[0].Type)]
}

// lastWord is the name in an expression, without its package; of what is no name, "".
func lastWord(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// optionTypes are the types of options.
var optionTypes = map[string]bool{"FieldOption": true, "SaltOption": true, "FormOption": true, "SchemaOption": true}

// valuesOf are the exported constants and variables that are an option, and those
// that builtin or a conversion makes.
func valuesOf(d *ast.GenDecl) (names []string) {
	typ := ""
	for _, s := range d.Specs {
		v, ok := s.(*ast.ValueSpec)
		if !ok {
			continue
		}
		if word := lastWord(v.Type); word != "" {
			typ = word
		} else if v.Type == nil && len(v.Values) == 1 {
			typ = ""
			if call, ok := v.Values[0].(*ast.CallExpr); ok {
				typ = map[string]string{"builtin": "Digest", "SaltRule": "SaltRule", "Dialect": "Dialect"}[lastWord(call.Fun)]
			}
		}
		for _, id := range v.Names {
			if id.IsExported() && (typ == "SaltRule" || typ == "Digest" || typ == "Dialect" || optionTypes[typ]) {
				names = append(names, id.Name)
			}
		}
	}
	return names
}

// Every option of the notation's table is one that the package exports by its name
// in Go, so that its draws are held above; and what the package exports has a row.
func TestGeneratorKnowsEveryWord(t *testing.T) {
	exported := map[string]bool{}
	for _, name := range exportedOptions(t) {
		exported[name] = true
	}
	rows := map[string]bool{}
	for _, o := range notation.Options {
		rows[o.Go] = true
		if !exported[o.Go] {
			t.Errorf("no option is called %s", o.Go)
		}
	}
	for name := range exported {
		bare := strings.TrimPrefix(name, "interop.")
		if _, digest := digest.Named(strings.ToLower(bare)); !rows[name] && !digest && bare != "HBaseMurmur" && bare != "HBaseMurmur3" && bare != "HBaseJenkins" {
			t.Errorf("%s has no row in the table of options", name)
		}
	}
	require.Greater(t, len(rows), 45)
}

// What the table says that an option fits is what Build admits, alone or beside
// another option, with some parameters and in some dialect.
func TestOptionsFit(t *testing.T) {
	long(t)
	kinds := map[string]notation.Kinds{
		"String": notation.FitsString, "Binary": notation.FitsBinary, "Uint": notation.FitsUint, "Int": notation.FitsInt, "Float": notation.FitsFloat,
		"Bool": notation.FitsBool, "Time": notation.FitsTime, "Copy": notation.FitsCopy, "Salt": notation.FitsSalt, "Hash": notation.FitsHash,
	}
	admitted := map[string]notation.Kinds{}
	for _, p := range genAdmitted() {
		kind, _, _ := strings.Cut(genKinds[p.kind].name, " ")
		admitted[p.a.word] |= kinds[kind]
		admitted[p.b.word] |= kinds[kind]
	}
	for _, o := range notation.Options {
		got := admitted[strings.TrimPrefix(o.Go, "interop.")]
		if o.Of == notation.DialectOption { // which are no probes: a kind of their own has each
			continue
		}
		if want := o.Fits &^ notation.FitsNew; got != want {
			t.Errorf("%s fits %011b, the table says %011b", o.Go, got, want)
		}
	}
}
