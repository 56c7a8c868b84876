package write

import (
	"encoding/binary"
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
		st.Guard != 0 && st.Form <= layout.HotReverse && strings.IndexByte(v, byte(st.Xor)) >= 0 {
		return k.putText(v)
	}
	buf := k.Buf
	switch st.Form {
	case layout.HotReverse:
		if m >= 8 && m <= layout.FewBytes && cap(buf)-n >= StepRoom {
			out, text := buf[n:n+StepRoom], []byte(v)
			a, b := binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint64(text[m-8:])
			binary.BigEndian.PutUint64(out, b)
			binary.BigEndian.PutUint64(out[m-8:], a)
			binary.BigEndian.PutUint64(out[m:], st.Word)
			buf = buf[:n+m+st.Size]
			break
		}
		buf = append(buf, v...)
		forms.Reverse(buf[n:])
		buf = append(buf, st.End...)
	case layout.HotEscape:
		for rest := v; ; {
			i := strings.IndexByte(rest, 0)
			if i < 0 {
				buf = append(append(buf, rest...), st.End...)
				break
			}
			buf = append(append(buf, rest[:i]...), 0, 0xff)
			rest = rest[i+1:]
		}
	case layout.HotPad, layout.HotPadLeft:
		return k.putPadded(v)
	case layout.HotUUID:
		high, low, ok := forms.UUIDWords([]byte(v))
		if !ok {
			return k.putText(v)
		}
		buf = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(buf, high), low)
		buf = append(buf, st.End...)
	case layout.HotLength:
		buf = append(append(forms.AppendUint(buf, uint64(m), int(st.N)), v...), st.End...)
	case layout.HotListed:
		form, word, ok := st.Listed(v) // no form holds its separator: Build refuses such a list
		if !ok {
			return k.putText(v)
		}
		if m = len(form); m <= 8 && cap(buf)-n >= StepRoom {
			mem.PutWord(buf, n, word)
			mem.PutWord(buf, n+m, st.Word)
			buf = buf[:n+m+st.Size]
		} else {
			buf = append(append(buf, form...), st.End...)
		}
	case layout.HotTurned:
		return k.putTurned(v)
	case layout.HotText:
		if st.Head != 0 {
			buf = append(buf, st.Head)
		}
		buf = append(append(buf, v...), st.End...)
	default:
		return k.putText(v)
	}
	return ended(st, buf, n, v)
}

// putPadded is PutString for a text with padding, whose length is right. The padding is written
// in words, as far as there is room for them.
func (k Key) putPadded(v string) Key {
	st, n, buf := k.St, len(k.Buf), k.Buf
	pad, m, width := byte(st.Xor), len(v), int(st.N)
	left := st.Form == layout.HotPadLeft
	if m > 0 && (left && v[0] == pad || !left && v[m-1] == pad) || cap(buf)-n < width+8 || st.C.Chars != nil && forms.Outside(st.C.Chars, v) >= 0 {
		return k.putText(v)
	}
	out, empty := buf[n:n+width+8], 0
	if left {
		copy(out[width-m:], v)
		for ; empty+8 <= width-m; empty += 8 {
			binary.BigEndian.PutUint64(out[empty:], st.Xor)
		}
		for ; empty < width-m; empty++ {
			out[empty] = pad
		}
	} else {
		copy(out, v)
		for empty = m; empty < width; empty += 8 { // what follows is written over the last one's end
			binary.BigEndian.PutUint64(out[empty:], st.Xor)
		}
	}
	binary.BigEndian.PutUint64(out[width:], st.Word)
	buf = buf[:n+width+st.Size]
	return ended(st, buf, n, v)
}

// putTurned is PutString for a HotTurned, whose length is right. It is a function of its own:
// PutString is faster with few cases.
func (k Key) putTurned(v string) Key {
	st, n, buf := k.St, len(k.Buf), k.Buf
	if st.Head != 0 {
		buf = append(buf, st.Head)
	}
	at := len(buf)
	buf = append(buf, v...)
	if !st.Turn(buf[at:]) || st.Guard != 0 && holds(v, st.Xor^st.Turned) {
		return k.putText(v)
	}
	buf = append(buf, st.End...)
	return ended(st, buf, n, v)
}

// putWord is PutHot for a number that may not fit.
func (k Key) putWord(u uint64) Key {
	if st := k.St; st.Fill <= layout.FillNumber && st.Room > 0 && uint(len(k.Buf)+int(st.Room)) <= uint(cap(k.Buf)) {
		if k = k.word(u); st.Fill == layout.FillNumber {
			st.PutSalt(k.Buf, u)
		}
		return k
	}
	return k.PutHot(u).grown(k)
}

// PutHot writes a number that is within the limits of the field. It goes through a small array
// if the buffer has no room for whole words.
func (k Key) PutHot(u uint64) Key {
	st, n, buf := k.St, len(k.Buf), k.Buf
	if room := 2 * layout.FewBytes; cap(buf)-n >= room {
		buf = buf[:n+st.Put(buf[n:n+room], u)]
	} else {
		var few [2 * layout.FewBytes]byte
		buf = append(buf, few[:st.Put(few[:], u)]...)
	}
	switch {
	case st.Fill == layout.NoFill:
		return Key{buf, st.Next}
	case st.Fill == layout.FillNumber:
		st.PutSalt(buf, u)
		return Key{buf, st.Next}
	case st.Kind == layout.KindFloat:
		u = forms.RawFloat(u, 8) // its value, of what is written
	}
	return Key{buf, st}.fill(n, layout.Val{Num: u, Ok: true})
}

// ended moves to the next step after the text v, which was just written at byte n. It is inlined.
func ended(st *layout.Step, buf []byte, n int, v string) Key {
	if st.Fill != layout.NoFill {
		return filledStep(st, buf, n, v)
	}
	return Key{buf, st.Next}
}

// filledStep fills the slots that depend on the text v, which was just written at byte n, and
// moves to the next step. A salt by murmur3 is computed from v, not from the bytes in the key:
// to read bytes that were just stored by overlapping words would be slow.
func filledStep(st *layout.Step, buf []byte, n int, v string) Key {
	if st.Fill == layout.FillByte {
		buf[st.Slot] = byte(st.Salt.Of(digest.Murmur32(0, v)))
		return Key{buf, st.Next}
	}
	return Key{buf, st}.fill(n, layout.Val{Text: mem.BytesAt(unsafe.Pointer(&v)), Ok: true})
}

// holds reports that a text holds a byte, which is each byte of mark. Two words tell of a short one,
// without a call.
func holds(text string, mark uint64) bool {
	n := len(text)
	if n < 8 || n > layout.FewBytes {
		return strings.IndexByte(text, byte(mark)) >= 0
	}
	from := []byte(text)
	return forms.ZeroBytes(binary.LittleEndian.Uint64(from)^mark)|forms.ZeroBytes(binary.LittleEndian.Uint64(from[n-8:])^mark) != 0
}
