package gen

import (
	"fmt"
	"go/format"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/code"
)

// GoTest prints the test of a schema's printed Go: trades_gen_test.go. vectors is the path of the
// file of vectors from the test's folder.
func GoTest(o GoOptions, s *code.Schema, vectors string) (File, error) {
	g := &golang{s: s, types: o.Types}
	var err error
	if g.names, err = names(s, "Go", GoName); err != nil {
		return File{}, err
	}
	T := exported(s.Name)
	g.p("func Test%sVectors(t *testing.T) {\nvar k %s // used again for all keys", T, T)
	isText := func(f *code.Comp) bool { return (f.Kind == code.String || f.Kind == code.Binary) && !f.Optional }
	if slices.ContainsFunc(s.Fields, isText) {
		g.p("var buf %sBuf", T)
	}
	g.p("rowkeytest.Vectors(t, %q, rowkeytest.Generated{", vectors)
	g.p("Schema: %sSchema(),", T)
	var fields, values, back, backBuf []string
	for i, f := range s.Fields {
		x := g.own(f, fmt.Sprintf("v[%d].(%s)", i, typeOf(f)))
		if f.Optional {
			x = fmt.Sprintf("pointer[%s](v[%d])", typeOf(f), i)
			if g.ownType(f) != typeOf(f) {
				x = fmt.Sprintf("(*%s)(%s)", g.ownType(f), x)
			}
		}
		fields, values = append(fields, g.names[f]+": "+x), append(values, x)
		if f.Optional {
			x := "k." + g.names[f]
			if g.ownType(f) != typeOf(f) {
				x = fmt.Sprintf("(*%s)(%s)", typeOf(f), x)
			}
			back = append(back, x)
		} else {
			back = append(back, g.plain(f, "k."+g.names[f]))
		}
		b := "buf." + g.names[f]
		switch {
		case isText(f) && f.Kind == code.String:
			b = "string(" + b + ")"
		case isText(f):
			b = "slices.Clone(" + b + ")"
		}
		backBuf = append(backBuf, b)
	}
	g.p("Append: func(dst []byte, v []any) ([]byte, error) {\nk := %s{%s}\nreturn k.Append(dst)\n},", T, strings.Join(fields, ", "))
	g.p("Parse: func(key []byte) ([]any, error) {\nerr := k.Parse(key)\nreturn []any{%s}, err\n},", strings.Join(back, ", "))
	if slices.ContainsFunc(s.Fields, isText) {
		g.p("Buf: func(key []byte) ([]any, error) {\nerr := buf.Parse(key)\nreturn []any{%s}, err\n},", strings.Join(backBuf, ", "))
	}
	g.p("Ranges: []func([]any) ([]rowkey.Range, []byte, error){")
	for _, p := range s.Prefixes {
		if p.Ranges == 0 {
			g.p("nil,")
			continue
		}
		g.p("func(v []any) ([]rowkey.Range, []byte, error) {\nreturn Append%sRangesBy%s(nil, nil, %s)\n},", T, byFields(s, p.Fields), strings.Join(values[:p.Fields], ", "))
	}
	g.p("},\n})\n}")
	body := g.String()
	if strings.Contains(body, "pointer[") {
		body = strings.ReplaceAll(body, "pointer[", "pointer"+T+"[") +
			fmt.Sprintf("\nfunc pointer%s[V any](v any) *V {\nif v == nil {\nreturn nil\n}\nx := v.(V)\nreturn &x\n}\n", T)
	}
	text, err := format.Source([]byte(o.head(body, "slices", "testing", "time", "", "github.com/hbase-rowkey/rowkey", "github.com/hbase-rowkey/rowkey/rowkeytest") + body))
	if err != nil {
		return File{}, fmt.Errorf("%s: %w", s.Name, err)
	}
	return File{Path: fileName(s.Name) + "_gen_test.go", Text: text}, nil
}
