// Package digest computes hashes of bytes, and the parts of them that salts and hash
// prefixes use: some hexadecimal characters, some raw bytes, a bucket.
//
// It knows algorithms, seeds and the arithmetic of buckets. Other systems fixed all of
// these long ago. It must not know where the bytes come from: no schema, no field, no
// value. It refuses only data for which an algorithm has no result.
//
// Example: murmur3 of "hello" with the seed 0 is 24 8b fa 47. Its bucket among 16 is 7.
package digest

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"math"
	"unicode/utf8"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// Algorithm is a hash function. The zero Algorithm is none.
type Algorithm uint8

const (
	_ Algorithm = iota
	Murmur3
	Murmur3x128
	MD5
	SHA1
	SHA256
	SHA512
	HBaseMurmur
	HBaseMurmur3
	HBaseJenkins
	CRC32
	JavaHashCode
)

// MaxSize is the length of the longest digest in bytes.
const MaxSize = sha512.Size

// algorithms has the name of each algorithm in the notation, and the size of its digest
// in bytes.
var algorithms = [...]struct {
	name string
	size int
}{
	Murmur3: {"murmur3", 4}, Murmur3x128: {"murmur3x128", 16},
	MD5: {"md5", md5.Size}, SHA1: {"sha1", sha1.Size}, SHA256: {"sha256", sha256.Size}, SHA512: {"sha512", sha512.Size},
	HBaseMurmur: {"hmurmur", 4}, HBaseMurmur3: {"hmurmur3", 4}, HBaseJenkins: {"hjenkins", 4},
	CRC32: {"crc32", 4}, JavaHashCode: {"javahashcode", 4},
}

// Named is the algorithm of this name, false if there is none.
func Named(name string) (Algorithm, bool) {
	for a := Murmur3; int(a) < len(algorithms); a++ {
		if algorithms[a].name == name {
			return a, true
		}
	}
	return 0, false
}

// Names are the names of all algorithms.
func Names() (names []string) {
	for _, a := range algorithms[1:] {
		names = append(names, a.name)
	}
	return names
}

// String is the name of the algorithm in the notation; empty for the zero Algorithm.
func (a Algorithm) String() string { return algorithms[a].name }

// Size is the length of the digest in bytes; 0 for the zero Algorithm.
func (a Algorithm) Size() int { return algorithms[a].size }

// Seeded reports that the algorithm starts from a seed, which a caller may choose.
func (a Algorithm) Seeded() bool {
	return a == Murmur3 || a == Murmur3x128 || a >= HBaseMurmur && a <= HBaseJenkins
}

// Hash is the algorithm with its own seed.
func (a Algorithm) Hash() Hash { return Hash{a, a.OwnSeed()} }

// OwnSeed is the seed if the caller chooses none: ffffffff (−1) for the algorithms of
// HBase, else 0.
func (a Algorithm) OwnSeed() uint32 {
	if a >= HBaseMurmur && a <= HBaseJenkins {
		return math.MaxUint32
	}
	return 0
}

// Hash is an algorithm with its seed.
type Hash struct {
	Algorithm
	Seed uint32
}

// Takes reports that the hash is defined for these bytes. Java's hashCode is defined only
// for text in UTF-8, so not for the byte e9.
func (h *Hash) Takes(data []byte) bool {
	return h.Algorithm != JavaHashCode || utf8.Valid(data)
}

// Append appends the whole digest of data. A digest that is a number is big-endian:
//
//	crc32          "hello"   36 10 a6 86
//	javahashcode   "ab"      00 00 0c 21
//	hjenkins       ""        de ad be ee   with the seed ffffffff
func (h *Hash) Append(dst, data []byte) []byte {
	if sum, ok := h.Sum32(data); ok {
		return binary.BigEndian.AppendUint32(dst, sum)
	}
	switch h.Algorithm {
	case Murmur3x128:
		h1, h2 := Murmur128(h.Seed, data)
		return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(dst, h1), h2)
	case MD5:
		d := md5.Sum(data)
		return append(dst, d[:]...)
	case SHA1:
		d := sha1.Sum(data)
		return append(dst, d[:]...)
	case SHA256:
		d := sha256.Sum256(data)
		return append(dst, d[:]...)
	}
	d := sha512.Sum512(data)
	return append(dst, d[:]...)
}

// Sum32 is the digest of data, if it has 4 bytes.
func (h *Hash) Sum32(data []byte) (sum uint32, ok bool) {
	switch h.Algorithm {
	case Murmur3, HBaseMurmur3:
		return Murmur32(h.Seed, data), true
	case HBaseMurmur:
		return HBaseMurmur32(h.Seed, data), true
	case HBaseJenkins:
		return HBaseJenkins32(h.Seed, data), true
	case CRC32:
		return CRC(data), true
	case JavaHashCode:
		h, _ := JavaString(data)
		return uint32(h), true
	}
	return 0, false
}

// Part is a part of a digest. Of md5("abc") = 90 01 50 98 …:
//
//	{N: 2}                       90 01
//	{Hex: true, N: 3}            39 30 30, which is "900"
//	{Hex: true, At: 3, N: 4}     31 35 30 39, which is "1509"
type Part struct {
	Hash
	Hex   bool // hexadecimal characters, not raw bytes
	Upper bool // the characters are upper case
	At, N int  // N characters from character At on; or the first N bytes
}

// Bits is how many bits of a digest the part holds.
func (p *Part) Bits() int {
	if p.Hex {
		return 4 * p.N
	}
	return 8 * p.N
}

// First is the bytes of the part of a digest of 4 bytes, as a number: of 248bfa47 the first
// two digits are 3234.
func (p *Part) First(sum uint32) uint64 {
	if !p.Hex {
		return uint64(sum >> (32 - 8*p.N))
	}
	digits := forms.Hex8(sum<<(4*p.At)) >> (64 - 8*p.N)
	if p.Upper {
		digits &^= digits >> 1 & (0x20 * forms.EachByte) // of letters alone
	}
	return digits
}

// Append appends the part of the digest of data.
func (p *Part) Append(dst, data []byte) []byte {
	if p.Algorithm == MD5 { // the most usual algorithm: no copy through room
		d := md5.Sum(data)
		return p.Cut(dst, d[:])
	}
	var room [MaxSize]byte
	return p.Cut(dst, p.Hash.Append(room[:0], data))
}

// Cut appends the part of a digest.
func (p *Part) Cut(dst, digest []byte) []byte {
	if !p.Hex {
		return append(dst, digest[:p.N]...)
	}
	digits := "0123456789abcdef"
	if p.Upper {
		digits = "0123456789ABCDEF"
	}
	i, end := p.At, p.At+p.N
	if i%2 == 0 {
		for _, b := range digest[i/2 : end/2] {
			dst = append(dst, digits[b>>4], digits[b&15])
		}
		i = end &^ 1
	}
	for ; i < end; i++ {
		dst = append(dst, digits[digest[i/2]>>(4*(^i&1))&15])
	}
	return dst
}
