package laws

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/draft"
	"github.com/hbase-rowkey/rowkey/interop"
)

// What the README says is held against the code: its programs are run and their
// output is compared, its names and files exist, each row of its tables of
// claims has a check here, and its tables of words and errors are complete.

// readmeBlock is a fenced block of the README.
type readmeBlock struct {
	lang string
	line int
	text string
}

func readme(t *testing.T) string {
	t.Helper()
	text, err := readFile("README.md")
	require.NoError(t, err)
	return string(text)
}

// What the README has no room for: their tables are checked as its own are.
var readmePages = []string{"README.md", "docs/guide.md", "docs/reference.md", "docs/words.md", "docs/from-sprintf.md"}

// readmeBlocks cuts the README into its fenced blocks and its prose.
func readmeBlocks(t *testing.T) (blocks []readmeBlock, prose string) {
	t.Helper()
	return pageBlocks(t, "README.md")
}

// readmeCommand is a command of a console block with the output shown.
type readmeCommand struct {
	text, output string
}

func (b readmeBlock) commands(t *testing.T) (commands []readmeCommand) {
	t.Helper()
	for line := range strings.Lines(b.text) {
		if text, ok := strings.CutPrefix(line, "$ "); ok {
			commands = append(commands, readmeCommand{text: strings.TrimSpace(text)})
			continue
		}
		require.NotEmpty(t, commands, "line %d: output without a command", b.line)
		commands[len(commands)-1].output += line
	}
	return commands
}

// The README in its two languages. They are not translations word by word, but
// both are run: TestTranslations says when one of them changed alone.
var readmes = []string{"README.md", "README.zh-CN.md"}

// The page of next steps after each README.
var readmeGuides = map[string]string{"README.md": "docs/guide.md", "README.zh-CN.md": "docs/zh-CN/guide.md"}

// Each Go block is a program, or a piece of the README's first one, and the console
// block after it shows what it prints. A README may show a part of a program of its
// guide, word for word.
func TestREADMEPrograms(t *testing.T) {
	long(t)
	for _, file := range readmes {
		guide := readmeGuides[file]
		whole, err := readFile(guide)
		require.NoError(t, err)
		t.Run(file, func(t *testing.T) { readmePrograms(t, file, nil, string(whole)) })
		blocks, _ := pageBlocks(t, file)
		first := slices.IndexFunc(blocks, func(b readmeBlock) bool { return strings.HasPrefix(b.text, "package ") })
		require.GreaterOrEqual(t, first, 0)
		t.Run(guide, func(t *testing.T) { readmePrograms(t, guide, []string{blocks[first].text}, "") })
	}
}

func readmePrograms(t *testing.T, file string, programs []string, whole string) {
	const run = "go run ./hello"
	blocks, _ := pageBlocks(t, file)
	var waiting string // a program whose output has not been shown
	printed := map[int]string{}
	for _, b := range blocks {
		switch b.lang {
		case "go":
			if strings.Contains(b.text, "hrpc.") { // gohbase is no requirement of this module: module hbase's tests have this
				continue
			}
			if strings.Contains(whole, b.text) { // the guide's test has this
				continue
			}
			if len(programs) == 0 && !strings.HasPrefix(b.text, "package ") {
				readmeFirstScreen(t, file, b)
				continue
			}
			require.Empty(t, waiting, "%s:%d: the program above it shows no output", file, b.line)
			formatted, err := format.Source([]byte(b.text))
			require.NoError(t, err, "%s:%d", file, b.line)
			assert.Equal(t, string(formatted), b.text, "%s:%d: gofmt it", file, b.line)
			first := ""
			if len(programs) > 0 {
				first = programs[0]
			}
			waiting = readmeProgram(t, b.text, first)
			programs = append(programs, waiting)
		case "console":
			for _, c := range b.commands(t) {
				if c.text != run {
					continue
				}
				require.NotEmpty(t, waiting, "%s:%d: no program above it", file, b.line)
				program := waiting
				waiting = ""
				if os.Getenv(updateDocs) != "" {
					printed[b.line] = "$ " + run + "\n" + readmeRun(t, program)
					continue
				}
				t.Run(fmt.Sprintf("line %d", b.line), func(t *testing.T) {
					t.Parallel()
					assert.Equal(t, c.output, readmeRun(t, program), "%s:%d", file, b.line)
				})
			}
		default:
			t.Errorf("%s:%d: a block is go or console, so that it can be checked, not %q", file, b.line, b.lang)
		}
	}
	require.Empty(t, waiting, "the last program shows no output")
	require.NotEmpty(t, programs)
	writeBlocks(t, file, printed)
}

// readmeFirstScreen checks the few lines that a README begins with: the schema is the one
// whose notation its first program prints, and the other lines stand in this program.
func readmeFirstScreen(t *testing.T, file string, b readmeBlock) {
	t.Helper()
	page, err := readFile(file)
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(page), b.text)
	require.True(t, ok)
	quoted := regexp.MustCompile(`^var \w+ = rowkey\.Must\(rowkey\.Parse\("\w+", "(.*)"\)\)$`)
	for i, line := range strings.Split(strings.TrimSpace(b.text), "\n") {
		if i == 0 {
			m := quoted.FindStringSubmatch(line)
			require.NotNil(t, m, "%s:%d", file, b.line)
			assert.Contains(t, rest, "\n$ go run ./hello\n"+m[1]+"\n", "%s:%d: its program is of another schema", file, b.line)
			continue
		}
		assert.Contains(t, rest, line, "%s:%d: its program lacks this line", file, b.line)
	}
}

// readmeProgram makes a whole program of a block: declarations and a main get
// the imports they use; statements become the main of the first program.
func readmeProgram(t *testing.T, block, first string) string {
	t.Helper()
	if strings.HasPrefix(block, "package ") {
		return block
	}
	require.NotEmpty(t, first, "the first program is a whole one")
	if !strings.Contains(block, "\nfunc main() {\n") {
		_, declared, ok := strings.Cut(first, "\n)\n")
		require.True(t, ok)
		declared, _, ok = strings.Cut(declared, "\nfunc main() {\n")
		require.True(t, ok)
		block = declared + "\nfunc main() {\n" + block + "}\n"
	}
	return "package main\n\n" + importsOf(block) + block
}

// importsOf are the imports that a program uses.
func importsOf(block string) string {
	var imports string
	paths := []string{"bytes", "context", "encoding/base64", "errors", "fmt", "io", "math", "net/http", "net/http/httptest", "slices", "strings", "time",
		"github.com/hbase-rowkey/rowkey"}
	for _, folder := range beside {
		paths = append(paths, "github.com/hbase-rowkey/rowkey/"+folder)
	}
	for _, path := range paths {
		if name := path[strings.LastIndexByte(path, '/')+1:]; regexp.MustCompile(`\b` + name + `\.[A-Z]`).MatchString(block) {
			imports += fmt.Sprintf("import %q\n", path)
		}
	}
	return imports
}

// readmeRun runs a program as one of this module and returns what it prints. What
// go itself has to say, that it downloads a module, goes to stderr.
func readmeRun(t *testing.T, program string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.go")
	require.NoError(t, os.WriteFile(file, []byte(program), 0o644))
	command := exec.Command("go", "run", file)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	stdout, err := command.Output()
	require.NoError(t, err, "%s\n%s", &stderr, program)
	return string(stdout)
}

