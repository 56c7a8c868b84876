//go:build nightly

package infer

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey/internal/seed"
)

// TestThousand is the goals, over more than 1,000 tables: none sure and wrong, and what is
// found. It takes a quarter of an hour.
func TestThousand(t *testing.T) {
	s := seed.Of(t)
	clean := evaluate(t, some(seed.Cases(t, 300), s+11, false, 0), terms{rows: 50}, s)
	require.GreaterOrEqual(t, clean.found*100, clean.cases*98)
	dirty := evaluate(t, some(seed.Cases(t, 200), s+12, false, 0), terms{rows: 50, dirty: 0.01}, s)
	require.GreaterOrEqual(t, dirty.found*100, dirty.cases*95)
	evaluate(t, some(seed.Cases(t, 200), s+13, false, 0, narrowRows), terms{rows: 50, how: narrowRows}, s)
	evaluate(t, some(seed.Cases(t, 200), s+14, true, 0), terms{rows: 50}, s)
	evaluate(t, some(seed.Cases(t, 150), s+15, true, 0, narrowRows), terms{rows: 50, how: narrowRows}, s)
	evaluate(t, some(seed.Cases(t, 20), s+16, false, 9), terms{rows: 50}, s)
	_, can := builtCases(t, seed.Cases(t, 300), s)
	require.GreaterOrEqual(t, (can.found+can.refuses)*100, can.cases*85)
}
