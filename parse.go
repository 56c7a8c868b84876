package rowkey

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/shell"
)

// Parse builds the schema that a notation describes. The notation is what
// Schema.String prints, such as [salt16(seller)][seller]['_'][max-ms(at)][order:8].
// Parse(s.Name(), s.String()) gives the schema s again: the same notation,
// fingerprint, limits and keys.
//
// Spaces and new lines may stand between any two words. A comment runs from # to the
// end of its line. What concerns the whole key stands outside the brackets. Before
// it stand maxlen(n) and a dialect, the options of New. After it stands sample("key",
// value, …), which is Builder.Sample. A time is written as in RFC 3339, and a text in
// quotes with Go's escapes. A zone is its offset or its name; String writes only the
// offset. The grammar is in docs/notation.md.
//
// An error is an *Error that wraps ErrSchema. Its Offset is the byte in the notation,
// or −1 if the error concerns all of it. The first line of its text says what was
// expected. The next lines show the line of the notation and the place in it. The text
// of its Err is the first line alone.
func Parse(name, notation string) (*Schema, error) {
	p := &parsed{name: name, text: notation}
	if len(notation) > mostNotation {
		p.text = ""
		return nil, p.errAt(0, "", fmt.Sprintf("the notation has %d bytes, and at most %d are read", len(notation), mostNotation))
	}
	if err := p.read(); err != nil {
		return nil, err
	}
	return p.build()
}

// parsed is a notation that was read.
type parsed struct {
	name   string // of the schema
	text   string
	layout *notation.Layout
	decls  []layout.Declaration
}

// spot is a reason with the place in a notation that it is about.
type spot struct {
	fault.Detail
	notation string
	at       int
}

// read takes the text apart.
func (p *parsed) read() error {
	layout, problem := notation.Parse(p.text, digest.Names())
	if problem != nil {
		return p.errAt(problem.At, problem.Field, problem.Text)
	}
	p.layout = layout
	for i := range layout.Components {
		p.decls = append(p.decls, declarationOf(&layout.Components[i]))
	}
	return nil
}

func (p *parsed) errAt(at int, field, problem string) *Error {
	line := ""
	if strings.Contains(strings.TrimRight(p.text, "\n"), "\n") {
		line = fmt.Sprintf("line %d: ", 1+strings.Count(p.text[:at], "\n"))
	}
	return &Error{p.name, field, at, &spot{fault.Detail{Text: line + problem, Reason: ErrSchema}, p.text, at}}
}

// build hands what was read to a Builder.
func (p *parsed) build() (*Schema, error) {
	b := newBuilder(p.name, optsSaid(p.layout.Settings))
	for _, d := range p.decls {
		b = b.add(d, d.Opts)
	}
	s, err := b.Build()
	if err != nil {
		return nil, p.locate(err)
	}
	for _, said := range p.layout.Samples {
		if err := s.prove(&sample{shell.Text([]byte(said.Key)), said.Values}); err != nil {
			e := err.(*Error)
			return nil, p.errAt(said.At, "", e.Err.(*layout.Refused).Text)
		}
	}
	return s, nil
}

// locate finds the place in the notation that Build's error is about: the option of
// a component, the name of another, or the component.
func (p *parsed) locate(err error) *Error {
	e := err.(*Error)
	why := e.Err.(*layout.Refused)
	if why.Comp < 0 {
		return &Error{p.name, e.Field, -1, &fault.Detail{Text: why.Text, Reason: ErrSchema}}
	}
	d := &p.layout.Components[why.Comp]
	at := d.At
	if why.Option >= 0 {
		at = d.OptionAt[why.Option]
	}
	for _, m := range d.Mentions {
		if quoted := strconv.Quote(m.Name); strings.HasPrefix(why.Text, "input "+quoted) || strings.HasPrefix(why.Text, "Copy of "+quoted) {
			at = m.At
		}
	}
	return p.errAt(at, e.Field, why.Text)
}

// What a notation says and what a Builder is given are the same, in two types:
// one has words, the other what they stand for.

// declarationOf is a component of a notation as a call on a Builder.
func declarationOf(c *notation.Component) layout.Declaration {
	d := layout.Declaration{Name: c.Name, Size: c.Size, Text: c.Text, Of: c.Of, Buckets: c.Buckets, Opts: optsSaid(c.Options)}
	switch c.Kind {
	case notation.String, notation.Binary, notation.Uint, notation.Int, notation.Float:
		d.Kind = layout.Kind(c.Kind)
	case notation.Bool:
		d.Kind, d.Size = layout.KindBool, 1
	case notation.Time:
		unit := unitSaid(c.Unit)
		d.Kind, d.Size, d.Unit = layout.KindTime, 8, &unit.in
	case notation.Separator, notation.Literal:
		d.Role, d.Kind, d.IsSep = layout.RoleLiteral, layout.KindLiteral, c.Kind == notation.Separator
	case notation.Salt:
		d.Role, d.Kind, d.Of = layout.RoleSalt, layout.KindSalt, c.Input.String()
	case notation.Hash:
		part := partSaid(c.Part)
		d.Role, d.Kind, d.Of, d.Part = layout.RoleHash, layout.KindHash, c.Input.String(), &part.in
	case notation.Copy:
		d.Role = layout.RoleCopy
	}
	return d
}

