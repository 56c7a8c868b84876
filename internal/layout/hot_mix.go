package layout

import (
	"bytes"
	"encoding/binary"
	"slices"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// A mix is a salt or hash of the values of one or more fields. It is computed when the
// last of these fields is written or read; the values of the earlier fields are read from
// the key. Of values(tenant,id), "acme" and 7 are hashed as 61 63 6d 65 00 00 00 00 00 00
// 00 07.
type mix struct {
	Slot     // of the salt, hash or copy
	Ins      []mixIn
	How      mixHow
	brief    Brief  // of a salt
	text     bool   // it is Summed, of a text
	Size     int    // of Worded and Summed the bytes of the number; 0: it is no such number
	xor      uint64 // is what they are XORed with
	tail     int    // of Stored: how many bytes stand between the form and the next stored field; of a copy that Slides where its form ends, from the field on
	Seed     uint32 // of a salt, as Mod
	Mod      digest.Modulus
	*recount // of Copied, if it is a time in another unit; else nil
}

// recount is how a copy counts a time again.
type recount struct {
	unit  *Step  // its UnitsOf counts in the unit of the copy
	per   uint64 // the units of the field in a second
	nanos uint64 // the nanoseconds in a unit of the field
}

// mixHow is how a mix is computed.
type mixHow uint8

const (
	Streamed mixHow = iota // a salt by murmur3, which takes the values one after the other
	Numbered               // a salt by modulo of the last field
	Worded                 // a salt by murmur3 of a number alone
	Summed                 // any other salt or hash of the value of one field, or of its stored form if that is big-endian bytes
	Stored                 // from any other stored form of a field
	Sliced                 // a copy of the first or the last bytes of a text; Put leaves one that Slides to Form where it is not as long as its slot
	Copied                 // a copy of a number
	Joined                 // the values are put together first, and then hashed
	Derived                // any other copy, and by Derive, from the value of one field
)

// mixIn is an input of a mix: key[from:to]. Each of the two places is counted from the
// start of the key or from the start of the last field, whichever distance is fixed. If one has none,
// PlaceOf finds the input.
type mixIn struct {
	c                *Component
	last             bool // it is the last field: the caller gives its value
	text             bool
	from, to         int
	fromLast, toLast bool   // from, to is counted from the start of the last field
	xor              uint64 // the bytes of a number are XORed with this
	Size             int    // the length of the value as it is hashed
	found            bool   // PlaceOf finds it
	read             mixRead
}

// mixRead is how an input is read that is not the last field.
type mixRead uint8

const (
	asText    mixRead = iota // the bytes of a text, or the value of the last field
	asWord                   // the bytes of a number, XORed
	asStored                 // the stored form
	asDecoded                // the value of the stored form; of the last field more than its bytes
)

// mixOf is the mix of a derived component; false if it is none of one field alone, and a key so far does not have what it
// is computed from.
func (s *Schema) mixOf(c *Component) (mix, bool) {
	m := mix{Slot: s.slotOf(c), brief: c.Brief, Seed: c.Part.Cut.Seed, Mod: c.Mod}
	alone := len(c.Deps) == 1 && !c.late
	if !(alone && s.Cold) && m.linked() {
		return m, true
	}
	m.How, m.Ins = Derived, []mixIn{{c: s.Fields[c.Deps[0]], last: true}}
	return m, alone
}

// linked sets how a mix is computed; false if there is no other way than Derived.
func (m *mix) linked() bool {
	c, s := m.C, m.S
	form, of := ByValues, []*Component{c.Of}
	switch {
	case c.Role == RoleCopy && !c.late:
		return (c.Slides || m.From != Found) && m.copies(c)
	case c.Others():
		return false
	case c.In != nil:
		form, of = c.In.Form, c.In.Comps
	}
	last := s.Fields[c.Needs-1]
	after, next := &s.Places[last.Index+1], &s.Places[s.storedFrom(c.Needs)]
	m.tail = next.Least() - after.Least()
	m.How = c.mixHow((!c.Slides || c.Role == RoleSalt) && !c.late && m.From != Found) // what is AtOnce is written with its last field, and looks for no place
	switch m.How {
	case Stored:
		return after.varying == next.varying
	case Numbered, Worded, Summed:
		if m.text = last.IsText(); form == ByStored {
			m.Size, m.xor = last.asWord()
		} else if last.integer() || last.Kind == KindBool {
			m.Size = last.ValueSize()
		}
		return true
	}
	for _, f := range of {
		in, ok := s.mixInOf(form, f, last)
		if !ok {
			return false
		}
		if in.found || in.read >= asStored {
			m.How = max(m.How, Joined)
		}
		m.Ins = append(m.Ins, in)
	}
	return true
}

// copies reports that a mix is a copy whose form is written at once, in one length, or in that of its slot.
func (m *mix) copies(c *Component) bool {
	var fixed bool // the distance between its form and the field
	m.tail, _, fixed = m.S.standsAt(c.Index+1, m.S.Fields[c.Needs-1].Index)
	if c.part.n > 0 && (c.Slides && fixed || c.Shape.Fixed() && c.Shape.Min == c.part.n) {
		m.How = Sliced
		return true
	}
	m.How, m.recount = Copied, m.S.recountOf(c)
	return c.Plain && c.Shape.Fixed() && c.Shape.Min <= mostCopied && !c.IsText() && c.Unit.Own == nil
}

// mostCopied is the length of the longest form of a number that is Copied.
const mostCopied = 32

// mixHow is how a salt, a hash or a late copy is computed, perhaps at once.
func (c *Component) mixHow(atOnce bool) mixHow {
	if !atOnce && (c.Role == RoleCopy || c.OfNumber()) {
		return Derived
	} else if !atOnce {
		return Joined
	}
	p, f := &c.Part.Cut, c.In.Comps[0]
	murmurs := c.Role == RoleSalt && c.Rule == digest.OfDigest && p.Algorithm == digest.Murmur3 && p.N == 4
	switch {
	case c.OfNumber():
		return Numbered
	case murmurs && (c.In.number() || c.In.single() && f.Kind == KindBool):
		return Worded
	case c.In.Form == ByStored && len(c.In.Comps) == 1 && f.Role == RoleField && !f.Trims:
		if size, _ := f.asWord(); size > 0 {
			return Summed
		}
		return Stored
	case c.In.single() && f.Decimal == forms.NoDecimal && !(murmurs && f.IsText()):
		return Summed
	case !murmurs, c.In.Form > ByText, c.In.Form == ByStored, c.In.Form == ByText && slices.ContainsFunc(c.In.Comps, func(c *Component) bool { return !c.IsText() }):
		return Joined
	}
	return Streamed
}

// AtOnce reports that Put writes the mix.
func (m *mix) AtOnce() bool { return m.How <= Copied }

// A cut is what a copy takes of a text, such as right(4) and reverse: of 13800138000 it is 0008.
type cut struct {
	n      int // so many bytes; 0: it takes something else
	last   bool
	turned bool
}

// slice is what a copy takes of a text, if its form is no more than bytes of it.
func (c *Component) slice() cut {
	f := c.Of
	if c.Role != RoleCopy || !c.IsText() || !f.IsText() || f.Decimal != forms.NoDecimal || f.Optional || c.Optional || c.Trims || c.Others() ||
		c.Header != 0 || c.Limited || c.Null != nil || c.InvertAll {
		return cut{}
	}
	n, last, once, ok := c.Keeps()
	if !ok || !once || c.Frame != NoFrame && (c.Frame != FrameFixed || n != c.Width) || c.Ends == forms.EndSelf {
		return cut{}
	}
	part := cut{n: n, last: last}
	for i := range c.Stages {
		switch c.Stages[i].Word {
		case notation.Reverse:
			part.turned = !part.turned
		case notation.Left, notation.Right:
		default: // it changes the bytes
			return cut{}
		}
	}
	return part
}

// asWord says that the form of a number is so many bytes of it, big-endian, XOR xor; 0 if it is not.
func (c *Component) asWord() (size int, xor uint64) {
	facts := forms.FactsOf(c.Num.Form)
	if c.Plain && c.Shape.Fixed() && c.Shape.Min == facts.Word {
		return facts.Word, facts.Xor
	}
	return 0, 0
}

// recountOf is how a copy counts a time again, which is counted from 1970 in units that divide a second; nil if
// that is not all that makes its form.
func (s *Schema) recountOf(c *Component) *recount {
	u := c.Of.Unit
	if c.Kind != KindTime || !c.Plain || !c.Shape.Fixed() || c.Of.Signed || u.Own != nil || u.Lay != nil || u.Sec != 0 || u.Nsec != 0 || u.Step > time.Second || time.Second%u.Step != 0 {
		return nil
	}
	st := &Step{site: site{C: c, S: s}}
	if st.Span = c.Num.Max - c.Num.Min; !st.heatTime() {
		return nil
	}
	return &recount{st, uint64(time.Second / u.Step), uint64(u.Step)}
}

// copied appends the form of a mix that is Copied.
func (m *mix) copied(dst []byte, u uint64) ([]byte, error) {
	if m.recount != nil {
		if n, ok := m.unit.UnitsOf(u/m.per, u%m.per*m.nanos); ok {
			return forms.Append(m.C.Num.Form, dst, n), nil
		}
	}
	return m.C.AppendCopy(dst, u, nil) // perhaps at the edges
}

// of is the part of a text, before it is turned; of a text that has too few bytes all, and false.
func (c *cut) of(text []byte) ([]byte, bool) {
	switch {
	case len(text) < c.n:
		return text, false
	case c.last:
		return text[len(text)-c.n:], true
	}
	return text[:c.n], true
}

// is reports that form is what is taken of a text.
func (c *cut) is(form, text []byte) bool {
	part, _ := c.of(text)
	if len(part) != len(form) {
		return false
	}
	for i := range part { // most are short: to compare them by a call takes longer
		at := i
		if c.turned {
			at = len(part) - 1 - i
		}
		if part[i] != form[at] {
			return false
		}
	}
	return true
}

// standsPlain reports that the bytes of a text in a key are its value, of one that may not be empty too.
func (c *Component) standsPlain() bool {
	return c.Verbatim() || (c.Frame == FrameNul || c.Frame == NoFrame && c.Filled) && len(c.Stages) == 0 && !c.InvertAll &&
		c.Codes == nil && c.Header == 0 && c.Decimal == forms.NoDecimal
}

// mixInOf is the input f of a mix of such a form; false if its value cannot be read from a key that has it. last is the
// last one.
func (s *Schema) mixInOf(form inputForm, f, last *Component) (mixIn, bool) {
	in := mixIn{c: f, last: f == last, text: f.IsText(), Size: f.ValueSize()}
	if f.Role != RoleField || f.Absent && !in.last || f.Optional {
		return in, false
	}
	if in.read = f.mixRead(form, in.last); s.Cold && in.read != asStored {
		in.read = asDecoded
	}
	if in.last {
		return in, in.read != asStored || s.Places[f.Index+1].varying == s.Places[s.storedFrom(f.Ord+1)].varying
	}
	facts := forms.FactsOf(f.Num.Form)
	in.xor = facts.Xor & forms.Mask(facts.Word)
	var begins, ends bool
	in.from, in.fromLast, begins = s.standsAt(f.Index, last.Index)
	if in.to, in.toLast, ends = s.standsAt(f.Index+1, last.Index); f.Frame == FrameNul && in.read == asText {
		in.to--
	}
	in.found = !begins || !ends
	decodes := f.Vias == 0 && !f.Loose && f.Decimal == forms.NoDecimal
	apart := last.Absent && (in.fromLast || in.toLast) // where last is not stored, constants behind it may be in the key
	return in, (in.read != asDecoded || decodes) && (!in.found || s.finds(f)) && !apart
}

// mixRead is how a field is read of which a mix of such a form is computed.
func (c *Component) mixRead(form inputForm, last bool) mixRead {
	word := forms.FactsOf(c.Num.Form).Word // its bytes, or 0
	switch {
	case form == ByStored && !(last && c.Trims): // else its end may be left off
		return asStored
	case c.Decimal != forms.NoDecimal, c.Kind == KindFloat && (!last || c.Size < 8), c.Kind == KindBool && c.Dialect == InHBase, c.Unit.Lay != nil, c.Signed && !last:
		return asDecoded
	case last, c.IsText() && c.standsPlain():
		return asText
	case word > 0 && form != ByText && form != byFormat && len(c.Stages) == 0 && c.Frame == NoFrame && !c.InvertAll && (c.Kind != KindInt || word == c.Size):
		return asWord
	}
	return asDecoded
}

// formOf is the stored form of an input that is not the last field, or the bytes of a plain text, in a key where the last
// field stands at n; false if another key has been written there. end is that of the input before, then its own; 0: not found.
func (m *mix) formOf(i int, key []byte, n, end int) (form []byte, _ int, ok bool) {
	in, f := &m.Ins[i], m.Ins[i].c
	if !in.found {
		from, to := in.place(n)
		return key[from:to:to], 0, true
	}
	at := -1
	if end > 0 && m.Ins[i-1].c.Index < f.Index {
		at = m.S.placeFrom(m.Ins[i-1].c.Index+1, end, f, key)
	} else {
		at = m.S.PlaceOf(f, key)
	}
	to := -1
	if at >= 0 {
		to = f.Extent(key[at:])
	}
	if to < 0 {
		return nil, 0, false
	}
	to += at
	if end = to; f.Frame == FrameNul && in.read == asText {
		to--
	}
	return key[at:to:to], end, true
}

// place is where the input stands in the key; n is the place of the last field.
func (in *mixIn) place(n int) (from, to int) {
	from, to = in.from, in.to
	if in.fromLast {
		from += n
	}
	if in.toLast {
		to += n
	}
	return from, to
}

// Form is the stored form of a mix, in the memory after scratch or in that of a text. Of a salt or hash that is AtOnce it
// says why Put has refused the value. n is the place of the last field in the key; text or u is its value.
func (m *mix) Form(scratch, key []byte, n int, text []byte, u uint64) (form []byte, err error) {
	if m.How == Joined {
		data, ok := m.join(scratch, key, n, Val{Text: text, Num: u, Ok: true})
		if !ok {
			return nil, ErrShared
		}
		return m.C.Compute(data[len(data):], data)
	}
	if m.How == Derived && !m.Ins[0].last {
		in := &m.Ins[0]
		form, _, ok := m.formOf(0, key, n, 0)
		v := Val{Text: form}
		if ok && in.read != asText {
			v, scratch, err = in.c.Decode(scratch, form)
		}
		if !ok || err != nil { // another key has been written there
			return nil, ErrShared
		}
		scratch, text, u = scratch[len(scratch):], v.Text, v.Num
	}
	if m.C.Role == RoleCopy {
		if m.C.part.n > 0 {
			if part, ok := m.C.partOf(scratch, text); ok {
				return part, nil
			}
		}
		return m.C.AppendCopy(scratch, u, text)
	}
	if m.C.Slides && m.AtOnce() {
		if b, ok := m.Bucket(key, n, text, u); ok {
			return m.C.AppendBucket(scratch, b), nil
		}
	}
	vals := [1]Val{{Text: text, Num: u, Ok: true}}
	form, _, err = m.S.Derive(scratch, m.C, Row{Vals: vals[:], Base: m.C.Deps[0]}, nil)
	return form, err
}

// standsAt is the place where component i begins, counted from the start of the key or, with fromLast,
// from that of the last field, which has the index last. ok is false if neither distance is fixed.
func (s *Schema) standsAt(i, last int) (off int, fromLast, ok bool) {
	at, end := s.Places[i], s.Places[last]
	if at.varying == 0 {
		return at.Least(), false, true
	}
	return at.Least() - end.Least(), true, at.varying == end.varying
}

// Bucket is the bucket of a salt that is AtOnce; false if its rule has none. n is the place of the last field in the key;
// text or u is its value.
func (m *mix) Bucket(key []byte, n int, text []byte, u uint64) (b uint64, ok bool) {
	if m.How == Stored || m.text {
		return m.C.bucketOf(m.data(nil, key, n, text, u))
	} else if m.How != Streamed {
		return m.ofNumber(u)
	} else if len(m.Ins) == 1 {
		return m.Mod.Of(digest.Murmur32(m.Seed, text)), true
	}
	h := digest.NewStream(m.Seed)
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
		switch from, to := in.place(n); {
		case in.text:
			h.Text(key[from:to])
		case to-from == 8:
			h.Word(binary.BigEndian.Uint64(key[from:to])^in.xor, in.Size)
		default:
			h.Word(forms.ReadUint(key[from:to])^in.xor, in.Size)
		}
	}
	return m.Mod.Of(h.Sum()), true
}

