package walk

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/mem"
)

// A Step is how a Reader reads one stored field. Usual fields have a lane: the Reader reads them
// by the step's first data, which lie in a line of the processor's cache, without a call. All others,
// and what a lane does not read, are read by the field's op. What neither reads is left to the
// component, such as a null and each fault.
type Step struct {
	Lane       Lane
	Alone      bool // of a word's lane: nothing but its limits is to be compared: none of Tailed, Modulo and More; of LaneText: neither More nor Changed
	Marked     bool // of a word's lane: nothing but its limits and the byte Tail is to be compared
	Checks     bool // the salts, hashes and copies that the field fills are checked as soon as it is read
	More       bool // of a lane: more is to be compared once the value is known: what stands behind it, its salt or its Truncate
	Tailed     bool // of a lane: the byte Tail follows the value
	Padded     bool // of LaneText: it is filled up behind by the byte of Word
	Changed    bool // of LaneText: the text is its bytes in reverse order, or what they stand for, as of Listed
	Raw        bool // of LaneFloat: its bits are written as they are
	Millis     bool // of a time: it is counted in milliseconds; if not, see Per and Long
	Sealed     bool // of LaneText: the text fills one salt by murmur3 before it, in one byte, and nothing else is to be compared
	Tail       uint8
	Head       uint8  // of a lane, with More: the byte before a word of 8 bytes; 0: none
	Width      uint8  // of a text its stored length, if that is fixed; of LaneBool what its byte is multiplied by
	Size       int    // the length of the form, if all have one; of a text in a lane that of End, or the gap if that is mixed
	Word       uint64 // of a word what it is XORed with; of a text the byte that ends it, in each byte
	Mask       uint64 // the bits of a word
	Bias, Span uint64 // value+Bias <= Span is the only check: of a word's limits, or of a text's length
	Half       uint64 // 80 00 for an Int in two bytes: the word is value + Half; of a Float, which a lane reads as the first bytes of a word, what is added to its bits
	Next       *Step  // of the next stored field

	Sure       bool            // of LaneEnd: nothing of a key is left to check
	mixed      bool            // more than constants stands up to the next stored field
	marks      []mark          // these constants
	word, mask uint64          // of up to 8 such bytes: load&mask is word, of the 8 bytes that end with them
	Modulo     *digest.Modulus // of a lane: the number's salt, which stands before it and is brief; nil: it is compared if Checks
	Slot       int             // where it stands
	brief      layout.Brief
	short      uint8  // the bits of two bytes that are not its own
	Gap        int    // the bytes that stand between the field and the next stored one; -1 if they vary
	End        string // what follows the value: of a text its own end, then the constants up to the next stored field
	C          *layout.Component
	S          *layout.Schema
	Per        uint64 // of a time the units in a second; 0 if this is no whole number
	Long       uint64 // of a time the seconds in its unit; 0 if these are no whole seconds
	Epoch      int64  // of a time the second from which it counts
	MayNull    bool   // a Reader has asked for Null
	Asked      *Step  // this step, with MayNull, for a Reader that has asked for Null
	Err        error  // of LaneBad

	op    *op
	fills *layout.Step // what the field fills
	w     *Layout
}

// mark is a constant at a place of a gap.
type mark struct {
	at   int
	text string
}

// Lane says how a Reader reads a field without a call.
type Lane uint8

const (
	NoLane   Lane = iota
	LaneText      // a text as it is; a Reader reads up to 16 bytes of it
	LaneUint      // a Uint in a word
	LaneInt
	LaneTime
	LaneFloat // a Float
	LaneBool  // a Bool
	LaneEnd   // no field is left
	LaneBad   // an error happened
)

// BadStep is the step of a key with an error; no field can follow.
func BadStep(s *layout.Schema, err error) *Step {
	return &Step{Lane: LaneBad, S: s, Err: err}
}

// Knows reports that the field with this number has an op of its own.
func (w *Layout) Knows(field int) bool {
	return w.ops[w.s.Fields[field].Index].what != other
}

