// Package rt is what code printed by rowkey gen calls. It is not for others: its functions
// check nothing that generated code has checked already.
//
// Generated code names the version that it needs, such as V1. A version of this package
// that it was not made for has another name, and the code does not compile: run rowkey gen
// again.
package rt

import (
	"slices"

	"github.com/hbase-rowkey/rowkey"
)

// V1 is the version of this package.
const V1 = 1

// Table is a schema with the struct of its fields. The library is the slow way of
// generated code: it writes errors, and what the fast way is too careful for.
type Table[T any] struct {
	schema *rowkey.Schema
	codec  *rowkey.Codec[T]
}

// New makes the table of a notation. It panics if this version of the library would write
// other bytes than the code was made for.
func New[T any](name, notation, fingerprint string) *Table[T] {
	s := rowkey.Must(rowkey.Parse(name, notation))
	if have := s.String(); have != notation {
		panic("rowkey: " + name + " was generated for " + notation + ", and this library reads it as " + have + ": run rowkey gen again")
	}
	if s.Fingerprint() != fingerprint {
		panic("rowkey: " + name + " was generated for other bytes (" + fingerprint + ", here " + s.Fingerprint() + "): run rowkey gen again")
	}
	return &Table[T]{s, rowkey.Must(rowkey.Bind[T](s))}
}

// Schema is the schema.
func (t *Table[T]) Schema() *rowkey.Schema { return t.schema }

// Codec writes and reads keys of the struct by the library: the only way of a schema that
// rowkey gen prints no code for.
func (t *Table[T]) Codec() *rowkey.Codec[T] { return t.codec }

// Append is the library's way to write a key. dst is not given to the library, so it may
// lie on a stack.
//
//go:noinline
func (t *Table[T]) Append(dst []byte, row T) ([]byte, error) {
	key, err := t.codec.Append(nil, &row)
	if err != nil {
		return dst, err
	}
	return append(dst, key...), nil
}

// Decode is the library's way to read a key. key may lie on a stack.
//
//go:noinline
func (t *Table[T]) Decode(key []byte) (row T, err error) {
	err = t.codec.Decode(slices.Clone(key), &row)
	return row, err
}

// Ranges is the library's way to make ranges. k has the first values.
func Ranges(dst []rowkey.Range, arena []byte, k rowkey.KeyBuilder) ([]rowkey.Range, []byte, error) {
	return k.AppendRanges(dst, arena)
}

// Open is a salt or hash in the beginning p of a key that its values do not decide.
type Open struct {
	At    int      // its place in p
	Forms []string // all of its forms, in key order
}

// AppendRanges appends the range of the keys that begin with p for each form of what is
// open, in key order. p is changed.
func AppendRanges(dst []rowkey.Range, arena []byte, s *rowkey.Schema, p []byte, exact bool, open ...Open) ([]rowkey.Range, []byte) {
	if len(open) == 0 {
		return s.AppendRange(dst, arena, p, exact)
	}
	dst = slices.Grow(dst, len(open[0].Forms))
	for _, f := range open[0].Forms {
		copy(p[open[0].At:], f)
		dst, arena = AppendRanges(dst, arena, s, p, exact, open[1:]...)
	}
	return dst, arena
}

// Grow is dst with room for n more bytes. A generated function must not call itself for
// it: then dst would move to the heap.
//
//go:noinline
func Grow(dst []byte, n int) []byte { return slices.Grow(dst, n) }
