package form

// Number is a way to write a number of 64 bits, and to read it back. A number is what
// its kind's numbers are in 64 bits: of an Int two's complement, of a Float IEEE bits,
// of a Bool 0 or 1, of a Time whole units, of a date seconds since 1970.
//
// A new one is a type in a file of its own, and a line in each of Append and Read.
// They are no method calls through the interface, since these would move a caller's
// buffer to the heap.
type Number interface {
	// Width is the bytes of every form; 0 where they vary.
	Width() int
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
	case *Whole:
		return n.As.AppendWhole(dst, u, n.Signed)
	}
	return dst
}

// Head is the byte in front of each form of a number, 0 if there is none.
func Head(n Number) byte {
	switch n := n.(type) {
	case *BigEndian:
		return n.Head
	case *Float:
		return n.Head
	}
	return 0
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
	case *Whole:
		return n.As.ReadWhole(form, n.Signed)
	}
	return 0, false
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
