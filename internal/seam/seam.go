// Package seam is what the project's own tests, the generator of code, the command and package interop may ask
// of package rowkey and a user may not. Tests ask for the same schema without its hot path, a codec
// of a type that is made as a test runs, the inside of a plan, and the option that Parse
// makes of a word. Package interop asks for the options and digests that it exports.
// Package rowkey sets the functions; it is not known here.
package seam

import (
	"reflect"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/plan"
)

// A Codec writes and reads structs of one type, by pointer.
type Codec interface {
	Append(dst []byte, v reflect.Value) ([]byte, error)
	Decode(key []byte, v reflect.Value) error
}

var (
	// Cold is a *rowkey.Schema without its hot path: every field is written and read
	// by its component, and a salt of several fields is put together at the end.
	Cold func(schema any) (any, error)

	// Hot reports whether a field of a *rowkey.Schema is on the hot path, when keys
	// are written and when they are read.
	Hot func(schema any, field string) (writes, reads bool)

	// Bind is Bind for a type that no program text names.
	Bind func(schema any, t reflect.Type) (Codec, error)

	// Plan is the inside of a *rowkey.Plan, so that a test can make plans that no
	// query gives, and the command can say why a plan is as it is in two languages.
	Plan func(p any) *plan.Plan

	// Layout is the compiled layout of a *rowkey.Schema. A generator of code reads it.
	Layout func(schema any) *layout.Schema

	// Option is the option that Parse makes of what a notation says.
	Option func(said *notation.Option) layout.Option

	// Made is the same option in its public type, such as rowkey.FieldOption. Package
	// interop exports some.
	Made func(said *notation.Option) any

	// Digest is the rowkey.Digest of an algorithm, with its own seed.
	Digest func(a digest.Algorithm) any
)
