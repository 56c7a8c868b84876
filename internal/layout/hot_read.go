package layout

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// hotRead is the data for reading a field, in a cache line of its own. A number of up to 8
// bytes is read by one load of 8 bytes. They end with the number; if the key has too few
// bytes before the number, they begin with it.
type hotRead struct {
	Reads       op
	Rform       hotForm // Cold: the component reads
	rkind       Kind
	Checks      bool   // the salts, hashes and copies that the field fills are checked as soon as it is read
	Follows     follow // what is to be compared once the end of a text is known
	Right       uint8  // for OpUintAt the bits after the number in its load; for a text its stored length, if fixed
	Rsize       int    // the length of a number; for a text the length of what follows
	Rword       uint64 // the load is XORed with this: Desc, the sign; for a text see hot.Xor
	Rmask       uint64 // the bits of the number in the load
	Rbias       uint64 // value+Rbias <= Rspan is the only check
	Rspan, Half uint64 // Half is 80 00 for an Int in two bytes: the load XOR Rword is value + Half
	Read        *Step  // the next stored field
}

// heatRead computes a step's data for reading. before and after are the least numbers of
// bytes that a key has before the field and after it. One flat list: each case is one way to read a
// field on the hot path.
func (st *Step) heatRead(before, after int) {
	c := st.C
	if st.Rform == Cold || c.Trims || st.S.Loose > 0 || !st.constantTail() || c.Kind == KindBool && c.Hbase ||
		st.Rform == HotDecimal && c.Ends != forms.EndMarked && c.Ends != forms.EndLast {
		st.Rform = Cold
		return
	}
	st.Rbias, st.Rspan, st.Rsize = st.Bias, st.Span, int(st.N)+len(st.End)
	if c.IsText() {
		st.Rsize, st.Rword = len(st.End), st.Xor
		if st.Least <= FewBytes {
			st.Rbias, st.Rspan = -uint64(st.Least), uint64(min(st.Most, FewBytes)-st.Least)
		} else {
			st.Rbias, st.Rspan = 1, 0 // none, not even one of no bytes
		}
		plain := st.Rform == HotText
		switch w := c.Width; {
		case c.Frame == FrameFixed && w <= math.MaxUint8 && (st.Rform == HotTurned || st.Rform == HotReverse && w > FewBytes):
			st.Right = uint8(w)
		case st.Rform >= HotTurned: // a longer one has no room in ReadShaped
		case c.Frame == FrameFixed && plain && w <= math.MaxUint8:
			st.Right, st.Reads = uint8(w), OpText
		case w <= FewBytes && (st.Rform == HotPad || c.Frame == FrameFixed):
			st.Right, st.Reads = uint8(w), OpPad
		case st.Rform == HotPad, st.Rform == HotPadLeft:
			st.Right = uint8(w)
		case st.Rform == HotUUID:
			st.Right = forms.UUIDSize
		case st.Guard != 0 && (plain || st.Rform == HotEscape), plain && c.Ends == forms.EndLast && len(st.End) == 0:
			st.Reads = OpText
		}
		return
	}
	if len(st.End) > 0 || len(st.Fills) > 0 || st.Rform != HotWord && st.Rform != HotFloat {
		return
	}
	w := int(st.N)
	if st.Rform == HotFloat || c.Kind == KindBool {
		st.Rword = st.Xor
		switch {
		case st.Rform == HotFloat && w == 8:
			st.Reads = OpFloat
		case st.Rform != HotFloat && w == 1:
			st.Reads = OpBool
		}
		return
	}
	st.Rmask, st.Rword = forms.Mask(w), st.Xor
	if c.Kind == KindInt {
		st.Half = forms.Mask(w)>>1 + 1
		st.Rword ^= st.Half
	}
	if c.Signed { // a time before 1970 is left to the component
		least := max(c.Num.Min, SignBit64)
		if least > c.Num.Max {
			return
		}
		st.Rbias, st.Rspan = SignBit64-least, c.Num.Max-least
	}
	switch {
	case before >= 8-w:
		st.Reads = map[Kind]op{KindUint: OpUint, KindInt: OpInt, KindTime: OpTime}[c.Kind]
		if c.Kind == KindTime && (st.Per == 0 || st.Base != 0) {
			st.Reads = opAny
		}
	case c.Kind == KindUint && after >= 8-w:
		st.Reads, st.Right = OpUintAt, uint8(64-8*w)
	}
}

