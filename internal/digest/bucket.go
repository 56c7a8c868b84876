package digest

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// Rule is how a bucket follows from bytes.
type Rule uint8

const (
	OfDigest   Rule = iota // a digest's bytes as a big-endian number, mod n
	Java                   // (String.hashCode() & 0x7fffffff) % n
	JavaAbs                // Math.abs(String.hashCode()) % n
	JavaModAbs             // Math.abs(String.hashCode() % n)
	JavaFloor              // Math.floorMod(String.hashCode(), n)
	Phoenix                // Math.abs(h % n), h of JavaBytes
	HBaseWD                // Math.abs(h) % n
	Pinpoint               // (h & 0x7fffffff) % n
	Modulo                 // the integer itself mod n, by FloorMod
)

// rules are the rules in the notation.
var rules = [...]string{"", "javahash", "javahashabs", "javahashmodabs", "javahashfloor", "phoenixhash", "hbasewdhash", "pinpointhash", "modulo"}

// String is the rule in the notation; empty for OfDigest, which has a digest's
// name.
func (r Rule) String() string { return rules[r] }

// RuleNamed is the rule of this name, false if there is none.
func RuleNamed(name string) (Rule, bool) {
	for i, n := range rules[1:] {
		if n == name {
			return Rule(i + 1), true
		}
	}
	return 0, false
}

// RuleNames are the rules' names.
func RuleNames() []string { return slices.Clone(rules[1:]) }

// OfText reports that the rule is of a Java string.
func (r Rule) OfText() bool { return r >= Java && r <= JavaFloor }

// Bucket is the bucket of data among n, which is at most 2³¹; for a rule that is
// neither OfDigest nor Modulo. False where it has none for this data. Of "ab",
// whose String.hashCode is 3105, JavaAbs among 16 gives bucket 1.
func (r Rule) Bucket(data []byte, n uint64) (uint64, bool) {
	switch r {
	case Java, JavaAbs, JavaFloor, JavaModAbs:
		h, ok := JavaString(data)
		if !ok {
			return 0, false
		}
		switch r {
		case Java:
			return uint64(h&math.MaxInt32) % n, true
		case JavaAbs:
			return absMod(h, n)
		case JavaModAbs:
			return modAbs(h, n), true
		}
		return FloorMod(int64(h), n), true
	case Phoenix:
		return modAbs(JavaBytes(data), n), true
	case HBaseWD:
		return absMod(JavaBytes(data), n)
	default: // Pinpoint
		return uint64(JavaBytes(data)&math.MaxInt32) % n, true
	}
}

// absMod is Math.abs(h) % n; Math.abs of the smallest int is negative, and the
// bucket it gives is in nobody's list.
func absMod(h int32, n uint64) (uint64, bool) {
	if h < 0 {
		h = -h
	}
	return uint64(h) % n, h >= 0
}

// modAbs is Math.abs(h % n): of −3 among 16 it is 3.
func modAbs(h int32, n uint64) uint64 {
	m := int64(h) % int64(n)
	return uint64(max(m, -m))
}

// FloorMod is Math.floorMod(a, n), never negative: of −3 among 16 it is 13.
func FloorMod(a int64, n uint64) uint64 {
	m := a % int64(n)
	if m < 0 {
		m += int64(n)
	}
	return uint64(m)
}

// Bucket is the first N bytes of the digest of data as a big-endian number, mod
// n, which is less than 2³².
func (p *Part) Bucket(data []byte, n uint64) uint64 {
	var room [MaxSize]byte
	return Mod(p.Hash.Append(room[:0], data)[:p.N], n)
}

// Mod is a big-endian number of any length, mod n, which is less than 2³²: of
// 01 00 among 10 it is 6.
func Mod(b []byte, n uint64) (r uint64) {
	for ; len(b)%4 != 0; b = b[1:] {
		r = r<<8 | uint64(b[0])
	}
	for ; len(b) > 0; b = b[4:] {
		r = (r%n<<32 | uint64(binary.BigEndian.Uint32(b))) % n
	}
	return r % n
}

// Modulus is a number of 32 bits by which others are divided often: the
// fraction x/n in 64 bits times n is the rest (Lemire, Kaser, Kurz: Faster
// Remainder by Direct Computation, 2019). A division costs as much as a short
// murmur hash. Of a power of two the inverse is 0.
type Modulus struct {
	N       uint64 // the number; 0 of the zero Modulus, which divides nothing
	inverse uint64
}

// NewModulus is that of n, 1 to 2³².
func NewModulus(n uint64) Modulus {
	if n&(n-1) == 0 {
		return Modulus{N: n}
	}
	return Modulus{n, math.MaxUint64/n + 1}
}

// Of is x mod n.
func (m *Modulus) Of(x uint32) uint64 {
	if m.inverse == 0 {
		return uint64(x) & (m.N - 1)
	}
	rest, _ := bits.Mul64(m.inverse*uint64(x), m.N)
	return rest
}
