package rowkey

import (
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// differs is Step.Differs of the field at hand.
func (r Reader) differs(v layout.Val) *layout.Slot {
	return r.st.Differs(r.buf[:cap(r.buf)], len(r.buf), v)
}

// checked is the reader behind a field, unless what the field fills is wrong.
func (r Reader) checked(v layout.Val, next Reader) Reader {
	if r.st.Checks {
		if f := r.differs(v); f != nil {
			return badReader(r.st.S, r.st.S.ErrAt(f.C.Name, f.Off, ErrDerived))
		}
	}
	return next
}

// shaped is the text at hand by readShaped, and the reader behind it.
func (r Reader) shaped(room *[forms.UUIDText]byte) (text []byte, next Reader, ok bool) {
	st, at := r.st, len(r.buf)
	if st.Rform < layout.HotPad {
		return nil, r, false
	}
	text, n, ok := st.ReadShaped(r.buf[at:cap(r.buf)], room)
	if !ok || st.Checks && r.differs(layout.Val{Text: text, Ok: true}) != nil {
		return nil, r, false
	}
	return text, Reader{r.buf[:at+n+st.Rsize], st.Read}, true
}

// setBytes copies a text into *v, in its own memory if that is enough. In this form
// alone the compiler sees that an array of the caller's may stay on its stack.
func setBytes(v *[]byte, text []byte) {
	if cap(*v) >= len(text) {
		*v = (*v)[:len(text)]
		copy(*v, text)
		return
	}
	*v = append([]byte(nil), text...)
}
