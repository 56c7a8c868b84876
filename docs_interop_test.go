package rowkey_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hbase-rowkey/rowkey/internal/vectors"
)

// What docs/interop.md shows of a system is what its package declares, does and
// prints: the Go blocks stand in the files that the section names, the text
// blocks in the output of an example there, which the package's own test holds.
func TestInteropPage(t *testing.T) {
	page, err := os.ReadFile(vectors.Page)
	if err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`\[(?:examples/|example_)[^\]]*\]\(\.\./([^)]+)\)`)
	sections := strings.Split(string(page), "\n## ")[1:]
	shown := 0
	for _, section := range sections {
		title, text, _ := strings.Cut(section, "\n")
		m := link.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		code, output := sources(t, m[1])
		kinds := map[string]int{}
		for _, part := range strings.Split(text, "\n```")[1:] {
			kind, block, ok := strings.Cut(part, "\n")
			if !ok || kind == "" {
				continue // the end of a block
			}
			kinds[kind]++
			switch kind {
			case "go":
				if !contains(code, trimmed(block)) {
					t.Errorf("%s: this Go stands in no file of %s:\n%s", title, m[1], block)
				}
			case "text":
				if !contains(output, trimmed(block)) {
					t.Errorf("%s: no example of %s prints this:\n%s", title, m[1], block)
				}
			case "java":
			default:
				t.Errorf("%s: a block of %q", title, kind)
			}
		}
		if kinds["go"] < 2 || kinds["text"] < 1 || kinds["java"] < 1 && title != "CockroachDB" {
			t.Errorf("%s lacks a declaration, a scan, an output or a line of Java: %v", title, kinds)
		}
		shown++
	}
	if shown < 9 {
		t.Errorf("%d systems are shown", shown)
	}
}

// sources are the lines of a file, or of the Go files in a folder, and those of
// the outputs of their examples.
func sources(t *testing.T, path string) (code, output [][]string) {
	t.Helper()
	files := []string{path}
	if info, err := os.Stat(path); err != nil {
		t.Fatal(err)
	} else if info.IsDir() {
		files, _ = filepath.Glob(filepath.Join(path, "*.go"))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		code = append(code, trimmed(string(text)))
		for _, part := range strings.Split(string(text), "// Output:\n")[1:] {
			part, _, _ = strings.Cut(part, "\n}")
			var lines []string
			for line := range strings.Lines(part) {
				lines = append(lines, strings.TrimPrefix(strings.TrimSpace(line), "// "))
			}
			output = append(output, trimmed(strings.Join(lines, "\n")))
		}
	}
	return code, output
}

// trimmed are the lines of a text without the space around them.
func trimmed(text string) (lines []string) {
	for line := range strings.Lines(strings.TrimSpace(text)) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines
}

func contains(all [][]string, want []string) bool {
	return slices.ContainsFunc(all, func(have []string) bool {
		for i := 0; i+len(want) <= len(have); i++ {
			if slices.Equal(have[i:i+len(want)], want) {
				return true
			}
		}
		return false
	})
}
