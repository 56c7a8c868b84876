package rowkey

import (
	"encoding/hex"
	"errors"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/shell"
)

// kind is what a component is to its caller.
type kind uint8

const (
	_ kind = iota
	kindString
	kindBinary
	kindUint
	kindInt
	kindFloat
	kindBool
	kindTime
	kindLiteral // constant bytes
	kindSalt
	kindHash
)

var kindNames = [...]string{"invalid kind", "string", "binary", "uint", "int", "float", "bool", "time", "literal", "salt", "hash"}

func (k kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return kindNames[0]
}

// role is where a component's bytes come from.
type role uint8

const (
	roleField role = iota // the caller
	roleLiteral
	roleSalt
	roleHash
	roleCopy
)

// component is one compiled piece of a key: what was declared of it, and what Build
// found out.
type component struct {
	what
	admitted
	written
	nulls
	found
	computed
}

// what is a component, and where it stands.
type what struct {
	name   string
	role   role
	kind   kind // of a copy, that of its source
	index  int  // among the components
	ord    int  // among the supplied fields; −1
	decl   *declaration
	lit    []byte // of a constant
	absent bool   // NotStored
	last   bool   // no component that is stored stands behind
	bucket bool   // Bucket was said
}

// admitted is which values a field takes.
type admitted struct {
	size      int // declared bytes of a number
	unit      unit
	years     [2]int // of Years; 0 if not said
	below     bool   // Below was said
	unsigned  bool   // Unsigned was said
	signed    bool   // a time that may lie before its epoch
	limited   bool   // a text has to be judged, by some of the following
	chars     *forms.ByteSet
	least     int // bytes of a value, of MinLen
	oneOf     map[string]struct{}
	codes     map[string]string // value → code
	valueOf   map[string]string // code → value
	precision precision         // of a decimal number
	filled    bool              // an empty text is refused
}

// written is how a value becomes bytes: a number by its form, or a text behind its
// header; then the stages, the frame, the inversion, and the separator behind.
type written struct {
	dialect   dialect
	hbase     bool // the dialect is HBase
	num       number
	decimal   forms.DecimalForm // of Numeric; a text's value is then its ascending form
	header    byte              // in front of a text; before any inversion
	stages    []stage
	vias      int  // the index after the last Via in stages; 0 if there is none
	ender     *via // the transform by whose Len the forms end
	enderFlip byte // what inverts a byte of them
	frame     frameKind
	width     int // of the frame, or of a salt
	pad       byte
	full      bool   // Pad has nothing to fill
	endless   bool   // Escaped without its 0001, since nothing stands behind
	blobCopy  bool   // BlobCopy was said
	invertAll bool   // Desc behind the frame
	loose     bool   // Loose was said
	mark      []byte // the separator behind a form of any length
	plain     bool   // nothing follows the number or the bytes themselves
}

// nulls is what of a null stands in a key.
type nulls struct {
	optional bool
	null     []byte // what a null writes where something follows; nil where nothing can
	tail     bool   // every component behind is Optional: the key may end here
	trims    bool   // its end is left off where only nulls follow
}

// found is what Build knows of the stored forms.
type found struct {
	shape forms.Shape
	value forms.Shape // of a text's values, for its copies
	ends  forms.End
	order forms.Order
	forms [][]byte // every stored form, sorted, if they are few
}

// computed is what a salt, a hash or a copy is made of.
type computed struct {
	of       *component // a copy's source
	in       *source
	deps     []int // supplied fields it is computed from
	rest     bool  // computed from what stands behind it
	part     part
	buckets  uint64
	mod      digest.Modulus // by buckets
	rule     digest.Rule
	saltForm saltForm
	letters  string
	direct   bool // a salt or hash of the value of one field
	murmured bool // such a salt by murmur3, of one byte
}

func (c *component) isText() bool  { return c.kind == kindString || c.kind == kindBinary }
func (c *component) derived() bool { return c.role >= roleSalt }

// Schema is an immutable, compiled layout; safe for concurrent use.
type Schema struct {
	in     schema
	bare   int   // of in, here for Read to be inlined
	toRead *step // the same
}

// schema is a compiled layout.
type schema struct {
	name    string
	comps   []component
	fields  []*component // the supplied ones
	derived []*component
	byName  map[string]*component
	mark    [8]byte // the first bytes of its Fingerprint, for tokens
	cold    bool    // for tests: each field is written and read by its component
	lengths
	closes
	walk
}

// lengths of keys, in bytes.
type lengths struct {
	maxLen int
	minLen int // of the shortest key
	hint   int // room for a usual key
	spare  int // the same if no constant stands before the first field
	lead   int // of slots before the first field, which need not be cleared
	bare   int // the longest key, if its first field begins it, else −1
}

