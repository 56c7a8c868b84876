package piece

import (
	"bytes"
	"strings"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// cut is a place among stored forms: before all forms that begin with b or, if after is
// set, after all of them. Of b = 61 62 the place is before 61 62, or before 61 63.
type cut struct {
	b     []byte
	after bool
}

// cutAt gives the place that v has among the forms of a text field: the forms of smaller
// values come before it; the forms of v and of larger values come after it. The forms must
// sort as the values do, and the place is the one before any inversion. The field may be
// unable to store v: of "a\x00b" in a text that ends in 00 it is the place after 61 00,
// the form of "a".
func cutAt(c *layout.Component, v string) cut {
	k := cutIn(c, v)
	if c.Header != 0 {
		k.b = append([]byte{c.Header}, k.b...)
	}
	return k
}

// cutIn is cutAt without the header byte, which stands before the text.
func cutIn(c *layout.Component, v string) cut {
	flip := byte(0) // ff if the text is inverted before its pad or separator is added: 61 62 5f is 9e 9d 5f
	for _, st := range c.Stages[c.Vias:] {
		if st.Word == notation.Desc && !c.InvertAll {
			flip = 0xff
		}
	}
	if c.Packs() && c.Vias == 0 && v != "" {
		form, _ := layout.PackUUID([]byte(v)) // packedSpan has made v a UUID
		v = string(form)
	}
	switch {
	case c.Frame == layout.FrameEscaped && flip == 0:
		b := forms.AppendEscape([]byte(v), 0)
		return cut{b[:len(b)-2], false}
	case c.Frame == layout.FrameNul:
		if n := strings.IndexByte(v, 0); n >= 0 { // the text up to the 00 is the largest one below v
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
		if flip != 0 {
			forms.Invert(mark)
		}
		return cutMarked(c, v, mark)
	}
	size := c.Shape.Min
	if c.Frame == layout.FrameEscaped { // inverted forms sort only if they have one length and nothing to escape
		size -= c.EndLen()
	}
	if c.Shape.Fixed() && len(v) > size { // v is longer than every value: after the value that v begins with
		return cut{[]byte(v[:size]), true}
	}
	return cut{[]byte(v), false}
}

// cutPadded gives the place of v among padded texts. Usually it is before all that begins
// with v. It is another one if v holds a byte below the pad, ends in the pad, or is longer
// than the width. Then let u be v up to its first byte below the pad, at most as long as
// the width, without the pads at its end: u is the largest value below v, and the place is
// after the form of u.
//
// With pad 20 and width 4: "ab" gives the place before 61 62; "ab\x00" and "ab " give the
// place after 61 62 20 20, the form of "ab".
func cutPadded(c *layout.Component, v string, pad byte) cut {
	u := v
	for i := range len(v) {
		if v[i] < pad {
			u = v[:i]
			break
		}
	}
	u = u[:min(len(u), c.Width)]
	if len(u) == len(v) && (len(v) == 0 || v[len(v)-1] != pad) {
		return cut{[]byte(v), false}
	}
	return cut{forms.AppendPad([]byte(u[:forms.Unpad(u, pad)]), 0, c.Width, pad), true}
}

// cutMarked gives the place of v among texts that a separator ends. Let v begin with a
// shorter value. That value is less than v, but some of its rows can sort after the bytes
// of v. With ':' as the separator, "a" is less than "a:b" = 61 3a 62. But 61 3a 63 is a row
// of "a", and it sorts after 61 3a 62. So the place is after all rows of "a": after all that
// begins with 61 3a. If there are several such shorter values, the longest one counts: it
// is the largest value below v. If there is none, the place is before the bytes of v.
func cutMarked(c *layout.Component, v string, mark []byte) cut {
	able := 0 // how many bytes at the beginning of v a value can have
	for able < len(v) && (c.Vias > 0 || c.Value.Bytes.Has(v[able])) {
		able++
	}
	if n := strings.Index(v, string(mark)); n >= 0 { // no value holds the separator
		able = min(able, n+len(mark)-1)
	}
	for n := min(able, len(v)-1); n >= 0; n-- {
		if sortsBehind(mark, v[n:]) && forms.Marks([]byte(v[:n]), mark) {
			return cut{append([]byte(v[:n]), mark...), true}
		}
	}
	return cut{[]byte(v), false}
}

// sortsBehind reports that a separator, where rest could stand, sorts after rest or begins it. Only
// the separator's length is compared, so that long texts take no long time.
func sortsBehind(mark []byte, rest string) bool {
	return string(mark) >= rest[:min(len(rest), len(mark))]
}

// cutAtEnd gives the place of v among forms that the byte end closes. If v holds that byte,
// the place is after the form that it closes, and the text is v before it: "a_b" and
// '_' give 61 5f, true and "a". If not, they are v's own: "ab" gives 61 62, false and "ab".
func cutAtEnd(v string, end byte) ([]byte, bool, string) {
	if i := strings.IndexByte(v, end); i >= 0 {
		return []byte(v[:i+1]), true, v[:i]
	}
	return []byte(v), false, v
}
