package layout

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Most fields are written by the hot path. It uses plain data only (words, masks, lengths),
// which Build computes once for each field; one byte, the op, selects the code. Some fields
// have no such data: those with an option such as Left, with a transform, or with a null.
// They take the path of encode.go, which can write every field. Both paths give the same
// bytes and the same errors: what the hot path cannot do, it leaves to the other one, also
// every error. Reading is in internal/walk.

// op selects the code of a step. The usual fields have an op of their own.
type op uint8

const (
	opAny    op = iota // any other field: its hotForm or its component decides
	OpText             // up to 16 bytes of text as they are, and what follows
	OpUint             // 1 to 8 bytes of a Uint, and what follows
	OpInt              // the same of an Int
	OpTime             // the same of a Time
	OpMilli            // the same of a Time in milliseconds since 1970
	OpFloat            // a Float
	OpBool             // a Bool
	OpOwn              // a key in memory of its own: see Step.Own
	OpEnd              // no field is left
	OpPrefix           // Prefix was called: no value may follow
	OpBad              // an error happened
)

// hotForm is how a field is written if its op is opAny. The order counts: heat and others compare.
type hotForm uint8

const (
	Cold        hotForm = iota // by the component, as in encode.go
	HotWord                    // a number in bytes: 7 in two bytes is 00 07
	HotFloat                   // a float, changed so that it sorts: 1.5 is bf f8 00 …
	HotHead                    // a number in bytes after a header: 7 in OrderedBytes is 2c 80 00 00 00 00 00 00 07
	HotBackward                // a number in bytes that stand in reverse order: 7 in two bytes is 07 00
	HotFew                     // a number in up to 8 digits, which FewDigits makes a number in bytes: 7 in three digits is 30 30 37
	HotDigits                  // another number in n digits, or without leading zeros, or a date in digits: 7 in ten digits is 30 30 30 30 30 30 30 30 30 37
	HotFormed                  // a number in few bytes that its form writes: other digits, a varint, or one that is reversed
	HotText                    // a text as it is, perhaps after a header
	HotReverse                 // a text with its bytes in reverse order
	HotPad                     // a text padded on the right
	HotPadLeft                 // a text padded on the left
	HotUUID                    // the text of a UUID as 16 bytes
	HotLength                  // a text with its length in n bytes before it
	HotListed                  // a text of OneOf, or the code of one
)

// hotFill says what is to be filled once a field is written: the rest of a padded text, and the salts and hashes of the
// field, whose bytes stand empty in the key until then.
type hotFill uint8

const (
	NoFill    hotFill = iota
	FillPad           // the rest of a padded text of an OpText, and no more
	FillByte          // one salt by murmur3 of this text, in one byte
	FillMixes         // any others (hot_mix.go)
)

// FewBytes is the longest text that is copied as two words.
const FewBytes = 16

// hot is the data for writing a field, in two lines of the processor's cache and a word. The first
// line has all that a number or a text of a usual layout needs. The bytes that follow a
// field (constants, empty slots) are in the same word as the number, so one store writes
// both: 7 in two bytes before '_' is the word 00 07 5f 00 00 00 00 00, of which Size = 3
// bytes count.
type hot struct {
	Op   op
	Form hotForm
	Fill hotFill
	Kind Kind   // 0 if Form is Cold, and of an Own
	Slot uint16 // the place of the salt, for FillByte; of a number with a Room that of its word: 1 behind a header
	N    uint8  // the length of a number in bytes or digits, if it is always the same
	Room uint8  // of a number that is a word, or two with what follows or a header, the bytes that it is stored in: 8, 16, or 9 after a header; else 0
	// value+Bias <= Span is the only check: of a number's limits, or of a text's length; of a float add and turns of FloatWord
	Bias, Span uint64
	Word       uint64 // a number's word is value·Mul XOR Word: Desc, the sign, the bytes that follow; for a text the bytes that follow
	Mul        uint64 // 1 << (64 − 8·width) moves the value to its place in the word
	Size       int    // the length of the number and of the bytes that follow; for a text of these bytes alone
	Next       *Step

	Xor   uint64 // for a text the byte that ends it, in each byte; for a number what it is XORed with, or the other word, stored first
	Guard uint64 // for a text 80 in each byte, or 0 if it may hold any byte; for digits 10ⁿ−1 if they are complemented; for a number see More
	Per   uint64 // for a time the units in a second, or 0 if a unit is longer than a second
	Inv   uint64 // 2⁶³ / nanoseconds of a unit, or 2⁶⁴ / seconds of a unit if Per is 0
	Until uint64 // the last second since 1970 that the hot path can count in units
	Base  uint64 // for a time the epoch in units, or in seconds if Per is 0; for a float −0 if it is a value of its own, else +0
	Other int    // of a number with a Room the place of the other word
	Salt  digest.Modulus
}

