package rowkey

import (
	"errors"

	"github.com/hbase-rowkey/rowkey/internal/foreign"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Transform is one user-defined step of a field's pipeline, placed by Via. It
// turns the bytes that the options before it have made (a text's own bytes, a
// number's in its width, or its digits) into those that are stored.
//
// Its laws: Invert undoes Append; Append gives different values different forms,
// and one value always the same; the forms are as Traits says; both append to
// dst and leave what is in it, and dst comes back as it was with an error;
// neither changes nor keeps what it is given, which never overlaps dst; both may
// be called at the same time. Invert and Len meet whatever bytes a table holds.
// The law kit in rowkeytest checks all of that.
//
// An error of Append says that the value cannot be stored: ErrRange, unless it
// is or wraps ErrLength or ErrTerminator. One of Invert or Len is ErrMalformed.
// Errors should name no value. A panic in a Transform is such an error too.
type Transform interface {
	Append(dst, value []byte) ([]byte, error)
	Invert(dst, stored []byte) ([]byte, error) // strict: bytes Append never writes are an error
	Traits() Traits
	String() string // its name in Schema.String; part of the fingerprint
}

// Delimiter is a Transform that ends itself: Len is the length of the stored
// form at the head of b, behind which other components may stand.
type Delimiter interface {
	Transform
	Len(b []byte) (int, error)
}

// Traits is what Build and the planner may rely on.
type Traits struct {
	Order     Order // how stored forms sort against the bytes they are made of
	Size      int   // their size where it is fixed, 0 where it is not
	Delimited bool  // no form is a prefix of another; such a Transform is a Delimiter

	// Some forms end only because of what follows: FoundationDB ends a text with
	// 00 and writes 00 within it as 00ff. Where NextBelow is not 0, a form of a
	// Delimiter may be a prefix of others that go on with this byte or a larger
	// one, and Build sees to it that what stands behind begins with a smaller.
	NextBelow byte

	// First is the bytes that a form may begin with, for what stands in front of
	// it; none means any.
	First string

	// Prefixes says that forms begin as values do: a value begins with p if and only
	// if its form begins with the form of p. That holds for every p of one byte or
	// more that Append writes, and of a OneWay step in the first direction alone. It
	// is so where each byte is written by itself, as bytes that begin no other byte's.
	// Where the last bytes of every form do no more than end it, End is their
	// number, and the form of p is taken without them: FoundationDB's text has 1.
	Prefixes bool
	End      int

	OneWay bool // Invert is never called, and two values may have one form: for a Copy or a Salt
}

// Via applies a transform of the user's own at this place in the pipeline. On a
// Copy it need not be invertible, since a copy is never read but written again
// and compared: OneWay makes one of a function alone. On a Salt it stands last and
// gets the bucket as the options before it write it.
//
// Forms are planned in their order, and ended by what Traits says or by a
// Separator. A Prefix of the value is a range where Traits says Prefixes, and one
// that covers where p itself cannot be written; else it is one as far as the order
// goes. A Suffix is left to Plan.Match. The notation has the transform's name alone.
func Via(t Transform) FormOption {
	name := ""
	if t != nil {
		name = nameOf(t)
	}
	return &formOpt{
		Said: notation.Option{Word: notation.Via, Text: name},
		ToField: func(p *layout.Pipeline) string {
			v, problem := viaOf(t, name)
			if problem != "" {
				return problem
			}
			return p.OptVia(v)
		},
		ToSalt: func(s *layout.Salting) string {
			v, problem := viaOf(t, name)
			if problem != "" {
				return problem
			}
			s.Through(v)
			return ""
		},
	}
}

// nameOf is a Transform's String, empty if that panics.
func nameOf(t Transform) (name string) {
	defer func() { _ = recover() }() // a nil pointer, most likely: Build says so
	return t.String()
}

// traitsOf is a Transform's Traits; false if that panics.
func traitsOf(t Transform) (traits Traits, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return t.Traits(), true
}

// viaOf asks a Transform for its Traits, once.
func viaOf(t Transform, name string) (*foreign.Via, string) {
	if t == nil {
		return nil, "Via(nil) transforms nothing"
	}
	said, ok := traitsOf(t)
	v := &foreign.Via{T: t, Name: name, Traits: foreign.Traits{
		Order: forms.Order(said.Order), Size: said.Size, Delimited: said.Delimited, NextBelow: said.NextBelow,
		First: said.First, Prefixes: said.Prefixes, End: said.End, OneWay: said.OneWay,
	}}
	if d, ok := t.(Delimiter); ok {
		v.Ender = d
	}
	if o, ok := t.(*oneWay); ok {
		v.Hollow = o.append == nil
	}
	return v, v.Misdeclared(ok)
}

// OneWay makes a Transform of a function that nothing undoes, such as a name in
// lower case: Hash(MD5.Hex(4), "id").Copy("low", "id", Via(lower)) writes c6e1 and
// "web" of "Web", where lower is OneWay("lower", 0, …). Of its laws the one on
// Invert falls away, and different values may have one form. It fits a Copy or a
// Salt, whose bytes are never read back but written again and compared.
//
// The function appends the form of a value to dst and says by an error that there
// is none; size is the forms' size in bytes where it is fixed, 0 where it is not.
// The name stands for it in the notation and in the fingerprint. Its Traits are
// the size and Unordered.
func OneWay(name string, size int, appendForm func(dst, value []byte) ([]byte, error)) Transform {
	return &oneWay{name, size, appendForm}
}

type oneWay struct {
	name   string
	size   int
	append func(dst, value []byte) ([]byte, error)
}

var errOneWay = errors.New("nothing undoes it")

func (o *oneWay) Append(dst, value []byte) ([]byte, error) {
	if o.append == nil {
		return dst, errors.New("OneWay needs a function")
	}
	return o.append(dst, value)
}

func (o *oneWay) Invert(dst, stored []byte) ([]byte, error) { return dst, errOneWay }

func (o *oneWay) Traits() Traits { return Traits{Order: Unordered, Size: o.size, OneWay: true} }

func (o *oneWay) String() string { return o.name }
