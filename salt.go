package rowkey

import (
	"strconv"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// SaltRule is a SaltOption. It says how a Salt of n buckets computes the bucket from its
// input: Modulo, or one of package interop, by which other systems salt. Without a
// SaltRule the bucket is murmur3_32 of the input mod n.
type SaltRule uint8

// Modulo is Math.floorMod(v, n) of an integer or a time v itself: of −3 among 10 the
// bucket is 7.
const Modulo = SaltRule(digest.Modulo)

func (r SaltRule) saltOption() layout.Option {
	if r < SaltRule(digest.Java) || r > Modulo {
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
