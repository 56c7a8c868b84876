package rowkey

import (
	"fmt"
	"maps"
	"slices"
	"time"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// FieldOption says how a field, or a Copy of one, is written. One that does not
// fit the field's kind is a Build error.
type FieldOption interface{ fieldOption() layout.Option }

// SaltOption says how a Salt is computed and written, or how a Salt or a Hash is
// named. A Hash takes Named alone.
type SaltOption interface{ saltOption() layout.Option }

// FormOption says how a number is written, and fits a field and a Salt: Width,
// Digits, Decimal and Via.
type FormOption interface {
	FieldOption
	SaltOption
}

// SchemaOption is an option of New, for all of a schema: a Dialect, or MaxLen.
type SchemaOption interface{ schemaOption() layout.Option }

// The types by which an option says what it fits.
type (
	fieldOpt  layout.Option
	saltOpt   layout.Option
	formOpt   layout.Option
	schemaOpt layout.Option
)

func (o *fieldOpt) fieldOption() layout.Option   { return layout.Option(*o) }
func (o *saltOpt) saltOption() layout.Option     { return layout.Option(*o) }
func (o *formOpt) fieldOption() layout.Option    { return layout.Option(*o) }
func (o *formOpt) saltOption() layout.Option     { return layout.Option(*o) }
func (o *schemaOpt) schemaOption() layout.Option { return layout.Option(*o) }

// Decimal writes a number as decimal text of its own length, an Int with a minus
// if it is negative: 7 is 37, −10 is 2d3130. It does not sort, and needs an end.
var Decimal FormOption = &formOpt{
	Said:    notation.Option{Word: notation.Decimal},
	ToField: func(p *layout.Pipeline) string { return p.OptText(notation.Decimal, forms.InPlain{}) },
	ToSalt:  func(s *layout.Salting) string { return s.Form(notation.Decimal, 0, "") },
}

// Varint writes a Uint in 1 to 9 bytes, the small numbers in few; ordered. It needs
// no end. The first byte tells the length: 7 is 07, 300 is 812c, 16384 is c04000.
// With Varint, Desc each byte is inverted: 7 is f8, 300 is 7ed3.
var Varint FieldOption = &fieldOpt{
	Said:    notation.Option{Word: notation.Varint},
	ToField: func(p *layout.Pipeline) string { return p.OptText(notation.Varint, forms.InVarint{}) },
}

// The options of a field that have no parameter.
var (
	// Desc turns the order round. A number is stored as the largest of its type less
	// the value, in front of any text; behind Digits(n), of at most 18 digits, as
	// 10ⁿ−1 less the value. Of bytes every one is XORed with ff.
	Desc FieldOption = flag("desc")

	// Reverse writes the bytes so far last first. Unordered.
	Reverse FieldOption = flag("reverse")

	// ReverseRune writes the characters last first. Invalid UTF-8 is refused.
	ReverseRune FieldOption = flag("reverserune")

	// Escaped writes 00 as 00ff and ends with 0001. Ordered; any value is admitted.
	Escaped FieldOption = flag("escaped")

	// Loose is for legacy tables: the value, or what a Copy writes, may hold its
	// separator, end in its padding, or have no end at all. Writing works, and Range
	// covers. Decode works where one reading is possible; else it is ErrAmbiguous.
	Loose FieldOption = flag("loose")

	// Bucket is a leading field of few values that the writer chooses, in turn or at
	// random. A merged read passes through it as through a salt.
	Bucket FieldOption = flag("bucket")

	// NotStored takes no bytes in the key: the value only feeds Salt, Hash or Copy.
	NotStored FieldOption = flag("notstored")

	// Numeric makes a String a decimal number as text, such as "-12.345", and an Int
	// or Uint a whole one: OrderedBytes' numeric or Phoenix's DECIMAL. Ordered. What
	// these would round is refused.
	Numeric FieldOption = flag("numeric")

	// Unsigned is Phoenix's UNSIGNED_DATE, UNSIGNED_TIMESTAMP, UNSIGNED_FLOAT or
	// UNSIGNED_DOUBLE. Negative values are refused.
	Unsigned FieldOption = flag("unsigned")

	// Optional admits null, in the way of OrderedBytes or Phoenix. Nulls at the end
	// of a key are left off.
	Optional FieldOption = flag("optional")

	// BlobCopy makes a Binary of OrderedBytes the bytes as they are, as OrderedBlob
	// writes them. The last field only.
	BlobCopy FieldOption = flag("blobcopy")

	// UUID stores a String of the 36 characters of a UUID in 16 bytes. Ordered. Other
	// text is refused, and so is upper case.
	UUID FieldOption = flag("uuid")
)

func flag(w notation.Word) FieldOption {
	return &fieldOpt{Said: notation.Option{Word: w}, ToField: func(p *layout.Pipeline) string { return p.OptFlag(w) }}
}

// Dialect makes components write the bytes of another system. As an option of
// New it holds for every component, as an option of one for that one.
type Dialect uint8

const (
	// HBase is Bytes.toBytes and the Raw types: an Int is two's complement, a
	// Float raw IEEE bits, true is ff; text is its own bytes.
	HBase = Dialect(layout.InHBase)

	// OrderedBytes is org.apache.hadoop.hbase.types, whose fields begin with a
	// header. An Int or Float of 1, 2, 4 or 8 bytes is OrderedInt8 to OrderedInt64,
	// OrderedFloat32 or OrderedFloat64, a Time an OrderedInt64 of its units, which
	// may lie before 1970. A String is an OrderedString and holds no 00, a Binary
	// an OrderedBlobVar, which is unordered, or with BlobCopy an OrderedBlob;
	// Numeric is OrderedNumeric. Desc inverts all of a field.
	OrderedBytes = Dialect(layout.InOrderedBytes)

	// Phoenix is the primary keys of its tables. An Int is TINYINT to BIGINT, a
	// Uint an UNSIGNED_… of the same, up to its largest signed number; a Float is
	// FLOAT or DOUBLE, a Bool BOOLEAN, a Time of Millis DATE or TIME, of Nanos
	// TIMESTAMP, which may lie before 1970; Numeric is DECIMAL, with Precision(p, s)
	// DECIMAL(p,s). A String is VARCHAR:
	// not empty, ended by 00 or descending by ff, but ascending and last by nothing.
	// With Pad(n, ' ') it is CHAR(n), and so with Fixed(n) where the caller fills
	// it: characters of one byte, no é, and none below the pad. Blanks at the end of
	// a value or an operand of CHAR(n) are left off, as SQL takes 'ab ' for 'ab'. A Binary
	// is VARBINARY, last and ascending, with Fixed(n) BINARY(n), with Escaped
	// VARBINARY_ENCODED. A Salt is that of SALT_BUCKETS if it is in front and of the
	// Rest. Desc inverts all of a field.
	Phoenix = Dialect(layout.InPhoenix)
)

func (d Dialect) fieldOption() layout.Option { return d.schemaOption() }
func (d Dialect) schemaOption() layout.Option {
	said := notation.Option{Word: notation.DialectOption}
	in := layout.Dialect(d)
	if in.Valid() {
		said.Word = notation.Word(layout.DialectNames[in])
	}
	return layout.Option{
		Said:    said,
		ToField: func(p *layout.Pipeline) string { return p.OptDialect(in) },
		ToSchema: func(s *layout.Settings) string {
			if !in.Valid() || s.Dialect != 0 {
				return layout.NotOfNew(notation.DialectOption)
			}
			s.Dialect = in
			return ""
		},
	}
}

// MaxLen lowers the longest key allowed from HBase's 32767 bytes (Lindorm SQL
// 2048, Bigtable 4096); an option of New.
func MaxLen(n int) SchemaOption {
	return &schemaOpt{
		Said: notation.Option{Word: notation.MaxLen, N: n},
		ToSchema: func(s *layout.Settings) string {
			if n < 1 || n > forms.MaxKey {
				return fmt.Sprintf("MaxLen(%d) is not within 1 to HBase's %d", n, forms.MaxKey)
			}
			s.MaxLen = n
			return ""
		},
	}
}

// Named names a Salt or a Hash, which is otherwise called salt, salt2 …, hash,
// hash2 … in key order.
func Named(name string) SaltOption {
	return &saltOpt{
		Said:   notation.Option{Word: notation.Named, Text: name},
		ToSalt: func(*layout.Salting) string { return "" }, // a name is given before
	}
}

// Width writes a number, a time or a salt in n bytes, big-endian. The number
// is unsigned, or signed and flipped for an Int. Before Desc it names the
// Java type from whose largest value the number is taken: Width(4), Desc is
// Integer.MAX_VALUE − v.
func Width(n int) FormOption {
	return &formOpt{
		Said:    notation.Option{Word: notation.Width, N: n},
		ToField: func(p *layout.Pipeline) string { return p.OptWidth(n) },
		ToSalt:  func(s *layout.Salting) string { return s.Form(notation.Width, n, "") },
	}
}

// Digits writes a number as n decimal digits, zero-padded; ordered. A number
// that needs more is refused.
func Digits(n int) FormOption {
	return &formOpt{
		Said:    notation.Option{Word: notation.Digits, N: n},
		ToField: func(p *layout.Pipeline) string { return p.OptText(notation.Digits, forms.InDigits(n)) },
		ToSalt:  func(s *layout.Salting) string { return s.Form(notation.Digits, n, "") },
	}
}

// HexDigits writes a number as n lower-case hexadecimal digits; ordered.
func HexDigits(n int) FieldOption {
	return &fieldOpt{
		Said:    notation.Option{Word: notation.HexDigits, N: n},
		ToField: func(p *layout.Pipeline) string { return p.OptText(notation.HexDigits, forms.InHex(n)) },
	}
}

// Fixed requires exactly n bytes; ordered.
func Fixed(n int) FieldOption {
	return &fieldOpt{
		Said:    notation.Option{Word: notation.Fixed, N: n},
		ToField: func(p *layout.Pipeline) string { return p.OptFrame(notation.Fixed, layout.FrameFixed, n, 0) },
	}
}

// Pad fills with b on the right up to n bytes; a value that ends in b or is
// longer is refused; ordered only if no byte of a value lies below b.
func Pad(n int, b byte) FieldOption {
	return &fieldOpt{
		Said:    notation.Option{Word: notation.Pad, N: n, Byte: b},
		ToField: func(p *layout.Pipeline) string { return p.OptFrame(notation.Pad, layout.FramePad, n, b) },
	}
}

// PadLeft fills with b on the left up to n bytes; a value that begins with b
// or is longer is refused; unordered.
func PadLeft(n int, b byte) FieldOption {
	return &fieldOpt{
		Said:    notation.Option{Word: notation.PadLeft, N: n, Byte: b},
		ToField: func(p *layout.Pipeline) string { return p.OptFrame(notation.PadLeft, layout.FramePadLeft, n, b) },
	}
}

// Left keeps the first n bytes of the value, or all of a shorter one; Copy
// only.
func Left(n int) FieldOption {
	return &fieldOpt{
		Said:    notation.Option{Word: notation.Left, N: n},
		ToField: func(p *layout.Pipeline) string { return p.OptStage(layout.Stage{Word: notation.Left, From: n, To: n}) },
	}
}

// Right keeps the last n bytes of the value, or all of a shorter one; Copy
// only.
func Right(n int) FieldOption {
	return &fieldOpt{
		Said:    notation.Option{Word: notation.Right, N: n},
		ToField: func(p *layout.Pipeline) string { return p.OptStage(layout.Stage{Word: notation.Right, From: n, To: n}) },
	}
}

// Truncate rounds a time down to a multiple of d since 1970 UTC.
func Truncate(d time.Duration) FieldOption {
	return &fieldOpt{
		Said:    notation.Option{Word: notation.Truncate, Duration: d},
		ToField: func(p *layout.Pipeline) string { return p.OptTruncate(d) },
	}
}

// Years admits times from 1 January of first to the end of last (UTC): seconds
// taken for milliseconds are refused. A Layout has none before 1970 in its zone.
func Years(first, last int) FieldOption {
	return &fieldOpt{
		Said:    notation.Option{Word: notation.Years, N: first, M: last},
		ToField: func(p *layout.Pipeline) string { return p.OptYears(first, last) },
	}
}

// Below admits the numbers 0 … n−1; of a Time, its units.
func Below(n uint64) FieldOption {
	return &fieldOpt{
		Said:    notation.Option{Word: notation.Below, Bound: n},
		ToField: func(p *layout.Pipeline) string { return p.OptBelow(n) },
	}
}

// OneOf admits these strings only.
func OneOf(values ...string) FieldOption {
	values = slices.Clone(values)
	return &fieldOpt{
		Said:    notation.Option{Word: notation.OneOf, List: values},
		ToField: func(p *layout.Pipeline) string { return p.OptOneOf(values) },
	}
}

// Codes writes each value as its code; unknown values and unknown codes are
// refused; a finite set, like OneOf.
func Codes(codeOf map[string]string) FieldOption {
	codeOf = maps.Clone(codeOf)
	return &fieldOpt{
		Said:    notation.Option{Word: notation.Codes, Pairs: codeOf},
		ToField: func(p *layout.Pipeline) string { return p.OptCodes(codeOf) },
	}
}

// Chars admits strings of these bytes only; a terminator below all of them
// keeps the order.
func Chars(set string) FieldOption {
	return &fieldOpt{
		Said:    notation.Option{Word: notation.Chars, Text: set},
		ToField: func(p *layout.Pipeline) string { return p.OptChars(set) },
	}
}

// Letters writes a Salt as the letter at its number, such as Letters("abcd").
func Letters(alphabet string) SaltOption {
	return &saltOpt{
		Said:   notation.Option{Word: notation.Letters, Text: alphabet},
		ToSalt: func(s *layout.Salting) string { return s.Form(notation.Letters, 0, alphabet) },
	}
}

// LenPrefix writes the length of the text in n bytes, 1 to 4, big-endian, in front
// of it, so that it may hold any byte: with LenPrefix(2), "abc" is 0003616263. A
// text that is longer than n bytes can count is refused. Shorter texts stand first:
// a text of any length is unordered, and a Prefix or an interval of it reads one
// range for each of the 32 shortest lengths and one for all others. Decimal numbers
// are ordered so: with Decimal, LenPrefix(1), 9 is 0139 and 10 is 023130.
func LenPrefix(n int) FieldOption {
	return &fieldOpt{
		Said:    notation.Option{Word: notation.LenPrefix, N: n},
		ToField: func(p *layout.Pipeline) string { return p.OptFrame(notation.LenPrefix, layout.FrameLength, n, 0) },
	}
}

// MinLen admits values of at least n bytes, as they are before any option: with
// MinLen(1) an empty user is no key. It fits a String and a Binary, and with them a
// Copy, and changes no byte: with MinLen(2), "ab" is 6162 and "a" is refused.
func MinLen(n int) FieldOption {
	return &fieldOpt{
		Said:    notation.Option{Word: notation.MinLen, N: n},
		ToField: func(p *layout.Pipeline) string { return p.OptMinLen(n) },
	}
}

// Precision admits the numbers of DECIMAL(digits, scale): at most scale digits
// behind the point, and at most digits − scale in front of it. It fits a Numeric and
// changes no byte: with Precision(5, 2), "123.45" is c202182e in Phoenix. "1234.5" is
// refused, as Phoenix does; so is "0.125", which Phoenix would cut to 0.12. A query
// may name any number: one that is refused bounds an interval, and equals no row.
func Precision(digits, scale int) FieldOption {
	return &fieldOpt{
		Said:    notation.Option{Word: notation.Precision, N: digits, M: scale},
		ToField: func(p *layout.Pipeline) string { return p.OptPrecision(digits, scale) },
	}
}
