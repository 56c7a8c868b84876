package rowkey

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"time"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// hotRead is what reading a field needs, in a line of its own. A number of up to 8
// bytes is one load of 8 bytes that ends with it, or begins with it where the key
// has not so many in front.
type hotRead struct {
	reads       op
	rform       hotForm // cold where the component reads
	rkind       kind
	checks      bool   // what it fills is compared as soon as it is read
	right       uint8  // of opUintAt: the bits behind the number in its load
	rsize       int    // bytes of a number; of a text of what follows
	rword       uint64 // on the load: Desc, the sign
	rmask       uint64 // the number's bits in the load
	rbias       uint64 // value+rbias <= rspan is the one check
	rspan, half uint64 // half: what an Int is stored above its value
	read        *step  // the next field that is stored
}

// heatRead gives a step what reading needs. before and after are the least bytes
// of a key in front of the field and behind it.
func (st *step) heatRead(before, after int) {
	c := st.c
	if st.rform == cold || c.trims || st.s.loose > 0 || !st.constantTail() || c.kind == kindBool && c.hbase ||
		st.rform == hotDecimal && c.ends != forms.EndMarked && c.ends != forms.EndLast {
		st.rform = cold
		return
	}
	st.rbias, st.rspan, st.rsize = st.bias, st.span, int(st.n)+len(st.end)
	if c.isText() {
		st.rsize, st.rword = len(st.end), st.xor
		if st.least <= fewBytes {
			st.rbias, st.rspan = -uint64(st.least), uint64(min(st.most, fewBytes)-st.least)
		} else {
			st.rbias, st.rspan = 0, 0
		}
		plain := st.rform == hotText
		switch w := c.width; {
		case c.frame == frameFixed && (plain && w <= math.MaxUint8 || w <= fewBytes):
			st.right, st.reads = uint8(w), opText
		case w <= fewBytes && st.rform == hotPad:
			st.right, st.reads = uint8(w), opPad
		case st.rform == hotUUID:
			st.right = forms.UUIDSize
		case st.guard != 0 && (plain || st.rform == hotEscape), plain && c.ends == forms.EndLast && len(st.end) == 0:
			st.reads = opText
		}
		return
	}
	if len(st.end) > 0 || len(st.fills) > 0 || st.rform != hotWord && st.rform != hotFloat {
		return
	}
	w := int(st.n)
	if st.rform == hotFloat || c.kind == kindBool {
		st.rword = st.xor
		switch {
		case st.rform == hotFloat && w == 8:
			st.reads = opFloat
		case st.rform != hotFloat && w == 1:
			st.reads = opBool
		}
		return
	}
	st.rmask, st.rword = forms.Mask(w), st.xor
	if c.kind == kindInt {
		st.half = forms.Mask(w)>>1 + 1
		st.rword ^= st.half
	}
	switch {
	case before >= 8-w:
		st.reads = map[kind]op{kindUint: opUint, kindInt: opInt, kindTime: opTime}[c.kind]
		if c.kind == kindTime && (st.per == 0 || st.base != 0 || c.signed) {
			st.reads = opAny
		}
	case c.kind == kindUint && after >= 8-w:
		st.reads, st.right = opUintAt, uint8(64-8*w)
	}
}

// constantTail reports that nothing but constants stands between the field and
// the next that is stored.
func (st *step) constantTail() bool {
	end := len(st.s.comps)
	if st.read.op != opEnd {
		end = st.read.c.index
	}
	n := 0
	for i := range st.s.comps[st.c.index+1 : end] {
		c := &st.s.comps[st.c.index+1+i]
		switch {
		case c.absent:
		case c.role != roleLiteral:
			return false
		default:
			n += len(c.lit)
		}
	}
	return n == len(st.tail)
}

// checksAll reports that all that a field fills can be compared when it is read.
func (st *step) checksAll() bool {
	if len(st.fills) == 0 || st.s.loose > 0 {
		return false
	}
	for i, f := range st.fills {
		if st.mixes[i].c == nil && (!f.c.direct || !f.c.shape.Fixed() || f.c.vias > 0) {
			return false
		}
	}
	return true
}

