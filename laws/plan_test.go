package laws

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/tests/vectors"
	"github.com/hbase-rowkey/rowkey/interop"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Queries with known answers. The laws of plan_laws_test.go say that plans are
// right; the tables here pin what they are.

func ms(n int64) time.Time { return time.UnixMilli(n) }

// planTest is a query and the ranges it must have.
type planTest struct {
	name   string
	schema *rowkey.Builder
	conds  []rowkey.Cond
	ranges []string // bounds in hexadecimal (or text after "t:"), a bar between them; no stop: to the end of the table
	n      int      // where not all ranges are given
	covers bool     // the plan is not exact
	keys   int      // of Plan.Keys
	err    error
	says   string // in the error
}

func (p *planTest) check(t *testing.T) {
	s := p.schema.MustBuild()
	plan, err := s.Scan(p.conds...)
	if p.err != nil {
		require.ErrorIs(t, err, p.err)
		assert.Nil(t, plan)
		assert.ErrorContains(t, err, p.says)
		var e *rowkey.Error
		assert.ErrorAs(t, err, &e)
		return
	}
	require.NoError(t, err)
	t.Logf("%v\n%v", s, plan)
	var got, want []string
	for r := range plan.Ranges() {
		assert.False(t, r.Empty())
		assert.Equal(t, r.Unbounded(), len(r.Stop()) == 0)
		got = append(got, bounds(r))
	}
	for _, r := range p.ranges {
		start, stop, ok := strings.Cut(r, "|")
		require.True(t, ok, "%s has no bar", r)
		want = append(want, fmt.Sprintf("%x %x", wantBytes(t, start), wantBytes(t, stop)))
	}
	n := len(want)
	if p.n != 0 {
		n = p.n
	}
	assert.Equal(t, n, plan.Len())
	require.Len(t, got, n)
	assert.Equal(t, want, got[:len(want)])
	assert.Equal(t, !p.covers, plan.Exact())
	assert.Len(t, slices.Collect(plan.Keys()), p.keys)
	assert.NotEmpty(t, plan.String())
}

func runPlans(t *testing.T, tests []planTest) {
	for _, p := range tests {
		t.Run(p.name, func(t *testing.T) { p.check(t) })
	}
}

func conds(c ...rowkey.Cond) []rowkey.Cond { return c }

func fixedBuckets(n int, start, stop string) []string {
	var out []string
	for b := range n {
		out = append(out, fmt.Sprintf("%02x%s|%02x%s", b, start, b, stop))
	}
	return out
}

// The designs of designs_test.go that are asked by condition.
func TestPlanDesigns(t *testing.T) {
	const from, to = 1684202400000, 1684206000000
	people := func() *rowkey.Builder {
		return rowkey.New("people").Uint("uid", 8).String("phone").Separator("\x00").String("name")
	}
	bySeller := func() *rowkey.Builder {
		return rowkey.New("bySeller").Salt(16, "seller").String("seller").Separator("_").Time("at", rowkey.Millis, rowkey.Desc).Uint("order", 8)
	}
	runPlans(t, []planTest{
		{
			name: "leftmost prefix", schema: people(),
			conds:  conds(rowkey.Eq("uid", 111), rowkey.Prefix("phone", "12")),
			ranges: []string{"000000000000006f3132|000000000000006f3133"},
		}, {
			name: "leftmost prefix: the first two", schema: people(),
			conds:  conds(rowkey.Eq("phone", "123"), rowkey.Eq("uid", 111)),
			ranges: []string{"000000000000006f 313233 00|000000000000006f 313233 01"},
		}, {
			name: "leftmost prefix: all", schema: people(),
			conds:  conds(rowkey.Eq("uid", 111), rowkey.Eq("phone", "123"), rowkey.Eq("name", "abc")),
			ranges: []string{"000000000000006f 313233 00 616263|000000000000006f 313233 00 616263 00"}, keys: 1,
		}, {
			name: "leftmost prefix: phone alone", schema: people(),
			conds: conds(rowkey.Eq("phone", "123")), err: rowkey.ErrFullScan, says: "uid",
		}, {
			name: "leftmost prefix: name alone", schema: people(),
			conds: conds(rowkey.Eq("name", "abc")), err: rowkey.ErrFullScan, says: "uid",
		}, {
			name: "leftmost prefix: phone alone, permitted", schema: people(),
			conds:  conds(rowkey.Eq("phone", "123"), rowkey.FullScan()),
			ranges: []string{"|"}, covers: true,
		}, {
			name:   "uid and phone glued",
			schema: rowkey.New("glued").Uint("uid", 8, rowkey.Decimal, rowkey.Loose).String("phone", rowkey.Loose).String("name"),
			conds:  conds(rowkey.Eq("uid", 11), rowkey.Eq("phone", "1123")),
			ranges: []string{"t:111123|t:111124"}, covers: true,
		}, {
			name:   "random letter",
			schema: rowkey.New("foo").String("salt", rowkey.OneOf("a", "b", "c", "d")).Separator("-").String("id"),
			conds:  conds(rowkey.In("salt", "a", "b", "c", "d"), rowkey.Eq("id", "foo0001")),
			ranges: []string{"t:a-foo0001|t:a-foo0001\x00", "t:b-foo0001|t:b-foo0001\x00", "t:c-foo0001|t:c-foo0001\x00", "t:d-foo0001|t:d-foo0001\x00"},
			keys:   4,
		}, {
			name:   "random letter, which the caller need not list",
			schema: rowkey.New("foo").String("salt", rowkey.OneOf("a", "b", "c", "d")).Separator("-").String("id"),
			conds:  conds(rowkey.Eq("id", "foo0001")),
			ranges: []string{"t:a-foo0001|t:a-foo0001\x00", "t:b-foo0001|t:b-foo0001\x00", "t:c-foo0001|t:c-foo0001\x00", "t:d-foo0001|t:d-foo0001\x00"},
			keys:   4,
		}, {
			name:   "derived letter",
			schema: rowkey.New("foo").Salt(4, "id", rowkey.Letters("abcd")).Separator("-").String("id"),
			conds:  conds(rowkey.Eq("id", "foo0001")),
			ranges: []string{"t:c-foo0001|t:c-foo0001\x00"}, keys: 1,
		}, {
			name:   "%02d of Java's hashCode",
			schema: rowkey.New("ex").Salt(100, "user", interop.JavaHash, rowkey.Digits(2)).Separator("_").String("user"),
			conds:  conds(rowkey.Eq("user", "user123")),
			ranges: []string{"t:75_user123|t:75_user123\x00"}, keys: 1,
		}, {
			name:   "round robin in the high bytes",
			schema: rowkey.New("rr").Uint("slot", 2, rowkey.Below(16)).Time("at", rowkey.Millis),
			conds:  conds(rowkey.Span("at", ms(1), ms(9))),
			ranges: []string{"0000 0000000000000001|0000 0000000000000009", "0001 0000000000000001|0001 0000000000000009"}, n: 16,
		}, {
			name:   "md5 prefix",
			schema: rowkey.New("foo").Hash(rowkey.MD5.Hex(6), "id").String("id"),
			conds:  conds(rowkey.Eq("id", "foo0001")),
			ranges: []string{"t:95f18cfoo0001|t:95f18cfoo0001\x00"}, keys: 1,
		}, {
			name:   "random suffix: one range, a hundred candidates",
			schema: rowkey.New("o").String("user").Separator("_").String("order").Separator("_").Uint("nonce", 1, rowkey.Below(100), rowkey.Digits(2)),
			conds:  conds(rowkey.Eq("user", "u"), rowkey.Eq("order", "o1")),
			ranges: []string{"t:u_o1_|t:u_o1`"}, keys: 100,
		}, {
			name:   "host by characters",
			schema: rowkey.New("site").String("host", rowkey.Reverse),
			conds:  conds(rowkey.Suffix("host", ".iteblog.com")),
			ranges: []string{"t:moc.golbeti.|t:moc.golbeti/"},
		}, {
			name:   "host by labels",
			schema: rowkey.New("site").String("host", rowkey.ReverseLabels(".")),
			conds:  conds(rowkey.Suffix("host", ".iteblog.com")),
			ranges: []string{"t:com.iteblog.|t:com.iteblog/"},
		}, {
			name:   "suffix of a host stored forward",
			schema: rowkey.New("site").String("host"),
			conds:  conds(rowkey.Suffix("host", ".iteblog.com")), err: rowkey.ErrFullScan, says: "host",
		}, {
			name:   "rpad",
			schema: rowkey.New("p").String("col", rowkey.Pad(20, 'x')).String("col2"),
			conds:  conds(rowkey.Eq("col", "host1")),
			ranges: []string{"t:host1xxxxxxxxxxxxxxx|t:host1xxxxxxxxxxxxxxy"},
		}, {
			name: "transactions of a day, by time alone",
			schema: rowkey.New("tx").Uint("slot", 2).
				Time("at", rowkey.Millis.Since(midnight), rowkey.Width(4), rowkey.Below(86_400_000)).Binary("ext"),
			conds: conds(rowkey.Span("at", midnight.Add(10*time.Hour), midnight.Add(10*time.Hour+5*time.Minute))),
			err:   rowkey.ErrManyRanges, says: "slot: 65536 ranges",
		}, {
			name:   "transactions of a day whose slots are few",
			schema: dayTable(midnight),
			conds:  conds(rowkey.Span("at", midnight.Add(10*time.Hour), midnight.Add(10*time.Hour+5*time.Minute))),
			ranges: []string{"0000 02255100|0000 0229e4e0", "0001 02255100|0001 0229e4e0"}, n: 64,
		}, {
			name:   "general table",
			schema: rowkey.New("g").Uint("seq", 4).Binary("ext"),
			conds:  conds(rowkey.AtLeast("seq", 9), rowkey.AtMost("seq", 10)),
			ranges: []string{"00000009|0000000b"},
		}, {
			name: "orders by seller, of an hour", schema: bySeller(),
			conds:  conds(rowkey.Eq("seller", "s-42"), rowkey.Span("at", ms(from), ms(to))),
			ranges: []string{"0c 732d3432 5f 7ffffe77dd7fe880|0c 732d3432 5f 7ffffe77ddb6d700"},
		}, {
			name: "orders by seller, of a day", schema: bySeller(),
			conds: conds(rowkey.Eq("seller", "s-42"),
				rowkey.Span("at", time.Date(2023, 5, 16, 0, 0, 0, 0, time.UTC), time.Date(2023, 5, 17, 0, 0, 0, 0, time.UTC))),
			ranges: []string{"0c 732d3432 5f 7ffffe77d8fe5800|0c 732d3432 5f 7ffffe77de24b400"},
		}, {
			name: "orders by seller, without the seller", schema: bySeller(),
			conds: conds(rowkey.Span("at", ms(from), ms(to))), err: rowkey.ErrFullScan, says: "seller",
		}, {
			name:   "orders by two buyers",
			schema: orderTable("byBuyer", "buyer"),
			conds:  conds(rowkey.In("buyer", "b-1", "b-2")),
			ranges: []string{"08 622d3200|08 622d3201", "09 622d3100|09 622d3101"},
		}, {
			name:   "risk profile by phone",
			schema: rowkey.New("riskByPhone").Hash(rowkey.MD5.Hex(5), "phone").String("phone", rowkey.Fixed(11)),
			conds:  conds(rowkey.Eq("phone", "13111111111")),
			ranges: []string{"t:c5f3e13111111111|t:c5f3e13111111112"}, keys: 1,
		}, {
			name:   "newest operations",
			schema: operations(), conds: conds(rowkey.Eq("uid", 10086)),
			ranges: []string{"0000000000002766|0000000000002767"},
		}, {
			name:   "logs bucketed by time",
			schema: rowkey.New("logs").Salt(8, "ts", rowkey.Modulo).Time("ts", rowkey.Millis).String("host").Separator("\x00").String("event"),
			conds:  conds(rowkey.Span("ts", ms(1704067200000), ms(1704067500000))),
			ranges: fixedBuckets(8, "0000018cc251f400", "0000018cc25687e0"),
		}, {
			name: "chat, both of the pair",
			schema: rowkey.New("chat2").Hash(rowkey.MD5.Raw(1), "values(lo,hi)").Uint("lo", 8).Uint("hi", 8).
				Time("at", rowkey.Millis, rowkey.Desc),
			conds:  conds(rowkey.Eq("lo", 1001), rowkey.Eq("hi", 2002)),
			ranges: []string{"10 00000000000003e9 00000000000007d2|10 00000000000003e9 00000000000007d3"},
		}, {
			name: "chat, both directions of a pair",
			schema: rowkey.New("chat3").Hash(rowkey.MD5.Raw(1), "minmax(from,to)").Uint("from", 8).Uint("to", 8).
				Time("at", rowkey.Millis, rowkey.Desc),
			conds:  conds(rowkey.Eq("from", 2002), rowkey.Eq("to", 1001)),
			ranges: []string{"10 00000000000007d2 00000000000003e9|10 00000000000007d2 00000000000003ea"},
		}, {
			name:   "a column that is not in the key",
			schema: rowkey.New("x").String("region", rowkey.NotStored).Salt(16, "region").Time("at", rowkey.Millis).Uint("id", 8),
			conds:  conds(rowkey.Eq("region", "hello"), rowkey.Span("at", ms(1), ms(9))),
			ranges: []string{"07 0000000000000001|07 0000000000000009"}, covers: true,
		}, {
			name: "the day in front, an interval within it",
			schema: rowkey.New("x").Copy("day", "at", rowkey.Layout("20060102", time.UTC)).String("host").Separator("\x00").
				Time("at", rowkey.Millis),
			conds:  conds(rowkey.Eq("host", "h"), rowkey.Span("at", ms(1684202400000), ms(1684206000000))),
			ranges: []string{"3230323330353136 6800 0000018822492900|3230323330353136 6800 0000018822801780"},
		}, {
			name: "the day in front, an interval over midnight",
			schema: rowkey.New("x").Copy("day", "at", rowkey.Layout("20060102", time.UTC)).String("host").Separator("\x00").
				Time("at", rowkey.Millis),
			conds: conds(rowkey.Eq("host", "h"),
				rowkey.Span("at", time.Date(2023, 5, 16, 23, 0, 0, 0, time.UTC), time.Date(2023, 5, 17, 1, 0, 0, 0, time.UTC))),
			ranges: []string{
				"3230323330353136 6800 0000018826cab980|3230323330353136 6800 0000018827389680",
				"3230323330353137 6800 0000018826cab980|3230323330353137 6800 0000018827389680",
			},
		}, {
			name: "the day in front, without the host",
			schema: rowkey.New("x").Copy("day", "at", rowkey.Layout("20060102", time.UTC)).String("host").Separator("\x00").
				Time("at", rowkey.Millis),
			conds: conds(rowkey.Span("at", time.Date(2023, 5, 16, 23, 0, 0, 0, time.UTC), time.Date(2023, 5, 17, 1, 0, 0, 0, time.UTC))),
			ranges: []string{
				"3230323330353136|3230323330353138",
			}, covers: true,
		}, {
			name:   "last four digits in front",
			schema: rowkey.New("x").Copy("tail", "phone", rowkey.Right(4)).String("phone", rowkey.Fixed(11)),
			conds:  conds(rowkey.Eq("phone", "13112345678")),
			ranges: []string{"t:567813112345678|t:567813112345679"}, keys: 1,
		},
	})
}

