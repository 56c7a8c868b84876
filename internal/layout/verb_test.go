package layout

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFormats(t *testing.T) {
	for format, args := range map[string]int{"": 0, "x": 0, "%s": 1, "a%sb%dc": 2, "%08d%%": 1, "%x%X": 2, "%01000d": 1} {
		_, n, problem := parseFormat(format)
		assert.Empty(t, problem, format)
		assert.Equal(t, args, n, format)
	}
	for _, format := range []string{"%", "%0", "%0d", "%00d", "%08", "%08s", "%01001d", "%099999999999999999999d", "%v", "%5d", "a%"} {
		_, _, problem := parseFormat(format)
		assert.NotEmpty(t, problem, format)
	}
}
