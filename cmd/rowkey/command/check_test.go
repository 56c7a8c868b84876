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

// Of an offender that is very long the table shows how it begins, and how long it is. JSON has all of it.
func TestCheckShowsBeginnings(t *testing.T) {
	begin, long := strings.Repeat("61", 200), strings.Repeat("61", 1<<19)
	out, _, code := call(long+"\n", "check", "-s", "[id:8]")
	assert.Equal(t, exitFound, code)
	assert.Contains(t, out, "  line 1  "+begin+"… (1048576 characters)  ")
	assert.Less(t, len(out), 2000)
	out, _, _ = call(long+"\n", "check", "-s", "[id:8]", "-o", "json")
	assert.Contains(t, out, `"key":"`+long+`"`)
	out, _, _ = call(begin+"\n", "check", "-s", "[id:8]")
	assert.Contains(t, out, "  line 1  "+begin+"  ")
}
