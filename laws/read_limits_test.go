package laws

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
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
							err = rowkey.Must(rowkey.Bind[one](s)).Decode(key, &row)
							got = row.A
						} else {
							row := two{A: 77}
							err = rowkey.Must(rowkey.Bind[two](s)).Decode(key, &row)
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

// TestUnixLimits: a time as a number of its unit is written from the smallest to the
// largest one that comes back, rounded down to the key's unit, and no other.
func TestUnixLimits(t *testing.T) {
	type seconds struct {
		At int64 `rowkey:"at,s"`
	}
	type millis struct {
		At int64 `rowkey:"at,ms"`
	}
	type micros struct {
		At int64 `rowkey:"at,us"`
	}
	type nanos struct {
		At int64 `rowkey:"at,ns"`
	}
	const last = math.MaxInt64
	for _, c := range []struct {
		layout      string
		step        int64 // of the key, in the number's unit
		least, last int64
		try         func(t *testing.T, s *rowkey.Schema, v int64) (int64, error)
	}{
		{"[ns(at)]", 1, 0, last, unixTrip[nanos]},
		{"[ms(at)]", 1e6, 0, last, unixTrip[nanos]},
		{"[ns(at) phoenix]", 1, -last, last, unixTrip[nanos]},
		{"[ns(at) phoenix desc]", 1, -last, last, unixTrip[nanos]},
		{"[ms(at) phoenix]", 1e6, -9223372036854000000, last, unixTrip[nanos]},
		{"[ms(at) phoenix desc]", 1e6, -9223372036854000000, last, unixTrip[nanos]},
		{"[ms(at) phoenix]", 1e3, -9223372036854775000, last, unixTrip[micros]},
		{"[ms(at) phoenix]", 1, -last, last, unixTrip[millis]},
		{"[ns(at) orderedbytes]", 1, -last, last, unixTrip[nanos]},
		{"[us(at) orderedbytes]", 1e3, -9223372036854775000, last, unixTrip[nanos]},
		{"[s(at) orderedbytes]", 1e6, -9223372036854000000, last, unixTrip[micros]},
		{"[s(at) orderedbytes]", 1, -1 << 62, 1 << 62, unixTrip[seconds]},
	} {
		s := rowkey.Must(rowkey.Parse("t", c.layout))
		for _, v := range []int64{
			math.MinInt64, math.MinInt64 + 1, c.least - 1, c.least, c.least + 1, -c.step - 1, -c.step, -1,
			0, 1, c.step, c.last - 1, c.last, c.last + 1, math.MaxInt64,
		} {
			got, err := c.try(t, s, v)
			down := v - ((v%c.step)+c.step)%c.step
			if taken := v >= c.least && v <= c.last; (err == nil) != taken || taken && got != down {
				t.Errorf("%s: %d comes back as %d, %v", c.layout, v, got, err)
			}
			if err != nil && !errors.Is(err, rowkey.ErrRange) {
				t.Errorf("%s: %d: %v", c.layout, v, err)
			}
		}
	}
}

// unixTrip writes a struct of one int64 and reads it back.
func unixTrip[T any](t *testing.T, s *rowkey.Schema, v int64) (int64, error) {
	t.Helper()
	var row, back T
	reflect.ValueOf(&row).Elem().Field(0).SetInt(v)
	c := rowkey.Must(rowkey.Bind[T](s))
	key, err := c.Append(nil, &row)
	if err != nil {
		return 0, err
	}
	if err := c.Decode(key, &back); err != nil {
		t.Errorf("%v: %d was written and is refused: %v", s, v, err)
	}
	return reflect.ValueOf(back).Field(0).Int(), nil
}