// hotMore is the data for writing that few fields need.
type hotMore struct {
	Least, Most int                 // the limits of a text's length
	End         []byte              // the bytes that follow a field
	Trunc       uint64              // a time is a multiple of this; 0 if it is any
	Mixes       []mix               // of the slots that the field fills
	OneSalt     bool                // it is a salt of a number alone, and of no float, at a fixed place of the key
	Reversed    bool                // of a HotFormed: its bytes stand in reverse order
	Head        byte                // before a HotHead or a HotText; 0: none
	list        *forms.List[listed] // of a HotListed: what is stored for each text; nil: it is looked up in the component
}

// listed is the form of a text of a list, and its first 8 bytes as of Be8.
type listed struct {
	form string
	word uint64
}

// More is the bytes that follow a number in bytes, as the first bytes of a word: what it is XORed with is in Word.
func (st *hot) More() uint64 { return st.Guard }

// heat computes a step's data for the hot path, or leaves it Cold if it needs more. All
// conditions that hold for texts and numbers alike stand here, so that none is forgotten.
func (st *Step) heat() {
	c := st.C
	if st.S.Cold || c.Absent || c.InvertAll || c.Loose || c.Decimal != forms.NoDecimal {
		return
	}
	if c.IsText() {
		st.heatText()
	} else if c.Frame == NoFrame && c.Unit.Own == nil {
		st.heatNumber()
	}
	if st.Form == Cold {
		return
	}
	if len(st.Mixes) > 0 {
		if c.Unit.Lay != nil || c.Kind == KindFloat && (st.Bias|^st.Span|st.Base) != 0 { // the number written is not the value that is hashed
			st.Op, st.Form = opAny, Cold
			return
		}
		m := &st.Mixes[0]
		st.Fill = FillMixes
		switch {
		case len(st.Mixes) == 1 && m.How == Streamed && len(m.Ins) == 1 && m.C.ByteSalt() && m.From == FromStart && m.Seed == 0 && st.Form == HotText:
			st.Fill, st.Slot, st.Salt = FillByte, uint16(m.Off), m.Mod
		case st.Op != OpText || slices.ContainsFunc(st.Mixes, func(m mix) bool { return m.C.Slides }): // the key may grow
			st.Op = opAny
		}
	}
	st.Kind = c.Kind
}

// textForm is the form of a text that its options give; false if one of them is none that
// the hot path knows. The frame comes later.
func (st *Step) textForm() (hotForm, bool) {
	c, form := st.C, HotText
	for _, s := range c.Stages {
		switch {
		case s.Word == notation.Fixed:
		case s.Word == notation.Reverse && form == HotText:
			form = HotReverse
		case s.Word == notation.UUID && len(c.Stages) == 1 && c.Frame == NoFrame && c.Mark == nil && c.Least <= forms.UUIDText && c.Chars == nil:
			form = HotUUID
		default:
			return 0, false
		}
	}
	if c.OneOf != nil || c.Codes != nil {
		plain := form == HotText && (c.Frame == NoFrame || c.Frame == FrameNul) && c.Header == 0 && (c.Codes == nil || !c.Filled)
		if plain {
			values, stored := c.ListedForms()
			all := make([]listed, len(values))
			for i, form := range stored {
				all[i] = listed{form, forms.Be8(form)}
			}
			st.list = forms.ListOf(values, all)
		}
		return HotListed, plain
	}
	st.Head = c.Header
	return form, form == HotText || c.Header == 0
}

