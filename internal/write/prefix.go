package write

import (
	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// Prefix supplies the beginning of a text field.
func (k Key) Prefix(p string) Key {
	switch {
	case k.overwritten(p):
		return k.Fail(ErrWithin)
	case k.St != nil && k.St.Plain != nil:
		next := k.Apart().Prefix(p) // two prefixes of one beginning are two ranges
		if next.St.Op == layout.OpBad {
			return next
		}
		return next.own(*noteOf(k.Buf))
	}
	if !k.want(layout.KindString, layout.KindBinary) {
		return k.called("Prefix")
	}
	st := k.St
	switch {
	case !bound.KeepsPrefixes(st.C):
		return k.Fail(bound.WhyNotBegun(st.C))
	case p == "":
		return k.Fail(bound.ErrNoPrefix)
	}
	buf, err := layout.AppendPrefix(st.C, k.Buf, p)
	if err == nil {
		err = bound.CheckPrefix(st.C, p, buf[len(k.Buf):])
	}
	if err != nil {
		return k.Fail(err)
	}
	next := st.AfterPrefix(buf[len(k.Buf):])
	if st.S.Gathered {
		buf = append(k.Buf, p...)
	}
	return Key{buf, next}
}
