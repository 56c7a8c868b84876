package rowkey

import (
	"reflect"

	"github.com/hbase-rowkey/rowkey/internal/bind"
	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/plan"
	"github.com/hbase-rowkey/rowkey/internal/seam"
)

func init() {
	seam.Cold = func(s any) (any, error) { return s.(*Schema).withoutHotPath() }
	seam.Hot = func(s any, field string) (writes, reads bool) {
		in, w := &s.(*Schema).in, s.(*Schema).walk
		n := in.ByName[field].Ord
		return in.Steps[n].Form != layout.Cold, w.Knows(n)
	}
	seam.Bind = func(s any, t reflect.Type) (seam.Codec, error) {
		b, err := bind.Struct(&s.(*Schema).in, s.(*Schema).walk, t)
		return &anyCodec{b}, err
	}
	seam.Plan = func(p any) *plan.Plan { return &p.(*Plan).in }
	seam.Layout = func(s any) *layout.Schema { return &s.(*Schema).in }
	seam.Option = optSaid
	seam.Made = func(said *notation.Option) any { return optionsMade[said.Word](said) }
	seam.Digest = func(a digest.Algorithm) any { return builtin(a) }
}

func (s *Schema) withoutHotPath() (*Schema, error) {
	return s.recompiled(true, func(*layout.Declaration) {})
}

type anyCodec struct{ b bind.Binding }

func (c *anyCodec) Append(dst []byte, v reflect.Value) ([]byte, error) {
	return c.b.Write(dst, 0, c.b.First, v.UnsafePointer())
}

func (c *anyCodec) Decode(key []byte, v reflect.Value) error {
	return c.b.Decode(key, v.UnsafePointer())
}
