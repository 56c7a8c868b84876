package rowkey

import (
	"fmt"
	"reflect"
	"slices"
	"time"
	"unsafe"

	"github.com/hbase-rowkey/rowkey/internal/bind"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// Value is what a field may hold in Go.
type Value interface {
	~string | ~[]byte | ~bool | ~float32 | ~float64 | time.Time |
		~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// Codec writes and reads keys of a struct whose fields have tags such as `rowkey:"name"`. A tag
// may name its schema, as in `rowkey:"trades.at"`: for other schemas it is no tag. The
// tag of a time that is an integer names its unit: `rowkey:"at,ms"`. It counts from 1970; one
// below 0 is refused, unless the dialect's times have a sign, as Phoenix's have. An Optional
// field is a pointer, nil for a null.
type Codec[T any] struct{ in bind.Binding }

// Bind checks T against the schema: every field bound once, every tag known,
// every type able to hold its field. Fields of embedded structs count as T's
// own, those of embedded pointers do not. An unexported field with a tag is one
// like others; a field without a tag is left alone.
func Bind[T any](s *Schema) (*Codec[T], error) {
	in, err := bind.Struct(&s.in, s.walk(), reflect.TypeFor[T]())
	if err != nil {
		return nil, err
	}
	return &Codec[T]{in}, nil
}

// Append appends the key of v to dst; on error dst comes back as it was. A nil v
// is an error. What lies after the key, within dst's capacity, may be written. A []byte of v
// that lies there is an error that wraps ErrShared.
func (c *Codec[T]) Append(dst []byte, v *T) ([]byte, error) {
	return c.in.Write(dst, unsafe.Pointer(v)) // it is inlined
}

// AppendAll appends the keys of vs to arena, and the place in arena where each key ends to
// ends. On error both come back as they were, and the error says which of vs it is about. A []byte
// that lies in the memory after arena is an error that wraps ErrShared.
func (c *Codec[T]) AppendAll(arena []byte, ends []int, vs []T) ([]byte, []int, error) {
	keys, marks, err := c.in.WriteAll(arena, slices.Grow(ends, len(vs)), unsafe.Pointer(unsafe.SliceData(vs)), len(vs))
	if err != nil {
		e := *err.(*Error)
		e.Err = &fault.Detail{Text: fmt.Sprintf("row %d", len(marks)-len(ends)), Reason: e.Err}
		return arena, ends, &e
	}
	return keys, marks, nil
}

// Decode reads a key into v, and checks its salts, hashes and copies. Strings and bytes are
// copied to new memory. A field that is not stored in the key stays as it is in v. On error
// v does not change. A nil v is an error.
func (c *Codec[T]) Decode(key []byte, v *T) error { return c.in.Decode(key, unsafe.Pointer(v)) }

// Field is a typed handle on one field of one schema.
type Field[T Value] struct {
	s *layout.Schema
	b bind.Field
}

// FieldOf finds a field that T can hold.
func FieldOf[T Value](s *Schema, name string) (Field[T], error) {
	c := s.in.Named(name)
	if c == nil {
		return Field[T]{}, s.in.ErrAt(name, -1, s.in.NoField(name))
	}
	if c.Role != layout.RoleField {
		return Field[T]{}, s.in.ErrAt(name, -1, &fault.Detail{Text: "is computed, not supplied", Reason: fault.ErrField})
	}
	b, problem := bind.Type(c, reflect.TypeFor[T](), "")
	if problem != "" {
		return Field[T]{}, s.in.ErrAt(name, -1, &fault.Detail{Text: problem, Reason: fault.ErrType})
	}
	return Field[T]{&s.in, b}, nil
}

// Get is the field's value in a row of its schema; strings are copied. A row of
// another schema is an error, and so is a field that is not stored.
func (f Field[T]) Get(r Row) (T, error) {
	var v T
	switch {
	case f.s == nil || r.s == nil:
		return v, &Error{Offset: -1, Err: fault.ErrField}
	case f.s != r.s:
		return v, f.s.ErrAt(f.b.C.Name, -1, &fault.Detail{Text: "a row of schema " + r.s.Name, Reason: fault.ErrField})
	case f.b.C.Absent:
		return v, f.s.ErrAt(f.b.C.Name, -1, &fault.Detail{Text: "not stored", Reason: fault.ErrMissing})
	}
	var scratch [128]byte
	got, _, err := f.b.C.Decode(scratch[:0], r.form(f.b.C))
	if err != nil {
		return v, f.s.ErrAt(f.b.C.Name, -1, err)
	}
	if got.Null {
		return v, f.s.ErrAt(f.b.C.Name, -1, &fault.Detail{Text: "is null", Reason: fault.ErrMissing})
	}
	f.b.Take(unsafe.Pointer(&v), got)
	return v, nil
}