// Worked scenarios, and the facts that articles about row keys get wrong.
func TestPlanScenarios(t *testing.T) {
	runPlans(t, []planTest{
		{
			name: "user log: a span newest first starts at MAX−(t2−1) and stops at MAX−(t1−1)", schema: operations(),
			conds:  conds(rowkey.Eq("uid", 10086), rowkey.Span("at", ms(1684202400000), ms(1684206000000))),
			ranges: []string{"0000000000002766 7ffffe77dd7fe880|0000000000002766 7ffffe77ddb6d700"},
		}, {
			name: "user-day text: the stop of a day is the day after", schema: userDays(),
			conds:  conds(rowkey.Eq("uid", 3231), rowkey.Eq("day", midnight)),
			ranges: []string{"333233312d3230313231323132|333233312d3230313231323133"}, keys: 1,
		}, {
			name:   "escaped hosts",
			schema: rowkey.New("esc").String("host", rowkey.Escaped).Uint("n", 1),
			conds:  conds(rowkey.Eq("host", "host1")),
			ranges: []string{"686f7374310001|686f7374310002"},
		}, {
			name: "global timeline: eight buckets", schema: timeline(),
			conds:  conds(rowkey.Span("at", ms(1704067200000), ms(1704067500000))),
			ranges: fixedBuckets(8, "0000018cc251f400", "0000018cc25687e0"),
		}, {
			name: "global timeline: of three hosts, two buckets, in which the time comes first", schema: timeline(),
			conds:  conds(rowkey.In("host", "web-01", "web-02", "host12"), rowkey.Span("at", ms(1704067200000), ms(1704067500000))),
			ranges: []string{"04 0000018cc251f400|04 0000018cc25687e0", "07 0000018cc251f400|07 0000018cc25687e0"}, covers: true,
		}, {
			name:   "orders by uid behind its own hash",
			schema: rowkey.New("ord").Hash(rowkey.MD5.Hex(4), "stored(uid)").Uint("uid", 8, rowkey.Digits(10)).Uint("order", 8, rowkey.Digits(12)),
			conds:  conds(rowkey.Eq("uid", 10086)),
			ranges: []string{"t:7a700000010086|t:7a700000010087"},
		}, {
			name: "a vehicle's day", schema: vehicles(),
			conds:  conds(rowkey.Eq("vin", vin), rowkey.Span("at", ms(1717200000000), ms(1717286400000))),
			ranges: []string{hex.EncodeToString([]byte("39f67e"+vin)) + "0000018fd1189400|" + hex.EncodeToString([]byte("39f67e"+vin)) + "0000018fd63ef000"},
		}, {
			name:   "five minutes of a day table",
			schema: rowkey.New("d").Time("at", rowkey.Millis.Since(midnight), rowkey.Width(4)),
			conds:  conds(rowkey.Span("at", midnight.Add(10*time.Hour), midnight.Add(10*time.Hour+5*time.Minute))),
			ranges: []string{"02255100|0229e4e0"},
		}, {
			name: "a hash of two bytes in front is refused",
			schema: rowkey.New("d").Hash(rowkey.Murmur3.Raw(2), "ext").
				Time("at", rowkey.Millis.Since(midnight), rowkey.Width(4)).Binary("ext"),
			conds: conds(rowkey.Span("at", midnight, midnight.Add(time.Hour))),
			err:   rowkey.ErrManyRanges, says: "65536",
		}, {
			name: "a hash of two bytes in front, all of it permitted",
			schema: rowkey.New("d").Hash(rowkey.Murmur3.Raw(2), "ext").
				Time("at", rowkey.Millis.Since(midnight), rowkey.Width(4)).Binary("ext"),
			conds:  conds(rowkey.Span("at", midnight.Add(10*time.Hour), midnight.Add(10*time.Hour+5*time.Minute)), rowkey.MaxRanges(65536)),
			ranges: []string{"0000 02255100|0000 0229e4e0", "0001 02255100|0001 0229e4e0"}, n: 65536,
		}, {
			name: "a hash of four bytes in front, the whole table permitted",
			schema: rowkey.New("d").Hash(rowkey.Murmur3.Raw(4), "ext").
				Time("at", rowkey.Millis.Since(midnight), rowkey.Width(4)).Binary("ext"),
			conds:  conds(rowkey.Span("at", midnight.Add(10*time.Hour), midnight.Add(10*time.Hour+5*time.Minute)), rowkey.FullScan()),
			ranges: []string{"|"}, covers: true,
		}, {
			name: "signed sensor from −10 to 10", schema: sensors(),
			conds:  conds(rowkey.Eq("id", 5), rowkey.AtLeast("v", -10), rowkey.AtMost("v", 10)),
			ranges: []string{"00000005 7ffffff6|00000005 8000000b"},
		}, {
			name: "signed sensor: the end of MaxInt32 carries", schema: sensors(),
			conds:  conds(rowkey.Eq("id", 5), rowkey.AtLeast("v", 0), rowkey.AtMost("v", math.MaxInt32)),
			ranges: []string{"00000005 80000000|00000006"},
		}, {
			name: "signed sensor: no upper end", schema: sensors(),
			conds:  conds(rowkey.Eq("id", 5), rowkey.AtLeast("v", 0)),
			ranges: []string{"00000005 80000000|00000006"},
		}, {
			name: "the last sensor of all: the end of the table", schema: sensors(),
			conds:  conds(rowkey.Eq("id", uint32(math.MaxUint32)), rowkey.AtLeast("v", 0)),
			ranges: []string{"ffffffff 80000000|"},
		}, {
			name: "all that a user did is the prefix, not [uid][0] to [uid][uid]", schema: operations(),
			conds:  conds(rowkey.Eq("uid", uint64(math.MaxUint64))),
			ranges: []string{"ffffffffffffffff|"},
		}, {
			name: "round robin: by a field behind it N ranges, and a get has N candidates", schema: roundRobinEvents(),
			conds:  conds(rowkey.Eq("at", opTime), rowkey.Eq("id", "e1")),
			ranges: []string{"00 00000188225bedb0 6531|00 00000188225bedb0 6531 00"}, n: 16, keys: 16,
		}, {
			name:   "md5 of the uid in front of a phone: who knows the phone alone cannot compute it",
			schema: rowkey.New("risk").Hash(rowkey.MD5.Hex(5), "text(uid)").String("phone", rowkey.Fixed(11)).Uint("uid", 8),
			conds:  conds(rowkey.Eq("phone", "13111111111")),
			err:    rowkey.ErrManyRanges, says: "1048576",
		}, {
			name:   "whole seconds mod 10: a span still reads all ten buckets",
			schema: rowkey.New("log").Salt(10, "ts", rowkey.Modulo).Time("ts", rowkey.Millis).String("host"),
			conds:  conds(rowkey.Span("ts", ms(1704067200000), ms(1704067500000))),
			ranges: fixedBuckets(10, "0000018cc251f400", "0000018cc25687e0"),
		},
	})
}

