package change

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestClockForgets: a clock holds the rows of the present millisecond, and not those of all times.
func TestClockForgets(t *testing.T) {
	now := time.UnixMilli(1_700_000_000_000)
	c := Clock{Now: func() time.Time { return now }}
	for range 40 {
		now = now.Add(time.Millisecond)
		for i := range 500 {
			c.Stamp(fmt.Append(nil, now, i))
			c.Stamp(fmt.Append(nil, now, i)) // a second time, which is noted
		}
	}
	assert.LessOrEqual(t, len(c.rows), 4096)
}
