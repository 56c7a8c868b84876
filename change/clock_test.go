package change_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey/change"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestClock: the timestamps of a row rise, whatever its clock does, and are after what was read of
// it; those of a row that nothing was done to are the present time.
func TestClock(t *testing.T) {
	now := int64(1_700_000_000_000)
	c := change.Clock{Now: func() time.Time { return time.UnixMilli(now) }}
	last := map[string]int64{}
	r := rand.New(rand.NewPCG(1, 2))
	most := now
	for range 20_000 {
		switch r.IntN(10) {
		case 0:
			now += r.Int64N(5)
		case 1:
			now -= r.Int64N(3)
		}
		most = max(most, now)
		key := fmt.Sprint(r.IntN(3000))
		if r.IntN(20) == 0 {
			at := now + r.Int64N(100) - 50
			c.Saw([]byte(key), time.UnixMilli(at))
			last[key] = max(last[key], at)
			continue
		}
		want := max(most, last[key]+1) // the clock of the process does not go back
		got := c.Stamp([]byte(key)).UnixMilli()
		require.Equal(t, want, got)
		last[key] = got
	}

	// A hundred thousand operations of a millisecond are all of that millisecond.
	fixed := change.Clock{Now: func() time.Time { return time.UnixMilli(now) }}
	for i := range 100_000 {
		require.Equal(t, now, fixed.Stamp(fmt.Append(nil, i)).UnixMilli())
	}
	assert.False(t, new(change.Clock).Stamp([]byte("x")).IsZero())
}
