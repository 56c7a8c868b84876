package layout

import (
	"github.com/hbase-rowkey/rowkey/internal/clock"
	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	"github.com/hbase-rowkey/rowkey/internal/foreign"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// Kind is what a component is to its caller.
type Kind uint8

const (
	_ Kind = iota
	KindString
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

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return kindNames[0]
}

// role is where a component's bytes come from.
type role uint8

const (
	RoleField role = iota // the caller
	RoleLiteral
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
	nulls
	found
	computed
}

// what is a component, and where it stands.
type what struct {
	Name   string
	Role   role
	Kind   Kind // of a copy, that of its source
	Index  int  // among the components
	Ord    int  // among the supplied fields; −1
	Decl   *Declaration
	Lit    []byte // of a constant
	Absent bool   // NotStored
	last   bool   // no component that is stored stands behind
	Bucket bool   // Bucket was said
}

// Admitted is which values a field takes.
type Admitted struct {
	Size      int // declared bytes of a number
	Unit      clock.Unit
	years     [2]int // of Years; 0 if not said
	Below     bool   // Below was said
	Unsigned  bool   // Unsigned was said
	Signed    bool   // a time that may lie before its epoch
	limited   bool   // a text has to be judged, by some of the following
	Chars     *forms.ByteSet
	least     int // bytes of a value, of MinLen
	OneOf     map[string]struct{}
	Codes     map[string]string // value → code
	valueOf   map[string]string // code → value
	precision precision         // of a decimal number
	Filled    bool              // an empty text is refused
}

// written is how a value becomes bytes: a number by its form, or a text behind its
// header; then the stages, the frame, the inversion, and the separator behind.
type written struct {
	Dialect   Dialect
	Hbase     bool // the dialect is HBase
	Num       number
	Decimal   forms.DecimalForm // of Numeric; a text's value is then its ascending form
	Header    byte              // in front of a text; before any inversion
	Stages    []Stage
	Vias      int          // the index after the last Via in stages; 0 if there is none
	Ender     *foreign.Via // the transform by whose Len the forms end
	enderFlip byte         // what inverts a byte of them
	Frame     frameKind
	Width     int // of the frame, or of a salt
	Pad       byte
	Full      bool   // Pad has nothing to fill
	endless   bool   // Escaped without its 0001, since nothing stands behind
	blobCopy  bool   // BlobCopy was said
	InvertAll bool   // Desc behind the frame
	Loose     bool   // Loose was said
	Mark      []byte // the separator behind a form of any length
	Plain     bool   // nothing follows the number or the bytes themselves
}

// nulls is what of a null stands in a key.
type nulls struct {
	Optional bool
	Null     []byte // what a null writes where something follows; nil where nothing can
	Tail     bool   // every component behind is Optional: the key may end here
	Trims    bool   // its end is left off where only nulls follow
}

// found is what Build knows of the stored forms.
type found struct {
	Shape forms.Shape
	Value forms.Shape // of a text's values, for its copies
	Ends  forms.End
	Order forms.Order
	Forms [][]byte // every stored form, sorted, if they are few
}

// computed is what a salt, a hash or a copy is made of.
type computed struct {
	Of       *Component // a copy's source
	In       *source
	Deps     []int // supplied fields it is computed from
	Rest     bool  // computed from what stands behind it
	Part     Part
	Buckets  uint64
	Mod      digest.Modulus // by buckets
	Rule     digest.Rule
	SaltForm saltForm
	letters  string
	Direct   bool // a salt or hash of the value of one field
	murmured bool // such a salt by murmur3, of one byte
}

func (c *Component) IsText() bool { return c.Kind == KindString || c.Kind == KindBinary }

func (c *Component) Derived() bool { return c.Role >= RoleSalt }

// Schema is a compiled layout.
type Schema struct {
	Name    string
	Comps   []Component
	Fields  []*Component // the supplied ones
	Derived []*Component
	ByName  map[string]*Component
	Mark    [8]byte // the first bytes of its Fingerprint, for tokens
	Cold    bool    // for tests: each field is written and read by its component
	Lengths
	closes
	walk
}

// Lengths of keys, in bytes.
type Lengths struct {
	MaxLen int
	minLen int // of the shortest key
	Hint   int // room for a usual key
	Spare  int // the same if no constant stands before the first field
	Lead   int // of slots before the first field, which need not be cleared
	Bare   int // the longest key, if its first field begins it, else −1
}

// closes is where the components of a key end.
type closes struct {
	Loose     int  // components whose end must be tried
	lastLoose int  // the last of them
	after     int  // bytes behind it; −1 if that varies
	Trims     bool // nulls at the end of a key are left off
	Framed    bool // no form begins another but the last: salts, literals and fields that a dialect ends
}

// walk is the steps by which a key is written and read.
type walk struct {
	Head      []byte // constants and empty slots before the first field
	First     *Step
	ToRead    *Step // of the first stored field
	Steps     []Step
	Start     start
	Gathered  bool // keys are put together at the end, from gathered values
	Rests     []*Component
	RestsOnly bool // what a Reader leaves to check is computed from the rest of a key
}

// Declaration is one call on a Builder.
type Declaration struct {
	Role    role
	Kind    Kind
	Name    string
	Size    int
	Opts    []Option
	Text    string // of a constant
	IsSep   bool
	Unit    clock.Unit
	Of      string
	In      string // an Input
	Part    Part
	Buckets int
}

// OptsOf is options as Build reads them.
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

// ErrAt is an error about a key or a value.
func (s *Schema) ErrAt(field string, offset int, reason error) error {
	if name, why, ok := fault.Read(reason); ok { // an inner component's, which knows its name
		return fault.Make(s.Name, name, offset, why)
	}
	return fault.Make(s.Name, field, offset, reason)
}

// ErrBuild is an error about the declaration.
func (s *Schema) ErrBuild(field, problem string) error {
	return fault.Make(s.Name, field, -1, &Refused{fault.Detail{Text: problem, Reason: fault.ErrSchema}, -1, -1})
}
