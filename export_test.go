package rowkey

import (
	"reflect"
	"slices"
)

// Cold is the same schema without its hot path: every field is written and read by
// its component, and a salt of several fields is put together at the end.
func Cold(s *Schema) (*Schema, error) {
	out := &Schema{name: s.name, maxLen: maxKey, cold: true}
	opts := []opt{{word: wMaxLen, n: s.maxLen}}
	var decls []*declaration
	for i := range s.comps {
		c := &s.comps[i]
		decls = append(decls, c.decl)
		if len(opts) == 1 && c.dialect != 0 && !slices.ContainsFunc(c.decl.opts, func(o opt) bool { return o.word == wDialect }) {
			opts = append(opts, opt{word: wDialect, dial: c.dialect})
		}
	}
	return out, out.compile(opts, decls)
}

// IsHot reports that a field has a fast path, for writing and for reading.
func IsHot(s *Schema, field string) (writes, reads bool) {
	st := &s.steps[s.byName[field].ord]
	return st.form != cold, st.rform != cold
}

// AnyCodec is a Codec of a type that is made as the test runs.
type AnyCodec struct{ b binding }

// BindType is Bind.
func BindType(s *Schema, t reflect.Type) (*AnyCodec, error) {
	b, err := s.bindType(t)
	return &AnyCodec{b}, err
}

// Append is Codec.Append of a pointer.
func (c *AnyCodec) Append(dst []byte, v reflect.Value) ([]byte, error) {
	dst, _, err := c.b.append(dst, nil, v.UnsafePointer(), 1)
	return dst, err
}

// Decode is Codec.Decode into a pointer.
func (c *AnyCodec) Decode(key []byte, v reflect.Value) error {
	return c.b.decode(key, v.UnsafePointer())
}
