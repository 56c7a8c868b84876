package walk

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/mem"
)

// A Step is how a Reader reads one stored field. Usual fields have a lane: the Reader reads them
// by the step's data, without a call. All others, and what a lane does not read, are read by the
// field's op. What neither reads is left to the component, such as a null and each fault.
type Step struct {
	LaneData
	Sure  bool           // of LaneEnd: nothing of a key is left to check
	mixed bool           // more than constants stands up to the next stored field
	own   uint8          // so many bytes of End are the text's: 00, or 00 01
	Gap   int            // the bytes that stand between the field and the next stored one; -1 if they vary
	Slot  uint16         // of a FillByte the place of the salt
	Salt  digest.Modulus // of the same
	Per   uint64         // of a time whose unit counts from 1970 the units in a second; else 0
	Least int            // of a text its least length
	End   string         // what follows the value: of a text its own end, then the constants up to the next stored field
	C     *layout.Component
	S     *layout.Schema
	*stepMore

	op    *op
	fills *layout.Step // what the field fills
	w     *Layout
}

// stepMore is the data that few steps need.
type stepMore struct {
	Long  uint64 // of a time whose unit does not divide a second the seconds in it; 0 if these are no whole seconds
	Since uint64 // of a time that does not count from 1970 the units in a second; 0 if these are no whole number
	Epoch int64  // of both the second from which it counts
	Asked *Step  // this step, with MayNull, for a Reader that has asked for Null
	Err   error  // of LaneBad
	marks []mark // the constants in the gap, if it is mixed
}

// noMore is the stepMore of a step that needs none of it. Nobody writes there.
var noMore stepMore

// mark is a constant at a place of a gap.
type mark struct {
	at   int
	text string
}

// LaneData is the data of a step's lane, in a line of the processor's cache. A number of up to 8
// bytes is read by one load of 8 bytes. They end with the number; if the key has too few bytes
// before the number, they begin with it.
type LaneData struct {
	Lane       Lane
	Load       Lane   // of a number that is read by this data: by Lane, or by Num if more is to be done
	Checks     bool   // the salts, hashes and copies that the field fills are checked as soon as it is read
	MayNull    bool   // a Reader has asked for Null
	Follows    Follow // what is to be compared once the end of the form is known
	Tail       uint8  // of ByteFollows and SaltFollows that byte
	Cell       uint8  // the number of the field
	Right      uint8  // of LaneUintAt the bits after the number in its load; of LaneHead and LaneFloats the header; of LaneBool what its byte is multiplied by; of a text its stored length, if fixed
	Size       int    // the length of a number; of a text that of End, or of all that stands there if the step is mixed
	Word       uint64 // the load is XORed with this: Desc, the sign; of a text the byte that ends or pads it, in each byte
	Mask       uint64 // the bits of the number in the load
	Bias, Span uint64 // value+Bias <= Span is the only check: of a number's limits, or of a text's length
	Half       uint64 // 80 00 for an Int in two bytes: the load XOR Word is value + Half; of LaneHeaded the header
	Next       *Step  // of the next stored field
}

// Lane says how a Reader reads a field without a call.
type Lane uint8

const (
	NoLane      Lane = iota
	LaneText         // a text as it is; a Reader reads up to 16 bytes of it
	LanePad          // a text that is padded on the right
	LanePadLeft      // a text that is padded on the left
	LaneHeaded       // a text as it is, after a header
	LaneReverse      // a text that is reversed: of one length, or up to its end
	LaneInvert       // a text of one length that is inverted
	LaneLong         // a longer text of one length
	LaneListed       // a text of OneOf, or the code of one
	LaneUint         // a Uint of 1 to 8 bytes
	LaneUintAt       // the same at the start of the 8 bytes that are loaded
	LaneInt          // an Int
	LaneTime         // a Time, from 1970 on if it may lie before that
	LaneFloat        // a Float of 8 bytes
	LaneBool         // a Bool; a Load of any number in one byte
	LaneFew          // a number with too few bytes around it for a load, as far as Build knows
	LaneHead         // a number after a header
	LaneFloats       // any other Float
	LaneDigits       // a number in digits of one width: Mask is 10ⁿ−1 if they are complemented, else 0
	LaneSealed       // a Uint or a Time that is SaltFollows; Load says how it is read
	LaneEnd          // no field is left
	LaneBad          // an error happened
)

