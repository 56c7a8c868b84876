package page

import (
	"io/fs"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The page is text and elements: nothing in its script makes markup of data, runs text as a program,
// or names another machine. Its style stands in its file.
func TestNoMarkupOfData(t *testing.T) {
	names, err := fs.Glob(Files, "*.*")
	require.NoError(t, err)
	assert.Contains(t, names, "app.js")
	for _, name := range names {
		data, err := Files.ReadFile(name)
		require.NoError(t, err)
		text := regexp.MustCompile(`http://www\.w3\.org/2000/svg`).ReplaceAllString(string(data), "")
		assert.NotRegexp(t, `innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|https?://|//[a-z]+\.[a-z]`, text, name)
		assert.NotRegexp(t, `<[^>]* (style|on[a-z]+)=`, text, name)
	}
}

// Both languages have all words.
func TestWords(t *testing.T) {
	data, err := Files.ReadFile("words.js")
	require.NoError(t, err)
	halves := regexp.MustCompile(`(?s)  en: \{(.*)\n  \},\n  zh: \{(.*)\n  \},`).FindStringSubmatch(string(data))
	require.NotNil(t, halves)
	keys := func(text string) (out []string) {
		for _, m := range regexp.MustCompile(`(?:^|[,{\n] *)([a-zA-Z]+): ['"{]`).FindAllStringSubmatch(regexp.MustCompile(`patterns: \{.*\}`).ReplaceAllString(text, ""), -1) {
			out = append(out, m[1])
		}
		slices.Sort(out)
		return out
	}
	en, zh := keys(halves[1]), keys(halves[2])
	assert.Greater(t, len(en), 100)
	assert.Equal(t, en, zh)
	assert.Equal(t, en, slices.Compact(slices.Clone(en)), "a word twice")
}
