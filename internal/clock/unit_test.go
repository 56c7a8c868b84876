package clock

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// Years that an int of 32 bits cannot hold have the text that they have with 64 bits.
func TestFarYears(t *testing.T) {
	east := time.FixedZone("", 8*60*60)
	for want, at := range map[string]time.Time{
		"146138514283-06-19T07:45:04Z":           time.Unix(1<<62, 0).UTC(),
		"2147483648-01-01T00:00:00Z":             time.Unix(67767976233532800, 0).UTC(),
		"2147483647-12-31T23:59:59.000000001Z":   time.Unix(67767976233532799, 1).UTC(),
		"2147483648-01-01T07:59:59.12+08:00":     time.Unix(67767976233532799, 120_000_000).In(east),
		"-146138510344-07-14T16:14:56Z":          time.Unix(-1<<62, 0).UTC(),
		"-146138510344-07-15T00:14:56.001+08:00": time.Unix(-1<<62, 1_000_000).In(east),
		"9999-12-31T23:59:59Z":                   time.Unix(253402300799, 0).UTC(),
	} {
		assert.Equal(t, want, string(AppendText(nil, at)))
		if strconv.IntSize == 64 { // an int of 64 bits holds these years
			assert.Equal(t, want, at.Format(time.RFC3339Nano))
		}
	}
}
