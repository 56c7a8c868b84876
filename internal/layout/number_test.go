package layout

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Each way to write numbers that sort writes them backward with Desc: it is not left out in silence.
func TestDescIsWritten(t *testing.T) {
	desc := Option{Said: notation.Option{Word: notation.Desc}, ToField: (*Pipeline).optDesc}
	for word, way := range map[notation.Word]forms.Way{
		notation.Digits:    {As: forms.InDigits, N: 8},
		notation.HexDigits: {As: forms.InHex, N: 8},
		notation.Varint:    {As: forms.InVarint},
	} {
		text := Option{Said: notation.Option{Word: word, N: way.N}, ToField: func(p *Pipeline) string { return p.OptText(word, way) }}
		for _, opts := range [][]Option{{text}, {text, desc}, {desc, text}} {
			s := Schema{Name: "t", Lengths: Lengths{MaxLen: forms.MaxKey}}
			require.NoError(t, s.Compile(nil, []*Declaration{{Role: RoleField, Kind: KindUint, Name: "a", Size: 3, Opts: opts}}))
			assert.Equal(t, len(opts) > 1, s.Comps[0].Order == forms.Backward, word)
		}
	}
}