// Follow says what is to be compared once the end of a text or a number is known.
type Follow uint8

const (
	NothingFollows Follow = iota // nothing: to find the end, its separator was compared
	SaltFollows                  // of a text: one salt by murmur3 of it, in one byte; of a number: its OneSalt, and perhaps one byte of a constant
	ByteFollows                  // of a number, or a text of one length: one byte of a constant, such as '_'
	BytesFollow                  // a constant of more bytes
	AnyFollows                   // what Agrees compares; of a number what Num does
)

// BadStep is the step of a key with an error; no field can follow.
func BadStep(s *layout.Schema, err error) *Step {
	return &Step{LaneData: LaneData{Lane: LaneBad}, S: s, stepMore: &stepMore{Err: err}}
}

// Knows reports that the field with this number has an op of its own.
func (w *Layout) Knows(field int) bool {
	return w.ops[w.s.Fields[field].Index].what != other
}

// link makes the steps. It counts as bytes before a field only constants and forms of fixed
// width: in a broken key a form that ends itself may be shorter than any that we write.
func (w *Layout) link(known bool) {
	s := w.s
	end := &Step{LaneData: LaneData{Lane: LaneEnd}, S: s, stepMore: &noMore, w: w}
	next, stored := end, len(s.Comps)
	w.steps = make([]Step, len(s.Fields))
	for i := range w.steps {
		w.steps[i].stepMore = &noMore
	}
	before := make([]int, len(s.Comps)+1)
	for i := range s.Comps {
		before[i+1] = before[i]
		if c := &s.Comps[i]; !c.Absent && (c.Role == layout.RoleLiteral || c.Shape.Fixed() && !c.Trims) {
			before[i+1] += c.Shape.Min
		}
	}
	after := 0 // the least number of bytes after a component
	for i := len(s.Comps) - 1; i >= 0; i-- {
		c := &s.Comps[i]
		if c.Absent {
			continue
		}
		if c.Role == layout.RoleField {
			st := &w.steps[c.Ord]
			st.stepMore = new(stepMore)
			st.C, st.S, st.op, st.w, st.fills, st.Next, st.Cell = c, s, &w.ops[i], w, &s.Steps[c.Ord], next, uint8(c.Ord)
			if st.linkTail(s.Comps[i+1 : stored]); !st.mixed {
				st.marks = nil // the tail says all
			}
			st.Checks, st.Slot, st.Salt = st.fills.Checked(), st.fills.Slot, st.fills.Salt
			if st.Follows = AnyFollows; known {
				st.linkLane(before[i], after)
			}
			if c.Optional {
				asked := *st
				asked.MayNull = true
				st.Asked = &asked
			}
			next, stored = st, i
		}
		if !s.Trims { // else nulls can be left off
			after += c.Shape.Min
		}
	}
	w.First = next
	w.linkSure(end)
	w.byFields = s.Known && (end.Sure || w.rests)
}

// linkSure notes whether the steps check all salts, hashes and copies, or all but those that are
// computed from the rest of the key.
func (w *Layout) linkSure(end *Step) {
	end.Sure = w.First != end
	w.rests = end.Sure && !w.s.Cold && !w.s.Gathered && w.s.Loose == 0
	for _, c := range w.s.Derived {
		width := c.Shape.Fixed() && c.Ends == forms.EndWidth // else more bytes may stand there than were compared
		if c.Absent || !c.Rest && (width || c.Slides) && w.checked(c) {
			continue
		}
		end.Sure, w.rests = false, w.rests && c.Rest
	}
}

// checked reports that a salt, hash or copy is checked once the field is read with which it is written.
func (w *Layout) checked(c *layout.Component) bool { return w.steps[c.Needs-1].Checks }

// tail is the constants up to the next stored field.
func (st *Step) tail() string { return st.End[st.own:] }

