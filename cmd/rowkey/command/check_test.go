package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A key that HBase cannot hold has no part in the lengths and in what a cell costs.
func TestCheckLongKey(t *testing.T) {
	long := strings.Repeat("a", 32768) + "\n"
	for _, c := range []struct{ keys, want, not string }{
		{long, "1  do not decode", "keys have"},
		{long + "abc\n", "keys have 3 bytes", ""},
		{long + "abc\n", "of a cell the row key is 3.0 bytes", "sorts before"},
		{long[1:], "keys have 32767 bytes", "do not decode:"},
	} {
		for _, sort := range []string{"--sort=false", "--sort"} {
			out, _, _ := call(c.keys, "check", "-s", "[a]", "--in", "text", sort, "-")
			assert.Contains(t, out, c.want)
			if c.not != "" {
				assert.NotContains(t, out, c.not)
			}
		}
	}
}
