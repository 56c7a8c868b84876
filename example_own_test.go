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

// counted writes the length of a text before it, as DataOutput.writeUTF does:
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
	// rowkey: s: name: its end is not in the last 5 bytes: not a key of this schema (at byte 0)
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

// Which bytes each input hashes: a digest of our own shows them.
func ExampleBuilder_Hash_input() {
	var hashed []byte
	show := rowkey.NewDigest("show", 1, func(dst, data []byte) []byte {
		hashed = bytes.Clone(data)
		return append(dst, 0)
	}).Raw(1)
	for _, in := range []string{"app", "values(app,uid)", "stored(app,uid)",
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
