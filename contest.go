package rowkey

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// contest finds which of many sorted streams has the first key: a tournament in
// which each match keeps its loser, so that a stream with a new key plays only
// against those that its last one beat.
//
// A match compares two numbers. Think of a key as blocks of six bytes, each with
// a mark of how many of them the key has, or that it goes on: blocks compare as
// keys do, and keys that are alike up to the end of one are alike. A key's code
// against another that comes before it says in which block they differ first,
// the later the smaller, and what the key has there. Of two keys told against
// the same third, that with the smaller code comes first, and against it the
// other one has the code that it has. All whom the best key beat are told
// against that, and a new key is told against the one before it when their
// order is checked, so keys are looked at again only where two codes are equal.
// The method is known as offset-value coding.
type contest struct {
	keys     [][]byte
	losers   []entry // of the matches; the winner of match n plays in match n/2
	best     int32
	reversed bool
	turn     uint64 // is laid over what a block holds: ones where the last key is the first
}

type entry struct {
	code   uint64
	stream int32
}

// A code has 13 bits for the block, 48 for its bytes, 3 for its mark.
const (
	blockLen  = 6
	goesOn    = 7         // the mark of a block that is not the last; that one has its length
	blockBits = 51        // bytes and mark
	firstCode = 1<<13 - 2 // the upper bits for block 0; no key has as many blocks
)

// The codes of no key.
const (
	foremost = 0
	gone     = math.MaxUint64
)

// code is that of a key whose block n is the first to differ.
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

// against is the code of a key against one before it, with which it has so many
// bytes in common.
func (c *contest) against(before, key []byte, common int) uint64 {
	switch {
	case common < len(before) && common < len(key):
		return c.code(key, common/blockLen)
	case len(before) != len(key):
		return c.code(key, endBlock(common))
	}
	return uint64(firstCode-endBlock(common)-1) << blockBits
}

// inOrder reports that a comes before b, with which it has so many bytes in
// common.
func (c *contest) inOrder(a, b []byte, common int) bool {
	if c.reversed {
		a, b = b, a
	}
	return common < len(b) && (common == len(a) || a[common] < b[common])
}

// common is how many bytes a and b begin with alike.
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

// begin is a contest of n streams, whose keys are still to be set.
func (c *contest) begin(n int, reversed bool) {
	c.keys = make([][]byte, n)
	c.losers = make([]entry, n)
	if c.reversed = reversed; reversed {
		c.turn = 1<<blockBits - 1
	}
}

// play plays all matches, between the keys as they stand by these codes.
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

// replace gives the best stream a new key, told against its last one.
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

// match puts the winner into won and the loser into lost. Keys that are alike
// come in the order of their streams.
func (c *contest) match(lost, won *entry) {
	first := lost.code < won.code
	if lost.code == won.code {
		first = (lost.stream < won.stream) != c.reversed
		a, b := c.keys[lost.stream], c.keys[won.stream]
		// There is nothing to look at if both are no keys, or are the best's likes.
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
