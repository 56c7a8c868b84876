package command

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/pattern"
	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/hbase-rowkey/rowkey"
	ir "github.com/hbase-rowkey/rowkey/internal/code"
	"github.com/hbase-rowkey/rowkey/internal/compare"
	"github.com/hbase-rowkey/rowkey/internal/gen"
	"github.com/hbase-rowkey/rowkey/internal/inside"
	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"
)

// genConfig says what rowkey gen writes, by its flags or in a rowkey.yaml:
//
//	gen:
//	  go: {dir: keys, package: keys}
//	  java: {dir: src/main/java, package: com.acme.keys}
//	  vectors: testdata
//	  schemas: [trades]
//
// A path of a rowkey.yaml is relative to the folder of that file, one of a flag to the current one.
type genConfig struct {
	base                 string // the folder in which vectors lie if nothing says where; empty: the current one
	goDir, goPackage     string
	javaDir, javaTests   string
	javaPackage, vectors string
	standalone, types    bool
	schemas              []string // of a rowkey.yaml
}

// vectorRows is for how many rows vectors are written.
const vectorRows = 60

func (a *app) genCommand() *cobra.Command {
	var g genConfig
	var from string
	var check bool
	c := &cobra.Command{
		Use:   "gen [-s NAME=NOTATION…] [--go DIR] [--java DIR] [flags] | gen --from PACKAGE [VARIABLE…] [flags]",
		Short: "Print Go and Java that write, read and bound the keys of a schema",
		Long: `Print code that writes, reads and bounds the keys of a schema without looking at the schema: straight
Go, and Java 8 without dependencies. Both agree with the library on
every byte, every refusal and every range. Vectors, which are files of keys and values, and a test
in each language hold them to it. Commit what is written.

Without -s the section gen of rowkey.yaml says what to print; with it, where the code goes if no flag
does. --from prints a schema that is declared in Go, as an exported variable of a package. --check writes nothing, and exits with 1 and the
difference if a file is not what would be written: for CI. Where the vectors that exist are of a layout
with other keys, both say so: the table may have rows.`,
		Example: `  rowkey gen -s "trades=[salt16(seller)][seller]['_'][max-ms(at)][order:8]" --go keys --java src/main/java --java-package com.acme.keys
  rowkey gen --from ./tables Trades --go keys
  rowkey gen --check`,
	}
	a.takesSchemas(c)
	f := c.Flags()
	f.Lookup("schema").Usage = "`notation` of a schema, name=notation, or its name in rowkey.yaml; may be said again"
	f.Var(&filled{text: &g.goDir, empty: errNoFolder}, "go", "`folder` of the Go code")
	f.Var(&filled{text: &g.goPackage, empty: errNoPackage}, "package", "`name` of the Go package (default: of its folder)")
	f.BoolVar(&g.types, "types", false, "in Go each field but a time has a type of its own, such as TradesSeller")
	f.Var(&filled{text: &g.javaDir, empty: errNoFolder}, "java", "`folder` of the Java code, in which its package has its folders")
	f.Var(&filled{text: &g.javaPackage, empty: errNoPackage}, "java-package", "`name` of the Java package")
	f.Var(&filled{text: &g.javaTests, empty: errNoFolder}, "java-tests", "`folder` of the Java tests (default: src/test/java beside src/main/java, else that of --java)")
	f.BoolVar(&g.standalone, "standalone", false, "each Java class in one file that needs no other")
	f.Var(&filled{text: &g.vectors, empty: errNoFolder}, "vectors", "`folder` of the vectors (default: testdata in the folder of --go; without Go, in that of rowkey.yaml or the current one)")
	f.Var(&filled{text: &from, empty: errNoPackage}, "from", "Go `package` whose exported variables are the schemas, such as ./tables")
	f.BoolVar(&check, "check", false, "write nothing: exit 1 if a file is not what would be written")
	c.RunE = func(c *cobra.Command, args []string) error {
		if from == "" && len(args) > 0 {
			return fmt.Errorf("expected no arguments, not %s: schemas are given by -s, or by --from", said.Shown(args[0]))
		}
		schemas, err := a.genSchemas(&g, from, args)
		if err != nil {
			return err
		}
		switch { // without both g.files says what is missing
		case g.goDir == "" && g.javaDir != "":
			err = unused(c, "without --go", "package", "types")
		case g.javaDir == "" && g.goDir != "":
			err = unused(c, "without --java", "java-package", "java-tests", "standalone")
		}
		if err != nil {
			return err
		}
		files, err := g.files(schemas)
		if err != nil {
			return err
		}
		changed := layoutsChanged(schemas, files)
		if check {
			return a.checkFiles(files, changed)
		}
		if err := a.writeFiles(files); err != nil {
			return err
		}
		for _, c := range changed {
			a.complain(errors.New(c.text()))
		}
		return nil
	}
	return c
}