// link makes the steps.
func (w *Layout) link() {
	s := w.s
	end := &Step{Lane: LaneEnd, S: s, w: w}
	next, stored := end, len(s.Comps)
	w.steps = make([]Step, len(s.Fields))
	for i := len(s.Comps) - 1; i >= 0; i-- {
		c := &s.Comps[i]
		if c.Absent || c.Role != layout.RoleField {
			continue
		}
		st := &w.steps[c.Ord]
		*st = Step{C: c, S: s, op: &w.ops[i], w: w, fills: &s.Steps[c.Ord], Next: next}
		st.linkTail(s.Comps[i+1 : stored])
		st.Checks = st.fills.Checked()
		st.linkLane()
		if c.Optional {
			asked := *st
			asked.MayNull = true
			st.Asked = &asked
		}
		next, stored = st, i
	}
	w.First = next
	w.linkSure(end)
	w.told = s.Known && (end.Sure || w.rests)
}

// linkSure notes whether the steps check all salts, hashes and copies, or all but those that are
// computed from the rest of the key.
func (w *Layout) linkSure(end *Step) {
	end.Sure = w.First != end
	w.rests = end.Sure && !w.s.Cold && !w.s.Gathered && w.s.Loose == 0
	for _, c := range w.s.Derived {
		width := c.Shape.Fixed() && c.Ends == forms.EndWidth // else more bytes may stand there than were compared
		if c.Absent || !c.Rest && (width || c.Slides) && w.checked(c) || c.Hidden && width && !c.Guarded() {
			continue
		}
		end.Sure, w.rests = false, w.rests && (c.Rest || c.Hidden && width)
	}
}

// checked reports that a salt, hash or copy is checked once the field is read with which it is written.
func (w *Layout) checked(c *layout.Component) bool { return w.steps[c.Needs-1].Checks }

// linkTail sets what stands between the field and the next stored one.
func (st *Step) linkTail(comps []layout.Component) {
	for i := range comps {
		c := &comps[i]
		if c.Absent {
			continue
		}
		if st.mixed = st.mixed || c.Derived(); c.Role == layout.RoleLiteral {
			st.marks = append(st.marks, mark{st.Gap, string(c.Lit)})
			st.End += string(c.Lit)
		}
		if c.Ends != forms.EndWidth || c.Trims || c.Optional {
			st.Gap = -1
			return
		}
		st.Gap += c.Shape.Min
	}
	if st.Gap <= 8 {
		var gap, care [8]byte
		for _, m := range st.marks {
			from := 8 - st.Gap + m.at
			copy(gap[from:], m.text)
			copy(care[from:from+len(m.text)], "\xff\xff\xff\xff\xff\xff\xff\xff")
		}
		st.word, st.mask = binary.LittleEndian.Uint64(gap[:]), binary.LittleEndian.Uint64(care[:])
	}
}

// kindLanes are the lanes of words.
var kindLanes = [...]Lane{
	layout.KindUint: LaneUint, layout.KindInt: LaneInt, layout.KindTime: LaneTime, layout.KindFloat: LaneFloat, layout.KindBool: LaneBool,
}

