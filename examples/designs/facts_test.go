package designs_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
)

// A row key is not 64 KB: HBase keeps its length in two signed bytes.
func Example_longestKey() {
	names := rowkey.New("names").String("name").MustBuild()
	for _, n := range []int{32767, 32768, 65535} {
		_, err := names.Key().String(strings.Repeat("x", n)).Bytes()
		fmt.Println(n, err)
	}
	// Output:
	// 32767 <nil>
	// 32768 rowkey: names: 32768 bytes, at most 32767: length not allowed
	// 65535 rowkey: names: 65535 bytes, at most 32767: length not allowed
}

// The chance of a collision is 1 − e^(−n²/2m), where m is the number of digests,
// 2^bits, and not the number of bits. A hundred million ids in 48 bits collide
// almost surely; for one in a hundred it takes 59 bits. Before the id a
// collision does no harm, as two ids that share a prefix still differ after it;
// in place of the id it loses a row, hence 128 bits there.
func Example_collisions() {
	p := func(n, bits float64) float64 { return -math.Expm1(-n * n / 2 / math.Exp2(bits)) }
	fmt.Printf("%.8f\n", p(1e8, 48))
	fmt.Printf("%.4f %.4f\n", p(1e8, 58), p(1e8, 59))
	fmt.Printf("%.0e\n", p(1e8, 128))

	front := rowkey.New("front").Hash(rowkey.MD5.Hex(4), "id").String("id").MustBuild()
	instead := rowkey.New("instead").String("id", rowkey.NotStored).Hash(rowkey.MD5.Raw(16), "id").MustBuild()
	for _, s := range []*rowkey.Schema{front, instead} {
		for key := range must(s.Scan(rowkey.Eq("id", "user123"))).Keys() {
			fmt.Println(s.Name(), len(key))
		}
	}
	// Output:
	// 0.99999998
	// 0.0172 0.0086
	// 1e-23
	// front 11
	// instead 16
}

// Digits turned round scatter; they do not sort the newest first.
func Example_digitsTurnedRound() {
	turned := rowkey.New("turned").Time("at", rowkey.Layout("20060102150405", utc), rowkey.Reverse).MustBuild()
	key := must(turned.Key().Time(time.Date(2023, 5, 16, 10, 20, 30, 0, utc)).Bytes())
	fmt.Printf("%s %v\n", key, turned.Order("at"))
	_, err := turned.Scan(rowkey.AtLeast("at", newYear)) // not the beginning of anything
	fmt.Println(err)
	// Output:
	// 03020161503202 unordered
	// rowkey: turned: at: its stored bytes do not sort as it does (it is reversed); a layout that stores it in its order answers this, FullScan() permits it: query reads the whole table
}

// Three ways to make a Java hash code positive are three different buckets, and
// Math.abs has no positive for the least number there is.
func Example_javaBuckets() {
	for _, user := range []string{"user123", "polygenelubricants"} {
		for _, rule := range []rowkey.SaltRule{interop.JavaHash, interop.JavaHashAbs, interop.JavaHashFloor} {
			s := rowkey.New("users").Salt(100, "user", rule, rowkey.Digits(2)).Separator("_").String("user").MustBuild()
			if key, err := s.Key().String(user).Bytes(); err != nil {
				fmt.Println(err)
			} else {
				fmt.Printf("%s\n", key)
			}
		}
	}
	// Output:
	// 75_user123
	// 73_user123
	// 27_user123
	// 00_polygenelubricants
	// rowkey: users: salt: javahashabs has no bucket for user, since Math.abs of its hash is negative: interop.JavaHash has one: value out of range
	// 52_polygenelubricants
}

// Filling up with 'x' does not keep host1 and host1x apart, so a host that ends
// in x is refused; and it puts host1 after host12.
func Example_filledUp() {
	hosts := rowkey.New("hosts").String("host", rowkey.Pad(20, 'x')).MustBuild()
	var t table
	for _, host := range []string{"host1", "host12", "host1x"} {
		key, err := hosts.Key().String(host).Bytes()
		if err != nil {
			fmt.Println(err)
			continue
		}
		t.put(key, nil)
	}
	for _, row := range t.rows {
		fmt.Printf("%s\n", row.key)
	}
	fmt.Println(hosts.Order("host"))
	for r := range must(hosts.Scan(rowkey.Eq("host", "host12"))).Ranges() {
		fmt.Println(r)
	}
	// Output:
	// rowkey: hosts: host: ends in the padding "x": value and its end cannot be told apart
	// host12xxxxxxxxxxxxxx
	// host1xxxxxxxxxxxxxxx
	// unordered
	// [host12xxxxxxxxxxxxxx, host12xxxxxxxxxxxxxy)
}

// A uid and a phone number written one after the other: (11, 1123) is (111, 123).
func Example_writtenTogether() {
	_, err := rowkey.New("together").Uint("uid", 8, rowkey.Decimal).String("phone").Build()
	fmt.Println(err)
	together := rowkey.New("together").Uint("uid", 8, rowkey.Decimal, rowkey.Loose).String("phone").MustBuild() // as the table is
	key := must(together.Key().Uint(11).String("1123").Bytes())
	fmt.Printf("%s %s\n", key, must(together.Key().Uint(111).String("123").Bytes()))
	_, err = together.Decode(key)
	fmt.Println(errors.Is(err, rowkey.ErrAmbiguous))
	plan := must(together.Scan(rowkey.Eq("uid", 11), rowkey.Eq("phone", "1123"))) // it may hold a row of 111
	fmt.Print(plan)
	fmt.Println(plan.Match(key))
	// Output:
	// rowkey: together: uid: has no end before the next component, phone: add a Separator, Fixed, Pad or Escaped: schema cannot be built
	// 111123 111123
	// true
	// together: one range, Match decides
	//   [111123, 111123\x00)
	// true
}

// A bucket drawn at random spreads writes, and from then on every question is
// asked of all buckets: a seller's rows are 16 scans. One that is computed from
// the seller spreads as well, and is one scan.
func Example_randomBuckets() {
	drawn := rowkey.New("drawn").
		Uint("bucket", 1, rowkey.Below(16), rowkey.Bucket).
		String("seller").Separator("\x00").
		Uint("order", 8).
		MustBuild()
	computed := rowkey.New("computed").
		Salt(16, "seller").
		String("seller").Separator("\x00").
		Uint("order", 8).
		MustBuild()
	for _, s := range []*rowkey.Schema{drawn, computed} {
		plan := must(s.Scan(rowkey.Eq("seller", "s-42")))
		get := must(s.Scan(rowkey.Eq("seller", "s-42"), rowkey.Eq("order", 7)))
		places := 0
		for range get.Keys() {
			places++
		}
		fmt.Println(s.Name(), plan.Len(), "scans, places of a row:", places)
	}
	// Output:
	// drawn 16 scans, places of a row: 16
	// computed 1 scans, places of a row: 1
}

// The time modulo the buckets uses N/gcd(step, N) of them: of whole seconds in
// milliseconds, one of 8, of 10 or of 100.
func Example_moduloOfTime() {
	for _, n := range []int{7, 8, 10, 100} {
		s := rowkey.New("modulo").Salt(n, "at", rowkey.Modulo).Time("at", rowkey.Millis).MustBuild()
		used := map[byte]bool{}
		for i := range 1000 {
			used[must(s.Key().Time(newYear.Add(time.Duration(i) * time.Second)).Bytes())[0]] = true
		}
		fmt.Println(len(used), "of", n)
	}
	// Output:
	// 7 of 7
	// 1 of 8
	// 1 of 10
	// 1 of 100
}
