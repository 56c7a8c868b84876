package laws

import (
	"cmp"
	"encoding/binary"
	"errors"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// far has its fields so far from its beginning that nil and their offsets are
// addresses of memory that may be there.
type far struct {
	Room [1 << 24]byte
	A    string    `rowkey:"a"`
	B    []byte    `rowkey:"b"`
	At   time.Time `rowkey:"at"`
}

var farKeys = rowkey.New("far").String("a").Separator("_").Binary("b", rowkey.Escaped).Time("at", rowkey.Millis).MustBuild()

// TestCodecNil: a nil pointer is an error of every call, however large the struct,
// and not the end of the process.
func TestCodecNil(t *testing.T) {
	codec := rowkey.Must(rowkey.Bind[far](farKeys))
	dst, err := codec.Append([]byte("before"), nil)
	if !errors.Is(err, rowkey.ErrMissing) || string(dst) != "before" {
		t.Errorf("Append gives %q, %v", dst, err)
	}
	key := mustKey(t)(farKeys.AppendKey(nil, "a", "b", time.UnixMilli(1)))
	if err := codec.Decode(key, nil); !errors.Is(err, rowkey.ErrMissing) {
		t.Errorf("Decode: %v", err)
	}
	arena, ends, err := codec.AppendAll(nil, nil, nil)
	if len(arena)+len(ends) > 0 || err != nil {
		t.Errorf("AppendAll of nothing gives %q %v, %v", arena, ends, err)
	}

	// A codec of nothing, as a variable that was never set.
	type nilTrade struct {
		Seller string    `rowkey:"seller"`
		At     time.Time `rowkey:"at"`
		Order  uint64    `rowkey:"order"`
	}
	var none rowkey.Codec[nilTrade]
	var e *rowkey.Error
	if _, err := none.Append(nil, &nilTrade{}); !errors.As(err, &e) {
		t.Errorf("Append of the zero Codec: %v", err)
	}
	if _, _, err := none.AppendAll(nil, nil, make([]nilTrade, 2)); !errors.As(err, &e) {
		t.Errorf("AppendAll of the zero Codec: %v", err)
	}
	for _, key := range [][]byte{key, {}, nil} {
		if err := none.Decode(key, &nilTrade{}); !errors.As(err, &e) {
			t.Errorf("Decode of %x by the zero Codec: %v", key, err)
		}
	}
}

// TestCodecGivesBytesAway: bytes that Decode has given stay as they are when the
// same struct is decoded into again.
func TestCodecGivesBytesAway(t *testing.T) {
	type row struct {
		A string    `rowkey:"a"`
		B []byte    `rowkey:"b"`
		T time.Time `rowkey:"at"`
	}
	codec := rowkey.Must(rowkey.Bind[row](farKeys))
	var v row
	var all []row
	for _, b := range []string{"first", "x", "", "second"} {
		if err := codec.Decode(mustKey(t)(farKeys.AppendKey(nil, "a", b, time.UnixMilli(1))), &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	for i, want := range []string{"first", "x", "", "second"} {
		if got := string(all[i].B); got != want {
			t.Errorf("row %d has %q, and was decoded as %q", i, got, want)
		}
	}
	_ = append(all[1].B, "more"...)
	if string(all[3].B) != "second" {
		t.Errorf("rows share memory: %q", all[3].B)
	}
}

// TestTruncateSince: a time is rounded to multiples since 1970, so that a unit
// whose epoch is none of them is refused, below a second too.
func TestTruncateSince(t *testing.T) {
	const ms = time.Millisecond
	build := func(d time.Duration, epoch time.Time) (*rowkey.Schema, error) {
		return rowkey.New("t").Time("at", rowkey.Millis.Since(epoch), rowkey.Truncate(d)).Build()
	}
	for _, c := range []struct {
		d     time.Duration
		epoch time.Time
		ok    bool
	}{
		{300 * ms, time.Unix(1, 0), false}, // 1 s is 3⅓ of them
		{300 * ms, time.Unix(3, 0), true},
		{7 * ms, time.Unix(1700000000, 0), false},
		{7 * ms, time.Unix(7, 0), true},
		{300 * ms, time.UnixMilli(300), true},
		{250 * ms, time.Unix(1, 0), true},
		{500 * ms, time.Unix(1, 250_000_000), false},
		{time.Minute, time.Unix(90, 0), false},
		{300 * ms, time.Unix(-1, 0), false},
	} {
		s, err := build(c.d, c.epoch)
		if (err == nil) != c.ok {
			t.Errorf("Truncate(%v) since %v: %v", c.d, c.epoch, err)
			continue
		}
		if err != nil {
			continue
		}
		for _, after := range []time.Duration{0, ms, 299 * ms, 300 * ms, 1001 * ms, 12345 * ms} {
			at := c.epoch.Add(after)
			var got time.Time
			if err := s.Read(mustKey(t)(s.AppendKey(nil, at))).Time(&got).Err(); err != nil {
				t.Fatal(err)
			}
			if want := at.UnixNano() / int64(c.d) * int64(c.d); got.UnixNano() != want {
				t.Errorf("Truncate(%v) since %v: %v is stored as %v", c.d, c.epoch, at, got)
			}
		}
	}
}

// TestEpochFraction: of an epoch with a fraction of a second, units are counted from there.
func TestEpochFraction(t *testing.T) {
	type row struct {
		At time.Time `rowkey:"at"`
	}
	epochs := []time.Time{
		time.Unix(1577836800, 500_000_000), time.Unix(1577836800, 999_000_000), time.Unix(1577836800, 1000), time.Unix(1577836800, 1), time.Unix(-1, 250_000_000),
	}
	for _, unit := range []struct {
		rowkey.Unit
		step time.Duration
	}{{rowkey.Nanos, 1}, {rowkey.Micros, time.Microsecond}, {rowkey.Millis, time.Millisecond}, {rowkey.Seconds, time.Second}, {rowkey.Minutes, time.Minute}} {
		for _, epoch := range epochs {
			s := rowkey.New("t").Time("at", unit.Since(epoch)).MustBuild()
			codec := rowkey.Must(rowkey.Bind[row](s))
			for _, d := range []time.Duration{
				0, 1, unit.step - 1, unit.step, unit.step + 1, 2*unit.step - 1, 499_999_999, 500_000_000, 749_999_999, 750_000_000, time.Hour - 1, 12345*time.Hour + 678901234,
			} {
				at := epoch.Add(d)
				want := binary.BigEndian.AppendUint64(nil, uint64(d/unit.step))
				if got := mustKey(t)(s.Key().Time(at).Bytes()); string(got) != string(want) {
					t.Errorf("%v since %v: %v gives %x, want %x", unit.step, epoch, at, got, want)
				}
				if got := mustKey(t)(codec.Append(nil, &row{at})); string(got) != string(want) {
					t.Errorf("%v since %v: %v from a struct gives %x, want %x", unit.step, epoch, at, got, want)
				}
				var read time.Time
				var back row
				if err := cmp.Or(s.Read(want).Time(&read).Err(), codec.Decode(want, &back)); err != nil {
					t.Fatal(err)
				}
				if floor := epoch.Add(d / unit.step * unit.step); !read.Equal(floor) || !back.At.Equal(floor) {
					t.Errorf("%v since %v: %x is %v and %v, want %v", unit.step, epoch, want, read, back.At, floor)
				}
			}
			if _, err := s.Key().Time(epoch.Add(-1)).Bytes(); !errors.Is(err, rowkey.ErrRange) {
				t.Errorf("%v since %v: a time before it: %v", unit.step, epoch, err)
			}
		}
	}
}
