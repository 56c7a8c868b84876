package rowkey_test

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
)

// Declared once, as a package variable. The sample is a key of the real table:
// the program does not start if the layout would write anything else.
var trades = rowkey.New("trades").
	Salt(16, "seller").                     // 1 byte: murmur3(seller) mod 16
	String("seller").Separator("_").        // ends at '_'; a seller that holds '_' is refused
	Time("at", rowkey.Millis, rowkey.Desc). // Long.MAX_VALUE − ms, 8 bytes: newest first
	Uint("order", 8).                       // 8 bytes, big-endian
	Sample(`\x0Cs-42_\x7F\xFF\xFEw\xDD\xA4\x12O\x00\x00\x00\x00\x00\x00\x00\x07`,
		"s-42", time.UnixMilli(1684203630000), uint64(7)).
	MustBuild()

// tradedAt is 2023-05-16 02:20:30 UTC.
var tradedAt = time.UnixMilli(1684203630000)

// One declaration gives a key's bytes, its values back, and the rows of a prefix.
func Example() {
	fmt.Println(trades)

	key, err := trades.Key().String("s-42").Time(tradedAt).Uint(7).Bytes()
	fmt.Printf("%x %v\n", key, err)

	var (
		seller string
		at     time.Time
		order  uint64
	)
	err = trades.Read(key).String(&seller).Time(&at).Uint(&order).Err()
	fmt.Println(seller, at, order, err)

	all, err := trades.Key().String("s-42").Range() // newest first
	fmt.Printf("%x %x %v\n", all.Start(), all.Stop(), err)
	// Output:
	// [salt16(seller)][seller]['_'][max-ms(at)][order:8]
	// 0c732d34325f7ffffe77dda4124f0000000000000007 <nil>
	// s-42 2023-05-16 02:20:30 +0000 UTC 7 <nil>
	// 0c732d34325f 0c732d343260 <nil>
}

// What each kind of component writes.
func ExampleBuilder() {
	show := func(b *rowkey.Builder, values ...any) {
		s := b.MustBuild()
		key, err := s.AppendKey(nil, values...)
		fmt.Printf("%-33s %x %v\n", s, key, err)
	}
	one := func() *rowkey.Builder { return rowkey.New("t") }
	show(one().String("user"), "ab")
	show(one().Uint("n", 4), uint64(258))
	show(one().Int("n", 4), int64(-1))
	show(one().Int("n", 4, interop.HBase), int64(-1))
	show(one().Float("v", 8), 1.5)
	show(one().Float("v", 8), -1.5)
	show(one().Bool("ok"), true)
	show(one().Time("at", rowkey.Millis), time.Date(1970, 1, 2, 0, 0, 0, 0, time.UTC))
	show(one().String("a").Separator("_").String("b"), "ab", "c")
	show(one().Literal("v1").Uint("n", 1), uint64(7))
	show(one().Salt(16, "user").String("user"), "ab")
	show(one().Hash(rowkey.MD5.Hex(4), "user").String("user"), "ab")
	show(one().Copy("rev", "user", rowkey.Fixed(3), rowkey.Reverse).String("user"), "abc")
	show(one().String("host", rowkey.ReverseLabels(".")), "a.bc")
	show(one().String("id", rowkey.ReversePart(1, 4)), "abcdef")
	show(one().Salt(16, "user", rowkey.MD5.Raw(2)).String("user"), "ab")
	// Output:
	// [user]                            6162 <nil>
	// [n:4]                             00000102 <nil>
	// [n:i4]                            7fffffff <nil>
	// [n:i4 hbase]                      ffffffff <nil>
	// [v:f8]                            bff8000000000000 <nil>
	// [v:f8]                            4007ffffffffffff <nil>
	// [ok:bool]                         01 <nil>
	// [ms(at)]                          0000000005265c00 <nil>
	// [a]['_'][b]                       61625f63 <nil>
	// ["v1"][n:1]                       763107 <nil>
	// [salt16(user)][user]              0f6162 <nil>
	// [md5.hex(4)(user)][user]          313837656162 <nil>
	// [rev=user fixed(3) reverse][user] 636261616263 <nil>
	// [host reverselabels(".")]         62632e61 <nil>
	// [id reversepart(1,4)]             616463626566 <nil>
	// [salt16(user) md5.raw(2)][user]   0e6162 <nil>
}

