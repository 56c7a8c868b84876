package layout

import (
	"math"
	"math/bits"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// The hot path sees no form: Build asks each field once for plain data, and one
// byte picks the path. What has no such data (an option that looks at each byte,
// a step of the caller's, a null) goes the way of encode.go and decode.go, which
// writes and reads every field. Both ways give the same bytes, and the same
// errors: the hot path gives none itself, but hands over what it cannot do.

// op is the shape of a step's work; those with a fast path have a name.
type op uint8

const (
	opAny    op = iota // one call further: by its form, or from the component
	OpText             // up to 16 bytes of text as they are, and what follows
	OpUint             // 1 to 8 bytes of a Uint, and what follows
	OpInt              // of an Int
	OpTime             // of a Time whose unit divides a second
	OpMilli            // of one that counts milliseconds since 1970
	OpUintAt           // reading alone: a Uint whose 8 bytes begin with it
	OpPad              // reading alone: up to 16 bytes of text, filled up
	OpFloat            // of a Float of 8 bytes
	OpBool             // of a Bool
	OpEnd              // no field is left
	OpPrefix           // a prefix was the last word
	OpBad              // an error was
)

// hotForm is how a field is written one call further.
type hotForm uint8

const (
	Cold       hotForm = iota // by the component
	HotWord                   // bytes of a number: the 7 of two bytes is 0007
	HotFloat                  // of a float, made to sort
	hotDigits                 // n digits: the 7 of three is 303037
	HotHex                    // n hexadecimal digits
	HotDecimal                // as many digits as there are
	HotLayout                 // digits of a date
	HotParts                  // the same, with constants between them
	HotDateNum                // a date's digits as a number of some bytes
	HotText                   // a text as it is
	HotReverse                // its bytes turned round
	HotEscape                 // 00 as 00ff
	HotPad                    // filled up on the right
	HotUUID                   // its 16 bytes
	HotLength                 // its length in n bytes in front
)

// hotFill is what a field fills.
type hotFill uint8

const (
	NoFill    hotFill = iota
	FillByte          // a salt by murmur3 of this text, in one byte
	FillMixes         // mixes alone
	fillAny
)

// FewBytes is how long a text may be that is copied in two words.
const FewBytes = 16

// hot is what writing a field needs, in two lines of the processor's cache: the
// first has all that a number and a text of an everyday layout need. What follows
// a field (constants, empty slots) lies in its own words: a number's bytes and
// those behind it are one store.
type hot struct {
	Op   op
	Form hotForm
	Fill hotFill
	Kind Kind   // 0 where the form is cold
	Slot uint16 // of fillByte
	N    uint8  // bytes of a number, or digits
	// value+bias <= span is the one check: of a number's range, of a text's length
	Bias, Span uint64
	Word       uint64 // what is stored XOR the value: Desc, the sign, and what follows; of a text what follows
	Mul        uint64 // 1 << (64 − 8·width): the value's place in the word
	Size       int    // bytes of the number and of what follows; of a text what follows
	Next       *Step

	Xor   uint64 // of a text the byte that ends it, eight times; of a number Desc and the sign
	Guard uint64 // of a text 80 in each byte, or 0 if it may hold any; of digits their complement
	Per   uint64 // of a time: units in a second; else 0, and inv is of a second
	Inv   uint64 // 2⁶³ / nanoseconds of a unit; 2⁶⁴ / seconds of a unit
	Until uint64 // the last second whose units are counted so
	Base  uint64 // the epoch in units; of a layout the offset in seconds
	Salt  digest.Modulus
}

// hotMore is the rest of a step's plain data.
type hotMore struct {
	More        uint64 // the bytes that follow a number
	Elements    uint8  // of a date
	Least, Most int    // bytes of a text
	End         []byte // what follows a field
	parts       []forms.LayoutPart
	Mixes       []mix // of the slots that the field fills
}

// heat gives a step its plain data, if all that it does can be said so.
func (st *Step) heat() {
	c := st.C
	if st.S.Cold || c.Absent || c.Optional || c.Header != 0 || c.Num.headed() || c.InvertAll || c.Loose || c.Decimal != forms.NoDecimal {
		return
	}
	if c.IsText() {
		st.heatText()
	} else if len(c.Stages) == 0 && c.Frame == NoFrame && c.Num.Trunc <= 1 && c.Unit.Own == nil {
		st.heatNumber()
	}
	if st.Form == Cold {
		return
	}
	if n := len(st.Fills); n > 0 {
		f := &st.Fills[0]
		if st.Form >= HotLayout && st.Form <= HotDateNum || st.Form == HotFloat { // whose num is not what is written
			st.Op, st.Form = opAny, Cold
			return
		}
		st.Fill = FillMixes
		for i := range st.Mixes {
			if st.Mixes[i].C == nil {
				st.Fill = fillAny
			}
		}
		if n == 1 && f.C.murmured && st.Form == HotText {
			st.Fill, st.Slot, st.Salt = FillByte, uint16(f.Off), f.C.Mod
		} else if st.Op != OpText {
			st.Op = opAny
		}
	}
	st.Kind = c.Kind
	st.Rform, st.rkind = st.Form, c.Kind
}

// heatToRead is heat where the steps gather values, so that only reading is hot.
func (st *Step) heatToRead() {
	copied := *st
	copied.Tail = st.S.constants(st.C.Index+1, st.I+1)
	copied.heat()
	copied.Op, copied.Form, copied.Kind, copied.Next = opAny, Cold, 0, st.Next
	st.hot, st.hotRead, st.hotMore = copied.hot, copied.hotRead, copied.hotMore
}

// Be8 is the first 8 bytes of b, big-endian, with zeros behind.
func Be8(b []byte) (u uint64) {
	for i := range 8 {
		if u <<= 8; i < len(b) {
			u |= uint64(b[i])
		}
	}
	return u
}

// heatText is heat of a text.
func (st *Step) heatText() {
	c := st.C
	if c.Chars != nil || c.OneOf != nil || c.Codes != nil || c.PadEqual() {
		return
	}
	form := HotText
	for _, s := range c.Stages {
		switch {
		case s.Word == notation.Reverse && form == HotText:
			form = HotReverse
		case s.Word == notation.UUID && len(c.Stages) == 1 && c.Frame == NoFrame && c.Mark == nil && c.least <= forms.UUIDText:
			form = HotUUID
		case s.Word != notation.Fixed:
			return
		}
	}
	least, most := c.least, math.MaxInt
	if c.Filled {
		least = max(least, 1)
	}
	var end []byte
	switch c.Frame {
	case NoFrame:
		if form == HotUUID {
			least, most = forms.UUIDText, forms.UUIDText
		}
	case FrameFixed:
		if c.Width < least {
			return
		}
		least, most = c.Width, c.Width
	case FrameNul:
		end, st.Guard = []byte{0}, forms.EachByte<<7
	case FrameEscaped:
		if c.endless || form != HotText {
			return
		}
		form, end, st.Guard = HotEscape, []byte{0, 1}, forms.EachByte<<7
	case FramePad:
		if form != HotText || c.Width > FewBytes || c.Mark != nil {
			return
		}
		form, most, st.Xor, st.N = HotPad, c.Width, uint64(c.Pad)*forms.EachByte, uint8(c.Width)
	case FrameLength:
		if form != HotText || c.Mark != nil {
			return
		}
		form, most, st.N = HotLength, forms.MostOfLength(c.Width), uint8(c.Width)
	default:
		return
	}
	if c.Mark != nil { // which the tail begins with
		st.Xor, st.Guard = uint64(c.Mark[0])*forms.EachByte, forms.EachByte<<7
	}
	if end = append(end, st.Tail...); len(end) > 8 {
		return
	}
	st.Form, st.End, st.Least, st.Most = form, end, least, most
	st.Word, st.Size = Be8(end), len(end)
	if form != HotText && form != HotEscape && form != HotPad || least > FewBytes {
		return
	}
	st.Op = OpText
	st.Bias, st.Span = -uint64(least), uint64(min(most, FewBytes)-least)
}

// heatNumber is heat of a number.
func (st *Step) heatNumber() {
	c, n := st.C, &st.C.Num
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
	form, width, xor, mul := HotWord, 0, uint64(0), uint64(1)
	switch f := n.Form.(type) {
	case *forms.BigEndian:
		width, xor = f.Size, f.Xor
	case *forms.Bool:
		width, xor, mul = 1, uint64(f.Xor), uint64(f.True)
	case *forms.Float:
		if f.Raw || f.Add != 0 || c.Unsigned || c.TwoZeros() {
			return
		}
		form, width, xor = HotFloat, f.Size, f.Xor
	case *forms.DateNum:
		form, width, xor = HotDateNum, f.Size, f.Xor
	case *forms.Digits:
		form, width, xor, st.Guard = hotDigits, f.N, f.Xor, f.Nines
	case *forms.Hex:
		form, width, xor = HotHex, f.N, f.Xor
	case *forms.Plain:
		if f.Signed {
			return
		}
		form, xor = HotDecimal, f.Xor
	case *forms.Date:
		form, width = HotLayout, f.Layout.Width
		if !f.AllDigits {
			form, st.parts = HotParts, f.Parts
		}
		if st.Guard = 0; f.Desc {
			st.Guard = forms.Pow10(width) - 1
		}
	default:
		return
	}
	if len(st.Tail) > 8 || form == HotDecimal && c.Mark != nil && len(c.Mark) != 1 {
		return
	}
	st.Form, st.N, st.Xor, st.End = form, uint8(width), xor, st.Tail
	st.Size = width + len(st.Tail)
	if form != HotWord && form != HotFloat && form != HotDateNum {
		st.Word = Be8(st.Tail)
		return
	}
	st.Mul = mul << (64 - 8*width)
	st.More = Be8(st.Tail)
	st.Word = xor<<(64-8*width) ^ Be8(append(make([]byte, width), st.Tail...))
	if form == HotFloat && st.Size == 8 && width == 8 {
		st.Op = OpFloat
	}
	if st.Size > 8 || form != HotWord {
		return
	}
	switch c.Kind {
	case KindBool:
		st.Op = OpBool
	case KindUint:
		st.Op = OpUint
	case KindInt:
		st.Op = OpInt
	case KindTime:
		switch {
		case st.Per == 1000 && st.Base == 0:
			st.Op = OpMilli
		case st.Per != 0:
			st.Op = OpTime
		}
	}
}

// heatTime is heat of a time, as far as its units go; false if they are no plain
// data.
func (st *Step) heatTime() bool {
	c, n := st.C, &st.C.Num
	u := &c.Unit
	if u.Lay != nil {
		lo, hi := int64(n.Min^SignBit64), int64(n.Max^SignBit64)
		if first := u.Lay.Floor(lo); first != lo { // the step that it cuts
			lo = u.Lay.Next(first)
		}
		if lo > hi {
			return false
		}
		st.Bias, st.Span, st.Base = -uint64(lo), uint64(hi-lo), uint64(u.Lay.Offset)
		st.Elements = uint8(u.Lay.Elements)
		return true
	}
	if u.Nsec != 0 || u.Sec < -maxEpoch || u.Sec > maxEpoch {
		return false
	}
	st.Bias = -n.Min
	if c.Signed {
		st.Bias = SignBit64 - n.Min
	}
	if u.Step > time.Second {
		st.Inv = math.MaxUint64/uint64(u.Step/time.Second) + 1
		st.Until = maxEpoch
		return u.Step%time.Second == 0 && u.Sec == 0
	}
	st.Per = uint64(time.Second / u.Step)
	st.Inv = 1<<63/uint64(u.Step) + 1
	if u.Step == time.Nanosecond {
		st.Inv = 1 << 63
	}
	st.Until = (math.MaxInt64 - 1<<60) / st.Per
	st.Base = uint64(u.Sec) * st.Per
	return time.Second%u.Step == 0
}

// maxEpoch is more seconds than lie between 1970 and an epoch that the hot path
// counts from: with them, nothing overflows.
const maxEpoch = 1 << 33

// UnitsOf is an instant as a number that putHot takes; false where it is out of
// range, or where the hot path does not count so far.
func (st *Step) UnitsOf(sec, nsec uint64) (uint64, bool) {
	u := sec
	switch {
	case st.Elements != 0: // seconds, of which the date is made
	case sec > st.Until:
		return 0, false
	case st.Per != 0:
		part, _ := bits.Mul64(nsec<<1, st.Inv)
		u = sec*st.Per + part - st.Base
	default:
		u, _ = bits.Mul64(sec, st.Inv)
	}
	return u, u+st.Bias <= st.Span
}

// FloatWord is a float's bits as they sort, without Desc; false for what the field
// refuses.
func (st *Step) FloatWord(v float64) (uint64, bool) {
	if st.N == 4 {
		f := float32(v) + 0 // −0 is 0
		return forms.OrderFloat(uint64(math.Float32bits(f)), 4), float64(f) == v
	}
	return forms.OrderFloat(math.Float64bits(v+0), 8), v == v
}

// PutParts writes a date with constants between its elements.
func (st *Step) PutParts(out []byte, sec uint64) {
	var digits [24]byte
	forms.PutDigits(digits[:], forms.DateNumber(sec+st.Base, st.Elements), 2+2*int(st.Elements))
	at, from := 0, 0
	for _, p := range st.parts {
		switch p.Element {
		case -1:
			out[at] = p.Text[0]
			at++
		case 0:
			at, from = at+copy(out[at:], digits[:4]), 4
		default:
			out[at], out[at+1] = digits[from], digits[from+1]
			at, from = at+2, from+2
		}
	}
}
