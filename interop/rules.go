package interop

import (
	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/digest"
)

// The bucket rules. Each is an option of a Salt of n buckets. The last number beside each
// is its bucket of "device" among 10.
//
// s is String.hashCode of the input, which is a text: of "device" −1335157162.
//
// h is a hash of the input's bytes, a signed int. It begins with 1, and each byte b, a
// signed byte, makes it 31·h + b, as in Phoenix's SaltingUtil and in OpenTSDB: of
// 64 65 76 69 63 65, which is "device", −447653481.
const (
	JavaHash       = rowkey.SaltRule(digest.Java)       // (s & 0x7fffffff) % n: 6
	JavaHashAbs    = rowkey.SaltRule(digest.JavaAbs)    // Math.abs(s) % n: 2; an input whose Math.abs(s) is negative is refused; if n is a power of two, take JavaHashModAbs
	JavaHashModAbs = rowkey.SaltRule(digest.JavaModAbs) // Math.abs(s % n): 2
	JavaHashFloor  = rowkey.SaltRule(digest.JavaFloor)  // Math.floorMod(s, n): 8
	PhoenixHash    = rowkey.SaltRule(digest.Phoenix)    // Math.abs(h % n): 1
	HBaseWDHash    = rowkey.SaltRule(digest.HBaseWD)    // Math.abs(h) % n: 1; an input whose Math.abs(h) is negative is refused; if n is a power of two, take PhoenixHash
	PinpointHash   = rowkey.SaltRule(digest.Pinpoint)   // (h & 0x7fffffff) % n: 7
)