// An interval on what a salt is computed from does not close the salt: Modulo of
// the span's start is one bucket, and the rows of the others would be lost.
func TestPlanIntervalLeavesSaltOpen(t *testing.T) {
	table := func() *rowkey.Builder {
		return rowkey.New("log").Salt(10, "ts", rowkey.Modulo).Time("ts", rowkey.Millis).String("host")
	}
	hashed := func() *rowkey.Builder {
		return rowkey.New("log").Salt(4, "n").Uint("n", 2).String("host")
	}
	runPlans(t, []planTest{
		{
			name: "an interval: all buckets", schema: table(),
			conds:  conds(rowkey.Span("ts", ms(1704067200000), ms(1704067500000))),
			ranges: fixedBuckets(10, "0000018cc251f400", "0000018cc25687e0"),
		}, {
			name: "a point: its bucket", schema: table(),
			conds:  conds(rowkey.Eq("ts", ms(1704067200003))),
			ranges: []string{"03 0000018cc251f403|03 0000018cc251f404"},
		}, {
			name: "points: the buckets they hit", schema: table(),
			conds:  conds(rowkey.In("ts", ms(1704067200003), ms(1704067200017), ms(1704067200013), ms(1704067200003))),
			ranges: []string{"03 0000018cc251f403|03 0000018cc251f404", "03 0000018cc251f40d|03 0000018cc251f40e", "07 0000018cc251f411|07 0000018cc251f412"},
		}, {
			name: "neighbours are points too", schema: table(),
			conds:  conds(rowkey.In("ts", ms(1704067200003), ms(1704067200004))),
			ranges: []string{"03 0000018cc251f403|03 0000018cc251f404", "04 0000018cc251f404|04 0000018cc251f405"},
		}, {
			name: "an inequality: all buckets", schema: hashed(),
			conds:  conds(rowkey.AtLeast("n", 0x8000)),
			ranges: []string{"00 8000|01", "01 8000|02", "02 8000|03", "03 8000|04"},
		}, {
			name: "not equal: all buckets, without one value", schema: hashed(),
			conds: conds(rowkey.NotEq("n", 7)),
			ranges: []string{
				"00 0000|00 0007", "00 0008|01", "01 0000|01 0007", "01 0008|02",
				"02 0000|02 0007", "02 0008|03", "03 0000|03 0007", "03 0008|04",
			},
		},
	})
	// A point and an interval: one is not enough.
	two := rowkey.New("two").Salt(64, "values(a,b)").Uint("a", 1).Uint("b", 1).MustBuild()
	plan, err := two.Scan(rowkey.Eq("a", 7), rowkey.AtLeast("b", 100))
	require.NoError(t, err)
	for b := 100; b < 256; b++ {
		key, err := two.AppendKey(nil, 7, b)
		require.NoError(t, err)
		assert.Equal(t, 1, planCovering(slices.Collect(plan.Ranges()), key), "%x", key)
	}

	// Every row of the span is found, whatever bucket it is in.
	s := table().MustBuild()
	plan, err = s.Scan(rowkey.Span("ts", ms(1704067200000), ms(1704067200100)))
	require.NoError(t, err)
	for i := range int64(100) {
		key, err := s.AppendKey(nil, ms(1704067200000+i), "h")
		require.NoError(t, err)
		assert.Equal(t, 1, planCovering(slices.Collect(plan.Ranges()), key), "%x", key)
	}
}

// What reads nothing: an empty plan, never an error and never a whole table.
func TestPlanEmpty(t *testing.T) {
	s := rowkey.New("e").Salt(4, "name").String("name").Separator("\x00").Uint("n", 1).Int("i", 2).
		Time("at", rowkey.Seconds, rowkey.Years(2000, 2100)).Bool("b").String("city", rowkey.OneOf("bj", "sh")).
		Uint("d", 1, rowkey.Below(10)).MustBuild()
	for name, c := range map[string][]rowkey.Cond{
		"In of nothing":                  {rowkey.In[string]("name")},
		"In of nothing, behind":          {rowkey.In[int]("n"), rowkey.Eq("name", "a")},
		"In of nothing, all permitted":   {rowkey.In[uint8]("d"), rowkey.FullScan(), rowkey.MaxRanges(1 << 20)},
		"two names":                      {rowkey.Eq("name", "a"), rowkey.Eq("name", "b")},
		"a name and another prefix":      {rowkey.Eq("name", "a"), rowkey.Prefix("name", "b")},
		"In and In apart":                {rowkey.In("name", "a", "b"), rowkey.In("name", "c", "d")},
		"an interval upside down":        {rowkey.Eq("name", "a"), rowkey.AtLeast("n", 9), rowkey.LessThan("n", 9)},
		"between neighbours":             {rowkey.Eq("name", "a"), rowkey.MoreThan("n", 8), rowkey.LessThan("n", 9)},
		"an empty span":                  {rowkey.Eq("name", "a"), rowkey.Span("n", 9, 9)},
		"an empty span of time":          {rowkey.Span("at", time.Unix(1e9, 0), time.Unix(1e9, 0))},
		"equal and not equal":            {rowkey.Eq("name", "a"), rowkey.NotEq("name", "a")},
		"neither true nor false":         {rowkey.NotEq("b", true), rowkey.NotEq("b", false)},
		"more than true":                 {rowkey.MoreThan("b", true)},
		"300 in one byte":                {rowkey.Eq("n", 300)},
		"above one byte":                 {rowkey.MoreThan("n", 255)},
		"below 0":                        {rowkey.LessThan("n", 0), rowkey.Eq("name", "a")},
		"a negative Uint":                {rowkey.Eq("n", -1)},
		"a huge Int":                     {rowkey.Eq("i", uint64(math.MaxUint64))},
		"not among OneOf":                {rowkey.Eq("city", "gz")},
		"not Below":                      {rowkey.Eq("d", 10)},
		"before Years":                   {rowkey.LessThan("at", time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))},
		"before 1970":                    {rowkey.Eq("at", time.Time{})},
		"after Years":                    {rowkey.AtLeast("at", time.Date(2101, 1, 1, 0, 0, 0, 0, time.UTC))},
		"a name that holds its end":      {rowkey.Eq("name", "a\x00b")},
		"a prefix that holds the end":    {rowkey.Prefix("name", "a\x00")},
		"AnyOf of nothing that can be":   {rowkey.AnyOf(rowkey.Eq("n", 300), rowkey.In[int]("n"), rowkey.Span("n", 5, 5))},
		"contradiction within one AnyOf": {rowkey.AnyOf(rowkey.Eq("n", 1), rowkey.Eq("n", 2)), rowkey.Eq("n", 3)},
	} {
		t.Run(name, func(t *testing.T) {
			plan, err := s.Scan(c...)
			require.NoError(t, err)
			assert.Zero(t, plan.Len())
			assert.Empty(t, slices.Collect(plan.Ranges()))
			assert.Empty(t, slices.Collect(plan.Keys()))
			for key, mask := range plan.Fuzzy() {
				t.Errorf("fuzzy %x %x", key, mask)
			}
			assert.True(t, plan.Exact(), "every row in no range matches")
			key, err := s.AppendKey(nil, "a", 9, 9, time.Unix(1e9, 0), true, "bj", 9)
			require.NoError(t, err)
			assert.False(t, plan.Match(key))
			assert.NotEmpty(t, plan.String())
		})
	}
}

