package form

// Each form of a number has a case in Append and in Read, and if its forms end themselves
// also in Len. Calls through an interface would be shorter, but the compiler would have to
// move the caller's buffer to the heap.

// Append appends the form of u, which n must be able to hold.
func Append(n Number, dst []byte, u uint64) []byte {
	switch n := n.(type) {
	case *BigEndian:
		return n.append(dst, u)
	case *Bool:
		return n.append(dst, u)
	case *Date:
		return n.append(dst, u)
	case *DateNum:
		return n.append(dst, u)
	case *Digits:
		return n.append(dst, u)
	case *Float:
		return n.append(dst, u)
	case *Hex:
		return n.append(dst, u)
	case *Plain:
		return n.append(dst, u)
	case *Timestamp:
		return n.append(dst, u)
	case *Varint:
		return n.append(dst, u)
	case *Whole:
		return n.append(dst, u)
	}
	return dst
}

// Read is the number of a whole form. It is false for bytes that Append never writes.
func Read(n Number, form []byte) (u uint64, ok bool) {
	switch n := n.(type) {
	case *BigEndian:
		return n.read(form)
	case *Bool:
		return n.read(form)
	case *Date:
		return n.read(form)
	case *DateNum:
		return n.read(form)
	case *Digits:
		return n.read(form)
	case *Float:
		return n.read(form)
	case *Hex:
		return n.read(form)
	case *Plain:
		return n.read(form)
	case *Timestamp:
		return n.read(form)
	case *Varint:
		return n.read(form)
	case *Whole:
		return n.read(form)
	}
	return 0, false
}

// Len is the length of the form at the start of b; −1 if there is none, or if the forms
// of n do not end themselves. Each byte of b is XOR flip. Of a varint c0 40 00 61 it is 3.
func Len(n Number, b []byte, flip byte) int {
	switch n := n.(type) {
	case *Varint:
		return n.len(b, flip)
	case *Whole:
		return n.len(b, flip)
	}
	return -1
}