// genSchemas are the schemas to print. Without -s and --from the section gen of rowkey.yaml names
// them, and gives what the flags leave out. With them it says where the code goes, if no flag does.
func (a *app) genSchemas(g *genConfig, from string, variables []string) ([]*rowkey.Schema, error) {
	asked := len(a.flags.schemas) > 0 || a.flags.file != ""
	var c config
	if !asked && from == "" || g.goDir == "" && g.javaDir == "" {
		var err error
		if c, err = a.config(); err != nil {
			return nil, err
		}
		g.fill(&c)
	}
	if from != "" {
		if asked {
			return nil, errors.New("--from and -s: give one of them")
		}
		return declaredIn(from, variables)
	}
	if !asked {
		if a.flags.schemas = c.gen.schemas; len(a.flags.schemas) == 0 {
			all, _, err := a.configured()
			if err != nil {
				return nil, err
			}
			a.flags.schemas = names(all)
		}
		if len(a.flags.schemas) == 0 {
			return nil, fmt.Errorf("no schema: give -s NAME=NOTATION, or schemas in %s", cmp.Or(c.path, configName))
		}
	}
	loaded, err := a.loadAll()
	if err != nil {
		return nil, err
	}
	var all []*rowkey.Schema
	for _, n := range loaded {
		if n.name == "" {
			return nil, fmt.Errorf("-s %s: code needs a name: say trades=%s", n.Schema, n.Schema)
		}
		s, err := rowkey.Parse(n.name, n.Schema.String()) // errors of printed code say this name
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// fill sets what the flags leave out to what a rowkey.yaml says.
func (g *genConfig) fill(c *config) {
	dir, yaml := filepath.Dir(c.path), &c.gen
	beside := func(to *string, path string) {
		if path = filepath.FromSlash(path); *to == "" && path != "" {
			if *to = path; !filepath.IsAbs(path) {
				*to = filepath.Join(dir, path)
			}
		}
	}
	if g.goDir == "" && g.javaDir == "" {
		beside(&g.goDir, yaml.goDir)
		beside(&g.javaDir, yaml.javaDir)
		if c.path != "" {
			g.base = dir
		}
	}
	beside(&g.javaTests, yaml.javaTests)
	beside(&g.vectors, yaml.vectors)
	g.goPackage = cmp.Or(g.goPackage, yaml.goPackage)
	g.javaPackage = cmp.Or(g.javaPackage, yaml.javaPackage)
	g.standalone, g.types = g.standalone || yaml.standalone, g.types || yaml.types
}

// read reads a section gen.
func (g *genConfig) read(v *yaml.Node) error {
	return eachPair(v, "gen", func(key string, at, v *yaml.Node) (err error) {
		switch key {
		case "go":
			return eachPair(v, "go", func(key string, at, v *yaml.Node) (err error) {
				switch key {
				case "dir":
					g.goDir, err = scalar(v, key)
				case "package":
					g.goPackage, err = scalar(v, key)
				case "types":
					err = v.Decode(&g.types)
				default:
					err = fmt.Errorf("line %d: expected dir, package or types, not %q", at.Line, key)
				}
				return err
			})
		case "java":
			return eachPair(v, "java", func(key string, at, v *yaml.Node) (err error) {
				switch key {
				case "dir":
					g.javaDir, err = scalar(v, key)
				case "tests":
					g.javaTests, err = scalar(v, key)
				case "package":
					g.javaPackage, err = scalar(v, key)
				case "standalone":
					err = v.Decode(&g.standalone)
				default:
					err = fmt.Errorf("line %d: expected dir, tests, package or standalone, not %q", at.Line, key)
				}
				return err
			})
		case "vectors":
			g.vectors, err = scalar(v, key)
		case "schemas":
			if v.Decode(&g.schemas) != nil {
				err = fmt.Errorf("line %d: expected a list of names of schemas", at.Line)
			}
			for i, name := range g.schemas {
				if slices.Contains(g.schemas[:i], name) {
					err = fmt.Errorf("line %d: %s stands twice", at.Line, said.Shown(name))
				}
			}
		default:
			err = fmt.Errorf("line %d: expected go, java, vectors or schemas, not %q", at.Line, key)
		}
		return err
	})
}

var javaPackageName = pattern.New(`^[\pL_][\pL\pN_]*(\.[\pL_][\pL\pN_]*)*$`)

// noPackages are names of Go of which no package is compiled: go leaves out the files of the second.
var noPackages = []string{"_", "documentation"}

// settle sets what is left out.
func (g *genConfig) settle() error {
	if g.goDir == "" && g.javaDir == "" {
		return errors.New("neither --go nor --java: say where the code goes, or write a section gen into rowkey.yaml")
	}
	if g.goPackage == "" && g.goDir != "" {
		dir, err := filepath.Abs(g.goDir)
		if err != nil {
			return err
		}
		g.goPackage = strings.ToLower(filepath.Base(dir))
	}
	if g.goDir != "" && !token.IsIdentifier(g.goPackage) {
		return fmt.Errorf("--package %s: expected a name of Go", said.Shown(g.goPackage))
	}
	if g.goDir != "" && slices.Contains(noPackages, g.goPackage) {
		return fmt.Errorf("--package %s: go compiles no package of this name", said.Shown(g.goPackage))
	}
	if g.javaPackage != "" && !javaPackageName.MatchString(g.javaPackage) {
		return fmt.Errorf("--java-package %s: expected names with points between them, as com.acme.keys", said.Shown(g.javaPackage))
	}
	for _, name := range strings.Split(g.javaPackage, ".") {
		if slices.Contains(gen.JavaWords, name) {
			return fmt.Errorf("--java-package %s: %s is a word of Java", said.Shown(g.javaPackage), name)
		}
	}
	if name, _, _ := strings.Cut(g.javaPackage, "."); name == "java" { // no class loader takes one
		return fmt.Errorf("--java-package %s: packages of java are Java's own", said.Shown(g.javaPackage))
	}
	if g.vectors == "" {
		g.vectors = filepath.Join(cmp.Or(g.goDir, g.base), "testdata")
	}
	if g.javaTests == "" {
		g.javaTests = g.javaDir
		if dir := filepath.ToSlash(filepath.Clean(g.javaDir)); dir == "src/main/java" || strings.HasSuffix(dir, "/src/main/java") {
			g.javaTests = filepath.FromSlash(strings.TrimSuffix(dir, "main/java") + "test/java")
		}
	}
	return nil
}

// files are the files to write, by their paths.
func (g *genConfig) files(schemas []*rowkey.Schema) (all []gen.File, err error) {
	if err := g.settle(); err != nil {
		return nil, err
	}
	add := func(dir string, f gen.File, err error) error {
		f.Path = filepath.Join(dir, f.Path)
		if err == nil && slices.ContainsFunc(all, func(o gen.File) bool { return strings.EqualFold(o.Path, f.Path) }) {
			err = fmt.Errorf("two schemas would write %s: rename one", f.Path)
		}
		all = append(all, f)
		return err
	}
	declared := map[string]string{} // names of Go, and the file that declares them
	addGo := func(f gen.File, err error) error {
		if err := add(g.goDir, f, err); err != nil {
			return err
		}
		names, err := namesOf(f)
		for _, name := range names {
			if other, ok := declared[name]; ok {
				return fmt.Errorf("%s would declare %s, and %s does: rename a schema, or a field", filepath.Join(g.goDir, f.Path), name, filepath.Join(g.goDir, other))
			}
			declared[name] = f.Path
		}
		return err
	}
	golang := gen.GoOptions{Package: g.goPackage, Types: g.types}
	java := gen.JavaOptions{Package: g.javaPackage, Standalone: g.standalone}
	javaPath := filepath.FromSlash(strings.ReplaceAll(g.javaPackage, ".", "/"))
	javaDir, javaTests := filepath.Join(g.javaDir, javaPath), filepath.Join(g.javaTests, javaPath)
	for _, s := range schemas {
		c := ir.Of(inside.Layout(s), s.String(), s.Fingerprint())
		vectors := gen.Vectors(s, c, vectorRows)
		if err := add(g.vectors, vectors, nil); err != nil {
			return nil, err
		}
		if g.goDir != "" {
			f, err := gen.Go(golang, c)
			if err := addGo(f, err); err != nil {
				return nil, err
			}
			path, err := pathFrom(g.goDir, filepath.Join(g.vectors, vectors.Path))
			if err != nil {
				return nil, err
			}
			f, err = gen.GoTest(golang, c, filepath.ToSlash(path))
			if err := addGo(f, err); err != nil {
				return nil, err
			}
		}
		if g.javaDir != "" {
			f, err := gen.Java(java, s, c)
			if err := add(javaDir, f, err); err != nil {
				return nil, err
			}
			if f, err = gen.JavaTest(java, c); err != nil {
				return nil, err
			}
			if err := add(javaTests, f, nil); err != nil {
				return nil, err
			}
		}
	}
	if g.javaDir == "" {
		return all, nil
	}
	if g.standalone {
		return all, nil
	}
	if err := add(javaDir, gen.JavaSupport(java), nil); err != nil {
		return nil, err
	}
	return all, add(javaTests, gen.JavaTestSupport(java), nil)
}

// namesOf is the names that a file of Go declares for its package.
func namesOf(f gen.File) (names []string, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), f.Path, f.Text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	add := func(name *ast.Ident) {
		if name.Name != "_" {
			names = append(names, name.Name)
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				add(d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					add(s.Name)
				case *ast.ValueSpec:
					for _, name := range s.Names {
						add(name)
					}
				}
			}
		}
	}
	return names, nil
}

