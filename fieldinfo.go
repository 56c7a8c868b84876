package rowkey

import (
	"iter"
	"slices"
	"time"
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
}

// Fields yields each component in key order.
func (s *Schema) Fields() iter.Seq[FieldInfo] {
	return func(yield func(FieldInfo) bool) {
		for i := range s.comps {
			if !yield(s.comps[i].info()) {
				return
			}
		}
	}
}

func (c *component) info() FieldInfo {
	f := FieldInfo{Name: c.name, Kind: c.kind, Order: c.order, Notation: c.notation(), Derived: c.derived(), Stored: !c.absent,
		Optional: c.optional, Const: string(c.lit), Buckets: c.buckets}
	if c.shape.fixed() && !c.absent {
		f.Size = c.shape.min
	}
	switch c.kind {
	case KindString, KindBinary:
		f.Numeric = c.decimal != noDecimal
		for b := range 256 {
			if c.chars != nil && c.chars[b] {
				f.Chars += string([]byte{byte(b)})
			}
		}
	case KindUint:
		f.Bytes, f.Most = c.size, c.num.max
	case KindInt:
		f.Bytes, f.Most = c.size, c.num.max-signBit64
	case KindFloat:
		f.Bytes = c.size
	case KindTime:
		f.Step, f.First = c.unit.stepOf(), c.first()
	}
	return f
}

// stepOf is how much of time one stored unit is, a day at most where that
// differs.
func (u *Unit) stepOf() time.Duration {
	if u.lay == nil {
		return u.step
	}
	return [...]time.Duration{1: day, 2: day, 3: day, 4: time.Hour, 5: time.Minute, 6: time.Second}[u.lay.fields]
}

const day = 24 * time.Hour

// first is the earliest instant of a time.
func (c *component) first() time.Time {
	n := c.num.min
	if c.unit.lay != nil || c.signed {
		n ^= signBit64
	}
	if l := c.unit.lay; l != nil { // whose steps begin where its zone says
		if from := l.floor(int64(n)); from < int64(n) {
			n = uint64(l.next(from))
		}
	}
	return c.asTime(n)
}

// Values are the texts that a field of OneOf or Codes admits, sorted; nil for a
// field whose values are not listed.
func (s *Schema) Values(field string) []string {
	c := s.byName[field]
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

// Words are the words of the notation that may stand behind a component's head:
// the options, the rules of a salt and the dialects, sorted. Completion offers
// them.
func Words() []string { return optionWords() }
