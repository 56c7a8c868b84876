package rowkey_test

import (
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