// Conditions that are wrong are typed errors, which name the field.
func TestPlanRefuses(t *testing.T) {
	build := func() *rowkey.Builder {
		return rowkey.New("e").Salt(4, "name", rowkey.Named("bucket")).Hash(rowkey.MD5.Hex(2), "name").String("name").Separator("\x00").
			Uint("n", 1).Int("i", 2).Float("f", 8).Time("at", rowkey.Seconds).Bool("b").Binary("raw").Separator("\x00").
			Copy("again", "n").Separator("-").
			Salt(1<<15, "n", rowkey.Named("lost"), rowkey.Width(2), rowkey.Via(rowkey.OneWay("turn", 2, func(dst, b []byte) ([]byte, error) { return append(dst, b[1], b[0]), nil })))
	}
	s := build().MustBuild()
	other := rowkey.New("other").String("name").MustBuild()
	name := rowkey.Must(rowkey.FieldOf[string](other, "name"))
	full := rowkey.FullScan()
	later, earlier := time.Unix(2e9, 0), time.Unix(1e9, 0)
	for _, c := range []struct {
		what  string
		conds []rowkey.Cond
		err   error
		field string
	}{
		{"no condition", nil, rowkey.ErrFullScan, "name"},
		{"the zero Cond", conds(rowkey.Cond{}), rowkey.ErrField, ""},
		{"the zero Cond beside others", conds(rowkey.Eq("name", "a"), rowkey.Cond{}), rowkey.ErrField, ""},
		{"no such field", conds(rowkey.Eq("nome", "a")), rowkey.ErrField, "nome"},
		{"no such field, in of nothing", conds(rowkey.In[int]("nome")), rowkey.ErrField, "nome"},
		{"no field", conds(rowkey.Eq("", "a")), rowkey.ErrField, ""},
		{"a text to a salt", conds(rowkey.Eq("bucket", "1")), rowkey.ErrType, "bucket"},
		{"buckets from above to", conds(rowkey.Span("bucket", 2, 1)), rowkey.ErrInverted, "bucket"},
		{"buckets that cross", conds(rowkey.AtLeast("bucket", 2), rowkey.AtMost("bucket", 1)), rowkey.ErrInverted, "bucket"},
		{"a hash", conds(rowkey.Eq("hash", "0cc1")), rowkey.ErrField, "hash"},
		{"a salt of many buckets that nothing undoes", conds(rowkey.Eq("lost", 1)), rowkey.ErrField, "lost"},
		{"a text to a copy of a number", conds(rowkey.Eq("again", "1")), rowkey.ErrType, "again"},
		{"a copy from above to", conds(rowkey.Span("again", 2, 1)), rowkey.ErrInverted, "again"},
		{"a copy and others that cross", conds(rowkey.AtLeast("again", 2), rowkey.LessThan("again", 1)), rowkey.ErrInverted, "again"},
		{"another schema's handle", conds(name.Eq("a")), rowkey.ErrField, "name"},
		{"a handle of none", conds(rowkey.Field[string]{}.Eq("a")), rowkey.ErrField, ""},
		{"AnyOf of nothing", conds(rowkey.AnyOf()), rowkey.ErrField, ""},
		{"AnyOf of two fields", conds(rowkey.AnyOf(rowkey.Eq("name", "a"), rowkey.Eq("n", 1))), rowkey.ErrField, ""},
		{"AnyOf of two fields, deeper", conds(rowkey.AnyOf(rowkey.Eq("n", 1), rowkey.AnyOf(rowkey.Eq("n", 2), rowkey.Eq("i", 1)))), rowkey.ErrField, ""},
		{"AnyOf with the zero Cond", conds(rowkey.AnyOf(rowkey.Eq("name", "a"), rowkey.Cond{})), rowkey.ErrField, ""},
		{"AnyOf with a permission", conds(rowkey.AnyOf(rowkey.Eq("name", "a"), full)), rowkey.ErrField, ""},
		{"AnyOf of a permission", conds(rowkey.AnyOf(full)), rowkey.ErrField, ""},

		{"number for text", conds(rowkey.Eq("name", 1)), rowkey.ErrType, "name"},
		{"time for text", conds(rowkey.In("raw", later)), rowkey.ErrType, "raw"},
		{"text for number", conds(rowkey.AtLeast("n", "1")), rowkey.ErrType, "n"},
		{"float for number", conds(rowkey.NotEq("n", 1.0)), rowkey.ErrType, "n"},
		{"number for float", conds(rowkey.Eq("f", 1)), rowkey.ErrType, "f"},
		{"number for time", conds(rowkey.Span("at", 1, 2)), rowkey.ErrType, "at"},
		{"number for bool", conds(rowkey.Eq("b", 1)), rowkey.ErrType, "b"},
		{"bool for number", conds(rowkey.LessThan("i", true)), rowkey.ErrType, "i"},
		{"prefix of a number", conds(rowkey.Prefix("n", "1")), rowkey.ErrType, "n"},
		{"suffix of a time", conds(rowkey.Suffix("at", "1")), rowkey.ErrType, "at"},
		{"a type within AnyOf", conds(rowkey.AnyOf(rowkey.Eq("n", 1), rowkey.Eq("n", "1"))), rowkey.ErrType, "n"},

		{"an empty prefix", conds(rowkey.Prefix("name", "")), rowkey.ErrLength, "name"},
		{"an empty suffix", conds(rowkey.Suffix("raw", "")), rowkey.ErrLength, "raw"},
		{"an empty prefix within AnyOf", conds(rowkey.AnyOf(rowkey.Eq("name", "a"), rowkey.Prefix("name", ""))), rowkey.ErrLength, "name"},
		{"NaN", conds(rowkey.Eq("f", math.NaN())), rowkey.ErrRange, "f"},
		{"NaN among others", conds(rowkey.In("f", 1, math.NaN())), rowkey.ErrRange, "f"},
		{"to NaN", conds(rowkey.Span("f", 1, math.NaN())), rowkey.ErrRange, "f"},
		{"from NaN", conds(rowkey.Span("f", float32(math.NaN()), 1)), rowkey.ErrRange, "f"},

		{"from above to", conds(rowkey.Span("n", 2, 1)), rowkey.ErrInverted, "n"},
		{"from above to, text", conds(rowkey.Span("name", "b", "a")), rowkey.ErrInverted, "name"},
		{"from above to, bytes", conds(rowkey.Span("raw", []byte("b"), []byte("a"))), rowkey.ErrInverted, "raw"},
		{"from above to, negative", conds(rowkey.Span("i", -1, -2)), rowkey.ErrInverted, "i"},
		{"from above to, neither storable", conds(rowkey.Span("n", 400, 300)), rowkey.ErrInverted, "n"},
		{"from above to, both negative in a Uint", conds(rowkey.Span("n", -1, -2)), rowkey.ErrInverted, "n"},
		{"from above to, float", conds(rowkey.Span("f", 1.5, -1.5)), rowkey.ErrInverted, "f"},
		{"from above to, time", conds(rowkey.Span("at", later, earlier)), rowkey.ErrInverted, "at"},
		{"from above to within the unit", conds(rowkey.Span("at", earlier.Add(2), earlier.Add(1))), rowkey.ErrInverted, "at"},
		{"from above to, before 1970", conds(rowkey.Span("at", time.Unix(-1, 0), time.Unix(-2, 0))), rowkey.ErrInverted, "at"},
		{"from above to, bool", conds(rowkey.Span("b", true, false)), rowkey.ErrInverted, "b"},
		{"AtLeast above LessThan", conds(rowkey.AtLeast("n", 9), rowkey.LessThan("n", 5)), rowkey.ErrInverted, "n"},
		{"MoreThan above AtMost, text", conds(rowkey.AtMost("name", "a"), rowkey.MoreThan("name", "b")), rowkey.ErrInverted, "name"},
		{"the highest AtLeast", conds(rowkey.AtLeast("n", 3), rowkey.LessThan("n", 5), rowkey.AtLeast("n", 9), rowkey.AtMost("n", 200)), rowkey.ErrInverted, "n"},
		{"AtLeast above AtMost within the unit", conds(rowkey.AtLeast("at", earlier.Add(2)), rowkey.AtMost("at", earlier.Add(1))), rowkey.ErrInverted, "at"},
		{"an int above an unsigned number", conds(rowkey.AtLeast("n", 9), rowkey.LessThan("n", uint64(5))), rowkey.ErrInverted, "n"},
		{"an unsigned number above a negative one", conds(rowkey.AtLeast("i", uint64(math.MaxUint64)), rowkey.LessThan("i", -1)), rowkey.ErrInverted, "i"},
		{"neither can be stored", conds(rowkey.AtLeast("n", 400), rowkey.LessThan("n", 300)), rowkey.ErrInverted, "n"},
		{"they cross in spite of another contradiction", conds(rowkey.In[string]("name"), rowkey.AtLeast("n", 2), rowkey.LessThan("n", 1)), rowkey.ErrInverted, "n"},
		{"from above to in spite of a contradiction", conds(rowkey.In[string]("name"), rowkey.Span("n", 2, 1)), rowkey.ErrInverted, "n"},
	} {
		t.Run(c.what, func(t *testing.T) {
			plan, err := s.Scan(c.conds...)
			require.ErrorIs(t, err, c.err)
			assert.Nil(t, plan)
			var e *rowkey.Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, "e", e.Schema)
			assert.Equal(t, -1, e.Offset)
			if c.field != "" {
				assert.Equal(t, c.field, e.Field)
			}
			if c.err != rowkey.ErrFullScan {
				_, permitted := s.Scan(append(slices.Clone(c.conds), full, rowkey.MaxRanges(1<<20))...)
				assert.ErrorIs(t, permitted, c.err, "a permission permits no nonsense")
			}
		})
	}
	for _, n := range []int{0, -1, math.MinInt} {
		_, err := s.Scan(rowkey.Eq("name", "a"), rowkey.MaxRanges(n))
		assert.Error(t, err, "MaxRanges(%d)", n)
	}
}

// Reading everything has to be said; conditions that every value satisfies say
// nothing.
func TestPlanFullScan(t *testing.T) {
	plain := func() *rowkey.Builder { return rowkey.New("f").Uint("n", 1).String("s") }
	salted := func() *rowkey.Builder {
		return rowkey.New("f").Salt(3, "s").String("s").Separator("\x00").Uint("n", 1)
	}
	tagged := func() *rowkey.Builder { return rowkey.New("f").Literal("v1").Uint("n", 1).String("s") }
	letters := func() *rowkey.Builder {
		return rowkey.New("f").String("letter", rowkey.OneOf("a", "b")).Separator("-").String("s")
	}
	all := []struct {
		what  string
		conds []rowkey.Cond
	}{
		{"nothing", nil},
		{"below 300", conds(rowkey.LessThan("n", 300))},
		{"at most 255", conds(rowkey.AtMost("n", 255))},
		{"at least −5", conds(rowkey.AtLeast("n", -5))},
		{"from −5 to 256", conds(rowkey.Span("n", -5, 256))},
		{"not 300", conds(rowkey.NotEq("n", 300))},
		{"this or not this", conds(rowkey.AnyOf(rowkey.Eq("n", 7), rowkey.NotEq("n", 7)))},
		{"up and down", conds(rowkey.AnyOf(rowkey.AtLeast("n", 7), rowkey.LessThan("n", 7)))},
		{"at least the empty text", conds(rowkey.AtLeast("s", ""))},
		{"many permissions but the one", conds(rowkey.MaxRanges(1 << 20))},
	}
	for _, c := range all {
		t.Run(c.what, func(t *testing.T) {
			for name, table := range map[string]func() *rowkey.Builder{"plain": plain, "salted": salted, "tagged": tagged} {
				s := table().MustBuild()
				_, err := s.Scan(c.conds...)
				assert.ErrorIs(t, err, rowkey.ErrFullScan, name)
				plan, err := s.Scan(append(slices.Clone(c.conds), rowkey.FullScan())...)
				require.NoError(t, err, name)
				assert.True(t, plan.Exact(), "%s: every row matches", name)
				for i := range 256 {
					row := []any{i, "s"}
					if name == "salted" {
						row = []any{"s", i}
					}
					key, err := s.AppendKey(nil, row...)
					require.NoError(t, err)
					assert.Equal(t, 1, planCovering(slices.Collect(plan.Ranges()), key), name)
					assert.True(t, plan.Match(key))
				}
			}
		})
	}
	runPlans(t, []planTest{
		{name: "plain", schema: plain(), conds: conds(rowkey.FullScan()), ranges: []string{"|"}},
		{name: "salted: bucket by bucket", schema: salted(), conds: conds(rowkey.FullScan()), ranges: []string{"00|01", "01|02", "02|03"}},
		{name: "tagged", schema: tagged(), conds: conds(rowkey.FullScan()), ranges: []string{"t:v1|t:v2"}},
		{name: "tagged, each byte behind the tag", schema: tagged(), conds: conds(rowkey.Eq("s", "a")), ranges: []string{"76310061|7631006100"}, n: 256},
		{name: "both letters there are", schema: letters(), conds: conds(rowkey.In("letter", "a", "b")), err: rowkey.ErrFullScan},
		{name: "one letter of two", schema: letters(), conds: conds(rowkey.NotEq("letter", "a")), ranges: []string{"t:b-|t:b."}},
		{name: "all but one number is no full scan", schema: plain(), conds: conds(rowkey.NotEq("n", 0)), ranges: []string{"01|"}},
		{name: "all but one in the middle", schema: plain(), conds: conds(rowkey.NotEq("n", 7)), ranges: []string{"00|07", "08|"}},
	})
}

