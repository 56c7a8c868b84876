package layout

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/foreign"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// bucketOf is the bucket of a salt's input; false if its rule has no bucket for it.
func (c *Component) bucketOf(data []byte) (uint64, bool) {
	if p := &c.Part.Cut; c.Rule == digest.OfDigest {
		if p.N == 4 {
			if sum, ok := p.Sum32(data); ok {
				return c.Mod.Of(sum), p.Takes(data)
			}
		}
		return p.Bucket(data, c.Buckets), p.Takes(data)
	}
	return c.Rule.Bucket(data, &c.Mod)
}

// saltForm is how a bucket is written.
type saltForm uint8

const (
	SaltBytes   saltForm = iota // Width bytes, big-endian: 7 is 07
	SaltDigits                  // Width digits: 7 in two digits is 30 37
	SaltDecimal                 // digits without leading zeros: 7 is 37
	SaltLetters                 // the letter number 7
)

// ByteSalt reports that the component is a salt in one byte.
func (c *Component) ByteSalt() bool {
	return c.Role == RoleSalt && c.Width == 1 && c.SaltForm == SaltBytes
}

// Brief is how buckets are written in one byte or two: 7 in two bytes is 00 07, and in two digits 30 37.
type Brief struct {
	Size  uint8  // 0: they are written in another way
	tens  uint8  // of two digits 205, else 0
	zeros uint16 // of two digits 30 30, of one 30, else 0
}

// Word is the bytes of bucket n as a number. It has no branch: n·205/2048 is n/10, and a ten more is 246 more.
func (b *Brief) Word(n uint64) uint64 {
	return n + n*uint64(b.tens)>>11*246 + uint64(b.zeros)
}

// brief is the Brief of a salt.
func (c *Component) brief() (b Brief) {
	switch {
	case c.Width > 2 || c.SaltForm == SaltLetters || c.SaltForm == SaltDecimal && c.Buckets > 10:
		return
	case c.SaltForm != SaltBytes:
		b.zeros = '0'
	}
	if b.Size = uint8(c.Width); b.Size == 2 && c.SaltForm == SaltDigits {
		b.tens, b.zeros = 205, '0'<<8|'0'
	}
	return
}

// AppendBucket appends the stored form of bucket n, before any transform.
func (c *Component) AppendBucket(dst []byte, n uint64) []byte {
	switch c.SaltForm {
	case SaltBytes:
		return forms.AppendUint(dst, n, c.Width)
	case SaltDigits:
		return forms.AppendDigits(dst, n, c.Width)
	case SaltDecimal:
		if n < 10 {
			return append(dst, '0'+byte(n))
		}
		if n < 100 { // usual
			return append(dst, '0'+byte(n/10), '0'+byte(n%10))
		}
		return forms.AppendDigits(dst, n, forms.DigitsLen(n))
	case SaltLetters:
		return append(dst, c.Letters[n])
	}
	panic("layout: a bucket of no form")
}

// HasBucket reports that form is what AppendBucket appends for bucket n.
func (c *Component) HasBucket(form []byte, n uint64) bool {
	var room [20]byte
	return string(c.AppendBucket(room[:0], n)) == string(form)
}

// putBucket appends the stored form of bucket n, after the transform if there is one. A salt of at
// most MaxForms buckets has the forms that Build has seen: its room in a key is that of these.
func (c *Component) putBucket(dst []byte, n uint64) ([]byte, error) {
	switch {
	case c.Vias == 0:
		return c.AppendBucket(dst, n), nil
	case c.made != nil:
		return append(dst, c.made[n]...), nil
	}
	at := len(dst)
	return c.Stages[0].Via.Append(c.AppendBucket(dst, n), at)
}