// ofNumber is Bucket of a number alone.
func (m *mix) ofNumber(u uint64) (b uint64, ok bool) {
	switch m.How {
	case Numbered:
		return m.Mod.OfLong(u), true
	case Worded:
		return m.Mod.Of(digest.MurmurWord(m.Seed, u, m.Size)), true
	}
	var few [16]byte
	return m.C.bucketOf(m.data(few[:], nil, 0, nil, u))
}

// join appends the values of the inputs. It is false if the key does not hold one. The other arguments are those of
// Form.
func (m *mix) join(dst, key []byte, n int, v Val) (_ []byte, ok bool) {
	begin, mid, end, verbs := len(dst), 0, 0, m.C.In.Verbs
	var w *Verb
	for i := range m.Ins {
		in, f := &m.Ins[i], m.Ins[i].c
		dst, w, verbs = nextVerb(dst, verbs)
		mid = len(dst)
		if in.last && in.read != asStored {
			dst, _ = m.C.In.appendOne(dst, w, f, v) // what stands in the key already
			continue
		}
		var form []byte
		if in.last {
			form = m.form(key, n)
		} else if form, end, ok = m.formOf(i, key, n, end); !ok {
			return dst, false
		}
		switch in.read {
		case asText, asStored:
			dst = append(dst, form...)
		case asWord:
			dst = forms.AppendUint(dst, forms.ReadUint(form)^in.xor, in.Size)
		case asDecoded:
			if dst, ok = m.C.In.appendDecoded(dst, w, f, form); !ok {
				return dst, false
			}
		}
	}
	if m.C.In.Form == byMinMax {
		a, b, c := dst[begin:mid], dst[mid:], m.C.In.Comps[0]
		signed := (c.Kind == KindInt || c.Signed) && a[0]>>7 != b[0]>>7 // else they sort as their bytes do
		if string(b) < string(a) != signed {
			forms.Rotate(dst[begin:], mid-begin)
		}
	}
	dst, _, _ = nextVerb(dst, verbs)
	return dst, true
}