// differs is the first of the slots that the field at hand fills which is not
// what its value gives, or nil.
func (r Reader) differs(v val) *slot {
	st := r.st
	key, n := r.buf[:cap(r.buf)], len(r.buf)
	var few, in [64]byte
	var value []byte
	for i := range st.fills {
		f, m := &st.fills[i], &st.mixes[i]
		form, ok := few[:0], true
		switch {
		case m.c == nil && value == nil:
			value = v.text
			if !st.c.isText() || st.c.decimal != forms.NoDecimal {
				value = st.c.appendValue(in[:0], v)
			}
			fallthrough
		case m.c == nil:
			form, ok = f.c.compute(form, value)
		case m.c.width == 1 && m.c.saltForm == saltBytes:
			if key[m.off] == byte(m.bucket(key, n, v.text, v.num)) {
				continue
			}
			return f
		default:
			form = m.c.appendBucket(form, m.bucket(key, n, v.text, v.num))
		}
		if !ok || string(form) != string(key[f.off:f.off+len(form)]) {
			return f
		}
	}
	return nil
}

// checked is the reader behind a field, unless what the field fills is wrong.
func (r Reader) checked(v val, next Reader) Reader {
	if r.st.checks {
		if f := r.differs(v); f != nil {
			return badReader(r.st.s, r.st.s.errAt(f.c.name, f.off, ErrDerived))
		}
	}
	return next
}

// readNum is the number at the head of rest and how many bytes it has there;
// false for all that the hot path does not read.
func (st *step) readNum(rest []byte) (u uint64, w int, ok bool) {
	w = int(st.n)
	switch {
	case st.rform == hotDecimal:
		for w = 0; w < len(rest) && rest[w]-'0' <= 9; w++ {
		}
		if w == 0 || w > 20 || w > 1 && rest[0] == '0' || len(st.end) == 0 && w < len(rest) {
			return 0, 0, false
		}
		u, ok = forms.ReadDigits(rest[:w])
	case len(rest) < w:
		return 0, 0, false
	case st.rform == hotWord, st.rform == hotFloat, st.rform == hotDateNum:
		if u, ok = forms.ReadUint(rest[:w]), true; len(rest) >= 8 {
			u = binary.BigEndian.Uint64(rest) >> (uint(64-8*w) & 63)
		}
	case st.rform == hotHex:
		u, ok = forms.ReadHex(rest[:w])
	case st.rform == hotParts:
		u, ok = st.readParts(rest[:w])
	default:
		u, ok = forms.ReadDigits(rest[:w])
	}
	if len(st.end) > 0 && (len(rest)-w < len(st.end) || string(rest[w:w+len(st.end)]) != string(st.end)) {
		return 0, 0, false
	}
	if st.guard != 0 {
		u = st.guard - u
	}
	if u ^= st.xor; st.rkind == kindInt && w < 8 && st.rform == hotWord {
		shift := uint(64-8*w) & 63
		u = uint64(int64(u<<shift) >> shift)
	}
	switch {
	case st.rform == hotFloat:
		if w == 4 {
			u = math.Float64bits(float64(math.Float32frombits(uint32(forms.RawFloat(u, 4)))))
		} else {
			u = forms.RawFloat(u, 8)
		}
		f := math.Float64frombits(u)
		return u, w, ok && f == f && u != minusZero
	case st.elements != 0:
		sec, is := forms.DateSeconds(u, st.elements)
		u = sec - st.base
		ok = ok && is
	}
	return u, w, ok && u+st.rbias <= st.rspan
}

