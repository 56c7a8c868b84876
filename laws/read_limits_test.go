package laws

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/hbase-rowkey/rowkey"
)

// TestReadLimits: every way to read a number takes the bytes of its smallest and largest
// value, and no others: not those beside them, and not the ends of its width, where a
// sum of the check could wrap.
func TestReadLimits(t *testing.T) {
	type one struct {
		A uint64 `rowkey:"a"`
	}
	type two struct {
		A uint64 `rowkey:"a"`
		X uint64 `rowkey:"x"`
	}
	for w := 1; w <= 8; w++ {
		all := ^uint64(0) >> (64 - 8*w)
		for _, limit := range []uint64{1, 2, 100, all/2 + 1, all} {
			for _, desc := range []string{"", " desc"} {
				a := fmt.Sprintf("[a:%d below(%d)%s]", w, limit, desc)
				for _, layout := range []string{a, "[x:8]" + a, a + "[x:8]"} {
					s, err := rowkey.Parse("t", layout)
					if err != nil {
						t.Fatalf("%s: %v", layout, err)
					}
					for _, v := range []uint64{0, 1, limit - 1, limit, limit + 1, all / 2, all/2 + 1, all - 1, all} {
						if v > all {
							continue
						}
						key := binary.BigEndian.AppendUint64(nil, v<<(64-8*w))[:w]
						if desc != "" { // the largest of its width − v
							key = binary.BigEndian.AppendUint64(nil, (all-v)<<(64-8*w))[:w]
						}
						x := []byte{1, 2, 3, 4, 5, 6, 7, 8}
						switch layout {
						case "[x:8]" + a:
							key = append(x, key...)
						case a + "[x:8]":
							key = append(key, x...)
						}
						limitsRead(t, s, key, v, v < limit)
						var got uint64
						if layout == a {
							row := one{A: 77}
							err = rowkey.MustBind[one](s).Decode(key, &row)
							got = row.A
						} else {
							row := two{A: 77}
							err = rowkey.MustBind[two](s).Decode(key, &row)
							got = row.A
						}
						if (err == nil) != (v < limit) || err == nil && got != v || err != nil && got != 77 {
							t.Errorf("%s: %x is decoded into a struct as %d, %v", layout, key, got, err)
						}
					}
				}
			}
		}
	}
}

// limitsRead reads the field a of a key in the other ways.
func limitsRead(t *testing.T, s *rowkey.Schema, key []byte, want uint64, fits bool) {
	t.Helper()
	row, err := s.Decode(key)
	if (err == nil) != fits {
		t.Errorf("%v: %x is decoded: %v", s, key, err)
	}
	if err == nil {
		for name, v := range row.All() {
			if name == "a" && v != want {
				t.Errorf("%v: %x is decoded as %v", s, key, v)
			}
		}
	}
	r := s.Read(key)
	var got uint64
	for f := range s.Fields() {
		if f.Name == "a" {
			r = r.Uint(&got)
		} else {
			r = r.Skip()
		}
	}
	if err := r.Err(); (err == nil) != fits || err == nil && got != want {
		t.Errorf("%v: %x is read as %d, %v", s, key, got, err)
	}
}
