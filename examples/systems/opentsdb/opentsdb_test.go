package opentsdb_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/examples/systems/opentsdb"
	"github.com/hbase-rowkey/rowkey/internal/tests/vectors"
)

// What net.opentsdb:opentsdb 2.4.1 wrote.
func TestVectors(t *testing.T) {
	vectors.Run(t, "opentsdb.jsonl", func(l *vectors.Line) {
		width := l.Int("salt_width")
		if l.Has("op") {
			if op := l.Text("op"); op != "RowKey.getSaltBytes" {
				l.Errorf("unknown operation %q", op)
			}
			salt(l, width, l.Int("bucket"), l.Hex("hex"))
			return
		}
		s := opentsdb.Schema(width, l.Int("salt_buckets"))
		var pairs [][2]uint32
		l.Get("tags", &pairs)
		var tags []opentsdb.Tag
		for _, p := range pairs {
			tags = append(tags, opentsdb.Tag{Name: p[0], Value: p[1]})
		}
		metric, row := uint64(l.Int("metric")), l.Hex("row")
		at, base := opentsdb.At(l.Long("ts")), time.Unix(l.Long("base_time"), 0)
		written := opentsdb.Tags(tags...)
		l.KeyReads(s, row, []any{metric, at, written}, []any{metric, base, written})
		l.Equal("metric and tags", append([]byte{byte(metric >> 16), byte(metric >> 8), byte(metric)}, written...), l.Hex("tsuid"))

		// The series' hour is found by its fields, and by its metric alone.
		for _, conds := range [][]rowkey.Cond{
			{rowkey.Eq("metric", metric), rowkey.Eq("hour", base), rowkey.Eq("tags", written)},
			{rowkey.Eq("metric", metric), rowkey.AtMost("hour", at), rowkey.AtLeast("hour", base), rowkey.MaxRanges(1 << 17)},
		} {
			plan, err := s.Scan(conds...)
			if errors.Is(err, rowkey.ErrManyRanges) && l.Int("salt_buckets") > 1024 {
				continue
			}
			if err != nil {
				l.Errorf("Scan: %v", err)
				continue
			}
			found := 0
			for r := range plan.Ranges() {
				if r.Contains(row) {
					found++
				}
			}
			if found != 1 || !plan.Match(row) {
				l.Errorf("%v: the row lies in %d ranges, and Match says %v", plan, found, plan.Match(row))
			}
		}
	})
}

// TestGlobalAnnotation: RowKey.prefixKeyWithSalt of OpenTSDB leaves the salt of
// metric 000000 zero, whatever its tags, and salts the metric beside it.
func TestGlobalAnnotation(t *testing.T) {
	at := time.Unix(1356998400, 0)
	for width := range 9 {
		s := opentsdb.Schema(width, 20)
		for _, tags := range [][]byte{{}, opentsdb.Tags(opentsdb.Tag{Name: 1, Value: 2})} {
			key, err := s.AppendKey(nil, 0, at, tags)
			if want := fmt.Sprintf("%0*x", 2*(width+3), 0) + "50e22700" + fmt.Sprintf("%x", tags); err != nil || fmt.Sprintf("%x", key) != want {
				t.Errorf("salt of %d: the global annotation is %x, %v, want %s", width, key, err, want)
			}
			if _, err := s.Decode(key); err != nil {
				t.Error(err)
			}
			plan, err := s.Scan(rowkey.Eq("metric", 0), rowkey.Eq("hour", at), rowkey.Eq("tags", tags))
			if err != nil || !plan.Match(key) {
				t.Errorf("%v, %v", plan, err)
			}
		}
		if key, _ := s.AppendKey(nil, 1, at, []byte{}); width > 0 && key[width-1] == 0 {
			t.Errorf("salt of %d: metric 1 is not salted: %x", width, key)
		}
	}
}

// salt compares a bucket alone, as the salt of a table writes it.
func salt(l *vectors.Line, width, bucket int, want []byte) {
	if width == 0 {
		for f := range opentsdb.Schema(0, 20).Fields() {
			if f.Kind == "salt" {
				l.Errorf("a salt of no width is %s", f.Notation)
			}
		}
		l.Equal("the salt", []byte{}, want)
		return
	}
	s := opentsdb.Schema(width, 256)
	for n := range uint64(1 << 16) { // until some series lies in this bucket
		key, err := s.AppendKey(nil, n, time.Unix(0, 0), []byte{})
		if err != nil {
			l.Errorf("%v", err)
			return
		}
		row, err := s.Decode(key)
		if err != nil {
			l.Errorf("%v", err)
			return
		}
		h := int64(hash31(binary.BigEndian.AppendUint32(nil, uint32(n))[1:])) % 256
		if max(h, -h) == int64(bucket) {
			l.Equal("the salt", row.Stored("salt"), want)
			return
		}
	}
	l.Errorf("no series in bucket %d", bucket)
}

func hash31(b []byte) int32 {
	h := int32(1)
	for _, c := range b {
		h = 31*h + int32(int8(c))
	}
	return h
}

func Example() {
	tsdb := opentsdb.Schema(1, 20)
	fmt.Println(tsdb)

	// sys.cpu.user is metric 1, host=web-01 the tag (1, 2).
	at := opentsdb.At(1356998400)
	key, err := tsdb.Key().Uint(1).Time(at).Binary(opentsdb.Tags(opentsdb.Tag{Name: 1, Value: 2})).Bytes()
	fmt.Printf("%x %v\n", key, err)

	// Six hours of the metric: one range a bucket.
	plan, err := tsdb.Scan(rowkey.Eq("metric", 1), rowkey.Span("hour", at, at.Add(6*time.Hour)))
	fmt.Print(plan, err, "\n")

	// Of one series, whose bucket is known.
	plan, err = tsdb.Scan(rowkey.Eq("metric", 1), rowkey.Span("hour", at, at.Add(6*time.Hour)),
		rowkey.Eq("tags", opentsdb.Tags(opentsdb.Tag{Name: 1, Value: 2})))
	for r := range plan.Ranges() {
		fmt.Printf("%x %x %v\n", r.Start(), r.Stop(), err)
	}
	// Output:
	// [salt20(stored(metric,tags)) opentsdb20.raw(4) width(1)][metric:3][s(hour) width(4) truncate(1h0m0s)][tags:bytes]
	// 0900000150e22700000001000002 <nil>
	// tsdb: 20 ranges, every row in them matches
	//   [\x00\x00\x00\x01P\xE2'\x00, \x00\x00\x00\x01P\xE2mQ)
	//   [\x01\x00\x00\x01P\xE2'\x00, \x01\x00\x00\x01P\xE2mQ)
	//   [\x02\x00\x00\x01P\xE2'\x00, \x02\x00\x00\x01P\xE2mQ)
	//   [\x03\x00\x00\x01P\xE2'\x00, \x03\x00\x00\x01P\xE2mQ)
	//   and 16 more
	//   salt: all its 20 values, since no condition fixes all that it is computed from
	//   metric: one value
	//   hour: an interval
	//  <nil>
	// 0900000150e22700000001000002 0900000150e2270000000100000200 <nil>
	// 0900000150e23510000001000002 0900000150e2351000000100000200 <nil>
	// 0900000150e24320000001000002 0900000150e2432000000100000200 <nil>
	// 0900000150e25130000001000002 0900000150e2513000000100000200 <nil>
	// 0900000150e25f40000001000002 0900000150e25f4000000100000200 <nil>
	// 0900000150e26d50000001000002 0900000150e26d5000000100000200 <nil>
}
