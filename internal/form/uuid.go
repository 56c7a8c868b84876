package form

// A UUID's text is 32 lower-case hexadecimal digits with a dash behind the 8th,
// 12th, 16th and 20th, as java.util.UUID.toString writes it; its form is the 16
// bytes that the digits say, the most significant first:
//
//	fb2b4e5e-1c7d-4f6a-9b1e-2f00c0ffee01  →  fb2b4e5e1c7d4f6a9b1e2f00c0ffee01
//
// The bytes sort as the texts do. Upper case is refused: it would not come back.

const (
	UUIDText = 36 // characters of the text
	UUIDSize = 16 // bytes of the form
)

// uuidDash reports that a dash stands at a place of the text.
func uuidDash(i int) bool { return i == 8 || i == 13 || i == 18 || i == 23 }

// uuidDigit is a hexadecimal digit, or −1.
func uuidDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c - 'a' + 10)
	}
	return -1
}

// PackUUID turns the text b, of UUIDText characters, into its bytes, in place;
// false if it is no UUID.
func PackUUID(b []byte) ([]byte, bool) {
	n := 0 // digits so far
	for i, c := range b {
		if uuidDash(i) {
			if c != '-' {
				return b, false
			}
			continue
		}
		d := uuidDigit(c)
		if d < 0 {
			return b, false
		}
		if n%2 == 0 {
			b[n/2] = byte(d << 4) // never behind i
		} else {
			b[n/2] |= byte(d)
		}
		n++
	}
	return b[:UUIDSize], true
}

// UnpackUUID turns the bytes dst[at:] into their text; false if they are not
// UUIDSize.
func UnpackUUID(dst []byte, at int) ([]byte, bool) {
	if len(dst)-at != UUIDSize {
		return dst, false
	}
	var form [UUIDSize]byte
	copy(form[:], dst[at:])
	return appendUUID(dst[:at], form), true
}

func appendUUID(dst []byte, form [UUIDSize]byte) []byte {
	for i, b := range form {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			dst = append(dst, '-')
		}
		dst = append(dst, hexLower[b>>4], hexLower[b&15])
	}
	return dst
}

const hexLower = "0123456789abcdef"

// UUIDFrom is the least UUID that is no less than a text, as text: of "f" it is
// f0000000-0000-0000-0000-000000000000. False if all are less.
func UUIDFrom(v string) (string, bool) {
	var digits [2 * UUIDSize]int
	n := 0 // digits that are decided
	for i := 0; i < UUIDText && i < len(v); i++ {
		c := v[i]
		switch {
		case uuidDash(i) && c == '-':
			continue
		case uuidDash(i) && c < '-':
			return uuidOf(digits), true
		case uuidDash(i) || c > 'f':
			return uuidAfter(digits, n)
		}
		d := uuidDigit(c)
		switch {
		case d >= 0:
			digits[n] = d
			n++
			continue
		case c > '9': // and below a
			digits[n] = 10
		}
		return uuidOf(digits), true
	}
	if len(v) > UUIDText {
		return uuidAfter(digits, n)
	}
	return uuidOf(digits), true
}

// uuidAfter is the least UUID above all that begin with n digits.
func uuidAfter(digits [2 * UUIDSize]int, n int) (string, bool) {
	for n--; n >= 0; n-- {
		if digits[n]++; digits[n] < 16 {
			return uuidOf(digits), true
		}
		digits[n] = 0
	}
	return "", false
}

func uuidOf(digits [2 * UUIDSize]int) string {
	var form [UUIDSize]byte
	for i := range form {
		form[i] = byte(digits[2*i]<<4 | digits[2*i+1])
	}
	return string(appendUUID(nil, form))
}