// saltVia sets the shape of a salt that a transform writes, or says why it cannot be
// written. It tries each bucket if there are at most MaxForms.
func (c *Component) saltVia() string {
	if c.Vias == 0 {
		return ""
	}
	v := c.Stages[0].Via
	if c.Buckets > MaxForms {
		c.Shape = through(c.Shape, v)
		c.Shape.Dir = forms.NoOrder
		if c.Shape.Ends == forms.EndNone || c.Shape.GoesOn != 0 {
			return fmt.Sprintf("%s on more than %d buckets needs a Size, or to be Delimited", v.Notation(), MaxForms)
		}
		c.selfEnded(&c.Shape)
		return ""
	}
	made := make([]string, c.Buckets)
	seen := map[string]bool{}
	for i := range made {
		form, err := c.putBucket(nil, uint64(i))
		if err != nil {
			return fmt.Sprintf("bucket %d cannot be written: %v", i, err)
		}
		if made[i] = string(form); seen[made[i]] {
			return fmt.Sprintf("%s writes two buckets alike", v.Notation())
		}
		seen[made[i]] = true
	}
	c.made = made
	c.Shape = forms.SetShape(made)
	c.Shape.Dir = forms.NoOrder
	return ""
}

// unmarked says which bucket of a salt is written by its transform with the separator in
// it; empty if none.
func (c *Component) unmarked() string {
	if c.Role != RoleSalt || c.Vias == 0 {
		return ""
	}
	for i := range c.Buckets {
		if form, err := c.putBucket(nil, i); err != nil || !forms.Marks(form, c.Mark) {
			return fmt.Sprintf("bucket %d is written with its separator in it", i)
		}
	}
	return ""
}

func (c *Component) compileSalt() string {
	d := c.Decl
	c.Part = murmurPart
	c.Width = 1
	if d.Buckets < 1 || d.Buckets > math.MaxInt32 {
		return fmt.Sprintf("%d buckets: there is at least 1, and at most Java's largest int", d.Buckets)
	}
	c.Buckets = uint64(d.Buckets)
	c.Mod = digest.NewModulus(c.Buckets)
	said := &Salting{C: c, seen: map[notation.Word]bool{}}
	for i := range d.Opts {
		if problem := said.option(&d.Opts[i]); problem != "" {
			return problem
		}
	}
	if c.Dialect == InPhoenix && !said.seen[notation.RuleOption] {
		c.Rule = digest.Phoenix
	}
	problem := c.saltShape(said.formed)
	if problem != "" {
		return problem
	}
	c.Order, c.Brief = forms.Unordered, c.brief()
	c.ruled = c.Rest && c.Rule != digest.OfDigest && c.ByteSalt() && !c.Others()
	if problem = c.saltVia(); problem != "" {
		return problem
	}
	switch {
	case c.Rule == digest.Modulo:
		if !c.In.number() {
			return "Modulo takes one field, a Uint, Int or Time"
		}
		if c.In.Comps[0].Biased() {
			c.Mod = c.Mod.Signed()
		}
	case c.Rule.OfText() || c.Part.Cut.Algorithm == digest.JavaHashCode:
		return c.In.notJava()
	}
	return ""
}

// Salting collects the options of a salt, from left to right.
type Salting struct {
	C      *Component
	seen   map[notation.Word]bool
	formed notation.Word // the option that says how a bucket is written; empty: none
}

// option applies one option, or says why it does not fit.
func (s *Salting) option(o *Option) string {
	w := o.Word()
	kind := w
	if kind == notation.PartOption {
		kind = notation.RuleOption
	}
	if s.seen[kind] {
		return "option " + string(w) + " stands twice"
	}
	s.seen[kind] = true
	if o.ToSalt == nil {
		return fmt.Sprintf("option %s does not fit a salt: it takes a rule or Raw of a digest, Width, Digits, Decimal, Letters, Via and Named", w)
	}
	return o.ToSalt(s)
}

// Part sets the digest from whose bytes the bucket is computed.
func (s *Salting) Part(p Part) string {
	if p.Cut.Hex {
		return "a salt is made of a digest's bytes: say Raw"
	}
	s.C.Part = p
	return p.wrong()
}

// Form sets how the number of a bucket is written.
func (s *Salting) Form(w notation.Word, width int, letters string) string {
	if s.formed != "" {
		return string(s.formed) + " and " + string(w) + " both say how it is written"
	}
	if s.C.Vias > 0 {
		return string(w) + " stands before Via, which gets what it writes"
	}
	s.formed, s.C.Width, s.C.Letters = w, width, letters
	return ""
}

