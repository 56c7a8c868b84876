package laws

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hbase-rowkey/rowkey"
)

type columnRow struct {
	ID    uint64 `rowkey:"id"`
	Small uint32 `rowkey:"small"`
	Code  uint16 `rowkey:"code"`
	On    uint8  `rowkey:"on"`
	At    int64  `rowkey:"at,ms"`
	Diff  int32  `rowkey:"diff"`
	User  int64  `rowkey:"user"`
}

// TestAppendAllOfNumbers: keys of numbers alone, which AppendAll writes many at a time,
// are those of Append, and a refused row is told by its place, wherever it stands and
// whatever room the arena has.
func TestAppendAllOfNumbers(t *testing.T) {
	codec := rowkey.Must(rowkey.Bind[columnRow](rowkey.New("numbers").Uint("id", 8, rowkey.Desc).Uint("small", 4, rowkey.Below(1<<31+1)).
		Uint("code", 2, rowkey.Below(1000)).Uint("on", 1, rowkey.Below(2)).Time("at", rowkey.Millis, rowkey.Desc).Int("diff", 4).Int("user", 8).MustBuild()))
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		rows := make([]columnRow, r.IntN(300))
		for i := range rows {
			rows[i] = columnRow{r.Uint64(), r.Uint32N(1<<31 + 1), uint16(r.IntN(1000)), uint8(r.IntN(2)), r.Int64N(1 << 50), int32(r.Uint32()), int64(r.Uint64())}
		}
		bad := -1
		if len(rows) > 0 && round%2 == 0 {
			bad = r.IntN(len(rows))
			switch row := &rows[bad]; round / 2 % 4 {
			case 0:
				row.At = -1
			case 1:
				row.Small = 1<<31 + 1
			case 2:
				row.Code = 1000
			default:
				row.On = 2
			}
		}
		var want []byte
		var wantEnds []int
		for i := range rows {
			if i == bad {
				break
			}
			key, err := codec.Append(nil, &rows[i])
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, key...)
			wantEnds = append(wantEnds, len(want))
		}
		room, guard := r.IntN(2*len(want)+1), "guard"
		arena := append(make([]byte, room, room+len(guard)), guard...)
		got, ends, err := codec.AppendAll(arena[:0:room], nil, rows)
		if string(arena[room:room+len(guard)]) != guard {
			t.Fatal("bytes behind the capacity are written")
		}
		if bad >= 0 {
			_, one := codec.Append(nil, &rows[bad])
			if err == nil || len(got) > 0 || len(ends) > 0 || one == nil || err.Error() == one.Error() {
				t.Fatalf("row %d is refused by %v, of %d bytes; alone by %v", bad, err, len(got), one)
			}
			if head := fmt.Sprintf("row %d", bad); !strings.Contains(err.Error(), head) {
				t.Fatalf("%v does not name %s", err, head)
			}
			continue
		}
		if err != nil || string(got) != string(want) || fmt.Sprint(ends) != fmt.Sprint(wantEnds) {
			t.Fatalf("%d rows: %v, or other keys", len(rows), err)
		}
	}
}
