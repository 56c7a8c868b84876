package rowkey_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/adler32"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/rowkeytest"
)

// A Struct of HBase's Ordered types, of which two fields may be null.
func ExampleDialect_orderedBytes() {
	prices := rowkey.New("prices", rowkey.OrderedBytes).
		String("shop").                                   // OrderedString.ASCENDING
		Int("at", 8, rowkey.Desc).                        // OrderedInt64.DESCENDING
		String("price", rowkey.Numeric, rowkey.Optional). // OrderedNumeric.ASCENDING
		String("note", rowkey.Optional).                  // OrderedString.ASCENDING
		MustBuild()
	fmt.Println(prices)

	// No price, and then no note: a null within the key is 05, one at its end nothing.
	key, err := prices.Key().String("web-01").Int(1684203630000).Null().String("used").Bytes()
	fmt.Printf("%x %v\n", key, err)
	key, err = prices.Key().String("web-01").Int(1684203630000).String("12.50").Bytes()
	fmt.Printf("%x %v\n", key, err)

	var shop, price, note string
	var at int64
	var noNote bool
	err = prices.Read(key).String(&shop).Int(&at).String(&price).Null(&noNote).String(&note).Err()
	fmt.Println(shop, at, price, noNote, err)

	// Prices as numbers, not as text: from 9.5 on, below 100.
	plan, err := prices.Scan(rowkey.Eq("shop", "web-01"), rowkey.Eq("at", int64(1684203630000)),
		rowkey.AtLeast("price", "9.5"), rowkey.LessThan("price", 100))
	for r := range plan.Ranges() {
		fmt.Printf("%x %x %v\n", r.Start(), r.Stop(), err)
	}
	// Output:
	// [shop orderedbytes][at:i8 desc orderedbytes][price numeric optional orderedbytes][note optional orderedbytes]
	// 347765622d303100d37ffffe77dda4124f05347573656400 <nil>
	// 347765622d303100d37ffffe77dda4124f181964 <nil>
	// web-01 1684203630000 12.5 true <nil>
	// 347765622d303100d37ffffe77dda4124f181364 347765622d303100d37ffffe77dda4124f1902 <nil>
}

// A salted table of Phoenix, with a column in the middle that may be null.
func ExampleDialect_phoenix() {
	// CREATE TABLE ORDERS (
	//   REGION   CHAR(2) NOT NULL,
	//   CUSTOMER VARCHAR,
	//   AT       DATE NOT NULL,
	//   PRICE    DECIMAL,
	//   NOTE     VARCHAR,
	//   QTY      INTEGER
	//   CONSTRAINT PK PRIMARY KEY (REGION, CUSTOMER DESC, AT DESC, PRICE, NOTE)
	// ) SALT_BUCKETS = 8
	orders := rowkey.New("ORDERS", rowkey.Phoenix).
		Salt(8, "rest()").
		String("region", rowkey.Pad(2, ' ')).
		String("customer", rowkey.Desc, rowkey.Optional).
		Time("at", rowkey.Millis, rowkey.Desc).
		String("price", rowkey.Numeric, rowkey.Optional).
		String("note", rowkey.Optional).
		MustBuild()
	fmt.Println(orders)

	// The salt is computed of the whole key: of all columns, nulls too.
	at := time.Date(2023, 5, 16, 2, 20, 30, 0, time.UTC)
	key, err := orders.Key().String("EU").String("anna").Time(at).String("12.50").Bytes()
	fmt.Printf("%x %v\n", key, err)
	key, err = orders.Key().String("EU").Null().Time(at).String("12.50").Bytes()
	fmt.Printf("%x %v\n", key, err)

	// Orders without a customer in the hour before: a range in each bucket.
	plan, err := orders.Scan(rowkey.Eq("region", "EU"), rowkey.Null("customer"), rowkey.Span("at", at.Add(-time.Hour), at))
	for r := range plan.Ranges() {
		if r.Start()[0] < 2 {
			fmt.Printf("%x %x\n", r.Start(), r.Stop())
		}
	}
	fmt.Println(plan.Len(), plan.Exact(), err)

	// Every column said: one row, of which the bucket is known.
	plan, err = orders.Scan(rowkey.Eq("region", "EU"), rowkey.Null("customer"), rowkey.Eq("at", at), rowkey.Eq("price", "12.5"), rowkey.Null("note"))
	for key := range plan.Keys() {
		fmt.Printf("%x %v\n", key, err)
	}
	// Output:
	// [salt8(rest()) phoenixhash][region pad(2,' ') phoenix][customer desc optional phoenix][max-ms(at) phoenix][price numeric optional phoenix][note optional phoenix]
	// 0445559e91919eff7ffffe77dda4124fc10d33 <nil>
	// 054555007ffffe77dda4124fc10d33 <nil>
	// 004555007ffffe77dda41250 004555007ffffe77dddb00d0
	// 014555007ffffe77dda41250 014555007ffffe77dddb00d0
	// 8 true <nil>
	// 054555007ffffe77dda4124fc10d33 <nil>
}