// pathFrom is the path of a file from a folder. One of both may be absolute.
func pathFrom(dir, file string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if file, err = filepath.Abs(file); err != nil {
		return "", err
	}
	return filepath.Rel(dir, file)
}

// generated begins what rowkey gen has written. A file that begins otherwise is somebody's own.
var generated = [][]byte{[]byte("// Code generated by rowkey gen."), []byte("# rowkey vectors ")}

// writeFiles writes the files that differ. None is written unless all can be: half of a set does
// not compile.
func (a *app) writeFiles(files []gen.File) error {
	var differ []gen.File
	for _, f := range files {
		have, err := os.ReadFile(f.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case !slices.ContainsFunc(generated, func(g []byte) bool { return bytes.HasPrefix(have, g) }):
			return fmt.Errorf("%s was not written by rowkey gen: remove it, or write elsewhere", f.Path)
		case bytes.Equal(have, f.Text):
			continue
		}
		differ = append(differ, f)
	}
	var made []string
	for _, f := range differ {
		if err := makeRoom(f.Path, &made); err != nil {
			for _, dir := range slices.Backward(made) {
				_ = os.Remove(dir)
			}
			return err
		}
	}
	for _, f := range differ {
		if err := os.WriteFile(f.Path, f.Text, 0o644); err != nil {
			return err
		}
		if !a.quiet {
			fmt.Fprintf(a.stdout, "wrote %s\n", f.Path)
		}
	}
	return nil
}

