package rowkey

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// SaltRule is a SaltOption: how a bucket follows from the input of a Salt of n
// buckets. Without one the bucket is murmur3_32 of the input mod n. A hash of
// Java's is of the input's text, but where it says bytes.
type SaltRule uint8

// They stand in the order of digest.Rule.
const (
	_              SaltRule = iota // a digest's bytes as a big-endian number, mod n
	JavaHash                       // (String.hashCode() & 0x7fffffff) % n
	JavaHashAbs                    // Math.abs(String.hashCode()) % n; the one value whose abs is negative is refused
	JavaHashModAbs                 // Math.abs(String.hashCode() % n)
	JavaHashFloor                  // Math.floorMod(String.hashCode(), n)
	PhoenixHash                    // Math.abs(h % n), h the signed hash of the bytes by 31, from 1 (OpenTSDB's, too)
	HBaseWDHash                    // Math.abs(h) % n, h the same; the one value whose abs is negative is refused
	PinpointHash                   // (h & 0x7fffffff) % n, h the same
	Modulo                         // the integer itself mod n, never negative
)

func (r SaltRule) saltOption() option {
	if r < JavaHash || r > Modulo {
		return option{said: notation.Option{Word: notation.Word("SaltRule(" + strconv.Itoa(int(r)) + ")")}}
	}
	return option{
		said: notation.Option{Word: notation.Word(digest.Rule(r).String())},
		toSalt: func(s *salting) string {
			s.c.rule = digest.Rule(r)
			return ""
		},
	}
}

// bucketOf is the bucket of a salt's input; false where its rule has none.
func (c *component) bucketOf(data []byte) (uint64, bool) {
	if p := &c.part.cut; c.rule == digest.OfDigest {
		if p.Algorithm == digest.Murmur3 && p.N == 4 {
			return c.mod.Of(digest.Murmur32(p.Seed, data)), true
		}
		return p.Bucket(data, c.buckets), true
	}
	return c.rule.Bucket(data, c.buckets)
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
		c.shape = through(c.shape, v)
		c.shape.Dir = forms.NoOrder
		if c.shape.Ends == forms.EndNone || c.shape.GoesOn != 0 {
			return fmt.Sprintf("%s on more than %d buckets needs a Size, or to be Delimited", v.notation(), maxForms)
		}
		c.selfEnded(&c.shape)
		return ""
	}
	made := make([]string, c.buckets)
	seen := map[string]bool{}
	for i := range made {
		form, err := c.putBucket(nil, uint64(i))
		if err != nil {
			return fmt.Sprintf("bucket %d cannot be written: %v", i, err)
		}
		if made[i] = string(form); seen[made[i]] {
			return fmt.Sprintf("%s writes two buckets alike", v.notation())
		}
		seen[made[i]] = true
	}
	c.shape = forms.SetShape(made)
	c.shape.Dir = forms.NoOrder
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

func (c *component) compileSalt() string {
	d := c.decl
	c.part = murmurPart
	c.width = 1
	if d.buckets < 1 || d.buckets > math.MaxInt32 {
		return fmt.Sprintf("%d buckets: there is at least 1, and at most Java's largest int", d.buckets)
	}
	c.buckets = uint64(d.buckets)
	c.mod = digest.NewModulus(c.buckets)
	said := &salting{c: c, seen: map[notation.Word]bool{}}
	for i := range d.opts {
		if problem := said.option(&d.opts[i]); problem != "" {
			return problem
		}
	}
	if c.dialect == inPhoenix && !said.seen[notation.RuleOption] {
		c.rule = digest.Phoenix
	}
	c.direct = c.in.single() && c.rule != digest.Modulo && c.vias == 0 && c.part.own == nil
	problem := c.saltShape(said.formed)
	if problem != "" {
		return problem
	}
	c.order = forms.Unordered
	c.murmured = c.direct && c.rule == digest.OfDigest && c.part == murmurPart && c.saltForm == saltBytes && c.width == 1
	if problem = c.saltVia(); problem != "" {
		return problem
	}
	switch {
	case c.rule == digest.Modulo:
		if c.in.form != byValues || len(c.in.comps) != 1 || c.in.comps[0].role != roleField || c.in.comps[0].unit.lay != nil ||
			c.in.comps[0].kind != kindUint && c.in.comps[0].kind != kindInt && c.in.comps[0].kind != kindTime {
			return "Modulo takes one field, a Uint, Int or Time"
		}
	case c.rule.OfText() || c.part.cut.Algorithm == digest.JavaHashCode:
		return c.in.notJava()
	}
	return ""
}