// linkTail sets what stands between the field and the next stored one.
func (st *Step) linkTail(comps []layout.Component) {
	for i := range comps {
		switch c := &comps[i]; {
		case c.Absent:
			continue
		case c.Role == layout.RoleLiteral:
			st.marks = append(st.marks, mark{st.Gap, string(c.Lit)})
			st.End += string(c.Lit)
		case c.Derived():
			st.mixed = true
		}
		if c := &comps[i]; c.Ends != forms.EndWidth || c.Trims || c.Optional {
			st.Gap = -1
			return
		}
		st.Gap += comps[i].Shape.Min
	}
}

// linkLane sets the lane of a field. before and after are the least numbers of bytes that a key
// has before the field and after it.
func (st *Step) linkLane(before, after int) {
	switch o := st.op; o.what {
	case text:
		if !st.C.Trims && (!st.mixed || st.Gap > 0 && o.frame == bare && o.turned == notTurned) { // a lane knows one end
			st.linkText()
		}
	case listed:
		if st.Size = o.n; !st.Checks {
			st.Lane = LaneListed
		}
	case word, number:
		st.linkPer()
		st.linkNumber(before, after)
		if st.linkFollows(false); o.trunc > 1 {
			st.Follows = AnyFollows
		}
		if st.Follows == SaltFollows && (st.Load == LaneUint || st.Load == LaneTime || st.Load == LaneFew) {
			st.Lane = LaneSealed
		}
		if st.Follows == NothingFollows || st.Follows == ByteFollows {
			st.Lane = laned(st.C.Kind, st.Load)
		}
	}
}

// kindLanes are the lanes of usual numbers.
var kindLanes = [...]Lane{
	layout.KindUint: LaneUint, layout.KindInt: LaneInt, layout.KindTime: LaneTime, layout.KindFloat: LaneFloat, layout.KindBool: LaneBool,
}

// laned is the lane in which a Reader reads a number of the kind by this Load itself; NoLane: in none.
func laned(kind layout.Kind, load Lane) Lane {
	own := kindLanes[kind]
	switch {
	case load == own, load == LaneFloats, load == LaneUintAt && own == LaneUint, load == LaneFew && (own == LaneUint || own == LaneInt || own == LaneTime):
		return load
	case load == LaneHead && own == LaneInt:
		return load
	case load == LaneUintAt && own == LaneTime:
		return LaneFew
	}
	return NoLane
}

// laneOf is the lane of a text that is turned; NoLane: it has none.
var laneOf = [...]Lane{reversal: LaneReverse, inverted: LaneInvert, staged: NoLane}

// linkText is linkLane for a text. What follows it is compared at once with its end.
func (st *Step) linkText() {
	o, c := st.op, st.C
	st.Least = o.least
	w := c.Width
	st.Bias, st.Span = -uint64(o.least), uint64(o.most-o.least)
	switch {
	case o.turned != notTurned:
		if lane := laneOf[o.turned]; lane != NoLane && c.Frame == layout.FrameFixed && w <= math.MaxUint8 && o.chars == nil {
			st.Lane, st.Right = lane, uint8(w)
		} else if lane == LaneReverse && o.frame == bare && o.chars == nil && (o.end == byMark && len(o.lit) == 1 || o.end == byKey && st.End == "") {
			if st.Lane = lane; o.end == byMark {
				st.Word = uint64(o.lit[0]) * forms.EachByte
			}
		}
	case o.chars != nil:
	case (o.frame == padded || o.frame == padLeft) && w <= math.MaxUint8 && c.Mark == nil:
		if st.Lane, st.Right, st.Word = LanePad, uint8(w), uint64(o.pad)*forms.EachByte; o.frame == padLeft {
			st.Lane = LanePadLeft
		}
	case o.frame == bare && o.end == byWidth && w <= math.MaxUint8 && c.Frame == layout.FrameFixed:
		if st.Lane, st.Right = LaneText, uint8(w); w > layout.FewBytes {
			st.Lane = LaneLong
		}
	case o.frame == nul:
		st.Lane, st.End, st.own = LaneText, "\x00"+st.End, 1
	case o.frame == escaped:
		st.Lane, st.End, st.own = LaneText, "\x00\x01"+st.End, 2
	case o.frame == bare && o.end == byMark:
		st.Lane, st.Word = LaneText, uint64(o.lit[0])*forms.EachByte
	case o.frame == bare && o.end == byKey && st.End == "":
		st.Lane = LaneText
	}
	if o.head != 0 && st.Lane == LaneText {
		st.Lane, st.Half = LaneHeaded, uint64(o.head)
	} else if o.head != 0 {
		st.Lane = NoLane
	}
	switch st.Size = len(st.End); {
	case st.mixed:
		if st.Size = st.Gap; st.Lane != LaneText {
			st.Lane = NoLane
		}
	case st.Lane == LaneText:
		st.linkFollows(st.Right == 0)
	}
}

