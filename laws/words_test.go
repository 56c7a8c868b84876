package laws

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
)

// Texts are written and read in words of 4 and 8 bytes, whose edges the laws'
// short texts do not reach: every length, and every place of the separator in
// it, through every way to write a key.

type wordsRow struct {
	ID string `rowkey:"id"`
	N  uint64 `rowkey:"n"`
}

func TestTextsOfEveryLength(t *testing.T) {
	for _, sep := range []string{"_", "\x00", "\xff"} {
		for _, schema := range []*rowkey.Schema{
			rowkey.New("plain").String("id").Separator(sep).Uint("n", 8).MustBuild(),
			rowkey.New("salted").Salt(16, "id").String("id").Separator(sep).Uint("n", 8).MustBuild(),
			rowkey.New("salted by thirds").Salt(3, "id").String("id").Separator(sep).Uint("n", 8).MustBuild(),
			rowkey.New("hashed").Hash(rowkey.MD5.Hex(6), "id").String("id").Separator(sep).Uint("n", 8).MustBuild(),
		} {
			codec := rowkey.Must(rowkey.Bind[wordsRow](schema))
			ways := map[string]func(buf []byte, id string) ([]byte, error){
				"String": func(buf []byte, id string) ([]byte, error) { return schema.KeyIn(buf).String(id).Uint(7).Bytes() },
				"Binary": func(buf []byte, id string) ([]byte, error) {
					return schema.KeyIn(buf).Binary([]byte(id)).Uint(7).Bytes()
				},
				"any":   func(buf []byte, id string) ([]byte, error) { return schema.AppendKey(buf, id, 7) },
				"codec": func(buf []byte, id string) ([]byte, error) { return codec.Append(buf, &wordsRow{id, 7}) },
				"all": func(buf []byte, id string) ([]byte, error) {
					keys, ends, err := codec.AppendAll(buf, nil, []wordsRow{{id, 7}})
					if err == nil {
						require.Equal(t, []int{len(keys)}, ends)
					}
					return keys, err
				},
			}
			for n := range 40 {
				clean := strings.Repeat("aé\x7f~^`\xfe\x02", 11)[:n]
				// The slow way: value by value, put together at the end.
				want, err := schema.Rekey(nil, wordsKey(t, schema, clean), schema)
				require.NoError(t, err)
				checkRead(t, schema, want, clean)
				for name, way := range ways {
					for _, room := range []int{0, n + 9, 200} {
						got, err := way(make([]byte, 0, room), clean)
						require.NoError(t, err, "%s of %d bytes", name, n)
						require.Equal(t, want, got, "%s of %d bytes", name, n)
						for at := range n {
							dirty := clean[:at] + sep + clean[at+1:]
							got, err := way(make([]byte, 0, room), dirty)
							require.ErrorIs(t, err, rowkey.ErrTerminator, "%s of %d bytes, the separator at %d", name, n, at)
							require.Empty(t, got)
						}
					}
				}
			}
		}
	}
}

func wordsKey(t *testing.T, s *rowkey.Schema, id string) []byte {
	key, err := s.AppendKey(nil, id, 7)
	require.NoError(t, err)
	return key
}

// checkRead reads the text into buffers of every size, and leaves what lies
// after it alone.
func checkRead(t *testing.T, s *rowkey.Schema, key []byte, id string) {
	var text string
	var n uint64
	require.NoError(t, s.Read(key).String(&text).Uint(&n).Err())
	require.Equal(t, id, text)
	require.EqualValues(t, 7, n)
	for _, room := range []int{0, len(id), len(id) + 1, 64} {
		whole := bytes.Repeat([]byte{'#'}, room+8)
		got := whole[:0:room]
		require.NoError(t, s.Read(key).Binary(&got).Uint(&n).Err())
		require.Equal(t, id, string(got), "into %d bytes", room)
		tail := whole[min(len(id), room):]
		if len(id) > room {
			tail = whole
		}
		require.Equal(t, strings.Repeat("#", len(tail)), string(tail), "behind a text of %d in %d bytes", len(id), room)
	}
	for i := range key { // one bit elsewhere is another key, or none
		other := bytes.Clone(key)
		other[i] ^= 1
		var err error
		if text, n, err = readBack(s, other); err == nil {
			again, err := s.AppendKey(nil, text, n)
			require.NoError(t, err)
			require.Equal(t, other, again, fmt.Sprintf("bit of byte %d", i))
		}
		row, decodeErr := s.Decode(other)
		require.Equal(t, decodeErr == nil, err == nil, "Read and Decode of byte %d: %v, %v", i, err, decodeErr)
		_ = row
	}
	for end := range len(key) {
		_, _, err := readBack(s, key[:end])
		require.Error(t, err)
		require.Error(t, s.Read(key[:end]).Skip().Skip().Err())
	}
}

func readBack(s *rowkey.Schema, key []byte) (text string, n uint64, err error) {
	err = s.Read(key).String(&text).Uint(&n).Err()
	return text, n, err
}
