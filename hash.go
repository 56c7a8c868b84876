package rowkey

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"sync"

	"github.com/spaolacci/murmur3"
)

// Digest is a hash function over bytes. The zero Digest is invalid.
type Digest struct {
	alg  algorithm
	seed uint32
	own  *ownDigest
	err  string // what is wrong with its declaration
}

// ownDigest is a digest of NewDigest.
type ownDigest struct {
	name string
	size int
	sum  func(dst, data []byte) []byte
}

type algorithm uint8

const (
	algNone algorithm = iota
	algMurmur3
	algMurmur3x128
	algMD5
	algSHA1
	algSHA256
	algSHA512
	algHBaseMurmur
	algHBaseMurmur3
	algHBaseJenkins
	algCRC32
	algJavaHashCode
)

// algorithms has the notation and the size in bytes of each digest.
var algorithms = [...]struct {
	name string
	size int
}{
	algMurmur3: {"murmur3", 4}, algMurmur3x128: {"murmur3x128", 16},
	algMD5: {"md5", md5.Size}, algSHA1: {"sha1", sha1.Size}, algSHA256: {"sha256", sha256.Size}, algSHA512: {"sha512", sha512.Size},
	algHBaseMurmur: {"hmurmur", 4}, algHBaseMurmur3: {"hmurmur3", 4}, algHBaseJenkins: {"hjenkins", 4},
	algCRC32: {"crc32", 4}, algJavaHashCode: {"javahashcode", 4},
}

// seeds are those that digests have where Seed says none.
var seeds = [...]uint32{algHBaseMurmur: math.MaxUint32, algHBaseMurmur3: math.MaxUint32, algHBaseJenkins: math.MaxUint32, algJavaHashCode: 0}

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
	Murmur3      = builtin(algMurmur3)
	Murmur3x128  = builtin(algMurmur3x128)
	MD5          = builtin(algMD5)
	SHA1         = builtin(algSHA1)
	SHA256       = builtin(algSHA256)
	SHA512       = builtin(algSHA512)
	HBaseMurmur  = builtin(algHBaseMurmur)
	HBaseMurmur3 = builtin(algHBaseMurmur3)
	HBaseJenkins = builtin(algHBaseJenkins)
	CRC32        = builtin(algCRC32)
	JavaHashCode = builtin(algJavaHashCode)
)

func builtin(alg algorithm) Digest { return Digest{alg: alg, seed: seeds[alg]} }

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
	case !validName(name) || strings.ContainsAny(name, ".-"):
		d.err = "a digest's name is made of letters, digits and '_', not " + strconv.QuoteToASCII(name)
	case size < 1 || size > sha512.Size:
		d.err = "digest " + name + " has " + strconv.Itoa(size) + " bytes, and 1 to 64 are allowed"
	}
	for _, a := range algorithms {
		if name == a.name {
			d.err = "digest " + name + " is one of this package's: give yours another name"
		}
	}
	return d
}

// seedWord stands in the notation between a digest's name and its seed.
const seedWord = "-seed"

// Seed starts the hash from another seed than its own, which is 0 for Murmur3
// and Murmur3x128 and −1 for HBase's three; the other digests have none. It is 32
// bits, signed as Java has it or not; Guava's murmur3_128 widens a negative one to
// 64 bits with its sign, and is another hash then.
func (d Digest) Seed(seed int64) Digest {
	switch {
	case d.err != "":
	case d.alg != algMurmur3 && d.alg != algMurmur3x128 && (d.alg < algHBaseMurmur || d.alg > algHBaseJenkins):
		d.err = "Seed fits Murmur3, Murmur3x128 and HBase's hashes only"
	case seed < math.MinInt32 || seed > math.MaxUint32:
		d.err = "a seed has 32 bits"
	}
	d.seed = uint32(seed)
	return d
}

// Part is some of a digest; it is also an Option of Salt.
type Part struct {
	alg   algorithm
	hex   bool
	upper bool
	seed  uint32
	own   *ownDigest
	err   string
	at, n int // in bytes, or in hexadecimal characters
}

// Hex takes the first n characters of the digest in lower-case hexadecimal.
func (d Digest) Hex(n int) Part { return d.HexAt(0, n) }

// HexAt takes n characters from position at on: md5(x).substring(at, at+n).
func (d Digest) HexAt(at, n int) Part {
	p := d.Raw(n)
	p.hex, p.at = true, at
	return p
}