// appendDecoded is appendOne of the value of a stored form; false for one that holds none.
func (in *source) appendDecoded(dst []byte, w *Verb, c *Component, form []byte) (_ []byte, ok bool) {
	if c.IsText() {
		dst, err := c.decodeText(dst, form)
		return dst, err == nil
	}
	u, err := c.DecodeNum(form)
	if err != nil {
		return dst, false
	}
	dst, err = in.appendOne(dst, w, c, Val{Num: u})
	return dst, err == nil
}

// Put writes a mix that is AtOnce to its place in the key, and gives how many bytes shorter the key then is. The arguments are
// those of Bucket. It is negative for a text, or a time, that a copy or a hash refuses, and if Form must say what is written.
func (m *mix) Put(key []byte, n int, text []byte, u uint64) (less int) {
	at := m.Off // usual: At takes a call more
	if m.From != FromStart {
		at = m.At(key, n)
	}
	err, ok := error(nil), true
	switch {
	case m.C.Slides:
		return m.slide(key, at, n, text, u)
	case m.How == Copied:
		_, err = m.copied(key[:at], u)
	case m.How == Sliced:
		var part []byte
		if part, ok = m.C.part.of(text); ok && m.C.part.turned {
			forms.ReverseTo(key[at:], part)
		} else if ok {
			copy(key[at:], part)
		}
	case m.C.Role == RoleHash:
		var few [16]byte
		_, err = m.C.Compute(key[:at], m.data(few[:], key, n, text, u))
	case m.C.Role == RoleSalt:
		var b uint64
		if b, ok = m.Bucket(key, n, text, u); ok {
			m.PutBucket(key, at, b)
		}
	}
	if err != nil || !ok {
		return -1
	}
	return 0
}

