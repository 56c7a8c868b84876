package designs_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/scan"
)

// Scenario 3, hosts that begin alike. Escaped admits any byte and still sorts: a
// zero byte is written as 00ff and the end as 0001, below all that can follow.
// So host1 is one range, in which neither host12 nor "host1\x00" lies.
func Example_hostsThatBeginAlike() {
	hosts := rowkey.New("hosts").String("host", rowkey.Escaped).Uint("n", 1).MustBuild()
	var t table
	for _, host := range []string{"host1", "host12", "host1_a", "host1\x00"} {
		t.put(hosts.Key().String(host).Uint(1).Bytes())
	}
	for _, row := range t.rows {
		fmt.Printf("%x\n", row.key)
	}
	plan := must(hosts.Scan(rowkey.Eq("host", "host1")))
	for r := range plan.Ranges() {
		fmt.Printf("%x to %x\n", r.Start(), r.Stop())
	}
	for key := range t.read(plan) {
		fmt.Printf("%x\n", key)
	}
	for key := range t.read(must(hosts.Scan(rowkey.MoreThan("host", "host1"), rowkey.LessThan("host", "host12")))) {
		var host string
		err := hosts.Read(key).String(&host).Skip().Err()
		fmt.Printf("%q %v\n", host, err)
	}
	// Output:
	// 686f737431000101
	// 686f73743100ff000101
	// 686f73743132000101
	// 686f7374315f61000101
	// 686f7374310001 to 686f7374310002
	// 686f737431000101
	// "host1\x00" <nil>
}

// timelines spreads one time line over eight buckets.
var timelines = rowkey.New("timelines").
	Salt(8, "host", rowkey.MD5.Raw(4)).
	Time("at", rowkey.Millis).
	String("host").Separator("\x00").
	Uint("event", 4).
	MustBuild()

// Scenario 4, one time line for all hosts. Five minutes of it are eight ranges,
// one a bucket; who knows the host needs one of them.
func Example_globalTimeline() {
	fmt.Println(timelines)
	for _, host := range []string{"web-01", "web-02", "db-01", "host1", "host12"} {
		key := must(timelines.Key().Time(newYear).String(host).Uint(1).Bytes())
		fmt.Println(host, key[0])
	}
	minutes := rowkey.Span("at", newYear, newYear.Add(5*time.Minute))
	for r := range must(timelines.Scan(minutes)).Ranges() {
		fmt.Println(hex(r.Start(), 1), "to", hex(r.Stop(), 1))
	}
	for r := range must(timelines.Scan(minutes, rowkey.Eq("host", "web-01"))).Ranges() {
		fmt.Println("web-01:", hex(r.Start(), 1), "to", hex(r.Stop(), 1))
	}
	// Output:
	// [salt8(host) md5.raw(4)][ms(at)][host]['\x00'][event:4]
	// web-01 4
	// web-02 7
	// db-01 1
	// host1 0
	// host12 7
	// 00 0000018cc251f400 to 00 0000018cc25687e0
	// 01 0000018cc251f400 to 01 0000018cc25687e0
	// 02 0000018cc251f400 to 02 0000018cc25687e0
	// 03 0000018cc251f400 to 03 0000018cc25687e0
	// 04 0000018cc251f400 to 04 0000018cc25687e0
	// 05 0000018cc251f400 to 05 0000018cc25687e0
	// 06 0000018cc251f400 to 06 0000018cc25687e0
	// 07 0000018cc251f400 to 07 0000018cc25687e0
	// web-01: 04 0000018cc251f400 to 04 0000018cc25687e0
}

// Scenario 5, the newest ten of that time line, and the ten before. One token
// resumes all eight buckets, whatever is written between two pages, and holds
// no state of a server. Every row comes once, the newest first.
func Example_pagesOfATimeline() {
	var t table
	hosts := []string{"web-01", "web-02", "db-01", "host1", "host12"}
	for i := range 24 {
		t.put(timelines.Key().Time(newYear.Add(time.Duration(i) * time.Second)).String(hosts[i%5]).Uint(uint64(i)).Bytes())
	}

	var token []byte
	seen := map[uint64]bool{}
	for more := true; more; {
		plan := must(timelines.Scan(rowkey.AtLeast("at", newYear))).Reversed()
		if token != nil {
			plan = must(plan.Resume(token))
		}
		var page []uint64
		for key, err := range scan.Merge(context.Background(), plan.Limit(10), 8, t.open, func(key []byte) []byte { return key }) {
			var event uint64
			must(0, errors.Join(err, timelines.Read(key).Skip().Skip().Uint(&event).Err()))
			page = append(page, event)
			seen[event] = true
			token = plan.Token(key)
		}
		fmt.Println(page)
		more = len(page) == 10
		t.put(timelines.Key().Time(newYear.Add(time.Hour)).String("web-01").Uint(99).Bytes()) // new, so on no later page
	}
	fmt.Println(len(seen), "rows")

	token[3] ^= 1
	_, err := must(timelines.Scan(rowkey.AtLeast("at", newYear))).Resume(token)
	fmt.Println(err)
	// Output:
	// [23 22 21 20 19 18 17 16 15 14]
	// [13 12 11 10 9 8 7 6 5 4]
	// [3 2 1 0]
	// 24 rows
	// rowkey: timelines: token is damaged: not a token of this schema
}

