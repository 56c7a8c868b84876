package tuple_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/examples/systems/tuple"
	"github.com/hbase-rowkey/rowkey/rowkeytest"
)

// The test cases of FoundationDB's specification (design/tuple.md).
func TestFoundationDB(t *testing.T) {
	text := rowkey.New("text").String("v", rowkey.Via(tuple.FDBText{})).MustBuild()
	raw := rowkey.New("bytes").Binary("v", rowkey.Via(tuple.FDBText{Bytes: true})).MustBuild()
	integer := rowkey.New("int").Int("v", 8, rowkey.Via(tuple.FDBInt{})).MustBuild()
	float := rowkey.New("float").Literal("\x20").Float("v", 4).MustBuild()
	boolean := rowkey.New("bool").Bool("v", rowkey.Via(tuple.FDBBool{})).MustBuild()
	check(t, []fact{
		{raw, "foo\x00bar", "01666f6f00ff62617200"},
		{text, "F\u00d4O\u0000bar", "0246c3944f00ff62617200"},
		{text, "", "0200"},
		{integer, -5551212, "11ab4b93"},
		{integer, -1, "13fe"},
		{integer, 0, "14"},
		{integer, 1, "1501"},
		{integer, 255, "15ff"},
		{integer, 256, "160100"},
		{integer, -255, "1300"},
		{integer, -256, "12feff"},
		{integer, int64(math.MaxInt64), "1c7fffffffffffffff"},
		{integer, int64(math.MinInt64), "0c7fffffffffffffff"},
		{float, float32(-42), "203dd7ffff"},
		{boolean, false, "26"},
		{boolean, true, "27"},
	})
}

// What CockroachDB's own tests state (pkg/util/encoding).
func TestCockroachDB(t *testing.T) {
	integer := rowkey.New("int").Int("v", 8, rowkey.Via(tuple.CRDBInt{})).MustBuild()
	down := rowkey.New("int down").Int("v", 8, rowkey.Desc, rowkey.Via(tuple.CRDBInt{})).MustBuild()
	text := rowkey.New("text").Literal("\x12").Binary("v", rowkey.Escaped).MustBuild()
	textDown := rowkey.New("text down").Literal("\x13").Binary("v", rowkey.Escaped, rowkey.Desc).MustBuild()
	check(t, []fact{
		{integer, int64(math.MinInt64), "808000000000000000"},
		{integer, int64(math.MinInt64 + 1), "808000000000000001"},
		{integer, -256, "86ff00"},
		{integer, -1, "87ff"},
		{integer, 0, "88"},
		{integer, 1, "89"},
		{integer, 109, "f5"},
		{integer, 112, "f670"},
		{integer, 256, "f70100"},
		{integer, int64(math.MaxInt64), "fd7fffffffffffffff"},
		{down, int64(math.MinInt64), "fd7fffffffffffffff"},
		{down, int64(math.MinInt64 + 1), "fd7ffffffffffffffe"},
		{down, -256, "f6ff"},
		{text, "b\x00\x00a", "126200ff00ff610001"},
		{text, "b\xff", "1262ff0001"},
		{textDown, "hello", "13979a939390fffe"},
		{textDown, "b\x00\x00a", "139dff00ff009efffe"},
		{textDown, "\x00\xffa", "13ff00009efffe"},
	})
}

type fact struct {
	s     *rowkey.Schema
	value any
	key   string
}

func check(t *testing.T, facts []fact) {
	t.Helper()
	for _, f := range facts {
		key, err := f.s.AppendKey(nil, f.value)
		if err != nil || hex.EncodeToString(key) != f.key {
			t.Errorf("%v of %v has the key %x, %v; want %s", f.s.Name(), f.value, key, err, f.key)
			continue
		}
		row, err := f.s.Decode(key)
		if err != nil {
			t.Errorf("%x: %v", key, err)
		}
		for _, v := range row.All() {
			if b, ok := v.([]byte); ok {
				v = string(b)
			}
			if fmt.Sprint(v) != fmt.Sprint(f.value) {
				t.Errorf("%x reads %v, want %v", key, v, f.value)
			}
		}
	}
}

func TestTransforms(t *testing.T) {
	numbers := []string{"\x80\x00\x00\x00\x00\x00\x00\x00", "\x7f\xff\xff\xff\xff\xff\xff\xff", "\x80\x00\x00\x00\x00\x00\x01\x00", "\x00\x00\x00\x00\x00\x00\x00\x00", "\xff\xff\xff\xff\xff\xff\xff\xff"}
	for _, c := range []struct {
		t       rowkey.Transform
		samples []string
	}{
		{tuple.FDBText{}, []string{"a\x00b", ""}},
		{tuple.FDBText{Bytes: true}, []string{"\xff\x00\xff"}},
		{tuple.FDBInt{}, numbers},
		{tuple.FDBBool{}, []string{"\x00", "\x01"}},
		{tuple.CRDBInt{}, numbers},
	} {
		if err := rowkeytest.TestTransform(c.t, c.samples...); err != nil {
			t.Errorf("%v: %v", c.t, err)
		}
	}
}

// What may begin with ff cannot stand after a text that ends with a bare 00.
func TestRefused(t *testing.T) {
	_, err := rowkey.New("s").String("name", rowkey.Via(tuple.FDBText{})).Uint("n", 4).Build()
	if !errors.Is(err, rowkey.ErrSchema) || !strings.Contains(err.Error(), "ff") {
		t.Error(err)
	}
}

func ExampleFDBText() {
	uuid := []byte("0123456789abcdef")
	fmt.Println(tuple.FDB)
	key, err := tuple.FDB.Key().String("a\x00b").Int(300).Bool(true).Float(1.5).Binary(uuid).Bytes()
	fmt.Printf("%x %v\n", key, err)

	// The rows of "a", of which those of "a\x00b" are none.
	r, err := tuple.FDB.Key().String("a").Range()
	fmt.Printf("%x %x %v %v\n", r.Start(), r.Stop(), r.Contains(key), err)

	// Numbers of all widths in one interval.
	plan, err := tuple.FDB.Scan(rowkey.Eq("name", "a\x00b"), rowkey.AtLeast("id", -1), rowkey.LessThan("id", 1000))
	for r := range plan.Ranges() {
		fmt.Printf("%x %x %v\n", r.Start(), r.Stop(), err)
	}
	// Output:
	// [name via("fdb-text")][id:i8 via("fdb-int")][on:bool via("fdb-bool")]["!"][x:f8]["0"][uuid:bytes fixed(16)]
	// 026100ff620016012c2721bff80000000000003030313233343536373839616263646566 <nil>
	// 026100 026100ff false <nil>
	// 026100ff620013fe 026100ff62001603e8 <nil>
}

func ExampleCRDBInt() {
	fmt.Println(tuple.CRDB)
	key, err := tuple.CRDB.Key().String("a\x00b").Int(300).Binary([]byte{0, 1}).Bytes()
	fmt.Printf("%x %v\n", key, err)

	// From rank 300 down to 1.
	plan, err := tuple.CRDB.Scan(rowkey.Eq("name", "a\x00b"), rowkey.AtMost("rank", 300), rowkey.MoreThan("rank", 0))
	for r := range plan.Ranges() {
		fmt.Printf("%x %x %v\n", r.Start(), r.Stop(), err)
	}
	// Output:
	// ["\xbd\x89"]["\x12"][name escaped][rank:i8 desc via("crdb-int")]["\x13"][data:bytes escaped desc]
	// bd89126100ff62000186fed313ff00fefffe <nil>
	// bd89126100ff62000186fed3 bd89126100ff62000187ff <nil>
}