// Raw takes the first n bytes of the digest; on a Salt they are read as a
// big-endian unsigned number.
func (d Digest) Raw(n int) Part { return Part{alg: d.alg, seed: d.seed, own: d.own, err: d.err, n: n} }

// Upper writes the hexadecimal characters in upper case.
func (p Part) Upper() Part {
	p.upper = true
	return p
}

func (p Part) saltOption() opt { return opt{word: wPart, part: p} }

// String is the part in the notation of Schema.String.
func (p Part) String() string {
	s, _ := p.known()
	if s == "" || p.err != "" {
		return "invalid digest"
	}
	if p.own == nil && p.seed != seeds[p.alg] {
		s += seedWord + strconv.FormatUint(uint64(p.seed), 10)
	}
	switch {
	case !p.hex:
		return s + ".raw(" + strconv.Itoa(p.n) + ")"
	case p.at != 0:
		s += ".hexat(" + strconv.Itoa(p.at) + "," + strconv.Itoa(p.n) + ")"
	default:
		s += ".hex(" + strconv.Itoa(p.n) + ")"
	}
	if p.upper {
		s += ".upper"
	}
	return s
}

// wrong says why the part is none of its digest; empty if it is one.
func (p Part) wrong() string {
	if p.err != "" {
		return p.err
	}
	_, size := p.known()
	if size == 0 {
		return "the zero Digest hashes nothing"
	}
	what := " bytes"
	if p.hex {
		size, what = 2*size, " hexadecimal characters"
	}
	switch {
	case p.at < 0 || p.n < 1 || p.at > size-p.n:
		return p.String() + " is not within the digest's " + strconv.Itoa(size) + what
	case p.upper && !p.hex:
		return "Upper fits hexadecimal only"
	}
	return ""
}

// known is the digest's name and its size in bytes; empty for the zero Digest.
func (p *Part) known() (name string, size int) {
	if p.own != nil {
		return p.own.name, p.own.size
	}
	return algorithms[p.alg].name, algorithms[p.alg].size
}

// appendSum appends the whole digest of data; it is one of this package's.
func (p *Part) appendSum(dst, data []byte) []byte {
	switch p.alg {
	case algMurmur3, algHBaseMurmur3:
		return binary.BigEndian.AppendUint32(dst, murmur32(p.seed, data))
	case algMurmur3x128:
		h1, h2 := murmur128(p.seed, data)
		return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(dst, h1), h2)
	case algMD5:
		d := md5.Sum(data)
		return append(dst, d[:]...)
	case algSHA1:
		d := sha1.Sum(data)
		return append(dst, d[:]...)
	case algSHA256:
		d := sha256.Sum256(data)
		return append(dst, d[:]...)
	case algHBaseMurmur:
		return binary.BigEndian.AppendUint32(dst, hbaseMurmur(p.seed, data))
	case algHBaseJenkins:
		return binary.BigEndian.AppendUint32(dst, hbaseJenkins(p.seed, data))
	case algCRC32:
		return binary.BigEndian.AppendUint32(dst, crc32Of(data))
	case algJavaHashCode:
		h, _ := javaHash(data)
		return binary.BigEndian.AppendUint32(dst, uint32(h))
	}
	d := sha512.Sum512(data)
	return append(dst, d[:]...)
}

// append appends the part of the digest of data; it is one of this package's.
func (p *Part) append(dst, data []byte) []byte {
	if p.alg == algMD5 { // the usual one goes without the detour
		d := md5.Sum(data)
		return p.of(dst, d[:])
	}
	var room [sha512.Size]byte
	return p.of(dst, p.appendSum(room[:0], data))
}

// of appends the part of a digest d.
func (p *Part) of(dst, d []byte) []byte {
	if !p.hex {
		return append(dst, d[:p.n]...)
	}
	digits := hexLower
	if p.upper {
		digits = hexUpper
	}
	i, end := p.at, p.at+p.n
	if i%2 == 0 {
		for _, b := range d[i/2 : end/2] {
			dst = append(dst, digits[b>>4], digits[b&15])
		}
		i = end &^ 1
	}
	for ; i < end; i++ {
		dst = append(dst, digits[d[i/2]>>(4*(^i&1))&15])
	}
	return dst
}

