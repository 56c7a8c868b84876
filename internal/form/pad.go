package form

// A padded form is filled up to a width with one byte, on the right or on the left:
//
//	"ab" to four bytes with 00, on the right   61 62 00 00
//	"ab" to four bytes with 20, on the left    20 20 61 62
//
// A value that ends with the pad (on the left: begins with it) cannot be told from a
// shorter value, so it must be refused. Forms filled on the right sort as their values
// do if no byte of a value lies below the pad. Forms filled on the left do not sort.

// AppendPad fills dst[at:], at most width bytes, up to width on the right.
func AppendPad(dst []byte, at, width int, pad byte) []byte {
	for len(dst)-at < width {
		dst = append(dst, pad)
	}
	return dst
}

// AppendPadLeft fills dst[at:], at most width bytes, up to width on the left.
func AppendPadLeft(dst []byte, at, width int, pad byte) []byte {
	n := len(dst) - at
	dst = AppendPad(dst, at, width, pad)
	Rotate(dst[at:], n)
	return dst
}

// Unpad is the length of b without the pad bytes at its end: of 61 62 20 20 with the
// pad 20 it is 2.
func Unpad[T string | []byte](b T, pad byte) int {
	n := len(b)
	for n > 0 && b[n-1] == pad {
		n--
	}
	return n
}

// UnpadLeft is how many pad bytes stand at the start of b.
func UnpadLeft(b []byte, pad byte) int {
	n := 0
	for n < len(b) && b[n] == pad {
		n++
	}
	return n
}

// Padded is the shape after AppendPad up to n bytes with the pad b. No value ends with b.
// Forms have an order only if the pad is the smallest byte in use, or the largest:
//
//	with 00   "ab" is 61 62 00, "abc" is 61 62 63: the shorter value first
//	with ff   "ab" is 61 62 ff: the shorter value last
//	with 62   "ab" is 61 62 62, "aba" is 61 62 61, "abc" is 61 62 63: no order
func (s Shape) Padded(n int, b byte) Shape {
	if !(s.Fixed() && s.Min == n) { // else there is nothing to fill
		s.Tail = s.shorter(b)
	}
	if s.Tail == ShortLast && s.Dir == Up || s.Tail == ShortFirst && s.Dir == Down || s.Tail == ShortNowhere {
		s.Dir = NoOrder
	}
	s.Bytes.Add(b)
	return s.Exactly(n)
}

// PaddedLeft is the shape after AppendPadLeft. It has no order if anything is filled:
// with 20, "b" is 20 62, below "aa", 61 61.
func (s Shape) PaddedLeft(n int, b byte) Shape {
	if !(s.Fixed() && s.Min == n) {
		s.Dir = NoOrder
	}
	s.Bytes.Add(b)
	return s.Exactly(n)
}
