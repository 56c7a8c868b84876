package change

import (
	"sync"
	"time"
)

// Clock gives each operation of a client its timestamp, in milliseconds. Each is later than
// the last timestamp, and later than those of all cells that the client has read. The zero
// value is ready, and safe for concurrent use. All writers of one process share one Clock.
type Clock struct {
	// Now is the time; nil is time.Now.
	Now func() time.Time

	mu   sync.Mutex
	last int64
}

// Stamp is the timestamp for a new operation: the present time, or one millisecond after the
// latest timestamp that was given or seen, whichever is later.
func (c *Clock) Stamp() time.Time {
	now := time.Now
	if c.Now != nil {
		now = c.Now
	}
	ms := now().UnixMilli()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = max(ms, c.last+1)
	return time.UnixMilli(c.last)
}

// Saw notes the timestamp of a cell that was read: later Stamps are after it.
func (c *Clock) Saw(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = max(c.last, t.UnixMilli())
}