// closes is where the components of a key end.
type closes struct {
	loose     int  // components whose end must be tried
	lastLoose int  // the last of them
	after     int  // bytes behind it; −1 if that varies
	trims     bool // nulls at the end of a key are left off
	framed    bool // no form begins another but the last: salts, literals and fields that a dialect ends
}

// walk is the steps by which a key is written and read.
type walk struct {
	head      []byte // constants and empty slots before the first field
	first     *step
	toRead    *step // of the first stored field
	steps     []step
	start     start
	gathered  bool // keys are put together at the end, from gathered values
	rests     []*component
	restsOnly bool // what a Reader leaves to check is computed from the rest of a key
}

// declaration is one call on a Builder.
type declaration struct {
	role    role
	kind    kind
	name    string
	size    int
	opts    []option
	text    string // of a constant
	isSep   bool
	unit    unit
	of      string
	in      string // an Input
	part    part
	buckets int
}

// Builder declares a schema, left to right as the key lies. It builds once:
// continuing one head twice is a Build error, never a surprise.
type Builder struct {
	prev   *Builder
	used   bool
	twice  bool
	name   string // of the schema, at the root
	opts   []option
	decl   *declaration
	sample *sample
	isRoot bool // the root
}

type sample struct {
	key    string
	values []any
}

// New starts a schema. Its options are a Dialect, which holds for every
// component, and MaxLen.
func New(name string, opts ...SchemaOption) *Builder {
	return newBuilder(name, optsOf(opts, SchemaOption.schemaOption))
}

func newBuilder(name string, opts []option) *Builder {
	return &Builder{name: name, opts: opts, isRoot: true}
}

// optsOf is options as Build reads them.
func optsOf[T comparable](opts []T, of func(T) option) []option {
	var none T
	out := make([]option, len(opts))
	for i, o := range opts {
		if o == none {
			out[i].said.Word = "nil"
			continue
		}
		out[i] = of(o)
	}
	return out
}

func (b *Builder) next() *Builder {
	n := &Builder{prev: b, twice: b.twice || b.used}
	b.used = true
	return n
}

func (b *Builder) add(d declaration, opts []option) *Builder {
	d.opts = opts
	n := b.next()
	n.decl = &d
	return n
}

func (b *Builder) field(d declaration, opts []FieldOption) *Builder {
	return b.add(d, optsOf(opts, FieldOption.fieldOption))
}

func (b *Builder) derived(d declaration, opts []SaltOption) *Builder {
	return b.add(d, optsOf(opts, SaltOption.saltOption))
}

// String adds text: its own bytes. Unless it is last, or its dialect ends it, it
// needs an end: a Separator after it, Fixed, Pad, Escaped or LenPrefix.
func (b *Builder) String(name string, opts ...FieldOption) *Builder {
	return b.field(declaration{kind: kindString, name: name}, opts)
}

// Binary adds bytes, under the same rule for its end as String.
func (b *Builder) Binary(name string, opts ...FieldOption) *Builder {
	return b.field(declaration{kind: kindBinary, name: name}, opts)
}

// Uint adds an unsigned integer of size bytes (1–8), big-endian; ordered.
func (b *Builder) Uint(name string, size int, opts ...FieldOption) *Builder {
	return b.field(declaration{kind: kindUint, name: name, size: size}, opts)
}

// Int adds a signed integer of size bytes (1–8), big-endian with the sign bit
// flipped; ordered. HBase: two's complement as Java writes it.
func (b *Builder) Int(name string, size int, opts ...FieldOption) *Builder {
	return b.field(declaration{kind: kindInt, name: name, size: size}, opts)
}

// Float adds an IEEE number of 4 or 8 bytes, made to sort (sign bit set, or all
// bits flipped if negative); NaN is refused. HBase: the raw bits. −0 is written
// as +0, but by HBase, OrderedBytes and Phoenix as those systems do
// (8000000000000000, 317fffffffffffffff, 8000000000000000; not by Phoenix's
// Unsigned). Conditions take both zeros for equal, and find both; a key has one.
func (b *Builder) Float(name string, size int, opts ...FieldOption) *Builder {
	return b.field(declaration{kind: kindFloat, name: name, size: size}, opts)
}

// Bool adds one byte, 00 or 01 (HBase: 00 or ff).
func (b *Builder) Bool(name string, opts ...FieldOption) *Builder {
	return b.field(declaration{kind: kindBool, name: name, size: 1}, opts)
}

// Time adds an instant as whole units since 1970, 8 bytes big-endian (Width
// changes that); earlier than the epoch is refused, but in the dialects that
// write it.
func (b *Builder) Time(name string, unit Unit, opts ...FieldOption) *Builder {
	return b.field(declaration{kind: kindTime, name: name, size: 8, unit: unit.in}, opts)
}

// Separator adds constant bytes after a component; after a variable-length
// field it is the field's end, which the value may not contain.
func (b *Builder) Separator(s string) *Builder {
	return b.add(declaration{role: roleLiteral, kind: kindLiteral, text: s, isSep: true}, nil)
}

