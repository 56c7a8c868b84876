package write_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/inside"
	"github.com/hbase-rowkey/rowkey/internal/write"
)

// A note lies behind the key, where atomic operations take a number: in memory of any place and size, and in
// that of the first keys of schemas.
func TestNotesAligned(t *testing.T) {
	all := make([]byte, 400)
	for from := range 8 {
		for n := range 100 {
			for size := range 80 {
				buf := all[from : from+n : from+n+size]
				for i := range buf {
					buf[i] = byte(i)
				}
				got := write.Noted(buf)
				require.Zero(t, write.NoteAt(got)%4, "%d bytes from %d, room for %d", n, from, size)
				require.GreaterOrEqual(t, cap(got)-len(got), write.NoteSize)
				require.True(t, bytes.Equal(got, buf))
			}
		}
	}
	for n := range 20 {
		for _, notation := range []string{"[a fixed(%d)]", "[salt16(a)][a fixed(%d)]"} {
			k := write.Own(inside.Layout(rowkey.Must(rowkey.Parse("t", fmt.Sprintf(notation, n+1)))))
			require.Zero(t, write.NoteAt(k.Buf)%4, notation, n)
		}
	}
}