// Too many ranges: an error with the count, and MaxRanges as the remedy.
func TestPlanManyRanges(t *testing.T) {
	s := rowkey.New("m").Uint("n", 4).String("s").MustBuild()
	var numbers []int
	for i := range 2000 {
		numbers = append(numbers, 2*i)
	}
	_, err := s.Scan(rowkey.In("n", numbers...))
	require.ErrorIs(t, err, rowkey.ErrManyRanges)
	assert.ErrorContains(t, err, "2000")
	_, err = s.Scan(rowkey.In("n", numbers...), rowkey.MaxRanges(1999))
	require.ErrorIs(t, err, rowkey.ErrManyRanges)
	plan, err := s.Scan(rowkey.In("n", numbers...), rowkey.MaxRanges(2000))
	require.NoError(t, err)
	assert.Equal(t, 2000, plan.Len())
	assert.True(t, plan.Exact())
	plan, err = s.Scan(rowkey.In("n", numbers[:1024]...))
	require.NoError(t, err)
	assert.Equal(t, 1024, plan.Len())

	// Neighbours and doubles are one range: what counts is what is left.
	var neighbours []int
	for i := range 3000 {
		neighbours = append(neighbours, i/2)
	}
	plan, err = s.Scan(rowkey.In("n", neighbours...))
	require.NoError(t, err)
	assert.Equal(t, 1, plan.Len())

	// A fan times a list: the count is the product.
	s = rowkey.New("m").Hash(rowkey.MD5.Hex(2), "s").Uint("n", 4).String("s").MustBuild()
	_, err = s.Scan(rowkey.In("n", 1, 3, 5, 7, 9))
	require.ErrorIs(t, err, rowkey.ErrManyRanges)
	assert.ErrorContains(t, err, "1280")
	plan, err = s.Scan(rowkey.In("n", 1, 3, 5, 7, 9), rowkey.MaxRanges(1280))
	require.NoError(t, err)
	assert.Equal(t, 1280, plan.Len())
	assert.True(t, plan.Exact())
	_, err = s.Scan(rowkey.In("n", 1, 3, 5, 7, 9), rowkey.MaxRanges(1279))
	assert.ErrorIs(t, err, rowkey.ErrManyRanges)
	plan, err = s.Scan(rowkey.Eq("n", 1), rowkey.Eq("s", "a"), rowkey.MaxRanges(1))
	require.NoError(t, err)
	assert.Equal(t, 1, plan.Len())
}

// A text whose separator sorts above some of its bytes is not ordered: an
// interval is its bounds and what the separator puts elsewhere.
func TestPlanMisplacedText(t *testing.T) {
	hosts := func() *rowkey.Builder { return rowkey.New("h").String("host").Separator("_").Uint("n", 1) }
	runPlans(t, []planTest{
		{
			name: "host12 sorts before host1", schema: hosts(),
			conds:  conds(rowkey.Span("host", "host1", "host12")),
			ranges: []string{"t:host1|t:host12", "t:host1_|t:host1`"},
		}, {
			name: "from host12 on: without host1", schema: hosts(),
			conds:  conds(rowkey.Span("host", "host12", "host2")),
			ranges: []string{"t:host12|t:host1_", "t:host1`|t:host2"},
		}, {
			name: "one host", schema: hosts(),
			conds:  conds(rowkey.Eq("host", "host1")),
			ranges: []string{"t:host1_|t:host1`"},
		}, {
			name: "two hosts", schema: hosts(),
			conds:  conds(rowkey.In("host", "host1", "host12", "host1")),
			ranges: []string{"t:host12_|t:host12`", "t:host1_|t:host1`"},
		}, {
			name: "all that begin with host1", schema: hosts(),
			conds:  conds(rowkey.Prefix("host", "host1")),
			ranges: []string{"t:host1|t:host2"},
		},
	})
	// Each interval between few hosts, against the hosts it holds.
	names := []string{"", "h", "host", "host!", "host1", "host1!", "host10", "host12", "host1a", "host1~", "host2", "hostz", "i", "~"}
	s := hosts().MustBuild()
	for _, from := range names {
		for _, to := range names {
			if from > to {
				continue
			}
			plan, err := s.Scan(rowkey.Span("host", from, to))
			require.NoError(t, err)
			assert.True(t, plan.Exact(), "%q to %q", from, to)
			for _, host := range names {
				key, err := s.AppendKey(nil, host, 7)
				require.NoError(t, err)
				want := 0
				if from <= host && host < to {
					want = 1
				}
				assert.Equal(t, want, planCovering(slices.Collect(plan.Ranges()), key), "%q to %q: %q", from, to, host)
				assert.Equal(t, want == 1, plan.Match(key))
			}
		}
	}
}

// Times finer than the unit: the ends round outward, and the plan is not exact.
func TestPlanFinerTimes(t *testing.T) {
	at := func(sec float64) time.Time { return time.UnixMilli(int64(1000 * sec)) }
	table := func(opts ...rowkey.FieldOption) *rowkey.Builder {
		return rowkey.New("t").Time("at", rowkey.Seconds, append([]rowkey.FieldOption{rowkey.Width(4)}, opts...)...)
	}
	runPlans(t, []planTest{
		{name: "whole", schema: table(), conds: conds(rowkey.Span("at", at(5), at(7))), ranges: []string{"00000005|00000007"}},
		{name: "from", schema: table(), conds: conds(rowkey.Span("at", at(5.5), at(7))), ranges: []string{"00000005|00000007"}, covers: true},
		{name: "to", schema: table(), conds: conds(rowkey.Span("at", at(5), at(7.5))), ranges: []string{"00000005|00000008"}, covers: true},
		{name: "within one", schema: table(), conds: conds(rowkey.Span("at", at(5.25), at(5.5))), ranges: []string{"00000005|00000006"}, covers: true},
		{name: "newest first", schema: table(rowkey.Desc), conds: conds(rowkey.Span("at", at(5.5), at(7.5))), ranges: []string{"7ffffff8|7ffffffb"}, covers: true},
		{name: "at least", schema: table(), conds: conds(rowkey.AtLeast("at", at(5.5)), rowkey.LessThan("at", at(9))), ranges: []string{"00000005|00000009"}, covers: true},
		{name: "more than, whole", schema: table(), conds: conds(rowkey.MoreThan("at", at(5)), rowkey.LessThan("at", at(9))), ranges: []string{"00000006|00000009"}},
		{name: "more than", schema: table(), conds: conds(rowkey.MoreThan("at", at(5.5)), rowkey.LessThan("at", at(9))), ranges: []string{"00000005|00000009"}, covers: true},
		{name: "at most", schema: table(), conds: conds(rowkey.AtMost("at", at(5.5)), rowkey.AtLeast("at", at(1))), ranges: []string{"00000001|00000006"}, covers: true},
		{name: "equal", schema: table(), conds: conds(rowkey.Eq("at", at(5.5))), ranges: []string{"00000005|00000006"}, covers: true, keys: 1},
		{
			name: "not equal", schema: table(),
			conds: conds(rowkey.NotEq("at", at(5.5)), rowkey.AtLeast("at", at(5)), rowkey.LessThan("at", at(9))), ranges: []string{"00000005|00000009"}, covers: true,
		},
		{
			name:   "hours of milliseconds",
			schema: rowkey.New("t").Time("at", rowkey.Millis, rowkey.Truncate(time.Hour)),
			conds:  conds(rowkey.Span("at", time.Unix(3600, 0), time.Unix(9000, 0))),
			ranges: []string{"000000000036ee80|00000000006ddd01"}, covers: true,
		},
		{
			name:   "hours of milliseconds, listed for what stands after",
			schema: rowkey.New("t").Time("at", rowkey.Millis, rowkey.Truncate(time.Hour)).Uint("n", 1),
			conds:  conds(rowkey.MoreThan("at", time.Unix(3600, 0)), rowkey.LessThan("at", time.Unix(4*3600, 0)), rowkey.Eq("n", 7)),
			ranges: []string{"00000000006ddd00 07|00000000006ddd00 08", "0000000000a4cb80 07|0000000000a4cb80 08"},
		},
		{
			name:   "days, written out",
			schema: rowkey.New("t").Time("day", rowkey.Layout("20060102", beijing)),
			conds:  conds(rowkey.Span("day", midnight, midnight.AddDate(0, 0, 2))),
			ranges: []string{"t:20121212|t:20121214"},
		},
		{
			name:   "days, written out, from noon to noon",
			schema: rowkey.New("t").Time("day", rowkey.Layout("20060102", beijing)),
			conds:  conds(rowkey.Span("day", midnight.Add(12*time.Hour), midnight.Add(60*time.Hour))),
			ranges: []string{"t:20121212|t:20121215"}, covers: true,
		},
	})
}

// Values that no row can have bound what rows have all the same.
func TestPlanBoundsThatNoRowHas(t *testing.T) {
	bytes1 := func() *rowkey.Builder { return rowkey.New("b").Uint("n", 1).Int("i", 1) }
	text := func() *rowkey.Builder { return rowkey.New("b").String("s").Separator("\x00").Uint("n", 1) }
	runPlans(t, []planTest{
		{name: "from below to above", schema: bytes1(), conds: conds(rowkey.Eq("n", 1), rowkey.AtLeast("i", -1000), rowkey.AtMost("i", 1000)), ranges: []string{"01|02"}},
		{name: "from −1000", schema: bytes1(), conds: conds(rowkey.Eq("n", 1), rowkey.Span("i", -1000, 0)), ranges: []string{"0100|0180"}},
		{name: "from the first byte below the last", schema: bytes1(), conds: conds(rowkey.AtLeast("n", 250)), ranges: []string{"fa|"}},
		{name: "another's value in an In", schema: bytes1(), conds: conds(rowkey.In("n", 1, 300, -1, 1)), ranges: []string{"01|02"}},
		{name: "a bound that holds the end", schema: text(), conds: conds(rowkey.AtLeast("s", "a\x00b"), rowkey.LessThan("s", "b")), ranges: []string{"6101|62"}},
		{name: "to a bound that holds the end", schema: text(), conds: conds(rowkey.AtLeast("s", "a"), rowkey.LessThan("s", "b\x00")), ranges: []string{"61|6201"}},
	})
}

// Plans of Loose fields cover, and Match decides where it can.
func TestPlanLoose(t *testing.T) {
	s := rowkey.New("l").String("device", rowkey.Loose).Separator("_").Uint("n", 1).MustBuild()
	plan, err := s.Scan(rowkey.Eq("device", "d"), rowkey.AtMost("n", 9))
	require.NoError(t, err)
	assert.False(t, plan.Exact())
	for _, c := range []struct {
		device string
		n      int
		want   bool
	}{{"d", 1, true}, {"d", 9, true}, {"d", 10, false}, {"d_", 1, false}, {"d_1", 1, false}} {
		key, err := s.AppendKey(nil, c.device, c.n)
		require.NoError(t, err)
		assert.Equal(t, c.want, plan.Match(key), "%q", key)
		if c.want {
			assert.Equal(t, 1, planCovering(slices.Collect(plan.Ranges()), key), "%q", key)
		}
	}

	// Two readings: no row is lost.
	glued := rowkey.New("g").Uint("uid", 8, rowkey.Decimal, rowkey.Loose).String("phone", rowkey.Loose).String("name").MustBuild()
	plan, err = glued.Scan(rowkey.Eq("uid", 11))
	require.NoError(t, err)
	assert.False(t, plan.Exact())
	for _, row := range [][]any{{11, "1123", ""}, {111, "123", ""}} {
		key, err := glued.AppendKey(nil, row...)
		require.NoError(t, err)
		assert.True(t, plan.Match(key))
		assert.Equal(t, 1, planCovering(slices.Collect(plan.Ranges()), key))
	}
}

