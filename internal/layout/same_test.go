package layout_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/tests/cold"
)

// Components and steps share what most of them do not have. To build a schema, or to be refused one,
// changes nothing of it.
func TestNothingSharedIsChanged(t *testing.T) {
	built := []string{
		"[a]", "[a:8]", "[a:i4 desc]", "[a:f8]", "[a:bool]", "[ms(a)]", "[a]['_'][max-ms(b) digits(19)]['_'][c:4 decimal]",
		"[salt16(a)][a]['#'][b:8]", "[salt256(rest())][a:2][b]", "[salt16(values(a,b)) digits(2)][a fixed(3)]['_'][b:4]",
		"[md5.hex(4)(a)][a]", "[murmur3.raw(2)(text(a))]['_'][a:8]", "[b2=b reverse fixed(2)][a]['_'][b fixed(2)]", "[day=b layout(\"20060102\",UTC)][a]['_'][s(b)]",
		"[layout(\"20060102\",+08:00)(a)][b]", "[layout(\"20060102\",UTC)(a) years(2000,2010)][b]", "[y=a layout(\"2006\",UTC)][layout(\"200601\",UTC)(a) years(2000,2010)]",
		"[a phoenix optional][b phoenix optional]", "[a codes('x':'1','y':'2')][b oneof('p','q')]", "[a:1 bucket below(4)][b]",
		"[a chars('ab') fixed(2)][b pad(8,' ')][c lenprefix(2)]", "[a reverse]['|'][b]", "[s(a) truncate(1h)][b:i8 orderedbytes]", "[min(a)][b uuid]",
	}
	refused := []string{
		"[a:9]", "[a][b]", "[b2=b reverse][a]", "[salt0(a)][a]", "[layout(\"20060102\",UTC)(a) years(2010,2000)]", "[a codes('x':'1','y':'1')]", "[a fixed(0)]",
		"[s(a) digits(4)]['_'][day=a layout(\"20060102\",UTC) digits(3)]", "[salt16(b) digits(1)][b:4]", "[md5.hex(40)(a)][a]",
	}
	for i, notation := range append(built, refused...) {
		s, err := rowkey.Parse("t", notation)
		require.True(t, layout.Untouched(), notation)
		if i >= len(built) {
			require.Error(t, err, notation)
			continue
		}
		require.NoError(t, err, notation)
		require.NoError(t, cold.Make(s), notation)
		require.True(t, layout.Untouched(), notation)
	}
}
