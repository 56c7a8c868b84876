package rowkey

import (
	"math"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/foreign"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Digest is a hash function over bytes. The zero Digest is invalid.
type Digest struct {
	hash digest.Hash
	own  *foreign.Digest
	err  string // what is wrong with its declaration
}

// The digests. Murmur3 is MurmurHash3_x86_32, seed 0, which reads its input
// little-endian; its 4 bytes are the number big-endian, as commons-codec prints
// it (Guava's toString gives the same bytes backward). Murmur3x128 is
// MurmurHash3_x64_128, seed 0: two big-endian words, commons-codec's two longs.
//
// CRC32 is java.util.zip.CRC32, the checksum of IEEE 802.3, in 4 bytes: of
// "123456789" cbf43926. JavaHashCode is String.hashCode of a text, an int in 4
// bytes: of "user123" f73a3a87, which is −147178873. Text that is not UTF-8 has none
// and is refused.
//
// The other three are org.apache.hadoop.hbase.util.Hash of type MURMUR, MURMUR3
// and JENKINS with the seed −1, which is what its hash(bytes) takes: an int, here
// 4 bytes big-endian. HBaseMurmur is MurmurHash2 but for signed bytes at the end,
// HBaseMurmur3 is Murmur3 but for the seed, HBaseJenkins is lookup3's hashlittle.
var (
	Murmur3      = builtin(digest.Murmur3)
	Murmur3x128  = builtin(digest.Murmur3x128)
	MD5          = builtin(digest.MD5)
	SHA1         = builtin(digest.SHA1)
	SHA256       = builtin(digest.SHA256)
	SHA512       = builtin(digest.SHA512)
	HBaseMurmur  = builtin(digest.HBaseMurmur)
	HBaseMurmur3 = builtin(digest.HBaseMurmur3)
	HBaseJenkins = builtin(digest.HBaseJenkins)
	CRC32        = builtin(digest.CRC32)
	JavaHashCode = builtin(digest.JavaHashCode)
)

func builtin(a digest.Algorithm) Digest {
	return Digest{hash: digest.Hash{Algorithm: a, Seed: a.OwnSeed()}}
}

// NewDigest makes a digest of a function. sum appends exactly size bytes, 1 to 64, to
// dst, and always the same bytes for the same data. It does not change or keep its
// arguments, and does not read behind their end. It may be called at the same time. A
// panic in it becomes an error that wraps ErrRange.
//
// The name has letters, digits and '_'. It stands for the function in the notation and
// in the fingerprint. Parse cannot know it.
func NewDigest(name string, size int, sum func(dst, data []byte) []byte) Digest {
	d := Digest{own: &foreign.Digest{Name: name, Size: size, Sum: sum}}
	switch {
	case sum == nil:
		d.err = "NewDigest needs a function"
	case !notation.ValidName(name) || strings.ContainsAny(name, ".-"):
		d.err = "a digest's name is made of letters, digits and '_', not " + strconv.QuoteToASCII(name)
	case size < 1 || size > digest.MaxSize:
		d.err = "digest " + name + " has " + strconv.Itoa(size) + " bytes, and 1 to 64 are allowed"
	}
	if _, ok := digest.Named(name); ok || name == "" {
		d.err = "digest " + name + " is one of this package's: give yours another name"
	}
	return d
}

// Seed starts the hash from another seed. Without it the seed is 0 for Murmur3 and
// Murmur3x128, and −1 for HBase's three; other digests have no seed, and Build refuses
// one. A seed has 32 bits and may be written signed, as in Java, or unsigned. Guava's
// murmur3_128 extends a negative seed to 64 bits, which gives another hash.
func (d Digest) Seed(seed int64) Digest {
	switch {
	case d.err != "":
	case !d.hash.Seeded():
		d.err = "Seed fits Murmur3, Murmur3x128 and HBase's hashes only"
	case seed < math.MinInt32 || seed > math.MaxUint32:
		d.err = "a seed has 32 bits"
	}
	d.hash.Seed = uint32(seed)
	return d
}

// Part is some of a digest; it is also an Option of Salt.
type Part struct{ in layout.Part }

// Hex takes the first n characters of the digest in lower-case hexadecimal.
func (d Digest) Hex(n int) Part { return d.HexAt(0, n) }

// HexAt takes n characters from position at on: md5(x).substring(at, at+n).
func (d Digest) HexAt(at, n int) Part {
	p := d.Raw(n)
	p.in.Cut.Hex, p.in.Cut.At = true, at
	return p
}

// Raw takes the first n bytes of the digest; on a Salt they are read as a
// big-endian unsigned number.
func (d Digest) Raw(n int) Part {
	return Part{layout.Part{Cut: digest.Part{Hash: d.hash, N: n}, Own: d.own, Err: d.err}}
}

// Upper writes the hexadecimal characters in upper case.
func (p Part) Upper() Part {
	p.in.Cut.Upper = true
	return p
}

func (p Part) saltOption() layout.Option {
	return layout.Option{
		Said:   notation.Option{Word: notation.PartOption, Part: p.in.Said()},
		ToSalt: func(s *layout.Salting) string { return s.Part(p.in) },
	}
}

// String is the part in the notation of Schema.String.
func (p Part) String() string { return p.in.String() }

// Input says what is hashed. An untyped string constant names one field, and its value
// is hashed. The functions below say everything else.
type Input string

// Rest is the stored bytes of everything after the component.
const Rest Input = "rest()"

// Values is the fields' values, one after another, before any option has changed them.
// Strings are their own bytes. Integers are big-endian in their declared size. A time
// is 8 bytes, the number of its units, whatever its width. With a Layout a time is its
// text; with Layout and Width, 8 bytes of the digits' number. A float is its IEEE
// bits, a bool 00 or 01. A copy is its bytes in the key.
func Values(fields ...string) Input { return input("values", fields) }

// Stored is the bytes of these fields as they stand in the key: padded, reversed or
// inverted, and without separators. If a dialect ends a field, the end is included,
// even if the key leaves it off because only nulls follow.
func Stored(fields ...string) Input { return input("stored", fields) }

// Text is the values as text, as String.valueOf writes them: integers and a time's
// units in decimal, a bool as true or false.
func Text(fields ...string) Input { return input("text", fields) }

// MinMax is the values of two fields, the smaller first, so that (a,b) and
// (b,a) hash alike.
func MinMax(a, b string) Input { return input("minmax", []string{a, b}) }

// Format is text as String.format writes it. The verbs are %s, %d, %0Nd, %x and %X; %%
// is a percent sign. "%s-%05d" of "x" and 42 is x-00042.
func Format(format string, fields ...string) Input {
	return input("format", append([]string{strconv.Quote(format)}, fields...))
}

func input(name string, args []string) Input {
	return Input(name + "(" + strings.Join(args, ",") + ")")
}