// makeRoom makes the folders of a file that are missing, notes them, and tries that the file can be
// written.
func makeRoom(path string, made *[]string) error {
	var missing []string
	dir := filepath.Dir(path)
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missing = append(missing, dir)
	}
	for _, dir := range slices.Backward(missing) {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
		*made = append(*made, dir)
	}
	_, err := os.Lstat(path)
	file, failed := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644)
	if failed != nil {
		return failed
	}
	if err := file.Close(); err != nil {
		return err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return os.Remove(path)
	}
	return nil
}

// layoutChange is a schema whose committed vectors are of a layout that writes other bytes.
type layoutChange struct {
	now     *rowkey.Schema
	was     string // the fingerprint of that layout
	layout  string // its notation; empty if it cannot be read as one of that fingerprint
	vectors string // the path of the vectors
	what    string // what its keys are to the layout of now
}

// layoutsChanged is what the files to write would change in keys: committed vectors say of which layout
// they are. A table may have rows of that one.
func layoutsChanged(schemas []*rowkey.Schema, files []gen.File) (all []layoutChange) {
	for _, f := range files {
		if filepath.Ext(f.Path) != ".vectors" {
			continue
		}
		s := schemas[0] // of each schema there is one file of vectors, in this order
		schemas = schemas[1:]
		have, err := os.ReadFile(f.Path)
		lines := strings.SplitN(string(have), "\n", 3)
		if err != nil || len(lines) < 2 || !bytes.HasPrefix(have, generated[1]) {
			continue
		}
		was, notation, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(lines[1]), "# "), " ")
		if was == s.Fingerprint() {
			continue
		}
		c := layoutChange{now: s, was: was, vectors: f.Path, what: "rows written so far have other keys\n"}
		if old, err := rowkey.Parse(s.Name(), notation); err == nil && old.Fingerprint() == was {
			if d, err := compare.Schemas(old, s, said.Values{}, nil); err == nil {
				if d.Verdict != "bytes" {
					continue // declared otherwise: a fingerprint tells more than bytes
				}
				if c.layout = notation; d.Kept != compare.KeptUnsaid {
					c.what = otherBytes(d)
				}
			}
		}
		all = append(all, c)
	}
	return all
}

