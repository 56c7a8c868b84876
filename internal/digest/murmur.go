package digest

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"

	"github.com/spaolacci/murmur3"
)

// Murmur32 is MurmurHash3_x86_32, which reads its input little-endian. Of "hello" with
// the seed 0 it is 248bfa47. This code is our own for two reasons: Sum32 of spaolacci
// reads words in the machine's byte order, and through pointers at which -d=checkptr
// (part of -race) aborts.
func Murmur32[T string | []byte](seed uint32, p T) uint32 {
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
	for ; len(p) >= 8; p = p[8:] { // two words at once
		h = murmurRound(h, uint32(p[0])|uint32(p[1])<<8|uint32(p[2])<<16|uint32(p[3])<<24)
		h = murmurRound(h, uint32(p[4])|uint32(p[5])<<8|uint32(p[6])<<16|uint32(p[7])<<24)
	}
	if len(p) >= 4 {
		h = murmurRound(h, uint32(p[0])|uint32(p[1])<<8|uint32(p[2])<<16|uint32(p[3])<<24)
	}
	return murmurEnd(h, k, uint32(n))
}

// murmurEnd takes the last bytes k into the hash, and its length n. With no bytes left k is 0, and changes
// nothing.
func murmurEnd(h, k, n uint32) uint32 {
	h ^= bits.RotateLeft32(k*0xcc9e2d51, 15)*0x1b873593 ^ n
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}

// murmurRound takes one word into the hash.
func murmurRound(h, k uint32) uint32 {
	k = bits.RotateLeft32(k*0xcc9e2d51, 15) * 0x1b873593
	return bits.RotateLeft32(h^k, 13)*5 + 0xe6546b64
}

// bigEndian is the byte order of this machine.
var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

// murmurRoom holds buffers for Murmur128.
var murmurRoom = sync.Pool{New: func() any { return new([]byte) }}

// Murmur128 is MurmurHash3_x64_128, computed by the package of spaolacci. Of "hello" with
// the seed 0 the two words are cbd8a7b341bd9b02 and 5b1e906a48ae1d19.
//
// That package reads the words of whole blocks of 16 bytes in the machine's byte order,
// so on a big-endian machine these words are reversed first. The bytes after the last
// whole block it reads one by one. It gets a copy of data, since a buffer given to it
// would move to the heap.
func Murmur128(seed uint32, data []byte) (h1, h2 uint64) {
	room := murmurRoom.Get().(*[]byte)
	turned := append((*room)[:0], data...)
	if bigEndian {
		for i := 0; i+8 <= len(data)/16*16; i += 8 {
			slices.Reverse(turned[i : i+8])
		}
	}
	h1, h2 = murmur3.Sum128WithSeed(turned, seed)
	*room = turned
	murmurRoom.Put(room)
	return h1, h2
}
