package designs_test

import (
	"fmt"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
)

// Design 15, chat as it is told: salt_from_to_revts, the salt two digits of
// Java's hashCode of the sender, revts the digits of Long.MAX_VALUE − ts turned
// round. It writes what the Java service writes; but what was sent and what was
// received lie under different salts, though the telling promises one region,
// and the turned digits are in no order, though it promises the newest first.
func Example_chatSaltedBySender() {
	chat := rowkey.New("chat").
		Salt(100, "from", interop.JavaHash, rowkey.Digits(2)).Separator("_").
		String("from").Separator("_").
		String("to").Separator("_").
		Time("at", rowkey.Millis, rowkey.Desc, rowkey.Decimal, rowkey.Reverse).
		MustBuild()
	fmt.Println(chat)

	at := time.UnixMilli(1684203630000)
	fmt.Printf("%s\n", must(chat.Key().Field("from").String("u1").Field("to").String("u2").Time(at).Bytes()))
	fmt.Printf("%s\n", must(chat.Key().Field("from").String("u2").Field("to").String("u1").Time(at).Bytes()))
	fmt.Println(chat.Order("at"))

	r, err := chat.Key().String("u1").String("u2").Range() // the pair's rows, in no order; u21 is not in it
	fmt.Println(r, err)
	// Output:
	// [salt100(from) javahash digits(2)]['_'][from]['_'][to]['_'][max-ms(at) decimal reverse]
	// 76_u1_u2_7085411562530733229
	// 77_u2_u1_7085411562530733229
	// unordered
	// [76_u1_u2_, 76_u1_u2`) <nil>
}

// Design 16, chat by pair. Both directions of a conversation are one prefix if
// the pair is written in one order, the lower user first. Where the direction
// has to stay readable from the key, minmax at least puts both directions into
// one bucket: two ranges in place of one.
func Example_chatByPair() {
	pairs := rowkey.New("pairs").
		Hash(rowkey.MD5.Raw(1), "values(lo,hi)").
		Uint("lo", 8).
		Uint("hi", 8).
		Time("at", rowkey.Millis, rowkey.Desc).
		MustBuild()
	fmt.Println(pairs)
	key := func(from, to uint64, at time.Time) []byte {
		return must(pairs.Key().Field("lo").Uint(min(from, to)).Field("hi").Uint(max(from, to)).Time(at).Bytes())
	}
	at := time.UnixMilli(1684203630000).UTC()
	var t table
	t.set(key(1001, 2002, at), "1001: are you there?")
	t.set(key(2002, 1001, at.Add(time.Second)), "2002: I am")
	t.set(key(1001, 2003, at), "1001: to another")
	plan := must(pairs.Scan(rowkey.Eq("lo", 1001), rowkey.Eq("hi", 2002)))
	for key := range t.read(plan) {
		text, _ := t.get(key)
		fmt.Println(hex(key, 1, 8, 8), text)
	}

	directed := rowkey.New("directed").
		Hash(rowkey.MD5.Raw(1), "minmax(from,to)").
		Uint("from", 8).
		Uint("to", 8).
		Time("at", rowkey.Millis, rowkey.Desc).
		MustBuild()
	fmt.Println(directed)
	fmt.Println(hex(must(directed.Key().Uint(1001).Uint(2002).Time(at).Bytes()), 1, 8, 8))
	fmt.Println(hex(must(directed.Key().Uint(2002).Uint(1001).Time(at).Bytes()), 1, 8, 8))
	for _, from := range []uint64{1001, 2002} {
		for r := range must(directed.Scan(rowkey.Eq("from", from), rowkey.Eq("to", 1001+2002-from))).Ranges() {
			fmt.Println(hex(r.Start(), 1, 8), "to", hex(r.Stop(), 1, 8))
		}
	}
	// Output:
	// [md5.raw(1)(values(lo,hi))][lo:8][hi:8][max-ms(at)]
	// 10 00000000000003e9 00000000000007d2 7ffffe77dda40e67 2002: I am
	// 10 00000000000003e9 00000000000007d2 7ffffe77dda4124f 1001: are you there?
	// [md5.raw(1)(minmax(from,to))][from:8][to:8][max-ms(at)]
	// 10 00000000000003e9 00000000000007d2 7ffffe77dda4124f
	// 10 00000000000007d2 00000000000003e9 7ffffe77dda4124f
	// 10 00000000000003e9 00000000000007d2 to 10 00000000000003e9 00000000000007d3
	// 10 00000000000007d2 00000000000003e9 to 10 00000000000007d2 00000000000003ea
}