// The package comment's program is Go, and the one that the README runs; the
// designs that ParseLoose names are read.
func TestDocComments(t *testing.T) {
	t.Parallel()
	block := func(file, after string) (lines []string) {
		text, err := readFile(file)
		require.NoError(t, err)
		_, rest, ok := strings.Cut(string(text), after)
		require.True(t, ok, file)
		for line := range strings.Lines(rest) {
			code, ok := strings.CutPrefix(line, "//\t")
			switch {
			case ok:
				lines = append(lines, code)
			case line != "//\n":
				if len(lines) > 0 {
					return lines
				}
			}
		}
		return lines
	}
	lines := block("doc.go", "// Package rowkey")
	use := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "key, err := ") })
	require.Positive(t, use)
	program := "package main\n\nimport (\n\t\"fmt\"\n\t\"time\"\n\n\t\"github.com/hbase-rowkey/rowkey\"\n)\n\n" + strings.Join(lines[:use], "") + `
func main() {
	at := time.Date(2023, 5, 16, 2, 20, 30, 0, time.UTC)
	from, to := at.Add(-time.Hour), at.Add(time.Hour)
	var seller string
	var order uint64
	` + strings.Join(lines[use:], "\t") + `
	fmt.Printf("%x %s %d\n%v %d %v\n", key, seller, order, all, plan.Len(), err)
}
`
	assert.Equal(t, "0c732d34325f7ffffe77dda4124f0000000000000007 s-42 7\n[\\x0Cs-42_, \\x0Cs-42`) 1 <nil>\n", readmeRun(t, program))

	designs := block("draft/draft.go", "// Package draft")
	require.Len(t, designs, 3)
	for _, design := range designs {
		_, err := draft.Read(strings.TrimSpace(design))
		assert.NoError(t, err, design)
	}
}

// Every command names what is there, and what is shown of the quickstart stands
// in its golden output, which its own test compares with what it prints.
func TestREADMECommands(t *testing.T) {
	long(t)
	for _, file := range readmes {
		t.Run(file, func(t *testing.T) {
			assert.Contains(t, readmeCommands(t, file), "go run -C examples/quickstart .")
		})
		t.Run(readmeGuides[file], func(t *testing.T) { readmeCommands(t, readmeGuides[file]) })
	}
}

// readmeCommands runs the commands of a page, and returns them.
func readmeCommands(t *testing.T, file string) (met []string) {
	const csv = " -csv examples/quickstart/testdata/files.csv"
	golden, err := readFile("examples/quickstart/testdata/output.golden")
	require.NoError(t, err)
	blocks, _ := pageBlocks(t, file)
	printed := map[int]string{}
	for _, b := range blocks {
		if b.lang != "console" {
			continue
		}
		for _, c := range b.commands(t) {
			met = append(met, c.text)
			switch c.text {
			case "go run ./hello": // TestREADMEPrograms
			case "go get github.com/hbase-rowkey/rowkey@" + released(t), "go install github.com/hbase-rowkey/rowkey/cmd/rowkey@latest":
				assert.False(t, unreleased(t), "%s:%d: no version is released yet", file, b.line)
				assert.Empty(t, c.output, "%s:%d: .ci/release runs these, on modules made of the tree", file, b.line)
			case "go get github.com/hbase-rowkey/rowkey@main", "git clone https://github.com/hbase-rowkey/rowkey && cd rowkey && go install ./cmd/rowkey":
				assert.True(t, unreleased(t), "%s:%d: a version is released", file, b.line)
				assert.Empty(t, c.output, "%s:%d: .ci/release puts those of the release here", file, b.line)
			case "go run -C examples/quickstart .":
				assert.Empty(t, c.output, "%s:%d: this depends on the Go release", file, b.line)
			case "go run ./examples/quickstart" + csv:
				rest := string(golden)
				for _, part := range strings.Split(c.output, "[…]\n") {
					_, after, ok := strings.Cut(rest, part)
					require.True(t, ok, "%s:%d: not in the output, or not in this order:\n%s", file, b.line, part)
					rest = after
				}
				assert.Equal(t, "\n", c.output[strings.LastIndex(c.output, "[…]")+len("[…]"):], "%s:%d: more follows", file, b.line)
			case "go run ./hbase/cmd/testserver", "go run -tags hbase ./examples/quickstart -hbase 127.0.0.1:9090":
				assert.Empty(t, c.output, "%s:%d: module hbase's tests run this", file, b.line)
			case "go test ./...", "ROWKEY_HBASE=fetch go test -timeout 30m ./... ./bench/... ./cmd/rowkey/... ./examples/quickstart/... ./hbase/... ./play/... ./simulate/...", "go run -C bench ./ratios", "go install golang.org/x/perf/cmd/benchstat@latest",
				`go test -run '^$' -bench . -count 10 . | benchstat -col /side -`:
				assert.Empty(t, c.output, "%s:%d: this depends on the machine", file, b.line)
			default:
				run := strings.HasPrefix(c.text, "go run ./cmd/rowkey ")
				if run || strings.HasPrefix(c.text, "rowkey gen ") { // the shell takes the quotes off
					shell := exec.Command("bash", "-c", c.text)
					shell.Env = append(os.Environ(), "GOWORK=") // the command is a module of the workspace
					if !run {                                   // it writes files
						bin := t.TempDir()
						build := exec.Command("go", "build", "-o", bin, "./cmd/rowkey")
						build.Env = shell.Env
						out, err := build.CombinedOutput()
						require.NoError(t, err, "%s", out)
						shell.Dir = t.TempDir()
						shell.Env = append(shell.Env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
					}
					var stderr bytes.Buffer
					shell.Stderr = &stderr
					got, err := shell.Output()
					require.NoError(t, err, "%s:%d: %s", file, b.line, &stderr)
					if os.Getenv(updateDocs) != "" {
						printed[b.line] += "$ " + c.text + "\n" + string(got)
						continue
					}
					assert.Equal(t, c.output, string(got), "%s:%d", file, b.line)
					continue
				}
				t.Errorf("%s:%d: nothing checks $ %s", file, b.line, c.text)
			}
		}
	}
	writeBlocks(t, file, printed)
	assert.FileExists(t, "examples/quickstart/main.go")
	assert.FileExists(t, strings.TrimPrefix(csv, " -csv "))
	return met
}

// unreleased reports that the changelog has no version yet.
func unreleased(t *testing.T) bool {
	t.Helper()
	changes, err := readFile("CHANGELOG.md")
	require.NoError(t, err)
	return !regexp.MustCompile(`(?m)^## v\d`).Match(changes)
}

// Until a version is released both READMEs say so, and from then on neither does.
func TestREADMEUnreleased(t *testing.T) {
	for _, file := range readmes {
		text, err := readFile(file)
		require.NoError(t, err)
		assert.Equal(t, unreleased(t), strings.Contains(string(text), "\n<!-- unreleased -->\n"), file)
		assert.Equal(t, unreleased(t), strings.Contains(string(text), "\n<!-- end of unreleased -->\n"), file)
	}
}

// The command of all tests is what the checks run, and it reaches every module.
func TestREADMETestCommand(t *testing.T) {
	checks, err := readFile(".ci/run")
	require.NoError(t, err)
	const take = `s/^\$ \(ROWKEY_HBASE=fetch go test .*\)$/\1/p`
	require.Contains(t, string(checks), take, "the checks take the command from the README")
	command := regexp.MustCompile(`(?m)^\$ ROWKEY_HBASE=fetch (go test .*)$`).FindStringSubmatch(readme(t))
	require.NotNil(t, command)

	for _, dir := range workspace(t) {
		assert.Contains(t, strings.Fields(command[1]), strings.TrimSuffix("./"+strings.TrimPrefix(dir, "./"), "/.")+"/...")
	}
}

// workspace is the folders that go.work uses.
func workspace(t *testing.T) []string {
	t.Helper()
	work, err := readFile("go.work")
	require.NoError(t, err)
	_, use, ok := strings.Cut(string(work), "use (")
	require.True(t, ok)
	use, _, ok = strings.Cut(use, ")")
	require.True(t, ok)
	return strings.Fields(use)
}

// released is the version of the modules that the command requires.
func released(t *testing.T) string {
	t.Helper()
	mod, err := readFile("cmd/rowkey/go.mod")
	require.NoError(t, err)
	version := regexp.MustCompile(`(?m)^\s+github\.com/hbase-rowkey/rowkey (v\S+)$`).FindSubmatch(mod)
	require.NotNil(t, version)
	return string(version[1])
}

// The modules can be installed as they are: none replaces another, which go
// install refuses, all require one version of each other, and in a clone that
// version is the tree. What follows from it .ci/release tries.
func TestReleasable(t *testing.T) {
	version := released(t)
	work, err := readFile("go.work")
	require.NoError(t, err)
	own := regexp.MustCompile(`github\.com/hbase-rowkey/rowkey(/\w+)* v\S+`)
	required := map[string]bool{}
	for _, dir := range workspace(t) {
		mod, err := readFile(filepath.Join(dir, "go.mod"))
		require.NoError(t, err)
		assert.NotRegexp(t, `(?m)^replace`, string(mod), "%s/go.mod: a replace line belongs in go.work", dir)
		for _, r := range own.FindAllString(string(mod), -1) {
			assert.True(t, strings.HasSuffix(r, " "+version), "%s/go.mod requires %s, others %s", dir, r, version)
			required[r] = true
		}
	}
	assert.Len(t, required, 4)
	for r := range required {
		dir := "." + strings.TrimPrefix(strings.Fields(r)[0], "github.com/hbase-rowkey/rowkey")
		assert.Contains(t, string(work), "\t"+r+" => "+dir+"\n")
	}
	checks, err := readFile(".ci/run")
	require.NoError(t, err)
	assert.Contains(t, string(checks), "\nbash .ci/release -n\n", "the checks rehearse a release")
}

// What go writes of itself when it looks at all modules stands in go.work.sum
// already, so that a clone stays as it is.
func TestCloneStaysClean(t *testing.T) {
	long(t)
	clone := t.TempDir()
	files := []string{"go.work", "go.work.sum"}
	for _, dir := range workspace(t) {
		files = append(files, filepath.Join(dir, "go.mod"), filepath.Join(dir, "go.sum"))
	}
	for _, file := range files {
		text, err := readFile(file)
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Join(clone, filepath.Dir(file)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(clone, file), text, 0o644))
	}
	list := exec.Command("go", "list", "-m", "all") // as go doc does
	list.Dir = clone
	list.Env = append(os.Environ(), "GOWORK=", "GOFLAGS=")
	var stderr bytes.Buffer
	list.Stderr = &stderr
	_, err := list.Output()
	require.NoError(t, err, &stderr)
	for _, file := range files {
		before, err := readFile(file)
		require.NoError(t, err)
		after, err := readFile(filepath.Join(clone, file))
		require.NoError(t, err)
		assert.True(t, bytes.Equal(before, after), "%s: run go mod download, and commit what it writes", file)
	}
}

