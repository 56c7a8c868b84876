package form

import "math"

// Number is a way to write a number of 64 bits, and to read it back. What the 64 bits
// mean depends on the kind: two's complement of an Int, IEEE bits of a Float, 0 or 1 of
// a Bool, whole units of a Time, seconds since 1970 of a date.
//
// A new Number is a type in a file of its own, and a case in dispatch.go: others call append
// and read by Append and Read. A form that ends itself has one more method, len, for Len.
type Number interface {
	// Shape is the shape of the forms of the numbers first to last. These two are
	// ranks in the order of the kind: of an Int −2 is 7ffffffffffffffe. They are 0 and
	// 2⁶⁴−1 if only the type limits the numbers.
	Shape(first, last uint64) Shape

	// Told is all that the bytes depend on. It goes into fingerprints, so what a form
	// returns here must never change.
	Told() Told

	// Facts is what else is known of the form.
	Facts() Facts

	// append appends the form of u, which this form must be able to hold.
	append(dst []byte, u uint64) []byte

	// read is the number of a whole form. It is false for bytes that append never writes.
	read(form []byte) (u uint64, ok bool)
}

// Told holds all that the bytes of a form depend on. What a form does not have is 0.
type Told struct {
	Form              int // one of the constants below; a new form takes a new one
	Width             int // −1: the type of the form fixes it
	Xor, Nines        uint64
	DateNum, DateDesc bool
	Raw               bool
	Add, Rest         uint64
}

// The numbers of the forms. They are written into fingerprints: a number never changes,
// and no two forms share one, but for toldBytes, whose forms differ in the rest of Told.
const (
	toldBytes = iota
	toldDigits
	toldHex
	toldSigned
	toldDate
	toldTimestamp
	toldWhole
	toldVarint
)

// Facts is what else is known of a form. The zero Facts claims nothing.
type Facts struct {
	Head   byte // a byte before each form, as it is written; 0: none
	Binary bool // the form is not text

	Word int    // the form is exactly so many big-endian bytes of the number XOR Xor; 0: it is not
	Xor  uint64 // see Word

	Units int    // how many bytes or digits limit the number; 0: no such limit
	Unit  string // the name of these units: "byte", "digit"
	Base  int    // if not 0, any Units digits to this base (256: bytes) are a form, if their number has 64 bits at most

	ByLength Order // how the forms sort with their length in front; 0: not known

	Why   string    // why the forms do not sort, as a code of package texts; empty if they do, or if that is not known
	Apart bool      // negative numbers sort among themselves, and so do the others
	Below Direction // of the negative numbers, if Apart
	Above Direction // of the others, if Apart
}

// directed is the direction of forms that are XORed with xor. A xor that turns the
// order round has its lowest bit set (all bits, or all but the sign bit); a xor that
// only flips the sign bit has not.
func directed(xor uint64) Direction { return turned(Up, xor&1 != 0) }

// turned is the direction d, or the opposite of d if backward.
func turned(d Direction, backward bool) Direction {
	if backward && d != NoOrder {
		return Up + Down - d
	}
	return d
}

// Way is what an option says of how numbers are written, such as Digits(5). The zero Way is none.
type Way struct {
	As writing
	N  int // how many digits the option asks for
}

type writing uint8

const (
	_        writing = iota
	InDigits         // N decimal digits, with zeros in front
	InHex            // N hexadecimal digits
	InPlain          // decimal text without zeros in front
	InVarint
)

// MostDigits is the most digits that the option may ask for; 0 if it has no number of digits.
func (w Way) MostDigits() int {
	switch w.As {
	case InDigits:
		return 20
	case InHex:
		return 16
	}
	return 0
}

// Most is the largest number that has a form.
func (w Way) Most() uint64 {
	switch {
	case w.As == InDigits && w.N < 20:
		return Pow10(w.N) - 1
	case w.As == InHex && w.N < 16:
		return 1<<(4*w.N) - 1
	}
	return math.MaxUint64
}

// Number is the form of numbers that are XORed with xor before they are written. If signed, they are
// two's complement. If backward, the form itself turns the order round: each digit d is written as
// base − 1 − d, also where so many digits hold more than 64 bits. Of 5 decimal digits 00042 is 99957.
func (w Way) Number(xor uint64, signed, backward bool) Number {
	var top uint64
	if backward {
		top = w.Most()
	}
	switch w.As {
	case InDigits:
		return &Digits{N: w.N, Nines: top, Xor: xor}
	case InHex:
		return &Hex{N: w.N, Xor: xor ^ top}
	case InPlain:
		return &Plain{Signed: signed, Xor: xor}
	case InVarint:
		return &Varint{Xor: xor, Flip: byte(top)}
	}
	panic("form: a number written in no way")
}

// Head is the byte before each form of a number, 0 if there is none.
func Head(n Number) byte { return FactsOf(n).Head }

// FactsOf is n.Facts(), or the zero Facts if n is nil.
func FactsOf(n Number) Facts {
	if n == nil {
		return Facts{}
	}
	return n.Facts()
}
