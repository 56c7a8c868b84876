// Package clock tells the time that a measurement is made in.
package clock

import "time"

var began = time.Now()

// Wall is the time of day.
func Wall() time.Duration { return time.Since(began) }
