package compare_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/compare"
	"github.com/hbase-rowkey/rowkey/internal/said"
)

// What the keys of a layout are to one with more pieces at its end is what reading them says.
func TestKept(t *testing.T) {
	seen := map[string]int{}
	for _, settings := range []string{"", "hbase ", "phoenix ", "orderedbytes ", "maxlen(40) "} {
		for _, lead := range []string{"", "[salt4(k)]", "[salt4(rest())]", "[salt4(stored(k))]", "[md5.hex(2)(k)]"} {
			for _, last := range []string{"[k]", "[k]['_']", "[k fixed(2)]", "[k:8]", "[k:i8]", "[k:2 digits(5)]", "[k:8 decimal]", "[k escaped]", "[k lenprefix(1)]", "[k optional]",
				"[k:8 optional]", "[k desc]", "[k minlen(1)]", `[k oneof("a","bb")]`, "[k pad(4,'_')]", "[ms(k)]", "[k loose]['_']", "[k f8]", "[k:f8]", "[c=k left(1)]['_'][k fixed(2)]"} {
				for _, added := range []string{"[r]", "[r:4]", "[r minlen(1)]", "[r fixed(3)]", "['_'][r]", "['_']", "[r]['_'][s]", "[r]['_']", "[r escaped]", "[r lenprefix(1)]", "[r optional]",
					"[r:4 optional]", "[r desc]", "[r reverse]", "[r:bytes]", `[r oneof("","x")]`, `[r oneof("x","y")]`, `[r chars("xy")]`, "[r pad(3,'_')]", "[r:8 decimal]", "[ms(r)]", "[r notstored]", "[r=k right(1)]", "[r loose]"} {
					from, to := settings+lead+last, settings+lead+last+added
					a, err := rowkey.Parse("t", from)
					b, err2 := rowkey.Parse("t", to)
					if err != nil || err2 != nil {
						continue
					}
					d, err := compare.Schemas(a, b, said.Values{}, nil)
					assert.NoError(t, err)
					keys, read, empty, null := 0, 0, 0, 0
					for _, v := range []any{"", "a", "bb", "ab", "a_b", "_", "\x00", "\xff\xfe", "ccc", strings.Repeat("d", 30), uint64(0), uint64(7), uint64(1 << 40), int64(-3), int64(9), 1.5, time.UnixMilli(1684203630002), nil} {
						key, err := a.AppendKey(nil, v)
						if err != nil {
							continue
						}
						keys++
						if _, err := b.Decode(key); err == nil {
							read++
						}
						if again, err := b.AppendKey(nil, v, ""); err == nil && string(again) == string(key) {
							empty++
						}
						if again, err := b.AppendKey(nil, v, nil); err == nil && string(again) == string(key) {
							null++
						}
					}
					if keys == 0 {
						continue
					}
					what := fmt.Sprintf("%s and %s: %d keys, %d read, %d of an empty field, %d of a null", from, to, keys, read, empty, null)
					seen[d.Kept]++
					switch d.Kept {
					case "empty":
						assert.Equal(t, keys, read, what)
						assert.Equal(t, keys, empty, what)
						assert.Equal(t, []string{"r"}, d.Lacking, what)
					case "null":
						assert.Equal(t, keys, read, what)
						assert.Equal(t, keys, null, what)
						assert.Equal(t, []string{"r"}, d.Lacking, what)
					case "none":
						assert.Zero(t, read, what)
					}
				}
			}
		}
	}
	assert.Greater(t, seen["empty"], 500)
	assert.Greater(t, seen["null"], 50)
	assert.Greater(t, seen["none"], 1000)
}
