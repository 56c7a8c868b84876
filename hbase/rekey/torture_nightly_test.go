//go:build nightly

package rekey_test

import (
	"testing"
	"time"
)

// TestTortureLong is TestTorture with more rows, more processes and many rounds.
func TestTortureLong(t *testing.T) { torturing(t, 2000, 5, 10, 2*time.Second) }
