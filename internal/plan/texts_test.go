package plan

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hbase-rowkey/rowkey/internal/texts"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each code that says why a plan is as it is has a text in both languages, and each text of plans
// is used.
func TestTexts(t *testing.T) {
	forms, err := filepath.Glob("../form/*.go")
	require.NoError(t, err)
	var all strings.Builder
	used := map[string]bool{}
	code := regexp.MustCompile(`(?:say\((?:name, |c\.Name, )?|many\([^"\n]*|InPlan\([^"\n]*(?:"", )?|Code: |code := [^"\n]*|code = |more: |one: |Why: |f\.Why[^"\n]*)"([a-z-]+)"(?:, "([a-z-]+)")?`)
	for _, file := range append(forms, "explain.go", "../bound/prefix.go", "../../cmd/rowkey/command/scan.go", "../said/conds.go") {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		all.Write(src)
		for _, m := range code.FindAllStringSubmatch(string(src), -1) {
			for _, name := range m[1:] {
				if name == "" {
					continue
				}
				used[name] = true
				text, ok := texts.Of("plan." + name)
				assert.True(t, ok, "%s: %s has no text", file, name)
				assert.NotEqual(t, text.English, text.Chinese, name)
			}
		}
	}
	for _, m := range regexp.MustCompile(`return "(why-[a-z]+)"`).FindAllStringSubmatch(all.String(), -1) {
		used[m[1]] = true
		_, ok := texts.Of("plan." + m[1])
		assert.True(t, ok, "%s has no text", m[1])
	}
	assert.Greater(t, len(used), 40)
	for _, code := range texts.Codes() {
		if name, ok := strings.CutPrefix(code, "plan."); ok {
			assert.True(t, used[name], "%s is not used", code)
		}
	}
}
