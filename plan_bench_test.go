package rowkey_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/stretchr/testify/require"
)

// BenchmarkScan plans three conditions, by names and by handles, over a bucket
// that is known and over sixteen that are open.
func BenchmarkScan(b *testing.B) {
	s := rowkey.New("timeline").Salt(16, "host").Uint("tenant", 4).Time("at", rowkey.Millis, rowkey.Desc).String("host").MustBuild()
	tenant, at, host := rowkey.MustField[uint64](s, "tenant"), rowkey.MustField[time.Time](s, "at"), rowkey.MustField[string](s, "host")
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
