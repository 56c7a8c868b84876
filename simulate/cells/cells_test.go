package cells

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The sizes of cells are those that HBase's own encoders gave, byte for byte;
// testdata/encodings/Encodings.java asked them.
func TestEncodings(t *testing.T) {
	f, err := os.Open("testdata/encodings/encodings.jsonl")
	require.NoError(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	n := 0
	shared, apart := 0, 0 // cases with rows of one length, and of several
	for lines.Scan() {
		n++
		var v struct {
			Rows                   []string
			Family, Value          int
			Qualifiers             []string
			None, Prefix, FastDiff int64
		}
		require.NoError(t, json.Unmarshal(lines.Bytes(), &v))
		k := Costs{Family: v.Family, Qualifiers: v.Qualifiers, Value: v.Value, Block: 1 << 30}
		var buf []byte // the same one for all, as a stream has it
		for _, row := range v.Rows {
			b, err := hex.DecodeString(row)
			require.NoError(t, err)
			buf = append(buf[:0], b...)
			k.Add(buf)
			if len(row) == len(v.Rows[0]) {
				shared++
			} else {
				apart++
			}
		}
		assert.Equal(t, v.None, k.None, "line %d, NONE", n)
		assert.Equal(t, v.Prefix, k.Prefix, "line %d, PREFIX", n)
		assert.Equal(t, v.FastDiff, k.FastDiff, "line %d, FAST_DIFF", n)
	}
	require.NoError(t, lines.Err())
	assert.Equal(t, 300, n)
	assert.Positive(t, shared)
	assert.Positive(t, apart)
}

// Technique 24: the key repeats in every cell. 100 bytes of key in each of 10⁷
// cells are a gigabyte before compression.
func TestKeyRepeatsInEveryCell(t *testing.T) {
	k := Costs{Family: 1, Qualifiers: []string{"a", "b", "c", "d"}, Value: 8, Block: 1 << 30}
	row := []byte(strings.Repeat("k", 100))
	k.Add(row)
	assert.EqualValues(t, 4*100, k.RowBytes)
	assert.EqualValues(t, 4*(4+4+2+100+1+1+1+8+1+8), k.None)
	assert.EqualValues(t, 1_000_000_000, k.RowBytes/k.Cells*10_000_000)
}

// Technique 23: the three keys of 17 bytes that an article counts as 36 → 25 are
// 51; what PREFIX leaves out of them is what each shares with the one before.
func TestSharedWithTheKeyBefore(t *testing.T) {
	k := Costs{Family: 1, Qualifiers: []string{"q"}, Value: 8, Block: 1 << 30}
	for _, row := range []string{"000001-a1b2c3d4e5", "000002-a1b2c3d4e5", "000003-a1b2c3d4e5"} {
		k.Add([]byte(row))
	}
	assert.EqualValues(t, 51, k.RowBytes)
	assert.EqualValues(t, 5+5, k.SharedBytes)

	// One byte more, and a row shares nothing with the one before: its length
	// stands before it.
	longer := Costs{Family: 1, Qualifiers: []string{"q"}, Value: 8, Block: 1 << 30}
	longer.Add([]byte("000001-a1b2c3d4e5"))
	longer.Add([]byte("000001-a1b2c3d4e5f"))
	assert.Zero(t, longer.SharedBytes)
}

// A block's first cell is whole.
func TestBlocks(t *testing.T) {
	k := Costs{Family: 1, Qualifiers: []string{"q"}, Value: 8, Block: 3 * 52} // three cells of 52 bytes
	one := Costs{Family: 1, Qualifiers: []string{"q"}, Value: 8, Block: 1 << 30}
	row := []byte(strings.Repeat("k", 22))
	one.Add(row)
	for range 7 {
		k.Add(row)
	}
	assert.EqualValues(t, 52, one.None)
	assert.EqualValues(t, 3, k.Blocks)
	next := (cell{row, 1, "q", 8}).prefixNext(cell{row, 1, "q", 8})
	assert.Equal(t, 3*one.Prefix+4*int64(next), k.Prefix)
}
