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
