package digest

import (
	"encoding/binary"
	"math/bits"
)

// HBaseMurmur32 is org.apache.hadoop.hbase.util.MurmurHash. It is MurmurHash2 with one
// difference: the one to three bytes at the end are signed, as bytes are in Java. So a
// last byte ff is XORed as ffffffff, not as 000000ff. Of ff with the seed −1 it is
// e94e6ebd.
func HBaseMurmur32(seed uint32, p []byte) uint32 {
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

// HBaseJenkins32 is org.apache.hadoop.hbase.util.JenkinsHash, that is hashlittle of Bob
// Jenkins' lookup3. It mixes 12 bytes at a time into three words. The last 1 to 12
// bytes are filled up with 00 and mixed in another way. Of no bytes it is
// deadbeef + seed: with the seed 5 deadbef4.
func HBaseJenkins32(seed uint32, p []byte) uint32 {
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
