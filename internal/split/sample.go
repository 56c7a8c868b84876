package split

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// sampleBlock is the memory that a Sample takes at once. Two bytes and the longest key fit.
const sampleBlock = 1 << 16

// Sample is keys in little memory: in blocks, each key after its length in two bytes; for Sort,
// 8 bytes for each key say where it stands. A million keys as slices of their own take five
// times as much. The zero value is ready to use.
type Sample struct {
	blocks [][]byte
	n      int
	at     []uint64 // of Sort: block · sampleBlock + byte
}

// Add takes a copy of a key of at most 65,534 bytes.
func (s *Sample) Add(key []byte) {
	n := len(s.blocks)
	if n == 0 || len(s.blocks[n-1])+2+len(key) > sampleBlock {
		s.blocks = append(s.blocks, make([]byte, 0, sampleBlock))
		n++
	}
	b := s.blocks[n-1]
	s.n++
	s.blocks[n-1] = append(binary.BigEndian.AppendUint16(b, uint16(len(key))), key...)
}

// Len is how many keys there are.
func (s *Sample) Len() int { return s.n }

// Key is key i of those that Sort has put into order; the caller must not change it.
func (s *Sample) Key(i int) []byte { return s.key(s.at[i]) }

func (s *Sample) key(at uint64) []byte {
	b := s.blocks[at/sampleBlock][at%sampleBlock:]
	n := int(binary.BigEndian.Uint16(b))
	return b[2 : 2+n : 2+n]
}

// Sort puts the keys into their order.
func (s *Sample) Sort() {
	s.at = make([]uint64, 0, s.n)
	for i, b := range s.blocks {
		for from := 0; from < len(b); {
			s.at = append(s.at, uint64(i)*sampleBlock+uint64(from))
			from += 2 + int(binary.BigEndian.Uint16(b[from:]))
		}
	}
	slices.SortFunc(s.at, func(a, b uint64) int { return bytes.Compare(s.key(a), s.key(b)) })
}
