package draft_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey/draft"
	"github.com/hbase-rowkey/rowkey/internal/texts"
)

var codeUsed = regexp.MustCompile(`(?:say\(|means\([^\n]*?, |digestsAs\([^\n]*?, )"([a-z0-9-]+)"`)

// Each code that the package uses has a text in both languages, and each text of draft is used.
func TestTexts(t *testing.T) {
	used := map[string]bool{}
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, file := range files {
		if matched, _ := filepath.Match("*_test.go", file); matched {
			continue
		}
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range codeUsed.FindAllStringSubmatch(string(src), -1) {
			used["draft."+m[1]] = true
			_, ok := texts.Of("draft." + m[1])
			assert.True(t, ok, "%s: %s has no text", file, m[1])
		}
	}
	assert.Greater(t, len(used), 80)
	for _, code := range texts.Codes() {
		if regexp.MustCompile(`^draft\.`).MatchString(code) {
			assert.True(t, used[code], "%s is not used", code)
		}
	}
}

// A question and its answers in both languages.
func TestTextsOfQuestions(t *testing.T) {
	for _, c := range designs {
		d, err := draft.Read(c.design)
		if err != nil {
			continue
		}
		for _, q := range d.Open {
			assert.NotEqual(t, q.What.Code, q.What.String())
			assert.NotEqual(t, q.What.String(), q.What.In("zh"), c.design)
			assert.NotContains(t, q.What.String()+q.What.In("zh"), "{", c.design)
			for _, choice := range q.Choices {
				assert.NotEqual(t, choice.Meaning.Code, choice.Meaning.String())
				assert.NotContains(t, choice.Meaning.String()+choice.Meaning.In("zh")+choice.Price.String()+choice.Price.In("zh"), "{", c.design)
			}
		}
	}
}