// salting is a salt whose options are read, left to right.
type salting struct {
	c      *component
	seen   map[notation.Word]bool
	formed notation.Word // the option that says how it is written
}

// option reads one option.
func (s *salting) option(o *option) string {
	w := o.word()
	kind := w
	if kind == notation.PartOption {
		kind = notation.RuleOption
	}
	if s.seen[kind] {
		return "option " + string(w) + " stands twice"
	}
	s.seen[kind] = true
	if o.toSalt == nil {
		return fmt.Sprintf("option %s does not fit a salt: it takes a rule or Raw of a digest, Width, Digits, Decimal, Letters, Via and Named", w)
	}
	return o.toSalt(s)
}

// part takes the buckets of a digest's bytes.
func (s *salting) part(p part) string {
	if p.cut.Hex {
		return "a salt is made of a digest's bytes: say Raw"
	}
	s.c.part = p
	return p.wrong()
}

// form writes a bucket's number.
func (s *salting) form(w notation.Word, width int, letters string) string {
	if s.formed != "" {
		return string(s.formed) + " and " + string(w) + " both say how it is written"
	}
	if s.c.vias > 0 {
		return string(w) + " stands before Via, which gets what it writes"
	}
	s.formed, s.c.width, s.c.letters = w, width, letters
	return ""
}

// through adds a transform.
func (s *salting) through(v *via) {
	s.c.stages = append(s.c.stages, stage{word: notation.Via, via: v})
	s.c.vias = 1
}

// saltShape is how the buckets are written, if all of them can be.
func (c *component) saltShape(formed notation.Word) string {
	top := c.buckets - 1
	c.shape = forms.FixedShape(c.width, forms.NoOrder)
	switch formed {
	case "", notation.Width:
		switch {
		case c.width < 1 || c.width > 8:
			return fmt.Sprintf("Width(%d) is not within 1 to 8", c.width)
		case top > forms.Mask(c.width):
			need := 1
			for top > forms.Mask(need) {
				need++
			}
			return fmt.Sprintf("%d buckets do not fit %s: add Width(%d)", c.buckets, plural(c.width, "byte"), need)
		}
	case notation.Digits:
		c.saltForm = saltDigits
		if c.width < 1 || c.width > 20 || forms.DigitsLen(top) > c.width {
			return fmt.Sprintf("%d buckets do not fit Digits(%d): say Digits(%d)", c.buckets, c.width, forms.DigitsLen(top))
		}
		c.shape.Bytes = forms.BytesOf("0123456789")
	case notation.Decimal:
		c.saltForm = saltDecimal
		c.shape = forms.Shape{Min: 1, Max: forms.DigitsLen(top), Dir: forms.NoOrder, Bytes: forms.BytesOf("0123456789")}
		if c.shape.Fixed() {
			c.shape.Ends = forms.EndWidth
		}
	case notation.Letters:
		c.saltForm, c.width = saltLetters, 1
		c.shape = forms.FixedShape(1, forms.NoOrder)
		c.shape.Bytes = forms.BytesOf(c.letters)
		for i := range len(c.letters) {
			if strings.IndexByte(c.letters, c.letters[i]) != i {
				return fmt.Sprintf("Letters(%q) has a letter twice", c.letters)
			}
		}
		if uint64(len(c.letters)) != c.buckets {
			return fmt.Sprintf("%d buckets need %d letters of one byte, not %d", c.buckets, c.buckets, len(c.letters))
		}
	}
	return ""
}

// listForms is the n stored forms of a salt or hash, in key order.
func (c *component) listForms(n int) [][]byte {
	all := make([][]byte, n)
	for i := range all {
		switch u := uint64(i); {
		case c.role == roleSalt:
			all[i], _ = c.putBucket(nil, u) // Build has seen that it can
		case c.part.cut.Hex:
			all[i] = forms.AppendHex(nil, u, c.part.cut.N)
			if c.part.cut.Upper {
				all[i] = bytes.ToUpper(all[i])
			}
		default:
			all[i] = forms.AppendUint(nil, u, c.part.cut.N)
		}
	}
	slices.SortFunc(all, func(a, b []byte) int { return bytes.Compare(slices.Concat(a, c.mark), slices.Concat(b, c.mark)) })
	return all
}

// maxForms bounds the ranges that an open salt or hash may become.
const maxForms = 1024
