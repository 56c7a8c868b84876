package command

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What the documents show is run here, in their order, in a directory of its
// own: a block with a file's name after its language is that file, and of a
// console block each line after a $ is a command, what follows its output, both
// of stdout and stderr, but for what go run says itself. […] stands for any output. UPDATE_DOCS=1 writes the
// outputs anew; look at the difference.
func TestDocs(t *testing.T) {
	bin := filepath.Dir(built(t))
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	for _, doc := range []string{"../README.md", "../../../docs/from-sprintf.md", "../../../docs/lindorm.md", "../../../docs/zh-CN/lindorm.md", "../../../docs/simulate.md", "../../../docs/questions.md", "../../../docs/zh-CN/questions.md"} {
		t.Run(strings.TrimLeft(doc, "./"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(doc)
			require.NoError(t, err)
			d := document{t: t, root: root, bin: bin, dir: t.TempDir()}
			again := d.run(string(text))
			if os.Getenv("UPDATE_DOCS") != "" && again != string(text) {
				require.NoError(t, os.WriteFile(doc, []byte(again), 0o644))
				t.Log(doc + " updated")
			}
			assert.GreaterOrEqual(t, d.commands, 2)
		})
	}
}

// built is the command as its users have it.
func built(t testing.TB) string {
	name := filepath.Join(t.TempDir(), "rowkey")
	out, err := exec.Command("go", "build", "-o", name, "..").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return name
}

// The README's second picture is what the command draws by main.go's line for go
// generate: the same marks, and the same pixels, however these are packed.
func TestPicture(t *testing.T) {
	source, err := os.ReadFile("../main.go")
	require.NoError(t, err)
	m := regexp.MustCompile(`go run \. (simulate .*) >\.\./\.\./docs/simulate\.svg"`).FindSubmatch(source)
	require.NotNil(t, m)
	c := exec.Command(built(t), strings.Fields(string(m[1]))...)
	c.Dir, c.Stderr = "..", os.Stderr
	drawn, err := c.Output()
	require.NoError(t, err)
	stands, err := os.ReadFile("../../../docs/simulate.svg")
	require.NoError(t, err)
	packed := regexp.MustCompile(`data:image/png;base64,[^"]+`)
	pixels := func(svg []byte) (out []image.Image) {
		for _, p := range packed.FindAllString(string(svg), -1) {
			data, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(p, "data:image/png;base64,"))
			require.NoError(t, err)
			m, err := png.Decode(bytes.NewReader(data))
			require.NoError(t, err)
			out = append(out, m)
		}
		return out
	}
	assert.Equal(t, packed.ReplaceAllString(string(stands), ""), packed.ReplaceAllString(string(drawn), ""), "go generate ./cmd/rowkey draws it anew")
	assert.Len(t, pixels(stands), 3)
	assert.Equal(t, pixels(stands), pixels(drawn))
	assert.Less(t, len(stands), 300_000)
}

type document struct {
	t              *testing.T
	root, bin, dir string
	code           int // of the last command
	commands       int
}

// run runs a document and returns it with the outputs that it had.
func (d *document) run(text string) string {
	var out strings.Builder
	var info string // of the block
	var block []string
	inside := false
	for line := range strings.Lines(text) {
		fence := strings.HasPrefix(line, "```")
		switch {
		case fence && !inside:
			info, block, inside = strings.TrimSpace(strings.TrimPrefix(line, "```")), nil, true
			out.WriteString(line)
		case fence:
			out.WriteString(d.block(info, block) + line)
			inside = false
		case inside:
			block = append(block, line)
		default:
			out.WriteString(line)
		}
	}
	require.False(d.t, inside, "the last block has no end")
	return out.String()
}

// block does what a block says and returns it as it should be.
func (d *document) block(info string, lines []string) string {
	text := strings.Join(lines, "")
	lang, file, _ := strings.Cut(info, " ")
	if lang != "console" {
		if file != "" {
			require.NoError(d.t, os.WriteFile(filepath.Join(d.dir, file), []byte(text), 0o644))
		}
		return text
	}
	var out strings.Builder
	for i := 0; i < len(lines); {
		command, ok := strings.CutPrefix(lines[i], "$ ")
		require.True(d.t, ok, "output without a command: %s", lines[i])
		out.WriteString(lines[i])
		i++
		for strings.HasSuffix(command, "\\\n") {
			command += lines[i]
			out.WriteString(lines[i])
			i++
		}
		shown := ""
		for ; i < len(lines) && !strings.HasPrefix(lines[i], "$ "); i++ {
			shown += lines[i]
		}
		got := d.command(strings.TrimSpace(command))
		if strings.Contains(shown, "[…]") {
			pattern := regexp.QuoteMeta(shown)
			pattern = strings.ReplaceAll(pattern, regexp.QuoteMeta("[…]")+"\n", "(?s:.*)")
			pattern = strings.ReplaceAll(pattern, regexp.QuoteMeta("[…]"), ".*")
			assert.Regexp(d.t, "^"+pattern+"$", got, "$ %s", command)
			got = shown
		} else if os.Getenv("UPDATE_DOCS") == "" {
			assert.Equal(d.t, shown, got, "$ %s", command)
		}
		out.WriteString(got)
	}
	return out.String()
}

