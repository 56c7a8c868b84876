package laws

import (
	"crypto/sha256"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Pages whose Go blocks are one program: the first block declares, each other one
// is a part of main, and the text block after it is what this part prints. The
// page stands in two languages, with the same blocks.
//
// UPDATE_DOCS=1 writes what is printed into the pages; look at the difference.

const updateDocs = "UPDATE_DOCS"

// generatedBetween holds what a page has between two marks to what a test makes of the code.
// UPDATE_DOCS=1 writes it.
func generatedBetween(t *testing.T, file, begin, end, want string) {
	t.Helper()
	page, err := readFile(file)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(page), begin)
	require.True(t, ok)
	got, after, ok := strings.Cut(rest, end)
	require.True(t, ok)
	if os.Getenv(updateDocs) != "" {
		require.NoError(t, os.WriteFile(file, []byte(before+begin+want+end+after), 0o644))
		return
	}
	assert.Equal(t, want, got, "%s=1 go test -run %s ./laws writes it", updateDocs, t.Name())
}

// pageBlocks cuts a page into its fenced blocks and its prose.
func pageBlocks(t *testing.T, file string) (blocks []readmeBlock, prose string) {
	t.Helper()
	page, err := readFile(file)
	require.NoError(t, err)
	var b *readmeBlock
	line := 0
	for text := range strings.Lines(string(page)) {
		line++
		lang, fence := strings.CutPrefix(text, "```")
		switch {
		case fence && b == nil:
			b = &readmeBlock{lang: strings.TrimSpace(lang), line: line}
		case fence:
			blocks = append(blocks, *b)
			b = nil
		case b != nil:
			b.text += text
		default:
			prose += text
		}
	}
	require.Nil(t, b, "%s: the last block has no end", file)
	return blocks, prose
}

// writeBlocks gives blocks of a page, by the line of their fence, another text.
func writeBlocks(t *testing.T, file string, texts map[int]string) {
	t.Helper()
	if len(texts) == 0 {
		return
	}
	page, err := readFile(file)
	require.NoError(t, err)
	var out string
	line, inside := 0, false
	for text := range strings.Lines(string(page)) {
		line++
		inside = inside && !strings.HasPrefix(text, "```")
		if !inside {
			out += text
		}
		if block, ok := texts[line]; ok {
			out, inside = out+block, true
		}
	}
	require.NoError(t, os.WriteFile(file, []byte(out), 0o644))
}

// pageProgram is the program that the Go blocks of a page make.
func pageProgram(t *testing.T, file string, blocks []readmeBlock) string {
	t.Helper()
	var declared, body string
	for i, b := range blocks {
		if b.lang != "go" {
			continue
		}
		formatted, err := format.Source([]byte(b.text))
		require.NoError(t, err, "%s:%d", file, b.line)
		assert.Equal(t, string(formatted), b.text, "%s:%d: gofmt it", file, b.line)
		if strings.Contains(b.text, "\nfunc ") || strings.HasPrefix(b.text, "func ") {
			declared += b.text
			continue
		}
		require.True(t, i+1 < len(blocks) && blocks[i+1].lang == "text", "%s:%d: what it prints stands after it", file, b.line)
		body += b.text + "fmt.Println(\"\\x00\")\n"
	}
	source := declared + "\nfunc main() {\n" + body + "}\n"
	return "package main\n\n" + importsOf(source) + source
}

// programBlocks are the blocks of a page but for its sessions at a terminal, which the
// command's TestDocs runs.
func programBlocks(t *testing.T, file string) []readmeBlock {
	t.Helper()
	blocks, _ := pageBlocks(t, file)
	return slices.DeleteFunc(blocks, func(b readmeBlock) bool { return b.lang == "console" })
}

