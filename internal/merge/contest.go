package merge

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// contest finds which of many sorted streams has the first key. It is a
// tournament: each match keeps its loser, so that a stream with a new key plays
// only against those that its last key beat.
//
// A match compares two numbers, the codes of the two keys. A code says how a key
// differs from another key, its base, that comes before it. Think of a key as
// blocks of six bytes, each with a mark: how many bytes of it the key has, or
// that the key goes on after it. The code holds the number of the first block
// that differs from the base, the later the smaller, and that block's bytes and
// mark:
//
//	base     61
//	61 62    differs in block 0: bytes 61 62 00 00 00 00, mark 2
//	63       differs in block 0: bytes 63 00 00 00 00 00, mark 1
//
// If A and B both have codes by the same base, the smaller code is the smaller
// key, and the larger code is also the code of its key by the other one as base:
// here 61 62 comes before 63, whose code by the base 61 62 is the same. If the
// codes are equal, the keys are equal up to the end of that block, and the bytes
// after it decide.
//
// All keys that the best key beat have their codes by it as base; a new key gets
// its code by the key before it when their order is checked. So bytes are
// compared again only where two codes are equal. The method is known as
// offset-value coding.
type contest struct {
	keys     [][]byte
	losers   []entry // of the matches; the winner of match n plays in match n/2
	best     int32
	reversed bool
	turn     uint64 // the bytes and mark of a block are XORed with this: all ones if reversed, else 0
}

type entry struct {
	code   uint64
	stream int32
}

// A code has 13 bits for the block, 48 for its bytes, 3 for its mark.
const (
	blockLen  = 6
	goesOn    = 7         // the mark of a block before the last one; the mark of the last block is its length
	blockBits = 51        // bytes and mark
	firstCode = 1<<13 - 2 // the upper bits of a code for block 0; keys of up to 49128 bytes have fewer blocks
)

// Codes that no key has.
const (
	foremost = 0              // for a stream that comes before all others
	gone     = math.MaxUint64 // for a stream that has ended
)

// code is the code of a key whose block n is the first that differs.
func (c *contest) code(key []byte, n int) uint64 {
	b := key[blockLen*n:]
	if len(b) >= 8 {
		return uint64(firstCode-n)<<blockBits | (binary.BigEndian.Uint64(b)>>16<<3 | goesOn) ^ c.turn
	}
	v := uint64(min(len(b), goesOn))
	for i, x := range b[:min(len(b), blockLen)] {
		v |= uint64(x) << (43 - 8*i)
	}
	return uint64(firstCode-n)<<blockBits | v ^ c.turn
}

// blockOf is the block of a code.
func blockOf(code uint64) int { return firstCode - int(code>>blockBits) }

// endBlock is the last block of a key of n bytes.
func endBlock(n int) int { return max(n-1, 0) / blockLen }

// against is the code of key with the base before. common is the length of the beginning
// that the two have in common.
func (c *contest) against(before, key []byte, common int) uint64 {
	switch {
	case common < len(before) && common < len(key):
		return c.code(key, common/blockLen)
	case len(before) != len(key):
		return c.code(key, endBlock(common))
	}
	return uint64(firstCode-endBlock(common)-1) << blockBits
}

// inOrder reports that a comes before b. common is the length of the beginning that the two
// have in common.
func (c *contest) inOrder(a, b []byte, common int) bool {
	if c.reversed {
		a, b = b, a
	}
	return common < len(b) && (common == len(a) || a[common] < b[common])
}

// common is the length of the beginning that a and b have in common: 2 for 61 62 63 and
// 61 62.
func common(a, b []byte) int {
	n := 0
	for len(a)-n >= 8 && len(b)-n >= 8 {
		if x := binary.BigEndian.Uint64(a[n:]) ^ binary.BigEndian.Uint64(b[n:]); x != 0 {
			return n + bits.LeadingZeros64(x)/8
		}
		n += 8
	}
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// begin makes the contest one of n streams. Their keys must be set before play.
func (c *contest) begin(n int, reversed bool) {
	c.keys = make([][]byte, n)
	c.losers = make([]entry, n)
	if c.reversed = reversed; reversed {
		c.turn = 1<<blockBits - 1
	}
}

// play plays all matches between the streams. codes are the codes of their keys.
func (c *contest) play(codes []uint64) {
	n := len(codes)
	winners := make([]entry, 2*n)
	for i := 2*n - 1; i > 0; i-- {
		if i >= n {
			winners[i] = entry{codes[i-n], int32(i - n)}
			continue
		}
		winners[i], c.losers[i] = winners[2*i], winners[2*i+1]
		c.match(&c.losers[i], &winners[i])
	}
	if n > 0 {
		c.best = winners[1].stream
	}
}

// replace gives the best stream a new key and its code by its last key.
func (c *contest) replace(key []byte, code uint64) {
	e := entry{code, c.best}
	c.keys[e.stream] = key
	for n := (int(e.stream) + len(c.losers)) / 2; n > 0; n /= 2 {
		if l := &c.losers[n]; l.code < e.code {
			*l, e = e, *l
		} else if l.code == e.code {
			c.match(l, &e)
		}
	}
	c.best = e.stream
}

// match compares the two entries, and puts the winner into won and the loser into lost. Equal
// keys come in the order of their streams.
func (c *contest) match(lost, won *entry) {
	first := lost.code < won.code
	if lost.code == won.code {
		first = (lost.stream < won.stream) != c.reversed
		a, b := c.keys[lost.stream], c.keys[won.stream]
		// No bytes are left to compare if neither has a key, or both equal the best one.
		if n := blockOf(lost.code); lost.code != foremost && lost.code != gone && n <= endBlock(len(a)) {
			n = n*blockLen + common(a[n*blockLen:], b[n*blockLen:])
			if n < len(a) || n < len(b) {
				first = c.inOrder(a, b, n)
			}
			if first {
				won.code = c.against(a, b, n)
			} else {
				lost.code = c.against(b, a, n)
			}
		}
	}
	if first {
		*lost, *won = *won, *lost
	}
}