// murmur32 is MurmurHash3_x86_32. Our own, because spaolacci's Sum32 reads
// words through pointers that -d=checkptr (which -race implies) aborts on, and
// in the machine's own byte order.
func murmur32[T string | []byte](seed uint32, p T) uint32 {
	const c1, c2 = 0xcc9e2d51, 0x1b873593
	h := seed
	n := len(p)
	var k uint32 // the last n mod 4 bytes
	if n >= 4 {
		last := p[n-4:]
		k = uint32((uint64(last[0]) | uint64(last[1])<<8 | uint64(last[2])<<16 | uint64(last[3])<<24) << (8 * (n & 3)) >> 32)
	} else {
		for i := n - 1; i >= 0; i-- {
			k = k<<8 | uint32(p[i])
		}
	}
	for ; len(p) >= 4; p = p[4:] {
		k := uint32(p[0]) | uint32(p[1])<<8 | uint32(p[2])<<16 | uint32(p[3])<<24
		k = bits.RotateLeft32(k*c1, 15) * c2
		h = bits.RotateLeft32(h^k, 13)*5 + 0xe6546b64
	}
	h ^= bits.RotateLeft32(k*c1, 15) * c2 // of none it is 0
	h ^= uint32(n)
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}

// hbaseMurmur is org.apache.hadoop.hbase.util.MurmurHash: MurmurHash2, but that
// the one to three bytes at the end are signed, as Java has them.
func hbaseMurmur(seed uint32, p []byte) uint32 {
	const m = 0x5bd1e995
	h := seed ^ uint32(len(p))
	for ; len(p) >= 4; p = p[4:] {
		k := binary.LittleEndian.Uint32(p) * m
		k ^= k >> 24
		h = h*m ^ k*m
	}
	if len(p) > 0 {
		for i, b := range p {
			h ^= uint32(int32(int8(b))) << (8 * i)
		}
		h *= m
	}
	h ^= h >> 13
	h *= m
	return h ^ h>>15
}

// hbaseJenkins is org.apache.hadoop.hbase.util.JenkinsHash: hashlittle of Bob
// Jenkins' lookup3.
func hbaseJenkins(seed uint32, p []byte) uint32 {
	a := 0xdeadbeef + uint32(len(p)) + seed
	b, c := a, a
	for ; len(p) > 12; p = p[12:] {
		a += binary.LittleEndian.Uint32(p)
		b += binary.LittleEndian.Uint32(p[4:])
		c += binary.LittleEndian.Uint32(p[8:])
		a = (a - c) ^ bits.RotateLeft32(c, 4)
		c += b
		b = (b - a) ^ bits.RotateLeft32(a, 6)
		a += c
		c = (c - b) ^ bits.RotateLeft32(b, 8)
		b += a
		a = (a - c) ^ bits.RotateLeft32(c, 16)
		c += b
		b = (b - a) ^ bits.RotateLeft32(a, 19)
		a += c
		c = (c - b) ^ bits.RotateLeft32(b, 4)
		b += a
	}
	if len(p) == 0 {
		return c
	}
	var last [12]byte
	copy(last[:], p)
	a += binary.LittleEndian.Uint32(last[:])
	b += binary.LittleEndian.Uint32(last[4:])
	c += binary.LittleEndian.Uint32(last[8:])
	c = (c ^ b) - bits.RotateLeft32(b, 14)
	a = (a ^ c) - bits.RotateLeft32(c, 11)
	b = (b ^ a) - bits.RotateLeft32(a, 25)
	c = (c ^ b) - bits.RotateLeft32(b, 16)
	a = (a ^ c) - bits.RotateLeft32(c, 4)
	b = (b ^ a) - bits.RotateLeft32(a, 14)
	return (c ^ b) - bits.RotateLeft32(b, 24)
}

// bigEndian is the byte order of this machine.
var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

// murmurRoom lends murmur128 its memory.
var murmurRoom = sync.Pool{New: func() any { return new([]byte) }}

// murmur128 is MurmurHash3_x64_128 by spaolacci, who reads words in the
// machine's own order: on a big-endian machine the words of the whole blocks
// are turned round first. The tail it reads byte by byte. It hashes a copy,
// since what spaolacci is given escapes, and every caller's scratch with it.
func murmur128(seed uint32, data []byte) (h1, h2 uint64) {
	room := murmurRoom.Get().(*[]byte)
	turned := append((*room)[:0], data...)
	if bigEndian {
		for i := 0; i+8 <= len(data)/16*16; i += 8 {
			reverse(turned[i : i+8])
		}
	}
	h1, h2 = murmur3.Sum128WithSeed(turned, seed)
	*room = turned
	murmurRoom.Put(room)
	return h1, h2
}
