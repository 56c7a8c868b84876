package layout

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/hbase-rowkey/rowkey/internal/clock"
	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Kind is the type of a component as its caller sees it. That of a field is one of notation.Kind.
type Kind uint8

const (
	KindString Kind = iota + Kind(notation.String)
	KindBinary
	KindUint
	KindInt
	KindFloat
	KindBool
	KindTime
	KindLiteral // constant bytes
	KindSalt
	KindHash
)

var kindNames = [...]string{"invalid kind", "string", "binary", "uint", "int", "float", "bool", "time", "literal", "salt", "hash"}

func (k Kind) String() string { return kindNames[k] }

// role says where a component's bytes come from.
type role uint8

const (
	RoleField   role = iota // the caller gives the value
	RoleLiteral             // constant bytes
	RoleSalt
	RoleHash
	RoleCopy
)

// Component is one compiled piece of a key: what was declared of it, and what Build
// found out.
type Component struct {
	what
	Admitted
	written
	found
	computed
}

// what says what a component is, and its place in the key.
type what struct {
	Name     string
	Role     role
	Kind     Kind // a copy has the kind of its source
	Absent   bool // NotStored
	last     bool // no stored component follows
	Bucket   bool // option Bucket is set
	Optional bool
	Tail     bool // it and every following component is Optional, so the key may end here
	Trims    bool // the end of a form is left off if only nulls follow: "ab" is 61 62, not 61 62 00
	Index    int  // index among the components
	Ord      int  // index among the supplied fields; −1: not one of them
	Decl     *Declaration
	Lit      []byte // the bytes of a constant
}

// Admitted is which values a field takes.
type Admitted struct {
	Size      int // the declared size of a number, in bytes
	Unit      clock.Unit
	Below     bool   // option Below is set
	Unsigned  bool   // option Unsigned is set
	Signed    bool   // a time that may lie before its epoch
	Limited   bool   // a text must be checked: Precision, Chars, Least, OneOf or Codes limits it
	Filled    bool   // an empty text is refused
	Years     [2]int // of option Years; 0, 0 if it is not set
	Chars     *forms.ByteSet
	Least     int // the least length of a value, of MinLen
	OneOf     map[string]struct{}
	Codes     map[string]string // value → code
	valueOf   map[string]string // code → value
	Precision precision         // of a decimal number
}

// written says how a value becomes bytes. The order is: the number in its form, or the
// header and the text; then the stages, the frame, the inversion, the separator.
type written struct {
	Dialect   Dialect
	Decimal   forms.DecimalForm // of a Numeric; Val.Text then holds the ascending form, not the text
	Header    byte              // before a text and any inversion; 0: none
	Frame     frameKind
	Pad       byte
	Full      bool   // every value has the full width, so that nothing is padded
	Endless   bool   // Escaped, but without the end 00 01, since no component follows
	blobCopy  bool   // option BlobCopy is set
	InvertAll bool   // all bytes are XOR ff, also those of the frame: 61 00 is stored as 9e ff
	Loose     bool   // option Loose is set
	Plain     bool   // the stored form is the number's form or the text itself, without any change
	Ender     bool   // the Len of the last Via finds the end of a form
	enderFlip byte   // each byte is XORed with this before that Len sees it
	Vias      uint16 // the index after the last Via in Stages; 0 if there is none
	Num       number
	Stages    []Stage
	Width     int    // of the frame, or of a salt
	Mark      []byte // the separator that ends forms of varying length; nil: none
	Null      []byte // the bytes of a null in the middle of a key, such as 00; nil if a null is never there
}

// found is what Build knows of the stored forms.
type found struct {
	Shape forms.Shape
	Value *forms.Shape // the shape of a text's values before the stages, for its copies
	Ends  forms.End
	Order forms.Order
	Forms [][]byte // every stored form, sorted, if there are at most MaxForms; else nil
}

