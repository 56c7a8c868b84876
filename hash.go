package rowkey

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"math/bits"
	"strconv"
	"sync"

	"github.com/spaolacci/murmur3"
)

// Digest is a hash function over bytes.
type Digest struct{ alg algorithm }

type algorithm uint8

const (
	algNone algorithm = iota
	algMurmur3
	algMurmur3x128
	algMD5
	algSHA1
	algSHA256
	algSHA512
)

// algorithms has the notation and the size in bytes of each digest.
var algorithms = [...]struct {
	name string
	size int
}{
	algMurmur3: {"murmur3", 4}, algMurmur3x128: {"murmur3x128", 16},
	algMD5: {"md5", md5.Size}, algSHA1: {"sha1", sha1.Size}, algSHA256: {"sha256", sha256.Size}, algSHA512: {"sha512", sha512.Size},
}

// The digests. Murmur3 is MurmurHash3_x86_32, seed 0, which reads its input
// little-endian; its 4 bytes are the number big-endian, as commons-codec prints
// it (Guava's toString gives the same bytes backward). Murmur3x128 is
// MurmurHash3_x64_128, seed 0: two big-endian words, commons-codec's two longs.
var (
	Murmur3     = Digest{algMurmur3}
	Murmur3x128 = Digest{algMurmur3x128}
	MD5         = Digest{algMD5}
	SHA1        = Digest{algSHA1}
	SHA256      = Digest{algSHA256}
	SHA512      = Digest{algSHA512}
)

// Part is some of a digest; it is also an Option of Salt.
type Part struct {
	alg   algorithm
	hex   bool
	upper bool
	at, n int // in bytes, or in hexadecimal characters
}

// Hex takes the first n characters of the digest in lower-case hexadecimal.
func (d Digest) Hex(n int) Part { return d.HexAt(0, n) }

// HexAt takes n characters from position at on: md5(x).substring(at, at+n).
func (d Digest) HexAt(at, n int) Part { return Part{alg: d.alg, hex: true, at: at, n: n} }

// Raw takes the first n bytes of the digest; on a Salt they are read as a
// big-endian unsigned number.
func (d Digest) Raw(n int) Part { return Part{alg: d.alg, n: n} }

// Upper writes the hexadecimal characters in upper case.
func (p Part) Upper() Part {
	p.upper = true
	return p
}

func (p Part) option() opt { return opt{word: wPart, part: p} }

// String is the part in the notation of Schema.String.
func (p Part) String() string {
	if int(p.alg) >= len(algorithms) || p.alg == algNone {
		return "invalid digest"
	}
	s := algorithms[p.alg].name
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
	if p.alg == algNone {
		return "the zero Digest hashes nothing"
	}
	size := algorithms[p.alg].size
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

// appendSum appends the whole digest of data.
func (a algorithm) appendSum(dst, data []byte) []byte {
	switch a {
	case algMurmur3:
		return binary.BigEndian.AppendUint32(dst, murmur32(0, data))
	case algMurmur3x128:
		h1, h2 := murmur128(data)
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
	}
	d := sha512.Sum512(data)
	return append(dst, d[:]...)
}

// append appends the part of the digest of data.
func (p Part) append(dst, data []byte) []byte {
	if p.alg == algMD5 { // the usual one goes without the detour
		d := md5.Sum(data)
		return p.of(dst, d[:])
	}
	var room [sha512.Size]byte
	return p.of(dst, p.alg.appendSum(room[:0], data))
}

// of appends the part of a digest d.
func (p Part) of(dst, d []byte) []byte {
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

// bigEndian is the byte order of this machine.
var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

// murmurRoom lends murmur128 its memory.
var murmurRoom = sync.Pool{New: func() any { return new([]byte) }}

// murmur128 is MurmurHash3_x64_128 by spaolacci, who reads words in the
// machine's own order: on a big-endian machine the words of the whole blocks
// are turned round first. The tail it reads byte by byte. It hashes a copy,
// since what spaolacci is given escapes, and every caller's scratch with it.
func murmur128(data []byte) (h1, h2 uint64) {
	room := murmurRoom.Get().(*[]byte)
	turned := append((*room)[:0], data...)
	if bigEndian {
		for i := 0; i+8 <= len(data)/16*16; i += 8 {
			reverse(turned[i : i+8])
		}
	}
	h1, h2 = murmur3.Sum128(turned)
	*room = turned
	murmurRoom.Put(room)
	return h1, h2
}
