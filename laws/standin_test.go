package laws

import (
	"slices"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// TestSaltOverMonth: a salt over a coarse copy of a time is computed of the few
// values that the copy has in the query's interval.
func TestSaltOverMonth(t *testing.T) {
	month := rowkey.Layout("200601", time.UTC)
	stored := rowkey.New("s").Salt(6, "values(id,month)").String("id").Separator("_").
		Copy("month", "at", month).Time("at", rowkey.Seconds).MustBuild()
	absent := rowkey.New("s").Salt(6, "values(id,month)").String("id").Separator("_").
		Time("at", rowkey.Seconds).Copy("month", "at", month, rowkey.NotStored).MustBuild()
	day := func(m time.Month, d int) time.Time { return time.Date(2026, m, d, 0, 0, 0, 0, time.UTC) }
	for _, s := range []*rowkey.Schema{stored, absent} {
		for _, q := range []struct {
			from, to time.Time
			ids      []string
			most     int
		}{
			{day(3, 5), day(3, 6), []string{"u1"}, 1},
			{day(3, 1), day(4, 1), []string{"u1"}, 1},
			{day(3, 31), day(4, 2), []string{"u1"}, 2},
			{day(3, 5), day(3, 6), []string{"u1", "u2"}, 2},
			{day(1, 1), day(12, 2), []string{"u1"}, 12},
		} {
			plan, err := s.Scan(rowkey.In("id", q.ids...), rowkey.Span("at", q.from, q.to))
			if err != nil {
				t.Fatal(err)
			}
			ranges := slices.Collect(plan.Ranges())
			if len(ranges) > q.most {
				t.Errorf("%v to %v: %d ranges, not at most %d:\n%v", q.from, q.to, len(ranges), q.most, plan)
			}
			for _, id := range q.ids {
				for at := day(1, 1); at.Before(day(12, 31)); at = at.Add(6 * time.Hour) {
					key, err := s.AppendKey(nil, id, at)
					if err != nil {
						t.Fatal(err)
					}
					in := slices.ContainsFunc(ranges, func(r rowkey.Range) bool { return r.Contains(key) })
					if want := !at.Before(q.from) && at.Before(q.to); in != want {
						t.Fatalf("%v of %v is in the ranges: %v, of %v to %v\n%v", at, id, in, q.from, q.to, plan)
					}
				}
			}
		}
	}
}
