package rowkey

import (
	"iter"
	"slices"
	"time"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// FieldInfo is one component as a tool sees it. What a component does not have
// is the zero value: the Most of a text, the Buckets of a field.
type FieldInfo struct {
	Name     string        // empty for a constant
	Kind     Kind          // of a Copy, its source's
	Size     int           // stored bytes, 0 where they vary or there are none
	Order    Order         // of values against stored bytes; Forward for a constant
	Notation string        // its piece of Schema.String
	Derived  bool          // never supplied: a salt, a hash, a copy
	Stored   bool          // false for NotStored
	Optional bool          // may be null
	Bytes    int           // of a Uint, an Int or a Float: as declared, 1 to 8, however they are stored
	Numeric  bool          // of a String: it is a decimal number
	Most     uint64        // of a Uint or an Int: the largest value
	Step     time.Duration // of a Time: one stored unit; a day for what counts in days, months or years
	First    time.Time     // of a Time: the earliest instant
	Chars    string        // of a String or a Binary: the bytes that Chars admits, in order
	Const    string        // of a constant: its bytes
	Buckets  uint64        // of a Salt

	Count    uint64    // how many values there can be; 0 if more than 2⁶⁴−1, or if nothing bounds them
	Last     time.Time // of a Time: the latest instant, down to its unit
	Source   string    // of a Copy: the field
	Inputs   []string  // of a Salt or a Hash: the fields and copies it is computed from; of Rest all behind it
	Rule     SaltRule  // of a Salt; 0 is a digest's, by default murmur3
	Bits     int       // of a Hash: how many bits of the digest stand in the key
	Reversed bool      // stored in another order of bytes: Reverse, ReverseRune, ReverseLabels, ReversePart
	Loose    bool      // Loose was said
	Slot     bool      // Bucket was said: a slot that the writer chooses
	Pad      string    // of Pad and PadLeft: the byte that fills a value up; else empty

	Truncated time.Duration // of a Time: what Truncate rounds it down to
}

// Kind is what a component is to its caller, in the word that errors have for it:
// "string", "binary", "uint", "int", "float", "bool" or "time" of a field or a Copy,
// "literal" of constant bytes, a Separator's too, "salt" or "hash". It has no other
// value.
type Kind string

// Fields yields each component in key order.
func (s *Schema) Fields() iter.Seq[FieldInfo] {
	return func(yield func(FieldInfo) bool) {
		for i := range s.in.comps {
			f := infoOf(&s.in.comps[i])
			f.Inputs = inputsOf(&s.in, &s.in.comps[i])
			if !yield(f) {
				return
			}
		}
	}
}

// inputsOf are the names of what a salt or a hash is computed from.
func inputsOf(s *schema, c *component) (names []string) {
	switch {
	case c.rest:
		for i := c.index + 1; i < len(s.comps); i++ {
			if b := &s.comps[i]; b.role != roleLiteral && !b.absent {
				names = append(names, b.name)
			}
		}
	case c.in != nil:
		for _, in := range c.in.comps {
			names = append(names, in.name)
		}
	}
	return names
}

func infoOf(c *component) FieldInfo {
	f := FieldInfo{Name: c.name, Kind: Kind(c.kind.String()), Order: Order(c.order), Notation: c.notation(), Derived: c.derived(), Stored: !c.absent,
		Optional: c.optional, Const: string(c.lit), Buckets: c.buckets}
	if c.shape.Fixed() && !c.absent {
		f.Size = c.shape.Min
	}
	switch c.kind {
	case kindString, kindBinary:
		f.Numeric = c.decimal != forms.NoDecimal
		for b := range 256 {
			if c.chars != nil && c.chars[b] {
				f.Chars += string([]byte{byte(b)})
			}
		}
	case kindUint:
		f.Bytes, f.Most = c.size, c.num.max
	case kindInt:
		f.Bytes, f.Most = c.size, c.num.max-signBit64
	case kindFloat:
		f.Bytes = c.size
	case kindTime:
		f.Step, f.First, f.Last = c.unit.stepOf(), firstTime(c), latestTime(c)
		f.Truncated = time.Duration(c.num.trunc) * c.unit.step
	}
	f.Count, f.Loose, f.Slot = valueCount(c), c.loose, c.bucket
	if c.of != nil {
		f.Source = c.of.name
	}
	if c.role == roleSalt {
		f.Rule = SaltRule(c.rule)
	}
	if c.role == roleHash {
		f.Bits = c.part.cut.Bits()
	}
	if c.frame == framePad || c.frame == framePadLeft {
		f.Pad = string([]byte{c.pad})
	}
	f.Reversed = slices.ContainsFunc(c.stages, stage.reverses)
	return f
}

// valueCount is how many values there can be, 0 if that is no number.
func valueCount(c *component) uint64 {
	switch {
	case len(c.oneOf)+len(c.codes) > 0:
		return uint64(len(c.oneOf) + len(c.codes))
	case c.role == roleSalt:
		return c.buckets
	}
	switch c.kind {
	case kindBool:
		return 2
	case kindUint, kindInt, kindTime:
		return c.num.max - c.num.min + 1
	}
	return 0
}

// reverses reports a stage that writes what it gets in another order.
func (st stage) reverses() bool {
	switch st.word {
	case notation.Reverse, notation.ReverseRune, notation.ReverseLabels, notation.ReversePart:
		return true
	}
	return false
}

// stepOf is how much of time one stored unit is, a day at most where that
// differs.
func (u *unit) stepOf() time.Duration {
	if u.lay == nil {
		return u.step
	}
	return [...]time.Duration{1: day, 2: day, 3: day, 4: time.Hour, 5: time.Minute, 6: time.Second}[u.lay.Elements]
}

const day = 24 * time.Hour

// firstTime is the earliest instant of a time.
func firstTime(c *component) time.Time {
	n := plainUnits(c, c.num.min)
	if l := c.unit.lay; l != nil { // whose steps begin where its zone says
		if from := l.Floor(n); from < n {
			n = l.Next(from)
		}
	}
	return c.asTime(uint64(n))
}

// latestTime is the latest instant of a time, down to its unit.
func latestTime(c *component) time.Time {
	n := plainUnits(c, c.num.max)
	if l := c.unit.lay; l != nil {
		n = l.Floor(n)
	}
	return c.asTime(uint64(n))
}

// plainUnits is the number of a time's units, or seconds of a Layout, without the
// bias that makes negative ones sort.
func plainUnits(c *component, n uint64) int64 {
	if c.unit.lay != nil || c.signed {
		n ^= signBit64
	}
	return int64(n)
}

// Values are the texts that a field of OneOf or Codes admits, sorted; nil for a
// field whose values are not listed.
func (s *Schema) Values(field string) []string {
	c := s.in.byName[field]
	if c == nil || c.codes == nil && c.oneOf == nil {
		return nil
	}
	values := sortedKeys(c.codes)
	for v := range c.oneOf {
		values = append(values, v)
	}
	slices.Sort(values)
	return values
}

// Bucket is what stands in the key for a salt, as a person says it, such as 12
// or its letter; empty for what is no salt of the schema.
func (r Row) Bucket(salt string) string {
	if c := r.component(salt); c != nil && c.role == roleSalt {
		return c.bucketText(r.form(c))
	}
	return ""
}
