package layout

import (
	"encoding/binary"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// A mix is a salt by murmur3 of the values of fields, which is computed when the
// last of them is written or read: the values of the earlier ones are hashed
// where they stand in the key. Of values(tenant,id), "acme" and 7 are hashed as
// 61636d65 0000000000000007.
type mix struct {
	C   *Component
	Off int // of its slot
	Ins []mixIn
}

// mixIn is an input. Its bytes are counted from the key's beginning, or from the
// last field's: what lies between is of a fixed width.
type mixIn struct {
	last             bool // it is the last field, whose value is at hand
	text             bool
	from, to         int
	fromLast, toLast bool
	xor              uint64 // of a number, on its bytes
	Size             int    // bytes of the value
}

// mixOf is the mix of a derived component, if it has one.
func (s *Schema) mixOf(c *Component) (mix, bool) {
	m := mix{C: c}
	if s.Cold || c.Role != RoleSalt || c.Rule != digest.OfDigest || c.Part.Own != nil || c.Part.Cut.Algorithm != digest.Murmur3 || c.Part.Cut.N != 4 ||
		c.Vias > 0 || c.In.Form != ByValues || !c.Shape.Fixed() {
		return m, false
	}
	last := slices.Max(c.Deps)
	for _, f := range c.In.Comps {
		in, ok := s.mixInOf(f, s.Fields[last])
		if !ok {
			return m, false
		}
		m.Ins = append(m.Ins, in)
	}
	return m, true
}

// mixInOf is an input of a mix, if it can be told.
func (s *Schema) mixInOf(f, last *Component) (mixIn, bool) {
	in := mixIn{last: f == last, text: f.IsText(), Size: f.Size}
	size, xor, binary := f.Num.plain()
	number := len(f.Stages) == 0 && f.Frame == NoFrame && binary && !f.InvertAll
	switch {
	case f.Role != RoleField || f.Absent || f.Optional || f.Decimal != forms.NoDecimal:
		return in, false
	case f.Kind == KindTime:
		in.Size = 8
		if f.Unit.Lay != nil || f.Signed {
			return in, false
		}
	case f.Kind == KindFloat, f.Kind == KindBool && f.Hbase, f.Kind == KindInt && size != f.Size && !in.last:
		return in, false
	}
	switch {
	case in.last:
		return in, true
	case in.text && !f.Verbatim() && !(f.Frame == FrameNul && len(f.Stages) == 0 && !f.InvertAll && f.Codes == nil && f.Header == 0):
		return in, false
	case !in.text && !number:
		return in, false
	}
	in.xor = xor & forms.Mask(size)
	from, ok := s.standsAt(f.Index, last.Index)
	to, ok2 := s.standsAt(f.Index+1, last.Index)
	in.from, in.fromLast = from.off, from.last
	if in.to, in.toLast = to.off, to.last; f.Frame == FrameNul {
		in.to--
	}
	return in, ok && ok2
}

// stand is a place in a key, from its beginning or from that of some field.
type stand struct {
	off  int
	last bool
}

// standsAt is where component i begins.
func (s *Schema) standsAt(i, last int) (stand, bool) {
	width := func(from, to int) (n int, fixed bool) {
		for j := range s.Comps[from:to] {
			c := &s.Comps[from+j]
			if c.Absent {
				continue
			}
			if !c.Shape.Fixed() {
				return 0, false
			}
			n += c.Shape.Min
		}
		return n, true
	}
	if n, ok := width(0, i); ok {
		return stand{off: n}, true
	}
	n, ok := width(i, last)
	return stand{-n, true}, ok
}

// Bucket is the salt's bucket: n is where the last input stands in the key, text or
// u its value.
func (m *mix) Bucket(key []byte, n int, text []byte, u uint64) uint64 {
	if len(m.Ins) == 1 && m.Ins[0].text {
		return m.C.Mod.Of(digest.Murmur32(m.C.Part.Cut.Seed, text))
	}
	h := digest.NewStream(m.C.Part.Cut.Seed)
	for i := range m.Ins {
		in := &m.Ins[i]
		if in.last {
			if in.text {
				h.Text(text)
			} else {
				h.Word(u, in.Size)
			}
			continue
		}
		from, to := in.from, in.to
		if in.fromLast {
			from += n
		}
		if in.toLast {
			to += n
		}
		switch {
		case in.text:
			h.Text(key[from:to])
		case to-from == 8:
			h.Word(binary.BigEndian.Uint64(key[from:to])^in.xor, in.Size)
		default:
			h.Word(forms.ReadUint(key[from:to])^in.xor, in.Size)
		}
	}
	return m.C.Mod.Of(h.Sum())
}

// Put writes the salt.
func (m *mix) Put(key []byte, n int, text []byte, u uint64) {
	b := m.Bucket(key, n, text, u)
	if m.C.Width == 1 && m.C.SaltForm == SaltBytes {
		key[m.Off] = byte(b)
		return
	}
	m.C.AppendBucket(key[:m.Off], b)
}

// linkMixes finds the mixes of the slots that a field fills; a zero one where the
// slot has none.
func (st *Step) linkMixes() {
	for _, f := range st.Fills {
		m, ok := st.S.mixOf(f.C)
		if !ok {
			m = mix{}
		}
		m.Off = f.Off
		st.Mixes = append(st.Mixes, m)
	}
}