// readmeTable is the rows of the table whose first heading begins so.
func readmeTable(t *testing.T, heading string) [][]string {
	t.Helper()
	for _, page := range readmePages {
		_, prose := pageBlocks(t, page)
		_, table, ok := strings.Cut(prose, "\n| "+heading)
		if !ok {
			continue
		}
		table, _, _ = strings.Cut(table, "\n\n")
		var rows [][]string
		for _, line := range strings.Split(strings.TrimSpace(table), "\n")[2:] {
			rows = append(rows, strings.Split(strings.Trim(line, "| "), " | "))
			require.Len(t, rows[len(rows)-1], len(rows[0]), line)
		}
		return rows
	}
	t.Fatalf("no table %q in %v", heading, readmePages)
	return nil
}

var readmeSpan = regexp.MustCompile("`([^`]+)`")

// beside are the packages beside the root whose names the documents use, with the
// package in front.
var beside = []string{"advice", "interop", "scan"}

// api is every exported name of the package, methods and fields with their
// type in front, and the file that declares it. Those of the packages beside it have
// theirs in front: interop.JavaHash.
func api(t *testing.T) map[string]string {
	t.Helper()
	names := apiOf(t, ".")
	for _, folder := range beside {
		for name, file := range apiOf(t, folder) {
			names[folder+"."+name] = file
		}
	}
	return names
}

func apiOf(t *testing.T, folder string) map[string]string {
	t.Helper()
	names := map[string]string{}
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	require.NoError(t, err)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range parsed.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				name := d.Name.Name
				if d.Recv != nil {
					name = receiver(d.Recv.List[0].Type) + "." + name
				}
				names[name] = file
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						names[s.Name.Name] = file
						if st, ok := s.Type.(*ast.StructType); ok {
							for _, f := range st.Fields.List {
								for _, n := range f.Names {
									names[s.Name.Name+"."+n.Name] = file
								}
							}
						}
					case *ast.ValueSpec:
						for _, n := range s.Names {
							names[n.Name] = file
						}
					}
				}
			}
		}
	}
	maps.DeleteFunc(names, func(name, _ string) bool {
		return !ast.IsExported(name) || !ast.IsExported(name[strings.IndexByte(name, '.')+1:])
	})
	return names
}

func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

// declared reports that a name is one of the package's: of its own, of a method,
// or of a method on a variable.
func declared(names map[string]string, name string) bool {
	if names[name] != "" {
		return true
	}
	if folder, elsewhere, ok := strings.Cut(name, "."); ok && slices.Contains(beside, folder) {
		own, method, _ := strings.Cut(elsewhere, ".")
		return names[folder+"."+own] != "" && declared(names, method)
	}
	of, method, ok := strings.Cut(name, ".")
	if !ok {
		method = name
	}
	found := false
	for n := range names {
		if ok && strings.HasPrefix(n, of+".") {
			return false // a type, whose method would be there by its full name
		}
		found = found || strings.HasSuffix(n, "."+method)
	}
	return found && (!ok || names[of] != "")
}

// What the prose sets in type and begins with a capital letter is a name of the
// package, a test, or one of these, which are others'.
var readmeForeign = map[string]bool{
	"Long.MAX_VALUE": true, "Integer.MAX_VALUE": true, "Bytes.toBytes": true, "Math.abs": true, "String.format": true, "String.valueOf": true, "TradesKey": true,
}

