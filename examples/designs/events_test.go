package designs_test

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// Design 24, events written round robin and read back in time order. The slot
// does not follow from the event, so it is a field that the writer supplies, not
// a salt: a get has as many candidates as there are slots, and a span as many
// ranges. After the slot stands the time; Bucket says that a merged read passes
// through the slot, so that the rows come in the order of what stands after.
// (A random string in place of the slot could not be read back by key at all.)
func Example_eventsRoundRobin() {
	const slots = 4
	events := rowkey.New("events").
		Uint("slot", 1, rowkey.Below(slots), rowkey.Bucket).
		Time("at", rowkey.Millis).
		String("id").
		MustBuild()
	fmt.Println(events)

	turn := inTurn(slots)
	start := time.UnixMilli(1684203630000).UTC()
	var t table
	for i := range 10 {
		t.put(events.Key().Uint(turn()).Time(start.Add(time.Duration(i) * milli)).String(fmt.Sprint("e", i)).Bytes())
	}

	// The events of [3 ms, 8 ms): one scan a slot, merged.
	plan := must(events.Scan(rowkey.Span("at", start.Add(3*milli), start.Add(8*milli))))
	fmt.Print(plan)
	for key := range t.read(plan) {
		var slot uint64
		var at time.Time
		var id string
		err := events.Read(key).Uint(&slot).Time(&at).String(&id).Err()
		fmt.Println(clock(at), id, "from slot", slot, err)
	}

	// A get by time and id: whoever does not know the slot asks for each.
	for key := range must(events.Scan(rowkey.Eq("at", start.Add(5*milli)), rowkey.Eq("id", "e5"))).Keys() {
		_, hit := t.get(key)
		fmt.Print(hit, " ")
	}
	fmt.Println()
	// Output:
	// [slot:1 below(4) bucket][ms(at)][id]
	// events: 4 ranges, every row in them matches
	//   [\x00\x00\x00\x01\x88"[\xED\xB3, \x00\x00\x00\x01\x88"[\xED\xB8)
	//   [\x01\x00\x00\x01\x88"[\xED\xB3, \x01\x00\x00\x01\x88"[\xED\xB8)
	//   [\x02\x00\x00\x01\x88"[\xED\xB3, \x02\x00\x00\x01\x88"[\xED\xB8)
	//   [\x03\x00\x00\x01\x88"[\xED\xB3, \x03\x00\x00\x01\x88"[\xED\xB8)
	//   slot: no condition: all its 4 values
	//   at: an interval
	// 02:20:30.003 e3 from slot 3 <nil>
	// 02:20:30.004 e4 from slot 0 <nil>
	// 02:20:30.005 e5 from slot 1 <nil>
	// 02:20:30.006 e6 from slot 2 <nil>
	// 02:20:30.007 e7 from slot 3 <nil>
	// false true false false
}

// inTurn counts 0 … n−1 and begins anew; safe for many goroutines.
func inTurn(n uint64) func() uint64 {
	var turn atomic.Uint64
	return func() uint64 { return (turn.Add(1) - 1) % n }
}