// text says what becomes of rows, and what may be done.
func (c layoutChange) text() string {
	text := fmt.Sprintf("%s: the layout was changed since %s was written: %s", c.now.Name(), c.vectors, c.what)
	if c.layout != "" {
		text += fmt.Sprintf("\twhat changes: rowkey diff %s %s\n", quoted(c.layout), quoted(c.now.String()))
	}
	return text + fmt.Sprintf("\tif the table has rows, take the old layout back, or read %s\n\t\"fingerprint: %s\" at %s in rowkey.yaml refuses such a change", changePage, c.was, c.now.Name())
}

// checkFiles reports files that are not what would be written. To write them is no mend where that
// changes the keys of a table.
func (a *app) checkFiles(files []gen.File, changed []layoutChange) error {
	wrong := 0
	for _, f := range files {
		have, err := os.ReadFile(f.Path)
		switch {
		case err != nil:
			fmt.Fprintf(a.stdout, "%s: missing\n", f.Path)
		case !bytes.Equal(have, f.Text):
			fmt.Fprintf(a.stdout, "%s: %s\n", f.Path, firstDifference(string(have), string(f.Text)))
		default:
			continue
		}
		wrong++
	}
	if len(changed) > 0 {
		var names []string
		for _, c := range changed {
			a.complain(errors.New(c.text()))
			names = append(names, c.now.Name())
		}
		return finding{fmt.Errorf("%s not what rowkey gen writes: the layout of %s was changed", said.Plural(wrong, "file"), strings.Join(names, " and of "))}
	}
	if wrong > 0 {
		return finding{fmt.Errorf("%s not what rowkey gen writes: run it again", said.Plural(wrong, "file"))}
	}
	return nil
}

