package command

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// What rowkey.yaml says is read whole, or refused with the line and what is wrong there.
func TestConfigRefused(t *testing.T) {
	const begin = "schemas:\n  a: \"[x:8]\"\n"
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"# nothing\n", ""},
		{begin + "...\n", ""},
		{begin + "---\nschemas:\n  b: \"[y:8]\"\n", "line 3: a second document begins here, and only the first is read: leave out the line ---"},
		{begin + "---\nschemas: [\n", "line 4: did not find expected node content"},
		{begin + "gen:\n  vectors: [a]\n", "line 4: expected text as vectors"},
		{begin + "gen:\n  schemas: [a, a]\n", `line 4: "a" stands twice`},
	} {
		if _, err := parseConfig([]byte(c.text)); c.want == "" {
			assert.NoError(t, err, c.text)
		} else {
			assert.EqualError(t, err, c.want, c.text)
		}
	}
	all, err := parseConfig([]byte("schemas:\n  a: [x]\n  b:\n    notation: [x]\n"))
	assert.NoError(t, err)
	for i, line := range []string{"line 2", "line 4"} {
		assert.EqualError(t, all[i].err, line+": put quotes around the notation: to YAML a bracket begins a list")
	}
}
