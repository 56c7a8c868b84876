package change

import (
	"sync"
	"time"
)

// Clock gives each operation of a client its timestamp: milliseconds, each later than
// the one before and than what the client has read. The zero value is ready, and safe
// for concurrent use. All writers of one process share one.
type Clock struct {
	// Now is the time; nil is time.Now.
	Now func() time.Time

	mu   sync.Mutex
	last int64
}

// Stamp is the timestamp of an operation that begins: now, or a millisecond after the
// last one that was given or seen.
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

// Saw has later stamps be behind that of a cell that was read.
func (c *Clock) Saw(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = max(c.last, t.UnixMilli())
}
