package rowkey

import forms "github.com/hbase-rowkey/rowkey/internal/form"

// Shell is a key as hbase shell and Bytes.toBytesBinary read it; letters and
// digits as they are, all else \xHH: a raw quote or # would break the literal
// into which it is pasted. In SPLITS and splits files it stands in single
// quotes or none, in STARTROW, STOPROW and ROWPREFIXFILTER in double quotes.
func Shell(key []byte) string { return forms.Shell(key) }

// ParseShell reads what Shell and Bytes.toStringBinary write; lower-case
// escapes, which HBase takes literally, are refused, and so is what neither
// writes. The error's Offset is in s.
func ParseShell(s string) ([]byte, error) {
	key, at, expected := forms.ParseShell(s)
	if expected != "" {
		return nil, &Error{Field: "shell text", Offset: at, Err: &detail{expected, ErrMalformed}}
	}
	return key, nil
}
