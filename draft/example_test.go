package draft_test

import (
	"fmt"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/draft"
)

// A design document says how the key looks, not what its bytes are.
func ExampleRead() {
	d, err := draft.Read("[md5(userid).subStr(0,4)][userid][orderid]")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Notation)
	for _, q := range d.Open {
		fmt.Printf("byte %d: %s: %q %s: %s\n", q.Offset, q.What, q.Choices[0].Notation, q.Choices[0].Meaning, q.Choices[0].Price)
	}

	// Decided: the user is text that ends at '_', the order a long.
	s, err := rowkey.Parse("orders", d.Decide("userid", "", "['_']", ":8"))
	if err != nil {
		fmt.Println(err)
		return
	}
	key, err := s.Key().String("u1").Uint(7).Bytes()
	fmt.Printf("%v %s %x %v\n", s, key[:7], key[7:], err)
	// Output:
	// [md5.hex(4)(?)][userid?]?[orderid?]
	// byte 1: which bytes of userid are hashed: "userid" the value: the bytes of a text, a number big-endian in its size: 1 range a query that knows userid
	// byte 26: what userid is: "" text: its bytes
	// byte 26: what ends userid: "['\\x00']" a byte 00, which it cannot hold: keys sort as the texts do: 1 byte a key
	// byte 34: what orderid is: "" text: its bytes
	// [md5.hex(4)(userid)][userid]['_'][orderid:8] e477u1_ 0000000000000007 <nil>
}

// Code says more than a document: how each value is printed. A real key answers
// what is left.
func ExampleDraft_Fit() {
	d, err := draft.Read(`String.format("%02d_%s_%d", Math.abs(uid.hashCode()) % 16, uid, Long.MAX_VALUE - ts)`)
	fmt.Println(d.Notation, err)

	d, err = d.Fit([]byte("09_user123_9223370352651145806"))
	fmt.Println(d.Notation, err)
	for _, q := range d.Open {
		fmt.Printf("%s: %q %s\n", q.What, q.Choices[0].Notation, q.Choices[0].Price)
	}

	s := rowkey.Must(rowkey.Parse("events", d.Decide("uid", "")))
	key, err := s.Key().String("user123").Time(time.UnixMilli(1684203630001)).Bytes()
	fmt.Printf("%s %v\n", key, err)
	// Output:
	// [salt16(?) javahashabs digits(2)]['_'][uid?]['_'][max-?(ts) digits(19)] <nil>
	// [salt16(?) javahashabs digits(2)]['_'][uid]['_'][max-ms(ts) digits(19)] <nil>
	// which bytes of uid are hashed: "uid" 1 range a query that knows uid, else 16
	// 09_user123_9223370352651145806 <nil>
}
