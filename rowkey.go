package rowkey

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/shell"
)

// Schema is an immutable, compiled layout; safe for concurrent use.
type Schema struct {
	in     layout.Schema
	bare   int          // of in, here for Read to be inlined
	toRead *layout.Step // the same
}

// Builder declares a schema, left to right as the key lies. It builds once:
// continuing one head twice is a Build error, never a surprise.
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
// component, and MaxLen.
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
	return b.add(d, layout.OptsOf(opts, FieldOption.fieldOption))
}

func (b *Builder) derived(d layout.Declaration, opts []SaltOption) *Builder {
	return b.add(d, layout.OptsOf(opts, SaltOption.saltOption))
}

// String adds text: its own bytes. Unless it is last, or its dialect ends it, it
// needs an end: a Separator after it, Fixed, Pad, Escaped or LenPrefix.
func (b *Builder) String(name string, opts ...FieldOption) *Builder {
	return b.field(layout.Declaration{Kind: layout.KindString, Name: name}, opts)
}

// Binary adds bytes, under the same rule for its end as String.
func (b *Builder) Binary(name string, opts ...FieldOption) *Builder {
	return b.field(layout.Declaration{Kind: layout.KindBinary, Name: name}, opts)
}

// Uint adds an unsigned integer of size bytes (1–8), big-endian; ordered.
func (b *Builder) Uint(name string, size int, opts ...FieldOption) *Builder {
	return b.field(layout.Declaration{Kind: layout.KindUint, Name: name, Size: size}, opts)
}

// Int adds a signed integer of size bytes (1–8), big-endian with the sign bit
// flipped; ordered. HBase: two's complement as Java writes it.
func (b *Builder) Int(name string, size int, opts ...FieldOption) *Builder {
	return b.field(layout.Declaration{Kind: layout.KindInt, Name: name, Size: size}, opts)
}

// Float adds an IEEE number of 4 or 8 bytes, made to sort (sign bit set, or all
// bits flipped if negative); NaN is refused. HBase: the raw bits. −0 is written
// as +0, but by HBase, OrderedBytes and Phoenix as those systems do
// (8000000000000000, 317fffffffffffffff, 8000000000000000; not by Phoenix's
// Unsigned). Conditions take both zeros for equal, and find both; a key has one.
func (b *Builder) Float(name string, size int, opts ...FieldOption) *Builder {
	return b.field(layout.Declaration{Kind: layout.KindFloat, Name: name, Size: size}, opts)
}

// Bool adds one byte, 00 or 01 (HBase: 00 or ff).
func (b *Builder) Bool(name string, opts ...FieldOption) *Builder {
	return b.field(layout.Declaration{Kind: layout.KindBool, Name: name, Size: 1}, opts)
}

// Time adds an instant as whole units since 1970, 8 bytes big-endian (Width
// changes that); earlier than the epoch is refused, but in the dialects that
// write it.
func (b *Builder) Time(name string, unit Unit, opts ...FieldOption) *Builder {
	return b.field(layout.Declaration{Kind: layout.KindTime, Name: name, Size: 8, Unit: unit.in}, opts)
}

// Separator adds constant bytes after a component; after a variable-length
// field it is the field's end, which the value may not contain.
func (b *Builder) Separator(s string) *Builder {
	return b.add(layout.Declaration{Role: layout.RoleLiteral, Kind: layout.KindLiteral, Text: s, IsSep: true}, nil)
}

// Literal adds constant bytes that end nothing: a table's tag in front, a
// version.
func (b *Builder) Literal(s string) *Builder {
	return b.add(layout.Declaration{Role: layout.RoleLiteral, Kind: layout.KindLiteral, Text: s}, nil)
}

// Salt adds hash(of) mod buckets as one byte: murmur3_32 of the value unless an
// option names another rule. Width, Digits, Decimal and Letters write it in
// another way.
func (b *Builder) Salt(buckets int, of Input, opts ...SaltOption) *Builder {
	return b.derived(layout.Declaration{Role: layout.RoleSalt, Kind: layout.KindSalt, Buckets: buckets, In: string(of)}, opts)
}

// Hash adds the named part of a digest of the inputs, such as MD5.Hex(4) or
// Murmur3.Raw(2).
func (b *Builder) Hash(part Part, of Input, opts ...SaltOption) *Builder {
	return b.derived(layout.Declaration{Role: layout.RoleHash, Kind: layout.KindHash, Part: part.in, In: string(of)}, opts)
}

// Copy adds the value of another field once more, written its own way; it is
// never supplied by the caller. It inherits kind, size and unit, and no option.
func (b *Builder) Copy(name, of string, opts ...FieldOption) *Builder {
	return b.field(layout.Declaration{Role: layout.RoleCopy, Name: name, Of: of}, opts)
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
		return nil, s.in.ErrBuild("", "builder used twice")
	}
	for i, j := 0, len(decls)-1; i < j; i, j = i+1, j-1 {
		decls[i], decls[j] = decls[j], decls[i]
	}
	if err := s.compile(root.opts, decls); err != nil {
		return nil, err
	}
	mark, _ := hex.DecodeString(s.Fingerprint())
	copy(s.in.Mark[:], mark)
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
	s.bare, s.toRead = s.in.Bare, s.in.ToRead
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
		return s.in.ErrBuild("", "sample: "+(&Error{Field: "shell text", Offset: at, Err: &fault.Detail{Text: expected, Reason: ErrMalformed}}).Error())
	}
	got, err := s.AppendKey(nil, p.values...)
	if err != nil {
		return s.in.ErrBuild("", "sample: its values do not encode: "+err.Error())
	}
	if string(got) != string(want) {
		return s.in.ErrBuild("", "sample: the layout writes "+shell.Text(got)+", not "+shell.Text(want))
	}
	if _, err := s.Decode(got); err != nil && !errors.Is(err, ErrAmbiguous) {
		return s.in.ErrBuild("", "sample: its key does not decode: "+err.Error())
	}
	return nil
}

// Name is the name the schema was declared with.
func (s *Schema) Name() string { return s.in.Name }

// Order says how the stored bytes of a field sort; for a name the schema does
// not have it is the zero Order.
func (s *Schema) Order(field string) Order {
	if c := s.in.ByName[field]; c != nil {
		return Order(c.Order)
	}
	return 0
}

// Fingerprint names the layout: equal means equal bytes for every key. Names
// and limits of values are not in it.
func (s *Schema) Fingerprint() string {
	h := sha256.New()
	for i := range s.in.Comps {
		fmt.Fprintf(h, "%s\n", s.in.Comps[i].Format(&s.in))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// String is the layout in the notation of design documents, such as
// [salt16(seller)][seller]['_'][max-ms(at)][order:8].
//
// A component stands in brackets: its name, for numbers their size in bytes
// behind a colon (i in front of it for an Int, f for a Float), for times the
// unit around the name; then its options in order. A Separator stands in single
// quotes, a Literal in double quotes. MaxLen stands in front of the brackets; a
// dialect of New stands with each component that it changes. Parse reads it
// back.
func (s *Schema) String() string {
	var b strings.Builder
	if s.in.MaxLen != forms.MaxKey {
		longest := notation.Option{Word: notation.MaxLen, N: s.in.MaxLen}
		b.WriteString(longest.String() + " ")
	}
	for i := range s.in.Comps {
		b.WriteString(s.in.Comps[i].Notation())
	}
	return b.String()
}
