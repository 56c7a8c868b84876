package rowkey

import (
	"math"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/foreign"
	"github.com/hbase-rowkey/rowkey/internal/inside"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Digest is a hash function over bytes. The zero Digest is invalid.
type Digest struct {
	uncut
}

// uncut holds the digest as a part that is not cut yet, for package interop to make one.
type uncut = inside.InDigest

func (d *Digest) in() *layout.Part { return inside.OfDigest(&d.uncut) }

// The digests. Beside each stand its length and the digest of the text "ab", of long ones
// its first bytes. Package interop has those that only tables of others need.
//
// Murmur3 is MurmurHash3_x86_32 with seed 0. Its 4 bytes are the number, big-endian, as
// commons-codec prints it. Guava's toString has the same bytes backward.
//
// CRC32 is java.util.zip.CRC32, the checksum of IEEE 802.3: of "123456789" it is
// cbf43926.
var (
	Murmur3 = builtin(digest.Murmur3) // 4 bytes: 9bbfd75f
	MD5     = builtin(digest.MD5)     // 16 bytes: 187ef443…
	SHA1    = builtin(digest.SHA1)    // 20 bytes: da23614e…
	SHA256  = builtin(digest.SHA256)  // 32 bytes: fb8e20fc…
	SHA512  = builtin(digest.SHA512)  // 64 bytes: 2d408a07…
	CRC32   = builtin(digest.CRC32)   // 4 bytes: 9e83486d
)

func builtin(a digest.Algorithm) (d Digest) {
	d.in().Cut.Hash = a.Hash()
	return d
}

// NewDigest makes a digest of a function. sum appends exactly size bytes, 1 to 64, to
// dst, and always the same bytes for the same data. It does not change or keep its
// arguments, and does not read after their end. It may be called at the same time. A
// panic in it becomes an error that wraps ErrRange.
//
// The name has letters, digits and '_'. It stands for the function in the notation and
// in the fingerprint. Parse cannot know it.
func NewDigest(name string, size int, sum func(dst, data []byte) []byte) Digest {
	var d Digest
	in := d.in()
	in.Own = &foreign.Digest{Name: name, Size: size, Sum: sum}
	switch {
	case sum == nil:
		in.Err = "NewDigest needs a function"
	case !notation.ValidName(name) || strings.ContainsAny(name, ".-"):
		in.Err = "a digest's name is made of letters, digits and '_', not " + strconv.QuoteToASCII(name)
	case size < 1 || size > digest.MaxSize:
		in.Err = "digest " + name + " has " + strconv.Itoa(size) + " bytes, and 1 to 64 are allowed"
	}
	if _, ok := digest.Named(name); ok || name == "" {
		in.Err = "digest " + name + " is one of this package's: give yours another name"
	}
	return d
}

// Seed starts the hash from another seed: Murmur3.Seed(-1) of "ab" is af7dbde5, as
// interop.HBaseMurmur3. Without it the seed is 0 for Murmur3 and interop.Murmur3x128,
// and −1 for HBase's three in package interop. Other digests have no seed, and Build
// refuses one. A seed has 32 bits and may be written signed, as in Java, or unsigned.
// Guava's murmur3_128 extends a negative seed to 64 bits, which gives another hash.
func (d Digest) Seed(seed int64) Digest {
	in := d.in()
	switch {
	case in.Err != "":
	case !in.Cut.Seeded():
		in.Err = "Seed fits Murmur3, interop.Murmur3x128 and HBase's hashes only"
	case seed < math.MinInt32 || seed > math.MaxUint32:
		in.Err = "a seed has 32 bits"
	}
	in.Cut.Seed = uint32(seed)
	return d
}

// Part is a part of a digest. It is the first argument of Hash, and an option of Salt.
type Part struct{ in layout.Part }

// Hex takes the first n characters of the digest in lower-case hexadecimal: MD5.Hex(4)
// of "ab" is 31383765, the text 187e.
func (d Digest) Hex(n int) Part { return d.HexAt(0, n) }

// HexAt takes n characters of the hexadecimal text from position at on, as
// md5(x).substring(at, at+n) does: MD5.HexAt(8, 4) of "ab" is 36313232, the text 6122.
func (d Digest) HexAt(at, n int) Part {
	p := d.Raw(n)
	p.in.Cut.Hex, p.in.Cut.At = true, at
	return p
}

// Raw takes the first n bytes of the digest: MD5.Raw(2) of "ab" is 187e. A Salt takes
// them for a big-endian unsigned number: of 16 buckets it is 0x187e mod 16, bucket 14.
func (d Digest) Raw(n int) Part {
	p := Part{*d.in()}
	p.in.Cut.N = n
	return p
}

// Upper writes the hexadecimal characters in upper case: MD5.Hex(4).Upper() of "ab" is
// 31383745, the text 187E.
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
