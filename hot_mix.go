package rowkey

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
	c   *component
	off int // of its slot
	ins []mixIn
}

// mixIn is an input. Its bytes are counted from the key's beginning, or from the
// last field's: what lies between is of a fixed width.
type mixIn struct {
	last             bool // it is the last field, whose value is at hand
	text             bool
	from, to         int
	fromLast, toLast bool
	xor              uint64 // of a number, on its bytes
	size             int    // bytes of the value
}

// mixOf is the mix of a derived component, if it has one.
func (s *schema) mixOf(c *component) (mix, bool) {
	m := mix{c: c}
	if s.cold || c.role != roleSalt || c.rule != digest.OfDigest || c.part.own != nil || c.part.cut.Algorithm != digest.Murmur3 || c.part.cut.N != 4 ||
		c.vias > 0 || c.in.form != byValues || !c.shape.Fixed() {
		return m, false
	}
	last := slices.Max(c.deps)
	for _, f := range c.in.comps {
		in, ok := s.mixInOf(f, s.fields[last])
		if !ok {
			return m, false
		}
		m.ins = append(m.ins, in)
	}
	return m, true
}

// mixInOf is an input of a mix, if it can be told.
func (s *schema) mixInOf(f, last *component) (mixIn, bool) {
	in := mixIn{last: f == last, text: f.isText(), size: f.size}
	size, xor, binary := f.num.plain()
	number := len(f.stages) == 0 && f.frame == noFrame && binary && !f.invertAll
	switch {
	case f.role != roleField || f.absent || f.optional || f.decimal != forms.NoDecimal:
		return in, false
	case f.kind == kindTime:
		in.size = 8
		if f.unit.lay != nil || f.signed {
			return in, false
		}
	case f.kind == kindFloat, f.kind == kindBool && f.hbase, f.kind == kindInt && size != f.size && !in.last:
		return in, false
	}
	switch {
	case in.last:
		return in, true
	case in.text && !f.verbatim() && !(f.frame == frameNul && len(f.stages) == 0 && !f.invertAll && f.codes == nil && f.header == 0):
		return in, false
	case !in.text && !number:
		return in, false
	}
	in.xor = xor & forms.Mask(size)
	from, ok := s.standsAt(f.index, last.index)
	to, ok2 := s.standsAt(f.index+1, last.index)
	in.from, in.fromLast = from.off, from.last
	if in.to, in.toLast = to.off, to.last; f.frame == frameNul {
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
func (s *schema) standsAt(i, last int) (stand, bool) {
	width := func(from, to int) (n int, fixed bool) {
		for j := range s.comps[from:to] {
			c := &s.comps[from+j]
			if c.absent {
				continue
			}
			if !c.shape.Fixed() {
				return 0, false
			}
			n += c.shape.Min
		}
		return n, true
	}
	if n, ok := width(0, i); ok {
		return stand{off: n}, true
	}
	n, ok := width(i, last)
	return stand{-n, true}, ok
}

// bucket is the salt's bucket: n is where the last input stands in the key, text or
// u its value.
func (m *mix) bucket(key []byte, n int, text []byte, u uint64) uint64 {
	if len(m.ins) == 1 && m.ins[0].text {
		return m.c.mod.Of(digest.Murmur32(m.c.part.cut.Seed, text))
	}
	h := digest.NewStream(m.c.part.cut.Seed)
	for i := range m.ins {
		in := &m.ins[i]
		if in.last {
			if in.text {
				h.Text(text)
			} else {
				h.Word(u, in.size)
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
			h.Word(binary.BigEndian.Uint64(key[from:to])^in.xor, in.size)
		default:
			h.Word(forms.ReadUint(key[from:to])^in.xor, in.size)
		}
	}
	return m.c.mod.Of(h.Sum())
}

// put writes the salt.
func (m *mix) put(key []byte, n int, text []byte, u uint64) {
	b := m.bucket(key, n, text, u)
	if m.c.width == 1 && m.c.saltForm == saltBytes {
		key[m.off] = byte(b)
		return
	}
	m.c.appendBucket(key[:m.off], b)
}

// linkMixes finds the mixes of the slots that a field fills; a zero one where the
// slot has none.
func (st *step) linkMixes() {
	for _, f := range st.fills {
		m, ok := st.s.mixOf(f.c)
		if !ok {
			m = mix{}
		}
		m.off = f.off
		st.mixes = append(st.mixes, m)
	}
}