// What cannot be stored is an error that names the field.
func ExampleSchema_Key() {
	key, err := trades.Key().String("s-42").Time(tradedAt).Uint(7).Bytes()
	fmt.Printf("%x %v\n", key, err)

	_, err = trades.Key().String("s_42").Time(tradedAt).Uint(7).Bytes()
	fmt.Println(err)
	_, err = trades.Key().String("s-42").Time(tradedAt).Bytes()
	fmt.Println(err)
	_, err = trades.Key().String("s-42").Time(tradedAt).Uint(7).Uint(8).Bytes()
	fmt.Println(err)
	_, err = trades.Key().String("s-42").Int(1684203630).Uint(7).Bytes()
	fmt.Println(err)
	_, err = trades.Key().String("s-42").Time(time.Time{}).Uint(7).Bytes()
	fmt.Println(err)
	// Output:
	// 0c732d34325f7ffffe77dda4124f0000000000000007 <nil>
	// rowkey: trades: seller: holds the separator "_": value and its end cannot be told apart
	// rowkey: trades: order: field not supplied
	// rowkey: trades: the fields are seller, at, order: more values than fields
	// rowkey: trades: at: a time is a time.Time, or milliseconds given to UnixMilli: value of another type than the field's
	// rowkey: trades: at: 1970-01-01 is the first time: value out of range
}

// Keys built in a buffer of the caller's cost no allocation. The buffer may be
// used again when nobody holds the key any more; a client that keeps the slice
// for a retry does.
func ExampleSchema_Key_reuse() {
	buf := make([]byte, 0, 64)
	for order := range uint64(3) {
		key, err := trades.KeyIn(buf[:0]).String("s-42").UnixMilli(1684203630000).Uint(order).Bytes()
		fmt.Printf("%x %v\n", key[len(key)-8:], err)
	}
	// Output:
	// 0000000000000000 <nil>
	// 0000000000000001 <nil>
	// 0000000000000002 <nil>
}

// The rows of a prefix of values: s-42's are read, s-421's and s-4's are not.
func ExampleKeyBuilder_Range() {
	r, err := trades.Key().String("s-42").Range()
	fmt.Println(r, err)

	other, _ := trades.Key().String("s-421").Time(tradedAt).Uint(7).Bytes()
	fmt.Println(r.Contains(other))

	_, err = trades.Key().Range() // no field supplied: the whole table
	fmt.Println(err)
	// Output:
	// [\x0Cs-42_, \x0Cs-42`) <nil>
	// false
	// rowkey: trades: supply seller at least, or say PrefixRange(nil): query reads the whole table
}

// A prefix of values whose last is only the beginning of a text.
func ExampleKeyBuilder_Prefix() {
	people := rowkey.New("people").
		Uint("uid", 8).
		String("phone").Separator("\x00").
		String("name").
		MustBuild()

	r, err := people.Key().Uint(111).Prefix("12").Range()
	fmt.Printf("%x %x %v\n", r.Start(), r.Stop(), err)

	_, err = people.Key().Field("phone").Prefix("12").Range() // not without the uid
	fmt.Println(err)
	_, err = people.Key().Uint(111).Prefix("12").Bytes() // not a key
	fmt.Println(err)
	// Output:
	// 000000000000006f3132 000000000000006f3133 <nil>
	// rowkey: people: uid: Field("phone") was called, and next is uid: no such field, or not the next one
	// rowkey: people: phone: a prefix is no whole value: Range or AppendRanges must follow it: field not supplied
}

