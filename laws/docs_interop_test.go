package laws

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
)

const interopPage = "docs/interop.md"

// What docs/interop.md shows of a system is what its package declares, does and
// prints: the Go blocks stand in the files that the section names, SQL in a
// comment there, the text blocks in the output of an example, which the package's
// own test holds.
func TestInteropPage(t *testing.T) {
	page, err := readFile(interopPage)
	if err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`\[(?:examples/|interop/|dialects_|example_)[^\]]*\]\(\.\./([^)]+)\)`)
	sections := strings.Split(string(page), "\n## ")[1:]
	shown := 0
	for _, section := range sections {
		title, text, _ := strings.Cut(section, "\n")
		m := link.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		code, comments, output := sources(t, m[1])
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
			case "sql":
				if !contains(comments, trimmed(block)) {
					t.Errorf("%s: no comment of %s says this SQL:\n%s", title, m[1], block)
				}
			default:
				t.Errorf("%s: a block of %q", title, kind)
			}
		}
		if kinds["go"] < 2 || kinds["text"] < 1 {
			t.Errorf("%s lacks a declaration, a call or an output: %v", title, kinds)
		}
		if (kinds["sql"] > 0) != (title == "Phoenix") {
			t.Errorf("%s: SQL is Phoenix's: %v", title, kinds)
		}
		shown++
	}
	if shown < 3 {
		t.Errorf("%d systems are shown", shown)
	}
	listed, err := filepath.Glob("examples/systems/*")
	if err != nil || len(listed) < 7 {
		t.Fatal(listed, err)
	}
	for _, folder := range listed {
		if !strings.Contains(string(page), "](../"+folder+")") {
			t.Errorf("the table of systems lacks %s", folder)
		}
	}
}

// sources are the lines of a file, or of the Go files in a folder, those of their
// comments, and those of the outputs of their examples.
func sources(t *testing.T, path string) (code, comments, output [][]string) {
	t.Helper()
	files := []string{path}
	if info, err := os.Stat(path); err != nil {
		t.Fatal(err)
	} else if info.IsDir() {
		files, _ = filepath.Glob(filepath.Join(path, "*.go"))
	}
	for _, file := range files {
		text, err := readFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := trimmed(string(text))
		code = append(code, lines)
		var said []string
		for _, line := range lines {
			if comment, ok := strings.CutPrefix(line, "//"); ok {
				said = append(said, strings.TrimSpace(comment))
			} else {
				said = append(said, "\x00") // no comment
			}
		}
		comments = append(comments, said)
		for _, part := range strings.Split(string(text), "// Output:\n")[1:] {
			part, _, _ = strings.Cut(part, "\n}")
			var lines []string
			for line := range strings.Lines(part) {
				lines = append(lines, strings.TrimPrefix(strings.TrimSpace(line), "// "))
			}
			output = append(output, trimmed(strings.Join(lines, "\n")))
		}
	}
	return code, comments, output
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

// interopTypes are the rows of a section's table of types, without the type
// marks around their cells.
func interopTypes(t *testing.T, section string) (rows [][]string) {
	t.Helper()
	page, err := readFile(interopPage)
	require.NoError(t, err)
	_, text, ok := strings.Cut(string(page), "\n## "+section+"\n")
	require.True(t, ok, section)
	text, _, _ = strings.Cut(text, "\n## ")
	_, table, ok := strings.Cut(text, "\n| type | ")
	require.True(t, ok, section)
	table, _, _ = strings.Cut(table, "\n\n")
	for _, line := range strings.Split(table, "\n")[2:] {
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := 1; i < len(cells); i++ {
			cells[i] = strings.Trim(cells[i], " `")
		}
		rows = append(rows, cells)
	}
	return rows
}

// typeNames are the types that a row's first cell names: the rest of it is prose.
func typeNames(cell string) (names []string) {
	for _, span := range readmeSpan.FindAllStringSubmatch(cell, -1) {
		names = append(names, span[1])
	}
	return names
}

// answers are the lines of a file of vectors.
func answers(t *testing.T, file string) (lines []map[string]any) {
	t.Helper()
	text, err := readFile(filepath.Join("testdata", "vectors", file+".jsonl"))
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		var l map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &l))
		lines = append(lines, l)
	}
	return lines
}

