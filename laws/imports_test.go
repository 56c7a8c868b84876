package laws

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is in internal/tests is for tests alone; and CONTRIBUTING.md says of each package that the root module offers
// who imports it.
func TestImports(t *testing.T) {
	guide, err := readFile("CONTRIBUTING.md")
	require.NoError(t, err)
	_, table, _ := strings.Cut(string(guide), "| package | imported by |")
	offered := 0
	require.NoError(t, filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		file = filepath.ToSlash(file)
		if d.IsDir() {
			if d.Name() == "testdata" || file != "." && strings.HasPrefix(d.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, "internal/tests/") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range f.Imports {
			assert.NotContains(t, i.Path.Value, "/internal/tests/", file)
		}
		if dir := path.Dir(file); isOffered(dir) && f.Name.Name != "main" {
			offered++
			assert.Contains(t, table, "["+dir+"]("+dir+")", "CONTRIBUTING.md does not say who imports it")
		}
		return nil
	}))
	require.Greater(t, offered, 7)
}

// isOffered reports that the root module offers a folder's package: it is the root of no module, and for more than this
// project's own pages and tests.
func isOffered(dir string) bool {
	top, _, _ := strings.Cut(dir, "/")
	switch _, err := os.Stat(filepath.Join(top, "go.mod")); {
	case dir == ".", err == nil, top == "cmd":
		return false
	}
	return top != "internal" && top != "laws" && top != "examples"
}