// slide is Put of a mix that Slides. The slot is made as long as the form. It is negative for a form that is longer, or holds its
// separator, and if the slot is not empty. Of longer separators Form and Room say.
func (m *mix) slide(key []byte, at, n int, text []byte, u uint64) (less int) {
	var few [20]byte
	form, mark, room := few[:0], m.C.Mark, m.C.Empty
	if at < 0 || len(mark) != 1 || bytes.IndexByte(key[at:], mark[0]) != room {
		return -1
	}
	if m.How == Sliced {
		form, _ = m.C.part.of(text)
		if bytes.IndexByte(form, mark[0]) >= 0 {
			return -1
		}
	} else if b, ok := m.Bucket(key, n, text, u); ok {
		form = m.C.AppendBucket(form, b) // Build refuses a separator of digits
	} else {
		return -1
	}
	if less = room - len(form); less > 0 {
		copy(key[at+len(form):], key[at+room:])
	}
	if less >= 0 && m.C.part.turned {
		forms.ReverseTo(key[at:], form)
	} else if less >= 0 {
		copy(key[at:], form)
	}
	return less
}

// PutBucket writes a bucket at byte at of a key.
func (m *mix) PutBucket(key []byte, at int, b uint64) {
	switch f := &m.brief; f.Size {
	case 1:
		key[at] = byte(f.Word(b))
	case 2:
		binary.BigEndian.PutUint16(key[at:], uint16(f.Word(b)))
	default:
		m.C.AppendBucket(key[:at], b)
	}
}

