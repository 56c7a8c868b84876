package interop_test

import (
	"fmt"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
)

// A key of String.format("%02d_%s", (user.hashCode() & 0x7fffffff) % 100, user).
func Example() {
	s := rowkey.New("ops").
		Salt(100, "user", interop.JavaHash, rowkey.Digits(2)).Separator("_").
		String("user").
		MustBuild()
	key, err := s.Key().String("user123").Bytes()
	fmt.Printf("%s\n%s %v\n", s, key, err)

	// The notation has no package: a program that only reads schemas needs none either.
	same, err := rowkey.Parse("ops", "[salt100(user) javahash digits(2)]['_'][user]")
	fmt.Println(same.Fingerprint() == s.Fingerprint(), err)
	// Output:
	// [salt100(user) javahash digits(2)]['_'][user]
	// 75_user123 <nil>
	// true <nil>
}

// HBase's own hashes, as org.apache.hadoop.hbase.util.Hash gives them.
func ExampleHBaseMurmur3() {
	s := rowkey.New("t", interop.HBase).
		Hash(interop.HBaseMurmur3.Raw(4), "id").         // Hash.getInstance(Hash.MURMUR_HASH3).hash(key)
		Hash(interop.HBaseJenkins.Seed(0).Hex(8), "id"). // …JENKINS_HASH).hash(key, 0)
		Int("id", 8).                                    // Bytes.toBytes(id)
		MustBuild()
	fmt.Println(s)
	key, err := s.Key().Int(-5).Bytes()
	fmt.Printf("%q %v\n", key, err)

	r, err := s.Key().Int(-5).Range()
	fmt.Println(r, err)
	// Output:
	// [hmurmur3.raw(4)(id)][hjenkins-seed0.hex(8)(id)][id:i8 hbase]
	// "\xa0\x1c]\xceec0fafed\xff\xff\xff\xff\xff\xff\xff\xfb" <nil>
	// [\xA0\x1C]\xCEec0fafed\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFB, \xA0\x1C]\xCEec0fafed\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFC) <nil>
}

// The bucket of "device" among 10 by each rule.
func ExampleJavaHash() {
	for _, rule := range []rowkey.SaltRule{interop.JavaHash, interop.JavaHashAbs, interop.JavaHashModAbs, interop.JavaHashFloor,
		interop.PhoenixHash, interop.HBaseWDHash, interop.PinpointHash} {
		s := rowkey.New("t").Salt(10, "id", rule).String("id").MustBuild()
		key, err := s.AppendKey(nil, "device")
		fmt.Println(key[0], s, err)
	}
	// Output:
	// 6 [salt10(id) javahash][id] <nil>
	// 2 [salt10(id) javahashabs][id] <nil>
	// 2 [salt10(id) javahashmodabs][id] <nil>
	// 8 [salt10(id) javahashfloor][id] <nil>
	// 1 [salt10(id) phoenixhash][id] <nil>
	// 1 [salt10(id) hbasewdhash][id] <nil>
	// 7 [salt10(id) pinpointhash][id] <nil>
}

// The beginning of each digest of "ab".
func ExampleMurmur3x128() {
	for _, d := range []rowkey.Digest{interop.Murmur3x128, interop.HBaseMurmur, interop.HBaseMurmur3, interop.HBaseJenkins, interop.JavaHashCode} {
		s := rowkey.New("t").Hash(d.Raw(4), "id").String("id").MustBuild()
		key, err := s.AppendKey(nil, "ab")
		fmt.Printf("%-19s %x %v\n", d.Raw(4), key[:4], err)
	}
	// Output:
	// murmur3x128.raw(4)  938b11ea <nil>
	// hmurmur.raw(4)      939ee74a <nil>
	// hmurmur3.raw(4)     af7dbde5 <nil>
	// hjenkins.raw(4)     d94603a7 <nil>
	// javahashcode.raw(4) 00000c21 <nil>
}

// The same values with and without a sign bit that is flipped.
func ExampleUnsigned() {
	day := time.Date(1970, 1, 2, 0, 0, 0, 0, time.UTC)
	show := func(what string, b *rowkey.Builder, value any) {
		key, err := b.MustBuild().AppendKey(nil, value)
		fmt.Printf("%-14s %x %v\n", what, key, err)
	}
	phoenix := func() *rowkey.Builder { return rowkey.New("t", interop.Phoenix) }
	show("DATE", phoenix().Time("v", rowkey.Millis), day)
	show("UNSIGNED_DATE", phoenix().Time("v", rowkey.Millis, interop.Unsigned), day)
	show("FLOAT", phoenix().Float("v", 4), 1.5)
	show("UNSIGNED_FLOAT", phoenix().Float("v", 4, interop.Unsigned), 1.5)
	show("UNSIGNED_FLOAT", phoenix().Float("v", 4, interop.Unsigned), -1.5)
	// Output:
	// DATE           8000000005265c00 <nil>
	// UNSIGNED_DATE  0000000005265c00 <nil>
	// FLOAT          bfc00001 <nil>
	// UNSIGNED_FLOAT 3fc00000 <nil>
	// UNSIGNED_FLOAT  rowkey: t: v: 0 and above: value out of range
}

// OrderedBlobVar, which any field may be, and OrderedBlob, which only the last may be.
func ExampleBlobCopy() {
	for _, opts := range [][]rowkey.FieldOption{nil, {interop.BlobCopy}} {
		s := rowkey.New("t", interop.OrderedBytes).Binary("v", opts...).MustBuild()
		key, err := s.AppendKey(nil, []byte("ab"))
		fmt.Printf("%s %x %v\n", s, key, err)
	}
	// Output:
	// [v:bytes orderedbytes] 37b0d840 <nil>
	// [v:bytes blobcopy orderedbytes] 386162 <nil>
}

// A column of DECIMAL(5,2).
func ExamplePrecision() {
	s := rowkey.New("t", interop.Phoenix).String("price", interop.Numeric, interop.Precision(5, 2)).MustBuild()
	for _, price := range []string{"123.45", "1234.5", "0.125"} {
		key, err := s.AppendKey(nil, price)
		fmt.Printf("%s: %x %v\n", price, key, err)
	}
	// Output:
	// 123.45: c202182e <nil>
	// 1234.5:  rowkey: t: price: 4 digits before the point, at most 3: value out of range
	// 0.125:  rowkey: t: price: 3 digits after the point, at most 2: value out of range
}
