package rowkey_test

import (
	"bytes"
	"crypto/md5"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/stretchr/testify/require"
)

// Each job stands beside its floor: straight-line Go written by hand for that
// one key, with the same checks (terminator, range of each number, key length).
// Both sides build into the same buffer and are held against each other before
// they are timed. Read the ratio of two medians of one run, never one number:
//
//	go test -run '^$' -bench . -count 10 . | benchstat -col '/side' -

var (
	benchPlain = rowkey.New("plain").
			String("seller").Separator("_").
			Time("at", rowkey.Millis, rowkey.Desc).
			Uint("order", 8).
			MustBuild()
	benchSalted = rowkey.New("salted").
			Salt(16, "seller").
			String("seller").Separator("_").
			Time("at", rowkey.Millis, rowkey.Desc).
			Uint("order", 8).
			MustBuild()
	benchMD5 = rowkey.New("md5").
			Hash(rowkey.MD5.Hex(6), "seller").
			String("seller").Separator("_").
			Time("at", rowkey.Millis, rowkey.Desc).
			Uint("order", 8).
			MustBuild()
	benchOpen = rowkey.New("open").
			Salt(16, "order").
			String("seller").Separator("_").
			Uint("order", 8).
			MustBuild()
)

type benchRow struct {
	Seller string `rowkey:"seller"`
	At     int64  `rowkey:"at,ms"`
	Order  uint64 `rowkey:"order"`
}

var benchRows = func() []benchRow {
	rows := make([]benchRow, 1024)
	for i := range rows {
		rows[i] = benchRow{"seller-" + strconv.Itoa(i*7919%1000), 1684203630000 + int64(i), uint64(i)}
	}
	return rows
}()

var errFloor = errors.New("floor")

// floorTail is what all the floors share: the text and its separator, the time
// taken from the largest, the number.
func floorTail(dst []byte, at int, r *benchRow) ([]byte, error) {
	if strings.IndexByte(r.Seller, '_') >= 0 || r.At < 0 {
		return dst[:at], errFloor
	}
	dst = append(append(dst, r.Seller...), '_')
	dst = binary.BigEndian.AppendUint64(dst, uint64(math.MaxInt64-r.At))
	dst = binary.BigEndian.AppendUint64(dst, r.Order)
	if len(dst)-at > 32767 {
		return dst[:at], errFloor
	}
	return dst, nil
}

//go:noinline
func floorPlain(dst []byte, r *benchRow) ([]byte, error) { return floorTail(dst, len(dst), r) }

//go:noinline
func floorTime(dst []byte, seller string, t time.Time, order uint64) ([]byte, error) {
	r := benchRow{seller, t.UnixMilli(), order}
	return floorTail(dst, len(dst), &r)
}

//go:noinline
func floorSalted(dst []byte, r *benchRow) ([]byte, error) {
	at := len(dst)
	dst, err := floorTail(append(dst, byte(floorMurmur(r.Seller)%16)), at, r)
	return dst, err
}

//go:noinline
func floorMD5(dst []byte, r *benchRow) ([]byte, error) {
	const digits = "0123456789abcdef"
	at := len(dst)
	var text [64]byte
	sum := md5.Sum(append(text[:0], r.Seller...))
	for _, b := range sum[:3] {
		dst = append(dst, digits[b>>4], digits[b&15])
	}
	return floorTail(dst, at, r)
}

func floorMurmur(s string) uint32 {
	const c1, c2 = 0xcc9e2d51, 0x1b873593
	var h uint32
	n := len(s)
	for ; len(s) >= 4; s = s[4:] {
		k := uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
		k *= c1
		k = k<<15 | k>>17
		h ^= k * c2
		h = (h<<13|h>>19)*5 + 0xe6546b64
	}
	var k uint32
	for i := len(s) - 1; i >= 0; i-- {
		k = k<<8 | uint32(s[i])
	}
	if len(s) > 0 {
		k *= c1
		k = k<<15 | k>>17
		h ^= k * c2
	}
	h ^= uint32(n)
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}

// side is one way to make the key of a row.
type side struct {
	name string
	key  func(dst []byte, r *benchRow) ([]byte, error)
}

