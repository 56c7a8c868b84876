package rowkey

import "fmt"

// MinLen admits values of at least n bytes, as they are before any option: with
// MinLen(1) an empty user is no key. It fits a String and a Binary, and with them a
// Copy, and changes no byte: with MinLen(2), "ab" is 6162 and "a" is refused.
func MinLen(n int) FieldOption { return fieldOpt{word: wMinLen, n: n} }

// minLen compiles MinLen.
func (p *pipeline) minLen(n int) string {
	if n < 1 || n > maxKey {
		return fmt.Sprintf("MinLen(%d) is not within 1 to %d", n, maxKey)
	}
	p.c.least = n
	return ""
}

// atLeast is the shape of the values that MinLen admits, and why there is none.
func (s shape) atLeast(n int) (shape, string) {
	if s.max >= 0 && s.max < n {
		return s, fmt.Sprintf("MinLen(%d): no value is so long", n)
	}
	s.min = max(s.min, n)
	if s.fixed() {
		s.ends = endWidth
	}
	return s, ""
}

// tooShort is the error of a value of n bytes.
func (c *component) tooShort(n int) error {
	return lengthRefused(n, c.least, maxKey)
}