// runPage runs a page's program, compares or writes what it prints, and returns it.
func runPage(t *testing.T, files ...string) string {
	t.Helper()
	blocks := programBlocks(t, files[0])
	output := readmeRun(t, pageProgram(t, files[0], blocks))
	parts := strings.Split(output, "\x00\n")
	parts = parts[:len(parts)-1]
	for _, file := range files {
		if os.Getenv(updateDocs) != "" {
			page, err := readFile(file)
			require.NoError(t, err)
			rest, written, n := string(page), "", 0
			for {
				before, after, ok := strings.Cut(rest, "```text\n")
				written += before
				if !ok {
					break
				}
				_, after, _ = strings.Cut("\n"+after, "\n```\n")
				require.Less(t, n, len(parts), file)
				written, rest, n = written+"```text\n"+parts[n]+"```\n", after, n+1
			}
			require.NoError(t, os.WriteFile(file, []byte(written), 0o644))
		}
		own := programBlocks(t, file)
		require.Len(t, own, len(blocks), "%s and %s show the same blocks", files[0], file)
		n := 0
		for i, b := range own {
			switch b.lang {
			case "text":
				require.Less(t, n, len(parts), "%s:%d: nothing prints this", file, b.line)
				assert.Equal(t, parts[n], b.text, "%s:%d", file, b.line)
				n++
			case "go", "console": // module cmd/rowkey's TestDocs runs the commands
				assert.Equal(t, blocks[i].text, b.text, "%s:%d is not what %s:%d shows", file, b.line, files[0], blocks[i].line)
			default:
				t.Errorf("%s:%d: a block is go, text or console, so that it can be checked, not %q", file, b.line, b.lang)
			}
		}
		assert.Equal(t, len(parts), n, file)
	}
	return output
}

const (
	articles   = "docs/from-articles.md"
	articlesZh = "docs/zh-CN/from-articles.md"
)

// What the articles write, in their own digits. All other bytes and long numbers in the statements are printed by the page's program.
var articlesSaid = []string{"03020160152320", "20230516102030", "2015122410", "00000000000", "201213", "3231-20121212"}

// Every statement of the articles is answered once, in both languages alike. The page in
// Chinese has the program, whose comments are English; the other one has none.
func TestFromArticles(t *testing.T) {
	long(t)
	output := runPage(t, articlesZh)
	blocks, _ := pageBlocks(t, articles)
	assert.Empty(t, blocks)
	statement := regexp.MustCompile(`(?m)^- \*\*(\d+(?:, \d+)*)\*\* (✓|✗) (.*(?:\n(?:[^-#\n|].*))*)`)
	digits := regexp.MustCompile("`([0-9a-f]{6,})…?`")
	verdicts := map[string][]string{}
	for file, errs := range map[string]string{articles: "No: ", articlesZh: "文章有误："} {
		_, prose := pageBlocks(t, file)
		found := statement.FindAllStringSubmatch(prose, -1)
		require.Equal(t, strings.Count(prose, "\n- **")-5, len(found), "%s: a statement has no ✓ or ✗, beside the five articles", file)
		var numbers []string
		for _, s := range found {
			for n := range strings.SplitSeq(s[1], ", ") {
				numbers = append(numbers, n)
				verdicts[file] = append(verdicts[file], n+s[2])
			}
			assert.Equal(t, s[2] == "✗", strings.HasPrefix(s[3], errs), "%s: statement %s", file, s[1])
			for _, d := range digits.FindAllStringSubmatch(s[3], -1) {
				assert.True(t, slices.Contains(articlesSaid, d[1]) || strings.Contains(output, d[1]), "%s: statement %s: nothing prints %s", file, s[1], d[1])
			}
		}
		var want []string
		for n := range 128 {
			want = append(want, fmt.Sprint(n+1))
		}
		assert.ElementsMatch(t, want, numbers, file)
	}
	assert.ElementsMatch(t, verdicts[articles], verdicts[articlesZh])
}

// What docs/questions.md answers is what its program prints.
func TestQuestions(t *testing.T) {
	long(t)
	pages := []string{"docs/questions.md"}
	if chinese := "docs/zh-CN/questions.md"; fileExists(chinese) {
		pages = append(pages, chinese)
	}
	runPage(t, pages...)
}

