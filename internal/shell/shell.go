// Package shell knows how hbase shell writes and reads a key, as Bytes.toStringBinary
// and Bytes.toBytesBinary do: printable ASCII but for the backslash as it is, all else
// as \xHH in upper case:
//
//	61 5f 00   a_\x00
//
// It must know nothing of schemas.
package shell

const hexUpper = "0123456789ABCDEF"

// Text is a key as HBase prints it.
func Text(key []byte) string { return string(Append(make([]byte, 0, 2*len(key)), key, false)) }

// Quoted is Text for a place between quotes of either kind, as in a command of the shell,
// and for a line of a file of splits. There a quote, a space at an end, or a # before {, $ or @
// would change what is read: it is escaped too.
func Quoted(key []byte) string { return string(Append(make([]byte, 0, 2*len(key)), key, true)) }

// Append appends Text, or Quoted, of a key.
func Append(dst, key []byte, quoted bool) []byte {
	for i, c := range key {
		if c < ' ' || c > '~' || c == '\\' || quoted && special(key, i) {
			dst = append(dst, '\\', 'x', hexUpper[c>>4], hexUpper[c&15])
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}

// special reports that the byte at i has a meaning between quotes, or at the end of a line.
func special(key []byte, i int) bool {
	switch key[i] {
	case '\'', '"', '`':
		return true
	case '#':
		return i+1 < len(key) && (key[i+1] == '{' || key[i+1] == '$' || key[i+1] == '@')
	case ' ':
		return i == 0 || i == len(key)-1
	}
	return false
}

// Parse reads what Text and Quoted write; of other text it says the place, and what was
// expected there. Lower-case escapes, which HBase takes for four characters, are refused.
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
