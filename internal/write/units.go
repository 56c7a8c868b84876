package write

import "github.com/hbase-rowkey/rowkey/internal/layout"

// Units supplies a Time field as a number of its units: of a time with a Layout, of seconds.
func (k Key) Units(u uint64) Key {
	if k.St != nil && k.St.Plain != nil {
		return k.free().Units(u).after(k)
	}
	if st := k.St; st != nil && st.Kind == layout.KindTime && u+st.Bias <= st.Span {
		return k.putWord(u)
	}
	if !k.want(layout.KindTime, layout.KindTime) {
		return k.called("Units")
	}
	return k.putNum(u)
}
