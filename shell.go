package rowkey

// Shell is a key as hbase shell and Bytes.toBytesBinary read it; letters and
// digits as they are, all else \xHH: a raw quote or # would break the literal
// into which it is pasted. In SPLITS and splits files it stands in single
// quotes or none, in STARTROW, STOPROW and ROWPREFIXFILTER in double quotes.
func Shell(key []byte) string {
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

// ParseShell reads what Shell and Bytes.toStringBinary write; lower-case
// escapes, which HBase takes literally, are refused, and so is what neither
// writes. The error's Offset is in s.
func ParseShell(s string) ([]byte, error) {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\\' {
			if i+3 >= len(s) || s[i+1] != 'x' {
				return nil, shellError(i, `expected \xHH`)
			}
			hi, lo := hexValue(s[i+2]), hexValue(s[i+3])
			if hi < 0 || lo < 0 {
				return nil, shellError(i, `expected \xHH with digits and upper-case letters`)
			}
			c = byte(hi<<4 | lo)
			i += 3
		} else if c < 0x20 || c > 0x7e {
			return nil, shellError(i, `expected printable ASCII or \xHH`)
		}
		b = append(b, c)
	}
	return b, nil
}

func shellError(i int, what string) error {
	return &Error{Field: "shell text", Offset: i, Err: &detail{what, ErrMalformed}}
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