// heatText is heat for a text.
func (st *Step) heatText() {
	c := st.C
	form, ok := st.textForm()
	if !ok {
		return
	}
	if st.Least, st.Most = c.Least, math.MaxInt; c.Filled {
		st.Least = max(st.Least, 1)
	}
	form, end, ok := st.heatFrame(form)
	if c.Mark != nil { // the separator; it is the beginning of st.Tail too
		st.Xor, st.Guard = uint64(c.Mark[0])*forms.EachByte, forms.EachByte<<7
	}
	if end = append(end, st.Tail...); !ok || len(end) > 8 && form != HotText {
		return
	}
	st.Form, st.End = form, end
	st.Word, st.Size = forms.Be8(end), len(end)
	if len(end) > 8 || st.Head != 0 || form != HotText && form != HotPad || st.Least > FewBytes || form == HotPad && c.Width > FewBytes || c.Chars != nil {
		return
	}
	if st.Op = OpText; form == HotPad {
		st.Fill = FillPad // heat changes it if the text fills more
	}
	st.Bias, st.Span = -uint64(st.Least), uint64(min(st.Most, FewBytes)-st.Least)
}

// heatFrame is heatText for the frame of a text: its form, and the bytes that end it. It is false for
// what the hot path does not do.
func (st *Step) heatFrame(form hotForm) (_ hotForm, end []byte, ok bool) {
	c := st.C
	switch c.Frame {
	case NoFrame:
		if form == HotUUID {
			st.Least, st.Most = forms.UUIDText, forms.UUIDText
		}
	case FrameFixed:
		if c.Width < st.Least {
			return form, nil, false
		}
		st.Least, st.Most = c.Width, c.Width
	case FrameNul:
		end, st.Guard = []byte{0}, forms.EachByte<<7
	case FrameEscaped:
		if c.Endless || form != HotText {
			return form, nil, false
		}
		end, st.Guard = []byte{0, 1}, forms.EachByte<<7
	case FramePad, FramePadLeft:
		if form != HotText || c.Width > math.MaxUint8 || c.Mark != nil {
			return form, nil, false
		}
		form, st.Most, st.Xor, st.N = HotPad, c.Width, uint64(c.Pad)*forms.EachByte, uint8(c.Width)
		if c.Frame == FramePadLeft {
			form = HotPadLeft
		}
	case FrameLength:
		if form != HotText || c.Mark != nil {
			return form, nil, false
		}
		form, st.Most, st.N = HotLength, forms.MostOfLength(c.Width), uint8(c.Width)
	default:
		return form, nil, false
	}
	return form, end, true
}

// heatNumber is heat for a number.
func (st *Step) heatNumber() {
	c, n := st.C, &st.C.Num
	if len(c.Stages) > 1 || len(c.Stages) > 0 && c.Stages[0].Word != notation.Reverse {
		return
	}
	st.Span = n.Max - n.Min
	switch c.Kind {
	case KindInt:
		st.Bias = SignBit64 - n.Min
	case KindUint:
		st.Bias = -n.Min
	case KindTime:
		if !st.heatTime() {
			return
		}
	}
	form, width, xor, mul := st.numberForm()
	switch {
	case form >= HotDigits:
		st.heatFormed(form, width, xor)
		return
	case form == Cold, width+len(st.Tail) >= 2*FewBytes:
		return
	}
	st.heatBytes(form, width, xor, mul)
	if st.Room > 0 && st.Trunc == 0 && form != HotFew { // Time and UnixMilli do not truncate
		if st.Op = wordOps[c.Kind]; st.Op == OpTime && st.Per == 1000 && st.Base == 0 {
			st.Op = OpMilli
		}
	}
}

// wordOps is the op of a number of each kind that is one word with what follows it, or two.
var wordOps = [...]op{KindUint: OpUint, KindInt: OpInt, KindFloat: OpFloat, KindBool: OpBool, KindTime: OpTime}

