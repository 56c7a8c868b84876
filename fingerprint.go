package rowkey

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Fingerprint names the layout: equal means equal bytes for every key. Names
// and limits of values are not in it.
func (s *Schema) Fingerprint() string {
	h := sha256.New()
	for i := range s.in.comps {
		fmt.Fprintf(h, "%s\n", s.in.comps[i].format(&s.in))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// format is what of a component its bytes depend on, fields by their place.
func (c *component) format(s *schema) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %d absent=%t ", c.role, c.kind, c.absent)
	switch c.role {
	case roleLiteral:
		fmt.Fprintf(&b, "%x", c.lit)
		return b.String()
	case roleSalt:
		fmt.Fprintf(&b, "%d %d %d %s %d %x ", c.buckets, c.rule, c.saltForm, c.part, c.width, c.letters)
	case roleHash:
		fmt.Fprintf(&b, "%s ", c.part)
	case roleCopy:
		fmt.Fprintf(&b, "of %d ", c.of.index)
	}
	if c.in != nil {
		for _, st := range c.stages {
			fmt.Fprintf(&b, "via %+q ", st.via.name)
		}
		fmt.Fprintf(&b, "input %d", c.in.form)
		for _, f := range c.in.comps {
			fmt.Fprintf(&b, " %d", f.index)
		}
		fmt.Fprintf(&b, " %v", c.in.verbs)
		return b.String()
	}
	n := c.num
	var f forms.Told
	if n.form != nil { // nil is of a text
		f = n.form.Told()
	}
	if f.Width < 0 {
		f.Width = c.size
	}
	u := c.unit
	fmt.Fprintf(&b, "%d bytes hbase=%t form %d width %d xor %x nines %d trunc %d number %t %t ",
		c.size, c.hbase && (c.kind == kindInt || c.kind == kindFloat || c.kind == kindBool), f.Form, f.Width, f.Xor, f.Nines, n.trunc, f.DateNum, f.DateDesc)
	fmt.Fprintf(&b, "step %d epoch %d.%09d ", u.step, u.sec, u.nsec)
	if u.own != nil {
		fmt.Fprintf(&b, "own %s ", u.name)
	}
	if u.lay != nil {
		fmt.Fprintf(&b, "layout %q %d ", u.lay.Text, u.lay.Offset)
	}
	for _, v := range sortedKeys(c.codes) {
		fmt.Fprintf(&b, "%x=%x ", v, c.codes[v])
	}
	for _, st := range c.stages {
		if st.word == notation.Fixed { // the frame is below
			continue
		}
		fmt.Fprintf(&b, "%s %d %d %x ", st.word, st.from, st.to, st.sep)
		if st.via != nil {
			fmt.Fprintf(&b, "%+q ", st.via.name)
		}
	}
	if c.frame != noFrame {
		fmt.Fprintf(&b, "frame %d ", c.frame)
		if c.frame != frameEscaped {
			fmt.Fprintf(&b, "%d %x ", c.width, c.pad)
		}
	}
	fmt.Fprintf(&b, "inverted %t", c.invertAll)
	if c.dialect.framed() {
		fmt.Fprintf(&b, " dialect %d header %x %x raw %t add %d rest %x decimal %d signed %t endless %t null %t",
			c.dialect, c.header, forms.Head(n.form), f.Raw, f.Add, f.Rest, c.decimal, c.signed, c.endless, c.optional)
	}
	return b.String()
}
