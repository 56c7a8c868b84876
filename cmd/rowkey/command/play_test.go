package command

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/hbase-rowkey/rowkey/play"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// printed is what the command prints.
func printed(args ...string) string {
	var out, errs bytes.Buffer
	(&app{stdin: strings.NewReader(""), stdout: &out, stderr: &errs}).run(args)
	return out.String() + errs.String()
}

// Of every design of the examples the playground's functions give what the command prints: the
// ranges, the findings, the pieces of the key, and the declaration.
func TestPlayIsTheCommand(t *testing.T) {
	data, err := os.ReadFile("../../../play/page/examples.js")
	require.NoError(t, err)
	n, findings := 0, 0
	for _, m := range regexp.MustCompile(`(?m)^  (\["[^"]+", .*\]),$`).FindAllSubmatch(data, -1) {
		var d []any
		require.NoError(t, json.Unmarshal(m[1], &d))
		notation := d[2].(string)
		var conds []string
		for _, c := range d[3].([]any) {
			conds = append(conds, c.(string))
		}
		request, err := json.Marshal(map[string]any{"name": "key", "notation": notation, "questions": [][]string{conds}})
		require.NoError(t, err)
		var v struct {
			Notation string
			Key      struct {
				Hex    string
				Pieces []struct{ Hex, Text string }
			}
			Questions []struct {
				Exact  bool
				Ranges []struct{ Start, Stop string }
				Why    []struct{ Field, Text string }
			}
			Findings []struct{ Rule, Severity, Try string }
		}
		answer := play.Call("look", request)
		require.NoError(t, json.Unmarshal(answer, &v), "%s", answer)
		assert.Equal(t, notation+"\n", strings.SplitAfter(printed("schema", "-s", notation), "\n")[0])

		var scan struct {
			Exact  bool
			Ranges []struct {
				Start string
				Stop  *string
			}
		}
		text := printed(append([]string{"scan", "-s", notation, "-o", "json"}, conds...)...)
		require.NoError(t, json.Unmarshal([]byte(text), &scan), "%s: %s", notation, text)
		q := v.Questions[0]
		assert.Equal(t, scan.Exact, q.Exact, notation)
		require.NotEmpty(t, q.Ranges, notation)
		for i, r := range q.Ranges {
			assert.Equal(t, scan.Ranges[i].Start, r.Start, notation)
			stop := ""
			if scan.Ranges[i].Stop != nil {
				stop = *scan.Ranges[i].Stop
			}
			assert.Equal(t, stop, r.Stop, notation)
		}

		var x struct {
			Error  string
			Pieces []struct{ Bytes string }
		}
		text = printed("explain", "-s", notation, "-o", "json", v.Key.Hex)
		require.NoError(t, json.Unmarshal([]byte(text), &x), "%s: %s", notation, text)
		assert.Empty(t, x.Error, notation)
		var want, got string
		for _, p := range x.Pieces {
			want += p.Bytes + " "
		}
		for _, p := range v.Key.Pieces {
			got += p.Hex + " "
		}
		assert.Equal(t, want, got, notation)

		text = printed("lint", "-s", notation, "-o", "json", "--fail", "never", strings.Join(conds, " and "))
		want, got = "", ""
		for line := range strings.Lines(text) {
			var f struct{ Rule, Severity, Try string }
			require.NoError(t, json.Unmarshal([]byte(line), &f), "%s: %s", notation, line)
			want += f.Rule + " " + f.Severity + " " + f.Try + "\n"
		}
		for _, f := range v.Findings {
			got += f.Rule + " " + f.Severity + " " + f.Try + "\n"
		}
		assert.Equal(t, want, got, notation)
		findings += len(v.Findings)
		n++
	}
	assert.Equal(t, 24, n)
	assert.Greater(t, findings, 5)
}

// rowkey play serves the page on a loopback address, prints where, and opens a design or a link.
func TestPlay(t *testing.T) {
	out := &waited{wrote: make(chan string, 1)}
	a := &app{stdin: strings.NewReader(""), stdout: out, stderr: io.Discard}
	ctx, stop := context.WithCancel(context.Background())
	fragment, err := a.fragment("[id:4]")
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- a.play(ctx, "127.0.0.1:0", "", fragment, false) }()
	address := strings.TrimSpace(<-out.wrote)
	s, err := play.OfLink(address)
	require.NoError(t, err)
	assert.Equal(t, "[id:4]", s.Designs[0][1])
	r, err := http.Get(address)
	require.NoError(t, err)
	page, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	require.NoError(t, r.Body.Close())
	assert.Contains(t, string(page), `name="rowkey-runs" content="http"`)
	stop()
	require.NoError(t, <-ended)

	again, err := a.fragment("https://example.com/rowkey/" + fragment)
	require.NoError(t, err)
	assert.Equal(t, fragment, again)
	for args, want := range map[string]string{
		"--addr 0.0.0.0:0":          "an address of this machine alone",
		"--addr 8080":               "missing port",
		"--site x":                  "expected the address of a page",
		"[a] [b]":                   "one design or link, not 2",
		"https://example.com/#1AAA": "cut off or changed",
		"nothing":                   "neither a notation",
	} {
		assert.Contains(t, printed(append([]string{"play", "--no-browser"}, strings.Fields(args)...)...), want, args)
	}
}

// waited is an output whose first text is waited for.
type waited struct{ wrote chan string }

func (w *waited) Write(p []byte) (int, error) {
	select {
	case w.wrote <- string(p):
	default:
	}
	return len(p), nil
}