// Nulls at the end of a key are left off, and so are the ends in front of them:
// with two nulls behind it, x is the whole key.
func ExampleNull() {
	s := rowkey.New("t", rowkey.Phoenix).
		String("a").
		String("b", rowkey.Optional).
		String("c", rowkey.Optional).
		MustBuild()

	a := rowkey.Eq("a", "x")
	for _, conds := range [][]rowkey.Cond{
		{a}, // but not xy
		{a, rowkey.Null("b")},
		{a, rowkey.Null("b"), rowkey.Null("c")}, // one key
		{a, rowkey.NotNull("b")},
		{a, rowkey.LessThan("b", "y")}, // no null is less than anything
		{a, rowkey.AnyOf(rowkey.Null("b"), rowkey.AtLeast("b", "y"))},
	} {
		plan, err := s.Scan(conds...)
		for r := range plan.Ranges() {
			fmt.Print(r, " ")
		}
		fmt.Println(plan.Exact(), err)
	}
	// Output:
	// [x, x\x01) true <nil>
	// [x, x\x00\x01) true <nil>
	// [x, x\x00) true <nil>
	// [x\x00\x01, x\x01) true <nil>
	// [x\x00\x01, x\x00y) true <nil>
	// [x, x\x00\x01) [x\x00y, x\x01) true <nil>
}

// counted writes the length of a text in front of it, as DataOutput.writeUTF does:
// two bytes. The shorter text comes first, whatever is in it.
type counted struct{}

func (counted) Append(dst, value []byte) ([]byte, error) {
	if len(value) > 0xffff {
		return dst, rowkey.ErrLength
	}
	return append(binary.BigEndian.AppendUint16(dst, uint16(len(value))), value...), nil
}

func (c counted) Invert(dst, stored []byte) ([]byte, error) {
	if n, err := c.Len(stored); err != nil || n != len(stored) {
		return dst, errors.New("another length")
	}
	return append(dst, stored[2:]...), nil
}

func (counted) Len(b []byte) (int, error) {
	if len(b) < 2 {
		return 0, errors.New("no length")
	}
	n := 2 + int(binary.BigEndian.Uint16(b))
	if n > len(b) {
		return 0, errors.New("too short")
	}
	return n, nil
}

func (counted) Traits() rowkey.Traits {
	return rowkey.Traits{Order: rowkey.Unordered, Delimited: true}
}

func (counted) String() string { return "utf" }

// A step of one's own in a field: rowkeytest.TestTransform checks its laws.
func ExampleVia() {
	s := rowkey.New("s").
		String("name", rowkey.Via(counted{})).
		Uint("n", 4).
		MustBuild()
	fmt.Println(s)
	key, err := s.Key().String("abc").Uint(7).Bytes()
	fmt.Printf("%x %v\n", key, err)

	// A text of the wrong length is no key.
	var name string
	fmt.Println(s.Read([]byte("\x00\x09abc")).String(&name).Err())

	// What the forms' order does not say is left to Match.
	plan, err := s.Scan(rowkey.AtLeast("name", "abc"), rowkey.FullScan())
	fmt.Println(plan.Match(key), plan.Exact(), err)
	// Output:
	// [name via("utf")][n:4]
	// 000361626300000007 <nil>
	// rowkey: s: name: not a key of this schema (at byte 0)
	// true false <nil>
}

// percent writes % and _ as %25 and %5f, so that a name with a _ in it can be ended
// by one.
type percent struct{}

var (
	percents  = strings.NewReplacer("%", "%25", "_", "%5f")
	unpercent = strings.NewReplacer("%25", "%", "%5f", "_")
)

func (percent) Append(dst, value []byte) ([]byte, error) {
	return append(dst, percents.Replace(string(value))...), nil
}

func (percent) Invert(dst, stored []byte) ([]byte, error) {
	value := unpercent.Replace(string(stored))
	if percents.Replace(value) != string(stored) {
		return dst, errors.New("not escaped so")
	}
	return append(dst, value...), nil
}

// Its forms do not sort as the values do; but each byte has one that begins no
// other, so that they begin as the values do.
func (percent) Traits() rowkey.Traits {
	return rowkey.Traits{Order: rowkey.Unordered, Prefixes: true}
}

func (percent) String() string { return "percent" }

