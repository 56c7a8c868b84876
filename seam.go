package rowkey

import (
	"reflect"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/seam"
)

func init() {
	seam.Cold = func(s any) (any, error) { return s.(*Schema).withoutHotPath() }
	seam.Hot = func(s any, field string) (writes, reads bool) {
		in := &s.(*Schema).in
		st := &in.steps[in.byName[field].ord]
		return st.form != cold, st.rform != cold
	}
	seam.Bind = func(s any, t reflect.Type) (seam.Codec, error) {
		b, err := s.(*Schema).bindType(t)
		return &anyCodec{b}, err
	}
}

func (s *Schema) withoutHotPath() (*Schema, error) {
	out := &Schema{in: schema{name: s.in.name, lengths: lengths{maxLen: maxKey}, cold: true}}
	opts := []option{MaxLen(s.in.maxLen).schemaOption()}
	var decls []*declaration
	for i := range s.in.comps {
		c := &s.in.comps[i]
		decls = append(decls, c.decl)
		if len(opts) == 1 && c.dialect != 0 && !slices.ContainsFunc(c.decl.opts, func(o option) bool { return o.word() == notation.DialectOption }) {
			opts = append(opts, Dialect(c.dialect).schemaOption())
		}
	}
	return out, out.compile(opts, decls)
}

type anyCodec struct{ b binding }

func (c *anyCodec) Append(dst []byte, v reflect.Value) ([]byte, error) {
	return c.b.write(dst, 0, c.b.first, v.UnsafePointer())
}

func (c *anyCodec) Decode(key []byte, v reflect.Value) error {
	return c.b.decode(key, v.UnsafePointer())
}