// benchSides times the sides of one job, after they agreed on every row.
func benchSides(b *testing.B, sides ...side) {
	for _, s := range sides {
		b.Run("side="+s.name, func(b *testing.B) {
			size := 0
			for i := range benchRows {
				want, err := sides[0].key(nil, &benchRows[i])
				require.NoError(b, err)
				got, err := s.key(nil, &benchRows[i])
				require.NoError(b, err)
				require.Equal(b, want, got)
				size += len(got)
			}
			buf := make([]byte, 0, 128)
			b.ReportAllocs()
			b.SetBytes(int64(size / len(benchRows)))
			b.ResetTimer()
			for i := range b.N {
				key, err := s.key(buf, &benchRows[i&1023])
				if err != nil || len(key) == 0 {
					b.Fatal(err)
				}
			}
			keysPerSecond(b, b.N)
		})
	}
}

// keysPerSecond reports how many keys a second n keys in the benchmark's time are.
func keysPerSecond(b *testing.B, n int) {
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "keys/s")
}

// BenchmarkEncodeParallel has as many goroutines as processors, each with a buffer
// of its own, write keys of one schema: what they share is only read, so keys/s
// grow with -cpu 1,2,4 as the floor's do.
func BenchmarkEncodeParallel(b *testing.B) {
	codec := rowkey.Must(rowkey.Bind[benchRow](benchSalted))
	for _, s := range []side{
		{"floor", floorSalted},
		{"fluent", func(dst []byte, r *benchRow) ([]byte, error) {
			return benchSalted.KeyIn(dst).String(r.Seller).UnixMilli(r.At).Uint(r.Order).Bytes()
		}},
		{"codec", codec.Append},
	} {
		b.Run("side="+s.name, func(b *testing.B) {
			key, err := s.key(nil, &benchRows[0])
			require.NoError(b, err)
			b.ReportAllocs()
			b.SetBytes(int64(len(key)))
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				buf := make([]byte, 0, 128)
				for i := 0; pb.Next(); i++ {
					if _, err := s.key(buf, &benchRows[i&1023]); err != nil {
						b.Error(err)
						return
					}
				}
			})
			keysPerSecond(b, b.N)
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	codec := rowkey.Must(rowkey.Bind[benchRow](benchPlain))
	benchSides(b,
		side{"floor", floorPlain},
		side{"fluent", func(dst []byte, r *benchRow) ([]byte, error) {
			return benchPlain.KeyIn(dst).String(r.Seller).UnixMilli(r.At).Uint(r.Order).Bytes()
		}},
		side{"codec", codec.Append},
		side{"any", func(dst []byte, r *benchRow) ([]byte, error) {
			return benchPlain.AppendKey(dst, r.Seller, time.UnixMilli(r.At), r.Order)
		}},
		side{"sprintf", func(_ []byte, r *benchRow) ([]byte, error) {
			var fixed [16]byte
			binary.BigEndian.PutUint64(fixed[:], uint64(math.MaxInt64-r.At))
			binary.BigEndian.PutUint64(fixed[8:], r.Order)
			return []byte(fmt.Sprintf("%s_%s%s", r.Seller, fixed[:8], fixed[8:])), nil
		}})
}

func BenchmarkEncodeTime(b *testing.B) {
	times := make([]time.Time, len(benchRows))
	for i := range times {
		times[i] = time.UnixMilli(benchRows[i].At)
	}
	benchSides(b,
		side{"floor", func(dst []byte, r *benchRow) ([]byte, error) {
			return floorTime(dst, r.Seller, times[r.Order], r.Order)
		}},
		side{"fluent", func(dst []byte, r *benchRow) ([]byte, error) {
			return benchPlain.KeyIn(dst).String(r.Seller).Time(times[r.Order]).Uint(r.Order).Bytes()
		}})
}

func BenchmarkEncodeSalted(b *testing.B) {
	benchSides(b,
		side{"floor", floorSalted},
		side{"fluent", func(dst []byte, r *benchRow) ([]byte, error) {
			return benchSalted.KeyIn(dst).String(r.Seller).UnixMilli(r.At).Uint(r.Order).Bytes()
		}})
}

func BenchmarkEncodeMD5(b *testing.B) {
	benchSides(b,
		side{"floor", floorMD5},
		side{"fluent", func(dst []byte, r *benchRow) ([]byte, error) {
			return benchMD5.KeyIn(dst).String(r.Seller).UnixMilli(r.At).Uint(r.Order).Bytes()
		}})
}

func BenchmarkEncodeAll(b *testing.B) {
	codec := rowkey.Must(rowkey.Bind[benchRow](benchPlain))
	all := map[string]func(arena []byte, ends []int) ([]byte, []int, error){
		"floor": func(arena []byte, ends []int) ([]byte, []int, error) {
			var err error
			for i := range benchRows {
				if arena, err = floorTail(arena, len(arena), &benchRows[i]); err != nil {
					return arena, ends, err
				}
				ends = append(ends, len(arena))
			}
			return arena, ends, nil
		},
		"codec": func(arena []byte, ends []int) ([]byte, []int, error) {
			return codec.AppendAll(arena, ends, benchRows)
		},
	}
	for _, name := range []string{"floor", "codec"} {
		b.Run("side="+name, func(b *testing.B) {
			want, _, err := all["floor"](nil, nil)
			require.NoError(b, err)
			got, _, err := all[name](nil, nil)
			require.NoError(b, err)
			require.Equal(b, want, got)
			arena, ends := make([]byte, 0, 2*len(want)), make([]int, 0, len(benchRows))
			b.ReportAllocs()
			b.SetBytes(int64(len(want)))
			b.ResetTimer()
			for range b.N {
				if _, _, err := all[name](arena, ends); err != nil {
					b.Fatal(err)
				}
			}
			keysPerSecond(b, b.N*len(benchRows))
		})
	}
}

func BenchmarkRead(b *testing.B) {
	key, err := floorPlain(nil, &benchRows[5])
	require.NoError(b, err)
	var text []byte
	var at time.Time
	var order uint64
	read := map[string]func() error{
		"floor": func() error {
			n := bytes.IndexByte(key, '_')
			if n < 0 || len(key) > 32767 || len(key) != n+17 {
				return errFloor
			}
			text = append(text[:0], key[:n]...)
			left := binary.BigEndian.Uint64(key[n+1:])
			if left > math.MaxInt64 {
				return errFloor
			}
			at = time.UnixMilli(math.MaxInt64 - int64(left)).UTC()
			order = binary.BigEndian.Uint64(key[n+9:])
			return nil
		},
		"reader": func() error { return benchPlain.Read(key).Binary(&text).Time(&at).Uint(&order).Err() },
	}
	for _, name := range []string{"floor", "reader"} {
		b.Run("side="+name, func(b *testing.B) {
			require.NoError(b, read[name]())
			require.Equal(b, benchRows[5], benchRow{string(text), at.UnixMilli(), order})
			b.ReportAllocs()
			b.SetBytes(int64(len(key)))
			b.ResetTimer()
			for range b.N {
				if err := read[name](); err != nil {
					b.Fatal(err)
				}
			}
			keysPerSecond(b, b.N)
		})
	}
}

func BenchmarkRange(b *testing.B) {
	ranges, arena := make([]rowkey.Range, 0, 16), make([]byte, 0, 2048)
	bounds := make([][2][]byte, 0, 16)
	floor := func(salt bool, seller string) error {
		if strings.IndexByte(seller, '_') >= 0 {
			return errFloor
		}
		bounds, arena = bounds[:0], arena[:0]
		buckets := 1
		if salt {
			buckets = 16
		}
		for i := range buckets {
			at := len(arena)
			if salt {
				arena = append(arena, byte(i))
			}
			arena = append(append(arena, seller...), '_')
			mid := len(arena)
			arena = append(arena, arena[at:mid]...)
			arena[len(arena)-1]++ // '_' never carries
			bounds = append(bounds, [2][]byte{arena[at:mid], arena[mid:]})
		}
		return nil
	}
	key := make([]byte, 0, 64)
	ours := func(s *rowkey.Schema, seller string) (err error) {
		ranges, arena, err = s.KeyIn(key).String(seller).AppendRanges(ranges[:0], arena[:0])
		return err
	}
	for _, job := range []struct {
		name   string
		n      int
		schema *rowkey.Schema
	}{{"one", 1, benchPlain}, {"salted16", 16, benchOpen}} {
		for name, run := range map[string]func() error{
			"floor":  func() error { return floor(job.n > 1, "seller-42") },
			"rowkey": func() error { return ours(job.schema, "seller-42") },
		} {
			b.Run(job.name+"/side="+name, func(b *testing.B) {
				require.NoError(b, floor(job.n > 1, "seller-42"))
				want := fmt.Sprint(bounds)
				require.NoError(b, ours(job.schema, "seller-42"))
				require.Len(b, ranges, job.n)
				got := make([][2][]byte, job.n)
				for i, r := range ranges {
					got[i] = [2][]byte{r.Start(), r.Stop()}
				}
				require.Equal(b, want, fmt.Sprint(got))
				b.ReportAllocs()
				b.ResetTimer()
				for range b.N {
					if err := run(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkBuild(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		_, err := rowkey.New("trades").Salt(16, "seller").String("seller").Separator("_").
			Time("at", rowkey.Millis, rowkey.Desc).Uint("order", 8).Build()
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkScan plans three conditions, by names and by handles, over a bucket
// that is known and over sixteen that are open.
func BenchmarkScan(b *testing.B) {
	s := rowkey.New("timeline").Salt(16, "host").Uint("tenant", 4).Time("at", rowkey.Millis, rowkey.Desc).String("host").MustBuild()
	tenant, at, host := rowkey.Must(rowkey.FieldOf[uint64](s, "tenant")), rowkey.Must(rowkey.FieldOf[time.Time](s, "at")), rowkey.Must(rowkey.FieldOf[string](s, "host"))
	from, to := time.UnixMilli(1684202400000), time.UnixMilli(1684206000000)
	for _, job := range []struct {
		name string
		n    int
		scan func() (*rowkey.Plan, error)
	}{
		{"names/open", 16, func() (*rowkey.Plan, error) {
			return s.Scan(rowkey.Eq("tenant", 7), rowkey.AtLeast("at", from), rowkey.LessThan("at", to))
		}},
		{"names/known", 1, func() (*rowkey.Plan, error) {
			return s.Scan(rowkey.Eq("tenant", 7), rowkey.Span("at", from, to), rowkey.Eq("host", "web-01"))
		}},
		{"handles/open", 16, func() (*rowkey.Plan, error) {
			return s.Scan(tenant.Eq(7), at.AtLeast(from), at.LessThan(to))
		}},
		{"handles/known", 1, func() (*rowkey.Plan, error) {
			return s.Scan(tenant.Eq(7), at.Span(from, to), host.Eq("web-01"))
		}},
	} {
		b.Run(job.name, func(b *testing.B) {
			plan, err := job.scan()
			require.NoError(b, err)
			require.Equal(b, job.n, plan.Len())
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				if _, err := job.scan(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkScanMany plans a hundred thousand values that a query lists, each a range
// of its own.
func BenchmarkScanMany(b *testing.B) {
	const n = 100_000
	numbers, texts := make([]uint64, n), make([]string, n)
	for i := range n {
		numbers[i] = uint64(i) * 7919 % (1 << 31)
		texts[i] = fmt.Sprintf("seller-%07d", i*7919%(1<<22))
	}
	schema := func() *rowkey.Builder { return rowkey.New("many") }
	for _, job := range []struct {
		name string
		s    *rowkey.Builder
		cond rowkey.Cond
	}{
		{"numbers", schema().Uint("id", 8), rowkey.In("id", numbers...)},
		{"numbers/front", schema().Uint("id", 8).String("rest"), rowkey.In("id", numbers...)},
		{"numbers/decimal", schema().Uint("id", 8, rowkey.Decimal).Separator("_").String("rest"), rowkey.In("id", numbers...)},
		{"numbers/salted", schema().Salt(16, "id").Uint("id", 8).String("rest"), rowkey.In("id", numbers...)},
		{"numbers/hashed", schema().Hash(rowkey.MD5.Hex(6), "id").Uint("id", 8).String("rest"), rowkey.In("id", numbers...)},
		{"texts", schema().String("id"), rowkey.In("id", texts...)},
		{"texts/front", schema().String("id").Separator("_").Uint("rest", 8), rowkey.In("id", texts...)},
		{"texts/terminated", schema().String("id", rowkey.Escaped).Uint("rest", 8), rowkey.In("id", texts...)},
		{"texts/salted", schema().Salt(16, "id").String("id").Separator("_").Uint("rest", 8), rowkey.In("id", texts...)},
		{"texts/hashed", schema().Hash(rowkey.MD5.Hex(6), "id").String("id").Separator("_").Uint("rest", 8), rowkey.In("id", texts...)},
	} {
		s := job.s.MustBuild()
		b.Run(job.name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				plan, err := s.Scan(job.cond, rowkey.MaxRanges(n))
				if err != nil {
					b.Fatal(err)
				}
				if plan.Len() != n && plan.Len() != 1 {
					b.Fatal(plan.Len())
				}
			}
		})
	}
}