// A step that says Prefixes makes a Prefix a range.
func ExampleTraits() {
	if err := rowkeytest.TestTransform(percent{}, "a_b", "100%"); err != nil {
		fmt.Println(err)
	}
	s := rowkey.New("s").
		String("name", rowkey.Via(percent{})).Separator("_").
		Uint("n", 2).
		MustBuild()
	key, err := s.Key().String("a_bc").Uint(7).Bytes()
	fmt.Printf("%q %v\n", key, err)
	plan, err := s.Scan(rowkey.Prefix("name", "a_b"))
	for r := range plan.Ranges() {
		fmt.Printf("%s to %s %t %v\n", r.Start(), r.Stop(), plan.Exact(), err)
	}
	r, err := s.Key().Prefix("a_b").Range()
	fmt.Printf("%s to %s %v\n", r.Start(), r.Stop(), err)
	// Output:
	// "a%5fbc_\x00\a" <nil>
	// a%5fb to a%5fc true <nil>
	// a%5fb to a%5fc <nil>
}

// md5(id) + lower(id) + (Long.MAX_VALUE − ms), as a program writes it: the copy in
// lower case is compared and never read, and has no end of its own.
func ExampleOneWay() {
	lower := rowkey.OneWay("lower", 0, func(dst, value []byte) ([]byte, error) {
		return append(dst, bytes.ToLower(value)...), nil
	})
	s := rowkey.New("s").
		Hash(rowkey.MD5.Hex(4), "id").
		Copy("low", "id", rowkey.Via(lower), rowkey.Loose).
		Time("at", rowkey.Millis, rowkey.Desc).
		String("id", rowkey.NotStored).
		MustBuild()
	fmt.Println(s)
	key, err := s.Key().UnixMilli(1684203630002).String("Web").Bytes()
	fmt.Printf("%s %x %v\n", key[:4], key[4:], err)
	row, err := s.Decode(key)
	fmt.Printf("%s %v\n", row.Stored("low"), err)
	// Output:
	// [md5.hex(4)(id)][low=id via("lower") loose][max-ms(at)][id notstored]
	// c6e1 7765627ffffe77dda4124d <nil>
	// web <nil>
}

func ExampleNewDigest() {
	adler := rowkey.NewDigest("adler32", 4, func(dst, data []byte) []byte {
		return binary.BigEndian.AppendUint32(dst, adler32.Checksum(data))
	})
	s := rowkey.New("s").
		Salt(16, "id", adler.Raw(4)).
		Hash(adler.Hex(4), "id").
		String("id").
		MustBuild()
	fmt.Println(s)
	key, err := s.Key().String("s-42").Bytes()
	fmt.Printf("%q %v\n", key, err)
	// Output:
	// [salt16(id) adler32.raw(4)][adler32.hex(4)(id)][id]
	// "\a02f1s-42" <nil>
}

func ExampleNewUnit() {
	months := rowkey.NewUnit("month", 24*time.Hour,
		func(t time.Time) int64 { return int64(t.Year()-1970)*12 + int64(t.Month()) - 1 },
		func(n int64) time.Time { return time.Date(1970, time.Month(n+1), 1, 0, 0, 0, 0, time.UTC) })
	s := rowkey.New("s").
		Time("month", months, rowkey.Width(2)).
		Uint("n", 2).
		MustBuild()
	fmt.Println(s)
	key, err := s.Key().Time(time.Date(2023, 5, 16, 0, 0, 0, 0, time.UTC)).Uint(7).Bytes()
	fmt.Printf("%x %v\n", key, err)

	// Two months and a half: the months that hold its ends, too.
	plan, err := s.Scan(rowkey.Span("month", time.Date(2023, 4, 10, 0, 0, 0, 0, time.UTC), time.Date(2023, 6, 25, 0, 0, 0, 0, time.UTC)))
	for r := range plan.Ranges() {
		fmt.Printf("%x %x %v\n", r.Start(), r.Stop(), err)
	}
	// Output:
	// [month(month) width(2)][n:2]
	// 02800007 <nil>
	// 027f 0282 <nil>
}

