package rowkey

import (
	"errors"

	"github.com/hbase-rowkey/rowkey/internal/foreign"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// A Transform is one step of a field's pipeline that a program defines. Via places it.
// It turns the bytes that the options before it have made into those that are stored.
// These bytes are a text's own, a number's in its width, or a number's digits.
//
// Its laws:
//
//   - Invert undoes Append.
//   - Different values have different forms, and one value always has the same form.
//   - The forms are as Traits says.
//   - Append and Invert append to dst and leave what is in it. With an error, dst
//     comes back as it was.
//   - Neither changes nor keeps its argument, which never overlaps dst.
//   - Both may be called at the same time.
//   - Invert and Len must work on any bytes, since a table may hold any bytes.
//
// If its Traits have Delimited or NextBelow, and no Size, it has one method more:
//
//	Len(b []byte) (int, error)
//
// b begins with a stored form, and other components may follow it. Len is the length of
// that form in bytes.
//
// The law kit in rowkeytest checks all of that.
//
// An error of Append says that the value cannot be stored. The caller gets ErrRange,
// unless the error is or wraps ErrLength or ErrTerminator. An error of Invert or Len
// becomes ErrMalformed. Errors should name no value. A panic counts as such an error
// too, and so does an error that cannot be asked, such as a nil pointer.
type Transform interface {
	Append(dst, value []byte) ([]byte, error)
	Invert(dst, stored []byte) ([]byte, error) // strict: bytes Append never writes are an error
	Traits() Traits
	String() string // its name in Schema.String; part of the fingerprint
}

// Traits is what Build and the planner may rely on.
type Traits struct {
	Order     Order // how stored forms sort against the bytes they are made of
	Size      int   // their size where it is fixed, 0 where it is not
	Delimited bool  // no form is a prefix of another; such a Transform has Len, or a Size

	// Some forms end only because of what follows. FoundationDB ends a text with 00,
	// and writes 00 within it as 00ff: "a" is 6100, and "a\x00" is 6100ff00. So a form
	// of a step with Len may be a prefix of another form, which goes on with the byte
	// NextBelow or a larger one. Build then admits only what begins with a smaller
	// byte after it. 0 means that there is no such byte; here it is ff.
	NextBelow byte

	// First is the set of bytes that a form may begin with. Build needs it for the
	// component before it. Empty means any byte.
	First string

	// Prefixes says that forms begin as their values do. For every p of one byte or
	// more that Append writes: a value begins with p if and only if its form begins
	// with the form of p. A OneWay step needs only this: if a value begins with p, its
	// form begins with the form of p.
	//
	// Hex text is an example: "a" is 3631 and "ab" is 36313632. A step that writes
	// each byte by itself has Prefixes if the form of one byte never begins the form
	// of another byte.
	//
	// End is the number of last bytes that only end a form. The form of p is compared
	// without them. Example: if 00 ends each form, "ab" is 616200 and End is 1. Then
	// "a" counts as 61, not as 6100.
	Prefixes bool
	End      int

	OneWay bool // Invert is never called, and two values may have one form: for a Copy or a Salt
}

// Via applies a transform of the program's own at this place in the pipeline. On a
// Copy the transform need not be invertible, since a copy is never read back; it is
// written again and compared. OneWay makes such a transform of a function alone. On a
// Salt, Via stands last and gets the bucket as the options before it write it; of a salt
// of at most 1024 buckets, Build alone calls Append.
//
// The order of the forms, and where they end, is as Traits says; a Separator may end
// them too. If Traits has Prefixes, a Prefix of the value is a range. If p itself
// cannot be written, that range covers more. Without Prefixes it is a range as far as
// the order allows. Plan.Match tests a Suffix. The notation holds only the transform's
// name.
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
	if d, ok := t.(interface{ Len([]byte) (int, error) }); ok {
		v.Ender = d
	}
	if o, ok := t.(*oneWay); ok {
		v.Hollow = o.append == nil
	}
	return v, v.Misdeclared(ok)
}

// OneWay makes a Transform of a function that cannot be undone, such as a name in
// lower case. Its laws are those of Transform, without the one on Invert, and
// different values may have one form. It fits a Copy or a Salt, whose bytes are never
// read back; they are written again and compared.
//
// With lower as OneWay("lower", 0, …), the schema Hash(MD5.Hex(4), "id").Copy("low",
// "id", Via(lower)) writes c6e1 and then "web" for "Web".
//
// The function appends the form of a value to dst. An error says that the value has no
// form. size is the size of the forms in bytes, or 0 if it varies. The name stands for
// the function in the notation and in the fingerprint. The Traits are the size and
// Unordered.
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
