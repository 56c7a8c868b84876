package rowkey

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/inside"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/shell"
	"github.com/hbase-rowkey/rowkey/internal/walk"
)

// Schema is an immutable, compiled layout; safe for concurrent use. Build, Parse and the like
// make one. The zero Schema has no keys, and Scan of it is an error.
type Schema struct {
	in     layout.Schema
	bare   int        // of in, here for Read to be inlined
	toRead *walk.Step // the same
	reading

	notations atomic.Pointer[[]string] // of the components, since the first Explain
}

// reading holds how keys are read, which knows the layout too. What is not of package rowkey asks it for both.
type reading = inside.InSchema

func (s *Schema) walk() *walk.Layout { return inside.OfSchema(&s.reading) }

// Builder declares a schema, component by component from the left of the key to the
// right. It builds one schema: a second Build, or two ways on from one Builder, is an
// error of Build.
type Builder struct {
	prev   *Builder
	used   bool
	twice  bool
	name   string // of the schema, at the root
	opts   []layout.Option
	decl   *layout.Declaration
	sample *sample
	isRoot bool // the root
}

type sample struct {
	key    string
	values []any
}

// New starts a schema. Its options are a Dialect, which holds for every
// component, and MaxLen. The name stands in errors and is in no key.
func New(name string, opts ...SchemaOption) *Builder {
	return newBuilder(name, layout.OptsOf(opts, SchemaOption.schemaOption))
}

func newBuilder(name string, opts []layout.Option) *Builder {
	return &Builder{name: name, opts: opts, isRoot: true}
}

func (b *Builder) next() *Builder {
	n := &Builder{prev: b, twice: b.twice || b.used}
	b.used = true
	return n
}

func (b *Builder) add(d layout.Declaration, opts []layout.Option) *Builder {
	d.Opts = opts
	n := b.next()
	n.decl = &d
	return n
}

func (b *Builder) field(d layout.Declaration, opts []FieldOption) *Builder {
	return b.add(d, layout.OptsOf(opts, fieldOption))
}

func (b *Builder) derived(d layout.Declaration, opts []SaltOption) *Builder {
	return b.add(d, layout.OptsOf(opts, SaltOption.saltOption))
}

// String adds a text, which is its own bytes: "ab" is 6162. Unless it is last, or its
// dialect ends it, it needs an end: a Separator after it, Fixed, Pad, Escaped or
// LenPrefix.
func (b *Builder) String(name string, opts ...FieldOption) *Builder {
	return b.field(layout.Declaration{Kind: layout.KindString, Name: name}, opts)
}

// Binary adds bytes, as they are. They need an end where a String needs one.
func (b *Builder) Binary(name string, opts ...FieldOption) *Builder {
	return b.field(layout.Declaration{Kind: layout.KindBinary, Name: name}, opts)
}

// Uint adds an unsigned integer of size bytes (1 to 8), big-endian: 258 in 4 bytes is
// 00000102. Ordered.
func (b *Builder) Uint(name string, size int, opts ...FieldOption) *Builder {
	return b.field(layout.Declaration{Kind: layout.KindUint, Name: name, Size: size}, opts)
}

// Int adds a signed integer of size bytes (1 to 8), big-endian with the sign bit
// flipped: −1 in 4 bytes is 7fffffff. Ordered. With interop.HBase it is two's
// complement, as Java writes it: −1 is ffffffff.
func (b *Builder) Int(name string, size int, opts ...FieldOption) *Builder {
	return b.field(layout.Declaration{Kind: layout.KindInt, Name: name, Size: size}, opts)
}

// Float adds an IEEE number of 4 or 8 bytes. Its sign bit is flipped, or all bits if
// the number is negative: 1.5 in 8 bytes is bff8000000000000, −1.5 is
// 4007ffffffffffff. Ordered. NaN is refused. With interop.HBase it is the IEEE bits as
// they are, which are not ordered.
//
// −0 is written as +0. The dialects write it as their systems do, in 8 bytes:
// 8000000000000000 in HBase and in Phoenix (not if interop.Unsigned),
// 317fffffffffffffff in OrderedBytes. A condition takes both zeros for equal, and finds
// the rows of both. A key has one of them.
func (b *Builder) Float(name string, size int, opts ...FieldOption) *Builder {
	return b.field(layout.Declaration{Kind: layout.KindFloat, Name: name, Size: size}, opts)
}

// Bool adds one byte: 00 for false, 01 for true. With interop.HBase true is ff.
func (b *Builder) Bool(name string, opts ...FieldOption) *Builder {
	return b.field(layout.Declaration{Kind: layout.KindBool, Name: name, Size: 1}, opts)
}

// Time adds an instant as whole units since 1970, in 8 bytes, big-endian: 1970-01-02 in
// Millis is 0000000005265c00. Width changes the number of bytes. A time before the
// epoch of the unit is refused, but for dialects that have such times.
func (b *Builder) Time(name string, unit Unit, opts ...FieldOption) *Builder {
	return b.field(layout.Declaration{Kind: layout.KindTime, Name: name, Size: 8, Unit: &unit.in}, opts)
}

