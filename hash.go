package rowkey

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Digest is a hash function over bytes. The zero Digest is invalid.
type Digest struct {
	hash digest.Hash
	own  *ownDigest
	err  string // what is wrong with its declaration
}

// ownDigest is a digest of NewDigest.
type ownDigest struct {
	name string
	size int
	sum  func(dst, data []byte) []byte
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

// NewDigest makes a digest of a function that appends exactly size bytes to dst,
// 1 to 64, the same for the same data. It neither changes nor keeps what it is
// given, nor looks behind its end, and may be called at the same time. A panic in
// it is an ErrRange. The name, of letters, digits and
// '_', stands for the function in the notation and in the fingerprint; Parse
// cannot know it.
func NewDigest(name string, size int, sum func(dst, data []byte) []byte) Digest {
	d := Digest{own: &ownDigest{name, size, sum}}
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

// Seed starts the hash from another seed than its own, which is 0 for Murmur3
// and Murmur3x128 and −1 for HBase's three; the other digests have none. It is 32
// bits, signed as Java has it or not; Guava's murmur3_128 widens a negative one to
// 64 bits with its sign, and is another hash then.
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
type Part struct{ in part }

// part is some of a digest.
type part struct {
	cut digest.Part
	own *ownDigest
	err string // what is wrong with its declaration
}

// murmurPart is what a salt is made of if nothing else is said.
var murmurPart = part{cut: digest.Part{Hash: digest.Hash{Algorithm: digest.Murmur3}, N: 4}}

// Hex takes the first n characters of the digest in lower-case hexadecimal.
func (d Digest) Hex(n int) Part { return d.HexAt(0, n) }

// HexAt takes n characters from position at on: md5(x).substring(at, at+n).
func (d Digest) HexAt(at, n int) Part {
	p := d.Raw(n)
	p.in.cut.Hex, p.in.cut.At = true, at
	return p
}

// Raw takes the first n bytes of the digest; on a Salt they are read as a
// big-endian unsigned number.
func (d Digest) Raw(n int) Part {
	return Part{part{cut: digest.Part{Hash: d.hash, N: n}, own: d.own, err: d.err}}
}

// Upper writes the hexadecimal characters in upper case.
func (p Part) Upper() Part {
	p.in.cut.Upper = true
	return p
}

func (p Part) saltOption() option {
	return option{
		said:   notation.Option{Word: notation.PartOption, Part: p.in.said()},
		toSalt: func(s *salting) string { return s.part(p.in) },
	}
}

// String is the part in the notation of Schema.String.
func (p Part) String() string { return p.in.String() }

// String is the part in the notation.
func (p part) String() string {
	name, _ := p.known()
	if name == "" || p.err != "" {
		return "invalid digest"
	}
	return p.said().String()
}

// wrong says why the part is none of its digest; empty if it is one.
func (p part) wrong() string {
	if p.err != "" {
		return p.err
	}
	_, size := p.known()
	if size == 0 {
		return "the zero Digest hashes nothing"
	}
	c := &p.cut
	what := " bytes"
	if c.Hex {
		size, what = 2*size, " hexadecimal characters"
	}
	switch {
	case c.At < 0 || c.N < 1 || c.At > size-c.N:
		return p.String() + " is not within the digest's " + strconv.Itoa(size) + what
	case c.Upper && !c.Hex:
		return "Upper fits hexadecimal only"
	}
	return ""
}

// known is the digest's name and its size in bytes; empty for the zero Digest.
func (p *part) known() (name string, size int) {
	if p.own != nil {
		return p.own.name, p.own.size
	}
	return p.cut.Algorithm.String(), p.cut.Size()
}

// notJava says why Java's String.hashCode cannot be taken of an input; empty if
// it can.
func (in *source) notJava() string {
	switch in.form {
	case byRest:
		return "a Java hashCode is of text, not of the rest of a key"
	case byText, byFormat:
		return ""
	}
	for _, f := range in.comps {
		if !f.isText() {
			return fmt.Sprintf("a Java hashCode is of text: say Text(%q)", f.name)
		}
	}
	return ""
}

func (c *component) compileHash() string {
	c.part = c.decl.part
	c.direct = c.in.single() && c.part.own == nil
	if problem := c.part.wrong(); problem != "" {
		return problem
	}
	for i, o := range c.decl.opts {
		switch {
		case o.word() != notation.Named:
			return fmt.Sprintf("option %s does not fit a hash: it takes Named", o.word())
		case i > 0:
			return "option named stands twice"
		}
	}
	if c.part.cut.Algorithm == digest.JavaHashCode {
		if problem := c.in.notJava(); problem != "" {
			return problem
		}
	}
	c.shape = forms.FixedShape(c.part.cut.N, forms.NoOrder)
	if c.part.cut.Hex {
		c.shape.Bytes = forms.BytesOf(forms.HexLower)
		if c.part.cut.Upper {
			c.shape.Bytes = forms.BytesOf(forms.HexUpper)
		}
	}
	c.order, c.ends = forms.Unordered, forms.EndWidth
	return ""
}