// linkFollows sets what is to be compared once the end of the value is known. found says that a constant of one byte
// was compared to find it.
func (st *Step) linkFollows(found bool) {
	n, fill := len(st.End), st.fills.Fill
	if n > 0 {
		st.Tail = st.End[0]
	}
	switch {
	case st.mixed:
	case st.Checks:
		if st.fills.OneSalt && n <= 1 || fill == layout.FillByte && (n == 0 || n == 1 && found) {
			st.Follows = SaltFollows
		}
	case n > 1:
		st.Follows = BytesFollow
	case n == 1 && !found:
		st.Follows = ByteFollows
	default:
		st.Follows = NothingFollows
	}
}

// linkPer sets the units in a second of a time that is counted from 1970.
func (st *Step) linkPer() {
	c := st.C
	u := c.Unit
	switch {
	case u.Lay != nil: // its values are seconds
		st.Per = 1
	case c.Kind != layout.KindTime, u.Own != nil, u.Nsec != 0:
	case u.Sec == 0 && u.Step <= time.Second && time.Second%u.Step == 0:
		st.Per = uint64(time.Second / u.Step)
	case u.Step%time.Second == 0:
		st.Long, st.Epoch = uint64(u.Step/time.Second), u.Sec
	case time.Second%u.Step == 0:
		st.Since, st.Epoch = uint64(time.Second/u.Step), u.Sec
	}
}

// linkFormed is linkNumber for a number that is no word. Of one behind a header more is to be done.
func (st *Step) linkFormed() {
	o, c := st.op, st.C
	switch f := c.Num.Form.(type) {
	case *forms.Bool: // of HBase
		if !o.reversed {
			st.Load, st.Word, st.Right, st.Span = LaneBool, uint64(f.Xor), f.True, 1
		}
	case *forms.Digits:
		if !o.reversed && o.end == byWidth && o.trunc <= 1 {
			st.Load, st.Word, st.Mask, st.Bias, st.Span = LaneDigits, f.Xor, f.Nines, o.bias, o.span
		}
	case *forms.Float:
		if o.ranked {
			st.Load, st.Word, st.Size, st.Span = LaneFloat, f.Xor, 8, math.MaxUint64
		} else if !o.reversed {
			st.Load, st.Right, st.Word, st.Mask, st.Span = LaneFloats, f.Head, f.Xor, forms.Mask(f.Size), math.MaxUint64
		}
	case *forms.BigEndian:
		if f.Head != 0 && f.Size == 8 && o.trunc <= 1 {
			st.Load, st.Right = LaneHead, f.Head
		}
	}
}

// linkNumber is linkLane for a number.
func (st *Step) linkNumber(before, after int) {
	o, c := st.op, st.C
	w := o.n
	st.Size = w
	if o.what == number {
		if st.linkFormed(); st.Load != LaneHead {
			return
		}
	}
	st.Mask, st.Word, st.Half, st.Bias, st.Span = o.mask, o.xor, o.half, o.bias, o.span
	if c.Signed { // a time before 1970 is left to the op
		st.Word, st.Half = o.xor^o.half, 0
		least := max(c.Num.Min, layout.SignBit64)
		if least > c.Num.Max {
			st.Load = NoLane
			return
		}
		st.Bias, st.Span = layout.SignBit64-least, c.Num.Max-least
	}
	switch {
	case o.reversed: // the op turns the number back
	case st.Load == LaneHead:
	case c.Kind == layout.KindBool:
		st.Load, st.Right = LaneBool, 1
	case before >= 8-w:
		st.Load = kindLanes[c.Kind]
	case c.Kind != layout.KindInt && after >= 8-w:
		st.Load, st.Right = LaneUintAt, uint8(64-8*w)
	case before+w+after < 8, c.Kind == layout.KindInt:
		st.Load = LaneFew
	case c.Kind == layout.KindUint && w == 1:
		st.Load, st.Right = LaneBool, 1
	}
}