// Separator adds constant bytes after a component. After a field of varying length
// they are its end, and the value must not hold them: "ab", Separator("_") and "c" are
// 61625f63.
func (b *Builder) Separator(s string) *Builder {
	return b.add(layout.Declaration{Role: layout.RoleLiteral, Kind: layout.KindLiteral, Text: s, IsSep: true}, nil)
}

// Literal adds constant bytes that end nothing, such as a version at the beginning:
// Literal("v1") and a Uint of 1 byte, 7, are 763107.
func (b *Builder) Literal(s string) *Builder {
	return b.add(layout.Declaration{Role: layout.RoleLiteral, Kind: layout.KindLiteral, Text: s}, nil)
}

// Salt adds a bucket, a number from 0 to buckets−1 in one byte: murmur3_32 of the input
// mod buckets. A SaltRule or a Part computes it in another way. Width, Digits, Decimal
// and Letters write it in another way. Salt(16, "user") of the user "ab" is 0f, and the
// key 0f6162. of says what the input is, as in Hash.
func (b *Builder) Salt(buckets int, of string, opts ...SaltOption) *Builder {
	return b.derived(layout.Declaration{Role: layout.RoleSalt, Kind: layout.KindSalt, Buckets: buckets, Of: of}, opts)
}

// Hash adds a part of a digest of the input. MD5.Hex(4) of the user "ab" is 31383765,
// the text 187e, and the key 313837656162.
//
// of says which bytes are hashed: a field's name, or one of the words below with names of
// fields. The same text stands in the notation. The examples are of the fields app, a String with Pad(4, ' '), and uid, a Uint of 4 bytes with Desc, with the
// values "ab" and 7.
//
//	uid                                00000007             the value of a field
//	values(app,uid)                    6162 00000007        values, one after another
//	stored(app,uid)                    61622020 fffffff8    bytes as they stand in the key
//	text(app,uid)                      616237               values as text: ab7
//	format("%s-%05d",app,uid)          61622d3030303037     as String.format: ab-00007
//	minmax(a,b)                        0003 0007            two values, the smaller first
//	rest()                             61622020 fffffff8    the key after the component
//
// A value is what any option has not changed yet. A String is its own bytes. An integer
// is big-endian in its declared size. A Time is 8 bytes, the number of its units, whatever
// its Width. A Time with a Layout is its text; with Layout and Width it is 8 bytes, the
// number that its digits make. A Float is its IEEE bits, a Bool 00 or 01. A Copy is its
// bytes in the key.
//
// stored takes the bytes padded, reversed or inverted, and without separators. If a
// dialect ends a field, the end is included, even if the key leaves it off because only
// nulls follow.
//
// A number that the key holds as text (Digits, HexDigits, Decimal) has two hashes, of its bytes and
// of its text. So a Hash of it says values(uid), text(uid) or stored(uid); the name alone is an
// error. A Salt of the name alone is of the bytes.
//
// text writes values as String.valueOf does: integers and the units of a Time in decimal,
// a Bool as true or false. In a format the verbs are %s, %d, %0Nd, %x and %X; %% is a
// percent sign. In Go such a text is written between backquotes.
//
// minmax is of two fields of one kind, so that (a, b) and (b, a) give one hash; above, of
// two Uints of 2 bytes, 7 and 3. rest() is before app and uid.
func (b *Builder) Hash(part Part, of string, opts ...SaltOption) *Builder {
	return b.derived(layout.Declaration{Role: layout.RoleHash, Kind: layout.KindHash, Part: &part.in, Of: of}, opts)
}

// Copy adds the value of another field once more, with options of its own. The caller
// does not supply it. It has the kind, the size and the unit of that field, but none of
// its options: Copy("rev", "user", Fixed(3), Reverse) before the user "abc" is
// 636261, and the key 636261616263.
func (b *Builder) Copy(name, of string, opts ...FieldOption) *Builder {
	return b.field(layout.Declaration{Role: layout.RoleCopy, Name: name, Of: of}, opts)
}

// Sample is a key of the table, in shell text, and its values in schema order:
// Sample(`\x0Fab`, "ab"). Build fails if the layout does not write this key of these
// values, or does not read them back.
func (b *Builder) Sample(key string, values ...any) *Builder {
	n := b.next()
	n.sample = &sample{key, append([]any(nil), values...)}
	return n
}