func TestREADMENames(t *testing.T) {
	names := api(t)
	require.Greater(t, len(names), 150)
	var prose string
	for _, page := range readmePages[:4] {
		_, part := pageBlocks(t, page)
		prose += part
	}
	word := regexp.MustCompile(`(?:^|[^\w."])(?:rowkey\.)?\*?((?:interop\.)?[A-Z][A-Za-z0-9]*(?:\.[A-Za-z]\w*)?)`)
	seen := 0
	for _, span := range readmeSpan.FindAllStringSubmatch(prose, -1) {
		if strings.HasPrefix(span[1], "fmt.") || strings.HasPrefix(span[1], "go ") {
			continue // what is not done here, and a command
		}
		for _, w := range word.FindAllStringSubmatch(span[1], -1) {
			switch name := w[1]; {
			case strings.HasPrefix(name, "Test"):
				assert.True(t, testExists(t, name), "no test %s", name)
			default:
				assert.True(t, readmeForeign[name] || declared(names, name), "no name %s in the package, in `%s`", name, span[1])
			}
			seen++
		}
	}
	assert.Greater(t, seen, 80)
	contributing, err := readFile("CONTRIBUTING.md")
	require.NoError(t, err)
	tests := regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z]\w+`).FindAllString(string(contributing), -1)
	require.NotEmpty(t, tests)
	for _, name := range tests {
		assert.True(t, testExists(t, name), "no test %s", name)
	}
	blocks, _ := readmeBlocks(t)
	for _, b := range blocks {
		for _, w := range regexp.MustCompile(`\b(?:rowkey\.|(interop\.))([A-Z]\w*)`).FindAllStringSubmatch(b.text, -1) {
			assert.Contains(t, names, w[1]+w[2], "README.md:%d", b.line)
		}
	}
}

func testExists(t *testing.T, name string) bool {
	t.Helper()
	files, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	laws, err := filepath.Glob("laws/*_test.go")
	require.NoError(t, err)
	files = append(files, laws...)
	for _, file := range files {
		text, err := readFile(file)
		require.NoError(t, err)
		if bytes.Contains(text, []byte("\nfunc "+name+"(")) {
			return true
		}
	}
	return false
}

// A word of the trade leads to a name, and to the file that declares the first
// name of its row. UPDATE_DOCS=1 writes the files.
func TestWordsPage(t *testing.T) {
	const file = "docs/words.md"
	names := api(t)
	// A name without its type is the one that a declaration has, then a question.
	declares := func(name string) string {
		for _, of := range []string{"", "Builder.", "Plan.", "Schema.", "KeyBuilder.", "Range.", "Digest.", "Unit."} {
			if file := names[of+name]; file != "" {
				return file
			}
		}
		return ""
	}
	page, err := readFile(file)
	require.NoError(t, err)
	first := regexp.MustCompile("`((?:[a-z]+\\.|[A-Z]\\w*\\.)?[A-Z]\\w*)")
	var written string
	rows := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.Trim(line, "|\n "), " | ")
		if !strings.HasPrefix(line, "| ") || len(cells) != 3 || !strings.Contains(cells[1], "`") {
			written += line
			continue
		}
		rows++
		name := first.FindStringSubmatch(cells[1])
		if !assert.NotNil(t, name, "%q names one of ours", line) || !assert.NotEmpty(t, declares(name[1]), "no file declares %s: %s", name[1], line) {
			written += line
			continue
		}
		at := declares(name[1])
		link := fmt.Sprintf("[%s](../%s)", at, at)
		if os.Getenv(updateDocs) == "" {
			assert.Equal(t, link, cells[2], "%s is declared in %s: UPDATE_DOCS=1 go test -run TestWordsPage ./laws", name[1], at)
		}
		written += "| " + cells[0] + " | " + cells[1] + " | " + link + " |\n"
	}
	assert.Greater(t, rows, 45)
	if os.Getenv(updateDocs) != "" {
		require.NoError(t, os.WriteFile(file, []byte(written), 0o644))
	}
}

// Each question of the table of layouts is asked of the layout beside it: as many
// ranges are read as it says, and no row outside them is wanted.
func TestREADMELayouts(t *testing.T) {
	day := time.Date(2023, 5, 16, 0, 0, 0, 0, time.FixedZone("", 8*60*60))
	today := rowkey.Span("at", day, day.AddDate(0, 0, 1))
	asked := map[string][]rowkey.Cond{ // by the layout
		`[salt16(user)][user]['\x00'][max-ms(at)][id:8]`:               {rowkey.Eq("user", "u-1")},
		`[salt16(id)][id:8]`:                                           {rowkey.Eq("id", 7)},
		`[id uuid]`:                                                    {rowkey.Eq("id", "fb2b4e5e-1c7d-4f6a-9b1e-2f00c0ffee01")},
		`[md5.raw(2)(device)][device fixed(17)][ms(at)]`:               {rowkey.Eq("device", "LSVAU2180N2183294"), today},
		`[md5.raw(2)(vin)][vin fixed(17)][ms(at)]`:                     {rowkey.Eq("vin", "LSVAU2180N2183294"), today},
		`[salt16(host)][ms(at)][host]`:                                 {rowkey.AtLeast("at", day)},
		`[salt16(seller)][seller]['\x00'][max-ms(at)][order:8][buyer]`: {rowkey.Eq("seller", "s-42"), today},
		`[salt16(buyer)][buyer]['\x00'][max-ms(at)][order:8][seller]`:  {rowkey.Eq("buyer", "b-1"), today},
		`[salt16(values(lo,hi))][lo:8][hi:8][max-ms(at)][message:8]`:   {rowkey.Eq("lo", 1001), rowkey.Eq("hi", 2002)},
		`[host reverselabels(".")]['\x00'][path]`:                      {rowkey.Suffix("host", ".iteblog.com")},
		`[phone reverse fixed(11)][uid:8]`:                             {rowkey.Suffix("phone", "5678")},
	}
	row := regexp.MustCompile("(?m)^\\| [^|]+ \\| `([^`|]+)` \\| (\\d+)\\D* \\|$")
	for _, file := range readmes {
		_, prose := pageBlocks(t, file)
		rows := row.FindAllStringSubmatch(strings.ReplaceAll(prose, "，由 `Merge` 合并", ""), -1)
		assert.GreaterOrEqual(t, len(rows), 9, file)
		for _, row := range rows {
			s, err := rowkey.Parse("t", row[1])
			require.NoError(t, err, row[0])
			require.NotNil(t, asked[row[1]], row[0])
			plan, err := s.Scan(asked[row[1]]...)
			require.NoError(t, err, row[0])
			assert.Equal(t, row[2], fmt.Sprint(plan.Len()), row[0])
			assert.True(t, plan.Exact(), row[0])
		}
	}
	assert.Len(t, readmeTable(t, "you ask for |"), 10)
}

// What it costs is what docs/speed.md measured, and docs/gen.md of printed code. UPDATE_DOCS=1 writes it.
func TestREADMECost(t *testing.T) {
	const begin, end = "<!-- cost: of docs/speed.md -->\n\n", "\n<!-- end of cost -->"
	speed, err := readFile("docs/speed.md")
	require.NoError(t, err)
	table := "| | median | 9 of 10 below | worst |\n|---|---:|---:|---:|\n"
	measured := regexp.MustCompile(`(?m)^\| ([^|]+) \| \d+ \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| .* \|$`).FindAllStringSubmatch(string(speed), -1)
	require.Len(t, measured, 6)
	measured = measured[:4] // without those of Match
	ways := [][2]string{{"field by field", "write a key, field by field"}, {"from a struct", "write a key, from a struct"}, {"read field by field", "read a key, field by field"}, {"read into a struct", "read a key, into a struct"}}
	for i, way := range ways {
		assert.Equal(t, way[0], measured[i][1])
		table += fmt.Sprintf("| %s | %s | %s | %s |\n", way[1], measured[i][2], measured[i][3], measured[i][4])
	}
	gen, err := readFile("docs/gen.md")
	require.NoError(t, err)
	printed := regexp.MustCompile(`(?m)^\| median \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|`).FindStringSubmatch(string(gen))
	require.Len(t, printed, 4)
	table += fmt.Sprintf("\nPrinted code takes %s of hand-written code's time to write a key, %s to read one, %s with new strings.\n", printed[1], printed[2], printed[3])
	chinese, err := readFile("README.zh-CN.md")
	require.NoError(t, err)
	_, inChinese, ok := strings.Cut(string(chinese), begin)
	require.True(t, ok)
	inChinese, _, ok = strings.Cut(inChinese, end)
	require.True(t, ok)
	for _, m := range measured {
		assert.Contains(t, inChinese, fmt.Sprintf(" | %s | %s | %s |\n", m[2], m[3], m[4]), "README.zh-CN.md: write it as in README.md")
	}
	assert.Contains(t, inChinese, strings.Join(printed[1:], "、"))
	generatedBetween(t, "README.md", begin, end, table)
}

