package query_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/inside"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// A span that is not listed because it is long would have had too many values, and no span is left
// out that has few.
func TestLongSpansAreNotListed(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, notation := range []string{
		`[a:2]`, `[a:8]`, `[a:i8]`, `[ms(a) truncate(1h)]`, `[a:f4]`, `[a:f8]`, `[a:f4 phoenix]`, `[ms(a)]`,
		`[layout("2006",+08:00)(a)]`, `[layout("200601",+08:00)(a)]`, `[layout("20060102",-03:30)(a)]`,
		`[layout("2006010215",+08:00)(a)]`, `[layout("200601021504",+08:00)(a)]`, `[layout("20060102150405",+08:00)(a)]`,
	} {
		s, err := rowkey.Parse("t", notation)
		if !assert.NoError(t, err, notation) {
			continue
		}
		c := inside.Layout(s).Fields[0]
		all := query.DomainOf(c)
		short, long := 0, 0
		for range 3000 {
			lo := all.Lo + r.Uint64N(max(1, all.Hi-all.Lo))>>r.IntN(64)
			if zero := uint64(1) << 63; all.Lo < zero-40 && all.Hi > zero+40 {
				switch r.IntN(4) {
				case 0:
					lo = zero - 40 + r.Uint64N(80) // about zero, and 1970
				case 1:
					lo = min(all.Hi, zero|math.Float64bits(r.ExpFloat64()))
				}
			}
			span := query.Numbers{Lo: lo, Hi: lo + min(all.Hi-lo, r.Uint64N(1<<r.IntN(63)))}
			_, few := query.ValuesOf(c, nil, []query.Numbers{span}, query.ShortInterval)
			_, want := query.ValuesOf(c, nil, []query.Numbers{span, span}, 2*query.ShortInterval)
			if assert.Equal(t, want, few, "%s %x", notation, span); few {
				short++
			} else {
				long++
			}
		}
		assert.Greater(t, min(short, long), 20, notation)
	}
}
