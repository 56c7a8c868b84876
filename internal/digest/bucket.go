package digest

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// Rule is how a bucket is computed from bytes.
type Rule uint8

const (
	OfDigest   Rule = iota // a digest's bytes as a big-endian number, mod n
	Java                   // (String.hashCode() & 0x7fffffff) % n
	JavaAbs                // Math.abs(String.hashCode()) % n
	JavaModAbs             // Math.abs(String.hashCode() % n)
	JavaFloor              // Math.floorMod(String.hashCode(), n)
	Phoenix                // Math.abs(h % n), with h of JavaBytes
	HBaseWD                // Math.abs(h) % n, with h of JavaBytes
	Pinpoint               // (h & 0x7fffffff) % n, with h of JavaBytes
	Modulo                 // the integer itself mod n, by Math.floorMod
)

// rules are the names of the rules in the notation.
var rules = [...]string{"", "javahash", "javahashabs", "javahashmodabs", "javahashfloor", "phoenixhash", "hbasewdhash", "pinpointhash", "modulo"}

// String is the name of the rule in the notation. It is empty for OfDigest: there the
// notation names the algorithm of the digest.
func (r Rule) String() string { return rules[r] }

// RuleNamed is the rule of this name, false if there is none.
func RuleNamed(name string) (Rule, bool) {
	i := max(0, slices.Index(rules[:], name))
	return Rule(i), i > 0
}

// RuleNames are the names of all rules.
func RuleNames() []string { return slices.Clone(rules[1:]) }

// OfText reports that the rule is computed of a text, by String.hashCode.
func (r Rule) OfText() bool { return r >= Java && r <= JavaFloor }

// twins are, at the place of each rule, the one that has other buckets for the hash −2³¹ alone:
// Math.abs after % in place of before, or before in place of after. Without Math.abs it is the rule itself.
var twins = [...]Rule{OfDigest, Java, JavaModAbs, JavaAbs, JavaFloor, HBaseWD, Phoenix, Pinpoint, Modulo}

// Twin is the rule that has other buckets for the hash −2³¹ alone, or r itself.
func (r Rule) Twin() Rule { return twins[r] }

// Refuses reports that the rule has no bucket for the hash −2³¹.
func (r Rule) Refuses() bool { return r == JavaAbs || r == HBaseWD }

// Whole is the rule that gives r's buckets among n, and one for a hash that r refuses; r itself
// if there is none. Of a power of two −2³¹ leaves 0, as other systems compute it.
func (r Rule) Whole(n uint64) Rule {
	if n&(n-1) == 0 && r.Refuses() {
		return r.Twin()
	}
	return r
}

// Bucket is the bucket of data, 0 to n−1, by a rule other than OfDigest and Modulo. n is
// at most 2³¹. It is false where the rule gives no bucket for this data. Among 16:
//
//	JavaAbs   "ab"   61 62   String.hashCode is 3105   bucket 1
//	JavaAbs   e9             not UTF-8                 false
//	Phoenix   "ab"   61 62   JavaBytes is 4066         bucket 2
func (r Rule) Bucket(data []byte, n *Modulus) (uint64, bool) {
	if r.OfText() {
		h, ok := JavaString(data)
		b, known := r.of(h, n)
		return b, ok && known
	}
	return r.of(JavaBytes(data), n)
}

// of is the bucket of the hash h.
func (r Rule) of(h int32, n *Modulus) (_ uint64, ok bool) {
	switch r {
	case Java, Pinpoint:
		return n.Of(uint32(h & math.MaxInt32)), true
	case JavaAbs, HBaseWD: // of the smallest int Math.abs is negative: that bucket belongs to no range of keys
		return modAbs(h, n), h > math.MinInt32
	case JavaModAbs, Phoenix:
		return modAbs(h, n), true
	case JavaFloor:
		return uint64(forms.Mod(int64(h), int64(n.N))), true
	case OfDigest, Modulo:
	}
	return 0, false // a rule that is not known here has no bucket: no key is written by another's
}

// modAbs is Math.abs(h % n), and Math.abs(h) % n: of −3 and 16 it is 3, the rest of 3. Of the smallest
// int the max is the int itself, whose 32 bits are 2³¹ without a sign: its distance to 0.
func modAbs(h int32, n *Modulus) uint64 { return n.Of(uint32(max(h, -h))) }

// Bucket is the first N bytes of the digest of data, as a big-endian number, mod n. n is
// less than 2³². Of murmur3("hello") = 24 8b fa 47 and n = 16 it is 7.
func (p *Part) Bucket(data []byte, n uint64) uint64 {
	var room [MaxSize]byte
	return Mod(p.Hash.Append(room[:0], data)[:p.N], n)
}

// Mod is the big-endian number b, of any length, mod n. n is less than 2³². Of 01 00 and
// 10 it is 6.
func Mod(b []byte, n uint64) (r uint64) {
	for ; len(b)%4 != 0; b = b[1:] {
		r = r<<8 | uint64(b[0])
	}
	if len(b) == 0 {
		return r % n
	}
	for ; len(b) > 0; b = b[4:] { // r is less than 2³²
		r = (r<<32 | uint64(binary.BigEndian.Uint32(b))) % n
	}
	return r
}

// Modulus computes x mod N without a division, which would cost as much as a short
// murmur hash. It multiplies the fraction x/N, in 64 bits, by N (Lemire, Kaser, Kurz:
// Faster Remainder by Direct Computation, 2019).
type Modulus struct {
	N       uint64 // 0 in the zero Modulus, which must not be used
	inverse uint64 // 2⁶⁴/N rounded up; 0 if N is a power of two
	lift    uint64 // if numbers have a sign the first multiple of N from 2⁶³ on: with it none is below 0; else 0
}

// NewModulus is the Modulus of n, 1 to 2³².
func NewModulus(n uint64) Modulus {
	if n&(n-1) == 0 {
		return Modulus{N: n}
	}
	return Modulus{N: n, inverse: math.MaxUint64/n + 1}
}

// Signed is the Modulus for numbers with a sign, of which OfLong is Math.floorMod: of −3 and 10 it is 7. N is less
// than 2⁶³.
func (m Modulus) Signed() Modulus {
	m.lift = (1<<63 + m.N - 1) / m.N * m.N
	return m
}

// Of is x mod N.
func (m *Modulus) Of(x uint32) uint64 {
	if m.inverse == 0 {
		return uint64(x) & (m.N - 1)
	}
	rest, _ := bits.Mul64(m.inverse*uint64(x), m.N)
	return rest
}

// OfLong is x mod N. Of the quotient it makes an estimate, x times 2⁶⁴/N rounded down, which is right
// or 1 too small.
func (m *Modulus) OfLong(x uint64) uint64 {
	if m.inverse == 0 {
		return x & (m.N - 1)
	}
	x += m.lift & uint64(int64(x)>>63) // no branch: nobody can foretell the sign
	q, _ := bits.Mul64(m.inverse-1, x)
	if x -= q * m.N; x >= m.N {
		x -= m.N
	}
	return x
}
