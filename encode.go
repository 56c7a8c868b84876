package rowkey

import (
	"bytes"
	"encoding/binary"
	"math"
	"unicode/utf8"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// One append per form. Nothing here knows a schema; what is written here is
// written in people's tables, and a changed byte is a broken table.
//
// A value travels as a num or as text:
//
//	Uint   the number
//	Int    its two's complement in 64 bits
//	Float  its IEEE bits in 64 bits; −0 only where a dialect keeps it
//	Bool   0 or 1
//	Time   whole steps of its unit; with a Layout, seconds since 1970
//	String, Binary   their bytes

const (
	maxInt64  = math.MaxInt64
	signBit64 = 1 << 63
)

// numForm is how a number becomes bytes.
type numForm uint8

const (
	asBinary    numForm = iota // width bytes, big-endian
	asDigits                   // width decimal digits
	asHex                      // width hexadecimal digits, lower case
	asDecimal                  // decimal text of its own length
	asLayout                   // the text of a layout
	asTimestamp                // Phoenix's milliseconds and nanoseconds
	asNumeric                  // a decimal number of a dialect
)

// number is the compiled number stage: limits, Desc and form. All of Desc in
// binary and hexadecimal is an exclusive or, since the largest value of a type
// has all its bits set; only decimal digits are subtracted.
type number struct {
	form     numForm
	width    int
	min, max uint64 // admitted values; of an Int or a Layout with the sign bit flipped
	xor      uint64 // on the value before it is written
	nines    uint64 // 10ⁿ−1 where n digits are complemented
	trunc    uint64 // in units; 0: not truncated
	layNum   bool   // the layout's digits as a number
	layDesc  bool   // the layout's digits complemented
	header   byte   // in front of all, as it is written; 0: none
	raw      bool   // a Float's bits as they are
	add      uint64 // to a Float's bits, once they are made to sort
	rest     uint64 // on the nanoseconds of a timestamp
}

// mask has the low n bytes set.
func mask(n int) uint64 {
	if n >= 8 {
		return math.MaxUint64
	}
	return 1<<(8*n) - 1
}

// appendUint appends the low n bytes of v, big-endian.
func appendUint(dst []byte, v uint64, n int) []byte {
	switch n {
	case 8:
		return binary.BigEndian.AppendUint64(dst, v)
	case 4:
		return binary.BigEndian.AppendUint32(dst, uint32(v))
	case 2:
		return append(dst, byte(v>>8), byte(v))
	case 1:
		return append(dst, byte(v))
	}
	for n--; n >= 0; n-- {
		dst = append(dst, byte(v>>(8*n)))
	}
	return dst
}

// readUint undoes appendUint for up to 8 bytes.
func readUint(b []byte) (v uint64) {
	if len(b) == 8 {
		return binary.BigEndian.Uint64(b)
	}
	for _, c := range b {
		v = v<<8 | uint64(c)
	}
	return v
}

// pow10 is 10ⁿ for n up to 19.
func pow10(n int) uint64 {
	p := uint64(1)
	for range n {
		p *= 10
	}
	return p
}

// decimalLen is the number of decimal digits of v.
func decimalLen(v uint64) int {
	n := 1
	for ; v >= 10; v /= 10 {
		n++
	}
	return n
}

// appendDigits appends v as n decimal digits, zero-padded; v has no more.
func appendDigits(dst []byte, v uint64, n int) []byte {
	at := len(dst)
	for range n {
		dst = append(dst, '0')
	}
	for i := at + n - 1; v != 0 && i >= at; i-- {
		dst[i] = byte('0' + v%10)
		v /= 10
	}
	return dst
}

// parseDigits undoes appendDigits for any number of digits that fits 64 bits.
func parseDigits(b []byte) (v uint64, ok bool) {
	for _, c := range b {
		d := uint64(c - '0')
		if d > 9 || v > math.MaxUint64/10 || v*10 > math.MaxUint64-d {
			return 0, false
		}
		v = v*10 + d
	}
	return v, len(b) > 0
}

const (
	hexLower = "0123456789abcdef"
	hexUpper = "0123456789ABCDEF"
)

// appendHexDigits appends v as n lower-case hexadecimal digits.
func appendHexDigits(dst []byte, v uint64, n int) []byte {
	for n--; n >= 0; n-- {
		dst = append(dst, hexLower[v>>(4*n)&15])
	}
	return dst
}

// parseHexDigits undoes appendHexDigits; upper case is refused.
func parseHexDigits(b []byte) (v uint64, ok bool) {
	for _, c := range b {
		switch {
		case c >= '0' && c <= '9':
			v = v<<4 | uint64(c-'0')
		case c >= 'a' && c <= 'f':
			v = v<<4 | uint64(c-'a'+10)
		default:
			return 0, false
		}
	}
	return v, true
}

// orderedFloat makes IEEE bits sort as their numbers do: the sign bit set, or
// all bits flipped if negative.
func orderedFloat(bits uint64, size int) uint64 {
	sign := uint64(1) << (8*size - 1)
	if bits&sign != 0 {
		return ^bits & mask(size)
	}
	return bits | sign
}

// rawFloat undoes orderedFloat.
func rawFloat(v uint64, size int) uint64 {
	sign := uint64(1) << (8*size - 1)
	if v&sign != 0 {
		return v &^ sign
	}
	return ^v & mask(size)
}

// admits judges a value before it is written: by its type, by Below and by Years.
func (c *component) admits(u uint64) bool {
	if c.kind == KindFloat {
		f := math.Float64frombits(u)
		return (c.size != 4 || float64(float32(f)) == f) && !(c.unsigned && f < 0)
	}
	if c.biased() { // of which some are negative
		u ^= signBit64
	}
	return u >= c.num.min && u <= c.num.max
}

// settleNum rounds a time down as its options say; other numbers stay.
// False if there is no such time.
func (c *component) settleNum(u uint64) (uint64, bool) {
	if c.num.trunc <= 1 {
		return u, true
	}
	n := u - c.beyond(u)
	return n, !c.signed || int64(n) <= int64(u)
}

// beyond is how far a number lies beyond the last that Truncate leaves.
func (c *component) beyond(u uint64) uint64 {
	if c.signed {
		return uint64(mod(int64(u), int64(c.num.trunc)))
	}
	return u % c.num.trunc
}

// appendNum appends the stored form of a settled number, up to and with its
// frame, or says why the field cannot hold it. On error dst is garbage behind
// its length.
func (c *component) appendNum(dst []byte, u uint64) ([]byte, error) {
	if !c.admits(u) {
		return dst, c.numRefused(u)
	}
	at := len(dst)
	n := &c.num
	if n.header != 0 {
		dst = append(dst, n.header)
	}
	switch c.kind {
	case KindFloat:
		if c.size == 4 {
			u = uint64(math.Float32bits(float32(math.Float64frombits(u))))
		}
		if !n.raw {
			u = orderedFloat(u, c.size) + n.add
		}
		u ^= n.xor
	case KindBool:
		if c.hbase {
			u *= 0xff
		}
		u ^= n.xor
	case KindTime:
		if n.layNum {
			u = c.unit.lay.number(int64(u))
		}
		if n.form != asLayout && n.form != asTimestamp {
			u ^= n.xor
		}
	default:
		u ^= n.xor
	}
	switch n.form {
	case asBinary:
		dst = appendUint(dst, u, n.width)
	case asDigits:
		if n.nines != 0 {
			u = n.nines - u
		}
		dst = appendDigits(dst, u, n.width)
	case asHex:
		dst = appendHexDigits(dst, u, n.width)
	case asDecimal:
		if c.kind == KindInt {
			dst = appendSigned(dst, u)
		} else {
			dst = appendDigits(dst, u, decimalLen(u))
		}
	case asLayout:
		dst = c.unit.lay.append(dst, int64(u))
		if n.layDesc {
			complementDigits(dst[at:])
		}
	case asTimestamp:
		dst = forms.AppendTimestamp(dst, int64(u), n.xor, n.rest)
	case asNumeric:
		dst = c.decimal.appendWhole(dst, u, c.kind == KindInt)
	}
	if c.plain {
		return dst, nil
	}
	return c.appendStages(dst, at)
}

// complementDigits turns each decimal digit d into 9−d.
func complementDigits(b []byte) {
	for i := range b {
		b[i] = '0' + '9' - b[i]
	}
}

// stage is a step that changes a form in place.
type stage struct {
	word     word
	from, to int
	sep      []byte
	via      *via
}

// frameKind is how a form of any length is made to end.
type frameKind uint8

const (
	noFrame frameKind = iota
	frameFixed
	framePad
	framePadLeft
	frameEscaped
	frameNul     // ends 00, which it does not hold
	frameBlobVar // seven bits in a byte
	frameLength  // its length in front
)

// appendText appends the stored form of a text, up to and with its frame, or
// says why the field cannot hold it. On error dst is garbage behind its length.
func appendText[T string | []byte](c *component, dst []byte, v T) ([]byte, error) {
	at := len(dst)
	if c.header != 0 {
		dst = append(dst, c.header)
	}
	if c.limited {
		code, err := checkText(c, v)
		if err != nil {
			return dst, err
		}
		if c.codes != nil {
			dst = append(dst, code...)
			return c.appendStages(dst, at)
		}
	}
	dst = append(dst, v...)
	if c.plain {
		return dst, nil
	}
	return c.appendStages(dst, at)
}

// eachByte has every byte 1.
const eachByte = 0x0101010101010101

// zeroBytes is not zero if a byte of x is.
func zeroBytes(x uint64) uint64 { return (x - eachByte) &^ x & (eachByte << 7) }

// checkText judges a text by its limits, and gives its code if it has one.
func checkText[T string | []byte](c *component, v T) (code string, err error) {
	if c.precision.digits != 0 {
		return "", admitsForm(c, v)
	}
	if c.codes != nil {
		code, ok := c.codes[string(v)]
		if !ok {
			return "", c.listRefused()
		}
		return code, nil
	}
	if len(v) < c.least {
		return "", c.tooShort(len(v))
	}
	if c.chars != nil {
		for i := range len(v) {
			if !c.chars[v[i]] {
				return "", c.charRefused(i, len(v))
			}
		}
	}
	if c.oneOf != nil {
		if _, ok := c.oneOf[string(v)]; !ok {
			return "", c.listRefused()
		}
	}
	return "", nil
}

// appendStages takes the form at dst[at:] through the stages and the frame and
// looks for its separator. A text's header stands in front of it already.
func (c *component) appendStages(dst []byte, at int) ([]byte, error) {
	begin := at
	if c.header != 0 {
		at++
	}
	if c.filled && len(dst) == at {
		return dst, lengthRefused(0, 1, maxKey)
	}
	for i := range c.stages {
		if v := c.stages[i].via; v != nil {
			var err error
			if dst, err = v.append(dst, at); err != nil {
				return dst, err
			}
			continue
		}
		form, err := c.stages[i].apply(dst[at:])
		if err != nil {
			return dst, err
		}
		if len(form) < len(dst)-at {
			dst = dst[:at+copy(dst[at:], form)]
		}
	}
	var err error
	switch c.frame {
	case frameFixed:
		if n := len(dst) - at; n != c.width {
			return dst, lengthRefused(n, c.width, c.width)
		}
	case framePad:
		dst, err = appendPad(dst, at, c.width, c.pad, c.loose)
	case framePadLeft:
		dst, err = appendPadLeft(dst, at, c.width, c.pad, c.loose)
	case frameEscaped:
		if dst = forms.AppendEscape(dst, at); c.endless {
			dst = dst[:len(dst)-2]
		}
	case frameNul:
		if bytes.IndexByte(dst[at:], 0) >= 0 {
			return dst, errHoldsEnd
		}
		dst = append(dst, 0)
	case frameBlobVar:
		dst = forms.AppendBlobVar(dst, at)
	case frameLength:
		dst, err = appendLength(dst, at, c.width)
	}
	if err != nil {
		return dst, err
	}
	if c.invertAll {
		invert(dst[begin:])
	}
	if c.null != nil && bytes.HasPrefix(dst[begin:], c.null) {
		return dst, errBeginNull
	}
	if c.mark != nil && !c.loose && !marks(dst[at:], c.mark) {
		return dst, c.markRefused(dst[at:])
	}
	return dst, nil
}

// apply changes a form in place and gives what is left of it. All but Left and
// Right, which only a Copy has, undo themselves. Transforms have their own way.
func (s *stage) apply(b []byte) ([]byte, error) {
	switch s.word {
	case wReverse:
		forms.Reverse(b)
	case wReverseRune:
		if !utf8.Valid(b) {
			return b, errUTF8
		}
		forms.ReverseRunes(b)
	case wReverseLabels:
		forms.ReverseLabels(b, s.sep)
	case wReversePart:
		if len(b) < s.to {
			return b, lengthRefused(len(b), s.to, maxKey)
		}
		forms.Reverse(b[s.from:s.to])
	case wFixed:
		if len(b) != s.to {
			return b, lengthRefused(len(b), s.to, s.to)
		}
	case wUUID:
		return packUUID(b)
	case wDesc:
		invert(b)
	case wLeft:
		return b[:min(s.to, len(b))], nil
	case wRight:
		return b[max(0, len(b)-s.to):], nil
	}
	return b, nil
}

// invert is every byte XOR ff.
func invert(b []byte) {
	for i := range b {
		b[i] ^= 0xff
	}
}

// marks reports that a separator behind a form stands there only: it is not in
// the form, nor does the form's end together with it make another.
func marks(form, mark []byte) bool {
	if len(mark) == 1 {
		for _, b := range form {
			if b == mark[0] {
				return false
			}
		}
		return true
	}
	for i := range form {
		if overlaps(form[i:], mark) {
			return false
		}
	}
	return true
}

// overlaps reports that rest+mark begins with mark, for a rest that is not empty.
func overlaps(rest, mark []byte) bool {
	if len(rest) >= len(mark) {
		return string(rest[:len(mark)]) == string(mark)
	}
	return string(rest) == string(mark[:len(rest)]) && string(mark[len(rest):]) == string(mark[:len(mark)-len(rest)])
}

// appendPad fills the form at dst[at:] with pad on the right up to width bytes.
// What ends in pad would come back shorter: it is refused, unless loose.
func appendPad(dst []byte, at, width int, pad byte, loose bool) ([]byte, error) {
	n := len(dst) - at
	switch {
	case n > width:
		return dst, lengthRefused(n, 0, width)
	case n > 0 && dst[len(dst)-1] == pad && !loose:
		return dst, padRefused("ends in", pad)
	}
	for ; n < width; n++ {
		dst = append(dst, pad)
	}
	return dst, nil
}

// appendPadLeft fills the form at dst[at:] with pad on the left.
func appendPadLeft(dst []byte, at, width int, pad byte, loose bool) ([]byte, error) {
	n := len(dst) - at
	switch {
	case n > width:
		return dst, lengthRefused(n, 0, width)
	case n > 0 && dst[at] == pad && !loose:
		return dst, padRefused("begins with", pad)
	}
	for i := n; i < width; i++ {
		dst = append(dst, pad)
	}
	copy(dst[at+width-n:], dst[at:at+n])
	for i := at; i < at+width-n; i++ {
		dst[i] = pad
	}
	return dst, nil
}
