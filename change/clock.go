package change

import (
	"hash/maphash"
	"sync"
	"time"
)

// Clock gives each operation of a client its timestamp, in milliseconds. Each is later than
// the last one of the same row, and later than those of all cells of the row that the client has
// read. However many operations there are, those of other rows do not have a timestamp run ahead
// of the time. The zero value is ready, and safe for concurrent use. All writers of one process
// share one Clock.
type Clock struct {
	// Now is the time; nil is time.Now.
	Now func() time.Time

	mu   sync.Mutex
	now  int64            // the latest time that Now said: it does not go back
	rows map[uint64]int64 // by the hash of a row's key, the last timestamp, unless it is past
	many int              // rows, before those are dropped whose timestamp is past
}

var clockSeed = maphash.MakeSeed()

// Stamp is the timestamp for a new operation on a row: the present time, or one millisecond after
// the latest timestamp of the row that was given or seen, whichever is later.
func (c *Clock) Stamp(key []byte) time.Time {
	h := maphash.Bytes(clockSeed, key)
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.tick()
	if last, ok := c.rows[h]; ok && last >= at {
		at = last + 1
	}
	c.keep(h, at)
	return time.UnixMilli(at)
}

// Saw notes the timestamp of a cell that was read: later Stamps of its row are after it.
func (c *Clock) Saw(key []byte, t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := t.UnixMilli(); at >= c.tick() {
		h := maphash.Bytes(clockSeed, key)
		c.keep(h, max(at, c.rows[h]))
	}
}

func (c *Clock) tick() int64 {
	now := time.Now
	if c.Now != nil {
		now = c.Now
	}
	c.now = max(c.now, now().UnixMilli())
	return c.now
}

func (c *Clock) keep(h uint64, at int64) {
	if len(c.rows) >= c.many {
		for row, last := range c.rows {
			if last < c.now {
				delete(c.rows, row)
			}
		}
		c.many = max(1024, 2*len(c.rows))
	}
	if c.rows == nil {
		c.rows = map[uint64]int64{}
	}
	c.rows[h] = at
}
