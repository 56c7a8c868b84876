package form

// A padded form is filled up to a width with one byte, on the right or on the left:
//
//	"ab" to four bytes with 00, on the right   61 62 00 00
//	"ab" to four bytes with 20, on the left    20 20 61 62
//
// A text that ends (or on the left begins) in the pad would come back shorter. Filled
// on the right, forms sort as their values do if no byte of a value lies below the
// pad; on the left they do not sort.

// AppendPad fills the bytes dst[at:] up to width on the right; there are no more.
func AppendPad(dst []byte, at, width int, pad byte) []byte {
	for len(dst)-at < width {
		dst = append(dst, pad)
	}
	return dst
}

// AppendPadLeft fills the bytes dst[at:] up to width on the left; there are no more.
func AppendPadLeft(dst []byte, at, width int, pad byte) []byte {
	n := len(dst) - at
	dst = AppendPad(dst, at, width, pad)
	copy(dst[at+width-n:], dst[at:at+n])
	for i := at; i < at+width-n; i++ {
		dst[i] = pad
	}
	return dst
}

// Unpad is how many bytes of b are left without the pad on the right.
func Unpad[T string | []byte](b T, pad byte) int {
	n := len(b)
	for n > 0 && b[n-1] == pad {
		n--
	}
	return n
}

// UnpadLeft is how many bytes of the pad b begins with.
func UnpadLeft(b []byte, pad byte) int {
	n := 0
	for n < len(b) && b[n] == pad {
		n++
	}
	return n
}

// Padded fills on the right up to n bytes with b, in which no value may end. Forms
// keep their order only if the pad is the smallest byte in use, or the largest:
//
//	with 00   "ab" is 61 62 00, "abc" is 61 62 63: the shorter first, as in values
//	with ff   "ab" is 61 62 ff: the shorter last
//	with 62   "ab" is 61 62 62, "aba" is 61 62 61, "abc" is 61 62 63: no order
func (s Shape) Padded(n int, b byte) Shape {
	switch {
	case s.Fixed() && s.Min == n: // nothing to fill
	case b <= s.Bytes.Lowest():
		s.Tail = ShortFirst
	case b >= s.Bytes.Highest():
		s.Tail = ShortLast
	default:
		s.Tail = ShortNowhere
	}
	if s.Tail == ShortLast && s.Dir == Up || s.Tail == ShortFirst && s.Dir == Down || s.Tail == ShortNowhere {
		s.Dir = NoOrder
	}
	s.Bytes[b] = true
	return s.Exactly(n)
}

// PaddedLeft fills on the left: the places move, the order goes.
func (s Shape) PaddedLeft(n int, b byte) Shape {
	if !(s.Fixed() && s.Min == n) {
		s.Dir = NoOrder
	}
	s.Bytes[b] = true
	return s.Exactly(n)
}