// The shapes that docs/bigtable.md uses of cloud.google.com/go/bigtable, which is
// no requirement of this module, over keys in memory.
const bigtableShapes = `
type bigtableRow map[string][]struct{}

func (r bigtableRow) Key() string {
	for key := range r {
		return key
	}
	return ""
}

type bigtableRowRange struct {
	start, end string
	endless    bool
}

type bigtableRowRangeList []bigtableRowRange

func bigtableNewRange(start, end string) bigtableRowRange { return bigtableRowRange{start: start, end: end} }
func bigtableInfiniteRange(start string) bigtableRowRange { return bigtableRowRange{start: start, endless: true} }

type bigtableTable struct{ keys []string }

type bigtableReadOption struct{ reverse bool }

func bigtableReverseScan() bigtableReadOption { return bigtableReadOption{true} }

func (t *bigtableTable) ReadRows(_ context.Context, ranges any, f func(bigtableRow) bool, way ...bigtableReadOption) error {
	if len(way) > 0 {
		return fmt.Errorf("no plan here is reversed")
	}
	list, ok := ranges.(bigtableRowRangeList)
	if !ok {
		list = bigtableRowRangeList{ranges.(bigtableRowRange)}
	}
	for _, key := range t.keys {
		in := slices.ContainsFunc(list, func(r bigtableRowRange) bool { return key >= r.start && (r.endless || key < r.end) })
		if in && !f(bigtableRow{key: nil}) {
			return nil
		}
	}
	return nil
}

func main() {
	ctx := context.Background()
	day := time.Date(2023, 5, 16, 0, 0, 0, 0, time.UTC)
	table := &bigtableTable{}
	for i := range 50 {
		key, err := events.Key().Time(day.Add(time.Duration(i) * time.Minute)).String(fmt.Sprint("web-", i%9)).Bytes()
		if err != nil {
			panic(err)
		}
		table.keys = append(table.keys, string(key))
	}
	slices.Sort(table.keys)
	plan, err := events.Scan(rowkey.AtLeast("at", day.Add(5*time.Minute)), rowkey.NotEq("host", "web-3"))
	if err != nil {
		panic(err)
	}
	n := 0
	err = readPlan(ctx, table, plan, func(bigtableRow) bool { n++; return true })
	fmt.Println(n, err)
	none, err := events.Scan(rowkey.In[string]("host"), rowkey.AtLeast("at", day))
	fmt.Println(len(rowRanges(none)), readPlan(ctx, table, none, nil), err)
	var token []byte
	page := func() (rows []bigtableRow, next []byte, done bool, err error) {
		PAGE
		return rows, token, done, err
	}
	for done := false; !done; {
		var rows []bigtableRow
		rows, token, done, err = page()
		fmt.Println(len(rows), done, err)
	}
}
`

// The code of docs/bigtable.md compiles, and reads what the plan asks for.
func TestBigtablePage(t *testing.T) {
	long(t)
	const file = "docs/bigtable.md"
	blocks, _ := pageBlocks(t, file)
	require.Len(t, blocks, 3)
	for _, b := range blocks {
		formatted, err := format.Source([]byte(b.text))
		require.NoError(t, err, "%s:%d", file, b.line)
		assert.Equal(t, string(formatted), b.text, "%s:%d: gofmt it", file, b.line)
	}
	source := blocks[0].text + blocks[1].text + strings.Replace(bigtableShapes, "PAGE", blocks[2].text, 1)
	var imports string
	for _, p := range []string{"context", "fmt", "io", "iter", "slices", "time", "github.com/hbase-rowkey/rowkey", "github.com/hbase-rowkey/rowkey/scan"} {
		imports += fmt.Sprintf("import %q\n", p)
	}
	program := "package main\n\n" + imports + strings.ReplaceAll(source, "bigtable.", "bigtable")
	assert.Equal(t, "40 <nil>\n0 <nil> <nil>\n20 false <nil>\n20 true <nil>\n", readmeRun(t, program))
}

// A page in two languages: when one of the two changed and the other did not,
// this says so. UPDATE_DOCS=1 takes note of both as they are, when they say the
// same again.
func TestTranslations(t *testing.T) {
	const noted = "testdata/translations.txt"
	sum := func(file string) string {
		text, err := readFile(file)
		require.NoError(t, err)
		text = regexp.MustCompile(`rowkey@(main|v\d\S*)`).ReplaceAll(text, []byte("rowkey@v")) // a release sets these three in both
		text = regexp.MustCompile(`(?m)^\$ (git clone .* && )?go install .*$`).ReplaceAll(text, []byte("$ go install"))
		text = regexp.MustCompile(`(?s)<!-- unreleased -->.*<!-- end of unreleased -->\n`).ReplaceAll(text, nil)
		text = regexp.MustCompile(`(?s)<!-- cost: .*<!-- end of cost -->`).ReplaceAll(text, []byte("<!-- measured -->")) // in one alone
		return fmt.Sprintf("%x", sha256.Sum256(text))[:16]
	}
	pages, err := fs.Glob(os.DirFS("."), "docs/zh-CN/*.md")
	require.NoError(t, err)
	pairs := [][2]string{{"README.md", "README.zh-CN.md"}}
	for _, page := range pages {
		if english := "docs/" + path.Base(page); fileExists(english) {
			pairs = append(pairs, [2]string{english, page})
		}
	}
	if os.Getenv(updateDocs) != "" {
		text := "# The two languages of a page as they last said the same: TestTranslations.\n"
		for _, p := range pairs {
			text += fmt.Sprintln(p[0], sum(p[0]), p[1], sum(p[1]))
		}
		require.NoError(t, os.WriteFile(noted, []byte(text), 0o644))
	}
	text, err := readFile(noted)
	require.NoError(t, err)
	was := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 4 && f[0] != "#" {
			was[f[0]], was[f[2]] = f[1], f[3]
		}
	}
	require.Len(t, was, 2*len(pairs), "%s: %s=1 writes it", noted, updateDocs)
	for _, p := range pairs {
		var changed []string
		for _, file := range p {
			if was[file] != sum(file) {
				changed = append(changed, file)
			}
		}
		switch len(changed) {
		case 1:
			t.Errorf("%s changed, its other language did not (%s, %s): see that they say the same, then %s=1 go test -run TestTranslations ./laws", changed[0], p[0], p[1], updateDocs)
		case 2:
			t.Errorf("%s and %s changed: see that they say the same, then %s=1 go test -run TestTranslations ./laws", p[0], p[1], updateDocs)
		}
	}
}

