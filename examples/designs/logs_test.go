package designs_test

import (
	"fmt"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

var newYear = time.Date(2024, 1, 1, 0, 0, 0, 0, utc)

// Design 12, logs by host, event and time. Joined by '_', the rows of host1 are
// scanned as everything that begins with host1, and host12 comes along; the
// event "1_a" of one host is the event "a" of another; and host12_ sorts before
// host1_. A zero byte ends the host below all that a host name holds, and a
// range ends with it.
func Example_logs() {
	logs := rowkey.New("logs").
		String("host").Separator("\x00").
		String("event").Separator("\x00").
		Time("at", rowkey.Millis).
		MustBuild()
	fmt.Println(logs, logs.Order("host"))

	var t table
	for _, host := range []string{"host12", "host1", "host1_a"} {
		for _, event := range []string{"oom", "boot"} {
			t.put(logs.Key().Field("host").String(host).Field("event").String(event).Time(newYear).Bytes())
		}
	}
	for key := range t.read(must(logs.Scan(rowkey.Eq("host", "host1")))) {
		var host, event string
		var at time.Time
		err := logs.Read(key).String(&host).String(&event).Time(&at).Err()
		fmt.Println(host, event, clock(at), err)
	}

	_, err := logs.Key().String("host1\x00").String("oom").Time(newYear).Bytes()
	fmt.Println(err)

	told := rowkey.New("told").String("host").Separator("_").String("event").Separator("_").Time("at", rowkey.Millis).MustBuild()
	fmt.Println(told.Order("host"))
	// Output:
	// [host]['\x00'][event]['\x00'][ms(at)] forward
	// host1 boot 00:00:00.000 <nil>
	// host1 oom 00:00:00.000 <nil>
	// rowkey: logs: host: holds the separator "\x00": value and its end cannot be told apart
	// unordered
}

// Design 13, the same, newest first. Eight bytes of Long.MAX_VALUE − ts sort
// newest first; so do its nineteen digits, for those who want to read them in
// the shell. Reversing those digits, as is told, does not: the last digit of the
// time then sorts before all others.
func Example_logsNewestFirst() {
	at := func(opts ...rowkey.FieldOption) *rowkey.Schema {
		return rowkey.New("logs").String("host").Separator("\x00").String("event").Separator("\x00").
			Time("at", rowkey.Millis, opts...).MustBuild()
	}
	for _, s := range []*rowkey.Schema{
		at(rowkey.Desc),
		at(rowkey.Desc, rowkey.Digits(19)),
		at(rowkey.Desc, rowkey.Digits(19), rowkey.Reverse),
	} {
		var t table
		for ms := range 4 {
			t.put(s.Key().String("web-01").String("oom").Time(newYear.Add(time.Duration(ms*4) * milli)).Bytes())
		}
		fmt.Print(s.Order("at"), ":")
		for key := range t.scan(must(s.Key().String("web-01").Range())) {
			var at time.Time
			must(0, s.Read(key).Skip().Skip().Time(&at).Err())
			fmt.Print(" ", at.Sub(newYear))
		}
		fmt.Println()
	}
	// Output:
	// backward: 12ms 8ms 4ms 0s
	// backward: 12ms 8ms 4ms 0s
	// unordered: 4ms 12ms 0s 8ms
}

// Design 14, logs bucketed by time. A log that is read by time is written at its
// end, in one region, so a bucket stands in front; a span is then one range a
// bucket. The telling takes ts mod 8, and where times are whole seconds that is
// always the same bucket. A hash of the host spreads whatever the times are. The
// buckets are read at the same time and merged into one time line.
func Example_logsBucketedByTime() {
	told := rowkey.New("told").
		Salt(8, "at", rowkey.Modulo).
		Time("at", rowkey.Millis).
		String("host").Separator("\x00").
		String("event").
		MustBuild()
	used := map[byte]int{}
	for i := range 60 {
		key := must(told.Key().Time(newYear.Add(time.Duration(i) * time.Second)).String("web-01").String("oom").Bytes())
		used[key[0]]++
	}
	fmt.Println("as told:", used)

	logs := rowkey.New("logs").
		Salt(8, "host", rowkey.MD5.Raw(4)). // the first four bytes of md5(host), mod 8
		Time("at", rowkey.Millis).
		String("host").Separator("\x00").
		String("event").
		MustBuild()
	fmt.Println(logs)
	var t table
	hosts := []string{"web-01", "web-02", "db-01", "host1", "host12"}
	for i := range 10 {
		t.put(logs.Key().Time(newYear.Add(time.Duration(i) * time.Minute)).Field("host").String(hosts[i%5]).Field("event").String("oom").Bytes())
	}

	minutes := rowkey.Span("at", newYear, newYear.Add(5*time.Minute))
	plan := must(logs.Scan(minutes))
	for r := range plan.Ranges() {
		fmt.Printf("%x %x\n", r.Start(), r.Stop())
	}
	for key := range t.read(plan) {
		var at time.Time
		var host string
		err := logs.Read(key).Time(&at).String(&host).Skip().Err()
		fmt.Println(at.Format("15:04"), host, "from bucket", key[0], err)
	}

	// Of one host: its bucket alone, where other hosts' rows lie between.
	fmt.Print(must(logs.Scan(minutes, rowkey.Eq("host", "web-02"))))
	// Output:
	// as told: map[0:60]
	// [salt8(host) md5.raw(4)][ms(at)][host]['\x00'][event]
	// 000000018cc251f400 000000018cc25687e0
	// 010000018cc251f400 010000018cc25687e0
	// 020000018cc251f400 020000018cc25687e0
	// 030000018cc251f400 030000018cc25687e0
	// 040000018cc251f400 040000018cc25687e0
	// 050000018cc251f400 050000018cc25687e0
	// 060000018cc251f400 060000018cc25687e0
	// 070000018cc251f400 070000018cc25687e0
	// 00:00 web-01 from bucket 4 <nil>
	// 00:01 web-02 from bucket 7 <nil>
	// 00:02 db-01 from bucket 1 <nil>
	// 00:03 host1 from bucket 0 <nil>
	// 00:04 host12 from bucket 7 <nil>
	// logs: one range, Match decides
	//   [\x07\x00\x00\x01\x8C\xC2Q\xF4\x00, \x07\x00\x00\x01\x8C\xC2V\x87\xE0)
	//   salt: computed from fields that are fixed
	//   at: an interval
	//   host: Match checks it, since at, which comes before it, is an interval; a layout with host before at makes it a range
}
