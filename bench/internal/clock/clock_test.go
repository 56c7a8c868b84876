package clock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// Work counts in both, sleep in one.
func TestClocks(t *testing.T) {
	cpu, wall := CPU(), Wall()
	for Wall() < wall+20*time.Millisecond {
	}
	assert.Positive(t, CPU()-cpu)
	if Name == "processor time" {
		cpu, wall = CPU(), Wall()
		time.Sleep(50 * time.Millisecond)
		assert.GreaterOrEqual(t, Wall()-wall, 50*time.Millisecond)
		assert.Less(t, CPU()-cpu, Wall()-wall)
	}
}