// computed says how a salt, a hash or a copy is computed.
type computed struct {
	Of       *Component // the source of a copy
	In       *source
	Deps     []int // the supplied fields that it is computed from
	Needs    int   // it is computed when the first so many fields are written
	late     bool  // it stands after a field that it is not computed from
	Rest     bool  // it is computed from the bytes of the key after it
	Hidden   bool  // it is computed from a field that is not stored
	Part     Part
	Buckets  uint64
	Mod      digest.Modulus // computes mod Buckets
	Rule     digest.Rule
	SaltForm saltForm
	Brief    Brief
	Letters  string   // of its buckets; empty if they are written in another way
	made     []string // of a salt with a transform: the form of each bucket, if there are at most MaxForms; else nil
	Slides   bool     // its form, whose length varies, is written in the place of a slot: see Schema.slides
	Empty    int      // the bytes of its slot while it is empty: its width, or a usual length if it Slides; 0: only values that are gathered leave it open
	part     cut      // of a copy what it takes of a text, if that is all that makes its form
	ruled    bool     // it is a salt of the rest of the key by a Rule, in one byte, and nothing else is done to that
}

func (c *Component) IsText() bool { return c.Kind == KindString || c.Kind == KindBinary }

func (c *Component) Derived() bool { return c.Role >= RoleSalt }

// Finite is how many values a field can have, with its null; false if neither Codes, OneOf,
// Below nor a Bool says so.
func (c *Component) Finite() (uint64, bool) {
	null := uint64(0)
	if c.Optional {
		null = 1
	}
	switch {
	case c.Codes != nil:
		return uint64(len(c.Codes)) + null, true
	case c.OneOf != nil:
		return uint64(len(c.OneOf)) + null, true
	case c.Kind == KindBool:
		return 2, true
	case c.Below:
		return c.Num.Max - c.Num.Min + 1 + null, true
	}
	return 0, false
}

// mostWidth is the largest count that Countable gives: all numbers of two bytes.
const mostWidth = 1 << 16

// Countable is how many numbers a field can have; false if these are more than mostWidth,
// or if it is not a plain integer.
func (c *Component) Countable() (uint64, bool) {
	if c.Kind != KindUint && c.Kind != KindInt || c.Optional || c.Decimal != forms.NoDecimal || c.Num.Max-c.Num.Min >= mostWidth {
		return 0, false
	}
	return c.Num.Max - c.Num.Min + 1, true
}

// Named is the component of a name; nil: there is none. Few names are compared, which takes less time and
// memory than a map of them.
func (s *Schema) Named(name string) *Component {
	if s.byName != nil {
		return s.byName[name]
	}
	for i := range s.Comps {
		if c := &s.Comps[i]; c.Name == name && c.Role != RoleLiteral {
			return c
		}
	}
	return nil
}

// Schema is a compiled layout.
type Schema struct {
	Name    string
	Comps   []Component
	Fields  []*Component // the supplied ones
	Derived []*Component
	byName  map[string]*Component    // nil: they are few
	print   atomic.Pointer[[16]byte] // of Print
	Cold    bool                     // for tests: no field uses the hot path
	Known   bool                     // the number of bytes before the first field never varies
	dialect Dialect                  // of New
	Lengths
	closes
	walk
	table
}

// Lengths are lengths of keys, in bytes.
type Lengths struct {
	MaxLen int // of the longest key
	minLen int // of the shortest key
	Hint   int // the capacity that a usual key needs
	Spare  int // a capacity of Hint, and of 8, makes the sum of both overflow; 0, so that none does: the zero Schema, and a constant before the first field in more than the 8 bytes of Front
	Lead   int // of the constants and slots before the first field; the slots need not be cleared
}

// closes says how the ends of a key's components are found.
type closes struct {
	Loose     int32 // the number of components whose end must be tried
	lastLoose int32 // the index of the last of them
	after     int32 // the number of bytes after that one; −1 if it varies
	Trims     bool  // nulls at the end of a key are left off
	Framed    bool  // all are salts, literals and fields that a dialect ends: only the last form can be a prefix of another
	Straight  bool  // see straight
	lacks     bool  // a key may lack what other keys have, or its components cannot be told apart at once
	found     int   // PlaceOf finds the components up to this one, unless the schema lacks
	Gathered  bool  // values are collected first, and the key is written at the end
}