// readParts is a date with constants between its elements as a number.
func (st *step) readParts(form []byte) (uint64, bool) {
	var digits [24]byte
	n := 0
	for _, p := range st.parts {
		switch p.Element {
		case -1:
			if form[0] != p.Text[0] {
				return 0, false
			}
			form = form[1:]
			continue
		case 0:
			n = copy(digits[:], form[:4])
			form = form[4:]
		default:
			digits[n], digits[n+1] = form[0], form[1]
			n += 2
			form = form[2:]
		}
	}
	return forms.ReadDigits(digits[:n])
}

// hotInstant is a number of units, a power of ten to a second, as an instant.
func (st *step) hotInstant(u uint64) time.Time {
	switch st.per {
	case 1:
		return time.Unix(int64(u), 0).UTC()
	case 1e3:
		return time.Unix(int64(u/1e3), int64(u%1e3)*1e6).UTC()
	case 1e6:
		return time.Unix(int64(u/1e6), int64(u%1e6)*1e3).UTC()
	}
	return time.Unix(int64(u/1e9), int64(u%1e9)).UTC()
}

// readText is how many bytes of rest are the text at hand, where it stands there as
// it is, or turned round; false for all that the hot path does not read.
func (st *step) readText(rest []byte) (int, bool) {
	n := int(st.right)
	switch {
	case n > 0:
	case st.guard == 0:
		if n = len(rest); n < st.least {
			return 0, false
		}
	default:
		n = -1
		if len(rest) >= 2*8 {
			if z := forms.ZeroBytes(binary.LittleEndian.Uint64(rest) ^ st.xor); z != 0 {
				n = bits.TrailingZeros64(z) / 8
			} else if z := forms.ZeroBytes(binary.LittleEndian.Uint64(rest[8:]) ^ st.xor); z != 0 {
				n = 8 + bits.TrailingZeros64(z)/8
			}
		}
		if n < 0 {
			if n = bytes.IndexByte(rest, byte(st.xor)); n < 0 {
				return 0, false
			}
		}
		if n < st.least {
			return 0, false
		}
	}
	end := n + len(st.end)
	return n, end <= len(rest) && (len(st.end) == 0 || rest[n] == st.end[0]) && (len(st.end) <= 1 || string(rest[n+1:end]) == string(st.end[1:]))
}

// readShaped is the text at hand where it does not stand there as it is, and how many
// bytes of rest it takes: without its padding, behind its length, or in room the text of
// a UUID's bytes. False for all that the hot path does not read.
func (st *step) readShaped(rest []byte, room *[forms.UUIDText]byte) (text []byte, n int, ok bool) {
	n = int(st.right)
	if st.rform == hotLength {
		w := int(st.n)
		if len(rest) < w {
			return nil, 0, false
		}
		size := forms.ReadUint(rest[:w])
		if size > uint64(len(rest)-w) {
			return nil, 0, false
		}
		n = w + int(size)
		text = rest[w:n:n]
	}
	if n == 0 || n > len(rest) || len(st.end) > 0 && (len(rest)-n < len(st.end) || string(rest[n:n+len(st.end)]) != string(st.end)) {
		return nil, 0, false
	}
	switch st.rform {
	case hotUUID:
		forms.PutUUID(room, rest)
		text = room[:]
	case hotPad:
		m := n
		for m > 0 && rest[m-1] == byte(st.rword) {
			m--
		}
		text = rest[:m:m]
	}
	return text, n, len(text) >= st.least
}

// shaped is the text at hand by readShaped, and the reader behind it.
func (r Reader) shaped(room *[forms.UUIDText]byte) (text []byte, next Reader, ok bool) {
	st, at := r.st, len(r.buf)
	if st.rform < hotPad {
		return nil, r, false
	}
	text, n, ok := st.readShaped(r.buf[at:cap(r.buf)], room)
	if !ok || st.checks && r.differs(val{text: text, ok: true}) != nil {
		return nil, r, false
	}
	return text, Reader{r.buf[:at+n+st.rsize], st.read}, true
}

// setBytes copies a text into *v, in its own memory if that is enough. In this form
// alone the compiler sees that an array of the caller's may stay on its stack.
func setBytes(v *[]byte, text []byte) {
	if cap(*v) >= len(text) {
		*v = (*v)[:len(text)]
		copy(*v, text)
		return
	}
	*v = append([]byte(nil), text...)
}