// The table of errors holds every reason, once, as its comment says when it is met. UPDATE_DOCS=1
// writes it.
func TestREADMEErrors(t *testing.T) {
	const begin, end = "<!-- generated: UPDATE_DOCS=1 go test -run TestREADMEErrors ./laws -->\n\n", "\n<!-- end of generated -->"
	var want, got []string
	for name := range api(t) {
		if strings.HasPrefix(name, "Err") && name != "Error" && !strings.Contains(name, ".") {
			want = append(want, name)
		}
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), whole("errors.go"), nil, parser.ParseComments|parser.SkipObjectResolution)
	require.NoError(t, err)
	table := "| reason | when |\n|---|---|\n"
	for _, d := range parsed.Decls {
		d, ok := d.(*ast.GenDecl)
		if !ok || d.Tok != token.VAR {
			continue
		}
		for _, spec := range d.Specs {
			spec := spec.(*ast.ValueSpec)
			if name := spec.Names[0].Name; ast.IsExported(name) {
				when := strings.TrimSuffix(strings.Join(strings.Fields(spec.Doc.Text()), " "), ".")
				require.NotEmpty(t, when, "%s has no comment", name)
				if !declared(api(t), strings.Fields(when)[0]) {
					when = strings.ToLower(when[:1]) + when[1:]
				}
				table += "| `" + name + "` | " + when + " |\n"
			}
		}
	}
	generatedBetween(t, "docs/reference.md", begin, end, table)
	for _, row := range readmeTable(t, "reason |") {
		got = append(got, strings.Trim(row[0], "`"))
	}
	assert.ElementsMatch(t, want, got)

	chinesePage := readmeGuides["README.zh-CN.md"]
	_, chinese := pageBlocks(t, chinesePage)
	got = nil
	for _, row := range regexp.MustCompile("(?m)^\\| `(Err\\w+)` \\| .+ \\|$").FindAllStringSubmatch(chinese, -1) {
		got = append(got, row[1])
	}
	assert.ElementsMatch(t, want, got, chinesePage)
}

// The releases of Go that are promised are those that are tested.
func TestREADMEReleases(t *testing.T) {
	mod, err := readFile("go.mod")
	require.NoError(t, err)
	oldest := regexp.MustCompile(`(?m)^go (1\.\d+)`).FindSubmatch(mod)
	require.NotNil(t, oldest)
	checks, err := readFile(".ci/run")
	require.NoError(t, err)
	page, err := readFile("docs/reference.md")
	require.NoError(t, err)
	text := string(page)
	assert.Contains(t, text, "Go "+string(oldest[1])+" and later")
	assert.Contains(t, readme(t), "Go "+string(oldest[1])+" or later")
	assert.Contains(t, readme(t), "Go "+string(oldest[1])+" and later")
	cluster, err := readFile("hbase/internal/cluster/pom.xml")
	require.NoError(t, err)
	hbase := regexp.MustCompile(`<version>(\d+\.\d+\.\d+)</version>`).FindSubmatch(cluster)
	require.NotNil(t, hbase)
	for _, said := range []string{text, readme(t)} {
		assert.Contains(t, said, "HBase "+string(hbase[1]))
	}
	for said, done := range map[string]string{
		"run on Go " + string(oldest[1]) + ".0": "GOTOOLCHAIN=go" + string(oldest[1]) + ".0",
		"in 32 bits":                            "GOARCH=386",
		"big-endian machine":                    "GOARCH=s390x",
	} {
		assert.Contains(t, strings.Join(strings.Fields(text), " "), said)
		assert.Contains(t, string(checks), done)
	}
}

// readmeClaims runs the check of each row of a table, by its first cell. A row
// without a check fails, and so does a check without a row.
func readmeClaims(t *testing.T, heading string, checks map[string]func(t *testing.T)) {
	left := maps.Clone(checks)
	for _, row := range readmeTable(t, heading) {
		check := left[row[0]]
		delete(left, row[0])
		if assert.NotNil(t, check, "nothing checks %q", row[0]) {
			t.Run(row[0], check)
		}
	}
	assert.Empty(t, slices.Collect(maps.Keys(left)), "checks of what the README does not claim")
}

// What it says against fmt.Sprintf.
func TestREADMEAgainstSprintf(t *testing.T) {
	at := time.UnixMilli(1684203630000)
	key := func(seller string) []byte {
		return mustKey(t)(trades.Key().String(seller).Time(at).Uint(7).Bytes())
	}
	readmeClaims(t, "`fmt.Sprintf(\"", map[string]func(t *testing.T){
		"a prefix without its separator: `s-4` also reads `s-42`": func(t *testing.T) {
			unsalted := rowkey.New("t").String("seller").Separator("_").Uint("order", 8).MustBuild()
			r, err := unsalted.Key().String("s-4").Range()
			require.NoError(t, err)
			assert.True(t, r.Contains(mustKey(t)(unsalted.AppendKey(nil, "s-4", 1))))
			assert.False(t, r.Contains(mustKey(t)(unsalted.AppendKey(nil, "s-42", 1))))
			assert.True(t, strings.HasPrefix("s-42_1", "s-4"))
		},
		"a seller named `a_b` reads, or overwrites, another's rows": func(t *testing.T) {
			_, err := trades.Key().String("a_b").Time(at).Uint(7).Bytes()
			assert.ErrorIs(t, err, rowkey.ErrTerminator)
			assert.ErrorContains(t, err, "seller")
			_, err = trades.Key().String("a_b").Range()
			assert.ErrorIs(t, err, rowkey.ErrTerminator)
		},
		"newest first, start and stop swapped: no rows, no error": func(t *testing.T) {
			plan, err := trades.Scan(rowkey.Eq("seller", "s"), rowkey.Span("at", at, at.Add(time.Hour)))
			require.NoError(t, err)
			assert.Equal(t, 1, plan.Len())
			for r := range plan.Ranges() {
				assert.True(t, r.Contains(key("s")))
				assert.Negative(t, bytes.Compare(r.Start(), r.Stop()))
			}
			early, err := trades.Key().String("s").Time(at).Range()
			require.NoError(t, err)
			late, err := trades.Key().String("s").Time(at.Add(time.Hour)).Range()
			require.NoError(t, err)
			_, err = rowkey.NewRange(early.Start(), late.Stop())
			assert.ErrorIs(t, err, rowkey.ErrInverted)
		},
		"an empty stop row scans, or deletes, the whole table": func(t *testing.T) {
			_, err := trades.Key().Range()
			assert.ErrorIs(t, err, rowkey.ErrFullScan)
			_, err = trades.Scan()
			assert.ErrorIs(t, err, rowkey.ErrFullScan)
			_, err = trades.Scan(rowkey.FullScan())
			assert.NoError(t, err)
			_, err = rowkey.NewRange([]byte("a"), nil)
			assert.ErrorIs(t, err, rowkey.ErrLength)
			var none rowkey.Range
			assert.True(t, none.Empty())
			assert.Positive(t, bytes.Compare(none.Start(), none.Stop()))
			assert.NotEmpty(t, none.Stop())
		},
		"seconds where milliseconds were meant": func(t *testing.T) {
			_, err := trades.Key().String("s").Int(at.Unix()).Uint(7).Bytes()
			assert.ErrorIs(t, err, rowkey.ErrType)
			_, err = trades.AppendKey(nil, "s", at.Unix(), 7)
			assert.ErrorIs(t, err, rowkey.ErrType)
			same := mustKey(t)(trades.Key().String("s").UnixMilli(at.UnixMilli()).Uint(7).Bytes())
			assert.Equal(t, key("s"), same)
		},
		"a number too large or negative is cut or breaks the width": func(t *testing.T) {
			small := rowkey.New("t").Uint("a", 2).Uint("b", 8, rowkey.Digits(3)).MustBuild()
			for _, row := range [][2]any{{65536, 1}, {-1, 1}, {1, 1000}, {1, -1}} {
				_, err := small.AppendKey(nil, row[0], row[1])
				assert.ErrorIs(t, err, rowkey.ErrRange, row)
			}
		},
		"reading a key is a second piece of code": func(t *testing.T) {
			wrong := key("s-42")
			wrong[0]++
			var seller string
			assert.ErrorIs(t, trades.Read(wrong).String(&seller).Skip().Skip().Err(), rowkey.ErrDerived)
		},
		"an allocation a key, or several": func(t *testing.T) {
			v := struct {
				seller string
				at     time.Time
				order  uint64
			}{"s-42", tradedAt, 7}
			var text string
			some := testing.AllocsPerRun(100, func() { text = fmt.Sprintf("%d_%s_%d", 12, v.seller, math.MaxInt64-v.at.UnixMilli()) })
			assert.NotEmpty(t, text)
			assert.GreaterOrEqual(t, some, 1.0)
			buf := make([]byte, 0, 64)
			var err error
			none := testing.AllocsPerRun(100, func() {
				_, err = trades.KeyIn(buf).String(v.seller).Time(v.at).Uint(v.order).Bytes()
			})
			assert.NoError(t, err)
			assert.Zero(t, none)
		},
	})
}