// data is what a mix that is Summed or Stored is computed from. A number is written to room.
func (m *mix) data(room, key []byte, n int, text []byte, u uint64) []byte {
	switch {
	case m.text:
		return text
	case m.How == Stored:
		return m.form(key, n)
	case m.Size > 0: // most are integers
		binary.BigEndian.PutUint64(room, (u^m.xor)<<(64-8*m.Size))
		return room[:m.Size]
	}
	return m.C.In.Comps[0].AppendNumber(room[:0], u)
}

// form is the stored form of the last field, which stands at n, in a key that has the bytes up to the next
// stored field.
func (m *mix) form(key []byte, n int) []byte {
	end := len(key) - m.tail
	return key[n:end:end]
}

// Right reports that the bytes of a mix are those that the values give. The arguments are those of Bucket.
func (m *mix) Right(key []byte, n int, text []byte, u uint64) bool {
	form, ok := m.stored(key, n)
	switch {
	case !ok:
		return false
	case !m.AtOnce():
		var room [256]byte
		if m.How == Joined { // without its form
			data, ok := m.join(room[:0], key, n, Val{Text: text, Num: u, Ok: true})
			return ok && m.C.Right(form, data)
		}
		want, err := m.Form(room[:0], key, n, text, u)
		return err == nil && string(want) == string(form)
	case m.How == Sliced:
		return m.C.part.is(form, text)
	case m.How == Copied:
		var room [mostCopied]byte
		want, err := m.copied(room[:0], u)
		return err == nil && string(want) == string(form)
	case m.C.Role == RoleHash:
		var few [16]byte
		return m.C.Right(form, m.data(few[:], key, n, text, u))
	}
	b, ok := m.Bucket(key, n, text, u)
	return ok && m.hasBucket(form, b)
}