func fileExists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// markdown is the pages of the tree, but for the copy that the command has of one.
func markdown(t *testing.T) (files []string) {
	t.Helper()
	require.NoError(t, fs.WalkDir(os.DirFS("."), ".", func(file string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && file == ".git" {
			return fs.SkipDir
		}
		const copied = "cmd/rowkey/command/notation.md" // of docs/notation.md, whose links are those of that folder
		if err == nil && strings.HasSuffix(file, ".md") && file != copied {
			files = append(files, file)
		}
		return err
	}))
	require.Greater(t, len(files), 25)
	return files
}

// What is written by hand in English has at most 30,000 words. Reference that a test writes
// from the code says so in its first line, and is not counted; nor are the changelog and
// what a program printed for a test.
func TestPagesAreShort(t *testing.T) {
	generated := regexp.MustCompile(`(?s)<!-- (?:generated: |printed: |covered).*?<!-- end of (?:generated|printed|covered) -->`)
	all, most := 0, ""
	for _, file := range markdown(t) {
		if strings.Contains(file, "zh-CN") || strings.Contains(file, "testdata/") || file == "CHANGELOG.md" {
			continue
		}
		text, err := readFile(file)
		require.NoError(t, err)
		if strings.Contains(string(text), "This page is made of the rules themselves.\n") {
			continue // package advice's TestPage writes it
		}
		n := len(strings.Fields(generated.ReplaceAllString(string(text), "")))
		all += n
		most += fmt.Sprintf("%6d %s\n", n, file)
	}
	assert.LessOrEqual(t, all, 30_000, "words by page:\n%s", most)
}

// A notation that a page prints can be read as it stands. What is none is listed here:
// what others write, and what has a … or a ? in place of a part.
func TestPagesNotation(t *testing.T) {
	others := []string{
		"[hostname][log-event][Long.MAX_VALUE − ts]",                      // an article
		"[salt][uid][Long.MAX_VALUE - ts]", "[md5(userid)][orderid long]", // designs, which package draft reads
		"[md5(userid).subStr(0,4)][userid:8][orderid:8]", "[slot u16][at u32]+ext",
		"[week(bin) width(2)][z:8][id]", // a unit of a program's own
	}
	span := regexp.MustCompile("`((?:(?:maxlen\\(\\d+\\)|hbase|phoenix|orderedbytes) )*\\[[^`\n]*\\][^`\n]*)`")
	met := 0
	for _, file := range markdown(t) {
		if strings.Contains(file, "testdata/") || file == "CHANGELOG.md" {
			continue
		}
		_, prose := pageBlocks(t, file)
		for _, m := range span.FindAllStringSubmatch(prose, -1) {
			if slices.Contains(others, m[1]) || strings.ContainsAny(m[1], "?…") {
				continue
			}
			_, problem := notation.Parse(m[1], digest.Names())
			assert.Nil(t, problem, "%s: %s", file, m[1])
			met++
		}
	}
	assert.Greater(t, met, 200)
}