// Through adds a transform of the written bucket.
func (s *Salting) Through(v *foreign.Via) {
	s.C.Stages = append(s.C.Stages, Stage{Word: notation.Via, Via: v})
	s.C.Vias = 1
}

// saltShape sets the form and the shape of the buckets, or says why not all of them can be
// written.
func (c *Component) saltShape(formed notation.Word) string {
	top := c.Buckets - 1
	c.Shape = forms.FixedShape(c.Width, forms.NoOrder)
	switch formed {
	case "", notation.Width:
		switch {
		case c.Width < 1 || c.Width > 8:
			return fmt.Sprintf("Width(%d) is not within 1 to 8", c.Width)
		case top > forms.Mask(c.Width):
			need := 1
			for top > forms.Mask(need) {
				need++
			}
			return fmt.Sprintf("%d buckets do not fit %s: add Width(%d)", c.Buckets, Plural(c.Width, "byte"), need)
		}
	case notation.Digits:
		c.SaltForm = SaltDigits
		if c.Width < 1 || c.Width > 20 || forms.DigitsLen(top) > c.Width {
			return fmt.Sprintf("%d buckets do not fit Digits(%d): say Digits(%d)", c.Buckets, c.Width, forms.DigitsLen(top))
		}
		c.Shape.Bytes = forms.BytesOf("0123456789")
	case notation.Decimal:
		c.SaltForm = SaltDecimal
		c.Shape = forms.Shape{Min: 1, Max: forms.DigitsLen(top), Dir: forms.NoOrder, Bytes: forms.BytesOf("0123456789")}.Settled()
	case notation.Letters:
		c.SaltForm, c.Width = SaltLetters, 1
		c.Shape = forms.FixedShape(1, forms.NoOrder)
		c.Shape.Bytes = forms.BytesOf(c.Letters)
		for i := range len(c.Letters) {
			if strings.IndexByte(c.Letters, c.Letters[i]) != i {
				return fmt.Sprintf("Letters(%q) has a letter twice", c.Letters)
			}
		}
		if uint64(len(c.Letters)) != c.Buckets {
			return fmt.Sprintf("%d buckets need %d letters of one byte, not %d", c.Buckets, c.Buckets, len(c.Letters))
		}
	default:
		return "option " + string(formed) + " writes no bucket"
	}
	return ""
}

// ListForms is the n stored forms of a salt or hash, in key order. Of a salt with a step it leaves some out, and
// gives an error, as BucketForms.
func (c *Component) ListForms(n int) ([][]byte, error) {
	p := &c.Part.Cut
	switch {
	case c.Vias == 0 && c.ByteSalt(), c.Role == RoleHash && !p.Hex && p.N == 1:
		return oneByte()[:n:n], nil
	case c.Role == RoleSalt && !c.BucketsSort():
		return c.BucketForms(n, func(i int) uint64 { return uint64(i) })
	}
	all := make([][]byte, n)
	room := make([]byte, 0, n*c.Shape.Max) // of all forms: a piece for each is most of the time of a schema
	for i := range all {
		at, u := len(room), uint64(i)
		if c.Role == RoleSalt {
			room = c.AppendBucket(room, u)
		} else if !p.Hex {
			room = forms.AppendUint(room, u, p.N)
		} else if room = forms.AppendHex(room, u, p.N); p.Upper {
			forms.Upper(room[at:])
		}
		all[i] = room[at:len(room):len(room)]
	}
	return all, nil
}

// oneByte is the forms of most salts: 00, 01 and so on to ff. All schemas share them.
var oneByte = sync.OnceValue(func() [][]byte {
	all, room := make([][]byte, 256), make([]byte, 256)
	for i := range all {
		room[i] = byte(i)
		all[i] = room[i : i+1 : i+1]
	}
	return all
})

// MaxForms is the largest number of forms that are listed. A query that does not fix a salt
// needs one range for each of its forms.
const MaxForms = 1024

// BucketText is a stored salt as text for people: of 0c in one byte "12".
func (c *Component) BucketText(form []byte) string {
	if c.Vias > 0 {
		if b, err := c.undo(nil, form); err == nil {
			form = b
		}
	}
	if c.SaltForm == SaltBytes && len(form) <= 8 {
		return strconv.FormatUint(forms.ReadUint(form), 10)
	}
	if c.SaltForm == SaltBytes || slices.ContainsFunc(form, func(b byte) bool { return b <= ' ' || b > '~' }) {
		return fmt.Sprintf("%x", form) // a form that no bucket has may have a line break
	}
	return string(form)
}

