package rowkey

import (
	"strconv"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// SaltRule is a SaltOption. It says how a Salt of n buckets computes the bucket from its
// input: JavaHash and those that stand with it. Without a SaltRule the bucket is
// murmur3_32 of the input mod n.
type SaltRule uint8

// The rules. The last number beside each is its bucket of "device" among 10.
//
// s is String.hashCode of the input, which is a text: of "device" −1335157162.
//
// h is a hash of the input's bytes, a signed int. It begins with 1, and each byte b, a
// signed byte, makes it 31·h + b, as in Phoenix's SaltingUtil and in OpenTSDB: of
// 64 65 76 69 63 65, which is "device", −447653481.
const (
	JavaHash       = SaltRule(digest.Java)       // (s & 0x7fffffff) % n: 6
	JavaHashAbs    = SaltRule(digest.JavaAbs)    // Math.abs(s) % n: 2; an input whose Math.abs(s) is negative is refused
	JavaHashModAbs = SaltRule(digest.JavaModAbs) // Math.abs(s % n): 2
	JavaHashFloor  = SaltRule(digest.JavaFloor)  // Math.floorMod(s, n): 8
	PhoenixHash    = SaltRule(digest.Phoenix)    // Math.abs(h % n): 1
	HBaseWDHash    = SaltRule(digest.HBaseWD)    // Math.abs(h) % n: 1; an input whose Math.abs(h) is negative is refused
	PinpointHash   = SaltRule(digest.Pinpoint)   // (h & 0x7fffffff) % n: 7
	Modulo         = SaltRule(digest.Modulo)     // Math.floorMod(v, n) of an integer or a time v itself: of −3 among 10, 7
)

func (r SaltRule) saltOption() layout.Option {
	if r < JavaHash || r > Modulo {
		return layout.Option{Said: notation.Option{Word: notation.Word("SaltRule(" + strconv.Itoa(int(r)) + ")")}}
	}
	return layout.Option{
		Said: notation.Option{Word: notation.Word(digest.Rule(r).String())},
		ToSalt: func(s *layout.Salting) string {
			s.C.Rule = digest.Rule(r)
			return ""
		},
	}
}
