package laws

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/spaolacci/murmur3"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/seed"
)

// oracle32 is the hash by github.com/spaolacci/murmur3, which reads whole blocks
// as words of the machine's own byte order: a big-endian machine has to be given
// each word turned round. Its Sum32 does arithmetic on pointers, which kills a
// binary built with -race; New32 does not.
func oracle32(data []byte) uint32 {
	data = slices.Clone(data)
	if binary.NativeEndian.Uint16([]byte{0, 1}) == 1 {
		for i := 0; i+4 <= len(data); i += 4 {
			slices.Reverse(data[i : i+4])
		}
	}
	h := murmur3.New32()
	h.Write(data)
	return h.Sum32()
}

// TestSaltOracle computes the default bucket from the oracle for every number
// of buckets in a byte, and for some beyond.
func TestSaltOracle(t *testing.T) {
	r := seed.Rand(t)
	counts := []int{257, 1000, 65536, 100000, math.MaxInt32}
	for n := 1; n <= 256; n++ {
		counts = append(counts, n)
	}
	for _, n := range counts {
		s, err := rowkey.New("s").Salt(n, "b", rowkey.Width(4)).Binary("b").Build()
		if n == 1 && err != nil {
			continue // one bucket may be no salt at all
		}
		if err != nil {
			t.Fatal(err)
		}
		for range 50 {
			data := make([]byte, r.IntN(40))
			for i := range data {
				data[i] = byte(r.Uint32())
			}
			key, err := s.Key().Binary(data).Bytes()
			if err != nil {
				t.Fatal(err)
			}
			want := append(binary.BigEndian.AppendUint32(nil, oracle32(data)%uint32(n)), data...)
			if !bytes.Equal(key, want) {
				t.Fatalf("%d buckets: key %x, want %x", n, key, want)
			}
		}
	}
}
