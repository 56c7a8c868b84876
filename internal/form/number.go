package form

// Number is a way to write a number of 64 bits, and to read it back. A number is what
// its kind's numbers are in 64 bits: of an Int two's complement, of a Float IEEE bits,
// of a Bool 0 or 1, of a Time whole units, of a date seconds since 1970.
//
// A new one is a type in a file of its own, and a line in each of Append and Read, and
// in Len if its forms end themselves. They are no method calls through the interface, since these would move a caller's
// buffer to the heap. All else that is to be known of a form, it says itself.
type Number interface {
	// Width is the bytes of every form; 0 where they vary.
	Width() int

	// Shape is what is known of the forms of the numbers first to last, which are
	// places in the order of their kind: of an Int −2 is 7ffffffffffffffe. They may
	// all be 0 and 2⁶⁴−1 where nothing but the type limits the numbers.
	Shape(first, last uint64) Shape

	// Told is what the bytes depend on. It goes into fingerprints: what a form gives
	// here stays as it is.
	Told() Told

	// Facts is what else there is to say.
	Facts() Facts
}

// Told is what of a number's form its bytes depend on; what a form does not have is 0.
type Told struct {
	Form              int // the form's own number
	Width             int // −1: that of its type
	Xor, Nines        uint64
	DateNum, DateDesc bool
	Raw               bool
	Add, Rest         uint64
}

// Facts is what else there is to say of a form; the zero Facts holds of any.
type Facts struct {
	Head   byte // in front of each form, as it is written; 0: none
	Binary bool // it is no text

	Word bool   // it is the number's bytes, big-endian, and nothing else,
	Xor  uint64 // XOR this

	Units int    // how many bytes or digits limit the number; 0: none do
	Unit  string // what these are: "byte"
	Base  int    // where not 0, any so many digits to this base, or bytes, are a form

	ByLength Order // how forms sort whose lengths stand in front of them; 0 is not known

	Why   string // why the forms do not sort; empty where they do, or where it is not known
	Apart bool   // negative numbers and the others sort, each by themselves,
	Below Direction
	Above Direction // the one in this direction, the other in that
}

// directed is the direction of forms that a XOR turns round: with all bits of the
// number, or all but the sign's, the lowest is one of them.
func directed(xor uint64) Direction {
	if xor&1 != 0 {
		return Down
	}
	return Up
}

// turned is a direction turned round if backward says so.
func turned(d Direction, backward bool) Direction {
	switch {
	case backward && d == Up:
		return Down
	case backward && d == Down:
		return Up
	}
	return d
}

// Way is a way to write numbers that an option names; Number makes it a form.
type Way interface {
	// Count is how many digits were asked for, and the most there can be; 0 and 0
	// where none are.
	Count() (n, most int)

	// Most is the largest number that has a form.
	Most() uint64

	// Number is the form of the numbers XOR xor; of a signed one they are two's
	// complement. With backward it turns the order round by itself.
	Number(xor uint64, signed, backward bool) Number
}

// Append appends the form of a number that the form can hold.
func Append(n Number, dst []byte, u uint64) []byte {
	switch n := n.(type) {
	case *BigEndian:
		return n.append(dst, u)
	case *Float:
		return n.append(dst, u)
	case *Bool:
		return n.append(dst, u)
	case *Digits:
		return n.append(dst, u)
	case *Hex:
		return n.append(dst, u)
	case *Plain:
		return n.append(dst, u)
	case *Date:
		return n.append(dst, u)
	case *DateNum:
		return n.append(dst, u)
	case *Timestamp:
		return AppendTimestamp(dst, int64(u), n.Xor, n.Rest)
	case *Varint:
		return n.append(dst, u)
	case *Whole:
		return n.As.AppendWhole(dst, u, n.Signed)
	}
	return dst
}

// Head is the byte in front of each form of a number, 0 if there is none.
func Head(n Number) byte { return FactsOf(n).Head }

// FactsOf is the facts of a number's form, none of no form.
func FactsOf(n Number) Facts {
	if n == nil {
		return Facts{}
	}
	return n.Facts()
}

// Read undoes Append of a whole form; false for bytes that Append never writes.
func Read(n Number, form []byte) (u uint64, ok bool) {
	switch n := n.(type) {
	case *BigEndian:
		return n.read(form)
	case *Float:
		return n.read(form)
	case *Bool:
		return n.read(form)
	case *Digits:
		return n.read(form)
	case *Hex:
		return n.read(form)
	case *Plain:
		return n.read(form)
	case *Date:
		return n.read(form)
	case *DateNum:
		return n.read(form)
	case *Timestamp:
		return n.read(form)
	case *Varint:
		return n.read(form)
	case *Whole:
		return n.As.ReadWhole(form, n.Signed)
	}
	return 0, false
}

// Len is the length of the form at the head of b, −1 if there is none, of a number
// whose form ends itself; flip is what each byte is XORed with besides.
func Len(n Number, b []byte, flip byte) int {
	switch n := n.(type) {
	case *Varint:
		return n.len(b)
	case *Whole:
		if n.As == Numeric {
			return NumericLen(b, flip)
		}
	}
	return -1
}

// headed is a size with that of a header.
func headed(head byte, size int) int {
	if head != 0 {
		size++
	}
	return size
}

// behead is a form without its header, false if it has not that one.
func behead(form []byte, head byte) ([]byte, bool) {
	if head == 0 {
		return form, true
	}
	if len(form) == 0 || form[0] != head {
		return form, false
	}
	return form[1:], true
}
