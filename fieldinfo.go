package rowkey

import (
	"iter"
	"slices"
	"time"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// FieldInfo is one component, as a tool sees it. What a component does not have is the
// zero value, such as the Most of a text, or the Time of a number.
//
// Kind says what a component is to its caller. Errors use the same words. A field or a
// Copy is "string", "binary", "uint", "int", "float", "bool" or "time". Constant bytes,
// also those of a Separator, are "literal". A salt is "salt", a hash is "hash". There is
// no other value.
type FieldInfo struct {
	Name     string // empty for a constant
	Kind     string // of a Copy, its source's
	Size     int    // stored bytes, 0 where they vary or there are none
	Order    Order  // of values against stored bytes; Forward for a constant
	Notation string // its piece of Schema.String
	Derived  bool   // never supplied: a salt, a hash, a copy
	Stored   bool   // false for NotStored
	Optional bool   // may be null
	Nulls    Order  // of what is Optional: nulls sort before all values, after them (Backward), or neither (Unordered)
	Count    uint64 // how many values there can be, such as a salt's buckets; 0 if more than 2⁶⁴−1, or if nothing bounds them
	Bytes    int    // of a Uint, an Int or a Float: as declared, 1 to 8, however they are stored
	Most     uint64 // of a Uint or an Int: the largest value
	Numeric  bool   // of a String: it is a decimal number
	Chars    string // of a String or a Binary: the bytes that Chars admits, in order
	Pad      string // of Pad and PadLeft: the byte that fills a value up; else empty
	Const    string // of a constant: its bytes
	Reversed bool   // stored in another order of bytes: Reverse, ReverseRune, ReverseLabels, ReversePart
	Loose    bool   // Loose was said
	Slot     bool   // Bucket was said: a slot that the writer chooses

	// Time is of a Time.
	Time struct {
		Step        time.Duration // one stored unit; a day for what counts in days, months or years
		First, Last time.Time     // the earliest and the latest instant that a key takes, down to the unit
		Truncated   time.Duration // what Truncate rounds it down to
	}

	// Computed is of a Copy, a Salt or a Hash.
	Computed struct {
		Source string   // of a Copy: the field
		Inputs []string // of a Salt or a Hash: the fields and copies it is computed from; of rest() all after it
		Rule   SaltRule // of a Salt; 0 is a digest's, by default murmur3
		Bits   int      // of a Hash: how many bits of the digest stand in the key
	}
}

// Fields yields each component in key order.
func (s *Schema) Fields() iter.Seq[FieldInfo] {
	return func(yield func(FieldInfo) bool) {
		for i := range s.in.Comps {
			if !yield(infoOf(&s.in, &s.in.Comps[i])) {
				return
			}
		}
	}
}

// inputsOf are the names of what a salt or a hash is computed from.
func inputsOf(s *layout.Schema, c *layout.Component) (names []string) {
	switch {
	case c.Rest:
		for i := c.Index + 1; i < len(s.Comps); i++ {
			if b := &s.Comps[i]; b.Role != layout.RoleLiteral && !b.Absent {
				names = append(names, b.Name)
			}
		}
	case c.In != nil:
		for _, in := range c.In.Comps {
			names = append(names, in.Name)
		}
	}
	return names
}

// infoOf is what a tool learns of a component.
func infoOf(s *layout.Schema, c *layout.Component) FieldInfo {
	f := FieldInfo{Name: c.Name, Kind: c.Kind.String(), Order: Order(c.Order), Notation: c.Notation(), Derived: c.Derived(), Stored: !c.Absent,
		Optional: c.Optional, Const: string(c.Lit)}
	f.Computed.Inputs = inputsOf(s, c)
	if c.Shape.Fixed() && !c.Absent {
		f.Size = c.Shape.Min
	}
	switch c.Kind {
	case layout.KindString, layout.KindBinary:
		f.Numeric = c.Decimal != forms.NoDecimal
		if c.Chars != nil {
			f.Chars = string(c.Chars.Listed())
		}
	case layout.KindUint:
		f.Bytes, f.Most = c.Size, c.Num.Max
	case layout.KindInt:
		f.Bytes, f.Most = c.Size, c.Num.Max-layout.SignBit64
	case layout.KindFloat:
		f.Bytes = c.Size
	case layout.KindTime:
		f.Time.Step, f.Time.First, f.Time.Last = c.Unit.StepOf(), firstTime(c), latestTime(c)
		f.Time.Truncated = time.Duration(c.Num.Trunc) * c.Unit.Step
	}
	f.Count, f.Loose, f.Slot = valueCount(c), c.Loose, c.Bucket
	if c.Of != nil {
		f.Computed.Source = c.Of.Name
	}
	if c.Role == layout.RoleSalt {
		f.Computed.Rule = SaltRule(c.Rule)
	}
	if c.Role == layout.RoleHash {
		f.Computed.Bits = c.Part.Cut.Bits()
	}
	if c.Frame == layout.FramePad || c.Frame == layout.FramePadLeft {
		f.Pad = string([]byte{c.Pad})
	}
	f.Reversed = slices.ContainsFunc(c.Stages, layout.Stage.Reverses)
	if c.Optional {
		f.Nulls = nullOrder(c)
	}
	return f
}

// nullOrder is where nulls sort among the values. Nulls at the end of a key are not written,
// and a shorter key sorts first: of [b optional desc][c optional] of OrderedBytes a null b is fa
// before a c, after all values, and nothing if c is null, too.
func nullOrder(c *layout.Component) Order {
	switch side := c.NullSide(); {
	case side == layout.Below, c.Tail && c.Null == nil:
		return Forward
	case side == layout.Above && !c.Tail:
		return Backward
	}
	return Unordered
}

// valueCount is how many values there can be, 0 if that is no number.
func valueCount(c *layout.Component) uint64 {
	switch {
	case len(c.OneOf)+len(c.Codes) > 0:
		return uint64(len(c.OneOf) + len(c.Codes))
	case c.Role == layout.RoleSalt:
		return c.Buckets
	}
	switch c.Kind {
	case layout.KindBool:
		return 2
	case layout.KindUint, layout.KindInt, layout.KindTime:
		return c.Num.Max - c.Num.Min + 1
	}
	return 0
}

// firstTime is the earliest instant of a time.
func firstTime(c *layout.Component) time.Time {
	n := int64(c.Unrank(c.Num.Min)) // of a Layout in seconds
	if l := c.Unit.Lay; l != nil {  // whose steps begin where its zone says
		if from := l.Floor(n); from < n {
			n = l.Next(from)
		}
	}
	return c.AsTime(c.Raised(uint64(n)))
}

// latestTime is the latest instant of a time, down to its unit.
func latestTime(c *layout.Component) time.Time {
	n := int64(c.Unrank(c.Num.Max)) // of a Layout in seconds
	if l := c.Unit.Lay; l != nil {
		n = l.Floor(n)
	}
	return c.AsTime(uint64(n))
}

// Values gives the texts that a field of OneOf or Codes admits, sorted. For any other
// field it is nil.
func (s *Schema) Values(field string) []string {
	c := s.in.Named(field)
	if c == nil || c.Codes == nil && c.OneOf == nil {
		return nil
	}
	values := c.Listed()
	slices.Sort(values)
	return values
}

// Bucket is a salt's value in the key as text: its number, such as "12", or "0012" with Digits(4), or its
// letter. For a name that is no salt of the schema it is empty.
func (r Row) Bucket(salt string) string {
	if c := r.component(salt); c != nil && c.Role == layout.RoleSalt {
		return c.BucketText(r.form(c))
	}
	return ""
}

// Order relates stored bytes to values; the zero value is not an order.
type Order uint8

const (
	Forward   = Order(forms.Forward)   // bytes sort as values do
	Backward  = Order(forms.Backward)  // bytes sort the other way round
	Unordered = Order(forms.Unordered) // neither; ranges of values cannot be ranges of keys
)

func (o Order) String() string {
	switch o {
	case Forward:
		return "forward"
	case Backward:
		return "backward"
	case Unordered:
		return "unordered"
	}
	return "invalid order"
}
