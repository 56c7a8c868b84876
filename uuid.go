package rowkey

// A UUID's text is 32 lower-case hexadecimal digits with a dash behind the 8th,
// 12th, 16th and 20th, as java.util.UUID.toString writes it; with the option UUID
// the key holds the 16 bytes that the digits say, the most significant first:
//
//	fb2b4e5e-1c7d-4f6a-9b1e-2f00c0ffee01  →  fb2b4e5e1c7d4f6a9b1e2f00c0ffee01
//
// The bytes sort as the texts do. Upper case is refused: it would not come back.

const (
	uuidText = 36
	uuidSize = 16
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

var errNoUUID error = &detail{"not 8-4-4-4-12 hexadecimal digits in lower case", ErrRange}

// packUUID turns the text in b into its bytes, in place.
func packUUID(b []byte) ([]byte, error) {
	if len(b) != uuidText {
		return b, lengthRefused(len(b), uuidText, uuidText)
	}
	n := 0 // digits so far
	for i, c := range b {
		if uuidDash(i) {
			if c != '-' {
				return b, errNoUUID
			}
			continue
		}
		d := uuidDigit(c)
		if d < 0 {
			return b, errNoUUID
		}
		if n%2 == 0 {
			b[n/2] = byte(d << 4) // never behind i
		} else {
			b[n/2] |= byte(d)
		}
		n++
	}
	return b[:uuidSize], nil
}

// unpackUUID turns the bytes at dst[at:] into their text.
func unpackUUID(dst []byte, at int) ([]byte, error) {
	if len(dst)-at != uuidSize {
		return dst, ErrMalformed
	}
	var form [uuidSize]byte
	copy(form[:], dst[at:])
	return appendUUID(dst[:at], form), nil
}

func appendUUID(dst []byte, form [uuidSize]byte) []byte {
	for i, b := range form {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			dst = append(dst, '-')
		}
		dst = append(dst, hexLower[b>>4], hexLower[b&15])
	}
	return dst
}

// optUUID adds the step to a text's pipeline.
func (p *pipeline) optUUID(misfit string) string {
	c := p.c
	switch {
	case c.kind != KindString || c.decimal != noDecimal:
		return misfit
	case c.dialect.framed():
		return "UUID does not fit a field of OrderedBytes or Phoenix, which say what its bytes are: give the field HBase"
	case c.codes != nil:
		return "Codes and UUID both say what is written"
	case p.started:
		return "UUID stands before the options that change bytes"
	}
	c.stages = append(c.stages, stage{word: wUUID})
	p.started = true
	p.seen[wUUID] = true
	return ""
}

// packed is the shape of the bytes of texts that are UUIDs, and why none is one.
func (s shape) packed() (shape, string) {
	if s.min > uuidText || s.max >= 0 && s.max < uuidText {
		return s, "UUID: no value has its 36 characters"
	}
	return fixedShape(uuidSize, s.dir), ""
}

// packs reports that the component writes its text as a UUID.
func (c *component) packs() bool { return len(c.stages) > 0 && c.stages[0].word == wUUID }

// packedSpan is a span of texts with its ends drawn in to UUIDs: it holds the same
// ones. False if it holds none.
func packedSpan(t textSpan) (textSpan, bool) {
	some := true
	if t.lo != "" {
		t.lo, some = uuidFrom(t.lo)
	}
	if !t.open {
		var ends bool
		if t.hi, ends = uuidFrom(t.hi); !ends {
			t.open = true
		}
	}
	return t, some && (t.open || t.lo < t.hi)
}

// uuidFrom is the least UUID that is no less than a text, as text; false if all
// are less.
func uuidFrom(v string) (string, bool) {
	var digits [2 * uuidSize]int
	n := 0 // digits that are decided
	for i := 0; i < uuidText && i < len(v); i++ {
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
	if len(v) > uuidText {
		return uuidAfter(digits, n)
	}
	return uuidOf(digits), true
}

// uuidAfter is the least UUID above all that begin with n digits.
func uuidAfter(digits [2 * uuidSize]int, n int) (string, bool) {
	for n--; n >= 0; n-- {
		if digits[n]++; digits[n] < 16 {
			return uuidOf(digits), true
		}
		digits[n] = 0
	}
	return "", false
}

func uuidOf(digits [2 * uuidSize]int) string {
	var form [uuidSize]byte
	for i := range form {
		form[i] = byte(digits[2*i]<<4 | digits[2*i+1])
	}
	return string(appendUUID(nil, form))
}