// ending is the number in the 8 bytes of a key up to end, and beginning that in the 8 bytes from pos
// on, by LaneUintAt. Both are inlined.
func (st *LaneData) ending(key []byte, end int) uint64 {
	return (binary.BigEndian.Uint64(key[end-8:end])^st.Word)&st.Mask - st.Half
}

func (st *LaneData) beginning(key []byte, pos int) uint64 {
	return (binary.BigEndian.Uint64(key[pos:pos+8])>>(st.Right&63) ^ st.Word) & st.Mask
}

// Byte is the number of LaneBool in a byte: of HBase, whose true is ff, ff·ff is 01 in one byte. It is inlined.
func (st *LaneData) Byte(b byte) uint64 { return uint64((b ^ byte(st.Word)) * st.Right) }

// float is the float of LaneFloat in form; false for one that the field does not take. It is inlined.
func (st *LaneData) float(form []byte) (u uint64, ok bool) {
	u = forms.RawFloat(binary.BigEndian.Uint64(form)^st.Word, 8)
	f := math.Float64frombits(u)
	return u, f == f && u != layout.MinusZero
}

// Beyond is where the next field begins after a number that ends at end, in a lane; negative if another byte
// follows. It is inlined, and calls nothing.
func (st *LaneData) Beyond(key []byte, end int) int {
	if st.Follows == NothingFollows {
		return end
	}
	if uint(end) < uint(len(key)) && key[end] == st.Tail {
		return end + 1
	}
	return -1
}

// Few is the number in form, of LaneFew or of any lane of a Uint; of LaneFloats its bits as they are stored.
func (st *LaneData) Few(form []byte) uint64 {
	return (forms.ReadUint(form)^st.Word)&st.Mask - st.Half
}

// digits is the number in form, of LaneDigits.
func (st *LaneData) digits(form []byte) (u uint64, ok bool) {
	if u, ok = forms.ReadDigits(form); st.Mask != 0 {
		u = st.Mask - u
	}
	return u ^ st.Word, ok
}

// Past is where the next field begins, after the constants, salts, hashes and copies that follow the form that
// ends at end; negative if what follows is another constant. It is inlined.
func (st *Step) Past(key []byte, end int) int {
	if st.Gap == 0 {
		return end
	}
	return st.past(key, end)
}

// past is Past for a constant. Most have one byte or two: to compare them by a call takes longer.
func (st *Step) past(key []byte, end int) int {
	if st.mixed {
		return st.pastGap(key, end)
	}
	tail := st.tail()
	next := end + len(tail)
	if next > len(key) {
		return -1
	}
	for i := range len(tail) {
		if key[end+i] != tail[i] {
			return -1
		}
	}
	return next
}

// pastGap is Past where more than constants stands.
func (st *Step) pastGap(key []byte, end int) int {
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
	for i := range st.marks {
		m := &st.marks[i]
		for j := range len(m.text) { // most have one byte
			if key[end+m.at+j] != m.text[j] {
				return -1
			}
		}
	}
	return next
}

// Sealed is Num for a field of LaneSealed. It is false for what Num must judge.
func (st *Step) Sealed(key []byte, pos int) (u uint64, next int, ok bool) {
	end := pos + st.Size
	if uint(end) > uint(len(key)) {
		return 0, 0, false
	}
	if st.Load == LaneFew {
		u = st.Few(key[pos:end])
	} else {
		u = st.ending(key, end)
	}
	if next = st.Past(key, end); u+st.Bias > st.Span || next < 0 {
		return 0, 0, false
	}
	return u, next, st.HasSalt(key, u)
}

// HasSalt reports that a key holds the salt of the number u, which is SaltFollows.
func (st *Step) HasSalt(key []byte, u uint64) bool { return st.fills.HasSalt(key, u) }

