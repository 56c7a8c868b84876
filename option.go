package rowkey

import (
	"fmt"
	"maps"
	"slices"
	"time"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/inside"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// FieldOption says how a field, or a Copy of one, is written. One that does not
// fit the field's kind is a Build error.
type FieldOption interface{ fieldOption() layout.Option }

// SaltOption says how a Salt is computed, written or named. Of these options a Hash takes
// Named alone.
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

// Decimal writes a number as decimal text without leading zeros: 7 is 37, and an Int
// of −10 is 2d3130. It is unordered and needs an end, unless Years or Below leave
// only numbers of one length.
var Decimal FormOption = &formOpt{
	Said:    notation.Option{Word: notation.Decimal},
	ToField: func(p *layout.Pipeline) string { return p.OptText(notation.Decimal, forms.Way{As: forms.InPlain}) },
	ToSalt:  func(s *layout.Salting) string { return s.Form(notation.Decimal, 0, "") },
}

// Varint writes a Uint in 1 to 9 bytes; small numbers take fewer bytes. Ordered. It
// needs no end, because the first byte says the length: 7 is 07, 300 is 812c, 16384
// is c04000. With Varint, Desc each byte is inverted: 7 is f8, 300 is 7ed3.
var Varint FieldOption = &fieldOpt{
	Said:    notation.Option{Word: notation.Varint},
	ToField: func(p *layout.Pipeline) string { return p.OptText(notation.Varint, forms.Way{As: forms.InVarint}) },
}

// The options of a field that have no parameter.
var (
	// Desc turns the order round. A number is stored as the largest number of its type
	// minus the value: 7 as a Uint of 4 bytes is fffffff8, as an Int of 4 bytes
	// 7ffffff8. After Digits(n), of at most 18 digits, it is 10ⁿ−1 minus the value:
	// with Digits(3), Desc, 7 is 393932. Of a text or of bytes, each byte is XORed
	// with ff: "ab" is 9e9d.
	Desc FieldOption = flag("desc")

	// Reverse writes the bytes from the last to the first: "abc" is 636261. Unordered.
	Reverse FieldOption = flag("reverse")

	// ReverseRune writes the characters from the last to the first: "aé" is c3a961.
	// Invalid UTF-8 is refused. Unordered.
	ReverseRune FieldOption = flag("reverserune")

	// Escaped writes 00 as 00ff and ends with 0001: "a" is 610001. Ordered. Any value
	// is admitted.
	Escaped FieldOption = flag("escaped")

	// Loose is for tables that exist. A value, or the bytes of a Copy, may then hold
	// its separator, end with its padding, or have no end at all. Writing works. A
	// Range holds all rows of its values, and may hold others. Decode works where a
	// key has one reading; with more it is an error that wraps ErrAmbiguous. So it is where
	// a salt alone says how much of a text is padding.
	Loose FieldOption = flag("loose")

	// Bucket marks a field of few values at the beginning of the key. The writer
	// chooses its value, in turn or at random. It changes no byte. scan.Merge gives the rows
	// in the order of the fields after it, as if it were a salt.
	Bucket FieldOption = flag("bucket")

	// NotStored gives the field no bytes in the key. Its value is only an input of a
	// Salt, a Hash or a Copy.
	NotStored FieldOption = flag("notstored")

	// Optional admits null, in the way of OrderedBytes or Phoenix. In OrderedBytes a
	// null is 05. Nulls at the end of a key are left off.
	Optional FieldOption = flag("optional")

	// UUID stores the 36 characters of a UUID in 16 bytes:
	// "00112233-4455-6677-8899-aabbccddeeff" is 00112233445566778899aabbccddeeff. It
	// fits a String. Ordered. Other text and upper case are refused.
	UUID FieldOption = flag("uuid")
)

// fieldOption is what an option does. One of package interop says its word, and embeds no option of this package.
func fieldOption(o FieldOption) layout.Option {
	if w, ok := o.(inside.Worded); ok {
		return optSaid(inside.Said(w))
	}
	return o.fieldOption()
}

func flag(w notation.Word) FieldOption {
	return &fieldOpt{Said: notation.Option{Word: w}, ToField: func(p *layout.Pipeline) string { return p.OptFlag(w) }}
}

// A Dialect makes components write the bytes of another system. As an option of New it
// holds for every component; as an option of one component, for that one. Package
// interop has the dialects: interop.HBase, interop.OrderedBytes and interop.Phoenix.
type Dialect uint8

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

// MaxLen is an option of New. It refuses keys of more than n bytes. Without it HBase's
// limit holds, 32767 bytes; Lindorm SQL has 2048, Bigtable 4096.
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

// Named names a Salt or a Hash. Without it they are called, in key order, salt, salt2
// and so on, hash, hash2 and so on.
func Named(name string) SaltOption {
	return &saltOpt{
		Said:   notation.Option{Word: notation.Named, Text: name},
		ToSalt: func(*layout.Salting) string { return "" }, // a name is given before
	}
}

// Width writes a number, a time or a salt in n bytes, big-endian: 258 with Width(3) is
// 000102. An Int has its sign bit flipped: −1 with Width(3) is 7fffff. Before Desc it
// chooses the Java type whose largest value is used: Width(4), Desc writes
// Integer.MAX_VALUE − v, and 7 is 7ffffff8.
func Width(n int) FormOption {
	return &formOpt{
		Said:    notation.Option{Word: notation.Width, N: n},
		ToField: func(p *layout.Pipeline) string { return p.OptWidth(n) },
		ToSalt:  func(s *layout.Salting) string { return s.Form(notation.Width, n, "") },
	}
}

// Digits writes a number as n decimal digits with leading zeros: 42 with Digits(5) is
// 3030303432. Ordered. A number of more digits is refused.
func Digits(n int) FormOption {
	return &formOpt{
		Said: notation.Option{Word: notation.Digits, N: n},
		ToField: func(p *layout.Pipeline) string {
			return p.OptText(notation.Digits, forms.Way{As: forms.InDigits, N: n})
		},
		ToSalt: func(s *layout.Salting) string { return s.Form(notation.Digits, n, "") },
	}
}

// HexDigits writes a number as n lower-case hexadecimal digits with leading zeros: 255
// with HexDigits(4) is 30306666. Ordered.
func HexDigits(n int) FieldOption {
	return &fieldOpt{
		Said: notation.Option{Word: notation.HexDigits, N: n},
		ToField: func(p *layout.Pipeline) string {
			return p.OptText(notation.HexDigits, forms.Way{As: forms.InHex, N: n})
		},
	}
}

// Fixed admits values of exactly n bytes: with Fixed(2), "ab" is 6162. Ordered.
func Fixed(n int) FieldOption {
	return &fieldOpt{
		Said:    notation.Option{Word: notation.Fixed, N: n},
		ToField: func(p *layout.Pipeline) string { return p.OptFrame(notation.Fixed, layout.FrameFixed, n, 0) },
	}
}

// Pad adds the byte b on the right, up to n bytes: "ab" with Pad(4, ' ') is 61622020.
// A value that ends with b, or is longer, is refused. It is ordered only if no byte of
// a value is below b.
func Pad(n int, b byte) FieldOption {
	return &fieldOpt{
		Said:    notation.Option{Word: notation.Pad, N: n, Byte: b},
		ToField: func(p *layout.Pipeline) string { return p.OptFrame(notation.Pad, layout.FramePad, n, b) },
	}
}

// PadLeft adds the byte b on the left, up to n bytes: "42" with PadLeft(4, '0') is
// 30303432. A value that begins with b, or is longer, is refused. Unordered.
func PadLeft(n int, b byte) FieldOption {
	return &fieldOpt{
		Said:    notation.Option{Word: notation.PadLeft, N: n, Byte: b},
		ToField: func(p *layout.Pipeline) string { return p.OptFrame(notation.PadLeft, layout.FramePadLeft, n, b) },
	}
}

// Left keeps the first n bytes of the value: Left(2) of "abc" is 6162. A shorter value
// stays whole. It fits a Copy only.
func Left(n int) FieldOption {
	return &fieldOpt{
		Said:    notation.Option{Word: notation.Left, N: n},
		ToField: func(p *layout.Pipeline) string { return p.OptStage(layout.Stage{Word: notation.Left, From: n, To: n}) },
	}
}

// Right keeps the last n bytes of the value: Right(2) of "abc" is 6263. A shorter
// value stays whole. It fits a Copy only.
func Right(n int) FieldOption {
	return &fieldOpt{
		Said:    notation.Option{Word: notation.Right, N: n},
		ToField: func(p *layout.Pipeline) string { return p.OptStage(layout.Stage{Word: notation.Right, From: n, To: n}) },
	}
}

// Truncate rounds a time down to a multiple of d since 1970 UTC: with
// Truncate(time.Hour), 01:30 is stored as 01:00.
func Truncate(d time.Duration) FieldOption {
	return &fieldOpt{
		Said:    notation.Option{Word: notation.Truncate, Duration: d},
		ToField: func(p *layout.Pipeline) string { return p.OptTruncate(d) },
	}
}

// Years admits times from 1 January of first to the end of last (UTC); others are
// refused. So a number of seconds that is taken for milliseconds is found. A Layout
// admits no time before 1970 in its zone.
func Years(first, last int) FieldOption {
	return &fieldOpt{
		Said:    notation.Option{Word: notation.Years, N: first, M: last},
		ToField: func(p *layout.Pipeline) string { return p.OptYears(first, last) },
	}
}

// Below admits the numbers 0 to n−1. For a Time, the number is that of its units.
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

// Codes writes each value as its code: with "open" → "o", "open" is 6f. Unknown values
// and unknown codes are refused. Like OneOf, it makes the values a finite set.
func Codes(codeOf map[string]string) FieldOption {
	codeOf = maps.Clone(codeOf)
	return &fieldOpt{
		Said:    notation.Option{Word: notation.Codes, Pairs: codeOf},
		ToField: func(p *layout.Pipeline) string { return p.OptCodes(codeOf) },
	}
}

// Chars admits strings of these bytes only. If the separator is below all of them, the
// field is ordered.
func Chars(set string) FieldOption {
	return &fieldOpt{
		Said:    notation.Option{Word: notation.Chars, Text: set},
		ToField: func(p *layout.Pipeline) string { return p.OptChars(set) },
	}
}

// Letters writes a Salt as one letter: bucket 0 is the first. With Letters("abcd"),
// bucket 3 is 64.
func Letters(alphabet string) SaltOption {
	return &saltOpt{
		Said:   notation.Option{Word: notation.Letters, Text: alphabet},
		ToSalt: func(s *layout.Salting) string { return s.Form(notation.Letters, 0, alphabet) },
	}
}

// LenPrefix writes the length of the text before it, in n bytes (1 to 4),
// big-endian: with LenPrefix(2), "abc" is 0003616263. The text may then hold any byte.
// A text that is longer than n bytes can count is refused.
//
// Shorter texts stand first, so a text of any length is unordered. A Prefix or an
// interval of it reads one range for each of the 32 shortest lengths, and one for all
// others. Decimal numbers are ordered: with Decimal, LenPrefix(1), 9 is 0139 and 10 is
// 023130.
func LenPrefix(n int) FieldOption {
	return &fieldOpt{
		Said:    notation.Option{Word: notation.LenPrefix, N: n},
		ToField: func(p *layout.Pipeline) string { return p.OptFrame(notation.LenPrefix, layout.FrameLength, n, 0) },
	}
}

// MinLen admits values of at least n bytes; the length is that of the value before any
// option. With MinLen(1), a key with an empty user is refused. It fits a String, a
// Binary and a Copy of one. It changes no byte: with MinLen(2), "ab" is 6162 and "a"
// is refused.
func MinLen(n int) FieldOption {
	return &fieldOpt{
		Said:    notation.Option{Word: notation.MinLen, N: n},
		ToField: func(p *layout.Pipeline) string { return p.OptMinLen(n) },
	}
}

// precision is interop.Precision of the two numbers in said.
func precision(said *notation.Option) FieldOption {
	o := *said
	return &fieldOpt{Said: o, ToField: func(p *layout.Pipeline) string { return p.OptPrecision(o.N, o.M) }}
}