// Where a salt follows from a field that is not known yet, each bucket has a
// range of its own; read them at the same time.
func ExampleKeyBuilder_AppendRanges() {
	timeline := rowkey.New("timeline").
		Salt(4, "host").
		Time("at", rowkey.Millis).
		String("host").
		MustBuild()

	_, err := timeline.Key().Time(tradedAt).Range()
	fmt.Println(err)

	ranges, arena, err := timeline.Key().Time(tradedAt).AppendRanges(nil, nil)
	for _, r := range ranges {
		fmt.Printf("%x %x\n", r.Start(), r.Stop())
	}
	fmt.Println(err)

	// The same memory again: no allocation.
	ranges, _, err = timeline.Key().Time(tradedAt.Add(time.Second)).AppendRanges(ranges[:0], arena[:0])
	fmt.Println(len(ranges), err)
	// Output:
	// rowkey: timeline: salt: 4 ranges, since it is not known from the fields so far: use AppendRanges: query needs too many ranges
	// 0000000188225bedb0 0000000188225bedb1
	// 0100000188225bedb0 0100000188225bedb1
	// 0200000188225bedb0 0200000188225bedb1
	// 0300000188225bedb0 0300000188225bedb1
	// <nil>
	// 4 <nil>
}

// A span of times is what lies between two keys. Newest first, its later end
// comes first: [from, to) starts one unit before to and stops after from.
func ExampleNewRange() {
	day := time.Date(2023, 5, 16, 0, 0, 0, 0, time.UTC)
	first, _ := trades.Key().String("s-42").Time(day.AddDate(0, 0, 1).Add(-time.Millisecond)).Range()
	last, _ := trades.Key().String("s-42").Time(day).Range()
	r, err := rowkey.NewRange(first.Start(), last.Stop())
	fmt.Printf("%x %x %v\n", r.Start(), r.Stop(), err)

	_, err = rowkey.NewRange(last.Start(), first.Stop())
	fmt.Println(err)
	_, err = rowkey.NewRange(first.Start(), nil) // not the end of the table by accident
	fmt.Println(err)
	// Output:
	// 0c732d34325f7ffffe77d8fe5800 0c732d34325f7ffffe77de24b4 <nil>
	// rowkey: lower end above upper end
	// rowkey: an empty stop would read to the end of the table: length not allowed
}

func ExamplePrefixRange() {
	for _, prefix := range []string{"\x12\x23", "\x12\xff\xff", "\xff\xff", ""} {
		r := rowkey.PrefixRange([]byte(prefix))
		fmt.Printf("[%x, %x) unbounded: %v\n", r.Start(), r.Stop(), r.Unbounded())
	}
	// Output:
	// [1223, 1224) unbounded: false
	// [12ffff, 13) unbounded: false
	// [ffff, ) unbounded: true
	// [, ) unbounded: true
}

// A reversed scan starts at the larger row: oldest first where time is stored
// newest first. It is the largest key that a seller's rows can have; of a text that
// may go on with any byte there is none, and rows are tested.
func ExampleRange_Reversed() {
	r, _ := trades.Key().String("s-42").Range()
	start, stop, exact := r.Reversed()
	fmt.Printf("%x %x %t\n", start, stop, exact)
	r, _ = rowkey.New("names").String("name").MustBuild().Key().Prefix("s-4").Range()
	start, stop, exact = r.Reversed()
	fmt.Printf("%x %x %t\n", start, stop, exact)
	// Output:
	// 0c732d34325fffffffffffffffffffffffffffffffff 0c732d34325effffffffffffffff true
	// 732d35 732d33ffffffffffffffff false
}

// Values come back in schema order, by the words that wrote them. Salts and
// hashes are computed again and compared.
func ExampleSchema_Read() {
	key, _ := trades.Key().String("s-42").Time(tradedAt).Uint(7).Bytes()

	var order uint64
	err := trades.Read(key).Skip().Skip().Uint(&order).Err()
	fmt.Println(order, err)

	err = trades.Read(key[:8]).Skip().Skip().Uint(&order).Err()
	fmt.Println(err)
	key[0] = 3 // another bucket than the seller's
	err = trades.Read(key).Skip().Skip().Uint(&order).Err()
	fmt.Println(err)
	// Output:
	// 7 <nil>
	// rowkey: trades: at: 2 bytes left, 8 needed: not a key of this schema (at byte 6)
	// rowkey: trades: salt: bucket 3, and the fields give 12 of 16: salt, hash or copy does not match the fields (at byte 0)
}

