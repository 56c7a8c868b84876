//go:build !unix

package clock

import "time"

// Name says what CPU counts.
const Name = "time"

// CPU is the time of day: this system has no other that is fine enough.
func CPU() time.Duration { return Wall() }