// The two remedies for the keys that did not fit, and their price.
func TestREADMERemedies(t *testing.T) {
	at := time.UnixMilli(1684203630000)
	layout := func(rule rowkey.SaltOption, user ...rowkey.FieldOption) *rowkey.Schema {
		return rowkey.New("ops").
			Salt(100, "user", rule, rowkey.Digits(2)).Separator("_").
			String("user", user...).Separator("_").
			Time("at", rowkey.Millis, rowkey.Desc, rowkey.Digits(19)).
			MustBuild()
	}
	_, err := layout(interop.JavaHashAbs).Decode([]byte("73_user123_9223370352651145805"))
	assert.NoError(t, err)
	loose := layout(interop.JavaHash, rowkey.Loose)
	var user string
	require.NoError(t, loose.Read([]byte("79_anna_b_9223370352651145804")).String(&user).Skip().Err())
	assert.Equal(t, "anna_b", user)
	assert.Equal(t, "79_anna_b_9223370352651145807", string(mustKey(t)(loose.AppendKey(nil, "anna_b", at))))
	unsalted := rowkey.New("t").String("user", rowkey.Loose).Separator("_").Uint("n", 1).MustBuild()
	r, err := unsalted.Key().String("anna").Range()
	require.NoError(t, err)
	for _, user := range []string{"anna", "anna_b"} {
		assert.True(t, r.Contains(mustKey(t)(unsalted.AppendKey(nil, user, 1))))
	}
	for _, text := range []string{"interop.JavaHashAbs", `String("user", rowkey.Loose)`} {
		for _, guide := range readmeGuides {
			page, err := readFile(guide)
			require.NoError(t, err)
			assert.Contains(t, string(page), "`"+text+"`", guide)
		}
	}
}

func TestREADMELimits(t *testing.T) {
	builds := func(b *rowkey.Builder) bool {
		_, err := b.Build()
		return err == nil
	}
	fits := func(s *rowkey.Schema, values ...any) bool {
		key, err := s.AppendKey(nil, values...)
		if err == nil {
			_, err = s.Decode(key)
			require.NoError(t, err)
		}
		return err == nil
	}
	readmeClaims(t, "what |", map[string]func(t *testing.T){
		"a key": func(t *testing.T) {
			s := rowkey.New("t").String("a").MustBuild()
			assert.True(t, fits(s, strings.Repeat("a", 32767)))
			for _, v := range []string{"", strings.Repeat("a", 32768)} {
				_, err := s.AppendKey(nil, v)
				assert.ErrorIs(t, err, rowkey.ErrLength)
			}
			short := rowkey.New("t", rowkey.MaxLen(2048)).String("a").MustBuild()
			assert.True(t, fits(short, strings.Repeat("a", 2048)))
			assert.False(t, fits(short, strings.Repeat("a", 2049)))
			assert.False(t, builds(rowkey.New("t", rowkey.MaxLen(32768)).String("a")))
		},
		"integers": func(t *testing.T) {
			for size := range 10 {
				assert.Equal(t, size >= 1 && size <= 8, builds(rowkey.New("t").Uint("a", size)), size)
				assert.Equal(t, size >= 1 && size <= 8, builds(rowkey.New("t").Int("a", size)), size)
			}
			assert.True(t, fits(rowkey.New("t").Uint("a", 8, rowkey.Digits(20)).MustBuild(), uint64(math.MaxUint64)))
			assert.False(t, builds(rowkey.New("t").Uint("a", 8, rowkey.Digits(21))))
			assert.True(t, fits(rowkey.New("t").Uint("a", 8, rowkey.HexDigits(16)).MustBuild(), uint64(math.MaxUint64)))
			assert.False(t, builds(rowkey.New("t").Uint("a", 8, rowkey.HexDigits(17))))
		},
		"floats": func(t *testing.T) {
			for size := range 10 {
				assert.Equal(t, size == 4 || size == 8, builds(rowkey.New("t").Float("a", size)), size)
			}
			s := rowkey.New("t").Float("a", 8).MustBuild()
			_, err := s.AppendKey(nil, math.NaN())
			assert.ErrorIs(t, err, rowkey.ErrRange)
			assert.Equal(t, mustKey(t)(s.AppendKey(nil, 0.0)), mustKey(t)(s.AppendKey(nil, math.Copysign(0, -1))))
			s = rowkey.New("t", interop.HBase).Float("a", 8).MustBuild()
			minus := mustKey(t)(s.AppendKey(nil, math.Copysign(0, -1)))
			assert.Equal(t, []byte{0x80, 0, 0, 0, 0, 0, 0, 0}, minus)
			for _, zero := range []float64{0, math.Copysign(0, -1)} {
				plan, err := s.Scan(rowkey.Eq("a", zero))
				assert.NoError(t, err)
				assert.True(t, plan.Match(minus) && plan.Match(mustKey(t)(s.AppendKey(nil, 0.0))))
			}
		},
		"decimals": func(t *testing.T) {
			for dialect, most := range map[rowkey.Dialect]int{interop.OrderedBytes: 31, interop.Phoenix: 38} {
				s := rowkey.New("t", dialect).String("a", interop.Numeric).MustBuild()
				digits := strings.Repeat("123456789", 5)
				assert.True(t, fits(s, digits[:most]))
				assert.True(t, fits(s, "-0."+digits[:most]))
				_, err := s.AppendKey(nil, digits[:most+1])
				assert.ErrorIs(t, err, rowkey.ErrRange)
			}
			assert.False(t, builds(rowkey.New("t").String("a", interop.Numeric)))
		},
		"times": func(t *testing.T) {
			midnight := time.Date(2023, 5, 16, 0, 0, 0, 0, time.UTC)
			for _, unit := range []struct {
				rowkey.Unit
				epoch time.Time
			}{{rowkey.Millis, time.UnixMilli(0)}, {rowkey.Millis.Since(midnight), midnight}, {rowkey.Layout("20060102150405", time.UTC), time.UnixMilli(0)}} {
				s := rowkey.New("t").Time("at", unit.Unit).MustBuild()
				assert.True(t, fits(s, unit.epoch))
				_, err := s.AppendKey(nil, unit.epoch.Add(-1))
				assert.ErrorIs(t, err, rowkey.ErrRange)
			}
			for _, dialect := range []rowkey.Dialect{interop.OrderedBytes, interop.Phoenix} {
				assert.True(t, fits(rowkey.New("t", dialect).Time("at", rowkey.Millis).MustBuild(), time.UnixMilli(-1)))
			}
			whole := rowkey.New("t").Time("at", rowkey.Seconds).MustBuild()
			assert.Equal(t, mustKey(t)(whole.AppendKey(nil, midnight)), mustKey(t)(whole.AppendKey(nil, midnight.Add(time.Second-1))))
			text := rowkey.New("t").Time("at", rowkey.Layout("2006", time.UTC)).MustBuild()
			assert.True(t, fits(text, time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)))
			assert.False(t, fits(text, time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)))
		},
		"text": func(t *testing.T) {
			assert.False(t, builds(rowkey.New("t").String("a").Uint("b", 1)))
			assert.True(t, fits(rowkey.New("t").Uint("b", 1).String("a").MustBuild(), 1, "\x00\xff\x00"))
			for _, dialect := range []rowkey.Dialect{interop.OrderedBytes, interop.Phoenix} {
				assert.True(t, fits(rowkey.New("t", dialect).String("a").Int("b", 1).MustBuild(), "x", 1))
			}
			zero := rowkey.New("t").String("a").Separator("\x00").Uint("b", 1).MustBuild()
			line := rowkey.New("t").String("a").Separator("_").Uint("b", 1).MustBuild()
			assert.Equal(t, rowkey.Forward, zero.Order("a"))
			assert.Equal(t, rowkey.Unordered, line.Order("a"))
		},
		"buckets": func(t *testing.T) {
			assert.True(t, builds(rowkey.New("t").Salt(256, "a").Uint("a", 1)))
			assert.False(t, builds(rowkey.New("t").Salt(257, "a").Uint("a", 1)))
			for _, o := range []rowkey.SaltOption{rowkey.Width(4), rowkey.Digits(10)} {
				assert.True(t, builds(rowkey.New("t").Salt(math.MaxInt32, "a", o).Uint("a", 1)))
			}
			assert.True(t, builds(rowkey.New("t").Salt(math.MaxInt32, "a", rowkey.Decimal).Separator("_").Uint("a", 1)))
			if beyond := math.MaxInt32 + uint64(1); uint64(int(beyond)) == beyond { // not in 32 bits
				assert.False(t, builds(rowkey.New("t").Salt(int(beyond), "a", rowkey.Width(8)).Uint("a", 1)))
			}
		},
		"ranges": func(t *testing.T) {
			for buckets, want := range map[int]error{1024: nil, 1025: rowkey.ErrManyRanges} {
				s := rowkey.New("t").Salt(buckets, "b", rowkey.Width(2)).Uint("a", 1).Uint("b", 1).MustBuild()
				ranges, _, err := s.Key().Uint(1).AppendRanges(nil, nil)
				assert.True(t, errors.Is(err, want), err)
				if want == nil {
					assert.Len(t, ranges, buckets)
				}
				_, err = s.Scan(rowkey.Eq("a", 1))
				assert.True(t, errors.Is(err, want), err)
				plan, err := s.Scan(rowkey.Eq("a", 1), rowkey.MaxRanges(buckets))
				require.NoError(t, err)
				assert.Equal(t, buckets, plan.Len())
			}
		},
		"nulls": func(t *testing.T) {
			s := rowkey.New("t").String("a").Separator("\x00").String("b").MustBuild()
			_, err := s.AppendKey(nil, "a", nil)
			assert.ErrorIs(t, err, rowkey.ErrType)
			_, err = s.AppendKey(nil, "a")
			assert.ErrorIs(t, err, rowkey.ErrMissing)
			assert.False(t, builds(rowkey.New("t").String("a").Separator("\x00").String("b", rowkey.Optional)))
			for _, dialect := range []rowkey.Dialect{interop.OrderedBytes, interop.Phoenix} {
				assert.True(t, fits(rowkey.New("t", dialect).String("a").String("b", rowkey.Optional).MustBuild(), "a", nil))
			}
		},
	})
}

