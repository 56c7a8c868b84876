package layout

import (
	"crypto/sha256"
	"fmt"
	"strings"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Print is the fingerprint of the bytes that the schema writes. It is made at the first use, since it takes a
// third of the time of Build.
func (s *Schema) Print() [16]byte {
	if p := s.print.Load(); p != nil {
		return *p
	}
	h := sha256.New()
	for i := range s.Comps {
		fmt.Fprintf(h, "%s\n", s.Comps[i].Format(s))
	}
	p := [16]byte(h.Sum(nil))
	s.print.Store(&p)
	return p
}

// Format is a text of all that the bytes of a component depend on, for the fingerprint. It
// names other fields by their index, so that a changed name changes nothing. It must
// never change: it is one list, to be read from top to bottom, so that each change is seen.
func (c *Component) Format(s *Schema) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %d absent=%t ", c.Role, c.Kind, c.Absent)
	switch c.Role {
	case RoleLiteral:
		fmt.Fprintf(&b, "%x", c.Lit)
		return b.String()
	case RoleSalt:
		fmt.Fprintf(&b, "%d %d %d %s %d %x ", c.Buckets, c.Rule, c.SaltForm, c.Part, c.Width, c.Letters)
	case RoleHash:
		fmt.Fprintf(&b, "%s ", c.Part)
	case RoleCopy:
		fmt.Fprintf(&b, "of %d ", c.Of.Index)
	}
	if c.In != nil {
		for _, st := range c.Stages {
			fmt.Fprintf(&b, "via %+q ", st.Via.Name)
		}
		fmt.Fprintf(&b, "input %d", c.In.Form)
		for _, f := range c.In.Comps {
			fmt.Fprintf(&b, " %d", f.Index)
		}
		fmt.Fprintf(&b, " %v", c.In.Verbs)
		return b.String()
	}
	n := c.Num
	var f forms.Told
	if n.Form != nil { // nil is of a text
		f = n.Form.Told()
	}
	if f.Width < 0 {
		f.Width = c.Size
	}
	u := c.Unit
	fmt.Fprintf(&b, "%d bytes hbase=%t form %d width %d xor %x nines %d trunc %d number %t %t ",
		c.Size, c.Dialect == InHBase && (c.Kind == KindInt || c.Kind == KindFloat || c.Kind == KindBool), f.Form, f.Width, f.Xor, f.Nines, n.Trunc, f.DateNum, f.DateDesc)
	fmt.Fprintf(&b, "step %d epoch %d.%09d ", u.Step, u.Sec, u.Nsec)
	if u.Own != nil {
		fmt.Fprintf(&b, "own %s ", u.Name)
	}
	if u.Lay != nil {
		fmt.Fprintf(&b, "layout %q %d ", u.Lay.Text, u.Lay.Offset)
	}
	for _, v := range SortedKeys(c.Codes) {
		fmt.Fprintf(&b, "%x=%x ", v, c.Codes[v])
	}
	for _, st := range c.Stages {
		if st.Word == notation.Fixed { // the frame is below
			continue
		}
		fmt.Fprintf(&b, "%s %d %d %x ", st.Word, st.From, st.To, st.Sep)
		if st.Via != nil {
			fmt.Fprintf(&b, "%+q ", st.Via.Name)
		}
	}
	if c.Frame != NoFrame {
		fmt.Fprintf(&b, "frame %d ", c.Frame)
		if c.Frame != FrameEscaped {
			fmt.Fprintf(&b, "%d %x ", c.Width, c.Pad)
		}
	}
	fmt.Fprintf(&b, "inverted %t", c.InvertAll)
	if c.Dialect.framed() {
		fmt.Fprintf(&b, " dialect %d header %x %x raw %t add %d rest %x decimal %d signed %t endless %t null %t",
			c.Dialect, c.Header, forms.Head(n.Form), f.Raw, f.Add, f.Rest, c.Decimal, c.Signed, c.Endless, c.Optional)
	}
	return b.String()
}