// linkLane sets the lane of a field.
func (st *Step) linkLane() {
	o, c, n := st.op, st.C, len(st.End)
	if o.what == text || o.what == listed && !st.Checks {
		if !c.Trims && (!st.mixed || st.Gap > 0 && o.bare()) { // a lane knows one end
			st.linkText()
		}
		return
	}
	if u := c.Unit; c.Kind == layout.KindTime && u.Own == nil && u.Nsec == 0 {
		st.Epoch = u.Sec
		st.Millis = u.Lay == nil && u.Step == time.Millisecond
		if u.Lay != nil { // its values are seconds
			st.Long = 1
		} else if u.Step%time.Second == 0 { // first: a division by a Per of 1 takes long
			st.Long = uint64(u.Step / time.Second)
		} else if time.Second%u.Step == 0 {
			st.Per = uint64(time.Second / u.Step)
		}
	}
	st.Size, st.Word, st.Mask, st.Half, st.Bias, st.Span = o.n, o.xor, o.mask, o.half, o.bias, o.span
	f, isBool := c.Num.Form.(*forms.Bool)
	if isBool { // HBase's true is ff, and ff·ff is 01 in one byte
		st.Word, st.Width = uint64(f.Xor), f.True
	}
	if o.float != nil {
		up := (8 - o.n) * 8 & 63
		st.Word, st.Half, st.Raw = o.xor<<up, o.float.Add<<up, o.float.Raw
	}
	salt := st.Checks
	if st.Salted() {
		if m := &st.fills.Mixes[0]; m.How == layout.Numbered && m.C.Brief.Size > 0 && m.C.Index < c.Index { // else the key may end before it
			st.Modulo, st.Slot, salt = &m.Mod, m.Off, false
			st.brief, st.short = m.C.Brief, 16-8*m.C.Brief.Size
		}
	}
	st.More, st.Head = salt || st.Gap > 1 || st.mixed || o.trunc > 1 || o.head != 0, o.head
	if (o.what == word || o.what == number && isBool) && !o.reversed && st.Gap >= 0 && (!st.Checks || st.Salted()) {
		st.Lane = kindLanes[c.Kind]
		if (o.float != nil || isBool) && (st.Checks || st.More || c.Unsigned) {
			st.Lane = NoLane
		}
	}
	if st.Tailed = n > 0 && !st.mixed; st.Tailed {
		st.Tail = st.End[0]
	}
	st.Alone = !st.More && !st.Tailed && st.Modulo == nil
	st.Marked = !st.More && st.Tailed && st.Modulo == nil
}

// linkText is linkLane for a text. What follows it is compared at once with its end.
func (st *Step) linkText() {
	o, c := st.op, st.C
	st.Bias, st.Span = -uint64(o.least), uint64(o.most-o.least)
	if st.Changed = o.turned == reversal || o.what == listed; o.what == listed {
		st.Bias, st.Span = 0, math.MaxUint64
	}
	switch {
	case o.turned > reversal, o.turned == reversal && st.Checks, o.chars != nil, o.head != 0:
	case (c.Frame == layout.FrameFixed || o.what == listed && o.n > 0) && o.end == forms.EndWidth && o.n <= math.MaxUint8:
		st.Lane, st.Width = LaneText, uint8(o.n)
	case c.Frame == layout.FramePad && o.end == forms.EndWidth && c.Width <= math.MaxUint8:
		st.Lane, st.Width, st.Word, st.Padded = LaneText, uint8(c.Width), uint64(o.pad), true
	case c.Frame == layout.FrameNul:
		st.Lane, st.End = LaneText, "\x00"+st.End
	case c.Frame == layout.FrameEscaped:
		st.Lane, st.End = LaneText, "\x00\x01"+st.End
	case o.bare() && o.end == forms.EndMarked:
		st.Lane, st.Word = LaneText, uint64(o.lit[0])*forms.EachByte
	case o.bare() && o.end == forms.EndLast && st.End == "":
		st.Lane = LaneText
	}
	if st.Size = len(st.End); st.mixed {
		st.Size = st.Gap
	}
	if st.Tailed = st.Width > 0 && st.Size > 0 && !st.mixed; st.Tailed {
		st.Tail = st.End[0]
	}
	st.Sealed = st.Checks && !st.mixed && st.Size <= 1 && st.fills.Fill == layout.FillByte
	st.More = st.Checks || st.Size > 1
	st.Alone = !st.More && !st.Changed
}

// Value is the number of a word that a lane has loaded, which may be outside of the limits. It is inlined.
func (st *Step) Value(word uint64) uint64 { return (word^st.Word)&st.Mask - st.Half }

// Beyond is where the next field begins after a number that ends at end, in a lane; negative if another byte
// follows. Of a longer constant Past compares the rest. It is inlined, and calls nothing.
func (st *Step) Beyond(key []byte, end int) int {
	if st.Tailed && (uint(end) >= uint(len(key)) || key[end] != st.Tail) {
		return -1
	}
	return end + st.Gap
}

// Bucket is the bytes that a key has in the slot of Modulo, as a number. It is inlined, as OfModulo.
func (st *Step) Bucket(key []byte) uint64 {
	return uint64(binary.BigEndian.Uint16(key[st.Slot:])) >> (st.short & 63)
}