// Num is the number of the field at pos, and where the next field begins. It is false for what
// the component must judge, such as a salt of another value.
func (st *Step) Num(key []byte, pos int) (u uint64, next int, ok bool) {
	next = pos + st.Size
	if ok = uint(next) <= uint(len(key)) && st.Load != NoLane; ok {
		switch st.Load {
		case LaneUint, LaneInt, LaneTime:
			u = st.ending(key, next)
		case LaneUintAt:
			if ok = uint(pos+8) <= uint(len(key)); ok {
				u = st.beginning(key, pos)
			}
		case LaneBool:
			u = st.Byte(key[pos])
		case LaneFew:
			u = st.Few(key[pos:next])
		case LaneDigits:
			u, ok = st.digits(key[pos:next])
		case LaneFloats:
			u, ok = st.Floats(key[pos:next])
		case LaneHead:
			u, ok = st.Headed(key[pos:next])
		case LaneFloat:
			u, ok = st.float(key[pos:next])
		}
	}
	if !ok || u+st.Bias > st.Span || st.op.trunc > 1 && st.C.Beyond(u) != 0 { // no Load, or it does not take the number, such as a time before 1970
		switch o := st.op; o.what {
		case word:
			u, ok = o.takeWord(key, pos)
			next = pos + o.n
		case number:
			u, next, ok = o.takeNumber(key, pos)
		case listed:
			u, next, ok = o.takeListed(key, pos)
		}
		if !ok {
			return 0, 0, false
		}
	}
	if next = st.Past(key, next); next < 0 || !st.Checks {
		return u, next, next >= 0
	}
	return u, next, st.Holds(key[:next], pos, nil, u)
}

// Headed is the number of 8 bytes after a header in form, of LaneHead. It is inlined.
func (st *LaneData) Headed(form []byte) (u uint64, ok bool) {
	return (binary.BigEndian.Uint64(form[1:]) ^ st.Word) - st.Half, form[0] == st.Right
}

// Floats is the float of LaneFloats in form; false for one that the field does not take.
func (st *Step) Floats(form []byte) (u uint64, ok bool) {
	f := st.C.Num.Form.(*forms.Float)
	u = f.Bits(st.Few(form[len(form)-f.Size:]))
	return u, (st.Right == 0 || form[0] == st.Right) && st.C.TakesFloat(u)
}

// Reads reports that the field has one length, and that Num reads it: a number, or a text as of Shared.
func (st *Step) Reads() bool {
	return st.op != nil && st.op.end == byWidth && (st.op.what == word || st.op.what == number || st.Lane == LaneListed)
}

// TextEnd is where a text at pos ends, of LaneText or LaneHeaded, or of a LaneReverse of no fixed length. It is searched in two words of
// 8 bytes, which overlap if no more are left, then in the rest. It is negative if there is none, or if the text is too
// long or too short.
func (st *Step) TextEnd(key []byte, pos int) int {
	rest := key[pos:]
	n := int(st.Right)
	switch {
	case n > 0:
	case st.Size == 0: // the text is the end of the key
		n = len(rest)
	case len(rest) < 8:
		return st.textEnd(key, pos)
	default:
		z := forms.ZeroBytes(binary.LittleEndian.Uint64(rest) ^ st.Word)
		if z == 0 {
			n = min(8, len(rest)-8)
			if z = forms.ZeroBytes(binary.LittleEndian.Uint64(rest[n:]) ^ st.Word); z == 0 {
				return st.textEnd(key, pos)
			}
		}
		n += bits.TrailingZeros64(z) / 8
	}
	if n+st.Size > len(rest) || uint64(n)+st.Bias > st.Span {
		return -1
	}
	return pos + n
}

// textEnd is TextEnd for a text of more than 16 bytes, and where fewer than 8 are left.
func (st *Step) textEnd(key []byte, pos int) int {
	n := strings.IndexByte(mem.Text(key[pos:]), byte(st.Word))
	if n < 0 || pos+n+st.Size > len(key) || uint64(n)+st.Bias > st.Span {
		return -1
	}
	return pos + n
}

// Text is Num for a text: a part of key, or appended to room.
func (st *Step) Text(key []byte, pos int, room []byte) (value []byte, next int, ok bool) {
	from, upto := 0, 0
	switch o := st.op; o.what {
	case text:
		if from, upto, next, ok = o.takeText(key, pos); !ok {
			return nil, 0, false
		}
		if value = key[from:upto:upto]; o.turned != notTurned {
			value, ok = o.turnBack(room, value)
			value = value[len(room):]
		}
	case listed:
		return st.Listed(key, pos)
	}
	if !ok {
		return nil, 0, false
	}
	next = st.Past(key, next)
	return value, next, next >= 0
}