// hasBucket reports that a form is that of a bucket.
func (m *mix) hasBucket(form []byte, b uint64) bool {
	switch f := &m.brief; f.Size {
	case 1:
		return form[0] == byte(f.Word(b))
	case 2:
		return binary.BigEndian.Uint16(form) == uint16(f.Word(b))
	}
	return m.C.HasBucket(form, b)
}

// stored is the form in the slot, in a key that has the bytes up to the next field; false if there is none. n is that
// of At.
func (m *mix) stored(key []byte, n int) (form []byte, ok bool) {
	at := m.Off // as in Put
	if m.From != FromStart && m.C.Slides {
		at = m.find(key, n)
	} else if m.From != FromStart {
		at = m.At(key, n)
	}
	to := at + m.C.Shape.Min
	if m.C.Slides && m.How == Sliced {
		to = n + m.tail
	} else if m.C.Slides && at >= 0 {
		to = at + m.C.Extent(key[at:])
	}
	if at < 0 || to < at {
		return nil, false
	}
	return key[at:to], true
}

// PutSalt writes the salt of the number u, which is the OneSalt. It is false if its rule has none.
func (st *Step) PutSalt(key []byte, u uint64) bool {
	m, b, ok := &st.Mixes[0], uint64(0), true
	if m.How == Numbered { // here: ofNumber takes a tenth of the time of such a key
		b = m.Mod.OfLong(u)
	} else {
		b, ok = m.ofNumber(u)
	}
	if f := &m.brief; ok && f.Size == 1 { // here, too
		key[m.Off] = byte(f.Word(b))
	} else if ok {
		m.PutBucket(key, m.Off, b)
	}
	return ok
}