// Every relative link of every page leads to a file, and to a heading in it.
func TestLinks(t *testing.T) {
	long(t)
	for _, file := range markdown(t) {
		_, prose := pageBlocks(t, file)
		for _, l := range regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(prose, -1) {
			if strings.Contains(l[1], "://") {
				continue
			}
			to, heading, _ := strings.Cut(l[1], "#")
			target := file
			if to != "" {
				target = path.Join(path.Dir(file), to)
				if !assert.True(t, fileExists(target), "%s: %s", file, l[1]) {
					continue
				}
			}
			if heading != "" {
				assert.Contains(t, anchors(t, target), heading, "%s: %s", file, l[1])
			}
		}
	}
}

// anchors are the names that GitHub gives to a page's headings.
func anchors(t *testing.T, file string) (names []string) {
	t.Helper()
	_, prose := pageBlocks(t, file)
	seen := map[string]int{}
	for _, h := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(prose, -1) {
		name := regexp.MustCompile(`[^\p{L}\p{N}\p{M}_ -]`).ReplaceAllString(strings.ToLower(h[1]), "")
		name = strings.ReplaceAll(name, " ", "-")
		seen[name]++
		if n := seen[name]; n > 1 {
			name = fmt.Sprint(name, "-", n-1)
		}
		names = append(names, name)
	}
	return names
}

// The schemas of docs/lindorm.md build, and write the keys that stand beside them.
func TestLindormSchemas(t *testing.T) {
	for _, file := range []string{"docs/lindorm.md", "docs/zh-CN/lindorm.md"} {
		t.Run(file, func(t *testing.T) { lindormSchemas(t, file) })
	}
}

func lindormSchemas(t *testing.T, file string) {
	_, prose := pageBlocks(t, file)
	notations := regexp.MustCompile("`([^`]* sample\\([^`]*)`").FindAllStringSubmatch(prose, -1)
	require.Len(t, notations, 5)
	for _, n := range notations {
		_, err := rowkey.Parse("guide", n[1])
		assert.NoError(t, err)
	}
	for notation, same := range map[string]bool{"[id:i8 hbase]": true, "[id:i8]": false} {
		require.Contains(t, prose, "`"+notation+"`")
		s, err := rowkey.Parse("t", notation)
		require.NoError(t, err)
		key, err := s.AppendKey(nil, -7)
		require.NoError(t, err)
		assert.Equal(t, same, string(key) == "\xff\xff\xff\xff\xff\xff\xff\xf9", "%s, as HLONG", notation)
	}
	s, err := rowkey.Parse("t", "[salt256(userid)][userid:8]")
	require.NoError(t, err)
	key, err := s.AppendKey(nil, 10086)
	require.NoError(t, err)
	assert.Len(t, key, 9)
}

// The names that the Chinese pages give for the words of the trade, and for what
// Java writes, are names of the package, and each notation beside them writes the
// key beside it.
func TestChinesePages(t *testing.T) {
	names := api(t)
	notation := regexp.MustCompile("`([^`]*\\[[^`]* sample\\([^`]*)`")
	name := regexp.MustCompile("`((?:interop\\.)?[A-Z]\\w*(?:\\.[A-Z]\\w*)?)[(`]")
	_, glossary := pageBlocks(t, "docs/zh-CN/glossary.md")
	rows := 0
	for _, line := range strings.Split(glossary, "\n") {
		cells := strings.Split(line, " | ")
		if !strings.HasPrefix(line, "| ") || !strings.Contains(line, "`") {
			continue
		}
		found := name.FindAllStringSubmatch(cells[1], -1)
		assert.NotEmpty(t, found, line)
		for _, n := range found {
			assert.True(t, declared(names, n[1]), "no name %s in the package: %s", n[1], line)
		}
		for _, n := range notation.FindAllStringSubmatch(line, -1) {
			_, err := rowkey.Parse("t", n[1])
			assert.NoError(t, err)
		}
		rows++
	}
	assert.Greater(t, rows, 30)
	assert.Greater(t, len(notation.FindAllString(glossary, -1)), 20)

	_, prose := pageBlocks(t, "README.zh-CN.md")
	_, java, ok := strings.Cut(prose, "| Java | 这里 |\n|---|---|\n")
	require.True(t, ok)
	java, _, _ = strings.Cut(java, "\n\n")
	for _, line := range strings.Split(java, "\n") {
		cells := strings.Split(line, " | ")
		require.Len(t, cells, 2, line)
		for _, n := range regexp.MustCompile(`\b(interop\.)?[A-Z]\w*\b`).FindAllString(regexp.MustCompile(`"[^"]*"`).ReplaceAllString(cells[1], ""), -1) {
			assert.True(t, declared(names, n), "no name %s in the package: %s", n, line)
		}
	}
}
