package figure

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

func TestWrite(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.svg")
	require.NoError(t, Write(file, 300, 200, func(c draw.Canvas) {
		p := New("title <&>")
		p.X.Max, p.Y.Max = 2, 2
		p.Draw(c)
		c.FillText(Text(11, Ink, draw.XLeft, draw.YCenter), vg.Point{X: 20, Y: 20}, "a ≤ b")
	}))
	svg, err := os.ReadFile(file)
	require.NoError(t, err)

	// Well-formed, with all its text, and every colour of the page has one for a
	// dark scheme.
	var text strings.Builder
	d := xml.NewDecoder(strings.NewReader(string(svg)))
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		if data, ok := token.(xml.CharData); ok {
			text.Write(data)
		}
	}
	assert.Contains(t, text.String(), "title <&>")
	assert.Contains(t, text.String(), "a ≤ b")
	for _, c := range dark {
		assert.Contains(t, string(svg), `[style*="fill:`+hex(c.light)+`"]{fill:`+hex(c.dark)+"!important}")
	}
	assert.Contains(t, string(svg), `style="fill:`+hex(Paper))
	assert.NotContains(t, string(svg), "#-", "a colour that cannot be written")
	assert.Error(t, Write(filepath.Join(file, "b"), 10, 10, func(draw.Canvas) {}))
}