// Match needs no range: it tests any bytes against the whole query.
func TestPlanMatch(t *testing.T) {
	plan, err := trades.Scan(rowkey.Eq("seller", "s-42"), rowkey.AtLeast("at", opTime))
	require.NoError(t, err)
	for _, c := range []struct {
		seller string
		at     time.Time
		want   bool
	}{{"s-42", opTime, true}, {"s-42", opTime.Add(time.Hour), true}, {"s-42", opTime.Add(-1), false}, {"s-421", opTime, false}, {"s-4", opTime, false}} {
		key, err := trades.AppendKey(nil, c.seller, c.at, uint64(7))
		require.NoError(t, err)
		assert.Equal(t, c.want, plan.Match(key), "%v", c)
		assert.Equal(t, c.want, planCovering(slices.Collect(plan.Ranges()), key) == 1, "%v", c)
		assert.False(t, plan.Match(key[:len(key)-1]), "not a key")
		assert.False(t, plan.Match(append(key, 0)), "not a key")
	}
	assert.False(t, plan.Match(nil))
	assert.False(t, plan.Match([]byte("any bytes")))
}

// A plan is as good with more fields, more values and longer ones than most have.
func TestPlanLarge(t *testing.T) {
	b := rowkey.New("large")
	var query []rowkey.Cond
	var row []any
	want := ""
	for i := range 20 {
		name := fmt.Sprintf("f%d", i)
		b = b.Uint(name, 1)
		row = append(row, i)
		if i < 18 {
			query = append(query, rowkey.Eq(name, i))
			want += fmt.Sprintf("%02x", i)
		}
	}
	s := b.String("text").Separator("\x00").String("end").MustBuild()
	plan, err := s.Scan(append(query, rowkey.Span("f18", 7, 9))...)
	require.NoError(t, err)
	ranges := slices.Collect(plan.Ranges())
	require.Len(t, ranges, 1)
	assert.Equal(t, want+"07 "+want+"09", bounds(ranges[0]))
	assert.True(t, plan.Exact())

	// Every field, texts of 300 bytes, all combinations of four and fifty.
	query = append(query, rowkey.In("f18", 1, 3, 5, 7), rowkey.Eq("f19", 19))
	var texts []string
	for i := range 50 {
		texts = append(texts, fmt.Sprintf("%0300d", 7*i))
	}
	plan, err = s.Scan(append(query, rowkey.In("text", texts...), rowkey.Eq("end", strings.Repeat("e", 300)))...)
	require.NoError(t, err)
	assert.Equal(t, 200, plan.Len())
	assert.True(t, plan.Exact())
	found := map[string]bool{}
	for key := range plan.Keys() {
		found[string(key)] = true
	}
	assert.Len(t, found, 200)
	for _, f18 := range []int{1, 3, 5, 7} {
		row[18] = f18
		for _, text := range texts {
			key, err := s.AppendKey(nil, append(slices.Clone(row), text, strings.Repeat("e", 300))...)
			require.NoError(t, err)
			assert.True(t, found[string(key)])
			assert.True(t, plan.Match(key))
			assert.Equal(t, 1, planCovering(slices.Collect(plan.Ranges()), key))
		}
	}
	pairs := 0
	plan, err = s.Scan(append(query[1:], rowkey.FullScan())...) // f0 is open
	require.NoError(t, err)
	for key, mask := range plan.Fuzzy() {
		assert.Len(t, key, 20)
		assert.Equal(t, append([]byte{1}, make([]byte, 19)...), mask)
		pairs++
	}
	assert.Equal(t, 4, pairs)
}

// One plan serves many goroutines, while others are made.
func TestPlanConcurrent(t *testing.T) {
	plan, err := trades.Scan(rowkey.In("seller", "s-42", "s-43"), rowkey.AtLeast("at", opTime))
	require.NoError(t, err)
	want := plan.String()
	key, err := trades.AppendKey(nil, "s-42", opTime, uint64(7))
	require.NoError(t, err)
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for j := range 200 {
				other, err := trades.Scan(rowkey.In("seller", fmt.Sprint(i), fmt.Sprint(j)), rowkey.LessThan("at", opTime))
				assert.NoError(t, err)
				assert.False(t, other.Match(key))
				assert.True(t, plan.Match(key))
				assert.Equal(t, 1, planCovering(slices.Collect(plan.Ranges()), key))
				assert.Empty(t, slices.Collect(plan.Keys()))
				assert.Equal(t, want, plan.String())
				for range plan.Fuzzy() {
				}
			}
		}()
	}
	wait.Wait()
}

// A plan whose conditions leave out no value of a field is read from several goroutines, too: Fuzzy studies the
// conditions once more. Only the race detector sees it.
func TestPlanConcurrentFuzzy(t *testing.T) {
	for _, c := range []struct {
		notation string
		all      rowkey.Cond
	}{
		{`[a oneof("x","y")][b:8]`, rowkey.In("a", "x", "y")},
		{`[a codes("x":"1","y":"2")][b:8]`, rowkey.NotEq("a", "z")},
		{"[a:bool][b:8]", rowkey.In("a", true, false)},
		{"[a:8 below(4)][b:8]", rowkey.In("a", 0, 1, 2, 3)},
	} {
		plan, err := rowkey.Must(rowkey.Parse("t", c.notation)).Scan(c.all, rowkey.Eq("b", 7), rowkey.FullScan())
		require.NoError(t, err)
		want := plan.String()
		var wait sync.WaitGroup
		for range 4 {
			wait.Add(1)
			go func() {
				defer wait.Done()
				for range plan.Fuzzy() {
				}
				assert.Equal(t, want, plan.String())
			}()
		}
		wait.Wait()
	}
}

// Typed handles and names say the same.
func TestPlanHandles(t *testing.T) {
	type name string
	type number uint16
	s := rowkey.New("h").String("s").Separator("\x00").Uint("n", 2).Time("at", rowkey.Millis).MustBuild()
	text, bin := rowkey.Must(rowkey.FieldOf[name](s, "s")), rowkey.Must(rowkey.FieldOf[[]byte](s, "s"))
	n, at := rowkey.Must(rowkey.FieldOf[number](s, "n")), rowkey.Must(rowkey.FieldOf[time.Time](s, "at"))
	for _, c := range []struct{ handle, name []rowkey.Cond }{
		{conds(text.Eq("a"), n.Eq(7), at.Eq(opTime)), conds(rowkey.Eq("s", "a"), rowkey.Eq("n", 7), rowkey.Eq("at", opTime))},
		{conds(bin.In([]byte("a"), []byte("b"))), conds(rowkey.In("s", "a", "b"))},
		{conds(text.Eq("a"), n.Span(3, 9)), conds(rowkey.Eq("s", []byte("a")), rowkey.Span("n", int8(3), 9))},
		{conds(text.Eq("a"), n.AtLeast(3), n.AtMost(9)), conds(rowkey.Eq("s", name("a")), rowkey.AtLeast("n", 3), rowkey.AtMost("n", number(9)))},
		{conds(text.Eq("a"), n.MoreThan(3), n.LessThan(9)), conds(rowkey.Eq("s", "a"), rowkey.MoreThan("n", 3), rowkey.LessThan("n", 9))},
		{conds(text.NotEq("a")), conds(rowkey.NotEq("s", "a"))},
	} {
		a, err := s.Scan(c.handle...)
		require.NoError(t, err)
		b, err := s.Scan(c.name...)
		require.NoError(t, err)
		assert.True(t, lawSameRanges(slices.Collect(a.Ranges()), slices.Collect(b.Ranges())), "%v\n%v", a, b)
		assert.Equal(t, b.Exact(), a.Exact())
	}
}

// The slice that a caller passes is the caller's: it may change afterwards.
func TestPlanOwnsItsConditions(t *testing.T) {
	s := rowkey.New("o").Binary("b").Separator("\x00").Uint("n", 1).MustBuild()
	values := [][]byte{[]byte("a"), []byte("c")}
	list := conds(rowkey.In("b", values...), rowkey.AtLeast("n", 5))
	either := rowkey.AnyOf(list[:1]...)
	values[0][0], values[1] = 'x', []byte("y")
	list[0] = rowkey.Eq("b", "z")
	plan, err := s.Scan(either, list[1])
	require.NoError(t, err)
	var got []string
	for r := range plan.Ranges() {
		got = append(got, bounds(r))
	}
	assert.Equal(t, []string{"610005 6101", "630005 6301"}, got)
}

// The keys of a get.
func TestPlanKeys(t *testing.T) {
	keys := func(b *rowkey.Builder, c ...rowkey.Cond) []string {
		t.Helper()
		plan, err := b.MustBuild().Scan(append(c, rowkey.FullScan())...)
		require.NoError(t, err)
		var out []string
		for key := range plan.Keys() {
			out = append(out, string(key))
		}
		return out
	}
	nonce := func() *rowkey.Builder {
		return rowkey.New("o").String("user").Separator("_").String("order").Separator("_").Uint("nonce", 1, rowkey.Below(100), rowkey.Digits(2))
	}
	got := keys(nonce(), rowkey.Eq("user", "u"), rowkey.Eq("order", "o1"))
	require.Len(t, got, 100)
	for i, key := range slices.Sorted(slices.Values(got)) {
		assert.Equal(t, fmt.Sprintf("u_o1_%02d", i), key)
	}
	assert.ElementsMatch(t, []string{"u_o1_97", "u_o1_98", "u_o1_99"},
		keys(nonce(), rowkey.Eq("user", "u"), rowkey.Eq("order", "o1"), rowkey.AtLeast("nonce", 97)))
	assert.ElementsMatch(t, []string{"u_o1_07", "v_o1_07"},
		keys(nonce(), rowkey.In("user", "u", "v", "u", "a_b"), rowkey.Eq("order", "o1"), rowkey.Eq("nonce", 7)))
	assert.Empty(t, keys(nonce(), rowkey.Eq("user", "u")), "the order is open")
	assert.Empty(t, keys(nonce(), rowkey.Eq("user", "a_b"), rowkey.Eq("order", "o1")), "no such row can be")
	assert.Empty(t, keys(nonce(), rowkey.Prefix("user", "u"), rowkey.Eq("order", "o1")), "the user is open")

	letter := func() *rowkey.Builder {
		return rowkey.New("l").String("letter", rowkey.OneOf("a", "b", "c", "d")).Separator("-").String("id")
	}
	assert.ElementsMatch(t, []string{"a-x", "b-x", "c-x", "d-x"}, keys(letter(), rowkey.Eq("id", "x")))
	assert.ElementsMatch(t, []string{"a-x", "c-x", "d-x"}, keys(letter(), rowkey.Eq("id", "x"), rowkey.NotEq("letter", "b")))

	salted := func() *rowkey.Builder {
		return rowkey.New("s").Salt(4, "id", rowkey.Letters("abcd")).Separator("-").String("id")
	}
	assert.Equal(t, []string{"c-foo0001"}, keys(salted(), rowkey.Eq("id", "foo0001")))

	// Values that are not stored: all are tried, so few may be.
	hidden := func() *rowkey.Builder {
		return rowkey.New("h").Salt(4, "values(a,b)").Uint("n", 1).
			Uint("a", 2, rowkey.Below(40_000), rowkey.NotStored).Uint("b", 2, rowkey.Below(40_000), rowkey.NotStored)
	}
	assert.ElementsMatch(t, []string{"\x00\x07", "\x01\x07", "\x02\x07", "\x03\x07"}, keys(hidden(), rowkey.Eq("n", 7), rowkey.Eq("a", 1)))
	assert.Empty(t, keys(hidden(), rowkey.Eq("n", 7)), "1.6 billion rows of four keys")

	// Nor may many rows be tried of which none has a key.
	wide := rowkey.New("w").String("user").Separator("_").Uint("a", 2, rowkey.Below(40_000)).Uint("b", 2, rowkey.Below(40_000))
	assert.Empty(t, keys(wide, rowkey.Eq("user", "a_b")), "1.6 billion rows that are refused")
}