func TestREADMERefused(t *testing.T) {
	refuses := func(t *testing.T, says string, b *rowkey.Builder) {
		t.Helper()
		_, err := b.Build()
		assert.ErrorIs(t, err, rowkey.ErrSchema)
		assert.ErrorContains(t, err, says)
	}
	readmeClaims(t, "refused |", map[string]func(t *testing.T){
		"a text that is not last and has no end": func(t *testing.T) {
			refuses(t, "add a Separator", rowkey.New("t").String("uid").String("phone"))
		},
		"`Desc, Width(4)`": func(t *testing.T) {
			refuses(t, "Width(4), Desc is MaxInt32", rowkey.New("t").Time("at", rowkey.Seconds, rowkey.Desc, rowkey.Width(4)))
			s := rowkey.New("t").Time("at", rowkey.Seconds, rowkey.Width(4), rowkey.Desc).MustBuild()
			assert.Equal(t, []byte{0x7f, 0xff, 0xff, 0xff}, mustKey(t)(s.AppendKey(nil, time.Unix(0, 0))))
		},
		"1000 buckets in one byte": func(t *testing.T) {
			refuses(t, "Width(2)", rowkey.New("t").Salt(1000, "id").Uint("id", 8))
		},
		"a `Layout` in a zone that changes its offset": func(t *testing.T) {
			shanghai, err := time.LoadLocation("Asia/Shanghai") // until 1991
			require.NoError(t, err)
			refuses(t, "changes its offset", rowkey.New("t").Time("at", rowkey.Layout("2006010215", shanghai)))
		},
		"two fields of one name, an option that does not fit its field, a builder continued twice": func(t *testing.T) {
			refuses(t, "twice", rowkey.New("t").Uint("a", 1).Uint("a", 1))
			refuses(t, "does not fit", rowkey.New("t").Bool("a", rowkey.Desc))
			head := rowkey.New("t").Uint("a", 1)
			head.Uint("b", 1)
			refuses(t, "twice", head.Uint("c", 1))
		},
		"a `Sample` that the layout does not write": func(t *testing.T) {
			refuses(t, "the layout writes", rowkey.New("t").Uint("a", 1).Sample(`\x02`, 1))
		},
	})
}

