package page

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A program that simulates and draws no page does not link what draws it.
func TestSimulateLinksNoPage(t *testing.T) {
	deps := func(dir string) []string {
		out, err := exec.Command("go", "list", "-deps", dir).Output()
		require.NoError(t, err)
		return strings.Fields(string(out))
	}
	pages := []string{"html/template", "text/template", "image/png", "net/http"}
	for _, p := range pages {
		assert.NotContains(t, deps(".."), p)
	}
	assert.Contains(t, deps("."), "html/template", "the list is of packages")
}