// firstDifference is the first line in which two texts differ.
func firstDifference(have, want string) string {
	a, b := strings.Split(have, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d\n-%.300s\n+%.300s", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, %d wanted", len(a), len(b))
}

// declaredIn are schemas that exported variables of a Go package hold. A program that exists only
// for the compiler imports the package and prints them: nothing is written into the user's tree.
func declaredIn(pkg string, variables []string) ([]*rowkey.Schema, error) {
	if len(variables) == 0 {
		return nil, fmt.Errorf("--from %s: name the variables, such as Trades", pkg)
	}
	for _, v := range variables {
		if !token.IsIdentifier(v) || !token.IsExported(v) {
			return nil, fmt.Errorf("--from %s: %s is no exported name of Go", pkg, said.Shown(v))
		}
	}
	out, err := goTool("list", "-find", "-json=ImportPath,Dir,Name", pkg)
	if err != nil {
		return nil, fmt.Errorf("--from %s: %w", pkg, err)
	}
	var found struct{ ImportPath, Dir, Name string }
	if err := json.Unmarshal(out, &found); err != nil {
		return nil, fmt.Errorf("--from %s: expected one package", pkg)
	}
	if found.Name == "main" {
		return nil, fmt.Errorf("--from %s: a program cannot be imported: declare the schemas in a package of their own", pkg)
	}
	tmp, err := os.MkdirTemp("", "rowkey-gen")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	var b strings.Builder
	fmt.Fprintf(&b, "package main\n\nimport (\n\"encoding/json\"\n\"os\"\n\n\"github.com/hbase-rowkey/rowkey\"\ntables %q\n)\n\nfunc main() {\nvar all []([3]string)\nfor _, s := range []*rowkey.Schema{", found.ImportPath)
	for _, v := range variables {
		fmt.Fprintf(&b, "tables.%s,", v)
	}
	b.WriteString("} {\nall = append(all, [3]string{s.Name(), s.String(), s.Fingerprint()})\n}\n_ = json.NewEncoder(os.Stdout).Encode(all)\n}\n")
	program := filepath.Join(tmp, "main.go")
	if err := os.WriteFile(program, []byte(b.String()), 0o644); err != nil {
		return nil, err
	}
	dir := filepath.Join(found.Dir, "rowkeygen")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(dir, "main.go"): program}})
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(tmp, "overlay.json"), overlay, 0o644); err != nil {
		return nil, err
	}
	out, err = goTool("run", "-overlay", filepath.Join(tmp, "overlay.json"), dir)
	if err != nil {
		return nil, fmt.Errorf("--from %s: %w", pkg, err)
	}
	var printed [][3]string
	if err := json.Unmarshal(out, &printed); err != nil {
		return nil, fmt.Errorf("--from %s: its program printed more than schemas: %w", pkg, err)
	}
	var all []*rowkey.Schema
	for _, p := range printed {
		s, err := rowkey.Parse(p[0], p[1])
		if err != nil {
			return nil, fmt.Errorf("--from %s: %w", pkg, err)
		}
		if s.Fingerprint() != p[2] {
			return nil, fmt.Errorf("--from %s: %s: that program's version of the library writes other bytes than this command's", pkg, p[0])
		}
		all = append(all, s)
	}
	return all, nil
}

// goTool runs the go command. An error has what it printed.
func goTool(args ...string) ([]byte, error) {
	var stderr bytes.Buffer
	c := exec.Command("go", args...)
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return out, nil
}
