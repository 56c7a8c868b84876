package geomesa

import (
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey/rowkeytest"
)

func TestUnits(t *testing.T) {
	at := time.Date(2024, 2, 29, 23, 59, 59, 0, time.UTC)
	for name, p := range map[string]Period{"days": Day, "weeks": Week, "months": Month, "years": Year} {
		step := day
		if p == Week {
			step = 7 * day
		}
		if err := rowkeytest.TestUnit(name, step, periods[p].to, periods[p].from, at); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
