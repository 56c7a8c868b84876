package piece

import (
	"bytes"
	"strings"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// cut is a place among stored forms: in front of those that begin with b, or
// behind them.
type cut struct {
	b      []byte
	behind bool
}

// invertsBytes reports that a text is stored with every byte inverted, its end too
// where the order is backward.
func invertsBytes(c *layout.Component) bool {
	inverts := c.InvertAll
	for _, st := range c.Stages[c.Vias:] {
		inverts = inverts || st.Word == notation.Desc
	}
	return inverts
}

// cutAt is the place between the forms of the values below v and those of v and
// above, of a text that is stored in the order of its values; before any
// inversion. v need not be a value that can be stored.
func cutAt(c *layout.Component, v string) cut {
	k := cutIn(c, v)
	if c.Header != 0 {
		k.b = append([]byte{c.Header}, k.b...)
	}
	return k
}

// cutIn is cutAt behind the header.
func cutIn(c *layout.Component, v string) cut {
	inverts := invertsBytes(c)
	early := inverts && !c.InvertAll // the inversion stands before the frame
	flip := byte(0)
	if early {
		flip = 0xff
	}
	if c.Packs() && c.Vias == 0 && v != "" {
		form, _ := layout.PackUUID([]byte(v)) // packedSpan has made it one
		v = string(form)
	}
	switch {
	case c.Frame == layout.FrameEscaped:
		b := forms.AppendEscape([]byte(v), 0)
		return cut{b[:len(b)-2], false}
	case c.Frame == layout.FrameNul:
		if n := strings.IndexByte(v, 0); n >= 0 { // the value that ends there is the last below v
			return cut{[]byte(v[:n+1]), true}
		}
		return cut{[]byte(v), false}
	case c.Decimal == forms.Numeric:
		if n := forms.NumericLen([]byte(v), 0); n >= 0 && n < len(v) {
			return cut{[]byte(v[:n]), true}
		}
		return cut{[]byte(v), false}
	case c.Frame == layout.FramePad && !c.Full:
		return cutPadded(c, v, c.Pad^flip)
	case c.Mark != nil:
		mark := bytes.Clone(c.Mark)
		if early {
			forms.Invert(mark)
		}
		return cutMarked(c, v, mark)
	}
	if c.Shape.Fixed() && len(v) > c.Shape.Min { // longer than every value: behind its own beginning
		return cut{[]byte(v[:c.Shape.Min]), true}
	}
	return cut{[]byte(v), false}
}

// cutPadded: what v begins with up to a byte below the pad, or all of it
// without the pads it ends in, is the last value below v.
func cutPadded(c *layout.Component, v string, pad byte) cut {
	u := v
	for i := range len(v) {
		if v[i] < pad {
			u = v[:i]
			break
		}
	}
	if len(u) > c.Width {
		u = u[:c.Width]
	}
	if len(u) == len(v) && (len(v) == 0 || v[len(v)-1] != pad) {
		return cut{[]byte(v), false}
	}
	n := len(u)
	for n > 0 && u[n-1] == pad {
		n--
	}
	b := []byte(u[:n])
	for len(b) < c.Width {
		b = append(b, pad)
	}
	return cut{b, true}
}

// cutMarked is the place of v among texts that end in a separator. A value that v
// begins with is less than v, and its rows may still stand behind v's own bytes: with
// ':' as the separator "a" is less than "a:b", and 61 3a 63 is a row of it, which
// stands behind 61 3a 62. Since the order is kept, the longest such value is the last
// below v, and the place is behind its rows.
func cutMarked(c *layout.Component, v string, mark []byte) cut {
	able := 0 // bytes of v that a value can have
	for able < len(v) && (c.Vias > 0 || c.Value.Bytes[v[able]]) {
		able++
	}
	for n := min(able, len(v)-1); n >= 0; n-- {
		if p := []byte(v[:n]); forms.Marks(p, mark) {
			if form := append(p, mark...); string(form) >= v || strings.HasPrefix(v, string(form)) {
				return cut{form, true}
			}
		}
	}
	return cut{[]byte(v), false}
}

// cutAtEnd is the place of v among forms that end in one byte: if v holds it, behind
// the form that ends there.
func cutAtEnd(c *layout.Component, v string, end byte) ([]byte, bool, string) {
	for i := range len(v) {
		if v[i] == end {
			return []byte(v[:i+1]), true, v[:i]
		}
	}
	return []byte(v), false, v
}