// Each condition, against the rows it names.
func TestREADMEConditions(t *testing.T) {
	numbers := rowkey.New("t").Uint("n", 1, rowkey.Below(10)).MustBuild()
	texts := rowkey.New("t").String("s").MustBuild()
	matches := func(t *testing.T, s *rowkey.Schema, of []any, want string, conds ...rowkey.Cond) {
		t.Helper()
		plan, err := s.Scan(append(conds, rowkey.FullScan())...)
		require.NoError(t, err)
		var got []any
		for _, v := range of {
			key := mustKey(t)(s.AppendKey(nil, v))
			in := slices.ContainsFunc(slices.Collect(plan.Ranges()), func(r rowkey.Range) bool { return r.Contains(key) })
			assert.Equal(t, plan.Match(key), in && plan.Match(key), "a row is lost")
			if in && (plan.Exact() || plan.Match(key)) {
				got = append(got, v)
			}
		}
		assert.Equal(t, want, fmt.Sprint(got))
	}
	digits := []any{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	words := []any{"a", "ab", "b", "ba"}
	readmeClaims(t, "condition |", map[string]func(t *testing.T){
		"`Eq`, `NotEq`": func(t *testing.T) {
			matches(t, numbers, digits, "[3]", rowkey.Eq("n", 3))
			matches(t, numbers, digits, "[0 1 2 4 5 6 7 8 9]", rowkey.NotEq("n", 3))
		},
		"`In`": func(t *testing.T) {
			matches(t, numbers, digits, "[2 7]", rowkey.In("n", 7, 2, 300, -1))
			matches(t, numbers, digits, "[]", rowkey.In[int]("n"))
		},
		"`Span`": func(t *testing.T) { matches(t, numbers, digits, "[3 4 5]", rowkey.Span("n", 3, 6)) },
		"`AtLeast`, `AtMost`, `MoreThan`, `LessThan`": func(t *testing.T) {
			matches(t, numbers, digits, "[3 4 5 6]", rowkey.AtLeast("n", 3), rowkey.AtMost("n", 6))
			matches(t, numbers, digits, "[4 5]", rowkey.MoreThan("n", 3), rowkey.LessThan("n", 6))
		},
		"`Prefix`, `Suffix`": func(t *testing.T) {
			matches(t, texts, words, "[a ab]", rowkey.Prefix("s", "a"))
			matches(t, texts, words, "[a ba]", rowkey.Suffix("s", "a"))
		},
		"`AnyOf`": func(t *testing.T) {
			matches(t, numbers, digits, "[0 1 8]", rowkey.AnyOf(rowkey.LessThan("n", 2), rowkey.MoreThan("n", 7)), rowkey.NotEq("n", 9))
		},
		"`Null`, `NotNull`": func(t *testing.T) {
			nulls := rowkey.New("t", interop.OrderedBytes).Int("n", 1).String("s", rowkey.Optional).MustBuild()
			matching := func(conds ...rowkey.Cond) (got []any) {
				plan, err := nulls.Scan(append(conds, rowkey.Eq("n", 1))...)
				require.NoError(t, err)
				for _, v := range []any{nil, "", "a"} {
					if plan.Match(mustKey(t)(nulls.AppendKey(nil, 1, v))) {
						got = append(got, v)
					}
				}
				return got
			}
			assert.Equal(t, []any{nil}, matching(rowkey.Null("s")))
			assert.Equal(t, []any{"", "a"}, matching(rowkey.NotNull("s")))
			assert.Equal(t, []any{""}, matching(rowkey.NotEq("s", "a")))
			assert.Equal(t, []any{"", "a"}, matching(rowkey.AtMost("s", "a")))
		},
		"`FullScan`": func(t *testing.T) {
			_, err := texts.Scan()
			assert.ErrorIs(t, err, rowkey.ErrFullScan)
			matches(t, texts, words, "[a ab b ba]")
		},
		"`MaxRanges`": func(t *testing.T) {
			s := rowkey.New("t").Salt(1025, "n", rowkey.Width(2)).Uint("n", 8).MustBuild()
			_, err := s.Scan(rowkey.AtLeast("n", 7))
			assert.ErrorIs(t, err, rowkey.ErrManyRanges)
			assert.ErrorContains(t, err, "1025")
			_, err = s.Scan(rowkey.AtLeast("n", 7), rowkey.MaxRanges(1025))
			assert.NoError(t, err)
		},
	})
}

// What no range can say, and what becomes of it.
func TestREADMENoRange(t *testing.T) {
	at := time.UnixMilli(1684203630000)
	readmeClaims(t, "no range says |", map[string]func(t *testing.T){
		"a field after one that has no `Eq` or `In`": func(t *testing.T) {
			plan, err := trades.Scan(rowkey.Eq("seller", "s"), rowkey.AtLeast("at", at), rowkey.Eq("order", 7))
			require.NoError(t, err)
			assert.False(t, plan.Exact())
			assert.Contains(t, plan.String(), "order: Match checks it")
			assert.Contains(t, plan.String(), "a layout with")
			for order := range uint64(10) {
				assert.Equal(t, order == 7, plan.Match(mustKey(t)(trades.AppendKey(nil, "s", at, order))))
			}
		},
		"a `Suffix` of text stored forward, a `Prefix` of text stored reversed": func(t *testing.T) {
			forward := rowkey.New("t").Uint("a", 1).String("s").MustBuild()
			reversed := rowkey.New("t").Uint("a", 1).String("s", rowkey.Reverse).MustBuild()
			for s, c := range map[*rowkey.Schema]rowkey.Cond{forward: rowkey.Suffix("s", "a"), reversed: rowkey.Prefix("s", "a")} {
				plan, err := s.Scan(rowkey.Eq("a", 1), c)
				require.NoError(t, err)
				assert.False(t, plan.Exact())
				assert.Contains(t, plan.String(), "s: Match checks it")
				_, err = s.Scan(c)
				assert.ErrorIs(t, err, rowkey.ErrFullScan)
			}
		},
		"nothing about the first field": func(t *testing.T) {
			_, err := trades.Scan(rowkey.Eq("at", at))
			assert.ErrorIs(t, err, rowkey.ErrFullScan)
			assert.ErrorContains(t, err, "seller")
		},
		"a value after a hash of two bytes whose fields are not given": func(t *testing.T) {
			s := rowkey.New("t").Hash(rowkey.Murmur3.Raw(2), "id").Time("at", rowkey.Millis).Uint("id", 8).MustBuild()
			_, err := s.Scan(rowkey.Eq("at", at))
			assert.ErrorIs(t, err, rowkey.ErrManyRanges)
			assert.ErrorContains(t, err, "65536 ranges")
		},
		"a bound finer than the unit of a `Time`": func(t *testing.T) {
			s := rowkey.New("t").Time("at", rowkey.Seconds).MustBuild()
			half := time.Unix(5, 5e8)
			plan, err := s.Scan(rowkey.Span("at", half, half.Add(time.Second)))
			require.NoError(t, err)
			assert.False(t, plan.Exact())
			for sec := range int64(10) {
				assert.Equal(t, sec == 5 || sec == 6, plan.Match(mustKey(t)(s.AppendKey(nil, time.Unix(sec, 0)))), sec)
			}
		},
		"a field that is `NotStored`": func(t *testing.T) {
			s := rowkey.New("t").String("id", rowkey.NotStored).Salt(16, "id").Uint("n", 1).MustBuild()
			for ids, c := range map[int]rowkey.Cond{1: rowkey.Eq("id", "a"), 2: rowkey.In("id", "a", "b"), 16: rowkey.AtLeast("id", "a")} {
				plan, err := s.Scan(c, rowkey.Eq("n", 1))
				require.NoError(t, err)
				assert.Equal(t, ids, plan.Len())
				assert.False(t, plan.Exact())
				a, b := mustKey(t)(s.AppendKey(nil, "a", 1)), mustKey(t)(s.AppendKey(nil, "b", 1))
				for id := range 26 {
					key := mustKey(t)(s.AppendKey(nil, string(rune('a'+id)), 1))
					alike := ids == 16 || bytes.Equal(key, a) || ids == 2 && bytes.Equal(key, b)
					assert.Equal(t, alike, plan.Match(key))
				}
			}
		},
		"what a `Loose` text is, where two values are possible": func(t *testing.T) {
			s := rowkey.New("t").String("a", rowkey.Loose).Separator("_").String("b", rowkey.Loose).MustBuild()
			plan, err := s.Scan(rowkey.Eq("a", "x"))
			require.NoError(t, err)
			for _, row := range [][]any{{"x", "y_z"}, {"x_y", "z"}} {
				key := mustKey(t)(s.AppendKey(nil, row...))
				assert.True(t, plan.Match(key))
				for r := range plan.Ranges() {
					assert.True(t, r.Contains(key))
				}
			}
		},
	})
}
