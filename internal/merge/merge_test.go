package merge

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/seed"
)

// memory is a cursor of keys in memory, which are its rows.
type memory struct{ keys [][]byte }

func (m *memory) Next() ([]byte, error) {
	if len(m.keys) == 0 {
		return nil, io.EOF
	}
	key := m.keys[0]
	m.keys = m.keys[1:]
	return key, nil
}

func (m *memory) Close() error { return nil }

func itself(key []byte) []byte { return key }

// TestRows: scans of a table are read in the order of their keys without the
// lead, where those are equal in that of the leads; held against a slice that is
// filtered and sorted. Keys are of two letters around a block's end.
func TestRows(t *testing.T) {
	r := seed.Rand(t)
	rest := func() []byte {
		b := bytes.Repeat([]byte{"ab"[r.IntN(2)]}, r.IntN(14))
		for i := range b {
			if r.IntN(8) == 0 {
				b[i] ^= 'a' ^ 'b'
			}
		}
		return b
	}
	for range 3000 {
		src := Source[[]byte]{Reversed: r.IntN(2) == 0, MaxKey: 100, Parallel: r.IntN(4)}
		var table, want [][]byte
		for id := range r.IntN(6) {
			lead := []byte{byte(id)}
			scan := Scan{ID: id, Start: append(lead, rest()...), Stop: []byte{byte(id) + 1}, Lead: 1}
			if stop := append(slices.Clone(lead), rest()...); bytes.Compare(scan.Start, stop) < 0 && r.IntN(2) == 0 {
				scan.Stop = stop
			}
			src.Scans = append(src.Scans, scan)
			for range r.IntN(12) {
				table = append(table, append([]byte{byte(id)}, rest()...))
			}
		}
		slices.SortFunc(table, bytes.Compare)
		table = slices.CompactFunc(table, bytes.Equal)
		of := func(id int) [][]byte {
			return slices.DeleteFunc(slices.Clone(table), func(key []byte) bool {
				return bytes.Compare(key, src.Scans[id].Start) < 0 || bytes.Compare(key, src.Scans[id].Stop) >= 0
			})
		}
		for id := range src.Scans {
			want = append(want, of(id)...)
		}
		slices.SortStableFunc(want, func(a, b []byte) int { return bytes.Compare(a[1:], b[1:]) })
		if src.Reversed {
			slices.Reverse(want)
		}
		if n := r.IntN(8); n > 0 && n < 4 {
			src.Limit = n
			want = want[:min(n, len(want))]
		}
		src.Open = func(_ context.Context, id int) (Cursor[[]byte], error) {
			keys := of(id)
			if src.Reversed {
				slices.Reverse(keys)
			}
			return &memory{keys}, nil
		}
		src.Key = itself
		src.Fail = func(id int, f Fault, err error) error { return fmt.Errorf("scan %d, fault %d: %v", id, f, err) }
		var got [][]byte
		src.Rows(t.Context(), func(key []byte, err error) bool {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, key)
			return true
		})
		if !slices.EqualFunc(got, want, bytes.Equal) {
			t.Fatalf("%+v\n got %x\nwant %x", src.Scans, got, want)
		}
	}
}

// slowly is a cursor of endless rows, some of which take their time.
type slowly struct {
	n, every uint64
}

func (c *slowly) Next() ([]byte, error) {
	if c.n++; c.n%c.every == 0 {
		time.Sleep(2 * quickCall)
	}
	return binary.BigEndian.AppendUint64(nil, c.n), nil
}

func (c *slowly) Close() error { return nil }

// TestQuick: a cursor that answers from memory is soon left to the loop, one
// that is slow is not, be it slow only each tenth time.
func TestQuick(t *testing.T) {
	const calls = 300
	for _, c := range []struct {
		name        string
		every       uint64
		least, most int // calls that are left to the loop
	}{{"never", 2 * calls, calls / 2, calls}, {"always", 1, 0, 0}, {"each tenth time", 10, 0, 40}, {"each 200th time", 200, calls / 2, calls}} {
		count := func() (quick int) {
			l := loop[[]byte]{ctx: t.Context(), src: &Source[[]byte]{
				Scans: []Scan{{Unbounded: true}}, MaxKey: 8, Key: itself,
				Open: func(context.Context, int) (Cursor[[]byte], error) { return &slowly{every: c.every}, nil },
			}}
			l.begin()
			l.crew.size = 1
			s := &l.streams[0]
			for range calls {
				if l.call(s); s.quick >= s.trust {
					quick++
				}
			}
			if s.err != nil {
				t.Fatal(s.err)
			}
			return quick
		}
		quick := count()
		for try := 0; try < 5 && (quick < c.least || quick > c.most); try++ { // a busy machine makes any call slow
			quick = count()
		}
		if quick < c.least || quick > c.most {
			t.Errorf("%s slow: %d of %d calls are left to the loop", c.name, quick, calls)
		}
	}
}
