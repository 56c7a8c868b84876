package advice_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/advice"
	"github.com/hbase-rowkey/rowkey/internal/texts"
)

// Each code that a rule says has a text in both languages, and each text is said.
func TestTexts(t *testing.T) {
	src, err := os.ReadFile("rules.go")
	require.NoError(t, err)
	for _, code := range texts.Codes() {
		if name, ok := strings.CutPrefix(code, "lint."); ok {
			assert.Contains(t, string(src), `"`+name+`"`, "%s is not said", code)
		}
	}
	said := regexp.MustCompile(`(?s)l\.say(?:As)?\(.*?\n`).FindAllString(string(src), -1)
	assert.Greater(t, len(said), 35)
	for _, r := range advice.Rules() {
		text, ok := texts.Of("mend." + r.Name)
		assert.True(t, ok, "%s: what to do has no text", r.Name)
		assert.Equal(t, r.Mend, text.English, "%s: the table and the rule say the same", r.Name)
		for _, notation := range r.Fires {
			s := rowkey.Must(rowkey.Parse("t", notation))
			for _, f := range advice.Check(advice.Design{Schema: s, Regions: 10, Lindorm: true}) {
				_, ok := texts.Of(f.Code)
				assert.True(t, ok, "%s has no text", f.Code)
				assert.NotContains(t, f.In("en")+f.In("zh"), "{", f.Code)
				assert.NotEqual(t, f.In("en"), f.In("zh"))
				assert.Equal(t, f.Text, f.In(""))
				assert.Equal(t, f.Try, f.TryIn(""))
				assert.NotContains(t, f.In("zh"), "an hour")
				if f.Try == r.Mend && f.Rule == r.Name {
					assert.NotEqual(t, f.Try, f.TryIn("zh"), "%s: what to do is in English", r.Name)
				}
			}
		}
	}
}
