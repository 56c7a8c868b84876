// Package digest computes hashes of bytes and what salts and hash prefixes take
// of them: some hexadecimal characters, some raw bytes, a bucket.
//
// It knows algorithms, seeds and the arithmetic of buckets, all of which other
// systems fixed long ago. It must not know where the bytes come from: no schema,
// no field, no value. It refuses nothing but what an algorithm has no result for.
package digest

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"math"
	"unicode/utf8"
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

// MaxSize is the bytes of the longest digest.
const MaxSize = sha512.Size

// algorithms has the name of each in the notation, and how many bytes it gives.
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

// String is the name in the notation; empty for none.
func (a Algorithm) String() string { return algorithms[a].name }

// Size is how many bytes it gives; 0 for none.
func (a Algorithm) Size() int { return algorithms[a].size }

// Seeded reports that it begins from a seed, which may be another one.
func (a Algorithm) Seeded() bool {
	return a == Murmur3 || a == Murmur3x128 || a >= HBaseMurmur && a <= HBaseJenkins
}

// OwnSeed is the seed that it has if no other is said: −1 for HBase's, else 0.
func (a Algorithm) OwnSeed() uint32 {
	if a >= HBaseMurmur && a <= HBaseJenkins {
		return math.MaxUint32
	}
	return 0
}

// Hash is an algorithm and the seed that it begins from.
type Hash struct {
	Algorithm
	Seed uint32
}

// Takes reports that the hash is defined for these bytes: Java's hashCode is of
// text alone, so of e9 it is not.
func (h *Hash) Takes(data []byte) bool {
	return h.Algorithm != JavaHashCode || utf8.Valid(data)
}

// Append appends the whole digest of data. A number is written big-endian.
func (h *Hash) Append(dst, data []byte) []byte {
	switch h.Algorithm {
	case Murmur3, HBaseMurmur3:
		return binary.BigEndian.AppendUint32(dst, Murmur32(h.Seed, data))
	case Murmur3x128:
		h1, h2 := murmur128(h.Seed, data)
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
	case HBaseMurmur:
		return binary.BigEndian.AppendUint32(dst, hbaseMurmur(h.Seed, data))
	case HBaseJenkins:
		return binary.BigEndian.AppendUint32(dst, hbaseJenkins(h.Seed, data))
	case CRC32:
		return binary.BigEndian.AppendUint32(dst, crc32Of(data))
	case JavaHashCode:
		h, _ := JavaString(data)
		return binary.BigEndian.AppendUint32(dst, uint32(h))
	}
	d := sha512.Sum512(data)
	return append(dst, d[:]...)
}

// Part is some of a digest. Of md5("abc") = 90 01 50 98 …:
//
//	{N: 2}                       90 01
//	{Hex: true, N: 3}            39 30 30, which is "900"
//	{Hex: true, At: 3, N: 4}     31 35 30 39, which is "1509"
type Part struct {
	Hash
	Hex   bool // hexadecimal characters, not bytes
	Upper bool // and in upper case
	At, N int  // N of them from At on
}

// Bits is how many bits of a digest the part holds.
func (p *Part) Bits() int {
	if p.Hex {
		return 4 * p.N
	}
	return 8 * p.N
}

// Append appends the part of the digest of data.
func (p *Part) Append(dst, data []byte) []byte {
	if p.Algorithm == MD5 { // the usual one goes without the detour
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
