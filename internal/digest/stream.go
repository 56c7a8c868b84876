package digest

import (
	"encoding/binary"
	"math/bits"
)

// Stream computes Murmur32 of inputs that come one after the other: "he", then "llo",
// give 248bfa47, as "hello" does.
type Stream struct {
	h, n uint32 // the hash so far, and how many bytes it has read
	rest uint64 // the last n mod 4 bytes, which are not in h yet
}

// NewStream is a Stream without input that starts from a seed.
func NewStream(seed uint32) Stream { return Stream{h: seed} }

// Text adds a text.
func (s *Stream) Text(p []byte) {
	h, rest, r := s.h, s.rest, s.n&3*8
	s.n += uint32(len(p))
	for ; len(p) >= 4; p = p[4:] {
		rest |= uint64(binary.LittleEndian.Uint32(p)) << r
		h = murmurRound(h, uint32(rest))
		rest >>= 32
	}
	for _, c := range p {
		rest |= uint64(c) << (r & 63)
		if r += 8; r == 32 {
			h = murmurRound(h, uint32(rest))
			rest, r = 0, 0
		}
	}
	s.h, s.rest = h, rest
}

// Word adds the low size bytes of u, 1 to 8, big-endian: 7 in two bytes adds 00 07.
func (s *Stream) Word(u uint64, size int) {
	w := bits.ReverseBytes64(u << (uint(8-size) * 8 & 63))
	r := s.n & 3 * 8
	s.n += uint32(size)
	rest, over := s.rest|w<<r, w>>(64-r) // a shift by 64 gives 0
	for in := r + uint32(size)*8; in >= 32; in -= 32 {
		s.h = murmurRound(s.h, uint32(rest))
		rest = rest>>32 | over<<32
		over >>= 32
	}
	s.rest = rest
}

// MurmurWord is Murmur32 of the low size bytes of u, 1 to 8, big-endian.
func MurmurWord(seed uint32, u uint64, size int) uint32 {
	s := Stream{h: seed}
	switch size {
	case 8:
		s.h, s.n = murmurRound(murmurRound(seed, bits.ReverseBytes32(uint32(u>>32))), bits.ReverseBytes32(uint32(u))), 8
	case 4:
		s.h, s.n = murmurRound(seed, bits.ReverseBytes32(uint32(u))), 4
	default:
		s.Word(u, size)
	}
	return s.Sum()
}

// Sum is the hash of all that was added.
func (s *Stream) Sum() uint32 { return murmurEnd(s.h, uint32(s.rest), s.n) }