// Buckets that grow: every key has at most two places, and both schemas' plans
// name them; of 16 to 32 half stay, of 16 to 20 a fifth.
func TestPlanKeysOfGrowingBuckets(t *testing.T) {
	long(t)
	table := func(buckets int) *rowkey.Schema {
		return rowkey.New("grow").Salt(buckets, "id").Uint("id", 8).MustBuild()
	}
	stay := map[int]int{}
	for id := range 4000 {
		places := map[int]map[string]bool{}
		for _, n := range []int{20, 32} {
			places[n] = map[string]bool{}
			for _, s := range []*rowkey.Schema{table(16), table(n)} {
				plan, err := s.Scan(rowkey.Eq("id", id))
				require.NoError(t, err)
				found := 0
				for key := range plan.Keys() {
					places[n][string(key)] = true
					found++
				}
				require.Equal(t, 1, found)
			}
			if len(places[n]) == 1 {
				stay[n]++
			}
		}
	}
	assert.InDelta(t, 2000, stay[32], 150)
	assert.InDelta(t, 800, stay[20], 150)
}

// The server's own filter for what is fixed after what is open.
func TestPlanFuzzy(t *testing.T) {
	pairs := func(b *rowkey.Builder, c ...rowkey.Cond) []string {
		t.Helper()
		plan, err := b.MustBuild().Scan(append(c, rowkey.FullScan())...)
		require.NoError(t, err)
		var out []string
		for key, mask := range plan.Fuzzy() {
			out = append(out, fmt.Sprintf("%x %x", key, mask))
		}
		return out
	}
	two := func() *rowkey.Builder { return rowkey.New("f").Uint("a", 4).Uint("b", 2) }
	assert.Equal(t, []string{"000000000007 010101010000"}, pairs(two(), rowkey.Eq("b", 7)))
	assert.ElementsMatch(t, []string{"000000000007 010101010000", "000000000009 010101010000"}, pairs(two(), rowkey.In("b", 7, 9, 7)))
	assert.Empty(t, pairs(two(), rowkey.Eq("a", 7)), "the range says it")
	assert.Empty(t, pairs(two(), rowkey.Eq("a", 7), rowkey.Eq("b", 7)), "never all fixed")
	assert.Empty(t, pairs(two()), "nothing is fixed")
	assert.Empty(t, pairs(two(), rowkey.AtLeast("b", 7)), "nothing is fixed")
	assert.Empty(t, pairs(rowkey.New("f").String("a").Separator("\x00").Uint("b", 2), rowkey.Eq("b", 7)), "b stands nowhere in particular")

	hashed := func() *rowkey.Builder { return rowkey.New("f").Hash(rowkey.MD5.Raw(4), "a").Uint("a", 4).Uint("b", 2) }
	assert.Equal(t, []string{"00000000000000000007 01010101010101010000"}, pairs(hashed(), rowkey.Eq("b", 7)))
	tagged := func() *rowkey.Builder { return rowkey.New("f").Literal("v1").Uint("a", 2).Literal("-").Uint("b", 1) }
	assert.Equal(t, []string{"763100002d07 000001010000"}, pairs(tagged(), rowkey.Eq("b", 7)))
	assert.Empty(t, pairs(two(), rowkey.Eq("b", 70000)), "an empty plan")
}

// One token resumes all eight buckets of the global timeline, page by page,
// forward and backward: each row once, in the order of time.
func TestPlanPages(t *testing.T) {
	s := timeline().MustBuild()
	var table [][]byte
	for i := range 25 {
		for j, host := range []string{"web-01", "web-02", "db-01", "host1", "host12"} {
			key, err := s.AppendKey(nil, ms(1704067200000+int64(i/2)), host, i*10+j)
			require.NoError(t, err)
			table = append(table, key)
		}
	}
	order := func(a, b []byte) int { // of Merge: without the salt, then the salt
		if c := bytes.Compare(a[1:], b[1:]); c != 0 {
			return c
		}
		return bytes.Compare(a[:1], b[:1])
	}
	all, err := s.Scan(rowkey.Span("at", ms(1704067200002), ms(1704067200010)))
	require.NoError(t, err)
	require.Equal(t, 8, all.Len())
	read := func(p *rowkey.Plan) [][]byte {
		var rows [][]byte
		for _, key := range table {
			if planCovering(slices.Collect(p.Ranges()), key) == 1 && p.Match(key) {
				rows = append(rows, key)
			}
		}
		slices.SortFunc(rows, order)
		return rows
	}
	want := read(all)
	require.Len(t, want, 80)
	for _, backward := range []bool{false, true} {
		plan := all
		sorted := slices.Clone(want)
		if backward {
			plan = all.Reversed()
			slices.Reverse(sorted)
		}
		require.Equal(t, 8, plan.Len())
		ranges := slices.Collect(plan.Ranges())
		if backward {
			slices.Reverse(ranges)
		}
		assert.True(t, lawSameRanges(ranges, slices.Collect(all.Ranges())))
		var got [][]byte
		rest := plan
		for {
			rows := slices.Collect(rest.Ranges())
			if backward {
				slices.Reverse(rows)
			}
			var page [][]byte
			for _, key := range table {
				if planCovering(rows, key) == 1 {
					page = append(page, key)
				}
			}
			if len(page) == 0 {
				break
			}
			slices.SortFunc(page, order)
			if backward {
				slices.Reverse(page)
			}
			page = page[:min(10, len(page))]
			got = append(got, page...)
			rest, err = plan.Resume(plan.Token(page[len(page)-1]))
			require.NoError(t, err)
		}
		assert.Equal(t, sorted, got, "backward: %v", backward)
	}
}

// ---- what HBase's own filters answered

