package laws

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
)

// ---- hbase_hashes.jsonl

func checkHBaseHashes(l *vectorLine) {
	name, in := l.text("hash"), l.bytes("in")
	d, ok := map[string]rowkey.Digest{"murmur": interop.HBaseMurmur, "murmur3": interop.HBaseMurmur3, "jenkins": interop.HBaseJenkins}[name]
	if !ok {
		l.failf("unknown hash %q", name)
		return
	}
	var bySeed map[string]string
	l.get("by_seed", &bySeed)
	for seed, text := range bySeed {
		n, err := strconv.ParseInt(seed, 10, 64)
		if err != nil {
			l.failf("%v", err)
		}
		want := string(l.unhex("by_seed", text))
		seeded := l.schema(func() *rowkey.Builder {
			d := d.Seed(n)
			return rowkey.New("seeded").Hash(d.Raw(4), "b").Hash(d.Hex(8), "stored(b)").Salt(1000, "b", d.Raw(4), rowkey.Width(2)).Binary("b")
		}, name, seed)
		l.stored(name+" by seed", "hash", want, seeded, in)
		l.stored(name+" by seed", "hash2", text, seeded, in)
		bucket := binary.BigEndian.Uint32([]byte(want)) % 1000
		l.stored(name+" by seed", "salt", string([]byte{byte(bucket >> 8), byte(bucket)}), seeded, in)
		if n == -1 {
			l.stored(name, "hash", want, l.schema(func() *rowkey.Builder { return rowkey.New("plain").Hash(d.Raw(4), "b").Binary("b") }, name), in)
		}
	}
	if len(bySeed) < 2 {
		l.failf("%d seeds", len(bySeed))
	}
}

// ---- flink_keys.jsonl

// checkFlink: the key of Flink's HBase sink is one column, as Bytes.toBytes writes it.
func checkFlink(l *vectorLine) { l.connector("Flink", l.text("type")) }

// checkHBaseSpark: each column of a key of hbase-spark is as Bytes.toBytes writes it.
func checkHBaseSpark(l *vectorLine) {
	typ := l.text("type")
	name, ok := map[string]string{"string": "STRING", "boolean": "BOOLEAN", "tinyint": "TINYINT", "smallint": "SMALLINT", "int": "INT",
		"bigint": "BIGINT", "float": "FLOAT", "double": "DOUBLE"}[typ]
	if !ok {
		l.failf("unknown type %q", typ)
		return
	}
	l.connector("hbase-spark", name)
}

// connector compares the key that a connector writes of a value of a type, as Flink names it.
func (l *vectorLine) connector(of, typ string) {
	value := l.text("value")
	function, _, _ := strings.Cut(of+" "+typ, "(")
	if l.has("error") {
		l.skip(function, of+" refuses it: "+l.text("error"))
		return
	}
	var form *string // none: the row is left out
	l.get("key", &form)
	var want []byte
	if form != nil {
		want = l.unhex("key", *form)
	}
	number := func(size, bits int) {
		v, err := strconv.ParseInt(value, 10, bits)
		if err != nil {
			l.failf("%v", err)
		}
		l.writes(function, want, l.schema(func() *rowkey.Builder { return rowkey.New("t", interop.HBase).Int("k", size) }, "int", size), v)
	}
	moment := func(layout string, b func() *rowkey.Builder) {
		at, err := time.Parse(layout, value)
		if err != nil {
			l.failf("%v", err)
		}
		s := l.schema(b, typ)
		if at.Unix() < 0 {
			l.refuses(function+", before 1970: refused", rowkey.ErrRange, s, at)
			return
		}
		l.writes(function, want, s, at)
	}
	switch name, _, _ := strings.Cut(typ, "("); name {
	case "STRING", "VARCHAR", "CHAR", "BYTES":
		s := l.schema(func() *rowkey.Builder { return rowkey.New("t").String("k") }, "text")
		var v any = value
		if name == "BYTES" {
			s = l.schema(func() *rowkey.Builder { return rowkey.New("t").Binary("k") }, "bytes")
			v = l.unhex("value", value)
		}
		if len(want) == 0 {
			l.refuses(function+", no bytes: refused", rowkey.ErrLength, s, v)
			return
		}
		l.writes(function, want, s, v)
	case "BOOLEAN":
		l.writes(function, want, l.schema(func() *rowkey.Builder { return rowkey.New("t", interop.HBase).Bool("k") }, "bool"), value == "true")
	case "TINYINT":
		number(1, 8)
	case "SMALLINT":
		number(2, 16)
	case "INT", "TIME": // of a time of day its milliseconds
		number(4, 32)
	case "BIGINT":
		number(8, 64)
	case "FLOAT", "DOUBLE":
		size := map[string]int{"FLOAT": 4, "DOUBLE": 8}[name]
		v, err := strconv.ParseFloat(value, 8*size)
		if err != nil {
			l.failf("%v", err)
		}
		l.writes(function, want, l.schema(func() *rowkey.Builder { return rowkey.New("t", interop.HBase).Float("k", size) }, "float", size), v)
	case "DATE":
		moment(time.DateOnly, func() *rowkey.Builder { return rowkey.New("t").Time("k", rowkey.Days, rowkey.Width(4)) })
	case "TIMESTAMP", "TIMESTAMP_LTZ":
		moment(time.RFC3339, func() *rowkey.Builder { return rowkey.New("t").Time("k", rowkey.Millis) })
	case "DECIMAL":
		l.skip(function, "a scale and digits, which do not sort: no kind writes them")
	default:
		l.failf("unknown type %q", typ)
	}
}