// A typed handle finds its field once; the compiler knows its type from then on.
func ExampleField() {
	seller := rowkey.Must(rowkey.FieldOf[string](trades, "seller"))
	order := rowkey.Must(rowkey.FieldOf[uint64](trades, "order"))

	key, _ := trades.Key().String("s-42").Time(tradedAt).Uint(7).Bytes()
	row, err := trades.Decode(key)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := seller.Get(row)
	fmt.Println(s, err)
	n, err := order.Get(row)
	fmt.Println(n, err)

	_, err = rowkey.FieldOf[string](trades, "order")
	fmt.Println(err)
	_, err = rowkey.FieldOf[uint32](trades, "order")
	fmt.Println(err)
	_, err = rowkey.FieldOf[string](trades, "buyer")
	fmt.Println(err)
	// Output:
	// s-42 <nil>
	// 7 <nil>
	// rowkey: trades: order: string cannot hold every value of [order:8]: value of another type than the field's
	// rowkey: trades: order: uint32 cannot hold every value of [order:8]: value of another type than the field's
	// rowkey: trades: buyer: the fields are seller, at, order: no such field, or not the next one
}

// A struct codec is checked against the schema once: every field bound, every
// tag known, every type able to hold its field.
func ExampleCodec() {
	type Trade struct {
		Seller string    `rowkey:"seller"`
		At     time.Time `rowkey:"at"`
		Order  uint64    `rowkey:"order"`
	}
	codec := rowkey.Must(rowkey.Bind[Trade](trades))

	key, err := codec.Append(nil, &Trade{"s-42", tradedAt, 7})
	fmt.Printf("%x %v\n", key, err)
	var back Trade
	err = codec.Decode(key, &back)
	fmt.Println(back.Seller, back.At, back.Order, err)

	arena, ends, err := codec.AppendAll(nil, nil, []Trade{{"s-42", tradedAt, 8}, {"s-4", tradedAt, 9}})
	fmt.Println(len(arena), ends, err)
	start := 0
	for _, end := range ends {
		fmt.Printf("%x\n", arena[start:end])
		start = end
	}

	type Unix struct {
		Seller string `rowkey:"seller"`
		At     int64  `rowkey:"at"` // seconds or milliseconds? "at,ms" says
		Order  uint64 `rowkey:"order"`
	}
	_, err = rowkey.Bind[Unix](trades)
	fmt.Println(err)
	// Output:
	// 0c732d34325f7ffffe77dda4124f0000000000000007 <nil>
	// s-42 2023-05-16 02:20:30 +0000 UTC 7 <nil>
	// 43 [22 43] <nil>
	// 0c732d34325f7ffffe77dda4124f0000000000000008
	// 01732d345f7ffffe77dda4124f0000000000000009
	// rowkey: trades: at: rowkey_test.Unix.At: a time as a number says its unit in the tag: "at,ms", with s, ms, us or ns: value of another type than the field's
}