// heatBytes is heatNumber for a number in so many bytes.
func (st *Step) heatBytes(form hotForm, width int, xor, mul uint64) {
	st.Form, st.N, st.Guard, st.End = form, uint8(width), forms.Be8(st.Tail), st.Tail
	if st.Size = width + len(st.Tail); form == HotHead {
		st.Size++
	}
	if st.Mul = mul << (64 - 8*width); st.C.Kind == KindFloat { // FloatWord has moved it
		st.Mul = 1
	}
	st.Word = xor<<(64-8*width) ^ forms.Be8(append(make([]byte, width), st.Tail...))
	more := width+len(st.Tail) > 8
	if form == HotBackward || st.Long() || form == HotHead && more {
		return
	}
	if st.Room = 8; form == HotHead {
		st.Room, st.Slot, st.Xor = 9, 1, uint64(st.Head)<<56
	} else if more {
		st.Room, st.Other, st.Xor = 16, width, st.Guard
	}
}

// numberForm is the form of a number, its width, what it is XORed with, and what a value is multiplied
// by. It is HotFormed for one that its form writes, and Cold for one that the hot path does not do.
func (st *Step) numberForm() (form hotForm, width int, xor, mul uint64) {
	c := st.C
	form, mul = HotWord, 1
	switch f := c.Num.Form.(type) {
	case *forms.BigEndian:
		width, xor = f.Size, f.Xor
		switch {
		case f.Head != 0:
			form, st.Head = HotHead, f.Head
		case len(c.Stages) > 0:
			form, xor = HotBackward, bits.ReverseBytes64(xor<<(64-8*width))
		}
	case *forms.Bool:
		width, xor, mul = 1, uint64(f.Xor), uint64(f.True)
	case *forms.Float:
		if c.Unsigned || len(c.Stages) > 0 {
			return Cold, 0, 0, 0
		}
		if form, width, xor = HotFloat, f.Size, f.Xor; f.Head != 0 {
			form, st.Head = HotHead, f.Head
		}
		if st.Bias, st.Span = f.Add<<(64-8*width), forms.Mask(width)<<(64-8*width); f.Raw {
			st.Span = 0
		}
		if c.TwoZeros() {
			st.Base = MinusZero
		}
	case *forms.Plain:
		if form, xor = HotDigits, f.Xor; f.Signed {
			form = HotFormed
		}
	case *forms.Digits:
		if form, width, xor, st.Guard = HotDigits, f.N, f.Xor, f.Nines; width <= 8 && xor|f.Nines == 0 {
			form = HotFew
		}
	case *forms.Date:
		if form, width = HotFormed, len(f.Text); f.AllDigits() {
			form = HotDigits
		}
		if f.Desc && f.AllDigits() {
			st.Guard = forms.Pow10(width) - 1
		}
	case *forms.Hex, *forms.Varint, *forms.Timestamp, *forms.DateNum:
		form = HotFormed
	default:
		return Cold, 0, 0, 0
	}
	if len(c.Stages) > 0 && form != HotBackward {
		form = HotFormed
	}
	return form, width, xor, mul
}

// heatFormed is heatNumber for a number in digits, or one that its form writes.
func (st *Step) heatFormed(form hotForm, width int, xor uint64) {
	c := st.C
	if c.Shape.Max+max(8, len(st.Tail)) > 2*FewBytes { // Put has no room for it
		return
	}
	if len(c.Mark) > 0 && c.Shape.Bytes.Has(c.Mark[0]) { // a number may hold it
		return
	}
	st.Form, st.N, st.Xor, st.Reversed = form, uint8(width), xor, len(c.Stages) > 0
	st.End, st.Word = st.Tail, forms.Be8(st.Tail)
}

