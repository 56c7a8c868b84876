package page

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWrite(t *testing.T) {
	const text = "# A\n\n<!-- one: written by go generate -C bench -->\nold\n<!-- end of one -->\n\nkept\n\n" +
		"<!-- two: written by go generate -C bench -->\n<!-- end of two -->\nend\n"
	file := filepath.Join(t.TempDir(), "page.md")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	read := func() string {
		b, err := os.ReadFile(file)
		require.NoError(t, err)
		return string(b)
	}

	parts := map[string]string{"one": "| a |\n", "two": "b"}
	const want = "# A\n\n<!-- one: written by go generate -C bench -->\n\n| a |\n\n<!-- end of one -->\n\nkept\n\n" +
		"<!-- two: written by go generate -C bench -->\n\nb\n\n<!-- end of two -->\nend\n"
	require.NoError(t, Write(file, parts))
	assert.Equal(t, want, read())
	require.NoError(t, Write(file, parts))
	assert.Equal(t, want, read(), "again")
	_, part, _, err := Cut(read(), "two")
	require.NoError(t, err)
	assert.Equal(t, "\nb\n\n", part)

	// A mark that is not there leaves the file as it is.
	assert.ErrorContains(t, Write(file, map[string]string{"one": "x", "three": "y"}), "three: written by")
	assert.Equal(t, want, read())
	assert.Error(t, Write(file+"x", nil))

	// Parts of one page may stand in two files, each mark in one of them.
	second := filepath.Join(filepath.Dir(file), "second.md")
	require.NoError(t, os.WriteFile(second, []byte("<!-- three: written by go generate -C bench -->\n<!-- end of three -->\n"), 0o644))
	require.NoError(t, Write(file+","+second, map[string]string{"one": "1", "three": "3"}))
	assert.Contains(t, read(), "\n1\n")
	there, err := os.ReadFile(second)
	require.NoError(t, err)
	assert.Contains(t, string(there), "\n3\n")
	assert.ErrorContains(t, Write(second+","+second, map[string]string{"three": "4"}), "more than one")
	_, _, _, err = Cut("<!-- one: written by go generate -C bench -->\n", "one")
	assert.ErrorContains(t, err, "end of one")
}
