package laws

import (
	"fmt"
	"math"
	"testing"

	"github.com/hbase-rowkey/rowkey"
)

// Two numbers that stand one after the other are written in one step by a codec. Each of the
// two is refused by itself.

type pairRow[A, B any] struct {
	First  A `rowkey:"first"`
	Second B `rowkey:"second"`
	Tail   string
}

// TestPairs: a codec writes two numbers as AppendKey does, and refuses what it refuses: of every
// two sizes, with limits and without, before other fields and at the end of the key.
func TestPairs(t *testing.T) {
	pairOf[uint64, uint64](t, 8, 8)
	pairOf[uint64, uint32](t, 8, 4)
	pairOf[uint32, uint64](t, 4, 8)
	pairOf[uint32, uint32](t, 4, 4)
	pairOf[uint8, uint64](t, 1, 8)
	pairOf[uint8, uint32](t, 1, 4)
	pairOf[uint64, uint8](t, 8, 1)
	pairOf[uint16, uint64](t, 2, 8)
}

func pairOf[A, B uint8 | uint16 | uint32 | uint64](t *testing.T, first, second int) {
	limits := [][]rowkey.FieldOption{nil, {rowkey.Desc}, {rowkey.Below(100)}, {rowkey.Below(100), rowkey.Desc}}
	values := []uint64{0, 1, 99, 100, 255, math.MaxUint32, math.MaxInt64, 1 << 63, math.MaxUint64}
	for i := range limits {
		for j := range limits {
			s := rowkey.New("pairs").Uint("first", first, limits[i]...).Uint("second", second, limits[j]...).MustBuild()
			codec := rowkey.Must(rowkey.Bind[pairRow[A, B]](s))
			for _, x := range values {
				for _, y := range values {
					row := pairRow[A, B]{First: A(x), Second: B(y)}
					want, wantErr := s.AppendKey(nil, uint64(row.First), uint64(row.Second))
					got, err := codec.Append(make([]byte, 0, 64), &row)
					if string(got) != string(want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
						t.Fatalf("%s of %d, %d: %x %v, and by AppendKey %x %v", s, row.First, row.Second, got, err, want, wantErr)
					}
				}
			}
		}
	}
}
