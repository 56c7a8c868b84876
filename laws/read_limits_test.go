package laws

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
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

// TestReadFloatEnds: every way to read a Float gives the same, also beside −0 and beside the infinities, where
// NaN begins.
func TestReadFloatEnds(t *testing.T) {
	type row struct {
		A float64 `rowkey:"a"`
	}
	for _, layout := range []string{
		"[a:f8]", "[a:f8 desc]", "[a:f8 hbase]", "[a:f8 phoenix]", "[a:f8 phoenix desc]", "[a:f8 phoenix unsigned]",
		"[a:f4]", "[a:f4 desc]", "[a:f4 phoenix]", "[a:f4 phoenix desc]",
	} {
		s := rowkey.Must(rowkey.Parse("t", layout))
		codec := rowkey.Must(rowkey.Bind[row](s))
		read, refused := 0, 0
		for _, v := range []float64{0, 1, -1, math.Inf(1), math.Inf(-1)} {
			key, err := s.Key().Float(v).Bytes()
			if err != nil {
				continue // negative, and unsigned
			}
			word := append(make([]byte, 8-len(key)), key...)
			for beside := -3; beside <= 3; beside++ {
				near := binary.BigEndian.AppendUint64(nil, binary.BigEndian.Uint64(word)+uint64(beside))[8-len(key):]
				view, told := s.Decode(near)
				want := 77.0
				for _, v := range view.All() {
					want = v.(float64)
				}
				if told == nil {
					read++
				} else {
					refused++
				}
				got, into := 77.0, row{77}
				if err := s.Read(near).Float(&got).Err(); (err == nil) != (told == nil) || math.Float64bits(got) != math.Float64bits(want) {
					t.Errorf("%s: %x is %v, %v; read as %v, %v", layout, near, want, told, got, err)
				}
				if err := codec.Decode(near, &into); (err == nil) != (told == nil) || math.Float64bits(into.A) != math.Float64bits(want) {
					t.Errorf("%s: %x is %v, %v; decoded into a struct as %v, %v", layout, near, want, told, into.A, err)
				}
			}
		}
		if read == 0 || refused == 0 {
			t.Errorf("%s: %d keys are read, and %d refused", layout, read, refused)
		}
	}
}

// TestReadTextLimits: a text that is too short is refused with room for it and without, and so is each key that
// ends too early.
func TestReadTextLimits(t *testing.T) {
	const number = "\x01\x02\x03\x04\x05\x06\x07\x08"
	for _, test := range []struct{ layout, before, after string }{
		{"[a minlen(3)]['_'][b:8]", "", "_" + number},
		{"[a minlen(3)]['::'][b:8]", "", "::" + number},
		{"[b:8][a minlen(3)]['::'][c:8]", number, "::" + number},
		{"[b:8][a minlen(3)]", number, ""},
	} {
		s := rowkey.Must(rowkey.Parse("t", test.layout))
		read := func(key string, room []byte) (text string, err error) {
			r := s.Read([]byte(key))
			if test.before != "" {
				r = r.Skip()
			}
			if r = r.Binary(&room); test.after != "" {
				r = r.Skip()
			}
			return string(room), r.Err()
		}
		for n := range 20 {
			want := "abcdefghijklmnopqrst"[:n]
			key := test.before + want + test.after
			for _, room := range []int{0, 32} {
				if text, err := read(key, make([]byte, 0, room)); (err == nil) != (n >= 3) || err == nil && text != want {
					t.Errorf("%s: %q, with room for %d bytes, is read as %q, %v", test.layout, key, room, text, err)
				}
				for end := range len(key) - 1 {
					if _, err := read(key[:end], make([]byte, 0, room)); err == nil && (test.after != "" || end < len(test.before)+3) {
						t.Errorf("%s: %q, with room for %d bytes, is read", test.layout, key[:end], room)
					}
				}
			}
		}
	}
}

// TestReadSignedLimits: every way to read an Int takes the numbers within its limits and no others, also where
// a separator follows.
func TestReadSignedLimits(t *testing.T) {
	type row struct {
		A int64 `rowkey:"a"`
	}
	type longRow struct {
		A int64  `rowkey:"a"`
		X uint64 `rowkey:"x"`
	}
	const x = "\x01\x02\x03\x04\x05\x06\x07\x08"
	for _, test := range []struct{ layout, before, after string }{
		{"[a:i%d below(100)]", "", ""},
		{"[a:i%d below(100)]['|']", "", "|"},
		{"[a:i%d below(100)]['|'][x:8]", "", "|" + x},
		{"[x:8][a:i%d below(100)]['|']", x, "|"},
		{"[x:8][a:i%d below(100)]", x, ""},
	} {
		for w := 1; w <= 8; w++ {
			s := rowkey.Must(rowkey.Parse("t", fmt.Sprintf(test.layout, w)))
			half := int64(1) << (8*w - 2) // of 2⁸ʷ⁻¹, which no int64 is for 8 bytes
			for _, v := range []int64{-half - half, -half, -100, -1, 0, 1, 99, 100, half, half - 1 + half} {
				stored := binary.BigEndian.AppendUint64(nil, uint64(v+half+half)<<(64-8*w))[:w] // from its smallest value on
				key := []byte(test.before + string(stored) + test.after)
				var got, into int64
				r := s.Read(key)
				if test.before != "" {
					r = r.Skip()
				}
				if r = r.Int(&got); len(test.after) > 1 {
					r = r.Skip()
				}
				var bound error
				if strings.Contains(test.layout, "[x:8]") {
					one := longRow{A: 77}
					bound = rowkey.Must(rowkey.Bind[longRow](s)).Decode(key, &one)
					into = one.A
				} else {
					one := row{77}
					bound = rowkey.Must(rowkey.Bind[row](s)).Decode(key, &one)
					into = one.A
				}
				_, whole := s.Decode(key)
				fits := v >= 0 && v < 100
				if err := r.Err(); (err == nil) != fits || fits && got != v {
					t.Errorf("%v: %x is read as %d, %v", s, key, got, err)
				}
				if (bound == nil) != fits || fits && into != v || !fits && into != 77 {
					t.Errorf("%v: %x is decoded into a struct as %d, %v", s, key, into, bound)
				}
				if (whole == nil) != fits {
					t.Errorf("%v: %x is decoded: %v", s, key, whole)
				}
			}
		}
	}
}
