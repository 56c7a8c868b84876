package interop

import (
	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/inside"
)

// The digests. Beside each stand its length and the digest of the text "ab", of a long one
// its first bytes.
//
// Murmur3x128 is MurmurHash3_x64_128 with seed 0: two words, big-endian, which are
// commons-codec's two longs.
//
// JavaHashCode is String.hashCode of a text: of "user123" it is f73a3a87, the int
// −147178873. Bytes that are not UTF-8 are no text and are refused.
//
// HBaseMurmur, HBaseMurmur3 and HBaseJenkins are org.apache.hadoop.hbase.util.Hash of
// type MURMUR, MURMUR3 and JENKINS with seed −1, as in its hash(bytes). The int that it
// gives is 4 bytes, big-endian. HBaseMurmur is MurmurHash2, but takes the last bytes of
// its input for signed. HBaseMurmur3 is rowkey.Murmur3 with another seed. HBaseJenkins is
// lookup3's hashlittle.
var (
	Murmur3x128  = builtin(digest.Murmur3x128)  // 16 bytes: 938b11ea…
	HBaseMurmur  = builtin(digest.HBaseMurmur)  // 4 bytes: 939ee74a
	HBaseMurmur3 = builtin(digest.HBaseMurmur3) // 4 bytes: af7dbde5
	HBaseJenkins = builtin(digest.HBaseJenkins) // 4 bytes: d94603a7
	JavaHashCode = builtin(digest.JavaHashCode) // 4 bytes: 00000c21
)

func builtin(a digest.Algorithm) (d rowkey.Digest) {
	inside.Digest(&d).Cut.Hash = a.Hash()
	return d
}