// follow says what is to be compared once the end of a text is known.
type follow uint8

const (
	NothingFollows follow = iota // nothing: to find the end, its separator was compared
	SaltFollows                  // one salt by murmur3 of the text, in one byte
	AnyFollows                   // what Agrees compares
)

// follows is the step's Follows. A separator of one byte has been compared if the text's width
// was not known: it was searched for.
func (st *Step) follows() follow {
	switch {
	case len(st.End) > 1, len(st.End) == 1 && st.Right > 0, st.Checks && st.Fill != FillByte:
		return AnyFollows
	case st.Checks:
		return SaltFollows
	}
	return NothingFollows
}

// constantTail reports that only constants stand between the field and the next stored
// field.
func (st *Step) constantTail() bool {
	end := len(st.S.Comps)
	if st.Read.Op != OpEnd {
		end = st.Read.C.Index
	}
	n := 0
	for i := range st.S.Comps[st.C.Index+1 : end] {
		c := &st.S.Comps[st.C.Index+1+i]
		switch {
		case c.Absent:
		case c.Role != RoleLiteral:
			return false
		default:
			n += len(c.Lit)
		}
	}
	return n == len(st.Tail)
}

// checksAll reports that every salt, hash and copy that the field fills can be checked when
// the field is read.
func (st *Step) checksAll() bool {
	if len(st.Fills) == 0 || st.S.Loose > 0 {
		return false
	}
	for i, f := range st.Fills {
		if st.Mixes[i].C == nil && (len(f.C.Deps) > 1 || !f.C.Shape.Fixed() || f.C.Trims) {
			return false
		}
	}
	return true
}

// ReadNum is the number at the start of rest, and its length w in bytes. It is false for
// everything that the hot path does not read. One flat switch over the forms of numbers there.
func (st *Step) ReadNum(rest []byte) (u uint64, w int, ok bool) {
	w = int(st.N)
	switch {
	case st.Rform == HotDecimal:
		for w = 0; w < len(rest) && rest[w]-'0' <= 9; w++ {
		}
		if w == 0 || w > 20 || w > 1 && rest[0] == '0' || len(st.End) == 0 && w < len(rest) {
			return 0, 0, false
		}
		u, ok = forms.ReadDigits(rest[:w])
	case st.Rform == HotFormed:
		if w = st.C.Extent(rest); w < 0 {
			return 0, 0, false
		}
		u, ok = st.readFormed(rest[:w])
	case len(rest) < w:
		return 0, 0, false
	case st.Rform == HotWord, st.Rform == HotFloat, st.Rform == HotDateNum:
		if ok = true; len(rest) >= 8 {
			u = binary.BigEndian.Uint64(rest) >> (uint(64-8*w) & 63)
		} else {
			u = forms.ReadUint(rest[:w])
		}
	case st.Rform == HotHex:
		u, ok = forms.ReadHex(rest[:w])
	case st.Rform == HotParts:
		u, ok = st.readParts(rest[:w])
	case st.Rform == HotDigits, st.Rform == HotLayout:
		u, ok = forms.ReadDigits(rest[:w])
	default: // the component reads it
		return 0, 0, false
	}
	if len(st.End) > 0 && (len(rest)-w < len(st.End) || string(rest[w:w+len(st.End)]) != string(st.End)) {
		return 0, 0, false
	}
	if st.Guard != 0 {
		u = st.Guard - u
	}
	if u ^= st.Xor; st.rkind == KindInt && w < 8 && st.Rform == HotWord {
		shift := uint(64-8*w) & 63
		u = uint64(int64(u<<shift) >> shift)
	}
	switch {
	case st.Rform == HotFloat:
		if w == 4 {
			u = math.Float64bits(float64(math.Float32frombits(uint32(forms.RawFloat(u, 4)))))
		} else {
			u = forms.RawFloat(u, 8)
		}
		f := math.Float64frombits(u)
		return u, w, ok && f == f && u != MinusZero
	case st.Elements != 0:
		sec, is := forms.DateSeconds(u, st.Elements)
		u = sec - st.Base
		ok = ok && is
	}
	return u, w, ok && u+st.Rbias <= st.Rspan
}