// ---- hbase_vint.jsonl

func checkVint(l *vectorLine) {
	s := l.schema(func() *rowkey.Builder {
		return rowkey.New("vint", interop.HBase).Int("v", 8, rowkey.Via(hadoopVint{})).Uint("n", 1)
	}, "vint")
	l.writes("Bytes.vintToBytes", append(l.bytes("hex"), 7), s, l.long("value"), uint64(7))
}

// hadoopVint is Hadoop's WritableUtils.writeVLong of the 8 bytes of a long: −112 to
// 127 in one byte, else the number of bytes below −112, or below −120 of a negative
// number, whose bytes are inverted.
type hadoopVint struct{}

var errVint = errors.New("no vint")

func (hadoopVint) Append(dst, value []byte) ([]byte, error) {
	if len(value) != 8 {
		return dst, rowkey.ErrLength
	}
	n := int64(binary.BigEndian.Uint64(value))
	if n >= -112 && n <= 127 {
		return append(dst, byte(n)), nil
	}
	first, u := byte(0x90), uint64(n) // −112
	if n < 0 {
		first, u = 0x88, ^u // −120
	}
	size := (bits.Len64(u) + 7) / 8
	return append(append(dst, first-byte(size)), binary.BigEndian.AppendUint64(nil, u)[8-size:]...), nil
}

func (v hadoopVint) Invert(dst, stored []byte) ([]byte, error) {
	n, err := v.Len(stored)
	if err != nil || n != len(stored) {
		return dst, errVint
	}
	u := uint64(int8(stored[0]))
	if n > 1 {
		u = 0
		for _, b := range stored[1:] {
			u = u<<8 | uint64(b)
		}
		if stored[0] < 0x88 {
			u = ^u
		}
	}
	at := len(dst)
	dst = binary.BigEndian.AppendUint64(dst, u)
	if again, err := v.Append(nil, dst[at:]); err != nil || string(again) != string(stored) {
		return dst[:at], errVint
	}
	return dst, nil
}

func (hadoopVint) Len(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, errVint
	}
	size := 1
	switch first := b[0]; {
	case first >= 0x80 && first < 0x88:
		size += 0x88 - int(first)
	case first >= 0x88 && first < 0x90:
		size += 0x90 - int(first)
	}
	if size > len(b) {
		return 0, errVint
	}
	return size, nil
}

func (hadoopVint) Traits() rowkey.Traits {
	return rowkey.Traits{Order: rowkey.Unordered, Delimited: true}
}
func (hadoopVint) String() string { return "vint" }

// ---- more of jdk_murmur, jdk_hashcode and jdk_reverse, by steps of our own

// murmur2 is MurmurHash2 of 32 bits as commons-codec has it.
func murmur2(seed uint32, p []byte) uint32 {
	const m = 0x5bd1e995
	h := seed ^ uint32(len(p))
	for ; len(p) >= 4; p = p[4:] {
		k := binary.LittleEndian.Uint32(p) * m
		h = h*m ^ (k^k>>24)*m
	}
	for i := len(p) - 1; i >= 0; i-- {
		h ^= uint32(p[i]) << (8 * i)
		if i == 0 {
			h *= m
		}
	}
	h = (h ^ h>>13) * m
	return h ^ h>>15
}

// murmur2x64 is MurmurHash2 of 64 bits.
func murmur2x64(seed uint32, p []byte) uint64 {
	const m = 0xc6a4a7935bd1e995
	h := uint64(int64(int32(seed)))&math.MaxUint32 ^ uint64(len(p))*m
	for ; len(p) >= 8; p = p[8:] {
		k := binary.LittleEndian.Uint64(p) * m
		h = (h ^ (k^k>>47)*m) * m
	}
	for i := len(p) - 1; i >= 0; i-- {
		h ^= uint64(p[i]) << (8 * i)
		if i == 0 {
			h *= m
		}
	}
	h = (h ^ h>>47) * m
	return h ^ h>>47
}

