//go:build nightly

package main

import (
	"testing"
	"time"
)

// TestCommandsOnServer is TestCommands on a real HBase.
func TestCommandsOnServer(t *testing.T) {
	gateway, client := onServer(t)
	commands(t, gateway, client, 30*time.Second)
}
