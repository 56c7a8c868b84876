package laws

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
)

// Fingerprints are frozen: they stand beside tables, and page tokens begin with them.
func TestFingerprintGolden(t *testing.T) {
	t.Parallel()
	golden, err := readFile("testdata/golden_fingerprints.txt")
	require.NoError(t, err)
	held := 0
	for line := range strings.Lines(string(golden)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fingerprint, notation, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		require.True(t, ok, line)
		s, err := rowkey.Parse("golden", notation)
		require.NoError(t, err, line)
		assert.Equal(t, fingerprint, s.Fingerprint(), "%s: of other fingerprints are the tokens and notes that people keep", notation)
		held++
	}
	assert.GreaterOrEqual(t, held, 19)
}