// start is where reading a key begins.
type start struct {
	least, slack uint   // of a key of least to least+slack bytes the lead needs no check but of front
	front, mask  uint64 // constants among its first 8 bytes, and where they stand
	lead         int    // bytes in front of the first field
	heads        []head // constants in front
	known        bool
}

// fits reports that a key begins as it must, where that is seen at once.
func (s *start) fits(key []byte) bool {
	return uint(len(key))-s.least <= s.slack && (s.mask == 0 || (binary.BigEndian.Uint64(key)^s.front)&s.mask == 0)
}

// head is a constant in front of all fields.
type head struct {
	off int
	lit string
}

// linkStart finds where reading begins, if that never varies.
func (s *schema) linkStart() {
	s.bare, s.start.least = -1, math.MaxInt
	if s.loose > 0 || s.toRead.op == opEnd {
		return
	}
	n := 0
	for i := range s.comps[:s.toRead.c.index] {
		c := &s.comps[i]
		switch {
		case c.absent:
			continue
		case c.role == roleLiteral:
			s.start.heads = append(s.start.heads, head{n, string(c.lit)})
			for j := range min(len(c.lit), max(0, 8-n)) {
				shift := 8 * (7 - n - j)
				s.start.front |= uint64(c.lit[j]) << shift
				s.start.mask |= 0xff << shift
			}
		case !c.shape.Fixed() || c.trims:
			return
		}
		n += c.shape.Min
	}
	s.start.lead = n
	switch {
	case s.start.heads == nil && (n > 0 || s.minLen > 0):
		s.start.least, s.start.slack = uint(n), uint(s.maxLen-n)
		if n == 0 {
			s.bare = s.maxLen
		}
	case s.start.heads != nil && n <= 8 && s.maxLen >= 8: // all of them are in the word
		s.start.least, s.start.slack = 8, uint(s.maxLen-8)
	}
	s.start.known = true
}

// begins reports that a key has the constants in front of all fields.
func (s *schema) begins(key []byte) bool {
	if !s.start.known || len(key) < s.start.lead {
		return false
	}
	for i := range s.start.heads {
		h := &s.start.heads[i]
		if string(key[h.off:h.off+len(h.lit)]) != h.lit {
			return false
		}
	}
	return true
}

// linkRead makes the steps' reading. In front of a field stand the bytes that every
// key has there, be it one of ours or not: a form that ends itself may be shorter in a
// broken key than any that is written.
func (s *schema) linkRead() {
	before := 0
	for i := range s.comps {
		c := &s.comps[i]
		if c.role == roleField && !c.absent {
			s.steps[c.ord].heatRead(before, max(0, s.leastAfter(i)))
			s.steps[c.ord].checks = s.steps[c.ord].checksAll()
		}
		if !c.absent && (c.role == roleLiteral || c.shape.Fixed() && !c.trims) {
			before += c.shape.Min
		}
	}
}

// leastAfter is the least bytes behind component i, where no null can be left off.
func (s *schema) leastAfter(i int) (n int) {
	if s.trims {
		return 0
	}
	for i++; i < len(s.comps); i++ {
		if c := &s.comps[i]; !c.absent {
			n += c.shape.Min
		}
	}
	return n
}

// checkRests compares what is computed from the bytes behind it, of a key whose
// fields were all read; false where that takes another way.
func (s *schema) checkRests(key []byte) (error, bool) {
	var few [64]byte
	for _, c := range s.rests {
		off := s.offset(c)
		end := off + c.shape.Min
		if c.others() || c.trims || end >= len(key) {
			return nil, false
		}
		if form, ok := c.compute(few[:0], key[end:]); !ok || string(form) != string(key[off:end]) {
			return s.errAt(c.name, off, ErrDerived), true
		}
	}
	return nil, true
}