// writesType checks that a declaration of the page reads bytes as the value, in
// the vectors' spelling, and writes them again. A component that has a dialect of
// its own is alone here, so that the dialect is the schema's.
func writesType(t *testing.T, dialect, declaration, value, bytes string) {
	t.Helper()
	if component := strings.Replace(declaration, ", interop.HBase", "", 1); component != declaration {
		dialect, declaration = "HBase", component
	}
	ref, err := goldenSchema(fmt.Sprintf(`New("t", %s).%s`, dialect, declaration))
	require.NoError(t, err, declaration)
	s, err := ref.build()
	require.NoError(t, err, declaration)
	key, err := hex.DecodeString(bytes)
	require.NoError(t, err)
	row, err := s.Decode(key)
	if !assert.NoError(t, err, "%s: %s", s, bytes) {
		return
	}
	var values []any
	for _, v := range row.All() {
		values = append(values, v)
	}
	require.Len(t, values, 1)
	var texts []string // of a time and a float more than one
	switch v := values[0].(type) {
	case []byte:
		texts = []string{hex.EncodeToString(v)}
	case float64:
		texts = []string{fmt.Sprint(v), strconv.FormatFloat(v, 'f', 1, 64)}
	case time.Time:
		ms := fmt.Sprint(v.UnixMilli())
		texts = []string{ms, fmt.Sprint(ms, ":", v.Nanosecond())}
	default:
		texts = []string{fmt.Sprint(v)}
	}
	assert.Contains(t, texts, value, "%s: %s", s, bytes)
	again, err := s.AppendKey(nil, values...)
	require.NoError(t, err)
	assert.Equal(t, bytes, hex.EncodeToString(again), "%s", s)
}

// Each row of the table of HBase's types is an answer of Java, which its
// declaration writes, and no type that was asked is missing.
func TestInteropOrderedTypes(t *testing.T) {
	have := map[string]bool{}
	lines := answers(t, "hbase_types")
	for _, row := range interopTypes(t, "OrderedBytes") {
		declaration, value, bytes := row[1], row[2], row[3]
		writesType(t, "OrderedBytes", declaration, value, bytes)
		names := typeNames(row[0])
		require.NotEmpty(t, names, row)
		for _, name := range names {
			have[name] = true
			assert.True(t, slices.ContainsFunc(lines, func(l map[string]any) bool {
				return l["type"] == name && l["hex"] == bytes && (l["value"] == value || name == "RawBytes DESC")
			}), "no answer of Java: %s of %s is %s", name, value, bytes)
		}
	}
	for _, l := range lines {
		name, _ := strings.CutSuffix(l["type"].(string), " DESC")
		assert.True(t, have[name], "no row for %s", name)
	}
}

// Each row of the table of Phoenix's types is an answer of Java in both orders,
// and no type that was asked is missing.
func TestInteropPhoenixTypes(t *testing.T) {
	have := map[string]bool{}
	types, keys := answers(t, "phoenix_types"), answers(t, "phoenix_keys")
	answered := func(name, value, bytes string, desc bool) bool {
		order := map[bool]string{false: "asc", true: "desc"}[desc]
		return slices.ContainsFunc(types, func(l map[string]any) bool {
			return l["type"] == name && l["value"] == value && l[order] == bytes
		}) || slices.ContainsFunc(keys, func(l map[string]any) bool { // the last column of a key
			cols := l["cols"].([]any)
			last := cols[len(cols)-1].(map[string]any)
			row, _ := l["row"].(string)
			values, _ := l["values"].([]any)
			typ := last["type"].(string)
			if size, ok := last["len"]; ok {
				typ += fmt.Sprintf("(%v)", size)
			}
			return typ == name && (last["desc"] == true) == desc && values != nil && values[len(cols)-1] == value && strings.HasSuffix(row, bytes)
		})
	}
	for _, row := range interopTypes(t, "Phoenix") {
		names := typeNames(row[0])
		require.Len(t, names, 1)
		name, declaration, value := names[0], row[1], row[2]
		have[name] = true
		writesType(t, "Phoenix", declaration, value, row[3])
		later := name == "VARBINARY_ENCODED" // than what was asked
		assert.Equal(t, !later, answered(name, value, row[3], false), "an answer of Java: %s of %s is %s", name, value, row[3])
		descending := strings.TrimSuffix(declaration, ")") + ", Desc)"
		if row[4] == "" {
			ref, err := goldenSchema(`New("t", Phoenix).` + descending)
			require.NoError(t, err)
			_, err = ref.build()
			assert.ErrorIs(t, err, rowkey.ErrSchema, name)
			continue
		}
		writesType(t, "Phoenix", descending, value, row[4])
		assert.Equal(t, !later, answered(name, value, row[4], true), "an answer of Java: %s DESC of %s is %s", name, value, row[4])
	}
	for _, l := range types {
		assert.True(t, have[l["type"].(string)], "no row for %s", l["type"])
	}
}