// walk holds the steps by which a key is written, and how it begins.
type walk struct {
	Head     string  // constants and empty slots before the first field
	Front    [8]byte // its first bytes, and zeros after a shorter one
	First    *Step
	Steps    []Step
	Start    start
	owns     sync.Once    // see FirstOwn
	prefixed sync.Once    // see AfterPrefix
	prefixes []prefixes   // one for each field
	Rests    []*Component // the components that are computed from the rest of the key, the last first
	Lasts    []*Component // what CheckRests checks
}

// Declaration is one call on a Builder.
type Declaration struct {
	Role    role
	Kind    Kind
	IsSep   bool
	Name    string
	Size    int
	Opts    []Option
	Text    string      // of a constant
	Unit    *clock.Unit // of a time
	Of      string      // the field of a copy; of a salt or hash an Input
	Part    *Part       // of a hash
	Buckets int
}

// OptsOf converts options for Build; a zero option becomes one with the word "nil", which
// Build refuses.
func OptsOf[T comparable](opts []T, of func(T) Option) []Option {
	var none T
	out := make([]Option, len(opts))
	for i, o := range opts {
		if o == none {
			out[i].Said.Word = "nil"
			continue
		}
		out[i] = of(o)
	}
	return out
}

// ErrAt is an error about a key or a value: the field, the byte of the key or −1, the
// reason.
func (s *Schema) ErrAt(field string, offset int, reason error) error {
	if name, why, ok := fault.Read(reason); ok { // reason already names the component that is at fault
		return fault.Make(s.Name, name, offset, why)
	}
	return fault.Make(s.Name, field, offset, reason)
}

// NoAsked is NoField for a condition, which may name a copy or a salt, too.
func (s *Schema) NoAsked(name string) error {
	var more []string
	for i := range s.Comps {
		if c := &s.Comps[i]; c.Role == RoleCopy || c.Role == RoleSalt {
			more = append(more, c.Name)
		}
	}
	return s.NoField(name, more...)
}

// NoField is the reason why a name is refused where a field is asked for. The names of more are none of
// fields, but known.
func (s *Schema) NoField(name string, more ...string) error {
	names := s.fieldNames()
	text := "the fields are " + strings.Join(names, ", ")
	if len(names) == 0 {
		text = "the schema has no fields"
	}
	if len(more) > 0 {
		text += "; computed: " + strings.Join(more, ", ")
	}
	return &fault.Detail{Text: text + notation.Nearest(name, append(names, more...)), Reason: fault.ErrField}
}

// Extra is the reason why a value after the last field is refused.
func (s *Schema) Extra() error {
	return &fault.Detail{Text: "the fields are " + strings.Join(s.fieldNames(), ", "), Reason: fault.ErrExtra}
}

func (s *Schema) fieldNames() (names []string) {
	for _, c := range s.Fields {
		names = append(names, c.Name)
	}
	return names
}

// NotNext is the reason why the field with this name is refused where c is the next one.
func (c *Component) NotNext(s *Schema, name string) error {
	text := fmt.Sprintf("Field(%q) was called, and next is %s", name, c.Name)
	if d, ok := s.NoField(name).(*fault.Detail); ok && s.Named(name) == nil {
		text += "; " + d.Text
	}
	return &fault.Detail{Text: text, Reason: fault.ErrField}
}

// Mistyped is the reason why something does not fit the type of a field: "is a uint of 8 bytes, and Int was called".
func (c *Component) Mistyped(what string) error {
	text := "is a " + c.Kind.String()
	if c.Kind == KindInt {
		text = "is an int"
	}
	if (c.Kind == KindUint || c.Kind == KindInt) && c.Decl != nil && c.Decl.Size > 0 {
		text += fmt.Sprintf(" of %s", Plural(c.Decl.Size, "byte"))
	}
	return &fault.Detail{Text: text + ", and " + what, Reason: fault.ErrType}
}
