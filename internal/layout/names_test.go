package layout_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/inside"
)

// Every component that has a name is found by it, in small schemas and in large ones.
func TestNamed(t *testing.T) {
	for _, fields := range []int{1, 13, 14, 15, 40} {
		var notation strings.Builder
		notation.WriteString("[salt16(f0)][md5.raw(2)(f0) named(h)]['_'][again=f0 reverse]")
		for i := range fields {
			fmt.Fprintf(&notation, "[f%d:2]", i)
		}
		s := inside.Layout(rowkey.Must(rowkey.Parse("t", notation.String())))
		for i := range s.Comps {
			if c := &s.Comps[i]; c.Name != "" {
				assert.Same(t, c, s.Named(c.Name), "%s of %d fields", c.Name, fields)
			}
		}
		for _, name := range []string{"", "F0", "f40", "salt2"} {
			assert.Nil(t, s.Named(name), "%q of %d fields", name, fields)
		}
	}
}