// An index table is the same row under another key. Both hold all fields, so
// each key can be made from the other; a new bucket count is the same word.
func ExampleSchema_Rekey() {
	orders := func(name, lead, other string, buckets int) *rowkey.Schema {
		return rowkey.New(name).
			Salt(buckets, lead).
			String(lead).Separator("\x00").
			Time("at", rowkey.Millis, rowkey.Desc).
			Uint("order", 8).
			String(other).
			MustBuild()
	}
	bySeller := orders("bySeller", "seller", "buyer", 16)
	byBuyer := orders("byBuyer", "buyer", "seller", 16)
	wider := orders("bySeller32", "seller", "buyer", 32)

	key, err := bySeller.Key().Field("seller").String("s").Time(tradedAt).Uint(1).Field("buyer").String("b").Bytes()
	fmt.Printf("%x %v\n", key, err)
	index, err := byBuyer.Rekey(nil, key, bySeller)
	fmt.Printf("%x %v\n", index, err)
	moved, err := wider.Rekey(nil, key, bySeller)
	fmt.Printf("%x %v\n", moved, err)
	_, err = trades.Rekey(nil, index[:4], byBuyer)
	fmt.Println(err)
	// Output:
	// 0173007ffffe77dda4124f000000000000000162 <nil>
	// 0362007ffffe77dda4124f000000000000000173 <nil>
	// 1173007ffffe77dda4124f000000000000000162 <nil>
	// rowkey: byBuyer: at: one byte left, 8 needed: not a key of this schema (at byte 3)
}

// A slot that the writer counts or draws is an ordinary field of few values. A
// get by the other fields has a candidate in every slot. Where two writers count
// alike, something else in the key must tell their rows apart.
func ExampleBelow() {
	events := rowkey.New("events").
		Uint("slot", 1, rowkey.Below(4)).
		Time("at", rowkey.Millis).
		String("id").
		MustBuild()

	var turn atomic.Uint64 // rand.Uint64N(4) would draw a slot
	for range 3 {
		slot := (turn.Add(1) - 1) % 4
		key, err := events.Key().Uint(slot).Time(tradedAt).String("e1").Bytes()
		fmt.Printf("%x %v\n", key, err)
	}
	_, err := events.Key().Uint(4).Time(tradedAt).String("e1").Bytes()
	fmt.Println(err)
	// Output:
	// 0000000188225bedb06531 <nil>
	// 0100000188225bedb06531 <nil>
	// 0200000188225bedb06531 <nil>
	// rowkey: events: slot: 0 to 3: value out of range
}

// One table a day: its times count from its own midnight, in four bytes, and
// the midnight says which zone's day it is.
func ExampleUnit_Since() {
	midnight := time.Date(2012, 12, 12, 0, 0, 0, 0, time.FixedZone("CST", 8*3600))
	today := rowkey.New("tx-"+midnight.Format("20060102")).
		Uint("slot", 2, rowkey.Below(64)).
		Time("at", rowkey.Millis.Since(midnight), rowkey.Width(4), rowkey.Below(86_400_000)).
		Binary("ext").
		MustBuild()

	key, err := today.Key().Uint(7).Time(midnight.Add(10 * time.Hour)).Binary(nil).Bytes()
	fmt.Printf("%x %v\n", key, err)
	_, err = today.Key().Uint(7).Time(midnight.Add(-time.Hour)).Binary(nil).Bytes() // yesterday
	fmt.Println(err)
	// Output:
	// 000702255100 <nil>
	// rowkey: tx-20121212: at: 2012-12-11T16:00:00Z is the first time: value out of range
}

// Split keys come from the layout where its lead is spread, from keys where it
// is not.
func ExampleSchema_Splits() {
	splits, err := trades.Splits(4)
	fmt.Println(splits.Shell(), err)

	key, _ := trades.Key().String("s-42").Time(tradedAt).Uint(7).Bytes()
	fmt.Println("region", splits.Region(key))

	users := rowkey.New("users").String("name").MustBuild()
	_, err = users.Splits(4)
	fmt.Println(err)

	var sample [][]byte
	for _, name := range []string{"anna", "bert", "carl", "dora", "emil", "fred", "gina", "hans"} {
		key, _ := users.Key().String(name).Bytes()
		sample = append(sample, key)
	}
	splits, err = users.SplitsOf(4, slices.Values(sample))
	fmt.Println(splits.Shell(), err)
	// Output:
	// SPLITS => ['\x04', '\x08', '\x0C'] <nil>
	// region 3
	// rowkey: users: name: its values depend on data: use SplitsOf: split keys depend on the data
	// SPLITS => ['carl', 'emil', 'gina'] <nil>
}