// HasSalt reports that a key holds the salt of the number u.
func (st *Step) HasSalt(key []byte, u uint64) bool {
	m, b, ok := &st.Mixes[0], uint64(0), true
	if m.How == Numbered { // here, as in PutSalt
		b = m.Mod.OfLong(u)
	} else {
		b, ok = m.ofNumber(u)
	}
	if f := &m.brief; f.Size == 1 { // here, too
		return ok && key[m.Off] == byte(f.Word(b))
	}
	return ok && m.hasBucket(key[m.Off:m.Off+m.C.Shape.Min], b)
}

// Checked reports that the field fills salts, hashes or copies, which are checked when it is read.
func (st *Step) Checked() bool { return len(st.Mixes) > 0 && st.S.Loose == 0 }

// Differs is the first slot filled by this field whose bytes in the key are not those that
// its value gives, a text or a number; nil if all are right. n is where the field begins in the key, the bytes up to
// the next field.
func (st *Step) Differs(key []byte, n int, text []byte, u uint64) *Slot {
	for i := range st.Mixes {
		m := &st.Mixes[i]
		if !m.Right(key, n, text, u) {
			return &m.Slot
		}
	}
	return nil
}

// usual is the length of a usual form of a component that slides, if its slot stands before the field f; else the least.
func (c *Component) usual(f *Component) int {
	switch {
	case c.Index > f.Index:
		return c.Shape.Min
	case c.part.n > 0:
		return max(c.Shape.Min, min(c.part.n, 2*usualText)) // of most texts the copy is not longer: what follows it moves to the left
	case c.Role == RoleSalt && c.SaltForm == SaltDecimal && c.Vias == 0:
		return forms.DigitsLen(c.Buckets - 1)
	}
	return c.Shape.Min
}

// Slack is how many bytes more than its shortest form the slot of a component has while it is empty: 2 of
// a copy left(2) that may be empty.
func (c *Component) Slack() int { return max(0, c.Empty-c.Shape.Min) }

// Room is how many bytes of a key the slot at byte at has while it is empty. ahead says that it stands before the last of
// its fields: then it is false if the slot was filled before, and what follows it may have moved.
func (c *Component) Room(key []byte, at int, ahead bool) (room int, ok bool) {
	if room = c.Empty; at < 0 || at+room > len(key) {
		return 0, false
	}
	return room, !ahead || !c.Slides || bytes.Index(key[at:], c.Mark) == room
}

// partOf is the form of a copy of bytes of a text, in the memory of the text or after scratch; false for one that refuses
// the text.
func (c *Component) partOf(scratch, text []byte) (part []byte, ok bool) {
	if part, ok = c.part.of(text); !ok && (c.Frame == FrameFixed || c.Filled && len(part) == 0) {
		return nil, false
	}
	if c.part.turned {
		part = append(scratch, part...)
		forms.Reverse(part)
	}
	return part, len(c.Mark) == 0 || forms.Marks(part, c.Mark)
}