// heatTime is the part of heatNumber for the unit of a time. It is false if the hot path
// cannot count in this unit.
func (st *Step) heatTime() bool {
	c, n := st.C, &st.C.Num
	u := c.Unit
	if u.Lay != nil {
		lo, hi := int64(n.Min^SignBit64), int64(n.Max^SignBit64)
		if first := u.Lay.Floor(lo); first != lo { // lo lies within a step: take the next one
			lo = u.Lay.Next(first)
		}
		if lo > hi {
			return false
		}
		st.Bias, st.Span = -uint64(lo), uint64(hi-lo)
		st.Per, st.Until = 1, math.MaxInt64 // its value is in seconds, without a part
		return true
	}
	if u.Nsec%int64(u.Step) != 0 || u.Sec < -maxEpoch || u.Sec > maxEpoch {
		return false
	}
	if n.Trunc > 1 {
		st.Trunc = n.Trunc
	}
	st.Bias = -n.Min
	if c.Signed {
		st.Bias = SignBit64 - n.Min
	}
	if u.Step > time.Second {
		st.Inv = math.MaxUint64/uint64(u.Step/time.Second) + 1
		st.Until, st.Base = maxEpoch, uint64(u.Sec)
		return u.Step%time.Second == 0
	}
	st.Per = uint64(time.Second / u.Step)
	st.Inv = 1<<63/uint64(u.Step) + 1
	if u.Step == time.Nanosecond {
		st.Inv = 1 << 63
	}
	st.Until = (math.MaxInt64 - 1<<60) / st.Per
	st.Base = uint64(u.Sec)*st.Per + uint64(u.Nsec)/uint64(u.Step)
	return time.Second%u.Step == 0
}

// maxEpoch is the largest distance, in seconds, between 1970 and an epoch for which the
// hot path can count without overflow.
const maxEpoch = 1 << 33

// UnitsOf is an instant as a number in the unit of the step. It is false if the field does
// not take the instant, or if the hot path cannot count so far.
func (st *Step) UnitsOf(sec, nsec uint64) (uint64, bool) {
	u := sec
	switch {
	case sec > st.Until:
		return 0, false
	case st.Per != 0:
		part, _ := bits.Mul64(nsec<<1, st.Inv)
		u = sec*st.Per + part - st.Base
	default:
		if u = sec - st.Base; u > st.Until { // before the epoch, too
			return 0, false
		}
		u, _ = bits.Mul64(u, st.Inv)
	}
	if st.Trunc != 0 {
		u -= st.C.Beyond(u)
	}
	return u, u+st.Bias <= st.Span
}

// Long reports that more than a word follows a field.
func (st *Step) Long() bool { return len(st.End) > 8 }

// Put writes a number, and the bytes that follow, to out, which has 32 bytes. It gives their length.
func (st *Step) Put(out []byte, u uint64) int {
	w, end := int(st.N), st.Word
	switch st.Form {
	case HotWord, HotFloat, HotHead, HotBackward, HotFew:
		switch st.Form {
		case HotBackward:
			u = bits.ReverseBytes64(u * st.Mul)
		case HotFew:
			u = forms.FewDigits(u)
		}
		at := st.Size - w - len(st.End) // 1 behind a header
		out[0] = st.Head
		binary.BigEndian.PutUint64(out[at:], u*st.Mul^st.Word)
		w, end = w+at, st.More()
	case HotDigits: // here: Append takes two calls more
		d := u ^ st.Xor
		if lay := st.C.Unit.Lay; lay != nil {
			d = lay.Number(int64(u))
		}
		if st.Guard != 0 {
			d = st.Guard - d
		}
		if w == 0 {
			w = forms.DigitsLen(d)
		}
		forms.PutDigits(out, d, w)
	case HotFormed:
		if f, ok := st.C.Num.Form.(*forms.Varint); ok { // here: Append copies what it writes
			w = f.Put(out, u)
		} else {
			w = len(forms.Append(st.C.Num.Form, out[:0], u))
		}
		if st.Reversed {
			forms.Reverse(out[:w])
		}
	}
	if binary.BigEndian.PutUint64(out[w:], end); st.Long() {
		copy(out[w:], st.End)
	}
	return w + len(st.End)
}

// Headed reports that a text stands as it is after a header.
func (st *Step) Headed() bool { return st.Head != 0 && st.Form == HotText }

// Listed is the form of a text of a HotListed, the text itself or its code, and the form's first 8 bytes as of
// Be8. It is false for a text that is not in the list.
func (st *Step) Listed(v string) (form string, word uint64, ok bool) {
	if st.list != nil {
		if found := st.list.Find(v); found != nil {
			return found.form, found.word, true
		}
		return "", 0, false
	}
	if form, ok = st.C.Codes[v]; st.C.Codes == nil {
		_, ok = st.C.OneOf[v]
		form = v
	}
	return form, forms.Be8(form), ok
}