// A table that Java wrote: the dialect, and a key from it as proof. Without the
// dialect the same declaration does not build.
func ExampleBuilder_Sample() {
	_, err := rowkey.New("userlog", interop.HBase).
		Int("uid", 8).
		Time("at", rowkey.Millis, rowkey.Desc).
		Sample(`\x00\x00\x00\x00\x00\x00'f\x7F\xFF\xFEw\xDD\xA4\x12O`, 10086, tradedAt).
		Build()
	fmt.Println(err)

	_, err = rowkey.New("userlog").
		Int("uid", 8).
		Time("at", rowkey.Millis, rowkey.Desc).
		Sample(`\x00\x00\x00\x00\x00\x00'f\x7F\xFF\xFEw\xDD\xA4\x12O`, 10086, tradedAt).
		Build()
	fmt.Println(errors.Is(err, rowkey.ErrSchema))
	fmt.Println(err)
	// Output:
	// <nil>
	// true
	// rowkey: userlog: sample: at byte 0, in uid: the layout writes \x80\x00\x00\x00\x00\x00'f, not \x00\x00\x00\x00\x00\x00'f: schema cannot be built
}

// For tools, whose values' types are known only at run time.
func ExampleSchema_AppendKey() {
	key, err := trades.AppendKey(nil, "s-42", tradedAt, 7)
	fmt.Printf("%x %v\n", key, err)
	row, err := trades.Decode(key)
	if err != nil {
		fmt.Println(err)
		return
	}
	for name, v := range row.All() {
		fmt.Printf("%s: %v (%T)\n", name, v, v)
	}
	// Output:
	// 0c732d34325f7ffffe77dda4124f0000000000000007 <nil>
	// seller: s-42 (string)
	// at: 2023-05-16 02:20:30 +0000 UTC (time.Time)
	// order: 7 (uint64)
}

// What Build refuses, and what to add.
func ExampleBuilder_Build() {
	_, err := rowkey.New("glued").String("uid").String("phone").Build()
	fmt.Println(err)

	head := rowkey.New("head").Uint("a", 1)
	_, _ = head.Build()
	_, err = head.Uint("b", 1).Build()
	fmt.Println(err)

	_, err = rowkey.New("wide").Salt(1000, "id").Uint("id", 8).Build()
	fmt.Println(err)

	_, err = rowkey.New("cut").Time("at", rowkey.Millis, rowkey.Desc, rowkey.Width(4)).Build()
	fmt.Println(err)
	// Output:
	// rowkey: glued: uid: has no end before the next component, phone: add a Separator, Fixed, Pad or Escaped: schema cannot be built
	// rowkey: head: builder used twice: begin each schema with New, and go on with what the last call returned: schema cannot be built
	// rowkey: wide: salt: 1000 buckets do not fit one byte: add Width(2): schema cannot be built
	// rowkey: cut: at: Width stands before Desc: Width(4), Desc is MaxInt32 − v: schema cannot be built
}

// Neighbours of one type: the compiler cannot tell them apart, Field can.
func ExampleKeyBuilder_Field() {
	chat := rowkey.New("chat").
		Hash(rowkey.MD5.Raw(1), "values(lo,hi)").
		Uint("lo", 8).Uint("hi", 8).
		Time("at", rowkey.Millis, rowkey.Desc).
		MustBuild()

	_, err := chat.Key().Field("hi").Uint(2002).Field("lo").Uint(1001).Time(tradedAt).Bytes()
	fmt.Println(err)
	key, err := chat.Key().Field("lo").Uint(1001).Field("hi").Uint(2002).Time(tradedAt).Bytes()
	fmt.Printf("%x %v\n", key, err)
	// Output:
	// rowkey: chat: lo: Field("hi") was called, and next is lo: no such field, or not the next one
	// 1000000000000003e900000000000007d27ffffe77dda4124f <nil>
}

