package rowkey

import (
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// differs is the first of the slots that the field at hand fills which is not
// what its value gives, or nil.
func (r Reader) differs(v layout.Val) *layout.Slot {
	st := r.st
	key, n := r.buf[:cap(r.buf)], len(r.buf)
	var few, in [64]byte
	var value []byte
	for i := range st.Fills {
		f, m := &st.Fills[i], &st.Mixes[i]
		form, ok := few[:0], true
		switch {
		case m.C == nil && value == nil:
			value = v.Text
			if !st.C.IsText() || st.C.Decimal != forms.NoDecimal {
				value = st.C.AppendValue(in[:0], v)
			}
			fallthrough
		case m.C == nil:
			form, ok = f.C.Compute(form, value)
		case m.C.Width == 1 && m.C.SaltForm == layout.SaltBytes:
			if key[m.Off] == byte(m.Bucket(key, n, v.Text, v.Num)) {
				continue
			}
			return f
		default:
			form = m.C.AppendBucket(form, m.Bucket(key, n, v.Text, v.Num))
		}
		if !ok || string(form) != string(key[f.Off:f.Off+len(form)]) {
			return f
		}
	}
	return nil
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