// Literal adds constant bytes that end nothing: a table's tag in front, a
// version.
func (b *Builder) Literal(s string) *Builder {
	return b.add(declaration{role: roleLiteral, kind: kindLiteral, text: s}, nil)
}

// Salt adds hash(of) mod buckets as one byte: murmur3_32 of the value unless an
// option names another rule. Width, Digits, Decimal and Letters write it in
// another way.
func (b *Builder) Salt(buckets int, of Input, opts ...SaltOption) *Builder {
	return b.derived(declaration{role: roleSalt, kind: kindSalt, buckets: buckets, in: string(of)}, opts)
}

// Hash adds the named part of a digest of the inputs, such as MD5.Hex(4) or
// Murmur3.Raw(2).
func (b *Builder) Hash(part Part, of Input, opts ...SaltOption) *Builder {
	return b.derived(declaration{role: roleHash, kind: kindHash, part: part.in, in: string(of)}, opts)
}

// Copy adds the value of another field once more, written its own way; it is
// never supplied by the caller. It inherits kind, size and unit, and no option.
func (b *Builder) Copy(name, of string, opts ...FieldOption) *Builder {
	return b.field(declaration{role: roleCopy, name: name, of: of}, opts)
}

// Sample states one known key in shell text and its values, in schema order;
// Build fails unless the layout writes exactly it. Paste one from the table.
func (b *Builder) Sample(key string, values ...any) *Builder {
	n := b.next()
	n.sample = &sample{key, append([]any(nil), values...)}
	return n
}

// Build compiles the schema, or says which components collide or cannot be
// decoded and what to add.
func (b *Builder) Build() (*Schema, error) {
	twice := b.twice || b.used
	b.used = true
	var decls []*declaration
	var samples []*sample
	root := b
	for n := b; ; n = n.prev {
		if n.decl != nil {
			decls = append(decls, n.decl)
		}
		if n.sample != nil {
			samples = append(samples, n.sample)
		}
		if n.isRoot || n.prev == nil {
			root = n
			break
		}
	}
	s := &Schema{in: schema{name: root.name, lengths: lengths{maxLen: maxKey}}}
	if !root.isRoot {
		return nil, s.in.errBuild("", "start a schema with New")
	}
	if twice {
		return nil, s.in.errBuild("", "builder used twice")
	}
	for i, j := 0, len(decls)-1; i < j; i, j = i+1, j-1 {
		decls[i], decls[j] = decls[j], decls[i]
	}
	if err := s.compile(root.opts, decls); err != nil {
		return nil, err
	}
	mark, _ := hex.DecodeString(s.Fingerprint())
	copy(s.in.mark[:], mark)
	for i := len(samples) - 1; i >= 0; i-- {
		if err := s.prove(samples[i]); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// compile compiles what is declared.
func (s *Schema) compile(opts []option, decls []*declaration) error {
	err := s.in.compile(opts, decls)
	s.bare, s.toRead = s.in.bare, s.in.toRead
	return err
}

// MustBuild is Build for package variables: it panics with Build's error.
func (b *Builder) MustBuild() *Schema {
	s, err := b.Build()
	if err != nil {
		panic(err)
	}
	return s
}

// prove checks a sample: its values make its key, and its key gives them back.
func (s *Schema) prove(p *sample) error {
	want, at, expected := shell.Parse(p.key)
	if expected != "" {
		return s.in.errBuild("", "sample: "+(&Error{Field: "shell text", Offset: at, Err: &detail{expected, ErrMalformed}}).Error())
	}
	got, err := s.AppendKey(nil, p.values...)
	if err != nil {
		return s.in.errBuild("", "sample: its values do not encode: "+err.Error())
	}
	if string(got) != string(want) {
		return s.in.errBuild("", "sample: the layout writes "+shell.Text(got)+", not "+shell.Text(want))
	}
	if _, err := s.Decode(got); err != nil && !errors.Is(err, ErrAmbiguous) {
		return s.in.errBuild("", "sample: its key does not decode: "+err.Error())
	}
	return nil
}

// errAt is an error about a key or a value.
func (s *schema) errAt(field string, offset int, reason error) error {
	if name, why, ok := readError(reason); ok { // an inner component's, which knows its name
		return makeError(s.name, name, offset, why)
	}
	return makeError(s.name, field, offset, reason)
}

// errBuild is an error about the declaration.
func (s *schema) errBuild(field, problem string) error {
	return makeError(s.name, field, -1, &refused{detail{problem, ErrSchema}, -1, -1})
}

// Name is the name the schema was declared with.
func (s *Schema) Name() string { return s.in.name }

// Order says how the stored bytes of a field sort; for a name the schema does
// not have it is the zero Order.
func (s *Schema) Order(field string) Order {
	if c := s.in.byName[field]; c != nil {
		return Order(c.order)
	}
	return 0
}
