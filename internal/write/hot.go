package write

import (
	"encoding/binary"
	"slices"
	"strings"
	"unsafe"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/mem"
)

// PutString is String for a text that String does not write by itself, such as a long one. One
// flat switch over the forms of texts that have plain data in a step.
func (k Key) PutString(v string) Key {
	switch {
	case k.St != nil && k.St.Form >= layout.HotText && !mem.Within(v, k.Buf): // most: the cases below take calls
		if st, n := k.St, len(k.Buf); st.Form == layout.HotListed && st.Fill == layout.NoFill && uint(n+StepRoom) <= uint(cap(k.Buf)) {
			if form, word, ok := st.Listed(v); ok && len(form) <= 8 { // here: WriteString takes a third as long again
				mem.PutWord(k.Buf, n, word)
				mem.PutWord(k.Buf, n+len(form), st.Word)
				return Key{k.Buf[:n+len(form)+st.Size], st.Next}
			}
		}
		return k.WriteString(v).grown(k)
	case k.overwritten(v):
		return k.Fail(ErrWithin)
	case k.St == nil || k.St.Op >= layout.OpEnd:
		return k.putText(v)
	case k.St.Plain != nil:
		return k.free().WriteString(v).after(k)
	}
	return k.WriteString(v).grown(k)
}

// WriteString is PutString where a value that lies elsewhere is written to memory that may not
// be enough.
func (k Key) WriteString(v string) Key {
	st, n, m := k.St, len(k.Buf), len(v)
	if st == nil || st.Form < layout.HotText || m < st.Least || m > st.Most ||
		st.Guard != 0 && st.Form <= layout.HotReverse && strings.IndexByte(v, byte(st.Xor)) >= 0 ||
		st.C.Chars != nil && forms.Outside(st.C.Chars, v) >= 0 {
		return k.putText(v)
	}
	buf, ok := k.Buf, true
	if st.Head != 0 {
		buf = append(buf, st.Head)
	}
	at := len(buf)
	switch st.Form {
	case layout.HotText:
		buf = append(buf, v...)
	case layout.HotReverse:
		buf = slices.Grow(buf, m)[:at+m]
		forms.ReverseTo(buf[at:], mem.BytesAt(unsafe.Pointer(&v)))
	case layout.HotPad, layout.HotPadLeft:
		pad, edge := byte(st.Xor), m-1
		if st.Form == layout.HotPadLeft {
			edge, buf = 0, forms.AppendPad(buf, n, int(st.N)-m, pad)
		}
		buf = forms.AppendPad(append(buf, v...), n, int(st.N), pad)
		ok = m == 0 || v[edge] != pad
	case layout.HotUUID:
		high, low, right := forms.UUIDWords([]byte(v))
		buf, ok = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(buf, high), low), right
	case layout.HotLength:
		buf = append(forms.AppendUint(buf, uint64(m), int(st.N)), v...)
	case layout.HotListed:
		form, _, listed := st.Listed(v) // no form holds its separator: Build refuses such a list
		buf, ok = append(buf, form...), listed
	default:
		ok = false
	}
	switch end := len(buf); {
	case !ok:
		return k.putText(v)
	case st.Long() || cap(buf)-end < 8:
		buf = append(buf, st.End...)
	default:
		mem.PutWord(buf, end, st.Word)
		buf = buf[:end+st.Size]
	}
	if st.Fill <= layout.FillPad { // a padded text is filled up already
		return Key{buf, st.Next}
	}
	return filledStep(st, buf, n, v)
}

// PutWord is putHot for a number that may not fit.
func (k Key) PutWord(u uint64) Key {
	st, n := k.St, len(k.Buf)
	if st.Form == layout.HotHead && st.Room == 0 && st.Fill == layout.NoFill && !st.Long() && uint(n+StepRoom) <= uint(cap(k.Buf)) { // here: Put takes half as long again
		k.Buf[n : n+1][0] = st.Head
		mem.PutWord(k.Buf, n+1, u*st.Mul^st.Word)
		mem.PutWord(k.Buf, n+1+int(st.N), st.More())
		return Key{k.Buf[:n+st.Size], st.Next}
	}
	if st.Room > 0 && uint(n+int(st.Room)) <= uint(cap(k.Buf)) {
		word := u
		if st.Form == layout.HotFew {
			word = forms.FewDigits(u)
		}
		if k = k.word(word); st.Fill == layout.NoFill || st.OneSalt && st.PutSalt(k.Buf, u) { // here: numbered takes a tenth of the time of such a key
			return k
		}
		return numbered(st, k.Buf, n, u).grown(k)
	}
	if room := 2 * layout.FewBytes; st.Fill == layout.NoFill && cap(k.Buf)-n >= room { // here: putHot takes a tenth of the time of such a key
		return Key{k.Buf[:n+st.Put(k.Buf[n:n+room], u)], st.Next}
	}
	return k.putHot(u).grown(k)
}

// putHot writes a number that is within the limits of the field. It goes through a small array
// if the buffer has no room for whole words.
func (k Key) putHot(u uint64) Key {
	st, n, buf := k.St, len(k.Buf), k.Buf
	if room := 2 * layout.FewBytes; cap(buf)-n >= room {
		buf = buf[:n+st.Put(buf[n:n+room], u)]
	} else {
		var few [2 * layout.FewBytes]byte
		buf = append(buf, few[:st.Put(few[:], u)]...)
	}
	return numbered(st, buf, n, u)
}

// numbered moves to the next step after the number u, which was just written at byte n, and fills the slots that depend on it.
func numbered(st *layout.Step, buf []byte, n int, u uint64) Key {
	if st.Fill == layout.NoFill {
		return Key{buf, st.Next}
	} else if st.Kind == layout.KindFloat {
		u = forms.RawFloat(u, 8) // its value, of what is written
	}
	if st.OneSalt && st.PutSalt(buf, u) {
		return Key{buf, st.Next}
	}
	return filledOne(st, buf, n, nil, u)
}

// filledStep fills the slots that depend on the text v, which was just written at byte n, and
// moves to the next step. A salt by murmur3 is computed from v, not from the bytes in the key:
// to read bytes that were just stored by overlapping words would be slow.
func filledStep(st *layout.Step, buf []byte, n int, v string) Key {
	if st.Fill == layout.FillByte {
		buf[st.Slot] = byte(st.Salt.Of(digest.Murmur32(0, v)))
		return Key{buf, st.Next}
	}
	return filledOne(st, buf, n, mem.BytesAt(unsafe.Pointer(&v)), 0)
}

// filledOne is fill for one slot. Without it fill takes a tenth of the time of such a key.
func filledOne(st *layout.Step, buf []byte, n int, text []byte, u uint64) Key {
	if m := &st.Mixes[0]; len(st.Mixes) == 1 && m.AtOnce() {
		if less := m.Put(buf, n, text, u); less >= 0 {
			return Key{buf[:len(buf)-less], st.Next}
		}
	}
	return Key{buf, st}.fill(n, text, u)
}
