package rowkey

import (
	"fmt"
	"strconv"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// SaltRule is a SaltOption: how a bucket follows from the input of a Salt of n
// buckets. Without one the bucket is murmur3_32 of the input mod n. A hash of
// Java's is of the input's text, but where it says bytes.
type SaltRule uint8

// They stand in the order of digest.Rule.
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

// notation is the rule's word.
func (r SaltRule) notation() string { return digest.Rule(r).String() }

// bucketOf is the bucket of a salt's input; false where its rule has none.
func (c *component) bucketOf(data []byte) (uint64, bool) {
	if p := &c.part.cut; c.rule == ruleDigest {
		if p.Algorithm == digest.Murmur3 && p.N == 4 {
			return c.mod.Of(digest.Murmur32(p.Seed, data)), true
		}
		return p.Bucket(data, c.buckets), true
	}
	return digest.Rule(c.rule).Bucket(data, c.buckets)
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
		return forms.AppendUint(dst, n, c.width)
	case saltDigits:
		return forms.AppendDigits(dst, n, c.width)
	case saltDecimal:
		return forms.AppendDigits(dst, n, forms.DigitsLen(n))
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
		if form, err := c.putBucket(nil, i); err != nil || !forms.Marks(form, c.mark) {
			return fmt.Sprintf("bucket %d is written with its separator in it", i)
		}
	}
	return ""
}
