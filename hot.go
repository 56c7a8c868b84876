package rowkey

import (
	"math"
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
	opText             // up to 16 bytes of text as they are, and what follows
	opUint             // 1 to 8 bytes of a Uint, and what follows
	opInt              // of an Int
	opTime             // of a Time whose unit divides a second
	opMilli            // of one that counts milliseconds since 1970
	opUintAt           // reading alone: a Uint whose 8 bytes begin with it
	opPad              // reading alone: up to 16 bytes of text, filled up
	opFloat            // of a Float of 8 bytes
	opBool             // of a Bool
	opEnd              // no field is left
	opPrefix           // a prefix was the last word
	opBad              // an error was
)

// hotForm is how a field is written one call further.
type hotForm uint8

const (
	cold       hotForm = iota // by the component
	hotWord                   // bytes of a number: the 7 of two bytes is 0007
	hotFloat                  // of a float, made to sort
	hotDigits                 // n digits: the 7 of three is 303037
	hotHex                    // n hexadecimal digits
	hotDecimal                // as many digits as there are
	hotLayout                 // digits of a date
	hotParts                  // the same, with constants between them
	hotDateNum                // a date's digits as a number of some bytes
	hotText                   // a text as it is
	hotReverse                // its bytes turned round
	hotEscape                 // 00 as 00ff
	hotPad                    // filled up on the right
	hotUUID                   // its 16 bytes
	hotLength                 // its length in n bytes in front
)

// hotFill is what a field fills.
type hotFill uint8

const (
	noFill    hotFill = iota
	fillByte          // a salt by murmur3 of this text, in one byte
	fillMixes         // mixes alone
	fillAny
)

// fewBytes is how long a text may be that is copied in two words.
const fewBytes = 16

// stepRoom is what a step may write behind a key so far without asking: a text of
// two words, and the word that follows it.
const stepRoom = fewBytes + 8

// hot is what writing a field needs, in two lines of the processor's cache: the
// first has all that a number and a text of an everyday layout need. What follows
// a field (constants, empty slots) lies in its own words: a number's bytes and
// those behind it are one store.
type hot struct {
	op   op
	form hotForm
	fill hotFill
	kind kind   // 0 where the form is cold
	slot uint16 // of fillByte
	n    uint8  // bytes of a number, or digits
	// value+bias <= span is the one check: of a number's range, of a text's length
	bias, span uint64
	word       uint64 // what is stored XOR the value: Desc, the sign, and what follows; of a text what follows
	mul        uint64 // 1 << (64 − 8·width): the value's place in the word
	size       int    // bytes of the number and of what follows; of a text what follows
	next       *step
	done       int // in the final step: keys shorter than this need no more work; 0 in all other steps, and where work is left

	xor   uint64 // of a text the byte that ends it, eight times; of a number Desc and the sign
	guard uint64 // of a text 80 in each byte, or 0 if it may hold any; of digits their complement
	per   uint64 // of a time: units in a second; else 0, and inv is of a second
	inv   uint64 // 2⁶³ / nanoseconds of a unit; 2⁶⁴ / seconds of a unit
	until uint64 // the last second whose units are counted so
	base  uint64 // the epoch in units; of a layout the offset in seconds
	salt  digest.Modulus
}

// hotMore is the rest of a step's plain data.
type hotMore struct {
	more        uint64 // the bytes that follow a number
	elements    uint8  // of a date
	least, most int    // bytes of a text
	end         []byte // what follows a field
	parts       []forms.LayoutPart
	mixes       []mix // of the slots that the field fills
}