func optsSaid(options []notation.Option) []layout.Option {
	opts := make([]layout.Option, len(options))
	for i := range options {
		opts[i] = optSaid(&options[i])
	}
	return opts
}

// optSaid is an option of a notation.
func optSaid(o *notation.Option) layout.Option {
	if rule, ok := digest.RuleNamed(string(o.Word)); ok {
		return SaltRule(rule).saltOption()
	}
	if d := layout.DialectNamed(o.Word); d.Valid() {
		return Dialect(d).schemaOption()
	}
	switch made := optionsMade[o.Word](o).(type) {
	case FieldOption:
		all := made.fieldOption()
		if both, ok := made.(SaltOption); ok {
			all.ToSalt = both.saltOption().ToSalt
		}
		return all
	case SaltOption:
		return made.saltOption()
	case SchemaOption:
		return made.schemaOption()
	}
	return layout.Option{Said: *o}
}

// optionsMade has the function that makes an option of what the notation says, for
// each word that can be read but those of the bucket rules and the dialects.
var optionsMade = map[notation.Word]func(o *notation.Option) any{
	notation.Width:         func(o *notation.Option) any { return Width(o.N) },
	notation.Digits:        func(o *notation.Option) any { return Digits(o.N) },
	notation.HexDigits:     func(o *notation.Option) any { return HexDigits(o.N) },
	notation.Decimal:       func(*notation.Option) any { return Decimal },
	notation.Varint:        func(*notation.Option) any { return Varint },
	notation.Numeric:       func(*notation.Option) any { return flag(notation.Numeric) },
	notation.Precision:     func(o *notation.Option) any { return precision(o) },
	notation.Unsigned:      func(*notation.Option) any { return flag(notation.Unsigned) },
	notation.Desc:          func(*notation.Option) any { return Desc },
	notation.Reverse:       func(*notation.Option) any { return Reverse },
	notation.ReverseRune:   func(*notation.Option) any { return ReverseRune },
	notation.ReverseLabels: func(o *notation.Option) any { return ReverseLabels(o.Text) },
	notation.ReversePart:   func(o *notation.Option) any { return ReversePart(o.N, o.M) },
	notation.UUID:          func(*notation.Option) any { return UUID },
	notation.Left:          func(o *notation.Option) any { return Left(o.N) },
	notation.Right:         func(o *notation.Option) any { return Right(o.N) },
	notation.Fixed:         func(o *notation.Option) any { return Fixed(o.N) },
	notation.Pad:           func(o *notation.Option) any { return Pad(o.N, o.Byte) },
	notation.PadLeft:       func(o *notation.Option) any { return PadLeft(o.N, o.Byte) },
	notation.Escaped:       func(*notation.Option) any { return Escaped },
	notation.LenPrefix:     func(o *notation.Option) any { return LenPrefix(o.N) },
	notation.BlobCopy:      func(*notation.Option) any { return flag(notation.BlobCopy) },
	notation.Truncate:      func(o *notation.Option) any { return Truncate(o.Duration) },
	notation.Below:         func(o *notation.Option) any { return Below(o.Bound) },
	notation.Years:         func(o *notation.Option) any { return Years(o.N, o.M) },
	notation.OneOf:         func(o *notation.Option) any { return OneOf(o.List...) },
	notation.Codes:         func(o *notation.Option) any { return Codes(o.Pairs) },
	notation.Chars:         func(o *notation.Option) any { return Chars(o.Text) },
	notation.MinLen:        func(o *notation.Option) any { return MinLen(o.N) },
	notation.Bucket:        func(*notation.Option) any { return Bucket },
	notation.Loose:         func(*notation.Option) any { return Loose },
	notation.NotStored:     func(*notation.Option) any { return NotStored },
	notation.Optional:      func(*notation.Option) any { return Optional },
	notation.Letters:       func(o *notation.Option) any { return Letters(o.Text) },
	notation.Named:         func(o *notation.Option) any { return Named(o.Text) },
	notation.MaxLen:        func(o *notation.Option) any { return MaxLen(o.N) },
	notation.UnitOption:    func(o *notation.Option) any { return unitSaid(o.Unit) },
	notation.PartOption:    func(o *notation.Option) any { return partSaid(o.Part) },
}

// units are the units that the notation has words for.
var units = [...]Unit{Nanos, Micros, Millis, Seconds, Minutes, Hours, Days}

// unitSaid is a unit of a notation.
func unitSaid(said notation.Unit) Unit {
	for _, u := range units {
		if u.in.Name != said.Name {
			continue
		}
		if said.Since {
			return u.Since(time.Unix(said.Sec, said.Nsec))
		}
		return u
	}
	return Layout(said.Layout, said.Zone)
}

// partSaid is a part of a digest of a notation.
func partSaid(said notation.Part) Part {
	alg, _ := digest.Named(said.Digest)
	d := builtin(alg)
	if said.Seeded {
		d = d.Seed(int64(said.Seed))
	}
	p := d.Raw(said.N)
	if said.Hex {
		p = d.HexAt(said.At, said.N)
	}
	if said.Upper {
		p = p.Upper()
	}
	return p
}