// What the dialects write of one value.
func ExampleDialect() {
	day := time.Date(1970, 1, 2, 0, 0, 0, 0, time.UTC)
	show := func(what string, b *rowkey.Builder, value any) {
		key, err := b.MustBuild().AppendKey(nil, value)
		fmt.Printf("%-27s %x %v\n", what, key, err)
	}
	for _, d := range []rowkey.Dialect{rowkey.HBase, rowkey.OrderedBytes, rowkey.Phoenix} {
		name := []string{rowkey.HBase: "HBase", rowkey.OrderedBytes: "OrderedBytes", rowkey.Phoenix: "Phoenix"}[d]
		one := func() *rowkey.Builder { return rowkey.New("t", d) }
		show(name+" Float(4)", one().Float("v", 4), 1.5)
		show(name+" Float(8)", one().Float("v", 8), 1.5)
		show(name+" Int(4)", one().Int("v", 4), int64(1))
		show(name+" Time(Millis)", one().Time("v", rowkey.Millis), day)
	}
	phoenix := func() *rowkey.Builder { return rowkey.New("t", rowkey.Phoenix) }
	show("BOOLEAN", phoenix().Bool("v"), true)
	show("BOOLEAN DESC", phoenix().Bool("v", rowkey.Desc), true)
	show("TIMESTAMP", phoenix().Time("v", rowkey.Nanos), day.Add(5))
	// Output:
	// HBase Float(4)              3fc00000 <nil>
	// HBase Float(8)              3ff8000000000000 <nil>
	// HBase Int(4)                00000001 <nil>
	// HBase Time(Millis)          0000000005265c00 <nil>
	// OrderedBytes Float(4)       30bfc00000 <nil>
	// OrderedBytes Float(8)       31bff8000000000000 <nil>
	// OrderedBytes Int(4)         2b80000001 <nil>
	// OrderedBytes Time(Millis)   2c8000000005265c00 <nil>
	// Phoenix Float(4)            bfc00001 <nil>
	// Phoenix Float(8)            bff8000000000001 <nil>
	// Phoenix Int(4)              80000001 <nil>
	// Phoenix Time(Millis)        8000000005265c00 <nil>
	// BOOLEAN                     01 <nil>
	// BOOLEAN DESC                fe <nil>
	// TIMESTAMP                   8000000005265c0000000005 <nil>
}

// Which bytes each Input hashes: a digest of our own shows them.
func ExampleInput() {
	var hashed []byte
	show := rowkey.NewDigest("show", 1, func(dst, data []byte) []byte {
		hashed = bytes.Clone(data)
		return append(dst, 0)
	}).Raw(1)
	for _, in := range []rowkey.Input{"app", "values(app,uid)", "stored(app,uid)",
		"text(app,uid)", `format("%s-%05d",app,uid)`, "rest()"} {
		s := rowkey.New("t").Hash(show, in).String("app", rowkey.Pad(4, ' ')).Uint("uid", 4, rowkey.Desc).MustBuild()
		_, err := s.AppendKey(nil, "ab", uint64(7))
		fmt.Printf("%-27s %x %v\n", in, hashed, err)
	}
	s := rowkey.New("t").Hash(show, "minmax(a,b)").Uint("a", 2).Uint("b", 2).MustBuild()
	_, err := s.AppendKey(nil, uint64(7), uint64(3))
	fmt.Printf("%-27s %x %v\n", "minmax(a,b)", hashed, err)
	// Output:
	// app                         6162 <nil>
	// values(app,uid)             616200000007 <nil>
	// stored(app,uid)             61622020fffffff8 <nil>
	// text(app,uid)               616237 <nil>
	// format("%s-%05d",app,uid)   61622d3030303037 <nil>
	// rest()                      61622020fffffff8 <nil>
	// minmax(a,b)                 00030007 <nil>
}

// The bucket of −3 among 10.
func ExampleSaltRule() {
	s := rowkey.New("t").Salt(10, "n", rowkey.Modulo).Int("n", 4).MustBuild()
	key, err := s.AppendKey(nil, int64(-3))
	fmt.Println(key[0], s, err)
	// Output:
	// 7 [salt10(n) modulo][n:i4] <nil>
}

// The beginning of each digest of "ab".
func ExampleDigest() {
	show := func(parts ...rowkey.Part) {
		for _, part := range parts {
			s := rowkey.New("t").Hash(part, "id").String("id").MustBuild()
			key, err := s.AppendKey(nil, "ab")
			fmt.Printf("%-29s %x %v\n", part, key[:len(key)-len("ab")], err)
		}
	}
	show(rowkey.Murmur3.Raw(4), rowkey.MD5.Raw(4), rowkey.SHA1.Raw(4), rowkey.SHA256.Raw(4), rowkey.SHA512.Raw(4), rowkey.CRC32.Raw(4))
	show(rowkey.MD5.Raw(2), rowkey.MD5.Hex(4), rowkey.MD5.Hex(4).Upper(), rowkey.MD5.HexAt(8, 4), rowkey.Murmur3.Seed(-1).Raw(4))
	// Output:
	// murmur3.raw(4)                9bbfd75f <nil>
	// md5.raw(4)                    187ef443 <nil>
	// sha1.raw(4)                   da23614e <nil>
	// sha256.raw(4)                 fb8e20fc <nil>
	// sha512.raw(4)                 2d408a07 <nil>
	// crc32.raw(4)                  9e83486d <nil>
	// md5.raw(2)                    187e <nil>
	// md5.hex(4)                    31383765 <nil>
	// md5.hex(4).upper              31383745 <nil>
	// md5.hexat(8,4)                36313232 <nil>
	// murmur3-seed4294967295.raw(4) af7dbde5 <nil>
}
