package designs_test

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// Design 24, events written round robin and read back in time order. The slot
// does not follow from the event, so it is a field that the writer supplies, not
// a salt: a get has as many candidates as there are slots, and a span as many
// ranges. Behind the slot stands the time, so what the slots yield merges into
// one order by all but the first byte. (A random string in place of the slot
// could not be read back by key at all.)
func Example_eventsRoundRobin() {
	const slots = 4
	events := rowkey.New("events").
		Uint("slot", 1, rowkey.Below(slots)).
		Time("at", rowkey.Millis).
		String("id").
		MustBuild()
	fmt.Println(events)

	turn := rowkey.NewRoundRobin(slots) // safe for many goroutines
	start := time.UnixMilli(1684203630000).UTC()
	var t table
	for i := range 10 {
		t.put(events.Key(nil).Uint(turn.Next()).Time(start.Add(time.Duration(i) * milli)).String(fmt.Sprint("e", i)).Bytes())
	}

	// The events of [3 ms, 8 ms), one scan a slot.
	var found [][]byte
	for slot := range uint64(slots) {
		r := span(events.Key(nil).Uint(slot).Time(start.Add(3*milli)), events.Key(nil).Uint(slot).Time(start.Add(7*milli)))
		n := len(found)
		found = slices.AppendSeq(found, t.scan(r))
		fmt.Println("slot", slot, len(found)-n)
	}
	slices.SortFunc(found, func(a, b []byte) int { return bytes.Compare(a[1:], b[1:]) })
	for _, key := range found {
		var slot uint64
		var at time.Time
		var id string
		err := events.Read(key).Uint(&slot).Time(&at).String(&id).Err()
		fmt.Println(clock(at), id, "from slot", slot, err)
	}

	// A get by time and id: whoever does not know the slot asks for each.
	for slot := range uint64(slots) {
		_, hit := t.get(must(events.Key(nil).Uint(slot).Time(start.Add(5 * milli)).String("e5").Bytes()))
		fmt.Print(hit, " ")
	}
	fmt.Println()
	// Output:
	// [slot:1 below(4)][ms(at)][id]
	// slot 0 1
	// slot 1 1
	// slot 2 1
	// slot 3 2
	// 02:20:30.003 e3 from slot 3 <nil>
	// 02:20:30.004 e4 from slot 0 <nil>
	// 02:20:30.005 e5 from slot 1 <nil>
	// 02:20:30.006 e6 from slot 2 <nil>
	// 02:20:30.007 e7 from slot 3 <nil>
	// false true false false
}