// checkMurmur2 holds digests of our own against commons-codec's.
func checkMurmur2(l *vectorLine, in []byte, seed int) {
	s := l.schema(func() *rowkey.Builder {
		two := rowkey.NewDigest(fmt.Sprint("murmur2_", uint32(seed)), 4, func(dst, data []byte) []byte {
			return binary.BigEndian.AppendUint32(dst, murmur2(uint32(seed), data))
		})
		two64 := rowkey.NewDigest(fmt.Sprint("murmur2x64_", uint32(seed)), 8, func(dst, data []byte) []byte {
			return binary.BigEndian.AppendUint64(dst, murmur2x64(uint32(seed), data))
		})
		return rowkey.New("murmur2").Hash(two.Raw(4), "b").Hash(two64.Hex(16), "stored(b)").Binary("b")
	}, "murmur2", seed)
	l.stored("codec_murmur2_hash32, by NewDigest", "hash", string(l.bytes("codec_murmur2_hash32")), s, in)
	l.stored("codec_murmur2_hash64, by NewDigest", "hash2", hex.EncodeToString(l.bytes("codec_murmur2_hash64")), s, in)
}

// bucketDigest is a rule for buckets that the package has not, as a digest of 4
// bytes.
func bucketDigest(name string, bucket func(data []byte) uint32) rowkey.Digest {
	return rowkey.NewDigest(name, 4, func(dst, data []byte) []byte {
		return binary.BigEndian.AppendUint32(dst, bucket(data))
	})
}

// checkLongHash is Long.hashCode in a salt: the two halves, one XOR the other.
func checkLongHash(l *vectorLine, n int64, hash int32) {
	const buckets = math.MaxInt32
	s := l.schema(func() *rowkey.Builder {
		d := bucketDigest("longhash", func(data []byte) uint32 {
			n := binary.BigEndian.Uint64(data)
			return (uint32(n>>32) ^ uint32(n)) & math.MaxInt32
		})
		return rowkey.New("long").Salt(buckets, "n", d.Raw(4), rowkey.Width(4)).Int("n", 8, interop.HBase)
	}, "Long.hashCode")
	want := uint32(hash&math.MaxInt32) % buckets
	l.stored("Long.hashCode, by NewDigest", "salt", string(binary.BigEndian.AppendUint32(nil, want)), s, n)
}

// checkFloor31 is the floor modulus of the 31-hash in a salt.
func checkFloor31(l *vectorLine, function string, in []byte, n, bucket int) {
	s := l.schema(func() *rowkey.Builder {
		d := bucketDigest(fmt.Sprint("floor31_", n), func(data []byte) uint32 {
			h := int32(1)
			for _, b := range data {
				h = 31*h + int32(int8(b))
			}
			return uint32((int64(h)%int64(n) + int64(n)) % int64(n))
		})
		return rowkey.New("floor").Salt(n, "b", d.Raw(4), rowkey.Width(4)).Binary("b")
	}, "floor 31", n)
	l.stored(function+", by NewDigest", "salt", string(binary.BigEndian.AppendUint32(nil, uint32(bucket))), s, in)
}

// bitReversed turns the bits of a number round.
type bitReversed struct{}

func (bitReversed) Append(dst, value []byte) ([]byte, error) {
	for i := range value {
		dst = append(dst, bits.Reverse8(value[len(value)-1-i]))
	}
	return dst, nil
}
func (r bitReversed) Invert(dst, stored []byte) ([]byte, error) { return r.Append(dst, stored) }
func (bitReversed) Traits() rowkey.Traits                       { return rowkey.Traits{Order: rowkey.Unordered} }
func (bitReversed) String() string                              { return "bits" }

// hexText is what %x and %08X of a number make: its digits in hexadecimal, of a
// negative number those of its two's complement.
type hexText struct {
	width int // zeros in front
	upper bool
}

func (h hexText) Append(dst, value []byte) ([]byte, error) {
	text := strings.TrimLeft(hex.EncodeToString(value), "0")
	if text == "" {
		text = "0"
	}
	text = strings.Repeat("0", max(0, h.width-len(text))) + text
	if h.upper {
		text = strings.ToUpper(text)
	}
	return append(dst, text...), nil
}

func (h hexText) Invert(dst, stored []byte) ([]byte, error) {
	text := string(stored)
	b, err := hex.DecodeString(strings.Repeat("0", max(0, 16-len(text))) + text)
	if err != nil || len(b) != 8 {
		return dst, errors.New("no number")
	}
	if again, _ := h.Append(nil, b); string(again) != text {
		return dst, errors.New("another number of digits, or case")
	}
	return append(dst, b...), nil
}

func (hexText) Traits() rowkey.Traits { return rowkey.Traits{Order: rowkey.Unordered} }
func (h hexText) String() string      { return fmt.Sprintf("hex%d,%v", h.width, h.upper) }

// checkHexText is a number as the text of %x.
func checkHexText(l *vectorLine, function, want string, width int, upper bool, n int64) {
	s := l.schema(func() *rowkey.Builder {
		return rowkey.New("hex", interop.HBase).Int("n", 8, rowkey.Via(hexText{width, upper}))
	}, "hex text", width, upper)
	l.writes(function+", by Via", []byte(want), s, n)
}