// readFormed is the number of a HotFormed.
func (st *Step) readFormed(form []byte) (uint64, bool) {
	var room [24]byte
	if st.reversed {
		if len(form) > len(room) {
			return 0, false
		}
		forms.ReverseTo(room[:], form)
		form = room[:len(form)]
	}
	u, ok := forms.Read(st.C.Num.Form, form)
	if st.trunc > 0 {
		ok = ok && u <= MaxInt64 && u%st.trunc == 0 // one before 1970 is left to the component
	}
	return u, ok
}

// readParts is a date with constants between its elements as a number: of "2023-05-16" it
// is 20230516.
func (st *Step) readParts(form []byte) (uint64, bool) {
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

// HotInstant is the instant that lies u units after 1970. The unit is 1 s, 1 ms, 1 µs or
// 1 ns.
func (st *Step) HotInstant(u uint64) time.Time {
	switch st.Per {
	case 1:
		return time.Unix(int64(u), 0).UTC()
	case 1e3:
		return time.Unix(int64(u/1e3), int64(u%1e3)*1e6).UTC()
	case 1e6:
		return time.Unix(int64(u/1e6), int64(u%1e6)*1e3).UTC()
	}
	return time.Unix(int64(u/1e9), int64(u%1e9)).UTC()
}

// ReadText is the length of the text at the start of rest, of a field that stores its text
// as it is, reversed or escaped. It is false for everything that the hot path does not
// read.
func (st *Step) ReadText(rest []byte) (int, bool) {
	n := int(st.Right)
	switch {
	case n > 0:
	case st.Guard == 0:
		if n = len(rest); n < st.Least {
			return 0, false
		}
	default:
		n = -1
		if len(rest) >= 8 { // in two words, which overlap if no more are left
			at, z := 0, forms.ZeroBytes(binary.LittleEndian.Uint64(rest)^st.Xor)
			if z == 0 {
				at = min(8, len(rest)-8)
				z = forms.ZeroBytes(binary.LittleEndian.Uint64(rest[at:]) ^ st.Xor)
			}
			if z != 0 {
				n = at + bits.TrailingZeros64(z)/8
			}
		}
		if n < 0 {
			if n = bytes.IndexByte(rest, byte(st.Xor)); n < 0 {
				return 0, false
			}
		}
		if n < st.Least {
			return 0, false
		}
	}
	end := n + len(st.End)
	return n, end <= len(rest) && (len(st.End) == 0 || rest[n] == st.End[0]) && (len(st.End) <= 1 || string(rest[n+1:end]) == string(st.End[1:]))
}

// Turn changes a text in place as the stages of a HotTurned do. It is false if one of them
// refuses it, or if it has a byte that is not in Chars.
func (st *Step) Turn(text []byte) bool {
	if !st.charsIn(text) {
		return false
	}
	for i := range st.turns {
		if _, err := st.turns[i].Apply(text); err != nil {
			return false
		}
	}
	return true
}

// turnBack undoes Turn.
func (st *Step) turnBack(text []byte) bool {
	for i := len(st.turns) - 1; i >= 0; i-- {
		if _, err := st.turns[i].Apply(text); err != nil {
			return false
		}
	}
	return st.charsIn(text)
}

// charsIn reports that the bytes of a text are all in Chars, if the field has that.
func (st *Step) charsIn(text []byte) bool {
	return st.C.Chars == nil || forms.Outside(st.C.Chars, text) < 0
}

// Listed is the form of a text of a HotListed: the text itself, or its code. It is false for
// a text that is not in the list.
func (st *Step) Listed(v string) (form string, ok bool) {
	if st.C.Codes != nil {
		form, ok = st.C.Codes[v]
		return form, ok
	}
	_, ok = st.C.OneOf[v]
	return v, ok
}

// Shaped reports that ReadShaped reads the field.
func (st *Step) Shaped() bool { return st.Rform >= HotPad || st.Rform == HotReverse }

// readChanged is ReadShaped for a HotReverse, a HotTurned or a HotListed.
func (st *Step) readChanged(rest []byte, room *[forms.UUIDText]byte) (text []byte, n int, ok bool) {
	c := st.C
	if st.Rform != HotListed {
		if n, ok = st.ReadText(rest); !ok || n > len(room) {
			return nil, 0, false
		}
		text = append(room[:0], rest[:n]...)
		if st.Rform == HotReverse {
			forms.Reverse(text)
			return text, n, true
		}
		return text, n, st.turnBack(text)
	}
	if n = c.Extent(rest); n >= 0 && c.Frame == FrameNul {
		n--
	}
	if n < 0 {
		return nil, 0, false
	}
	if text = rest[:n:n]; c.Codes == nil {
		_, ok = c.OneOf[string(text)]
	} else {
		var v string
		if v, ok = c.valueOf[string(text)]; len(v) > len(room) {
			return nil, 0, false
		}
		text = append(room[:0], v...)
	}
	rest = rest[n:]
	return text, n, ok && len(rest) >= len(st.End) && string(rest[:len(st.End)]) == string(st.End)
}

// ReadShaped is the text at the start of rest, and the length n of its form, of a field
// of which Shaped is true. A text that does not stand in the key as it is, is
// written to room. It is false for everything that the hot path does not read.
func (st *Step) ReadShaped(rest []byte, room *[forms.UUIDText]byte) (text []byte, n int, ok bool) {
	if st.Rform >= HotTurned || st.Rform == HotReverse {
		return st.readChanged(rest, room)
	}
	n = int(st.Right)
	if st.Rform == HotLength {
		w := int(st.N)
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
	if n == 0 || n > len(rest) || len(st.End) > 0 && (len(rest)-n < len(st.End) || string(rest[n:n+len(st.End)]) != string(st.End)) {
		return nil, 0, false
	}
	switch st.Rform {
	case HotUUID:
		forms.PutUUID(room, rest)
		text = room[:]
	case HotPad:
		m := n
		for m > 0 && rest[m-1] == byte(st.Rword) {
			m--
		}
		text = rest[:m:m]
	case HotPadLeft:
		m := 0
		for m < n && rest[m] == byte(st.Rword) {
			m++
		}
		text = rest[m:n:n]
	}
	return text, n, len(text) >= st.Least
}

// start is the data for reading the bytes before the first field.
type start struct {
	least, slack uint   // for a key of least to least+slack bytes, Fits can decide
	front, mask  uint64 // the constants among the first 8 bytes of a key, and ff in each of their places
	Lead         int    // the number of bytes before the first field
	Heads        []head // the constants before the first field
	Known        bool   // the number of these bytes never varies
}

// Fits reports that a key has the right constants before the first field, as far as one
// comparison of 8 bytes can tell. If it is false, Begins decides.
func (s *start) Fits(key []byte) bool {
	return uint(len(key))-s.least <= s.slack && (s.mask == 0 || (binary.BigEndian.Uint64(key)^s.front)&s.mask == 0)
}

// head is a constant before the first field, at byte off.
type head struct {
	off int
	lit string
}

// linkStart sets s.Start, if the bytes before the first field always have one length.
func (s *Schema) linkStart() {
	s.Bare, s.Start.least = -1, math.MaxInt
	if s.Loose > 0 || s.ToRead.Op == OpEnd {
		return
	}
	n := 0
	for i := range s.Comps[:s.ToRead.C.Index] {
		c := &s.Comps[i]
		switch {
		case c.Absent:
			continue
		case c.Role == RoleLiteral:
			s.Start.Heads = append(s.Start.Heads, head{n, string(c.Lit)})
			for j := range min(len(c.Lit), max(0, 8-n)) {
				shift := 8 * (7 - n - j)
				s.Start.front |= uint64(c.Lit[j]) << shift
				s.Start.mask |= 0xff << shift
			}
		case !c.Shape.Fixed() || c.Trims:
			return
		}
		n += c.Shape.Min
	}
	s.Start.Lead = n
	switch {
	case s.Start.Heads == nil && (n > 0 || s.minLen > 0):
		s.Start.least, s.Start.slack = uint(n), uint(s.MaxLen-n)
		if n == 0 {
			s.Bare = s.MaxLen
		}
	case s.Start.Heads != nil && n <= 8 && s.MaxLen >= 8: // all constants are in front
		s.Start.least, s.Start.slack = 8, uint(s.MaxLen-8)
	}
	s.Start.Known = true
}

// Begins reports that a key has the right constants before the first field.
func (s *Schema) Begins(key []byte) bool {
	if !s.Start.Known || len(key) < s.Start.Lead {
		return false
	}
	for i := range s.Start.Heads {
		h := &s.Start.Heads[i]
		if string(key[h.off:h.off+len(h.lit)]) != h.lit {
			return false
		}
	}
	return true
}

// linkRead computes the data for reading of all steps. It counts as bytes before a field
// only constants and forms of fixed width. A form that ends itself does not count, since
// in a broken key it may be shorter than any form that we write.
func (s *Schema) linkRead() {
	before := 0
	for i := range s.Comps {
		c := &s.Comps[i]
		if c.Role == RoleField && !c.Absent {
			s.Steps[c.Ord].heatRead(before, max(0, s.leastAfter(i)))
			st := &s.Steps[c.Ord]
			st.Checks = st.checksAll()
			st.Follows = st.follows()
		}
		if !c.Absent && (c.Role == RoleLiteral || c.Shape.Fixed() && !c.Trims) {
			before += c.Shape.Min
		}
	}
}

// leastAfter is the least number of bytes after component i; 0 if nulls can be left off.
func (s *Schema) leastAfter(i int) int {
	if s.Trims {
		return 0
	}
	return s.places[len(s.Comps)].least - s.places[i+1].least
}

// CheckRests checks the salts and hashes that are computed from the bytes after them (rest()),
// in a key whose fields are all read. It is false if one of them is wrong, or if this key
// needs the slow check: Check tells the first that is wrong.
func (s *Schema) CheckRests(key []byte) bool {
	for _, c := range s.Rests {
		off := s.Offset(c)
		if end := off + c.Shape.Min; c.Others() || c.Trims || end >= len(key) || !c.rightRest(key[off:end], key[end:]) {
			return false
		}
	}
	return true
}

// rightRest reports that form is the salt or hash of data.
func (c *Component) rightRest(form, data []byte) bool {
	if c.ByteSalt() {
		n, ok := c.bucketOf(data)
		return ok && form[0] == byte(n)
	}
	var room [digest.MaxSize]byte
	right, ok := c.Compute(room[:0], data)
	return ok && string(form) == string(right)
}

// Differs is the first slot filled by this field whose bytes in the key are not those that
// the value v gives; nil if all are right. n is where the field begins in the key.
func (st *Step) Differs(key []byte, n int, v Val) *Slot {
	for i := range st.Fills {
		f, m := &st.Fills[i], &st.Mixes[i]
		if m.C != nil && m.differs(key, n, v) || m.C == nil && st.derivedDiffers(f, key, v) {
			return f
		}
	}
	return nil
}

// derivedDiffers reports that a slot does not hold what is derived from the value v of this
// field alone.
func (st *Step) derivedDiffers(f *Slot, key []byte, v Val) bool {
	var room [128]byte
	if f.C.Direct {
		value, scratch := v.Text, room[:0]
		if !st.C.IsText() || st.C.Decimal != forms.NoDecimal {
			value = st.C.AppendValue(scratch, v)
			scratch = value[len(value):]
		}
		form, ok := f.C.Compute(scratch, value)
		return !ok || string(form) != string(key[f.Off:f.Off+len(form)])
	}
	if f.C.Role == RoleCopy && !v.Null {
		form, err := f.C.AppendCopy(room[:0], v.Num, v.Text)
		return err != nil || string(form) != string(key[f.Off:f.Off+len(form)])
	}
	vals := [1]Val{v}
	form, _, err := st.S.Derive(room[:0], f.C, Row{Vals: vals[:], Base: st.I}, nil)
	return err != nil || string(form) != string(key[f.Off:f.Off+len(form)])
}

// Agrees reports that what follows the text key[at:at+n] in the key is right, and the salts and
// hashes that the text fills.
func (st *Step) Agrees(key []byte, at, n int) bool {
	text := key[at : at+n : at+n]
	if st.Checks {
		switch {
		case st.Fill == FillByte:
			if key[st.Slot] != byte(st.Salt.Of(digest.Murmur32(0, text))) {
				return false
			}
		case st.OneMix:
			if !st.RightMix(key, at, text, 0) {
				return false
			}
		default:
			if st.Differs(key, at, Val{Text: text, Ok: true}) != nil {
				return false
			}
		}
	}
	return len(st.End) == 0 || string(key[at+n:at+n+len(st.End)]) == string(st.End)
}
