package main

import (
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/bench"
	"github.com/hbase-rowkey/rowkey/bench/internal/page"
)

// Layouts are drawn, printed, built and timed; the table names each way, and nothing is left behind.
func TestRun(t *testing.T) {
	doc := filepath.Join(t.TempDir(), "speed.md")
	text, err := os.ReadFile("../../docs/speed.md")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(doc, text, 0o644))
	t.Chdir("..")
	var out strings.Builder
	require.NoError(t, run([]string{"-n", "3", "-seed", "5", "-rounds", "1", "-time", "100us", "-doc", doc}, &out, io.Discard))
	written, err := os.ReadFile(doc)
	require.NoError(t, err)
	before, part, after, err := page.Cut(string(written), "drawn")
	require.NoError(t, err)
	wasBefore, was, wasAfter, err := page.Cut(string(text), "drawn")
	require.NoError(t, err)
	assert.Equal(t, wasBefore+wasAfter, before+after)
	assert.Contains(t, out.String(), strings.TrimSpace(part))
	for _, p := range []string{was, part} {
		for _, way := range bench.DrawnWays {
			assert.Regexp(t, `(?m)^\| `+way+` \| \d+ \| \d+\.\d\d \| \d+\.\d\d \| \d+\.\d\d \| .*\]. \|$`, p)
		}
	}
	left, err := filepath.Glob(".drawn-*")
	require.NoError(t, err)
	assert.Empty(t, left)
}

// Layouts of a user's own have a line each, in order.
func TestRunYours(t *testing.T) {
	t.Chdir("..")
	var out strings.Builder
	require.NoError(t, run([]string{"-rounds", "1", "-time", "100us", "[salt16(order-id)][order-id:8][type]", "[salt16(user)][user:8][max-ms(at)]"}, &out, io.Discard))
	assert.Regexp(t, `(?m)^\| .\[salt16\(order-id\)\]\[order-id:8\]\[type\]. \|( \d+\.\d\d \|){6}\n\| .\[salt16\(user\)\]\[user:8\]\[max-ms\(at\)\]. \|( \d+\.\d\d \|){6}$`, out.String())
}

// What is drawn from the same seed is the same, and holds parts of many layouts.
func TestDrawer(t *testing.T) {
	all, err := corpus("../..")
	require.NoError(t, err)
	assert.Greater(t, len(all), 600)
	draw := func() (texts []string) {
		d := newDrawer(rand.New(rand.NewPCG(3, 1)), all)
		for range 100 {
			s, _ := d.layout("l0")
			texts = append(texts, s.String())
			texts = append(texts, keysOf(d.Rand, s, 4)...)
		}
		return texts
	}
	texts := draw()
	assert.Equal(t, texts, draw())
	n := words(texts)
	for _, w := range []string{"salt16", "max-ms", ":8", "digits", "fixed"} {
		assert.Greater(t, n[w], 0, w)
	}
}

func TestRenamed(t *testing.T) {
	to := map[string]string{"at": "a", "day": "b"}
	for part, want := range map[string]string{
		"[max-ms(at) digits(19)]":                     "[max-ms(a) digits(19)]",
		`[salt16(format("%s at",day,at)) md5.raw(4)]`: `[salt16(format("%s at",b,a)) md5.raw(4)]`,
		"[day=at left(3)]":                            "[b=a left(3)]",
	} {
		assert.Equal(t, want, renamed(part, to))
	}
}

// A wrong flag is an error that names it.
func TestRunMisuse(t *testing.T) {
	for _, args := range [][]string{{"-n", "0"}, {"-rounds", "0"}, {"-time", "0s"}, {"[a"}, {"-doc", "x.md", "[a:8]"}, {"-seed", "x"}} {
		assert.Error(t, run(args, io.Discard, io.Discard), args)
	}
	for layout, why := range map[string]string{ // the corpus, which is not here, is not read for them
		"[a loose]['_'][b:8]": "want a layout whose code is printed",
		"[a minlen(30)]":      "rows found at random: 0, want 16",
	} {
		assert.ErrorContains(t, run([]string{layout}, io.Discard, io.Discard), layout+": "+why)
	}
}

// A field's values are those that it takes, of the kind that its column has.
func TestKeysOf(t *testing.T) {
	for _, layout := range []string{"[a fixed(3)]['_'][b:1 below(7)]", `[a oneof("x","yy")]['_'][b:bool]`, "[a uuid][s(b) truncate(1h)]", `[a chars("01")]['-'][b:f4]`, "[a:2 digits(3)]"} {
		s, err := rowkey.Parse("t", layout)
		require.NoError(t, err, layout)
		assert.Len(t, keysOf(rand.New(rand.NewPCG(1, 1)), s, 8), 8, layout)
	}
}
