package designs_test

import (
	"fmt"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

var (
	operations = rowkey.New("operations").
			Uint("uid", 8).
			Time("at", rowkey.Millis, rowkey.Desc).
			MustBuild()

	operated = time.UnixMilli(1684203630000).UTC()
)

func someOperations() *table {
	t := new(table)
	for i := range 5 {
		t.put(operations.Key().Uint(10086).Time(operated.Add(time.Duration(i) * time.Second)).Bytes())
	}
	t.put(operations.Key().Uint(10085).Time(operated).Bytes())
	t.put(operations.Key().Uint(10087).Time(operated).Bytes())
	return t
}

// Design 9, the newest operations of a user. Long.MAX_VALUE − ts puts the newest
// first, so the newest three are the first three. The telling scans from
// [uid][00000000000] to [uid][uid]: eleven zeros against nineteen digits, and a
// uid where a time should stand. The rows of a user are the rows of a prefix, and
// the prefix is the uid.
func Example_newestOperations() {
	fmt.Println(operations)
	plan := must(operations.Scan(rowkey.Eq("uid", 10086)))
	for r := range plan.Ranges() {
		fmt.Printf("%x %x\n", r.Start(), r.Stop())
	}
	for key := range someOperations().read(plan.Limit(3)) {
		var uid uint64
		var at time.Time
		err := operations.Read(key).Uint(&uid).Time(&at).Err()
		fmt.Println(uid, clock(at), hex(key, 8), err)
	}
	// Output:
	// [uid:8][max-ms(at)]
	// 0000000000002766 0000000000002767
	// 10086 02:20:34.000 0000000000002766 7ffffe77dda402af <nil>
	// 10086 02:20:33.000 0000000000002766 7ffffe77dda40697 <nil>
	// 10086 02:20:32.000 0000000000002766 7ffffe77dda40a7f <nil>
}

// Design 10, the operations of a span. Newest first turns the ends round: the
// telling starts at MAX − startTime and stops at MAX − endTime, which is a start
// above its stop. A server answers that with no rows and no error; NewRange is
// an error. The span [from, to) starts at the last instant in it, one
// millisecond before to, and stops after the first, which is from; Scan takes
// from and to as they are, and gets there by itself.
func Example_operationsOfASpan() {
	from, to := operated.Add(1*time.Second), operated.Add(3*time.Second)

	start := must(operations.Key().Uint(10086).Time(from).Bytes())
	stop := must(operations.Key().Uint(10086).Time(to).Bytes())
	_, err := rowkey.NewRange(start, stop)
	fmt.Println("as told:", err)

	plan := must(operations.Scan(rowkey.Eq("uid", 10086), rowkey.Span("at", from, to)))
	for r := range plan.Ranges() {
		fmt.Printf("%x %x\n", r.Start(), r.Stop())
	}
	for key := range someOperations().read(plan) {
		var at time.Time
		err := operations.Read(key).Skip().Time(&at).Err()
		fmt.Println(clock(at), err)
	}

	// The same by hand: start at the last instant, one millisecond before to, and
	// stop where the range of from stops.
	first := must(operations.Key().Uint(10086).Time(to.Add(-milli)).Range())
	last := must(operations.Key().Uint(10086).Time(from).Range())
	fmt.Println(must(rowkey.NewRange(first.Start(), last.Stop())))
	// Output:
	// as told: rowkey: lower end above upper end
	// 00000000000027667ffffe77dda40698 00000000000027667ffffe77dda40e68
	// 02:20:32.000 <nil>
	// 02:20:31.000 <nil>
	// [\x00\x00\x00\x00\x00\x00'f\x7F\xFF\xFEw\xDD\xA4\x06\x98, \x00\x00\x00\x00\x00\x00'f\x7F\xFF\xFEw\xDD\xA4\x0Eh)
}

// Design 11, a phone index: phone to uid, and by the uid to the operations. Who
// asks by phone would read the whole table without it. The index is written
// first: a crash leaves an entry that leads to no operations, which reads as
// none, and never operations that cannot be found by phone. Phone numbers share
// their heads (all begin with 1, most with one of a few carriers), so they are
// reversed; the price is that the beginning of a number is no longer the
// beginning of a key, and the library says so.
func Example_phoneIndex() {
	phones := rowkey.New("phones").
		String("phone", rowkey.Reverse, rowkey.Fixed(11)).
		Uint("uid", 8).
		MustBuild()
	fmt.Println(phones)

	var index table
	index.put(phones.Key().String("13112345678").Uint(10086).Bytes())
	index.put(phones.Key().String("13112345679").Uint(10087).Bytes())
	fmt.Printf("%s %x\n", index.rows[0].key[:11], index.rows[0].key[11:])

	data := someOperations()
	for entry := range index.read(must(phones.Scan(rowkey.Eq("phone", "13112345678")))) {
		var uid uint64
		if err := phones.Read(entry).Skip().Uint(&uid).Err(); err != nil {
			fmt.Println(err)
		}
		n := 0
		for range data.read(must(operations.Scan(rowkey.Eq("uid", uid)))) {
			n++
		}
		fmt.Println(uid, n)
	}

	_, err := phones.Scan(rowkey.Prefix("phone", "131"))
	fmt.Println(err)
	plan := must(phones.Scan(rowkey.Suffix("phone", "5678"))) // its end is the beginning
	fmt.Print(plan)
	// Output:
	// [phone reverse fixed(11)][uid:8]
	// 87654321131 0000000000002766
	// 10086 5
	// rowkey: phones: phone: its stored bytes do not sort as it does (it is reversed); a layout that stores it in its order answers this, FullScan() permits it: query reads the whole table
	// phones: one range, every row in them matches
	//   [8765, 8766)
	//   phone: an interval
}