// vectorFile is the lines of one file of testdata/vectors, or of the folder
// that ROWKEY_VECTORS names.
func vectorFileLines(t *testing.T, name string) []string {
	t.Helper()
	dir := os.Getenv("ROWKEY_VECTORS")
	if dir == "" {
		dir = filepath.Join("testdata", "vectors")
	}
	data, err := readFile(filepath.Join(dir, name))
	require.NoError(t, err)
	var lines []string
	for _, line := range strings.Split(string(data), "\n") {
		if strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// strictly decodes a line; a field that the test does not know is an error.
func strictly(line string, v any) error {
	d := json.NewDecoder(strings.NewReader(line))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

// TestVectorsFuzzy holds the model of FuzzyRowFilter, which the laws test plans
// against, to what HBase's class answered; and the plans' own filters, where a
// line's filter is one that a plan has.
func TestVectorsFuzzy(t *testing.T) {
	lines := vectorFileLines(t, "hbase_fuzzy.jsonl")
	plans := 0
	for i, line := range lines {
		planned, err := checkFuzzyLine(line)
		if err != nil {
			t.Errorf("hbase_fuzzy.jsonl:%d: %v", i+1, err)
		}
		if planned {
			plans++
		}
	}
	t.Logf("%d lines checked, %d of them against a plan's own filter; the others' masks end in bytes that do not count or are all fixed, as no plan's is", len(lines), plans)
	vectors.Counts{File: "hbase_fuzzy.jsonl", Lines: len(lines), Equal: len(lines)}.Check(t)
}

func checkFuzzyLine(line string) (planned bool, err error) {
	var v struct {
		Key, Mask, Row, Code string
		Hint                 *string
		AllRemaining         bool `json:"all_remaining"`
	}
	if err := strictly(line, &v); err != nil {
		return false, err
	}
	var bin [3][]byte
	for i, text := range []string{v.Key, v.Mask, v.Row} {
		if bin[i], err = hex.DecodeString(text); err != nil {
			return false, err
		}
	}
	pair, row := fuzzyPair{bin[0], bin[1]}, bin[2]
	passes := pair.mismatch(row) < 0
	switch v.Code {
	case "INCLUDE":
		if !passes {
			return false, fmt.Errorf("the model leaves %x out", row)
		}
	case "SEEK_NEXT_USING_HINT":
		if passes {
			return false, fmt.Errorf("the model includes %x", row)
		}
		hint := pair.hint(row)
		if v.AllRemaining != (hint == nil) {
			return false, fmt.Errorf("the model's hint is %x, all remaining %v", hint, v.AllRemaining)
		}
		if v.Hint != nil && hex.EncodeToString(hint) != *v.Hint {
			return false, fmt.Errorf("the model's hint is %x, want %s", hint, *v.Hint)
		}
	default:
		return false, fmt.Errorf("unknown code %s", v.Code)
	}
	return planFuzzyLine(pair, row, passes)
}

// planFuzzyLine makes a schema of the pair's fixed and open bytes, whose plan
// must have this very pair, and lets the row pass if it is long enough to be a
// key.
func planFuzzyLine(pair fuzzyPair, row []byte, passes bool) (planned bool, err error) {
	n := len(pair.mask)
	if !slices.Contains(pair.mask, 1) || pair.mask[n-1] == 1 {
		return false, nil
	}
	b := rowkey.New("fuzzy")
	query := conds(rowkey.FullScan())
	for i, open := range pair.mask {
		name := "b" + strconv.Itoa(i)
		b = b.Uint(name, 1)
		if open == 0 {
			query = append(query, rowkey.Eq(name, pair.key[i]))
		}
	}
	s, err := b.Binary("rest").Build()
	if err != nil {
		return false, err
	}
	plan, err := s.Scan(query...)
	if err != nil {
		return false, err
	}
	if pair.mask[0] == 0 && !slices.Contains(pair.mask[slices.Index(pair.mask, 1):], 0) {
		return false, nil // all that is fixed stands in front: the range says it
	}
	pairs := 0
	for key, mask := range plan.Fuzzy() {
		pairs++
		if !bytes.Equal(key, pair.key) || !bytes.Equal(mask, pair.mask) {
			return false, fmt.Errorf("the plan's pair is %x %x", key, mask)
		}
	}
	if pairs != 1 {
		return false, fmt.Errorf("the plan has %d pairs", pairs)
	}
	if len(row) >= n && plan.Match(row) != passes {
		return false, fmt.Errorf("Match says %v", !passes)
	}
	return true, nil
}

// javaRange is a range with inclusive flags; "" is no bound.
type javaRange struct {
	Start     string
	StartIncl bool `json:"start_incl"`
	Stop      string
	StopIncl  bool `json:"stop_incl"`
}

// bytes is the same rows as a half-open range: what comes after a key first is
// the key with a 00.
func (r javaRange) bytes() (start, stop string, err error) {
	a, err := hex.DecodeString(r.Start)
	if err != nil {
		return "", "", err
	}
	b, err := hex.DecodeString(r.Stop)
	if err != nil {
		return "", "", err
	}
	if len(a) > 0 && !r.StartIncl {
		a = append(a, 0)
	}
	if len(b) > 0 && r.StopIncl {
		b = append(b, 0)
	}
	return string(a), string(b), nil
}

// sortAndMerge is a model of MultiRowRangeFilter's: half-open ranges sorted,
// those that overlap or touch made one; an empty stop is no bound.
func sortAndMerge(ranges [][2]string) [][2]string {
	sorted := slices.Clone(ranges)
	slices.SortFunc(sorted, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	var out [][2]string
	for _, r := range sorted {
		n := len(out)
		switch {
		case n == 0 || out[n-1][1] != "" && r[0] > out[n-1][1]:
			out = append(out, r)
		case out[n-1][1] != "" && (r[1] == "" || r[1] > out[n-1][1]):
			out[n-1][1] = r[1]
		}
	}
	return out
}

// TestVectorsMultiRange asks for each line's ranges in a table whose key is its
// one field: the plan's ranges are what sortAndMerge made of them.
func TestVectorsMultiRange(t *testing.T) {
	lines := vectorFileLines(t, "hbase_multirange.jsonl")
	wider := 0
	for i, line := range lines {
		differs, err := checkMultiRangeLine(line)
		if err != nil {
			t.Errorf("hbase_multirange.jsonl:%d: %v", i+1, err)
		}
		if differs {
			wider++
		}
	}
	t.Logf("%d lines checked; in %d HBase's answer is one row wider than what was asked for", len(lines), wider)
	wide := map[string]int{}
	if wider > 0 {
		wide["HBase's answer is one row wider than what was asked for"] = wider
	}
	vectors.Counts{File: "hbase_multirange.jsonl", Lines: len(lines), Equal: len(lines) - wider, Refused: wide}.Check(t)
}

func checkMultiRangeLine(line string) (wider bool, err error) {
	var v struct{ Ranges, Merged []javaRange }
	if err := strictly(line, &v); err != nil {
		return false, err
	}
	if len(v.Ranges) == 0 || len(v.Merged) == 0 {
		return false, errors.New("no ranges")
	}
	var asked, merged [][2]string
	var spans []rowkey.Cond
	for _, r := range v.Ranges {
		start, stop, err := r.bytes()
		if err != nil {
			return false, err
		}
		asked = append(asked, [2]string{start, stop})
		if stop == "" {
			spans = append(spans, rowkey.AtLeast("row", start))
		} else {
			spans = append(spans, rowkey.Span("row", start, stop))
		}
	}
	for _, r := range v.Merged {
		start, stop, err := r.bytes()
		if err != nil {
			return false, err
		}
		merged = append(merged, [2]string{start, stop})
	}
	model := sortAndMerge(asked)
	if !slices.Equal(model, merged) {
		// sortAndMerge takes the inclusive flag of a stop from whichever range it
		// met last, not from the one whose stop it keeps: then the merged range
		// holds its own stop, which none of the ranges does.
		for i := range merged {
			if len(merged) != len(model) || merged[i] != model[i] && (merged[i][0] != model[i][0] || merged[i][1] != model[i][1]+"\x00") {
				return false, fmt.Errorf("the model makes %q, want %q", model, merged)
			}
		}
		wider = true
	}
	s := rowkey.New("rows").Binary("row").MustBuild()
	plan, err := s.Scan(rowkey.AnyOf(spans...), rowkey.FullScan())
	if err != nil {
		return false, err
	}
	var got [][2]string
	for r := range plan.Ranges() {
		got = append(got, [2]string{string(r.Start()), string(r.Stop())})
	}
	if !slices.Equal(got, model) {
		return false, fmt.Errorf("the plan's ranges are %q, want %q", got, model)
	}
	if !slices.Equal(sortAndMerge(got), got) {
		return false, fmt.Errorf("sortAndMerge makes %q of the plan's ranges %q", sortAndMerge(got), got)
	}
	if !plan.Exact() {
		return false, errors.New("the plan is not exact")
	}
	return wider, nil
}

// The two tests above are worth something only if they see a line change.
func TestVectorsOfFiltersNotice(t *testing.T) {
	fuzzy := `{"key": "00000001", "mask": "01010000", "row": "00550002b4", "code": "SEEK_NEXT_USING_HINT", "hint": "00560001", "all_remaining": false}`
	multi := `{"ranges": [{"start": "01", "start_incl": true, "stop": "02", "stop_incl": false}, {"start": "02", "start_incl": true, "stop": "03", "stop_incl": false}], "merged": [{"start": "01", "start_incl": true, "stop": "03", "stop_incl": false}]}`
	for _, c := range []struct {
		line, old, new string
		check          func(string) (bool, error)
	}{
		{fuzzy, "", "", checkFuzzyLine},
		{fuzzy, "SEEK_NEXT_USING_HINT", "INCLUDE", checkFuzzyLine},
		{fuzzy, "SEEK_NEXT_USING_HINT", "NEXT_ROW", checkFuzzyLine},
		{fuzzy, "00560001", "00570001", checkFuzzyLine},
		{fuzzy, "false", "true", checkFuzzyLine},
		{fuzzy, "00550002b4", "00550001b4", checkFuzzyLine},
		{fuzzy, `"all_remaining"`, `"something": 1, "all_remaining"`, checkFuzzyLine},
		{multi, "", "", checkMultiRangeLine},
		{multi, `"stop": "03", "stop_incl": false}]}`, `"stop": "04", "stop_incl": false}]}`, checkMultiRangeLine},
		{multi, `"merged": [{"start": "01"`, `"merged": [{"start": "00"`, checkMultiRangeLine},
		{multi, `"merged": [{"start": "01", "start_incl": true`, `"merged": [{"start": "01", "start_incl": false`, checkMultiRangeLine},
		{multi, `"merged"`, `"something": 1, "merged"`, checkMultiRangeLine},
	} {
		line := strings.Replace(c.line, c.old, c.new, 1)
		_, err := c.check(line)
		if same := c.old == ""; same != (err == nil) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// Raw IEEE bits, every one of them inverted: the positive sort backward then, the
// negative forward.
func TestPlanInvertedRawFloats(t *testing.T) {
	s := rowkey.New("t").Float("x", 8, rowkey.Desc, interop.HBase).MustBuild()
	values := []float64{math.Inf(-1), -2, -1, 0, 1, 2, math.Inf(1)}
	for _, bound := range values {
		for name, q := range map[string]rowkey.Cond{
			"at least": rowkey.AtLeast("x", bound), "at most": rowkey.AtMost("x", bound),
			"from -1": rowkey.Span("x", min(-1, bound), max(-1, bound)),
		} {
			plan, err := s.Scan(q, rowkey.FullScan())
			require.NoError(t, err)
			assert.True(t, plan.Exact(), "%s %v", name, bound)
			for _, v := range values {
				key, err := s.AppendKey(nil, v)
				require.NoError(t, err)
				in := false
				for r := range plan.Ranges() {
					in = in || r.Contains(key)
				}
				want := map[string]bool{"at least": v >= bound, "at most": v <= bound, "from -1": v >= min(-1, bound) && v < max(-1, bound)}[name]
				assert.Equal(t, want, plan.Match(key), "%s %v: %v", name, bound, v)
				assert.Equal(t, want, in, "%s %v: %v: %v", name, bound, v, plan)
			}
		}
	}
}

// What a limit of ranges covers, a larger limit does not refuse.
func TestPlanMoreRangesPermitted(t *testing.T) {
	hashed := rowkey.New("t").Hash(rowkey.Murmur3.Raw(2), "text(b)").Salt(3, "values(a)").
		String("a", rowkey.NotStored).Hash(rowkey.MD5.Hex(1), "values(a)").Int("b", 7).MustBuild()
	listed := rowkey.New("t").Uint("a", 1).Uint("b", 2, rowkey.HexDigits(3), rowkey.Reverse).String("c").MustBuild()
	for _, c := range []struct {
		s     *rowkey.Schema
		conds []rowkey.Cond
		most  []int
	}{
		{hashed, []rowkey.Cond{rowkey.Span("b", -2, 5)}, []int{7, 47, 48, 200, 335, 336, 1024}},
		{listed, []rowkey.Cond{rowkey.Eq("a", 2), rowkey.AtLeast("b", 2061), rowkey.In("c", "x", "y")}, []int{10, 1024, 2034, 2035, 2319, 4069, 4070}},
	} {
		for _, most := range c.most {
			plan, err := c.s.Scan(append(c.conds, rowkey.MaxRanges(most))...)
			if err != nil {
				t.Errorf("%s with %d ranges: %v", c.s, most, err)
			} else if plan.Len() == 0 || plan.Len() > most {
				t.Errorf("%s: %d ranges, at most %d", c.s, plan.Len(), most)
			}
		}
	}
}

// TestEndsThatMeet: ends that meet, and conditions that contradict each other in another way, are no
// error: the plan reads nothing.
func TestEndsThatMeet(t *testing.T) {
	s := rowkey.New("s").Uint("n", 1).String("name").MustBuild()
	for _, c := range [][]rowkey.Cond{
		{rowkey.AtLeast("n", 5), rowkey.LessThan("n", 5)},
		{rowkey.MoreThan("n", 5), rowkey.AtMost("n", 5)},
		{rowkey.MoreThan("n", 5), rowkey.LessThan("n", uint64(5))},
		{rowkey.AtLeast("n", 5), rowkey.LessThan("n", 9), rowkey.Eq("n", 3)},
		{rowkey.Span("n", 1, 3), rowkey.Span("n", 5, 7)},
		{rowkey.Span("n", 1, 3), rowkey.AtLeast("n", 5)}, // a page of a span that is over
		{rowkey.AtLeast("name", "b"), rowkey.LessThan("name", "b")},
		{rowkey.AtLeast("n", 9), rowkey.AnyOf(rowkey.LessThan("n", 5), rowkey.Eq("n", 7))},
	} {
		plan, err := s.Scan(c...)
		require.NoError(t, err)
		assert.Zero(t, plan.Len())
	}
	_, err := s.Scan(rowkey.AtLeast("n", 9), rowkey.LessThan("n", 5))
	assert.EqualError(t, err, "rowkey: s: n: AtLeast lies above LessThan: lower end above upper end")

	for _, c := range []struct {
		low, high string
		err       bool
	}{{"ab ", "ab", false}, {"ab", "ab ", false}, {"\x1f", "", false}, {"b", "a ", true}} { // CHAR(3) is compared padded
		_, err := rowkey.New("s", interop.Phoenix).String("a", rowkey.Pad(3, ' ')).MustBuild().Scan(rowkey.AtLeast("a", c.low), rowkey.LessThan("a", c.high))
		assert.Equal(t, c.err, errors.Is(err, rowkey.ErrInverted), "%q, %q: %v", c.low, c.high, err)
	}
	for _, dialect := range []rowkey.SchemaOption{interop.Phoenix, interop.OrderedBytes} {
		s := rowkey.New("s", dialect).String("a", interop.Numeric).MustBuild()
		_, err := s.Scan(rowkey.AtLeast("a", "9"), rowkey.LessThan("a", "10"))
		assert.NoError(t, err)
		_, err = s.Scan(rowkey.AtLeast("a", "10"), rowkey.LessThan("a", 9))
		assert.ErrorIs(t, err, rowkey.ErrInverted)
	}
}
