package layout

import (
	"bytes"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFramesAll fails for a frame without a line here: what it makes of "ab" in 4 bytes, or with
// a length of 1 byte. What is written is read back, and a frame that ends itself shows where.
func TestFramesAll(t *testing.T) {
	want := map[frameKind]struct {
		c    Component
		form string
		ends bool // it ends itself
	}{
		NoFrame:      {Component{}, "6162", false},
		FrameFixed:   {Component{written: written{Width: 2}}, "6162", false},
		FramePad:     {Component{written: written{Width: 4, Pad: '_'}}, "61625f5f", false},
		FramePadLeft: {Component{written: written{Width: 4, Pad: '_'}}, "5f5f6162", false},
		FrameEscaped: {Component{}, "61620001", true},
		FrameNul:     {Component{}, "616200", true},
		FrameBlobVar: {Component{}, "b0d840", true},
		FrameLength:  {Component{written: written{Width: 1}}, "026162", true},
	}
	for f := NoFrame; f <= frameEnd; f++ {
		l, has := want[f]
		require.True(t, has || f == frameEnd, "frame %d has no line here", f)
		if !has {
			continue
		}
		c := l.c
		c.Frame = f
		form, err := c.appendStages([]byte("ab"), 0)
		require.NoError(t, err, "frame %d", f)
		assert.Equal(t, l.form, hex.EncodeToString(form), "frame %d", f)
		assert.Equal(t, bytes.HasPrefix(form, []byte("ab")), c.TextFirst(), "frame %d", f)
		if l.ends {
			n := c.extentSelf(append(form[:len(form):len(form)], 'x', 'y'))
			if f == FrameBlobVar { // behind its header
				n = c.extentSelf(append(append([]byte{0x37}, form...), 'x', 'y')) - 1
			}
			assert.Equal(t, len(form), n, "frame %d", f)
		}
		value, err := c.unframe(form, 0)
		require.NoError(t, err, "frame %d", f)
		assert.Equal(t, "ab", string(value), "frame %d", f)
	}
}