// Listed is Text for a text of OneOf or Codes. It lies in memory that no one changes.
func (st *Step) Listed(key []byte, pos int) (value []byte, next int, ok bool) {
	v, next, ok := st.op.takeListed(key, pos)
	if !ok {
		return nil, 0, false
	}
	next = st.Past(key, next)
	return partOf(v, st.w.lists), next, next >= 0
}

// Shares reports that the values of the field are listed: Listed reads them, and Cells has them by Shared.
func (st *Step) Shares() bool { return st.op != nil && st.op.what == listed }

// Shared is the text that Num has read, in memory that no one changes.
func (st *Step) Shared(u uint64) string { return mem.Text(partOf(u, st.w.lists)) }

// Holds reports that the salts, hashes and copies that the field fills are those of its value,
// a text or a number, which stands at pos of key, the bytes up to the next field.
func (st *Step) Holds(key []byte, pos int, text []byte, num uint64) bool {
	if st.fills.Fill == layout.FillByte {
		return key[st.Slot] == byte(st.Salt.Of(digest.Murmur32(0, text)))
	} else if st.fills.OneSalt {
		return st.HasSalt(key, num)
	} else if m := st.fills.Mixes; len(m) == 1 {
		return m[0].Right(key, pos, text, num)
	}
	return st.fills.Differs(key, pos, text, num) == nil
}

// Wrong is the first slot that Holds finds wrong.
func (st *Step) Wrong(key []byte, pos int, v layout.Val) *layout.Slot {
	return st.fills.Differs(key, pos, v.Text, v.Num)
}

// Agrees reports that what follows the text key[pos:pos+n] is right, and what the text fills.
func (st *Step) Agrees(key []byte, pos, n int) bool {
	end := pos + n + st.Size
	if st.mixed {
		if st.pastGap(key, pos+n) < 0 {
			return false
		}
	} else if string(key[pos+n:end]) != st.End {
		return false
	}
	return !st.Checks || st.Holds(key[:end], pos, key[pos:pos+n:pos+n], 0)
}

// Rests reports that CheckRests checks all that is left to check of a key whose fields are all read.
func (st *Step) Rests() bool { return st.w.rests }

// Rest checks what is left to check of a key whose fields are all read, where that is more than CheckRests checks.
// It is false if the component must judge.
func (st *Step) Rest(key []byte) bool {
	w := st.w
	if w.rests || !w.whole {
		return false
	}
	var places [layout.FewSpans]uint16
	return w.Decode(key, w.s.Spans(places[:]), true)
}

// Step is the step of the field with this number; the zero step if it is not stored.
func (w *Layout) Step(field int) *Step { return &w.steps[field] }

// Numbers reports that all that stands in a key besides its fields is checked: by the steps, by Begins or by
// CheckRests. Whether its fields are numbers, their steps say.
func (w *Layout) Numbers() bool { return w.byFields }

// Instant is the instant of the value u of a Time.
func (st *Step) Instant(u uint64) time.Time {
	switch {
	case st.Per == 1000 && int64(u) >= 0: // without a call
		return time.Unix(int64(u/1000), int64(u%1000)*1e6).UTC()
	case st.C.Signed: // it may lie before the epoch
	case st.Per != 0:
		return Instant(u, st.Per, 0)
	case st.Since != 0:
		return Instant(u, st.Since, st.Epoch)
	case st.Long != 0:
		return time.Unix(st.Epoch+int64(u*st.Long), 0).UTC()
	}
	return st.C.AsTime(u)
}

// Instant is the instant that lies u units after second epoch; there are per in a second.
func Instant(u, per uint64, epoch int64) time.Time {
	switch per {
	case 1e3: // first, since most times are of milliseconds
		return time.Unix(int64(u/1e3)+epoch, int64(u%1e3)*1e6).UTC()
	case 1:
		return time.Unix(int64(u)+epoch, 0).UTC()
	case 1e6:
		return time.Unix(int64(u/1e6)+epoch, int64(u%1e6)*1e3).UTC()
	}
	return time.Unix(int64(u/1e9)+epoch, int64(u%1e9)).UTC()
}
