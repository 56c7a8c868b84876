// Package shell knows how hbase shell and Bytes.toBytesBinary write a key: letters
// and digits as they are, all else as \xHH in upper case:
//
//	61 5f 00   a\x5F\x00
//
// It must know nothing of schemas. A raw quote or # would break the literal into
// which a text is pasted. In SPLITS and splits files it stands in single quotes or
// none, in STARTROW, STOPROW and ROWPREFIXFILTER in double quotes.
package shell

const hexUpper = "0123456789ABCDEF"

// Text is a key as that text.
func Text(key []byte) string {
	b := make([]byte, 0, 2*len(key))
	for _, c := range key {
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			b = append(b, c)
		} else {
			b = append(b, '\\', 'x', hexUpper[c>>4], hexUpper[c&15])
		}
	}
	return string(b)
}

// Parse reads what Text and Bytes.toStringBinary write; of other text it says the
// place, and what was expected there. Lower-case escapes, which HBase takes for four
// characters, are refused, and so is what neither writes.
func Parse(s string) (key []byte, at int, expected string) {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\\' {
			if i+3 >= len(s) || s[i+1] != 'x' {
				return nil, i, `expected \xHH`
			}
			hi, lo := hexValue(s[i+2]), hexValue(s[i+3])
			if hi < 0 || lo < 0 {
				return nil, i, `expected \xHH with digits and upper-case letters`
			}
			c = byte(hi<<4 | lo)
			i += 3
		} else if c < 0x20 || c > 0x7e {
			return nil, i, `expected printable ASCII or \xHH`
		}
		b = append(b, c)
	}
	return b, 0, ""
}

// hexValue is the value of an upper-case hexadecimal digit, −1 for others.
func hexValue(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
