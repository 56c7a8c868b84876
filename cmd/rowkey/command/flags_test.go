package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A wrong value is misuse, and the error names its flag and says what was expected.
func TestFlagValues(t *testing.T) {
	for line, want := range map[string]string{
		"check -s [a:8] --rows nan":          "--rows NaN: expected 0 or more",
		"check -s [a:8] --block-bytes 0":     "--block-bytes 0: expected 1 or more",
		"check -s [a:8] --first -1":          "--first -1: expected 0 or more",
		"check -s [a:8] --qualifiers=":       "--qualifiers: expected at least one name",
		"lint -s [a:8] --rows nan":           "--rows NaN: expected 0 or more",
		"lint -s [a:8] --rows inf":           "--rows +Inf: expected 0 or more",
		"lint -s [a:8] --regions -1":         "--regions -1: expected 0 or more",
		"simulate -s [a] --limit x -":        `--limit: expected a whole number, not "x"`,
		"simulate -s [a] --limit -1 -":       "--limit -1: expected 0 or more",
		"simulate -s [a] --rows nan -":       "--rows NaN: expected more than 0",
		"simulate -s [a] --flush 0 -":        "--flush 0: expected more than 0",
		"simulate -s [a] --max-file inf -":   "--max-file +Inf: expected more than 0",
		"simulate -s [a] --regions -1 -":     "--regions -1: expected 0 or more",
		"simulate -s [a] --value-bytes -1 -": "--value-bytes -1: expected 0 or more",
		"simulate -s [a] -s [a][b] -":        "-s [a][b]: a: has no end before the next component, b: add ['_'] after it, or fixed(n), pad(n,' ') or escaped: schema cannot be built (at byte 1)\n\t[a][b]\n\t ^",
		"simulate -s [a] --at b -":           "no column b: --at names the column of the time of arrival, of a",
		"scan -s [a] a=b --max-ranges 0":     "--max-ranges 0: expected 1 or more",
	} {
		stdout, stderr, code := call("a\n1\n", strings.Fields(line)...)
		assert.Equal(t, exitMisuse, code, line)
		assert.Equal(t, "rowkey: "+want+"\n", stderr, line)
		assert.Empty(t, stdout, line)
	}
}