// heat gives a step its plain data, if all that it does can be said so.
func (st *step) heat() {
	c := st.c
	if st.s.cold || c.absent || c.optional || c.header != 0 || c.num.headed() || c.invertAll || c.loose || c.decimal != forms.NoDecimal {
		return
	}
	if c.isText() {
		st.heatText()
	} else if len(c.stages) == 0 && c.frame == noFrame && c.num.trunc <= 1 && c.unit.own == nil {
		st.heatNumber()
	}
	if st.form == cold {
		return
	}
	if n := len(st.fills); n > 0 {
		f := &st.fills[0]
		if st.form >= hotLayout && st.form <= hotDateNum || st.form == hotFloat { // whose num is not what is written
			st.op, st.form = opAny, cold
			return
		}
		st.fill = fillMixes
		for i := range st.mixes {
			if st.mixes[i].c == nil {
				st.fill = fillAny
			}
		}
		if n == 1 && f.c.murmured && st.form == hotText {
			st.fill, st.slot, st.salt = fillByte, uint16(f.off), f.c.mod
		} else if st.op != opText {
			st.op = opAny
		}
	}
	st.kind = c.kind
	st.rform, st.rkind = st.form, c.kind
}

// heatToRead is heat where the steps gather values, so that only reading is hot.
func (st *step) heatToRead() {
	copied := *st
	copied.tail = st.s.constants(st.c.index+1, st.i+1)
	copied.heat()
	copied.op, copied.form, copied.kind, copied.next = opAny, cold, 0, st.next
	st.hot, st.hotRead, st.hotMore = copied.hot, copied.hotRead, copied.hotMore
}

// be8 is the first 8 bytes of b, big-endian, with zeros behind.
func be8(b []byte) (u uint64) {
	for i := range 8 {
		if u <<= 8; i < len(b) {
			u |= uint64(b[i])
		}
	}
	return u
}

// heatText is heat of a text.
func (st *step) heatText() {
	c := st.c
	if c.chars != nil || c.oneOf != nil || c.codes != nil || c.padEqual() {
		return
	}
	form := hotText
	for _, s := range c.stages {
		switch {
		case s.word == notation.Reverse && form == hotText:
			form = hotReverse
		case s.word == notation.UUID && len(c.stages) == 1 && c.frame == noFrame && c.mark == nil && c.least <= forms.UUIDText:
			form = hotUUID
		case s.word != notation.Fixed:
			return
		}
	}
	least, most := c.least, math.MaxInt
	if c.filled {
		least = max(least, 1)
	}
	var end []byte
	switch c.frame {
	case noFrame:
		if form == hotUUID {
			least, most = forms.UUIDText, forms.UUIDText
		}
	case frameFixed:
		if c.width < least {
			return
		}
		least, most = c.width, c.width
	case frameNul:
		end, st.guard = []byte{0}, forms.EachByte<<7
	case frameEscaped:
		if c.endless || form != hotText {
			return
		}
		form, end, st.guard = hotEscape, []byte{0, 1}, forms.EachByte<<7
	case framePad:
		if form != hotText || c.width > fewBytes || c.mark != nil {
			return
		}
		form, most, st.xor, st.n = hotPad, c.width, uint64(c.pad)*forms.EachByte, uint8(c.width)
	case frameLength:
		if form != hotText || c.mark != nil {
			return
		}
		form, most, st.n = hotLength, forms.MostOfLength(c.width), uint8(c.width)
	default:
		return
	}
	if c.mark != nil { // which the tail begins with
		st.xor, st.guard = uint64(c.mark[0])*forms.EachByte, forms.EachByte<<7
	}
	if end = append(end, st.tail...); len(end) > 8 {
		return
	}
	st.form, st.end, st.least, st.most = form, end, least, most
	st.word, st.size = be8(end), len(end)
	if form != hotText && form != hotEscape && form != hotPad || least > fewBytes {
		return
	}
	st.op = opText
	st.bias, st.span = -uint64(least), uint64(min(most, fewBytes)-least)
}

