package rowkey

import (
	"crypto/sha512"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"unicode/utf8"
)

// SaltRule is a SaltOption: how a bucket follows from the input of a Salt of n
// buckets. Without one the bucket is murmur3_32 of the input mod n. A hash of
// Java's is of the input's text, but where it says bytes.
type SaltRule uint8

const (
	ruleDigest     SaltRule = iota // a digest's bytes as a big-endian number, mod n
	JavaHash                       // (String.hashCode() & 0x7fffffff) % n
	JavaHashAbs                    // Math.abs(String.hashCode()) % n; the one value whose abs is negative is refused
	JavaHashModAbs                 // Math.abs(String.hashCode() % n)
	JavaHashFloor                  // Math.floorMod(String.hashCode(), n)
	PhoenixHash                    // Math.abs(h % n), h the signed hash of the bytes by 31, from 1 (OpenTSDB's, too)
	HBaseWDHash                    // Math.abs(h) % n, h the same; the one value whose abs is negative is refused
	PinpointHash                   // (h & 0x7fffffff) % n, h the same
	Modulo                         // the integer itself mod n, never negative
)

func (r SaltRule) saltOption() opt {
	if r < JavaHash || r > Modulo {
		return opt{word: word("SaltRule(" + strconv.Itoa(int(r)) + ")")}
	}
	return opt{word: wRule, rule: r}
}

// ruleNames are the rules in the notation.
var ruleNames = [...]string{"", "javahash", "javahashabs", "javahashmodabs", "javahashfloor", "phoenixhash", "hbasewdhash", "pinpointhash", "modulo"}

func (r SaltRule) java() bool { return r >= JavaHash && r <= JavaHashFloor }

// bucketOf is the bucket of a salt's input.
func (c *component) bucketOf(data []byte) (uint64, bool) {
	if c.rule == ruleDigest && c.part.alg == algMurmur3 && c.part.n == 4 {
		return c.mod.of(murmur32(c.part.seed, data)), true
	}
	return c.rule.bucket(&c.part, data, c.buckets)
}

// modulus is a number of 32 bits by which others are divided often: the
// fraction x/n in 64 bits times n is the rest (Lemire, Kaser, Kurz: Faster
// Remainder by Direct Computation, 2019). A division costs as much as a short
// murmur hash. Of a power of two the inverse is 0.
type modulus struct{ n, inverse uint64 }

func newModulus(n uint64) modulus {
	if n&(n-1) == 0 {
		return modulus{n: n}
	}
	return modulus{n, math.MaxUint64/n + 1}
}

// of is x mod n.
func (m *modulus) of(x uint32) uint64 {
	if m.inverse == 0 {
		return uint64(x) & (m.n - 1)
	}
	rest, _ := bits.Mul64(m.inverse*uint64(x), m.n)
	return rest
}

// bucket is the bucket of an input by a rule; n is at most 2³¹ for the rules of
// Java. False where the rule has no bucket for this input.
func (r SaltRule) bucket(p *Part, data []byte, n uint64) (uint64, bool) {
	switch r {
	case ruleDigest:
		var room [sha512.Size]byte
		return bytesMod(p.appendSum(room[:0], data)[:p.n], n), true
	case JavaHash, JavaHashAbs, JavaHashFloor, JavaHashModAbs:
		h, ok := javaHash(data)
		if !ok {
			return 0, false
		}
		switch r {
		case JavaHash:
			return uint64(h&math.MaxInt32) % n, true
		case JavaHashAbs:
			return absMod(h, n)
		case JavaHashModAbs:
			m := int64(h) % int64(n)
			return uint64(max(m, -m)), true
		}
		return uint64(mod(int64(h), int64(n))), true
	case PhoenixHash:
		h := int64(hash31(data)) % int64(n)
		return uint64(max(h, -h)), true
	case HBaseWDHash:
		return absMod(hash31(data), n)
	default: // PinpointHash; Modulo takes no bytes
		return uint64(hash31(data)&math.MaxInt32) % n, true
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

// bytesMod is a big-endian number of any length, mod n, which is less than 2³².
func bytesMod(b []byte, n uint64) (r uint64) {
	for ; len(b)%4 != 0; b = b[1:] {
		r = r<<8 | uint64(b[0])
	}
	for ; len(b) > 0; b = b[4:] {
		r = (r%n<<32 | uint64(binary.BigEndian.Uint32(b))) % n
	}
	return r % n
}

// hash31 is Java's Arrays.hashCode(byte[]): from 1, h = 31h + b with signed
// bytes, in 32 bits. Phoenix, OpenTSDB, HBaseWD and Pinpoint salt with it.
func hash31(b []byte) int32 {
	h := int32(1)
	for _, c := range b {
		h = 31*h + int32(int8(c))
	}
	return h
}

// javaHash is String.hashCode over the UTF-16 units of a text; false if the
// text is not UTF-8, since Java has no such string.
func javaHash(text []byte) (h int32, ok bool) {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if r == utf8.RuneError && n <= 1 {
			return 0, false
		}
		text = text[n:]
		if r >= 0x10000 {
			r -= 0x10000
			h = 31*h + 0xd800 + r>>10
			r = 0xdc00 + r&0x3ff
		}
		h = 31*h + r
	}
	return h, true
}

// saltForm is how a bucket is written.
type saltForm uint8

const (
	saltBytes saltForm = iota // width bytes, big-endian
	saltDigits
	saltDecimal
	saltLetters
)

// appendBucket appends a bucket's stored form.
func (c *component) appendBucket(dst []byte, n uint64) []byte {
	switch c.saltForm {
	case saltBytes:
		return appendUint(dst, n, c.width)
	case saltDigits:
		return appendDigits(dst, n, c.width)
	case saltDecimal:
		return appendDigits(dst, n, decimalLen(n))
	}
	return append(dst, c.letters[n])
}

// putBucket is appendBucket, and what a transform makes of it.
func (c *component) putBucket(dst []byte, n uint64) ([]byte, error) {
	if c.vias == 0 {
		return c.appendBucket(dst, n), nil
	}
	at := len(dst)
	return c.stages[0].via.append(c.appendBucket(dst, n), at)
}

// saltVia is the shape of a salt that a transform writes: each of its forms is
// tried if they are few.
func (c *component) saltVia() string {
	if c.vias == 0 {
		return ""
	}
	v := c.stages[0].via
	if c.buckets > maxForms {
		c.shape = c.shape.through(v)
		c.shape.dir = none
		if c.shape.ends == endNone || c.shape.goesOn != 0 {
			return fmt.Sprintf("%s on more than %d buckets needs a Size, or to be Delimited", v.notation(), maxForms)
		}
		c.selfEnded(&c.shape)
		return ""
	}
	forms := make([]string, c.buckets)
	seen := map[string]bool{}
	for i := range forms {
		form, err := c.putBucket(nil, uint64(i))
		if err != nil {
			return fmt.Sprintf("bucket %d cannot be written: %v", i, err)
		}
		if forms[i] = string(form); seen[forms[i]] {
			return fmt.Sprintf("%s writes two buckets alike", v.notation())
		}
		seen[forms[i]] = true
	}
	c.shape = setShape(forms)
	c.shape.dir = none
	return ""
}

// unmarked says which form of a salt that a transform writes holds its separator.
func (c *component) unmarked() string {
	if c.role != roleSalt || c.vias == 0 {
		return ""
	}
	for i := range c.buckets {
		if form, err := c.putBucket(nil, i); err != nil || !marks(form, c.mark) {
			return fmt.Sprintf("bucket %d is written with its separator in it", i)
		}
	}
	return ""
}