// A key as annotated text, broken keys included.
func ExampleSchema_Explain() {
	key, _ := trades.Key().String("s-42").Time(tradedAt).Uint(7).Bytes()
	fmt.Println(trades.Explain(key))
	fmt.Println(trades.Explain(key[:9]))
	// Output:
	// trades [salt16(seller)][seller]['_'][max-ms(at)][order:8]: 22 bytes
	// 0   0c                [salt16(seller)]  bucket 12 of 16
	// 1   732d3432          [seller]          "s-42"
	// 5   5f                ['_']
	// 6   7ffffe77dda4124f  [max-ms(at)]      2023-05-16T02:20:30Z
	// 14  0000000000000007  [order:8]         7
	//
	// trades [salt16(seller)][seller]['_'][max-ms(at)][order:8]: 9 bytes
	// 0  0c        [salt16(seller)]
	// 1  732d3432  [seller]          "s-42"
	// 5  5f        ['_']
	// 6  7ffffe                      expected here: [max-ms(at)]
	// rowkey: trades: at: 3 bytes left, 8 needed: not a key of this schema (at byte 6)
}

// The same for a program: a key piece by piece, up to where it breaks.
func ExampleSchema_Pieces() {
	key, _ := trades.Key().String("s-42").Time(tradedAt).Uint(7).Bytes()
	pieces, err := trades.Pieces(key[:9], time.UTC)
	for _, p := range pieces {
		fmt.Printf("%d %x %q %q %q\n", p.Offset, p.Bytes, p.Name, p.Text, p.Problem)
	}
	fmt.Println(err)
	// Output:
	// 0 0c "salt" "" ""
	// 1 732d3432 "seller" "\"s-42\"" ""
	// 5 5f "" "" ""
	// 6 7ffffe "" "" "expected here: [max-ms(at)]"
	// rowkey: trades: at: 3 bytes left, 8 needed: not a key of this schema (at byte 6)
}

func ExampleSchema_Fields() {
	for f := range trades.Fields() {
		fmt.Println(f.Name, f.Kind, f.Size, f.Order, f.Derived, f.Notation)
	}
	// Output:
	// salt salt 1 unordered true [salt16(seller)]
	// seller string 0 unordered false [seller]
	//  literal 1 forward false ['_']
	// at time 8 backward false [max-ms(at)]
	// order uint 8 forward false [order:8]
}

// A layout in a file, with a key of the real table as a proof.
func ExampleParse() {
	s, err := rowkey.Parse("trades", `
		[salt16(seller)]  # one byte: murmur3(seller) mod 16
		[seller]['_']
		[max-ms(at)]      # newest first
		[order:8]

		sample("\x0Cs-42_\x7F\xFF\xFEw\xDD\xA4\x12O\x00\x00\x00\x00\x00\x00\x00\x07", "s-42", 2023-05-16T02:20:30Z, 7)
	`)
	fmt.Println(s, err)
	fmt.Println(s.Fingerprint() == trades.Fingerprint())
	// Output:
	// [salt16(seller)][seller]['_'][max-ms(at)][order:8] <nil>
	// true
}

// An error shows the line and the spot. For one line alone, as in a log, there
// are its Offset and its Err.
func ExampleParse_error() {
	_, err := rowkey.Parse("trades", "[salt16(seller)]\n[seller]['_']\n[ms(at) dsc][order:8]")
	fmt.Println(err)

	var e *rowkey.Error
	errors.As(err, &e)
	fmt.Printf("byte %d: %v\n", e.Offset, e.Err)

	_, err = rowkey.Parse("trades", "[seller][order:8]")
	fmt.Println(err)
	// Output:
	// rowkey: trades: at: line 3: expected ']' or an option; perhaps desc: schema cannot be built (at byte 39)
	// 	[ms(at) dsc][order:8]
	// 	        ^
	// byte 39: line 3: expected ']' or an option; perhaps desc: schema cannot be built
	// rowkey: trades: seller: has no end before the next component, order: add a Separator, Fixed, Pad or Escaped: schema cannot be built (at byte 1)
	// 	[seller][order:8]
	// 	 ^
}