// Scenario 8, five minutes of a day table. After nothing they are one range;
// after a hash of two bytes they would be 65536, which is refused with the
// reason. And not every day has 86,400,000 milliseconds: the zone is said, and
// in one that sets its clocks back the day's table holds 25 hours.
func Example_minutesOfADayTable() {
	midnight := time.Date(2012, 12, 12, 0, 0, 0, 0, beijing)
	ten := midnight.Add(10 * time.Hour)
	minutes := rowkey.Span("at", ten, ten.Add(5*time.Minute))

	day := rowkey.New("day").Time("at", rowkey.Millis.Since(midnight), rowkey.Width(4)).Uint("id", 8).MustBuild()
	for r := range must(day.Scan(minutes)).Ranges() {
		fmt.Printf("%x to %x\n", r.Start(), r.Stop())
	}

	hashed := rowkey.New("hashed").
		Hash(rowkey.Murmur3.Raw(2), "id").
		Time("at", rowkey.Millis.Since(midnight), rowkey.Width(4)).
		Uint("id", 8).
		MustBuild()
	_, err := hashed.Scan(minutes)
	fmt.Println(err)

	newYork := must(time.LoadLocation("America/New_York"))
	sunday := time.Date(2023, 11, 5, 0, 0, 0, 0, newYork)
	last := time.Date(2023, 11, 6, 0, 0, 0, 0, newYork).Add(-milli)
	for _, ms := range []uint64{86_400_000, 90_000_000} {
		s := rowkey.New("sunday").Time("at", rowkey.Millis.Since(sunday), rowkey.Width(4), rowkey.Below(ms)).MustBuild()
		if key, err := s.Key().Time(last).Bytes(); err != nil {
			fmt.Println(err)
		} else {
			fmt.Printf("%x\n", key)
		}
	}
	// Output:
	// 02255100 to 0229e4e0
	// rowkey: hashed: hash: 65536 ranges, one for each value of what no condition fixes; at most 1024, MaxRanges(65536) permits them: query needs too many ranges
	// rowkey: sunday: at: 2023-11-06T03:59:59.999Z is the last time: value out of range
	// 055d4a7f
}

// Scenario 9, readings of a sensor, some below zero. The sign is flipped, so that
// −100 sorts below 10. An inclusive upper end at the largest value there is has
// no successor in its own four bytes: it carries into the sensor.
func Example_signedReadings() {
	readings := rowkey.New("readings").Uint("id", 4).Int("value", 4).MustBuild()
	fmt.Println(hex(must(readings.Key().Uint(5).Int(-100).Bytes()), 4))

	for _, ends := range [][2]int64{{-10, 10}, {0, 1<<31 - 1}, {0, 1 << 40}} {
		plan := must(readings.Scan(rowkey.Eq("id", 5), rowkey.AtLeast("value", ends[0]), rowkey.AtMost("value", ends[1])))
		for r := range plan.Ranges() {
			fmt.Printf("%x to %x\n", r.Start(), r.Stop())
		}
	}
	// Output:
	// 00000005 7fffff9c
	// 000000057ffffff6 to 000000058000000b
	// 0000000580000000 to 00000006
	// 0000000580000000 to 00000006
}

// Scenario 11, more buckets. From 16 to 32 about half of the keys stay where they
// are, since a bucket is split in two; from 16 to 20, no multiple, a fifth does.
// While rows are moved a key has at most two places, and a reader asks both.
func Example_moreBuckets() {
	buckets := func(n int) *rowkey.Schema {
		return rowkey.New(fmt.Sprint("users", n)).Salt(n, "user").String("user").MustBuild()
	}
	from := buckets(16)
	const users = 10000
	for _, n := range []int{20, 32} {
		to := buckets(n)
		stay, elsewhere := 0, 0
		for i := range users {
			key := must(from.Key().String(fmt.Sprint("user", i)).Bytes())
			moved := must(to.Rekey(nil, key, from))
			switch {
			case moved[0] == key[0]:
				stay++
			case moved[0] != key[0]+16:
				elsewhere++
			}
		}
		fmt.Printf("16 to %d: %d of %d stay, %d go anywhere but to the bucket's other half\n", n, stay, users, elsewhere)
	}
	for _, user := range []string{"user1", "user5"} {
		query := rowkey.Eq("user", user)
		for _, s := range []*rowkey.Schema{buckets(32), from} { // the new place first
			for key := range must(s.Scan(query)).Keys() {
				fmt.Print(s.Name(), " ", hex(key, 1), "\n")
			}
		}
	}
	// Output:
	// 16 to 20: 1990 of 10000 stay, 7482 go anywhere but to the bucket's other half
	// 16 to 32: 5021 of 10000 stay, 0 go anywhere but to the bucket's other half
	// users32 1d 7573657231
	// users16 0d 7573657231
	// users32 0d 7573657235
	// users16 0d 7573657235
}