var goRun = regexp.MustCompile(`go run (\w+\.go(?: [^|&<>]*[^|&<> ])?)`)

// command is what a command prints. The shell begins in the document's
// directory; go runs in the clone.
func (d *document) command(text string) string {
	d.commands++
	if text == "echo $?" {
		return map[int]string{0: "0\n", 1: "1\n", 2: "2\n"}[d.code]
	}
	dir := d.dir
	if strings.HasPrefix(text, "go run ./cmd/rowkey") {
		dir = d.root
	}
	text = goRun.ReplaceAllString(text, "(cd "+d.root+" && go run "+d.dir+"/$1)")
	c := exec.Command("bash", "-o", "pipefail", "-c", text)
	c.Dir = dir
	c.Env = append(os.Environ(), "PATH="+d.bin+string(os.PathListSeparator)+os.Getenv("PATH"), "NO_COLOR=1", "LC_ALL=C")
	var out, went bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if strings.Contains(text, "go run ") { // go itself says there that it downloads a module
		c.Stderr = &went
	}
	err := c.Run()
	d.code = 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		d.code = exit.ExitCode()
	} else {
		require.NoError(d.t, err, "%s\n%s", text, &went)
	}
	return out.String()
}

// rowkey help notation is docs/notation.md.
func TestHelpNotation(t *testing.T) {
	text, err := os.ReadFile("../../../docs/notation.md")
	require.NoError(t, err)
	if os.Getenv("UPDATE_DOCS") != "" && notationText != string(text) {
		require.NoError(t, os.WriteFile("notation.md", text, 0o644))
		t.Log("notation.md updated")
		return
	}
	assert.Equal(t, string(text), notationText, "UPDATE_DOCS=1 copies it anew")
}

// What help json says is what there is: each member that a script shows stands
// there.
func TestHelpJSON(t *testing.T) {
	for _, args := range [][]string{
		{"explain", "-s", trades, "0c732d34325f7ffffe77dda4124f0000000000000007"}, {"explain", "-s", trades, "0d732d34325f7ffffe77dda4124f0000000000000007"},
		{"encode", "-s", "[id]", "id=a"}, {"convert", "--from", "[id]", "-s", "[id]", "61"}, {"scan", "-s", "[id:1]", "id=7", "--reversed", "--limit", "3"},
		{"scan", "-s", "[id:1]", "id=7", "id=8"}, {"scan", "-s", "[slot:1 below(3) bucket][id:2]", "id=7"}, {"splits", "-s", trades, "4"},
		{"locate", "-s", trades, "--regions", "4", "0c732d34325f7ffffe77dda4124f0000000000000007"}, {"schema", "-s", trades}, {"draft", "[uid][ts]"},
		{"bench", "-s", "[id]", "--time", "1ms"}, {"version"}, {"check", "-s", trades}, {"check", "-s", "[id:2]"},
		{"simulate", "-s", "[id]", "--question", "id=a", "--columns", "id", "-"},
	} {
		section, ok := "", false
		for _, part := range strings.Split(jsonHelp, "\n## ")[1:] {
			title, text, _ := strings.Cut(part, "\n")
			if strings.Contains(", "+title+",", ", "+args[0]+",") {
				section, ok = text, true
			}
		}
		require.True(t, ok, args[0])
		stdout, _, _ := call("0c732d34325f7ffffe77dda4124f0000000000000007\n61\n", append(args, "-o", "json")...)
		require.NotEmpty(t, stdout, "%q", args)
		for line := range strings.Lines(stdout) {
			var answer any
			require.NoError(t, json.Unmarshal([]byte(line), &answer))
			members(answer, func(name string) {
				assert.Contains(t, section, "`"+name+"`", "%q", args)
			})
		}
	}
}

func members(v any, do func(name string)) {
	switch v := v.(type) {
	case map[string]any:
		for name, m := range v {
			do(name)
			members(m, do)
		}
	case []any:
		for _, m := range v {
			members(m, do)
		}
	}
}