// OfModulo is what Bucket is if the salt is that of the number u.
func (st *Step) OfModulo(u uint64) uint64 { return st.brief.Word(st.Modulo.OfLong(u)) }

// HasSalt reports that a key holds the salt of the number u, which is Salted. It is inlined. The key must reach over a salt
// that stands behind the number: Past compares that.
func (st *Step) HasSalt(key []byte, u uint64) bool { return st.fills.HasSalt(key, u) }

// Past is where the next field begins, after the constants, salts, hashes and copies that follow the form that
// ends at end; negative if what follows is another constant. It is inlined.
func (st *Step) Past(key []byte, end int) int {
	if st.Gap == 0 {
		return end
	}
	return st.past(key, end)
}

// past is Past where something stands. Most constants have one byte or two: to compare them by a call takes longer.
func (st *Step) past(key []byte, end int) int {
	if st.Gap < 0 {
		next, err := st.S.Skip(key, end, st.C.Index+1)
		if err != nil {
			return -1
		}
		return next
	}
	next := end + st.Gap
	if next > len(key) {
		return -1
	}
	if st.mask != 0 && next >= 8 {
		if (binary.LittleEndian.Uint64(key[next-8:next])^st.word)&st.mask != 0 {
			return -1
		}
		return next
	}
	for i := range st.marks {
		m := &st.marks[i]
		for j := range len(m.text) {
			if key[end+m.at+j] != m.text[j] {
				return -1
			}
		}
	}
	return next
}

// Loads reports that the number is a word as it stands, perhaps behind Head, of which no more is to be checked than its
// limits and the salt of Salted.
func (st *Step) Loads() bool {
	return (st.op.loads || st.Head != 0 && st.Lane != NoLane && st.op.trunc <= 1) && (!st.Checks || st.Salted())
}

// Salted reports that the number fills one salt before it, and nothing else.
func (st *Step) Salted() bool { return st.Checks && st.fills.OneSalt }

// Num is the number of the field at pos, and where the next field begins. It is false for what
// the component must judge, such as a salt of another value.
func (st *Step) Num(key []byte, pos int) (u uint64, next int, ok bool) {
	if u, next, ok = st.op.takeNum(key, pos); ok {
		next = st.Past(key, next)
	}
	if !ok || next < 0 {
		return 0, 0, false
	}
	return u, next, !st.Checks || st.Holds(key[:next], pos, nil, u)
}

// Reads reports that the field has one length, and that Num reads it: a number, or a text as of Shared.
func (st *Step) Reads() bool {
	return st.op != nil && st.op.end == forms.EndWidth && (st.op.what == word || st.op.what == number || st.Shares() && !st.Checks)
}

// Wide is the length of the field's form, if all have one.
func (st *Step) Wide() int { return st.op.n }

// Text is Num for a text: a part of key, or appended to room, or in memory that no one changes.
func (st *Step) Text(key []byte, pos int, room []byte) (value []byte, next int, ok bool) {
	switch o := st.op; o.what {
	case text:
		from, upto := 0, 0
		if from, upto, next, ok = o.takeText(key, pos); !ok {
			return nil, 0, false
		}
		if value = key[from:upto:upto]; o.turned != notTurned {
			value, ok = o.turnBack(room, value)
			value = value[len(room):]
		}
	case listed:
		var v cell
		if v, next, ok = o.takeListed(key, pos); ok {
			value = partOf(v, st.w.lists)
		}
	}
	if ok {
		next = st.Past(key, next)
	}
	if !ok || next < 0 {
		return nil, 0, false
	}
	return value, next, !st.Checks || st.Holds(key[:next], pos, value, 0)
}

// Bare is the bytes of a text in the key, which Unturn makes the text, and the place of the next field. It is false for a
// text that is stored in any other way, and for one whose salt is to be checked.
func (st *Step) Bare(key []byte, pos int) (form []byte, next int, ok bool) {
	o := st.op
	if o.what != text || o.turned > inverted || o.chars != nil || st.Checks {
		return nil, 0, false
	}
	from, upto, next, ok := o.takeText(key, pos)
	if ok {
		next = st.Past(key, next)
	}
	return key[from:upto], next, ok && next >= 0 && (o.turned != inverted || o.fits(key[from:upto])) // what is inverted is as long
}

