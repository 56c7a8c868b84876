package layout

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// deaf is a way to write numbers that does not do what Desc asks.
type deaf struct{ forms.InDigits }

func (d deaf) Number(_ uint64, signed, _ bool) forms.Number {
	return d.InDigits.Number(0, signed, false)
}

// A form that does not write numbers backward takes no Desc: it is not left out in silence.
func TestDescIsWritten(t *testing.T) {
	desc := Option{Said: notation.Option{Word: notation.Desc}, ToField: (*Pipeline).optDesc}
	for _, way := range []forms.Way{forms.InDigits(8), deaf{8}} {
		text := Option{Said: notation.Option{Word: notation.Digits, N: 8}, ToField: func(p *Pipeline) string { return p.OptText(notation.Digits, way) }}
		for _, opts := range [][]Option{{text}, {text, desc}, {desc, text}} {
			s := Schema{Name: "t", Lengths: Lengths{MaxLen: forms.MaxKey}}
			err := s.Compile(nil, []*Declaration{{Role: RoleField, Kind: KindUint, Name: "a", Size: 3, Opts: opts}})
			if _, ok := way.(deaf); ok && len(opts) > 1 {
				require.ErrorContains(t, err, "Desc does not fit: digits writes numbers forward only")
				continue
			}
			require.NoError(t, err)
			assert.Equal(t, len(opts) > 1, s.Comps[0].Order == forms.Backward)
		}
	}
}