// heatNumber is heat of a number.
func (st *step) heatNumber() {
	c, n := st.c, &st.c.num
	st.span = n.max - n.min
	switch c.kind {
	case kindInt:
		st.bias = signBit64 - n.min
	case kindUint:
		st.bias = -n.min
	case kindTime:
		if !st.heatTime() {
			return
		}
	}
	form, width, xor, mul := hotWord, 0, uint64(0), uint64(1)
	switch f := n.form.(type) {
	case *forms.BigEndian:
		width, xor = f.Size, f.Xor
	case *forms.Bool:
		width, xor, mul = 1, uint64(f.Xor), uint64(f.True)
	case *forms.Float:
		if f.Raw || f.Add != 0 || c.unsigned || c.twoZeros() {
			return
		}
		form, width, xor = hotFloat, f.Size, f.Xor
	case *forms.DateNum:
		form, width, xor = hotDateNum, f.Size, f.Xor
	case *forms.Digits:
		form, width, xor, st.guard = hotDigits, f.N, f.Xor, f.Nines
	case *forms.Hex:
		form, width, xor = hotHex, f.N, f.Xor
	case *forms.Plain:
		if f.Signed {
			return
		}
		form, xor = hotDecimal, f.Xor
	case *forms.Date:
		form, width = hotLayout, f.Layout.Width
		if !f.AllDigits {
			form, st.parts = hotParts, f.Parts
		}
		if st.guard = 0; f.Desc {
			st.guard = forms.Pow10(width) - 1
		}
	default:
		return
	}
	if len(st.tail) > 8 || form == hotDecimal && c.mark != nil && len(c.mark) != 1 {
		return
	}
	st.form, st.n, st.xor, st.end = form, uint8(width), xor, st.tail
	st.size = width + len(st.tail)
	if form != hotWord && form != hotFloat && form != hotDateNum {
		st.word = be8(st.tail)
		return
	}
	st.mul = mul << (64 - 8*width)
	st.more = be8(st.tail)
	st.word = xor<<(64-8*width) ^ be8(append(make([]byte, width), st.tail...))
	if form == hotFloat && st.size == 8 && width == 8 {
		st.op = opFloat
	}
	if st.size > 8 || form != hotWord {
		return
	}
	switch c.kind {
	case kindBool:
		st.op = opBool
	case kindUint:
		st.op = opUint
	case kindInt:
		st.op = opInt
	case kindTime:
		switch {
		case st.per == 1000 && st.base == 0:
			st.op = opMilli
		case st.per != 0:
			st.op = opTime
		}
	}
}

// heatTime is heat of a time, as far as its units go; false if they are no plain
// data.
func (st *step) heatTime() bool {
	c, n := st.c, &st.c.num
	u := &c.unit
	if u.lay != nil {
		lo, hi := int64(n.min^signBit64), int64(n.max^signBit64)
		if first := u.lay.Floor(lo); first != lo { // the step that it cuts
			lo = u.lay.Next(first)
		}
		if lo > hi {
			return false
		}
		st.bias, st.span, st.base = -uint64(lo), uint64(hi-lo), uint64(u.lay.Offset)
		st.elements = uint8(u.lay.Elements)
		return true
	}
	if u.nsec != 0 || u.sec < -maxEpoch || u.sec > maxEpoch {
		return false
	}
	st.bias = -n.min
	if c.signed {
		st.bias = signBit64 - n.min
	}
	if u.step > time.Second {
		st.inv = math.MaxUint64/uint64(u.step/time.Second) + 1
		st.until = maxEpoch
		return u.step%time.Second == 0 && u.sec == 0
	}
	st.per = uint64(time.Second / u.step)
	st.inv = 1<<63/uint64(u.step) + 1
	if u.step == time.Nanosecond {
		st.inv = 1 << 63
	}
	st.until = (math.MaxInt64 - 1<<60) / st.per
	st.base = uint64(u.sec) * st.per
	return time.Second%u.step == 0
}

// maxEpoch is more seconds than lie between 1970 and an epoch that the hot path
// counts from: with them, nothing overflows.
const maxEpoch = 1 << 33