// BucketNumber is the number of a stored salt: of 0c in one byte 12. False if no bucket has this form.
func (c *Component) BucketNumber(form []byte) (uint64, bool) {
	if c.Vias > 0 {
		b, err := c.undo(nil, form)
		if err != nil {
			return 0, false
		}
		form = b
	}
	var n uint64
	switch c.SaltForm {
	case SaltBytes:
		if len(form) > 8 {
			return 0, false
		}
		n = forms.ReadUint(form)
	case SaltDigits, SaltDecimal:
		var err error
		if n, err = strconv.ParseUint(string(form), 10, 64); err != nil {
			return 0, false
		}
	case SaltLetters:
		at := strings.Index(c.Letters, string(form))
		if at < 0 || len(form) != 1 {
			return 0, false
		}
		n = uint64(at)
	}
	return n, n < c.Buckets && (len(form) == c.Width || c.HasBucket(form, n)) // most have one width: a call less
}

// Guarded reports that a salt or hash of what is not stored has forms that MayBe refuses.
func (c *Component) Guarded() bool {
	all := c.Vias == 0 && c.SaltForm == SaltBytes && c.Buckets>>(8*c.Width) > 0 // any byte is a bucket
	return c.Hidden && (c.Role == RoleSalt && !all || c.Part.Cut.Hex)
}

// MayBe reports that some value may give a salt or hash this stored form: it is a bucket, or digits of a
// digest. Of a copy, whose bytes are not read back, it reports nothing.
func (c *Component) MayBe(form []byte) bool {
	switch {
	case c.Role == RoleHash:
		return forms.Outside(&c.Shape.Bytes, form) < 0
	case c.made != nil:
		return slices.ContainsFunc(c.made, func(m string) bool { return m == string(form) })
	case c.Role == RoleSalt && !(c.Vias > 0 && c.Stages[0].Via.Traits.OneWay):
		_, ok := c.BucketNumber(form)
		return ok
	}
	return true
}

// BucketNumbers gives the number of each stored form. No two buckets are stored alike: saltVia
// has tried it, for at most MaxForms buckets.
func (c *Component) BucketNumbers() map[string]uint64 {
	all := make(map[string]uint64, c.Buckets)
	for n := range c.Buckets {
		form, _ := c.putBucket(nil, n)
		all[string(form)] = n
	}
	return all
}

// BucketForms is the stored forms of n buckets, in key order. It leaves out a bucket that a step refuses, since
// no row has it. The error is a step's panic: a row may have that bucket.
func (c *Component) BucketForms(n int, bucket func(i int) uint64) (all [][]byte, err error) {
	all = make([][]byte, 0, n)
	var room []byte // of all forms, unless a step of the caller's writes them
	for i := range n {
		at := len(room)
		form, problem := c.putBucket(room, bucket(i))
		if c.Vias == 0 {
			room = form
		}
		switch {
		case problem == nil:
			all = append(all, form[at:len(form):len(form)])
		case foreign.IsPanic(problem):
			err = problem
		}
	}
	var x, y []byte
	slices.SortFunc(all, func(a, b []byte) int { // as they stand in a key
		x, y = append(append(x[:0], a...), c.Mark...), append(append(y[:0], b...), c.Mark...)
		return bytes.Compare(x, y)
	})
	return all, err
}

// BucketsSort reports that the forms of a salt sort as the numbers of its buckets do.
func (c *Component) BucketsSort() bool {
	return c.Vias == 0 && (c.SaltForm == SaltBytes || c.SaltForm == SaltDigits)
}

// Count is how many forms a salt or hash has.
func (c *Component) Count() float64 {
	if c.Role == RoleSalt {
		return float64(c.Buckets)
	}
	return math.Ldexp(1, c.Part.Cut.Bits())
}

// OfNumber reports that a salt is taken from a number itself, not from bytes.
func (c *Component) OfNumber() bool { return c.Rule == digest.Modulo }
