package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every form of a number is called from dispatch.go: go generate ./internal/form writes it.
func TestDispatch(t *testing.T) {
	want, err := made("..")
	require.NoError(t, err)
	got, err := os.ReadFile("../dispatch.go")
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "go generate ./internal/form")
}
