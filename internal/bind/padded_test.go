package bind_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
)

type padded struct {
	A string `rowkey:"a"`
	B uint64 `rowkey:"b"`
}

// Padded texts whose bytes are limited, by Chars or as Phoenix limits a CHAR: with the hot path and without,
// each text gives the same key or error, and each key the same text or error, in a struct and field by field.
func TestPaddedChars(t *testing.T) {
	for _, notation := range []string{
		"[a pad(8,' ') phoenix][b:8]", "[b:8][a pad(8,' ') phoenix]", "[a pad(3,' ') phoenix]['|'][b:8]", "[a pad(20,' ') phoenix][b:8]", "[a padleft(8,'0') phoenix][b:8]",
		"[salt16(a)][a pad(8,' ') phoenix][b:8]", `[a pad(8,' ') chars("ab c")][b:8]`, `[a padleft(8,'0') chars("ab c")][b:8]`, `[a pad(8,' ') chars("ab") minlen(2)][b:8]`,
		"[a:bytes pad(8,' ') phoenix][b:8]", "[salt8(rest()) phoenixhash][a pad(8,' ') phoenix][b:8]", "[c=a left(2) pad(2,' ')][a pad(8,' ') phoenix][b:8]",
	} {
		s := parsed(t, notation)
		hot, cold := rowkey.Must(rowkey.Bind[padded](s.hot)), rowkey.Must(rowkey.Bind[padded](s.cold))
		texts := []string{"", "a", "b", " ", "0", "ab", "a ", " a", "ab  ", "0a", "a0", "a b c", "a\x1f", "\x00", "a\x7fb", "\x80", "é", "abcabcab", "abcabcabc", "abcabca ", "        ", "abcabcabcabcabcabcab"}
		for _, text := range texts {
			v := padded{text, 7}
			holdOne(t, s, &v)
			k, c := s.hot.KeyIn(make([]byte, 0, 64)), s.cold.KeyIn(make([]byte, 0, 64))
			for f := range s.hot.Fields() {
				switch {
				case f.Derived:
				case f.Name == "a":
					k, c = k.String(text), c.String(text)
				default:
					k, c = k.Uint(7), c.Uint(7)
				}
			}
			got, err := k.Bytes()
			key, wantErr := c.Bytes()
			require.Equal(t, wantErr, err, "%s of %q", notation, text)
			require.Equal(t, key, got, "%s of %q", notation, text)
			if wantErr != nil {
				continue
			}
			for at := -1; at < len(key); at++ {
				for _, b := range []byte{0, ' ', '0', 'a', 'z', 0x7f, 0x80} {
					was := byte(0)
					if at >= 0 {
						was, key[at] = key[at], b
					}
					var got, want padded
					wantErr := cold.Decode(key, &want)
					require.Equal(t, wantErr, hot.Decode(key, &got), "%s %x", notation, key)
					require.Equal(t, want, got, "%s %x", notation, key)
					read, err := readPadded(s.hot, key)
					wantRead, wantErr := readPadded(s.cold, key)
					require.Equal(t, wantErr, err, "%s %x", notation, key)
					require.Equal(t, wantRead, read, "%s %x", notation, key)
					if at >= 0 {
						key[at] = was
					}
				}
			}
		}
	}
}

func readPadded(s *rowkey.Schema, key []byte) (v padded, err error) {
	r := s.Read(key)
	for f := range s.Fields() {
		switch {
		case f.Derived:
		case f.Name == "a":
			r = r.String(&v.A)
		default:
			r = r.Uint(&v.B)
		}
	}
	return v, r.Err()
}
