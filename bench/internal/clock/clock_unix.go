//go:build unix

package clock

import (
	"time"

	"golang.org/x/sys/unix"
)

// Name says what CPU counts.
const Name = "processor time"

// CPU is the time that processors spent on this process. What it waits for one,
// because other programs run, does not count.
func CPU() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return Wall()
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
