package rowkey

import (
	"strconv"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// SaltRule is a SaltOption. It says how a Salt of n buckets computes the bucket from
// its input. Without a SaltRule the bucket is murmur3_32 of the input mod n. The rules
// with String.hashCode hash the input's text. The rules with h hash its bytes.
type SaltRule uint8

const (
	JavaHash       = SaltRule(digest.Java)       // (String.hashCode() & 0x7fffffff) % n
	JavaHashAbs    = SaltRule(digest.JavaAbs)    // Math.abs(String.hashCode()) % n; the one value whose abs is negative is refused
	JavaHashModAbs = SaltRule(digest.JavaModAbs) // Math.abs(String.hashCode() % n)
	JavaHashFloor  = SaltRule(digest.JavaFloor)  // Math.floorMod(String.hashCode(), n)
	PhoenixHash    = SaltRule(digest.Phoenix)    // Math.abs(h % n), h the signed hash of the bytes by 31, from 1 (OpenTSDB's, too)
	HBaseWDHash    = SaltRule(digest.HBaseWD)    // Math.abs(h) % n, h the same; the one value whose abs is negative is refused
	PinpointHash   = SaltRule(digest.Pinpoint)   // (h & 0x7fffffff) % n, h the same
	Modulo         = SaltRule(digest.Modulo)     // the integer itself mod n, never negative
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