// Build makes the schema. Its error names the component that cannot be written or read
// back, says why, and what to add.
func (b *Builder) Build() (*Schema, error) {
	twice := b.twice || b.used
	b.used = true
	var decls []*layout.Declaration
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
	s := &Schema{in: layout.Schema{Name: root.name, Lengths: layout.Lengths{MaxLen: forms.MaxKey}}}
	if !root.isRoot {
		return nil, s.in.ErrBuild("", "start a schema with New")
	}
	if twice {
		return nil, s.in.ErrBuild("", "builder used twice: begin each schema with New, and go on with what the last call returned")
	}
	for i, j := 0, len(decls)-1; i < j; i, j = i+1, j-1 {
		decls[i], decls[j] = decls[j], decls[i]
	}
	if len(decls) > mostComponents {
		return nil, s.in.ErrBuild("", fmt.Sprintf("%d components; a schema has at most %d", len(decls), mostComponents))
	}
	if err := s.compile(root.opts, decls); err != nil {
		return nil, err
	}
	if n := len(s.String()); n > mostNotation {
		return nil, s.in.ErrBuild("", fmt.Sprintf("its notation has %d bytes; a schema has at most %d", n, mostNotation))
	}
	for i := len(samples) - 1; i >= 0; i-- {
		if err := s.prove(samples[i]); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// compile compiles what is declared.
func (s *Schema) compile(opts []layout.Option, decls []*layout.Declaration) error {
	err := s.in.Compile(opts, decls)
	if err == nil {
		s.ready()
	}
	return err
}

// ready makes what reads the keys of the compiled layout.
func (s *Schema) ready() {
	w := walk.Compile(&s.in)
	s.reading = inside.Walked(w)
	s.bare, s.toRead = s.in.Bare(), w.First
}

// The limits of a schema. No honest layout meets them; a notation that comes from elsewhere might.
const (
	mostComponents = 1024
	mostNotation   = 64 << 10 // bytes of String, and of what Parse reads
)

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
		return s.in.ErrBuild("", fmt.Sprintf("sample: byte %d of its key: %s; in Go \\xHH stands between backquotes", at, expected))
	}
	got, err := s.AppendKey(nil, p.values...)
	if err != nil {
		return s.in.ErrBuild("", "sample: its values do not encode: "+err.Error())
	}
	if string(got) != string(want) {
		return s.in.ErrBuild("", "sample: "+s.unlike(got, want))
	}
	if _, err := s.Decode(got); err != nil && !errors.Is(err, ErrAmbiguous) {
		return s.in.ErrBuild("", "sample: its key does not decode: "+err.Error())
	}
	return nil
}

// unlike says where the key that a layout writes and another one part: the byte, the component that
// is written there, and its bytes in both.
func (s *Schema) unlike(got, want []byte) string {
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	spans := make(layout.Spans, len(s.in.Comps)+1)
	whole := fmt.Sprintf("at byte %d: the layout writes %s, not %s", at, shell.Text(got), shell.Text(want))
	if s.in.Split(got, spans, false) != nil {
		return whole
	}
	for i := range s.in.Comps {
		from, to := int(spans[i]), int(spans[i+1])
		switch c := &s.in.Comps[i]; {
		case at >= to:
		case len(want) == at:
			return fmt.Sprintf("it ends at byte %d, and %s follows", at, c.Notation())
		case c.Name == "":
			return fmt.Sprintf("at byte %d: the layout writes %s, not %s", at, c.Notation(), shell.Text(want[from:min(to, len(want))]))
		default:
			return fmt.Sprintf("at byte %d, in %s: the layout writes %s, not %s", at, c.Name, shell.Text(got[from:to]), shell.Text(want[from:min(to, len(want))]))
		}
	}
	return fmt.Sprintf("%s more than the layout writes", layout.Plural(len(want)-len(got), "byte"))
}

// Name is the name the schema was declared with.
func (s *Schema) Name() string { return s.in.Name }

// Order says how the stored bytes of a field sort. It is 0 for a name that the schema
// does not have.
func (s *Schema) Order(field string) Order {
	if c := s.in.Named(field); c != nil {
		return Order(c.Order)
	}
	return 0
}

// Fingerprint is a name for the bytes of the layout, of 32 hexadecimal digits. Schemas
// with one fingerprint write the same keys. The names of fields and the limits of
// values are not in it.
func (s *Schema) Fingerprint() string {
	mark := s.in.Print()
	return hex.EncodeToString(mark[:])
}

// String is the layout in the notation of design documents, such as
// [salt16(seller)][seller]['_'][max-ms(at)][order:8].
//
// Each component stands in brackets: its name, then its options in order. After the name
// of a number there is a colon and its size in bytes, with i before it for an Int and f
// for a Float: order:8, temp:i4. Around the name of a time stands its unit: ms(at). A
// Separator stands in single quotes, a Literal in double quotes. MaxLen stands before
// all brackets. A dialect of New stands in each component that it changes. Parse
// reads it back.
func (s *Schema) String() string {
	var b strings.Builder
	if s.in.MaxLen != forms.MaxKey {
		longest := notation.Option{Word: notation.MaxLen, N: s.in.MaxLen}
		b.WriteString(longest.String() + " ")
	}
	known := s.notations.Load()
	for i := range s.in.Comps {
		if known != nil {
			b.WriteString((*known)[i])
		} else { // not kept: Build asks, and most schemas are never explained
			b.WriteString(s.in.Comps[i].Notation())
		}
	}
	return b.String()
}

// pieces are the notations of the components, which are kept for the next Explain.
func (s *Schema) pieces() []string {
	if known := s.notations.Load(); known != nil {
		return *known
	}
	all := make([]string, len(s.in.Comps))
	for i := range all {
		all[i] = s.in.Comps[i].Notation()
	}
	s.notations.Store(&all)
	return all
}
