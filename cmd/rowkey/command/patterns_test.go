package command

import (
	"testing"

	"github.com/hbase-rowkey/rowkey/internal/pattern"
	"github.com/stretchr/testify/assert"
)

// TestPatterns: every pattern of the program compiles; in use it would panic.
func TestPatterns(t *testing.T) { assert.Greater(t, pattern.Compile(), 150) }
