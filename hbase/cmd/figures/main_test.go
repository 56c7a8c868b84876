package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The figures go where they belong, and nothing else of the page changes.
func TestReplaceFigures(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.md")
	page := func(figures string) string {
		return "# HBase\n\n```text\nan answer\n```\n\n## Figures\n\n```console\n$ go run\n```\n\n```text\n" + figures + "\n```\n\nBehind.\n\n```text\nmore\n```\n"
	}
	require.NoError(t, os.WriteFile(file, []byte(page("old\nfigures")), 0o600))
	require.NoError(t, replaceFigures(file, "new"))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, page("new"), string(text))

	require.NoError(t, os.WriteFile(file, []byte("## Figures\nnone"), 0o600))
	assert.ErrorContains(t, replaceFigures(file, "new"), "has no figures")
	text, err = os.ReadFile("../../testdata/figures.md")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, text, 0o600))
	assert.NoError(t, replaceFigures(file, "new"), "the page itself has a place for them")
}

func TestMedianOf(t *testing.T) {
	runs := []measured{{took: 100 * time.Second}, {took: 3}, {took: 1}, {took: 2}}
	assert.Equal(t, time.Duration(2), medianOf(runs).took, "without the first")
}