// Unturn writes the text of the bytes of Bare to dst, which has their length.
func (st *Step) Unturn(dst, form []byte) {
	if st.op.turned == reversal {
		forms.ReverseTo(dst, form)
		return
	}
	if copy(dst, form); st.op.turned == inverted {
		forms.Invert(dst)
	}
}

// Turned reports that Text may append to room.
func (st *Step) Turned() bool { return st.op.turned != notTurned }

// Shares reports that the values of the field are listed: Text gives them in memory that no one changes, and Cells
// has them by Shared.
func (st *Step) Shares() bool { return st.op != nil && st.op.what == listed }

// Listed is Num of the form of a field that Shares.
func (st *Step) Listed(form []byte) (u uint64, ok bool) { return st.op.listed(form) }

// Shared is the text that Num has read, in memory that no one changes.
func (st *Step) Shared(u uint64) string { return mem.Text(partOf(u, st.w.lists)) }

// Holds reports that the salts, hashes and copies that the field fills are those of its value,
// a text or a number, which stands at pos of key, the bytes up to the next field.
func (st *Step) Holds(key []byte, pos int, text []byte, num uint64) bool {
	switch f := st.fills; {
	case f.Fill == layout.FillByte:
		return st.Seals(key, text)
	case f.OneSalt:
		return f.HasSalt(key, num)
	case len(f.Mixes) == 1:
		return f.Mixes[0].Right(key, pos, text, num)
	}
	return st.fills.Differs(key, pos, text, num) == nil
}

// Seals is Holds of a text that is Sealed.
func (st *Step) Seals(key, text []byte) bool {
	f := st.fills
	return key[f.Slot] == byte(f.Salt.Of(digest.Murmur32(0, text)))
}

// Wrong is the first slot that Holds finds wrong.
func (st *Step) Wrong(key []byte, pos int, v layout.Val) *layout.Slot {
	return st.fills.Differs(key, pos, v.Text, v.Num)
}

// Agrees reports that what follows the text key[pos:pos+n] of a lane up to end is right, and what the text fills.
func (st *Step) Agrees(key []byte, pos, n, end int) bool {
	right := st.mixed && st.past(key, end-st.Size) >= 0 || !st.mixed && string(key[end-st.Size:end]) == st.End
	return right && (!st.Checks || st.Holds(key[:end], pos, key[pos:pos+n:pos+n], 0))
}

// Rest checks what is left to check of a key whose fields are all read. It is false if the component must judge.
func (st *Step) Rest(key []byte) bool {
	w := st.w
	if w.rests {
		return w.s.CheckRests(key)
	}
	var places [layout.FewSpans]uint16
	return w.Decode(key, w.s.Spans(places[:]), true)
}

// Step is the step of the field with this number; the zero step if it is not stored.
func (w *Layout) Step(field int) *Step { return &w.steps[field] }

// Numbers reports that all that stands in a key besides its fields is checked: by the steps, by Begins or by
// CheckRests. Whether its fields are numbers, their steps say.
func (w *Layout) Numbers() bool { return w.told }

// Float is the bits of a Float whose word is u.
func (st *Step) Float(u uint64) uint64 { return st.op.float.Bits(u) }

// Instant is the instant of the value u of a Time.
func (st *Step) Instant(u uint64) time.Time {
	switch {
	case int64(u) < 0: // it may lie before 1970
	case st.Millis:
		return st.Milli(u)
	case st.Per != 0:
		return time.Unix(st.Epoch+int64(u/st.Per), int64(u%st.Per*(1e9/st.Per))).UTC()
	case st.Long != 0:
		return time.Unix(st.Epoch+int64(u*st.Long), 0).UTC()
	}
	return st.C.AsTime(u)
}

// Milli is Instant of a time that is in milliseconds, and not negative.
func (st *Step) Milli(u uint64) time.Time {
	return time.Unix(st.Epoch+int64(u/1e3), int64(u%1e3)*1e6).UTC()
}
